// SPDX-License-Identifier: MIT
// Balls lit by a sky and a lamp, with their shadows, traced through known cameras: places are not drawn towards the
// light or the shadow, sizes tell the taw.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "samples/scene/noise.h"
#include "tests/calibration/view.h"
#include "tests/near.h"
#include "tests/sanitized.h"
#include "tests/vision/board/painted.h"
#include "vision/board/clarity.h"
#include "vision/pieces/marbles.h"
#include "vision/tuning.h"

enum { WIDTH = 1280, HEIGHT = 960, BALLS = 9, FINE = 3 };
static const double SKY = 0.45, LAMP = 0.55, SKY_BELOW = 0.35; // shares of the light; what the carpet throws back
static const struct paint CARPET = { { 90, 100, 95 }, { 90, 100, 95 }, { 30, 30, 30 }, 2, 0 };

struct ball {
    struct pt_in at;
    double radius_in;
    double bgr[3];
};

struct table {
    struct camera camera;
    struct board board;
    const struct paint *carpet;
    double lamp[3]; // towards it, of unit length
    struct ball ball[BALLS];
};

// Distance along the ray to the ball, negative when it passes.
static double meets(const struct ball *b, const double from[3], const double way[3])
{
    double to[3] = { b->at.x - from[0], b->at.y - from[1], b->radius_in - from[2] };
    double along = vec3_dot(to, way), off2 = vec3_dot(to, to) - along * along, r2 = b->radius_in * b->radius_in;
    return off2 < r2 ? along - sqrt(r2 - off2) : -1;
}

// Light on the floor as a share of what falls where nothing stands.
static double light_on_floor(const struct table *t, struct pt_in p)
{
    const double from[3] = { p.x, p.y, 0 };
    double sky = 1, lamp = 1;
    for (int i = 0; i < BALLS; i++) {
        const struct ball *b = &t->ball[i];
        double far2 = 1 + (pow(p.x - b->at.x, 2) + pow(p.y - b->at.y, 2)) / (b->radius_in * b->radius_in);
        sky -= 1 / (far2 * sqrt(far2));
        lamp = meets(b, from, t->lamp) > 0 ? 0 : lamp;
    }
    return fmax(SKY * sky, 0) + LAMP * lamp;
}

static double light_on_ball(const struct table *t, const double facing[3])
{
    double up = (1 + facing[2]) / 2;
    return SKY * (up + SKY_BELOW * (1 - up)) + LAMP * fmax(0, vec3_dot(facing, t->lamp)) / t->lamp[2];
}

// False when the ray through the pixel meets no ball near enough to matter and the floor there is lit in full.
static bool trace(double bgr[3], const struct table *t, struct pt_px seen, const uint8_t *floor_bgr)
{
    struct pt3_in eye = camera_position(&t->camera);
    struct pt_in floor_at;
    if (!camera_locate(&floor_at, &t->camera, seen, 0))
        return false;
    double from[3] = { eye.x, eye.y, eye.z }, way[3] = { floor_at.x - eye.x, floor_at.y - eye.y, -eye.z };
    double length = sqrt(vec3_dot(way, way)), lit = light_on_floor(t, floor_at);
    for (int c = 0; c < 3; c++) {
        way[c] /= length;
        bgr[c] = floor_bgr[c] * lit;
    }
    for (int i = 0; i < BALLS; i++) {
        const struct ball *b = &t->ball[i];
        double far = meets(b, from, way), facing[3];
        if (far < 0)
            continue;
        facing[0] = (from[0] + far * way[0] - b->at.x) / b->radius_in;
        facing[1] = (from[1] + far * way[1] - b->at.y) / b->radius_in;
        facing[2] = (from[2] + far * way[2]) / b->radius_in - 1;
        for (int c = 0; c < 3; c++)
            bgr[c] = fmin(b->bgr[c] * light_on_ball(t, facing), 255);
        return true;
    }
    return lit < 0.98;
}

