// SPDX-License-Identifier: MIT
// Tournament Crokinole on discs, 20/15/10/5. The numbers N1.. are ours, in the order of the rules as the National
// Crokinole Association and the World Championship publish them.
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/games/circles.h"
#include "referee/games/games.h"

enum {
    DISCS_EACH = 8,   // N12: singles
    ROUNDS = 4,       // N14
    ROUND_POINTS = 2, // N13: the winner of a round; a tie gives half of it to each
};

static const struct circles_numbers numbers = { .zone = "N1", .hole = "N3", .ditched = "N8" };

static bool theirs(const struct judging *j, const struct outcome *o)
{
    return strcmp(o->piece.colour, j->shot->by) != 0;
}

// A disc that must be hit: the opponent's, in play, not in the hole.
static bool target(const struct judging *j, const struct outcome *o)
{
    return o->was_in_play && o->was.points > 0 && theirs(j, o) && !circles_was_in_hole(j, o);
}

static bool open_board(const struct judging *j)
{
    for (int i = 0; i < j->shot->count; i++)
        if (target(j, &j->shot->piece[i]))
            return false;
    return true;
}

static bool hit_one(const struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (target(j, o))
            return true;
    return j->shot->first == FIRST_PIECE && strcmp(j->shot->first_with, j->shot->by) != 0;
}

static bool reached_fifteen(const struct judging *j)
{
    int innermost = j->board->circles - 1;
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (!theirs(j, o) &&
            (circles_in_hole(o) || (!o->left && line_touches_or_inside(j->board, innermost, &o->piece.lying))))
            return true;
    return false;
}

static bool out_of_turn(const struct judging *j)
{
    return j->now->to_shoot >= 0 && circles_shooter(j) != j->now->to_shoot;
}

static void say_out_of_turn(struct judging *j)
{
    const char *due = j->now->side[j->now->to_shoot].colour;
    struct call *c =
        call_add(j->calls, "N11", "not-your-turn", "%s shot, but it was %s's turn: judge", j->shot->by, due);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
    c->firm = false;
}

static bool foul(const struct judging *j)
{
    return j->shot->said.foul[0] != '\0';
}

static void say_foul(struct judging *j)
{
    struct call *c =
        call_add(j->calls, "N7", "foul", "foul by %s: %s; the shot disc to the ditch", j->shot->by, j->shot->said.foul);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
}

static bool every_time(const struct judging *j)
{
    (void)j;
    return true;
}

static void say_zones(struct judging *j)
{
    circles_say_all(j, &numbers);
}

static bool missed(const struct judging *j)
{
    return !open_board(j) && !hit_one(j);
}

// A touch that moved nothing cannot be seen, so this is never firm.
static void say_missed(struct judging *j)
{
    struct call *c =
        j->shot->unseen_contact
            ? call_add(j->calls, "N5", "no-hit", "a contact was not seen: judge, was a disc of the opponent hit?")
            : call_add(j->calls, "N5", "no-hit",
                       "no disc of the opponent was seen to be hit: %s's shot disc to the ditch", j->shot->by);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
    c->firm = false;
}

static bool short_of_fifteen(const struct judging *j)
{
    return open_board(j) && !reached_fifteen(j);
}

static void say_short(struct judging *j)
{
    struct call *c = call_add(j->calls, "N6", "open-board",
                              "open board and no disc in or on the 15 line: %s's shot disc to the ditch", j->shot->by);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
}

// N4: a 20 is lifted after the turn; in the haste of play also while the next disc already runs.
static void book(struct judging *j, const char *colour)
{
    int side = standing_side(j->now, colour);
    if (side < 0)
        return;
    j->now->side[side].booked += j->board->hole_points;
    struct call *c = call_add(j->calls, "N4", "kept", "%s  %d kept  (%d from the hole)", colour, j->board->hole_points,
                              j->now->side[side].booked);
    snprintf(c->side, sizeof c->side, "%s", colour);
}

static void book_lifted(struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (o->left && (o->left_to == IN_HOLE || (o->left_to == BY_HAND && circles_was_in_hole(j, o))))
            book(j, o->piece.colour);
}

static int round_points(const struct judging *j, int side)
{
    int points = j->now->side[side].booked + circles_points(j, side);
    for (int i = 0; i < j->shot->count; i++) {
        const struct outcome *o = &j->shot->piece[i];
        if (!o->left && circles_in_hole(o) && strcmp(o->piece.colour, j->now->side[side].colour) == 0)
            points += j->board->hole_points;
    }
    return points;
}

static void say_total(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2] = "";
    size_t used = 0;
    circles_pass(j);
    for (int i = 0; i < j->now->sides && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s %d", i ? ", " : "", j->now->side[i].colour,
                                 round_points(j, i));
    if (j->now->to_shoot >= 0)
        call_add(j->calls, "N11", "total", "on the board %s; %s to shoot", words,
                 j->now->side[j->now->to_shoot].colour);
    else
        call_add(j->calls, "N11", "total", "on the board %s", words);
}

