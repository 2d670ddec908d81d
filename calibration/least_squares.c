// SPDX-License-Identifier: MIT
#include "calibration/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

static const double DAMPING_START = 1e-3, DAMPING_LEAST = 1e-9, DAMPING_MOST = 1e8;
static const double OPEN = 1e-30; // information on a parameter that nothing determines: it stays as it is
static const double RIDGE = 1e-9; // added, as a share of their information, to those that are determined only together
static const double LOST = 1e4;   // stands for each residual of a group that a state cannot have

double tukey_weight(double off, double reach)
{
    double x = off / reach;
    return fabs(x) < 1 ? (1 - x * x) * (1 - x * x) : 0;
}

double robust_sigma(double *sizes, int n, double least)
{
    return fmax(MAD_TO_SIGMA * median_of(sizes, n), least);
}

double robust_sigma_of_lengths(double *lengths, int n, double least)
{
    static const double median_length = 1.54; // of a normal 3-vector, sigmas
    return fmax(median_of(lengths, n) / median_length, least);
}

double robust_centre(double *sigma, double *values, int n, double least)
{
    double centre = median_of(values, n);
    for (int i = 0; i < n; i++)
        values[i] = fabs(values[i] - centre);
    *sigma = robust_sigma(values, n, least);
    return centre;
}

// Cost of a residual in sigmas.
static double cost_of(enum loss loss, double off)
{
    double x = off / TUKEY_SIGMAS, rest = fmax(1 - x * x, 0);
    return loss == LOSS_TUKEY ? TUKEY_SIGMAS * TUKEY_SIGMAS / 6 * (1 - rest * rest * rest) : off * off / 2;
}

void residual_add(struct residual_sink *to, const double *r, const double *J, const int *column, int columns)
{
    int size = to->fit->group_size, group = to->groups++;
    if (to->residual) {
        memcpy(to->residual + group * size, r, sizeof *r * (size_t)size);
        return;
    }
    if (!(to->weight[group] > 0))
        return;
    for (int i = 0; i < size; i++, J += columns)
        for (int k = 0; k < columns; k++) {
            if (J[k] == 0)
                continue;
            int at = column ? column[k] : k;
            double part = to->weight[group] * J[k], *N = normal_at(to->sums, at, 0);
            to->sums->g[at] -= part * r[i];
            for (int l = 0; l <= k; l++)
                N[column ? column[l] : l] += part * J[l];
        }
}

void residual_lost(struct residual_sink *to)
{
    static const double none[RESIDUAL_GROUP_MAX], lost[RESIDUAL_GROUP_MAX] = { LOST, LOST };
    static const int column = 0;
    residual_add(to, lost, none, &column, 1); // J of one column each
}

// One allocation: the residuals here and where a step leads, their weights, the normal equations, the state tried.
struct workspace {
    double *here, *there, *sizes, *weight, *N, *damped, *g, *step;
    double *ahead, *J; // when slopes are taken by differences: residuals a step ahead; of one group
    void *next;
};

static double *workspace_create(struct workspace *w, const struct least_squares *fit)
{
    size_t n = (size_t)fit->parameters, groups = (size_t)fit->groups, m = groups * (size_t)fit->group_size;
    size_t slopes = fit->difference ? n * m : 0;
    double *memory = malloc(sizeof *memory * (3 * m + slopes + groups + 2 * n * n + 5 * n) + fit->state_size);
    if (!memory)
        return NULL;
    w->here = memory;
    w->there = w->here + m;
    w->sizes = w->there + m;
    w->ahead = w->sizes + m;
    w->weight = w->ahead + slopes;
    w->N = w->weight + groups;
    w->damped = w->N + n * n;
    w->g = w->damped + n * n;
    w->step = w->g + n;
    w->J = w->step + n;
    w->next = w->J + RESIDUAL_GROUP_MAX * n;
    return memory;
}

static void measure(double *out, const struct least_squares *fit, const void *state)
{
    struct residual_sink to = { .fit = fit, .residual = out };
    fit->residuals(&to, state, fit->context);
}

static double size_of(const struct least_squares *fit, const double *r, int group)
{
    double square = 0;
    for (int i = 0; i < fit->group_size; i++)
        square += r[group * fit->group_size + i] * r[group * fit->group_size + i];
    return sqrt(square);
}

static double cost_at(const struct least_squares *fit, const double *r, const void *state, double sigma)
{
    double cost = 0;
    for (int i = 0; i < fit->groups; i++)
        cost += 1 / fit->per_independent * cost_of(fit->loss, size_of(fit, r, i) / sigma);
    for (int k = 0; k < fit->parameters && fit->prior; k++)
        if (fit->prior[k].sigma > 0)
            cost += pow((fit->number(state, k, fit->context) - fit->prior[k].value) / fit->prior[k].sigma, 2) / 2;
    return cost;
}

// The noise and each group's weight by the residuals `here`: its information, 1 / sigma^2 where it counts fully.
static double reweigh(struct workspace *w, const struct least_squares *fit)
{
    double sigma = fit->sigma;
    int n = fit->groups * fit->group_size;
    for (int i = 0; i < n; i++)
        w->sizes[i] = fabs(w->here[i]);
    if (!(sigma > 0))
        sigma = robust_sigma(w->sizes, n, fit->least_sigma);
    for (int i = 0; i < fit->groups; i++) {
        double weight = fit->loss == LOSS_TUKEY ? tukey_weight(size_of(fit, w->here, i) / sigma, TUKEY_SIGMAS) : 1;
        w->weight[i] = 1 / fit->per_independent * weight / (sigma * sigma);
    }
    return sigma;
}

