// SPDX-License-Identifier: MIT
#include "vision/board/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/polar.h"
#include "vision/board/line_deviation.h"
#include "vision/board/trace.h"
#include "vision/board/lens_prior.h"

enum { SAMPLES = 240, ROUNDS = 5, MAX_POINTS = 2 * SAMPLES * BOARD_MAX_CIRCLES };
static const double FIRST_WINDOW = 0.03; // of the outermost circle's radius in the picture
static const double FIRST_WINDOW_LEAST_PX = 5;
static const double WINDOW_SIGMAS = 5;
static const double SAME_WINDOW = 0.8;     // of the round before
static const double SAME_PLACE_PX = 0.1;   // of the centre between rounds: a line's own noise
static const double LEAST_WINDOW_PX = 2.5; // a line's own blur
static const double LEAST_COVERAGE =
    0.35;                                // a quarter hidden by a hand, glare and pieces on top; chance stays under 0.1
static const double MOST_NOISE_PX = 0.4; // a line that wavers more than this ...
static const double MOST_NOISE = 0.001;  // ... and this share of its radius is no painted circle
static const double ON_LINE_PX = 1.5;    // a trace counts as seen within so much, or 3 sigma
static const double PICTURE_BLUR_PX = 1.2; // sigma of lens, demosaicing, JPEG and the trace's own smoothing, usual ...
static const double PICTURE_BLUR_SIGMA_PX = 0.3; // ... and how much it differs between pictures
static const double PAINT_SIGMA = 0.3;           // of the usual width: 1/16 to 1/8 in are painted
static const double USUAL_DARKNESS = 0.85; // share of the wood's light that a dark line takes: ink and burnt wood give
static const double DARKNESS_SIGMA = 0.08; // 5 to 25 % of it back
static const double SAME_NOISE = 1.1;     // held radii explain the lines as well as free ones when the noise grows less
static const double SAME_NOISE_PX = 0.05; // ... or by less than this
static const double SAME_POINTS = 0.9;    // two fits explain the same lines when they use nearly the same points
static const double WIDEST_LINE = 0.05;   // of the radius: chalk, tape and rope are at most 2 in on a 42 in ring
static const double STRAY_REACH_IN =
    0.12; // hand-cut boards were seen to stray by 0.08 in; half of a disc's radius is 0.3
static const double BLEED_SIGMA_PX = 0.04; // nap over the paint, blur of light that the camera has bent already, JPEG
static const double WAVER_IN = 5; // along a line: so far the wavering of paint, grain and nap is one and the same

enum { RUNS_ON = 4 }; // directions to each side at which a painted line goes on

struct work {
    const struct frame *f;
    const struct board *board;
    struct trace_wish wish[BOARD_MAX_CIRCLES];
    struct trace_point trace[BOARD_MAX_CIRCLES][SAMPLES];
    struct fit_point point[MAX_POINTS];
    int points;
};

static bool ring_line(const struct board *b)
{
    return b->edge == CIRCLE_LINE_INSIDE;
}

static double most_noise_px(const struct camera *c, double radius_in)
{
    return MOST_NOISE_PX + MOST_NOISE * radius_in * camera_scale_px_per_in(c, (struct pt3_in){ 0, 0, 0 });
}

// How far outside its circle the line was seen, in pixels.
static bool off_circle(double *off_px, const struct camera *c, const struct trace_point *t, double radius_in)
{
    struct pt_px middle = { (t->inside.u + t->outside.u) / 2, (t->inside.v + t->outside.v) / 2 };
    struct pt_in at;
    if (!t->seen || !camera_locate(&at, c, middle, 0))
        return false;
    *off_px = (hypot(at.x, at.y) - radius_in) * camera_scale_px_per_in(c, (struct pt3_in){ at.x, at.y, 0 });
    return true;
}

