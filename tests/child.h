// SPDX-License-Identifier: MIT
// child.h: the end of a process that a test began.
#ifndef RINGSIDE_TESTS_CHILD_H
#define RINGSIDE_TESTS_CHILD_H

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

#endif
