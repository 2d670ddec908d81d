// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // RTLD_NEXT
// What a person is told of an address that gives no pictures: what is wrong with it, and no secret.
#include <dlfcn.h>
#include <netdb.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "calibration/units.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"
#include "tests/vision/source/sent.h"
#include "tests/vision/source/served.h"
#include "vision/source/source.h"

static void answer_401(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n");
}

static void answer_404(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 404 Not Found\r\n\r\n");
}

static void answer_page(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>My camera</body></html>");
}

static void answer_picture(struct server *s, int fd)
{
    struct encoded *e = sent_jpeg(1);
    (void)s;
    served_words(fd, "HTTP/1.0 200 OK\r\nContent-Type: image/jpeg\r\n\r\n");
    served_put(fd, e->bytes, e->size);
    encoded_release(e);
}

static void answer_playlist(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\n\r\n"
                     "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n");
}

static void answer_elsewhere(struct server *s, int fd)
{
    (void)s;
    served_words(fd, "HTTP/1.0 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n");
}

static void what_cannot_be_opened_is_told(void **state)
{
    static const struct {
        const char *what, *words;
        void (*serve)(struct server *s, int fd);
    } cases[] = {
        { "who are you", "user name or password", answer_401 },
        { "nothing there", "no stream at that address", answer_404 },
        { "a page", "no stream of pictures", answer_page },
        { "a single picture", "no stream of pictures", answer_picture },
        { "a playlist", "", answer_playlist },
        { "sent elsewhere", "", answer_elsewhere },
    };
    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct server s = { .serve = { cases[i].serve, cases[i].serve } };
        struct source *source = NULL;
        struct fail why = { .text = "" };
        char address[200];
        server_start(&s);
        snprintf(address, sizeof address, "http://anna:geheim@127.0.0.1:%d/x", s.port);
        int rc = stream_open(&source, address, &why);
        if (rc != RS_EIO || !strstr(why.text, cases[i].words) || strstr(why.text, "geheim") ||
            strstr(why.text, "anna") || !strstr(why.text, "http://127.0.0.1:"))
            fail_msg("%s: %d \"%s\"", cases[i].what, rc, why.text);
        server_stop(&s);
        rc = stream_open(&source, address, &why); // nobody is there any more
        if (rc != RS_EIO || !strstr(why.text, "nobody answers at that port: is its app started") ||
            strstr(why.text, "geheim"))
            fail_msg("%d \"%s\"", rc, why.text);
    }
}

static void an_address_that_leads_nowhere_is_told(void **state)
{
    static const struct {
        const char *address, *words;
    } cases[] = {
        // Names that no name server is asked for.
        { "http://no..machine/video",
          "no machine of that name is found: check how it is written, and that this computer is in its network" },
        { "http://no..machine/anna@home", // or a user whose password has a '/'
          "no machine of that name is found: check how it is written; where / ? # @ stand in a password, write " },
        { "rtsp://no..machine/live", "no machine of that name is found" },
        { "http://127.0.0.1:80800/video", "no port has a number above 65535" },
    };
    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        struct source *source = NULL;
        struct fail why = { .text = "" };
        int rc = stream_open(&source, cases[i].address, &why);
        if (rc != RS_EIO || !strstr(why.text, cases[i].words))
            fail_msg("%s: %d \"%s\"", cases[i].address, rc, why.text);
    }
}

// A network whose name server is lost, for FFmpeg as for us, and how often we asked: FFmpeg says what for.
static atomic_bool nameless;
static atomic_int asked;

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    void *found = dlsym(RTLD_NEXT, "getaddrinfo");
    memcpy(&real, &found, sizeof real);
    atomic_fetch_add(&asked, !service && !hints);
    return atomic_load(&nameless) ? EAI_AGAIN : real(host, service, hints, out);
}

static void answer_stream(struct server *s, int fd)
{
    struct encoded *e = sent_jpeg(1);
    (void)s;
    served_begin(fd);
    for (int i = 0; i < 3; i++)
        served_part(fd, e->bytes, e->size);
    encoded_release(e);
    atomic_store(&nameless, true);
}

static void after_a_picture_the_address_is_not_doubted(void **state)
{
    struct server s = { .serve = { answer_stream } };
    struct source *source = NULL;
    struct frame *f = NULL;
    struct fail why = { .text = "" };
    char address[100];
    int before = atomic_load(&asked);
    (void)state;
    server_start(&s);
    snprintf(address, sizeof address, "http://localhost:%d/x", s.port);
    assert_int_equal(stream_open(&source, address, &why), 0);
    for (int i = 0; i < 100 && !strstr(why.text, "not found in the network"); i++)
        if (source_next(&f, source, &why) == SOURCE_FRAME)
            frame_free(f);
    if (!strstr(why.text, "it is not found in the network, or ended the connection"))
        fail_msg("\"%s\"", why.text);
    assert_int_equal(atomic_load(&asked), before);
    source_close(source);
    server_stop(&s);
    atomic_store(&nameless, false);
}

static void names_of_addresses_hold_no_secret(void **state)
{
    static const char *const addresses[] = {
        "rtsp://anna:geheim@127.0.0.1:1/live",  "rtsp://anna:ge/heim@127.0.0.1:1/live",
        "rtsp://anna:ge?heim@127.0.0.1:1/live", "rtsp://127.0.0.1:1/user=anna&password=geheim&channel=1.sdp",
        "http://127.0.0.1:1/video?pwd=geheim",  "http://127.0.0.1:1/video?mail=a@geheim",
        "rtsp://anna:ge#heim@127.0.0.1:1/live", "http://anna:ge@heim@127.0.0.1:1/video?mail=a@geheim",
        "http://127.0.0.1:1/to@geheim",
    };
    (void)state;
    for (size_t i = 0; i < countof(addresses); i++) {
        struct source *source = NULL;
        struct fail why = { .text = "" };
        int rc = stream_open(&source, addresses[i], &why);
        if (rc != RS_EIO || strstr(why.text, "heim") || strstr(why.text, "anna") || !strstr(why.text, "127.0.0.1:1"))
            fail_msg("%d \"%s\"", rc, why.text);
    }
    assert_false(stream_is_address("/dev/video0"));
    assert_false(stream_is_address("file:///etc/passwd"));
    assert_false(stream_is_address("concat:http://x"));
    assert_true(stream_is_address("RTSP://camera/live"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_opened_is_told),
        cmocka_unit_test(after_a_picture_the_address_is_not_doubted),
        cmocka_unit_test(an_address_that_leads_nowhere_is_told),
        cmocka_unit_test(names_of_addresses_hold_no_secret),
    };
    alarm(300); // a test that waits for ever is a failed one
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
