// SPDX-License-Identifier: MIT
#include "referee/rules/match.h"

#include <stdio.h>
#include <string.h>

void match_begin(struct match *m, const struct game *game, const struct board *board, int players,
                 char player[][OBS_WORD_MAX])
{
    *m = (struct match){ .game = game, .board = *board };
    for (int i = 0; i < players && i < SIDES; i++)
        standing_side(&m->now, player[i]);
    game->start(&m->now);
}

static struct judging judging_of(struct match *m, struct call_list *calls, double t_s)
{
    return (struct judging){ .now = &m->now, .shot = &m->shot, .board = &m->board, .calls = calls, .t_s = t_s };
}

// Calls are dated and numbered here, so no rule has to.
static void stamp(struct call_list *calls, int from, const struct match *m, double t_s)
{
    for (int i = from; i < calls->count; i++) {
        calls->call[i].t_s = t_s;
        calls->call[i].shot = m->shot.number;
    }
}

static void judge_shot(struct ruling *out, struct match *m, double t_s)
{
    struct judging j = judging_of(m, &out->calls, t_s);
    m->game->shot(&j);
    m->now.permitted = false;
    out->shot_ended = true;
    out->knocked_out = j.knocked_out;
    out->taw_in = j.taw_in;
    out->shoots_again = j.shoots_again;
}

static void save(struct match *m)
{
    if (m->saved == UNDO_MAX) {
        memmove(&m->before[0], &m->before[1], (UNDO_MAX - 1) * sizeof m->before[0]);
        m->saved--;
    }
    m->before[m->saved++] = m->now;
}

static void shot_ended(struct ruling *out, struct match *m, double t_s)
{
    save(m);
    m->taken_back = false;
    judge_shot(out, m, t_s);
}

static void undo(struct ruling *out, struct match *m)
{
    char words[CALL_TEXT_MAX / 2];
    if (m->saved == 0) {
        call_add(&out->calls, "M62", "undo", "nothing to take back");
        return;
    }
    m->now = m->before[--m->saved];
    m->taken_back = true;
    standing_words(words, sizeof words, &m->now);
    call_add(&out->calls, "M62", "undo", "shot taken back; %s", words[0] ? words : "new game");
}

// Words about one shot: the running one, or the last one, which is then judged again.
static bool note(struct said_of_shot *said, const struct observation *o)
{
    const char *what = o->input.what;
    if (strcmp(what, "foul") == 0)
        snprintf(said->foul, sizeof said->foul, "%s", o->input.text[0] ? o->input.text : "foul");
    else if (strcmp(what, "slips") == 0)
        said->slips = true;
    else if (strcmp(what, "noplay") == 0)
        said->no_play = true;
    else if (strcmp(what, "own-taw") == 0)
        said->own_taw = true;
    else if (strcmp(what, "picked-up") == 0)
        said->picked_up = true;
    else
        return false;
    return true;
}

static void new_game(struct ruling *out, struct match *m)
{
    m->saved = 0;
    m->taken_back = true;
    m->game->start(&m->now);
    call_add(&out->calls, "M15", "new-game", "new game");
}

static void input(struct ruling *out, struct match *m, const struct observation *o)
{
    const char *what = o->input.what;
    if (m->shot.number > 0 && note(&m->shot.said, o)) {
        if (!m->shot.running && !m->taken_back && m->saved > 0) {
            m->now = m->before[m->saved - 1];
            judge_shot(out, m, o->t_s);
        }
    } else if (strcmp(what, "undo") == 0) {
        undo(out, m);
    } else if (strcmp(what, "permit") == 0) {
        m->now.permit_needed = m->now.permitted = true;
    } else if (strcmp(what, "permit-needed") == 0) {
        m->now.permit_needed = true;
    } else if (strcmp(what, "new-game") == 0) {
        new_game(out, m);
    } else {
        struct judging j = judging_of(m, &out->calls, o->t_s);
        j.input = o;
        m->game->input(&j);
    }
}

static bool in_play(const struct match *m, const struct placed *p)
{
    struct zone z = zone_of(&m->board, &p->lying);
    return p->settled && (z.points > 0 || strcmp(z.name, "in") == 0);
}

static bool cleared(const struct match *m)
{
    for (int i = 0; i < m->table.count; i++)
        if (in_play(m, &m->table.piece[i]))
            return false;
    return true;
}

// Nearer than this a piece that a hand brushed still lies where it lay: above what two looks at it differ by, below what
// changes a position.
static const double SHIFTED_IN = 0.1;

static bool shifted(const struct placed *p, const struct observation *o)
{
    double dx = o->rest.at.x - p->lying.at.x, dy = o->rest.at.y - p->lying.at.y;
    return p->by_hand && dx * dx + dy * dy > SHIFTED_IN * SHIFTED_IN;
}

// A hand between shots. During a shot it is that shot's business (M42).
static void hand(struct ruling *out, struct match *m, const struct observation *o)
{
    const struct placed *p = table_look(&m->table, o->id);
    if (!p || m->shot.running || !in_play(m, p))
        return;
    bool took = o->kind == OBS_GONE && o->gone.where == BY_HAND;
    if (!took && !(o->kind == OBS_REST && shifted(p, o)))
        return;
    struct placed what = *p;
    struct judging j = judging_of(m, &out->calls, o->t_s);
    j.piece = &what;
    j.taken = took;
    m->game->hand(&j);
    if (!took)
        return;
    table_remove(&m->table, o->id);
    if (cleared(m))
        m->game->cleared(&j);
}

// That the board was found at the beginning is no news.
static void camera(struct ruling *out, struct match *m, const struct observation *o)
{
    bool locked = o->camera.what == CAMERA_LOCKED;
    if (!locked || m->board_lost)
        out->camera = o;
    m->board_lost = o->camera.what == CAMERA_LOST;
}

void match_fold(struct ruling *out, struct match *m, const struct observation *o)
{
    *out = (struct ruling){ .calls.count = 0 };
    hand(out, m, o);
    bool was_running = m->shot.running;
    table_follow(&m->table, &m->board, o);
    bool ended = shot_follow(&m->shot, &m->table, &m->board, o);
    if (m->shot.running && !was_running)
        m->shot.said.unpermitted = m->now.permit_needed && !m->now.permitted;
    if (o->kind == OBS_GONE)
        table_remove(&m->table, o->id);
    if (o->kind == OBS_CAMERA)
        camera(out, m, o);
    if (o->kind == OBS_STILL) {
        m->board_rms_px = o->still.rms_px;
        m->line_sigma_in = o->still.line_sigma_in;
        table_settle(&m->table);
    }
    if (ended)
        shot_ended(out, m, o->t_s);
    if (o->kind == OBS_INPUT)
        input(out, m, o);
    stamp(&out->calls, 0, m, o->t_s);
}
