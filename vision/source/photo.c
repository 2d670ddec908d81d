// SPDX-License-Identifier: MIT
#include "vision/source/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/units.h"
#include "vision/source/jpeg.h"
#include "vision/source/orient.h"
#include "vision/source/png.h"
#include "calibration/whole_file.h"

static const char VIDEO[] = "a video, which `ringside review` reads";

// What people take for a photo; said by name, because "not a JPEG" would not help them.
static const char *other_kind(const uint8_t *data, size_t size)
{
    static const struct {
        size_t at, length; // some bytes are 0
        const char *bytes, *name;
    } kinds[] = {
        { 4, 7, "ftyphei", "a HEIC picture" },      { 4, 8, "ftypmif1", "a HEIC picture" },
        { 4, 8, "ftypavif", "an AVIF picture" },    { 4, 4, "ftyp", VIDEO },
        { 8, 4, "WEBP", "a WebP picture" },         { 8, 4, "AVI ", VIDEO },
        { 0, 4, "GIF8", "a GIF picture" },          { 0, 2, "BM", "a BMP picture" },
        { 0, 4, "II*\0", "a TIFF or raw picture" }, { 0, 4, "MM\0*", "a TIFF picture" },
        { 0, 4, "\x1a\x45\xdf\xa3", VIDEO },        { 0, 4, "%PDF", "a PDF document" },
    };
    for (size_t i = 0; i < countof(kinds); i++)
        if (kinds[i].at + kinds[i].length <= size && memcmp(data + kinds[i].at, kinds[i].bytes, kinds[i].length) == 0)
            return kinds[i].name;
    return NULL;
}

enum { FIRST_BYTES = 16 }; // in which each kind shows itself

// What the file begins with, *n bytes of it; false and errno when it cannot be read.
static bool read_first(uint8_t first[FIRST_BYTES], size_t *n, const char *path)
{
    FILE *in = fopen(path, "rb");
    *n = 0;
    if (!in)
        return false;
    do {
        clearerr(in);
        errno = 0;
        *n += fread(first + *n, 1, FIRST_BYTES - *n, in);
    } while (ferror(in) && errno == EINTR); // as whole_file_read goes on after a signal
    int failed = ferror(in) ? errno : 0;
    fclose(in);
    errno = failed;
    return failed == 0;
}

bool photo_begins(const char *path)
{
    uint8_t first[FIRST_BYTES];
    size_t n;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)) // what is read of a pipe is gone
        return false;
    if (!read_first(first, &n, path))
        return errno != ENOENT;
    return jpeg_begins(first, n) || png_begins(first, n);
}

// Of what is too large to be read whole, most is no photo: what it is tells more than how large it may be.
static int refuse_whole(const char *path, int rc, struct fail *why)
{
    uint8_t first[FIRST_BYTES];
    size_t n;
    struct stat st;
    bool file = rc == RS_EINPUT && stat(path, &st) == 0 && S_ISREG(st.st_mode) && read_first(first, &n, path);
    const char *name = file ? other_kind(first, n) : NULL;
    return name ? rs_fail(why, rc, "%s: it is %s, not a JPEG or PNG", path, name) : rc;
}

int photo_open(struct source **out, const char *path, struct fail *why)
{
    static const size_t MAX_PHOTO_BYTES = (size_t)256 << 20; // the largest JPEG a phone writes today has some 60 MB
    struct source *s = calloc(1, sizeof *s);
    struct jpeg *j = NULL;
    struct fail inner = { 0 };
    uint8_t *data;
    size_t size;
    if (!s)
        return rs_fail(why, RS_ENOMEM, "%s: no memory", path);
    int rc = whole_file_read(&data, &size, path, MAX_PHOTO_BYTES, why);
    if (rc < 0)
        return source_opened(out, s, refuse_whole(path, rc, why));
    if (jpeg_begins(data, size)) {
        rc = jpeg_create(&j, &inner);
        if (rc == 0)
            rc = jpeg_decode(&s->first, j, data, size, &inner);
        if (rc == 0)
            rc = frame_orient(&s->first, jpeg_orientation(data, size), &inner);
        jpeg_free(j);
    } else if (png_begins(data, size)) {
        rc = png_decode(&s->first, data, size, &inner);
    } else {
        const char *name = other_kind(data, size);
        rc = name ? rs_fail(&inner, RS_EINPUT, "it is %s, not a JPEG or PNG", name)
                  : rs_fail(&inner, RS_EINPUT, "neither a JPEG nor a PNG");
    }
    free(data);
    if (rc < 0)
        rs_fail(why, rc, "%s: %s", path, inner.text);
    source_set_name(s, path);
    return source_opened(out, s, rc);
}
