// SPDX-License-Identifier: MIT
// A camera in a hand, and one that stands.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/vision/track/watched.h"
#include "vision/track/stabilisation.h"

static const double RATE = 30;

// Three discs lie, and a hand reaches in between 2 and 3 s.
static const struct script three_lie = { .noise = 3,
                                         .actors = 3,
                                         .actor = { { "red", { 40, 40, 200 }, 2, { { 0, -5, 3 }, { 1e9, -5, 3 } } },
                                                    { "black", { 30, 30, 30 }, 2, { { 0, 4, 6 }, { 1e9, 4, 6 } } },
                                                    { "red", { 40, 40, 200 }, 2, { { 0, 7, -3 }, { 1e9, 7, -3 } } } },
                                         .hand_keys = 4,
                                         .hand = { { 2, 2, -16 }, { 2.4, 2, -4 }, { 2.7, 2, -4 }, { 3, 2, -16 } } };

// How the picture lies at that time: what is shown at (u, v) was drawn at from[0] + ...
typedef void shake(double from[6], double t_s);

static void stands(double from[6], double t_s)
{
    (void)t_s;
    memcpy(from, (const double[6]){ 0, 1, 0, 0, 0, 1 }, 6 * sizeof *from);
}

// By some pixels, slowly, by half a pixel, quickly, and turned by up to a quarter of a degree about the middle.
static void in_a_hand(double from[6], double t_s)
{
    double turn_rad = 0.004 * sin(2.1 * t_s), u = 5 * sin(1.7 * t_s) + 0.5 * sin(19 * t_s),
           v = 3 * sin(2.3 * t_s + 1) + 0.5 * cos(23 * t_s), c = cos(turn_rad), s = sin(turn_rad);
    const double mu = STAGE_WIDTH / 2.0, mv = STAGE_HEIGHT / 2.0;
    memcpy(from, (const double[6]){ mu - c * mu + s * mv + u, c, -s, mv - s * mu - c * mv + v, s, c },
           6 * sizeof *from);
}

static void knocked(double from[6], double t_s, double at_s)
{
    double part = fmin(fmax((t_s - at_s) / 0.3, 0), 1);
    stands(from, t_s);
    from[0] = 4 * part;
    from[3] = -3 * part;
}

static void knocked_once(double from[6], double t_s)
{
    knocked(from, t_s, 1.5);
}

// Before it can be known that the camera stands.
static void knocked_at_once(double from[6], double t_s)
{
    knocked(from, t_s, 0.2);
}

// By so much at once that no edge is near where it was.
static void jerked(double from[6], double t_s)
{
    in_a_hand(from, t_s);
    from[0] += t_s > 4 ? 16 : 0;
    from[3] += t_s > 4 ? 16 : 0;
}

static void put_down(double from[6], double t_s)
{
    in_a_hand(from, t_s < 2.5 ? t_s : 2.5);
}

static struct frame *shaken_frame(double t_s, shake *how, uint32_t *seed)
{
    double from[6];
    struct frame *f = stage_frame(t_s, seed);
    assert_non_null(f);
    how(from, t_s);
    assert_int_equal(frame_warp(f, from, NULL), 0);
    return f;
}

struct watched {
    struct board_pose pose;
    struct change_detector changes;
    struct stabiliser stabiliser;
    double first_s, last_s; // frames that were moved back; INFINITY, -INFINITY: none
    int lost;               // frames in which the view was not recognised
    double worst;           // of what is looked at, the share that differs from the reference while it is held still
};

