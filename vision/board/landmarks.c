// SPDX-License-Identifier: MIT
#include "vision/board/landmarks.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/rectify.h"
#include "vision/reduced.h"

enum {
    MOST_AROUND = 120,
    RING_AROUND = 60,
    STEP_ROWS = 2,
    LANDMARK_ROWS = 512,
    PEG_AROUND = 720,
};

// How a row differs from the rows beside it.
struct step {
    double size;  // of the median over the directions, 0 .. 255
    double shown; // 0..1: share of the directions that show it
};

struct rows {
    int n;
    struct step step[LANDMARK_ROWS];
    bool own[LANDMARK_ROWS]; // beside one of the board's own lines
    double contrast;         // of those lines: median of their strongest rows
};

// Two rows from that one on, for a thin line slips between one and the next.
static double two_rows(const struct rectified *p, int channel, int row, int across)
{
    const float *at = p->plane[channel] + row * p->raster.width + across;
    return (double)(at[0] + at[p->raster.width]) / 2;
}

// The step between two pairs of rows: from inner and inner + 1 to outer - 1 and outer. Light that slopes across them
// makes a part of it, which is taken off as the rows `lever` before and behind show it; lever 0: none is.
static void read_step(struct step *out, const struct rectified *p, int inner, int outer, int lever,
                      const struct board_tuning *t)
{
    double off[3][MOST_AROUND], scratch[MOST_AROUND], median[3];
    int n = 0, shown = 0, row = p->raster.width;
    *out = (struct step){ 0, 0 };
    for (int a = 0; a < row; a++) {
        for (int c = 0; c < 3; c++) {
            double in = two_rows(p, c, inner, a), beyond = two_rows(p, c, outer - 1, a), slope = 0;
            if (lever > 0)
                slope = (in - two_rows(p, c, inner - lever, a) + two_rows(p, c, outer - 1 + lever, a) - beyond) /
                        (2 * lever);
            off[c][n] = beyond - in - slope * (outer - 1 - inner);
        }
        n += !isnan(off[0][n]);
    }
    if (n < t->directions_least * row)
        return;
    for (int c = 0; c < 3; c++) {
        memcpy(scratch, off[c], sizeof *scratch * (size_t)n);
        median[c] = median_of(scratch, n);
    }
    double size2 = vec3_dot(median, median);
    for (int i = 0; i < n; i++)
        shown += off[0][i] * median[0] + off[1][i] * median[1] + off[2][i] * median[2] > t->shown_share * size2;
    *out = (struct step){ sqrt(size2), (double)shown / n };
}

static void read_rows(struct rows *out, const struct rectified *p, const struct board *b, const struct board_tuning *t)
{
    double own[BOARD_MAX_CIRCLES] = { 0 }, clear_in = t->line_clear * b->circle_in[0] + b->line_width_in / 2;
    double row_in = p->raster.step_in;
    *out = (struct rows){ .n = p->raster.height - STEP_ROWS };
    for (int k = STEP_ROWS; k < out->n; k++) {
        read_step(&out->step[k], p, k - STEP_ROWS, k + STEP_ROWS, 0, t);
        for (int i = 0; i < b->circles; i++)
            if (fabs(k * row_in - board_line_middle_in(b, i)) < clear_in) {
                out->own[k] = true;
                own[i] = fmax(own[i], out->step[k].size);
            }
    }
    out->contrast = median_of(own, b->circles);
}

// Circles well outside the hole that the board does not have. A line has two flanks, which count as one circle.
static void count_extra_circles(struct landmarks *out, const struct rows *r, double row, double least, double contrast,
                                const struct board_tuning *t)
{
    double most = 0;
    int extra = 0, last = -1 - 2 * STEP_ROWS;
    for (int k = (int)(t->innermost / row); k < r->n; k++) {
        const struct step *s = &r->step[k];
        if (r->own[k] || s->shown < t->shown_least || s->size < least * contrast)
            continue;
        if (k - last > 2 * STEP_ROWS) {
            extra++;
            last = k;
        }
        if (s->size > most && extra > out->extra_circles) {
            most = s->size;
            out->extra_times = k * row;
        }
    }
    out->extra_circles = extra > out->extra_circles ? extra : out->extra_circles;
}

// How a place beside the innermost circle differs from the places before and after it along the circle; inside and
// outside of the line together.
static double beside_circle(const struct frame *f, const struct camera *c, double circle_in, double angle_rad,
                            const struct board_tuning *t)
{
    double off = 0, flank_rad = t->peg_flank_in / circle_in;
    for (int side = -1; side <= 1; side += 2) {
        double r = circle_in + side * t->peg_beside_in;
        float light[3][3];
        for (int k = 0; k < 3; k++) {
            double angle = angle_rad + (k - 1) * flank_rad;
            struct pt_px at;
            if (!camera_project(&at, c, surface_polar(r, angle)) ||
                !frame_sample(light[k], f, at.u, at.v, SAMPLE_LIGHT))
                return 0;
        }
        for (int i = 0; i < 3; i++)
            off += (double)(light[1][i] - (light[0][i] + light[2][i]) / 2);
    }
    return fabs(off);
}

