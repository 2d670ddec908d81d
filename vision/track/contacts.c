// SPDX-License-Identifier: MIT
#include "vision/track/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

static const double MOMENT_S = 0.001; // steps in which it is looked for when a run came to touch a piece
enum {
    POINTS_LEAST = 3, // one more than a straight run has
    POINTS_OF_A_RUN = 2,
    POINTS_FREE = 4, // that show a turn where it is not known what stands there; where a peg may stand is
    RUN_ROUNDS = 4,  // directions and speeds are known to a thousandth by then
    MOMENTS = 12,    // tried from one point to the next
    POINTS_AFTER = 3 // of the new run: the next contact may come soon
};

// Where it is at t_s, inches; its velocities before and after that, in/s; how fast friction slows it, in/s^2.
enum { AT_X, AT_Y, BEFORE_X, BEFORE_Y, AFTER_X, AFTER_Y, SLOWING, UNKNOWNS };

// The two-segment model: two straight runs that meet at t_s, or, where it is not broken, one, as after t_s.
struct two_segments {
    bool broken;
    const struct board *pegs; // what turned it aside is one of its pegs; NULL: anything
    double t_s;
    double unknown[UNKNOWNS];
    double chi2;
};

// `velocity`: BEFORE_X or AFTER_X.
static double speed_of(const struct two_segments *w, int velocity)
{
    return hypot(w->unknown[velocity], w->unknown[velocity + 1]);
}

// What one unit of each unknown adds to the place, along (x, y), at that moment.
static void slopes(double out[UNKNOWNS], const struct two_segments *w, double t_s, double x, double y)
{
    double tau = t_s - w->t_s, slows = w->unknown[SLOWING], speed = speed_of(w, AFTER_X);
    if (tau > 0 && slows > 0 && speed > 0) // it stops when friction has taken all speed
        tau = fmin(tau, speed / slows);
    int velocity = w->broken && tau < 0 ? BEFORE_X : AFTER_X;
    const double *v = &w->unknown[velocity];
    memset(out, 0, UNKNOWNS * sizeof *out);
    out[AT_X] = x;
    out[AT_Y] = y;
    out[velocity] = tau * x;
    out[velocity + 1] = tau * y;
    speed = speed_of(w, velocity);
    out[SLOWING] = speed > 0 ? -tau * tau / 2 * (x * v[0] + y * v[1]) / speed : 0;
}

static double place(const struct two_segments *w, double t_s, double x, double y)
{
    double s[UNKNOWNS], sum = 0;
    slopes(s, w, t_s, x, y);
    for (int i = 0; i < UNKNOWNS; i++)
        sum += s[i] * w->unknown[i];
    return sum;
}

// The two directions of a point's errors and their size: its time errs along the run only.
static void errors_of(double axis[2][2], double sigma_in[2], const struct two_segments *w, const struct trajectory *p,
                      int i)
{
    const double *v = &w->unknown[w->broken && p->point[i].t_s < w->t_s ? BEFORE_X : AFTER_X];
    double speed = hypot(v[0], v[1]), x = speed > 0 ? v[0] / speed : 1, y = speed > 0 ? v[1] / speed : 0;
    axis[0][0] = axis[1][1] = x;
    axis[0][1] = y;
    axis[1][0] = -y;
    sigma_in[0] = hypot(p->sigma_in, fmin(speed, p->tuning->fastest_in_s) * p->point[i].sigma_t_s);
    sigma_in[1] = p->sigma_in;
}

