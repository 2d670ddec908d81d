// SPDX-License-Identifier: MIT
// What a camera and its driver hand to us: formats, buffers, times and pictures of whatever kind.
//
// There is no camera: the linker puts the functions below in the place of the system's and libv4l's (-Wl,--wrap), and the
// bytes choose what they answer. The device is /dev/null, which is at least a character device.
#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>

#include "calibration/units.h"
#include "tests/fuzz/frames_checks.h"
#include "tests/fuzz/fuzz.h"

enum { FRAMES_MAX = 16, BUFFERS_MAX = 8, BUFFER_BYTES_MAX = 1 << 16 };

static struct driver {
    struct fuzz_choices c;
    uint32_t fourcc;
    uint32_t width, height, stride;
    int mapped;
    void *buffer[BUFFERS_MAX]; // of malloc, so that what is read behind its end is seen
    size_t length[BUFFERS_MAX];
    uint32_t filled, sequence;
} * driver; // NULL: the system's own

int __real_open(const char *path, int flags, ...);
int __real_ioctl(int fd, unsigned long request, ...);
int __real_select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *wait);
int __real_v4l2_fd_open(int fd, int flags);
int __real_v4l2_ioctl(int fd, unsigned long request, ...);
int __real_v4l2_close(int fd);
void *__real_v4l2_mmap(void *at, size_t length, int protection, int flags, int fd, int64_t offset);
int __real_v4l2_munmap(void *at, size_t length);
int __wrap_open(const char *path, int flags, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *wait);
int __wrap_v4l2_fd_open(int fd, int flags);
int __wrap_v4l2_ioctl(int fd, unsigned long request, ...);
int __wrap_v4l2_close(int fd);
void *__wrap_v4l2_mmap(void *at, size_t length, int protection, int flags, int fd, int64_t offset);
int __wrap_v4l2_munmap(void *at, size_t length);

// No search shall ever switch a real camera on.
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

static int fails(void)
{
    static const int errors[] = { ENODEV, EBUSY, EIO, EINVAL, EAGAIN, ENOMEM, EACCES };
    if (fuzz_below(&driver->c, 32) != 1)
        return 0;
    errno = errors[fuzz_below(&driver->c, countof(errors))];
    return -1;
}

static uint32_t any_side(uint32_t wished)
{
    static const uint32_t wild[] = { 0, 1, 2, 3, 16384, 16385, UINT32_MAX, 1920 };
    uint32_t kind = fuzz_below(&driver->c, 32);
    return kind == 31 ? wished : kind < countof(wild) ? wild[kind] : fuzz_below(&driver->c, 64) + 1;
}

static int set_format(struct v4l2_format *f)
{
    static const uint32_t speaks[] = { V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_JPEG, V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_BGR24,
                                       V4L2_PIX_FMT_NV12,  V4L2_PIX_FMT_GREY, V4L2_PIX_FMT_H264, 0 };
    struct v4l2_pix_format *p = &f->fmt.pix;
    if (driver->fourcc == 0)
        driver->fourcc = speaks[fuzz_below(&driver->c, countof(speaks))];
    p->pixelformat = driver->fourcc; // a driver answers with what it can
    p->width = driver->width = any_side(p->width);
    p->height = driver->height = any_side(p->height);
    uint32_t honest = p->width * (driver->fourcc == V4L2_PIX_FMT_BGR24 ? 3 : 2), lie = fuzz_below(&driver->c, 8);
    p->bytesperline = lie == 1 ? 0 : lie == 2 ? fuzz_below(&driver->c, 256) : lie == 3 ? UINT32_MAX : honest;
    driver->stride = p->bytesperline;
    p->sizeimage = p->bytesperline * p->height;
    return fails();
}