static void end_game(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2];
    const struct side *a = &j->now->side[0], *b = &j->now->side[1];
    j->now->over = true;
    j->now->winner = a->score == b->score ? -1 : a->score < b->score;
    standing_words(words, sizeof words, j->now);
    if (j->now->winner < 0)
        call_add(j->calls, "N14", "game", "game drawn: %s", words);
    else
        call_add(j->calls, "N14", "game", "game to %s: %s", j->now->side[j->now->winner].colour, words);
}

static void end_round(struct judging *j)
{
    int points[SIDES];
    for (int i = 0; i < SIDES; i++)
        points[i] = round_points(j, i);
    for (int i = 0; i < SIDES; i++)
        j->now->side[i].score += points[i] == points[1 - i]  ? ROUND_POINTS / 2
                                 : points[i] > points[1 - i] ? ROUND_POINTS
                                                             : 0;
    char words[CALL_TEXT_MAX / 2];
    standing_words(words, sizeof words, j->now);
    call_add(j->calls, "N13", "round", "round %d over: %s %d, %s %d; match points %s", j->now->round,
             j->now->side[0].colour, points[0], j->now->side[1].colour, points[1], words);
    bool last = j->now->round >= ROUNDS;
    circles_next_round(j);
    if (last)
        end_game(j);
}

static bool all_played(const struct judging *j)
{
    return circles_all_played(j, DISCS_EACH);
}

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "N11", "not your turn", "The sides alternate, one disc a turn; a shot out of turn is put before the judge.",
      out_of_turn, say_out_of_turn, false },
    { "N7", "foul", "A foul that the judge names makes the shot invalid: the shot disc goes to the ditch.", foul,
      say_foul, false },
    { "N1", "zone", "A disc counts 15 inside the pegs' circle, 10 in the next area, 5 in the outer one.", every_time,
      say_zones, false },
    { "N2", "line touch", "A disc that touches any part of a line counts the lower of the two areas.", NULL, NULL,
      false },
    { "N3", "20", "A disc lying flat in the centre hole counts 20; one that leans on its edge counts 15.", NULL, NULL,
      false },
    { "N8", "ditched", "A disc at rest that touches the outer line goes to the ditch.", NULL, NULL, false },
    { "N9", "ditched", "A disc that left the playing surface stays in the ditch.", NULL, NULL, false },
    { "N10", "20 for the owner", "A disc knocked into the hole counts 20 for its owner, whoever shot.", NULL, NULL,
      false },
    { "N5", "no hit", "With a disc of the opponent in play the shot must hit one, itself or through an own disc.",
      missed, say_missed, false },
    { "N6", "open board", "With none in play the shot disc or one it struck must end in or touching the 15 line.",
      short_of_fifteen, say_short, false },
    { "N4", "20 kept", "A 20 is lifted after the turn and kept until the round ends.", every_time, book_lifted, false },
    { "N12", "total", "Each side shoots eight discs a round; after every shot the total on the board is said.",
      every_time, say_total, false },
    { "N13", "round over", "The higher total of a round gets 2 points, a tie 1 each; the other side begins the next.",
      all_played, end_round, false },
    { "N14", "game", "Four rounds are a game; the higher score wins.", NULL, NULL, false },
};

static void judge_shot(struct judging *j)
{
    if (!j->now->over)
        rules_walk(rules, (int)countof(rules), j);
}

static void judge_hand(struct judging *j)
{
    if (j->taken && j->piece->lying.plane == IN_HOLE)
        book(j, j->piece->colour);
}

// A board cleared by hand after both have shot is the end of a shorter round (doubles, practice).
static void judge_cleared(struct judging *j)
{
    bool both = j->now->sides == SIDES && j->now->side[0].played > 0 && j->now->side[1].played > 0;
    bool lifted_twenty = j->piece->lying.plane == IN_HOLE;
    if (both && !lifted_twenty && !j->now->over)
        end_round(j);
}

static void judge_input(struct judging *j)
{
    if (strcmp(j->input->input.what, "round-over") == 0 && j->now->sides == SIDES && !j->now->over)
        end_round(j);
    else
        call_add(j->calls, "N7", "noted", "noted: %s %s", j->input->input.what, j->input->input.text);
}

const struct game crokinole_game = {
    .name = "crokinole",
    .title = "Crokinole, tournament rules (discs, 20/15/10/5)",
    .board = "crokinole-nca",
    .rules = rules,
    .rule_count = (int)countof(rules),
    .start = standing_start,
    .shot = judge_shot,
    .hand = judge_hand,
    .cleared = judge_cleared,
    .input = judge_input,
};