// Slopes by differences, handed in as a callback would.
static void difference(struct residual_sink *to, struct workspace *w, const struct least_squares *fit)
{
    int n = fit->parameters, m = fit->groups * fit->group_size;
    memset(w->step, 0, sizeof *w->step * (size_t)n);
    for (int k = 0; k < n; k++) {
        memcpy(w->next, fit->state, fit->state_size);
        w->step[k] = fit->difference[k];
        fit->retract(w->next, w->step, fit->context);
        w->step[k] = 0;
        measure(w->ahead + k * m, fit, w->next);
    }
    for (int i = 0; i < m; i += fit->group_size) {
        for (int at = i, k = 0; k < fit->group_size * n; k++, at = i + k / n) {
            double ahead = w->ahead[k % n * m + at];
            w->J[k] = ahead == LOST || w->here[at] == LOST ? 0 : (ahead - w->here[at]) / fit->difference[k % n];
        }
        residual_add(to, w->here + i, w->J, NULL, n);
    }
}

static struct normal_equations linearise(struct workspace *w, const struct least_squares *fit)
{
    struct normal_equations sums = normal_begin(w->N, w->g, fit->parameters);
    struct residual_sink to = { .slopes = true, .fit = fit, .weight = w->weight, .sums = &sums };
    if (fit->difference)
        difference(&to, w, fit);
    else
        fit->residuals(&to, fit->state, fit->context);
    for (int k = 0; k < fit->parameters && fit->prior; k++)
        if (fit->prior[k].sigma > 0)
            normal_add_prior(&sums, k, fit->prior[k].value - fit->number(fit->state, k, fit->context),
                             fit->prior[k].sigma);
    for (int k = 0; k < fit->parameters; k++)
        *normal_at(&sums, k, k) = fmax(*normal_at(&sums, k, k), OPEN);
    return sums;
}

static void report(struct least_squares_result *out, struct workspace *w, const struct least_squares *fit)
{
    int n = fit->parameters;
    double squares = 0, weights = 0, *covariance = fit->covariance ? fit->covariance : w->damped;
    *out = (struct least_squares_result){ .sigma = reweigh(w, fit) };
    for (int i = 0; i < fit->groups; i++) {
        squares += w->weight[i] * pow(size_of(fit, w->here, i), 2);
        weights += w->weight[i] * fit->group_size;
        out->used += w->weight[i] > 0;
    }
    out->rms = weights > 0 ? sqrt(squares / weights) : 0;
    struct normal_equations sums = linearise(w, fit);
    out->determined = true;
    for (int k = 0; k < n; k++)
        out->determined &= w->N[k * (n + 1)] > OPEN;
    if (!normal_invert(covariance, &sums)) {
        out->determined = false;
        linearise(w, fit);
        for (int k = 0; k < n; k++)
            w->N[k * (n + 1)] *= 1 + RIDGE;
        if (!normal_invert(covariance, &sums))
            for (int i = 0; i < n * n; i++)
                covariance[i] = i % (n + 1) == 0 ? INFINITY : 0;
    }
}

int least_squares_solve(struct least_squares_result *out, const struct least_squares *fit, struct fail *why)
{
    struct workspace w;
    int n = fit->parameters;
    double *memory = workspace_create(&w, fit), damping = DAMPING_START;
    if (!memory)
        return rs_fail(why, RS_ENOMEM, "no memory for a fit to %d residuals", fit->groups * fit->group_size);
    if (fit->prepare)
        fit->prepare(fit->state, fit->context);
    measure(w.here, fit, fit->state);
    for (int i = 0; i < fit->most_steps; i++) {
        double sigma = reweigh(&w, fit), before = cost_at(fit, w.here, fit->state, sigma), after = INFINITY;
        linearise(&w, fit);
        for (; damping < DAMPING_MOST; damping *= 10) { // shorter and shorter steps
            memcpy(w.damped, w.N, sizeof *w.N * (size_t)n * (size_t)n);
            for (int k = 0; k < n; k++)
                w.damped[k * (n + 1)] *= 1 + damping;
            if (!cholesky_solve(w.step, w.damped, w.g, n))
                continue;
            memcpy(w.next, fit->state, fit->state_size);
            fit->retract(w.next, w.step, fit->context);
            if (fit->possible && !fit->possible(w.next, fit->state, fit->context))
                continue;
            measure(w.there, fit, w.next);
            after = cost_at(fit, w.there, w.next, sigma);
            if (after < before)
                break;
        }
        if (!(after < before))
            break;
        memcpy(fit->state, w.next, fit->state_size);
        double *there = w.there;
        w.there = w.here;
        w.here = there;
        damping = fmax(damping / 10, DAMPING_LEAST);
        if (fit->prepare) { // what was held has changed
            fit->prepare(fit->state, fit->context);
            measure(w.here, fit, fit->state);
        }
        if (!(before - after > fit->settled * before))
            break;
    }
    report(out, &w, fit);
    free(memory);
    return 0;
}
