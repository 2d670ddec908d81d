// SPDX-License-Identifier: MIT
// sphere_fit.h: a marble fitted to the pixels around it.
//
// The model (sphere_model.h) is a ball on a floor: inside its outline its own colour, shaded and brighter or darker
// towards the rim (glass shows the carpet upside down and dark at the rim); around it the carpet, the ring's line as it
// looks elsewhere, and the ball's shadow, which falls to the same side for all marbles. Place and size by Gauss-Newton
// with Tukey weights against what the model does not know: highlights, swirls, tufts. The colours, 27 of them, follow
// from place and size; they are eliminated from the equations (Schur complement), so that steps are whole ones and the
// inverse is the covariance with the colours unknown. That is why this is no user of least_squares.h, which would have
// to carry them along.
#ifndef RINGSIDE_VISION_PIECES_SPHERE_FIT_H
#define RINGSIDE_VISION_PIECES_SPHERE_FIT_H

#include "calibration/algebra.h"
#include "vision/pieces/sphere_model.h"

struct sphere_fit {
    struct pt_in at;                // in: the guess; out: where it touches the floor
    double radius_in;               // in: what it is believed to be; out: this marble's
    struct cov_in2 cov;             // of `at`, from the fit alone
    double size_sigma;              // in: of that belief, out: of the fit; as a share of the radius
    double top[SPHERE_CHANNELS];    // mean colour (colour.h) of the marble
    double shadow[SPHERE_CHANNELS]; // how the shadow differs from the carpet
    double ground[SPHERE_CHANNELS]; // mean colour of the carpet beside it
    double explained;               // 0..1: share of what is unlike carpet around that the ball explains
    double gain;                    // by how much the ball is likelier than bare carpet, log of the odds
    double luma_gain;               // the same by luma alone
    double carpet[SPHERE_CHANNELS]; // 1 sigma of the floor's colour around it; 0: too little of it is bare
};

// `others`: marbles already fitted, whose pixels and shadows are known. False when there are too few pixels to say
// anything, the fit wanders off, or bare carpet is likelier early on, which a gain below 0 says.
bool sphere_fit_run(struct sphere_fit *fit, const struct sphere_scene *scene, const struct sphere_model *others, int n);

// What is believed of a sphere's size before it is seen.
struct sphere_size {
    double radius_in, sigma; // the latter as a share of the radius
};

// Adds to `out`, which are the equations of the first n ways in which a model can go, SPHERE_MOVES or SPHERE_LIT_MOVES.
// `usual`: the size of most. Gives the model the colours that suit it best. False when the pixels leave them open.
bool sphere_normal_add(const struct normal_equations *out, const struct sphere_window *w, struct sphere_model *m,
                       const struct sphere_size *usual);

// One Gauss-Newton step of place and size: its length in radii, negative when the pixels determine none.
double sphere_step(struct sphere_model *m, const struct sphere_window *w, const struct sphere_size *usual);

// Gives the window's pixels their Tukey weights under the model.
void sphere_reweigh(struct sphere_window *w, const struct sphere_model *m);

#endif
