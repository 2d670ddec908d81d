// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // syscall
// A camera in a network, and whatever becomes of the network: pictures as they were sent, words while none comes, and
// the time of which nothing is known.
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include <cmocka.h>
#include <libavformat/avformat.h>

#include "calibration/units.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/sent.h"
#include "tests/vision/source/served.h"
#include "vision/source/source.h"

enum { EACH_US = 20000 };

static const double PATIENCE_S = 30;

// How long the computer slept, and nobody noticed.
static _Atomic double slept_s;

int clock_gettime(clockid_t clock, struct timespec *out)
{
    int rc = (int)syscall(SYS_clock_gettime, clock, out);
    if (clock == CLOCK_BOOTTIME)
        out->tv_sec += (time_t)slept_s;
    return rc;
}

static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void send_pictures(int fd, int from, int count, int each_us)
{
    for (int i = from; i < from + count; i++) {
        struct encoded *e = sent_jpeg(i);
        served_part(fd, e->bytes, e->size);
        encoded_release(e);
        usleep((useconds_t)each_us);
    }
}

static struct source *open_stream(const struct server *s, const char *who, const char *path)
{
    char address[200];
    struct source *source = NULL;
    struct fail why = { .text = "" };
    snprintf(address, sizeof address, "http://%s127.0.0.1:%d/%s", who, s->port, path);
    if (stream_open(&source, address, &why) < 0)
        fail_msg("%s", why.text);
    return source;
}

// The next frame, past what waits; the first words on the way.
static struct frame *next_of(struct source *source, struct fail *waited)
{
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    int rc;
    double until_s = clock_s() + PATIENCE_S;
    waited->text[0] = '\0';
    while ((rc = source_next(&f, source, &why)) == SOURCE_WAITS && clock_s() < until_s)
        if (!waited->text[0])
            *waited = why;
    if (rc != SOURCE_FRAME)
        fail_msg("%d: %s", rc, why.text);
    return f;
}

static int number_of(const struct frame *f)
{
    for (int i = 0; i < 300; i++) {
        struct encoded *e = sent_jpeg(i);
        bool same = e->size == f->encoded->size && memcmp(e->bytes, f->encoded->bytes, e->size) == 0;
        encoded_release(e);
        if (same)
            return i;
    }
    return -1;
}

static void serve_ten(struct server *s, int fd)
{
    served_begin(fd);
    send_pictures(fd, 0, 6, EACH_US); // each differs from the five before it
    sem_wait(&s->go_on);
}

static void answer_401(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n");
}

static void pictures_come_as_they_were_sent(void **state)
{
    struct server s = { .serve = { answer_401, serve_ten } }; // it is told who we are when it asks
    struct fail waited;
    double last_s = 0;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "anna:geheim@", "cam/mjpeg?token=geheim");
    char name[100];
    snprintf(name, sizeof name, "http://127.0.0.1:%d/cam/", s.port);
    assert_string_equal(source_info(source)->name, name);
    assert_null(strstr(source_info(source)->card, "geheim"));
    assert_null(strstr(source_info(source)->bus, "geheim"));
    assert_int_equal(source_info(source)->width, SENT_WIDTH);
    assert_true(source_keeps_bytes(source));
    for (int i = 0; i < 6; i++) {
        struct frame *f = next_of(source, &waited);
        assert_int_equal(number_of(f), i);
        assert_int_equal(f->number, i);
        assert_true(i == 0 ? f->t_s == 0 : f->t_s >= last_s);
        last_s = f->t_s;
        frame_free(f);
    }
    assert_non_null(strstr(s.asked, "Authorization: Basic"));
    source_close(source);
    server_stop(&s);
}

