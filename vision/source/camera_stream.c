// SPDX-License-Identifier: MIT
#include "vision/source/camera_stream.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <math.h>
#include <poll.h>
#include <string.h>

#include "vision/source/unpack.h"

static bool in_planes(const struct camera_stream *s)
{
    return s->node.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
}

int camera_stream_open(struct camera_stream *out, const struct camera_system *sys, const char *path, struct fail *why)
{
    *out = (struct camera_stream){ .camera.sys = sys };
    out->camera.fd = camera_node_open(&out->node, sys, path);
    if (out->camera.fd < 0)
        return camera_node_refuse(&out->node, why);
    struct v4l2_event_subscription change = { .type = V4L2_EVENT_SOURCE_CHANGE };
    camera_ioctl(out->camera, VIDIOC_SUBSCRIBE_EVENT, &change); // few cameras have it; the others' frames say it
    return 0;
}

// The same fields under other names where a picture has several planes.
struct agreed {
    uint32_t fourcc, width, height, planes, bytesperline[CAMERA_PLANES];
};

static struct agreed read_format(const struct camera_stream *s, const struct v4l2_format *f)
{
    if (!in_planes(s))
        return (struct agreed){
            f->fmt.pix.pixelformat, f->fmt.pix.width, f->fmt.pix.height, 1, { f->fmt.pix.bytesperline }
        };
    const struct v4l2_pix_format_mplane *p = &f->fmt.pix_mp;
    return (struct agreed){ p->pixelformat,
                            p->width,
                            p->height,
                            p->num_planes,
                            { p->plane_fmt[0].bytesperline, p->plane_fmt[1].bytesperline } };
}

static struct v4l2_format write_format(const struct camera_stream *s, const struct camera_mode *mode, uint32_t fourcc)
{
    struct v4l2_format f = { .type = s->node.type };
    if (in_planes(s)) {
        f.fmt.pix_mp.width = (uint32_t)mode->width;
        f.fmt.pix_mp.height = (uint32_t)mode->height;
        f.fmt.pix_mp.pixelformat = fourcc;
        f.fmt.pix_mp.field = V4L2_FIELD_NONE;
    } else {
        f.fmt.pix.width = (uint32_t)mode->width;
        f.fmt.pix.height = (uint32_t)mode->height;
        f.fmt.pix.pixelformat = fourcc;
        f.fmt.pix.field = V4L2_FIELD_NONE;
    }
    return f;
}

static uint32_t read_as(const struct camera_mode *mode)
{
    return mode->converted ? V4L2_PIX_FMT_BGR24 : mode->fourcc;
}

int camera_stream_agree(struct camera_stream *s, const struct camera_mode *wished, int *error, struct fail *why)
{
    struct v4l2_format as_it_is = { .type = s->node.type };
    *error = 0;
    // Before libv4l has it, which would write its own words about it to the terminal.
    bool busy = !s->converts && camera_ioctl(s->camera, VIDIOC_G_FMT, &as_it_is) == 0 &&
                camera_ioctl(s->camera, VIDIOC_S_FMT, &as_it_is) != 0 && errno == EBUSY;
    if (!busy && wished->converted && !s->converts) {
        if (s->camera.sys->convert(s->camera.sys->self, s->camera.fd) != 0) {
            *error = errno;
            return camera_refuse(s->node.path, *error, why);
        }
        s->converts = true;
    }
    struct v4l2_format f = write_format(s, wished, read_as(wished));
    if (busy || camera_ioctl(s->camera, VIDIOC_S_FMT, &f) != 0) {
        *error = busy ? EBUSY : errno;
        return camera_refuse(s->node.path, *error, why);
    }
    struct agreed as = read_format(s, &f);
    if (as.fourcc != read_as(wished))
        return rs_fail(why, RS_EIO, "%s: the camera does not send what it offers", s->node.path);
    if (as.width < 1 || as.width > FRAME_MAX_SIDE_PX || as.height < 1 || as.height > FRAME_MAX_SIDE_PX)
        return rs_fail(why, RS_EIO, "%s: the camera offers pictures of %u x %u pixels", s->node.path, as.width,
                       as.height);
    s->mode = *wished;
    s->mode.width = (int)as.width;
    s->mode.height = (int)as.height;
    s->planes = wished->fourcc == V4L2_PIX_FMT_NV12M ? 2 : 1;
    if (as.planes != s->planes)
        return rs_fail(why, RS_EIO, "%s: the camera sends pictures in %u parts", s->node.path, as.planes);
    // A row of fewer bytes than its pixels have, or of more than any has, is a driver's slip: it would be read beyond.
    enum { PIXEL_BYTES_MAX = 8 }; // no format has more for a pixel
    int row = unpacked_row_bytes(s->mode.encoding, s->mode.width);
    for (unsigned i = 0; i < s->planes; i++) {
        uint32_t bytes = as.bytesperline[i];
        s->stride[i] = 0;
        if (s->mode.encoding == ENCODED_JPEG)
            continue;
        if (row < 0 || bytes < (uint32_t)row || bytes > PIXEL_BYTES_MAX * FRAME_MAX_SIDE_PX)
            return rs_fail(why, RS_EIO, "%s: the camera offers rows of %u bytes for %d pixels", s->node.path, bytes,
                           s->mode.width);
        s->stride[i] = (int)bytes;
    }
    // What the camera makes of the wished rate is its own affair; the buffers' times say what came.
    enum { RATE_MAX = 1000000, PARTS = 1000 };
    struct v4l2_streamparm p = { .type = s->node.type };
    if (wished->frames_per_s > 0)
        p.parm.capture.timeperframe =
            (struct v4l2_fract){ PARTS, (uint32_t)lround(fmin(wished->frames_per_s, RATE_MAX) * PARTS) };
    if (camera_ioctl(s->camera, wished->frames_per_s > 0 ? VIDIOC_S_PARM : VIDIOC_G_PARM, &p) == 0 &&
        p.parm.capture.timeperframe.numerator > 0 && p.parm.capture.timeperframe.denominator > 0)
        s->mode.frames_per_s = (double)p.parm.capture.timeperframe.denominator / p.parm.capture.timeperframe.numerator;
    return 0;
}

