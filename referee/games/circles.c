// SPDX-License-Identifier: MIT
#include "referee/games/circles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUARTER_IS_KNOWN = 2 }; // shots from there

bool circles_in_hole(const struct outcome *o)
{
    bool lifted = o->left && o->left_to == BY_HAND && !o->caught && !circles_was_in_hole(o); // before all was still
    return o->zone.area == ZONE_HOLE && (!o->left || o->left_to == IN_HOLE || lifted);
}

bool circles_was_in_hole(const struct outcome *o)
{
    return o->was.area == ZONE_HOLE;
}

void circles_say(struct judging *j, const struct outcome *o, const char *number)
{
    char where[80], zone[ZONE_WORD_MAX];
    bool ditched = o->zone.points == 0;
    if (o->left && o->left_to == BY_HAND && !circles_in_hole(o))
        return;
    zone_word(zone, &o->zone);
    if (o->piece.lying.ruled)
        snprintf(where, sizeof where, "by the judge's word");
    else if (circles_in_hole(o))
        snprintf(where, sizeof where, "in the hole");
    else if (o->left && !o->zone.verdict.firm)
        snprintf(where, sizeof where, "not seen to come to rest");
    else if (o->left || o->piece.lying.plane != ON_SURFACE)
        snprintf(where, sizeof where, "left the surface");
    else
        call_margin_words(where, sizeof where, &o->zone.verdict, "inside the line", "over the line");
    struct call *c = call_add(j->calls, number, ditched ? "ditched" : "zone", "%s  %s  (%s)",
                              standing_owner(j->now, o->piece.colour), ditched ? "ditched" : zone, where);
    snprintf(c->side, sizeof c->side, "%s", o->piece.colour);
    call_measure(c, o);
}

const struct outcome *circles_next(const struct judging *j, const struct outcome *after)
{
    const struct outcome *first = shot_outcome(j->shot, j->shot->shooter);
    if (!after && first)
        return first;
    const struct outcome *next = judging_next(j, after == first ? NULL : after);
    return next && next == first ? judging_next(j, next) : next;
}

void circles_owe_off(struct judging *j, const struct outcome *o)
{
    bool is_off = o->piece.put_on && o->zone.area != ZONE_CIRCLE; // no camera would see it go
    if (!is_off && !o->left && (o->piece.lying.plane == ON_SURFACE || o->piece.lying.plane == IN_HOLE))
        standing_owe(j->now, &o->piece, OWED_OFF, o->piece.lying.at, j->shot->number);
}

// "disc in the 15"
static void words_of_place(char *out, size_t size, const struct judging *j, const struct zone *zone)
{
    const char *what = j->board->piece == PIECE_RING ? "ring" : "disc";
    char word[ZONE_WORD_MAX];
    zone_word(word, zone);
    if (zone->area == ZONE_NONE || zone->area == ZONE_DITCH)
        snprintf(out, size, "%s%s", what, zone->area == ZONE_NONE ? "" : " at the edge");
    else
        snprintf(out, size, "%s in the %s", what, zone->area == ZONE_HOLE ? "hole" : word);
}

void circles_say_still_on(struct judging *j)
{
    for (int i = j->now->owed - 1; i >= 0; i--) {
        const struct owed owed = j->now->owe[i];
        const struct outcome *o = shot_outcome(j->shot, owed.piece);
        const struct zone nowhere = { .area = ZONE_NONE };
        bool off = owed.what == OWED_OFF;
        char where[32];
        if (owed.shot == j->shot->number || (off && !o))
            continue;
        words_of_place(where, sizeof where, j, o ? o->was.area != ZONE_NONE ? &o->was : &o->zone : &nowhere);
        struct call *c = call_add(j->calls, j->rule->number, off ? "still-on" : "not-put-back", "%s's %s %s",
                                  standing_owner(j->now, owed.colour), where,
                                  off ? "had to come off before the shot, and still lies there"
                                      : "was not put back before the shot: what lies there counts");
        snprintf(c->side, sizeof c->side, "%s", owed.colour);
        c->piece = owed.piece;
        c->firm = o && o->was.area == ZONE_HOLE; // why the others had to come off may have been close
        if (!off)
            standing_settle(j->now, owed.piece);
    }
}

