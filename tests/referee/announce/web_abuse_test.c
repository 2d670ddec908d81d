// SPDX-License-Identifier: MIT
// Many at once, and those who mean harm: each gets what is due to him, and the referee goes on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "calibration/units.h"
#include "referee/announce/web.h"
#include "tests/cmocka.h"
#include "tests/referee/announce/asked.h"

static int ask_for_zone(int piece)
{
    char request[512], body[96];
    snprintf(body, sizeof body, "{\"what\": \"zone\", \"shot\": 4, \"piece\": %d, \"text\": \"15\"}", piece);
    int fd = dial();
    snprintf(request, sizeof request,
             "POST /api/input HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
             web_secret(web), strlen(body), body);
    send_text(fd, request);
    return fd;
}

static struct observation wait_for_said(void)
{
    struct observation said = { .kind = OBS_STILL };
    for (int ms = 0; !web_said(web, &said) && ms < PATIENCE_MS; ms++)
        usleep(1000);
    assert_int_equal(said.kind, OBS_INPUT);
    return said;
}

static void each_judge_is_answered_for_what_he_said(void **state)
{
    (void)state;
    int fd[] = { 0, ask_for_zone(1), ask_for_zone(2) }; // as their pieces are numbered
    for (int i = 0; i < 2; i++) {
        char answer[64];
        struct observation said = wait_for_said();
        assert_true(said.input.piece == 1 || said.input.piece == 2);
        snprintf(answer, sizeof answer, "{\"done\": true, \"input\": %d}", 70 + said.input.piece);
        web_give(web, strdup(answer));
    }
    for (int i = 1; i <= 2; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "\"input\": %d}", 70 + i);
        if (!strstr(hear(fd[i], "}"), answer))
            fail_msg("judge %d was told '%s'", i, heard);
        close(fd[i]);
    }
}

// More than wait for an answer are told to say it again; those that wait are answered, each with his own.
static void who_finds_too_many_waiting_is_told_to_come_again(void **state)
{
    (void)state;
    enum { JUDGES = 40, WAITING = 32 };
    int fd[JUDGES], refused = 0, done = 0;
    struct observation said;
    for (int i = 0; i < JUDGES; i++)
        fd[i] = ask_for_zone(i + 1);
    struct pollfd ready[JUDGES];
    for (int i = 0; i < JUDGES; i++)
        ready[i] = (struct pollfd){ .fd = fd[i], .events = POLLIN };
    for (int ms = 0; refused < JUDGES - WAITING && ms < PATIENCE_MS; ms++) {
        usleep(1000);
        assert_true(poll(ready, JUDGES, 0) >= 0);
        refused = 0;
        for (int i = 0; i < JUDGES; i++)
            refused += ready[i].revents != 0;
    }
    assert_int_equal(refused, JUDGES - WAITING);
    while (web_said(web, &said)) {
        char answer[64];
        snprintf(answer, sizeof answer, "{\"done\": true, \"input\": %d}", said.input.piece);
        web_give(web, strdup(answer));
        done++;
    }
    assert_int_equal(done, WAITING);
    for (int i = 0; i < JUDGES; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "\"input\": %d}", i + 1);
        hear(fd[i], "}");
        if (ready[i].revents ? !strstr(heard, "HTTP/1.1 503") : !strstr(heard, answer))
            fail_msg("judge %d of %d: %s", i, JUDGES, heard);
        close(fd[i]);
    }
}

// A referee that goes on telling, as its frame loop does: what it says comes to a viewer, and nothing holds it up.
static void goes_on(void)
{
    static int n;
    char words[32];
    int viewer = look(-1);
    hear(viewer, "]}\n\n");
    snprintf(words, sizeof words, "word %d.", ++n + 100);
    give_words(n + 100);
    assert_non_null(strstr(hear(viewer, words), words));
    close(viewer);
}

static void noise_is_no_request(void **state)
{
    (void)state;
    unsigned seed = 20;
    for (int round = 0; round < 200; round++) {
        char noise[2048];
        int fd = dial();
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)(seed = seed * 1103515245 + 12345, seed >> 16);
        if (round % 2) // also where a request was begun
            send_text(fd, "POST /api/input HTTP/1.1\r\n");
        ssize_t sent = send(fd, noise, sizeof noise, MSG_NOSIGNAL);
        assert_true(sent != 0);
        close(fd);
    }
    goes_on();
    struct observation said;
    assert_false(web_said(web, &said));
}

