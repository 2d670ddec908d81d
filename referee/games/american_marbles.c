// SPDX-License-Identifier: MIT
// American Marbles, the carpet ring of 7 ft with thirteen targets. The rules' numbers are M1..M65.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/games/games.h"

enum {
    TARGETS = 13, // M2
    TO_WIN = 7,   // targets, M54
    INNINGS = 7,  // M55
};

static const double SLIP_MAX_IN = 10.0; // M28

enum { KNOCKED_OUT, TAW_IN, SHOOTS_AGAIN };

static const struct shot_fact facts[] = {
    [KNOCKED_OUT] = { "knocked_out", false },
    [TAW_IN] = { "taw_in", true },
    [SHOOTS_AGAIN] = { "shoots_again", true },
};

static const struct {
    const char *word, *number;
} fouls[] = {
    { "over the line", "M18" }, { "not knuckling", "M19" }, { "hunching", "M20" },        { "taw on carpet", "M21" },
    { "pinching", "M22" },      { "not a flick", "M23" },   { "illegal shooter", "M24" },
};

static const struct outcome *taw(const struct judging *j)
{
    const struct outcome *o = shot_outcome(j->shot, j->shot->shooter);
    return o && o->piece.lying.taw ? o : NULL;
}

static bool is_out(const struct outcome *o)
{
    return o->zone.area == ZONE_OUT;
}

// M33, M34: a target that lay in before the shot and lies out after it. One that a hand took is no shot's business.
static bool knocked_out(const struct outcome *o)
{
    return !o->piece.lying.taw && o->was_in_play && o->was.area == ZONE_IN && is_out(o) &&
           !(o->left && o->left_to == BY_HAND);
}

static bool taw_is_in(const struct judging *j)
{
    const struct outcome *o = taw(j);
    return o && !o->left && !is_out(o);
}

static int count_out(const struct judging *j)
{
    int count = 0;
    for (int i = 0; i < j->shot->count; i++)
        count += knocked_out(&j->shot->piece[i]);
    return count;
}

// M53: the turn passes; an inning is complete when each side had one.
static void pass(struct judging *j, const char *number)
{
    struct standing *s = j->now;
    int *turns = s->own.american_marbles.turns, side = judging_shooter(j), next = standing_other(s, side);
    bool alone = next == side;
    turns[side]++;
    s->to_shoot = alone ? -1 : next;
    struct call *c = alone ? judging_say(j, number, "turn-over", "turn over")
                           : judging_say(j, number, "turn-over", "turn over, %s to shoot", standing_player(s, next));
    c->same_breath = true;
    if (alone || turns[0] != turns[1])
        return;
    s->round = turns[0] + 1;
    if (turns[0] < INNINGS || s->side[0].score == s->side[1].score) // A2: a tie plays on
        return;
    s->over = true;
    s->winner = s->side[0].score < s->side[1].score;
    char words[CALL_TEXT_MAX / 2];
    standing_words(words, sizeof words, s);
    call_add(j->calls, "M55", "game", "game after %d innings: %s", turns[0], words)->same_breath = true;
}

static void end_game(struct judging *j, const char *number, int winner)
{
    struct standing *s = j->now;
    int loser = standing_other(s, winner);
    s->over = true;
    s->winner = winner;
    struct call *c = call_add(j->calls, number, "game", "game, %s wins %d-%d", standing_name(s, winner),
                              s->side[winner].score, loser == winner ? 0 : s->side[loser].score);
    snprintf(c->side, sizeof c->side, "%s", s->side[winner].seat.colour);
}

static void forfeit(struct judging *j, const char *number, const char *reason)
{
    judging_say(j, number, "forfeited", "%s: shot forfeited%s", reason,
                count_out(j) > 0 ? ", targets back on the ring" : "");
    pass(j, number);
}

static bool no_taw_moved(const struct judging *j)
{
    return taw(j) == NULL;
}

static void say_no_taw(struct judging *j)
{
    judging_say(j, NULL, "no-taw", "a marble moved but no taw was seen to be shot: judge")->firm = false;
}

static bool wrong_taw(const struct judging *j)
{
    return judging_shooter(j) < 0;
}

