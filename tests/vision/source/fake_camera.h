// SPDX-License-Identifier: MIT
// fake_camera.h: cameras and a driver that are not there, in a time of their own: nothing waits, and every fault can be
// ordered.
//
// A test switches faults on and off between two calls of source_next; time passes only in poll.
#ifndef RINGSIDE_TESTS_VISION_SOURCE_FAKE_CAMERA_H
#define RINGSIDE_TESTS_VISION_SOURCE_FAKE_CAMERA_H

#include <errno.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/source/camera_system.h"
#include "vision/source/jpeg.h"
#include "vision/source/source.h"

enum {
    FAKE_CAMERAS = 3,
    FAKE_MODES = 12,
    FAKE_CONTROLS = 80,
    FAKE_FDS = 64,
    FAKE_LOOKS = 7,
    FAKE_WIDTH = 64,
    FAKE_HEIGHT = 48
};

struct fake_mode {
    uint32_t fourcc;
    int width, height, rate;
};

struct fake_control {
    uint32_t id, type;
    const char *name;
    int least, most, preset, value;
    int automatic_value; // what the control has come to by itself; 0: nothing
};

struct fake_camera {
    bool plugged, busy, planes, any_size;
    int number, plugs; // /dev/videoN; how often it was plugged in
    const char *card, *bus;
    int denied; // errno of open; 0: none
    struct fake_mode mode[FAKE_MODES];
    struct fake_control control[FAKE_CONTROLS];
    struct fake_mode now;
    int stride_more; // bytes of a row beyond its pixels'
};

struct fake {
    struct camera_system system;
    struct fake_camera camera[FAKE_CAMERAS];
    struct fake_fd {
        int camera, plug; // which one it was opened on
        bool open;
    } fd[FAKE_FDS];
    double awake_s, slept_s;
    // The stream of the camera that was started last.
    bool streams, stalled, frozen, truncated, garbage, empty, flagged, other_size, event, clockless, stands, backwards,
        repeats;
    bool takes_other_size; // S_FMT gives another size than asked for
    int mutes;             // DQBUF fails so often with `error`
    int error, on_error;   // of DQBUF; of STREAMON, ...
    int refusals;          // ... so often; 0: always
    int room;              // pictures a second that the plug has room for; 0: any
    int starts, opens, closes, maps, unmaps, converts;
    double next_s;
    uint32_t sequence;
    int cut;  // so many of the next pictures are truncated
    int skip; // pictures that the driver loses next
    int look; // which picture is next
    int queued;
    void *map[8];
    size_t length;
    uint8_t *jpeg[FAKE_LOOKS], *large;
    size_t jpeg_size[FAKE_LOOKS], large_size;
};

static inline struct fake_camera *fake_of(struct fake *f, int fd)
{
    struct fake_fd *d = &f->fd[fd];
    struct fake_camera *c = &f->camera[d->camera];
    return d->open && c->plugged && c->plugs == d->plug ? c : NULL;
}

static inline int fake_fails(int error)
{
    errno = error;
    return -1;
}

static inline int fake_nodes(void *self, int *out, int most)
{
    struct fake *f = self;
    int count = 0;
    for (int n = 0; n < 16; n++)
        for (int i = 0; i < FAKE_CAMERAS && count < most; i++)
            if (f->camera[i].plugged && f->camera[i].number == n)
                out[count++] = n;
    return count;
}

static inline int fake_open(void *self, const char *path)
{
    struct fake *f = self;
    int number;
    for (int i = 0; i < FAKE_CAMERAS; i++) {
        struct fake_camera *c = &f->camera[i];
        if (!c->plugged || sscanf(path, "/dev/video%d", &number) != 1 || number != c->number)
            continue;
        if (c->denied)
            return fake_fails(c->denied);
        for (int fd = 0; fd < FAKE_FDS; fd++)
            if (!f->fd[fd].open) {
                f->fd[fd] = (struct fake_fd){ i, c->plugs, true };
                f->opens++;
                return fd;
            }
    }
    return fake_fails(ENOENT);
}

