// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "vision/min_max.h"

enum { SPOTS = 350, PLANE = 3, TAKER_STEPS = 2 };
enum { DIRECTIONS = 16, LENGTHS = 4, WIDTHS = 2, REFINEMENTS = 24 };
static const double LENGTH[LENGTHS] = { 0.25, 0.5, 0.9,
                                        1.5 };     // of a shadow for an inch of height: lamps stand 34 to 76 up
static const double WIDTH[WIDTHS] = { 0.1, 0.35 }; // of its penumbra: a lamp, a window
static const double LEAST_WIDTH = 0.02; // over a disc's height narrower than any picture's blur: less shows nothing

// The ground around a solid, pixel by pixel in rows.
struct patch {
    struct cylinder_view stand;
    int n;
    double scatter;
    double x[SPOTS], y[SPOTS]; // from the solid's axis
    double luma[SPOTS];        // in light
    double wall[SPOTS];        // how much of the sky's light comes from behind the solid's side
};

struct ground {
    const struct disc_tuning *tuning;
    int n;
    struct patch patch[CYLINDER_LIT_PIECES];
};

// What a patch says of the light: its ground's brightness is a plane that shadows and the solid's side take from.
enum { FAR, HIDDEN, TAKERS };

static const double WIDE_SIGMA = 1e3; // of a belief that says nothing but where pixels leave something open

// What is fitted to a light that is tried.
struct light_state {
    double takes[TAKERS], plane[CYLINDER_LIT_PIECES][PLANE];
};

// What is left of the light at pixel i, where so much of the far light reaches the ground.
static inline double lit_at(const struct patch *p, const double takes[TAKERS], double reached, int i)
{
    return 1 - takes[FAR] * (1 - reached) - takes[HIDDEN] * p->wall[i];
}

// What it would show in full light.
static inline double full_at(const struct patch *p, const double plane[PLANE], int i)
{
    return plane[0] + plane[1] * p->x[i] + plane[2] * p->y[i];
}

// A patch's pixels as equations, in rows: how the light of each changes with the plane's numbers and with what is taken,
// what is seen beyond what should be, and Huber's weight of it.
struct patch_rows {
    double slope[PLANE + TAKERS][SPOTS], off[SPOTS], weight[SPOTS];
};

static void take_rows(struct patch_rows *restrict out, const struct patch *restrict p, const double plane[PLANE],
                      const double *restrict reached, const double takes[TAKERS], const struct disc_tuning *t)
{
    const double reach = t->light_outlier_sigmas * p->scatter;
    for (int i = 0; i < p->n; i++) {
        double lit = lit_at(p, takes, reached[i], i), full = full_at(p, plane, i);
        out->slope[0][i] = lit;
        out->slope[1][i] = lit * p->x[i];
        out->slope[2][i] = lit * p->y[i];
        out->slope[PLANE + FAR][i] = full * (reached[i] - 1);
        out->slope[PLANE + HIDDEN][i] = -full * p->wall[i];
        out->off[i] = p->luma[i] - full * lit;
        out->weight[i] = reach / max_f64(fabs(out->off[i]), reach);
    }
}

static void fit_plane(double plane[PLANE], const struct patch *p, const double reached[SPOTS],
                      const double takes[TAKERS], const struct disc_tuning *t)
{
    double N[PLANE * PLANE], g[PLANE], fitted[PLANE];
    struct patch_rows rows;
    struct normal_equations sums = normal_begin(N, g, PLANE);
    take_rows(&rows, p, plane, reached, takes, t);
    normal_add_rows(&sums, rows.slope[0], SPOTS, p->luma, rows.weight, p->n);
    for (int k = 0; k < PLANE; k++)
        normal_add_prior(&sums, k, 0, WIDE_SIGMA);
    if (normal_solve(fitted, &sums))
        memcpy(plane, fitted, sizeof fitted);
}

// What the patch says of a step of what is taken, its plane projected out, is added to `taken`.
static void step_taken(const struct normal_equations *taken, const double plane[PLANE], const struct patch *p,
                       const double reached[SPOTS], const double takes[TAKERS], const struct disc_tuning *t)
{
    double N[(PLANE + TAKERS) * (PLANE + TAKERS)], g[PLANE + TAKERS];
    struct patch_rows rows;
    struct normal_equations sums = normal_begin(N, g, PLANE + TAKERS);
    take_rows(&rows, p, plane, reached, takes, t);
    normal_add_rows(&sums, rows.slope[0], SPOTS, rows.off, rows.weight, p->n);
    for (int k = 0; k < PLANE; k++)
        normal_add_prior(&sums, k, 0, WIDE_SIGMA);
    bool known = normal_eliminate(&sums, PLANE);
    const double variance = p->scatter * p->scatter;
    for (int k = 0; k < TAKERS && known; k++) {
        taken->g[k] += g[PLANE + k] / variance;
        for (int j = 0; j <= k; j++)
            *normal_at(taken, k, j) += *normal_at(&sums, PLANE + k, PLANE + j) / variance;
    }
}

