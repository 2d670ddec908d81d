// SPDX-License-Identifier: MIT
// Crokinole as in the booklet of a game board: rings, 10/5/3/2, first to 100. The rules' numbers are C1..C26.
#include <stdio.h>

#include "referee/games/circles.h"
#include "referee/games/games.h"

enum { NEED_TO_BOOK = 10 }; // C7, C8: a ten is booked at once only by a side that needs more than this

enum { VALID, TENS };

static const struct shot_fact facts[] = {
    [VALID] = { "valid", true }, // as it is called
    [TENS] = { "tens", false },  // rings that it brought into the hole
};

static void measure(struct judging *j)
{
    j->fact[VALID] = true;
}

// Index among the tens that are held, or may be; -1 when it is none.
static int held_at(const struct standing *s, int id)
{
    const struct crokinole_rings_state *own = &s->own.crokinole_rings;
    for (int i = 0; i < own->held; i++)
        if (own->ten[i].id == id)
            return i;
    return -1;
}

// C7, C8: by that score of its owner.
static bool holds(int target, int score)
{
    return target > 0 && target - score <= NEED_TO_BOOK;
}

// C7, C8 and A5: a ring that this shot brought into the hole, whoever shot it.
static void ten(struct judging *j, const struct outcome *o)
{
    struct crokinole_rings_state *own = &j->now->own.crokinole_rings;
    int side = standing_side(j->now, o->piece.colour), target = j->now->format.target;
    if (side < 0 || standing_owes(j->now, o->piece.id))
        return;
    bool doubtful = !o->zone.verdict.firm && !j->shot->said[INPUT_CONFIRM];
    const struct points score = standing_score(&j->now->side[side]);
    bool held = holds(target, score.reads), room = own->held < HELD_MAX;
    bool undecided = holds(target, score.least) != holds(target, score.most);
    if ((held || undecided) && room)
        own->ten[own->held++] = (struct held_ten){
            .id = o->piece.id, .side = side, .doubtful = doubtful, .booked = !held, .undecided = undecided
        };
    if (!held) {
        j->now->side[side].score += j->board->hole_points;
        j->now->side[side].score_doubt.less += doubtful ? j->board->hole_points : 0;
    }
    j->fact[TENS]++;
    struct call *c = call_add(j->calls, held ? "C8" : "C7", held ? "ten-held" : "ten", "%s  10  (in the hole%s)",
                              standing_owner(j->now, o->piece.colour),
                              !held  ? ""
                              : room ? "; held until the round ends"
                                     : "; more are held than can be counted: judge");
    snprintf(c->side, sizeof c->side, "%s", o->piece.colour);
    call_measure(c, o);
    c->firm &= (!held || room) && !undecided;
    c->undecided = undecided;
}

// C9, C10: it was knocked out of the hole. By the other reading of its owner's score a held ten was booked, and stays;
// a booked one was held, and is lost.
static void lose_ten(struct judging *j, const struct outcome *o, int held)
{
    struct crokinole_rings_state *own = &j->now->own.crokinole_rings;
    const struct held_ten ten = own->ten[held];
    struct doubt *doubt = &j->now->side[ten.side].score_doubt;
    bool undecided = ten.undecided && doubt->less + doubt->more > 0; // a judge may have said the score since
    own->ten[held] = own->ten[--own->held];
    if (undecided && !(ten.booked && ten.doubtful)) // one that is doubtful was in `less` from the start
        *(ten.booked ? &doubt->less : &doubt->more) += j->board->hole_points;
    if (ten.booked)
        return;
    struct call *c = call_add(j->calls, "C10", "ten-lost", "%s  ten lost", standing_owner(j->now, o->piece.colour));
    c->piece = o->piece.id;
    c->firm = !undecided;
    c->undecided = undecided;
}

static void say_zones(struct judging *j)
{
    const struct board *b = j->board;
    for (const struct outcome *o = NULL; (o = circles_next(j, o));) {
        int held = held_at(j->now, o->piece.id);
        if (circles_in_hole(o)) {
            if (!circles_was_in_hole(o))
                ten(j, o);
            continue;
        }
        if (held >= 0)
            lose_ten(j, o, held);
        circles_say(j, o,
                    o->zone.points == 0                                      ? o->left ? "C18" : "C17"
                    : b->circles == 3 && o->zone.points == b->zone_points[2] ? "C13"
                    : b->circles == 3 && o->zone.points == b->zone_points[1] ? "C14"
                                                                             : "C15");
        if (o->zone.area == ZONE_DITCH)
            circles_owe_off(j, o);
    }
}