// "12" and "geheim" may be the port and the path, or a password with a '/' in it.
static void of_what_may_be_a_password_nothing_is_shown(void **state)
{
    static const char *const addresses[] = {
        "http://localhost:12/geheim@camera/mjpeg",  "http://localhost:12?geheim@camera/mjpeg",
        "http://localhost:12/ge/heim@camera/mjpeg", "http://localhost:12#geheim@camera",
        "http://localhost/geheim/x@camera",         "http://anna@localhost:12/geheim@camera",
    };
    struct server s = { .serve = { serve_ten } };
    struct source *source = NULL;
    char address[100];
    struct fail why = { .text = "" };
    (void)state;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        assert_true(stream_open(&source, addresses[i], &why) < 0);
        if (strstr(why.text, ":12") || strstr(why.text, "ge/") || strstr(why.text, "geheim") ||
            strncmp(why.text, "http://localhost: ", 18) != 0)
            fail_msg("%s: \"%s\"", addresses[i], why.text);
    }
    server_start(&s);
    snprintf(address, sizeof address, "http://localhost:%d/geheim/x@camera/mjpeg", s.port);
    assert_int_equal(stream_open(&source, address, &why), 0);
    assert_string_equal(source_info(source)->name, "http://localhost");
    assert_string_equal(source_info(source)->card, "localhost");
    assert_string_equal(source_info(source)->bus, "net@camera/mjpeg");
    source_close(source);
    server_stop(&s);
}

// By card and bus its lens and hint are kept: no two cameras of one machine have both in common.
static void cameras_of_one_machine_are_told_apart(void **state)
{
    static const char *const paths[][2] = {
        { "a", "b" },
        { "cam@1", "cam@2" },
        { "cam@1/live", "cam@1/still?token=geheim" },
        { "a/long/way/to/the/stream/of/camera/1", "a/long/way/to/the/stream/of/camera/2" },
    };
    static const char *const hosts[] = { "127.0.0.1", "localhost" };
    (void)state;
    for (size_t i = 0; i < 2 * countof(paths); i++) {
        struct server s = { .serve = { serve_ten, serve_ten } };
        char bus[2][sizeof((struct source_info *)0)->bus];
        server_start(&s);
        for (int k = 0; k < 2; k++) {
            struct source *source = NULL;
            struct fail why = { .text = "" };
            char address[200];
            snprintf(address, sizeof address, "http://%s:%d/%s", hosts[i % 2], s.port, paths[i / 2][k]);
            if (stream_open(&source, address, &why) < 0)
                fail_msg("%s: %s", address, why.text);
            snprintf(bus[k], sizeof bus[k], "%s", source_info(source)->bus);
            source_close(source);
            sem_post(&s.go_on);
        }
        if (strcmp(bus[0], bus[1]) == 0 || strstr(bus[1], "geheim"))
            fail_msg("%s: %s and %s: %s, %s", hosts[i % 2], paths[i / 2][0], paths[i / 2][1], bus[0], bus[1]);
        server_stop(&s);
    }
}

static void serve_six_and_cut(struct server *s, int fd)
{
    (void)s;
    served_begin(fd);
    send_pictures(fd, 0, 6, EACH_US);
}

static void refuse(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 503 Service Unavailable\r\n\r\n");
}

static void a_broken_connection_is_made_again(void **state)
{
    struct server s = { .serve = { serve_six_and_cut, refuse, serve_ten } };
    struct fail waited;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "mjpeg");
    double sound_s = 0;
    for (int i = 0; i < 12; i++) {
        struct frame *f = next_of(source, &waited);
        assert_int_equal(number_of(f), i % 6);
        if (i == 6 && (!strstr(waited.text, "it ended the connection; it is tried again and again") ||
                       !(f->lost_s > 0.4) || f->lost_s != f->t_s - sound_s))
            fail_msg("\"%s\", %g s lost", waited.text, f->lost_s);
        if (i != 6 && f->lost_s > 1)
            fail_msg("picture %d: %g s lost", i, f->lost_s);
        sound_s = f->t_s;
        frame_free(f);
    }
    source_close(source);
    server_stop(&s);
}

static void serve_and_stall(struct server *s, int fd)
{
    served_begin(fd);
    send_pictures(fd, 0, 3, EACH_US);
    sem_wait(&s->go_on);
    send_pictures(fd, 3, 3, EACH_US);
    sem_wait(&s->go_on);
}

