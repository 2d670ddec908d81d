// SPDX-License-Identifier: MIT
// Where the pages of a match are listened for, and what comes of what a judge says before there is anything to judge.
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <qrencode.h>

#include "calibration/clock.h"
#include "calibration/units.h"
#include "referee/commands/pages.h"
#include "referee/match_setup.h"
#include "tests/cmocka.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"

enum { PATIENCE_MS = 20000 };

static struct setup setup;
static struct playback playback;

static int create(void **state)
{
    (void)state;
    static char game[] = "crokinole";
    static struct options o = { .game = game, .quiet = true };
    struct fail why = { .text = "" };
    return setup_read(&setup, &o, &why);
}

// Whether this machine lets one listen there; not every one has IPv6.
static bool has_ipv6(void)
{
    struct sockaddr_in6 here = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    bool has = fd >= 0 && bind(fd, (struct sockaddr *)&here, sizeof here) == 0;
    if (fd >= 0)
        close(fd);
    return has;
}

static int plug(struct pages *p, const char *listen, bool no_web, struct fail *why)
{
    struct options o = { .listen = (char *)listen, .no_web = no_web, .quiet = true };
    *p = (struct pages){ .live = NULL };
    playback = (struct playback){ .setup = &setup };
    *why = (struct fail){ .text = "" };
    return pages_plug(p, &o, &playback, why);
}

// Without a port the usual one is meant, which somebody else may have: then that is said.
static void addresses_are_written_as_people_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *listen, *told;
        bool any_port, ipv6;
    } rows[] = {
        { "127.0.0.1:0", "http://127.0.0.1:", true, false },    { "[::1]:0", "http://[::1]:", true, true },
        { "127.0.0.1", "http://127.0.0.1:7447", false, false }, { "::1", "http://[::1]:7447", false, true },
        { "[::1]", "http://[::1]:7447", false, true },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct pages p;
        struct fail why;
        char address[WEB_ADDRESS_MAX] = "";
        if (rows[i].ipv6 && !has_ipv6())
            continue;
        int rc = plug(&p, rows[i].listen, false, &why);
        if (rc == 0)
            web_address(p.web, address);
        if (rc == 0 ? strncmp(address, rows[i].told, strlen(rows[i].told)) != 0
                    : rows[i].any_port || rc != RS_EIO || !strstr(why.text, "7447"))
            fail_msg("%s: %d %s %s", rows[i].listen, rc, address, why.text);
        assert_int_equal(playback.announcers, rc == 0 ? 2 : 0); // the match as it stands, and close calls
        pages_close(&p);
        assert_null(p.web);
    }
}

static void what_is_no_address_is_refused(void **state)
{
    (void)state;
    static char longer[200];
    memset(longer, '1', sizeof longer - 1);
    static const char *const rows[] = { "127.0.0.1:",      "127.0.0.1:x",  "127.0.0.1:80x",
                                        "127.0.0.1:65536", "127.0.0.1:-1", "[::1]:999999",
                                        "nowhere:0",       "1.2.3:0",      longer };
    for (size_t i = 0; i < countof(rows); i++) {
        struct pages p;
        struct fail why;
        int rc = plug(&p, rows[i], false, &why);
        if (rc != RS_EINPUT || !why.text[0] || p.web || p.live || playback.announcers)
            fail_msg("%s: %d '%s'", rows[i], rc, why.text);
    }
}

