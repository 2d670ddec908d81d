// SPDX-License-Identifier: MIT
// observation.h: what is known of the game: the waist between seeing and judging.
//
// Observations come in order of time. They can be saved (log.h) and judged again without pixels. Lengths are inches in
// the board's frame, times are seconds from the first frame. Plain values: copy them.
#ifndef RINGSIDE_CALIBRATION_OBSERVATION_H
#define RINGSIDE_CALIBRATION_OBSERVATION_H

#include <stdbool.h>

#include "calibration/board.h"
#include "calibration/units.h"

// A call by a line is firm when it lies farther from it than so many sigma: at worst one wrong firm call in 740, if
// sigma is honest.
#define FIRM_SIGMAS 3.0

enum observation_kind {
    OBS_SEEN,    // a piece came into view
    OBS_REST,    // a piece is at rest
    OBS_MOVE,    // a piece began to move
    OBS_CONTACT, // two pieces, or a piece and a peg or something unseen, touched
    OBS_GONE,    // a piece left
    OBS_HAND,    // a hand or foot came over the surface or left it
    OBS_STILL,   // everything is at rest: end of a shot, or the first look at a photograph
    OBS_CAMERA,  // moved, lost the board, locked again, cut to another view
    OBS_INPUT,   // what a person said
};

static inline bool observation_of_piece(enum observation_kind kind)
{
    return kind <= OBS_GONE;
}

// Where a piece is; each has a height of its own, so the same pixel means another place. The last three only in `gone`:
// a hand took it; it was not there any more after a cut, and nobody knows why; it ran, and was neither seen to leave
// the surface nor found on it.
enum piece_place { ON_SURFACE, IN_HOLE, IN_DITCH, OFF_BOARD, BY_HAND, IN_CUT, UNSEEN };

enum mover { MOVED_BY_SHOT, MOVED_BY_HAND }; // a hand that places or takes away a piece is not a shot

// The rim is beyond the playing surface, so no rule asks for it: nothing here reports it, but logs may.
enum touched { TOUCHED_PIECE, TOUCHED_PEG, TOUCHED_UNSEEN, TOUCHED_RIM };

// After a cut nothing is known of what happened before: it ends a shot without a word.
// Damaged: pictures were lost, or decoded from damaged ones: what happened meanwhile was not surely seen. It is dated
// with the last picture before them.
// Covered: the picture became black or one even colour. As a cut, but the view behind it is the same.
enum camera_event { CAMERA_LOCKED, CAMERA_MOVED, CAMERA_LOST, CAMERA_CUT, CAMERA_DAMAGED, CAMERA_COVERED };

// What a person said; the words of the log are in referee/rules/input.c.
enum input_kind {
    INPUT_NONE,
    INPUT_OTHER, // no word of these: kept as it was said, and noted by every game
    INPUT_NEW_GAME,
    INPUT_ROUND_OVER,
    INPUT_PERMIT,        // permission for the next shot
    INPUT_PERMIT_NEEDED, // from now on each shot needs one
    // About one shot: the one that is named, otherwise the one that runs or the last one.
    INPUT_UNDO,       // as if it had not been made
    INPUT_SHOT_AGAIN, // it counts for nothing, the same side shoots again
    INPUT_FOUL,
    INPUT_SLIPS,
    INPUT_NO_PLAY,
    INPUT_OWN_TAW,
    INPUT_PICKED_UP,
    INPUT_PERMITTED, // it had its permission
    INPUT_HIT,       // a piece that had to be hit was
    INPUT_MISSED,    // it was not
    INPUT_ZONE,      // the piece lies in the area that the text names
    INPUT_CONFIRM,   // what was close in it stands
    INPUT_OVERRULE,  // the call whose rule or word is the text does not: only that one
    // Where no shot's end is known that they could be about, they hold from now on.
    INPUT_PUT_ON,   // a piece that no camera saw lies at value: of the side, in the text's area, or a "taw" or "target"
    INPUT_TAKE_OFF, // the piece is not there
    // About an earlier word.
    INPUT_RETRACT, // it was not said
    INPUT_REDO,    // the last undo or retraction was not said
    // About the match.
    INPUT_TURN,    // it is that side's turn
    INPUT_CORRECT, // the side has so many points
    INPUT_TWENTY,  // so many pieces in the hole are kept for that side, one more where there is no number
    INPUT_ROUND,   // it is the round of that number
    INPUT_PLAYED,  // the side has played so many pieces in this round
    INPUT_SIDE,    // the side plays the colour that the text names, otherwise that of the piece put down last
    INPUT_NAME,    // the side is called as the text says from now on
    INPUT_PAUSE,   // until play is resumed nothing at the board is judged; value: seconds, when it began, else now
    INPUT_RESUME,  // play goes on with what lies there now; value: the same
    INPUT_LAG,     // that side won the lag; without a side: the lag begins
    INPUT_TAW,     // the side may change its taw
    INPUT_COACH,
    INPUT_DEAD,
    INPUT_FORCE,
    INPUT_FORFEIT,
    INPUT_POINT,
    INPUT_WRONG_TAW,
    INPUT_WARN,       // the side, or nobody in particular; the text says for what
    INPUT_PENALTY,    // the side loses so many points, one where there is no number
    INPUT_DISQUALIFY, // the side loses the game
    INPUT_KINDS
};

