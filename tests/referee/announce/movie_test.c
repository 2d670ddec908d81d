// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"
#include "vision/source/source.h"

// What a frame and its copy after encoding may differ on average, of 255: colour is halved, quality 21.
static const double MOST_MEAN_ERROR = 4;

static double mean_error(const struct frame *a, const struct frame *b, int width, int height)
{
    double sum = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 3 * width; x++)
            sum += abs(a->bgr[y * 3 * a->width + x] - b->bgr[y * 3 * b->width + x]);
    return sum / (3.0 * width * height);
}

static void times_and_pictures_come_back(void **state)
{
    static const double at_s[] = { 0, 0.04, 0.05, 0.5, 0.5333, 2.0, 2.001 };
    static const struct {
        const char *name;
        int width, height;
    } rows[] = { { "even.mp4", 64, 48 }, { "odd.mp4", 65, 49 }, { "colon: in it.mp4", 16, 17 } };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *path = scratch_path(*state, rows[i].name);
        struct frame *f = scratch_frame(rows[i].width, rows[i].height), *again;
        struct movie *m;
        struct source *s;
        struct fail why = { 0 };
        assert_int_equal(movie_create(&m, path, rows[i].width, rows[i].height, 25, &why), 0);
        for (size_t k = 0; k < countof(at_s); k++) {
            f->t_s = at_s[k];
            assert_int_equal(movie_add(m, f, &why), 0);
        }
        assert_int_equal(movie_finish(m, &why), 0);
        if (footage_open(&s, path, &why) != 0)
            fail_msg("%s", why.text);
        for (size_t k = 0; k < countof(at_s); k++) {
            assert_int_equal(source_next(&again, s, &why), 1);
            assert_true(fabs(again->t_s - at_s[k]) < 1e-4);
            assert_int_equal(again->width, rows[i].width & ~1);
            assert_int_equal(again->height, rows[i].height & ~1);
            assert_true(mean_error(again, f, again->width, again->height) < MOST_MEAN_ERROR);
            frame_free(again);
        }
        assert_int_equal(source_next(&again, s, &why), 0);
        source_close(s);
        frame_free(f);
    }
    assert_int_equal(scratch_count(*state), countof(rows));
}

// A clock that stands still must not stop the movie.
static void frames_of_one_time_are_all_kept(void **state)
{
    const char *path = scratch_path(*state, "a.mp4");
    struct frame *f = scratch_frame(32, 32), *again;
    struct movie *m;
    struct source *s;
    struct fail why = { 0 };
    int n = 0;
    assert_int_equal(movie_create(&m, path, 32, 32, 0, &why), 0);
    for (int k = 0; k < 6; k++)
        assert_int_equal(movie_add(m, f, &why), 0);
    assert_int_equal(movie_finish(m, &why), 0);
    assert_int_equal(footage_open(&s, path, &why), 0);
    while (source_next(&again, s, &why) == 1) {
        frame_free(again);
        n++;
    }
    assert_int_equal(n, 6);
    source_close(s);
    frame_free(f);
}

static void what_cannot_be_written_is_said(void **state)
{
    struct movie *m = NULL;
    struct fail why = { 0 };
    assert_int_equal(movie_create(&m, "/nowhere/at/all/a.mp4", 64, 48, 30, &why), RS_EIO);
    assert_non_null(strstr(why.text, "/nowhere/at/all/a.mp4: cannot be written: No such file"));
    assert_int_equal(movie_create(&m, scratch_path(*state, "a.mp4"), 8, 48, 30, &why), RS_EINPUT);
    assert_null(m);
    assert_int_equal(scratch_count(*state), 0);
}

static void only_a_whole_movie_is_left(void **state)
{
    const char *path = scratch_path(*state, "a.mp4");
    struct frame *f = scratch_frame(64, 48), *other = scratch_frame(48, 64);
    struct movie *m;
    struct fail why = { 0 };
    assert_int_equal(movie_create(&m, path, 64, 48, 30, &why), 0);
    assert_int_equal(movie_add(m, f, &why), 0);
    assert_int_equal(movie_add(m, other, &why), RS_EINPUT);
    movie_drop(m);
    assert_int_equal(scratch_count(*state), 0);
    assert_int_equal(movie_create(&m, path, 64, 48, 30, &why), 0);
    assert_int_equal(movie_finish(m, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "no frame"));
    assert_int_equal(scratch_count(*state), 0);
    movie_drop(NULL);
    frame_free(f);
    frame_free(other);
}

// A limit on the size of files stands for a full disk.
static void a_full_disk_is_an_error_and_leaves_nothing(void **state)
{
    const char *path = scratch_path(*state, "a.mp4");
    struct rlimit old, little;
    struct frame *f = scratch_frame(320, 240);
    struct movie *m;
    struct fail why = { 0 };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    little = (struct rlimit){ 4096, old.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    int rc = movie_create(&m, path, 320, 240, 30, &why);
    unsigned noise = 7;
    for (int k = 0; k < 40 && rc == 0; k++) {
        for (int i = 0; i < 320 * 240 * 3; i++)
            f->bgr[i] = (uint8_t)((noise = noise * 1103515245u + 12345u) >> 16);
        f->t_s = k / 30.0;
        rc = movie_add(m, f, &why);
    }
    if (rc == 0)
        rc = movie_finish(m, &why);
    else
        movie_drop(m);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(rc, RS_EIO);
    assert_non_null(strstr(why.text, "cannot be written: File too large"));
    assert_int_equal(scratch_count(*state), 0);
    frame_free(f);
}

#ifdef __SANITIZE_THREAD__
enum { STARTED_WITH_THE_FIRST = 1 }; // ThreadSanitizer's own
#else
enum { STARTED_WITH_THE_FIRST = 0 };
#endif

static int threads_of_this_process(void)
{
    DIR *d = opendir("/proc/self/task");
    int n = 0;
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

// Where there are more threads than encode, one looks ahead by itself, and x264 loses frames between the two.
static void every_thread_of_x264_encodes(void **state)
{
    const char *path = scratch_path(*state, "a.mp4");
    struct frame *f = scratch_frame(320, 240);
    struct movie *m;
    struct fail why = { 0 };
    char head[16384] = "";
    int before = threads_of_this_process();
    assert_int_equal(movie_create(&m, path, 320, 240, 30, &why), 0);
    int started = threads_of_this_process() - before;
    assert_int_equal(movie_add(m, f, &why), 0);
    assert_int_equal(movie_finish(m, &why), 0);
    frame_free(f);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    for (size_t i = 0; i < length; i++)
        if (head[i] == '\0')
            head[i] = ' ';
    const char *said = strstr(head, " threads="); // x264 writes its settings into the first picture
    if (!said)
        skip(); // another encoder
    int encode, look_ahead;
    assert_int_equal(sscanf(said, " threads=%d lookahead_threads=%d", &encode, &look_ahead), 2);
    assert_int_equal(started - STARTED_WITH_THE_FIRST, (encode > 1 ? encode : 0) + (look_ahead > 1 ? look_ahead : 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_thread_of_x264_encodes, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(times_and_pictures_come_back, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(frames_of_one_time_are_all_kept, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_said, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(only_a_whole_movie_is_left, scratch_create, scratch_remove),
        cmocka_unit_test_setup_teardown(a_full_disk_is_an_error_and_leaves_nothing, scratch_create, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
