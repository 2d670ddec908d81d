// SPDX-License-Identifier: MIT
#include "referee/announce/labels.h"

#include <math.h>

#include "calibration/algebra.h"

enum { DIRECTIONS = 16, RINGS = 14 };

// In heights of the label: its distance from the piece at first; how much farther each try goes; from where on a line
// leads; what it costs that this line crosses a piece.
static const double GAP = 0.15, STEP = 0.6, FAR = 0.7, CROSSING = 2;

bool label_box_overlaps(struct label_box a, struct label_box b)
{
    return a.u0 < b.u1 && b.u0 < a.u1 && a.v0 < b.v1 && b.v0 < a.v1;
}

static struct label_box box_around(struct pt_px middle, double half_u, double half_v)
{
    return (struct label_box){ middle.u - half_u, middle.v - half_v, middle.u + half_u, middle.v + half_v };
}

static struct pt_px middle_of(struct label_box b)
{
    return (struct pt_px){ (b.u0 + b.u1) / 2, (b.v0 + b.v1) / 2 };
}

// The clipping of Liang and Barsky.
static bool crosses(struct label_box b, struct pt_px from, struct pt_px to)
{
    double enter = 0, leave = 1;
    const double start[2] = { from.u, from.v }, way[2] = { to.u - from.u, to.v - from.v };
    const double low[2] = { b.u0, b.v0 }, high[2] = { b.u1, b.v1 };
    for (int k = 0; k < 2; k++) {
        if (way[k] == 0) {
            if (start[k] <= low[k] || start[k] >= high[k])
                return false;
            continue;
        }
        double a = (low[k] - start[k]) / way[k], z = (high[k] - start[k]) / way[k];
        enter = fmax(enter, fmin(a, z));
        leave = fmin(leave, fmax(a, z));
    }
    return enter < leave;
}

// The line back: from the label's nearest place to where the oval of the piece begins.
static void lead(struct label_place *p, struct label_box piece)
{
    struct pt_px middle = middle_of(piece);
    p->from = (struct pt_px){ fmin(fmax(middle.u, p->box.u0), p->box.u1), fmin(fmax(middle.v, p->box.v0), p->box.v1) };
    double du = p->from.u - middle.u, dv = p->from.v - middle.v;
    double reach = hypot(du / fmax((piece.u1 - piece.u0) / 2, 1e-9), dv / fmax((piece.v1 - piece.v0) / 2, 1e-9));
    double part = reach > 1 ? 1 / reach : 1;
    p->to = (struct pt_px){ middle.u + part * du, middle.v + part * dv };
}

static bool is_free(struct label_box box, const struct label_place *placed, int n, const struct label_room *room)
{
    bool ok = box.u0 >= 0 && box.v0 >= 0 && box.u1 <= room->width_px && box.v1 <= room->height_px;
    for (int i = 0; i < room->count && ok; i++)
        ok = !label_box_overlaps(box, room->kept[i]);
    for (int i = 0; i < n && ok; i++)
        ok = !placed[i].placed || !label_box_overlaps(box, placed[i].box);
    return ok;
}

static void place(struct label_place *out, const struct label_wish *wish, const struct label_place *placed, int n,
                  const struct label_room *room)
{
    double half_u = wish->width_px / 2, half_v = wish->height_px / 2, best = INFINITY;
    double piece_u = (wish->piece.u1 - wish->piece.u0) / 2, piece_v = (wish->piece.v1 - wish->piece.v0) / 2;
    struct pt_px middle = middle_of(wish->piece);
    *out = (struct label_place){ .placed = false };
    for (int ring = 0; ring < RINGS && ring * STEP < best; ring++) {
        double away_px = (GAP + ring * STEP) * wish->height_px;
        for (int k = 0; k < DIRECTIONS; k++) {
            // Right, left, below and above first, then what lies between: in this order where places are equally good.
            static const int order[DIRECTIONS] = { 0, 8, 4, 12, 2, 14, 6, 10, 1, 15, 7, 9, 3, 13, 5, 11 };
            double a = 2 * PI * order[k] / DIRECTIONS, x = cos(a), y = sin(a);
            double across = fmax(fabs(x) > 1e-9 ? fabs(x) : 0, fabs(y) > 1e-9 ? fabs(y) : 0);
            // On the border of the box in which the label's middle may not lie.
            struct pt_px at = { middle.u + x / across * (piece_u + away_px + half_u),
                                middle.v + y / across * (piece_v + away_px + half_v) };
            struct label_place p = { .placed = true, .box = box_around(at, half_u, half_v), .far = ring * STEP > FAR };
            if (!is_free(p.box, placed, n, room))
                continue;
            double cost = ring * STEP + 0.01 * k;
            lead(&p, wish->piece);
            for (int i = 0; i < room->count && p.far; i++)
                cost += crosses(room->kept[i], p.from, p.to) ? CROSSING : 0;
            if (cost < best) {
                best = cost;
                *out = p;
            }
        }
    }
}

void labels_place(struct label_place *out, const struct label_wish *wish, int n, const struct label_room *room)
{
    for (int i = 0; i < n; i++)
        place(&out[i], &wish[i], out, i, room);
}