static const char *put_back(const struct judging *j)
{
    for (int i = 0; i < j->now->owed; i++)
        if (j->now->owe[i].what == OWED_BACK)
            return ", the others put back";
    return "";
}

static bool valid(const struct judging *j)
{
    return j->fact[VALID];
}

static void say_out_of_turn(struct judging *j)
{
    int side = judging_shooter(j);
    if (j->now->to_shoot < 0) {
        circles_say_shot_again(j);
        return;
    }
    circles_make_void(j);
    j->fact[VALID] = false;
    if (side >= 0)
        j->now->side[side].played++;
    judging_say(j, NULL, "not-your-turn", "not %s's turn: ring removed%s; %s to shoot",
                standing_owner(j->now, j->shot->by), put_back(j), standing_player(j->now, j->now->to_shoot));
}

static void say_foul(struct judging *j)
{
    circles_make_void(j);
    j->fact[VALID] = false;
    judging_say(j, NULL, "foul", "%s: %s's shot is void, ring removed%s", j->shot->foul, circles_player(j),
                put_back(j));
    circles_pass(j);
}

static void pass(struct judging *j)
{
    circles_pass_on(j, "", standing_words);
}

static void end_round(struct judging *j)
{
    struct crokinole_rings_state *own = &j->now->own.crokinole_rings;
    struct points points[SIDES];
    for (int i = 0; i < SIDES; i++)
        points[i] = j->now->side[i].counted;
    for (int i = 0; i < own->held; i++) // C8: still in the hole
        if (!own->ten[i].booked)
            points_add(&points[own->ten[i].side], points_perhaps(j->board->hole_points, own->ten[i].doubtful));
    own->held = 0;
    circles_end_round(j, points, "C22", "C23");
}

static void corrected(struct judging *j)
{
    circles_decide_again(j, "C23");
}

