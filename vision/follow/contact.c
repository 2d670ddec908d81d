// SPDX-License-Identifier: MIT
#include "vision/follow/contact.h"

#include <math.h>

#include "vision/follow/path.h"

static const double SAME_TOUCH_S = 0.07; // a piece that begins to move so soon after or before a bend is what bent it

static struct happening with_piece(const struct kept *by, const struct kept *struck)
{
    return (struct happening){ .kind = HAPPENED_CONTACT,
                               .t_s = fmax(by->absent_since_s, (struck->there_until_s + struck->absent_since_s) / 2),
                               .id = by->id,
                               .other = struck->id,
                               .touching = TOUCHING_PIECE,
                               .sigma_t_s = (struck->absent_since_s - struck->there_until_s) / 2,
                               .at = struck->piece.at,
                               .piece = struck->piece };
}

static bool with_peg(struct happening *out, const struct kept *by, const struct trail *t, const struct board *b)
{
    struct path path;
    struct bend bend;
    path_follow(&path, t, by);
    if (!path_bend(&bend, &path) || !path_beside_peg(b, bend.at))
        return false;
    *out = (struct happening){ .kind = HAPPENED_CONTACT,
                               .t_s = bend.t_s,
                               .id = by->id,
                               .touching = TOUCHING_PEG,
                               .sigma_t_s = bend.sigma_t_s,
                               .at = bend.at,
                               .piece = by->piece };
    return true;
}

int contact_list(struct happening out[CONTACTS_MAX], const struct kept *by, const struct kept *struck,
                 const struct trail *t, const struct board *b)
{
    int n = with_peg(&out[0], by, t, b);
    if (!struck)
        return n;
    struct happening piece = with_piece(by, struck);
    if (n > 0 && out[0].t_s > piece.t_s - SAME_TOUCH_S)
        n = 0; // it was this piece that bent it, or the way after it, which is nobody's first contact
    out[n++] = piece;
    return n;
}
