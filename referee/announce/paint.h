// SPDX-License-Identifier: MIT
// paint.h: how a colour that has a name is painted on pages and reports.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_PAINT_H
#define RINGSIDE_REFEREE_ANNOUNCE_PAINT_H

struct paint {
    const char *name; // as pieces are told (colour_name)
    const char *css;  // "#c3282d"
};

// The last one has no name, and is for all others.
extern const struct paint paints[];

// "#c3282d" for "red".
const char *paint_css(const char *colour);

#endif
