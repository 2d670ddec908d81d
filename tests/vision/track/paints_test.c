// SPDX-License-Identifier: MIT
// A piece that ran is named by its paint, though the board shows through its blur.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "vision/track/paints.h"

static const double WOOD[3] = { 85, 4, 24 };

static struct detection piece_of(const char *colour, double l, double a, double b)
{
    struct detection p = { .kind = PIECE_DISC, .lab = { l, a, b } };
    snprintf(p.colour, sizeof p.colour, "%s", colour);
    return p;
}

static struct paints red_and_black(void)
{
    struct paints paints = { .count = 0 };
    struct detection red = piece_of("red", 58, 22, 23), black = piece_of("black", 30, 2, 4);
    paints_remember(&paints, &red);
    paints_remember(&paints, &black);
    return paints;
}

static void a_blurred_piece_is_named_by_what_it_is_mixed_of(void **state)
{
    (void)state;
    struct paints paints = red_and_black();
    struct detection ran = piece_of("natural", 53, 3, 15); // mostly black: its own colour is nearer to that red
    paints_name_mixed(&paints, &ran, WOOD, 20);
    assert_string_equal(ran.colour, "black");
    ran = piece_of("natural", 70, 14, 24);
    paints_name_mixed(&paints, &ran, WOOD, 20);
    assert_string_equal(ran.colour, "red");
}

static void what_is_no_mixture_keeps_its_name(void **state)
{
    (void)state;
    struct paints paints = red_and_black();
    struct detection blue = piece_of("blue", 45, 5, -40), white = piece_of("white", 97, 0, 5);
    paints_name_mixed(&paints, &blue, WOOD, 20);
    assert_string_equal(blue.colour, "blue");
    paints_name_mixed(&paints, &white, WOOD, 20);
    assert_string_equal(white.colour, "white");
}

static void a_resting_piece_takes_the_nearest_paint(void **state)
{
    (void)state;
    struct paints paints = red_and_black();
    struct detection dim = piece_of("grey", 40, 2, 5);
    paints_name(&paints, &dim, 20);
    assert_string_equal(dim.colour, "black");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blurred_piece_is_named_by_what_it_is_mixed_of),
        cmocka_unit_test(what_is_no_mixture_keeps_its_name),
        cmocka_unit_test(a_resting_piece_takes_the_nearest_paint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
