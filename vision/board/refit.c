// SPDX-License-Identifier: MIT
#include "vision/board/refit.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/pose_fit.h"
#include "vision/board/polar.h"
#include "vision/board/trace.h"
#include "vision/board/turn.h"
#include "vision/notes.h"

enum { AROUND = 48, MAX_POINTS = 2 * AROUND * BOARD_MAX_CIRCLES };
enum { SPOKES = 4, ALONG = 10, ACROSS = 15, MOST_LOOKS = 4 };
static const double WINDOW_PX = 5;         // a board that moved farther is found anew
static const double LOOK_AGAIN_PX = 1;     // moved by more: the lines are looked for again from where they seem to be
static const double LEAST_COVERAGE = 0.35; // as when a board is found
static const double MOST_NOISE_PX = 1.5;   // more: these are not the lines
static const double POINTS_PER_INDEPENDENT = 2; // neighbours share the grain of the wood and the blocks of JPEG
static const double BREATHING =
    0.03; // ln of the focal length: what focusing changes; a wilful zoom is found over some looks
static const double CLEAR_OF_CIRCLES = 0.15; // of the quadrant lines' length, at both ends
static const double MEDIAN_TO_MEAN = 1.2533; // Gaussian

struct lines {
    const struct board_pose *board;
    const struct frame *f;
    struct fit_point point[MAX_POINTS];
    int points;
    double seen_in, whole_in; // length of the lines
    struct trace_wish paint;  // as the outermost circle was looked for; step 0 when it has no contrast
};

static bool light_at(float bgr[3], const struct lines *l, double radius_in, double angle_rad)
{
    struct pt_px p;
    struct pt3_in at = { radius_in * cos(angle_rad), radius_in * sin(angle_rad), 0 };
    return camera_project(&p, &l->board->camera, at) && frame_light(bgr, l->f, p.u, p.v);
}

// What stands out most from the ground in the stretch where the line may lie; false outside the picture.
static bool standing_out(double step[3], const struct lines *l, double radius_in, double width_in, double angle_rad)
{
    struct pt3_in at = { radius_in * cos(angle_rad), radius_in * sin(angle_rad), 0 };
    double scale = camera_scale_px_per_in(&l->board->camera, at), most = 0;
    double reach_in = width_in + WINDOW_PX / scale; // so wide that most of it is ground
    float light[ACROSS][3];
    double channel[ACROSS], ground[3];
    if (!(scale > 0))
        return false;
    for (int i = 0; i < ACROSS; i++)
        if (!light_at(light[i], l, radius_in + reach_in * (2.0 * i / (ACROSS - 1) - 1), angle_rad))
            return false;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < ACROSS; i++)
            channel[i] = light[i][c];
        ground[c] = median_of(channel, ACROSS);
    }
    for (int i = 0; i < ACROSS; i++) {
        double off[3] = { light[i][0] - ground[0], light[i][1] - ground[1], light[i][2] - ground[2] };
        double size = vec3_dot(off, off);
        if (size > most) {
            most = size;
            memcpy(step, off, sizeof off);
        }
    }
    return most > 0;
}

// How the line differs from its ground: medians over its directions, so that pieces on it do not count.
static bool contrast_of(double contrast[3], const struct lines *l, double radius_in, double width_in)
{
    double steps[3][AROUND], step[3] = { 0 };
    int n = 0;
    for (int k = 0; k < AROUND; k++) {
        if (!standing_out(step, l, radius_in, width_in, 2 * PI * k / AROUND))
            continue;
        for (int c = 0; c < 3; c++)
            steps[c][n] = step[c];
        n++;
    }
    for (int c = 0; c < 3 && n > 0; c++)
        contrast[c] = median_of(steps[c], n);
    return n > 0 && vec3_dot(contrast, contrast) > 0;
}

// As it would be seen if the line were a true circle.
static void add_point(struct lines *l, int curve, struct pt_px seen, double line_deviation_in)
{
    const struct camera *c = &l->board->camera;
    struct pt_in at;
    if (line_deviation_in != 0 && camera_locate(&at, c, seen, 0)) {
        double keep = 1 - line_deviation_in / hypot(at.x, at.y);
        camera_project(&seen, c, (struct pt3_in){ keep * at.x, keep * at.y, 0 });
    }
    l->point[l->points++] = (struct fit_point){ curve, seen };
}

static void trace_line(struct lines *l, int circle)
{
    const struct board *b = &l->board->board;
    bool by_edges = b->edge == CIRCLE_LINE_INSIDE;
    struct trace_wish wish = { .radius_in = b->circle_in[circle] + (by_edges ? b->line_width_in / 2 : 0),
                               .line_deviation_in = b->line_deviation_in[circle],
                               .width_in = b->line_width_in,
                               .window_px = WINDOW_PX,
                               .samples = AROUND };
    struct trace_point trace[AROUND];
    double contrast[3];
    l->whole_in += wish.radius_in;
    if (!contrast_of(contrast, l, wish.radius_in, wish.width_in))
        return;
    trace_look_along(&wish, contrast);
    if (circle == 0)
        l->paint = wish;
    l->seen_in += wish.radius_in * trace_circle(trace, l->f, &l->board->camera, &wish) / AROUND;
    for (int k = 0; k < AROUND; k++) {
        const struct trace_point *t = &trace[k];
        struct pt_px middle = { (t->inside.u + t->outside.u) / 2, (t->inside.v + t->outside.v) / 2 };
        double line_deviation_in = board_stray_in(wish.line_deviation_in, t->angle_rad);
        if (!t->seen)
            continue;
        if (!by_edges) {
            add_point(l, circle, middle, line_deviation_in);
            continue;
        }
        add_point(l, 0, t->inside, line_deviation_in);
        add_point(l, 1, t->outside, line_deviation_in);
    }
}

