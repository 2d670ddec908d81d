// SPDX-License-Identifier: MIT
#include "referee/commands/still.h"

#include "calibration/algebra.h"
#include "referee/commands/device.h"
#include "referee/commands/verbs.h"
#include "vision/board/find.h"

enum { FINDS = 7, LOOKS = 40 };     // a median of seven bears three frames with a hand in them
static const double EVERY_S = 0.4;  // a hand is somewhere else by then
static const double SETTLE_S = 1.0; // exposure and white balance of a camera that was just opened

struct taking {
    struct still *out;
    const struct setup *setup;
    struct fail *why;
    double next_s; // when to look again
    double best;   // of the frame that is kept
    double radius_in[BOARD_MAX_CIRCLES][FINDS], width_in[FINDS];
};

static int open_source(struct source **out, struct still *st, const struct options *o, struct fail *why)
{
    if ((o->camera != NULL) == (o->operands > 0))
        return rs_fail(why, RS_EINPUT, "name one picture, one recording or --camera DEVICE");
    st->name = o->camera ? o->camera : o->operand[0];
    if (o->camera)
        return device_open(out, o, why);
    return photo_begins(st->name) ? photo_open(out, st->name, why) : footage_open(out, st->name, why);
}

static void keep(struct taking *t, const struct board_pose *pose, struct frame **f)
{
    int k = t->out->found++;
    double good = pose->coverage / (1 + pose->rms_px);
    for (int i = 0; i < pose->board.circles; i++)
        t->radius_in[i][k] = pose->board.circle_in[i];
    t->width_in[k] = pose->board.line_width_in;
    if (good <= t->best)
        return;
    t->best = good;
    t->out->pose = *pose;
    frame_free(t->out->frame);
    t->out->frame = *f;
    *f = NULL;
}

// Takes the frame over when it is the best so far.
static int look_at(struct taking *t, struct frame **f)
{
    struct board_pose pose;
    if ((*f)->t_s < t->next_s)
        return 0;
    t->next_s = (*f)->t_s + EVERY_S;
    t->out->looked++;
    int rc = board_find(&pose, *f, &t->setup->board, setup_lens(t->setup), t->setup->tuning, t->why);
    if (rc == 0 && pose.found)
        keep(t, &pose, f);
    return rc;
}

static int look_on(struct taking *t, struct source *s)
{
    int rc = 0;
    while (rc >= 0 && t->out->found < FINDS && t->out->looked < LOOKS) {
        struct frame *f = NULL;
        rc = source_next(s, &f, t->why);
        if (rc <= 0)
            break;
        rc = look_at(t, &f);
        frame_free(f);
    }
    return rc < 0 ? rc : 0;
}

static void take_medians(struct taking *t)
{
    struct board_pose *pose = &t->out->pose;
    for (int i = 0; i < pose->board.circles; i++)
        pose->board.circle_in[i] = median_of(t->radius_in[i], t->out->found);
    pose->board.line_width_in = median_of(t->width_in, t->out->found);
}

static int take_from(struct source *source, struct still *out, const struct options *o, struct setup *s,
                     bool kept_board, struct fail *why)
{
    struct taking t = { .out = out, .setup = s, .why = why };
    int rc = 0;
    out->info = *source_info(source);
    if (o->camera)
        rc = setup_take_saved_lens(s, o, &out->info, why);
    if (rc == 0 && o->camera && kept_board)
        rc = setup_take_saved_board(s, o, &out->info, why);
    if (o->camera && device_is_camera(o))
        t.next_s = SETTLE_S;
    if (rc == 0)
        rc = look_on(&t, source);
    if (rc < 0)
        return rc;
    if (out->found == 0) {
        struct fail reason = *why;
        rs_fail(why, 0, "%.200s: no board found: %.280s", out->name, reason.text);
        return ENDED_WITHOUT_BOARD;
    }
    take_medians(&t);
    return 0;
}

int still_take(struct still *out, const struct options *o, struct setup *s, bool kept_board, struct fail *why)
{
    struct source *source = NULL;
    *out = (struct still){ .name = "" };
    int rc = open_source(&source, out, o, why);
    if (rc == 0)
        rc = take_from(source, out, o, s, kept_board, why);
    source_close(source);
    return rc;
}

void still_finish(struct still *st)
{
    frame_free(st->frame);
    st->frame = NULL;
}
