// SPDX-License-Identifier: MIT
#include "tests/accuracy/altered.h"

#include <math.h>

#include "samples/scene/noise.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/source/jpeg.h"

static const double SMALLER_SHARE = 0.7; // from 1080 lines to some 720
static const double DARKER_GAMMA = 0.6;  // a room with half its lamps, or a camera of more contrast
static const double WARMER_BLUE = 0.75;  // of what there was: a lamp's light taken for the day's
static const int LOW_QUALITY = 35;       // of JPEG: what sites for films come to

static const double SHARPENED_SIGMA_PX = 2,
                    SHARPENED_BY = 1.5;               // what films and telephones do to edges: a halo on both sides
static const double HAZY_SHARE = 0.5, HAZY_LUMA = 90; // of its contrast, beside that: light in the lens, a glass table
static const double NOISE_SIGMA = 10;                 // 8-bit steps: a small camera in the evening

static int smaller_side(int side)
{
    return (int)lround(side * SMALLER_SHARE);
}

static void mirror(struct frame *f)
{
    for (int y = 0; y < f->height; y++) {
        uint8_t *row = f->bgr + 3 * (size_t)y * (size_t)f->width;
        for (int x = 0, other = f->width - 1; x < other; x++, other--)
            for (int c = 0; c < 3; c++) {
                uint8_t kept = row[3 * x + c];
                row[3 * x + c] = row[3 * other + c];
                row[3 * other + c] = kept;
            }
    }
}

// Each value v of 0..255 becomes 255 * (v / 255)^(1 / gamma), and of blue that share of it.
static void tint(struct frame *f, double gamma, double blue_share)
{
    uint8_t to[2][256];
    for (int v = 0; v < 256; v++) {
        double light = 255 * pow(v / 255.0, 1 / gamma);
        to[0][v] = (uint8_t)lround(blue_share * light);
        to[1][v] = (uint8_t)lround(light);
    }
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        f->bgr[i] = to[i % 3 != 0][f->bgr[i]];
}

static uint8_t code_of(double light)
{
    return (uint8_t)lround(fmin(fmax(light, 0), 255));
}

// Sharper by a multiple of what a blurred copy lacks (unsharp mask).
static int sharpen(struct frame *f, struct fail *why)
{
    struct frame *soft = NULL;
    int rc = frame_copy(&soft, f, why);
    if (rc == 0)
        rc = cv_gaussian_blur_u8(soft->bgr, f->bgr, f->width, f->height, 3, SHARPENED_SIGMA_PX, why);
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height && rc == 0; i++)
        f->bgr[i] = code_of(f->bgr[i] + SHARPENED_BY * (f->bgr[i] - soft->bgr[i]));
    frame_free(soft);
    return rc;
}

static void haze(struct frame *f)
{
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        f->bgr[i] = code_of(HAZY_SHARE * f->bgr[i] + HAZY_LUMA);
}

// The same noise in every copy of a size.
static void add_noise(struct frame *f)
{
    struct chance chance = { 1 };
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        f->bgr[i] = code_of(f->bgr[i] + NOISE_SIGMA * chance_normal(&chance));
}

static int compress(struct frame **out, const struct frame *f, struct fail *why)
{
    struct jpeg *j = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    int rc = jpeg_create(&j, why);
    if (rc == 0)
        rc = jpeg_encode(j, &bytes, &size, f, LOW_QUALITY, why);
    if (rc == 0)
        rc = jpeg_decode(j, out, bytes, size, why);
    jpeg_bytes_free(bytes);
    jpeg_free(j);
    return rc;
}

static int shrink(struct frame **out, const struct frame *f, struct fail *why)
{
    int w = smaller_side(f->width), h = smaller_side(f->height), rc = frame_create(out, w, h, why);
    if (rc < 0)
        return rc;
    rc = cv_resize_area_u8((*out)->bgr, w, h, f->bgr, f->width, f->height, 3, why);
    if (rc < 0) {
        frame_free(*out);
        *out = NULL;
    }
    return rc;
}

int altered_copy(struct frame **out, const struct frame *f, enum alteration how, struct fail *why)
{
    if (how == COMPRESSED)
        return compress(out, f, why);
    if (how == SMALLER)
        return shrink(out, f, why);
    int rc = frame_copy(out, f, why);
    if (rc == 0 && how == MIRRORED)
        mirror(*out);
    else if (rc == 0 && how == DARKER)
        tint(*out, DARKER_GAMMA, 1);
    else if (rc == 0 && how == WARMER)
        tint(*out, 1, WARMER_BLUE);
    else if (rc == 0 && how == HAZY)
        haze(*out);
    else if (rc == 0 && how == NOISY)
        add_noise(*out);
    else if (rc == 0 && how == SHARPENED)
        rc = sharpen(*out, why);
    return rc;
}

struct pt_px altered_place(struct pt_px at, const struct frame *f, enum alteration how)
{
    if (how == MIRRORED)
        return (struct pt_px){ f->width - 1 - at.u, at.v };
    if (how == SMALLER)
        return (struct pt_px){ (at.u + 0.5) * smaller_side(f->width) / f->width - 0.5,
                               (at.v + 0.5) * smaller_side(f->height) / f->height - 0.5 };
    return at;
}
