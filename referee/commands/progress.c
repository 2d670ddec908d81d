// SPDX-License-Identifier: MIT
#include "referee/commands/progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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

static void print_bar(double part, double left_s)
{
    char bar[BAR_LETTERS + 1];
    for (int i = 0; i < BAR_LETTERS; i++)
        bar[i] = i < part * BAR_LETTERS ? '#' : '.';
    bar[BAR_LETTERS] = '\0';
    long left = lround(fmin(fmax(left_s, 0), 359999));
    fprintf(stderr, "\r[%s] %3.0f %%  %02ld:%02ld left\033[K", bar, 100 * part, left / 60, left % 60);
}

void progress_tell(struct progress *p, double done_s)
{
    double now_s = clock_s();
    if (!p->shown || now_s - p->told_s < TELL_EVERY_S)
        return;
    p->told_s = now_s;
    if (p->whole_s > 0 && done_s > 0) {
        double part = fmin(done_s / p->whole_s, 1);
        print_bar(part, (now_s - p->begun_s) * (1 - part) / part);
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
