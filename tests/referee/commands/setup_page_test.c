// SPDX-License-Identifier: MIT
// A watch that is set up while it runs: what can be had takes effect without a new address, what cannot is told and
// changes nothing.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "calibration/interrupt.h"
#include "calibration/json_memory.h"
#include "referee/commands/device.h"
#include "referee/commands/setup_page.h"
#include "referee/commands/watch.h"
#include "referee/games/games.h"
#include "tests/cmocka.h"
#include "tests/child.h"
#include "tests/vision/scratch.h"
#include "vision/source/camera_system.h"

static const double PATIENCE_S = 120; // however busy the machine is
static const char FILM[] = "samples/clips/crokinole_match.mp4";

// A watch in a process of its own, and what it told.
struct watched {
    pid_t child;
    int told;
    char text[1 << 16];
    size_t used;
    int port;
    char secret[64];
};

// In place of this computer's cameras one that is listed, and that nobody but open_picky opens.
static int one_node(void *self, int *out, int most)
{
    (void)self, (void)most;
    out[0] = 7;
    return 1;
}

static int denied(void *self, const char *path)
{
    (void)self, (void)path;
    errno = EACCES;
    return -1;
}

const struct camera_system camera_system_own = { .nodes = one_node, .open = denied };

// A camera that has no picture of 320 pixels.
static int open_picky(struct source **out, const struct options *o, struct fail *why)
{
    if (o->size.width == 320)
        return rs_fail(why, RS_EIO, "the camera is busy");
    return footage_open(out, FILM, why);
}

static void wait_for(struct watched *s, const char *words)
{
    const double until_s = clock_s() + PATIENCE_S;
    while (!strstr(s->text, words)) {
        struct pollfd said = { .fd = s->told, .events = POLLIN };
        ssize_t n =
            poll(&said, 1, 100) > 0 ? read(s->told, s->text + s->used, sizeof s->text - 1 - s->used) : (ssize_t)-1;
        s->used += n > 0 ? (size_t)n : 0;
        s->text[s->used] = '\0';
        if (n == 0 || clock_s() > until_s)
            fail_msg("it never said \"%s\" but %s", words, s->text);
    }
}

// `book` NULL: no record is kept.
static void sit_down_with_book(struct watched *s, const char *out, const char *game, char *book)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    *s = (struct watched){ .told = ends[0] };
    fflush(NULL);
    s->child = fork();
    assert_true(s->child >= 0);
    if (s->child == 0) {
        struct fail why = { .text = "" };
        const struct options o = { .game = game,
                                   .camera = FILM,
                                   .out = out,
                                   .no_voice = true,
                                   .book = book,
                                   .no_book = !book,
                                   .listen = "127.0.0.1:0",
                                   .to_s = INFINITY };
        int none = open("/dev/null", O_RDWR);
        dup2(none, 0);
        dup2(none, 1);
        dup2(ends[1], 2);
        json_memory_watch();
        interrupt_listen();
        int rc = watch_with(open_picky, &o, &why);
        fprintf(stderr, "%s\n", why.text);
        child_end(rc == RS_EENDED ? 0 : 1);
    }
    close(ends[1]);
    wait_for(s, "/setup#");
    wait_for(s, "\n");
    const char *at = strstr(s->text, "set-up: ");
    assert_int_equal(sscanf(at, "set-up: http://127.0.0.1:%d/setup#%63[0-9a-f]", &s->port, s->secret), 2);
}

static void sit_down(struct watched *s, const char *out, const char *game)
{
    sit_down_with_book(s, out, game, NULL);
}

static void leave(struct watched *s, const char *words)
{
    kill(s->child, SIGTERM);
    wait_for(s, words);
    int status = -1;
    assert_int_equal(waitpid(s->child, &status, 0), s->child);
    assert_int_equal(status, 0);
    close(s->told);
}

// What is answered; `body` NULL: to how it is set up.
static const char *ask(const struct watched *s, const char *body)
{
    static char answer[1 << 17], request[512];
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)s->port) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    size_t used = 0;
    ssize_t n;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    int length =
        snprintf(request, sizeof request,
                 "%s /api/setup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 body ? "POST" : "GET", s->secret, body ? strlen(body) : 0, body ? body : "");
    assert_int_equal(write(fd, request, (size_t)length), length);
    while (used < sizeof answer - 1 && (n = read(fd, answer + used, sizeof answer - 1 - used)) > 0)
        used += (size_t)n;
    answer[used] = '\0';
    close(fd);
    return answer;
}

static void wait_for_answer(const struct watched *s, const char *words)
{
    const double until_s = clock_s() + PATIENCE_S;
    while (!strstr(ask(s, NULL), words)) {
        if (clock_s() > until_s)
            fail_msg("it is never %s but %.600s", words, ask(s, NULL));
        usleep(20000);
    }
}

