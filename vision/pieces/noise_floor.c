// SPDX-License-Identifier: MIT
#include "vision/pieces/noise_floor.h"

#include <math.h>

#include "vision/pieces/px_box.h"

static const double FIT_SHARED_PX = 6;    // pixels that share one error, as the fits take it: demosaicing, grain
static const double BLOCK_SHARED_PX = 32; // ... of compression: half of a block of 8 x 8, for an outline cuts it

// A disc is 3/8 in high within a 64th, and its edge is eased: the flatter the view, the farther that moves its foot.
static const double DISC_HEIGHT_SIGMA_IN = 0.01;

double floor_fit_times(const struct clarity *c, enum piece_kind piece)
{
    double shared = 1 + c->in_blocks * (BLOCK_SHARED_PX / FIT_SHARED_PX - 1);
    return piece == PIECE_MARBLE ? fmax(shared, MARBLE_FIT_SIGMAS * MARBLE_FIT_SIGMAS)
                                 : shared; // a block is half a ball
}

struct cov_in2 floor_px_cov(const struct camera *c, struct pt_in at, double seen_at_in, double sigma_px)
{
    double J[2][2];
    if (!camera_jacobian(J, c, (struct pt3_in){ at.x, at.y, seen_at_in }))
        return (struct cov_in2){ UNSEEN_SIGMA_IN * UNSEEN_SIGMA_IN, 0, UNSEEN_SIGMA_IN * UNSEEN_SIGMA_IN };
    double xx = J[0][0] * J[0][0] + J[1][0] * J[1][0], yy = J[0][1] * J[0][1] + J[1][1] * J[1][1];
    double xy = J[0][0] * J[0][1] + J[1][0] * J[1][1], share = sigma_px * sigma_px / (xx * yy - xy * xy);
    return (struct cov_in2){ share * yy, -share * xy, share * xx };
}

double floor_clipped_px(const struct frame *f, const struct board_pose *pose, struct pt3_in at, double radius_in,
                        double blur_px, const struct board_tuning *t)
{
    struct px_box box = px_box_empty();
    if (!px_box_take_circle(&box, &pose->camera, at, radius_in))
        return 0;
    struct px_range r = px_box_range(&box, 0, f->width, f->height);
    long clipped = 0, all = 0;
    for (int v = r.from_v; v < r.to_v; v++)
        for (int u = r.from_u; u < r.to_u; u++) {
            const uint8_t *p = f->bgr + 3 * ((size_t)v * (size_t)f->width + (size_t)u);
            clipped += p[0] >= t->clipped_code || p[1] >= t->clipped_code || p[2] >= t->clipped_code;
            all++;
        }
    return all > 0 ? (double)clipped / (double)all * t->clipped_sigma_blurs * blur_px : 0;
}

struct cov_in2 floor_cov(struct cov_in2 fit, const struct board_pose *pose, struct pt_in at, double seen_at_in,
                         double floor_sigma_in)
{
    double times = floor_fit_times(&pose->clarity, pose->board.piece), floor = floor_sigma_in * floor_sigma_in;
    struct cov_in2 sum = { times * fit.xx + floor, times * fit.xy, times * fit.yy + floor };
    sum = cov_sum(sum, pose_fit_place_cov(&pose->fit, at, seen_at_in));
    if (pose->board.piece == PIECE_MARBLE) // whose floor depends on its scale alone
        return sum;
    sum = cov_sum(sum, floor_px_cov(&pose->camera, at, seen_at_in, DISC_FLOOR_SIGMA_PX));
    struct pt3_in eye = camera_position(&pose->camera);
    // What an unknown height does to the place of what is seen there.
    double x = DISC_HEIGHT_SIGMA_IN * (at.x - eye.x) / (eye.z - seen_at_in);
    double y = DISC_HEIGHT_SIGMA_IN * (at.y - eye.y) / (eye.z - seen_at_in);
    return cov_sum(sum, cov_of_step(x, y));
}
