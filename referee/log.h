// SPDX-License-Identifier: MIT
// log.h: observations as JSON Lines, there and back, bit for bit.
//
// The first line is a header with all that a judge needs besides the observations: game, board in numbers, what was
// agreed. Each further line is one observation, times never falling, ids never used twice. A line is on the disk before
// the next one is begun, so a program killed at any moment loses at most the line in flight; the reader accepts such a
// cut last line. Every other line is checked as if an enemy had written it. Only what a person said may be any word:
// the games note what they do not know (rules/input.h).
#ifndef RINGSIDE_REFEREE_LOG_H
#define RINGSIDE_REFEREE_LOG_H

#include <stdio.h>

#include <jansson.h>

#include "calibration/board.h"
#include "calibration/camera.h"
#include "calibration/fail.h"
#include "calibration/observation.h"
#include "referee/log_line.h"
#include "referee/rules/format.h"

enum {
    LOG_LINE_MAX = 64 * 1024, // bytes; an honest line has a few hundred
};

struct log_header {
    char game[64];
    char source[256]; // name of the footage or camera
    // Size of the footage, for two may have one name; 0: a camera, or not known, as in older logs.
    long long source_bytes;
    struct board board;
    bool has_camera;
    struct camera camera;     // when has_camera
    struct match_setup setup; // of logs that were written before there was one: as match_setup_usual
};

// A new object the caller frees with json_decref: the first line. NULL when a number is not finite or a text not UTF-8.
json_t *log_header_json(const struct log_header *header);

// One line of a file, without its end, which the last one may lack: then *ended is false. 1, 0 at the end of the file,
// RS_EINPUT when it is too long or no text, RS_EIO.
int log_text_read(char out[LOG_LINE_MAX], bool *ended, FILE *file, struct fail *why);

// The object that a line is; the caller frees *out with json_decref, NULL after a failure. RS_E... as json_text_read.
int log_object_read(json_t **out, const char *text, struct fail *why);

struct log_writer;

// Makes a file that was not there before, never through a link (atomic_file_claim), for NULL one without a name that is
// gone when it is closed, and writes the header. The caller ends with log_writer_free, which takes NULL. RS_EIO when
// there is a file of that name or it cannot be written, RS_EINPUT when the header is none that log_reader_open takes,
// RS_ENOMEM.
int log_writer_create(struct log_writer **out, const char *path, const struct log_header *header, struct fail *why);

// Appends one line and hands it to the system. RS_EIO; RS_EINPUT when log_read would refuse the line; RS_ENOMEM.
int log_write(struct log_writer *w, const struct observation *o, struct fail *why);
void log_writer_free(struct log_writer *w);

// From now on a disk that takes nothing is no failure: what cannot be written is held, up to so many bytes, and written
// in order when there is room again, with the next line or by log_writer_lacks. The file is always a beginning of it.
void log_writer_hold(struct log_writer *w, size_t most_bytes);

// Tries to write what is held. How many lines the file lacks, and then why.
long log_writer_lacks(struct log_writer *w, struct fail *why);

struct log_reader;

// Opens a log and reads its header. The caller ends with log_reader_free, which takes NULL.
// RS_EIO when it cannot be read, RS_EINPUT with the line number when it is not a log, RS_ENOMEM.
int log_reader_open(struct log_reader **out, const char *path, struct fail *why);

// The same of a file that is open and stands at the log's beginning, and is closed with the reader, after a failure at
// once; `name` stands in messages.
int log_reader_open_file(struct log_reader **out, FILE *file, const char *name, struct fail *why);
const struct log_header *log_reader_header(const struct log_reader *r);

// 1 and *out, 0 at the end, RS_EINPUT with the line number when a line is not an observation, RS_EIO.
int log_read(struct log_reader *r, struct observation *out, struct fail *why);

// What was written, or is read, again from its beginning, by a reader of its own; the log goes on beside it. RS_EIO,
// also for a log that can be read only once, RS_ENOMEM.
int log_writer_read(struct log_reader **out, struct log_writer *w, struct fail *why);
int log_reader_again(struct log_reader **out, const struct log_reader *r, struct fail *why);

// After the end: number of the last line when it was cut off (and left out), otherwise 0.
long log_reader_cut_line(const struct log_reader *r);
void log_reader_free(struct log_reader *r);

#endif
