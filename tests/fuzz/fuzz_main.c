// SPDX-License-Identifier: MIT
// libFuzzer's way in: RINGSIDE_FUZZ names the target.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Of a processor, whatever else it has to do: libFuzzer's own limit counts the time on the wall, and serves for inputs
// that wait.
enum { CPU_S_MAX = 10 };

static const struct fuzz_target *target;

static void takes_too_long(int number)
{
    static const char words[] = "a promise is broken: no input takes that long\n";
    (void)number;
    ssize_t told = write(STDERR_FILENO, words, sizeof words - 1);
    (void)told;
    abort();
}

static void allow(int cpu_s)
{
    setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = cpu_s }, NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("RINGSIDE_FUZZ");
    (void)argc, (void)argv;
    for (const struct fuzz_target *t = fuzz_targets; t->name && name; t++)
        if (strcmp(t->name, name) == 0)
            target = t;
    signal(SIGPROF, takes_too_long);
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
    allow(CPU_S_MAX);
    target->take(data, size);
    allow(0);
    return 0;
}
