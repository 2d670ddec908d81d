// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <sanitizer/asan_interface.h>

#include "vision/buffer_pool.h"
#include "vision/frame.h"

enum { SIZE = 100000 };

static void what_came_back_is_taken_again_by_who_wants_as_much(void **state)
{
    (void)state;
    long before = buffers_bought();
    uint8_t *a = buffer_take(SIZE), *b = buffer_take(SIZE);
    assert_int_equal(buffers_bought() - before, 2);
    buffer_give_back(a, SIZE);
    buffer_give_back(b, SIZE);
    uint8_t *other = buffer_take(SIZE - 1); // it would do, but nobody would know how large it is
    assert_int_equal(buffers_bought() - before, 3);
    assert_ptr_equal(buffer_take(SIZE), b); // the one used last
    assert_ptr_equal(buffer_take(SIZE), a);
    assert_int_equal(buffers_bought() - before, 3);
    buffer_give_back(a, SIZE);
    buffer_give_back(b, SIZE);
    buffer_give_back(other, SIZE - 1);
    buffer_give_back(NULL, SIZE);
}

static void of_too_many_the_one_that_waits_longest_goes(void **state)
{
    (void)state;
    uint8_t *taken[BUFFER_POOL_SPARES + 1];
    for (size_t i = 0; i <= BUFFER_POOL_SPARES; i++)
        taken[i] = buffer_take(SIZE + i);
    for (size_t i = 0; i <= BUFFER_POOL_SPARES; i++)
        buffer_give_back(taken[i], SIZE + i);
    long before = buffers_bought();
    for (size_t i = BUFFER_POOL_SPARES; i > 0; i--)
        assert_ptr_equal(buffer_take(SIZE + i), taken[i]);
    assert_int_equal(buffers_bought(), before);
    taken[0] = buffer_take(SIZE);
    assert_int_equal(buffers_bought(), before + 1);
    for (size_t i = 0; i <= BUFFER_POOL_SPARES; i++)
        buffer_give_back(taken[i], SIZE + i);
}

static void a_frame_is_black_whatever_was_there_before(void **state)
{
    (void)state;
    struct fail why;
    struct frame *f;
    const uint8_t *was = NULL;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(frame_create(&f, 100, 50, &why), 0);
        if (i == 1)
            assert_ptr_equal(f->bgr, was);
        for (int k = 0; k < 100 * 50 * 3; k++)
            assert_int_equal(f->bgr[k], 0);
        was = f->bgr;
        memset(f->bgr, 77, 100 * 50 * 3);
        frame_free(f);
    }
}

// Else what is used after it was given back would be nobody's fault until a picture is wrong.
static void who_uses_one_that_waits_is_caught(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    uint8_t *a = buffer_take(SIZE);
    assert_null(__asan_region_is_poisoned(a, SIZE));
    buffer_give_back(a, SIZE);
    assert_ptr_equal(__asan_region_is_poisoned(a, SIZE), a);
    assert_ptr_equal(buffer_take(SIZE), a);
    assert_null(__asan_region_is_poisoned(a, SIZE));
    buffer_give_back(a, SIZE);
#else
    skip(); // it is the sanitizer that catches him
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_back_is_taken_again_by_who_wants_as_much),
        cmocka_unit_test(of_too_many_the_one_that_waits_longest_goes),
        cmocka_unit_test(a_frame_is_black_whatever_was_there_before),
        cmocka_unit_test(who_uses_one_that_waits_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
