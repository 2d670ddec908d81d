// SPDX-License-Identifier: MIT
// denoise.h: the noise of a camera's sensor, and a copy of the picture with less of it.
//
// Of a small camera in the evening each pixel is off by some steps. Whatever compares pixel with pixel sees less of a
// piece then, however plain it is to the eye, which takes the mean of many. A Gaussian takes it, and blurs edges by as
// much as it says.
#ifndef RINGSIDE_VISION_DENOISE_H
#define RINGSIDE_VISION_DENOISE_H

#include "vision/frame.h"

// 1 sigma of what a pixel's colour (colour.h) is off by itself, in 8-bit steps: the median of what the difference of
// two Laplacians shows, which neither shading nor straight edges have (Immerkaer, "Fast noise variance estimation",
// Computer Vision and Image Understanding 64, 1996). Luma at an end of its range says nothing. `f` is decoded.
void picture_noise(double noise[3], const struct frame *f);

enum { DENOISE_MOST_PX = 4 }; // leaves a fourteenth: a camera with more to take away shows nothing

// 1 sigma of the Gaussian, in pixels, that leaves `left` of so much noise, but most_px and DENOISE_MOST_PX at most; 0:
// none is needed.
double denoise_blur_px(double noise, double left, double most_px);

// A copy blurred by more than 0 px, with the frame's time, number and notes; the caller frees *out. `f` is decoded.
// RS_ENOMEM, RS_EINPUT when that is no blur, RS_ELIB.
int frame_denoised(struct frame **out, const struct frame *f, double blur_px, struct fail *why);

#endif