static inline void fake_close(void *self, int fd)
{
    struct fake *f = self;
    f->closes += f->fd[fd].open;
    f->fd[fd].open = false;
}

static inline int fake_convert(void *self, int fd)
{
    struct fake *f = self;
    f->converts++;
    return fake_of(f, fd) ? 0 : fake_fails(ENODEV);
}

static inline void *fake_map(void *self, int fd, size_t length, int64_t offset)
{
    struct fake *f = self;
    (void)fd;
    f->maps++;
    f->map[offset] = calloc(1, length);
    f->length = length;
    return f->map[offset];
}

static inline void fake_unmap(void *self, void *at, size_t length)
{
    struct fake *f = self;
    (void)length;
    f->unmaps++;
    free(at);
}

static inline double fake_awake_s(void *self)
{
    return ((struct fake *)self)->awake_s;
}

static inline double fake_booted_s(void *self)
{
    return ((struct fake *)self)->awake_s + ((struct fake *)self)->slept_s;
}

static inline int fake_poll(void *self, int fd, int wait_ms)
{
    struct fake *f = self;
    double until_s = f->awake_s + wait_ms * 1e-3;
    struct fake_camera *c = fd < 0 ? NULL : fake_of(f, fd);
    if (fd >= 0 && !c)
        return POLLERR | POLLHUP;
    if (fd >= 0 && f->event)
        return POLLPRI;
    if (fd < 0 || !f->streams || f->stalled || f->next_s > until_s) {
        f->awake_s = until_s;
        f->next_s = f->stalled ? fmax(f->next_s, until_s) : f->next_s;
        return 0;
    }
    f->awake_s = fmax(f->awake_s, f->next_s);
    return POLLIN;
}

static inline int fake_set_format(struct fake *f, struct fake_camera *c, struct v4l2_format *v)
{
    struct v4l2_pix_format *p = &v->fmt.pix;
    struct v4l2_pix_format_mplane *m = &v->fmt.pix_mp;
    uint32_t fourcc = c->planes ? m->pixelformat : p->pixelformat, width = c->planes ? m->width : p->width,
             height = c->planes ? m->height : p->height;
    if (c->busy)
        return fake_fails(EBUSY);
    for (int i = 0; i < FAKE_MODES && c->mode[i].fourcc; i++)
        if ((c->mode[i].fourcc == fourcc || (f->converts && fourcc == V4L2_PIX_FMT_BGR24)) &&
            (c->any_size || ((uint32_t)c->mode[i].width == width && (uint32_t)c->mode[i].height == height))) {
            c->now = c->mode[i];
            c->now.fourcc = fourcc;
        }
    if (c->any_size) {
        c->now.width = (int)width;
        c->now.height = (int)height;
    }
    if (f->takes_other_size)
        c->now.width = 2 * FAKE_WIDTH;
    bool jpeg = c->now.fourcc == V4L2_PIX_FMT_MJPEG, yuyv = c->now.fourcc == V4L2_PIX_FMT_YUYV,
         bgr = c->now.fourcc == V4L2_PIX_FMT_BGR24;
    uint32_t row = jpeg ? 0 : (uint32_t)(c->now.width * (yuyv ? 2 : bgr ? 3 : 1) + c->stride_more);
    if (c->planes) {
        *m = (struct v4l2_pix_format_mplane){ .pixelformat = c->now.fourcc,
                                              .width = (uint32_t)c->now.width,
                                              .height = (uint32_t)c->now.height,
                                              .num_planes = c->now.fourcc == V4L2_PIX_FMT_NV12M ? 2 : 1 };
        m->plane_fmt[0].bytesperline = m->plane_fmt[1].bytesperline = row;
    } else {
        *p = (struct v4l2_pix_format){ .pixelformat = c->now.fourcc,
                                       .width = (uint32_t)c->now.width,
                                       .height = (uint32_t)c->now.height,
                                       .bytesperline = row };
    }
    return 0;
}

