// SPDX-License-Identifier: MIT
// Tournament Crokinole on discs, 20/15/10/5. The numbers N1.. are ours, in the order of the rules as the National
// Crokinole Association and the World Championship publish them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/text.h"
#include "calibration/units.h"
#include "referee/games/circles.h"
#include "referee/games/games.h"

enum { VALID, HIT, TWENTIES };

static const struct shot_fact facts[] = {
    [VALID] = { "valid", true }, // as it is called
    [HIT] = { "hit", true },     // a disc of the opponent, as far as was seen or said
    [TWENTIES] = { "twenties", false },
};

static bool theirs(const struct judging *j, const struct outcome *o)
{
    return strcmp(o->piece.colour, j->shot->by) != 0;
}

// A disc that must be hit: the opponent's, in play, not in the hole, and none that has to come off.
static bool target(const struct judging *j, const struct outcome *o)
{
    const struct owed *owed = standing_owes(j->now, o->piece.id);
    return o->was.points > 0 && theirs(j, o) && !circles_was_in_hole(o) &&
           !(owed && owed->what == OWED_OFF && owed->shot < j->shot->number);
}

static bool open_board(const struct judging *j)
{
    for (int i = 0; i < j->shot->count; i++)
        if (target(j, &j->shot->piece[i]))
            return false;
    return true;
}

static void measure(struct judging *j)
{
    j->fact[VALID] = true;
    j->fact[HIT] = j->shot->said[INPUT_HIT];
    for (int i = 0; i < j->shot->count && !j->shot->said[INPUT_MISSED]; i++)
        j->fact[HIT] |= target(j, &j->shot->piece[i]) && j->shot->piece[i].reached;
}

// A contact was not seen; or two discs lie in touch, and nobody can see whether the one touched the other.
static bool perhaps_hit(const struct judging *j)
{
    const struct outcome *end = j->shot->piece + j->shot->count;
    bool perhaps = j->shot->unseen_contact;
    for (const struct outcome *t = j->shot->piece; t < end; t++) {
        const struct resting_piece *p = &t->piece.lying;
        if (!target(j, t) || t->left || p->plane != ON_SURFACE)
            continue;
        for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
            const struct resting_piece *q = &o->piece.lying;
            double sigma_in = sqrt(p->cov.xx + p->cov.yy + q->cov.xx + q->cov.yy);
            double apart_in = distance_in(p->at, q->at) - 2 * j->board->piece_radius_in;
            perhaps |= !theirs(j, o) && !o->left && q->plane == ON_SURFACE && apart_in < FIRM_SIGMAS * sigma_in;
        }
    }
    return perhaps;
}

// N19: by an invalid shot the shot disc comes off, and unless it is alone every own disc that it reached.
static bool comes_off(const struct judging *j, const struct outcome *o, bool alone)
{
    return o->piece.id == j->shot->shooter || (!alone && !theirs(j, o) && o->reached);
}

// The shot stands, but was perhaps invalid: what then comes off counts, or does not.
static void may_come_off(struct judging *j)
{
    if (j->shot->said[INPUT_CONFIRM] || j->shot->said[INPUT_FOUL])
        return;
    for (const struct outcome *o = j->shot->piece; o < j->shot->piece + j->shot->count; o++)
        if (comes_off(j, o, false))
            standing_doubt(j->now, o->piece.id);
}

// What the shot is said to have come off may stay, and count, until the judge has decided.
static void may_stay(struct judging *j)
{
    if (j->shot->said[INPUT_CONFIRM] || j->shot->said[INPUT_FOUL])
        return;
    for (int i = 0; i < j->now->owed; i++)
        j->now->owe[i].doubtful |= j->now->owe[i].shot == j->shot->number;
}

// Has them come off, and writes "Home's shot disc and its disc in the 15 come off".
static void come_off(char *out, size_t size, struct judging *j, bool alone)
{
    int more = 0;
    snprintf(out, size, "%s's shot disc", standing_owner(j->now, j->shot->by));
    j->fact[VALID] = false;
    for (const struct outcome *o = j->shot->piece; o < j->shot->piece + j->shot->count; o++) {
        char zone[ZONE_WORD_MAX];
        bool shot = o->piece.id == j->shot->shooter;
        if (!comes_off(j, o, alone))
            continue;
        circles_owe_off(j, o);
        if (shot || o->left)
            continue;
        zone_word(zone, &o->zone);
        text_add(out, size, " and its disc in the %s", zone);
        more++;
    }
    text_add(out, size, " %s",
             more                                      ? "come off"
             : standing_owes(j->now, j->shot->shooter) ? "comes off"
                                                       : "is off already");
}

