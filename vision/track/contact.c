// SPDX-License-Identifier: MIT
#include "vision/track/contact.h"

#include <math.h>

#include "vision/track/bend.h"

static const double SAME_TOUCH_S = 0.07; // a piece that begins to move so soon after or before a bend is what bent it
static const double MOMENT_S = 0.001;    // of a touch that is looked for on two ways
static const double OFF_RADII = 0.25;    // shadows shift a patch's middle by so much at most
static const double SIGMA_MIN_S = 0.002; // no exposure is known better

static struct happening with_peg(const struct kept *by, const struct bend *bend)
{
    return (struct happening){ .kind = HAPPENED_CONTACT,
                               .t_s = bend->t_s,
                               .id = by->id,
                               .touching = TOUCHING_PEG,
                               .sigma_t_s = fmax(bend->sigma_t_s, SIGMA_MIN_S),
                               .at = bend->at,
                               .piece = by->piece };
}

// When the piece, on its way from step `from` on, came to touch the other one where it lay: about between the last frame
// that showed that in place and the first that did not, which a shadow that runs ahead or a slow start may shift by one.
static void touch(double *t_s, double *sigma_s, const struct path *p, int from, const struct kept *struck,
                  double after_s, double reach_in)
{
    struct way w;
    double frame_s = struck->absent_since_s - struck->there_until_s;
    double from_s = fmax(after_s, struck->there_until_s), to_s = fmax(from_s, struck->absent_since_s);
    int to = from;
    *t_s = (from_s + to_s) / 2;
    *sigma_s = fmax((to_s - from_s) / 2, SIGMA_MIN_S);
    while (to < p->count && p->step[to].t_s <= struck->there_until_s)
        to++;
    if (!bend_straight(&w, p, from, to))
        return;
    for (double at_s = from_s - frame_s; at_s <= to_s + frame_s; at_s += MOMENT_S) {
        struct pt_in at = bend_at(&w, at_s);
        if (hypot(at.x - struck->piece.at.x, at.y - struck->piece.at.y) > reach_in)
            continue;
        *t_s = fmax(at_s, after_s);
        *sigma_s = fmin(*sigma_s, fmax(p->sigma_in / hypot(w.x_in_s, w.y_in_s), SIGMA_MIN_S));
        return;
    }
}

static struct happening with_piece(const struct kept *by, const struct kept *struck, const struct path *p, int from)
{
    struct happening h = { .kind = HAPPENED_CONTACT,
                           .id = by->id,
                           .other = struck->id,
                           .touching = TOUCHING_PIECE,
                           .at = struck->piece.at,
                           .piece = struck->piece };
    touch(&h.t_s, &h.sigma_t_s, p, from, struck, by->absent_since_s,
          by->piece.radius_in + (1 + OFF_RADII) * struck->piece.radius_in);
    return h;
}

int contact_list(struct happening out[CONTACTS_MAX], const struct kept *by, const struct kept *struck,
                 const struct trail *t, const struct board *b)
{
    struct path path;
    struct bend bend;
    int n = 0, from = 0;
    path_follow(&path, t, by);
    double until_s = struck ? struck->there_until_s - SAME_TOUCH_S / 2 : INFINITY;
    while (n < CONTACTS_MAX - 1 && bend_find(&bend, &path, from, b) && bend.t_s < until_s) {
        if (bend.peg)
            out[n++] = with_peg(by, &bend);
        from = bend.next;
    }
    if (struck)
        out[n++] = with_piece(by, struck, &path, from);
    return n;
}