static void a_head_without_an_end_is_refused(void **state)
{
    (void)state;
    enum { LINES = 2048 }; // 64 KB
    static const char line[] = "X-Long: 0123456789012345678901\r\n";
    static char request[LINES * sizeof line + 64];
    size_t size = (size_t)sprintf(request, "GET /api/state HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < LINES; i++)
        size += (size_t)sprintf(request + size, "%s", line);
    sprintf(request + size, "\r\n");
    int fd = dial(), status = 0;
    send_text(fd, request);
    // What was not read yet when it said no may have the answer thrown away.
    if (sscanf(hear(fd, "\r\n\r\n"), "HTTP/1.1 %d", &status) == 1)
        assert_int_equal(status, 431);
    close(fd);
    goes_on();
}

// A server that waits a second for whoever is silent, with room for few of another machine.
static void begin_another(struct web **out, const char *address, int places_each)
{
    struct fail why;
    char reached[WEB_ADDRESS_MAX];
    struct web_wish wish = { .address = address, .silent_s = 1, .places_each = places_each };
    if (web_start(out, live, &wish, &why) != 0)
        fail_msg("%s", why.text);
    web_address(*out, reached);
    port = atoi(strrchr(reached, ':') + 1);
}

static void end_another(struct web *other, int usual)
{
    web_stop(other);
    port = usual;
}

// Half a request, a byte now and then, and half of what a judge says: the places are given to others again.
static void who_does_not_come_to_the_point_is_dropped(void **state)
{
    (void)state;
    static const char *const halves[] = {
        "GET /api/sta", "POST /api/input HTTP/1.1\r\nHost: localhost\r\nContent-Le",
        "POST /api/input HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n{"
    };
    struct web *other;
    int fd[countof(halves)], usual = port;
    begin_another(&other, "127.0.0.1", 0);
    for (size_t i = 0; i < countof(halves); i++)
        send_text(fd[i] = dial(), halves[i]);
    goes_on();
    for (size_t i = 0; i < countof(halves); i++) {
        hear(fd[i], "never"); // until it is closed
        close(fd[i]);
    }
    goes_on();
    end_another(other, usual);
}

static void a_viewer_who_takes_nothing_is_dropped_and_counted(void **state)
{
    (void)state;
    struct web *other;
    struct fail why;
    struct web_counts counts = { .dropped = 0 };
    static char words[4000];
    int usual = port;
    begin_another(&other, "127.0.0.1", 0);
    int lazy = look(-1), awake = look(-1);
    hear(awake, "]}\n\n");
    for (int n = 0; counts.dropped == 0 && n < PATIENCE_MS / 2; n++) {
        memset(words, 'a' + n % 26, sizeof words - 1);
        assert_int_equal(live_words(live, words, &why), 0);
        while (recv(awake, heard, sizeof heard, MSG_DONTWAIT) > 0)
            continue;
        usleep(2000);
        web_count(other, &counts);
    }
    assert_int_equal(counts.dropped, 1);
    assert_int_equal(counts.viewers, 1);
    close(lazy);
    close(awake);
    end_another(other, usual);
}

// By the address that others reach this machine by; without a network there is none.
static void one_machine_has_not_all_places(void **state)
{
    (void)state;
    enum { MOST = 3 };
    struct web *other;
    struct web_counts counts;
    char address[WEB_ADDRESS_MAX], ip[WEB_ADDRESS_MAX] = "";
    int usual = port, fd[MOST + 1];
    struct sockaddr_in to = { .sin_family = AF_INET };
    begin_another(&other, "0.0.0.0", MOST);
    web_address(other, address);
    assert_int_equal(sscanf(address, "http://%95[0-9.]", ip), 1);
    assert_int_equal(inet_pton(AF_INET, ip, &to.sin_addr), 1);
    to.sin_port = htons((uint16_t)port);
    bool network = strcmp(ip, "0.0.0.0") != 0;
    for (int i = 0; i <= MOST && network; i++) {
        fd[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(connect(fd[i], (struct sockaddr *)&to, sizeof to), 0);
        send_text(fd[i], "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        hear(fd[i], "]}\n\n");
        assert_int_equal(strstr(heard, "event: state") != NULL, i < MOST);
    }
    web_count(other, &counts);
    assert_int_equal(counts.turned_away, network);
    goes_on(); // this machine itself
    for (int i = 0; i <= MOST && network; i++)
        close(fd[i]);
    end_another(other, usual);
}

static void as_many_may_look_as_the_system_has_files_for(void **state)
{
    (void)state;
    struct web *other;
    struct web_counts counts;
    struct rlimit before, few, after;
    int usual = port;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 256;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    begin_another(&other, "127.0.0.1", 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
    web_count(other, &counts);
    assert_true(after.rlim_cur > few.rlim_cur);
    assert_true(counts.places >= 500);
    end_another(other, usual);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

#define WITH_A_SERVER(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_A_SERVER(each_judge_is_answered_for_what_he_said),
        WITH_A_SERVER(who_finds_too_many_waiting_is_told_to_come_again),
        WITH_A_SERVER(noise_is_no_request),
        WITH_A_SERVER(a_head_without_an_end_is_refused),
        WITH_A_SERVER(who_does_not_come_to_the_point_is_dropped),
        WITH_A_SERVER(a_viewer_who_takes_nothing_is_dropped_and_counted),
        WITH_A_SERVER(one_machine_has_not_all_places),
        WITH_A_SERVER(as_many_may_look_as_the_system_has_files_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
