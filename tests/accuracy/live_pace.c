// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // sched_setaffinity
#include "tests/accuracy/live_pace.h"

#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vision/source/capture.h"
#include "vision/source/frame_queue.h"

enum { LATENCIES_MAX = 4096 };

// ---- at a camera's pace

struct paced {
    struct source base;
    const struct mjpeg_game *game;
    struct unpacker *unpacker; // borrowed
    double from_s, seconds;
    long number;
};

static int paced_next(struct frame **out, struct source *s, struct fail *why)
{
    struct paced *p = (struct paced *)s;
    struct encoded *e = NULL;
    enum game_phase phase;
    double due_s = (double)p->number / p->game->frames_per_s;
    if (due_s > p->seconds)
        return SOURCE_ENDED;
    double wait_s = p->from_s + due_s - now_s();
    if (wait_s > 0) {
        struct timespec t = { (time_t)wait_s, (long)((wait_s - floor(wait_s)) * 1e9) };
        nanosleep(&t, NULL);
    }
    int rc = mjpeg_game_send(&e, &phase, p->game, p->number, why);
    if (rc == 0)
        rc = unpack(out, p->unpacker, e, why);
    encoded_release(e);
    if (rc < 0)
        return rc;
    (*out)->number = p->number++;
    return SOURCE_FRAME;
}

static void paced_close(struct source *s)
{
    (void)s;
}

int paced_camera(struct source **out, double *from_s, const struct mjpeg_game *g, struct unpacker *unpacker,
                 double seconds, struct fail *why)
{
    static const struct source_kind paced_kind = { .next = paced_next, .close = paced_close };
    struct paced *camera = calloc(1, sizeof *camera);
    if (!camera)
        return rs_fail(why, RS_ENOMEM, "no memory for a camera");
    *from_s = now_s();
    *camera = (struct paced){ { .kind = &paced_kind }, g, unpacker, *from_s, seconds, 0 };
    *out = &camera->base;
    return 0;
}

struct watched {
    const struct mjpeg_game *game;
    double seconds, late_ms[LATENCIES_MAX], frame_late_ms[LATENCIES_MAX];
    int calls;
    long frames, dropped, dropped_at_start;
    int rc;
    struct fail why;
};

static void *watch_camera(void *given)
{
    struct watched *w = given;
    struct pipeline p;
    struct capture *c = NULL;
    struct frame *f = NULL;
    struct source *camera = NULL;
    double from_s = 0;
    w->rc = pipeline_begin(&p, &w->why);
    if (w->rc == 0)
        w->rc = paced_camera(&camera, &from_s, w->game, p.unpacker, w->seconds, &w->why);
    if (w->rc == 0)
        w->rc = capture_start(&c, camera, false, NULL, &w->why);
    while (w->rc == 0 && (w->rc = capture_next(&f, c, 1, &w->why)) >= 0 && w->rc != CAPTURE_ENDED) {
        if (w->rc == CAPTURE_NOTHING)
            continue;
        w->rc = pipeline_judge(&p, f, &w->why);
        double t_s = f->t_s, late_s = now_s() - from_s;
        frame_free(f);
        w->frames++;
        if (t_s < STARTED_S)
            w->dropped_at_start = capture_dropped(c);
        else if (p.called_since_s >= 0 && w->calls < LATENCIES_MAX) {
            w->late_ms[w->calls] = 1e3 * (late_s - p.called_since_s - tuning_defaults.track.rest_s);
            w->frame_late_ms[w->calls++] = 1e3 * (late_s - t_s);
        }
    }
    w->rc = w->rc < 0 ? w->rc : 0;
    w->dropped = c ? capture_dropped(c) - w->dropped_at_start : 0;
    capture_stop(c);
    source_close(camera);
    pipeline_end(&p);
    return NULL;
}

