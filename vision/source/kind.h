// SPDX-License-Identifier: MIT
// kind.h: what every kind of source has in common; only the files of this folder look inside a source.
#ifndef RINGSIDE_VISION_SOURCE_KIND_H
#define RINGSIDE_VISION_SOURCE_KIND_H

#include "vision/source/source.h"

// The two things a kind does for itself; source.c calls them.
struct source_kind {
    int (*next)(struct source *s, struct frame **out, struct fail *why);
    void (*close)(struct source *s); // also frees the source itself
};

// First member of struct photo, footage and webcam.
struct source {
    const struct source_kind *kind;
    struct source_info info;
};

// Puts the last part of a path (or any name) into info.name, cut where it is too long.
void source_set_name(struct source *s, const char *path);

#endif
