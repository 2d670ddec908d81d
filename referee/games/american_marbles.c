// SPDX-License-Identifier: MIT
// American Marbles, the carpet ring of 7 ft with thirteen targets: rules M1..M65, each with its place in the
// tournament's ("Tournament rules", paragraphs counted under each subject), and how ambiguities A1..A16 are decided.

#include "referee/games/games.h"
#include "referee/games/american_marbles.h"

enum {
    TO_WIN = 7,  // targets, M54
    INNINGS = 7, // M55
};

static const struct shot_fact facts[] = {
    [MARBLES_KNOCKED_OUT] = { "knocked_out", false },
    [MARBLES_TAW_IN] = { "taw_in", true },
    [MARBLES_SHOOTS_AGAIN] = { "shoots_again", true },
};

#define EQUIPMENT "tournament rules, equipment, "
#define LAG "tournament rules, the lag, "
#define SHOOTING "tournament rules, shooting, "
#define CONDUCT "tournament rules, conduct, "
#define PLAY "tournament rules, playing the game, "
#define JUDGE "tournament rules, the judge"

// The foul, or the warning, that the rule is named by.
#define IS_FOUL .said = INPUT_FOUL, .when = marbles_this_foul, .then = marbles_say_foul, .ends = true
#define IS_WARNING                                                                                                     \
    .occasion = WORD_SAID, .said = INPUT_WARN, .when = marbles_warned_for, .then = marbles_warn, .ends = true