int live_pace(struct report *r, const char *size, const struct mjpeg_game *g, int cameras, double seconds,
              struct fail *why)
{
    enum { CAMERAS_MAX = 2 };
    pthread_t thread[CAMERAS_MAX];
    struct watched *w = calloc(CAMERAS_MAX, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory");
    double from_ms = busy_ms();
    for (int i = 0; i < cameras; i++) {
        w[i].game = g;
        w[i].seconds = seconds;
        if (pthread_create(&thread[i], NULL, watch_camera, &w[i]) != 0)
            abort();
    }
    int rc = 0;
    for (int i = 0; i < cameras; i++)
        pthread_join(thread[i], NULL);
    report_tell(r, size, "by the clock: processor", (busy_ms() - from_ms) / (1e3 * seconds), "cores");
    for (int i = 0; i < cameras && rc == 0; i++) {
        struct watched *one = &w[i];
        int n = one->calls;
        report_tell(r, size, "by the clock: frames looked at", (double)one->frames, "");
        report_tell(r, size, "by the clock: dropped while the board was found", (double)one->dropped_at_start, "");
        report_tell(r, size, "by the clock: dropped", (double)one->dropped, "");
        report_tell(r, size, "by the clock: still moments called", n, "");
        report_tell_spread(r, size, "by the clock: rest to call beyond the rest window", one->late_ms, n);
        report_tell_spread(r, size, "by the clock: frame to call", one->frame_late_ms, n);
        rc = one->rc;
        if (rc < 0)
            *why = one->why;
    }
    free(w);
    return rc;
}

// ---- the same by processor time, which nobody else on the machine can take

struct core {
    struct pipeline p;
    const struct mjpeg_game *game;
    struct frame_queue ready;
    double free_s; // when it has done all that it was given
    long sent, looked_at, dropped, dropped_at_start;
};

static double arrival_s(const struct core *c)
{
    return (double)c->sent / c->game->frames_per_s;
}

// The camera's thread takes the next picture, whatever else is being done.
static int receive(struct core *c, struct fail *why)
{
    struct encoded *e = NULL;
    struct frame *f = NULL, *dropped;
    enum game_phase phase;
    double from_ms = busy_ms();
    int rc = mjpeg_game_send(&e, &phase, c->game, c->sent++, why);
    rc = rc < 0 ? rc : unpack(&f, c->p.unpacker, e, why);
    encoded_release(e);
    if (rc < 0)
        return rc;
    double t_s = f->t_s;
    dropped = frame_queue_put(&c->ready, f);
    *(t_s < STARTED_S ? &c->dropped_at_start : &c->dropped) += dropped != NULL;
    frame_free(dropped);
    c->free_s += (busy_ms() - from_ms) / 1e3;
    return 0;
}

int live_core(struct report *r, const char *size, const struct mjpeg_game *g, double seconds, struct fail *why)
{
    struct core *c = calloc(1, sizeof *c);
    double *late_ms = malloc(LATENCIES_MAX * sizeof *late_ms), worst_ms = 0;
    int n = 0, rc = c && late_ms ? pipeline_begin(&c->p, why) : rs_fail(why, RS_ENOMEM, "no memory");
    if (c)
        frame_queue_init(&c->ready);
    if (rc == 0)
        c->game = g;
    while (rc == 0 && arrival_s(c) < seconds) {
        if (c->ready.count == 0) {
            c->free_s = fmax(c->free_s, arrival_s(c));
            rc = receive(c, why);
            continue;
        }
        struct frame *f = frame_queue_take(&c->ready);
        double from_ms = busy_ms(), t_s = f->t_s;
        rc = pipeline_judge(&c->p, f, why);
        frame_free(f);
        c->free_s += (busy_ms() - from_ms) / 1e3;
        c->looked_at++;
        while (rc == 0 && arrival_s(c) <= c->free_s && arrival_s(c) < seconds)
            rc = receive(c, why);
        if (t_s > STARTED_S)
            worst_ms = fmax(worst_ms, 1e3 * (c->free_s - t_s));
        if (t_s > STARTED_S && c->p.called_since_s >= 0 && n < LATENCIES_MAX)
            late_ms[n++] = 1e3 * (c->free_s - c->p.called_since_s - tuning_defaults.track.rest_s);
    }
    if (rc == 0 && n > 0) {
        report_tell(r, size, "one core: frames looked at", (double)c->looked_at, "");
        report_tell(r, size, "one core: dropped while the board was found", (double)c->dropped_at_start, "");
        report_tell(r, size, "one core: dropped", (double)c->dropped, "");
        report_tell(r, size, "one core: still moments called", n, "");
        report_tell_spread(r, size, "one core: rest to call beyond the rest window", late_ms, n);
        report_tell(r, size, "one core: frame to judged, worst", worst_ms, "ms");
    }
    if (c) {
        frame_queue_finish(&c->ready);
        pipeline_end(&c->p);
    }
    free(late_ms);
    free(c);
    return rc;
}

// ---- for hours

void live_stay_on(size_t cores)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t i = 0; i < cores; i++)
        CPU_SET(i, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        fprintf(stderr, "live_bench: the system says where it runs\n");
}

