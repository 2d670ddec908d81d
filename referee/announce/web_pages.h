// SPDX-License-Identifier: MIT
// web_pages.h: the files of pages/ and lines/, as they were when this was built.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WEB_PAGES_H
#define RINGSIDE_REFEREE_ANNOUNCE_WEB_PAGES_H

#include <stddef.h>

struct web_page {
    const char *name; // "board.js"
    const unsigned char *bytes;
    size_t size;
};

// The last one has no name. Packed: the same pages, each compressed by gzip.
extern const struct web_page web_pages[], web_pages_packed[], voice_line_files[];

#endif
