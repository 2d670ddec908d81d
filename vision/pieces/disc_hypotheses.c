// SPDX-License-Identifier: MIT
#include "vision/pieces/disc_hypotheses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"

// From a flat view a rim takes no votes, and what has a piece's width is shadows and arms more often than not; from a steep one neither
// what is hidden nor what is covered counts.
static double piece_logit(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    if (m[FLAT] > 0)
        return t->flat_bias + t->flat_over_spill * m[LOG_CONTRAST_OVER_SPILL] + t->flat_step * m[STEP_LOW] +
               t->flat_ground_odd * m[LOG_GROUND_ODD] + t->flat_top_chroma * m[LOG_TOP_AB] +
               t->flat_from_empty * m[LOG_FROM_EMPTY] + t->flat_over_hole * m[OVER_HOLE] + t->flat_hidden * m[HIDDEN] +
               t->flat_covered * m[COVERED] + t->flat_support * m[FIT_SUPPORT] + t->flat_explained * m[FIT_EXPLAINED] +
               t->flat_larger * m[FIT_LARGER] + t->flat_covered_larger * m[FIT_COVERED_LARGER] +
               t->known_faint * m[FAINT];
    return t->steep_bias + t->steep_over_spill * m[LOG_CONTRAST_OVER_SPILL] + t->steep_step * m[STEP_LOW] +
           t->steep_ground_odd * m[LOG_GROUND_ODD] + t->steep_top_chroma * m[LOG_TOP_AB] +
           t->steep_from_empty * m[LOG_FROM_EMPTY] + t->steep_votes * m[VOTES] + t->steep_over_hole * m[OVER_HOLE] +
           t->steep_support * m[FIT_SUPPORT] + t->steep_explained * m[FIT_EXPLAINED] + t->steep_larger * m[FIT_LARGER] +
           t->steep_uneven * m[FIT_UNEVEN] + t->known_faint * m[FAINT];
}

double disc_hypothesis_at_best(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    double best[HYPOTHESIS_MEASURES];
    memcpy(best, m, sizeof best);
    best[FIT_SUPPORT] = best[FIT_EXPLAINED] = 1;
    best[FIT_LARGER] = -t->larger_lacks_most;
    best[FIT_COVERED_LARGER] = m[COVERED] > 0 ? best[FIT_LARGER] : 0;
    best[FIT_UNEVEN] = 0;
    return logistic(piece_logit(best, t));
}

// By all measures.
static double score_of(const double m[HYPOTHESIS_MEASURES], const struct evidence_tuning *t)
{
    double p = logistic(piece_logit(m, t));
    return m[STRANGE_PAINT] >= t->paint_most_sigmas ? fmin(p, t->third_paint_most) : p;
}

// One that is seen whole, or behind something. False where nothing can be seen.
static bool measure(struct disc_hypothesis *h, const struct disc_scene *s)
{
    struct disc_reading *whole = &h->seen, swap;
    if ((s->may.may && !s->may.may(s->may.self, h->at)) || !disc_evidence_at(whole->measure, whole->lab, s->e, h->at))
        return false;
    bool differs = background_behind_piece(s->empty, &s->eye, h->at, s->shape->base_in) == BACKGROUND_DIFFERS;
    whole->measure[FAINT] = differs ? fmin(fmax(s->t->known_plain - whole->measure[LOG_FROM_EMPTY], 0), 1) : 0;
    h->at_best = disc_hypothesis_at_best(whole->measure, s->t);
    h->other = *whole;
    h->two_readings =
        h->at_best < s->t->at_best_sure && disc_evidence_behind(h->other.measure, h->other.lab, s->e, h->at);
    double behind = h->two_readings ? disc_hypothesis_at_best(h->other.measure, s->t) : 0;
    if (behind > h->at_best) {
        h->at_best = behind;
        swap = h->seen;
        h->seen = h->other;
        h->other = swap;
    }
    h->probability = h->at_best;
    return true;
}

