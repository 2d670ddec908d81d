// SPDX-License-Identifier: MIT
#include "vision/source/unpack.h"

#include <stdlib.h>

#include <libavutil/frame.h>
#include <libavutil/imgutils.h>

#include "vision/decoder.h"
#include "vision/source/jpeg.h"
#include "vision/source/to_bgr.h"

struct unpacker {
    struct decoder base;
    struct jpeg *jpeg;
    struct to_bgr *to_bgr;
    AVFrame *raw; // a header over the bytes that are read
};

static const enum AVPixelFormat layouts[ENCODINGS] = { [ENCODED_JPEG] = AV_PIX_FMT_NONE,
                                                       [ENCODED_YUYV] = AV_PIX_FMT_YUYV422,
                                                       [ENCODED_NV12] = AV_PIX_FMT_NV12,
                                                       [ENCODED_GREY] = AV_PIX_FMT_GRAY8,
                                                       [ENCODED_BGR] = AV_PIX_FMT_BGR24 };

int unpacked_layout(enum encoding encoding)
{
    return layouts[encoding];
}

int unpacked_row_bytes(enum encoding encoding, int width)
{
    return encoding == ENCODED_JPEG ? 0 : av_image_get_linesize(layouts[encoding], width, 0);
}

size_t unpacked_rows(enum encoding encoding, int height)
{
    return (size_t)height + (encoding == ENCODED_NV12 ? (size_t)(height + 1) / 2 : 0);
}

static int decode_raw(uint8_t *bgr, struct unpacker *u, struct encoded *e, struct fail *why)
{
    size_t rows = unpacked_rows(e->encoding, e->height);
    if (e->stride < unpacked_row_bytes(e->encoding, e->width) || e->size < (size_t)e->stride * rows)
        return rs_fail(why, RS_EINPUT, "the picture is cut off");
    u->raw->width = e->width;
    u->raw->height = e->height;
    u->raw->format = layouts[e->encoding];
    u->raw->data[0] = e->bytes;
    u->raw->linesize[0] = e->stride;
    bool chroma = e->encoding == ENCODED_NV12;
    u->raw->data[1] = chroma ? e->bytes + (size_t)e->stride * (size_t)e->height : NULL;
    u->raw->linesize[1] = chroma ? e->stride : 0;
    struct frame out = { .width = e->width, .height = e->height, .bgr = bgr };
    return to_bgr_convert(&out, u->to_bgr, u->raw, why);
}

static int decode(uint8_t *bgr, struct decoder *d, struct encoded *e, int coarseness, struct fail *why)
{
    struct unpacker *u = (struct unpacker *)d;
    return e->encoding == ENCODED_JPEG ? jpeg_decode_coarsely(bgr, u->jpeg, e, coarseness, why)
                                       : decode_raw(bgr, u, e, why);
}

static void end(struct decoder *d)
{
    struct unpacker *u = (struct unpacker *)d;
    jpeg_free(u->jpeg);
    to_bgr_free(u->to_bgr);
    av_frame_free(&u->raw);
    decoder_finish(d);
    free(u);
}

int unpacker_create(struct unpacker **out, struct fail *why)
{
    static const struct decoder_kind kind = { decode, end };
    struct unpacker *u = calloc(1, sizeof *u);
    if (!u)
        return rs_fail(why, RS_ENOMEM, "no memory for a camera's pictures");
    int rc = decoder_begin(&u->base, &kind, why);
    u->raw = av_frame_alloc();
    if (rc == 0)
        rc = u->raw ? jpeg_create(&u->jpeg, why) : rs_fail(why, RS_ENOMEM, "no memory for a camera's pictures");
    if (rc == 0)
        rc = to_bgr_create(&u->to_bgr, why);
    if (rc < 0)
        unpacker_free(u);
    else
        *out = u;
    return rc;
}

void unpacker_free(struct unpacker *u)
{
    decoder_release(u ? &u->base : NULL);
}

// What can be decoded coarsely is, whatever comes of it: that finds all damage; the rest has no cheaper picture.
int unpack(struct frame **out, struct unpacker *u, struct encoded *e, struct fail *why)
{
    struct frame *f = NULL;
    struct picture seen;
    int coarsest = e->encoding == ENCODED_JPEG ? atomic_load(&u->base.coarseness) : 1;
    int rc = frame_create_encoded(&f, e, &u->base, why);
    if (rc == 0)
        rc = frame_picture(&seen, f, coarsest, why);
    if (rc == 0)
        *out = f;
    else
        frame_free(f);
    return rc;
}
