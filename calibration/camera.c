// SPDX-License-Identifier: MIT
#include "calibration/camera.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"

enum { UNDISTORT_STEPS = 20 };
static const double UNDISTORT_TOLERANCE = 1e-10; // of the focal length: 1e-7 px, far under any noise

int camera_check(const struct camera *c, struct fail *why)
{
    const struct lens *l = &c->lens;
    if (!(isfinite(l->f_px) && l->f_px > 0))
        return rs_fail(why, RS_EINPUT, "focal length %g px: it must be above 0", l->f_px);
    if (!isfinite(l->centre.u) || !isfinite(l->centre.v) || !isfinite(l->k1) || !isfinite(l->k2) || !isfinite(l->p1) ||
        !isfinite(l->p2))
        return rs_fail(why, RS_EINPUT, "the lens holds a number that is not finite");
    for (int i = 0; i < 3; i++) {
        if (!isfinite(c->pose.t_in[i]))
            return rs_fail(why, RS_EINPUT, "the pose holds a number that is not finite");
        for (int j = 0; j < 3; j++)
            if (!(fabs(vec3_dot(c->pose.R[i], c->pose.R[j]) - (i == j)) < 1e-6))
                return rs_fail(why, RS_EINPUT, "the pose's R is not a rotation");
    }
    double turned[3];
    vec3_cross(turned, c->pose.R[0], c->pose.R[1]);
    if (!(vec3_dot(turned, c->pose.R[2]) > 0))
        return rs_fail(why, RS_EINPUT, "the pose's R is a mirror, not a rotation");
    if (!(c->pose.t_in[2] > 0))
        return rs_fail(why, RS_EINPUT, "the board's centre is behind the camera");
    return 0;
}

struct pt_px lens_distort(const struct lens *l, double x, double y)
{
    double r2 = x * x + y * y;
    double radial = 1 + r2 * (l->k1 + r2 * l->k2);
    double xd = x * radial + 2 * l->p1 * x * y + l->p2 * (r2 + 2 * x * x);
    double yd = y * radial + l->p1 * (r2 + 2 * y * y) + 2 * l->p2 * x * y;
    return (struct pt_px){ l->centre.u + l->f_px * xd, l->centre.v + l->f_px * yd };
}

// The radius at which a barrel distortion stops growing: beyond it two points would fall on one pixel, also where a k2
// against k1 makes it grow again farther out.
static bool folds_back(const struct lens *l, double r2)
{
    bool folded_before = l->k1 < 0 && 9 * l->k1 * l->k1 >= 20 * l->k2 && 10 * r2 * l->k2 > -3 * l->k1;
    return folded_before || 1 + r2 * (3 * l->k1 + 5 * r2 * l->k2) <= 0;
}

void lens_slope(double out[3], const struct lens *l, double x, double y)
{
    double r2 = x * x + y * y;
    double radial = 1 + r2 * (l->k1 + r2 * l->k2), slope = 2 * (l->k1 + 2 * r2 * l->k2);
    out[0] = radial + slope * x * x + 2 * l->p1 * y + 6 * l->p2 * x;
    out[1] = slope * x * y + 2 * (l->p1 * x + l->p2 * y);
    out[2] = radial + slope * y * y + 6 * l->p1 * y + 2 * l->p2 * x;
}

bool lens_undistort(double *x, double *y, const struct lens *l, struct pt_px seen)
{
    double xd = (seen.u - l->centre.u) / l->f_px, yd = (seen.v - l->centre.v) / l->f_px;
    double first = 1 - l->k1 * (xd * xd + yd * yd), a = xd * first, b = yd * first, m[3];
    for (int i = 0; i < UNDISTORT_STEPS; i++) { // Newton
        double r2 = a * a + b * b, radial = 1 + r2 * (l->k1 + r2 * l->k2);
        if (folds_back(l, r2))
            return false;
        double ex = xd - a * radial - 2 * l->p1 * a * b - l->p2 * (r2 + 2 * a * a);
        double ey = yd - b * radial - l->p1 * (r2 + 2 * b * b) - 2 * l->p2 * a * b;
        if (ex * ex + ey * ey < UNDISTORT_TOLERANCE * UNDISTORT_TOLERANCE) {
            *x = a;
            *y = b;
            return true;
        }
        lens_slope(m, l, a, b);
        double det = m[0] * m[2] - m[1] * m[1];
        a += (m[2] * ex - m[1] * ey) / det;
        b += (m[0] * ey - m[1] * ex) / det;
    }
    return false;
}

// A direction of the camera's frame in the board's.
static struct pt3_in to_board(const struct pose *p, const double v[3])
{
    const double(*R)[3] = p->R;
    return (struct pt3_in){ R[0][0] * v[0] + R[1][0] * v[1] + R[2][0] * v[2],
                            R[0][1] * v[0] + R[1][1] * v[1] + R[2][1] * v[2],
                            R[0][2] * v[0] + R[1][2] * v[1] + R[2][2] * v[2] };
}

