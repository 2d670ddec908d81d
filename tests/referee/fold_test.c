// SPDX-License-Identifier: MIT
// What holds of any play, legal or not: random matches of every game, with hands, fouls and corrections.
#include <math.h>
#include <stdlib.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"

enum { MATCHES = 40, SHOTS = 40, TARGETS = 13, OBSERVATIONS_MAX = 20000 };

// The observations of a random match: so that they can be folded again, with one left out or changed.
static struct evidence {
    const struct game *game;
    struct match_setup setup;
    int count;
    struct observation o[OBSERVATIONS_MAX];
    uint32_t seed; // of the next random number
} evidence;

static uint32_t any(uint32_t below)
{
    evidence.seed = evidence.seed * 1664525u + 1013904223u; // Numerical Recipes' linear congruential generator
    return (evidence.seed >> 8) % below;
}

static void add(struct observation o)
{
    o.t_s = 0.1 * evidence.count;
    if (evidence.count < OBSERVATIONS_MAX)
        evidence.o[evidence.count++] = o;
}

static struct pt_in anywhere(double within_in)
{
    double r_in = within_in * sqrt(any(1000) / 1000.0), angle_rad = any(1000) / 159.0;
    struct pt_in at = { r_in * cos(angle_rad), r_in * sin(angle_rad) };
    return at;
}

static void rest(int id, struct pt_in at, enum piece_place plane)
{
    add((struct observation){ .kind = OBS_REST, .id = id, .rest = { at, { 1e-4, 0, 1e-4 }, plane, 0 } });
}

static void put_down(int id, const char *colour, bool taw, struct pt_in at)
{
    const struct board *b = board_builtin(evidence.game->board);
    struct observation o = { .kind = OBS_SEEN, .id = id };
    o.seen.kind = b->piece;
    o.seen.taw = taw;
    o.seen.certainty = 1;
    o.seen.radius_in = taw ? 0.33 : b->piece_radius_in;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", colour);
    add(o);
    rest(id, at, ON_SURFACE);
}

static struct observation random_word(bool about_shots)
{
    static const char *const words[] = { "undo",       "foul",   "shot-again", "slips",   "noplay",   "own-taw",
                                         "hit",        "missed", "confirm",    "zone",    "overrule", "redo",
                                         "retract",    "turn",   "correct",    "twenty",  "permit",   "new-game",
                                         "dead",       "coach",  "force",      "point",   "forfeit",  "wrong-taw",
                                         "round-over", "taw",    "lag",        "what?",   "pause",    "resume",
                                         "put-on",     "put-on", "take-off",   "take-off" };
    uint32_t n = about_shots ? 13 : (uint32_t)countof(words);
    static const char *const texts[] = { "", "15", "ditch", "out", "20", "in", "N5", "hunching", "taw" };
    struct observation o = play_input(words[any(n)], texts[any(countof(texts))]);
    snprintf(o.input.side, sizeof o.input.side, "%s", any(2) ? "Home" : "Away");
    o.input.shot = any(3) ? 0 : (int)any(SHOTS);
    o.input.piece = (int)any(60);
    o.input.input = any(3) ? 0 : (int)any(6);
    o.input.has_value = any(2);
    o.input.value[0] = any(8);
    o.input.value[1] = input_places(o.input.what) ? any(8) : 0;
    return o;
}

static void random_shot(int shooter, int others, double within_in)
{
    add((struct observation){ .kind = OBS_MOVE, .id = shooter, .move = { MOVED_BY_SHOT, { within_in, 0 } } });
    for (uint32_t k = any(4); k > 0 && others > 0; k--) {
        int id = 1 + (int)any((uint32_t)others);
        if (any(2))
            add((struct observation){ .kind = OBS_CONTACT,
                                      .id = shooter,
                                      .contact = { any(4) ? TOUCHED_PIECE : TOUCHED_UNSEEN, id, 0.01, { 1, 1 } } });
        add((struct observation){ .kind = OBS_MOVE, .id = id, .move = { MOVED_BY_SHOT, { 1, 1 } } });
        if (any(8) == 0)
            add((struct observation){ .kind = OBS_GONE, .id = id, .gone = { OFF_BOARD } });
        else
            rest(id, anywhere(within_in + 4), any(9) ? ON_SURFACE : IN_DITCH);
    }
    if (any(10) == 0)
        rest(shooter, (struct pt_in){ 0, 0 }, IN_HOLE);
    else
        rest(shooter, anywhere(within_in + 2), ON_SURFACE);
    add((struct observation){ .kind = OBS_STILL });
}

