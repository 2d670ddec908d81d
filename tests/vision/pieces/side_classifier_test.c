// SPDX-License-Identifier: MIT
// As many sides as there are paints, whatever light and gloss do to them, each by a name that a person would give it;
// and a piece that ran is named by its paint, though the board shows through its blur.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/near.h"
#include "vision/pieces/side_classifier.h"

enum { MOST = 10, ALL_SIDES = SIDES_MOST };

struct row {
    const char *says;
    enum piece_kind kind;
    int pieces;
    double lab[MOST][3];
    int side[MOST];              // which paint it truly is
    const char *name[ALL_SIDES]; // of the paints; NULL past the last
};

static const struct row rows[] = {
    { "one paint in light and shade is one side",
      PIECE_DISC,
      4,
      { { 45, 50, 30 }, { 52, 46, 28 }, { 36, 42, 25 }, { 48, 49, 27 } },
      { 0, 0, 0, 0 },
      { "red" } },
    { "a lamp on black gloss makes no third colour of it",
      PIECE_RING,
      5,
      { { 22, 0, 0 }, { 35, 0, 1 }, { 48, -1, 2 }, { 82, 2, 24 }, { 80, 3, 23 } },
      { 0, 0, 0, 1, 1 },
      { "black", "natural" } },
    { "four colours of rings, some with gloss on them",
      PIECE_RING,
      8,
      { { 46, 51, 34 },
        { 56, 40, 25 },
        { 52, -38, 25 },
        { 61, -31, 21 },
        { 96, 1, 4 },
        { 90, 0, 3 },
        { 18, 0, 1 },
        { 26, 0, 1 } },
      { 0, 0, 1, 1, 2, 2, 3, 3 },
      { "red", "green", "white", "black" } },
    { "white is white by a lamp, and where it is too bright for the camera",
      PIECE_DISC,
      4,
      { { 99, -5, 14 }, { 87, -1, 14 }, { 96, -6, 13 }, { 22, 1, 5 } },
      { 0, 0, 0, 1 },
      { "white", "black" } },
    { "white is white in a dim room",
      PIECE_DISC,
      3,
      { { 62, -1, 3 }, { 68, -1, 3 }, { 39, -30, 17 } },
      { 0, 0, 1 },
      { "white", "green" } },
    { "wood is natural by daylight and by a lamp",
      PIECE_DISC,
      3,
      { { 55, 21, 53 }, { 58, 21, 52 }, { 25, -1, 4 } },
      { 0, 0, 1 },
      { "natural", "black" } },
    { "yellow paint is no wood", PIECE_DISC, 2, { { 80, -7, 50 }, { 89, -9, 75 } }, { 0, 0 }, { "yellow" } },
    { "two woods have two names",
      PIECE_DISC,
      4,
      { { 58, 10, 24 }, { 57, 10, 23 }, { 87, 2, 20 }, { 88, 2, 20 } },
      { 0, 0, 1, 1 },
      { "dark natural", "light natural" } },
    { "discs have two sides: what is a third colour goes with the one most like it",
      PIECE_DISC,
      5,
      { { 45, 50, 30 }, { 46, 50, 31 }, { 20, 0, 0 }, { 21, 0, 0 }, { 62, 32, 65 } },
      { 0, 0, 1, 1, 0 },
      { "red", "black" } },
};

static void sides_are_the_paints_there_are(void **state)
{
    (void)state;
    for (size_t r = 0; r < countof(rows); r++) {
        const struct row *row = &rows[r];
        struct detection_list list = { .count = row->pieces };
        for (int i = 0; i < row->pieces; i++) {
            list.piece[i].kind = row->kind;
            memcpy(list.piece[i].lab, row->lab[i], sizeof row->lab[i]);
        }
        sides_tell_apart(&list, &tuning_defaults.appearance);
        for (int i = 0; i < row->pieces; i++)
            if (strcmp(list.piece[i].colour, row->name[row->side[i]]) != 0)
                fail_msg("%s: piece %d is called %s, not %s", row->says, i, list.piece[i].colour,
                         row->name[row->side[i]]);
    }
    printf("%zu rows\n", countof(rows));
}

