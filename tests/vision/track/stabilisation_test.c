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

static void knocked_once(double from[6], double t_s)
{
    double part = t_s < 1.5 ? 0 : t_s < 1.8 ? (t_s - 1.5) / 0.3 : 1;
    stands(from, t_s);
    from[0] = 4 * part;
    from[3] = -3 * part;
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
    double shakes_s, stands_s; // since it shakes, and shakes no more
    double worst;              // of what is looked at, the share that differs from the reference while it is held still
};

static void look(struct watched *w, shake *how, double until_s)
{
    uint32_t seed = 5;
    on_stage = &three_lie;
    *w = (struct watched){ .pose = stage_board(0), .shakes_s = INFINITY, .stands_s = INFINITY };
    stabiliser_begin(&w->stabiliser, &tuning_defaults.track);
    for (int i = 0; i / RATE < until_s; i++) {
        struct frame *f = shaken_frame(i / RATE, how, &seed);
        if (i == 0)
            assert_int_equal(change_detector_create(&w->changes, f, &w->pose, &tuning_defaults.track, NULL), 0);
        else
            assert_int_equal(stabilise(&w->stabiliser, f, &w->changes, NULL), 0);
        bool shakes = w->stabiliser.shakes;
        assert_int_equal(change_detect(&w->changes, f, NULL), 0);
        if (i == 0)
            stabiliser_set_view(&w->stabiliser, &w->changes);
        else
            stabiliser_look(&w->stabiliser, &w->changes);
        if (shakes)
            w->worst = fmax(w->worst, (double)w->changes.changed / (double)w->changes.looked_at);
        if (w->stabiliser.shakes && isinf(w->shakes_s))
            w->shakes_s = f->t_s;
        if (!w->stabiliser.shakes && !isinf(w->shakes_s) && isinf(w->stands_s))
            w->stands_s = f->t_s;
        frame_free(f);
    }
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
        assert_true(isinf(w.shakes_s));
        finish(&w);
    }
}

// The hand that reaches in is all that changes: it covers a thirtieth of what is looked at.
static void what_a_hand_shakes_is_held_still(void **state)
{
    (void)state;
    struct watched w;
    look(&w, in_a_hand, 6);
    print_message("  shakes since %.2f s, %.4f of the picture differs at most\n", w.shakes_s, w.worst);
    assert_true(w.shakes_s < 1.3 && isinf(w.stands_s));
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

static void what_is_put_down_shakes_no_more(void **state)
{
    (void)state;
    struct watched w;
    look(&w, put_down, 5);
    assert_true(w.shakes_s < 1.3 && w.stands_s > 2.5 && w.stands_s < 4.5);
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
        cmocka_unit_test(what_a_hand_shakes_is_held_still),
        cmocka_unit_test(what_is_put_down_shakes_no_more),
        cmocka_unit_test(another_view_is_left_as_it_is),
        cmocka_unit_test(a_shot_is_told_while_the_camera_shakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
