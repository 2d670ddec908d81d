// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

enum { SPOTS = 350, PLANE = 3, TAKER_ROUNDS = 3 };
enum { DIRECTIONS = 16, LENGTHS = 4, WIDTHS = 2, REFINEMENTS = 24 };
static const double LENGTH[LENGTHS] = { 0.25, 0.5, 0.9,
                                        1.5 };     // of a shadow for an inch of height: lamps stand 34 to 76 up
static const double WIDTH[WIDTHS] = { 0.1, 0.35 }; // of its penumbra: a lamp, a window

// A pixel of the ground around a solid.
struct spot {
    struct pt_in by;   // from the solid's axis
    double luma, wall; // in light; how much of the sky's light comes from behind the solid's side
};

struct patch {
    struct cylinder_view stand;
    int n;
    double scatter;
    struct spot spot[SPOTS];
};

struct ground {
    const struct disc_tuning *tuning;
    int n;
    struct patch patch[CYLINDER_LIT_PIECES];
};

// What a patch says of the light: its ground's brightness is a plane that shadows and the solid's side take from.
enum { FAR, HIDDEN, TAKERS };

// What is left of the light where so much of the far light reaches the ground and so much of the sky lies behind the side.
static double lit_at(const double takes[TAKERS], double reached, double wall)
{
    return 1 - takes[FAR] * (1 - reached) - takes[HIDDEN] * wall;
}

static const double WIDE_SIGMA = 1e3; // of a belief that says nothing but where pixels leave something open

static void fit_plane(double plane[PLANE], const struct patch *p, const double reached[SPOTS],
                      const double takes[TAKERS], const struct disc_tuning *t)
{
    double N[PLANE * PLANE], g[PLANE], fitted[PLANE];
    struct normal_equations sums = normal_begin(N, g, PLANE);
    for (int i = 0; i < p->n; i++) {
        const struct spot *s = &p->spot[i];
        double lit = lit_at(takes, reached[i], s->wall), row[PLANE] = { lit, lit * s->by.x, lit * s->by.y };
        normal_add(&sums, row, s->luma,
                   huber_weight((s->luma - vec3_dot(row, plane)) / p->scatter, t->light_outlier_sigmas));
    }
    for (int k = 0; k < PLANE; k++)
        normal_add_prior(&sums, k, 0, WIDE_SIGMA);
    if (normal_solve(fitted, &sums))
        memcpy(plane, fitted, sizeof fitted);
}

// Its cost; what it says of a step of what is taken, its plane projected out, is added to `taken`.
static double judge(const struct normal_equations *taken, const double plane[PLANE], const struct patch *p,
                    const double reached[SPOTS], const double takes[TAKERS], const struct disc_tuning *t)
{
    double N[(PLANE + TAKERS) * (PLANE + TAKERS)], g[PLANE + TAKERS], cost = 0;
    struct normal_equations sums = normal_begin(N, g, PLANE + TAKERS);
    for (int i = 0; i < p->n; i++) {
        const struct spot *s = &p->spot[i];
        double full = (plane[0] + plane[1] * s->by.x + plane[2] * s->by.y) / p->scatter;
        double lit = lit_at(takes, reached[i], s->wall), off = s->luma / p->scatter - full * lit,
               weight = huber_weight(off, t->light_outlier_sigmas);
        cost += weight < 1 ? t->light_outlier_sigmas * (2 * fabs(off) - t->light_outlier_sigmas) : off * off;
        normal_add(&sums, (double[]){ lit, lit * s->by.x, lit * s->by.y, -full * (1 - reached[i]), -full * s->wall },
                   off, weight);
    }
    for (int k = 0; k < PLANE; k++)
        normal_add_prior(&sums, k, 0, WIDE_SIGMA);
    bool known = normal_eliminate(&sums, PLANE);
    for (int k = 0; k < TAKERS && known; k++) {
        taken->g[k] += g[PLANE + k];
        for (int j = 0; j <= k; j++)
            *normal_at(taken, k, j) += *normal_at(&sums, PLANE + k, PLANE + j);
    }
    return cost;
}

// The cost of a light; its share and what is hidden of the sky are fitted.
static double cost_of(const struct ground *g, struct cylinder_light *l)
{
    double start = g->tuning->light_start_far, reached[CYLINDER_LIT_PIECES][SPOTS], cost = 0;
    double takes[TAKERS] = { start, CYLINDER_USUAL_HIDDEN * (1 - start) };
    double plane[CYLINDER_LIT_PIECES][PLANE] = { { 0 } };
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < g->patch[i].n; k++) {
            const struct spot *s = &g->patch[i].spot[k];
            reached[i][k] = cylinder_far_light(l, &g->patch[i].stand, s->by);
            plane[i][0] += s->luma / g->patch[i].n;
        }
    for (int round = 0; round < TAKER_ROUNDS; round++) {
        double N[TAKERS * TAKERS], sums[TAKERS], step[TAKERS];
        struct normal_equations taken = normal_begin(N, sums, TAKERS);
        cost = 0;
        for (int i = 0; i < g->n; i++) {
            fit_plane(plane[i], &g->patch[i], reached[i], takes, g->tuning);
            cost += judge(&taken, plane[i], &g->patch[i], reached[i], takes, g->tuning);
        }
        // A step of what shadows and sides take, by all patches and by what is usual.
        normal_add_prior(&taken, FAR, 0, WIDE_SIGMA);
        normal_add_prior(&taken, HIDDEN, CYLINDER_USUAL_HIDDEN * (1 - takes[FAR]) - takes[HIDDEN],
                         g->tuning->light_hidden_sigma);
        if (round == TAKER_ROUNDS - 1 || !normal_solve(step, &taken))
            continue;
        takes[FAR] = fmax(g->tuning->light_least_far, fmin(g->tuning->light_most_far, takes[FAR] + step[FAR]));
        takes[HIDDEN] = fmax(0, fmin(1 - takes[FAR], takes[HIDDEN] + step[HIDDEN]));
    }
    l->far = takes[FAR];
    l->hidden = takes[HIDDEN] / (1 - takes[FAR]);
    return cost;
}

