// SPDX-License-Identifier: MIT
// marble_fit.h: a marble fitted to the pixels around it, and the light that it stands in.
//
// The model is a ball on a floor: inside its outline its own colour, shaded and brighter or darker towards the rim (glass
// shows the carpet upside down and dark at the rim); around it the carpet, the ring's line as it looks elsewhere, and the
// ball's shadow, which falls to the same side for all marbles. Borders are blurred as the picture is, colour twice as much
// as luma (cameras and JPEG keep half of it). Place and size by Gauss-Newton, all colours linearly (variable projection:
// Golub, Pereyra 1973), with Tukey weights against what the model does not know: highlights, swirls, tufts.
#ifndef RINGSIDE_VISION_PIECES_MARBLE_FIT_H
#define RINGSIDE_VISION_PIECES_MARBLE_FIT_H

#include "vision/frame.h"
#include "vision/pieces/line_look.h"
#include "vision/detection.h"

// Where shadows fall: by how much the shadow of a point moves over the floor for each inch of the point's height; {0, 0}
// when none show. How dark they are, as a change of the carpet's colour (colour.h), with 1 sigma.
struct light {
    double x, y;
    double shade[3], shade_sigma[3];
    double contact[3], contact_sigma[3]; // the same where the ball stands and keeps the sky off
    double shine[3]; // how much brighter a ball is where it faces x, y and up, as a share of its mean
};

struct marble_fit {
    struct pt_in at;    // in: the guess; out: where it touches the floor
    double radius_in;   // in: what it is believed to be; out: this marble's
    struct cov_in2 cov; // of `at`, from the fit alone
    double size_sigma;  // in: of that belief, out: of the fit; as a share of the radius
    double top[3];      // mean colour (colour.h) of the marble
    double shadow[3];   // how the shadow differs from the carpet
    double explained;   // 0..1: share of what is unlike carpet around that the ball explains
    double gain;        // by how much the ball is likelier than bare carpet, log of the odds
    double luma_gain;   // the same by luma alone
    double carpet[3];   // 1 sigma of the floor's colour around it
};

// What is known of the picture around all marbles.
struct marble_scene {
    const struct frame *frame;
    const struct board_pose *pose;
    const struct line_look *line;
    double blur_px;   // 1 sigma of luma's edges
    double carpet[3]; // what is usual of the above in the picture; 0: not known yet
    struct light light;
};

// `others`: marbles already fitted, whose pixels and shadows are known. False when there are too few pixels to say
// anything, the fit wanders off, or bare carpet is likelier early on, which a gain below 0 tells.
bool marble_fit_run(struct marble_fit *fit, const struct marble_scene *scene, const struct marble_fit *others, int n);

// What is believed of the light before anything is seen: no lamp.
struct light marble_light_unknown(void);

// The light under which the given marbles explain the picture best; the scene's own is not looked at.
struct light marble_light(const struct marble_scene *scene, const struct marble_fit *marbles, int n);

#endif
