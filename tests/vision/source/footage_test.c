// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sys/stat.h>

#include "calibration/units.h"
#include "tests/near.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/recorded.h"
#include "vision/source/source.h"

enum { WIDTH = RECORDED_WIDTH, HEIGHT = RECORDED_HEIGHT, MOST_FRAMES = 40 };

// Everything a source gives: the times, and the grey right of the middle of each frame.
struct seen {
    int frames, width, height;
    double t_s[MOST_FRAMES];
    int grey[MOST_FRAMES], left[MOST_FRAMES];
    long dropped, doubtful;
    double lost_s, short_s, end_s;
    double lost_before_s[MOST_FRAMES]; // each frame
    bool doubted[MOST_FRAMES];
    int rc;
};

static int watch(struct seen *out, const char *path, struct fail *why)
{
    struct source *s;
    struct frame *f;
    *out = (struct seen){ 0 };
    int rc = footage_open(&s, path, why);
    if (rc < 0)
        return rc;
    while ((out->rc = source_next(&f, s, why)) == 1) {
        assert_true(out->frames < MOST_FRAMES);
        assert_int_equal(f->number, out->frames);
        assert_int_equal(f->width, source_info(s)->width);
        const uint8_t *middle = f->bgr + 3 * ((size_t)(f->height / 2) * (size_t)f->width);
        out->width = f->width;
        out->height = f->height;
        out->t_s[out->frames] = f->t_s;
        out->lost_before_s[out->frames] = f->lost_s;
        out->doubted[out->frames] = f->doubtful;
        out->left[out->frames] = middle[3 * (f->width / 4)];
        out->grey[out->frames++] = middle[3 * (f->width * 3 / 4)];
        frame_free(f);
    }
    out->dropped = source_info(s)->dropped;
    out->doubtful = source_info(s)->doubtful;
    out->lost_s = source_info(s)->lost_s;
    out->end_s = source_info(s)->end_s;
    out->short_s = source_info(s)->short_s;
    source_close(s);
    return 0;
}

static void every_frame_comes_with_its_own_time(void **state)
{
    static const int at_ms[] = { 100, 133, 180, 181, 900, 940, 2000 }; // variable rate, not from 0
    static const char *const names[] = { "a.mp4", "a.mkv" };
    for (size_t n = 0; n < countof(names); n++) {
        const char *path = scratch_path(*state, names[n]);
        struct seen seen;
        struct fail why = { 0 };
        record(path, &(struct recording){ .frames = countof(at_ms), .at_ms = at_ms });
        assert_int_equal(watch(&seen, path, &why), 0);
        assert_int_equal(seen.rc, 0);
        if (seen.frames != countof(at_ms))
            fail_msg("%s: %d frames, %ld dropped", names[n], seen.frames, seen.dropped);
        assert_int_equal(seen.dropped, 0);
        for (int k = 0; k < seen.frames; k++) {
            double wanted = (at_ms[k] - at_ms[0]) / 1000.0, luma = 40 + 5 * k;
            if (fabs(seen.t_s[k] - wanted) > 0.0011) // Matroska counts in milliseconds
                fail_msg("%s frame %d: at %.4f s, not %.4f", names[n], k, seen.t_s[k], wanted);
            // Video luma runs from 16 to 235; 3 is what the encoder may lose.
            if (fabs(seen.grey[k] - (luma - 16) * 255 / 219) > 3)
                fail_msg("%s frame %d: grey %d", names[n], k, seen.grey[k]);
        }
    }
}

static void pixels_become_square(void **state)
{
    static const struct {
        AVRational pixel;
        int width, height;
    } rows[] = {
        { { 1, 1 }, WIDTH, HEIGHT },     { { 0, 1 }, WIDTH, HEIGHT }, { { 664, 465 }, 137, HEIGHT },
        { { 1, 2 }, WIDTH, 2 * HEIGHT }, { { 3, 2 }, 144, HEIGHT },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *path = scratch_path(*state, "squeezed.mkv");
        struct seen seen;
        struct fail why = { 0 };
        record(path, &(struct recording){ .frames = 3, .pixel = rows[i].pixel });
        assert_int_equal(watch(&seen, path, &why), 0);
        assert_int_equal(seen.width, rows[i].width);
        assert_int_equal(seen.height, rows[i].height);
        assert_in_range(seen.left[0] - seen.grey[0], 18, 28); // nothing was cut away or moved
    }
}

