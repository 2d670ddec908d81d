// SPDX-License-Identifier: MIT
#include "vision/pieces/discs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/board/clarity.h"
#include "vision/colour.h"
#include "vision/denoise.h"
#include "vision/notes.h"
#include "vision/pieces/cylinder_light.h"
#include "vision/pieces/hole.h"
#include "vision/pieces/noise_floor.h"
#include "vision/pieces/piece_size.h"
#include "vision/pieces/side_classifier.h"

// The solids found so far.
struct standing {
    int count, lying; // the first ones lie untouched, and stay as they are
    struct pt_in at[MAX_PIECES];
    struct cylinder shape[MAX_PIECES];
    struct cylinder_fit fit[MAX_PIECES];
    double probability[MAX_PIECES], covered[MAX_PIECES]; // share that something stands before
};

struct detector {
    struct frame *f;             // what is read: one of the next two
    struct frame *sharp, *quiet; // as the camera took it; without its noise, and the same where there is little
    struct board_pose pose;      // with pieces of the measured size
    const struct pieces_known *known;
    struct pt3_in eye;
    const struct roi *changed;      // nowhere else need be looked; NULL: anywhere
    struct discs_seen *seen, first; // `first`: where nobody keeps it
    const struct tuning *tuning;
    struct edge_prior edge;
    struct cylinder shape; // of every piece on the surface
    struct cylinder peg;   // of every peg
    struct cylinder_light light;
    struct standing standing;
    struct disc_hypotheses *all;
};

// Faces are a few pixels deep, and edges do not vote.
static bool is_flat(const struct detector *w)
{
    return camera_tilt_rad(&w->pose.camera) > w->tuning->evidence.votes_most_tilt_rad;
}

static double apart_in(const struct detector *w)
{
    return 2 * w->pose.board.piece_radius_in - w->tuning->disc.piece_overlap_in;
}

static bool has_room(const struct detector *w, struct pt_in at)
{
    bool room = true;
    for (int i = 0; i < w->standing.count && room; i++)
        room = distance_in(w->standing.at[i], at) >= apart_in(w);
    return room;
}

// A piece whose centre is over the hole would tip into it; one beyond the edge of the surface would fall off.
static bool can_stand(const struct detector *w, struct pt_in at)
{
    const struct board *b = &w->pose.board;
    double r = hypot(at.x, at.y);
    return r > b->hole_radius_in - w->tuning->evidence.hole_clear_in &&
           (b->surface_radius_in <= 0 || r < b->surface_radius_in);
}

static void stand(struct detector *w, const struct cylinder *shape, const struct cylinder_fit *fit, double probability)
{
    struct standing *s = &w->standing;
    s->at[s->count] = fit->at;
    s->fit[s->count] = *fit;
    s->shape[s->count] = *shape;
    s->covered[s->count] = 0;
    s->probability[s->count++] = probability;
}

// What is near a piece and must not be taken for it; `self`: which of the n neighbours is the piece itself, -1: none.
static struct surroundings surroundings_of(const struct detector *w, const struct cylinder *shape,
                                           const struct pt_in *at, int n, int self)
{
    return (struct surroundings){ .board = &w->pose,
                                  .neighbour = shape,
                                  .neighbour_at = at,
                                  .neighbours = n,
                                  .self = self,
                                  .edge = w->edge,
                                  .light = w->light,
                                  .tuning = &w->tuning->disc,
                                  .pegs = &w->seen->pegs,
                                  .empty = w->known->empty,
                                  .peg = w->peg };
}

// Two places so far apart that, as far as fits move, two pieces may stand there.
static bool may_be_two(const struct detector *w, struct pt_in a, struct pt_in b)
{
    return distance_in(a, b) >= apart_in(w) - w->tuning->evidence.fit_most_off_in;
}

