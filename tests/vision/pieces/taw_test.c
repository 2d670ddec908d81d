// SPDX-License-Identifier: MIT
// Which marble is the taw: by size, by colour, and by where targets are set up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "tests/near.h"
#include "vision/pieces/taw.h"

enum { TARGETS = 13, MARBLES = TARGETS + 1, STRAY = TARGETS };
static const struct board anywhere = { .circle_in = { 42 } }; // that says nothing of a set-up

static struct detection_list of_colours(int n, const double (*lab)[3])
{
    struct detection_list list = { .count = n };
    for (int i = 0; i < n; i++)
        memcpy(list.piece[i].lab, lab[i], sizeof lab[i]);
    return list;
}

static void the_taw_is_told_by_colour_when_the_others_agree(void **state)
{
    (void)state;
    const double one_odd[][3] = { { 40, 30, 20 }, { 42, 31, 19 }, { 39, 29, 22 }, { 40, -30, 20 }, { 41, 30, 21 } };
    const double motley[][3] = { { 40, 60, 40 }, { 30, 10, -50 }, { 60, -40, 40 }, { 40, -30, 20 }, { 80, 0, 60 } };
    struct size_seen size[5];
    for (int i = 0; i < 5; i++)
        size[i] = (struct size_seen){ 1, 0.04 };
    struct detection_list list = of_colours(5, one_odd);
    taw_find(&list, size, &anywhere, &tuning_defaults.marble);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list.piece[i].taw, i == 3);
    list = of_colours(5, motley);
    taw_find(&list, size, &anywhere, &tuning_defaults.marble);
    for (int i = 0; i < 5; i++)
        assert_false(list.piece[i].taw);
    size[1].ratio = 1.2;
    taw_find(&list, size, &anywhere, &tuning_defaults.marble);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list.piece[i].taw, i == 1);
}

static void two_marbles_tell_nothing(void **state)
{
    (void)state;
    const double two[][3] = { { 40, 30, 20 }, { 40, -30, 20 } };
    const struct size_seen size[] = { { 1, 0.04 }, { 1.2, 0.04 } };
    struct detection_list list = of_colours(2, two);
    taw_find(&list, size, &anywhere, &tuning_defaults.marble);
    for (int i = 0; i < 2; i++) {
        assert_false(list.piece[i].taw);
        assert_near(list.piece[i].certainty, 0.5, 1e-9);
    }
}

// The cross turned by some angle, and one marble off it; colours as motley as can be, sizes alike.
static struct detection_list set_up(double turn_rad, struct pt_in stray)
{
    struct detection_list list = { .count = MARBLES };
    for (int i = 0; i < MARBLES; i++) {
        double angle = turn_rad + (i % 4) * PI / 2, r = 3 * ((i + 3) / 4);
        struct detection *p = &list.piece[i];
        p->at = i == STRAY ? stray : (struct pt_in){ r * cos(angle) + 0.05, r * sin(angle) - 0.08 };
        p->cov = (struct cov_in2){ 1e-3, 0, 1e-3 };
        p->lab[0] = 50;
        p->lab[1] = 60 * cos(2.4 * i);
        p->lab[2] = 60 * sin(2.4 * i);
    }
    return list;
}

static void alike_in_size(struct size_seen size[MARBLES])
{
    for (int i = 0; i < MARBLES; i++)
        size[i] = (struct size_seen){ 1, 0.04 };
}

static void who_stands_on_the_cross_is_a_target(void **state)
{
    (void)state;
    struct size_seen size[MARBLES];
    alike_in_size(size);
    for (double turn = 0; turn < PI / 2; turn += 0.11) {
        struct detection_list list = set_up(turn, (struct pt_in){ 20, -31 });
        taw_find(&list, size, board_builtin("ring-7ft"), &tuning_defaults.marble);
        for (int i = 0; i < MARBLES; i++) {
            assert_int_equal(list.piece[i].taw, i == STRAY);
            assert_true(list.piece[i].certainty > 0.99);
        }
        taw_find(&list, size, &anywhere, &tuning_defaults.marble);
        assert_true(list.piece[STRAY].certainty < 0.99);
    }
}

// Two off the cross, and nothing else tells them apart.
static void what_the_cross_does_not_tell_stays_in_doubt(void **state)
{
    (void)state;
    struct size_seen size[MARBLES];
    struct detection_list list = set_up(0.4, (struct pt_in){ 20, -31 });
    alike_in_size(size);
    list.piece[7].at = (struct pt_in){ -12, 33 };
    taw_find(&list, size, board_builtin("ring-7ft"), &tuning_defaults.marble);
    for (int i = 0; i < MARBLES; i++) {
        bool off = i == STRAY || i == 7;
        assert_true(off ? list.piece[i].certainty < 0.7 : list.piece[i].certainty > 0.99);
    }
}

static void places_tell_only_where_the_board_knows_of_a_set_up(void **state)
{
    (void)state;
    double odds[MAX_PIECES];
    struct detection_list list = set_up(1.2, (struct pt_in){ 20, -31 });
    taw_cross_odds(odds, &list, board_builtin("ring-7ft"));
    for (int i = 0; i < MARBLES; i++)
        assert_true(i == STRAY ? odds[i] > 1 : odds[i] < 0.01);
    taw_cross_odds(odds, &list, &anywhere);
    for (int i = 0; i < MARBLES; i++)
        assert_near(odds[i], 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_taw_is_told_by_colour_when_the_others_agree),
        cmocka_unit_test(two_marbles_tell_nothing),
        cmocka_unit_test(who_stands_on_the_cross_is_a_target),
        cmocka_unit_test(what_the_cross_does_not_tell_stays_in_doubt),
        cmocka_unit_test(places_tell_only_where_the_board_knows_of_a_set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
