// SPDX-License-Identifier: MIT
#include "vision/pieces/marbles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/floor.h"
#include "vision/pieces/sides.h"
#include "vision/pieces/solid_fit.h"
#include "vision/pieces/specks.h"

static const double LEAST_SIGMAS = 8;                // a speck less unlike the carpet is texture
static const double LEAST_SIGMAS_LINE = 12;          // on the line: paint and chalk are less even than carpet
static const double LINE_ZONE_IN = 0.4;              // beside the painted line
static const double OVERLAP = 1.9;                   // of the radius: two marbles' centres are two radii apart or more
static const double TOUCH = 2.6, TOUCH_SHARE = 0.85; // a touching neighbour is as plain as the marble it touches
static const double HALO = 5.5;        // of the radius: so far a marble's shadow and the look around a spot reach ...
static const double HALO_SHARE = 0.55; // ... and what is so much weaker there is no marble of its own
static const double LEAST_EXPLAINED = 0.42, LEAST_CONTRAST = 2.5, LEAST_SUPPORT = 0.4;
// Beyond the line lie shoes, hands and bags; a marble there must be plain.
static const double OUTSIDE_EXPLAINED = 0.6, OUTSIDE_CONTRAST = 5, OUTSIDE_SUPPORT = 0.7, OUTSIDE_SIZE_SLACK = -0.02;
static const double COVER_IN = 3;          // half a hand's breadth
enum { MOST_COVERING = 5 };                // a marble on the line and its halo make up to five specks
static const double MOST_MOVED = 1.0;      // of the radius: the fit may not run off to something else
static const double SPECK_SIGMA_IN = 0.12; // where only the speck is known: half a marble's radius at most
static const double SIZE_PROBE = 0.12;     // the fit's own
static const double SIZE_SIGMA = 0.12;     // of the radius: how well a marble's size is seen, away from the line
static const double COLOUR_SIGMA = 12;     // CIE L*a*b*: within one set of marbles
static const double TAW_ODDS = 2.0;        // a taw stands out by so many sigma before it is called one

struct marble {
    struct pt_in at;
    double sigmas;
    bool fitted;
    struct solid_fit fit;
    double size; // of the usual target's radius
};

struct finding {
    const struct frame *f;
    const struct found_board *on;
    struct solid solid;
    int count;
    struct marble marble[MAX_PIECES];
};

