// SPDX-License-Identifier: MIT
#include "vision/pieces/sides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"
#include "vision/pieces/paint.h"

static const double SHADE = 0.4;       // weight of lightness: shadow and glare move it far more than hue
static const double OTHER_PAINT = 3.0; // sigmas (paint.h), on average over the pieces of two sides

double sides_distance(const double a[3], const double b[3])
{
    double l = SHADE * (a[0] - b[0]);
    return sqrt(l * l + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// Every piece starts as a side of its own; the two that are most alike on average become one, again and again.
struct grouping {
    int groups, size[MAX_PIECES];
    double apart[MAX_PIECES][MAX_PIECES]; // sums over the pairs of pieces
};

static double nearest_two(const struct grouping *g, int *a, int *b)
{
    double least = INFINITY;
    for (int i = 0; i < g->groups; i++)
        for (int j = i + 1; j < g->groups; j++) {
            double mean = g->apart[i][j] / (g->size[i] * g->size[j]);
            if (mean >= least)
                continue;
            least = mean;
            *a = i;
            *b = j;
        }
    return least;
}

// Group b joins group a, the last group takes its place.
static void join(struct grouping *g, int *side, int count, int a, int b)
{
    int last = --g->groups;
    g->size[a] += g->size[b];
    g->size[b] = g->size[last];
    for (int k = 0; k <= last; k++)
        g->apart[a][k] = g->apart[k][a] = g->apart[a][k] + g->apart[b][k];
    for (int k = 0; k <= last; k++)
        g->apart[b][k] = g->apart[k][b] = g->apart[last][k];
    for (int i = 0; i < count; i++)
        side[i] = side[i] == b ? a : side[i] == last ? b : side[i];
}

int sides_group(int side[MAX_PIECES], const struct detection_list *list)
{
    struct grouping g = { .groups = list->count };
    int a = 0, b = 0;
    for (int i = 0; i < list->count; i++) {
        side[i] = i;
        g.size[i] = 1;
        for (int j = 0; j < i; j++)
            g.apart[i][j] = g.apart[j][i] = paint_apart(list->piece[i].lab, list->piece[j].lab);
    }
    int most = list->count && list->piece[0].kind == PIECE_RING ? SIDES_MOST : DISC_SIDES;
    while (g.groups > 1 && (nearest_two(&g, &a, &b) < OTHER_PAINT || g.groups > most))
        join(&g, side, list->count, a, b);
    return g.groups;
}

struct look {
    double lab[3];    // medians over the side's pieces
    double darkest_l; // gloss lightens a piece that is black
};

static struct look look_of_side(const struct detection_list *list, const int *side, int which)
{
    struct look look = { .darkest_l = INFINITY };
    for (int c = 0; c < 3; c++) {
        double values[MAX_PIECES];
        int n = 0;
        for (int i = 0; i < list->count; i++)
            if (side[i] == which)
                values[n++] = list->piece[i].lab[c];
        for (int k = 0; c == 0 && k < n; k++)
            look.darkest_l = fmin(look.darkest_l, values[k]);
        look.lab[c] = median_of(values, n);
    }
    return look;
}

// Lamps are yellowish: in their light white is not quite without colour, and greenish where it is too bright for the camera;
// wood is stronger coloured than by day.
static const double MIDDLE_GREY_L = 50; // as far from black paint as from white, by what they throw back
static const double PALE_CHROMA = 10, WARM_WHITE_CHROMA = 17, WOOD_CHROMA = 45, WARM_WOOD_CHROMA = 60;
static const double WARM_FROM_DEG = 48, WARM_WOOD_TO_DEG = 88, WOOD_TO_DEG = 106, WARM_WHITE_TO_DEG = 120; // of hue

static const char *word_for(const struct look *look)
{
    const double *lab = look->lab;
    double chroma = hypot(lab[1], lab[2]), hue_deg = atan2(lab[2], lab[1]) * 180 / PI;
    bool light = look->darkest_l > MIDDLE_GREY_L, warm = light && hue_deg > WARM_FROM_DEG;
    if (chroma < (warm && hue_deg < WARM_WHITE_TO_DEG ? WARM_WHITE_CHROMA : PALE_CHROMA))
        return light ? "white" : "black";
    if (warm && hue_deg < WOOD_TO_DEG && chroma < (hue_deg < WARM_WOOD_TO_DEG ? WARM_WOOD_CHROMA : WOOD_CHROMA))
        return "natural";
    return colour_name(lab);
}

// Sides of one word, from the lightest to the darkest.
static const char *const shades[SIDES_MOST + 1][SIDES_MOST] = {
    { "" }, { "" }, { "light ", "dark " }, { "light ", "", "dark " }, { "pale ", "light ", "", "dark " }
};

// From the lightest on; of two that are as light, the one that was numbered first.
static bool comes_first(const struct look *look, int a, int b)
{
    double lighter = look[a].lab[0] - look[b].lab[0];
    return lighter > 0 || (lighter == 0 && a < b);
}

static void name_sides(char name[SIDES_MOST][COLOUR_NAME_MAX], const struct look *look, int sides)
{
    const char *word[SIDES_MOST];
    for (int k = 0; k < sides; k++)
        word[k] = word_for(&look[k]);
    for (int k = 0; k < sides; k++) {
        int alike = 0, lighter = 0;
        for (int j = 0; j < sides; j++)
            if (strcmp(word[j], word[k]) == 0) {
                alike++;
                lighter += comes_first(look, j, k);
            }
        snprintf(name[k], COLOUR_NAME_MAX, "%s%s", shades[alike][lighter], word[k]);
    }
}

void sides_tell_apart(struct detection_list *list)
{
    int side[MAX_PIECES], sides = sides_group(side, list);
    struct look look[SIDES_MOST];
    char name[SIDES_MOST][COLOUR_NAME_MAX];
    for (int k = 0; k < sides; k++)
        look[k] = look_of_side(list, side, k);
    name_sides(name, look, sides);
    for (int i = 0; i < list->count; i++)
        snprintf(list->piece[i].colour, sizeof list->piece[i].colour, "%s", name[side[i]]);
}
