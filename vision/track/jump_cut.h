// SPDX-License-Identifier: MIT
// jump_cut.h: footage of one view that skips time (a jump cut), or stands still for a while: the picture goes on as if
// nothing had been left out, but pieces are where nothing on a board could have brought them.
//
// Between two frames a piece may begin to run, but it does not come to lie elsewhere: friction takes it a tenth of a
// second over the first inch. And what runs fast does not stand in the next frame, unless it struck something, fell
// into the hole or left the surface. Where hands are, anything may be. A live camera that loses some frames is no
// footage that was cut: what was not seen for longer than a slow shot needs to clear its place says nothing.
#ifndef RINGSIDE_VISION_TRACK_JUMP_CUT_H
#define RINGSIDE_VISION_TRACK_JUMP_CUT_H

#include "vision/track/association.h"

// When time was left out since the last still moment, as far as can be known; INFINITY when nothing says so.
double jump_cut_s(const struct association *found, const struct moment *m);

#endif