static void say_out_of_turn(struct judging *j)
{
    if (j->now->to_shoot < 0) {
        circles_say_shot_again(j);
        return;
    }
    judging_say(j, NULL, "not-your-turn", "%s shot, but it was %s's turn: judge", standing_owner(j->now, j->shot->by),
                standing_name(j->now, j->now->to_shoot))
        ->firm = false;
}

static void say_foul(struct judging *j)
{
    char off[CALL_TEXT_MAX / 2];
    come_off(off, sizeof off, j, true);
    bool named = strcmp(j->shot->foul, "foul") != 0;
    judging_say(j, NULL, "foul", "foul by %s%s%s; %s", circles_player(j), named ? ": " : "", named ? j->shot->foul : "",
                off);
}

static void say_zones(struct judging *j)
{
    for (const struct outcome *o = NULL; (o = circles_next(j, o));) {
        circles_say(j, o, o->zone.points == 0 ? "N8" : circles_in_hole(o) ? "N3" : "N1");
        if (o->zone.area != ZONE_DITCH)
            continue;
        int owed = j->now->owed;
        circles_owe_off(j, o);
        if (j->now->owed > owed)
            j->now->owe[owed].doubtful = !o->zone.verdict.clear;
    }
}

// A touch that moved nothing cannot be seen, so that none happened is firm only when the judge says so.
static void say_missed(struct judging *j)
{
    const struct outcome *t = j->shot->piece, *end = t + j->shot->count;
    while (t < end && !target(j, t))
        t++;
    bool sure = j->shot->said[INPUT_MISSED];
    char off[CALL_TEXT_MAX / 2];
    if (j->fact[HIT] || t == end)
        return;
    const char *other = standing_owner(j->now, t->piece.colour);
    if (!sure && perhaps_hit(j)) {
        judging_say(j, NULL, "ask-hit", "it could not be seen whether a disc of %s was hit: judge, hit or missed?",
                    other)
            ->firm = false;
        may_come_off(j);
        return;
    }
    come_off(off, sizeof off, j, false);
    if (!sure)
        may_stay(j);
    judging_say(j, NULL, "no-hit", "no disc of %s was %shit: %s", other, sure ? "" : "seen to be ", off)->firm = sure;
}

// While nobody but one colour shoots, a disc of that colour may be the other side's: two that are too alike are taken
// for one.
static bool perhaps_closed(const struct judging *j)
{
    const struct standing *s = j->now;
    bool perhaps = false;
    for (const struct outcome *o = j->shot->piece; o < j->shot->piece + j->shot->count; o++)
        perhaps |= o->was.points > 0 && !circles_was_in_hole(o) && !standing_owes(s, o->piece.id);
    return perhaps && s->to_shoot < 0 && s->sides == 1;
}

// The verdict of the disc that reaches farthest in, of those that may do it.
static void say_short(struct judging *j)
{
    struct verdict best = { .margin_in = -INFINITY };
    char off[CALL_TEXT_MAX / 2], margin[80];
    bool sure = !j->shot->unseen_contact && !perhaps_closed(j);
    if (!open_board(j))
        return;
    for (const struct outcome *o = j->shot->piece; o < j->shot->piece + j->shot->count; o++) {
        if (!o->reached || theirs(j, o))
            continue;
        if (circles_in_hole(o))
            return;
        struct verdict v = line_touch(j->board, j->board->circles - 1, &o->piece.lying);
        sure &= o->left ? o->zone.verdict.firm : o->piece.lying.certainty >= SURE_CERTAINTY;
        bool lies = o->piece.lying.plane == ON_SURFACE || o->piece.lying.ruled;
        if (!o->left && lies && v.margin_in > best.margin_in)
            best = v;
    }
    call_margin_words(margin, sizeof margin, &best, "on the 15 line", "short of it");
    if (best.side == LINE_IN && best.margin_in > -INFINITY) {
        if (!best.clear) {
            judging_say(j, NULL, "reaches-15", "open board: the 15 line is reached  (%s)", margin)->firm = false;
            may_come_off(j);
        }
        return;
    }
    bool firm = sure && (best.clear || !isfinite(best.margin_in));
    come_off(off, sizeof off, j, false);
    if (!firm)
        may_stay(j);
    judging_say(j, NULL, "open-board", "open board and no disc in or on the 15 line%s%s%s: %s",
                isfinite(best.margin_in) ? "  (" : "", isfinite(best.margin_in) ? margin : "",
                isfinite(best.margin_in) ? ")" : "", off)
        ->firm = firm;
}

