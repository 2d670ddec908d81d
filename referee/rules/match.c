// SPDX-License-Identifier: MIT
#include "referee/rules/match.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "referee/rules/input.h"

const struct format *game_format(const struct game *game, const char *name)
{
    for (int i = 0; i < game->format_count; i++)
        if (name[0] == '\0' || strcmp(game->formats[i].name, name) == 0)
            return &game->formats[i];
    return NULL;
}

const struct rule *game_rule(const struct game *game, const char *number, const char *says)
{
    const struct rule *found = NULL;
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *r = &game->rules[i];
        if (strcmp(r->number, number) == 0 && (!found || strcmp(r->says, says) == 0))
            found = r;
    }
    return found;
}

const char *game_number(const struct game *game, enum input_kind said)
{
    const struct rule *end = game->rules + game->rule_count;
    for (const struct rule *r = game->rules; r < end; r++)
        if (r->occasion == WORD_SAID && r->said == said)
            return r->number;
    return "judge";
}

void match_begin(struct match *m, const struct game *game, const struct board *board, const struct match_setup *setup,
                 struct amendments *amended)
{
    struct match_setup usual = { .format = game->formats[0], .first = -1 };
    *m = (struct match){ .game = game, .board = *board, .amended = amended, .first_shot = 1 };
    standing_begin(&m->now, setup ? setup : &usual);
}

static struct judging judging_of(struct match *m, struct call_list *calls)
{
    return (struct judging){
        .now = &m->now, .shot = &m->shot, .board = &m->board, .calls = calls, .table = &m->table, .amended = m->amended
    };
}

