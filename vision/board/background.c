// SPDX-License-Identifier: MIT
#include "vision/board/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/least_squares.h"
#include "vision/bilinear.h"
#include "vision/rectify.h"
#include "vision/reduced.h"

enum { CELLS_MAX = 1024, LIGHT_SAMPLES_MAX = 4000, LIGHT_ROUNDS = 4 }; // CELLS_MAX: a side

struct cell {
    float empty[3], is[3]; // BGR
    float scatter;         // mean size of its differences, codes
    float credit_s;        // how long it looked so, less how long otherwise; 0: not known
    bool covered;          // something may hide it in the last look
};

// How a block differs from what it looks like empty: as a mean square in sigmas, and what is left of that when it may
// lie in a shadow. NAN where nobody knows.
struct difference {
    double by, unshaded;
};

// How much lighter the board is than when it was learnt: a gain for each channel, which may slope across the board, for
// lamps and clouds make it do so.
struct illumination {
    double gain[3][3]; // of each channel: in the middle, its slopes along x and y
};

struct background {
    const struct board_tuning *t;
    struct board board;
    struct raster raster;
    int blocks, block_cells; // blocks a side; cells of a block
    struct cell *cell;
    struct map_px *seen; // where each cell is in the last frame, reduced by `reduction`
    double reduction;
    struct difference *differs; // of each block
    uint8_t *may_hold;          // of each block
    double noise[3];
    struct illumination light; // of the last look
    double looked_s;           // when it was last looked at
    double learnt_s;           // the last frame learnt; -INFINITY: none
};

static struct pt_in place_of(const struct background *s, size_t cell)
{
    size_t side = (size_t)s->raster.width;
    return raster_place(&s->raster, (double)(cell % side), (double)(cell / side));
}

// Nothing is known any more.
static void background_forget(struct background *s)
{
    size_t blocks = (size_t)s->blocks * (size_t)s->blocks;
    for (size_t i = 0; i < raster_cells(&s->raster); i++)
        s->cell[i].credit_s = 0;
    memset(s->may_hold, 1, blocks);
    for (size_t i = 0; i < blocks; i++)
        s->differs[i] = (struct difference){ NAN, NAN };
    s->learnt_s = -INFINITY;
}

int background_create(struct background **out, const struct board_pose *pose, const struct tuning *tuning,
                      struct fail *why)
{
    const struct board *b = &pose->board;
    const struct board_tuning *t = &tuning->board;
    struct background *s = *out = calloc(1, sizeof *s);
    if (!s)
        return rs_fail(why, RS_ENOMEM, "no memory for the empty board");
    double half_in = (b->surface_radius_in > 0 ? b->surface_radius_in : b->circle_in[0]) + b->piece_radius_in;
    double scale = camera_middle_px_per_in(&pose->camera);
    s->t = t;
    s->board = *b;
    s->raster = raster_square(half_in, fmin(fmin(scale, t->cells_per_in_most), CELLS_MAX / (2 * half_in)), 0);
    s->block_cells = (int)fmax(1, round(t->block_of_radius * b->piece_radius_in * s->raster.per_in));
    s->blocks = (s->raster.width + s->block_cells - 1) / s->block_cells;
    size_t n = raster_cells(&s->raster), blocks = (size_t)s->blocks * (size_t)s->blocks;
    s->cell = calloc(n, sizeof *s->cell);
    s->seen = calloc(n, sizeof *s->seen);
    s->may_hold = calloc(blocks, 1);
    s->differs = calloc(blocks, sizeof *s->differs);
    if (!s->cell || !s->seen || !s->may_hold || !s->differs) {
        int side = s->raster.width;
        background_free(s);
        *out = NULL;
        return rs_fail(why, RS_ENOMEM, "no memory for an empty board of %d x %d cells", side, side);
    }
    background_forget(s);
    return 0;
}

void background_free(struct background *s)
{
    if (!s)
        return;
    free(s->cell);
    free(s->seen);
    free(s->may_hold);
    free(s->differs);
    free(s);
}

