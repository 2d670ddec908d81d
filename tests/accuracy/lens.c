// SPDX-License-Identifier: MIT
// lens: how well `calibrate lens` does on views of the printed target, painted through known lenses.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "calibration/lens_views.h"
#include "calibration/target.h"
#include "tests/vision/board/shown.h"
#include "vision/board/chessboard_find.h"

enum { SETS = 4 };
static const double JITTER = 0.08; // of a picture's side, of a distance, radians: no two people hold it alike

static const struct {
    int width, height;
    double f, k1, k2; // f of the picture's width
} cameras[] = { { 640, 480, 0.8, -0.1, 0.02 },
                { 1280, 720, 0.55, -0.28, 0.07 },
                { 1280, 720, 0.8, 0.05, -0.02 },
                { 1920, 1080, 0.75, -0.08, 0.01 } };

static double jitter(uint32_t *seed)
{
    return JITTER * held_noise(seed);
}

// 0 when a set of views gave the lens.
static int take_set(struct lens_views *views, const struct lens *l, struct frame *f, uint32_t *seed, struct fail *why)
{
    const struct chequers target = { TARGET_COLUMNS, TARGET_ROWS, 30, 220, 90, false };
    const struct shown shown = { chequers_code, &target, 2 };
    struct chessboard seen;
    lens_views_begin(views, l->width, l->height);
    for (size_t i = 0; i < countof(held_well); i++) {
        struct held h = held_well[i];
        h.u += jitter(seed) / 2;
        h.v += jitter(seed) / 2;
        h.squares_away *= 1 + jitter(seed);
        h.tilt_rad += jitter(seed);
        h.toward_rad += jitter(seed);
        const struct camera c = held_camera(l, &h);
        free(f->luma);
        f->luma = NULL;
        shown_paint(f, &c, &shown);
        int rc = chessboard_find(&seen, f, CHESSBOARD_LARGE, why);
        if (rc < 0)
            return rc;
        if (rc == 1)
            lens_views_add(views, &seen);
    }
    return lens_views_suffice(views, why) ? 0 : RS_EINPUT;
}

// Of all sets of one camera; shares of the focal length but for k1.
struct measured {
    double f_error[SETS], f_sigma[SETS], k1_error[SETS], worst;
    int within; // two of the stated sigma
};

static int measure(struct measured *out, const struct lens *l, struct fail *why)
{
    static struct lens_views views;
    struct frame *f = NULL;
    uint32_t seed = 1;
    int rc = frame_create(&f, l->width, l->height, why);
    *out = (struct measured){ .worst = 0 };
    for (int i = 0; i < SETS && rc == 0; i++) {
        rc = take_set(&views, l, f, &seed, why);
        out->f_error[i] = fabs(views.fit.lens.f_px / l->f_px - 1);
        out->f_sigma[i] = lens_fit_sigma(&views.fit, FIT_LOG_F);
        out->k1_error[i] = fabs(views.fit.lens.k1 - l->k1);
        out->worst = fmax(out->worst, out->f_error[i]);
        out->within += out->f_error[i] < 2 * out->f_sigma[i];
    }
    frame_free(f);
    return rc;
}

int main(void)
{
    int within = 0;
    printf("\nLens from %zu views of the printed target, %d times\n", countof(held_well), SETS);
    printf("%-12s %6s %6s %10s %8s %8s %10s\n", "picture", "f px", "k1", "f error %", "worst", "1 sigma", "k1 error");
    for (size_t i = 0; i < countof(cameras); i++) {
        const struct lens l = held_lens(cameras[i].width, cameras[i].height, cameras[i].f * cameras[i].width,
                                        cameras[i].k1, cameras[i].k2);
        struct measured m;
        struct fail why;
        if (measure(&m, &l, &why) < 0) {
            fprintf(stderr, "lens: %s\n", why.text);
            return 1;
        }
        printf("%4d x %-5d %6.0f %6.2f %10.3f %8.3f %8.3f %10.4f\n", l.width, l.height, l.f_px, l.k1,
               100 * median_of(m.f_error, SETS), 100 * m.worst, 100 * median_of(m.f_sigma, SETS),
               median_of(m.k1_error, SETS));
        within += m.within;
    }
    printf("within two of the stated sigma: %d of %zu\n", within, SETS * countof(cameras));
    return 0;
}