static double patch_cost(const double plane[PLANE], const struct patch *p, const double reached[SPOTS],
                         const double takes[TAKERS], const struct disc_tuning *t)
{
    double cost = 0, reach = t->light_outlier_sigmas, per_scatter = 1 / p->scatter;
    for (int i = 0; i < p->n; i++) {
        double off = fabs(p->luma[i] - full_at(p, plane, i) * lit_at(p, takes, reached[i], i)) * per_scatter;
        cost += off > reach ? reach * (2 * off - reach) : off * off;
    }
    return cost;
}

// Where the fit of any light starts.
static void state_begin(struct light_state *out, const struct ground *g)
{
    double start = g->tuning->light_start_far;
    *out = (struct light_state){ .takes = { start, CYLINDER_USUAL_HIDDEN * (1 - start) } };
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < g->patch[i].n; k++)
            out->plane[i][0] += g->patch[i].luma[k] / g->patch[i].n;
}

// The cost of a light; its share and what is hidden of the sky are fitted, from *state on. Where that is no less than
// `least`, which another light has, it is not added up to its end.
static double cost_of(struct light_state *state, const struct ground *g, struct cylinder_light *l, double least)
{
    double reached[CYLINDER_LIT_PIECES][SPOTS], cost = 0, *takes = state->takes;
    for (int i = 0; i < g->n; i++) {
        struct cylinder_shadow shadow = cylinder_shadow_of(l, &g->patch[i].stand);
        cylinder_shadow_leaves_row(reached[i], &shadow, g->patch[i].x, g->patch[i].y, g->patch[i].n);
    }
    for (int round = 0; round < TAKER_STEPS; round++) {
        double N[TAKERS * TAKERS], sums[TAKERS], step[TAKERS];
        struct normal_equations taken = normal_begin(N, sums, TAKERS);
        for (int i = 0; i < g->n; i++) {
            fit_plane(state->plane[i], &g->patch[i], reached[i], takes, g->tuning);
            step_taken(&taken, state->plane[i], &g->patch[i], reached[i], takes, g->tuning);
        }
        // A step of what shadows and sides take, by all patches and by what is usual.
        normal_add_prior(&taken, FAR, 0, WIDE_SIGMA);
        normal_add_prior(&taken, HIDDEN, CYLINDER_USUAL_HIDDEN * (1 - takes[FAR]) - takes[HIDDEN],
                         1 - CYLINDER_USUAL_HIDDEN); // that all is hidden is one sigma away
        if (!normal_solve(step, &taken))
            continue;
        takes[FAR] = fmax(g->tuning->light_least_far, fmin(g->tuning->light_most_far, takes[FAR] + step[FAR]));
        takes[HIDDEN] = fmax(0, fmin(1 - takes[FAR], takes[HIDDEN] + step[HIDDEN]));
    }
    for (int i = 0; i < g->n && cost < least; i++) {
        fit_plane(state->plane[i], &g->patch[i], reached[i], takes, g->tuning);
        cost += patch_cost(state->plane[i], &g->patch[i], reached[i], takes, g->tuning);
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
    if (!cylinder_view_at(&p->stand, &near->neighbour[i], near->neighbour_at[i], &near->board->camera, &near->edge) ||
        !cylinder_window_fill(w, f, &p->stand, near, 2 * SPOTS)) // the piece itself takes half
        return false;
    p->n = 0;
    for (int k = 0; k < w->n && p->n < SPOTS; k++) {
        const struct pixel_sample *s = &w->sample[k];
        if (s->not_ground ||
            cylinder_clearance(&p->stand, &s->sight) < near->tuning->light_clear_blurs * p->stand.blur_in)
            continue;
        struct pt_in by = { s->sight.low.x - p->stand.at.x, s->sight.low.y - p->stand.at.y };
        p->x[p->n] = by.x;
        p->y[p->n] = by.y;
        p->luma[p->n] = luma[p->n] = s->light[0];
        p->wall[p->n++] = cylinder_hides_sky(&p->stand, by);
    }
    if (p->n < near->tuning->window_least_samples)
        return false;
    robust_centre(&p->scatter, luma, p->n, near->tuning->least_noise);
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
        l->width = fmax(l->width * exp(2 * by), LEAST_WIDTH);
        break;
    default:
        l->near_by = fmax(0, fmin(1 / t->light_least_height_in, l->near_by + by / t->light_least_height_in));
    }
}

