// SPDX-License-Identifier: MIT
#include "referee/announce/paint.h"

#include <stddef.h>
#include <string.h>

const struct paint paints[] = {
    { "black", "#23211f" },  { "white", "#f7f5f0" },  { "grey", "#8f8f94" },  { "red", "#c3282d" },
    { "orange", "#e0792b" }, { "yellow", "#ecc72f" }, { "green", "#2f8f4e" }, { "cyan", "#2aa7b0" },
    { "blue", "#2b5fb4" },   { "purple", "#7a4aa8" }, { "pink", "#d96a94" },  { "natural", "#dcb27a" },
    { "brown", "#7d5630" },  { NULL, "#8f8f94" },
};

const char *paint_css(const char *colour)
{
    const struct paint *p = paints;
    while (p->name && strcmp(p->name, colour) != 0)
        p++;
    return p->css;
}
