// SPDX-License-Identifier: MIT
// said.h: what a judge says, as it is typed: [shot=N] [piece=N] [input=N] [side=S] [value=N[,N]] WORD [TEXT].
#ifndef RINGSIDE_REFEREE_COMMANDS_SAID_H
#define RINGSIDE_REFEREE_COMMANDS_SAID_H

#include "calibration/fail.h"
#include "calibration/observation.h"

// *out has no time yet. RS_EINPUT, with the nearest as a suggestion, for a word that no game knows, a number that is none, or
// when there is no word.
int said_read(struct observation *out, int words, char **word, struct fail *why);

#endif