static void a_phone_held_upright_is_turned(void **state)
{
    const char *path = scratch_path(*state, "turned.mp4");
    struct seen seen;
    struct fail why = { 0 };
    record(path, &(struct recording){ .frames = 2, .anticlockwise_deg = 90 });
    assert_int_equal(watch(&seen, path, &why), 0);
    assert_int_equal(seen.width, HEIGHT);
    assert_int_equal(seen.height, WIDTH);
    assert_int_equal(seen.left[0], seen.grey[0]);
    record(path, &(struct recording){ .frames = 2, .anticlockwise_deg = 180 });
    assert_int_equal(watch(&seen, path, &why), 0);
    assert_int_equal(seen.width, WIDTH);
    assert_in_range(seen.grey[0] - seen.left[0], 18, 28);
}

static void what_is_no_video_is_said_in_one_line(void **state)
{
    uint8_t sound[44 + 8000] =
        "RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\x40\x1f";
    const char letters[] = "A letter to the referee.\nAnd another line.\n";
    const char photo[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    const char concat[] = "ffconcat version 1.0\nfile none.mp4\n";
    const char hls[] = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nnone.mp4\n#EXT-X-ENDLIST\n";
    const char sdp[] = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n"
                       "a=rtpmap:96 H264/90000\n";
    const char dash[] = "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\">"
                        "<Period><BaseURL>none.mp4</BaseURL></Period></MPD>\n";
    const struct {
        const char *name;
        const void *bytes;
        size_t size;
        int rc;
        const char *says;
    } rows[] = {
        { "empty.mp4", "", 0, RS_EINPUT, "empty" },
        { "letter.mp4", letters, sizeof letters, RS_EINPUT, "not a video" },
        { "letter.txt", letters, sizeof letters, RS_EINPUT, "not a video" },
        { "song.wav", sound, sizeof sound, RS_EINPUT, "not a video" },
        { "photo.mp4", photo, sizeof photo, RS_EINPUT, "a picture, not a video: `ringside look`" },
        { "list.mkv", concat, sizeof concat, RS_EINPUT, "playlists" },
        { "list.mp4", hls, sizeof hls, RS_EINPUT, "playlists" },
        { "list.sdp", sdp, sizeof sdp, RS_EINPUT, "not a video" },
        { "list.mpd", dash, sizeof dash, RS_EINPUT, "not a video" },
        { "http://127.0.0.1/a.mp4", NULL, 0, RS_EINPUT, "network" },
        { "missing.mp4", NULL, 0, RS_EIO, "No such file" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *path = scratch_path(*state, rows[i].name);
        struct seen seen;
        struct fail why = { 0 };
        if (rows[i].bytes)
            scratch_write(path, rows[i].bytes, rows[i].size);
        int rc = watch(&seen, path, &why);
        if (rc != rows[i].rc || !strstr(why.text, rows[i].says) || !strstr(why.text, path) || strchr(why.text, '\n'))
            fail_msg("%s: %d '%s'", rows[i].name, rc, why.text);
    }
    struct seen seen;
    struct fail why = { 0 };
    assert_int_equal(watch(&seen, ((struct scratch *)*state)->folder, &why), RS_EIO);
    assert_int_equal(watch(&seen, "/dev/zero", &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "a device"));
    const char *pipe = scratch_path(*state, "pipe.mp4");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(watch(&seen, pipe, &why), RS_EINPUT); // and it is not waited for
    assert_non_null(strstr(why.text, "not a file"));
}

static void a_video_without_frames_is_refused(void **state)
{
    const char *path = scratch_path(*state, "none.mkv");
    struct seen seen;
    struct fail why = { 0 };
    record(path, &(struct recording){ .frames = 0 });
    assert_int_equal(watch(&seen, path, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, path));
}

static size_t read_back(const char *path, uint8_t *bytes, size_t room)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, room, f);
    fclose(f);
    assert_in_range(n, 1, room - 1);
    return n;
}

