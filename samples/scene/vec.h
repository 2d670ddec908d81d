// SPDX-License-Identifier: MIT
// vec.h: three numbers at a time: places in inches, directions, linear light (x red, y green, z blue).
#ifndef RINGSIDE_SAMPLES_SCENE_VEC_H
#define RINGSIDE_SAMPLES_SCENE_VEC_H

#include <math.h>

struct vec {
    double x, y, z;
};

static inline struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline struct vec vec_sub(struct vec a, struct vec b)
{
    return (struct vec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline struct vec vec_scale(struct vec a, double s)
{
    return (struct vec){ a.x * s, a.y * s, a.z * s };
}

static inline struct vec vec_times(struct vec a, struct vec b)
{
    return (struct vec){ a.x * b.x, a.y * b.y, a.z * b.z };
}

static inline struct vec vec_mix(struct vec a, struct vec b, double s)
{
    return vec_add(vec_scale(a, 1 - s), vec_scale(b, s));
}

static inline double vec_dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec vec_cross(struct vec a, struct vec b)
{
    return (struct vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double vec_length(struct vec a)
{
    return sqrt(vec_dot(a, a));
}

static inline struct vec vec_unit(struct vec a)
{
    return vec_scale(a, 1 / vec_length(a));
}

static inline struct vec vec_along(struct vec from, struct vec direction, double s)
{
    return vec_add(from, vec_scale(direction, s));
}

// 0 below a, 1 above b, smooth between.
static inline double ramp(double a, double b, double x)
{
    double s = (x - a) / (b - a);
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return s * s * (3 - 2 * s);
}

#endif
