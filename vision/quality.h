// SPDX-License-Identifier: MIT
// quality.h: how far a set-up can be trusted: how sure line calls are around the board, in inches, and what would help.
//
// A call is contested when the piece lies within its own diameter of where the decision falls: then people look
// twice. It is close when that distance is under FIRM_SIGMAS sigma (calibration/observation.h). With pieces lying
// anywhere in that band, the share of contested calls that are close is 3 sigma over the diameter, averaged around
// the lines; the grade is that share:
//
//   A  at most 1 in 20       a disc of 1 1/4 in: sigma up to 0.021 in
//   B  at most 1 in 5        0.083 in; a marble of 5/8 in: 0.042 in
//   C  at most 1 in 3        0.139 in; 0.069 in
//   D  at most 1 in 2        0.208 in; 0.104 in
//
// Blur, compression, distance and what is hidden count by what they do to sigma. Where pieces are missed now and then
// it is D at best: they are hardly wide enough to be detected (a disc under 10 px, a marble under 6), hardly wider than
// the blur, hide one another, it is too dark, compression left no grain, or there is no colour by which sides differ.
// Beyond one in two most contested calls would be close, and there is no use in calling: QUALITY_MOST_CLOSE.
#ifndef RINGSIDE_VISION_QUALITY_H
#define RINGSIDE_VISION_QUALITY_H

#include <stdbool.h>

#include "vision/detection.h"

#define QUALITY_MOST_CLOSE 0.5

enum { QUALITY_PLACES = 8, QUALITY_ADVICE_MAX = 2, QUALITY_LIMITS_MAX = 3, QUALITY_WORDS_MAX = 160 };

// A line that decides: the outermost, and on a board of several circles also the innermost.
struct view_line_quality {
    double radius_in;
    double sigma_in
        [QUALITY_PLACES]; // 1 sigma of a line call at each place, from the right of the picture counter-clockwise
};

struct view_quality {
    int lines; // 1 or 2
    struct view_line_quality line[2];
    double sigma_in;                        // root of the mean square over the outermost line's places
    double fit_sigma_in;                    // the part of it that comes from where the board lies, over all places
    double close_share;                     // 0..1: of the contested calls
    char grade;                             // 'A' .. 'D'; 'F' beyond QUALITY_MOST_CLOSE
    double px_per_in_least, px_per_in_most; // over the lines' places and the centre; the root of the area's scale
    double piece_px;                        // how wide the usual piece is seen at the centre, where it is narrowest
    double tilt_rad;                        // between the optical axis and the board's normal
};

// From the pose and the clarity that was measured with it; no pixel is read.
void quality_of(struct view_quality *out, const struct board_pose *pose);

// False when it is not good enough to call, with the reason and what to do in *why (code 0: a result, not a failure).
bool quality_suffices(const struct board_pose *pose, struct fail *why);

// Where the picture itself is at its limits, so that pieces are missed or placed worse than usual: a sentence each,
// what is wrong and what to do, the gravest first. Returns how many.
int quality_limits(char out[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX], const struct view_quality *q,
                   const struct board_pose *pose);

// What would better it, most useful first, a sentence each. Returns how many; 0 when nothing is worth the trouble.
int quality_advise(char out[QUALITY_ADVICE_MAX][QUALITY_WORDS_MAX], const struct view_quality *q,
                   const struct board_pose *pose);

#endif