bool background_fits(const struct background *s, const struct board_pose *pose)
{
    double scale = camera_middle_px_per_in(&pose->camera);
    bool same = s->board.circles == pose->board.circles;
    for (int i = 0; i < s->board.circles && same; i++)
        same = fabs(s->board.circle_in[i] - pose->board.circle_in[i]) * s->raster.per_in < s->t->edge_slack_cells;
    return same && fmin(scale, s->t->cells_per_in_most) < s->t->coarser_most * s->raster.per_in;
}

void background_seen_anew(struct background *s)
{
    const struct board *b = &s->board;
    for (size_t i = 0; i < raster_cells(&s->raster); i++) {
        struct pt_in at = place_of(s, i);
        double r = hypot(at.x, at.y), beside_in = s->t->unplane_in;
        bool by_hole = b->hole_radius_in > 0 && r < b->hole_radius_in + beside_in;
        bool by_peg = b->pegs > 0 && fabs(r - b->circle_in[b->circles - 1]) < b->peg_radius_in + beside_in;
        bool by_edge = b->surface_radius_in > 0 && r > b->surface_radius_in - beside_in;
        if (by_hole || by_peg || by_edge)
            s->cell[i].credit_s = 0;
    }
}

static bool comparable(const struct cell *c)
{
    return c->credit_s > 0 && !isnan(c->is[0]);
}

// A cell that is known and seen: its place, -1 .. 1, and its colour when it was learnt and now.
struct light_sample {
    double x, y;
    const float *was, *is;
};

static double gain_at(const struct illumination *l, const struct background *s, int c, double x, double y)
{
    const double *g = l->gain[c];
    return fmax(g[0] + g[1] * x + g[2] * y, s->t->light_gain_least);
}

// Fits the gain of channel c, robust against what lies on less than half of the places. Without enough samples the
// light has not changed. Returns 1 sigma of what is left, in codes of the light in which the board was learnt.
static double fit_light(struct illumination *l, const struct background *s, const struct light_sample *sample, int n,
                        int c)
{
    const struct board_tuning *t = s->t;
    double size[LIGHT_SAMPLES_MAX], N[9], g[3], step[3], sigma = t->light_noise_start;
    int used = 0;
    for (int i = 0; i < n; i++) {
        double was = (double)sample[i].was[c], is = (double)sample[i].is[c];
        if (was > t->light_dark && was < t->clipped_code && is < t->clipped_code)
            size[used++] = is / was;
    }
    l->gain[c][0] = used >= t->light_samples_least ? median_of(size, used) : 1;
    l->gain[c][1] = l->gain[c][2] = 0;
    for (int round = 0; round <= LIGHT_ROUNDS; round++) {
        double off[LIGHT_SAMPLES_MAX];
        struct normal_equations sums = normal_begin(N, g, 3);
        for (int i = 0; i < n; i++) {
            off[i] = (double)sample[i].is[c] - gain_at(l, s, c, sample[i].x, sample[i].y) * (double)sample[i].was[c];
            size[i] = fabs(off[i]);
        }
        sigma = n > 0 ? robust_sigma(size, n, t->noise_least) : sigma;
        used = 0;
        for (int i = 0; i < n && round < LIGHT_ROUNDS; i++) {
            double was = (double)sample[i].was[c], is = (double)sample[i].is[c];
            double weight = tukey_weight(off[i], TUKEY_SIGMAS * sigma);
            if (!(was > t->light_dark && was < t->clipped_code && is < t->clipped_code && weight > 0))
                continue;
            used++;
            normal_add(&sums, (const double[3]){ was, was * sample[i].x, was * sample[i].y }, off[i], weight);
        }
        if (used < t->light_samples_least || !normal_solve(step, &sums))
            continue;
        for (int k = 0; k < 3; k++)
            l->gain[c][k] += step[k];
    }
    return sigma / gain_at(l, s, c, 0, 0);
}