static const char booklet[] = "booklet, Crokinole: The Game", score[] = "booklet, Crokinole: the scoring",
                  tens[] = "booklet, Crokinole: a ring shot into the center hole",
                  beyond[] = "not in the booklet: the judge's word";

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "C24", "still on",
      "What must come off, or go back, is waited for: a ring shot before that is told, and counts for nothing.",
      .source = booklet, .by = BY_CAMERA, .flips = "it was gone before the shot", .shown = "R31 R32 R33 R20",
      .then = circles_say_still_on },
    { "C26", "taken", "A ring that lay in play and was taken off by hand is put before the judge at the next shot.",
      .source = "ruling of the rulebook", .by = BY_PROPOSAL,
      .flips = "a hand that only cleared the board after a round", .shown = "R41", .then = circles_say_taken },
    { "judge", "shot again", "A shot that the judge has made again counts for nothing; the same side shoots.",
      .source = beyond, .by = BY_JUDGE, .shown = "R36", .said = INPUT_SHOT_AGAIN, .then = circles_say_again,
      .ends = true },
    { "C21", "too many", "Who shot all rings of a round and shoots another is put before the judge.", .source = booklet,
      .by = BY_BOOKS, .flips = "\"played\": the number of rings that the side has played", .shown = "R44",
      .when = circles_shot_too_many, .then = circles_say_too_many },
    { "C5", "not your turn",
      "A shot out of turn: the ring is set aside as played and the proper side shoots. A side's second shot before any "
      "other has shot is put before the judge, once in a game.",
      .source = "booklet, Crokinole: a turn is one ring only; ruling A2", .by = BY_BOOKS,
      .flips = "\"turn\": it was that side's turn", .shown = "B11 R07 R08 R45 R46 R47", .when = circles_out_of_turn,
      .then = say_out_of_turn },
    { "C3", "foul", "A wrong start that the judge names: the shot is void, the ring set aside as played.",
      .source = "booklet, Crokinole: on the outside circle line; ruling A1", .by = BY_JUDGE, .shown = "R04 R05 R06",
      .said = INPUT_FOUL, .when = valid, .then = say_foul },
    { "C2", "start",
      "Each player plays only from one side of the board; a shot from elsewhere is put before the judge.",
      .source = booklet, .by = BY_PROPOSAL, .flips = "the player's side: it is learnt from two earlier shots",
      .shown = "R03", .when = valid, .then = circles_say_wrong_quarter },
    { "C3", "start",
      "A ring is put on the outside circle line before it is shot; one shot from elsewhere is put before the judge.",
      .source = booklet, .by = BY_PROPOSAL, .flips = "where it lay when the finger left it", .shown = "R04",
      .when = valid, .then = circles_say_wrong_line },
    { "C25", "at rest", "Rings that still move are not called: all must be at rest.",
      .source = "ruling of the rulebook", .by = BY_CAMERA, .shown = "R10" },
    { "C6", "played", "A shot counts once the finger set the ring in motion, however little.",
      .source = "booklet, Carroms: a ring is played if the finger moves it to the slightest degree", .by = BY_CAMERA,
      .flips = "a motion too small to be seen", .shown = "R09" },
    { "C13", "zone", "At the round's end a ring wholly inside the smallest circle counts 5 to its owner.",
      .source = score, .by = BY_CAMERA, .shown = "B01 B02 B12", .when = valid, .then = say_zones },
    { "C14", "zone", "A ring in the next circle counts 3.", .source = score, .by = BY_CAMERA, .shown = "B01 B02 B04" },
    { "C15", "zone", "A ring in the largest circle counts 2.", .source = score, .by = BY_CAMERA,
      .shown = "B01 B03 B09" },
    { "C16", "line touch", "A ring touching a line counts for the area outside that line.", .source = score,
      .by = BY_CAMERA, .shown = "B02 B03 R11" },
    { "C17", "ditched", "A ring touching the outer line or beyond it is removed at once and scores nothing.",
      .source = score, .by = BY_CAMERA, .shown = "B03 B09 R20" },
    { "C18", "ditched", "Likewise one that left the playing surface.", .source = score, .by = BY_CAMERA,
      .shown = "B08 R21" },
    { "C19", "ditched", "Any player's ring that a shot dislodges, own ones too, follows the same rules.",
      .source = booklet, .by = BY_CAMERA, .shown = "B09 R22" },
    { "C20", "no duty", "There is no duty to hit a ring of the other side: a shot that misses all stays where it lies.",
      .source = "booklet, Crokinole: nothing of the kind", .by = BY_BOOKS, .shown = "B11 R12" },
    { "C7", "ten", "A ring in the centre hole gives its owner 10 at once when he needs more than 10.", .source = tens,
      .by = BY_CAMERA, .flips = "the owner's score", .shown = "B04 B08 B10 R13 R14" },
    { "C8", "ten held", "Needing 10 or fewer, it counts only at the round's end, if it is still in the hole.",
      .source = tens, .by = BY_CAMERA, .flips = "the owner's score", .shown = "B06 B07 R15" },
    { "C9", "ten kept", "A ten that was counted at once stays so when the ring is dislodged later.", .source = tens,
      .by = BY_BOOKS, .shown = "B05 R16" },
    { "C10", "ten lost", "A held ten that is knocked from the hole is lost; the ring counts by its new area.",
      .source = tens, .by = BY_CAMERA, .shown = "B07 R17" },
    { "C11", "not twice", "A ring counted at once and still in the hole at the round's end is not counted again.",
      .source = tens, .by = BY_BOOKS, .shown = "B04 R18" },
    { "C12", "counts again",
      "A ring counted at once and dislodged counts its new area at the round's end like any other.",
      .source = "ruling A3, from: not scored again if it has not been dislodged", .by = BY_CAMERA, .shown = "B05 R19" },
    { "C4", "to shoot", "The sides alternate, one ring a turn; with four players partners in turn.", .source = booklet,
      .by = BY_BOOKS, .shown = "B01 R01 R02", .when = valid, .then = pass },
    { "C21", "round over", "With all rings of each side played (six) the round is over.", .source = booklet,
      .by = BY_BOOKS, .flips = "the number of rings that each side has played", .shown = "B01 R01",
      .when = circles_all_played, .then = end_round },
    { "C26", "reset", "A ring that something but a shot moved is put back where it lay.",
      .source = "ruling of the rulebook", .by = BY_PROPOSAL, .flips = "a motion of less than 0.1 in",
      .shown = "R34 R35", .occasion = HAND_IN_PLAY, .when = circles_shifted, .then = circles_say_put_back },
    { "C21", "taken", "Rings that a hand takes away may be the end of a shorter round.", .source = beyond,
      .by = BY_PROPOSAL, .shown = "R30", .occasion = HAND_IN_PLAY, .when = circles_took, .then = circles_count_taken },
    { "C21", "round over",
      "A board cleared by hand after both have shot ends the round: close, until the judge confirms the shot before "
      "it.",
      .source = beyond, .by = BY_PROPOSAL, .shown = "R30", .occasion = BOARD_EMPTY, .when = circles_cleared,
      .then = end_round },
    { "C21", "round over", "Likewise when the judge says so.", .source = beyond, .by = BY_JUDGE, .shown = "R29",
      .occasion = WORD_SAID, .said = INPUT_ROUND_OVER, .when = circles_round_runs, .then = end_round },
    { "C22", "round",
      "The round brings each side its areas and held tens; the tens counted at once are in the score already.",
      .source = score, .by = BY_BOOKS, .shown = "B01 B06 B10" },
    { "C23", "game", "After a round with 100 or more the higher total wins; equal totals play one more round.",
      .source = score, .by = BY_BOOKS, .shown = "B06 B12 R23 R24 R25" },
    { "C24", "next round", "Nobody has 100: the board is cleared, and who shot second begins the next round.",
      .source = "booklet, Crokinole: a round is completed and the score totaled; ruling A8", .by = BY_BOOKS,
      .shown = "B01 B07 R26 R31" },
    { "C1", "new game",
      "The board empty and six rings of each side beside it, a game begins: when the judge says so, or when "
      "rings are played on an empty board after one.",
      .source = "booklet, Crokinole: Equipment", .by = BY_SET_UP, .shown = "R27 R28", .occasion = WORD_SAID,
      .said = INPUT_NEW_GAME },
    { "judge", "undo", "The booklet has no rule for it: the judge takes the last shot back, all is as before it.",
      .source = beyond, .by = BY_JUDGE, .shown = "R37 R38", .occasion = WORD_SAID, .said = INPUT_UNDO },
    { "judge", "noted", "Nor for this: what else the judge says is noted.", .source = beyond, .by = BY_JUDGE,
      .shown = "R39", .occasion = WORD_SAID, .said = INPUT_OTHER },
};

