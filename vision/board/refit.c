// SPDX-License-Identifier: MIT
#include "vision/board/refit.h"

#include <math.h>

#include "calibration/algebra.h"
#include "calibration/pose_fit.h"
#include "vision/board/polar.h"
#include "vision/board/trace.h"

enum { AROUND = 48, MAX_POINTS = 2 * AROUND * BOARD_MAX_CIRCLES };
static const double WINDOW_PX = 5;         // a board that moved farther is found anew
static const double FLANK_PX = 3;          // from a line's edge to its ground: blur ends before it
static const double LEAST_COVERAGE = 0.35; // as when a board is found
static const double MOST_NOISE_PX = 1.5;   // more: these are not the lines

struct lines {
    const struct found_board *board;
    const struct frame *f;
    struct fit_point point[MAX_POINTS];
    int points;
    double seen_in, whole_in; // length of the lines
};

static bool light_at(float bgr[3], const struct lines *l, double radius_in, double angle_rad)
{
    struct pt_px p;
    struct pt3_in at = { radius_in * cos(angle_rad), radius_in * sin(angle_rad), 0 };
    return camera_project(&p, &l->board->camera, at) && frame_light(bgr, l->f, p.u, p.v);
}

// How the line differs from the ground beside it: medians over its directions, so that pieces on it do not count.
static bool contrast_of(double contrast[3], const struct lines *l, double radius_in, double width_in)
{
    double steps[3][AROUND];
    int n = 0;
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * PI * k / AROUND;
        struct pt3_in at = { radius_in * cos(angle), radius_in * sin(angle), 0 };
        double scale = camera_scale_px_per_in(&l->board->camera, at), beside_in = width_in / 2 + FLANK_PX / scale;
        float line[3], inside[3], outside[3];
        if (!(scale > 0) || !light_at(line, l, radius_in, angle) ||
            !light_at(inside, l, radius_in - beside_in, angle) || !light_at(outside, l, radius_in + beside_in, angle))
            continue;
        for (int c = 0; c < 3; c++)
            steps[c][n] = line[c] - (inside[c] + outside[c]) / 2;
        n++;
    }
    for (int c = 0; c < 3 && n > 0; c++)
        contrast[c] = median_of(steps[c], n);
    return n > 0 && vec3_dot(contrast, contrast) > 0;
}

static void trace_line(struct lines *l, int circle)
{
    const struct board *b = &l->board->board;
    bool by_edges = b->edge == CIRCLE_LINE_INSIDE;
    struct trace_wish wish = { .radius_in = b->circle_in[circle] + (by_edges ? b->line_width_in / 2 : 0),
                               .width_in = b->line_width_in,
                               .window_px = WINDOW_PX,
                               .samples = AROUND };
    struct trace_point trace[AROUND];
    double contrast[3];
    l->whole_in += wish.radius_in;
    if (!contrast_of(contrast, l, wish.radius_in, wish.width_in))
        return;
    trace_look_along(&wish, contrast);
    l->seen_in += wish.radius_in * trace_circle(trace, l->f, &l->board->camera, &wish) / AROUND;
    for (int k = 0; k < AROUND; k++) {
        const struct trace_point *t = &trace[k];
        struct pt_px middle = { (t->inside.u + t->outside.u) / 2, (t->inside.v + t->outside.v) / 2 };
        if (!t->seen)
            continue;
        if (!by_edges) {
            l->point[l->points++] = (struct fit_point){ circle, middle };
            continue;
        }
        l->point[l->points++] = (struct fit_point){ 0, t->inside };
        l->point[l->points++] = (struct fit_point){ 1, t->outside };
    }
}

static double shift_in(const struct camera *from, const struct camera *to, double radius_in)
{
    double most = 0;
    for (int k = 0; k < 8; k++) {
        struct pt3_in at = { radius_in * cos(k * PI / 4), radius_in * sin(k * PI / 4), 0 };
        struct pt_px seen;
        struct pt_in before;
        if (!camera_project(&seen, to, at) || !camera_locate(&before, from, seen, 0))
            return INFINITY;
        // Only across the line: along it the circle looks the same.
        most = fmax(most, fabs(hypot(before.x, before.y) - radius_in));
    }
    return most;
}

void board_refit(struct refit *out, struct found_board *board, const struct frame *f)
{
    const struct board *b = &board->board;
    struct lines l = { .board = board, .f = f };
    struct pose_fit fit = { .camera = board->camera, .curves = b->circles, .points_per_independent = 1 };
    struct fail unused;
    *out = (struct refit){ .seen = false };
    for (int i = 0; i < b->circles; i++) {
        fit.radius_in[i] = b->circle_in[i];
        trace_line(&l, i);
    }
    if (b->edge == CIRCLE_LINE_INSIDE) {
        fit.curves = 2;
        fit.radius_in[1] = b->circle_in[0] + b->line_width_in;
    }
    out->coverage = l.seen_in / l.whole_in;
    if (out->coverage < LEAST_COVERAGE || pose_fit_solve(&fit, l.point, l.points, &unused) < 0 ||
        fit.noise_px > MOST_NOISE_PX)
        return;
    out->seen = true;
    out->rms_px = fit.rms_px;
    out->shift_in = shift_in(&board->camera, &fit.camera, b->circle_in[0]);
    board->camera = fit.camera;
}
