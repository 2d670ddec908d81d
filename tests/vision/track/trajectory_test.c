// SPDX-License-Identifier: MIT
// Whose way it was, told by the motion alone: a fast marble's streak shows little of its colour.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "vision/colour.h"
#include "vision/track/arrivals.h"
#include "vision/track/association.h"
#include "vision/track/trajectory.h"

static struct motions motions = { .tuning = &tuning_defaults.track };
static const double FRAME_S = 1 / 30.0;
static const double wood[3] = { 110, 165, 200 };

static void add(double t_s, double x, double y)
{
    struct motion m = {
        .t_s = t_s, .at = { x, y }, .bgr = { 141, 135, 137 }, .reference = { 159, 157, 159 }, .pieces = 3
    };
    assert_int_equal(motions_add(&motions, &m, NULL), 0);
}

// sRGB's code of a mixture in linear light: `share` of one, the rest of the other.
static double mixed_code(double one, double other, double share)
{
    double a = pow((one / 255 + 0.055) / 1.055, 2.4), b = pow((other / 255 + 0.055) / 1.055, 2.4);
    return 255 * (1.055 * pow(share * a + (1 - share) * b, 1 / 2.4) - 0.055);
}

// A disc that is seen only in flight is no natural one, though that is what its mean over the wood looks like.
static void a_blurred_piece_has_its_own_paint(void **state)
{
    static const struct {
        double bgr[3];
        const char *name;
    } paints[] = { { { 22, 24, 26 }, "black" }, { { 35, 30, 160 }, "red" }, { { 215, 220, 222 }, "white" } };
    (void)state;
    for (size_t i = 0; i < sizeof paints / sizeof *paints; i++)
        for (double pieces = 1.5; pieces <= 3; pieces += 0.5) {
            struct motion m = { .pieces = pieces };
            double lab[3], mean[3];
            for (int c = 0; c < 3; c++) {
                m.reference[c] = wood[c];
                m.bgr[c] = mixed_code(paints[i].bgr[c], wood[c], 1 / pieces);
            }
            motion_paint(lab, &m);
            assert_string_equal(colour_name(lab), paints[i].name);
            colour_bgr_to_lab(mean, m.bgr);
            if (pieces > 2)
                assert_string_equal(colour_name(mean), "natural");
        }
    struct motion small = { .bgr = { 35, 30, 160 }, .reference = { 110, 165, 200 }, .pieces = 0.5 }; // a part of it
    double lab[3];
    motion_paint(lab, &small);
    assert_string_equal(colour_name(lab), "red");
}

// Wood of which so much is hidden by that paint, over so many areas of a piece.
static struct motion over_wood(const double bgr[3], double part, double pieces)
{
    struct motion m = { .pieces = pieces };
    for (int c = 0; c < 3; c++) {
        m.reference[c] = wood[c];
        m.bgr[c] = mixed_code(bgr[c], wood[c], part);
    }
    return m;
}

static double likeness(const struct motion *m, const double bgr[3])
{
    double lab[3];
    colour_bgr_to_lab(lab, bgr);
    return motion_likeness(m, lab, &tuning_defaults.track);
}

// While the shutter is open a fast piece is smeared over the ground: a little of its paint everywhere, all of it taken
// together. It is more like its own paint then than like another.
static void a_smear_is_like_the_paint_of_its_piece(void **state)
{
    static const double paints[][3] = { { 35, 30, 160 }, { 215, 220, 222 }, { 200, 90, 40 }, { 30, 190, 220 } };
    const double alike = tuning_defaults.track.alike_share;
    (void)state;
    for (size_t i = 0; i < countof(paints); i++)
        for (double pieces = 1; pieces <= 4; pieces += 1.5) {
            struct motion m = over_wood(paints[i], 1 / pieces, pieces);
            double own = likeness(&m, paints[i]);
            assert_true(own >= alike && own <= 1);
            for (size_t k = 0; k < countof(paints); k++)
                if (k != i && likeness(&m, paints[k]) >= own)
                    fail_msg("%zu over %.1f of its area: %.2f like itself, %.2f like %zu", i, pieces, own,
                             likeness(&m, paints[k]), k);
            m = over_wood(paints[i], 1, pieces); // it stands, and what else its patch holds has its colour
            assert_true(likeness(&m, paints[i]) <= 1 + 1e-9);
        }
}

