// SPDX-License-Identifier: MIT
// Of adjudication.h: whether a word is one of this game, and names what there is in the shot that it is about.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/text.h"
#include "referee/adjudication.h"
#include "referee/games/games.h"
#include "referee/rules/input.h"

enum { LIST_MAX = 320 };

// The same observations folded as they stand, and with the word; what stands of the shot that it is about.
struct trial {
    struct match was, now;
    struct amendments before, after;
    struct ruling was_called, now_called;
    struct shot shot;
    struct call_list calls;
    bool differs; // the word changes a call
};

static void take_calls(struct trial *t, int shot)
{
    const struct call_list *was = &t->was_called.calls, *now = &t->now_called.calls;
    t->differs |= was->count != now->count;
    for (int i = 0; i < was->count; i++) {
        t->differs |= i < now->count && !call_same(&was->call[i], &now->call[i]);
        if (was->call[i].shot == shot && t->calls.count < CALLS_MAX)
            t->calls.call[t->calls.count++] = was->call[i];
    }
}

static int try_word(struct trial *t, const struct adjudication *a, const struct observation *said, int shot,
                    struct fail *why)
{
    struct log_reader *log = NULL;
    struct observation o;
    int rc = adjudication_log_again(&log, a, why);
    t->before = t->after = a->amended;
    if (!amendments_add(&t->after, a->match.inputs + 1, shot, said))
        t->differs = true; // the list is full, which is called
    match_begin(&t->was, a->game, &a->board, &a->setup, &t->before);
    match_begin(&t->now, a->game, &a->board, &a->setup, &t->after);
    for (long i = 0; rc == 0 && i < a->taken && (rc = log_read(log, &o, why)) > 0; i++) {
        rc = 0;
        match_fold(&t->was_called, &t->was, &o);
        match_fold(&t->now_called, &t->now, &o);
        take_calls(t, shot);
        if (t->was_called.shot_ended && t->was.shot.number == shot)
            t->shot = t->was.shot;
    }
    log_reader_free(log);
    return rc < 0 ? rc : 0;
}

static void add(char list[LIST_MAX], int *more, const char *words)
{
    if (*more == 0 && strlen(list) + strlen(words) + 2 < LIST_MAX - sizeof " and 1000 more")
        text_add(list, LIST_MAX, "%s%s", text_comma(list), words);
    else
        ++*more;
}

static void end_list(char list[LIST_MAX], int more, const char *none)
{
    if (more > 0)
        text_add(list, LIST_MAX, " and %d more", more);
    else if (!list[0])
        snprintf(list, LIST_MAX, "%s", none);
}

static void add_piece(char list[LIST_MAX], int *more, const struct match *m, const struct known_piece *p)
{
    char words[2 * OBS_WORD_MAX];
    snprintf(words, sizeof words, "%d (%s)", p->id, standing_owner(&m->now, p->colour));
    add(list, more, words);
}

// `shot` NULL: what lies there now.
static int refuse_piece(const struct match *m, const struct observation *said, const struct shot *shot,
                        struct fail *why)
{
    char list[LIST_MAX] = "", where[48] = "there are now";
    int more = 0;
    for (int i = 0; shot && i < shot->count; i++)
        add_piece(list, &more, m, &shot->piece[i].piece);
    for (int i = 0; !shot && i < m->table.count; i++)
        add_piece(list, &more, m, &m->table.piece[i]);
    end_list(list, more, "none");
    if (shot)
        snprintf(where, sizeof where, "shot %d has", shot->number);
    return rs_fail(why, RS_EINPUT, "piece=%d: there is none of that number; %s %s", said->input.piece, where, list);
}

static int refuse_overrule(const struct trial *t, const struct match *m, const struct observation *said, int shot,
                           struct fail *why)
{
    char list[LIST_MAX] = "";
    int more = 0;
    for (int i = 0; i < t->calls.count; i++) {
        const struct call *c = &t->calls.call[i];
        char words[RULE_NUMBER_MAX + OBS_WORD_MAX + 1];
        bool again = false;
        for (int k = 0; k < i && !again; k++)
            again = strcmp(t->calls.call[k].rule, c->rule) == 0 && strcmp(t->calls.call[k].what, c->what) == 0;
        if (again || (!match_can_overrule(m->game, c->rule) && !match_can_overrule(m->game, c->what)))
            continue;
        snprintf(words, sizeof words, "%s %s", c->rule, c->what);
        add(list, &more, words);
    }
    end_list(list, more, "none that can be overruled");
    return rs_fail(why, RS_EINPUT, "overrule %.40s: no such call stands in shot %d; it has %s", said->input.text, shot,
                   list);
}

