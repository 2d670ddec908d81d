// SPDX-License-Identifier: MIT
// What a camera and its driver hand to us: formats, sizes, controls, buffers, times and pictures of whatever kind.
//
// There is no camera: another system answers in the place of the computer's, and the bytes choose what. Its clock goes
// on only where something is waited for. No search shall ever switch a real camera on: whatever else opens one is
// refused (-Wl,--wrap=open).
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "tests/fuzz/frames_checks.h"
#include "tests/fuzz/fuzz.h"
#include "vision/source/camera_system.h"
#include "vision/source/source.h"

enum { FRAMES_MAX = 16, MAPS_MAX = 16, BUFFER_BYTES_MAX = 1 << 16 };

static const uint32_t speaks[] = { V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_JPEG, V4L2_PIX_FMT_YUYV,
                                   V4L2_PIX_FMT_BGR24, V4L2_PIX_FMT_NV12, V4L2_PIX_FMT_GREY,
                                   V4L2_PIX_FMT_NV12M, V4L2_PIX_FMT_H264, 0 };

struct driver {
    struct fuzz_choices c;
    uint32_t fourcc, row_fourcc;
    uint32_t width, height, stride;
    struct map {
        void *at; // of malloc, so that what is read behind its end is seen
        size_t length;
    } map[MAPS_MAX];
    int maps;
    uint32_t filled, sequence;
    double now_s, slept_s;
    bool planes;
};

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (strncmp(path, "/dev/video", 10) == 0) {
        errno = ENODEV;
        return -1;
    }
    return __real_open(path, flags, mode);
}

static int fails(struct driver *d)
{
    static const int errors[] = { ENODEV, EBUSY, EIO, EINVAL, EAGAIN, ENOMEM, EACCES, EPIPE, ENOSPC };
    if (fuzz_below(&d->c, 32) != 1)
        return 0;
    errno = errors[fuzz_below(&d->c, countof(errors))];
    return -1;
}

static uint32_t any_side(struct driver *d, uint32_t wished)
{
    static const uint32_t wild[] = { 0, 1, 2, 3, 16384, 16385, UINT32_MAX, 1920 };
    uint32_t kind = fuzz_below(&d->c, 32);
    return kind == 31 ? wished : kind < countof(wild) ? wild[kind] : fuzz_below(&d->c, 64) + 1;
}

// A driver answers with what it can.
static int set_format(struct driver *d, struct v4l2_format *f)
{
    d->planes = f->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
    struct v4l2_pix_format *p = &f->fmt.pix;
    struct v4l2_pix_format_mplane *m = &f->fmt.pix_mp;
    d->fourcc = d->planes ? m->pixelformat : p->pixelformat;
    if (fuzz_below(&d->c, 16) == 1)
        d->fourcc = speaks[fuzz_below(&d->c, countof(speaks))];
    d->width = any_side(d, d->planes ? m->width : p->width);
    d->height = any_side(d, d->planes ? m->height : p->height);
    uint32_t honest = d->width * (d->fourcc == V4L2_PIX_FMT_BGR24 ? 3 : 2), lie = fuzz_below(&d->c, 8);
    d->stride = lie == 1 ? 0 : lie == 2 ? fuzz_below(&d->c, 256) : lie == 3 ? UINT32_MAX : honest;
    if (d->planes) {
        m->pixelformat = d->fourcc;
        m->width = d->width;
        m->height = d->height;
        m->num_planes = (uint8_t)(fuzz_below(&d->c, 8) == 1         ? fuzz_below(&d->c, 9)
                                  : d->fourcc == V4L2_PIX_FMT_NV12M ? 2
                                                                    : 1);
        m->plane_fmt[0].bytesperline = d->stride;
        m->plane_fmt[1].bytesperline = fuzz_below(&d->c, 8) == 1 ? fuzz_below(&d->c, 256) : d->stride;
    } else {
        p->pixelformat = d->fourcc;
        p->width = d->width;
        p->height = d->height;
        p->bytesperline = d->stride;
        p->sizeimage = p->bytesperline * p->height;
    }
    return fails(d);
}

