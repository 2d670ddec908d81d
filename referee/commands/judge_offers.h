// SPDX-License-Identifier: MIT
// judge_offers.h: what a judge's page can offer in a game: the keys, fouls and the like by name, and which calls can be overruled.
#ifndef RINGSIDE_REFEREE_COMMANDS_JUDGE_OFFERS_H
#define RINGSIDE_REFEREE_COMMANDS_JUDGE_OFFERS_H

#include <jansson.h>

#include "referee/rules/match.h"

// {"keys": as judge_keys_json, "fouls": [{"what": "foul", "text": "hunching", "words": "hunching", "side": false} ...],
// "overrule": ["N5" ...]}: `side`: it is about one; the numbers are of rules whose calls an `overrule` takes back. A new object;
// NULL when there is no memory.
json_t *judge_offers_json(const struct game *game);

#endif
