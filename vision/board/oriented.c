// SPDX-License-Identifier: MIT
#include "vision/board/oriented.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/large_memory.h"
#include "calibration/units.h"
#include "vision/bilinear.h"
#include "vision/min_max.h"
#include "vision/reduced.h"
#include "vision/opencv_c/opencv_c.h"

enum {
    ALONG_PX = 5, // a line or step is averaged over so much of its length
    // What is near a line, a step, and what is usual around: wider than high, as boards are seen.
    LINE_BOX_U = 21,
    LINE_BOX_V = 13,
    STEP_BOX_U = 31,
    STEP_BOX_V = 21,
    USUAL_BOX_U = 31,
    USUAL_BOX_V = 15
};

// Reads a place (du, dv) beside the middle of a kernel of `side` numbers each way; adds to it.
static void add_tap(float *kernel, int side, double du, double dv, double weight)
{
    int u = (int)floor(du), v = (int)floor(dv), middle = side / 2;
    double fu = du - u, fv = dv - v;
    const double share[2][2] = { { (1 - fu) * (1 - fv), fu * (1 - fv) }, { (1 - fu) * fv, fu * fv } };
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            if (share[j][i] > 0)
                kernel[(middle + v + j) * side + middle + u + i] += (float)(weight * share[j][i]);
}

static int filter_tap(float *out, const float *in, const struct oriented *o, double du, double dv, struct fail *why)
{
    float kernel[25] = { 0 };
    add_tap(kernel, 5, du, dv, 1);
    return cv_filter_f32(out, in, o->width, o->height, kernel, 5, 5, why);
}

// What lies along the line or step: the mean over ALONG_PX.
static int filter_along(float *out, const float *in, const struct oriented *o, double nu, double nv, struct fail *why)
{
    float kernel[49] = { 0 };
    for (int k = -(ALONG_PX / 2); k <= ALONG_PX / 2; k++)
        add_tap(kernel, 7, -nv * k, nu * k, 1.0 / ALONG_PX);
    return cv_filter_f32(out, in, o->width, o->height, kernel, 7, 7, why);
}

// `plane`: what lines and wood differ in.
static int find_lines(struct oriented *o, const float *plane, const struct oblique_tuning *t, float *spare,
                      struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    float *other = spare + n, least = (float)t->line_code_least, most = (float)t->line_code_most;
    const bool pale = o->kind == LINES_PALE || o->kind == LINES_RED;
    int rc = 0;
    for (int k = 0; k < ORIENTED_LINES && rc == 0; k++) {
        double nu = cos(k * PI / ORIENTED_LINES), nv = sin(k * PI / ORIENTED_LINES);
        rc = filter_tap(spare, plane, o, t->line_side_px * nu, t->line_side_px * nv, why);
        if (rc == 0)
            rc = filter_tap(other, plane, o, -t->line_side_px * nu, -t->line_side_px * nv, why);
        for (size_t i = 0; i < n; i++) {
            float side = pale ? max_f32(spare[i], other[i]) : min_f32(spare[i], other[i]);
            spare[i] = clamp_f32(pale ? plane[i] - side : side - plane[i], least, most);
        }
        if (rc == 0)
            rc = filter_along(o->response[k], spare, o, nu, nv, why);
        for (size_t i = 0; i < n; i++)
            o->response[k][i] = max_f32(o->response[k][i], 0);
    }
    return rc;
}

static int find_steps(struct oriented *o, const struct oblique_tuning *t, float *spare, struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    float most = (float)t->step_code_most;
    int rc = 0;
    for (int k = 0; k < ORIENTED_STEPS / 2 && rc == 0; k++) {
        double nu = cos(k * 2 * PI / ORIENTED_STEPS), nv = sin(k * 2 * PI / ORIENTED_STEPS);
        float kernel[9] = { 0 }, *up = o->response[ORIENTED_LINES + k],
              *down = o->response[ORIENTED_LINES + k + ORIENTED_STEPS / 2];
        add_tap(kernel, 3, t->step_side_px * nu, t->step_side_px * nv, 1);
        add_tap(kernel, 3, -t->step_side_px * nu, -t->step_side_px * nv, -1);
        rc = cv_filter_f32(spare, o->grey, o->width, o->height, kernel, 3, 3, why);
        for (size_t i = 0; i < n; i++)
            spare[i] = clamp_f32(spare[i], -most, most);
        if (rc == 0)
            rc = filter_along(up, spare, o, nu, nv, why);
        for (size_t i = 0; i < n; i++) {
            down[i] = max_f32(-up[i], 0);
            up[i] = max_f32(up[i], 0);
        }
    }
    return rc;
}

// The maps of lines or of steps, and what they are normalised by.
struct map_kind {
    int from, to;     // indices of response
    int box_u, box_v; // size of the neighbourhood, pixels
    float floor_code; // so that even wood stays even
};

