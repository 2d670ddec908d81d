// SPDX-License-Identifier: MIT
// standing.h: how a match stands: all that rules change, as plain data. Texts and JSON are made from it, never the
// other way round.
#ifndef RINGSIDE_REFEREE_RULES_STANDING_H
#define RINGSIDE_REFEREE_RULES_STANDING_H

#include <stdbool.h>
#include <stddef.h>

#include "referee/games/state.h"
#include "referee/rules/format.h"
#include "referee/rules/piece_table.h"

// By how much a number may be less or more than it reads, for calls that were too close and that no judge has decided.
struct doubt {
    int less, more;
};

// One side of a match.
struct player_side {
    struct seat seat;   // who plays it, and the colour of its discs, rings or taw; empty while it is not known
    bool seen;          // pieces of that colour came into view
    bool name_is_asked; // it was named with another colour than any that is on the board: whose it is was asked
    // That colour, while the judge is asked; a piece of it still settles that the side plays it.
    char given[OBS_WORD_MAX];
    int score;                // what the scoreboard shows: targets, match points, points of the game
    struct doubt score_doubt; // of rounds that ended; of targets at the ring's line
    int played;               // pieces shot in this round
    int shots;                // in this game: whose turn it is of its players
    int twenties;             // in this game, kept; they may break a tie
    struct doubt twenties_doubt;
    struct points kept;       // of this round, that nothing on the board can change: of those twenties
    struct points counted;    // on the board when the last shot ended: standing_on_board()
    struct points last_round; // points of the round before
    int games;                // won in this match
};

// A piece that lies where it must not: until it is taken off, or put back, it counts for nothing; where a close call
// says so it may count all the same.
enum owed_what { OWED_OFF, OWED_BACK };

struct owed {
    int piece; // id
    enum owed_what what;
    char colour[OBS_WORD_MAX];
    struct pt_in at; // where it lies; where it must lie for OWED_BACK
    int shot;        // in which that came about
    bool doubtful;   // by a call that is too close: it may count all the same
};

enum { OWED_MAX = PIECE_TABLE_MAX };

struct standing {
    struct format format;
    int game; // 1, 2, 3 ... of the match
    int sides;
    struct player_side side[SIDES];
    int to_shoot;       // index of a side; -1 while nobody has shot
    int starter;        // who began this round; -1 while nobody has shot
    int first;          // who began this game; -1 while nobody has shot
    int round;          // 1, 2, 3 ... (marbles: the inning)
    int rounds_ended;   // in this game; a judge who says which round it is ends none
    bool over;          // the game is decided
    int winner;         // index of a side when over; -1 for a draw
    bool close;         // over, but calls that are too close, and that no judge has decided, may have it otherwise
    bool permit_needed; // the judge gives permission for each shot
    bool permitted;     // he gave it for the next one
    int owed;
    struct owed owe[OWED_MAX];
    int in_doubt; // of `doubt`: pieces, by their ids, that a close call may make come off, and count nothing
    int doubt[OWED_MAX];
    union game_state own; // the game's own
};

// The first game of a match.
void standing_begin(struct standing *s, const struct match_setup *setup);

// A new game with the same sides, of that number.
void standing_start(struct standing *s, int game);

// Index of the side with that colour, which takes a free seat, or one that waits for its colour, when it is new; -1
// when both seats are others'.
int standing_side(struct standing *s, const char *colour);

// Index of the side that plays that colour; -1 for none, also while it is not known.
int standing_of_colour(const struct standing *s, const char *colour);

// A colour as it is seen, which is in small letters: of what people say. Cut at OBS_WORD_MAX.
void standing_colour_said(char out[OBS_WORD_MAX], const char *said);

// Index of the side with that name, otherwise of the one with that colour, as a person says it: letters' case is
// nothing; -1 for none.
int standing_named(const struct standing *s, const char *words);

// The side that a person's word names, as its side or at the beginning of its text; -1 for none.
int standing_meant(const struct standing *s, const struct observation *said);

// The other side's index; the same when there is only one.
int standing_other(const struct standing *s, int side);

// What people call that side: its name, otherwise its colour. "nobody" for -1.
const char *standing_name(const struct standing *s, int side);

// The same for pieces of that colour: the colour itself when it is no side's.
const char *standing_owner(const struct standing *s, const char *colour);

// From now on it is called that. False, and as it was, for no name, one that is too long, or the other side's.
bool standing_rename(struct standing *s, int side, const char *name);

// Who of the side shoots next; its name where it has no players of its own.
const char *standing_player(const struct standing *s, int side);

// "Home 35 (30 to 35), yellow 0" into out: these points, for each side as they read, and as they may be.
void standing_points_words(char *out, size_t size, const struct standing *s, const struct points points[SIDES]);

// "Home wins", "drawn"; where close "Home wins (close)". Of a game that is over; `name`: the winner's, NULL for a draw.
enum { RESULT_WORDS_MAX = OBS_WORD_MAX + 16 };
void standing_result_words(char out[RESULT_WORDS_MAX], const char *name, bool close);

// Of a match without sides: "nobody has shot yet"; after shots of which nobody can tell whose they were "no side is known
// yet".
const char *standing_no_sides(long shots);

// Whatever was in doubt, it is this: a judge says so, or a rule.
void standing_set_score(struct player_side *side, int score);

// What a side has in this game: its score, its twenties.
struct points standing_score(const struct player_side *side);
struct points standing_twenties(const struct player_side *side);

// Of this round, kept and on the board.
struct points standing_round_points(const struct player_side *side);

// The scores, in the same words.
void standing_words(char *out, size_t size, const struct standing *s);

// The points of this round.
void standing_round_words(char *out, size_t size, const struct standing *s);

// Both sides have shot all their pieces of this round.
bool standing_all_played(const struct standing *s);

// The piece must come off, or go back to `at`: once for each. A full list drops none of the others.
void standing_owe(struct standing *s, const struct known_piece *p, enum owed_what what, struct pt_in at, int shot);

// All that lies in play must come off.
void standing_owe_all(struct standing *s, const struct piece_table *t, const struct board *b, int shot);

// NULL when nothing is owed of that piece.
const struct owed *standing_owes(const struct standing *s, int piece);

// Done: forget it.
void standing_settle(struct standing *s, int piece);

// By a close call the piece may have to come off: until the round ends its points may be none. Beyond OWED_MAX the
// oldest is let go.
void standing_doubt(struct standing *s, int piece);
bool standing_doubts(const struct standing *s, int piece);

// Points of a side's pieces that lie in the circles of the board. Those that must come off are left out (where a close
// call says so they read 0, and may count what they lie in), and those in the hole: what they count is each game's own.
struct points standing_on_board(const struct standing *s, const struct piece_table *t, const struct board *b, int side);

#endif
