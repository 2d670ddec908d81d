// SPDX-License-Identifier: MIT
#include "vision/board/landmarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/polar.h"
#include "vision/reduced.h"

enum {
    MOST_AROUND = 120,
    RING_AROUND = 60,
    STEP_ROWS = 2,
    MOST_ROWS = 512,
    PEG_AROUND = 720,
    MOST_PEGS = 64,
};
static const double ROW = 1.0 / 200;      // of the outermost radius: half a line's width on a board
static const double RING_ROW = 1.0 / 100; // of a ring's radius: half its line's width
static const double LEAST_VISIBLE = 0.25; // of the directions: fewer make no median
static const double SHIFT = 0.05;         // of a ring's radius: what the five rows of a step bridge
static const double MOST_SHIFT =
    0.2; // of a ring's radius, at 90 degrees: what a focal length a third off makes of its centre
static const double RING_REACH = 4;         // radii of a ring: what belongs to one thing with it lies within
static const double INNERMOST = 0.12;       // of the outermost radius: what is nearer is the hole or lies in the middle
static const double LINE_CLEAR = 0.03;      // of the outermost radius: a line's blur and its shadow
static const double SHOWN_SHARE = 0.4;      // of the median step: what a direction must show to count
static const double LEAST_SHOWN = 0.6;      // of the directions: the chance rows of a texture show 0.45 to 0.55
static const double BOARD_STRANGER = 0.35;  // of the lines' contrast: more than a line's blur leaves beside it
static const double RING_STRANGER = 0.15;   // of the line's contrast; carpets show under 0.03
static const int MOST_BOARD_STRANGERS = 1;  // one ornament; a target has more
static const double MOST_GROUND_STEP = 0.1; // of the line's contrast; the same carpet on both sides shows under 0.05
static const double HOLE_FROM = 0.7, HOLE_TO = 1.35; // of its radius: the hole's edge, or that of a disc in it
static const double LEAST_HOLE = 0.2;                // of the lines' contrast: shallow holes of pale boards show 0.25
static const double PEG_BESIDE_IN = 0.13;            // from the circle's middle: clear of its line, still on the peg
static const double PEG_FLANK_IN = 0.42;             // to the ground beside a peg
static const double PEGS_HIDDEN = 0.25;              // share of the pegs: a hand's, or missing
static const double PEG_CONTRAST = 0.15;             // of the lines' contrast: pegs of the board's own wood show 0.23
static const double LEAST_PEGS = 3.5;                // times what directions without pegs show
static const int LEAST_FURNITURE = 2; // kinds: a dial has a middle, a target a cross, neither has both and pegs

// How a row differs from the rows beside it.
struct step {
    double size;  // of the median over the directions, 0 .. 255
    double shown; // 0..1: share of the directions that show it
};

struct rows {
    int n;
    struct step step[MOST_ROWS];
    bool own[MOST_ROWS]; // beside one of the board's own lines
    double contrast;     // of those lines: median of their strongest rows
};

static double line_middle_in(const struct board *b, int circle)
{
    return b->circle_in[circle] + (b->edge == CIRCLE_LINE_INSIDE ? b->line_width_in / 2 : 0);
}

// From the rows `inner` and inner + 1 to `outer` and outer - 1: two rows a side, for a thin line slips between one and the next.
static void read_step(struct step *out, const struct polar *p, int inner, int outer)
{
    double off[3][MOST_AROUND], scratch[MOST_AROUND], median[3];
    int n = 0, shown = 0, row = 3 * p->angles;
    *out = (struct step){ 0, 0 };
    for (int a = 0; a < p->angles; a++) {
        const float *in = p->bgr + inner * row + 3 * a, *beyond = p->bgr + outer * row + 3 * a;
        for (int c = 0; c < 3; c++)
            off[c][n] = (beyond[c] + beyond[c - row] - in[c] - in[c + row]) / 2;
        n += !isnan(off[0][n]);
    }
    if (n < LEAST_VISIBLE * p->angles)
        return;
    for (int c = 0; c < 3; c++) {
        memcpy(scratch, off[c], sizeof *scratch * (size_t)n);
        median[c] = median_of(scratch, n);
    }
    double size2 = vec3_dot(median, median);
    for (int i = 0; i < n; i++)
        shown += off[0][i] * median[0] + off[1][i] * median[1] + off[2][i] * median[2] > SHOWN_SHARE * size2;
    *out = (struct step){ sqrt(size2), (double)shown / n };
}

static void read_rows(struct rows *out, const struct polar *p, const struct board *b)
{
    double own[BOARD_MAX_CIRCLES] = { 0 }, clear_in = LINE_CLEAR * b->circle_in[0] + b->line_width_in / 2;
    double row_in = p->step * b->circle_in[0];
    *out = (struct rows){ .n = p->radii - STEP_ROWS };
    for (int k = STEP_ROWS; k < out->n; k++) {
        read_step(&out->step[k], p, k - STEP_ROWS, k + STEP_ROWS);
        for (int i = 0; i < b->circles; i++)
            if (fabs(k * row_in - line_middle_in(b, i)) < clear_in) {
                out->own[k] = true;
                own[i] = fmax(own[i], out->step[k].size);
            }
    }
    out->contrast = median_of(own, b->circles);
}

