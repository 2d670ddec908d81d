// SPDX-License-Identifier: MIT
// camera.h: where a point of the board is in the picture, and the other way round.
//
// Pinhole with Brown distortion (k1, k2 radial, p1, p2 tangential), square pixels. Everything that has a height takes
// it, because a picture alone cannot distinguish a near low point from a far high one. It is plain numbers: copy it.
#ifndef RINGSIDE_CALIBRATION_CAMERA_H
#define RINGSIDE_CALIBRATION_CAMERA_H

#include <stdbool.h>

#include "calibration/fail.h"
#include "calibration/units.h"

struct lens {
    int width, height;   // pixels of the frames it was made for
    double f_px;         // focal length
    struct pt_px centre; // principal point
    double k1, k2;       // radial distortion; 0 for a lens that bends nothing
    double p1, p2;       // tangential distortion; 0 when unknown
    double f_sigma_px;   // 1 sigma of f_px as it was calibrated; 0: taken as exact
};

// Pixels of the picture's longer side, by which lenses are compared whichever way the camera is held.
static inline int lens_longer_px(const struct lens *lens)
{
    return lens->width > lens->height ? lens->width : lens->height;
}

// Board to camera: X_camera = R X_board + t, the camera looks along its +z, its x is right and its y is down.
struct pose {
    double R[3][3];
    double t_in[3];
};

struct camera {
    struct lens lens;
    struct pose pose;
};

// 0 when lens and pose are possible: finite, f > 0, R a rotation, the board's centre before the camera. Else RS_EINPUT.
int camera_check(const struct camera *c, struct fail *why);

// False, *out untouched, when the point is not before the camera or so far off the axis that the distortion folds back.
bool camera_project(struct pt_px *out, const struct camera *c, struct pt3_in at);

// The point of the plane z = height_in that is seen at `seen`. False, *out untouched, when the line of sight does not
// meet the plane before the camera or the distortion cannot be undone there.
bool camera_locate(struct pt_in *out, const struct camera *c, struct pt_px seen, double height_in);

// d(u, v) / d(x, y) of the board point `at`: J[0] = du/dx, du/dy; J[1] = dv/dx, dv/dy. False as camera_project.
bool camera_jacobian(double J[2][2], const struct camera *c, struct pt3_in at);

// Pixels an inch at `at`: the square root of the Jacobian's determinant; 0 where it cannot be seen.
double camera_scale_px_per_in(const struct camera *c, struct pt3_in at);
double camera_middle_px_per_in(const struct camera *c); // in the board's middle

// Where the camera itself stands, board frame.
struct pt3_in camera_position(const struct camera *c);

// Where the line of sight from there to a place at the height from_in meets the plane at the height to_in.
static inline struct pt_in camera_sight(const struct pt3_in *eye, struct pt_in at, double from_in, double to_in)
{
    double t = (from_in - to_in) / (eye->z - from_in);
    return (struct pt_in){ at.x + t * (at.x - eye->x), at.y + t * (at.y - eye->y) };
}

// Angle between the optical axis and the board's normal, radians.
double camera_tilt_rad(const struct camera *c);

// Turns the board in the picture: its x axis lies from now on where the direction angle_rad (counter-clockwise) lay.
void camera_turn(struct camera *c, double angle_rad);

// The board mirrored at the line of sight to its middle: the other pose under which a circle looks nearly the same. Its
// x axis is as rotation_with_normal lays it.
void camera_mirror_board(struct camera *c);

// The numbers of a lens that a fit may free: ln of the focal length in px, radial distortion, principal point in px.
enum fit_lens { FIT_LOG_F, FIT_K1, FIT_K2, FIT_CENTRE_U, FIT_CENTRE_V, FIT_LENS_NUMBERS };

void lens_numbers(double out[FIT_LENS_NUMBERS], const struct lens *l);
// Adds a step to each of them.
void lens_move(struct lens *l, const double step[FIT_LENS_NUMBERS]);
// Turns the board about its centre, by the length of an axis of the camera's frame, then shifts it.
void pose_move(struct pose *p, const double axis_rad[3], const double shift_in[3]);

// Ideal (undistorted, f = 1) coordinates <-> pixels.
struct pt_px lens_distort(const struct lens *l, double x, double y);
// d(distorted) / d(ideal), both in units of the focal length: a symmetric 2 x 2, as xx, xy, yy.
void lens_slope(double out[3], const struct lens *l, double x, double y);
bool lens_undistort(double *x, double *y, const struct lens *l, struct pt_px seen);

#endif