static void say_wrong_taw(struct judging *j)
{
    judging_say(j, NULL, "wrong-taw", "%s is no taw of this game: judge", standing_owner(j->now, j->shot->by))->firm =
        false;
}

// A9: it counts as the offender's turn.
static void say_out_of_turn(struct judging *j)
{
    judging_say(j, NULL, "out-of-turn", "that was a turn of %s, though %s was to shoot: judge",
                standing_owner(j->now, j->shot->by), standing_name(j->now, j->now->to_shoot))
        ->firm = false;
}

static bool unpermitted(const struct judging *j)
{
    return j->shot->unpermitted;
}

static void say_unpermitted(struct judging *j)
{
    forfeit(j, NULL, "no permission");
}

static void say_foul(struct judging *j)
{
    const char *number = "M62";
    for (size_t i = 0; i < countof(fouls); i++)
        if (strcmp(j->shot->foul, fouls[i].word) == 0)
            number = fouls[i].number;
    forfeit(j, number, j->shot->foul);
}

static struct call *shoot_again(struct judging *j, const char *what, const char *words)
{
    j->now->to_shoot = judging_shooter(j);
    j->fact[SHOOTS_AGAIN] = true;
    return judging_say(j, NULL, what, "%s", words);
}

static bool picked_up(const struct judging *j)
{
    return j->shot->shooter_taken || j->shot->said[INPUT_PICKED_UP];
}

static bool slipped(const struct judging *j)
{
    return !picked_up(j) && j->shot->travel_in <= SLIP_MAX_IN;
}

static void say_void(struct judging *j)
{
    if (j->rule->said == INPUT_SLIPS)
        shoot_again(j, "slips", "slips: shoot again");
    else
        shoot_again(j, "no-play", "no play: shoot again");
}

// A7: the player himself disowned the shot, so what it knocked out goes back.
static void say_no_slips(struct judging *j)
{
    const char *number = picked_up(j) ? "M30" : "M29";
    judging_say(j, number, "no-slips", "no slips, %s",
                picked_up(j) ? "picked up before it stopped" : "the taw ran more than 10 in");
    pass(j, number);
}

// What is out, and what is in by so little that people will ask.
static void say_targets(struct judging *j)
{
    bool first = true;
    for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
        const struct verdict *v = &o->zone.verdict;
        bool out = is_out(o), close_in = !o->piece.lying.taw && !out && !v->clear && !o->left;
        if (!knocked_out(o) && !close_in)
            continue;
        char where[96];
        call_margin_words(where, sizeof where, v, "inside the line", "beyond the line");
        if (o->left)
            snprintf(where, sizeof where, "%s",
                     v->clear ? "it left the ring's surroundings" : "not seen to come to rest");
        struct call *c = judging_say(j,
                                     !out                ? "M35"
                                     : v->margin_in == 0 ? "M34"
                                                         : "M33",
                                     out ? "out" : "in", "target %d %s, %s%s", o->piece.id, out ? "OUT" : "IN",
                                     o->left ? "" : "centre ", where);
        c->same_breath = !first;
        call_measure(c, o);
        first = false;
    }
}

static void say_taw(struct judging *j)
{
    const struct outcome *o = taw(j);
    bool in = taw_is_in(j), taken = o->left && o->left_to == BY_HAND;
    char margin[96], words[CALL_TEXT_MAX];
    call_margin_words(margin, sizeof margin, &o->zone.verdict, "inside the line", "beyond the line");
    if (taken)
        snprintf(words, sizeof words, "taw picked up before it stopped: judge, taken as OUT");
    else if (in && o->zone.verdict.firm)
        snprintf(words, sizeof words, "taw IN");
    else if (o->left)
        snprintf(words, sizeof words, "taw OUT");
    else
        snprintf(words, sizeof words, "taw %s, centre %s", in ? "IN" : "OUT", margin);
    struct call *c = judging_say(j, taken ? "M42" : in ? "M36" : "M37", in ? "taw-in" : "taw-out", "%s", words);
    c->same_breath = j->calls->count > 1;
    call_measure(c, o);
}

static bool any_out(const struct judging *j)
{
    return count_out(j) > 0;
}

