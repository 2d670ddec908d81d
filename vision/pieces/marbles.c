// SPDX-License-Identifier: MIT
#include "vision/pieces/marbles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/inspect.h"
#include "vision/notes.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/marble_colour.h"

static const double ROUGHEST = 3;   // times the usual scatter of the carpet: more is a shoe's rim or another thing's
static const double OVERLAP = 1.75; // of the radius: two marbles' centres are two radii apart or more
static const double LEAST_EXPLAINED = 0.5; // of what is unlike carpet around it
static const double SURE_EXPLAINED = 0.85; // a shadow taken for a ball explains less
static const double LEAST_SIGMAS = 8;      // a speck less unlike the carpet is texture
static const double SIZE_SLACK = 0.12;     // of the radius, beyond the smallest and largest that the rules allow
static const double LEAST_GAIN = 30;       // log of the odds against bare carpet
static const double LINE_ZONE_IN = 0.4;    // beside the painted line
static const double COVER_IN = 3;          // half a hand's breadth
enum { MOST_COVERING = 5 };                // a marble on the line and its halo make up to five specks
enum { FIRST_SPECKS = 24 };                // the plainest: marbles enough to tell where shadows fall
static const double NEAR_IN = 2;           // farther away a marble's shadow is not seen any more
static const struct size_seen TARGET_SIZE = { 1, 0.03 };     // of a set of 5/8 in
static const struct size_seen TAW_SIZE = { 1, 0.15 };        // a shooter is up to a quarter smaller or larger
static const double SIZE_FLOOR = 0.02, SIZE_FLOOR_PX = 0.15; // share, pixels: what the model does not know of swirls
static const double OTHER_SIZE = 3;                          // sigma
enum { LEAST_MARBLES = 3 };                                  // with fewer nothing is usual

static const double FRINGE_PX = 16;  // a block of two by two pixels' colour in JPEG
static const double FRINGE_GAIN = 3; // a fringe is fainter than its marble
// A ball is lit from above and keeps the sky off the carpet; blocks of the line's colour do neither.
static const double LEAST_LUMA_GAIN = 0;

// The sun wanders by 15 degrees an hour: in so long by less than the search for the light tells apart.
static const double LIGHT_HOLDS_S = 300;
enum { MANY_MORE = 2 }; // times as many marbles tell the light clearly better

struct finding {
    struct marble_scene scene;
    int count, lying; // the first ones are those
    struct marble_fit marble[MAX_PIECES];
    struct size_seen free_size[MAX_PIECES]; // struct marbles_seen
    struct size_seen size[MAX_PIECES];
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
        if (i != except && apart_in(w->marble[i].at, at) < OVERLAP * w->scene.pose->board.piece_radius_in)
            return true;
    return false;
}

// What a fit lacks to be a marble; NULL when nothing.
static const char *lacks(const struct marble_fit *fit, const struct marble_scene *s)
{
    const struct board *b = &s->pose->board;
    if (s->carpet[0] > 0 && fit->carpet[0] > ROUGHEST * s->carpet[0])
        return "not on carpet";
    if (!(fit->gain > LEAST_GAIN))
        return "like carpet";
    if (!(fit->explained > LEAST_EXPLAINED))
        return "explains little";
    if (!(fit->radius_in > (1 - SIZE_SLACK) * b->taw_radius_min_in))
        return "too small";
    return fit->radius_in < (1 + SIZE_SLACK) * b->taw_radius_max_in ? NULL : "too large";
}

static double apart_px(const struct camera *c, struct pt_in a, struct pt_in b)
{
    struct pt_px p, q;
    bool seen =
        camera_project(&p, c, (struct pt3_in){ a.x, a.y, 0 }) && camera_project(&q, c, (struct pt3_in){ b.x, b.y, 0 });
    return seen ? hypot(p.u - q.u, p.v - q.v) : INFINITY;
}

