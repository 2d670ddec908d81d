// SPDX-License-Identifier: MIT
// web_close.h: what pages ask of one close call (replay.h): /close/SHOT-PIECE.jpg is it enlarged, and
// /api/close/SHOT-PIECE/NUMBER a picture of its shot, which is the judge's alone.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WEB_CLOSE_H
#define RINGSIDE_REFEREE_ANNOUNCE_WEB_CLOSE_H

#include <stdbool.h>

#include <microhttpd.h>

#include "referee/announce/replay.h"

struct close_request {
    int shot, piece;
    int number; // of a picture of its shot; -1: the call enlarged
};

// Whether it is one of these.
bool web_close_asked(struct close_request *out, const char *url);

// The answer, NULL when there is none. `replay` NULL: nothing is kept.
struct MHD_Response *web_close_answer(struct replay *replay, const struct close_request *q);

#endif