// What the bytes hold from here on, or so many rows as there should be, or some fewer.
static void fill(struct v4l2_buffer *b)
{
    uint32_t index = driver->filled++ % (uint32_t)driver->mapped;
    size_t room = driver->length[index], honest = (size_t)driver->stride * driver->height;
    size_t wanted = fuzz_below(&driver->c, 1 << 16);
    uint32_t kind = fuzz_below(&driver->c, 8);
    b->index = index;
    if (kind == 1)
        b->index = fuzz_below(&driver->c, 256);
    if (driver->fourcc == V4L2_PIX_FMT_MJPEG || driver->fourcc == V4L2_PIX_FMT_JPEG) {
        size_t left = (size_t)(driver->c.end - driver->c.at), used = wanted < left ? wanted : left;
        used = used < room ? used : room;
        memcpy(driver->buffer[index], driver->c.at, used);
        driver->c.at += used;
        b->bytesused = (uint32_t)used;
    } else {
        b->bytesused = (uint32_t)(honest < room ? honest : room);
        memset(driver->buffer[index], (int)(wanted & 0xff), room);
    }
    if (kind == 2)
        b->bytesused = fuzz_below(&driver->c, 2) ? UINT32_MAX : (uint32_t)wanted;
    b->flags = kind == 3 ? V4L2_BUF_FLAG_ERROR : 0;
    driver->sequence += kind == 4 ? fuzz_below(&driver->c, 1 << 16) - 100 : 1;
    b->sequence = driver->sequence;
    b->timestamp.tv_sec = kind == 5 ? (time_t)fuzz_below(&driver->c, 1 << 24) - 1000 : (time_t)driver->sequence % 1000;
    b->timestamp.tv_usec = kind == 6 ? (suseconds_t)fuzz_below(&driver->c, 1 << 24) - 1000 : 40000;
}

static int answer(unsigned long request, void *argument)
{
    struct v4l2_capability *can = argument;
    struct v4l2_requestbuffers *want = argument;
    struct v4l2_streamparm *rate = argument;
    struct v4l2_buffer *b = argument;
    switch (request) {
    case VIDIOC_QUERYCAP: // a driver fills all of it, with an end or without
        for (size_t i = 0; i < sizeof can->card; i++)
            can->card[i] = (uint8_t)fuzz_below(&driver->c, 256);
        for (size_t i = 0; i < sizeof can->bus_info; i++)
            can->bus_info[i] = (uint8_t)fuzz_below(&driver->c, 256);
        can->capabilities = fuzz_below(&driver->c, 32) == 1 ? 0 : V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        return fails();
    case VIDIOC_S_FMT:
        return set_format(argument);
    case VIDIOC_S_PARM:
        rate->parm.capture.timeperframe.numerator = fuzz_below(&driver->c, 256);
        rate->parm.capture.timeperframe.denominator = fuzz_below(&driver->c, 1 << 16);
        return fails();
    case VIDIOC_REQBUFS:
        want->count = fuzz_below(&driver->c, BUFFERS_MAX);
        return fails();
    case VIDIOC_QUERYBUF: // as large as it promised, or less
        b->length = driver->fourcc == V4L2_PIX_FMT_MJPEG || driver->fourcc == V4L2_PIX_FMT_JPEG
                        ? BUFFER_BYTES_MAX
                        : driver->stride * driver->height % BUFFER_BYTES_MAX;
        b->length = fuzz_below(&driver->c, 16) == 1 ? fuzz_below(&driver->c, BUFFER_BYTES_MAX) : b->length;
        b->length = b->length > 0 ? b->length : 1;
        return fails();
    case VIDIOC_DQBUF:
        if (driver->c.at >= driver->c.end) {
            errno = ENODEV; // pulled out
            return -1;
        }
        fill(b);
        return fails();
    default:
        return fails();
    }
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    return driver ? answer(request, argument) : __real_ioctl(fd, request, argument);
}

int __wrap_v4l2_ioctl(int fd, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    return driver ? answer(request, argument) : __real_v4l2_ioctl(fd, request, argument);
}

int __wrap_select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *wait)
{
    return driver ? 1 : __real_select(n, in, out, other, wait);
}

int __wrap_v4l2_fd_open(int fd, int flags)
{
    return driver ? (fails() == 0 ? fd : -1) : __real_v4l2_fd_open(fd, flags);
}

int __wrap_v4l2_close(int fd)
{
    return __real_v4l2_close(fd);
}

void *__wrap_v4l2_mmap(void *at, size_t length, int protection, int flags, int fd, int64_t offset)
{
    if (!driver)
        return __real_v4l2_mmap(at, length, protection, flags, fd, offset);
    fuzz_must(driver->mapped < BUFFERS_MAX, "no more buffers are mapped than were asked for");
    void *made = calloc(1, length);
    driver->buffer[driver->mapped] = made;
    driver->length[driver->mapped++] = length;
    return made;
}

int __wrap_v4l2_munmap(void *at, size_t length)
{
    if (!driver)
        return __real_v4l2_munmap(at, length);
    free(at);
    return 0;
}

void fuzz_camera(const uint8_t *data, size_t size)
{
    struct driver made = { .c = { data, data + size } };
    struct source *s = NULL;
    struct fail why;
    struct camera_wish wish = { .width = 32, .height = 24 };
    driver = &made;
    if (!fuzz_refused(webcam_open(&s, "/dev/null", &wish, &why), &why))
        frames_check(s, FRAMES_MAX);
    source_close(s);
    driver = NULL;
}