static inline int fake_take(struct fake *f, struct fake_camera *c, struct v4l2_buffer *b)
{
    if (f->mutes > 0) {
        f->mutes--;
        f->awake_s += 0.001;
        return fake_fails(f->error);
    }
    uint32_t index = (uint32_t)(f->look % 4);
    f->sequence += 1 + (uint32_t)f->skip;
    double at_s = f->next_s + f->skip * 1.0 / c->now.rate;
    f->awake_s = fmax(f->awake_s, at_s) + 0.01; // it takes its way
    f->skip = 0;
    f->next_s = fmax(f->awake_s, at_s + 1.0 / c->now.rate);
    f->look += !f->frozen;
    if (f->repeats && f->sequence % 2)
        f->look--;
    // From 102 s on: standing, going back, on a clock of its own that goes at half the speed.
    double stamp_s = f->stands ? 102 : f->backwards ? 204 - at_s : f->clockless ? 51 + at_s / 2 : at_s;
    const uint8_t *jpeg = f->other_size ? f->large : f->jpeg[f->look % FAKE_LOOKS];
    size_t size = f->other_size ? f->large_size : f->jpeg_size[f->look % FAKE_LOOKS];
    b->index = index;
    b->flags = f->clockless ? 0 : V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    b->flags |= f->flagged ? V4L2_BUF_FLAG_ERROR : 0;
    b->sequence = f->sequence;
    b->timestamp.tv_sec = (time_t)stamp_s;
    b->timestamp.tv_usec = (suseconds_t)((stamp_s - floor(stamp_s)) * 1e6);
    if (c->now.fourcc == V4L2_PIX_FMT_MJPEG) {
        memcpy(f->map[2 * index], jpeg, size);
        if (f->garbage)
            memset((uint8_t *)f->map[2 * index] + size / 2, 0x5a, size / 2);
        size = f->truncated || f->cut > 0 ? size / 2 : size;
        f->cut -= f->cut > 0;
    } else {
        size = f->length;
        memset(f->map[2 * index], 16 + f->look % 200, size);
        if (c->now.fourcc == V4L2_PIX_FMT_NV12M)
            memset(f->map[2 * index + 1], 128, size);
    }
    size = f->empty ? 0 : size;
    if (c->planes) {
        b->m.planes[0].bytesused = (uint32_t)size;
        b->m.planes[1].bytesused = (uint32_t)size / 2;
    } else {
        b->bytesused = (uint32_t)size;
    }
    return 0;
}

static inline int fake_control(struct fake_camera *c, unsigned long request, void *argument)
{
    struct v4l2_query_ext_ctrl *row = argument;
    struct v4l2_control *value = argument;
    struct v4l2_querymenu *item = argument;
    for (int i = 0; i < FAKE_CONTROLS && c->control[i].id; i++) {
        struct fake_control *k = &c->control[i];
        if (request == VIDIOC_QUERY_EXT_CTRL) {
            if (k->id <= (row->id & ~(uint32_t)V4L2_CTRL_FLAG_NEXT_CTRL))
                continue;
            *row = (struct v4l2_query_ext_ctrl){ .id = k->id,
                                                 .type = k->type,
                                                 .minimum = k->least,
                                                 .maximum = k->most,
                                                 .step = 1,
                                                 .default_value = k->preset };
            snprintf(row->name, sizeof row->name, "%s", k->name);
            return 0;
        }
        if (request == VIDIOC_QUERYMENU && k->id == item->id) {
            if (k->type != V4L2_CTRL_TYPE_MENU || item->index == 2)
                return fake_fails(EINVAL);
            snprintf((char *)item->name, sizeof item->name, "Way %u", item->index);
            return 0;
        }
        if (request == VIDIOC_G_CTRL && k->id == value->id) {
            value->value = k->automatic_value ? k->automatic_value : k->value;
            return 0;
        }
        if (request == VIDIOC_S_CTRL && k->id == value->id) {
            if (value->value < k->least || value->value > k->most)
                return fake_fails(ERANGE);
            k->value = value->value;
            k->automatic_value = 0;
            return 0;
        }
    }
    return fake_fails(EINVAL);
}

