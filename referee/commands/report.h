// SPDX-License-Identifier: MIT
// report.h: a match of the record written as a page, for the commands that make one.
#ifndef RINGSIDE_REFEREE_COMMANDS_REPORT_H
#define RINGSIDE_REFEREE_COMMANDS_REPORT_H

#include <stdio.h>

#include "referee/record_read.h"

// Makes the file `path`, whole or not at all, and tells `to` so, NULL: nobody. `clips`: the folder of clips that the
// page plays, inside the page as far as match_clips_embed takes them; NULL: none. RS_E... as record_export_page,
// match_clips_find and atomic_file.h.
int report_write(const char *path, struct record *r, const struct kept_match *m, const char *clips, FILE *to,
                 struct fail *why);

// Before work of which the page tells: can it be made there? RS_E... as atomic_file_begin.
int report_check(const char *path, struct fail *why);

#endif
