// SPDX-License-Identifier: MIT
// tracker.h: watches a stream of frames: finds the board, follows the pieces, says what happened.
//
// Feed it every frame in order of time. What happened is given out in order of time too, never falling, and late: at the
// next still moment, for which of two blurs was which piece is only sure when both lie still again. Times are those of
// the frames' own clock; nothing counts frames. The camera may be knocked, drift or zoom: the pose is followed at still
// moments, a movement is told at once and nothing is told of the pieces before they are measured in the new view, where
// they keep their ids. Colours keep the name that the first piece of a side was given.
#ifndef RINGSIDE_VISION_TRACK_TRACKER_H
#define RINGSIDE_VISION_TRACK_TRACKER_H

#include "calibration/camera.h"
#include "vision/frame.h"
#include "vision/detection.h"
#include "vision/tuning.h"

struct tracker;

enum happening_kind {
    HAPPENED_SEEN,    // a piece came into view: piece says what it is
    HAPPENED_REST,    // a piece is at rest: piece says where
    HAPPENED_MOVE,    // a piece began to move
    HAPPENED_CONTACT, // two pieces, or a piece and a peg or the rim, touched
    HAPPENED_GONE,    // a piece left
    HAPPENED_HAND,    // a hand or foot came over the surface or left it
    HAPPENED_STILL,   // everything is at rest and no hand is over the surface
    HAPPENED_CAMERA,  // the camera moved, lost the board, locked again
};

enum cause { CAUSE_SHOT, CAUSE_HAND };
enum touching { TOUCHING_PIECE, TOUCHING_PEG, TOUCHING_RIM, TOUCHING_UNSEEN };
enum left_for { LEFT_FOR_HOLE, LEFT_FOR_DITCH, LEFT_FOR_OUTSIDE, LEFT_BY_HAND };

struct happening {
    enum happening_kind kind;
    double t_s;
    int id;                   // of the piece, 1 .., never used twice; 0 in hand, still and camera
    struct detection piece;   // seen, rest, move, gone: as last measured
    enum cause cause;         // move
    enum touching touching;   // contact
    int other;                // contact: id of the other piece when it is one
    double sigma_t_s;         // contact
    struct pt_in at;          // contact: where; hand: where it came in
    enum left_for left_for;   // gone
    bool over;                // hand: true when it came, false when it left
    enum camera_event camera; // camera
    double shift_in;          // camera: how far the board moved in the picture since last told, in inches on the board
    double rms_px;            // still: how well the board's lines fit at that moment; 0 when they were not looked at
    double line_sigma_in;     // still: 1 sigma of the pose at the outermost line
};

enum { HAPPENINGS_MAX = 512 };

struct happenings {
    int count;
    struct happening item[HAPPENINGS_MAX];
};

// `lens` may be NULL. The caller ends with tracker_free, which takes NULL. RS_ELIB when memory is short.
int tracker_create(struct tracker **out, const struct board *wanted, const struct lens *lens,
                   const struct tuning *tuning, struct fail *why);
void tracker_free(struct tracker *e);

// Looks at one frame, which stays the caller's. *out holds what has become sure since the last call.
// RS_ELIB when OpenCV fails. A frame of another size than the first one, or earlier than the last one: RS_EINPUT.
int tracker_feed(struct tracker *e, struct frame *f, struct happenings *out, struct fail *why);

// The stream is over: gives out what was still waiting. Not to be fed again. 1 when no board was ever found,
// with the reason of the last look in *why; that is a result.
int tracker_finish(struct tracker *e, struct happenings *out, struct fail *why);

// The board as last found; ->found is false before the first find. Valid until the next tracker_feed.
const struct board_pose *tracker_board(const struct tracker *e);

// The pieces as they stand in the last frame, for drawing: ids run beside them, and whether each moves.
struct tracker_view {
    int count;
    int id[MAX_PIECES];
    bool moving[MAX_PIECES];
    struct detection piece[MAX_PIECES];
    bool hand;
};
void tracker_view(const struct tracker *e, struct tracker_view *out);

#endif
