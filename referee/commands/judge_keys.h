// SPDX-License-Identifier: MIT
// judge_keys.h: what a judge says with one key while a game is watched.
#ifndef RINGSIDE_REFEREE_COMMANDS_JUDGE_KEYS_H
#define RINGSIDE_REFEREE_COMMANDS_JUDGE_KEYS_H

#include <stdio.h>

#include <jansson.h>

#include "referee/rules/match.h"

// The input that the key stands for in this game, as the match stands; false when it stands for none.
bool judge_keys_input(struct observation *out, int key, const struct match *m);

// What the key says in this game, "take the last shot back"; NULL when nothing. Static.
const char *judge_keys_help(int key, const struct game *game);

// Why a key that says something in this game stands for no input as its match stands. Static.
const char *judge_keys_lacks(int key, const struct match *m);

// The keys of that game, one a line: "  u  take the last shot back".
void judge_keys_print(FILE *to, const struct game *game);

// The same for pages: [{"key": "u", "what": "undo", "help": "take the last shot back"} ...]. A new list; NULL when
// there is no memory.
json_t *judge_keys_json(const struct game *game);

#endif
