// SPDX-License-Identifier: MIT
#include "referee/rules/rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    return standing_side(j->now, j->shot->by);
}

bool judging_out_of_turn(const struct judging *j)
{
    return j->now->to_shoot >= 0 && judging_shooter(j) != j->now->to_shoot;
}

void standing_start(struct standing *s)
{
    struct standing fresh = { .sides = s->sides, .to_shoot = -1, .starter = -1, .round = 1, .winner = -1 };
    fresh.permit_needed = s->permit_needed;
    for (int i = 0; i < s->sides; i++)
        memcpy(fresh.side[i].colour, s->side[i].colour, sizeof fresh.side[i].colour);
    *s = fresh;
}

int standing_side(struct standing *s, const char *colour)
{
    for (int i = 0; i < s->sides; i++)
        if (strcmp(s->side[i].colour, colour) == 0)
            return i;
    if (s->sides == SIDES || colour[0] == '\0')
        return -1;
    snprintf(s->side[s->sides].colour, sizeof s->side[0].colour, "%s", colour);
    return s->sides++;
}

int standing_other(const struct standing *s, int side)
{
    return s->sides == SIDES ? 1 - side : side;
}

void standing_words(char *out, size_t size, const struct standing *s)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < s->sides && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s %d", i ? ", " : "", s->side[i].colour, s->side[i].score);
}
