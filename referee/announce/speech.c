// SPDX-License-Identifier: MIT
#include "referee/announce/speech.h"

#include <espeak-ng/speak_lib.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Of sound that the library hands over at once: short, so that the first comes early.
enum { CHUNK_MS = 40 };

struct speech {
    int rate_hz;
    bool (*take)(void *self, const int16_t *samples, int count);
    void *self;
};

// As the library is: there is one. It is begun once and stays until the program ends: its own end waits for a thread of
// its own, for ever when it was begun a second time (1.51: espeak_Terminate, espeak_Initialize, espeak_Terminate).
static atomic_bool in_use;
static int begun_hz; // of whoever set in_use

static int hand_over(short *samples, int count, espeak_EVENT *events)
{
    const struct speech *s = events ? events->user_data : NULL;
    return s && samples && count > 0 && !s->take(s->self, samples, count);
}

int speech_create(struct speech **out, const char *voice, int words_per_minute, struct fail *why)
{
    if (atomic_exchange(&in_use, true))
        return rs_fail(why, RS_EINTERNAL, "espeak-ng speaks with one voice at a time");
    struct speech *s = calloc(1, sizeof *s);
    int rc = s ? 0 : rs_fail(why, RS_ENOMEM, "no memory for a voice");
    if (rc == 0 && begun_hz <= 0)
        begun_hz = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, CHUNK_MS, NULL, espeakINITIALIZE_DONT_EXIT);
    if (rc == 0 && begun_hz <= 0)
        rc = rs_fail(why, RS_ELIB, "no voice: espeak-ng finds none of its data; install espeak-ng-data");
    else if (rc == 0 && espeak_SetVoiceByName(voice) != EE_OK)
        rc = rs_fail(why, RS_EINPUT, "no voice is called %.40s: espeak-ng --voices lists them", voice);
    else if (rc == 0 && espeak_SetParameter(espeakRATE, words_per_minute, 0) != EE_OK)
        rc = rs_fail(why, RS_ELIB, "espeak-ng does not speak %d words a minute", words_per_minute);
    if (rc < 0) {
        atomic_store(&in_use, false);
        free(s);
        return rc;
    }
    s->rate_hz = begun_hz;
    espeak_SetSynthCallback(hand_over);
    *out = s;
    return 0;
}

void speech_free(struct speech *s)
{
    if (!s)
        return;
    atomic_store(&in_use, false);
    free(s);
}

int speech_rate_hz(const struct speech *s)
{
    return s->rate_hz;
}

int speech_say(struct speech *s, const char *text, bool (*take)(void *self, const int16_t *samples, int count),
               void *self, struct fail *why)
{
    s->take = take;
    s->self = self;
    if (espeak_Synth(text, strlen(text) + 1, 0, POS_CHARACTER, 0, espeakCHARS_UTF8, NULL, s) != EE_OK)
        return rs_fail(why, RS_ELIB, "espeak-ng does not speak: %.80s", text);
    return 0;
}
