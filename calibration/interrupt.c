// SPDX-License-Identifier: MIT
#include "calibration/interrupt.h"

#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "calibration/units.h"

static const struct {
    int number;
    const char *name;
} ends[] = { { SIGINT, "SIGINT" }, { SIGTERM, "SIGTERM" }, { SIGHUP, "SIGHUP" } };

// A signal arrives in one thread and is asked about in others: sig_atomic_t is made for one thread alone. What needs no
// lock may be touched where a signal arrives (C11 7.14.1.1, 5).
static atomic_int asked;
static atomic_bool terminal_is_kept; // set behind, and taken away before, what it speaks of
static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_BOOL_LOCK_FREE == 2, "a signal finds no lock");
static struct termios terminal;

// Nothing is called here that is not safe anywhere (POSIX 2.4.3).
static void arrive(int number)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&asked, &none, number))
        return;
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
    int number = asked;
    for (size_t i = 0; i < countof(ends); i++)
        if (ends[i].number == number)
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
