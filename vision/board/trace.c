// SPDX-License-Identifier: MIT
#include "vision/board/trace.h"

#include <math.h>

#include "calibration/algebra.h"
#include "calibration/board.h"
#include "vision/board/polar.h"

enum { MAX_PROFILE = 400 };
static const double STEP_PX = 0.5;       // along the profile
static const double FLANK_PX = 2.0;      // ground looked at beside the line starts so far out ...
static const double FLANK_LONG_PX = 3.0; // ... and is so long: the edge's blur ends before it
static const double LUMA_SHARE = 0.2;    // of the contrast: with less the line is one of colour (grey would give 0.58)
static const double LEAST_CONTRAST = 0.35; // of the wished one

// What is looked across: at one direction of a circle along the radius, at one radius of a spoke along the circle.
struct slit {
    double radius_in, angle_rad;
    bool spoke;
};

struct profile {
    int n;
    double at[MAX_PROFILE]; // along the wished colour direction, smoothed
    double step_in;         // inches across the line per sample
    double start_in;        // of sample 0, from the slit's middle
};

static bool slit_project(struct pt_px *out, const struct camera *camera, const struct slit *s, double off_in)
{
    double angle = s->angle_rad + (s->spoke ? off_in / s->radius_in : 0), r = s->radius_in + (s->spoke ? 0 : off_in);
    return r > 0 && camera_project(out, camera, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 });
}

static double projected(const float bgr[3], const double along[3])
{
    return bgr[0] * along[0] + bgr[1] * along[1] + bgr[2] * along[2];
}

