// SPDX-License-Identifier: MIT
// match_setup.h: what is agreed before the first shot, as JSON: in a log's header, in a bundle, in a match file.
//
//     {"format": "nca-doubles", "sides": [{"name": "Home", "colour": "black", "players": ["Ann", "Bo"]}, ...],
//      "first": "Home", "judge": true}
//
// All may be left out. A format is one of the game's by its name, or an object with what differs from the game's first.
#ifndef RINGSIDE_REFEREE_MATCH_SETUP_H
#define RINGSIDE_REFEREE_MATCH_SETUP_H

#include <jansson.h>

#include "calibration/fail.h"
#include "referee/rules/match.h"

// The game's first format, nobody named. `game` NULL: a game that this program does not know.
struct match_setup match_setup_usual(const struct game *game);

// RS_EINPUT when the game is not played on a board, or with pieces, of that kind.
int match_setup_fits(const struct game *game, const struct board *board, struct fail *why);

// A new object the caller frees with json_decref; NULL when a name is not UTF-8. The format is written out whole.
json_t *match_setup_to_json(const struct match_setup *setup);

// RS_EINPUT with the field that is wrong. `game` NULL: the format has to be written out.
int match_setup_from_json(struct match_setup *out, const json_t *o, const struct game *game, struct fail *why);

// The colours alone, as older logs and bundles have them: a list of at most SIDES words.
int match_setup_from_colours(struct match_setup *out, const json_t *list, const struct game *game, struct fail *why);

// RS_EINPUT when the sides have one name or colour but for the case of letters, of any alphabet. Not asked of logs: some
// were written before.
int match_setup_check_names(const struct match_setup *setup, struct fail *why);

// RS_EINPUT when a side has more players than play for one in the format: they would take turns all the same.
int match_setup_check_players(const struct match_setup *setup, struct fail *why);

// Colours as they are seen, which is in small letters: of what people say. A log keeps what it has.
void match_setup_seen_colours(struct match_setup *setup);

#endif
