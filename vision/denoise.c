// SPDX-License-Identifier: MIT
#include "vision/denoise.h"

#include <math.h>

#include "calibration/algebra.h"
#include "calibration/units.h"
#include "vision/colour.h"
#include "vision/opencv_c/opencv_c.h"

// The difference of two Laplacians, of a pixel's eight neighbours and itself, in each channel. Of noise its variance is
// 36 times that of one pixel.
static void laplacian_difference(double out[3], const struct frame *f, int u, int v)
{
    static const int weight[3][3] = { { 1, -2, 1 }, { -2, 4, -2 }, { 1, -2, 1 } };
    double bgr[3] = { 0 };
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            for (int c = 0; c < 3; c++)
                bgr[c] += weight[y][x] *
                          f->bgr[3 * ((size_t)(v + y - 1) * (size_t)f->width + (size_t)(u + x - 1)) + (size_t)c];
    colour_from_bgr(out, bgr);
}

void picture_noise(double noise[3], const struct frame *f)
{
    enum { LARGEST = 16 * 255, PLACES = 20000 }; // of the difference; and so many places give its median to a hundredth
    static const double sigmas = 6;
    static const int darkest = 4, brightest = 251; // nearer to an end noise is cut off
    long count[3][LARGEST + 1] = { { 0 } }, all = 0;
    const int step = 1 + (int)sqrt((double)f->width * f->height / PLACES);
    for (int v = 1; v < f->height - 1; v += step)
        for (int u = 1; u < f->width - 1; u += step) {
            int luma = frame_luma_at(f, u, v);
            double response[3];
            if (luma < darkest || luma > brightest)
                continue;
            laplacian_difference(response, f, u, v);
            for (int c = 0; c < 3; c++)
                count[c][(int)(fabs(response[c]) + 0.5)]++;
            all++;
        }
    for (int c = 0; c < 3; c++)
        noise[c] = MAD_TO_SIGMA * histogram_quantile(count[c], LARGEST + 1, all, 0.5) / sigmas;
}

// What is left of white noise of 1 under a Gaussian of so many pixels: along both axes the root of the sum of its
// weights' squares.
static double left_under(double sigma_px)
{
    enum { REACH = 3 * DENOISE_MOST_PX };
    double sum = 0, squares = 0;
    for (int k = -REACH; k <= REACH; k++) {
        double weight = exp(-0.5 * k * k / (sigma_px * sigma_px));
        sum += weight;
        squares += weight * weight;
    }
    return squares / (sum * sum);
}

double denoise_blur_px(double noise, double left, double most_px)
{
    enum { HALVINGS = 20 };
    double less_px = 0.1, more_px = fmin(most_px, DENOISE_MOST_PX); // less takes nothing
    if (!(noise > left) || more_px <= less_px)
        return 0;
    if (noise * left_under(more_px) >= left)
        return more_px;
    for (int i = 0; i < HALVINGS; i++) {
        double middle_px = (less_px + more_px) / 2;
        if (noise * left_under(middle_px) > left)
            less_px = middle_px;
        else
            more_px = middle_px;
    }
    return more_px;
}

int frame_denoised(struct frame **out, const struct frame *f, double blur_px, struct fail *why)
{
    struct frame *copy = NULL;
    int rc = frame_create(&copy, f->width, f->height, why);
    if (rc < 0)
        return rc;
    rc = cv_gaussian_blur_u8(copy->bgr, f->bgr, f->width, f->height, 3, blur_px, why);
    if (rc < 0) {
        frame_free(copy);
        return rc;
    }
    copy->t_s = f->t_s;
    copy->number = f->number;
    copy->notes = f->notes;
    *out = copy;
    return 0;
}
