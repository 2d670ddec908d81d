// SPDX-License-Identifier: MIT
#include "vision/track/association.h"

#include <math.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"

static double from_middle_in(struct pt_in at)
{
    return hypot(at.x, at.y);
}

bool association_same_paint(const struct detection *a, const struct detection *b, const struct track_tuning *tuning)
{
    bool known = strcmp(a->colour, COLOUR_UNKNOWN) != 0;
    double b_there[3] = { b->lab[0], b->lab[1], b->lab[2] };
    if (a->ground_l > 0 && b->ground_l > 0) // a lamp lights one end of a carpet and not the other
        colour_lab_in_light(b_there, b->lab, b->ground_l, a->ground_l);
    return (known && strcmp(a->colour, b->colour) == 0) ||
           colour_lab_distance(a->lab, b_there) < tuning->same_paint_lab;
}

bool association_alike(const struct detection *a, const struct detection *b, const struct track_tuning *tuning)
{
    bool sure = a->certainty > tuning->taw_sure && b->certainty > tuning->taw_sure;
    return a->kind == b->kind && !(sure && a->taw != b->taw) && association_same_paint(a, b, tuning);
}

// 0..1: how much of the piece's face has changed.
static double changed_share(const struct detection *p, const struct moment *m)
{
    struct track there = { .piece = *p };
    track_take_template(&there, m->changes, m->changes->now);
    int changed = 0;
    for (int i = 0; i < there.face.count; i++)
        changed += (m->changes->mask[there.face.at[i]] & CHANGED) != 0;
    return there.face.count ? (double)changed / there.face.count : 0;
}

// A track stays after all: a piece like it is found there, and the picture has not changed. Compression or noise
// altered its look.
static void stays(struct association *out, const struct detection *p, const struct track_tuning *tuning)
{
    for (int k = 0; k < out->tracks; k++)
        if (out->fate[k] == FATE_LEFT && distance_in(p->at, out->track[k].piece.at) < tuning->same_place_in &&
            association_alike(&out->track[k].piece, p, tuning)) {
            out->fate[k] = FATE_STAYED;
            out->seen[k] = true;
        }
}

// How far apart two measurements of one place may be.
static double errors_of_both_in(const struct detection *a, const struct detection *b, const struct track_tuning *t)
{
    return fmax(t->same_place_new_view_in, t->same_place_sigmas * hypot(cov_sigma(&a->cov), cov_sigma(&b->cov)));
}

// How near to a track another piece can be measured: two solids do not overlap, but for the errors of both.
static double room_beside_in(const struct detection *a, const struct detection *b, const struct track_tuning *t)
{
    return fmax(a->radius_in + b->radius_in - errors_of_both_in(a, b, t), t->same_place_radii * a->radius_in);
}

// The track that the finder sees there, where it lay or where it lies now; -1: none.
static int track_seen_there(const struct association *a, const struct detection *seen, const struct track_tuning *t)
{
    for (int k = 0; k < a->tracks; k++) {
        struct pt_in lies = a->fate[k] == FATE_MOVED ? a->new_place[a->to[k]].at : a->track[k].piece.at;
        if (a->fate[k] != FATE_LEFT && distance_in(seen->at, lies) < room_beside_in(&a->track[k].piece, seen, t))
            return k;
    }
    return -1;
}

// Discs are put down to be shot on the outermost line.
static bool lies_to_be_shot(const struct detection *p, const struct board *b)
{
    return fabs(from_middle_in(p->at) - b->circle_in[0]) < 2 * b->piece_radius_in;
}

// Is one that is surer, and may itself be told now, new beside the same hand?
static bool surer_is_new_beside(const struct association *a, const struct detection *p, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    for (int i = 0; i < m->seen->count; i++) {
        const struct detection *other = &m->seen->piece[i];
        bool told = (other->certainty >= t->piece_sure || lies_to_be_shot(other, &m->pose->board)) &&
                    !change_under_hand(m->patches, other->px);
        if (told && other->certainty > p->certainty && distance_in(other->at, p->at) < t->hand_beside_in &&
            association_hand_near(m->patches, other) && track_seen_there(a, other, t) < 0)
            return true;
    }
    return false;
}