static void what_cannot_be_had_is_told_and_the_watch_goes_on(void **state)
{
    static struct watched s;
    sit_down(&s, ((struct scratch *)*state)->folder, "crokinole");

    // Words that choose nothing that there is.
    static const struct {
        const char *body, *says;
    } bad[] = { { "{}", "nothing is chosen" },
                { "{\"match\": 4}", "must be an object" },
                { "{\"match\": {\"format\": \"chess\"}}", "there is none called chess" },
                { "{\"match\": {\"format\": {\"pieces_each\": 0}}}", "not played in that format" },
                { "{\"match\": {\"judge\": true}}", "no judge gives permission" },
                { "{\"match\": {\"sides\": [{\"name\": \"A\\u001b[2J\"}]}}", "HTTP/1.1 422" },
                { "{\"match\": {\"sides\": [{\"name\": \"\\u00c4nna\"}, {\"name\": \"\\u00e4nna\"}]}}",
                  "which differ in capitals alone" },
                { "{\"camera\": \"/etc/passwd\"}", "there is none at /etc/passwd" },
                { "{\"camera\": \"http://anna:geheim@phone:8080/video\"}",
                  "camera: an address is named where the watch is" },
                { "{\"camera\": \"\"}", "the camera is as it is already: choose another" },
                { "{\"size\": [0, 0]}", "size: write it as" },
                { "{\"rate\": 0}", "rate: " },
                { "{\"game\": \"chess\"}", "there is none called chess" },
                { "{\"game\": 4}", "game: there is none" },
                { "[", "HTTP/1.1 422" } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (!strstr(ask(&s, bad[i].body), bad[i].says))
            fail_msg("%s: %s", bad[i].body, ask(&s, bad[i].body));
    assert_int_equal(strstr(s.text, "as it was") != NULL, 0);

    // A camera that does not open: the watch goes on with the one before, at the same address.
    assert_non_null(strstr(ask(&s, "{\"size\": [320, 240]}"), "HTTP/1.1 200"));
    wait_for(&s, "the camera is busy; the watch goes on with the camera as it was");
    wait_for_answer(&s, "\"refused\":\"the camera is busy\"");

    // And plays: what would end a match that is being played has to say so.
    wait_for_answer(&s, "\"grade\":\"A\"");
    wait_for_answer(&s, "\"shots\":1");
    assert_non_null(
        strstr(ask(&s, "{\"match\": {\"format\": \"nca-doubles\"}}"), " so far: say that a new one is to begin"));
    assert_non_null(
        strstr(ask(&s, "{\"size\": [640, 480]}"), " so far: say that a new one is to begin")); // it is kept nowhere
    assert_non_null(strstr(ask(&s, "{\"match\": {\"format\": \"nca-doubles\"}, \"anew\": true}"), "HTTP/1.1 200"));
    wait_for_answer(&s, "\"match\":{\"format\":{\"name\":\"nca-doubles\"");
    wait_for_answer(&s, "\"shots\":0");
    leave(&s, "ended by SIGTERM after ");
}

// Opened once more it would be played from its beginning: its shots are in the match already.
static void a_film_is_not_taken_twice_into_a_match(void **state)
{
    static struct watched s;
    const char *folder = ((struct scratch *)*state)->folder;
    char kept[300], book[300];
    snprintf(kept, sizeof kept, "%s/twice", folder);
    snprintf(book, sizeof book, "%s/twice.db", folder);
    sit_down_with_book(&s, kept, "crokinole", book);
    wait_for_answer(&s, "\"shots\":1");
    assert_non_null(
        strstr(ask(&s, "{\"size\": [640, 480]}"), "shots would count twice; say that a new match is to begin"));
    assert_non_null(strstr(ask(&s, "{\"size\": [320, 240], \"anew\": true}"), "HTTP/1.1 200"));
    wait_for(&s, "the camera is busy; the watch goes on with the camera as it was");
    wait_for_answer(&s, "\"shots\":1");
    leave(&s, "  record    match 2; ");
}

// A match that a film began goes on with a camera; where that cannot be had, the film is played as a match of its own.
static void a_match_goes_on_from_a_film_with_a_camera(void **state)
{
    static struct watched s;
    const char *folder = ((struct scratch *)*state)->folder;
    char kept[300], book[300];
    snprintf(kept, sizeof kept, "%s/on", folder);
    snprintf(book, sizeof book, "%s/on.db", folder);
    sit_down_with_book(&s, kept, "crokinole", book);
    wait_for_answer(&s, "\"shots\":1");
    assert_non_null(strstr(ask(&s, "{\"camera\": \"/dev/video7\", \"size\": [320, 240]}"), "HTTP/1.1 200"));
    wait_for(&s, "the camera is busy; the watch goes on with the camera as it was");
    wait_for_answer(&s, "\"shots\":1");
    assert_non_null(strstr(ask(&s, "{\"camera\": \"/dev/video7\", \"size\": [640, 480]}"), "HTTP/1.1 200"));
    wait_for(&s, "match 2 goes on: ");
    leave(&s, "  record    match 2; ");
}

// Said on the terminal at once; nothing is judged, and nothing kept, before somebody has chosen one.
static void a_game_that_nobody_named_is_waited_for(void **state)
{
    static struct watched s;
    const char *folder = ((struct scratch *)*state)->folder;
    char kept[300];
    snprintf(kept, sizeof kept, "%s/chosen", folder);
    sit_down(&s, kept, NULL);
    wait_for(&s, "no game is chosen yet: choose it on the set-up page");
    assert_non_null(strstr(ask(&s, NULL), "\"game\":null"));
    leave(&s, "ended by SIGTERM: no game was chosen by then");

    sit_down(&s, kept, NULL);
    assert_non_null(strstr(ask(&s, "{\"game\": \"crokinole-rings\"}"), "HTTP/1.1 200"));
    wait_for_answer(&s, "\"game\":\"crokinole-rings\"");
    assert_non_null(strstr(ask(&s, "{\"game\": \"crokinole\"}"), "HTTP/1.1 200"));
    wait_for_answer(&s, "\"begun\":true");
    assert_non_null(strstr(ask(&s, NULL), "\"game\":\"crokinole\""));
    leave(&s, "ended by SIGTERM after ");
}

// What is kept of its board for this camera cannot be read.
static void a_game_that_cannot_be_had_leaves_the_one_before(void **state)
{
    static struct watched s;
    const char *folder = ((struct scratch *)*state)->folder;
    char kept[300], config[300], path[SAVED_PATH_MAX];
    struct source *film = NULL;
    struct fail why = { .text = "" };
    snprintf(kept, sizeof kept, "%s/before", folder);
    snprintf(config, sizeof config, "%s/config", folder);
    assert_int_equal(setenv("XDG_CONFIG_HOME", config, 1), 0);
    assert_int_equal(footage_open(&film, FILM, &why), 0);
    assert_int_equal(saved_board_path(path, source_info(film), games_find("american-marbles")->board, &why), 0);
    source_close(film);
    assert_int_equal(saved_make_folder(path, &why), 0);
    FILE *f = fopen(path, "w");
    assert_true(f && fputs("{", f) >= 0 && fclose(f) == 0);
    sit_down(&s, kept, "crokinole");
    const char *two_for_one =
        "{\"match\": {\"format\": \"nca-singles\", \"sides\": [{\"players\": [\"Ann\", \"Bo\"]}]}}";
    assert_non_null(strstr(ask(&s, two_for_one), "a side has 2 players; nca-singles is played by 1 a side"));
    assert_non_null(strstr(ask(&s, "{\"match\": {\"format\": \"nca-doubles\"}}"), "HTTP/1.1 200"));
    assert_non_null(strstr(ask(&s, "{\"game\": \"american-marbles\", \"anew\": true}"), "HTTP/1.1 200"));
    wait_for(&s, "; the watch goes on with camera and game as they were");
    wait_for_answer(&s, "\"game\":\"crokinole\"");
    assert_non_null(strstr(ask(&s, NULL), ".board.json"));
    leave(&s, "ended by SIGTERM after ");
    assert_int_equal(unsetenv("XDG_CONFIG_HOME"), 0);
}

// A board or a format is one of a game, and who is at no page cannot choose.
static void what_hangs_on_a_game_needs_it_named(void **state)
{
    (void)state;
    const struct options asks = { .camera = FILM }, asks_not[] = {
        { .game = "crokinole" },
        { .board = "crokinole-nca" },
        { .match = "m.json" },
        { .format = "nca-singles" },
        { .players = "red,black" },
        { .judge = true },
        { .sides = 1 },
        { .no_web = true },
        { .quiet = true },
    };
    assert_true(setup_page_asks_game(&asks));
    for (size_t i = 0; i < sizeof asks_not / sizeof asks_not[0]; i++)
        if (setup_page_asks_game(&asks_not[i]))
            fail_msg("row %zu waits for a page", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_had_is_told_and_the_watch_goes_on),
        cmocka_unit_test(a_film_is_not_taken_twice_into_a_match),
        cmocka_unit_test(a_match_goes_on_from_a_film_with_a_camera),
        cmocka_unit_test(a_game_that_nobody_named_is_waited_for),
        cmocka_unit_test(a_game_that_cannot_be_had_leaves_the_one_before),
        cmocka_unit_test(what_hangs_on_a_game_needs_it_named),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
