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

static const char *zone_number(const struct judging *j, const struct outcome *o)
{
    const struct board *b = j->board;
    if (b->circles == 3 && o->zone.points == b->zone_points[2])
        return "C13";
    if (b->circles == 3 && o->zone.points == b->zone_points[1])
        return "C14";
    return "C15";
}

static int held_at(const struct standing *s, int id)
{
    for (int i = 0; i < s->held; i++)
        if (s->held_id[i] == id)
            return i;
    return -1;
}

static void ten_lost(struct judging *j, const struct outcome *o, int at)
{
    memmove(&j->now->held_id[at], &j->now->held_id[at + 1], (size_t)(j->now->held - at - 1) * sizeof(int));
    j->now->held--;
    struct call *c = call_add(j->calls, "C10", "ten-lost", "%s  ten lost", o->piece.colour);
    c->piece = o->piece.id;
}

// C7, C8 and A5: a ring that this shot brought into the hole, whoever shot it.
static void ten(struct judging *j, const struct outcome *o)
{
    int side = standing_side(j->now, o->piece.colour);
    if (side < 0)
        return;
    bool held = GAME_POINTS - j->now->side[side].score <= NEED_TO_BOOK;
    if (held && j->now->held < HELD_MAX)
        j->now->held_id[j->now->held++] = o->piece.id;
    if (!held)
        j->now->side[side].score += j->board->hole_points;
    struct call *c = call_add(j->calls, held ? "C8" : "C7", held ? "ten-held" : "ten", "%s  10  (in the hole%s)",
                              o->piece.colour, held ? "; held until the round ends" : "");
    c->piece = o->piece.id;
    snprintf(c->side, sizeof c->side, "%s", o->piece.colour);
    call_measure(c, &o->zone, !o->left);
}

static void say(struct judging *j, const struct outcome *o)
{
    struct circles_numbers numbers = { zone_number(j, o), "C7", o->left ? "C18" : "C17" };
    int held = held_at(j->now, o->piece.id);
    if (held >= 0 && !circles_in_hole(o))
        ten_lost(j, o, held);
    if (!circles_in_hole(o))
        circles_say(j, o, &numbers);
    else if (!circles_was_in_hole(j, o))
        ten(j, o);
}

static bool out_of_turn(const struct judging *j)
{
    return j->now->to_shoot >= 0 && circles_shooter(j) != j->now->to_shoot;
}

// A2: set aside as played, the proper side shoots.
static void say_out_of_turn(struct judging *j)
{
    int side = circles_shooter(j);
    if (side >= 0)
        j->now->side[side].played++;
    struct call *c = call_add(j->calls, "C5", "not-your-turn", "not %s's turn: ring removed; %s to shoot", j->shot->by,
                              j->now->side[j->now->to_shoot].colour);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
}

static bool foul(const struct judging *j)
{
    return j->shot->said.foul[0] != '\0';
}

// A1: void, set aside as played.
static void say_foul(struct judging *j)
{
    call_add(j->calls, "C3", "foul", "%s: %s's shot is void, ring removed", j->shot->said.foul, j->shot->by);
    circles_pass(j);
}

static bool every_time(const struct judging *j)
{
    (void)j;
    return true;
}

static void say_zones(struct judging *j)
{
    const struct outcome *first = shot_outcome(j->shot, j->shot->shooter);
    if (first)
        say(j, first);
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (o != first)
            say(j, o);
}

static void pass(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2];
    circles_pass(j);
    standing_words(words, sizeof words, j->now);
    if (j->now->to_shoot >= 0)
        call_add(j->calls, "C4", "total", "%s; %s to shoot", words, j->now->side[j->now->to_shoot].colour);
}

static bool all_played(const struct judging *j)
{
    return circles_all_played(j, RINGS_EACH);
}

static int held_points(const struct judging *j, int side)
{
    int points = 0;
    for (int i = 0; i < j->shot->count; i++) {
        const struct outcome *o = &j->shot->piece[i];
        if (circles_in_hole(o) && held_at(j->now, o->piece.id) >= 0 &&
            strcmp(o->piece.colour, j->now->side[side].colour) == 0)
            points += j->board->hole_points;
    }
    return points;
}

static void count_game(struct judging *j)
{
    int a = j->now->side[0].score, b = j->now->side[1].score;
    if ((a < GAME_POINTS && b < GAME_POINTS) || a == b) // A7: equal, one more round
        return;
    j->now->over = true;
    j->now->winner = a < b;
    call_add(j->calls, "C23", "game", "game to %s", j->now->side[j->now->winner].colour);
}

static void end_round(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2];
    for (int i = 0; i < j->now->sides; i++)
        j->now->side[i].score += circles_points(j, i) + held_points(j, i);
    standing_words(words, sizeof words, j->now);
    call_add(j->calls, "C22", "round", "round %d over: %s", j->now->round, words);
    circles_next_round(j);
    if (j->now->sides == SIDES)
        count_game(j);
}

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "C5", "not your turn", "A shot out of turn: the ring is set aside as played and the proper side shoots.",
      out_of_turn, say_out_of_turn, true },
    { "C3", "foul", "A wrong start that the judge names: the shot is void, the ring set aside as played.", foul,
      say_foul, true },
    { "C13", "zone",
      "A ring wholly inside the smallest circle counts 5 at the round's end, next 3 (C14), then 2 (C15).", every_time,
      say_zones, false },
    { "C16", "line touch", "A ring touching a line counts for the area outside that line.", NULL, NULL, false },
    { "C17", "ditched", "A ring touching the outer line or beyond it is removed, as is one that left the board (C18).",
      NULL, NULL, false },
    { "C7", "ten", "A ring in the centre hole gives its owner 10 at once when he needs more than 10.", NULL, NULL,
      false },
    { "C8", "ten held", "Needing 10 or fewer, it counts only at the round's end, if it is still in the hole.", NULL,
      NULL, false },
    { "C10", "ten lost", "A held ten that is knocked from the hole is lost; the ring counts by its new area.", NULL,
      NULL, false },
    { "C4", "to shoot", "The sides alternate, one ring a turn.", every_time, pass, false },
    { "C21", "round over", "With six rings of each side played the areas and held tens are added (C22).", all_played,
      end_round, false },
    { "C23", "game", "After a round with 100 or more the higher total wins; equal totals play one more round.", NULL,
      NULL, false },
};

static void judge_shot(struct judging *j)
{
    if (!j->now->over)
        rules_walk(rules, (int)countof(rules), j);
}

// C26: rings are moved by shots alone.
static void judge_hand(struct judging *j)
{
    if (!j->taken)
        call_add(j->calls, "C26", "reset", "reset: %s was moved by hand, put it back", j->piece->colour)->piece =
            j->piece->id;
}

static void judge_cleared(struct judging *j)
{
    (void)j; // C21 alone ends a round
}

static void judge_input(struct judging *j)
{
    if (strcmp(j->input->input.what, "round-over") == 0 && !j->now->over)
        end_round(j);
    else
        call_add(j->calls, "C26", "noted", "noted: %s %s", j->input->input.what, j->input->input.text);
}

const struct game crokinole_rings_game = {
    .name = "crokinole-rings",
    .title = "Crokinole of the booklet (rings, 10/5/3/2, to 100)",
    .board = "crokinole-rings-24",
    .rules = rules,
    .rule_count = (int)countof(rules),
    .start = standing_start,
    .shot = judge_shot,
    .hand = judge_hand,
    .cleared = judge_cleared,
    .input = judge_input,
};
