// SPDX-License-Identifier: MIT
#include "vision/board/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/illumination.h"
#include "vision/reduced.h"

static const double MOST_CELLS_PER_IN = 20;    // a disc 24 cells across shows all that is asked of it
static const double BLOCK_OF_RADIUS = 1.0 / 3; // blocks are so much of a piece's radius: noise averages out in one
static const double LOOK_WORTH_S = 1;          // a look counts for the time since the last one, at most so much
static const double MEMORY_S = 20;             // what looks otherwise for longer is what it looks like now
static const double AGREE_SIGMAS = 4;
static const double SCATTER_START = 4;      // codes, before anything is known of it
static const double MEAN_TO_SIGMA = 1.2533; // of a normal distribution's sizes
static const double NOISE_RISE = 1.5;       // from look to look: compression and bad light
static const double LEAST_NOISE = 1;        // codes are whole numbers, compressed
static const double DIFFERS = 2;          // mean square of a block's differences, in sigmas: five of its own for noise
static const double HALF_A_CELL = 0.5;    // poses and sampling move the picture of an edge by less
static const double MOST_DIFFERING = 0.5; // of the blocks: pieces and arms cover less
static const double UNPLANE_IN = 0.5;     // beside hole, pegs and edge: as far as their picture moves with the camera
static const double MOST_COARSER = 1.5;   // than the picture: beyond it fine lines are lost
static const double LEAST_KNOWN = 0.5;    // of a block's cells
enum { CELLS_MAX = 1024, ANCHOR = 8, COMPANY = 3 }; // a side; cells between projected ones; blocks side by side

struct background {
    struct board board;
    int side, anchors, blocks, block_cells; // cells, anchors, blocks a side; cells of a block
    double per_in, half_in;                 // cells an inch; half a side
    float *empty, *is;                      // BGR of each cell
    float *scatter;                         // mean size of its differences, codes
    float *credit_s;                        // how long it looked so, less how long otherwise; 0: not known
    uint8_t *covered;                       // beside the cells
    struct pt_px *anchor;                   // where each ANCHOR-th cell is in the frame
    uint8_t *shows, *may_hold;              // of each block
    double noise[3];
    double looked_s, learnt_s; // times of the last look, of the last frame learnt; -INFINITY: none
};

static struct pt_in place_of(const struct background *s, double x, double y)
{
    return (struct pt_in){ (x + 0.5) / s->per_in - s->half_in, (y + 0.5) / s->per_in - s->half_in };
}

static size_t cells(const struct background *s)
{
    return (size_t)s->side * (size_t)s->side;
}

static bool take_memory(struct background *s)
{
    size_t n = cells(s), anchors = (size_t)s->anchors * (size_t)s->anchors,
           blocks = (size_t)s->blocks * (size_t)s->blocks;
    bool all = (s->empty = calloc(n, 3 * sizeof *s->empty)) != NULL;
    all &= (s->is = calloc(n, 3 * sizeof *s->is)) != NULL;
    all &= (s->scatter = calloc(n, sizeof *s->scatter)) != NULL;
    all &= (s->credit_s = calloc(n, sizeof *s->credit_s)) != NULL;
    all &= (s->covered = calloc(n, 1)) != NULL;
    all &= (s->anchor = calloc(anchors, sizeof *s->anchor)) != NULL;
    all &= (s->shows = calloc(blocks, 1)) != NULL;
    return all && (s->may_hold = calloc(blocks, 1)) != NULL;
}

// Nothing is known any more.
static void background_forget(struct background *s)
{
    size_t blocks = (size_t)s->blocks * (size_t)s->blocks;
    memset(s->credit_s, 0, cells(s) * sizeof *s->credit_s);
    memset(s->shows, SURFACE_UNKNOWN, blocks);
    memset(s->may_hold, 1, blocks);
    s->learnt_s = -INFINITY;
}

