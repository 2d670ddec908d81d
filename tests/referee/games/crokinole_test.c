// SPDX-License-Identifier: MIT
// Tournament Crokinole from a table of situations. Black is A, red is B; a1 is piece 1, b1 is piece 11.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/referee/play.h"

enum { WORDS_MAX = 256, DISCS = 8, HOLE = -1, DITCH = -2, B1 = 11 };

struct step {
    const char *situation;  // first step: a new round
    int start[2], left[2];  // match points; discs still to be shot
    int round;              // 0: the first
    const char *say, *text; // said after the shot's first motion; without a disc: between shots
    int disc;               // 1.. of A, 11.. of B; 0: only words
    double rest;            // inches from the centre, HOLE or DITCH
    int moved;              // a disc that the shot displaced, 0: none
    double moved_to;
    bool peg_first, unseen; // what the shot disc touched first
    int lifted;             // a disc that a hand takes away afterwards
    const char *calls;      // zones, and words for machines of other calls
    int points[2];          // booked from the hole in this round
    int score[2];           // match points
    int next;               // -1: the game is over
};

static const struct step steps[] = {
    { .situation = "first shot on the open board to the 15",
      .left = { 8, 8 },
      .disc = 1,
      .rest = 2,
      .calls = "15",
      .next = 1 },
    { .disc = B1, .rest = 6, .moved = 1, .moved_to = 9, .calls = "10 5", .next = 0 },
    { .disc = 2, .rest = 6, .calls = "10 no-hit", .next = 1 },
    { .disc = B1 + 1, .rest = 5, .moved = B1, .moved_to = 2, .calls = "10 15 no-hit", .next = 0 },

    { .situation = "N6 open board: touching the 15 line is enough",
      .left = { 8, 8 },
      .disc = 1,
      .rest = 4.6,
      .calls = "10",
      .next = 1 },
    { .situation = "N6 open board: short of the line",
      .left = { 8, 8 },
      .disc = 1,
      .rest = 4.8,
      .calls = "10 open-board",
      .next = 1 },
    { .situation = "N6 a ditched disc opens no board",
      .left = { 8, 8 },
      .disc = 1,
      .rest = DITCH,
      .calls = "ditch open-board",
      .next = 1 },
    { .situation = "N3 the 20 on an open board",
      .left = { 8, 8 },
      .disc = 1,
      .rest = HOLE,
      .lifted = 1,
      .calls = "20 total kept",
      .points = { 20, 0 },
      .next = 1 },

    { .situation = "N8 touching the outer line is ditched",
      .left = { 8, 8 },
      .disc = 1,
      .rest = 11.4,
      .calls = "ditch open-board",
      .next = 1 },
    { .situation = "N5 a hit through a contact that was not seen is asked of the judge",
      .left = { 8, 8 },
      .disc = 1,
      .rest = 2,
      .calls = "15",
      .next = 1 },
    { .disc = B1, .rest = 6, .unseen = true, .calls = "10 no-hit", .next = 0 },
    { .situation = "N5 a peg is no hit", .left = { 8, 8 }, .disc = 1, .rest = 2, .calls = "15", .next = 1 },
    { .disc = B1, .rest = 6, .peg_first = true, .calls = "10 no-hit", .next = 0 },

    { .situation = "N10 knocked into the hole it counts for its owner",
      .left = { 8, 8 },
      .disc = 1,
      .rest = 2,
      .calls = "15",
      .next = 1 },
    { .disc = B1,
      .rest = 3,
      .moved = 1,
      .moved_to = HOLE,
      .lifted = 1,
      .calls = "15 20 total kept",
      .points = { 20, 0 },
      .next = 0 },

    { .situation = "N7 a foul of the judge, then out of turn",
      .left = { 8, 8 },
      .say = "foul",
      .text = "chair moved",
      .disc = 1,
      .rest = 2,
      .calls = "foul 15",
      .next = 1 },
    { .disc = 2, .rest = 3, .calls = "not-your-turn 15", .next = 1 },

    { .situation = "N13 the higher total of a round gets two points",
      .left = { 1, 1 },
      .disc = 1,
      .rest = 6,
      .calls = "10 open-board",
      .next = 1 },
    { .disc = B1, .rest = 2, .moved = 1, .moved_to = 9, .calls = "15 5 round", .score = { 0, 2 }, .next = 1 },
    { .situation = "N13 a tie gives one each", .left = { 1, 1 }, .disc = 1, .rest = 2, .calls = "15", .next = 1 },
    { .disc = B1, .rest = 2.5, .moved = 1, .moved_to = 3, .calls = "15 15 round", .score = { 1, 1 }, .next = 1 },

    { .situation = "N14 the fourth round ends the game",
      .start = { 4, 2 },
      .left = { 1, 1 },
      .round = 4,
      .disc = 1,
      .rest = 2,
      .calls = "15",
      .score = { 4, 2 },
      .next = 1 },
    { .disc = B1, .rest = 6, .moved = 1, .moved_to = 3, .calls = "10 15 round game", .score = { 6, 2 }, .next = -1 },

    { .situation = "an undo takes back turn and points",
      .left = { 8, 8 },
      .disc = 1,
      .rest = HOLE,
      .calls = "20",
      .next = 1 },
    { .say = "undo", .calls = "undo", .next = 0 },
    { .situation = "a round that the judge ends", .left = { 8, 8 }, .disc = 1, .rest = 2, .calls = "15", .next = 1 },
    { .say = "round-over", .calls = "round", .score = { 2, 0 }, .next = 1 },
};

