// SPDX-License-Identifier: MIT
// Discs lit by a lamp and an even sky, with their shadows, traced through a known camera: the lamp is found again, and
// the places are not drawn into the shadows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "tests/calibration/view.h"
#include "tests/near.h"
#include "vision/frame.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/cylinder_light.h"

enum { WIDTH = 1280, HEIGHT = 960, DISCS = 6, RAYS = 5 };
static const double QUANTILE[RAYS] = { -1.28, -0.52, 0, 0.52, 1.28 }; // rays spread as a blur of 0.9 px
static const double GROUND[3] = { 0.35, 0.45, 0.55 };                 // reflectance, b g r
static const double LAMP = 0.6, NEAR_IN = 1.6;
static const struct edge_prior LOOK = { 0.9, 0.03, 0.02 };

struct table {
    struct board board;
    struct camera camera;
    struct cylinder_light lamp; // of it `away` and `near_by`
    struct pt_in at[DISCS];
    struct cylinder shape[DISCS];
    double paint[DISCS][3];
};

// Does the way from a point meet a disc's cylinder? `far` is how far, `out` the normal there.
static bool meets(const struct table *t, int i, const double from[3], const double way[3], double *far, double out[3])
{
    double r = t->shape[i].radius_in, h = t->shape[i].height_in, x = from[0] - t->at[i].x, y = from[1] - t->at[i].y;
    double a = way[0] * way[0] + way[1] * way[1], b = x * way[0] + y * way[1], c = x * x + y * y - r * r;
    double to_top = (h - from[2]) / way[2], tx = x + to_top * way[0], ty = y + to_top * way[1];
    if (to_top > 1e-9 && way[2] < 0 && tx * tx + ty * ty < r * r) {
        *far = to_top;
        memcpy(out, (double[3]){ 0, 0, 1 }, 3 * sizeof *out);
        return true;
    }
    if (!(b * b > a * c) || !(a > 0))
        return false;
    double to_side = (-b - sqrt(b * b - a * c)) / a, z = from[2] + to_side * way[2];
    if (!(to_side > 1e-9) || z < 0 || z > h)
        return false;
    *far = to_side;
    memcpy(out, (double[3]){ (x + to_side * way[0]) / r, (y + to_side * way[1]) / r, 0 }, 3 * sizeof *out);
    return true;
}

static double light_on_ground(const struct table *t, struct pt_in p)
{
    struct pt_in away = cylinder_light_away(&t->lamp, p);
    double from[3] = { p.x, p.y, 0 }, way[3] = { -away.x, -away.y, 1 }, far, out[3];
    for (int i = 0; i < DISCS; i++)
        if (meets(t, i, from, way, &far, out))
            return 1 - LAMP;
    return 1;
}

static void trace(double light[3], const struct table *t, struct pt_px seen)
{
    struct pt3_in eye = camera_position(&t->camera);
    struct pt_in low;
    assert_true(camera_locate(&low, &t->camera, seen, 0));
    double from[3] = { eye.x, eye.y, eye.z }, way[3] = { low.x - eye.x, low.y - eye.y, -eye.z }, nearest = 1;
    double on_ground = light_on_ground(t, low);
    for (int c = 0; c < 3; c++)
        light[c] = on_ground * GROUND[c];
    for (int i = 0; i < DISCS; i++) {
        double far, n[3];
        if (!meets(t, i, from, way, &far, n) || far > nearest)
            continue;
        nearest = far;
        struct pt_in away = cylinder_light_away(&t->lamp, t->at[i]);
        double facing = n[2] - n[0] * away.x - n[1] * away.y;
        double lit = (1 - LAMP) * (1 + n[2]) / 2 + LAMP * fmax(facing, 0);
        for (int c = 0; c < 3; c++)
            light[c] = lit * t->paint[i][c];
    }
}