static void paint_balls(struct frame *f, const struct table *t)
{
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++) {
            uint8_t *out = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
            double sum[3] = { 0 }, one[3];
            if (!trace(one, t, (struct pt_px){ u, v }, out))
                continue;
            for (int k = 0; k < FINE * FINE; k++) {
                struct pt_px at = { u + (k % FINE + 0.5) / FINE - 0.5, v + (k / FINE + 0.5) / FINE - 0.5 };
                trace(one, t, at, out);
                for (int c = 0; c < 3; c++)
                    sum[c] += one[c] / (FINE * FINE);
            }
            for (int c = 0; c < 3; c++)
                out[c] = (uint8_t)lround(sum[c]);
        }
}

// Binomial, 0.7 px of sigma a pass.
static void blur(uint8_t *bgr, size_t row, size_t bytes, int passes)
{
    uint8_t *was = malloc(bytes);
    assert_non_null(was);
    for (int pass = 0; pass < 2 * passes; pass++) {
        size_t step = pass % 2 ? row : 3;
        memcpy(was, bgr, bytes);
        for (size_t i = row + 3; i < bytes - row - 3; i++)
            bgr[i] = (uint8_t)((was[i - step] + 2 * was[i] + was[i + step] + 2) / 4);
    }
    free(was);
}

static double luma_of(const uint8_t *bgr)
{
    return 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2];
}

// As lens, demosaicing and JPEG do: 1 px of sigma for luma, 1.7 for colour.
static void blur_as_cameras_do(struct frame *f)
{
    size_t row = 3 * (size_t)f->width, bytes = row * (size_t)f->height;
    uint8_t *colour = malloc(bytes);
    assert_non_null(colour);
    blur(f->bgr, row, bytes, 2);
    memcpy(colour, f->bgr, bytes);
    blur(colour, row, bytes, 4);
    for (size_t i = 0; i < bytes; i += 3) {
        double luma = luma_of(&f->bgr[i]) - luma_of(&colour[i]);
        for (int c = 0; c < 3; c++)
            f->bgr[i + (size_t)c] = (uint8_t)fmax(0, fmin(255, round(colour[i + (size_t)c] + luma)));
    }
    free(colour);
}

static struct table table_of(double tilt_deg, double lamp_deg, const double bgr[3])
{
    struct table t = { .camera = view_of_board(WIDTH, HEIGHT, 1300, -0.02, tilt_deg * PI / 180, 0.4, 130),
                       .board = *board_builtin("ring-7ft"),
                       .carpet = &CARPET };
    double away = 35 * PI / 180, towards = lamp_deg * PI / 180;
    t.lamp[0] = sin(away) * cos(towards);
    t.lamp[1] = sin(away) * sin(towards);
    t.lamp[2] = cos(away);
    t.board.line_width_in = 0.8;
    for (int i = 0; i < BALLS; i++) {
        double angle = i * 2.4, r = 4.0 * i;
        struct pt_in at = { r * cos(angle), r * sin(angle) };
        t.ball[i] = (struct ball){ at, t.board.piece_radius_in, { bgr[0], bgr[1], bgr[2] } };
    }
    return t;
}

// A spot of colour as wide as a marble: what it adds to luma, and red beyond that.
struct tint {
    struct pt_px middle;
    double luma;
};

static void tint(struct frame *f, const struct tint *t)
{
    const struct pt_px middle = t->middle;
    const double off[3] = { t->luma, t->luma - 0.299 / 0.587 * 36, t->luma + 36 };
    for (int v = (int)middle.v - 4; v <= (int)middle.v + 4; v++)
        for (int u = (int)middle.u - 4; u <= (int)middle.u + 4; u++) {
            uint8_t *bgr = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
            double share = exp(-(pow(u - middle.u, 2) + pow(v - middle.v, 2)) / 12);
            for (int c = 0; c < 3; c++)
                bgr[c] = (uint8_t)fmax(0, fmin(255, round(bgr[c] + share * off[c])));
        }
}

