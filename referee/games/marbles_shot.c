// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/games/american_marbles.h"

static const double SLIP_MAX_IN = 10.0; // M28

// A taw held up so high above the carpet is seen so far from where it is, at a slant of 45 degrees; and from where it
// is first seen in its flight nothing is concluded.
static const double HELD_HIGH_IN = 1.0;

// Who shoots again knuckles down where the taw lay: the width of a hand beside it.
static const double HAND_IN = 6.0;

const struct outcome *marbles_taw(const struct judging *j)
{
    const struct outcome *o = shot_outcome(j->shot, j->shot->shooter);
    return o && o->piece.lying.taw ? o : NULL;
}

static bool is_out(const struct outcome *o)
{
    return o->zone.area == ZONE_OUT;
}

bool marbles_lay_in(const struct outcome *o)
{
    return !o->piece.lying.taw && o->was.area == ZONE_IN;
}

bool marbles_knocked_out(const struct judging *j, const struct outcome *o)
{
    const struct owed *owed = standing_owes(j->now, o->piece.id);
    bool counts = !o->caught || o->piece.lying.ruled;
    return marbles_lay_in(o) && is_out(o) && counts && !(owed && owed->shot < j->shot->number);
}

static int count_out(const struct judging *j)
{
    int count = 0;
    for (int i = 0; i < j->shot->count; i++)
        count += marbles_knocked_out(j, &j->shot->piece[i]);
    return count;
}

bool marbles_taw_is_in(const struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    return o && !is_out(o) && (o->piece.lying.ruled || (!o->caught && (!o->left || o->left_to == BY_HAND)));
}

// Who made this shot: the taw's side; whose turn it was when no taw tells; -1 when nothing does.
static int side_of_shot(const struct judging *j)
{
    int side = judging_shooter(j);
    return side >= 0 ? side : j->now->to_shoot;
}

void marbles_tell_score(struct judging *j)
{
    char words[CALL_TEXT_MAX];
    standing_words(words, sizeof words, j->now);
    if (words[0])
        call_add(j->calls, "M47", "total", "%s", words);
}

// A shot of that side counts, whatever it brought.
static void begin(struct judging *j, int side)
{
    struct standing *s = j->now;
    bool chosen = !s->own.american_marbles.begun && s->round == 1 && s->to_shoot == side; // by the judge's word
    s->own.american_marbles.begun = true;
    s->own.american_marbles.to_lay = false;
    s->own.american_marbles.shoots_on = 0;
    if (s->first < 0 || chosen)
        s->first = s->starter = side;
}

// For the next game they are looked at again.
static void forget_x(struct standing *s)
{
    struct american_marbles_state *own = &s->own.american_marbles;
    own->begun = own->x_told = own->x_is_right = own->sizes_told = false;
}

// However the close calls behind the score are decided, the side has the targets that win, or more than the other.
static bool surely_won(const struct standing *s, const char *number, int winner)
{
    int loser = standing_other(s, winner);
    const struct player_side *w = &s->side[winner], *l = &s->side[loser];
    if (strcmp(number, "M54") == 0)
        return w->score - w->score_doubt.less >= s->format.target;
    return strcmp(number, "M55") != 0 || loser == winner ||
           w->score - w->score_doubt.less > l->score + l->score_doubt.more;
}

static bool scores_are_exact(const struct standing *s)
{
    const struct doubt *first = &s->side[0].score_doubt, *second = &s->side[1].score_doubt;
    return first->less + first->more + second->less + second->more == 0;
}

bool marbles_surely_decided(const struct standing *s)
{
    return s->winner < 0 ? scores_are_exact(s)
                         : surely_won(s, s->own.american_marbles.by_innings ? "M55" : "M54", s->winner);
}

