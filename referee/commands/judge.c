// SPDX-License-Identifier: MIT
// `ringside judge LOG`: the calls again, from the observations alone; with reasons, or beside those of another game.
#include <errno.h>
#include <string.h>

#include "calibration/foreign.h"
#include "referee/adjudication.h"
#include "referee/announce/console.h"
#include "referee/announce/explain.h"
#include "referee/announce/json.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/outputs.h"
#include "referee/commands/verbs.h"

// Calls that one game makes and another does not, as adjudicate_both tells them: those withdrawn are the first one's.
struct compared_games {
    const char *name, *other;
    int differences;
};

static int say_differences(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct compared_games *c = self;
    char time[16];
    (void)m;
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *call = &r->calls.call[i];
        call_time_words(time, sizeof time, call->t_s);
        printf("%s  shot %d  %s, %s: %s\n", time, call->shot, call->change == CALL_WITHDRAWN ? c->name : c->other,
               call->rule, call->text);
        c->differences++;
    }
    return fflush(stdout) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

static int judge(const struct options *o, struct fail *why)
{
    struct log_reader *log = NULL;
    const struct game *game, *other = NULL;
    if (o->explain && (o->json || o->game))
        return rs_fail(why, RS_EINPUT, "--explain goes with neither --json nor --game");
    struct outputs files = { 0 };
    int rc = outputs_options(&files, o, why);
    outputs_finish(&files);
    if (rc < 0)
        return rc;
    rc = log_reader_open(&log, o->operand[0], why);
    if (rc == 0)
        rc = setup_game(&game, log_reader_header(log)->game, why);
    if (rc == 0 && o->game)
        rc = setup_game(&other, o->game, why);
    if (rc == 0 && other && board_builtin(other->board)->kind != log_reader_header(log)->board.kind)
        rc = rs_fail(why, RS_EINPUT, "%s is not played on a board like %s; its own is %s", other->name,
                     log_reader_header(log)->board.name, other->board);
    if (rc == 0 && other) {
        struct compared_games compared = { game->name, other->name, 0 };
        const struct announcer differences = { say_differences, &compared };
        rc = adjudicate_both(log, game, other, o->json ? json_announcer(stdout) : differences, why);
        if (rc == 0 && !o->json && compared.differences == 0)
            printf("%s calls the same as %s\n", other->name, game->name);
    } else if (rc == 0)
        rc = adjudicate_log(log, game,
                            o->json      ? json_announcer(stdout)
                            : o->explain ? explain_announcer(stdout)
                                         : console_announcer(stdout),
                            why);
    if (rc == 0 && log_reader_cut_line(log))
        foreign_tell(stderr, "ringside: note: %s: line %ld was cut off and is left out", o->operand[0],
                     log_reader_cut_line(log));
    log_reader_free(log);
    return rc;
}

const struct verb judge_verb = {
    .name = "judge",
    .operands = "LOG",
    .says = "make the calls again from a log of observations",
    .more =
        "The calls are those of the review or watch that wrote the log, byte for byte. With --game those that another\n"
        "game's rules would make otherwise: each game's own behind its name.\n",
    .flags = (const char *const[]){ "--explain", "--game", "--json", NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = judge,
};
