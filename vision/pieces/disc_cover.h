// SPDX-License-Identifier: MIT
// disc_cover.h: what stands before a piece: a hand, an arm, a sleeve, the glare of a lamp.
//
// Such a thing does not end where the piece does: it is seen beside the outline too, and is neither board nor piece. So
// in a direction where all that is seen beyond the outline is unlike the ground something covers that, and what looks
// like it elsewhere, on the piece too, is more of it. What is left is judged by itself.
#ifndef RINGSIDE_VISION_PIECES_DISC_COVER_H
#define RINGSIDE_VISION_PIECES_DISC_COVER_H

#include "vision/pieces/disc_contrast.h"

// Leaves out of the view what something covers: its share of all that is looked at. 0, and the view stays as it was,
// where there is no such thing, or no ground. `empty`: what the bare board looks like there; what differs by more than
// `least` times the noise is something else.
double disc_cover_leave_out(struct disc_view *v, const struct noise_lab *empty, double least);

#endif