bool camera_stream_as_agreed(const struct camera_stream *s)
{
    struct v4l2_format f = { .type = s->node.type };
    if (camera_ioctl(s->camera, VIDIOC_G_FMT, &f) != 0)
        return true; // nothing is known of a change
    struct agreed as = read_format(s, &f);
    return as.width == (uint32_t)s->mode.width && as.height == (uint32_t)s->mode.height &&
           as.fourcc == read_as(&s->mode);
}

static struct v4l2_buffer buffer_of(const struct camera_stream *s, unsigned index, struct v4l2_plane *planes)
{
    struct v4l2_buffer b = { .index = index, .type = s->node.type, .memory = V4L2_MEMORY_MMAP };
    if (in_planes(s)) {
        b.m.planes = planes;
        b.length = VIDEO_MAX_PLANES;
    }
    return b;
}

static int map_buffer(struct camera_stream *s, unsigned index)
{
    struct v4l2_plane planes[VIDEO_MAX_PLANES] = { { 0 } };
    struct v4l2_buffer b = buffer_of(s, index, planes);
    if (camera_ioctl(s->camera, VIDIOC_QUERYBUF, &b) != 0)
        return -1;
    struct camera_buffer *to = &s->buffer[index];
    *to = (struct camera_buffer){ .length = { 0 } };
    s->count = index + 1;
    for (unsigned i = 0; i < s->planes; i++) {
        size_t length = in_planes(s) ? planes[i].length : b.length;
        int64_t offset = in_planes(s) ? planes[i].m.mem_offset : b.m.offset;
        to->at[i] = s->camera.sys->map(s->camera.sys->self, s->camera.fd, length, offset);
        if (!to->at[i])
            return -1;
        to->length[i] = length;
    }
    return camera_ioctl(s->camera, VIDIOC_QBUF, &b);
}

int camera_stream_start(struct camera_stream *s, int *error, struct fail *why)
{
    struct v4l2_requestbuffers want = { .count = CAMERA_BUFFERS, .type = s->node.type, .memory = V4L2_MEMORY_MMAP };
    int type = (int)s->node.type;
    errno = 0;
    bool ok = camera_ioctl(s->camera, VIDIOC_REQBUFS, &want) == 0;
    for (unsigned i = 0; ok && i < want.count && i < CAMERA_BUFFERS; i++)
        ok = map_buffer(s, i) == 0;
    ok = ok && s->count > 0 && camera_ioctl(s->camera, VIDIOC_STREAMON, &type) == 0;
    *error = ok ? 0 : errno ? errno : ENOMEM;
    if (ok)
        return 0;
    camera_stream_stop(s);
    return camera_refuse(s->node.path, *error, why);
}

void camera_stream_stop(struct camera_stream *s)
{
    int type = (int)s->node.type;
    if (s->count == 0)
        return;
    camera_ioctl(s->camera, VIDIOC_STREAMOFF, &type);
    for (unsigned i = 0; i < s->count; i++)
        for (unsigned k = 0; k < CAMERA_PLANES; k++)
            if (s->buffer[i].at[k])
                s->camera.sys->unmap(s->camera.sys->self, s->buffer[i].at[k], s->buffer[i].length[k]);
    s->count = 0;
    struct v4l2_requestbuffers none = { .type = s->node.type, .memory = V4L2_MEMORY_MMAP };
    camera_ioctl(s->camera, VIDIOC_REQBUFS, &none); // without it no other size can be agreed on
}

void camera_stream_close(struct camera_stream *s)
{
    if (s->camera.fd < 0)
        return;
    camera_stream_stop(s);
    s->camera.sys->close(s->camera.sys->self, s->camera.fd);
    s->camera.fd = -1;
    s->converts = false;
}

