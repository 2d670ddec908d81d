// SPDX-License-Identifier: MIT
// The circles' pictures are computed from a known camera, so the fit must find it again: exactly without noise, within
// its own stated covariance with noise, and undisturbed by a quarter of the points lying on pieces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/pose_fit.h"
#include "tests/calibration/view.h"
#include "tests/near.h"

enum { CIRCLES = 3, AROUND = 120, POINTS = CIRCLES * AROUND };
static const double RADII_IN[CIRCLES] = { 12, 8, 4 };

// Sum of twelve uniforms: a normal variate from a generator that is the same on every machine.
static double normal(uint32_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += (*seed >> 8) / (double)(1 << 24);
    }
    return sum;
}

static void draw_points(struct fit_point *out, const struct camera *c, double noise_px, uint32_t *seed)
{
    for (int i = 0; i < POINTS; i++) {
        double angle = 2 * PI * (i % AROUND) / AROUND, r = RADII_IN[i / AROUND];
        out[i].curve = i / AROUND;
        assert_true(camera_project(&out[i].at, c, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }));
        out[i].at.u += noise_px * normal(seed);
        out[i].at.v += noise_px * normal(seed);
    }
}

// A start as the coarse search gives it: tilt some degrees, centre some inches, focal length a fifth off.
static struct pose_fit start_near(const struct camera *truth, bool free_radii)
{
    struct pose_fit fit = { .camera = *truth, .curves = CIRCLES, .points_per_independent = 1 };
    double turn[3][3], R[3][3];
    const double axis[3] = { 0.05, -0.03, 0 };
    rotation_from_axis(turn, axis);
    mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])truth->pose.R);
    for (int i = 0; i < 9; i++)
        fit.camera.pose.R[i / 3][i % 3] = R[i / 3][i % 3];
    fit.camera.pose.t_in[0] += 0.4;
    fit.camera.pose.t_in[1] -= 0.3;
    fit.camera.lens.f_px *= 1.15;
    fit.camera.pose.t_in[2] *= 1.15;
    fit.camera.lens.k1 = -0.03;
    fit.lens[FIT_LOG_F] = (struct fit_prior){ log(truth->lens.f_px * 1.1), 0.3 };
    fit.lens[FIT_K1] = (struct fit_prior){ -0.03, 0.06 };
    for (int i = 0; i < CIRCLES; i++) {
        fit.radius_in[i] = RADII_IN[i] * (free_radii && i > 0 ? 1.04 : 1);
        fit.free_radius[i] = free_radii && i > 0;
    }
    return fit;
}

// Where the fitted camera puts, on the board, what the true one sees at (x, y): error along the radius, inches.
static double radial_error_in(const struct pose_fit *fit, const struct camera *truth, double r, double angle)
{
    struct pt_px p;
    struct pt_in at = { NAN, NAN };
    assert_true(camera_project(&p, truth, (struct pt3_in){ r * cos(angle), r * sin(angle), 0 }));
    assert_true(camera_locate(&at, &fit->camera, p, 0));
    return hypot(at.x, at.y) - r;
}

static void finds_the_known_camera_without_noise(void **state)
{
    (void)state;
    const double tilts_deg[] = { 15, 30, 45, 60 }, fs_px[] = { 900, 1400, 2000 }, ks[] = { 0, -0.1 };
    for (size_t t = 0; t < countof(tilts_deg); t++)
        for (size_t f = 0; f < countof(fs_px); f++)
            for (size_t k = 0; k < countof(ks); k++) {
                struct camera truth =
                    view_of_board(1920, 1080, fs_px[f], ks[k], tilts_deg[t] * PI / 180, 0.4, fs_px[f] / 30);
                struct fit_point points[POINTS];
                struct fail why = { 0 };
                uint32_t seed = 1;
                draw_points(points, &truth, 0, &seed);
                struct pose_fit fit = start_near(&truth, true);
                assert_int_equal(pose_fit_solve(&fit, points, POINTS, &why), 0);
                assert_near(fit.camera.lens.f_px / fs_px[f], 1, 0.005);
                assert_near(fit.radius_in[1], 8, 0.005);
                assert_near(fit.radius_in[2], 4, 0.005);
                assert_near(camera_tilt_rad(&fit.camera), tilts_deg[t] * PI / 180, 0.003);
                for (int a = 0; a < 8; a++)
                    assert_near(radial_error_in(&fit, &truth, 12, a * PI / 4), 0, 0.002);
            }
}

