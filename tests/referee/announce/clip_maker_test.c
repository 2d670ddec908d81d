// SPDX-License-Identifier: MIT
// Clips of made-up pictures: which of them are in it and when, what is told of one that cannot be made. What is drawn
// on a real one is seen in tests/referee/commands/call_clips_test.c.
#include <math.h>
#include <semaphore.h>
#include <sys/resource.h>

#include "calibration/units.h"
#include "referee/announce/clip_maker.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/sent.h"
#include "vision/source/source.h"

enum { SENT = 100, STILLS = 30 };

static void show(struct clip_maker *c, int number, struct encoded *e)
{
    struct fail why = { .text = "" };
    const struct frame f = { .t_s = 0.1 * number, .number = number, .encoded = e };
    assert_int_equal(clip_maker_show(c, &f, &why), 0);
    encoded_release(e);
}

static void know(struct clip_maker *c, double t_s)
{
    static struct match_moment m; // 34 kB
    memset(&m, 0, sizeof m);
    m.t_s = t_s;
    overlay_say(&m.calls, "%.1f", t_s);
    clip_maker_know(c, &m);
}

static struct clip_wish wished(const struct scratch *s, const char *name, double from_s, double to_s)
{
    struct clip_wish w = { .from_s = from_s, .to_s = to_s };
    snprintf(w.path, sizeof w.path, "%s", scratch_path(s, name));
    return w;
}

// Bytes 4 to 7 of each box of an MP4 name it.
static bool index_is_in_front(const char *path)
{
    uint8_t bytes[1 << 16];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f), at = 0;
    fclose(f);
    while (at + 8 <= n && memcmp(bytes + at + 4, "moov", 4) != 0 && memcmp(bytes + at + 4, "mdat", 4) != 0)
        at += ((size_t)bytes[at] << 24) | ((size_t)bytes[at + 1] << 16) | ((size_t)bytes[at + 2] << 8) | bytes[at + 3];
    return at + 8 <= n && memcmp(bytes + at + 4, "moov", 4) == 0;
}

static void what_was_seen_is_in_it_with_its_times(void **state)
{
    const struct scratch *s = *state;
    struct clip_maker *c = NULL;
    struct fail why = { .text = "" };
    struct source *clip = NULL;
    struct frame *f = NULL;
    assert_int_equal(clip_maker_create(&c, movie_create, &why), 0);
    struct encoded *damaged = sent_jpeg(50);
    damaged->size /= 3;
    for (int i = 0; i < SENT; i++) {
        show(c, i, i == 50 ? damaged : i == 51 ? sent_raw(ENCODED_YUYV, i, 0) : sent_jpeg(i));
        know(c, 0.1 * i);
    }
    const struct clip_wish w = wished(s, "a", 3.95, 8.05);
    assert_int_equal(clip_maker_ask(c, &w, &why), 0);
    assert_int_equal(clip_maker_finish(c), 0);
    assert_false(clip_maker_news(c, &why));
    clip_maker_free(c);
    assert_true(index_is_in_front(scratch_path(s, "a.mp4")));
    assert_int_equal(footage_open(&clip, scratch_path(s, "a.mp4"), &why), 0);
    for (int i = 40, n = 0; i <= 80 + STILLS; i++) { // one of the pictures is damaged; the last one stands
        if (i == 50)
            continue;
        assert_int_equal(source_next(&f, clip, &why), 1);
        assert_int_equal(f->width, SENT_WIDTH);
        assert_int_equal(f->height, SENT_HEIGHT);
        if (fabs(f->t_s - 0.1 * (i - 40)) > 1e-4) // MP4 counts 90000 ticks a second
            fail_msg("picture %d is at %g s", n, f->t_s);
        frame_free(f);
        n++;
    }
    assert_int_equal(source_next(&f, clip, &why), 0);
    source_close(clip);
    assert_int_equal(photo_open(&clip, scratch_path(s, "a.jpg"), &why), 0); // of the last, where nothing is enlarged
    assert_int_equal(source_info(clip)->width, SENT_WIDTH);
    source_close(clip);
    assert_int_equal(scratch_count(s), 2);
}

static int no_encoder(struct movie **out, const char *path, int width, int height, double frames_per_s,
                      struct fail *why)
{
    (void)out, (void)width, (void)height, (void)frames_per_s;
    return rs_fail(why, RS_ELIB, "%s: FFmpeg here has no H.264 encoder that starts", path);
}

