// SPDX-License-Identifier: MIT
#include "referee/commands/view_words.h"

#include <string.h>

#include "calibration/units.h"
#include "calibration/foreign.h"
#include "vision/quality.h"

void view_words(char out[VIEW_WORDS_MAX], const struct board_pose *pose, const struct setup *s)
{
    const char *focal_from[] = { [FOCAL_FROM_LENS] =
                                     s->lens_is_saved ? "from the camera's saved lens" : "from the lens file",
                                 [FOCAL_FROM_TARGET] = "from the target",
                                 [FOCAL_FROM_CIRCLES] = "from the lines",
                                 [FOCAL_ASSUMED] = "assumed as usual" };
    char sigma[32] = "";
    if (pose->f_sigma_px > 0)
        snprintf(sigma, sizeof sigma, " (1 sigma %.0f)", pose->f_sigma_px);
    snprintf(
        out, VIEW_WORDS_MAX,
        "%s%s%s%s, %.0f degrees off the vertical, lines fit to %.2f px, %.3f in (1 sigma) at the line, focal length "
        "%.0f px%s %s",
        pose->board.name, pose->nominal ? "" : " of its own proportions",
        s->board_is_saved ? " as saved for the camera" : "",
        s->hint_is_saved ? " where the camera's saved hint says" : "", camera_tilt_rad(&pose->camera) * 180 / PI,
        pose->rms_px, pose->line_sigma_in, pose->camera.lens.f_px, sigma, focal_from[pose->focal_from]);
}

void view_print_limits(FILE *to, const char *before, const struct board_pose *pose)
{
    struct view_quality q;
    char words[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX];
    quality_of(&q, pose);
    int n = quality_limits(words, &q, pose);
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%s\n", before, words[i]);
}

const char *view_unfound_words(const char *unfound)
{
    const char *found = strstr(unfound, " found"), *reason = strstr(unfound, ": ");
    bool own = strncmp(unfound, "no ", strlen("no ")) == 0 && found && reason && found < reason;
    return own ? reason + strlen(": ") : unfound;
}

void view_print_losses(FILE *to, const struct source_info *source)
{
    char ends[64] = "";
    if (!source_lost_any(source))
        return;
    if (source->short_s > 0)
        snprintf(ends, sizeof ends, "; it ends %.1f s before the time that its header promises", source->short_s);
    foreign_tell(
        to, "ringside: beware: %s: %ld picture%s lost and %ld damaged, %.1f s in all of which nothing is known%s",
        source->name, source->dropped, source->dropped == 1 ? "" : "s", source->doubtful, source->lost_s, ends);
}