// How coarse the ground is: 1 sigma of what places differ by from their neighbours along the radius, in the rows from
// `row` to end - 1; NAN where too few are seen. What lies about on the ground is only a small part of them.
static double texture_of(const struct rectified *p, int row, int end, const struct board_tuning *t)
{
    enum { TEXTURE_ROWS = 12, GREEN = 1 };
    double off[TEXTURE_ROWS * RING_AROUND];
    int n = 0, across = p->raster.width;
    for (int i = row * across; i + across < end * across && n < TEXTURE_ROWS * RING_AROUND; i++) {
        off[n] = fabs((double)(p->plane[GREEN][i + across] - p->plane[GREEN][i]));
        n += !isnan(off[n]);
    }
    return n < t->directions_least * (end - row) * across ? NAN : MAD_TO_SIGMA * median_of(off, n);
}

// Compares the ground on both sides of a ring's line, from `beside` rows off its middle on: the step from one side to
// the other, and how many times as coarse one of them is. Both stay INFINITY where a side is not seen, for then nothing
// speaks for one ground.
static void compare_grounds(struct landmarks *out, const struct rectified *view, int middle, int beside,
                            double contrast, const struct board_tuning *t)
{
    struct step across = { 0, 0 };
    int reach = (int)lround(t->ground_reach / view->raster.step_in * view->raster.shifted_in);
    out->ground_step = out->ground_texture = INFINITY;
    if (middle + beside + reach > view->raster.height || middle - beside - reach < 0)
        return;
    read_step(&across, view, middle - beside, middle + beside, reach - 1, t);
    double inside = texture_of(view, middle - beside - reach, middle - beside, t),
           outside = texture_of(view, middle + beside, middle + beside + reach, t);
    if (isnan(inside) || isnan(outside))
        return;
    out->ground_step = across.size / fmax(contrast, 1e-9);
    out->ground_texture = fabs(log((inside + t->texture_floor) / (outside + t->texture_floor)));
}

// A single circle leaves the focal length open, and with it where its centre lies. So extra circles are looked for
// around several centres along the line of sight, the found one first.
static int look_at_ring(struct landmarks *out, const struct frame *f, const struct camera *c,
                        const struct board_pose *found, const struct board_tuning *t, struct fail *why)
{
    const struct board *b = &found->board;
    double radius_in = b->circle_in[0], line = b->line_width_in / radius_in, contrast = 0;
    int rows = (int)(1 / t->ring_row), seen = RING_AROUND;
    // Out to where a quarter of its directions is left in the picture.
    for (; rows < LANDMARK_ROWS && rows * t->ring_row < t->ring_reach && seen >= t->directions_least * RING_AROUND;
         rows += STEP_ROWS) {
        double r = rows * t->ring_row * radius_in;
        seen = 0;
        for (int a = 0; a < RING_AROUND; a++) {
            double angle = 2 * PI * a / RING_AROUND;
            struct pt_px at;
            seen += camera_project(&at, c, surface_polar(r, angle)) && frame_shows(f, at.u, at.v);
        }
    }
    struct raster raster = raster_polar(rows, RING_AROUND, t->ring_row * radius_in);
    struct pt3_in eye = camera_position(c);
    double away_in = hypot(eye.x, eye.y);
    int middle = (int)lround(board_line_middle_in(b, 0) / radius_in / t->ring_row);
    int beside = (int)ceil((1.5 * line + t->line_clear / 2) / t->ring_row);
    int sides = found->focal_from == FOCAL_FROM_LENS
                    ? 0
                    : (int)lround(t->ring_shift_most * sin(camera_tilt_rad(c)) / t->ring_shift);
    for (int i = 0; i <= 2 * sides; i++) {
        struct rectified view;
        struct rows r;
        double shift = (i + 1) / 2 * (i % 2 ? t->ring_shift : -t->ring_shift) / fmax(away_in, 1e-9);
        raster.shift = (struct pt_in){ shift * eye.x, shift * eye.y };
        raster.shifted_in = radius_in;
        int rc = rectify(&view, &raster, f, c, SAMPLE_LIGHT, why);
        if (rc < 0)
            return rc;
        read_rows(&r, &view, b, t);
        if (i == 0) {
            contrast = r.contrast;
            compare_grounds(out, &view, middle, beside, contrast, t);
        }
        rectified_free(&view);
        count_extra_circles(out, &r, t->ring_row, t->ring_extra_circle, contrast, t);
    }
    return 0;
}

