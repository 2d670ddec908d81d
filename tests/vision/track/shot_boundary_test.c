// SPDX-License-Identifier: MIT
// Which changes of the whole picture are cuts: another view is, a knock, a zoom, a lamp, a hand and noise are not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "vision/track/shot_boundary.h"

enum { WIDTH = 640, HEIGHT = 360, FRAMES = 30, CHANGE = 12 };
static const double RATE = 30;

// What is before the camera, and how it looks there: shares of the picture's width, degrees, 8-bit steps.
struct view {
    uint32_t scene; // another number, another scene
    double right, turn_deg, zoom, smear, light, noise;
    bool hand;
};

struct change {
    const char *what;
    struct view before, after;
    int frames; // that it lasts; 0: for good
    bool cut;
};

// Shapes of many sizes, as any place has that people live in.
static double grey_at(uint32_t scene, double x, double y)
{
    static const double cells_px[] = { 97, 53, 29 };
    double grey = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t u = (uint32_t)(int)floor(x / cells_px[i] + 64), v = (uint32_t)(int)floor(y / cells_px[i] + 64);
        uint32_t mixed = (u * 73856093u ^ v * 19349663u ^ (scene + (uint32_t)i) * 83492791u) * 2654435761u;
        grey += (double)(mixed >> 24) * (i == 0 ? 0.4 : 0.2);
    }
    return 20 + grey;
}

static double seen_at(const struct view *v, double x, double y)
{
    enum { SMEARS = 8 };
    double c = cos(v->turn_deg * PI / 180) * v->zoom, s = sin(v->turn_deg * PI / 180) * v->zoom, grey = 0;
    int n = v->smear > 0 ? SMEARS : 1;
    for (int i = 0; i < n; i++) {
        double u = x - WIDTH / 2.0 + (v->right + v->smear * i / n) * WIDTH, w = y - HEIGHT / 2.0;
        grey += grey_at(v->scene, c * u - s * w, s * u + c * w) / n;
    }
    return grey;
}

static struct frame *picture(const struct view *v, int number, uint32_t *seed)
{
    struct frame *f;
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, NULL), 0);
    f->t_s = number / RATE;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool hand = v->hand && x > WIDTH / 2 && fabs(y - HEIGHT / 2.0) < HEIGHT / 5.0;
            double grey = (hand ? 180 : seen_at(v, x, y)) + v->light;
            *seed = *seed * 1664525u + 1013904223u;
            grey += ((double)(*seed >> 24) / 127.5 - 1) * v->noise;
            for (int c = 0; c < 3; c++)
                f->bgr[3 * (y * WIDTH + x) + c] = (uint8_t)fmin(fmax(grey, 0), 255);
        }
    return f;
}

static void only_another_view_is_a_cut(void **state)
{
    (void)state;
    static const struct view still = { .scene = 1, .zoom = 1, .noise = 4 };
    static const struct change changes[] = {
        { "nothing", still, still, 0, false },
        { "another scene", still, { .scene = 7, .zoom = 1, .noise = 4 }, 0, true },
        { "another scene, in noise", { 1, 0, 0, 1, 0, 0, 40, false }, { 7, 0, 0, 1, 0, 0, 40, false }, 0, true },
        { "the same place from elsewhere", still, { 1, 0.4, 30, 1.5, 0, 0, 4, false }, 0, true },
        { "a knock", still, { 1, 0.05, 3, 1, 0, 0, 4, false }, 0, false },
        { "a zoom of 8 %", still, { 1, 0, 0, 1.08, 0, 0, 4, false }, 0, false },
        { "a smear of 4 %", still, { 1, 0.02, 0, 1, 0.04, 0, 4, false }, 0, false },
        { "a lamp goes on", still, { 1, 0, 0, 1, 0, 50, 4, false }, 0, false },
        { "a flash that burns all out", still, { 1, 0, 0, 1, 0, 240, 4, false }, 3, false },
        { "black for a moment", still, { 1, 0, 0, 1, 0, -255, 0, false }, 2, false },
        { "another scene for a moment, as a flash", still, { 7, 0, 0, 1, 0, 0, 4, false }, 3, false },
        { "a hand", still, { 1, 0, 0, 1, 0, 0, 4, true }, 0, false },
        { "noise begins", still, { 1, 0, 0, 1, 0, 0, 60, false }, 0, false },
    };
    for (size_t i = 0; i < countof(changes); i++) {
        const struct change *c = &changes[i];
        struct shot_boundary s;
        uint32_t seed = 11;
        int cuts = 0;
        double at_s = NAN;
        shot_boundary_begin(&s, &tuning_defaults.track);
        for (int n = 0; n < FRAMES; n++) {
            bool changed = n >= CHANGE && (c->frames == 0 || n < CHANGE + c->frames);
            struct frame *f = picture(changed ? &c->after : &c->before, n, &seed);
            enum shot_boundary_verdict verdict;
            assert_int_equal(shot_boundary_look(&verdict, &s, f, NULL), 0);
            frame_free(f);
            if (verdict != BOUNDARY_CUT)
                continue;
            cuts++;
            at_s = s.suspected_s;
        }
        shot_boundary_finish(&s);
        if (cuts != c->cut)
            fail_msg("%s: %d cuts", c->what, cuts);
        if (c->cut && fabs(at_s - CHANGE / RATE) > 1e-9)
            fail_msg("%s: a cut at %.3f s", c->what, at_s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(only_another_view_is_a_cut) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
