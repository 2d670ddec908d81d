// SPDX-License-Identifier: MIT
// What a camera sent is kept to the byte and to the last digit of its time, whatever becomes of the disk, the program
// or the file.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/filmed_by.h"
#include "vision/source/recorder.h"
#include "vision/source/source.h"

enum { PICTURES = 60 };

static void record_all(const struct scratch *s, int count, double lost_at_ten_s)
{
    const struct recorder_limits limits = quick();
    struct recorder *r = begin(s->folder, &limits, &wide);
    for (int i = 0; i < count; i++)
        give(r, sent_jpeg(i), i, i == 10 ? lost_at_ten_s : 0);
    assert_int_equal(end(r).pictures, count);
}

static struct source *open_again(const struct scratch *s)
{
    struct source *source = NULL;
    struct fail why = { .text = "" };
    if (recording_open(&source, s->folder, &why) < 0)
        fail_msg("%s", why.text);
    return source;
}

static void must_be(const struct frame *f, struct encoded *e, int number)
{
    if (f->t_s != time_of(number) || f->encoded->size != e->size || memcmp(f->encoded->bytes, e->bytes, e->size) != 0)
        fail_msg("picture %d is not as it was sent: at %.9f s", number, f->t_s);
    encoded_release(e);
}

static void what_was_recorded_comes_back(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct frame *f;
    record_all(s, PICTURES, 0.7);
    assert_int_equal(scratch_count(s), 4); // two seconds, in halves
    struct source *source = open_again(s);
    assert_true(fabs(source_info(source)->duration_s - time_of(PICTURES)) < 0.1);
    for (int i = 0; i < PICTURES; i++) {
        assert_int_equal(source_next(&f, source, &why), SOURCE_FRAME);
        must_be(f, sent_jpeg(i), i);
        assert_int_equal(f->number, i);
        assert_true(f->lost_s == (i == 10 ? 0.7 : 0));
        frame_free(f);
    }
    assert_int_equal(source_next(&f, source, &why), SOURCE_ENDED);
    assert_int_equal(source_info(source)->dropped, 0);
    source_close(source);
    assert_int_equal(empty(s), 0);
}

static void a_segment_is_a_video_for_all(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct source *source = NULL;
    struct frame *f;
    int n = 0;
    record_all(s, PICTURES, 0);
    assert_int_equal(footage_open(&source, scratch_path(s, "segment-00002.mkv"), &why), 0);
    for (; source_next(&f, source, &why) == SOURCE_FRAME; n++) {
        assert_true(fabs(f->t_s - (time_of(15 + n) - time_of(15))) < 0.001);
        frame_free(f);
    }
    assert_int_equal(n, 15);
    source_close(source);
    assert_int_equal(empty(s), 0);
}

static void raw_pictures_come_back_to_the_pixel(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct unpacker *u = NULL;
    assert_int_equal(unpacker_create(&u, &why), 0);
    for (int kind = ENCODED_JPEG + 1; kind < ENCODINGS; kind++)
        for (int padding = 0; padding <= 32; padding += 32) {
            const struct recorder_limits limits = quick();
            struct recorder *r = begin(s->folder, &limits, &wide);
            for (int i = 0; i < 20; i++)
                give(r, sent_raw((enum encoding)kind, i, padding), i, 0);
            assert_int_equal(end(r).pictures, 20);
            struct source *source = open_again(s);
            for (int i = 0; i < 20; i++) {
                struct frame *f, *sent;
                struct encoded *e = sent_raw((enum encoding)kind, i, padding);
                assert_int_equal(source_next(&f, source, &why), SOURCE_FRAME);
                assert_int_equal(unpack(&sent, u, e, &why), 0);
                if (f->t_s != time_of(i) || scratch_difference(f, sent) != 0)
                    fail_msg("kind %d with %d bytes behind a row: picture %d is not as sent", kind, padding, i);
                encoded_release(e);
                frame_free(sent);
                frame_free(f);
            }
            source_close(source);
            assert_int_equal(empty(s), 0);
        }
    unpacker_free(u);
}