static inline int fake_list(struct fake_camera *c, unsigned long request, void *argument)
{
    struct v4l2_fmtdesc *format = argument;
    struct v4l2_frmsizeenum *size = argument;
    struct v4l2_frmivalenum *rate = argument;
    uint32_t row = 0;
    for (int i = 0; i < FAKE_MODES && c->mode[i].fourcc; i++) {
        const struct fake_mode *m = &c->mode[i], *before = i > 0 ? m - 1 : NULL;
        bool new_format = !before || before->fourcc != m->fourcc,
             new_size = new_format || before->width != m->width || before->height != m->height;
        if (request == VIDIOC_ENUM_FMT && new_format && row++ == format->index) {
            format->pixelformat = m->fourcc;
            return 0;
        }
        if (request == VIDIOC_ENUM_FRAMESIZES && new_size && m->fourcc == size->pixel_format && !c->any_size &&
            row++ == size->index) {
            size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            size->discrete = (struct v4l2_frmsize_discrete){ (uint32_t)m->width, (uint32_t)m->height };
            return 0;
        }
        if (request == VIDIOC_ENUM_FRAMEINTERVALS && m->fourcc == rate->pixel_format && m->rate > 0 &&
            (uint32_t)m->width == rate->width && (uint32_t)m->height == rate->height && row++ == rate->index) {
            rate->type = V4L2_FRMIVAL_TYPE_DISCRETE;
            rate->discrete = (struct v4l2_fract){ 1, (uint32_t)m->rate };
            return 0;
        }
    }
    return fake_fails(EINVAL);
}

static inline void fake_get_format(const struct fake_camera *c, struct v4l2_format *v)
{
    if (c->planes) {
        v->fmt.pix_mp.width = (uint32_t)c->now.width;
        v->fmt.pix_mp.height = (uint32_t)c->now.height;
        v->fmt.pix_mp.pixelformat = c->now.fourcc;
    } else {
        v->fmt.pix.width = (uint32_t)c->now.width;
        v->fmt.pix.height = (uint32_t)c->now.height;
        v->fmt.pix.pixelformat = c->now.fourcc;
    }
}

static inline int fake_start(struct fake *f, const struct fake_camera *c)
{
    if (f->on_error) {
        int error = f->on_error;
        f->on_error = --f->refusals == 0 ? 0 : error;
        return fake_fails(error);
    }
    if (f->room > 0 && c->now.rate > f->room)
        return fake_fails(ENOSPC);
    f->streams = true;
    f->starts++;
    f->sequence = 0;
    f->next_s = f->awake_s + 0.1;
    return 0;
}