double board_shift_in(const struct board *b, const struct camera *from, const struct camera *to)
{
    double most = 0;
    for (int k = 0; k <= 8; k++) {
        double radius_in = k < 8 ? b->circle_in[0] : 0;
        struct pt3_in at = { radius_in * cos(k * PI / 4), radius_in * sin(k * PI / 4), 0 };
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
    double off[SPOKES * ALONG], scatter[SPOKES * ALONG], length = b->circle_in[0] - b->circle_in[1];
    int n = 0, spokes = 0;
    for (int q = 0; q < SPOKES; q++) {
        int before = n;
        for (int k = 0; k < ALONG; k++) {
            struct trace_wish wish = l->paint;
            double part = CLEAR_OF_CIRCLES + (1 - 2 * CLEAR_OF_CIRCLES) * (k + 0.5) / ALONG;
            wish.radius_in = b->circle_in[1] + part * length;
            n += trace_spoke(&off[n], l->f, c, &wish, q * PI / 2);
        }
        spokes += n > before;
    }
    if (n < LEAST_COVERAGE * SPOKES * ALONG)
        return false;
    *turn_rad = median_of(off, n);
    for (int i = 0; i < n; i++)
        scatter[i] = fabs(off[i] - *turn_rad);
    double one_sigma = MAD_TO_SIGMA * median_of(scatter, n);
    *sigma_rad = MEDIAN_TO_MEAN * one_sigma / sqrt(spokes); // the points of one painted line share its error
    double px_per_rad = b->circle_in[0] * camera_scale_px_per_in(c, (struct pt3_in){ 0, 0, 0 });
    return one_sigma * px_per_rad < MOST_NOISE_PX;
}

// Beyond the window the quadrant lines are searched all around.
static bool fit_turn(double *sigma_rad, const struct lines *l, struct camera *c)
{
    double turn_rad;
    if (spokes_turn(&turn_rad, sigma_rad, l, c)) {
        turn_camera(c, turn_rad);
        return true;
    }
    struct board_pose turned = *l->board;
    struct fail unused;
    turned.camera = *c;
    if (turn_board(&turned, l->f, &unused) < 0 || !turned.turn_seen ||
        !spokes_turn(&turn_rad, sigma_rad, l, &turned.camera))
        return false;
    *c = turned.camera;
    turn_camera(c, turn_rad);
    return true;
}

static struct pose_fit fit_of(const struct board_pose *board)
{
    const struct board *b = &board->board;
    struct pose_fit fit = { .camera = board->camera,
                            .curves = b->circles,
                            .points_per_independent = POINTS_PER_INDEPENDENT };
    for (int i = 0; i < b->circles; i++)
        fit.radius_in[i] = b->circle_in[i];
    if (b->edge == CIRCLE_LINE_INSIDE) {
        fit.curves = 2;
        fit.radius_in[1] = b->circle_in[0] + b->line_width_in;
    }
    // One circle alone shows no perspective that could tell a zoom from a step nearer.
    if (board->f_sigma_px > 0 && b->circles > 1)
        fit.lens[FIT_LOG_F] = (struct fit_prior){ log(board->camera.lens.f_px), BREATHING };
    return fit;
}

static bool fit_circles(struct pose_fit *fit, struct refit *out, struct lines *l)
{
    struct fail unused;
    *fit = fit_of(l->board);
    l->points = 0;
    l->seen_in = l->whole_in = 0;
    for (int i = 0; i < l->board->board.circles; i++)
        trace_line(l, i);
    out->coverage = l->seen_in / l->whole_in;
    return out->coverage >= LEAST_COVERAGE && pose_fit_solve(fit, l->point, l->points, &unused) == 0 &&
           fit->noise_px <= MOST_NOISE_PX;
}

static void say_sigmas(struct refit *out, const struct pose_fit *fit, double radius_in, double turn_sigma_rad)
{
    for (int k = 0; k < 8; k++) {
        double x = cos(k * PI / 4), y = sin(k * PI / 4);
        struct cov_in2 cov = pose_fit_place_cov(fit, (struct pt_in){ radius_in * x, radius_in * y }, 0);
        double across = cov_along(&cov, x, y), along = hypot(cov_along(&cov, -y, x), radius_in * turn_sigma_rad);
        out->line_sigma_in = fmax(out->line_sigma_in, across);
        out->sigma_in = fmax(out->sigma_in, hypot(across, along));
    }
}

void board_refit(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning)
{
    (void)tuning;
    const struct board *b = &board->board;
    struct board_pose now = *board;
    struct lines l = { .board = &now, .f = f };
    struct pose_fit fit;
    double turn_sigma_rad = 0, again_in = LOOK_AGAIN_PX / camera_scale_px_per_in(&board->camera, (struct pt3_in){ 0 });
    *out = (struct refit){ .seen = false };
    for (int look = 0; look < MOST_LOOKS; look++) {
        if (!fit_circles(&fit, out, &l))
            return;
        double step_in = board_shift_in(b, &now.camera, &fit.camera);
        now.camera = fit.camera;
        if (step_in < again_in)
            break;
    }
    if (board->turn_seen)
        out->turn_seen = fit_turn(&turn_sigma_rad, &l, &now.camera);
    out->seen = true;
    out->rms_px = fit.rms_px;
    say_sigmas(out, &fit, b->circle_in[0], turn_sigma_rad);
    out->shift_in = board_shift_in(b, &board->camera, &now.camera);
    board->camera = board->fit.camera = now.camera;
    notes_lines(f, &fit, l.point, l.points);
}
