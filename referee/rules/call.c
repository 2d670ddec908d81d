// SPDX-License-Identifier: MIT
#include "referee/rules/call.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Names and words are cut where there is no room for them: what is left of a letter (UTF-8) is left out.
static void leave_out_cut_letters(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        unsigned char first = (unsigned char)*at;
        int length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0, there = 1;
        while (there < length && ((unsigned char)at[there] & 0xc0) == 0x80)
            there++;
        for (int i = 0; i < length && there == length; i++)
            *to++ = at[i];
        at += there;
    }
    *to = '\0';
}

struct call *call_add_list(struct call_list *list, const char *rule, const char *what, const char *format, va_list args)
{
    struct call *c = &list->call[list->count]; // the one behind the last is for those that are lost
    if (list->count < CALLS_MAX)
        list->count++;
    else
        list->lost++;
    *c = (struct call){ .firm = true };
    snprintf(c->rule, sizeof c->rule, "%s", rule);
    snprintf(c->what, sizeof c->what, "%s", what);
    vsnprintf(c->text, sizeof c->text, format, args);
    leave_out_cut_letters(c->text);
    return c;
}

struct call *call_add(struct call_list *list, const char *rule, const char *what, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct call *c = call_add_list(list, rule, what, format, args);
    va_end(args);
    return c;
}

void call_tell_lost(struct call_list *list, const char *rule)
{
    if (list->lost == 0)
        return;
    call_add(list, rule, "calls-lost", "and %d call%s more than can be told at once: judge", list->lost,
             list->lost == 1 ? "" : "s")
        ->firm = false;
    list->count = CALLS_MAX + 1;
}

void call_measure(struct call *c, const struct outcome *o)
{
    c->piece = o->piece.id;
    c->zone = o->zone;
    c->measured = !o->left;
    c->firm = o->zone.verdict.firm;
}

bool call_says_same(const struct call *a, const struct call *b)
{
    return a->shot == b->shot && a->piece == b->piece && a->firm == b->firm && strcmp(a->what, b->what) == 0 &&
           strcmp(a->side, b->side) == 0 && strcmp(a->text, b->text) == 0;
}

bool call_same(const struct call *a, const struct call *b)
{
    return call_says_same(a, b) && strcmp(a->rule, b->rule) == 0;
}

// Two decimals, as a person measures; three where two would say nothing.
static int decimals(double in)
{
    return fabs(in) < 0.01 ? 3 : 2;
}

void call_margin_words(char *out, size_t size, const struct verdict *v, const char *inside, const char *outside)
{
    double away_in = fabs(v->margin_in);
    if (!v->clear)
        snprintf(out, size, "too close: judge decides, %.*f in %s, give or take %.*f", decimals(away_in), away_in,
                 v->margin_in > 0 ? inside : outside, decimals(v->sigma_in), v->sigma_in);
    else
        snprintf(out, size, "%.*f in %s%s%s%s", decimals(away_in), away_in, v->margin_in > 0 ? inside : outside,
                 v->firm ? "" : "; ", v->firm || !v->doubt ? "" : v->doubt, v->firm ? "" : " judge");
}

void call_time_words(char *out, size_t size, double t_s)
{
    long tenths = lround(fmin(fmax(t_s, 0), 359999.0) * 10);
    snprintf(out, size, "%02ld:%02ld.%ld", tenths / 600, tenths / 10 % 60, tenths % 10);
}
