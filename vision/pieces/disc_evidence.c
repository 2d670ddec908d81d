// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_evidence.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/pieces/noise_floor.h"
#include "vision/reduced.h"

enum { HYPOTHESES = 28 }; // both sides' discs and as many again
static const double REFINE_STEPS_IN[] = { 0.1, 0.05, 0.025 };

// Points of the model, counted counter-clockwise from the direction of the camera.
enum { TOP = 35, SIDE_ANGLES = 9, SIDE = 3 * SIDE_ANGLES, OUTLINE_ANGLES = 32, OUTLINE_RINGS = 5, INSIDE_RINGS = 2 };
static const double RING_SCALE[OUTLINE_RINGS] = { 0.6, 0.82, 1.2, 1.4, 1.65 }; // of the outline, about its middle ...
enum { MEDIAN_PX = 21, RADII = 140, RADIAL_ANGLES = 360 };
static const double RADIAL_STEP_IN = 0.1;

// What the logistic score weighs.
enum measure {
    LOG_CONTRAST_OVER_SPILL,
    LOG_CONTRAST,
    TILT_DEG,
    STEP_LOW,
    LOG_MEDIAN,
    LOG_GROUND_ODD,
    LOG_SIDE_L,
    LOG_TOP_AB,
    LOG_FROM_EMPTY,
    MEASURES
};

struct evidence {
    const struct evidence_tuning *t;
    struct camera camera; // of the reduced picture
    const struct board *board;
    int width, height;
    float *lab; // divided by its noise, three numbers a pixel
    double noise[3];
    float empty[RADII][3]; // the board at each radius, median over the directions
    struct pt3_in eye;
    double tilt_deg;
};

struct lab3 {
    float c[3];
};

struct view {
    struct lab3 top[TOP], side[SIDE], ring[OUTLINE_RINGS][OUTLINE_ANGLES];
};

static struct lab3 sample(const struct evidence *e, struct pt_px at)
{
    double u = fmin(fmax(at.u, 0), e->width - 1.001), v = fmin(fmax(at.v, 0), e->height - 1.001);
    int x = (int)u, y = (int)v;
    float fu = (float)(u - x), fv = (float)(v - y);
    const float *p = e->lab + 3 * ((size_t)y * (size_t)e->width + (size_t)x), *q = p + 3 * (size_t)e->width;
    struct lab3 out;
    for (int c = 0; c < 3; c++)
        out.c[c] = (p[c] * (1 - fu) + p[c + 3] * fu) * (1 - fv) + (q[c] * (1 - fu) + q[c + 3] * fu) * fv;
    return out;
}

static float distance(const struct lab3 *a, const struct lab3 *b)
{
    float square = 0;
    for (int c = 0; c < 3; c++)
        square += (a->c[c] - b->c[c]) * (a->c[c] - b->c[c]);
    return sqrtf(square / 3);
}

// The k-th smallest share of n values, which are reordered.
static float quantile(double *value, int n, double share)
{
    return (float)select_kth(value, n, (int)lround(share * (n - 1)));
}

static struct lab3 median_colour(const struct lab3 *seen, int n)
{
    double value[OUTLINE_RINGS * OUTLINE_ANGLES];
    struct lab3 out;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < n; i++)
            value[i] = seen[i].c[c];
        out.c[c] = (float)median_of(value, n);
    }
    return out;
}

static struct pt_px project(const struct evidence *e, double x, double y, double z)
{
    struct pt_px at = { -1, -1 };
    camera_project(&at, &e->camera, (struct pt3_in){ x, y, z });
    return at;
}

