// SPDX-License-Identifier: MIT
// match.h: a match folded over observations: state and observation in, state and calls out.
//
// Pure: no clock and no file, so the same observations with the same amendments (amendment.h) always give the same
// calls. A word about a shot that is judged already does not change the state: it is taken up among the amendments, and
// whoever holds the observations folds them again (adjudication.h).
#ifndef RINGSIDE_REFEREE_RULES_MATCH_H
#define RINGSIDE_REFEREE_RULES_MATCH_H

#include "calibration/units.h"
#include "referee/rules/amendment.h"
#include "referee/rules/placed.h"
#include "referee/rules/roster.h"
#include "referee/rules/rule.h"

// Something about a shot that only this game has, for the shot's record.
struct shot_fact {
    const char *name; // "knocked_out": for machines
    bool yes_or_no;   // otherwise it is a number
};

// A question that the documents leave open.
struct ruling_taken {
    const char *number;   // "A2"
    const char *question; // what is not clear
    const char *taken;    // how it is decided
    const char *other;    // how to choose the other
};

// A game: its rules as a table. The table has a rule for INPUT_UNDO, INPUT_NEW_GAME and INPUT_OTHER, whose numbers are
// cited when the match takes a shot back, begins anew, or notes a word that no rule answers.
struct game {
    const char *name;  // "crokinole": on the command line and in the log
    const char *also;  // another name that people know it by; NULL: none
    const char *title; // for people
    const char *board; // built-in board it is played on unless another is named
    const struct rule *rules;
    int rule_count;
    const struct format *formats; // how it is played; the first unless another is named
    int format_count;
    const struct shot_fact *facts; // at most SHOT_FACTS_MAX
    int fact_count;
    const struct ruling_taken *rulings;
    int ruling_count;
    void (*measure)(struct judging *j); // facts that hold of a shot whatever the rules say; NULL: none
    // Before the shot everything lay as when a game begins: asked of the first shot behind a game that is over.
    bool (*set_up)(const struct judging *j);
    void (*begin)(struct standing *s, const struct standing *before); // the next game of a match; NULL: nothing to say
    void (*corrected)(struct judging *j); // a person named a side's points or twenties; NULL: nothing follows
};

// Of a game whose file calls its tables so.
#define GAME_TABLES                                                                                                    \
    .rules = rules, .rule_count = (int)countof(rules), .formats = formats, .format_count = (int)countof(formats),      \
    .facts = facts, .fact_count = (int)countof(facts), .rulings = rulings, .ruling_count = (int)countof(rulings)

// The format of that name, the first for an empty name; NULL when the game has none of it.
const struct format *game_format(const struct game *game, const char *name);

// The rule of that number: of several the one that says so, else the first. NULL for none.
const struct rule *game_rule(const struct game *game, const char *number, const char *says);

// The number that its rules have for a word that means the same in every game.
const char *game_number(const struct game *game, enum input_kind said);

enum { SAID_KEPT = 20 };

struct match {
    const struct game *game;
    struct board board;
    struct amendments *amended; // borrowed
    struct piece_table table;
    struct placed placed; // beside what the camera sees
    struct roster paints; // of a board with sides' discs or rings
    struct shot shot;     // the running or the last one
    struct standing now;
    double board_rms_px, line_sigma_in; // how well the board was seen at the last still moment; 0: not known
    bool board_lost;                    // nothing is seen, so nothing is called
    bool cut_off;                       // nobody saw how the last shot ended: what is said of it is about none
    bool paused;                        // by a person: what is done at the board is no shot, and no hand's doing
    double paused_s, resumed_s;         // when that was last said; what was done before it may be told only later
    bool history_lost;    // a shot may have been played that nobody saw: score and turn are as far as seen
    int inputs;           // that were folded
    int asked;            // close calls of the last shot that wait for the judge,
    double asked_until_s; // until then, which no pause counts to: afterwards they stand as they were made
    int first_shot;       // that an undo can reach: none before a game that somebody began
    struct observation said[SAID_KEPT]; // the last inputs: that of number n is said[(n - 1) % SAID_KEPT]
};

// What one observation brought.
struct ruling {
    struct call_list calls;
    bool shot_ended;                  // or was judged again: the following are of match.shot
    int fact[SHOT_FACTS_MAX];         // as the game names them
    char player[OBS_WORD_MAX];        // who shot, when shot_ended; empty where the shot counts for nobody
    const struct observation *camera; // it moved, lost the board or found it again; the observation folded; else NULL
    bool camera_again;                // a short loss, and the last that was announced is one: for programs alone
    bool fold_again;                  // a word about what is judged already: match.amended has one more
    int amended_shot;                 // the shot whose correction changed these calls (call.change); 0: no correction
    enum input_kind amended_by;       // what was said, of a correction
    int changes;                      // behind a correction: how many calls changed by it
};

// `game` is kept, `amended` is kept and added to: both must outlive the match. NULL for `setup`: the game's first
// format, and sides take their seats as they shoot.
void match_begin(struct match *m, const struct game *game, const struct board *board, const struct match_setup *setup,
                 struct amendments *amended);

// When there are more pieces on the board than can be followed, what a shot brings is told to be incomplete and no call
// about it is firm; when there is no room for one more correction, that is called.
void match_fold(struct ruling *out, struct match *m, const struct observation *o);

// Whether a person's word names what there is: shots, sides, areas, rules, numbers. For those who can be asked again; a
// log is folded whatever stands in it. RS_EINPUT with what is missing.
int match_check_word(const struct match *m, const struct observation *said, struct fail *why);

// RS_EINPUT for a text behind a word that stands alone in any game, without a side too: before there is a match.
int match_check_stands_alone(const struct observation *said, struct fail *why);

// Whether a rule makes calls that are taken back by this number or word.
bool match_can_overrule(const struct game *game, const char *text);

// The shot that a word about one is about, as its number says or, without one, as play stands; 0 when there is none.
int match_shot_meant(const struct match *m, const struct observation *o);

// Whether the input of that number was a pause or its end. These are not taken back: shots would get
// other numbers, by which later words mean them.
bool match_is_pause(const struct match *m, int input);

// What a judge puts on and takes off. Whether it holds from now on, and not from the end of the last shot: that one
// runs, the board was emptied behind it, or a piece lay there when it ended.
bool match_places_now(const struct match *m, const struct observation *o);

// Does it: `now`, or as the shot that ended is judged. False when it says nothing that can be done.
bool match_place(struct match *m, const struct amendment *a, bool now);

// Does it now, and tells it.
void match_say_placed(struct match *m, struct call_list *calls, const struct amendment *at_once);

// What was put on and has to come off is off, as no camera will see it go; or all that was put on.
void match_clear_placed(struct match *m, bool all);

// Of match_check_word.
int match_check_place(const struct match *m, const struct observation *said, struct fail *why);

// Whether the call is news for those who want to know only what holds now: of a correction neither the calls withdrawn
// nor what follows from it for later shots.
bool ruling_holds(const struct ruling *r, const struct call *c);

// What a correction came to, when everything was folded again with it: to be told behind the calls that it changed.
void match_acknowledge(struct ruling *out, const struct match *m, const struct observation *o, int shot);

#endif