static void thin(struct ground *out, const struct ground *g)
{
    int all = 0;
    out->tuning = g->tuning;
    out->n = g->n;
    for (int i = 0; i < g->n; i++)
        all += g->patch[i].n;
    int step = (int)fmax(1, all / g->tuning->light_searched_spots);
    for (int i = 0; i < g->n; i++) {
        const struct patch *from = &g->patch[i];
        struct patch *to = &out->patch[i];
        to->stand = from->stand;
        to->scatter = from->scatter;
        to->n = 0;
        for (int k = 0; k < from->n; k += step) {
            to->x[to->n] = from->x[k];
            to->y[to->n] = from->y[k];
            to->luma[to->n] = from->luma[k];
            to->wall[to->n++] = from->wall[k];
        }
    }
}

// The likest of lights all around, low and high.
static struct cylinder_light search(const struct ground *g)
{
    struct light_state begin;
    struct cylinder_light best = { .far = 0 };
    double least = INFINITY;
    state_begin(&begin, g);
    for (int k = 0; k < DIRECTIONS * LENGTHS * WIDTHS; k++) {
        double angle = 2 * PI * (k % DIRECTIONS) / DIRECTIONS, far = LENGTH[k / DIRECTIONS % LENGTHS];
        double width = WIDTH[k / (DIRECTIONS * LENGTHS)];
        struct light_state state = begin;
        struct cylinder_light l = { .away = { far * cos(angle), far * sin(angle) },
                                    .width = width,
                                    .near_by = g->tuning->light_start_near / g->tuning->light_least_height_in };
        double cost = cost_of(&state, g, &l, least);
        if (cost < least) {
            least = cost;
            best = l;
        }
    }
    return best;
}

// Steps along each number in turn, each way, shorter once none has helped since the last that did. What is fitted to a light that is
// near starts near.
static double refine(struct cylinder_light *best, const struct ground *g, double first_step, double last_step)
{
    enum { WAYS = 2 * LIGHT_NUMBERS };
    struct light_state state;
    state_begin(&state, g);
    double least = cost_of(&state, g, best, INFINITY), step = first_step;
    for (int round = 0, failed = 0; round < REFINEMENTS && step > last_step; round++) {
        for (int k = 0; k < WAYS && failed < WAYS; k++) {
            struct cylinder_light l = *best;
            struct light_state near = state;
            take_step(&l, k / 2, k % 2 ? step : -step, g->tuning);
            double cost = cost_of(&near, g, &l, least);
            failed++;
            if (cost < least) {
                least = cost;
                *best = l;
                state = near;
                failed = 0;
            }
        }
        if (failed == WAYS) {
            step *= 0.5;
            failed = 0;
        }
    }
    return least;
}

int cylinder_light_measure(struct cylinder_light *out, const struct frame *f, const struct surroundings *near,
                           struct fail *why)
{
    struct ground *g = calloc(2, sizeof *g); // all, and the part of it that is searched
    struct pixel_window *w = malloc(sizeof *w);
    struct surroundings around = *near;
    struct cylinder_light best = near->light, above = { .far = 0 };
    int rc = g && w ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the light of the pieces");
    if (rc < 0)
        goto out;
    g->tuning = near->tuning;
    for (around.self = 0; around.self < near->neighbours && g->n < CYLINDER_LIT_PIECES; around.self++)
        g->n += collect_patch(&g->patch[g->n], w, f, &around);
    *out = above;
    if (g->n < near->tuning->least_pieces)
        goto out;
    struct light_state state;
    state_begin(&state, g);
    double unlit = cost_of(&state, g, &above, INFINITY); // its share is what the ground beside the solids is lit by
    thin(&g[1], g);
    if (best.away.x == 0 && best.away.y == 0) // not known yet
        best = search(&g[1]);
    double first = g->tuning->light_first_step, last = g->tuning->light_last_step;
    double all_from = g->tuning->light_all_from * last;
    refine(&best, &g[1], first, all_from);
    *out = refine(&best, g, all_from, last) < (1 - near->tuning->light_least_gain) * unlit ? best : above;
out:
    free(w);
    free(g);
    return rc;
}