int background_create(struct background **out, const struct board_pose *pose, struct fail *why)
{
    const struct board *b = &pose->board;
    struct background *s = *out = calloc(1, sizeof *s);
    if (!s)
        return rs_fail(why, RS_EIO, "no memory for the empty board");
    s->board = *b;
    s->half_in = (b->surface_radius_in > 0 ? b->surface_radius_in : b->circle_in[0]) + b->piece_radius_in;
    double scale = camera_scale_px_per_in(&pose->camera, (struct pt3_in){ 0, 0, 0 });
    s->per_in = fmin(fmin(scale, MOST_CELLS_PER_IN), CELLS_MAX / (2 * s->half_in));
    s->side = (int)ceil(2 * s->half_in * s->per_in);
    s->anchors = (s->side + ANCHOR - 1) / ANCHOR + 1;
    s->block_cells = (int)fmax(1, round(BLOCK_OF_RADIUS * b->piece_radius_in * s->per_in));
    s->blocks = (s->side + s->block_cells - 1) / s->block_cells;
    if (!take_memory(s)) {
        int side = s->side;
        background_free(s);
        *out = NULL;
        return rs_fail(why, RS_EIO, "no memory for an empty board of %d x %d cells", side, side);
    }
    background_forget(s);
    return 0;
}

void background_free(struct background *s)
{
    if (!s)
        return;
    free(s->empty);
    free(s->is);
    free(s->scatter);
    free(s->credit_s);
    free(s->covered);
    free(s->anchor);
    free(s->shows);
    free(s->may_hold);
    free(s);
}

bool background_fits(const struct background *s, const struct board_pose *pose)
{
    double scale = camera_scale_px_per_in(&pose->camera, (struct pt3_in){ 0, 0, 0 });
    bool same = s->board.circles == pose->board.circles;
    for (int i = 0; i < s->board.circles && same; i++)
        same = fabs(s->board.circle_in[i] - pose->board.circle_in[i]) * s->per_in < HALF_A_CELL;
    return same && fmin(scale, MOST_CELLS_PER_IN) < MOST_COARSER * s->per_in;
}

static bool in_plane(const struct board *b, double r)
{
    bool by_hole = b->hole_radius_in > 0 && r < b->hole_radius_in + UNPLANE_IN;
    bool by_peg = b->pegs > 0 && fabs(r - b->circle_in[b->circles - 1]) < b->peg_radius_in + UNPLANE_IN;
    bool by_edge = b->surface_radius_in > 0 && r > b->surface_radius_in - UNPLANE_IN;
    return !by_hole && !by_peg && !by_edge;
}

void background_seen_anew(struct background *s)
{
    for (int y = 0; y < s->side; y++)
        for (int x = 0; x < s->side; x++) {
            struct pt_in at = place_of(s, x, y);
            if (!in_plane(&s->board, hypot(at.x, at.y)))
                s->credit_s[(size_t)y * (size_t)s->side + (size_t)x] = 0;
        }
}

static void project_anchors(struct background *s, const struct camera *camera)
{
    for (int j = 0; j < s->anchors; j++)
        for (int i = 0; i < s->anchors; i++) {
            struct pt_in at = place_of(s, i * ANCHOR, j * ANCHOR);
            struct pt_px *p = &s->anchor[(size_t)j * (size_t)s->anchors + (size_t)i];
            *p = (struct pt_px){ NAN, NAN };
            camera_project(p, camera, (struct pt3_in){ at.x, at.y, 0 });
        }
}

// Where the cell is in the frame; NAN where it is not seen.
static struct pt_px pixel_of(const struct background *s, int x, int y)
{
    const struct pt_px *a = s->anchor + (size_t)(y / ANCHOR) * (size_t)s->anchors + (size_t)(x / ANCHOR);
    const struct pt_px *b = a + s->anchors;
    double fx = (double)(x % ANCHOR) / ANCHOR, fy = (double)(y % ANCHOR) / ANCHOR;
    double w[4] = { (1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy };
    return (struct pt_px){ w[0] * a[0].u + w[1] * a[1].u + w[2] * b[0].u + w[3] * b[1].u,
                           w[0] * a[0].v + w[1] * a[1].v + w[2] * b[0].v + w[3] * b[1].v };
}

// NAN outside the picture.
static void colour_of(float bgr[3], const struct frame *f, struct pt_px p)
{
    bgr[0] = bgr[1] = bgr[2] = NAN;
    if (!(p.u >= 0 && p.v >= 0 && p.u < f->width - 1 && p.v < f->height - 1))
        return;
    int x = (int)p.u, y = (int)p.v;
    float fx = (float)(p.u - x), fy = (float)(p.v - y);
    const uint8_t *top = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x), *low = top + 3 * (size_t)f->width;
    for (int c = 0; c < 3; c++)
        bgr[c] = (1 - fy) * ((1 - fx) * top[c] + fx * top[c + 3]) + fy * ((1 - fx) * low[c] + fx * low[c + 3]);
}

