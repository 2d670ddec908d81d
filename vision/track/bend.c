// SPDX-License-Identifier: MIT
#include "vision/track/bend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

static const double SLOWS_IN_S2 = 77, SLOWS_SIGMA_IN_S2 = 40; // sliding friction, or a carpet's, is 0.1 to 0.3 of g
static const double FASTEST_IN_S = 300;                       // 7.6 m/s: faster than anybody shoots
static const double GAINS = 0.1, GAINS_IN_S = 4; // speed: nothing that stands still makes a piece faster, but steps err
static const double REBOUND = 0.6, REBOUND_SIGMA = 0.2; // of the closing speed: pegs are of wood, brass or rubber
static const double PEG_SIGMA_IN = 0.15; // of where a bend says that a peg stands: shadows shift a patch by so much
static const double NO_PEG = 9;   // chi2 that the pegs' circle and their rebound cost: 3 sigma; more, and it was none
static const double SURE = 30;    // chi2 that two ways explain better than one: 5 sigma for three more unknowns
static const double GOES_ON = 12; // chi2 of one more step: 3 sigma; more, and it was turned again
enum {
    LEAST_STEPS = 3, // one more than a straight way has
    STEPS_OF_A_WAY = 2,
    LEAST_STEPS_FREE = 4, // where nothing is known of what stands there
    ROUNDS = 4,           // directions and speeds are known to a thousandth by then
    BEFORE_AND_AFTER = 7, // unknowns: where, velocity before, velocity after, friction
    MOMENTS = 12,         // tried from one step to the next
    STEPS_AFTER = 3       // of the new way: the next contact may come soon
};

// One or two ways that meet at t_s.
struct pair_of_ways {
    bool bent;
    const struct board *pegs; // what turned it aside is one of its pegs; NULL: anything
    double t_s;
    double unknown[BEFORE_AND_AFTER]; // as in the enum
    double chi2;
};

static double speed_of(const struct pair_of_ways *w, int part)
{
    return hypot(w->unknown[2 + 2 * part], w->unknown[3 + 2 * part]);
}

// Seconds that it has run after t_s, negative before; it stops when friction has taken all speed.
static double runs_s(const struct pair_of_ways *w, double t_s)
{
    double tau = t_s - w->t_s, slows = w->unknown[6];
    return tau > 0 && slows > 0 && speed_of(w, 1) > 0 ? fmin(tau, speed_of(w, 1) / slows) : tau;
}

// What one unit of each unknown adds to the place, along (x, y), at that moment.
static void slopes(double out[BEFORE_AND_AFTER], const struct pair_of_ways *w, double t_s, double x, double y)
{
    double tau = runs_s(w, t_s), speed;
    int part = w->bent && tau < 0 ? 0 : 1;
    const double *v = &w->unknown[2 + 2 * part];
    memset(out, 0, BEFORE_AND_AFTER * sizeof *out);
    out[0] = x;
    out[1] = y;
    out[2 + 2 * part] = tau * x;
    out[3 + 2 * part] = tau * y;
    speed = speed_of(w, part);
    out[6] = speed > 0 ? -tau * tau / 2 * (x * v[0] + y * v[1]) / speed : 0;
}

static double place(const struct pair_of_ways *w, double t_s, double x, double y)
{
    double s[BEFORE_AND_AFTER], sum = 0;
    slopes(s, w, t_s, x, y);
    for (int i = 0; i < BEFORE_AND_AFTER; i++)
        sum += s[i] * w->unknown[i];
    return sum;
}

// The two directions of a step's errors and their size: its time errs along the way only.
static void errors_of(double axis[2][2], double sigma_in[2], const struct pair_of_ways *w, const struct path *p, int i)
{
    const double *v = &w->unknown[w->bent && p->step[i].t_s < w->t_s ? 2 : 4];
    double speed = hypot(v[0], v[1]), x = speed > 0 ? v[0] / speed : 1, y = speed > 0 ? v[1] / speed : 0;
    axis[0][0] = axis[1][1] = x;
    axis[0][1] = y;
    axis[1][0] = -y;
    sigma_in[0] = hypot(p->sigma_in, fmin(speed, FASTEST_IN_S) * p->step[i].sigma_t_s);
    sigma_in[1] = p->sigma_in;
}

static void add_row(double A[], double b[], const double row[], double is, double sigma)
{
    for (int i = 0; i < BEFORE_AND_AFTER; i++) {
        b[i] += row[i] * is / (sigma * sigma);
        for (int k = 0; k < BEFORE_AND_AFTER; k++)
            A[i * BEFORE_AND_AFTER + k] += row[i] * row[k] / (sigma * sigma);
    }
}

