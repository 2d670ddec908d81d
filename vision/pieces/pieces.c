// SPDX-License-Identifier: MIT
#include "vision/pieces/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/clarity.h"
#include "vision/notes.h"
#include "vision/pieces/difference.h"
#include "vision/pieces/disc_evidence.h"
#include "vision/colour.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/hole.h"
#include "vision/pieces/appearance_model.h"
#include "vision/pieces/marbles.h"
#include "vision/pieces/side_classifier.h"
#include "vision/pieces/piece_size.h"
#include "vision/pieces/cylinder_fit.h"
#include "vision/pieces/cylinder_light.h"
#include "vision/pieces/hough.h"

struct finding {
    const struct disc_tuning *tuning;
    const struct frame *f;
    const struct board_pose *pose;
    const struct appearance_tuning *appearance;
    const struct background *empty;    // NULL: a photo, of which nobody knows it
    struct cylinder shape;             // of every piece on the surface
    const struct detection_list *lies; // what lies there untouched
    int count, lying;                  // the first ones are those
    struct cylinder_fit fit[MAX_PIECES];
    struct pt_in at[MAX_PIECES];
    struct cylinder cylinder[MAX_PIECES];
    struct pt_in refused[MAX_PIECES]; // places that looked likely, and are none
    int refusals;
    struct edge_prior look;
    struct cylinder_light light;
};

static bool may_be_piece(const struct cylinder_fit *fit, const struct disc_tuning *t)
{
    return fit->explained > t->coarse_least_explained && fit->larger < t->coarse_most_larger &&
           fit->smaller < t->coarse_most_smaller;
}

static bool has_outline(const struct cylinder_fit *fit, const struct disc_tuning *t)
{
    return fit->explained > t->piece_least_explained && fit->support > t->piece_least_support &&
           fit->smaller < t->piece_most_smaller && fit->larger + fit->smaller < t->piece_most_size_slack;
}

// A larger ring misses the hole as well as the outline: where one would do as well there is a finger, or a shadow.
static bool is_piece(const struct cylinder_fit *fit, const struct cylinder *s, const struct disc_tuning *t)
{
    double larger = s->hole_in > 0 ? t->ring_most_larger : t->piece_most_larger;
    return has_outline(fit, t) && fit->contrast > t->piece_least_contrast && fit->larger < larger;
}

static bool room_for(const struct finding *w, struct pt_in at, int except)
{
    for (int i = 0; i < w->count; i++)
        if (i != except && hypot(w->at[i].x - at.x, w->at[i].y - at.y) <
                               2 * w->pose->board.piece_radius_in - w->tuning->piece_overlap_in)
            return false;
    return true;
}

// A piece whose centre is over the hole would tip into it; one beyond the edge of the surface would fall off.
static bool can_stand(const struct finding *w, struct pt_in at)
{
    const struct board *b = &w->pose->board;
    double r = hypot(at.x, at.y);
    return r > b->hole_radius_in && (b->surface_radius_in <= 0 || r < b->surface_radius_in);
}

// What a fit that is no piece falls shortest of.
static const char *weakest(const struct cylinder_fit *fit, const struct disc_tuning *t)
{
    double explained = fit->explained / t->piece_least_explained, contrast = fit->contrast / t->piece_least_contrast;
    double support = fit->support / t->piece_least_support, least = fmin(explained, fmin(contrast, support));
    if (least >= 1)
        return "other size";
    return least == explained ? "explains little" : least == contrast ? "contrast" : "outline";
}

static struct surroundings around(const struct finding *w, int except)
{
    return (struct surroundings){ w->pose, w->cylinder, w->at, w->count, except, w->look, w->light, w->tuning };
}

static bool fit_at(struct cylinder_fit *fit, const struct finding *w, struct pt_in at, int except, enum fit_effort care)
{
    struct surroundings near = around(w, except);
    *fit = (struct cylinder_fit){ .at = at };
    bool stands = cylinder_fit_run(fit, w->f, &w->shape, &near, care) && can_stand(w, fit->at);
    bool holds = stands && (care == FIT_COARSE ? may_be_piece(fit, w->tuning) : is_piece(fit, &w->shape, w->tuning));
    const char *lacks = holds ? NULL : stands ? weakest(fit, w->tuning) : "cannot stand";
    notes_fit(w->f, &(struct fit_note){ at, fit->at, w->shape.radius_in, fit->explained, lacks });
    return stands;
}

