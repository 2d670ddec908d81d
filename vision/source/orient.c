// SPDX-License-Identifier: MIT
#include "vision/source/orient.h"

#include <stdbool.h>
#include <string.h>

// Where pixel (x, y) of the upright picture comes from: first the swap of x and y, then the flips, in the stored one.
static const struct {
    bool swap, flip_x, flip_y;
} ways[] = {
    [ORIENT_UPRIGHT] = { false, false, false },  [ORIENT_MIRROR] = { false, true, false },
    [ORIENT_HALF_TURN] = { false, true, true },  [ORIENT_MIRROR_HALF] = { false, false, true },
    [ORIENT_TRANSPOSE] = { true, false, false }, [ORIENT_RIGHT] = { true, false, true },
    [ORIENT_TRANSVERSE] = { true, true, true },  [ORIENT_LEFT] = { true, true, false },
};

int frame_orient(struct frame **f, enum orientation how, struct fail *why)
{
    if (how == ORIENT_UPRIGHT)
        return 0;
    const struct frame *from = *f;
    struct frame *to;
    int rc = frame_create(&to, ways[how].swap ? from->height : from->width, ways[how].swap ? from->width : from->height,
                          why);
    if (rc < 0)
        return rc;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            int sx = ways[how].swap ? y : x, sy = ways[how].swap ? x : y;
            if (ways[how].flip_x)
                sx = from->width - 1 - sx;
            if (ways[how].flip_y)
                sy = from->height - 1 - sy;
            const uint8_t *p = from->bgr + 3 * ((size_t)sy * (size_t)from->width + (size_t)sx);
            memcpy(to->bgr + 3 * ((size_t)y * (size_t)to->width + (size_t)x), p, 3);
        }
    to->t_s = from->t_s;
    to->number = from->number;
    frame_free(*f);
    *f = to;
    return 0;
}

// A block of bytes in either byte order; reading outside of it gives 0.
struct tiff {
    const uint8_t *data;
    size_t size;
    bool little;
};

static unsigned long tiff_number(const struct tiff *t, size_t at, int bytes)
{
    unsigned long n = 0;
    if (at > t->size || (size_t)bytes > t->size - at)
        return 0;
    for (int i = 0; i < bytes; i++)
        n = n << 8 | t->data[at + (size_t)(t->little ? bytes - 1 - i : i)];
    return n;
}

enum orientation jpeg_orientation(const uint8_t *jpeg, size_t size)
{
    enum { APP1 = 0xE1, START_OF_SCAN = 0xDA, EXIF_HEAD = 6 };
    enum { FIRST_FOLDER = 4, ENTRY_BYTES = 12, TAG_ORIENTATION = 0x0112, VALUE = 8 };
    for (size_t at = 2; at + 4 <= size && jpeg[at] == 0xFF && jpeg[at + 1] != START_OF_SCAN;) {
        size_t length = (size_t)jpeg[at + 2] << 8 | jpeg[at + 3]; // counts its own two bytes
        const uint8_t marker = jpeg[at + 1], *body = jpeg + at + 4;
        if (length < 2 || length > size - at - 2)
            break;
        at += 2 + length;
        if (marker != APP1 || length <= 2 + EXIF_HEAD || memcmp(body, "Exif\0", EXIF_HEAD) != 0)
            continue;
        const struct tiff t = { body + EXIF_HEAD, length - 2 - EXIF_HEAD, body[EXIF_HEAD] == 'I' };
        size_t folder = tiff_number(&t, FIRST_FOLDER, 4), entries = tiff_number(&t, folder, 2);
        for (size_t i = 0; i < entries; i++) {
            size_t entry = folder + 2 + i * ENTRY_BYTES;
            unsigned long value = tiff_number(&t, entry + VALUE, 2);
            if (tiff_number(&t, entry, 2) == TAG_ORIENTATION)
                return value >= ORIENT_UPRIGHT && value <= ORIENT_LEFT ? (enum orientation)value : ORIENT_UPRIGHT;
        }
        break;
    }
    return ORIENT_UPRIGHT;
}
