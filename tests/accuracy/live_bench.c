// SPDX-License-Identifier: MIT
// live_bench: from the bytes of a camera to a judged frame: processor time of each step and of the whole, beside what
// decoding the luma alone takes and what a pipeline takes that looks for circles in every frame; then at a camera's
// pace.
//
//   live_bench [--json] FOLDER SECONDS     FOLDER keeps the rendered board; so long by the clock
//   live_bench --soak FOLDER SECONDS       so much of a game four times as fast: does memory grow, does a file stay open?
//
// All that is compared is measured in turn, frame by frame, on the bytes of the same frame, by the processor time of
// this process: what else the machine does is not counted, and a machine that slows down slows them all. It stays on
// one core but where it says two.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <turbojpeg.h>

#include "calibration/algebra.h"
#include "tests/accuracy/live_pace.h"
#include "vision/board/find.h"
#include "vision/board/refit.h"
#include "vision/decoder.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/pieces/pieces.h"
#include "vision/track/change_detection.h"
#include "vision/track/shot_boundary.h"

enum {
    BLOCK_FRAMES = 30, // a second of a camera: every block has its share of the looks at the board
    RATIOS_MAX = 64,
    CIRCLES = 128,
};
static const double SETTLED_S = 0.6; // after a run everything is measured by then

// ---- what it is compared with

struct rival {
    tjhandle jpeg;
    uint8_t *luma, *bgr, *grey;
    int width, height, least_px, most_px;
    float circle[3 * CIRCLES];
};

static void decode(tjhandle jpeg, uint8_t *out, const struct encoded *e, int format, int smaller)
{
    int width = e->width / smaller, height = e->height / smaller;
    if (tjDecompress2(jpeg, e->bytes, e->size, out, width, width * tjPixelSize[format], height, format, 0) != 0)
        abort();
}

static double luma_ms(struct rival *r, const struct encoded *e)
{
    double from = busy_ms();
    decode(r->jpeg, r->luma, e, TJPF_GRAY, 1);
    return busy_ms() - from;
}

// All of each frame is decoded, made grey and searched for circles; with care in buffers that are kept, or without. It
// is libjpeg-turbo that decodes, without cv::imdecode around it: that gives the same bytes and takes a quarter longer
// (1080p of 4:2:2, OpenCV 4.6), since it decodes row by row into a buffer of its own and swaps red and blue on the way,
// and its module brings GDAL into the build.
static double naive_ms(struct rival *r, const struct encoded *e, bool careful)
{
    struct fail why;
    int n, rc;
    size_t px = (size_t)r->width * (size_t)r->height;
    double from = busy_ms();
    if (careful) {
        decode(r->jpeg, r->bgr, e, TJPF_BGR, 1);
        rc = cv_circles_u8(r->circle, CIRCLES, &n, r->grey, r->bgr, r->width, r->height, r->least_px, r->most_px, &why);
        return rc == 0 ? busy_ms() - from : NAN;
    }
    tjhandle jpeg = tjInitDecompress();
    uint8_t *bgr = calloc(px, 3), *grey = calloc(px, 1);
    if (!jpeg || !bgr || !grey)
        abort();
    decode(jpeg, bgr, e, TJPF_BGR, 1);
    rc = cv_circles_u8(r->circle, CIRCLES, &n, grey, bgr, r->width, r->height, r->least_px, r->most_px, &why);
    free(bgr);
    free(grey);
    tjDestroy(jpeg);
    return rc == 0 ? busy_ms() - from : NAN;
}

// ---- steps alone

enum { LUMA, BGR, COARSE, BOUNDARY, CHANGES, BOARD, REFIT, PIECES, STEPS };

static void tell_steps(struct report *r, const char *size, double ms[STEPS][RATIOS_MAX], int runs, int pieces)
{
    static const char *const name[STEPS] = {
        "decode: luma",     "decode: BGR",   "decode: BGR at 1/8", "shot boundary",
        "change detection", "board finding", "board refit",        "full detection"
    };
    for (int k = 0; k < STEPS; k++)
        report_tell(r, size, name[k], median_of(ms[k], runs), "ms");
    report_tell(r, size, "full detection finds", pieces, "discs");
    report_tell(r, size, "full detection, frames of 1/30 s", median_of(ms[PIECES], runs) * 30 / 1e3, "x");
}