static void lay(struct background *s, const struct frame *f)
{
    for (int y = 0; y < s->side; y++)
        for (int x = 0; x < s->side; x++) {
            struct pt_in at = place_of(s, x, y);
            float *is = s->is + 3 * ((size_t)y * (size_t)s->side + (size_t)x);
            if (at.x * at.x + at.y * at.y < s->half_in * s->half_in)
                colour_of(is, f, pixel_of(s, x, y));
            else
                is[0] = is[1] = is[2] = NAN;
        }
}

static bool comparable(const struct background *s, size_t at)
{
    return s->credit_s[at] > 0 && !isnan(s->is[3 * at]);
}

// A part of the known cells, evenly spread.
static int illumination_samples(struct illumination_sample *out, const struct background *s)
{
    size_t known = 0, seen = 0;
    int n = 0;
    for (size_t i = 0; i < cells(s); i++)
        known += comparable(s, i);
    size_t every = known / LIGHT_SAMPLES_MAX + 1;
    for (size_t i = 0; i < cells(s); i++) {
        if (!comparable(s, i) || seen++ % every)
            continue;
        struct pt_in at = place_of(s, (double)(i % (size_t)s->side), (double)(i / (size_t)s->side));
        out[n++] =
            (struct illumination_sample){ at.x / s->half_in, at.y / s->half_in, s->empty + 3 * i, s->is + 3 * i };
    }
    return n;
}

// Another board would look like noise: no look has much more of it than those before.
static void bound_noise(struct background *s)
{
    double scatter[LIGHT_SAMPLES_MAX];
    size_t every = cells(s) / LIGHT_SAMPLES_MAX + 1;
    int n = 0;
    for (size_t i = 0; i < cells(s); i += every)
        if (s->credit_s[i] > 0)
            scatter[n++] = (double)s->scatter[i];
    double most = n > 0 ? NOISE_RISE * MEAN_TO_SIGMA * median_of(scatter, n) : INFINITY;
    for (int c = 0; c < 3; c++)
        s->noise[c] = fmin(s->noise[c], fmax(most, LEAST_NOISE));
}

// The light of this look is taken out of it.
static void even_light(struct background *s)
{
    struct illumination_sample sample[LIGHT_SAMPLES_MAX];
    struct illumination light;
    illumination_fit(&light, s->noise, sample, illumination_samples(sample, s));
    bound_noise(s);
    for (int y = 0; y < s->side; y++)
        for (int x = 0; x < s->side; x++) {
            struct pt_in at = place_of(s, x, y);
            float *is = s->is + 3 * ((size_t)y * (size_t)s->side + (size_t)x);
            for (int c = 0; c < 3; c++)
                is[c] /= (float)illumination_gain(&light, c, at.x / s->half_in, at.y / s->half_in);
        }
}

// How far it may differ because the picture of an edge lies half a cell elsewhere.
static double edge_slack(const struct background *s, size_t at, int c)
{
    const size_t side = (size_t)s->side;
    const size_t beside[4] = { at - 1, at + 1, at - side, at + side };
    double most = 0;
    for (int k = 0; k < 4; k++)
        if (s->credit_s[beside[k]] > 0)
            most = fmax(most, fabs((double)s->empty[3 * beside[k] + (size_t)c] - (double)s->empty[3 * at + (size_t)c]));
    return HALF_A_CELL * most;
}

// Mean square over the channels of how far a cell differs, in sigmas.
static double off_of(const struct background *s, size_t at)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double off = fabs((double)s->is[3 * at + (size_t)c] - (double)s->empty[3 * at + (size_t)c]);
        double sigma = fmax(s->noise[c], (double)s->scatter[at]);
        if (off > sigma) // only what is no noise needs an excuse
            off = fmax(off - edge_slack(s, at, c), 0);
        off /= sigma;
        sum += off * off / 3;
    }
    return sum;
}

static enum background_shows block_shows(const struct background *s, int bx, int by)
{
    double off = 0;
    int known = 0, all = 0, from_x = bx * s->block_cells, from_y = by * s->block_cells;
    for (int y = from_y; y < from_y + s->block_cells && y < s->side; y++)
        for (int x = from_x; x < from_x + s->block_cells && x < s->side; x++) {
            size_t at = (size_t)y * (size_t)s->side + (size_t)x;
            all++;
            if (x == 0 || y == 0 || x == s->side - 1 || y == s->side - 1 || !comparable(s, at))
                continue;
            known++;
            off += off_of(s, at);
        }
    if (known == 0 || known < LEAST_KNOWN * all)
        return SURFACE_UNKNOWN;
    return off > DIFFERS * known ? SURFACE_DIFFERS : SURFACE_BARE;
}