// Cut anywhere, it gives the frames that are whole, with their right grey, or an error.
static void a_cut_recording_never_crashes(void **state)
{
    static const char *const names[] = { "a.mkv", "a.avi", "a.mp4" };
    enum { CUTS = 12 };
    static uint8_t bytes[1 << 18];
    int refused = 0, shown = 0;
    for (size_t n = 0; n < countof(names); n++) {
        const char *path = scratch_path(*state, names[n]);
        record(path, &(struct recording){ .frames = 24 });
        size_t size = read_back(path, bytes, sizeof bytes);
        for (int k = 1; k < CUTS; k++) {
            struct seen seen;
            struct fail why = { 0 };
            scratch_write(path, bytes, size * (size_t)k / CUTS);
            if (watch(&seen, path, &why) < 0) {
                refused++;
                assert_true(why.text[0]);
                continue;
            }
            shown++;
            assert_in_range(seen.frames, 1, 24);
            for (int i = 1; i < seen.frames; i++)
                assert_true(seen.t_s[i] >= seen.t_s[i - 1]);
        }
    }
    assert_true(refused >= CUTS); // at least every mp4, whose index stands at the end
    assert_true(shown >= CUTS / 2);
}

static void a_damaged_recording_never_crashes(void **state)
{
    static uint8_t bytes[1 << 18];
    const char *path = scratch_path(*state, "a.avi");
    record(path, &(struct recording){ .frames = 24 });
    size_t size = read_back(path, bytes, sizeof bytes);
    unsigned seed = 20;
    for (int round = 0; round < 12; round++) {
        struct seen seen;
        struct fail why = { 0 };
        for (int k = 0; k < 20; k++) {
            seed = seed * 1103515245u + 12345u;
            bytes[2048 + (seed >> 8) % (size - 2048)] ^= (uint8_t)(seed >> 4 | 1);
        }
        scratch_write(path, bytes, size);
        if (watch(&seen, path, &why) == 0)
            assert_true(seen.rc <= 0 && seen.frames > 0);
        else
            assert_true(why.text[0]);
    }
}

// A bare stream of which only the clock's ticks, a thousand a second, are known would be over at once, and nothing
// called.
static void pictures_without_any_times_are_refused(void **state)
{
    const char *path = scratch_path(*state, "bare.h264");
    struct seen seen;
    struct fail why = { 0 };
    record(path, &(struct recording){ .frames = 12, .h264 = true });
    assert_int_equal(watch(&seen, path, &why), RS_EINPUT);
    if (!strstr(why.text, "when its pictures were taken does not stand in it"))
        fail_msg("%s", why.text);
}

// A stretch of nothing in the middle: what is lost is counted and told with the frame behind it, and what is decoded
// from damaged pictures is not taken for seen.
static void what_is_lost_is_told(void **state)
{
    static uint8_t bytes[1 << 18];
    const char *path = scratch_path(*state, "a.mkv");
    struct seen seen;
    struct fail why = { 0 };
    int at_ms[36];
    for (int i = 0; i < 36; i++)
        at_ms[i] = 100 * i;
    record(path, &(struct recording){ .frames = 36, .at_ms = at_ms, .key_every = 6 });
    assert_int_equal(watch(&seen, path, &why), 0);
    assert_true(seen.frames == 36 && seen.dropped == 0 && seen.doubtful == 0 && seen.lost_s <= 0 && seen.short_s <= 0);
    size_t size = read_back(path, bytes, sizeof bytes);
    memset(bytes + size / 3, 0, size / 4);
    scratch_write(path, bytes, size);
    assert_int_equal(watch(&seen, path, &why), 0);
    assert_true(seen.frames > 0 && seen.frames < 36);
    if (!(seen.dropped + seen.doubtful > 0 || seen.lost_s > 0 || seen.short_s > 0))
        fail_msg("%d frames of 36 are there, and nobody says so", seen.frames);
}