static void look_tuned(struct watched *w, shake *how, double until_s, const struct track_tuning *tuning)
{
    uint32_t seed = 5;
    on_stage = &three_lie;
    *w = (struct watched){ .pose = stage_board(0), .first_s = INFINITY, .last_s = -INFINITY };
    stabiliser_begin(&w->stabiliser, tuning);
    for (int i = 0; i / RATE < until_s; i++) {
        struct frame *f = shaken_frame(i / RATE, how, &seed);
        if (i == 0)
            assert_int_equal(change_detector_create(&w->changes, f, &w->pose, tuning, NULL), 0);
        else
            assert_int_equal(stabilise(&w->stabiliser, f, &w->changes, NULL), 0);
        w->lost += !isinf(w->stabiliser.lost_s);
        assert_int_equal(change_detect(&w->changes, f, NULL), 0);
        if (i == 0)
            stabiliser_set_view(&w->stabiliser, &w->changes);
        else
            stabiliser_look(&w->stabiliser, &w->changes);
        if (w->stabiliser.moved_back) {
            w->worst = fmax(w->worst, (double)w->changes.changed / (double)w->changes.looked_at);
            w->first_s = fmin(w->first_s, f->t_s);
            w->last_s = f->t_s;
        }
        frame_free(f);
    }
}

static void look(struct watched *w, shake *how, double until_s)
{
    look_tuned(w, how, until_s, &tuning_defaults.track);
}

static void finish(struct watched *w)
{
    change_detector_finish(&w->changes);
    stabiliser_finish(&w->stabiliser);
}

static void a_camera_that_stands_or_is_knocked_is_left_alone(void **state)
{
    (void)state;
    static shake *const how[] = { stands, knocked_once };
    for (size_t i = 0; i < countof(how); i++) {
        struct watched w;
        look(&w, how[i], 4);
        assert_true(isinf(w.first_s) && !w.stabiliser.shakes);
        finish(&w);
    }
}

// Until it is known that the camera stands, it may shake.
static void a_knock_is_held_still_while_it_may_be_a_hand_s(void **state)
{
    (void)state;
    struct watched w;
    look(&w, knocked_at_once, 3);
    assert_true(w.first_s < 0.3 && w.last_s > 0.5 && w.last_s < 1.6);
    assert_true(w.worst < 0.01 && !w.stabiliser.shakes);
    finish(&w);
}

// Where nothing has an edge it cannot be told whether the camera shakes: the picture is left as it is.
static void what_is_never_recognised_is_left_alone(void **state)
{
    (void)state;
    struct track_tuning tuning = tuning_defaults.track;
    tuning.edge_least = 1000; // steeper than any
    struct watched w;
    look_tuned(&w, in_a_hand, 3, &tuning);
    assert_true(isinf(w.first_s) && !w.stabiliser.shakes && w.stabiliser.samples == 0);
    finish(&w);
}

// The hand that reaches in is all that changes: it covers a thirtieth of what is looked at.
static void what_a_hand_shakes_is_held_still(void **state)
{
    (void)state;
    struct watched w;
    look(&w, in_a_hand, 6);
    print_message("  moved back since %.2f s, %.4f of the picture differs at most\n", w.first_s, w.worst);
    assert_true(w.first_s < 0.1 && w.last_s > 5.9 && w.stabiliser.shakes);
    assert_true(w.worst < 0.06);
    // Where it is now, to a tenth of a pixel, at the rim too.
    double from[6], t_s = w.changes.t_s;
    in_a_hand(from, t_s);
    const struct stabiliser *s = &w.stabiliser;
    for (int k = 0; k < 4; k++) {
        double x = k == 0 ? 1 : k == 1 ? -1 : 0, y = k == 2 ? 1 : k == 3 ? -1 : 0, reach = s->radius_px;
        struct pt_px at =
            pixel_enlarged((struct pt_px){ s->middle_u + x * reach, s->middle_v + y * reach }, w.changes.step);
        double du = w.changes.step * (s->motion[0] + s->motion[1] * x + s->motion[2] * y),
               dv = w.changes.step * (s->motion[3] + s->motion[4] * x + s->motion[5] * y);
        // What lies at `at` in the view, where the film began, is shown where `from` leads there.
        double first[6], drawn_u, drawn_v, is_u = at.u + du, is_v = at.v + dv;
        in_a_hand(first, 0);
        drawn_u = first[0] + first[1] * at.u + first[2] * at.v;
        drawn_v = first[3] + first[4] * at.u + first[5] * at.v;
        double off = hypot(from[0] + from[1] * is_u + from[2] * is_v - drawn_u,
                           from[3] + from[4] * is_u + from[5] * is_v - drawn_v);
        if (off > 0.25)
            fail_msg("%.2f px off at place %d", off, k);
    }
    finish(&w);
}

