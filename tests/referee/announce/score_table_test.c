// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "referee/announce/score_table.h"
#include "referee/games/games.h"
#include "tests/cmocka.h"

enum { WIDTH = 640, HEIGHT = 480 };

static struct match match;
static struct amendments amended;

static const struct score_table *standing(int twenties, int to_shoot)
{
    static struct score_table t;
    match_begin(&match, games_find("crokinole"), board_builtin("crokinole-nca"), NULL, &amended);
    match.now.sides = 2;
    match.now.to_shoot = to_shoot;
    match.now.round = 3;
    strcpy(match.now.side[0].seat.colour, "red");
    strcpy(match.now.side[1].seat.colour, "black");
    strcpy(match.now.side[0].seat.name, "Home");
    strcpy(match.now.side[1].seat.name, "Away");
    match.now.side[0].twenties = twenties;
    match.now.side[1].score = 125;
    score_table_of(&t, &match);
    return &t;
}

static void the_table_says_how_the_match_stands(void **state)
{
    (void)state;
    const struct score_table *t = standing(4, 1);
    assert_string_equal(t->title, "Crokinole   round 3");
    assert_int_equal(t->rows, 2);
    assert_int_equal(t->columns, 3);
    assert_string_equal(t->head[0], "20s");
    assert_string_equal(t->row[0].name, "Home");
    assert_string_equal(t->row[0].cell[0], "4");
    assert_string_equal(t->row[1].cell[2], "125");
    assert_false(t->row[0].plays);
    assert_true(t->row[1].plays);
    assert_string_equal(t->foot, "");
    match.now.over = true;
    match.now.winner = 1;
    struct score_table end;
    score_table_of(&end, &match);
    assert_string_equal(end.title, "Crokinole");
    assert_string_equal(end.foot, "Away wins");
    assert_false(end.row[1].plays);
}

static void games_won_have_a_column_and_a_draw_is_told(void **state)
{
    (void)state;
    struct score_table t = *standing(4, 0);
    assert_int_equal(t.columns, 3);
    match.now.side[1].games = 2;
    score_table_of(&t, &match);
    assert_int_equal(t.columns, 4);
    assert_string_equal(t.head[2], "games");
    assert_string_equal(t.row[0].cell[2], "0");
    assert_string_equal(t.row[1].cell[2], "2");
    assert_string_equal(t.row[1].cell[3], "125");
    match.now.owed = 1;
    score_table_of(&t, &match);
    assert_string_equal(t.foot, "1 must come off or go back");
    match.now.over = true;
    match.now.winner = -1;
    score_table_of(&t, &match);
    assert_string_equal(t.foot, "drawn");
    assert_false(t.row[0].plays);
}

static void points_that_may_be_others_say_which(void **state)
{
    (void)state;
    char cell[SCORE_CELL_MAX];
    score_cell_points(cell, (struct points){ 20, 20, 20 });
    assert_string_equal(cell, "20");
    score_cell_points(cell, (struct points){ 115, 105, 120 });
    assert_string_equal(cell, "115 (105-120)");
}

static struct frame *drawn(const struct score_table *t, double *w, double *h)
{
    struct frame *f;
    struct fail why = { .text = "" };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    memset(f->bgr, 128, 3 * WIDTH * HEIGHT);
    assert_int_equal(score_table_size(w, h, f, t, &why), 0);
    assert_int_equal(score_table_draw(f, t, (struct pt_px){ 30, 40 }, &why), 0);
    return f;
}

static void it_is_as_large_as_it_says_and_shows_the_sides_colours(void **state)
{
    (void)state;
    double w, h;
    struct frame *f = drawn(standing(4, 1), &w, &h);
    struct ink red = paint_ink("red");
    int reds = 0, white = 0;
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            const uint8_t *p = f->bgr + 3 * (v * WIDTH + u);
            bool inside = u > 29 && v > 39 && u < 31 + w && v < 41 + h, touched = p[0] != 128 || p[1] != 128;
            if (touched && !inside)
                fail_msg("beside the table, at %d, %d", u, v);
            reds += abs(p[0] - red.b) < 4 && abs(p[1] - red.g) < 4 && abs(p[2] - red.r) < 4;
            white += p[0] > 240 && p[1] > 240 && p[2] > 240;
        }
    assert_true(reds > 20);
    assert_true(white > 100); // letters
    assert_true(w > 100 && h > 60 && w < WIDTH / 2.0);
    frame_free(f);
}

static void what_changes_is_seen(void **state)
{
    (void)state;
    double w, h;
    struct frame *before = drawn(standing(4, 1), &w, &h), *turn = drawn(standing(4, 0), &w, &h),
                 *twenty = drawn(standing(5, 1), &w, &h);
    assert_true(memcmp(before->bgr, turn->bgr, 3 * WIDTH * HEIGHT) != 0);
    assert_true(memcmp(before->bgr, twenty->bgr, 3 * WIDTH * HEIGHT) != 0);
    frame_free(before);
    frame_free(turn);
    frame_free(twenty);
}

static void a_long_name_does_not_hide_the_board(void **state)
{
    (void)state;
    double w, h;
    struct score_table t = *standing(4, 1);
    memset(t.row[0].name, 'W', sizeof t.row[0].name - 1);
    memcpy(t.row[1].name,
           "\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96"
           "\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96\xc3\x96",
           45);
    struct frame *f = drawn(&t, &w, &h);
    assert_true(w < 0.45 * WIDTH);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_says_how_the_match_stands),
        cmocka_unit_test(games_won_have_a_column_and_a_draw_is_told),
        cmocka_unit_test(points_that_may_be_others_say_which),
        cmocka_unit_test(it_is_as_large_as_it_says_and_shows_the_sides_colours),
        cmocka_unit_test(what_changes_is_seen),
        cmocka_unit_test(a_long_name_does_not_hide_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