static void a_change_of_mode_begins_a_segment(void **state)
{
    const struct scratch *s = *state;
    const struct recorder_limits limits = recorder_limits_usual;
    struct recorder *r = begin(s->folder, &limits, &wide);
    for (int i = 0; i < 10; i++)
        give(r, i < 5 ? sent_jpeg(i) : sent_raw(ENCODED_YUYV, i, 0), i, 0);
    assert_int_equal(end(r).segments, 2);
    struct source *source = open_again(s);
    struct frame *f;
    struct fail why;
    int n = 0;
    for (; source_next(&f, source, &why) == SOURCE_FRAME; n++)
        frame_free(f);
    assert_int_equal(n, 10);
    source_close(source);
    assert_int_equal(empty(s), 0);
}

static int64_t bytes_put, kill_at; // of the child

static ssize_t put_until_killed(int fd, const void *bytes, size_t size)
{
    if (bytes_put + (int64_t)size > kill_at) {
        size_t part = kill_at > bytes_put ? (size_t)(kill_at - bytes_put) : 0;
        if (write(fd, bytes, part) >= 0)
            raise(SIGKILL);
    }
    ssize_t n = write(fd, bytes, size);
    bytes_put += n;
    return n;
}

// The same in the middle of any write: all but the last few can be read.
static void a_killed_recording_is_one_up_to_there(void **state)
{
    const struct scratch *s = *state;
    static const struct recorder_disk disk = { put_until_killed, much_room };
    struct encoded *e = sent_jpeg(0);
    size_t one = e->size;
    encoded_release(e);
    for (int k = 0; k < 8; k++) {
        int until = 25 + 5 * k; // pictures, of some two seconds
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct recorder_limits limits = quick();
            limits.segment_s = 1;
            kill_at = (int64_t)one * until + 37 * k;
            struct recorder *r = begin(s->folder, &limits, &disk);
            for (int i = 0; i < 2 * PICTURES; i++)
                give(r, sent_jpeg(i), i, 0);
            end(r);
            _exit(1);
        }
        int status, n = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        struct source *source = open_again(s);
        struct frame *f;
        struct fail why;
        for (; source_next(&f, source, &why) == SOURCE_FRAME; n++) {
            must_be(f, sent_jpeg(n), n);
            frame_free(f);
        }
        if (n < until - 8)
            fail_msg("killed behind %d pictures: only %d are there", until, n);
        source_close(source);
        assert_int_equal(empty(s), 0);
    }
}

// As of a program that was killed between two pictures.
static void of_what_was_not_finished_the_last_pictures_are_missing(void **state)
{
    const struct scratch *s = *state;
    struct segment *segment = NULL;
    struct fail why = { .text = "" };
    int fd = open(scratch_path(s, "segment-00001.mkv"), O_WRONLY | O_CREAT | O_EXCL, 0600), n = 0;
    assert_true(fd >= 0);
    for (int i = 0; i < PICTURES; i++) {
        struct encoded *e = sent_jpeg(i);
        const struct picture_mark mark = { i, time_of(i), 0 };
        if (i == 0)
            assert_int_equal(segment_create(&segment, fd, e, write, &why), 0);
        assert_int_equal(segment_write(segment, e, &mark, &why), 0);
        encoded_release(e);
    }
    close(fd); // whatever is not there yet never will be
    struct source *source = open_again(s);
    struct frame *f;
    for (; source_next(&f, source, &why) == SOURCE_FRAME; n++)
        frame_free(f);
    assert_in_range(n, PICTURES - 6, PICTURES);
    source_close(source);
    segment_free(segment);
    assert_int_equal(empty(s), 0);
}