// The light of this look is taken out of it.
static void even_light(struct background *s)
{
    struct light_sample sample[LIGHT_SAMPLES_MAX];
    double scatter[LIGHT_SAMPLES_MAX];
    int samples = 0, known = 0;
    size_t seen = 0, taken = 0, n = raster_cells(&s->raster);
    for (size_t i = 0; i < n; i++)
        seen += comparable(&s->cell[i]);
    for (size_t i = 0, every = seen / LIGHT_SAMPLES_MAX + 1; i < n; i++) {
        if (!comparable(&s->cell[i]) || taken++ % every)
            continue;
        struct pt_in at = place_of(s, i);
        sample[samples++] = (struct light_sample){ at.x / s->raster.half_in, at.y / s->raster.half_in, s->cell[i].empty,
                                                   s->cell[i].is };
    }
    for (size_t i = 0; i < n; i += n / LIGHT_SAMPLES_MAX + 1)
        if (s->cell[i].credit_s > 0)
            scatter[known++] = (double)s->cell[i].scatter;
    // Another board would look like noise, so no look may have much more of it than those before. sqrt(pi / 2): 1 sigma
    // of a normal distribution over the mean of its sizes.
    double most = known > 0 ? s->t->noise_rise_most * sqrt(PI / 2) * median_of(scatter, known) : INFINITY;
    for (int c = 0; c < 3; c++)
        s->noise[c] = fmin(fit_light(&s->light, s, sample, samples, c), fmax(most, s->t->noise_least));
    for (size_t i = 0; i < n; i++) {
        struct pt_in at = place_of(s, i);
        for (int c = 0; c < 3; c++)
            s->cell[i].is[c] /= (float)gain_at(&s->light, s, c, at.x / s->raster.half_in, at.y / s->raster.half_in);
    }
}

// Mean square over the channels of how far a cell differs, in sigmas. Beyond noise, an edge in the picture that has
// moved by a fraction of a cell makes a difference too, which is taken off.
static double off_of(const struct background *s, const struct cell *cell)
{
    const struct cell *beside[4] = { cell - 1, cell + 1, cell - s->raster.width, cell + s->raster.width };
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double here = (double)cell->empty[c], edge = 0, off = fabs((double)cell->is[c] - here);
        double sigma = fmax(s->noise[c], (double)cell->scatter);
        for (int k = 0; k < 4 && off > sigma; k++)
            if (beside[k]->credit_s > 0)
                edge = fmax(edge, fabs((double)beside[k]->empty[c] - here));
        if (off > sigma)
            off = fmax(off - s->t->edge_slack_cells * edge, 0);
        off /= sigma;
        sum += off * off / 3;
    }
    return sum;
}

static struct difference block_differs(const struct background *s, int bx, int by)
{
    double off = 0, is2 = 0, both = 0, empty2 = 0;
    int known = 0, all = 0, from_x = bx * s->block_cells, from_y = by * s->block_cells;
    for (int y = from_y; y < from_y + s->block_cells && y < s->raster.width; y++)
        for (int x = from_x; x < from_x + s->block_cells && x < s->raster.width; x++) {
            const struct cell *cell = &s->cell[(size_t)y * (size_t)s->raster.width + (size_t)x];
            all++;
            if (x == 0 || y == 0 || x == s->raster.width - 1 || y == s->raster.width - 1 || !comparable(cell))
                continue;
            known++;
            off += off_of(s, cell);
            for (int c = 0; c < 3; c++) {
                double sigma = fmax(s->noise[c], (double)cell->scatter);
                double is = (double)cell->is[c] / sigma, empty = (double)cell->empty[c] / sigma;
                is2 += is * is / 3;
                both += is * empty / 3;
                empty2 += empty * empty / 3;
            }
        }
    if (known == 0 || known < s->t->known_least * all)
        return (struct difference){ NAN, NAN };
    double left = fmax(s->t->shadow_darkest, fmin(1, both / empty2));
    double unshaded = is2 - 2 * left * both + left * left * empty2;
    return (struct difference){ off / known, fmin(off, unshaded) / known };
}

// Not where nobody knows.
static bool is_bare(const struct background *s, int block)
{
    return s->differs[block].by <= s->t->block_differs;
}

