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

static struct outcome *find(struct shot *s, int id)
{
    const struct outcome *o = shot_outcome(s, id);
    return o ? &s->piece[o - s->piece] : NULL;
}

static struct outcome *find_or_add(struct shot *s, const struct known_piece *p, const struct board *b)
{
    struct outcome *o = find(s, p->id);
    if (o)
        return o;
    if (s->count == PIECE_TABLE_MAX) {
        s->incomplete = true;
        return NULL;
    }
    o = &s->piece[s->count++];
    *o = (struct outcome){ .piece = *p, .was_lying = p->rested, .was_at = p->lying.at };
    if (p->in_position)
        o->was = zone_of(b, &p->lying);
    return o;
}

// With marbles the shooter is the taw, even when a target it struck was seen to move first.
static void piece_moved(struct shot *s, const struct piece_table *t, const struct board *b, const struct observation *o)
{
    const struct known_piece *p = piece_table_find(t, o->id);
    struct outcome *piece = p ? find_or_add(s, p, b) : NULL;
    if (!piece)
        return;
    piece->moved_s = piece->moved ? piece->moved_s : o->t_s;
    piece->moved = piece->reached = true;
    const struct outcome *shooter = shot_outcome(s, s->shooter);
    bool taw_shot = shooter && shooter->piece.lying.taw;
    if (s->shooter == 0 || (p->kind == PIECE_MARBLE && p->lying.taw && !taw_shot)) {
        s->shooter = p->id;
        s->from = o->move.from;
        s->from_rest = p->rested;
        s->from_cov = p->lying.cov;
        memcpy(s->by, p->colour, sizeof s->by);
    }
}

static void shooter_reached(struct shot *s, struct pt_in at)
{
    s->travel_in = fmax(s->travel_in, distance_in(at, s->from));
}

// Contacts come in order of time: what touches a piece that the shot reached is reached.
static void reach(struct shot *s, int a, int b)
{
    struct outcome *one = find(s, a), *other = find(s, b);
    if (one && other)
        one->reached = other->reached = one->reached || other->reached;
}

static void pieces_touched(struct shot *s, const struct piece_table *t, const struct observation *o)
{
    bool with_shooter = o->id == s->shooter || (o->contact.what == TOUCHED_PIECE && o->contact.other == s->shooter);
    int other = o->id == s->shooter ? o->contact.other : o->id;
    for (int i = 0; i < s->count && o->contact.what != TOUCHED_RIM; i++)
        s->piece[i].touched |= s->piece[i].piece.id == o->id ||
                               (o->contact.what == TOUCHED_PIECE && s->piece[i].piece.id == o->contact.other);
    s->unseen_contact |= o->contact.what == TOUCHED_UNSEEN;
    if (o->contact.what == TOUCHED_PIECE)
        reach(s, o->id, o->contact.other);
    if (!with_shooter)
        return;
    shooter_reached(s, o->contact.at);
    if (s->first != FIRST_NONE)
        return;
    switch (o->contact.what) {
    case TOUCHED_PIECE: {
        const struct outcome *in_shot = shot_outcome(s, other);
        const struct known_piece *p = in_shot ? &in_shot->piece : piece_table_find(t, other);
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
        return;
    }
    s->first_s = o->t_s;
    s->first_at = o->contact.at;
}

// A piece that was never seen to come to rest is as good as off the board, but that is not a firm word.
static void finish(struct shot *s, const struct piece_table *t, const struct board *b)
{
    s->running = false;
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *p = &t->piece[i];
        struct outcome *o = find_or_add(s, p, b);
        if (!o || o->left)
            continue;
        o->piece = *p;
        o->left = p->moving || !p->rested;
        if (o->left)
            o->left_to = o->piece.lying.plane = OFF_BOARD;
        o->zone = zone_of(b, &o->piece.lying);
        if (o->left)
            o->zone.verdict.clear = o->zone.verdict.firm = false;
    }
}

// Of a marble which one it is, of anything else that it is a piece at all.
static bool is_sure(const struct known_piece *p)
{
    return p->kind == PIECE_MARBLE ? line_role_is_sure(&p->lying) : p->lying.certainty >= SURE_CERTAINTY;
}