// Reads what is there; all of it as it was sent, and the rest told to be missing.
static int count_again(const struct scratch *s, long missed)
{
    struct source *source = open_again(s);
    struct frame *f;
    struct fail why = { .text = "" };
    int n = 0, rc;
    double last_s = 0, lost_s = 0;
    for (; (rc = source_next(&f, source, &why)) == SOURCE_FRAME; n++) {
        int number = (int)lround(f->t_s * 30 / (1 + 30e-7));
        must_be(f, sent_jpeg(number), number);
        bool gap = n > 0 && f->t_s - last_s > 0.05;
        assert_true(gap ? f->lost_s == f->t_s - last_s : f->lost_s == 0);
        lost_s += f->lost_s;
        last_s = f->t_s;
        frame_free(f);
    }
    assert_int_equal(rc, SOURCE_ENDED);
    assert_int_equal(source_info(source)->dropped, missed);
    assert_true(source_info(source)->lost_s == lost_s);
    source_close(source);
    return n;
}

static void the_disk_is_full(const char *what, const struct scratch *s, const struct recorder_disk *disk,
                             const char *words)
{
    const struct recorder_limits limits = quick();
    struct recorder *r = begin(s->folder, &limits, disk);
    struct recorded_sum sum;
    struct fail told = { .text = "" }, more;
    for (int i = 0; i < 4 * PICTURES; i++)
        give(r, sent_jpeg(i), i, 0);
    recorder_finish(&sum, r);
    while (recorder_news(r, &more))
        told = more;
    recorder_free(r);
    if (!strstr(told.text, "the recording ends here") || !strstr(told.text, words) || !sum.broken_off)
        fail_msg("%s: told \"%s\"", what, told.text);
    assert_in_range(sum.pictures, 40, 4 * PICTURES - 1);
    assert_int_equal(sum.pictures + sum.missed, 4 * PICTURES);
    int n = count_again(s, 0);
    if (n < sum.pictures - 18) // of the cluster that was begun
        fail_msg("%s: %ld recorded, %d are there", what, sum.pictures, n);
    assert_int_equal(empty(s), 0);
}

static int64_t taken;

static ssize_t put_until_full(int fd, const void *bytes, size_t size)
{
    if (taken + (int64_t)size > 100000) {
        errno = ENOSPC;
        return -1;
    }
    taken += (int64_t)size;
    return write(fd, bytes, size);
}

static int asked;

static int64_t room_that_goes(const char *folder)
{
    (void)folder;
    return ++asked < 3 ? 1000000000000 : recorder_limits_usual.reserve_bytes - 1;
}

static void a_full_disk_ends_the_recording_with_words(void **state)
{
    static const struct recorder_disk full = { put_until_full, much_room }, narrow = { write, room_that_goes };
    the_disk_is_full("no space", *state, &full, "No space left on device");
    the_disk_is_full("little room", *state, &narrow, "only 200 MB are free, which the log needs");
    int status;
    pid_t child = fork(); // the system's own refusal
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit file = { 30000, 30000 };
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &file);
        struct recorder_limits limits = recorder_limits_usual;
        struct recorder *r = begin(((struct scratch *)*state)->folder, &limits, &wide);
        struct recorded_sum sum;
        struct fail told = { .text = "" };
        for (int i = 0; i < 4 * PICTURES; i++)
            give(r, sent_jpeg(i), i, 0);
        recorder_finish(&sum, r);
        recorder_news(r, &told);
        _exit(strstr(told.text, "File too large") && sum.broken_off ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(count_again(*state, 0) > 0);
    assert_int_equal(empty(*state), 0);
}

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool held, waits;
} gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, true, false };

