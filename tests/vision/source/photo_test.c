// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <png.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "vision/source/jpeg.h"
#include "vision/source/orient.h"
#include "vision/source/png.h"
#include "vision/source/source.h"

enum { WIDTH = 45, HEIGHT = 30 };
static const int JPEG_ERROR = 6; // of 255: what quality 95 does to a smooth picture

static uint8_t *as_jpeg(size_t *size)
{
    struct frame *f = scratch_frame(WIDTH, HEIGHT);
    struct jpeg *j;
    struct fail why = { 0 };
    uint8_t *bytes, *copy;
    assert_int_equal(jpeg_create(&j, &why), 0);
    assert_int_equal(jpeg_encode(&bytes, size, j, f, 95, &why), 0);
    copy = malloc(*size);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    jpeg_bytes_free(bytes);
    jpeg_free(j);
    frame_free(f);
    return copy;
}

static uint8_t *as_png(size_t *size)
{
    struct frame *f = scratch_frame(WIDTH, HEIGHT);
    struct fail why = { 0 };
    uint8_t *bytes;
    assert_int_equal(png_encode(&bytes, size, f, &why), 0);
    frame_free(f);
    return bytes;
}

static struct frame *open_one(const char *path)
{
    struct source *s;
    struct frame *f, *none;
    struct fail why = { 0 };
    if (photo_open(&s, path, &why) != 0)
        fail_msg("%s", why.text);
    assert_int_equal(source_next(&f, s, &why), 1);
    assert_int_equal(source_next(&none, s, &why), 0);
    assert_null(none);
    assert_int_equal(source_info(s)->width, f->width);
    assert_int_equal(source_info(s)->height, f->height);
    assert_string_equal(source_info(s)->name, strrchr(path, '/') + 1);
    source_close(s);
    return f;
}

static void content_decides_not_the_name(void **state)
{
    static const char *const names[] = { "a.jpg", "a.png", "a", "a.txt" };
    size_t jpeg_size, png_size;
    uint8_t *jpeg = as_jpeg(&jpeg_size), *png = as_png(&png_size);
    struct frame *wanted = scratch_frame(WIDTH, HEIGHT);
    for (size_t i = 0; i < countof(names); i++) {
        const char *path = scratch_path(*state, names[i]);
        scratch_write(path, png, png_size);
        struct frame *f = open_one(path);
        assert_int_equal(scratch_difference(f, wanted), 0);
        frame_free(f);
        scratch_write(path, jpeg, jpeg_size);
        f = open_one(path);
        assert_in_range(scratch_difference(f, wanted), 0, JPEG_ERROR);
        frame_free(f);
    }
    frame_free(wanted);
    free(jpeg);
    free(png);
}

static void what_is_no_photo_is_said_in_one_line(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } rows[] = {
        { "", 0, "empty" },
        { "Dear referee,\n", 14, "neither a JPEG nor a PNG" },
        { "\xff\xd8\xff", 3, "cut off" },
        { "\x89PNG\r\n\x1a\n", 8, "cut off" },
        { "\0\0\0\x18"
          "ftypheic\0\0\0\0",
          16, "HEIC" },
        { "\0\0\0\x18"
          "ftypisom\0\0\0\0",
          16, "it is a video, which `ringside review` reads, not a JPEG or PNG" },
        { "RIFF\0\0\0\0WEBP", 12, "WebP" },
        { "BM", 2, "BMP" },
        { "MM\0*\0\0\0\10", 8, "TIFF" },
        { "II*\0\10\0\0\0", 8, "TIFF" },
        { "MMXXVI, the second of May\n", 26, "neither a JPEG nor a PNG" },
        { "II* is no number\n", 17, "neither a JPEG nor a PNG" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *path = scratch_path(*state, "a.jpg");
        struct source *s = NULL;
        struct fail why = { 0 };
        scratch_write(path, rows[i].bytes, rows[i].size);
        assert_int_equal(photo_open(&s, path, &why), RS_EINPUT);
        if (!strstr(why.text, rows[i].says) || !strstr(why.text, path) || strchr(why.text, '\n'))
            fail_msg("wanted '%s', got '%s'", rows[i].says, why.text);
    }
}

