// SPDX-License-Identifier: MIT
#include "vision/source/codec.h"

#include <errno.h>
#include <string.h>

#include <libavformat/avformat.h>

#include "vision/frame.h"
#include "vision/source/container.h"

// What is logged as one; and what says less loudly that a picture is missing or was made up.
static bool is_error(int level, const char *format)
{
    static const char *const quiet[] = { "concealing", "Frame num gap", "File ended" };
    bool found = level <= AV_LOG_ERROR;
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0] && !found; i++)
        found = strncmp(format, quiet[i], strlen(quiet[i])) == 0;
    return found;
}

static void note(void *context, int level, const char *format, va_list arguments)
{
    struct codec_errors *errors = NULL;
    (void)arguments;
    if (!context)
        return;
    const AVClass *class = *(const AVClass **)context;
    if (class == avcodec_get_class())
        errors = ((AVCodecContext *)context)->opaque;
    else if (class == avformat_get_class())
        errors = ((AVFormatContext *)context)->opaque;
    if (errors && is_error(level, format))
        atomic_store(&errors->any, true);
}

void codec_errors_listen(void)
{
    av_log_set_callback(note);
}

bool codec_errors_taken(struct codec_errors *errors)
{
    return atomic_exchange(&errors->any, false);
}

int codec_open(AVCodecContext **out, const struct codec_wish *wish, struct fail *why)
{
    const AVCodec *codec = avcodec_find_decoder(wish->of->codec_id);
    if (!codec)
        return rs_fail(why, RS_EINPUT, "%s: FFmpeg cannot decode %s here", wish->name,
                       avcodec_get_name(wish->of->codec_id));
    AVCodecContext *c = *out = avcodec_alloc_context3(codec);
    if (!c || avcodec_parameters_to_context(c, wish->of) < 0)
        return rs_fail(why, RS_ENOMEM, "%s: no memory for a decoder", wish->name);
    c->pkt_timebase = wish->time_base;
    c->thread_count = wish->threads;
    c->thread_type = FF_THREAD_SLICE;
    c->err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER;
    c->opaque = wish->errors;
    c->max_pixels = (int64_t)FRAME_MAX_SIDE_PX * FRAME_MAX_SIDE_PX;
    errno = 0;
    int rc = container_result(avcodec_open2(c, codec, NULL));
    return rc >= 0 ? 0
                   : rs_fail(why, container_code(rc, RS_ELIB), "%s: the %s decoder does not start: %s", wish->name,
                             codec->name, av_err2str(rc));
}

int codec_send(AVCodecContext *c, const AVPacket *packet, const char *name, struct fail *why)
{
    errno = 0;
    int rc = container_result(avcodec_send_packet(c, packet));
    return rc == AVERROR(ENOMEM) ? rs_fail(why, RS_ENOMEM, "%s: no memory to decode it", name) : rc < 0;
}

int codec_receive(AVFrame *out, AVCodecContext *c)
{
    errno = 0;
    return container_result(avcodec_receive_frame(c, out));
}