static bool near_disc(const struct table *t, struct pt_px seen)
{
    struct pt_in low;
    assert_true(camera_locate(&low, &t->camera, seen, 0));
    for (int i = 0; i < DISCS; i++)
        if (hypot(low.x - t->at[i].x, low.y - t->at[i].y) < NEAR_IN)
            return true;
    return false;
}

static struct frame *blank(void)
{
    struct frame *f = NULL;
    struct fail why;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    return f;
}

static void paint(struct frame *f, const struct table *t)
{
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            double sum[3] = { GROUND[0], GROUND[1], GROUND[2] }, light[3];
            if (near_disc(t, (struct pt_px){ u, v })) {
                memset(sum, 0, sizeof sum);
                for (int k = 0; k < RAYS * RAYS; k++) {
                    trace(light, t, (struct pt_px){ u + QUANTILE[k % RAYS], v + QUANTILE[k / RAYS] });
                    for (int c = 0; c < 3; c++)
                        sum[c] += light[c] / (RAYS * RAYS);
                }
            }
            for (int c = 0; c < 3; c++)
                f->bgr[3 * ((size_t)v * (size_t)f->width + (size_t)u) + (size_t)c] =
                    (uint8_t)lround(255 * pow(sum[c], 1 / 2.2));
        }
}

static struct table table_in_light(double away_x, double away_y, double near_by, double tilt_rad)
{
    static const double DARK[3] = { 0.02, 0.02, 0.03 }, PALE[3] = { 0.6, 0.7, 0.75 };
    struct table t = { .board = *board_builtin("crokinole-nca"),
                       .camera = view_of_board(WIDTH, HEIGHT, 1400, 0, tilt_rad, 0.3, 45),
                       .lamp = { .away = { away_x, away_y }, .near_by = near_by } };
    for (int i = 0; i < DISCS; i++) {
        double angle = 2 * PI * i / DISCS + 0.2;
        t.at[i] = (struct pt_in){ 6 * cos(angle), 6 * sin(angle) }; // between the lines
        t.shape[i] = cylinder_of_piece(&t.board, 0);
        memcpy(t.paint[i], i % 2 ? DARK : PALE, sizeof t.paint[i]);
    }
    return t;
}

// Places every disc from a little beside it; returns how far the worst is off, and in *into the mean along the shadows.
static double place_all(const struct frame *f, const struct table *t, const struct cylinder_light *light,
                        double blur_px, double *into)
{
    struct edge_prior edge = LOOK;
    struct board_pose pose = { .found = true, .board = t->board, .camera = t->camera, .fit = { .camera = t->camera } };
    double worst = 0;
    *into = 0;
    edge.blur_px = blur_px;
    for (int i = 0; i < DISCS; i++) {
        struct surroundings near = { .board = &pose,
                                     .neighbour = t->shape,
                                     .neighbour_at = t->at,
                                     .neighbours = DISCS,
                                     .self = i,
                                     .edge = edge,
                                     .light = *light,
                                     .tuning = &tuning_defaults.disc };
        struct cylinder_fit fit = { .at = { t->at[i].x + 0.05, t->at[i].y - 0.04 } };
        assert_true(cylinder_fit_run(&fit, f, &t->shape[i], &near, FIT_PLACE));
        double x = fit.at.x - t->at[i].x, y = fit.at.y - t->at[i].y;
        worst = fmax(worst, hypot(x, y));
        struct pt_in away = cylinder_light_away(&t->lamp, t->at[i]);
        *into += (x * away.x + y * away.y) / hypot(away.x, away.y) / DISCS;
    }
    return worst;
}

