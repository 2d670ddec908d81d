// SPDX-License-Identifier: MIT
// `ringside calibrate lens`: a camera's lens from a chessboard that is shown to it, kept as a lens file.
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "calibration/lens_file.h"
#include "calibration/lens_views.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/device.h"
#include "referee/commands/outputs.h"
#include "referee/commands/photo_reading.h"
#include "referee/commands/terminal.h"
#include "referee/commands/verbs.h"
#include "vision/board/chessboard_find.h"
#include "vision/source/capture.h"

static const double LOOK_EVERY_S = 0.2; // a look takes half of it

// How fast the chessboard may move across the picture, of its longer side in a second: a shutter that rolls for a
// thirtieth of a second then bends it by a thousandth.
static const double STILL_PER_S = 0.03;

struct calibration {
    const struct options *options;
    const char *name;        // of the camera or of the first file
    struct source_info info; // of the source, of the first picture
    struct keys keys;
    struct chessboard last; // seen at last_s
    bool last_seen;
    double last_s, next_s; // when to look again
    char told[LENS_VIEWS_WORDS_MAX + 64];
    struct lens_views views;
};

static int take_size(struct calibration *c, const struct frame *f, const char *name, struct fail *why)
{
    if (c->views.width == 0)
        lens_views_begin(&c->views, f->width, f->height);
    if (f->width == c->views.width && f->height == c->views.height)
        return 0;
    return rs_fail(why, RS_EINPUT,
                   "%.200s has %d x %d pixels, the first one %d x %d: take all with one camera held one way", name,
                   f->width, f->height, c->views.width, c->views.height);
}

// 1 when nothing is missing any more.
static int look_at(struct calibration *c, struct frame *f, struct fail *why)
{
    struct chessboard seen;
    char missing[LENS_VIEWS_WORDS_MAX], line[sizeof c->told];
    bool terminal = isatty(STDERR_FILENO);
    if (f->t_s < c->next_s)
        return 0;
    c->next_s = f->t_s + LOOK_EVERY_S;
    int rc = take_size(c, f, c->name, why);
    if (rc == 0)
        rc = chessboard_find(&seen, f, CHESSBOARD_LARGE, why);
    if (rc < 0)
        return rc;
    double longer_px = c->views.width > c->views.height ? c->views.width : c->views.height;
    bool found = rc == 1,
         still = found && c->last_seen &&
                 chessboard_moved_px(&c->last, &seen) <= STILL_PER_S * longer_px * (f->t_s - c->last_s);
    if (still)
        rc = lens_views_add(&c->views, &seen, why);
    if (rc < 0)
        return rc;
    if (still && rc == 1 && c->options->camera && terminal)
        fprintf(stderr, "\a"); // the person looks at the chessboard, not at the screen
    if (!lens_views_missing(missing, &c->views))
        return 1;
    bool wanted = found && !still && lens_views_is_another(&c->views, &seen);
    snprintf(line, sizeof line, "%d views: %s", c->views.count,
             !found   ? "no chessboard is seen, hold it before the camera"
             : wanted ? "hold it still"
                      : missing);
    if (strcmp(line, c->told) != 0) { // written over on a terminal; the same is not told twice
        memcpy(c->told, line, sizeof line);
        fprintf(stderr, terminal ? "\r%s\033[K" : "%s\n", line);
        fflush(stderr);
    }
    c->last_seen = found;
    c->last_s = f->t_s;
    if (found)
        c->last = seen;
    return 0;
}

static bool wants_end(struct calibration *c)
{
    int key;
    while ((key = keys_next(&c->keys)) != KEY_NONE)
        if (key == KEY_END || key == 'q')
            return true;
    return false;
}

static int from_source(struct calibration *c, struct fail *why)
{
    const struct options *o = c->options;
    struct source *source = NULL;
    struct capture *capture = NULL;
    struct fail waits, told = { .text = "" };
    int rc = o->camera ? device_open(&source, o, why) : footage_open(&source, c->name, why);
    if (rc == 0 && o->camera) {
        c->info = *source_info(source);
        rc = capture_start(&capture, source, !device_is_camera(o), NULL, why);
    }
    if (rc == 0 && o->camera)
        foreign_tell(stderr, "ringside: show a chessboard to %s, left and right are as the camera sees them; q ends",
                     c->name);
    while (rc == 0 && !wants_end(c)) {
        struct frame *f = NULL;
        rc = capture ? capture_next(&f, capture, KEYS_EVERY_S, why) : source_next(&f, source, why);
        if (capture && rc == CAPTURE_NOTHING) {
            if (capture_waits(capture, &waits) && strcmp(waits.text, told.text) != 0) {
                foreign_tell(stderr, "ringside: %s", waits.text);
                told = waits;
            }
            continue;
        }
        if (rc != CAPTURE_FRAME)
            break;
        rc = look_at(c, f, why);
        frame_free(f);
    }
    capture_stop(capture);
    source_close(source);
    return rc < 0 && rc != RS_EENDED ? rc : 0; // asked to end, it takes what it has
}