// Noise is scattered over single blocks, pieces are not.
static bool in_company(const struct background *s, int x, int y)
{
    int n = 0;
    struct pt_in middle = place_of(s, (x + 0.5) * s->block_cells, (y + 0.5) * s->block_cells);
    if (hypot(middle.x, middle.y) > s->half_in)
        return false;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < s->blocks; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < s->blocks; i++)
            n += s->shows[(size_t)j * (size_t)s->blocks + (size_t)i] != SURFACE_BARE;
    return n >= COMPANY;
}

// A piece's outline reaches so far from any place on it, its height and the blocks' own size included.
static void spread(struct background *s)
{
    int reach = (int)ceil(s->board.piece_radius_in * s->per_in / s->block_cells) + 1;
    memset(s->may_hold, 0, (size_t)s->blocks * (size_t)s->blocks);
    for (int y = 0; y < s->blocks; y++)
        for (int x = 0; x < s->blocks; x++) {
            if (s->shows[(size_t)y * (size_t)s->blocks + (size_t)x] == SURFACE_BARE || !in_company(s, x, y))
                continue;
            int left = x - reach < 0 ? 0 : x - reach, right = x + reach < s->blocks ? x + reach : s->blocks - 1;
            for (int j = y - reach < 0 ? 0 : y - reach; j <= y + reach && j < s->blocks; j++)
                memset(s->may_hold + (size_t)j * (size_t)s->blocks + (size_t)left, 1, (size_t)(right - left + 1));
        }
}

static void compare(struct background *s)
{
    int known = 0, differing = 0;
    for (int y = 0; y < s->blocks; y++)
        for (int x = 0; x < s->blocks; x++) {
            enum background_shows shows = block_shows(s, x, y);
            s->shows[(size_t)y * (size_t)s->blocks + (size_t)x] = (uint8_t)shows;
            known += shows != SURFACE_UNKNOWN;
            differing += shows == SURFACE_DIFFERS;
        }
    if (differing > MOST_DIFFERING * known)
        background_forget(s);
    else
        spread(s);
}

int background_look(struct background *s, const struct frame *f, const struct board_pose *pose, struct fail *why)
{
    double scale = camera_scale_px_per_in(&pose->camera, (struct pt3_in){ 0, 0, 0 });
    double reduction = fmax(1, scale / s->per_in);
    struct camera camera = pose->camera;
    struct frame *small;
    int rc = frame_reduced(&small, f, reduction, why);
    if (rc < 0)
        return rc;
    camera.lens = lens_reduced(&camera.lens, reduction);
    project_anchors(s, &camera);
    lay(s, small);
    frame_free(small);
    memset(s->covered, 0, cells(s));
    s->looked_s = f->t_s;
    even_light(s);
    compare(s);
    project_anchors(s, &pose->camera); // of the frame itself, for the masks laid over it
    return 0;
}

static bool near_line(struct pt_in p, struct pt_in from, struct pt_in to, double reach_in)
{
    double dx = to.x - from.x, dy = to.y - from.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / length2 : 0;
    t = fmax(0, fmin(1, t));
    return hypot(p.x - from.x - t * dx, p.y - from.y - t * dy) < reach_in;
}

static int cell_of(const struct background *s, double at_in)
{
    return (int)fmax(0, fmin(s->side - 1, floor((at_in + s->half_in) * s->per_in)));
}

void background_cover(struct background *s, struct pt_in from, struct pt_in to, double reach_in)
{
    int left = cell_of(s, fmin(from.x, to.x) - reach_in), right = cell_of(s, fmax(from.x, to.x) + reach_in);
    int low = cell_of(s, fmin(from.y, to.y) - reach_in), high = cell_of(s, fmax(from.y, to.y) + reach_in);
    for (int y = low; y <= high; y++)
        for (int x = left; x <= right; x++)
            if (near_line(place_of(s, x, y), from, to, reach_in))
                s->covered[(size_t)y * (size_t)s->side + (size_t)x] = 1;
}

