// SPDX-License-Identifier: MIT
// page_bench: what the pages cost the referee with nobody and with a hall of viewers, how soon the score is on them,
// and how soon a call is heard.
//
//   page_bench [--json|--check] FOLDER SECONDS [VIEWERS]
//
// FOLDER keeps the rendered board; --check: fails where too much is used.
//
// A camera's pictures come as they are due, are tracked, judged and told to the pages as watch does it. The viewers
// (hall.h) are a process of their own; in turn there are none and all of them, SECONDS each time, so that what else the
// machine does meets both alike. That is told beside them, for it decides what the clock's figures are worth; those of
// the processor count this process alone. The calls are spoken to a sound card that takes all and keeps nothing: what a
// real one holds back comes on top.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/algebra.h"
#include "calibration/atomic_file.h"
#include "calibration/units.h"
#include "referee/commands/pages.h"
#include "referee/commands/speaking.h"
#include "tests/accuracy/hall.h"
#include "tests/accuracy/live_pace.h"
#include "vision/source/capture.h"

enum {
    BLOCKS = 8, // without and with viewers in turn
    VIEWERS = 500,
    VIEWERS_MOST = 900,
    SHOTS_MOST = 1024,
    SAMPLES_MOST = 1 << 18,
};
static const double SETTLES_S = 1; // behind the arrival of a hall
// What the issue of the pages asks for.
static const double SCORE_MS = 250, MORE_CORES = 0.25, SLOWER = 1.05, FIRST_SOUND_MS = 500;

struct samples {
    double ms[SAMPLES_MOST];
    int n;
};

static void add(struct samples *s, double ms)
{
    if (s->n < SAMPLES_MOST)
        s->ms[s->n++] = ms;
}

struct bench {
    struct hall hall;
    struct live *live;
    struct web *web;
    struct pages pages;
    struct speaking speaking;
    struct voice_delays spoken; // at the end
    struct pipeline pipeline;
    double from_s;  // by the clock: when the camera began
    double block_s; // so long each is measured
    int viewers, port;
    int block;            // that runs
    double measured_s;    // by the clock: when its measuring began; 0: it waits for the hall
    double busy, machine; // then: seconds of processor time, of this process and of the machine
    double hall_busy;
    double due_s[SHOTS_MOST]; // of each shot: when its last still frame was due, and the rest window was over
    struct samples late[2], judged, score; // frames, without and with viewers; shots with them, judged and told
    double cores[2][BLOCKS], others[BLOCKS], bytes;
    long lost;
};

// Of all processors since it was started.
static double machine_busy_s(void)
{
    enum { PER_S = 100 }; // USER_HZ
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0;
    FILE *f = fopen("/proc/stat", "r");
    int n = f ? fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait, &irq, &soft) : 0;
    if (f)
        fclose(f);
    return n == 7 ? (user + nice + system + irq + soft) / PER_S : NAN;
}

static bool with_viewers(const struct bench *b)
{
    return b->block % 2 == 1;
}

static void hear_hall(struct bench *b)
{
    struct hall_report r;
    while (hall_next(&r, &b->hall)) {
        switch (r.what) {
        case HALL_SHOT:
            if (r.n < SHOTS_MOST && b->due_s[r.n] > 0)
                add(&b->score, 1e3 * (r.value - b->due_s[r.n]));
            break;
        case HALL_LOST:
            b->lost += r.n;
            break;
        case HALL_BYTES:
            b->bytes += r.value;
            break;
        case HALL_BUSY:
            if (b->block > 0 && b->block <= BLOCKS)
                b->others[b->block - 1] -= (r.value - b->hall_busy) / b->block_s;
            b->hall_busy = r.value;
            break;
        case HALL_READY:
            b->measured_s = now_s() + SETTLES_S;
            b->busy = -1;
            break;
        }
    }
}

// Between two frames. False when all blocks are done.
static bool go_on(struct bench *b)
{
    double now = now_s();
    hear_hall(b);
    if (b->block == BLOCKS)
        return b->measured_s <= 0; // until the hall has said all that it knows
    if (b->measured_s > 0 && b->busy < 0 && now >= b->measured_s) {
        b->measured_s = now;
        b->busy = busy_ms() / 1e3;
        b->machine = machine_busy_s();
    }
    if (b->measured_s > 0 && b->busy >= 0 && now - b->measured_s >= b->block_s) {
        double took_s = now - b->measured_s, busy = busy_ms() / 1e3 - b->busy;
        b->cores[with_viewers(b)][b->block / 2] = busy / took_s;
        b->others[b->block] = (machine_busy_s() - b->machine - busy) / took_s;
        b->measured_s = 0;
        b->block++;
        hall_order(&b->hall, with_viewers(b) ? b->viewers : 0, b->port);
    }
    return true;
}

