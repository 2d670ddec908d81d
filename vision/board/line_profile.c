// SPDX-License-Identifier: MIT
#include "vision/board/line_profile.h"

#include <math.h>

#include "calibration/algebra.h"
#include "calibration/board.h"
#include "vision/colour.h"
#include "vision/rectify.h"

enum { MAX_PROFILE = 400 };

struct profile {
    int n;
    double at[MAX_PROFILE]; // along the wished colour direction, smoothed
    double step_in;         // inches across the line per sample
    double start_in;        // of sample 0, from the slit's middle
};

static bool slit_project(struct pt_px *out, const struct camera *camera, const struct slit *s, double off_in)
{
    double angle = s->angle_rad + (s->spoke ? off_in / s->radius_in : 0), r = s->radius_in + (s->spoke ? 0 : off_in);
    return r > 0 && camera_project(out, camera, surface_polar(r, angle));
}

double slit_px_per_in(const struct camera *camera, const struct slit *s)
{
    const double h = 0.01;
    struct pt_px a, b;
    return slit_project(&a, camera, s, -h) && slit_project(&b, camera, s, h) ? distance_px(a, b) / (2 * h) : 0;
}

bool slit_read(float (*light)[3], int n, const struct line_view *view, const struct slit *s, double step_in)
{
    bool seen = true;
    for (int i = 0; i < n && seen; i++) {
        struct pt_px at;
        seen = slit_project(&at, view->camera, s, (i - n / 2) * step_in) &&
               frame_sample(light[i], view->frame, at.u, at.v, SAMPLE_LIGHT);
    }
    return seen;
}

static bool read_profile(struct profile *p, const struct line_view *view, const struct slit *slit,
                         const double along[3], double reach_px)
{
    double px_per_in = slit_px_per_in(view->camera, slit), raw[MAX_PROFILE];
    float light[MAX_PROFILE][3];
    p->step_in = PROFILE_STEP_PX / px_per_in;
    p->n = 2 * (int)ceil(reach_px / PROFILE_STEP_PX) + 1;
    if (p->n > MAX_PROFILE)
        p->n = MAX_PROFILE;
    p->start_in = -p->step_in * (p->n / 2);
    if (!(px_per_in > 0) || !slit_read(light, p->n, view, slit, p->step_in))
        return false;
    for (int i = 0; i < p->n; i++)
        raw[i] = (double)light[i][0] * along[0] + (double)light[i][1] * along[1] + (double)light[i][2] * along[2];
    for (int i = 0; i < p->n; i++) { // binomial, sigma 0.5 px: takes single-pixel noise, keeps the edges' place
        int before = i > 0 ? i - 1 : 0, after = i + 1 < p->n ? i + 1 : i;
        p->at[i] = (raw[before] + 2 * raw[i] + raw[after]) / 4;
    }
    return true;
}

static double mean_between(const struct profile *p, int from, int to)
{
    double sum = 0;
    for (int i = from; i <= to; i++)
        sum += p->at[i];
    return sum / (to - from + 1);
}

// Samples from a line's middle to its edge, and to where the ground beside it begins and ends.
struct flanks {
    int half, gap, far;
};

// The sample where a band of the line's width stands out most from both its flanks.
static int strongest_line(double *contrast, const struct profile *p, const struct flanks *beside, double window_px)
{
    const int half = beside->half, gap = beside->gap, far = beside->far;
    int window = (int)lround(fmin(window_px, MAX_PROFILE * PROFILE_STEP_PX) / PROFILE_STEP_PX), best = -1;
    *contrast = 0;
    for (int i = p->n / 2 - window; i <= p->n / 2 + window; i++) {
        if (i - far < 0 || i + far >= p->n)
            continue;
        double line = mean_between(p, i - half, i + half);
        double inner = line - mean_between(p, i - far, i - gap), outer = line - mean_between(p, i + gap, i + far);
        double least = fmin(inner, outer); // an edge between two grounds is no line
        if (least > *contrast) {
            *contrast = least;
            best = i;
        }
    }
    return best;
}

// Sub-sample place of the steepest rise (sign 1) or fall (sign -1) between two samples; -1 when there is none.
static double steepest(const struct profile *p, int from, int to, int sign)
{
    int best = -1;
    double most = 0;
    if (from < 2)
        from = 2;
    if (to > p->n - 3)
        to = p->n - 3;
    for (int i = from; i <= to; i++) {
        double slope = sign * (p->at[i + 1] - p->at[i - 1]);
        if (slope > most) {
            most = slope;
            best = i;
        }
    }
    if (best < 2)
        return -1;
    double before = sign * (p->at[best] - p->at[best - 2]), after = sign * (p->at[best + 2] - p->at[best]);
    double curvature = before - 2 * most + after;
    return best + (curvature < 0 ? fmax(-1, fmin(1, 0.5 * (before - after) / curvature)) : 0);
}

