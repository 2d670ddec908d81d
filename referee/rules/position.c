// SPDX-License-Identifier: MIT
#include "referee/rules/position.h"

#include <stdio.h>
#include <string.h>

#include "referee/rules/call.h"

void position_of(struct position *out, const struct piece_table *t, const struct board *b)
{
    *out = (struct position){ .counts = b->kind == BOARD_CIRCLES };
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *p = &t->piece[i];
        if (!p->rested || p->moving)
            continue;
        struct zone zone = zone_of(b, &p->lying);
        struct points points = zone_points(b, &p->lying);
        out->at[out->count++] = (struct zoned_piece){ *p, zone };
        if (!zone_in_play(&zone) && points.most == 0)
            continue;
        struct side_total *s = out->side;
        while (s < out->side + out->sides && strcmp(s->colour, p->colour) != 0)
            s++;
        if (s == out->side + out->sides)
            memcpy(out->side[out->sides++].colour, p->colour, sizeof p->colour);
        points_add(&s->points, points);
        s->pieces += zone_in_play(&zone);
    }
}

void position_words(char *out, size_t size, const struct zoned_piece *p)
{
    const struct resting_piece *l = &p->piece.lying;
    char where[128], who[64], zone[ZONE_WORD_MAX];
    bool marble = p->piece.kind == PIECE_MARBLE;
    zone_word(zone, &p->zone);
    call_margin_words(where, sizeof where, &p->zone.verdict, "inside the line", "over the line");
    if (l->plane == IN_HOLE)
        snprintf(where, sizeof where, "in the hole");
    else if (l->plane != ON_SURFACE)
        snprintf(where, sizeof where, "off the surface");
    if (marble)
        snprintf(who, sizeof who, "%s %d", l->taw ? "taw" : "target", p->piece.id);
    else
        snprintf(who, sizeof who, "%s", p->piece.colour);
    char doubt[48] = "";
    if (!marble && l->certainty < SURE_CERTAINTY)
        snprintf(doubt, sizeof doubt, "; a piece by %.0f %%", 100 * l->certainty);
    snprintf(out, size, "%s  %s  (%s%s%s)", who, zone, marble && l->plane == ON_SURFACE ? "centre " : "", where, doubt);
}