void marbles_end_game(struct judging *j, const char *number, int winner)
{
    struct standing *s = j->now;
    char after[32] = "";
    int loser = standing_other(s, winner);
    s->over = true;
    s->winner = winner;
    forget_x(s);
    if (strcmp(number, "M55") == 0)
        snprintf(after, sizeof after, " after %d innings", s->round);
    char own[POINTS_WORDS_MAX], others[POINTS_WORDS_MAX];
    points_words(own, standing_score(&s->side[winner]));
    points_words(others, loser == winner ? points_exactly(0) : standing_score(&s->side[loser]));
    struct call *c =
        call_add(j->calls, number, "game", "game, %s wins %s to %s%s", standing_name(s, winner), own, others, after);
    snprintf(c->side, sizeof c->side, "%s", s->side[winner].seat.colour);
    c->firm = surely_won(s, number, winner);
    s->close = !c->firm;
    c->undecided = !c->firm;
}

void marbles_end_if_won(struct judging *j, int side)
{
    int target = j->now->format.target;
    if (!j->now->over && target > 0 && j->now->side[side].score >= target)
        marbles_end_game(j, "M54", side);
}

void marbles_end_inning(struct judging *j)
{
    struct standing *s = j->now;
    int last = s->format.rounds, a = s->side[0].score, b = s->side[1].score;
    bool complete = last > 0 && s->round >= last, ends = complete && (a != b || s->format.ties_stand);
    bool exact = scores_are_exact(s);
    struct call *c;
    s->own.american_marbles.by_innings = ends;
    if (!ends) {
        s->round++;
        s->rounds_ended++;
        c = call_add(j->calls, "M53", "inning", "inning %d%s", s->round,
                     last > 0 && s->round > last ? ", it is a tie" : "");
        c->firm = exact || !complete;
        c->undecided = !c->firm;
    } else if (a != b) {
        marbles_end_game(j, "M55", a < b);
    } else {
        s->over = true;
        s->winner = -1;
        forget_x(s);
        char own[POINTS_WORDS_MAX], others[POINTS_WORDS_MAX];
        points_words(own, standing_score(&s->side[0]));
        points_words(others, standing_score(&s->side[1]));
        c = call_add(j->calls, "M55", "game", "game drawn after %d innings: %s to %s", s->round, own, others);
        c->firm = exact;
        c->undecided = s->close = !exact;
    }
}

static void pass(struct judging *j)
{
    struct standing *s = j->now;
    int side = side_of_shot(j), next = side < 0 ? side : standing_other(s, side);
    int *ahead = s->own.american_marbles.ahead;
    const struct outcome *o = marbles_taw(j);
    if (side < 0)
        return;
    begin(j, side);
    bool out_of_turn = s->to_shoot >= 0 && s->to_shoot != side, alone = next == side;
    bool inning_over = !alone && !out_of_turn && next == s->first;
    if (out_of_turn) { // A9
        ahead[side]++;
        next = s->to_shoot;
    } else if (!alone && ahead[next] > 0) {
        ahead[next]--;
        next = side;
        inning_over = true;
    }
    s->to_shoot = alone ? -1 : next;
    struct call *c = alone ? judging_say(j, NULL, "turn-over", "turn over")
                           : judging_say(j, NULL, "turn-over", "turn over, %s to shoot", standing_player(s, next));
    c->same_breath = j->calls->count > 1;
    if (o && !o->left && marbles_taw_is_in(j))
        standing_owe(s, &o->piece, OWED_OFF, o->piece.lying.at, j->shot->number); // A12
    marbles_tell_score(j);
    if (inning_over)
        marbles_end_inning(j);
}

static void forfeit(struct judging *j, const char *reason, bool firm)
{
    judging_say(j, NULL, "forfeited", "%s: shot forfeited%s", reason, firm ? "" : ", judge")->firm = firm;
    marbles_put_back_all(j, true);
    pass(j);
}

bool marbles_no_taw_moved(const struct judging *j)
{
    return marbles_taw(j) == NULL;
}

// Nothing that came from outside moved: no shot, something else moved what lay there.
bool marbles_only_lying_moved(const struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));)
        if (!marbles_lay_in(o))
            return false;
    return true;
}

void marbles_say_no_taw(struct judging *j)
{
    call_add(j->calls, j->rule->number, "no-taw", "a marble was shot that is no taw, as it seems: judge")->firm = false;
}

void marbles_say_dead_target(struct judging *j)
{
    call_add(j->calls, j->now->own.american_marbles.begun ? j->rule->number : "M48", "reset",
             "reset: targets moved and no taw was shot, judge")
        ->firm = false;
    marbles_put_back_all(j, false);
}

