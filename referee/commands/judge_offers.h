// SPDX-License-Identifier: MIT
// judge_offers.h: what a judge's page offers in a game: keys, fouls and the like by name, which calls can be overruled.
#ifndef RINGSIDE_REFEREE_COMMANDS_JUDGE_OFFERS_H
#define RINGSIDE_REFEREE_COMMANDS_JUDGE_OFFERS_H

#include <jansson.h>

#include "referee/rules/match.h"

// {"keys": as judge_keys_json, "fouls": [{"what": "foul", "text": "hunching", "words": "hunching", "side": false} ...],
// "overrule": ["N5", "taw-left" ...]}: `side`: it is about one; rules whose calls an `overrule` takes back, by their
// numbers, or by their words where the judge's own word has the same number. A new object; NULL: no memory.
json_t *judge_offers_json(const struct game *game);

#endif
