// SPDX-License-Identifier: MIT
#include "vision/source/unpack.h"

#include <stdlib.h>

#include <libavutil/frame.h>
#include <libavutil/imgutils.h>

#include "vision/source/jpeg.h"
#include "vision/source/to_bgr.h"

struct unpacker {
    struct jpeg *jpeg;
    struct to_bgr *to_bgr;
    AVFrame *raw; // a header over the bytes that are read
};

static const enum AVPixelFormat layouts[ENCODINGS] = { [ENCODED_JPEG] = AV_PIX_FMT_NONE,
                                                       [ENCODED_YUYV] = AV_PIX_FMT_YUYV422,
                                                       [ENCODED_NV12] = AV_PIX_FMT_NV12,
                                                       [ENCODED_GREY] = AV_PIX_FMT_GRAY8,
                                                       [ENCODED_BGR] = AV_PIX_FMT_BGR24 };

int unpacker_create(struct unpacker **out, struct fail *why)
{
    struct unpacker *u = calloc(1, sizeof *u);
    if (!u)
        return rs_fail(why, RS_ENOMEM, "no memory for a camera's pictures");
    u->raw = av_frame_alloc();
    int rc = u->raw ? jpeg_create(&u->jpeg, why) : rs_fail(why, RS_ENOMEM, "no memory for a camera's pictures");
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
    if (!u)
        return;
    jpeg_free(u->jpeg);
    to_bgr_free(u->to_bgr);
    av_frame_free(&u->raw);
    free(u);
}

int unpacked_layout(enum encoding encoding)
{
    return layouts[encoding];
}

int unpacked_row_bytes(enum encoding encoding, int width)
{
    return encoding == ENCODED_JPEG ? 0 : av_image_get_linesize(layouts[encoding], width, 0);
}

static int unpack_raw(struct unpacker *u, struct frame **out, struct encoded *e, struct fail *why)
{
    size_t rows = (size_t)e->height + (e->encoding == ENCODED_NV12 ? (size_t)(e->height + 1) / 2 : 0);
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
    int rc = frame_create(out, e->width, e->height, why);
    return rc < 0 ? rc : to_bgr_convert(u->to_bgr, *out, u->raw, why);
}

int unpack(struct unpacker *u, struct frame **out, struct encoded *e, struct fail *why)
{
    struct frame *f = NULL;
    int rc = e->encoding == ENCODED_JPEG ? jpeg_decode(u->jpeg, &f, e->bytes, e->size, why) : unpack_raw(u, &f, e, why);
    if (rc == 0 && (f->width != e->width || f->height != e->height))
        rc = rs_fail(why, RS_EINPUT, "the picture has another size than agreed");
    if (rc < 0) {
        frame_free(f);
        return rc;
    }
    f->t_s = e->t_s;
    f->encoded = encoded_hold(e);
    *out = f;
    return 0;
}