// What the bytes hold from here on, or so many rows as there should be, or some fewer.
static void fill(struct driver *d, struct v4l2_buffer *b)
{
    int parts = d->planes && d->fourcc == V4L2_PIX_FMT_NV12M ? 2 : 1, sets = d->maps / parts;
    uint32_t index = sets > 0 ? d->filled++ % (uint32_t)sets : 0;
    struct map none = { NULL, 0 }, *to = sets > 0 ? &d->map[(int)index * parts] : &none;
    size_t room = to->length, honest = (size_t)d->stride * d->height;
    size_t wanted = fuzz_below(&d->c, 1 << 16);
    uint32_t kind = fuzz_below(&d->c, 8), used;
    b->index = kind == 1 ? fuzz_below(&d->c, 256) : index;
    if (d->fourcc == V4L2_PIX_FMT_MJPEG || d->fourcc == V4L2_PIX_FMT_JPEG) {
        size_t left = (size_t)(d->c.end - d->c.at), size = wanted < left ? wanted : left;
        size = size < room ? size : room;
        if (size > 0) {
            memcpy(to->at, d->c.at, size);
            d->c.at += size;
        }
        used = (uint32_t)size;
    } else {
        used = (uint32_t)(honest < room ? honest : room);
        if (room > 0)
            memset(to->at, (int)(wanted & 0xff), room);
    }
    if (kind == 2)
        used = fuzz_below(&d->c, 2) ? UINT32_MAX : (uint32_t)wanted;
    b->bytesused = used;
    if (d->planes)
        for (int i = 0; i < parts; i++) {
            b->m.planes[i].bytesused = used;
            b->m.planes[i].data_offset = fuzz_below(&d->c, 8) == 1 ? fuzz_below(&d->c, 1 << 16) : 0;
        }
    b->flags = kind == 3 ? V4L2_BUF_FLAG_ERROR : kind == 7 ? 0 : V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    d->sequence += kind == 4 ? fuzz_below(&d->c, 1 << 16) - 100 : 1;
    b->sequence = d->sequence;
    b->timestamp.tv_sec = (time_t)d->now_s + (kind == 5 ? (time_t)fuzz_below(&d->c, 1 << 24) - 1000 : 0);
    b->timestamp.tv_usec = kind == 6 ? (suseconds_t)fuzz_below(&d->c, 1 << 24) - 1000 : 40000;
}

static void any_text(struct driver *d, void *out, size_t size) // a driver fills all of it, with an end or without
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)out)[i] = (uint8_t)fuzz_below(&d->c, 256);
}