static ssize_t put_when_allowed(int fd, const void *bytes, size_t size)
{
    pthread_mutex_lock(&gate.lock);
    gate.waits = true;
    pthread_cond_broadcast(&gate.changed);
    while (gate.held)
        pthread_cond_wait(&gate.changed, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    return write(fd, bytes, size);
}

// Its first write does not come back before all pictures were given: nobody waited for it.
static void a_slow_disk_holds_nobody_up(void **state)
{
    static const struct recorder_disk slow = { put_when_allowed, much_room };
    struct recorder_limits limits = quick();
    limits.queue_bytes = 40000;
    struct recorder *r = begin(((struct scratch *)*state)->folder, &limits, &slow);
    struct recorded_sum sum;
    struct fail told = { .text = "" };
    give(r, sent_jpeg(0), 0, 0);
    pthread_mutex_lock(&gate.lock);
    while (!gate.waits)
        pthread_cond_wait(&gate.changed, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    for (int i = 1; i < 4 * PICTURES; i++)
        give(r, sent_jpeg(i), i, 0);
    assert_true(recorder_news(r, &told));
    assert_non_null(strstr(told.text, "the disk is too slow for the camera"));
    pthread_mutex_lock(&gate.lock);
    gate.held = false;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.lock);
    recorder_finish(&sum, r);
    assert_true(sum.missed > 0 && !sum.broken_off);
    assert_int_equal(sum.pictures + sum.missed, 4 * PICTURES);
    recorder_free(r);
    assert_int_equal(count_again(*state, 0), sum.pictures); // what is missing at the end nobody can know
    assert_int_equal(empty(*state), 0);
}

static void pictures_that_came_otherwise_are_counted(void **state)
{
    const struct recorder_limits limits = quick();
    struct recorder *r = begin(((struct scratch *)*state)->folder, &limits, &wide);
    for (int i = 0; i < PICTURES; i++)
        give(r, i % 20 == 13 ? NULL : sent_jpeg(i), i, 0);
    struct recorded_sum sum = end(r);
    assert_int_equal(sum.missed, 3);
    assert_int_equal(count_again(*state, 3), PICTURES - 3);
    assert_int_equal(empty(*state), 0);
}

static void a_segment_that_is_gone_is_lost_time(void **state)
{
    const struct scratch *s = *state;
    static const char zeros[1000];
    record_all(s, PICTURES, 0);
    unlink(scratch_path(s, "segment-00002.mkv"));
    assert_int_equal(count_again(s, 15), PICTURES - 15);
    scratch_write(scratch_path(s, "segment-00003.mkv"), zeros, sizeof zeros);
    assert_int_equal(count_again(s, 30), PICTURES - 30);
    assert_int_equal(truncate(scratch_path(s, "segment-00003.mkv"), 0), 0);
    assert_int_equal(count_again(s, 30), PICTURES - 30);
    assert_int_equal(empty(s), 0);
}

// A byte of a picture is another one: it is not shown, and the time up to the next one is unknown.
static void a_damaged_picture_is_lost_time(void **state)
{
    const struct scratch *s = *state;
    struct encoded *e = sent_jpeg(20);
    static uint8_t file[1 << 20];
    record_all(s, PICTURES, 0);
    FILE *f = fopen(scratch_path(s, "segment-00002.mkv"), "r+b");
    size_t size = fread(file, 1, sizeof file, f), at = 0;
    while (at + e->size < size && memcmp(file + at, e->bytes, e->size) != 0)
        at++;
    assert_true(at + e->size < size);
    fseek(f, (long)(at + e->size - 2), SEEK_SET);
    assert_int_equal(fwrite("\0\0", 1, 2, f), 2);
    fclose(f);
    encoded_release(e);
    assert_int_equal(count_again(s, 1), PICTURES - 1);
    assert_int_equal(empty(s), 0);
}

static void nothing_is_written_over(void **state)
{
    const struct scratch *s = *state;
    const struct recorder_limits limits = quick();
    struct fail told = { .text = "" };
    struct recorded_sum sum;
    scratch_write(scratch_path(s, "other"), "mine", 4);
    assert_int_equal(symlink("other", scratch_path(s, "segment-00001.mkv")), 0);
    struct recorder *r = begin(s->folder, &limits, &wide);
    give(r, sent_jpeg(0), 0, 0);
    recorder_finish(&sum, r);
    assert_true(recorder_news(r, &told) && strstr(told.text, "File exists"));
    recorder_free(r);
    struct stat st;
    assert_int_equal(stat(scratch_path(s, "other"), &st), 0);
    assert_int_equal(st.st_size, 4);
    assert_int_equal(empty(s), 0);
}

static int64_t little_room(const char *folder)
{
    (void)folder;
    return recorder_limits_usual.reserve_bytes;
}

static void no_room_is_told_before(void **state)
{
    static const struct recorder_disk full = { write, little_room };
    struct recorder *r = NULL;
    struct fail why = { .text = "" };
    const struct recorder_wish wish = { ((struct scratch *)*state)->folder, false, &recorder_limits_usual, &full };
    assert_int_equal(recorder_create(&r, &wish, &why), RS_EIO);
    assert_non_null(strstr(why.text, "200 MB are free"));
}

static int64_t rate;  // bytes a second, about
static int questions; // one before it begins, and one a second

static int64_t room_that_shrinks(const char *folder)
{
    static const int64_t left_s[] = { 7200, 7200, 7200, 7200, 300, 300, 30, 30 };
    (void)folder;
    int at = questions++;
    return recorder_limits_usual.reserve_bytes +
           rate * left_s[at < (int)countof(left_s) ? at : (int)countof(left_s) - 1];
}

static void how_long_the_disk_lasts_is_told(void **state)
{
    static const struct recorder_disk disk = { write, room_that_shrinks };
    static const char *const wanted[] = { "an hour; the", "less than ten minutes", "less than a minute" };
    struct recorder_limits limits = recorder_limits_usual;
    struct fail told = { .text = "" };
    struct recorded_sum sum;
    struct encoded *e = sent_jpeg(0);
    rate = 30 * (int64_t)e->size;
    encoded_release(e);
    limits.estimate_s = 2;
    struct recorder *r = begin(((struct scratch *)*state)->folder, &limits, &disk);
    for (int n = 0; n < 300; n++)
        give(r, sent_jpeg(n), n, 0);
    recorder_finish(&sum, r);
    for (size_t i = 0; i < countof(wanted); i++)
        if (!recorder_news(r, &told) || !strstr(told.text, wanted[i]))
            fail_msg("\"%s\" and not \"%s\"", told.text, wanted[i]);
    if (recorder_news(r, &told))
        fail_msg("told too: %s", told.text);
    recorder_free(r);
    assert_int_equal(empty(*state), 0);
}

static void a_folder_is_told_from_a_recording(void **state)
{
    const struct scratch *s = *state;
    struct fail why = { .text = "" };
    struct source *source = NULL;
    char folder[ATOMIC_FILE_PATH_MAX];
    assert_int_equal(recording_open(&source, s->folder, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "nothing was recorded"));
    assert_int_equal(mkdir(scratch_path(s, "a"), 0700), 0);
    scratch_write(scratch_path(s, "a/segment-00001.mkv"), "", 0);
    assert_int_equal(recording_find(folder, s->folder, &why), 0);
    assert_string_equal(folder, scratch_path(s, "a"));
    assert_int_equal(recording_open(&source, s->folder, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "the file is empty"));
    assert_int_equal(mkdir(scratch_path(s, "b"), 0700), 0);
    scratch_write(scratch_path(s, "b/segment-00001.mkv"), "", 0);
    assert_int_equal(recording_find(folder, s->folder, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "2 recordings are in it; name one of them: a b"));
    unlink(scratch_path(s, "a/segment-00001.mkv"));
    unlink(scratch_path(s, "b/segment-00001.mkv"));
    assert_int_equal(empty(s), 0);
}

int main(void)
{
    alarm(300); // a test that waits for ever is a failed one
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_comes_back),
        cmocka_unit_test(a_segment_is_a_video_for_all),
        cmocka_unit_test(raw_pictures_come_back_to_the_pixel),
        cmocka_unit_test(a_change_of_mode_begins_a_segment),
        cmocka_unit_test(a_killed_recording_is_one_up_to_there),
        cmocka_unit_test(of_what_was_not_finished_the_last_pictures_are_missing),
        cmocka_unit_test(a_full_disk_ends_the_recording_with_words),
        cmocka_unit_test(a_slow_disk_holds_nobody_up),
        cmocka_unit_test(pictures_that_came_otherwise_are_counted),
        cmocka_unit_test(a_segment_that_is_gone_is_lost_time),
        cmocka_unit_test(a_damaged_picture_is_lost_time),
        cmocka_unit_test(nothing_is_written_over),
        cmocka_unit_test(no_room_is_told_before),
        cmocka_unit_test(how_long_the_disk_lasts_is_told),
        cmocka_unit_test(a_folder_is_told_from_a_recording),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
