// SPDX-License-Identifier: MIT
#include "vision/picture_trouble.h"

#include "calibration/algebra.h"

enum { LUMAS = 256 };

// How often each luma, or each difference of two lumas, was met.
struct counts {
    long of[LUMAS], all;
};

// The value that `share` of them lie below.
static int below(const struct counts *c, double share)
{
    return histogram_quantile(c->of, LUMAS, c->all, share);
}

static void add(struct counts *c, int value)
{
    c->of[value < 0 ? -value : value]++;
    c->all++;
}

int picture_trouble_of(enum picture_trouble *out, struct frame *f, const struct track_tuning *t, struct fail *why)
{
    static const double dark_end = 0.05, bright_end = 0.95, steepest = 0.99, few = 0.999, middle = 0.5;
    struct counts luma = { .all = 0 }, near = { .all = 0 }, far = { .all = 0 };
    int rc = frame_decode(f, why);
    int step = (int)(f->width / t->trouble_places) + 1, reach = (int)(f->width / t->blur_reach_widths) + 1;
    if (rc < 0)
        return rc;
    for (int v = reach; v < f->height - reach; v += step)
        for (int u = reach; u < f->width - reach; u += step) {
            add(&luma, frame_luma_at(f, u, v));
            add(&near, frame_luma_at(f, u + 1, v) - frame_luma_at(f, u - 1, v));
            add(&far, frame_luma_at(f, u + reach, v) - frame_luma_at(f, u - reach, v));
        }
    int spread = below(&luma, bright_end) - below(&luma, dark_end), contrast = below(&far, steepest);
    double sharpest = 1 - (1 - steepest) / reach; // an edge is met by so many fewer of the short steps
    *out = PICTURE_FINE;
    if (luma.all == 0) // too small for any board
        return 0;
    if (below(&luma, bright_end) <= t->black_luma)
        *out = PICTURE_BLACK;
    else if (below(&luma, dark_end) >= t->burnt_luma || below(&luma, middle) >= t->burnt_luma)
        *out = PICTURE_BRIGHT;
    else if (spread <= t->even_steps && below(&far, few) <= t->even_steps)
        *out = PICTURE_COVERED;
    else if (below(&luma, middle) <= t->dark_luma && below(&luma, bright_end) <= t->dim_luma)
        *out = PICTURE_DARK;
    else if (contrast >= t->blur_contrast && below(&near, sharpest) <= t->blur_steepness * contrast)
        *out = PICTURE_BLURRED;
    return 0;
}

double picture_overexposed(const struct frame *f, double full_code)
{
    const uint8_t *end = f->bgr + 3 * (size_t)f->width * (size_t)f->height;
    double n = 0;
    for (const uint8_t *p = f->bgr; p < end; p += 3)
        n += p[0] < full_code && p[1] >= full_code && p[2] >= full_code;
    return n / ((double)f->width * f->height);
}

const char *picture_trouble_words(enum picture_trouble trouble)
{
    static const char *const words[PICTURE_TROUBLES] = {
        [PICTURE_FINE] = "",
        [PICTURE_BLACK] = "the picture is black: is a cap on the lens, or the lamp off?",
        [PICTURE_COVERED] = "the picture is one even colour: is something in front of the lens?",
        [PICTURE_DARK] = "too dark to see the lines: more light",
        [PICTURE_BRIGHT] = "too bright to see the lines: less light, or no lamp in the picture",
        [PICTURE_BLURRED] = "out of focus: turn the focus ring, or move the camera until the lines are sharp",
    };
    return words[trouble];
}