static void a_stall_is_told_within_two_seconds(void **state)
{
    struct server s = { .serve = { serve_and_stall } };
    struct fail why, waited;
    struct frame *f = NULL;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    for (int i = 0; i < 3; i++)
        frame_free(next_of(source, &waited));
    double begun_s = clock_s();
    assert_int_equal(source_next(&f, source, &why), SOURCE_WAITS);
    assert_null(f);
    assert_non_null(strstr(why.text, "no picture"));
    double told_s = clock_s() - begun_s;
    assert_int_equal(source_next(&f, source, &why), SOURCE_WAITS); // and says so again soon
    double again_s = clock_s() - begun_s - told_s;
    sem_post(&s.go_on);
    f = next_of(source, &waited);
    assert_int_equal(number_of(f), 3);
    assert_true(f->lost_s > 1.4);
    frame_free(f);
    if (told_s > 10 || again_s > 10) // 1.9 and 0.4 s, were the machine ours alone
        fail_msg("told after %g s and %g s", told_s, again_s);
    source_close(source);
    server_stop(&s);
}

// Such as cannot be shown: of another size, or cut off.
static void send_refused(int fd, int count, bool turned)
{
    struct encoded *e = turned ? sent_jpeg_of(0, SENT_HEIGHT, SENT_WIDTH) : sent_jpeg(0);
    for (int i = 0; i < count; i++) {
        served_part(fd, e->bytes, turned ? e->size : e->size / 2);
        usleep(EACH_US);
    }
    encoded_release(e);
}

static void serve_and_refuse(struct server *s, int fd)
{
    const bool *ends_turned = s->context;
    served_begin(fd);
    send_pictures(fd, 0, 3, EACH_US);
    send_refused(fd, 5, !*ends_turned);
    for (int i = 0; i < 100 || sem_trywait(&s->go_on) != 0; i++)
        send_refused(fd, 1, *ends_turned);
}

// A telephone that was turned, before or after the network damaged what it sends.
static void why_no_picture_is_shown_now_is_told(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bool ends_turned = i == 0;
        struct server s = { .serve = { serve_and_refuse }, .context = &ends_turned };
        struct fail why, waited;
        struct frame *f = NULL;
        server_start(&s);
        struct source *source = open_stream(&s, "", "");
        for (int k = 0; k < 3; k++)
            frame_free(next_of(source, &waited));
        assert_int_equal(source_next(&f, source, &why), SOURCE_WAITS);
        const char *words = ends_turned ? "comes: the picture has another size than agreed; 64 x 48 is waited for"
                                        : "comes: the JPEG is cut off";
        if (!strstr(why.text, words) || (!ends_turned && strstr(why.text, "waited for")))
            fail_msg("\"%s\"", why.text);
        sem_post(&s.go_on);
        source_close(source);
        server_stop(&s);
    }
}

static void serve_and_freeze(struct server *s, int fd)
{
    served_begin(fd);
    send_pictures(fd, 0, 3, EACH_US);
    for (int i = 0; i < 100 || sem_trywait(&s->go_on) != 0; i++)
        send_pictures(fd, 2, 1, EACH_US);
    send_pictures(fd, 3, 3, EACH_US);
    sem_wait(&s->go_on);
}

static void a_frozen_picture_is_told(void **state)
{
    struct server s = { .serve = { serve_and_freeze } };
    struct fail why, waited;
    struct frame *f = NULL;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    for (int i = 0; i < 3; i++)
        frame_free(next_of(source, &waited));
    assert_int_equal(source_next(&f, source, &why), SOURCE_WAITS);
    assert_non_null(strstr(why.text, "the picture is frozen"));
    assert_null(strstr(why.text, "%"));
    sem_post(&s.go_on);
    f = next_of(source, &waited);
    assert_int_equal(number_of(f), 3);
    assert_true(f->lost_s > 1.4);
    frame_free(f);
    f = next_of(source, &waited);
    assert_true(f->lost_s < 1 && number_of(f) == 4);
    frame_free(f);
    assert_int_equal(source_info(source)->dropped, 0);
    source_close(source);
    server_stop(&s);
}

