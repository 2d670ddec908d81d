// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_contrast.h"

#include <math.h>

#include "calibration/algebra.h"

float noise_lab_distance(const struct noise_lab *a, const struct noise_lab *b)
{
    float square = 0;
    for (int c = 0; c < 3; c++)
        square += (a->c[c] - b->c[c]) * (a->c[c] - b->c[c]);
    return sqrtf(square / 3);
}

static struct noise_lab least(struct noise_lab a, struct noise_lab b)
{
    struct noise_lab out;
    for (int c = 0; c < LAB; c++)
        out.c[c] = a.c[c] < b.c[c] ? a.c[c] : b.c[c];
    return out;
}

static struct noise_lab most(struct noise_lab a, struct noise_lab b)
{
    struct noise_lab out;
    for (int c = 0; c < LAB; c++)
        out.c[c] = a.c[c] > b.c[c] ? a.c[c] : b.c[c];
    return out;
}

static struct noise_lab middle(struct noise_lab a, struct noise_lab b, struct noise_lab c)
{
    return most(least(a, b), least(most(a, b), c));
}

// The median of each direction's outer rings together with those of the directions next to it: of nine, which sorted by threes
// is the middle of the largest of the least, the middle of the middle ones and the least of the largest.
static void medians_beside(struct noise_lab out[MOST_ANGLES], const struct noise_lab ring[OUTLINE_RINGS][MOST_ANGLES],
                           int n)
{
    struct noise_lab low[MOST_ANGLES], mid[MOST_ANGLES], high[MOST_ANGLES];
    for (int i = 0; i < n; i++) {
        struct noise_lab a = ring[INSIDE_RINGS][i], b = ring[INSIDE_RINGS + 1][i], c = ring[INSIDE_RINGS + 2][i];
        low[i] = least(least(a, b), c);
        mid[i] = middle(a, b, c);
        high[i] = most(most(a, b), c);
    }
    for (int i = 0, k = n - 1; i < n; k = i++) {
        int l = (i + 1) % n;
        out[i] = middle(most(most(low[k], low[i]), low[l]), middle(mid[k], mid[i], mid[l]),
                        least(least(high[k], high[i]), high[l]));
    }
}

struct noise_lab noise_lab_median(const struct noise_lab *seen, int n)
{
    double value[MOST_INSIDE];
    struct noise_lab out;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < n; i++)
            value[i] = seen[i].c[c];
        out.c[c] = (float)median_of(value, n);
    }
    return out;
}

// Below a fifth of the noise nothing is smaller, and more than plain is no plainer.
double disc_contrast_log(double x)
{
    static const double least = 0.2, plain = 20;
    return log(fmin(fmax(x, least), plain));
}

static int rank(int n, double share)
{
    return (int)(share * (n - 1) + 0.5);
}

// The ground around a place: what is seen there of it.
static struct noise_lab ground_around(const struct disc_view *v)
{
    struct noise_lab far[2 * MOST_ANGLES];
    int n = 0;
    for (int k = OUTLINE_RINGS - 2; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            if (!v->left_out[k][i])
                far[n++] = v->ring[k][i];
    return noise_lab_median(far, n);
}

// As medians_beside, where some is left out; *known: more than half of it is ground in that direction.
static void medians_of_seen(struct noise_lab out[MOST_ANGLES], bool known[MOST_ANGLES], const struct disc_view *v)
{
    enum { AROUND = 3, MOST = AROUND * (OUTLINE_RINGS - INSIDE_RINGS) };
    for (int i = 0; i < v->angles; i++) {
        struct noise_lab seen[MOST];
        int n = 0;
        for (int k = INSIDE_RINGS; k < OUTLINE_RINGS; k++)
            for (int by = 0; by < AROUND; by++) {
                int at = (i + by - 1 + v->angles) % v->angles;
                if (!v->left_out[k][at])
                    seen[n++] = v->ring[k][at];
            }
        known[i] = 2 * n > MOST;
        if (known[i])
            out[i] = noise_lab_median(seen, n);
    }
}

// How far the colour steps around the outline, in each direction where the ground can be seen: returns how many. *sector: second
// least of the means of eight parts of the outline.
static int steps_around(double step[MOST_ANGLES], double *sector, const struct disc_view *v,
                        const struct noise_lab *ground, double contrast, bool step_by_step)
{
    enum { SECTORS = 8 };
    static const double most_step = 1.5; // of the contrast: what steps more is something else
    struct noise_lab local[MOST_ANGLES]; // what is beside it there and in the directions next to it
    bool known[MOST_ANGLES];
    double sum[SECTORS] = { 0 };
    int n = 0, in[SECTORS] = { 0 }, sectors = 0;
    for (int i = 0; i < v->angles; i++)
        known[i] = !v->left_out[INSIDE_RINGS][i];
    if (step_by_step && v->partly)
        medians_of_seen(local, known, v);
    else if (step_by_step)
        medians_beside(local, v->ring, v->angles);
    for (int i = 0; i < v->angles; i++) {
        if (!known[i] || v->left_out[1][i])
            continue;
        double by = noise_lab_distance(&v->ring[1][i], step_by_step ? &local[i] : ground) / contrast;
        step[n] = by < most_step ? by : most_step;
        sum[i * SECTORS / v->angles] += step[n++];
        in[i * SECTORS / v->angles]++;
    }
    for (int k = 0; k < SECTORS; k++)
        if (in[k] > 0)
            sum[sectors++] = sum[k] / in[k];
    *sector = sectors > 1 ? select_kth(sum, sectors, 1) : 0;
    return n;
}

bool disc_contrast_of(struct disc_contrast *out, const struct disc_view *v, bool step_by_step)
{
    static const double plain = 1.5; // times the noise: less is no contrast that others could be counted in
    double inside[MOST_INSIDE], outside[OUTLINE_RINGS * MOST_ANGLES], step[MOST_ANGLES], sector;
    int n = 0, m = 0, inner = 0, outer = 0;
    out->ground = ground_around(v);
    for (int i = 0; i < v->tops; i++)
        inside[n++] = noise_lab_distance(&v->top[i], &out->ground);
    for (int i = 0; i < v->sides; i++)
        inside[n++] = noise_lab_distance(&v->side[i], &out->ground);
    for (int k = 0; k < INSIDE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            if (!v->left_out[k][i])
                inside[n++] = noise_lab_distance(&v->ring[k][i], &out->ground);
    for (int k = INSIDE_RINGS; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            if (!v->left_out[k][i])
                outside[m++] = noise_lab_distance(&v->ring[k][i], &out->ground);
    if (m == 0 || n == 0)
        return false;
    double median = select_kth(inside, n, rank(n, 0.5)), bar = fmax(median / 2, plain);
    out->inside_low = select_kth(inside, rank(n, 0.5), rank(n, 0.2)); // what is no larger stands before it now
    for (int i = 0; i < n; i++)
        inner += inside[i] > bar;
    for (int i = 0; i < m; i++)
        outer += outside[i] < bar;
    int steps = steps_around(step, &sector, v, &out->ground, fmax(median, plain), step_by_step);
    if (steps == 0)
        return false;
    out->spill = select_kth(outside, m, rank(m, 0.75));
    out->step_low = select_kth(step, steps, rank(steps, 0.1));
    out->sum = disc_contrast_log(out->inside_low) - 0.7 * disc_contrast_log(out->spill) + 1.5 * sector +
               (double)inner / n + (double)outer / m;
    return true;
}
