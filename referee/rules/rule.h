// SPDX-License-Identifier: MIT
// rule.h: a rule, a table of rules, and the walk through it in the order in which a judge speaks.
//
// A game is its facts as tables plus one function per rule; `ringside rules GAME` prints these very tables, so the list
// of rules cannot drift from the rules.
#ifndef RINGSIDE_REFEREE_RULES_RULE_H
#define RINGSIDE_REFEREE_RULES_RULE_H

#include <stdbool.h>

#include "calibration/board.h"
#include "referee/rules/call.h"
#include "referee/rules/shot.h"

enum { SIDES = 2, HELD_MAX = 16 };

// One side of a match: the colour of its discs, rings or taw.
struct side {
    char colour[OBS_WORD_MAX];
    int score;    // what the scoreboard shows: targets, match points, points of the game
    int booked;   // this round: discs lifted from the hole, in points
    int played;   // pieces shot in this round
    int turns;    // turns taken in this game
    int warnings; // M59
};

// How a match stands: everything that rules change and that an undo takes back.
struct standing {
    int sides;
    struct side side[SIDES];
    int to_shoot;       // index of a side; -1 while nobody has shot
    int starter;        // who began this round; -1 while nobody has shot
    int round;          // 1, 2, 3 ... (marbles: the inning)
    bool over;          // the game is decided
    int winner;         // index of a side when over; -1 for a draw
    bool permit_needed; // M16: the judge gives permission for each shot
    bool permitted;     // he gave it for the next one
    int held;           // rings in the hole that count only at the round's end (C8)
    int held_id[HELD_MAX];
};

// What a rule looks at and changes.
struct judging {
    struct standing *now;
    const struct shot *shot; // ended; of the moment when a hand or a person acts: the last one
    const struct board *board;
    struct call_list *calls;
    double t_s;
    const struct observation *input; // what a person said; NULL otherwise
    const struct placed *piece;      // what a hand took or moved, as it lay before; NULL otherwise
    bool taken;                      // the hand took it away
    // Facts of marbles for the shot's record: the games fill them in.
    int knocked_out;
    bool taw_in, shoots_again;
};

struct rule {
    const char *number;                    // as in the rule book
    const char *says;                      // the call in short
    const char *means;                     // condition and consequence in one sentence
    bool (*when)(const struct judging *j); // NULL: kept by people, listed only
    void (*then)(struct judging *j);
    bool ends; // no later rule is asked
};

// The pieces that the shot moved, one after the other: NULL gives the first, NULL comes after the last.
const struct outcome *judging_next(const struct judging *j, const struct outcome *after);

void rules_walk(const struct rule *rules, int count, struct judging *j);

// A new game with the same sides.
void standing_start(struct standing *s);

// Index of the side with that colour, which takes a free seat when it is new; -1 when both seats are others'.
int standing_side(struct standing *s, const char *colour);

// The other side's index; the same when there is only one.
int standing_other(const struct standing *s, int side);

// "blue 1, yellow 0" into out.
void standing_words(char *out, size_t size, const struct standing *s);

#endif
