// SPDX-License-Identifier: MIT
// lens: how well a lens is known from the printed target: shown to the camera, as for `calibrate lens`, and lying on
// the floor of a ring, as for `calibrate board`; painted through known lenses.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibration/algebra.h"
#include "calibration/lens_views.h"
#include "calibration/target.h"
#include "tests/calibration/view.h"
#include "tests/vision/board/floor.h"
#include "vision/board/chessboard_find.h"
#include "vision/board/find.h"
#include "vision/board/target_find.h"

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
        if (rc == 1)
            rc = lens_views_add(views, &seen, why);
        if (rc < 0)
            return rc;
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

static const struct {
    double tilt_deg;
    struct pt_in at; // of the target's middle
} floors[] = { { 12, { 20, -20 } }, { 35, { -28, 5 } }, { 46, { 5, -28 } } };

static int print_floor(double tilt_deg, struct pt_in at, struct fail *why)
{
    const double f_px = 900, far_in = 120;
    const struct camera c = view_of_board(1280, 720, f_px, -0.05, tilt_deg * PI / 180, 0.3, far_in);
    const struct floor_with_target floor = { true, at, 0.4 };
    const struct shown shown = { floor_code, &floor, 2 };
    struct board_pose pose;
    struct target_fit fit;
    struct frame *f = NULL;
    int rc = frame_create(&f, 1280, 720, why);
    if (rc < 0)
        return rc;
    shown_paint(f, &c, &shown);
    rc = board_find(&pose, f, board_builtin("ring-7ft"), NULL, &tuning_defaults, why);
    if (rc == 0 && pose.found && target_find(&fit, f, &pose, why) == 1)
        printf("%4.0f %14.1f %8.1f %14.1f %8.1f\n", tilt_deg, 100 * fabs(pose.camera.lens.f_px / f_px - 1),
               100 * pose.f_sigma_px / f_px, 100 * fabs(fit.camera.lens.f_px / f_px - 1), 100 * fit.f_sigma_px / f_px);
    else
        rc = RS_EINPUT;
    frame_free(f);
    return rc;
}

static int print_floors(struct fail *why)
{
    int rc = 0;
    printf("\nFocal length from a ring, and with the target on its floor (%%, 1280 x 720)\n%4s %14s %8s %14s %8s\n",
           "tilt", "ring: error", "1 sigma", "target: error", "1 sigma");
    for (size_t i = 0; i < countof(floors) && rc == 0; i++)
        rc = print_floor(floors[i].tilt_deg, floors[i].at, why);
    return rc;
}

static int print_lenses(struct fail *why)
{
    int within = 0;
    printf("\nLens from %zu views of the printed target, %d times\n", countof(held_well), SETS);
    printf("%-12s %6s %6s %10s %8s %8s %10s\n", "picture", "f px", "k1", "f error %", "worst", "1 sigma", "k1 error");
    for (size_t i = 0; i < countof(cameras); i++) {
        const struct lens l = held_lens(cameras[i].width, cameras[i].height, cameras[i].f * cameras[i].width,
                                        cameras[i].k1, cameras[i].k2);
        struct measured m;
        int rc = measure(&m, &l, why);
        if (rc < 0)
            return rc;
        printf("%4d x %-5d %6.0f %6.2f %10.3f %8.3f %8.3f %10.4f\n", l.width, l.height, l.f_px, l.k1,
               100 * median_of(m.f_error, SETS), 100 * m.worst, 100 * median_of(m.f_sigma, SETS),
               median_of(m.k1_error, SETS));
        within += m.within;
    }
    printf("within two of the stated sigma: %d of %zu\n", within, SETS * countof(cameras));
    return 0;
}

int main(void)
{
    struct fail why = { .text = "" };
    if (print_lenses(&why) == 0 && print_floors(&why) == 0)
        return 0;
    fprintf(stderr, "lens: %s\n", why.text);
    return 1;
}