static bool solve_round(struct pair_of_ways *w, const struct path *p, int from, int to)
{
    double A[BEFORE_AND_AFTER * BEFORE_AND_AFTER] = { 0 }, b[BEFORE_AND_AFTER] = { 0 };
    for (int i = from; i < to; i++) {
        double axis[2][2], sigma_in[2], row[BEFORE_AND_AFTER];
        errors_of(axis, sigma_in, w, p, i);
        for (int k = 0; k < 2; k++) {
            slopes(row, w, p->step[i].t_s, axis[k][0], axis[k][1]);
            add_row(A, b, row, axis[k][0] * p->step[i].at.x + axis[k][1] * p->step[i].at.y, sigma_in[k]);
        }
    }
    for (int i = 2; i < BEFORE_AND_AFTER; i++) {
        double row[BEFORE_AND_AFTER] = { 0 };
        row[i] = 1;
        add_row(A, b, row, i == 6 ? SLOWS_IN_S2 : 0, i == 6 ? SLOWS_SIGMA_IN_S2 : FASTEST_IN_S);
    }
    return cholesky_solve(w->unknown, A, b, BEFORE_AND_AFTER);
}

// What it costs to say that a peg stands where the push came from and threw it back as pegs do. Speeds are known to
// `sigma_in_s` each: of a graze, the direction of the push and the rebound are known badly.
static double misfit_of_peg(const struct pair_of_ways *w, double sigma_in_s)
{
    const double *u = w->unknown;
    double x = u[2] - u[4], y = u[3] - u[5], push = hypot(x, y),
           reach = w->pegs->piece_radius_in + w->pegs->peg_radius_in;
    double closing = push > 0 ? (u[2] * x + u[3] * y) / push : 0;
    if (closing <= 0)
        return INFINITY;
    double off_in = hypot(u[0] + reach * x / push, u[1] + reach * y / push) - w->pegs->circle_in[w->pegs->circles - 1];
    double place_off = off_in / hypot(PEG_SIGMA_IN, reach * fmin(1, sigma_in_s / push));
    double rebound_off = (push - closing * (1 + REBOUND)) / hypot(REBOUND_SIGMA * closing, sigma_in_s);
    return place_off * place_off + rebound_off * rebound_off;
}

static double misfit(const struct pair_of_ways *w, const struct path *p, int from, int to)
{
    double chi2 = pow((w->unknown[6] - SLOWS_IN_S2) / SLOWS_SIGMA_IN_S2, 2);
    for (int i = from; i < to; i++) {
        double axis[2][2], sigma_in[2];
        errors_of(axis, sigma_in, w, p, i);
        for (int k = 0; k < 2; k++) {
            double x = axis[k][0], y = axis[k][1];
            chi2 += pow((x * p->step[i].at.x + y * p->step[i].at.y - place(w, p->step[i].t_s, x, y)) / sigma_in[k], 2);
        }
    }
    double gain = w->bent ? speed_of(w, 1) - speed_of(w, 0) : 0;
    if (gain > 0)
        chi2 += pow(gain / (GAINS * speed_of(w, 0) + GAINS_IN_S), 2);
    double frame_s = (p->step[to - 1].t_s - p->step[from].t_s) / (to - 1 - from);
    return w->pegs ? chi2 + misfit_of_peg(w, p->sigma_in / frame_s) : chi2;
}

// False when the steps do not say it.
static bool fit(struct pair_of_ways *w, const struct path *p, int from, int to)
{
    memset(w->unknown, 0, sizeof w->unknown);
    for (int round = 0; round < ROUNDS; round++)
        if (!solve_round(w, p, from, to))
            return false;
    w->chi2 = misfit(w, p, from, to);
    return isfinite(w->chi2);
}

