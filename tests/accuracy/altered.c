// SPDX-License-Identifier: MIT
#include "tests/accuracy/altered.h"

#include <math.h>

#include "samples/scene/noise.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/rectify.h"
#include "vision/source/jpeg.h"

static const double SMALLER_SHARE = 0.7; // from 1080 lines to some 720
static const double DARKER_GAMMA = 0.6;  // a room with half its lamps, or a camera of more contrast
static const double WARMER_BLUE = 0.75;  // of what there was: a lamp's light taken for the day's
static const int LOW_QUALITY = 35;       // of JPEG: what sites for films come to

static const double SHARPENED_SIGMA_PX = 2,
                    SHARPENED_BY = 1.5;               // what films and telephones do to edges: a halo on both sides
static const double HAZY_SHARE = 0.5, HAZY_LUMA = 90; // of its contrast, beside that: light in the lens, a glass table
static const double NOISE_SIGMA = 10;                 // 8-bit steps: a small camera in the evening

static const double DISPLAY_GAMMA = 2.2;       // of light to its code
static const double BRIGHTER_LIGHT = 1.35;     // times the light: what was nearly white is white
static const double BLURRED_SIGMA_PX = 1.3;    // a lens that is not quite in focus, of 1280 columns
static const double PALER_SHARE = 0.25;        // of the colour there was: an old camera, a lamp of few colours
static const double TURNED_RAD = 6 * PI / 180; // counter-clockwise: a camera held in a hand
static const double SHADED_LIGHT = 0.55;       // of the light: a window on one side, or who stands before the lamp
static const double SHADE_FROM = 0.62;         // of the columns from the left, in the first row ...
static const double SHADE_LEANS = 0.4;         // ... and nearer by so many columns each row
static const double SHADE_WIDTH = 1.0 / 60;    // of the columns, over which it begins

const char *altered_name(enum alteration how)
{
    static const char *const names[ALTERATIONS] = {
        [AS_IT_IS] = "as it is", [MIRRORED] = "mirrored",     [SMALLER] = "smaller",     [DARKER] = "darker",
        [WARMER] = "warmer",     [COMPRESSED] = "compressed", [SHARPENED] = "sharpened", [HAZY] = "hazy",
        [NOISY] = "noisy",       [BRIGHTER] = "brighter",     [BLURRED] = "blurred",     [PALER] = "paler",
        [TURNED] = "turned",     [SHADED] = "shaded",
    };
    return names[how];
}

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

static double light_of(uint8_t code)
{
    return pow(code / 255.0, DISPLAY_GAMMA);
}

static uint8_t code_of_light(double light)
{
    return code_of(255 * pow(fmin(light, 1), 1 / DISPLAY_GAMMA));
}

static void brighten(struct frame *f)
{
    uint8_t to[256];
    for (int v = 0; v < 256; v++)
        to[v] = code_of_light(BRIGHTER_LIGHT * light_of((uint8_t)v));
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        f->bgr[i] = to[f->bgr[i]];
}

static int blur(struct frame *f, struct fail *why)
{
    struct frame *sharp = NULL;
    int rc = frame_copy(&sharp, f, why);
    if (rc == 0)
        rc = cv_gaussian_blur_u8(f->bgr, sharp->bgr, f->width, f->height, 3, BLURRED_SIGMA_PX * f->width / 1280, why);
    frame_free(sharp);
    return rc;
}

static void fade(struct frame *f)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x);
            double luma = frame_luma_at(f, x, y);
            for (int c = 0; c < 3; c++)
                p[c] = code_of(luma + PALER_SHARE * (p[c] - luma));
        }
}

// Beyond a line that leans over the picture's right part.
static void shade(struct frame *f)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            double beyond = (x + SHADE_LEANS * y) / f->width - SHADE_FROM,
                   share = fmin(fmax(beyond / SHADE_WIDTH + 0.5, 0), 1);
            uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)f->width + (size_t)x);
            for (int c = 0; c < 3; c++)
                p[c] = code_of_light((1 + share * (SHADED_LIGHT - 1)) * light_of(p[c]));
        }
}

static struct pt_px turned(struct pt_px at, const struct frame *f, double turn_rad)
{
    const double u0 = (f->width - 1) / 2.0, v0 = (f->height - 1) / 2.0, c = cos(turn_rad), s = sin(turn_rad);
    return (struct pt_px){ u0 + c * (at.u - u0) + s * (at.v - v0), v0 - s * (at.u - u0) + c * (at.v - v0) };
}

// About its middle; corners without a picture are black.
static void turn(struct frame *out, const struct frame *f)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            struct pt_px from = turned((struct pt_px){ x, y }, f, -TURNED_RAD);
            float bgr[3] = { 0 };
            frame_sample(bgr, f, from.u, from.v, SAMPLE_CODES);
            for (int c = 0; c < 3; c++)
                out->bgr[3 * ((size_t)y * (size_t)f->width + (size_t)x) + (size_t)c] = code_of(bgr[c]);
        }
}

static int compress(struct frame **out, const struct frame *f, struct fail *why)
{
    struct jpeg *j = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    int rc = jpeg_create(&j, why);
    if (rc == 0)
        rc = jpeg_encode(&bytes, &size, j, f, LOW_QUALITY, why);
    if (rc == 0)
        rc = jpeg_decode(out, j, bytes, size, why);
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
    else if (rc == 0 && how == BRIGHTER)
        brighten(*out);
    else if (rc == 0 && how == BLURRED)
        rc = blur(*out, why);
    else if (rc == 0 && how == PALER)
        fade(*out);
    else if (rc == 0 && how == TURNED)
        turn(*out, f);
    else if (rc == 0 && how == SHADED)
        shade(*out);
    return rc;
}

struct pt_px altered_place(struct pt_px at, const struct frame *f, enum alteration how)
{
    if (how == MIRRORED)
        return (struct pt_px){ f->width - 1 - at.u, at.v };
    if (how == SMALLER)
        return (struct pt_px){ (at.u + 0.5) * smaller_side(f->width) / f->width - 0.5,
                               (at.v + 0.5) * smaller_side(f->height) / f->height - 0.5 };
    return how == TURNED ? turned(at, f, TURNED_RAD) : at;
}