bool circles_round_runs(const struct judging *j)
{
    bool runs = false;
    for (int i = 0; i < j->now->sides; i++)
        runs |= j->now->side[i].played > 0;
    return runs && !j->now->over;
}

static bool counts(const struct judging *j)
{
    return circles_round_runs(j) && !standing_owes(j->now, j->piece->id);
}

bool circles_took(const struct judging *j)
{
    return j->taken && j->piece->lying.plane != IN_HOLE && counts(j);
}

bool circles_shifted(const struct judging *j)
{
    return !j->taken && counts(j);
}

void circles_say_put_back(struct judging *j)
{
    char where[32];
    const struct zone zone = zone_of(j->board, &j->piece->lying);
    words_of_place(where, sizeof where, j, &zone);
    standing_owe(j->now, j->piece, OWED_BACK, j->piece->lying.at, j->shot->number);
    call_add(j->calls, j->rule->number, "reset", "reset: %s's %s was moved by hand, put it back",
             standing_owner(j->now, j->piece->colour), where)
        ->piece = j->piece->id;
}

void circles_count_taken(struct judging *j)
{
    j->now->own.circles.taken++;
}

void circles_say_taken(struct judging *j)
{
    int *taken = &j->now->own.circles.taken;
    if (*taken > 0)
        call_add(j->calls, j->rule->number, "taken", "%d taken off the board by hand before the shot: judge", *taken)
            ->firm = false;
    *taken = 0;
}

bool circles_cleared(const struct judging *j)
{
    const struct standing *s = j->now;
    return s->sides == SIDES && !s->over && s->side[0].played > 0 && s->side[1].played > 0 && s->own.circles.taken > 0;
}

const char *circles_player(struct judging *j)
{
    int side = judging_shooter(j);
    return side < 0 ? j->shot->by : standing_player(j->now, side);
}

bool circles_out_of_turn(const struct judging *j)
{
    bool shot_again = j->now->to_shoot < 0 && j->now->sides == 1 && j->now->side[0].shots == 1;
    return (shot_again && judging_shooter(j) >= 0) || judging_out_of_turn(j);
}

void circles_say_shot_again(struct judging *j)
{
    judging_say(j, NULL, "not-your-turn",
                "%s shot again, and no other colour has: judge (two that are too alike are taken for one)",
                standing_owner(j->now, j->shot->by))
        ->firm = false;
}

bool circles_shot_too_many(const struct judging *j)
{
    int side = judging_shooter(j), pieces = j->now->format.pieces_each;
    return side >= 0 && pieces > 0 && j->now->side[side].played >= pieces;
}

void circles_say_too_many(struct judging *j)
{
    int side = judging_shooter(j);
    judging_say(j, NULL, "too-many", "shot %d of %s, which plays %d in a round: judge", j->now->side[side].played + 1,
                standing_name(j->now, side), j->now->format.pieces_each)
        ->firm = false;
}

static void say_start(struct judging *j, double by_in, const char *where)
{
    judging_say(j, NULL, "start", "%s shot from %.2f in %s: judge", circles_player(j), by_in, where)->firm = false;
}

void circles_say_wrong_line(struct judging *j)
{
    const struct resting_piece start = { .at = j->shot->from,
                                         .cov = j->shot->from_cov,
                                         .radius_in = j->board->piece_radius_in };
    struct line_rule outermost = line_of_circle(j->board, 0);
    struct verdict inside = line_judge(&outermost, &start), touches = line_touch(j->board, 0, &start);
    if (!j->shot->from_rest)
        return;
    if (inside.margin_in > 0 && inside.clear)
        say_start(j, inside.margin_in, "inside the outer line");
    else if (touches.margin_in < 0 && touches.clear)
        say_start(j, -touches.margin_in, "behind the outer line");
}

