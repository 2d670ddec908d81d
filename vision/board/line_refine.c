// SPDX-License-Identifier: MIT
#include "vision/board/line_refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "vision/board/line_profile.h"

enum { LINE_SAMPLES = 240, FIT_ROUNDS = 5, DEVIATION_ROUNDS = 8, LINE_POINTS = 2 * LINE_SAMPLES * BOARD_MAX_CIRCLES };
enum bisection { HALVINGS = 40 }; // to a thousand-millionth of a pixel

struct work {
    const struct board_tuning *t;
    const struct frame *f;
    const struct board *board;
    struct predicted_line line[BOARD_MAX_CIRCLES];
    struct line_point trace[BOARD_MAX_CIRCLES][LINE_SAMPLES]; // along each circle
    struct fit_point point[LINE_POINTS];                      // of the fit
    int points;
};

static bool ring_line(const struct board *b)
{
    return b->edge == CIRCLE_LINE_INSIDE;
}

static double most_noise_px(const struct camera *c, double radius_in, const struct board_tuning *t)
{
    return t->noise_most_px + t->noise_most * radius_in * camera_middle_px_per_in(c);
}

// Drops the points of a trace that do not go on from those beside them. A painted line does; what weave, nap and
// sleeves show in its stead jumps about.
static void drop_jumps(struct line_point *trace, const struct camera *c, double radius_in, const struct board_tuning *t)
{
    double off_px[LINE_SAMPLES], most_px = most_noise_px(c, radius_in, t);
    bool located[LINE_SAMPLES];
    for (int k = 0; k < LINE_SAMPLES; k++) {
        struct pt_in at;
        located[k] = trace[k].seen && camera_locate(&at, c, trace[k].middle, 0);
        if (located[k])
            off_px[k] = (hypot(at.x, at.y) - radius_in) * camera_scale_px_per_in(c, surface_at(at));
    }
    for (int k = 0; k < LINE_SAMPLES; k++) {
        int beside = 0, on = 0, reach = (int)t->runs_on;
        for (int d = -reach; d <= reach; d++) {
            int i = (k + d + LINE_SAMPLES) % LINE_SAMPLES;
            if (d == 0 || !located[i] || !located[k])
                continue;
            beside++;
            on += fabs(off_px[i] - off_px[k]) < most_px;
        }
        trace[k].seen = trace[k].seen && 2 * on > beside;
    }
}

// Traces all lines where the fit predicts them, and lists the points that it is fitted to: of a ring both edges of its
// line, which are curves 0 and 1, else the middle of each line.
static void trace_all(struct work *w, const struct pose_fit *fit, double window_px)
{
    w->points = 0;
    for (int i = 0; i < w->board->circles; i++) {
        w->line[i].window_px = window_px;
        w->line[i].radius_in = ring_line(w->board) ? (fit->radius_in[0] + fit->radius_in[1]) / 2 : fit->radius_in[i];
        line_profile_circle(w->trace[i], &(struct line_view){ w->f, &fit->camera, w->t }, &w->line[i]);
        drop_jumps(w->trace[i], &fit->camera, w->line[i].radius_in, w->t);
        for (int k = 0; k < LINE_SAMPLES; k++) {
            const struct line_point *p = &w->trace[i][k];
            if (!p->seen)
                continue;
            if (ring_line(w->board)) {
                w->point[w->points++] = (struct fit_point){ 0, p->inside };
                w->point[w->points++] = (struct fit_point){ 1, p->outside };
            } else {
                w->point[w->points++] = (struct fit_point){ i, p->middle };
            }
        }
    }
}