// A wide shadow is not like black for being wide, nor wide glare like ivory. And where something else is mixed in, what
// is there is as like as it looks.
static void what_is_no_smear_is_as_like_as_it_looks(void **state)
{
    static const double black[] = { 22, 24, 26 }, ivory[] = { 150, 208, 243 }, red[] = { 35, 30, 160 };
    (void)state;
    struct motion shadow = over_wood((double[]){ 0, 0, 0 }, 0.3, 1), glare = shadow, mixed;
    for (int c = 0; c < 3; c++)
        glare.bgr[c] = 1.12 * wood[c];
    double dark = likeness(&shadow, black), light = likeness(&glare, ivory);
    assert_true(dark > 0 && light > 0);
    shadow.pieces = glare.pieces = 7;
    assert_true(likeness(&shadow, black) == dark);
    assert_true(likeness(&glare, ivory) == light);
    mixed = over_wood(red, 0.6, 1);
    mixed.bgr[0] += 25; // bluish
    double narrow = likeness(&mixed, red);
    assert_true(narrow > 0.4 && narrow < 0.9);
    mixed.pieces = 6;
    assert_true(likeness(&mixed, red) == narrow);
}

// A blue marble at (-20, 0), missed at 1.0 s; its streaks are hardly darker than the carpet.
static struct track marble(void)
{
    struct track k = { .id = 1, .piece = { .kind = PIECE_MARBLE, .at = { -20, 0 }, .radius_in = 0.31 } };
    colour_bgr_to_lab(k.piece.lab, (double[]){ 160, 60, 40 });
    k.there_until_s = 1 - FRAME_S;
    k.absent_since_s = 1;
    return k;
}

// From (-20, 0) along x, seen from 1.0 s on; 55 in/s2 slow it.
static void roll_away(double speed_in_s, int frames)
{
    motions.count = 0;
    for (int i = 0; i < frames; i++) {
        double s = fmin((i + 0.5) * FRAME_S, speed_in_s / 55);
        add(1 + i * FRAME_S, -20 + speed_in_s * s - 55 * s * s / 2, 0.02 * (i % 3));
    }
}

static void what_runs_from_its_place_is_the_piece(void **state)
{
    (void)state;
    struct track k = marble();
    struct trajectory p;
    roll_away(90, 30);
    assert_ptr_equal(trajectory_leaves(&motions, &k), &motions.item[0]);
    trajectory_follow(&p, &motions, &k);
    assert_true(p.count >= 30);
    assert_float_equal(p.point[p.count - 1].at.x, motions.item[29].at.x, 0.5);
}

// Half a frame before it is first seen to run, though a hand has hidden it for longer.
static void it_left_when_it_ran_and_not_when_it_was_hidden(void **state)
{
    (void)state;
    struct track k = marble();
    roll_away(90, 30);
    k.there_until_s -= 0.5;
    k.absent_since_s -= 0.5;
    assert_true(fabs(trajectory_left_s(&motions, &k) - (1 - 0.5 * FRAME_S)) < 0.1 * FRAME_S);
    k.there_until_s -= 0.5; // a second is too long, but for a hand that hid it until just before
    k.absent_since_s -= 0.5;
    assert_true(isinf(trajectory_left_s(&motions, &k)));
    k.hidden_until_s = 1 - 2 * FRAME_S;
    assert_true(fabs(trajectory_left_s(&motions, &k) - (1 - 0.5 * FRAME_S)) < 0.1 * FRAME_S);
    k.piece.at.y = 2;
    assert_true(isinf(trajectory_left_s(&motions, &k)));
}

