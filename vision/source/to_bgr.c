// SPDX-License-Identifier: MIT
#include "vision/source/to_bgr.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

#include "calibration/units.h"

// What the preparation depends on.
struct layout {
    int in_width, in_height, format, range, space, out_width, out_height;
};

struct to_bgr {
    struct SwsContext *sws;
    struct layout layout;
    AVFrame *rows; // of our own: swscale writes whole vectors and may run over the end of a row
};

int to_bgr_create(struct to_bgr **out, struct fail *why)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : rs_fail(why, RS_ENOMEM, "no memory to convert pictures");
}

void to_bgr_free(struct to_bgr *t)
{
    if (!t)
        return;
    sws_freeContext(t->sws);
    av_frame_free(&t->rows);
    free(t);
}

// Without a change of size every filter is the same; with one, bicubic keeps lines sharp. Slices are converted side by
// side by so many threads, 0: as many as there are processors. NULL when it cannot be done.
static struct SwsContext *begin_scaling(const struct layout *want, enum AVPixelFormat format, int threads)
{
    const struct {
        const char *name;
        int value;
    } option[] = { { "srcw", want->in_width },
                   { "srch", want->in_height },
                   { "src_format", format },
                   { "dstw", want->out_width },
                   { "dsth", want->out_height },
                   { "dst_format", AV_PIX_FMT_BGR24 },
                   { "sws_flags", SWS_BICUBIC | SWS_ACCURATE_RND },
                   { "threads", threads } };
    struct SwsContext *sws = sws_alloc_context();
    bool set = sws != NULL;
    for (size_t i = 0; i < countof(option) && set; i++)
        set = av_opt_set_int(sws, option[i].name, option[i].value, 0) >= 0;
    if (set && sws_init_context(sws, NULL, NULL) >= 0)
        return sws;
    sws_freeContext(sws);
    return NULL;
}

// For pictures of another layout than before.
static int prepare(struct to_bgr *t, const struct layout *want, struct fail *why)
{
    // The old names of full-range layouts make swscale complain; the range is set apart from the layout today.
    static const enum AVPixelFormat modern[][2] = { { AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P },
                                                    { AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P },
                                                    { AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P },
                                                    { AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P } };
    enum { ROOM_PX = 32 };
    int full = want->range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = (enum AVPixelFormat)want->format;
    for (size_t i = 0; i < countof(modern); i++)
        if (want->format == (int)modern[i][0]) {
            full = 1;
            format = modern[i][1];
        }
    sws_freeContext(t->sws);
    t->layout = (struct layout){ 0 };
    // Whether it can be done at all is tried with one thread: with several swscale loses memory when it cannot.
    t->sws = begin_scaling(want, format, 1);
    bool possible = t->sws != NULL;
    sws_freeContext(t->sws);
    t->sws = possible ? begin_scaling(want, format, 0) : NULL;
    if (!t->sws)
        return rs_fail(why, RS_ELIB, "swscale cannot convert pictures of %d x %d to %d x %d", want->in_width,
                       want->in_height, want->out_width, want->out_height);
    // Grey and RGB have no matrix, and swscale says so by a code that may be ignored.
    sws_setColorspaceDetails(t->sws, sws_getCoefficients(want->space), full, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
                             1 << 16, 1 << 16);
    av_frame_free(&t->rows);
    t->rows = av_frame_alloc();
    if (t->rows) {
        t->rows->format = AV_PIX_FMT_BGR24;
        t->rows->width = want->out_width + ROOM_PX;
        t->rows->height = want->out_height + 1;
    }
    if (!t->rows || av_frame_get_buffer(t->rows, 0) < 0)
        return rs_fail(why, RS_ENOMEM, "no memory to convert pictures");
    t->rows->width = want->out_width;
    t->rows->height = want->out_height;
    t->layout = *want;
    return 0;
}

int to_bgr_convert(struct frame *out, struct to_bgr *t, const struct AVFrame *in, struct fail *why)
{
    const struct layout want = { in->width,           in->height, in->format, (int)in->color_range,
                                 (int)in->colorspace, out->width, out->height };
    int rc = memcmp(&want, &t->layout, sizeof want) == 0 ? 0 : prepare(t, &want, why);
    if (rc < 0)
        return rc;
    if (sws_scale_frame(t->sws, t->rows, in) < 0)
        return rs_fail(why, RS_ELIB, "swscale left a picture unfinished");
    size_t row = 3 * (size_t)out->width;
    for (int y = 0; y < out->height; y++)
        memcpy(out->bgr + (size_t)y * row, t->rows->data[0] + (size_t)y * (size_t)t->rows->linesize[0], row);
    return 0;
}