// Distance between the two steepest places of a line of width w under a Gaussian blur (both in px): the root of the
// second derivative, x with (x + w/2) exp(-x w / s^2) = x - w/2 beyond the edge; found by bisection.
static double blurred_edges_px(double width, double sigma)
{
    double low = width / 2, high = width / 2 + 3 * sigma;
    for (int i = 0; i < HALVINGS; i++) {
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
    for (int i = 0; i < HALVINGS; i++) {
        double sigma = (low + high) / 2;
        if (blurred_edges_px(width, sigma) < edges_px)
            low = sigma;
        else
            high = sigma;
    }
    return (low + high) / 2;
}

// What is known of the painted lines, medians over all that were traced.
struct line_width {
    double edges_px; // between the two steepest places
    double taken_px; // width of a line without light that takes as much from the ground; 0: lines lighter than it
    double px_per_in;
};

// A line a pixel or two wide shows its blur, not its width: the two cannot be separated. What is taken is the likeliest
// width under what is usual for pictures, for the board's paint, and for the light that a dark line takes.
static double likeliest_width_px(const struct line_width *seen, double usual_px, const struct board_tuning *t)
{
    enum { WIDTHS = 100 }; // tried, up to what lies between the edges
    double best = seen->edges_px, least = INFINITY;
    for (int i = 1; i <= WIDTHS; i++) {
        double w = seen->edges_px * i / WIDTHS;
        double blur = (blur_for_px(w, seen->edges_px) - t->picture_blur_px) / t->picture_blur_sigma_px;
        double paint = usual_px > 0 ? (w - usual_px) / (t->paint_sigma * usual_px) : 0;
        double dark = seen->taken_px > 0 ? (seen->taken_px / w - t->darkness_usual) / t->darkness_sigma : 0;
        double unlikely = blur * blur + paint * paint + dark * dark;
        if (unlikely < least) {
            least = unlikely;
            best = w;
        }
    }
    return best;
}

static bool measure_widths(struct line_width *out, const struct work *w, const struct pose_fit *fit)
{
    double widths[BOARD_MAX_CIRCLES * LINE_SAMPLES], scales[BOARD_MAX_CIRCLES * LINE_SAMPLES],
        taken[BOARD_MAX_CIRCLES * LINE_SAMPLES];
    int n = 0;
    for (int i = 0; i < w->board->circles; i++)
        for (int k = 0; k < LINE_SAMPLES; k++) {
            const struct line_point *p = &w->trace[i][k];
            struct pt_in a, b;
            if (!p->seen || !camera_locate(&a, &fit->camera, p->inside, 0) ||
                !camera_locate(&b, &fit->camera, p->outside, 0))
                continue;
            double px = distance_px(p->outside, p->inside), in = distance_in(b, a);
            scales[n] = px / fmax(in, 1e-9);
            taken[n] = p->taken_in;
            widths[n++] = in;
        }
    if (!n)
        return false;
    out->px_per_in = median_of(scales, n);
    out->edges_px = median_of(widths, n) * out->px_per_in;
    out->taken_px = fmax(median_of(taken, n), 0) * out->px_per_in;
    return true;
}

static double coverage_of(const struct work *w, const struct pose_fit *fit)
{
    double seen = 0, whole = 0, reach_px = fmax(w->t->on_line_px, 3 * fit->noise_px);
    for (int i = 0; i < w->board->circles; i++) {
        double r = w->line[i].radius_in;
        for (int k = 0; k < LINE_SAMPLES; k++) {
            const struct line_point *p = &w->trace[i][k];
            struct pt_px wanted;
            whole += r;
            if (p->seen && camera_project(&wanted, &fit->camera, surface_polar(r, p->angle_rad)) &&
                distance_px(p->middle, wanted) < reach_px)
                seen += r;
        }
    }
    return seen / whole;
}

// Traces the lines and fits the pose to them, in turns, each in a narrower window than before.
static int fit_rounds(struct work *w, struct pose_fit *fit, double window_px, struct fail *why)
{
    const struct pt3_in centre = { 0, 0, 0 };
    for (int round = 0; round < FIT_ROUNDS; round++) {
        struct pt_px before, after;
        struct line_width width;
        bool located = camera_project(&before, &fit->camera, centre);
        trace_all(w, fit, window_px);
        int rc = pose_fit_solve(fit, w->point, w->points, why);
        if (rc < 0)
            return rc;
        if (measure_widths(&width, w, fit))
            for (int i = 0; i < w->board->circles; i++)
                w->line[i].width_in = width.edges_px / width.px_per_in;
        // The circles can lie still while tilt and focal length drift together; the board's centre drifts with them.
        bool stays = located && camera_project(&after, &fit->camera, centre) &&
                     distance_px(after, before) < w->t->centre_same_px;
        double next_px = fmin(window_px, fmax(w->t->window_sigmas * fit->noise_px, w->t->window_least_px));
        if (next_px > w->t->window_same * window_px && stays)
            break; // the same places would be read again
        window_px = next_px;
    }
    return 0;
}

// One circle alone allows two poses, mirrored at the line of sight. The two edges of its line show which is right, and
// so does the lens: one that nobody has can make up for the wrong tilt. So the other pose begins with a usual lens,
// `believed`.
static int try_mirrored(struct work *w, struct pose_fit *fit, const struct lens *believed, struct fail *why)
{
    struct pose_fit other = *fit;
    struct fail refused;
    camera_mirror_board(&other.camera);
    other.camera.lens = *believed;
    other.camera.pose.t_in[2] *= believed->f_px / fit->camera.lens.f_px; // as large in the picture
    other.free_radius[1] = false; // first the circle alone finds its mirrored pose, then the width joins
    int rc = pose_fit_solve(&other, w->point, w->points, &refused);
    other.free_radius[1] = true;
    if (rc == 0)
        rc = pose_fit_solve(&other, w->point, w->points, &refused);
    if (rc == 0 && other.used > w->t->same_points * fit->used)
        pose_fit_keep_likelier(fit, &other, fmin(fit->noise_px, other.noise_px));
    return rc < 0 && rc != RS_EINPUT ? rs_fail(why, rc, "%s", refused.text) : 0;
}

static struct pose_fit free_fit(const struct line_request *asked)
{
    const struct board *board = asked->board;
    const struct board_tuning *t = asked->tuning;
    struct pose_fit fit = { .camera = *asked->camera,
                            .curves = board->circles,
                            .points_per_independent =
                                fmax(1, t->waver_in * LINE_SAMPLES / (2 * PI * board->circle_in[0])) };
    double scale = board->circle_in[0] / asked->pattern->circle[0].radius;
    for (int i = 0; i < board->circles; i++) {
        fit.radius_in[i] = i > 0 ? asked->pattern->circle[i].radius * scale : board->circle_in[0];
        fit.free_radius[i] = i > 0;
    }
    if (ring_line(board)) {
        fit.curves = 2;
        fit.radius_in[1] = fit.radius_in[0] + asked->pattern->circle[0].width * scale;
        fit.free_radius[1] = true;
        fit.bleed_sigma_px = t->bleed_sigma_px;
        fit.bleeds[0] = -1;
        fit.bleeds[1] = 1;
    }
    memcpy(fit.lens, asked->lens, sizeof fit.lens);
    return fit;
}

// The same picture with the board's own radii held; taken when it explains the lines as well.
static int try_nominal(struct refined *out, struct work *w, struct fail *why)
{
    struct pose_fit held = out->fit;
    struct fail refused;
    for (int i = 0; i < w->board->circles; i++) {
        held.free_radius[i] = false;
        held.radius_in[i] = w->board->circle_in[i];
    }
    int rc = pose_fit_solve(&held, w->point, w->points, &refused);
    double limit = fmax(w->t->same_noise * out->fit.rms_px, out->fit.rms_px + w->t->same_noise_px);
    out->nominal = rc == 0 && held.rms_px <= limit && held.used >= w->t->same_points * out->fit.used;
    if (out->nominal)
        out->fit = held;
    return rc < 0 && rc != RS_EINPUT ? rs_fail(why, rc, "%s", refused.text) : 0;
}

static int judge_fit(struct refined *out, struct work *w, struct fail *why)
{
    // First of all: the window of a fit gone wild has no end.
    if (!(out->fit.noise_px <= most_noise_px(&out->fit.camera, out->fit.radius_in[0], w->t)))
        return rs_fail(why, RS_EINPUT,
                       "the lines waver by %.1f px about the best circles: focus the camera, and hold it still",
                       out->fit.noise_px);
    for (int i = 1; i < w->board->circles; i++) {
        double times = out->fit.radius_in[i] / out->fit.radius_in[0],
               own = w->board->circle_in[i] / w->board->circle_in[0];
        if (!(fabs(log(times / own)) < w->t->fitted_ratio_reach))
            return rs_fail(
                why, RS_EINPUT,
                "the best circles are not this board's: one is %.2f times as large as the outermost, not %.2f", times,
                own);
    }
    trace_all(w, &out->fit, fmax(w->t->window_sigmas * out->fit.noise_px, w->t->window_least_px));
    out->coverage = coverage_of(w, &out->fit);
    struct line_width width;
    if (ring_line(w->board))
        out->width_in = out->fit.radius_in[1] - out->fit.radius_in[0];
    else if (measure_widths(&width, w, &out->fit))
        out->width_in = likeliest_width_px(&width, w->board->line_width_in * width.px_per_in, w->t) / width.px_per_in;
    if (out->coverage < w->t->coverage_least)
        return rs_fail(why, RS_EINPUT, "only %.0f %% of the board's lines can be seen: clear it, and show all of it",
                       100 * out->coverage);
    if (out->width_in > w->t->line_widest * out->fit.radius_in[0])
        return rs_fail(why, RS_EINPUT, "the best circle's line would be %.1f in wide", out->width_in);
    return 0;
}

// A place of a traced line: its direction, and how far outside its circle it lies.
struct deviation_sample {
    double angle_rad, off_in;
};

// By how much a line deviates from its circle, as the first waves around it: least squares, with Tukey's weight against
// what is not the line and a prior of what boards usually do. `noise_in`: 1 sigma of a sample. Waves that noise alone
// may bring about are not believed: then *out stays all 0, a true circle.
static void fit_deviation(double out[LINE_DEVIATION_TERMS], const struct work *w, const struct deviation_sample *s,
                          int n, double noise_in, double samples_per_independent)
{
    double waves[LINE_DEVIATION_TERMS] = { 0 }, chi2 = 0;
    int agreed = 0;
    if (n < 2 * LINE_DEVIATION_TERMS || !(noise_in > 0))
        return;
    for (int round = 0; round < DEVIATION_ROUNDS; round++) {
        double rest[LINE_SAMPLES], N[LINE_DEVIATION_TERMS * LINE_DEVIATION_TERMS], g[LINE_DEVIATION_TERMS];
        struct normal_equations sums = normal_begin(N, g, LINE_DEVIATION_TERMS);
        for (int k = 0; k < n; k++)
            rest[k] = fabs(s[k].off_in - board_line_deviation_in(waves, s[k].angle_rad));
        double sigma_in = robust_sigma(rest, n, noise_in);
        double information = 1 / (sigma_in * sigma_in * samples_per_independent);
        chi2 = agreed = 0;
        for (int k = 0; k < n; k++) {
            double a = s[k].angle_rad, known = board_line_deviation_in(waves, a);
            double weight = tukey_weight(s[k].off_in - known, TUKEY_SIGMAS * sigma_in);
            double wave[LINE_DEVIATION_TERMS] = { 1, cos(a), sin(a), cos(2 * a), sin(2 * a), cos(3 * a), sin(3 * a) };
            agreed += weight > 0;
            chi2 += weight * known * known * information;
            normal_add(&sums, wave, s[k].off_in, weight * information);
        }
        for (int i = 0; i < LINE_DEVIATION_TERMS; i++)
            normal_add_prior(&sums, i, 0, w->t->deviation_sigma_in);
        normal_solve(waves, &sums); // cannot fail: what is usual makes N positive definite
    }
    if (chi2 > w->t->deviation_chi2 && agreed > w->t->deviation_agreed * n)
        memcpy(out, waves, sizeof waves);
}

// With the pose at hand every line may be looked for farther from its circle, and drawn as it was painted.
static void measure_deviations(struct refined *out, struct work *w)
{
    for (int i = 0; i < w->board->circles; i++) {
        struct deviation_sample s[LINE_SAMPLES];
        double r = w->line[i].radius_in, to_line_in = ring_line(w->board) ? out->fit.radius_in[0] : r;
        double scale = camera_scale_px_per_in(&out->fit.camera, (struct pt3_in){ 0, r, 0 });
        int n = 0;
        w->line[i].window_px = fmax(w->line[i].window_px, w->t->deviation_reach_in * scale);
        line_profile_circle(w->trace[i], &(struct line_view){ w->f, &out->fit.camera, w->t }, &w->line[i]);
        for (int k = 0; k < LINE_SAMPLES; k++) {
            const struct line_point *p = &w->trace[i][k];
            struct pt_in at;
            if (p->seen && camera_locate(&at, &out->fit.camera, ring_line(w->board) ? p->inside : p->middle, 0))
                s[n++] = (struct deviation_sample){ p->angle_rad, hypot(at.x, at.y) - to_line_in };
        }
        if (n > w->t->coverage_least * LINE_SAMPLES)
            fit_deviation(out->line_deviation_in[i], w, s, n, out->fit.noise_px / scale,
                          out->fit.points_per_independent);
    }
}

int line_refine(struct refined *out, const struct line_request *asked, struct fail *why)
{
    const struct board *board = asked->board;
    const struct board_tuning *t = asked->tuning;
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory for the board's lines");
    *out = (struct refined){ .fit = free_fit(asked) };
    w->t = t;
    w->f = asked->frame;
    w->board = board;
    for (int i = 0; i < board->circles; i++) {
        double scale = board->circle_in[0] / asked->pattern->circle[0].radius;
        w->line[i] =
            (struct predicted_line){ .width_in = asked->pattern->circle[i].width * scale, .samples = LINE_SAMPLES };
        line_profile_along(&w->line[i], asked->pattern->circle[i].contrast, t);
    }
    double radius_px = board->circle_in[0] * camera_middle_px_per_in(asked->camera);
    double window_px = fmax(t->window_first * radius_px, t->window_first_least_px);
    int rc = fit_rounds(w, &out->fit, window_px, why);
    if (rc == 0 && ring_line(board)) {
        rc = try_mirrored(w, &out->fit, &asked->camera->lens, why);
        window_px = fmin(window_px, fmax(t->window_sigmas * out->fit.noise_px, t->window_least_px));
        if (rc == 0)
            rc = fit_rounds(w, &out->fit, window_px, why);
        out->nominal = true;
    } else if (rc == 0) {
        rc = try_nominal(out, w, why);
    }
    if (rc == 0)
        rc = judge_fit(out, w, why);
    if (rc == 0)
        measure_deviations(out, w);
    free(w);
    return rc;
}
