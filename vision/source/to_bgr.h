// SPDX-License-Identifier: MIT
// to_bgr.h: FFmpeg's decoded pictures, in whatever layout, into our frames, scaled where their sizes differ.
#ifndef RINGSIDE_VISION_SOURCE_TO_BGR_H
#define RINGSIDE_VISION_SOURCE_TO_BGR_H

#include "vision/frame.h"

struct to_bgr;
struct AVFrame;

// Keeps what it prepared for one layout until another one comes. The caller frees *out with to_bgr_free, which takes
// NULL. RS_ENOMEM.
int to_bgr_create(struct to_bgr **out, struct fail *why);
void to_bgr_free(struct to_bgr *t);

// Fills the pixels of `out`. Range and matrix of the colours are taken from the picture. RS_ELIB; RS_ENOMEM.
int to_bgr_convert(struct frame *out, struct to_bgr *t, const struct AVFrame *in, struct fail *why);

#endif
