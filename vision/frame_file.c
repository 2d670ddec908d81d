// SPDX-License-Identifier: MIT
#include "vision/frame_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vision/source/jpeg.h"
#include "vision/source/png.h"
#include "calibration/whole_file.h"

int frame_write(struct frame *f, const char *path, struct fail *why)
{
    const char *dot = strrchr(path, '.');
    struct jpeg *j = NULL;
    uint8_t *bytes;
    size_t size;
    int rc = frame_decode(f, why);
    if (rc < 0)
        return rc;
    if (dot && strcasecmp(dot, ".png") == 0) {
        rc = png_encode(&bytes, &size, f, why);
        if (rc < 0)
            return rc;
        rc = whole_file_write(path, bytes, size, why);
        free(bytes);
        return rc;
    }
    if (!dot || (strcasecmp(dot, ".jpg") != 0 && strcasecmp(dot, ".jpeg") != 0))
        return rs_fail(why, RS_EINPUT, "%s: a picture's name ends in .png or .jpg", path);
    rc = jpeg_create(&j, why);
    if (rc < 0)
        return rc;
    rc = jpeg_encode(&bytes, &size, j, f, JPEG_FINE, why);
    if (rc == 0) {
        rc = whole_file_write(path, bytes, size, why);
        jpeg_bytes_free(bytes);
    }
    jpeg_free(j);
    return rc;
}
