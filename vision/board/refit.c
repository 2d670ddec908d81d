// SPDX-License-Identifier: MIT
#include "vision/board/refit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "calibration/pose_fit.h"
#include "vision/board/line_profile.h"
#include "vision/board/orientation.h"
#include "vision/notes.h"

enum { REFIT_AROUND = 48, REFIT_POINTS = 2 * REFIT_AROUND * BOARD_MAX_CIRCLES };
enum { SPOKES = 4, ALONG = 10, ACROSS = 15, MOST_ROUNDS = 4 };

struct lines {
    struct line_view view; // by the camera of `board`
    const struct board_pose *board;
    struct fit_point point[REFIT_POINTS];
    int points;
    double seen_in, whole_in;    // length of the lines
    struct predicted_line paint; // as the outermost circle was looked for; step 0 when it has no contrast
};

// What stands out most from the ground in the stretch where the line may lie; false outside the picture.
static bool standing_out(double step[3], const struct lines *l, double radius_in, double width_in, double angle_rad)
{
    const struct slit slit = { radius_in, angle_rad, false };
    double scale = camera_scale_px_per_in(l->view.camera, surface_polar(radius_in, angle_rad)), most = 0;
    double reach_in = width_in + l->view.tuning->refit_window_px / scale; // so wide that most of it is ground
    float light[ACROSS][3];
    double channel[ACROSS], ground[3];
    if (!(scale > 0) || !slit_read(light, ACROSS, &l->view, &slit, 2 * reach_in / (ACROSS - 1)))
        return false;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < ACROSS; i++)
            channel[i] = (double)light[i][c];
        ground[c] = median_of(channel, ACROSS);
    }
    for (int i = 0; i < ACROSS; i++) {
        const float *seen = light[i];
        double off[3] = { (double)seen[0] - ground[0], (double)seen[1] - ground[1], (double)seen[2] - ground[2] };
        double size = vec3_dot(off, off);
        if (size > most) {
            most = size;
            memcpy(step, off, sizeof off);
        }
    }
    return most > 0;
}

// As it would be seen if the line were a true circle.
static void add_point(struct lines *l, int curve, struct pt_px seen, double line_deviation_in)
{
    const struct camera *c = l->view.camera;
    struct pt_in at;
    if (line_deviation_in != 0 && camera_locate(&at, c, seen, 0)) {
        double keep = 1 - line_deviation_in / hypot(at.x, at.y);
        camera_project(&seen, c, (struct pt3_in){ keep * at.x, keep * at.y, 0 });
    }
    l->point[l->points++] = (struct fit_point){ curve, seen };
}

// The line's contrast is the median over its directions, so that pieces on it do not count.
static void trace_line(struct lines *l, int circle)
{
    const struct board *b = &l->board->board;
    bool by_edges = b->edge == CIRCLE_LINE_INSIDE;
    struct predicted_line line = { .radius_in = board_line_middle_in(b, circle),
                                   .line_deviation_in = b->line_deviation_in[circle],
                                   .width_in = b->line_width_in,
                                   .window_px = l->view.tuning->refit_window_px,
                                   .samples = REFIT_AROUND };
    struct line_point trace[REFIT_AROUND];
    double contrast[3], step[3] = { 0 }, steps[3][REFIT_AROUND];
    int n = 0;
    l->whole_in += line.radius_in;
    for (int k = 0; k < REFIT_AROUND; k++) {
        if (!standing_out(step, l, line.radius_in, line.width_in, 2 * PI * k / REFIT_AROUND))
            continue;
        for (int c = 0; c < 3; c++)
            steps[c][n] = step[c];
        n++;
    }
    for (int c = 0; c < 3; c++)
        contrast[c] = n > 0 ? median_of(steps[c], n) : 0;
    if (!(vec3_dot(contrast, contrast) > 0))
        return;
    line_profile_along(&line, contrast, l->view.tuning);
    if (circle == 0)
        l->paint = line;
    l->seen_in += line.radius_in * line_profile_circle(trace, &l->view, &line) / REFIT_AROUND;
    for (int k = 0; k < REFIT_AROUND; k++) {
        const struct line_point *p = &trace[k];
        double line_deviation_in = board_line_deviation_in(line.line_deviation_in, p->angle_rad);
        if (!p->seen)
            continue;
        if (by_edges) {
            add_point(l, 0, p->inside, line_deviation_in);
            add_point(l, 1, p->outside, line_deviation_in);
        } else {
            add_point(l, circle, p->middle, line_deviation_in);
        }
    }
}

double board_shift_in(const struct board *b, const struct camera *from, const struct camera *to)
{
    double most = 0;
    for (int k = 0; k <= 8; k++) {
        struct pt3_in at = surface_polar(k < 8 ? b->circle_in[0] : 0, k * PI / 4);
        struct pt_px seen;
        struct pt_in before;
        if (!camera_project(&seen, to, at) || !camera_locate(&before, from, seen, 0))
            return INFINITY;
        most = fmax(most, hypot(before.x - at.x, before.y - at.y));
    }
    return most;
}