static void time_asleep_is_time_that_nobody_saw(void **state)
{
    static const double SLEPT_S = 100;
    struct server s = { .serve = { serve_and_stall } };
    struct fail waited;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    double last_s = 0;
    for (int i = 0; i < 6; i++) {
        struct frame *f = next_of(source, &waited);
        assert_int_equal(number_of(f), i);
        if (i == 3 ? f->lost_s < SLEPT_S || f->t_s < last_s + SLEPT_S : f->t_s - last_s > PATIENCE_S)
            fail_msg("picture %d: at %g s after %g s, %g s lost", i, f->t_s, last_s, f->lost_s);
        last_s = f->t_s;
        frame_free(f);
        if (i == 2) {
            slept_s = SLEPT_S;
            sem_post(&s.go_on);
        }
    }
    source_close(source);
    server_stop(&s);
}

static void serve_damage(struct server *s, int fd)
{
    struct encoded *e = sent_jpeg(1);
    served_begin(fd);
    send_pictures(fd, 0, 2, EACH_US);
    served_part(fd, e->bytes, e->size / 2); // a part that is whole, of a picture that is not
    served_part(fd, "no picture", 10);
    memset(e->bytes + e->size / 2, 0xFF, e->size / 4);
    served_part(fd, e->bytes, e->size);
    served_part(fd, e->bytes, 0);
    send_pictures(fd, 2, 4, EACH_US);
    encoded_release(e);
    sem_wait(&s->go_on);
}

static void a_damaged_picture_is_not_shown(void **state)
{
    struct server s = { .serve = { serve_damage, serve_damage, serve_damage } };
    struct fail waited;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    double sound_s = 0;
    for (int i = 0; i < 6; i++) {
        struct frame *f = next_of(source, &waited);
        assert_int_equal(number_of(f), i);
        if (i == 2)
            assert_true(f->lost_s == f->t_s - sound_s && f->lost_s > 0);
        sound_s = f->t_s;
        frame_free(f);
    }
    assert_true(source_info(source)->dropped >= 3);
    source_close(source);
    server_stop(&s);
}

static void serve_garbage(struct server *s, int fd)
{
    static char noise[30000];
    served_begin(fd);
    send_pictures(fd, 0, 3, EACH_US);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * i * 31 + i / 7);
    served_put(fd, noise, sizeof noise);
    (void)s;
}

static void garbage_between_pictures_is_survived(void **state)
{
    struct server s = { .serve = { serve_garbage, serve_ten } };
    struct fail waited;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    for (int i = 0; i < 9; i++) {
        struct frame *f = next_of(source, &waited);
        assert_int_equal(number_of(f), i < 3 ? i : i - 3);
        assert_true(i != 3 || (f->lost_s > 0.4 && strstr(waited.text, "something else came between its pictures")));
        frame_free(f);
    }
    source_close(source);
    server_stop(&s);
}

static void serve_burst(struct server *s, int fd)
{
    served_begin(fd);
    send_pictures(fd, 0, 1, 0);
    send_pictures(fd, 0, 1, 0); // what it is, is known behind two
    sem_wait(&s->go_on);
    for (int i = 0; i < 100; i++)
        send_pictures(fd, i % 6, 1, 0);
    sem_post(&s->go_on);
    usleep(EACH_US);
    send_pictures(fd, 200, 1, 0); // the last one
    sem_wait(&s->go_on);
    sem_wait(&s->go_on);
}

static void what_comes_too_fast_is_counted(void **state)
{
    struct server s = { .serve = { serve_burst } };
    struct fail waited;
    int given = 0, number = 0;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    for (; number != 200 % 6 + 1000; given++) { // nobody asks while they come
        struct frame *f = next_of(source, &waited);
        if (given == 0) {
            sem_post(&s.go_on);
            usleep(500000);
        }
        struct encoded *last = sent_jpeg(200);
        if (last->size == f->encoded->size && memcmp(last->bytes, f->encoded->bytes, last->size) == 0 && given > 2)
            number = 200 % 6 + 1000;
        encoded_release(last);
        frame_free(f);
    }
    if (given + source_info(source)->dropped != 103)
        fail_msg("%d given, %ld dropped of 103", given, source_info(source)->dropped);
    source_close(source);
    server_stop(&s);
}

