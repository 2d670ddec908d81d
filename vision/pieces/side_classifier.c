// SPDX-License-Identifier: MIT
#include "vision/pieces/side_classifier.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/colour.h"

enum { LIGHTS = 12, DIMMER = 8 }; // light in steps of 15 %, from a third to one and a half times as much
static const double LIGHT_STEP = 0.15;

// How far `seen` is from what `paint` can look like in some light.
static double beyond(const double seen[3], const double paint[3], const struct appearance_tuning *t)
{
    double light[3], of_paint[3], least2 = INFINITY;
    colour_lab_to_xyz(light, seen);
    colour_lab_to_xyz(of_paint, paint);
    for (int k = 0; k < LIGHTS; k++) {
        double step = LIGHT_STEP * (k - DIMMER), share = exp(step), made[3], lab[3];
        double gloss = fmax(light[1] - share * of_paint[1], 0);
        for (int c = 0; c < 3; c++)
            made[c] = share * of_paint[c] + gloss;
        colour_xyz_to_lab(lab, made);
        const double off[] = { step / t->light_log, gloss / t->gloss, (lab[0] - seen[0]) / t->lightness_lab,
                               (lab[1] - seen[1]) / t->hue_lab, (lab[2] - seen[2]) / t->hue_lab };
        double off2 = 0;
        for (size_t i = 0; i < countof(off); i++)
            off2 += off[i] * off[i];
        least2 = fmin(least2, off2);
    }
    return sqrt(least2);
}

double side_paints_apart(const double a[3], const double b[3], const struct appearance_tuning *tuning)
{
    return fmin(beyond(a, b, tuning), beyond(b, a, tuning));
}

// Every piece starts as a side of its own; the two that are most alike on average become one, again and again.
struct grouping {
    int groups, size[MAX_PIECES];
    bool certain[MAX_PIECES];             // one of its pieces is
    double apart[MAX_PIECES][MAX_PIECES]; // sums over the pairs of pieces
};

// The two groups that are most alike, *a and *b: how far they are apart in the mean. `doubtful`: pairs that are both certain are passed
// over, if there are others.
static double most_alike(int *a, int *b, const struct grouping *g, bool doubtful)
{
    double least = INFINITY;
    int certain = 0;
    for (int i = 0; i < g->groups; i++)
        certain += g->certain[i];
    *a = 0;
    *b = 1;
    for (int i = 0; i < g->groups; i++)
        for (int j = i + 1; j < g->groups; j++) {
            double mean = g->apart[i][j] / (g->size[i] * g->size[j]);
            if (mean >= least || (doubtful && certain < g->groups && g->certain[i] && g->certain[j]))
                continue;
            least = mean;
            *a = i;
            *b = j;
        }
    return least;
}

int sides_group(int side[MAX_PIECES], const struct detection_list *list, const struct appearance_tuning *tuning)
{
    struct grouping g = { .groups = list->count };
    for (int i = 0; i < list->count; i++) {
        side[i] = i;
        g.size[i] = 1;
        g.certain[i] = list->piece[i].certainty >= tuning->paint_certain;
        for (int j = 0; j < i; j++)
            g.apart[i][j] = g.apart[j][i] = side_paints_apart(list->piece[i].lab, list->piece[j].lab, tuning);
    }
    int most = list->count && list->piece[0].kind == PIECE_RING ? SIDES_MOST : DISC_SIDES;
    while (g.groups > 1) {
        int a, b;
        if (most_alike(&a, &b, &g, false) >= tuning->other_paint) {
            if (g.groups <= most)
                break;
            most_alike(&a, &b, &g, true);
        }
        int last = --g.groups; // group b joins group a, the last group takes its place
        g.size[a] += g.size[b];
        g.certain[a] |= g.certain[b];
        g.size[b] = g.size[last];
        g.certain[b] = g.certain[last];
        for (int k = 0; k <= last; k++)
            g.apart[a][k] = g.apart[k][a] = g.apart[a][k] + g.apart[b][k];
        for (int k = 0; k <= last; k++)
            g.apart[b][k] = g.apart[k][b] = g.apart[last][k];
        for (int i = 0; i < list->count; i++)
            side[i] = side[i] == b ? a : side[i] == last ? b : side[i];
    }
    return g.groups;
}

struct side_paint {
    double lab[3];    // medians over the side's pieces, the certain ones if there are any
    double of_ground; // median of their light, as a share of their ground's; INFINITY: the ground is not known
    double darkest_l; // gloss lightens a piece that is black
};

static double light_of(double l)
{
    double xyz[3];
    colour_lab_to_xyz(xyz, (double[3]){ l, 0, 0 });
    return xyz[1];
}

