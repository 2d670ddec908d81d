// SPDX-License-Identifier: MIT
// Words put one behind the other, as long as there is room.
#include "calibration/text.h"

#include <string.h>

#include "tests/cmocka.h"

static void items_are_parted_by_commas(void **state)
{
    (void)state;
    char text[32] = "";
    for (int i = 0; i < 3; i++)
        text_add(text, sizeof text, "%s%d px", text_comma(text), i);
    assert_string_equal(text, "0 px, 1 px, 2 px");
}

static void what_finds_no_room_is_cut_off(void **state)
{
    (void)state;
    char text[9] = "";
    for (int i = 0; i < 3; i++) {
        text_add(text, sizeof text, "%s%s", text_comma(text), "disc");
        assert_true(strlen(text) < sizeof text);
    }
    assert_string_equal(text, "disc, di");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_parted_by_commas),
        cmocka_unit_test(what_finds_no_room_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
