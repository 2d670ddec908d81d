// SPDX-License-Identifier: MIT
#include "referee/commands/keys.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
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
