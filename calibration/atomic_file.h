// SPDX-License-Identifier: MIT
// atomic_file.h: how a file is made: under a name of its own beside the final one, and renamed when it is whole.
//
// While it is written it is called NAME.ringside-PID.part. It is made exclusively and never through a link, is on the
// disk before it is renamed, and takes the place of an older plain file in one step; what is no plain file (a symbolic
// link, a folder, a device) is never replaced, nor is one that is protected against writing. Nothing half-written has a
// final name, whatever becomes of the program. What a killed one leaves differs from the rest by its name, its owner
// and a lock that the system takes away with the process, and is removed by atomic_file_clear. One thread at a time.
// What is to be read while it is still written, a log, gets its name earlier: atomic_file_claim.
#ifndef RINGSIDE_CALIBRATION_ATOMIC_FILE_H
#define RINGSIDE_CALIBRATION_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "calibration/fail.h"

enum { ATOMIC_FILE_PATH_MAX = 4096 };

struct atomic_file {
    char path[ATOMIC_FILE_PATH_MAX]; // as it will be called
    char part[ATOMIC_FILE_PATH_MAX]; // as it is called now; empty: there is none
    int fd;                          // to write to; -1: somebody else makes it (atomic_file_plan)
};

// RS_EIO, with the path in front, when a file must not be put there because of what is there now; 0 when nothing is.
int atomic_file_check(const char *path, struct fail *why);

// Makes f->part. The caller ends with atomic_file_finish or atomic_file_drop. RS_EIO as atomic_file_check, or when the
// system refuses; RS_EINPUT when the name is too long. The words begin with the path, here and below.
int atomic_file_begin(struct atomic_file *f, const char *path, struct fail *why);

// The same, but f->part is only a name yet: who writes makes it with atomic_file_open. RS_E... as there.
int atomic_file_plan(struct atomic_file *f, const char *path, struct fail *why);

int atomic_file_write(struct atomic_file *f, const void *bytes, size_t size, struct fail *why);

// The file is whole: it gets its name. After a failure, RS_EIO, it is gone.
int atomic_file_finish(struct atomic_file *f, struct fail *why);

// Whether it is called as a file is that somebody writes under a name of its own.
bool atomic_file_is_part(const char *path);

// What is written so far gets its name, if nothing has that, and is written on: f->fd is the caller's from then on. It
// is not waited for the disk. RS_EIO, with f->part there.
int atomic_file_claim(struct atomic_file *f, struct fail *why);

// Removes what was written; all zero, finished and dropped ones are fine.
void atomic_file_drop(struct atomic_file *f);

// A file that was not there before, to write to, as a file descriptor; never through a link. It is locked until it is
// closed, so that nobody takes it for one that was left behind. RS_EIO, also when there is one of that name.
int atomic_file_open(int *out, const char *path, struct fail *why);

// Whether what is open there, of the process `pid` by its name, is ours and was left by a process that lives no more.
// From then on it is locked by us.
bool atomic_file_is_abandoned(int fd, long pid);

// Removes from the folder what killed programs of this user left there. What is doubtful stays.
void atomic_file_clear(const char *folder);

#endif