// Cameras and JPEG keep colour in coarse blocks: a marble or a line of a strong colour has fringes that luma knows nothing
// of.
static bool is_fringe(const struct finding *w, const struct marble_fit *fit, int except)
{
    const struct camera *c = &w->scene.pose->camera;
    const struct board *b = &w->scene.pose->board;
    double scale = camera_scale_px_per_in(c, (struct pt3_in){ fit->at.x, fit->at.y, 0 });
    double off_line_in =
        fabs(hypot(fit->at.x, fit->at.y) - b->circle_in[0] - b->line_width_in / 2) - b->line_width_in / 2;
    if (fit->luma_gain < LEAST_LUMA_GAIN && (off_line_in - fit->radius_in) * scale < FRINGE_PX)
        return true;
    if (fit->luma_gain > LEAST_GAIN)
        return false;
    for (int i = 0; i < w->count; i++) {
        const struct marble_fit *m = &w->marble[i];
        if (i != except && m->gain > FRINGE_GAIN * fit->gain &&
            apart_px(c, m->at, fit->at) < m->radius_in * scale + FRINGE_PX)
            return true;
    }
    return false;
}

static bool is_marble(const struct finding *w, const struct marble_fit *fit, int except)
{
    return !lacks(fit, &w->scene) && !is_fringe(w, fit, except);
}

static bool fit_at(struct marble_fit *fit, const struct finding *w, struct pt_in at, int except, struct size_seen size)
{
    struct marble_fit others[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (i != except && apart_in(w->marble[i].at, at) < NEAR_IN)
            others[n++] = w->marble[i];
    *fit = (struct marble_fit){ .at = at,
                                .radius_in = size.ratio * w->scene.pose->board.piece_radius_in,
                                .size_sigma = size.sigma };
    bool held = marble_fit_run(fit, &w->scene, others, n);
    const char *lack = held || fit->gain < 0 ? lacks(fit, &w->scene) : "wanders off";
    notes_fit(w->scene.frame, &(struct fit_note){ at, fit->at, fit->radius_in, fit->explained, lack });
    return held;
}

// A pale marble's shadow is plainer than itself: the ball is looked for where the speck is, and where it would be if the
// speck were its shadow.
static bool fit_speck(struct marble_fit *out, const struct finding *w, struct pt_in at)
{
    double r = w->scene.pose->board.piece_radius_in;
    const struct light *l = &w->scene.light;
    struct marble_fit other;
    bool here = !is_taken(w, at, -1) && fit_at(out, w, at, -1, TARGET_SIZE);
    struct pt_in before = { at.x - r * l->x, at.y - r * l->y };
    if (here && out->explained > SURE_EXPLAINED)
        return is_marble(w, out, -1) && !is_taken(w, out->at, -1);
    if ((l->x != 0 || l->y != 0) && !is_taken(w, before, -1) && fit_at(&other, w, before, -1, TARGET_SIZE) &&
        (!here || other.gain > out->gain)) {
        *out = other;
        here = true;
    }
    return here && is_marble(w, out, -1) && !is_taken(w, out->at, -1);
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
    const struct board *b = &w->scene.pose->board;
    w->count = w->lying;
    for (int i = 0; i < specks && i < most && w->count < MAX_PIECES && speck[i].sigmas > LEAST_SIGMAS; i++) {
        if (on_line(b, speck[i].at) && line_is_covered(b, speck, specks, i))
            continue;
        w->count += fit_speck(&w->marble[w->count], w, speck[i].at);
    }
}

// Those that lie on carpet alone.
static int clear_of_line(struct marble_fit out[MAX_PIECES], const struct finding *w)
{
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (!on_line(&w->scene.pose->board, w->marble[i].at))
            out[n++] = w->marble[i];
    return n;
}

// Marbles that still look as they did show that their light has not changed either.
static bool light_holds(const struct finding *w, const struct marbles_seen *seen)
{
    struct marble_fit clear[MAX_PIECES];
    return w->lying >= LEAST_MARBLES && w->scene.frame->t_s - seen->lit_at_s < LIGHT_HOLDS_S &&
           clear_of_line(clear, w) < MANY_MORE * seen->lit_by;
}

static void look_at_light(struct finding *w, struct marbles_seen *seen)
{
    struct marble_fit clear[MAX_PIECES];
    int n = clear_of_line(clear, w);
    w->scene.light = marble_light(&w->scene, clear, n);
    seen->light = w->scene.light;
    seen->lit_by = n;
    seen->lit_at_s = w->scene.frame->t_s;
}

// How rough the carpet usually is around a marble.
static void look_at_carpet(struct finding *w)
{
    double values[MAX_PIECES];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < w->count; i++)
            values[i] = w->marble[i].carpet[c];
        w->scene.carpet[c] = w->count < LEAST_MARBLES ? 0 : median_of(values, w->count);
    }
}

