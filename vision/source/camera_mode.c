// SPDX-License-Identifier: MIT
#include "vision/source/camera_mode.h"

#include <linux/videodev2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/grow.h"
#include "calibration/text.h"
#include "calibration/units.h"

// The reasons stand at the head of camera_mode.h.
static const struct wanted {
    double board_in;           // a Crokinole board's playing surface: when nobody says what board it is
    double board_share;        // of the picture's height
    double px_per_in;          // for calls
    double readable_px_per_in; // below it a disc is less than 10 pixels wide and most calls are refused
    double least_rate, most_rate;
    double rate_slack; // a camera says 29.97 for 30
    double most_px_per_s;
} wanted = { 26, 0.9, 24, 8, 24 - 0.1, 60, 0.1, 1920 * 1080 * 60.0 };

// In the order of our liking, of what is read as it comes.
static const struct format {
    uint32_t fourcc;
    enum encoding encoding;
    const char *name;
} formats[] = {
    { V4L2_PIX_FMT_MJPEG, ENCODED_JPEG, "MJPEG" }, { V4L2_PIX_FMT_JPEG, ENCODED_JPEG, "JPEG" },
    { V4L2_PIX_FMT_NV12, ENCODED_NV12, "NV12" },   { V4L2_PIX_FMT_NV12M, ENCODED_NV12, "NV12M" },
    { V4L2_PIX_FMT_YUYV, ENCODED_YUYV, "YUYV" },   { V4L2_PIX_FMT_BGR24, ENCODED_BGR, "BGR" },
    { V4L2_PIX_FMT_GREY, ENCODED_GREY, "grey" },
};

// Where a driver takes any size, or does not say which: those that people know.
static const struct usual_size {
    int width, height;
} usual_sizes[] = { { 1920, 1080 }, { 1280, 960 }, { 1280, 720 }, { 800, 600 }, { 640, 480 } };

// Of one list, and of all; a driver that goes on after that never ends.
enum driver_limits { DRIVER_ROWS_MAX = 128, DRIVER_MODES_MAX = 1024 };

static int add(struct camera_modes *all, const struct camera_mode *mode, struct fail *why)
{
    if (mode->width < 1 || mode->width > FRAME_MAX_SIDE_PX || mode->height < 1 || mode->height > FRAME_MAX_SIDE_PX ||
        all->count == DRIVER_MODES_MAX)
        return 0;
    for (int i = 0; i < all->count; i++) {
        const struct camera_mode *m = &all->mode[i];
        if (m->fourcc == mode->fourcc && m->width == mode->width && m->height == mode->height &&
            fabs(m->frames_per_s - mode->frames_per_s) < wanted.rate_slack)
            return 0;
    }
    if (!grow_list(&all->mode, &all->room, all->count + 1, sizeof *all->mode))
        return rs_fail(why, RS_ENOMEM, "no memory for a camera's modes");
    all->mode[all->count++] = *mode;
    return 0;
}

static int add_rates(struct camera_modes *all, struct camera_handle camera, struct camera_mode mode, struct fail *why)
{
    struct v4l2_frmivalenum row = { .pixel_format = mode.fourcc,
                                    .width = (uint32_t)mode.width,
                                    .height = (uint32_t)mode.height };
    int rc = 0;
    for (; rc == 0 && row.index < DRIVER_ROWS_MAX && camera_ioctl(camera, VIDIOC_ENUM_FRAMEINTERVALS, &row) == 0;
         row.index++) {
        bool one = row.type == V4L2_FRMIVAL_TYPE_DISCRETE;
        const struct v4l2_fract interval = one ? row.discrete : row.stepwise.min;
        mode.frames_per_s = interval.numerator > 0 ? (double)interval.denominator / interval.numerator : 0;
        if (!one && mode.frames_per_s > wanted.most_rate)
            mode.frames_per_s = wanted.most_rate;
        rc = add(all, &mode, why);
        if (!one)
            return rc;
    }
    mode.frames_per_s = 0;
    return rc == 0 && row.index == 0 ? add(all, &mode, why) : rc;
}

