// SPDX-License-Identifier: MIT
#include "referee/commands/match_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/whole_file.h"
#include "referee/commands/verbs.h"
#include "referee/record_export.h"

int match_page_write(const char *path, struct record *r, const struct kept_match *m, const char *clips, FILE *to,
                     struct fail *why)
{
    struct match_clips found = { 0 };
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    int rc = page ? 0 : rs_fail(why, RS_ENOMEM, "no memory for a report");
    if (rc == 0 && clips)
        rc = match_clips_find(&found, m, clips, path, why);
    if (rc == 0)
        rc = match_clips_embed(&found, why);
    if (rc == 0)
        rc = record_export_page(page, r, m, &found, version_words, why);
    if (page && fclose(page) != 0 && rc == 0)
        rc = rs_fail(why, RS_ENOMEM, "no memory for a report: %s", strerror(errno));
    if (rc == 0)
        rc = whole_file_write(path, text, size, why);
    if (rc == 0 && to)
        foreign_tell(to, "wrote %s: match %ld, %s", path, m->match, m->score[0] ? m->score : "nobody has shot yet");
    if (rc == 0 && to && clips && found.count == 0)
        foreign_tell(to, "no clip of that match is in %s", clips);
    else if (rc == 0 && to && clips)
        foreign_tell(to, "%d of its close calls' shots can be played from %s", found.count,
                     found.embedded ? "the page alone" : clips);
    match_clips_finish(&found);
    free(text);
    return rc;
}
