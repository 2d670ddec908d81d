// SPDX-License-Identifier: MIT
// bundle_file.h: a bundle as a file: what was seen and what came of it, in one archive that can be judged again.
//
// A tar archive of a few files with fixed names, in this order: bundle.json (what was asked for, by which ringside, and
// how it ended), board.json, lens.json where there was one, the frames, log.jsonl (the observations) and calls.jsonl
// (what --json printed). No name of a person, a machine or a folder is in it. While it is made or looked at its files
// lie in a scratch folder. What is read is checked as if an enemy had written it.
#ifndef RINGSIDE_REFEREE_COMMANDS_BUNDLE_FILE_H
#define RINGSIDE_REFEREE_COMMANDS_BUNDLE_FILE_H

#include <stdbool.h>

#include "calibration/fail.h"
#include "referee/rules/format.h"

#define BUNDLE_BOARD "board.json"
#define BUNDLE_LENS "lens.json"
#define BUNDLE_PHOTO "frames.png"
#define BUNDLE_LOG "log.jsonl"
#define BUNDLE_CALLS "calls.jsonl"
#define BUNDLE_AGAIN "again." // before the names of what comes of judging a second time

enum { BUNDLE_WORDS_MAX = 64, BUNDLE_PATH_MAX = 4096 };

struct bundle {
    char version[BUNDLE_WORDS_MAX]; // of the ringside that made it
    char game[BUNDLE_WORDS_MAX];
    char frames[16];          // name of the file; empty: there is only a log
    double from_s, to_s;      // which part of the recording; 0, 0 for a photograph and a log
    struct match_setup match; // what was agreed
    bool without_board;       // it ended without a board that is good enough to call,
    char said[512];           // with these words
};

// A folder for the files while a bundle is made or looked at, in $TMPDIR or /tmp: ringside-bundle-PID-XXXXXX.
struct bundle_scratch {
    char path[BUNDLE_PATH_MAX];
    int folder; // open, and locked as atomic_file_open does it
};

// What killed programs left there is removed before, by the same measures as atomic_file_clear's. RS_EIO.
int bundle_scratch_make(struct bundle_scratch *out, struct fail *why);

// Removes the folder and the files that a bundle can have, first and second time.
void bundle_scratch_remove(struct bundle_scratch *s);

// The path of a file in it.
const char *bundle_path(char path[BUNDLE_PATH_MAX], const char *folder, const char *name);

// Writes bundle.json, packs it with the folder's other files; `path` is whole or not there. RS_EIO, RS_ELIB, RS_ENOMEM.
int bundle_pack(const char *path, const char *folder, const struct bundle *b, struct fail *why);

// Unpacks into an empty folder and reads bundle.json. RS_EIO when it cannot be read; RS_EINPUT when it is no bundle, is
// cut off, or holds what no bundle does; RS_ENOMEM.
int bundle_unpack(struct bundle *out, const char *folder, const char *path, struct fail *why);

#endif