// Seen at a slant a glossy black face may be as light as any, but the wood beside it is lighter, and white paint is
// lighter than wood.
static void black_that_mirrors_a_lamp_is_darker_than_its_board(void **state)
{
    (void)state;
    static const struct {
        double lab[3], ground_l;
        const char *name;
    } face[] = {
        { { 55, 1, -5 }, 92, "black" },   { { 69, -3, 5 }, 92, "black" },
        { { 94, 0, 3 }, 92, "white" },    { { 80, 0, 3 }, 88, "white" }, // in some shade
        { { 68, 2, 16 }, 95, "natural" }, { { 90, 2, 16 }, 88, "white" },
        { { 69, -3, 5 }, 40, "white" },   { { 69, -3, 5 }, 0, "white" }, // nothing is known of the board
        { { 30, 0, 3 }, 20, "black" },    { { 45, 50, 30 }, 92, "red" },
    };
    for (size_t i = 0; i < countof(face); i++) {
        struct detection_list list = { .count = 1 };
        list.piece[0] = (struct detection){ .kind = PIECE_DISC, .ground_l = face[i].ground_l };
        memcpy(list.piece[0].lab, face[i].lab, sizeof face[i].lab);
        sides_tell_apart(&list, &tuning_defaults.appearance);
        if (strcmp(list.piece[0].colour, face[i].name) != 0)
            fail_msg("face %zu is called %s, not %s", i, list.piece[0].colour, face[i].name);
    }
}

static void one_white_piece_in_a_hands_shadow_makes_no_black_side(void **state)
{
    (void)state;
    static const double l[] = { 95, 74, 94 };
    struct detection_list list = { .count = countof(l) };
    for (size_t i = 0; i < countof(l); i++)
        list.piece[i] = (struct detection){ .kind = PIECE_DISC, .ground_l = 90, .lab = { l[i], 0, 3 }, .certainty = 1 };
    sides_tell_apart(&list, &tuning_defaults.appearance);
    for (int i = 0; i < list.count; i++)
        assert_string_equal(list.piece[i].colour, "white");
}

// A board half of which lies in the sun, and one of dark wood by a weak lamp that the camera did not make up for.
static void sides_are_told_by_the_light_that_lies_on_the_board(void **state)
{
    (void)state;
    static const struct {
        double lab[3], ground_l;
        int side;
    } sun_and_shade[] = { { { 50.4, 50.9, 28.5 }, 67.4, 0 }, { { 47.2, 50.5, 29.5 }, 62.5, 0 },
                          { { 25.4, 33.0, 19.5 }, 49.6, 0 }, { { 24.6, 32.6, 18.8 }, 45.3, 0 },
                          { { 24.2, 31.6, 18.4 }, 52.1, 0 }, { { 91.5, 2.5, 2.6 }, 76.8, 1 },
                          { { 52.6, 2.0, 1.2 }, 47.5, 1 },   { { 50.3, 1.8, 1.2 }, 52.8, 1 },
                          { { 52.3, 1.8, 1.4 }, 53.8, 1 } },
      weak_lamp[] = {
          { { 42, 0, 2 }, 20, 1 }, { { 40, 0, 2 }, 19, 1 }, { { 5, 0, 0 }, 20, 0 }, { { 7, 0, 0 }, 19, 0 }
      };
    struct detection_list half = { .count = countof(sun_and_shade) }, dark = { .count = countof(weak_lamp) };
    for (int i = 0; i < half.count; i++) {
        half.piece[i] = (struct detection){ .kind = PIECE_DISC, .certainty = 1, .ground_l = sun_and_shade[i].ground_l };
        memcpy(half.piece[i].lab, sun_and_shade[i].lab, sizeof half.piece[i].lab);
    }
    for (int i = 0; i < dark.count; i++) {
        dark.piece[i] = (struct detection){ .kind = PIECE_DISC, .certainty = 1, .ground_l = weak_lamp[i].ground_l };
        memcpy(dark.piece[i].lab, weak_lamp[i].lab, sizeof dark.piece[i].lab);
    }
    sides_tell_apart(&half, &tuning_defaults.appearance);
    for (int i = 0; i < half.count; i++) {
        assert_string_equal(half.piece[i].colour, sun_and_shade[i].side ? "white" : "red");
        assert_true(half.piece[i].lab[0] == sun_and_shade[i].lab[0]); // what was seen stays as it was seen
    }
    sides_tell_apart(&dark, &tuning_defaults.appearance);
    for (int i = 0; i < dark.count; i++)
        assert_string_equal(dark.piece[i].colour, weak_lamp[i].side ? "white" : "black");
}

