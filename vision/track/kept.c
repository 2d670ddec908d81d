// SPDX-License-Identifier: MIT
#include "vision/track/kept.h"

#include <math.h>

static const double FACE_PART = 0.8;   // of the radius: the rim mixes with the board
static const double BESIDE_RADII = 2;  // so far from a piece's middle its neighbours begin
enum { HITS_SURE = 2, MIDDLE = 3 };    // finders seldom take a speck for a piece twice and then no more
static const double SAME_COLOUR = 1.5; // of what counts as a change: shading differs from view to view

double kept_radius_px(const struct gate *g, const struct board_pose *pose, struct pt_in at)
{
    struct pt3_in foot = { at.x, at.y, 0 };
    return pose->board.piece_radius_in * camera_scale_px_per_in(&pose->camera, foot) / g->step;
}

static double face_height_in(const struct kept *k, const struct board_pose *pose)
{
    return k->piece.kind == PIECE_MARBLE ? k->piece.radius_in : pose->board.piece_height_in;
}

// Inches from the middle of the face, for a reduced pixel; INFINITY when the view there is degenerate.
static double inches_from_middle(double J[2][2], double du, double dv)
{
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    if (fabs(det) < 1e-9)
        return INFINITY;
    return hypot((J[1][1] * du - J[0][1] * dv) / det, (J[0][0] * dv - J[1][0] * du) / det);
}

// A ring's face has a hole, in which the board is seen; that it is always there is no sign of the piece, but no harm.
static bool on_face(const struct kept *k, double J[2][2], const struct gate *g, int x, int y)
{
    double du = (x + 0.5) * g->step - 0.5 - k->piece.px.u, dv = (y + 0.5) * g->step - 0.5 - k->piece.px.v;
    return inches_from_middle(J, du, dv) <= FACE_PART * k->piece.radius_in;
}

static void add_pixel(struct patch *p, const struct gate *g, const uint8_t *picture, int x, int y)
{
    if (p->count == PATCH_MAX || y < 0 || y >= g->height || x < g->from[y] || x >= g->to[y])
        return;
    p->at[p->count] = y * g->width + x;
    for (int c = 0; c < 3; c++)
        p->bgr[p->count][c] = picture[3 * p->at[p->count] + c];
    p->count++;
}

void kept_take_patch(struct kept *k, const struct gate *g, const uint8_t *picture, const struct board_pose *pose)
{
    double J[2][2];
    struct pt3_in face = { k->piece.at.x, k->piece.at.y, face_height_in(k, pose) };
    k->patch.count = 0;
    if (!camera_jacobian(J, &pose->camera, face))
        return;
    double u = (k->piece.px.u + 0.5) / g->step - 0.5, v = (k->piece.px.v + 0.5) / g->step - 0.5;
    int reach = 1 + (int)ceil(k->piece.radius_in * fmax(hypot(J[0][0], J[0][1]), hypot(J[1][0], J[1][1])) / g->step);
    for (int y = (int)v - reach; y <= (int)v + reach; y++)
        for (int x = (int)u - reach; x <= (int)u + reach; x++)
            if (on_face(k, J, g, x, y))
                add_pixel(&k->patch, g, picture, x, y);
    if (k->patch.count == 0)
        add_pixel(&k->patch, g, picture, (int)lround(u), (int)lround(v));
}

static double depth_in(enum piece_place plane, const struct board *b)
{
    return plane == IN_HOLE ? b->hole_depth_in : plane == IN_DITCH ? b->ditch_depth_in : 0;
}

void kept_aim(struct kept *k, const struct board_pose *pose)
{
    double z = face_height_in(k, pose) - depth_in(k->piece.plane, &pose->board);
    camera_project(&k->piece.px, &pose->camera, (struct pt3_in){ k->piece.at.x, k->piece.at.y, z });
}

static void mean_of(double bgr[3], const struct patch *p)
{
    for (int c = 0; c < 3; c++) {
        bgr[c] = 0;
        for (int i = 0; i < p->count; i++)
            bgr[c] += (double)p->bgr[i][c] / p->count;
    }
}

bool kept_shows(const struct kept *k, const struct gate *g, const uint8_t *picture, const struct board_pose *pose)
{
    struct kept now = *k;
    double was[3], is[3];
    kept_aim(&now, pose);
    kept_take_patch(&now, g, picture, pose);
    mean_of(was, &k->patch);
    mean_of(is, &now.patch);
    bool same = k->patch.count > 0 && now.patch.count > 0;
    for (int c = 0; c < 3; c++)
        same &= fabs(was[c] - is[c]) <= SAME_COLOUR * g->step_of_changes;
    return same;
}