// Divides responses by what is usual nearby, the root mean square of each pixel's strongest direction: so a faint line
// on calm wood counts as much as a strong one among people.
static int normalise(struct oriented *o, const struct map_kind *kind, float *spare, struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    memset(spare, 0, n * sizeof *spare);
    for (int k = kind->from; k < kind->to; k++)
        for (size_t i = 0; i < n; i++)
            spare[i] = max_f32(spare[i], o->response[k][i]);
    for (size_t i = 0; i < n; i++)
        spare[i] *= spare[i];
    int rc = cv_box_mean_f32(spare, spare, o->width, o->height, kind->box_u, kind->box_v, why);
    for (size_t i = 0; i < n; i++)
        spare[i] = 1 / (sqrtf(max_f32(spare[i], 0)) + kind->floor_code);
    for (int k = kind->from; k < kind->to; k++)
        for (size_t i = 0; i < n; i++)
            o->response[k][i] *= spare[i];
    return rc;
}

static int take_coarse(struct oriented *o, int map, const struct oblique_tuning *t, float *spare, struct fail *why)
{
    int w = o->coarse_width, h = o->coarse_height;
    float *usual = spare + (size_t)w * (size_t)h;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const float *p = o->response[map] + (size_t)(2 * y) * (size_t)o->width + 2 * x, *below = p + o->width;
            spare[y * w + x] = max_f32(max_f32(p[0], p[1]), max_f32(below[0], below[1]));
        }
    int rc = cv_box_mean_f32(usual, spare, w, h, LINE_BOX_U, LINE_BOX_V, why);
    if (rc == 0)
        rc = cv_gaussian_blur_f32(spare, spare, w, h, t->coarse_sigma_px, why);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float above = ORIENTED_UNIT * (spare[y * w + x] - usual[y * w + x]);
            o->coarse[map][y * o->stride + x] = (int16_t)clamp_f32(above, -ORIENTED_MOST, ORIENTED_MOST);
        }
    return rc;
}

// What is usual around is taken off.
static int flatten(struct oriented *o, int map, const struct oblique_tuning *t, float *spare, struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    float *m = o->response[map];
    int rc = cv_box_mean_f32(spare, m, o->width, o->height, USUAL_BOX_U, USUAL_BOX_V, why);
    if (rc == 0)
        rc = cv_gaussian_blur_f32(m, m, o->width, o->height, t->smooth_sigma_px, why);
    for (size_t i = 0; i < n; i++)
        m[i] -= spare[i];
    return rc;
}

// The picture as a pinhole would see it: what the lens bent is read where it was bent to. Beyond the picture its border
// is repeated.
static void straighten(float *out, const float *grey, const struct oriented *o, const struct lens *bent)
{
    struct lens lens = lens_reduced(bent, o->reduction);
    for (int v = 0; v < o->height; v++)
        for (int u = 0; u < o->width; u++) {
            struct pt_px at = lens_distort(&lens, (u - lens.centre.u) / lens.f_px, (v - lens.centre.v) / lens.f_px);
            *out++ = bilinear_f32(grey, 1, o->width, clamp_f32((float)at.u, 0, (float)(o->width - 1.001)),
                                  clamp_f32((float)at.v, 0, (float)(o->height - 1.001)));
        }
}

// What lines of a kind and wood differ in, as codes: luma, by how much red is more than green, or blue.
static int take_plane(float *out, enum line_kind kind, struct frame *f, const struct oriented *o,
                      const struct lens *bent, float *spare, struct fail *why)
{
    const int channels = kind == LINES_RED || kind == LINES_BLUE ? 3 : 1;
    int rc = channels == 1 ? frame_luma(f, why) : 0;
    if (rc < 0)
        return rc;
    size_t n = (size_t)o->width * (size_t)o->height, step = (size_t)channels;
    uint8_t *small = malloc(step * n);
    if (!small)
        return rs_fail(why, RS_ENOMEM, "no memory for a smaller copy of the picture");
    const uint8_t *pixels = channels == 1 ? f->luma : f->bgr;
    rc = cv_resize_area_u8(small, o->width, o->height, pixels, f->width, f->height, channels, why);
    float *plane = bent ? spare : out;
    for (size_t i = 0; i < n && rc == 0; i++)
        plane[i] = (float)(kind == LINES_RED ? small[step * i + 2] - small[step * i + 1] : small[step * i]);
    if (bent && rc == 0)
        straighten(out, plane, o, bent);
    free(small);
    return rc;
}