// Fits a piece, starting at out->at, beside all that stands there and leaves it room.
static bool fit_beside(struct cylinder_fit *out, const struct detector *w, enum fit_effort effort)
{
    const struct pt_in at = out->at;
    struct pt_in beside[MAX_PIECES];
    struct cylinder shape[MAX_PIECES];
    int n = 0;
    for (int i = 0; i < w->standing.count; i++)
        if (may_be_two(w, w->standing.at[i], at)) {
            beside[n] = w->standing.at[i];
            shape[n++] = w->standing.shape[i];
        }
    struct surroundings near = surroundings_of(w, shape, beside, n, -1);
    // A fit always moves by a few hundredths of an inch, and in a flat view a pixel is more than that.
    struct cov_in2 px = floor_px_cov(&w->pose.camera, at, w->shape.height_in, w->tuning->evidence.fit_most_off_px);
    double reach_in = fmax(w->tuning->evidence.fit_most_off_in, sqrt(px.xx + px.yy));
    return cylinder_fit_run(out, w->f, &w->shape, &near, effort) && can_stand(w, out->at) &&
           distance_in(out->at, at) < reach_in;
}

static void note(const struct detector *w, struct pt_in began, const struct cylinder_fit *fit, const char *lacks)
{
    notes_fit(w->f, &(struct fit_note){ began, fit->at, w->shape.radius_in, fit->explained, lacks });
}

// Where nothing else has changed neither has the light: it is measured again only where more pieces show it than before.
static int measure_light(struct detector *w, struct fail *why)
{
    int lit = w->standing.count < CYLINDER_LIT_PIECES ? w->standing.count : CYLINDER_LIT_PIECES;
    if (w->changed && w->seen->lit >= lit)
        return 0;
    w->seen->lit = lit;
    struct surroundings all = surroundings_of(w, w->standing.shape, w->standing.at, w->standing.count, -1);
    all.pegs = NULL; // thin, and off by a pixel, they cast no shadow that shows the lamp
    return cylinder_light_measure(&w->light, w->f, &all, why);
}

// The hypotheses that are sure without a fit.
static int sure_ones(struct disc_hypothesis *out[MAX_PIECES], const struct detector *w)
{
    return disc_hypotheses_likely(out, w->all, w->tuning->evidence.at_best_sure, apart_in(w));
}

// The pieces are as large as those that lie there already, where enough do; else the plain ones show it. w->pose: of nominal size.
static int measure_size(struct detector *w, struct fail *why)
{
    struct disc_hypothesis *sure[MAX_PIECES];
    struct pt_in at[MAX_PIECES];
    const struct detection_list *lying = &w->known->lying;
    w->all->scale = lying->count > 0 ? lying->piece[0].radius_in / w->pose.board.piece_radius_in : 1;
    if (lying->count >= w->tuning->disc.least_pieces)
        return 0;
    int n = sure_ones(sure, w);
    for (int i = 0; i < n; i++)
        at[i] = sure[i]->at;
    const struct surroundings bare = { .board = &w->pose, .self = -1, .edge = w->edge, .tuning = &w->tuning->disc };
    return piece_size_measure(&w->all->scale, at, n, w->f, &bare, why);
}

static void compare_paint(struct disc_reading *r, const struct disc_reading *sure, const struct detector *w)
{
    double apart = side_paints_apart(r->lab, sure->lab, &w->tuning->appearance);
    r->measure[STRANGE_PAINT] = fmin(r->measure[STRANGE_PAINT], apart);
}

// How far each hypothesis that is worth a fit is from the paints of the sure ones, once two sides of at least two pieces
// are sure: what has neither is a bottle's cap, a finger or a sleeve.
static void compare_paints(struct detector *w, struct disc_hypothesis *const sure[MAX_PIECES], int n)
{
    enum { SIDE_LEAST = 2 };
    struct detection_list list = { .count = n };
    int side[MAX_PIECES], size[SIDES_MOST] = { 0 }, known = 0;
    for (int i = 0; i < n; i++) {
        list.piece[i] = (struct detection){ .kind = w->shape.kind };
        memcpy(list.piece[i].lab, sure[i]->seen.lab, sizeof sure[i]->seen.lab);
    }
    int sides = sides_group(side, &list, &w->tuning->appearance);
    for (int k = 0; k < n; k++)
        size[side[k]]++;
    for (int k = 0; k < sides; k++)
        known += size[k] >= SIDE_LEAST;
    for (int i = 0; i < w->all->count && known >= DISC_SIDES; i++) {
        struct disc_hypothesis *h = &w->all->item[i];
        if (h->at_best < w->tuning->evidence.piece_least) // whatever its paint
            continue;
        h->seen.measure[STRANGE_PAINT] = h->other.measure[STRANGE_PAINT] = w->tuning->evidence.paint_most_sigmas;
        for (int k = 0; k < n; k++)
            if (distance_in(sure[k]->at, h->at) >= apart_in(w)) {
                compare_paint(&h->seen, &sure[k]->seen, w);
                if (h->two_readings)
                    compare_paint(&h->other, &sure[k]->seen, w);
            }
    }
}