// Circles well outside the hole that the board does not have. A line has two flanks, which count as one circle.
static void count_strangers(struct landmarks *out, const struct rows *r, double row, double least, double contrast)
{
    double most = 0;
    int strangers = 0, last = -1 - 2 * STEP_ROWS;
    for (int k = (int)(INNERMOST / row); k < r->n; k++) {
        const struct step *s = &r->step[k];
        if (r->own[k] || s->shown < LEAST_SHOWN || s->size < least * contrast)
            continue;
        if (k - last > 2 * STEP_ROWS) {
            strangers++;
            last = k;
        }
        if (s->size > most && strangers > out->strangers) {
            most = s->size;
            out->stranger_times = k * row;
        }
    }
    out->strangers = strangers > out->strangers ? strangers : out->strangers;
}

static bool hole_shows(const struct rows *r, const struct board *b, double step_in)
{
    for (int k = STEP_ROWS; k < r->n && k * step_in < HOLE_TO * b->hole_radius_in; k++)
        if (k * step_in > HOLE_FROM * b->hole_radius_in && r->step[k].shown > LEAST_SHOWN &&
            r->step[k].size > LEAST_HOLE * r->contrast)
            return true;
    return false;
}

// How a place beside the innermost circle differs from the places before and after it, both sides of the line together.
static double beside_circle(const struct frame *f, const struct camera *c, double circle_in, double angle_rad)
{
    double off = 0, flank_rad = PEG_FLANK_IN / circle_in;
    for (int side = -1; side <= 1; side += 2) {
        double r = circle_in + side * PEG_BESIDE_IN;
        float light[3][3];
        for (int k = 0; k < 3; k++) {
            double angle = angle_rad + (k - 1) * flank_rad;
            struct pt_px at;
            if (!camera_project(&at, c, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }) ||
                !frame_light(light[k], f, at.u, at.v))
                return 0;
        }
        for (int i = 0; i < 3; i++)
            off += light[1][i] - (light[0][i] + light[2][i]) / 2;
    }
    return fabs(off);
}

// Evenly spaced spots on the innermost circle: at the best turn, what all pegs but the hidden ones show at least, against
// the same at other turns.
static bool pegs_show(const struct frame *f, const struct camera *c, const struct board *b, double contrast)
{
    double spot[PEG_AROUND], least[PEG_AROUND], scratch[PEG_AROUND], circle_in = b->circle_in[b->circles - 1], best = 0;
    int turns = PEG_AROUND / b->pegs, hidden = (int)(PEGS_HIDDEN * b->pegs);
    for (int a = 0; a < PEG_AROUND; a++)
        spot[a] = beside_circle(f, c, circle_in, 2 * PI * a / PEG_AROUND);
    for (int k = 0; k < turns; k++) {
        double each[MOST_PEGS];
        for (int i = 0; i < b->pegs; i++)
            each[i] = spot[(k + i * PEG_AROUND / b->pegs) % PEG_AROUND];
        least[k] = scratch[k] = select_kth(each, b->pegs, hidden);
        best = fmax(best, least[k]);
    }
    return best > fmax(LEAST_PEGS * median_of(scratch, turns), PEG_CONTRAST * contrast);
}

// A single circle leaves the camera's focal length open, and with it where its centre lies: what keeps the circle and
// moves its centre by `shift` radii towards the camera is this (a motion of Klein's plane).
static struct pt_in shifted(double x, double y, double shift)
{
    double w = 1 + shift * x;
    return (struct pt_in){ (x + shift) / w, y * sqrt(1 - shift * shift) / w };
}

// The picture unrolled around the centre, in radii of the outermost circle; the first direction points to the camera.
static void unroll(struct polar *p, const struct frame *f, const struct camera *c, double radius_in, double shift)
{
    struct pt3_in eye = camera_position(c);
    double away = hypot(eye.x, eye.y), ex = away > 0 ? eye.x / away : 1, ey = away > 0 ? eye.y / away : 0;
    for (int a = 0; a < p->angles; a++) {
        double x = cos(2 * PI * a / p->angles), y = sin(2 * PI * a / p->angles);
        for (int k = 0; k < p->radii; k++) {
            float *to = p->bgr + 3 * (k * p->angles + a);
            struct pt_in pose = shifted(k * p->step * x, k * p->step * y, shift);
            struct pt3_in at = { radius_in * (ex * pose.x - ey * pose.y), radius_in * (ey * pose.x + ex * pose.y), 0 };
            struct pt_px seen;
            if (!camera_project(&seen, c, at) || !frame_light(to, f, seen.u, seen.v))
                to[0] = to[1] = to[2] = NAN;
        }
    }
}