static int add_sizes(struct camera_modes *all, struct camera_handle camera, struct camera_mode mode,
                     const struct camera_wish *wish, struct fail *why)
{
    struct v4l2_frmsizeenum row = { .pixel_format = mode.fourcc };
    int rc = 0;
    for (; rc == 0 && row.index < DRIVER_ROWS_MAX && camera_ioctl(camera, VIDIOC_ENUM_FRAMESIZES, &row) == 0 &&
           row.type == V4L2_FRMSIZE_TYPE_DISCRETE;
         row.index++) {
        if (row.discrete.width > FRAME_MAX_SIDE_PX || row.discrete.height > FRAME_MAX_SIDE_PX)
            continue;
        mode.width = (int)row.discrete.width;
        mode.height = (int)row.discrete.height;
        rc = add_rates(all, camera, mode, why);
    }
    if (rc != 0 || row.index > 0)
        return rc;
    struct usual_size wished = { wish->width, wish->height };
    const struct v4l2_frmsize_stepwise *range = row.type == 0 ? NULL : &row.stepwise;
    for (size_t i = 0; rc == 0 && i <= countof(usual_sizes); i++) {
        struct usual_size size = i == 0 ? wished : usual_sizes[i - 1];
        uint32_t width = (uint32_t)size.width, height = (uint32_t)size.height;
        if (width == 0 || height == 0 ||
            (range && (width < range->min_width || width > range->max_width || height < range->min_height ||
                       height > range->max_height)))
            continue;
        mode.width = size.width;
        mode.height = size.height;
        rc = add_rates(all, camera, mode, why);
    }
    return rc;
}

void camera_modes_finish(struct camera_modes *modes)
{
    free(modes->mode);
    *modes = (struct camera_modes){ .count = 0 };
}

static double px_per_in(const struct camera_mode *m, const struct camera_wish *wish)
{
    return wanted.board_share * m->height / (wish->board_in > 0 ? wish->board_in : wanted.board_in);
}

static bool is_fast(const struct camera_mode *m) // a camera that does not say: as most are
{
    return m->frames_per_s <= 0 || m->frames_per_s >= wanted.least_rate;
}

// How good a mode is, term by term; a later one counts only where all before it are alike.
enum merit_term { MERIT_SIZE_WISHED, MERIT_RATE_WISHED, MERIT_CLASS, MERIT_FIRST, MERIT_SECOND, MERIT_LIKING, MERITS };

static void measure(double merit[MERITS], const struct camera_mode *m, const struct camera_wish *wish)
{
    enum { USELESS, SLOW, SLOW_AND_SHARP, HEAVY, FAST, FAST_AND_SHARP };
    double rate = m->frames_per_s > 0 ? m->frames_per_s : wanted.least_rate;
    double pixels = (double)m->width * m->height, sharpness = px_per_in(m, wish);
    bool fast = is_fast(m), sharp = sharpness >= wanted.px_per_in;
    bool heavy = fast && pixels * fmin(rate, wanted.most_rate) > wanted.most_px_per_s;
    // More than twice what is enough counts as less than enough of the same, by how far it is beyond.
    double size = sharpness > 2 * wanted.px_per_in ? 1 / pixels : pixels;
    bool rate_first = sharp && !heavy;
    merit[MERIT_SIZE_WISHED] = wish->width > 0 && m->width == wish->width && m->height == wish->height;
    merit[MERIT_RATE_WISHED] = wish->frames_per_s > 0 ? -fabs(m->frames_per_s - wish->frames_per_s) : 0;
    if (fabs(merit[MERIT_RATE_WISHED]) < wanted.rate_slack)
        merit[MERIT_RATE_WISHED] = 0;
    merit[MERIT_CLASS] = sharpness < wanted.readable_px_per_in ? USELESS
                         : heavy                               ? HEAVY
                         : fast                                ? sharp ? FAST_AND_SHARP : FAST
                         : sharp                               ? SLOW_AND_SHARP
                                                               : SLOW;
    merit[MERIT_FIRST] = rate_first ? fmin(rate, wanted.most_rate) : size;
    merit[MERIT_SECOND] = rate_first ? size : rate;
    merit[MERIT_LIKING] = -(double)countof(formats);
    for (size_t i = 0; i < countof(formats); i++)
        if (formats[i].fourcc == m->fourcc)
            merit[MERIT_LIKING] = -(double)i;
}

static bool is_better(const struct camera_mode *a, const struct camera_mode *b, const struct camera_wish *wish)
{
    double of_a[MERITS], of_b[MERITS];
    measure(of_a, a, wish);
    measure(of_b, b, wish);
    for (int i = 0; i < MERITS; i++)
        if (fabs(of_a[i] - of_b[i]) > 1e-12)
            return of_a[i] > of_b[i];
    return false;
}

// The best of the modes first, by their merits and what was wished; the wished size before the wished rate.
static void sort_modes(struct camera_modes *modes, const struct camera_wish *wish)
{
    for (int i = 1; i < modes->count; i++) { // a few dozen, and those that are alike stay in the camera's order
        struct camera_mode m = modes->mode[i];
        int at = i;
        for (; at > 0 && is_better(&m, &modes->mode[at - 1], wish); at--)
            modes->mode[at] = modes->mode[at - 1];
        modes->mode[at] = m;
    }
}