// Compares all blocks, and notes where an outline may be: a piece's reaches so far from any place on it, its height and
// the blocks' own size included.
static void compare(struct background *s)
{
    const int side = s->blocks, reach = (int)ceil(s->board.piece_radius_in * s->raster.per_in / s->block_cells) + 1;
    int known = 0, differing = 0;
    for (int i = 0; i < side * side; i++) {
        s->differs[i] = block_differs(s, i % side, i / side);
        known += !isnan(s->differs[i].by);
        differing += !isnan(s->differs[i].by) && !is_bare(s, i);
    }
    if (differing > s->t->differing_most * known) {
        background_forget(s);
        return;
    }
    memset(s->may_hold, 0, (size_t)side * (size_t)side);
    for (int i = 0; i < side * side; i++) {
        if (is_bare(s, i))
            continue;
        int x = i % side, y = i / side, company = 0; // noise is scattered over single blocks, pieces are not
        struct pt_in middle = raster_place(&s->raster, (x + 0.5) * s->block_cells, (y + 0.5) * s->block_cells);
        for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < side; j++)
            for (int k = x > 0 ? x - 1 : 0; k <= x + 1 && k < side; k++)
                company += !is_bare(s, j * side + k);
        if (company < s->t->company_least || hypot(middle.x, middle.y) > s->raster.half_in)
            continue;
        int left = x - reach < 0 ? 0 : x - reach, right = x + reach < side ? x + reach : side - 1;
        for (int j = y - reach < 0 ? 0 : y - reach; j <= y + reach && j < side; j++)
            memset(s->may_hold + (size_t)j * (size_t)side + (size_t)left, 1, (size_t)(right - left + 1));
    }
}

int background_look(struct background *s, const struct frame *f, const struct board_pose *pose, struct fail *why)
{
    double scale = camera_middle_px_per_in(&pose->camera);
    struct camera camera = pose->camera;
    struct frame *small;
    s->reduction = fmax(1, scale / s->raster.per_in);
    int rc = frame_reduced(&small, f, s->reduction, why);
    if (rc < 0)
        return rc;
    camera.lens = lens_reduced(&camera.lens, s->reduction);
    rc = rectify_map(s->seen, &s->raster, &camera, why);
    if (rc == 0) {
        size_t n = raster_cells(&s->raster);
        for (size_t i = 0; i < n; i++) {
            struct pt_in at = place_of(s, i);
            if (at.x * at.x + at.y * at.y >= s->raster.half_in * s->raster.half_in)
                s->seen[i] = (struct map_px){ NAN, NAN };
            s->cell[i].covered = false;
        }
        float *is = s->cell->is;
        rectify_sample((float *[3]){ is, is + 1, is + 2 }, sizeof *s->cell / sizeof *is, small, s->seen, n,
                       SAMPLE_CODES);
        s->looked_s = f->t_s;
        even_light(s);
        compare(s);
    }
    frame_free(small);
    return rc;
}

static int cell_of(const struct background *s, double at_in)
{
    return (int)fmax(0, fmin(s->raster.width - 1, floor((at_in + s->raster.half_in) * s->raster.per_in)));
}

void background_cover(struct background *s, struct pt_in from, struct pt_in to, double reach_in)
{
    int left = cell_of(s, fmin(from.x, to.x) - reach_in), right = cell_of(s, fmax(from.x, to.x) + reach_in);
    int low = cell_of(s, fmin(from.y, to.y) - reach_in), high = cell_of(s, fmax(from.y, to.y) + reach_in);
    for (int y = low; y <= high; y++)
        for (int x = left; x <= right; x++)
            if (distance_to_way_in(raster_place(&s->raster, x, y), from, to) < reach_in)
                s->cell[(size_t)y * (size_t)s->raster.width + (size_t)x].covered = true;
}

void background_cover_mask(struct background *s, const uint8_t *mask, int width, int height, double step)
{
    double steps = s->reduction / step; // of the mask, for a pixel of the reduced frame
    for (size_t i = 0; i < raster_cells(&s->raster); i++) {
        double u = floor(((double)s->seen[i].u + 0.5) * steps), v = floor(((double)s->seen[i].v + 0.5) * steps);
        if (u >= 0 && v >= 0 && u < width && v < height && mask[(size_t)v * (size_t)width + (size_t)u])
            s->cell[i].covered = true;
    }
}

