// SPDX-License-Identifier: MIT
// speech.h: text becomes sound, by espeak-ng's library.
//
// The library has one voice for a whole program: one speech at a time, used by one thread at a time.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_SPEECH_H
#define RINGSIDE_REFEREE_ANNOUNCE_SPEECH_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration/fail.h"

enum {
    SPEECH_RATE_LEAST = 80,
    SPEECH_RATE_USUAL = 165,
    SPEECH_RATE_MOST = 450
}; // words a minute, as espeak-ng has them

struct speech;

// `voice` as espeak-ng names it: "en", "de", "en-us". The caller frees *out with speech_free, which takes NULL. RS_ELIB
// when espeak-ng has no data, RS_EINPUT when it has no such voice, RS_EINTERNAL for a second speech, RS_ENOMEM.
int speech_create(struct speech **out, const char *voice, int words_per_minute, struct fail *why);
void speech_free(struct speech *s);

int speech_rate_hz(const struct speech *s);

// Samples as they come, some hundredths of a second each: false ends it, else the text is spoken to its end. RS_ELIB.
int speech_say(struct speech *s, const char *text, bool (*take)(void *self, const int16_t *samples, int count),
               void *self, struct fail *why);

#endif
