// SPDX-License-Identifier: MIT
// `ringside report`: a match of the record as a page of its own.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/new_file.h"
#include "referee/commands/book.h"
#include "referee/commands/verbs.h"
#include "referee/record_export.h"

static int report(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    struct kept_match m = { 0 };
    struct new_file file = { .fd = -1 };
    struct match_clips clips = { 0 };
    char *text = NULL, name[64];
    size_t size = 0;
    const char *format = o->csv ? "csv" : "html";
    FILE *to = open_memstream(&text, &size);
    int rc = to ? book_open(&r, o, RECORD_READ, why) : rs_fail(why, RS_ENOMEM, "no memory for a report");
    if (rc == 0)
        rc = book_match(&m, r, o->operands > 0 ? o->operand[0] : NULL, why);
    snprintf(name, sizeof name, "match-%ld.%s", m.match, format);
    const char *path = o->out ? o->out : name;
    if (rc == 0 && o->clips && !o->csv)
        rc = match_clips_find(&clips, &m, o->clips, path, why);
    if (rc == 0 && o->csv)
        rc = record_export(to, r, &m, format, version_words, why);
    else if (rc == 0)
        rc = record_export_page(to, r, &m, &clips, version_words, why);
    if (to && fclose(to) != 0 && rc == 0)
        rc = rs_fail(why, RS_ENOMEM, "no memory for a report: %s", strerror(errno));
    if (rc == 0)
        rc = new_file_begin(&file, path, why);
    if (rc == 0)
        rc = new_file_write(&file, text, size, why);
    if (rc == 0)
        rc = new_file_finish(&file, why);
    new_file_drop(&file);
    if (rc == 0)
        foreign_tell(stdout, "wrote %s: match %ld, %s", path, m.match, m.score[0] ? m.score : "nobody has shot yet");
    if (rc == 0 && o->clips && !o->csv)
        foreign_tell(stdout, "%d of its close calls' shots can be played from %s", clips.count, o->clips);
    match_clips_finish(&clips);
    record_close(r);
    free(text);
    return rc;
}

const struct verb report_verb = {
    .name = "report",
    .operands = "[MATCH]",
    .says = "write a match of the record as a page of its own",
    .more =
        "The last match, or MATCH: score sheet, sides, close calls, what was said, where shots came to rest and every\n"
        "shot with the board behind it, in one file that any browser shows and prints. Of a longer match the last "
        "1000\n"
        "shots are drawn, some megabytes. --clips FOLDER: it plays the clips of close calls that watch or review wrote "
        "there;\n"
        "they stay where they are. --csv: every call, for spreadsheets.\n",
    .flags = (const char *const[]){ "--book", "--clips FOLDER", "--csv", "--out FILE", NULL },
    .operands_max = 1,
    .run = report,
};
