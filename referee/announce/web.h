// SPDX-License-Identifier: MIT
// web.h: the match on pages: a board and a scoreboard for all who may look, and a judge's page for who has the secret.
//
// A server of its own thread (libmicrohttpd). It reads `live` and never holds up who tells: a viewer who reads slowly
// is given the whole instead of what changed, one who does not read at all is dropped. What a judge says waits here
// until web_said takes it.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WEB_H
#define RINGSIDE_REFEREE_ANNOUNCE_WEB_H

#include <stdbool.h>

#include "calibration/observation.h"
#include "referee/announce/live.h"
#include "referee/announce/replay.h"
#include "referee/announce/web_guard.h"
#include "vision/frame.h"

struct web;

enum { WEB_ADDRESS_MAX = 96, WEB_SET_UP_MAX = 4097 };

struct web_wish {
    const char *address;   // "127.0.0.1" and the like; NULL: this machine alone
    int port;              // 0: any that is free
    const char *css;       // that is laid over the overlay's own; copied; NULL: none
    struct replay *replay; // close calls to be looked at again; borrowed until web_stop. NULL: none
    // The matches that are kept, as JSON that is freed with free(), for /api/matches; NULL: none are kept. Called in
    // the server's thread, until web_stop.
    char *(*matches)(void *self);
    void *matches_self;
    int silent_s;    // whoever takes or sends nothing for so long is dropped; 0: 30
    int places_each; // connections at once from one other machine; 0: 100
};

struct web_counts {
    long viewers, most_viewers; // now, and at most at once
    long behind;                // times that somebody read so slowly that he was given the whole
    long dropped;               // viewers that took nothing any more
    long refused;               // wrong secrets, and requests that came from elsewhere
    long turned_away;           // connections for which there was no place
    int places;                 // connections at once: fewer where the system allows too few open files
};

// `live` is borrowed until web_stop. The caller ends with web_stop, which takes NULL. RS_EINPUT for an address that is
// none; RS_EIO when it cannot be listened at; RS_ELIB, RS_ENOMEM. The process may have as many files open afterwards as
// that takes, or as the system allows.
int web_start(struct web **out, struct live *live, const struct web_wish *wish, struct fail *why);
void web_stop(struct web *w);

// "http://127.0.0.1:8080": where viewers look; where all who reach this machine may, by the address that it has in its
// network. The judge's page is that with "/judge#" and the secret behind it, the set-up's with "/setup#".
void web_address(const struct web *w, char out[WEB_ADDRESS_MAX]);
const char *web_secret(const struct web *w); // WEB_SECRET_LETTERS letters

// What a judge said and nobody took yet. True and *out; it has to be answered by web_answer or web_give before the next
// is asked for: done (`why` NULL) or refused with words.
bool web_said(struct web *w, struct observation *out);
void web_answer(struct web *w, const struct fail *why);

// The same for whoever is at the set-up: true and *out when it is his turn: empty who asks how it is, to be answered by
// web_give; otherwise the text of what he wants, which nobody has looked at yet.
bool web_set_up(char out[WEB_SET_UP_MAX], struct web *w);

// Answers with JSON, which is taken over; NULL: there was no memory for it.
void web_give(struct web *w, char *json);

// The picture that is looked at now, for those who want to see it; while nobody does, now and then for who comes next.
// RS_ENOMEM, RS_ELIB.
int web_show(struct web *w, const struct frame *f, struct fail *why);

// To be called now and then: viewers that are gone are noticed so.
void web_tick(struct web *w);

void web_count(struct web *w, struct web_counts *out);

#endif
