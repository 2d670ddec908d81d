// SPDX-License-Identifier: MIT
// opencv_c.h: what we call of OpenCV, as plain C: the only door to it, and the only C++ in the house.
//
// Pictures are 8-bit, interleaved, rows without padding: w * h * ch bytes, ch 1 to 4. Every buffer belongs to the
// caller and is neither kept nor moved. No exception comes through: what OpenCV throws becomes RS_ENOMEM, or RS_ELIB
// with OpenCV's own words; sizes and pointers that cannot be right are RS_EINPUT before OpenCV sees them. Functions may
// be called from several threads at once on buffers of their own; each runs in its caller's thread alone.
#ifndef RINGSIDE_VISION_OPENCV_C_OPENCV_C_H
#define RINGSIDE_VISION_OPENCV_C_OPENCV_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "calibration/fail.h"

// OpenCV throws where nobody can catch it, from destructors, when there is no memory, also from those that run when the
// program has ended. From now on that ends the program with `status` instead of abort(), with a line on standard error
// when `tell` is not 0.
void cv_end_with(int status, int tell);

// Resizes `in`, iw x ih, into `out`, w x h, which must not overlap it. Shrinking averages the area that each pixel of
// `out` covers (no moire); enlarging is linear. Both pictures have `ch` channels.
int cv_resize_area_u8(uint8_t *out, int w, int h, const uint8_t *in, int iw, int ih, int ch, struct fail *why);

// Moves a picture: what `out` shows at (x, y) `in` shows at (from[0] + from[1] x + from[2] y, from[3] + from[4] x +
// from[5] y), pixels from the middle of the first one; bicubic, the border is repeated. `out` may not be `in`.
int cv_warp_affine_u8(uint8_t *out, const uint8_t *in, int w, int h, int ch, const double from[6], struct fail *why);

// Gaussian blur of `sigma` pixels (above 0, at most 100); the border is mirrored. `out` may be `in`.
int cv_gaussian_blur_u8(uint8_t *out, const uint8_t *in, int w, int h, int ch, double sigma, struct fail *why);

// Correlates a plane of floats with a kernel of kw x kh numbers, both odd, at most 31; the border is repeated. `out`
// may not be `in`.
int cv_filter_f32(float *out, const float *in, int w, int h, const float *kernel, int kw, int kh, struct fail *why);

// Mean over bw x bh pixels, both odd, around each of a plane of floats; the border is repeated. `out` may be `in`.
int cv_box_mean_f32(float *out, const float *in, int w, int h, int bw, int bh, struct fail *why);

// Gaussian blur of a plane of floats by `sigma` pixels (above 0, 100 at most); the border is repeated. `out` may be `in`.
int cv_gaussian_blur_f32(float *out, const float *in, int w, int h, double sigma, struct fail *why);

// Median over `side` x `side` pixels (odd, 3 to 255) around each pixel of a picture of one channel; the border is
// repeated. `out` may not be `in`.
int cv_median_u8(uint8_t *out, const uint8_t *in, int w, int h, int side, struct fail *why);

// The patches of pixels other than 0 that hang together, corners too: `label` becomes 0 outside, 1 to *count inside.
int cv_components_u8(int32_t *label, int *count, const uint8_t *mask, int w, int h, struct fail *why);

// How far from each pixel other than 0 the nearest 0 is, pixels, exactly; beyond the picture's border there is none.
int cv_distance_u8(float *out, const uint8_t *mask, int w, int h, struct fail *why);

// How large `text` becomes with the font below: w * h pixels above the base line and what hangs `below` it. `scale` is
// that of OpenCV (1 gives capitals 21 pixels high; above 0, at most 50), `thickness` of the pen in pixels, 1 to 200.
int cv_text_size(int *w, int *h, int *below, const char *text, double scale, int thickness, struct fail *why);

// Writes `text` with 255 into a picture of one channel, its base line starting at (x, y); anti-aliased; what leaves the
// picture is cut. Hershey's single-stroke sans serif; only ASCII, other bytes become question marks.
int cv_text_u8(uint8_t *out, int w, int h, int x, int y, const char *text, double scale, int thickness,
               struct fail *why);

// The inner corners of a chessboard in a picture of one channel, at least 4 x 4 of them and as many more as there are
// in one piece, row by row, as u, v pairs into `out`, which holds `most` corners. *columns and *rows are 0 when there
// is none; one with more corners than `most` counts as none. Good to half a pixel; refine them.
int cv_chessboard_u8(double *out, int most, int *columns, int *rows, const uint8_t *in, int w, int h, struct fail *why);

// Moves `n` corners, u, v pairs, each to the saddle point in the window of `reach` pixels (at least 2) around it. Good
// to a few hundredths of a pixel where nothing but that corner is in the window.
int cv_corners_refine_u8(double *corners, int n, int reach, const uint8_t *in, int w, int h, struct fail *why);

// What we are compared with, nothing of ours sees by it: OpenCV's own circles (HOUGH_GRADIENT) with radii of `least_px`
// to `most_px`: u, v, radius of at most `most` of them into `out`, the surest first. `grey` is room for w * h bytes.
int cv_circles_u8(float *out, int most, int *count, uint8_t *grey, const uint8_t *bgr, int w, int h, int least_px,
                  int most_px, struct fail *why);

#ifdef __cplusplus
}
#endif

#endif
