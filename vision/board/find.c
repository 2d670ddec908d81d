// SPDX-License-Identifier: MIT
#include "vision/board/find.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/interrupt.h"
#include "vision/board/candidate_refine.h"
#include "vision/board/circle_pattern.h"
#include "vision/board/clarity.h"
#include "vision/board/concentric.h"
#include "vision/board/distractor.h"
#include "vision/board/edges.h"
#include "vision/board/hinted.h"
#include "vision/board/landmarks.h"
#include "vision/board/lens_prior.h"
#include "vision/board/line_refine.h"
#include "vision/board/oblique.h"
#include "vision/board/oblique_verdict.h"
#include "vision/board/orientation.h"
#include "vision/picture_trouble.h"
#include "vision/rectify.h"
#include "vision/reduced.h"

enum { MOST_PAINTED = 40, CANDIDATES = 5, SPREAD_CANDIDATES = 2, PATTERNS = 3 };

struct search {
    const struct board_tuning *t;
    const struct oblique_tuning *oblique;
    struct frame *f;
    const struct board *board;
    struct lens lens;
    bool known_lens;
    const struct board_hint *hint; // NULL: the board may lie anywhere
    struct frame *part;            // the part of the picture that is searched: `f` itself without a hint
    struct pt_px part_begins;
    struct edge_list edges[EDGE_KINDS]; // of that part, in the whole picture's pixels
    bool blank;                         // there are none: that part is even
    struct oblique_maps maps;           // of that part
    struct frame *small;                // a reduced copy, for views of circles and landmarks
    double reduction;
    struct board_pose best;
    struct board_pose doubtful;   // seen from the side without its pegs: taken where no better one is found
    struct fail refused;          // why the newest candidate was refused,
    struct fail last;             // and why the most promising one was
    bool close_call;              // `last` speaks of circles that were found
    bool full;                    // edges voted for full circles, though not a board's
    struct distractor distractor; // several circles where a single ring is wanted
};

static int find_edges(struct search *s, enum edge_choice choice, struct fail *why)
{
    edges_finish(s->edges);
    int rc = edges_find(s->edges, s->part, choice, s->t, why);
    s->blank = s->edges[EDGE_STEP].count == 0 && s->edges[EDGE_LINE].count == 0;
    for (int k = 0; k < EDGE_KINDS; k++)
        for (int i = 0; i < s->edges[k].count; i++) {
            s->edges[k].edge[i].u += (float)s->part_begins.u;
            s->edges[k].edge[i].v += (float)s->part_begins.v;
        }
    return rc;
}

// The pose of the board by its refined lines.
static void pose_of(struct board_pose *out, const struct search *s, const struct refined *r)
{
    *out = (struct board_pose){ .found = true, .board = *s->board };
    out->camera = r->fit.camera;
    out->fit = r->fit;
    out->nominal = r->nominal;
    out->rms_px = r->fit.rms_px;
    out->coverage = r->coverage;
    out->f_sigma_px = pose_fit_f_sigma_px(&r->fit);
    out->focal_from = s->known_lens                                                    ? FOCAL_FROM_LENS
                      : lens_prior_f_overruled(out->camera.lens.f_px, out->f_sigma_px) ? FOCAL_FROM_CIRCLES
                                                                                       : FOCAL_ASSUMED;
    out->line_sigma_in = pose_fit_across_sigma_in(&r->fit, r->fit.radius_in[0]);
    out->board.line_width_in = r->width_in;
    memcpy(out->board.line_deviation_in, r->line_deviation_in, sizeof r->line_deviation_in);
    if (s->board->edge == CIRCLE_LINE_CENTRE)
        memcpy(out->board.circle_in, r->fit.radius_in, sizeof *r->fit.radius_in * (size_t)s->board->circles);
    // The surface ends as far beyond the outermost circle as it should; pegs stand on the innermost one, as measured.
    double grown_in = out->board.circle_in[0] - s->board->circle_in[0];
    if (out->board.surface_radius_in > 0)
        out->board.surface_radius_in += grown_in;
}

static double score_of(const struct board_pose *p)
{
    return p->found ? p->coverage / (1 + p->fit.noise_px) : 0;
}