// How badly a peg explains the turn, as chi2: it would stand where the push came from, and throw back as pegs do.
// Speeds are known to `sigma_in_s` each, so that of a graze the direction of the push and the rebound are known badly.
static double misfit_of_peg(const struct two_segments *w, const struct track_tuning *t, double sigma_in_s)
{
    const double *u = w->unknown;
    double x = u[BEFORE_X] - u[AFTER_X], y = u[BEFORE_Y] - u[AFTER_Y], push = hypot(x, y);
    double reach = w->pegs->piece_radius_in + w->pegs->peg_radius_in;
    double closing = push > 0 ? (u[BEFORE_X] * x + u[BEFORE_Y] * y) / push : 0;
    if (closing <= 0)
        return INFINITY;
    double off_in =
        hypot(u[AT_X] + reach * x / push, u[AT_Y] + reach * y / push) - w->pegs->circle_in[w->pegs->circles - 1];
    double place_off = off_in / hypot(t->peg_sigma_in, reach * fmin(1, sigma_in_s / push));
    double rebound_off = (push - closing * (1 + t->rebound)) / hypot(t->rebound_sigma * closing, sigma_in_s);
    return place_off * place_off + rebound_off * rebound_off;
}

static double misfit(const struct two_segments *w, const struct trajectory *p, int from, int to)
{
    const struct track_tuning *t = p->tuning;
    double chi2 = pow((w->unknown[SLOWING] - t->slows_in_s2) / t->slows_sigma_in_s2, 2);
    for (int i = from; i < to; i++) {
        double axis[2][2], sigma_in[2];
        errors_of(axis, sigma_in, w, p, i);
        for (int k = 0; k < 2; k++) {
            double x = axis[k][0], y = axis[k][1];
            chi2 +=
                pow((x * p->point[i].at.x + y * p->point[i].at.y - place(w, p->point[i].t_s, x, y)) / sigma_in[k], 2);
        }
    }
    double gain = w->broken ? speed_of(w, AFTER_X) - speed_of(w, BEFORE_X) : 0;
    if (gain > 0)
        chi2 += pow(gain / (t->gains_share * speed_of(w, BEFORE_X) + t->gains_in_s), 2);
    double frame_s = (p->point[to - 1].t_s - p->point[from].t_s) / (to - 1 - from);
    return w->pegs ? chi2 + misfit_of_peg(w, t, p->sigma_in / frame_s) : chi2;
}

// False when the points do not say it.
static bool fit_runs(struct two_segments *w, const struct trajectory *p, int from, int to)
{
    const struct track_tuning *t = p->tuning;
    memset(w->unknown, 0, sizeof w->unknown);
    for (int round = 0; round < RUN_ROUNDS; round++) {
        double N[UNKNOWNS * UNKNOWNS], g[UNKNOWNS], row[UNKNOWNS];
        struct normal_equations equations = normal_begin(N, g, UNKNOWNS);
        for (int i = from; i < to; i++) {
            double axis[2][2], sigma_in[2];
            errors_of(axis, sigma_in, w, p, i);
            for (int k = 0; k < 2; k++) {
                double is = axis[k][0] * p->point[i].at.x + axis[k][1] * p->point[i].at.y;
                slopes(row, w, p->point[i].t_s, axis[k][0], axis[k][1]);
                normal_add(&equations, row, is, 1 / (sigma_in[k] * sigma_in[k]));
            }
        }
        for (int i = BEFORE_X; i <= AFTER_Y; i++)
            normal_add_prior(&equations, i, 0, t->fastest_in_s);
        normal_add_prior(&equations, SLOWING, t->slows_in_s2, t->slows_sigma_in_s2);
        if (!normal_solve(w->unknown, &equations))
            return false;
    }
    w->chi2 = misfit(w, p, from, to);
    return isfinite(w->chi2);
}

// The likeliest moment of the turn for points from .. to - 1, within `reach_s` of best->t_s; and how far from it others
// as likely lie.
static bool likely_moment(struct two_segments *best, double *sigma_s, const struct trajectory *p, int from, int to,
                          double reach_s)
{
    struct two_segments w = *best;
    double weight = 0, mean = 0, square = 0, least = INFINITY, about_s = best->t_s;
    for (int i = from + 1; i < to; i++)
        for (int k = 0; k < MOMENTS; k++) {
            double step_s = (p->point[i].t_s - p->point[i - 1].t_s) / MOMENTS;
            w.t_s = p->point[i - 1].t_s + (k + 0.5) * step_s;
            double off_s = w.t_s - about_s;
            if (fabs(off_s) > reach_s || !fit_runs(&w, p, from, to))
                continue;
            if (w.chi2 < least) {
                double fade = exp((w.chi2 - least) / 2); // 0 for the first
                weight *= fade;
                mean *= fade;
                square *= fade;
                least = w.chi2;
                *best = w;
            }
            double likely = exp((least - w.chi2) / 2) * step_s;
            weight += likely;
            mean += likely * off_s;
            square += likely * off_s * off_s;
        }
    if (!(weight > 0))
        return false;
    mean /= weight;
    *sigma_s = sqrt(fmax(square / weight - mean * mean, 0));
    w.t_s = about_s + mean;
    if (fit_runs(&w, p, from, to) && w.chi2 < least + 1) // between two moments as likely there may be worse ones
        *best = w;
    return true;
}