static bool fit_again(struct marble_fit *fit, const struct finding *w, int i, struct size_seen size)
{
    return fit_at(fit, w, w->marble[i].at, i, size) && is_marble(w, fit, i) && !is_taken(w, fit->at, i);
}

// Sizes found without believing anything of them: what shading and blur do to sizes they do to all.
static void measure_sizes(struct finding *w)
{
    for (int i = w->lying; i < w->count; i++) {
        struct marble_fit fit;
        w->free_size[i] = (struct size_seen){ 0, 0 };
        if (fit_again(&fit, w, i, TAW_SIZE))
            w->free_size[i] =
                (struct size_seen){ fit.radius_in / w->scene.pose->board.piece_radius_in, fit.size_sigma };
    }
}

// How each marble's size compares with the others'.
static void compare_sizes(struct finding *w)
{
    double sizes[MAX_PIECES], usual, spread, usual_in = w->scene.pose->board.piece_radius_in;
    int n = 0;
    for (int i = 0; i < w->count; i++) {
        bool measured = w->free_size[i].sigma > 0;
        w->size[i] = measured ? w->free_size[i] : TAW_SIZE;
        if (measured)
            sizes[n++] = log(w->size[i].ratio);
    }
    if (n < LEAST_MARBLES)
        return;
    usual = median_of(sizes, n);
    for (int i = 0; i < n; i++)
        sizes[i] = fabs(sizes[i] - usual);
    spread = fmax(MAD_TO_SIGMA * median_of(sizes, n), SIZE_FLOOR);
    for (int i = 0; i < w->count; i++) {
        if (!(w->free_size[i].sigma > 0))
            continue;
        w->size[i].ratio /= exp(usual);
        double scale =
            camera_scale_px_per_in(&w->scene.pose->camera, (struct pt3_in){ w->marble[i].at.x, w->marble[i].at.y, 0 });
        w->size[i].sigma = hypot(fmax(w->size[i].sigma, spread), SIZE_FLOOR_PX / (scale * usual_in));
    }
}

// Once more with all neighbours known, each at the size of a target or, when it has another, its own; what no longer holds
// is dropped.
static void settle_all(struct finding *w)
{
    measure_sizes(w);
    compare_sizes(w);
    for (int i = w->lying; i < w->count;) {
        bool other = fabs(log(w->size[i].ratio)) > OTHER_SIZE * w->size[i].sigma;
        struct marble_fit fit;
        if (fit_again(&fit, w, i, other ? (struct size_seen){ w->size[i].ratio, TARGET_SIZE.sigma } : TARGET_SIZE)) {
            w->marble[i++] = fit;
        } else {
            w->marble[i] = w->marble[--w->count];
            w->size[i] = w->size[w->count];
            w->free_size[i] = w->free_size[w->count];
        }
    }
}

static void describe(struct detection *out, const struct finding *w, int i)
{
    const struct board_pose *pose = w->scene.pose;
    const struct marble_fit *m = &w->marble[i];
    double scale = camera_scale_px_per_in(&pose->camera, (struct pt3_in){ m->at.x, m->at.y, 0 });
    double least_in = hypot(MARBLE_FLOOR_SIGMA_IN, MARBLE_FLOOR_SIGMA_PX / scale);
    *out = (struct detection){ .kind = PIECE_MARBLE,
                               .plane = ON_SURFACE,
                               .at = m->at,
                               .radius_in = m->radius_in,
                               .taw_certainty = 0.5,
                               .support = m->explained };
    out->cov = floor_cov(m->cov, pose, m->at, m->radius_in, least_in);
    colour_to_lab(out->lab, m->top);
    snprintf(out->colour, sizeof out->colour, "%s", marble_colour(m->top, &w->scene.light));
    camera_project(&out->px, &pose->camera, (struct pt3_in){ m->at.x, m->at.y, m->radius_in });
}