static void ask_judge(struct ruling *out, const struct match *m, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void ask_judge(struct ruling *out, const struct match *m, const char *what, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    call_add_list(&out->calls, game_number(m->game, INPUT_OTHER), what, format, args)->firm = false;
    va_end(args);
}

static bool judge(struct match *m, enum occasion occasion, struct judging *j)
{
    return rules_walk(m->game->rules, m->game->rule_count, occasion, j);
}

// Where the pieces that it moved lie at its end is as it reads, however close.
static void confirm_zones(struct match *m)
{
    for (int i = 0; i < m->shot.count; i++) {
        const struct outcome *o = &m->shot.piece[i];
        char word[ZONE_WORD_MAX];
        if (o->left || !o->moved || o->zone.verdict.firm)
            continue;
        zone_word(word, &o->zone);
        shot_rule_zone(&m->shot, &m->table, &m->board, o->piece.id, word);
    }
}

// What people said about this shot, before it ended or long afterwards.
static void amend_shot(struct match *m)
{
    struct shot *s = &m->shot;
    for (int i = 0; i < m->amended->count; i++) {
        const struct amendment *a = &m->amended->item[i];
        const char *text = a->said.input.text;
        if (a->shot != s->number || !a->in_force || !input_about_shot(a->said.input.what))
            continue;
        s->said[a->said.input.what] = true;
        if (a->said.input.what == INPUT_HIT || a->said.input.what == INPUT_MISSED) // the last word of the two
            s->said[a->said.input.what == INPUT_HIT ? INPUT_MISSED : INPUT_HIT] = false;
        if (a->said.input.what == INPUT_FOUL)
            snprintf(s->foul, sizeof s->foul, "%s", text[0] ? text : "foul");
        else if (a->said.input.what == INPUT_PERMITTED)
            s->unpermitted = false;
        else if (a->said.input.what == INPUT_ZONE)
            shot_rule_zone(s, &m->table, &m->board, a->said.input.piece, text);
        else if (a->said.input.what == INPUT_CONFIRM)
            confirm_zones(m);
        else if (input_places(a->said.input.what))
            match_place(m, a, false);
    }
}

// How the match stands, as a person says it. False: it is no such word, or names no side or number that it needs.
static bool set_standing(struct judging *j, const char *rule)
{
    const struct observation *o = j->input;
    enum input_kind what = o->input.what;
    int side = standing_meant(j->now, j->input), number = input_number(o);
    bool counts = what == INPUT_CORRECT || what == INPUT_PLAYED || what == INPUT_ROUND;
    bool of_side = counts ? what != INPUT_ROUND : what == INPUT_TURN || what == INPUT_TWENTY;
    if ((!counts && !of_side) || (of_side && side < 0) || (counts && number < 0))
        return false;
    struct player_side *s = &j->now->side[side < 0 ? 0 : side];
    const char *name = standing_name(j->now, side), *said = input_word(o);
    if (what == INPUT_TURN) {
        j->now->to_shoot = side;
        call_add(j->calls, rule, said, "%s to shoot", standing_player(j->now, side));
    } else if (what == INPUT_TWENTY) {
        s->twenties = number < 0 ? s->twenties + 1 : number;
        s->twenties_doubt = number < 0 ? s->twenties_doubt : (struct doubt){ 0, 0 };
        call_add(j->calls, rule, said, "%s keeps %d %s", name, s->twenties, s->twenties == 1 ? "twenty" : "twenties");
    } else if (what == INPUT_CORRECT) {
        standing_set_score(s, number);
        call_add(j->calls, rule, "corrected", "corrected: %s has %d", name, number);
    } else if (what == INPUT_PLAYED) {
        s->played = number;
        call_add(j->calls, rule, said, "%s has played %d", name, number);
    } else {
        j->now->round = number;
        call_add(j->calls, rule, said, "round %d", number);
    }
    return true;
}

static void next_game(struct match *m, struct judging *j)
{
    struct standing before = m->now;
    standing_start(&m->now, before.game + 1);
    if (m->game->begin)
        m->game->begin(&m->now, &before);
    call_add(j->calls, game_number(m->game, INPUT_NEW_GAME), "new-game", "game %d", m->now.game);
}

// "Home plays red"; without a colour: that of the piece which was put down last. "Home is called Anna".
static void name_side(struct judging *j, const char *rule)
{
    const struct observation *o = j->input;
    int side = standing_named(j->now, o->input.side), other = standing_other(j->now, side), last = j->table->count - 1;
    const char *text = o->input.text;
    char colour[OBS_WORD_MAX] = "";
    if (text[0])
        standing_colour_said(colour, text);
    else if (last >= 0)
        memcpy(colour, j->table->piece[last].colour, sizeof colour);
    if (side < 0 || colour[0] == '\0') {
        call_add(j->calls, rule, "noted", side < 0 ? "no side is called %s" : "no piece of %s lies there",
                 o->input.side);
        return;
    }
    if (o->input.what == INPUT_NAME) {
        bool done = standing_rename(j->now, side, text);
        call_add(j->calls, rule, done ? "name" : "noted", done ? "%s is called %s" : "%s is not called %s",
                 o->input.side, text);
        return;
    }
    if (strlen(text) >= OBS_WORD_MAX) { // cut within a letter nothing could be told of it any more
        call_add(j->calls, rule, "noted", "%s does not play %s", o->input.side, text);
        return;
    }
    struct player_side *s = &j->now->side[side], *t = &j->now->side[other];
    if (other != side && strcmp(t->seat.colour, colour) == 0) { // what was played stays with the colour
        struct seat was = s->seat;
        memcpy(s->seat.name, t->seat.name, sizeof s->seat.name);
        memcpy(s->seat.player, t->seat.player, sizeof s->seat.player);
        memcpy(t->seat.name, was.name, sizeof was.name);
        memcpy(t->seat.player, was.player, sizeof was.player);
        side = other;
    } else {
        memcpy(s->seat.colour, colour, sizeof colour);
    }
    s->name_is_asked = t->name_is_asked = false;
    s->given[0] = t->given[0] = '\0';
    if (s != t && !j->now->side[1 - side].seen) // the other side is what else comes
        j->now->side[1 - side].seat.colour[0] = '\0';
    call_add(j->calls, rule, "side", "%s plays %s", standing_name(j->now, side), j->now->side[side].seat.colour);
}

// What ran into a pause was no shot, and the next one gets its number.
static void cut_off(struct match *m)
{
    if (!m->shot.running)
        return;
    m->shot.running = false;
    m->cut_off = true;
    amendments_forget_shot(m->amended, m->shot.number--, m->inputs);
}

// What lies there when play goes on is the position, whoever put it there.
static void pause_or_resume(struct match *m, struct judging *j)
{
    bool pauses = j->input->input.what == INPUT_PAUSE, news = pauses != m->paused;
    const char *rule = game_number(m->game, INPUT_OTHER);
    m->paused = pauses;
    if (!news) {
        call_add(j->calls, rule, "noted", pauses ? "play is paused already" : "play is not paused");
        return;
    }
    *(pauses ? &m->paused_s : &m->resumed_s) = j->input->input.has_value ? j->input->input.value[0] : j->input->t_s;
    if (!pauses) {
        m->asked_until_s += m->resumed_s - m->paused_s; // whoever stops play to decide a close call has the time
        cut_off(m);
        piece_table_still(&m->table); // not what a hand still carries
    }
    call_add(j->calls, rule, input_word(j->input), "%s",
             pauses ? "paused: nothing is judged until play goes on" : "play goes on, with what lies there now");
}

// A word about the match: each game's own, and those that mean the same in every game.
static bool word(struct match *m, struct judging *j)
{
    enum input_kind what = j->input->input.what;
    if (what == INPUT_PERMIT || what == INPUT_PERMIT_NEEDED) {
        m->now.permit_needed = true;
        m->now.permitted |= what == INPUT_PERMIT;
    } else if (what == INPUT_NEW_GAME) {
        m->first_shot = m->shot.number + 1;
        m->history_lost = false;
        next_game(m, j);
        if (m->board.kind == BOARD_CIRCLES) // it begins on an empty board
            standing_owe_all(&m->now, &m->table, &m->board, m->shot.number);
    } else if (what == INPUT_PAUSE || what == INPUT_RESUME) {
        pause_or_resume(m, j);
    } else if (what == INPUT_SIDE || what == INPUT_NAME) {
        name_side(j, game_number(m->game, INPUT_OTHER));
    } else {
        bool known = judge(m, WORD_SAID, j) || set_standing(j, game_number(m->game, INPUT_OTHER));
        if (known && m->game->corrected && (what == INPUT_CORRECT || what == INPUT_TWENTY))
            m->game->corrected(j);
        return known;
    }
    return true;
}

// Words about the match that were said to hold from a shot on.
static void amend_match(struct match *m, struct judging *j)
{
    for (int i = 0; i < m->amended->count; i++) {
        const struct amendment *a = &m->amended->item[i];
        if (a->shot != m->shot.number || !a->in_force || input_about_shot(a->said.input.what))
            continue;
        j->input = &a->said;
        word(m, j);
    }
    j->input = NULL;
}

// Whether whose a piece is could not be seen of one that the shot was about, or that lies there.
static bool side_unknown(const struct match *m)
{
    bool unknown = strcmp(m->shot.by, COLOUR_UNKNOWN) == 0;
    for (int i = 0; i < m->shot.count; i++)
        unknown |= strcmp(m->shot.piece[i].piece.colour, COLOUR_UNKNOWN) == 0;
    for (int i = 0; i < m->table.count; i++)
        unknown |= strcmp(m->table.piece[i].colour, COLOUR_UNKNOWN) == 0;
    return unknown;
}

// Where a piece lies is seen, whatever was lost before; how the match stands follows from what was.
static void doubt(struct call_list *calls, const struct match *m, bool all)
{
    for (int i = 0; i < calls->count; i++)
        calls->call[i].firm &= !all && (!m->history_lost || calls->call[i].zone.area != ZONE_NONE);
}

static void judge_shot(struct ruling *out, struct match *m)
{
    struct judging j = judging_of(m, &out->calls);
    out->shot_ended = true;
    amend_shot(m);
    if (m->game->measure)
        m->game->measure(&j);
    if (m->now.over && m->game->set_up && m->game->set_up(&j)) // also before a shot that is taken back
        next_game(m, &j);
    if (!m->shot.said[INPUT_UNDO]) {
        bool was_over = m->now.over;
        int side = was_over ? -1 : judging_shooter(&j);
        if (side >= 0)
            snprintf(out->player, sizeof out->player, "%s", standing_player(&m->now, side));
        if (!was_over)
            judge(m, AFTER_SHOT, &j);
        if (side >= 0 && !m->shot.said[INPUT_SHOT_AGAIN])
            m->now.side[side].shots++;
    }
    m->now.permitted = m->now.permitted && out->calls.count == 0; // practice, of which nothing is said, uses up none
    memcpy(out->fact, j.fact, sizeof out->fact);
    amend_match(m, &j);
    bool lost = m->shot.incomplete || m->table.unfollowed > 0, whose = side_unknown(m);
    doubt(&out->calls, m, lost || whose || m->shot.damaged);
    if (whose)
        ask_judge(out, m, "sides-unknown", "sides cannot be told: nothing of this shot is firm, judge");
    if (m->shot.damaged || (m->history_lost && out->calls.count > 0))
        ask_judge(out, m, "pictures-lost", "%s",
                  m->shot.damaged ? "pictures of this shot were lost or damaged: nothing of it is firm, judge"
                                  : "pictures were lost before this shot: score and turn are as far as seen, judge");
    if (lost)
        ask_judge(out, m, "pieces-lost",
                  "more than the %d pieces that can be followed: nothing of this shot is firm, judge", PIECE_TABLE_MAX);
    for (int i = 0; i < out->calls.count && m->shot.said[INPUT_CONFIRM]; i++)
        out->calls.call[i].firm = !out->calls.call[i].undecided;
    m->history_lost &= !m->shot.said[INPUT_CONFIRM]; // the judge knows how it stands
}

int match_shot_meant(const struct match *m, const struct observation *o)
{
    int last = m->shot.number;
    if (o->input.shot > 0)
        return o->input.shot;
    if ((m->cut_off && o->input.what != INPUT_UNDO) || (input_places(o->input.what) && match_places_now(m, o)))
        return 0;
    if (m->shot.running && o->input.what == INPUT_UNDO) // who takes back has heard a call: the one before
        last--;
    while (last >= m->first_shot && o->input.what == INPUT_UNDO && amendments_undo(m->amended, last))
        last--;
    if (last < m->first_shot)
        return 0;
    return o->input.what == INPUT_UNDO || !amendments_undo(m->amended, last) ? last : 0;
}

// A word that changes how the past is judged. True when it was one: there is nothing more to do about it. `again`: this
// input is being folded again. It was no amendment when it was said, or the list was full then.
static bool amend(struct ruling *out, struct match *m, const struct observation *o, bool again)
{
    struct observation said = *o;
    enum input_kind what = o->input.what;
    bool about_shot = input_about_shot(what), about_input = what == INPUT_RETRACT || what == INPUT_REDO;
    int shot = about_shot || o->input.shot > 0 ? match_shot_meant(m, o) : 0;
    if (what == INPUT_REDO || (what == INPUT_RETRACT && o->input.input == 0))
        said.input.input = amendments_last_undone(m->amended);
    bool amends =
        about_input ? said.input.input > 0 && said.input.input < m->inputs : shot > 0 && shot <= m->shot.number;
    if (!amends || (again && m->amended->count < AMENDMENTS_MAX))
        return false;
    if (about_input && match_is_pause(m, said.input.input))
        return false;
    const struct amendment *meant = about_input ? amendments_find(m->amended, said.input.input) : NULL;
    out->fold_again = about_input || shot < m->shot.number || !m->shot.running;
    out->amended_shot = meant ? meant->shot : shot;
    out->amended_by = what;
    if (!amendments_add(m->amended, m->inputs, shot, &said)) {
        out->fold_again = false;
        ask_judge(out, m, "full", "no more than %d corrections: this one is not taken", AMENDMENTS_MAX);
    }
    return true;
}

static void say_nothing_to_amend(struct ruling *out, struct match *m, const struct observation *o)
{
    static const char *const words[INPUT_KINDS] = { [INPUT_UNDO] = "nothing to take back",
                                                    [INPUT_REDO] = "nothing to do again",
                                                    [INPUT_RETRACT] = "no such correction" };
    const char *nothing = words[o->input.what];
    call_add(&out->calls, game_number(m->game, INPUT_UNDO), input_word(o), "%s",
             nothing ? nothing : "no shot that this could be about");
}

static void input(struct ruling *out, struct match *m, const struct observation *o)
{
    enum input_kind what = o->input.what;
    struct judging j = judging_of(m, &out->calls);
    bool again = ++m->inputs <= m->amended->heard;
    if (!again)
        m->amended->heard = m->inputs;
    m->said[(m->inputs - 1) % SAID_KEPT] = *o;
    bool pause = (what == INPUT_PAUSE || what == INPUT_RESUME) && o->input.shot == 0;
    if (pause && !again) // so that no later word takes it back: one that there is no room for is not taken either
        amendments_add(m->amended, m->inputs, 0, o);
    const struct amendment *amended = amendments_find(m->amended, m->inputs), now = { .number = m->inputs, .said = *o };
    if (amended && amended->in_force && what == INPUT_TAKE_OFF && amended->shot == m->shot.number)
        match_place(m, amended, true); // it may have come into view since, or a hand have moved it
    if (!pause && (amended || amendments_retracted_by(m->amended, m->inputs)))
        return; // folded again: it is applied where it belongs, or not at all
    if (amend(out, m, o, again))
        return;
    j.input = o;
    if (input_places(what) && o->input.shot == 0) {
        match_say_placed(m, &out->calls, &now);
    } else if (input_about_shot(what) || o->input.shot > 0 || what == INPUT_RETRACT || what == INPUT_REDO) {
        say_nothing_to_amend(out, m, o);
    } else if (!word(m, &j)) {
        call_add(&out->calls, game_number(m->game, INPUT_OTHER), "noted", "noted: %s%s%s", input_word(o),
                 o->input.text[0] ? " " : "", o->input.text);
    }
}

static bool in_play(const struct match *m, const struct known_piece *p)
{
    struct zone z = zone_of(&m->board, &p->lying);
    return p->in_position && zone_in_play(&z);
}

// Nearer than this a piece that a hand brushed still lies where it lay: above what two looks at it differ by, below
// what changes a position.
static const double SHIFTED_IN = 0.1;

// A hand between shots. During a shot it is that shot's business.
static void hand(struct ruling *out, struct match *m, const struct observation *o)
{
    const struct known_piece *p = piece_table_find(&m->table, o->id);
    if (!p || m->shot.running || !in_play(m, p))
        return;
    bool took = o->kind == OBS_GONE && o->gone.where == BY_HAND;
    bool shifted = o->kind == OBS_REST && p->by_hand && distance_in(o->rest.at, p->lying.at) > SHIFTED_IN;
    if (!took && !shifted)
        return;
    struct judging j = judging_of(m, &out->calls);
    j.piece = p;
    j.taken = took;
    j.confirmed = amendments_confirmed(m->amended, m->shot.number, m->inputs); // not before it: of the shot alone
    if (shifted)
        j.to = o->rest.at;
    judge(m, HAND_IN_PLAY, &j);
    bool empty = took;
    for (int i = 0; i < m->table.count && empty; i++)
        empty = &m->table.piece[i] == p || m->table.piece[i].put_on || !in_play(m, &m->table.piece[i]);
    if (!empty)
        return;
    judge(m, BOARD_EMPTY, &j);
    match_clear_placed(m, true);
    m->placed.emptied_behind = m->shot.number;
}

// What had to go back lies where it lay: that piece or, as they are all alike and whoever puts one back may have
// carried it out of sight, another of its colour. True when this one was put back.
static bool settle_back(struct match *m, const struct observation *o)
{
    const struct known_piece *p = piece_table_find(&m->table, o->id);
    for (int i = 0; i < m->now.owed && o->kind == OBS_REST && p; i++) {
        const struct owed *owed = &m->now.owe[i];
        if (owed->what == OWED_BACK && strcmp(owed->colour, p->colour) == 0 &&
            distance_in(o->rest.at, owed->at) < m->board.piece_radius_in) {
            standing_settle(&m->now, owed->piece);
            return true;
        }
    }
    return false;
}

// What had to come off lies where nothing counts. One in the hole must be lifted.
static void settle_off(struct match *m, const struct observation *o)
{
    const struct known_piece *p = piece_table_find(&m->table, o->id);
    const struct owed *owed = standing_owes(&m->now, o->id);
    bool rests = o->kind == OBS_REST && p;
    if (!owed || owed->what != OWED_OFF)
        return;
    bool off = rests && o->rest.plane != ON_SURFACE && o->rest.plane != IN_HOLE;
    if (rests && m->board.kind == BOARD_RING) {
        struct resting_piece lying = p->lying;
        lying.at = o->rest.at;
        lying.plane = o->rest.plane;
        off = zone_of(&m->board, &lying).area == ZONE_OUT;
    }
    if (o->kind == OBS_GONE || off)
        standing_settle(&m->now, o->id);
}

// Sides were named with colours that are not on the board: nothing is scored for nobody in silence.
static void ask_whose(struct ruling *out, struct match *m)
{
    for (int i = 0; i < m->table.count; i++)
        if (m->table.piece[i].in_position && m->table.piece[i].lying.certainty >= SURE_CERTAINTY &&
            m->now.sides == SIDES && m->board.kind == BOARD_CIRCLES)
            standing_side(&m->now, m->table.piece[i].colour);
    for (int i = 0; i < m->now.sides; i++) {
        struct player_side *s = &m->now.side[i];
        if (!s->name_is_asked)
            continue;
        s->name_is_asked = false;
        ask_judge(out, m, "which-side", "%s plays %s, as it seems: judge, is that right?", standing_name(&m->now, i),
                  s->seat.colour);
    }
}

// Play goes on meanwhile; whoever has not spoken by then lets the call stand.
static const double ASKED_FOR_S = 30;

// What is shot from outside the ring, or ran before it ever lay anywhere, is its shooter's taw, however much it looks
// like a target; and so it is in later shots.
static void know_taw(struct match *m, const struct observation *o)
{
    const struct known_piece *p = piece_table_find(&m->table, o->id);
    if (m->board.kind != BOARD_RING || o->kind != OBS_MOVE || o->move.by != MOVED_BY_SHOT || o->id != m->shot.shooter ||
        !p || !p->lying.taw)
        return;
    struct resting_piece from = p->lying;
    from.at = o->move.from;
    struct zone z = zone_of(&m->board, &from);
    if (!p->rested || (z.area == ZONE_OUT && z.verdict.clear))
        piece_table_sure(&m->table, o->id);
}

// How the board, the pieces and the shot change by it. True when it ended the shot.
static bool follow(struct match *m, const struct observation *o, bool pause)
{
    struct observation named = *o;
    bool was_running = m->shot.running;
    if (placed_see(&m->placed, &m->table, &m->shot, &m->board, o))
        return false;
    if (o->kind == OBS_SEEN && m->board.kind == BOARD_CIRCLES)
        roster_name(&m->paints, &named);
    piece_table_follow(&m->table, &m->board, &named);
    bool ended = false;
    if (!pause || o->kind != OBS_MOVE) {
        ended = shot_follow(&m->shot, &m->table, &m->board, o);
        know_taw(m, o);
    } else { // what moves in a pause is no shot, and where it comes to rest nobody's doing
        m->cut_off |= o->move.by == MOVED_BY_SHOT;
        piece_table_unsettle(&m->table, o->id);
    }
    if (m->shot.running && !was_running) {
        m->shot.unpermitted = m->now.permit_needed && !m->now.permitted;
        m->cut_off = false;
    }
    if (o->kind == OBS_GONE)
        piece_table_remove(&m->table, o->id);
    if (o->kind == OBS_STILL) {
        m->board_rms_px = o->still.rms_px;
        m->line_sigma_in = o->still.line_sigma_in;
        piece_table_still(&m->table);
    }
    return ended;
}

void match_fold(struct ruling *out, struct match *m, const struct observation *o)
{
    out->calls.count = out->calls.lost = 0;
    out->shot_ended = out->fold_again = out->camera_again = false;
    out->camera = NULL;
    out->amended_shot = out->changes = 0;
    out->amended_by = INPUT_NONE;
    memset(out->fact, 0, sizeof out->fact);
    out->player[0] = '\0';
    // What a shot came to is told when all lies still again, and a word may have been said meanwhile.
    bool pause = o->kind != OBS_INPUT && (m->paused ? o->t_s >= m->paused_s : o->t_s < m->resumed_s);
    if (pause)
        cut_off(m);
    bool was_over = m->now.over, was_running = m->shot.running, unseen = m->shot.unseen;
    int game = m->now.game, winner = was_over ? m->now.winner : -1;
    if (!settle_back(m, o) && !pause)
        hand(out, m, o);
    settle_off(m, o);
    bool ended = follow(m, o, pause);
    if (o->kind == OBS_CAMERA) {
        if (o->camera.what != CAMERA_LOCKED || m->board_lost) // that the board was found at the beginning is no news
            out->camera = o;
        bool hidden = observation_hides(o), cut = observation_ends_view(o) || hidden;
        m->cut_off |= cut && was_running;
        m->board_lost = o->camera.what == CAMERA_LOST || cut;
        m->history_lost |= hidden && !pause;
    }
    if (was_running && !m->shot.running && !ended) // cut off: the next one gets its number
        amendments_forget_shot(m->amended, m->shot.number + 1, m->inputs);
    if (ended)
        judge_shot(out, m);
    if (o->kind == OBS_STILL && !ended && !pause) {
        struct judging j = judging_of(m, &out->calls);
        judge(m, ALL_STILL, &j);
    }
    if (o->kind == OBS_STILL && !pause)
        ask_whose(out, m);
    if (!ended)
        doubt(&out->calls, m, unseen);
    if (o->kind == OBS_INPUT)
        input(out, m, o);
    bool same = was_over && m->now.over && m->now.game == game && m->now.winner == winner;
    if (winner >= 0 && m->now.game == game && !same) // a correction: another won it, or nobody yet
        m->now.side[winner].games--;
    if (m->now.over && m->now.winner >= 0 && !same)
        m->now.side[m->now.winner].games++;
    match_clear_placed(m, o->kind == OBS_INPUT && o->input.what == INPUT_NEW_GAME);
    call_tell_lost(&out->calls, game_number(m->game, INPUT_OTHER));
    if (ended || (!m->paused && o->t_s > m->asked_until_s))
        m->asked = 0;
    for (int i = 0; i < out->calls.count; i++) { // dated and numbered here, so that no rule has to
        out->calls.call[i].t_s = o->t_s;
        out->calls.call[i].shot = m->shot.number;
        m->asked += ended && !out->calls.call[i].firm;
    }
    if (ended)
        m->asked_until_s = o->t_s + ASKED_FOR_S;
}

bool ruling_holds(const struct ruling *r, const struct call *c)
{
    return c->change == CALL_MADE || (c->change == CALL_INSTEAD && c->shot == r->amended_shot);
}