// The best moment of the turn: looked for anywhere first, then between the two points around the best one, and half as
// far again.
static bool best_moment(struct two_segments *best, double *sigma_s, const struct trajectory *p, int from, int to,
                        const struct board *pegs)
{
    double span_s = p->point[to - 1].t_s - p->point[from].t_s;
    *best = (struct two_segments){ .broken = true, .pegs = pegs, .t_s = p->point[from].t_s };
    return likely_moment(best, sigma_s, p, from, to, span_s) &&
           likely_moment(best, sigma_s, p, from, to, 1.5 * span_s / (to - 1 - from));
}

// The straight run that explains points `from` .. `to` - 1 best, as it is at the first of them.
static bool fit_straight(struct two_segments *w, const struct trajectory *p, int from, int to)
{
    *w = (struct two_segments){ .t_s = p->point[from].t_s };
    return fit_runs(w, p, from, to);
}

// Do these points show a change? At a peg, if that explains them as well as anything else would.
static bool is_broken(struct two_segments *w, double *sigma_s, const struct trajectory *p, int from, int to,
                      const struct board *b)
{
    struct two_segments one, peg = { .chi2 = INFINITY };
    double peg_sigma_s;
    *w = (struct two_segments){ .chi2 = 0 };
    if (!fit_straight(&one, p, from, to) || one.chi2 < p->tuning->change_sure_chi2)
        return false;
    if (to - from >= POINTS_FREE && !best_moment(w, sigma_s, p, from, to, NULL))
        return false;
    if (b->pegs > 0 && best_moment(&peg, &peg_sigma_s, p, from, to, b) && peg.chi2 < w->chi2 + p->tuning->no_peg_chi2) {
        *w = peg;
        *sigma_s = peg_sigma_s;
    }
    return w->broken && one.chi2 - w->chi2 > p->tuning->change_sure_chi2;
}

static int points_before(const struct trajectory *p, double t_s)
{
    int n = 0;
    while (n < p->count && p->point[n].t_s < t_s)
        n++;
    return n;
}

// Was it a peg even so? Two touches between two frames look like no rebound, nor does a peg that throws back as none
// should. Still nothing else stands on the circle of the pegs. Then `w` becomes the moment at which a peg explains it
// best, however badly.
static void blame_peg(struct two_segments *w, double *sigma_s, const struct trajectory *p, int from, int to,
                      const struct board *b)
{
    struct two_segments peg;
    double peg_sigma_s, reach_in = b->piece_radius_in + b->peg_radius_in + p->tuning->peg_sigma_in;
    if (b->pegs == 0 || to - points_before(p, w->t_s) < POINTS_OF_A_RUN ||
        !best_moment(&peg, &peg_sigma_s, p, from, to, b) ||
        abs(points_before(p, peg.t_s) - points_before(p, w->t_s)) > 1 ||
        fabs(hypot(peg.unknown[AT_X], peg.unknown[AT_Y]) - b->circle_in[b->circles - 1]) > reach_in)
        return;
    *w = peg;
    *sigma_s = peg_sigma_s * sqrt(fmax(1, peg.chi2 / (2 * (to - from))));
}