// A painted line goes on beside where it was seen; what weave, nap and sleeves show in its stead jumps about.
static void drop_jumps(struct trace_point *trace, const struct camera *c, double radius_in)
{
    double off_px[SAMPLES], most_px = most_noise_px(c, radius_in);
    bool located[SAMPLES];
    for (int k = 0; k < SAMPLES; k++)
        located[k] = off_circle(&off_px[k], c, &trace[k], radius_in);
    for (int k = 0; k < SAMPLES; k++) {
        int beside = 0, on = 0;
        for (int d = -RUNS_ON; d <= RUNS_ON; d++) {
            int i = (k + d + SAMPLES) % SAMPLES;
            if (d == 0 || !located[i] || !located[k])
                continue;
            beside++;
            on += fabs(off_px[i] - off_px[k]) < most_px;
        }
        trace[k].seen = trace[k].seen && 2 * on > beside;
    }
}

static void trace_all(struct work *w, const struct pose_fit *fit, double window_px)
{
    w->points = 0;
    for (int i = 0; i < w->board->circles; i++) {
        w->wish[i].window_px = window_px;
        w->wish[i].radius_in = ring_line(w->board) ? (fit->radius_in[0] + fit->radius_in[1]) / 2 : fit->radius_in[i];
        trace_circle(w->trace[i], w->f, &fit->camera, &w->wish[i]);
        drop_jumps(w->trace[i], &fit->camera, w->wish[i].radius_in);
        for (int k = 0; k < SAMPLES; k++) {
            const struct trace_point *t = &w->trace[i][k];
            if (!t->seen)
                continue;
            if (ring_line(w->board)) {
                w->point[w->points++] = (struct fit_point){ 0, t->inside };
                w->point[w->points++] = (struct fit_point){ 1, t->outside };
            } else {
                struct pt_px middle = { (t->inside.u + t->outside.u) / 2, (t->inside.v + t->outside.v) / 2 };
                w->point[w->points++] = (struct fit_point){ i, middle };
            }
        }
    }
}

// Distance between the two steepest places of a line of width w under a Gaussian blur (both in px): the root of the
// second derivative, x with (x + w/2) exp(-x w / s^2) = x - w/2 beyond the edge; found by bisection.
static double blurred_edges_px(double width, double sigma)
{
    double low = width / 2, high = width / 2 + 3 * sigma;
    for (int i = 0; i < 40; i++) {
        double x = (low + high) / 2;
        double slope = (x - width / 2) - (x + width / 2) * exp(-x * width / (sigma * sigma));
        if (slope < 0)
            low = x;
        else
            high = x;
    }
    return low + high;
}

// The blur that makes a line of this width show its edges so far apart; 0 when it is wider than that.
static double blur_for_px(double width, double edges_px)
{
    double low = 0, high = edges_px;
    if (width >= edges_px)
        return 0;
    for (int i = 0; i < 40; i++) {
        double sigma = (low + high) / 2;
        if (blurred_edges_px(width, sigma) < edges_px)
            low = sigma;
        else
            high = sigma;
    }
    return (low + high) / 2;
}

// What is known of the painted lines, medians over all that were traced.
struct line_look {
    double edges_px; // between the two steepest places
    double
        taken_px; // width of a line without light that takes as much from the ground; 0: lines lighter than the ground
    double px_per_in;
};

// A line a pixel or two wide shows its blur, not its width: the two cannot be told apart. What is taken is the likeliest
// width under what is usual for pictures, for the board's paint, and for the light that a dark line takes.
static double likeliest_width_px(const struct line_look *look, double usual_px)
{
    double best = look->edges_px, least = INFINITY;
    for (int i = 1; i <= 100; i++) {
        double w = look->edges_px * i / 100;
        double blur = (blur_for_px(w, look->edges_px) - PICTURE_BLUR_PX) / PICTURE_BLUR_SIGMA_PX;
        double paint = usual_px > 0 ? (w - usual_px) / (PAINT_SIGMA * usual_px) : 0;
        double dark = look->taken_px > 0 ? (look->taken_px / w - USUAL_DARKNESS) / DARKNESS_SIGMA : 0;
        double unlikely = blur * blur + paint * paint + dark * dark;
        if (unlikely < least) {
            least = unlikely;
            best = w;
        }
    }
    return best;
}

