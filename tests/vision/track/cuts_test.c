// SPDX-License-Identifier: MIT
// Edited footage: cuts to a face and back, to the same scene and to another, in the middle of a shot and after it;
// flashes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/sanitized.h"
#include "tests/vision/track/watched.h"

static const double CUT_SURE_S =
    0.12 + 0.067 + 0.034; // by then another view is no flash: at half rate, and a frame dropped
enum { SAME_SCENE, OTHER_SCENE, RATES_TRIED = SANITIZED ? 1 : RATES };

// A face from 1 s to 1.5 s. Behind it the red disc stays where it is, the black one may be elsewhere.
static struct script cut_to_a_face(int scene)
{
    struct script s = {
        .noise = 2,
        .actors = 3,
        .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } },
                   { BLACK, 2, { { 0, -4, 2 }, { 1e9, -4, 2 } } },
                   { BLACK, 2, { { 0, 1, -7 }, { 1e9, 1, -7 } } } },
        .away_s = 1,
        .back_s = 1.5,
    };
    for (int i = 0; i < s.actors && scene == OTHER_SCENE; i++) {
        struct actor *a = &s.actor[i];
        a->keys = 4;
        a->key[1] = (struct key){ 1.2, a->key[0].x, a->key[0].y };
        a->key[2] = (struct key){ 1.2, a->key[0].x + 1.5, a->key[0].y - i };
        a->key[3] = (struct key){ 1e9, a->key[2].x, a->key[2].y };
    }
    return s;
}

static void check_cut(const struct told *t)
{
    const struct event *cut = nth(t, OBS_CAMERA, 1), *back = nth(t, OBS_CAMERA, 2);
    assert_int_equal(count(t, OBS_CAMERA), 3); // and no word of a movement
    assert_int_equal(cut->observation.camera.what, CAMERA_CUT);
    assert_true(fabs(cut->observation.t_s - 1) < 0.07);
    assert_int_equal(back->observation.camera.what, CAMERA_LOCKED);
    assert_true(back->observation.camera.shift_in == 0); // how far one view is from another is no movement
    assert_true(back->observation.t_s >= 1.5 && back->observation.t_s < 1.5 + CUT_SURE_S);
    assert_int_equal(count(t, OBS_MOVE), 0);
    assert_int_equal(count(t, OBS_CONTACT), 0);
}

static void after_a_face_the_same_scene_keeps_its_pieces(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES_TRIED; rate++) {
        struct script s = cut_to_a_face(SAME_SCENE);
        struct told t = watch(&s, (enum rate)rate, 3);
        check_cut(&t);
        assert_int_equal(count(&t, OBS_SEEN), 3);
        assert_int_equal(count(&t, OBS_GONE), 0);
    }
}

static void after_a_face_another_scene_is_told_as_new(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES_TRIED; rate++) {
        struct script s = cut_to_a_face(OTHER_SCENE);
        struct told t = watch(&s, (enum rate)rate, 3);
        check_cut(&t);
        assert_int_equal(count(&t, OBS_SEEN), 6);
        assert_int_equal(count(&t, OBS_GONE), 3);
        for (int i = 0; i < 3; i++)
            assert_int_equal(nth(&t, OBS_GONE, i)->observation.gone.where, IN_CUT);
        assert_true(nth(&t, OBS_STILL, count(&t, OBS_STILL) - 1)->observation.t_s < 2);
    }
}

// A hint speaks of the view that it was given for. Where it says nothing is found after a cut, the board is looked for
// elsewhere.
static void a_hint_binds_only_until_a_cut(void **state)
{
    (void)state;
    struct script s = cut_to_a_face(SAME_SCENE);
    s.hint_until_s = 1.2;
    struct told t = watch(&s, FULL, 3);
    check_cut(&t);
    assert_int_equal(count(&t, OBS_GONE), 0);
    s.away_s = s.back_s = 0;
    s.cut_s = 1.3; // the camera was knocked: no other board is taken for the hinted one
    t = watch(&s, FULL, 3);
    assert_int_equal(count(&t, OBS_CAMERA), 2);
    assert_int_equal(nth(&t, OBS_CAMERA, 1)->observation.camera.what, CAMERA_LOST);
}

// A disc runs when the footage is cut: nobody can say what became of it.
static void a_shot_that_is_cut_off_is_not_told(void **state)
{
    (void)state;
    static const double cuts_s[] = { 1.15, 1.25, 1.5 };
    for (int rate = 0; rate < RATES_TRIED; rate++)
        for (size_t i = 0; i < countof(cuts_s); i++) {
            struct script s = a_shot;
            s.away_s = cuts_s[i];
            s.back_s = 2.5;
            struct told t = watch(&s, (enum rate)rate, 4);
            assert_int_equal(count(&t, OBS_MOVE), 0);
            assert_int_equal(count(&t, OBS_CONTACT), 0);
            assert_int_equal(nth(&t, OBS_CAMERA, 1)->observation.camera.what, CAMERA_CUT);
        }
}

