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

static bool theirs(const struct judging *j, const struct outcome *o)
{
    return strcmp(o->piece.colour, j->shot->by) != 0;
}

// A disc that must be hit: the opponent's, in play, not in the hole.
static bool target(const struct judging *j, const struct outcome *o)
{
    return o->was_in_play && o->was.points > 0 && theirs(j, o) && !circles_was_in_hole(o);
}

static bool open_board(const struct judging *j)
{
    for (int i = 0; i < j->shot->count; i++)
        if (target(j, &j->shot->piece[i]))
            return false;
    return true;
}

static int round_points(const struct judging *j, int side)
{
    return j->now->own.crokinole.booked[side] + circles_points(j, side, true);
}

// "black 15, red 20"
static void words_of_points(char *out, size_t size, const struct judging *j)
{
    struct standing on_board = *j->now;
    for (int i = 0; i < on_board.sides; i++)
        on_board.side[i].score = round_points(j, i);
    standing_words(out, size, &on_board);
}

static void say_out_of_turn(struct judging *j)
{
    judging_say(j, NULL, "not-your-turn", "%s shot, but it was %s's turn: judge", standing_owner(j->now, j->shot->by),
                standing_name(j->now, j->now->to_shoot))
        ->firm = false;
}

static void say_foul(struct judging *j)
{
    judging_say(j, NULL, "foul", "foul by %s: %s; the shot disc to the ditch", standing_owner(j->now, j->shot->by),
                j->shot->foul);
}

static void say_zones(struct judging *j)
{
    for (const struct outcome *o = NULL; (o = circles_next(j, o));)
        circles_say(j, o, o->zone.points == 0 ? "N8" : circles_in_hole(o) ? "N3" : "N1");
}

// A touch that moved nothing cannot be seen, so this is never firm.
static void say_missed(struct judging *j)
{
    bool hit = j->shot->first == FIRST_PIECE && strcmp(j->shot->first_with, j->shot->by) != 0;
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        hit |= target(j, o);
    if (hit || open_board(j))
        return;
    struct call *c =
        j->shot->unseen_contact
            ? judging_say(j, NULL, "no-hit", "a contact was not seen: judge, was a disc of the opponent hit?")
            : judging_say(j, NULL, "no-hit", "no disc of the opponent was seen to be hit: %s's shot disc to the ditch",
                          standing_owner(j->now, j->shot->by));
    c->firm = false;
}

static void say_short(struct judging *j)
{
    int innermost = j->board->circles - 1;
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (!theirs(j, o) &&
            (circles_in_hole(o) || (!o->left && line_touches_or_inside(j->board, innermost, &o->piece.lying))))
            return;
    if (open_board(j))
        judging_say(j, NULL, "open-board", "open board and no disc in or on the 15 line: %s's shot disc to the ditch",
                    standing_owner(j->now, j->shot->by));
}

static void book(struct judging *j, const char *colour)
{
    int side = standing_side(j->now, colour);
    if (side < 0)
        return;
    int *booked = &j->now->own.crokinole.booked[side];
    *booked += j->board->hole_points;
    struct call *c = call_add(j->calls, j->rule->number, "kept", "%s  %d kept  (%d from the hole)",
                              standing_owner(j->now, colour), j->board->hole_points, *booked);
    snprintf(c->side, sizeof c->side, "%s", colour);
}

// Between shots, or in the haste of play while the next disc already runs.
static void book_lifted(struct judging *j)
{
    if (j->taken && j->piece->lying.plane == IN_HOLE)
        book(j, j->piece->colour);
    for (const struct outcome *o = NULL; !j->piece && (o = judging_next(j, o));)
        if (o->left && (o->left_to == IN_HOLE || (o->left_to == BY_HAND && circles_was_in_hole(o))))
            book(j, o->piece.colour);
}

static void say_total(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2];
    circles_pass(j);
    words_of_points(words, sizeof words, j);
    if (j->now->to_shoot >= 0)
        call_add(j->calls, "N11", "total", "on the board %s; %s to shoot", words,
                 standing_player(j->now, j->now->to_shoot));
    else
        call_add(j->calls, "N11", "total", "on the board %s", words);
}

static bool all_played(const struct judging *j)
{
    return circles_all_played(j, DISCS_EACH);
}

