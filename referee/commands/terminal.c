// SPDX-License-Identifier: MIT
#include "referee/commands/terminal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

int keys_open(struct keys *k, struct fail *why)
{
    sigset_t ends;
    *k = (struct keys){ .signals = -1 };
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    k->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    if (k->signals < 0)
        return rs_fail(why, RS_EIO, "cannot listen for Ctrl-C: %s", strerror(errno));
    if (isatty(0) && tcgetattr(0, &k->before) == 0) {
        struct termios single = k->before;
        single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        k->raw = tcsetattr(0, TCSANOW, &single) == 0;
    }
    return 0;
}

int keys_next(struct keys *k)
{
    struct pollfd both[2] = { { .fd = k->signals, .events = POLLIN }, { .fd = k->raw ? 0 : -1, .events = POLLIN } };
    unsigned char key;
    if (poll(both, 2, 0) <= 0)
        return KEY_NONE;
    if (both[0].revents)
        return KEY_END;
    if (read(0, &key, 1) == 1)
        return key;
    k->raw = false; // the terminal is gone
    return KEY_NONE;
}

void keys_finish(struct keys *k)
{
    if (k->raw)
        tcsetattr(0, TCSANOW, &k->before);
    if (k->signals >= 0)
        close(k->signals);
    *k = (struct keys){ .signals = -1 };
}

enum { BAR_LETTERS = 30 };

// Seconds between two looks of the line: often enough to live, too seldom to cost.
static const double TELL_EVERY_S = 0.2;

static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct progress progress_begin(double whole_s, bool wanted)
{
    return (struct progress){ .shown = wanted && isatty(2), .whole_s = whole_s, .begun_s = clock_s() };
}

void progress_tell(struct progress *p, double done_s)
{
    if (!p->shown || clock_s() - p->told_s < TELL_EVERY_S)
        return;
    p->told_s = clock_s();
    if (p->whole_s > 0 && done_s > 0) {
        double part = fmin(done_s / p->whole_s, 1), left_s = (p->told_s - p->begun_s) * (1 - part) / part;
        char bar[BAR_LETTERS + 1] = "";
        for (int i = 0; i < BAR_LETTERS; i++)
            bar[i] = i < part * BAR_LETTERS ? '#' : '.';
        long left = lround(fmin(fmax(left_s, 0), 359999));
        fprintf(stderr, "\r[%s] %3.0f %%  %02ld:%02ld left\033[K", bar, 100 * part, left / 60, left % 60);
    } else {
        fprintf(stderr, "\r%.1f s of footage\033[K", done_s);
    }
    fflush(stderr);
}

void progress_clear(struct progress *p)
{
    if (!p->shown || p->told_s <= 0)
        return;
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
    p->told_s = 0;
}