static void score(struct judging *j)
{
    j->fact[KNOCKED_OUT] = count_out(j);
    j->now->side[judging_shooter(j)].score += j->fact[KNOCKED_OUT];
}

static bool reached_seven(const struct judging *j)
{
    return j->now->side[judging_shooter(j)].score >= TO_WIN;
}

static void say_game(struct judging *j)
{
    end_game(j, j->rule->number, judging_shooter(j));
}

static bool stays(const struct judging *j)
{
    return any_out(j) && taw_is_in(j);
}

static void say_again(struct judging *j)
{
    char words[CALL_TEXT_MAX];
    snprintf(words, sizeof words, "%s shoots again", standing_owner(j->now, j->shot->by));
    shoot_again(j, "shoot-again", words)->same_breath = true;
}

static bool none_out(const struct judging *j)
{
    return count_out(j) == 0;
}

static void turn_over(struct judging *j)
{
    if (j->rule->said == INPUT_OWN_TAW)
        judging_say(j, NULL, "own-taw", "hit by own taw")->same_breath = true;
    pass(j, NULL);
}

static void say_put_back(struct judging *j)
{
    if (j->piece->lying.taw || j->now->over)
        return;
    call_add(j->calls, j->rule->number, "reset", "reset: target %d was %s by hand, put it back", j->piece->id,
             j->taken ? "taken" : "moved")
        ->piece = j->piece->id;
}

static bool names_side(const struct judging *j)
{
    return judging_named_side(j) >= 0;
}

static void say_reset(struct judging *j)
{
    call_add(j->calls, j->rule->number, "reset", "%s: reset%s", j->rule->says,
             j->rule->said == INPUT_FORCE ? ", no score" : "");
}

static void point(struct judging *j)
{
    int side = judging_named_side(j);
    j->now->side[side].score++;
    call_add(j->calls, j->rule->number, "point", "external force: point to %s", standing_name(j->now, side));
    if (j->now->side[side].score >= TO_WIN)
        end_game(j, "M54", side);
}

static void lose_game(struct judging *j)
{
    int side = judging_named_side(j), winner = standing_other(j->now, side);
    if (winner == side)
        return;
    if (j->rule->said == INPUT_FORFEIT) {
        j->now->side[winner].score = TO_WIN;
        j->now->side[side].score = 0;
    }
    end_game(j, j->rule->number, winner);
}

