// SPDX-License-Identifier: MIT
#include "referee/announce/explain.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void print_evidence(FILE *to, const struct match *m, const struct call *c)
{
    const struct shot *s = &m->shot;
    const struct outcome *o = s->number == c->shot && c->change != CALL_WITHDRAWN ? shot_outcome(s, c->piece) : NULL;
    if (c->measured)
        fprintf(to, "      seen: %.3f in %s the line, 1 sigma %.3f in; %s\n", fabs(c->zone.verdict.margin_in),
                c->zone.verdict.margin_in > 0 ? "inside" : "beyond", c->zone.verdict.sigma_in,
                !c->firm                    ? "close: the judge decides"
                : o && o->piece.lying.ruled ? "firm by the judge's word"
                                            : "firm");
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
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = &r->calls.call[i];
        const struct rule *rule = game_rule(m->game, c->rule, c->what);
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
        const struct outcome *o = c->measured ? shot_outcome(&m->shot, c->piece) : NULL;
        double by_in = c->zone.verdict.margin_in;
        struct zone z;
        if (o && zone_beyond(&z, &m->board, &o->piece.lying)) {
            zone_word(word, &z);
            fprintf(to, "      would be %s if it lay %.3f in farther %s\n", word, fabs(by_in),
                    by_in > 0 ? "out" : "in");
        } else if (rule && rule->flips)
            fprintf(to, "      otherwise if: %s\n", rule->flips);
    }
    return fflush(to) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

struct announcer explain_announcer(FILE *to)
{
    return (struct announcer){ .say = say, .self = to };
}
