// SPDX-License-Identifier: MIT
#include "vision/track/path.h"

#include <math.h>
#include <stddef.h>

enum { LEAST_STEPS = 4 }; // two may be fingers, and noise

static const double LIKE = 0.3;          // of the way from the board's colour to the piece's
static const double FASTEST_IN_S = 300;  // 7.6 m/s: faster than anybody shoots
static const double FAST_IN_S = 150;     // as fast as most shoot; who shot faster is seen elsewhere a frame later
static const double TOUCH_RADII = 4;     // from middle to middle: two pieces' radii, and two more for their shadows
static const double LOST_AFTER_S = 0.25; // without a step: it has stopped, or something else runs there
static const double SIGMA_RADII = 0.13;  // of a patch's middle: a quarter of a reduced pixel, four of which are a piece
static const double RUNS_ON = 0.3; // of a step: friction, and two steps' errors; more, and it may be something else
static const double LEAVES_WITHIN_S = 0.6;  // a piece that is shot is clear of the hand by then
static const double LEAST_RUN_RADII = 1;    // from step to step: less may be a shadow or a lamp
static const double ARRIVES_FROM_RADII = 6; // three pieces' widths: nearer, and it may have been pushed or put there
static const double STANDS_SIGMAS = 3;      // two steps so near to each other: it stands
static const double SIGMA_STAMP_S =
    0.0015; // of a frame's time: USB cameras stamp when the frame has come over the wire

// Where it should be by now and how fast it ran; false when two steps do not lie behind it.
static bool expected_at(struct pt_in *out, double *speed_in_s, const struct path *p, double t_s)
{
    const struct path_step *last = &p->step[p->count - 1], *before = last - 1;
    if (p->count < 2 || before->sigma_t_s > SIGMA_STAMP_S)
        return false;
    double ran_s = last->t_s - before->t_s, part = (t_s - last->t_s) / ran_s;
    double x = last->at.x - before->at.x, y = last->at.y - before->at.y;
    *out = (struct pt_in){ last->at.x + part * x, last->at.y + part * y };
    *speed_in_s = hypot(x, y) / ran_s;
    return true;
}

// How far it would have had to run to be that step, when it looks like the piece (`lab`, NULL: unknown) or runs on as the
// piece did; INFINITY when it cannot be it.
static double ran_in(const struct path *p, const struct step *s, const double lab[3])
{
    const struct path_step *last = &p->step[p->count - 1];
    struct pt_in expected;
    double dt = s->t_s - last->t_s, speed, d = hypot(s->at.x - last->at.x, s->at.y - last->at.y);
    if (dt <= 0 || d > FASTEST_IN_S * dt)
        return INFINITY;
    if (lab ? trail_likeness(s, lab) >= LIKE : p->count < 2)
        return d;
    if (!expected_at(&expected, &speed, p, s->t_s))
        return INFINITY;
    double off = hypot(s->at.x - expected.x, s->at.y - expected.y);
    return off < RUNS_ON * speed * dt + p->radius_in ? d : INFINITY;
}

// The step of the next frame to which it had to run least; NULL when it has gone.
static const struct step *next_step(const struct path *p, const struct trail *t, const double lab[3], int *i)
{
    double t_s = p->step[p->count - 1].t_s, best = INFINITY;
    const struct step *next = NULL;
    for (; *i < t->count; ++*i) {
        const struct step *s = &t->step[*i];
        if (next && s->t_s > next->t_s)
            break;
        double d = ran_in(p, s, lab);
        if (d >= best)
            continue;
        best = d;
        next = s;
    }
    return next && next->t_s - t_s < LOST_AFTER_S ? next : NULL;
}

static void add(struct path *p, double t_s, double sigma_t_s, struct pt_in at)
{
    p->step[p->count++] = (struct path_step){ t_s, fmax(sigma_t_s, SIGMA_STAMP_S), at };
}

static void run_on(struct path *p, const struct trail *t, const double lab[3], int i)
{
    const struct step *s;
    while (p->count < PATH_MAX_STEPS && (s = next_step(p, t, lab, &i)) != NULL)
        add(p, s->t_s, SIGMA_STAMP_S, s->at);
}

static bool stands(const struct path *p)
{
    const struct path_step *last = &p->step[p->count - 1], *before = last - 1;
    return p->count > 2 && hypot(last->at.x - before->at.x, last->at.y - before->at.y) < STANDS_SIGMAS * p->sigma_in;
}

// True when what runs from a to c came from where the piece lay, at a time at which it may have left.
static bool comes_from(const struct step *a, const struct step *c, const struct kept *k)
{
    double dt = c->t_s - a->t_s, x = c->at.x - a->at.x, y = c->at.y - a->at.y, ran = hypot(x, y);
    double back_x = a->at.x - k->piece.at.x, back_y = a->at.y - k->piece.at.y;
    if (dt <= 0 || ran < LEAST_RUN_RADII * k->piece.radius_in || ran > FASTEST_IN_S * dt)
        return false;
    double along = (back_x * x + back_y * y) / ran, beside = (back_x * y - back_y * x) / ran;
    double left_s = a->t_s - dt * along / ran;
    return along > 0 && fabs(beside) < 2 * k->piece.radius_in && left_s > k->there_until_s - dt &&
           left_s < k->absent_since_s + LEAVES_WITHIN_S;
}