bool shot_follow(struct shot *s, const struct piece_table *t, const struct board *b, const struct observation *o)
{
    bool shot_at = o->kind == OBS_MOVE && o->move.by == MOVED_BY_SHOT;
    if (shot_at && !s->running) {
        *s = (struct shot){
            .number = s->number + 1, .running = true, .start_s = o->t_s, .rest_s = o->t_s, .damaged = s->unseen
        };
        s->incomplete = t->unfollowed > 0;
        for (int i = 0; i < t->count; i++)
            find_or_add(s, &t->piece[i], b);
    }
    if ((observation_ends_view(o) || observation_hides(o)) && s->running) {
        s->running = false; // it is not known how it ended, nor will be: the next one gets its number
        s->number--;
    }
    if (o->kind == OBS_STILL)
        s->unseen = false;
    s->unseen |= o->kind == OBS_CAMERA && o->camera.lost_s > 0;
    if (!s->running)
        return false;
    s->damaged |= o->kind == OBS_CAMERA && o->camera.what == CAMERA_DAMAGED;
    if (shot_at) {
        piece_moved(s, t, b, o);
    } else if (o->kind == OBS_CONTACT) {
        pieces_touched(s, t, o);
    } else if (o->kind == OBS_GONE) {
        struct outcome *piece = find(s, o->id);
        bool by_hand = o->gone.where == BY_HAND || o->gone.where == IN_CUT; // no shot's doing
        const struct known_piece *p = piece_table_find(t, o->id);
        if (!piece)
            return false;
        bool lay = p && p->rested && !p->moving;
        piece->caught = by_hand && !lay;
        if (lay) // perhaps elsewhere than before the shot
            piece->piece = *p;
        piece->left = piece->moved = true;
        piece->reached |= !by_hand;
        piece->left_to = o->gone.where;
        if (!by_hand) // what is nowhere to be found counts as off the board, until the judge says otherwise
            piece->piece.lying.plane = o->gone.where == UNSEEN ? OFF_BOARD : o->gone.where;
        piece->zone = zone_of(b, &piece->piece.lying);
        if (!by_hand || !lay) {
            piece->zone.verdict.clear = !by_hand && o->gone.where != UNSEEN;
            piece->zone.verdict.firm = piece->zone.verdict.clear && is_sure(&piece->piece);
        }
        s->shooter_taken |= piece->caught && o->id == s->shooter;
        s->rest_s = o->t_s;
    } else if (o->kind == OBS_REST) {
        const struct outcome *piece = shot_outcome(s, o->id);
        if (piece && piece->moved)
            s->rest_s = o->t_s;
        if (o->id == s->shooter)
            shooter_reached(s, o->rest.at);
    } else if (o->kind == OBS_STILL) {
        finish(s, t, b);
    }
    return o->kind == OBS_STILL;
}

void shot_rule_zone(struct shot *s, struct piece_table *t, const struct board *b, int id, const char *word)
{
    struct outcome *o = find(s, id);
    struct zone zone;
    if (!o || !zone_named(&zone, b, word))
        return;
    o->moved = true; // so that it is spoken of
    o->left = o->left && !zone_in_play(&zone);
    zone_rule(&o->piece.lying, &zone);
    o->zone = zone_of(b, &o->piece.lying);
    piece_table_rule(t, id, &zone);
}

void shot_put_on(struct shot *s, const struct board *b, const struct known_piece *p)
{
    struct outcome *o = s->running ? NULL : find_or_add(s, p, b);
    if (!o)
        return;
    o->was_lying = false;
    o->was = (struct zone){ .area = ZONE_NONE };
    o->moved = b->kind == BOARD_CIRCLES;
    o->zone = zone_of(b, &p->lying);
}

static void drop(struct shot *s, const struct outcome *o)
{
    memmove(&s->piece[o - s->piece], o + 1, (size_t)(&s->piece[s->count] - (o + 1)) * sizeof *o);
    s->count--;
}

void shot_take_off(struct shot *s, const struct board *b, int id)
{
    struct outcome *o = find(s, id);
    if (o && id != s->shooter) {
        drop(s, o);
    } else if (o) {
        o->moved = o->left = true;
        o->left_to = o->piece.lying.plane = OFF_BOARD;
        o->piece.lying.ruled = false;
        o->zone = zone_of(b, &o->piece.lying);
        o->zone.verdict.clear = o->zone.verdict.firm = true;
    }
}

void shot_rename(struct shot *s, int id, int now)
{
    struct outcome *was = find(s, id);
    const struct outcome *other = find(s, now);
    if (was && other) // it lay in no position before it was known to be that one
        drop(s, other);
    was = find(s, id);
    if (was)
        was->piece.id = now;
}