// Also on the usual port, for which another one would be taken if it were that which fails.
static void a_style_that_cannot_be_read_is_told(void **state)
{
    (void)state;
    enum { TOO_LARGE_BYTES = 70 << 10 };
    static char large[TOO_LARGE_BYTES];
    struct scratch *s = NULL;
    assert_int_equal(scratch_create((void **)&s), 0);
    memset(large, ' ', sizeof large);
    scratch_write(scratch_path(s, "large.css"), large, sizeof large);
    scratch_write(scratch_path(s, "bytes.css"), "a\0b", 3);
    static const struct {
        const char *name, *words;
        int code;
    } rows[] = {
        { "missing.css", "missing.css: No such file or directory", RS_EIO },
        { "large.css", "large.css: larger than 64 KB, the most that is read", RS_EINPUT },
        { "bytes.css", "bytes.css: it is no text", RS_EINPUT },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct options o = { .overlay_css = (char *)scratch_path(s, rows[i].name), .quiet = true };
        struct pages p = { .live = NULL };
        struct fail why = { .text = "" };
        playback = (struct playback){ .setup = &setup };
        int rc = pages_plug(&p, &o, &playback, &why);
        if (rc != rows[i].code || strncmp(why.text, "--overlay-css", 13) != 0 || !strstr(why.text, rows[i].words) ||
            p.web || p.live || playback.announcers)
            fail_msg("%s: %d '%s'", rows[i].name, rc, why.text);
    }
    scratch_remove((void **)&s);
}

static void two_matches_on_one_machine_have_a_port_each(void **state)
{
    (void)state;
    struct pages one, other;
    struct fail why;
    char at[2][WEB_ADDRESS_MAX];
    assert_int_equal(plug(&one, NULL, false, &why), 0);
    assert_int_equal(plug(&other, NULL, false, &why), 0);
    web_address(one.web, at[0]);
    web_address(other.web, at[1]);
    assert_string_not_equal(at[0], at[1]);
    pages_close(&one);
    pages_close(&other);
}

// What is told of the pages.
static const char *told(struct pages *p)
{
    static char text[1 << 15];
    struct fail why = { .text = "" };
    FILE *kept = tmpfile();
    assert_non_null(kept);
    fflush(stderr);
    int terminal = dup(STDERR_FILENO);
    dup2(fileno(kept), STDERR_FILENO);
    int rc = pages_tell(p, &why);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    rewind(kept);
    text[fread(text, 1, sizeof text - 1, kept)] = '\0';
    fclose(kept);
    if (rc != 0)
        fail_msg("%s", why.text);
    return text;
}

// The square that is printed, module by module: as the library draws that address, with a margin of 4 all around
// (ISO/IEC 18004).
static void the_code_that_is_shown_is_the_set_up_address(void **state)
{
    (void)state;
    enum { MARGIN = 4, SIDE_MAX = 177 + 2 * MARGIN + 1 };
    static const struct block {
        const char *text;
        bool upper, lower; // dark
    } blocks[] = {
        { "\u2588", false, false }, { "\u2580", false, true }, { "\u2584", true, false }, { " ", true, true }
    };
    static bool dark[SIDE_MAX][SIDE_MAX];
    struct options o = { .listen = "127.0.0.1:0", .qr = true, .quiet = true };
    struct pages p = { .live = NULL };
    struct fail why = { .text = "" };
    char address[256] = "";
    playback = (struct playback){ .setup = &setup };
    assert_int_equal(pages_plug(&p, &o, &playback, &why), 0);
    const char *text = told(&p), *set_up = strstr(text, "set-up: ");
    assert_non_null(set_up);
    assert_int_equal(sscanf(set_up, "set-up: %255s", address), 1);
    assert_non_null(strstr(address, "/setup#"));
    assert_non_null(strstr(address, web_secret(p.web)));
    int rows = 0, columns = 0;
    for (const char *at = strchr(set_up, '\n') + 1; *at; at++, rows += 2) {
        int x = 0;
        assert_true(rows + 1 < SIDE_MAX);
        while (*at != '\n') {
            const struct block *b = NULL;
            for (size_t i = 0; i < countof(blocks) && !b; i++)
                b = strncmp(at, blocks[i].text, strlen(blocks[i].text)) == 0 ? &blocks[i] : NULL;
            if (!b || x == SIDE_MAX)
                fail_msg("no code of an address at '%.20s'", at);
            dark[rows][x] = b->upper;
            dark[rows + 1][x++] = b->lower;
            at += strlen(b->text);
        }
        assert_true(rows == 0 || x == columns);
        columns = x;
    }
    QRcode *qr = QRcode_encodeString8bit(address, 0, QR_ECLEVEL_L);
    assert_non_null(qr);
    assert_int_equal(columns, qr->width + 2 * MARGIN);
    assert_true(rows == columns || rows == columns + 1); // two to a line
    int seen = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            bool inside = y >= MARGIN && x >= MARGIN && y < MARGIN + qr->width && x < MARGIN + qr->width;
            bool wanted = inside && (qr->data[(y - MARGIN) * qr->width + x - MARGIN] & 1);
            if (dark[y][x] != wanted)
                fail_msg("module %d, %d of '%s' is %s", x - MARGIN, y - MARGIN, address, wanted ? "light" : "dark");
            seen += wanted;
        }
    assert_true(seen > 200);
    QRcode_free(qr);
    p.options.qr = false;
    assert_null(strstr(told(&p), "\u2588"));
    pages_close(&p);
}