static int open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

struct kept {
    double t_s;
    size_t heap;
    int files;
};

static int tell_soak(const struct kept *kept, int n)
{
    // By then every buffer has been needed once.
    const struct kept *begin = &kept[n / 4], *end = &kept[n - 1];
    size_t most = 0;
    for (int i = n / 4; i < n; i++)
        most = kept[i].heap > most ? kept[i].heap : most;
    printf("%d still moments in %.0f s of play; heap %.2f MiB at %.0f s, %.2f at the end, %.2f at most; open files %d, "
           "then %d\n",
           n, end->t_s, (double)begin->heap / 0x100000, begin->t_s, (double)end->heap / 0x100000,
           (double)most / 0x100000, begin->files, end->files);
    // The record of a match grows by what was called: some hundred bytes a shot.
    bool flat = most <= begin->heap + 0x40000 + 1024 * (size_t)n && end->files == begin->files;
    printf("%s\n", flat ? "flat" : "IT GROWS");
    return flat ? 0 : 1;
}

// At the same moment of each shot: when it was called.
int live_soak(const char *folder, double seconds, struct fail *why)
{
    enum { FASTER = 4, SAMPLES = 4096 };
    struct game_pictures pictures;
    struct mjpeg_game g = { .width = 0 };
    struct pipeline p;
    static struct kept kept[SAMPLES];
    int n = 0, rc = game_pictures_make(&pictures, folder, why);
    rc = rc < 0 ? rc : mjpeg_game_make(&g, &pictures, 1280, 720, 30, why);
    rc = rc < 0 ? rc : pipeline_begin(&p, why);
    double from_s = now_s();
    for (long i = 0; rc == 0 && (double)i / g.frames_per_s < seconds; i++) {
        struct encoded *e = NULL;
        struct frame *f = NULL;
        enum game_phase phase;
        double wait_s = from_s + (double)i / g.frames_per_s / FASTER - now_s();
        if (wait_s > 0)
            nanosleep(&(struct timespec){ 0, (long)(fmin(wait_s, 0.999) * 1e9) }, NULL);
        rc = mjpeg_game_send(&e, &phase, &g, i, why);
        rc = rc < 0 ? rc : unpack(&f, p.unpacker, e, why);
        rc = rc < 0 ? rc : pipeline_judge(&p, f, why);
        frame_free(f);
        encoded_release(e);
        if (rc == 0 && p.called_since_s >= 0 && n < SAMPLES) {
            struct mallinfo2 m = mallinfo2();
            kept[n++] = (struct kept){ (double)i / g.frames_per_s, m.uordblks + m.hblkhd, open_files() };
        }
    }
    if (rc == 0)
        rc = n > 4 ? tell_soak(kept, n) : rs_fail(why, RS_EINPUT, "%d still moments are too few: play longer", n);
    pipeline_end(&p);
    mjpeg_game_finish(&g);
    game_pictures_finish(&pictures);
    return rc;
}