// The light that the line takes from its ground, summed over the radius, as a width.
static double taken_in(const struct profile *p, int at, const struct flanks *beside, const double along[3])
{
    const int gap = beside->gap, far = beside->far;
    if (along[0] > 0 || along[1] > 0 || along[2] > 0) // not seen along "less light"
        return 0;
    double ground = (mean_between(p, at - far, at - gap) + mean_between(p, at + gap, at + far)) / 2;
    if (!(ground < 0))
        return 0;
    return (mean_between(p, at - gap, at + gap) - ground) * (2 * gap + 1) * p->step_in / -ground;
}

// The strongest line across the slit: its edges and middle as samples.
struct band {
    double rise, fall;
    int at;
    struct flanks beside;
};

// The profile across the slit, as long as the line's window and the ground beside it. False where there is none.
static bool read_across(struct profile *p, struct flanks *beside, const struct line_view *view,
                        const struct predicted_line *line, const struct slit *slit)
{
    const struct board_tuning *t = view->tuning;
    struct pt3_in middle = surface_polar(slit->radius_in, slit->angle_rad);
    double half_px = fmax(line->width_in * camera_scale_px_per_in(view->camera, middle) / 2, 0.5);
    double beside_px = half_px + t->flank_px + t->flank_long_px + 1;
    double reach_px = fmin(line->window_px, MAX_PROFILE * PROFILE_STEP_PX) + beside_px;
    if (!(2 * beside_px < MAX_PROFILE * PROFILE_STEP_PX)) // a fit gone wild: no profile holds so broad a line
        return false;
    beside->half = (int)lround(half_px / PROFILE_STEP_PX);
    beside->gap = beside->half + (int)lround(t->flank_px / PROFILE_STEP_PX);
    beside->far = beside->gap + (int)lround(t->flank_long_px / PROFILE_STEP_PX);
    return read_profile(p, view, slit, line->along, reach_px);
}

// False when none is seen.
static bool find_band(struct band *out, struct profile *p, const struct line_view *view,
                      const struct predicted_line *line, const struct slit *slit)
{
    double contrast;
    if (!read_across(p, &out->beside, view, line, slit))
        return false;
    out->at = strongest_line(&contrast, p, &out->beside, line->window_px);
    if (out->at < 0 || contrast < view->tuning->contrast_least * line->step)
        return false;
    out->rise = steepest(p, out->at - out->beside.gap, out->at, 1);
    out->fall = steepest(p, out->at, out->at + out->beside.gap, -1);
    return out->rise >= 0 && out->fall > out->rise;
}

bool line_profile_spoke(double *off_rad, const struct line_view *view, const struct predicted_line *line,
                        double angle_rad)
{
    struct profile p;
    struct band b = { 0 };
    struct slit slit = { line->radius_in, angle_rad, true };
    if (!(line->step > 0) || !find_band(&b, &p, view, line, &slit))
        return false;
    *off_rad = (p.start_in + (b.rise + b.fall) / 2 * p.step_in) / line->radius_in;
    return true;
}

int line_profile_circle(struct line_point *out, const struct line_view *view, const struct predicted_line *line)
{
    int seen = 0;
    for (int i = 0; i < line->samples; i++) {
        struct line_point *o = &out[i];
        struct profile p;
        struct band b;
        *o = (struct line_point){ .angle_rad = 2 * PI * i / line->samples };
        double off_in = line->line_deviation_in ? board_line_deviation_in(line->line_deviation_in, o->angle_rad) : 0;
        struct slit slit = { line->radius_in + off_in, o->angle_rad, false };
        if (!(line->step > 0) || !find_band(&b, &p, view, line, &slit) ||
            !slit_project(&o->inside, view->camera, &slit, p.start_in + b.rise * p.step_in) ||
            !slit_project(&o->outside, view->camera, &slit, p.start_in + b.fall * p.step_in))
            continue;
        o->middle = (struct pt_px){ (o->inside.u + o->outside.u) / 2, (o->inside.v + o->outside.v) / 2 };
        o->taken_in = taken_in(&p, b.at, &b.beside, line->along);
        o->seen = true;
        seen++;
    }
    return seen;
}

double line_profile_contrast(const struct line_view *view, const struct predicted_line *line)
{
    enum { DIRECTIONS = 240 };
    double contrast[DIRECTIONS];
    int n = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        struct profile p;
        struct flanks beside;
        struct slit slit = { line->radius_in, 2 * PI * i / DIRECTIONS, false };
        if (read_across(&p, &beside, view, line, &slit)) {
            strongest_line(&contrast[n], &p, &beside, line->window_px);
            n += contrast[n] > 0;
        }
    }
    return n > 0 ? median_of(contrast, n) : 0;
}

void line_profile_along(struct predicted_line *line, const double contrast[3], const struct board_tuning *t)
{
    double step = vec3_dot(LUMA_OF_BGR, contrast), size = sqrt(vec3_dot(contrast, contrast));
    line->of_colour = !(fabs(step) > t->luma_share * size);
    for (int c = 0; c < 3; c++)
        line->along[c] = line->of_colour ? contrast[c] / size : LUMA_OF_BGR[c] * (step > 0 ? 1 : -1);
    line->step = vec3_dot(line->along, contrast);
}
