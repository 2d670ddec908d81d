// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // posix_openpt
// Whoever is asked to end does so in order, at any moment: what was seen is written and told, nothing half-made is
// left, and the terminal is as it was. A second signal ends at once. What SIGKILL leaves the next run clears away.
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>

#include <jansson.h>

#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "tests/child.h"
#include "tests/cmocka.h"
#include "tests/referee/commands/spawned.h"
#include "tests/referee/empty_log.h"
#include "tests/referee/text_of.h"
#include "tests/vision/scratch.h"
#include "vision/source/remux.h"

enum { BYTES_MAX = 1 << 24, TRIES = 5, PATIENCE = 12000, STEP_US = 5000 };

static const int asking[] = { SIGTERM, SIGINT, SIGHUP };
static const char FILM[] = "frames.mov"; // some seconds of a sample
static unsigned chance;
static void (*usual)(int) = SIG_DFL; // what the program finds its signals to do

// From 0 to `most` microseconds.
static void sleep_by_chance(unsigned most)
{
    chance = chance * 1103515245u + 12345u;
    usleep((chance >> 8) % (most + 1));
}

static void empty_folder(const char *folder)
{
    scratch_empty(open(folder, O_RDONLY | O_DIRECTORY));
}

static int put_film(void **state)
{
    struct remux c = { .from_s = 0, .to_s = 5 };
    struct fail why = { .text = "" };
    if (scratch_create(state) != 0)
        return -1;
    const struct scratch *s = *state;
    chance = (unsigned)time(NULL);
    print_message("seed %u\n", chance);
    if (remux_make(&c, s->folder, "samples/clips/crokinole_a.mp4", &why) < 0)
        fail_msg("%s", why.text);
    assert_string_equal(c.name, FILM);
    assert_int_equal(mkdir(scratch_path(s, "out"), 0700), 0);
    assert_int_equal(mkdir(scratch_path(s, "tmp"), 0700), 0);
    return setenv("TMPDIR", scratch_path(s, "tmp"), 1);
}

// How many names in the folder have `part` in them.
static int count_of(const char *folder, const char *part)
{
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.' && strstr(e->d_name, part);
    closedir(d);
    return n;
}

// The program, with signals as they usually are; `terminal` below 0: none, words go to said.out and said.err.
static pid_t begin(const struct scratch *s, const char *const *args, int terminal)
{
    const char *program = getenv("RINGSIDE"), *out = scratch_path(s, "said.out"), *err = scratch_path(s, "said.err");
    char *argv[SPAWNED_ARGS_MAX] = { strdup(program ? program : "./ringside") };
    for (int n = 1; args[n - 1] && n < SPAWNED_ARGS_MAX - 1; n++)
        argv[n] = strdup(args[n - 1]);
    scratch_write(out, "", 0);
    scratch_write(err, "", 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (size_t i = 0; i < countof(asking); i++)
            signal(asking[i], usual);
        int in = terminal < 0 ? open("/dev/null", O_RDONLY) : terminal;
        if (terminal >= 0 && (setsid() < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0))
            _exit(126);
        dup2(in, 0);
        dup2(open(out, O_WRONLY), 1);
        dup2(open(err, O_WRONLY | O_APPEND), 2);
        execv(argv[0], argv);
        _exit(127);
    }
    for (int i = 0; argv[i]; i++)
        free(argv[i]);
    return child;
}

static const char *said(const struct scratch *s, const char *name)
{
    return text_of(scratch_path(s, name));
}

// Up to a minute, on a busy machine.
static void wait_for_words(const struct scratch *s, const char *words)
{
    for (int i = 0; !strstr(said(s, "said.err"), words); i++) {
        if (i == PATIENCE)
            fail_msg("it never said \"%s\" but %s", words, said(s, "said.err"));
        usleep(STEP_US);
    }
}