static const struct ruling_taken rulings[] = {
    { "A1", "What follows from a wrong start?",
      "The shot is void, the ring set aside as played, what it moved put back.",
      "Nothing: say no \"foul\"; or it is made again: \"shot-again\"." },
    { "A2", "And from a shot out of turn?",
      "Its ring is set aside as played, what it moved put back; the proper side shoots.",
      "It stands: say \"overrule C5\" about the shot." },
    { "A3", "Does a ring counted at once, once dislodged, count its area too?",
      "Yes: the text denies a second count only to "
      "one not dislodged.",
      "Say its \"zone\" as \"ditch\"." },
    { "A4", "A ring counted at once, dislodged, and driven back into the hole?",
      "A fresh ten: it was dislodged in between.", "Say \"correct\" with the side's score." },
    { "A5", "An opponent knocks your ring into the hole?", "It counts for its owner, by what the owner needs.",
      "Say \"correct\"." },
    { "A6", "Ten or fewer needed: of what?", "100 less what is booked: earlier rounds and tens counted at once.",
      "Say \"correct\"." },
    { "A7", "Both reach 100 in one round?", "The higher total wins; equal totals play one more round.",
      "A number of \"rounds\" in a match file ends it as a draw." },
    { "A8", "Who begins the next round, and the next game?", "The sides take turns.", "Say \"turn\" with the side." },
    { "A9", "A ring that leans on the edge of the hole?", "It is not in it: the smallest circle, 5.",
      "Say its \"zone\" as \"10\"." },
    { "A10", "A ring at rest on a peg or on another ring?", "The area of its outermost edge seen from above.",
      "Say its \"zone\"." },
    { "A11", "Four players?",
      "Partners share a colour, six rings and a score, and shoot in turn around the table: the "
      "format \"booklet-partners\".",
      "Six rings a player: \"pieces_each\" 12 in a match file." },
    { "A12", "The hole is occupied by a ring that was counted?", "It stays there; a second ring cannot enter.",
      "It is lifted, as at tournaments: take it off, nothing changes." },
};

static const struct format formats[] = {
    { .name = "booklet", .players = 1, .pieces_each = 6, .scoring = SCORE_SUM, .target = 100 },
    { .name = "booklet-partners", .players = 2, .pieces_each = 6, .scoring = SCORE_SUM, .target = 100 },
};

const struct game crokinole_rings_game = {
    GAME_TABLES,
    .name = "crokinole-rings",
    .title = "Crokinole as in the booklet of the game board (rings, 10/5/3/2, to 100)",
    .board = "crokinole-rings-24",
    .measure = measure,
    .set_up = circles_set_up,
    .begin = circles_begin,
    .corrected = corrected,
};
