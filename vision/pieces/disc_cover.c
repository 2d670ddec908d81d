// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_cover.h"

#include "calibration/algebra.h"

// What stands before a piece, by samples of it, and the ground beside it.
struct cover {
    struct noise_lab ground, seen[OUTLINE_RINGS * MOST_ANGLES];
    int n;
    double least;
};

// The quarter of the surroundings that looks most like the bare board. False where next to nothing is seen of them.
static bool find_ground(struct noise_lab *out, const struct disc_view *v, const struct noise_lab *empty)
{
    struct noise_lab seen[OUTLINE_RINGS * MOST_ANGLES];
    double off[OUTLINE_RINGS * MOST_ANGLES], sorted[OUTLINE_RINGS * MOST_ANGLES];
    int n = 0, like = 0;
    for (int k = INSIDE_RINGS; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            if (!v->left_out[k][i]) {
                off[n] = sorted[n] = noise_lab_distance(&v->ring[k][i], empty);
                seen[n++] = v->ring[k][i];
            }
    if (n < v->angles)
        return false;
    double bar = select_kth(sorted, n, n / 4);
    for (int i = 0; i < n; i++)
        if (off[i] <= bar)
            seen[like++] = seen[i];
    *out = noise_lab_median(seen, like);
    return true;
}

static bool is_covered(const struct cover *c, const struct noise_lab *x)
{
    double from_ground = noise_lab_distance(x, &c->ground), near = from_ground < c->least ? from_ground : c->least;
    bool like = false;
    for (int i = 0; i < c->n && !like; i++)
        like = noise_lab_distance(x, &c->seen[i]) < near;
    return like;
}

// The spots that are not covered, moved up: how many.
static int bare_spots(struct noise_lab *spot, int spots, const struct cover *c)
{
    int n = 0;
    for (int i = 0; i < spots; i++)
        if (!is_covered(c, &spot[i]))
            spot[n++] = spot[i];
    return n;
}

double disc_cover_leave_out(struct disc_view *v, const struct noise_lab *empty, double least)
{
    enum { LEAST_DIRECTIONS = 2 }; // a painted line crosses the outline in one
    struct cover c = { .n = 0, .least = least };
    bool other[MOST_ANGLES];
    if (!find_ground(&c.ground, v, empty))
        return 0;
    for (int i = 0; i < v->angles; i++) {
        other[i] = true;
        for (int k = INSIDE_RINGS; k < OUTLINE_RINGS && other[i]; k++)
            other[i] = !v->left_out[k][i] && noise_lab_distance(&v->ring[k][i], &c.ground) > least;
        for (int k = INSIDE_RINGS; k < OUTLINE_RINGS && other[i]; k++)
            c.seen[c.n++] = v->ring[k][i];
    }
    if (c.n < LEAST_DIRECTIONS * (OUTLINE_RINGS - INSIDE_RINGS))
        return 0;
    int all = v->tops + v->sides, bare;
    v->tops = bare_spots(v->top, v->tops, &c);
    v->sides = bare_spots(v->side, v->sides, &c);
    bare = v->tops + v->sides;
    for (int k = 0; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            if (!v->left_out[k][i]) {
                v->left_out[k][i] = (k >= INSIDE_RINGS && other[i]) || is_covered(&c, &v->ring[k][i]);
                bare += !v->left_out[k][i];
                all++;
            }
    v->partly = true;
    return (double)(all - bare) / all;
}
