// SPDX-License-Identifier: MIT
// voice_words.h: what a referee says of a ruling, as sentences: made from what is known, not from the terminal's lines.
//
// Said is what changes: the piece that was shot, others that lie in another area than before, the score when it is
// another one than was told last. Of a correction only what stands now. With `full` also where each piece lies, the
// score after every shot, who is next and what must come off, for those who cannot see the board. One thread at a time.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_VOICE_WORDS_H
#define RINGSIDE_REFEREE_ANNOUNCE_VOICE_WORDS_H

#include "referee/announce/voice_lines.h"
#include "referee/rules/match.h"

enum { UTTERANCE_WHAT_MAX = 640, UTTERANCE_STANDS_MAX = 320, UTTERANCE_MAX = 2 * UTTERANCE_WHAT_MAX };

// What is said in one go.
struct utterance {
    double t_s;                        // when what it tells of came to rest or was said
    double told_s;                     // the clock, when the voice was told
    int shot;                          // that it is about; 0: about none
    bool corrects;                     // what was said of that shot before does not stand any more
    bool asks;                         // the judge is asked something
    char what[UTTERANCE_WHAT_MAX];     // what happened: "Fifteen."
    char stands[UTTERANCE_STANDS_MAX]; // how it stands now: "Home leads thirty to twenty."
};

struct voice_words {
    const struct voice_lines *lines; // borrowed
    bool full;

    // What was told last.
    int points[SIDES], score[SIDES], to_shoot;
    bool out_of_sight;   // that the board is
    struct utterance so; // of a correction that is not acknowledged yet
};

// { lines, full }, the rest zero, is the beginning. True when there is something to say, in *out.
bool voice_words_of(struct utterance *out, struct voice_words *w, const struct match *m, const struct ruling *r);

#endif
