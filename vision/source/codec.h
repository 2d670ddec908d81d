// SPDX-License-Identifier: MIT
// codec.h: FFmpeg's decoders as recordings and streams open them, and the errors that are only in FFmpeg's log.
//
// That a picture which others need never came, or that a block could not be decoded and was made up, leaves no other
// trace.
//
// Threads: an error may come from any thread of a decoder.
#ifndef RINGSIDE_VISION_SOURCE_CODEC_H
#define RINGSIDE_VISION_SOURCE_CODEC_H

#include <stdatomic.h>
#include <stdbool.h>

#include <libavcodec/avcodec.h>

#include "calibration/fail.h"

// Of demuxers and decoders; each context that is listened to has it as its `opaque`.
struct codec_errors {
    atomic_bool any;
};

// From now on, for the whole program: nothing that FFmpeg says is printed, and errors are noted.
void codec_errors_listen(void);

// Whether there were any since this was last asked.
bool codec_errors_taken(struct codec_errors *errors);

struct codec_wish {
    const AVCodecParameters *of;
    AVRational time_base;        // of the packets
    int threads;                 // 0: as many as there are processors
    struct codec_errors *errors; // borrowed as long as the decoder is open
    const char *name;            // of the recording or stream, for failures
};

// A decoder whose threads share the slices of one picture: whole pictures in threads come late by as many, and an
// error would not be known to belong to the packet sent last. The caller ends with avcodec_free_context, also after a
// failure. RS_EINPUT: there is none for it here; RS_ELIB; RS_ENOMEM.
int codec_open(AVCodecContext **out, const struct codec_wish *wish, struct fail *why);

// The next packet; NULL: it was the last, and what the decoder holds is given out. 0; 1: not taken; RS_ENOMEM.
int codec_send(AVCodecContext *c, const AVPacket *packet, const char *name, struct fail *why);

// The next picture: 0 or one of FFmpeg's codes.
int codec_receive(AVFrame *out, AVCodecContext *c);

#endif