static void what_cannot_be_read_is_said(void **state)
{
    struct scratch *folder = *state;
    struct source *s = NULL;
    struct fail why = { 0 };
    assert_int_equal(photo_open(&s, scratch_path(folder, "missing.jpg"), &why), RS_EIO);
    assert_non_null(strstr(why.text, "No such file"));
    assert_int_equal(photo_open(&s, folder->folder, &why), RS_EIO);
    assert_non_null(strstr(why.text, "directory"));
    assert_int_equal(photo_open(&s, "/dev/zero", &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "larger than"));
}

// Films are larger than any photo that is read, and the hint is meant for those who take one for a photo.
static void a_film_is_called_one_however_large_it_is(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } rows[] = {
        { "\0\0\0\x18"
          "ftypisom\0\0\0\0",
          16, "it is a video, which `ringside review` reads, not a JPEG or PNG" },
        { "\x1a\x45\xdf\xa3", 4, "it is a video, which `ringside review` reads, not a JPEG or PNG" },
        { "\xff\xd8\xff\xe0", 4, "larger than 256 MB, the most that is read" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *path = scratch_path(*state, "long.mp4");
        struct source *s = NULL;
        struct fail why = { 0 };
        scratch_write(path, rows[i].bytes, rows[i].size);
        assert_int_equal(truncate(path, (off_t)257 << 20), 0); // a hole: it takes no disk
        assert_int_equal(photo_open(&s, path, &why), RS_EINPUT);
        if (!strstr(why.text, rows[i].says) || strstr(why.text, path) != why.text)
            fail_msg("wanted '%s', got '%s'", rows[i].says, why.text);
    }
}

// Every cut of the file, byte by byte: an error each time, and nothing for the sanitizers to find.
static void cut_at_any_byte_is_an_error(void **state)
{
    (void)state;
    size_t jpeg_size, png_size;
    uint8_t *jpeg = as_jpeg(&jpeg_size), *png = as_png(&png_size);
    struct frame *f = NULL;
    struct jpeg *j;
    struct fail why = { 0 };
    assert_int_equal(jpeg_create(&j, &why), 0);
    for (size_t n = 0; n < jpeg_size; n++) {
        uint8_t *cut = malloc(n ? n : 1); // of exactly that size: reading on would be seen
        memcpy(cut, jpeg, n);
        assert_int_equal(jpeg_decode(&f, j, cut, n, &why), RS_EINPUT);
        jpeg_orientation(cut, n);
        free(cut);
    }
    for (size_t n = 0; n + 12 <= png_size; n++) {
        uint8_t *cut = malloc(n ? n : 1);
        memcpy(cut, png, n);
        assert_int_equal(png_decode(&f, cut, n, &why), RS_EINPUT);
        free(cut);
    }
    jpeg_free(j);
    free(jpeg);
    free(png);
}

// Any single byte overturned: a picture or an error, never a crash; a frame that is given is freed.
static void a_wrong_byte_never_crashes(void **state)
{
    (void)state;
    size_t size[2];
    uint8_t *bytes[2] = { as_jpeg(&size[0]), as_png(&size[1]) };
    int refused = 0;
    struct jpeg *j;
    struct fail why = { 0 };
    assert_int_equal(jpeg_create(&j, &why), 0);
    for (int kind = 0; kind < 2; kind++)
        for (size_t at = 0; at < size[kind]; at++) {
            struct frame *f = NULL;
            bytes[kind][at] ^= 0xFF;
            // The picture's sides stand in two bytes each: a size of 60000 is refused, 16 000 is a lot of work a time.
            int rc = kind ? png_decode(&f, bytes[1], size[1], &why) : jpeg_decode(&f, j, bytes[0], size[0], &why);
            bytes[kind][at] ^= 0xFF;
            refused += rc < 0;
            assert_true((rc == 0) == (f != NULL));
            frame_free(f);
        }
    assert_in_range(refused, 100, (int)(size[0] + size[1]));
    jpeg_free(j);
    free(bytes[0]);
    free(bytes[1]);
}

