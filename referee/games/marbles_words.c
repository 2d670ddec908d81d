// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "referee/games/american_marbles.h"
#include "referee/rules/input.h"

bool marbles_names_side(const struct judging *j)
{
    return standing_meant(j->now, j->input) >= 0;
}

// A firm call about a side, -1: about none. A NULL number is that of the rule which is being applied.
static struct call *say_of(struct judging *j, const char *number, int side, const char *what, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static struct call *say_of(struct judging *j, const char *number, int side, const char *what, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct call *c = call_add_list(j->calls, number ? number : j->rule->number, what, format, args);
    va_end(args);
    if (side >= 0)
        snprintf(c->side, sizeof c->side, "%s", j->now->side[side].seat.colour);
    return c;
}

// M50: of the one who is not to shoot; or did not, where a shot or a target of it is named.
bool marbles_force_of_other(const struct judging *j)
{
    bool of_shot = j->input->input.shot > 0 || j->input->input.piece > 0;
    int side = standing_meant(j->now, j->input), shooter = of_shot ? judging_shooter(j) : j->now->to_shoot;
    return side >= 0 && shooter >= 0 && side != shooter;
}

// M49: nothing is scored by it. A target that the judge names counted in the last shot; it does no more.
void marbles_say_force(struct judging *j)
{
    int side = standing_meant(j->now, j->input), shooter = judging_shooter(j);
    const struct outcome *o = shot_outcome(j->shot, j->input->input.piece);
    say_of(j, NULL, side, "force", "external force%s%s: all back, no score", side < 0 ? "" : " by ",
           side < 0 ? "" : standing_name(j->now, side));
    if (!o || shooter < 0)
        return;
    struct player_side *s = &j->now->side[shooter];
    if (marbles_knocked_out(j, o) && s->score > 0) {
        s->score--;
        s->score_doubt.less -= s->score_doubt.less > 0 && !o->zone.verdict.firm;
    }
    marbles_put_back(j, o);
    marbles_tell_score(j);
}

void marbles_ask_point(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    say_of(j, NULL, side, "force", "external force by %s: judge, a point to %s or shot again?",
           standing_name(j->now, side), standing_name(j->now, standing_other(j->now, side)))
        ->firm = false;
}

void marbles_point(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    j->now->side[side].score++;
    j->now->own.american_marbles.uncounted = true;
    say_of(j, NULL, side, "point", "external force: point to %s", standing_name(j->now, side));
    marbles_tell_score(j);
    marbles_end_if_won(j, side);
}

// M43: it goes back to where the last shot left it.
void marbles_dead(struct judging *j)
{
    const struct outcome *o = shot_outcome(j->shot, j->input->input.piece);
    const struct known_piece *p = piece_table_find(j->table, j->input->input.piece);
    call_add(j->calls, j->rule->number, "reset", "dead marble: reset");
    if (!o || !p || o->left)
        return;
    struct outcome moved = *o;
    moved.was_at = o->piece.lying.at;
    moved.piece = *p;
    marbles_put_back(j, &moved);
}

void marbles_lose_game(struct judging *j)
{
    int side = standing_meant(j->now, j->input), winner = standing_other(j->now, side);
    if (winner == side || j->now->over) {
        call_add(j->calls, j->rule->number, "noted", "noted: %s: no game is lost by it", input_word(j->input));
        return;
    }
    if (j->rule->said == INPUT_FORFEIT) {
        standing_set_score(&j->now->side[winner], j->now->format.target);
        standing_set_score(&j->now->side[side], 0);
    }
    marbles_end_game(j, j->rule->number, winner);
}

void marbles_coach(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    struct player_side *s = &j->now->side[side];
    bool warned = j->now->own.american_marbles.warnings[side]++ > 0;
    int targets = s->score;
    if (warned)
        standing_set_score(s, 0);
    j->now->own.american_marbles.to_lay |= warned;
    if (warned)
        say_of(j, "M60", side, "coaching", "coaching by %s: all %d targets back on the X, score 0",
               standing_name(j->now, side), targets);
    else
        say_of(j, "M59", side, "warning", "warning to %s: no advice", standing_name(j->now, side));
    if (warned)
        marbles_tell_score(j);
}

bool marbles_warned_for(const struct judging *j)
{
    return strcmp(j->input->input.text, j->rule->says) == 0;
}

void marbles_warn(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    struct american_marbles_state *own = &j->now->own.american_marbles;
    const char *text = j->input->input.text, *name = side < 0 ? "" : standing_name(j->now, side);
    bool again = strcmp(text, "spectator") == 0 && own->spectators++ > 0;
    if (strcmp(text, "spectator") == 0)
        call_add(j->calls, j->rule->number, again ? "sent-away" : "warning", "%s",
                 again ? "the spectator leaves the court" : "warning to the spectator: no advice");
    else
        say_of(j, NULL, side, "warning", "%s%s%s", name, name[0] ? ": " : "", text[0] ? text : "reprimand");
    if (strcmp(text, "illegal taw") == 0 && side >= 0)
        own->taw[side] = 0;
}

// M58: never below nothing.
void marbles_penalty(struct judging *j)
{
    int side = standing_meant(j->now, j->input), *score = &j->now->side[side].score;
    double said = j->input->input.has_value ? j->input->input.value[0] : 1;
    int points = (int)fmin(fmax(said, 0), *score);
    *score -= points;
    say_of(j, NULL, side, "penalty", "%s loses %d", standing_name(j->now, side), points);
    marbles_tell_score(j);
}

// More targets than anybody wins with are no score.
bool marbles_names_number(const struct judging *j)
{
    const double *value = j->input->input.value;
    return marbles_names_side(j) && j->input->input.has_value && value[0] >= 0 && value[0] <= 1000;
}

// Behind the end of a game: who alone has the targets that win has won; where the innings decided, they decide again.
static void decide_again(struct judging *j, int side)
{
    struct standing *s = j->now;
    int other = standing_other(s, side), target = s->format.target;
    bool alone = other == side || s->side[other].score<target, wins = target> 0 && s->side[side].score >= target;
    int ahead = s->side[0].score == s->side[1].score ? -1 : s->side[0].score < s->side[1].score;
    if (s->over && wins && alone && s->winner != side) {
        marbles_end_game(j, "M54", side);
    } else if (s->over && !wins && s->own.american_marbles.by_innings && s->winner != ahead) {
        s->own.american_marbles.begun = true;
        s->over = false;
        marbles_end_inning(j);
    } else if (s->over) {
        s->close = s->close && !marbles_surely_decided(s);
    }
}

void marbles_correct(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    j->now->own.american_marbles.begun |= !j->now->over;
    j->now->own.american_marbles.uncounted = true;
    standing_set_score(&j->now->side[side], (int)j->input->input.value[0]);
    say_of(j, NULL, side, "corrected", "corrected: %s has %d", standing_name(j->now, side), j->now->side[side].score);
    decide_again(j, side);
    marbles_end_if_won(j, side);
}

bool marbles_names_first_of_next(const struct judging *j)
{
    return j->now->over && marbles_names_side(j);
}

void marbles_first_of_next(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    j->now->own.american_marbles.lag_winner = side + 1;
    say_of(j, NULL, side, "turn", "%s shoots first in the next game", standing_name(j->now, side));
}

void marbles_new_taw_allowed(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    j->now->own.american_marbles.taw[side] = 0;
    say_of(j, NULL, side, "taw", "%s may change the taw", standing_name(j->now, side));
}
