// SPDX-License-Identifier: MIT
// The booklet's Crokinole from a table of situations: circles of 75, 150 and 225 mm with lines 1 mm wide, rings of 15 mm
// radius. Red is A, green is B; a1 is piece 1, b1 is piece 11.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/referee/play.h"

enum { WORDS_MAX = 256, RINGS = 6, HOLE = -1, B1 = 11 };

static const double MM = 1 / 25.4; // inches

struct step {
    const char *situation; // first step: a new round
    int start[2], left[2]; // scores; rings still to be shot
    int ring;              // 1.. of A, 11.. of B
    double rest;           // mm from the centre, or HOLE
    int moved;             // a ring that the shot displaced, 0: none
    double moved_to;       // where to
    bool set_aside;        // a hand takes the shot ring away afterwards
    const char *calls;
    int score[2];
    int next; // -1: the game is over
};

static const struct step steps[] = {
    { .situation = "B01 zones at the end of a round",
      .left = { 2, 2 },
      .ring = 1,
      .rest = 50,
      .calls = "5",
      .next = 1 },
    { .ring = B1, .rest = 120, .calls = "3", .next = 0 },
    { .ring = 2, .rest = 200, .calls = "2", .next = 1 },
    { .ring = B1 + 1, .rest = 58, .calls = "5 round", .score = { 7, 8 }, .next = 1 },

    { .situation = "B02 a line touch goes to the lower area",
      .left = { 1, 1 },
      .ring = 1,
      .rest = 59.6,
      .calls = "3",
      .next = 1 },
    { .ring = B1, .rest = 59.4, .calls = "5 round", .score = { 3, 5 }, .next = 1 },

    { .situation = "B03 touching the outer line is ditched",
      .left = { 1, 1 },
      .ring = 1,
      .rest = 209.6,
      .calls = "ditch",
      .next = 1 },
    { .ring = B1, .rest = 209.4, .calls = "2 round", .score = { 0, 2 }, .next = 1 },

    { .situation = "B04 ten at once, not scored twice",
      .left = { 1, 1 },
      .ring = 1,
      .rest = HOLE,
      .calls = "ten",
      .score = { 10, 0 },
      .next = 1 },
    { .ring = B1, .rest = 100, .calls = "3 round", .score = { 10, 3 }, .next = 1 },

    { .situation = "B05 a credited ten dislodged keeps its credit",
      .left = { 1, 1 },
      .ring = 1,
      .rest = HOLE,
      .calls = "ten",
      .score = { 10, 0 },
      .next = 1 },
    { .ring = B1, .rest = 40, .moved = 1, .moved_to = 110, .calls = "5 3 round", .score = { 13, 5 }, .next = 1 },

    { .situation = "B06 needing 10 it is held until the round ends",
      .start = { 90, 60 },
      .left = { 1, 1 },
      .ring = 1,
      .rest = HOLE,
      .calls = "ten-held",
      .score = { 90, 60 },
      .next = 1 },
    { .ring = B1, .rest = 100, .calls = "3 round game", .score = { 100, 63 }, .next = -1 },

    { .situation = "B07 a held ten knocked out is lost",
      .start = { 92, 60 },
      .left = { 1, 1 },
      .ring = 1,
      .rest = HOLE,
      .calls = "ten-held",
      .score = { 92, 60 },
      .next = 1 },
    { .ring = B1,
      .rest = 30,
      .moved = 1,
      .moved_to = 100,
      .calls = "5 ten-lost 3 round",
      .score = { 95, 65 },
      .next = 1 },

    { .situation = "B08 needing 11 it still counts at once",
      .start = { 89, 0 },
      .left = { 1, 1 },
      .ring = 1,
      .rest = HOLE,
      .calls = "ten",
      .score = { 99, 0 },
      .next = 1 },
    { .ring = B1, .rest = 300, .calls = "ditch round", .score = { 99, 0 }, .next = 1 },

    { .situation = "B09 an own ring knocked out", .left = { 2, 1 }, .ring = 1, .rest = 50, .calls = "5", .next = 1 },
    { .ring = B1, .rest = 130, .calls = "3", .next = 0 },
    { .ring = 2, .rest = 140, .moved = 1, .moved_to = 260, .calls = "2 ditch round", .score = { 2, 3 }, .next = 1 },

    { .situation = "B10 knocked into the hole it counts for its owner",
      .start = { 20, 20 },
      .left = { 1, 1 },
      .ring = 1,
      .rest = 60,
      .calls = "3",
      .score = { 20, 20 },
      .next = 1 },
    { .ring = B1, .rest = 66, .moved = 1, .moved_to = HOLE, .calls = "3 ten round", .score = { 30, 23 }, .next = 1 },

    { .situation = "B11 out of turn; a miss is no foul",
      .left = { 1, 2 },
      .ring = B1 + 8,
      .rest = 40,
      .set_aside = true,
      .calls = "not-your-turn",
      .next = 0 },
    { .ring = 1, .rest = 190, .calls = "2", .next = 1 },
    { .ring = B1, .rest = 205, .calls = "2 round", .score = { 2, 2 }, .next = 1 },

    { .situation = "B12 both pass 100: the higher wins",
      .start = { 97, 98 },
      .left = { 1, 1 },
      .ring = 1,
      .rest = 50,
      .calls = "5",
      .score = { 97, 98 },
      .next = 1 },
    { .ring = B1, .rest = 100, .calls = "3 round game", .score = { 102, 101 }, .next = -1 },
};

