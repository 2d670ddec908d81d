// SPDX-License-Identifier: MIT
// circles.h: what the games on concentric circles share: where each piece lies, whose turn it is, what must come off,
// how a round ends and what it brings.
#ifndef RINGSIDE_REFEREE_GAMES_CIRCLES_H
#define RINGSIDE_REFEREE_GAMES_CIRCLES_H

#include "referee/rules/rule.h"

bool circles_in_hole(const struct outcome *o);

// It lay in the hole before the shot.
bool circles_was_in_hole(const struct outcome *o);

// "Home  15  (0.13 in inside the line)", "Home  ditched  (left the surface)", by the rule of that number. A piece that
// a hand took says nothing.
void circles_say(struct judging *j, const struct outcome *o, const char *number);

// As judging_next, but the shot piece first.
const struct outcome *circles_next(const struct judging *j, const struct outcome *after);

// It must come off the board, if it lies there.
void circles_owe_off(struct judging *j, const struct outcome *o);

// A rule: what had to come off before this shot, or to go back, and still lies there, is told. What was not put back
// counts from now on where it lies.
void circles_say_still_on(struct judging *j);

// A rule: what a hand shifted must go back.
void circles_say_put_back(struct judging *j);

// Between two rounds the board is cleared.
bool circles_round_runs(const struct judging *j);

// A hand shifts a piece that counts while a round runs.
bool circles_shifted(const struct judging *j);

bool circles_took(const struct judging *j);    // a hand took a piece that counts
void circles_count_taken(struct judging *j);   // a rule: remembers it
void circles_say_taken(struct judging *j);     // a rule: tells it with the next shot
bool circles_cleared(const struct judging *j); // the board is empty by it after both sides have shot: the round ends

// A shot out of turn: another side was to shoot, or, once in a game, who shot did so before and nobody else has yet.
// That has no turn to go by: people may practise alone, and of two colours that are too alike one is told.
bool circles_out_of_turn(const struct judging *j);
void circles_say_shot_again(struct judging *j);

// A rule: who shot had shot all the pieces that a side plays in a round. That it was one too many is put before the
// judge, for the camera may have taken for a shot what was none.
bool circles_shot_too_many(const struct judging *j);
void circles_say_too_many(struct judging *j);

// Rules: why the start of the shot looks wrong. That is a proposal: the camera may have missed where a piece was put,
// and it does not know at which of the lines the quarters begin. A foul is what the judge says of it.
void circles_say_wrong_line(struct judging *j);
void circles_say_wrong_quarter(struct judging *j);

// Who shot: the player, the side or the colour, as far as it is known.
const char *circles_player(struct judging *j);

// Counts the shot for who shot, and passes the turn on.
void circles_pass(struct judging *j);

// Counts the board, passes the turn on, and says the total behind `before`, in the words of `points`; who shoots next,
// and what must still come off.
void circles_pass_on(struct judging *j, const char *before,
                     void (*points)(char *out, size_t size, const struct standing *s));

// Both sides have shot all their pieces.
bool circles_all_played(const struct judging *j);

// A game that is over is decided again, behind a correction of points or twenties; a winner in another place is called.
void circles_decide_again(struct judging *j, const char *game_rule);

// The round is over with these points: what it brings, the next one, and the game if it is decided, by the rules of
// these numbers. All that lies there must come off.
void circles_end_round(struct judging *j, const struct points points[SIDES], const char *round_rule,
                       const char *game_rule);

// What was shot must come off, and what it moved go back to where it lay.
void circles_make_void(struct judging *j);

// A rule: the shot counts for nothing, the same side shoots again.
void circles_say_again(struct judging *j);

// A game's hooks (match.h): the board is empty but for the shot, and one that may have been forgotten; the sides begin
// by turns, and what had to come off still has to.
bool circles_set_up(const struct judging *j);
void circles_begin(struct standing *s, const struct standing *before);

#endif
