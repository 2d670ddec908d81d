// SPDX-License-Identifier: MIT
#include "referee/announce/explain.h"

#include <errno.h>
#include <math.h>
#include <string.h>

// The rule that a call cites: of several of one number the one that says so, else the first.
static const struct rule *rule_of(const struct game *game, const struct call *c)
{
    const struct rule *found = NULL;
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *r = &game->rules[i];
        if (strcmp(r->number, c->rule) == 0 && (!found || strcmp(r->says, c->what) == 0))
            found = r;
    }
    return found;
}

// Beyond the line by which it was judged, by less than anybody measures.
static const double BEYOND_IN = 1e-6;

// In which area the piece would be if it lay just beyond that line. False when it would be in the same.
static bool area_beyond(char word[ZONE_WORD_MAX], double *by_in, const struct match *m, const struct call *c)
{
    const struct outcome *o = shot_outcome(&m->shot, c->piece);
    const struct verdict *v = &c->zone.verdict;
    if (!o || !c->measured || o->piece.lying.plane != ON_SURFACE || o->piece.lying.ruled)
        return false;
    struct resting_piece lying = o->piece.lying;
    double from_centre = hypot(lying.at.x, lying.at.y);
    *by_in = v->margin_in;
    if (!(from_centre > 0))
        return false;
    double scale = (from_centre + v->margin_in + copysign(BEYOND_IN, v->margin_in)) / from_centre;
    lying.at.x *= scale;
    lying.at.y *= scale;
    struct zone z = zone_of(&m->board, &lying);
    char is[ZONE_WORD_MAX];
    zone_word(is, &c->zone);
    zone_word(word, &z);
    return strcmp(is, word) != 0;
}

static void print_evidence(FILE *to, const struct match *m, const struct call *c)
{
    const struct shot *s = &m->shot;
    if (c->measured)
        fprintf(to, "      seen: %.3f in %s the line, 1 sigma %.3f in; %s\n", fabs(c->zone.verdict.margin_in),
                c->zone.verdict.margin_in > 0 ? "inside" : "beyond", c->zone.verdict.sigma_in,
                c->firm ? "firm" : "close: the judge decides");
    else if (!c->firm)
        fprintf(to, "      not seen for sure: the judge decides\n");
    if (s->number != c->shot || s->number == 0 || c->piece > 0)
        return;
    fprintf(to, "      seen: shot %d by %s, first contact ", s->number, standing_owner(&m->now, s->by));
    switch (s->first) {
    case FIRST_NONE:
        fprintf(to, "none");
        break;
    case FIRST_PIECE:
        fprintf(to, "%s at %.2f s", s->first_with, s->first_s);
        break;
    case FIRST_PEG:
        fprintf(to, "a peg at %.2f s", s->first_s);
        break;
    case FIRST_UNSEEN:
        fprintf(to, "with what was not seen at %.2f s", s->first_s);
        break;
    }
    fprintf(to, "%s; pieces moved:", s->unseen_contact ? "; a contact was not seen" : "");
    int moved = 0;
    for (int i = 0; i < s->count; i++)
        if (s->piece[i].moved)
            fprintf(to, "%s %s %d", moved++ ? "," : "", s->piece[i].piece.colour, s->piece[i].piece.id);
    fprintf(to, "%s\n", moved ? "" : " none");
}

static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    FILE *to = self;
    char time[16], word[ZONE_WORD_MAX];
    double by_in;
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = &r->calls.call[i];
        const struct rule *rule = rule_of(m->game, c);
        call_time_words(time, sizeof time, c->t_s);
        fprintf(to, "%s  %s%s\n", time,
                c->change == CALL_WITHDRAWN ? "no longer: "
                : c->change == CALL_INSTEAD ? "instead: "
                                            : "",
                c->text);
        if (c->change != CALL_MADE)
            fprintf(to, "      by input %d\n", c->input);
        fprintf(to, "      rule %s%s%s\n", c->rule, rule ? ": " : "", rule ? rule->means : "");
        print_evidence(to, m, c);
        if (area_beyond(word, &by_in, m, c))
            fprintf(to, "      would be %s if it lay %.3f in farther %s\n", word, fabs(by_in),
                    by_in > 0 ? "out" : "in");
        else if (rule && rule->flips)
            fprintf(to, "      otherwise if: %s\n", rule->flips);
    }
    return fflush(to) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

struct announcer explain_announcer(FILE *to)
{
    return (struct announcer){ .say = say, .self = to };
}
