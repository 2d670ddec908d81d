// SPDX-License-Identifier: MIT
// Large arrays are whole, are nought where that is asked, and lie in memory for which huge pages were asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/large_memory.h"

enum { MIB = 1 << 20 };

static void every_byte_is_the_callers(void **state)
{
    static const size_t mib[] = { 0, 1, 4, 5, 33 };
    (void)state;
    for (size_t i = 0; i < sizeof mib / sizeof *mib; i++)
        for (size_t more = 0; more < 2; more++) {
            size_t bytes = mib[i] * MIB + more + (mib[i] == 0);
            uint8_t *dirty = large_memory_alloc(bytes, 1), *clean;
            assert_non_null(dirty);
            memset(dirty, 0xa5, bytes);
            free(dirty); // the next may be the same memory
            clean = large_memory_calloc(1, bytes);
            assert_non_null(clean);
            assert_true(clean[0] == 0 && memcmp(clean, clean + 1, bytes - 1) == 0);
            free(clean);
        }
}

static void what_has_no_size_is_refused(void **state)
{
    (void)state;
    assert_null(large_memory_alloc(SIZE_MAX / 2, 3));
    assert_null(large_memory_calloc(SIZE_MAX / 8 + 1, 8)); // 0 bytes, to who does not ask
}

// "hg" among the flags of the mapping that holds it (proc_pid_smaps(5)).
static bool asked_for_huge_pages(const void *at)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    bool in = false, asked = false;
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        unsigned long long from, to;
        if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
            in = (uintptr_t)at >= from && (uintptr_t)at < to;
        asked |= in && strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg");
    }
    fclose(maps);
    return asked;
}

static void large_ones_ask_for_huge_pages(void **state)
{
    (void)state;
    FILE *has = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!has)
        skip(); // a kernel without them
    fclose(has);
    uint8_t *small = large_memory_alloc(1, 1000), *large = large_memory_alloc(10, MIB);
    assert_true(small && large);
    assert_true(asked_for_huge_pages(large + MIB) && asked_for_huge_pages(large + 9 * MIB));
    assert_false(asked_for_huge_pages(small));
    free(small);
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_ones_ask_for_huge_pages), // first: what is freed may be used again with the pages it had
        cmocka_unit_test(every_byte_is_the_callers),
        cmocka_unit_test(what_has_no_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
