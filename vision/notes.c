// SPDX-License-Identifier: MIT
#include "vision/notes.h"

#include <math.h>

void notes_clear(struct notes *n)
{
    n->fits = n->lines = n->fits_unlisted = n->lines_unlisted = 0;
    n->fits_s = -INFINITY;
}

void notes_fit(const struct frame *f, const struct fit_note *note)
{
    struct notes *n = f->notes;
    if (!n)
        return;
    if (n->fits_s != f->t_s)
        n->fits = n->fits_unlisted = 0;
    n->fits_s = f->t_s;
    if (n->fits < NOTES_FITS_MAX)
        n->fit[n->fits++] = *note;
    else
        n->fits_unlisted++;
}

void notes_lines(const struct frame *f, const struct pose_fit *fit, const struct fit_point *point, int points)
{
    struct notes *n = f->notes;
    if (!n)
        return;
    n->lines = 0;
    n->lines_unlisted = points > NOTES_LINES_MAX ? points - NOTES_LINES_MAX : 0;
    for (int i = 0; i < points && n->lines < NOTES_LINES_MAX; i++) {
        struct pt_in at;
        if (!camera_locate(&at, &fit->camera, point[i].at, 0))
            continue;
        double off_in = hypot(at.x, at.y) - fit->radius_in[point[i].curve];
        double scale = camera_scale_px_per_in(&fit->camera, surface_at(at));
        n->line[n->lines++] = (struct line_note){ point[i].at, off_in * scale };
    }
}
