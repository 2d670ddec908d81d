// SPDX-License-Identifier: MIT
#include "vision/board/oblique.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/grow.h"
#include "vision/board/pegs.h"
#include "vision/peaks.h"
#include "vision/reduced.h"

// The numbers of a pose that are searched. AT_U, AT_V: where the board's centre is seen, pixels of the frame. The slant
// is the angle between the board's normal and the line of sight to that centre, the roll turns the board about this
// line. SURFACE_IN: where the playing surface ends.
enum { AT_U, AT_V, LOG_SCALE, COS_SLANT, ROLL, LOG_F, SURFACE_IN, NUMBERS };

// The points of a template all count the same, so these numbers weigh its parts: an outer circle 1, the innermost 0.6,
// the edge 0.8.
enum {
    CIRCLE_POINTS = 20,
    INNERMOST_POINTS = 12,
    EDGE_POINTS = 16,
    MOST_POINTS = BOARD_MAX_CIRCLES * CIRCLE_POINTS + EDGE_POINTS
};
_Static_assert(MOST_POINTS *ORIENTED_MOST <= INT16_MAX, "a template's sum is kept in 16 bits");
// A template is laid over so many columns side by side, in four vectors of lanes. It keeps so many peaks, none within
// so many coarse pixels of a better one. Before its points are spread evenly over a circle, the circle's length in the
// picture is measured in so many parts.
enum { COLUMNS = 32, LANES = 8, TEMPLATE_PEAKS = 3, PEAK_U = 6, PEAK_V = 4, TEMPLATE_PARTS = 180 };

// The best of the grid are where searches begin that leave every number free. They go over the coarse maps first, which
// feel a line from farther off, with steps twice as long and every third point; the best of these go on on the fine
// maps. A circle's points are weighed by the root of their length in the picture.
enum { FINE_POINTS = 96, COARSE_STRIDE = 3, ITERATIONS = 16, MOST_COARSE = 48, MOST_FINE = 6 };
static const double COARSE_STEPS = 2;

// First steps of a search. They move the centre or the outermost circle by so many pixels of the map, change the focal
// length by a seventh, and move the surface's end. A step that betters the score grows, another shrinks.
static const double STEP_U_PX = 2.5, STEP_V_PX = 1.5, STEP_SCALE_PX = 3, STEP_TURN_PX = 2.5, STEP_LOG_F = 0.15,
                    STEP_SURFACE_IN = 0.15, STEP_GROWS = 1.2, STEP_SHRINKS = 0.6;
static const double STEP_LEAST = 0.02; // of the first: a twentieth of a pixel betters nothing

struct view {
    double x[NUMBERS];
};

// Views nearer to each other in all of these are one.
struct apart {
    double u_px, v_px, log_scale, cos_slant; // pixels, of the coarse picture in these
};
static const struct apart GRID_APART = { 7, 5, 0.07, 0.05 }; // about a step of the grid
static const struct apart FINE_APART = { 3, 3, 0.03, 0.02 }; // what searches from two sides of a pose may end apart

struct candidate {
    double score;
    struct view view;
};

struct search {
    const struct oblique_tuning *t;
    const struct board *board;
    struct lens lens; // a pinhole
    bool known_lens;
    struct pt_in coarse[TEMPLATE_PARTS], fine[FINE_POINTS]; // directions of the points on a circle
    const struct oriented *level;                           // OBLIQUE_LEVELS of them
    struct candidate *candidate;
    int candidates, room;
};

// The smallest turn that brings the optical axis onto a line of sight.
static void turn_onto(double R[3][3], const double sight[3])
{
    double ray[3], axis[3];
    memcpy(ray, sight, sizeof ray);
    vec3_normalise(ray);
    vec3_cross(axis, (const double[3]){ 0, 0, 1 }, ray);
    double turned = sqrt(vec3_dot(axis, axis));
    for (int i = 0; i < 3; i++)
        axis[i] *= turned > 0 ? asin(fmin(turned, 1)) / turned : 0;
    rotation_from_axis(R, axis);
}