// Over many noisy draws the errors beside the outer line are as large as the fit says, neither less nor more.
static void errors_are_as_large_as_stated(void **state)
{
    (void)state;
    const double tilts_deg[] = { 5, 25, 50 }, noises_px[] = { 0.1, 0.5 };
    uint32_t seed = 7;
    double sum = 0;
    int n = 0;
    for (size_t t = 0; t < countof(tilts_deg); t++)
        for (size_t s = 0; s < countof(noises_px); s++)
            for (int draw = 0; draw < 20; draw++) {
                struct camera truth = view_of_board(1920, 1080, 1400, -0.05, tilts_deg[t] * PI / 180, 0.4, 50);
                struct fit_point points[POINTS];
                struct fail why = { 0 };
                draw_points(points, &truth, noises_px[s], &seed);
                struct pose_fit fit = start_near(&truth, true);
                assert_int_equal(pose_fit_solve(&fit, points, POINTS, &why), 0);
                assert_near(fit.noise_px / noises_px[s], 1, 0.25);
                double angle = draw * 0.9, x = cos(angle), y = sin(angle);
                struct cov_in2 cov = pose_fit_place_cov(&fit, (struct pt_in){ 12 * x, 12 * y }, 0);
                double error = radial_error_in(&fit, &truth, 12, angle) / cov_along(&cov, x, y);
                assert_true(fabs(error) < 5);
                sum += error * error;
                n++;
            }
    assert_true(sqrt(sum / n) > 0.7 && sqrt(sum / n) < 1.4);
}

static void points_on_pieces_do_not_disturb(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1920, 1080, 1400, -0.05, 0.6, 0.4, 50);
    struct fit_point points[POINTS];
    struct fail why = { 0 };
    uint32_t seed = 3;
    draw_points(points, &truth, 0.1, &seed);
    for (int i = 0; i < POINTS; i++)
        if (i % AROUND < AROUND / 4)
            points[i].at.v += 6 + 3 * normal(&seed);
    struct pose_fit fit = start_near(&truth, false);
    assert_int_equal(pose_fit_solve(&fit, points, POINTS, &why), 0);
    assert_true(fit.used > 0.7 * POINTS && fit.used < 0.8 * POINTS);
    for (int a = 0; a < 8; a++)
        assert_near(radial_error_in(&fit, &truth, 12, a * PI / 4), 0, 0.01);
}

// Half of the board hidden, the tilt hardly known: circles look the same from beneath, where no camera is.
static void the_camera_stays_above_the_board(void **state)
{
    (void)state;
    struct fail why = { 0 };
    uint32_t seed = 11;
    for (int k = 0; k < 48; k++) {
        struct camera truth = view_of_board(1280, 720, 1000, 0, 0.02 * k, 0.5 * k, 42);
        struct fit_point points[POINTS], bare[POINTS];
        int n = 0;
        draw_points(points, &truth, 0.1, &seed);
        for (int i = 0; i < POINTS; i++)
            if (points[i].at.u > 680)
                bare[n++] = points[i];
        struct pose_fit fit = start_near(&truth, true);
        double turn[3][3], R[3][3];
        const double axis[3] = { 0.9 * cos(k), 0.9 * sin(k), 0 };
        rotation_from_axis(turn, axis);
        mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])fit.camera.pose.R);
        memcpy(fit.camera.pose.R, R, sizeof R);
        if (camera_position(&fit.camera).z > 0 && pose_fit_solve(&fit, bare, n, &why) == 0)
            assert_true(camera_position(&fit.camera).z > 0);
    }
}

