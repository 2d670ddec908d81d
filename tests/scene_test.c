// SPDX-License-Identifier: MIT
// The renderer of samples/: what rays meet, and the light that they bring back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "samples/scene/boards.h"
#include "samples/scene/film.h"
#include "samples/scene/noise.h"
#include "samples/scene/shade.h"
#include "tests/near.h"

enum { RAYS = 20000 };
static const double RADIUS_IN = 0.625, HEIGHT_IN = 0.375, EDGE_IN = 0.0625;

// One piece that stands on the bare plane.
static const struct scene *lone_piece(enum solid_shape shape, double edge_in)
{
    static struct scene s;
    s = (struct scene){ .ground = GROUND_TABLE, .solids = 1, .pieces = 1 };
    s.solid[0] = (struct solid){ .shape = shape,
                                 .at = { 3, -2, 0 },
                                 .radius_in = RADIUS_IN,
                                 .height_in = HEIGHT_IN,
                                 .hole_in = shape == SHAPE_RING ? 0.3 : 0,
                                 .edge_in = edge_in };
    scene_index(&s);
    return &s;
}

// How far outside the piece p lies, by its definition: what is within edge_in of a smaller, sharp disc.
static double outside_in(const struct solid *o, struct vec p)
{
    double half = o->height_in / 2;
    double wide = hypot(p.x - o->at.x, p.y - o->at.y) - (o->radius_in - o->edge_in);
    double high = fabs(p.z - o->at.z - half) - (half - o->edge_in);
    return hypot(fmax(wide, 0), fmax(high, 0)) - o->edge_in;
}

static void the_outline_from_the_side_is_rounded(void **state)
{
    (void)state;
    const struct scene *s = lone_piece(SHAPE_DISC, EDGE_IN);
    int corners = 0;
    for (double x = -0.7; x < 0.7; x += 0.0107)
        for (double z = 0.0011; z < 0.45; z += 0.0107) {
            struct ray r = { { 3 + x, -40, z }, { 0, 1, 0 } };
            double outside = outside_in(&s->solid[0], (struct vec){ 3 + x, -2, z });
            bool met = trace_solid(s, &r, 0).part == PART_SOLID;
            assert_int_equal(met, outside < 0);
            corners += !met && fabs(x) < RADIUS_IN && z < HEIGHT_IN;
        }
    assert_true(corners > 10);
}

static void an_edge_of_nothing_is_sharp(void **state)
{
    (void)state;
    const struct scene *s = lone_piece(SHAPE_DISC, 0);
    for (int i = -1; i <= 1; i += 2) {
        struct ray r = { { 3 + i * (RADIUS_IN - 0.002), -40, HEIGHT_IN - 0.002 }, { 0, 1, 0 } };
        assert_int_equal(trace_solid(s, &r, 0).part, PART_SOLID);
    }
}

// Towards a place near the piece, from anywhere above the plane.
static struct ray ray_by_chance(struct chance *c)
{
    struct vec to = { chance_between(c, 2.3, 3.7), chance_between(c, -2.7, -1.3), chance_between(c, 0, 0.4) };
    struct vec from = { chance_between(c, -20, 20), chance_between(c, -20, 20), chance_between(c, 0.01, 20) };
    return (struct ray){ from, vec_unit(vec_sub(to, from)) };
}

static void rays_end_on_the_rounded_surface(void **state)
{
    (void)state;
    const struct scene *s = lone_piece(SHAPE_DISC, EDGE_IN);
    const struct solid *o = &s->solid[0];
    struct chance c = { 4711 };
    int met = 0;
    for (int i = 0; i < RAYS; i++) {
        struct ray r = ray_by_chance(&c);
        struct hit h = trace_first(s, &r, 1e3);
        double nearest_in = 1e9;
        for (double back = 0.002; back < 2; back += 0.002)
            nearest_in = fmin(nearest_in, outside_in(o, vec_along(h.at, r.along, -back)));
        assert_true(nearest_in > 0); // the way there is free
        if (h.part != PART_SOLID)
            continue;
        met++;
        assert_near(outside_in(o, h.at), 0, 1e-8);
        assert_near(vec_length(h.normal), 1, 1e-9);
        assert_near(outside_in(o, vec_along(h.at, h.normal, 0.01)), 0.01, 1e-8);
        assert_true(vec_dot(h.normal, r.along) < 0);
    }
    assert_true(met > RAYS / 10);
}