static void what_runs_elsewhere_or_later_is_not(void **state)
{
    (void)state;
    struct track k = marble();
    roll_away(90, 30);
    k.piece.at.y = 2;
    assert_null(trajectory_leaves(&motions, &k));
    k = marble();
    k.there_until_s = k.absent_since_s = 1.5;
    assert_null(trajectory_leaves(&motions, &k));
}

static void three_specks_in_a_row_are_no_run(void **state)
{
    (void)state;
    struct track k = marble();
    roll_away(90, 3);
    assert_null(trajectory_leaves(&motions, &k));
}

// A fast one meets a peg in the third picture and comes back: what turned is the same.
static void what_a_peg_turns_soon_has_left(void **state)
{
    (void)state;
    struct track k = marble();
    roll_away(90, 3);
    struct pt_in end = motions.item[2].at;
    for (int i = 1; i <= 3; i++)
        add(motions.item[2].t_s + i * FRAME_S, end.x - 1.2 * i, end.y - 0.3 * i);
    assert_ptr_equal(trajectory_leaves(&motions, &k), motions.item);
}

// It was last seen in the middle of the surface, running on or not: nobody saw it leave.
static void what_is_not_seen_to_leave_has_not_surely_left(void **state)
{
    static const double RED[3] = { 40, 40, 200 }, WOOD[3] = { 130, 180, 215 };
    const struct board *b = board_builtin("crokinole-nca");
    struct track k = { .id = 1, .piece = { .kind = PIECE_DISC, .at = { -6, 5 }, .radius_in = 0.625 } };
    (void)state;
    colour_bgr_to_lab(k.piece.lab, RED);
    k.there_until_s = 1 - FRAME_S;
    k.absent_since_s = 1;
    motions.count = 0;
    for (int i = 0; i < 10; i++)
        add(1 + i * FRAME_S, -5.4 + 0.6 * i, 5);
    for (int i = 0; i < motions.count; i++) {
        memcpy(motions.item[i].bgr, RED, sizeof RED);
        memcpy(motions.item[i].reference, WOOD, sizeof WOOD);
    }
    assert_int_equal(association_left_for(&motions, &k, 1, b), UNSEEN);
}

// Last seen two inches from the middle: it fell in when it was on its way there, not when it ran past.
static void what_runs_past_the_hole_is_not_in_it(void **state)
{
    static const double RED[3] = { 40, 40, 200 }, WOOD[3] = { 130, 180, 215 };
    const struct board *b = board_builtin("crokinole-nca");
    struct track k = { .id = 1, .piece = { .kind = PIECE_DISC, .radius_in = 0.625 } };
    (void)state;
    colour_bgr_to_lab(k.piece.lab, RED);
    k.there_until_s = 1 - FRAME_S;
    k.absent_since_s = 1;
    for (int into = 0; into <= 1; into++) {
        double y = into ? 0.2 : 1.4;
        k.piece.at = (struct pt_in){ -10, y };
        motions.count = 0;
        for (int i = 0; i < 6; i++)
            add(1 + i * FRAME_S, -8.3 + 1.3 * i, y);
        for (int i = 0; i < motions.count; i++) {
            memcpy(motions.item[i].bgr, RED, sizeof RED);
            memcpy(motions.item[i].reference, WOOD, sizeof WOOD);
        }
        assert_int_equal(association_left_for(&motions, &k, 1, b), into ? IN_HOLE : UNSEEN);
    }
}

static void nothing_moves_by_itself(void **state)
{
    (void)state;
    struct track k = marble();
    roll_away(90, 30);
    assert_true(trajectory_may_have_moved(&motions, &k)); // that is its own trail
    k.piece.at = (struct pt_in){ -17, 1.2 };
    assert_true(trajectory_may_have_moved(&motions, &k)); // something passes it within a frame
    k.piece.at = (struct pt_in){ 0, 20 };
    assert_false(trajectory_may_have_moved(&motions, &k));
    k.hand_came = true;
    assert_true(trajectory_may_have_moved(&motions, &k));
}