static bool read_profile(struct profile *p, const struct frame *f, const struct camera *camera, const struct slit *slit,
                         const double along[3], double reach_px)
{
    double h = 0.01, raw[MAX_PROFILE];
    struct pt_px a, b;
    if (!slit_project(&a, camera, slit, -h) || !slit_project(&b, camera, slit, h))
        return false;
    double px_per_in = hypot(b.u - a.u, b.v - a.v) / (2 * h);
    if (!(px_per_in > 0))
        return false;
    p->step_in = STEP_PX / px_per_in;
    p->n = 2 * (int)ceil(reach_px / STEP_PX) + 1;
    if (p->n > MAX_PROFILE)
        p->n = MAX_PROFILE;
    p->start_in = -p->step_in * (p->n / 2);
    for (int i = 0; i < p->n; i++) {
        float bgr[3];
        if (!slit_project(&a, camera, slit, p->start_in + i * p->step_in) || !frame_light(bgr, f, a.u, a.v))
            return false;
        raw[i] = projected(bgr, along);
    }
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

// The sample where a band of the line's width stands out most from both its flanks.
static int strongest_line(double *contrast, const struct profile *p, double half_px, double window_px)
{
    int half = (int)lround(half_px / STEP_PX), gap = half + (int)lround(FLANK_PX / STEP_PX);
    int far = gap + (int)lround(FLANK_LONG_PX / STEP_PX),
        window = (int)lround(fmin(window_px, MAX_PROFILE * STEP_PX) / STEP_PX), best = -1;
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
    if (best < 0)
        return -1;
    double before = sign * (p->at[best] - p->at[best - 2]), after = sign * (p->at[best + 2] - p->at[best]);
    double bend = before - 2 * most + after;
    return best + (bend < 0 ? fmax(-1, fmin(1, 0.5 * (before - after) / bend)) : 0);
}

// The light that the line takes from its ground, summed over the radius, as a width.
static double taken_in(const struct profile *p, int at, double half_px, const double along[3])
{
    if (along[0] > 0 || along[1] > 0 || along[2] > 0) // not seen along "less light"
        return 0;
    int gap = (int)lround((half_px + FLANK_PX) / STEP_PX), far = gap + (int)lround(FLANK_LONG_PX / STEP_PX);
    double ground = (mean_between(p, at - far, at - gap) + mean_between(p, at + gap, at + far)) / 2;
    if (!(ground < 0))
        return 0;
    return (mean_between(p, at - gap, at + gap) - ground) * (2 * gap + 1) * p->step_in / -ground;
}

// The strongest line across the slit: its edges and middle as samples.
struct band {
    double rise, fall, contrast, half_px;
    int at;
};

static bool find_band(struct band *out, struct profile *p, const struct frame *f, const struct camera *camera,
                      const struct trace_wish *wish, const struct slit *slit)
{
    struct pt3_in middle = { slit->radius_in * cos(slit->angle_rad), slit->radius_in * sin(slit->angle_rad), 0 };
    double half_px = fmax(wish->width_in * camera_scale_px_per_in(camera, middle) / 2, 0.5);
    out->half_px = half_px;
    double beside_px = half_px + FLANK_PX + FLANK_LONG_PX + 1;
    double reach_px = fmin(wish->window_px, MAX_PROFILE * STEP_PX) + beside_px;
    if (!(2 * beside_px < MAX_PROFILE * STEP_PX)) // a fit gone wild: no profile holds so broad a line
        return false;
    if (!read_profile(p, f, camera, slit, wish->along, reach_px))
        return false;
    out->at = strongest_line(&out->contrast, p, half_px, wish->window_px);
    out->contrast /= wish->step;
    if (out->at < 0 || out->contrast < LEAST_CONTRAST)
        return false;
    int reach = (int)lround((half_px + FLANK_PX) / STEP_PX);
    out->rise = steepest(p, out->at - reach, out->at, 1);
    out->fall = steepest(p, out->at, out->at + reach, -1);
    return true;
}

static void trace_one(struct trace_point *out, const struct frame *f, const struct camera *camera,
                      const struct trace_wish *wish)
{
    struct profile p;
    struct band b = { 0 };
    double line_deviation_in = wish->line_deviation_in ? board_stray_in(wish->line_deviation_in, out->angle_rad) : 0;
    struct slit slit = { wish->radius_in + line_deviation_in, out->angle_rad, false };
    bool found = find_band(&b, &p, f, camera, wish, &slit);
    out->contrast = b.contrast;
    if (!found)
        return;
    out->taken_in = taken_in(&p, b.at, b.half_px, wish->along);
    out->seen = b.rise >= 0 && b.fall > b.rise &&
                slit_project(&out->inside, camera, &slit, p.start_in + b.rise * p.step_in) &&
                slit_project(&out->outside, camera, &slit, p.start_in + b.fall * p.step_in);
}

bool trace_spoke(double *off_rad, const struct frame *f, const struct camera *camera, const struct trace_wish *wish,
                 double angle_rad)
{
    struct profile p;
    struct band b = { 0 };
    struct slit slit = { wish->radius_in, angle_rad, true };
    if (!(wish->step > 0) || !find_band(&b, &p, f, camera, wish, &slit) || b.rise < 0 || b.fall <= b.rise)
        return false;
    *off_rad = (p.start_in + (b.rise + b.fall) / 2 * p.step_in) / wish->radius_in;
    return true;
}

int trace_circle(struct trace_point *out, const struct frame *f, const struct camera *camera,
                 const struct trace_wish *wish)
{
    int seen = 0;
    for (int i = 0; i < wish->samples; i++) {
        out[i] = (struct trace_point){ .angle_rad = 2 * PI * i / wish->samples };
        if (wish->step > 0)
            trace_one(&out[i], f, camera, wish);
        seen += out[i].seen;
    }
    return seen;
}

void trace_look_along(struct trace_wish *wish, const double contrast[3])
{
    static const double luma[3] = { 0.114, 0.587, 0.299 };
    double step = vec3_dot(luma, contrast), size = sqrt(vec3_dot(contrast, contrast));
    for (int c = 0; c < 3; c++)
        wish->along[c] = fabs(step) > LUMA_SHARE * size ? luma[c] * (step > 0 ? 1 : -1) : contrast[c] / size;
    wish->step = vec3_dot(wish->along, contrast);
}
