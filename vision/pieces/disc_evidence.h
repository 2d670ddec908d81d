// SPDX-License-Identifier: MIT
// disc_evidence.h: where discs and rings may stand on a board of known pose, and what the picture shows there.
//
// Places come from two sides: whole pieces laid over the surface (top face, visible side, ground around, as the camera
// would see them), and edges that vote for a rim (hough.h). Every measure is in units of the picture's own noise, so
// that weights fitted on some pictures hold on others. Nothing is decided here.
#ifndef RINGSIDE_VISION_PIECES_DISC_EVIDENCE_H
#define RINGSIDE_VISION_PIECES_DISC_EVIDENCE_H

#include "vision/detection.h"
#include "vision/frame.h"
#include "vision/pieces/disc_ground.h"
#include "vision/tuning.h"
#include "vision/pieces/hough.h"

enum { DISC_PLACES = 208 }; // what votes give, and both sides' pieces twice

// Logarithms where it counts how many times. What may be a mirrored lamp differs from ground and empty board by nobody
// knows how much: LOG_TOP_AB and LOG_FROM_EMPTY are then 0.
enum disc_measure {
    LOG_CONTRAST_OVER_SPILL, // weakest fifth of what is inside, against the ground, over the strongest quarter outside
    STEP_LOW,                // weakest tenth of the step around the outline, in steps of the whole
    LOG_GROUND_ODD,          // how far the ground around is from the empty board: arms and hands
    LOG_TOP_AB,              // what the top differs from the ground in a*, b*
    LOG_FROM_EMPTY,          // what top or side differ from the empty board
    VOTES,                   // 0..1: share of its rim from which edges vote for it
    FLAT,                    // 1 where the view is too flat for votes
    OVER_HOLE, // 0..1: share of what it would show that would lie over the empty hole, which has a piece's size
    HIDDEN,    // 0..1: share of the ground around it where pegs or likely pieces stand
    COVERED,   // 0..1: share of all that is looked at where something stands before it (disc_cover.h)
    DISC_MEASURES
};

struct disc_evidence;
struct cylinder;

// Of a frame with a found board; both are borrowed. `ground` is measured when it is not known, else believed; NULL: nobody
// asks for the measures that compare with the empty board (LOG_GROUND_ODD, LOG_TOP_AB, LOG_FROM_EMPTY), which then mean
// nothing. The caller ends with disc_evidence_free, which takes NULL. RS_ENOMEM, RS_ELIB.
int disc_evidence_create(struct disc_evidence **out, struct disc_ground *ground, struct frame *f,
                         const struct board_pose *pose, const struct evidence_tuning *t, struct fail *why);
void disc_evidence_free(struct disc_evidence *e);

// The places that edges voted for (hough.h), from here on; borrowed. Until then there are none.
void disc_evidence_set_votes(struct disc_evidence *e, const struct peak *vote, int votes);

// Whether a place is worth a look.
struct place_filter {
    bool (*may)(const void *self, struct pt_in at); // NULL: all are
    const void *self;
};

// The likely places on the surface, those among them that edges voted for: how many. Nothing is said of the hole and of
// the ditch. RS_ENOMEM.
int disc_evidence_places(struct pt_in out[DISC_PLACES], const struct disc_evidence *e, struct place_filter filter,
                         struct fail *why);

// The likeliest place next to that one, where what others show is left out.
struct pt_in disc_evidence_refined(const struct disc_evidence *e, struct pt_in at);

// Where pieces may stand that touch the one there, which is hidden: what is seen of them alone says where.
struct disc_touching {
    int count;
    struct pt_in at[6];
};
void disc_evidence_touching(struct disc_touching *out, const struct disc_evidence *e, struct pt_in at);

// What is seen for a piece at a place, and the median colour of its face and side (CIE L*a*b*). False where the camera
// cannot see it.
bool disc_evidence_at(double measure[DISC_MEASURES], double lab[3], const struct disc_evidence *e, struct pt_in at);

// The same of a piece before which something stands, a hand or glare, by what is seen of it alone. `measure` and `lab`
// come from disc_evidence_at; they stay, and it is false, where there is no such thing, or more than half is covered,
// and on the outermost line: there discs are held to be shot, and lie out of play.
bool disc_evidence_behind(double measure[DISC_MEASURES], double lab[3], const struct disc_evidence *e, struct pt_in at);

// Masks a solid: from here on its pixels count for no piece beside it or behind it, but for one that stands where it
// does; disc_evidence_reveal unmasks all but the first so many.
void disc_evidence_hide(struct disc_evidence *e, const struct cylinder *shape, struct pt_in at);
void disc_evidence_reveal(struct disc_evidence *e, int but);

// Whether all that is seen at a place, and where disc_evidence_refined and disc_evidence_touching look, is as it was
// before the last time disc_evidence_reveal was called. They would find the same again.
bool disc_evidence_as_before(const struct disc_evidence *e, struct pt_in at);

// From here on for pieces of this radius and height (piece_size.h).
void disc_evidence_resize(struct disc_evidence *e, const struct board *sized);

#endif