// All lies still again, but not yet for long enough to be measured.
static void a_shot_that_had_ended_before_a_cut_is_told(void **state)
{
    (void)state;
    struct script s = a_shot;
    s.away_s = 2.15;
    s.back_s = 2.6;
    struct told t = watch(&s, FULL, 4);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
    assert_int_equal(nth(&t, OBS_CAMERA, 1)->observation.camera.what, CAMERA_CUT);
    assert_true(nth(&t, OBS_MOVE, 1)->observation.t_s < 2);
    assert_int_equal(count(&t, OBS_SEEN), 2);
    assert_int_equal(count(&t, OBS_GONE), 0);
}

// Its pieces have lain still since the first frame of the view, though only some frames later is it sure that it is
// one.
static void a_shot_soon_after_a_cut_is_told(void **state)
{
    (void)state;
    static const struct script soon = {
        .noise = 2,
        .away_s = 1,
        .back_s = 2,
        .actors = 1,
        .actor = { { RED, 4, { { 0, 5, -11 }, { 2.27, 5, -11 }, { 2.87, 4, 6 }, { 1e9, 4, 6 } }, .slows = true } },
    };
    struct told t = watch(&soon, FULL, 3.5);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
    assert_float_equal(nth(&t, OBS_MOVE, 0)->observation.t_s, 2.27, 0.05);
}

static void a_flash_is_no_cut(void **state)
{
    (void)state;
    static const double flashes_s[] = { 0.5, 1.2, 1.7, 2.5 };
    for (size_t i = 0; i < countof(flashes_s); i++) {
        struct script s = a_shot;
        s.flash_s = flashes_s[i];
        struct told t = watch(&s, FULL, 3.5);
        assert_int_equal(count(&t, OBS_CAMERA), 1); // the first lock
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
        assert_int_equal(count(&t, OBS_GONE), 0);
    }
}

// One view, but time is left out: from one frame to the next pieces lie elsewhere, or nowhere, and nothing ran. Behind
// it a hand may be there at once, and shoot.
static const struct {
    const char *what;
    struct script script;
    int new_pieces;
} left_out[] = {
    { "one lies elsewhere",
      { .noise = 2,
        .actors = 2,
        .actor = { { RED, 4, { { 0, 3, 3 }, { 1.2, 3, 3 }, { 1.2, 3.5, 4.4 }, { 1e9, 3.5, 4.4 } } },
                   { BLACK, 2, { { 0, -4, 2 }, { 1e9, -4, 2 } } } } },
      1 },
    { "one lies far away, one is gone, one is new",
      { .noise = 2,
        .actors = 4,
        .actor = { { RED, 4, { { 0, 3, 3 }, { 1.2, 3, 3 }, { 1.2, -7, -4 }, { 1e9, -7, -4 } } },
                   { BLACK, 2, { { 0, -4, 2 }, { 1.2, -4, 2 } } },
                   { RED, 2, { { 0, 8, 2 }, { 1e9, 8, 2 } } },
                   { BLACK, 2, { { 1.2, 1, 8 }, { 1e9, 1, 8 } } } } },
      2 },
    { "a hand is there at once",
      { .noise = 2,
        .actors = 2,
        .actor = { { RED, 4, { { 0, 3, 3 }, { 1.2, 3, 3 }, { 1.2, -2, 7 }, { 1e9, -2, 7 } } },
                   { BLACK, 2, { { 0, -4, 2 }, { 1e9, -4, 2 } } } },
        .hand_keys = 4,
        .hand = { { 1.2, 0, -12 }, { 1.5, 0, -12.5 }, { 1.8, 0, -20 }, { 1.81, 0, -20 } } },
      1 },
};

static void time_left_out_is_a_cut_and_no_shot(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(left_out); i++)
        for (int rate = 0; rate < RATES_TRIED; rate++) {
            struct told t = watch(&left_out[i].script, (enum rate)rate, 2.4);
            int seen_before = left_out[i].script.actors - (left_out[i].new_pieces > 1);
            if (count(&t, OBS_MOVE) != 0 || count(&t, OBS_CAMERA) != 3 ||
                count(&t, OBS_SEEN) != seen_before + left_out[i].new_pieces)
                fail_msg("%s, %s: %d moves, %d words of the camera, %d seen", left_out[i].what, rate_name[rate],
                         count(&t, OBS_MOVE), count(&t, OBS_CAMERA), count(&t, OBS_SEEN));
            const struct event *cut = nth(&t, OBS_CAMERA, 1);
            assert_int_equal(cut->observation.camera.what, CAMERA_CUT);
            assert_true(fabs(cut->observation.t_s - 1.2) < 0.07);
            assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, IN_CUT);
        }
}

// A disc runs and stands in the next frame: the picture froze, or what followed was left out.
static void what_stands_in_mid_run_was_not_seen_to_stop(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES_TRIED; rate++) {
        struct script s = a_shot;
        s.actor[0] = (struct actor){
            BLACK, 4, { { 0.7, 0, -11 }, { 1.1, 0, -11 }, { 1.2, 4, -6 }, { 1e9, 4, -6 } }, .slows = false
        };
        s.actor[1].keys = 2;
        s.actor[1].key[1] = (struct key){ 1e9, 0, 3 };
        struct told t = watch(&s, (enum rate)rate, 2);
        if (count(&t, OBS_MOVE) != 0 || count(&t, OBS_CAMERA) != 3)
            fail_msg("%s: %d moves, %d words of the camera", rate_name[rate], count(&t, OBS_MOVE),
                     count(&t, OBS_CAMERA));
        assert_int_equal(nth(&t, OBS_CAMERA, 1)->observation.camera.what, CAMERA_CUT);
    }
}

