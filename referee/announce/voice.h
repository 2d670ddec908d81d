// SPDX-License-Identifier: MIT
// voice.h: calls spoken by espeak-ng, which runs as a child and reads what it is to say.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_VOICE_H
#define RINGSIDE_REFEREE_ANNOUNCE_VOICE_H

#include "referee/announce/announcer.h"

struct voice;

// RS_EIO when espeak-ng is not there, RS_ENOMEM. The caller ends with voice_free, which takes NULL and cuts off what is being said.
int voice_create(struct voice **out, struct fail *why);
void voice_free(struct voice *v);

// Never fails: a voice that was lost is silent, the calls go on. `v` is borrowed.
struct announcer voice_announcer(struct voice *v);

#endif
