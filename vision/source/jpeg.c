// SPDX-License-Identifier: MIT
#include "vision/source/jpeg.h"

#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "calibration/units.h"

struct jpeg {
    tjhandle in, out;
};

int jpeg_create(struct jpeg **out, struct fail *why)
{
    struct jpeg *j = calloc(1, sizeof *j);
    if (!j)
        return rs_fail(why, RS_ENOMEM, "no memory for a JPEG decoder");
    j->in = tjInitDecompress();
    j->out = tjInitCompress();
    if (!j->in || !j->out) {
        jpeg_free(j);
        return rs_fail(why, RS_ELIB, "TurboJPEG does not start: %s", tjGetErrorStr2(NULL));
    }
    *out = j;
    return 0;
}

void jpeg_free(struct jpeg *j)
{
    if (!j)
        return;
    if (j->in)
        tjDestroy(j->in);
    if (j->out)
        tjDestroy(j->out);
    free(j);
}

bool jpeg_begins(const uint8_t *data, size_t size)
{
    return size >= 3 && data[0] == 0xFF && data[1] == 0xD8 && data[2] == 0xFF;
}

// True when no end-of-image marker follows the first scan. Inside a scan the two bytes cannot occur, and what a phone
// hangs on behind the picture does not matter. TurboJPEG would paint the missing part grey and only warn.
static bool cut_off(const uint8_t *data, size_t size)
{
    bool scan = false;
    for (size_t at = 2; at + 2 <= size;) {
        const uint8_t *mark = memchr(data + at, 0xFF, size - at);
        at = mark ? (size_t)(mark - data) : size;
        if (at + 2 > size)
            break;
        if (scan && data[at + 1] == 0xD9) {
            return false;
        } else if (!scan && at + 4 <= size && data[at + 1] >= 0xC0 && data[at + 1] != 0xFF) {
            scan = data[at + 1] == 0xDA;
            at += 2 + ((size_t)data[at + 2] << 8 | data[at + 3]); // over a thumbnail with an end of its own
        } else {
            at++;
        }
    }
    return true;
}

// TurboJPEG has one code for all failures; only its words distinguish no memory from a damaged file.
static int refused(struct jpeg *j, struct fail *why)
{
    const char *words = tjGetErrorStr2(j->in);
    int rc = strstr(words, "emory") ? rs_fail(why, RS_ENOMEM, "no memory to read a JPEG: %s", words)
                                    : rs_fail(why, RS_EINPUT, "the JPEG is damaged: %s", words);
    // After damage in a header it would read on there with the next picture, and refuse that and all others.
    tjhandle fresh = tjInitDecompress();
    if (fresh) {
        tjDestroy(j->in);
        j->in = fresh;
    }
    return rc;
}

int jpeg_size(int *width, int *height, struct jpeg *j, const uint8_t *data, size_t size, struct fail *why)
{
    int sampling, colours;
    if (!jpeg_begins(data, size))
        return rs_fail(why, RS_EINPUT, "not a JPEG");
    if (cut_off(data, size))
        return rs_fail(why, RS_EINPUT, "the JPEG is cut off");
    if (tjDecompressHeader3(j->in, data, (unsigned long)size, width, height, &sampling, &colours) != 0)
        return refused(j, why);
    if (colours == TJCS_CMYK || colours == TJCS_YCCK)
        return rs_fail(why, RS_EINPUT, "the JPEG is made for printing (CMYK); save it in RGB");
    return 0;
}

static int decode(uint8_t *bgr, struct jpeg *j, int width, int height, const uint8_t *data, size_t size,
                  struct fail *why)
{
    // A limit on scans, because a small progressive file can ask for hours of work.
    bool whole = tjDecompress2(j->in, data, (unsigned long)size, bgr, width, 3 * width, height, TJPF_BGR,
                               TJFLAG_LIMITSCANS) == 0;
    // Warnings that say nothing about the picture: many webcams pad their frames, and a number in a header may be odd.
    static const char *const harmless[] = { "extraneous bytes before marker", "JFIF revision",
                                            "Adobe color transform" };
    if (!whole && tjGetErrorCode(j->in) == TJERR_WARNING)
        for (size_t i = 0; i < countof(harmless); i++)
            whole |= strstr(tjGetErrorStr2(j->in), harmless[i]) != NULL;
    return whole ? 0 : refused(j, why);
}

int jpeg_decode(struct frame **out, struct jpeg *j, const uint8_t *data, size_t size, struct fail *why)
{
    int width, height;
    struct frame *f;
    int rc = jpeg_size(&width, &height, j, data, size, why);
    if (rc == 0)
        rc = frame_create(&f, width, height, why);
    if (rc < 0)
        return rc;
    rc = decode(f->bgr, j, width, height, data, size, why);
    if (rc == 0)
        *out = f;
    else
        frame_free(f);
    return rc;
}

int jpeg_decode_coarsely(uint8_t *bgr, struct jpeg *j, const struct encoded *e, int coarseness, struct fail *why)
{
    int width, height;
    int rc = jpeg_size(&width, &height, j, e->bytes, e->size, why);
    if (rc == 0 && (width != e->width || height != e->height))
        rc = rs_fail(why, RS_EINPUT, "the picture has another size than agreed");
    // Only the coefficients of low frequency are transformed, yet all are read: damage shows as in the whole picture.
    return rc < 0 ? rc : decode(bgr, j, width / coarseness, height / coarseness, e->bytes, e->size, why);
}

int jpeg_encode(uint8_t **out, size_t *size, struct jpeg *j, const struct frame *f, int quality, struct fail *why)
{
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    if (quality < 1 || quality > 100)
        return rs_fail(why, RS_EINPUT, "JPEG quality %d; it is 1 to 100", quality);
    if (tjCompress2(j->out, f->bgr, f->width, 3 * f->width, f->height, TJPF_BGR, &bytes, &length, TJSAMP_444, quality,
                    0) != 0) {
        tjFree(bytes);
        return rs_fail(why, RS_ELIB, "TurboJPEG cannot write a picture: %s", tjGetErrorStr2(j->out));
    }
    *out = bytes;
    *size = length;
    return 0;
}

void jpeg_bytes_free(uint8_t *bytes)
{
    tjFree(bytes);
}

int jpeg_encode_held(struct encoded **out, struct jpeg *j, const struct frame *f, int quality, struct fail *why)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    int rc = jpeg_encode(&bytes, &size, j, f, quality, why);
    if (rc < 0)
        return rc;
    rc = encoded_create(out, size, why);
    if (rc == 0) {
        struct encoded *e = *out;
        memcpy(e->bytes, bytes, size);
        e->encoding = ENCODED_JPEG;
        e->width = f->width;
        e->height = f->height;
        e->t_s = f->t_s;
    }
    jpeg_bytes_free(bytes);
    return rc;
}