// N4, N10: once for each that this shot brought into the hole; it is lifted afterwards, and counts whatever happens to
// it until then.
static void count_twenties(struct judging *j)
{
    for (const struct outcome *o = NULL; (o = judging_next(j, o));) {
        const struct owed *owed = standing_owes(j->now, o->piece.id);
        bool came_off = !theirs(j, o) && o->left && !j->fact[VALID]; // out of sight in the hole
        bool is_off = came_off || owed, perhaps_not = owed && owed->doubtful && owed->shot == j->shot->number;
        if (!circles_in_hole(o) || circles_was_in_hole(o) || (is_off && !perhaps_not))
            continue;
        int side = standing_side(j->now, o->piece.colour), twenty = j->board->hole_points;
        if (side < 0)
            continue;
        struct player_side *s = &j->now->side[side];
        if (is_off) {
            s->twenties_doubt.more++;
            points_add(&s->kept, (struct points){ .most = twenty });
            continue;
        }
        bool sure = o->zone.verdict.firm || j->shot->said[INPUT_CONFIRM];
        bool doubtful = !sure || standing_doubts(j->now, o->piece.id);
        s->twenties++;
        s->twenties_doubt.less += doubtful;
        points_add(&s->kept, points_perhaps(twenty, doubtful));
        j->fact[TWENTIES]++;
        circles_owe_off(j, o);
    }
}

static void set_twenties(struct judging *j)
{
    int side = standing_meant(j->now, j->input);
    if (side < 0)
        return;
    struct player_side *s = &j->now->side[side];
    const struct observation *o = j->input;
    int more = o->input.has_value ? (int)fmin(fmax(o->input.value[0], 0), 1000) - s->twenties : 1;
    s->twenties += more;
    points_add(&s->kept, points_exactly(more * j->board->hole_points));
    if (o->input.has_value) {
        s->twenties_doubt = (struct doubt){ 0, 0 };
        s->kept = points_exactly((int)fmax(0, s->kept.reads));
    }
    char of_game[POINTS_WORDS_MAX], of_round[POINTS_WORDS_MAX];
    points_words(of_game, standing_twenties(s));
    points_words(of_round, s->kept);
    call_add(j->calls, j->rule->number, "twenty", "%s keeps %s from the hole in this game; %s of this round",
             standing_name(j->now, side), of_game, of_round);
}

static bool taken_as_it_must(const struct judging *j)
{
    const struct owed *owed = standing_owes(j->now, j->piece->id);
    return j->taken && circles_round_runs(j) && owed && owed->what == OWED_OFF;
}

static void note_off(struct judging *j)
{
    bool twenty = j->piece->lying.plane == IN_HOLE;
    struct call *c =
        call_add(j->calls, j->rule->number, twenty ? "lifted" : "off", "%s's %s",
                 standing_owner(j->now, j->piece->colour), twenty ? "disc is lifted from the hole" : "disc is off");
    snprintf(c->side, sizeof c->side, "%s", j->piece->colour);
    c->piece = j->piece->id;
}

static void say_total(struct judging *j)
{
    circles_pass_on(j, "on the board ", standing_round_words);
}

static void end_round(struct judging *j)
{
    struct points points[SIDES];
    for (int i = 0; i < SIDES; i++)
        points[i] = standing_round_points(&j->now->side[i]);
    circles_end_round(j, points, "N13", "N14");
}

static void corrected(struct judging *j)
{
    circles_decide_again(j, "N14");
}

