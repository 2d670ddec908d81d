// SPDX-License-Identifier: MIT
// standing_json.h: how a match stands, for machines: what every event carries, and what texts are made from.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_STANDING_JSON_H
#define RINGSIDE_REFEREE_ANNOUNCE_STANDING_JSON_H

#include <jansson.h>

#include "referee/rules/match.h"

// A new object the caller frees with json_decref; NULL when a name is not UTF-8.
json_t *standing_json(const struct match *m);

// The last SAID_KEPT things that people said, the newest first: a list of {"input": 3, "t_s", "by", "what": "zone", "words":
// "zone 15, shot 4, piece 7", "in_force", "retracted_by": 5 or null}. As standing_json.
json_t *standing_json_said(const struct match *m);

#endif
