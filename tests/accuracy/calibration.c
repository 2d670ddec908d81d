// SPDX-License-Identifier: MIT
#include "tests/accuracy/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/accuracy/score.h"
#include "vision/board/find.h"
#include "vision/source/source.h"

enum { KINDS = 3, AROUND = 24, INSIDE = 3, MOST_ERRORS = 16384 };

static const struct {
    const char *kind, *board;
} kinds[KINDS] = {
    { "crokinole", "crokinole-nca" },
    { "carrom", "crokinole-rings-24" },
    { "marbles", "ring-7ft" },
};

struct column {
    int pictures, found, circles, focals, places, within_2_sigma, insides, insides_within;
    double circle_in[MOST_ERRORS]; // off the true circle, along the radius
    double inside_in[MOST_ERRORS]; // places between the centre and the innermost circle
    double focal[MOST_ERRORS];     // relative error of the focal length
    double focal_sigmas[MOST_ERRORS];
};

static double number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

bool calibration_camera(struct camera *c, const json_t *truth)
{
    const json_t *o = json_object_get(truth, "camera"), *R = json_object_get(o, "R"), *t = json_object_get(o, "t");
    bool flat = json_array_size(R) == 9;
    *c = (struct camera){ .lens = { .width = (int)number(o, "width"),
                                    .height = (int)number(o, "height"),
                                    .f_px = number(o, "fx"),
                                    .centre = { number(o, "cx"), number(o, "cy") },
                                    .k1 = number(o, "k1"),
                                    .k2 = number(o, "k2") } };
    for (size_t i = 0; i < 3; i++) {
        c->pose.t_in[i] = json_number_value(json_array_get(t, i));
        for (size_t k = 0; k < 3; k++)
            c->pose.R[i][k] =
                json_number_value(flat ? json_array_get(R, 3 * i + k) : json_array_get(json_array_get(R, i), k));
    }
    return camera_check(c, NULL) == 0;
}

// Where the found camera takes what the true one sees at (r, angle), along the true direction and across it.
static bool read_place(double *along, double *across, struct pt_in *read, const struct camera *found,
                       const struct camera *real, double r, double angle)
{
    struct pt_px p;
    double x = cos(angle), y = sin(angle);
    if (!camera_project(&p, real, (struct pt3_in){ r * x, r * y, 0 }) || !camera_locate(read, found, p, 0))
        return false;
    *along = read->x * x + read->y * y;
    *across = read->y * x - read->x * y;
    return true;
}

// A round board has no north: the turn between the two frames, from all places of one circle.
static double turn_between(const struct camera *found, const struct camera *real, double r)
{
    double along = 0, across = 0;
    for (int k = 0; k < AROUND; k++) {
        struct pt_in read;
        double a, b;
        if (read_place(&a, &b, &read, found, real, r, 2 * PI * k / AROUND)) {
            along += a;
            across += b;
        }
    }
    return atan2(across, along);
}

// Squared Mahalanobis distance of an error from its stated covariance.
static double off_in_sigmas2(const struct cov_in2 *c, double x, double y)
{
    double det = c->xx * c->yy - c->xy * c->xy;
    return det > 0 ? (c->yy * x * x - 2 * c->xy * x * y + c->xx * y * y) / det : INFINITY;
}

static void score_circle(struct column *out, const struct board_pose *found, const struct camera *real, int circle,
                         double r)
{
    const struct board *b = &found->board;
    double turn = turn_between(&found->camera, real, r);
    for (int k = 0; k < AROUND && out->circles < MOST_ERRORS; k++) {
        struct pt_in read;
        double along, across, angle = 2 * PI * k / AROUND;
        if (!read_place(&along, &across, &read, &found->camera, real, r, angle))
            continue;
        struct cov_in2 cov = pose_fit_place_cov(&found->fit, read, 0);
        double dx = read.x - r * cos(angle + turn), dy = read.y - r * sin(angle + turn);
        double drawn_in =
            b->circle_in[circle] + board_line_deviation_in(b->line_deviation_in[circle], atan2(read.y, read.x));
        out->circle_in[out->circles++] = fabs(hypot(along, across) - drawn_in);
        out->places++;
        out->within_2_sigma += off_in_sigmas2(&cov, dx, dy) < 4;
    }
}

// Places that no line passes: they hang on tilt and focal length, which the circles show by their shape alone.
static void score_inside(struct column *out, const struct board_pose *found, const struct camera *real, double r)
{
    double turn = turn_between(&found->camera, real, r);
    for (int k = 0; k < INSIDE * AROUND && out->insides < MOST_ERRORS; k++) {
        struct pt_in read;
        double along, across, angle = 2 * PI * k / AROUND, at = r * (k / AROUND) / INSIDE;
        if (!read_place(&along, &across, &read, &found->camera, real, at, angle))
            continue;
        struct cov_in2 cov = pose_fit_place_cov(&found->fit, read, 0);
        double dx = read.x - at * cos(angle + turn), dy = read.y - at * sin(angle + turn);
        out->inside_in[out->insides++] = hypot(dx, dy);
        out->insides_within += off_in_sigmas2(&cov, dx, dy) < 4;
    }
}