// Index of what was fitted at that place before, -1 for none.
static int fitted_at(const struct marbles_seen *seen, struct pt_in at)
{
    for (int i = 0; i < seen->count; i++)
        if (apart_in(seen->fit[i].at, at) < seen->fit[i].radius_in)
            return i;
    return -1;
}

// What lies untouched and how it was fitted is as it was.
static void take_lying(struct finding *w, struct detection_list *out, const struct detection_list *lying,
                       const struct marbles_seen *seen)
{
    for (int i = 0; i < lying->count; i++) {
        int k = fitted_at(seen, lying->piece[i].at);
        if (k < 0)
            continue;
        w->marble[w->count] = seen->fit[k];
        w->free_size[w->count++] = seen->free_size[k];
        out->piece[out->count++] = lying->piece[i];
    }
    w->lying = w->count;
}

// Roles are told by all marbles together, but who was the taw or a target is so still.
static void tell_roles(struct detection_list *out, const struct finding *w)
{
    struct detection_list before = *out;
    taw_find(out, w->size, &w->scene.pose->board);
    for (int i = 0; i < w->lying; i++)
        out->piece[i] = before.piece[i];
}

static void find_all(struct detection_list *out, struct finding *w, const struct speck *speck, int specks, bool lit,
                     struct marbles_seen *seen)
{
    if (lit) {
        w->scene.light = seen->light;
    } else {
        collect(w, speck, specks, FIRST_SPECKS);
        look_at_light(w, seen);
    }
    look_at_carpet(w);
    collect(w, speck, specks, SPECKS_MAX);
    settle_all(w);
    for (int i = w->lying; i < w->count; i++)
        describe(&out->piece[out->count++], w, i);
    tell_roles(out, w);
    seen->count = w->count;
    memcpy(seen->fit, w->marble, sizeof seen->fit);
    memcpy(seen->free_size, w->free_size, sizeof seen->free_size);
}

static int find(struct detection_list *out, struct finding *w, const struct places *changed, struct marbles_seen *seen,
                struct fail *why)
{
    struct speck speck[SPECKS_MAX];
    const struct marble_scene *s = &w->scene;
    bool lit = light_holds(w, seen);
    int specks = specks_find(speck, SPECKS_MAX, s->frame, s->pose, &seen->specks, lit ? changed : NULL, why);
    if (specks < 0)
        return specks;
    find_all(out, w, speck, specks, lit, seen);
    return 0;
}

int marbles_find(struct detection_list *out, const struct frame *f, const struct board_pose *pose,
                 const struct detection_list *lying, const struct places *changed, struct marbles_seen *seen,
                 struct fail *why)
{
    struct finding *w = calloc(1, sizeof *w);
    struct line_look *line = malloc(sizeof *line);
    struct marbles_seen nothing = { .count = 0 };
    int rc = w && line ? 0 : rs_fail(why, RS_EIO, "no memory for the marbles");
    *out = (struct detection_list){ .count = 0 };
    seen = seen ? seen : &nothing;
    if (rc == 0) {
        line_look_take(line, f, &pose->camera, &pose->board);
        w->scene = (struct marble_scene){ .frame = f, .pose = pose, .line = line, .blur_px = board_blur_px(f, pose) };
        w->scene.light = marble_light_unknown();
        take_lying(w, out, lying, seen);
        bool all_measured = w->lying == lying->count; // one may have been hidden when the others were
        rc = find(out, w, all_measured ? changed : NULL, seen, why);
    }
    free(line);
    free(w);
    return rc;
}