static void a_jerk_is_followed(void **state)
{
    (void)state;
    struct watched w;
    look(&w, jerked, 4.5);
    assert_true(w.stabiliser.shakes && w.lost == 0);
    assert_true(w.changes.changed < w.changes.looked_at / 50);
    finish(&w);
}

static void what_is_put_down_shakes_no_more(void **state)
{
    (void)state;
    struct watched w;
    look(&w, put_down, 5);
    assert_true(w.first_s < 0.1 && w.last_s > 2.5 && w.last_s < 4.5 && !w.stabiliser.shakes);
    finish(&w);
}

// The board is found again, half as large in the picture, which is therefore reduced by less.
static void a_view_of_another_size_is_held_still(void **state)
{
    (void)state;
    struct watched w;
    struct change_detector larger;
    uint32_t seed = 7;
    look(&w, in_a_hand, 1);
    struct board_pose smaller = w.pose;
    smaller.camera.lens.f_px /= 2;
    for (int i = 30; i < 60; i++) {
        struct frame *f = shaken_frame(i / RATE, in_a_hand, &seed);
        if (i == 30) {
            assert_int_equal(change_detector_create(&larger, f, &smaller, &tuning_defaults.track, NULL), 0);
            assert_true(larger.width > w.changes.width);
        } else {
            assert_int_equal(stabilise(&w.stabiliser, f, &larger, NULL), 0);
        }
        assert_int_equal(change_detect(&larger, f, NULL), 0);
        if (i == 30)
            stabiliser_set_view(&w.stabiliser, &larger);
        frame_free(f);
    }
    assert_true(w.stabiliser.moved_back && larger.changed < larger.looked_at / 50);
    change_detector_finish(&larger);
    finish(&w);
}

// Another view is not moved by what was known of the one before.
static void another_view_is_left_as_it_is(void **state)
{
    (void)state;
    static const struct script face = { .away_s = 0, .back_s = 1e9, .noise = 3 };
    struct watched w;
    uint32_t seed = 9;
    look(&w, in_a_hand, 3);
    on_stage = &face;
    for (int i = 90; i < 150; i++) {
        struct frame *f = stage_frame(i / RATE, &seed), *as_it_came = NULL;
        assert_int_equal(frame_copy(&as_it_came, f, NULL), 0);
        assert_int_equal(stabilise(&w.stabiliser, f, &w.changes, NULL), 0);
        if (i > 125)
            assert_memory_equal(f->bgr, as_it_came->bgr, 3 * STAGE_WIDTH * STAGE_HEIGHT);
        frame_free(as_it_came);
        frame_free(f);
    }
    finish(&w);
}

static const struct script one_is_gone = { .noise = 3,
                                           .actors = 2,
                                           .actor = {
                                               { "red", { 40, 40, 200 }, 2, { { 0, -5, 3 }, { 1e9, -5, 3 } } },
                                               { "black", { 30, 30, 30 }, 2, { { 0, 4, 6 }, { 1e9, 4, 6 } } } } };

// A quarter of a reduced pixel beside itself: of the edges nothing changes, of what is gone nearly all.
static void an_edge_a_little_beside_itself_is_no_change(void **state)
{
    (void)state;
    const struct board_pose pose = stage_board(0);
    long changed[2][2];
    double radius_px = 0;
    for (int slack = 0; slack < 2; slack++)
        for (int gone = 0; gone < 2; gone++) {
            struct change_detector d;
            uint32_t seed = 5;
            on_stage = &three_lie;
            struct frame *f = stage_frame(0, &seed);
            assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
            assert_int_equal(change_detect(&d, f, NULL), 0);
            frame_free(f);
            on_stage = gone ? &one_is_gone : &three_lie;
            f = stage_frame(0.1, &seed);
            assert_int_equal(frame_warp(f, (const double[6]){ d.step / 4, 1, 0, d.step / 5, 0, 1 }, NULL), 0);
            d.slack_px = slack ? tuning_defaults.track.steadied_px : 0;
            assert_int_equal(change_detect(&d, f, NULL), 0);
            changed[slack][gone] = d.changed;
            radius_px = change_piece_radius_px(&d, (struct pt_in){ 7, -3 });
            frame_free(f);
            change_detector_finish(&d);
        }
    assert_true(changed[0][0] > 100 && changed[1][0] < 5);
    assert_true((double)(changed[1][1] - changed[1][0]) > 0.7 * PI * radius_px * radius_px);
}

