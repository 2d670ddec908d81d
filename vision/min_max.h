// SPDX-License-Identifier: MIT
// min_max.h: the smaller and the larger of two numbers, for what runs for millions of places: fmin and fmax ask for NaN
// and are calls, these one instruction. Where the first is NaN the second is the answer: what is clamped is a number.
#ifndef RINGSIDE_VISION_MIN_MAX_H
#define RINGSIDE_VISION_MIN_MAX_H

static inline float min_f32(float a, float b)
{
    return a < b ? a : b;
}

static inline float max_f32(float a, float b)
{
    return a > b ? a : b;
}

static inline float clamp_f32(float x, float low, float high)
{
    return min_f32(max_f32(x, low), high);
}

static inline double min_f64(double a, double b)
{
    return a < b ? a : b;
}

static inline double max_f64(double a, double b)
{
    return a > b ? a : b;
}

static inline double clamp_f64(double x, double low, double high)
{
    return min_f64(max_f64(x, low), high);
}

#endif