static void end_round(struct judging *j)
{
    struct standing *s = j->now;
    char points_words[CALL_TEXT_MAX / 2], score_words[CALL_TEXT_MAX / 2];
    int points[SIDES] = { round_points(j, 0), round_points(j, 1) };
    words_of_points(points_words, sizeof points_words, j);
    for (int i = 0; i < SIDES; i++)
        s->side[i].score += points[i] == points[1 - i]  ? ROUND_POINTS / 2
                            : points[i] > points[1 - i] ? ROUND_POINTS
                                                        : 0;
    standing_words(score_words, sizeof score_words, s);
    call_add(j->calls, j->rule->number, "round", "round %d over: %s; match points %s", s->round, points_words,
             score_words);
    bool last = s->round >= ROUNDS;
    s->own.crokinole = (struct crokinole_state){ .booked = { 0 } };
    circles_next_round(j);
    if (!last)
        return;
    s->over = true;
    s->winner = s->side[0].score == s->side[1].score ? -1 : s->side[0].score < s->side[1].score;
    if (s->winner < 0)
        call_add(j->calls, "N14", "game", "game drawn: %s", score_words);
    else
        call_add(j->calls, "N14", "game", "game to %s: %s", standing_name(s, s->winner), score_words);
}

static bool two_sides_in_a_game(const struct judging *j)
{
    return j->now->sides == SIDES && !j->now->over;
}

static bool cleared_after_both_shot(const struct judging *j)
{
    bool lifted_twenty = j->piece->lying.plane == IN_HOLE;
    return two_sides_in_a_game(j) && j->now->side[0].played > 0 && j->now->side[1].played > 0 && !lifted_twenty;
}

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "N11", "not your turn", "The sides alternate, one disc a turn; a shot out of turn is put before the judge.",
      .when = judging_out_of_turn, .then = say_out_of_turn },
    { "N7", "foul", "A foul that the judge names makes the shot invalid: the shot disc goes to the ditch.",
      .said = INPUT_FOUL, .then = say_foul },
    { "N1", "zone", "A disc counts 15 inside the pegs' circle, 10 in the next area, 5 in the outer one.",
      .then = say_zones },
    { "N2", "line touch", "A disc that touches any part of a line counts the lower of the two areas.", .then = NULL },
    { "N3", "20", "A disc lying flat in the centre hole counts 20; one that leans on its edge counts 15.",
      .then = NULL },
    { "N8", "ditched", "A disc at rest that touches the outer line goes to the ditch.", .then = NULL },
    { "N9", "ditched", "A disc that left the playing surface stays in the ditch.", .then = NULL },
    { "N10", "20 for the owner", "A disc knocked into the hole counts 20 for its owner, whoever shot.", .then = NULL },
    { "N5", "no hit", "With a disc of the opponent in play the shot must hit one, itself or through an own disc.",
      .then = say_missed },
    { "N6", "open board", "With none in play the shot disc or one it struck must end in or touching the 15 line.",
      .then = say_short },
    { "N4", "20 kept", "A 20 is lifted after the turn and kept until the round ends.", .then = book_lifted },
    { "N4", "20 kept", "The same between shots, whoever lifts it.", .occasion = HAND_IN_PLAY, .then = book_lifted },
    { "N12", "total", "Each side shoots eight discs a round; after every shot the total on the board is said.",
      .then = say_total },
    { "N13", "round over", "The higher total of a round gets 2 points, a tie 1 each; the other side begins the next.",
      .when = all_played, .then = end_round },
    { "N13", "round over", "A board cleared by hand after both have shot ends a shorter round (doubles, practice).",
      .occasion = BOARD_EMPTY, .when = cleared_after_both_shot, .then = end_round },
    { "N13", "round over", "Likewise when the judge says so.", .occasion = WORD_SAID, .said = INPUT_ROUND_OVER,
      .when = two_sides_in_a_game, .then = end_round },
    { "N14", "game", "Four rounds are a game; the higher score wins.", .then = NULL },
    { "N15", "undo", "The judge's word stands: he takes the last shot back, all is as before it.",
      .occasion = WORD_SAID, .said = INPUT_UNDO },
    { "N15", "noted", "What else the judge says is noted.", .occasion = WORD_SAID, .said = INPUT_OTHER },
    { "N16", "new game", "A game begins when the judge says so.", .occasion = WORD_SAID, .said = INPUT_NEW_GAME },
};

static const struct format formats[] = {
    { .name = "nca-singles", .players = 1, .pieces_each = DISCS_EACH, .round_points = ROUND_POINTS, .rounds = ROUNDS },
};

const struct game crokinole_game = {
    .formats = formats,
    .format_count = (int)countof(formats),
    .name = "crokinole",
    .title = "Crokinole, tournament rules (discs, 20/15/10/5)",
    .board = "crokinole-nca",
    .rules = rules,
    .rule_count = (int)countof(rules),
};
