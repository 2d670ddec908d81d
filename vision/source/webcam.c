// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "calibration/units.h"
#include "vision/source/unpack.h"

enum { BUFFERS = 4 }; // one is filled, one is read, two for the time when the reader is late
enum { BEST_WIDTH = 1920, BEST_HEIGHT = 1080, BEST_RATE = 30 }; // what a webcam sends over USB without falling behind
enum { ROW_BYTES_MAX = 8 * FRAME_MAX_SIDE_PX };                 // no format has more for a pixel
static const double PATIENCE_S = 5.0;                           // a slow camera sends its first picture after 2 to 3 s

// In the order of our liking. The last one libv4l makes from whatever else a camera speaks.
static const struct speech {
    uint32_t fourcc;
    enum encoding encoding;
} speeches[] = {
    { V4L2_PIX_FMT_MJPEG, ENCODED_JPEG },
    { V4L2_PIX_FMT_JPEG, ENCODED_JPEG },
    { V4L2_PIX_FMT_YUYV, ENCODED_YUYV },
    { V4L2_PIX_FMT_BGR24, ENCODED_BGR },
};

struct webcam {
    struct source base;
    int fd;
    const struct speech *speech;
    int stride; // bytes of a row, raw formats
    struct {
        void *start;
        size_t length;
    } buffers[BUFFERS];
    unsigned count;
    struct unpacker *unpacker;
    double first_s, last_s;
    uint32_t sequence; // of the last buffer
    long number;
};

