// SPDX-License-Identifier: MIT
#include "vision/pieces/residual_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/large_memory.h"
#include "calibration/least_squares.h"
#include "vision/colour.h"
#include "vision/pieces/line_appearance.h"
#include "vision/rectify.h"
#include "vision/reduced.h"

enum { OCTAGON = 8, MOST_REACH = 32, MOST_CELLS = 512 }; // a marble is 8 cells wide
enum { AROUND = 24 };                                    // directions
// Blocks of a JPEG are rare and large: not Gaussian; marbles are rarer.
static const double TAIL = 0.985, TAIL_SIGMAS = 2.43;

// The cells of a row that count, from .. to - 1.
struct span {
    int from, to;
};

struct carpet {
    const struct marble_tuning *t;
    struct raster raster; // of the plane of the marbles' centres
    int side;
    const struct roi *where;    // NULL: everywhere
    struct span *laid, *looked; // of each row: what is laid out, and the spots that are looked at
    float *plane[3];            // colours (colour.h) of the picture there; NAN where there are none
    float *unlike;              // result
    float *spot, *energy;       // scratch
    float *zone;                // 1 near the line, 0 elsewhere: what is left of the line differs more than carpet does
};

// The cells of row y from the first to the last that lie so far beyond what is looked at, or within it.
static struct span span_of(const struct carpet *v, int y, double beyond_in)
{
    double from = -INFINITY, to = INFINITY;
    if (v->where && !roi_span(&from, &to, v->where, raster_place(&v->raster, 0, y).y, beyond_in))
        return (struct span){ 0, 0 };
    return (struct span){ (int)fmax(fmin(floor((from + v->raster.half_in) * v->raster.per_in), v->side), 0),
                          (int)fmin(fmax(ceil((to + v->raster.half_in) * v->raster.per_in), 0), v->side) };
}

static int lay_out(struct carpet *v, const struct frame *f, const struct camera *camera, struct fail *why)
{
    size_t cells = raster_cells(&v->raster);
    double half_in = v->raster.half_in;
    struct map_px *map = large_memory_alloc(cells, sizeof *map);
    int rc =
        map ? rectify_map(map, &v->raster, camera, why) : rs_fail(why, RS_ENOMEM, "no memory to lay out the carpet");
    for (size_t i = 0; i < 3 * cells; i++)
        v->plane[0][i] = NAN;
    for (int y = 0; y < v->side && rc == 0; y++) {
        const struct span laid = v->laid[y];
        struct map_px *seen = map + (long)y * v->side;
        float *row[3];
        for (int x = laid.from; x < laid.to; x++) {
            struct pt_in p = raster_place(&v->raster, x, y);
            if (!(p.x * p.x + p.y * p.y < half_in * half_in))
                seen[x] = (struct map_px){ NAN, NAN };
        }
        for (int c = 0; c < 3; c++)
            row[c] = v->plane[c] + (long)y * v->side + laid.from;
        rectify_sample(row, 1, f, seen + laid.from, (size_t)(laid.to - laid.from), SAMPLE_CODES);
        colour_planes(row, (size_t)(laid.to - laid.from));
    }
    free(map);
    return rc;
}

// Takes the line off the layout. The layout is of the plane of the marbles' centres, the line lies on the floor: each cell
// is traced back to the floor that is seen through it.
static void take_line_off(struct carpet *v, const struct line_appearance *l, const struct camera *c)
{
    struct pt3_in eye = camera_position(c);
    double height_in = v->raster.height_in;
    for (int y = 0; y < v->side; y++)
        for (int x = v->laid[y].from; x < v->laid[y].to; x++) {
            struct pt_in p = raster_place(&v->raster, x, y);
            struct pt_in floor_at = camera_sight(&eye, p, height_in, 0);
            double beyond_in = fabs(sqrt(floor_at.x * floor_at.x + floor_at.y * floor_at.y) - l->middle_in);
            double off[3];
            v->zone[(size_t)y * (size_t)v->side + (size_t)x] =
                beyond_in < line_appearance_reach_in() + v->t->peak_line_margin_in;
            if (beyond_in > line_appearance_reach_in())
                continue;
            line_appearance_at(off, l, floor_at);
            for (int i = 0; i < 3; i++)
                v->plane[i][(size_t)y * (size_t)v->side + (size_t)x] -= (float)off[i];
        }
}

// The cells of a disc around a cell.
struct mask {
    int n;
    int dx[MOST_CELLS], dy[MOST_CELLS];
};

// A disc of cells as rows, for sums over all of the layout; residual_map_find lays that out so coarsely that the largest has room.
struct disc {
    int reach, cells;
    int half[MOST_REACH + 1]; // of the row so far from the middle, cells to either side
};

