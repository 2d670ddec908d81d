// SPDX-License-Identifier: MIT
// `ringside calibrate check`: how good a set-up is, how sure its line calls are around the board, and what to improve.
#include "calibration/foreign.h"
#include "referee/announce/json.h"
#include "referee/commands/view_words.h"
#include "referee/commands/board_sample.h"
#include "referee/commands/outputs.h"
#include "referee/commands/verbs.h"
#include "vision/quality.h"

static const char *const places[QUALITY_PLACES] = { "right", "up right",  "up",   "up left",
                                                    "left",  "down left", "down", "down right" };

struct checked {
    struct setup setup;
    struct board_sample sample;
    struct view_quality quality;
    int advices;
    char advice[QUALITY_ADVICE_MAX][QUALITY_WORDS_MAX];
};

static void print_checked(const struct checked *c)
{
    const struct view_quality *q = &c->quality;
    const struct clarity *p = &c->sample.pose.clarity;
    double hidden = 1 - c->sample.pose.coverage - p->outside;
    char view[VIEW_WORDS_MAX];
    view_words(view, &c->sample.pose, &c->setup);
    foreign_tell(stdout, "%s: %s", c->sample.name, view);
    printf("  grade %c: of the pieces within their own width of a line, %.0f %% would be called close\n", q->grade,
           100 * q->close_share);
    printf("  scale: %.1f to %.1f px per inch; a piece is %.0f px wide\n", q->px_per_in_least, q->px_per_in_most,
           q->piece_px);
    printf("  1 sigma of a line call, in:");
    for (int i = 0; i < QUALITY_PLACES; i++)
        printf(" %10s", places[i]);
    printf("\n");
    for (int i = 0; i < q->lines; i++) {
        printf("    circle of %6.2f in radius  ", q->line[i].radius_in);
        for (int k = 0; k < QUALITY_PLACES; k++)
            printf("%*.4f", k ? 11 : 9, q->line[i].sigma_in[k]);
        printf("\n");
    }
    if (p->blur_px > 0)
        printf("  lines: blurred by %.1f px (1 sigma), ", p->blur_px);
    else
        printf("  lines: too faint to tell their blur, ");
    printf("%.0f %% hidden, %.0f %% outside the picture\n", hidden > 0 ? 100 * hidden : 0, 100 * p->outside);
    printf("  light: median %.0f of 255, %.0f %% burnt out, %.0f %% black\n", p->brightness, 100 * p->clipped,
           100 * p->dark);
    for (int i = 0; i < c->advices; i++)
        printf("  to improve: %s\n", c->advice[i]);
    if (c->advices == 0)
        printf("  nothing to improve that would be noticed\n");
}

static json_t *json_of(struct checked *c, const struct fail *refused)
{
    const struct view_quality *q = &c->quality;
    const struct clarity *p = &c->sample.pose.clarity;
    json_t *lines = json_array();
    for (int i = 0; i < q->lines; i++) {
        json_t *sigma = json_object();
        for (int k = 0; k < QUALITY_PLACES; k++)
            json_object_set_new(sigma, places[k], json_real(q->line[i].sigma_in[k]));
        json_array_append_new(lines, json_pack("{s:f, s:o}", "radius_in", q->line[i].radius_in, "sigma_in", sigma));
    }
    json_t *quality =
        json_pack("{s:s#, s:f, s:f, s:o, s:[f, f], s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "grade", &q->grade, 1,
                  "close_share", q->close_share, "sigma_in", q->sigma_in, "lines", lines, "px_per_in",
                  q->px_per_in_least, q->px_per_in_most, "piece_px", q->piece_px, "tilt_deg", q->tilt_rad * 180 / PI,
                  "blur_px", p->blur_px, "outside", p->outside, "brightness", p->brightness, "clipped", p->clipped,
                  "dark", p->dark, "advice", json_words(c->advice, c->advices));
    json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "image", c->sample.name, "game", c->setup.game->name, "board",
                          json_board(&c->sample.pose), "quality", quality);
    if (o && refused->text[0])
        json_object_set_new(o, "refused", json_string(refused->text));
    return o;
}

static int check(const struct options *o, struct fail *why)
{
    struct checked c = { .advices = 0 };
    struct fail refused = { .text = "" };
    struct outputs files = { 0 };
    int rc = outputs_options(&files, o, why);
    outputs_finish(&files);
    if (rc == 0)
        rc = setup_read(&c.setup, o, why);
    if (rc == 0)
        rc = board_sample_take(&c.sample, o, &c.setup, true, why);
    if (rc == 0) {
        quality_of(&c.quality, &c.sample.pose);
        c.advices = quality_advise(c.advice, &c.quality, &c.sample.pose);
        bool suffices = quality_suffices(&c.sample.pose, &refused);
        if (o->json)
            rc = json_print(stdout, json_of(&c, &refused), why);
        else
            print_checked(&c);
        if (rc == 0 && !suffices) {
            rs_fail(why, 0, "%.100s: %.400s", c.sample.name, refused.text);
            rc = ENDED_WITHOUT_BOARD;
        }
    }
    board_sample_finish(&c.sample);
    return rc;
}

const struct verb calibrate_check_verb = {
    .name = "calibrate check",
    .operands = "IMAGE|FOOTAGE",
    .says = "how good a set-up is: how sure its line calls are, what to improve",
    .more =
        "Takes a picture, a recording or --camera DEVICE. Grades: of the pieces that lie within their own width of a\n"
        "line, A at most 1 in 20 would be called close, B 1 in 5, C 1 in 3, D 1 in 2; beyond that nothing is called.\n",
    .flags = (const char *const[]){ "--game", "--camera", "--size", "--rate", "--control", "--board", "--lens",
                                    "--hint", "--json", "--tune", NULL },
    .operands_max = 1,
    .run = check,
};
