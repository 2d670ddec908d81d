// SPDX-License-Identifier: MIT
// `ringside review FOOTAGE`: the calls of a recording, its log, and the recording again with everything drawn on it.
#include <stdlib.h>

#include "calibration/json_file.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/commands/debug_reel.h"
#include "referee/commands/found.h"
#include "referee/commands/progress.h"
#include "referee/commands/setup.h"
#include "referee/commands/showreel.h"
#include "referee/commands/stream.h"
#include "referee/commands/verbs.h"

struct review {
    struct setup setup;
    struct source *footage;
    struct stream stream;
    struct showreel reel;
    struct debug_reel debug;
    struct progress progress;
    json_t *events; // for NAME.calls.json
    bool files;     // log and calls are written
    char log_path[SETUP_PATH_MAX], calls_path[SETUP_PATH_MAX], video_path[SETUP_PATH_MAX], debug_path[SETUP_PATH_MAX];
};

// With --json the lines are the result: files only where they were asked for.
static int name_files(struct review *r, const char *path, const struct options *o, struct fail *why)
{
    r->files = !o->json || o->out;
    int rc = setup_folder(o->out, why);
    if (rc == 0)
        rc = setup_output(r->log_path, path, o->out, ".ringside.jsonl", why);
    if (rc == 0)
        rc = setup_output(r->calls_path, path, o->out, ".calls.json", why);
    if (rc == 0)
        rc = setup_output(r->video_path, path, o->out, ".ringside.mp4", why);
    if (rc == 0)
        rc = setup_output(r->debug_path, path, o->out, ".debug.ringside.mp4", why);
    return rc;
}

// The progress line makes way for a call.
static int clear_line(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    (void)m, (void)ruling, (void)why;
    progress_clear(self);
    return 0;
}

static int open_stream(struct review *r, const struct options *o, struct fail *why)
{
    struct stream *s = &r->stream;
    s->options = o;
    s->setup = &r->setup;
    s->source = source_info(r->footage)->name;
    s->log_path = r->files ? r->log_path : NULL;
    stream_add(s, (struct announcer){ clear_line, &r->progress });
    stream_add(s, o->json ? json_announcer(stdout) : console_announcer(stdout));
    stream_add(s, json_collector(r->events));
    if (o->video)
        stream_add(s, showreel_announcer(&r->reel));
    return stream_open(s, why);
}

static int open_review(struct review *r, const struct options *o, struct fail *why)
{
    r->events = json_array();
    int rc = setup_read(&r->setup, o, why);
    if (rc == 0)
        rc = footage_open(&r->footage, o->operand[0], why);
    if (rc == 0)
        rc = name_files(r, o->operand[0], o, why);
    if (rc == 0)
        rc = open_stream(r, o, why);
    if (rc == 0 && o->video)
        rc = showreel_open(&r->reel, r->video_path, source_info(r->footage), why);
    if (rc == 0 && o->debug_video)
        rc = debug_reel_open(&r->debug, r->debug_path, source_info(r->footage), why);
    return rc;
}

static void tell_found(struct review *r)
{
    char words[FOUND_WORDS_MAX];
    found_words(words, tracker_board(r->stream.eye), &r->setup);
    progress_clear(&r->progress);
    fprintf(stderr, "ringside: %s\n", words);
    found_limits(stderr, "ringside: beware: ", tracker_board(r->stream.eye));
}

static int look_at(struct review *r, struct frame *f, struct fail *why)
{
    bool before = r->stream.begun;
    f->notes = r->debug.movie ? &r->debug.notes : NULL;
    int rc = stream_look(&r->stream, f, why);
    if (rc == 0 && r->stream.begun && !before && !r->stream.options->quiet)
        tell_found(r);
    if (rc == 0 && r->debug.movie)
        rc = debug_reel_add(&r->debug, f, &r->stream, why);
    if (rc == 0 && r->reel.movie)
        rc = showreel_add(&r->reel, f, &r->stream, why);
    return rc;
}

static int look_through(struct review *r, struct fail *why)
{
    struct frame *f = NULL;
    int rc;
    while ((rc = source_next(r->footage, &f, why)) > 0) {
        rc = look_at(r, f, why);
        progress_tell(&r->progress, f->t_s);
        frame_free(f);
        if (rc < 0)
            break;
    }
    progress_clear(&r->progress);
    return rc < 0 ? rc : stream_end(&r->stream, why);
}

static int write_calls(const struct review *r, struct fail *why)
{
    json_t *o = json_pack("{s:s, s:s, s:O}", "game", r->setup.game->name, "source", source_info(r->footage)->name,
                          "events", r->events);
    int rc = o ? json_file_write(r->calls_path, o, why)
               : rs_fail(why, RS_EINPUT, "the footage's name is not UTF-8: no %s", r->calls_path);
    json_decref(o);
    return rc;
}

static void tell_files(const struct review *r, const struct options *o)
{
    if (r->files)
        fprintf(stderr, "ringside: wrote %s and %s\n", r->log_path, r->calls_path);
    if (o->video)
        fprintf(stderr, "ringside: wrote %s\n", r->video_path);
    if (o->debug_video)
        fprintf(stderr, "ringside: wrote %s\n", r->debug_path);
}

static int run_review(struct review *r, const struct options *o, struct fail *why)
{
    int rc = open_review(r, o, why);
    if (rc < 0)
        return rc;
    r->progress = progress_begin(source_info(r->footage)->duration_s, !o->quiet);
    rc = look_through(r, why);
    if (rc == 0 && r->files)
        rc = write_calls(r, why);
    if (rc == 0 && o->video)
        rc = showreel_finish(&r->reel, why);
    if (rc == 0 && o->debug_video)
        rc = debug_reel_finish(&r->debug, why);
    if (rc == 0 && !o->quiet)
        tell_files(r, o);
    return rc;
}

static void finish(struct review *r)
{
    movie_drop(r->reel.movie);
    movie_drop(r->debug.movie);
    stream_finish(&r->stream);
    source_close(r->footage);
    json_decref(r->events);
    free(r);
}

static int no_board(const char *path, struct fail *why)
{
    struct fail reason = *why;
    rs_fail(why, 0, "%.200s: %.300s", path, reason.text);
    return ENDED_WITHOUT_BOARD;
}

static int review(const struct options *o, struct fail *why)
{
    struct review *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    int rc = run_review(r, o, why);
    finish(r);
    return rc == ENDED_WITHOUT_BOARD ? no_board(o->operand[0], why) : rc;
}

const struct verb review_verb = {
    .name = "review",
    .operands = "FOOTAGE",
    .says = "referee a recording (whatever FFmpeg reads)",
    .more = "Writes NAME.ringside.jsonl (the log) and NAME.calls.json beside the footage, with --video also\n"
            "NAME.ringside.mp4, with --debug-video NAME.debug.ringside.mp4; with --json log and calls only when\n"
            "--out is given.\n",
    .flags = (const char *const[]){ "--game", "--board", "--lens", "--out", "--json", "--video", "--debug-video",
                                    "--quiet", "--side", NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = review,
};
