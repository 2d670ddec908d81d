// SPDX-License-Identifier: MIT
#include "referee/rules/position.h"

#include <stdio.h>
#include <string.h>

#include "referee/rules/call.h"

static struct side_total *side_of(struct position *p, const char colour[OBS_WORD_MAX])
{
    for (int i = 0; i < p->sides; i++)
        if (strcmp(p->side[i].colour, colour) == 0)
            return &p->side[i];
    if (p->sides == POSITION_SIDES_MAX)
        return NULL;
    struct side_total *s = &p->side[p->sides++];
    memcpy(s->colour, colour, sizeof s->colour);
    return s;
}

static void count(struct position *p, const struct lying_piece *at)
{
    if (at->zone.points == 0 && strcmp(at->zone.name, "in") != 0)
        return;
    struct side_total *s = side_of(p, at->piece.colour);
    if (s) {
        s->points += at->zone.points;
        s->pieces++;
    }
}

void position_of(struct position *out, const struct table *t, const struct board *b)
{
    *out = (struct position){ .counts = b->kind == BOARD_CIRCLES };
    for (int i = 0; i < t->count; i++) {
        const struct placed *p = &t->piece[i];
        if (!p->rested || p->moving)
            continue;
        struct lying_piece *at = &out->at[out->count++];
        *at = (struct lying_piece){ *p, zone_of(b, &p->lying) };
        count(out, at);
    }
}

static void where_words(char *out, size_t size, const struct lying_piece *p)
{
    const struct lying *l = &p->piece.lying;
    char margin[96];
    call_margin_words(margin, sizeof margin, &p->zone.verdict, "inside the line", "over the line");
    if (p->piece.kind == PIECE_MARBLE && l->plane == ON_SURFACE)
        snprintf(out, size, "centre %s", margin);
    else if (l->plane == IN_HOLE)
        snprintf(out, size, "in the hole");
    else if (l->plane != ON_SURFACE)
        snprintf(out, size, "off the surface");
    else
        snprintf(out, size, "%s", margin);
}

void position_words(char *out, size_t size, const struct lying_piece *p)
{
    char where[128], who[64];
    where_words(where, sizeof where, p);
    if (p->piece.kind == PIECE_MARBLE)
        snprintf(who, sizeof who, "%s %d", p->piece.lying.taw ? "taw" : "target", p->piece.id);
    else
        snprintf(who, sizeof who, "%s", p->piece.colour);
    snprintf(out, size, "%s  %s  (%s)", who, p->zone.name, where);
}
