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

// The judge took back what this rule says of the shot, or of what a hand did behind it.
static bool is_overruled(const struct judging *j)
{
    for (int i = 0; i < j->amended->count; i++) {
        const struct amendment *a = &j->amended->item[i];
        if (a->in_force && a->shot == j->shot->number && a->said.input.what == INPUT_OVERRULE &&
            rule_is_meant(j->rule, a->said.input.text))
            return true;
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
        if (occasion != WORD_SAID && is_overruled(j))
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
