// SPDX-License-Identifier: MIT
// fail.h: why something failed, in words for the person who can mend it.
//
// A function that can fail returns 0 or a negative RS_E... and writes one line into the caller's `struct fail`.
// "No board here" or "no more frames" are results, not failures.
//
// No memory is a failure like others: nobody aborts, nobody goes on with less. What was begun is given back and
// RS_ENOMEM goes up to the caller, who must not take it for a result ("this candidate does not fit").
#ifndef RINGSIDE_CALIBRATION_FAIL_H
#define RINGSIDE_CALIBRATION_FAIL_H

enum {
    RS_EINPUT = -1,    // the caller's or user's data is wrong: file contents, numbers out of range
    RS_EIO = -2,       // the system refused: file missing, disk full, device gone
    RS_ELIB = -3,      // a library failed; its own words are in the text
    RS_EINTERNAL = -4, // a promise of our own code is broken
    RS_ENOMEM = -5,    // the machine has no memory left: "no memory for ..."
    RS_EENDED = -6,    // a signal asked the program to end (interrupt.h); goes up like no memory does
};

struct fail {
    int code;       // 0 or RS_E...
    char text[512]; // one line, no newline at its end, says what to do where there is something to do
};

// Writes code and the formatted text, made plain (foreign.h), into *why (NULL is allowed), gives back code.
int rs_fail(struct fail *why, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