// Fits the pose to the lines in the picture, from camera `c` and the circles of the pattern. Returns 1 with the pose in
// *out; 0 with the reason in s->refused when the lines do not support one; else an error. `sideways`: the board is seen
// from the side, and its pegs and lines have spoken for it already, so that a smaller share of its lines is enough.
static int refine(struct board_pose *out, struct search *s, const struct camera *c, bool sideways,
                  const struct pattern *pattern, struct fail *why)
{
    struct board_tuning tuning = *s->t;
    struct line_request asked = {
        .frame = s->f, .board = s->board, .camera = c, .pattern = pattern, .tuning = &tuning
    };
    struct refined r;
    if (s->known_lens)
        lens_priors_known(asked.lens, &s->lens);
    else
        lens_priors(asked.lens, &c->lens);
    if (sideways) {
        tuning.coverage_least = s->oblique->coverage_least;
        tuning.noise_most_px = s->oblique->noise_most_px;
        if (!s->known_lens) // halls are filmed with long lenses
            asked.lens[FIT_LOG_F] = (struct fit_prior){ log(c->lens.f_px), s->oblique->view_f_sigma };
    }
    int rc = line_refine(&r, &asked, &s->refused);
    if (rc == 0 && !s->known_lens && !lens_prior_allows(&r.fit.camera.lens))
        rc = rs_fail(&s->refused, RS_EINPUT,
                     "the best circles want a wider lens than there is: give the camera's with --lens");
    if (rc < 0)
        return rc == RS_EINPUT ? 0 : rs_fail(why, rc, "%s", s->refused.text);
    pose_of(out, s, &r);
    return 1;
}

// The turn of a refined board, and its landmarks: circles that fit may still be a clock's.
static int look_closer(struct landmarks *out, const struct search *s, struct board_pose *found, struct fail *why)
{
    int rc = board_orient(found, s->f, s->t, why);
    return rc < 0 ? rc : landmarks_look(out, s->small, s->reduction, found, s->t, why);
}

