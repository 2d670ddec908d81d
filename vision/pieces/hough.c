// SPDX-License-Identifier: MIT
#include "vision/pieces/hough.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/reduced.h"

enum { CHANNELS = 3, MAPS = 2 * CHANNELS }; // each channel with the piece lighter and darker than the ground

struct plane_view {
    int side;         // cells
    double px_per_in; // cells per inch
    double half_in;   // half of the side
    float *channel[CHANNELS];
    float *votes[MAPS];
    float *sums, *smooth;
};

static int view_create(struct plane_view *v, double half_in, double px_per_in, struct fail *why)
{
    *v = (struct plane_view){ .px_per_in = px_per_in, .half_in = half_in };
    v->side = (int)ceil(2 * half_in * px_per_in);
    size_t n = (size_t)v->side * (size_t)v->side;
    float *memory = calloc(n * (CHANNELS + MAPS + 2), sizeof *memory);
    if (!memory)
        return rs_fail(why, RS_ENOMEM, "no memory to lay out the board");
    for (int c = 0; c < CHANNELS; c++)
        v->channel[c] = memory + (size_t)c * n;
    for (int m = 0; m < MAPS; m++)
        v->votes[m] = memory + (size_t)(CHANNELS + m) * n;
    v->sums = memory + (size_t)(CHANNELS + MAPS) * n;
    v->smooth = v->sums + n;
    return 0;
}

static struct pt_in place_of(const struct plane_view *v, double x, double y)
{
    return (struct pt_in){ (x + 0.5) / v->px_per_in - v->half_in, (y + 0.5) / v->px_per_in - v->half_in };
}

// The picture on the plane z = height_in. Cells outside the picture, and bare ones, hold NAN.
static void lay_out(struct plane_view *v, const struct frame *f, const struct camera *camera, double height_in,
                    const struct background *empty)
{
    struct pt3_in eye = camera_position(camera);
    for (int y = 0; y < v->side; y++)
        for (int x = 0; x < v->side; x++) {
            size_t at = (size_t)y * (size_t)v->side + (size_t)x;
            struct pt_in p = place_of(v, x, y);
            struct pt_px seen;
            double opponent[3] = { NAN, NAN, NAN };
            bool bare = empty && !background_may_hold(empty, background_sight(&eye, p, height_in));
            if (!bare && camera_project(&seen, camera, (struct pt3_in){ p.x, p.y, height_in }))
                colour_at(opponent, f, seen.u, seen.v);
            for (int c = 0; c < CHANNELS; c++)
                v->channel[c][at] = (float)opponent[c];
        }
}

// Median size of the gradient over the surface: what grain and noise make by themselves.
static int usual_gradient(double *out, const struct plane_view *v, int channel, const struct disc_tuning *t,
                          struct fail *why)
{
    const float *p = v->channel[channel];
    size_t n = 0, row = (size_t)v->side;
    double *sizes = malloc(sizeof *sizes * row * row / 4 + sizeof *sizes);
    if (!sizes)
        return rs_fail(why, RS_ENOMEM, "no memory to look for pieces");
    for (size_t y = 1; y + 1 < row; y += 2)
        for (size_t x = 1; x + 1 < row; x += 2) {
            if (isnan(p[y * row + x]))
                continue;
            double gx = p[y * row + x + 1] - p[y * row + x - 1], gy = p[(y + 1) * row + x] - p[(y - 1) * row + x];
            double size = sqrt(gx * gx + gy * gy);
            struct pt_in at = place_of(v, (double)x, (double)y);
            if (!isnan(size) && hypot(at.x, at.y) < v->half_in)
                sizes[n++] = size;
        }
    *out = fmax(n ? median_of(sizes, (int)n) : 1, t->vote_least_gradient);
    free(sizes);
    return 0;
}

static void add_vote(float *map, const struct plane_view *v, double x, double y, double weight)
{
    int ix = (int)lround(x), iy = (int)lround(y);
    if (ix >= 0 && iy >= 0 && ix < v->side && iy < v->side)
        map[(size_t)iy * (size_t)v->side + (size_t)ix] += (float)weight;
}

static void vote_channel(struct plane_view *v, int channel, double radius_in, double usual, const struct disc_tuning *t)
{
    const float *p = v->channel[channel];
    int row = v->side;
    double reach = radius_in * v->px_per_in;
    for (int y = 1; y < row - 1; y++)
        for (int x = 1; x < row - 1; x++) {
            const float *at = p + (long)y * row + x;
            if (isnan(*at))
                continue;
            double gx = at[1] - at[-1], gy = at[row] - at[-row], size = sqrt(gx * gx + gy * gy);
            if (!(size > t->vote_edge_sigmas * usual))
                continue;
            double weight = fmin(size / usual, t->vote_full_sigmas) / t->vote_full_sigmas;
            gx /= size;
            gy /= size;
            add_vote(v->votes[2 * channel], v, x + reach * gx, y + reach * gy, weight);     // lighter piece
            add_vote(v->votes[2 * channel + 1], v, x - reach * gx, y - reach * gy, weight); // darker piece
        }
}

