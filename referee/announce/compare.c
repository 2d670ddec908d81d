// SPDX-License-Identifier: MIT
#include "referee/announce/compare.h"

#include <errno.h>
#include <string.h>

static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct compared_games *c = self;
    char time[16];
    (void)m;
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *call = &r->calls.call[i];
        call_time_words(time, sizeof time, call->t_s);
        fprintf(c->to, "%s  shot %d  %s, %s: %s\n", time, call->shot,
                call->change == CALL_WITHDRAWN ? c->name : c->other, call->rule, call->text);
        c->differences++;
    }
    return fflush(c->to) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

struct announcer compare_announcer(struct compared_games *c)
{
    return (struct announcer){ .say = say, .self = c };
}
