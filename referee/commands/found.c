// SPDX-License-Identifier: MIT
#include "referee/commands/found.h"

#include "calibration/units.h"
#include "referee/quality.h"

void found_words(char out[FOUND_WORDS_MAX], const struct found_board *on, const struct setup *s)
{
    char focal[64] = "";
    if (on->f_sigma_px > 0)
        snprintf(focal, sizeof focal, "(1 sigma %.0f)", on->f_sigma_px);
    else
        snprintf(focal, sizeof focal, "from the %s", s->lens_is_saved ? "camera's saved lens" : "lens file");
    snprintf(out, FOUND_WORDS_MAX,
             "%s%s%s, %.0f degrees off the vertical, lines fit to %.2f px, %.3f in (1 sigma) at the line, focal length "
             "%.0f px %s",
             on->board.name, on->nominal ? "" : " of its own proportions",
             s->board_is_saved ? " as saved for the camera" : "", camera_tilt_rad(&on->camera) * 180 / PI, on->rms_px,
             on->line_sigma_in, on->camera.lens.f_px, focal);
}

bool found_suffices(const struct found_board *on, struct fail *why)
{
    struct quality q;
    struct fail reason;
    quality_of(&q, on);
    if (quality_suffices(&q, on, &reason))
        return true;
    rs_fail(why, 0, "%s found, but not well enough to call: %.380s", on->board.name, reason.text);
    return false;
}