// Its radius stays as it was and is wide open; the pose is known as well as by the other circles alone.
static void a_circle_that_is_not_seen_leaves_only_its_own_radius_open(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1920, 1080, 1400, 0, 0.6, 0.4, 45);
    struct fit_point points[POINTS];
    struct fail why = { 0 };
    uint32_t seed = 5;
    draw_points(points, &truth, 0.3, &seed);
    struct pose_fit with = start_near(&truth, true), without = with;
    without.free_radius[2] = false;
    assert_int_equal(pose_fit_solve(&with, points, 2 * AROUND, &why), 0);
    assert_int_equal(pose_fit_solve(&without, points, 2 * AROUND, &why), 0);
    assert_true(with.radius_in[2] == without.radius_in[2]);
    assert_true(pose_fit_line_sigma_in(&with, 2, 1) > RADII_IN[2]);
    for (int curve = 0; curve < 2; curve++)
        assert_near(pose_fit_line_sigma_in(&with, curve, 1) / pose_fit_line_sigma_in(&without, curve, 1), 1, 1e-3);
    assert_near(pose_fit_f_sigma_px(&with) / pose_fit_f_sigma_px(&without), 1, 1e-3);
}

// Seen from straight above, circles tell nothing of the focal length: what was believed before must stand, and be said.
static void straight_above_leaves_the_focal_length_open(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1920, 1080, 1400, 0, 0, 0, 50);
    struct fit_point points[POINTS];
    struct fail why = { 0 };
    uint32_t seed = 5;
    draw_points(points, &truth, 0.2, &seed);
    struct pose_fit fit = start_near(&truth, false);
    assert_int_equal(pose_fit_solve(&fit, points, POINTS, &why), 0);
    double relative = pose_fit_f_sigma_px(&fit) / fit.camera.lens.f_px;
    assert_true(relative > 0.1 && relative < 0.35);
    assert_near(radial_error_in(&fit, &truth, 12, 1), 0, 0.01);
}

// From straight above the size of the innermost circle hangs on the unknown lens, and what lies beside its line with
// it.
static void a_line_and_what_lies_beside_it_move_together(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1280, 720, 1000, -0.05, 0.05, 0.3, 42);
    struct fit_point points[POINTS];
    struct fail why = { .text = "" };
    const double noise_px = 0.3, angle = 1.1;
    const int trials = 60;
    uint32_t seed = 41;
    int within = 0;
    for (int t = 0; t < trials; t++) {
        struct pose_fit fit = start_near(&truth, true);
        draw_points(points, &truth, noise_px, &seed);
        assert_int_equal(pose_fit_solve(&fit, points, POINTS, &why), 0);
        double sigma = pose_fit_line_sigma_in(&fit, 2, angle);
        double off = radial_error_in(&fit, &truth, RADII_IN[2], angle) - (fit.radius_in[2] - RADII_IN[2]);
        struct cov_in2 place =
            pose_fit_place_cov(&fit, (struct pt_in){ fit.radius_in[2] * cos(angle), fit.radius_in[2] * sin(angle) }, 0);
        assert_true(sigma < 0.7 * cov_along(&place, cos(angle), sin(angle)));
        within += fabs(off) < 2 * sigma;
    }
    if (within < 0.85 * trials) // 95 % of a normal distribution; 60 trials scatter by 3 %
        fail_msg("%d of %d within 2 sigma", within, trials);
}

static void beside_a_held_line_the_place_alone_counts(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1280, 720, 1000, -0.05, 0.6, 0.3, 42);
    struct pose_fit fit = start_near(&truth, false);
    struct fit_point points[POINTS];
    struct fail why = { .text = "" };
    uint32_t seed = 43;
    draw_points(points, &truth, 0.3, &seed);
    assert_int_equal(pose_fit_solve(&fit, points, POINTS, &why), 0);
    struct cov_in2 place = pose_fit_place_cov(&fit, (struct pt_in){ 0, 12 }, 0);
    assert_near(pose_fit_line_sigma_in(&fit, 0, PI / 2), sqrt(place.yy), 1e-9);
}