// One more place, unless the list has one so near, or is full.
static void add(struct disc_hypotheses *all, struct pt_in at, double same_place_in)
{
    bool fresh = all->count < DISC_PLACES;
    for (int i = 0; i < all->count && fresh; i++)
        fresh = distance_in(all->item[i].at, at) >= same_place_in;
    if (fresh)
        all->item[all->count++] = (struct disc_hypothesis){ .at = at };
}

static double score_reading(struct disc_reading *r, const struct disc_hypothesis *h, const struct evidence_tuning *t)
{
    double *m = r->measure;
    if (h->fitted) {
        m[FIT_EXPLAINED] = fmax(h->fit.explained, 0);
        m[FIT_SUPPORT] = h->fit.support;
        m[FIT_LARGER] = fmax(h->fit.explained + h->fit.larger, 0) - m[FIT_EXPLAINED];
        if (m[FLAT] > 0)
            m[FIT_LARGER] = fmax(m[FIT_LARGER], -t->larger_lacks_most);
        m[FIT_COVERED_LARGER] = m[COVERED] > 0 ? m[FIT_LARGER] : 0;
        m[FIT_UNEVEN] = h->fit.uneven;
    }
    return score_of(m, t);
}

void disc_hypothesis_score(struct disc_hypothesis *h, const struct evidence_tuning *t)
{
    h->probability = score_reading(&h->seen, h, t);
    double other = h->two_readings ? score_reading(&h->other, h, t) : 0;
    if (other > h->probability) {
        h->probability = other;
        h->seen = h->other;
    }
}

static int more_probable(const void *a, const void *b)
{
    double x = ((const struct disc_hypothesis *)a)->probability, y = ((const struct disc_hypothesis *)b)->probability;
    return (x < y) - (x > y);
}

void disc_hypotheses_sort(struct disc_hypotheses *all)
{
    qsort(all->item, (size_t)all->count, sizeof *all->item, more_probable);
}

int disc_hypotheses_likely(struct disc_hypothesis *out[MAX_PIECES], struct disc_hypotheses *all, double least,
                           double apart_in)
{
    int n = 0;
    for (int i = 0; i < all->count && n < MAX_PIECES; i++) {
        struct disc_hypothesis *h = &all->item[i];
        bool room = h->at_best >= least;
        for (int k = 0; k < n && room; k++)
            room = distance_in(out[k]->at, h->at) >= apart_in;
        if (room)
            out[n++] = h;
    }
    return n;
}

void disc_hypotheses_measure(struct disc_hypotheses *all, const struct disc_scene *s)
{
    int n = 0;
    for (int i = 0; i < all->count; i++) {
        struct disc_hypothesis h = { .at = all->item[i].at };
        if (measure(&h, s))
            all->item[n++] = h;
    }
    all->count = n;
    disc_hypotheses_sort(all);
}

// A likely piece, and what was found around it.
struct beside {
    struct pt_in at, refined;
    bool crowded; // by other likely pieces; else nothing new is known of it, and it is not refined
    struct disc_touching touching;
};

// As in the round before, where what is seen there is as it was.
static void look_around(struct beside *b, const struct disc_evidence *e, const struct beside *before, int n)
{
    for (int i = 0; i < n; i++)
        if (before[i].at.x == b->at.x && before[i].at.y == b->at.y && before[i].crowded == b->crowded &&
            disc_evidence_as_before(e, b->at)) {
            *b = before[i];
            return;
        }
    disc_evidence_touching(&b->touching, e, b->at);
    if (b->crowded)
        b->refined = disc_evidence_refined(e, b->at);
}

// From here on these are hidden, and the pegs.
static void hide_all(const struct pt_in *at, int n, const struct disc_scene *s)
{
    disc_evidence_reveal(s->e, s->pegs);
    for (int i = 0; i < n; i++)
        disc_evidence_hide(s->e, s->shape, at[i]);
}