static int bench_steps(struct report *r, const char *size, struct rival *rival, const struct mjpeg_game *g, int runs,
                       struct fail *why)
{
    double ms[STEPS][RATIOS_MAX];
    struct pipeline p;
    struct shot_boundary boundary;
    struct change_detector changes = { .width = 0 };
    struct board_pose pose;
    struct detection_list pieces = { .count = 0 };
    enum shot_boundary_verdict verdict;
    enum game_phase phase;
    shot_boundary_begin(&boundary, &tuning_defaults.track);
    int rc = pipeline_begin(&p, why);
    for (int i = 0; i < runs && rc == 0; i++) {
        struct encoded *e = NULL;
        struct frame *f = NULL;
        struct refit refit;
        rc = mjpeg_game_send(&e, &phase, g, i, why);
        rc = rc < 0 ? rc : unpack(&f, p.unpacker, e, why);
        if (rc == 0 && i == 0)
            rc = board_find(&pose, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, why);
        if (rc == 0 && i == 0)
            rc = pose.found ? change_detector_create(&changes, f, &pose, &tuning_defaults.track, why)
                            : rs_fail(why, RS_EINTERNAL, "no board in the rendered picture: %s", why->text);
        frame_free(f);
        f = NULL;
        rc = rc < 0 ? rc : unpack(&f, p.unpacker, e, why);
        double t[STEPS + 1];
        t[LUMA] = busy_ms();
        decode(rival->jpeg, rival->luma, e, TJPF_GRAY, 1);
        t[BGR] = busy_ms();
        decode(rival->jpeg, rival->bgr, e, TJPF_BGR, 1);
        t[COARSE] = busy_ms();
        decode(rival->jpeg, rival->bgr, e, TJPF_BGR, COARSEST);
        t[BOUNDARY] = busy_ms();
        rc = rc < 0 ? rc : shot_boundary_look(&verdict, &boundary, f, why);
        t[CHANGES] = busy_ms();
        rc = rc < 0 ? rc : change_detect(&changes, f, why);
        rc = rc < 0 ? rc : frame_decode(f, why);
        t[BOARD] = busy_ms();
        rc = rc < 0 ? rc : board_find(&pose, f, board_builtin("crokinole-nca"), NULL, &tuning_defaults, why);
        t[REFIT] = busy_ms();
        struct board_pose again = pose;
        rc = rc < 0 ? rc : board_refit(&refit, &again, f, &tuning_defaults, why);
        t[PIECES] = busy_ms();
        rc = rc < 0 ? rc
                    : pieces_find_on(&pieces, f, &pose, &(struct pieces_known){ .empty = NULL }, &tuning_defaults, why);
        t[STEPS] = busy_ms();
        for (int k = 0; k < STEPS; k++)
            ms[k][i] = t[k + 1] - t[k];
        // In between, something else was done.
        double from = busy_ms();
        if (rc == 0)
            rc = change_detect(&changes, f, why);
        ms[CHANGES][i] = busy_ms() - from;
        frame_free(f);
        encoded_release(e);
    }
    if (rc == 0) {
        double px = pose.board.piece_radius_in * camera_scale_px_per_in(&pose.camera, (struct pt3_in){ 0, 0, 0 });
        rival->least_px = (int)(0.8 * px);
        rival->most_px = (int)ceil(1.2 * px);
        tell_steps(r, size, ms, runs, pieces.count);
    }
    change_detector_finish(&changes);
    shot_boundary_finish(&boundary);
    pipeline_end(&p);
    return rc;
}

// ---- the whole

struct ratios {
    double of[RATIOS_MAX];
    int n;
};

static void add_ratio(struct ratios *r, double a, double b)
{
    if (r->n < RATIOS_MAX && b > 0)
        r->of[r->n++] = a / b;
}