// What a desktop's browser was asked to show; empty when nothing comes.
static const char *opened(const struct scratch *s, struct pages *p, int patience_ms)
{
    const char *text = "";
    unlink(scratch_path(s, "opened"));
    told(p);
    for (int ms = 0; ms < patience_ms && !strchr(text, '\n'); ms++) {
        text = text_of(scratch_path(s, "opened"));
        usleep(1000);
    }
    return text;
}

// Nothing that was started is left in the list of processes, once the pages are listened to.
static void assert_no_child(struct pages *p)
{
    struct fail why;
    siginfo_t ended;
    int left = 0;
    for (int ms = 0; ms < PATIENCE_MS && left == 0; ms++) {
        assert_int_equal(pages_listen(p, &playback, &why), 0);
        usleep(1000);
        left = waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    assert_int_equal(left, -1);
    assert_int_equal(errno, ECHILD);
}

static void a_browser_is_opened_where_there_is_a_desktop(void **state)
{
    (void)state;
    struct options o = { .listen = "127.0.0.1:0", .open = true, .quiet = true };
    struct pages p = { .live = NULL };
    struct fail why = { .text = "" };
    struct scratch *s = NULL;
    char address[WEB_ADDRESS_MAX], wanted[300], browser[600], path[300];
    assert_int_equal(scratch_create((void **)&s), 0);
    int n = snprintf(browser, sizeof browser, "#!/bin/sh\necho \"$@\" >%s/written\nmv %s/written %s/opened\n",
                     s->folder, s->folder, s->folder);
    scratch_write(scratch_path(s, "xdg-open"), browser, (size_t)n);
    assert_int_equal(chmod(scratch_path(s, "xdg-open"), 0700), 0);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", s->folder);
    setenv("PATH", path, 1);
    playback = (struct playback){ .setup = &setup };
    assert_int_equal(pages_plug(&p, &o, &playback, &why), 0);
    web_address(p.web, address);
    snprintf(wanted, sizeof wanted, "%s/judge#%s\n", address, web_secret(p.web));
    unsetenv("DISPLAY");
    setenv("WAYLAND_DISPLAY", "wayland-0", 1);
    assert_string_equal(opened(s, &p, PATIENCE_MS), wanted);
    assert_no_child(&p);
    unsetenv("WAYLAND_DISPLAY");
    assert_string_equal(opened(s, &p, 300), "");
    setenv("DISPLAY", ":0", 1);
    assert_string_equal(opened(s, &p, PATIENCE_MS), wanted);
    p.options.open = false;
    assert_string_equal(opened(s, &p, 300), "");
    p.options.open = true;
    setenv("PATH", "/nowhere", 1); // no such program: the address was told
    assert_non_null(strstr(told(&p), "/judge#"));
    pages_close(&p);
    scratch_remove((void **)&s);
}

static void without_pages_nothing_is_told_and_nothing_asked(void **state)
{
    (void)state;
    struct pages p;
    struct fail why;
    struct tracked_frame t = { .last = true };
    assert_int_equal(plug(&p, "nowhere", true, &why), 0);
    assert_null(p.web);
    assert_int_equal(playback.announcers, 0);
    assert_int_equal(pages_tell(&p, &why), 0);
    pages_tap(&p).take(&p, NULL);
    assert_int_equal(pages_take(&p, &t, &playback.adjudication.match, 0, &why), 0);
    assert_int_equal(pages_words(&p, "nobody reads this", &why), 0);
    assert_int_equal(pages_listen(&p, &playback, &why), 0);
    pages_close(&p);
}

static int post(const struct pages *p, const char *body)
{
    char address[WEB_ADDRESS_MAX], request[512];
    web_address(p->web, address);
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1)) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    int n = snprintf(request, sizeof request,
                     "POST /api/input HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                     "%s\r\nContent-Length: %zu\r\n\r\n%s",
                     web_secret(p->web), strlen(body), body);
    assert_int_equal(send(fd, request, (size_t)n, MSG_NOSIGNAL), n);
    return fd;
}