static void disc_fill(struct disc *d, double radius)
{
    d->reach = (int)floor(radius);
    d->cells = 0;
    for (int y = 0; y <= d->reach; y++) {
        d->half[y] = (int)floor(sqrt(radius * radius - y * y));
        d->cells += (y ? 2 : 1) * (2 * d->half[y] + 1);
    }
}

// The sum over the disc around each cell of row y from `from` to `to`; `sums` holds each row's running sum, its own cell
// included.
static void disc_sums(double *out, const struct disc *d, const double *sums, int side, int y, int from, int to)
{
    for (int x = from; x < to; x++)
        out[x] = 0;
    for (int j = -d->reach; j <= d->reach; j++) {
        int half = d->half[abs(j)];
        const double *row = &sums[(long)(y + j) * side], *ends = row + half, *before = row - half - 1;
        for (int x = from; x < to; x++)
            out[x] += ends[x] - before[x];
    }
}

// The running sums of each row of a plane, or of its squares; what lies outside the picture (NAN) counts for nothing.
static void sum_rows(double *sums, const float *plane, int side, bool squared)
{
    for (int y = 0; y < side; y++) {
        double sum = 0;
        for (int x = 0; x < side; x++) {
            float here = plane[(long)y * side + x];
            if (!isnan(here))
                sum += squared ? here * here : here;
            sums[(long)y * side + x] = sum;
        }
    }
}

// The maps by which spots are compared, after those of the channels' means.
enum { UNEVENNESS = 3 };

static void add_squared(struct carpet *v, const float *map, struct residual_scale *usual, int which, double *scratch)
{
    double *centre = usual->centre[which], *scale = usual->scale[which];
    for (int zone = 0; zone < 2 && !v->where; zone++) { // what is usual of it in either
        int n = 0;
        for (size_t i = 0; i < raster_cells(&v->raster); i += zone ? 1 : 4)
            if (!isnan(map[i]) && v->zone[i] == (float)zone)
                scratch[n++] = map[i];
        centre[zone] = 0;
        scale[zone] = INFINITY;
        if (n == 0)
            continue;
        centre[zone] = robust_centre(&scale[zone], scratch, n, v->t->peak_least_scale);
        scale[zone] = fmax(scale[zone], select_kth(scratch, n, (int)(TAIL * n)) / TAIL_SIGMAS);
    }
    for (int y = 0; y < v->side; y++)
        for (int x = v->looked[y].from; x < v->looked[y].to; x++) {
            long i = (long)y * v->side + x;
            int zone = v->zone[i] > 0;
            double z = isnan(map[i]) ? 0 : (map[i] - centre[zone]) / scale[zone];
            v->unlike[i] += (float)(z * z);
        }
}

// The discs that a spot and the carpet around it are made of, the rows' sums that they are added up from, and the sums of
// one row's discs.
struct spot_sums {
    struct disc spot, inner, outer;
    double *plane, *squares;
    double *in_spot, *in_inner, *in_outer, *in_square;
};

// Of the spots of a row: how their means differ from the carpet around them, and the mean squares of what does.
static void compare_row(struct carpet *v, const struct spot_sums *s, int y, int margin, bool squares)
{
    struct span row = v->looked[y];
    int from = row.from > margin ? row.from : margin, to = row.to < v->side - margin ? row.to : v->side - margin;
    disc_sums(s->in_spot, &s->spot, s->plane, v->side, y, from, to);
    disc_sums(s->in_inner, &s->inner, s->plane, v->side, y, from, to);
    disc_sums(s->in_outer, &s->outer, s->plane, v->side, y, from, to);
    if (squares)
        disc_sums(s->in_square, &s->spot, s->squares, v->side, y, from, to);
    for (int x = from; x < to; x++) {
        long i = (long)y * v->side + x;
        if (isnan(v->spot[i]))
            continue;
        double ground = (s->in_outer[x] - s->in_inner[x]) / (s->outer.cells - s->inner.cells);
        double mean = s->in_spot[x] / s->spot.cells;
        v->spot[i] = (float)(mean - ground);
        if (squares)
            v->energy[i] =
                (float)log(1 + fmax(s->in_square[x] / s->spot.cells - 2 * ground * mean + ground * ground, 0));
    }
}

