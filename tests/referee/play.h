// SPDX-License-Identifier: MIT
// play.h: observations made by hand, for tests of the rules.
#ifndef RINGSIDE_TESTS_REFEREE_PLAY_H
#define RINGSIDE_TESTS_REFEREE_PLAY_H

#include <stdio.h>

#include "referee/games/games.h"
#include "referee/rules/input.h"

struct play {
    struct match match;
    struct ruling last; // of the last observation that said something
    double t_s, sigma_in;
};

static inline void play_feed(struct play *p, struct observation o)
{
    struct ruling r;
    o.t_s = p->t_s;
    p->t_s += 0.1;
    match_fold(&r, &p->match, &o);
    if (r.calls.count > 0 || r.shot_ended)
        p->last = r;
}

static inline void play_seen(struct play *p, int id, const char *colour, bool taw)
{
    struct observation o = { .kind = OBS_SEEN, .id = id };
    o.seen.kind = p->match.board.piece;
    o.seen.taw = taw;
    o.seen.certainty = 1;
    o.seen.radius_in = taw ? 0.35 : p->match.board.piece_radius_in;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", colour);
    play_feed(p, o);
}

static inline void play_rest(struct play *p, int id, struct pt_in at, enum piece_place plane)
{
    double v = p->sigma_in * p->sigma_in;
    play_feed(p, (struct observation){ .kind = OBS_REST, .id = id, .rest = { at, { v, 0, v }, plane } });
}

static inline void play_move(struct play *p, int id, enum mover by, struct pt_in from)
{
    play_feed(p, (struct observation){ .kind = OBS_MOVE, .id = id, .move = { by, from } });
}

static inline void play_gone(struct play *p, int id, enum piece_place where)
{
    play_feed(p, (struct observation){ .kind = OBS_GONE, .id = id, .gone = { where } });
}

static inline void play_still(struct play *p)
{
    play_feed(p, (struct observation){ .kind = OBS_STILL });
}

static inline void play_say(struct play *p, const char *what, const char *text)
{
    struct observation o = { .kind = OBS_INPUT };
    snprintf(o.input.by, sizeof o.input.by, "judge");
    input_set(&o, what);
    snprintf(o.input.text, sizeof o.input.text, "%s", text);
    play_feed(p, o);
}

// The first call of that kind in the last ruling; NULL when it was not said.
static inline const struct call *play_call(const struct play *p, const char *what)
{
    for (int i = 0; i < p->last.calls.count; i++)
        if (strcmp(p->last.calls.call[i].what, what) == 0)
            return &p->last.calls.call[i];
    return NULL;
}

// What the last shot's record says of that fact.
static inline int play_fact(const struct play *p, const char *name)
{
    for (int i = 0; i < p->match.game->fact_count; i++)
        if (strcmp(p->match.game->facts[i].name, name) == 0)
            return p->last.fact[i];
    return -1;
}

#endif
