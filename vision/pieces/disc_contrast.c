// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_contrast.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/min_max.h"

float noise_lab_distance(const struct noise_lab *a, const struct noise_lab *b)
{
    float square = 0;
    for (int c = 0; c < 3; c++)
        square += (a->c[c] - b->c[c]) * (a->c[c] - b->c[c]);
    return sqrtf(square / 3);
}

static inline float middle(float a, float b, float c)
{
    return max_f32(min_f32(a, b), min_f32(max_f32(a, b), c));
}

// The median of each direction's outer rings together with those of the directions next to it: of nine, which sorted by threes
// is the middle of the largest of the least, the middle of the middle ones and the least of the largest.
static void medians_beside(struct noise_lab out[MOST_ANGLES], const struct noise_lab ring[OUTLINE_RINGS][MOST_ANGLES],
                           int n)
{
    struct noise_lab low[MOST_ANGLES], mid[MOST_ANGLES], high[MOST_ANGLES];
    for (int i = 0; i < n; i++)
        for (int c = 0; c < LAB; c++) {
            float one = ring[INSIDE_RINGS][i].c[c], two = ring[INSIDE_RINGS + 1][i].c[c],
                  three = ring[INSIDE_RINGS + 2][i].c[c];
            low[i].c[c] = min_f32(min_f32(one, two), three);
            mid[i].c[c] = middle(one, two, three);
            high[i].c[c] = max_f32(max_f32(one, two), three);
        }
    for (int i = 0, k = n - 1; i < n; k = i++) {
        int l = (i + 1) % n;
        for (int c = 0; c < LAB; c++)
            out[i].c[c] = middle(max_f32(max_f32(low[k].c[c], low[i].c[c]), low[l].c[c]),
                                 middle(mid[k].c[c], mid[i].c[c], mid[l].c[c]),
                                 min_f32(min_f32(high[k].c[c], high[i].c[c]), high[l].c[c]));
    }
}

static void swap_to_order(struct noise_lab *restrict a, struct noise_lab *restrict b)
{
    for (int c = 0; c < LAB; c++) {
        float one = a->c[c], other = b->c[c];
        a->c[c] = min_f32(one, other);
        b->c[c] = max_f32(one, other);
    }
}

// Batcher's network, for a power of two: the same comparisons whatever is compared, so that none is guessed and all channels are
// sorted at once.
static void sort(struct noise_lab *a, int n)
{
    for (int run = 1; run < n; run *= 2)
        for (int apart = run; apart > 0; apart /= 2)
            for (int from = apart < run ? apart : 0; from + apart < n; from += 2 * apart)
                for (int i = from; i < from + apart && (from ^ (from + apart)) < 2 * run;
                     i++) // both in one pair of runs
                    swap_to_order(&a[i], &a[i + apart]);
}

struct noise_lab noise_lab_median(const struct noise_lab *seen, int n)
{
    enum { ROOM = 128 };
    struct noise_lab both[ROOM], out;
    int half = 1;
    while (2 * half < n)
        half *= 2;
    memcpy(both, seen, sizeof *both * (size_t)n);
    for (int i = n; i < 2 * half; i++) // above all and below all in turn: the middle stays where it is
        for (int c = 0; c < LAB; c++)
            both[i].c[c] = i % 2 ? INFINITY : -INFINITY;
    sort(both, half);
    sort(both + half, half);
    struct noise_lab *lower = &both[half - 1], *upper = &both[half];
    for (int i = 0; i < half; i++) // then the lower half of all comes first
        swap_to_order(&both[i], &both[2 * half - 1 - i]);
    for (int i = 0; i < half - 1; i++) {
        swap_to_order(&both[i], lower);
        swap_to_order(upper, &both[half + 1 + i]);
    }
    for (int c = 0; c < LAB; c++)
        out.c[c] = n % 2 ? lower->c[c] : (float)(((double)lower->c[c] + (double)upper->c[c]) / 2);
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

// The ground around a place: what is seen there of it. False where that is nothing.
static bool ground_around(struct noise_lab *out, const struct disc_view *v)
{
    struct noise_lab far[2 * MOST_ANGLES];
    int n = 0;
    for (int k = OUTLINE_RINGS - 2; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            if (!v->left_out[k][i])
                far[n++] = v->ring[k][i];
    if (n > 0)
        *out = noise_lab_median(far, n);
    return n > 0;
}

// As medians_beside, where some is left out; *known: more than half of it is ground in that direction.
static void medians_of_seen(struct noise_lab out[MOST_ANGLES], bool known[MOST_ANGLES], const struct disc_view *v)
{
    enum { AROUND = 3, MOST = AROUND * (OUTLINE_RINGS - INSIDE_RINGS) };
    medians_beside(out, v->ring, v->angles);
    for (int i = 0, before = v->angles - 1; i < v->angles; before = i++) {
        const int at[AROUND] = { before, i, i + 1 < v->angles ? i + 1 : 0 };
        struct noise_lab seen[MOST];
        int n = 0;
        for (int k = INSIDE_RINGS; k < OUTLINE_RINGS; k++)
            for (int by = 0; by < AROUND; by++)
                if (!v->left_out[k][at[by]])
                    seen[n++] = v->ring[k][at[by]];
        known[i] = 2 * n > MOST;
        if (known[i] && n < MOST)
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
    if (!ground_around(&out->ground, v))
        return false;
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
    if (n == 0)
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
    // Which of many places are worth a look: what is inside counts most, what is outside a little less, and an outline all around more.
    // In the end the measures decide, whose weights are fitted.
    out->sum = disc_contrast_log(out->inside_low) - 0.7 * disc_contrast_log(out->spill) + 1.5 * sector +
               (double)inner / n + (double)outer / m;
    return true;
}
