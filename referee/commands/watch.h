// SPDX-License-Identifier: MIT
// watch.h: the verb watch with another camera than a command line can name.
#ifndef RINGSIDE_REFEREE_COMMANDS_WATCH_H
#define RINGSIDE_REFEREE_COMMANDS_WATCH_H

#include "referee/commands/options.h"
#include "vision/source/source.h"

// As device_open.
typedef int watch_open(struct source **out, const struct options *o, struct fail *why);

// Until somebody, the time or the source ends it. What a verb's run gives (verbs.h).
int watch_with(watch_open *open, const struct options *given, struct fail *why);

#endif