static void nothing_has_no_sides(void **state)
{
    (void)state;
    struct detection_list list = { .count = 0 };
    int side[MAX_PIECES];
    assert_int_equal(sides_group(side, &list, &tuning_defaults.appearance), 0);
    sides_tell_apart(&list, &tuning_defaults.appearance);
}

static double apart(const double a[3], const double b[3])
{
    return side_paints_apart(a, b, &tuning_defaults.appearance);
}

// What light can do to a paint counts less than what it cannot, though L*a*b* says the contrary.
static void light_and_gloss_are_forgiven_and_other_paint_is_not(void **state)
{
    (void)state;
    static const double red[3] = { 45, 50, 30 }, red_in_shade[3] = { 36, 42, 26 }, brown[3] = { 42, 38, 40 };
    static const double natural[3] = { 82, 2, 24 }, glossy_black[3] = { 60, -1, 2 }, black[3] = { 22, 0, 0 };
    assert_true(apart(red, red_in_shade) < 2.5);
    assert_true(apart(red, brown) > 3);
    assert_true(apart(black, glossy_black) < apart(natural, glossy_black) / 2);
    assert_near(apart(red, brown), apart(brown, red), 1e-9);
}

static const double WOOD[3] = { 85, 4, 24 };

static struct detection piece_of(const char *colour, double l, double a, double b)
{
    struct detection p = { .kind = PIECE_DISC, .lab = { l, a, b } };
    snprintf(p.colour, sizeof p.colour, "%s", colour);
    return p;
}

static struct side_colours red_and_black(void)
{
    struct side_colours known = { .count = 0 };
    struct detection red = piece_of("red", 58, 22, 23), black = piece_of("black", 30, 2, 4);
    side_colours_remember(&known, &red, tuning_defaults.track.piece_sure);
    side_colours_remember(&known, &black, tuning_defaults.track.piece_sure);
    return known;
}

static void a_blurred_piece_is_named_by_what_it_is_mixed_of(void **state)
{
    (void)state;
    struct side_colours known = red_and_black();
    struct detection ran = piece_of("natural", 53, 3, 15); // mostly black: its own colour is nearer to that red
    side_colours_name_mixed(&known, &ran, WOOD, INFINITY, 20);
    assert_string_equal(ran.colour, "black");
    ran = piece_of("natural", 70, 14, 24);
    side_colours_name_mixed(&known, &ran, WOOD, INFINITY, 20);
    assert_string_equal(ran.colour, "red");
}

// Half of a white marble's lightness and almost nothing of its hue, on a blue carpet: footage has one chroma for two
// pixels.
static void what_is_narrow_shows_its_lightness_before_its_hue(void **state)
{
    (void)state;
    static const double CARPET[3] = { 32, 3, -16 };
    struct side_colours known = { .count = 0 };
    struct detection white = piece_of("white", 67, 2, 9), red = piece_of("red", 30, 41, 27);
    side_colours_remember(&known, &white, tuning_defaults.track.piece_sure);
    side_colours_remember(&known, &red, tuning_defaults.track.piece_sure);
    struct detection ran = piece_of("unknown", 56, 1, -12);
    side_colours_name_mixed(&known, &ran, CARPET, INFINITY, 20);
    assert_string_equal(ran.colour, "white");
    ran = piece_of("unknown", 31, 20, 3); // of a red one that is as dark as the carpet there is its hue alone
    side_colours_name_mixed(&known, &ran, CARPET, INFINITY, 20);
    assert_string_equal(ran.colour, "red");
    ran = piece_of("unknown", 56, 1, -45); // bluer than the carpet
    side_colours_name_mixed(&known, &ran, CARPET, INFINITY, 20);
    assert_string_equal(ran.colour, "unknown");
}

// Red and black are more alike there than either and what the board mirrors of the red one.
static void a_doubtful_piece_makes_no_side_and_lends_none_its_colour(void **state)
{
    (void)state;
    struct detection_list list = {
        .count = 3, .piece = { piece_of("", 60, 24, 8), piece_of("", 38, 2, 3), piece_of("", 90, 6, 40) }
    };
    list.piece[0].certainty = list.piece[1].certainty = 0.95;
    list.piece[2].certainty = 0.8;
    sides_tell_apart(&list, &tuning_defaults.appearance);
    assert_string_equal(list.piece[0].colour, "red");
    assert_string_equal(list.piece[1].colour, "black");
    list.piece[2].certainty = 0.95; // two sides there are at most
    sides_tell_apart(&list, &tuning_defaults.appearance);
    assert_string_equal(list.piece[0].colour, list.piece[1].colour);
}