bool change_point_find(struct change_point *out, const struct trajectory *p, int from, const struct board *b)
{
    struct two_segments w, more;
    double sigma_s, more_sigma_s;
    int to = from + POINTS_LEAST;
    while (to <= p->count && !is_broken(&w, &sigma_s, p, from, to, b))
        to++;
    if (to > p->count)
        return false;
    for (int last = to + POINTS_AFTER; to < p->count && to < last; to++) { // as long as it is the same run that goes on
        if (!best_moment(&more, &more_sigma_s, p, from, to + 1, w.pegs) || more.chi2 - w.chi2 > p->tuning->goes_on_chi2)
            break;
        w = more;
        sigma_s = more_sigma_s;
    }
    if (!w.pegs)
        blame_peg(&w, &sigma_s, p, from, to, b);
    *out = (struct change_point){ .t_s = w.t_s,
                                  .sigma_t_s = sigma_s,
                                  .at = { w.unknown[AT_X], w.unknown[AT_Y] },
                                  .peg = w.pegs != NULL,
                                  .next = points_before(p, w.t_s) };
    return true;
}

// A piece that moved although no picture was seen without it was there until it moved.
static double gone_by_s(const struct track *k)
{
    return isinf(k->absent_since_s) ? k->there_until_s : k->absent_since_s;
}

// When the piece, on its way from point `from` on, came to touch the other one where that lay. It is about between the
// last frame that showed the other in place and the first that did not; a shadow ahead or a slow start may shift that
// by one.
static void touch(double *t_s, double *sigma_s, const struct trajectory *p, int from, const struct track *struck,
                  double after_s, double reach_in)
{
    struct two_segments w;
    double frame_s = gone_by_s(struck) - struck->there_until_s;
    double from_s = fmax(after_s, struck->there_until_s), to_s = fmax(from_s, gone_by_s(struck));
    int to = from;
    *t_s = (from_s + to_s) / 2;
    *sigma_s = fmax((to_s - from_s) / 2, p->tuning->touch_sigma_least_s);
    while (to < p->count && p->point[to].t_s <= struck->there_until_s)
        to++;
    if (to - from < POINTS_OF_A_RUN || !fit_straight(&w, p, from, to))
        return;
    for (double at_s = from_s - frame_s; at_s <= to_s + frame_s; at_s += MOMENT_S) {
        struct pt_in at = { place(&w, at_s, 1, 0), place(&w, at_s, 0, 1) };
        if (distance_in(at, struck->piece.at) > reach_in)
            continue;
        *t_s = fmax(at_s, after_s);
        *sigma_s = fmin(*sigma_s, fmax(p->sigma_in / speed_of(&w, AFTER_X), p->tuning->touch_sigma_least_s));
        return;
    }
}

int contacts_find(struct observation out[CONTACTS_MAX], const struct track *by, const struct track *struck,
                  const struct motions *m, const struct board *b)
{
    struct trajectory path;
    struct change_point turned;
    int n = 0, from = 0;
    trajectory_follow(&path, m, by);
    double until_s = struck ? struck->there_until_s - m->tuning->same_touch_s / 2 : INFINITY;
    while (n < CONTACTS_MAX - 1 && change_point_find(&turned, &path, from, b) && turned.t_s < until_s) {
        double sigma_s = fmax(turned.sigma_t_s, m->tuning->touch_sigma_least_s);
        if (turned.peg)
            out[n++] =
                (struct observation){ OBS_CONTACT, turned.t_s, by->id,
                                      .contact = { .what = TOUCHED_PEG, .sigma_t_s = sigma_s, .at = turned.at } };
        from = turned.next;
    }
    if (!struck)
        return n;
    struct observation *o = &out[n];
    double reach_in = by->piece.radius_in + (1 + m->tuning->shadow_radii) * struck->piece.radius_in;
    *o = (struct observation){ .kind = OBS_CONTACT,
                               .id = by->id,
                               .contact = { .what = TOUCHED_PIECE, .other = struck->id, .at = struck->piece.at } };
    touch(&o->t_s, &o->contact.sigma_t_s, &path, from, struck, gone_by_s(by), reach_in);
    return n + 1;
}
