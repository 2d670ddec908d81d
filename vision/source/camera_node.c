// SPDX-License-Identifier: MIT
#include "vision/source/camera_node.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "calibration/foreign.h"
#include "calibration/text.h"

int camera_refuse(const char *path, int error, struct fail *why)
{
    if (error == ENOENT || error == ENXIO || error == ENODEV)
        return rs_fail(why, RS_EIO, "%s: there is no such camera; plug it in, then `ringside cameras` lists it", path);
    if (error == EACCES || error == EPERM)
        return rs_fail(why, RS_EIO, "%s: no permission; `sudo usermod -aG video $USER`, then log in again", path);
    if (error == EBUSY)
        return rs_fail(why, RS_EIO,
                       "%s: another program uses the camera; close that one first (`fuser -v %s` shows which)", path,
                       path);
    if (error == ENOTTY || error == EINVAL)
        return rs_fail(why, RS_EIO, "%s: not a camera; `ringside cameras` lists those that there are", path);
    if (error == ENOSPC)
        return rs_fail(why, RS_EIO,
                       "%s: the USB plug has no room for what the camera would send; take another plug, "
                       "not one that is shared with another camera, or a smaller --size",
                       path);
    return rs_fail(why, RS_EIO, "%s: the camera does not start: %s", path, strerror(error));
}

int camera_node_refuse(const struct camera_node *node, struct fail *why)
{
    if (node->error)
        return camera_refuse(node->path, node->error, why);
    return rs_fail(why, RS_EIO, "%s: this part of %s gives no pictures; `ringside cameras` lists those that do",
                   node->path, node->card);
}

// What drivers fill in may have no end.
static void take_text(char out[33], const uint8_t text[32])
{
    snprintf(out, 33, "%.32s", (const char *)text);
    foreign_make_plain(out);
}

int camera_node_open(struct camera_node *out, const struct camera_system *sys, const char *path)
{
    struct v4l2_capability can = { 0 };
    *out = (struct camera_node){ .error = 0 };
    snprintf(out->path, sizeof out->path, "%s", path);
    int fd = sys->open(sys->self, path);
    out->error = fd < 0 ? errno : sys->ioctl(sys->self, fd, VIDIOC_QUERYCAP, &can) != 0 ? errno : 0;
    if (out->error == 0) {
        take_text(out->card, can.card);
        take_text(out->bus, can.bus_info);
        uint32_t caps = can.capabilities & V4L2_CAP_DEVICE_CAPS ? can.device_caps : can.capabilities;
        bool codec = caps & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE);
        if ((caps & V4L2_CAP_STREAMING) && !codec)
            out->type = caps & V4L2_CAP_VIDEO_CAPTURE          ? V4L2_BUF_TYPE_VIDEO_CAPTURE
                        : caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
                                                               : 0;
        if (out->type)
            return fd;
    }
    if (fd >= 0)
        sys->close(sys->self, fd);
    return -1;
}

int camera_nodes_list(struct camera_node out[CAMERA_NODES_MAX], const struct camera_system *sys)
{
    int numbers[CAMERA_NODES_MAX], count = 0;
    int all = sys->nodes(sys->self, numbers, CAMERA_NODES_MAX);
    for (int i = 0; i < all; i++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/video%d", numbers[i]);
        int fd = camera_node_open(&out[count], sys, path);
        if (fd >= 0)
            sys->close(sys->self, fd);
        // ENOENT and the like: unplugged between the listing and the opening.
        int error = out[count].error;
        count += fd >= 0 || (error && error != ENOENT && error != ENODEV && error != ENXIO && error != ENOTTY);
    }
    return count;
}

static bool same_camera(const struct camera_node *a, const struct camera_node *b)
{
    return strcmp(a->card, b->card) == 0 && strcmp(a->bus, b->bus) == 0;
}

static bool has_part(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

// "NAME (PLUG, NODE), ..." of those that give pictures.
static void name_all(char *out, size_t size, const struct camera_node *node, int count)
{
    out[0] = '\0';
    for (int i = 0; i < count; i++)
        if (node[i].type)
            text_add(out, size, "%s%s (%s, %s)", text_comma(out), node[i].card, node[i].bus, node[i].path);
}

int camera_node_find(struct camera_node *out, const struct camera_system *sys, const char *named, struct fail *why)
{
    const struct camera_node *found = NULL;
    char all[300];
    int others = 0;
    if (named[0] == '/') {
        int fd = camera_node_open(out, sys, named);
        if (fd >= 0)
            sys->close(sys->self, fd);
        return fd < 0 ? camera_node_refuse(out, why) : 0;
    }
    struct camera_node *node = malloc(CAMERA_NODES_MAX * sizeof *node);
    if (!node)
        return rs_fail(why, RS_ENOMEM, "no memory for a list of cameras");
    int count = camera_nodes_list(node, sys), rc = 0;
    for (int i = 0; i < count; i++) {
        bool meant =
            has_part(node[i].card, named) || has_part(node[i].bus, named) || strcmp(node[i].path + 5, named) == 0;
        if (!node[i].type || !meant)
            continue;
        if (!found)
            found = &node[i];
        else if (named[0] && !same_camera(found, &node[i]))
            others++;
    }
    name_all(all, sizeof all, node, count);
    if (found && !others)
        *out = *found;
    else if (found)
        rc = rs_fail(why, RS_EIO, "%.60s: more than one camera is called so: %s; write more of its name or its plug",
                     named, all);
    else if (all[0])
        rc = rs_fail(why, RS_EIO, "%.60s: there is no such camera; there are: %s", named, all);
    else if (count > 0)
        rc = camera_node_refuse(&node[0], why);
    else
        rc = rs_fail(why, RS_EIO, "%.60s%sno camera is there; plug one in, then `ringside cameras` lists it", named,
                     named[0] ? ": " : "");
    free(node);
    return rc;
}

bool camera_node_find_again(struct camera_node *out, const struct camera_system *sys, const struct camera_node *was)
{
    struct camera_node *node = malloc(CAMERA_NODES_MAX * sizeof *node);
    const struct camera_node *same = NULL, *like = NULL;
    bool only = true;
    int count = node ? camera_nodes_list(node, sys) : 0;
    for (int i = 0; i < count; i++) {
        if (!node[i].type || strcmp(node[i].card, was->card) != 0)
            continue;
        // A camera with more than one node that gives pictures: the one that was taken, where one has that number.
        if (same_camera(&node[i], was) && (!same || strcmp(node[i].path, was->path) == 0))
            same = &node[i];
        only &= !like || same_camera(like, &node[i]);
        like = like ? like : &node[i];
    }
    if (same || (like && only))
        *out = same ? *same : *like;
    bool found = same || (like && only);
    free(node);
    return found;
}
