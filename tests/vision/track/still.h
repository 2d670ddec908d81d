// SPDX-License-Identifier: MIT
// still.h: a moment in which nothing moves on a stage, and what ran before it, for tests of what a tracker makes of it.
#ifndef RINGSIDE_TESTS_VISION_TRACK_STILL_H
#define RINGSIDE_TESTS_VISION_TRACK_STILL_H

#include <stdlib.h>
#include <string.h>

#include "tests/vision/track/stage.h"
#include "vision/board/background.h"
#include "vision/track/association.h"
#include "vision/track/events.h"

static const struct script empty_stage = { .actors = 0 };

// A still moment of a grey board of which nothing has changed.
struct still {
    struct board_pose pose;
    struct change_detector changes;
    struct change_patches patches;
    struct detection_list seen;
    struct motions motions;
    struct moment moment;
};

static inline void set_up(struct still *s)
{
    uint32_t seed = 1;
    on_stage = &empty_stage;
    struct frame *f = stage_frame(0, &seed);
    *s = (struct still){ .pose = stage_board(0), .motions.tuning = &tuning_defaults.track };
    assert_non_null(f);
    assert_int_equal(change_detector_create(&s->changes, f, &s->pose, &tuning_defaults.track, NULL), 0);
    assert_int_equal(change_patches_create(&s->patches, &s->changes, NULL), 0);
    assert_int_equal(change_detect(&s->changes, f, NULL), 0);
    s->moment = (struct moment){ .changes = &s->changes,
                                 .patches = &s->patches,
                                 .pose = &s->pose,
                                 .seen = &s->seen,
                                 .motions = &s->motions,
                                 .t_s = 2 };
    frame_free(f);
}

static inline void begin(struct reconstruction *r, struct still *s)
{
    set_up(s);
    events_begin(r, &tuning_defaults.track);
    s->moment.motions = &r->motions;
}

static inline void end(struct reconstruction *r, struct still *s)
{
    events_finish(r);
    change_detector_finish(&s->changes);
    change_patches_finish(&s->patches);
}

// The board as it is on the stage at that time, for what is kept of the empty one.
static inline void take_look(struct background *empty, const struct still *s, double t_s)
{
    uint32_t seed = 1;
    struct frame *f = stage_frame(t_s, &seed);
    assert_non_null(f);
    assert_int_equal(background_look(empty, f, &s->pose, NULL), 0);
    background_learn(empty);
    frame_free(f);
}

static inline struct detection red_at(const struct still *s, double x, double y)
{
    struct detection p = { .kind = PIECE_DISC, .at = { x, y }, .radius_in = 0.625, .certainty = 1, .support = 1 };
    snprintf(p.colour, sizeof p.colour, "red");
    camera_project(&p.px, &s->pose.camera, (struct pt3_in){ x, y, s->pose.board.piece_height_in });
    return p;
}

// A hand was beside it until then.
static inline void a_hand_beside(struct still *s, const struct detection *p, double until_s)
{
    int middle = (int)(p->px.u / s->changes.step), width = s->changes.width;
    s->patches.item = calloc(1, sizeof *s->patches.item);
    assert_non_null(s->patches.item);
    *s->patches.item = (struct change_patch){ .kind = PATCH_HAND };
    s->patches.count = 1;
    for (int i = 0; i < width * s->changes.height; i++)
        if (abs(i % width - middle) < width / 16)
            s->patches.hand_s[i] = until_s;
}

// It was measured in a frame in which all of its face looked otherwise, and was missed at 1 s.
static inline struct track missed_at(const struct still *s, double x, double y)
{
    struct track k = { .id = 1, .piece = red_at(s, x, y), .absent_since_s = 1, .there_until_s = 0.97 };
    track_take_template(&k, &s->changes, s->changes.now);
    for (int i = 0; i < k.face.count; i++)
        k.face.bgr[i][0] ^= 0x80;
    return k;
}

static inline const struct observation *only(const struct reconstruction *r, enum observation_kind kind)
{
    const struct observation *is = NULL;
    for (int i = 0; i < r->ready.count; i++)
        if (r->ready.item[i].observation.kind == kind) {
            assert_null(is);
            is = &r->ready.item[i].observation;
        }
    assert_non_null(is);
    return is;
}

// The board was seen bare for three looks, and nothing is followed on it yet.
static inline struct background *begin_bare(struct reconstruction *r, struct still *s)
{
    struct background *empty;
    set_up(s);
    events_begin(r, &tuning_defaults.track);
    assert_int_equal(background_create(&empty, &s->pose, &tuning_defaults, NULL), 0);
    for (int i = 0; i < 3; i++)
        take_look(empty, s, i);
    s->moment.empty = empty;
    s->moment.motions = &r->motions;
    return empty;
}

// A patch of red, as large as a disc, that was not there before.
static inline void show_red_patch(struct still *s, double x, double y)
{
    double r = change_piece_radius_px(&s->changes, (struct pt_in){ x, y });
    struct pt_px px = red_at(s, x, y).px;
    s->patches.item = s->patches.item ? s->patches.item : calloc(1, sizeof *s->patches.item);
    assert_non_null(s->patches.item);
    s->patches.count = 1;
    *s->patches.item = (struct change_patch){ .kind = PATCH_STAYS,
                                              .middle = px,
                                              .area = (int)(PI * r * r + 1),
                                              .thick = r,
                                              .bgr = { 40, 40, 200 },
                                              .reference = { 120, 170, 200 } };
}

enum { RUN_STEPS = 5 };

static inline void ran_over(struct reconstruction *r, int i, struct pt_in at, const double bgr[3],
                            const double ground[3])
{
    struct motion m = { .t_s = 11 + i / 30.0, .at = at, .pieces = 1 };
    memcpy(m.bgr, bgr, sizeof m.bgr);
    memcpy(m.reference, ground, sizeof m.reference);
    assert_int_equal(motions_add(&r->motions, &m, NULL), 0);
}

#endif