int oriented_create(struct oriented *out, struct frame *f, const struct lens *bent, int width,
                    const struct oblique_tuning *t, struct fail *why)
{
    const int border = ORIENTED_BORDER;
    int height = (int)lround((double)f->height * width / f->width);
    *out = (struct oriented){ .width = width,
                              .height = height > 2 ? height : 2,
                              .kind = (enum line_kind)t->line_kind,
                              .reduction = (double)f->width / width };
    out->coarse_width = width / 2;
    out->coarse_height = out->height / 2;
    out->stride = out->coarse_width + 2 * border;
    size_t n = (size_t)width * (size_t)out->height;
    size_t coarse = (size_t)out->stride * (size_t)(out->coarse_height + 2 * border);
    size_t coarse_floats = (coarse * sizeof(int16_t) + sizeof(float) - 1) / sizeof(float);
    float *at = large_memory_calloc((2 + 1 + ORIENTED_MAPS + 1) * n + ORIENTED_MAPS * coarse_floats, sizeof *at);
    if (!at)
        return rs_fail(why, RS_ENOMEM, "no memory to look for a board at a slant");
    float *spare = out->memory = at;
    out->grey = at + 2 * n;
    for (int k = 0; k < ORIENTED_MAPS; k++) {
        out->response[k] = at + (3 + (size_t)k) * n;
        out->coarse[k] = (int16_t *)(void *)(at + (3 + ORIENTED_MAPS) * n + (size_t)k * coarse_floats) +
                         (ptrdiff_t)border * out->stride + border;
    }
    const bool coloured = out->kind == LINES_RED || out->kind == LINES_BLUE;
    float *plane = coloured ? at + (3 + ORIENTED_MAPS) * n + ORIENTED_MAPS * coarse_floats : out->grey;
    int rc = take_plane(out->grey, LINES_DARK, f, out, bent, spare, why);
    if (rc == 0 && coloured)
        rc = take_plane(plane, out->kind, f, out, bent, spare, why);
    if (rc == 0)
        rc = find_lines(out, plane, t, spare, why);
    if (rc == 0)
        rc = find_steps(out, t, spare, why);
    if (rc == 0)
        rc = normalise(out, &(struct map_kind){ 0, ORIENTED_LINES, LINE_BOX_U, LINE_BOX_V, (float)t->line_floor },
                       spare, why);
    if (rc == 0)
        rc = normalise(
            out, &(struct map_kind){ ORIENTED_LINES, ORIENTED_MAPS, STEP_BOX_U, STEP_BOX_V, (float)t->step_floor },
            spare, why);
    for (int k = 0; k < ORIENTED_MAPS && rc == 0; k++) {
        rc = take_coarse(out, k, t, spare, why);
        if (rc == 0)
            rc = flatten(out, k, t, spare, why);
    }
    if (rc < 0)
        oriented_finish(out);
    return rc;
}

void oriented_finish(struct oriented *o)
{
    free(o->memory);
    *o = (struct oriented){ 0 };
}

// Of 16 in a whole turn, the sector around the direction, by its slope.
static int sector(double nu, double nv)
{
    static const double bound[] = { 0.198912, 0.668179, 1.496606, 5.027339 }; // tan of 1, 3, 5 and 7 sixteenths of pi
    double across = fabs(nu), up = fabs(nv);
    int k = 0;
    for (size_t i = 0; i < countof(bound); i++)
        k += up > bound[i] * across;
    k = nu < 0 ? ORIENTED_STEPS / 2 - k : k;
    return nv < 0 && k > 0 ? ORIENTED_STEPS - k : k;
}

int oriented_line_map(double nu, double nv)
{
    return sector(nu, nv) % ORIENTED_LINES;
}

int oriented_step_map(double nu, double nv)
{
    return ORIENTED_LINES + sector(nu, nv);
}

double oriented_at(const struct oriented *o, int map, double u, double v)
{
    float x = (float)u, y = (float)v; // before they are compared, for a float may be the next pixel's
    bool inside = x >= 0 && y >= 0 && x < (float)(o->width - 1) && y < (float)(o->height - 1);
    return inside ? bilinear_f32(o->response[map], 1, o->width, x, y) : 0;
}

double oriented_coarse_at(const struct oriented *o, int map, double u, double v)
{
    double x = (u - 0.5) / 2, y = (v - 0.5) / 2; // a coarse pixel's middle lies between its four
    if (!(x >= 0 && y >= 0 && x < o->coarse_width && y < o->coarse_height))
        return 0;
    return bilinear_i16(o->coarse[map], o->stride, x, y);
}

double oriented_grey(const void *oriented, double u, double v)
{
    const struct oriented *o = oriented;
    // A hair within the last pixel, so that there is one to its right and below.
    u = fmin(fmax(u, 0), o->width - 1.001);
    v = fmin(fmax(v, 0), o->height - 1.001);
    return bilinear_f32(o->grey, 1, o->width, (float)u, (float)v);
}
