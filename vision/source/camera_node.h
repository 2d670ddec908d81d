// SPDX-License-Identifier: MIT
// camera_node.h: which cameras there are, and which one a person means.
//
// A camera is known by its card's name and the plug it hangs on; its /dev node is another after the next plugging in.
#ifndef RINGSIDE_VISION_SOURCE_CAMERA_NODE_H
#define RINGSIDE_VISION_SOURCE_CAMERA_NODE_H

#include <stdbool.h>

#include "calibration/fail.h"
#include "vision/source/camera_system.h"

enum camera_node_limits {
    CAMERA_NODES_MAX = 64
}; // the kernel gives out 256 numbers of which each camera takes two or more

struct camera_node {
    char path[CAMERA_PATH_MAX];
    char card[33]; // what it calls itself, plain text
    char bus[33];  // where it is plugged in (V4L2's bus_info), plain text
    unsigned type; // V4L2_BUF_TYPE_VIDEO_CAPTURE or ..._MPLANE; 0: it gives no pictures, or `error`
    int error;     // errno by which it could not be opened or asked; 0: none
};

// Opens and asks; the file descriptor, to be closed by the caller, or -1 with node->error, or with 0 in it for what
// gives no pictures.
int camera_node_open(struct camera_node *out, const struct camera_system *sys, const char *path);

// In words, for what camera_node_open gave; RS_EIO.
int camera_node_refuse(const struct camera_node *node, struct fail *why);
int camera_refuse(const char *path, int error, struct fail *why); // the same for a call that failed later

// All that give pictures, and those that cannot be opened, in the order of their numbers: how many.
int camera_nodes_list(struct camera_node out[CAMERA_NODES_MAX], const struct camera_system *sys);

// The camera that a person names: its node, or a part of its name or plug that only it has, in any case of letters; "":
// the first one. RS_EIO: there is none such, or more than one; the words list them. RS_ENOMEM.
int camera_node_find(struct camera_node *out, const struct camera_system *sys, const char *named, struct fail *why);

// The same camera again, under whatever node: by card and plug, else the only one of that card. False: it is not there.
bool camera_node_find_again(struct camera_node *out, const struct camera_system *sys, const struct camera_node *was);

#endif