// The camera of a view, for a frame reduced by `reduction`. Seen along the optical axis the board would be slanted,
// then rolled; all that is turned onto the line of sight to its centre.
static struct camera camera_of(const struct view *w, const struct lens *lens, double reduction)
{
    const struct lens own = { lens->width, lens->height, .f_px = exp(w->x[LOG_F]), .centre = lens->centre };
    struct camera c = { .lens = lens_reduced(&own, reduction) };
    struct pt_px at = pixel_reduced((struct pt_px){ w->x[AT_U], w->x[AT_V] }, reduction);
    double f = c.lens.f_px, slant = acos(fmin(fmax(w->x[COS_SLANT], 0.01), 1));
    double sight[3] = { (at.u - c.lens.centre.u) / f, (at.v - c.lens.centre.v) / f, 1 }, towards[3][3];
    double sine = sin(slant), cosine = cos(slant), rolled = cos(w->x[ROLL]), aside = sin(w->x[ROLL]);
    const double slanted[3][3] = { { 1, 0, 0 }, { 0, -cosine, -sine }, { 0, sine, -cosine } };
    const double roll[3][3] = { { rolled, -aside, 0 }, { aside, rolled, 0 }, { 0, 0, 1 } };
    double upright[3][3];
    mat3_multiply(upright, roll, slanted);
    turn_onto(towards, sight);
    mat3_multiply(c.pose.R, (const double(*)[3])towards, (const double(*)[3])upright);
    double depth_in = f / (exp(w->x[LOG_SCALE]) / reduction);
    for (int i = 0; i < 3; i++)
        c.pose.t_in[i] = sight[i] * depth_in;
    return c;
}

// The other way round: the view that camera_of makes such a camera of.
static struct view view_of(const struct camera *c, const struct board *board)
{
    double towards[3][3], n[3];
    const double *t_in = c->pose.t_in;
    turn_onto(towards, t_in);
    for (int i = 0; i < 3; i++)
        n[i] = towards[0][i] * c->pose.R[0][2] + towards[1][i] * c->pose.R[1][2] + towards[2][i] * c->pose.R[2][2];
    return (struct view){ .x = { [AT_U] = c->lens.centre.u + c->lens.f_px * t_in[0] / t_in[2],
                                 [AT_V] = c->lens.centre.v + c->lens.f_px * t_in[1] / t_in[2],
                                 [LOG_SCALE] = log(c->lens.f_px / t_in[2]),
                                 [COS_SLANT] = -n[2],
                                 [ROLL] = atan2(n[0], -n[1]),
                                 [LOG_F] = log(c->lens.f_px),
                                 [SURFACE_IN] = board->surface_radius_in } };
}

// A point of a circle in the picture, and by how much it moves with the angle. False behind the camera.
static bool circle_point(struct pt_px *at, struct pt_px *slope, const struct camera *c, double radius_in,
                         struct pt_in direction)
{
    double x = radius_in * direction.x, y = radius_in * direction.y, p[3], d[3];
    for (int i = 0; i < 3; i++) {
        p[i] = c->pose.R[i][0] * x + c->pose.R[i][1] * y + c->pose.t_in[i];
        d[i] = c->pose.R[i][1] * x - c->pose.R[i][0] * y;
    }
    if (!(p[2] > 1e-6))
        return false;
    double nearness = 1 / p[2], k = c->lens.f_px * nearness, recedes = d[2] * nearness;
    *at = (struct pt_px){ c->lens.centre.u + k * p[0], c->lens.centre.v + k * p[1] };
    *slope = (struct pt_px){ k * (d[0] - p[0] * recedes), k * (d[1] - p[1] * recedes) };
    return true;
}

// ---- coarse: templates over all places

struct template
{
    int n;
    int u[MOST_POINTS], v[MOST_POINTS], map[MOST_POINTS]; // coarse pixels from the centre
};

// Adds points of a circle, equally far apart in the picture, each with the map of the direction that is across it.
static void add_circle(struct template *t, const struct search *s, const struct camera *c, double radius_in, int points,
                       bool edge)
{
    struct pt_px at[TEMPLATE_PARTS], slope[TEMPLATE_PARTS];
    double length[TEMPLATE_PARTS + 1] = { 0 };
    int k = 0;
    for (int i = 0; i < TEMPLATE_PARTS; i++) {
        if (!circle_point(&at[i], &slope[i], c, radius_in, s->coarse[i]))
            return;
        length[i + 1] = length[i] + sqrt(slope[i].u * slope[i].u + slope[i].v * slope[i].v);
    }
    for (int i = 0; i < points && t->n < MOST_POINTS; i++) {
        double wanted = (i + 0.5) / points * length[TEMPLATE_PARTS];
        while (k < TEMPLATE_PARTS - 1 && length[k + 1] < wanted)
            k++;
        double nu = -slope[k].v, nv = slope[k].u,
               inwards = nu * (c->lens.centre.u - at[k].u) + nv * (c->lens.centre.v - at[k].v);
        double sign = inwards < 0 ? -1 : 1; // the surface is brighter than the ditch
        t->u[t->n] = (int)lround((at[k].u - c->lens.centre.u) / 2);
        t->v[t->n] = (int)lround((at[k].v - c->lens.centre.v) / 2);
        t->map[t->n++] = edge ? oriented_step_map(sign * nu, sign * nv) : oriented_line_map(nu, nv);
    }
}

