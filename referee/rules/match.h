// SPDX-License-Identifier: MIT
// match.h: a match folded over observations: state and observation in, state and calls out.
//
// Pure: no clock, file or memory of its own, so the same observations always give the same calls. An undo puts the
// standing back to what it was before the last shot; a foul or a slip said after the call judges the same shot again.
#ifndef RINGSIDE_REFEREE_RULES_MATCH_H
#define RINGSIDE_REFEREE_RULES_MATCH_H

#include "referee/rules/rule.h"

enum { UNDO_MAX = 32 }; // shots that can be taken back one after the other

// A game: its rules as tables and what it does at each occasion. All functions are there.
struct game {
    const char *name;  // "crokinole": on the command line and in the log
    const char *title; // for people
    const char *board; // built-in board it is played on unless another is named
    const struct rule *rules;
    int rule_count;
    void (*start)(struct standing *s);  // standing of a new game; sides are kept
    void (*shot)(struct judging *j);    // everything is at rest after a shot
    void (*hand)(struct judging *j);    // a hand took or shifted a piece that lay in play (j->piece, j->taken)
    void (*cleared)(struct judging *j); // the last piece in play was taken away by hand
    void (*input)(struct judging *j);   // a word of a person that is not about one shot (j->input)
};

struct match {
    const struct game *game;
    struct board board;
    struct table table;
    struct shot shot; // the running or the last one
    struct standing now;
    double board_rms_px, line_sigma_in; // how well the board was seen at the last still moment; 0: not known
    bool board_lost;                    // nothing is seen, so nothing is called
    bool taken_back;                    // the last shot was undone: no more word about it
    int saved;                          // standings before the last shots; the newest at saved - 1
    struct standing before[UNDO_MAX];
};

// What one observation brought.
struct ruling {
    struct call_list calls;
    bool shot_ended; // or was judged again: the following are of match.shot
    int knocked_out; // marbles
    bool taw_in, shoots_again;
    const struct observation *camera; // it moved, lost the board or found it again; the observation folded; else NULL
};

// `game` is kept and must outlive the match. `players` colours take the seats in their order.
void match_begin(struct match *m, const struct game *game, const struct board *board, int players,
                 char player[][OBS_WORD_MAX]);

void match_fold(struct ruling *out, struct match *m, const struct observation *o);

#endif