// A disc of the board's colour is not missed where it lay: when it left is told by what ran.
static void what_nobody_saw_go_left_when_it_ran(void **state)
{
    (void)state;
    struct track k = marble();
    k.absent_since_s = INFINITY;
    k.there_until_s = 0;
    roll_away(90, 30);
    double ran_s = trajectory_left_unseen_s(&motions, &k);
    assert_true(fabs(ran_s - (1 - 0.5 * FRAME_S)) < 0.1 * FRAME_S);
    // A hand hid the first two steps: what ran is a long way off when it is first seen, and came from there all the
    // same.
    k.piece.at.x -= 6;
    k.hand_came = true;
    ran_s = trajectory_left_unseen_s(&motions, &k);
    assert_true(fabs(ran_s - (1 - 2.5 * FRAME_S)) < 0.3 * FRAME_S);
    k.hand_came = false; // nothing hid it: it would have been seen to run in between
    assert_true(isinf(trajectory_left_unseen_s(&motions, &k)));
}

static void what_nobody_saw_go_was_moved_by_the_first_that_came_near(void **state)
{
    (void)state;
    struct track k = marble();
    k.absent_since_s = INFINITY;
    k.piece.at = (struct pt_in){ -10, 1 }; // what rolls by leads past it
    roll_away(90, 30);
    double left_s = trajectory_left_unseen_s(&motions, &k);
    const struct motion *near = motions.item;
    while (distance_in(near->at, k.piece.at) > motions.tuning->touch_radii * k.piece.radius_in)
        near++;
    assert_true(left_s == near->t_s);
    k.piece.at = (struct pt_in){ 0, 20 };
    assert_true(isinf(trajectory_left_unseen_s(&motions, &k)));
    motions.count = 0;
    k.piece.at = motions.item[0].at;
    assert_true(isinf(trajectory_left_unseen_s(&motions, &k)));
}

static void a_run_ends_where_the_piece_lies(void **state)
{
    (void)state;
    roll_away(60, 40);
    struct pt_in end = motions.item[39].at;
    assert_true(trajectory_arrives(&motions, end, 0.31));
    assert_false(trajectory_arrives(&motions, (struct pt_in){ end.x, end.y + 3 }, 0.31));
    assert_false(trajectory_arrives(&motions, motions.item[1].at, 0.31)); // it passed by there
}

// A disc runs off to the right while another that looks alike runs to the hole and is seen the longest.
static void what_ran_off_is_not_in_the_hole(void **state)
{
    static const double RED[3] = { 40, 40, 200 }, WOOD[3] = { 130, 180, 215 };
    const struct board *b = board_builtin("crokinole-nca");
    struct track k = { .id = 1, .piece = { .kind = PIECE_DISC, .at = { 6, 2 }, .radius_in = 0.625 } }, other;
    (void)state;
    colour_bgr_to_lab(k.piece.lab, RED);
    k.there_until_s = 1 - FRAME_S;
    k.absent_since_s = 1;
    other = k;
    other.piece.at = (struct pt_in){ -6, -6 };
    motions.count = 0;
    for (int i = 0; i < 40; i++) {
        if (i < 12)
            add(1 + i * FRAME_S, 6.6 + 0.6 * i, 2);
        add(1 + i * FRAME_S, -5.9 + 0.15 * i, -5.9 + 0.15 * i);
    }
    for (int i = 0; i < motions.count; i++) {
        memcpy(motions.item[i].bgr, RED, sizeof RED);
        memcpy(motions.item[i].reference, WOOD, sizeof WOOD);
    }
    assert_int_equal(association_left_for(&motions, &k, 1, b), IN_DITCH);
    assert_int_equal(association_left_for(&motions, &other, 1, b), IN_HOLE);
}

static void what_a_hand_puts_down_did_not_arrive(void **state)
{
    (void)state;
    motions.count = 0;
    for (int i = 0; i < 10; i++)
        add(1 + i * FRAME_S, 5 + 0.1 * i, 5); // pushed by an inch
    assert_false(trajectory_arrives(&motions, (struct pt_in){ 5.9, 5 }, 0.31));
    motions.count = 0;
    assert_false(trajectory_arrives(&motions, (struct pt_in){ 5.9, 5 }, 0.31));
}

