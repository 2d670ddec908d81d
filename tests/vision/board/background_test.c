// SPDX-License-Identifier: MIT
// The empty board is learnt around what lies on it, and known again in another light and through a knocked camera.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/vision/board/grained.h"
#include "vision/board/background.h"

static const struct pt_in HERE = { -5, 3 };

static void look(struct background *s, const struct grained *g, double t_s)
{
    struct board_pose pose = grained_found(g);
    struct frame *f = grained_frame(g, t_s);
    assert_int_equal(background_look(s, f, &pose, NULL), 0);
    frame_free(f);
}

static struct background *background_of(const struct grained *g)
{
    struct background *s;
    struct board_pose pose = grained_found(g);
    assert_int_equal(background_create(&s, &pose, &tuning_defaults, NULL), 0);
    return s;
}

// Learnt for that many seconds.
static struct background *learnt(const struct grained *g, int seconds)
{
    struct background *s = background_of(g);
    for (int i = 0; i < seconds; i++) {
        look(s, g, i);
        background_learn(s);
    }
    return s;
}

// What a piece's face hides that stands there: see background_behind_piece.
static enum background_shows shows(const struct background *s, const struct grained *g, struct pt_in at)
{
    struct pt3_in eye = camera_position(&g->camera);
    return background_behind_piece(s, &eye, at, 0);
}

// Of places all over the board (but for its rim), the share that the last look showed to be bare.
static double bare_share(const struct background *s, const struct grained *g)
{
    int bare = 0, all = 0;
    for (double x = -12; x <= 12; x += 0.25)
        for (double y = -12; y <= 12; y += 0.25)
            if (hypot(x, y) < 12) {
                all++;
                bare += shows(s, g, (struct pt_in){ x, y }) == BACKGROUND_BARE;
            }
    return (double)bare / all;
}

static void at_first_nothing_is_known(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.3);
    struct background *s = background_of(&g);
    look(s, &g, 0);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_UNKNOWN);
    assert_true(background_may_hold(s, HERE));
    background_free(s);
}

static void what_comes_to_lie_differs(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.3);
    struct background *s = learnt(&g, 3);
    g.at[g.discs++] = HERE;
    look(s, &g, 4);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_DIFFERS);
    assert_true(background_may_hold(s, HERE));
    assert_int_equal(shows(s, &g, (struct pt_in){ 5, 3 }), BACKGROUND_BARE);
    assert_false(background_may_hold(s, (struct pt_in){ 5, 3 }));
    assert_true(bare_share(s, &g) > 0.98);
    background_free(s);
}

static void another_light_is_no_change(void **state)
{
    (void)state;
    static const double lights[][2] = { { 0.6, 0 }, { 1.5, 0.1 }, { 0.9, -0.25 } };
    struct grained g = grained_stage(0.3);
    struct background *s = learnt(&g, 3);
    g.at[g.discs++] = HERE;
    for (size_t i = 0; i < countof(lights); i++) {
        g.gain = lights[i][0];
        g.slope = lights[i][1];
        look(s, &g, 4);
        assert_true(bare_share(s, &g) > 0.95);
        assert_int_equal(shows(s, &g, HERE), BACKGROUND_DIFFERS);
    }
    background_free(s);
}

static void a_knocked_camera_sees_the_same_board(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.3);
    struct background *s = learnt(&g, 3);
    g.camera = view_of_board(GRAINED_WIDTH, GRAINED_HEIGHT, 560, -0.04, 0.36, 0.45, 35);
    g.at[g.discs++] = HERE;
    background_seen_anew(s);
    look(s, &g, 4);
    assert_int_equal(shows(s, &g, (struct pt_in){ 0, 0 }), BACKGROUND_UNKNOWN); // the hole is not in the plane
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_DIFFERS);
    for (int x = 6; x < 12; x++)
        assert_int_equal(shows(s, &g, (struct pt_in){ x, -1 }), BACKGROUND_BARE);
    background_free(s);
}

