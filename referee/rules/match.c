// SPDX-License-Identifier: MIT
#include "referee/rules/match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/rules/input.h"

void match_begin(struct match *m, const struct game *game, const struct board *board, int players,
                 const char player[][OBS_WORD_MAX])
{
    *m = (struct match){ .game = game, .board = *board };
    for (int i = 0; i < players && i < SIDES; i++)
        standing_side(&m->now, player[i]);
    standing_start(&m->now);
}

static struct judging judging_of(struct match *m, struct call_list *calls)
{
    return (struct judging){ .now = &m->now, .shot = &m->shot, .board = &m->board, .calls = calls };
}

static bool judge(struct match *m, enum occasion occasion, struct judging *j)
{
    return rules_walk(m->game->rules, m->game->rule_count, occasion, j);
}

// The game's number for a word that means the same in every game.
static const char *number_of(const struct match *m, enum input_kind said)
{
    const struct rule *end = m->game->rules + m->game->rule_count;
    for (const struct rule *r = m->game->rules; r < end; r++)
        if (r->occasion == WORD_SAID && r->said == said)
            return r->number;
    return "judge";
}

static void judge_shot(struct ruling *out, struct match *m)
{
    struct judging j = judging_of(m, &out->calls);
    if (m->game->measure)
        m->game->measure(&j);
    if (!m->now.over)
        judge(m, AFTER_SHOT, &j);
    m->now.permitted = false;
    out->shot_ended = true;
    memcpy(out->fact, j.fact, sizeof out->fact);
    if (!m->shot.incomplete && m->table.unfollowed == 0)
        return;
    for (int i = 0; i < out->calls.count; i++)
        out->calls.call[i].firm = false;
    call_add(&out->calls, number_of(m, INPUT_OTHER), "pieces-lost",
             "more than the %d pieces that can be followed: nothing of this shot is firm, judge", PIECE_TABLE_MAX)
        ->firm = false;
}

static void input(struct ruling *out, struct match *m, const struct observation *o)
{
    enum input_kind what = o->input.what;
    struct judging j = judging_of(m, &out->calls);
    j.input = o;
    if (m->shot.number > 0 && what >= INPUT_FOUL && what <= INPUT_PICKED_UP) {
        m->shot.said[what] = true;
        if (what == INPUT_FOUL)
            snprintf(m->shot.foul, sizeof m->shot.foul, "%s", o->input.text[0] ? o->input.text : "foul");
        if (!m->shot.running && !m->taken_back && m->saved > 0) { // about the last shot, which is judged again
            m->now = m->before[m->saved - 1];
            judge_shot(out, m);
        }
    } else if (what == INPUT_UNDO && m->saved == 0 && m->forgotten) {
        call_add(&out->calls, number_of(m, what), "undo", "no more than %d shots can be taken back", UNDO_MAX);
    } else if (what == INPUT_UNDO && m->saved == 0) {
        call_add(&out->calls, number_of(m, what), "undo", "nothing to take back");
    } else if (what == INPUT_UNDO) {
        char words[CALL_TEXT_MAX / 2];
        m->now = m->before[--m->saved];
        m->taken_back = true;
        standing_words(words, sizeof words, &m->now);
        call_add(&out->calls, number_of(m, what), "undo", "shot taken back; %s", words[0] ? words : "new game");
    } else if (what == INPUT_PERMIT || what == INPUT_PERMIT_NEEDED) {
        m->now.permit_needed = true;
        m->now.permitted |= what == INPUT_PERMIT;
    } else if (what == INPUT_NEW_GAME) {
        m->saved = 0;
        m->forgotten = false;
        m->taken_back = true;
        standing_start(&m->now);
        call_add(&out->calls, number_of(m, what), "new-game", "new game");
    } else if (!judge(m, WORD_SAID, &j)) {
        call_add(&out->calls, number_of(m, INPUT_OTHER), "noted", "noted: %s %s", input_word(o), o->input.text);
    }
}

static bool in_play(const struct match *m, const struct known_piece *p)
{
    struct zone z = zone_of(&m->board, &p->lying);
    return p->in_position && zone_in_play(&z);
}

// Nearer than this a piece that a hand brushed still lies where it lay: above what two looks at it differ by, below what
// changes a position.
static const double SHIFTED_IN = 0.1;

// A hand between shots. During a shot it is that shot's business.
static void hand(struct ruling *out, struct match *m, const struct observation *o)
{
    const struct known_piece *p = piece_table_find(&m->table, o->id);
    if (!p || m->shot.running || !in_play(m, p))
        return;
    bool took = o->kind == OBS_GONE && o->gone.where == BY_HAND;
    bool shifted = o->kind == OBS_REST && p->by_hand &&
                   hypot(o->rest.at.x - p->lying.at.x, o->rest.at.y - p->lying.at.y) > SHIFTED_IN;
    if (!took && !shifted)
        return;
    struct judging j = judging_of(m, &out->calls);
    j.piece = p;
    j.taken = took;
    judge(m, HAND_IN_PLAY, &j);
    bool empty = took;
    for (int i = 0; i < m->table.count && empty; i++)
        empty = &m->table.piece[i] == p || !in_play(m, &m->table.piece[i]);
    if (empty)
        judge(m, BOARD_EMPTY, &j);
}

void match_fold(struct ruling *out, struct match *m, const struct observation *o)
{
    *out = (struct ruling){ .calls.count = 0 };
    hand(out, m, o);
    bool was_running = m->shot.running;
    piece_table_follow(&m->table, &m->board, o);
    bool ended = shot_follow(&m->shot, &m->table, &m->board, o);
    if (m->shot.running && !was_running)
        m->shot.unpermitted = m->now.permit_needed && !m->now.permitted;
    if (o->kind == OBS_GONE)
        piece_table_remove(&m->table, o->id);
    if (o->kind == OBS_CAMERA) {
        if (o->camera.what != CAMERA_LOCKED || m->board_lost) // that the board was found at the beginning is no news
            out->camera = o;
        m->board_lost = o->camera.what == CAMERA_LOST || o->camera.what == CAMERA_CUT;
    }
    if (o->kind == OBS_CAMERA && o->camera.what == CAMERA_CUT && was_running) // nobody knows how it ended
        m->taken_back = true;
    if (o->kind == OBS_STILL) {
        m->board_rms_px = o->still.rms_px;
        m->line_sigma_in = o->still.line_sigma_in;
        piece_table_still(&m->table);
    }
    if (ended && m->saved == UNDO_MAX) {
        memmove(&m->before[0], &m->before[1], (UNDO_MAX - 1) * sizeof m->before[0]);
        m->saved--;
        m->forgotten = true;
    }
    if (ended) {
        m->before[m->saved++] = m->now;
        m->taken_back = false;
        judge_shot(out, m);
    }
    if (o->kind == OBS_INPUT)
        input(out, m, o);
    call_tell_lost(&out->calls, number_of(m, INPUT_OTHER));
    for (int i = 0; i < out->calls.count; i++) { // dated and numbered here, so that no rule has to
        out->calls.call[i].t_s = o->t_s;
        out->calls.call[i].shot = m->shot.number;
    }
}