double kept_share(const struct kept *k, const struct gate *g)
{
    int same = 0;
    for (int i = 0; i < k->patch.count; i++)
        same += gate_difference(g->now + 3 * (size_t)k->patch.at[i], k->patch.bgr[i]) <= g->step_of_changes;
    return k->patch.count ? (double)same / k->patch.count : 1;
}

bool kept_stands_out(const struct kept *k, const struct background *empty, const struct board_pose *pose)
{
    struct pt_in low;
    int differing = 0, r = MIDDLE;
    if (!empty || !camera_locate(&low, &pose->camera, k->piece.px, 0))
        return false;
    for (int i = 0; i < r * r; i++) {
        double x = (i % r - r / 2) * k->piece.radius_in / r, y = (i / r - r / 2) * k->piece.radius_in / r;
        differing += background_shows(empty, (struct pt_in){ low.x + x, low.y + y }) == SURFACE_DIFFERS;
    }
    return 2 * differing > r * r;
}

// No changed pixel on it or beside it: a neighbour that moved, a hand or a shadow is reason to look again.
static bool untouched(const struct kept *k, const struct gate *g, const struct board_pose *pose)
{
    double reach = BESIDE_RADII * kept_radius_px(g, pose, k->piece.at);
    int u = (int)(k->piece.px.u / g->step), v = (int)(k->piece.px.v / g->step), r = (int)ceil(reach);
    for (int y = v - r > 0 ? v - r : 0; y <= v + r && y < g->height; y++)
        for (int x = u - r > 0 ? u - r : 0; x <= u + r && x < g->width; x++)
            if (g->mask[(size_t)y * (size_t)g->width + (size_t)x] & CHANGED)
                return false;
    return true;
}

void kept_lying(struct detection_list *out, const struct kept *k, int n, const struct gate *g,
                const struct board_pose *pose)
{
    out->count = 0;
    for (int i = 0; i < n; i++)
        if (k[i].hits >= HITS_SURE && k[i].hits == k[i].looks && k[i].piece.plane == ON_SURFACE &&
            isinf(k[i].absent_since_s) && isinf(k[i].loose_since_s) && untouched(&k[i], g, pose))
            out->piece[out->count++] = k[i].piece;
}

// A patch shows where a piece's body is seen, not where it stands, and ends where less than a pixel of it changed.
static void add_patch(struct places *out, const struct blob *o, const struct gate *g, const struct board_pose *pose)
{
    const int u[] = { o->left, o->right + 1 }, v[] = { o->top, o->bottom + 1 };
    struct pt_in at, corner;
    double reach_in = 0;
    if (!camera_locate(&at, &pose->camera, (struct pt_px){ o->u, o->v }, 0))
        return;
    for (int i = 0; i < 4; i++) {
        struct pt_px px = { u[i % 2] * g->step, v[i / 2] * g->step };
        bool seen = camera_locate(&corner, &pose->camera, px, 0);
        reach_in = fmax(reach_in, seen ? hypot(corner.x - at.x, corner.y - at.y) : INFINITY);
    }
    places_add(out, at, reach_in + BESIDE_RADII * pose->board.piece_radius_in);
}

void kept_changed(struct places *out, const struct kept *k, int n, const struct detection_list *lying,
                  const struct blobs *b, const struct gate *g, const struct board_pose *pose)
{
    out->count = 0;
    for (int i = 0; i < b->count; i++)
        add_patch(out, &b->item[i], g, pose);
    for (int i = 0; i < n; i++) {
        bool lies = false;
        for (int j = 0; j < lying->count && !lies; j++)
            lies = lying->piece[j].at.x == k[i].piece.at.x && lying->piece[j].at.y == k[i].piece.at.y;
        if (!lies)
            places_add(out, k[i].piece.at, BESIDE_RADII * k[i].piece.radius_in);
    }
}

void kept_view(struct tracker_view *out, const struct kept *k, int n)
{
    *out = (struct tracker_view){ .count = n };
    for (int i = 0; i < n; i++) {
        out->id[i] = k[i].id;
        out->moving[i] = !isinf(k[i].absent_since_s);
        out->piece[i] = k[i].piece;
    }
}
