// SPDX-License-Identifier: MIT
// `ringside judge LOG`: the calls again, from the observations alone.
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/commands/setup.h"
#include "referee/commands/verbs.h"
#include "referee/adjudication.h"

static int judge(const struct options *o, struct fail *why)
{
    struct log_reader *log = NULL;
    const struct game *game;
    int rc = log_reader_open(&log, o->operand[0], why);
    if (rc == 0)
        rc = setup_game(&game, log_reader_header(log)->game, why);
    if (rc == 0)
        rc = adjudicate_log(log, game, o->json ? json_announcer(stdout) : console_announcer(stdout), why);
    if (rc == 0 && log_reader_cut_line(log))
        fprintf(stderr, "ringside: note: %s: line %ld was cut off and is left out\n", o->operand[0],
                log_reader_cut_line(log));
    log_reader_free(log);
    return rc;
}

const struct verb judge_verb = {
    .name = "judge",
    .operands = "LOG",
    .says = "make the calls again from a log of observations",
    .more = "The calls are those of the review or watch that wrote the log, byte for byte.\n",
    .flags = (const char *const[]){ "--json", NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = judge,
};