// Words that not every game hears: a rule answers them, or what is asked of a shot of discs or of marbles.
static const bool of_some_games[INPUT_KINDS] = {
    [INPUT_ROUND_OVER] = true, [INPUT_FOUL] = true,    [INPUT_SLIPS] = true,      [INPUT_NO_PLAY] = true,
    [INPUT_OWN_TAW] = true,    [INPUT_HIT] = true,     [INPUT_MISSED] = true,     [INPUT_PICKED_UP] = true,
    [INPUT_LAG] = true,        [INPUT_TAW] = true,     [INPUT_COACH] = true,      [INPUT_DEAD] = true,
    [INPUT_FORCE] = true,      [INPUT_FORFEIT] = true, [INPUT_POINT] = true,      [INPUT_WRONG_TAW] = true,
    [INPUT_WARN] = true,       [INPUT_PENALTY] = true, [INPUT_DISQUALIFY] = true,
};

static bool hears(const struct game *game, enum input_kind what)
{
    enum piece_kind piece = board_builtin(game->board)->piece;
    bool heard = !of_some_games[what] || (piece == PIECE_DISC && (what == INPUT_HIT || what == INPUT_MISSED)) ||
                 (piece == PIECE_MARBLE && what == INPUT_PICKED_UP);
    for (int i = 0; i < game->rule_count && !heard; i++)
        heard = game->rules[i].said == what;
    return heard;
}

static int refuse_of_other_games(const struct game *game, enum input_kind what, struct fail *why)
{
    char of[LIST_MAX] = "", own[LIST_MAX] = "";
    int more = 0;
    for (int i = 0; games_at(i); i++)
        if (hears(games_at(i), what))
            add(of, &more, games_at(i)->name);
    for (int k = 0; k < INPUT_KINDS; k++)
        if (of_some_games[k] && hears(game, (enum input_kind)k))
            add(own, &more, input_kind_word((enum input_kind)k));
    return rs_fail(why, RS_EINPUT, "%s: a word of %s, which changes nothing in %s; its own are %s",
                   input_kind_word(what), of, game->name, own);
}

int adjudication_check_word(const struct adjudication *a, const struct observation *said, struct fail *why)
{
    const struct match *m = &a->match;
    enum input_kind what = said->input.what;
    int id = what == INPUT_PUT_ON ? 0 : said->input.piece;
    int rc = hears(m->game, what) ? match_check_word(m, said, why) : refuse_of_other_games(m->game, what, why);
    int shot = input_about_shot(what) ? match_shot_meant(m, said) : said->input.shot;
    bool overrules = what == INPUT_OVERRULE, runs = shot == m->shot.number && m->shot.running;
    bool now = shot == 0 || runs; // what a shot that runs comes to nobody knows
    bool lies = piece_table_find(&m->table, id) || shot_outcome(&m->shot, id);
    if (rc < 0 || (id == 0 && !overrules))
        return rc;
    if (now)
        return id == 0 || lies ? 0 : refuse_piece(m, said, NULL, why);
    struct trial *t = calloc(1, sizeof *t);
    if (!t)
        return rs_fail(why, RS_ENOMEM, "no memory to look at shot %d again", shot);
    rc = try_word(t, a, said, shot, why);
    // Off is also what came into view behind it.
    bool is_there = shot_outcome(&t->shot, id) || (what == INPUT_TAKE_OFF && shot == m->shot.number && lies);
    if (rc == 0 && id > 0 && !is_there)
        rc = refuse_piece(m, said, &t->shot, why);
    if (rc == 0 && overrules && !t->differs)
        rc = refuse_overrule(t, m, said, shot, why);
    free(t);
    return rc;
}