// How unlike the carpet each spot is, channel by channel: by its mean, and in luma by its unevenness.
static void compare_spots(struct carpet *v, struct spot_sums *s, struct residual_scale *usual)
{
    // The picture is convex, and so is what is within reach: a disc lies inside when an octagon around it does.
    double reach = s->outer.reach / cos(PI / OCTAGON);
    int margin = (int)ceil(reach) + 1;
    long corner[OCTAGON];
    for (int k = 0; k < OCTAGON; k++) {
        double angle = 2 * PI * k / OCTAGON;
        corner[k] = lround(reach * sin(angle)) * v->side + lround(reach * cos(angle));
    }
    for (int y = 0; y < v->side; y++)
        for (int x = v->looked[y].from; x < v->looked[y].to; x++) {
            long i = (long)y * v->side + x;
            bool whole = x >= margin && y >= margin && x < v->side - margin && y < v->side - margin &&
                         (!v->where || roi_holds(v->where, raster_place(&v->raster, x, y)));
            for (int k = 0; k < OCTAGON && whole; k++)
                whole = !isnan(v->plane[0][i + corner[k]]);
            v->spot[i] = v->energy[i] = whole ? 0 : NAN;
        }
    for (int c = 0; c < 3; c++) {
        sum_rows(s->plane, v->plane[c], v->side, false);
        if (c == 0)
            sum_rows(s->squares, v->plane[c], v->side, true);
        for (int y = margin; y < v->side - margin; y++)
            compare_row(v, s, y, margin, c == 0);
        add_squared(v, v->spot, usual, c, s->plane);
        if (c == 0)
            add_squared(v, v->energy, usual, UNEVENNESS, s->plane);
    }
}

static bool inside(const struct carpet *v, double x, double y)
{
    return x >= 1 && y >= 1 && x < v->side - 1 && y < v->side - 1;
}

static void colour_near(float out[3], const struct carpet *v, const struct mask *spot, int x, int y)
{
    for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (int k = 0; k < spot->n; k++)
            sum += v->plane[c][(long)(y + spot->dy[k]) * v->side + x + spot->dx[k]];
        out[c] = sum / (float)spot->n;
    }
}

// In how many directions the picture at this distance is more like the spot than like the ground.
static int like_around(const struct carpet *v, const struct mask *spot, int x, int y, double distance,
                       const float here[3], const float ground[3])
{
    int like = 0;
    for (int k = 0; k < AROUND; k++) {
        float there[3], along = 0, whole = 0;
        double angle = 2 * PI * k / AROUND;
        colour_near(there, v, spot, x + (int)lround(distance * cos(angle)), y + (int)lround(distance * sin(angle)));
        for (int c = 0; c < 3; c++) {
            along += (there[c] - ground[c]) * (here[c] - ground[c]);
            whole += (here[c] - ground[c]) * (here[c] - ground[c]);
        }
        like += along > whole / 2;
    }
    return like;
}

// True when what is seen at (x, y) goes on around it: a shoe, a hand, a stick, not a marble. `radius`: a marble's, cells.
static bool extended(const struct carpet *v, const struct mask *spot, int x, int y, double radius)
{
    float here[3], ground[3];
    double far[3][AROUND];
    int margin = (int)ceil(v->t->peak_far_ring * radius + radius) + 1;
    if (!inside(v, x - margin, y - margin) || !inside(v, x + margin, y + margin))
        return true;
    colour_near(here, v, spot, x, y);
    for (int k = 0; k < AROUND; k++) {
        float there[3];
        double angle = 2 * PI * k / AROUND;
        colour_near(there, v, spot, x + (int)lround(v->t->peak_far_ring * radius * cos(angle)),
                    y + (int)lround(v->t->peak_far_ring * radius * sin(angle)));
        for (int c = 0; c < 3; c++)
            far[c][k] = (double)there[c];
    }
    for (int c = 0; c < 3; c++)
        ground[c] = (float)median_of(far[c], AROUND);
    return like_around(v, spot, x, y, v->t->peak_near_ring * radius, here, ground) > v->t->peak_most_like ||
           like_around(v, spot, x, y, v->t->peak_wide_ring * radius, here, ground) > v->t->peak_most_like;
}

static int pick(struct peak out[RESIDUAL_PEAKS_MAX], const struct carpet *v, const struct mask *spot,
                const struct board *b, struct fail *why)
{
    double limit_in = b->circle_in[0] + v->t->peak_outside_in, least = v->t->peak_least_sigmas;
    const struct raster *r = &v->raster;
    struct peak *peak;
    int n = 0, found = peaks_find(&peak, v->unlike, r, least * least, why);
    for (int i = 0; i < found; i++) {
        struct peak p = { peak[i].at, sqrt(peak[i].score) };
        int x = (int)floor((p.at.x + r->half_in) * r->per_in), y = (int)floor((p.at.y + r->half_in) * r->per_in);
        if (hypot(p.at.x, p.at.y) < limit_in && !extended(v, spot, x, y, b->piece_radius_in * r->per_in))
            peak[n++] = p;
    }
    n = peaks_suppress(peak, n, v->t->peak_apart * b->piece_radius_in, RESIDUAL_PEAKS_MAX);
    for (int i = 0; i < n; i++)
        out[i] = peak[i];
    free(peak);
    return found < 0 ? found : n;
}