static bool starts_there(const struct trail *t, const struct step *a, const struct kept *k)
{
    for (const struct step *c = a + 1; c < t->step + t->count && c->t_s - a->t_s < LOST_AFTER_S; c++)
        if (comes_from(a, c, k))
            return true;
    return false;
}

const struct step *path_leaves(const struct trail *t, const struct kept *k)
{
    struct path p;
    for (int i = 0; i < t->count; i++) {
        const struct step *a = &t->step[i];
        double after_s = a->t_s - k->absent_since_s;
        if (after_s < 0 || after_s > LEAVES_WITHIN_S || !starts_there(t, a, k))
            continue;
        path_run(&p, t, a, k->piece.radius_in);
        if (p.count >= LEAST_STEPS)
            return a;
    }
    return NULL;
}

static void start(struct path *p, double radius_in)
{
    *p = (struct path){ .radius_in = radius_in, .sigma_in = SIGMA_RADII * radius_in };
}

static void start_where_it_lay(struct path *p, const struct kept *k)
{
    start(p, k->piece.radius_in);
    add(p, (k->there_until_s + k->absent_since_s) / 2, (k->absent_since_s - k->there_until_s) / 2, k->piece.at);
}

void path_follow(struct path *out, const struct trail *t, const struct kept *k)
{
    struct path run;
    int i = 0;
    start_where_it_lay(out, k);
    while (i < t->count && t->step[i].t_s < k->absent_since_s)
        i++;
    run_on(out, t, k->piece.lab, i);
    const struct step *first = out->count < LEAST_STEPS ? path_leaves(t, k) : NULL;
    if (first) {
        path_run(&run, t, first, k->piece.radius_in);
        start_where_it_lay(out, k);
        for (i = 0; i < run.count && out->count < PATH_MAX_STEPS; i++)
            out->step[out->count++] = run.step[i];
    }
    while (stands(out))
        out->count--;
}

void path_run(struct path *out, const struct trail *t, const struct step *first, double radius_in)
{
    start(out, radius_in);
    add(out, first->t_s, SIGMA_STAMP_S, first->at);
    run_on(out, t, NULL, (int)(first - t->step) + 1);
}

bool path_may_have_moved(const struct trail *t, const struct kept *k)
{
    if (k->hand_came || isinf(k->absent_since_s) || path_leaves(t, k))
        return true;
    double frame_s = k->absent_since_s - k->there_until_s, reach_in = TOUCH_RADII * k->piece.radius_in,
           last_s = INFINITY;
    for (int i = 0; i < t->count; i++) {
        const struct step *s = &t->step[i];
        double apart_s = fmax(k->there_until_s - s->t_s, s->t_s - k->absent_since_s);
        double d = hypot(s->at.x - k->piece.at.x, s->at.y - k->piece.at.y);
        if (apart_s > LOST_AFTER_S / 2 || d > reach_in + FAST_IN_S * (frame_s + fmax(apart_s, 0)))
            continue;
        if (s->t_s > last_s) // in two frames: one alone may be noise
            return true;
        last_s = s->t_s;
    }
    return false;
}

// The step before this one in time from which something may have run to it, the nearest; NULL when there is none.
static const struct step *step_before(const struct trail *t, const struct step *s, struct pt_in at)
{
    const struct step *best = NULL;
    double least = INFINITY, to_s = hypot(s->at.x - at.x, s->at.y - at.y);
    for (const struct step *b = s - 1; b >= t->step && s->t_s - b->t_s < LOST_AFTER_S; b--) {
        double dt = s->t_s - b->t_s, d = hypot(s->at.x - b->at.x, s->at.y - b->at.y);
        if (best && b->t_s < best->t_s)
            break;
        if (dt <= 0 || d > FASTEST_IN_S * dt || d >= least || hypot(b->at.x - at.x, b->at.y - at.y) < to_s)
            continue;
        least = d;
        best = b;
    }
    return best;
}

bool path_arrives(const struct trail *t, struct pt_in at, double radius_in)
{
    const struct step *s = t->step + t->count - 1;
    while (s >= t->step && hypot(s->at.x - at.x, s->at.y - at.y) > 2 * radius_in)
        s--;
    int steps = 0;
    double far_in = 0;
    for (; s >= t->step && s != NULL && steps < LEAST_STEPS + PATH_MAX_STEPS; s = step_before(t, s, at), steps++)
        far_in = hypot(s->at.x - at.x, s->at.y - at.y);
    return steps >= LEAST_STEPS && far_in > ARRIVES_FROM_RADII * radius_in;
}
