// SPDX-License-Identifier: MIT
// stabilisation.h: film from a camera that is held in a hand, as if it stood.
//
// A hand shakes a picture to and fro for as long as it holds the camera, by a pixel or by fifty; then every edge of the
// board changes, and nothing ever lies still. So a frame is registered to the view in which pose and reference were
// taken, and moved back there before anything else looks at it. Registered is the board's picture, reduced as change
// detection reduces it: an affine motion, and an offset of brightness, by Gauss-Newton (Lucas, Kanade 1981; on the
// gradients of that view, as in the inverse form of Baker and Matthews, "Lucas-Kanade 20 years on", 2004, but the steps
// are added: they are small), robust (Tukey) against hands and pieces that moved. A camera that stands is left alone, as
// is one that is knocked or turned once and stands then; a new view is held still until it is known that it stands.
#ifndef RINGSIDE_VISION_TRACK_STABILISATION_H
#define RINGSIDE_VISION_TRACK_STABILISATION_H

#include "vision/track/change_detection.h"

enum { STABILISER_SAMPLES = 1500, STABILISER_LOOKS = 12 };

// Reduced pixels, from the middle of the first one; the gradient in 8-bit steps a pixel.
struct stabiliser_sample {
    double u, v, luma, gradient_u, gradient_v;
};

struct stabiliser {
    const struct track_tuning *tuning; // borrowed
    bool shakes;                       // or that is not known yet: frames are moved
    bool moved_back;                   // the last frame was
    long reference;                    // the change detector's, by which the samples were taken; 0: none were
    int samples;
    struct stabiliser_sample sample[STABILISER_SAMPLES]; // where the view has edges
    double middle_u, middle_v, radius_px;                // of the board in it, reduced
    // A place of the view at x, y board radii from the middle is seen motion[0] + motion[1] x + motion[2] y farther
    // right, motion[3] + ... farther down: reduced pixels.
    double motion[6];
    int looks; // in the last second
    struct stabiliser_look {
        double t_s, u, v; // how far the board's middle was from where the view has it, reduced pixels
    } look[STABILISER_LOOKS];
    double lost_s; // since when the view is not recognised; INFINITY: it is
    uint8_t *reduced;
};

void stabiliser_begin(struct stabiliser *s, const struct track_tuning *tuning);
void stabiliser_finish(struct stabiliser *s);

// The board was found in another view: what d sees now is the view that frames are moved to.
void stabiliser_set_view(struct stabiliser *s, const struct change_detector *d);

// Before the frame is looked at: moves it where the camera shakes, else leaves it. RS_ENOMEM, RS_ELIB.
int stabilise(struct stabiliser *s, struct frame *f, const struct change_detector *d, struct fail *why);

// After change detection took the frame in as it came: does the camera shake?
void stabiliser_look(struct stabiliser *s, const struct change_detector *d);

#endif
