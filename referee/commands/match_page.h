// SPDX-License-Identifier: MIT
// match_page.h: a match of the record written as a page or a table, for the commands that make one.
#ifndef RINGSIDE_REFEREE_COMMANDS_MATCH_PAGE_H
#define RINGSIDE_REFEREE_COMMANDS_MATCH_PAGE_H

#include <stdio.h>

#include "referee/record_read.h"

// Makes the file `path`, whole or not at all, and tells `to` so, NULL: nobody. `clips`: the folder of clips that the page plays,
// inside the page as far as match_clips_embed takes them; NULL: none. RS_E... as record_export_page, match_clips_find and
// atomic_file.h.
int match_page_write(const char *path, struct record *r, const struct kept_match *m, const char *clips, FILE *to,
                     struct fail *why);

// Every call, for spreadsheets, likewise; tells standard output so. RS_E... as record_export and atomic_file.h.
int match_table_write(const char *path, struct record *r, const struct kept_match *m, struct fail *why);

#endif