// Refines and judges one pattern of a candidate's circles; s->best keeps the best.
static int try_pattern(struct search *s, const struct camera *candidate, const struct pattern *pattern,
                       struct fail *why)
{
    struct camera c = *candidate;
    struct board_pose found;
    struct landmarks seen;
    for (int i = 0; i < 3; i++)
        c.pose.t_in[i] *= s->board->circle_in[0] / pattern->circle[0].radius;
    if (s->known_lens)
        c.lens = s->lens;
    int rc = refine(&found, s, &c, false, pattern, why);
    if (rc == 0 && s->last.text[0] == '\0')
        s->last = s->refused;
    if (rc <= 0)
        return rc;
    if (score_of(&found) <= score_of(&s->best) || distractor_contains(&s->distractor, &found.camera) ||
        (s->hint && !hinted_is_meant(s->hint, &found.camera, found.board.circle_in[0], s->t, &s->last)))
        return 0;
    rc = look_closer(&seen, s, &found, why);
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

// A coarse camera is pulled onto edges before it is tried (candidate_refine.h), in these ways one after the other: onto
// lines, which are the board's own circles; onto steps, for a broad ring has two of them and no line; not at all.
enum { REFINED_ON_LINES, REFINED_ON_STEPS, AS_IT_IS, REFINEMENTS };

// Finds the painted circles around a candidate's centre and tries each pattern of them that may be the board's.
static int try_candidate(struct search *s, const struct camera *coarse, int refined, struct fail *why)
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

// No further candidate is expected to be better.
static bool decided(const struct search *s)
{
    return s->best.coverage > s->t->sure_coverage;
}

// Tries a coarse camera, refined in each way from `from` up to, but not including, `to`.
static int try_refined(struct search *s, const struct camera *coarse, int from, int to, struct fail *why)
{
    int rc = 0;
    for (int refined = from; refined < to && rc == 0 && !decided(s); refined++)
        rc = try_candidate(s, coarse, refined, why);
    return rc;
}

// Tries the two cameras that see a circle where the hint's points on the outermost line lie.
static int try_hinted(struct search *s, struct fail *why)
{
    struct camera coarse[ELLIPSE_CAMERAS];
    if (!s->hint || s->hint->kind != HINT_LINE)
        return 0;
    int n = ellipse_cameras(coarse, &s->hint->ellipse, &s->lens, s->board->circle_in[0], why), rc = n < 0 ? n : 0;
    for (int i = 0; i < n && rc == 0; i++)
        rc = try_refined(s, &coarse[i], 0, REFINEMENTS, why);
    return rc;
}

// Tries concentric circles that edges voted for.
static int try_concentric(struct search *s, struct concentric *c, int from, int to, struct fail *why)
{
    struct camera sharp;
    if (decided(s))
        return 0;
    if (from == 0)
        concentric_sharpen(c, &s->edges[EDGE_STEP], &s->lens, s->t);
    concentric_camera(&sharp, c, &s->lens);
    return try_refined(s, &sharp, from, to, why);
}

static int try_voted(struct search *s, int most, struct fail *why)
{
    struct concentric candidates[CANDIDATES];
    int n = concentric_find(candidates, most, &s->edges[EDGE_STEP], &s->lens, s->t, why), rc = n < 0 ? n : 0;
    for (int i = 0; i < n && rc == 0; i++)
        rc = try_concentric(s, &candidates[i], 0, REFINEMENTS, why);
    return rc;
}

// Template matching of whole boards over the searched part of the picture (oblique.h). The cameras are those of the
// whole picture; what the hint excludes is left out. Returns how many there are, or an error.
static int find_oblique(struct oblique_view view[OBLIQUE_VIEWS], struct search *s, const struct oblique_tuning *t,
                        struct fail *why)
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
static int try_views(struct search *s, const struct oblique_tuning *t, struct fail *why)
{
    struct oblique_view view[OBLIQUE_VIEWS];
    struct fail untraced = { 0 };
    int n = find_oblique(view, s, t, why), rc = n < 0 ? n : 0;
    for (int k = 0; k < n && rc == 0 && !s->best.found; k++) {
        struct pattern pattern;
        struct board_pose found;
        struct landmarks seen;
        bool certain = oblique_is_board(&view[k], s->board, s->oblique);
        if (!certain && !oblique_may_be_board(&view[k], s->board, s->oblique))
            continue;
        pattern_measure(&pattern, s->f, &view[k].camera, s->board, t, s->t);
        int traced = refine(&found, s, &view[k].camera, true, &pattern, why);
        if (traced == 0)
            untraced = s->refused;
        rc = traced > 0 ? look_closer(&seen, s, &found, why) : traced;
        if (traced <= 0 || rc < 0)
            continue;
        if (certain && (cos(camera_tilt_rad(&found.camera)) < s->oblique->cos_most ||
                        landmarks_judge(&seen, &found.board, s->t, &s->refused) == 0))
            s->best = found;
        else if (seen.quadrants && (seen.hole || seen.pegs) && found.coverage >= s->t->coverage_least &&
                 score_of(&found) > score_of(&s->doubtful))
            s->doubtful = found;
    }
    if (rc == 0 && !s->best.found && !s->close_call)
        s->close_call = oblique_refusal_words(&s->last, view, n, &untraced, s->hint != NULL, s->board, s->oblique);
    return rc;
}

// Large boards are matched in small maps. That is quick, but grooves thinner than a pixel do not show there, so where
// it finds none finer maps are searched too.
static int try_oblique(struct search *s, const struct oblique_tuning *t, struct fail *why)
{
    struct oblique_tuning closer = *t;
    closer.scale_most *= t->closer_look;
    int rc = try_views(s, t, why);
    return rc == 0 && !s->best.found ? try_views(s, &closer, why) : rc;
}

// For a first candidate that is none, or shows its lines only in part: that may be fitted to the wrong circles, the
// surface's edge taken for a line. Template matching, which sees the pegs too, decides, and the better of both stays.
// Returns 1 where that is the board seen from the side.
static int try_oblique_too(struct search *s, struct fail *why)
{
    const struct board_pose candidate = s->best;
    s->best.found = false;
    int rc = try_oblique(s, s->oblique, why);
    bool better = score_of(&s->best) > score_of(&candidate);
    if (!better)
        s->best = candidate;
    return rc < 0 ? rc : better;
}

// Where no circle is full, the strongest edges, and so all votes, may be those of a chequered cloth. Here the votes
// come from edges spread over the picture instead. More candidates need more of the lines, as in try_above. The later
// searches keep these edges.
static int try_spread(struct search *s, struct fail *why)
{
    const struct board_tuning *usual = s->t;
    struct board_tuning asked = *usual;
    if (s->full || decided(s))
        return 0;
    asked.coverage_least = fmax(asked.coverage_least, s->oblique->above_coverage_least);
    s->t = &asked;
    int rc = find_edges(s, EDGES_SPREAD, why);
    if (rc == 0)
        rc = try_voted(s, SPREAD_CANDIDATES, why);
    s->t = usual;
    return rc;
}

// Boards that the picture's border cuts off: their centres lie in the four strips around the region searched so far.
static int try_cut_off(struct search *s, struct fail *why)
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
        rc = try_views(s, &beside, why);
    }
    return rc;
}

// In overexposed wood grooves show in blue alone.
static int try_overexposed(struct search *s, struct fail *why)
{
    struct oblique_tuning blue = *s->oblique;
    if (picture_overexposed(s->part, s->t->clipped_code) < blue.overexposed_least)
        return 0;
    blue.line_kind = LINES_BLUE;
    return try_oblique(s, &blue, why);
}

// A camera held askew at the side of a table.
static int try_askew(struct search *s, struct fail *why)
{
    struct oblique_tuning askew = *s->oblique;
    askew.roll_from_rad = askew.askew_from_rad;
    askew.roll_to_rad = askew.askew_to_rad;
    askew.roll_most_rad = askew.askew_most_rad;
    return try_views(s, &askew, why);
}