static void tell_median(struct report *r, const char *size, const char *name, struct ratios *of, const char *unit)
{
    if (of->n > 0)
        report_tell(r, size, name, median_of(of->of, of->n), unit);
}

struct figures {
    struct ratios rest, rest_ms, run, run_ms, track_ms, kept, careless, call, whole;
};

static void tell_whole(struct report *r, const char *size, struct figures *of)
{
    tell_median(r, size, "whole, at rest, a frame", &of->rest_ms, "ms");
    tell_median(r, size, "whole, at rest, over the luma decode", &of->rest, "x");
    tell_median(r, size, "whole, in a shot, a frame", &of->run_ms, "ms");
    tell_median(r, size, "whole, in a shot, over the luma decode", &of->run, "x");
    tell_median(r, size, "tracking in a shot, a frame, what it has decoded with it", &of->track_ms, "ms");
    tell_median(r, size, "BGR + HoughCircles, buffers kept, over whole at rest", &of->kept, "x");
    tell_median(r, size, "BGR + HoughCircles, without care, over whole at rest", &of->careless, "x");
    tell_median(r, size, "measured after a shot", &of->call, "ms");
    tell_median(r, size, "frames decoded whole at rest", &of->whole, "of all");
}

// Blocks of a second at rest, and whole runs.
static int bench_whole(struct report *r, const char *size, struct rival *rival, const struct mjpeg_game *g, int blocks,
                       struct fail *why)
{
    struct pipeline p;
    struct figures of = { .rest = { .n = 0 } };
    double ours = 0, luma = 0, careful = 0, sloppy = 0, settling = 0, tracking = 0, phase_s = 0;
    long decoded_before = 0;
    enum game_phase phase = GAME_RESTS, last = GAME_RESTS;
    int in_block = 0, rc = pipeline_begin(&p, why);
    struct decoder *d = NULL;
    for (long i = 0; of.rest.n < blocks && rc == 0; i++) {
        struct encoded *e = NULL;
        struct frame *f = NULL;
        double t_s = (double)i / g->frames_per_s;
        double from = busy_ms();
        rc = mjpeg_game_send(&e, &phase, g, i, why);
        rc = rc < 0 ? rc : unpack(&f, p.unpacker, e, why);
        if (rc == 0 && !d)
            d = decoder_hold(f->decoder);
        double unpacked = busy_ms();
        rc = rc < 0 ? rc : pipeline_judge(&p, f, why);
        frame_free(f);
        double judged = busy_ms(), took = judged - from;
        bool runs = phase == GAME_RUNS || phase == GAME_RUNS_BACK;
        if (phase != last) {
            if (!runs && t_s > STARTED_S) {
                add_ratio(&of.run, ours, luma);
                add_ratio(&of.run_ms, ours, in_block);
                add_ratio(&of.track_ms, tracking, in_block);
            }
            ours = luma = careful = sloppy = settling = tracking = 0;
            in_block = 0;
            phase_s = t_s;
        }
        last = phase;
        bool settled = t_s > STARTED_S && t_s - phase_s > SETTLED_S;
        if (!runs && t_s > STARTED_S && !settled)
            settling += took - luma_ms(rival, e);
        if (rc == 0 && (runs || settled)) {
            if (!runs && settling > 0) {
                add_ratio(&of.call, settling, 1);
                settling = 0;
            }
            if (in_block == 0)
                decoded_before = atomic_load(&d->whole);
            ours += took;
            tracking += judged - unpacked;
            luma += luma_ms(rival, e);
            if (!runs) {
                careful += naive_ms(rival, e, true);
                sloppy += naive_ms(rival, e, false);
            }
            in_block++;
        }
        encoded_release(e);
        if (!runs && in_block == BLOCK_FRAMES) {
            add_ratio(&of.rest, ours, luma);
            add_ratio(&of.rest_ms, ours, in_block);
            add_ratio(&of.kept, careful, ours);
            add_ratio(&of.careless, sloppy, ours);
            add_ratio(&of.whole, (double)(atomic_load(&d->whole) - decoded_before), in_block);
            ours = luma = careful = sloppy = 0;
            in_block = 0;
        }
    }
    tell_whole(r, size, &of);
    decoder_release(d);
    pipeline_end(&p);
    return rc;
}

