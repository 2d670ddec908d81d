// SPDX-License-Identifier: MIT
#include "referee/rules/match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/text.h"
#include "referee/rules/input.h"

static bool makes_calls(const struct rule *r)
{
    return r->then && r->occasion != WORD_SAID;
}

bool match_can_overrule(const struct game *game, const char *text)
{
    bool makes = false;
    for (int i = 0; i < game->rule_count; i++)
        makes |= makes_calls(&game->rules[i]) && rule_is_meant(&game->rules[i], text);
    return makes;
}

// "N20, N21, N27": each once, of rules whose calls can be taken back.
static void numbers_of_rules(char *out, size_t size, const struct game *game)
{
    out[0] = '\0';
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *r = &game->rules[i];
        bool again = !makes_calls(r);
        for (int k = 0; k < i && !again; k++)
            again = makes_calls(&game->rules[k]) && strcmp(game->rules[k].number, r->number) == 0;
        if (!again)
            text_add(out, size, "%s%s", text_comma(out), r->number);
    }
}

bool match_is_pause(const struct match *m, int input)
{
    const struct amendment *a = amendments_find(m->amended, input);
    return a && (a->said.input.what == INPUT_PAUSE || a->said.input.what == INPUT_RESUME);
}

// "in, out"; "20, 15, 10, 5, ditch".
static void words_of_areas(char *out, size_t size, const struct board *b)
{
    snprintf(out, size, "%s", b->kind == BOARD_RING ? "in, out" : "");
    if (b->kind == BOARD_CIRCLES && b->hole_radius_in > 0)
        text_add(out, size, "%d, ", b->hole_points);
    for (int i = b->circles - 1; i >= 0 && b->kind == BOARD_CIRCLES; i--)
        text_add(out, size, "%d, ", b->zone_points[i]);
    if (b->kind == BOARD_CIRCLES)
        text_add(out, size, "ditch");
}

// The most twenties of a game that a side can have by now: each of its pieces of this round, and those of the rounds
// before, which the program need not have seen: a judge may have said which round it is.
static int most_twenties(const struct match *m, int side)
{
    const struct player_side *s = &m->now.side[side];
    const int each = m->now.format.pieces_each;
    int this_round = m->board.hole_points > 0 ? s->kept.reads / m->board.hole_points : 0;
    double known = s->twenties - this_round, unseen = (double)each * (m->now.round - 1);
    return each > 0 ? (int)fmin(fmax(known, unseen) + each, FORMAT_COUNT_MAX) : FORMAT_COUNT_MAX;
}

// The greatest number that the word may have of that side.
static int most_possible(const struct match *m, enum input_kind what, int side)
{
    const struct format *f = &m->now.format;
    if (what == INPUT_TWENTY)
        return most_twenties(m, side);
    if (what == INPUT_PLAYED && f->pieces_each > 0)
        return f->pieces_each;
    return FORMAT_COUNT_MAX; // a handicap, or a round more that breaks a tie, is in no format
}

// A number that nobody can have in this game is a slip of the finger; so is one before a word that has none.
static int check_number(const struct match *m, const struct observation *said, struct fail *why)
{
    enum input_kind what = said->input.what;
    const char *word = input_word(said);
    int side = standing_meant(&m->now, said), number = input_number(said);
    bool takes_one = what == INPUT_CORRECT || what == INPUT_PLAYED || what == INPUT_ROUND || what == INPUT_TWENTY ||
                     what == INPUT_PENALTY;
    if (said->input.has_value && !takes_one && what != INPUT_LAG)
        return rs_fail(why, RS_EINPUT, "%s: it takes no number: write no value before it", word);
    if (said->input.has_value && takes_one && said->input.value[1] != 0)
        return rs_fail(why, RS_EINPUT, "%s: it takes one number: write value=N before it", word);
    if (what == INPUT_TWENTY && number < 0)
        number = m->now.side[side].twenties + 1;
    if (takes_one && number > most_possible(m, what, side))
        return rs_fail(why, RS_EINPUT, "%s: %d is not possible, %d is the most that a %s", word, number,
                       most_possible(m, what, side),
                       what == INPUT_ROUND    ? "game can have"
                       : what == INPUT_TWENTY ? "side can have by now"
                                              : "side can have");
    return 0;
}

// What may stand behind a word. Of most nothing: what does would be lost.
enum text_is { NO_TEXT, A_SIDE, ITS_OWN };