// A piece that stands there from the beginning is no board; what it covered is learnt when it has left.
static void what_is_covered_stays_unknown(void **state)
{
    (void)state;
    struct grained g = grained_stage(0);
    struct background *s = background_of(&g);
    g.at[g.discs++] = HERE;
    for (int i = 0; i < 3; i++) {
        look(s, &g, i);
        background_cover(s, HERE, HERE, 1);
        background_learn(s);
    }
    look(s, &g, 4);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_UNKNOWN);
    assert_true(background_may_hold(s, HERE));
    g.discs = 0;
    look(s, &g, 5);
    background_learn(s);
    look(s, &g, 6);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_BARE);
    background_free(s);
}

static void a_mask_covers_too(void **state)
{
    (void)state;
    enum { STEP = 8, W = GRAINED_WIDTH / STEP, H = GRAINED_HEIGHT / STEP };
    struct grained g = grained_stage(0);
    struct background *s = background_of(&g);
    struct pt_px p;
    uint8_t *mask = calloc(W, H);
    assert_non_null(mask);
    assert_true(camera_project(&p, &g.camera, (struct pt3_in){ HERE.x, HERE.y, 0 }));
    for (int y = (int)p.v / STEP - 1; y <= (int)p.v / STEP + 1; y++)
        for (int x = (int)p.u / STEP - 1; x <= (int)p.u / STEP + 1; x++)
            mask[y * W + x] = 1;
    look(s, &g, 0);
    background_cover_mask(s, mask, W, H, STEP);
    background_learn(s);
    look(s, &g, 1);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_UNKNOWN);
    assert_int_equal(shows(s, &g, (struct pt_in){ 5, 3 }), BACKGROUND_BARE);
    free(mask);
    background_free(s);
}

// A hand that nobody saw come, or a disc that nobody found: it is believed no longer than what is seen when it has
// gone.
static void what_only_lay_there_for_a_while_is_unlearnt(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.2);
    g.at[g.discs++] = HERE;
    struct background *s = learnt(&g, 3);
    g.discs = 0;
    for (int i = 3; i < 8; i++) {
        look(s, &g, i);
        if (i == 3)
            assert_int_equal(shows(s, &g, HERE), BACKGROUND_DIFFERS);
        background_learn(s);
    }
    look(s, &g, 8);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_BARE);
    background_free(s);
}

// Light where this one is dark, and the other way round.
static void another_board_is_forgotten(void **state)
{
    (void)state;
    struct grained g = grained_stage(0.2);
    struct background *s = learnt(&g, 3);
    struct board_pose pose = grained_found(&g);
    struct frame *f = grained_frame(&g, 4);
    for (int i = 0; i < 3 * f->width * f->height; i++)
        f->bgr[i] = (uint8_t)(255 - f->bgr[i]);
    assert_int_equal(background_look(s, f, &pose, NULL), 0);
    look(s, &g, 5);
    assert_int_equal(shows(s, &g, HERE), BACKGROUND_UNKNOWN);
    frame_free(f);
    background_free(s);
}

static void boards_of_other_measures_do_not_fit(void **state)
{
    (void)state;
    struct grained nearer = grained_stage(0.2), g = nearer;
    g.camera.pose.t_in[2] *= 2;
    struct grained other = g;
    struct background *s = background_of(&g);
    other.board.circle_in[1] += 0.2;
    struct board_pose same = grained_found(&g), wider = grained_found(&other), near = grained_found(&nearer);
    assert_true(background_fits(s, &same));
    assert_false(background_fits(s, &wider));
    assert_false(background_fits(s, &near));
    background_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_first_nothing_is_known),
        cmocka_unit_test(what_comes_to_lie_differs),
        cmocka_unit_test(another_light_is_no_change),
        cmocka_unit_test(a_knocked_camera_sees_the_same_board),
        cmocka_unit_test(what_is_covered_stays_unknown),
        cmocka_unit_test(a_mask_covers_too),
        cmocka_unit_test(what_only_lay_there_for_a_while_is_unlearnt),
        cmocka_unit_test(another_board_is_forgotten),
        cmocka_unit_test(boards_of_other_measures_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
