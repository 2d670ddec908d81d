// SPDX-License-Identifier: MIT
// `ringside report`: a match of the record as a page of its own.
#include <stdio.h>

#include "referee/commands/book.h"
#include "referee/commands/match_page.h"
#include "referee/commands/verbs.h"

static int report(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    struct kept_match m = { 0 };
    char name[64];
    if (o->csv && (o->html || o->clips))
        return rs_fail(why, RS_EINPUT, "--csv is a table, not a page: it goes with neither --html nor --clips");
    int rc = book_open_match(&r, &m, o, why);
    snprintf(name, sizeof name, "match-%ld.%s", m.match, o->csv ? "csv" : "html");
    const char *path = o->out ? o->out : name;
    if (rc == 0)
        rc = o->csv ? match_table_write(path, r, &m, why) : match_page_write(path, r, &m, o->clips, stdout, why);
    record_close(r);
    return rc;
}

const struct verb report_verb = {
    .name = "report",
    .operands = "[MATCH]",
    .says = "write a match of the record as a page of its own",
    .more =
        "The last match, or MATCH: score sheet, sides and players, close calls, what was said, where shots came to "
        "rest\n"
        "and every shot with the board before and behind it, in one file that any browser shows and prints (--html, "
        "which\n"
        "need not be said). Of a longer match the last 1000 shots are drawn, some megabytes. --clips FOLDER: it plays "
        "the\n"
        "clips of close calls that watch or review wrote there; up to 16 MB of them are put into the page, more stay "
        "where\n"
        "they are. --csv: every call, for spreadsheets.\n",
    .flags = (const char *const[]){ "--book", "--clips FOLDER", "--csv", "--html", "--out FILE", NULL },
    .operands_max = 1,
    .run = report,
};
