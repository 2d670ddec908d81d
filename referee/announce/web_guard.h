// SPDX-License-Identifier: MIT
// web_guard.h: what a request has to be before it is taken: made to this machine by its own name, from one of its own
// pages, and where it changes or tells what is not everybody's, with the secret.
//
// Of the server's thread alone.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WEB_GUARD_H
#define RINGSIDE_REFEREE_ANNOUNCE_WEB_GUARD_H

#include <stdbool.h>

#include "calibration/fail.h"

enum { WEB_SECRET_LETTERS = 32 };

struct MHD_Connection;

struct web_guard {
    char secret[WEB_SECRET_LETTERS + 1];
    double wrong_until_s; // each wrong secret moves it on
};

// RS_ELIB when there is no chance to make a secret of.
int web_guard_init(struct web_guard *g, struct fail *why);

// A page of another site could ask in its reader's name, under a name of its own that leads here: a request is only
// taken that is made to an address, to localhost, or to this machine's own name.
bool web_guard_is_for_us(struct MHD_Connection *c);

// What changes something is asked from one of our own pages, or by no page at all.
bool web_guard_is_from_us(struct MHD_Connection *c);

// 0, or the status that refuses a request without the secret. Who guesses waits; who has it is not kept out by that.
unsigned web_guard_check(struct web_guard *g, struct MHD_Connection *c);

#endif