static struct side_paint paint_of_side(const struct detection_list *list, const int *side, int which,
                                       const struct appearance_tuning *t)
{
    struct side_paint paint = { .darkest_l = INFINITY, .of_ground = INFINITY };
    const struct detection *of[MAX_PIECES] = { NULL };
    bool certain = false;
    int n = 0;
    for (int i = 0; i < list->count; i++)
        certain |= side[i] == which && list->piece[i].certainty >= t->paint_certain;
    for (int i = 0; i < list->count; i++)
        if (side[i] == which && (!certain || list->piece[i].certainty >= t->paint_certain))
            of[n++] = &list->piece[i];
    for (int c = 0; c < 3; c++) {
        double values[MAX_PIECES];
        for (int k = 0; k < n; k++)
            values[k] = of[k]->lab[c];
        paint.lab[c] = median_of(values, n);
    }
    double share[MAX_PIECES];
    int shares = 0;
    for (int k = 0; k < n; k++) {
        paint.darkest_l = fmin(paint.darkest_l, of[k]->lab[0]);
        if (of[k]->ground_l > 0)
            share[shares++] = light_of(of[k]->lab[0]) / light_of(of[k]->ground_l);
    }
    if (shares > 0) // a hand's shadow over one of them does not count
        paint.of_ground = median_of(share, shares);
    return paint;
}

// Lamps are yellowish: in their light white is not quite without colour, and greenish where it is too bright for the camera;
// wood is stronger coloured than by day.
static const char *word_for(const struct side_paint *paint, const struct appearance_tuning *t)
{
    const double *lab = paint->lab;
    double chroma = hypot(lab[1], lab[2]), hue_deg = atan2(lab[2], lab[1]) * 180 / PI;
    bool light = paint->darkest_l > t->middle_grey_l, warm = light && hue_deg > t->warm_from_deg;
    if (chroma < (warm && hue_deg < t->warm_white_to_deg ? t->warm_white_chroma : t->pale_chroma)) {
        if (light && paint->of_ground >= t->white_of_ground)
            return "white";
        return chroma < t->pale_chroma ? "black" : "natural"; // black under a lamp, or wood
    }
    if (warm && hue_deg < t->wood_to_deg &&
        chroma < (hue_deg < t->warm_wood_to_deg ? t->warm_wood_chroma : t->wood_chroma))
        return "natural";
    return colour_name(lab);
}

// Sides of one word, from the lightest to the darkest.
static const char *const shades[SIDES_MOST + 1][SIDES_MOST] = {
    { "" }, { "" }, { "light ", "dark " }, { "light ", "", "dark " }, { "pale ", "light ", "", "dark " }
};

// As they would look where the light is that the best lit of them lies in, or that makes ground as light as least_l: half of a table may
// lie in the sun, and of a white disc in the shade a camera shows no more than of a black one that shines.
static struct detection_list in_one_light(const struct detection_list *list, double least_l,
                                          const struct appearance_tuning *t)
{
    struct detection_list lit = *list;
    double most_l = least_l;
    bool certain = false; // what may be no piece, but a spot of glare, lights no other
    for (int i = 0; i < lit.count; i++)
        certain |= lit.piece[i].certainty >= t->paint_certain;
    for (int i = 0; i < lit.count; i++)
        if (!certain || lit.piece[i].certainty >= t->paint_certain)
            most_l = fmax(most_l, lit.piece[i].ground_l);
    for (int i = 0; i < lit.count; i++) {
        struct detection *p = &lit.piece[i];
        if (!(p->ground_l > 0)) // not known
            continue;
        colour_lab_in_light(p->lab, list->piece[i].lab, p->ground_l, most_l);
        p->ground_l = most_l;
    }
    return lit;
}

void sides_tell_apart(struct detection_list *list, const struct appearance_tuning *tuning)
{
    const struct detection_list lit = in_one_light(list, 0, tuning),
                                well_lit = in_one_light(list, tuning->lit_ground_l, tuning);
    int side[MAX_PIECES], sides = sides_group(side, &well_lit, tuning);
    struct side_paint paint[SIDES_MOST];
    const char *word[SIDES_MOST];
    char name[SIDES_MOST][COLOUR_NAME_MAX];
    for (int k = 0; k < sides; k++) {
        paint[k] = paint_of_side(&lit, side, k, tuning);
        word[k] = word_for(&paint[k], tuning);
    }
    for (int k = 0; k < sides;
         k++) // beside a black that is darker, what is as light as its ground is white in a dark picture
        for (int j = 0; j < sides; j++)
            if (strcmp(word[k], "black") == 0 && strcmp(word[j], "black") == 0 && paint[k].lab[0] > paint[j].lab[0] &&
                isfinite(paint[k].of_ground) && paint[k].of_ground >= tuning->white_of_ground)
                word[k] = "white";
    for (int k = 0; k < sides; k++) {
        int alike = 0, before = 0; // from the lightest on; of two that are as light, the one that was numbered first
        for (int j = 0; j < sides; j++) {
            double lighter = paint[j].lab[0] - paint[k].lab[0];
            bool same = strcmp(word[j], word[k]) == 0;
            alike += same;
            before += same && (lighter > 0 || (lighter == 0 && j < k));
        }
        snprintf(name[k], COLOUR_NAME_MAX, "%s%s", shades[alike][before], word[k]);
    }
    for (int i = 0; i < list->count; i++)
        snprintf(list->piece[i].colour, sizeof list->piece[i].colour, "%s", name[side[i]]);
}

