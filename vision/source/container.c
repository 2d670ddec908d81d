// SPDX-License-Identifier: MIT
#include "vision/source/container.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/avstring.h>

#include "calibration/units.h"
#include "vision/source/source.h"

bool container_system_failed(int code)
{
    static const int known[] = { ENOMEM, EIO,    EACCES, EPERM, ENOENT, EMFILE, ENFILE, EINTR,
                                 ENOSPC, EDQUOT, EFBIG,  EROFS, ENODEV, ENXIO,  EBADF };
    for (size_t i = 0; i < countof(known); i++)
        if (code == AVERROR(known[i]))
            return true;
    return false;
}

int container_result(int code)
{
    return errno == ENOMEM ? AVERROR(ENOMEM) : code; // so the C library tells it
}

int container_code(int code, int otherwise)
{
    return code == AVERROR(ENOMEM) ? RS_ENOMEM : otherwise;
}

// What cameras, phones, programs that record and sites that keep recordings write, by FFmpeg's names. None of them
// shows another file than the one that is given; playlists (hls, dash, concat, sdp), numbered pictures, text and
// devices are not among them.
static const char RECORDINGS[] = "mov,matroska,webm,avi,mpegts,mpeg,mpegvideo,h264,hevc,m4v,mjpeg,flv,asf,ogg,nut,mxf,"
                                 "dv,ivf,obu,yuv4mpegpipe";

// For avformat_open_input: the file that was named, and nothing that is named in it.
static int open_nothing_else(AVFormatContext *in, AVIOContext **io, const char *url, int flags, AVDictionary **options)
{
    return in->pb || strcmp(url, in->url) != 0 ? AVERROR(EPERM)
                                               : avio_open2(io, url, flags, &in->interrupt_callback, options);
}

static int check_file(const char *path, struct fail *why)
{
    struct stat st;
    // FFmpeg's word for a folder or an empty file ("Invalid data") would help nobody.
    if (stat(path, &st) != 0)
        return strstr(path, "://")
                   ? rs_fail(why, RS_EINPUT, "%s: no network address is opened; fetch the file first", path)
                   : rs_fail(why, RS_EIO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return rs_fail(why, RS_EIO, "%s: %s", path, strerror(EISDIR));
    if (S_ISCHR(st.st_mode))
        return rs_fail(why, RS_EINPUT, "%s: a device and no recording; cameras are for watch --camera", path);
    if (!S_ISREG(st.st_mode))
        return rs_fail(why, RS_EINPUT, "%s: not a file; a recording is read from a file alone", path);
    return st.st_size > 0 ? 0 : rs_fail(why, RS_EINPUT, "%s: the file is empty", path);
}

// What the file is, by its content: 0, or a code of FFmpeg's.
static int probe(const AVInputFormat **out, const char *url)
{
    AVIOContext *io = NULL;
    AVDictionary *options = NULL;
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    int rc = avio_open2(&io, url, AVIO_FLAG_READ, NULL, &options);
    av_dict_free(&options);
    if (rc < 0)
        return rc;
    rc = av_probe_input_buffer2(io, out, url, NULL, 0, 0);
    avio_closep(&io);
    return rc;
}

int container_open(AVFormatContext **in, AVStream **stream, const char *path, struct fail *why)
{
    char url[4096];
    const AVInputFormat *format = NULL;
    AVDictionary *options = NULL;
    av_log_set_level(AV_LOG_QUIET); // nothing on the terminal; damage is heard by codec.h
    *in = NULL;
    *stream = NULL;
    int rc = check_file(path, why);
    if (rc < 0)
        return rc;
    if (snprintf(url, sizeof url, "file:%s", path) >= (int)sizeof url) // a colon in a name is not a protocol
        return rs_fail(why, RS_EINPUT, "%.80s...: the name is too long", path);
    errno = 0;
    rc = container_result(probe(&format, url));
    bool recording = rc < 0 || av_match_list(format->name, RECORDINGS, ',') > 0;
    if (!recording && photo_begins(path))
        return rs_fail(why, RS_EINPUT, "%s: a picture, not a video: `ringside look` reads pictures", path);
    if (!recording)
        return rs_fail(
            why, RS_EINPUT,
            "%s: not a video of a kind that is read (mp4, mov, mkv, webm, avi, ts, mpg, flv ...): FFmpeg takes "
            "it for %s; playlists and the like are not opened",
            path, format->name);
    *in = avformat_alloc_context();
    if (rc == AVERROR(ENOMEM) || !*in)
        return rs_fail(why, RS_ENOMEM, "%s: no memory to open it", path);
    (*in)->io_open = open_nothing_else;
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    av_dict_set(&options, "format_whitelist", RECORDINGS, 0);
    if (rc >= 0)
        rc = container_result(avformat_open_input(in, url, format, &options));
    av_dict_free(&options);
    if (rc == AVERROR(ENOMEM))
        return rs_fail(why, RS_ENOMEM, "%s: no memory to open it", path);
    if (container_system_failed(rc))
        return rs_fail(why, RS_EIO, "%s: %s", path, av_err2str(rc));
    if (rc < 0)
        return rs_fail(why, RS_EINPUT, "%s: not a video, or cut off before its first frame", path);
    rc = container_result(avformat_find_stream_info(*in, NULL));
    if (rc < 0)
        return rs_fail(why, container_code(rc, container_system_failed(rc) ? RS_EIO : RS_EINPUT),
                       "%s: the video is damaged: %s", path, av_err2str(rc));
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