static struct frame *picture_of(const struct table *t)
{
    struct frame *f;
    struct fail why = { 0 };
    assert_int_equal(frame_create(&f, WIDTH, HEIGHT, &why), 0);
    paint_board(f, &t->camera, &t->board, t->carpet);
    paint_balls(f, t);
    blur_as_cameras_do(f);
    return f;
}

// Frees the frame.
static struct detection_list find_in(struct frame *f, const struct table *t, const struct detection_list *lying,
                                     const struct roi *changed, struct marbles_seen *seen)
{
    struct fail why = { 0 };
    struct detection_list list;
    struct board_pose pose = {
        .found = true, .board = t->board, .camera = t->camera, .fit = { .camera = t->camera }, .line_sigma_in = 0.002
    };
    const struct pieces_known known = { .lying = *lying, .changed = changed, .marbles = seen };
    assert_int_equal(clarity_measure(&pose.clarity, f, &pose, &tuning_defaults.board, &why), 0);
    assert_int_equal(marbles_find(&list, f, &pose, &known, &tuning_defaults, &why), 0);
    frame_free(f);
    return list;
}

static const struct detection_list nothing_lies;

static struct detection_list find_with_tint(const struct table *t, const struct tint *tinted)
{
    struct frame *f = picture_of(t);
    tint(f, tinted);
    return find_in(f, t, &nothing_lies, NULL, NULL);
}

static struct detection_list find_on(const struct table *t)
{
    return find_in(picture_of(t), t, &nothing_lies, NULL, NULL);
}

static const struct detection *nearest(const struct detection_list *list, struct pt_in at)
{
    const struct detection *best = NULL;
    for (int i = 0; i < list->count; i++) {
        const struct detection *p = &list->piece[i];
        if (!best || hypot(p->at.x - at.x, p->at.y - at.y) < hypot(best->at.x - at.x, best->at.y - at.y))
            best = p;
    }
    assert_non_null(best);
    return best;
}

static void places_are_not_drawn_towards_light_or_shadow(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double tilt_deg, lamp_deg, bgr[3];
    } rows[] = {
        { "pale, lamp behind the camera", 35, -90, { 190, 200, 205 } },
        { "pale, lamp from the right", 35, 0, { 190, 200, 205 } },
        { "dark, lamp from the left", 35, 180, { 40, 38, 45 } },
        { "red, from above", 5, 60, { 40, 45, 170 } },
        { "blue, from the side", 50, 20, { 160, 90, 50 } },
    };
    for (size_t k = 0; k < countof(rows); k += SANITIZED ? 4 : 1) {
        struct table t = table_of(rows[k].tilt_deg, rows[k].lamp_deg, rows[k].bgr);
        struct detection_list list = find_on(&t);
        double drawn_x = 0, drawn_y = 0;
        if (list.count != BALLS)
            fail_msg("%s: %d marbles", rows[k].what, list.count);
        for (int i = 0; i < BALLS; i++) {
            const struct detection *p = nearest(&list, t.ball[i].at);
            drawn_x += (p->at.x - t.ball[i].at.x) / BALLS;
            drawn_y += (p->at.y - t.ball[i].at.y) / BALLS;
            if (p->taw)
                fail_msg("%s: a target is called the taw, %.2f", rows[k].what, p->certainty);
        }
        print_message("  %-30s drawn %.3f in\n", rows[k].what, hypot(drawn_x, drawn_y));
        if (hypot(drawn_x, drawn_y) > 0.06)
            fail_msg("%s: drawn %.3f, %.3f in", rows[k].what, drawn_x, drawn_y);
    }
}

static void a_marble_of_another_size_is_the_taw(void **state)
{
    (void)state;
    const double ratios[] = { 0.8, 1.2 }, bgr[3] = { 60, 160, 190 };
    for (size_t k = 0; k < (SANITIZED ? 1 : countof(ratios)); k++) {
        struct table t = table_of(20, 200, bgr);
        t.ball[4].radius_in *= ratios[k];
        struct detection_list list = find_on(&t);
        assert_int_equal(list.count, BALLS);
        for (int i = 0; i < BALLS; i++)
            if (nearest(&list, t.ball[i].at)->taw != (i == 4))
                fail_msg("ball %d, the taw %.1f times as large: taw %d, %.3f sure, %.3f in", i, ratios[k],
                         nearest(&list, t.ball[i].at)->taw, nearest(&list, t.ball[i].at)->certainty,
                         nearest(&list, t.ball[i].at)->radius_in);
    }
}