// A certain piece leaves no room there, wherever the fit would end. Half of all hypotheses are shadows and rims of pieces, whose fits,
// which do not converge, would take most of the time.
static bool is_taken(const struct detector *w, const struct disc_hypothesis *h)
{
    static const double certain = 0.99;
    bool taken = false;
    for (const struct disc_hypothesis *o = w->all->item; o < h && !taken; o++)
        taken = o->fitted && o->probability >= certain && !may_be_two(w, o->fit.at, h->at);
    return taken;
}

// The sure ones stand meanwhile, so that the others are fitted beside them and in the light measured from them.
static int fit_hypotheses(struct detector *w, struct fail *why)
{
    const struct evidence_tuning *t = &w->tuning->evidence;
    struct standing *s = &w->standing;
    struct disc_hypothesis *sure[MAX_PIECES];
    int n = sure_ones(sure, w);
    for (int i = 0; i < n && s->count < MAX_PIECES - 1; i++)
        stand(w, &w->shape, &(struct cylinder_fit){ .at = sure[i]->at }, sure[i]->at_best);
    compare_paints(w, sure, n);
    int rc = measure_light(w, why);
    for (int i = 0; i < w->all->count && rc == 0; i++) {
        struct disc_hypothesis *h = &w->all->item[i];
        h->probability = 0;
        if (h->at_best < t->piece_least || is_taken(w, h))
            continue;
        h->fit = (struct cylinder_fit){ .at = h->at };
        h->fitted = fit_beside(&h->fit, w, FIT_JUDGE);
        disc_hypothesis_score(h, t);
        for (int k = s->lying; k < s->count && h->fitted; k++)
            if (sure[k - s->lying] == h)
                s->at[k] = h->fit.at; // better known to those that are fitted beside it
        note(w, h->at, &h->fit, h->probability >= t->piece_least ? NULL : "hardly probable");
    }
    s->count = s->lying;
    disc_hypotheses_sort(w->all);
    return rc;
}

// There is room, and the board is not seen bare there.
static bool may_hold_one(const void *self, struct pt_in at)
{
    const struct detector *w = self;
    return has_room(w, at) &&
           background_behind_piece(w->known->empty, &w->eye, at, w->shape.base_in) != BACKGROUND_BARE;
}

// ... and something may have come there since all of the board was measured.
static bool may_be_new(const void *self, struct pt_in at)
{
    const struct detector *w = self;
    return (!w->changed || roi_holds(w->changed, at)) && may_hold_one(w, at);
}

static int find_hypotheses(struct detector *w, struct fail *why)
{
    struct disc_evidence *e = NULL;
    struct peak vote[HOUGH_PEAKS_MAX];
    struct pt_in at[DISC_PLACES];
    struct frame *part = NULL;
    struct board_pose pose = w->pose; // of the part that is looked at
    struct place_filter fresh = { may_be_new, w };
    int votes = 0, n = 0, rc = roi_cut_out(&part, &pose, w->f, w->changed, why);
    if (rc == 0)
        rc = disc_evidence_create(&e, &w->seen->ground, part, &pose, &w->tuning->evidence, why);
    if (rc == 0 && !is_flat(w))
        rc = votes = hough_find(vote, w->seen->grain, part, &pose, w->known->empty, &w->tuning->disc, why);
    if (rc >= 0)
        disc_evidence_set_votes(e, vote, votes);
    if (part != w->f)
        frame_free(part);
    if (rc >= 0 && !w->changed)
        pegs_find(&w->seen->pegs, w->f, &w->pose, &w->tuning->oblique);
    for (int i = 0; rc >= 0 && i < w->seen->pegs.count; i++)
        disc_evidence_hide(e, &w->peg, w->seen->pegs.at[i]);
    if (rc >= 0)
        rc = n = disc_evidence_places(at, e, fresh, why);
    w->all->count = 0;
    for (int i = 0; rc >= 0 && i < n; i++)
        w->all->item[w->all->count++].at = at[i];
    struct disc_scene scene = { e,           &w->shape,           w->known->empty,     w->eye, w->seen->pegs.count,
                                apart_in(w), { may_hold_one, w }, &w->tuning->evidence };
    if (rc >= 0) {
        disc_hypotheses_measure(w->all, &scene);
        rc = measure_size(w, why);
    }
    if (rc >= 0 && w->all->scale != 1) {
        piece_size_apply(&w->pose.board, w->all->scale);
        w->shape = cylinder_of_piece(&w->pose.board, 0);
        disc_evidence_resize(e, &w->pose.board);
        scene.apart_in = apart_in(w);
        disc_hypotheses_measure(w->all, &scene);
    }
    if (rc >= 0)
        disc_hypotheses_measure_beside(w->all, &scene);
    disc_evidence_free(e);
    return rc < 0 ? rc : 0;
}