// Asked until the answer is there: with that status, those words, and the match does not end by it.
static void answered(struct pages *p, const char *body, const char *status, const char *words)
{
    char answer[2048] = "";
    size_t size = 0;
    struct fail why = { .text = "" };
    int fd = post(p, body);
    for (int ms = 0; !strstr(answer, "}") && ms < PATIENCE_MS; ms++) {
        assert_int_equal(pages_listen(p, &playback, &why), 0);
        ssize_t n = recv(fd, answer + size, sizeof answer - 1 - size, MSG_DONTWAIT);
        size += n > 0 ? (size_t)n : 0;
        answer[size] = '\0';
        usleep(1000);
    }
    close(fd);
    if (!strstr(answer, status) || !strstr(answer, words))
        fail_msg("%s: %s", body, answer);
}

static void a_judge_is_told_what_cannot_be_judged(void **state)
{
    (void)state;
    struct pages p;
    struct fail why;
    assert_int_equal(plug(&p, "127.0.0.1:0", false, &why), 0);
    answered(&p, "{\"what\": \"undo\"}", " 422 ", "no board is found yet");
    struct adjudication *a = &playback.adjudication;
    match_begin(&a->match, &crokinole_game, board_builtin(crokinole_game.board), NULL, &a->amended);
    playback.begun = true; // and nothing was played
    answered(&p, "{\"what\": \"confrim\"}", " 422 ", "unknown word confrim; did you mean confirm?");
    answered(&p, "{\"what\": \"new-game\", \"piece\": 7}", " 422 ",
             "piece=7: there is none of that number; there are now none");
    answered(&p, "{\"what\": \"warn\"}", " 422 ",
             "warn: a word of american-marbles, which changes nothing in crokinole");
    answered(&p, "{\"what\": \"zone\", \"shot\": 4, \"piece\": 7, \"text\": \"15\"}", " 422 ", "shot");
    pages_close(&p);
}

