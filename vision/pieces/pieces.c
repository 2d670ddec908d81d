// SPDX-License-Identifier: MIT
#include "vision/pieces/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/inspect.h"
#include "vision/notes.h"
#include "vision/pieces/changed.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/hole.h"
#include "vision/pieces/known_paint.h"
#include "vision/pieces/marbles.h"
#include "vision/pieces/sides.h"
#include "vision/pieces/size.h"
#include "vision/pieces/solid_fit.h"
#include "vision/pieces/stand_out.h"
#include "vision/pieces/votes.h"

// What a fit must show to be a piece. Pieces that the picture shows whole explain 0.7 and more; wood, lines and fingers
// explain as much only where a slightly larger or smaller piece would do as well.
static const double LEAST_EXPLAINED = 0.6, SURE_EXPLAINED = 0.9;
static const double LEAST_CONTRAST = 4.2;   // times the ground's scatter
static const double LEAST_SUPPORT = 0.8;    // an arm or its shadow steps on two sides alone
static const double GLANCE_EXPLAINED = 0.3; // neighbours not yet known take most of what a piece explains
static const double GLANCE_LARGER = 0.03, GLANCE_SMALLER = 0.04; // and look like more of it
static const double MOST_LARGER = 0.01;                          // a sharp shadow looks like more of it
static const double MOST_SMALLER = 0.02;                         // a rim in shadow looks like ground
static const double MOST_SIZE_SLACK = -0.03;                     // sum of the changes for a larger and a smaller piece
static const double RING_LARGER = -0.01;
static const double ROUNDING_IN = 0.06, ROUNDING_SIGMA_IN = 0.01; // edges are eased to 1/16 in
static const double KNOWN_EXPLAINED = 0.8;                        // against a known board lines and grain are no excuse
static const double KNOWN_CONTRAST =
    12; // times the noise; a shadow has more than a piece that has less, and is taken for it
static const double KNOWN_LARGER = 0.03;   // against a known board
static const double FAINT_SIGMA_IN = 0.05; // shadows that hardly differ from a piece move it so far: 0.06 rms measured
static const double MOST_APART_IN = 0.15;  // of two fits of one piece: a third of its contact shadow
static const double ANOTHER_RADII = 1.25;  // nearer than that, a fit from a place with votes gets there
// What a place must show of a side's paint to be a piece of that side; places that are none show less than half of it, but
// that a surface's edge may pass for half of an outline.
static const double LEAST_FACE = 0.8, LEAST_PAINT_OUTLINE = 0.7, LEAST_PAINT_SEEN = 0.7, GLANCE_FACE = 0.4;
static const double OVERLAP_SLACK_IN = 0.12; // solids do not share room; two fits may, by their errors

enum { ENOUGH_FOR_SIZE = 3 }; // pieces: one or two may be something else

struct finding {
    const struct frame *f;
    const struct board_pose *pose;
    const struct background *empty; // NULL: a photo, of which nobody knows it
    struct solid solid;
    const struct detection_list *lies; // what lies there untouched
    int count, lying;                  // the first ones are those
    struct solid_fit fit[MAX_PIECES];
    struct pt_in at[MAX_PIECES];
    struct solid shape[MAX_PIECES];
    struct pt_in refused[MAX_PIECES]; // places that looked likely, and are none
    int refusals;
    struct solid_look look;
    struct solid_light light;
};

static bool may_be_piece(const struct solid_fit *fit)
{
    return fit->explained > GLANCE_EXPLAINED && fit->larger < GLANCE_LARGER && fit->smaller < GLANCE_SMALLER;
}

static bool has_outline(const struct solid_fit *fit)
{
    return fit->explained > LEAST_EXPLAINED && fit->support > LEAST_SUPPORT && fit->smaller < MOST_SMALLER &&
           fit->larger + fit->smaller < MOST_SIZE_SLACK;
}

// A larger ring misses the hole as well as the outline: where one would do as well there is a finger, or a shadow.
static bool is_piece(const struct solid_fit *fit, const struct solid *s)
{
    double larger = s->hole_in > 0 ? RING_LARGER : MOST_LARGER;
    return has_outline(fit) && fit->contrast > LEAST_CONTRAST && fit->larger < larger;
}