static void add(struct finding *w, const struct cylinder_fit *fit)
{
    w->fit[w->count] = *fit;
    w->at[w->count] = fit->at;
    w->cylinder[w->count++] = w->shape;
}

static void drop(struct finding *w, int i)
{
    w->count--;
    w->fit[i] = w->fit[w->count];
    w->at[i] = w->at[w->count];
    w->cylinder[i] = w->cylinder[w->count];
}

static int more_explained_first(const void *a, const void *b)
{
    const struct cylinder_fit *p = a, *q = b;
    return (p->explained < q->explained) - (p->explained > q->explained);
}

// What has a shadow in its face is not where the piece is.
static int more_even_first(const void *a, const void *b)
{
    const struct cylinder_fit *p = a, *q = b;
    return (p->uneven > q->uneven) - (p->uneven < q->uneven);
}

// The best first: a shadow beside a piece may look more like one than what is left of it.
static void add_likely(struct finding *w, struct cylinder_fit *likely, int n, int (*order)(const void *, const void *))
{
    qsort(likely, (size_t)n, sizeof *likely, order);
    for (int i = 0; i < n && w->count < MAX_PIECES - 1; i++)
        if (room_for(w, likely[i].at, -1))
            add(w, &likely[i]);
}

// A glance at every place, then the best first: a shadow beside a piece may draw more votes than the piece.
static void try_peaks(struct finding *w, const struct hough_peak *peak, int peaks)
{
    struct cylinder_fit likely[HOUGH_PEAKS_MAX] = { { .explained = 0 } };
    int n = 0;
    for (int i = 0; i < peaks; i++)
        n += can_stand(w, peak[i].at) && room_for(w, peak[i].at, -1) &&
             fit_at(&likely[n], w, peak[i].at, -1, FIT_COARSE) && may_be_piece(&likely[n], w->tuning);
    add_likely(w, likely, n, more_explained_first);
}

// Each piece once more, now that its neighbours are known; what does not hold is dropped.
static void settle_all(struct finding *w, enum fit_effort holds)
{
    for (int i = w->lying; i < w->count;) {
        struct cylinder_fit fit;
        bool stands = fit_at(&fit, w, w->at[i], i, FIT_FINE);
        if (!stands || !(holds == FIT_FINE ? is_piece(&fit, &w->shape, w->tuning) : may_be_piece(&fit, w->tuning))) {
            if (w->refusals < MAX_PIECES)
                w->refused[w->refusals++] = w->at[i];
            drop(w, i);
            continue;
        }
        w->fit[i] = fit;
        w->at[i] = fit.at;
        i++;
    }
}