static bool look_at_lines(struct line_look *out, const struct work *w, const struct pose_fit *fit)
{
    double widths[BOARD_MAX_CIRCLES * SAMPLES], scales[BOARD_MAX_CIRCLES * SAMPLES], taken[BOARD_MAX_CIRCLES * SAMPLES];
    int n = 0;
    for (int i = 0; i < w->board->circles; i++)
        for (int k = 0; k < SAMPLES; k++) {
            const struct trace_point *t = &w->trace[i][k];
            struct pt_in a, b;
            if (!t->seen || !camera_locate(&a, &fit->camera, t->inside, 0) ||
                !camera_locate(&b, &fit->camera, t->outside, 0))
                continue;
            double px = hypot(t->outside.u - t->inside.u, t->outside.v - t->inside.v), in = hypot(b.x - a.x, b.y - a.y);
            scales[n] = px / fmax(in, 1e-9);
            taken[n] = t->taken_in;
            widths[n++] = in;
        }
    if (!n)
        return false;
    out->px_per_in = median_of(scales, n);
    out->edges_px = median_of(widths, n) * out->px_per_in;
    out->taken_px = fmax(median_of(taken, n), 0) * out->px_per_in;
    return true;
}

// Between the steepest places of the lines' sides, blur and all.
static double edges_width_in(const struct work *w, const struct pose_fit *fit)
{
    struct line_look look;
    return look_at_lines(&look, w, fit) ? look.edges_px / look.px_per_in : 0;
}

static double painted_width_in(const struct work *w, const struct pose_fit *fit)
{
    struct line_look look;
    if (!look_at_lines(&look, w, fit))
        return 0;
    return likeliest_width_px(&look, w->board->line_width_in * look.px_per_in) / look.px_per_in;
}

static double coverage_of(const struct work *w, const struct pose_fit *fit)
{
    double seen = 0, whole = 0, reach_px = fmax(ON_LINE_PX, 3 * fit->noise_px);
    for (int i = 0; i < w->board->circles; i++) {
        double r = w->wish[i].radius_in;
        for (int k = 0; k < SAMPLES; k++) {
            const struct trace_point *t = &w->trace[i][k];
            struct pt_px middle = { (t->inside.u + t->outside.u) / 2, (t->inside.v + t->outside.v) / 2 }, wanted;
            whole += r;
            if (t->seen &&
                camera_project(&wanted, &fit->camera,
                               (struct pt3_in){ r * cos(t->angle_rad), r * sin(t->angle_rad), 0 }) &&
                hypot(middle.u - wanted.u, middle.v - wanted.v) < reach_px)
                seen += r;
        }
    }
    return seen / whole;
}

// Circles can stay in place while tilt and focal length still wander together; the board's centre wanders with them.
static double centre_moved_px(const struct camera *before, const struct camera *after)
{
    struct pt_px a, b;
    struct pt3_in centre = { 0, 0, 0 };
    bool seen = camera_project(&a, before, centre) && camera_project(&b, after, centre);
    return seen ? hypot(a.u - b.u, a.v - b.v) : INFINITY;
}

static int fit_rounds(struct work *w, struct pose_fit *fit, double window_px, struct fail *why)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct camera before = fit->camera;
        trace_all(w, fit, window_px);
        int rc = pose_fit_solve(fit, w->point, w->points, why);
        if (rc < 0)
            return rc;
        double width_in = edges_width_in(w, fit);
        for (int i = 0; i < w->board->circles && width_in > 0; i++)
            w->wish[i].width_in = width_in;
        double next_px = fmin(window_px, fmax(WINDOW_SIGMAS * fit->noise_px, LEAST_WINDOW_PX));
        if (next_px > SAME_WINDOW * window_px && centre_moved_px(&before, &fit->camera) < SAME_PLACE_PX)
            break; // the same places would be read again
        window_px = next_px;
    }
    return 0;
}

