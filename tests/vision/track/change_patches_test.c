// SPDX-License-Identifier: MIT
// What changed hangs together in patches, and a hand is one that is thicker than any piece.
#include <math.h>

#include "calibration/units.h"
#include "samples/scene/noise.h"
#include "tests/cmocka.h"
#include "tests/vision/track/carpet.h"
#include "vision/track/change_patches.h"

// The largest taw, as wide as coarse colour makes it, is no hand; what is twice as wide is one.
static void the_largest_taw_is_no_hand(void **state)
{
    (void)state;
    static const double colour_px = 2;
    static const struct {
        double radii;
        bool hand;
    } rows[] = { { 1, false }, { 2, true } };
    const struct board_pose pose = ring_from_above();
    for (size_t k = 0; k < countof(rows); k++) {
        struct change_detector d;
        struct change_patches p;
        double radius_px = rows[k].radii * pose.board.taw_radius_max_in * RING_PX_PER_IN + colour_px;
        struct frame *bare = carpet_with(0, 0), *with = carpet_with(0.04, radius_px);
        assert_int_equal(change_detector_create(&d, bare, &pose, &tuning_defaults.track, NULL), 0);
        assert_int_equal(change_patches_create(&p, &d, NULL), 0);
        assert_int_equal(change_detect(&d, bare, NULL), 0);
        assert_int_equal(change_detect(&d, with, NULL), 0);
        assert_int_equal(change_patches_find(&p, NULL), 0);
        assert_int_equal(p.count, 1);
        assert_int_equal(p.item[0].kind == PATCH_HAND, rows[k].hand);
        assert_int_equal(change_hand(&p) != NULL, rows[k].hand);
        frame_free(bare);
        frame_free(with);
        change_patches_finish(&p);
        change_detector_finish(&d);
    }
}

// Each pixel and channel by itself, differently in each frame.
static void add_noise(struct frame *f, struct chance *chance, double sigma)
{
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        f->bgr[i] = (uint8_t)lround(fmin(fmax(f->bgr[i] + sigma * chance_normal(chance), 0), 255));
}

// A small camera in the evening: a hand hardly darker than the carpet is seen where it comes, and nothing is where none
// comes.
static void in_noise_a_dim_hand_is_seen_and_nothing_else(void **state)
{
    (void)state;
    enum { FRAMES = 30, BY = 32 };
    static const double sigma = 6, hand_px = 30, frame_s = 0.04;
    const struct board_pose pose = ring_from_above();
    struct chance chance = { 3 };
    struct change_detector d;
    struct change_patches p;
    for (int i = 0; i <= FRAMES; i++) {
        struct frame *f = carpet_with(i * frame_s, i < FRAMES ? 0 : hand_px);
        for (size_t k = 0; k < 3 * (size_t)f->width * (size_t)f->height; k++)
            f->bgr[k] = f->bgr[k] > 90 ? 90 - BY : 90;
        add_noise(f, &chance, sigma);
        if (i == 0) {
            assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
            assert_int_equal(change_patches_create(&p, &d, NULL), 0);
        }
        assert_int_equal(change_detect(&d, f, NULL), 0);
        assert_int_equal(change_patches_find(&p, NULL), 0);
        if (i * frame_s > tuning_defaults.track.noise_starts_s) // once the noise is known
            assert_int_equal(p.count, i == FRAMES);
        if (i == FRAMES - 1)
            assert_true(d.t_s - d.still[STILL_WHOLE].since_s > FRAMES * frame_s - 0.5);
        frame_free(f);
    }
    assert_non_null(change_hand(&p));
    assert_true(d.blurs);
    change_patches_finish(&p);
    change_detector_finish(&d);
}

static void where_a_hand_was_is_asked_of_any_place(void **state)
{
    (void)state;
    static const double far_px[] = { -1e12, 4294967296.0 + 40, 1e300 };
    const struct board_pose pose = ring_from_above();
    struct change_detector d;
    struct change_patches p;
    struct frame *f = carpet_with(0, 0);
    assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
    assert_int_equal(change_patches_create(&p, &d, NULL), 0);
    p.hand_s[d.height / 2 * d.width + d.width / 2] = 0;
    for (size_t i = 0; i < countof(far_px); i++)
        assert_false(change_hand_since(&p, (struct pt_px){ d.step * far_px[i], d.step * far_px[i] }, 5, 0));
    const struct pt_px corner = { 10, 10 };
    assert_false(change_hand_since(&p, corner, 5, 0));
    assert_true(change_hand_since(&p, corner, 1e12, 0));
    change_patches_finish(&p);
    change_detector_finish(&d);
    frame_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_taw_is_no_hand),
        cmocka_unit_test(in_noise_a_dim_hand_is_seen_and_nothing_else),
        cmocka_unit_test(where_a_hand_was_is_asked_of_any_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