// The likeliest moment for steps from .. to - 1, of those within `reach_s` of best->t_s; with how far others as likely lie.
static bool likely_moment(struct pair_of_ways *best, double *sigma_s, const struct path *p, int from, int to,
                          double reach_s)
{
    struct pair_of_ways w = *best;
    double weight = 0, mean = 0, square = 0, least = INFINITY, about_s = best->t_s;
    for (int i = from + 1; i < to; i++)
        for (int k = 0; k < MOMENTS; k++) {
            double step_s = (p->step[i].t_s - p->step[i - 1].t_s) / MOMENTS;
            w.t_s = p->step[i - 1].t_s + (k + 0.5) * step_s;
            double off_s = w.t_s - about_s;
            if (fabs(off_s) > reach_s || !fit(&w, p, from, to))
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
    if (fit(&w, p, from, to) && w.chi2 < least + 1) // between two moments as likely there may be worse ones
        *best = w;
    return true;
}

// First anywhere, then between the two steps that the best one lies between, and half as far again.
static bool best_moment(struct pair_of_ways *best, double *sigma_s, const struct path *p, int from, int to,
                        const struct board *pegs)
{
    double span_s = p->step[to - 1].t_s - p->step[from].t_s;
    *best = (struct pair_of_ways){ .bent = true, .pegs = pegs, .t_s = p->step[from].t_s };
    return likely_moment(best, sigma_s, p, from, to, span_s) &&
           likely_moment(best, sigma_s, p, from, to, 1.5 * span_s / (to - 1 - from));
}

static struct way way_of(const struct pair_of_ways *w, int part)
{
    return (struct way){
        w->t_s, { w->unknown[0], w->unknown[1] }, w->unknown[2 + 2 * part], w->unknown[3 + 2 * part], w->unknown[6]
    };
}

static bool fit_straight(struct pair_of_ways *w, const struct path *p, int from, int to)
{
    *w = (struct pair_of_ways){ .t_s = p->step[from].t_s };
    return fit(w, p, from, to);
}

// Do these steps show a bend? At a peg, if that explains them as well as anything else would.
static bool is_bent(struct pair_of_ways *w, double *sigma_s, const struct path *p, int from, int to,
                    const struct board *b)
{
    struct pair_of_ways one, peg = { .chi2 = INFINITY };
    double peg_sigma_s;
    *w = (struct pair_of_ways){ .chi2 = 0 };
    if (!fit_straight(&one, p, from, to) || one.chi2 < SURE)
        return false;
    if (to - from >= LEAST_STEPS_FREE && !best_moment(w, sigma_s, p, from, to, NULL))
        return false;
    if (b->pegs > 0 && best_moment(&peg, &peg_sigma_s, p, from, to, b) && peg.chi2 < w->chi2 + NO_PEG) {
        *w = peg;
        *sigma_s = peg_sigma_s;
    }
    return w->bent && one.chi2 - w->chi2 > SURE;
}

static int steps_before(const struct path *p, double t_s)
{
    int n = 0;
    while (n < p->count && p->step[n].t_s < t_s)
        n++;
    return n;
}

// One more step as long as it is the same way that goes on.
static int go_on(struct pair_of_ways *w, double *sigma_s, const struct path *p, int from, int to)
{
    struct pair_of_ways more;
    double more_sigma_s;
    for (int last = to + STEPS_AFTER; to < p->count && to < last; to++) {
        if (!best_moment(&more, &more_sigma_s, p, from, to + 1, w->pegs) || more.chi2 - w->chi2 > GOES_ON)
            break;
        *w = more;
        *sigma_s = more_sigma_s;
    }
    return to;
}

// Two touches between two frames, or a peg that throws back as none should: still nothing else stands on the circle of
// the pegs. Then `w` becomes the moment at which a peg explains it best, as badly as it does.
static void blame_peg(struct pair_of_ways *w, double *sigma_s, const struct path *p, int from, int to,
                      const struct board *b)
{
    struct pair_of_ways peg;
    double peg_sigma_s, reach_in = b->piece_radius_in + b->peg_radius_in + PEG_SIGMA_IN;
    if (b->pegs == 0 || to - steps_before(p, w->t_s) < STEPS_OF_A_WAY ||
        !best_moment(&peg, &peg_sigma_s, p, from, to, b) ||
        abs(steps_before(p, peg.t_s) - steps_before(p, w->t_s)) > 1 ||
        fabs(hypot(peg.unknown[0], peg.unknown[1]) - b->circle_in[b->circles - 1]) > reach_in)
        return;
    *w = peg;
    *sigma_s = peg_sigma_s * sqrt(fmax(1, peg.chi2 / (2 * (to - from))));
}

bool bend_find(struct bend *out, const struct path *p, int from, const struct board *b)
{
    struct pair_of_ways w;
    double sigma_s;
    int to = from + LEAST_STEPS;
    while (to <= p->count && !is_bent(&w, &sigma_s, p, from, to, b))
        to++;
    if (to > p->count)
        return false;
    to = go_on(&w, &sigma_s, p, from, to);
    if (!w.pegs)
        blame_peg(&w, &sigma_s, p, from, to, b);
    *out = (struct bend){
        .t_s = w.t_s, .sigma_t_s = sigma_s, .peg = w.pegs != NULL, .before = way_of(&w, 0), .after = way_of(&w, 1)
    };
    out->at = out->before.at;
    out->next = steps_before(p, w.t_s);
    return true;
}

bool bend_straight(struct way *out, const struct path *p, int from, int to)
{
    struct pair_of_ways w;
    if (to - from < 2 || !fit_straight(&w, p, from, to))
        return false;
    *out = way_of(&w, 1);
    return true;
}

struct pt_in bend_at(const struct way *w, double t_s)
{
    struct pair_of_ways one = { .t_s = w->t_s,
                                .unknown = { w->at.x, w->at.y, 0, 0, w->x_in_s, w->y_in_s, w->slows_in_s2 } };
    return (struct pt_in){ place(&one, t_s, 1, 0), place(&one, t_s, 0, 1) };
}
