// SPDX-License-Identifier: MIT
// Contacts on made-up ways: discs that slide among pegs, seen with a camera's noise at several rates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "calibration/board.h"
#include "tests/near.h"
#include "vision/colour.h"
#include "vision/track/contacts.h"

static const double STEP_S = 1e-4, SHOT_S = 1.0, NOISE_IN = 0.06, SHADOW_IN = 0.12, LATE_STAMP_S = 0.004,
                    SEEN_IN_S = 10;
enum { SHOTS = 400 };

// What happened to the disc.
struct course {
    int touches;
    double t_s, closing_in_s; // of the first touch
};

struct ride {
    double x, y, vx, vy;
};

static double uniform(uint32_t *seed, double from, double to)
{
    *seed = *seed * 1664525 + 1013904223;
    return from + (to - from) * (*seed >> 8) / 16777216.0;
}

// Nearly normal: six sigma are never passed.
static double normal(uint32_t *seed, double sigma)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += uniform(seed, -0.5, 0.5);
    return sigma * sum;
}

static void bounce(struct ride *r, struct course *c, const struct board *b, double t_s)
{
    for (int i = 0; i < b->pegs; i++) {
        double angle = 2 * PI * (i + 0.5) / b->pegs, ring = b->circle_in[b->circles - 1];
        double x = ring * cos(angle) - r->x, y = ring * sin(angle) - r->y, d = hypot(x, y);
        double closing = (r->vx * x + r->vy * y) / d;
        if (d > b->piece_radius_in + b->peg_radius_in || closing <= 0)
            continue;
        if (c->touches++ == 0)
            *c = (struct course){ 1, t_s, closing };
        r->vx -= 1.6 * closing * x / d;
        r->vy -= 1.6 * closing * y / d;
    }
}

static void slide(struct ride *r, double slows_in_s2)
{
    double speed = hypot(r->vx, r->vy), kept = speed > 0 ? fmax(0, 1 - slows_in_s2 * STEP_S / speed) : 0;
    r->vx *= kept;
    r->vy *= kept;
    r->x += r->vx * STEP_S;
    r->y += r->vy * STEP_S;
}

struct camera_clock {
    double frames_per_s, frame_s; // the next frame's time
    bool variable;                // one frame in three is left out, and stamps are late
    uint32_t *seed;
};

static double after_s(const struct camera_clock *clock)
{
    double gap_s = 1 / clock->frames_per_s;
    while (clock->variable && uniform(clock->seed, 0, 3) < 1)
        gap_s += 1 / clock->frames_per_s;
    return gap_s;
}

// A disc of that colour on white, as patches of change show it.
static struct motion motion_at(const struct ride *r, double t_s, uint32_t *seed)
{
    return (struct motion){ .t_s = t_s,
                            .at = { r->x + SHADOW_IN + normal(seed, NOISE_IN), r->y + normal(seed, NOISE_IN) },
                            .bgr = { 60, 60, 60 },
                            .reference = { 200, 200, 200 },
                            .pieces = 2 };
}

// Takes the frames that are due: until the shot the disc lies there, then it runs.
static void film(struct motions *t, struct track *by, const struct ride *r, struct camera_clock *clock, double start_s,
                 double t_s)
{
    while (clock->frame_s <= t_s) {
        double stamp_s = clock->frame_s + (clock->variable ? uniform(clock->seed, 0, LATE_STAMP_S) : 0);
        if (clock->frame_s < start_s)
            by->there_until_s = stamp_s;
        else if (isinf(by->absent_since_s))
            by->absent_since_s = stamp_s;
        double run_in = hypot(r->x - by->piece.at.x, r->y - by->piece.at.y);
        if (clock->frame_s >= start_s && run_in > 2 * by->piece.radius_in) {
            struct motion seen = motion_at(r, stamp_s, clock->seed);
            motions_add(t, &seen, NULL);
        }
        clock->frame_s += after_s(clock);
    }
}

// A shot from the outer line: what its motions show of it, and what really happened.
static struct course shoot(struct motions *t, struct track *by, const struct board *b, double rate, bool variable,
                           uint32_t *seed)
{
    struct course c = { 0 };
    double angle = uniform(seed, 0, 2 * PI), speed = uniform(seed, 50, 130), slows = uniform(seed, 50, 110);
    struct ride r = { b->circle_in[0] * cos(angle), b->circle_in[0] * sin(angle), 0, 0 };
    double x = uniform(seed, -6, 6) - r.x, y = uniform(seed, -6, 6) - r.y;
    struct camera_clock clock = { rate, 1, variable, seed };
    r.vx = speed * x / hypot(x, y);
    r.vy = speed * y / hypot(x, y);
    double start_s = uniform(seed, 1, 1.2);
    clock.frame_s += after_s(&clock);
    *by = (struct track){ .id = 1, .piece = { .at = { r.x, r.y }, .radius_in = b->piece_radius_in } };
    colour_bgr_to_lab(by->piece.lab, (double[]){ 40, 40, 40 });
    by->there_until_s = 1;
    by->absent_since_s = INFINITY;
    t->count = 0;
    for (double t_s = start_s; t_s < start_s + SHOT_S && hypot(r.x, r.y) < b->surface_radius_in; t_s += STEP_S) {
        film(t, by, &r, &clock, start_s, t_s);
        slide(&r, slows);
        bounce(&r, &c, b, t_s);
    }
    return c;
}

static struct motions motions = { .tuning = &tuning_defaults.track };

struct rate {
    const char *name;
    double frames_per_s;
    bool variable;
    double found, in_time, honest; // shares that are asked for
};

