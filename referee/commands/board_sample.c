// SPDX-License-Identifier: MIT
#include "referee/commands/board_sample.h"

#include "calibration/algebra.h"
#include "referee/commands/device.h"
#include "referee/commands/verbs.h"
#include "referee/commands/view_words.h"
#include "vision/board/find.h"

enum { FINDS = 7, LOOKS = 40 };     // a median of seven bears three frames with a hand in them
static const double EVERY_S = 0.4;  // a hand is somewhere else by then
static const double SETTLE_S = 1.0; // exposure and white balance of a camera that was just opened

// Until the board was found often enough.
static int sample_frames(struct board_sample *out, struct source *source, double from_s, const struct setup *s,
                         struct fail *why)
{
    double best = 0, radius_in[BOARD_MAX_CIRCLES][FINDS], width_in[FINDS];
    int rc = 0;
    while (rc >= 0 && out->found < FINDS && out->looks < LOOKS) {
        struct frame *f = NULL;
        struct board_pose pose = { .found = false };
        rc = source_next(&f, source, why);
        if (rc == SOURCE_WAITS && !why->text[0])
            continue;
        if (rc == SOURCE_WAITS)
            return why->code = RS_EIO;
        if (rc <= 0)
            break;
        if (f->t_s >= from_s) {
            from_s = f->t_s + EVERY_S;
            out->looks++;
            rc = board_find(&pose, f, &s->board, setup_lens(s), s->tuning, why);
        }
        if (rc >= 0 && pose.found) {
            for (int i = 0; i < pose.board.circles; i++)
                radius_in[i][out->found] = pose.board.circle_in[i];
            width_in[out->found++] = pose.board.line_width_in;
        }
        double good = pose.found ? pose.coverage / (1 + pose.rms_px) : 0;
        if (rc >= 0 && good > best) {
            best = good;
            out->pose = pose;
            frame_free(out->frame);
            out->frame = f;
            f = NULL;
        }
        frame_free(f);
    }
    for (int i = 0; i < out->pose.board.circles && out->found > 0; i++)
        out->pose.board.circle_in[i] = median_of(radius_in[i], out->found);
    if (out->found > 0)
        out->pose.board.line_width_in = median_of(width_in, out->found);
    return rc < 0 ? rc : 0;
}

int board_sample_take(struct board_sample *out, const struct options *o, struct setup *s, bool kept_board,
                      struct fail *why)
{
    struct source *source = NULL;
    int rc;
    *out = (struct board_sample){ .name = "" };
    if ((o->camera != NULL) == (o->operands > 0))
        return rs_fail(why, RS_EINPUT, "name one picture, one recording or --camera DEVICE");
    out->name = o->camera ? o->camera : o->operand[0];
    if (o->camera)
        rc = device_open(&source, o, why);
    else
        rc = photo_begins(out->name) ? photo_open(&source, out->name, why) : footage_open(&source, out->name, why);
    if (rc == 0)
        out->info = *source_info(source);
    if (rc == 0 && o->camera)
        rc = setup_take_saved(s, o, &out->info, kept_board, why);
    if (rc == 0)
        rc = sample_frames(out, source, o->camera && device_is_camera(o) ? SETTLE_S : 0, s, why);
    source_close(source);
    if (rc < 0 || out->found > 0)
        return rc;
    struct fail reason = *why;
    rs_fail(why, 0, "%.160s: no board found: %.240s%s", out->name, view_unfound_words(reason.text),
            setup_hint_words(s));
    return ENDED_WITHOUT_BOARD;
}

void board_sample_finish(struct board_sample *sample)
{
    frame_free(sample->frame);
    sample->frame = NULL;
}
