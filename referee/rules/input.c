// SPDX-License-Identifier: MIT
#include "referee/rules/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/text.h"
#include "calibration/units.h"
#include "referee/rules/format.h"

static const char *const words[INPUT_KINDS] = {
    [INPUT_NEW_GAME] = "new-game",
    [INPUT_ROUND_OVER] = "round-over",
    [INPUT_PERMIT] = "permit",
    [INPUT_PERMIT_NEEDED] = "permit-needed",
    [INPUT_UNDO] = "undo",
    [INPUT_SHOT_AGAIN] = "shot-again",
    [INPUT_FOUL] = "foul",
    [INPUT_SLIPS] = "slips",
    [INPUT_NO_PLAY] = "noplay",
    [INPUT_OWN_TAW] = "own-taw",
    [INPUT_PICKED_UP] = "picked-up",
    [INPUT_PERMITTED] = "permitted",
    [INPUT_HIT] = "hit",
    [INPUT_MISSED] = "missed",
    [INPUT_ZONE] = "zone",
    [INPUT_CONFIRM] = "confirm",
    [INPUT_OVERRULE] = "overrule",
    [INPUT_PUT_ON] = "put-on",
    [INPUT_TAKE_OFF] = "take-off",
    [INPUT_RETRACT] = "retract",
    [INPUT_REDO] = "redo",
    [INPUT_TURN] = "turn",
    [INPUT_CORRECT] = "correct",
    [INPUT_TWENTY] = "twenty",
    [INPUT_ROUND] = "round",
    [INPUT_PLAYED] = "played",
    [INPUT_SIDE] = "side",
    [INPUT_NAME] = "name",
    [INPUT_PAUSE] = "pause",
    [INPUT_RESUME] = "resume",
    [INPUT_LAG] = "lag",
    [INPUT_TAW] = "taw",
    [INPUT_COACH] = "coach",
    [INPUT_DEAD] = "dead",
    [INPUT_FORCE] = "force",
    [INPUT_FORFEIT] = "forfeit",
    [INPUT_POINT] = "point",
    [INPUT_WRONG_TAW] = "wrong-taw",
    [INPUT_WARN] = "warn",
    [INPUT_PENALTY] = "penalty",
    [INPUT_DISQUALIFY] = "disqualify",
};

const char *input_kind_word(enum input_kind what)
{
    return words[what];
}

const char *input_word(const struct observation *o)
{
    const char *word = words[o->input.what];
    return word ? word : o->input.other;
}

void input_set(struct observation *o, const char *word)
{
    o->input.what = INPUT_OTHER;
    snprintf(o->input.other, sizeof o->input.other, "%s", word);
    for (int i = 0; i < INPUT_KINDS; i++)
        if (words[i] && strcmp(word, words[i]) == 0) {
            o->input.what = (enum input_kind)i;
            o->input.other[0] = '\0';
        }
}

int input_number(const struct observation *o)
{
    const char *last = strrchr(o->input.text, ' ');
    char *end = NULL;
    double value = o->input.has_value ? o->input.value[0] : last ? strtod(last, &end) : -1;
    bool is_one =
        value >= 0 && value <= FORMAT_COUNT_MAX && value == floor(value) && (o->input.has_value || end > last + 1);
    return is_one ? (int)value : -1;
}

void input_words(char out[INPUT_WORDS_MAX], const struct observation *o)
{
    const struct {
        const char *name;
        int number;
    } about[] = { { "shot", o->input.shot }, { "piece", o->input.piece }, { "input", o->input.input } };
    const double *value = o->input.value;
    bool timed = o->input.what == INPUT_PAUSE || o->input.what == INPUT_RESUME;
    snprintf(out, INPUT_WORDS_MAX, "%s%s%s%s%s", input_word(o), o->input.text[0] ? " " : "", o->input.text,
             o->input.side[0] ? ", " : "", o->input.side);
    if (o->input.has_value && !timed)
        text_add(out, INPUT_WORDS_MAX, " %g", value[0]);
    if (o->input.has_value && !timed && (o->input.what == INPUT_PUT_ON || value[1] != 0)) // a place, or the lag's line
        text_add(out, INPUT_WORDS_MAX, ",%g", value[1]);
    for (size_t i = 0; i < countof(about); i++)
        if (about[i].number > 0)
            text_add(out, INPUT_WORDS_MAX, ", %s %d", about[i].name, about[i].number);
}
