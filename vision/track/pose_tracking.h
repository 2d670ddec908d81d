// SPDX-License-Identifier: MIT
// pose_tracking.h: where the board is in the picture, while the camera may be knocked, drift or zoom; and
// relocalisation: which way round the same board and pieces lie after it was moved.
//
// The pose is the newest; where it was last reported and where the pieces were measured in it are remembered beside it,
// so that many small steps add up to a movement. A board looks the same after a quarter turn, a bare ring after any: so
// a board found again lies as it did before as nearly as can be, and then the pieces that lie on it are asked.
#ifndef RINGSIDE_VISION_TRACK_POSE_TRACKING_H
#define RINGSIDE_VISION_TRACK_POSE_TRACKING_H

#include "vision/board/find.h"
#include "vision/board/refit.h"
#include "vision/pieces/pieces.h"
#include "vision/track/tracks.h"
#include "vision/track/view_anchor.h"
#include "vision/tuning.h"

// What a tracker sees with; the tests give it others, which know where everything is.
struct tracker_stages {
    int (*board)(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                 const struct tuning *tuning, struct fail *why);
    int (*refit)(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning,
                 struct fail *why);
    int (*pieces)(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                  const struct pieces_known *known, const struct tuning *tuning, struct fail *why);
    bool (*suffices)(const struct board_pose *pose, struct fail *why); // is it seen well enough to call?
};

struct pose_tracker {
    struct tracker_stages stages;
    const struct tuning *tuning; // borrowed
    struct board wanted;
    struct lens lens;
    bool has_lens;
    struct board_pose pose; // before any was found that suffices: what the last search found
    bool ever_found;
    bool another_view; // the footage has been cut since: a hint speaks of the first view, of others it may be wrong
    bool refits;       // the lines are such that a refit sees them
    bool steady;       // the last two looks agreed
    struct camera reported;    // as last reported
    struct camera viewed;      // in which pieces and reference were last taken
    double lock_sigma_in;      // line_sigma_in when it was found
    double search_again_s;     // not before,
    double searched_s;         // the last time
    double looked_s;           // when the board was last looked for where it was,
    double looked_still_s;     // and the start of that stillness
    struct fail unfound;       // why the last search found none that suffices
    struct view_anchor anchor; // the picture in which the board was last seen where it is tracked; to be finished
};

// The board is seen where it is tracked: this is its view (view_anchor.h), where the last one is as old as from
// search to search. RS_ENOMEM.
int pose_keep_view(struct pose_tracker *p, const struct frame *f, struct fail *why);

// Whether the picture of the board lies where it lay when the board was last seen, within what is reported as a
// movement or 1 sigma of its lines. False also where the picture does not tell.
bool pose_view_unmoved(const struct pose_tracker *p, const struct frame *f);

// Whether a board that was found is the one that is tracked, within 3 sigma of the lines of both.
bool pose_agrees(const struct pose_tracker *p, const struct board_pose *found);

// Refits `now` to the frame. Lines that are not seen make no failure: out->seen. RS_ENOMEM, RS_ELIB.
int pose_refit(struct refit *out, struct board_pose *now, const struct pose_tracker *p, struct frame *f,
               struct fail *why);

// Looks for the board anywhere, turned so that it lies as near to where it lay as can be, with its measures of before
// when they fit what is seen now. Where a hint says, in another view than the hint's elsewhere too. 1 when there is
// none, none that suffices, or it is too early to search again: a hand goes, and faint lines are seen in a later frame.
// RS_E... as board_find.
int pose_search(struct board_pose *found, struct pose_tracker *p, struct frame *f, struct fail *why);

// Takes a board that was found. A refit at once, so that later ones differ from it by movement only. *shift_in: how far
// it is from where it was last reported, inches; 0 the first time. RS_ENOMEM, RS_ELIB.
int pose_lock(double *shift_in, struct pose_tracker *p, const struct board_pose *found, struct frame *f,
              struct fail *why);

// Takes the pose of a refit that saw the board. *shift_in: how far it has moved since that was last reported, when that
// has to be reported now; else 0. True when it has moved so far that the pieces have to be measured in this new view.
bool pose_follow(double *shift_in, struct pose_tracker *p, const struct board_pose *now, const struct refit *r);

// The pieces say that the axes are turned by so much. How far that moves the board in the picture, or 0.
double pose_turn(struct pose_tracker *p, double turn_rad);

// True when a board found at that place has not moved from where it is tracked.
bool pose_in_place(const struct pose_tracker *p, const struct board_pose *found);

// The turn about the board's axis, radians, that brings `now` nearest to `before`; `quarters`: by whole quarters only.
double relocalise_camera(const struct camera *now, const struct camera *before, bool quarters);

// The turn that makes most of the pieces seen now lie where alike ones lay; 0 when none does better than none at all.
double relocalise_by_pieces(const struct track *tracks, int n, const struct detection_list *seen, bool quarters,
                            const struct track_tuning *tuning);

// The board's axes are turned by that much: every place on it has other coordinates from now on.
void relocalise_pieces(struct detection_list *seen, double turn_rad);

#endif
