// SPDX-License-Identifier: MIT
#include "vision/frame.h"

#include <stdlib.h>
#include <string.h>

#include "vision/buffer_pool.h"
#include "vision/decoder.h"
#include "vision/opencv_c/opencv_c.h"

static int check_size(int width, int height, struct fail *why)
{
    if (width < 1 || height < 1 || width > FRAME_MAX_SIDE_PX || height > FRAME_MAX_SIDE_PX)
        return rs_fail(why, RS_EINPUT, "picture of %d x %d pixels; each side must be 1 to %d", width, height,
                       FRAME_MAX_SIDE_PX);
    return 0;
}

static int no_memory(int width, int height, struct fail *why)
{
    return rs_fail(why, RS_ENOMEM, "no memory for a picture of %d x %d pixels", width, height);
}

static size_t bytes_of(const struct frame *f, int coarseness)
{
    return (size_t)(f->width / coarseness) * (size_t)(f->height / coarseness) * 3;
}

int frame_create(struct frame **out, int width, int height, struct fail *why)
{
    return frame_create_from(out, NULL, width, height, why);
}

int frame_create_from(struct frame **out, struct buffer_pool *pool, int width, int height, struct fail *why)
{
    int rc = check_size(width, height, why);
    if (rc < 0)
        return rc;
    struct frame *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(width, height, why);
    *f = (struct frame){ .width = width, .height = height, .pool = buffer_pool_hold(pool) };
    f->bgr = pool ? buffer_pool_take(pool, bytes_of(f, 1)) : calloc(bytes_of(f, 1), 1);
    if (!f->bgr) {
        frame_free(f);
        return no_memory(width, height, why);
    }
    *out = f;
    return 0;
}

// Of a frame that came with a coarse one.
static void give_back_coarse(struct frame *f)
{
    if (f->coarse)
        buffer_pool_give_back(f->pool, f->coarse, bytes_of(f, f->coarseness));
}

void frame_free(struct frame *f)
{
    if (!f)
        return;
    give_back_coarse(f);
    if (f->pool)
        buffer_pool_give_back(f->pool, f->bgr, bytes_of(f, 1));
    else
        free(f->bgr);
    free(f->luma);
    buffer_pool_release(f->pool);
    decoder_release(f->decoder);
    encoded_release(f->encoded);
    free(f);
}

static void copy_facts(struct frame *copy, const struct frame *f)
{
    copy->t_s = f->t_s;
    copy->number = f->number;
    copy->from_camera = f->from_camera;
    copy->encoded = encoded_hold(f->encoded);
    copy->notes = f->notes;
}

int frame_copy(struct frame **out, const struct frame *f, struct fail *why)
{
    struct frame *copy = NULL;
    int rc = frame_create_from(&copy, f->pool, f->width, f->height, why);
    if (rc < 0)
        return rc;
    if (f->bgr)
        memcpy(copy->bgr, f->bgr, bytes_of(f, 1));
    else
        rc = decoder_decode(copy->bgr, f->decoder, f->encoded, 1, why);
    copy_facts(copy, f);
    if (rc == 0)
        *out = copy;
    else
        frame_free(copy);
    return rc;
}

int frame_keep(struct frame **out, const struct frame *f, struct fail *why)
{
    if (!f->coarse)
        return frame_copy(out, f, why);
    struct frame *copy = NULL;
    int rc = frame_create_encoded(&copy, f->encoded, f->decoder, why);
    if (rc < 0)
        return rc;
    copy->coarse = buffer_pool_take(f->pool, bytes_of(f, f->coarseness));
    if (!copy->coarse) {
        frame_free(copy);
        return no_memory(f->width, f->height, why);
    }
    copy->coarseness = f->coarseness;
    memcpy(copy->coarse, f->coarse, bytes_of(f, f->coarseness));
    encoded_release(copy->encoded);
    copy_facts(copy, f);
    *out = copy;
    return 0;
}

