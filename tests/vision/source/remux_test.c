// SPDX-License-Identifier: MIT
// A copy of a recording, or of a part of it, shows what the recording shows, and tells nothing else.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "tests/sanitized.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/recorded.h"
#include "vision/source/remux.h"
#include "vision/source/source.h"
#include "vision/source/to_bgr.h"

// FFmpeg's, led through here by the linker: the read after so many further ones finds no memory; below 0: none does.
static int reads_before_refusal = -1;
int __real_av_read_frame(AVFormatContext *in, AVPacket *packet);
int __wrap_av_read_frame(AVFormatContext *in, AVPacket *packet);
int __wrap_av_read_frame(AVFormatContext *in, AVPacket *packet)
{
    return reads_before_refusal >= 0 && reads_before_refusal-- == 0 ? AVERROR(ENOMEM)
                                                                    : __real_av_read_frame(in, packet);
}

enum { EVERY_REQUEST = SANITIZED ? 7 : 1 }; // each is a whole copy, at which a sanitizer takes its time

// The C library's, which FFmpeg asks: of this thread the request after so many further ones gets nothing; below 0: none
// does.
static _Thread_local long requests_before_refusal = -1;
int posix_memalign(void **out, size_t side, size_t size)
{
    bool refused = requests_before_refusal >= 0 && requests_before_refusal-- == 0;
    *out = refused ? NULL : aligned_alloc(side, (size + side - 1) / side * side);
    if (!*out)
        errno = ENOMEM;
    return *out ? 0 : ENOMEM;
}

// Ours, led through here: swscale ends the program where it is refused memory.
int __real_to_bgr_convert(struct to_bgr *t, struct frame *out, const AVFrame *in, struct fail *why);
int __wrap_to_bgr_convert(struct to_bgr *t, struct frame *out, const AVFrame *in, struct fail *why);
int __wrap_to_bgr_convert(struct to_bgr *t, struct frame *out, const AVFrame *in, struct fail *why)
{
    long before = requests_before_refusal;
    requests_before_refusal = -1;
    int rc = __real_to_bgr_convert(t, out, in, why);
    requests_before_refusal = before;
    return rc;
}

static const struct remux whole = { .from_s = 0, .to_s = INFINITY };

// How many frames of `copy` are those of the recording from `from_s` on, in order and without a gap; all of them must
// be.
static int frames_alike(const char *recording, const char *copy, double from_s)
{
    struct source *a, *b;
    struct frame *f = NULL, *g = NULL;
    struct fail why = { .text = "" };
    int n = 0;
    assert_int_equal(footage_open(&a, recording, &why), 0);
    assert_int_equal(footage_open(&b, copy, &why), 0);
    do {
        frame_free(f);
        assert_int_equal(source_next(&f, a, &why), 1);
    } while (f->t_s < from_s - 1e-6);
    for (; source_next(&g, b, &why) == 1; n++) {
        assert_int_equal(scratch_difference(f, g), 0);
        assert_true(fabs(f->t_s - from_s - g->t_s) < 1e-6);
        frame_free(f);
        frame_free(g);
        source_next(&f, a, &why);
    }
    frame_free(f);
    source_close(a);
    source_close(b);
    return n;
}

static const int uneven_ms[] = { 0, 33, 100, 133, 140, 300, 333, 350, 420, 433, 500, 533 };

static void a_whole_copy_is_the_recording(void **state)
{
    static const struct {
        const char *name;
        struct recording r;
    } cases[] = {
        { "usual.mp4", { .frames = 12 } },
        { "uneven.mp4", { .frames = 12, .at_ms = uneven_ms } },
        { "uneven.mkv", { .frames = 12, .at_ms = uneven_ms } },
        { "both-sides.mp4", { .frames = 12, .between = 2, .key_every = 4 } },
        { "both-sides.mkv", { .frames = 12, .between = 2, .key_every = 4 } },
        { "usual.avi", { .frames = 12 } },
        { "turned.mp4", { .frames = 12, .anticlockwise_deg = 90 } },
        { "oblong.mp4", { .frames = 12, .pixel = { 3, 2 } } },
        { "usual.nut", { .frames = 12 } },
    };
    const struct scratch *s = *state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct fail why = { .text = "" };
        struct remux c = whole;
        const char *from = scratch_path(s, cases[i].name);
        record(from, &cases[i].r);
        if (remux_make(&c, s->folder, from, &why) != 0)
            fail_msg("%s: %s", cases[i].name, why.text);
        const char *copy = scratch_path(s, c.name);
        int n = frames_alike(from, copy, 0);
        if (n != 12 || c.from_s != 0)
            fail_msg("%s: %d frames from %g s", cases[i].name, n, c.from_s);
        unlink(copy);
    }
}

