// SPDX-License-Identifier: MIT
// libFuzzer's way in: RINGSIDE_FUZZ names the target.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Of a processor, whatever else it has to do: libFuzzer's own limit counts the time on the wall.
enum { CPU_S_MAX = 10 };

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("RINGSIDE_FUZZ");
    (void)argc, (void)argv;
    for (const struct fuzz_target *t = fuzz_targets; t->name && name; t++)
        if (strcmp(t->name, name) == 0)
            target = t;
    if (target)
        return 0;
    fprintf(stderr, "RINGSIDE_FUZZ must name a target:");
    for (const struct fuzz_target *t = fuzz_targets; t->name; t++)
        fprintf(stderr, " %s", t->name);
    fprintf(stderr, "\n");
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    clock_t begun = clock();
    target->take(data, size);
    fuzz_must(clock() - begun < CPU_S_MAX * CLOCKS_PER_SEC, "no input takes that long");
    return 0;
}
