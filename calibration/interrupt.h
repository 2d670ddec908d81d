// SPDX-License-Identifier: MIT
// interrupt.h: INT, TERM and HUP: the first one asks the program to end in order, the second one ends it at once.
//
// The first is only noted. Whoever works for long asks interrupt_check between two steps and gives RS_EENDED up as it
// gives up for want of memory, so that whatever was begun is finished or taken back on the way out. A call that waits
// for somebody (a pipe, a terminal) is not broken off by it, but for the wait for a pipe's first bytes (whole_file.h).
// The second has its usual effect, but for the terminal, which is put back first. A signal that was ignored when the
// program began (nohup, a shell's &) stays ignored.
//
// The note is the one thing that is global: nothing else can be reached from where a signal arrives.
#ifndef RINGSIDE_CALIBRATION_INTERRUPT_H
#define RINGSIDE_CALIBRATION_INTERRUPT_H

#include <termios.h>

#include "calibration/fail.h"

// Before any thread is started, of ours or of a library: which of them a signal reaches makes no difference then.
void interrupt_listen(void);

// The signal that asked for an end; 0: none did.
int interrupt_signal(void);

// "SIGINT", for people.
const char *interrupt_name(void);

// 0, or RS_EENDED: "ended by SIGINT".
int interrupt_check(struct fail *why);

// How the terminal of standard input is to be left at a second signal; NULL: as it is. Copied.
void interrupt_keep_terminal(const struct termios *before);

#endif