// Pieces that are gone may be named again: a hostile log does so too.
static void random_match(const struct game *game, uint32_t seed, bool words)
{
    const struct board *b = board_builtin(game->board);
    bool ring = b->kind == BOARD_RING;
    evidence = (struct evidence){ .game = game, .seed = seed, .setup = match_setup_usual(game) };
    evidence.setup.seats = SIDES;
    evidence.setup.seat[0] = (struct seat){ .name = "Home", .colour = "black" };
    evidence.setup.seat[1] = (struct seat){ .name = "Away", .colour = "red" };
    int id = 0;
    for (int i = 0; i < TARGETS && ring; i++)
        put_down(++id, "green", false, anywhere(10));
    add((struct observation){ .kind = OBS_STILL });
    for (int i = 0; i < SHOTS; i++) {
        const char *colour = (i + (any(9) == 0)) % 2 ? "red" : "black";
        put_down(++id, colour, ring, (struct pt_in){ b->circle_in[0] + (ring ? 1 : 0), 0 });
        random_shot(id, id - 1, b->circle_in[0]);
        if (words && any(3) == 0)
            add(random_word(false));
        if (any(3) == 0)
            add((struct observation){ .kind = OBS_GONE, .id = 1 + (int)any((uint32_t)id), .gone = { BY_HAND } });
        if (ring)
            add((struct observation){ .kind = OBS_GONE, .id = id, .gone = { BY_HAND } });
        if (any(20) == 0)
            add((struct observation){ .kind = OBS_CAMERA, .camera = { CAMERA_CUT, 0 } });
    }
}

static void fold_all(struct play *p)
{
    play_begin(p, evidence.game, board_builtin(evidence.game->board), &evidence.setup);
    for (int i = 0; i < evidence.count; i++)
        play_feed(p, evidence.o[i]);
}

static void check_sane(const struct play *p)
{
    const struct match *m = &p->referee.match;
    int total = 0;
    for (int i = 0; i < m->now.sides; i++) {
        total += m->now.side[i].score;
        if (m->now.side[i].score < 0 || m->now.side[i].twenties < 0 || m->now.side[i].played < 0)
            fail_msg("%s seed %u: a side has %d points, %d twenties, %d played", evidence.game->name, evidence.seed,
                     m->now.side[i].score, m->now.side[i].twenties, m->now.side[i].played);
    }
    if (m->now.sides < 0 || m->now.sides > SIDES || m->now.to_shoot >= m->now.sides || m->now.winner >= m->now.sides)
        fail_msg("%s: %d sides, %d to shoot, winner %d", evidence.game->name, m->now.sides, m->now.to_shoot,
                 m->now.winner);
    if (m->board.kind == BOARD_RING && m->inputs == 0 && total > TARGETS)
        fail_msg("%s seed %u: %d of %d targets were won", evidence.game->name, evidence.seed, total, TARGETS);
}

static void no_play_breaks_the_books(void **state)
{
    (void)state;
    static struct play p;
    for (int g = 0; games_at(g); g++)
        for (uint32_t seed = 1; seed <= MATCHES; seed++) {
            random_match(games_at(g), seed, seed % 2);
            fold_all(&p);
            check_sane(&p);
        }
    play_end(&p);
}

// The same standing, whatever lies in its unused rest.
static void check_same(const struct play *a, const struct play *b, const char *what, uint32_t seed)
{
    const struct standing *x = &a->referee.match.now, *y = &b->referee.match.now;
    bool same = x->sides == y->sides && x->to_shoot == y->to_shoot && x->round == y->round && x->over == y->over &&
                x->winner == y->winner && x->owed == y->owed && x->game == y->game && x->starter == y->starter &&
                memcmp(&x->own, &y->own, sizeof x->own) == 0;
    for (int i = 0; i < x->sides && same; i++)
        same = x->side[i].score == y->side[i].score && x->side[i].played == y->side[i].played &&
               x->side[i].twenties == y->side[i].twenties && x->side[i].games == y->side[i].games;
    if (!same)
        fail_msg("%s, seed %u: %s", evidence.game->name, seed, what);
}

static struct observation said(const char *word, int shot, int input)
{
    struct observation o = play_input(word, "");
    o.input.shot = shot;
    o.input.input = input;
    return o;
}

static int hear_nothing(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    (void)self, (void)m, (void)r, (void)why;
    return 0;
}

// Corrected on the way or with all corrections known from the beginning: it is one match.
static void folded_at_once_it_is_the_same(void **state)
{
    (void)state;
    static struct play p, again;
    for (int g = 0; games_at(g); g++)
        for (uint32_t seed = 1; seed <= MATCHES; seed++) {
            struct fail why = { .text = "" };
            struct log_reader *log = NULL;
            random_match(games_at(g), seed, true);
            if (seed % 2) // the first shots alone: soon there is nothing to take back or to do again
                evidence.count = 40 + (int)any(40);
            fold_all(&p);
            for (int i = 0; i < 8 && seed % 2; i++)
                play_feed(&p, said(any(2) ? "undo" : "redo", 0, 0));
            if (log_writer_read(&log, p.referee.log, &why) < 0 ||
                adjudicate_as_it_stands(&again.referee.match, log, evidence.game,
                                        (struct announcer){ hear_nothing, NULL }, &why) < 0)
                fail_msg("%s", why.text);
            log_reader_free(log);
            check_same(&p, &again, "corrected on the way it is another match", seed);
        }
    play_end(&p);
}

