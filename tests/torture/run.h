// SPDX-License-Identifier: MIT
// run.h: the program run once in a folder of its own, with a fault in it or without.
#ifndef RINGSIDE_TESTS_TORTURE_RUN_H
#define RINGSIDE_TESTS_TORTURE_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum { RUN_OUT_MAX = 1 << 17, RUN_ERR_MAX = 1 << 13, RUN_WORDS_MAX = 16, RUN_HUNG = -1 };

// What standard output is.
enum run_stdout { STDOUT_READ, STDOUT_FULL, STDOUT_CLOSED };

struct run_plan {
    const char *program;    // absolute
    const char *words;      // of the command, with a blank between two
    const char *folder;     // where it runs: its home, its folder for what is temporary and for what it keeps
    const char *library;    // the one of fail.c; NULL: nothing fails
    const char *fault_file; // as fault.h says
    bool finds_leaks;       // where the program is built to do so
    long file_bytes;        // no file may become larger; 0: any may
    enum run_stdout standard_output;
    double limit_s; // then it hangs
};

struct run {
    int status; // exit status, 128 + signal, or RUN_HUNG
    double took_s;
    size_t out_size;
    char out[RUN_OUT_MAX], err[RUN_ERR_MAX];
};

void run_program(struct run *out, const struct run_plan *p);

#endif
