// SPDX-License-Identifier: MIT
// A list that grows keeps what is in it, moves seldom, and is left alone where there is no more memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdlib.h>

#include "calibration/grow.h"
#include "tests/refused_memory.h"

static void a_list_keeps_its_items_and_moves_seldom(void **state)
{
    (void)state;
    enum { ITEMS = 10000, MOVES_MOST = 11 }; // 16, 32, ... 16384
    long *list = NULL;
    int room = 0, moves = 0;
    for (int i = 0; i < ITEMS; i++) {
        int before = room;
        assert_true(grow_list(&list, &room, i + 1, sizeof *list));
        assert_true(room > i);
        moves += room != before;
        list[i] = 3L * i;
    }
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(list[i], 3L * i);
    assert_int_equal(moves, MOVES_MOST);
    free(list);
}

static void many_at_once_get_the_room_they_need(void **state)
{
    (void)state;
    int room = 0;
    char *list = NULL;
    assert_true(grow_list(&list, &room, 0, 1));
    assert_null(list);
    assert_true(grow_list(&list, &room, 1000, 1));
    assert_int_equal(room, 1000);
    assert_true(grow_list(&list, &room, 1001, 1));
    assert_int_equal(room, 2000);
    free(list);
}

static void a_list_that_cannot_grow_is_left_as_it_was(void **state)
{
    (void)state;
    static const struct {
        int room, needed;
        size_t size;
    } rows[] = { { 16, 17, SIZE_MAX / 32 + 2 }, // more bytes than there are numbers for: the rest of them would be 32
                 { 16, 17, 1 },                 // there is none
                 { 1 << 30, INT_MAX, SIZE_MAX / 64 } }; // twice the room is no int
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *list = malloc(1), *before = list;
        int room = rows[i].room;
        assert_non_null(list);
        *list = 'x';
        before_refusal = 0;
        assert_false(grow_list(&list, &room, rows[i].needed, rows[i].size));
        before_refusal = -1;
        assert_ptr_equal(list, before);
        assert_int_equal(room, rows[i].room);
        assert_int_equal(*list, 'x');
        free(list);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_keeps_its_items_and_moves_seldom),
        cmocka_unit_test(many_at_once_get_the_room_they_need),
        cmocka_unit_test(a_list_that_cannot_grow_is_left_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
