// SPDX-License-Identifier: MIT
// American Marbles, the carpet ring of 7 ft with thirteen targets. The rules' numbers are M1..M65.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/games/american_marbles.h"
#include "referee/games/games.h"

enum { INNINGS = 7 }; // M55

static const double SLIP_MAX_IN = 10.0; // M28

static const struct outcome *taw(const struct judging *j)
{
    const struct outcome *o = shot_outcome(j->shot, j->shot->shooter);
    return o && o->piece.lying.taw ? o : NULL;
}

static bool is_out(const struct outcome *o)
{
    return strcmp(o->zone.name, "out") == 0;
}

// M33, M34: a target that lay in before the shot and lies out after it. One that a hand took is no shot's business.
static bool knocked_out(const struct outcome *o)
{
    return !o->piece.lying.taw && o->was_in_play && strcmp(o->was.name, "in") == 0 && is_out(o) &&
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

static int by(const struct judging *j)
{
    return standing_side(j->now, j->shot->by);
}

static struct call *say(struct judging *j, const char *number, const char *what, const char *words)
{
    struct call *c = call_add(j->calls, number, what, "%s", words);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
    return c;
}

static void end_after_innings(struct judging *j, int inning)
{
    const struct side *a = &j->now->side[0], *b = &j->now->side[1];
    if (inning < INNINGS || a->score == b->score) // A2: a tie plays on
        return;
    j->now->over = true;
    j->now->winner = a->score < b->score;
    char words[CALL_TEXT_MAX / 2];
    standing_words(words, sizeof words, j->now);
    call_add(j->calls, "M55", "game", "game after %d innings: %s", inning, words)->same_breath = true;
}

// M53: the turn passes; an inning is complete when each side had one.
static void pass(struct judging *j, const char *number)
{
    struct standing *s = j->now;
    int side = by(j);
    s->side[side].turns++;
    int next = standing_other(s, side);
    s->to_shoot = next == side ? -1 : next;
    struct call *c = next == side
                         ? call_add(j->calls, number, "turn-over", "turn over")
                         : call_add(j->calls, number, "turn-over", "turn over, %s to shoot", s->side[next].colour);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
    c->same_breath = true;
    if (next == side || s->side[0].turns != s->side[1].turns)
        return;
    s->round = s->side[0].turns + 1;
    end_after_innings(j, s->side[0].turns);
}

static void forfeit(struct judging *j, const char *number, const char *reason)
{
    char words[CALL_TEXT_MAX];
    snprintf(words, sizeof words, "%s: shot forfeited%s", reason, count_out(j) > 0 ? ", targets back on the ring" : "");
    say(j, number, "forfeited", words);
    pass(j, number);
}

static bool no_taw_moved(const struct judging *j)
{
    return taw(j) == NULL;
}

static void say_no_taw(struct judging *j)
{
    say(j, "M24", "no-taw", "a marble moved but no taw was seen to be shot: judge")->firm = false;
}

static bool wrong_taw(const struct judging *j)
{
    return by(j) < 0;
}

static void say_wrong_taw(struct judging *j)
{
    char words[CALL_TEXT_MAX];
    snprintf(words, sizeof words, "%s is no taw of this game: judge", j->shot->by);
    say(j, "M12", "wrong-taw", words)->firm = false;
}

static bool out_of_turn(const struct judging *j)
{
    return j->now->to_shoot >= 0 && by(j) != j->now->to_shoot;
}

// A9: it counts as the offender's turn.
static void say_out_of_turn(struct judging *j)
{
    char words[CALL_TEXT_MAX];
    snprintf(words, sizeof words, "that was a turn of %s, though %s was to shoot: judge", j->shot->by,
             j->now->side[j->now->to_shoot].colour);
    say(j, "M26", "out-of-turn", words)->firm = false;
}

static bool unpermitted(const struct judging *j)
{
    return j->shot->said.unpermitted;
}

static void say_unpermitted(struct judging *j)
{
    forfeit(j, "M16", "no permission");
}

static bool foul(const struct judging *j)
{
    return j->shot->said.foul[0] != '\0';
}

static const char *foul_number(const char *foul)
{
    static const struct {
        const char *word, *number;
    } fouls[] = {
        { "over the line", "M18" },   { "not knuckling", "M19" }, { "hunching", "M20" },
        { "taw on carpet", "M21" },   { "pinching", "M22" },      { "not a flick", "M23" },
        { "illegal shooter", "M24" },
    };
    for (size_t i = 0; i < countof(fouls); i++)
        if (strcmp(foul, fouls[i].word) == 0)
            return fouls[i].number;
    return "M62";
}

static void say_foul(struct judging *j)
{
    forfeit(j, foul_number(j->shot->said.foul), j->shot->said.foul);
}

static bool no_play(const struct judging *j)
{
    return j->shot->said.no_play;
}

static void again(struct judging *j, const char *number, const char *what, const char *words)
{
    j->now->to_shoot = by(j);
    j->shoots_again = true;
    say(j, number, what, words);
}

static void say_no_play(struct judging *j)
{
    again(j, "M32", "no-play", "no play: shoot again");
}

static bool slips(const struct judging *j)
{
    const struct said_of_shot *said = &j->shot->said;
    return said->slips && !said->picked_up && j->shot->travel_in <= SLIP_MAX_IN;
}

static void say_slips(struct judging *j)
{
    again(j, "M28", "slips", "slips: shoot again");
}

static bool no_slips(const struct judging *j)
{
    return j->shot->said.slips;
}

// A7: the player himself disowned the shot, so what it knocked out goes back.
static void say_no_slips(struct judging *j)
{
    bool picked_up = j->shot->said.picked_up;
    say(j, picked_up ? "M30" : "M29", "no-slips",
        picked_up ? "no slips, picked up before it stopped" : "no slips, the taw ran more than 10 in");
    pass(j, picked_up ? "M30" : "M29");
}

static void target_words(char *out, size_t size, const struct outcome *o)
{
    char margin[96];
    const char *side = is_out(o) ? "OUT" : "IN";
    call_margin_words(margin, sizeof margin, &o->zone.verdict, "inside the line", "beyond the line");
    if (o->left)
        snprintf(out, size, "target %d %s, %s", o->piece.id, side,
                 o->zone.verdict.clear ? "it left the ring's surroundings" : "not seen to come to rest");
    else
        snprintf(out, size, "target %d %s, centre %s", o->piece.id, side, margin);
}

static void say_target(struct judging *j, const struct outcome *o, bool first)
{
    char words[CALL_TEXT_MAX];
    target_words(words, sizeof words, o);
    const char *number = !is_out(o) ? "M35" : o->zone.verdict.margin_in == 0 ? "M34" : "M33";
    struct call *c = say(j, number, is_out(o) ? "out" : "in", words);
    c->piece = o->piece.id;
    c->same_breath = !first;
    call_measure(c, &o->zone, !o->left);
}

static bool has_targets(const struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (knocked_out(o) || (!o->piece.lying.taw && !o->zone.verdict.clear))
            return true;
    return false;
}

// What is out, and what is in by so little that people will ask.
static void say_targets(struct judging *j)
{
    bool first = true;
    for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
        bool close_in = !o->piece.lying.taw && !is_out(o) && !o->zone.verdict.clear && !o->left;
        if (!knocked_out(o) && !close_in)
            continue;
        say_target(j, o, first);
        first = false;
    }
}