static void no_motion_is_lost(void **state)
{
    (void)state;
    motions.count = 0;
    for (int i = 0; i < 10000; i++)
        add(i, i, 0);
    assert_int_equal(motions.count, 10000);
    assert_true(motions.item[9999].at.x == 9999 && motions.item[0].at.x == 0);
    motions.count = 0;
}

// Seen from the side, where a piece lies is known worse than by its width.
static void a_run_ends_at_what_is_measured_near_its_end(void **state)
{
    (void)state;
    roll_away(90, 30);
    struct detection there = marble().piece;
    const struct pt_in end = motions.item[motions.count - 1].at;
    there.at = (struct pt_in){ end.x + 2.5 * there.radius_in, end.y };
    assert_false(arrival_ends_run(&there, &motions, motions.item));
    there.cov = (struct cov_in2){ .xx = 0.36, .yy = 0.36 };
    assert_true(arrival_ends_run(&there, &motions, motions.item));
    there.at.x += there.radius_in + 0.6;
    assert_false(arrival_ends_run(&there, &motions, motions.item));
}

// A taw that nobody knew hits a target in the middle: it stops where that lay, and the target runs on along the same
// line.
static void what_hands_its_speed_on_lies_where_it_did(void **state)
{
    (void)state;
    roll_away(90, 30);
    const struct moment m = { .motions = &motions };
    struct association a = { .new_places = 2 };
    a.new_place[0] = a.new_place[1] = marble().piece;
    a.new_place[0].at = (struct pt_in){ 0.3, 0.4 };
    a.new_place[1].at = motions.item[29].at;
    colour_bgr_to_lab(a.new_place[0].lab, (double[]){ 40, 200, 60 }); // what ran on looks otherwise
    a.taken[1] = true;                                                // by the target
    assert_int_equal(arrival_of_run(&a, &m, motions.item, motions.item), 0);
}

// What runs on from a contact may be the other one, and be plainer than what ran into it.
static void what_it_looks_like_is_seen_before_it_meets_another(void **state)
{
    (void)state;
    const double meets_s = 1 + 9.5 * FRAME_S;
    struct tracklet run;
    roll_away(90, 20);
    motions.item[5].bgr[0] = 135;
    motions.item[15].bgr[0] = 129;
    tracklet_follow(&run, &motions, motions.item, 0.31, meets_s);
    assert_ptr_equal(run.clearest, &motions.item[5]);
    tracklet_follow(&run, &motions, motions.item, 0.31, INFINITY);
    assert_ptr_equal(run.clearest, &motions.item[15]);
}

// A disc comes back from a peg while what it struck runs off to the other side: the two are as large and of one colour,
// and in some frames the other one comes first.
static void a_run_goes_on_where_it_led_though_another_runs_beside_it(void **state)
{
    (void)state;
    enum { FRAMES = 6 };
    struct tracklet run;
    motions.count = 0;
    add(1, -9, 1);
    for (int i = 1; i <= FRAMES; i++) {
        if (i % 2 == 0)
            add(1 + i * FRAME_S, -6 + 1.5 * i, 3);
        add(1 + i * FRAME_S, -9 + 1.5 * i, 1 - 0.5 * i);
        if (i % 2 == 1)
            add(1 + i * FRAME_S, -6 + 1.5 * i, 3);
    }
    tracklet_follow(&run, &motions, motions.item, 0.625, INFINITY);
    assert_int_equal(run.steps, FRAMES + 1);
    assert_int_equal(run.straight, FRAMES - 1);
    assert_true(distance_in(run.last->at, (struct pt_in){ -9 + 1.5 * FRAMES, 1 - 0.5 * FRAMES }) < 1e-9);
}