static void take_view(struct view *out, const struct evidence *e, struct pt_in at)
{
    static const int on_circle[] = { 1, 6, 12, 16 };
    static const double circle[] = { 0, 0.3, 0.55, 0.8 };
    double radius_in = e->board->piece_radius_in, height_in = e->board->piece_height_in;
    double towards = atan2(e->eye.y - at.y, e->eye.x - at.x);
    int n = 0;
    for (size_t k = 0; k < countof(circle); k++)
        for (int i = 0; i < on_circle[k]; i++) {
            double a = towards + 2 * PI * i / on_circle[k], r = circle[k] * radius_in;
            out->top[n++] = sample(e, project(e, at.x + r * cos(a), at.y + r * sin(a), height_in));
        }
    n = 0;
    for (int h = 1; h <= 3; h++)
        for (int i = 0; i < SIDE_ANGLES; i++) {
            double a = towards + PI / 3 * (2.0 * i / (SIDE_ANGLES - 1) - 1);
            out->side[n++] =
                sample(e, project(e, at.x + radius_in * cos(a), at.y + radius_in * sin(a), height_in * h / 4));
        }
    struct pt_px middle = project(e, at.x, at.y, height_in / 2);
    for (int i = 0; i < OUTLINE_ANGLES; i++) {
        double a = 2 * PI * i / OUTLINE_ANGLES,
               foot = cos(a) > 0.05 ? 0 : height_in; // the top's rim hides what is behind
        struct pt_px edge = project(e, at.x + radius_in * cos(a + towards), at.y + radius_in * sin(a + towards), foot);
        double du = edge.u - middle.u, dv = edge.v - middle.v, size = hypot(du, dv) + 1e-6;
        for (int k = 0; k < OUTLINE_RINGS; k++) {
            double out_px = (RING_SCALE[k] - 1) * size;
            if (RING_SCALE[k] > 1)
                out_px = fmax(out_px, e->t->ring_least_px * (RING_SCALE[k] - 1));
            out->ring[k][i] = sample(e, (struct pt_px){ edge.u + du / size * out_px, edge.v + dv / size * out_px });
        }
    }
}

// What a view says, before the score: the two share all of it.
struct measures {
    double value[MEASURES];
    double first; // a simple sum that needs no empty board, for choosing places
};

static double log_of(double x)
{
    return log(fmax(x, 0.2)); // below a fifth of the noise nothing is smaller
}

static void measure(struct measures *out, const struct evidence *e, struct pt_in at)
{
    enum {
        INSIDE = TOP + SIDE + INSIDE_RINGS * OUTLINE_ANGLES,
        OUTSIDE = (OUTLINE_RINGS - INSIDE_RINGS) * OUTLINE_ANGLES,
        SECTORS = 8
    };
    struct view v;
    double inside[INSIDE], outside[OUTSIDE], step[OUTLINE_ANGLES], sector[SECTORS] = { 0 };
    int n = 0, m = 0, inner = 0, outer = 0;
    take_view(&v, e, at);
    struct lab3 ground = median_colour(&v.ring[OUTLINE_RINGS - 2][0], 2 * OUTLINE_ANGLES);
    for (int i = 0; i < TOP; i++)
        inside[n++] = distance(&v.top[i], &ground);
    for (int i = 0; i < SIDE; i++)
        inside[n++] = distance(&v.side[i], &ground);
    for (int k = 0; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < OUTLINE_ANGLES; i++)
            *(k < INSIDE_RINGS ? &inside[n++] : &outside[m++]) = distance(&v.ring[k][i], &ground);
    double q20 = quantile(inside, INSIDE, 0.2), q50 = quantile(inside, INSIDE, 0.5),
           q75 = quantile(outside, OUTSIDE, 0.75);
    double least = fmax(q50 / 2, 1.5);
    for (int i = 0; i < INSIDE; i++)
        inner += inside[i] > least;
    for (int i = 0; i < OUTSIDE; i++)
        outer += outside[i] < least;
    for (int i = 0; i < OUTLINE_ANGLES; i++) { // against the ground beside it, there and in the directions next to it
        struct lab3 beside[9];
        for (int k = 0; k < 3; k++)
            for (int d = 0; d < 3; d++)
                beside[3 * k + d] = v.ring[INSIDE_RINGS + k][(i + d - 1 + OUTLINE_ANGLES) % OUTLINE_ANGLES];
        struct lab3 local = median_colour(beside, 9);
        step[i] = fmin(distance(&v.ring[1][i], &local) / fmax(q50, 1.5), 1.5);
        sector[i * SECTORS / OUTLINE_ANGLES] += step[i] * SECTORS / OUTLINE_ANGLES;
    }
    out->first = log_of(q20) - 0.7 * log_of(q75) + 1.5 * select_kth(sector, SECTORS, 1) + (double)inner / INSIDE +
                 (double)outer / OUTSIDE;
    struct lab3 top = median_colour(v.top, TOP), side = median_colour(v.side, SIDE);
    int radius = (int)lround(hypot(at.x, at.y) / RADIAL_STEP_IN);
    struct lab3 empty;
    memcpy(empty.c, e->empty[radius < RADII ? radius : RADII - 1], sizeof empty.c);
    out->value[LOG_CONTRAST_OVER_SPILL] = log_of(q20) - log_of(q75);
    out->value[LOG_CONTRAST] = log_of(q20);
    out->value[TILT_DEG] = e->tilt_deg;
    out->value[STEP_LOW] = quantile(step, OUTLINE_ANGLES, 0.1);
    out->value[LOG_MEDIAN] = log_of(q50);
    out->value[LOG_GROUND_ODD] = log_of(distance(&ground, &empty));
    out->value[LOG_SIDE_L] = log_of(fabsf(side.c[0] - ground.c[0]));
    out->value[LOG_TOP_AB] = log_of(hypotf(top.c[1] - ground.c[1], top.c[2] - ground.c[2]));
    out->value[LOG_FROM_EMPTY] = log_of(fminf(distance(&top, &empty), distance(&side, &empty)));
}