// Nobody lost a picture, and still nothing is known of two seconds.
static void a_jump_in_time_is_a_loss(void **state)
{
    static const int at_ms[] = { 0, 40, 80, 2080, 2120 };
    const char *path = scratch_path(*state, "a.mkv");
    struct seen seen;
    struct fail why = { 0 };
    record(path, &(struct recording){ .frames = countof(at_ms), .at_ms = at_ms });
    assert_int_equal(watch(&seen, path, &why), 0);
    for (size_t i = 0; i < countof(at_ms); i++)
        assert_near(seen.lost_before_s[i], at_ms[i] == 2080 ? 2 : 0, 0.002);
    assert_near(seen.lost_s, 2, 0.002);
}

// The picture that others need is missing, or comes a second time: nothing from there to the next that needs none is
// believed, and all of it is told with the first picture behind it.
static void what_was_decoded_without_its_reference_is_doubtful(void **state)
{
    const char *path = scratch_path(*state, "a.mkv");
    struct seen seen;
    struct fail why = { 0 };
    for (int repeats = 0; repeats < 2; repeats++) {
        record(path, &(struct recording){ .frames = 39, .key_every = 12, .spoilt = 34, .repeats = repeats });
        assert_int_equal(watch(&seen, path, &why), 0);
        assert_true(seen.doubtful + seen.dropped > 0);
        for (int i = 0; i < seen.frames; i++)
            if (seen.doubted[i] && (seen.t_s[i] < 1.3 || seen.t_s[i] >= 1.44))
                fail_msg("%d, %d of %d: %.2f s doubted", repeats, i, seen.frames, seen.t_s[i]);
        assert_true(seen.lost_s > 0.03 && seen.lost_s < 0.5);
        assert_true(seen.short_s <= 0);
    }
}

// It says how long it is, and is not.
static void an_end_that_is_missing_is_told(void **state)
{
    static uint8_t bytes[1 << 18];
    const char *path = scratch_path(*state, "a.mkv");
    struct seen seen;
    struct fail why = { 0 };
    record(path, &(struct recording){ .frames = 36 });
    assert_int_equal(watch(&seen, path, &why), 0);
    assert_true(seen.short_s <= 0 && seen.end_s <= 0);
    size_t size = read_back(path, bytes, sizeof bytes);
    scratch_write(path, bytes, size / 2);
    assert_int_equal(watch(&seen, path, &why), 0);
    assert_true(seen.short_s > 0.3);
    assert_true(seen.end_s >= seen.short_s);
}

// It begins late by its clock, as what was cut out of a longer one; or with pictures whose reference is missing.
static void a_late_beginning_is_no_missing_end(void **state)
{
    static uint8_t bytes[1 << 18];
    const char *late = scratch_path(*state, "late.mkv");
    struct seen seen;
    struct fail why = { 0 };
    int at_ms[36];
    for (int i = 0; i < 36; i++)
        at_ms[i] = 100000 + 100 * i;
    record(late, &(struct recording){ .frames = 36, .at_ms = at_ms });
    assert_int_equal(watch(&seen, late, &why), 0);
    assert_true(seen.frames == 36 && seen.lost_s <= 0 && seen.short_s <= 0);

    const char *cut = scratch_path(*state, "cut.ts");
    record(cut, &(struct recording){ .frames = 36, .key_every = 12, .between = 2, .h264 = true });
    size_t size = read_back(cut, bytes, sizeof bytes), without = 6 * 188; // tables, and the first picture
    scratch_write(cut, bytes + without, size - without);
    assert_int_equal(watch(&seen, cut, &why), 0);
    assert_true(seen.frames > 20 && seen.frames < 36);
    assert_near(seen.lost_s, 0.4, 0.05);
    assert_near(seen.short_s, 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_frame_comes_with_its_own_time, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(pixels_become_square, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_phone_held_upright_is_turned, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_is_no_video_is_said_in_one_line, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_video_without_frames_is_refused, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_cut_recording_never_crashes, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(pictures_without_any_times_are_refused, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_is_lost_is_told, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_jump_in_time_is_a_loss, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_damaged_recording_never_crashes, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_was_decoded_without_its_reference_is_doubtful, scratch_create,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(an_end_that_is_missing_is_told, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_late_beginning_is_no_missing_end, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
