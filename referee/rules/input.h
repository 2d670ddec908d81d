// SPDX-License-Identifier: MIT
// input.h: what a person may say, as the word that stands in logs and calls.
#ifndef RINGSIDE_REFEREE_RULES_INPUT_H
#define RINGSIDE_REFEREE_RULES_INPUT_H

#include "calibration/observation.h"

// "undo", "new-game" ... as it was said when no game knows the word. Borrowed from `o` or static.
const char *input_word(const struct observation *o);

// The word of that kind; NULL for INPUT_NONE and INPUT_OTHER.
const char *input_kind_word(enum input_kind what);

// Sets what was said. A word that is not known is kept as it is (INPUT_OTHER), never refused: it is noted when the game
// is judged, and a log in which somebody said more than this program knows is judged all the same. Cut at OBS_WORD_MAX.
void input_set(struct observation *o, const char *word);

// The number that somebody said: its value, or the last word of its text as older logs have it; -1 for none.
int input_number(const struct observation *o);

// "foul a hand, shot 3", "correct, Ben 8", "put-on 10, Ben 5.2,-3": all that was said, for people to read. Of a pause
// no value, for it is when it was heard.
enum { INPUT_WORDS_MAX = OBS_TEXT_MAX + 6 * OBS_WORD_MAX };
void input_words(char out[INPUT_WORDS_MAX], const struct observation *o);

#endif
