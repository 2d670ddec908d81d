// SPDX-License-Identifier: MIT
// Hostile logs, for a short time: the seeds as they are, and changed at random. `make fuzz` lets libFuzzer search longer.
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fuzz/log_fuzz.h"

enum { BYTES_MAX = 64 * 1024, CHANGED = 2000, CHANGES = 12 };

static uint32_t any(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u; // Numerical Recipes' linear congruential generator
    return (*seed >> 8) % below;
}

// A byte set anew, a stretch taken out, doubled or moved, a number made huge: what a damaged disk or an enemy does.
static size_t change(uint8_t *data, size_t size, uint32_t *seed)
{
    static const char *const wild[] = { "-1", "1e308", "999999999", "null", "[]", "\"\"", "\xff", "nan" };
    size_t from = any(seed, (uint32_t)size), length = any(seed, 40) + 1;
    const char *word = wild[any(seed, sizeof wild / sizeof *wild)];
    length = length < size - from ? length : size - from;
    switch (any(seed, 4)) {
    case 0:
        data[from] = (uint8_t)any(seed, 256);
        break;
    case 1:
        memmove(data + from, data + from + length, size - from - length);
        return size - length;
    case 2:
        if (size + length > BYTES_MAX)
            break;
        memmove(data + from + length, data + from, size - from);
        return size + length;
    default:
        for (size_t i = from; i < size && *word; i++, word++)
            data[i] = (uint8_t)*word;
        break;
    }
    return size;
}

static void hostile_logs_do_no_harm(void **state)
{
    (void)state;
    static uint8_t whole[BYTES_MAX], data[BYTES_MAX];
    glob_t found;
    uint32_t seed = 1;
    assert_int_equal(glob("tests/fuzz/seeds/*.jsonl", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *f = fopen(found.gl_pathv[i], "rb");
        assert_non_null(f);
        size_t length = fread(whole, 1, sizeof whole, f);
        fclose(f);
        assert_true(length > 0);
        LLVMFuzzerTestOneInput(whole, length);
        for (int k = 0; k < CHANGED; k++) {
            size_t size = length;
            memcpy(data, whole, length);
            for (uint32_t n = any(&seed, CHANGES) + 1; n > 0 && size > 1; n--)
                size = change(data, size, &seed);
            LLVMFuzzerTestOneInput(data, size);
        }
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(hostile_logs_do_no_harm) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
