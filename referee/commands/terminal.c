// SPDX-License-Identifier: MIT
#include "referee/commands/terminal.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "calibration/interrupt.h"

void keys_open(struct keys *k)
{
    *k = (struct keys){ .raw = false };
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &k->before) != 0)
        return;
    struct termios single = k->before;
    single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    interrupt_keep_terminal(&k->before);
    k->raw = tcsetattr(STDIN_FILENO, TCSANOW, &single) == 0;
}

int keys_next(struct keys *k)
{
    struct pollfd typed = { .fd = k->raw ? STDIN_FILENO : -1, .events = POLLIN };
    unsigned char key;
    if (interrupt_signal())
        return KEY_END;
    if (poll(&typed, 1, 0) <= 0)
        return KEY_NONE;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : KEY_NONE; // the terminal may be gone
}

void keys_finish(struct keys *k)
{
    if (k->raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &k->before);
    interrupt_keep_terminal(NULL);
    k->raw = false;
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
