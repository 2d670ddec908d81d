// SPDX-License-Identifier: MIT
#include "vision/track/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

static void add_pixel(struct face_template *t, const struct change_detector *d, const uint8_t *picture, int x, int y)
{
    if (t->count == TEMPLATE_MAX || !change_looked_at(d, x, y))
        return;
    t->at[t->count] = y * d->width + x;
    memcpy(t->bgr[t->count], picture + 3 * t->at[t->count], 3);
    t->count++;
}

// A ring's face has a hole, in which the board is seen; that it is always there is no sign of the piece, but no harm.
void track_take_template(struct track *k, const struct change_detector *d, const uint8_t *picture)
{
    double J[2][2], face_in = d->tuning->face_part * k->piece.radius_in;
    struct pt3_in face = { k->piece.at.x, k->piece.at.y, detection_height_in(&k->piece, &d->pose->board) };
    k->face.count = 0;
    if (!camera_jacobian(J, &d->pose->camera, face))
        return;
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    struct pt_px middle = pixel_reduced(k->piece.px, d->step);
    double reach_px = k->piece.radius_in * fmax(hypot(J[0][0], J[0][1]), hypot(J[1][0], J[1][1])) / d->step;
    struct change_box box = change_box_around(d, middle, 1 + reach_px);
    for (int y = box.top; y <= box.bottom; y++)
        for (int x = box.left; x <= box.right; x++) {
            double du = (x - middle.u) * d->step, dv = (y - middle.v) * d->step;
            double from_middle_in =
                fabs(det) < 1e-9 ? INFINITY // the view there is degenerate
                                 : hypot((J[1][1] * du - J[0][1] * dv) / det, (J[0][0] * dv - J[1][0] * du) / det);
            if (from_middle_in <= face_in)
                add_pixel(&k->face, d, picture, x, y);
        }
    if (k->face.count == 0)
        add_pixel(&k->face, d, picture, change_pixel(d, round(middle.u)), change_pixel(d, round(middle.v)));
}

void track_project(struct track *k, const struct board_pose *pose)
{
    double z = detection_height_in(&k->piece, &pose->board) + detection_foot_in(&k->piece, &pose->board);
    camera_project(&k->piece.px, &pose->camera, (struct pt3_in){ k->piece.at.x, k->piece.at.y, z });
}

static void mean_of(double bgr[3], const struct face_template *t)
{
    for (int c = 0; c < 3; c++) {
        bgr[c] = 0;
        for (int i = 0; i < t->count; i++)
            bgr[c] += (double)t->bgr[i][c] / t->count;
    }
}

bool track_shows(const struct track *k, const struct change_detector *d, const uint8_t *picture)
{
    struct track now = *k;
    double was[3], is[3];
    track_project(&now, d->pose);
    track_take_template(&now, d, picture);
    mean_of(was, &k->face);
    mean_of(is, &now.face);
    bool same = k->face.count > 0 && now.face.count > 0;
    for (int c = 0; c < 3; c++)
        same &= fabs(was[c] - is[c]) <= d->tuning->same_face_changes * d->threshold;
    return same;
}

double track_share(const struct track *k, const struct change_detector *d)
{
    int same = 0;
    for (int i = 0; i < k->face.count; i++)
        same += change_difference(d->now + 3 * (size_t)k->face.at[i], k->face.bgr[i]) <= d->threshold;
    return k->face.count ? (double)same / k->face.count : 1;
}

bool detection_stands_out(const struct detection *p, const struct background *empty, const struct board_pose *pose)
{
    struct pt3_in eye = camera_position(&pose->camera);
    return p->plane == ON_SURFACE && background_behind_piece(empty, &eye, p->at, 0) == BACKGROUND_DIFFERS;
}

bool track_bares(const struct track *k, const struct background *empty, const struct board_pose *pose)
{
    struct pt3_in eye = camera_position(&pose->camera);
    return k->stood_out && background_behind_piece(empty, &eye, k->piece.at, 0) == BACKGROUND_BARE;
}