// What first appears beside a hand while all tracks lie still may be fingers and their shadows: a marble, which is shot
// out of the hand, unless it surely is a taw; a disc that is in doubt, unless it is the surest that is new there and
// lies to be shot, maybe before the hand has gone. A piece that lies there is found again once the hand has gone.
static bool may_be_fingers(const struct association *out, const struct detection *p, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    bool departs = false;
    for (int k = 0; k < out->tracks; k++)
        departs |= out->fate[k] == FATE_LEFT;
    if (!m->hand || m->new_view || departs || !association_hand_near(m->patches, p))
        return false;
    if (p->kind == PIECE_MARBLE)
        return !(p->taw && p->certainty > t->taw_sure);
    return p->certainty < t->piece_sure && (!lies_to_be_shot(p, &m->pose->board) || surer_is_new_beside(out, p, m));
}

// Touched: something ran by, a part of its place looks otherwise, and it lies beside it by more than measuring errs. Of
// what has a hand beside it a part is hidden: it is not told, for it may only be measured badly.
static bool was_nudged(const struct track *k, const struct detection *now, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    double d = distance_in(now->at, k->piece.at);
    double x = (now->at.x - k->piece.at.x) / fmax(d, 1e-9), y = (now->at.y - k->piece.at.y) / fmax(d, 1e-9);
    double sigma_in = hypot(cov_along(&now->cov, x, y), cov_along(&k->piece.cov, x, y));
    return d > t->same_place_sigmas * sigma_in && track_share(k, m->changes) < t->whole_share &&
           !isinf(trajectory_left_unseen_s(m->motions, k)) && !(m->hand && association_hand_near(m->patches, now));
}

// The track in whose place or nearest to it the finder saw that; negative where none lay so near.
static int nearest_track(const struct association *a, const struct detection *seen, const struct track_tuning *t)
{
    int nearest = -1;
    double least = INFINITY;
    for (int k = 0; k < a->tracks; k++) {
        double d = distance_in(seen->at, a->track[k].piece.at);
        if (a->fate[k] == FATE_LEFT || d >= fmin(least, room_beside_in(&a->track[k].piece, seen, t)))
            continue;
        least = d;
        nearest = k;
    }
    return nearest;
}

// Of the tracks that stay, those that were nudged.
static void find_nudged(struct association *out, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    const struct detection *now[MAX_PIECES] = { NULL }; // what was seen nearest to each
    for (int i = 0; i < m->seen->count && !m->new_view; i++) {
        const struct detection *p = &m->seen->piece[i];
        int k = nearest_track(out, p, t);
        if (k >= 0 &&
            (!now[k] || distance_in(p->at, out->track[k].piece.at) < distance_in(now[k]->at, out->track[k].piece.at)))
            now[k] = p;
    }
    for (int k = 0; k < out->tracks && out->new_places < MAX_PIECES; k++) {
        const struct track *was = &out->track[k];
        if (!now[k] || out->fate[k] != FATE_STAYED || was->piece.plane != ON_SURFACE || now[k]->plane != ON_SURFACE ||
            !association_alike(&was->piece, now[k], t) || !was_nudged(was, now[k], m))
            continue;
        out->fate[k] = FATE_MOVED;
        out->to[k] = out->new_places;
        out->taken[out->new_places] = out->seen[k] = out->nudged[k] = true;
        out->new_place[out->new_places++] = *now[k];
    }
}

void association_forget_nudges(struct association *a)
{
    for (int k = 0; k < a->tracks; k++)
        if (a->nudged[k]) {
            a->nudged[k] = false;
            a->fate[k] = FATE_STAYED;
            a->to[k] = -1; // its new place stays taken: it is no other piece's
        }
}

static void find_new(struct association *out, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    for (int i = 0; i < m->seen->count && out->new_places < MAX_PIECES; i++) {
        const struct detection *p = &m->seen->piece[i];
        int k = track_seen_there(out, p, t);
        if (k >= 0)
            out->seen[k] = true;
        else if (change_under_hand(m->patches, p->px) || may_be_fingers(out, p, m))
            continue;
        // A piece that hardly differs from the board changes hardly a pixel, and may be found some measurements late.
        else if (m->new_view || changed_share(p, m) > t->new_share || detection_stands_out(p, m->empty, m->pose))
            out->new_place[out->new_places++] = *p;
        else
            stays(out, p, t);
    }
}

// How far apart one piece may be measured in two views: as far as the errors of both allow, but never half a piece.
static double reach_in_another_view_in(const struct detection *a, const struct detection *b,
                                       const struct track_tuning *tuning)
{
    return fmin(errors_of_both_in(a, b, tuning), a->radius_in);
}