// The light in which the surest pieces stand.
static int look_at_light(struct finding *w, struct fail *why)
{
    struct pt_in at[MAX_PIECES];
    struct cylinder shape[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (i < w->lying || is_piece(&w->fit[i], &w->shape, w->tuning)) {
            at[n] = w->at[i];
            shape[n++] = w->cylinder[i];
        }
    struct surroundings near = { w->pose, shape, at, n, -1, w->look, w->light, w->tuning };
    return cylinder_light_measure(&w->light, w->f, &near, why);
}

// What no photo would show: places where the known empty board has changed by the whole of a piece.
static void find_standing_out(struct finding *w, const struct hough_peak *peak, int peaks)
{
    struct cylinder_fit likely[HOUGH_PEAKS_MAX] = { { .explained = 0 } };
    int n = 0;
    for (int i = 0; i < peaks; i++) {
        struct surroundings near = around(w, -1);
        struct cylinder_fit *fit = &likely[n];
        *fit = (struct cylinder_fit){ .at = peak[i].at };
        if (!can_stand(w, fit->at) || !room_for(w, fit->at, -1) ||
            difference_share(w->empty, &w->shape, fit->at, w->pose, w->tuning) < w->tuning->known_whole_share ||
            !difference_fit(fit, w->f, w->empty, &w->shape, &near) || !can_stand(w, fit->at))
            continue;
        // Less contrast will do, for nothing painted on it is taken for a piece.
        const struct disc_tuning *t = w->tuning;
        bool holds = has_outline(fit, t) && fit->larger < t->known_most_larger &&
                     fit->explained > t->known_least_explained && fit->contrast > t->known_least_contrast;
        notes_fit(w->f, &(struct fit_note){ peak[i].at, fit->at, w->shape.radius_in, fit->explained,
                                            holds ? NULL : weakest(fit, w->tuning) });
        n += holds;
    }
    int from = w->count;
    add_likely(w, likely, n, more_even_first);
    // Where a photo would have it, whose model of a piece's edges is the finer one, unless that takes a shadow for a part of
    // the piece. What the two differ by, neither knows.
    for (int i = from; i < w->count; i++) {
        struct cylinder_fit fit;
        double x = 0, y = 0, floor = w->tuning->known_faint_sigma_in * w->tuning->known_faint_sigma_in;
        if (fit_at(&fit, w, w->at[i], i, FIT_FINE)) {
            x = fit.at.x - w->at[i].x;
            y = fit.at.y - w->at[i].y;
        }
        struct cov_in2 *cov = &w->fit[i].cov;
        *cov = (struct cov_in2){ cov->xx + x * x + floor, cov->xy + x * y, cov->yy + y * y + floor };
        if (hypot(x, y) > 0 && hypot(x, y) < w->tuning->known_most_apart_in)
            w->fit[i].at = w->at[i] = fit.at;
    }
}

static void describe(struct detection *out, const struct finding *w, int i)
{
    const struct cylinder_fit *fit = &w->fit[i];
    const struct cylinder *s = &w->cylinder[i];
    double seen_at_in = s->base_in + s->height_in;
    *out = (struct detection){ .kind = s->kind,
                               .plane = ON_SURFACE,
                               .at = fit->at,
                               .radius_in = w->pose->board.piece_radius_in,
                               .certainty = 1,
                               .support = fit->support };
    out->cov = floor_cov(fit->cov, w->pose, fit->at, seen_at_in, DISC_FLOOR_SIGMA_IN);
    colour_to_lab(out->lab, fit->top);
    camera_project(&out->px, &w->pose->camera, (struct pt3_in){ fit->at.x, fit->at.y, seen_at_in });
}

static void look_into_hole(struct detection_list *out, struct finding *w)
{
    struct cylinder_fit fit;
    const struct board *b = &w->pose->board;
    struct cylinder shape = cylinder_of_piece(b, -b->hole_depth_in);
    bool bare = w->empty && difference_share(w->empty, &shape, (struct pt_in){ 0, 0 }, w->pose, w->tuning) <
                                w->tuning->known_bare_share;
    if (out->count >= MAX_PIECES || bare || !hole_holds_piece(&fit, &shape, &w->look, w->f, w->pose, out, w->tuning))
        return;
    // A piece in the hole has some play there and no more.
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0), off_in = hypot(fit.at.x, fit.at.y);
    double share = off_in > play_in ? play_in / off_in : 1;
    fit.at = (struct pt_in){ share * fit.at.x, share * fit.at.y };
    add(w, &fit);
    w->cylinder[w->count - 1] = shape;
    describe(&out->piece[out->count], w, w->count - 1);
    out->piece[out->count++].plane = IN_HOLE;
}

// The paints of the sides, from the pieces on the surface that explain at least so much.
static int learn_appearances(struct appearance_model out[SIDES_MOST], const struct finding *w, double least_explained)
{
    struct detection_list list = { .count = 0 };
    int of[MAX_PIECES], side[MAX_PIECES], n = 0;
    for (int i = 0; i < w->count; i++) {
        struct detection *piece = &list.piece[list.count];
        if (i >= w->lying && w->fit[i].explained < least_explained)
            continue;
        if (i < w->lying)
            *piece = w->lies->piece[i];
        else
            describe(piece, w, i);
        of[list.count] = i;
        list.count += piece->plane == ON_SURFACE;
    }
    int sides = sides_group(side, &list, w->appearance);
    for (int s = 0; s < sides; s++) {
        struct appearance_samples sampling = { .f = w->f, .shape = &w->shape, .tuning = w->appearance };
        for (int k = 0; k < list.count; k++) {
            struct surroundings near = around(w, of[k]);
            if (side[k] == s)
                appearance_add(&sampling, w->at[of[k]], &near);
        }
        n += appearance_learn(&out[n], &sampling);
    }
    return n;
}