// One circle alone allows two poses, mirrored at the line of sight; the two edges of its line tell which is right.
static void try_mirrored(struct work *w, struct pose_fit *fit)
{
    struct pose_fit other = *fit;
    struct fail unused;
    double sight[3], n[3], R[3][3];
    for (int i = 0; i < 3; i++) {
        sight[i] = -fit->camera.pose.t_in[i];
        n[i] = fit->camera.pose.R[i][2];
    }
    vec3_normalise(sight);
    double along = vec3_dot(sight, n);
    for (int i = 0; i < 3; i++)
        n[i] = 2 * along * sight[i] - n[i];
    rotation_with_normal(R, n);
    memcpy(other.camera.pose.R, R, sizeof R);
    other.free_radius[1] = false; // first the circle alone finds its mirrored pose, then the width joins
    if (pose_fit_solve(&other, w->point, w->points, &unused) < 0)
        return;
    other.free_radius[1] = true;
    if (pose_fit_solve(&other, w->point, w->points, &unused) < 0)
        return;
    if (other.rms_px < fit->rms_px && other.used > SAME_POINTS * fit->used)
        *fit = other;
}

static struct pose_fit free_fit(const struct camera *camera, bool known_lens, const struct pattern *pattern,
                                const struct board *board)
{
    struct pose_fit fit = { .camera = *camera,
                            .curves = board->circles,
                            .points_per_independent = fmax(1, WAVER_IN * SAMPLES / (2 * PI * board->circle_in[0])) };
    double scale = board->circle_in[0] / pattern->circle[0].radius;
    for (int i = 0; i < board->circles; i++) {
        fit.radius_in[i] = i > 0 ? pattern->circle[i].radius * scale : board->circle_in[0];
        fit.free_radius[i] = i > 0;
    }
    if (ring_line(board)) {
        fit.curves = 2;
        fit.radius_in[1] = fit.radius_in[0] + pattern->circle[0].width * scale;
        fit.free_radius[1] = true;
        fit.bleed_sigma_px = BLEED_SIGMA_PX;
        fit.bleeds[0] = -1;
        fit.bleeds[1] = 1;
    }
    if (!known_lens)
        lens_priors(fit.lens, &camera->lens);
    else if (camera->lens.f_sigma_px > 0)
        fit.lens[FIT_LOG_F] = (struct fit_prior){ log(camera->lens.f_px), camera->lens.f_sigma_px / camera->lens.f_px };
    return fit;
}

// The same picture with the board's own radii held; taken when it explains the lines as well.
static void try_nominal(struct refined *out, struct work *w)
{
    struct pose_fit held = out->fit;
    struct fail unused;
    for (int i = 0; i < w->board->circles; i++) {
        held.free_radius[i] = false;
        held.radius_in[i] = w->board->circle_in[i];
    }
    if (pose_fit_solve(&held, w->point, w->points, &unused) < 0)
        return;
    double limit = fmax(SAME_NOISE * out->fit.rms_px, out->fit.rms_px + SAME_NOISE_PX);
    if (held.rms_px > limit || held.used < SAME_POINTS * out->fit.used)
        return;
    out->fit = held;
    out->nominal = true;
}

