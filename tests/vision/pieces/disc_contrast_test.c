// SPDX-License-Identifier: MIT
// What is seen of a place against its ground: medians of colours are those of their channels, and what is left out says
// nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/algebra.h"
#include "vision/pieces/disc_contrast.h"

// Many of them the same.
static struct noise_lab some_colour(void)
{
    struct noise_lab out = { { 0 } };
    for (int c = 0; c < 3; c++)
        out.c[c] = (float)(rand() % 40 - 20) / 7;
    return out;
}

static void a_median_of_colours_is_that_of_each_channel(void **state)
{
    (void)state;
    srand(1);
    for (int n = 1; n <= MOST_INSIDE; n++)
        for (int again = 0; again < 20; again++) {
            struct noise_lab seen[MOST_INSIDE];
            for (int i = 0; i < n; i++)
                seen[i] = some_colour();
            struct noise_lab is = noise_lab_median(seen, n);
            for (int c = 0; c < 3; c++) {
                double value[MOST_INSIDE];
                for (int i = 0; i < n; i++)
                    value[i] = (double)seen[i].c[c];
                assert_true(is.c[c] == (float)median_of(value, n));
            }
        }
}

static void see_something(struct disc_view *v)
{
    memset(v, 0, sizeof *v);
    v->tops = MOST_TOP;
    v->sides = MOST_SIDE;
    v->angles = MOST_ANGLES;
    for (int i = 0; i < v->tops; i++)
        v->top[i] = some_colour();
    for (int i = 0; i < v->sides; i++)
        v->side[i] = some_colour();
    for (int k = 0; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            v->ring[k][i] = some_colour();
}

static void nothing_left_out_is_all_of_it(void **state)
{
    (void)state;
    srand(2);
    for (int again = 0; again < 20; again++) {
        struct disc_view v;
        struct disc_contrast whole, part;
        see_something(&v);
        assert_true(disc_contrast_of(&whole, &v, true));
        v.partly = true;
        assert_true(disc_contrast_of(&part, &v, true));
        assert_memory_equal(&whole, &part, sizeof whole);
    }
}

static void what_is_left_out_changes_nothing(void **state)
{
    (void)state;
    srand(3);
    for (int again = 0; again < 20; again++) {
        struct disc_view v;
        struct disc_contrast one, other;
        see_something(&v);
        v.partly = true;
        for (int i = 3; i < 11; i++)
            for (int k = 0; k < OUTLINE_RINGS; k++)
                v.left_out[k][i] = (i + k) % 3 > 0;
        assert_true(disc_contrast_of(&one, &v, true));
        for (int k = 0; k < OUTLINE_RINGS; k++)
            for (int i = 0; i < v.angles; i++)
                if (v.left_out[k][i])
                    v.ring[k][i] = (struct noise_lab){ { 1000, 1000, 1000 } };
        assert_true(disc_contrast_of(&other, &v, true));
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void without_ground_nothing_is_said(void **state)
{
    (void)state;
    struct disc_view v;
    struct disc_contrast out;
    see_something(&v);
    v.partly = true;
    for (int k = OUTLINE_RINGS - 2; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v.angles; i++)
            v.left_out[k][i] = true;
    assert_false(disc_contrast_of(&out, &v, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_median_of_colours_is_that_of_each_channel),
        cmocka_unit_test(nothing_left_out_is_all_of_it),
        cmocka_unit_test(what_is_left_out_changes_nothing),
        cmocka_unit_test(without_ground_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