// The first second of a sample, fewer pictures than wait for a slow reader, as an MPEG transport stream, in memory.
static uint8_t *sample_as_stream(int *size)
{
    AVFormatContext *in = NULL, *out = NULL;
    AVPacket *packet = av_packet_alloc();
    uint8_t *bytes = NULL;
    assert_int_equal(avformat_open_input(&in, "samples/clips/crokinole_a.mp4", NULL, NULL), 0);
    assert_true(avformat_alloc_output_context2(&out, NULL, "mpegts", NULL) >= 0);
    AVStream *to = avformat_new_stream(out, NULL);
    assert_true(avcodec_parameters_copy(to->codecpar, in->streams[0]->codecpar) >= 0);
    to->codecpar->codec_tag = 0;
    assert_int_equal(avio_open_dyn_buf(&out->pb), 0);
    assert_true(avformat_write_header(out, NULL) >= 0);
    for (int i = 0; i < 30 && av_read_frame(in, packet) >= 0; i++) {
        packet->stream_index = 0;
        av_packet_rescale_ts(packet, in->streams[0]->time_base, to->time_base);
        assert_int_equal(av_interleaved_write_frame(out, packet), 0);
    }
    av_write_trailer(out);
    *size = avio_close_dyn_buf(out->pb, &bytes);
    out->pb = NULL;
    avformat_free_context(out);
    avformat_close_input(&in);
    av_packet_free(&packet);
    return bytes;
}

static void serve_transport(struct server *s, int fd)
{
    int size;
    uint8_t *bytes = sample_as_stream(&size);
    served_words(fd, "HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n");
    for (int at = 0; at < size; at += 1880) {
        served_put(fd, bytes + at, (size_t)(size - at < 1880 ? size - at : 1880));
        usleep(45000); // at about the pace of the pictures
    }
    av_free(bytes);
    (void)s;
}

// Its times are the camera's own, to the tick; a connection begins with a picture that needs none before it.
static void pictures_made_of_others_are_decoded(void **state)
{
    struct server s = { .serve = { serve_transport, serve_transport } };
    struct fail waited, why;
    struct frame *f;
    struct source *sample = NULL;
    (void)state;
    server_start(&s);
    struct source *source = open_stream(&s, "", "");
    assert_int_equal(footage_open(&sample, "samples/clips/crokinole_a.mp4", &why), 0);
    assert_false(source_keeps_bytes(source));
    double again_s = 0;
    for (int i = 0; i < 50 && again_s == 0; i++) {
        f = next_of(source, &waited);
        assert_true(f->from_camera); // though it has to be decoded as footage is
        struct frame *same = NULL;
        if (f->lost_s > 0.4) { // the second connection
            again_s = f->t_s;
            assert_false(f->doubtful);
        } else {
            assert_int_equal(source_next(&same, sample, &why), SOURCE_FRAME);
            assert_int_equal(scratch_difference(f, same), 0);
            assert_true(fabs(f->t_s - same->t_s) < 1e-4);
            assert_false(f->doubtful);
        }
        frame_free(same);
        frame_free(f);
    }
    assert_true(again_s > 0.8);
    source_close(sample);
    source_close(source);
    server_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_as_they_were_sent),
        cmocka_unit_test(cameras_of_one_machine_are_told_apart),
        cmocka_unit_test(of_what_may_be_a_password_nothing_is_shown),
        cmocka_unit_test(a_broken_connection_is_made_again),
        cmocka_unit_test(a_stall_is_told_within_two_seconds),
        cmocka_unit_test(why_no_picture_is_shown_now_is_told),
        cmocka_unit_test(a_damaged_picture_is_not_shown),
        cmocka_unit_test(garbage_between_pictures_is_survived),
        cmocka_unit_test(pictures_made_of_others_are_decoded),
        cmocka_unit_test(what_comes_too_fast_is_counted),
        cmocka_unit_test(a_frozen_picture_is_told),
        cmocka_unit_test(time_asleep_is_time_that_nobody_saw),
    };
    alarm(300); // a test that waits for ever is a failed one
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
