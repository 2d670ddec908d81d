// SPDX-License-Identifier: MIT
// rule.h: a rule, a table of rules, and the walk through it in the order in which a judge speaks.
//
// A game is its facts as tables plus one function per rule; `ringside rules GAME` prints these very tables, so the list
// of rules cannot drift from the rules.
#ifndef RINGSIDE_REFEREE_RULES_RULE_H
#define RINGSIDE_REFEREE_RULES_RULE_H

#include <stdbool.h>

#include "calibration/board.h"
#include "referee/games/state.h"
#include "referee/rules/call.h"
#include "referee/rules/shot.h"

// One side of a match: the colour of its discs, rings or taw.
struct player_side {
    char colour[OBS_WORD_MAX];
    int score;  // what the scoreboard shows: targets, match points, points of the game
    int played; // pieces shot in this round
};

// How a match stands: everything that rules change and that an undo takes back.
struct standing {
    int sides;
    struct player_side side[SIDES];
    int to_shoot;         // index of a side; -1 while nobody has shot
    int starter;          // who began this round; -1 while nobody has shot
    int round;            // 1, 2, 3 ... (marbles: the inning)
    bool over;            // the game is decided
    int winner;           // index of a side when over; -1 for a draw
    bool permit_needed;   // the judge gives permission for each shot
    bool permitted;       // he gave it for the next one
    union game_state own; // the game's own
};

enum { SHOT_FACTS_MAX = 4 };

// What a rule looks at and changes.
struct judging {
    struct standing *now;
    const struct shot *shot; // ended; of the moment when a hand or a person acts: the last one
    const struct board *board;
    struct call_list *calls;
    const struct rule *rule;         // that is being applied
    const struct observation *input; // what a person said; NULL otherwise
    const struct known_piece *piece; // what a hand took or moved, as it lay before; NULL otherwise
    bool taken;                      // the hand took it away
    int fact[SHOT_FACTS_MAX];        // for the shot's record, named by the game (match.h)
};

// When a rule is asked.
enum occasion {
    AFTER_SHOT,   // everything is at rest; not once the game is over
    HAND_IN_PLAY, // between shots a hand took or shifted a piece that lay in play (piece, taken)
    BOARD_EMPTY,  // the last piece in play was taken away by hand
    WORD_SAID,    // a person said something that is not about one shot (input)
};

struct rule {
    const char *number; // as in the rule book; "judge" where the book has none and only the judge's word counts
    const char *says;   // the call in short
    const char *means;  // condition and consequence in one sentence
    enum occasion occasion;
    enum input_kind said; // only when this was said, just now or of the shot; INPUT_NONE: whatever was said
    bool (*when)(const struct judging *j); // NULL: always
    void (*then)(struct judging *j);       // NULL: only listed: kept by people, told by another rule, or by the match
    bool ends;                             // no later rule is asked
};

// Whether a rule was applied.
bool rules_walk(const struct rule *rules, int count, enum occasion occasion, struct judging *j);

// A firm call about the side that shot. A NULL number is that of the rule which is being applied.
struct call *judging_say(struct judging *j, const char *number, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// The pieces that the shot moved, one after the other: NULL gives the first, NULL comes after the last.
const struct outcome *judging_next(const struct judging *j, const struct outcome *after);

// Who shot, which takes a free seat for a new colour; -1 for a third colour.
int judging_shooter(const struct judging *j);

// Another side than the one to shoot has shot.
bool judging_out_of_turn(const struct judging *j);

// A new game with the same sides.
void standing_start(struct standing *s);

// Index of the side with that colour, which takes a free seat when it is new; -1 when both seats are others'.
int standing_side(struct standing *s, const char *colour);

// The other side's index; the same when there is only one.
int standing_other(const struct standing *s, int side);

// "blue 1, yellow 0" into out.
void standing_words(char *out, size_t size, const struct standing *s);

#endif