static double probability(const struct evidence *e, struct pt_in at)
{
    struct measures m;
    double logit = e->t->bias;
    const double weight[MEASURES] = { [LOG_CONTRAST_OVER_SPILL] = e->t->contrast_over_spill,
                                      [LOG_CONTRAST] = e->t->contrast,
                                      [TILT_DEG] = e->t->tilt_deg,
                                      [STEP_LOW] = e->t->step_low,
                                      [LOG_MEDIAN] = e->t->median_contrast,
                                      [LOG_GROUND_ODD] = e->t->ground_odd,
                                      [LOG_SIDE_L] = e->t->side_lightness,
                                      [LOG_TOP_AB] = e->t->top_chroma,
                                      [LOG_FROM_EMPTY] = e->t->from_empty };
    measure(&m, e, at);
    for (int i = 0; i < MEASURES; i++)
        logit += weight[i] * m.value[i];
    return 1 / (1 + exp(-logit));
}

struct place {
    struct pt_in at;
    double score;
};

static int by_score(const void *a, const void *b)
{
    double x = ((const struct place *)a)->score, y = ((const struct place *)b)->score;
    return (x < y) - (x > y);
}

// The best first, none nearer than `apart_in` to a better one; at most `most`.
static int suppress(struct place *p, int n, double apart_in, int most)
{
    int kept = 0;
    qsort(p, (size_t)n, sizeof *p, by_score);
    for (int i = 0; i < n && kept < most; i++) {
        bool apart = true;
        for (int k = 0; k < kept && apart; k++)
            apart = hypot(p[i].at.x - p[k].at.x, p[i].at.y - p[k].at.y) >= apart_in;
        if (apart)
            p[kept++] = p[i];
    }
    return kept;
}

static void refine(struct place *p, const struct evidence *e)
{
    for (size_t k = 0; k < countof(REFINE_STEPS_IN); k++)
        for (int round = 0; round < 2; round++) {
            bool moved = false;
            for (int i = 0; i < 9; i++) {
                double s = REFINE_STEPS_IN[k];
                struct pt_in at = { p->at.x + (i % 3 - 1) * s, p->at.y + (i / 3 - 1) * s };
                struct measures m;
                if (i == 4)
                    continue;
                measure(&m, e, at);
                if (m.first > p->score) {
                    *p = (struct place){ at, m.first };
                    moved = true;
                }
            }
            if (!moved)
                break;
        }
}