// So does what strikes another of its weight, falls into the hole or leaves the surface.
static void what_may_stand_at_once_is_no_cut(void **state)
{
    (void)state;
    static const struct script fast[] = {
        { .actor = { { BLACK, 4, { { 0.7, 0, -11 }, { 1.1, 0, -11 }, { 1.3, 0, 1.75 }, { 1e9, 0, 1.75 } } },
                     { RED, 3, { { 0, 0, 3 }, { 1.3, 0, 3 }, { 1.5, 0, 15 } } } } },
        { .actor = { { BLACK, 3, { { 0.7, 0, -11 }, { 1.1, 0, -11 }, { 1.27, 0, -0.3 } } },
                     { RED, 2, { { 0, -5, 3 }, { 1e9, -5, 3 } } } } },
        { .actor = { { BLACK, 3, { { 0.7, 0, -11 }, { 1.1, 0, -11 }, { 1.45, 11, 9 } } },
                     { RED, 2, { { 0, -5, 3 }, { 1e9, -5, 3 } } } } },
    };
    for (int rate = FULL; rate <= HALF; rate++)
        for (size_t i = 0; i < countof(fast); i++) {
            struct script s = a_shot;
            memcpy(s.actor, fast[i].actor, sizeof s.actor);
            struct told t = watch(&s, (enum rate)rate, 2);
            if (count_moves(&t, MOVED_BY_SHOT) == 0 || count(&t, OBS_CAMERA) != 1)
                fail_msg("%zu, %s: %d moves, %d words of the camera", i, rate_name[rate], count(&t, OBS_MOVE),
                         count(&t, OBS_CAMERA));
        }
}

// What is decoded from damaged pictures shows what never was: it is not looked at.
static void garbage_between_two_still_moments_changes_nothing(void **state)
{
    (void)state;
    struct script s = cut_to_a_face(SAME_SCENE);
    s.away_s = s.back_s = 0;
    s.lost_from_s = 1;
    s.lost_to_s = 1.1;
    for (int rate = FULL; rate <= HALF; rate++) {
        struct told t = watch(&s, (enum rate)rate, 3);
        const struct observation *lost = &nth(&t, OBS_CAMERA, 1)->observation;
        assert_int_equal(count(&t, OBS_CAMERA), 2);
        assert_int_equal(lost->camera.what, CAMERA_DAMAGED);
        assert_true(lost->t_s > 0.9 && lost->t_s <= 1);
        assert_true(lost->camera.lost_s >= 0.1 && lost->camera.lost_s < 0.21);
        assert_true(nth(&t, OBS_STILL, count(&t, OBS_STILL) - 1)->observation.t_s >= 1.1); // seen again since
        assert_int_equal(count(&t, OBS_SEEN), 3);
        assert_int_equal(count(&t, OBS_GONE) + count(&t, OBS_MOVE), 0);
    }
}

// Nobody knows how what lies elsewhere afterwards came there.
static void a_shot_that_is_lost_is_no_shot(void **state)
{
    (void)state;
    for (int rate = FULL; rate <= HALF; rate++) {
        struct script s = a_shot;
        s.lost_from_s = 1.05;
        s.lost_to_s = 2.05;
        struct told t = watch(&s, (enum rate)rate, 4);
        const struct observation *lost = &nth(&t, OBS_CAMERA, 1)->observation;
        assert_int_equal(lost->camera.what, CAMERA_DAMAGED);
        assert_true(observation_hides(lost));
        assert_int_equal(nth(&t, OBS_CAMERA, 2)->observation.camera.what, CAMERA_LOCKED);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 0);
        for (int i = 0; i < count(&t, OBS_GONE); i++)
            assert_int_equal(nth(&t, OBS_GONE, i)->observation.gone.where, IN_CUT);
        assert_true(count(&t, OBS_GONE) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_face_the_same_scene_keeps_its_pieces),
        cmocka_unit_test(after_a_face_another_scene_is_told_as_new),
        cmocka_unit_test(a_hint_binds_only_until_a_cut),
        cmocka_unit_test(a_shot_that_is_cut_off_is_not_told),
        cmocka_unit_test(a_shot_that_had_ended_before_a_cut_is_told),
        cmocka_unit_test(a_shot_soon_after_a_cut_is_told),
        cmocka_unit_test(a_flash_is_no_cut),
        cmocka_unit_test(time_left_out_is_a_cut_and_no_shot),
        cmocka_unit_test(what_stands_in_mid_run_was_not_seen_to_stop),
        cmocka_unit_test(what_may_stand_at_once_is_no_cut),
        cmocka_unit_test(garbage_between_two_still_moments_changes_nothing),
        cmocka_unit_test(a_shot_that_is_lost_is_no_shot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