// The turn that the quadrant lines show, from where they are thought to be; false when they are not seen there.
static bool spokes_turn(double *turn_rad, double *sigma_rad, const struct lines *l, const struct camera *c)
{
    const struct board *b = &l->board->board;
    const struct line_view view = { l->view.frame, c, l->view.tuning };
    double off[SPOKES * ALONG], length = b->circle_in[0] - b->circle_in[1];
    int n = 0, spokes = 0;
    for (int q = 0; q < SPOKES; q++) {
        int before = n;
        for (int k = 0; k < ALONG; k++) {
            struct predicted_line line = l->paint;
            double part =
                l->view.tuning->refit_spoke_clear + (1 - 2 * l->view.tuning->refit_spoke_clear) * (k + 0.5) / ALONG;
            line.radius_in = b->circle_in[1] + part * length;
            n += line_profile_spoke(&off[n], &view, &line, q * PI / 2);
        }
        spokes += n > before;
    }
    if (n < l->view.tuning->coverage_least * SPOKES * ALONG)
        return false;
    double one_sigma;
    *turn_rad = robust_centre(&one_sigma, off, n, 0);
    // sqrt(pi / 2): a median's sigma over a mean's. The points of one painted line share its error.
    *sigma_rad = sqrt(PI / 2) * one_sigma / sqrt(spokes);
    double px_per_rad = b->circle_in[0] * camera_middle_px_per_in(c);
    return one_sigma * px_per_rad < l->view.tuning->refit_noise_most_px;
}

// Traces the circles and fits the pose to them: 1, 0 when they are not near where they were, RS_ENOMEM.
static int fit_circles(struct pose_fit *fit, struct lines *l, struct fail *why)
{
    const struct board *b = &l->board->board;
    struct fail refused;
    *fit = (struct pose_fit){ .camera = l->board->camera,
                              .curves = b->circles,
                              .points_per_independent = l->view.tuning->refit_points_per_independent };
    memcpy(fit->radius_in, b->circle_in, sizeof b->circle_in);
    if (b->edge == CIRCLE_LINE_INSIDE) {
        fit->curves = 2;
        fit->radius_in[1] = b->circle_in[0] + b->line_width_in;
    }
    // One circle alone shows no perspective that distinguishes a zoom from a step nearer.
    if (l->board->f_sigma_px > 0 && b->circles > 1)
        fit->lens[FIT_LOG_F] = (struct fit_prior){ log(l->board->camera.lens.f_px), l->view.tuning->refit_breathing };
    l->points = 0;
    l->seen_in = l->whole_in = 0;
    for (int i = 0; i < b->circles; i++)
        trace_line(l, i);
    if (l->seen_in / l->whole_in < l->view.tuning->coverage_least)
        return 0;
    int rc = pose_fit_solve(fit, l->point, l->points, &refused);
    if (rc < 0)
        return rc == RS_EINPUT ? 0 : rs_fail(why, rc, "%s", refused.text);
    return fit->noise_px <= l->view.tuning->refit_noise_most_px;
}

int board_refit(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning,
                struct fail *why)
{
    const double radius_in = board->board.circle_in[0];
    struct board_pose now = *board;
    struct lines l = { .view = { f, &now.camera, &tuning->board }, .board = &now };
    struct pose_fit fit = { 0 };
    double scale = camera_middle_px_per_in(&board->camera), step_in = INFINITY;
    double turn_rad = 0, turn_sigma_rad = 0;
    *out = (struct refit){ .seen = false };
    for (int round = 0; round < MOST_ROUNDS && !(step_in < tuning->board.refit_again_px / scale); round++) {
        int seen = fit_circles(&fit, &l, why);
        if (seen <= 0)
            return seen;
        step_in = board_shift_in(&board->board, &now.camera, &fit.camera);
        now.camera = fit.camera;
    }
    bool turn_seen = board->turn_seen && spokes_turn(&turn_rad, &turn_sigma_rad, &l, &now.camera);
    if (board->turn_seen && !turn_seen) { // beyond the window they are searched all around
        struct board_pose turned = now;
        int rc = board_orient(&turned, f, &tuning->board, why);
        if (rc < 0)
            return rc;
        turn_seen = turned.turn_seen && spokes_turn(&turn_rad, &turn_sigma_rad, &l, &turned.camera);
        if (turn_seen)
            now.camera = turned.camera;
    }
    if (turn_seen)
        camera_turn(&now.camera, turn_rad);
    out->seen = true;
    out->rms_px = fit.rms_px;
    for (int k = 0; k < 8; k++) {
        double x = cos(k * PI / 4), y = sin(k * PI / 4);
        struct cov_in2 cov = pose_fit_place_cov(&fit, (struct pt_in){ radius_in * x, radius_in * y }, 0);
        double across = cov_along(&cov, x, y), along = hypot(cov_along(&cov, -y, x), radius_in * turn_sigma_rad);
        out->line_sigma_in = fmax(out->line_sigma_in, across);
        out->sigma_in = fmax(out->sigma_in, hypot(across, along));
    }
    out->shift_in = board_shift_in(&board->board, &board->camera, &now.camera);
    board->camera = board->fit.camera = now.camera;
    notes_lines(f, &fit, l.point, l.points);
    return 0;
}