static int list_something(struct driver *d, unsigned long request, void *argument)
{
    struct v4l2_fmtdesc *format = argument;
    struct v4l2_frmsizeenum *size = argument;
    struct v4l2_frmivalenum *rate = argument;
    struct v4l2_query_ext_ctrl *control = argument;
    if (d->c.at >= d->c.end || fuzz_below(&d->c, 4) == 1) {
        errno = EINVAL; // the list ends
        return -1;
    }
    switch (request) {
    case VIDIOC_ENUM_FMT:
        d->row_fourcc = format->pixelformat = speaks[fuzz_below(&d->c, countof(speaks))];
        return 0;
    case VIDIOC_ENUM_FRAMESIZES:
        size->type = fuzz_below(&d->c, 8) == 1 ? V4L2_FRMSIZE_TYPE_STEPWISE : V4L2_FRMSIZE_TYPE_DISCRETE;
        size->stepwise.min_width = any_side(d, 32); // discrete: its width and ...
        size->stepwise.max_width = any_side(d, 24); // ... its height
        size->stepwise.min_height = any_side(d, 1);
        size->stepwise.max_height = any_side(d, 1920);
        return 0;
    case VIDIOC_ENUM_FRAMEINTERVALS:
        rate->type = fuzz_below(&d->c, 8) == 1 ? V4L2_FRMIVAL_TYPE_STEPWISE : V4L2_FRMIVAL_TYPE_DISCRETE;
        rate->discrete.numerator = fuzz_below(&d->c, 256);
        rate->discrete.denominator = fuzz_below(&d->c, 1 << 16);
        return 0;
    default: {
        static const uint32_t ids[] = { V4L2_CID_EXPOSURE_AUTO, V4L2_CID_EXPOSURE_ABSOLUTE,      V4L2_CID_AUTOGAIN,
                                        V4L2_CID_GAIN,          V4L2_CID_POWER_LINE_FREQUENCY,   V4L2_CID_FOCUS_AUTO,
                                        V4L2_CID_BRIGHTNESS,    V4L2_CID_EXPOSURE_AUTO_PRIORITY, 0 };
        *control =
            (struct v4l2_query_ext_ctrl){ .id = ids[fuzz_below(&d->c, countof(ids))],
                                          .type = fuzz_below(&d->c, 12),
                                          .minimum = (int64_t)fuzz_below(&d->c, 1 << 16) - 100,
                                          .maximum = (int64_t)fuzz_below(&d->c, 1 << 16) << fuzz_below(&d->c, 32),
                                          .step = fuzz_below(&d->c, 4),
                                          .default_value = fuzz_below(&d->c, 1 << 16),
                                          .flags = fuzz_below(&d->c, 256) };
        any_text(d, control->name, sizeof control->name);
        return 0;
    }
    }
}

static int answer(void *self, int fd, unsigned long request, void *argument)
{
    struct driver *d = self;
    struct v4l2_capability *can = argument;
    struct v4l2_requestbuffers *want = argument;
    struct v4l2_streamparm *rate = argument;
    struct v4l2_buffer *b = argument;
    struct v4l2_control *value = argument;
    struct v4l2_querymenu *item = argument;
    struct v4l2_event *event = argument;
    (void)fd;
    switch (request) {
    case VIDIOC_QUERYCAP: {
        any_text(d, can->card, sizeof can->card);
        any_text(d, can->bus_info, sizeof can->bus_info);
        bool planes = fuzz_below(&d->c, 4) == 1;
        can->capabilities =
            fuzz_below(&d->c, 32) == 1
                ? fuzz_below(&d->c, 1 << 16)
                : (planes ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE) | V4L2_CAP_STREAMING;
        return fails(d);
    }
    case VIDIOC_ENUM_FMT:
    case VIDIOC_ENUM_FRAMESIZES:
    case VIDIOC_ENUM_FRAMEINTERVALS:
    case VIDIOC_QUERY_EXT_CTRL:
        return list_something(d, request, argument);
    case VIDIOC_QUERYMENU:
        any_text(d, item->name, sizeof item->name);
        return fails(d);
    case VIDIOC_G_CTRL:
        value->value = (int32_t)fuzz_below(&d->c, 1 << 24) - 1000;
        return fails(d);
    case VIDIOC_S_FMT:
        return set_format(d, argument);
    case VIDIOC_S_PARM:
    case VIDIOC_G_PARM:
        rate->parm.capture.timeperframe.numerator = fuzz_below(&d->c, 256);
        rate->parm.capture.timeperframe.denominator = fuzz_below(&d->c, 1 << 16);
        return fails(d);
    case VIDIOC_REQBUFS:
        want->count = fuzz_below(&d->c, 8);
        return fails(d);
    case VIDIOC_QUERYBUF: { // as large as it promised, or less
        uint32_t length = d->fourcc == V4L2_PIX_FMT_MJPEG || d->fourcc == V4L2_PIX_FMT_JPEG
                              ? BUFFER_BYTES_MAX
                              : d->stride * d->height % BUFFER_BYTES_MAX;
        length = fuzz_below(&d->c, 16) == 1 ? fuzz_below(&d->c, BUFFER_BYTES_MAX) : length;
        length = length > 0 ? length : 1;
        if (d->planes)
            b->m.planes[0].length = b->m.planes[1].length = length;
        else
            b->length = length;
        return fails(d);
    }
    case VIDIOC_DQEVENT:
        event->type = V4L2_EVENT_SOURCE_CHANGE;
        event->u.src_change.changes = fuzz_below(&d->c, 2);
        return fails(d);
    case VIDIOC_DQBUF:
        if (d->c.at >= d->c.end) {
            errno = ENODEV; // pulled out
            return -1;
        }
        fill(d, b);
        return fails(d);
    default:
        return fails(d);
    }
}