// Which is not reduced is smoother where it was moved back: so is made what it is compared with.
static void a_picture_that_is_not_reduced_is_smoothed(void **state)
{
    (void)state;
    static const double smaller[] = { 1, 3 }, slack_px[] = { 0, 0.3 };
    for (size_t i = 0; i < countof(smaller); i++)
        for (size_t k = 0; k < countof(slack_px); k++) {
            struct change_detector d;
            uint32_t seed = 5;
            on_stage = &three_lie;
            struct board_pose pose = stage_board(0);
            struct frame *f = stage_frame(0, &seed);
            pose.camera.lens.f_px /= smaller[i];
            assert_int_equal(change_detector_create(&d, f, &pose, &tuning_defaults.track, NULL), 0);
            assert_true((d.coarsest == 1) == (smaller[i] > 1));
            d.slack_px = slack_px[k];
            assert_int_equal(change_detect(&d, f, NULL), 0);
            assert_true(d.blurs == (d.coarsest == 1 && d.slack_px > 0));
            frame_free(f);
            change_detector_finish(&d);
        }
}

static const struct script one_is_shot = {
    .noise = 3,
    .actors = 2,
    .actor = { { "red", { 40, 40, 200 }, 2, { { 0, -5, 3 }, { 1e9, -5, 3 } } },
               { "black", { 30, 30, 30 }, 4, { { 0, 1, -11 }, { 4, 1, -11 }, { 4.5, 2, 6 }, { 1e9, 2, 6 } }, true } }
};

// A shot is told of a film that shakes as of one that stands, and nothing else is.
static void a_shot_is_told_while_the_camera_shakes(void **state)
{
    (void)state;
    static shake *const how[] = { stands, in_a_hand };
    for (size_t h = 0; h < countof(how); h++) {
        struct tracker_stages stages = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
        struct event_list news = { 0 };
        struct tracker *e;
        uint32_t seed = 5;
        int shots = 0, seen = 0, elsewhere = 0;
        on_stage = &one_is_shot;
        assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &stages, &tuning_defaults, NULL), 0);
        for (int i = 0; i / RATE < 7; i++) {
            struct frame *f = shaken_frame(i / RATE, how[h], &seed);
            assert_int_equal(tracker_feed(&news, e, f, NULL), 0);
            for (int k = 0; k < news.count; k++) {
                const struct observation *o = &news.item[k].observation;
                shots += o->kind == OBS_MOVE && o->move.by == MOVED_BY_SHOT;
                seen += o->kind == OBS_SEEN;
                elsewhere += o->kind == OBS_GONE || (o->kind == OBS_CAMERA && o->camera.what != CAMERA_LOCKED);
            }
            frame_free(f);
        }
        tracker_free(e);
        event_list_free(&news);
        if (shots != 1 || seen != 2 || elsewhere != 0)
            fail_msg("row %zu: %d shots, %d seen, %d else", h, shots, seen, elsewhere);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_that_stands_or_is_knocked_is_left_alone),
        cmocka_unit_test(a_knock_is_held_still_while_it_may_be_a_hand_s),
        cmocka_unit_test(what_is_never_recognised_is_left_alone),
        cmocka_unit_test(what_a_hand_shakes_is_held_still),
        cmocka_unit_test(a_jerk_is_followed),
        cmocka_unit_test(what_is_put_down_shakes_no_more),
        cmocka_unit_test(another_view_is_left_as_it_is),
        cmocka_unit_test(a_view_of_another_size_is_held_still),
        cmocka_unit_test(an_edge_a_little_beside_itself_is_no_change),
        cmocka_unit_test(a_picture_that_is_not_reduced_is_smoothed),
        cmocka_unit_test(a_shot_is_told_while_the_camera_shakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