// Pieces are judged with these, by which the weights of the score were fitted.
static struct edge_prior edges_to_judge_by(const struct detector *w)
{
    const struct disc_tuning *t = &w->tuning->disc;
    return (struct edge_prior){ board_blur_px(&w->pose, &w->tuning->board), t->piece_rounding_in,
                                t->piece_rounding_sigma_in };
}

// Reads that one of the frames from here on, with the blur of its edges.
static void read_in(struct detector *w, struct frame *f, const struct board_pose *pose)
{
    w->f = f;
    w->pose.clarity.fit_blur_px =
        hypot(board_blur_px(pose, &w->tuning->board), f == w->sharp ? 0 : w->seen->denoise_px);
    w->edge.blur_px = w->pose.clarity.fit_blur_px;
}

static void forget_view(struct detector *w)
{
    w->changed = NULL;
    *w->seen = (struct discs_seen){ .ground = { .known = false } };
    w->light = w->seen->light;
}

// Pieces are detected in a denoised copy, or in the frame itself where that has little noise. Noise comes with dusk and goes when a lamp
// is lit: what was measured of the view through another blur is then measured anew.
static int leave_out_noise(struct detector *w, struct fail *why)
{
    static const double grows = 1.5; // from frame to frame noise differs by some hundredths
    const struct evidence_tuning *t = &w->tuning->evidence;
    struct discs_seen *seen = w->seen;
    double across_px = 2 * w->shape.radius_in * camera_middle_px_per_in(&w->pose.camera);
    double noise[3];
    picture_noise(noise, w->sharp);
    double blur_px = denoise_blur_px(noise[0], t->noise_most, t->denoise_most * across_px);
    bool other = noise[0] > grows * seen->noise || seen->noise > grows * noise[0];
    if (w->changed && other && blur_px != seen->denoise_px)
        forget_view(w);
    if (!w->changed) {
        seen->noise = noise[0];
        seen->denoise_px = blur_px;
    }
    return seen->denoise_px > 0 ? frame_denoised(&w->quiet, w->sharp, seen->denoise_px, why) : 0;
}

static void begin(struct detector *w, struct frame *f, const struct board_pose *pose, const struct pieces_known *known,
                  struct disc_hypotheses *all, const struct tuning *tuning)
{
    w->f = w->sharp = w->quiet = f;
    w->pose = *pose;
    w->known = known;
    w->seen = known->discs ? known->discs : &w->first;
    w->changed = w->seen->ground.known ? known->changed : NULL;
    if (w->changed)
        w->light = w->seen->light;
    else
        forget_view(w);
    w->tuning = tuning;
    w->eye = camera_position(&pose->camera);
    w->edge = edges_to_judge_by(w);
    w->shape = cylinder_of_piece(&pose->board, 0);
    w->peg = (struct cylinder){ .kind = PIECE_DISC,
                                .radius_in = pose->board.peg_radius_in,
                                .height_in = tuning->evidence.peg_height_in };
    w->all = all;
    for (int i = 0; i < known->lying.count && i < MAX_PIECES; i++)
        stand(w, &w->shape, &(struct cylinder_fit){ .at = known->lying.piece[i].at }, known->lying.piece[i].certainty);
    w->standing.lying = w->standing.count;
}

