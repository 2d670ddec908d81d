// SPDX-License-Identifier: MIT
#include "vision/denoise.h"

#include <math.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "calibration/units.h"
#include "vision/opencv_c/opencv_c.h"

// What the difference of the two Laplacians of a pixel's eight neighbours and itself comes to: 36 times the variance of one pixel.
static int laplacians_apart(const struct frame *f, int u, int v)
{
    static const int weight[3][3] = { { 1, -2, 1 }, { -2, 4, -2 }, { 1, -2, 1 } };
    int sum = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            sum += weight[y][x] * frame_luma_at(f, u + x - 1, v + y - 1);
    return abs(sum);
}

double picture_noise(const struct frame *f)
{
    enum { LARGEST = 8 * 255, PLACES = 20000 }; // of the difference; and so many places tell its median to a hundredth
    static const double sigma_apart = 6;
    static const int darkest = 4, brightest = 251; // nearer to an end noise is cut off
    long count[LARGEST + 1] = { 0 }, all = 0, passed = 0;
    const int step = 1 + (int)sqrt((double)f->width * f->height / PLACES);
    for (int v = 1; v < f->height - 1; v += step)
        for (int u = 1; u < f->width - 1; u += step) {
            int luma = frame_luma_at(f, u, v);
            if (luma < darkest || luma > brightest)
                continue;
            count[laplacians_apart(f, u, v)]++;
            all++;
        }
    int middle = 0;
    while (middle < LARGEST && 2 * (passed += count[middle]) < all)
        middle++;
    return MAD_TO_SIGMA * middle / sigma_apart;
}

// White noise of 1 becomes 1 / (2 sqrt(pi) sigma) under a Gaussian of sigma pixels, where that is much of a pixel.
double denoise_blur_px(double noise, double left)
{
    return noise > left ? noise / left / (2 * sqrt(PI)) : 0;
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