// Adds up n rows of `width` numbers and returns the largest sum; all of the coarse search waits for this loop. Columns
// are added so many at a time that their sums stay in registers. They are vectors, because the speed of what compilers
// make of loops over arrays differs by three times. They have no sign, because a sanitizer looks at each sum of signed
// numbers by itself, which takes ten times as long; nor does it look at each load here, which would take half as long
// again: within_border sees to it that the rows lie in their maps.
__attribute__((no_sanitize("address"))) static int16_t add_rows(int16_t *out, const int16_t *const *row, int n,
                                                                int width)
{
    typedef int16_t lanes __attribute__((vector_size(LANES * sizeof(int16_t)), aligned(sizeof(int16_t)), may_alias));
    typedef uint16_t sums __attribute__((vector_size(LANES * sizeof(uint16_t)), aligned(sizeof(uint16_t)), may_alias));
    int16_t most = INT16_MIN;
    lanes largest = (lanes){ 0 } + most;
    for (int x = 0; x < width; x += COLUMNS) {
        lanes sum[COLUMNS / LANES];
        sums a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
        for (int i = 0; i < n; i++) {
            const sums *in = (const sums *)(row[i] + x);
            a += in[0];
            b += in[1];
            c += in[2];
            d += in[3];
        }
        memcpy(sum, (const sums[]){ a, b, c, d }, sizeof sum);
        memcpy(out + x, sum, sizeof sum);
        for (int k = 0; k < COLUMNS / LANES; k++) {
            lanes more = sum[k] > largest;
            largest = (sum[k] & more) | (largest & ~more);
        }
    }
    for (int k = 0; k < LANES; k++)
        most = most > largest[k] ? most : largest[k];
    return most;
}

static int keep(struct search *s, double score, struct view view, struct fail *why)
{
    if (!grow_list(&s->candidate, &s->room, s->candidates + 1, sizeof *s->candidate))
        return rs_fail(why, RS_ENOMEM, "no memory to look for a board at a slant");
    s->candidate[s->candidates++] = (struct candidate){ score, view };
    return 0;
}

// Where a template's middle may lie, coarse pixels, and how well it fits there.
struct window {
    int from_u, from_v, width, height; // a multiple of COLUMNS wide
    int16_t *sum;
    int16_t *most; // of each row
};

// The places where the template fits best, no two beside each other.
static int keep_peaks(struct search *s, struct window *w, const struct oriented *o, const struct view *view,
                      struct fail *why)
{
    int rc = 0;
    for (int p = 0; p < TEMPLATE_PEAKS && rc == 0; p++) {
        int at_x = 0, at_y = 0;
        for (int y = 1; y < w->height; y++)
            at_y = w->most[y] > w->most[at_y] ? y : at_y;
        int16_t best = w->most[at_y];
        while (at_x < w->width - 1 && w->sum[at_y * w->width + at_x] < best)
            at_x++;
        struct view found = *view;
        found.x[AT_U] = (2 * (at_x + w->from_u) + 1) * o->reduction;
        found.x[AT_V] = (2 * (at_y + w->from_v) + 1) * o->reduction;
        rc = keep(s, (double)best / (ORIENTED_UNIT * CIRCLE_POINTS), found, why);
        for (int y = at_y - PEAK_V; y <= at_y + PEAK_V; y++) {
            if (y < 0 || y >= w->height)
                continue;
            int16_t *sum = w->sum + y * w->width;
            for (int x = at_x - PEAK_U; x <= at_x + PEAK_U; x++)
                if (x >= 0 && x < w->width)
                    sum[x] = INT16_MIN;
            w->most[y] = INT16_MIN;
            for (int x = 0; x < w->width; x++)
                w->most[y] = sum[x] > w->most[y] ? sum[x] : w->most[y];
        }
    }
    return rc;
}

