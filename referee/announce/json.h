// SPDX-License-Identifier: MIT
// json.h: calls, shots, pictures and how a match stands for machines; samples/schema has each field.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_JSON_H
#define RINGSIDE_REFEREE_ANNOUNCE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include "referee/announce/announcer.h"
#include "referee/rules/position.h"
#include "vision/detection.h"
#include "vision/quality.h"
#include "vision/source/source.h"

// "ringside" in what is told: fields are added, and it changes when one of them changes its meaning.
enum { JSON_VERSION = 3 };

// JSON Lines: an object with "event": "call" for each call, then one with "event": "shot" when a shot ended. `to` is
// borrowed and must outlive the announcer; each line is handed to the system at once.
struct announcer json_announcer(FILE *to);

// The same objects, appended to `list`, a JSON array that is borrowed and must outlive the announcer.
struct announcer json_collector(json_t *list);

// What was lost of a recording, as an event of its own. A new object; NULL when there is no memory.
json_t *json_losses(const struct source_info *source);

// The shot that ended, without the standing that its event has. A new object; NULL: something is not to be had in JSON.
json_t *json_shot(const struct match *m, const struct ruling *r);

// How a match stands: what every event carries, and texts are made from. A new object; NULL when a name is not UTF-8.
json_t *standing_json(const struct match *m);

// What a number is at least and at most: [4, 5]. A new list; NULL when there is no memory.
json_t *json_points_range(struct points p);

// The last SAID_KEPT things that people said, the newest first: a list of {"input": 3, "t_s", "by", "what": "zone",
// "words": "zone 15, shot 4, piece 7", "in_force", "retracted_by": 5 or null}. As standing_json.
json_t *standing_json_said(const struct match *m);

// One picture: the board as found, and each piece with its zone. `pieces` and `position` run side by side: piece i has
// the id i + 1. Not found: only "found": false. The caller frees it with json_decref; NULL when a number is not finite.
json_t *json_picture(const char *image, const char *game, const struct board_pose *pose,
                     const struct detection_list *pieces, const struct position *position);

// What limits a view, or would better it. A new list; NULL when there is no memory.
json_t *json_words(char (*words)[QUALITY_WORDS_MAX], int count);

// The board as found, as in json_picture.
json_t *json_board(const struct board_pose *pose);

// Takes over `item`. Where that cannot be told as JSON (NULL), or there is no memory, *list is NULL from then on: it
// has all that was put into it, or is none.
void json_list_add(json_t **list, json_t *item);

// An object as it is printed. Takes over `o`, for which NULL is fine. The caller frees it with free; NULL when there is
// no memory or was no object.
char *json_text(json_t *o);

// Prints one object as a line. Takes over `o`, which may be NULL: RS_EINTERNAL. RS_EIO.
int json_print(FILE *to, json_t *o, struct fail *why);

#endif
