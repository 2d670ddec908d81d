// SPDX-License-Identifier: MIT
#include "vision/board/oblique_search.h"

#include <math.h>

#include "calibration/interrupt.h"
#include "vision/board/hinted.h"
#include "vision/board/oblique_verdict.h"

int search_oblique_views(struct oblique_view view[OBLIQUE_VIEWS], struct board_search *s,
                         const struct oblique_tuning *t, struct fail *why)
{
    struct camera start[HINTED_CAMERAS];
    struct oblique_request asked = { s->part, s->board, s->lens, s->known_lens, start, .tuning = t };
    if (interrupt_check(why) < 0)
        return RS_EENDED;
    if (!s->known_lens)
        asked.lens.f_px = t->f_usual * lens_longer_px(&s->lens);
    if (s->hint && s->hint->kind == HINT_LINE)
        asked.starts = hinted_cameras(start, s->hint, &asked.lens, s->board->circle_in[0],
                                      s->known_lens ? 0 : t->distance_usual_in, why);
    if (asked.starts < 0)
        return asked.starts;
    asked.lens.centre.u -= s->part_begins.u; // from here on in pixels of the part
    asked.lens.centre.v -= s->part_begins.v;
    for (int i = 0; i < asked.starts; i++)
        start[i].lens.centre = asked.lens.centre;
    int n = oblique_find(view, &s->maps, &asked, why), meant = 0;
    for (int k = 0; k < n; k++) {
        struct camera *c = &view[k].camera;
        c->lens.centre.u += s->part_begins.u;
        c->lens.centre.v += s->part_begins.v;
        if (!s->hint || hinted_is_meant(s->hint, c, s->board->circle_in[0], s->t, &s->last))
            view[meant++] = view[k];
    }
    return n < 0 ? n : meant;
}

// Boards seen from the side of a table: the best views of template matching, refined on their lines. A view of which
// pegs and lines are certain is the board; only where its refined pose looks from above must it show the landmarks seen
// from there as well. Without certain pegs a view is doubtful at best. It then needs as much of its lines as a board
// from above, quadrant lines, which no target has, and the hole or the pegs. Extra circles do not count against it:
// arms make some.
int search_views(struct board_search *s, const struct oblique_tuning *t, struct fail *why)
{
    struct oblique_view view[OBLIQUE_VIEWS];
    struct fail untraced = { 0 };
    int n = search_oblique_views(view, s, t, why), rc = n < 0 ? n : 0;
    for (int k = 0; k < n && rc == 0 && !s->best.found; k++) {
        struct pattern pattern;
        struct board_pose found;
        struct landmarks seen;
        bool certain = oblique_is_board(&view[k], s->board, s->oblique);
        if (!certain && !oblique_may_be_board(&view[k], s->board, s->oblique))
            continue;
        pattern_measure(&pattern, &(struct line_view){ s->f, &view[k].camera, s->t }, s->board, t);
        int traced = search_refine(&found, s, &view[k].camera, FROM_THE_SIDE, &pattern, why);
        if (traced == 0)
            untraced = s->refused;
        rc = traced > 0 ? search_look_closer(&seen, s, &found, why) : traced;
        if (traced <= 0 || rc < 0)
            continue;
        if (certain && (cos(camera_tilt_rad(&found.camera)) < s->oblique->cos_most ||
                        landmarks_judge(&seen, &found.board, s->t, &s->refused) == 0))
            s->best = found;
        else if (seen.quadrants && (seen.hole || seen.pegs) && found.coverage >= s->t->coverage_least &&
                 search_score(&found) > search_score(&s->doubtful))
            s->doubtful = found;
    }
    if (rc == 0 && !s->best.found && !s->close_call)
        s->close_call = oblique_refusal_words(&s->last, view, n, &untraced, s->hint != NULL, s->board, s->oblique);
    return rc;
}

// Large boards are matched in small maps. That is quick, but grooves thinner than a pixel do not show there, so where
// it finds none finer maps are searched too.
int search_oblique(struct board_search *s, const struct oblique_tuning *t, struct fail *why)
{
    struct oblique_tuning closer = *t;
    closer.scale_most *= t->closer_look;
    int rc = search_views(s, t, why);
    return rc == 0 && !s->best.found ? search_views(s, &closer, why) : rc;
}