static int search(struct peak out[RESIDUAL_PEAKS_MAX], struct carpet *v, const struct frame *f,
                  const struct camera *camera, const struct board *b, struct residual_scale *usual, struct fail *why)
{
    size_t cells = (size_t)v->side * (size_t)v->side;
    struct mask spot = { .n = 0 };
    struct line_appearance *line = malloc(sizeof *line);
    struct spot_sums sums = { .plane = large_memory_alloc(2 * cells + 4 * (size_t)v->side, sizeof *sums.plane) };
    int rc = line && sums.plane ? 0 : rs_fail(why, RS_ENOMEM, "no memory to look for marbles");
    if (rc < 0)
        goto out;
    double r = b->piece_radius_in * v->raster.per_in, within = fmax(v->t->peak_spot * r, 1);
    sums.squares = sums.plane + cells;
    sums.in_spot = sums.squares + cells;
    sums.in_inner = sums.in_spot + v->side;
    sums.in_outer = sums.in_inner + v->side;
    sums.in_square = sums.in_outer + v->side;
    for (int y = -(int)ceil(within); y <= ceil(within); y++)
        for (int x = -(int)ceil(within); x <= ceil(within); x++)
            if (hypot(x, y) <= within && spot.n < MOST_CELLS) {
                spot.dx[spot.n] = x;
                spot.dy[spot.n++] = y;
            }
    disc_fill(&sums.spot, within);
    disc_fill(&sums.inner, v->t->peak_ring_from * r);
    disc_fill(&sums.outer, v->t->peak_ring_to * r);
    rc = lay_out(v, f, camera, why);
    if (rc == 0)
        rc = line_appearance_measure(line, f, camera, b, why);
    if (rc < 0)
        goto out;
    take_line_off(v, line, camera);
    compare_spots(v, &sums, usual);
    rc = pick(out, v, &spot, b, why);
out:
    free(sums.plane);
    free(line);
    return rc;
}

int residual_map_find(struct peak out[RESIDUAL_PEAKS_MAX], const struct frame *f, const struct board_pose *pose,
                      struct residual_scale *usual, const struct roi *where, const struct marble_tuning *t,
                      struct fail *why)
{
    const struct board *b = &pose->board;
    double scale = camera_middle_px_per_in(&pose->camera);
    if (scale < t->peak_least_px_per_in)
        return 0;
    double most_px_per_in = fmin(t->peak_most_px_per_in, MOST_REACH / (t->peak_ring_to * b->piece_radius_in));
    double px_per_in = fmin(scale, most_px_per_in), reduction = scale / px_per_in;
    struct camera camera = pose->camera;
    struct frame *small;
    int rc = frame_reduced(&small, f, reduction, why);
    if (rc < 0)
        return rc;
    camera.lens = lens_reduced(&camera.lens, reduction);
    double around_in = (t->peak_far_ring + 1) * b->piece_radius_in + 2 / px_per_in; // what a spot is compared with
    struct raster raster =
        raster_square(b->circle_in[0] + t->peak_outside_in + around_in, px_per_in, b->piece_radius_in);
    struct carpet v = { .t = t, .raster = raster, .side = raster.width, .where = where };
    size_t n = raster_cells(&raster);
    v.plane[0] = large_memory_calloc(n * (3 + 4), sizeof *v.plane[0]);
    v.laid = calloc(2 * (size_t)v.side, sizeof *v.laid);
    if (!v.plane[0] || !v.laid) {
        rc = rs_fail(why, RS_ENOMEM, "no memory to lay out the carpet");
    } else {
        v.plane[1] = v.plane[0] + n;
        v.plane[2] = v.plane[1] + n;
        v.unlike = v.plane[2] + n;
        v.spot = v.unlike + n;
        v.energy = v.spot + n;
        v.zone = v.energy + n;
        v.looked = v.laid + v.side;
        for (int y = 0; y < v.side; y++) {
            v.laid[y] = span_of(&v, y, around_in);
            v.looked[y] = span_of(&v, y, 0);
        }
        rc = search(out, &v, small, &camera, b, usual, why);
    }
    free(v.plane[0]);
    free(v.laid);
    frame_free(small);
    return rc;
}
