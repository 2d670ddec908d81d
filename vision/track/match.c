// SPDX-License-Identifier: MIT
#include "vision/track/match.h"

#include <math.h>
#include <string.h>

#include "vision/track/evidence.h"
#include "vision/track/path.h"

static const double SAME_PLACE_IN = 0.15;   // measuring it twice differs by less
static const double SAME_PLACE_RADII = 0.9; // where the picture did not change, one piece hides another
static const double SHARE_PRESENT = 0.5;    // of the patch
static const double SHARE_UNMOVED = 0.25;   // noise and compression change a small marble's patch so far
static const double SHARE_ALIKE = 0.3;   // of the way from the board's colour to the piece's: side and shadow are in it
static const double SHARE_CHANGED = 0.3; // of a new piece's face
static const double SAME_COLOUR_LAB = 20; // CIE76: lamps and shadow change a piece by less
static const double SURE_OF_TAW = 0.8;
static const double BLOB_THICK = 0.6;     // of a piece's radius: noise and the rims of what has moved are thin
static const double BLOB_SIGMA_IN = 0.15; // of a piece that only its changed pixels show
static const double BLOB_LEAST = 0.4, BLOB_MOST = 4; // its size in areas of a piece, shadow included

static double distance(struct pt_in a, struct pt_in b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

bool match_alike(const struct detection *a, const struct detection *b)
{
    bool sure = a->taw_certainty > SURE_OF_TAW && b->taw_certainty > SURE_OF_TAW;
    if (a->kind != b->kind || (sure && a->taw != b->taw))
        return false;
    double d = 0;
    for (int k = 0; k < 3; k++)
        d += pow(a->lab[k] - b->lab[k], 2);
    return strcmp(a->colour, b->colour) == 0 || sqrt(d) < SAME_COLOUR_LAB;
}

// What nothing can have moved is there as long as some of it shows.
static bool is_present(const struct kept *k, const struct moment *m)
{
    double share = kept_share(k, m->gate);
    bool on_surface = k->piece.plane == ON_SURFACE; // a dark hole without a dark disc shows the half of one
    return share >= SHARE_PRESENT || (on_surface && share >= SHARE_UNMOVED && !path_may_have_moved(m->trail, k));
}

// A hand is beside it, or over it.
static bool may_be_covered(const struct kept *k, const struct moment *m)
{
    if (!m->hand)
        return false;
    double r = kept_radius_px(m->gate, m->pose, k->piece.at), step = m->gate->step;
    int u = (int)(k->piece.px.u / step), v = (int)(k->piece.px.v / step);
    struct blob box = { .left = u, .right = u, .top = v, .bottom = v };
    return trail_hand_within(m->blobs, m->kind, m->gate, &box, r);
}

// 0..1: how much of the piece's face has changed.
static double changed_share(const struct detection *p, const struct moment *m)
{
    struct kept there = { .piece = *p };
    kept_take_patch(&there, m->gate, m->gate->now, m->pose);
    int changed = 0;
    for (int i = 0; i < there.patch.count; i++)
        changed += (m->gate->mask[there.patch.at[i]] & CHANGED) != 0;
    return there.patch.count ? (double)changed / there.patch.count : 0;
}

static bool lies_there(const struct match *found, const struct kept *kept, int k, const struct detection *p)
{
    return found->fate[k] != FATE_LEFT &&
           distance(p->at, kept[k].piece.at) < SAME_PLACE_RADII * kept[k].piece.radius_in;
}

// A piece is seen where one lay that looks otherwise now, but the picture there is as it was: compression and noise did that.
static void stays(struct match *out, const struct kept *kept, int n, const struct detection *p)
{
    for (int k = 0; k < n; k++)
        if (out->fate[k] == FATE_LEFT && distance(p->at, kept[k].piece.at) < SAME_PLACE_IN &&
            match_alike(&kept[k].piece, p)) {
            out->fate[k] = FATE_STAYED;
            out->seen[k] = true;
        }
}

static void find_new(struct match *out, const struct kept *kept, int n, const struct moment *m)
{
    for (int i = 0; i < m->seen->count && out->found_count < MAX_PIECES; i++) {
        const struct detection *p = &m->seen->piece[i];
        int k = 0;
        while (k < n && !lies_there(out, kept, k, p))
            k++;
        if (k < n)
            out->seen[k] = true;
        else if (trail_under_hand(m->blobs, m->kind, m->gate, m->pose, p->px))
            continue;
        else if (m->new_view || changed_share(p, m) > SHARE_CHANGED)
            out->found[out->found_count++] = *p;
        else
            stays(out, kept, n, p);
    }
}

// The nearest pair of a piece without a place and a place without a piece; false when none within `reach_in` is left.
static bool pair_nearest(struct match *out, const struct kept *kept, int n, double reach_in)
{
    int best_k = -1, best_f = -1;
    double best = reach_in;
    for (int k = 0; k < n; k++)
        for (int f = 0; f < out->found_count && out->fate[k] == FATE_LEFT; f++) {
            double d = distance(kept[k].piece.at, out->found[f].at);
            if (out->taken[f] || d >= best || !match_alike(&kept[k].piece, &out->found[f]))
                continue;
            best = d;
            best_k = k;
            best_f = f;
        }
    if (best_k < 0)
        return false;
    out->fate[best_k] = best < SAME_PLACE_IN ? FATE_STAYED : FATE_MOVED;
    out->to[best_k] = best_f;
    out->seen[best_k] = true;
    out->taken[best_f] = true;
    return true;
}

static bool place_is_free(const struct match *out, const struct kept *kept, int n, struct pt_in at)
{
    for (int f = 0; f < out->found_count; f++)
        if (distance(out->found[f].at, at) < 2 * out->found[f].radius_in)
            return false;
    for (int k = 0; k < n; k++)
        if (distance(kept[k].piece.at, at) < 2 * kept[k].piece.radius_in)
            return false;
    return true;
}

static bool blob_place(struct step *out, const struct blob *o, const struct moment *m)
{
    double height = m->pose->board.piece_height_in / 2;
    *out = (struct step){ .t_s = m->t_s, .px = { o->u, o->v } };
    memcpy(out->bgr, o->bgr, sizeof out->bgr);
    memcpy(out->clean, o->clean, sizeof out->clean);
    if (!camera_locate(&out->at, &m->pose->camera, out->px, height))
        return false;
    if (evidence_plane(&m->pose->board, out->at) == IN_DITCH)
        camera_locate(&out->at, &m->pose->camera, out->px, height - m->pose->board.ditch_depth_in);
    double r = kept_radius_px(m->gate, m->pose, out->at), pieces = r > 0 ? o->area / (PI * r * r) : 0;
    return o->thick >= BLOB_THICK * r && pieces >= BLOB_LEAST && pieces <= BLOB_MOST;
}

// The patch most like the piece, at a place where none lies; false when there is none.
static bool likest_patch(struct step *out, const struct match *found, const struct kept *kept, int n,
                         const double lab[3], const struct moment *m)
{
    double most = SHARE_ALIKE;
    for (int i = 0; i < m->blobs->count; i++) {
        struct step s;
        if (m->kind[i] == PATCH_HAND || !blob_place(&s, &m->blobs->item[i], m))
            continue;
        double like = trail_likeness(&s, lab);
        if (like <= most || !place_is_free(found, kept, n, s.at))
            continue;
        most = like;
        *out = s;
    }
    return most > SHARE_ALIKE;
}

int match_blob(struct match *out, const struct kept *kept, int n, const struct detection *like, const struct moment *m)
{
    struct step s;
    if (out->found_count == MAX_PIECES || !likest_patch(&s, out, kept, n, like->lab, m))
        return -1;
    struct detection *p = &out->found[out->found_count];
    *p = *like;
    p->at = s.at;
    p->px = s.px;
    p->plane = evidence_plane(&m->pose->board, s.at);
    p->cov = (struct cov_in2){ BLOB_SIGMA_IN * BLOB_SIGMA_IN, 0, BLOB_SIGMA_IN * BLOB_SIGMA_IN };
    p->support = 0;
    out->taken[out->found_count] = true;
    return out->found_count++;
}

static void find_as_blob(struct match *out, const struct kept *kept, int n, int k, const struct moment *m)
{
    int f = match_blob(out, kept, n, &kept[k].piece, m);
    if (f < 0)
        return;
    out->fate[k] = FATE_MOVED;
    out->to[k] = f;
}

// The finder misses a piece now and then; where the place still looks like it, it has not gone.
static void find_by_colour(struct match *out, const struct kept *kept, int n, const struct moment *m)
{
    for (int k = 0; k < n; k++)
        if (out->fate[k] == FATE_LEFT && isinf(kept[k].absent_since_s) &&
            kept_shows(&kept[k], m->gate, m->gate->now, m->pose))
            out->fate[k] = FATE_STAYED;
}

void match_pieces(struct match *out, const struct kept *kept, int n, const struct moment *m)
{
    *out = (struct match){ 0 };
    for (int k = 0; k < n; k++) {
        bool stayed = !m->new_view && is_present(&kept[k], m);
        out->to[k] = -1;
        out->fate[k] = stayed ? FATE_STAYED : may_be_covered(&kept[k], m) ? FATE_UNDECIDED : FATE_LEFT;
    }
    find_new(out, kept, n, m);
    while (pair_nearest(out, kept, n, SAME_PLACE_IN))
        ;
    if (m->new_view)
        find_by_colour(out, kept, n, m);
    while (pair_nearest(out, kept, n, INFINITY))
        ;
    for (int k = 0; k < n && !m->afresh; k++)
        if (out->fate[k] == FATE_LEFT)
            find_as_blob(out, kept, n, k, m);
}
