// SPDX-License-Identifier: MIT
// child.h: a process that a test began.
#ifndef RINGSIDE_TESTS_CHILD_H
#define RINGSIDE_TESTS_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdnoreturn.h>
#include <unistd.h>

// There where what is reached is counted (make coverage): writes down what this process came to.
extern void __gcov_dump(void) __attribute__((weak));

// Ends at once: what stands at the parent's exit is the parent's. What was counted is not lost.
static inline noreturn void child_end(int status)
{
    if (__gcov_dump)
        __gcov_dump();
    _exit(status);
}

// Waits, half a minute at most, until a process has a handler of its own for the signal, which until then has its usual
// effect. False when it gets none.
static inline bool child_catches(pid_t child, int signal)
{
    enum { PATIENCE_MS = 30000 };
    char path[32], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    for (int ms = 0; ms < PATIENCE_MS && !(caught >> (signal - 1) & 1); ms++) {
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f))
            sscanf(line, "SigCgt: %llx", &caught);
        if (f)
            fclose(f);
        usleep(1000);
    }
    return caught >> (signal - 1) & 1;
}

#endif
