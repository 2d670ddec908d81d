// SPDX-License-Identifier: MIT
#include "vision/follow/path.h"

#include <math.h>

static const double LIKE = 0.3;           // of the way from the board's colour to the piece's
static const double FASTEST_IN_S = 300;   // 7.6 m/s: faster than anybody shoots
static const double LOST_AFTER_S = 0.25;  // without a step: it has stopped, or something else runs there
static const double BEND_RAD = 0.38;      // 22 degrees: blurred steps are some hundredths of an inch beside the way
static const double SLOWEST_IN_S = 8;     // below, a step is too short to have a direction
static const double STOPPED_SHORT = 0.3;  // of its speed is left two steps later; footage that lost a frame shows half
static const double STOPPED_BY_IN_S = 20; // and it lost more than friction takes in two frames
static const double PEG_REACH_IN = 0.5;   // the bend is known to half a step

struct way {
    double x, y, speed; // inches a second
};

static struct way way_of(const struct path *p, int k)
{
    double dt = p->step[k + 1].t_s - p->step[k].t_s;
    double x = (p->step[k + 1].at.x - p->step[k].at.x) / dt, y = (p->step[k + 1].at.y - p->step[k].at.y) / dt;
    return (struct way){ x, y, hypot(x, y) };
}

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

void path_follow(struct path *out, const struct trail *t, const struct kept *k)
{
    int i = 0;
    out->count = 1;
    out->step[0].at = k->piece.at;
    out->step[0].t_s = k->there_until_s;
    while (i < t->count && t->step[i].t_s < k->absent_since_s)
        i++;
    const struct step *s;
    while (out->count < PATH_MAX_STEPS && (s = next_step(out, t, k->piece.lab, &i)) != NULL) {
        out->step[out->count].at = s->at;
        out->step[out->count++].t_s = s->t_s;
    }
}

static bool turned(const struct way *a, const struct way *b)
{
    if (a->speed < SLOWEST_IN_S)
        return false;
    if (b->speed < STOPPED_SHORT * a->speed && a->speed - b->speed > STOPPED_BY_IN_S)
        return true;
    double cosine = (a->x * b->x + a->y * b->y) / (a->speed * b->speed);
    return b->speed >= SLOWEST_IN_S && cosine < cos(BEND_RAD);
}

bool path_bend(struct bend *out, const struct path *p)
{
    // When exactly it left its place is not known, so its first way has a direction but no speed: it is passed over.
    for (int k = 1; k + 3 < p->count; k++) {
        struct way before = way_of(p, k), after = way_of(p, k + 2);
        if (!turned(&before, &after))
            continue;
        double from_s = p->step[k + 1].t_s, to_s = p->step[k + 2].t_s;
        out->t_s = (from_s + to_s) / 2;
        out->sigma_t_s = (to_s - from_s) / 2;
        out->at = (struct pt_in){ (p->step[k + 1].at.x + p->step[k + 2].at.x) / 2,
                                  (p->step[k + 1].at.y + p->step[k + 2].at.y) / 2 };
        return true;
    }
    return false;
}

bool path_beside_peg(const struct board *b, struct pt_in at)
{
    if (b->pegs == 0)
        return false;
    double ring = b->circle_in[b->circles - 1], reach = b->piece_radius_in + b->peg_radius_in + PEG_REACH_IN;
    return fabs(hypot(at.x, at.y) - ring) < reach;
}