static void faint_colour_that_luma_knows_nothing_of_is_no_marble(void **state)
{
    (void)state;
    const double red[3] = { 40, 45, 190 };
    struct table t = table_of(20, 200, red);
    struct tint beside = { .luma = 0 }, alone = { .luma = 0 }, by_line = { .luma = 0 };
    assert_true(camera_project(&beside.middle, &t.camera, (struct pt3_in){ t.ball[5].at.x, t.ball[5].at.y, 0 }));
    assert_true(camera_project(&alone.middle, &t.camera, (struct pt3_in){ -10, 30, 0 }));
    beside.middle.u += 11;
    beside.middle.v -= 4;
    assert_int_equal(find_with_tint(&t, &beside).count, BALLS);
    assert_int_equal(find_with_tint(&t, &alone).count, BALLS); // as where a marble lay, and a video kept its colour
    alone.luma = 20;
    assert_int_equal(find_with_tint(&t, &alone).count, BALLS + 1);
    assert_true(camera_project(&by_line.middle, &t.camera, (struct pt3_in){ -24.6, 32.8, 0 }));
    assert_int_equal(find_with_tint(&t, &by_line).count, BALLS);
    by_line.luma = 20;
    assert_int_equal(find_with_tint(&t, &by_line).count, BALLS + 1);
}

static void two_that_touch_are_two(void **state)
{
    (void)state;
    const double yellow[3] = { 40, 190, 220 };
    for (int direction = 0; direction < 8; direction += SANITIZED ? 4 : 1) {
        struct table t = table_of(20, 200, yellow);
        double angle = direction * PI / 4, apart_in = 2.1 * t.board.piece_radius_in;
        t.ball[1].at = (struct pt_in){ t.ball[4].at.x + apart_in * cos(angle), t.ball[4].at.y + apart_in * sin(angle) };
        struct detection_list list = find_on(&t);
        if (list.count != BALLS || distance_in(nearest(&list, t.ball[1].at)->at, t.ball[1].at) > 0.2)
            fail_msg("at %d degrees %d are found", 45 * direction, list.count);
    }
}

// The middle one of a row has carpet on two sides only, each of a heap between the two others.
static void three_that_touch_are_three(void **state)
{
    (void)state;
    const double yellow[3] = { 40, 190, 220 };
    int heaps = 0;
    for (int k = 0; k < 16; k += SANITIZED ? 8 : 1) {
        const bool row = k < 8;
        struct table t = table_of(20, 200, yellow);
        const struct pt_in middle = t.ball[4].at;
        double angle = k * (row ? PI / 8 : PI / 4), turned = angle + (row ? PI : PI / 3),
               apart_in = 2.1 * t.board.piece_radius_in;
        t.ball[1].at = (struct pt_in){ middle.x + apart_in * cos(angle), middle.y + apart_in * sin(angle) };
        t.ball[3].at = (struct pt_in){ middle.x + apart_in * cos(turned), middle.y + apart_in * sin(turned) };
        struct detection_list list = find_on(&t);
        bool found = list.count == BALLS;
        for (int i = 1; i < 5; i++)
            found = found && distance_in(nearest(&list, t.ball[i].at)->at, t.ball[i].at) < 0.2;
        if (row && !found)
            fail_msg("in a row at %.1f degrees: %d are found", 22.5 * k, list.count);
        heaps += !row && found;
    }
    assert_in_range(heaps, SANITIZED ? 1 : 7, SANITIZED ? 1 : 8); // what explains little is not tried beside another
}