// Touches at speeds that a camera can see: 10 in a second closing turns a shot by some ten degrees.
struct shares {
    int touched, found, in_time, honest;
    int untouched, invented;
};

static void count_shot(struct shares *out, const struct course *c, const struct observation *h, int n, double frame_s)
{
    if (c->touches == 0) {
        out->untouched++;
        out->invented += n > 0;
    } else if (c->closing_in_s > SEEN_IN_S) {
        double late_s = n > 0 ? fabs(h[0].t_s - c->t_s) : INFINITY;
        out->touched++;
        out->found += n > 0 && h[0].contact.what == TOUCHED_PEG;
        out->in_time += late_s < frame_s;
        out->honest += n > 0 && late_s < 2 * h[0].contact.sigma_t_s;
    }
}

static struct shares shots_at(const struct rate *rate)
{
    const struct board *b = board_builtin("crokinole-nca");
    struct shares s = { 0 };
    uint32_t seed = 11;
    for (int i = 0; i < SHOTS; i++) {
        struct track by;
        struct observation h[CONTACTS_MAX];
        struct course c = shoot(&motions, &by, b, rate->frames_per_s, rate->variable, &seed);
        int n = contacts_find(h, &by, NULL, &motions, b);
        count_shot(&s, &c, h, n, 1 / rate->frames_per_s);
    }
    return s;
}

static void pegs_are_found_in_time_at_every_rate(void **state)
{
    (void)state;
    static const struct rate rates[] = { { "30 a second", 30, false, 0.98, 0.96, 0.93 },
                                         { "25 a second", 25, false, 0.97, 0.96, 0.91 },
                                         { "15 a second", 15, false, 0.94, 0.92, 0.83 },
                                         { "variable rate", 30, true, 0.93, 0.88, 0.78 } };
    for (size_t i = 0; i < countof(rates); i++) {
        struct shares s = shots_at(&rates[i]);
        print_message("  %s: of %d touches %d found, %d in time, %d within 2 sigma; of %d straight shots %d turned\n",
                      rates[i].name, s.touched, s.found, s.in_time, s.honest, s.untouched, s.invented);
        assert_true(s.touched > 100 && s.untouched > 50);
        assert_true(s.found >= rates[i].found * s.touched);
        assert_true(s.in_time >= rates[i].in_time * s.touched);
        assert_true(s.honest >= rates[i].honest * s.touched);
        assert_true(s.invented <= 0.03 * s.untouched);
    }
}

// A shot straight at a piece that lies beyond the pegs: it is first missed a frame after it was struck.
static void a_struck_piece_is_touched_when_the_way_reaches_it(void **state)
{
    (void)state;
    const struct board *b = board_builtin("crokinole-nca");
    for (double frame_s = 1 / 30.0; frame_s < 0.07; frame_s *= 2) {
        struct track by = { .id = 1, .piece = { .at = { 0, -12 }, .radius_in = 0.625 } };
        struct track struck = { .id = 2, .piece = { .at = { 0, 8 }, .radius_in = 0.625 } };
        struct observation h[CONTACTS_MAX];
        double speed = 100, touch_s = 1 + (20 - 1.25) / speed;
        colour_bgr_to_lab(by.piece.lab, (double[]){ 40, 40, 40 });
        by.there_until_s = 1;
        by.absent_since_s = 1 + frame_s;
        motions.count = 0;
        double t_s = 1 + frame_s;
        for (; t_s < touch_s; t_s += frame_s)
            motions_add(&motions,
                        &(struct motion){ .t_s = t_s,
                                          .at = { 0, -12 + speed * (t_s - 1) },
                                          .bgr = { 60, 60, 60 },
                                          .reference = { 200, 200, 200 },
                                          .pieces = 2 },
                        NULL);
        struck.there_until_s = t_s - frame_s;
        struck.absent_since_s = t_s;
        assert_int_equal(contacts_find(h, &by, &struck, &motions, b), 1);
        assert_int_equal(h[0].contact.what, TOUCHED_PIECE);
        assert_int_equal(h[0].contact.other, 2);
        assert_near(h[0].t_s, touch_s, 0.1 * frame_s);
        assert_true(h[0].contact.sigma_t_s < 0.2 * frame_s);
        // A damaged picture still shows it where it lay: a time and its sigma are told all the same.
        struck.absent_since_s = by.absent_since_s = INFINITY;
        assert_int_equal(contacts_find(h, &by, &struck, &motions, b), 1);
        assert_true(isfinite(h[0].t_s) && isfinite(h[0].contact.sigma_t_s));
        assert_near(h[0].t_s, touch_s, frame_s);
    }
}

// Turned aside far from every peg: by what, is not for the pegs to say.
static void a_turn_where_no_peg_stands_is_none(void **state)
{
    (void)state;
    const struct board *b = board_builtin("crokinole-nca");
    struct trajectory p = { .tuning = &tuning_defaults.track, .count = 10, .sigma_in = 0.08 };
    struct change_point turned;
    for (int i = 0; i < p.count; i++) {
        double s = i / 30.0, before = fmin(s, 0.15), after = fmax(s - 0.15, 0);
        p.point[i] = (struct trajectory_point){ 1 + s, 0.001, { -9 + 20 * before, -9 + 60 * before + 40 * after } };
        p.point[i].at.x -= 50 * after;
    }
    assert_true(change_point_find(&turned, &p, 0, b));
    assert_false(turned.peg);
    assert_float_equal(turned.t_s, 1.15, 0.01);
    assert_float_equal(turned.at.y, 0, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pegs_are_found_in_time_at_every_rate),
        cmocka_unit_test(a_struck_piece_is_touched_when_the_way_reaches_it),
        cmocka_unit_test(a_turn_where_no_peg_stands_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
