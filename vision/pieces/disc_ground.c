// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_ground.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/units.h"
#include "vision/colour.h"

static const double LEAST_STEP_IN = 0.1;
// Of the outermost line's radius: as far as any built-in board's surface reaches, and a little farther.
static const double SURFACE_REACH = 1.15;

// Between two radii at which the board is looked at.
static double radial_step_in(double reach_in)
{
    return fmax(LEAST_STEP_IN, SURFACE_REACH * reach_in / (GROUND_STEPS - 1));
}

void disc_ground_places(struct ground_view *view, double reach_in)
{
    double step_in = radial_step_in(reach_in);
    for (int k = 0; k < GROUND_STEPS; k++) {
        double x = cos(2 * PI * k / GROUND_STEPS), y = sin(2 * PI * k / GROUND_STEPS);
        for (int r = 0; r < GROUND_STEPS; r++)
            view->at[r][k] = (struct pt_in){ r * step_in * x, r * step_in * y };
    }
}

// The waves that light is made of: harmonic functions, for what has no direction belongs to the paint.
struct waves {
    double of[4];
};

static struct waves waves_at(const struct disc_ground *g, struct pt_in at)
{
    double r = sqrt(at.x * at.x + at.y * at.y), unit = fmax(r, g->reach_in), x = at.x / unit, y = at.y / unit;
    return (struct waves){ { x, y, x * x - y * y, 2 * x * y } };
}

static struct noise_lab without_light(const struct noise_lab *seen, const struct disc_ground *g, struct pt_in at)
{
    struct noise_lab plain = *seen;
    struct waves wave = waves_at(g, at);
    for (size_t k = 0; k < countof(wave.of); k++)
        for (int c = 0; c < 3; c++)
            plain.c[c] -= (float)wave.of[k] * g->light[k][c];
    return plain;
}

static void set_median(float out[3], const struct noise_lab *seen, int n)
{
    double value[GROUND_STEPS];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < n; k++)
            value[k] = (double)seen[k].c[c];
        out[c] = (float)median_of(value, n);
    }
}

static float distance_of(const struct noise_lab *a, const float b[3])
{
    struct noise_lab other = { { b[0], b[1], b[2] } };
    return noise_lab_distance(a, &other);
}

// The circle's samples in even light; how many.
static int take_circle(struct noise_lab out[GROUND_STEPS], const struct disc_ground *g, const struct ground_view *view,
                       int r)
{
    int n = 0;
    for (int k = 0; k < GROUND_STEPS; k++)
        if (view->seen[r][k])
            out[n++] = without_light(&view->lab[r][k], g, view->at[r][k]);
    return n;
}

// The median of what is not twice as far from the median of all as most is: what hides a third of a circle moves that.
static void set_middle(float out[3], struct noise_lab *seen, int n)
{
    double off[GROUND_STEPS], sorted[GROUND_STEPS];
    int near = 0;
    set_median(out, seen, n);
    for (int k = 0; k < n; k++)
        off[k] = sorted[k] = (double)distance_of(&seen[k], out);
    double most = 2 * median_of(sorted, n);
    for (int k = 0; k < n; k++)
        if (off[k] <= most)
            seen[near++] = seen[k];
    set_median(out, seen, near);
}

// Pieces hide little of a circle: its median is the board. Where people hide half of one it is what most circles show, if that is
// seen there too. *usual: the circles that show that.
static void take_paint(struct disc_ground *g, bool usual[GROUND_STEPS], const struct ground_view *view, double least)
{
    static const double seen_least = 0.25; // of the circle: more of it than any arm or piece has
    struct noise_lab seen[GROUND_STEPS], circle[GROUND_STEPS];
    float most[3];
    int circles = 0;
    for (int r = 0; r < GROUND_STEPS; r++) {
        int n = take_circle(seen, g, view, r);
        g->empty[r][0] = (float)(50 / g->noise[0]);
        g->empty[r][1] = g->empty[r][2] = 0;
        if (n > 0)
            set_middle(g->empty[r], seen, n);
        usual[r] = n > 0 && r * radial_step_in(g->reach_in) < g->reach_in;
        if (usual[r])
            memcpy(circle[circles++].c, g->empty[r], sizeof g->empty[r]);
    }
    if (circles == 0)
        return;
    set_median(most, circle, circles);
    for (int r = 0; r < GROUND_STEPS; r++) {
        struct noise_lab middle = { { g->empty[r][0], g->empty[r][1], g->empty[r][2] } };
        if (!usual[r] || distance_of(&middle, most) <= (float)least)
            continue;
        int n = take_circle(seen, g, view, r), like = 0;
        for (int k = 0; k < n; k++)
            if (distance_of(&seen[k], most) <= (float)least)
                seen[like++] = seen[k];
        usual[r] = like > 0 && like >= seen_least * n;
        if (usual[r])
            set_median(g->empty[r], seen, like);
    }
}

