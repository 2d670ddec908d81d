// SPDX-License-Identifier: MIT
#include "vision/pieces/hole.h"

#include <math.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/ditch.h"
#include "vision/pieces/sides.h"

static const double LEAST_EXPLAINED = 0.8;
static const double SAME_SIDE_LAB = 9;   // light and noise move a side's colour so far
static const double VERY_SAME_LAB = 1.5; // then the shadow of the rim on it may be forgiven
static const double MOST_UNEVEN = 0.05;  // of its top; a rim's shadow covers more
static const double LEAST_LIGHT = 0.92;  // of the lightness of the side's other pieces: the floor of a hole is darker
static const double DARK_L = 30, PALE_CHROMA = 12; // below both a piece has the colour of any deep hole
static const double DARK_SAME_LAB = 6, DARK_UNEVEN = 0.005, DARK_EXPLAINED = 0.95;
static const double DITCH_PAINT = 0.25; // share of the ditch: all twelve discs of a side cover half as much
static const double MOST_OFF_IN = 0.03; // beyond the play that the piece has in the hole

// Colour distance from the side of one of the pieces, and that side's lightness: medians over its pieces.
static double distance_to_side(double side_lab[3], const struct detection_list *list, int of, const double lab[3])
{
    double values[3][MAX_PIECES];
    int n = 0;
    for (int i = 0; i < list->count; i++)
        if (sides_distance(list->piece[i].lab, list->piece[of].lab) < SAME_SIDE_LAB) {
            for (int c = 0; c < 3; c++)
                values[c][n] = list->piece[i].lab[c];
            n++;
        }
    for (int c = 0; c < 3; c++)
        side_lab[c] = median_of(values[c], n);
    return sides_distance(lab, side_lab);
}

static double apart(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// Black in a dark hole: lightness must agree too, no pixel may show the wall or the rim's shadow, and the ditch may not be
// just as black, or much nearer to it than the side is.
static bool like_a_dark_side(const double lab[3], const double side[3], const struct solid_fit *fit,
                             const struct ditch *ditch)
{
    double floor[3], off = apart(lab, side);
    bool ditch_too = ditch_middle(floor, ditch) && apart(lab, floor) < fmax(off / 2, VERY_SAME_LAB);
    bool same_hue = hypot(lab[1] - side[1], lab[2] - side[2]) < VERY_SAME_LAB; // wood around a floor tints it
    return off < DARK_SAME_LAB && same_hue && fit->uneven < DARK_UNEVEN && fit->explained > DARK_EXPLAINED &&
           !ditch_too;
}

// A hole is often painted as the ditch is: then a side of that paint cannot be told from its floor.
static bool like_the_ditch(const double lab[3], const struct ditch *ditch)
{
    return ditch_share_of(ditch, lab, SAME_SIDE_LAB) > DITCH_PAINT;
}

static bool like_a_side(const struct detection_list *others, const struct solid_fit *fit, const struct ditch *ditch)
{
    double lab[3], side[3];
    colour_to_lab(lab, fit->top);
    for (int i = 0; i < others->count; i++) {
        double distance = distance_to_side(side, others, i, lab);
        bool deep = side[0] < DARK_L && hypot(side[1], side[2]) < PALE_CHROMA;
        bool even = fit->uneven < MOST_UNEVEN || distance < VERY_SAME_LAB;
        if (deep ? like_a_dark_side(lab, side, fit, ditch)
                 : distance < SAME_SIDE_LAB && lab[0] > LEAST_LIGHT * side[0] && even && !like_the_ditch(lab, ditch))
            return true;
    }
    return false;
}

// A ring shows the floor of the hole through it, an empty hole shows nothing but floor.
static bool is_hollow(const struct solid *s, const struct solid_fit *fit)
{
    double top[3], floor[3];
    colour_to_lab(top, fit->top);
    colour_to_lab(floor, fit->floor);
    return s->hole_in > 0 && sides_distance(top, floor) > 2 * SAME_SIDE_LAB; // another paint, whatever the light
}

bool hole_holds_piece(struct solid_fit *fit, struct solid *shape, const struct solid_look *look, const struct frame *f,
                      const struct board_pose *pose, const struct detection_list *others)
{
    const struct board *b = &pose->board;
    if (b->hole_radius_in <= 0)
        return false;
    struct surroundings alone = { .board = pose, .self = -1, .look = *look };
    *shape = solid_of_piece(b, -b->hole_depth_in);
    *fit = (struct solid_fit){ .at = { 0, 0 } };
    struct ditch ditch;
    ditch_sample(&ditch, f, pose);
    double play_in = fmax(b->hole_radius_in - b->piece_radius_in, 0);
    return solid_fit_run(fit, f, shape, &alone, SOLID_CARE) && fit->explained > LEAST_EXPLAINED &&
           hypot(fit->at.x, fit->at.y) < play_in + MOST_OFF_IN + 3 * sqrt(fit->cov.xx + fit->cov.yy) &&
           (is_hollow(shape, fit) || like_a_side(others, fit, &ditch));
}