static void there_is_a_gap_below_a_rounded_edge(void **state)
{
    (void)state;
    const struct scene *s = lone_piece(SHAPE_DISC, EDGE_IN);
    for (double in = 0.005; in < 0.9 * EDGE_IN; in += 0.005) {
        struct ray up = { { 3 + RADIUS_IN - in, -2, 1e-4 }, { 0, 0, 1 } };
        struct hit h = trace_first(s, &up, 1e3);
        assert_int_equal(h.part, PART_SOLID);
        assert_near(h.at.z, EDGE_IN - sqrt(EDGE_IN * EDGE_IN - (EDGE_IN - in) * (EDGE_IN - in)), 1e-6);
        assert_true(h.normal.z < 0);
    }
}

static void a_rounded_ring_is_open(void **state)
{
    (void)state;
    const struct scene *s = lone_piece(SHAPE_RING, EDGE_IN);
    struct ray down = { { 3.1, -2, 9 }, { 0, 0, -1 } }, up = { { 3.1, -2, 0.001 }, { 0, 0, 1 } };
    struct ray across = { { 3, -2, 0.1 }, { 1, 0, 0 } }, flat = { { 3.5, -2, 9 }, { 0, 0, -1 } };
    assert_int_equal(trace_first(s, &down, 1e3).part, PART_TABLE);
    assert_int_equal(trace_first(s, &up, 1e3).part, PART_NOTHING);
    assert_near(trace_solid(s, &across, 0).at.x, 3.3, 1e-9);
    assert_near(trace_first(s, &flat, 1e3).at.z, HEIGHT_IN, 1e-9);
}

// A red disc before the middle of a board of one colour, under one lamp overhead; the camera looks along +y.
static const struct scene *red_disc_on_varnish(double polish)
{
    static struct scene s;
    s = (struct scene){ .ground = GROUND_BOARD,
                        .board = board_builtin("crokinole-nca"),
                        .rail = RAIL_NONE,
                        .rail_inner_in = 15,
                        .rail_outer_in = 15.5,
                        .rail_top_in = -0.7,
                        .table_in = -1.2,
                        .surface = { PLAIN, { 0.6, 0.6, 0.6 }, { 0.6, 0.6, 0.6 }, 1, 0, 1, 1 },
                        .polish = polish,
                        .key = { { 0, 0, 90 }, 10, { 0.5, 0.5, 0.5 } },
                        .sky = { 0.4, 0.4, 0.4 },
                        .solids = 1,
                        .pieces = 1 };
    s.solid[0] = (struct solid){ .shape = SHAPE_DISC,
                                 .at = { 3, -5, 0 },
                                 .radius_in = RADIUS_IN,
                                 .height_in = HEIGHT_IN,
                                 .edge_in = EDGE_IN,
                                 .colour = { 0.5, 0, 0 } };
    scene_index(&s);
    return &s;
}

// Red and blue light from the place so far before the disc's foot, seen 75 degrees off the vertical.
static struct vec light_before_foot(const struct scene *s, double before_in)
{
    static const double tilt_rad = 75 * PI / 180;
    struct vec at = { 3, -5 - RADIUS_IN - before_in, 0 }, along = { 0, sin(tilt_rad), -cos(tilt_rad) };
    struct ray r = { vec_along(at, along, -50), along };
    struct chance c = { 99 };
    struct vec sum = { 0, 0, 0 };
    for (int i = 0; i < RAYS; i++)
        sum = vec_add(sum, shade_ray(s, &r, &c));
    return vec_scale(sum, 1.0 / RAYS);
}

