// SPDX-License-Identifier: MIT
// bilinear.h: numbers of a picture read between its pixels; of a frame's own colours rectify.h does.
#ifndef RINGSIDE_VISION_BILINEAR_H
#define RINGSIDE_VISION_BILINEAR_H

#include <stddef.h>
#include <stdint.h>

// `stride`: numbers from pixel to pixel, 1 in a plane; `first` is that of the top left pixel. (u, v) must lie in
// 0 <= u < width - 1, 0 <= v < height - 1: there is a pixel to its right and below.
static inline float bilinear_f32(const float *first, size_t stride, int width, float u, float v)
{
    int x = (int)u, y = (int)v;
    float fu = u - (float)x, fv = v - (float)y;
    const float *p = first + stride * ((size_t)y * (size_t)width + (size_t)x), *below = p + stride * (size_t)width;
    return (1 - fv) * ((1 - fu) * p[0] + fu * p[stride]) + fv * ((1 - fu) * below[0] + fu * below[stride]);
}

// The same of a plane whose rows are `row` numbers apart.
static inline double bilinear_i16(const int16_t *first, ptrdiff_t row, double u, double v)
{
    int x = (int)u, y = (int)v;
    double fu = u - x, fv = v - y;
    const int16_t *p = first + y * row + x, *below = p + row;
    return (1 - fv) * ((1 - fu) * p[0] + fu * p[1]) + fv * ((1 - fu) * below[0] + fu * below[1]);
}

#endif