static void start(struct play *p, const struct step *s)
{
    struct match_setup setup = match_setup_usual(&crokinole_game);
    setup.seats = SIDES;
    strcpy(setup.seat[0].colour, "black");
    strcpy(setup.seat[1].colour, "red");
    struct board b = *board_builtin("crokinole-nca");
    b.line_width_in = 0.1;
    play_begin(p, &crokinole_game, &b, &setup);
    p->sigma_in = 0.005;
    for (int i = 0; i < SIDES; i++) {
        p->referee.match.now.side[i].score = s->start[i];
        p->referee.match.now.side[i].played = DISCS - s->left[i];
    }
    p->referee.match.now.round = s->round ? s->round : 1;
    p->referee.match.now.to_shoot = p->referee.match.now.starter = 0;
}

static void rest_at(struct play *p, int id, double in)
{
    struct pt_in at = { in * cos(id), in * sin(id) };
    if (in == HOLE)
        play_rest(p, id, (struct pt_in){ 0, 0 }, IN_HOLE);
    else if (in == DITCH)
        play_rest(p, id, (struct pt_in){ 13.6, 0 }, IN_DITCH);
    else
        play_rest(p, id, at, ON_SURFACE);
}

static void touch(struct play *p, int id, enum touched what, int other)
{
    play_feed(p, (struct observation){ .kind = OBS_CONTACT, .id = id, .contact = { what, other, 0.01, { 5, 0 } } });
}

static void shoot(struct play *p, const struct step *s)
{
    struct pt_in edge = { 12, 0 };
    play_seen(p, s->disc, s->disc < B1 ? "black" : "red", false);
    play_rest(p, s->disc, edge, ON_SURFACE);
    play_move(p, s->disc, MOVED_BY_SHOT, edge);
    if (s->say)
        play_say(p, s->say, s->text);
    if (s->peg_first)
        touch(p, s->disc, TOUCHED_PEG, 0);
    if (s->unseen)
        touch(p, s->disc, TOUCHED_UNSEEN, 0);
    if (s->moved) {
        touch(p, s->disc, TOUCHED_PIECE, s->moved);
        play_move(p, s->moved, MOVED_BY_SHOT, edge);
        rest_at(p, s->moved, s->moved_to);
    }
    rest_at(p, s->disc, s->rest);
    play_still(p);
}

static void add_words(char out[WORDS_MAX], const struct play *p, bool totals)
{
    size_t used = strlen(out);
    for (int i = 0; i < p->last.calls.count; i++) {
        const struct call *c = &p->last.calls.call[i];
        char word[ZONE_WORD_MAX];
        zone_word(word, &c->zone);
        bool zone = strcmp(c->what, "zone") == 0 || strcmp(c->what, "ditched") == 0;
        if (totals || strcmp(c->what, "total") != 0)
            used += (size_t)snprintf(out + used, WORDS_MAX - used, "%s%s", used ? " " : "", zone ? word : c->what);
    }
}

static void play_step(char called[WORDS_MAX], struct play *p, const struct step *s)
{
    called[0] = '\0';
    if (s->disc)
        shoot(p, s);
    else
        play_say(p, s->say, s->text ? s->text : "");
    add_words(called, p, s->lifted > 0);
    if (s->lifted) {
        play_gone(p, s->lifted, BY_HAND);
        add_words(called, p, true);
    }
}

static bool as_wanted(const struct step *s, const struct standing *now, const char *called)
{
    bool right = strcmp(called, s->calls) == 0 && (now->over ? -1 : now->to_shoot) == s->next;
    for (int i = 0; i < SIDES; i++)
        right = right && now->side[i].score == s->score[i] && now->own.crokinole.booked[i] == s->points[i];
    return right;
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
        play_step(called, &p, s);
        const struct standing *now = &p.referee.match.now;
        if (!as_wanted(s, now, called))
            fail_msg("%s: step %zu: called \"%s\", match points %d-%d, kept %d-%d, next %d", situation, i, called,
                     now->side[0].score, now->side[1].score, now->own.crokinole.booked[0], now->own.crokinole.booked[1],
                     now->to_shoot);
    }
}

static void a_call_says_zone_margin_and_rule(void **state)
{
    (void)state;
    static struct play p;
    start(&p, &steps[0]);
    shoot(&p, &(struct step){ .disc = 1, .rest = 3.195 });
    const struct call *c = play_call(&p, "zone");
    assert_non_null(c);
    assert_string_equal(c->text, "black  15  (0.13 in inside the line)");
    assert_string_equal(c->rule, "N1");
    assert_string_equal(c->side, "black");
    assert_true(c->firm && c->measured && fabs(c->zone.verdict.margin_in - 0.13) < 1e-9);
}

static void a_close_call_says_so(void **state)
{
    (void)state;
    static struct play p;
    start(&p, &steps[0]);
    shoot(&p, &(struct step){ .disc = 1, .rest = 3.315 });
    const struct call *c = play_call(&p, "zone");
    assert_non_null(c);
    assert_false(c->firm);
    assert_non_null(strstr(c->text, "too close: judge decides"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_situation),
        cmocka_unit_test(a_call_says_zone_margin_and_rule),
        cmocka_unit_test(a_close_call_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
