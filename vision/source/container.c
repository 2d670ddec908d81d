// SPDX-License-Identifier: MIT
#include "vision/source/container.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/units.h"

const char *container_words(char text[AV_ERROR_MAX_STRING_SIZE], int code)
{
    return av_strerror(code, text, AV_ERROR_MAX_STRING_SIZE) == 0 ? text : "unknown error";
}

bool container_system_failed(int code)
{
    static const int known[] = { ENOMEM, EIO,    EACCES, EPERM, ENOENT, EMFILE, ENFILE, EINTR,
                                 ENOSPC, EDQUOT, EFBIG,  EROFS, ENODEV, ENXIO,  EBADF };
    for (size_t i = 0; i < countof(known); i++)
        if (code == AVERROR(known[i]))
            return true;
    return false;
}

int container_open(AVFormatContext **in, AVStream **stream, const char *path, struct fail *why)
{
    char words[AV_ERROR_MAX_STRING_SIZE], url[4096];
    AVDictionary *options = NULL;
    struct stat st;
    av_log_set_level(AV_LOG_QUIET); // what matters comes back as a code
    *in = NULL;
    *stream = NULL;
    // FFmpeg's word for a folder or an empty file ("Invalid data") would help nobody.
    if (stat(path, &st) != 0)
        return rs_fail(why, RS_EIO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return rs_fail(why, RS_EIO, "%s: %s", path, strerror(EISDIR));
    if (S_ISREG(st.st_mode) && st.st_size == 0)
        return rs_fail(why, RS_EINPUT, "%s: the file is empty", path);
    if (snprintf(url, sizeof url, "file:%s", path) >= (int)sizeof url) // a colon in a name is not a protocol
        return rs_fail(why, RS_EINPUT, "%.80s...: the name is too long", path);
    av_dict_set(&options, "protocol_whitelist", "file", 0); // a play list shall not fetch from elsewhere
    int rc = avformat_open_input(in, url, NULL, &options);
    av_dict_free(&options);
    if (rc == AVERROR(ENOMEM))
        return rs_fail(why, RS_ENOMEM, "%s: no memory to open it", path);
    if (container_system_failed(rc))
        return rs_fail(why, RS_EIO, "%s: %s", path, container_words(words, rc));
    if (rc < 0 || strcmp((*in)->iformat->name, "tty") == 0) // FFmpeg would show a text file as a film of letters
        return rs_fail(why, RS_EINPUT, "%s: not a video, or cut off before its first frame", path);
    rc = avformat_find_stream_info(*in, NULL);
    if (rc < 0)
        return rs_fail(why,
                       rc == AVERROR(ENOMEM)         ? RS_ENOMEM
                       : container_system_failed(rc) ? RS_EIO
                                                     : RS_EINPUT,
                       "%s: the video is damaged: %s", path, container_words(words, rc));
    for (unsigned i = 0; i < (*in)->nb_streams; i++) {
        AVStream *s = (*in)->streams[i]; // the cover of a song is a video stream too
        if (!*stream && s->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
            !(s->disposition & AV_DISPOSITION_ATTACHED_PIC))
            *stream = s;
        else
            s->discard = AVDISCARD_ALL;
    }
    return *stream ? 0 : rs_fail(why, RS_EINPUT, "%s: there is no video in it", path);
}
