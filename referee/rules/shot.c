// SPDX-License-Identifier: MIT
#include "referee/rules/shot.h"

#include <math.h>
#include <string.h>

const struct outcome *shot_outcome(const struct shot *s, int id)
{
    for (int i = 0; i < s->count; i++)
        if (s->piece[i].piece.id == id)
            return &s->piece[i];
    return NULL;
}

static struct outcome *outcome_of(struct shot *s, int id)
{
    for (int i = 0; i < s->count; i++)
        if (s->piece[i].piece.id == id)
            return &s->piece[i];
    return NULL;
}

static struct outcome *add(struct shot *s, const struct placed *p, const struct board *b)
{
    if (s->count == TABLE_MAX_PIECES)
        return NULL;
    struct outcome *o = &s->piece[s->count++];
    *o = (struct outcome){ .piece = *p };
    o->was_in_play = p->settled;
    if (p->settled)
        o->was = zone_of(b, &p->lying);
    return o;
}

static void set_shooter(struct shot *s, const struct placed *p, struct pt_in from)
{
    s->shooter = p->id;
    s->from = from;
    memcpy(s->by, p->colour, sizeof s->by);
}

static void begin(struct shot *s, const struct table *t, const struct board *b, const struct observation *o)
{
    *s = (struct shot){ .number = s->number + 1, .running = true, .start_s = o->t_s, .rest_s = o->t_s };
    for (int i = 0; i < t->count; i++)
        add(s, &t->piece[i], b);
}

static bool is_taw(const struct shot *s)
{
    const struct outcome *o = shot_outcome(s, s->shooter);
    return o && o->piece.lying.taw;
}

// With marbles the shooter is the taw, even when a target it struck was seen to move first.
static void moved(struct shot *s, const struct table *t, const struct board *b, const struct observation *o)
{
    const struct placed *p = table_look(t, o->id);
    if (!p)
        return;
    struct outcome *piece = outcome_of(s, o->id);
    if (!piece)
        piece = add(s, p, b);
    if (!piece)
        return;
    piece->moved = true;
    if (s->shooter == 0 || (p->lying.taw && !is_taw(s) && p->kind == PIECE_MARBLE))
        set_shooter(s, p, o->move.from);
}

static void reached(struct shot *s, struct pt_in at)
{
    s->travel_in = fmax(s->travel_in, hypot(at.x - s->from.x, at.y - s->from.y));
}

static void first_contact(struct shot *s, const struct table *t, const struct observation *o)
{
    int other = o->id == s->shooter ? o->contact.other : o->id;
    switch (o->contact.what) {
    case TOUCHED_PIECE: {
        const struct outcome *in_shot = shot_outcome(s, other);
        const struct placed *p = in_shot ? &in_shot->piece : table_look(t, other);
        s->first = p ? FIRST_PIECE : FIRST_UNSEEN;
        if (p)
            memcpy(s->first_with, p->colour, sizeof s->first_with);
        break;
    }
    case TOUCHED_PEG:
        s->first = FIRST_PEG;
        break;
    case TOUCHED_UNSEEN:
        s->first = FIRST_UNSEEN;
        break;
    case TOUCHED_RIM:
        return; // the rim is beyond the playing surface: no contact in the rules' sense
    }
    s->first_s = o->t_s;
}

static void touched(struct shot *s, const struct table *t, const struct observation *o)
{
    bool with_shooter = o->id == s->shooter || (o->contact.what == TOUCHED_PIECE && o->contact.other == s->shooter);
    s->unseen_contact |= o->contact.what == TOUCHED_UNSEEN;
    if (!with_shooter)
        return;
    reached(s, o->contact.at);
    if (s->first == FIRST_NONE)
        first_contact(s, t, o);
}

static void left(struct shot *s, const struct board *b, const struct observation *o)
{
    struct outcome *piece = outcome_of(s, o->id);
    if (!piece)
        return;
    piece->left = piece->moved = true;
    piece->left_to = o->gone.where;
    if (o->gone.where != BY_HAND)
        piece->piece.lying.plane = o->gone.where;
    piece->zone = zone_of(b, &piece->piece.lying);
    piece->zone.verdict.clear = o->gone.where != BY_HAND;
    piece->zone.verdict.firm = piece->zone.verdict.clear && line_role_is_sure(&piece->piece.lying);
    s->said.picked_up |= o->gone.where == BY_HAND && o->id == s->shooter;
    s->rest_s = o->t_s;
}

static void came_to_rest(struct shot *s, const struct observation *o)
{
    const struct outcome *piece = shot_outcome(s, o->id);
    if (piece && piece->moved)
        s->rest_s = o->t_s;
    if (o->id == s->shooter)
        reached(s, o->rest.at);
}

// It was never seen to come to rest: as good as off the board, but that is not a firm word.
static void lose(struct outcome *o, const struct board *b)
{
    o->left = true;
    o->left_to = OFF_BOARD;
    o->piece.lying.plane = OFF_BOARD;
    o->zone = zone_of(b, &o->piece.lying);
    o->zone.verdict.clear = o->zone.verdict.firm = false;
}

static void finish(struct shot *s, const struct table *t, const struct board *b)
{
    s->running = false;
    for (int i = 0; i < t->count; i++) {
        const struct placed *p = &t->piece[i];
        struct outcome *o = outcome_of(s, p->id);
        if (!o)
            o = add(s, p, b);
        if (!o || o->left)
            continue;
        o->piece = *p;
        o->zone = zone_of(b, &p->lying);
        if (p->moving || !p->rested)
            lose(o, b);
    }
}

bool shot_follow(struct shot *s, const struct table *t, const struct board *b, const struct observation *o)
{
    if (o->kind == OBS_MOVE && o->move.by == MOVED_BY_SHOT && !s->running)
        begin(s, t, b, o);
    if (!s->running)
        return false;
    if (o->kind == OBS_MOVE && o->move.by == MOVED_BY_SHOT)
        moved(s, t, b, o);
    else if (o->kind == OBS_CONTACT)
        touched(s, t, o);
    else if (o->kind == OBS_GONE)
        left(s, b, o);
    else if (o->kind == OBS_REST)
        came_to_rest(s, o);
    else if (o->kind == OBS_STILL)
        finish(s, t, b);
    return o->kind == OBS_STILL;
}
