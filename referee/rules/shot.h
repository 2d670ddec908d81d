// SPDX-License-Identifier: MIT
// shot.h: one shot, from the first motion to everything at rest, folded from observations.
//
// A shot is opened by the first `move` that was not done by a hand and closed by `still`. Of the games it knows the
// zones of the board, and that a taw, where there is one, is what was shot; what follows from a shot is the games'
// business. Plain values, no memory of its own.
#ifndef RINGSIDE_REFEREE_RULES_SHOT_H
#define RINGSIDE_REFEREE_RULES_SHOT_H

#include <stdbool.h>

#include "referee/rules/line.h"
#include "referee/rules/piece_table.h"

// What the shooter's piece touched first.
enum first_touch { FIRST_NONE, FIRST_PIECE, FIRST_PEG, FIRST_UNSEEN };

// A piece as it was before the shot and as it is after it.
struct outcome {
    struct known_piece piece; // as it lies now; where it was last known when it left
    struct zone zone;         // now; of a piece that left: where it left to, and its margin says nothing
    bool left;                // it went out of play in this shot, or out of sight
    enum piece_place left_to; // when left
    bool moved;               // this shot moved it, or it left
    bool reached;             // a contact, or its motion, says that this shot reached it: through others it may be
    struct zone was;     // before the shot; ZONE_NONE when it did not lie on the board, or was just put down to be shot
    bool was_lying;      // it lay still before the shot, if only just put down
    struct pt_in was_at; // where, when was_lying
    double moved_s;      // when it began to move, when moved by the shot
    bool touched;        // something but the rim touched it in this shot
    bool caught;         // a hand took it while it moved
};

struct shot {
    int number; // 1, 2, 3 ...; 0 before the first
    bool running;
    double start_s, rest_s; // first motion; last piece at rest
    int shooter;            // id of the piece that was shot
    char by[OBS_WORD_MAX];  // its colour
    struct pt_in from;      // where it started
    bool from_rest;         // it was seen to lie there, with this covariance
    struct cov_in2 from_cov;
    double travel_in; // the greatest seen distance of the shooter's piece from there
    enum first_touch first;
    double first_s;
    struct pt_in first_at; // where that was: of a peg where the shooter's piece was turned, of a piece where that lay
    char first_with[OBS_WORD_MAX]; // colour of the piece touched first, when first is FIRST_PIECE
    bool unseen_contact;           // some contact of this shot could not be told
    bool shooter_taken;            // a hand took the shooter's piece before it lay still
    bool unpermitted;              // it came before the permission that the judge gives in this match
    bool said[INPUT_KINDS];        // what people said about this shot, while it ran or afterwards
    char foul[OBS_TEXT_MAX];       // the reason, when said[INPUT_FOUL]
    bool unseen;                   // pictures were lost or damaged since everything last lay still
    bool damaged;                  // pictures of it were lost or damaged: it was not surely seen
    bool incomplete;               // there were more than PIECE_TABLE_MAX pieces: no call about it is firm
    int count;
    struct outcome piece[PIECE_TABLE_MAX];
};

// Opens, follows and closes. True when this observation ended the shot: then `piece` is filled from the table.
// Call it after piece_table_follow, and before piece_table_remove, with the same observation.
bool shot_follow(struct shot *s, const struct piece_table *t, const struct board *b, const struct observation *o);

// A judge said in which area a piece lies at the end of this shot, by the area's word, until it moves again. A word
// that names no area of the board, or a piece that is not there, changes nothing.
void shot_rule_zone(struct shot *s, struct piece_table *t, const struct board *b, int id, const char *word);

// A judge says that the piece lay there at its end, and how it came there nobody saw; of discs and rings it is spoken.
void shot_put_on(struct shot *s, const struct board *b, const struct known_piece *p);

// A judge says that the piece was not there: it had no part in the shot; the one that was shot did not stay.
void shot_take_off(struct shot *s, const struct board *b, int id);

// The piece has another id from now on, in the shot that runs too.
void shot_rename(struct shot *s, int id, int now);

// The outcome of the piece with that id; NULL when it had no part in the position.
const struct outcome *shot_outcome(const struct shot *s, int id);

#endif
