// SPDX-License-Identifier: MIT
// fuzz.h: what searches for harm: targets that take any bytes, and what all of them ask of whatever comes of these.
//
// A target hands the bytes to the product as a stranger would and gives up the program (fuzz_must) when a promise is
// broken; the sanitizers do when memory is. libFuzzer searches with all of them (fuzz_main.c, `make fuzz`); fuzz_test.c
// hands in what is kept in seeds/ and found/. One thread.
#ifndef RINGSIDE_TESTS_FUZZ_FUZZ_H
#define RINGSIDE_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "calibration/fail.h"

struct fuzz_target {
    const char *name; // as its folders in seeds/ and found/ are called
    void (*take)(const uint8_t *data, size_t size);
};

// Up to one without a name.
extern const struct fuzz_target fuzz_targets[];

void fuzz_bundle(const uint8_t *data, size_t size);
void fuzz_camera(const uint8_t *data, size_t size);
void fuzz_command(const uint8_t *data, size_t size);
void fuzz_decoded(const uint8_t *data, size_t size);
void fuzz_file(const uint8_t *data, size_t size);
void fuzz_fold(const uint8_t *data, size_t size);
void fuzz_footage(const uint8_t *data, size_t size);
void fuzz_log(const uint8_t *data, size_t size);
void fuzz_picture(const uint8_t *data, size_t size); // one of the kinds of fuzz_file
void fuzz_record(const uint8_t *data, size_t size);
void fuzz_track(const uint8_t *data, size_t size);

// Else tells the words and aborts, which libFuzzer and a test take for a find.
void fuzz_must(bool holds, const char *words);

// What every refusal has: a code of fail.h, one line, in it nothing that a terminal would take for a command. True when
// rc is one.
bool fuzz_refused(int rc, const struct fail *why);

// A file with these bytes: its path, which holds until fuzz_close.
enum { FUZZ_PATH_MAX = 64 };
int fuzz_open(char path[FUZZ_PATH_MAX], const void *data, size_t size);
void fuzz_close(int file);

// A folder of this program's own, gone when it ends. It is empty at first.
const char *fuzz_folder(void);

// How many files and folders lie there, with those in folders of it, whose names have that in them; "": all.
int fuzz_folder_count(const char *named);
void fuzz_folder_clear(void);

// A record of a match by an honest referee, in a file of that name.
void fuzz_honest_record(const char *path);

// Else as above: what is told to people or machines is lines of UTF-8 in which nothing is a command to a terminal.
void fuzz_must_be_plain(const char *told, size_t length);

// Where nobody reads.
FILE *fuzz_nowhere(void);

// Bytes as choices: at their end every further one is 0.
struct fuzz_choices {
    const uint8_t *at, *end;
};

uint32_t fuzz_below(struct fuzz_choices *c, uint32_t below); // 1 .. 2^24; takes as many bytes as needed
double fuzz_number(struct fuzz_choices *c);                  // any double: ordinary ones mostly, then the wild

#endif
