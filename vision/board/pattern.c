// SPDX-License-Identifier: MIT
#include "vision/board/pattern.h"

#include <math.h>
#include <string.h>

// Real boards keep no exact proportions (ten-circle at 0.65 to 0.73 of the outer one on photographs); this wide prior only
// says which painted circle is meant. The proportions themselves are fitted afterwards.
static const double LOG_RATIO_SIGMA = 0.10;
static const double LOG_RATIO_REACH = 0.25;
static const double SAME_PAINT_COS = 0.6;    // lines of one board are of one paint: contrast vectors point one way
static const double FULL_STRENGTH = 30;      // standard errors: beyond it more strength says nothing more
static const double LEAST_CIRCLES = 0.6;     // share of the board's circles that must be seen
static const double COMPANION_SUPPORT = 0.6; // of its directions: the chance rows of a texture show 0.45 to 0.55
static const double COMPANION_APART = 0.85;  // of the radius: nearer ones may be the same line's shoulder
static const double SAME_CIRCLE_LOG = 0.06;  // a line and its shoulders
static const double INNERMOST = 0.12;        // of the outermost circle: the hole and its rim are at half of it
enum { MOST_STRANGERS = 1 };                 // one ornament; a target has more
static const double COMPANION_REACH = 8;     // times larger or smaller: what is painted around one centre on one board

static double worth(const struct painted_circle *c)
{
    return c->support * fmin(1, c->strength / FULL_STRENGTH);
}

static bool same_paint(const struct painted_circle *a, const struct painted_circle *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int k = 0; k < 3; k++) {
        ab += a->contrast[k] * b->contrast[k];
        aa += a->contrast[k] * a->contrast[k];
        bb += b->contrast[k] * b->contrast[k];
    }
    return ab > SAME_PAINT_COS * sqrt(aa * bb);
}

static double best_partner(struct painted_circle *out, const struct painted_circle *seen, int n,
                           const struct painted_circle *outer, double expected)
{
    double best = 0;
    *out = (struct painted_circle){ .radius = expected };
    memcpy(out->contrast, outer->contrast, sizeof out->contrast);
    out->width = outer->width;
    for (int i = 0; i < n; i++) {
        double off = log(seen[i].radius / expected);
        if (fabs(off) > LOG_RATIO_REACH || !same_paint(&seen[i], outer))
            continue;
        double score = worth(&seen[i]) * exp(-0.5 * pow(off / LOG_RATIO_SIGMA, 2));
        if (score > best) {
            best = score;
            *out = seen[i];
        }
    }
    return best;
}

static int insert(struct pattern *out, int n, int most, const struct pattern *p)
{
    int at = n;
    while (at > 0 && out[at - 1].score < p->score)
        at--;
    if (at >= most)
        return n;
    if (n < most)
        n++;
    memmove(&out[at + 1], &out[at], sizeof *out * (size_t)(n - at - 1));
    out[at] = *p;
    return n;
}

static bool plain(const struct painted_circle *c)
{
    return c->support > COMPANION_SUPPORT && c->strength > FULL_STRENGTH;
}

// Plain circles inside the outermost one, well outside the hole, that the board does not have.
static int strangers(const struct pattern *p, const struct painted_circle *seen, int n, const struct board *board)
{
    double outer = p->circle[0].radius, inner = INNERMOST * outer;
    int count = 0;
    for (int i = 0; i < n; i++) {
        bool known = false;
        for (int k = 0; k < board->circles; k++)
            known |= fabs(log(seen[i].radius / p->circle[k].radius)) < SAME_CIRCLE_LOG;
        count += !known && seen[i].radius < outer && seen[i].radius > inner && plain(&seen[i]);
    }
    return count;
}

int pattern_match(struct pattern *out, int most, const struct painted_circle *seen, int n, const struct board *board)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        struct pattern p = { .circle[0] = seen[i], .score = worth(&seen[i]) };
        int circles = 1;
        for (int k = 1; k < board->circles; k++) {
            double expected = seen[i].radius * board->circle_in[k] / board->circle_in[0];
            double score = best_partner(&p.circle[k], seen, n, &seen[i], expected);
            circles += score > 0;
            p.score += score;
        }
        if (circles >= LEAST_CIRCLES * board->circles && strangers(&p, seen, n, board) <= MOST_STRANGERS)
            found = insert(out, found, most, &p);
    }
    return found;
}

static bool has_companion(const struct painted_circle *seen, int n, const struct painted_circle *of)
{
    for (int i = 0; i < n; i++) {
        double times = seen[i].radius / of->radius;
        bool apart = times < COMPANION_APART || times > 1 / COMPANION_APART;
        if (apart && times < COMPANION_REACH && times > 1 / COMPANION_REACH && plain(&seen[i]) &&
            same_paint(&seen[i], of))
            return true;
    }
    return false;
}

bool pattern_is_crowded(const struct painted_circle *seen, int n)
{
    for (int i = 0; i < n; i++)
        if (plain(&seen[i]) && has_companion(seen, n, &seen[i]))
            return true;
    return false;
}