// Between the fingers that put it down a disc lies in their shadow, and some of it is skin.
static void a_sides_colour_is_that_of_one_that_surely_lies_there(void **state)
{
    (void)state;
    static const double certain = 0.9;
    struct side_colours known = { .count = 0 };
    struct detection held = piece_of("white", 68, 10, 24), lies = piece_of("white", 90, -1, 12);
    held.certainty = 0.89;
    lies.certainty = 0.99;
    side_colours_remember(&known, &held, certain); // better than none
    assert_true(known.colour[0].lab[0] == held.lab[0]);
    side_colours_remember(&known, &lies, certain);
    side_colours_remember(&known, &held, certain);
    assert_true(known.count == 1 && known.colour[0].lab[0] == lies.lab[0]);
    lies.lab[0] = 70; // in the evening
    side_colours_remember(&known, &lies, certain);
    assert_true(known.colour[0].lab[0] == 70);
}

static void what_is_no_mixture_keeps_its_name(void **state)
{
    (void)state;
    struct side_colours known = red_and_black();
    struct detection blue = piece_of("blue", 45, 5, -40), white = piece_of("white", 97, 0, 5);
    side_colours_name_mixed(&known, &blue, WOOD, INFINITY, 20);
    assert_string_equal(blue.colour, "blue");
    side_colours_name_mixed(&known, &white, WOOD, INFINITY, 20);
    assert_string_equal(white.colour, "white");
}

// A brown one, blurred so far that its colour is near the board's, and so near every mixture with the board.
static void what_is_mostly_board_is_no_other_paint(void **state)
{
    (void)state;
    struct side_colours known = { .count = 0 };
    struct detection purple = piece_of("purple", 36, 35, -35), ran = piece_of("unknown", 65, 6, 20);
    side_colours_remember(&known, &purple, tuning_defaults.track.piece_sure);
    side_colours_name_mixed(&known, &ran, WOOD, INFINITY, 20);
    assert_string_equal(ran.colour, "unknown");
    struct detection same = piece_of("unknown", WOOD[0], WOOD[1], WOOD[2]);
    side_colours_name_mixed(&known, &same, WOOD, INFINITY, 20);
    assert_string_equal(same.colour, "unknown");
}

static struct detection marble_of(const char *colour, double l, double a, double b, bool taw, double certainty)
{
    struct detection p = piece_of(colour, l, a, b);
    p.kind = PIECE_MARBLE;
    p.taw = taw;
    p.certainty = certainty;
    return p;
}

// A taw that is seen only while it runs is one: no target has its paint. Of a paint that both have nothing is known.
static void a_marble_that_ran_is_what_those_of_its_paint_were(void **state)
{
    (void)state;
    struct side_colours known = { .count = 0 };
    struct detection taw = marble_of("red", 45, 55, 35, true, 0.99), target = marble_of("black", 15, 0, 0, false, 0.95);
    side_colours_remember(&known, &taw, tuning_defaults.track.piece_sure);
    side_colours_remember(&known, &target, tuning_defaults.track.piece_sure);
    struct detection ran = marble_of("unknown", 60, 28, 30, false, 0.5);
    side_colours_name_mixed(&known, &ran, WOOD, INFINITY, 20);
    assert_string_equal(ran.colour, "red");
    assert_true(ran.taw && ran.certainty == 0.99);
    struct detection lies = marble_of("red", 70, 50, 30, false, 0.58);
    side_colours_take_taw(&known, &lies);
    assert_true(lies.taw && lies.certainty == 0.99);
    lies = marble_of("red", 46, 53, 33, false, 0.995); // by its size: surer than by its paint
    side_colours_take_taw(&known, &lies);
    assert_true(!lies.taw && lies.certainty == 0.995);
    lies = marble_of("black", 46, 53, 33, true, 0.58); // so are targets called
    side_colours_take_taw(&known, &lies);
    assert_true(lies.taw && lies.certainty == 0.58);
    target = marble_of("red", 45, 55, 35, false, 0.9);
    side_colours_remember(&known, &target, tuning_defaults.track.piece_sure);
    ran = marble_of("unknown", 60, 28, 30, false, 0.5);
    side_colours_name_mixed(&known, &ran, WOOD, INFINITY, 20);
    assert_string_equal(ran.colour, "red");
    assert_true(!ran.taw && ran.certainty == 0.5);
    side_colours_take_taw(&known, &ran);
    assert_true(!ran.taw && ran.certainty == 0.5);
    ran = marble_of("unknown", 45, 4, 14, false,
                    0.5); // black or blue over wood: where only targets are black it is no target yet
    side_colours_name_mixed(&known, &ran, WOOD, INFINITY, 20);
    assert_string_equal(ran.colour, "unknown");
    assert_true(ran.certainty == 0.5);
}