static int take_frame(struct bench *b, struct frame *f, struct fail *why)
{
    struct pipeline *p = &b->pipeline;
    bool begun = p->begun;
    int rc = pipeline_judge(p, f, why);
    if (rc == 0 && p->begun && !begun)
        rc = adjudication_add(&p->judge, live_announcer(b->live), why);
    if (rc == 0 && p->begun && !begun)
        rc = adjudication_add(&p->judge, speaking_announcer(&b->speaking), why);
    struct tracked_frame t = { .t_s = f->t_s, .pose = *tracker_board(p->tracker) };
    tracker_view(&t.view, p->tracker);
    if (rc == 0 && p->begun)
        rc = pages_take(&b->pages, &t, &p->judge.match, 0, why);
    bool measures = b->measured_s > 0 && b->busy >= 0;
    if (measures)
        add(&b->late[with_viewers(b)], 1e3 * (now_s() - b->from_s - f->t_s));
    int shot = p->begun ? p->judge.match.shot.number : 0;
    if (measures && with_viewers(b) && p->called_since_s >= 0 && shot > 0 && shot < SHOTS_MOST) {
        b->due_s[shot] = b->from_s + p->called_since_s + tuning_defaults.track.rest_s;
        add(&b->judged, 1e3 * (now_s() - b->due_s[shot]));
    }
    return rc;
}

static int run(struct bench *b, const struct mjpeg_game *g, struct fail *why)
{
    struct source *camera = NULL;
    struct capture *c = NULL;
    struct frame *f = NULL;
    int rc = paced_camera(&camera, &b->from_s, g, b->pipeline.unpacker, INFINITY, why);
    if (rc == 0)
        rc = capture_start(&c, camera, false, NULL, why);
    bool ordered = false;
    while (rc >= 0 && go_on(b) && (rc = capture_next(&f, c, 1, why)) >= 0 && rc != CAPTURE_ENDED) {
        if (rc == CAPTURE_NOTHING)
            continue;
        rc = take_frame(b, f, why);
        if (f->t_s > STARTED_S && !ordered) {
            ordered = true;
            hall_order(&b->hall, 0, b->port);
        }
        frame_free(f);
    }
    capture_stop(c);
    source_close(camera);
    return rc < 0 ? rc : 0;
}

// Where a figure is asked for: whether it is met, told in words.
static bool met(struct report *r, const char *name, double value, const char *unit, double most)
{
    bool is = value < most;
    report_tell(r, "pages", name, value, unit);
    if (!r->json)
        printf("%-10s %-58s %9.4g %s\n", "",
               is ? "  asked for, and met: less than" : "  asked for, and MISSED: less than", most, unit);
    return is;
}

static bool tell(struct report *r, struct bench *b)
{
    enum { PAIRS = BLOCKS / 2 };
    double more[PAIRS], without[PAIRS], with[PAIRS], all_s = PAIRS * b->block_s;
    bool good = b->lost == 0 && b->score.n > 0;
    for (int i = 0; i < PAIRS; i++) {
        without[i] = b->cores[0][i];
        with[i] = b->cores[1][i];
        more[i] = with[i] - without[i];
    }
    report_tell(r, "pages", "viewers", b->viewers, "");
    report_tell(r, "pages", "viewers that were dropped", (double)b->lost, "");
    report_tell(r, "pages", "to each viewer", b->bytes / b->viewers / all_s, "bytes a second");
    report_tell(r, "pages", "scores that came to viewers", b->score.n, "");
    report_tell_spread(r, "pages", "last still frame to judged, beyond the rest window", b->judged.ms, b->judged.n);
    report_tell_spread(r, "pages", "last still frame to the score, beyond the rest window", b->score.ms, b->score.n);
    if (b->score.n > 0)
        good &= met(r, "the same, 99 of 100", b->score.ms[b->score.n * 99 / 100], "ms", SCORE_MS);
    const struct latencies *heard = &b->spoken.first_sound;
    report_tell(r, "pages", "calls that were spoken at once", (double)heard->count, "");
    report_tell(r, "pages", "call to its first sound, p50", 1e3 * latencies_share_s(heard, 0.5), "ms");
    good &= met(r, "the same, 99 of 100", 1e3 * latencies_share_s(heard, 0.99), "ms", FIRST_SOUND_MS);
    good &= heard->count > 0;
    report_tell(r, "pages", "processor, no viewers", median_of(without, PAIRS), "cores");
    report_tell(r, "pages", "processor, all viewers", median_of(with, PAIRS), "cores");
    good &= met(r, "more with them, median of pairs", median_of(more, PAIRS), "cores", MORE_CORES);
    report_tell_spread(r, "pages", "frame to judged, no viewers", b->late[0].ms, b->late[0].n);
    report_tell_spread(r, "pages", "frame to judged, all viewers", b->late[1].ms, b->late[1].n);
    static const struct {
        const char *name;
        int of_100;
    } shares[] = { { "with viewers over without, p50", 50 }, { "with viewers over without, p99", 99 } };
    for (size_t i = 0; i < countof(shares) && b->late[0].n > 0 && b->late[1].n > 0; i++) {
        double none = b->late[0].ms[b->late[0].n * shares[i].of_100 / 100],
               all = b->late[1].ms[b->late[1].n * shares[i].of_100 / 100];
        good &= met(r, shares[i].name, all / none, "x", SLOWER);
    }
    report_tell(r, "pages", "beside it, this machine was busy with other things", median_of(b->others, BLOCKS),
                "cores");
    if (r->json)
        printf("\n]\n");
    return good;
}

