// SPDX-License-Identifier: MIT
// notes.h: what was tried while a frame was looked at, for people who want to see why: a sheet that a frame may carry.
//
// Whoever asks owns the sheet and lays it under each frame (frame->notes); finders write what they tried and how that
// went. Nothing decides by it, and without a sheet nothing is written. New notes of a kind replace the older.
#ifndef RINGSIDE_VISION_NOTES_H
#define RINGSIDE_VISION_NOTES_H

#include "calibration/pose_fit.h"
#include "calibration/units.h"
#include "vision/frame.h"

enum { NOTES_FITS_MAX = 512, NOTES_LINES_MAX = 1024 };

// A piece that was fitted.
struct fit_note {
    struct pt_in began, at; // from where, and to where the fit went
    double radius_in;
    double explained;  // 0..1: how much of the picture there it explains
    const char *lacks; // what it lacks to be a piece, static; NULL: nothing
};

// Where a painted line was seen.
struct line_note {
    struct pt_px at;
    double off_px; // outwards of where the fitted board has it
};

struct notes {
    double fits_s; // time of the frame
    int fits, lines;
    int fits_unlisted, lines_unlisted;   // for which there was no room
    struct fit_note fit[NOTES_FITS_MAX]; // in order of trying
    struct line_note line[NOTES_LINES_MAX];
};

// An empty sheet.
void notes_clear(struct notes *n);

void notes_fit(const struct frame *f, const struct fit_note *note);

// The points that a pose was fitted to.
void notes_lines(const struct frame *f, const struct pose_fit *fit, const struct fit_point *point, int points);

#endif
