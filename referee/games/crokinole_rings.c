// SPDX-License-Identifier: MIT
// Crokinole as in the booklet of a game board: rings, 10/5/3/2, first to 100. The rules' numbers are C1..C26.
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/games/circles.h"
#include "referee/games/games.h"

enum {
    RINGS_EACH = 6,    // C1, C21
    GAME_POINTS = 100, // C23
    NEED_TO_BOOK = 10, // C7, C8: a ten is booked at once only by a side that needs more than this
};

// Index among the held tens; -1 when it is none.
static int held_at(const struct standing *s, int id)
{
    const struct crokinole_rings_state *own = &s->own.crokinole_rings;
    for (int i = 0; i < own->held; i++)
        if (own->held_id[i] == id)
            return i;
    return -1;
}

// C7, C8 and A5: a ring that this shot brought into the hole, whoever shot it.
static void ten(struct judging *j, const struct outcome *o)
{
    struct crokinole_rings_state *own = &j->now->own.crokinole_rings;
    int side = standing_side(j->now, o->piece.colour);
    if (side < 0)
        return;
    bool held = GAME_POINTS - j->now->side[side].score <= NEED_TO_BOOK, room = own->held < HELD_MAX;
    if (held && room)
        own->held_id[own->held++] = o->piece.id;
    if (!held)
        j->now->side[side].score += j->board->hole_points;
    struct call *c = call_add(j->calls, held ? "C8" : "C7", held ? "ten-held" : "ten", "%s  10  (in the hole%s)",
                              standing_owner(j->now, o->piece.colour),
                              !held  ? ""
                              : room ? "; held until the round ends"
                                     : "; more are held than can be counted: judge");
    snprintf(c->side, sizeof c->side, "%s", o->piece.colour);
    call_measure(c, o);
    c->firm &= !held || room;
}

static void say_zones(struct judging *j)
{
    struct crokinole_rings_state *own = &j->now->own.crokinole_rings;
    const struct board *b = j->board;
    for (const struct outcome *o = NULL; (o = circles_next(j, o));) {
        int held = held_at(j->now, o->piece.id);
        if (circles_in_hole(o)) {
            if (!circles_was_in_hole(o))
                ten(j, o);
            continue;
        }
        if (held >= 0) {
            own->held_id[held] = own->held_id[--own->held];
            call_add(j->calls, "C10", "ten-lost", "%s  ten lost", standing_owner(j->now, o->piece.colour))->piece =
                o->piece.id;
        }
        circles_say(j, o,
                    o->zone.points == 0                                      ? o->left ? "C18" : "C17"
                    : b->circles == 3 && o->zone.points == b->zone_points[2] ? "C13"
                    : b->circles == 3 && o->zone.points == b->zone_points[1] ? "C14"
                                                                             : "C15");
    }
}

// A2: set aside as played, the proper side shoots.
static void say_out_of_turn(struct judging *j)
{
    int side = judging_shooter(j);
    if (side >= 0)
        j->now->side[side].played++;
    judging_say(j, NULL, "not-your-turn", "not %s's turn: ring removed; %s to shoot",
                standing_owner(j->now, j->shot->by), standing_name(j->now, j->now->to_shoot));
}

// A1: void, set aside as played.
static void say_foul(struct judging *j)
{
    call_add(j->calls, j->rule->number, "foul", "%s: %s's shot is void, ring removed", j->shot->foul,
             standing_owner(j->now, j->shot->by));
    circles_pass(j);
}

static void pass(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2];
    circles_pass(j);
    standing_words(words, sizeof words, j->now);
    if (j->now->to_shoot >= 0)
        call_add(j->calls, j->rule->number, "total", "%s; %s to shoot", words,
                 standing_player(j->now, j->now->to_shoot));
}

static bool all_played(const struct judging *j)
{
    return circles_all_played(j, RINGS_EACH);
}