// The two edges of a ring's one line, which the camera sees outside the paint by another amount on every side.
static void draw_edges(struct fit_point *out, const struct camera *c, const double bleed_px[FIT_BLEED_NUMBERS],
                       double noise_px, uint32_t *seed)
{
    const double edge_in[2] = { 42, 42.8 };
    for (int i = 0; i < 2 * AROUND; i++) {
        double angle = 2 * PI * (i % AROUND) / AROUND, x = cos(angle), y = sin(angle), r = edge_in[i / AROUND];
        struct pt3_in at = { r * x, r * y, 0 };
        double off_px = bleed_px[FIT_BLEED_ALL] + bleed_px[FIT_BLEED_X] * x + bleed_px[FIT_BLEED_Y] * y;
        double off_in = (i < AROUND ? -off_px : off_px) / camera_scale_px_per_in(c, at);
        at = (struct pt3_in){ (r + off_in) * x, (r + off_in) * y, 0 };
        out[i].curve = i / AROUND;
        assert_true(camera_project(&out[i].at, c, at));
        out[i].at.u += noise_px * normal(seed);
        out[i].at.v += noise_px * normal(seed);
    }
}

static struct pose_fit start_at_ring(const struct camera *truth, double bleed_sigma_px)
{
    struct pose_fit fit = start_near(truth, false);
    fit.curves = 2;
    fit.radius_in[0] = 42;
    fit.radius_in[1] = 43;
    fit.free_radius[1] = true;
    fit.bleed_sigma_px = bleed_sigma_px;
    fit.bleeds[0] = -1;
    fit.bleeds[1] = 1;
    return fit;
}

// A single ring's focal length hangs on how its line narrows with distance, a matter of tenths of a pixel: what edges
// bleed has to be in the stated error.
static void bleeding_edges_are_in_the_stated_error(void **state)
{
    (void)state;
    const double bled_px = 0.1;
    const int trials = 60;
    uint32_t seed = 51;
    int within = 0, within_unaware = 0;
    for (int t = 0; t < trials; t++) {
        struct camera truth = view_of_board(1920, 1080, 1400, -0.03, 0.6, 0.3, 150);
        double bleed_px[FIT_BLEED_NUMBERS];
        struct fit_point points[POINTS];
        struct fail why = { .text = "" };
        for (int i = 0; i < FIT_BLEED_NUMBERS; i++)
            bleed_px[i] = bled_px * normal(&seed);
        draw_edges(points, &truth, bleed_px, 0.1, &seed);
        struct pose_fit fit = start_at_ring(&truth, bled_px), unaware = start_at_ring(&truth, 0);
        assert_int_equal(pose_fit_solve(&fit, points, 2 * AROUND, &why), 0);
        assert_int_equal(pose_fit_solve(&unaware, points, 2 * AROUND, &why), 0);
        within += fabs(fit.camera.lens.f_px - 1400) < 2 * pose_fit_f_sigma_px(&fit);
        within_unaware += fabs(unaware.camera.lens.f_px - 1400) < 2 * pose_fit_f_sigma_px(&unaware);
    }
    if (within < 0.85 * trials || within_unaware > 0.7 * trials)
        fail_msg("%d of %d within 2 sigma; %d when bleeding is not thought of", within, trials, within_unaware);
}