static enum text_is text_of(enum input_kind what)
{
    static const enum text_is is[INPUT_KINDS] = {
        [INPUT_FOUL] = ITS_OWN,  [INPUT_WARN] = ITS_OWN,   [INPUT_DISQUALIFY] = ITS_OWN, [INPUT_ZONE] = ITS_OWN,
        [INPUT_SIDE] = ITS_OWN,  [INPUT_NAME] = ITS_OWN,   [INPUT_OVERRULE] = ITS_OWN,   [INPUT_PUT_ON] = ITS_OWN,
        [INPUT_OTHER] = ITS_OWN, [INPUT_TURN] = A_SIDE,    [INPUT_TWENTY] = A_SIDE,      [INPUT_CORRECT] = A_SIDE,
        [INPUT_PLAYED] = A_SIDE, [INPUT_LAG] = A_SIDE,     [INPUT_TAW] = A_SIDE,         [INPUT_COACH] = A_SIDE,
        [INPUT_FORCE] = A_SIDE,  [INPUT_FORFEIT] = A_SIDE, [INPUT_POINT] = A_SIDE,       [INPUT_WRONG_TAW] = A_SIDE,
        [INPUT_ROUND] = A_SIDE,  [INPUT_PENALTY] = A_SIDE,
    };
    return is[what];
}

// The number behind a side's colour, which logs that were written before inputs had a value have: "red 95".
static bool is_colour_and_number(const struct match *m, const struct observation *said)
{
    const enum input_kind what = said->input.what;
    const char *number = strrchr(said->input.text, ' ');
    char side[OBS_TEXT_MAX];
    if (!number || (what != INPUT_CORRECT && what != INPUT_TWENTY && what != INPUT_PLAYED && what != INPUT_ROUND))
        return false;
    snprintf(side, sizeof side, "%.*s", (int)(number - said->input.text), said->input.text);
    size_t digits = strspn(++number, "0123456789");
    return digits > 0 && number[digits] == '\0' && standing_named(&m->now, side) >= 0;
}

int match_check_stands_alone(const struct observation *said, struct fail *why)
{
    const char *word = input_word(said), *text = said->input.text;
    if (text[0] == '\0' || text_of(said->input.what) != NO_TEXT)
        return 0;
    return rs_fail(why, RS_EINPUT, "%s %.40s: nothing is said behind %s", word, text, word);
}

static int check_text(const struct match *m, const struct observation *said, struct fail *why)
{
    const char *word = input_word(said), *text = said->input.text;
    enum text_is is = text_of(said->input.what);
    if (text[0] == '\0' || is == ITS_OWN)
        return 0;
    if (is == NO_TEXT)
        return match_check_stands_alone(said, why);
    if (m->now.sides == 0)
        return rs_fail(why, RS_EINPUT, "%s %.40s: %s", word, text, standing_no_sides(m->shot.number));
    if (standing_named(&m->now, text) >= 0 || is_colour_and_number(m, said))
        return 0;
    bool both = m->now.sides == SIDES;
    return rs_fail(why, RS_EINPUT, "%s %.40s: behind %s stands nothing, or a side: %s%s%s", word, text, word,
                   standing_name(&m->now, 0), both ? " or " : "", both ? standing_name(&m->now, 1) : "");
}

static int check_overrule(const struct match *m, const char *text, struct fail *why)
{
    char rules[320];
    if (text[0] == '\0')
        return rs_fail(why, RS_EINPUT, "overrule: which call? write its rule's number or word behind it");
    if (match_can_overrule(m->game, text))
        return 0;
    numbers_of_rules(rules, sizeof rules, m->game);
    return rs_fail(why, RS_EINPUT,
                   "overrule %.40s: no call is made by a rule of that number or word, but by %s; where a piece lies is "
                   "corrected with: piece=N zone AREA",
                   text, rules);
}

// What changes nothing where there is nothing that it could be about.
static int check_there_is_one(const struct match *m, const struct observation *said, struct fail *why)
{
    enum input_kind what = said->input.what;
    bool permits = what == INPUT_PERMIT || what == INPUT_PERMIT_NEEDED || what == INPUT_PERMITTED;
    bool undoes = what == INPUT_REDO || (what == INPUT_RETRACT && said->input.input == 0);
    if (permits && m->board.kind != BOARD_RING)
        return rs_fail(why, RS_EINPUT, "%s: no judge gives permission for shots in %s", input_word(said),
                       m->game->name);
    if (what == INPUT_TWENTY && m->board.kind == BOARD_RING)
        return rs_fail(why, RS_EINPUT, "twenty: there are none in %s", m->game->name);
    if (undoes && amendments_last_undone(m->amended) == 0)
        return rs_fail(why, RS_EINPUT, "%s: nothing was taken back", input_word(said));
    if (input_about_shot(what) && match_shot_meant(m, said) == 0)
        return rs_fail(why, RS_EINPUT, "%s: there is no shot that this could be about", input_word(said));
    return 0;
}

