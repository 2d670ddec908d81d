// SPDX-License-Identifier: MIT
#include "vision/source/complaints.h"

#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

// Errors; and what says less loudly that a picture is missing or was made up.
static bool complains(int level, const char *format)
{
    static const char *const quiet[] = { "concealing", "Frame num gap", "File ended" };
    bool found = level <= AV_LOG_ERROR;
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0] && !found; i++)
        found = strncmp(format, quiet[i], strlen(quiet[i])) == 0;
    return found;
}

static void note(void *context, int level, const char *format, va_list arguments)
{
    struct complaints *c = NULL;
    (void)arguments;
    if (!context)
        return;
    const AVClass *class = *(const AVClass **)context;
    if (class == avcodec_get_class())
        c = ((AVCodecContext *)context)->opaque;
    else if (class == avformat_get_class())
        c = ((AVFormatContext *)context)->opaque;
    if (c && complains(level, format))
        atomic_store(&c->any, true);
}

void complaints_listen(void)
{
    av_log_set_callback(note);
}

bool complaints_taken(struct complaints *c)
{
    return atomic_exchange(&c->any, false);
}
