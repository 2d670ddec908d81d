// SPDX-License-Identifier: MIT
#include "vision/board/illumination.h"

#include <math.h>
#include <stdbool.h>

#include "calibration/algebra.h"

enum { LEAST_SAMPLES = 100, ROUNDS = 4 };
static const double CLIPPED = 250, DARK = 8; // codes: above a sensor is full, below a ratio says nothing
static const double TUKEY_SIGMAS = 4.685;    // 95 % as good as least squares for Gaussian noise
static const double NOISE_START = 4;         // codes, before there is anything to measure it by
static const double LEAST_NOISE = 1;         // codes are whole numbers, compressed
static const double LEAST_GAIN = 0.1;        // a slope may not turn light into none

double illumination_gain(const struct illumination *l, int channel, double x, double y)
{
    const double *g = l->gain[channel];
    return fmax(g[0] + g[1] * x + g[2] * y, LEAST_GAIN);
}

static bool tells(const struct illumination_sample *s, int c)
{
    return (double)s->was[c] > DARK && (double)s->was[c] < CLIPPED && (double)s->is[c] < CLIPPED;
}

static double off_of(const struct illumination *l, const struct illumination_sample *s, int c)
{
    return (double)s->is[c] - illumination_gain(l, c, s->x, s->y) * (double)s->was[c];
}

static double scatter(const struct illumination *l, const struct illumination_sample *sample, int n, int c)
{
    double size[LIGHT_SAMPLES_MAX];
    for (int i = 0; i < n; i++)
        size[i] = fabs(off_of(l, &sample[i], c));
    return n > 0 ? fmax(MAD_TO_SIGMA * median_of(size, n), LEAST_NOISE) : NOISE_START;
}

static void start(struct illumination *l, const struct illumination_sample *sample, int n, int c)
{
    double ratio[LIGHT_SAMPLES_MAX];
    int told = 0;
    for (int i = 0; i < n; i++)
        if (tells(&sample[i], c))
            ratio[told++] = (double)sample[i].is[c] / (double)sample[i].was[c];
    l->gain[c][0] = told >= LEAST_SAMPLES ? median_of(ratio, told) : 1;
    l->gain[c][1] = l->gain[c][2] = 0;
}

// One round of weighted least squares.
static void better(struct illumination *l, const struct illumination_sample *sample, int n, int c)
{
    double A[9] = { 0 }, b[3] = { 0 }, step[3], reach = TUKEY_SIGMAS * scatter(l, sample, n, c);
    int told = 0;
    for (int i = 0; i < n; i++) {
        const struct illumination_sample *s = &sample[i];
        double off = off_of(l, s, c), x = off / reach, weight = (1 - x * x) * (1 - x * x), was = (double)s->was[c];
        double row[3] = { was, was * s->x, was * s->y };
        if (!tells(s, c) || !(fabs(x) < 1))
            continue;
        told++;
        for (int k = 0; k < 3; k++) {
            b[k] += weight * row[k] * off;
            for (int m = 0; m < 3; m++)
                A[3 * k + m] += weight * row[k] * row[m];
        }
    }
    if (told < LEAST_SAMPLES || !cholesky_solve(step, A, b, 3))
        return;
    for (int k = 0; k < 3; k++)
        l->gain[c][k] += step[k];
}

void illumination_fit(struct illumination *out, double noise[3], const struct illumination_sample *sample, int n)
{
    for (int c = 0; c < 3; c++) {
        start(out, sample, n, c);
        for (int i = 0; i < ROUNDS; i++)
            better(out, sample, n, c);
        noise[c] = scatter(out, sample, n, c) / out->gain[c][0];
    }
}