static inline int fake_ioctl(void *self, int fd, unsigned long request, void *argument)
{
    struct fake *f = self;
    struct fake_camera *c = fake_of(f, fd);
    struct v4l2_capability *can = argument;
    struct v4l2_streamparm *rate = argument;
    struct v4l2_buffer *b = argument;
    struct v4l2_event *event = argument;
    if (!c)
        return fake_fails(ENODEV);
    switch (request) {
    case VIDIOC_QUERYCAP:
        snprintf((char *)can->card, sizeof can->card, "%s", c->card);
        snprintf((char *)can->bus_info, sizeof can->bus_info, "%s", c->bus);
        can->capabilities = V4L2_CAP_STREAMING | (c->planes ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE);
        return 0;
    case VIDIOC_ENUM_FMT:
    case VIDIOC_ENUM_FRAMESIZES:
    case VIDIOC_ENUM_FRAMEINTERVALS:
        return fake_list(c, request, argument);
    case VIDIOC_G_FMT:
        fake_get_format(c, argument);
        return 0;
    case VIDIOC_S_FMT:
        return fake_set_format(f, c, argument);
    case VIDIOC_S_PARM:
        if (rate->parm.capture.timeperframe.denominator > 0)
            c->now.rate =
                (int)(rate->parm.capture.timeperframe.denominator / rate->parm.capture.timeperframe.numerator);
        return 0;
    case VIDIOC_QUERYBUF:
        if (c->planes) {
            b->m.planes[0].length = b->m.planes[1].length = 1 << 15;
            b->m.planes[0].m.mem_offset = 2 * b->index;
            b->m.planes[1].m.mem_offset = 2 * b->index + 1;
        } else {
            b->length = 1 << 15;
            b->m.offset = 2 * b->index;
        }
        return 0;
    case VIDIOC_STREAMON:
        return fake_start(f, c);
    case VIDIOC_STREAMOFF:
        f->streams = false;
        return 0;
    case VIDIOC_DQBUF:
        return fake_take(f, c, b);
    case VIDIOC_DQEVENT:
        f->event = false;
        event->type = V4L2_EVENT_SOURCE_CHANGE;
        event->u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION;
        return 0;
    case VIDIOC_REQBUFS:
    case VIDIOC_QBUF:
    case VIDIOC_SUBSCRIBE_EVENT:
        return 0;
    default:
        return fake_control(c, request, argument);
    }
}

static inline void fake_plug(struct fake *f, int i, int number)
{
    f->camera[i].plugged = true;
    f->camera[i].number = number;
    f->camera[i].plugs++;
}

static inline void fake_unplug(struct fake *f, int i)
{
    f->camera[i].plugged = false;
    f->streams = false;
}

static inline void fake_draw(uint8_t **out, size_t *size, int width, int height, int look)
{
    struct frame *picture;
    struct jpeg *j;
    struct fail why;
    uint8_t *bytes;
    if (frame_create(&picture, width, height, &why) < 0 || jpeg_create(&j, &why) < 0)
        abort();
    for (int i = 0; i < width * height * 3; i++)
        picture->bgr[i] = (uint8_t)((i * 7 + look * 31 + i * look % 97) & 0xff);
    if (jpeg_encode(&bytes, size, j, picture, 80, &why) < 0)
        abort();
    *out = malloc(*size);
    memcpy(*out, bytes, *size);
    jpeg_bytes_free(bytes);
    jpeg_free(j);
    frame_free(picture);
}

// One camera at /dev/video0, MJPEG of 64 x 48 at 30 a second.
static inline void fake_begin(struct fake *f)
{
    *f = (struct fake){ .awake_s = 100,
                        .system = { f, fake_nodes, fake_open, fake_convert, fake_ioctl, fake_map, fake_unmap, fake_poll,
                                    fake_close, fake_awake_s, fake_booted_s } };
    f->camera[0] = (struct fake_camera){ .card = "HD Webcam C920",
                                         .bus = "usb-1.2",
                                         .mode = { { V4L2_PIX_FMT_MJPEG, FAKE_WIDTH, FAKE_HEIGHT, 30 } } };
    fake_plug(f, 0, 0);
    for (int i = 0; i < FAKE_LOOKS; i++)
        fake_draw(&f->jpeg[i], &f->jpeg_size[i], FAKE_WIDTH, FAKE_HEIGHT, i);
    fake_draw(&f->large, &f->large_size, 2 * FAKE_WIDTH, FAKE_HEIGHT, 0);
}

static inline void fake_end(struct fake *f)
{
    for (int i = 0; i < FAKE_LOOKS; i++)
        free(f->jpeg[i]);
    free(f->large);
}

#endif
