// SPDX-License-Identifier: MIT
// `ringside calibrate board`: a user's board measured from what a camera sees, shown and kept as a board file.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "calibration/foreign.h"
#include "calibration/board_file.h"
#include "calibration/lens_file.h"
#include "referee/announce/overlay.h"
#include "referee/commands/view_words.h"
#include "referee/commands/device.h"
#include "referee/commands/board_sample.h"
#include "referee/commands/outputs.h"
#include "referee/commands/verbs.h"
#include "vision/quality.h"
#include "vision/board/find.h"
#include "vision/board/target_find.h"
#include "vision/frame_file.h"

struct measured {
    struct setup setup;
    struct board nominal; // as it was looked for
    struct board_sample sample;
    struct view_quality quality;
    struct target_fit target; // when on_target
    bool on_target;           // the printed target lies there and tells the focal length
    char board_path[SETUP_PATH_MAX], picture_path[SETUP_PATH_MAX], lens_path[SETUP_PATH_MAX];
    char hint_path[SETUP_PATH_MAX]; // empty: no hint was given that is to be kept
};

static void print_measured(const struct measured *m)
{
    const struct board_pose *pose = &m->sample.pose;
    const struct board *b = &pose->board, *n = &m->nominal;
    char view[VIEW_WORDS_MAX];
    view_words(view, pose, &m->setup);
    foreign_tell(stdout, "%s: %s", m->sample.name, view);
    printf("  grade %c, a line call is good to %.3f in (1 sigma); ringside calibrate check says more\n",
           m->quality.grade, m->quality.sigma_in);
    if (m->sample.looks > 1)
        printf("  found in %d of %d frame%s\n", m->sample.found, m->sample.looks, m->sample.looks == 1 ? "" : "s");
    if (m->on_target)
        printf("  the target's corners fit to %.2f px (rms), its squares are printed %.1f %% of an inch\n",
               m->target.corners_px, 100 * m->target.printed);
    printf("  circle      measured  nominal   of the outermost     seen    residual   strays up to\n");
    for (int i = 0; i < b->circles; i++) {
        const struct line_clarity *l = &m->sample.pose.clarity.line[i];
        double most = 0; // how far hand and time have left the painted line from a true circle
        for (int degree = 0; degree < 360; degree++)
            most = fmax(most, fabs(board_line_deviation_in(b->line_deviation_in[i], degree * PI / 180)));
        printf("  %6d  %9.3f in  %7.3f     %5.3f (%5.3f)    %3.0f %%    %.2f px      %.3f in\n", i + 1, b->circle_in[i],
               n->circle_in[i], b->circle_in[i] / b->circle_in[0], n->circle_in[i] / n->circle_in[0], 100 * l->seen,
               l->noise_px, most);
    }
    printf("  line width %.3f in", b->line_width_in);
    if (n->line_width_in > 0)
        printf(" (usual %.3f)", n->line_width_in);
    printf("\n");
    if (n->quadrant_lines)
        printf("  quadrant lines: %s\n", pose->turn_seen ? "seen" : "not seen, the board's turn is not known");
}

// Beside the board file, with its name.
static int name_beside(char out[SETUP_PATH_MAX], const struct measured *m, const char *ending, struct fail *why)
{
    size_t length = strlen(m->board_path), json = strlen(".json");
    if (length > json && strcmp(m->board_path + length - json, ".json") == 0)
        length -= json;
    if (snprintf(out, SETUP_PATH_MAX, "%.*s%s", (int)length, m->board_path, ending) >= SETUP_PATH_MAX)
        return rs_fail(why, RS_EINPUT, "the name of %.200s is too long", m->board_path);
    return 0;
}

// Where all of it will be written.
static int name_files(struct measured *m, const struct options *o, const char *input, struct fail *why)
{
    struct outputs files = { 0 };
    int rc = outputs_options(&files, o, why);
    if (rc == 0)
        rc = setup_calibrated(m->board_path, o, input, &m->sample.info, m->nominal.name, why);
    if (rc == 0)
        rc = name_beside(m->picture_path, m, ".ringside.png", why);
    if (rc == 0)
        rc = o->camera && !o->out ? saved_path(m->lens_path, &m->sample.info, SAVED_LENS, why)
                                  : name_beside(m->lens_path, m, ".lens.json", why);
    if (rc == 0)
        rc = outputs_writes(&files, m->picture_path, "the board's picture", why);
    if (rc == 0)
        rc = outputs_writes(&files, m->board_path, "the board", why);
    if (rc == 0 && m->on_target)
        rc = outputs_writes(&files, m->lens_path, "the lens", why);
    outputs_finish(&files);
    return rc;
}

