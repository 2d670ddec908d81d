// SPDX-License-Identifier: MIT
// json_file.h: a small JSON object from a file of a user, read with care into a struct, field by field as a table says.
#ifndef RINGSIDE_CALIBRATION_JSON_FILE_H
#define RINGSIDE_CALIBRATION_JSON_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "calibration/fail.h"

enum { JSON_FILE_MAX = 1024 * 1024 }; // bytes; a board or a lens has a few hundred

// The caller frees *out with json_decref. RS_EIO when it cannot be read; RS_EINPUT when it is too large, not JSON or
// not an object; RS_ENOMEM.
int json_file_read(json_t **out, const char *path, struct fail *why);

// The value that `length` bytes are; the caller frees *out with json_decref. *line (NULL is allowed): where in them it
// is wrong, from 1. RS_EINPUT when they are no JSON, a key comes twice, a number is beyond what any holds or it is
// nested deeper than any file here is; RS_ENOMEM.
int json_text_read(json_t **out, const char *text, size_t length, int *line, struct fail *why);

// Whole or not at all, so that nobody ever reads half a file. RS_EIO, RS_ENOMEM.
int json_file_write(const char *path, const json_t *o, struct fail *why);

// RS_EINPUT unless the object's field `name` says that it is of that version.
int json_version_check(const json_t *o, const char *name, int version, struct fail *why);

enum json_kind {
    JSON_LENGTH,  // a double
    JSON_LENGTHS, // an array of doubles, in the file a list
    JSON_COUNT,   // an int
    JSON_YES_NO,  // a bool
    JSON_WORD,    // an enum of the size of an int, by its words
    JSON_TEXT,    // an array of char, ended by a zero
};

// A member of a struct under its name in the file.
struct json_field {
    const char *name;
    enum json_kind kind;
    size_t offset;
    double low, high;         // of lengths and counts: the least and the most that it can be, by itself
    const char *unit;         // of lengths, for people; NULL for ratios
    bool optional;            // may be left out: the member stays as it is
    const char *const *words; // of an enum from 0 on, ended by NULL
    size_t count;             // of lengths in a list; bytes that a text has room in
};

// Reads one field, or all of them in their order, into the struct `out`. RS_EINPUT with the first that is missing or
// wrong: its name, what it is and what it may be, in one line.
int json_field_read(void *out, const json_t *o, const struct json_field *f, struct fail *why);
int json_fields_read(void *out, const json_t *o, const struct json_field *fields, size_t count, struct fail *why);

// Brings what was measured into the range of its field: a number of it that is beyond, or infinite, becomes the nearest
// that is within. What is no number stays and cannot be written.
void json_field_clamp(void *in, const struct json_field *f);

// Adds one field, or all, of the struct `in` to the object: 0; -1 when a number is not finite or a text no UTF-8.
int json_field_write(json_t *o, const void *in, const struct json_field *f);
int json_fields_write(json_t *o, const void *in, const struct json_field *fields, size_t count);

#endif
