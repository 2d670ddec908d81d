// SPDX-License-Identifier: MIT
#include "vision/board/line_deviation.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"

enum { ROUNDS = 8, MOST_SAMPLES = 512 };
static const double USUAL_SIGMA_IN = 0.03; // of each wave
static const double TUKEY_SIGMAS = 4.685;  // 95 % efficiency on Gaussian noise
static const double BEYOND_DOUBT = 30;     // chi square of seven numbers: once in 10 000 true circles
static const double LEAST_AGREED = 0.6;    // of the samples

static void waves_at(double out[BOARD_STRAYS], double angle_rad)
{
    out[0] = 1;
    for (int i = 1; i < BOARD_STRAYS; i += 2) {
        out[i] = cos((i + 1) / 2 * angle_rad);
        out[i + 1] = sin((i + 1) / 2 * angle_rad);
    }
}

static double scatter_in(const double line_deviation_in[BOARD_STRAYS], const struct deviation_sample *s, int n,
                         double least_in)
{
    double rest[MOST_SAMPLES];
    for (int i = 0; i < n; i++)
        rest[i] = fabs(s[i].off_in - board_stray_in(line_deviation_in, s[i].angle_rad));
    return fmax(MAD_TO_SIGMA * median_of(rest, n), least_in);
}

// One round of weighted least squares. How far the result is from a true circle, as a chi square; *agreed: sum of weights.
static double solve(double line_deviation_in[BOARD_STRAYS], double *agreed, const struct deviation_sample *s, int n,
                    double sigma_in, double samples_per_independent)
{
    double A[BOARD_STRAYS * BOARD_STRAYS] = { 0 }, b[BOARD_STRAYS] = { 0 }, chi2 = 0;
    double information = 1 / (sigma_in * sigma_in * samples_per_independent);
    *agreed = 0;
    for (int k = 0; k < n; k++) {
        double wave[BOARD_STRAYS], known = board_stray_in(line_deviation_in, s[k].angle_rad);
        double x = (s[k].off_in - known) / (TUKEY_SIGMAS * sigma_in);
        double weight = fabs(x) < 1 ? (1 - x * x) * (1 - x * x) : 0;
        waves_at(wave, s[k].angle_rad);
        *agreed += weight > 0;
        chi2 += weight * known * known * information;
        for (int i = 0; i < BOARD_STRAYS; i++) {
            b[i] += weight * information * wave[i] * s[k].off_in;
            for (int j = 0; j < BOARD_STRAYS; j++)
                A[i * BOARD_STRAYS + j] += weight * information * wave[i] * wave[j];
        }
    }
    for (int i = 0; i < BOARD_STRAYS; i++)
        A[i * BOARD_STRAYS + i] += 1 / (USUAL_SIGMA_IN * USUAL_SIGMA_IN);
    cholesky_solve(line_deviation_in, A, b, BOARD_STRAYS); // cannot fail: the usual size makes A positive definite
    return chi2;
}

bool line_deviation_measure(double out[BOARD_STRAYS], const struct deviation_sample *s, int n, double noise_in,
                            double samples_per_independent)
{
    double chi2 = 0, agreed = 0;
    memset(out, 0, sizeof *out * BOARD_STRAYS);
    if (n < 2 * BOARD_STRAYS || n > MOST_SAMPLES || !(noise_in > 0))
        return false;
    for (int round = 0; round < ROUNDS; round++)
        chi2 = solve(out, &agreed, s, n, scatter_in(out, s, n, noise_in), samples_per_independent);
    if (chi2 > BEYOND_DOUBT && agreed > LEAST_AGREED * n)
        return true;
    memset(out, 0, sizeof *out * BOARD_STRAYS);
    return false;
}
