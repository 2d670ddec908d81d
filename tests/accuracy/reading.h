// SPDX-License-Identifier: MIT
// reading.h: what scoring pictures and scoring clips have in common: running the program, reading JSON, pairing places.
#ifndef RINGSIDE_TESTS_ACCURACY_READING_H
#define RINGSIDE_TESTS_ACCURACY_READING_H

#include <jansson.h>

#include "calibration/fail.h"
#include "calibration/units.h"

enum { SCORE_PIECES = 128 };

// A piece, read or real.
struct placed {
    struct pt_in at;
    json_t *of;
};

// How a kind of picture is asked for.
struct score_game {
    const char *kind, *game, *board;
};

const struct score_game *score_game(const char *kind); // NULL when there is no such kind

double score_number(const json_t *o, const char *key);    // 0 when there is none
const char *score_word(const json_t *o, const char *key); // "" when there is none

// The truth beside a picture; NULL when it cannot be read.
json_t *score_truth(const char *path, struct fail *why);

// All that the command prints, to be freed; NULL when it cannot be started.
char *score_output(const char *command);

// The pieces of a list that have a place; how many.
int score_places(struct placed *out, json_t *list);

// For each truth the nearest reading within reach, each used once; -1 for none. Returns the sum of the pairs'
// closeness.
double score_pair_up(int *mate, const struct placed *read, int n, const struct placed *truth, int m, double angle,
                     double reach_in);

// The turn about the centre that makes the readings fit the truth best.
double score_best_turn(const struct placed *read, int n, const struct placed *truth, int m);

#endif
