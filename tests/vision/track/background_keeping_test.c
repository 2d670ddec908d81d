// SPDX-License-Identifier: MIT
// A stream's empty board, learnt by the eye while it watches: faint discs that come to lie there are seen, and none is
// made of a light that changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vision/board/grained.h"
#include "vision/track/pose_tracking.h"
#include "vision/track/tracker.h"

enum { FRAMES_PER_S = 10, STORY_MAX = 64 };
static const struct pt_in PLACES[] = { { -5, 3 }, { 3.2, 8.1 }, { 9, -4 }, { -2.5, -9.2 }, { -8.2, -5 } };
static const double DISCS_COME_S = 1.5, LIGHT_CHANGES_S = 3, ENDS_S = 4.5;

struct told {
    int count;
    struct event item[STORY_MAX];
};

static struct grained stage;
static struct frame *looks[3]; // of the board: empty, with discs, in another light

static int find_board(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                      const struct tuning *tuning, struct fail *why)
{
    (void)tuning;
    (void)f, (void)wanted, (void)lens, (void)why;
    *out = grained_found(&stage);
    return 0;
}

static int refit(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning,
                 struct fail *why)
{
    (void)board, (void)f, (void)tuning, (void)why;
    *out = (struct refit){ .seen = true };
    return 0;
}

// As if nobody had seen the board empty.
static int find_in_photo(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                         const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    (void)known;
    return pieces_find(out, f, pose, tuning, why);
}

static void set_stage(double t_s)
{
    stage = grained_stage(0.4);
    stage.grain = 0.9;
    stage.gain = t_s < LIGHT_CHANGES_S ? 1 : 1.25;
    for (int c = 0; c < 3; c++)
        stage.disc[c] *= 0.9;
    if (t_s >= DISCS_COME_S) {
        memcpy(stage.at, PLACES, sizeof PLACES);
        stage.discs = (int)countof(PLACES);
    }
}

// A frame of that moment: the same noise as long as nothing changes. The caller frees it.
static struct frame *frame_at(double t_s)
{
    struct frame *f;
    int look = (t_s >= DISCS_COME_S) + (t_s >= LIGHT_CHANGES_S);
    set_stage(t_s);
    if (!looks[look])
        looks[look] = grained_frame(&stage, t_s);
    assert_int_equal(frame_copy(&f, looks[look], NULL), 0);
    f->t_s = t_s;
    return f;
}

static void note(struct told *told, const struct event_list *h)
{
    for (int i = 0; i < h->count; i++) {
        assert_true(told->count < STORY_MAX);
        told->item[told->count++] = h->item[i];
    }
}

static int count(const struct told *told, enum observation_kind kind)
{
    int n = 0;
    for (int i = 0; i < told->count; i++)
        n += told->item[i].observation.kind == kind;
    return n;
}

static struct told watch(const struct tracker_stages *finders)
{
    struct event_list news = { 0 };
    struct told told = { 0 };
    struct tracker *e;
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, finders, &tuning_defaults, NULL), 0);
    for (int i = 0; i < ENDS_S * FRAMES_PER_S; i++) {
        struct frame *f = frame_at((double)i / FRAMES_PER_S);
        assert_int_equal(tracker_feed(&news, e, f, NULL), 0);
        note(&told, &news);
        frame_free(f);
    }
    assert_int_equal(tracker_finish(&news, e, NULL), 0);
    note(&told, &news);
    struct tracker_inside inside;
    tracker_inside(&inside, e);
    assert_non_null(inside.empty);
    tracker_free(e);
    event_list_free(&news);
    return told;
}

static bool suffices(const struct board_pose *pose, struct fail *why)
{
    (void)why;
    return pose->found;
}

static void faint_discs_are_seen_by_who_saw_the_board_empty(void **state)
{
    (void)state;
    struct tracker_stages with = { find_board, refit, pieces_find_on, suffices },
                          without = { find_board, refit, find_in_photo, suffices };
    struct told known = watch(&with), photo = watch(&without);
    print_message("  seen: %d, without the empty board %d of %d\n", count(&known, OBS_SEEN), count(&photo, OBS_SEEN),
                  (int)countof(PLACES));
    assert_int_equal(count(&known, OBS_SEEN), (int)countof(PLACES));
    assert_int_equal(count(&known, OBS_GONE), 0);
    assert_int_equal(count(&known, OBS_MOVE), 0);
    assert_true(count(&photo, OBS_SEEN) < (int)countof(PLACES));
    for (size_t i = 0; i < countof(looks); i++)
        frame_free(looks[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faint_discs_are_seen_by_who_saw_the_board_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