void background_cover_mask(struct background *s, const uint8_t *mask, int width, int height, double step)
{
    for (int y = 0; y < s->side; y++)
        for (int x = 0; x < s->side; x++) {
            struct pt_px p = pixel_of(s, x, y);
            double u = floor((p.u + 0.5) / step), v = floor((p.v + 0.5) / step);
            bool inside = u >= 0 && v >= 0 && u < width && v < height;
            if (inside && mask[(size_t)v * (size_t)width + (size_t)u])
                s->covered[(size_t)y * (size_t)s->side + (size_t)x] = 1;
        }
}

static void begin_cell(struct background *s, size_t at, double worth_s)
{
    memcpy(s->empty + 3 * at, s->is + 3 * at, 3 * sizeof *s->empty);
    s->scatter[at] = (float)SCATTER_START;
    s->credit_s[at] = (float)worth_s;
}

static void learn_cell(struct background *s, size_t at, double worth_s)
{
    float *empty = s->empty + 3 * at;
    const float *is = s->is + 3 * at;
    double most = 0, mean = 0;
    for (int c = 0; c < 3; c++) {
        double off = fabs((double)is[c] - (double)empty[c]);
        most = fmax(most, off / fmax(s->noise[c], (double)s->scatter[at]));
        mean += off / 3;
    }
    if (most > AGREE_SIGMAS) {
        s->credit_s[at] -= (float)worth_s;
        if (!(s->credit_s[at] > 0))
            begin_cell(s, at, worth_s);
        return;
    }
    s->credit_s[at] = fminf(s->credit_s[at] + (float)worth_s, (float)MEMORY_S);
    float share = (float)worth_s / s->credit_s[at];
    for (int c = 0; c < 3; c++)
        empty[c] += share * (is[c] - empty[c]);
    s->scatter[at] += share * ((float)mean - s->scatter[at]);
}

void background_learn(struct background *s)
{
    double worth_s = fmin(s->looked_s - s->learnt_s, LOOK_WORTH_S);
    s->learnt_s = s->looked_s;
    for (size_t i = 0; i < cells(s) && worth_s > 0; i++) {
        if (s->covered[i] || isnan(s->is[3 * i]))
            continue;
        if (s->credit_s[i] > 0)
            learn_cell(s, i, worth_s);
        else
            begin_cell(s, i, worth_s);
    }
}

static size_t block_at(const struct background *s, struct pt_in low)
{
    size_t x = (size_t)(cell_of(s, low.x) / s->block_cells), y = (size_t)(cell_of(s, low.y) / s->block_cells);
    return y * (size_t)s->blocks + x;
}

enum background_shows background_shows(const struct background *s, struct pt_in low)
{
    return (enum background_shows)s->shows[block_at(s, low)];
}

bool background_may_hold(const struct background *s, struct pt_in low)
{
    return s->may_hold[block_at(s, low)];
}

int background_cells(struct background_cell *out, int most, int *all, const struct background *s, struct pt_in low,
                     double reach_in)
{
    int left = cell_of(s, low.x - reach_in), right = cell_of(s, low.x + reach_in), n = 0;
    int bottom = cell_of(s, low.y - reach_in), top = cell_of(s, low.y + reach_in);
    int stride = (int)ceil(sqrt((double)(right - left + 1) * (top - bottom + 1) / most));
    *all = 0;
    for (int y = bottom; y <= top; y += stride)
        for (int x = left; x <= right && n < most; x += stride) {
            size_t at = (size_t)y * (size_t)s->side + (size_t)x;
            struct pt_in p = place_of(s, x, y);
            if (hypot(p.x - low.x, p.y - low.y) > reach_in)
                continue;
            ++*all;
            if (comparable(s, at))
                out[n++] = (struct background_cell){ p, s->is + 3 * at, s->empty + 3 * at };
        }
    return n;
}

const double *background_noise(const struct background *s)
{
    return s->noise;
}

int background_picture(uint8_t **out, const struct background *s)
{
    *out = calloc(cells(s), 3);
    for (size_t i = 0; *out && i < cells(s); i++) {
        size_t up = cells(s) - (i / (size_t)s->side + 1) * (size_t)s->side + i % (size_t)s->side;
        for (int c = 0; c < 3 && s->credit_s[i] > 0; c++)
            (*out)[3 * up + (size_t)c] = (uint8_t)fmaxf(0, fminf(255, roundf(s->empty[3 * i + (size_t)c])));
    }
    return *out ? s->side : 0;
}
