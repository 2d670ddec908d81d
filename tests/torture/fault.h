// SPDX-License-Identifier: MIT
// fault.h: what torture.c asks of the library that it loads into the program (fail.c), and what that one answers.
//
// One struct in a file that both map: which call is to fail, how many of each kind there were, which of them came by a
// way that none before had come.
#ifndef RINGSIDE_TESTS_TORTURE_FAULT_H
#define RINGSIDE_TESTS_TORTURE_FAULT_H

#include <stdatomic.h>

#define FAULT_FILE "RINGSIDE_TORTURE" // the environment variable that names the file

// Kinds of calls. A call is counted in each kind that it belongs to.
enum fault_kind {
    CALL_MEMORY,     // malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign
    CALL_OWN_MEMORY, // those that our own code makes, told by the return address
    CALL_THREAD,     // pthread_create
    CALL_OPEN,       // open, openat, creat
    CALL_READ,       // read, pread, readv
    CALL_WRITE,      // write, pwrite, writev, ftruncate; not to standard error, where failures are told
    CALL_SYNC,       // fsync, fdatasync
    CALL_CLOSE,      // close: done, and then said to have failed
    CALL_RENAME,     // rename, link
    CALL_UNLINK,     // unlink, rmdir
    CALL_MKDIR,      // mkdir
    CALL_TRANSFER,   // all reads and writes
    CALL_CHANGE,     // whatever changes what is on disk
    FAULT_KINDS,
};

enum { FIRSTS_MAX = 8192, WHERE_MAX = 1500 };

struct fault {
    int kind;   // what fails, FAULT_KINDS: nothing, all are counted
    int error;  // errno of the call that fails; 0: the program is killed at that call
    long n;     // which one of its kind, from 0
    int onward; // 1: and all after it; 2: each call fails once, before it is made again

    atomic_long count[FAULT_KINDS];
    atomic_int struck;                   // how many calls failed
    char where[WHERE_MAX];               // the way to the first of them, innermost first
    atomic_int firsts[FAULT_KINDS];      // while counting: how many different ways there were to calls of this kind,
    long site[FIRSTS_MAX];               // where the program asks for memory itself, for the firsts of that kind
    long first[FAULT_KINDS][FIRSTS_MAX]; // and the first call on each
};

#endif
