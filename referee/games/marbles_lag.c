// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "referee/games/american_marbles.h"

// A10: nearer to each other than 3 mm the taws lie equally far.
static const double LAG_EQUAL_IN = 3 / 25.4;

// M9: both are told at once; who lets go so much later is put before the judge. A person reacts within 0.3 s.
static const double LAG_TOGETHER_S = 0.5;

// Who may choose a taw and is the only one whose this new colour can be: both seats are taken, and one of them, or the
// one to shoot, has chosen none in this game.
static int chooser(const struct standing *s)
{
    const double *taw = s->own.american_marbles.taw;
    if (s->sides < SIDES)
        return -1;
    if (s->to_shoot >= 0)
        return taw[s->to_shoot] > 0 ? -1 : s->to_shoot;
    return taw[0] > 0 && !(taw[1] > 0) ? 1 : taw[1] > 0 && !(taw[0] > 0) ? 0 : -1;
}

bool marbles_new_taw(const struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    if (!o)
        return false;
    int side = standing_of_colour(j->now, o->piece.colour);
    return side < 0 ? chooser(j->now) >= 0 : !(j->now->own.american_marbles.taw[side] > 0);
}

// The side of a taw, which is chosen by it where it may be; -1 when it is nobody's.
static int choose(struct standing *s, const struct outcome *o)
{
    int side = standing_of_colour(s, o->piece.colour);
    if (side < 0 && chooser(s) >= 0) {
        side = chooser(s);
        snprintf(s->side[side].seat.colour, OBS_WORD_MAX, "%s", o->piece.colour);
    }
    side = side < 0 ? standing_side(s, o->piece.colour) : side;
    struct american_marbles_state *own = &s->own.american_marbles;
    if (side >= 0 && !(own->taw[side] > 0)) {
        own->taw[side] = o->piece.lying.radius_in;
        own->taw_sigma_in[side] = marbles_size_sigma_in(&o->piece.lying);
    }
    return side;
}

void marbles_choose_taw(struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    bool known = standing_of_colour(j->now, o->piece.colour) >= 0 || j->now->sides < SIDES;
    int side = choose(j->now, o);
    if (!known)
        call_add(j->calls, j->rule->number, "new-taw", "%s plays a %s taw from now on", standing_name(j->now, side),
                 o->piece.colour);
}

bool marbles_no_sides_taw(const struct judging *j)
{
    return marbles_taw(j) && judging_shooter(j) < 0;
}

void marbles_say_no_sides_taw(struct judging *j)
{
    judging_say(j, NULL, "wrong-taw", "%s is no taw of this game: judge, whose is it?",
                standing_owner(j->now, j->shot->by))
        ->firm = false;
}

bool marbles_other_size(const struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    int side = judging_shooter(j);
    if (!o || side < 0)
        return false;
    const struct american_marbles_state *own = &j->now->own.american_marbles;
    double sigma_in = hypot(marbles_size_sigma_in(&o->piece.lying), own->taw_sigma_in[side]);
    return fabs(o->piece.lying.radius_in - own->taw[side]) > FIRM_SIGMAS * sigma_in;
}

void marbles_say_other_size(struct judging *j)
{
    int side = judging_shooter(j);
    judging_say(j, NULL, "wrong-taw", "%s's taw is %.2f in across, %.2f in when it was chosen: judge, is it another?",
                standing_name(j->now, side), 2 * marbles_taw(j)->piece.lying.radius_in,
                2 * j->now->own.american_marbles.taw[side])
        ->firm = false;
}

bool marbles_lag_runs(const struct judging *j)
{
    return j->now->own.american_marbles.lag.running;
}

static void win(struct judging *j, const char *number, int side, bool firm, const char *why)
{
    struct standing *s = j->now;
    s->own.american_marbles.lag.running = false;
    s->first = s->starter = s->to_shoot = side;
    struct call *c = call_add(j->calls, number, "lag-won", "%s%s wins the lag and shoots first%s", why,
                              standing_name(s, side), firm ? "" : ": judge");
    c->firm = firm;
    snprintf(c->side, sizeof c->side, "%s", s->side[side].seat.colour);
}

// "lag": begins one, with the direction and the distance of the far edge's line where they are said; with a side: that
// one won it.
void marbles_lag_said(struct judging *j)
{
    struct american_marbles_state *own = &j->now->own.american_marbles;
    int side = standing_meant(j->now, j->input);
    const double *value = j->input->input.value;
    if (side >= 0 && j->now->over) {
        own->lag_winner = side + 1;
        call_add(j->calls, "M8", "lag-won", "%s wins the lag and shoots first in the next game",
                 standing_name(j->now, side));
    } else if (side >= 0) {
        win(j, "M8", side, true, "");
    } else {
        own->lag = (struct marbles_lag){ .running = true, .has_edge = j->input->input.has_value };
        own->lag.direction_rad = value[0] * PI / 180;
        own->lag.distance_in = value[1];
        call_add(j->calls, j->rule->number, "lag", "lag: both taws at once");
    }
}

