// SPDX-License-Identifier: MIT
// American Marbles from a table of situations: what is called, the score and who shoots next. Blue is A, green is B.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/referee/play.h"

enum { TARGETS_MAX = 3, WORDS_MAX = 256 };

// Three of them are the band around the line in which a call is close.
static const double SIGMA_IN = 0.02;

struct step {
    const char *situation; // first step: a new game from these scores
    int start[2], turns[2], first;
    const char *say, *text;     // between shots (without a taw), or said of the running shot
    double target[TARGETS_MAX]; // where targets that lay in the ring come to rest, from its centre
    double taw;                 // likewise; 0: no shot, only words
    double travel;              // of the taw; 0: from outside the ring
    bool picked_up, no_permission;
    const char *calls; // words for machines of all calls
    int score[2];
    int next; // -1: the game is over
};

static const struct step steps[] = {
    { .situation = "A01 clean hit, taw stays",
      .target = { 45.2 },
      .taw = 20,
      .calls = "out taw-in shoot-again",
      .score = { 1, 0 },
      .next = 0 },
    { .target = { 30 }, .taw = 39, .calls = "taw-in turn-over", .score = { 1, 0 }, .next = 1 },

    { .situation = "A02 target out and taw out",
      .target = { 44 },
      .taw = 43.5,
      .calls = "out taw-out turn-over",
      .score = { 1, 0 },
      .next = 1 },

    { .situation = "A03 centre on the line counts out",
      .target = { 42 },
      .taw = 12,
      .calls = "out(close) taw-in shoot-again",
      .score = { 1, 0 },
      .next = 0 },

    { .situation = "A04 taw on the line is in; three in one shot",
      .target = { 43.1, 47, 50.5 },
      .taw = 42,
      .calls = "out out out taw-in(close) shoot-again",
      .score = { 3, 0 },
      .next = 0 },

    { .situation = "A05 one band to either side of the line",
      .target = { 41.93 },
      .taw = 42.05,
      .calls = "taw-out(close) turn-over",
      .score = { 0, 0 },
      .next = 1 },
    { .target = { 42.07 }, .taw = 42.07, .calls = "out taw-out turn-over", .score = { 0, 1 }, .next = 0 },

    { .situation = "A06 slips: 9.9 in, then 10.1 in with a target",
      .say = "slips",
      .taw = 41,
      .travel = 9.9,
      .calls = "slips",
      .score = { 0, 0 },
      .next = 0 },
    { .say = "slips",
      .target = { 43 },
      .taw = 33,
      .travel = 10.1,
      .calls = "no-slips turn-over",
      .score = { 0, 0 },
      .next = 1 },

    { .situation = "A07 slip without a call; picked up; no play",
      .taw = 40,
      .travel = 4,
      .calls = "taw-in turn-over",
      .score = { 0, 0 },
      .next = 1 },
    { .say = "slips",
      .taw = 39.5,
      .travel = 3,
      .picked_up = true,
      .calls = "no-slips turn-over",
      .score = { 0, 0 },
      .next = 0 },
    { .say = "noplay", .taw = 40.5, .travel = 2, .calls = "no-play", .score = { 0, 0 }, .next = 0 },

    { .situation = "A08 fouls give targets back",
      .start = { 2, 1 },
      .say = "foul",
      .text = "over the line",
      .target = { 44, 45 },
      .taw = 15,
      .calls = "forfeited turn-over",
      .score = { 2, 1 },
      .next = 1 },
    { .say = "foul",
      .text = "hunching",
      .target = { 46 },
      .taw = 15,
      .calls = "forfeited turn-over",
      .score = { 2, 1 },
      .next = 0 },
    { .say = "foul",
      .text = "illegal shooter",
      .target = { 43 },
      .taw = 15,
      .calls = "forfeited turn-over",
      .score = { 2, 1 },
      .next = 1 },

    { .situation = "A09 no permission; backspin keeps targets",
      .no_permission = true,
      .target = { 44 },
      .taw = 20,
      .calls = "forfeited turn-over",
      .score = { 0, 0 },
      .next = 1 },
    { .say = "own-taw",
      .target = { 44 },
      .taw = 41,
      .calls = "out taw-in own-taw turn-over",
      .score = { 0, 1 },
      .next = 0 },

    { .situation = "A10 the seventh target ends the game at once",
      .start = { 5, 6 },
      .turns = { 3, 3 },
      .target = { 43, 44 },
      .taw = 45,
      .calls = "out out taw-out game",
      .score = { 7, 6 },
      .next = -1 },

    { .situation = "A11 seven innings; a tie plays an eighth",
      .start = { 3, 3 },
      .turns = { 7, 6 },
      .first = 1,
      .target = { 20 },
      .taw = 30,
      .calls = "taw-in turn-over",
      .score = { 3, 3 },
      .next = 0 },
    { .target = { 44 }, .taw = 48, .calls = "out taw-out turn-over", .score = { 4, 3 }, .next = 1 },
    { .target = { 10 }, .taw = 9, .calls = "taw-in turn-over game", .score = { 4, 3 }, .next = -1 },

    { .situation = "A12 interference, advice, surrender",
      .start = { 4, 3 },
      .turns = { 2, 2 },
      .say = "force",
      .text = "blue",
      .calls = "reset",
      .score = { 4, 3 },
      .next = 0 },
    { .say = "point", .text = "blue", .calls = "point", .score = { 5, 3 }, .next = 0 },
    { .say = "coach", .text = "green", .calls = "warning", .score = { 5, 3 }, .next = 0 },
    { .say = "coach", .text = "green", .calls = "coaching", .score = { 5, 0 }, .next = 0 },
    { .say = "dead", .calls = "reset", .score = { 5, 0 }, .next = 0 },
    { .say = "forfeit", .text = "blue", .calls = "game", .score = { 0, 7 }, .next = -1 },

    { .situation = "a foul said after the call judges the shot again",
      .target = { 45 },
      .taw = 20,
      .calls = "out taw-in shoot-again",
      .score = { 1, 0 },
      .next = 0 },
    { .say = "foul", .text = "hunching", .calls = "forfeited turn-over", .score = { 0, 0 }, .next = 1 },

    { .situation = "an undo takes the shot back",
      .target = { 45 },
      .taw = 44,
      .calls = "out taw-out turn-over",
      .score = { 1, 0 },
      .next = 1 },
    { .say = "undo", .calls = "undo", .score = { 0, 0 }, .next = 0 },

    { .situation = "M62 the judge corrects the score",
      .start = { 2, 2 },
      .say = "correct",
      .text = "green 4",
      .calls = "corrected",
      .score = { 2, 4 },
      .next = 0 },
    { .situation = "M12 a wrong taw loses the game",
      .start = { 2, 2 },
      .say = "wrong-taw",
      .text = "blue",
      .calls = "game",
      .score = { 2, 2 },
      .next = -1 },
};

