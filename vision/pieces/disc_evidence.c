// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/bilinear.h"
#include "vision/colour.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/peaks.h"
#include "vision/reduced.h"

enum { OUTLINE_RINGS = 5, INSIDE_RINGS = 2, TOP_CIRCLES = 4, MOST_ANGLES = 32 };
static const double RING_SCALE[OUTLINE_RINGS] = { 0.6, 0.82, 1.2, 1.4, 1.65 }; // of the outline, about its middle
enum { MEDIAN_PX = 21, LAB = 4 }; // LAB: numbers a pixel, the last one for alignment
static const double RADIAL_STEP_IN = 0.1;

// How densely a place is looked at. Angles are counted counter-clockwise from the direction of the camera.
struct density {
    int on_circle[TOP_CIRCLES]; // of the top face
    int side_angles, side_heights;
    int outline_angles;
};
static const struct density COARSE = { { 1, 0, 6, 8 }, 5, 1, 16 }, FULL = { { 1, 6, 12, 16 }, 9, 3, 32 };

enum { MOST_TOP = 35, MOST_SIDE = 27, MOST_INSIDE = MOST_TOP + MOST_SIDE + INSIDE_RINGS * MOST_ANGLES };

struct disc_evidence {
    const struct evidence_tuning *t;
    struct camera camera; // of the reduced picture
    struct board board;
    bool flat; // seen too flat for votes
    int width, height;
    float *lab; // divided by its noise, LAB numbers a pixel
    struct disc_ground ground;
    struct pt3_in eye;
};

struct lab3 {
    float c[3];
};

// What is seen where a piece would show its top and its side, and around its outline.
struct view {
    int tops, sides, angles;
    struct lab3 top[MOST_TOP], side[MOST_SIDE], ring[OUTLINE_RINGS][MOST_ANGLES];
};

static struct lab3 sample(const struct disc_evidence *e, double at_u, double at_v)
{
    float u = fminf(fmaxf((float)at_u, 0), (float)e->width - 1.01f);
    float v = fminf(fmaxf((float)at_v, 0), (float)e->height - 1.01f);
    struct lab3 out;
    for (int c = 0; c < 3; c++)
        out.c[c] = bilinear_f32(e->lab + c, LAB, e->width, u, v);
    return out;
}

static float distance(const struct lab3 *a, const struct lab3 *b)
{
    float square = 0;
    for (int c = 0; c < 3; c++)
        square += (a->c[c] - b->c[c]) * (a->c[c] - b->c[c]);
    return sqrtf(square / 3);
}

// Of nine by insertion: there are thousands of them.
static struct lab3 median_of_nine(const struct lab3 seen[9])
{
    struct lab3 out;
    for (int c = 0; c < 3; c++) {
        float sorted[9] = { 0 };
        for (int i = 0; i < 9; i++) {
            int k = i;
            for (; k > 0 && sorted[k - 1] > seen[i].c[c]; k--)
                sorted[k] = sorted[k - 1];
            sorted[k] = seen[i].c[c];
        }
        out.c[c] = sorted[4];
    }
    return out;
}

static struct lab3 median_colour(const struct lab3 *seen, int n)
{
    double value[MOST_INSIDE];
    struct lab3 out;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < n; i++)
            value[i] = seen[i].c[c];
        out.c[c] = (float)median_of(value, n);
    }
    return out;
}

// The picture of what is near a place, to first order: a piece is small against its distance from the camera.
struct local {
    struct pt_px foot, top;
    double J[2][2][2]; // at the foot and at the top, of a step towards the camera and of one to its left
};

static bool look_from(struct local *out, const struct disc_evidence *e, struct pt_in at)
{
    double height_in = e->board.piece_height_in;
    struct pt3_in foot = { at.x, at.y, 0 }, top = { at.x, at.y, height_in };
    double J[2][2][2], x = e->eye.x - at.x, y = e->eye.y - at.y, far = hypot(x, y);
    x = far > 0 ? x / far : 1;
    y = far > 0 ? y / far : 0;
    if (!camera_project(&out->foot, &e->camera, foot) || !camera_project(&out->top, &e->camera, top) ||
        !camera_jacobian(J[0], &e->camera, foot) || !camera_jacobian(J[1], &e->camera, top))
        return false;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            out->J[k][i][0] = J[k][i][0] * x + J[k][i][1] * y;
            out->J[k][i][1] = J[k][i][1] * x - J[k][i][0] * y;
        }
    return true;
}

