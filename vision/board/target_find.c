// SPDX-License-Identifier: MIT
#include "vision/board/target_find.h"

#include <math.h>

#include "calibration/target.h"
#include "vision/board/chessboard_find.h"
#include "vision/board/lens_prior.h"

int target_find(struct target_fit *out, struct frame *f, const struct board_pose *pose, struct fail *why)
{
    struct chessboard seen;
    // The line's own samples as fewer points that share no error.
    double independent = pose->fit.used / pose->fit.points_per_independent;
    *out = (struct target_fit){ .camera = pose->camera,
                                .radius_in = pose->fit.radius_in[0],
                                .circle_sigma_px =
                                    pose->fit.noise_px * sqrt(TARGET_FIT_CIRCLE_POINTS / fmax(independent, 1)),
                                .square_in = TARGET_SQUARE_IN };
    lens_priors(out->lens, &pose->camera.lens);
    // The edges of the line showed the focal length to this sigma. The circle does not, for the fit is given it as one
    // curve.
    if (pose->f_sigma_px > 0)
        out->lens[FIT_LOG_F] =
            (struct fit_prior){ log(pose->camera.lens.f_px), pose->f_sigma_px / pose->camera.lens.f_px };
    int rc = chessboard_find(&seen, f, CHESSBOARD_ANY, why);
    if (rc < 0)
        return rc;
    if (rc == 0) {
        rs_fail(why, 0, "no printed target is seen on the floor");
        return 0;
    }
    rc = target_fit_solve(out, &seen, why);
    return rc < 0 && rc != RS_EINPUT ? rc : rc == 0;
}
