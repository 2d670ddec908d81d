// SPDX-License-Identifier: MIT
#include "vision/pieces/hough.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/peaks.h"
#include "vision/pieces/px_box.h"
#include "vision/rectify.h"
#include "vision/reduced.h"

struct vote {
    struct rectified view; // of the pieces' top plane, its planes a colour (colour.h); NAN: not in the picture, or bare
    float *rims;           // of the channel at hand: votes for pieces lighter than the ground, then for darker ones
    float *most;           // of all channels, both ways: what votes around each cell
    double radius_cells;
    double from_cells, to_cells; // from the middle: only edges there vote for a place where a piece may stand
    const struct disc_tuning *t;
};

// Median size of the gradient over the surface: what grain and noise make by themselves.
static int usual_gradient(double *out, const struct vote *v, const float *p, struct fail *why)
{
    const struct raster *r = &v->view.raster;
    long row = r->width;
    int n = 0;
    double *sizes = malloc(sizeof *sizes * (raster_cells(r) / 4 + 1));
    if (!sizes)
        return rs_fail(why, RS_ENOMEM, "no memory to look for pieces");
    for (int y = 1; y + 1 < r->height; y += 2)
        for (int x = 1; x + 1 < row; x += 2) {
            const float *at = p + y * row + x;
            double gx = at[1] - at[-1], gy = at[row] - at[-row], size = sqrt(gx * gx + gy * gy);
            struct pt_in place = raster_place(r, x, y);
            if (!isnan(*at) && !isnan(size) && place.x * place.x + place.y * place.y < r->half_in * r->half_in)
                sizes[n++] = size;
        }
    *out = fmax(n ? median_of(sizes, n) : 0, v->t->least_noise);
    free(sizes);
    return 0;
}

// A rim's votes spread, and their sum over so many cells each way is what counts.
static int spread_cells(const struct vote *v)
{
    static const double spread = 0.12; // of the radius
    return (int)lround(fmax(1, spread * v->radius_cells));
}

static void add_vote(float *map, int side, double x, double y, double weight)
{
    int ix = (int)(x + 0.5), iy = (int)(y + 0.5); // lround is a call; what is left of the map is turned away before
    if (x >= -0.5 && y >= -0.5 && ix < side && iy < side)
        map[(long)iy * side + ix] += (float)weight;
}

static int vote_channel(struct vote *v, const float *p, double *grain, struct fail *why)
{
    const struct disc_tuning *t = v->t;
    const int side = v->view.raster.width;
    const size_t cells = raster_cells(&v->view.raster);
    int rc = *grain > 0 ? 0 : usual_gradient(grain, v, p, why);
    double usual = *grain, least2 = pow(t->vote_edge_sigmas * usual, 2);
    memset(v->rims, 0, 2 * cells * sizeof *v->rims);
    const double middle = (side - 1) / 2.0, from2 = v->from_cells * v->from_cells, to2 = v->to_cells * v->to_cells;
    for (int y = 1; y < side - 1 && rc == 0; y++)
        for (int x = 1; x < side - 1; x++) {
            const float *at = p + (long)y * side + x;
            double gx = at[1] - at[-1], gy = at[side] - at[-side], size2 = gx * gx + gy * gy;
            double off2 = (x - middle) * (x - middle) + (y - middle) * (y - middle);
            if (isnan(*at) || !(size2 > least2) || off2 < from2 || off2 > to2)
                continue;
            double size = sqrt(size2);
            double weight = fmin(size / usual, t->vote_full_sigmas) / t->vote_full_sigmas;
            double dx = v->radius_cells * gx / size, dy = v->radius_cells * gy / size;
            add_vote(v->rims, side, x + dx, y + dy, weight);
            add_vote(v->rims + cells, side, x - dx, y - dy, weight);
        }
    int across = 2 * spread_cells(v) + 1;
    for (float *rims = v->rims; rims <= v->rims + cells && rc == 0; rims += cells) {
        rc = cv_box_mean_f32(rims, rims, side, side, across, across, why);
        for (size_t i = 0; i < cells; i++) { // no piece stands where nothing is seen; fmaxf is a call
            float votes = rims[i] * (float)(across * across);
            v->most[i] = votes > v->most[i] && !isnan(p[i]) ? votes : v->most[i];
        }
    }
    return rc;
}