// A board that is a small part of a large picture shows only in maps that are finer than usual. The picture's longer
// side sets their size, so that a portrait takes no more memory.
static int try_far(struct search *s, struct fail *why)
{
    struct oblique_tuning far = *s->oblique;
    const double width = s->part->width, longer = fmax(width, s->part->height);
    far.map_width_px = width * fmin(1, far.far_map_px / longer);
    far.levels = 1;
    return far.map_width_px < far.far_wider_least * s->oblique->map_width_px ? 0 : try_views(s, &far, why);
}

// Boards seen from above for which edges did not vote: views found by template matching are the candidates. Of so many
// some pass by chance, so more of the lines is asked for.
static int try_above(struct search *s, struct fail *why)
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
    int n = find_oblique(view, s, &above, why), rc = n < 0 ? n : 0;
    s->t = &asked;
    for (int i = 0; i < n && rc == 0; i++)
        rc = try_refined(s, &view[i].camera, 0, REFINEMENTS, why);
    s->t = usual;
    return rc;
}

// What is rare: a camera on its side or upside down; then lines that are paler than a dark board, or redder than one as
// bright.
static int try_unlikely(struct search *s, struct fail *why)
{
    static const double turned_rad[] = { PI / 2, -PI / 2, PI };
    int rc = 0;
    for (size_t i = 0; i < countof(turned_rad) && rc == 0 && !s->best.found; i++) {
        struct oblique_tuning turned = *s->oblique;
        turned.roll_usual_rad = turned_rad[i];
        if (turned_rad[i] < PI) // a board on its side may be as wide as the picture is high
            turned.scale_most *= fmax(1, (double)s->f->height / s->f->width);
        rc = try_views(s, &turned, why);
    }
    for (enum line_kind kind = LINES_PALE; kind <= LINES_RED && rc == 0 && !s->best.found; kind++) {
        struct oblique_tuning other = *s->oblique;
        other.line_kind = kind;
        rc = try_oblique(s, &other, why);
    }
    return rc;
}

// The searches in their order. Seen from above, the first candidate is mostly the board, with full circles. Where its
// circles are not full, or are tilted as those of boards seen from the side are, the search from the side comes before
// the other candidates, though it costs as much as ten of them. Where a distractor outvotes a single ring, the ring is
// searched for once more without the distractor's edges, and no further.
static int try_all(struct search *s, struct fail *why)
{
    // Half a board, or one on its side, is a poor guess at what is missing, so why it is refused is not reported.
    static const struct {
        int (*search)(struct search *, struct fail *);
        bool reports;
    } further[] = { { try_spread, false },     { try_askew, true }, { try_far, true },      { try_cut_off, false },
                    { try_overexposed, true }, { try_above, true }, { try_unlikely, false } };
    struct concentric candidates[CANDIDATES];
    int rc = try_hinted(s, why), n = 0;
    if (rc == 0 && !decided(s))
        rc = n = concentric_find(candidates, CANDIDATES, &s->edges[EDGE_STEP], &s->lens, s->t, why);
    if (rc > 0)
        rc = try_concentric(s, &candidates[0], 0, 1, why);
    bool sideways =
        n <= 0 || candidates[0].score < s->t->coarse_full || cos(candidates[0].tilt_rad) < s->oblique->cos_most;
    if (rc == 0 && sideways && !s->distractor.seen && !decided(s)) {
        rc = try_oblique_too(s, why);
        if (rc != 0)
            return rc < 0 ? rc : 0;
    }
    for (int i = 0; i < n && rc == 0; i++)
        rc = try_concentric(s, &candidates[i], i == 0, REFINEMENTS, why);
    if (rc == 0 && s->distractor.seen && !s->best.found) {
        distractor_remove_edges(&s->distractor, &s->edges[EDGE_STEP]);
        distractor_remove_edges(&s->distractor, &s->edges[EDGE_LINE]);
        rc = try_voted(s, CANDIDATES, why);
    }
    if (rc == 0 && !sideways && !s->distractor.seen && !s->best.found)
        rc = try_oblique(s, s->oblique, why);
    for (int i = 0; i < n; i++)
        s->full = s->full || candidates[i].score >= s->t->coarse_full;
    for (size_t i = 0; i < countof(further) && rc == 0 && !s->best.found && !s->distractor.seen; i++) {
        const struct fail last = s->last;
        const bool close_call = s->close_call;
        rc = further[i].search(s, why);
        s->last = further[i].reports ? s->last : last;
        s->close_call = further[i].reports ? s->close_call : close_call;
    }
    if (rc == 0 && !s->best.found)
        s->best = s->doubtful;
    return rc;
}

// Why no board is found: what came nearest to one, and what is wrong with the picture as a whole.
static int refuse(struct search *s, const struct tuning *tuning, struct fail *why)
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
    struct search s = {
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
        rc = find_edges(&s, EDGES_STRONGEST, why);
    if (rc == 0)
        rc = frame_reduced(&s.small, f, s.reduction, why);
    if (rc == 0 && !s.blank)
        rc = try_all(&s, why);
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
