// SPDX-License-Identifier: MIT
#include "vision/source/to_bgr.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libswscale/swscale.h>

// What the preparation depends on.
struct layout {
    int in_width, in_height, format, range, space, out_width, out_height;
};

struct to_bgr {
    struct SwsContext *sws;
    struct layout layout;
    uint8_t *rows;
    int stride;
};

int to_bgr_create(struct to_bgr **out, struct fail *why)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : rs_fail(why, RS_EIO, "no memory to convert pictures");
}

void to_bgr_free(struct to_bgr *t)
{
    if (!t)
        return;
    sws_freeContext(t->sws);
    av_free(t->rows);
    free(t);
}

// The old names of full-range layouts make swscale complain; the range is told apart from the layout today.
static enum AVPixelFormat modern(int format, int *full_range)
{
    static const enum AVPixelFormat names[][2] = { { AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P },
                                                   { AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P },
                                                   { AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P },
                                                   { AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (format == (int)names[i][0]) {
            *full_range = 1;
            return names[i][1];
        }
    return (enum AVPixelFormat)format;
}

static int prepare(struct to_bgr *t, const struct layout *want, struct fail *why)
{
    // swscale writes whole vectors and may run over the end of a row, hence rows of our own with room behind them.
    enum { ROOM = 64 };
    int full = want->range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = modern(want->format, &full);
    // Without a change of size every filter is the same; with one, bicubic keeps lines sharp.
    sws_freeContext(t->sws);
    av_freep(&t->rows);
    t->layout = (struct layout){ 0 };
    t->sws = sws_getContext(want->in_width, want->in_height, format, want->out_width, want->out_height,
                            AV_PIX_FMT_BGR24, SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
    if (!t->sws)
        return rs_fail(why, RS_ELIB, "swscale cannot convert pictures of %d x %d to %d x %d", want->in_width,
                       want->in_height, want->out_width, want->out_height);
    // Grey and RGB have no matrix, and swscale says so by a code that may be ignored.
    sws_setColorspaceDetails(t->sws, sws_getCoefficients(want->space), full, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
                             1 << 16, 1 << 16);
    t->stride = (3 * want->out_width + 2 * ROOM - 1) / ROOM * ROOM;
    t->rows = av_malloc((size_t)t->stride * (size_t)(want->out_height + 1));
    if (!t->rows)
        return rs_fail(why, RS_EIO, "no memory to convert pictures");
    t->layout = *want;
    return 0;
}

int to_bgr_convert(struct to_bgr *t, struct frame *out, const struct AVFrame *in, struct fail *why)
{
    struct layout want = {
        in->width, in->height, in->format, in->color_range, in->colorspace, out->width, out->height
    };
    if (memcmp(&want, &t->layout, sizeof want) != 0) {
        int rc = prepare(t, &want, why);
        if (rc < 0)
            return rc;
    }
    uint8_t *to[4] = { t->rows };
    int strides[4] = { t->stride };
    if (sws_scale(t->sws, (const uint8_t *const *)in->data, in->linesize, 0, in->height, to, strides) != out->height)
        return rs_fail(why, RS_ELIB, "swscale left a picture unfinished");
    size_t row = 3 * (size_t)out->width;
    for (int y = 0; y < out->height; y++)
        memcpy(out->bgr + (size_t)y * row, t->rows + (size_t)y * (size_t)t->stride, row);
    return 0;
}
