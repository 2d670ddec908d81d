// SPDX-License-Identifier: MIT
// association.h: which of the pieces seen now is which of those tracked, and who moved them, a shot or a hand.
#ifndef RINGSIDE_VISION_TRACK_ASSOCIATION_H
#define RINGSIDE_VISION_TRACK_ASSOCIATION_H

#include "vision/track/tracks.h"
#include "vision/track/trajectory.h"

// One still frame, measured.
struct moment {
    const struct change_detector *changes;
    const struct change_patches *patches;
    const struct board_pose *pose;
    const struct detection_list *seen;
    const struct background *empty; // the empty board; NULL: not known
    const struct motions *motions;  // what ran since the last one
    double t_s;                     // since when it has looked like this
    bool hand;                      // a hand is over the board: what it may hide is left undecided
    bool new_view;   // the camera moved since: the reference says nothing, places are compared on the board
    bool reacquired; // nothing can be said of what happened before; new_view is true too, except after a jump cut
    bool cut;        // to another view: it may be another game; reacquired is true too
};

// For the index of the only one that fits: begin with NO_ONE and hand in each that does. Negative
// when none did, or several.
enum { NO_ONE = -1, SEVERAL = -2 };

static inline int only_one(int so_far, int next)
{
    return so_far == NO_ONE ? next : SEVERAL;
}

enum fate {
    FATE_STAYED,    // it lies where it lay
    FATE_UNDECIDED, // a hand may cover it
    FATE_MOVED,     // it lies at new_place[to] now
    FATE_LEFT,      // it lies nowhere
};

// Why a piece is not where it was.
struct departure {
    enum mover by;
    double t_s; // when it began to move
};

struct association {
    const struct track *track; // those that were tracked before, borrowed; what follows down to `departure` is of each
    int tracks;                // so many
    enum fate fate[MAX_PIECES];
    bool seen[MAX_PIECES];   // the finder saw one where it lay
    bool nudged[MAX_PIECES]; // it moved by less than its width: something else was shot that touched it
    int to[MAX_PIECES];      // index of new_place; of one that stayed only in a new view, -1 when it was not seen
    struct departure departure[MAX_PIECES]; // of those that moved or left, once departures_find has told
    int new_places;                         // where a piece lies now and none lay before, or a nudged one beside
    struct detection new_place[MAX_PIECES];
    bool taken[MAX_PIECES]; // a track leads there
};

void association_find(struct association *out, const struct track *tracks, int n, const struct moment *m);

// Touches that nothing shot explains: those tracks stay.
void association_forget_nudges(struct association *a);

// The board as it is when empty is seen there: nothing lies there, and what lay there has been lifted.
bool association_is_bare(struct pt_in at, const struct moment *m);

// What the finder did not see, in a ditch or in the hole, may still be seen as a patch of its colour that was not
// there. Adds it to what was found, as taken, and gives back its index; -1 when there is no such patch.
int association_find_patch(struct association *out, const struct detection *like, const struct moment *m);

// True when both are of one paint; and when both may be one piece: by kind, role where that is sure, and paint.
bool association_same_paint(const struct detection *a, const struct detection *b, const struct track_tuning *tuning);
bool association_alike(const struct detection *a, const struct detection *b, const struct track_tuning *tuning);

// True when a hand is so near to the piece that it reaches it from one frame to the next; and when one was at since_s or
// after that.
bool association_hand_near(const struct change_patches *p, const struct detection *piece);
bool association_hand_since(const struct change_patches *p, const struct detection *piece, double since_s);

// True when a piece that vanished from its place was seen to run from there by itself, when no hand was beside it, or
// none came near to where it lies `now` (NULL: nowhere): what was not put there ran there.
bool association_by_shot(const struct track *k, const struct detection *now, const struct moment *m);

// Where a piece went that was shot at `since_s` and lies nowhere now: its own trajectory, run on for one more picture,
// leads over the edge, or the line of a ring (there it is gone, and what goes on is another one), or into the hole, or
// the last that clearly shows its paint, no smear, was seen over the hole. UNSEEN when none of these, and when all that
// was seen of it beside its place is one motion that may be light.
enum piece_place association_left_for(const struct motions *m, const struct track *k, double since_s,
                                      const struct board *b);

#endif