// True when no pixel on it or beside it has changed: a neighbour that moved, a hand or a shadow is reason to look
// again.
static bool untouched(const struct track *k, const struct change_detector *d)
{
    double reach = d->tuning->beside_radii * change_piece_radius_px(d, k->piece.at);
    struct change_box box = change_box_around(d, pixel_reduced(k->piece.px, d->step), reach);
    for (int y = box.top > 0 ? box.top : 0; y <= box.bottom && y < d->height; y++)
        for (int x = box.left > 0 ? box.left : 0; x <= box.right && x < d->width; x++)
            if (d->mask[(size_t)y * (size_t)d->width + (size_t)x] & CHANGED)
                return false;
    return true;
}

void tracks_changed(struct roi *out, struct detection_list *lying, const struct track *k, int n,
                    const struct change_patches *p)
{
    const struct change_detector *d = p->changes;
    out->count = lying->count = 0;
    out->full = false;
    for (int i = 0; i < p->count; i++) {
        // A patch shows where a piece's body is seen, not where it stands, and ends where less than a pixel changed.
        const struct change_patch *o = &p->item[i];
        const int u[] = { o->box.left, o->box.right + 1 }, v[] = { o->box.top, o->box.bottom + 1 };
        struct pt_in at, corner;
        double reach_in = 0;
        if (!camera_locate(&at, &d->pose->camera, o->middle, 0))
            continue;
        for (int c = 0; c < 4; c++) {
            struct pt_px px = { u[c % 2] * d->step, v[c / 2] * d->step };
            bool seen = camera_locate(&corner, &d->pose->camera, px, 0);
            reach_in = fmax(reach_in, seen ? distance_in(corner, at) : INFINITY);
        }
        roi_add(out, at, reach_in + d->tuning->beside_radii * d->pose->board.piece_radius_in);
    }
    for (int i = 0; i < n; i++)
        if (k[i].hits >= d->tuning->hits_sure && k[i].hits == k[i].looks && k[i].piece.plane == ON_SURFACE &&
            isinf(k[i].absent_since_s) && isinf(k[i].loose_since_s) && untouched(&k[i], d))
            lying->piece[lying->count++] = k[i].piece;
        else
            roi_add(out, k[i].piece.at, d->tuning->beside_radii * k[i].piece.radius_in);
}

int tracks_lay_over_background(struct background **empty, struct frame *f, const struct board_pose *pose,
                               const struct tuning *tuning, struct fail *why)
{
    if (pose->board.piece == PIECE_MARBLE)
        return 0;
    int rc = frame_decode(f, why);
    if (rc == 0 && *empty && !background_fits(*empty, pose)) {
        background_free(*empty);
        *empty = NULL;
    }
    if (rc == 0 && !*empty)
        rc = background_create(empty, pose, tuning, why);
    return rc == 0 ? background_look(*empty, f, pose, why) : rc;
}

// Covers the board from a piece's foot to where its top hides it. A lamp at 45 degrees throws a shadow as far as the
// piece is high.
static void cover_piece(struct background *empty, const struct detection *p, const struct board_pose *pose)
{
    struct pt3_in eye = camera_position(&pose->camera);
    double h = p->kind == PIECE_MARBLE ? 2 * p->radius_in : pose->board.piece_height_in;
    if (eye.z > h)
        background_cover(empty, p->at, camera_sight(&eye, p->at, h, 0), p->radius_in + h);
}

int tracks_learn_background(struct background *empty, const struct change_detector *d, const struct track *k, int n,
                            const struct detection_list *seen, struct fail *why)
{
    size_t width = (size_t)d->width;
    if (!empty)
        return 0;
    if (d->changed > 0) {
        uint8_t *mask = calloc(width * (size_t)d->height, 1);
        if (!mask)
            return rs_fail(why, RS_ENOMEM, "no memory for what changed on the board");
        // What changed and the pixels beside it: a reduced pixel at its edge shows a part of it only.
        for (int y = 1; y + 1 < d->height; y++)
            for (int x = 1; x + 1 < d->width; x++)
                if (d->mask[(size_t)y * width + (size_t)x] & CHANGED)
                    for (int j = y - 1; j <= y + 1; j++)
                        memset(mask + (size_t)j * width + (size_t)(x - 1), 1, 3);
        background_cover_mask(empty, mask, d->width, d->height, d->step);
        free(mask);
    }
    for (int i = 0; i < n; i++)
        cover_piece(empty, &k[i].piece, d->pose);
    for (int i = 0; seen && i < seen->count; i++)
        cover_piece(empty, &seen->piece[i], d->pose);
    background_learn(empty);
    return 0;
}
