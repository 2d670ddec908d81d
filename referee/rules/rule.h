// SPDX-License-Identifier: MIT
// rule.h: a rule, a table of rules, and the walk through it in the order in which a judge speaks.
//
// A game is its facts as tables plus one function per rule; `ringside rules GAME` prints these very tables, so the list
// of rules cannot drift from the rules.
#ifndef RINGSIDE_REFEREE_RULES_RULE_H
#define RINGSIDE_REFEREE_RULES_RULE_H

#include <stdbool.h>

#include "calibration/board.h"
#include "referee/rules/amendment.h"
#include "referee/rules/call.h"
#include "referee/rules/shot.h"
#include "referee/rules/standing.h"

enum { SHOT_FACTS_MAX = 4 };

// What a rule looks at and changes.
struct judging {
    struct standing *now;
    const struct shot *shot; // ended; of the moment when a hand or a person acts: the last one
    const struct board *board;
    struct call_list *calls;
    const struct rule *rule;          // that is being applied
    const struct observation *input;  // what a person said; NULL otherwise
    const struct known_piece *piece;  // what a hand took or moved, as it lay before; NULL otherwise
    bool taken;                       // the hand took it away
    bool confirmed;                   // and the judge has confirmed the last shot since
    struct pt_in to;                  // where the hand put it down; unused when `taken`
    int fact[SHOT_FACTS_MAX];         // for the shot's record, named by the game (match.h)
    const struct piece_table *table;  // what lies on the board now
    const struct amendments *amended; // what the judge took back
};

// When a rule is asked.
enum occasion {
    AFTER_SHOT,   // everything is at rest; not once the game is over
    HAND_IN_PLAY, // between shots a hand took or shifted a piece that lay in play (piece, taken)
    BOARD_EMPTY,  // the last piece in play was taken away by hand
    ALL_STILL,    // everything is still, and no shot ended by it
    WORD_SAID,    // a person said something that is not about one shot (input)
};

// Who decides whether a rule applies.
enum decided_by {
    BY_CAMERA = 1, // from what was seen; close calls go before the judge
    BY_BOOKS,      // from earlier calls alone
    BY_PROPOSAL,   // the camera finds or proposes it, a person confirms
    BY_PLAYER,     // a player says so
    BY_JUDGE,      // the judge says so
    BY_SET_UP,     // before the first shot
};

struct rule {
    const char *number; // as in the rule book; "judge" where the book has none and only the judge's word counts
    const char *says;   // the call in short
    const char *means;  // condition and consequence in one sentence
    const char *source; // where it is written: the document and its place, or the ruling and what it rests on
    enum decided_by by;
    const char *flips; // what would have to be otherwise for another call; NULL: its margin says so, or nothing does
    const char *shown; // the situations (samples/situations) that show it, by their names, blanks between
    enum occasion occasion;
    enum input_kind said; // only when this was said, just now or of the shot; INPUT_NONE: whatever was said
    bool (*when)(const struct judging *j); // NULL: always
    void (*then)(struct judging *j);       // NULL: only listed: kept by people, told by another rule, or by the match
    bool ends;                             // no later rule is asked
};

// Whether the text, as somebody says it to take a call back, means this rule: by its number, or by its word, "no hit"
// or "no-hit".
bool rule_is_meant(const struct rule *r, const char *text);

// Whether a rule was applied.
bool rules_walk(const struct rule *rules, int count, enum occasion occasion, struct judging *j);

// A firm call about the side that shot. A NULL number is that of the rule which is being applied.
struct call *judging_say(struct judging *j, const char *number, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// The pieces that the shot moved, one after the other: NULL gives the first, NULL comes after the last.
const struct outcome *judging_next(const struct judging *j, const struct outcome *after);

// Who shot, which takes a free seat for a new colour; -1: a third colour, or no taw was shot where one must be.
int judging_shooter(const struct judging *j);

// Another side than the one to shoot has shot.
bool judging_out_of_turn(const struct judging *j);

#endif