// The part of the reduced picture in which the view is seen.
static struct px_range range_of_view(const struct raster *r, const struct camera *c, int width, int height)
{
    enum { PLACES = 64, BESIDE_PX = 4 }; // on each side of it; the map between projected cells is off by less than that
    const double last = r->width - 1, side[4][4] = { { 0, 0, 1, 0 }, { 0, 1, 1, 0 }, { 0, 0, 0, 1 }, { 1, 0, 0, 1 } };
    struct px_box box = px_box_empty();
    for (int i = 0; i < 4 * PLACES; i++) {
        const double *s = side[i / PLACES], along = (double)(i % PLACES) / (PLACES - 1);
        struct pt_in at = raster_place(r, last * (s[0] + s[2] * along), last * (s[1] + s[3] * along));
        if (!px_box_take(&box, c, (struct pt3_in){ at.x, at.y, r->height_in }))
            return (struct px_range){ 0, width, 0, height };
    }
    return px_box_range(&box, BESIDE_PX, width, height);
}

int hough_find(struct peak out[HOUGH_PEAKS_MAX], double grain[3], const struct frame *f, const struct board_pose *pose,
               const struct background *empty, const struct disc_tuning *t, struct fail *why)
{
    const struct board *b = &pose->board;
    double scale = camera_middle_px_per_in(&pose->camera);
    double limit_in = b->surface_radius_in > 0 ? b->surface_radius_in : b->circle_in[0];
    if (!(scale > 0))
        return 0;
    // In the copy a cell of the view is about a pixel, so that nothing is stepped over.
    double px_per_in = fmin(scale, t->vote_most_px_per_in);
    struct raster raster = raster_square(limit_in + b->piece_radius_in, px_per_in, b->piece_height_in);
    const size_t cells = raster_cells(&raster);
    struct camera camera = pose->camera;
    struct pt3_in eye = camera_position(&camera);
    struct vote v = { .radius_cells = b->piece_radius_in * px_per_in, .t = t };
    double spread = spread_cells(&v) + 2; // beside a peak a cell is looked at, and cells are whole
    double reach_cells = v.radius_cells + hypot(spread, spread);
    v.from_cells = fmax((b->hole_radius_in - b->piece_radius_in) * px_per_in - reach_cells, 0);
    v.to_cells = limit_in * px_per_in + reach_cells;
    struct frame *small;
    struct peak *peak = NULL;
    const double reduction = scale / px_per_in;
    camera.lens = lens_reduced(&camera.lens, reduction);
    struct px_range part =
        range_of_view(&raster, &camera, (int)lround(f->width / reduction), (int)lround(f->height / reduction));
    int n = 0, rc = frame_reduced_part(&small, f, reduction, &part, why);
    if (rc < 0)
        return rc;
    rc = rectify(&v.view, &raster, small, &camera, SAMPLE_CODES, why);
    frame_free(small);
    if (rc < 0)
        return rc;
    colour_planes(v.view.plane, cells);
    for (int i = 0; i < (int)cells && empty; i++) {
        struct pt_in at = raster_place(&raster, i % raster.width, i / raster.width);
        if (!isnan(v.view.plane[0][i]) && !background_may_hold(empty, camera_sight(&eye, at, b->piece_height_in, 0)))
            v.view.plane[0][i] = v.view.plane[1][i] = v.view.plane[2][i] = NAN;
    }
    v.most = calloc(3 * cells, sizeof *v.most);
    v.rims = v.most ? v.most + cells : NULL;
    if (!v.most)
        rc = rs_fail(why, RS_ENOMEM, "no memory for the votes");
    for (int c = 0; c < 3 && rc == 0; c++)
        rc = vote_channel(&v, v.view.plane[c], &grain[c], why);
    double full = 2 * PI * v.radius_cells * 2; // an edge is two cells thick
    if (rc == 0)
        rc = peaks_find(&peak, v.most, &raster, t->vote_least_share * full, why);
    for (int i = 0; i < rc; i++) { // none stands beyond the edge, or wholly over the hole
        double r = hypot(peak[i].at.x, peak[i].at.y);
        if (r < limit_in && r > b->hole_radius_in - b->piece_radius_in)
            peak[n++] = peak[i];
    }
    n = peaks_suppress(peak, n, t->vote_apart_radii * b->piece_radius_in, HOUGH_PEAKS_MAX);
    for (int i = 0; i < n; i++)
        out[i] = (struct peak){ peak[i].at, peak[i].score / full };
    free(peak);
    free(v.most);
    rectified_free(&v.view);
    return rc < 0 ? rc : n;
}