static const struct rule rules[] = {
    // Before the first shot, in the order in which a judge looks.
    { "M1", "ring size", "The ring is 7 ft across, on carpet; the judge accepts it.", EQUIPMENT "ring", BY_SET_UP,
      .shown = "ring", IS_WARNING },
    { "M2", "set-up", "Thirteen targets make an X, 3 in from one to the next; those more than 0.25 in off are told.",
      EQUIPMENT "ring", BY_PROPOSAL, "each target within 0.25 in of its spot", "cross turned-cross cross-off",
      .occasion = ALL_STILL, .when = marbles_x_is_news, .then = marbles_say_x },
    { "M5", "illegal target", "Targets are round glass, of one size, 5/8 in; the judge allows small faults.",
      EQUIPMENT "marbles", BY_PROPOSAL, "a size like the others'", "cross sizes", .occasion = ALL_STILL,
      .when = marbles_sizes_are_news, .then = marbles_say_sizes },
    { "M3", "illegal taw", "A taw is 1/2 to 3/4 in across; another must be replaced before the lag.",
      EQUIPMENT "marbles", BY_PROPOSAL, "a diameter from 0.50 to 0.75 in", "taw-size taw-edge", .occasion = ALL_STILL,
      .when = marbles_taw_size_wrong, .then = marbles_say_taw_size },
    { "M4", "illegal taw", "A taw that is not round, or of metal: the judge has it replaced.", EQUIPMENT "marbles",
      BY_JUDGE, .shown = "steel", IS_WARNING },
    { "M6", "not eligible", "Who plays has won a first or second place and is 7 to 14 years old; entered before.",
      "tournament rules, eligibility", BY_SET_UP, .shown = "eligible", .occasion = WORD_SAID, .said = INPUT_DISQUALIFY,
      .when = marbles_warned_for, .then = marbles_lose_game, .ends = true },
    { "M7", "lag", "At the judge's word both toss or shoot their taws towards the far edge, at the same time.",
      LAG "1 and 2", BY_JUDGE, .shown = "lag lag-one", .occasion = WORD_SAID, .said = INPUT_LAG,
      .then = marbles_lag_said },

    // Behind a shot, in the order in which a judge speaks.
    { "M2", "set-up", "A first shot at another number of targets is put before the judge.", EQUIPMENT "ring",
      BY_PROPOSAL, "thirteen targets in the ring", "cross-short", .when = marbles_x_incomplete,
      .then = marbles_say_x_incomplete },
    { "M3", "illegal taw", "Likewise of a taw that is first seen in its shot.", EQUIPMENT "marbles", BY_PROPOSAL,
      "a diameter from 0.50 to 0.75 in", "taw-shot", .when = marbles_taw_size_wrong, .then = marbles_say_taw_size },
    { "M7", "lag", "The next shots are the lag; whoever wins it shoots first.", LAG "1 and 2", BY_CAMERA,
      .shown = "lag lag-one", .when = marbles_lag_runs, .then = marbles_lag_shot, .ends = true },
    { "M8", "lag won", "The taw nearest to the far edge wins, this side of it or beyond; within 3 mm: lag again.",
      LAG "1; ruling A10", BY_CAMERA, "the other taw nearer", .shown = "lag lag-equal lag-close lag-said lag-beyond" },
    { "M9", "late lag", "Who lets go later than told loses the lag.", LAG "2", BY_PROPOSAL, "both within 0.5 s",
      .shown = "lag-late lag-one" },
    { "M10", "obstruction", "The only taw that strikes a marble or something else loses the lag.", LAG "2", BY_CAMERA,
      "nothing struck", .shown = "lag-struck" },
    { "M11", "lag again", "When both strike something they lag again.", LAG "2", BY_CAMERA, "one taw struck nothing",
      .shown = "lag-both" },
    { "M18", "over the line", "Hand or taw inside the line at release: forfeited, its targets back, turn over.",
      SHOOTING "1; ruling A15", BY_PROPOSAL, "hand and taw outside the line", "A08", IS_FOUL },
    { "M19", "not knuckling", "No knuckle of the shooting hand on the carpet: forfeited likewise.", SHOOTING "1",
      BY_JUDGE, "a knuckle on the carpet", "knuckle", IS_FOUL },
    { "M20", "hunching", "The knuckle moves before or during the shot: forfeited likewise.", SHOOTING "1", BY_JUDGE,
      "a hand that stays", "A08 hunch-later", IS_FOUL },
    { "M21", "taw on carpet", "The taw rests on the carpet instead of in the hand: forfeited likewise.", SHOOTING "1",
      BY_JUDGE, "a taw held in the hand", "on-carpet", IS_FOUL },
    { "M22", "pinching", "The taw is pinched: forfeited likewise.", SHOOTING "1", BY_JUDGE, "a taw held loosely",
      "pinched", IS_FOUL },
    { "M23", "not a flick", "The taw is pushed or thrown: forfeited likewise.", SHOOTING "1", BY_JUDGE,
      "a flick of thumb or finger", "pushed", IS_FOUL },
    { "M24", "illegal shooter", "A shot with a target or another illegal marble: lost, its targets back, turn over.",
      SHOOTING "4", BY_PROPOSAL, "a shot with the own taw", "A08", IS_FOUL },
    { "M62", "foul", "Any other foul that the judge names is judged likewise.", JUDGE, BY_JUDGE, NULL, "foul-other",
      .said = INPUT_FOUL, .then = marbles_say_foul, .ends = true },
    { "M32", "no play", "The judge believes in a slip without a call: void, shoot again.", SHOOTING "3", BY_JUDGE,
      .shown = "A07", .said = INPUT_NO_PLAY, .then = marbles_say_void, .ends = true },
    { "M50", "shot over", "After force of the other player the judge may have the shot made again.", CONDUCT "2",
      BY_JUDGE, .shown = "over-again", .said = INPUT_SHOT_AGAIN, .then = marbles_say_void, .ends = true },
    { "M28", "slips", "Called, no more than 10 in, left alone until it stopped: void, shoot again.",
      SHOOTING "3; ruling A8", BY_PLAYER, "more than 10 in, or no call", "A06", .said = INPUT_SLIPS,
      .when = marbles_slipped, .then = marbles_say_void, .ends = true },
    { "M30", "no slips", "Called, but picked up before it stopped: a shot was made, turn over.",
      SHOOTING "3; ruling A7", BY_PROPOSAL, "left alone until it stopped", "A07 picked-said", .said = INPUT_SLIPS,
      .when = marbles_picked_up, .then = marbles_say_no_slips, .ends = true },
    { "M29", "no slips", "Called, but more than 10 in: a shot was made, turn over; its targets go back.",
      SHOOTING "3; ruling A7", BY_PLAYER, "no more than 10 in", "A06 slip-gone", .said = INPUT_SLIPS,
      .then = marbles_say_no_slips, .ends = true },
    { "M43", "dead marble", "What moves after it stopped, by no shot, goes back; as does what moves before one, M48.",
      CONDUCT "2", BY_PROPOSAL, "a taw that was shot", "dead-alone", .when = marbles_only_lying_moved,
      .then = marbles_say_dead_target, .ends = true },
    { "M24", "illegal shooter", "A marble shot from outside that is no taw is put before the judge.", SHOOTING "4",
      BY_PROPOSAL, "a taw seen to be shot", "not-taw", .when = marbles_no_taw_moved, .then = marbles_say_no_taw,
      .ends = true },
    { "M27", "practice", "Shots that stay outside the ring are practice: no call.", SHOOTING "5", BY_CAMERA,
      "a way that meets the ring", "practice", .when = marbles_practice, .then = marbles_say_nothing, .ends = true },
    { "M13", "new taw", "For each game's lag a player may choose another taw.", LAG "3", BY_CAMERA, NULL, "game-two",
      .when = marbles_new_taw, .then = marbles_choose_taw },
    { "M14", "taw change", "When a taw breaks the judge may let its player change it.", LAG "3", BY_JUDGE,
      .shown = "taw-breaks", .occasion = WORD_SAID, .said = INPUT_TAW, .when = marbles_names_side,
      .then = marbles_new_taw_allowed },
    { "M12", "wrong taw", "A taw that is nobody's in this game is put before the judge.", LAG "3", BY_PROPOSAL,
      "the colour of a taw of this game", "third-taw", .when = marbles_no_sides_taw, .then = marbles_say_no_sides_taw,
      .ends = true },
    { "M63", "wrong taw", "The taw is not changed within a game; one of another size is put before the judge.", LAG "3",
      BY_PROPOSAL, "the size of the lag's or the first shot's taw", "other-size", .when = marbles_other_size,
      .then = marbles_say_other_size },
    { "M26", "out of turn", "A marble shot into the ring out of turn counts as its player's next turn; all goes back.",
      SHOOTING "5; ruling A9", BY_CAMERA, "its own turn", "out-of-turn turn-said", .when = marbles_out_of_turn,
      .then = marbles_say_out_of_turn, .ends = true },
    { "M48", "not put back", "A shot before all targets are back is put before the judge.", CONDUCT "2", BY_CAMERA,
      "targets where they lay", "not-back two-not-back", .when = marbles_any_owed, .then = marbles_say_owed },
    { "M60", "not put back", "A shot before the targets of who was coached are back is put before the judge.",
      "tournament rules, coaching", BY_CAMERA, "as many targets in the ring as nobody has", "coached",
      .when = marbles_not_back_on_x, .then = marbles_say_not_back_on_x },
    { "M62", "taw left", "A taw is taken up when its turn ends; one that still lies there is told.", "ruling A12",
      BY_CAMERA, NULL, "taw-left", .when = marbles_taw_left_behind, .then = marbles_say_left_behind },
    { "M15", "permission", "Players shoot only after the judge's permission, where he gives it.", JUDGE, BY_JUDGE,
      .shown = "permitted A09" },
    { "M16", "no permission", "A shot before it does not count: its targets go back, turn over.", JUDGE "; ruling A6",
      BY_CAMERA, "the word before the shot", "A09 permitted", .when = marbles_unpermitted,
      .then = marbles_say_unpermitted, .ends = true },
    { "M17", "place", "A turn begins anywhere just outside the line; it goes on from where the taw lies.",
      SHOOTING "1, " PLAY "1; ruling A1", BY_PROPOSAL, "a hand's width from there", "go-on elsewhere from-edge",
      .when = marbles_elsewhere, .then = marbles_say_elsewhere },
    { "M18", "over the line", "A taw that lay inside the line before a turn's first shot: forfeited, judge.",
      SHOOTING "1; ruling A15", BY_PROPOSAL, "a taw outside the line", "inside inside-kept from-edge",
      .when = marbles_over_the_line, .then = marbles_say_over_the_line, .ends = true },

    { "M33", "out", "A target at rest with its centre outside the line's inside edge is out.", PLAY "2", BY_CAMERA,
      .shown = "A01 A02 A05", .then = marbles_say_targets },
    { "M34", "out", "A target's centre exactly on it: out.", PLAY "2; ruling A11", BY_CAMERA, .shown = "A03" },
    { "M35", "in", "A target's centre inside: in, it stays.", PLAY "2", BY_CAMERA, .shown = "A01 A05 ruled-in" },
    { "M44", "let it stop", "Marbles that move are left alone; of one that was touched the judge decides.", PLAY "3",
      BY_PROPOSAL, "left alone until it stopped", .shown = "caught-target" },
    { "M45", "wait for the call", "A target is taken up only after the judge's word.", PLAY "3", BY_PROPOSAL,
      "taken after the call", .shown = "early lifted" },
    { "M36", "taw in", "The taw's centre inside, or exactly on the line: in.", PLAY "2; ruling A11", BY_CAMERA,
      .shown = "A04 A05", .then = marbles_say_taw },
    { "M37", "taw out", "The taw's centre outside: out.", PLAY "2", BY_CAMERA, .shown = "A02 A05" },
    { "M42", "stopped taw", "A taw that was stopped or picked up: taken as out, the judge may rule it in.", PLAY "3",
      BY_JUDGE, "left alone until it stopped", .shown = "caught-taw" },
    { "M41", "score", "Each target out in the shot scores one; several score each.", PLAY "1", BY_CAMERA, NULL,
      "A01 A04", .when = marbles_any_out, .then = marbles_score },
    { "M54", "game", "A player who has seven targets wins at once, wherever his taw is.", PLAY "1; rulings A13 and A14",
      BY_BOOKS, NULL, "A10 point-wins", .when = marbles_reached_target, .then = marbles_say_game, .ends = true },
    { "M25", "own taw", "The taw coming back touches its shooter: targets out are kept, turn over.",
      SHOOTING "2; ruling A3", BY_JUDGE, "hand and body out of its way", "A09", .said = INPUT_OWN_TAW,
      .then = marbles_turn_over, .ends = true },
    { "M38", "shoot again", "A target out and the taw in: the same player shoots again.", PLAY "1", BY_CAMERA, NULL,
      "A01 A03 A04", .when = marbles_stays, .then = marbles_say_again, .ends = true },
    { "M31", "shot made", "No more than 10 in and no call of slips: the shot is made, turn over.", SHOOTING "3",
      BY_PLAYER, "slips called", "A07", .when = marbles_short_without_call, .then = marbles_turn_over, .ends = true },
    { "M39", "turn over", "No target out: turn over, wherever the taw is.", PLAY "1", BY_CAMERA, "a target out", "A01",
      .when = marbles_none_out, .then = marbles_turn_over, .ends = true },
    { "M40", "turn over", "A target out and the taw out: the targets score, turn over.", PLAY "1", BY_CAMERA,
      "the taw in", "A02", .then = marbles_turn_over, .ends = true },
    { "M53", "inning", "Players take turns; an inning is complete when each had one.", PLAY "1", BY_BOOKS,
      .shown = "A07 A11" },
    { "M55", "game", "Seven innings complete and nobody has seven: more targets win; a tie plays on.",
      PLAY "1; ruling A2", BY_BOOKS, NULL, .shown = "A11 seven-innings draw" },
    { "M46", "collect", "Players take up the targets they knocked out, after a shot or at the turn's end.", PLAY "3",
      BY_PLAYER, .shown = "collect" },
    { "M47", "score told", "The judge keeps the record, shot by shot, and tells the score.", JUDGE, BY_BOOKS,
      .shown = "score-told" },
    { "M56", "winner", "At the end the judge announces the winner.", JUDGE, BY_BOOKS, .shown = "A11 score-told" },

    // Between shots.
    { "M48", "reset", "A target that something but a shot moved is put back.", CONDUCT "2", BY_CAMERA, NULL,
      "A12 moved-back", .occasion = HAND_IN_PLAY, .when = marbles_target_by_hand, .then = marbles_say_by_hand },
    { "M57", "forfeit", "All targets taken up within a game: the judge is asked whether somebody gave up.",
      SHOOTING "6", BY_PROPOSAL, "targets left in the ring", "taken-up", .occasion = BOARD_EMPTY,
      .when = marbles_target_by_hand, .then = marbles_ask_forfeit },
    { "M57", "forfeit", "Targets thrown back into the ring within a game: the judge is asked likewise.", SHOOTING "6",
      BY_PROPOSAL, "no more targets in the ring than nobody has", "thrown-in", .occasion = ALL_STILL,
      .when = marbles_thrown_in, .then = marbles_ask_thrown },
    { "M57", "forfeit", "Who wrongly gives up, throws marbles in or takes targets up loses 7 to 0.", SHOOTING "6",
      BY_JUDGE, .shown = "A12 taken-up", .occasion = WORD_SAID, .said = INPUT_FORFEIT, .when = marbles_names_side,
      .then = marbles_lose_game, .ends = true },
    { "M43", "dead marble", "What moves after it stopped goes back, as the judge says.", CONDUCT "2", BY_JUDGE,
      .shown = "A12 dead-said", .occasion = WORD_SAID, .said = INPUT_DEAD, .then = marbles_dead },
    { "M50", "external force", "Of the player who does not shoot: the judge gives a point, or the shot again.",
      CONDUCT "2", BY_JUDGE, .shown = "A12", .occasion = WORD_SAID, .said = INPUT_FORCE, .when = marbles_force_of_other,
      .then = marbles_ask_point, .ends = true },
    { "M49", "external force", "Jumping, moving the court, fanning by the shooter: what it moved goes back, no score.",
      CONDUCT "2", BY_JUDGE, .shown = "A12 fanned", .occasion = WORD_SAID, .said = INPUT_FORCE,
      .then = marbles_say_force },
    { "M50", "point", "The point that the judge gives.", CONDUCT "2", BY_JUDGE, .shown = "A12 point-wins",
      .occasion = WORD_SAID, .said = INPUT_POINT, .when = marbles_names_side, .then = marbles_point },
    { "M51", "leave the ring", "Nobody enters the ring but who goes on with a turn.", CONDUCT "2", BY_JUDGE,
      .shown = "conduct", IS_WARNING },
    { "M52", "stand still", "Who does not shoot neither walks about nor distracts.", CONDUCT "1", BY_PLAYER,
      .shown = "conduct", IS_WARNING },
    { "M65", "walking", "Nobody walks on the court while a shot runs.", CONDUCT "2", BY_JUDGE, .shown = "conduct",
      IS_WARNING },
    { "M61", "spectator", "A spectator who advises is warned once, then sent away.", "tournament rules, coaching",
      BY_JUDGE, .shown = "spectators", IS_WARNING },
    { "M64", "leave the area", "The judge may send people from the ring and the area around it.", JUDGE, BY_JUDGE,
      .shown = "spectators", IS_WARNING },
    { "M58", "reprimand", "Bad behaviour, as the judge says: a reprimand.", CONDUCT "3", BY_JUDGE, .shown = "behave",
      .occasion = WORD_SAID, .said = INPUT_WARN, .when = marbles_names_side, .then = marbles_warn, .ends = true },
    { "M58", "penalty", "Or points lost.", CONDUCT "3", BY_JUDGE, .shown = "behave", .occasion = WORD_SAID,
      .said = INPUT_PENALTY, .when = marbles_names_side, .then = marbles_penalty },
    { "M58", "disqualified", "Or the game lost.", CONDUCT "3", BY_JUDGE, .shown = "expelled", .occasion = WORD_SAID,
      .said = INPUT_DISQUALIFY, .when = marbles_names_side, .then = marbles_lose_game },
    { "M12", "wrong taw", "Confirmed by the judge: its player loses the game.", LAG "3", BY_JUDGE, .shown = "third-taw",
      .occasion = WORD_SAID, .said = INPUT_WRONG_TAW, .when = marbles_names_side, .then = marbles_lose_game },
    { "M59", "warning", "Advice sought, talk or signals: a warning first.", "tournament rules, coaching", BY_JUDGE,
      .shown = "A12", .occasion = WORD_SAID, .said = INPUT_COACH, .when = marbles_names_side, .then = marbles_coach },
    { "M60", "coaching", "After it: all his targets go back on the X, his score is 0.", "tournament rules, coaching",
      BY_JUDGE, .shown = "A12" },
    { "M62", "corrected", "The judge decides whatever is not covered, and finally: the score that he names stands.",
      JUDGE, BY_JUDGE, .shown = "A10 corrected", .occasion = WORD_SAID, .said = INPUT_CORRECT,
      .when = marbles_names_number, .then = marbles_correct },
    { "M62", "turn", "Between two games: who begins the next one.", JUDGE, BY_JUDGE, .shown = "match",
      .occasion = WORD_SAID, .said = INPUT_TURN, .when = marbles_names_first_of_next, .then = marbles_first_of_next },
    { "M62", "undo", "He takes a shot back: all stands as before it.", JUDGE, BY_JUDGE, .shown = "taken-back",
      .occasion = WORD_SAID, .said = INPUT_UNDO },
    { "M15", "new game", "A game begins when the judge says so, or with a shot at thirteen targets behind a game.",
      JUDGE, BY_JUDGE, .shown = "new-game", .occasion = WORD_SAID, .said = INPUT_NEW_GAME },
    { "M62", "noted", "What else he says is noted.", JUDGE, BY_JUDGE, .shown = "noted", .occasion = WORD_SAID,
      .said = INPUT_OTHER },
};