// Whoever took photographs chose them: each is looked at, and told about when it gives nothing.
static int from_pictures(struct calibration *c, struct fail *why)
{
    struct photo_paths in;
    int rc = photo_paths_find(&in, c->options->operand, c->options->operands, why);
    for (int i = 0; i < in.count && rc == 0 && !wants_end(c); i++) {
        struct frame *f = NULL;
        struct chessboard seen;
        rc = photo_load(&f, in.path[i], why);
        if (rc == 0)
            rc = take_size(c, f, in.path[i], why);
        if (rc == 0)
            rc = chessboard_find(&seen, f, CHESSBOARD_ANY, why);
        bool found = rc == 1;
        if (found)
            rc = lens_views_add(&c->views, &seen, why);
        if (rc == 0)
            foreign_tell(stderr, "ringside: note: %s: %s", in.path[i],
                         found ? "a view like another one" : "no chessboard is seen");
        rc = rc < 0 ? rc : 0;
        frame_free(f);
    }
    photo_paths_finish(&in);
    return rc == RS_EENDED ? 0 : rc;
}

// Where the lens is going to be written, which is no file that is read.
static int name_output(char path[SETUP_PATH_MAX], const struct calibration *c, struct fail *why)
{
    struct outputs files = { 0 };
    struct photo_paths in = { 0 };
    const struct options *o = c->options;
    int rc = setup_calibrated(path, o, c->name, &c->info, NULL, why);
    if (rc == 0)
        rc = outputs_options(&files, o, why);
    if (rc == 0)
        rc = photo_paths_find(&in, o->operand, o->operands, why);
    for (int i = 0; i < in.count && rc == 0; i++)
        rc = outputs_reads(&files, in.path[i], why);
    if (rc == 0)
        rc = outputs_writes(&files, path, c->name, why);
    photo_paths_finish(&in);
    outputs_finish(&files);
    return rc;
}

static int write_lens(const struct calibration *c, struct fail *why)
{
    const struct options *o = c->options;
    const struct lens_fit *fit = &c->views.fit;
    const struct lens *l = &fit->lens;
    char path[SETUP_PATH_MAX], missing[LENS_VIEWS_WORDS_MAX];
    struct fail reason;
    if (!lens_views_suffice(&c->views, &reason)) {
        rs_fail(why, 0, "%.100s: %.340s; no lens file written", c->name, reason.text);
        return ENDED_WITHOUT_BOARD;
    }
    foreign_tell(stdout, "%s: %d views of a chessboard, %d corners fit to %.2f px (rms)", c->name, c->views.count,
                 fit->used, fit->rms_px);
    printf("  focal length %.1f px +- %.1f (1 sigma), principal point %.1f, %.1f px +- %.1f\n", l->f_px,
           l->f_px * lens_fit_sigma(fit, FIT_LOG_F), l->centre.u, l->centre.v, lens_fit_sigma(fit, FIT_CENTRE_U));
    printf("  k1 %.4f +- %.4f, k2 %.4f +- %.4f: the picture's corners are good to %.2f %%\n", l->k1,
           lens_fit_sigma(fit, FIT_K1), l->k2, lens_fit_sigma(fit, FIT_K2), 100 * lens_fit_corner_sigma(fit));
    if (lens_views_missing(missing, &c->views))
        printf("  to improve: %s\n", missing);
    int rc = name_output(path, c, why);
    if (rc == 0)
        rc = lens_file_write(path, l, fit->rms_px, why);
    if (rc == 0)
        foreign_tell(stdout, "  wrote %s%s", path, o->camera && !o->out ? "; watch takes it by itself" : "");
    return rc;
}

static int calibrate(const struct options *o, struct fail *why)
{
    struct stat st;
    struct calibration *c = calloc(1, sizeof *c);
    if (!c)
        return rs_fail(why, RS_ENOMEM, "no memory to calibrate a lens");
    c->options = o;
    c->name = o->camera ? o->camera : o->operands > 0 ? o->operand[0] : "";
    bool file = o->operands == 1 && stat(c->name, &st) == 0 && !S_ISDIR(st.st_mode);
    char path[SETUP_PATH_MAX];
    int rc = 0;
    keys_open(&c->keys);
    if ((o->camera != NULL) == (o->operands > 0))
        rc = rs_fail(why, RS_EINPUT,
                     "name pictures of a chessboard, a folder of them, one recording or --camera DEVICE");
    if (rc == 0 && (o->out || !o->camera)) // what is kept for a camera is named by what the camera says of itself
        rc = name_output(path, c, why);
    if (rc == 0)
        rc = o->camera || (file && !photo_begins(c->name)) ? from_source(c, why) : from_pictures(c, why);
    if (c->told[0] && isatty(STDERR_FILENO))
        fprintf(stderr, "\n");
    if (rc == 0)
        rc = write_lens(c, why);
    if (rc == 0 && interrupt_signal() && interrupt_signal() != SIGINT) // Ctrl-C is one of its keys
        rc = rs_fail(why, RS_EENDED, "ended by %s: the lens is of the %d views that it had by then", interrupt_name(),
                     c->views.count);
    keys_finish(&c->keys);
    free(c);
    return rc;
}

const struct verb calibrate_lens_verb = {
    .name = "calibrate lens",
    .operands = "IMAGE...|FOOTAGE",
    .says = "measure a camera's lens from a chessboard, keep it as a lens file",
    .more = "Takes pictures of a chessboard, a recording, or --camera DEVICE, where it says what is still missing and "
            "ends by\n"
            "itself; q ends before that. Any flat chessboard of 5 x 5 squares or more does, or part of one; ringside "
            "calibrate\n"
            "target prints one. Switch autofocus and zoom off. Writes NAME.lens.json beside the input, or where --out "
            "says; for a\n"
            "camera into ~/.config/ringside, where watch finds it.\n",
    .flags = (const char *const[]){ "--camera", "--game", "--size", "--rate", "--control", "--out FILE.json", NULL },
    .operands_max = INT_MAX,
    .run = calibrate,
};