static void the_lamp_is_found_and_its_shadows_draw_nothing(void **state)
{
    // The sun and lamps near by: `away`, `near_by`, tilt.
    static const double AWAY[][4] = { { 0.8, 0.1, 0, 0.1 },
                                      { -0.3, 0.5, 0, 0.6 },
                                      { 0.2, -1.2, 0, 0.8 },
                                      { 0.6, -0.2, 0.02, 0.3 },
                                      { -0.4, 0.3, 0.03, 0.2 } };
    (void)state;
    for (size_t k = 0; k < countof(AWAY); k++) {
        struct table t = table_in_light(AWAY[k][0], AWAY[k][1], AWAY[k][2], AWAY[k][3]);
        struct board_pose pose = { .found = true, .board = t.board, .camera = t.camera, .fit = { .camera = t.camera } };
        struct surroundings near = { .board = &pose,
                                     .neighbour = t.shape,
                                     .neighbour_at = t.at,
                                     .neighbours = DISCS,
                                     .self = -1,
                                     .edge = LOOK,
                                     .tuning = &tuning_defaults.disc };
        struct frame *f = blank();
        struct cylinder_light light;
        double into;
        paint(f, &t);
        assert_int_equal(cylinder_light_measure(&light, f, &near, NULL), 0);
        assert_near(light.away.x, t.lamp.away.x, 0.1);
        assert_near(light.away.y, t.lamp.away.y, 0.1);
        assert_near(light.near_by, t.lamp.near_by, 0.01);
        assert_near(light.far, LAMP, 0.12);
        assert_true(light.hidden < 0.3); // nothing darkens the ground beside these discs but their shadows
        assert_true(place_all(f, &t, &light, LOOK.blur_px, &into) < 0.018);
        assert_near(into, 0, 0.008);
        assert_true(place_all(f, &t, &light, 1.5 * LOOK.blur_px, &into) <
                    0.018); // the lines were less sharp than the discs
        assert_near(into, 0, 0.008);
        frame_free(f);
    }
}

static void an_even_sky_shows_no_lamp(void **state)
{
    (void)state;
    struct table t = table_in_light(0, 0, 0, 0.4); // the lamp's shadows lie under the discs
    struct board_pose pose = { .found = true, .board = t.board, .camera = t.camera, .fit = { .camera = t.camera } };
    struct surroundings near = { .board = &pose,
                                 .neighbour = t.shape,
                                 .neighbour_at = t.at,
                                 .neighbours = DISCS,
                                 .self = -1,
                                 .edge = LOOK,
                                 .tuning = &tuning_defaults.disc };
    struct frame *f = blank();
    struct cylinder_light light;
    paint(f, &t);
    assert_int_equal(cylinder_light_measure(&light, f, &near, NULL), 0);
    assert_true(!(light.far > 0) || hypot(light.away.x, light.away.y) < 0.1);
    struct cylinder_view stand;
    assert_true(cylinder_view_at(&stand, &t.shape[0], t.at[0], &t.camera, &LOOK));
    struct pt_in beside = { t.at[0].x + stand.radius_in + 0.1, t.at[0].y };
    struct cylinder_shadow shadow = cylinder_shadow_of(&light, &stand);
    assert_true(cylinder_light_by_shadow(&light, &stand, &shadow, beside) > 0.93); // it is as bright there as elsewhere
    frame_free(f);
}

static void faces_towards_the_lamp_are_lit(void **state)
{
    (void)state;
    static const struct pt_in AT = { 3, 4 }; // there it comes from { -0.8, 0 }
    struct cylinder_light lamp = { { 0.5, -0.4 }, 0.6, 0.1, 0.7, 0.1 }, sky = { .far = 0 };
    assert_near(cylinder_light_shade(&lamp, AT, (struct pt3_in){ 0, 0, 1 }), 1, 1e-12);
    assert_near(cylinder_light_shade(&sky, AT, (struct pt3_in){ 1, 0, 0 }), 0.5, 1e-12);
    assert_near(cylinder_light_shade(&lamp, AT, (struct pt3_in){ 1, 0, 0 }), 0.2, 1e-12);
    assert_near(cylinder_light_shade(&lamp, AT, (struct pt3_in){ -1, 0, 0 }), 0.2 + 0.6 * 0.8, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lamp_is_found_and_its_shadows_draw_nothing),
        cmocka_unit_test(an_even_sky_shows_no_lamp),
        cmocka_unit_test(faces_towards_the_lamp_are_lit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
