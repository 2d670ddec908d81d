// SPDX-License-Identifier: MIT
// stream_link.h: the connection to a camera in a network: made, watched and made again in its own thread; for stream.c.
//
// Nothing waits for ever: each step has a time within which it must come on, a signal or a close ends it, and what a
// picture may take is limited. What comes too fast for whoever decodes is dropped and counted, the oldest first; of a
// kind of picture that needs others all up to the next one that needs none. Only networks are spoken to, in the few
// ways that cameras speak.
#ifndef RINGSIDE_VISION_SOURCE_STREAM_LINK_H
#define RINGSIDE_VISION_SOURCE_STREAM_LINK_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>

#include "calibration/fail.h"

struct stream_link;

struct link_packet {
    AVPacket *packet;         // owned by whoever took it
    AVCodecParameters *begun; // of the first packet of a connection: what it sends; owned too. NULL: it goes on
    AVRational time_base;
    bool timed;       // its time stamps are the camera's; otherwise nobody's
    double arrived_s; // CLOCK_BOOTTIME: while the computer sleeps time passes that nobody sees
    long dropped;     // packets between the one before and this one
};

// Starts the thread, which keeps its own copy of the address. RS_ELIB; RS_ENOMEM.
int stream_link_open(struct stream_link **out, const char *address, struct fail *why);

// Waits up to wait_s for the next packet: true and *out. False: none came, and whether the connection is broken; why
// in *words, which do not hold the address.
bool stream_link_take(struct link_packet *out, struct stream_link *l, double wait_s, bool *broken, struct fail *words);
void link_packet_finish(struct link_packet *p);

// The thread may still hang in the system (looking up a name): then it ends when it comes back. NULL is allowed.
void stream_link_close(struct stream_link *l);

#endif