// Tufts, of all colours alike, two pixels wide.
static void roughen(struct frame *f, int by)
{
    uint32_t seed = 7;
    size_t row = 3 * (size_t)f->width;
    for (int v = 0; v + 1 < f->height; v += 2)
        for (int u = 0; u + 1 < f->width; u += 2) {
            seed = seed * 1664525u + 1013904223u;
            int off = (int)(seed >> 16) % (2 * by + 1) - by;
            for (int k = 0; k < 12; k++) {
                uint8_t *code = f->bgr + (size_t)(v + k / 6) * row + 3 * (size_t)u + (size_t)(k % 6);
                *code = (uint8_t)fmax(0, fmin(255, *code + off));
            }
        }
}

// At a slant and beside their shadows hardly any bare carpet is seen around some marbles: what it is like elsewhere
// holds.
static void on_rough_carpet_marbles_are_on_carpet(void **state)
{
    (void)state;
    const double red[3] = { 40, 45, 190 };
    struct table t = table_of(48, 200, red);
    t.camera = view_of_board(WIDTH, HEIGHT, 1000, -0.02, 48 * PI / 180, 0.4, 130);
    struct frame *f = picture_of(&t);
    roughen(f, 24);
    assert_int_equal(find_in(f, &t, &nothing_lies, NULL, NULL).count, BALLS);
}

// Each pixel by itself, and each channel.
static void add_noise(struct frame *f, double sigma)
{
    struct chance chance = { 5 };
    for (size_t i = 0; i < 3 * (size_t)f->width * (size_t)f->height; i++)
        f->bgr[i] = (uint8_t)fmax(0, fmin(255, round(f->bgr[i] + sigma * chance_normal(&chance))));
}

// What a small camera's noise does to pixels it does not do to the mean of many, unlike a carpet's tufts.
static void pale_marbles_are_found_in_noise(void **state)
{
    (void)state;
    const double pale[3] = { 112, 122, 117 };
    struct table t = table_of(30, 200, pale);
    struct frame *f = picture_of(&t);
    add_noise(f, 8);
    struct detection_list list = find_in(f, &t, &nothing_lies, NULL, NULL);
    assert_int_equal(list.count, BALLS);
    for (int i = 0; i < BALLS; i++) {
        const struct detection *p = nearest(&list, t.ball[i].at);
        assert_true(distance_in(p->at, t.ball[i].at) < 3 * sqrt(p->cov.xx + p->cov.yy));
    }
}

// Dark marbles that all look small are no reason to take a pale one, which looks as large as the largest legal taw, for
// larger still.
static void a_pale_taw_is_not_measured_by_dark_targets(void **state)
{
    (void)state;
    static const struct paint sand = { { 150, 178, 195 }, { 150, 178, 195 }, { 40, 40, 40 }, 2, 0 };
    const double red[3] = { 30, 30, 160 };
    struct table t = table_of(20, 120, red);
    t.carpet = &sand;
    for (int i = 0; i < BALLS; i++)
        t.ball[i].radius_in *= i == 4 ? 1.2 : 0.84;
    for (int c = 0; c < 3; c++)
        t.ball[4].bgr[c] = 250;
    struct frame *f = picture_of(&t);
    roughen(f, 10);
    struct detection_list list = find_in(f, &t, &nothing_lies, NULL, NULL);
    assert_int_equal(list.count, BALLS);
    const struct detection *taw = nearest(&list, t.ball[4].at);
    assert_true(taw->taw);
    if (taw->radius_in > t.ball[4].radius_in + taw->radius_sigma_in)
        fail_msg("measured %.3f +- %.3f in", taw->radius_in, taw->radius_sigma_in);
}

static struct detection_list find_at(double t_s, const struct table *t, const struct detection_list *lying,
                                     const struct roi *changed, struct marbles_seen *seen)
{
    struct frame *f = picture_of(t);
    f->t_s = t_s;
    return find_in(f, t, lying, changed, seen);
}

