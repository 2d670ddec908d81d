// SPDX-License-Identifier: MIT
#include "referee/rules/rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rule_is_meant(const struct rule *r, const char *text)
{
    size_t i = 0;
    for (; r->says[i] && (text[i] == r->says[i] || (text[i] == '-' && r->says[i] == ' ')); i++)
        ;
    return strcmp(text, r->number) == 0 || (text[i] == '\0' && r->says[i] == '\0');
}

// The judge took back what this rule says of the shot.
static bool is_overruled(const struct rule *r, const struct shot *shot)
{
    char text[OBS_TEXT_MAX];
    for (const char *at = shot->overruled; *at;) { // each on a line of its own
        size_t length = strcspn(at, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        if (rule_is_meant(r, text))
            return true;
        at += length + (at[length] == '\n');
    }
    return false;
}

bool rules_walk(const struct rule *rules, int count, enum occasion occasion, struct judging *j)
{
    bool applied = false;
    for (j->rule = rules; j->rule < rules + count; j->rule++) {
        const struct rule *r = j->rule;
        if (r->occasion != occasion || !r->then)
            continue;
        if (r->said != INPUT_NONE && !(j->input ? j->input->input.what == r->said : j->shot->said[r->said]))
            continue;
        if (r->when && !r->when(j))
            continue;
        if (occasion != WORD_SAID && is_overruled(r, j->shot)) // of the shot, or of what a hand did behind it
            continue;
        applied = true;
        r->then(j);
        if (r->ends)
            break;
    }
    return applied;
}

struct call *judging_say(struct judging *j, const char *number, const char *what, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct call *c = call_add_list(j->calls, number ? number : j->rule->number, what, format, args);
    va_end(args);
    snprintf(c->side, sizeof c->side, "%s", j->shot->by);
    return c;
}

const struct outcome *judging_next(const struct judging *j, const struct outcome *after)
{
    const struct outcome *end = j->shot->piece + j->shot->count;
    for (const struct outcome *o = after ? after + 1 : j->shot->piece; o < end; o++)
        if (o->moved)
            return o;
    return NULL;
}

int judging_shooter(const struct judging *j)
{
    const struct outcome *o = shot_outcome(j->shot, j->shot->shooter);
    bool target = o && o->piece.kind == PIECE_MARBLE && !o->piece.lying.taw; // its colour is nobody's
    return target ? -1 : standing_side(j->now, j->shot->by);
}

bool judging_out_of_turn(const struct judging *j)
{
    return j->now->to_shoot >= 0 && judging_shooter(j) != j->now->to_shoot;
}

int judging_named_side(const struct judging *j)
{
    const char *text = j->input->input.text;
    int side = standing_named(j->now, j->input->input.side);
    if (side < 0)
        side = standing_named(j->now, text);
    for (int i = 0; i < j->now->sides && side < 0; i++) { // logs that were written before inputs had a side
        size_t length = strlen(j->now->side[i].seat.colour);
        if (length > 0 && strncmp(text, j->now->side[i].seat.colour, length) == 0 &&
            (text[length] == '\0' || text[length] == ' '))
            side = i;
    }
    return side;
}