// At 75 degrees the image of what is an inch high reaches 3.73 in before its foot: that of the disc 1.40 in.
static void polish_mirrors_a_disc_below_its_foot(void **state)
{
    (void)state;
    static const double foot_in[] = { 0.1, 0.5, 1.0 };
    for (size_t i = 0; i < countof(foot_in); i++) {
        struct vec matt = light_before_foot(red_disc_on_varnish(0), foot_in[i]);
        struct vec polished = light_before_foot(red_disc_on_varnish(1), foot_in[i]);
        // Schlick's share of the light from there, 0.25, is red where it was the sky's grey.
        assert_near(polished.z, matt.z - 0.25 * 0.5 * 0.4, 0.03);
        assert_true(polished.x > polished.z + 0.02);
    }
    struct vec matt = light_before_foot(red_disc_on_varnish(0), 2.5);
    assert_near(light_before_foot(red_disc_on_varnish(1), 2.5).z, matt.z, 0.01);
}

// How much of the disc's red is in the mirror, of what a clear mirror has of it.
static double image_share(double polish, double before_in)
{
    struct vec dull = light_before_foot(red_disc_on_varnish(polish), before_in);
    struct vec clear = light_before_foot(red_disc_on_varnish(1), 0.5);
    return (dull.x - dull.z) / (clear.x - clear.z);
}

static void a_dull_polish_blurs_the_more_the_higher(void **state)
{
    (void)state;
    assert_true(image_share(1, 2.0) < 0.05);
    assert_true(image_share(0.3, 2.0) > 0.1);  // the disc's top comes down to where a clear mirror shows the sky
    assert_true(image_share(0.3, 0.5) > 0.85); // but near its foot there is as much of it
}

// A board by chance whose lines nobody can see tells nothing of how well boards are found.
static void the_lines_of_a_board_by_chance_show(void **state)
{
    (void)state;
    assert_false(boards_line_shows("cream", "cream"));
    assert_true(boards_line_shows("ink", "cream"));
    for (int i = 0; i < 300; i++) {
        struct recipe r;
        boards_recipe(&r, i, PLAY_CROKINOLE, false, 1);
        assert_true(boards_line_shows(r.line, r.surface));
    }
}

// In a match by turn who knocked a target out shoots again, and nobody else does.
static void who_shoots_is_as_the_rules_have_it(void **state)
{
    (void)state;
    struct clip_script s = clips[clips_count - 1];
    struct chance c = { s.stage.seed };
    struct scene stage;
    struct stage_moment now;
    int again = 0, others = 0;
    assert_string_equal(s.name, "marbles_match");
    for (int i = 0; i < s.shots; i++)
        s.shot[i].side = SIDE_BY_TURN;
    recipe_stage(&stage, &s.stage, &c);
    struct play *p = play_create(&s, &stage);
    play_run(p, 120, &now);
    json_t *shots = play_shots_truth(p);
    for (size_t i = 1; i < json_array_size(shots); i++) {
        const json_t *was = json_array_get(shots, i - 1), *is = json_array_get(shots, i);
        bool same = json_equal(json_object_get(was, "by"), json_object_get(is, "by"));
        assert_int_equal(same, json_is_true(json_object_get(was, "shoots_again")));
        again += same;
        others += !same;
    }
    assert_true(again > 0 && others > 0);
    json_decref(shots);
    play_free(p);
}

static void a_film_too_large_is_refused(void **state)
{
    (void)state;
    struct clip_script s = clips[0];
    struct fail why = { .text = "" };
    s.stage.width = 3840;
    s.stage.height = 2160;
    assert_int_equal(film_write(&s, "/nowhere", &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "3840 x 2160"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_outline_from_the_side_is_rounded),
        cmocka_unit_test(an_edge_of_nothing_is_sharp),
        cmocka_unit_test(rays_end_on_the_rounded_surface),
        cmocka_unit_test(there_is_a_gap_below_a_rounded_edge),
        cmocka_unit_test(a_rounded_ring_is_open),
        cmocka_unit_test(polish_mirrors_a_disc_below_its_foot),
        cmocka_unit_test(a_dull_polish_blurs_the_more_the_higher),
        cmocka_unit_test(the_lines_of_a_board_by_chance_show),
        cmocka_unit_test(who_shoots_is_as_the_rules_have_it),
        cmocka_unit_test(a_film_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