// From nearly above a ring tells nothing of the lens, however often it is fitted: what is believed stands. Noise must
// not draw the fit to a lens under which an inch at the line is more pixels.
static void noise_tells_nothing_of_the_lens(void **state)
{
    (void)state;
    enum { TRIALS = 20, AGAIN = 5 };
    const double believed_px = 960;
    uint32_t seed = 77;
    double sum = 0;
    for (int t = 0; t < TRIALS; t++) {
        struct camera truth = view_of_board(1200, 960, 1230, -0.01, 0.045, 0.3, 117);
        struct fit_point points[POINTS];
        struct fail why = { .text = "" };
        draw_edges(points, &truth, (const double[FIT_BLEED_NUMBERS]){ 0 }, 0.2, &seed);
        struct pose_fit fit = start_at_ring(&truth, 0.04);
        fit.lens[FIT_LOG_F] = (struct fit_prior){ log(believed_px), 0.2 };
        fit.lens[FIT_K2] = (struct fit_prior){ 0, 0.03 };
        for (int i = 0; i < AGAIN; i++)
            assert_int_equal(pose_fit_solve(&fit, points, 2 * AROUND, &why), 0);
        sum += log(fit.camera.lens.f_px / believed_px) / TRIALS;
    }
    if (fabs(sum) > 0.1)
        fail_msg("the focal length is drawn to %.0f px", believed_px * exp(sum));
}

// Of two fits to the same points that one is likelier which takes no lens that nobody has, and no bleeding that no line
// shows.
static void a_fit_that_wants_an_odd_lens_costs_more(void **state)
{
    (void)state;
    struct pose_fit usual = { .used = 100, .rms_px = 0.2, .points_per_independent = 4 }, odd;
    usual.camera.lens.f_px = 960;
    usual.lens[FIT_LOG_F] = (struct fit_prior){ log(960), 0.2 };
    odd = usual;
    odd.camera.lens.f_px = 960 * exp(-1);
    odd.rms_px = 0.19;
    assert_near(pose_fit_cost(&usual, 0.2), 12.5, 1e-9);
    assert_near(pose_fit_cost(&odd, 0.2) - 12.5 * 0.95 * 0.95, 12.5, 1e-9); // five sigmas
    usual.bleed_sigma_px = 0.05;
    usual.bleed_px[FIT_BLEED_X] = 0.1;
    assert_near(pose_fit_cost(&usual, 0.2), 12.5 + 2, 1e-9);
}

// The likelier of a ring's two poses; true when it is not that of the camera. *middle: where what lies in the middle is
// taken to be.
static bool fit_both_poses(struct pose_fit *fit, struct pt_in *middle, const struct camera *truth, uint32_t *seed)
{
    struct fit_point points[POINTS];
    struct fail why = { .text = "" };
    struct pt_px seen;
    draw_edges(points, truth, (const double[FIT_BLEED_NUMBERS]){ 0 }, 0.3, seed);
    *fit = start_at_ring(truth, 0.05);
    fit->camera = *truth;
    struct pose_fit other = *fit;
    camera_mirror_board(&other.camera);
    assert_int_equal(pose_fit_solve(fit, points, 2 * AROUND, &why), 0);
    assert_int_equal(pose_fit_solve(&other, points, 2 * AROUND, &why), 0);
    double f_px = other.camera.lens.f_px;
    pose_fit_keep_likelier(fit, &other, fmin(fit->noise_px, other.noise_px));
    assert_true(camera_project(&seen, truth, (struct pt3_in){ 0, 0, 0 }));
    assert_true(camera_locate(middle, &fit->camera, seen, 0));
    return fit->camera.lens.f_px == f_px;
}

