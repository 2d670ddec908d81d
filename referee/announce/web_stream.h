// SPDX-License-Identifier: MIT
// web_stream.h: answers that never end: what changes in the match, as server-sent events, and the camera's picture, as
// a multipart of JPEGs.
//
// Each viewer keeps his place and nothing else: one that is slow skips to what holds now.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_WEB_STREAM_H
#define RINGSIDE_REFEREE_ANNOUNCE_WEB_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "referee/announce/live.h"
#include "vision/encoded.h"

struct web_streams;

// `live` is borrowed. The caller ends with the two below. RS_ENOMEM.
int web_streams_create(struct web_streams **out, struct live *live, struct fail *why);

// Ends them all: to be called before the server stops, and the other one after it.
void web_streams_end(struct web_streams *s);
void web_streams_free(struct web_streams *s);

// A new viewer's answer, of the camera or of the match, which frees itself with him; NULL when there is no memory.
// `after`: the last message that he had, -1: none; of the camera's pictures 0.
struct MHD_Response *web_stream_begin(struct web_streams *s, struct MHD_Connection *c, bool camera, int64_t after);

// There is something new; a sign of life for those who had nothing for a while.
void web_streams_wake(struct web_streams *s);
void web_streams_beat(struct web_streams *s);

// The next picture for those who look at the camera, held. Whether anybody does.
void web_streams_picture(struct web_streams *s, struct encoded *jpeg);
bool web_streams_looked_at(struct web_streams *s);

void web_streams_count(struct web_streams *s, long *viewers, long *most, long *behind);

#endif