static void score_board(struct column *out, const struct board_pose *found, const json_t *truth)
{
    struct camera real;
    const json_t *board = json_object_get(truth, "board"), *circles = json_object_get(board, "circles_in");
    double ring = number(board, "ring_radius_in");
    if (!calibration_camera(&real, truth))
        return;
    if (out->focals < MOST_ERRORS) {
        out->focal[out->focals] = fabs(found->camera.lens.f_px / real.lens.f_px - 1);
        out->focal_sigmas[out->focals++] = fabs(found->camera.lens.f_px - real.lens.f_px) / found->f_sigma_px;
    }
    double innermost = ring;
    if (ring > 0)
        score_circle(out, found, &real, 0, ring);
    for (int i = 0; i < found->board.circles && i < (int)json_array_size(circles); i++) {
        innermost = json_number_value(json_array_get(circles, (size_t)i));
        score_circle(out, found, &real, i, innermost);
    }
    score_inside(out, found, &real, innermost);
}

struct frame *calibration_picture(const char *truth_path, const json_t *truth, struct fail *why)
{
    char path[1024];
    const char *slash = strrchr(truth_path, '/');
    struct source *s = NULL;
    struct frame *f = NULL;
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - truth_path + 1) : 0, truth_path,
             json_string_value(json_object_get(truth, "image")));
    if (photo_open(&s, path, why) < 0)
        return NULL;
    if (source_next(&f, s, why) < 1)
        f = NULL;
    source_close(s);
    return f;
}

static int score_one(struct column *columns, const char *truth_path, struct fail *why)
{
    json_t *truth = json_load_file(truth_path, 0, NULL);
    const char *kind = json_string_value(json_object_get(truth, "kind"));
    int rc = 0;
    for (int k = 0; k < KINDS && rc == 0 && kind; k++) {
        struct board_pose found;
        if (strcmp(kind, kinds[k].kind) != 0)
            continue;
        struct frame *f = calibration_picture(truth_path, truth, why);
        rc = f ? board_find(&found, f, board_builtin(kinds[k].board), NULL, &tuning_defaults, why) : RS_EINPUT;
        frame_free(f);
        columns[k].pictures++;
        if (rc == 0 && found.found) {
            columns[k].found++;
            score_board(&columns[k], &found, truth);
        } else if (rc == 0) {
            printf("%s: %s\n", truth_path, why->text);
        }
    }
    json_decref(truth);
    return rc;
}

int calibration_circles(double *off_in, const char *truth_path, struct fail *why)
{
    struct column *columns = calloc(KINDS, sizeof *columns);
    if (!columns)
        abort();
    int rc = score_one(columns, truth_path, why);
    *off_in = INFINITY;
    for (int k = 0; k < KINDS; k++)
        if (columns[k].circles > 0)
            *off_in = score_quantile(columns[k].circle_in, columns[k].circles, 0.95);
    free(columns);
    return rc;
}

static void print_column(const char *kind, struct column *c)
{
    if (!c->pictures)
        return;
    double within = c->places ? 100.0 * c->within_2_sigma / c->places : 0;
    double inside = c->insides ? 100.0 * c->insides_within / c->insides : 0;
    printf("%-10s %4d %6d %8.4f %8.4f %8.4f %9.0f %8.4f %8.4f %9.0f %9.1f %9.1f %8.1f\n", kind, c->pictures, c->found,
           score_quantile(c->circle_in, c->circles, 0.5), score_quantile(c->circle_in, c->circles, 0.95),
           score_quantile(c->circle_in, c->circles, 1), within, score_quantile(c->inside_in, c->insides, 0.5),
           score_quantile(c->inside_in, c->insides, 0.95), inside, 100 * score_quantile(c->focal, c->focals, 0.5),
           100 * score_quantile(c->focal, c->focals, 1), score_quantile(c->focal_sigmas, c->focals, 0.95));
}

int calibration_table(const char (*truth_paths)[512], int n, struct fail *why)
{
    struct column *columns = calloc(KINDS, sizeof *columns);
    int rc = 0;
    if (!columns)
        abort();
    for (int i = 0; i < n && rc == 0; i++)
        rc = score_one(columns, truth_paths[i], why);
    printf("\nCalibration without a lens file: the drawn circles against the true ones and places inside the innermost "
           "one "
           "(inches; and %% within their stated 2 sigma), focal length (%%, and in its own sigma)\n"
           "%-10s %4s %6s %8s %8s %8s %9s %8s %8s %9s %9s %9s %8s\n",
           "kind", "n", "found", "median", "95 %", "worst", "2 sigma", "inside", "95 %", "2 sigma", "f median",
           "f worst", "95 % sig");
    for (int k = 0; k < KINDS && rc == 0; k++)
        print_column(kinds[k].kind, &columns[k]);
    free(columns);
    return rc;
}
