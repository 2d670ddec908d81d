// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "vision/buffer_pool.h"
#include "vision/frame.h"

enum { SIZE = 100000 };

static void what_came_back_is_taken_again_by_who_wants_as_much(void **state)
{
    (void)state;
    struct buffer_pool *p = buffer_pool_create();
    uint8_t *a = buffer_pool_take(p, SIZE), *b = buffer_pool_take(p, SIZE);
    assert_int_equal(buffer_pool_bought(p), 2);
    buffer_pool_give_back(p, a, SIZE);
    buffer_pool_give_back(p, b, SIZE);
    uint8_t *other = buffer_pool_take(p, SIZE - 1); // it would do, but nobody would know how large it is
    assert_int_equal(buffer_pool_bought(p), 3);
    assert_ptr_equal(buffer_pool_take(p, SIZE), b); // the one used last
    assert_ptr_equal(buffer_pool_take(p, SIZE), a);
    assert_int_equal(buffer_pool_bought(p), 3);
    buffer_pool_give_back(p, a, SIZE);
    buffer_pool_give_back(p, b, SIZE);
    buffer_pool_give_back(p, other, SIZE - 1);
    buffer_pool_give_back(p, NULL, SIZE);
    buffer_pool_release(p);
}

static void of_too_many_the_one_that_waits_longest_goes(void **state)
{
    (void)state;
    struct buffer_pool *p = buffer_pool_create();
    uint8_t *taken[BUFFER_POOL_SPARES + 1];
    for (size_t i = 0; i <= BUFFER_POOL_SPARES; i++)
        taken[i] = buffer_pool_take(p, SIZE + i);
    for (size_t i = 0; i <= BUFFER_POOL_SPARES; i++)
        buffer_pool_give_back(p, taken[i], SIZE + i);
    long before = buffer_pool_bought(p);
    for (size_t i = BUFFER_POOL_SPARES; i > 0; i--)
        assert_ptr_equal(buffer_pool_take(p, SIZE + i), taken[i]);
    assert_int_equal(buffer_pool_bought(p), before);
    taken[0] = buffer_pool_take(p, SIZE);
    assert_int_equal(buffer_pool_bought(p), before + 1);
    for (size_t i = 0; i <= BUFFER_POOL_SPARES; i++)
        buffer_pool_give_back(p, taken[i], SIZE + i);
    buffer_pool_release(p);
}

// A recording's last pictures are looked at when it is closed already.
static void frames_outlive_their_source(void **state)
{
    (void)state;
    struct buffer_pool *p = buffer_pool_create();
    struct frame *f, *copy;
    struct fail why;
    assert_int_equal(frame_create_from(&f, p, 100, 50, &why), 0);
    memset(f->bgr, 77, 100 * 50 * 3);
    buffer_pool_release(p);
    assert_int_equal(frame_copy(&copy, f, &why), 0);
    assert_int_equal(buffer_pool_bought(p), 2); // a copy's memory comes from there too
    frame_free(f);
    for (int i = 0; i < 100 * 50 * 3; i++)
        assert_int_equal(copy->bgr[i], 77);
    frame_free(copy);
}

// Else what is used after it was given back would be nobody's fault until a picture is wrong.
static void who_uses_one_that_waits_is_caught(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    struct buffer_pool *p = buffer_pool_create();
    uint8_t *a = buffer_pool_take(p, SIZE);
    assert_null(__asan_region_is_poisoned(a, SIZE));
    buffer_pool_give_back(p, a, SIZE);
    assert_ptr_equal(__asan_region_is_poisoned(a, SIZE), a);
    assert_ptr_equal(buffer_pool_take(p, SIZE), a);
    assert_null(__asan_region_is_poisoned(a, SIZE));
    buffer_pool_give_back(p, a, SIZE);
    buffer_pool_release(p);
#else
    skip(); // it is the sanitizer that catches him
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_back_is_taken_again_by_who_wants_as_much),
        cmocka_unit_test(of_too_many_the_one_that_waits_longest_goes),
        cmocka_unit_test(frames_outlive_their_source),
        cmocka_unit_test(who_uses_one_that_waits_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
