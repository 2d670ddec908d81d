// SPDX-License-Identifier: MIT
// kept.h: a match of Crokinole that goes into a record as it is played, for tests.
#ifndef RINGSIDE_TESTS_REFEREE_KEPT_H
#define RINGSIDE_TESTS_REFEREE_KEPT_H

#include <string.h>

#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "referee/record.h"
#include "referee/record_read.h"
#include "referee/rules/input.h"
#include "tests/cmocka.h"

struct kept {
    struct adjudication a;
    struct record *r;
    const struct game *game;
    double t_s;
    int shots;
};

// Nothing is asserted here: children use it too. RS_E... as the first that failed.
static inline int kept_begin_as(struct kept *k, const char *path, const struct game *game,
                                const struct match_setup *setup, struct fail *why)
{
    struct log_header h = { .source = "test", .board = *board_builtin(game->board), .setup = *setup };
    snprintf(h.game, sizeof h.game, "%s", game->name);
    *k = (struct kept){ .game = game };
    int rc = adjudication_begin(&k->a, game, &h, why);
    if (rc == 0)
        rc = record_open(&k->r, path, RECORD_WRITE, why);
    if (rc == 0)
        rc = record_begin(k->r, &h, "test", why);
    if (rc < 0)
        return rc;
    k->a.keeper = record_keeper(k->r);
    return adjudication_add(&k->a, record_announcer(k->r), why);
}

static inline int kept_begin(struct kept *k, const char *path, const struct game *game, struct fail *why)
{
    struct match_setup setup = match_setup_usual(game);
    snprintf(setup.seat[0].name, OBS_WORD_MAX, "Anna");
    snprintf(setup.seat[1].name, OBS_WORD_MAX, "Ben");
    setup.seats = SIDES;
    setup.first = 0;
    return kept_begin_as(k, path, game, &setup, why);
}

static inline void kept_end(struct kept *k)
{
    adjudication_end(&k->a);
    record_close(k->r);
}

static inline int kept_take(struct kept *k, struct observation o, struct fail *why)
{
    o.t_s = k->t_s;
    k->t_s += 0.1;
    return adjudication_take(&k->a, &o, why);
}

static inline int kept_rest(struct kept *k, int id, double x_in, double y_in, struct fail *why)
{
    return kept_take(k,
                     (struct observation){ .kind = OBS_REST,
                                           .id = id,
                                           .rest = { { x_in, y_in }, { 1e-4 / 3, 0, 1e-4 / 7 }, ON_SURFACE, 0 } },
                     why);
}

// A disc is laid down, shot and comes to rest, in two transactions; the sides alternate.
static inline int kept_shot(struct kept *k, double rest_in, struct fail *why)
{
    int id = ++k->shots;
    struct observation o = { .kind = OBS_SEEN, .id = id, .seen = { .kind = PIECE_DISC, .certainty = 1 } };
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", id % 2 ? "black" : "red");
    o.seen.radius_in = 0.625;
    int rc = kept_take(k, o, why);
    if (rc == 0)
        rc = kept_rest(k, id, 11.3, 0.7 * (id % 3), why);
    if (rc == 0)
        rc = adjudication_commit(&k->a, why);
    if (rc == 0)
        rc = kept_take(k, (struct observation){ .kind = OBS_MOVE, .id = id, .move = { MOVED_BY_SHOT, { 11.3, 0 } } },
                       why);
    if (rc == 0 && id > 1)
        rc = kept_take(
            k,
            (struct observation){ .kind = OBS_CONTACT, .id = id, .contact = { TOUCHED_PIECE, id - 1, 0.01, { 1, 2 } } },
            why);
    if (rc == 0)
        rc = kept_rest(k, id, rest_in, id % 8 - 4, why);
    if (rc == 0)
        rc = kept_take(k, (struct observation){ .kind = OBS_STILL, .still = { 0.1, 1e-3 } }, why);
    return rc == 0 ? adjudication_commit(&k->a, why) : rc;
}

// All discs are taken away, then the judge says the word.
static inline int kept_say(struct kept *k, const char *word, struct fail *why)
{
    struct observation o = { .kind = OBS_INPUT, .input.by = "judge" };
    input_set(&o, word);
    int rc = kept_take(k, o, why);
    return rc == 0 ? adjudication_commit(&k->a, why) : rc;
}

#endif
