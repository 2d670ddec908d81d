// SPDX-License-Identifier: MIT
// record_export.h: a match of the record for others: for machines, spreadsheets, people who sign, and other programs.
#ifndef RINGSIDE_REFEREE_RECORD_EXPORT_H
#define RINGSIDE_REFEREE_RECORD_EXPORT_H

#include <stdio.h>

#include "referee/match_clips.h"
#include "referee/record_read.h"

// `format`: "json", "csv", "text", "html", "cmn" or "log". JSON, text, html and cmn tell the match as it stands with
// all its corrections, csv every call that was ever made, log the observations. RS_EINPUT for another format, or a
// match that has no such one; RS_EIO, RS_ENOMEM, and as record_log, here and below.
int record_export(FILE *to, struct record *r, const struct kept_match *m, const char *format, const char *software,
                  struct fail *why);

// The match as a page, format "html", which plays these clips.
int record_export_page(FILE *to, struct record *r, const struct kept_match *m, const struct match_clips *clips,
                       const char *software, struct fail *why);

// Every call as it was made, with what a correction of it names, a line each; then what was said.
int record_print_calls(FILE *to, struct record *r, long match, struct fail *why);

#endif
