// SPDX-License-Identifier: MIT
// stage.h: pieces drawn on a drawn board, by what a camera at a known place would see of them, and what is found of
// them.
#ifndef RINGSIDE_TESTS_VISION_PIECES_STAGE_H
#define RINGSIDE_TESTS_VISION_PIECES_STAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/calibration/view.h"
#include "tests/vision/board/painted.h"
#include "vision/pieces/pieces.h"

enum { WIDTH = 960, HEIGHT = 720, STEPS = 12, MOST = 16, REACH_PX = 40 };
static const struct paint BOARD = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 2, 0 };
static const double RED[3] = { 50, 45, 180 }, BLACK[3] = { 40, 38, 36 }, WHITE[3] = { 230, 235, 235 };

struct actor {
    struct pt_in at;
    double base_in;
    const double *colour; // B G R
};

struct stage {
    struct camera camera;
    struct board board;
    int count;
    struct actor actor[MOST];
    bool is_peg[MOST];
};

static const double PEG_HEIGHT_IN = 0.8;

// Whether the line of sight through the pixel meets the piece; *top tells its face from its side.
static inline bool hits(bool *top, const struct stage *s, const struct actor *a, struct pt_px seen)
{
    const struct board *b = &s->board;
    bool peg = s->is_peg[a - s->actor];
    double height_in = peg ? PEG_HEIGHT_IN : b->piece_height_in;
    for (int k = 0; k <= STEPS; k++) {
        double up = height_in * (STEPS - k) / STEPS, r = peg ? b->peg_radius_in : b->piece_radius_in;
        struct pt_in p;
        if (b->piece == PIECE_MARBLE)
            r = sqrt(fmax(0, r * r - pow(up - r, 2)));
        if (!camera_locate(&p, &s->camera, seen, a->base_in + up) || hypot(p.x - a->at.x, p.y - a->at.y) > r)
            continue;
        if (hypot(p.x - a->at.x, p.y - a->at.y) < b->piece_hole_radius_in)
            continue;
        *top = k == 0 || b->piece == PIECE_MARBLE;
        return true;
    }
    return false;
}

// Light adds up, coded values do not.
static inline uint8_t mixed(double one, double other, double share, double other_share)
{
    double light = share * pow(one / 255, 2.2) + other_share * pow(other / 255, 2.2);
    return (uint8_t)lround(255 * fmin(pow(light, 1 / 2.2), 1)); // no camera has more
}

// The farthest of those nearer to the camera than `than_in`; -1: none.
static inline int next_nearer(double *than_in, const struct stage *s)
{
    struct pt3_in eye = camera_position(&s->camera);
    double farthest_in = 0;
    int next = -1;
    for (int i = 0; i < s->count; i++) {
        double off_in = hypot(s->actor[i].at.x - eye.x, s->actor[i].at.y - eye.y);
        if (off_in < *than_in && (next < 0 || off_in > farthest_in)) {
            farthest_in = off_in;
            next = i;
        }
    }
    *than_in = farthest_in;
    return next;
}

static inline void paint_pieces(struct frame *f, const struct stage *s)
{
    double off_in = INFINITY;
    for (int i = next_nearer(&off_in, s); i >= 0; i = next_nearer(&off_in, s)) {
        struct pt_px middle;
        assert_true(camera_project(&middle, &s->camera, (struct pt3_in){ s->actor[i].at.x, s->actor[i].at.y, 0 }));
        for (int v = (int)middle.v - REACH_PX; v < (int)middle.v + REACH_PX; v++)
            for (int u = (int)middle.u - REACH_PX; u < (int)middle.u + REACH_PX; u++) {
                int inside = 0;
                double shade = 0;
                for (int k = 0; k < 4; k++) {
                    bool top;
                    if (!hits(&top, s, &s->actor[i], (struct pt_px){ u - 0.25 + k % 2 * 0.5, v - 0.25 + k / 2 * 0.5 }))
                        continue;
                    inside++;
                    shade += top ? 1 : 0.55;
                }
                uint8_t *bgr = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
                for (int c = 0; c < 3 && inside; c++)
                    bgr[c] = mixed(bgr[c], s->actor[i].colour[c], (4 - inside) / 4.0, shade / 4);
            }
    }
}

static inline struct stage crokinole_stage(double tilt_rad)
{
    struct stage s = { .camera = view_of_board(WIDTH, HEIGHT, 800, -0.04, tilt_rad, 0.35, 36),
                       .board = *board_builtin("crokinole-nca") };
    return s;
}

static inline struct frame *draw(const struct stage *s, const struct paint *paint)
{
    struct frame *f = NULL;
    struct fail why = { 0 };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &s->camera, &s->board, paint);
    paint_pieces(f, s);
    return f;
}

// What is found in a drawn picture, which is blurred and given back.
static inline struct detection_list find_in(struct frame *f, const struct stage *s)
{
    struct fail why = { 0 };
    struct detection_list list;
    struct board_pose pose = {
        .found = true, .board = s->board, .camera = s->camera, .fit = { .camera = s->camera }, .line_sigma_in = 0.002
    };
    painted_blur(f);
    assert_int_equal(pieces_find(&list, f, &pose, &tuning_defaults, &why), 0);
    frame_free(f);
    return list;
}

static inline struct detection_list find_on(const struct stage *s, const struct paint *paint)
{
    return find_in(draw(s, paint), s);
}

// The piece found nearest to a place.
static inline const struct detection *nearest(const struct detection_list *list, struct pt_in at)
{
    const struct detection *best = NULL;
    for (int i = 0; i < list->count; i++) {
        const struct detection *p = &list->piece[i];
        if (!best || hypot(p->at.x - at.x, p->at.y - at.y) < hypot(best->at.x - at.x, best->at.y - at.y))
            best = p;
    }
    assert_non_null(best);
    return best;
}

static inline double off_place_in(const struct detection_list *list, struct pt_in at)
{
    const struct detection *p = nearest(list, at);
    return hypot(p->at.x - at.x, p->at.y - at.y);
}

#endif