static const char depot[] = "NCA rules as crokinoledepot.com prints them", wcc[] = "worldcrokinole.com, the game",
                  blog[] = "crokinole101blog, NCA rules explained, 2025",
                  changes[] = "NCA, changes of 2011 (World Crokinole League)",
                  spirit[] = "no rule of the NCA: the judge's word (ruling A9)";

static const struct rule rules[] = {
    // in the order in which a judge speaks
    { "N20", "must come off",
      "What must come off is waited for: it counts for nothing, and a shot before that is told.", .source = blog,
      .by = BY_CAMERA, .flips = "it was gone before the shot", .shown = "T40 T41 T42 T08 T58",
      .then = circles_say_still_on },
    { "N21", "taken", "A disc that lay in play and was taken off by hand is put before the judge at the next shot.",
      .source = spirit, .by = BY_PROPOSAL, .flips = "a hand that only cleared the board after a round",
      .shown = "T44 T45", .then = circles_say_taken },
    { "N27", "shot again", "A shot that the judge has made again counts for nothing; the same side shoots.",
      .source = spirit, .by = BY_JUDGE, .shown = "T54", .said = INPUT_SHOT_AGAIN, .then = circles_say_again,
      .ends = true },
    { "N11", "not your turn",
      "The sides alternate, one disc a turn; a shot out of turn is put before the judge, and once in a game a side's "
      "second shot before any other has shot.",
      .source = blog, .by = BY_BOOKS, .flips = "\"turn\": it was that side's turn", .shown = "T22 T23 T87 T88 T89",
      .when = circles_out_of_turn, .then = say_out_of_turn },
    { "N12", "too many", "Who shot all discs of a round and shoots another is put before the judge.", .source = depot,
      .by = BY_BOOKS, .flips = "\"played\": the number of discs that the side has played", .shown = "T86",
      .when = circles_shot_too_many, .then = circles_say_too_many },
    { "N7", "foul",
      "A foul that the judge names (more than hand and arm on the table, not one cheek on the chair, chair or board "
      "moved, a disc put down out of turn) makes the shot invalid: the shot disc comes off.",
      .source = wcc, .by = BY_JUDGE, .shown = "T20 T21", .said = INPUT_FOUL, .then = say_foul },
    { "N17", "start", "A disc is shot from between the lines of the player's own quarter; it may touch them.",
      .source = wcc, .by = BY_PROPOSAL, .flips = "the player's seat: it is learnt from two earlier shots",
      .shown = "T34 T35 T36", .then = circles_say_wrong_quarter },
    { "N18", "start", "A disc is shot from the outer line, which it touches; not from behind it, nor from within.",
      .source = changes, .by = BY_PROPOSAL, .flips = "where it lay when the finger left it", .shown = "T31 T32 T33 T37",
      .then = circles_say_wrong_line },
    { "N22", "at rest", "Nothing is called, and nobody shoots, before all is at rest: a spinning disc moves.",
      .source = changes, .by = BY_CAMERA, .shown = "T30" },
    { "N1", "zone", "A disc counts 15 inside the pegs' circle, 10 in the next area, 5 in the outer one.",
      .source = depot, .by = BY_CAMERA, .shown = "T01 T02", .then = say_zones },
    { "N2", "line touch", "A disc that touches any part of a line counts the lower of the two areas.", .source = depot,
      .by = BY_CAMERA, .shown = "T03 T04" },
    { "N3", "20", "A disc wholly in the centre hole, lying flat, counts 20; one that leans on its edge counts 15.",
      .source = blog, .by = BY_CAMERA, .flips = "whether it lies flat", .shown = "T05 T06" },
    { "N8", "ditched", "A disc at rest that touches the outer line goes to the ditch at once, whoever's it is.",
      .source = wcc, .by = BY_CAMERA, .shown = "T07 T08" },
    { "N9", "ditched",
      "A disc that left the playing surface stays in the ditch; what one that came back disturbed is put back.",
      .source = wcc, .by = BY_CAMERA, .flips = "a jump off and back that nobody saw", .shown = "T09 T10" },
    { "N5", "no hit",
      "With a disc of the opponent in play the shot must hit one, itself or through an own disc that it drives; "
      "otherwise it is invalid. What could not be seen is asked.",
      .source = depot, .by = BY_CAMERA, .flips = "a touch too light to move anything: \"hit\", or \"missed\"",
      .shown = "T11 T12 T13 T14 T15 T16 T17 T18 T19", .then = say_missed },
    { "N6", "open board",
      "With none in play the shot disc or an own one it struck must end in or touching the 15 line; 20 counts as in. "
      "Otherwise the shot is invalid.",
      .source = depot, .by = BY_CAMERA, .shown = "T01 T24 T25 T26 T27 T28 T29 T90 T91", .then = say_short },
    { "N19", "come off", "After an invalid shot the shot disc comes off, and every own disc that it reached.",
      .source = "crokinole_rulebook.md of rulespal, rule 6 (ruling A3)", .by = BY_CAMERA, .flips = "as N5 and N6",
      .shown = "T12 T13 T26 T39" },
    { "N4", "20 kept",
      "A 20 counts when the shot ends, and is lifted and kept until the round ends; by an invalid shot "
      "it does not count.",
      .source = blog, .by = BY_CAMERA, .flips = "whether the shot was valid", .shown = "T05 T38 T39 T40 T41",
      .then = count_twenties },
    { "N10", "20 for the owner", "A disc knocked into the hole counts 20 for its owner, whoever shot.",
      .source = "crokinole_rulebook.md of rulespal, scoring 2", .by = BY_CAMERA, .shown = "T43" },
    { "N12", "total",
      "The points on the board and from the hole are said after every shot; singles shoot 8 or 12 discs a round, "
      "doubles 6 a player.",
      .source = depot, .by = BY_BOOKS, .shown = "T46 T59 T60", .then = say_total },
    { "N13", "round over", "The higher total of a round gets 2 points, a tie 1 each; the board is cleared.",
      .source = blog, .by = BY_BOOKS, .flips = "the number of discs that each side has played",
      .shown = "T46 T47 T48 T49", .when = circles_all_played, .then = end_round },
    { "N4", "20 kept", "Being lifted is noted, as is what else had to come off.", .source = blog, .by = BY_CAMERA,
      .shown = "T38", .occasion = HAND_IN_PLAY, .when = taken_as_it_must, .then = note_off, .ends = true },
    { "N21", "taken", "A disc that is taken off between shots is told with the next one.", .source = spirit,
      .by = BY_PROPOSAL, .shown = "T44", .occasion = HAND_IN_PLAY, .when = circles_took, .then = circles_count_taken },
    { "N26", "reset", "A disc that something but a shot moved is put back where it lay.",
      .source = "crokinole_rulebook.md of rulespal, rule 8", .by = BY_PROPOSAL, .flips = "a motion of less than 0.1 in",
      .shown = "T50 T51 T52", .occasion = HAND_IN_PLAY, .when = circles_shifted, .then = circles_say_put_back },
    { "N13", "round over",
      "A board cleared by hand after both have shot ends a shorter round: close, until the judge confirms the shot "
      "before it.",
      .source = spirit, .by = BY_PROPOSAL, .shown = "T48 T48-confirmed T48-game", .occasion = BOARD_EMPTY,
      .when = circles_cleared, .then = end_round },
    { "N13", "round over", "Likewise when the judge says so.", .source = spirit, .by = BY_JUDGE, .shown = "T49",
      .occasion = WORD_SAID, .said = INPUT_ROUND_OVER, .when = circles_round_runs, .then = end_round },
    { "N14", "game", "Four rounds are a game; the higher score wins. Other formats: so many rounds, or up to a score.",
      .source = blog, .by = BY_BOOKS, .shown = "T55 T56 T57 T62 T63" },
    { "N23", "tie-break", "Where twenties decide, equal scores at the end go to the side with more of them.",
      .source = "usual at tournaments; the World Championship's own tie-break was not found (ruling A7)",
      .by = BY_BOOKS, .shown = "T61" },
    { "N24", "doubles", "Partners sit opposite each other, share colour and score, and shoot in turn around the table.",
      .source = depot, .by = BY_BOOKS, .shown = "T59" },
    { "N25", "first shot", "Who shot second begins the next round, in doubles the next around the table; so do games.",
      .source = depot, .by = BY_BOOKS, .flips = "\"turn\": another side begins", .shown = "T46 T58 T59" },
    { "N4", "20 kept", "The judge says that a side has one more 20, or how many.", .source = spirit, .by = BY_JUDGE,
      .shown = "T53", .occasion = WORD_SAID, .said = INPUT_TWENTY, .then = set_twenties },
    { "N15", "undo", "The judge's word stands: he takes the last shot back, all is as before it.", .source = spirit,
      .by = BY_JUDGE, .shown = "X01 X02 X05", .occasion = WORD_SAID, .said = INPUT_UNDO },
    { "N15", "noted", "What else the judge says is noted.", .source = spirit, .by = BY_JUDGE, .shown = "X08",
      .occasion = WORD_SAID, .said = INPUT_OTHER },
    { "N16", "new game", "A game begins when the judge says so, or when discs are played on a cleared board after one.",
      .source = "ruling A8", .by = BY_PROPOSAL, .shown = "T58 T64", .occasion = WORD_SAID, .said = INPUT_NEW_GAME },
};

