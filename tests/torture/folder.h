// SPDX-License-Identifier: MIT
// folder.h: what lies in a folder, so that two can be compared: relative names, sizes and sums of what is in the files.
#ifndef RINGSIDE_TESTS_TORTURE_FOLDER_H
#define RINGSIDE_TESTS_TORTURE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

enum { FOLDER_FILES_MAX = 64, FOLDER_NAME_MAX = 200, FOLDER_PATH_MAX = 600 };

struct folder {
    int count;
    struct folder_file {
        char name[FOLDER_NAME_MAX];  // as it is
        char alike[FOLDER_NAME_MAX]; // with each digit a 0: a log is named by date and time
        bool is_folder;
        uint64_t sum; // of the bytes
    } file[FOLDER_FILES_MAX];
};

// False when something cannot be read or there is too much.
bool folder_read(struct folder *out, const char *path);
const struct folder_file *folder_find(const struct folder *f, const char *alike);

// Copies the file `name` of one folder into another; false when it cannot.
bool folder_copy(const char *to, const char *from, const char *name);
void folder_remove(const char *path); // with all that is in it

#endif