int match_check_word(const struct match *m, const struct observation *said, struct fail *why)
{
    enum input_kind what = said->input.what;
    const char *word = input_word(said), *text = said->input.text, *side = said->input.side;
    struct zone zone;
    char areas[(BOARD_MAX_CIRCLES + 2) * ZONE_WORD_MAX];
    struct standing renamed = m->now;
    bool needs_side = what == INPUT_TURN || what == INPUT_TWENTY || what == INPUT_CORRECT || what == INPUT_PLAYED ||
                      what == INPUT_SIDE || what == INPUT_NAME;
    bool needs_number = what == INPUT_CORRECT || what == INPUT_PLAYED || what == INPUT_ROUND,
         may_have_number = what == INPUT_TWENTY || what == INPUT_PENALTY;
    int least = what == INPUT_ROUND || what == INPUT_PENALTY;
    if (said->input.shot < 0 || said->input.shot > m->shot.number)
        return rs_fail(why, RS_EINPUT, "shot=%d: there %s %d shot%s", said->input.shot,
                       m->shot.number == 1 ? "is" : "are", m->shot.number, m->shot.number == 1 ? "" : "s");
    if (input_places(what))
        return match_check_place(m, said, why);
    if (side[0] && m->now.sides == 0)
        return rs_fail(why, RS_EINPUT, "side=%s: %s", side, standing_no_sides(m->shot.number));
    if (side[0] && standing_named(&m->now, side) < 0)
        return rs_fail(why, RS_EINPUT, "side=%s: the sides are %s and %s", side, standing_name(&m->now, 0),
                       standing_name(&m->now, m->now.sides - 1));
    bool unsaid = (what == INPUT_SIDE || what == INPUT_NAME) && side[0] == '\0'; // their text is no side
    if (needs_side && (unsaid || standing_meant(&m->now, said) < 0))
        return rs_fail(why, RS_EINPUT, "%s: of which side? write side=NAME before it", word);
    if (what == INPUT_SIDE && strlen(text) >= OBS_WORD_MAX)
        return rs_fail(why, RS_EINPUT, "side %s: a colour has at most %d bytes", text, OBS_WORD_MAX - 1);
    if (what == INPUT_NAME && !standing_rename(&renamed, standing_meant(&renamed, said), text))
        return rs_fail(why, RS_EINPUT, "name %s: write at most %d bytes, and not the other side's name", text,
                       OBS_WORD_MAX - 1);
    if ((needs_number || (may_have_number && said->input.has_value)) && input_number(said) < least)
        return rs_fail(why, RS_EINPUT, "%s: how many? write value=N before it, a whole number from %d", word, least);
    if ((what == INPUT_PAUSE || what == INPUT_RESUME) && said->input.has_value)
        return rs_fail(why, RS_EINPUT, "%s: it holds from now on: write no value before it", word);
    int rc = check_text(m, said, why);
    if (rc == 0)
        rc = check_number(m, said, why);
    if (rc < 0)
        return rc;
    if (what == INPUT_ZONE && said->input.piece == 0)
        return rs_fail(why, RS_EINPUT, "zone: of which piece? write piece=N before it; record show has the numbers");
    words_of_areas(areas, sizeof areas, &m->board);
    if (what == INPUT_ZONE && !zone_named(&zone, &m->board, text))
        return rs_fail(why, RS_EINPUT, "zone %s: this board has no such area, but %s", text, areas);
    if (what == INPUT_OVERRULE && (rc = check_overrule(m, text, why)) < 0)
        return rc;
    if (what == INPUT_RETRACT && (said->input.input < 0 || said->input.input > m->inputs))
        return rs_fail(why, RS_EINPUT, "input=%d: %d thing%s said", said->input.input, m->inputs,
                       m->inputs == 1 ? " was" : "s were");
    if (what == INPUT_RETRACT && match_is_pause(m, said->input.input))
        return rs_fail(
            why, RS_EINPUT,
            "input=%d: a pause is not taken back, for what was done in it would be shots: say what it came to",
            said->input.input);
    if (what == INPUT_RETRACT && amendments_retracted_by(m->amended, said->input.input))
        return rs_fail(why, RS_EINPUT, "input=%d: that is taken back already, by input %d", said->input.input,
                       amendments_retracted_by(m->amended, said->input.input));
    return check_there_is_one(m, said, why);
}