// The pixel of a place `dx` towards the camera, `dy` to its left and `up` (0 .. 1) of a piece's height.
static struct pt_px pixel_of(const struct local *l, double dx, double dy, double up)
{
    double fu = l->foot.u + l->J[0][0][0] * dx + l->J[0][0][1] * dy,
           tu = l->top.u + l->J[1][0][0] * dx + l->J[1][0][1] * dy;
    double fv = l->foot.v + l->J[0][1][0] * dx + l->J[0][1][1] * dy,
           tv = l->top.v + l->J[1][1][0] * dx + l->J[1][1][1] * dy;
    return (struct pt_px){ fu + up * (tu - fu), fv + up * (tv - fv) };
}

static bool take_view(struct view *out, const struct disc_evidence *e, struct pt_in at, const struct density *d)
{
    // Of a disc's face from the middle to near the rim, of a ring's what there is of it.
    const double disc[TOP_CIRCLES] = { 0, 0.3, 0.55, 0.8 };
    double radius_in = e->board.piece_radius_in, hole = e->board.piece_hole_radius_in / radius_in;
    struct local near;
    if (!look_from(&near, e, at))
        return false;
    *out = (struct view){ .angles = d->outline_angles };
    for (int k = 0; k < TOP_CIRCLES; k++)
        for (int i = 0; i < d->on_circle[k]; i++) {
            double a = 2 * PI * i / d->on_circle[k],
                   r = (hole > 0 ? hole + (1 - hole) * (0.3 + 0.4 * k / (TOP_CIRCLES - 1)) : disc[k]) * radius_in;
            struct pt_px p = pixel_of(&near, r * cos(a), r * sin(a), 1);
            out->top[out->tops++] = sample(e, p.u, p.v);
        }
    for (int h = 1; h <= d->side_heights; h++)
        for (int i = 0; i < d->side_angles; i++) {
            double a = PI / 3 * (2.0 * i / (d->side_angles - 1) - 1);
            struct pt_px p = pixel_of(&near, radius_in * cos(a), radius_in * sin(a), (double)h / (d->side_heights + 1));
            out->side[out->sides++] = sample(e, p.u, p.v);
        }
    struct pt_px middle = pixel_of(&near, 0, 0, 0.5);
    for (int i = 0; i < d->outline_angles; i++) {
        double a = 2 * PI * i / d->outline_angles, up = cos(a) > 0.05 ? 0 : 1; // the top's rim hides what is behind
        struct pt_px edge = pixel_of(&near, radius_in * cos(a), radius_in * sin(a), up);
        double du = edge.u - middle.u, dv = edge.v - middle.v, size = sqrt(du * du + dv * dv) + 1e-6;
        for (int k = 0; k < OUTLINE_RINGS; k++) {
            double scale = k == 0 && hole > 0 ? (1 + hole) / 2 : RING_SCALE[k], out_px = (scale - 1) * size;
            if (scale > 1)
                out_px = fmax(out_px, e->t->ring_least_px * (scale - 1));
            out->ring[k][i] = sample(e, edge.u + du / size * out_px, edge.v + dv / size * out_px);
        }
    }
    return true;
}

// Below a fifth of the noise nothing is smaller, and more than plain is no plainer.
static double log_of(double x)
{
    static const double least = 0.2, plain = 20;
    return log(fmin(fmax(x, least), plain));
}

static double quantile(double *value, int n, double share)
{
    return select_kth(value, n, (int)lround(share * (n - 1)));
}

// What a view shows against the ground around it.
struct shown {
    struct lab3 ground;
    double inside_low, spill; // distances from it: the weakest fifth inside, the strongest quarter outside
    double step_low;          // weakest tenth of the step around the outline
    double sum;               // for choosing places: needs no empty board
};

