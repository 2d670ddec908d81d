// SPDX-License-Identifier: MIT
// typeface.h: letters of a real font (FreeType), as coverage of pixels.
//
// The font is the file that RINGSIDE_FONT names in the environment, else DejaVu Sans Bold where a system has it:
// fonts-dejavu-core on Debian. Letters are not hinted, so that one is as wide in every size, and start at fractions of
// a pixel. UTF-8 is read; what it is not, and what the font lacks, shows as the font's own sign for that. Scripts that
// have to be shaped (Arabic, Devanagari) come out letter by letter. Opening reads the file whole, so that it may be
// overwritten meanwhile: whoever writes much keeps it open, in one thread at a time.
#ifndef RINGSIDE_VISION_TYPEFACE_H
#define RINGSIDE_VISION_TYPEFACE_H

#include <stdint.h>

#include "calibration/fail.h"

struct typeface;

// The caller ends with typeface_close, which takes NULL. RS_EINPUT when there is no font that can be read, with where
// it was looked for; RS_ENOMEM.
int typeface_open(struct typeface **out, struct fail *why);
void typeface_close(struct typeface *t);

// The calling thread's own, opened with its first use and again after memory was refused it or RINGSIDE_FONT has
// changed; it is closed when the thread ends, and not by the caller; what was given before is good until the next call.
// As typeface_open.
int typeface_of_thread(struct typeface **out, struct fail *why);

// How wide the text is, in pixels, with capitals letters_px high. RS_EINPUT: the font has no such size; RS_ENOMEM.
int typeface_width(double *width_px, struct typeface *t, double letters_px, const char *text, struct fail *why);

// Adds the text to a picture of w * h coverages, 0..255, its base line starting at (x, y) of it; what leaves it is cut.
// As typeface_width.
struct coverage {
    uint8_t *pixel; // w * h
    int w, h;
    double x, y;
};
int typeface_write(struct coverage *to, struct typeface *t, double letters_px, const char *text, struct fail *why);

#endif
