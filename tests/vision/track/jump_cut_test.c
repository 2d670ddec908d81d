// SPDX-License-Identifier: MIT
// What stands in the next frame, and was too fast for that.
#include "tests/cmocka.h"
#include "tests/vision/track/stage.h"
#include "vision/track/jump_cut.h"

static const double FRAME_S = 1 / 25.0;

// When time was left out before a board that stands since 1 s, from what moved in the frames up to then and from the
// tracks that are not there any more; INFINITY: at no time.
static double left_out_with_s(const struct motion *moved, int n, const struct track *left, int tracks)
{
    static const struct script bare = { .actors = 0 };
    struct association found = { .track = left, .tracks = tracks };
    for (int k = 0; k < tracks; k++)
        found.fate[k] = FATE_LEFT;
    struct motions motions = { .tuning = &tuning_defaults.track };
    struct change_detector changes;
    struct change_patches patches;
    uint32_t seed = 1;
    on_stage = &bare;
    struct frame *f = stage_frame(1, &seed);
    struct board_pose pose = stage_board(1);
    assert_non_null(f);
    assert_int_equal(change_detector_create(&changes, f, &pose, &tuning_defaults.track, NULL), 0);
    assert_int_equal(change_patches_create(&patches, &changes, NULL), 0);
    changes.still[STILL_FIELD].since_s = 1;
    for (int i = 0; i < n; i++)
        assert_int_equal(motions_add(&motions, &moved[i], NULL), 0);
    struct moment m = {
        .changes = &changes, .patches = &patches, .pose = &pose, .motions = &motions, .t_s = 1, .empty = NULL
    };
    double at_s = jump_cut_s(&found, &m);
    motions_finish(&motions);
    change_patches_finish(&patches);
    change_detector_finish(&changes);
    frame_free(f);
    return at_s;
}

static double left_out_s(const struct motion *moved, int n)
{
    return left_out_with_s(moved, n, NULL, 0);
}

// Two discs that lay in one frame and do not in the next: a hand that was beside them in the frame before took them.
static void what_a_hand_was_beside_was_taken_by_it(void **state)
{
    (void)state;
    struct track two[2];
    for (int hand = 0; hand < 2; hand++) {
        for (int k = 0; k < 2; k++)
            two[k] = (struct track){ .piece = { .kind = PIECE_DISC, .at = { 4 * k, 2 }, .radius_in = 0.625 },
                                     .there_until_s = 0.9,
                                     .absent_since_s = 0.9 + FRAME_S,
                                     .hand_before = hand && k == 1 };
        double at_s = left_out_with_s(NULL, 0, two, 2);
        assert_true(hand ? isinf(at_s) : at_s == 0.9 + FRAME_S);
    }
}

static void what_ran_does_not_stand_in_the_next_frame(void **state)
{
    (void)state;
    const struct motion runs[] = { { .t_s = 1 - 2 * FRAME_S, .at = { -5, 4 }, .pieces = 1 },
                                   { .t_s = 1 - FRAME_S, .at = { -5, 6 }, .pieces = 1 } };
    assert_true(left_out_s(runs, 2) == 1 - FRAME_S);
}

// Two that touch are one patch, whose middle is neither's place; in the next frame one of them stands.
static void two_in_one_patch_are_not_the_one_that_is_seen_next(void **state)
{
    (void)state;
    const struct motion runs[] = { { .t_s = 1 - 2 * FRAME_S, .at = { -5, 4 }, .pieces = 4.2 },
                                   { .t_s = 1 - FRAME_S, .at = { -5, 6 }, .pieces = 1.7 } };
    assert_true(isinf(left_out_s(runs, 2)));
}

// A disc strikes another, which hardly moves, and comes back from it slowly: it did not run from where that one stirred
// to where it stands itself, for it was somewhere else in between.
static void two_that_moved_are_not_one_that_ran(void **state)
{
    (void)state;
    const struct motion stirs = { .t_s = 1 - 2 * FRAME_S, .at = { -4.4, 4 }, .pieces = 1 };
    const struct motion comes_back[] = { { .t_s = 1 - FRAME_S, .at = { -5.3, 6 }, .pieces = 1 },
                                         { .t_s = 1, .at = { -5.4, 6.2 }, .pieces = 1 } };
    const struct motion all[] = { stirs, comes_back[0], comes_back[1] };
    assert_true(isinf(left_out_s(all, 3)));
    const struct motion unseen_between[] = { stirs, comes_back[1] };
    assert_true(left_out_s(unseen_between, 2) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ran_does_not_stand_in_the_next_frame),
        cmocka_unit_test(what_a_hand_was_beside_was_taken_by_it),
        cmocka_unit_test(two_in_one_patch_are_not_the_one_that_is_seen_next),
        cmocka_unit_test(two_that_moved_are_not_one_that_ran),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
