// SPDX-License-Identifier: MIT
#include "vision/pieces/marbles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/floor.h"
#include "vision/pieces/marble_fit.h"
#include "vision/pieces/sides.h"
#include "vision/pieces/specks.h"

static const double OVERLAP = 1.5;         // of the radius: two marbles' centres are two radii apart or more
static const double LEAST_EXPLAINED = 0.5; // of what is unlike carpet around it
static const double SURE_EXPLAINED = 0.85; // a shadow taken for a ball explains less
static const double LEAST_SIGMAS = 8;      // a speck less unlike the carpet is texture
static const double SIZE_SLACK = 0.12;     // of the radius, beyond the smallest and largest that the rules allow
static const double LEAST_GAIN = 60;       // log of the odds against bare carpet
static const double LINE_ZONE_IN = 0.4;    // beside the painted line
static const double COVER_IN = 3;          // half a hand's breadth
enum { MOST_COVERING = 5 };                // a marble on the line and its halo make up to five specks
enum { FIRST_SPECKS = 24 };                // the plainest: marbles enough to tell where shadows fall
static const double NEAR_IN = 2;           // farther away a marble's shadow is not seen any more
static const double SIZE_SIGMA = 0.05;     // of the radius: what the model does not know of swirls and the light
static const double COLOUR_SIGMA = 12;     // CIE L*a*b*: within one set of marbles
static const double TAW_ODDS = 2.0;        // a taw stands out by so many sigma before it is called one

struct finding {
    struct marble_scene scene;
    int count;
    struct marble_fit marble[MAX_PIECES];
};

static bool on_line(const struct board *b, struct pt_in at)
{
    double beyond_in = hypot(at.x, at.y) - b->circle_in[0];
    return beyond_in > -LINE_ZONE_IN && beyond_in < b->line_width_in + LINE_ZONE_IN;
}

