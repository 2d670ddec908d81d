// SPDX-License-Identifier: MIT
// Where the pages of a match are listened for, and what comes of what a judge says before there is anything to judge.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "calibration/units.h"
#include "referee/commands/pages.h"
#include "referee/match_setup.h"

enum { PATIENCE_MS = 20000 };

static struct setup setup;
static struct playback playback;

static int create(void **state)
{
    static char game[] = "crokinole";
    static struct options o = { .game = game, .quiet = true };
    struct fail why = { .text = "" };
    (void)state;
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
    static const struct {
        const char *listen, *told;
        bool any_port, ipv6;
    } rows[] = {
        { "127.0.0.1:0", "http://127.0.0.1:", true, false },    { "[::1]:0", "http://[::1]:", true, true },
        { "127.0.0.1", "http://127.0.0.1:7447", false, false }, { "::1", "http://[::1]:7447", false, true },
        { "[::1]", "http://[::1]:7447", false, true },
    };
    (void)state;
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
    static char longer[200];
    memset(longer, '1', sizeof longer - 1);
    static const char *const rows[] = { "127.0.0.1:",      "127.0.0.1:x",  "127.0.0.1:80x",
                                        "127.0.0.1:65536", "127.0.0.1:-1", "[::1]:999999",
                                        "nowhere:0",       "1.2.3:0",      longer };
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        struct pages p;
        struct fail why;
        int rc = plug(&p, rows[i], false, &why);
        if (rc != RS_EINPUT || !why.text[0] || p.web || p.live || playback.announcers)
            fail_msg("%s: %d '%s'", rows[i], rc, why.text);
    }
}

static void two_matches_on_one_machine_have_a_port_each(void **state)
{
    struct pages one, other;
    struct fail why;
    char at[2][WEB_ADDRESS_MAX];
    (void)state;
    assert_int_equal(plug(&one, NULL, false, &why), 0);
    assert_int_equal(plug(&other, NULL, false, &why), 0);
    web_address(one.web, at[0]);
    web_address(other.web, at[1]);
    assert_string_not_equal(at[0], at[1]);
    pages_close(&one);
    pages_close(&other);
}

static void without_pages_nothing_is_told_and_nothing_asked(void **state)
{
    struct pages p;
    struct fail why;
    struct tracked_frame t = { .last = true };
    (void)state;
    assert_int_equal(plug(&p, "nowhere", true, &why), 0);
    assert_null(p.web);
    assert_int_equal(playback.announcers, 0);
    assert_int_equal(pages_tell(&p, &why), 0);
    pages_tap(&p).take(&p, NULL);
    assert_int_equal(pages_take(&p, &t, &playback.adjudication.match, &why), 0);
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
    struct pages p;
    struct fail why;
    (void)state;
    assert_int_equal(plug(&p, "127.0.0.1:0", false, &why), 0);
    answered(&p, "{\"what\": \"undo\"}", " 422 ", "no board is found yet");
    playback.begun = true; // and nothing was played
    answered(&p, "{\"what\": \"zone\", \"shot\": 4, \"piece\": 7, \"text\": \"15\"}", " 422 ", "shot");
    pages_close(&p);
}

// Each thing that was said is listed by the number that takes it back, whatever it was about.
static void what_was_said_is_taken_back_by_its_number(void **state)
{
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
    (void)state;
    h.setup.seats = SIDES;
    snprintf(h.setup.seat[0].name, OBS_WORD_MAX, "Anna");
    snprintf(h.setup.seat[1].name, OBS_WORD_MAX, "Ben");
    assert_int_equal(plug(&p, "127.0.0.1:0", false, &why), 0);
    assert_int_equal(adjudication_begin(&playback.adjudication, setup.game, &h, &why), 0);
    assert_int_equal(adjudication_log(&playback.adjudication, NULL, &h, &why), 0);
    playback.begun = true;
    answered(&p, "{\"what\": \"turn\", \"side\": \"Anna\"}", " 200 ", "\"input\": 1");
    answered(&p, "{\"what\": \"pause\"}", " 200 ", "\"input\": 2");
    assert_int_equal(playback.adjudication.match.now.to_shoot, 0);
    answered(&p, "{\"what\": \"retract\", \"input\": 1}", " 200 ", "\"done\": true}");
    answered(&p, "{\"what\": \"retract\", \"input\": 1}", " 422 ", "taken back already");
    assert_int_equal(playback.adjudication.match.now.to_shoot, -1);
    assert_int_equal(pages_take(&p, &t, &playback.adjudication.match, &why), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_written_as_people_write_them),
        cmocka_unit_test(what_is_no_address_is_refused),
        cmocka_unit_test(two_matches_on_one_machine_have_a_port_each),
        cmocka_unit_test(without_pages_nothing_is_told_and_nothing_asked),
        cmocka_unit_test(a_judge_is_told_what_cannot_be_judged),
        cmocka_unit_test(what_was_said_is_taken_back_by_its_number),
    };
    return cmocka_run_group_tests(tests, create, NULL);
}