// How far from its place a piece that did not move may be measured.
static double same_place_in(const struct track *k, const struct detection *now, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    return m->new_view ? fmax(t->same_place_in, reach_in_another_view_in(&k->piece, now, t)) : t->same_place_in;
}

// Associates the nearest pair of a departed track and a new place. `in_place`: only a pair within one place. False when
// no pair is left.
static bool pair_nearest(struct association *out, bool in_place, const struct moment *m)
{
    int best_k = -1, best_f = -1;
    double best = INFINITY;
    for (int k = 0; k < out->tracks; k++)
        for (int f = 0; f < out->new_places && out->fate[k] == FATE_LEFT; f++) {
            double d = distance_in(out->track[k].piece.at, out->new_place[f].at);
            if (out->taken[f] || d >= best || (in_place && d >= same_place_in(&out->track[k], &out->new_place[f], m)) ||
                !association_alike(&out->track[k].piece, &out->new_place[f], m->changes->tuning))
                continue;
            best = d;
            best_k = k;
            best_f = f;
        }
    if (best_k < 0)
        return false;
    out->fate[best_k] = in_place ? FATE_STAYED : FATE_MOVED;
    out->to[best_k] = best_f;
    out->seen[best_k] = true;
    out->taken[best_f] = true;
    return true;
}

// The track stays where it was. Two pieces cannot lie in one place, so what is found there is its piece, measured worse
// than usual.
static void stays_as_seen(struct association *out, int k, const struct detection *piece)
{
    double nearest = piece->radius_in;
    out->fate[k] = FATE_STAYED;
    for (int f = 0; f < out->new_places; f++) {
        double d = distance_in(piece->at, out->new_place[f].at);
        if (out->taken[f] || d >= nearest)
            continue;
        nearest = d;
        out->to[k] = f;
    }
    out->seen[k] = out->to[k] >= 0;
    if (out->to[k] >= 0)
        out->taken[out->to[k]] = true;
}

// Which plane a piece stands on there: the hole, the surface, the ditch, or the floor outside.
static enum piece_place plane_at(const struct board *b, struct pt_in at)
{
    double r = hypot(at.x, at.y);
    if (b->surface_radius_in <= 0)
        return ON_SURFACE;
    if (b->hole_radius_in > 0 && r < b->hole_radius_in)
        return IN_HOLE;
    return r > b->surface_radius_in ? IN_DITCH : ON_SURFACE;
}

// No track lies there, nor lay there: what it bares is no piece. But a disc may fall into the hole that it lay beside.
static bool place_is_free(const struct association *out, const struct board *b, struct pt_in at)
{
    for (int f = 0; f < out->new_places; f++)
        if (distance_in(out->new_place[f].at, at) < 2 * out->new_place[f].radius_in)
            return false;
    for (int k = 0; k < out->tracks; k++) {
        bool lies = out->fate[k] == FATE_STAYED || out->fate[k] == FATE_UNDECIDED;
        if ((lies || plane_at(b, at) != IN_HOLE) &&
            distance_in(out->track[k].piece.at, at) < 2 * out->track[k].piece.radius_in)
            return false;
    }
    return true;
}

bool association_is_bare(struct pt_in at, const struct moment *m)
{
    const struct board *b = &m->pose->board;
    struct pt3_in eye = camera_position(&m->pose->camera);
    double foot_in = plane_at(b, at) == IN_HOLE ? -b->hole_depth_in : 0;
    return background_behind_piece(m->empty, &eye, at, foot_in) == BACKGROUND_BARE;
}

