// SPDX-License-Identifier: MIT
// standing_json.h: how a match stands, for machines: what every event carries, and what texts are made from.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_STANDING_JSON_H
#define RINGSIDE_REFEREE_ANNOUNCE_STANDING_JSON_H

#include <jansson.h>

#include "referee/rules/match.h"

// A new object the caller frees with json_decref; NULL when a name is not UTF-8.
json_t *standing_json(const struct match *m);

#endif
