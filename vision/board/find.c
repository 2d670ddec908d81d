// SPDX-License-Identifier: MIT
#include "vision/board/find.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/board/clarity.h"
#include "vision/board/concentric_search.h"
#include "vision/board/hinted.h"
#include "vision/board/lens_prior.h"
#include "vision/board/oblique_search.h"
#include "vision/picture_trouble.h"
#include "vision/reduced.h"

enum { SPREAD_CANDIDATES = 2 };

// Tries the two cameras that see a circle where the hint's points on the outermost line lie.
static int try_hinted(struct board_search *s, struct fail *why)
{
    struct camera coarse[ELLIPSE_CAMERAS];
    if (!s->hint || s->hint->kind != HINT_LINE)
        return 0;
    int n = ellipse_cameras(coarse, &s->hint->ellipse, &s->lens, s->board->circle_in[0], why), rc = n < 0 ? n : 0;
    for (int i = 0; i < n && rc == 0; i++)
        rc = search_candidate(s, &coarse[i], REFINED_ON_LINES, REFINEMENTS, why);
    return rc;
}

// For a first candidate that is none, or shows its lines only in part: that may be fitted to the wrong circles, the
// surface's edge taken for a line. Template matching, which sees the pegs too, decides, and the better of both stays.
// Returns 1 where that is the board seen from the side.
static int oblique_is_better(struct board_search *s, struct fail *why)
{
    const struct board_pose candidate = s->best;
    s->best.found = false;
    int rc = search_oblique(s, s->oblique, why);
    bool better = search_score(&s->best) > search_score(&candidate);
    if (!better)
        s->best = candidate;
    return rc < 0 ? rc : better;
}

// Where no circle is full, the strongest edges, and so all votes, may be those of a chequered cloth. Here the votes
// come from edges spread over the picture instead. More candidates need more of the lines, as in try_above. The later
// searches keep these edges.
static int try_spread(struct board_search *s, struct fail *why)
{
    const struct board_tuning *usual = s->t;
    struct board_tuning asked = *usual;
    if (s->full || search_decided(s))
        return 0;
    asked.coverage_least = fmax(asked.coverage_least, s->oblique->above_coverage_least);
    s->t = &asked;
    int rc = search_edges(s, EDGES_SPREAD, why);
    if (rc == 0)
        rc = search_voted(s, SPREAD_CANDIDATES, why);
    s->t = usual;
    return rc;
}

// A camera held askew at the side of a table.
static int try_askew(struct board_search *s, struct fail *why)
{
    struct oblique_tuning askew = *s->oblique;
    askew.roll_from_rad = askew.askew_from_rad;
    askew.roll_to_rad = askew.askew_to_rad;
    askew.roll_most_rad = askew.askew_most_rad;
    return search_views(s, &askew, why);
}

// A board that is a small part of a large picture shows only in maps that are finer than usual. The picture's longer
// side sets their size, so that a portrait takes no more memory.
static int try_far(struct board_search *s, struct fail *why)
{
    struct oblique_tuning far = *s->oblique;
    const double width = s->part->width, longer = fmax(width, s->part->height);
    far.map_width_px = width * fmin(1, far.far_map_px / longer);
    far.levels = 1;
    return far.map_width_px < far.far_wider_least * s->oblique->map_width_px ? 0 : search_views(s, &far, why);
}

// Boards that the picture's border cuts off: their centres lie in the four strips around the region searched so far.
static int try_cut_off(struct board_search *s, struct fail *why)
{
    const struct oblique_tuning *usual = s->oblique;
    const double belt[][4] = { { 0, 1, usual->centre_to_v, 1 },
                               { 0, usual->centre_from_u, usual->centre_from_v, usual->centre_to_v },
                               { usual->centre_to_u, 1, usual->centre_from_v, usual->centre_to_v },
                               { 0, 1, 0, usual->centre_from_v } };
    int rc = 0;
    for (size_t i = 0; i < countof(belt) && rc == 0 && !s->best.found; i++) {
        struct oblique_tuning beside = *usual;
        beside.scale_most *= beside.closer_look; // at once in the finer maps
        beside.centre_from_u = belt[i][0];
        beside.centre_to_u = belt[i][1];
        beside.centre_from_v = belt[i][2];
        beside.centre_to_v = belt[i][3];
        rc = search_views(s, &beside, why);
    }
    return rc;
}