static int any_nodes(void *self, int *out, int most)
{
    struct driver *d = self;
    int count = (int)fuzz_below(&d->c, 4);
    for (int i = 0; i < count && i < most; i++)
        out[i] = i;
    return count < most ? count : most;
}

static int open_it(void *self, const char *path)
{
    (void)path;
    return fails(self) == 0 ? 100 : -1;
}

static int convert_it(void *self, int fd)
{
    (void)fd;
    return fails(self);
}

static void *map_it(void *self, int fd, size_t length, int64_t offset)
{
    struct driver *d = self;
    (void)fd, (void)offset;
    fuzz_must(d->maps < MAPS_MAX, "no more buffers are mapped than were asked for");
    d->map[d->maps++] = (struct map){ calloc(1, length), length };
    return d->map[d->maps - 1].at;
}

static void unmap_it(void *self, void *at, size_t length)
{
    struct driver *d = self;
    int i = 0;
    while (i < d->maps && d->map[i].at != at)
        i++;
    fuzz_must(i < d->maps && d->map[i].length == length, "what is given back was mapped");
    free(at);
    memmove(&d->map[i], &d->map[i + 1], (size_t)(--d->maps - i) * sizeof d->map[0]);
}

static int poll_it(void *self, int fd, int wait_ms)
{
    static const int events[] = { POLLIN,  POLLIN,  POLLIN,  POLLIN, POLLIN, POLLIN | POLLERR,
                                  POLLPRI, POLLERR, POLLHUP, -1,     0 };
    struct driver *d = self;
    uint32_t kind = fd < 0 ? countof(events) - 1 : fuzz_below(&d->c, countof(events));
    d->now_s += events[kind] == 0 ? wait_ms * 1e-3 : 0.03;
    d->slept_s += fuzz_below(&d->c, 64) == 1 ? fuzz_below(&d->c, 10000) : 0;
    return events[kind];
}

static void close_it(void *self, int fd)
{
    (void)self, (void)fd;
}

static double awake_s(void *self)
{
    return ((struct driver *)self)->now_s;
}

static double booted_s(void *self)
{
    return ((struct driver *)self)->now_s + ((struct driver *)self)->slept_s;
}

void fuzz_camera(const uint8_t *data, size_t size)
{
    struct driver d = { .c = { data, data + size }, .now_s = 1000 };
    const struct camera_system system = { &d,       any_nodes, open_it,  convert_it, answer,  map_it,
                                          unmap_it, poll_it,   close_it, awake_s,    booted_s };
    static const char *const settings[] = { "brightness=5", "exposure=80", "gain", "x=99999999999" };
    struct source *s = NULL;
    struct fail why;
    const char *control = settings[fuzz_below(&d.c, countof(settings))];
    struct camera_wish wish = { .width = 32, .height = 24, .control = &control, .controls = fuzz_below(&d.c, 8) == 1 };
    const char *named = fuzz_below(&d.c, 4) == 1 ? "" : "/dev/video0";
    if (!fuzz_refused(webcam_open(&s, &system, named, &wish, &why), &why)) {
        if (fuzz_below(&d.c, 2) == 1)
            source_hold_picture(s);
        frames_check(s, FRAMES_MAX);
        while (source_notice(s, &why))
            fuzz_must(why.text[0], "a notice has words");
    }
    source_close(s);
    fuzz_must(d.maps == 0, "every buffer is given back");
}