static void add_to(float *sum, const float *row, int n)
{
    for (int i = 0; i < n; i++)
        sum[i] += row[i];
}

// Sums over the cells that a rim's votes spread to, a tenth of the radius: along the rows, then across them.
static void smooth_map(struct plane_view *v, int map, double radius_in)
{
    int reach = (int)lround(fmax(1, 0.12 * radius_in * v->px_per_in)), side = v->side;
    size_t row = (size_t)side, cells = row * row;
    memset(v->sums, 0, sizeof *v->sums * cells);
    for (int y = 0; y < side; y++)
        for (int d = -reach; d <= reach; d++) {
            int from = d < 0 ? -d : 0;
            float *sums = v->sums + (size_t)y * row + from;
            add_to(sums, v->votes[map] + (size_t)y * row + from + d, side - abs(d));
        }
    float *around = v->votes[map];
    memset(around, 0, sizeof *around * cells);
    for (int y = 0; y < side; y++)
        for (int k = y < reach ? 0 : y - reach; k <= y + reach && k < side; k++)
            add_to(around + (size_t)y * row, v->sums + (size_t)k * row, side);
    for (size_t i = 0; i < cells; i++)
        if (!isnan(v->channel[0][i]) && around[i] > v->smooth[i]) // no piece stands where nothing is seen
            v->smooth[i] = around[i];
}

static int stronger_first(const void *a, const void *b)
{
    const struct hough_peak *p = a, *q = b;
    return (p->share < q->share) - (p->share > q->share);
}

static bool local_top(const struct plane_view *v, int x, int y)
{
    float here = v->smooth[(long)y * v->side + x];
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            float there = v->smooth[(long)(y + j) * v->side + x + i];
            bool before = j < 0 || (j == 0 && i < 0);
            if ((i || j) && (there > here || (before && there == here)))
                return false;
        }
    return true;
}

// The strongest local tops, none within the reach of a stronger one.
static int peaks(struct hough_peak *out, int most, const struct plane_view *v, double radius_in, double limit_in,
                 const struct disc_tuning *t, struct fail *why)
{
    int count = 0, n = 0;
    double full = 2 * PI * radius_in * v->px_per_in * 2; // an edge is two cells thick
    struct hough_peak *tops = malloc(sizeof *tops * (size_t)v->side * (size_t)v->side / 2);
    if (!tops)
        return rs_fail(why, RS_ENOMEM, "no memory for the places of pieces");
    for (int y = 1; y < v->side - 1; y++)
        for (int x = 1; x < v->side - 1; x++) {
            struct hough_peak p = { place_of(v, x, y), v->smooth[(long)y * v->side + x] / full };
            if (p.share > t->vote_least_share && hypot(p.at.x, p.at.y) < limit_in && local_top(v, x, y))
                tops[count++] = p;
        }
    qsort(tops, (size_t)count, sizeof *tops, stronger_first);
    for (int i = 0; i < count && n < most; i++) {
        bool alone = true;
        for (int k = 0; k < n && alone; k++)
            alone = hypot(out[k].at.x - tops[i].at.x, out[k].at.y - tops[i].at.y) > t->vote_apart_radii * radius_in;
        if (alone)
            out[n++] = tops[i];
    }
    free(tops);
    return n;
}

int hough_find(struct hough_peak *out, int most, const struct frame *f, const struct board_pose *pose,
               const struct background *empty, const struct disc_tuning *t, struct fail *why)
{
    const struct board *b = &pose->board;
    double scale = camera_scale_px_per_in(&pose->camera, (struct pt3_in){ 0, 0, 0 });
    double limit_in = b->surface_radius_in > 0 ? b->surface_radius_in : b->circle_in[0];
    if (scale < t->vote_least_px_per_in)
        return 0;
    double px_per_in = fmin(scale, t->vote_most_px_per_in);
    struct camera camera = pose->camera;
    struct plane_view v;
    struct frame *small;
    // In the copy a cell of the view is about a pixel, so that nothing is stepped over.
    int rc = frame_reduced(&small, f, scale / px_per_in, why);
    if (rc < 0)
        return rc;
    camera.lens = lens_reduced(&camera.lens, scale / px_per_in);
    rc = view_create(&v, limit_in + b->piece_radius_in, px_per_in, why);
    if (rc == 0) {
        lay_out(&v, small, &camera, b->piece_height_in, empty);
        for (int c = 0; c < CHANNELS && rc == 0; c++) {
            double usual = 1;
            rc = usual_gradient(&usual, &v, c, t, why);
            vote_channel(&v, c, b->piece_radius_in, usual, t);
        }
        for (int m = 0; m < MAPS; m++)
            smooth_map(&v, m, b->piece_radius_in);
        if (rc == 0)
            rc = peaks(out, most, &v, b->piece_radius_in, limit_in, t, why);
        free(v.channel[0]);
    }
    frame_free(small);
    return rc;
}