static bool has_one_of(const struct finding *w, struct pt_in at, int self, const struct appearance_model *paint,
                       int paints, double least_outline)
{
    struct surroundings near = around(w, self);
    struct appearance_match look;
    for (int k = 0; k < paints; k++)
        if (appearance_compare(&look, &paint[k], w->f, &w->shape, at, &near) &&
            look.face > w->tuning->paint_coarse_face && look.outline >= least_outline)
            return true;
    return false;
}

// What was refused may have stood in the way of pieces. As hands and shadows stand there too, these must have a known paint.
static void try_freed_room(struct finding *w, const struct hough_peak *peak, int peaks)
{
    struct appearance_model paint[SIDES_MOST];
    struct cylinder_fit likely[HOUGH_PEAKS_MAX] = { { .explained = 0 } };
    int paints = learn_appearances(paint, w, w->tuning->piece_sure_explained), before = w->count, n = 0;
    double way_in = 2 * w->pose->board.piece_radius_in;
    for (int i = 0; i < peaks && paints > 0; i++) {
        bool freed = false;
        for (int k = 0; k < w->refusals && !freed; k++)
            freed = hypot(w->refused[k].x - peak[i].at.x, w->refused[k].y - peak[i].at.y) < way_in;
        n += freed && can_stand(w, peak[i].at) && room_for(w, peak[i].at, -1) &&
             fit_at(&likely[n], w, peak[i].at, -1, FIT_COARSE) && may_be_piece(&likely[n], w->tuning) &&
             has_one_of(w, likely[n].at, -1, paint, paints, 0);
    }
    add_likely(w, likely, n, more_explained_first);
    if (w->count > before)
        settle_all(w, FIT_FINE);
}

// Hypotheses without knowing the light, then in the light that what was found shows.
static int find_all(struct finding *w, const struct hough_peak *peak, int peaks, struct fail *why)
{
    try_peaks(w, peak, peaks);
    settle_all(w, FIT_COARSE);
    int rc = look_at_light(w, why);
    if (rc < 0)
        return rc;
    w->refusals = 0; // in this light some of them are pieces
    try_peaks(w, peak, peaks);
    settle_all(w, FIT_COARSE);
    rc = look_at_light(w, why);
    if (rc < 0)
        return rc;
    settle_all(w, FIT_FINE);
    if (w->refusals > 0)
        try_freed_room(w, peak, peaks);
    return 0;
}

// Discs have two colours. Once both are surely known, what explains less and has neither is glare, a stain, a finger or
// an edge of the board.
static void drop_strangers(struct finding *w)
{
    struct appearance_model paint[SIDES_MOST];
    int paints = w->shape.kind == PIECE_DISC ? learn_appearances(paint, w, w->tuning->piece_sure_explained) : 0;
    for (int i = w->lying; paints == DISC_SIDES && i < w->count;)
        if (w->fit[i].explained < w->tuning->piece_sure_explained &&
            !has_one_of(w, w->at[i], i, paint, paints, w->tuning->paint_least_outline))
            drop(w, i);
        else
            i++;
}

static bool face_at(struct appearance_match *out, const struct finding *w, const struct appearance_model *paint,
                    struct pt_in at)
{
    struct surroundings near = around(w, -1);
    return can_stand(w, at) && room_for(w, at, -1) && appearance_compare(out, paint, w->f, &w->shape, at, &near);
}