static const struct ruling_taken rulings[] = {
    { "A1", "May a disc lie over the quadrant line at the start?",
      "As long as it touches its own quarter's line (World "
      "Championship).",
      "At most half of it (another rule book): say \"foul\"." },
    { "A2", "What follows from a wrong start?",
      "It is put before the judge; where he says \"foul\" the shot disc comes off.",
      "Nothing: say \"overrule\"; or the shot is made again: \"shot-again\"." },
    { "A3", "What comes off after an invalid shot?", "The shot disc and the own discs that it reached.",
      "Every disc it struck: the same here, because an invalid shot strikes none of the opponent's." },
    { "A4", "Does a touch that moves nothing count as a hit?",
      "Yes, when somebody saw it: a call that no disc was hit is "
      "never firm before the judge says \"missed\".",
      "Say \"missed\", or \"confirm\"." },
    { "A5", "An own disc that had to come off and still lies there?",
      "It counts for nothing and need not be hit; the shot "
      "stands.",
      "The judge may have the shot made again: \"shot-again\"." },
    { "A6", "A 20 that was not lifted and is knocked out of the hole?", "It stays counted, and its disc comes off.",
      "The disc lies where it was knocked to: say its \"zone\", and \"twenty\" with one less." },
    { "A7", "Equal scores at the end of a game?", "A draw; in the formats with \"-twenties\" more twenties win.",
      "Choose the format, or \"twenties_decide\" in a match file." },
    { "A8", "Who begins the next game?", "Who did not begin the last one.", "Say \"turn\" with the side." },
    { "A9", "Words of the judge that the rule books do not know?", "They stand.", "\"retract\" takes each back." },
    { "A10", "An inaccurate count of discs: when does a round end?",
      "When both sides have played all of theirs, or the "
      "board is cleared after both have shot.",
      "Say \"round-over\", or \"played\" with the number." },
    { "A11", "How long is a game up to 100 by differences, and on equal scores?",
      "Rounds are played until one side has "
      "100; equal rounds bring nothing.",
      "A number of \"rounds\" in a match file." },
};

