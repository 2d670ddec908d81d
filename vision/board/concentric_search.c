// SPDX-License-Identifier: MIT
#include "vision/board/concentric_search.h"

#include "calibration/interrupt.h"
#include "vision/board/candidate_refine.h"
#include "vision/board/hinted.h"
#include "vision/rectify.h"
#include "vision/reduced.h"

enum { MOST_PAINTED = 40, PATTERNS = 3 };

// Refines and judges one pattern of a candidate's circles; s->best keeps the best.
static int try_pattern(struct board_search *s, const struct camera *candidate, const struct pattern *pattern,
                       struct fail *why)
{
    struct camera c = *candidate;
    struct board_pose found;
    struct landmarks seen;
    for (int i = 0; i < 3; i++)
        c.pose.t_in[i] *= s->board->circle_in[0] / pattern->circle[0].radius;
    if (s->known_lens)
        c.lens = s->lens;
    int rc = search_refine(&found, s, &c, FROM_ABOVE, pattern, why);
    if (rc == 0 && s->last.text[0] == '\0')
        s->last = s->refused;
    if (rc <= 0)
        return rc;
    if (search_score(&found) <= search_score(&s->best) || distractor_contains(&s->distractor, &found.camera) ||
        (s->hint && !hinted_is_meant(s->hint, &found.camera, found.board.circle_in[0], s->t, &s->last)))
        return 0;
    rc = search_look_closer(&seen, s, &found, why);
    if (rc < 0)
        return rc;
    if (landmarks_judge(&seen, &found.board, s->t, &s->refused) == 0) {
        s->best = found;
    } else {
        s->last = s->close_call ? s->last : s->refused;
        s->close_call = true;
    }
    return 0;
}

// Finds the painted circles around a candidate's centre and tries each pattern of them that may be the board's.
static int try_candidate(struct board_search *s, const struct camera *coarse, enum candidate_refinement refined,
                         struct fail *why)
{
    struct camera candidate = *coarse, reduced;
    struct painted_circle circles[MOST_PAINTED];
    struct pattern patterns[PATTERNS];
    struct rectified view;
    const struct edge_list *on = &s->edges[refined == REFINED_ON_LINES ? EDGE_LINE : EDGE_STEP];
    int rc = interrupt_check(why);
    if (rc == 0 && distractor_contains(&s->distractor, coarse))
        return 0;
    if (rc == 0 && refined != AS_IT_IS)
        rc = candidate_refine(&candidate, on, s->known_lens, s->t, why);
    if (rc != 0)
        return rc;
    reduced = candidate;
    reduced.lens = lens_reduced(&candidate.lens, s->reduction);
    double scale = camera_middle_px_per_in(&reduced);
    if (!(scale > 0))
        return 0;
    struct raster raster = raster_polar((int)(s->t->pattern_reach * s->small->width), PATTERN_ANGLES, 1 / scale);
    rc = rectify(&view, &raster, s->small, &reduced, SAMPLE_LIGHT, why);
    if (rc < 0)
        return rc;
    int n = painted_circles(circles, MOST_PAINTED, &view, s->t, why);
    rectified_free(&view);
    if (n < 0)
        return n;
    if (s->board->circles == 1 && distractor_detect(&s->distractor, &candidate, circles, n, s->t)) {
        if (s->best.found && distractor_contains(&s->distractor, &s->best.camera))
            s->best = (struct board_pose){ .found = false };
        return 0;
    }
    int count = pattern_match(patterns, PATTERNS, circles, n, s->board, s->t);
    for (int k = 0; k < count && rc == 0 && s->best.coverage < s->t->sure_coverage; k++)
        rc = try_pattern(s, &candidate, &patterns[k], why);
    return rc;
}

int search_candidate(struct board_search *s, const struct camera *coarse, enum candidate_refinement from,
                     enum candidate_refinement to, struct fail *why)
{
    int rc = 0;
    for (enum candidate_refinement refined = from; refined < to && rc == 0 && !search_decided(s); refined++)
        rc = try_candidate(s, coarse, refined, why);
    return rc;
}

int search_concentric(struct board_search *s, struct concentric *c, enum candidate_refinement from,
                      enum candidate_refinement to, struct fail *why)
{
    struct camera sharp;
    if (search_decided(s))
        return 0;
    if (from == REFINED_ON_LINES)
        concentric_sharpen(c, &s->edges[EDGE_STEP], &s->lens, s->t);
    concentric_camera(&sharp, c, &s->lens);
    return search_candidate(s, &sharp, from, to, why);
}

int search_voted(struct board_search *s, int most, struct fail *why)
{
    struct concentric candidates[CANDIDATES];
    int n = concentric_find(candidates, most, &s->edges[EDGE_STEP], &s->lens, s->t, why), rc = n < 0 ? n : 0;
    for (int i = 0; i < n && rc == 0; i++)
        rc = search_concentric(s, &candidates[i], REFINED_ON_LINES, REFINEMENTS, why);
    return rc;
}
