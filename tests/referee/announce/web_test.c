// SPDX-License-Identifier: MIT
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "calibration/units.h"
#include "referee/announce/web.h"
#include "tests/cmocka.h"
#include "tests/referee/announce/asked.h"
#include "vision/encoded.h"

static void pages_come_with_what_keeps_them_from_doing_harm(void **state)
{
    (void)state;
    static const char *const needed[] = { "HTTP/1.1 200",      "Content-Type: text/html; charset=utf-8",
                                          "script-src 'self'", "frame-ancestors 'none'",
                                          "nosniff",           "no-referrer" };
    int fd = dial();
    send_text(fd, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    hear(fd, "</html>");
    for (size_t i = 0; i < countof(needed); i++)
        if (!strstr(heard, needed[i]))
            fail_msg("no '%s' in '%.600s'", needed[i], heard);
    close(fd);
    fd = dial();
    send_text(fd, "GET /overlay HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    assert_null(strstr(hear(fd, "</html>"), "frame-ancestors"));
    close(fd);
}

static void what_is_no_request_of_ours_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *request;
        int status;
    } rows[] = {
        { "GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404 },
        { "GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404 },
        { "GET //board.html HTTP/1.1\r\nHost: localhost\r\n\r\n", 404 },
        { "GET /nothing HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 404 },
        { "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421 },
        { "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n", 421 },
        { "GET / HTTP/1.0\r\n\r\n", 421 },
        { "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405 },
        { "POST /api/state HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405 },
        { "GET /api/input HTTP/1.1\r\nHost: localhost\r\n\r\n", 405 },
        { "POST /api/input HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}",
          403 },
        { "DELETE /api/setup HTTP/1.1\r\nHost: localhost\r\n\r\n", 405 },
        { "GET /api/setup HTTP/1.1\r\nHost: localhost\r\n\r\n", 401 },
        { "POST /api/setup HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}",
          403 },
        { "GET /api/matches HTTP/1.1\r\nHost: localhost\r\n\r\n", 404 }, // none are kept
        { "POST /api/input HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nContent-Length: 2\r\n\r\n{}", 403 },
    };
    for (size_t i = 0; i < countof(rows); i++)
        if (status_of(rows[i].request) != rows[i].status)
            fail_msg("'%s': '%.60s'", rows[i].request, heard);
}

// A phone in the same network asks for the machine by its name.
static void it_answers_to_its_own_name_and_to_no_longer_one(void **state)
{
    (void)state;
    static const struct {
        const char *behind;
        int status;
    } rows[] = { { "", 200 },
                 { ":7447", 200 },
                 { ".local", 200 },
                 { ".LOCAL:7447", 200 },
                 { "x", 421 },
                 { ".local.evil.example", 421 },
                 { ".evil.example:80", 421 } };
    char own[128] = "", request[512];
    assert_int_equal(gethostname(own, sizeof own - 1), 0);
    for (size_t i = 0; i < countof(rows); i++) {
        snprintf(request, sizeof request, "GET /api/calls HTTP/1.1\r\nHost: %s%s\r\n\r\n", own, rows[i].behind);
        if (status_of(request) != rows[i].status)
            fail_msg("%s%s: '%.60s'", own, rows[i].behind, heard);
    }
}

static void without_the_secret_nothing_is_said(void **state)
{
    (void)state;
    char almost[WEB_SECRET_LETTERS + 1], longer[WEB_SECRET_LETTERS + 2];
    struct observation said;
    struct web_counts counts;
    snprintf(almost, sizeof almost, "%s", web_secret(web));
    almost[WEB_SECRET_LETTERS - 1] ^= 1;
    snprintf(longer, sizeof longer, "%sa", web_secret(web));
    assert_int_equal(say("", "", "{\"what\": \"undo\"}"), 401);
    assert_int_equal(say(almost, "", "{\"what\": \"undo\"}"), 401);
    assert_int_equal(say(longer, "", "{\"what\": \"undo\"}"), 401);
    int status = 401;
    for (int i = 0; i < 50 && status == 401; i++)
        status = say("guess", "", "{\"what\": \"undo\"}");
    assert_int_equal(status, 429);                         // who guesses has to wait
    assert_int_equal(say(web_secret(web), "", "[]"), 400); // and keeps no judge out by it
    assert_false(web_said(web, &said));
    web_count(web, &counts);
    assert_true(counts.refused >= 5);
}

static void what_a_judge_says_is_answered_when_it_was_taken_up(void **state)
{
    (void)state;
    struct observation said;
    struct fail refusal = { .text = "no shot to take back" };
    char request[512];
    for (int refused = 0; refused < 2; refused++) {
        int fd = dial(), status = 0;
        const char *body = "{\"what\": \"zone\", \"shot\": 4, \"piece\": 7, \"text\": \"15\"}";
        snprintf(request, sizeof request,
                 "POST /api/input HTTP/1.1\r\nHost: localhost:%d\r\nOrigin: http://localhost:%d\r\n"
                 "Authorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
                 port, port, web_secret(web), strlen(body), body);
        send_text(fd, request);
        for (int ms = 0; !web_said(web, &said) && ms < PATIENCE_MS; ms++)
            usleep(1000);
        assert_int_equal(said.kind, OBS_INPUT);
        assert_int_equal(said.input.what, INPUT_ZONE);
        assert_int_equal(said.input.shot, 4);
        assert_int_equal(said.input.piece, 7);
        assert_string_equal(said.input.text, "15");
        assert_string_equal(said.input.by, "judge");
        web_answer(web, refused ? &refusal : NULL);
        hear(fd, "}");
        assert_int_equal(sscanf(heard, "HTTP/1.1 %d", &status), 1);
        assert_int_equal(status, refused ? 422 : 200);
        assert_true(!refused || strstr(heard, refusal.text));
        close(fd);
    }
}

static void what_cannot_be_said_is_refused_at_once(void **state)
{
    (void)state;
    static char large[8192];
    struct observation said;
    memset(large, ' ', sizeof large - 1);
    static const char *const bad[] = { "",
                                       "[]",
                                       "{",
                                       "{\"what\": 4}",
                                       "{\"what\": \"undo\", \"shots\": 3}",
                                       "{\"what\": \"undo\", \"shot\": 1e99}",
                                       "\xff",
                                       "{\"what\": \"undo\", \"text\": \"\\u001b[2J\"}" };
    for (size_t i = 0; i < countof(bad); i++)
        if (say(web_secret(web), "", bad[i]) != 400)
            fail_msg("'%s': %.400s", bad[i], heard);
    assert_int_equal(say(web_secret(web), "", large), 413);
    assert_false(web_said(web, &said));
}

static void a_judge_who_is_gone_is_not_answered(void **state)
{
    (void)state;
    struct observation said;
    char request[512];
    int fd = dial();
    snprintf(request, sizeof request,
             "POST /api/input HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 16\r\n\r\n"
             "{\"what\": \"undo\"}",
             web_secret(web));
    send_text(fd, request);
    for (int ms = 0; !web_said(web, &said) && ms < PATIENCE_MS; ms++)
        usleep(1000);
    close(fd);
    web_answer(web, NULL);
    assert_false(web_said(web, &said));
    assert_int_equal(status_of("GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

// At the set-up: with GET, or what is said with POST.
static int set_up(const char *method, const char *body)
{
    char request[512];
    int fd = dial();
    snprintf(request, sizeof request,
             "%s /api/setup HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
             method, web_secret(web), strlen(body), body);
    send_text(fd, request);
    return fd;
}

static void wait_for_set_up(const char *text)
{
    char wanted[WEB_SET_UP_MAX] = "none";
    struct observation said;
    for (int ms = 0; !web_set_up(wanted, web) && ms < PATIENCE_MS; ms++)
        usleep(1000);
    assert_string_equal(wanted, text);
    assert_false(web_said(web, &said));
}

static void who_sets_up_is_told_how_it_is_and_whether_it_can_be_had(void **state)
{
    (void)state;
    struct fail refusal = { .text = "no such camera" };
    int fd = set_up("GET", "");
    wait_for_set_up("");
    web_give(web, strdup("{\"begun\": false}"));
    assert_non_null(strstr(hear(fd, "}"), "{\"begun\": false}"));
    close(fd);
    for (int refused = 0; refused < 2; refused++) {
        fd = set_up("POST", "{\"camera\": \"/dev/video7\"}");
        wait_for_set_up("{\"camera\": \"/dev/video7\"}");
        web_answer(web, refused ? &refusal : NULL);
        assert_non_null(strstr(hear(fd, "}"), refused ? "HTTP/1.1 422" : "HTTP/1.1 200"));
        assert_true(!refused || strstr(heard, refusal.text));
        close(fd);
    }
    fd = set_up("GET", "");
    wait_for_set_up("");
    web_give(web, NULL); // there was no memory
    assert_non_null(strstr(hear(fd, "}"), "HTTP/1.1 422"));
    close(fd);
    fd = set_up("POST", "");
    assert_non_null(strstr(hear(fd, "}"), "HTTP/1.1 400"));
    close(fd);
    fd = set_up("GET", "{}");
    assert_non_null(strstr(hear(fd, "}"), "HTTP/1.1 400"));
    close(fd);
}

static void who_leaves_the_set_up_leaves_nothing_behind(void **state)
{
    (void)state;
    char text[WEB_SET_UP_MAX];
    int fd = set_up("GET", "");
    wait_for_set_up("");
    close(fd);
    web_give(web, strdup("{}"));
    assert_false(web_set_up(text, web));
    assert_int_equal(status_of("GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
}

// The number of what was heard first.
static long long heard_id(void)
{
    const char *id = strstr(heard, "\nid: ");
    assert_non_null(id);
    return strtoll(id + 5, NULL, 10);
}

// At which number a viewer stands who has all that there is.
static long long newest_id(void)
{
    int fd = look(-1);
    hear(fd, "]}\n\n");
    close(fd);
    return heard_id();
}

static void a_viewer_is_given_the_whole_and_then_what_changes(void **state)
{
    (void)state;
    give_words(1);
    int fd = look(-1);
    hear(fd, "\"calls\":[]}\n\n");
    assert_non_null(strstr(heard, "\nevent: state\ndata: {\"ringside\":"));
    long long first = heard_id();
    assert_true(first > 1 && first < 1LL << 53); // JavaScript's numbers are exact up to there
    char next[64];
    assert_non_null(strstr(heard, "\"camera\":{\"words\":\"word 1.\"}"));
    give_words(2);
    give_words(2); // no news
    hear(fd, "word 2.\"}}\n\n");
    snprintf(next, sizeof next, "id: %lld\ndata: {\"camera\":{\"words\":", first + 1);
    assert_non_null(strstr(heard, next));
    give_words(3);
    hear(fd, "\n\n");
    snprintf(next, sizeof next, "id: %lld\n", first + 2);
    assert_non_null(strstr(heard, next));
    close(fd);
}

static void board_and_pieces_are_told_in_inches(void **state)
{
    (void)state;
    static struct board_pose pose;
    static struct tracker_view view;
    static struct match match;
    struct fail why = { .text = "" };
    pose.board = *board_builtin("crokinole-nca");
    view = (struct tracker_view){ .count = 1, .id = { 7 }, .moving = { true } };
    view.piece[0] = (struct detection){ .kind = PIECE_DISC, .at = { 1.5, -2.25 }, .radius_in = 0.625 };
    snprintf(view.piece[0].colour, COLOUR_NAME_MAX, "red");
    if (live_board(live, &pose, &why) != 0 || live_pieces(live, &view, &match, 0, &why) != 0)
        fail_msg("%s", why.text);
    char *text = live_state(live);
    json_t *whole = json_loads(text, 0, NULL), *board = json_object_get(whole, "board");
    json_t *piece = json_array_get(json_object_get(json_object_get(whole, "pieces"), "list"), 0);
    assert_int_equal(json_array_size(json_object_get(board, "circle_in")), pose.board.circles);
    assert_string_equal(json_string_value(json_object_get(json_object_get(board, "paints"), "red")), "#c3282d");
    assert_int_equal(json_integer_value(json_object_get(piece, "id")), 7);
    assert_true(json_real_value(json_object_get(piece, "y_in")) == -2.25);
    assert_true(json_is_true(json_object_get(piece, "moving")));
    json_decref(whole);
    free(text);
}

static void who_comes_back_is_given_what_he_missed(void **state)
{
    (void)state;
    long long first = newest_id();
    for (int n = 1; n <= 5; n++)
        give_words(n);
    int fd = look(first + 3);
    hear(fd, "word 5.");
    assert_null(strstr(heard, "event: state"));
    assert_null(strstr(heard, "word 3."));
    assert_non_null(strstr(heard, "word 4."));
    close(fd);
    for (int n = 6; n <= 1000; n++)
        give_words(n);
    fd = look(first + 3); // too long ago
    assert_non_null(strstr(hear(fd, "]}\n\n"), "event: state"));
    close(fd);
    fd = look(first + 5000); // of a server whose clock was ahead
    assert_non_null(strstr(hear(fd, "]}\n\n"), "event: state"));
    close(fd);
}

// Where he stood tells nothing of the match that is on now, however many messages each of the two has had.
static void who_comes_back_to_another_server_is_given_the_whole(void **state)
{
    for (int had = 0; had < 60; had += 20) {
        for (int n = 1; n <= had; n++)
            give_words(n);
        const long long stood = newest_id();
        end(state);
        begin(state);
        const long long first = newest_id();
        for (int n = 1; n <= 30; n++)
            give_words(n);
        const long long unknown[] = { stood, first - 1, first - 200 }; // the latter where the clock was set back
        for (size_t i = 0; i < countof(unknown); i++) {
            int fd = look(unknown[i]);
            assert_non_null(strstr(hear(fd, "word 30."), "event: state"));
            close(fd);
        }
        int fd = look(first);
        assert_null(strstr(hear(fd, "word 30."), "event: state"));
        close(fd);
    }
}

static void a_viewer_who_does_not_read_costs_nobody_anything(void **state)
{
    (void)state;
    struct fail why;
    struct web_counts counts;
    static char words[4000];
    int lazy = look(-1), awake = look(-1);
    hear(awake, "]}\n\n");
    for (int n = 0; n < 5000; n++) { // 20 MB
        memset(words, 'a' + n % 26, sizeof words - 1);
        assert_int_equal(live_words(live, words, &why), 0);
    }
    give_words(1);
    assert_non_null(strstr(hear(awake, "word 1."), "word 1."));
    assert_non_null(strstr(hear(lazy, "word 1."), "word 1."));
    web_count(web, &counts);
    assert_true(counts.behind >= 1);
    assert_int_equal(counts.viewers, 2);
    close(lazy);
    close(awake);
}

static void what_the_referee_says_comes_to_those_who_are_there(void **state)
{
    (void)state;
    struct fail why;
    int there = look(-1);
    hear(there, "]}\n\n");
    assert_int_equal(live_say(live, "Fünfzehn. \"Heim\" führt.", "de", &why), 0);
    const char *said = hear(there, "}}\n\n");
    assert_non_null(strstr(said, "{\"say\":{"));
    assert_non_null(strstr(said, "\"text\":\"Fünfzehn. \\\"Heim\\\" führt.\""));
    assert_non_null(strstr(said, "\"language\":\"de\""));
    int later = look(-1);
    assert_null(strstr(hear(later, "]}\n\n"), "Fünfzehn"));
    close(later);
    close(there);
}

static void a_hall_of_viewers_is_told(void **state)
{
    (void)state;
    enum { HALL = 500 };
    static int fd[HALL];
    struct rlimit files;
    struct web_counts counts;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_max < 2 * HALL + 64) // both ends are ours
        fail_msg("this system allows %lu open files: ulimit -Hn", (unsigned long)files.rlim_max);
    files.rlim_cur = files.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    for (int i = 0; i < HALL; i++) {
        fd[i] = look(-1);
        hear(fd[i], "]}\n\n");
    }
    give_words(7);
    for (int i = 0; i < HALL; i++)
        hear(fd[i], "word 7.");
    web_count(web, &counts);
    assert_int_equal(counts.viewers, HALL);
    assert_int_equal(counts.dropped, 0);
    for (int i = 0; i < HALL; i++)
        close(fd[i]);
    web_tick(web); // who is gone is noticed when he is told something
    for (int ms = 0; ms < PATIENCE_MS && counts.viewers > 0; ms++) {
        usleep(1000);
        if (ms % 100 == 0)
            web_tick(web);
        web_count(web, &counts);
    }
    assert_int_equal(counts.viewers, 0);
    assert_int_equal(counts.most_viewers, HALL);
}

static void the_camera_is_shown_to_those_who_look(void **state)
{
    (void)state;
    struct frame *f;
    struct fail why;
    struct encoded *jpeg;
    assert_int_equal(frame_create(&f, 64, 48, &why), 0);
    assert_int_equal(encoded_create(&jpeg, 3, &why), 0);
    memcpy(jpeg->bytes, "abc", 3);
    int fd = dial();
    send_text(fd, "GET /camera HTTP/1.1\r\nHost: localhost\r\n\r\n");
    hear(fd, "boundary=picture");
    for (int ms = 0; ms < PATIENCE_MS; ms += 10) { // until somebody looks, and a picture is due
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        assert_int_equal(web_show(web, f, &why), 0);
        if (poll(&ready, 1, 10) > 0)
            break;
    }
    hear(fd, "Content-Type: image/jpeg");
    f->encoded = jpeg; // passed on as it came
    for (int ms = 0; ms < 400; ms++) {
        usleep(1000);
        assert_int_equal(web_show(web, f, &why), 0);
    }
    hear(fd, "\r\n\r\nabc\r\n");
    close(fd);
    frame_free(f);
}

// A camera that has stopped, or a film that waits: the picture is there, and whole by what browsers go by, the boundary
// behind it.
static void who_comes_when_the_camera_stands_sees_its_last_picture(void **state)
{
    (void)state;
    struct frame *f;
    struct fail why;
    assert_int_equal(frame_create(&f, 64, 48, &why) | encoded_create(&f->encoded, 4, &why), 0);
    memcpy(f->encoded->bytes, "last", 4);
    assert_int_equal(web_show(web, f, &why), 0); // nobody looks
    frame_free(f);
    int fd = dial();
    send_text(fd, "GET /camera HTTP/1.1\r\nHost: localhost\r\n\r\n");
    // Twice at once: what shows it when the next one begins shows it now.
    hear(fd, "\r\n\r\nlast\r\n--picture\r\n"
             "Content-Type: image/jpeg\r\nX-Number: 1\r\nContent-Length: 4\r\n\r\nlast\r\n--picture\r\n");
    web_tick(web);
    hear(fd, "\r\n\r\nlast\r\n--picture\r\n");
    close(fd);
}

// Of the match before nothing is left, with nobody who had looked at it.
static void another_match_is_given_whole(void **state)
{
    (void)state;
    give_words(1);
    int fd = look(-1);
    hear(fd, "word 1.");
    long long stood = heard_id();
    live_restart(live);
    hear(fd, "\"calls\":[]}\n\n");
    assert_non_null(strstr(heard, "event: state"));
    assert_non_null(strstr(heard, "\"camera\":null"));
    give_words(2);
    hear(fd, "word 2.\"}}\n\n");
    assert_null(strstr(heard, "event: state"));
    close(fd);
    fd = look(stood);
    assert_non_null(strstr(hear(fd, "word 2."), "event: state"));
    close(fd);
}

static char *tell_matches(void *self)
{
    return strdup(self);
}

// What a watch may bring beside its match.
static void own_style_and_kept_matches_are_served(void **state)
{
    (void)state;
    struct web *other = NULL;
    struct fail why;
    char address[WEB_ADDRESS_MAX], kept[] = "{\"matches\": []}";
    int usual = port;
    struct web_wish wish = {
        .address = "0.0.0.0", .css = "strip { color: red }", .matches = tell_matches, .matches_self = kept
    };
    if (web_start(&other, live, &wish, &why) != 0)
        fail_msg("%s", why.text);
    web_address(other, address); // one that others can use, where there is a network
    char ip[WEB_ADDRESS_MAX] = "";
    assert_int_equal(sscanf(address, "http://%95[0-9.]:%d", ip, &port), 2);
    struct in_addr in;
    assert_int_equal(inet_pton(AF_INET, ip, &in), 1);
    int fd = dial();
    send_text(fd, "GET /own.css HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_non_null(strstr(hear(fd, wish.css), "Content-Type: text/css"));
    close(fd);
    fd = dial();
    send_text(fd, "GET /api/matches HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_non_null(strstr(hear(fd, "]}"), "application/json"));
    close(fd);
    web_stop(other);
    port = usual;
}

static void an_address_that_is_none_is_refused(void **state)
{
    (void)state;
    struct web *other = NULL;
    struct fail why;
    assert_int_equal(web_start(&other, live, &(struct web_wish){ .address = "somewhere" }, &why), RS_EINPUT);
    assert_int_equal(web_start(&other, live, &(struct web_wish){ .port = port }, &why), RS_EIO); // it is ours already
    assert_non_null(strstr(why.text, "another program"));
}

static void it_stops_while_all_of_them_wait(void **state)
{
    (void)state;
    struct observation said;
    char request[512];
    int viewer = look(-1), judge = dial();
    hear(viewer, "]}\n\n");
    snprintf(request, sizeof request,
             "POST /api/input HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 16\r\n\r\n"
             "{\"what\": \"undo\"}",
             web_secret(web));
    send_text(judge, request);
    for (int ms = 0; !web_said(web, &said) && ms < PATIENCE_MS; ms++)
        usleep(1000);
    web_stop(web);
    web = NULL;
    hear(viewer, "never");
    close(viewer);
    close(judge);
}

#define WITH_A_SERVER(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_A_SERVER(pages_come_with_what_keeps_them_from_doing_harm),
        WITH_A_SERVER(what_is_no_request_of_ours_is_refused),
        WITH_A_SERVER(it_answers_to_its_own_name_and_to_no_longer_one),
        WITH_A_SERVER(without_the_secret_nothing_is_said),
        WITH_A_SERVER(what_a_judge_says_is_answered_when_it_was_taken_up),
        WITH_A_SERVER(what_cannot_be_said_is_refused_at_once),
        WITH_A_SERVER(a_judge_who_is_gone_is_not_answered),
        WITH_A_SERVER(who_sets_up_is_told_how_it_is_and_whether_it_can_be_had),
        WITH_A_SERVER(who_leaves_the_set_up_leaves_nothing_behind),
        WITH_A_SERVER(another_match_is_given_whole),
        WITH_A_SERVER(own_style_and_kept_matches_are_served),
        WITH_A_SERVER(a_viewer_is_given_the_whole_and_then_what_changes),
        WITH_A_SERVER(board_and_pieces_are_told_in_inches),
        WITH_A_SERVER(who_comes_back_is_given_what_he_missed),
        WITH_A_SERVER(who_comes_back_to_another_server_is_given_the_whole),
        WITH_A_SERVER(a_viewer_who_does_not_read_costs_nobody_anything),
        WITH_A_SERVER(what_the_referee_says_comes_to_those_who_are_there),
        WITH_A_SERVER(a_hall_of_viewers_is_told),
        WITH_A_SERVER(the_camera_is_shown_to_those_who_look),
        WITH_A_SERVER(who_comes_when_the_camera_stands_sees_its_last_picture),
        WITH_A_SERVER(an_address_that_is_none_is_refused),
        WITH_A_SERVER(it_stops_while_all_of_them_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