// Greedy selection: the most probable first, each where it has room.
static void select_pieces(struct detector *w)
{
    for (int i = 0; i < w->all->count && w->standing.count < MAX_PIECES - 1; i++) {
        const struct disc_hypothesis *h = &w->all->item[i];
        struct cylinder_fit fit = h->fit;
        if (h->probability < w->tuning->evidence.piece_least)
            break;
        if (!h->fitted) { // known to so many pixels each way, which are more inches in depth
            double bgr[3];
            fit = (struct cylinder_fit){ .at = h->at };
            fit.cov = floor_px_cov(&w->pose.camera, h->at, w->shape.height_in, w->tuning->evidence.place_sigma_px);
            colour_lab_to_bgr(bgr, h->seen.lab);
            colour_from_bgr(fit.top, bgr);
        }
        if (has_room(w, fit.at) && can_stand(w, fit.at)) {
            stand(w, &w->shape, &fit, h->probability);
            w->standing.covered[w->standing.count - 1] = h->seen.measure[COVERED];
        }
    }
}

// A set comes from one maker: all pieces together show how round their edges are better than each.
static void pool_edges(struct detector *w)
{
    const struct standing *s = &w->standing;
    double rounding_in[MAX_PIECES];
    int n = 0;
    for (int i = s->lying; i < s->count; i++)
        rounding_in[n++] = s->fit[i].rounding_in;
    w->edge.rounding_in = median_of(rounding_in, n);
    w->edge.rounding_sigma_in = w->tuning->disc.maker_rounding_sigma_in / sqrt(n);
}

// Fits each piece again, now that its neighbours are known, in the light measured from all of them, and measures that light again.
static int refine_pieces(struct detector *w, struct fail *why)
{
    // One or two pieces do not part the roundness of their edges from their reflections in a polished board: it is taken to be as usual.
    enum { ROUNDS = 2, SET_LEAST = 3 };
    struct standing *s = &w->standing;
    int rc = 0;
    const bool set = s->count - s->lying >= SET_LEAST;
    if (set)
        w->edge.rounding_sigma_in = w->tuning->disc.maker_rounding_sigma_in;
    for (int round = 0; round < ROUNDS && rc == 0; round++) {
        if (set && round > 0)
            pool_edges(w);
        rc = measure_light(w, why);
        for (int i = s->lying; i < s->count && rc == 0; i++) {
            // Seen flat, a piece hardly shows its edges: what the first fit made of them is no place to begin.
            struct cylinder_fit fit = s->fit[i];
            if (is_flat(w))
                fit = (struct cylinder_fit){ .at = s->at[i] };
            if (!fit_beside(&fit, w, round < ROUNDS - 1 ? FIT_NEAR : FIT_PLACE))
                continue;
            note(w, s->at[i], &fit, NULL);
            s->fit[i] = fit;
            s->at[i] = fit.at;
        }
    }
    w->seen->light = w->light;
    return rc;
}

static void describe(struct detection *out, const struct detector *w, int i)
{
    const struct cylinder_fit *fit = &w->standing.fit[i];
    const struct cylinder *s = &w->standing.shape[i];
    double seen_at_in = s->base_in + s->height_in;
    *out = (struct detection){ .kind = s->kind,
                               .plane = ON_SURFACE,
                               .at = fit->at,
                               .radius_in = w->pose.board.piece_radius_in,
                               .certainty = w->standing.probability[i],
                               .support = fit->support };
    out->cov = floor_cov(fit->cov, &w->pose, fit->at, seen_at_in, DISC_FLOOR_SIGMA_IN);
    double flat_px = is_flat(w) ? w->tuning->evidence.flat_sigma_px : 0;
    double clipped_px =
        floor_clipped_px(w->f, &w->pose, (struct pt3_in){ fit->at.x, fit->at.y, seen_at_in },
                         s->radius_in + w->tuning->disc.window_margin_in, w->edge.blur_px, &w->tuning->board);
    double more_px = hypot(hypot(flat_px, clipped_px), w->standing.covered[i] * w->tuning->evidence.covered_sigma_px);
    if (more_px > 0)
        out->cov = cov_sum(out->cov, floor_px_cov(&w->pose.camera, fit->at, seen_at_in, more_px));
    colour_to_lab(out->lab, fit->top);
    out->ground_l = disc_ground_l(&w->seen->ground, fit->at);
    camera_project(&out->px, &w->pose.camera, (struct pt3_in){ fit->at.x, fit->at.y, seen_at_in });
}