static int judge_fit(struct refined *out, struct work *w, struct fail *why)
{
    // First of all: the window of a fit gone wild has no end.
    if (!(out->fit.noise_px <= most_noise_px(&out->fit.camera, out->fit.radius_in[0])))
        return rs_fail(why, RS_EINPUT,
                       "the lines waver by %.1f px about the best circles: focus the camera, and hold it still",
                       out->fit.noise_px);
    trace_all(w, &out->fit, fmax(WINDOW_SIGMAS * out->fit.noise_px, LEAST_WINDOW_PX));
    out->coverage = coverage_of(w, &out->fit);
    out->width_in =
        ring_line(w->board) ? out->fit.radius_in[1] - out->fit.radius_in[0] : painted_width_in(w, &out->fit);
    if (out->coverage < LEAST_COVERAGE)
        return rs_fail(why, RS_EINPUT, "only %.0f %% of the board's lines can be seen", 100 * out->coverage);
    if (out->width_in > WIDEST_LINE * out->fit.radius_in[0])
        return rs_fail(why, RS_EINPUT, "the best circle's line would be %.1f in wide", out->width_in);
    return 0;
}

// With the pose at hand every line may be looked for farther from its circle, and drawn as it was painted.
static void follow_strays(struct refined *out, struct work *w)
{
    for (int i = 0; i < w->board->circles; i++) {
        struct deviation_sample s[SAMPLES];
        double r = w->wish[i].radius_in, to_line_in = ring_line(w->board) ? out->fit.radius_in[0] : r;
        double scale = camera_scale_px_per_in(&out->fit.camera, (struct pt3_in){ 0, r, 0 });
        int n = 0;
        w->wish[i].window_px = fmax(w->wish[i].window_px, STRAY_REACH_IN * scale);
        trace_circle(w->trace[i], w->f, &out->fit.camera, &w->wish[i]);
        for (int k = 0; k < SAMPLES; k++) {
            const struct trace_point *t = &w->trace[i][k];
            struct pt_px middle = { (t->inside.u + t->outside.u) / 2, (t->inside.v + t->outside.v) / 2 };
            struct pt_in at;
            if (t->seen && camera_locate(&at, &out->fit.camera, ring_line(w->board) ? t->inside : middle, 0))
                s[n++] = (struct deviation_sample){ t->angle_rad, hypot(at.x, at.y) - to_line_in };
        }
        if (n > LEAST_COVERAGE * SAMPLES)
            line_deviation_measure(out->line_deviation_in[i], s, n, out->fit.noise_px / scale,
                                   out->fit.points_per_independent);
    }
}

static int refine_with(struct refined *out, struct work *w, double window_px, struct fail *why)
{
    int rc = fit_rounds(w, &out->fit, window_px, why);
    if (rc < 0)
        return rc;
    if (ring_line(w->board)) {
        try_mirrored(w, &out->fit);
        rc = fit_rounds(w, &out->fit, fmin(window_px, fmax(WINDOW_SIGMAS * out->fit.noise_px, LEAST_WINDOW_PX)), why);
        out->nominal = true;
    } else {
        try_nominal(out, w);
    }
    if (rc == 0)
        rc = judge_fit(out, w, why);
    if (rc == 0)
        follow_strays(out, w);
    return rc;
}

int refine_board(struct refined *out, const struct frame *f, const struct camera *camera, bool known_lens,
                 const struct pattern *pattern, const struct board *board, struct fail *why)
{
    *out = (struct refined){ .fit = free_fit(camera, known_lens, pattern, board) };
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->f = f;
    w->board = board;
    double scale = board->circle_in[0] / pattern->circle[0].radius;
    for (int i = 0; i < board->circles; i++) {
        w->wish[i] = (struct trace_wish){ .width_in = pattern->circle[i].width * scale, .samples = SAMPLES };
        trace_look_along(&w->wish[i], pattern->circle[i].contrast);
    }
    double radius_px = board->circle_in[0] * camera_scale_px_per_in(camera, (struct pt3_in){ 0, 0, 0 });
    int rc = refine_with(out, w, fmax(FIRST_WINDOW * radius_px, FIRST_WINDOW_LEAST_PX), why);
    free(w);
    return rc;
}