// A shadow scales the ground's colour; a piece that is darker than any shadow, or of another hue, is none.
static void what_only_dims_the_ground_is_light(void **state)
{
    (void)state;
    static const double line[] = { 119, 126, 170 }, red[] = { 40, 30, 150 };
    static const struct {
        double other_share, light;
    } rows[] = { { 0.3, true }, { 0.9, false } };
    enum { FRAMES = 6 };
    struct tracklet run;
    for (size_t i = 0; i < countof(rows); i++)
        for (int painted = 0; painted < 2; painted++) {
            roll_away(90, FRAMES);
            for (int m = 0; m < FRAMES; m++)
                for (int c = 0; c < 3; c++) {
                    motions.item[m].reference[c] = line[c];
                    motions.item[m].bgr[c] = mixed_code(painted ? red[c] : 0, line[c], rows[i].other_share);
                }
            tracklet_follow(&run, &motions, motions.item, 0.31, INFINITY);
            assert_int_equal(run.steps, FRAMES);
            assert_int_equal(run.light, rows[i].light && !painted ? FRAMES : 0);
        }
}

static void the_only_new_one_that_looks_like_it_is_it(void **state)
{
    (void)state;
    const struct track_tuning *t = &tuning_defaults.track;
    struct detection blue = marble().piece;
    struct association a = { .new_places = 2, .new_place = { blue, blue } };
    snprintf(blue.colour, sizeof blue.colour, "blue");
    colour_bgr_to_lab(a.new_place[0].lab, (double[]){ 40, 40, 200 });
    assert_int_equal(arrival_alike(&a, &blue, t), 1);
    a.taken[1] = true;
    assert_true(arrival_alike(&a, &blue, t) < 0);
    a.taken[1] = false;
    a.new_place[0] = blue; // there are two of them
    assert_true(arrival_alike(&a, &blue, t) < 0);
}

// A marble that ran over the line and on has left; one that was last seen well within may have been taken up by a hand.
static void a_marble_has_left_when_it_ran_over_the_line(void **state)
{
    (void)state;
    const struct board *ring = board_builtin("ring-7ft");
    struct track k = marble();
    roll_away(120, 20);
    assert_int_equal(association_left_for(&motions, &k, 1, ring), OFF_BOARD);
    roll_away(60, 20);
    assert_int_equal(association_left_for(&motions, &k, 1, ring), UNSEEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ran_off_is_not_in_the_hole),
        cmocka_unit_test(a_blurred_piece_has_its_own_paint),
        cmocka_unit_test(a_smear_is_like_the_paint_of_its_piece),
        cmocka_unit_test(what_is_no_smear_is_as_like_as_it_looks),
        cmocka_unit_test(what_runs_from_its_place_is_the_piece),
        cmocka_unit_test(it_left_when_it_ran_and_not_when_it_was_hidden),
        cmocka_unit_test(what_runs_elsewhere_or_later_is_not),
        cmocka_unit_test(three_specks_in_a_row_are_no_run),
        cmocka_unit_test(what_a_peg_turns_soon_has_left),
        cmocka_unit_test(what_is_not_seen_to_leave_has_not_surely_left),
        cmocka_unit_test(what_runs_past_the_hole_is_not_in_it),
        cmocka_unit_test(nothing_moves_by_itself),
        cmocka_unit_test(what_nobody_saw_go_left_when_it_ran),
        cmocka_unit_test(what_nobody_saw_go_was_moved_by_the_first_that_came_near),
        cmocka_unit_test(a_run_ends_where_the_piece_lies),
        cmocka_unit_test(what_a_hand_puts_down_did_not_arrive),
        cmocka_unit_test(a_run_ends_at_what_is_measured_near_its_end),
        cmocka_unit_test(what_hands_its_speed_on_lies_where_it_did),
        cmocka_unit_test(a_marble_has_left_when_it_ran_over_the_line),
        cmocka_unit_test(what_it_looks_like_is_seen_before_it_meets_another),
        cmocka_unit_test(a_run_goes_on_where_it_led_though_another_runs_beside_it),
        cmocka_unit_test(the_only_new_one_that_looks_like_it_is_it),
        cmocka_unit_test(what_only_dims_the_ground_is_light),
        cmocka_unit_test(no_motion_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
