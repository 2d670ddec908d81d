// SPDX-License-Identifier: MIT
#include "referee/games/circles.h"

#include <stdio.h>
#include <string.h>

bool circles_in_hole(const struct outcome *o)
{
    return o->left ? o->left_to == IN_HOLE : o->piece.lying.plane == IN_HOLE;
}

bool circles_was_in_hole(const struct outcome *o)
{
    return o->was_in_play && o->was.area == ZONE_HOLE;
}

void circles_say(struct judging *j, const struct outcome *o, const char *number)
{
    char where[80], zone[ZONE_WORD_MAX];
    bool ditched = o->zone.points == 0;
    if (o->left && o->left_to == BY_HAND)
        return;
    zone_word(zone, &o->zone);
    if (circles_in_hole(o))
        snprintf(where, sizeof where, "in the hole");
    else if (o->left && !o->zone.verdict.firm)
        snprintf(where, sizeof where, "not seen to come to rest");
    else if (o->left || o->piece.lying.plane != ON_SURFACE)
        snprintf(where, sizeof where, "left the surface");
    else
        call_margin_words(where, sizeof where, &o->zone.verdict, "inside the line", "over the line");
    struct call *c = call_add(j->calls, number, ditched ? "ditched" : "zone", "%s  %s  (%s)",
                              standing_owner(j->now, o->piece.colour), ditched ? "ditched" : zone, where);
    snprintf(c->side, sizeof c->side, "%s", o->piece.colour);
    call_measure(c, o);
}

const struct outcome *circles_next(const struct judging *j, const struct outcome *after)
{
    const struct outcome *first = shot_outcome(j->shot, j->shot->shooter);
    if (!after && first)
        return first;
    const struct outcome *next = judging_next(j, after == first ? NULL : after);
    return next && next == first ? judging_next(j, next) : next;
}

int circles_points(const struct judging *j, int side, bool with_hole)
{
    int points = 0;
    for (int i = 0; i < j->shot->count; i++) {
        const struct outcome *o = &j->shot->piece[i];
        if (!o->left && !standing_owes(j->now, o->piece.id) &&
            strcmp(o->piece.colour, j->now->side[side].seat.colour) == 0)
            points += !circles_in_hole(o) ? o->zone.points : with_hole ? j->board->hole_points : 0;
    }
    return points;
}

void circles_pass(struct judging *j)
{
    int side = judging_shooter(j);
    if (side < 0)
        return;
    if (j->now->starter < 0)
        j->now->starter = side;
    j->now->side[side].played++;
    j->now->to_shoot = j->now->sides == SIDES ? standing_other(j->now, side) : -1;
}

bool circles_all_played(const struct judging *j, int pieces)
{
    return j->now->sides == SIDES && j->now->side[0].played >= pieces && j->now->side[1].played >= pieces;
}

void circles_next_round(struct judging *j)
{
    for (int i = 0; i < j->now->sides; i++)
        j->now->side[i].played = 0;
    j->now->round++;
    if (j->now->starter >= 0)
        j->now->starter = j->now->to_shoot = standing_other(j->now, j->now->starter);
}
