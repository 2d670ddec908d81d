// SPDX-License-Identifier: MIT
#include "vision/track/evidence.h"

#include <math.h>

#include "vision/track/path.h"

static const double LIKE = 0.3;            // of the way from the board's colour to the piece's
static const double LEAVES_WITHIN_S = 0.6; // a piece that is shot is clear of the hand by then
static const double FASTEST_IN_S = 300;    // 7.6 m/s: faster than anybody shoots
static const double RUN_WITHIN_S = 0.25;   // between two steps of one run
static const double STEP_MIN = 0.6;        // diameters; less may be a shadow or a lamp
static const double SAME_COLOUR = 60;      // 8-bit steps between two steps of one run: motion mixes board in
static const double SAME_SIZE = 3;         // times as large: a piece that comes out of a shadow
static const double STRAIGHT_COSINE = 0.7; // friction and the picture's noise turn a way by less
enum { STEPS_OF_A_SHOT = 2 };              // one alone may be a finger

static double distance(struct pt_in a, struct pt_in b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

bool evidence_by_shot(const struct trail *t, const struct kept *k, const struct board *b)
{
    bool beyond =
        b->kind == BOARD_CIRCLES && hypot(k->piece.at.x, k->piece.at.y) > b->circle_in[0] + b->piece_radius_in;
    if (k->piece.plane != ON_SURFACE || beyond)
        return false; // out of a hole or a ditch only a hand lifts
    if (!k->hand_near || path_leaves(t, k))
        return true;
    int steps = 0;
    double last_s = -INFINITY, far = 0;
    for (int i = 0; i < t->count; i++) {
        const struct step *s = &t->step[i];
        double after = s->t_s - k->absent_since_s, d = distance(s->at, k->piece.at);
        if (after < 0 || after > LEAVES_WITHIN_S || s->t_s == last_s || trail_likeness(s, k->piece.lab) < LIKE)
            continue;
        // It has been on its way since some time before the frame in which it was first missed.
        if (d <= far + STEP_MIN * 2 * b->piece_radius_in || d > FASTEST_IN_S * (after + RUN_WITHIN_S / 2))
            continue;
        far = d;
        last_s = s->t_s;
        steps++;
    }
    return steps >= STEPS_OF_A_SHOT;
}

static bool same_run(const struct step *a, const struct step *c, const struct board *b)
{
    double dt = c->t_s - a->t_s, d = distance(a->at, c->at), colour = 0;
    double growth = fmax(a->pieces, c->pieces) / fmin(a->pieces, c->pieces);
    for (int k = 0; k < 3; k++)
        colour += pow(a->bgr[k] - c->bgr[k], 2);
    return growth < SAME_SIZE && dt > 0 && d >= STEP_MIN * 2 * b->piece_radius_in && d <= FASTEST_IN_S * dt &&
           sqrt(colour) < SAME_COLOUR;
}

const struct step *evidence_first_run(const struct trail *t, const struct board *b)
{
    for (int i = 0; i < t->count; i++)
        for (int j = i + 1; j < t->count && t->step[j].t_s - t->step[i].t_s <= RUN_WITHIN_S; j++)
            if (same_run(&t->step[i], &t->step[j], b))
                return &t->step[i];
    return NULL;
}

static double contrast(const struct step *s)
{
    double d = 0;
    for (int k = 0; k < 3; k++)
        d += pow(s->bgr[k] - s->clean[k], 2);
    return d;
}

static bool goes_on(const struct step *a, const struct step *b, const struct step *c)
{
    double x = b->at.x - a->at.x, y = b->at.y - a->at.y, u = c->at.x - b->at.x, v = c->at.y - b->at.y;
    return x * u + y * v > STRAIGHT_COSINE * hypot(x, y) * hypot(u, v);
}

void evidence_follow(struct run *out, const struct trail *t, const struct step *first, const struct board *b)
{
    const struct step *before = NULL;
    *out = (struct run){ .steps = 1, .last = first, .clearest = first };
    for (const struct step *s = first + 1; s < t->step + t->count; s++) {
        if (s->t_s - out->last->t_s > RUN_WITHIN_S)
            return;
        if (!same_run(out->last, s, b))
            continue;
        out->steps++;
        out->path_in += distance(out->last->at, s->at);
        out->straight += before && goes_on(before, out->last, s);
        before = out->last;
        out->last = s;
        if (contrast(s) > contrast(out->clearest))
            out->clearest = s;
    }
}

const struct step *evidence_last_of(const struct trail *t, const double lab[3], double since_s)
{
    for (int i = t->count - 1; i >= 0 && t->step[i].t_s >= since_s; i--)
        if (trail_likeness(&t->step[i], lab) >= LIKE)
            return &t->step[i];
    return NULL;
}

enum piece_place evidence_plane(const struct board *b, struct pt_in at)
{
    double r = hypot(at.x, at.y);
    if (b->surface_radius_in <= 0)
        return ON_SURFACE;
    if (b->hole_radius_in > 0 && r < b->hole_radius_in)
        return IN_HOLE;
    return r > b->surface_radius_in ? IN_DITCH : ON_SURFACE;
}

static enum left_for left_from(const struct board *b, struct pt_in at)
{
    if (b->surface_radius_in <= 0)
        return LEFT_FOR_OUTSIDE;
    bool hole = b->hole_radius_in > 0 && hypot(at.x, at.y) < b->hole_radius_in + 2 * b->piece_radius_in;
    return hole ? LEFT_FOR_HOLE : LEFT_FOR_DITCH;
}

enum left_for evidence_left_for(const struct trail *t, const struct kept *k, double since_s, const struct board *b)
{
    const struct step *last = evidence_last_of(t, k->piece.lab, since_s);
    enum left_for left = left_from(b, last ? last->at : k->piece.at);
    struct path way;
    path_follow(&way, t, k);
    for (int i = 0; i < way.count && left == LEFT_FOR_HOLE; i++)
        if (hypot(way.step[i].at.x, way.step[i].at.y) > b->surface_radius_in - b->piece_radius_in)
            return LEFT_FOR_DITCH;
    return left;
}