static void compare(struct shown *out, const struct view *v, bool step_by_step)
{
    enum { SECTORS = 8 };
    static const double plain = 1.5; // times the noise: less is no contrast that others could be counted in
    double inside[MOST_INSIDE], outside[OUTLINE_RINGS * MOST_ANGLES], step[MOST_ANGLES], sector[SECTORS] = { 0 };
    int n = 0, m = 0, inner = 0, outer = 0;
    struct lab3 far[2 * MOST_ANGLES];
    memcpy(far, v->ring[OUTLINE_RINGS - 2], sizeof *far * (size_t)v->angles);
    memcpy(far + v->angles, v->ring[OUTLINE_RINGS - 1], sizeof *far * (size_t)v->angles);
    out->ground = median_colour(far, 2 * v->angles);
    for (int i = 0; i < v->tops; i++)
        inside[n++] = distance(&v->top[i], &out->ground);
    for (int i = 0; i < v->sides; i++)
        inside[n++] = distance(&v->side[i], &out->ground);
    for (int k = 0; k < OUTLINE_RINGS; k++)
        for (int i = 0; i < v->angles; i++)
            *(k < INSIDE_RINGS ? &inside[n++] : &outside[m++]) = distance(&v->ring[k][i], &out->ground);
    out->inside_low = quantile(inside, n, 0.2);
    out->spill = quantile(outside, m, 0.75);
    double median = quantile(inside, n, 0.5), least = fmax(median / 2, plain);
    for (int i = 0; i < n; i++)
        inner += inside[i] > least;
    for (int i = 0; i < m; i++)
        outer += outside[i] < least;
    for (int i = 0; i < v->angles; i++) {
        struct lab3 local = out->ground;
        if (step_by_step) { // what is beside it there and in the directions next to it
            struct lab3 beside[9];
            for (int k = 0; k < 3; k++)
                for (int by = 0; by < 3; by++)
                    beside[3 * k + by] = v->ring[INSIDE_RINGS + k][(i + by - 1 + v->angles) % v->angles];
            local = median_of_nine(beside);
        }
        step[i] = fmin(distance(&v->ring[1][i], &local) / fmax(median, plain), 1.5);
        sector[i * SECTORS / v->angles] += step[i] * SECTORS / v->angles;
    }
    out->step_low = quantile(step, v->angles, 0.1);
    out->sum = log_of(out->inside_low) - 0.7 * log_of(out->spill) + 1.5 * select_kth(sector, SECTORS, 1) +
               (double)inner / n + (double)outer / m;
}

static double sum_at(const struct disc_evidence *e, struct pt_in at, const struct density *d)
{
    struct view v;
    struct shown shown;
    if (!take_view(&v, e, at, d))
        return -INFINITY;
    compare(&shown, &v, d == &FULL);
    return shown.sum;
}

// Pattern search of the place with the largest sum.
static void refine(struct peak *p, const struct disc_evidence *e)
{
    static const double step_in[] = { 0.1, 0.05, 0.025 };
    p->score = sum_at(e, p->at, &FULL);
    for (size_t k = 0; k < countof(step_in); k++)
        for (int round = 0; round < 2; round++) {
            struct peak best = *p;
            for (int i = 0; i < 9; i++) {
                double s = step_in[k];
                struct pt_in at = { p->at.x + (i % 3 - 1) * s, p->at.y + (i / 3 - 1) * s };
                double score = i == 4 ? -INFINITY : sum_at(e, at, &FULL);
                if (score > best.score)
                    best = (struct peak){ at, score };
            }
            if (best.score <= p->score)
                break;
            *p = best;
        }
}

// 1 sigma of what a pixel differs from its surroundings by, on the board: texture counts as noise.
static int take_noise(struct disc_evidence *e, struct fail *why)
{
    size_t n = (size_t)e->width * (size_t)e->height;
    uint8_t *code = malloc(2 * n);
    double *off = malloc(n * sizeof *off);
    int rc = code && off ? 0 : rs_fail(why, RS_ENOMEM, "no memory to find discs");
    for (int c = 0; c < 3 && rc == 0; c++) {
        size_t seen = 0;
        double reach_in = 0.96 * e->board.circle_in[0], step_in = 0.1;
        for (size_t i = 0; i < n; i++)
            code[i] = (uint8_t)lrintf(fminf(fmaxf(e->lab[LAB * i + (size_t)c] + (c > 0 ? 100 : 0), 0), 255));
        rc = cv_median_u8(code + n, code, e->width, e->height, MEDIAN_PX, why);
        for (double x = -reach_in; x <= reach_in && rc == 0; x += step_in)
            for (double y = -reach_in; y <= reach_in; y += step_in) {
                struct pt_px at;
                if (hypot(x, y) > reach_in || !camera_project(&at, &e->camera, (struct pt3_in){ x, y, 0 }) ||
                    !(at.u >= 0 && at.v >= 0 && at.u < e->width && at.v < e->height) || seen >= n)
                    continue;
                size_t i = (size_t)at.v * (size_t)e->width + (size_t)at.u;
                off[seen++] = fabs(e->lab[LAB * i + (size_t)c] + (c > 0 ? 100 : 0) - code[n + i]);
            }
        e->ground.noise[c] = fmax(seen > 0 ? MAD_TO_SIGMA * median_of(off, (int)seen) : 0,
                                  c == 0 ? e->t->noise_floor_l : e->t->noise_floor_ab);
    }
    free(code);
    free(off);
    return rc;
}

// The part of the picture in which the surface and what stands on it are seen, from the first pixel to the one behind the last.
struct part {
    int from_x, to_x, from_y, to_y;
};