// The one piece that leaves no room for another in the hole; -1: none, or several, or it lies untouched.
static int rival_of_hole(const struct detector *w)
{
    const struct standing *s = &w->standing;
    int rival = -1, rivals = 0;
    for (int i = 0; i < s->count; i++)
        if (hypot(s->at[i].x, s->at[i].y) < apart_in(w)) {
            rival = i;
            rivals++;
        }
    return rivals == 1 && rival >= s->lying ? rival : -1;
}

static void look_into_hole(struct detection_list *out, struct hole_hypothesis *hole, struct detector *w)
{
    const struct board *b = &w->pose.board;
    const struct pt_in middle = { 0, 0 };
    const struct standing *s = &w->standing;
    // A piece that stands out of the hole lets none overhang it; but at a slant a rival may be just that piece's face.
    bool stands_out = b->piece_height_in > b->hole_depth_in, room = !stands_out || has_room(w, middle);
    int rival = room ? -1 : rival_of_hole(w);
    struct surroundings near = surroundings_of(w, s->shape, s->at, s->count, rival);
    near.light = (struct cylinder_light){ .far = 0 }; // its floor lies in light of its own
    near.edge = edges_to_judge_by(w);
    struct detection_list others = *out;
    if (rival >= 0) {
        others.count--;
        memmove(&others.piece[rival], &others.piece[rival + 1], sizeof *others.piece * (size_t)(others.count - rival));
    }
    *hole = (struct hole_hypothesis){ .shape = cylinder_of_piece(b, -b->hole_depth_in) };
    if (others.count >= MAX_PIECES || s->count >= MAX_PIECES ||
        background_behind_piece(w->known->empty, &w->eye, middle, hole->shape.base_in) == BACKGROUND_BARE ||
        (!room && rival < 0))
        return;
    hole_look(hole, w->f, &near, &others, w->known->paints, is_flat(w), &w->tuning->evidence);
    // At a slant a piece in the hole looks much like one beside it: the likelier one stays, unless it would tip into the hole.
    bool tips = rival >= 0 && hypot(s->at[rival].x, s->at[rival].y) < b->hole_radius_in;
    if (hole->probability < w->tuning->evidence.piece_least ||
        (rival >= 0 && !tips && s->probability[rival] >= hole->probability))
        return;
    // A piece in the hole has some play there and no more.
    struct cylinder_fit fit = hole->fit;
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0), off_in = hypot(fit.at.x, fit.at.y);
    double share = off_in > play_in ? play_in / off_in : 1;
    fit.at = (struct pt_in){ share * fit.at.x, share * fit.at.y };
    stand(w, &hole->shape, &fit, hole->probability);
    *out = others;
    describe(&out->piece[out->count], w, s->count - 1);
    out->piece[out->count].ground_l = 0; // it lies in light of its own
    out->piece[out->count++].plane = IN_HOLE;
}

int discs_find(struct detection_list *out, struct disc_hypotheses *tried, struct frame *f,
               const struct board_pose *pose, const struct pieces_known *known, const struct tuning *tuning,
               struct fail *why)
{
    struct detector *w = calloc(1, sizeof *w);
    struct disc_hypotheses *all = calloc(1, sizeof *all);
    int rc = w && all ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the pieces");
    if (rc == 0) {
        begin(w, f, pose, known, all, tuning);
        rc = leave_out_noise(w, why);
    }
    if (rc == 0) {
        read_in(w, w->quiet, pose);
        rc = find_hypotheses(w, why);
    }
    if (rc == 0)
        rc = fit_hypotheses(w, why);
    if (rc == 0) {
        select_pieces(w);
        read_in(w, w->sharp, pose); // where they lie is known best from all that the camera saw
        rc = refine_pieces(w, why);
    }
    if (rc == 0) {
        read_in(w, w->quiet, pose);
        *out = known->lying;
        for (int i = w->standing.lying; i < w->standing.count; i++)
            describe(&out->piece[out->count++], w, i);
        look_into_hole(out, &all->hole, w);
        if (known->ditch)
            rc = ditch_find(out, &all->ditch, w->quiet, &w->pose, tuning, why);
    }
    if (rc == 0 && tried)
        *tried = *all;
    if (w && w->quiet != w->sharp)
        frame_free(w->quiet);
    free(w);
    free(all);
    return rc;
}
