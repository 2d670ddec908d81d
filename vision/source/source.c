// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <stdio.h>
#include <string.h>

#include "vision/source/kind.h"

int source_next(struct source *s, struct frame **out, struct fail *why)
{
    *out = NULL;
    return s->kind->next(s, out, why);
}

const struct source_info *source_info(const struct source *s)
{
    return &s->info;
}

void source_close(struct source *s)
{
    if (s)
        s->kind->close(s);
}

void source_set_name(struct source *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(s->info.name, sizeof s->info.name, "%s", slash && slash[1] ? slash + 1 : path);
}