static void look_beside_likely(struct disc_hypotheses *all, const struct disc_scene *s)
{
    enum { ROUNDS = 4 };
    struct beside beside[MAX_PIECES] = { { .crowded = false } }, before[MAX_PIECES];
    struct pt_in at[MAX_PIECES] = { { .x = 0 } };
    for (int round = 0, count = 0; round < ROUNDS; round++) {
        struct disc_hypothesis *likely[MAX_PIECES];
        int n = disc_hypotheses_likely(likely, all, s->t->at_best_likely, s->apart_in), same = 0;
        for (int i = 0; i < n && n == count; i++)
            same += distance_in(likely[i]->at, beside[i].at) < s->t->same_place_in;
        if (n == same) // what would be hidden was hidden when all were looked at
            break;
        memcpy(before, beside, sizeof *before * (size_t)count);
        for (int i = 0; i < n; i++)
            at[i] = likely[i]->at;
        hide_all(at, n, s);
        for (int i = 0; i < n; i++) {
            struct beside *b = &beside[i];
            *b = (struct beside){ .at = at[i] };
            for (int k = 0; k < n; k++)
                b->crowded |= k != i && distance_in(at[k], b->at) < 2 * s->apart_in;
            look_around(b, s->e, before, count);
            for (int k = 0; k < b->touching.count; k++)
                add(all, b->touching.at[k], s->t->same_place_in);
            if (b->crowded)
                add(all, b->refined, s->t->same_place_in);
        }
        count = n;
        disc_hypotheses_measure(all, s);
    }
}

// Pieces that touch, none of which is likely by itself, for it shows the others where its ground should be.
enum { GROUP_MOST = 3 }; // 4 found no more on 20 rendered boards

struct group {
    int count;
    struct disc_hypothesis item[GROUP_MOST];
};

static void hide_group(const struct group *g, const struct disc_scene *s)
{
    for (int i = 0; i < g->count; i++)
        disc_evidence_hide(s->e, s->shape, g->item[i].at);
}

// Each member where it is likeliest beside the others; `hidden`: solids that are hidden whatever else is. Whether all are sure there.
static bool look_at_group(struct group *g, const struct disc_scene *s, int hidden)
{
    bool sure = true;
    disc_evidence_reveal(s->e, hidden);
    hide_group(g, s);
    for (int i = 0; i < g->count; i++)
        g->item[i].at = disc_evidence_refined(s->e, g->item[i].at);
    disc_evidence_reveal(s->e, hidden);
    hide_group(g, s);
    for (int i = 0; i < g->count && sure; i++) {
        sure = measure(&g->item[i], s) && g->item[i].at_best >= s->t->at_best_sure;
        for (int k = 0; k < i && sure; k++)
            sure = distance_in(g->item[k].at, g->item[i].at) >= s->apart_in;
    }
    return sure;
}

// One more, which touches one of them, where it is likeliest. False where none may be.
static bool add_touching(struct group *g, const struct disc_scene *s)
{
    double best = s->t->piece_least;
    const int n = g->count;
    for (int k = 0; k < n; k++) {
        struct disc_touching touching;
        disc_evidence_touching(&touching, s->e, g->item[k].at);
        for (int i = 0; i < touching.count; i++) {
            struct disc_hypothesis h = { .at = touching.at[i] };
            bool better = measure(&h, s) && h.at_best > best;
            for (int m = 0; m < n && better; m++)
                better = distance_in(g->item[m].at, h.at) >= s->apart_in;
            if (better) {
                g->item[n] = h;
                g->count = n + 1;
                best = h.at_best;
            }
        }
    }
    return g->count > n;
}

// With that place those that touch it, or one of them. Whether all are sure there.
static bool group_with(struct group *g, const struct disc_hypothesis *first, const struct disc_scene *s, int hidden)
{
    bool sure = false;
    *g = (struct group){ 1, { *first } };
    hide_group(g, s);
    while (!sure && g->count < GROUP_MOST && add_touching(g, s))
        sure = look_at_group(g, s, hidden);
    return sure;
}

// Two on either side of a place; how likely the less likely of them is.
static double look_at_pair(struct group *g, struct pt_in middle, double turn_rad, const struct disc_scene *s,
                           int hidden)
{
    double x = cos(turn_rad) * s->apart_in / 2, y = sin(turn_rad) * s->apart_in / 2, likely = 1;
    *g = (struct group){ 2, { { .at = { middle.x - x, middle.y - y } }, { .at = { middle.x + x, middle.y + y } } } };
    disc_evidence_reveal(s->e, hidden);
    hide_group(g, s);
    for (int i = 0; i < g->count && likely > 0; i++)
        likely = measure(&g->item[i], s) ? fmin(likely, g->item[i].at_best) : 0;
    return likely;
}