static bool fit_at(struct solid_fit *fit, const struct finding *w, struct pt_in at, int except)
{
    struct pt_in others[MAX_PIECES];
    struct solid shapes[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (i != except && hypot(w->marble[i].at.x - at.x, w->marble[i].at.y - at.y) < 6 * w->solid.radius_in) {
            others[n] = w->marble[i].at;
            shapes[n++] = w->solid;
        }
    struct surroundings near = { w->on, shapes, others, n };
    *fit = (struct solid_fit){ .at = at };
    return solid_fit_run(fit, w->f, &w->solid, &near, SOLID_CARE) &&
           hypot(fit->at.x - at.x, fit->at.y - at.y) < MOST_MOVED * w->solid.radius_in;
}

static bool is_halo(const struct finding *w, const struct speck *s)
{
    for (int i = 0; i < w->count; i++) {
        double apart = hypot(w->marble[i].at.x - s->at.x, w->marble[i].at.y - s->at.y) / w->solid.radius_in;
        double share = s->sigmas / w->marble[i].sigmas;
        if (apart < OVERLAP || (apart < TOUCH && share < TOUCH_SHARE) || (apart < HALO && share < HALO_SHARE))
            return true;
    }
    return false;
}

enum region { REGION_CARPET, REGION_LINE, REGION_OUTSIDE };

static enum region region_of(const struct board *b, struct pt_in at)
{
    double beyond_in = hypot(at.x, at.y) - b->circle_in[0];
    if (beyond_in > b->line_width_in + LINE_ZONE_IN)
        return REGION_OUTSIDE;
    return beyond_in > -LINE_ZONE_IN ? REGION_LINE : REGION_CARPET;
}

// A shoe or a hand across the line covers inches of it and makes specks all along.
static bool line_is_covered(const struct board *b, const struct speck *speck, int specks, int i)
{
    int others = 0;
    for (int k = 0; k < specks; k++)
        others += k != i && speck[k].sigmas > LEAST_SIGMAS && region_of(b, speck[k].at) != REGION_CARPET &&
                  hypot(speck[k].at.x - speck[i].at.x, speck[k].at.y - speck[i].at.y) < COVER_IN;
    return others > MOST_COVERING;
}

static bool is_marble(const struct finding *w, const struct speck *s, const struct solid_fit *fit, bool fitted)
{
    switch (region_of(&w->on->board, s->at)) {
    case REGION_LINE: // half of what lies around a marble on the line is paint: the fit has little to go by
        return s->sigmas > LEAST_SIGMAS_LINE;
    case REGION_OUTSIDE:
        return fitted && fit->explained > OUTSIDE_EXPLAINED && fit->contrast > OUTSIDE_CONTRAST &&
               fit->support > OUTSIDE_SUPPORT && fit->larger + fit->smaller < OUTSIDE_SIZE_SLACK;
    case REGION_CARPET:
        return fitted && fit->explained > LEAST_EXPLAINED && fit->contrast > LEAST_CONTRAST &&
               fit->support > LEAST_SUPPORT;
    }
    return false;
}

static void collect(struct finding *w, const struct speck *speck, int specks)
{
    for (int i = 0; i < specks && w->count < MAX_PIECES && speck[i].sigmas > LEAST_SIGMAS; i++) {
        struct marble m = { .at = speck[i].at, .sigmas = speck[i].sigmas };
        if (is_halo(w, &speck[i]))
            continue;
        if (region_of(&w->on->board, m.at) == REGION_LINE && line_is_covered(&w->on->board, speck, specks, i))
            continue;
        m.fitted = fit_at(&m.fit, w, m.at, -1);
        if (!is_marble(w, &speck[i], &m.fit, m.fitted))
            continue;
        w->marble[w->count++] = m;
    }
}

// The place of the top of a parabola through the explained shares at a smaller, the usual and a larger size.
static double size_of(const struct solid_fit *fit)
{
    double bend = fit->larger + fit->smaller;
    if (!(bend < 0))
        return 1 + copysign(SIZE_PROBE, fit->larger - fit->smaller);
    return 1 + fmax(-0.3, fmin(0.3, SIZE_PROBE * (fit->smaller - fit->larger) / (2 * bend)));
}

// Once more with all neighbours known.
static void settle_all(struct finding *w)
{
    for (int i = 0; i < w->count; i++) {
        struct marble *m = &w->marble[i];
        struct solid_fit fit;
        bool again = fit_at(&fit, w, m->at, i);
        if (again)
            m->fit = fit;
        m->fitted = m->fitted || again;
        if (m->fitted)
            m->at = m->fit.at;
        m->size = m->fitted ? size_of(&m->fit) : 1;
    }
}

static void describe(struct piece_seen *out, const struct finding *w, int i)
{
    const struct marble *m = &w->marble[i];
    *out = (struct piece_seen){ .kind = PIECE_MARBLE,
                                .plane = PLANE_SURFACE,
                                .at = m->at,
                                .radius_in = w->solid.radius_in * m->size,
                                .taw_certainty = 0.5,
                                .support = m->fitted ? m->fit.support : 0 };
    out->cov = floor_cov(m->fitted ? m->fit.cov : (struct cov_in2){ 0, 0, 0 }, w->on, m->at, w->solid.radius_in,
                         m->fitted ? MARBLE_FLOOR_SIGMA_IN : SPECK_SIGMA_IN);
    if (m->fitted)
        colour_to_lab(out->lab, m->fit.top);
    camera_project(&out->px, &w->on->camera, (struct pt3_in){ m->at.x, m->at.y, w->solid.radius_in });
}

// Targets are a set of one size, often of one colour; the taw is the one that differs. How far each marble stands out, in
// sigma: by its size, and by its colour where all the others agree.
static double stands_out(const struct piece_list *list, int i, const struct board *b, const double usual_lab[3],
                         double usual_size, double colour_spread)
{
    // On the line half of what lies around a marble is paint: its size cannot be told.
    bool sized = region_of(b, list->piece[i].at) != REGION_LINE;
    double size = sized ? (list->piece[i].radius_in / usual_size - 1) / SIZE_SIGMA : 0;
    double colour = sides_distance(list->piece[i].lab, usual_lab) / fmax(colour_spread, COLOUR_SIGMA);
    return hypot(size, colour);
}

static void find_taw(struct piece_list *list, const struct board *b)
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
        double out = stands_out(list, i, b, usual_lab, usual_size, spread);
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
    if (!w)
        return rs_fail(why, RS_EIO, "no memory for the marbles");
    w->f = f;
    w->on = on;
    w->solid = solid_of_piece(&on->board, 0);
    collect(w, speck, specks);
    settle_all(w);
    for (int i = 0; i < w->count; i++)
        describe(&out->piece[out->count++], w, i);
    free(w);
    find_taw(out, &on->board);
    name_colours(out);
    return 0;
}
