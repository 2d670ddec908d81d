// SPDX-License-Identifier: MIT
#include "vision/pieces/sides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibration/algebra.h"
#include "vision/pieces/colour.h"

static const double SHADE = 0.4;        // weight of lightness: shadow and glare move it far more than hue
static const double TWO_SIDES_LAB = 14; // least distance of two sides' colours; within one side light makes less
enum { ROUNDS = 12 };

double sides_distance(const double a[3], const double b[3])
{
    double l = SHADE * (a[0] - b[0]);
    return sqrt(l * l + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// The two pieces whose colours are farthest apart start the sides.
static void seed_sides(double centre[2][3], const struct piece_list *list)
{
    double farthest = -1;
    for (int i = 0; i < list->count; i++)
        for (int j = i; j < list->count; j++) {
            double d = sides_distance(list->piece[i].lab, list->piece[j].lab);
            if (d <= farthest)
                continue;
            farthest = d;
            memcpy(centre[0], list->piece[i].lab, sizeof centre[0]);
            memcpy(centre[1], list->piece[j].lab, sizeof centre[1]);
        }
}

static void median_of_side(double out[3], const struct piece_list *list, const int *side, int which)
{
    for (int c = 0; c < 3; c++) {
        double values[MAX_PIECES];
        int n = 0;
        for (int i = 0; i < list->count; i++)
            if (side[i] == which)
                values[n++] = list->piece[i].lab[c];
        if (n)
            out[c] = median_of(values, n);
    }
}

static void name_sides(char name[2][COLOUR_NAME_MAX], double centre[2][3], bool two)
{
    for (int k = 0; k < 2; k++)
        snprintf(name[k], sizeof name[k], "%s", colour_name(centre[k]));
    if (!two || strcmp(name[0], name[1]) != 0)
        return;
    int light = centre[0][0] > centre[1][0] ? 0 : 1;
    char word[COLOUR_NAME_MAX];
    memcpy(word, name[0], sizeof word);
    snprintf(name[light], sizeof name[light], "light %.9s", word);
    snprintf(name[1 - light], sizeof name[1 - light], "dark %.10s", word);
}

void sides_tell_apart(struct piece_list *list)
{
    double centre[2][3] = { { 0 } };
    int side[MAX_PIECES] = { 0 };
    char name[2][COLOUR_NAME_MAX];
    if (!list->count)
        return;
    seed_sides(centre, list);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < list->count; i++)
            side[i] = sides_distance(list->piece[i].lab, centre[1]) < sides_distance(list->piece[i].lab, centre[0]);
        median_of_side(centre[0], list, side, 0);
        median_of_side(centre[1], list, side, 1);
    }
    bool two = sides_distance(centre[0], centre[1]) > TWO_SIDES_LAB;
    if (!two) {
        memset(side, 0, sizeof side);
        median_of_side(centre[0], list, side, 0);
    }
    name_sides(name, centre, two);
    for (int i = 0; i < list->count; i++)
        snprintf(list->piece[i].colour, sizeof list->piece[i].colour, "%s", name[side[i]]);
}