// Where a plane's bytes are and how many; a driver may give more than there is room for.
static size_t plane_bytes(const struct camera_stream *s, const struct v4l2_buffer *b, unsigned plane,
                          const uint8_t **at)
{
    const struct camera_buffer *from = &s->buffer[b->index];
    const struct v4l2_plane *p = in_planes(s) ? &b->m.planes[plane] : NULL;
    size_t used = p ? p->bytesused : b->bytesused, skip = p ? p->data_offset : 0, room = from->length[plane];
    used = used < room ? used : room;
    skip = skip < used ? skip : used;
    *at = (const uint8_t *)from->at[plane] + skip;
    return used - skip;
}

// Copies the picture out of its buffer, which the driver wants back. Chroma in a plane of its own is put behind the
// luma, its rows as long as those.
static int copy_out(struct encoded **out, const struct camera_stream *s, const struct v4l2_buffer *b, struct fail *why)
{
    const uint8_t *from[CAMERA_PLANES] = { NULL };
    size_t bytes[CAMERA_PLANES] = { 0 }, first = 0, size = 0, stride = (size_t)s->stride[0], rows = 0;
    for (unsigned i = 0; i < s->planes; i++)
        bytes[i] = plane_bytes(s, b, i, &from[i]);
    if (bytes[0] == 0)
        return 0;
    if (s->planes > 1) {
        size_t of_luma = (size_t)s->mode.height, there = bytes[1] / (size_t)s->stride[1];
        rows = (of_luma + 1) / 2 < there ? (of_luma + 1) / 2 : there;
        first = stride * of_luma;
        bytes[0] = bytes[0] < first ? bytes[0] : first;
        rows = bytes[0] < first ? 0 : rows; // cut off in the luma already
    }
    size = bytes[0] + stride * rows;
    int rc = encoded_create(out, size, why);
    if (rc < 0)
        return rc;
    struct encoded *e = *out;
    e->encoding = s->mode.encoding;
    e->width = s->mode.width;
    e->height = s->mode.height;
    e->stride = s->stride[0];
    memcpy(e->bytes, from[0], bytes[0]);
    for (size_t i = 0; i < rows; i++) {
        size_t row = stride < (size_t)s->stride[1] ? stride : (size_t)s->stride[1];
        memset(e->bytes + first + i * stride, 0, stride);
        memcpy(e->bytes + first + i * stride, from[1] + i * (size_t)s->stride[1], row);
    }
    return 0;
}

int camera_stream_take(struct camera_picture *out, struct camera_stream *s, int wait_ms, struct fail *why)
{
    struct v4l2_plane planes[VIDEO_MAX_PLANES] = { { 0 } };
    struct v4l2_buffer b = buffer_of(s, 0, planes);
    *out = (struct camera_picture){ .error = 0 };
    int ready = s->camera.sys->poll(s->camera.sys->self, s->camera.fd, wait_ms);
    if (ready == 0)
        return TAKEN_NOTHING;
    if (ready > 0 && ready & POLLPRI) {
        struct v4l2_event event = { 0 };
        if (camera_ioctl(s->camera, VIDIOC_DQEVENT, &event) == 0 && event.type == V4L2_EVENT_SOURCE_CHANGE &&
            event.u.src_change.changes & V4L2_EVENT_SRC_CH_RESOLUTION)
            return TAKEN_CHANGED;
    }
    if (ready < 0 || !(ready & POLLIN)) {
        struct v4l2_capability can;
        bool there = ready > 0 && camera_ioctl(s->camera, VIDIOC_QUERYCAP, &can) == 0;
        if (there && !(ready & (POLLERR | POLLHUP | POLLNVAL)))
            return TAKEN_NOTHING; // another event
        out->error = there ? EIO : ENODEV;
        return TAKEN_FAILED;
    }
    if (camera_ioctl(s->camera, VIDIOC_DQBUF, &b) != 0) {
        out->error = errno;
        return errno == EAGAIN ? TAKEN_NOTHING : TAKEN_FAILED;
    }
    if (b.index >= s->count || (in_planes(s) && b.m.planes != planes)) {
        out->error = EIO; // no buffer of ours: the driver is out of its mind
        return TAKEN_FAILED;
    }
    out->stamp_s = (double)b.timestamp.tv_sec + (double)b.timestamp.tv_usec * 1e-6;
    out->stamped = (b.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    out->sequence = b.sequence;
    bool damaged = b.flags & V4L2_BUF_FLAG_ERROR;
    int rc = damaged ? 0 : copy_out(&out->encoded, s, &b, why);
    if (camera_ioctl(s->camera, VIDIOC_QBUF, &b) != 0) // the picture is out; the next call finds what is wrong
        out->error = errno;
    return rc < 0 ? rc : damaged ? TAKEN_DAMAGED : out->encoded ? TAKEN_PICTURE : TAKEN_EMPTY;
}