// Least squares of what differs from the paint, where what differs more than most of it does counts for less and less.
static void take_light(struct disc_ground *g, const bool usual[GROUND_STEPS], const struct ground_view *view,
                       double least)
{
    enum { EVERY = 3, ROUNDS = 4, W = (int)countof(g->light), MOST = GROUND_STEPS * (GROUND_STEPS / EVERY + 1) };
    // So much of all that is looked at says that light is even: where nothing is seen it is.
    static const double belief = 0.01;
    double off[MOST], scale = INFINITY; // the first round only looks how far off all is
    for (int round = 0; round < ROUNDS; round++) {
        double N[3][W * W], right[3][W], all = 0;
        struct normal_equations sums[3]; // of each channel
        int n = 0;
        for (int c = 0; c < 3; c++)
            sums[c] = normal_begin(N[c], right[c], W);
        for (int r = 0; r < GROUND_STEPS; r++)
            for (int k = r % EVERY; k < GROUND_STEPS && usual[r]; k += EVERY) {
                if (!view->seen[r][k])
                    continue;
                double part = r * radial_step_in(g->reach_in);
                struct noise_lab plain = without_light(&view->lab[r][k], g, view->at[r][k]);
                double d = off[n++] = (double)distance_of(&plain, g->empty[r]), tail = 1 + d * d / (scale * scale);
                double weight = round > 0 ? part / (tail * tail) : 0;
                struct waves wave = waves_at(g, view->at[r][k]);
                all += part; // a sample of a larger circle stands for more of the board
                for (int c = 0; c < 3; c++)
                    normal_add(&sums[c], wave.of, (double)(view->lab[r][k].c[c] - g->empty[r][c]), weight);
            }
        if (n == 0)
            return;
        scale = fmax(median_of(off, n), least);
        for (int c = 0; c < 3 && round > 0; c++) {
            double wave[W];
            for (int i = 0; i < W; i++)
                normal_add_prior(&sums[c], i, 0, 1 / sqrt(belief * all));
            if (!normal_solve(wave, &sums[c]))
                return;
            for (int i = 0; i < W; i++)
                g->light[i][c] = (float)wave[i];
        }
    }
}

void disc_ground_fit(struct disc_ground *out, const struct ground_view *view, double least)
{
    enum { ROUNDS = 3 }; // paint is found in even light, light from the paint
    bool usual[GROUND_STEPS];
    memset(out->light, 0, sizeof out->light);
    for (int round = 0; round < ROUNDS; round++) {
        take_paint(out, usual, view, least);
        take_light(out, usual, view, least);
    }
    take_paint(out, usual, view, least);
}

struct noise_lab disc_ground_at(const struct disc_ground *g, struct pt_in at, double radius_in)
{
    struct noise_lab empty = { { 0 } };
    int radius = (int)lround(radius_in / radial_step_in(g->reach_in));
    memcpy(empty.c, g->empty[radius < GROUND_STEPS ? radius : GROUND_STEPS - 1], 3 * sizeof *empty.c);
    struct waves wave = waves_at(g, at);
    for (size_t k = 0; k < countof(wave.of); k++)
        for (int c = 0; c < 3; c++)
            empty.c[c] += (float)wave.of[k] * g->light[k][c];
    return empty;
}

double disc_ground_l(const struct disc_ground *g, struct pt_in at)
{
    double l[GROUND_STEPS], step_in = radial_step_in(g->reach_in);
    int n = 0;
    for (int r = 0; r < GROUND_STEPS && r * step_in <= g->reach_in; r++)
        l[n++] = (double)disc_ground_at(g, at, r * step_in).c[0] * g->noise[0];
    return fmax(median_of(l, n), 0);
}

// Codes of linear light, of what stands there in units of the noise; and back.
static void light_of(double bgr[3], const struct disc_ground *g, const struct noise_lab *seen)
{
    double colour[3], light[3];
    const double lab[3] = { (double)seen->c[0] * g->noise[0], (double)seen->c[1] * g->noise[1],
                            (double)seen->c[2] * g->noise[2] };
    colour_lab_to_bgr(bgr, lab);
    colour_from_bgr(colour, bgr);
    colour_to_light(light, colour);
    colour_to_bgr(bgr, light);
}

static struct noise_lab of_light(const struct disc_ground *g, const double bgr[3])
{
    double light[3], colour[3], lab[3];
    colour_from_bgr(light, bgr);
    colour_from_light(colour, light);
    colour_to_lab(lab, colour);
    return (struct noise_lab){ { (float)(lab[0] / g->noise[0]), (float)(lab[1] / g->noise[1]),
                                 (float)(lab[2] / g->noise[2]) } };
}

double disc_ground_odd(const struct disc_ground *g, const struct noise_lab *seen, const struct noise_lab *empty,
                       bool lamp_beside)
{
    static const double full = 255,
                        nearly_full = 238; // of linear light: codes of 247 and more, which blur and compression leave
    double odd = (double)noise_lab_distance(seen, empty), bare[3], lit[3];
    light_of(lit, g, seen);
    if (!lamp_beside && fmax(lit[0], fmax(lit[1], lit[2])) < nearly_full)
        return odd;
    light_of(bare, g, empty);
    // A channel that is full says of the lamp only that it is no weaker. So each says how strong it is, and the best counts.
    for (int i = 0; i < 3; i++) {
        double lamp = fmax(lit[i] - bare[i], 0), bgr[3];
        for (int c = 0; c < 3; c++)
            bgr[c] = fmin(bare[c] + lamp, full);
        struct noise_lab mirroring = of_light(g, bgr);
        odd = fmin(odd, (double)noise_lab_distance(seen, &mirroring));
    }
    return odd;
}

bool disc_ground_may_glare(const struct disc_ground *g, const struct noise_lab *seen, const struct noise_lab *empty,
                           double least, bool lamp_beside)
{
    return (double)noise_lab_distance(seen, empty) > least && disc_ground_odd(g, seen, empty, lamp_beside) <= least;
}