static const struct format formats[] = {
    { .name = "nca-singles", .players = 1, .pieces_each = 8, .round_points = 2, .rounds = 4 },
    { .name = "nca-singles-12", .players = 1, .pieces_each = 12, .round_points = 2, .rounds = 4 },
    { .name = "nca-singles-twenties",
      .players = 1,
      .pieces_each = 8,
      .round_points = 2,
      .rounds = 4,
      .twenties_decide = true },
    { .name = "nca-doubles", .players = 2, .pieces_each = 12, .round_points = 2, .rounds = 4 },
    { .name = "nca-doubles-twenties",
      .players = 2,
      .pieces_each = 12,
      .round_points = 2,
      .rounds = 4,
      .twenties_decide = true },
    { .name = "difference-100", .players = 1, .pieces_each = 12, .scoring = SCORE_DIFFERENCE, .target = 100 },
    { .name = "difference-100-doubles", .players = 2, .pieces_each = 12, .scoring = SCORE_DIFFERENCE, .target = 100 },
};

const struct game crokinole_game = {
    GAME_TABLES,
    .name = "crokinole",
    .also = "crokinole-nca",
    .title = "Crokinole, tournament rules of the NCA with the changes of 2011 (discs, 20/15/10/5)",
    .board = "crokinole-nca",
    .measure = measure,
    .set_up = circles_set_up,
    .begin = circles_begin,
    .corrected = corrected,
};