static bool every_time(const struct judging *j)
{
    (void)j;
    return true;
}

static void say_taw(struct judging *j)
{
    const struct outcome *o = taw(j);
    char margin[96], words[CALL_TEXT_MAX];
    call_margin_words(margin, sizeof margin, &o->zone.verdict, "inside the line", "beyond the line");
    bool in = taw_is_in(j), picked_up = o->left && o->left_to == BY_HAND;
    if (picked_up)
        snprintf(words, sizeof words, "taw picked up before it stopped: judge, taken as OUT");
    else if (in && o->zone.verdict.firm)
        snprintf(words, sizeof words, "taw IN");
    else if (o->left)
        snprintf(words, sizeof words, "taw OUT");
    else
        snprintf(words, sizeof words, "taw %s, centre %s", in ? "IN" : "OUT", margin);
    struct call *c = say(j, picked_up ? "M42" : in ? "M36" : "M37", in ? "taw-in" : "taw-out", words);
    c->piece = o->piece.id;
    c->same_breath = j->calls->count > 1;
    call_measure(c, &o->zone, !o->left);
}

static bool any_out(const struct judging *j)
{
    return count_out(j) > 0;
}

static void score(struct judging *j)
{
    j->knocked_out = count_out(j);
    j->now->side[by(j)].score += j->knocked_out;
}

static bool reached_seven(const struct judging *j)
{
    return j->now->side[by(j)].score >= AMERICAN_MARBLES_TO_WIN;
}

static void say_game(struct judging *j)
{
    american_marbles_end(j, "M54", by(j));
}

static bool own_taw(const struct judging *j)
{
    return j->shot->said.own_taw;
}

static void say_own_taw(struct judging *j)
{
    say(j, "M25", "own-taw", "hit by own taw")->same_breath = true;
    pass(j, "M25");
}

