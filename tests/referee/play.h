// SPDX-License-Identifier: MIT
// play.h: observations made by hand, for tests of the rules. They go the whole way: to a log, and with corrections
// through it again.
#ifndef RINGSIDE_TESTS_REFEREE_PLAY_H
#define RINGSIDE_TESTS_REFEREE_PLAY_H

#include <stdio.h>
#include <string.h>

#include "referee/adjudication.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "referee/rules/input.h"

struct play {
    struct adjudication referee;
    struct ruling last;      // of the last observation that said something; what a correction changed is not in it
    struct call_list change; // calls withdrawn and made instead by the last correction
    double t_s, sigma_in;
};

// What stands now.
static inline struct standing *play_now(struct play *p)
{
    return &p->referee.match.now;
}

static int play_hear(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct play *p = self;
    (void)m, (void)why;
    if (r->calls.count > 0 && r->calls.call[0].change != CALL_MADE) {
        for (int i = 0; i < r->calls.count && p->change.count < CALLS_MAX; i++)
            p->change.call[p->change.count++] = r->calls.call[i];
    } else {
        p->last = *r;
    }
    return 0;
}

// `setup` NULL: as match_setup_usual.
static inline void play_begin(struct play *p, const struct game *game, const struct board *b,
                              const struct match_setup *setup)
{
    struct fail why;
    struct log_header h = { .board = *b, .setup = setup ? *setup : match_setup_usual(game) };
    adjudication_end(&p->referee);
    memset(p, 0, sizeof *p);
    snprintf(h.game, sizeof h.game, "%s", game->name);
    if (adjudication_begin(&p->referee, game, &h, &why) < 0 || log_writer_create(&p->referee.log, NULL, &h, &why) < 0 ||
        adjudication_add(&p->referee, (struct announcer){ play_hear, p }, &why) < 0)
        fail_msg("%s", why.text);
}

static inline void play_end(struct play *p)
{
    adjudication_end(&p->referee);
}

static inline void play_feed(struct play *p, struct observation o)
{
    struct fail why;
    o.t_s = p->t_s;
    p->t_s += 0.1;
    if (o.kind == OBS_INPUT)
        p->change.count = 0;
    if (adjudication_take(&p->referee, &o, &why) < 0)
        fail_msg("%s", why.text);
}

static inline void play_seen(struct play *p, int id, const char *colour, bool taw)
{
    struct observation o = { .kind = OBS_SEEN, .id = id };
    const struct board *b = &p->referee.match.board;
    o.seen.kind = b->piece;
    o.seen.taw = taw;
    o.seen.certainty = 1;
    o.seen.radius_in = taw ? 0.35 : b->piece_radius_in;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", colour);
    play_feed(p, o);
}

static inline void play_rest(struct play *p, int id, struct pt_in at, enum piece_place plane)
{
    double v = p->sigma_in * p->sigma_in;
    play_feed(p, (struct observation){ .kind = OBS_REST, .id = id, .rest = { at, { v, 0, v }, plane, 0 } });
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

// A disc is put down outside a Crokinole board's outer line, and shot to where it stays.
static inline void play_shot(struct play *p, int id, const char *colour, double x_in)
{
    play_seen(p, id, colour, false);
    play_rest(p, id, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(p, id, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_rest(p, id, (struct pt_in){ x_in, 0.01 * id }, ON_SURFACE);
    play_still(p);
}

static inline struct observation play_input(const char *what, const char *text)
{
    struct observation o = { .kind = OBS_INPUT };
    snprintf(o.input.by, sizeof o.input.by, "judge");
    input_set(&o, what);
    snprintf(o.input.text, sizeof o.input.text, "%s", text);
    return o;
}

static inline void play_say(struct play *p, const char *what, const char *text)
{
    play_feed(p, play_input(what, text));
}

static inline const struct call *play_call_in(const struct call_list *calls, const char *what)
{
    for (int i = 0; i < calls->count; i++)
        if (strcmp(calls->call[i].what, what) == 0)
            return &calls->call[i];
    return NULL;
}

// The first call of that kind in the last ruling; NULL when it was not said.
static inline const struct call *play_call(const struct play *p, const char *what)
{
    return play_call_in(&p->last.calls, what);
}

// What the last shot's record says of that fact.
static inline int play_fact(const struct play *p, const char *name)
{
    const struct game *game = p->referee.game;
    for (int i = 0; i < game->fact_count; i++)
        if (strcmp(game->facts[i].name, name) == 0)
            return p->last.fact[i];
    return -1;
}

#endif