static inline bool input_about_shot(enum input_kind what)
{
    return what >= INPUT_UNDO && what <= INPUT_TAKE_OFF;
}

static inline bool input_places(enum input_kind what)
{
    return what == INPUT_PUT_ON || what == INPUT_TAKE_OFF;
}

// The colour of a piece in a picture that has none: its side is unknown.
#define COLOUR_UNKNOWN "unknown"

enum { OBS_WORD_MAX = 32, OBS_TEXT_MAX = 160 };

struct observation {
    enum observation_kind kind;
    double t_s;
    int id; // of the piece; ids are never used twice in a log. Unused (0) in hand, still, camera and input
    union {
        struct {
            enum piece_kind kind;
            char colour[OBS_WORD_MAX]; // the same word for all pieces of one side
            bool taw;                  // marbles
            double certainty;          // 0.5 (cannot say) .. 1: marbles: of `taw`; discs and rings: that it is one
            double radius_in;
            bool has_lab;
            double lab
                [3]; // mean CIE L*a*b* of its face, when has_lab: the same paint may get another word in another light
            double radius_sigma_in; // marbles: 1 sigma of radius_in; 0: not known
        } seen;
        struct {
            struct pt_in at;
            struct cov_in2 cov;
            enum piece_place plane;
            double certainty; // discs and rings: that it is one, when that is surer than was reported; 0: it is not
        } rest;
        struct {
            enum mover by;
            struct pt_in from;
        } move;
        struct {
            enum touched what;
            int other; // id of the other piece when what is TOUCHED_PIECE
            double sigma_t_s;
            struct pt_in at;
        } contact;
        struct {
            enum piece_place where;
        } gone;
        struct {
            bool over; // true: came over the surface, false: left it
            double from_rad;
        } hand;
        struct {
            double rms_px;        // residual of the board's lines at that moment; 0: not known
            double line_sigma_in; // 1 sigma of the pose at the outermost line; 0: not known
        } still;
        struct {
            enum camera_event what;
            // How far the board moved in its picture since that was last reported, inches on the board; 0: not known,
            // or another view.
            double shift_in;
            double lost_s; // damaged: for how long nothing was surely seen; 0: not known, in old logs
        } camera;
        struct {
            char by[OBS_WORD_MAX]; // "player", "judge"
            enum input_kind what;
            char other[OBS_WORD_MAX]; // the word itself when what is INPUT_OTHER
            char text[OBS_TEXT_MAX];  // free words, e.g. the foul's reason
            int shot, piece;          // number of the shot, id of the piece that it is about; 0: none is named
            int input; // number of the input that it is about, as they stand in the log, 1 the first; 0: none
            char side[OBS_WORD_MAX]; // name or colour of a side; empty when none is named
            // When it was heard, not before t_s, which is that of what was seen until then; 0: not told.
            double heard_s;
            bool has_value;
            double value[2]; // numbers that belong to it, when has_value; the second is 0 where there is one
        } input;
    };
};

// Longer than this without a picture is no slow camera: a piece can have been shot meanwhile and struck another, so
// nothing that lies elsewhere afterwards can be said to have been seen to go there.
#define DAMAGE_HIDES_S 0.3

// The view ended at once: by a cut, or behind something before the lens. How what ran then ended nobody knows.
static inline bool observation_ends_view(const struct observation *o)
{
    return o->kind == OBS_CAMERA && (o->camera.what == CAMERA_CUT || o->camera.what == CAMERA_COVERED);
}

// Nobody saw the end of what ran then, nor whatever else was done.
static inline bool observation_hides(const struct observation *o)
{
    return o->kind == OBS_CAMERA && o->camera.what == CAMERA_DAMAGED && o->camera.lost_s > DAMAGE_HIDES_S;
}

#endif