// A point farther from the middle than the border is wide stays so far off: in a wrong place, but within the memory.
// Boards so large are found in the next maps.
static int within_border(int at)
{
    return at < -ORIENTED_BORDER ? -ORIENTED_BORDER : at > ORIENTED_BORDER ? ORIENTED_BORDER : at;
}

// One template over all places.
static int search_places(struct search *s, struct window *w, const struct oriented *o, const struct view *view,
                         struct fail *why)
{
    const struct board *b = s->board;
    const int16_t *row[MOST_POINTS];
    struct template t = { 0 };
    struct camera c = camera_of(view, &s->lens, o->reduction);
    for (int i = 0; i < b->circles; i++)
        add_circle(&t, s, &c, b->circle_in[i], i > 0 && i == b->circles - 1 ? INNERMOST_POINTS : CIRCLE_POINTS, false);
    add_circle(&t, s, &c, b->surface_radius_in, EDGE_POINTS, true);
    for (int i = 0; i < t.n; i++) {
        int u = within_border(t.u[i]), v = within_border(t.v[i]);
        row[i] = o->coarse[t.map[i]] + (ptrdiff_t)(w->from_v + v) * o->stride + w->from_u + u;
    }
    for (int y = 0; y < w->height; y++) {
        w->most[y] = add_rows(w->sum + (size_t)y * (size_t)w->width, row, t.n, w->width);
        for (int i = 0; i < t.n; i++)
            row[i] += o->stride;
    }
    return keep_peaks(s, w, o, view, why);
}

// By how much a view's focal length (its logarithm) exceeds that of a camera which stands as far off as is usual and is
// zoomed in on the board.
static double off_afar(const struct search *s, const struct view *w)
{
    return w->x[LOG_F] - w->x[LOG_SCALE] - log(s->t->distance_usual_in);
}

// Where the usual lens would have to be too near to see the board so large, a camera zoomed in from farther off is
// searched too.
static int search_lenses(struct search *s, struct window *w, const struct oriented *o, struct view *view,
                         struct fail *why)
{
    view->x[LOG_F] = log(s->lens.f_px);
    int rc = search_places(s, w, o, view, why);
    double nearer = -off_afar(s, view);
    if (rc < 0 || s->known_lens || nearer < s->t->log_f_other)
        return rc;
    view->x[LOG_F] += nearer;
    return search_places(s, w, o, view, why);
}

// Coarse search of one level's maps: every scale, slant and roll of the grid, each over all places.
static int search_level(struct search *s, const struct oriented *o, struct fail *why)
{
    const struct oblique_tuning *t = s->t;
    struct window w = { .from_u = (int)(t->centre_from_u * o->coarse_width),
                        .from_v = (int)(t->centre_from_v * o->coarse_height) };
    int wide = (int)(t->centre_to_u * o->coarse_width) - w.from_u;
    while (w.width < wide && w.width + COLUMNS <= o->coarse_width) // some of the last ones may not be asked for
        w.width += COLUMNS;
    if (w.from_u + w.width > o->coarse_width)
        w.from_u = o->coarse_width - w.width;
    w.height = (int)(t->centre_to_v * o->coarse_height) - w.from_v;
    if (w.width <= 0 || w.height <= 0)
        return 0; // a tuning that leaves no place
    w.sum = malloc(sizeof *w.sum * ((size_t)w.width + 1) * (size_t)w.height);
    if (!w.sum)
        return rs_fail(why, RS_ENOMEM, "no memory to look for a board at a slant");
    w.most = w.sum + (size_t)w.width * (size_t)w.height;
    struct view view = {
        .x = { [AT_U] = s->lens.centre.u, [AT_V] = s->lens.centre.v, [SURFACE_IN] = s->board->surface_radius_in }
    };
    int rc = 0;
    for (double scale = t->scale_least; scale < t->scale_most; scale *= exp2(1 / t->scales_an_octave))
        for (double cosine = t->cos_least; cosine < t->cos_most; cosine += t->cos_step) {
            int rolls = (int)ceil(t->roll_to_rad * (1 - cosine) / t->roll_step_rad);
            for (int roll = -rolls; roll <= rolls && rc == 0; roll++) {
                view.x[LOG_SCALE] = log(scale * o->reduction);
                view.x[COS_SLANT] = cosine;
                double off_rad = rolls > 0 ? t->roll_to_rad * roll / rolls : 0;
                view.x[ROLL] = t->roll_usual_rad + off_rad;
                if (fabs(off_rad) >= t->roll_from_rad)
                    rc = search_lenses(s, &w, o, &view, why);
            }
        }
    free(w.sum);
    return rc;
}

