// SPDX-License-Identifier: MIT
#include "vision/board/inspect.h"

#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "vision/board/compression.h"
#include "vision/board/polar.h"
#include "vision/board/trace.h"

enum { AROUND = 120, PROFILE_MOST = 201, FLANK_SAMPLES = 5, LIGHT_RINGS = 24, LIGHT_AROUND = 96 };
static const double STEP_PX = 0.5;   // along a profile
static const double REACH_PX = 8;    // from a line's edge outwards: its blur and a piece of the ground
static const double WINDOW_PX = 3;   // a line farther from the fit is another one
static const double LEAST_SEEN = 12; // directions: fewer make no median
static const double LEAST_STEP = 4;  // of light, 0..255, between line and ground
static const double USUAL_PX = 1.2;  // where lines are too thin or faint to show their blur
static const double SHARPEST_PX = 0.6, SOFTEST_PX = 2.5; // beyond, something else was measured
static const double MOST_BLUR_PX = 20;
static const double CLIPPED_LUMA = 250; // JPEG rings a few steps below white
static const double DARK_LUMA = 16;     // video's black

struct profiles {
    int n; // samples across; the middle one is the line's
    double light[3][PROFILE_MOST][AROUND];
    double median[3][PROFILE_MOST];
    int directions;   // that lie in the picture whole
    double px_per_in; // across the line, median
};

// Pixels that an inch across the line covers in the picture, in that direction; 0 where it cannot be seen.
static double across_px_per_in(const struct camera *c, double radius_in, double angle_rad)
{
    struct pt_px a, b;
    double x = cos(angle_rad), y = sin(angle_rad), h = 0.01;
    if (!camera_project(&a, c, (struct pt3_in){ (radius_in - h) * x, (radius_in - h) * y, 0 }) ||
        !camera_project(&b, c, (struct pt3_in){ (radius_in + h) * x, (radius_in + h) * y, 0 }))
        return 0;
    return hypot(b.u - a.u, b.v - a.v) / (2 * h);
}

// Adds the profile in that direction when all of it lies in the picture.
static bool add_direction(struct profiles *p, const struct frame *f, const struct camera *c, double radius_in,
                          double angle_rad)
{
    double scale = across_px_per_in(c, radius_in, angle_rad);
    if (!(scale > 0))
        return false;
    for (int k = 0; k < p->n; k++) {
        double r = radius_in + (k - p->n / 2) * STEP_PX / scale;
        struct pt_px at;
        float bgr[3];
        if (!camera_project(&at, c, (struct pt3_in){ r * cos(angle_rad), r * sin(angle_rad), 0 }) ||
            !frame_light(bgr, f, at.u, at.v))
            return false;
        for (int i = 0; i < 3; i++)
            p->light[i][k][p->directions] = bgr[i];
    }
    p->directions++;
    return true;
}

static bool read_profiles(struct profiles *p, const struct frame *f, const struct camera *c, double radius_in,
                          double width_in)
{
    double scales[AROUND];
    int seen = 0;
    for (int k = 0; k < AROUND; k++) {
        double scale = across_px_per_in(c, radius_in, 2 * PI * k / AROUND);
        scales[seen] = scale;
        seen += scale > 0;
    }
    p->directions = 0;
    if (seen < LEAST_SEEN)
        return false;
    p->px_per_in = median_of(scales, seen);
    p->n = 2 * (int)ceil((width_in * p->px_per_in / 2 + REACH_PX) / STEP_PX) + 1;
    if (p->n > PROFILE_MOST)
        return false;
    for (int k = 0; k < AROUND; k++)
        add_direction(p, f, c, radius_in, 2 * PI * k / AROUND);
    for (int i = 0; i < 3 && p->directions >= LEAST_SEEN; i++)
        for (int k = 0; k < p->n; k++)
            p->median[i][k] = median_of(p->light[i][k], p->directions);
    return p->directions >= LEAST_SEEN;
}