static struct part part_of(const struct disc_evidence *e, const struct frame *f)
{
    enum { DIRECTIONS = 48 };
    const struct board *b = &e->board;
    double u[2] = { f->width, 0 }, v[2] = { f->height, 0 };
    double reach_in = fmax(b->circle_in[0], b->surface_radius_in) + 2 * b->piece_radius_in;
    for (int i = 0; i < 2 * DIRECTIONS; i++) {
        double a = 2 * PI * i / DIRECTIONS, z = i < DIRECTIONS ? 0 : b->piece_height_in;
        struct pt_px p;
        if (!camera_project(&p, &e->camera, (struct pt3_in){ reach_in * cos(a), reach_in * sin(a), z }))
            return (struct part){ 0, f->width, 0, f->height };
        u[0] = fmin(u[0], p.u);
        u[1] = fmax(u[1], p.u);
        v[0] = fmin(v[0], p.v);
        v[1] = fmax(v[1], p.v);
    }
    // What is around counts as its surroundings; and there is always something.
    return (struct part){ (int)fmax(fmin(u[0], f->width - 2) - MEDIAN_PX, 0),
                          (int)fmin(fmax(u[1], 1) + MEDIAN_PX, f->width),
                          (int)fmax(fmin(v[0], f->height - 2) - MEDIAN_PX, 0),
                          (int)fmin(fmax(v[1], 1) + MEDIAN_PX, f->height) };
}

static int take_picture(struct disc_evidence *e, struct frame *f, const struct board_pose *pose, struct fail *why)
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
    struct part part = part_of(e, small);
    e->camera.lens.centre.u -= part.from_x;
    e->camera.lens.centre.v -= part.from_y;
    e->width = part.to_x - part.from_x;
    e->height = part.to_y - part.from_y;
    size_t n = (size_t)e->width * (size_t)e->height;
    e->lab = calloc(LAB * n, sizeof *e->lab);
    size_t first = (size_t)part.from_y * (size_t)small->width + (size_t)part.from_x;
    if (e->lab)
        colour_bgr8_to_lab(e->lab, LAB, small->bgr + 3 * first, e->width, e->height, 3 * (size_t)small->width);
    frame_free(small);
    if (!e->lab)
        return rs_fail(why, RS_ENOMEM, "no memory to find discs");
    if (!e->ground.known)
        rc = take_noise(e, why);
    for (size_t i = 0; i < n && rc == 0; i++)
        for (int c = 0; c < 3; c++)
            e->lab[LAB * i + (size_t)c] /= (float)e->ground.noise[c];
    return rc;
}

// Pieces hide little of a circle: the median over its directions is the board.
static void take_empty_board(struct disc_evidence *e)
{
    enum { RADIAL_ANGLES = 360 };
    for (int r = 0; r < GROUND_RADII; r++) {
        struct lab3 seen[RADIAL_ANGLES] = { { { 0 } } };
        double value[RADIAL_ANGLES];
        int n = 0;
        for (int k = 0; k < RADIAL_ANGLES; k++) {
            double a = 2 * PI * k / RADIAL_ANGLES;
            struct pt_px at;
            if (camera_project(&at, &e->camera,
                               (struct pt3_in){ r * RADIAL_STEP_IN * cos(a), r * RADIAL_STEP_IN * sin(a), 0 }) &&
                at.u >= 0 && at.v >= 0 && at.u < e->width - 1 && at.v < e->height - 1)
                seen[n++] = sample(e, at.u, at.v);
        }
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < n; k++)
                value[k] = seen[k].c[c];
            e->ground.empty[r][c] =
                n > 0 ? (float)median_of(value, n) : (c == 0 ? (float)(50 / e->ground.noise[0]) : 0);
        }
    }
}

