// SPDX-License-Identifier: MIT
// American Marbles, what samples/situations/american_marbles.txt cannot say: the X at every turn, and play at random.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"

enum { TARGETS = 13 };

static void begin(struct play *p)
{
    struct match_setup setup = match_setup_usual(&american_marbles_game);
    setup.seats = SIDES;
    setup.first = 0;
    strcpy(setup.seat[0].colour, "blue");
    strcpy(setup.seat[1].colour, "green");
    play_begin(p, &american_marbles_game, board_builtin("ring-7ft"), &setup);
    p->sigma_in = 0.02;
}

static double between(double low, double high)
{
    return low + (high - low) * (rand() / (double)RAND_MAX);
}

static struct pt_in round_about(double r_in, double angle_rad)
{
    struct pt_in at = { r_in * cos(angle_rad), r_in * sin(angle_rad) };
    return at;
}

// Targets 1 to 13 on an X turned by turn_rad, each within jitter_in of its spot; that one off_in farther out.
static void lay_x(struct play *p, double turn_rad, double jitter_in, int off, double off_in)
{
    for (int id = 1; id <= TARGETS; id++) {
        double r_in = id == TARGETS ? 0 : 3 * (1 + (id - 1) % 3), leg_rad = turn_rad + PI / 2 * ((id - 1) / 3);
        struct pt_in at = round_about(r_in + (id == off ? off_in : 0), leg_rad),
                     by = round_about(between(0, jitter_in), between(0, 2 * PI));
        play_seen(p, id, "red", false);
        play_rest(p, id, (struct pt_in){ at.x + by.x, at.y + by.y }, ON_SURFACE);
    }
    play_still(p);
}

static void the_x_is_found_at_every_turn(void **state)
{
    (void)state;
    static struct play p;
    srand(7);
    for (int degree = 0; degree < 360; degree += 3) {
        begin(&p);
        lay_x(&p, degree * PI / 180, 0.15, 0, 0);
        if (!play_call(&p, "set-up-ok"))
            fail_msg("seed 7, an X turned by %d degrees: \"%s\"", degree, p.last.calls.call[0].text);
        begin(&p);
        lay_x(&p, degree * PI / 180, 0.02, 1 + degree % 12, 0.6);
        const struct call *c = play_call(&p, "off-spot");
        if (p.last.calls.count != 1 || !c || c->piece != 1 + degree % 12 || !c->firm)
            fail_msg("seed 7, %d degrees, target %d off: %d calls", degree, 1 + degree % 12, p.last.calls.count);
        assert_non_null(strstr(c->text, "towards the centre"));
    }
    play_end(&p);
}

// All as large as each other, but not as the board says.
static void targets_of_another_size_are_told_once(void **state)
{
    (void)state;
    static const struct {
        double larger_in;
        bool told, firm;
    } rows[] = { { 0.02, false, false }, { 0.052, true, false }, { -0.052, true, false }, { 0.082, true, true } };
    static struct play p;
    for (size_t i = 0; i < countof(rows); i++) {
        begin(&p);
        p.referee.match.board.piece_radius_in += rows[i].larger_in;
        double usual_in = board_builtin("ring-7ft")->piece_radius_in, told_in = usual_in + rows[i].larger_in;
        for (int id = 1; id <= TARGETS; id++) {
            double r_in = id == TARGETS ? 0 : 3 * (1 + (id - 1) % 3);
            play_seen(&p, id, "red", false);
            play_rest(&p, id, round_about(r_in, PI / 2 * ((id - 1) / 3)), ON_SURFACE);
        }
        p.referee.match.board.piece_radius_in = usual_in;
        play_still(&p);
        const struct call *c = play_call(&p, "illegal-target");
        char words[80];
        snprintf(words, sizeof words, "the targets are %.2f in across", 2 * told_in);
        if ((c != NULL) != rows[i].told || (c && (c->firm != rows[i].firm || !strstr(c->text, words))))
            fail_msg("%+.2f in: \"%s\"", rows[i].larger_in, c ? c->text : "");
        p.last.calls.count = 0;
        play_still(&p);
        assert_null(play_call(&p, "illegal-target"));
    }
    play_end(&p);
}

static void shoot_taw(struct play *p, int id, double radius_in, double radius_sigma_in)
{
    struct observation o = { .kind = OBS_SEEN,
                             .id = id,
                             .seen = { PIECE_MARBLE, "blue", true, 1, radius_in, .radius_sigma_in = radius_sigma_in } };
    play_feed(p, o);
    play_rest(p, id, round_about(45, 0), ON_SURFACE);
    play_still(p);
    play_move(p, id, MOVED_BY_SHOT, round_about(45, 0));
    play_rest(p, id, round_about(20, 0.1), ON_SURFACE);
    play_still(p);
}