void circles_say_wrong_quarter(struct judging *j)
{
    const struct pt_in at = j->shot->from;
    const int number = at.x > 0 ? at.y > 0 ? 1 : 4 : at.y > 0 ? 2 : 3;
    const int side = judging_shooter(j);
    if (side < 0 || !j->shot->from_rest || !j->board->quadrant_lines)
        return;
    struct quarter *own = &j->now->own.circles.quarter[side][j->now->side[side].shots % j->now->format.players];
    // How far it reached beyond each of the two lines of its own quarter: touching a line is allowed.
    double x_in = own->number == 1 || own->number == 4 ? -at.x : at.x;
    double y_in = own->number == 1 || own->number == 2 ? -at.y : at.y;
    double beyond_in = fmax(x_in, y_in) - j->board->piece_radius_in - j->board->line_width_in / 2;
    double sigma_in = sqrt(fmax(0, x_in > y_in ? j->shot->from_cov.xx : j->shot->from_cov.yy));
    if (own->shots >= QUARTER_IS_KNOWN && beyond_in > FIRM_SIGMAS * sigma_in)
        say_start(j, beyond_in, "beyond the line of the quarter that it shot from before");
    if (own->number == number)
        own->shots++;
    else if (own->shots < QUARTER_IS_KNOWN)
        *own = (struct quarter){ number, 1 };
    else
        own->shots = own->shots > QUARTER_IS_KNOWN ? QUARTER_IS_KNOWN : own->shots - 1;
}

void circles_pass(struct judging *j)
{
    struct standing *s = j->now;
    int side = judging_shooter(j);
    if (side < 0)
        return;
    s->starter = s->starter < 0 ? side : s->starter;
    s->first = s->first < 0 ? side : s->first;
    s->side[side].played++;
    s->to_shoot = s->sides == SIDES ? standing_other(s, side) : -1;
}

bool circles_all_played(const struct judging *j)
{
    return standing_all_played(j->now);
}

// "; still to come off: Home's disc in the 15 and 3 more"; empty when nothing must.
static void words_of_owed(char *out, size_t size, const struct judging *j)
{
    int more = -1;
    char first[CALL_TEXT_MAX / 4] = "";
    for (int i = 0; i < j->now->owed; i++) {
        const struct owed *owed = &j->now->owe[i];
        const struct known_piece *p = piece_table_find(j->table, owed->piece);
        char where[32];
        if (!p || owed->what != OWED_OFF || ++more > 0)
            continue;
        const struct zone zone = zone_of(j->board, &p->lying);
        words_of_place(where, sizeof where, j, &zone);
        snprintf(first, sizeof first, "%s's %s", standing_owner(j->now, owed->colour), where);
    }
    out[0] = '\0';
    if (more == 0)
        snprintf(out, size, "; still to come off: %s", first);
    else if (more > 0)
        snprintf(out, size, "; still to come off: %s and %d more", first, more);
}

void circles_pass_on(struct judging *j, const char *before,
                     void (*points)(char *out, size_t size, const struct standing *s))
{
    char words[CALL_TEXT_MAX / 3], owed[CALL_TEXT_MAX / 3], next[OBS_WORD_MAX + 16] = "";
    for (int i = 0; i < j->now->sides; i++)
        j->now->side[i].counted = standing_on_board(j->now, j->table, j->board, i);
    circles_pass(j);
    points(words, sizeof words, j->now);
    if (j->now->sides == 0) // whose they are cannot be told
        snprintf(words, sizeof words, "nothing of a known side");
    words_of_owed(owed, sizeof owed, j);
    if (j->now->to_shoot >= 0 && !circles_all_played(j))
        snprintf(next, sizeof next, "; %s to shoot", standing_player(j->now, j->now->to_shoot));
    call_add(j->calls, j->rule->number, "total", "%s%s%s%s", before, words, next, owed);
}