// ALSA's own configuration says which card it is.
static int begin_speaking(struct bench *b, const char *folder, struct fail *why)
{
    static const char card[] = "pcm.!default { type null }\n";
    char path[ATOMIC_FILE_PATH_MAX];
    struct fail note;
    snprintf(path, sizeof path, "%s/asound.conf", folder);
    FILE *f = fopen(path, "w");
    bool written = f && fputs(card, f) >= 0;
    if ((f && fclose(f) != 0) || !written || setenv("ALSA_CONFIG_PATH", path, 1) != 0)
        return rs_fail(why, RS_EIO, "%s: cannot be written", path);
    int rc = speaking_open(&b->speaking, &(struct options){ .voice = "calls" }, true, &note, why);
    b->speaking.live = b->live;
    return rc < 0 || b->speaking.voice ? rc : rs_fail(why, RS_ELIB, "%s", note.text);
}

static int bench_pages(struct bench *b, const char *folder, struct fail *why)
{
    struct game_pictures pictures = { .with = NULL };
    struct mjpeg_game g = { .width = 0 };
    char address[WEB_ADDRESS_MAX];
    int rc = hall_raise_files(b->viewers + 64, why); // and what the referee itself has open
    rc = rc < 0 ? rc : hall_begin(&b->hall, VIEWERS_MOST, why);
    rc = rc < 0 ? rc : game_pictures_make(&pictures, folder, why);
    rc = rc < 0 ? rc : mjpeg_game_make(&g, &pictures, 1280, 720, 30, why);
    rc = rc < 0 ? rc : pipeline_begin(&b->pipeline, why);
    rc = rc < 0 ? rc : live_create(&b->live, why);
    rc = rc < 0 ? rc : begin_speaking(b, folder, why);
    rc = rc < 0 ? rc : web_start(&b->web, b->live, &(struct web_wish){ .port = 0 }, why);
    if (rc == 0) {
        web_address(b->web, address);
        b->port = atoi(strrchr(address, ':') + 1);
        b->pages = (struct pages){ .live = b->live, .web = b->web };
        rc = run(b, &g, why);
    }
    hall_end(&b->hall);
    voice_delays(&b->spoken, b->speaking.voice);
    speaking_finish(&b->speaking, false, why);
    web_stop(b->web);
    live_free(b->live);
    pipeline_end(&b->pipeline);
    mjpeg_game_finish(&g);
    game_pictures_finish(&pictures);
    return rc;
}

int main(int argc, char **argv)
{
    struct fail why = { .text = "" };
    struct report r = { .json = argc > 1 && strcmp(argv[1], "--json") == 0 };
    bool checks = argc > 1 && strcmp(argv[1], "--check") == 0;
    argc -= r.json || checks;
    argv += r.json || checks;
    struct bench *b = calloc(1, sizeof *b);
    if (!b)
        return 1;
    b->block_s = argc >= 3 ? atof(argv[2]) : 0;
    b->viewers = argc == 4 ? atoi(argv[3]) : VIEWERS;
    if (argc < 3 || argc > 4 || !(b->block_s > 0) || b->viewers < 1 || b->viewers > VIEWERS_MOST) {
        fprintf(stderr, "usage: page_bench [--json|--check] FOLDER SECONDS [VIEWERS]\n");
        free(b);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    int rc = bench_pages(b, argv[1], &why);
    if (rc < 0)
        fprintf(stderr, "page_bench: %s\n", why.text);
    bool good = rc == 0 && tell(&r, b);
    free(b);
    return rc < 0 || (checks && !good);
}
