// SPDX-License-Identifier: MIT
#include "vision/track/trail.h"

#include <math.h>

#include "vision/track/kept.h"

static const double THICK_OF_PIECE = 1.4; // of a piece's radius: thicker than a piece with its shadow
static const double THICK_ROUNDING_PX = 0.7;
static const double REACHING_IN = 3; // areas of a piece: what comes in from outside and is larger is a hand
static const double LARGEST = 12;    // areas of a piece: two pieces, smeared by a fast shot
static const double SMALLEST = 0.25;
static const double RUNNING_SHARE = 0.2;  // of its pixels change from frame to frame
static const double OFF_MIXTURE_LAB = 25; // CIE76: shading and noise of a blurred piece

static bool locate(struct pt_in *at, const struct board_pose *pose, double u, double v)
{
    return camera_locate(at, &pose->camera, (struct pt_px){ u, v }, pose->board.piece_height_in / 2);
}

static double areas_of_piece(const struct blob *o, const struct gate *g, const struct board_pose *pose)
{
    struct pt_in at;
    double r = locate(&at, pose, o->u, o->v) ? kept_radius_px(g, pose, at) : 0;
    return r > 0 ? o->area / (PI * r * r) : INFINITY;
}

static double thick_px(const struct gate *g, const struct board_pose *pose, double u, double v)
{
    struct pt_in at;
    double r = locate(&at, pose, u, v) ? kept_radius_px(g, pose, at) : 0;
    return THICK_OF_PIECE * r + THICK_ROUNDING_PX;
}

enum patch_kind trail_kind(const struct blob *o, const struct gate *g, const struct board_pose *pose)
{
    double pieces = areas_of_piece(o, g, pose);
    // Round a board there is a rail, so no piece gets to the end of what is looked at; on a floor it may roll away.
    bool reaches_in = o->border && pieces > (pose->board.surface_radius_in > 0 ? SMALLEST : REACHING_IN);
    if (o->thick > thick_px(g, pose, o->u, o->v) || reaches_in)
        return PATCH_HAND;
    bool runs = o->moved >= RUNNING_SHARE * o->area && pieces >= SMALLEST && pieces <= LARGEST;
    return runs ? PATCH_RUNS : PATCH_STAYS;
}

static bool is_hand(const struct blobs *b, const enum patch_kind *kind, int label)
{
    for (int i = 0; i < b->count; i++)
        if (b->item[i].label == label)
            return kind[i] == PATCH_HAND;
    return false;
}

bool trail_hand_within(const struct blobs *b, const enum patch_kind *kind, const struct gate *g, const struct blob *box,
                       double reach_px)
{
    int reach = (int)ceil(reach_px);
    for (int y = box->top - reach; y <= box->bottom + reach; y++)
        for (int x = box->left - reach; x <= box->right + reach; x++) {
            if (y < 0 || y >= g->height || x < g->from[y] || x >= g->to[y])
                continue;
            int label = b->label[y * g->width + x];
            if (label && label != box->label && is_hand(b, kind, label))
                return true;
        }
    return false;
}

bool trail_hand_over(const struct blobs *b, const enum patch_kind *kind, const struct gate *g, const struct quiet *part)
{
    for (int y = 0; y < g->height; y++)
        for (int x = part->from[y]; x < part->to[y]; x++) {
            int label = b->label[y * g->width + x];
            if (label && is_hand(b, kind, label))
                return true;
        }
    return false;
}

bool trail_under_hand(const struct blobs *b, const enum patch_kind *kind, const struct gate *g,
                      const struct board_pose *pose, struct pt_px px)
{
    double u = (px.u + 0.5) / g->step - 0.5, v = (px.v + 0.5) / g->step - 0.5, thick = thick_px(g, pose, px.u, px.v);
    for (int y = (int)(v - thick); y <= v + thick; y++)
        for (int x = (int)(u - thick); x <= u + thick; x++) {
            if (y < 0 || y >= g->height || x < g->from[y] || x >= g->to[y] || hypot(x - u, y - v) > thick)
                continue;
            int at = y * g->width + x;
            if (b->label[at] && b->depth[at] >= DEPTH_PER_PX * thick && is_hand(b, kind, b->label[at]))
                return true;
        }
    return false;
}

void trail_add(struct trail *t, const struct blobs *b, const enum patch_kind *kind, const struct gate *g,
               const struct board_pose *pose)
{
    for (int i = 0; i < b->count && t->count < TRAIL_MAX; i++) {
        const struct blob *o = &b->item[i];
        struct step s = { .t_s = g->t_s, .px = { o->u, o->v }, .pieces = areas_of_piece(o, g, pose) };
        if (kind[i] != PATCH_RUNS || o->border || !locate(&s.at, pose, o->u, o->v))
            continue;
        if (trail_hand_within(b, kind, g, o, kept_radius_px(g, pose, s.at)))
            continue;
        for (int k = 0; k < 3; k++) {
            s.bgr[k] = o->bgr[k];
            s.clean[k] = o->clean[k];
        }
        t->step[t->count++] = s;
    }
}

static double linear(double code)
{
    double c = code / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

// sRGB to CIE L*a*b*, white D65 (IEC 61966-2-1).
void trail_lab(double lab[3], const double bgr[3])
{
    double b = linear(bgr[0]), g = linear(bgr[1]), r = linear(bgr[2]);
    double x = lab_curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    double y = lab_curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
    double z = lab_curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

double trail_off_mixture(double *part, const double seen[3], const double clean[3], const double piece[3])
{
    double along = 0, length = 0, off = 0;
    for (int k = 0; k < 3; k++) {
        along += (seen[k] - clean[k]) * (piece[k] - clean[k]);
        length += (piece[k] - clean[k]) * (piece[k] - clean[k]);
    }
    *part = length > 0 ? fmax(0, fmin(along / length, 1)) : 0;
    for (int k = 0; k < 3; k++)
        off += pow(seen[k] - clean[k] - *part * (piece[k] - clean[k]), 2);
    return sqrt(off);
}

double trail_likeness(const struct step *s, const double lab[3])
{
    double now[3], clean[3], part;
    trail_lab(now, s->bgr);
    trail_lab(clean, s->clean);
    return trail_off_mixture(&part, now, clean, lab) < OFF_MIXTURE_LAB ? part : -1;
}
