// SPDX-License-Identifier: MIT
#include "vision/frame.h"

#include <stdlib.h>
#include <string.h>

#include "vision/encoded.h"

int frame_create(struct frame **out, int width, int height, struct fail *why)
{
    if (width < 1 || height < 1 || width > FRAME_MAX_SIDE_PX || height > FRAME_MAX_SIDE_PX)
        return rs_fail(why, RS_EINPUT, "picture of %d x %d pixels; each side must be 1 to %d", width, height,
                       FRAME_MAX_SIDE_PX);
    struct frame *f = calloc(1, sizeof *f);
    uint8_t *bgr = calloc((size_t)width * (size_t)height, 3);
    if (!f || !bgr) {
        free(f);
        free(bgr);
        return rs_fail(why, RS_ENOMEM, "no memory for a picture of %d x %d pixels", width, height);
    }
    f->width = width;
    f->height = height;
    f->bgr = bgr;
    *out = f;
    return 0;
}

void frame_free(struct frame *f)
{
    if (!f)
        return;
    free(f->bgr);
    free(f->luma);
    encoded_release(f->encoded);
    free(f);
}

int frame_copy(struct frame **out, const struct frame *f, struct fail *why)
{
    struct frame *copy = NULL;
    int rc = frame_create(&copy, f->width, f->height, why);
    if (rc < 0)
        return rc;
    memcpy(copy->bgr, f->bgr, (size_t)f->width * (size_t)f->height * 3);
    copy->t_s = f->t_s;
    copy->number = f->number;
    copy->encoded = encoded_hold(f->encoded);
    copy->notes = f->notes;
    *out = copy;
    return 0;
}

const uint8_t *frame_luma(struct frame *f)
{
    if (f->luma)
        return f->luma;
    f->luma = malloc((size_t)f->width * (size_t)f->height);
    for (int v = 0; v < f->height && f->luma; v++)
        for (int u = 0; u < f->width; u++)
            f->luma[(size_t)v * (size_t)f->width + (size_t)u] = frame_luma_at(f, u, v);
    return f->luma;
}
