// SPDX-License-Identifier: MIT
#include "vision/board/oriented.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/opencv_c/opencv_c.h"

enum {
    ALONG_PX = 5,
    LINE_BOX_U = 21,
    LINE_BOX_V = 13,
    STEP_BOX_U = 31,
    STEP_BOX_V = 21,
    USUAL_BOX_U = 31,
    USUAL_BOX_V = 15
};
static const float COARSE_MOST = 2.3F; // 95 summands of so much stay within 16 bits

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

static int filter_tap(float *out, const struct oriented *o, double du, double dv, struct fail *why)
{
    float kernel[25] = { 0 };
    add_tap(kernel, 5, du, dv, 1);
    return cv_filter_f32(out, o->grey, o->width, o->height, kernel, 5, 5, why);
}

// What lies along the line or step: the mean over ALONG_PX.
static int filter_along(float *out, const float *in, const struct oriented *o, double nu, double nv, struct fail *why)
{
    float kernel[49] = { 0 };
    for (int k = -(ALONG_PX / 2); k <= ALONG_PX / 2; k++)
        add_tap(kernel, 7, -nv * k, nu * k, 1.0 / ALONG_PX);
    return cv_filter_f32(out, in, o->width, o->height, kernel, 7, 7, why);
}

static float clamp(float x, float least, float most)
{
    return x < least ? least : x > most ? most : x;
}

static int find_lines(struct oriented *o, const struct oblique_tuning *t, float *spare, struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    float *other = spare + n;
    int rc = 0;
    for (int k = 0; k < ORIENTED_LINES && rc == 0; k++) {
        double nu = cos(k * PI / ORIENTED_LINES), nv = sin(k * PI / ORIENTED_LINES);
        rc = filter_tap(spare, o, t->line_side_px * nu, t->line_side_px * nv, why);
        if (rc == 0)
            rc = filter_tap(other, o, -t->line_side_px * nu, -t->line_side_px * nv, why);
        for (size_t i = 0; i < n; i++)
            spare[i] =
                clamp(fminf(spare[i], other[i]) - o->grey[i], (float)t->line_code_least, (float)t->line_code_most);
        if (rc == 0)
            rc = filter_along(o->response[k], spare, o, nu, nv, why);
        for (size_t i = 0; i < n; i++)
            o->response[k][i] = fmaxf(o->response[k][i], 0);
    }
    return rc;
}

static int find_steps(struct oriented *o, const struct oblique_tuning *t, float *spare, struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    int rc = 0;
    for (int k = 0; k < ORIENTED_STEPS / 2 && rc == 0; k++) {
        double nu = cos(k * 2 * PI / ORIENTED_STEPS), nv = sin(k * 2 * PI / ORIENTED_STEPS);
        float kernel[9] = { 0 }, *up = o->response[ORIENTED_LINES + k],
              *down = o->response[ORIENTED_LINES + k + ORIENTED_STEPS / 2];
        add_tap(kernel, 3, t->step_side_px * nu, t->step_side_px * nv, 1);
        add_tap(kernel, 3, -t->step_side_px * nu, -t->step_side_px * nv, -1);
        rc = cv_filter_f32(spare, o->grey, o->width, o->height, kernel, 3, 3, why);
        for (size_t i = 0; i < n; i++)
            spare[i] = clamp(spare[i], -(float)t->step_code_most, (float)t->step_code_most);
        if (rc == 0)
            rc = filter_along(up, spare, o, nu, nv, why);
        for (size_t i = 0; i < n; i++) {
            down[i] = fmaxf(-up[i], 0);
            up[i] = fmaxf(up[i], 0);
        }
    }
    return rc;
}

// Divides by the neighbourhood's strongest direction (root of the mean square), so that a faint line on calm wood counts as
// much as a strong one among people.
static int normalise(struct oriented *o, int from, int to, int box_u, int box_v, float floor_code, float *spare,
                     struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    memset(spare, 0, n * sizeof *spare);
    for (int k = from; k < to; k++)
        for (size_t i = 0; i < n; i++)
            spare[i] = fmaxf(spare[i], o->response[k][i]);
    for (size_t i = 0; i < n; i++)
        spare[i] *= spare[i];
    int rc = cv_box_mean_f32(spare, spare, o->width, o->height, box_u, box_v, why);
    for (size_t i = 0; i < n; i++)
        spare[i] = 1 / (sqrtf(fmaxf(spare[i], 0)) + floor_code);
    for (int k = from; k < to; k++)
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
            spare[y * w + x] = fmaxf(fmaxf(p[0], p[1]), fmaxf(below[0], below[1]));
        }
    int rc = cv_box_mean_f32(usual, spare, w, h, LINE_BOX_U, LINE_BOX_V, why);
    if (rc == 0)
        rc = cv_gaussian_blur_f32(spare, spare, w, h, t->coarse_sigma_px, why);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float above = clamp(spare[y * w + x] - usual[y * w + x], -COARSE_MOST, COARSE_MOST);
            o->coarse[map][y * o->stride + x] = (int16_t)lrintf(ORIENTED_UNIT * above);
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