static void what_lies_untouched_is_as_it_was_and_what_came_is_measured(void **state)
{
    (void)state;
    const double bgr[3] = { 40, 45, 170 }, as_it_was = 0.125; // no fit explains so little
    struct table t = table_of(20, 200, bgr);
    struct marbles_seen seen = { .count = 0 };
    struct pt_in free_place = t.ball[BALLS - 1].at;
    t.ball[BALLS - 1].at = (struct pt_in){ 300, 300 };
    struct detection_list lying = find_at(0, &t, &nothing_lies, NULL, &seen);
    assert_int_equal(lying.count, BALLS - 1);
    for (int i = 0; i < lying.count; i++)
        lying.piece[i].support = as_it_was;
    t.ball[BALLS - 1].at = free_place;
    struct detection_list now = find_at(10, &t, &lying, NULL, &seen);
    assert_int_equal(now.count, BALLS);
    for (int i = 0; i < lying.count; i++)
        assert_memory_equal(&now.piece[i], &lying.piece[i], sizeof now.piece[i]);
    assert_true(hypot(now.piece[BALLS - 1].at.x - free_place.x, now.piece[BALLS - 1].at.y - free_place.y) < 0.06);
    assert_true(now.piece[BALLS - 1].support > as_it_was);
    assert_true(seen.lit_at_s == 0);
    find_at(1000, &t, &lying, NULL, &seen);
    assert_true(seen.lit_at_s == 1000);
    struct marbles_seen fresh = { .count = 0 };
    now = find_at(10, &t, &lying, NULL, &fresh);
    assert_int_equal(now.count, BALLS);
    for (int i = 0; i < BALLS; i++)
        assert_true(now.piece[i].support > as_it_was);
}

static void only_what_changed_is_looked_at_once_the_carpet_is_known(void **state)
{
    (void)state;
    const double bgr[3] = { 40, 45, 170 };
    struct table t = table_of(20, 200, bgr);
    struct marbles_seen seen = { .count = 0 };
    struct pt_in free_place = t.ball[BALLS - 1].at;
    struct roi there = { .count = 0 }, elsewhere = { .count = 0 };
    roi_add(&there, free_place, 2);
    roi_add(&elsewhere, (struct pt_in){ -free_place.x, -free_place.y }, 2);
    t.ball[BALLS - 1].at = (struct pt_in){ 300, 300 };
    struct detection_list lying = find_at(0, &t, &nothing_lies, &elsewhere, &seen);
    assert_int_equal(lying.count, BALLS - 1); // nothing was known yet
    t.ball[BALLS - 1].at = free_place;
    struct marbles_seen copy = seen, hidden = seen;
    hidden.count--; // one that lies there was under a hand when the others were measured
    assert_int_equal(find_at(10, &t, &lying, &elsewhere, &hidden).count, BALLS);
    assert_int_equal(find_at(10, &t, &lying, &elsewhere, &seen).count, BALLS - 1);
    struct detection_list all = find_at(10, &t, &lying, NULL, &copy), now = find_at(11, &t, &lying, &there, &seen);
    assert_int_equal(now.count, BALLS);
    assert_near(now.piece[BALLS - 1].at.x, all.piece[BALLS - 1].at.x, 0.005);
    assert_near(now.piece[BALLS - 1].at.y, all.piece[BALLS - 1].at.y, 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_not_drawn_towards_light_or_shadow),
        cmocka_unit_test(a_marble_of_another_size_is_the_taw),
        cmocka_unit_test(pale_marbles_are_found_in_noise),
        cmocka_unit_test(a_pale_taw_is_not_measured_by_dark_targets),
        cmocka_unit_test(faint_colour_that_luma_knows_nothing_of_is_no_marble),
        cmocka_unit_test(on_rough_carpet_marbles_are_on_carpet),
        cmocka_unit_test(two_that_touch_are_two),
        cmocka_unit_test(three_that_touch_are_three),
        cmocka_unit_test(what_lies_untouched_is_as_it_was_and_what_came_is_measured),
        cmocka_unit_test(only_what_changed_is_looked_at_once_the_carpet_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