static bool stays(const struct judging *j)
{
    return any_out(j) && taw_is_in(j);
}

static void say_again(struct judging *j)
{
    char words[CALL_TEXT_MAX];
    snprintf(words, sizeof words, "%s shoots again", j->shot->by);
    again(j, "M38", "shoot-again", words);
    j->calls->call[j->calls->count - 1].same_breath = true;
}

static bool none_out(const struct judging *j)
{
    return !any_out(j);
}

static void say_none_out(struct judging *j)
{
    pass(j, "M39");
}

static void say_taw_out(struct judging *j)
{
    pass(j, "M40");
}

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "M24", "no taw", "A shot is made with the taw; when only targets moved, the judge is asked.", no_taw_moved,
      say_no_taw, true },
    { "M12", "wrong taw",
      "A taw that is not of this game is put before the judge; confirmed, its player loses the game.", wrong_taw,
      say_wrong_taw, true },
    { "M26", "out of turn", "A taw shot into the ring out of turn counts as its player's turn.", out_of_turn,
      say_out_of_turn, false },
    { "M16", "no permission", "A shot before the judge's permission, where he gives it: forfeited, the turn is over.",
      unpermitted, say_unpermitted, true },
    { "M18", "foul",
      "Over the line, not knuckling, hunching, pinching, illegal shooter (M18 to M24), as the judge names: "
      "the shot is forfeited, its targets go back, the turn is over.",
      foul, say_foul, true },
    { "M32", "no play", "The judge believes in a slip without a call: the shot is void, the player shoots again.",
      no_play, say_no_play, true },
    { "M28", "slips", "Slips called, the taw stops within 10 in and is not picked up before: shoot again.", slips,
      say_slips, true },
    { "M29", "no slips", "Slips called but the taw ran over 10 in, or was picked up (M30): a made shot, turn over.",
      no_slips, say_no_slips, true },
    { "M33", "out",
      "A target at rest with its centre outside the line's inside edge, or exactly on it (M34), is out; "
      "inside it stays (M35).",
      has_targets, say_targets, false },
    { "M36", "taw in", "A taw at rest with its centre inside or exactly on the line is in, otherwise out (M37).",
      every_time, say_taw, false },
    { "M41", "score", "Each target out in the shot scores one; several score each.", any_out, score, false },
    { "M54", "game", "A player who has seven targets wins at once, wherever his taw is.", reached_seven, say_game,
      true },
    { "M25", "hit by own taw", "The taw coming back touches its shooter: targets out are kept, the turn is over.",
      own_taw, say_own_taw, true },
    { "M38", "shoot again", "A target out and the taw in: the same player shoots again.", stays, say_again, true },
    { "M39", "turn over", "No target out: the turn is over, wherever the taw is.", none_out, say_none_out, true },
    { "M40", "turn over", "A target out and the taw out: the targets score, the turn is over.", any_out, say_taw_out,
      true },
    { "M53", "inning", "Players alternate turns; an inning is complete after each had one.", NULL, NULL, false },
    { "M55", "game after innings", "Seven innings complete with no seven: more targets win; a tie plays on.", NULL,
      NULL, false },
    { "M48", "reset", "A target that something but a shot moved is put back (M43: one that moved after it lay still).",
      NULL, NULL, false },
    { "M49", "external force",
      "The judge names who used it: the shooter gets nothing, the other may cost a point (M50).", NULL, NULL, false },
    { "M57", "forfeit", "A player who gives up wrongly loses 7-0 (M60: after a warning, advice costs all targets).",
      NULL, NULL, false },
};

static void judge_shot(struct judging *j)
{
    j->taw_in = taw_is_in(j);
    if (j->now->over)
        return;
    rules_walk(rules, (int)countof(rules), j);
}

static void judge_hand(struct judging *j)
{
    if (j->piece->lying.taw || j->now->over)
        return;
    struct call *c = call_add(j->calls, "M48", "reset", "reset: target %d was %s by hand, put it back", j->piece->id,
                              j->taken ? "taken" : "moved");
    c->piece = j->piece->id;
}

static void judge_cleared(struct judging *j)
{
    (void)j; // nothing ends by an empty ring
}

const struct game american_marbles_game = {
    .name = "american-marbles",
    .title = "American Marbles (7 ft ring, thirteen targets)",
    .board = "ring-7ft",
    .rules = rules,
    .rule_count = (int)countof(rules),
    .start = standing_start,
    .shot = judge_shot,
    .hand = judge_hand,
    .cleared = judge_cleared,
    .input = american_marbles_input,
};
