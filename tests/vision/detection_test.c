// SPDX-License-Identifier: MIT
// What was detected becomes what is known of the game; and events are kept, however many come.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "vision/detection.h"

static void a_detection_says_what_and_where_it_is(void **state)
{
    (void)state;
    struct detection p = { .kind = PIECE_MARBLE, .taw = true, .certainty = 0.75, .radius_in = 0.35 };
    static const enum piece_place places[] = { ON_SURFACE, IN_HOLE, IN_DITCH, OFF_BOARD };
    p.colour[0] = 'b';
    p.at = (struct pt_in){ 1, 2 };
    p.cov = (struct cov_in2){ 3, 4, 5 };
    struct observation o = detection_seen(&p, 3, 1.5);
    assert_true(o.kind == OBS_SEEN && o.id == 3 && o.t_s == 1.5 && o.seen.taw && o.seen.kind == PIECE_MARBLE);
    assert_string_equal(o.seen.colour, "b");
    assert_true(o.seen.certainty == 0.75 && o.seen.radius_in == 0.35);
    for (size_t i = 0; i < countof(places); i++) {
        p.plane = places[i];
        o = detection_rest(&p, 4, 2);
        assert_true(o.kind == OBS_REST && o.id == 4 && o.t_s == 2 && o.rest.plane == places[i]);
        assert_true(o.rest.at.y == 2 && o.rest.cov.xy == 4);
    }
}

static void a_photograph_ends_with_still(void **state)
{
    (void)state;
    struct observation o[PHOTO_OBSERVATIONS_MAX];
    struct detection_list list = { .count = 2 };
    assert_int_equal(detection_photo(o, &list), 5);
    assert_true(o[2].kind == OBS_SEEN && o[2].id == 2 && o[3].kind == OBS_REST && o[4].kind == OBS_STILL);
    list.count = MAX_PIECES;
    assert_int_equal(detection_photo(o, &list), PHOTO_OBSERVATIONS_MAX);
}

static void no_event_is_lost(void **state)
{
    (void)state;
    struct event_list list = { 0 };
    for (int i = 0; i < 5000; i++)
        event_list_add(&list, &(struct event){ .observation = { .kind = OBS_STILL, .id = i } });
    assert_true(list.count == 5000 && !list.no_memory);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(list.item[i].observation.id, i);
    event_list_free(&list);
    assert_true(list.count == 0 && !list.item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_detection_says_what_and_where_it_is),
        cmocka_unit_test(a_photograph_ends_with_still),
        cmocka_unit_test(no_event_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
