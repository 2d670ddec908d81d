// SPDX-License-Identifier: MIT
#include "tests/accuracy/labelled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "tests/accuracy/calibration.h"
#include "tests/accuracy/reading.h"
#include "tests/accuracy/score.h"
#include "vision/board/find.h"
#include "vision/pieces/pieces.h"

enum { LABELS = 64, ELLIPSE_POINTS = 90 };
static const double LINE_OFF_PX = 3, LINE_OFF_IN = 0.15;
static const double FIRM = 0.9;

// A labelled disc in an altered copy.
struct label {
    struct pt_px at;
    double radius_px;
    bool asked, met;
};

static int take_labels(struct label out[LABELS], const json_t *truth, const struct frame *as_it_is, enum alteration how)
{
    int n = 0;
    size_t i;
    const json_t *o;
    json_array_foreach(json_object_get(truth, "discs"), i, o)
    {
        const struct pt_px at = { score_number(o, "cx"), score_number(o, "cy") },
                           side = { at.u + score_number(o, "r"), at.v };
        const char *zone = score_word(o, "zone");
        if (n == LABELS)
            break;
        struct label *l = &out[n++];
        *l = (struct label){ .at = altered_place(at, as_it_is, how) };
        l->radius_px = distance_px(altered_place(side, as_it_is, how), l->at);
        l->asked = strcmp(zone, "ditch") != 0 && strcmp(zone, "off") != 0 &&
                   !json_is_true(json_object_get(o, "unsure")) && !json_is_true(json_object_get(o, "hidden")) &&
                   (how != TURNED || frame_shows(as_it_is, l->at.u, l->at.v)); // a copy of the same size
    }
    return n;
}

static int smaller_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Whether the labelled outermost line lies on the board's.
static bool board_is_right(const struct board_pose *pose, const json_t *truth, const struct frame *as_it_is,
                           enum alteration how)
{
    const json_t *e = json_object_get(truth, "board_outer_line_ellipse_px");
    double v[5], off[ELLIPSE_POINTS];
    int n = 0;
    for (size_t i = 0; i < countof(v); i++)
        v[i] = json_number_value(json_array_get(e, i));
    const double turn_rad = v[4] * PI / 180, line_in = board_line_middle_in(&pose->board, 0);
    for (int i = 0; i < ELLIPSE_POINTS; i++) {
        double a = 2 * PI * i / ELLIPSE_POINTS, x = v[2] * cos(a), y = v[3] * sin(a);
        struct pt_px seen = { v[0] + x * cos(turn_rad) - y * sin(turn_rad),
                              v[1] + x * sin(turn_rad) + y * cos(turn_rad) },
                     line;
        struct pt_in at;
        seen = altered_place(seen, as_it_is, how);
        off[n++] = INFINITY;
        if (!camera_locate(&at, &pose->camera, seen, 0))
            continue;
        double rho_in = hypot(at.x, at.y), out = line_in / rho_in;
        if (fabs(rho_in - line_in) < LINE_OFF_IN)
            off[n - 1] = 0;
        else if (camera_project(&line, &pose->camera, (struct pt3_in){ at.x * out, at.y * out, 0 }))
            off[n - 1] = distance_px(line, seen);
    }
    qsort(off, (size_t)n, sizeof *off, smaller_first);
    return off[n * 9 / 10] < LINE_OFF_PX;
}

// In the ditch, or on the outermost line: out of play, and in no total.
static bool is_out(const struct detection *p, const struct board *b)
{
    double line_in = board_line_middle_in(b, 0) - b->line_width_in / 2;
    return p->plane == IN_DITCH || hypot(p->at.x, p->at.y) + p->radius_in > line_in;
}

static void count_pieces(struct labelled_tally *t, struct label *labels, int n, const struct detection_list *told,
                         const struct board *b)
{
    for (int i = 0; i < told->count; i++) {
        const struct detection *p = &told->piece[i];
        struct label *of = NULL;
        for (int k = 0; k < n; k++)
            if (!labels[k].met && distance_px(p->px, labels[k].at) < labels[k].radius_px &&
                (!of || distance_px(p->px, labels[k].at) < distance_px(p->px, of->at)))
                of = &labels[k];
        if (of) {
            of->met = true;
            t->found += of->asked;
        } else if (!is_out(p, b)) {
            t->false_pieces++;
            t->firm_false_pieces += p->certainty >= FIRM;
        }
    }
    for (int k = 0; k < n; k++)
        t->asked += labels[k].asked;
}

static int read_copy(struct labelled_tally *t, const struct frame *as_it_is, const json_t *truth, enum alteration how,
                     struct fail *why)
{
    struct label labels[LABELS];
    struct board_pose pose = { .found = false };
    struct detection_list told;
    struct frame *f = NULL;
    int n = take_labels(labels, truth, as_it_is, how), rc = altered_copy(&f, as_it_is, how, why);
    if (rc == 0)
        rc = board_find(&pose, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, why);
    if (rc == 0 && pose.found)
        rc = pieces_find(&told, f, &pose, &tuning_defaults, why);
    if (rc == 0 && pose.found) {
        t->boards++;
        t->boards_right += board_is_right(&pose, truth, as_it_is, how);
        count_pieces(t, labels, n, &told, &pose.board);
    }
    frame_free(f);
    return rc;
}

bool labelled_is(const char *truth_path)
{
    json_t *truth = json_load_file(truth_path, 0, NULL);
    bool is = json_is_array(json_object_get(truth, "discs"));
    json_decref(truth);
    return is;
}

int labelled_read(struct labelled_tally *t, const char *truth_path, enum alteration how, struct fail *why)
{
    json_t *truth = score_truth(truth_path, why);
    struct frame *f = truth ? calibration_picture(truth_path, truth, why) : NULL;
    int rc = f ? read_copy(t, f, truth, how, why) : RS_EINPUT;
    t->pictures += rc == 0;
    frame_free(f);
    json_decref(truth);
    return rc;
}
