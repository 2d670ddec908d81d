// SPDX-License-Identifier: MIT
// match.h: which of the pieces seen now is which of those that lay there before.
#ifndef RINGSIDE_VISION_TRACK_MATCH_H
#define RINGSIDE_VISION_TRACK_MATCH_H

#include "vision/track/kept.h"
#include "vision/track/trail.h"

// One still frame, measured.
struct moment {
    const struct gate *gate;
    const struct blobs *blobs;
    const enum patch_kind *kind; // beside the blobs
    const struct board_pose *pose;
    const struct detection_list *seen;
    const struct background *empty; // the empty board; NULL: not known
    const struct trail *trail;      // what ran since the last one
    double t_s;                     // since when it has looked like this
    bool hand;                      // a hand is over the board: what it may hide is left undecided
    bool new_view; // the camera moved since: the clean frame says nothing, places are asked on the board
    bool afresh;   // and so much that nothing can be said of what happened before; new_view is true too
};

enum fate {
    FATE_STAYED,    // it lies where it lay
    FATE_UNDECIDED, // a hand may cover it
    FATE_MOVED,     // it lies at seen[to] now
    FATE_LEFT,      // it lies nowhere
};

struct match {
    enum fate fate[MAX_PIECES]; // beside the kept pieces
    bool seen[MAX_PIECES];      // the finder saw one where it lay
    int to[MAX_PIECES];         // index into `found`; of one that stayed only in a new view, -1 when it was not seen
    int found_count;            // places where a piece lies now and none lay before
    struct detection found[MAX_PIECES];
    bool taken[MAX_PIECES]; // a kept piece moved there
};

void match_pieces(struct match *out, const struct kept *kept, int n, const struct moment *m);

// What the finder did not see, in a ditch or in the hole, may still be seen as a patch of its colour that was not there.
// Adds it to what was found, as taken, and gives back its index; -1 when there is no such patch.
int match_blob(struct match *out, const struct kept *kept, int n, const struct detection *like, const struct moment *m);

// True when both may be the same piece, by kind, colour and size.
bool match_alike(const struct detection *a, const struct detection *b);

#endif