int association_find_patch(struct association *out, const struct detection *like, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    double most = t->alike_share, sigma_in = t->patch_sigma_in;
    double height_in = m->pose->board.piece_height_in / 2;
    struct motion best = { 0 };
    for (int i = 0; i < m->patches->count; i++) {
        const struct change_patch *o = &m->patches->item[i];
        struct motion s = motion_of_patch(o, m->t_s);
        s.pieces = 1; // what rests is not smeared: what else its patch holds is shadow
        if (o->kind == PATCH_HAND || o->kind == PATCH_GHOST || !camera_locate(&s.at, &m->pose->camera, s.px, height_in))
            continue;
        if (plane_at(&m->pose->board, s.at) == IN_DITCH)
            camera_locate(&s.at, &m->pose->camera, s.px, height_in - m->pose->board.ditch_depth_in);
        double r = change_piece_radius_px(m->changes, s.at), pieces = r > 0 ? o->area / (PI * r * r) : 0;
        if (o->thick < t->resting_thick_radii * r || pieces < t->resting_least_pieces ||
            pieces > t->resting_most_pieces) // too thin, too small or too large
            continue;
        double alike = motion_likeness(&s, like->lab, t);
        if (alike <= most || !place_is_free(out, &m->pose->board, s.at) || association_is_bare(s.at, m))
            continue;
        most = alike;
        best = s;
    }
    if (out->new_places == MAX_PIECES || !(most > t->alike_share))
        return -1;
    struct detection *p = &out->new_place[out->new_places];
    *p = *like;
    p->at = best.at;
    p->px = best.px;
    if (strcmp(like->colour, COLOUR_UNKNOWN) == 0)
        colour_bgr_to_lab(p->lab, best.bgr); // sharper than while it ran
    p->plane = plane_at(&m->pose->board, best.at);
    p->cov = (struct cov_in2){ sigma_in * sigma_in, 0, sigma_in * sigma_in };
    p->support = 0;
    out->taken[out->new_places] = true;
    return out->new_places++;
}

// After a cut. The scene is the same when at least half of the tracks lie there still: then those keep their identity,
// else none does. Nothing is said of how a piece came or went.
static void associate_scene(struct association *out, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    int lay = 0, lies = 0;
    for (int k = 0; k < out->tracks; k++) {
        out->fate[k] = FATE_LEFT;
        out->to[k] = -1;
    }
    out->new_places = m->seen->count;
    memcpy(out->new_place, m->seen->piece, (size_t)m->seen->count * sizeof *out->new_place);
    for (int k = 0; k < out->tracks; k++) {
        double nearest = INFINITY;
        for (int f = 0; f < out->new_places; f++) {
            double d = distance_in(out->track[k].piece.at, out->new_place[f].at);
            if (out->taken[f] || d >= nearest || !association_alike(&out->track[k].piece, &out->new_place[f], t) ||
                d > reach_in_another_view_in(&out->track[k].piece, &out->new_place[f], t))
                continue;
            nearest = d;
            out->to[k] = f;
        }
        if (out->to[k] >= 0)
            out->taken[out->to[k]] = true; // two pieces are never so near that one could take the other's
        lay += isinf(out->track[k].absent_since_s);
        lies += out->to[k] >= 0;
    }
    bool same = 2 * lies >= lay;
    for (int k = 0; k < out->tracks && same; k++)
        if (out->to[k] >= 0) {
            out->fate[k] = FATE_STAYED;
            out->seen[k] = true;
        }
    if (!same)
        memset(out->taken, 0, sizeof out->taken);
}

void association_find(struct association *out, const struct track *tracks, int n, const struct moment *m)
{
    const struct track_tuning *t = m->changes->tuning;
    *out = (struct association){ .track = tracks, .tracks = n };
    if (m->cut) {
        associate_scene(out, m);
        return;
    }
    for (int k = 0; k < n; k++) {
        double r = change_piece_radius_px(m->changes, tracks[k].piece.at);
        bool covered = m->hand && change_hand_near(m->patches, tracks[k].piece.px, r);
        // What nothing can have moved is there while some of it shows; but a dark empty hole shows half of a dark disc.
        double share = track_share(&tracks[k], m->changes);
        bool shows = share >= t->unmoved_share && tracks[k].piece.plane == ON_SURFACE;
        bool looks_so = share >= t->absent_share || (shows && !trajectory_may_have_moved(m->motions, &tracks[k]));
        bool stayed = !m->new_view && looks_so && !track_bares(&tracks[k], m->empty, m->pose);
        out->to[k] = -1;
        out->fate[k] = stayed ? FATE_STAYED : covered ? FATE_UNDECIDED : FATE_LEFT;
    }
    find_nudged(out, m);
    find_new(out, m);
    while (pair_nearest(out, true, m))
        ;
    // The finder misses a piece now and then: where the place still looks like it, it stays.
    for (int k = 0; k < n && m->new_view; k++)
        if (out->fate[k] == FATE_LEFT && isinf(tracks[k].absent_since_s) &&
            track_shows(&tracks[k], m->changes, m->changes->now))
            stays_as_seen(out, k, &tracks[k].piece);
    while (pair_nearest(out, false, m))
        ;
    for (int k = 0; k < n && !m->reacquired; k++) {
        int f = out->fate[k] == FATE_LEFT ? association_find_patch(out, &tracks[k].piece, m) : -1;
        if (f < 0)
            continue;
        out->fate[k] = FATE_MOVED;
        out->to[k] = f;
    }
}