// From nearly above the camera may lean the one way or the other: the ring looks the same. Where its middle lies is
// then known no better than that, and stated so; what lies at its line is known as well as ever.
static void the_other_pose_is_in_the_error_of_the_middle(void **state)
{
    (void)state;
    enum { TRIALS = 60 };
    uint32_t seed = 91;
    int taken = 0;
    double sum = 0, sum_unaware = 0;
    for (int t = 0; t < TRIALS; t++) {
        struct camera truth = view_of_board(1200, 960, 1000, 0, 0.02 + 0.03 * t / TRIALS, 0.3, 105);
        struct pose_fit fit;
        struct pt_in middle;
        taken += fit_both_poses(&fit, &middle, &truth, &seed);
        struct pose_fit unaware = fit;
        unaware.other_pose_in = (struct pt_in){ 0, 0 };
        struct cov_in2 cov = pose_fit_place_cov(&fit, middle, 0), cov_unaware = pose_fit_place_cov(&unaware, middle, 0);
        sum += middle.y * middle.y / cov.yy; // the camera leans along y
        sum_unaware += middle.y * middle.y / cov_unaware.yy;
        for (double angle = 0; angle < 6; angle += 1) {
            double x = cos(angle), y = sin(angle);
            struct cov_in2 at_line = pose_fit_place_cov(&fit, (struct pt_in){ 42 * x, 42 * y }, 0);
            assert_near(cov_along(&at_line, x, y), pose_fit_line_sigma_in(&fit, 0, angle), 1e-9);
        }
    }
    // Two places are no Gaussian: what covers the other one is wide for the errors on the whole.
    double sigmas = sqrt(sum / TRIALS), sigmas_unaware = sqrt(sum_unaware / TRIALS);
    if (taken < TRIALS / 10 || sigmas < 0.5 || sigmas > 1 || sigmas_unaware < 1.25)
        fail_msg("%d of %d took the other pose; off by %.2f sigmas, by %.2f of those without it", taken, TRIALS, sigmas,
                 sigmas_unaware);
}

static void at_a_slant_a_ring_has_one_pose(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1200, 960, 1000, 0, 0.12, 0.3, 105);
    struct pose_fit fit;
    struct pt_in middle;
    uint32_t seed = 92;
    assert_false(fit_both_poses(&fit, &middle, &truth, &seed));
    assert_near(hypot(fit.other_pose_in.x, fit.other_pose_in.y), 0, 0);
}

// A turned board is the same board: what is seen at a pixel turns with it, and how well it is known too.
static void turning_a_fit_turns_places_and_their_errors(void **state)
{
    (void)state;
    const double turn_rad = 0.7, x = 20, y = -11, c = cos(turn_rad), s = sin(turn_rad);
    const double bleed_px[FIT_BLEED_NUMBERS] = { 0.1, 0.2, -0.1 };
    struct camera truth = view_of_board(1920, 1080, 1400, -0.03, 0.6, 0.3, 150);
    struct fit_point points[POINTS];
    struct fail why = { .text = "" };
    uint32_t seed = 52;
    draw_edges(points, &truth, bleed_px, 0.2, &seed);
    struct pose_fit fit = start_at_ring(&truth, 0.1);
    assert_int_equal(pose_fit_solve(&fit, points, 2 * AROUND, &why), 0);
    fit.other_pose_in = (struct pt_in){ 0.2, -0.1 };
    struct cov_in2 before = pose_fit_place_cov(&fit, (struct pt_in){ x, y }, 0);
    double f_sigma_px = pose_fit_f_sigma_px(&fit);
    struct pt_px seen;
    struct pt_in at = { NAN, NAN };
    assert_true(camera_project(&seen, &fit.camera, (struct pt3_in){ x, y, 0 }));
    pose_fit_turn(&fit, turn_rad);
    assert_true(camera_locate(&at, &fit.camera, seen, 0));
    assert_near(at.x, c * x + s * y, 1e-6);
    assert_near(at.y, c * y - s * x, 1e-6);
    struct cov_in2 after = pose_fit_place_cov(&fit, at, 0);
    assert_near(after.xx, c * c * before.xx + 2 * c * s * before.xy + s * s * before.yy, 1e-3 * before.xx);
    assert_near(after.yy, s * s * before.xx - 2 * c * s * before.xy + c * c * before.yy, 1e-3 * before.yy);
    assert_near(after.xy, c * s * (before.yy - before.xx) + (c * c - s * s) * before.xy, 1e-3 * before.xx);
    assert_near(pose_fit_f_sigma_px(&fit), f_sigma_px, 1e-9);
    // Fitted anew from there, the fit has nothing to change: the bleeds were turned as well.
    struct pose_fit again = fit;
    assert_int_equal(pose_fit_solve(&again, points, 2 * AROUND, &why), 0);
    assert_near(again.bleed_px[FIT_BLEED_X], fit.bleed_px[FIT_BLEED_X], 0.01);
    assert_near(again.bleed_px[FIT_BLEED_Y], fit.bleed_px[FIT_BLEED_Y], 0.01);
}