bool marbles_out_of_turn(const struct judging *j)
{
    return judging_shooter(j) >= 0 && judging_out_of_turn(j);
}

// M27: the way from where it started to where it lies does not meet the ring, and nothing else moved. Where the judge
// gives permission and gave it, it was meant to be the shot.
bool marbles_practice(const struct judging *j)
{
    const struct shot *s = j->shot;
    const struct outcome *o = marbles_taw(j);
    bool meant = j->now->permit_needed && !s->unpermitted && !marbles_out_of_turn(j);
    for (const struct outcome *other = NULL; (other = judging_next(j, other));)
        if (other != o)
            return false;
    if (!o || o->left || meant || s->said[INPUT_PERMITTED])
        return false;
    struct line_rule ring = line_of_ring(j->board, true);
    double dx = o->piece.lying.at.x - s->from.x, dy = o->piece.lying.at.y - s->from.y, way2 = dx * dx + dy * dy;
    double share = way2 > 0 ? fmin(1, fmax(0, -(s->from.x * dx + s->from.y * dy) / way2)) : 0;
    return hypot(s->from.x + share * dx, s->from.y + share * dy) > ring.radius_in + o->zone.verdict.sigma_in;
}

void marbles_say_nothing(struct judging *j)
{
    (void)j;
}

// A9: it counts as the offender's next turn, and what it moved goes back.
void marbles_say_out_of_turn(struct judging *j)
{
    judging_say(j, NULL, "out-of-turn", "that was a turn of %s, though %s was to shoot: judge",
                standing_owner(j->now, j->shot->by), standing_name(j->now, j->now->to_shoot))
        ->firm = false;
    marbles_put_back_all(j, false);
    pass(j);
}

bool marbles_unpermitted(const struct judging *j)
{
    return j->shot->unpermitted;
}

void marbles_say_unpermitted(struct judging *j)
{
    forfeit(j, "no permission", true);
}

bool marbles_this_foul(const struct judging *j)
{
    return strcmp(j->shot->foul, j->rule->says) == 0;
}

void marbles_say_foul(struct judging *j)
{
    forfeit(j, j->shot->foul, true);
}

static bool shoots_on(const struct judging *j)
{
    int on = j->now->own.american_marbles.shoots_on;
    return on > 0 && on == judging_shooter(j) + 1 && !j->now->format.from_edge;
}

// M18 of the first shot of a turn. The hand is not seen so well, so the judge is asked.
bool marbles_over_the_line(const struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    return o && o->was_lying && !shoots_on(j) &&
           hypot(o->was_at.x, o->was_at.y) < line_of_ring(j->board, true).radius_in - HELD_HIGH_IN;
}

void marbles_say_over_the_line(struct judging *j)
{
    char words[96];
    const struct outcome *o = marbles_taw(j);
    snprintf(words, sizeof words, "over the line, the taw was released %.2f in inside it",
             line_of_ring(j->board, true).radius_in - hypot(o->was_at.x, o->was_at.y));
    forfeit(j, words, false);
}

bool marbles_elsewhere(const struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    struct pt_in lay = j->now->own.american_marbles.taw_at;
    return o && o->was_lying && shoots_on(j) && distance_in(o->was_at, lay) > HAND_IN;
}

void marbles_say_elsewhere(struct judging *j)
{
    struct pt_in lay = j->now->own.american_marbles.taw_at, from = marbles_taw(j)->was_at;
    judging_say(j, NULL, "elsewhere", "%s shot %.1f in from where the taw lay: judge",
                standing_owner(j->now, j->shot->by), distance_in(from, lay))
        ->firm = false;
}

static struct call *shoot_again(struct judging *j, const char *what, const char *words)
{
    int side = side_of_shot(j);
    struct american_marbles_state *own = &j->now->own.american_marbles;
    int on = own->shoots_on; // a void shot leaves it as it was
    if (side >= 0)
        begin(j, side);
    own->shoots_on = on;
    if (side >= 0 && (j->now->to_shoot < 0 || j->rule->said == INPUT_NONE)) // a void one out of turn is nobody's
        j->now->to_shoot = side;
    j->fact[MARBLES_SHOOTS_AGAIN] = true;
    return judging_say(j, NULL, what, "%s%s%s", words, side < 0 ? "" : ", ",
                       side < 0 ? "" : standing_player(j->now, side));
}