// Reduced pixels.
static double hand_reach_px(const struct change_detector *d, struct pt_in at)
{
    return d->tuning->hand_beside_in / d->pose->board.piece_radius_in * change_piece_radius_px(d, at);
}

bool association_hand_near(const struct change_patches *p, const struct detection *piece)
{
    return change_hand_near(p, piece->px, hand_reach_px(p->changes, piece->at));
}

bool association_hand_since(const struct change_patches *p, const struct detection *piece, double since_s)
{
    return change_hand_since(p, piece->px, hand_reach_px(p->changes, piece->at), since_s);
}

bool association_by_shot(const struct track *k, const struct detection *now, const struct moment *moment)
{
    const struct board *b = &moment->pose->board;
    const struct motions *m = moment->motions;
    const struct track_tuning *t = m->tuning;
    bool beyond =
        b->kind == BOARD_CIRCLES && hypot(k->piece.at.x, k->piece.at.y) > b->circle_in[0] + b->piece_radius_in;
    if (k->piece.plane != ON_SURFACE || beyond)
        return false; // only a hand lifts a piece out of a hole or a ditch
    if (!k->hand_near || trajectory_leaves(m, k))
        return true;
    if (now && !association_hand_since(moment->patches, now, k->there_until_s))
        return true;
    int steps = 0;
    double last_s = -INFINITY, far = 0;
    for (int i = 0; i < m->count; i++) {
        const struct motion *s = &m->item[i];
        double after = s->t_s - k->absent_since_s, d = distance_in(s->at, k->piece.at);
        if (after < 0 || after > t->leaves_within_s || s->t_s == last_s ||
            motion_likeness(s, k->piece.lab, t) < t->alike_share)
            continue;
        // It began to move some time before the frame in which it was first missed.
        if (d <= far + t->step_least_diameters * 2 * b->piece_radius_in ||
            d > t->fastest_in_s * (after + t->lost_after_s / 2))
            continue;
        far = d;
        last_s = s->t_s;
        steps++;
    }
    return steps >= t->shot_steps_least;
}

// Where it will be in the next picture, at constant velocity.
static struct pt_in next_point(const struct trajectory *path)
{
    const struct trajectory_point *is = &path->point[path->count - 1], *was = path->count > 1 ? is - 1 : is;
    return (struct pt_in){ 2 * is->at.x - was->at.x, 2 * is->at.y - was->at.y };
}

// Over the edge of the surface; on a carpet, which has none, over the ring's line.
static bool leads_out(const struct trajectory *path, const struct board *b)
{
    double farthest_in = from_middle_in(next_point(path));
    double edge_in = b->surface_radius_in > 0 ? b->surface_radius_in - b->piece_radius_in : b->circle_in[0];
    for (int i = 0; i < path->count; i++)
        farthest_in = fmax(farthest_in, from_middle_in(path->point[i].at));
    return farthest_in > edge_in;
}

// The last motion that shows its paint without being taken for a smear: what has come to lie in the hole is none, and
// glare or a shadow that moves over it has a little of any paint.
static const struct motion *last_clear_of(const struct motions *m, const double lab[3], double since_s)
{
    for (int i = m->count - 1; i >= 0 && m->item[i].t_s >= since_s; i--) {
        struct motion as_it_is = m->item[i];
        as_it_is.pieces = 1;
        if (motion_likeness(&as_it_is, lab, m->tuning) >= m->tuning->alike_share)
            return &m->item[i];
    }
    return NULL;
}

enum piece_place association_left_for(const struct motions *m, const struct track *k, double since_s,
                                      const struct board *b)
{
    const struct motion *last = last_clear_of(m, k->piece.lab, since_s);
    struct pt_in at = last ? last->at : k->piece.at;
    struct trajectory own;
    trajectory_follow(&own, m, k);
    if (leads_out(&own, b))
        return b->surface_radius_in > 0 ? IN_DITCH : OFF_BOARD;
    if (b->hole_radius_in <= 0 || (!last && own.count <= 2)) // one place that may be light is no run
        return UNSEEN;
    // Does its way from the last picture to the next cross the hole?
    double passes_in = distance_to_way_in((struct pt_in){ 0, 0 }, own.point[own.count - 1].at, next_point(&own));
    return fmin(from_middle_in(at), passes_in) < b->hole_radius_in ? IN_HOLE : UNSEEN;
}
