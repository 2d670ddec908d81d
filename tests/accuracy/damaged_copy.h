// SPDX-License-Identifier: MIT
// damaged_copy.h: copies of a recording to which something was done, as disks, cards and programs do it.
#ifndef RINGSIDE_TESTS_ACCURACY_DAMAGED_COPY_H
#define RINGSIDE_TESTS_ACCURACY_DAMAGED_COPY_H

#include <stdint.h>

#include "calibration/fail.h"

enum damage {
    DAMAGE_ZEROED,    // one to three stretches of the file, 16 bytes to 128 KiB
    DAMAGE_CUT,       // its end is missing
    DAMAGE_DROPPED,   // coded pictures are missing: single ones or a run
    DAMAGE_REORDERED, // coded pictures stand in each other's place
    DAMAGE_REPEATED,  // a picture, or a run of them, comes again: in the place of others or with all others later
    DAMAGE_SHIFTED,   // times jump ahead, fall back, stand still or are squeezed together
    DAMAGE_TAKEN_OUT, // a stretch of the file, which is shorter by it
    DAMAGE_FLIPPED,   // some bits of the file: what decodes to something is then nowhere told to be wrong
    DAMAGES
};

enum { DAMAGE_WORDS_MAX = 128 };

// Writes a copy with damage of that kind, by chance from the seed: the same for the same seed. `to` is its path without
// an ending, which is put behind it: .mp4 or .mkv. What was done stands in `words`. RS_EIO, RS_EINPUT, RS_ENOMEM.
int damaged_copy(char words[DAMAGE_WORDS_MAX], char *to, enum damage kind, const char *from, uint32_t seed,
                 struct fail *why);

const char *damage_name(enum damage kind);

#endif