static const char *const colours[] = { "blue", "green" };

static void start(struct play *p, const struct step *s)
{
    struct match_setup setup = match_setup_usual(&american_marbles_game);
    setup.seats = SIDES;
    strcpy(setup.seat[0].colour, "blue");
    strcpy(setup.seat[1].colour, "green");
    struct board b = *board_builtin("ring-7ft");
    play_begin(p, &american_marbles_game, &b, &setup);
    p->sigma_in = SIGMA_IN;
    for (int i = 0; i < SIDES; i++) {
        p->referee.match.now.side[i].score = s->start[i];
        p->referee.match.now.own.american_marbles.turns[i] = s->turns[i];
    }
    p->referee.match.now.to_shoot = s->first;
}

static struct pt_in from_centre(double r_in, int i)
{
    double angle_rad = 2 * i;
    struct pt_in at = { r_in * cos(angle_rad), r_in * sin(angle_rad) };
    return at;
}

// Targets into the ring, the taw to where it is shot from.
static void lay_out(struct play *p, const struct step *s, int id)
{
    for (int i = 0; i < TARGETS_MAX && s->target[i] > 0; i++) {
        play_seen(p, id + 1 + i, "red", false);
        play_rest(p, id + 1 + i, (struct pt_in){ i, 1 }, ON_SURFACE);
    }
    play_seen(p, id, colours[p->referee.match.now.to_shoot], true);
    play_rest(p, id, (struct pt_in){ s->travel > 0 ? s->taw - s->travel : -43, 0 }, ON_SURFACE);
    play_still(p);
}

static void shoot(struct play *p, const struct step *s, int id)
{
    lay_out(p, s, id);
    play_say(p, s->no_permission ? "permit-needed" : "permit", "");
    play_move(p, id, MOVED_BY_SHOT, (struct pt_in){ s->travel > 0 ? s->taw - s->travel : -43, 0 });
    if (s->say)
        play_say(p, s->say, s->text ? s->text : "");
    for (int i = 0; i < TARGETS_MAX && s->target[i] > 0; i++) {
        play_move(p, id + 1 + i, MOVED_BY_SHOT, (struct pt_in){ i, 1 });
        play_rest(p, id + 1 + i, from_centre(s->target[i], i), ON_SURFACE);
    }
    if (s->picked_up)
        play_gone(p, id, BY_HAND);
    else
        play_rest(p, id, (struct pt_in){ s->taw, 0 }, ON_SURFACE);
    play_still(p);
}

// What was called, "(close)" behind what is not firm.
static void words(char out[WORDS_MAX], const struct play *p)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < p->last.calls.count; i++) {
        const struct call *c = &p->last.calls.call[i];
        used +=
            (size_t)snprintf(out + used, WORDS_MAX - used, "%s%s%s", i ? " " : "", c->what, c->firm ? "" : "(close)");
    }
}

