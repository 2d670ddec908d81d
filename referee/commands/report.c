// SPDX-License-Identifier: MIT
// `ringside report`: a match of the record as a page of its own.
#include "referee/commands/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "calibration/foreign.h"
#include "referee/commands/book.h"
#include "referee/commands/verbs.h"
#include "referee/record_export.h"

// Written as it is made, for a stream into memory leaves out without a word what it has no memory for. NULL for
// `clips`: a table.
static int write_file(const char *path, struct record *r, const struct kept_match *m, const struct match_clips *clips,
                      struct fail *why)
{
    struct atomic_file f = { .fd = -1 };
    int rc = atomic_file_begin(&f, path, why), fd = rc == 0 ? dup(f.fd) : -1;
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (rc == 0 && !to) {
        rc = rs_fail(why, RS_EIO, "%s: cannot be written: %s", path, strerror(errno));
        close(fd);
    }
    if (rc == 0)
        rc = clips ? record_export_page(to, r, m, clips, version_words, why)
                   : record_export(to, r, m, "csv", version_words, why);
    bool failed = to && ferror(to);
    if (to && (fclose(to) != 0 || failed) && rc == 0)
        rc = rs_fail(why, RS_EIO, "%s: cannot be written: %s", path, strerror(errno));
    if (rc == 0)
        rc = atomic_file_finish(&f, why);
    atomic_file_drop(&f);
    return rc;
}

int report_write(const char *path, struct record *r, const struct kept_match *m, const char *clips, FILE *to,
                 struct fail *why)
{
    struct match_clips found = { 0 };
    int rc = clips ? match_clips_find(&found, m, clips, path, why) : 0;
    if (rc == 0)
        rc = match_clips_embed(&found, why);
    if (rc == 0)
        rc = write_file(path, r, m, &found, why);
    if (rc == 0 && to)
        foreign_tell(to, "wrote %s: match %ld, %s", path, m->match, m->score);
    if (rc == 0 && to && clips && found.count == 0)
        foreign_tell(to, "no clip of that match is in %s", clips);
    else if (rc == 0 && to && clips)
        foreign_tell(to, "%d of its close calls' shots can be played from %s", found.count,
                     found.embedded ? "the page alone" : clips);
    match_clips_finish(&found);
    return rc;
}

int report_check(const char *path, struct fail *why)
{
    struct atomic_file f = { .fd = -1 };
    int rc = atomic_file_begin(&f, path, why);
    atomic_file_drop(&f);
    return rc;
}

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
        rc = o->csv ? write_file(path, r, &m, NULL, why) : report_write(path, r, &m, o->clips, stdout, why);
    if (rc == 0 && o->csv)
        foreign_tell(stdout, "wrote %s: match %ld", path, m.match);
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
    .flags = (const char *const[]){ "--book", "--clips FOLDER", "--csv", "--html", "--out PAGE", NULL },
    .operands_max = 1,
    .run = report,
};