// Rows out to where a quarter of a ring's directions is left in the picture.
static int ring_rows(const struct frame *f, const struct camera *c, double radius_in)
{
    int rows = (int)(1 / RING_ROW), seen = RING_AROUND;
    for (; rows < MOST_ROWS && rows * RING_ROW < RING_REACH && seen >= LEAST_VISIBLE * RING_AROUND; rows += STEP_ROWS) {
        double r = rows * RING_ROW * radius_in;
        seen = 0;
        for (int a = 0; a < RING_AROUND; a++) {
            double angle = 2 * PI * a / RING_AROUND;
            struct pt_px at;
            seen += camera_project(&at, c, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }) && at.u >= 0 &&
                    at.v >= 0 && at.u < f->width - 1 && at.v < f->height - 1;
        }
    }
    return rows;
}

static void look_at_ring(struct landmarks *out, struct rows *r, struct polar *p, const struct frame *f,
                         const struct camera *c, const struct board_pose *found)
{
    const struct board *b = &found->board;
    bool sure = found->focal_from == FOCAL_FROM_LENS;
    int sides = sure ? 0 : (int)lround(MOST_SHIFT * sin(camera_tilt_rad(c)) / SHIFT);
    double contrast = 0, line = b->line_width_in / b->circle_in[0];
    int middle = (int)lround(line_middle_in(b, 0) / b->circle_in[0] / p->step);
    int beside = (int)ceil((1.5 * line + LINE_CLEAR / 2) / p->step);
    for (int i = 0; i <= 2 * sides; i++) {
        int side = (i + 1) / 2 * (i % 2 ? 1 : -1); // the found centre first
        unroll(p, f, c, b->circle_in[0], side * SHIFT);
        read_rows(r, p, b);
        if (i == 0 && middle + beside < p->radii) {
            struct step across;
            contrast = r->contrast;
            read_step(&across, p, middle - beside, middle + beside);
            out->ground_step = across.size / fmax(contrast, 1e-9);
        }
        count_strangers(out, r, p->step, RING_STRANGER, contrast);
    }
}

static void look_at_board(struct landmarks *out, struct rows *r, struct polar *p, const struct frame *f,
                          const struct camera *c, const struct board_pose *found)
{
    const struct board *b = &found->board;
    unroll(p, f, c, b->circle_in[0], 0);
    read_rows(r, p, b);
    count_strangers(out, r, p->step, BOARD_STRANGER, r->contrast);
    out->hole = b->hole_radius_in > 0 && hole_shows(r, b, p->step * b->circle_in[0]);
    out->pegs = b->pegs > 0 && pegs_show(f, c, b, r->contrast);
}

void landmarks_look(struct landmarks *out, const struct frame *f, double reduction, const struct board_pose *found)
{
    const struct board *b = &found->board;
    struct camera c = found->camera;
    c.lens = lens_reduced(&c.lens, reduction);
    bool ring = b->kind == BOARD_RING;
    struct polar p = { .step = ring ? RING_ROW : ROW, .angles = ring ? RING_AROUND : MOST_AROUND };
    p.radii = ring ? ring_rows(f, &c, b->circle_in[0]) : (int)(1 / ROW) + 1;
    struct rows *r = malloc(sizeof *r);
    p.bgr = malloc(sizeof *p.bgr * 3 * (size_t)p.radii * (size_t)p.angles);
    if (!r || !p.bgr)
        abort();
    *out = (struct landmarks){ .kinds = b->quadrant_lines + (b->pegs > 0) + (b->hole_radius_in > 0),
                               .quadrants = found->turn_seen };
    (ring ? look_at_ring : look_at_board)(out, r, &p, f, &c, found);
    polar_finish(&p);
    free(r);
}

int landmarks_judge(const struct landmarks *seen, const struct board *board, struct fail *why)
{
    int shown = seen->quadrants + seen->pegs + seen->hole;
    if (board->kind == BOARD_RING && seen->ground_step > MOST_GROUND_STEP)
        return rs_fail(why, RS_EINPUT, "the best circle parts two different grounds: an edge, not a line");
    if (board->kind == BOARD_RING && seen->strangers > 0)
        return rs_fail(why, RS_EINPUT,
                       "a circle %.2f times as large lies around the same centre: no ring, but a dial or a board",
                       seen->stranger_times);
    if (board->kind == BOARD_CIRCLES && seen->strangers > MOST_BOARD_STRANGERS)
        return rs_fail(why, RS_EINPUT,
                       "%d more circles between its lines, as on a target; a board that has them needs --board",
                       seen->strangers);
    if (shown < seen->kinds && shown < LEAST_FURNITURE) {
        bool spokes = board->quadrant_lines && !seen->quadrants, pegs = board->pegs > 0 && !seen->pegs;
        bool hole = board->hole_radius_in > 0 && !seen->hole;
        return rs_fail(why, RS_EINPUT, "there are circles, but%s%s%s%s%s not seen: clear the board and look again",
                       spokes ? " four quadrant lines" : "", spokes && (pegs || hole) ? "," : "", pegs ? " pegs" : "",
                       pegs && hole ? "," : "", hole ? " hole" : "");
    }
    return 0;
}