// Whatever is taken back and taken back again is as if nobody had said anything.
static void undo_of_undo_is_nothing(void **state)
{
    (void)state;
    static struct play p, untouched;
    for (int g = 0; games_at(g); g++)
        for (uint32_t seed = 1; seed <= MATCHES; seed++) {
            random_match(games_at(g), seed, false);
            fold_all(&untouched);
            fold_all(&p);
            int shots = p.referee.match.shot.number;
            play_feed(&p, said("undo", 1 + (int)any((uint32_t)shots), 0));
            play_feed(&p, said("redo", 0, 0));
            check_same(&p, &untouched, "undo and redo leave something behind", seed);
            play_feed(&p, said("foul", 1 + (int)any((uint32_t)shots), 0));
            play_feed(&p, said("retract", 0, p.referee.match.inputs));
            check_same(&p, &untouched, "a foul that was not said leaves something behind", seed);
        }
    play_end(&p);
    play_end(&untouched);
}

// A word about a shot weighs the same whether it is said while the shot runs or long afterwards.
static void a_late_word_is_as_good_as_an_early_one(void **state)
{
    (void)state;
    static const char *const words[] = { "foul", "undo", "hit", "missed", "shot-again" };
    static struct play early, late;
    for (int g = 0; games_at(g); g++)
        for (uint32_t seed = 1; seed <= MATCHES; seed++) {
            random_match(games_at(g), seed, false);
            fold_all(&late);
            const char *word = words[seed % countof(words)];
            int shot = 1 + (int)any((uint32_t)late.referee.match.shot.number);
            play_feed(&late, said(word, shot, 0));
            play_begin(&early, evidence.game, board_builtin(evidence.game->board), &evidence.setup);
            for (int i = 0; i < evidence.count; i++) {
                play_feed(&early, evidence.o[i]);
                if (early.referee.match.shot.running && early.referee.match.shot.number == shot &&
                    early.referee.match.inputs == 0)
                    play_feed(&early, said(word, shot, 0));
            }
            check_same(&early, &late, word, seed);
        }
    play_end(&early);
    play_end(&late);
}

// "That disc was a 15" is as good as having seen it there.
static void a_corrected_zone_is_as_good_as_a_seen_one(void **state)
{
    (void)state;
    static struct play seen, told;
    for (int g = 0; games_at(g); g++) {
        const struct board *b = board_builtin(games_at(g)->board);
        if (b->kind != BOARD_CIRCLES)
            continue;
        for (uint32_t seed = 1; seed <= MATCHES; seed++) {
            char zone[ZONE_WORD_MAX];
            snprintf(zone, sizeof zone, "%d", b->zone_points[b->circles - 1]);
            random_match(games_at(g), seed, false);
            int k = evidence.count / 2; // the last piece that comes to rest in some shot of the first half
            while (k > 1 && !(evidence.o[k].kind == OBS_STILL && evidence.o[k - 1].kind == OBS_REST))
                k--;
            struct observation *last = &evidence.o[k - 1];
            // A hundredth of an inch to either side of the innermost line.
            double line_in = b->circle_in[b->circles - 1] - b->line_width_in / 2 - b->piece_radius_in;
            last->rest.at = (struct pt_in){ line_in + 0.01, 0 };
            last->rest.plane = ON_SURFACE;
            fold_all(&told);
            struct observation o = said("zone", 0, 0);
            bool running = false;
            for (int i = 0; i <= k; i++) { // number of that shot
                bool shot = evidence.o[i].kind == OBS_MOVE && evidence.o[i].move.by == MOVED_BY_SHOT;
                o.input.shot += shot && !running;
                running = (running || shot) && evidence.o[i].kind != OBS_STILL;
            }
            o.input.piece = last->id;
            snprintf(o.input.text, sizeof o.input.text, "%s", zone);
            last->rest.at = (struct pt_in){ line_in - 0.01, 0 };
            fold_all(&seen);
            play_feed(&told, o);
            check_same(&seen, &told, "a corrected zone is not as a seen one", seed);
        }
    }
    play_end(&seen);
    play_end(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_play_breaks_the_books),
        cmocka_unit_test(folded_at_once_it_is_the_same),
        cmocka_unit_test(undo_of_undo_is_nothing),
        cmocka_unit_test(a_late_word_is_as_good_as_an_early_one),
        cmocka_unit_test(a_corrected_zone_is_as_good_as_a_seen_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