static int by_score(const void *a, const void *b)
{
    double x = ((const struct candidate *)a)->score, y = ((const struct candidate *)b)->score;
    return (x < y) - (x > y);
}

static bool same_view(const void *better, const void *other, const void *context)
{
    const struct apart *apart = context;
    const double *p = ((const struct candidate *)better)->view.x, *q = ((const struct candidate *)other)->view.x;
    return fabs(p[AT_U] - q[AT_U]) < apart->u_px && fabs(p[AT_V] - q[AT_V]) < apart->v_px &&
           fabs(p[LOG_SCALE] - q[LOG_SCALE]) < apart->log_scale && fabs(p[COS_SLANT] - q[COS_SLANT]) < apart->cos_slant;
}

// The best come first; of those that are nearly the same one stays. `coarse`: pixels of the coarse picture.
static void keep_best(struct search *s, int most, const struct apart *coarse)
{
    const struct apart apart = { coarse->u_px * s->level[0].reduction, coarse->v_px * s->level[0].reduction,
                                 coarse->log_scale, coarse->cos_slant };
    s->candidates = peaks_suppress_by(s->candidate, sizeof *s->candidate, s->candidates, most,
                                      &(struct suppression){ by_score, same_view, &apart });
}

// ---- searches with every number free

// Mean response along a circle, of steps for the surface's edge, else of lines; on the coarse maps or the fine ones.
// Points are weighed by the root of their length in the picture.
static double along_circle(const struct search *s, const struct oriented *o, const struct camera *c, double radius_in,
                           bool edge, bool coarse)
{
    double sum = 0, weights = 0;
    struct pt_px middle = { 0, 0 };
    camera_project(&middle, c, (struct pt3_in){ 0, 0, 0 });
    for (int i = coarse; i < FINE_POINTS; i += coarse ? COARSE_STRIDE : 1) {
        struct pt_px at, slope;
        if (!circle_point(&at, &slope, c, radius_in, s->fine[i]))
            continue;
        double nu = -slope.v, nv = slope.u, weight = sqrt(sqrt(nu * nu + nv * nv));
        double sign = nu * (middle.u - at.u) + nv * (middle.v - at.v) < 0 ? -1 : 1;
        int map = edge ? oriented_step_map(sign * nu, sign * nv) : oriented_line_map(nu, nv);
        sum += weight *
               (coarse ? oriented_coarse_at(o, map, at.u, at.v) / ORIENTED_UNIT : oriented_at(o, map, at.u, at.v));
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

// How far a camera is rolled from the usual one.
static double roll_off(const struct view *w, const struct oblique_tuning *t)
{
    return remainder(w->x[ROLL] - t->roll_usual_rad, 2 * PI);
}

// How much of the board's lines and edge a view shows, less what is unusual in its lens, its roll and its edge.
// -DBL_MAX where it lies outside of what is searched.
static double score_of(const struct search *s, const struct oriented *o, const struct view *w, bool coarse)
{
    const struct board *b = s->board;
    double log_f = w->x[LOG_F] - log(s->lens.f_px), log_afar = off_afar(s, w);
    double aside_in = w->x[SURFACE_IN] - b->surface_radius_in;
    double scale = exp(w->x[LOG_SCALE]) / s->level[0].reduction, roll_rad = roll_off(w, s->t);
    bool possible = scale > s->t->scale_least / s->t->scale_slack &&
                    scale < s->t->scale_most * s->t->scale_slack * (1 << (OBLIQUE_LEVELS - 1)) &&
                    w->x[COS_SLANT] > s->t->pose_cos_least && w->x[COS_SLANT] < s->t->pose_cos_most &&
                    fabs(roll_rad) < s->t->roll_most_rad && fabs(aside_in) < s->t->surface_reach_in &&
                    log_f > s->t->log_f_least - log(s->t->f_usual) &&
                    fmin(log_f, log_afar) < s->t->log_f_most - log(s->t->f_usual);
    if (!possible)
        return -DBL_MAX;
    struct camera c = camera_of(w, &s->lens, o->reduction);
    double score = s->t->step_weight * along_circle(s, o, &c, w->x[SURFACE_IN], true, coarse);
    for (int i = 0; i < b->circles; i++)
        score += (i > 0 && i == b->circles - 1 ? s->t->innermost_weight : 1) *
                 along_circle(s, o, &c, b->circle_in[i], false, coarse);
    double unusual[] = { fmin(fabs(log_f), fabs(log_afar)) / s->t->log_f_sigma, roll_rad / s->t->roll_sigma_rad,
                         aside_in / s->t->surface_sigma_in };
    for (size_t i = 0; i < countof(unusual); i++)
        score -= s->t->prior_weight * unusual[i] * unusual[i];
    return score;
}

// The maps that show a board of this size: the widest for small ones, and from there on each for boards twice as large
// as the one before.
static const struct oriented *level_for(const struct search *s, const struct view *w)
{
    double scale = exp(w->x[LOG_SCALE]) / s->level[0].reduction;
    const struct oriented *o = s->level;
    for (scale /= s->t->level_reach * s->t->scale_most; scale >= 1 && o < &s->level[OBLIQUE_LEVELS - 1]; scale /= 2)
        o++;
    return o;
}

// Pattern search (Hooke and Jeeves 1961), on the coarse maps or the fine ones.
static void improve(const struct search *s, struct candidate *found, bool coarse)
{
    const struct oriented *o = level_for(s, &found->view);
    double k = o->reduction * (coarse ? COARSE_STEPS : 1),
           wide_px = s->board->circle_in[0] * exp(found->view.x[LOG_SCALE]);
    double step[NUMBERS] = { [AT_U] = STEP_U_PX * k,
                             [AT_V] = STEP_V_PX * k,
                             [LOG_SCALE] = STEP_SCALE_PX * k / wide_px,
                             [COS_SLANT] = STEP_TURN_PX * k / wide_px,
                             [ROLL] = STEP_TURN_PX * k / wide_px,
                             [LOG_F] = s->known_lens ? 0 : STEP_LOG_F,
                             [SURFACE_IN] = STEP_SURFACE_IN };
    double least[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        least[i] = STEP_LEAST * step[i];
    found->score = score_of(s, o, &found->view, coarse);
    for (int round = 0; round < ITERATIONS; round++)
        for (int i = 0; i < NUMBERS; i++) {
            bool better = false;
            for (int sign = 1; sign >= -1 && !better && step[i] > least[i]; sign -= 2) {
                struct view next = found->view;
                next.x[i] += sign * step[i];
                double score = score_of(s, o, &next, coarse);
                better = score > found->score;
                if (better)
                    *found = (struct candidate){ score, next };
            }
            step[i] *= better ? STEP_GROWS : STEP_SHRINKS;
        }
}

// ---- evidence

// How far each line stands out of circles of wrong radii, in deviations of those. Radii are in those of the outermost
// circle: from where circles are no longer blots to a little outside of the board. A line is looked for within a
// board's tolerance (`near`); a radius is wrong when it is farther from every line than its blur reaches (`clear`).
static void judge_lines(struct oblique_view *out, const struct search *s, const struct oriented *o,
                        const struct camera *c)
{
    enum { RADII = 111 };
    static const double first = 0.13, step = 1 / 120.0, near = 0.0135, clear = 0.03, last = 1.02;
    static const double least_deviation = 0.03; // maps where nothing differs have none
    const struct board *b = s->board;
    double strength[RADII], wrong[RADII] = { 0 }, mean = 0, square = 0;
    int n = 0;
    for (int k = 0; k < RADII; k++) {
        double radius = first + k * step;
        bool beside = radius < last;
        strength[k] = along_circle(s, o, c, radius * b->circle_in[0], false, false);
        for (int i = 0; i < b->circles; i++)
            beside = beside && fabs(radius - b->circle_in[i] / b->circle_in[0]) > clear;
        if (beside)
            wrong[n++] = strength[k];
    }
    for (int k = 0; k < n; k++)
        mean += wrong[k] / n;
    for (int k = 0; k < n; k++)
        square += (wrong[k] - mean) * (wrong[k] - mean) / n;
    double usual = median_of(wrong, n), deviation = sqrt(square) + least_deviation;
    for (int i = 0; i < b->circles; i++) {
        double best = -DBL_MAX;
        for (int k = 0; k < RADII; k++)
            if (fabs(first + k * step - b->circle_in[i] / b->circle_in[0]) < near)
                best = fmax(best, strength[k]);
        out->line_strength[i] = (best - usual) / deviation;
    }
}

// The board that is played on is the largest of those that stand out, which show this share of what the best one shows.
static double rank(const struct oblique_view *view, double best)
{
    static const double stands_out = 0.6;
    double evidence = view->score + view->pegs, size = view->camera.lens.f_px / view->camera.pose.t_in[2];
    return evidence >= stands_out * best ? evidence * size : 0;
}

// A candidate as a camera of the frame, and the evidence for it.
static struct oblique_view judged(const struct search *s, const struct candidate *found, const struct lens *lens)
{
    const struct oriented *o = level_for(s, &found->view), *widest = &s->level[0];
    struct camera reduced = camera_of(&found->view, &s->lens, o->reduction);
    struct camera fine = camera_of(&found->view, &s->lens, widest->reduction);
    struct oblique_view out = { .camera = camera_of(&found->view, &s->lens, 1), .score = found->score };
    if (s->known_lens)
        out.camera.lens = *lens;
    judge_lines(&out, s, o, &reduced);
    struct pegs pegs;
    out.pegs = pegs_measure(&pegs, s->board, &fine, (struct grey_picture){ oriented_grey, widest }, s->t);
    return out;
}

static void directions(struct pt_in *out, int n, double from)
{
    for (int i = 0; i < n; i++)
        out[i] = (struct pt_in){ cos(2 * PI * (i + from) / n), sin(2 * PI * (i + from) / n) };
}

void oblique_maps_finish(struct oblique_maps *maps)
{
    for (int i = 0; i < OBLIQUE_LEVELS; i++)
        oriented_finish(&maps->level[i]);
}

int oblique_find(struct oblique_view out[OBLIQUE_VIEWS], struct oblique_maps *maps, const struct oblique_request *asked,
                 struct fail *why)
{
    const struct oblique_tuning *t = asked->tuning;
    const struct lens *lens = &asked->lens;
    struct search s = { .t = t,
                        .board = asked->board,
                        .level = maps->level,
                        .lens = { lens->width, lens->height, .f_px = lens->f_px, .centre = lens->centre },
                        .known_lens = asked->known_lens };
    enum { MOST_ASPECT = 4 }; // of a strip the maps would have no end
    const int width = asked->frame->width, height = asked->frame->height;
    double best = 0;
    int rc = 0, n = 0;
    if (asked->board->kind != BOARD_CIRCLES || width > MOST_ASPECT * height || height > MOST_ASPECT * width)
        return 0;
    directions(s.coarse, TEMPLATE_PARTS, 0);
    directions(s.fine, FINE_POINTS, 0.5);
    if (maps->level[0].kind != (enum line_kind)t->line_kind || maps->level[0].width != (int)t->map_width_px)
        oblique_maps_finish(maps);
    for (int i = 0; i < OBLIQUE_LEVELS && rc == 0; i++)
        if (!maps->level[i].memory)
            rc = oriented_create(&maps->level[i], asked->frame, s.known_lens ? lens : NULL, (int)t->map_width_px >> i,
                                 t, why);
    for (int i = 0; i < t->levels && rc == 0 && asked->starts == 0; i++)
        rc = search_level(&s, &s.level[i], why);
    for (int i = 0; i < asked->starts && rc == 0; i++)
        rc = keep(&s, 0, view_of(&asked->start[i], s.board), why);
    if (rc == 0) {
        keep_best(&s, MOST_COARSE, &GRID_APART);
        for (int i = 0; i < s.candidates; i++)
            improve(&s, &s.candidate[i], true);
        keep_best(&s, MOST_FINE, &FINE_APART);
        for (int i = 0; i < s.candidates; i++)
            improve(&s, &s.candidate[i], false);
        keep_best(&s, OBLIQUE_VIEWS, &FINE_APART);
        for (int i = 0; i < s.candidates; i++)
            if (fabs(roll_off(&s.candidate[i].view, t)) < t->roll_free_share * t->roll_most_rad)
                out[n++] = judged(&s, &s.candidate[i], lens);
    }
    for (int i = 0; i < n; i++)
        best = fmax(best, out[i].score + out[i].pegs);
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && rank(&out[j], best) > rank(&out[j - 1], best); j--) {
            struct oblique_view swap = out[j];
            out[j] = out[j - 1];
            out[j - 1] = swap;
        }
    free(s.candidate);
    return rc < 0 ? rc : n;
}