static void to_camera(double X[3], const struct pose *p, struct pt3_in at)
{
    for (int i = 0; i < 3; i++)
        X[i] = p->R[i][0] * at.x + p->R[i][1] * at.y + p->R[i][2] * at.z + p->t_in[i];
}

bool camera_project(struct pt_px *out, const struct camera *c, struct pt3_in at)
{
    double X[3];
    to_camera(X, &c->pose, at);
    if (!(X[2] > 1e-9))
        return false;
    double x = X[0] / X[2], y = X[1] / X[2];
    if (folds_back(&c->lens, x * x + y * y))
        return false;
    *out = lens_distort(&c->lens, x, y);
    return true;
}

bool camera_locate(struct pt_in *out, const struct camera *c, struct pt_px seen, double height_in)
{
    double sight[3] = { 0, 0, 1 };
    if (!lens_undistort(&sight[0], &sight[1], &c->lens, seen))
        return false;
    struct pt3_in eye = camera_position(c), along = to_board(&c->pose, sight);
    if (along.z == 0)
        return false;
    double s = (height_in - eye.z) / along.z;
    if (!(s > 0) || !isfinite(s))
        return false;
    *out = (struct pt_in){ eye.x + s * along.x, eye.y + s * along.y };
    return true;
}

bool camera_jacobian(double J[2][2], const struct camera *c, struct pt3_in at)
{
    const double(*R)[3] = c->pose.R;
    double X[3], m[3];
    to_camera(X, &c->pose, at);
    if (!(X[2] > 1e-9))
        return false;
    double x = X[0] / X[2], y = X[1] / X[2], r2 = x * x + y * y;
    if (folds_back(&c->lens, r2))
        return false;
    lens_slope(m, &c->lens, x, y);
    for (int k = 0; k < 2; k++) { // along the board's x and y axes
        double dx = (R[0][k] - x * R[2][k]) / X[2], dy = (R[1][k] - y * R[2][k]) / X[2];
        J[0][k] = c->lens.f_px * (m[0] * dx + m[1] * dy);
        J[1][k] = c->lens.f_px * (m[1] * dx + m[2] * dy);
    }
    return true;
}

double camera_scale_px_per_in(const struct camera *c, struct pt3_in at)
{
    double J[2][2];
    if (!camera_jacobian(J, c, at))
        return 0;
    return sqrt(fabs(J[0][0] * J[1][1] - J[0][1] * J[1][0]));
}

double camera_middle_px_per_in(const struct camera *c)
{
    return camera_scale_px_per_in(c, (struct pt3_in){ 0, 0, 0 });
}

struct pt3_in camera_position(const struct camera *c)
{
    struct pt3_in board = to_board(&c->pose, c->pose.t_in);
    return (struct pt3_in){ -board.x, -board.y, -board.z };
}

double camera_tilt_rad(const struct camera *c)
{
    double cosine = fabs(c->pose.R[2][2]);
    return acos(cosine > 1 ? 1 : cosine);
}

void lens_numbers(double out[FIT_LENS_NUMBERS], const struct lens *l)
{
    const double now[FIT_LENS_NUMBERS] = { log(l->f_px), l->k1, l->k2, l->centre.u, l->centre.v };
    memcpy(out, now, sizeof now);
}

void lens_move(struct lens *l, const double step[FIT_LENS_NUMBERS])
{
    l->f_px *= exp(step[FIT_LOG_F]);
    l->k1 += step[FIT_K1];
    l->k2 += step[FIT_K2];
    l->centre.u += step[FIT_CENTRE_U];
    l->centre.v += step[FIT_CENTRE_V];
}

void pose_move(struct pose *p, const double axis_rad[3], const double shift_in[3])
{
    double turn[3][3], R[3][3];
    rotation_from_axis(turn, axis_rad);
    mat3_multiply(R, (const double(*)[3])turn, (const double(*)[3])p->R);
    memcpy(p->R, R, sizeof R);
    for (int i = 0; i < 3; i++)
        p->t_in[i] += shift_in[i];
}

void camera_turn(struct camera *c, double angle_rad)
{
    double cosine = cos(angle_rad), sine = sin(angle_rad);
    for (int i = 0; i < 3; i++)
        turn_axes(&c->pose.R[i][0], &c->pose.R[i][1], cosine, sine);
}

void camera_mirror_board(struct camera *c)
{
    double sight[3], n[3];
    for (int i = 0; i < 3; i++) {
        sight[i] = -c->pose.t_in[i];
        n[i] = c->pose.R[i][2];
    }
    vec3_normalise(sight);
    double along = vec3_dot(sight, n);
    for (int i = 0; i < 3; i++)
        n[i] = 2 * along * sight[i] - n[i];
    rotation_with_normal(c->pose.R, n);
}