static int write_files(struct measured *m, const struct options *o, struct fail *why)
{
    static const struct tracker_view nothing;
    struct piece_table table = { 0 };
    const struct board_pose *pose = &m->sample.pose;
    struct overlay drawn = {
        .pose = pose, .view = &nothing, .table = &table, .board = &pose->board, .whole_board = true
    };
    overlay_say(&drawn.panel, "%s", pose->board.name);
    overlay_say(&drawn.panel, "grade %c, %.0f degrees", m->quality.grade, m->quality.tilt_rad * 180 / PI);
    overlay_say(&drawn.panel, "lines fit to %.2f px", pose->rms_px);
    bool kept = o->camera && !o->out;
    int rc = name_files(m, o, m->sample.name, why);
    if (rc == 0)
        rc = overlay_draw(m->sample.frame, &drawn, why);
    if (rc == 0)
        rc = frame_write(m->sample.frame, m->picture_path, why);
    if (rc == 0)
        rc = board_file_write(m->board_path, &pose->board, why);
    if (rc == 0 && m->on_target)
        rc = lens_file_write(m->lens_path, &m->target.camera.lens, m->target.corners_px, why);
    if (rc == 0 && kept && o->hint)
        rc = saved_path(m->hint_path, &m->sample.info, SAVED_HINT, why);
    if (rc == 0 && m->hint_path[0])
        rc = board_hint_file_write(m->hint_path, o->hint, why);
    if (rc == 0)
        foreign_tell(stdout, "  wrote %s%s%s%s%s and %s", m->board_path, m->on_target ? ", " : "",
                     m->on_target ? m->lens_path : "", m->hint_path[0] ? ", " : "", m->hint_path, m->picture_path);
    return rc;
}

// A single ring leaves the focal length open; the target on the floor beside its line tells it.
static int look_for_target(struct measured *m, struct fail *why)
{
    struct board_pose again = { .found = false };
    struct fail reason = { .text = "" };
    if (m->sample.pose.board.kind != BOARD_RING || m->setup.has_lens)
        return 0;
    int rc = target_find(&m->target, m->sample.frame, &m->sample.pose, &reason);
    if (rc == 1)
        rc = board_find(&again, m->sample.frame, &m->nominal, &m->target.camera.lens, m->setup.tuning, &reason);
    if (rc < 0) {
        *why = reason;
        return rc;
    }
    m->on_target = m->target.f_sigma_px > 0 && again.found;
    if (!m->on_target) {
        fprintf(stderr, "ringside: note: %s; the focal length stays open\n", reason.text);
        return 0;
    }
    again.focal_from = FOCAL_FROM_TARGET;
    m->sample.pose = again;
    return 0;
}

// What cannot be called is not worth keeping, and would take the place of a better one.
static int measure(const struct options *o, struct fail *why)
{
    struct measured m = { .board_path = "" };
    struct fail refused;
    int rc = setup_read(&m.setup, o, why);
    m.nominal = m.setup.board;
    // What is kept for a camera is named by what the camera says of itself.
    if (rc == 0 && (o->out || (o->operands > 0 && access(o->operand[0], F_OK) == 0)))
        rc = name_files(&m, o, o->operands > 0 ? o->operand[0] : "", why);
    if (rc == 0)
        rc = board_sample_take(&m.sample, o, &m.setup, false, why);
    if (rc == 0)
        rc = look_for_target(&m, why);
    if (rc == 0) {
        quality_of(&m.quality, &m.sample.pose);
        print_measured(&m);
        if (quality_suffices(&m.sample.pose, &refused)) {
            rc = write_files(&m, o, why);
        } else {
            rs_fail(why, 0, "%.100s: %.380s; no board file written", m.sample.name, refused.text);
            rc = ENDED_WITHOUT_BOARD;
        }
    }
    board_sample_finish(&m.sample);
    return rc;
}

const struct verb calibrate_board_verb = {
    .name = "calibrate board",
    .operands = "IMAGE|FOOTAGE",
    .says = "measure a board and keep it as a board file",
    .more = "Takes a picture, a recording or --camera DEVICE. Writes NAME.board.json, for --board, and "
            "NAME.board.ringside.png\n"
            "beside the input, or where --out says; for a camera into ~/.config/ringside, where watch finds it.\n",
    .flags = (const char *const[]){ "--game", "--camera", "--size", "--rate", "--control", "--board", "--lens",
                                    "--hint", "--out FILE.json", "--tune", NULL },
    .operands_max = 1,
    .run = measure,
};
