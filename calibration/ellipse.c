// SPDX-License-Identifier: MIT
#include "calibration/ellipse.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/pose_fit.h"

enum { CONIC_NUMBERS = 5, POSE_POINTS = 48 };
static const double FLATTEST = 0.02; // minor to major axis: 89 degrees off the vertical, or points on a straight line

bool ellipse_fit(struct ellipse *out, const struct pt_px *points, int n)
{
    // a x^2 + b x y + c y^2 + d x + e y = 1, about the points' mean in units of their size: that lies within the
    // ellipse, where the conic's constant cannot vanish.
    double N[CONIC_NUMBERS * CONIC_NUMBERS], g[CONIC_NUMBERS], q[CONIC_NUMBERS];
    struct normal_equations sums = normal_begin(N, g, CONIC_NUMBERS);
    struct pt_px mean;
    double size = centroid_px(&mean, points, n);
    for (int i = 0; i < n; i++) {
        double x = (points[i].u - mean.u) / size, y = (points[i].v - mean.v) / size;
        const double row[CONIC_NUMBERS] = { x * x, x * y, y * y, x, y };
        normal_add(&sums, row, 1, 1);
    }
    if (n < ELLIPSE_POINTS_LEAST || !(size > 0) || !normal_solve(q, &sums))
        return false;
    double a = q[0], b = q[1], c = q[2], inside = 4 * a * c - b * b;
    if (!(inside > 0) || !(a + c > 0))
        return false;
    double x = (b * q[4] - 2 * c * q[3]) / inside, y = (b * q[3] - 2 * a * q[4]) / inside;
    double level = 1 + a * x * x + b * x * y + c * y * y, middle = (a + c) / 2, spread = hypot(a - c, b) / 2;
    *out = (struct ellipse){ .centre = { mean.u + size * x, mean.v + size * y },
                             .major_px = size * sqrt(level / (middle - spread)),
                             .minor_px = size * sqrt(level / (middle + spread)),
                             .turn_rad = 0.5 * atan2(-b, c - a) };
    return isfinite(out->major_px) && out->minor_px > FLATTEST * out->major_px;
}

struct pt_px ellipse_half_size(const struct ellipse *e)
{
    double c = cos(e->turn_rad), s = sin(e->turn_rad);
    return (struct pt_px){ hypot(e->major_px * c, e->minor_px * s), hypot(e->major_px * s, e->minor_px * c) };
}

// As it would be from very far away, leaning to one side or the other.
static struct camera far_camera(const struct ellipse *e, const struct lens *lens, double radius_in, int sign)
{
    struct camera c = { .lens = *lens };
    double tilt = acos(fmin(e->minor_px / e->major_px, 1)), depth_in = lens->f_px * radius_in / e->major_px;
    const double n[3] = { -sign * sin(tilt) * sin(e->turn_rad), sign * sin(tilt) * cos(e->turn_rad), -cos(tilt) };
    c.lens.k1 = c.lens.k2 = c.lens.p1 = c.lens.p2 = 0;
    rotation_with_normal(c.pose.R, n);
    c.pose.t_in[0] = depth_in * (e->centre.u - lens->centre.u) / lens->f_px;
    c.pose.t_in[1] = depth_in * (e->centre.v - lens->centre.v) / lens->f_px;
    c.pose.t_in[2] = depth_in;
    return c;
}

int ellipse_cameras(struct camera out[ELLIPSE_CAMERAS], const struct ellipse *e, const struct lens *lens,
                    double radius_in, struct fail *why)
{
    struct fit_point points[POSE_POINTS];
    int found = 0;
    for (int i = 0; i < POSE_POINTS; i++) {
        double along = e->major_px * cos(2 * PI * i / POSE_POINTS),
               across = e->minor_px * sin(2 * PI * i / POSE_POINTS);
        double c = cos(e->turn_rad), s = sin(e->turn_rad);
        points[i] =
            (struct fit_point){ 0, { e->centre.u + along * c - across * s, e->centre.v + along * s + across * c } };
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        struct pose_fit fit = { .camera = far_camera(e, lens, radius_in, sign),
                                .radius_in = { radius_in },
                                .curves = 1,
                                .points_per_independent = 1 };
        struct fail refused;
        int rc = pose_fit_solve(&fit, points, POSE_POINTS, &refused);
        if (rc < 0 && rc != RS_EINPUT)
            return rs_fail(why, rc, "%s", refused.text);
        if (rc == 0)
            out[found++] = fit.camera;
    }
    return found;
}
