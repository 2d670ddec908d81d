// SPDX-License-Identifier: MIT
// What is kept in seeds/ and found/ goes through its target, as it is and, the seeds, changed at random for a short
// time. `make fuzz` lets libFuzzer search longer.
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/fuzz/fuzz.h"

enum { BYTES_MAX = 256 * 1024, CHANGED = 500, CHANGES = 12 };

static uint8_t whole[BYTES_MAX], data[BYTES_MAX];

static uint32_t any(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u; // Numerical Recipes' linear congruential generator
    return (*seed >> 8) % below;
}

// A byte set anew, a stretch taken out, doubled or moved, a number made huge: what a damaged disk or an enemy does.
static size_t change(size_t size, uint32_t *seed)
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

static size_t read_whole(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t length = fread(whole, 1, sizeof whole, f);
    fclose(f);
    assert_in_range(length, 1, sizeof whole - 1);
    return length;
}

// In a program of its own: a target that gives up, or a sanitizer that does, takes it along, and it is known by what.
static void take_apart(const struct fuzz_target *t, const char *path)
{
    int status = 0;
    size_t length = read_whole(path);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); // cmocka would go on with the next test
        signal(SIGSEGV, SIG_DFL);
        t->take(whole, length);
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
        fail_msg("%s does harm: status %d", path, status);
}

static int replay(const struct fuzz_target *t, const char *kind)
{
    char pattern[200];
    glob_t found;
    snprintf(pattern, sizeof pattern, "tests/fuzz/%s/%s/*", kind, t->name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    int count = (int)found.gl_pathc;
    for (int i = 0; i < count; i++)
        take_apart(t, found.gl_pathv[i]);
    globfree(&found);
    return count;
}

static void what_was_found_does_no_harm_any_more(void **state)
{
    (void)state;
    int seeds = 0, found = 0;
    for (const struct fuzz_target *t = fuzz_targets; t->name; t++) {
        int kept = replay(t, "seeds");
        if (kept == 0)
            fail_msg("%s has no seed", t->name);
        seeds += kept;
        found += replay(t, "found");
    }
    print_message("%d seeds and %d finds replayed\n", seeds, found);
}

static void hostile_logs_do_no_harm(void **state)
{
    (void)state;
    glob_t found;
    uint32_t seed = 1;
    assert_int_equal(glob("tests/fuzz/seeds/log/*.jsonl", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t length = read_whole(found.gl_pathv[i]);
        for (int k = 0; k < CHANGED; k++) {
            size_t size = length;
            memcpy(data, whole, length);
            for (uint32_t n = any(&seed, CHANGES) + 1; n > 0 && size > 1; n--)
                size = change(size, &seed);
            fuzz_log(data, size);
        }
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_found_does_no_harm_any_more),
        cmocka_unit_test(hostile_logs_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
