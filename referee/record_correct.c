// SPDX-License-Identifier: MIT
#include "referee/record_correct.h"

#include "referee/record.h"
#include "referee/record_read.h"

int record_correct(struct record *r, long match, struct observation *said, struct announcer who, struct fail *why)
{
    struct adjudication a = { .game = NULL };
    struct log_reader *log = NULL;
    const struct game *game = NULL;
    int rc = record_resume(r, match, NULL, "", why);
    if (rc == 0)
        rc = record_log(&log, &game, r, match, why);
    if (rc == 0)
        rc = adjudication_begin(&a, game, log_reader_header(log), why);
    if (rc == 0)
        rc = adjudication_read(&a, log, why);
    if (rc == 0)
        rc = match_check_word(&a.match, said, why);
    if (rc == 0)
        rc = adjudication_add(&a, record_announcer(r), why);
    if (rc == 0)
        rc = adjudication_add(&a, who, why);
    if (rc == 0) {
        adjudication_keep(&a, record_keeper(r));
        said->t_s = a.last_s;
        rc = adjudication_take(&a, said, why);
    }
    if (rc == 0)
        rc = adjudication_commit(&a, why);
    adjudication_end(&a);
    log_reader_free(log);
    return rc;
}