static bool collect_patch(struct patch *p, struct pixel_window *w, const struct frame *f,
                          const struct surroundings *near)
{
    double luma[SPOTS];
    int i = near->self;
    if (!cylinder_view_at(&p->stand, &near->neighbour[i], near->neighbour_at[i], &near->board->camera, &near->look) ||
        !cylinder_window_fill(w, f, &p->stand, near, 2 * SPOTS)) // the piece itself takes half
        return false;
    p->n = 0;
    for (int k = 0; k < w->n && p->n < SPOTS; k++) {
        const struct pixel_sample *s = &w->sample[k];
        if (s->not_ground ||
            cylinder_clearance(&p->stand, &s->sight) < near->tuning->light_clear_blurs * p->stand.blur_in)
            continue;
        struct pt_in by = { s->sight.low.x - p->stand.at.x, s->sight.low.y - p->stand.at.y };
        luma[p->n] = s->light[0];
        p->spot[p->n++] = (struct spot){ by, s->light[0], cylinder_hides_sky(&p->stand, by) };
    }
    if (p->n < near->tuning->window_least_samples)
        return false;
    robust_centre(&p->scatter, luma, p->n, near->tuning->light_least_scatter);
    return true;
}

// A step of each of a light's numbers.
enum { LIGHT_X, LIGHT_Y, LIGHT_WIDTH, LIGHT_NEAR, LIGHT_NUMBERS };

static void take_step(struct cylinder_light *l, int number, double by, const struct disc_tuning *t)
{
    switch (number) {
    case LIGHT_X:
        l->away.x += by;
        break;
    case LIGHT_Y:
        l->away.y += by;
        break;
    case LIGHT_WIDTH:
        l->width = fmax(t->light_least_width, l->width * exp(2 * by));
        break;
    default:
        l->near_by = fmax(0, fmin(1 / t->light_least_height_in, l->near_by + by / t->light_least_height_in));
    }
}

// Steps along each number in turn, shorter when none helps.
static double refine(struct cylinder_light *best, double least, const struct ground *g)
{
    double step = g->tuning->light_first_step;
    for (int round = 0; round < REFINEMENTS && step > g->tuning->light_last_step; round++) {
        bool moved = false;
        for (int k = 0; k < 2 * LIGHT_NUMBERS; k++) {
            struct cylinder_light l = *best;
            take_step(&l, k / 2, k % 2 ? step : -step, g->tuning);
            double cost = cost_of(g, &l);
            if (cost < least) {
                least = cost;
                *best = l;
                moved = true;
            }
        }
        step *= moved ? 1 : 0.5;
    }
    return least;
}

int cylinder_light_measure(struct cylinder_light *out, const struct frame *f, const struct surroundings *near,
                           struct fail *why)
{
    struct ground *g = calloc(1, sizeof *g);
    struct pixel_window *w = malloc(sizeof *w);
    struct surroundings around = *near;
    struct cylinder_light best = { .far = 0 }, above = { .far = 0 };
    int rc = g && w ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the light of the pieces");
    if (rc < 0)
        goto out;
    g->tuning = near->tuning;
    for (around.self = 0; around.self < near->neighbours && g->n < CYLINDER_LIT_PIECES; around.self++)
        g->n += collect_patch(&g->patch[g->n], w, f, &around);
    *out = above;
    if (g->n < near->tuning->light_least_patches)
        goto out;
    double unlit = cost_of(g, &above), least = INFINITY; // its share is what the ground beside the solids is lit by
    bool known = near->light.away.x != 0 || near->light.away.y != 0;
    if (known) {
        best = near->light;
        least = cost_of(g, &best);
    }
    for (int k = 0; k < DIRECTIONS * LENGTHS * WIDTHS && !known; k++) {
        double angle = 2 * PI * (k % DIRECTIONS) / DIRECTIONS, far = LENGTH[k / DIRECTIONS % LENGTHS];
        double width = WIDTH[k / (DIRECTIONS * LENGTHS)];
        struct cylinder_light l = { .away = { far * cos(angle), far * sin(angle) },
                                    .width = width,
                                    .near_by = g->tuning->light_start_near / g->tuning->light_least_height_in };
        double cost = cost_of(g, &l);
        if (cost < least) {
            least = cost;
            best = l;
        }
    }
    *out = refine(&best, least, g) < (1 - near->tuning->light_least_gain) * unlit ? best : above;
out:
    free(w);
    free(g);
    return rc;
}