static int brings(const struct format *f, int points, int others)
{
    switch (f->scoring) {
    case SCORE_ROUND_POINTS:
        return points == others ? f->round_points / 2 : points > others ? f->round_points : 0;
    case SCORE_DIFFERENCE:
        return points > others ? points - others : 0;
    case SCORE_SUM:
        return points;
    }
    return 0;
}

// What a round brings, as its points read and as they may be: never less by more of one's own or fewer of the other's.
static struct points brings_in_doubt(const struct format *f, struct points own, struct points others)
{
    return (struct points){ .reads = brings(f, own.reads, others.reads),
                            .least = brings(f, own.least, others.most),
                            .most = brings(f, own.most, others.least) };
}

struct decision {
    bool over;
    int winner; // -1: nobody is ahead
};

// The game is over when its rounds are played, or somebody reached its target; where only the target is reached,
// equal scores play on.
static struct decision decide_by(const struct standing *s, int played, const int score[SIDES],
                                 const int twenties[SIDES])
{
    const struct format *f = &s->format;
    bool last = f->rounds > 0 && played >= f->rounds, tie = score[0] == score[1];
    bool reached = f->target > 0 && (score[0] >= f->target || score[1] >= f->target);
    bool by_twenties = tie && f->twenties_decide && twenties[0] != twenties[1];
    return (struct decision){ .over = s->sides == SIDES && (last || (reached && (!tie || by_twenties))),
                              .winner = by_twenties ? twenties[0] < twenties[1]
                                        : tie       ? -1
                                                    : score[0] < score[1] };
}

// As the numbers read. True when it is the same however the close calls behind them, and the last round's end, go.
static bool decide(struct standing *s, int played)
{
    struct points number[2 * SIDES]; // scores, then twenties
    int reads[countof(number)] = { 0 }, end[countof(number)] = { 0 };
    for (int i = 0; i < SIDES; i++) {
        number[i] = standing_score(&s->side[i]);
        number[SIDES + i] = standing_twenties(&s->side[i]);
    }
    for (size_t k = 0; k < countof(number); k++)
        reads[k] = number[k].reads;
    const struct decision is = decide_by(s, played, reads, reads + SIDES);
    bool firm = !s->own.circles.proposed;
    for (unsigned ends = 0; ends < 1u << countof(number); ends++) { // each as low or as high as it may be
        for (size_t k = 0; k < countof(number); k++)
            end[k] = ends >> k & 1 ? number[k].most : number[k].least;
        const struct decision may_be = decide_by(s, played, end, end + SIDES);
        firm &= may_be.over == is.over && (!is.over || may_be.winner == is.winner);
    }
    s->over = is.over;
    s->winner = is.winner;
    s->close = is.over && !firm;
    return firm;
}

static void say_game(struct judging *j, const char *number, const char *score, bool firm)
{
    struct call *c;
    const struct standing *s = j->now;
    const struct player_side *w = &s->side[s->winner < 0 ? 0 : s->winner], *l = &s->side[s->winner == 0];
    char more[POINTS_WORDS_MAX], less[POINTS_WORDS_MAX];
    points_words(more, standing_twenties(w));
    points_words(less, standing_twenties(l));
    if (s->winner < 0)
        c = call_add(j->calls, number, "game", "game drawn: %s", score);
    else if (w->score == l->score)
        c = call_add(j->calls, number, "game", "game to %s by twenties, %s to %s: %s", standing_name(s, s->winner),
                     more, less, score);
    else
        c = call_add(j->calls, number, "game", "game to %s: %s", standing_name(s, s->winner), score);
    c->firm = firm;
    c->undecided = !firm;
}

