// SPDX-License-Identifier: MIT
// record_stands.h: a match of the record as it stands with all its corrections, and the forms that it is written in.
#ifndef RINGSIDE_REFEREE_RECORD_STANDS_H
#define RINGSIDE_REFEREE_RECORD_STANDS_H

#include <stdio.h>

#include <jansson.h>

#include "referee/match_clips.h"
#include "referee/record_read.h"
#include "referee/rules/input.h"
#include "referee/score_sheet.h"

struct exported {
    const struct kept_match *kept;
    struct log_header header;
    struct match end;
    struct score_sheet sheet;
    json_t *events;  // calls, shots and what happened to the camera, in their order
    json_t *players; // of each event: who played the shot that it came with, empty for nobody
    json_t *before;  // of each shot: a list of the pieces that lay there when it began ("x_in"), and whether and
                     // where it moved them ("moved", "to_x_in", "left")
    json_t *inputs, *changed;        // what was said; the calls that changed by it
    const struct match_clips *clips; // of close calls, for the page; borrowed
};

// The events of one kind ("call", "shot"): a new list, to be given back with json_decref.
json_t *exported_events(const struct exported *e, const char *kind);

// A whole number of an object; 0 where there is none.
int exported_number(const json_t *o, const char *key);

// A text of an object; empty where there is none.
const char *exported_text(const json_t *o, const char *key);

// What was said with one of the inputs.
void exported_said(char out[INPUT_WORDS_MAX], const json_t *input);

// A page of its own: score sheet, sides, close calls, what was said, each shot with the board behind it.
void exported_print_html(FILE *to, const struct exported *e, const char *software);

#endif