// Whether a taw is another by its size is asked when it is measured well enough to tell.
static void a_taw_is_another_when_its_size_is_surely_another(void **state)
{
    (void)state;
    static const struct {
        double then_in, then_sigma_in, now_in, now_sigma_in;
        bool told;
    } rows[] = { { 0.36, 0.01, 0.36, 0.01, false }, { 0.36, 0.01, 0.31, 0.01, true }, { 0.36, 0.01, 0.31, 0.03, false },
                 { 0.36, 0.03, 0.31, 0.01, false }, { 0.36, 0, 0.31, 0, true },       { 0.36, 0, 0.33, 0, false },
                 { 0.36, 0.005, 0.33, 0.005, true } };
    static struct play p;
    for (size_t i = 0; i < countof(rows); i++) {
        begin(&p);
        lay_x(&p, 0, 0.02, 0, 0);
        shoot_taw(&p, 20, rows[i].then_in, rows[i].then_sigma_in);
        assert_null(play_call(&p, "wrong-taw"));
        play_gone(&p, 20, BY_HAND);
        p.last.calls.count = 0;
        shoot_taw(&p, 21, rows[i].now_in, rows[i].now_sigma_in);
        const struct call *c = play_call(&p, "wrong-taw");
        if ((c != NULL) != rows[i].told || (c && !strstr(c->text, "in across")))
            fail_msg("row %zu: \"%s\"", i, c ? c->text : "");
        play_end(&p);
    }
}

// The taw of the side to shoot, mostly, is put down outside and shot anywhere; targets run, fouls and slips are said.
static void shoot_at_random(struct play *p, int id, bool in_ring[TARGETS + 1])
{
    static const char *const words[] = { "foul", "slips", "noplay", "own-taw", "shot-again", "picked-up" };
    int side = play_now(p)->to_shoot, other = rand() % 10 == 0;
    bool permitted = rand() % 10 != 0;
    play_seen(p, id, (side == 1) != other ? "green" : "blue", true);
    play_rest(p, id, round_about(between(40, 50), between(0, 2 * PI)), ON_SURFACE);
    play_still(p);
    if (permitted && rand() % 2)
        play_say(p, "permit", "");
    play_move(p, id, MOVED_BY_SHOT, (struct pt_in){ -43, 0 });
    for (int i = 0; i < rand() % 4; i++) {
        int target = 1 + rand() % TARGETS;
        if (!in_ring[target])
            continue;
        play_move(p, target, MOVED_BY_SHOT, (struct pt_in){ 0, 0 });
        if (rand() % 20 == 0)
            play_gone(p, target, rand() % 2 ? BY_HAND : OFF_BOARD);
        else
            play_rest(p, target, round_about(between(0, 60), between(0, 2 * PI)), ON_SURFACE);
        in_ring[target] = piece_table_find(&p->referee.match.table, target) != NULL;
    }
    if (rand() % 5 == 0)
        play_say(p, words[rand() % (int)countof(words)], "hunching");
    if (rand() % 20 == 0)
        play_gone(p, id, BY_HAND);
    else
        play_rest(p, id, round_about(between(0, 50), between(0, 2 * PI)), ON_SURFACE);
    play_still(p);
}

// Legal and illegal: no score is below nothing, nobody has more than all targets, what owed is lies where it can, a
// shot taken back and made again changes nothing, and the log folds to the same standing.
static void play_at_random_keeps_the_books(void **state)
{
    (void)state;
    static struct play p;
    enum { GAMES = 40, SHOTS = 30 };
    for (int game = 0; game < GAMES; game++) {
        bool in_ring[TARGETS + 1];
        memset(in_ring, true, sizeof in_ring);
        srand(1000U + (unsigned)game);
        begin(&p);
        lay_x(&p, between(0, PI), 0.1, 0, 0);
        for (int shot = 0; shot < SHOTS; shot++) {
            shoot_at_random(&p, 100 + shot, in_ring);
            const struct standing *s = play_now(&p);
            if (s->side[0].score < 0 || s->side[1].score < 0 || s->side[0].score + s->side[1].score > TARGETS ||
                s->round < 1 || s->to_shoot >= s->sides || s->owed > OWED_MAX)
                fail_msg("seed %d, shot %d: %d to %d, round %d", 1000 + game, shot, s->side[0].score, s->side[1].score,
                         s->round);
        }
        struct standing before = *play_now(&p);
        play_say(&p, "undo", "");
        play_say(&p, "redo", "");
        const struct standing *after = play_now(&p);
        if (memcmp(before.side, after->side, sizeof before.side) != 0 || before.to_shoot != after->to_shoot ||
            before.round != after->round || before.over != after->over || before.owed != after->owed)
            fail_msg("seed %d: an undo and a redo changed the match", 1000 + game);
    }
    play_end(&p);
}

