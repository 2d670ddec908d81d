// SPDX-License-Identifier: MIT
#include "referee/games/circles.h"

#include <stdio.h>
#include <string.h>

bool circles_in_hole(const struct outcome *o)
{
    return o->left ? o->left_to == IN_HOLE : o->piece.lying.plane == IN_HOLE;
}

bool circles_was_in_hole(const struct judging *j, const struct outcome *o)
{
    return o->was_in_play && o->was.points == j->board->hole_points && j->board->hole_radius_in > 0;
}

static void where_words(char *out, size_t size, const struct outcome *o)
{
    if (circles_in_hole(o))
        snprintf(out, size, "in the hole");
    else if (o->left && !o->zone.verdict.firm)
        snprintf(out, size, "not seen to come to rest");
    else if (o->left || o->piece.lying.plane != ON_SURFACE)
        snprintf(out, size, "left the surface");
    else
        call_margin_words(out, size, &o->zone.verdict, "inside the line", "over the line");
}

void circles_say(struct judging *j, const struct outcome *o, const struct circles_numbers *numbers)
{
    char where[80];
    if (o->left && o->left_to == BY_HAND)
        return;
    bool ditched = o->zone.points == 0;
    where_words(where, sizeof where, o);
    const char *number = ditched ? numbers->ditched : circles_in_hole(o) ? numbers->hole : numbers->zone;
    struct call *c = call_add(j->calls, number, ditched ? "ditched" : "zone", "%s  %s  (%s)", o->piece.colour,
                              ditched ? "ditched" : o->zone.name, where);
    c->piece = o->piece.id;
    snprintf(c->side, sizeof c->side, "%s", o->piece.colour);
    call_measure(c, &o->zone, !o->left);
}

void circles_say_all(struct judging *j, const struct circles_numbers *numbers)
{
    const struct outcome *first = shot_outcome(j->shot, j->shot->shooter);
    if (first)
        circles_say(j, first, numbers);
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (o != first)
            circles_say(j, o, numbers);
}

int circles_points(const struct judging *j, int side)
{
    int points = 0;
    for (int i = 0; i < j->shot->count; i++) {
        const struct outcome *o = &j->shot->piece[i];
        if (!o->left && !circles_in_hole(o) && strcmp(o->piece.colour, j->now->side[side].colour) == 0)
            points += o->zone.points;
    }
    return points;
}

int circles_shooter(const struct judging *j)
{
    return standing_side(j->now, j->shot->by);
}

void circles_pass(struct judging *j)
{
    int side = circles_shooter(j);
    if (side < 0)
        return;
    if (j->now->starter < 0)
        j->now->starter = side;
    j->now->side[side].played++;
    j->now->to_shoot = j->now->sides == SIDES ? standing_other(j->now, side) : -1;
}

bool circles_all_played(const struct judging *j, int pieces)
{
    for (int i = 0; i < j->now->sides; i++)
        if (j->now->side[i].played < pieces)
            return false;
    return j->now->sides == SIDES;
}

void circles_next_round(struct judging *j)
{
    for (int i = 0; i < j->now->sides; i++)
        j->now->side[i].played = j->now->side[i].booked = 0;
    j->now->held = 0;
    j->now->round++;
    if (j->now->starter >= 0)
        j->now->starter = j->now->to_shoot = standing_other(j->now, j->now->starter);
}