int frame_create_encoded(struct frame **out, struct encoded *e, struct decoder *d, struct fail *why)
{
    int rc = check_size(e->width, e->height, why);
    if (rc < 0)
        return rc;
    struct frame *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(e->width, e->height, why);
    *f = (struct frame){
        .width = e->width,
        .height = e->height,
        .t_s = e->t_s,
        .from_camera = true,
        .pool = buffer_pool_hold(d ? d->pool : NULL),
        .encoded = encoded_hold(e),
        .decoder = decoder_hold(d),
    };
    *out = f;
    return 0;
}

static int decode(uint8_t **out, struct frame *f, int coarseness, struct fail *why)
{
    uint8_t *bgr = buffer_pool_take(f->pool, bytes_of(f, coarseness));
    if (!bgr)
        return no_memory(f->width, f->height, why);
    int rc = decoder_decode(bgr, f->decoder, f->encoded, coarseness, why);
    if (rc == 0)
        *out = bgr;
    else
        buffer_pool_give_back(f->pool, bgr, bytes_of(f, coarseness));
    return rc;
}

int frame_decode(struct frame *f, struct fail *why)
{
    return f->bgr ? 0 : decode(&f->bgr, f, 1, why);
}

// A last row or column of blocks that the picture fills in part has no coarse pixel of the same size as the others.
static int coarse_enough(const struct frame *f, int coarsest)
{
    int coarseness = COARSEST;
    while (coarseness > 1 && (coarseness > coarsest || f->width % coarseness || f->height % coarseness))
        coarseness /= 2;
    return coarseness;
}

int frame_picture(struct picture *out, struct frame *f, int coarsest, struct fail *why)
{
    int coarseness = coarse_enough(f, coarsest), rc;
    uint8_t *finer = NULL;
    if (f->coarse && f->coarseness <= coarseness) {
        *out = (struct picture){ f->coarse, f->width / f->coarseness, f->height / f->coarseness };
        return 0;
    }
    if (coarseness == 1 || (f->bgr && !f->coarse)) {
        rc = frame_decode(f, why);
        *out = (struct picture){ f->bgr, f->width, f->height };
        return rc;
    }
    rc = decode(&finer, f, coarseness, why);
    if (rc < 0)
        return rc;
    give_back_coarse(f);
    f->coarse = finer;
    f->coarseness = coarseness;
    *out = (struct picture){ f->coarse, f->width / f->coarseness, f->height / f->coarseness };
    return 0;
}

void frame_prefer(const struct frame *f, int coarsest)
{
    int coarseness = coarse_enough(f, coarsest);
    if (f->decoder && coarseness < atomic_load(&f->decoder->coarseness))
        atomic_store(&f->decoder->coarseness, coarseness);
}

int frame_warp(struct frame *f, const double from[6], struct fail *why)
{
    int rc = frame_decode(f, why);
    if (rc < 0)
        return rc;
    uint8_t *moved = f->pool ? buffer_pool_take(f->pool, bytes_of(f, 1)) : malloc(bytes_of(f, 1));
    if (!moved)
        return no_memory(f->width, f->height, why);
    rc = cv_warp_affine_u8(moved, f->bgr, f->width, f->height, 3, from, why);
    uint8_t *spent = rc == 0 ? f->bgr : moved;
    if (f->pool)
        buffer_pool_give_back(f->pool, spent, bytes_of(f, 1));
    else
        free(spent);
    if (rc < 0)
        return rc;
    f->bgr = moved;
    give_back_coarse(f);
    f->coarse = NULL;
    free(f->luma);
    f->luma = NULL;
    return 0;
}

int frame_luma(struct frame *f, struct fail *why)
{
    int rc = f->luma ? 0 : frame_decode(f, why);
    if (f->luma || rc < 0)
        return rc;
    f->luma = malloc((size_t)f->width * (size_t)f->height);
    if (!f->luma)
        return rs_fail(why, RS_ENOMEM, "no memory for the luma of %d x %d pixels", f->width, f->height);
    for (int v = 0; v < f->height; v++)
        for (int u = 0; u < f->width; u++)
            f->luma[(size_t)v * (size_t)f->width + (size_t)u] = frame_luma_at(f, u, v);
    return 0;
}