void circles_end_round(struct judging *j, const struct points points[SIDES], const char *round_rule,
                       const char *game_rule)
{
    struct standing *s = j->now;
    char of_round[CALL_TEXT_MAX / 3], score[CALL_TEXT_MAX / 3];
    int played = s->round, began = s->starter;
    bool exact = true;
    standing_points_words(of_round, sizeof of_round, s, points);
    for (int i = 0; i < s->sides; i++) {
        struct player_side *side = &s->side[i];
        struct points more =
            brings_in_doubt(&s->format, points[i], s->sides == SIDES ? points[1 - i] : points_exactly(0));
        exact &= more.least == more.most;
        side->score += more.reads;
        side->score_doubt.less += more.reads - more.least;
        side->score_doubt.more += more.most - more.reads;
        side->last_round = points[i];
        side->played = 0;
        side->kept = side->counted = points_exactly(0);
    }
    s->own.circles.taken = 0;
    s->own.circles.proposed = j->rule->occasion == BOARD_EMPTY && !j->confirmed;
    standing_words(score, sizeof score, s);
    standing_owe_all(s, j->table, j->board, j->shot->number);
    s->round++;
    s->rounds_ended++;
    if (began >= 0)
        s->starter = s->to_shoot = standing_other(s, began);
    if (began >= 0 && s->format.players > 1) // the first shot moves on by one place around the table
        s->side[began].shots++;
    bool decided = decide(s, played), goes_on = !s->over && s->to_shoot >= 0;
    bool cleared = j->rule->occasion == BOARD_EMPTY, proposed = s->own.circles.proposed;
    struct call *c =
        call_add(j->calls, round_rule, "round", "round %d over%s%s: %s; score %s%s%s%s", played,
                 cleared ? ", as the board was cleared" : "", proposed ? " (judge decides)" : "", of_round, score,
                 goes_on ? "; " : "", goes_on ? standing_player(s, s->to_shoot) : "", goes_on ? " to shoot" : "");
    c->undecided = proposed || !exact || !(decided || s->over);
    c->firm = !c->undecided;
    if (s->over)
        say_game(j, game_rule, score, decided);
}

void circles_decide_again(struct judging *j, const char *game_rule)
{
    struct standing *s = j->now;
    char score[CALL_TEXT_MAX / 3];
    int was = s->winner;
    if (!s->over)
        return;
    bool firm = decide(s, s->round - 1);
    standing_words(score, sizeof score, s);
    if (!s->over)
        call_add(j->calls, game_rule, "game", "the game is not over: %s; %s to shoot", score,
                 standing_player(s, s->to_shoot))
            ->firm = firm;
    else if (s->winner != was)
        say_game(j, game_rule, score, firm);
}

void circles_make_void(struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
        if (o->piece.id == j->shot->shooter)
            circles_owe_off(j, o);
        else if (o->was.area != ZONE_NONE && !standing_owes(j->now, o->piece.id)) // also when it went off the board
            standing_owe(j->now, &o->piece, OWED_BACK, o->was_at, j->shot->number);
    }
}

void circles_say_again(struct judging *j)
{
    int side = judging_shooter(j);
    circles_make_void(j);
    if (side >= 0)
        j->now->to_shoot = side;
    judging_say(j, NULL, "shot-again", "the shot counts for nothing: %s shoots again", standing_player(j->now, side));
}

bool circles_set_up(const struct judging *j)
{
    int forgotten = 0;
    for (const struct outcome *o = j->shot->piece; o < j->shot->piece + j->shot->count; o++) {
        if (o->piece.id == j->shot->shooter || o->was.area != ZONE_CIRCLE)
            continue;
        if (!standing_owes(j->now, o->piece.id))
            return false;
        forgotten++;
    }
    return forgotten <= 1;
}

void circles_begin(struct standing *s, const struct standing *before)
{
    bool played = false;
    for (int i = 0; i < before->sides; i++)
        played |= before->side[i].shots > 0;
    s->first = before->first < 0 || !played ? before->first : standing_other(before, before->first);
    s->starter = s->to_shoot = s->first;
    s->owed = before->owed;
    memcpy(s->owe, before->owe, sizeof s->owe);
}