static void throw_again(struct judging *j, const char *number, bool firm, const char *why)
{
    j->now->own.american_marbles.lag.thrown = 0;
    call_add(j->calls, number, "lag-again", "%s: lag again%s", why, firm ? "" : ", judge")->firm = firm;
}

// Unless the judge says so, whoever shoots next has won it.
static void ask(struct judging *j, const char *what)
{
    j->now->own.american_marbles.lag.running = false;
    j->now->first = j->now->starter = j->now->to_shoot = -1;
    call_add(j->calls, "M8", "lag-asked", "%s", what)->firm = false;
}

static void decide(struct judging *j)
{
    const struct marbles_lag *lag = &j->now->own.american_marbles.lag;
    const struct lag_throw *a = &lag->throw[0], *b = &lag->throw[1];
    char why[CALL_TEXT_MAX / 2];
    if (a->struck && b->struck) {
        throw_again(j, "M11", !a->unsure && !b->unsure, "both taws struck something");
        return;
    }
    if (a->struck || b->struck) {
        const struct lag_throw *loser = a->struck ? a : b;
        snprintf(why, sizeof why, "%s's taw struck something, ", standing_name(j->now, loser->side));
        win(j, "M10", standing_other(j->now, loser->side), !a->unsure && !b->unsure, why);
        return;
    }
    double later_s = b->start_s - a->start_s;
    if (fabs(later_s) > LAG_TOGETHER_S) {
        const struct lag_throw *late = later_s > 0 ? b : a;
        snprintf(why, sizeof why, "%s lagged %.1f s later, ", standing_name(j->now, late->side), fabs(later_s));
        win(j, "M9", standing_other(j->now, late->side), false, why);
        return;
    }
    if (!lag->has_edge || !a->lies || !b->lies) {
        ask(j, "judge, who is nearer to the edge?");
        return;
    }
    double apart_in = fabs(a->away_in - b->away_in), sigma_in = hypot(a->sigma_in, b->sigma_in);
    if (apart_in <= LAG_EQUAL_IN) {
        throw_again(j, "M8", LAG_EQUAL_IN - apart_in > FIRM_SIGMAS * sigma_in,
                    "the taws lie equally far from the edge");
        return;
    }
    const struct lag_throw *near = a->away_in < b->away_in ? a : b, *far = near == a ? b : a;
    snprintf(why, sizeof why, "%s %.2f in from the edge, %s %.2f in, ", standing_name(j->now, near->side),
             near->away_in, standing_name(j->now, far->side), far->away_in);
    win(j, "M8", near->side, apart_in - LAG_EQUAL_IN > FIRM_SIGMAS * sigma_in && !a->unsure && !b->unsure, why);
}

// A taw that was thrown; false when it is nobody's, or its side has thrown.
static bool add_throw(struct judging *j, const struct outcome *o)
{
    struct marbles_lag *lag = &j->now->own.american_marbles.lag;
    int side = choose(j->now, o);
    if (side < 0 || lag->thrown == SIDES || (lag->thrown == 1 && lag->throw[0].side == side))
        return false;
    double x = cos(lag->direction_rad), y = sin(lag->direction_rad);
    struct pt_in at = o->piece.lying.at;
    struct cov_in2 cov = o->piece.lying.cov;
    lag->throw [lag->thrown++] = (struct lag_throw){
        .side = side,
        .lies = !o->left,
        .struck = o->touched,
        .unsure = j->shot->unseen_contact || !line_role_is_sure(&o->piece.lying),
        .away_in = fabs(at.x * x + at.y * y - lag->distance_in),
        .sigma_in = sqrt(fmax(0, x * x * cov.xx + 2 * x * y * cov.xy + y * y * cov.yy)),
        .start_s = o->moved_s,
    };
    return true;
}

// A shot while the lag runs: one or both of the taws. What they struck goes back.
void marbles_lag_shot(struct judging *j)
{
    struct marbles_lag *lag = &j->now->own.american_marbles.lag;
    bool asked = false;
    for (const struct outcome *o = NULL; (o = judging_next(j, o)) && !asked;)
        if (!marbles_lay_in(o))
            asked = !add_throw(j, o);
    if (asked)
        ask(j, "whose taws were thrown is not clear: judge, who won the lag?");
    else if (lag->thrown == SIDES)
        decide(j);
    else if (lag->thrown == 1)
        call_add(j->calls, j->rule->number, "lag-thrown", "%s has thrown", standing_name(j->now, lag->throw[0].side));
    marbles_put_back_all(j, false);
}
