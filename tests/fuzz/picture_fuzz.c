// SPDX-License-Identifier: MIT
// A photograph from a stranger, JPEG or PNG: decoded, turned upright and written again.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "vision/source/jpeg.h"
#include "vision/source/png.h"
#include "vision/source/source.h"

enum {
    CLAIMED_PX_MAX = 1 << 20, // a larger picture takes its time, and teaches nothing that a smaller one does not
};

static long big_endian(const uint8_t *at, int bytes)
{
    long value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

// Pixels that a header, any of a JPEG's, speaks of; 0 where there is none.
static double claimed_px(const uint8_t *data, size_t size)
{
    double most = 0;
    if (png_begins(data, size) && size >= 24)
        return (double)big_endian(data + 16, 4) * (double)big_endian(data + 20, 4);
    for (size_t i = 0; i + 9 < size; i++)
        if (data[i] == 0xFF && data[i + 1] >= 0xC0 && data[i + 1] <= 0xCF)
            most = fmax(most, (double)(big_endian(data + i + 5, 2) * big_endian(data + i + 7, 2)));
    return most;
}

static void write_again(const struct frame *f)
{
    struct fail why;
    struct jpeg *j = NULL;
    struct frame *again = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    fuzz_must(png_encode(&bytes, &size, f, &why) == 0, "a picture can be written as PNG");
    fuzz_must(png_decode(&again, bytes, size, &why) == 0, "and read");
    fuzz_must(again->width == f->width && again->height == f->height &&
                  memcmp(again->bgr, f->bgr, (size_t)f->width * (size_t)f->height * 3) == 0,
              "and is the same");
    frame_free(again);
    again = NULL;
    free(bytes);
    fuzz_must(jpeg_create(&j, &why) == 0 && jpeg_encode(&bytes, &size, j, f, 90, &why) == 0,
              "a picture can be written as JPEG");
    fuzz_must(jpeg_decode(&again, j, bytes, size, &why) == 0 && again->width == f->width, "and read");
    frame_free(again);
    jpeg_bytes_free(bytes);
    jpeg_free(j);
}

void fuzz_picture(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    struct source *s = NULL;
    struct frame *f = NULL, *none = NULL;
    struct fail why;
    if (claimed_px(data, size) > CLAIMED_PX_MAX)
        return;
    int file = fuzz_open(path, data, size);
    bool begins = photo_begins(path);
    if (!fuzz_refused(photo_open(&s, path, &why), &why)) {
        fuzz_must(begins, "a picture begins as one");
        const struct source_info *info = source_info(s);
        fuzz_must(source_next(&f, s, &why) == 1 && source_next(&none, s, &why) == 0, "a photograph is one frame");
        fuzz_must(f->width == info->width && f->height == info->height && f->width > 0 && f->height > 0,
                  "a photograph has the size it says");
        source_close(s);
        write_again(f);
        frame_free(f);
    }
    fuzz_close(file);
}