// In overexposed wood grooves show in blue alone.
static int try_overexposed(struct board_search *s, struct fail *why)
{
    struct oblique_tuning blue = *s->oblique;
    if (picture_overexposed(s->part, s->t->clipped_code) < blue.overexposed_least)
        return 0;
    blue.line_kind = LINES_BLUE;
    return search_oblique(s, &blue, why);
}

// Boards seen from above for which edges did not vote: views found by template matching are the candidates. Of so many
// some pass by chance, so more of the lines is asked for.
static int try_above(struct board_search *s, struct fail *why)
{
    struct oblique_view view[OBLIQUE_VIEWS];
    struct oblique_tuning above = *s->oblique;
    const struct board_tuning *usual = s->t;
    struct board_tuning asked = *usual;
    asked.coverage_least = above.above_coverage_least;
    above.cos_least = above.above_cos_least;
    above.cos_most = above.above_cos_most;
    above.pose_cos_least = above.above_pose_cos_least;
    above.pose_cos_most = INFINITY;
    above.roll_to_rad = PI;
    above.roll_most_rad = above.roll_sigma_rad = INFINITY;
    above.f_usual = s->lens.f_px / lens_longer_px(&s->lens);
    int n = search_oblique_views(view, s, &above, why), rc = n < 0 ? n : 0;
    s->t = &asked;
    for (int i = 0; i < n && rc == 0; i++)
        rc = search_candidate(s, &view[i].camera, REFINED_ON_LINES, REFINEMENTS, why);
    s->t = usual;
    return rc;
}

// A camera on its side or upside down.
static int try_turned(struct board_search *s, struct fail *why)
{
    static const double turned_rad[] = { PI / 2, -PI / 2, PI };
    int rc = 0;
    for (size_t i = 0; i < countof(turned_rad) && rc == 0 && !s->best.found; i++) {
        struct oblique_tuning turned = *s->oblique;
        turned.roll_usual_rad = turned_rad[i];
        if (turned_rad[i] < PI) // a board on its side may be as wide as the picture is high
            turned.scale_most *= fmax(1, (double)s->f->height / s->f->width);
        rc = search_views(s, &turned, why);
    }
    return rc;
}

// Lines that are paler than a dark board, or redder than one as bright.
static int try_other_lines(struct board_search *s, struct fail *why)
{
    int rc = 0;
    for (enum line_kind kind = LINES_PALE; kind <= LINES_RED && rc == 0 && !s->best.found; kind++) {
        struct oblique_tuning other = *s->oblique;
        other.line_kind = kind;
        rc = search_oblique(s, &other, why);
    }
    return rc;
}

// Seen from above, the first candidate is mostly the board, with full circles. Where its circles are not full, or are
// tilted as those of boards seen from the side are, the search from the side comes before the other candidates, though
// it costs as much as ten of them. Where a distractor outvotes a single ring, the ring is searched for once more
// without the distractor's edges, and no further.
static int search_usual(struct board_search *s, struct fail *why)
{
    struct concentric candidates[CANDIDATES];
    int rc = try_hinted(s, why), n = 0;
    if (rc == 0 && !search_decided(s))
        rc = n = concentric_find(candidates, CANDIDATES, &s->edges[EDGE_STEP], &s->lens, s->t, why);
    if (rc > 0)
        rc = search_concentric(s, &candidates[0], REFINED_ON_LINES, REFINED_ON_STEPS, why);
    bool sideways =
        n <= 0 || candidates[0].score < s->t->coarse_full || cos(candidates[0].tilt_rad) < s->oblique->cos_most;
    if (rc == 0 && sideways && !s->distractor.seen && !search_decided(s)) {
        rc = oblique_is_better(s, why);
        if (rc != 0)
            return rc < 0 ? rc : 0;
    }
    for (int i = 0; i < n && rc == 0; i++)
        rc = search_concentric(s, &candidates[i], i == 0 ? REFINED_ON_STEPS : REFINED_ON_LINES, REFINEMENTS, why);
    if (rc == 0 && s->distractor.seen && !s->best.found) {
        distractor_remove_edges(&s->distractor, &s->edges[EDGE_STEP]);
        distractor_remove_edges(&s->distractor, &s->edges[EDGE_LINE]);
        rc = search_voted(s, CANDIDATES, why);
    }
    if (rc == 0 && !sideways && !s->distractor.seen && !s->best.found)
        rc = search_oblique(s, s->oblique, why);
    for (int i = 0; i < n; i++)
        s->full = s->full || candidates[i].score >= s->t->coarse_full;
    return rc;
}

