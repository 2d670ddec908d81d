// SPDX-License-Identifier: MIT
#include "referee/hearing.h"

#include <string.h>

void hearing_begin(struct hearing *h, const struct game *game, const struct log_header *header)
{
    char player[LOG_PLAYERS_MAX][OBS_WORD_MAX];
    memset(h, 0, sizeof *h);
    memcpy(player, header->player, sizeof player);
    match_begin(&h->match, game, &header->board, header->players, player);
}

void hearing_add(struct hearing *h, struct announcer a)
{
    if (h->announcers < HEARING_ANNOUNCERS_MAX)
        h->announcer[h->announcers++] = a;
}

int hearing_take(struct hearing *h, const struct observation *o, struct fail *why)
{
    struct ruling ruling;
    int rc = h->log ? log_write(h->log, o, why) : 0;
    if (rc < 0)
        return rc;
    h->last_s = o->t_s;
    match_fold(&ruling, &h->match, o);
    if (ruling.calls.count == 0 && !ruling.shot_ended && !ruling.camera)
        return 0;
    for (int i = 0; i < h->announcers && rc == 0; i++)
        rc = h->announcer[i].say(h->announcer[i].self, &h->match, &ruling, why);
    return rc;
}

int hearing_of_log(struct log_reader *log, const struct game *game, struct announcer a, struct fail *why)
{
    struct hearing h;
    struct observation o;
    int rc;
    hearing_begin(&h, game, log_reader_header(log));
    hearing_add(&h, a);
    while ((rc = log_read(log, &o, why)) > 0) {
        rc = hearing_take(&h, &o, why);
        if (rc < 0)
            return rc;
    }
    return rc;
}