// A signal may interrupt any call to a driver.
static int ask(int fd, unsigned long request, void *argument)
{
    int rc;
    do
        rc = v4l2_ioctl(fd, request, argument);
    while (rc < 0 && errno == EINTR);
    return rc;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int refuse(const char *device, int error, struct fail *why)
{
    if (error == ENOENT || error == ENXIO || error == ENODEV)
        return rs_fail(why, RS_EIO, "%s: there is no such camera; plug it in, then `ls /dev/video*` lists them",
                       device);
    if (error == EACCES || error == EPERM)
        return rs_fail(why, RS_EIO, "%s: no permission; `sudo usermod -aG video $USER`, then log in again", device);
    if (error == EBUSY)
        return rs_fail(why, RS_EIO, "%s: another program uses the camera; close that one first", device);
    return rs_fail(why, RS_EIO, "%s: the camera does not start: %s", device, strerror(error));
}

// Asks the kernel directly: libv4l would write its own complaints about what is no camera to the terminal.
static int open_device(struct webcam *w, const char *device, struct fail *why)
{
    struct stat st;
    struct v4l2_capability can = { 0 };
    if (stat(device, &st) != 0)
        return refuse(device, errno, why);
    if (!S_ISCHR(st.st_mode))
        return rs_fail(why, RS_EIO, "%s: not a camera; cameras are /dev/video0 and the like", device);
    w->fd = open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (w->fd < 0)
        return refuse(device, errno, why);
    if (ioctl(w->fd, VIDIOC_QUERYCAP, &can) != 0)
        return rs_fail(why, RS_EIO, "%s: not a camera; cameras are /dev/video0 and the like", device);
    uint32_t caps = can.capabilities & V4L2_CAP_DEVICE_CAPS ? can.device_caps : can.capabilities;
    if (!(caps & V4L2_CAP_VIDEO_CAPTURE) || !(caps & V4L2_CAP_STREAMING))
        return rs_fail(why, RS_EIO, "%s: this part of %s gives no pictures; try another /dev/video", device,
                       (const char *)can.card);
    source_set_name(&w->base, (const char *)can.card);
    snprintf(w->base.info.card, sizeof w->base.info.card, "%.*s", (int)sizeof can.card, (const char *)can.card);
    snprintf(w->base.info.bus, sizeof w->base.info.bus, "%.*s", (int)sizeof can.bus_info, (const char *)can.bus_info);
    struct v4l2_format as_it_is = { .type = V4L2_BUF_TYPE_VIDEO_CAPTURE };
    if (ioctl(w->fd, VIDIOC_G_FMT, &as_it_is) == 0 && ioctl(w->fd, VIDIOC_S_FMT, &as_it_is) != 0 && errno == EBUSY)
        return refuse(device, EBUSY, why);
    if (v4l2_fd_open(w->fd, 0) < 0)
        return refuse(device, errno, why);
    return 0;
}

static int choose_format(struct webcam *w, const char *device, const struct camera_wish *wish, struct fail *why)
{
    struct v4l2_format f = { 0 };
    for (size_t i = 0; i < countof(speeches) && !w->speech; i++) {
        f = (struct v4l2_format){ .type = V4L2_BUF_TYPE_VIDEO_CAPTURE };
        f.fmt.pix.width = (uint32_t)(wish->width > 0 ? wish->width : BEST_WIDTH);
        f.fmt.pix.height = (uint32_t)(wish->height > 0 ? wish->height : BEST_HEIGHT);
        f.fmt.pix.pixelformat = speeches[i].fourcc;
        f.fmt.pix.field = V4L2_FIELD_NONE;
        int rc = ask(w->fd, VIDIOC_S_FMT, &f);
        if (rc != 0 && errno == EBUSY)
            return refuse(device, EBUSY, why);
        if (rc == 0 && f.fmt.pix.pixelformat == speeches[i].fourcc)
            w->speech = &speeches[i];
    }
    if (!w->speech)
        return rs_fail(why, RS_EIO, "%s: the camera offers neither MJPEG nor YUYV nor what libv4l converts", device);
    if (f.fmt.pix.width < 1 || f.fmt.pix.width > FRAME_MAX_SIDE_PX || f.fmt.pix.height < 1 ||
        f.fmt.pix.height > FRAME_MAX_SIDE_PX)
        return rs_fail(why, RS_EIO, "%s: the camera offers pictures of %u x %u pixels", device, f.fmt.pix.width,
                       f.fmt.pix.height);
    w->base.info.width = (int)f.fmt.pix.width;
    w->base.info.height = (int)f.fmt.pix.height;
    // A row of fewer bytes than its pixels have, or of more than any has, is a driver's slip: it would be read beyond.
    bool raw = w->speech->encoding != ENCODED_JPEG;
    int row = unpacked_row_bytes(w->speech->encoding, w->base.info.width);
    if (raw && (row < 0 || f.fmt.pix.bytesperline < (uint32_t)row || f.fmt.pix.bytesperline > ROW_BYTES_MAX))
        return rs_fail(why, RS_EIO, "%s: the camera offers rows of %u bytes for %d pixels", device,
                       f.fmt.pix.bytesperline, w->base.info.width);
    w->stride = (int)f.fmt.pix.bytesperline;
    // What the camera makes of the wished rate is its own affair; the buffers' times say what came.
    struct v4l2_streamparm p = { .type = V4L2_BUF_TYPE_VIDEO_CAPTURE };
    double rate = wish->frames_per_s > 0 ? wish->frames_per_s : BEST_RATE;
    p.parm.capture.timeperframe = (struct v4l2_fract){ 1000, (uint32_t)lround(fmin(rate, 1e6) * 1000) };
    if (ask(w->fd, VIDIOC_S_PARM, &p) == 0 && p.parm.capture.timeperframe.numerator > 0)
        w->base.info.frames_per_s =
            (double)p.parm.capture.timeperframe.denominator / p.parm.capture.timeperframe.numerator;
    return 0;
}

static int start(struct webcam *w, const char *device, struct fail *why)
{
    struct v4l2_requestbuffers want = { .count = BUFFERS,
                                        .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
                                        .memory = V4L2_MEMORY_MMAP };
    if (ask(w->fd, VIDIOC_REQBUFS, &want) != 0)
        return refuse(device, errno, why);
    for (unsigned i = 0; i < want.count && i < BUFFERS; i++) {
        struct v4l2_buffer b = { .index = i, .type = want.type, .memory = want.memory };
        if (ask(w->fd, VIDIOC_QUERYBUF, &b) != 0)
            return refuse(device, errno, why);
        void *at = v4l2_mmap(NULL, b.length, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, b.m.offset);
        if (at == MAP_FAILED)
            return refuse(device, errno, why);
        w->buffers[w->count].start = at;
        w->buffers[w->count++].length = b.length;
        if (ask(w->fd, VIDIOC_QBUF, &b) != 0)
            return refuse(device, errno, why);
    }
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (w->count == 0 || ask(w->fd, VIDIOC_STREAMON, &type) != 0)
        return refuse(device, w->count ? errno : ENOMEM, why);
    return 0;
}

// A frame of the size that was agreed on, or an error, after which the frame counts as lost.
static int convert(struct webcam *w, struct frame **out, const struct v4l2_buffer *b, struct fail *why)
{
    struct encoded *e = NULL;
    size_t size = b->bytesused < w->buffers[b->index].length ? b->bytesused : w->buffers[b->index].length;
    if (b->flags & V4L2_BUF_FLAG_ERROR)
        return rs_fail(why, RS_EINPUT, "the driver calls the picture damaged");
    int rc = encoded_create(&e, size, why);
    if (rc < 0)
        return rc;
    double t_s = (double)b->timestamp.tv_sec + (double)b->timestamp.tv_usec * 1e-6;
    if (t_s <= 0) // a driver without a clock
        t_s = now_s();
    if (w->number == 0)
        w->first_s = t_s;
    e->encoding = w->speech->encoding;
    e->width = w->base.info.width;
    e->height = w->base.info.height;
    e->stride = e->encoding == ENCODED_JPEG ? 0 : w->stride;
    e->t_s = fmax(t_s - w->first_s, w->last_s);
    e->sequence = (long)b->sequence;
    memcpy(e->bytes, w->buffers[b->index].start, size);
    rc = unpack(w->unpacker, out, e, why);
    encoded_release(e);
    return rc;
}

static int webcam_next(struct source *s, struct frame **out, struct fail *why)
{
    struct webcam *w = (struct webcam *)s;
    struct fail lost = { 0 };
    for (double until = now_s() + PATIENCE_S; now_s() < until;) {
        struct v4l2_buffer b = { .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP };
        fd_set ready;
        FD_ZERO(&ready);
        FD_SET(w->fd, &ready);
        double left = fmax(until - now_s(), 0);
        struct timeval wait = { (time_t)left, (suseconds_t)((left - floor(left)) * 1e6) };
        int rc = select(w->fd + 1, &ready, NULL, NULL, &wait);
        if (rc < 0 && errno != EINTR)
            return rs_fail(why, RS_EIO, "%s: the camera is gone: %s", s->info.name, strerror(errno));
        if (rc <= 0)
            continue;
        if (ask(w->fd, VIDIOC_DQBUF, &b) != 0) {
            if (errno == EAGAIN || errno == EIO) // EIO: the signal was lost for a moment, says the V4L2 manual
                continue;
            return rs_fail(why, RS_EIO, "%s: the camera is gone: %s; plug it in and start again", s->info.name,
                           strerror(errno));
        }
        if (b.index >= w->count)
            return rs_fail(why, RS_EIO, "%s: the driver gave a buffer that does not exist", s->info.name);
        if (w->number > 0 && b.sequence > w->sequence + 1)
            s->info.dropped += (long)(b.sequence - w->sequence - 1);
        w->sequence = b.sequence;
        rc = convert(w, out, &b, &lost);
        if (rc == 0) {
            w->last_s = (*out)->t_s;
            (*out)->number = w->number++;
        } else {
            s->info.dropped++;
        }
        if (ask(w->fd, VIDIOC_QBUF, &b) != 0 && rc < 0)
            return rs_fail(why, RS_EIO, "%s: the camera is gone: %s", s->info.name, strerror(errno));
        if (rc == RS_ENOMEM)
            return rs_fail(why, rc, "%s: %s", s->info.name, lost.text);
        if (rc == 0)
            return 1;
    }
    return rs_fail(why, RS_EIO, "%s: no picture for %g s; plug the camera in again or close what else uses it",
                   s->info.name, PATIENCE_S);
}

static void webcam_close(struct source *s)
{
    struct webcam *w = (struct webcam *)s;
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (w->count)
        ask(w->fd, VIDIOC_STREAMOFF, &type);
    for (unsigned i = 0; i < w->count; i++)
        v4l2_munmap(w->buffers[i].start, w->buffers[i].length);
    if (w->fd >= 0)
        v4l2_close(w->fd);
    unpacker_free(w->unpacker);
}

static const struct source_kind webcam_kind = { webcam_next, webcam_close };

int webcam_open(struct source **out, const char *device, const struct camera_wish *wish, struct fail *why)
{
    struct webcam *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory for a camera");
    w->base.kind = &webcam_kind;
    w->fd = -1;
    int rc = unpacker_create(&w->unpacker, why);
    if (rc == 0)
        rc = open_device(w, device, why);
    if (rc == 0)
        rc = choose_format(w, device, wish, why);
    if (rc == 0)
        rc = start(w, device, why);
    if (rc < 0) {
        source_close(&w->base);
        return rc;
    }
    *out = &w->base;
    return 0;
}
