// SPDX-License-Identifier: MIT
#include "vision/source/png.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE_BYTES = 8 };

bool png_begins(const uint8_t *data, size_t size)
{
    return size >= SIGNATURE_BYTES && memcmp(data, "\x89PNG\r\n\x1a\n", SIGNATURE_BYTES) == 0;
}

// True when the chunks do not reach the last one, IEND: libpng alone does not mind when it has all pixels.
static bool cut_off(const uint8_t *data, size_t size)
{
    enum { AROUND = 12 }; // length, name and check sum of a chunk
    size_t at = SIGNATURE_BYTES;
    while (size - at >= AROUND) {
        const uint8_t *p = data + at;
        size_t length = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        if (memcmp(p + 4, "IEND", 4) == 0)
            return false;
        if (length > size - at - AROUND)
            return true;
        at += AROUND + length;
    }
    return true;
}

// Only libpng's words distinguish no memory from a damaged file.
static int refused(const png_image *image, struct fail *why)
{
    return strstr(image->message, "emory") ? rs_fail(why, RS_ENOMEM, "no memory to read a PNG: %s", image->message)
                                           : rs_fail(why, RS_EINPUT, "the PNG is damaged: %s", image->message);
}

int png_decode(struct frame **out, const uint8_t *data, size_t size, struct fail *why)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    struct frame *f = NULL;
    if (!png_begins(data, size))
        return rs_fail(why, RS_EINPUT, "not a PNG");
    if (cut_off(data, size))
        return rs_fail(why, RS_EINPUT, "the PNG is cut off");
    if (!png_image_begin_read_from_memory(&image, data, size))
        return refused(&image, why);
    int rc = frame_create(&f, (int)image.width, (int)image.height, why); // libpng reads no side of more than a million
    if (rc == 0) {
        image.format = PNG_FORMAT_BGR;
        image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // 16 bits that do not say so are seldom linear light
        if (!png_image_finish_read(&image, NULL, f->bgr, 3 * f->width, NULL))
            rc = refused(&image, why);
    }
    png_image_free(&image);
    if (rc < 0) {
        frame_free(f);
        return rc;
    }
    *out = f;
    return 0;
}

// Fast, not small: a picture with marks is looked at and thrown away, and to pack it well took a third of all that a
// look does; now it is 1.5 times as large.
int png_encode(uint8_t **out, size_t *size, const struct frame *f, struct fail *why)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = (png_uint_32)f->width,
                        .height = (png_uint_32)f->height,
                        .flags = PNG_IMAGE_FLAG_FAST,
                        .format = PNG_FORMAT_BGR };
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image); // written once: measuring first would compress twice
    uint8_t *bytes = malloc(room);
    if (!bytes)
        return rs_fail(why, RS_ENOMEM, "no memory for a PNG of %d x %d pixels", f->width, f->height);
    if (!png_image_write_to_memory(&image, bytes, &room, 0, f->bgr, 3 * f->width, NULL)) {
        free(bytes);
        return rs_fail(why, RS_ELIB, "libpng cannot write a picture: %s", image.message);
    }
    *out = bytes;
    *size = room;
    return 0;
}
