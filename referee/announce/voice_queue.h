// SPDX-License-Identifier: MIT
// voice_queue.h: utterances that wait to be spoken: next is the newest state, and nothing is said that does not hold.
//
// Whoever speaks takes all that waits as one: of what was corrected meanwhile nothing, of older scores nothing, of what
// happened the last two and whatever asks the judge something. An utterance that was taken is spoken to its end. Plain
// data, no lock of its own.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_VOICE_QUEUE_H
#define RINGSIDE_REFEREE_ANNOUNCE_VOICE_QUEUE_H

#include "referee/announce/voice_words.h"

enum { VOICE_QUEUE_MAX = 32 };

// { 0 } is empty.
struct voice_queue {
    int count;
    struct utterance waiting[VOICE_QUEUE_MAX];
};

// The oldest makes way for one that is too many.
void voice_queue_add(struct voice_queue *q, const struct utterance *u);

// When the first that waits happened; INFINITY: none waits.
double voice_queue_first_s(const struct voice_queue *q);

// All that happened until now_s, sentence by sentence. False when nothing waits from before, or nothing of it holds.
bool voice_queue_take(char out[UTTERANCE_MAX], struct voice_queue *q, double now_s);

#endif
