// SPDX-License-Identifier: MIT
#include "vision/track/change_patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/grow.h"
#include "vision/opencv_c/opencv_c.h"

int change_patches_create(struct change_patches *p, const struct change_detector *d, struct fail *why)
{
    size_t n = (size_t)d->width * (size_t)d->height;
    *p = (struct change_patches){ .changes = d,
                                  .label = calloc(n, sizeof *p->label),
                                  .depth = calloc(n, sizeof *p->depth),
                                  .mask = calloc(n, sizeof *p->mask),
                                  .hand_s = calloc(n, sizeof *p->hand_s) };
    for (size_t i = 0; p->hand_s && i < n; i++)
        p->hand_s[i] = -INFINITY;
    if (p->label && p->depth && p->mask && p->hand_s)
        return 0;
    change_patches_finish(p);
    return rs_fail(why, RS_ENOMEM, "no memory for patches in a picture of %d x %d pixels", d->width, d->height);
}

void change_patches_finish(struct change_patches *p)
{
    free(p->item);
    free(p->label);
    free(p->depth);
    free(p->mask);
    free(p->hand_s);
    *p = (struct change_patches){ 0 };
}

// Labels and depths of all that changed, and room for so many patches; how many there are. Beyond the end of what is
// looked at a hand goes on, so that end is no edge of it.
static int label_changes(struct change_patches *p, struct fail *why)
{
    const struct change_detector *d = p->changes;
    int found = 0, n = d->width * d->height;
    for (int i = 0; i < n; i++)
        p->mask[i] = d->mask[i] & CHANGED;
    int rc = cv_components_u8(p->label, &found, p->mask, d->width, d->height, why);
    for (int y = 0; y < d->height; y++)
        for (int x = 0; x < d->width; x++)
            p->mask[y * d->width + x] |= !change_looked_at(d, x, y);
    if (rc == 0)
        rc = cv_distance_u8(p->depth, p->mask, d->width, d->height, why);
    if (rc < 0)
        return rc;
    if (!grow_list(&p->item, &p->room, found, sizeof *p->item))
        return rs_fail(why, RS_ENOMEM, "no memory for %d patches that changed", found);
    return found;
}

static void take_in(struct change_patch *o, const struct change_detector *d, double depth, int x, int y)
{
    int at = y * d->width + x;
    o->area++;
    o->moved += (d->mask[at] & MOVED) != 0;
    o->box.left = x < o->box.left ? x : o->box.left;
    o->box.right = x > o->box.right ? x : o->box.right;
    o->box.top = y < o->box.top ? y : o->box.top;
    o->box.bottom = y > o->box.bottom ? y : o->box.bottom;
    o->thick = fmax(o->thick, depth - 0.5);
    for (int k = 0; k < 9; k++) {
        int u = x + k % 3 - 1, v = y + k / 3 - 1, beside = v * d->width + u;
        bool inside = change_looked_at(d, u, v);
        o->border |= !inside;
        if (!inside || d->mask[beside] & CHANGED)
            continue;
        double sharper = change_difference(d->now + 3 * at, d->now + 3 * beside) -
                         change_difference(d->reference + 3 * at, d->reference + 3 * beside);
        o->outline += sharper;
        o->outline_var += sharper * sharper;
    }
    o->middle.u += x;
    o->middle.v += y;
    for (int k = 0; k < 3; k++) {
        o->bgr[k] += d->now[3 * at + k];
        o->reference[k] += d->reference[3 * at + k];
    }
}

// The radius of a usual piece that is seen at that full-size pixel, reduced pixels; 0 where none can be.
static double piece_radius_px(const struct change_detector *d, struct pt_px px)
{
    struct pt_in at;
    bool located = camera_locate(&at, &d->pose->camera, px, d->pose->board.piece_height_in / 2);
    return located ? change_piece_radius_px(d, at) : 0;
}

// What is thicker there is no piece with its shadow, reduced pixels: a taw may be larger than a target.
static double thick_px(const struct change_detector *d, struct pt_px px)
{
    const struct board *b = &d->pose->board;
    double larger = fmax(b->taw_radius_max_in / b->piece_radius_in, 1);
    return d->tuning->thick_radii * larger * piece_radius_px(d, px) + d->tuning->thick_px;
}

