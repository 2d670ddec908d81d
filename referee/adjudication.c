// SPDX-License-Identifier: MIT
#include "referee/adjudication.h"

#include <string.h>

void adjudication_begin(struct adjudication *a, const struct game *game, const struct log_header *header)
{
    memset(a, 0, sizeof *a);
    match_begin(&a->match, game, &header->board, header->players, header->player);
}

int adjudication_add(struct adjudication *a, struct announcer who, struct fail *why)
{
    if (a->announcers == ADJUDICATION_ANNOUNCERS_MAX)
        return rs_fail(why, RS_EINTERNAL, "more than %d announcers", ADJUDICATION_ANNOUNCERS_MAX);
    a->announcer[a->announcers++] = who;
    return 0;
}

int adjudication_take(struct adjudication *a, const struct observation *o, struct fail *why)
{
    struct ruling ruling;
    int rc = a->log ? log_write(a->log, o, why) : 0;
    if (rc < 0)
        return rc;
    a->last_s = o->t_s;
    match_fold(&ruling, &a->match, o);
    if (ruling.calls.count == 0 && !ruling.shot_ended && !ruling.camera)
        return 0;
    for (int i = 0; i < a->announcers && rc == 0; i++)
        rc = a->announcer[i].say(a->announcer[i].self, &a->match, &ruling, why);
    return rc;
}

int adjudicate_log(struct log_reader *log, const struct game *game, struct announcer who, struct fail *why)
{
    struct adjudication a;
    struct observation o;
    adjudication_begin(&a, game, log_reader_header(log));
    int rc = adjudication_add(&a, who, why);
    if (rc < 0)
        return rc;
    while ((rc = log_read(log, &o, why)) > 0) {
        rc = adjudication_take(&a, &o, why);
        if (rc < 0)
            return rc;
    }
    return rc;
}
