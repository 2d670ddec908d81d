// SPDX-License-Identifier: MIT
#include "referee/commands/device.h"

#include <sys/stat.h>

static const char *path_of(const struct options *o)
{
    return o->camera ? o->camera : "/dev/video0";
}

bool device_is_camera(const struct options *o)
{
    struct stat st;
    return stat(path_of(o), &st) < 0 || S_ISCHR(st.st_mode);
}

int device_open(struct source **out, const struct options *o, struct fail *why)
{
    const struct camera_wish wish = { .width = o->width, .height = o->height };
    return device_is_camera(o) ? webcam_open(out, path_of(o), &wish, why) : footage_open(out, path_of(o), why);
}