static double flank(const struct profiles *p, int channel)
{
    double sum = 0;
    for (int k = 0; k < FLANK_SAMPLES; k++)
        sum += p->median[channel][k] + p->median[channel][p->n - 1 - k];
    return sum / (2 * FLANK_SAMPLES);
}

// A line of width 1 under a blur of sigma: its slope across a sample's neighbours, at most, over its height.
static double modelled_steepness(double width_px, double sigma_px)
{
    double height = erf(width_px / 2 / (sqrt(2) * sigma_px)), most = 0, before = 0;
    for (int k = 0; k < PROFILE_MOST; k++) {
        double from = k * STEP_PX - STEP_PX, to = k * STEP_PX + STEP_PX, s = sqrt(2) * sigma_px, half = width_px / 2;
        double at_from = (erf((from + half) / s) - erf((from - half) / s)) / 2;
        double at_to = (erf((to + half) / s) - erf((to - half) / s)) / 2;
        double slope = (at_from - at_to) / (2 * STEP_PX);
        most = fmax(most, slope);
        if (slope < before && before > 0 && slope < most / 2)
            break;
        before = slope;
    }
    return height > 0 ? most / height : INFINITY;
}

static double blur_of(const struct profiles *p, const double along[3], double width_px)
{
    double shown[PROFILE_MOST], ground = 0, height = 0, slope = 0, low = 0.05, high = MOST_BLUR_PX;
    for (int i = 0; i < 3; i++)
        ground += along[i] * flank(p, i);
    for (int k = 0; k < p->n; k++) {
        shown[k] = -ground;
        for (int i = 0; i < 3; i++)
            shown[k] += along[i] * p->median[i][k];
        height = fmax(height, shown[k]);
    }
    for (int k = 1; k + 1 < p->n; k++)
        slope = fmax(slope, fabs(shown[k + 1] - shown[k - 1]) / (2 * STEP_PX));
    if (height < LEAST_STEP || !(width_px > 0))
        return 0;
    while (high - low > 0.01) {
        double sigma = (low + high) / 2;
        if (modelled_steepness(width_px, sigma) > slope / height)
            low = sigma;
        else
            high = sigma;
    }
    return low;
}

static void trace_line(struct line_inspection *out, const struct frame *f, const struct camera *c,
                       const struct trace_wish *wish)
{
    struct trace_point point[AROUND];
    double off_px[AROUND];
    int n = 0, seen = trace_circle(point, f, c, wish);
    for (int k = 0; k < AROUND; k++) {
        struct pt_px middle = { (point[k].inside.u + point[k].outside.u) / 2,
                                (point[k].inside.v + point[k].outside.v) / 2 };
        struct pt_in at;
        if (!point[k].seen || !camera_locate(&at, c, middle, 0))
            continue;
        double scale = across_px_per_in(c, wish->radius_in, point[k].angle_rad);
        double radius_in = wish->radius_in + board_stray_in(wish->line_deviation_in, point[k].angle_rad);
        off_px[n++] = fabs(hypot(at.x, at.y) - radius_in) * scale;
    }
    out->seen = (double)seen / AROUND;
    out->noise_px = n ? MAD_TO_SIGMA * median_of(off_px, n) : 0; // pegs and pieces beside the line are no part of it
}

static double share_outside(const struct frame *f, const struct camera *c, double radius_in)
{
    int outside = 0;
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * PI * k / AROUND;
        struct pt_px at;
        bool seen = camera_project(&at, c, (struct pt3_in){ radius_in * cos(angle), radius_in * sin(angle), 0 });
        outside += !seen || at.u < 0 || at.v < 0 || at.u > f->width - 1 || at.v > f->height - 1;
    }
    return (double)outside / AROUND;
}