void background_learn(struct background *s)
{
    float worth_s = (float)fmin(s->looked_s - s->learnt_s, s->t->look_worth_s);
    s->learnt_s = s->looked_s;
    for (size_t i = 0; i < raster_cells(&s->raster) && worth_s > 0; i++) {
        struct cell *cell = &s->cell[i];
        double most = 0, mean = 0;
        if (cell->covered || isnan(cell->is[0]))
            continue;
        for (int c = 0; c < 3; c++) {
            double off = fabs((double)cell->is[c] - (double)cell->empty[c]);
            most = fmax(most, off / fmax(s->noise[c], (double)cell->scatter));
            mean += off / 3;
        }
        if (cell->credit_s > 0 && most <= s->t->agree_sigmas) {
            cell->credit_s = fminf(cell->credit_s + worth_s, (float)s->t->memory_s);
            float share = worth_s / cell->credit_s;
            for (int c = 0; c < 3; c++)
                cell->empty[c] += share * (cell->is[c] - cell->empty[c]);
            cell->scatter += share * ((float)mean - cell->scatter);
            continue;
        }
        cell->credit_s -= worth_s;
        if (cell->credit_s > 0)
            continue;
        memcpy(cell->empty, cell->is, sizeof cell->empty);
        cell->scatter = (float)s->t->scatter_start;
        cell->credit_s = worth_s;
    }
}

static size_t block_at(const struct background *s, struct pt_in low)
{
    size_t x = (size_t)(cell_of(s, low.x) / s->block_cells), y = (size_t)(cell_of(s, low.y) / s->block_cells);
    return y * (size_t)s->blocks + x;
}

enum background_shows background_behind_piece(const struct background *s, const struct pt3_in *eye, struct pt_in at,
                                              double base_in)
{
    enum { RAYS = 36, RINGS = 3 };
    struct difference sum = { 0, 0 };
    int known = 0;
    for (int i = 0; i < RAYS && s; i++) {
        const struct board *b = &s->board;
        double inner_in = b->piece_hole_radius_in, outer_in = s->t->face_part * b->piece_radius_in;
        double r = inner_in + (outer_in - inner_in) * (i % RINGS + 1) / RINGS;
        struct pt_in p = { at.x + r * cos(2 * PI * i / RAYS), at.y + r * sin(2 * PI * i / RAYS) };
        struct difference d = s->differs[block_at(s, camera_sight(eye, p, base_in + b->piece_height_in, 0))];
        if (isnan(d.by))
            continue;
        sum.by += d.by;
        sum.unshaded += d.unshaded;
        known++;
    }
    if (2 * known < RAYS)
        return BACKGROUND_UNKNOWN;
    if (sum.by <= s->t->face_differs * known)
        return BACKGROUND_BARE;
    return sum.unshaded <= s->t->face_unshaded * known ? BACKGROUND_SHADED : BACKGROUND_DIFFERS;
}

bool background_may_hold(const struct background *s, struct pt_in low)
{
    return s->may_hold[block_at(s, low)];
}

bool background_empty_at(double bgr[3], const struct background *s, struct pt_in low)
{
    const int side = s->raster.width;
    double x = (low.x + s->raster.half_in) * s->raster.per_in - 0.5;
    double y = (low.y + s->raster.half_in) * s->raster.per_in - 0.5;
    if (!(x >= 0 && y >= 0 && x < side - 1 && y < side - 1))
        return false;
    const struct cell *cell = &s->cell[(size_t)y * (size_t)side + (size_t)x], *below = cell + side;
    if (!(cell[0].credit_s > 0 && cell[1].credit_s > 0 && below[0].credit_s > 0 && below[1].credit_s > 0))
        return false;
    for (int c = 0; c < 3; c++)
        bgr[c] = gain_at(&s->light, s, c, low.x / s->raster.half_in, low.y / s->raster.half_in) *
                 (double)bilinear_f32(&cell->empty[c], sizeof *cell / sizeof cell->empty[c], side,
                                      (float)(x - floor(x)), (float)(y - floor(y)));
    return true;
}

int background_picture(uint8_t **out, const struct background *s)
{
    *out = calloc(raster_cells(&s->raster), 3);
    for (size_t i = 0; *out && i < raster_cells(&s->raster); i++) {
        size_t up = raster_cells(&s->raster) - (i / (size_t)s->raster.width + 1) * (size_t)s->raster.width +
                    i % (size_t)s->raster.width;
        for (int c = 0; c < 3 && s->cell[i].credit_s > 0; c++)
            (*out)[3 * up + (size_t)c] = (uint8_t)fmaxf(0, fminf(255, roundf(s->cell[i].empty[c])));
    }
    return *out ? s->raster.width : 0;
}