static const struct size {
    const char *name;
    int width, height, step_runs, blocks;
} sizes[] = { { "720p", 1280, 720, 3, 6 }, { "1080p", 1920, 1080, 5, 14 }, { "4K", 3840, 2160, 2, 3 } };

static int bench_size(struct report *r, const struct game_pictures *pictures, const struct size *s, struct fail *why)
{
    struct mjpeg_game g;
    struct rival rival = { .width = s->width, .height = s->height };
    size_t px = (size_t)s->width * (size_t)s->height;
    rival.jpeg = tjInitDecompress();
    rival.luma = malloc(px);
    rival.bgr = malloc(3 * px);
    rival.grey = malloc(px);
    int rc = rival.jpeg && rival.luma && rival.bgr && rival.grey ? 0 : rs_fail(why, RS_ENOMEM, "no memory");
    if (rc == 0)
        rc = mjpeg_game_make(&g, pictures, s->width, s->height, 30, why);
    if (rc == 0) {
        report_tell(r, s->name, "a frame as a JPEG of 4:2:2", (double)g.picture[0][0]->size / 1e3, "kB");
        rc = bench_steps(r, s->name, &rival, &g, s->step_runs, why);
        if (rc == 0)
            rc = bench_whole(r, s->name, &rival, &g, s->blocks, why);
        mjpeg_game_finish(&g);
    }
    free(rival.luma);
    free(rival.bgr);
    free(rival.grey);
    tjDestroy(rival.jpeg);
    return rc;
}

static int bench_all(struct report *r, const char *folder, double seconds, struct fail *why)
{
    struct game_pictures pictures;
    struct mjpeg_game g = { .width = 0 };
    struct rusage used;
    int rc = game_pictures_make(&pictures, folder, why);
    live_stay_on(1);
    for (size_t i = 0; i < countof(sizes) && rc == 0; i++)
        rc = bench_size(r, &pictures, &sizes[i], why);
    rc = rc < 0 ? rc : mjpeg_game_make(&g, &pictures, 1920, 1080, 60, why);
    rc = rc < 0 ? rc : live_core(r, "1080p60", &g, 3 * seconds, why);
    rc = rc < 0 ? rc : live_pace(r, "1080p60", &g, 1, seconds, why);
    mjpeg_game_finish(&g);
    live_stay_on(2);
    rc = rc < 0 ? rc : mjpeg_game_make(&g, &pictures, 1920, 1080, 30, why);
    rc = rc < 0 ? rc : live_pace(r, "2x1080p30", &g, 2, seconds, why);
    mjpeg_game_finish(&g);
    getrusage(RUSAGE_SELF, &used);
    if (rc == 0)
        report_tell(r, "all", "memory at most, the streams themselves included", (double)used.ru_maxrss / 1024, "MiB");
    if (r->json)
        printf("\n]\n");
    game_pictures_finish(&pictures);
    return rc;
}

int main(int argc, char **argv)
{
    struct fail why = { .text = "" };
    struct report r = { .json = argc == 4 && strcmp(argv[1], "--json") == 0 };
    bool soaks = argc == 4 && strcmp(argv[1], "--soak") == 0;
    argc -= r.json || soaks;
    argv += r.json || soaks;
    double seconds = argc == 3 ? atof(argv[2]) : 0;
    if (!(seconds > 0)) {
        fprintf(stderr, "usage: live_bench [--json|--soak] FOLDER SECONDS\n");
        return 2;
    }
    int rc = soaks ? live_soak(argv[1], seconds, &why) : bench_all(&r, argv[1], seconds, &why);
    if (rc < 0)
        fprintf(stderr, "live_bench: %s\n", why.text);
    return rc != 0;
}