bool disc_evidence_at(double measure[DISC_MEASURES], double lab[3], const struct disc_evidence *e, struct pt_in at,
                      const struct hough_peak *peak, int peaks)
{
    struct view v;
    struct shown shown;
    struct lab3 all[MOST_TOP + MOST_SIDE], empty;
    if (!take_view(&v, e, at, &FULL))
        return false;
    compare(&shown, &v, true);
    struct lab3 top = median_colour(v.top, v.tops), side = median_colour(v.side, v.sides);
    int radius = (int)lround(hypot(at.x, at.y) / RADIAL_STEP_IN);
    memcpy(empty.c, e->ground.empty[radius < GROUND_RADII ? radius : GROUND_RADII - 1], sizeof empty.c);
    measure[LOG_CONTRAST_OVER_SPILL] = log_of(shown.inside_low) - log_of(shown.spill);
    measure[STEP_LOW] = shown.step_low;
    measure[LOG_GROUND_ODD] = log_of(distance(&shown.ground, &empty));
    measure[LOG_TOP_AB] = log_of(hypotf(top.c[1] - shown.ground.c[1], top.c[2] - shown.ground.c[2]));
    measure[LOG_FROM_EMPTY] = log_of(fminf(distance(&top, &empty), distance(&side, &empty)));
    measure[FLAT] = e->flat;
    measure[VOTES] = 0;
    for (int k = 0; k < peaks; k++)
        if (hypot(at.x - peak[k].at.x, at.y - peak[k].at.y) < e->t->votes_reach_in)
            measure[VOTES] = fmax(measure[VOTES], peak[k].share);
    memcpy(all, v.top, sizeof *all * (size_t)v.tops);
    memcpy(all + v.tops, v.side, sizeof *all * (size_t)v.sides);
    struct lab3 middle = median_colour(all, v.tops + v.sides);
    for (int c = 0; c < 3; c++)
        lab[c] = middle.c[c] * e->ground.noise[c];
    return true;
}

// On the surface, and surely: seen at a slant a disc in the far ditch is where one on the surface's edge would be, but what
// stands inside of the outermost line counts.
static bool may_stand(const struct disc_evidence *e, struct pt_in at)
{
    const struct board *b = &e->board;
    double r = hypot(at.x, at.y), lean = b->ditch_depth_in / e->eye.z;
    if (r < b->hole_radius_in - e->t->hole_clear_in)
        return false;
    if (r < b->circle_in[0] - e->t->rim_clear_in)
        return true;
    double below = hypot(at.x + lean * (at.x - e->eye.x), at.y + lean * (at.y - e->eye.y));
    return r < b->surface_radius_in && below < b->surface_radius_in + b->piece_radius_in;
}

int disc_evidence_places(struct pt_in out[DISC_PLACES], const struct disc_evidence *e, struct place_filter filter,
                         const struct hough_peak *peak, int peaks, struct fail *why)
{
    enum { MOST_LAID = 48 }; // both sides' pieces, and as many again
    double reach_in = fmax(e->board.circle_in[0], e->board.surface_radius_in);
    int n = 0, side = (int)(2 * reach_in / e->t->grid_in) + 1;
    struct peak *place = malloc(sizeof *place * (size_t)side * (size_t)side);
    if (!place)
        return rs_fail(why, RS_ENOMEM, "no memory to find pieces");
    for (int i = 0; i < side * side; i++) {
        struct pt_in at = { i % side * e->t->grid_in - reach_in, i / side * e->t->grid_in - reach_in };
        if (may_stand(e, at) && (!filter.may || filter.may(filter.self, at)))
            place[n++] = (struct peak){ at, sum_at(e, at, &COARSE) };
    }
    n = peaks_suppress(place, n, e->t->apart_first_in, MOST_LAID);
    for (int i = 0; i < n; i++)
        refine(&place[i], e);
    n = peaks_suppress(place, n, e->t->apart_refined_in, MOST_LAID);
    for (int i = 0; i < n; i++)
        out[i] = place[i].at;
    free(place);
    for (int i = 0; i < peaks && n < DISC_PLACES; i++) {
        bool fresh = may_stand(e, peak[i].at) && (!filter.may || filter.may(filter.self, peak[i].at));
        for (int k = 0; k < n && fresh; k++)
            fresh = hypot(out[k].x - peak[i].at.x, out[k].y - peak[i].at.y) >= e->t->same_place_in;
        if (fresh)
            out[n++] = peak[i].at;
    }
    return n;
}

int disc_evidence_create(struct disc_evidence **out, struct disc_ground *ground, struct frame *f,
                         const struct board_pose *pose, const struct evidence_tuning *t, struct fail *why)
{
    struct disc_evidence *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e)
        return rs_fail(why, RS_ENOMEM, "no memory to find pieces");
    e->t = t;
    e->board = pose->board;
    e->ground = *ground;
    e->eye = camera_position(&pose->camera);
    e->flat = camera_tilt_rad(&pose->camera) > t->votes_most_tilt_rad;
    int rc = take_picture(e, f, pose, why);
    if (rc < 0) {
        disc_evidence_free(e);
        return rc;
    }
    if (!e->ground.known)
        take_empty_board(e);
    e->ground.known = true;
    *ground = e->ground;
    *out = e;
    return 0;
}

void disc_evidence_free(struct disc_evidence *e)
{
    if (e)
        free(e->lab);
    free(e);
}

void disc_evidence_resize(struct disc_evidence *e, const struct board *sized)
{
    e->board = *sized;
}
