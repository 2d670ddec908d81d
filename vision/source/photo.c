// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "vision/source/jpeg.h"
#include "vision/source/kind.h"
#include "vision/source/orient.h"
#include "vision/source/png.h"
#include "vision/source/whole_file.h"

static const size_t MAX_PHOTO_BYTES = (size_t)256 << 20; // the largest JPEG a phone writes today has some 60 MB

struct photo {
    struct source base;
    struct frame *frame; // NULL once it was given out
};

// What people take for a photo; said by name, because "not a JPEG" would not help them.
static const char *other_kind(const uint8_t *data, size_t size)
{
    static const struct {
        size_t at;
        const char *bytes, *name;
    } kinds[] = {
        { 4, "ftyphei", "a HEIC picture" },      { 4, "ftypmif1", "a HEIC picture" },
        { 4, "ftypavif", "an AVIF picture" },    { 4, "ftyp", "a video" },
        { 8, "WEBP", "a WebP picture" },         { 8, "AVI ", "a video" },
        { 0, "GIF8", "a GIF picture" },          { 0, "BM", "a BMP picture" },
        { 0, "II*\0", "a TIFF or raw picture" }, { 0, "MM\0*", "a TIFF picture" },
        { 0, "\x1a\x45\xdf\xa3", "a video" },    { 0, "%PDF", "a PDF document" },
    };
    for (size_t i = 0; i < countof(kinds); i++) {
        size_t length = strlen(kinds[i].bytes);
        if (kinds[i].at + length <= size && memcmp(data + kinds[i].at, kinds[i].bytes, length) == 0)
            return kinds[i].name;
    }
    return NULL;
}

static int decode_jpeg(struct frame **out, const uint8_t *data, size_t size, struct fail *why)
{
    struct jpeg *j;
    int rc = jpeg_create(&j, why);
    if (rc < 0)
        return rc;
    rc = jpeg_decode(j, out, data, size, why);
    if (rc == 0)
        rc = frame_orient(out, jpeg_orientation(data, size), why);
    jpeg_free(j);
    return rc;
}

static int decode(struct frame **out, const uint8_t *data, size_t size, struct fail *why)
{
    if (jpeg_begins(data, size))
        return decode_jpeg(out, data, size, why);
    if (png_begins(data, size))
        return png_decode(out, data, size, why);
    const char *name = other_kind(data, size);
    if (name)
        return rs_fail(why, RS_EINPUT, "it is %s, not a JPEG or PNG", name);
    return rs_fail(why, RS_EINPUT, "neither a JPEG nor a PNG");
}

static int photo_next(struct source *s, struct frame **out, struct fail *why)
{
    struct photo *p = (struct photo *)s;
    (void)why;
    if (!p->frame)
        return 0;
    *out = p->frame;
    p->frame = NULL;
    return 1;
}

static void photo_close(struct source *s)
{
    struct photo *p = (struct photo *)s;
    frame_free(p->frame);
    free(p);
}

static const struct source_kind photo_kind = { photo_next, photo_close };

bool photo_begins(const char *path)
{
    uint8_t first[16];
    FILE *in = fopen(path, "rb");
    if (!in)
        return false;
    size_t n = fread(first, 1, sizeof first, in);
    fclose(in);
    return jpeg_begins(first, n) || png_begins(first, n);
}

int photo_open(struct source **out, const char *path, struct fail *why)
{
    uint8_t *data;
    size_t size;
    int rc = whole_file_read(&data, &size, path, MAX_PHOTO_BYTES, why);
    if (rc < 0)
        return rc;
    struct photo *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    struct fail inner = { 0 };
    rc = decode(&p->frame, data, size, &inner);
    free(data);
    if (rc < 0) {
        photo_close(&p->base);
        return rs_fail(why, rc, "%s: %s", path, inner.text);
    }
    p->base.kind = &photo_kind;
    p->base.info.width = p->frame->width;
    p->base.info.height = p->frame->height;
    source_set_name(&p->base, path);
    *out = &p->base;
    return 0;
}
