// SPDX-License-Identifier: MIT
// sound.h: where spoken samples go: a sound card, a file.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_SOUND_H
#define RINGSIDE_REFEREE_ANNOUNCE_SOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration/fail.h"

// Samples are 16 bits, one channel. All is called by one thread. RS_EIO when it cannot be heard or written.
struct sound {
    // Before each utterance; `at_s`: when it begins, for what keeps a film's time.
    int (*begin)(void *self, double at_s, int rate_hz, struct fail *why);
    int (*play)(void *self, const int16_t *samples, int count, struct fail *why);
    // All of it was heard, or is written. `cut`: at once, whatever was not.
    int (*end)(void *self, bool cut, struct fail *why);
    // The clock, when the first sample of this utterance was or will be heard; 0: not known yet. NULL: on playing.
    double (*heard_s)(void *self);
    void *self;
};

// The default sound card, through ALSA; it is opened with the first utterance and let go behind each, so that others
// have it meanwhile and one that was plugged in later is found. The caller frees *out with sound_card_free, which takes
// NULL. RS_ENOMEM.
struct sound_card;
int sound_card_create(struct sound_card **out, struct fail *why);
void sound_card_free(struct sound_card *c);
struct sound sound_card_sound(struct sound_card *c);

// A WAV file of a film's time: silence where nobody speaks. It has its name when it is finished; before that it is a
// .part (atomic_file.h) whose header is kept true. The caller ends with wav_finish, which makes it last until `until_s`
// at least, or wav_drop, which removes it; both free it, and wav_drop takes NULL. RS_E... as atomic_file_begin;
// RS_ENOMEM.
struct wav;
int wav_create(struct wav **out, const char *path, struct fail *why);
int wav_finish(struct wav *w, double until_s, int rate_hz, struct fail *why);
void wav_drop(struct wav *w);
struct sound wav_sound(struct wav *w);

#endif