static void every_situation(void **state)
{
    (void)state;
    static struct play p;
    const char *situation = "";
    char called[WORDS_MAX];
    for (size_t i = 0; i < countof(steps); i++) {
        const struct step *s = &steps[i];
        if (s->situation) {
            start(&p, s);
            situation = s->situation;
        }
        memset(&p.last, 0, sizeof p.last);
        if (s->taw > 0)
            shoot(&p, s, 1 + 10 * (int)i);
        else
            play_say(&p, s->say, s->text ? s->text : "");
        words(called, &p);
        const struct standing *now = &p.referee.match.now;
        int next = now->over ? -1 : now->to_shoot;
        if (strcmp(called, s->calls) != 0 || now->side[0].score != s->score[0] || now->side[1].score != s->score[1] ||
            next != s->next)
            fail_msg("%s: step %zu: called \"%s\", score %d-%d, next %d", situation, i, called, now->side[0].score,
                     now->side[1].score, next);
    }
}

static void a_target_moved_by_hand_is_put_back(void **state)
{
    (void)state;
    static struct play p;
    start(&p, &steps[0]);
    play_seen(&p, 1, "red", false);
    play_rest(&p, 1, (struct pt_in){ 3, 0 }, ON_SURFACE);
    play_still(&p);
    play_move(&p, 1, MOVED_BY_HAND, (struct pt_in){ 3, 0 });
    play_rest(&p, 1, (struct pt_in){ 5, 0 }, ON_SURFACE);
    assert_non_null(play_call(&p, "reset"));
    assert_string_equal(play_call(&p, "reset")->rule, "M48");
}

static void the_taw_is_the_shooter_even_when_a_target_was_seen_to_move_first(void **state)
{
    (void)state;
    static struct play p;
    struct step s = { .target = { 45 }, .taw = 20 };
    start(&p, &s);
    lay_out(&p, &s, 1);
    play_say(&p, "permit", "");
    play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ 0, 1 });
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ -43, 0 });
    play_rest(&p, 2, (struct pt_in){ 45, 0 }, ON_SURFACE);
    play_rest(&p, 1, (struct pt_in){ 20, 0 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(p.referee.match.shot.shooter, 1);
    assert_int_equal(play_fact(&p, "knocked_out"), 1);
    assert_true(play_fact(&p, "taw_in") == 1 && play_fact(&p, "shoots_again") == 1);
}

static void a_target_that_left_the_picture_is_out(void **state)
{
    (void)state;
    static struct play p;
    struct step s = { .target = { 45 }, .taw = 20 };
    start(&p, &s);
    lay_out(&p, &s, 1);
    play_say(&p, "permit", "");
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ -43, 0 });
    play_move(&p, 2, MOVED_BY_SHOT, (struct pt_in){ 0, 1 });
    play_gone(&p, 2, OFF_BOARD);
    play_rest(&p, 1, (struct pt_in){ 43, 0 }, ON_SURFACE);
    play_still(&p);
    assert_int_equal(play_fact(&p, "knocked_out"), 1);
    assert_true(play_fact(&p, "taw_in") == 0 && play_fact(&p, "shoots_again") == 0);
}

static void a_marble_that_may_be_the_taw_is_put_before_the_judge(void **state)
{
    (void)state;
    static struct play p;
    struct step s = { .target = { 45 }, .taw = 20 };
    start(&p, &s);
    struct observation doubtful = { .kind = OBS_SEEN, .id = 8, .seen = { PIECE_MARBLE, "red", false, 0.8, 0.31 } };
    play_feed(&p, doubtful);
    play_rest(&p, 8, (struct pt_in){ 0, 30 }, ON_SURFACE);
    lay_out(&p, &s, 1);
    play_still(&p);
    play_say(&p, "permit", "");
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ -43, 0 });
    play_move(&p, 8, MOVED_BY_SHOT, (struct pt_in){ 0, 30 });
    play_rest(&p, 8, (struct pt_in){ 0, 45 }, ON_SURFACE);
    play_rest(&p, 1, (struct pt_in){ 20, 0 }, ON_SURFACE);
    play_still(&p);
    const struct call *out = play_call(&p, "out");
    assert_non_null(out);
    assert_false(out->firm);
    if (!strstr(out->text, "target or taw? judge"))
        fail_msg("\"%s\"", out->text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marble_that_may_be_the_taw_is_put_before_the_judge),
        cmocka_unit_test(every_situation),
        cmocka_unit_test(a_target_moved_by_hand_is_put_back),
        cmocka_unit_test(the_taw_is_the_shooter_even_when_a_target_was_seen_to_move_first),
        cmocka_unit_test(a_target_that_left_the_picture_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
