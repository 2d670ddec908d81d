// SPDX-License-Identifier: MIT
// seat.h: a program at a terminal of its own, as somebody sits at it. Define _GNU_SOURCE (posix_openpt) before anything
// is included.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_SEAT_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_SEAT_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "tests/cmocka.h"
#include "tests/child.h"
#include "tests/referee/commands/spawned.h"

enum { COLUMNS = 60 };

static const double PATIENCE_S = 120; // however busy the machine is

// All that it wrote there.
struct terminal_seat {
    pid_t child;
    int master;
    char text[4 * SPAWNED_TEXT_MAX];
    size_t used, read; // what was waited for ended there
};

static inline void resize(const struct terminal_seat *t, unsigned short columns)
{
    struct winsize size = { .ws_row = 24, .ws_col = columns };
    assert_int_equal(ioctl(t->master, TIOCSWINSZ, &size), 0);
}

// `run` is the child's whole life, given `with`.
static inline void sit_down(struct terminal_seat *t, int (*run)(const void *with), const void *with)
{
    *t = (struct terminal_seat){ .master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) };
    assert_true(t->master >= 0 && grantpt(t->master) == 0 && unlockpt(t->master) == 0);
    int slave = open(ptsname(t->master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    resize(t, COLUMNS);
    fflush(NULL);
    t->child = fork();
    assert_true(t->child >= 0);
    if (t->child == 0) {
        setsid();
        ioctl(slave, TIOCSCTTY, 0);
        for (int fd = 0; fd <= 2; fd++)
            dup2(slave, fd);
        close(slave);
        setenv("TERM", "xterm", 1);
        signal(SIGINT, SIG_DFL);
        child_end(run(with));
    }
    close(slave);
}

// $RINGSIDE with these arguments, up to NULL.
static inline int program(const void *with)
{
    const char *const *args = with;
    const char *name = getenv("RINGSIDE");
    char *argv[SPAWNED_ARGS_MAX] = { strdup(name ? name : "./ringside") };
    for (int n = 1; args[n - 1] && n < SPAWNED_ARGS_MAX - 1; n++)
        argv[n] = strdup(args[n - 1]);
    execv(argv[0], argv);
    return 127;
}

// More of what it writes; false when it is gone.
static inline bool read_on(struct terminal_seat *t)
{
    struct pollfd said = { .fd = t->master, .events = POLLIN };
    if (poll(&said, 1, 100) <= 0)
        return true;
    assert_true(t->used < sizeof t->text - 1);
    ssize_t n = read(t->master, t->text + t->used, sizeof t->text - 1 - t->used);
    t->used += n > 0 ? (size_t)n : 0;
    t->text[t->used] = '\0';
    return n > 0;
}

// Behind what was waited for last.
static inline void wait_for(struct terminal_seat *t, const char *words)
{
    const double until_s = clock_s() + PATIENCE_S;
    const char *found;
    while (!(found = strstr(t->text + t->read, words)))
        if (!read_on(t) || clock_s() > until_s)
            fail_msg("it never said \"%s\" but %s", words, t->text + t->read);
    t->read = (size_t)(found - t->text) + strlen(words);
}

static inline int leave(struct terminal_seat *t)
{
    int status = 0;
    const double until_s = clock_s() + PATIENCE_S;
    while (read_on(t))
        if (clock_s() > until_s)
            fail_msg("it does not end: %s", t->text + t->read);
    assert_int_equal(waitpid(t->child, &status, 0), t->child);
    close(t->master);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static inline void type(const struct terminal_seat *t, const char *keys)
{
    assert_int_equal(write(t->master, keys, strlen(keys)), strlen(keys));
}

static inline int times_said(const char *text, const char *words)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        n++;
    return n;
}

#endif
