// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdint.h>

#include "referee/announce/movie.h"
#include "tests/accuracy/clips.h"
#include "vision/source/source.h"

static const double STAMPS_OFF_S = 0.004; // at most, late: a USB camera's frames wait so long for their stamp
enum { LEAVE_ONE_OF = 3 };

const char *clip_rate_name(enum clip_rate rate)
{
    static const char *const name[CLIP_RATES] = { "", "half rate", "variable rate" };
    return name[rate];
}

// 0 .. 65535, the same for every run: a linear congruential generator's upper bits.
static unsigned chance(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static bool left_out(const struct frame *f, enum clip_rate rate, uint32_t *seed)
{
    return rate == CLIP_HALF ? f->number % 2 == 1 : chance(seed) % LEAVE_ONE_OF == 0;
}

static int add(struct movie *to, struct frame *f, enum clip_rate rate, uint32_t *seed, struct fail *why)
{
    if (rate == CLIP_VARIABLE)
        f->t_s += STAMPS_OFF_S * chance(seed) / 65536.0;
    return movie_add(to, f, why);
}

// How many frames were written; their times from *first_s to *last_s.
static int copy_frames(double *first_s, double *last_s, struct source *from, struct movie *to, enum clip_rate rate,
                       struct fail *why)
{
    struct frame *f;
    uint32_t seed = 1;
    int rc, n = 0;
    while ((rc = source_next(&f, from, why)) > 0) {
        bool out = n > 0 && left_out(f, rate, &seed);
        rc = out ? 0 : add(to, f, rate, &seed, why);
        if (!out) {
            *first_s = n == 0 ? f->t_s : *first_s;
            *last_s = f->t_s;
            n++;
        }
        frame_free(f);
        if (rc < 0)
            return rc;
    }
    return rc < 0 ? rc : n;
}

int clip_copy(double *frame_s, const char *from, const char *to, enum clip_rate rate, struct fail *why)
{
    struct source *in;
    struct movie *out;
    double first_s = 0, last_s = 0;
    int rc = footage_open(&in, from, why);
    if (rc < 0)
        return rc;
    const struct source_info *info = source_info(in);
    rc = movie_create(&out, to, info->width, info->height, info->frames_per_s / 2, why);
    if (rc == 0) {
        int n = copy_frames(&first_s, &last_s, in, out, rate, why);
        rc = n < 0 ? n : movie_finish(out, why);
        if (n < 0)
            movie_drop(out);
        *frame_s = n > 1 ? (last_s - first_s) / (n - 1) : 0;
    }
    source_close(in);
    return rc;
}
