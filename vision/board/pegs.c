// SPDX-License-Identifier: MIT
#include "vision/board/pegs.h"

#include <math.h>

#include "calibration/units.h"
#include "vision/colour.h"

// Across the line of sight, as seen from above; as long as the board's pegs are wider than the usual ones.
static struct pt_in sideways(const struct board *b, const struct camera *c)
{
    static const double usual_radius_in = 0.1875; // also of a board that does not say
    double times = b->peg_radius_in > 0 ? b->peg_radius_in / usual_radius_in : 1;
    struct pt3_in eye = camera_position(c);
    double far = hypot(eye.x, eye.y);
    return far > 0 ? (struct pt_in){ -times * eye.y / far, times * eye.x / far } : (struct pt_in){ times, 0 };
}

// By how much a bar at that place is darker (code[0]) and paler (code[1]) than what is beside it on both sides; *plain:
// by how much a peg should be.
static void bar_contrast(double code[2], double *plain, struct pt_in at, struct pt_in aside, const struct camera *c,
                         struct grey_picture grey, const struct oblique_tuning *t)
{
    enum { HEIGHTS = 5 };
    // Up a usual peg: above what lies at its foot and below its rounded top. Across it: its middle and both sides of
    // that, then the ground beside it, a peg's width and more away.
    static const double from_in = 0.15, to_in = 0.75, aside_in[] = { 0, -0.08, 0.08, -0.42, 0.42 };
    double mean[countof(aside_in)] = { 0 };
    for (size_t k = 0; k < countof(aside_in); k++)
        for (int h = 0; h < HEIGHTS; h++) {
            double z = from_in + (to_in - from_in) * h / (HEIGHTS - 1);
            struct pt_px p = { 0, 0 };
            camera_project(&p, c, (struct pt3_in){ at.x + aside_in[k] * aside.x, at.y + aside_in[k] * aside.y, z });
            mean[k] += grey.at(grey.picture, p.u, p.v) / HEIGHTS;
        }
    double bar = (mean[0] + mean[1] + mean[2]) / 3;
    *plain = fmax(t->peg_contrast * fmax(mean[3], mean[4]), t->peg_least_code);
    code[0] = fmin(mean[3], mean[4]) - bar;
    code[1] = bar - fmax(mean[3], mean[4]);
}

// The turn is counted in spaces from one peg to the next.
static struct pt_in peg_at(const struct board *b, int i, double turn)
{
    double angle = 2 * PI / b->pegs * (i + turn), r = b->circle_in[b->circles - 1];
    struct pt_in out = { r * cos(angle), r * sin(angle) };
    return out;
}

// Pegs are wider than a turn's step, so that some turns next to each other show as much: the middle of them.
static double middle_turn(const double *code, int turns, int best)
{
    static const double as_much = 0.8;
    double sum = 0, weights = 0;
    for (int off = -turns / 6; off <= turns / 6; off++) {
        double weight = fmax(code[(best + off + turns) % turns] - as_much * code[best], 0);
        sum += weight * off;
        weights += weight;
    }
    return weights > 0 ? best + sum / weights : best;
}

double pegs_measure(struct pegs *out, const struct board *b, const struct camera *c, struct grey_picture grey,
                    const struct oblique_tuning *t)
{
    enum { TURNS = 30 };
    static const double against = -0.2; // one that differs the other way speaks against the pegs by so much
    struct pt_in aside = sideways(b, c);
    int n = b->pegs, best[2] = { 0, 0 };
    double share[2][TURNS], code[2][TURNS] = { { 0 } };
    *out = (struct pegs){ .count = 0 };
    if (n < 2)
        return 0;
    for (int turn = 0; turn < TURNS; turn++) {
        double sum[2] = { 0, 0 }, least[2] = { 1, 1 };
        for (int i = 0; i < n; i++) {
            double by[2], should;
            bar_contrast(by, &should, peg_at(b, i, (double)turn / TURNS), aside, c, grey, t);
            for (int k = 0; k < 2; k++) {
                double shown = fmin(fmax(by[k] / should, against), 1);
                sum[k] += shown;
                least[k] = fmin(least[k], shown);
                code[k][turn] += by[k] / n;
            }
        }
        for (int k = 0; k < 2; k++) {
            share[k][turn] = (sum[k] - least[k]) / (n - 1);
            if (share[k][turn] > share[k][best[k]] ||
                (share[k][turn] >= share[k][best[k]] && code[k][turn] > code[k][best[k]]))
                best[k] = turn;
        }
    }
    int kind = share[1][best[1]] > share[0][best[0]];
    if (share[kind][best[kind]] <= 0)
        return 0;
    out->count = n;
    for (int i = 0; i < n; i++)
        out->at[i] = peg_at(b, i, middle_turn(code[kind], TURNS, best[kind]) / TURNS);
    return share[kind][best[kind]];
}

static double luma_of(const void *frame, double u, double v)
{
    double colour[3] = { 0 };
    colour_at(colour, frame, u, v);
    return colour[0];
}

void pegs_find(struct pegs *out, const struct frame *f, const struct board_pose *pose, const struct oblique_tuning *t)
{
    if (pegs_measure(out, &pose->board, &pose->camera, (struct grey_picture){ luma_of, f }, t) < t->pegs_least)
        out->count = 0;
}
