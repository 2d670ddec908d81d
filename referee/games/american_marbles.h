// SPDX-License-Identifier: MIT
// american_marbles.h: what the rules of American Marbles ask and do, by subject; their table is in american_marbles.c.
//
// A function that answers a question is a rule's `when`, one that gives nothing its `then` (rules/rule.h).
#ifndef RINGSIDE_REFEREE_GAMES_AMERICAN_MARBLES_H
#define RINGSIDE_REFEREE_GAMES_AMERICAN_MARBLES_H

#include "referee/rules/match.h"

enum marbles_fact { MARBLES_KNOCKED_OUT, MARBLES_TAW_IN, MARBLES_SHOOTS_AGAIN };

// marbles_shot.c: what a shot brings.

// The taw that was shot; NULL when no taw was.
const struct outcome *marbles_taw(const struct judging *j);

// A target that lay in the ring before the shot.
bool marbles_lay_in(const struct outcome *o);

// A target that lay in before the shot and is out after it, M33 and M34. One that must still go back counts for
// nothing, nor does one that a hand took while it moved, unless a judge ruled so.
bool marbles_knocked_out(const struct judging *j, const struct outcome *o);
bool marbles_taw_is_in(const struct judging *j);

// M53, M55: each side had its turn.
void marbles_end_inning(struct judging *j);

// Of a game that is over by its score: however the close calls behind that are decided, it ends so.
bool marbles_surely_decided(const struct standing *s);
void marbles_end_game(struct judging *j, const char *number, int winner);

// Ends the game when the side has as many targets as win.
void marbles_end_if_won(struct judging *j, int side);
void marbles_tell_score(struct judging *j);

bool marbles_no_taw_moved(const struct judging *j);
bool marbles_only_lying_moved(const struct judging *j);
bool marbles_out_of_turn(const struct judging *j);
bool marbles_practice(const struct judging *j);
bool marbles_unpermitted(const struct judging *j);
bool marbles_this_foul(const struct judging *j); // the foul that the rule is named by
bool marbles_over_the_line(const struct judging *j);
bool marbles_elsewhere(const struct judging *j);
bool marbles_slipped(const struct judging *j);
bool marbles_picked_up(const struct judging *j);
bool marbles_short_without_call(const struct judging *j);
bool marbles_any_out(const struct judging *j);
bool marbles_none_out(const struct judging *j);
bool marbles_stays(const struct judging *j);
bool marbles_reached_target(const struct judging *j);
void marbles_say_no_taw(struct judging *j);
void marbles_say_dead_target(struct judging *j);
void marbles_say_nothing(struct judging *j); // of practice
void marbles_say_out_of_turn(struct judging *j);
void marbles_say_unpermitted(struct judging *j);
void marbles_say_foul(struct judging *j);
void marbles_say_over_the_line(struct judging *j);
void marbles_say_elsewhere(struct judging *j);
void marbles_say_void(struct judging *j);
void marbles_say_no_slips(struct judging *j);
void marbles_say_targets(struct judging *j);
void marbles_say_taw(struct judging *j);
void marbles_score(struct judging *j);
void marbles_say_again(struct judging *j);
void marbles_turn_over(struct judging *j);
void marbles_say_game(struct judging *j);

// marbles_lag.c: who begins, and with which taw.

// The taw of the shot as the side's own of this game; a side that may choose one gets it.
bool marbles_new_taw(const struct judging *j);
bool marbles_no_sides_taw(const struct judging *j);
bool marbles_other_size(const struct judging *j);
bool marbles_lag_runs(const struct judging *j);
void marbles_choose_taw(struct judging *j);
void marbles_say_no_sides_taw(struct judging *j);
void marbles_say_other_size(struct judging *j);
void marbles_lag_said(struct judging *j);
void marbles_lag_shot(struct judging *j);

// marbles_layout.c: the targets on their X, sizes, and what goes back to its place.

// 1 sigma of a marble's radius, inches.
double marbles_size_sigma_in(const struct resting_piece *p);

// Nearer than this a marble lies where it lay.
#define MARBLES_SHIFTED_IN 0.1

// The target must go back to where it lay before the shot, or beside it where another lies there now.
void marbles_put_back(struct judging *j, const struct outcome *o);
void marbles_put_back_all(struct judging *j, bool only_knocked_out);

bool marbles_set_up(const struct judging *j);
bool marbles_x_is_news(const struct judging *j);
bool marbles_not_back_on_x(const struct judging *j);
bool marbles_x_incomplete(const struct judging *j);
bool marbles_sizes_are_news(const struct judging *j);
bool marbles_taw_size_wrong(const struct judging *j);
bool marbles_any_owed(const struct judging *j);
bool marbles_taw_left_behind(const struct judging *j);
bool marbles_target_by_hand(const struct judging *j);
bool marbles_thrown_in(const struct judging *j);
void marbles_say_x(struct judging *j);
void marbles_say_not_back_on_x(struct judging *j);
void marbles_say_x_incomplete(struct judging *j);
void marbles_say_sizes(struct judging *j);
void marbles_say_taw_size(struct judging *j);
void marbles_say_owed(struct judging *j);
void marbles_say_left_behind(struct judging *j);
void marbles_say_by_hand(struct judging *j);
void marbles_ask_thrown(struct judging *j);
void marbles_ask_forfeit(struct judging *j);

// marbles_words.c: what the judge and the players say beside a shot.
bool marbles_names_side(const struct judging *j);
bool marbles_names_number(const struct judging *j);
bool marbles_names_first_of_next(const struct judging *j); // a game is over
bool marbles_force_of_other(const struct judging *j);
bool marbles_warned_for(const struct judging *j); // what the rule is named by
void marbles_say_force(struct judging *j);
void marbles_ask_point(struct judging *j);
void marbles_point(struct judging *j);
void marbles_dead(struct judging *j);
void marbles_lose_game(struct judging *j);
void marbles_coach(struct judging *j);
void marbles_warn(struct judging *j);
void marbles_penalty(struct judging *j);
void marbles_first_of_next(struct judging *j);
void marbles_correct(struct judging *j);
void marbles_new_taw_allowed(struct judging *j);

#endif