// 1 sigma of what a pixel differs from its surroundings by, on the board: texture counts as noise.
static int take_noise(struct evidence *e, struct fail *why)
{
    size_t n = (size_t)e->width * (size_t)e->height;
    uint8_t *code = malloc(2 * n);
    double *off = malloc(n * sizeof *off);
    int rc = code && off ? 0 : rs_fail(why, RS_ENOMEM, "no memory to find discs");
    for (int c = 0; c < 3 && rc == 0; c++) {
        size_t seen = 0;
        for (size_t i = 0; i < n; i++)
            code[i] = (uint8_t)lrintf(fminf(fmaxf(e->lab[3 * i + (size_t)c] + (c > 0 ? 100 : 0), 0), 255));
        rc = cv_median_u8(code + n, code, e->width, e->height, MEDIAN_PX, why);
        double reach_in = 0.96 * e->board->circle_in[0];
        for (double x = -reach_in; x <= reach_in; x += 0.1)
            for (double y = -reach_in; y <= reach_in; y += 0.1) {
                struct pt_px at = project(e, x, y, 0);
                if (hypot(x, y) > reach_in || !(at.u >= 0 && at.v >= 0 && at.u < e->width && at.v < e->height) ||
                    seen >= n)
                    continue;
                size_t i = (size_t)at.v * (size_t)e->width + (size_t)at.u;
                off[seen++] = fabs(e->lab[3 * i + (size_t)c] + (c > 0 ? 100 : 0) - code[n + i]);
            }
        e->noise[c] = fmax(seen > 0 ? MAD_TO_SIGMA * median_of(off, (int)seen) : 0,
                           c == 0 ? e->t->noise_floor_l : e->t->noise_floor_ab);
    }
    free(code);
    free(off);
    return rc;
}

static int take_picture(struct evidence *e, struct frame *f, const struct board_pose *pose, struct fail *why)
{
    struct frame *small = NULL;
    double px_per_in = 0;
    for (int i = 0; i < 8; i++) { // the widest that the board is seen
        double a = i * PI / 8, r = pose->board.circle_in[0];
        struct pt_px p = { 0, 0 }, q = { 0, 0 };
        camera_project(&p, &pose->camera, (struct pt3_in){ r * cos(a), r * sin(a), 0 });
        camera_project(&q, &pose->camera, (struct pt3_in){ -r * cos(a), -r * sin(a), 0 });
        px_per_in = fmax(px_per_in, hypot(p.u - q.u, p.v - q.v) / (2 * r));
    }
    double reduction = fmax(1, px_per_in / e->t->px_per_in_most);
    int rc = frame_reduced(&small, f, reduction, why);
    if (rc < 0)
        return rc;
    e->camera = pose->camera;
    e->camera.lens = lens_reduced(&pose->camera.lens, reduction);
    e->width = small->width;
    e->height = small->height;
    size_t n = (size_t)small->width * (size_t)small->height;
    e->lab = malloc(3 * n * sizeof *e->lab);
    for (size_t i = 0; i < n && e->lab; i++) {
        double lab[3], bgr[3] = { small->bgr[3 * i], small->bgr[3 * i + 1], small->bgr[3 * i + 2] };
        colour_bgr_to_lab(lab, bgr);
        for (int c = 0; c < 3; c++)
            e->lab[3 * i + (size_t)c] = (float)lab[c];
    }
    frame_free(small);
    if (!e->lab)
        return rs_fail(why, RS_ENOMEM, "no memory to find discs");
    rc = take_noise(e, why);
    for (size_t i = 0; i < 3 * n && rc == 0; i++)
        e->lab[i] /= (float)e->noise[i % 3];
    return rc;
}

// Pieces hide little of a circle: the median over its directions is the board.
static void take_empty_board(struct evidence *e)
{
    for (int r = 0; r < RADII; r++) {
        struct lab3 seen[RADIAL_ANGLES] = { { { 0 } } };
        double value[RADIAL_ANGLES];
        int n = 0;
        for (int k = 0; k < RADIAL_ANGLES; k++) {
            double a = 2 * PI * k / RADIAL_ANGLES;
            struct pt_px at = project(e, r * RADIAL_STEP_IN * cos(a), r * RADIAL_STEP_IN * sin(a), 0);
            if (at.u >= 0 && at.v >= 0 && at.u < e->width - 1 && at.v < e->height - 1)
                seen[n++] = sample(e, at);
        }
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < n; k++)
                value[k] = seen[k].c[c];
            e->empty[r][c] = n > 0 ? (float)median_of(value, n) : (c == 0 ? (float)(50 / e->noise[0]) : 0);
        }
    }
}