static void a_missing_encoder_is_told_once(void **state)
{
    const struct scratch *s = *state;
    struct clip_maker *c = NULL;
    struct fail why = { .text = "" };
    const struct clip_wish a = wished(s, "a", 0, 9), b = wished(s, "b", 0, 9);
    assert_int_equal(clip_maker_create(&c, no_encoder, &why), 0);
    show(c, 1, sent_jpeg(1));
    know(c, 0.1);
    assert_int_equal(clip_maker_ask(c, &a, &why), 0);
    assert_int_equal(clip_maker_ask(c, &b, &why), 0);
    assert_int_equal(clip_maker_finish(c), 2);
    assert_true(clip_maker_news(c, &why) && why.code == RS_ELIB);
    assert_non_null(strstr(why.text, "no clip for browsers: "));
    assert_non_null(strstr(why.text, "no H.264 encoder"));
    assert_false(clip_maker_news(c, &why));
    clip_maker_free(c);
    assert_int_equal(scratch_count(s), 0);
}

// What stops one of them does not stop the next.
static void a_folder_that_takes_nothing_is_told_until_it_does(void **state)
{
    const struct scratch *s = *state;
    struct clip_maker *c = NULL;
    struct fail why = { .text = "" };
    const char *const names[] = { "no/a", "no/b", "c", "no/d" };
    assert_int_equal(clip_maker_create(&c, movie_create, &why), 0);
    show(c, 1, sent_jpeg(1));
    know(c, 0.1);
    for (size_t i = 0; i < countof(names); i++) {
        struct clip_wish w = wished(s, names[i], 0, 9);
        w.patient = true;
        assert_int_equal(clip_maker_ask(c, &w, &why), 0);
    }
    assert_int_equal(clip_maker_finish(c), 3);
    for (int i = 0; i < 2; i++)
        assert_true(clip_maker_news(c, &why) && why.code == RS_EIO && strstr(why.text, "No such file"));
    assert_false(clip_maker_news(c, &why));
    clip_maker_free(c);
    assert_int_equal(scratch_count(s), 2); // c.mp4 and c.jpg
}

static sem_t go_on;

static int slow_begin(struct movie **out, const char *path, int width, int height, double frames_per_s,
                      struct fail *why)
{
    sem_wait(&go_on);
    return movie_create(out, path, width, height, frames_per_s, why);
}

static void what_is_too_much_is_refused_and_counted(void **state)
{
    const struct scratch *s = *state;
    struct clip_maker *c = NULL;
    struct fail why = { .text = "" };
    char name[] = "0";
    assert_int_equal(sem_init(&go_on, 0, 0), 0);
    assert_int_equal(clip_maker_create(&c, slow_begin, &why), 0);
    struct clip_wish w = wished(s, name, 0, 9);
    assert_int_equal(clip_maker_ask(c, &w, &why), RS_EINPUT); // nothing is known yet
    know(c, 0.1);
    assert_int_equal(clip_maker_ask(c, &w, &why), RS_EINPUT); // nothing was seen yet
    assert_non_null(strstr(why.text, "not held any more"));
    show(c, 1, sent_jpeg(1));
    for (int i = 0; i < 6; i++) {
        name[0] = (char)('0' + i);
        w = wished(s, name, 0, 9);
        assert_int_equal(clip_maker_ask(c, &w, &why), i < 4 ? 0 : RS_EINPUT);
    }
    assert_non_null(strstr(why.text, "4 others wait"));
    assert_int_equal(clip_maker_waits(c), 4);
    for (int i = 0; i < 4; i++)
        sem_post(&go_on);
    assert_int_equal(clip_maker_finish(c), 4);
    clip_maker_free(c);
    clip_maker_free(NULL);
    sem_destroy(&go_on);
    assert_int_equal(scratch_count(s), 8);
}

static int priority; // of the thread that made the last clip

static int tell_priority(struct movie **out, const char *path, int width, int height, double frames_per_s,
                         struct fail *why)
{
    priority = getpriority(PRIO_PROCESS, 0);
    return movie_create(out, path, width, height, frames_per_s, why);
}

// A review waits for its clips: on a busy machine it would for ever. A camera's frames go first.
static void who_waits_for_a_clip_has_it_made_as_soon_as_anything(void **state)
{
    const struct scratch *s = *state;
    for (int live = 0; live < 2; live++) {
        struct clip_maker *c = NULL;
        struct fail why = { .text = "" };
        struct clip_wish w = wished(s, live ? "live" : "review", 0, 9);
        w.patient = !live;
        assert_int_equal(clip_maker_create(&c, tell_priority, &why), 0);
        show(c, 1, sent_jpeg(1));
        know(c, 0.1);
        assert_int_equal(clip_maker_ask(c, &w, &why), 0);
        assert_int_equal(clip_maker_finish(c), 0);
        assert_int_equal(priority, live ? 19 : getpriority(PRIO_PROCESS, 0));
        clip_maker_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_seen_is_in_it_with_its_times, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_missing_encoder_is_told_once, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_folder_that_takes_nothing_is_told_until_it_does, scratch_create,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(who_waits_for_a_clip_has_it_made_as_soon_as_anything, scratch_create,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(what_is_too_much_is_refused_and_counted, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