static double apart_in(struct pt_in a, struct pt_in b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

// Is there a marble already where this one would stand?
static bool is_taken(const struct finding *w, struct pt_in at, int except)
{
    for (int i = 0; i < w->count; i++)
        if (i != except && apart_in(w->marble[i].at, at) < OVERLAP * w->scene.on->board.piece_radius_in)
            return true;
    return false;
}

static bool fit_at(struct marble_fit *fit, const struct finding *w, struct pt_in at, int except)
{
    struct marble_fit others[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (i != except && apart_in(w->marble[i].at, at) < NEAR_IN)
            others[n++] = w->marble[i];
    *fit = (struct marble_fit){ .at = at, .radius_in = w->scene.on->board.piece_radius_in };
    return marble_fit_run(fit, &w->scene, others, n);
}

static bool is_marble(const struct marble_fit *fit, const struct board *b)
{
    return fit->gain > LEAST_GAIN && fit->explained > LEAST_EXPLAINED &&
           fit->radius_in > (1 - SIZE_SLACK) * b->taw_radius_min_in &&
           fit->radius_in < (1 + SIZE_SLACK) * b->taw_radius_max_in;
}

// A pale marble's shadow is plainer than itself: the ball is looked for where the speck is, and where it would be if the
// speck were its shadow.
static bool fit_speck(struct marble_fit *out, const struct finding *w, struct pt_in at)
{
    double r = w->scene.on->board.piece_radius_in;
    const struct light *l = &w->scene.light;
    struct marble_fit other;
    bool here = !is_taken(w, at, -1) && fit_at(out, w, at, -1);
    struct pt_in before = { at.x - r * l->x, at.y - r * l->y };
    if (here && out->explained > SURE_EXPLAINED)
        return is_marble(out, &w->scene.on->board) && !is_taken(w, out->at, -1);
    if ((l->x != 0 || l->y != 0) && !is_taken(w, before, -1) && fit_at(&other, w, before, -1) &&
        (!here || other.gain > out->gain)) {
        *out = other;
        here = true;
    }
    return here && is_marble(out, &w->scene.on->board) && !is_taken(w, out->at, -1);
}

// A shoe or a hand across the line covers inches of it and makes specks all along.
static bool line_is_covered(const struct board *b, const struct speck *speck, int specks, int i)
{
    int others = 0;
    for (int k = 0; k < specks; k++)
        others += k != i && speck[k].sigmas > LEAST_SIGMAS && on_line(b, speck[k].at) &&
                  apart_in(speck[k].at, speck[i].at) < COVER_IN;
    return others > MOST_COVERING;
}

static void collect(struct finding *w, const struct speck *speck, int specks, int most)
{
    const struct board *b = &w->scene.on->board;
    w->count = 0;
    for (int i = 0; i < specks && i < most && w->count < MAX_PIECES && speck[i].sigmas > LEAST_SIGMAS; i++) {
        if (on_line(b, speck[i].at) && line_is_covered(b, speck, specks, i))
            continue;
        w->count += fit_speck(&w->marble[w->count], w, speck[i].at);
    }
}

// Where shadows fall, from marbles that lie on carpet alone.
static void look_at_light(struct finding *w)
{
    struct marble_fit clear[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (!on_line(&w->scene.on->board, w->marble[i].at))
            clear[n++] = w->marble[i];
    w->scene.light = marble_light(&w->scene, clear, n);
}

// Once more with all neighbours known; what no longer holds is dropped.
static void settle_all(struct finding *w)
{
    for (int i = 0; i < w->count;) {
        struct marble_fit fit;
        if (fit_at(&fit, w, w->marble[i].at, i) && is_marble(&fit, &w->scene.on->board) && !is_taken(w, fit.at, i))
            w->marble[i++] = fit;
        else
            w->marble[i] = w->marble[--w->count];
    }
}

static void describe(struct piece_seen *out, const struct finding *w, int i)
{
    const struct found_board *on = w->scene.on;
    const struct marble_fit *m = &w->marble[i];
    double scale = camera_scale_px_per_in(&on->camera, (struct pt3_in){ m->at.x, m->at.y, 0 });
    double least_in = hypot(MARBLE_FLOOR_SIGMA_IN, MARBLE_FLOOR_SIGMA_PX / scale);
    *out = (struct piece_seen){ .kind = PIECE_MARBLE,
                                .plane = PLANE_SURFACE,
                                .at = m->at,
                                .radius_in = m->radius_in,
                                .taw_certainty = 0.5,
                                .support = m->explained };
    out->cov = floor_cov(m->cov, on, m->at, m->radius_in, least_in);
    colour_to_lab(out->lab, m->top);
    camera_project(&out->px, &on->camera, (struct pt3_in){ m->at.x, m->at.y, m->radius_in });
}

// Targets are a set of one size, often of one colour; the taw is the one that differs. How far each marble stands out, in
// sigma: by its size, and by its colour where all the others agree.
static double stands_out(const struct piece_list *list, int i, const double usual_lab[3], double usual_size,
                         double colour_spread)
{
    double size = (list->piece[i].radius_in / usual_size - 1) / SIZE_SIGMA;
    double colour = sides_distance(list->piece[i].lab, usual_lab) / fmax(colour_spread, COLOUR_SIGMA);
    return hypot(size, colour);
}

static void find_taw(struct piece_list *list)
{
    double usual_lab[3], sizes[MAX_PIECES], off[MAX_PIECES], first = 0, second = 0;
    int n = list->count, best = -1;
    if (n < 3)
        return;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < n; i++)
            off[i] = list->piece[i].lab[c];
        usual_lab[c] = median_of(off, n);
    }
    for (int i = 0; i < n; i++) {
        sizes[i] = list->piece[i].radius_in;
        off[i] = sides_distance(list->piece[i].lab, usual_lab);
    }
    double usual_size = median_of(sizes, n), spread = 1.4826 * median_of(off, n);
    for (int i = 0; i < n; i++) {
        double out = stands_out(list, i, usual_lab, usual_size, spread);
        if (out > first) {
            second = first;
            first = out;
            best = i;
        } else if (out > second) {
            second = out;
        }
    }
    if (first < TAW_ODDS)
        return;
    list->piece[best].taw = true;
    for (int i = 0; i < n; i++)
        list->piece[i].taw_certainty = 1 / (1 + exp(second - first));
}

static void name_colours(struct piece_list *list)
{
    for (int i = 0; i < list->count; i++)
        snprintf(list->piece[i].colour, sizeof list->piece[i].colour, "%s", colour_name(list->piece[i].lab));
}

int marbles_find(struct piece_list *out, const struct frame *f, const struct found_board *on, struct fail *why)
{
    struct speck speck[SPECKS_MAX];
    *out = (struct piece_list){ .count = 0 };
    int specks = specks_find(speck, SPECKS_MAX, f, on, why);
    if (specks < 0)
        return specks;
    struct finding *w = calloc(1, sizeof *w);
    struct line_look *line = malloc(sizeof *line);
    if (!w || !line) {
        free(w);
        free(line);
        return rs_fail(why, RS_EIO, "no memory for the marbles");
    }
    line_look_take(line, f, &on->camera, &on->board);
    w->scene = (struct marble_scene){ .frame = f, .on = on, .line = line };
    collect(w, speck, specks, FIRST_SPECKS);
    look_at_light(w);
    collect(w, speck, specks, SPECKS_MAX);
    settle_all(w);
    for (int i = 0; i < w->count; i++)
        describe(&out->piece[out->count++], w, i);
    free(line);
    free(w);
    find_taw(out);
    name_colours(out);
    return 0;
}