static void a_resting_piece_takes_the_nearest_paint(void **state)
{
    (void)state;
    struct side_colours known = red_and_black();
    struct detection dim = piece_of("grey", 40, 2, 5);
    side_colours_name(&known, &dim, 20);
    assert_string_equal(dim.colour, "black");
}

// A yellow taw on a pale carpet, and the shade beside it in the same patch: it is one of the areas that it ran over in
// the exposure, which is less than what its colour alone would make of it. Of half an area it may be anything.
static void what_is_smeared_has_its_paint_over_its_areas(void **state)
{
    (void)state;
    static const double CARPET[3] = { 77, -1, 15 };
    struct side_colours known = { .count = 0 };
    struct detection yellow = marble_of("yellow", 68, -5, 60, true, 1);
    side_colours_remember(&known, &yellow, tuning_defaults.track.piece_sure);
    static const struct {
        double areas;
        const char *is;
    } spread[] = { { INFINITY, "unknown" }, { 3, "yellow" }, { 1.5, "unknown" } };
    for (size_t i = 0; i < countof(spread); i++) {
        struct detection ran = marble_of("unknown", 75, 4, 20, true, 0.5);
        side_colours_name_mixed(&known, &ran, CARPET, spread[i].areas, 20);
        if (strcmp(ran.colour, spread[i].is) != 0)
            fail_msg("over %.1f areas: %s", spread[i].areas, ran.colour);
    }
}

// Far from the lamp a carpet is half as bright, and so is the marble on it. A board's colours differ by themselves.
static void on_a_carpet_what_ran_is_known_in_less_light(void **state)
{
    (void)state;
    static const double NEAR_L = 60, DIM[3] = { 40, 2, 1 };
    for (int marble = 0; marble < 2; marble++) {
        struct side_colours known = { .count = 0 };
        struct detection red = marble_of("red", 41, 54, 39, true, 1), ran = marble_of("unknown", 27, 40, 29, true, 0.5);
        red.ground_l = NEAR_L;
        red.kind = ran.kind = marble ? PIECE_MARBLE : PIECE_DISC;
        side_colours_remember(&known, &red, tuning_defaults.track.piece_sure);
        side_colours_name_mixed(&known, &ran, DIM, 1, 5);
        assert_string_equal(ran.colour, marble ? "red" : "unknown");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_the_paints_there_are),
        cmocka_unit_test(black_that_mirrors_a_lamp_is_darker_than_its_board),
        cmocka_unit_test(one_white_piece_in_a_hands_shadow_makes_no_black_side),
        cmocka_unit_test(sides_are_told_by_the_light_that_lies_on_the_board),
        cmocka_unit_test(nothing_has_no_sides),
        cmocka_unit_test(light_and_gloss_are_forgiven_and_other_paint_is_not),
        cmocka_unit_test(a_blurred_piece_is_named_by_what_it_is_mixed_of),
        cmocka_unit_test(what_is_narrow_shows_its_lightness_before_its_hue),
        cmocka_unit_test(a_doubtful_piece_makes_no_side_and_lends_none_its_colour),
        cmocka_unit_test(a_sides_colour_is_that_of_one_that_surely_lies_there),
        cmocka_unit_test(what_is_no_mixture_keeps_its_name),
        cmocka_unit_test(what_is_mostly_board_is_no_other_paint),
        cmocka_unit_test(a_marble_that_ran_is_what_those_of_its_paint_were),
        cmocka_unit_test(a_resting_piece_takes_the_nearest_paint),
        cmocka_unit_test(what_is_smeared_has_its_paint_over_its_areas),
        cmocka_unit_test(on_a_carpet_what_ran_is_known_in_less_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