// Takes the name of the colour that is the least off, if one is by less than `most`: which, or -1.
static int name_nearest(const struct side_colours *known, struct detection *p, const double off[SIDE_COLOURS_MAX],
                        double most)
{
    int nearest = -1;
    for (int i = 0; i < known->count; i++) {
        if (off[i] >= most)
            continue;
        most = off[i];
        nearest = i;
    }
    if (nearest >= 0)
        memcpy(p->colour, known->colour[nearest].name, sizeof p->colour);
    return nearest;
}

void side_colours_name(const struct side_colours *known, struct detection *p, double same_lab)
{
    double off[SIDE_COLOURS_MAX];
    for (int i = 0; i < known->count; i++)
        off[i] = colour_lab_distance(p->lab, known->colour[i].lab);
    name_nearest(known, p, off, same_lab);
}

static int known_by_name(const struct side_colours *known, const char *name)
{
    int i = 0;
    while (i < known->count && strcmp(known->colour[i].name, name) != 0)
        i++;
    return i;
}

void side_colours_take_taw(const struct side_colours *known, struct detection *p)
{
    int i = known_by_name(known, p->colour);
    if (p->kind != PIECE_MARBLE || i == known->count || known->colour[i].targets > 0 ||
        known->colour[i].taws <= p->certainty)
        return;
    p->taw = true;
    p->certainty = known->colour[i].taws;
}

// What a colour is off the line from one to the other in CIE L*a*b*, when footage keeps of a small thing's chroma, which it samples at
// every other pixel, less than of its luma. Where on the line it is: *part.
static double off_sampled_mixture(double *part, const double seen[3], const double clean[3], const double paint[3])
{
    static const double CHROMA_KEPT_LEAST = 0.5; // of luma's contrast: of what is as narrow as one chroma sample
    const double luma[2] = { paint[0] - clean[0], seen[0] - clean[0] };
    const double chroma[2][2] = { { paint[1] - clean[1], paint[2] - clean[2] },
                                  { seen[1] - clean[1], seen[2] - clean[2] } };
    double chroma2 = chroma[0][0] * chroma[0][0] + chroma[0][1] * chroma[0][1];
    double along = chroma[0][0] * chroma[1][0] + chroma[0][1] * chroma[1][1], kept = 1, sampled[3];
    if (luma[0] * luma[1] > 0 && chroma2 > 0) // else there is nothing to compare
        kept = fmax(CHROMA_KEPT_LEAST, fmin(along / chroma2 * luma[0] / luma[1], 1));
    sampled[0] = paint[0];
    for (int c = 1; c < 3; c++)
        sampled[c] = clean[c] + kept * (paint[c] - clean[c]);
    return colour_off_mixture(part, seen, clean, sampled);
}

void side_colours_name_mixed(const struct side_colours *known, struct detection *p, const double clean_lab[3],
                             double areas, double same_lab)
{
    // A piece's whole paint is found again over its areas; in the shade it differs from a light ground by half as much.
    // Where it is less, the areas are not what its way has spread it over.
    static const double SPREAD_LEAST = 0.5;
    double off[SIDE_COLOURS_MAX], part, paint[3];
    for (int i = 0; i < known->count; i++) {
        bool one_ground = p->kind == PIECE_MARBLE && known->colour[i].ground_l > 0;
        memcpy(paint, known->colour[i].lab, sizeof paint);
        if (one_ground)
            colour_lab_in_light(paint, known->colour[i].lab, known->colour[i].ground_l, clean_lab[0]);
        double mixture_off = off_sampled_mixture(&part, p->lab, clean_lab, paint);
        double spread = part * areas > SPREAD_LEAST ? fmin(areas, 1 / part) : 1 / part;
        off[i] = part > 0 ? mixture_off * spread : INFINITY; // what the paint alone is off
        if (p->kind == PIECE_MARBLE && known->colour[i].taws <= 0 && known->colour[i].targets > 0)
            off[i] = INFINITY;
    }
    int is = name_nearest(known, p, off, same_lab);
    if (p->kind == PIECE_MARBLE && is >= 0 && known->colour[is].targets <= 0) {
        p->taw = true;
        p->certainty = known->colour[is].taws;
    }
}

void side_colours_remember(struct side_colours *known, const struct detection *p, double certain_least)
{
    int i = known_by_name(known, p->colour);
    if (i == SIDE_COLOURS_MAX)
        return;
    bool sure = p->kind == PIECE_MARBLE || p->certainty >= certain_least;
    if (i < known->count && known->colour[i].certain && !sure)
        return;
    memcpy(known->colour[i].name, p->colour, sizeof p->colour);
    memcpy(known->colour[i].lab, p->lab, sizeof p->lab);
    known->colour[i].ground_l = p->ground_l;
    known->colour[i].certain = sure;
    double *role = p->taw ? &known->colour[i].taws : &known->colour[i].targets;
    if (p->kind == PIECE_MARBLE)
        *role = fmax(*role, p->certainty);
    known->count += i == known->count;
}