// The places that are left, now that the paints of the sides are known from the pieces that were found.
static void look_again(struct finding *w, const struct hough_peak *peak, int peaks)
{
    struct appearance_model paint[SIDES_MOST];
    const struct disc_tuning *t = w->tuning;
    int paints = learn_appearances(paint, w, t->piece_least_explained);
    for (int k = 0; k < paints; k++)
        for (int i = 0; i < peaks && w->count < MAX_PIECES - 1; i++) {
            struct appearance_match look;
            struct cylinder_fit fit;
            struct pt_in at = peak[i].at;
            if (!face_at(&look, w, &paint[k], at) || look.face < t->paint_coarse_face ||
                !fit_at(&fit, w, at, -1, FIT_FINE) || !face_at(&look, w, &paint[k], fit.at) ||
                look.face < t->paint_least_face || look.outline < t->paint_least_outline ||
                look.seen < t->paint_least_seen)
                continue;
            notes_fit(w->f, &(struct fit_note){ at, fit.at, w->shape.radius_in, fit.explained, NULL });
            add(w, &fit);
        }
}

int pieces_find(struct detection_list *out, struct frame *f, const struct board_pose *pose, const struct tuning *tuning,
                struct fail *why)
{
    return pieces_find_on(out, f, pose, &(struct pieces_known){ .empty = NULL }, tuning, why);
}

int pieces_find_on(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                   const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    struct hough_peak peak[HOUGH_PEAKS_MAX];
    struct board_pose sized = *pose;
    double scale;
    *out = (struct detection_list){ .count = 0 };
    if (pose->board.piece == PIECE_MARBLE)
        return marbles_find(out, f, pose, &(struct marbles_known){ &known->lying, known->changed, known->marbles },
                            tuning->marble, why);
    if (disc_evidence_applies(pose, tuning->evidence)) {
        int rc = disc_evidence(out, f, pose, tuning->evidence, why);
        sides_tell_apart(out, tuning->appearance);
        return rc;
    }
    const struct disc_tuning *t = tuning->disc;
    // What all pieces of the picture share beside the light.
    struct edge_prior look = { board_blur_px(pose), t->piece_rounding_in, t->piece_rounding_sigma_in };
    // The pieces are as large as those that lie there already, when enough of them do.
    int rc = 0;
    scale = known->lying.count > 0 ? known->lying.piece[0].radius_in / pose->board.piece_radius_in : 1;
    if (known->lying.count < t->size_least_pieces)
        rc = piece_size_measure(&scale, &look, f, pose, known->empty, t, why);
    if (rc < 0)
        return rc;
    piece_size_apply(&sized.board, scale);
    int peaks = hough_find(peak, HOUGH_PEAKS_MAX, f, &sized, known->empty, t, why);
    if (peaks < 0)
        return peaks;
    struct finding *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory for the pieces");
    w->f = f;
    w->tuning = t;
    w->pose = &sized;
    w->empty = known->empty;
    w->appearance = tuning->appearance;
    w->shape = cylinder_of_piece(&sized.board, 0);
    w->look = look;
    for (int i = 0; i < known->lying.count; i++)
        add(w, &(struct cylinder_fit){ .at = known->lying.piece[i].at });
    w->lying = known->lying.count;
    w->lies = &known->lying;
    if (known->empty) { // where it has changed, though grain and lines drown the votes
        struct pt_in at[HOUGH_PEAKS_MAX];
        for (int i = 0; i < peaks; i++)
            at[i] = peak[i].at;
        int n = difference_hypotheses(at, peaks, HOUGH_PEAKS_MAX, known->empty, &w->shape,
                                      t->known_apart_radii * w->shape.radius_in, &sized, t);
        for (; peaks < n; peaks++)
            peak[peaks] = (struct hough_peak){ .at = at[peaks] };
    }
    rc = find_all(w, peak, peaks, why);
    if (rc < 0)
        goto out;
    drop_strangers(w);
    look_again(w, peak, peaks);
    if (known->empty)
        find_standing_out(w, peak, peaks);
    *out = known->lying;
    for (int i = w->lying; i < w->count; i++)
        describe(&out->piece[out->count++], w, i);
    look_into_hole(out, w);
    sides_tell_apart(out, w->appearance);
out:
    free(w);
    return rc;
}
