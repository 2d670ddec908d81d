// SPDX-License-Identifier: MIT
// voice.h: utterances spoken, in a thread of its own: to the sound card, or to a WAV file in a film's time.
//
// Whoever tells an utterance never waits. What is begun is spoken to its end, then all that came meanwhile as one
// (voice_queue.h). In a film's time an utterance is spoken when the film had come so far when it was told, or when the
// one before ends, whatever the clock said: the same film is spoken over alike. A sound card that is not there, as is
// seen at once, or goes away is told once, and tried again with the next utterance.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_VOICE_H
#define RINGSIDE_REFEREE_ANNOUNCE_VOICE_H

#include "referee/announce/latencies.h"
#include "referee/announce/sound.h"
#include "referee/announce/voice_words.h"

struct voice;

struct voice_wish {
    const char *name;          // as espeak-ng names voices
    int words_per_minute;      // speech.h
    const char *wav;           // the file; NULL: the sound card
    const struct sound *sound; // NULL: those; otherwise where it goes instead, in the clock's time
};

// What espeak-ng lacks is told here, what the sound card lacks later. RS_E... as speech_create and wav_create, RS_ELIB
// when there is no thread. The caller ends with voice_finish or voice_free.
int voice_create(struct voice **out, const struct voice_wish *wish, struct fail *why);

void voice_say(struct voice *v, const struct utterance *u);

// The film has come so far. NULL: nothing happens.
void voice_advance(struct voice *v, double film_s);

// What became of the sound card, once each. False when there is no news. NULL: none.
bool voice_news(struct voice *v, struct fail *out);

struct voice_delays {
    struct latencies first_sound; // from an utterance that was told while nothing was spoken until it is heard
    long waited;                  // spoken besides: they were told while the words before were
};

// Of all that is spoken so far. NULL: nothing is.
void voice_delays(struct voice_delays *out, struct voice *v);

// What waits is spoken: to a sound card for so long, unless a signal asks for an end; a file is as long as the film at
// least, and gets its name. Frees v. RS_EIO when the file could not be written; there is none then.
int voice_finish(struct voice *v, double patience_s, struct fail *why);

// Cuts off what is being said, and leaves no file. Takes NULL.
void voice_free(struct voice *v);

#endif
