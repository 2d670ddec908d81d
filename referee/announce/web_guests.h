// SPDX-License-Identifier: MIT
// web_guests.h: how many are connected, and from where, so that no address takes all places.
//
// Whoever sits at this machine itself may have as many as there are: its own browsers, and programs that pass on what
// others ask. Of the server's thread alone.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WEB_GUESTS_H
#define RINGSIDE_REFEREE_ANNOUNCE_WEB_GUESTS_H

#include <stdbool.h>

#include <netinet/in.h>

enum { WEB_PLACES_MAX = 1000 }; // a hall of viewers, with some to spare

struct web_guests {
    int places, places_each; // at once: for all, at most WEB_PLACES_MAX, and for one address
    int count;
    int addresses;
    struct web_guest {
        struct in6_addr address;
        int count;
    } from[WEB_PLACES_MAX];
};

// Whether there is a place for one more from there.
bool web_guests_have_room(const struct web_guests *g, const struct sockaddr *from);

// One came for whom there was room; one who came goes.
void web_guests_come(struct web_guests *g, const struct sockaddr *from);
void web_guests_go(struct web_guests *g, const struct sockaddr *from);

#endif