static const struct ruling_taken rulings[] = {
    { "A1", "Where is a continuing shot taken?", "From where the taw stopped; M18 is not applied to it.",
      "format from-edge: every shot from outside the line" },
    { "A2", "What of a tie after seven innings?", "Full innings more, until one leads at the end of one.",
      "format draw: the tie stands; or the judge says `new-game`" },
    { "A3", "Are targets of a shot kept whose taw comes back onto the hand?", "Yes, all that are out in it.",
      "the judge says `foul` about the shot: they go back" },
    { "A4", "What of a marble that rolls out and in again?", "Only where it comes to rest counts.",
      "the judge says `zone` with the piece and out" },
    { "A5", "Where do targets go back to?",
      "Where they lay before the shot; if another lies there, nearest to it "
      "towards the centre. On the X after coaching.",
      "the judge places them; what he leaves there stays" },
    { "A6", "Is the turn over after a shot without permission?", "Yes; an early shot would be a free trial.",
      "the judge says `shot-again` about it" },
    { "A7", "Do targets count that a called slip over 10 in knocked out?",
      "No, they go back; without a call they count.", "the judge corrects the score" },
    { "A8", "Is a slip measured along its path?", "No: its greatest distance from where it was released.",
      "the judge says `noplay`, or `overrule` and M28" },
    { "A9", "What of a shot into the ring in the other player's turn?",
      "It counts as the offender's next turn, what it moved goes back.", "`overrule` and M26: it counts as any shot" },
    { "A10", "What of a lag beyond the far edge?",
      "The distance to the edge counts on either side; equal within 3 mm: "
      "lag again.",
      "`lag` with the side that won" },
    { "A11", "When is a centre exactly on the line, for a camera?",
      "Within what it cannot tell apart: called by M34 or M36, marked close, the judge is asked.",
      "`confirm`, or `zone` with the piece" },
    { "A12", "What of a taw that the other player left in the ring?",
      "It is to be taken up when its turn ends; a shot before that is put before the judge.", "`confirm`" },
    { "A13", "Does the seventh target need the taw in?", "No, it wins at once.", "the judge corrects the score" },
    { "A14", "Has the second player a reply when the first reaches seven?", "No, the game ends at once.",
      "the judge takes the shot back by `undo`" },
    { "A15", "Is the turn over after a forfeited shot?", "Yes.", "the judge says `shot-again` about it" },
    { "A16", "Can all thirteen be out with no seven?", "No: one of two has seven of thirteen.", "nothing to choose" },
};