static void inspect_line(struct line_inspection *out, const struct frame *f, const struct board_pose *pose, int circle,
                         struct profiles *p)
{
    const struct board *b = &pose->board;
    double middle_in = b->circle_in[circle] + (b->edge == CIRCLE_LINE_INSIDE ? b->line_width_in / 2 : 0);
    struct trace_wish wish = { .radius_in = middle_in,
                               .line_deviation_in = b->line_deviation_in[circle],
                               .width_in = b->line_width_in,
                               .window_px = WINDOW_PX,
                               .samples = AROUND };
    double contrast[3];
    *out = (struct line_inspection){ .radius_in = middle_in, .outside = share_outside(f, &pose->camera, middle_in) };
    if (!read_profiles(p, f, &pose->camera, middle_in, b->line_width_in))
        return;
    for (int i = 0; i < 3; i++)
        contrast[i] = p->median[i][p->n / 2] - flank(p, i);
    if (!(vec3_dot(contrast, contrast) > 0))
        return;
    trace_look_along(&wish, contrast);
    trace_line(out, f, &pose->camera, &wish);
    out->blur_px = blur_of(p, wish.along, b->line_width_in * p->px_per_in);
}

static void inspect_light(struct inspection *out, const struct frame *f, const struct board_pose *pose)
{
    double luma[LIGHT_RINGS * LIGHT_AROUND];
    int n = 0, clipped = 0, dark = 0;
    for (int k = 0; k < LIGHT_RINGS * LIGHT_AROUND; k++) {
        // Rings of the same area, so that every place counts the same.
        double r = pose->board.circle_in[0] * sqrt((k / LIGHT_AROUND + 0.5) / LIGHT_RINGS);
        double angle = 2 * PI * (k % LIGHT_AROUND) / LIGHT_AROUND;
        struct pt_px at;
        if (!camera_project(&at, &pose->camera, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }) || !(at.u >= 0) ||
            !(at.v >= 0) || at.u > f->width - 1 || at.v > f->height - 1)
            continue;
        const uint8_t *bgr = f->bgr + 3 * ((size_t)at.v * (size_t)f->width + (size_t)at.u);
        luma[n] = 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2];
        clipped += luma[n] >= CLIPPED_LUMA;
        dark += luma[n] <= DARK_LUMA;
        n++;
    }
    if (!n)
        return;
    out->clipped = (double)clipped / n;
    out->dark = (double)dark / n;
    out->brightness = median_of(luma, n);
}

void board_inspect(struct inspection *out, const struct frame *f, const struct board_pose *pose)
{
    struct profiles *p = malloc(sizeof *p);
    double whole_in = 0;
    if (!p)
        abort();
    *out = (struct inspection){ .lines = pose->board.circles };
    for (int i = 0; i < out->lines; i++) {
        struct line_inspection *l = &out->line[i];
        inspect_line(l, f, pose, i, p);
        whole_in += l->radius_in;
        out->seen += l->seen * l->radius_in;
        out->outside += l->outside * l->radius_in;
        if (l->blur_px > 0 && (out->blur_px <= 0 || l->blur_px < out->blur_px))
            out->blur_px = l->blur_px;
    }
    out->seen /= whole_in;
    out->outside /= whole_in;
    inspect_light(out, f, pose);
    free(p);
}

struct clarity board_clarity(const struct frame *f, const struct board_pose *pose)
{
    struct inspection seen;
    struct compression blocks = compression_look(f, pose);
    board_inspect(&seen, f, pose);
    return (struct clarity){ .blur_px = seen.blur_px,
                             .in_blocks = blocks.share,
                             .block_step = blocks.sigma,
                             .brightness = seen.brightness,
                             .clipped = seen.clipped };
}

double board_blur_px(const struct frame *f, const struct board_pose *pose)
{
    struct inspection seen;
    board_inspect(&seen, f, pose);
    return seen.blur_px > 0 ? fmax(SHARPEST_PX, fmin(seen.blur_px, SOFTEST_PX)) : USUAL_PX;
}