int camera_modes_read(struct camera_modes *out, struct camera_handle camera, unsigned type,
                      const struct camera_wish *wish, struct fail *why)
{
    struct v4l2_fmtdesc row = { .type = type };
    int rc = 0;
    *out = (struct camera_modes){ .count = 0 };
    for (; rc == 0 && row.index < DRIVER_ROWS_MAX && camera_ioctl(camera, VIDIOC_ENUM_FMT, &row) == 0; row.index++) {
        struct camera_mode mode = { .fourcc = row.pixelformat, .converted = true, .encoding = ENCODED_BGR };
        for (size_t i = 0; i < countof(formats); i++)
            if (formats[i].fourcc == row.pixelformat) {
                mode.converted = false;
                mode.encoding = formats[i].encoding;
            }
        if (!mode.converted || type == V4L2_BUF_TYPE_VIDEO_CAPTURE) // libv4l converts nothing in several planes
            rc = add_sizes(out, camera, mode, wish, why);
    }
    if (rc == 0 && out->count == 0)
        rc = rs_fail(why, RS_EIO,
                     "the camera offers neither MJPEG, YUYV, NV12 nor grey pictures, nor what libv4l converts");
    sort_modes(out, wish);
    return rc;
}

void camera_format_words(char *out, size_t size, const struct camera_mode *mode)
{
    for (size_t i = 0; i < countof(formats); i++)
        if (formats[i].fourcc == mode->fourcc) {
            snprintf(out, size, "%s", formats[i].name);
            return;
        }
    char name[5] = { (char)(mode->fourcc & 0x7f), (char)(mode->fourcc >> 8 & 0x7f), (char)(mode->fourcc >> 16 & 0x7f),
                     (char)(mode->fourcc >> 24 & 0x7f) };
    foreign_make_plain(name);
    snprintf(out, size, "%s by libv4l", name);
}

void camera_mode_words(char *out, size_t size, const struct camera_mode *mode)
{
    char format[32], rate[40] = "";
    camera_format_words(format, sizeof format, mode);
    if (mode->frames_per_s > 0)
        snprintf(rate, sizeof rate, " at %.4g a second", mode->frames_per_s);
    snprintf(out, size, "%d x %d %s%s", mode->width, mode->height, format, rate);
}

void camera_mode_reason(char *out, size_t size, const struct camera_mode *mode, const struct camera_wish *wish)
{
    double merit[MERITS], sharpness = px_per_in(mode, wish);
    measure(merit, mode, wish);
    bool sharp = sharpness >= wanted.px_per_in, fast = is_fast(mode);
    bool wished = (wish->width > 0 && merit[MERIT_SIZE_WISHED] > 0) ||
                  (wish->frames_per_s > 0 && merit[MERIT_RATE_WISHED] > -wanted.rate_slack);
    const char *first = wished          ? "as wished"
                        : sharp && fast ? "the most pictures a second that are sharp enough"
                        : fast          ? "the sharpest that are fast enough"
                                        : "there is no better one";
    snprintf(out, size, "%s: a board of %.4g in that fills the picture has %.0f px an inch, %.0f are enough", first,
             wish->board_in > 0 ? wish->board_in : wanted.board_in, sharpness, wanted.px_per_in);
}

// "1920 x 1080, 1280 x 720": each size once.
static void name_sizes(char *out, size_t size, const struct camera_modes *all)
{
    out[0] = '\0';
    for (int i = 0; i < all->count; i++) {
        bool named = false;
        for (int k = 0; k < i; k++)
            named |= all->mode[k].width == all->mode[i].width && all->mode[k].height == all->mode[i].height;
        if (!named)
            text_add(out, size, "%s%d x %d", text_comma(out), all->mode[i].width, all->mode[i].height);
    }
}

bool camera_mode_tell(char *out, size_t size, const struct camera_mode *taken, const struct camera_modes *all,
                      const struct camera_wish *wish)
{
    char mode[80], sizes[200];
    camera_mode_words(mode, sizeof mode, taken);
    name_sizes(sizes, sizeof sizes, all);
    bool other_size = wish->width > 0 && (taken->width != wish->width || taken->height != wish->height);
    bool other_rate = wish->frames_per_s > 0 && fabs(taken->frames_per_s - wish->frames_per_s) > wanted.rate_slack;
    bool slow = !is_fast(taken);
    const char *too_slow = slow ? "; too slow to follow a shot, which needs 24 a second" : "";
    if (other_size)
        snprintf(out, size, "the camera has no %d x %d; %s taken%s; it has: %s", wish->width, wish->height, mode,
                 too_slow, sizes);
    else if (other_rate)
        snprintf(out, size, "the camera has no %.4g pictures a second%s; %s taken%s", wish->frames_per_s,
                 wish->width > 0 ? " of that size" : "", mode, too_slow);
    else
        snprintf(out, size, "%s%s", mode, too_slow);
    return other_size || other_rate || slow;
}
