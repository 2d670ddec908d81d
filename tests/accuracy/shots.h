// SPDX-License-Identifier: MIT
// shots.h: what the program tells of a clip's shots, and which of them are the truth's.
#ifndef RINGSIDE_TESTS_ACCURACY_SHOTS_H
#define RINGSIDE_TESTS_ACCURACY_SHOTS_H

#include <stdbool.h>

#include "tests/accuracy/reading.h"
#include "tests/accuracy/score.h"

// Whose word stands for whom: the reading's names of the two sides, the truth's.
struct sides {
    char read[2][SCORE_WORD], real[2][SCORE_WORD];
};

// The path of the video that a truth file is of.
void shots_video(char *out, size_t size, const char *truth_path, const json_t *truth);

// All events that `ringside review --json` prints of a video, as an array to be given back. RS_EINPUT when the truth is
// of no known kind, RS_ELIB when the program cannot be started.
int shots_review(json_t **out, const char *ringside, const json_t *truth, const char *video, struct fail *why);

// Those of that kind ("shot"), borrowed; how many.
int shots_events(json_t **out, int most, const json_t *events, const char *kind);

// The reading of the shot nearest in time, each used once; -1 for none.
int shots_reading_of(const json_t *shot, json_t **got, int n, bool *used);

// From a shot and its reading; the name that a reading's word stands for.
void sides_learn(struct sides *s, const json_t *shot, const json_t *got);
const char *sides_of(const struct sides *s, const char *read);

#endif