bool marbles_picked_up(const struct judging *j)
{
    return j->shot->shooter_taken || j->shot->said[INPUT_PICKED_UP];
}

// A8: the greatest distance from where it was released. A taw that ran out of sight surely ran farther.
bool marbles_slipped(const struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    return o && !marbles_picked_up(j) && (!o->left || o->left_to == BY_HAND) && j->shot->travel_in <= SLIP_MAX_IN;
}

bool marbles_short_without_call(const struct judging *j)
{
    return marbles_slipped(j) && marbles_none_out(j);
}

void marbles_say_void(struct judging *j)
{
    char words[CALL_TEXT_MAX / 2];
    if (j->rule->said == INPUT_SLIPS)
        snprintf(words, sizeof words, "slips, the taw ran %.1f in: shoot again", j->shot->travel_in);
    else
        snprintf(words, sizeof words, "%s: shoot again", j->rule->says);
    shoot_again(j,
                j->rule->said == INPUT_SLIPS     ? "slips"
                : j->rule->said == INPUT_NO_PLAY ? "no-play"
                                                 : "again",
                words);
    marbles_put_back_all(j, false);
    marbles_tell_score(j);
}

// A7: the player himself disowned the shot, so what it knocked out goes back.
void marbles_say_no_slips(struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    if (marbles_picked_up(j))
        judging_say(j, NULL, "no-slips", "no slips, picked up before it stopped: a shot was made");
    else if (o && !o->left)
        judging_say(j, NULL, "no-slips", "no slips, the taw ran %.1f in, more than 10: a shot was made",
                    j->shot->travel_in);
    else
        judging_say(j, NULL, "no-slips", "no slips, the taw ran out of sight: a shot was made");
    marbles_put_back_all(j, true);
    pass(j);
}

// A hand took a target: while it moved, M44, or where it lay out but nobody had said so yet, M45.
static void say_taken(struct judging *j, const struct outcome *o)
{
    struct call *c = o->caught
                         ? judging_say(j, "M44", "caught", "target %d was taken while it moved: judge", o->piece.id)
                         : judging_say(j, "M45", "early", "target %d was taken before the call: judge", o->piece.id);
    c->firm = false;
    c->piece = o->piece.id;
    if (!marbles_knocked_out(j, o))
        marbles_put_back(j, o);
}

static void say_target(struct judging *j, const struct outcome *o)
{
    const struct verdict *v = &o->zone.verdict;
    bool out = is_out(o);
    char where[96];
    call_margin_words(where, sizeof where, v, "inside the line", "beyond the line");
    if (o->piece.lying.ruled)
        snprintf(where, sizeof where, "as the judge says");
    else if (o->left && o->left_to != BY_HAND)
        snprintf(where, sizeof where, "%s", v->clear ? "it left the ring's surroundings" : "not seen to come to rest");
    bool measured = !o->piece.lying.ruled && (!o->left || o->left_to == BY_HAND);
    const char *number = !out ? "M35" : v->margin_in == 0 ? "M34" : "M33";
    struct call *c = judging_say(j, number, out ? "out" : "in", "target %d %s, %s%s", o->piece.id, out ? "OUT" : "IN",
                                 measured ? "centre " : "", where);
    c->same_breath = j->calls->count > 1 && strcmp(j->calls->call[j->calls->count - 2].side, j->shot->by) == 0;
    call_measure(c, o);
}