// Each thing that was said is listed by the number that takes it back, whatever it was about.
static void what_was_said_is_taken_back_by_its_number(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "\"input\":3",
        "\"words\":\"retract, input 1\"",
        "\"in_force\":true,\"retracted_by\":null",
        "\"words\":\"pause\"",
        "\"input\":1",
        "\"words\":\"turn, Anna\"",
        "\"in_force\":false,\"retracted_by\":3",
    };
    struct pages p;
    struct fail why;
    struct tracked_frame t = { .last = true };
    struct log_header h = { .board = *board_builtin("crokinole-nca"), .setup = match_setup_usual(setup.game) };
    h.setup.seats = SIDES;
    snprintf(h.setup.seat[0].name, OBS_WORD_MAX, "Anna");
    snprintf(h.setup.seat[1].name, OBS_WORD_MAX, "Ben");
    assert_int_equal(plug(&p, "127.0.0.1:0", false, &why), 0);
    assert_int_equal(adjudication_begin(&playback.adjudication, setup.game, &h, &why), 0);
    assert_int_equal(log_writer_create(&playback.adjudication.log, NULL, &h, &why), 0);
    playback.begun = true;
    answered(&p, "{\"what\": \"turn\", \"side\": \"Anna\"}", " 200 ", "\"input\": 1");
    answered(&p, "{\"what\": \"pause\"}", " 200 ", "\"input\": 2");
    assert_int_equal(playback.adjudication.match.now.to_shoot, 0);
    answered(&p, "{\"what\": \"retract\", \"input\": 1}", " 200 ", "\"done\": true}");
    answered(&p, "{\"what\": \"retract\", \"input\": 1}", " 422 ", "taken back already");
    assert_int_equal(playback.adjudication.match.now.to_shoot, -1);
    assert_int_equal(pages_take(&p, &t, &playback.adjudication.match, 0, &why), 0);
    char *told = live_state(p.live), *at = strstr(told, "\"said\":");
    for (size_t i = 0; i < countof(wanted); i++) {
        at = at ? strstr(at, wanted[i]) : NULL;
        if (!at)
            fail_msg("no %s behind the others: %s", wanted[i], told);
    }
    free(told);
    adjudication_end(&playback.adjudication);
    pages_close(&p);
}

// Whether the answer to what anybody may ask has these words in it.
static bool tells(const struct pages *p, const char *path, const char *words)
{
    char address[WEB_ADDRESS_MAX], request[256], answer[2048] = "";
    size_t size = 0;
    ssize_t n;
    web_address(p->web, address);
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1)) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    int length =
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    assert_int_equal(send(fd, request, (size_t)length, MSG_NOSIGNAL), length);
    while ((n = recv(fd, answer + size, sizeof answer - 1 - size, 0)) > 0)
        answer[size += (size_t)n] = '\0';
    close(fd);
    return strstr(answer, words);
}

// Who asks again and again has the record opened no oftener for it.
static void matches_are_looked_up_now_and_then(void **state)
{
    (void)state;
    char book[] = "/tmp/ringside-pages-XXXXXX";
    struct options o = { .listen = "127.0.0.1:0", .book = book, .quiet = true };
    struct pages p = { .web = NULL };
    struct fail why = { .text = "" };
    struct record *r = NULL;
    int fd = mkstemp(book);
    assert_true(fd >= 0);
    if (record_open(&r, book, RECORD_WRITE, &why) != 0)
        fail_msg("%s", why.text);
    playback = (struct playback){ .setup = &setup, .record = r };
    assert_int_equal(pages_plug(&p, &o, &playback, &why), 0);
    assert_true(tells(&p, "/api/matches", "\"matches\":[]"));
    record_close(r);
    assert_int_equal(unlink(book), 0);
    double from_s = clock_s();
    bool again = tells(&p, "/api/matches", "\"why\"");
    assert_true(!again || clock_s() - from_s > 1); // on a slow machine it is time for it already
    for (int ms = 0; !again && ms < PATIENCE_MS; ms += 50) {
        usleep(50000);
        again = tells(&p, "/api/matches", "\"why\"");
    }
    assert_true(again);
    assert_true(clock_s() - from_s > 1);
    pages_close(&p);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_written_as_people_write_them),
        cmocka_unit_test(what_is_no_address_is_refused),
        cmocka_unit_test(a_style_that_cannot_be_read_is_told),
        cmocka_unit_test(two_matches_on_one_machine_have_a_port_each),
        cmocka_unit_test(the_code_that_is_shown_is_the_set_up_address),
        cmocka_unit_test(a_browser_is_opened_where_there_is_a_desktop),
        cmocka_unit_test(without_pages_nothing_is_told_and_nothing_asked),
        cmocka_unit_test(a_judge_is_told_what_cannot_be_judged),
        cmocka_unit_test(matches_are_looked_up_now_and_then),
        cmocka_unit_test(what_was_said_is_taken_back_by_its_number),
    };
    return cmocka_run_group_tests(tests, create, NULL);
}
