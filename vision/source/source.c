// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/interrupt.h"

int source_next(struct frame **out, struct source *s, struct fail *why)
{
    *out = NULL;
    if (interrupt_check(why) < 0)
        return RS_EENDED;
    *out = s->first;
    s->first = NULL;
    return *out ? 1 : s->kind ? s->kind->next(out, s, why) : 0;
}

void source_hold_picture(struct source *s)
{
    if (s->kind && s->kind->hold)
        s->kind->hold(s);
}

bool source_notice(struct source *s, struct fail *said)
{
    return s->kind && s->kind->notice && s->kind->notice(s, said);
}

const struct source_info *source_info(const struct source *s)
{
    return &s->info;
}

bool source_lost_any(const struct source_info *info)
{
    return info->dropped > 0 || info->doubtful > 0 || info->lost_s > 0 || info->short_s > 0;
}

bool source_keeps_bytes(const struct source *s)
{
    return !s->first || s->first->encoded;
}

void source_close(struct source *s)
{
    if (!s)
        return;
    frame_free(s->first);
    if (s->kind)
        s->kind->close(s);
    free(s);
}

int source_opened(struct source **out, struct source *s, int rc)
{
    if (rc < 0) {
        source_close(s);
        return rc;
    }
    if (s->first) {
        s->info.width = s->first->width;
        s->info.height = s->first->height;
    }
    *out = s;
    return 0;
}

void source_set_name(struct source *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(s->info.name, sizeof s->info.name, "%s", slash && slash[1] ? slash + 1 : path);
}