// Against a known board less contrast will do, for nothing painted on it is taken for a piece; its contact shadow may look
// like a little more of it.
static bool stands_out(const struct solid_fit *fit)
{
    return has_outline(fit) && fit->larger < KNOWN_LARGER && fit->explained > KNOWN_EXPLAINED &&
           fit->contrast > KNOWN_CONTRAST;
}

static bool room_for(const struct finding *w, struct pt_in at, int except)
{
    for (int i = 0; i < w->count; i++)
        if (i != except &&
            hypot(w->at[i].x - at.x, w->at[i].y - at.y) < 2 * w->pose->board.piece_radius_in - OVERLAP_SLACK_IN)
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
static const char *weakest(const struct solid_fit *fit)
{
    double explained = fit->explained / LEAST_EXPLAINED, contrast = fit->contrast / LEAST_CONTRAST;
    double support = fit->support / LEAST_SUPPORT, least = fmin(explained, fmin(contrast, support));
    if (least >= 1)
        return "other size";
    return least == explained ? "explains little" : least == contrast ? "contrast" : "outline";
}

static struct surroundings around(const struct finding *w, int except)
{
    return (struct surroundings){ w->pose, w->shape, w->at, w->count, except, w->look, w->light };
}

static bool fit_at(struct solid_fit *fit, const struct finding *w, struct pt_in at, int except, enum solid_care care)
{
    struct surroundings near = around(w, except);
    *fit = (struct solid_fit){ .at = at };
    bool stands = solid_fit_run(fit, w->f, &w->solid, &near, care) && can_stand(w, fit->at);
    bool holds = stands && (care == SOLID_GLANCE ? may_be_piece(fit) : is_piece(fit, &w->solid));
    const char *lacks = holds ? NULL : stands ? weakest(fit) : "cannot stand";
    notes_fit(w->f, &(struct fit_note){ at, fit->at, w->solid.radius_in, fit->explained, lacks });
    return stands;
}

static void add(struct finding *w, const struct solid_fit *fit)
{
    w->fit[w->count] = *fit;
    w->at[w->count] = fit->at;
    w->shape[w->count++] = w->solid;
}

static void drop(struct finding *w, int i)
{
    w->count--;
    w->fit[i] = w->fit[w->count];
    w->at[i] = w->at[w->count];
    w->shape[i] = w->shape[w->count];
}

static int more_explained_first(const void *a, const void *b)
{
    const struct solid_fit *p = a, *q = b;
    return (p->explained < q->explained) - (p->explained > q->explained);
}

// What has a shadow in its face is not where the piece is.
static int more_even_first(const void *a, const void *b)
{
    const struct solid_fit *p = a, *q = b;
    return (p->uneven > q->uneven) - (p->uneven < q->uneven);
}

// The best first: a shadow beside a piece may look more like one than what is left of it.
static void add_likely(struct finding *w, struct solid_fit *likely, int n, int (*order)(const void *, const void *))
{
    qsort(likely, (size_t)n, sizeof *likely, order);
    for (int i = 0; i < n && w->count < MAX_PIECES - 1; i++)
        if (room_for(w, likely[i].at, -1))
            add(w, &likely[i]);
}

// A glance at every place, then the best first: a shadow beside a piece may draw more votes than the piece.
static void try_peaks(struct finding *w, const struct vote_peak *peak, int peaks)
{
    struct solid_fit likely[VOTE_PEAKS_MAX] = { { .explained = 0 } };
    int n = 0;
    for (int i = 0; i < peaks; i++)
        n += can_stand(w, peak[i].at) && room_for(w, peak[i].at, -1) &&
             fit_at(&likely[n], w, peak[i].at, -1, SOLID_GLANCE) && may_be_piece(&likely[n]);
    add_likely(w, likely, n, more_explained_first);
}

// Each piece once more, now that its neighbours are known; what does not hold is dropped.
static void settle_all(struct finding *w, enum solid_care holds)
{
    for (int i = w->lying; i < w->count;) {
        struct solid_fit fit;
        bool stands = fit_at(&fit, w, w->at[i], i, SOLID_CARE);
        if (!stands || !(holds == SOLID_CARE ? is_piece(&fit, &w->solid) : may_be_piece(&fit))) {
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
static void look_at_light(struct finding *w)
{
    struct pt_in at[MAX_PIECES];
    struct solid shape[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->count; i++)
        if (i < w->lying || is_piece(&w->fit[i], &w->solid)) {
            at[n] = w->at[i];
            shape[n++] = w->shape[i];
        }
    struct surroundings near = { w->pose, shape, at, n, -1, w->look, w->light };
    solid_light_measure(&w->light, w->f, &near);
}

// Where a photo would have it, whose model of a piece's edges is the finer one, unless that takes a shadow for a part of the
// piece. What the two differ by, neither knows.
static void place_faint(struct finding *w, int i)
{
    struct solid_fit fit;
    double x = 0, y = 0, floor = FAINT_SIGMA_IN * FAINT_SIGMA_IN;
    if (fit_at(&fit, w, w->at[i], i, SOLID_CARE)) {
        x = fit.at.x - w->at[i].x;
        y = fit.at.y - w->at[i].y;
    }
    struct cov_in2 *cov = &w->fit[i].cov;
    *cov = (struct cov_in2){ cov->xx + x * x + floor, cov->xy + x * y, cov->yy + y * y + floor };
    if (hypot(x, y) > 0 && hypot(x, y) < MOST_APART_IN)
        w->fit[i].at = w->at[i] = fit.at;
}

// What no photo would show: places where the known empty board has changed by the whole of a piece.
static void find_standing_out(struct finding *w, const struct vote_peak *peak, int peaks)
{
    struct solid_fit likely[VOTE_PEAKS_MAX] = { { .explained = 0 } };
    int n = 0;
    for (int i = 0; i < peaks; i++) {
        struct surroundings near = around(w, -1);
        struct solid_fit *fit = &likely[n];
        *fit = (struct solid_fit){ .at = peak[i].at };
        if (!can_stand(w, fit->at) || !room_for(w, fit->at, -1) ||
            changed_face(w->empty, &w->solid, fit->at, w->pose) < CHANGED_ALL ||
            !stand_out_fit(fit, w->f, w->empty, &w->solid, &near) || !can_stand(w, fit->at))
            continue;
        bool holds = stands_out(fit);
        notes_fit(w->f, &(struct fit_note){ peak[i].at, fit->at, w->solid.radius_in, fit->explained,
                                            holds ? NULL : weakest(fit) });
        n += holds;
    }
    int from = w->count;
    add_likely(w, likely, n, more_even_first);
    for (int i = from; i < w->count; i++)
        place_faint(w, i);
}

static void describe(struct detection *out, const struct finding *w, int i)
{
    const struct solid_fit *fit = &w->fit[i];
    const struct solid *s = &w->shape[i];
    double seen_at_in = s->base_in + s->height_in;
    *out = (struct detection){ .kind = s->kind,
                               .plane = ON_SURFACE,
                               .at = fit->at,
                               .radius_in = w->pose->board.piece_radius_in,
                               .taw_certainty = 1,
                               .support = fit->support };
    out->cov = floor_cov(fit->cov, w->pose, fit->at, seen_at_in, DISC_FLOOR_SIGMA_IN);
    colour_to_lab(out->lab, fit->top);
    camera_project(&out->px, &w->pose->camera, (struct pt3_in){ fit->at.x, fit->at.y, seen_at_in });
}

// A piece in the hole has some play there and no more.
static struct pt_in within_hole(const struct board *b, struct pt_in at)
{
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0), off_in = hypot(at.x, at.y);
    double share = off_in > play_in ? play_in / off_in : 1;
    return (struct pt_in){ share * at.x, share * at.y };
}

static void look_into_hole(struct detection_list *out, struct finding *w)
{
    struct solid_fit fit;
    struct solid shape = solid_of_piece(&w->pose->board, -w->pose->board.hole_depth_in);
    bool bare = w->empty && changed_face(w->empty, &shape, (struct pt_in){ 0, 0 }, w->pose) < CHANGED_NOT;
    if (out->count >= MAX_PIECES || bare || !hole_holds_piece(&fit, &shape, &w->look, w->f, w->pose, out))
        return;
    fit.at = within_hole(&w->pose->board, fit.at);
    add(w, &fit);
    w->shape[w->count - 1] = shape;
    describe(&out->piece[out->count], w, w->count - 1);
    out->piece[out->count++].plane = IN_HOLE;
}

// What all pieces of the picture share beside the light.
static struct solid_look look_of(const struct frame *f, const struct board_pose *pose)
{
    return (struct solid_look){ board_blur_px(f, pose), ROUNDING_IN, ROUNDING_SIGMA_IN };
}

// The paints of the sides, from the pieces on the surface that explain at least so much.
static int know_paints(struct known_paint out[SIDES_MOST], const struct finding *w, double least_explained)
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
    int sides = sides_group(side, &list);
    for (int s = 0; s < sides; s++) {
        struct paint_sampling sampling = { .f = w->f, .solid = &w->solid };
        for (int k = 0; k < list.count; k++) {
            struct surroundings near = around(w, of[k]);
            if (side[k] == s)
                known_paint_add(&sampling, w->at[of[k]], &near);
        }
        n += known_paint_of(&out[n], &sampling);
    }
    return n;
}

static bool has_one_of(const struct finding *w, struct pt_in at, int self, const struct known_paint *paint, int paints,
                       double least_outline)
{
    struct surroundings near = around(w, self);
    struct paint_look look;
    for (int k = 0; k < paints; k++)
        if (known_paint_look(&look, &paint[k], w->f, &w->solid, at, &near) && look.face > GLANCE_FACE &&
            look.outline >= least_outline)
            return true;
    return false;
}

static bool near_refused(const struct finding *w, struct pt_in at, double reach_in)
{
    for (int i = 0; i < w->refusals; i++)
        if (hypot(w->refused[i].x - at.x, w->refused[i].y - at.y) < reach_in)
            return true;
    return false;
}

// What was refused may have stood in the way of pieces. As hands and shadows stand there too, these must have a known paint.
static void try_freed_room(struct finding *w, const struct vote_peak *peak, int peaks)
{
    struct known_paint paint[SIDES_MOST];
    struct solid_fit likely[VOTE_PEAKS_MAX] = { { .explained = 0 } };
    int paints = know_paints(paint, w, SURE_EXPLAINED), before = w->count, n = 0;
    double way_in = 2 * w->pose->board.piece_radius_in;
    for (int i = 0; i < peaks && paints > 0; i++)
        n += near_refused(w, peak[i].at, way_in) && can_stand(w, peak[i].at) && room_for(w, peak[i].at, -1) &&
             fit_at(&likely[n], w, peak[i].at, -1, SOLID_GLANCE) && may_be_piece(&likely[n]) &&
             has_one_of(w, likely[n].at, -1, paint, paints, 0);
    add_likely(w, likely, n, more_explained_first);
    if (w->count > before)
        settle_all(w, SOLID_CARE);
}

// Places and fits without knowing the light, then in the light that what was found shows.
static void find_all(struct finding *w, const struct vote_peak *peak, int peaks)
{
    try_peaks(w, peak, peaks);
    settle_all(w, SOLID_GLANCE);
    look_at_light(w);
    w->refusals = 0; // in this light some of them are pieces
    try_peaks(w, peak, peaks);
    settle_all(w, SOLID_GLANCE);
    look_at_light(w);
    settle_all(w, SOLID_CARE);
    if (w->refusals > 0)
        try_freed_room(w, peak, peaks);
}

// Discs have two colours. Once both are surely known, what explains less and has neither is glare, a stain, a finger or
// an edge of the board.
static void drop_strangers(struct finding *w)
{
    struct known_paint paint[SIDES_MOST];
    int paints = w->solid.kind == PIECE_DISC ? know_paints(paint, w, SURE_EXPLAINED) : 0;
    for (int i = w->lying; paints == DISC_SIDES && i < w->count;)
        if (w->fit[i].explained < SURE_EXPLAINED && !has_one_of(w, w->at[i], i, paint, paints, LEAST_PAINT_OUTLINE))
            drop(w, i);
        else
            i++;
}

static bool face_at(struct paint_look *out, const struct finding *w, const struct known_paint *paint, struct pt_in at)
{
    struct surroundings near = around(w, -1);
    return can_stand(w, at) && room_for(w, at, -1) && known_paint_look(out, paint, w->f, &w->solid, at, &near);
}

static void try_peak_again(struct finding *w, const struct known_paint *paint, struct pt_in at)
{
    struct paint_look look;
    struct solid_fit fit;
    if (w->count == MAX_PIECES - 1 || !face_at(&look, w, paint, at) || look.face < GLANCE_FACE ||
        !fit_at(&fit, w, at, -1, SOLID_CARE) || !face_at(&look, w, paint, fit.at) || look.face < LEAST_FACE ||
        look.outline < LEAST_PAINT_OUTLINE || look.seen < LEAST_PAINT_SEEN)
        return;
    notes_fit(w->f, &(struct fit_note){ at, fit.at, w->solid.radius_in, fit.explained, NULL });
    add(w, &fit);
}

// The places that are left, now that the paints of the sides are known from the pieces that were found.
static void look_again(struct finding *w, const struct vote_peak *peak, int peaks)
{
    struct known_paint paint[SIDES_MOST];
    int paints = know_paints(paint, w, LEAST_EXPLAINED);
    for (int k = 0; k < paints; k++)
        for (int i = 0; i < peaks; i++)
            try_peak_again(w, &paint[k], peak[i].at);
}

// How large the pieces are: as large as those that lie there already, when enough of them do.
static int measure_size(double *scale, const struct solid_look *look, const struct frame *f,
                        const struct board_pose *pose, const struct pieces_known *known, struct fail *why)
{
    *scale = known->lying.count > 0 ? known->lying.piece[0].radius_in / pose->board.piece_radius_in : 1;
    return known->lying.count >= ENOUGH_FOR_SIZE ? 0 : size_measure(scale, look, f, pose, known->empty, why);
}

// Where the empty board has changed, though grain and lines drown the votes.
static int add_changed_places(struct vote_peak *peak, int peaks, const struct finding *w)
{
    struct pt_in at[VOTE_PEAKS_MAX];
    for (int i = 0; i < peaks; i++)
        at[i] = peak[i].at;
    int n = changed_add(at, peaks, VOTE_PEAKS_MAX, w->empty, &w->solid, ANOTHER_RADII * w->solid.radius_in, w->pose);
    for (int i = peaks; i < n; i++)
        peak[i] = (struct vote_peak){ .at = at[i] };
    return n;
}

static void take_lying(struct finding *w, const struct detection_list *lying)
{
    for (int i = 0; i < lying->count; i++)
        add(w, &(struct solid_fit){ .at = lying->piece[i].at });
    w->lying = lying->count;
    w->lies = lying;
}

static void give_out(struct detection_list *out, struct finding *w, const struct detection_list *lying)
{
    *out = *lying;
    for (int i = w->lying; i < w->count; i++)
        describe(&out->piece[out->count++], w, i);
    look_into_hole(out, w);
    sides_tell_apart(out);
}

int pieces_find(struct detection_list *out, struct frame *f, const struct board_pose *pose, const struct tuning *tuning,
                struct fail *why)
{
    return pieces_find_on(out, f, pose, &(struct pieces_known){ .empty = NULL }, tuning, why);
}

int pieces_find_on(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                   const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    (void)tuning;
    struct vote_peak peak[VOTE_PEAKS_MAX];
    struct board_pose sized = *pose;
    double scale;
    *out = (struct detection_list){ .count = 0 };
    if (pose->board.piece == PIECE_MARBLE)
        return marbles_find(out, f, pose, &known->lying, known->changed, known->marbles, why);
    struct solid_look look = look_of(f, pose);
    int rc = measure_size(&scale, &look, f, pose, known, why);
    if (rc < 0)
        return rc;
    size_apply(&sized.board, scale);
    int peaks = votes_find(peak, VOTE_PEAKS_MAX, f, &sized, known->empty, why);
    if (peaks < 0)
        return peaks;
    struct finding *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_EIO, "no memory for the pieces");
    w->f = f;
    w->pose = &sized;
    w->empty = known->empty;
    w->solid = solid_of_piece(&sized.board, 0);
    w->look = look;
    take_lying(w, &known->lying);
    if (known->empty)
        peaks = add_changed_places(peak, peaks, w);
    find_all(w, peak, peaks);
    drop_strangers(w);
    look_again(w, peak, peaks);
    if (known->empty)
        find_standing_out(w, peak, peaks);
    give_out(out, w, &known->lying);
    free(w);
    return 0;
}