// The sums become means, and what the patch is.
static void judge_patch(struct change_patch *o, const struct change_detector *d)
{
    const struct track_tuning *t = d->tuning;
    o->middle = pixel_enlarged((struct pt_px){ o->middle.u / o->area, o->middle.v / o->area }, d->step);
    for (int k = 0; k < 3; k++) {
        o->bgr[k] /= o->area;
        o->reference[k] /= o->area;
    }
    double r = piece_radius_px(d, o->middle);
    o->pieces = r > 0 ? o->area / (PI * r * r) : INFINITY;
    // Round a board there is a rail, so no piece gets to the end of what is looked at; on a floor it may roll away.
    bool floor = d->pose->board.surface_radius_in <= 0;
    bool reaches_in = o->border && o->pieces > (floor ? t->reaching_pieces : t->patch_least_pieces);
    bool moves = o->moved >= t->running_share * o->area;
    bool runs = moves && o->pieces >= t->patch_least_pieces && o->pieces <= t->running_most_pieces;
    o->kind = runs ? PATCH_RUNS : PATCH_STAYS;
    if (o->thick > thick_px(d, o->middle) || reaches_in)
        o->kind = !moves && o->outline < -t->ghost_sigmas * sqrt(o->outline_var) ? PATCH_GHOST : PATCH_HAND;
}

static bool is_hand(const struct change_patches *p, int at)
{
    return p->label[at] && p->item[p->label[at] - 1].kind == PATCH_HAND;
}

int change_patches_find(struct change_patches *p, struct fail *why)
{
    const struct change_detector *d = p->changes;
    int area_min =
        (int)fmax(d->tuning->patch_least_px, d->tuning->patch_least_pieces * PI / 4 * d->piece_px * d->piece_px);
    p->count = 0;
    memset(p->label, 0, (size_t)d->width * (size_t)d->height * sizeof *p->label);
    if (d->changed < area_min)
        return 0;
    int found = label_changes(p, why), kept = 0;
    if (found < 0)
        return found;
    for (int i = 0; i < found; i++)
        p->item[i] = (struct change_patch){ .box = { .left = d->width, .top = d->height } };
    for (int y = 0; y < d->height; y++)
        for (int x = 0; x < d->width; x++) {
            int at = y * d->width + x;
            if (p->label[at])
                take_in(&p->item[p->label[at] - 1], d, (double)p->depth[at], x, y);
        }
    for (int i = 0; i < found; i++)
        p->item[i].label = p->item[i].area >= area_min ? ++kept : 0;
    for (int i = 0; i < d->width * d->height; i++)
        p->label[i] = p->label[i] ? p->item[p->label[i] - 1].label : 0;
    for (int i = 0; i < found; i++) {
        if (!p->item[i].label)
            continue;
        judge_patch(&p->item[i], d);
        p->item[p->count++] = p->item[i];
    }
    for (int i = 0; i < d->width * d->height; i++)
        if (is_hand(p, i))
            p->hand_s[i] = d->t_s;
    return 0;
}

const struct change_patch *change_hand(const struct change_patches *p)
{
    const struct change_patch *hand = NULL;
    for (int i = 0; i < p->count; i++)
        if (p->item[i].kind == PATCH_HAND)
            hand = &p->item[i];
    return hand;
}

static bool hand_within(const struct change_patches *p, struct change_box box, double reach_px, double since_s)
{
    const struct change_detector *d = p->changes;
    int reach = change_pixel(d, ceil(reach_px));
    for (int y = box.top - reach; y <= box.bottom + reach; y++)
        for (int x = box.left - reach; x <= box.right + reach; x++)
            if (change_looked_at(d, x, y) && p->hand_s[y * d->width + x] >= since_s)
                return true;
    return false;
}

bool change_hand_within(const struct change_patches *p, struct change_box box, double reach_px)
{
    return p->count > 0 && hand_within(p, box, reach_px, p->changes->t_s);
}

bool change_hand_since(const struct change_patches *p, struct pt_px px, double reach_px, double since_s)
{
    const struct change_detector *d = p->changes;
    return hand_within(p, change_box_around(d, pixel_reduced(px, d->step), reach_px), 0, since_s);
}

bool change_hand_near(const struct change_patches *p, struct pt_px px, double reach_px)
{
    return p->count > 0 && change_hand_since(p, px, reach_px, p->changes->t_s);
}

bool change_under_hand(const struct change_patches *p, struct pt_px px)
{
    const struct change_detector *d = p->changes;
    struct pt_px middle = pixel_reduced(px, d->step);
    double u = middle.u, v = middle.v, thick = thick_px(d, px);
    struct change_box box = change_box_around(d, middle, thick);
    for (int y = box.top; y <= box.bottom; y++)
        for (int x = box.left; x <= box.right; x++) {
            int at = y * d->width + x;
            if (change_looked_at(d, x, y) && hypot(x - u, y - v) <= thick && (double)p->depth[at] >= thick &&
                is_hand(p, at))
                return true;
        }
    return false;
}

bool change_hand_over(const struct change_patches *p, const struct stillness *part)
{
    for (int y = 0; y < p->changes->height; y++)
        for (int x = part->from[y]; x < part->to[y]; x++)
            if (is_hand(p, y * p->changes->width + x))
                return true;
    return false;
}