static void end_round(struct judging *j)
{
    struct standing *s = j->now;
    char words[CALL_TEXT_MAX / 2];
    for (int i = 0; i < s->sides; i++)
        s->side[i].score += circles_points(j, i, false);
    for (int i = 0; i < j->shot->count; i++) { // C8: the tens that are still held
        const struct outcome *o = &j->shot->piece[i];
        int side = held_at(s, o->piece.id) < 0 ? -1 : standing_side(s, o->piece.colour);
        if (circles_in_hole(o) && side >= 0)
            s->side[side].score += j->board->hole_points;
    }
    standing_words(words, sizeof words, s);
    call_add(j->calls, "C22", "round", "round %d over: %s", s->round, words);
    s->own.crokinole_rings.held = 0;
    circles_next_round(j);
    int a = s->side[0].score, b = s->side[1].score;
    if (s->sides < SIDES || (a < GAME_POINTS && b < GAME_POINTS) || a == b) // A7: equal, one more round
        return;
    s->over = true;
    s->winner = a < b;
    call_add(j->calls, "C23", "game", "game to %s", standing_name(s, s->winner));
}

static bool in_a_game(const struct judging *j)
{
    return !j->now->over;
}

static void say_put_back(struct judging *j)
{
    if (!j->taken)
        call_add(j->calls, j->rule->number, "reset", "reset: %s was moved by hand, put it back",
                 standing_owner(j->now, j->piece->colour))
            ->piece = j->piece->id;
}

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "C5", "not your turn", "A shot out of turn: the ring is set aside as played and the proper side shoots.",
      .when = judging_out_of_turn, .then = say_out_of_turn, .ends = true },
    { "C3", "foul", "A wrong start that the judge names: the shot is void, the ring set aside as played.",
      .said = INPUT_FOUL, .then = say_foul, .ends = true },
    { "C13", "zone",
      "A ring wholly inside the smallest circle counts 5 at the round's end, next 3 (C14), then 2 (C15).",
      .then = say_zones },
    { "C16", "line touch", "A ring touching a line counts for the area outside that line.", .then = NULL },
    { "C17", "ditched", "A ring touching the outer line or beyond it is removed, as is one that left the board (C18).",
      .then = NULL },
    { "C7", "ten", "A ring in the centre hole gives its owner 10 at once when he needs more than 10.", .then = NULL },
    { "C8", "ten held", "Needing 10 or fewer, it counts only at the round's end, if it is still in the hole.",
      .then = NULL },
    { "C10", "ten lost", "A held ten that is knocked from the hole is lost; the ring counts by its new area.",
      .then = NULL },
    { "C4", "to shoot", "The sides alternate, one ring a turn.", .then = pass },
    { "C21", "round over", "With six rings of each side played the areas and held tens are added (C22).",
      .when = all_played, .then = end_round },
    { "C21", "round over", "Likewise when the judge says so.", .occasion = WORD_SAID, .said = INPUT_ROUND_OVER,
      .when = in_a_game, .then = end_round },
    { "C23", "game", "After a round with 100 or more the higher total wins; equal totals play one more round.",
      .then = NULL },
    { "C26", "reset", "A ring that something but a shot moved is put back.", .occasion = HAND_IN_PLAY,
      .then = say_put_back },
    { "C1", "new game", "The board empty and the rings beside it, a game begins when the judge says so.",
      .occasion = WORD_SAID, .said = INPUT_NEW_GAME },
    { "judge", "undo", "The booklet has no rule for it: the judge takes the last shot back, all is as before it.",
      .occasion = WORD_SAID, .said = INPUT_UNDO },
    { "judge", "noted", "Nor for this: what else the judge says is noted.", .occasion = WORD_SAID,
      .said = INPUT_OTHER },
};

static const struct format formats[] = {
    { .name = "booklet", .players = 1, .pieces_each = RINGS_EACH, .scoring = SCORE_SUM, .target = GAME_POINTS },
};

const struct game crokinole_rings_game = {
    .formats = formats,
    .format_count = (int)countof(formats),
    .name = "crokinole-rings",
    .title = "Crokinole of the booklet (rings, 10/5/3/2, to 100)",
    .board = "crokinole-rings-24",
    .rules = rules,
    .rule_count = (int)countof(rules),
};
