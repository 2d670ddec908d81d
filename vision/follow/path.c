// SPDX-License-Identifier: MIT
#include "vision/follow/path.h"

#include <math.h>

static const double LIKE = 0.3;          // of the way from the board's colour to the piece's
static const double FASTEST_IN_S = 300;  // 7.6 m/s: faster than anybody shoots
static const double LOST_AFTER_S = 0.25; // without a step: it has stopped, or something else runs there
static const double SIGMA_RADII = 0.13;  // of a patch's middle: a quarter of a reduced pixel, four of which are a piece
static const double STANDS_SIGMAS = 3;   // two steps so near to each other: it stands
static const double SIGMA_STAMP_S =
    0.0015; // of a frame's time: USB cameras stamp when the frame has come over the wire

// The step of the next frame that lies nearest to where it should be by now; NULL when it has gone.
static const struct step *next_step(const struct path *p, const struct trail *t, const double lab[3], int *i)
{
    double t_s = p->step[p->count - 1].t_s, best = INFINITY;
    struct pt_in at = p->step[p->count - 1].at;
    const struct step *next = NULL;
    for (; *i < t->count; ++*i) {
        const struct step *s = &t->step[*i];
        if (next && s->t_s > next->t_s)
            break;
        double dt = s->t_s - t_s, d = hypot(s->at.x - at.x, s->at.y - at.y);
        if (dt <= 0 || d > FASTEST_IN_S * dt || d >= best || trail_likeness(s, lab) < LIKE)
            continue;
        best = d;
        next = s;
    }
    return next && next->t_s - t_s < LOST_AFTER_S ? next : NULL;
}

static void start_at(struct path *out, double t_s, double sigma_t_s, struct pt_in at)
{
    out->count = 1;
    out->step[0] = (struct path_step){ t_s, fmax(sigma_t_s, SIGMA_STAMP_S), at };
}

static bool stands(const struct path *p)
{
    const struct path_step *last = &p->step[p->count - 1], *before = last - 1;
    return p->count > 2 && hypot(last->at.x - before->at.x, last->at.y - before->at.y) < STANDS_SIGMAS * p->sigma_in;
}

void path_follow(struct path *out, const struct trail *t, const struct kept *k)
{
    int i = 0;
    out->sigma_in = SIGMA_RADII * k->piece.radius_in;
    start_at(out, (k->there_until_s + k->absent_since_s) / 2, (k->absent_since_s - k->there_until_s) / 2, k->piece.at);
    while (i < t->count && t->step[i].t_s < k->absent_since_s)
        i++;
    const struct step *s;
    while (out->count < PATH_MAX_STEPS && (s = next_step(out, t, k->piece.lab, &i)) != NULL)
        out->step[out->count++] = (struct path_step){ s->t_s, SIGMA_STAMP_S, s->at };
    while (stands(out))
        out->count--;
}