// What is likeliest alone, of two of one colour, is a place between them. Whether both are sure where they are likeliest.
static bool pair_around(struct group *g, const struct disc_hypothesis *middle, const struct disc_scene *s, int hidden)
{
    enum { TURNS = 8 };
    double best = 0;
    for (int i = 0; i < TURNS; i++) {
        struct group pair;
        double likely = look_at_pair(&pair, middle->at, PI * i / TURNS, s, hidden);
        if (likely > best) {
            best = likely;
            *g = pair;
        }
    }
    return best > 0 && look_at_group(g, s, hidden);
}

static bool has_room_among(const struct pt_in *stands, int n, struct pt_in at, double apart_in)
{
    bool room = true;
    for (int i = 0; i < n && room; i++)
        room = distance_in(stands[i], at) >= apart_in;
    return room;
}

// The same of a member of a group, which may be one of those that stand, better placed.
static bool has_room_beside(const struct pt_in *stands, int n, struct pt_in at, double apart_in)
{
    bool room = true;
    for (int i = 0; i < n && room; i++) {
        double d_in = distance_in(stands[i], at);
        room = d_in >= apart_in || d_in < apart_in / 2; // nearer to it than to any neighbour of it
    }
    return room;
}

// Whether all of a group have room beside those that stand, and not all of it stands already.
static bool is_new(const struct group *g, const struct pt_in *stands, int n, double apart_in)
{
    bool room = true, fresh = false;
    for (int k = 0; k < g->count && room; k++) {
        room = has_room_beside(stands, n, g->item[k].at, apart_in);
        fresh |= has_room_among(stands, n, g->item[k].at, apart_in);
    }
    return room && fresh;
}

typedef bool group_finder(struct group *g, const struct disc_hypothesis *at, const struct disc_scene *s, int hidden);

// Adds what is sure in a group that is found at a place that is less likely than that alone. Whether there is any.
static bool add_groups(struct disc_hypotheses *all, const struct disc_scene *s, group_finder *find, double likely_most)
{
    struct disc_hypothesis *likely[MAX_PIECES];
    struct pt_in stands[MAX_PIECES] = { { .x = 0 } };
    const int count = all->count;
    int n = disc_hypotheses_likely(likely, all, s->t->at_best_likely, s->apart_in);
    bool any = false;
    for (int i = 0; i < n; i++)
        stands[i] = likely[i]->at;
    for (int i = 0; i < count; i++) {
        const struct disc_hypothesis *first = &all->item[i];
        struct pt_in others[MAX_PIECES] = { { .x = 0 } };
        struct group g;
        int m = 0;
        if (first->at_best < s->t->piece_least || first->at_best >= likely_most)
            continue;
        for (int k = 0; k < n; k++)
            if (distance_in(stands[k], first->at) > 0)
                others[m++] = stands[k];
        if (!has_room_among(others, m, first->at, s->apart_in))
            continue;
        hide_all(others, m, s);
        if (!find(&g, first, s, s->pegs + m) || !is_new(&g, others, m, s->apart_in) || m + g.count > MAX_PIECES ||
            all->count + g.count > DISC_PLACES)
            continue;
        memcpy(stands, others, sizeof *stands * (size_t)m);
        n = m;
        for (int k = 0; k < g.count; k++) {
            all->item[all->count++] = g.item[k];
            stands[n++] = g.item[k].at;
        }
        any = true;
    }
    if (any) {
        hide_all(stands, n, s);
        disc_hypotheses_measure(all, s);
    }
    return any;
}

void disc_hypotheses_measure_beside(struct disc_hypotheses *all, const struct disc_scene *s)
{
    look_beside_likely(all, s);
    if (add_groups(all, s, group_with, s->t->at_best_likely))
        look_beside_likely(all, s);
    if (add_groups(all, s, pair_around, s->t->at_best_sure))
        look_beside_likely(all, s);
}