// Exit status; 256 + the signal that it died of.
static int end_of(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static int ask(pid_t child, int number)
{
    assert_int_equal(kill(child, number), 0);
    return end_of(child);
}

struct bytes {
    uint8_t *at;
    size_t size;
};

static struct bytes bytes_of(const char *folder, const char *name)
{
    char path[400];
    struct bytes b;
    struct fail why = { .text = "" };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (whole_file_read(&b.at, &b.size, path, BYTES_MAX, &why) < 0)
        fail_msg("%s", why.text);
    return b;
}

static bool same(struct bytes a, struct bytes b)
{
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

// What was written is the beginning of what a whole review writes, and is told.
static void is_its_beginning(const struct scratch *s, const char *out, struct bytes whole, int number)
{
    static struct spawned r;
    char log[400];
    struct bytes part = bytes_of(out, "frames.ringside.jsonl");
    assert_true(part.size < whole.size && memcmp(part.at, whole.at, part.size) == 0);
    free(part.at);
    snprintf(log, sizeof log, "%s/frames.ringside.jsonl", out);
    RUN(&r, 0, "judge", log);
    assert_string_equal(r.out, said(s, "said.out"));
    assert_null(strstr(r.err, "cut off"));
    snprintf(log, sizeof log, "%s/frames.calls.json", out);
    json_t *calls = json_load_file(log, 0, NULL);
    assert_true(json_is_real(json_object_get(calls, "interrupted_s")));
    json_decref(calls);
    assert_non_null(strstr(said(s, "said.err"), number == SIGTERM  ? "ended by SIGTERM at "
                                                : number == SIGINT ? "ended by SIGINT at "
                                                                   : "ended by SIGHUP at "));
    snprintf(log, sizeof log, "ringside review --resume '%s/our films/%s' 1, with", s->folder, FILM); // to be typed so
    assert_non_null(strstr(said(s, "said.err"), log));
}

// Begun again until a signal came before its end, each time at another moment; false when none did.
static bool review_is_ended(const struct scratch *s, const char *const *args, const char *out, struct bytes whole,
                            int number, bool at_once)
{
    for (int k = 0; k < TRIES; k++) {
        empty_folder(out);
        unlink(scratch_path(s, "part.db"));
        pid_t child = begin(s, args, -1);
        wait_for_words(s, "crokinole-nca");
        sleep_by_chance(at_once ? 0 : 500000);
        int status = ask(child, number);
        assert_int_equal(count_of(out, ".part"), 0);
        if (status == 128 + number) {
            assert_int_equal(count_of(out, ""), 2); // no video
            is_its_beginning(s, out, whole, number);
            return true;
        }
        assert_int_equal(status, 0);
    }
    return false;
}

static void a_review_goes_on_as_if_it_had_never_been_ended(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char film[300], out[300], book[300], other[300];
    snprintf(film, sizeof film, "%s/our films/%s", s->folder, FILM);
    snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
    snprintf(book, sizeof book, "%s", scratch_path(s, "part.db"));
    assert_int_equal(mkdir(scratch_path(s, "our films"), 0700), 0);
    assert_int_equal(link(scratch_path(s, FILM), film), 0);
    RUN(&r, 0, "review", "--game=crokinole", "--no-book", "--out", out, film);
    struct bytes log = bytes_of(out, "frames.ringside.jsonl"), calls = bytes_of(out, "frames.calls.json");
    const char *const args[] = { "review", "--game=crokinole", "--video", "--book", book, "--out", out, film, NULL };
    static char whole_said[SPAWNED_TEXT_MAX];
    memcpy(whole_said, r.out, sizeof whole_said);
    int ended = 0;
    for (size_t i = 0; i < countof(asking); i++)
        ended += review_is_ended(s, args, out, log, asking[i], i + 1 == countof(asking));
    assert_true(ended > 0);

    // Other footage in its place is not taken for the rest of it; elsewhere it is other footage.
    struct remux c = { .from_s = 0, .to_s = 1 };
    struct fail why = { .text = "" };
    snprintf(other, sizeof other, "%s", scratch_path(s, "tmp"));
    if (remux_make(&c, other, "samples/clips/crokinole_b.mp4", &why) < 0)
        fail_msg("%s", why.text);
    snprintf(other, sizeof other, "%s/tmp/%s", s->folder, FILM);
    char kept[300];
    snprintf(kept, sizeof kept, "%s", scratch_path(s, "kept"));
    assert_int_equal(rename(film, kept), 0);
    assert_int_equal(rename(other, film), 0);
    RUN(&r, 2, "review", "--resume", "--book", book, "--out", scratch_path(s, "tmp"), film);
    assert_non_null(strstr(r.err, "is not seen as it is kept of match 1"));
    assert_int_equal(rename(kept, film), 0);
    empty_folder(scratch_path(s, "tmp"));

    RUN(&r, 0, "review", "--resume", "--book", book, "--out", out, film);
    assert_non_null(strstr(r.err, "was cut short: it is played again"));
    assert_string_equal(r.out, whole_said);
    struct bytes log_again = bytes_of(out, "frames.ringside.jsonl"), calls_again = bytes_of(out, "frames.calls.json");
    assert_true(same(log, log_again) && same(calls, calls_again));
    RUN(&r, 0, "record", "check", "--book", book);
    RUN(&r, 0, "record", "list", "--book", book);
    assert_true(spawned_lines(r.out) == 1 && !strstr(r.out, "not ended"));
    RUN(&r, 0, "record", "export", "--format=log", "--book", book);
    assert_int_equal(strlen(r.out), log.size);
    assert_memory_equal(r.out, log.at, log.size);
    free(log.at);
    free(calls.at);
    free(log_again.at);
    free(calls_again.at);
    empty_folder(out);
}

static void nothing_is_left_of_a_bundle(void **state)
{
    const struct scratch *s = *state;
    for (size_t i = 0; i < countof(asking); i++) {
        pid_t child = begin(s,
                            (const char *[]){ "bundle", "--game=crokinole", "--out", scratch_path(s, "out/b.tar"),
                                              scratch_path(s, FILM), NULL },
                            -1);
        while (count_of(scratch_path(s, "tmp"), "") == 0) // before that nobody listens yet
            usleep(STEP_US);
        sleep_by_chance(1500000);
        int status = ask(child, asking[i]);
        assert_true(status == 0 || status == 128 + asking[i]);
        assert_int_equal(count_of(scratch_path(s, "tmp"), ""), 0);
        assert_int_equal(count_of(scratch_path(s, "out"), ""), status == 0);
        assert_true(status == 0 || strstr(said(s, "said.err"), "was not bundled, nothing is written"));
        empty_folder(scratch_path(s, "out"));
    }
}

// One was killed, another is at work: of that nothing is taken away.
static void what_a_killed_one_leaves_the_next_one_clears(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char out[300], film[300];
    snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
    snprintf(film, sizeof film, "%s", scratch_path(s, FILM));
    const char *const review[] = { "review", "--game=crokinole", "--no-book", "--video", "--out", out, film, NULL };
    pid_t killed = begin(s, review, -1);
    wait_for_words(s, "crokinole-nca");
    assert_int_equal(ask(killed, SIGKILL), 256 + SIGKILL);
    assert_int_equal(count_of(out, ".part"), 2);
    assert_int_equal(count_of(out, ""), 2);
    killed = begin(s, (const char *[]){ "bundle", "--game=crokinole", film, NULL }, -1);
    while (count_of(scratch_path(s, "tmp"), "ringside-bundle-") == 0)
        usleep(STEP_US);
    assert_int_equal(ask(killed, SIGKILL), 256 + SIGKILL);
    assert_int_equal(count_of(scratch_path(s, "tmp"), ""), 1);
    assert_int_equal(mkdir(scratch_path(s, "tmp/ringside-bundle-mine"), 0700), 0);

    pid_t living = begin(s, review, -1);
    wait_for_words(s, "crokinole-nca");
    assert_int_equal(kill(living, SIGSTOP), 0);
    empty_log(scratch_path(s, "none.jsonl"), "none");
    RUN(&r, 0, "bundle", "--quiet", "--out", scratch_path(s, "out/b.tar"), scratch_path(s, "none.jsonl"));
    assert_int_equal(count_of(out, ".part"), 2);
    assert_int_equal(count_of(out, ""), 3);
    assert_int_equal(count_of(scratch_path(s, "tmp"), ""), 1);
    assert_int_equal(kill(living, SIGTERM), 0);
    assert_int_equal(ask(living, SIGCONT), 128 + SIGTERM);
    assert_int_equal(count_of(out, ".part"), 0);
    empty_folder(out);
    empty_folder(scratch_path(s, "tmp"));
}

static void pictures_are_looked_at_one_by_one(void **state)
{
    const struct scratch *s = *state;
    char out[300];
    int looked = -1;
    snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
    pid_t child = begin(s,
                        (const char *[]){ "look", "--game=crokinole", "--out", out, "samples/pictures/crokinole_01.jpg",
                                          "samples/pictures/crokinole_02.jpg", "samples/pictures/crokinole_03.jpg",
                                          "samples/pictures/crokinole_04.jpg", NULL },
                        -1);
    for (int i = 0; count_of(out, ".ringside.png") == 0 && i < PATIENCE; i++)
        usleep(STEP_US);
    int status = ask(child, SIGINT);
    assert_int_equal(count_of(out, ".part"), 0);
    if (status != 0) {
        assert_int_equal(status, 128 + SIGINT);
        const char *told = strstr(said(s, "said.err"), "ended by SIGINT: ");
        assert_true(told && sscanf(told, "ended by SIGINT: %d of 4 pictures were looked at", &looked) == 1);
    }
    assert_int_equal(count_of(out, ".ringside.png"), status ? looked : 4);
    empty_folder(out);
}

// Nobody writes into it: one signal ends the wait, whatever is to be read there.
static void a_pipe_is_not_waited_for(void **state)
{
    const struct scratch *s = *state;
    char pipe[300];
    snprintf(pipe, sizeof pipe, "%s", scratch_path(s, "pipe"));
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const char *const rows[][6] = { { "look", "--game=crokinole", pipe },
                                    { "judge", pipe },
                                    { "review", "--game=crokinole", "--no-book", "--inputs", pipe,
                                      "samples/clips/crokinole_a.mp4" } };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *args[countof(rows[0]) + 1] = { NULL };
        memcpy(args, rows[i], sizeof rows[i]);
        pid_t child = begin(s, args, -1);
        assert_true(child_catches(child, SIGINT));
        int status = ask(child, SIGINT);
        if (status != 128 + SIGINT || !strstr(said(s, "said.err"), "ended by SIGINT"))
            fail_msg("%s: %d, %s", args[0], status, said(s, "said.err"));
    }
    static struct spawned r;
    RUN(&r, 2, "bundle", "--check", pipe);
    RUN(&r, 2, "bundle", "--game=crokinole", pipe);
    unlink(pipe);
}

// A board that is measured, a set-up that is checked.
static void nothing_is_written_of_a_calibration(void **state)
{
    const struct scratch *s = *state;
    static const char *const verbs[] = { "board", "check" };
    for (size_t i = 0; i < countof(verbs); i++) {
        pid_t child =
            begin(s, (const char *[]){ "calibrate", verbs[i], "--game=crokinole", scratch_path(s, FILM), NULL }, -1);
        sleep_by_chance(600000);
        int status = ask(child, SIGTERM);
        // Before it listens a signal has its usual effect.
        assert_true(status == 0 || status == 128 + SIGTERM || status == 256 + SIGTERM);
        assert_int_equal(count_of(s->folder, "frames."), status == 0 && i == 0 ? 3 : 1);
        unlink(scratch_path(s, "frames.board.json"));
        unlink(scratch_path(s, "frames.board.ringside.png"));
    }
}

// judge, reading a pipe that is open here: *to is its other end.
static pid_t begin_judge(const struct scratch *s, int *to)
{
    const char *pipe_path = scratch_path(s, "pipe");
    unlink(pipe_path);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    pid_t child = begin(s, (const char *[]){ "judge", pipe_path, NULL }, -1);
    *to = open(pipe_path, O_WRONLY);
    assert_true(*to >= 0);
    return child;
}

static void a_log_from_a_pipe_is_judged_as_far_as_it_came(void **state)
{
    const struct scratch *s = *state;
    int to = -1, status = 0;
    empty_log(scratch_path(s, "none.jsonl"), "none");
    struct bytes log = bytes_of(s->folder, "none.jsonl");
    pid_t child = begin_judge(s, &to);
    assert_int_equal(write(to, log.at, 1), 1);
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(write(to, log.at + 1, log.size - 1), log.size - 1);
    close(to);
    assert_int_equal(end_of(child), 128 + SIGTERM);
    assert_string_equal(said(s, "said.err"), "ringside: ended by SIGTERM\n");

    // It waits for a pipe that gives no more: the second signal ends it all the same.
    child = begin_judge(s, &to);
    assert_int_equal(write(to, log.at, 1), 1);
    for (int i = 0; i < PATIENCE && waitpid(child, &status, WNOHANG) == 0; i++) {
        kill(child, SIGINT);
        usleep(STEP_US);
    }
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    close(to);
    free(log.at);
}

// As nohup and a shell's & have it.
static void what_was_ignored_stays_ignored(void **state)
{
    const struct scratch *s = *state;
    int to = -1;
    empty_log(scratch_path(s, "none.jsonl"), "none");
    struct bytes log = bytes_of(s->folder, "none.jsonl");
    usual = SIG_IGN;
    pid_t child = begin_judge(s, &to);
    usual = SIG_DFL;
    for (size_t i = 0; i < countof(asking); i++)
        assert_int_equal(kill(child, asking[i]), 0);
    assert_int_equal(write(to, log.at, log.size), log.size);
    close(to);
    assert_int_equal(end_of(child), 0);
    free(log.at);
}

struct terminal {
    int master, slave;
    struct termios before;
};

static struct terminal open_terminal(void)
{
    struct terminal t = { .master = posix_openpt(O_RDWR | O_NOCTTY) };
    assert_true(t.master >= 0 && grantpt(t.master) == 0 && unlockpt(t.master) == 0);
    t.slave = open(ptsname(t.master), O_RDWR | O_NOCTTY);
    assert_true(t.slave >= 0 && fcntl(t.master, F_SETFD, FD_CLOEXEC) == 0);
    assert_int_equal(tcgetattr(t.slave, &t.before), 0);
    return t;
}

static bool is_as_before(const struct terminal *t)
{
    struct termios now;
    return tcgetattr(t->slave, &now) == 0 && now.c_lflag == t->before.c_lflag && now.c_iflag == t->before.c_iflag &&
           now.c_oflag == t->before.c_oflag && memcmp(now.c_cc, t->before.c_cc, sizeof now.c_cc) == 0;
}

static void close_terminal(struct terminal *t)
{
    close(t->slave);
    close(t->master);
}

// A camera that is a film; its decoder has threads of its own.
static void watch_leaves_the_terminal_as_it_was(void **state)
{
    const struct scratch *s = *state;
    static const struct {
        const char *what;
        char key; // typed; 0: `number` is sent
        int number, status;
        bool by_chance; // at any moment; else behind the first call
    } ways[] = { { "Ctrl-C", 3, 0, 0, false },
                 { "q", 'q', 0, 0, false },
                 { "TERM", 0, SIGTERM, 143, false },
                 { "HUP", 0, SIGHUP, 129, false },
                 { "INT at any time", 0, SIGINT, 0, true },
                 { "TERM at any time", 0, SIGTERM, 143, true } };
    char out[300];
    snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
    for (size_t i = 0; i < countof(ways); i++) {
        struct terminal t = open_terminal();
        pid_t child = begin(s,
                            (const char *[]){ "watch", "--game=crokinole", "--no-voice", "--no-book", "--out", out,
                                              "--camera", scratch_path(s, FILM), NULL },
                            t.slave);
        wait_for_words(s, ways[i].by_chance ? "watching" : "; log: ");
        assert_false(is_as_before(&t));
        if (ways[i].by_chance)
            sleep_by_chance(2000000);
        if (ways[i].key)
            assert_int_equal(write(t.master, &ways[i].key, 1), 1);
        else
            kill(child, ways[i].number);
        int status = end_of(child);
        bool without_board = status == 1 && ways[i].by_chance && ways[i].number == SIGINT;
        if (status != ways[i].status && !without_board)
            fail_msg("%s: exit %d: %s", ways[i].what, status, said(s, "said.err"));
        assert_true(is_as_before(&t));
        assert_true(ways[i].key == 'q' || without_board || strstr(said(s, "said.err"), "ended by SIG"));
        assert_true(count_of(out, ".ringside.jsonl") == 1 || ways[i].by_chance);
        empty_folder(out);
        close_terminal(&t);
    }
}

// The program with a standard output from which nobody reads any more; its words go to said.err. Its exit status.
static int end_unread(const struct scratch *s, const char *command)
{
    char line[800];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    const char *program = getenv("RINGSIDE");
    snprintf(line, sizeof line, "%s %s 2>%s >&%d", program ? program : "./ringside", command,
             scratch_path(s, "said.err"), ends[1]);
    int status = system(line);
    close(ends[1]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

// As `head` does when it has enough. That is no failure, and what was seen until then goes on.
static void whoever_reads_may_go(void **state)
{
    const struct scratch *s = *state;
    static struct spawned r;
    char command[600], book[300], out[300], film[300];
    snprintf(book, sizeof book, "%s", scratch_path(s, "unread.db"));
    snprintf(out, sizeof out, "%s", scratch_path(s, "out"));
    snprintf(film, sizeof film, "%s", scratch_path(s, FILM));
    RUN(&r, 0, "review", "--game=crokinole", "--json", "--no-book", "--out", out, film);
    assert_true(spawned_lines(r.out) > 1);
    struct bytes whole = bytes_of(out, "frames.ringside.jsonl");
    empty_folder(out);
    snprintf(command, sizeof command, "review --quiet --game=crokinole --json --book %.100s --out %.100s %.100s", book,
             out, film);
    assert_int_equal(end_unread(s, command), 128 + SIGPIPE);
    assert_string_equal(said(s, "said.err"), "");
    struct bytes part = bytes_of(out, "frames.ringside.jsonl");
    assert_true(part.size > 0 && part.size < whole.size && memcmp(part.at, whole.at, part.size) == 0);
    RUN(&r, 0, "record", "check", "--book", book);
    RUN(&r, 0, "review", "--resume", "--json", "--book", book, "--out", out, film);
    struct bytes again = bytes_of(out, "frames.ringside.jsonl");
    assert_true(same(whole, again));
    free(whole.at);
    free(part.at);
    free(again.at);
    empty_folder(out);
    snprintf(command, sizeof command,
             "watch --game=crokinole --no-voice --no-web --no-book --out %.100s --camera %.100s", out, film);
    assert_int_equal(end_unread(s, command), 128 + SIGPIPE);
    const char *words = said(s, "said.err"); // a watch is summed up however it ended
    if (!strstr(words, "ended by the reader of standard output, who has gone, after 00:0") || strstr(words, "fail"))
        fail_msg("%s", words);
    empty_folder(out);
    assert_int_equal(end_unread(s, "games"), 128 + SIGPIPE); // what is only written in the end
    assert_string_equal(said(s, "said.err"), "");
    assert_int_equal(end_unread(s, "rules chess"), 2); // what failed before is told
    assert_non_null(strstr(said(s, "said.err"), "unknown game chess"));
}

// While nobody looks whether there was a first one: it waits for footage that does not come.
static void a_second_signal_ends_at_once_and_gives_the_terminal_back(void **state)
{
    const struct scratch *s = *state;
    struct terminal t = open_terminal();
    int status = 0, unread = 1;
    char pipe[300];
    snprintf(pipe, sizeof pipe, "%s", scratch_path(s, "pipe"));
    unlink(pipe);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    int to = open(pipe, O_RDWR); // a byte, and no more, comes from it
    assert_int_equal(write(to, "\xff", 1), 1);
    pid_t child = begin(s, (const char *[]){ "calibrate", "lens", pipe, pipe, NULL }, t.slave);
    // Before it has read that byte it would see by itself that it is to end.
    for (int i = 0; i < PATIENCE && (is_as_before(&t) || unread > 0); i++) {
        usleep(STEP_US);
        assert_int_equal(ioctl(to, FIONREAD, &unread), 0);
    }
    assert_false(is_as_before(&t));
    for (int i = 0; i < PATIENCE && waitpid(child, &status, WNOHANG) == 0; i++) {
        kill(child, SIGTERM);
        usleep(STEP_US);
    }
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_true(is_as_before(&t));
    close_terminal(&t);
    close(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_review_goes_on_as_if_it_had_never_been_ended),
        cmocka_unit_test(nothing_is_left_of_a_bundle),
        cmocka_unit_test(what_a_killed_one_leaves_the_next_one_clears),
        cmocka_unit_test(pictures_are_looked_at_one_by_one),
        cmocka_unit_test(a_pipe_is_not_waited_for),
        cmocka_unit_test(nothing_is_written_of_a_calibration),
        cmocka_unit_test(a_log_from_a_pipe_is_judged_as_far_as_it_came),
        cmocka_unit_test(what_was_ignored_stays_ignored),
        cmocka_unit_test(watch_leaves_the_terminal_as_it_was),
        cmocka_unit_test(whoever_reads_may_go),
        cmocka_unit_test(a_second_signal_ends_at_once_and_gives_the_terminal_back),
    };
    return cmocka_run_group_tests(tests, put_film, scratch_remove);
}