bool disc_evidence_applies(const struct board_pose *pose, const struct evidence_tuning *t)
{
    return pose->board.piece == PIECE_DISC && camera_tilt_rad(&pose->camera) > t->tilt_least_rad;
}

// How well a place found by evidence is known: by so many pixels each way, which in depth are more of an inch.
static struct cov_in2 place_cov(const struct board_pose *pose, struct pt_in at, double sigma_px)
{
    double J[2][2], height_in = pose->board.piece_height_in;
    struct cov_in2 out = { 0, 0, 0 };
    if (!camera_jacobian(J, &pose->camera, (struct pt3_in){ at.x, at.y, height_in }))
        return out;
    double xx = J[0][0] * J[0][0] + J[1][0] * J[1][0], yy = J[0][1] * J[0][1] + J[1][1] * J[1][1];
    double xy = J[0][0] * J[0][1] + J[1][0] * J[1][1], det = xx * yy - xy * xy, v = sigma_px * sigma_px;
    if (det > 0)
        out = (struct cov_in2){ v * yy / det, -v * xy / det, v * xx / det };
    return floor_cov(out, pose, at, height_in, DISC_FLOOR_SIGMA_IN);
}

static struct detection describe(const struct place *p, const struct evidence *e, const struct board_pose *pose,
                                 const struct evidence_tuning *t)
{
    struct detection out = { .kind = pose->board.piece,
                             .plane = ON_SURFACE,
                             .at = p->at,
                             .radius_in = pose->board.piece_radius_in,
                             .certainty = p->score,
                             .support = p->score };
    struct view v;
    struct lab3 all[TOP + SIDE];
    take_view(&v, e, p->at);
    memcpy(all, v.top, sizeof v.top);
    memcpy(all + TOP, v.side, sizeof v.side);
    struct lab3 middle = median_colour(all, TOP + SIDE);
    for (int c = 0; c < 3; c++)
        out.lab[c] = middle.c[c] * e->noise[c];
    out.cov = place_cov(pose, p->at, t->place_sigma_px);
    camera_project(&out.px, &pose->camera, (struct pt3_in){ p->at.x, p->at.y, pose->board.piece_height_in });
    return out;
}

int disc_evidence(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                  const struct evidence_tuning *t, struct fail *why)
{
    struct evidence e = { .t = t,
                          .board = &pose->board,
                          .eye = camera_position(&pose->camera),
                          .tilt_deg = camera_tilt_rad(&pose->camera) * 180 / PI };
    double reach_in = pose->board.circle_in[0] - t->rim_clear_in;
    int n = 0, side = (int)(2 * reach_in / t->grid_in) + 1;
    *out = (struct detection_list){ .count = 0 };
    struct place *place = malloc(sizeof *place * (size_t)side * (size_t)side);
    int rc = place ? take_picture(&e, f, pose, why) : rs_fail(why, RS_ENOMEM, "no memory to find discs");
    if (rc < 0)
        goto out;
    take_empty_board(&e);
    for (int i = 0; i < side * side; i++) {
        struct pt_in at = { i % side * t->grid_in - reach_in, i / side * t->grid_in - reach_in };
        struct measures m;
        if (hypot(at.x, at.y) > reach_in)
            continue;
        measure(&m, &e, at);
        place[n++] = (struct place){ at, m.first };
    }
    n = suppress(place, n, t->apart_first_in, HYPOTHESES);
    for (int i = 0; i < n; i++)
        refine(&place[i], &e);
    n = suppress(place, n, t->apart_refined_in, HYPOTHESES);
    for (int i = 0; i < n; i++) {
        bool over_hole = hypot(place[i].at.x, place[i].at.y) < t->hole_clear * pose->board.hole_radius_in;
        place[i].score = over_hole ? 0 : probability(&e, place[i].at);
    }
    n = suppress(place, n, t->apart_in, HYPOTHESES);
    for (int i = 0; i < n && place[i].score >= t->probability_least; i++)
        out->piece[out->count++] = describe(&place[i], &e, pose, t);
out:
    free(e.lab);
    free(place);
    return rc;
}