static void coach(struct judging *j)
{
    struct player_side *s = &j->now->side[judging_named_side(j)];
    bool warned = j->now->own.american_marbles.warnings[judging_named_side(j)]++ > 0;
    if (warned)
        s->score = 0;
    struct call *c = call_add(j->calls, warned ? "M60" : "M59", warned ? "coaching" : "warning",
                              warned ? "coaching by %s: all its targets back, score 0" : "warning to %s: no advice",
                              standing_name(j->now, judging_named_side(j)));
    snprintf(c->side, sizeof c->side, "%s", s->seat.colour);
}

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "M24", "no taw", "A shot is made with the taw; when only targets moved, the judge is asked.",
      .when = no_taw_moved, .then = say_no_taw, .ends = true },
    { "M12", "wrong taw",
      "A taw that is not of this game is put before the judge; confirmed, its player loses the game.",
      .when = wrong_taw, .then = say_wrong_taw, .ends = true },
    { "M26", "out of turn", "A taw shot into the ring out of turn counts as its player's turn.",
      .when = judging_out_of_turn, .then = say_out_of_turn },
    { "M16", "no permission", "A shot before the judge's permission, where he gives it: forfeited, the turn is over.",
      .when = unpermitted, .then = say_unpermitted, .ends = true },
    { "M18", "foul",
      "Over the line, not knuckling, hunching, pinching, illegal shooter (M18 to M24), as the judge names: "
      "the shot is forfeited, its targets go back, the turn is over.",
      .said = INPUT_FOUL, .then = say_foul, .ends = true },
    { "M32", "no play", "The judge believes in a slip without a call: the shot is void, the player shoots again.",
      .said = INPUT_NO_PLAY, .then = say_void, .ends = true },
    { "M28", "slips", "Slips called, the taw stops within 10 in and is not picked up before: shoot again.",
      .said = INPUT_SLIPS, .when = slipped, .then = say_void, .ends = true },
    { "M29", "no slips", "Slips called but the taw ran over 10 in, or was picked up (M30): a made shot, turn over.",
      .said = INPUT_SLIPS, .then = say_no_slips, .ends = true },
    { "M33", "out",
      "A target at rest with its centre outside the line's inside edge, or exactly on it (M34), is out; "
      "inside it stays (M35).",
      .then = say_targets },
    { "M36", "taw in", "A taw at rest with its centre inside or exactly on the line is in, otherwise out (M37).",
      .then = say_taw },
    { "M41", "score", "Each target out in the shot scores one; several score each.", .when = any_out, .then = score },
    { "M54", "game", "A player who has seven targets wins at once, wherever his taw is.", .when = reached_seven,
      .then = say_game, .ends = true },
    { "M25", "hit by own taw", "The taw coming back touches its shooter: targets out are kept, the turn is over.",
      .said = INPUT_OWN_TAW, .then = turn_over, .ends = true },
    { "M38", "shoot again", "A target out and the taw in: the same player shoots again.", .when = stays,
      .then = say_again, .ends = true },
    { "M39", "turn over", "No target out: the turn is over, wherever the taw is.", .when = none_out, .then = turn_over,
      .ends = true },
    { "M40", "turn over", "A target out and the taw out: the targets score, the turn is over.", .then = turn_over,
      .ends = true },
    { "M53", "inning", "Players alternate turns; an inning is complete after each had one.", .then = NULL },
    { "M55", "game after innings", "Seven innings complete with no seven: more targets win; a tie plays on.",
      .then = NULL },
    { "M48", "reset", "A target that something but a shot moved is put back.", .occasion = HAND_IN_PLAY,
      .then = say_put_back },
    { "M43", "dead marble", "A marble that moved after it lay still, the judge says, is put back.",
      .occasion = WORD_SAID, .said = INPUT_DEAD, .then = say_reset },
    { "M49", "external force", "The judge names who used it: the shooter gets nothing, all is put back.",
      .occasion = WORD_SAID, .said = INPUT_FORCE, .then = say_reset },
    { "M50", "point", "For external force of the other player the judge may give the shooter a point.",
      .occasion = WORD_SAID, .said = INPUT_POINT, .when = names_side, .then = point },
    { "M57", "forfeit", "A player who gives up wrongly loses 7-0.", .occasion = WORD_SAID, .said = INPUT_FORFEIT,
      .when = names_side, .then = lose_game },
    { "M59", "warning", "Advice sought or given: a warning; after it all his targets go back (M60).",
      .occasion = WORD_SAID, .said = INPUT_COACH, .when = names_side, .then = coach },
    { "M12", "wrong taw", "Confirmed by the judge: its player loses the game.", .occasion = WORD_SAID,
      .said = INPUT_WRONG_TAW, .when = names_side, .then = lose_game },
    { "M62", "corrected", "The judge's decision is final: the score that he names stands.", .occasion = WORD_SAID,
      .said = INPUT_CORRECT },
    { "M62", "undo", "The judge takes the last shot back: all stands as before it.", .occasion = WORD_SAID,
      .said = INPUT_UNDO },
    { "M15", "new game", "A game begins when the judge says so.", .occasion = WORD_SAID, .said = INPUT_NEW_GAME },
    { "M62", "noted", "What else the judge says is noted: anything not covered he decides.", .occasion = WORD_SAID,
      .said = INPUT_OTHER },
};

static void measure(struct judging *j)
{
    j->fact[TAW_IN] = taw_is_in(j);
}

static const struct format formats[] = {
    { .name = "seven", .players = 1, .scoring = SCORE_SUM, .rounds = INNINGS, .target = TO_WIN },
};

const struct game american_marbles_game = {
    .formats = formats,
    .format_count = (int)countof(formats),
    .name = "american-marbles",
    .title = "American Marbles (7 ft ring, thirteen targets)",
    .board = "ring-7ft",
    .rules = rules,
    .rule_count = (int)countof(rules),
    .facts = facts,
    .fact_count = (int)countof(facts),
    .measure = measure,
};
