// SPDX-License-Identifier: MIT
#include "calibration/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "calibration/units.h"

static const struct {
    int number;
    const char *name;
} ends[] = { { SIGINT, "SIGINT" }, { SIGTERM, "SIGTERM" }, { SIGHUP, "SIGHUP" } };

static volatile sig_atomic_t asked;
static volatile sig_atomic_t terminal_is_kept; // set behind, and taken away before, what it speaks of
static struct termios terminal;

// Nothing is called here that is not safe anywhere (POSIX 2.4.3).
static void arrive(int number)
{
    if (!asked) {
        asked = number;
        return;
    }
    if (terminal_is_kept)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
    signal(number, SIG_DFL);
    raise(number); // it is held back until this function is left
}

void interrupt_listen(void)
{
    struct sigaction as_it_was, action = { .sa_handler = arrive, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < countof(ends); i++)
        sigaddset(&action.sa_mask, ends[i].number);
    for (size_t i = 0; i < countof(ends); i++)
        if (sigaction(ends[i].number, NULL, &as_it_was) == 0 && as_it_was.sa_handler != SIG_IGN)
            sigaction(ends[i].number, &action, NULL);
}

int interrupt_signal(void)
{
    return asked;
}

const char *interrupt_name(void)
{
    for (size_t i = 0; i < countof(ends); i++)
        if (ends[i].number == asked)
            return ends[i].name;
    return "no signal";
}

int interrupt_check(struct fail *why)
{
    return asked ? rs_fail(why, RS_EENDED, "ended by %s", interrupt_name()) : 0;
}

void interrupt_keep_terminal(const struct termios *before)
{
    terminal_is_kept = false;
    if (!before)
        return;
    terminal = *before;
    terminal_is_kept = true;
}