static void png_of_any_make_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        png_uint_32 format;
        int bytes_per_part, parts;
        double values[4]; // 0..1, of one colour over the whole picture
        int bgr[3];
    } rows[] = {
        { "grey", PNG_FORMAT_GRAY, 1, 1, { 0.5 }, { 128, 128, 128 } },
        { "grey with alpha on black", PNG_FORMAT_GA, 1, 2, { 1, 0 }, { 0, 0, 0 } },
        { "opaque alpha", PNG_FORMAT_RGBA, 1, 4, { 1, 0.5, 0, 1 }, { 0, 128, 255 } },
        { "linear 16 bits", PNG_FORMAT_LINEAR_RGB, 2, 3, { 1, 0.214, 0 }, { 0, 127, 255 } }, // 0.214 is half in sRGB
    };
    for (size_t i = 0; i < countof(rows); i++) {
        uint16_t pixels[5 * 4 * 4];
        for (int k = 0; k < 5 * 4 * rows[i].parts; k++) {
            double v = rows[i].values[k % rows[i].parts];
            if (rows[i].bytes_per_part == 2)
                pixels[k] = (uint16_t)(v * 65535 + 0.5);
            else
                ((uint8_t *)pixels)[k] = (uint8_t)(v * 255 + 0.5);
        }
        png_image image = { .version = PNG_IMAGE_VERSION, .width = 5, .height = 4, .format = rows[i].format };
        uint8_t bytes[4096];
        png_alloc_size_t size = sizeof bytes;
        assert_true(png_image_write_to_memory(&image, bytes, &size, 0, pixels, 0, NULL));
        struct frame *f;
        struct fail why = { 0 };
        if (png_decode(&f, bytes, size, &why) != 0)
            fail_msg("%s: %s", rows[i].name, why.text);
        for (int c = 0; c < 3; c++)
            if (abs(f->bgr[3 * 13 + c] - rows[i].bgr[c]) > 1)
                fail_msg("%s: channel %d is %d, not %d", rows[i].name, c, f->bgr[3 * 13 + c], rows[i].bgr[c]);
        frame_free(f);
    }
}

// Where the corners of the stored picture go, by the EXIF standard: letters are corners, row by row.
static void exif_turns_the_picture_upright(void **state)
{
    static const struct {
        enum orientation how;
        const char *corners;
    } rows[] = {
        { 1, "ABCD" }, { 2, "BADC" }, { 3, "DCBA" }, { 4, "CDAB" },
        { 5, "ACBD" }, { 6, "CADB" }, { 7, "DBCA" }, { 8, "BDAC" },
    };
    size_t size;
    uint8_t *jpeg = as_jpeg(&size), *tagged = malloc(size + 36);
    struct frame *stored = scratch_frame(WIDTH, HEIGHT);
    for (size_t i = 0; i < 2 * countof(rows); i++) {
        bool little = i % 2;
        uint8_t exif[36] = { 0xFF, 0xE1, 0, 34, 'E', 'x',  'i',  'f', 0, 0, 'M', 'M', 0, 42, 0,
                             0,    0,    8, 0,  1,   0x01, 0x12, 0,   3, 0, 0,   0,   1, 0,  (uint8_t)rows[i / 2].how,
                             0,    0,    0, 0,  0,   0 };
        if (little)
            memcpy(exif + 10,
                   (uint8_t[]){
                       'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, (uint8_t)rows[i / 2].how, 0 },
                   20);
        memcpy(tagged, jpeg, 2);
        memcpy(tagged + 2, exif, sizeof exif);
        memcpy(tagged + 2 + sizeof exif, jpeg + 2, size - 2);
        const char *path = scratch_path(*state, "turned.jpg");
        scratch_write(path, tagged, size + sizeof exif);
        struct frame *f = open_one(path);
        assert_int_equal(f->width, rows[i / 2].how < 5 ? WIDTH : HEIGHT);
        for (int k = 0; k < 4; k++) {
            int from = rows[i / 2].corners[k] - 'A';
            const uint8_t *a = f->bgr + 3 * ((k / 2) * (f->height - 1) * f->width + (k % 2) * (f->width - 1));
            const uint8_t *b = stored->bgr + 3 * ((from / 2) * (HEIGHT - 1) * WIDTH + (from % 2) * (WIDTH - 1));
            for (int c = 0; c < 3; c++)
                if (abs(a[c] - b[c]) > JPEG_ERROR)
                    fail_msg("orientation %d, corner %d: %d is not %d", rows[i / 2].how, k, a[c], b[c]);
        }
        frame_free(f);
    }
    frame_free(stored);
    free(tagged);
    free(jpeg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(content_decides_not_the_name, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_is_no_photo_is_said_in_one_line, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_film_is_called_one_however_large_it_is, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_said, scratch_create, scratch_remove),
        cmocka_unit_test(cut_at_any_byte_is_an_error),
        cmocka_unit_test(a_wrong_byte_never_crashes),
        cmocka_unit_test(png_of_any_make_is_read),
        cmocka_unit_test_setup_teardown(exif_turns_the_picture_upright, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
