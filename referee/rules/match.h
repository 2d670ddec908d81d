// SPDX-License-Identifier: MIT
// match.h: a match folded over observations: state and observation in, state and calls out.
//
// Pure: no clock, file or memory of its own, so the same observations always give the same calls. An undo puts the
// standing back to what it was before the last shot; a foul or a slip said after the call judges the same shot again.
#ifndef RINGSIDE_REFEREE_RULES_MATCH_H
#define RINGSIDE_REFEREE_RULES_MATCH_H

#include "referee/rules/rule.h"

enum { UNDO_MAX = 32 }; // shots that can be taken back one after the other

// Something about a shot that only this game has, for the shot's record.
struct shot_fact {
    const char *name; // "knocked_out": for machines
    bool yes_or_no;   // otherwise it is a number
};

// A game: its rules as a table. The table has a rule for INPUT_UNDO, INPUT_NEW_GAME and INPUT_OTHER, whose numbers are
// cited when the match takes a shot back, begins anew, or notes a word that no rule answers.
struct game {
    const char *name;  // "crokinole": on the command line and in the log
    const char *title; // for people
    const char *board; // built-in board it is played on unless another is named
    const struct rule *rules;
    int rule_count;
    const struct shot_fact *facts; // at most SHOT_FACTS_MAX
    int fact_count;
    void (*measure)(struct judging *j); // facts that hold of a shot whatever the rules say; NULL: none
};

struct match {
    const struct game *game;
    struct board board;
    struct piece_table table;
    struct shot shot; // the running or the last one
    struct standing now;
    double board_rms_px, line_sigma_in; // how well the board was seen at the last still moment; 0: not known
    bool board_lost;                    // nothing is seen, so nothing is called
    bool taken_back;                    // the last shot was undone, or cut off: no more word about it
    int saved;                          // standings before the last shots; the newest at saved - 1
    struct standing before[UNDO_MAX];
    bool forgotten; // shots of this game older than those can no longer be taken back
};

// What one observation brought.
struct ruling {
    struct call_list calls;
    bool shot_ended;                  // or was judged again: the following are of match.shot
    int fact[SHOT_FACTS_MAX];         // as the game names them
    const struct observation *camera; // it moved, lost the board or found it again; the observation folded; else NULL
};

// `game` is kept and must outlive the match. `players` colours take the seats in their order.
void match_begin(struct match *m, const struct game *game, const struct board *board, int players,
                 const char player[][OBS_WORD_MAX]);

// When there are more pieces on the board than can be followed, what a shot brings is told to be incomplete and no call
// about it is firm.
void match_fold(struct ruling *out, struct match *m, const struct observation *o);

#endif