static void a_part_lies_between_two_key_pictures(void **state)
{
    static const struct recording recordings[] = { { .frames = 30, .key_every = 5 },
                                                   { .frames = 30, .key_every = 6, .between = 2 } };
    // 25 frames a second: keys at 0.2 s, 0.4 s ... or 0.24 s, 0.48 s ...
    static const struct {
        int of;
        double from_s, to_s, begins_s, ends_s;
        int frames;
    } cases[] = {
        { 0, 0.0, 0.3, 0.0, 0.4, 11 },       { 0, 0.39, 0.41, 0.2, 0.6, 11 }, { 0, 0.4, 0.41, 0.4, 0.6, 6 },
        { 0, 0.9, INFINITY, 0.8, 1.16, 10 }, { 1, 0.3, 0.4, 0.24, 0.48, 7 },  { 1, 0.5, INFINITY, 0.48, 1.16, 18 },
    };
    const struct scratch *s = *state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct fail why = { .text = "" };
        struct remux c = { .from_s = cases[i].from_s, .to_s = cases[i].to_s };
        const char *from = scratch_path(s, "long.mp4");
        record(from, &recordings[cases[i].of]);
        if (remux_make(&c, s->folder, from, &why) != 0)
            fail_msg("case %zu: %s", i, why.text);
        int n = frames_alike(from, scratch_path(s, c.name), c.from_s);
        if (n != cases[i].frames || fabs(c.from_s - cases[i].begins_s) > 1e-9 || fabs(c.to_s - cases[i].ends_s) > 1e-9)
            fail_msg("case %zu: %d frames from %g to %g s", i, n, c.from_s, c.to_s);
    }
}

static void a_part_beyond_the_end_is_refused(void **state)
{
    const struct scratch *s = *state;
    const struct recording r = { .frames = 10 };
    struct fail why = { .text = "" };
    struct remux c = { .from_s = 5, .to_s = 6 };
    record(scratch_path(s, "short.mp4"), &r);
    assert_int_equal(remux_make(&c, s->folder, scratch_path(s, "short.mp4"), &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "nothing after 5 s"));
}

static void sound_and_names_stay_behind(void **state)
{
    const struct scratch *s = *state;
    const struct recording r = { .frames = 10, .sound_and_name = true };
    struct fail why = { .text = "" };
    struct remux c = whole;
    AVFormatContext *in = NULL;
    record(scratch_path(s, "party.mkv"), &r);
    assert_int_equal(avformat_open_input(&in, scratch_path(s, "party.mkv"), NULL, NULL), 0);
    assert_int_equal(in->nb_streams, 2); // there is something to leave behind
    assert_non_null(av_dict_get(in->metadata, "artist", NULL, AV_DICT_IGNORE_SUFFIX));
    avformat_close_input(&in);
    assert_int_equal(remux_make(&c, s->folder, scratch_path(s, "party.mkv"), &why), 0);
    assert_int_equal(avformat_open_input(&in, scratch_path(s, c.name), NULL, NULL), 0);
    assert_int_equal(in->nb_streams, 1);
    assert_null(av_dict_get(in->metadata, "artist", NULL, 0));
    avformat_close_input(&in);
    assert_int_equal(frames_alike(scratch_path(s, "party.mkv"), scratch_path(s, c.name), 0), 10);
}

static void what_is_no_recording_is_refused(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct remux c = whole;
    scratch_write(scratch_path(s, "text.mp4"), "text\n", 5);
    assert_int_equal(remux_make(&c, s->folder, scratch_path(s, "text.mp4"), &why), RS_EINPUT);
    assert_int_equal(remux_make(&c, s->folder, scratch_path(s, "missing.mp4"), &why), RS_EIO);
    assert_int_equal(scratch_count(s), 1);
}

static void a_folder_that_cannot_be_written_is_told(void **state)
{
    const struct scratch *s = *state;
    const struct recording r = { .frames = 10 };
    struct fail why = { .text = "" };
    struct remux c = whole;
    record(scratch_path(s, "short.mp4"), &r);
    assert_int_equal(remux_make(&c, scratch_path(s, "no-such-folder"), scratch_path(s, "short.mp4"), &why), RS_EIO);
    assert_non_null(strstr(why.text, "cannot be written"));
}

static void no_memory_for_a_packet_is_told_as_that(void **state)
{
    const struct scratch *s = *state;
    const struct recording r = { .frames = 10 };
    record(scratch_path(s, "short.mp4"), &r);
    for (int reads = 0; reads < 14; reads++) { // while the part is looked for, and while it is copied
        struct fail why = { .text = "" };
        struct remux c = whole;
        reads_before_refusal = reads;
        int rc = remux_make(&c, s->folder, scratch_path(s, "short.mp4"), &why);
        reads_before_refusal = -1;
        if (rc != RS_ENOMEM)
            fail_msg("read %d found no memory, and that is told as %d: %s", reads, rc, why.text);
    }
}

static void no_memory_in_ffmpeg_makes_no_other_copy(void **state)
{
    const struct scratch *s = *state;
    const struct recording r = { .frames = 4, .h264 = true };
    const char *from = scratch_path(s, "short.mp4");
    bool all_given = false;
    record(from, &r);
    for (long requests = 0; !all_given; requests += EVERY_REQUEST) {
        struct fail why = { .text = "" };
        struct remux c = whole;
        requests_before_refusal = requests;
        int rc = remux_make(&c, s->folder, from, &why);
        all_given = requests_before_refusal >= 0;
        requests_before_refusal = -1;
        if (rc == 0 ? strcmp(c.name, "frames.mov") != 0 : rc != RS_ENOMEM || all_given)
            fail_msg("request %ld was refused, and that is told as %d: %s%s", requests, rc, c.name, why.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_whole_copy_is_the_recording, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_part_lies_between_two_key_pictures, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_part_beyond_the_end_is_refused, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(sound_and_names_stay_behind, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_is_no_recording_is_refused, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(no_memory_for_a_packet_is_told_as_that, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_written_is_told, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(no_memory_in_ffmpeg_makes_no_other_copy, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