// Anything that anybody may say, about anything.
static void speak_at_random(struct play *p)
{
    static const char *const words[] = {
        "new-game", "permit",     "permit-needed", "undo",      "shot-again", "foul",      "slips",     "noplay",
        "own-taw",  "zone",       "overrule",      "confirm",   "redo",       "retract",   "turn",      "correct",
        "round",    "side",       "lag",           "taw",       "coach",      "dead",      "force",     "forfeit",
        "point",    "warn",       "penalty",       "wrong-taw", "disqualify", "picked-up", "permitted", "played",
        "twenty",   "round-over", "name",          "pause",     "resume"
    };
    static const char *const sides[] = { "", "blue", "green", "white", "nobody" };
    static const char *const texts[] = {
        "", "out", "in", "hunching", "illegal taw", "spectator", "white", "M12", "M26"
    };
    struct observation o = play_input(words[rand() % (int)countof(words)], texts[rand() % (int)countof(texts)]);
    if (o.input.what == INPUT_OVERRULE)
        snprintf(o.input.text, sizeof o.input.text, "M%d", 1 + rand() % 65);
    snprintf(o.input.side, sizeof o.input.side, "%s", sides[rand() % (int)countof(sides)]);
    o.input.shot = rand() % 3 == 0 ? rand() % 20 : 0;
    o.input.piece = rand() % 20;
    o.input.input = rand() % 4 == 0 ? rand() % 20 : 0;
    o.input.has_value = rand() % 2;
    o.input.value[0] = between(-2, 12);
    o.input.value[1] = between(-100, 100);
    play_feed(p, o);
}

// Nothing is said or done that the books do not outlast: run under the sanitizers too.
static void whatever_is_said_the_match_goes_on(void **state)
{
    (void)state;
    static struct play p;
    enum { GAMES = 120, STEPS = 25 };
    for (int game = 0; game < GAMES; game++) {
        bool in_ring[TARGETS + 1];
        memset(in_ring, true, sizeof in_ring);
        srand(5000U + (unsigned)game);
        begin(&p);
        lay_x(&p, 0, 0.1, 0, 0);
        for (int step = 0; step < STEPS; step++) {
            if (rand() % 2)
                speak_at_random(&p);
            else
                shoot_at_random(&p, 100 + step, in_ring);
            if (rand() % 20 == 0) {
                play_seen(&p, 200 + step, rand() % 2 ? "white" : "red", rand() % 2);
                play_move(&p, 200 + step, MOVED_BY_SHOT, (struct pt_in){ 43, 0 });
                play_rest(&p, 200 + step, round_about(between(0, 50), 1), ON_SURFACE);
                play_still(&p);
            }
            const struct standing *s = play_now(&p);
            if (s->side[0].score < 0 || s->side[1].score < 0 || s->to_shoot >= s->sides || s->owed > OWED_MAX ||
                s->winner >= s->sides)
                fail_msg("seed %d, step %d: %d to %d, to shoot %d", 5000 + game, step, s->side[0].score,
                         s->side[1].score, s->to_shoot);
        }
    }
    play_end(&p);
}

static void every_ruling_names_its_other(void **state)
{
    (void)state;
    const struct game *g = &american_marbles_game;
    assert_int_equal(g->ruling_count, 16);
    for (int i = 0; i < g->ruling_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "A%d", i + 1);
        assert_string_equal(g->rulings[i].number, number);
        assert_true(g->rulings[i].question[0] && g->rulings[i].taken[0] && g->rulings[i].other[0]);
    }
}

// M1 to M65, each at least once.
static void every_rule_of_the_book_is_there(void **state)
{
    (void)state;
    for (int n = 1; n <= 65; n++) {
        bool found = false;
        char number[16];
        snprintf(number, sizeof number, "M%d", n);
        for (int i = 0; i < american_marbles_game.rule_count && !found; i++)
            found = strcmp(american_marbles_game.rules[i].number, number) == 0;
        if (!found)
            fail_msg("%s is no rule of the table", number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_x_is_found_at_every_turn),
        cmocka_unit_test(targets_of_another_size_are_told_once),
        cmocka_unit_test(play_at_random_keeps_the_books),
        cmocka_unit_test(whatever_is_said_the_match_goes_on),
        cmocka_unit_test(every_ruling_names_its_other),
        cmocka_unit_test(every_rule_of_the_book_is_there),
        cmocka_unit_test(a_taw_is_another_when_its_size_is_surely_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
