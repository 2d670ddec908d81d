// SPDX-License-Identifier: MIT
// trajectory.h: where things ran by themselves, and the way of one piece among them.
#ifndef RINGSIDE_VISION_TRACK_TRAJECTORY_H
#define RINGSIDE_VISION_TRACK_TRAJECTORY_H

#include "vision/track/change_patches.h"
#include "vision/track/tracks.h"

// Something small that moved in one frame, apart from any hand.
struct motion {
    double t_s;
    struct pt_in at;
    struct pt_px px;
    double bgr[3], reference[3]; // means of the frame there, and of the reference: what it is, what it hides
    double pieces; // its size, in areas of a piece; INFINITY where a piece there has no area in the picture
};

// Its patch, not yet where it is on the board.
struct motion motion_of_patch(const struct change_patch *patch, double t_s);

// All that moved since the last still moment, in order of time.
struct motions {
    const struct track_tuning *tuning; // borrowed
    int count, room;
    struct motion *item;
};

// Adds this frame's running things. RS_ENOMEM. The list ends with motions_finish.
int motions_add_frame(struct motions *m, const struct change_patches *p, struct fail *why);
int motions_add(struct motions *m, const struct motion *one, struct fail *why);
void motions_finish(struct motions *m);

// 0..1: how far the motion's colour lies from what it hides towards `lab`: a blurred piece is a mixture of the two, and
// the paint that its way spread over all of the patch is taken together; not that of a shadow or of glare, which is as
// wide as it is, nor where only the colour as seen is such a mixture. Negative when neither is.
double motion_likeness(const struct motion *m, const double lab[3], const struct track_tuning *tuning);

// The paint of what moved (CIE L*a*b*). A blurred piece is spread over more than its area, and light adds: what is
// hidden shows through by as much.
void motion_paint(double lab[3], const struct motion *m);

// The last motion, at `since_s` or after, that may be a piece of that colour; NULL when there is none.
const struct motion *motions_last_of(const struct motions *m, const double lab[3], double since_s);

// A tracklet: something that ran from frame to frame, whatever it was, and how far.
struct tracklet {
    int steps;
    int straight; // steps that went on as the one before did: what only seems to run, in noise, jumps to and fro
    int light;    // steps in which only the light changed: it scales a surface's colour, paint changes its hue
    double path_in;
    const struct motion *last;
    // Where it differs most from what it hides, which shows its own colour best; before it meets
    // another piece, which may run on in its stead.
    const struct motion *clearest;
};

// The first motion behind `after` (NULL: of all) from which something runs on by itself; NULL when
// nothing does. And the run that begins there: up to `meets_s` it has not met another piece yet.
const struct motion *tracklet_next(const struct motions *m, const struct motion *after, double radius_in);
void tracklet_follow(struct tracklet *out, const struct motions *m, const struct motion *first, double radius_in,
                     double meets_s);

enum { TRAJECTORY_MAX = 64 };

// The way of one piece: its beginning, up to so many frames, in which its contacts are looked for.
struct trajectory {
    const struct track_tuning *tuning; // borrowed
    int count;
    double radius_in, sigma_in; // of the piece; of a point's place, each way
    struct trajectory_point {
        double t_s, sigma_t_s;
        struct pt_in at;
    } point[TRAJECTORY_MAX];
};

// Follows what looks like the piece, or runs on as it did, from where it lay, from when it was missed there.
void trajectory_follow(struct trajectory *out, const struct motions *m, const struct track *k);

// Follows what runs at that motion, by how it moves alone.
void trajectory_run(struct trajectory *out, const struct motions *m, const struct motion *first, double radius_in);

// Whether it came so near to that place.
bool trajectory_passes(const struct trajectory *p, struct pt_in at, double within_in);

// What ran by itself from where the piece lay when it was missed there, whatever it looks like: a fast marble's streak
// shows little of its colour. The first motion; NULL when nothing did.
const struct motion *trajectory_leaves(const struct motions *m, const struct track *k);

// When what trajectory_leaves finds left the piece's place, reckoned back from the speed at which
// it first ran: a hand that aims hides the piece before it shoots it. -INFINITY when nothing left.
double trajectory_left_s(const struct motions *m, const struct track *k);

// When a piece left that no frame showed to be gone, because it has the board's colour: when its own run left its
// place, or, where it is not seen to run, when the first thing that ran came near it. INFINITY when neither is seen.
double trajectory_left_unseen_s(const struct motions *m, const struct track *k);

// False when it was missed but nothing can have moved it: no hand was beside it, nothing ran by, and it left no
// trajectory itself. Then it is only seen badly.
bool trajectory_may_have_moved(const struct motions *m, const struct track *k);

// True when something ran to that place and stayed, from wherever it came.
bool trajectory_arrives(const struct motions *m, struct pt_in at, double radius_in);

#endif
