// SPDX-License-Identifier: MIT
// clips.h: the program's reading of clips against their truth, and of copies of them with other frames.
#ifndef RINGSIDE_TESTS_ACCURACY_CLIPS_H
#define RINGSIDE_TESTS_ACCURACY_CLIPS_H

#include "calibration/fail.h"

struct clip_tally {
    int shots, found, shooter_right, false_shots;
    int pieces, pieces_found, zones_right, false_pieces; // at rest; false ones lie on the board where no piece is
    int contacts_right, contacts_in_time;                // of the shots: what was touched first, and when
    int outcomes, outcomes_right;                        // marbles: knocked out, taw in, shoots again
    double start_late_s;                                 // the worst
    double run_s, clip_s;
};

// Which frames of a clip are shown to the program.
enum clip_rate { CLIP_AS_IT_IS, CLIP_HALF, CLIP_VARIABLE, CLIP_RATES };
const char *clip_rate_name(enum clip_rate rate);

// Writes a copy of a video: every second frame, or one in three left out at random with the stamps of the others off by
// some milliseconds, as cameras and recorders do it. *frame_s: the mean time from frame to frame.
int clip_copy(double *frame_s, const char *from, const char *to, enum clip_rate rate, struct fail *why);

// Adds to the tally. A contact is in time within one and a half of the copy's frames.
int clip_score(struct clip_tally *out, const char *ringside, const char *truth_path, enum clip_rate rate,
               struct fail *why);

#endif