static struct board test_board(void)
{
    struct board b = *board_builtin("crokinole-rings-24");
    for (int i = 0; i < 3; i++)
        b.circle_in[i] = (225 - 75 * i) * MM;
    b.line_width_in = 1 * MM;
    b.piece_radius_in = 15 * MM;
    return b;
}

static void start(struct play *p, const struct step *s)
{
    struct match_setup setup = match_setup_usual(&crokinole_rings_game);
    setup.seats = SIDES;
    strcpy(setup.seat[0].colour, "red");
    strcpy(setup.seat[1].colour, "green");
    struct board b = test_board();
    play_begin(p, &crokinole_rings_game, &b, &setup);
    p->sigma_in = 0;
    for (int i = 0; i < SIDES; i++) {
        p->referee.match.now.side[i].score = s->start[i];
        p->referee.match.now.side[i].played = RINGS - s->left[i];
    }
    p->referee.match.now.to_shoot = p->referee.match.now.starter = 0;
}

// Each ring in its own direction, so that none lies on another.
static void rest_at(struct play *p, int id, double mm)
{
    struct pt_in at = { mm * MM * cos(id), mm * MM * sin(id) };
    if (mm == HOLE)
        play_rest(p, id, (struct pt_in){ 0, 0 }, IN_HOLE);
    else
        play_rest(p, id, at, ON_SURFACE);
}

static void shoot(struct play *p, const struct step *s)
{
    struct pt_in edge = { 225 * MM, 0 };
    play_seen(p, s->ring, s->ring < B1 ? "red" : "green", false);
    play_rest(p, s->ring, edge, ON_SURFACE);
    play_move(p, s->ring, MOVED_BY_SHOT, edge);
    if (s->moved) {
        play_move(p, s->moved, MOVED_BY_SHOT, edge);
        rest_at(p, s->moved, s->moved_to);
    }
    rest_at(p, s->ring, s->rest);
    play_still(p);
    if (s->set_aside)
        play_gone(p, s->ring, BY_HAND);
}

static void words(char out[WORDS_MAX], const struct play *p)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < p->last.calls.count; i++) {
        const struct call *c = &p->last.calls.call[i];
        char word[ZONE_WORD_MAX];
        zone_word(word, &c->zone);
        bool zone = strcmp(c->what, "zone") == 0 || strcmp(c->what, "ditched") == 0;
        if (strcmp(c->what, "total") != 0)
            used += (size_t)snprintf(out + used, WORDS_MAX - used, "%s%s", used ? " " : "", zone ? word : c->what);
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
        shoot(&p, s);
        words(called, &p);
        const struct standing *now = &p.referee.match.now;
        int next = now->over ? -1 : now->to_shoot;
        if (strcmp(called, s->calls) != 0 || now->side[0].score != s->score[0] || now->side[1].score != s->score[1] ||
            next != s->next)
            fail_msg("%s: step %zu: called \"%s\", score %d-%d, next %d", situation, i, called, now->side[0].score,
                     now->side[1].score, next);
    }
}

static void a_ring_moved_by_hand_is_put_back(void **state)
{
    (void)state;
    static struct play p;
    start(&p, &steps[0]);
    shoot(&p, &steps[0]);
    play_move(&p, 1, MOVED_BY_HAND, (struct pt_in){ 0, 0 });
    rest_at(&p, 1, 100);
    assert_non_null(play_call(&p, "reset"));
}

static void more_held_tens_than_can_be_counted_are_told(void **state)
{
    (void)state;
    static struct play p;
    start(&p, &(struct step){ .start = { 95, 60 }, .left = { 6, 6 } });
    for (int id = 1; id <= HELD_MAX + 1; id++) {
        play_seen(&p, id, "red", false);
        play_rest(&p, id, (struct pt_in){ 225 * MM, 0 }, ON_SURFACE);
        play_move(&p, id, MOVED_BY_SHOT, (struct pt_in){ 225 * MM, 0 });
        rest_at(&p, id, HOLE);
    }
    play_still(&p);
    for (int i = 0; i <= HELD_MAX; i++) {
        const struct call *c = &p.last.calls.call[i];
        assert_string_equal(c->what, "ten-held");
        assert_int_equal(c->firm, i < HELD_MAX);
        assert_int_equal(strstr(c->text, "more are held than can be counted: judge") != NULL, i == HELD_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_situation),
        cmocka_unit_test(more_held_tens_than_can_be_counted_are_told),
        cmocka_unit_test(a_ring_moved_by_hand_is_put_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
