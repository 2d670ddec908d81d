// SPDX-License-Identifier: MIT
// Solids are known where they are seen, the last one laid before the others, and forgotten when that is asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/calibration/view.h"
#include "vision/pieces/solid_map.h"

enum { WIDTH = 320, HEIGHT = 240 };
static const struct cylinder DISC = { .kind = PIECE_DISC, .radius_in = 0.625, .height_in = 0.375 };
static const struct cylinder PEG = { .kind = PIECE_DISC, .radius_in = 0.1875, .height_in = 0.85 };

static int number_at(const struct solid_map *m, const struct camera *c, struct pt3_in at)
{
    struct pt_px p;
    assert_true(camera_project(&p, c, at));
    assert_in_range((int)p.u, 0, WIDTH - 1);
    assert_in_range((int)p.v, 0, HEIGHT - 1);
    return m->number[(int)(p.v + 0.5) * WIDTH + (int)(p.u + 0.5)];
}

static void solids_are_where_they_are_seen(void **state)
{
    (void)state;
    struct camera c = view_of_board(WIDTH, HEIGHT, 300, 0, 1.2, 0, 36);
    struct solid_map m;
    struct fail why = { 0 };
    assert_int_equal(solid_map_create(&m, WIDTH, HEIGHT, &why), 0);
    solid_map_add(&m, &PEG, (struct pt_in){ 4, 0 }, &c, 0.5);
    solid_map_add(&m, &DISC, (struct pt_in){ -3, 2 }, &c, 0.5);
    solid_map_add(&m, &DISC, (struct pt_in){ 400, 0 }, &c, 0.5); // not in the picture
    assert_int_equal(m.count, 3);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ 4, 0, 0.8 }), 1);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ 4, 0, 0.1 }), 1);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ -3, 2, 0.375 }), 2);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ 0, 0, 0 }), 0);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ -8, -6, 0 }), 0);
    solid_map_keep(&m, 1, &c, 0.5);
    assert_int_equal(m.count, 1);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ 4, 0, 0.8 }), 1);
    assert_int_equal(number_at(&m, &c, (struct pt3_in){ -3, 2, 0.375 }), 0);
    solid_map_free(&m);
}

// What a later solid hid is as if that had never been laid.
static void what_was_hidden_comes_back(void **state)
{
    (void)state;
    const struct pt_in stays[] = { { 4, 0 }, { 4.9, 0.5 }, { -3, 2 } };
    struct camera c = view_of_board(WIDTH, HEIGHT, 300, 0, 1.2, 0, 36);
    struct solid_map plain, m;
    struct fail why = { 0 };
    assert_int_equal(solid_map_create(&plain, WIDTH, HEIGHT, &why), 0);
    assert_int_equal(solid_map_create(&m, WIDTH, HEIGHT, &why), 0);
    for (int i = 0; i < 3; i++) {
        solid_map_add(&plain, &DISC, stays[i], &c, 0.5);
        solid_map_add(&m, &DISC, stays[i], &c, 0.5);
    }
    solid_map_add(&m, &DISC, (struct pt_in){ 4.4, -0.3 }, &c, 0.5);
    solid_map_add(&m, &PEG, (struct pt_in){ -3, 1.5 }, &c, 0.5);
    assert_memory_not_equal(m.number, plain.number, WIDTH * HEIGHT);
    solid_map_keep(&m, 3, &c, 0.5);
    assert_memory_equal(m.number, plain.number, WIDTH * HEIGHT);
    solid_map_free(&plain);
    solid_map_free(&m);
}

static void more_than_have_room_are_forgotten(void **state)
{
    (void)state;
    struct camera c = view_of_board(WIDTH, HEIGHT, 300, 0, 0.5, 0, 36);
    struct solid_map m;
    struct fail why = { 0 };
    assert_int_equal(solid_map_create(&m, WIDTH, HEIGHT, &why), 0);
    for (int i = 0; i < 300; i++)
        solid_map_add(&m, &DISC, (struct pt_in){ i % 20 - 10, i / 20 - 7 }, &c, 1);
    assert_int_equal(m.count, sizeof m.solid / sizeof *m.solid);
    solid_map_free(&m);
}

static struct px_box around(const struct camera *c, struct pt_in at)
{
    struct px_box box = px_box_empty();
    assert_true(px_box_take(&box, c, (struct pt3_in){ at.x - 0.1, at.y - 0.1, 0 }));
    assert_true(px_box_take(&box, c, (struct pt3_in){ at.x + 0.1, at.y + 0.1, 0 }));
    return box;
}

static void only_what_came_or_went_changes_the_map(void **state)
{
    (void)state;
    const struct pt_in stays = { 4, 0 }, goes = { -3, 2 }, comes = { 0, -5 }, last = { 4.5, 0.5 };
    struct camera c = view_of_board(WIDTH, HEIGHT, 300, 0, 1.2, 0, 36);
    struct solid_map m;
    struct fail why = { 0 };
    assert_int_equal(solid_map_create(&m, WIDTH, HEIGHT, &why), 0);
    struct px_box box[] = { around(&c, stays), around(&c, goes), around(&c, comes),
                            around(&c, (struct pt_in){ 9, 5 }) };
    solid_map_add(&m, &DISC, stays, &c, 0.5);
    solid_map_add(&m, &DISC, last, &c, 0.5);
    solid_map_add(&m, &DISC, goes, &c, 0.5);
    assert_false(solid_map_as_before(&m, &box[3])); // nobody knows
    solid_map_keep(&m, 2, &c, 0.5);
    solid_map_add(&m, &DISC, comes, &c, 0.5);
    assert_true(solid_map_as_before(&m, &box[0]));
    assert_false(solid_map_as_before(&m, &box[1]));
    assert_false(solid_map_as_before(&m, &box[2]));
    assert_true(solid_map_as_before(&m, &box[3]));
    solid_map_keep(&m, 0, &c, 0.5); // the same again, but the one before the other
    solid_map_add(&m, &DISC, last, &c, 0.5);
    solid_map_add(&m, &DISC, stays, &c, 0.5);
    solid_map_add(&m, &DISC, comes, &c, 0.5);
    assert_false(solid_map_as_before(&m, &box[0]));
    assert_true(solid_map_as_before(&m, &box[2]));
    solid_map_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_where_they_are_seen),
        cmocka_unit_test(what_was_hidden_comes_back),
        cmocka_unit_test(more_than_have_room_are_forgotten),
        cmocka_unit_test(only_what_came_or_went_changes_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