// A close call leaves two readings of the score. By the other reading a target that was left in was out before, and
// whoever knocks it out later has nothing by it.
static void doubt_target(struct judging *j, const struct outcome *o)
{
    struct american_marbles_state *own = &j->now->own.american_marbles;
    bool out = marbles_knocked_out(j, o), confirmed = j->shot->said[INPUT_CONFIRM];
    int side = side_of_shot(j), at = 0;
    while (at < own->close_in && own->close_target[at].id != o->piece.id)
        at++;
    bool before = at < own->close_in, by_same = before && own->close_target[at].side == side;
    if (side < 0)
        return;
    struct doubt *doubt = &j->now->side[side].score_doubt;
    if (out) {
        doubt->more -= by_same && doubt->more > 0;
        doubt->less += (before && !by_same) || !(o->zone.verdict.firm || confirmed);
    }
    if (out && before)
        own->close_target[at] = own->close_target[--own->close_in];
    if (!out && !before && !o->zone.verdict.clear && !o->piece.lying.ruled && !confirmed && at < CLOSE_IN_MAX) {
        own->close_target[at].id = o->piece.id;
        own->close_target[at].side = side;
        own->close_in++;
        doubt->more++;
    }
}

// What is out, what is in by so little that people will ask, and what a hand took.
void marbles_say_targets(struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
        bool in = marbles_lay_in(o);
        if (in && o->left && o->left_to == BY_HAND && !o->piece.lying.ruled)
            say_taken(j, o);
        if (marbles_knocked_out(j, o) ||
            (in && !is_out(o) && !o->left && (o->piece.lying.ruled || !o->zone.verdict.clear))) {
            say_target(j, o);
            doubt_target(j, o);
        }
    }
}

void marbles_say_taw(struct judging *j)
{
    const struct outcome *o = marbles_taw(j);
    if (!o) // the judge took back that no taw was shot
        return;
    bool in = marbles_taw_is_in(j), caught = o->caught && !o->piece.lying.ruled;
    char margin[96], words[CALL_TEXT_MAX];
    call_margin_words(margin, sizeof margin, &o->zone.verdict, "inside the line", "beyond the line");
    if (caught)
        snprintf(words, sizeof words, "taw picked up before it stopped: judge, taken as OUT");
    else if (in && o->zone.verdict.firm)
        snprintf(words, sizeof words, "taw IN");
    else if (o->left && !o->zone.verdict.clear)
        snprintf(words, sizeof words, "taw OUT, not seen to come to rest: judge");
    else if (o->left || o->piece.lying.ruled)
        snprintf(words, sizeof words, "taw OUT");
    else
        snprintf(words, sizeof words, "taw %s, centre %s", in ? "IN" : "OUT", margin);
    struct call *c = judging_say(j, caught ? "M42" : in ? "M36" : "M37", in ? "taw-in" : "taw-out", "%s", words);
    c->same_breath = j->calls->count > 1;
    call_measure(c, o);
    c->firm = c->firm && !caught;
}

bool marbles_any_out(const struct judging *j)
{
    return count_out(j) > 0;
}

bool marbles_none_out(const struct judging *j)
{
    return count_out(j) == 0;
}

void marbles_score(struct judging *j)
{
    int side = side_of_shot(j);
    j->fact[MARBLES_KNOCKED_OUT] = count_out(j);
    if (side < 0)
        return;
    j->now->side[side].score += j->fact[MARBLES_KNOCKED_OUT];
}

bool marbles_reached_target(const struct judging *j)
{
    int target = j->now->format.target, side = side_of_shot(j);
    return target > 0 && side >= 0 && j->now->side[side].score >= target;
}

void marbles_say_game(struct judging *j)
{
    begin(j, side_of_shot(j));
    marbles_end_game(j, j->rule->number, side_of_shot(j));
}

bool marbles_stays(const struct judging *j)
{
    return marbles_any_out(j) && marbles_taw_is_in(j);
}

void marbles_say_again(struct judging *j)
{
    struct american_marbles_state *own = &j->now->own.american_marbles;
    shoot_again(j, "shoot-again", "shoot again")->same_breath = true;
    own->shoots_on = side_of_shot(j) + 1;
    own->taw_at = marbles_taw(j)->piece.lying.at;
    marbles_tell_score(j);
}

void marbles_turn_over(struct judging *j)
{
    if (j->rule->said == INPUT_OWN_TAW)
        judging_say(j, NULL, "own-taw", "hit by own taw")->same_breath = true;
    else if (j->rule->when == marbles_short_without_call)
        judging_say(j, NULL, "made", "%.1f in and no slip called: the shot is made", j->shot->travel_in)->same_breath =
            true;
    pass(j);
}