static int look_at_board(struct landmarks *out, const struct frame *f, const struct camera *c,
                         const struct board_pose *found, const struct board_tuning *t, struct fail *why)
{
    const struct board *b = &found->board;
    struct raster raster = raster_polar((int)(1 / t->board_row) + 1, MOST_AROUND, t->board_row * b->circle_in[0]);
    struct rectified view;
    struct rows r;
    int rc = rectify(&view, &raster, f, c, SAMPLE_LIGHT, why);
    if (rc < 0)
        return rc;
    read_rows(&r, &view, b, t);
    rectified_free(&view);
    count_extra_circles(out, &r, t->board_row, t->board_extra_circle, r.contrast, t);
    for (int k = STEP_ROWS; k < r.n; k++) {
        double radius_in = k * raster.step_in;
        out->hole |= radius_in > t->hole_from * b->hole_radius_in && radius_in < t->hole_to * b->hole_radius_in &&
                     r.step[k].shown > t->shown_least && r.step[k].size > t->hole_least * r.contrast;
    }
    if (b->pegs == 0)
        return 0;
    // Pegs are evenly spaced spots on the innermost circle. Each turn is worth what all of its spots show at least, but
    // for those that may be hidden; pegs are seen where the best turn is worth far more than the usual one.
    double spot[PEG_AROUND], least[PEG_AROUND], circle_in = b->circle_in[b->circles - 1], best = 0;
    int turns = PEG_AROUND / b->pegs, hidden = (int)(t->pegs_hidden * b->pegs);
    for (int a = 0; a < PEG_AROUND; a++)
        spot[a] = beside_circle(f, c, circle_in, 2 * PI * a / PEG_AROUND, t);
    for (int k = 0; k < turns; k++) {
        double each[BOARD_MAX_PEGS];
        for (int i = 0; i < b->pegs; i++)
            each[i] = spot[(k + i * PEG_AROUND / b->pegs) % PEG_AROUND];
        least[k] = select_kth(each, b->pegs, hidden);
        best = fmax(best, least[k]);
    }
    out->pegs = best > fmax(t->pegs_least * median_of(least, turns), t->peg_contrast * r.contrast);
    return 0;
}

int landmarks_look(struct landmarks *out, const struct frame *f, double reduction, const struct board_pose *found,
                   const struct board_tuning *t, struct fail *why)
{
    const struct board *b = &found->board;
    struct camera c = found->camera;
    c.lens = lens_reduced(&c.lens, reduction);
    *out = (struct landmarks){ .kinds = b->quadrant_lines + (b->pegs > 0) + (b->hole_radius_in > 0),
                               .quadrants = found->turn_seen };
    return (b->kind == BOARD_RING ? look_at_ring : look_at_board)(out, f, &c, found, t, why);
}

int landmarks_judge(const struct landmarks *seen, const struct board *board, const struct board_tuning *t,
                    struct fail *why)
{
    int shown = seen->quadrants + seen->pegs + seen->hole;
    if (board->kind == BOARD_RING && isinf(seen->ground_step))
        return rs_fail(why, RS_EINPUT, "the ground beside the best circle is not seen: show some of it on both sides");
    if (board->kind == BOARD_RING &&
        (seen->ground_step > t->ground_step_most || seen->ground_texture > t->ground_texture_most))
        return rs_fail(why, RS_EINPUT, "the best circle parts two different grounds: an edge, not a line");
    if (board->kind == BOARD_RING && seen->extra_circles > 0)
        return rs_fail(why, RS_EINPUT,
                       "a circle %.2f times as large lies around the same centre: no ring, but a dial or a board",
                       seen->extra_times);
    if (board->kind == BOARD_CIRCLES && seen->extra_circles > t->extra_circles_most)
        return rs_fail(why, RS_EINPUT,
                       "%d more circles between its lines, as on a target; a board that has them needs --board",
                       seen->extra_circles);
    if (shown < seen->kinds && shown < t->landmarks_least) {
        bool spokes = board->quadrant_lines && !seen->quadrants, pegs = board->pegs > 0 && !seen->pegs;
        bool hole = board->hole_radius_in > 0 && !seen->hole;
        return rs_fail(why, RS_EINPUT, "there are circles, but%s%s%s%s%s not seen: clear the board and look again",
                       spokes ? " four quadrant lines" : "", spokes && (pegs || hole) ? "," : "", pegs ? " pegs" : "",
                       pegs && hole ? "," : "", hole ? " hole" : "");
    }
    return 0;
}