// Where the usual searches find nothing: for what they miss, the likely first. Half a board, or one on its side, is a
// poor guess at what is missing, so why it is refused is not reported.
static int search_further(struct board_search *s, struct fail *why)
{
    static const struct {
        int (*search)(struct board_search *, struct fail *);
        bool reports;
    } further[] = {
        { try_spread, false },      // no circle is full: a busy cloth may have outvoted them
        { try_askew, true },        // the camera is rolled
        { try_far, true },          // the picture is large, the board small in it
        { try_cut_off, false },     // its centre lies at the picture's border
        { try_overexposed, true },  // much is burnt out, grooves show in blue alone
        { try_above, true },        // it is seen from above, but edges did not vote for it
        { try_turned, false },      // rare: the camera lies on its side or hangs upside down
        { try_other_lines, false }, // rare: its lines are pale or red
    };
    int rc = 0;
    for (size_t i = 0; i < countof(further) && rc == 0 && !s->best.found && !s->distractor.seen; i++) {
        const struct fail last = s->last;
        const bool close_call = s->close_call;
        rc = further[i].search(s, why);
        s->last = further[i].reports ? s->last : last;
        s->close_call = further[i].reports ? s->close_call : close_call;
    }
    return rc;
}

// Why no board is found: what came nearest to one, and what is wrong with the picture as a whole.
static int refuse(struct board_search *s, const struct tuning *tuning, struct fail *why)
{
    enum picture_trouble trouble;
    const char *nearest = s->last.text, *where = s->hint ? " where the hint says" : "";
    int rc = picture_trouble_of(&trouble, s->f, &tuning->track, why);
    if (rc < 0)
        return rc;
    const char *mend = picture_trouble_words(trouble);
    if (nearest[0] == '\0' && (mend[0] == '\0' || !s->blank))
        nearest = s->hint ? "nothing there looks like its circles"
                          : "nothing in the picture looks like its circles; where it is seen, say so with --hint";
    rs_fail(why, 0, "no %s board found%s: %s%s%s", s->board->name, where, nearest, nearest[0] && mend[0] ? "; " : "",
            mend);
    return 0;
}

int board_find(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
               const struct tuning *tuning, struct fail *why)
{
    struct board_search s = {
        .t = &tuning->board, .oblique = &tuning->oblique, .f = f, .board = wanted, .known_lens = lens != NULL
    };
    bool hinted = tuning->hint && tuning->hint->kind != HINT_NONE;
    *out = (struct board_pose){ .board = *wanted };
    if (f->width < HINT_BOX_LEAST_PX || f->height < HINT_BOX_LEAST_PX) {
        rs_fail(why, 0, "the picture has %d x %d pixels; a board is at least %d wide and high", f->width, f->height,
                HINT_BOX_LEAST_PX);
        return 0;
    }
    s.reduction = fmin(fmax(f->width / s.t->pattern_width_px, 1), f->height); // a row of a strip is left
    int rc = frame_decode(f, why);
    if (rc == 0)
        rc = lens_prior_for(&s.lens, lens, f, why);
    s.hint = hinted ? tuning->hint : NULL;
    s.part = f;
    if (rc == 0 && hinted)
        rc = board_hint_check(s.hint, f->width, f->height, why);
    if (rc == 0 && hinted)
        rc = hinted_part(&s.part, &s.part_begins, f, s.hint, s.t, why);
    if (rc == 0)
        rc = search_edges(&s, EDGES_STRONGEST, why);
    if (rc == 0)
        rc = frame_reduced(&s.small, f, s.reduction, why);
    if (rc == 0 && !s.blank)
        rc = search_usual(&s, why);
    if (rc == 0 && !s.blank)
        rc = search_further(&s, why);
    if (rc == 0 && !s.best.found)
        s.best = s.doubtful;
    edges_finish(s.edges);
    oblique_maps_finish(&s.maps);
    frame_free(s.small);
    if (s.part != f)
        frame_free(s.part);
    if (rc < 0)
        return rc;
    if (s.distractor.seen && !s.best.found)
        rs_fail(why, 0, "no %s found: there are several circles around one centre, not a single ring", wanted->name);
    else if (!s.best.found)
        rc = refuse(&s, tuning, why);
    else {
        *out = s.best;
        rc = clarity_measure(&out->clarity, f, out, s.t, why);
    }
    return rc;
}
