// SPDX-License-Identifier: MIT
#include "vision/pieces/cylinder_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"

enum { SPOTS = 350, PLANE = 3, TAKER_STEPS = 2 };
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
static inline double lit_at(const double takes[TAKERS], double reached, double wall)
{
    return 1 - takes[FAR] * (1 - reached) - takes[HIDDEN] * wall;
}

static const double WIDE_SIGMA = 1e3; // of a belief that says nothing but where pixels leave something open

// What is fitted to a light that is tried.
struct light_state {
    double takes[TAKERS], plane[CYLINDER_LIT_PIECES][PLANE];
};

static inline double outlier_weight(double off, double reach)
{
    double size = fabs(off);
    return size <= reach ? 1 : reach / size;
}

static void fit_plane(double plane[PLANE], const struct patch *p, const double reached[SPOTS],
                      const double takes[TAKERS], const struct disc_tuning *t)
{
    double N[PLANE * PLANE], g[PLANE], fitted[PLANE], per_scatter = 1 / p->scatter, reach = t->light_outlier_sigmas;
    struct normal_equations sums = normal_begin(N, g, PLANE);
    for (int i = 0; i < p->n; i++) {
        const struct spot *s = &p->spot[i];
        double lit = lit_at(takes, reached[i], s->wall), row[PLANE] = { lit, lit * s->by.x, lit * s->by.y };
        double off = s->luma - row[0] * plane[0] - row[1] * plane[1] - row[2] * plane[2];
        normal_add(&sums, row, s->luma, outlier_weight(off * per_scatter, reach));
    }
    for (int k = 0; k < PLANE; k++)
        normal_add_prior(&sums, k, 0, WIDE_SIGMA);
    if (normal_solve(fitted, &sums))
        memcpy(plane, fitted, sizeof fitted);
}

// What the patch says of a step of what is taken, its plane projected out, is added to `taken`.
static void step_taken(const struct normal_equations *taken, const double plane[PLANE], const struct patch *p,
                       const double reached[SPOTS], const double takes[TAKERS], const struct disc_tuning *t)
{
    double N[(PLANE + TAKERS) * (PLANE + TAKERS)], g[PLANE + TAKERS], per_scatter = 1 / p->scatter;
    struct normal_equations sums = normal_begin(N, g, PLANE + TAKERS);
    for (int i = 0; i < p->n; i++) {
        const struct spot *s = &p->spot[i];
        double full = (plane[0] + plane[1] * s->by.x + plane[2] * s->by.y) * per_scatter;
        double lit = lit_at(takes, reached[i], s->wall), off = s->luma * per_scatter - full * lit;
        double row[PLANE + TAKERS] = { lit, lit * s->by.x, lit * s->by.y, -full * (1 - reached[i]), -full * s->wall };
        normal_add(&sums, row, off, outlier_weight(off, t->light_outlier_sigmas));
    }
    for (int k = 0; k < PLANE; k++)
        normal_add_prior(&sums, k, 0, WIDE_SIGMA);
    bool known = normal_eliminate(&sums, PLANE);
    for (int k = 0; k < TAKERS && known; k++) {
        taken->g[k] += g[PLANE + k];
        for (int j = 0; j <= k; j++)
            *normal_at(taken, k, j) += *normal_at(&sums, PLANE + k, PLANE + j);
    }
}

static double patch_cost(const double plane[PLANE], const struct patch *p, const double reached[SPOTS],
                         const double takes[TAKERS], const struct disc_tuning *t)
{
    double cost = 0, reach = t->light_outlier_sigmas, per_scatter = 1 / p->scatter;
    for (int i = 0; i < p->n; i++) {
        const struct spot *s = &p->spot[i];
        double full = plane[0] + plane[1] * s->by.x + plane[2] * s->by.y;
        double off = fabs(s->luma - full * lit_at(takes, reached[i], s->wall)) * per_scatter;
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
            out->plane[i][0] += g->patch[i].spot[k].luma / g->patch[i].n;
}

// The cost of a light; its share and what is hidden of the sky are fitted, from *state on.
static double cost_of(struct light_state *state, const struct ground *g, struct cylinder_light *l)
{
    double reached[CYLINDER_LIT_PIECES][SPOTS], cost = 0, *takes = state->takes;
    for (int i = 0; i < g->n; i++) {
        struct cylinder_shadow shadow = cylinder_shadow_of(l, &g->patch[i].stand);
        for (int k = 0; k < g->patch[i].n; k++)
            reached[i][k] = cylinder_shadow_leaves(&shadow, g->patch[i].spot[k].by);
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
    for (int i = 0; i < g->n; i++) {
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
        luma[p->n] = s->light[0];
        p->spot[p->n++] = (struct spot){ by, s->light[0], cylinder_hides_sky(&p->stand, by) };
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
        l->width *= exp(2 * by);
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
        for (int k = 0; k < from->n; k += step)
            to->spot[to->n++] = from->spot[k];
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
        double cost = cost_of(&state, g, &l);
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
    double least = cost_of(&state, g, best), step = first_step;
    for (int round = 0, failed = 0; round < REFINEMENTS && step > last_step; round++) {
        for (int k = 0; k < WAYS && failed < WAYS; k++) {
            struct cylinder_light l = *best;
            struct light_state near = state;
            take_step(&l, k / 2, k % 2 ? step : -step, g->tuning);
            double cost = cost_of(&near, g, &l);
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
    double unlit = cost_of(&state, g, &above); // its share is what the ground beside the solids is lit by
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