static void measure(struct judging *j)
{
    j->fact[MARBLES_TAW_IN] = marbles_taw_is_in(j);
}

// What was looked at and said for the next game while the last one was over is the next game's.
static void begin(struct standing *s, const struct standing *before)
{
    const struct american_marbles_state *was = &before->own.american_marbles;
    struct american_marbles_state *own = &s->own.american_marbles;
    if (!before->over)
        return;
    own->x_told = was->x_told;
    own->x_is_right = was->x_is_right;
    own->x_worst_in = was->x_worst_in;
    own->sizes_told = was->sizes_told;
    own->lag = was->lag;
    s->to_shoot = s->first = s->starter = was->lag_winner - 1;
}

#define SEVEN .players = 1, .scoring = SCORE_SUM, .rounds = INNINGS, .target = TO_WIN

static const struct format formats[] = {
    { .name = "seven", SEVEN },
    { .name = "draw", SEVEN, .ties_stand = true },
    { .name = "from-edge", SEVEN, .from_edge = true },
};

const struct game american_marbles_game = {
    GAME_TABLES,         .name = "american-marbles", .title = "American Marbles (7 ft ring, thirteen targets)",
    .board = "ring-7ft", .measure = measure,         .set_up = marbles_set_up,
    .begin = begin,
};