static int take_grey(struct oriented *o, struct frame *f, struct fail *why)
{
    size_t n = (size_t)o->width * (size_t)o->height;
    const uint8_t *luma = frame_luma(f);
    uint8_t *small = malloc(n);
    if (!small || !luma) {
        free(small);
        return rs_fail(why, RS_ENOMEM, "no memory for a smaller copy of the picture");
    }
    int rc = cv_resize_area_u8(small, o->width, o->height, luma, f->width, f->height, 1, why);
    for (size_t i = 0; i < n && rc == 0; i++)
        o->grey[i] = small[i];
    free(small);
    return rc;
}

int oriented_create(struct oriented *out, struct frame *f, int width, int border, const struct oblique_tuning *t,
                    struct fail *why)
{
    int height = (int)lround((double)f->height * width / f->width);
    *out =
        (struct oriented){ .width = width, .height = height > 2 ? height : 2, .reduction = (double)f->width / width };
    out->coarse_width = width / 2;
    out->coarse_height = out->height / 2;
    out->border = border;
    out->stride = out->coarse_width + 2 * border;
    size_t n = (size_t)width * (size_t)out->height;
    size_t coarse = (size_t)out->stride * (size_t)(out->coarse_height + 2 * border);
    size_t coarse_floats = (coarse * sizeof(int16_t) + sizeof(float) - 1) / sizeof(float);
    float *at = calloc((1 + ORIENTED_MAPS + 2) * n + ORIENTED_MAPS * coarse_floats, sizeof *at);
    if (!at)
        return rs_fail(why, RS_ENOMEM, "no memory to look for a board at a slant");
    float *spare = out->memory = at;
    out->grey = at + 2 * n;
    for (int k = 0; k < ORIENTED_MAPS; k++) {
        out->response[k] = at + (3 + (size_t)k) * n;
        out->coarse[k] = (int16_t *)(void *)(at + (3 + ORIENTED_MAPS) * n + (size_t)k * coarse_floats) +
                         (ptrdiff_t)border * out->stride + border;
    }
    int rc = take_grey(out, f, why);
    if (rc == 0)
        rc = find_lines(out, t, spare, why);
    if (rc == 0)
        rc = find_steps(out, t, spare, why);
    if (rc == 0)
        rc = normalise(out, 0, ORIENTED_LINES, LINE_BOX_U, LINE_BOX_V, (float)t->line_floor, spare, why);
    if (rc == 0)
        rc = normalise(out, ORIENTED_LINES, ORIENTED_MAPS, STEP_BOX_U, STEP_BOX_V, (float)t->step_floor, spare, why);
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

static int sector(double nu, double nv, int sectors, double turn_rad)
{
    int k = (int)lround(atan2(nv, nu) * sectors / turn_rad) % sectors;
    return k < 0 ? k + sectors : k;
}

int oriented_line_map(double nu, double nv)
{
    return sector(nu, nv, ORIENTED_LINES, PI);
}

int oriented_step_map(double nu, double nv)
{
    return ORIENTED_LINES + sector(nu, nv, ORIENTED_STEPS, 2 * PI);
}

static double bilinear(const float *m, int width, double u, double v)
{
    int x = (int)u, y = (int)v;
    double fu = u - x, fv = v - y;
    const float *p = m + (size_t)y * (size_t)width + x, *below = p + width;
    return (p[0] * (1 - fu) + p[1] * fu) * (1 - fv) + (below[0] * (1 - fu) + below[1] * fu) * fv;
}

double oriented_at(const struct oriented *o, int map, double u, double v)
{
    bool inside = u >= 0 && v >= 0 && u < o->width - 1 && v < o->height - 1;
    return inside ? bilinear(o->response[map], o->width, u, v) : 0;
}

double oriented_grey(const struct oriented *o, double u, double v)
{
    // A hair within the last pixel, so that there is one to its right and below.
    u = fmin(fmax(u, 0), o->width - 1.001);
    v = fmin(fmax(v, 0), o->height - 1.001);
    return bilinear(o->grey, o->width, u, v);
}
