// SPDX-License-Identifier: MIT
#include "referee/commands/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/commands/options.h"
#include "referee/log.h"
#include "referee/rules/input.h"

// "shot=3": true when the word is one of these, with its value.
static bool named(const char **value, const char *text, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != '=')
        return false;
    *value = text + length + 1;
    return true;
}

static int count_of(int *out, const char *text, struct fail *why)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > LOG_NUMBER_MAX)
        return rs_fail(why, RS_EINPUT, "%.80s: a number from 1 on is needed there", text);
    *out = (int)n;
    return 0;
}

// "4" or "4,2".
static bool values_of(double out[2], const char *text)
{
    int first = 0, both = 0;
    int found = sscanf(text, "%lf%n,%lf%n", &out[0], &first, &out[1], &both);
    return found > 0 && text[found == 2 ? both : first] == '\0';
}

int said_read(struct observation *out, int words, char **word, struct fail *why)
{
    struct observation o = { .kind = OBS_INPUT, .input.by = "judge" };
    const char *known[INPUT_KINDS + 1] = { NULL }, *value;
    char help[600];
    size_t used = 0;
    int rc = 0, i = 0;
    for (; i < words && rc == 0; i++) {
        if (named(&value, word[i], "shot"))
            rc = count_of(&o.input.shot, value, why);
        else if (named(&value, word[i], "piece"))
            rc = count_of(&o.input.piece, value, why);
        else if (named(&value, word[i], "input"))
            rc = count_of(&o.input.input, value, why);
        else if (named(&value, word[i], "side") && strlen(value) >= sizeof o.input.side)
            rc = rs_fail(why, RS_EINPUT, "%.80s: a side has less than %d bytes", word[i], OBS_WORD_MAX);
        else if (named(&value, word[i], "side"))
            snprintf(o.input.side, sizeof o.input.side, "%s", value);
        else if (named(&value, word[i], "value")) {
            o.input.has_value = true;
            if (!values_of(o.input.value, value))
                rc = rs_fail(why, RS_EINPUT, "%.80s: write it as value=4 or value=4,2", word[i]);
        } else if (o.input.what == INPUT_NONE)
            input_set(&o, word[i]);
        else if (used < sizeof o.input.text)
            used += (size_t)snprintf(o.input.text + used, sizeof o.input.text - used, "%s%s", used ? " " : "", word[i]);
    }
    if (rc == 0 && used >= sizeof o.input.text)
        rc = rs_fail(why, RS_EINPUT, "what was said is longer than %d bytes", OBS_TEXT_MAX - 1);
    for (int k = 0, n = 0; k < INPUT_KINDS; k++)
        if (input_kind_word((enum input_kind)k))
            known[n++] = input_kind_word((enum input_kind)k);
    suggest(help, sizeof help, o.input.other, known);
    if (rc == 0 && o.input.what == INPUT_NONE)
        rc = rs_fail(why, RS_EINPUT, "what is to be corrected? ringside help record correct says how");
    if (rc == 0 && o.input.what == INPUT_OTHER)
        rc = rs_fail(why, RS_EINPUT, "unknown word %.32s%.440s", o.input.other, help);
    *out = o;
    return rc;
}
