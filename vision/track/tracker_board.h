// SPDX-License-Identifier: MIT
// tracker_board.h: where the board is while the eye watches: looked for, locked, followed and found again. For eye.c alone.
#ifndef RINGSIDE_VISION_TRACK_TRACKER_BOARD_H
#define RINGSIDE_VISION_TRACK_TRACKER_BOARD_H

#include "vision/board/background.h"
#include "vision/track/aim.h"
#include "vision/track/finders.h"
#include "vision/track/rest.h"
#include "vision/track/story.h"
#include "vision/pieces/marbles.h"

struct tracker {
    struct board wanted;
    struct lens lens;
    bool has_lens;
    struct tracker_stages find;
    const struct tuning *tuning; // borrowed
    struct aim aim;
    struct gate gate;
    struct blobs blobs;
    enum patch_kind kind[BLOBS_MAX]; // beside the blobs
    struct story story;
    struct background *surface; // the empty board, NULL before the first look and for marbles
    struct marbles_seen marbles;
    double surveyed_s; // when it was last learnt
    bool any_frame;
    int width, height;
    double t_s;
    double look_again_s; // for the board, not before
    struct rests rests;
    double measured_s;   // the last moment at which everything was known to lie where it lies
    double upset_s;      // when most of the picture last changed at once: a knock, a cut
    double knocked_s;    // and when that began
    double lost_s;       // when the camera was knocked so that the board had to be found again
    double glanced_s;    // when the board was last looked for where it was,
    double glanced_at_s; // and the start of that quiet
    bool steady;         // the last two looks agreed
    bool new_view;       // the pieces have not been measured since the camera moved
    bool afresh;         // nor since the board was found
    bool camera_told;    // a movement waits to be given out
    bool unsettled;      // something happened since the last still moment
    bool hand;
    double hand_since_s;
    struct frame *last; // the frame before this one, while something is on its way; else NULL
    struct fail last_look;
};

// Start of one of the gate's quiets.
static inline double tracker_quiet_since(const struct tracker *e, int which)
{
    return e->gate.quiet[which].since_s;
}

// Is there a board by now? 1 while there is none.
int tracker_look_for_board(struct tracker *e, struct frame *f, struct fail *why);

// Is the board where it was, by a quiet that began at since_s? 1 when it is nowhere, or not known to be anywhere.
int tracker_check_board(struct tracker *e, struct frame *f, double since_s, struct fail *why);

// After a movement of the camera the pieces say which way round the board lies.
bool tracker_may_have_turned(const struct tracker *e);
void tracker_turn_by_pieces(struct tracker *e, struct detection_list *seen, double t_s);

// What changed in the frame, gathered and told apart.
void tracker_gather(struct tracker *e);

#endif