// A lens low over the ring has a part of it behind itself: what is not seen is not sure.
static void what_is_not_seen_is_not_known(void **state)
{
    (void)state;
    struct pose_fit fit = {
        .camera = view_of_board(1920, 1080, 1400, 0, 1.4, 0, 30), .curves = 1, .radius_in = { 42 }, .parameters = 5
    };
    struct pt3_in eye = camera_position(&fit.camera);
    double behind = atan2(eye.y, eye.x), before = behind + PI;
    struct cov_in2 cov = pose_fit_place_cov(&fit, (struct pt_in){ 42 * cos(behind), 42 * sin(behind) }, 0);
    assert_true(cov_along(&cov, 1, 0) >= UNSEEN_SIGMA_IN && cov_along(&cov, 0, 1) >= UNSEEN_SIGMA_IN);
    assert_true(pose_fit_line_sigma_in(&fit, 0, behind) >= UNSEEN_SIGMA_IN);
    assert_true(pose_fit_line_sigma_in(&fit, 0, before) < 1);
    assert_true(pose_fit_across_sigma_in(&fit, 42) > 1);
}

static void too_few_points_are_refused(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1920, 1080, 1400, 0, 0.4, 0, 50);
    struct fit_point points[POINTS];
    struct fail why = { 0 };
    uint32_t seed = 5;
    draw_points(points, &truth, 0, &seed);
    struct pose_fit fit = start_near(&truth, false);
    assert_int_equal(pose_fit_solve(&fit, points, 5, &why), RS_EINPUT);
    assert_true(why.text[0] != '\0');
}

// More unknowns want more points: so many as are said to be needed are enough, and one fewer is not.
static void as_many_points_as_are_said_are_needed(void **state)
{
    (void)state;
    struct camera truth = view_of_board(1920, 1080, 1400, 0, 0.4, 0, 50);
    struct fit_point points[POINTS], spread[POINTS];
    uint32_t seed = 5;
    int needed = 0, had = 0;
    draw_points(points, &truth, 0, &seed);
    for (int i = 0; i < POINTS; i++)
        spread[i] = points[i * 37 % POINTS]; // every circle all around
    for (int n = 5; n < POINTS; n++) {
        struct fail why = { 0 };
        struct pose_fit fit = start_near(&truth, true);
        if (pose_fit_solve(&fit, spread, n, &why) == 0)
            break;
        const char *told = strstr(why.text, "hardly to be seen");
        assert_non_null(told);
        assert_int_equal(sscanf(told, "hardly to be seen, at %d places where %d are needed", &had, &needed), 2);
        assert_int_equal(had, n);
    }
    assert_true(needed > 12);
    assert_int_equal(had, needed - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_known_camera_without_noise),
        cmocka_unit_test(errors_are_as_large_as_stated),
        cmocka_unit_test(points_on_pieces_do_not_disturb),
        cmocka_unit_test(the_camera_stays_above_the_board),
        cmocka_unit_test(a_circle_that_is_not_seen_leaves_only_its_own_radius_open),
        cmocka_unit_test(straight_above_leaves_the_focal_length_open),
        cmocka_unit_test(a_line_and_what_lies_beside_it_move_together),
        cmocka_unit_test(beside_a_held_line_the_place_alone_counts),
        cmocka_unit_test(bleeding_edges_are_in_the_stated_error),
        cmocka_unit_test(noise_tells_nothing_of_the_lens),
        cmocka_unit_test(a_fit_that_wants_an_odd_lens_costs_more),
        cmocka_unit_test(turning_a_fit_turns_places_and_their_errors),
        cmocka_unit_test(the_other_pose_is_in_the_error_of_the_middle),
        cmocka_unit_test(at_a_slant_a_ring_has_one_pose),
        cmocka_unit_test(what_is_not_seen_is_not_known),
        cmocka_unit_test(too_few_points_are_refused),
        cmocka_unit_test(as_many_points_as_are_said_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
