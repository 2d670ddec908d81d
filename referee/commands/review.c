// SPDX-License-Identifier: MIT
// `ringside review FOOTAGE`: the calls of a recording, its log, and the recording again with everything drawn on it.
#include <stdlib.h>

#include "calibration/json_file.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/commands/book.h"
#include "referee/commands/playback.h"
#include "referee/commands/said_inputs.h"
#include "referee/commands/setup.h"
#include "referee/commands/verbs.h"
#include "referee/commands/videos.h"
#include "referee/commands/view_words.h"

struct review {
    struct setup setup;
    struct source *footage;
    struct playback playback;
    struct said_inputs said;
    struct record *record;  // NULL: none is kept
    struct options options; // as a resumed match has them
    struct annotated_video annotated;
    struct debug_video debug;
    json_t *events; // for NAME.calls.json
    bool files;     // log and calls are written
    char log_path[SETUP_PATH_MAX], calls_path[SETUP_PATH_MAX], video_path[SETUP_PATH_MAX], debug_path[SETUP_PATH_MAX];
};

static int open_review(struct review *r, struct fail *why)
{
    struct options *o = &r->options;
    const char *path = o->operand[0];
    long resumed = 0;
    r->files = !o->json || o->out; // with --json the lines are the result: files only where they were asked for
    r->events = json_array();
    int rc = book_begin(&r->record, &resumed, o, 1, r->files && !o->no_book, why);
    if (rc == 0)
        rc = setup_read(&r->setup, o, why);
    if (rc == 0 && o->inputs)
        rc = said_inputs_read(&r->said, o->inputs, why);
    if (rc == 0)
        rc = footage_open(&r->footage, path, why);
    if (rc == 0)
        rc = setup_folder(o->out, why);
    if (rc == 0)
        rc = setup_output(r->log_path, path, o->out, ".ringside.jsonl", why);
    if (rc == 0)
        rc = setup_output(r->calls_path, path, o->out, ".calls.json", why);
    if (rc == 0)
        rc = setup_output(r->video_path, path, o->out, ".ringside.mp4", why);
    if (rc == 0)
        rc = setup_output(r->debug_path, path, o->out, ".debug.ringside.mp4", why);
    if (rc == 0 && o->video)
        rc = annotated_video_open(&r->annotated, r->video_path, source_info(r->footage), why);
    if (rc == 0 && o->debug_video)
        rc = debug_video_open(&r->debug, r->debug_path, source_info(r->footage), why);
    if (rc < 0)
        return rc;
    struct playback *p = &r->playback;
    const struct source_info *info = source_info(r->footage);
    playback_init(p, o, &r->setup, info->name, r->files ? r->log_path : NULL);
    p->from = r->footage;
    p->info = info;
    p->record = r->record;
    p->resume = resumed;
    p->tells_found = !o->quiet;
    p->progress = progress_begin(info->duration_s, !o->quiet);
    playback_announce(p, o->json ? json_announcer(stdout) : console_announcer(stdout));
    playback_announce(p, json_collector(r->events));
    playback_add(p, said_inputs_consumer(&r->said, p));
    if (o->debug_video) {
        p->notes = &r->debug.notes;
        playback_add(p, debug_video_consumer(&r->debug));
    }
    if (o->video) { // behind the debug video, for it draws on the frame itself
        playback_announce(p, annotated_video_announcer(&r->annotated));
        playback_add(p, annotated_video_consumer(&r->annotated));
    }
    return 0;
}

static int review(const struct options *o, struct fail *why)
{
    struct review *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "no memory for a review");
    r->options = *o;
    int rc = open_review(r, why);
    if (rc == 0)
        rc = playback_run(&r->playback, why);
    if (rc == 0)
        rc = said_inputs_give_rest(&r->said, why);
    if (r->footage)
        view_print_losses(stderr, source_info(r->footage));
    if (rc == 0 && o->json && source_lost_any(source_info(r->footage)))
        rc = json_print(stdout, json_losses(source_info(r->footage)), why);
    if (rc == 0 && r->files) {
        json_t *calls =
            json_pack("{s:s, s:s, s:O, s:o}", "game", r->setup.game->name, "source", source_info(r->footage)->name,
                      "events", r->events, "losses", json_losses(source_info(r->footage)));
        rc = calls ? json_file_write(r->calls_path, calls, why)
                   : rs_fail(why, RS_EINPUT, "the footage's name is not UTF-8: no %s", r->calls_path);
        json_decref(calls);
    }
    if (rc == 0)
        rc = video_finish(&r->annotated.movie, why);
    if (rc == 0)
        rc = video_finish(&r->debug.movie, why);
    bool told = rc == 0 && !o->quiet;
    if (told && r->record)
        fprintf(stderr, "ringside: kept as match %ld of %s\n", r->record->match, r->record->path);
    if (told && r->files)
        fprintf(stderr, "ringside: wrote %s and %s\n", r->log_path, r->calls_path);
    if (told && o->video)
        fprintf(stderr, "ringside: wrote %s\n", r->video_path);
    if (told && o->debug_video)
        fprintf(stderr, "ringside: wrote %s\n", r->debug_path);
    if (rc == ENDED_WITHOUT_BOARD) {
        struct fail reason = *why;
        rs_fail(why, 0, "%.200s: %.300s", o->operand[0], reason.text);
    }
    movie_drop(r->annotated.movie);
    movie_drop(r->debug.movie);
    playback_finish(&r->playback);
    said_inputs_finish(&r->said);
    source_close(r->footage);
    record_close(r->record);
    json_decref(r->events);
    free(r);
    return rc;
}

const struct verb review_verb = {
    .name = "review",
    .operands = "FOOTAGE [MATCH]",
    .says = "referee a recording (whatever FFmpeg reads)",
    .more = "Writes NAME.ringside.jsonl (the log) and NAME.calls.json beside the footage, with --video also\n"
            "NAME.ringside.mp4, with --debug-video NAME.debug.ringside.mp4; and keeps the match in the record; with "
            "--json\n"
            "log and calls only when --out is given, the record only with that or --book.\n",
    .flags =
        (const char *const[]){ "--game",        "--board", "--lens",    "--hint",    "--out",    "--json",  "--video",
                               "--debug-video", "--quiet", "--side",    "--players", "--format", "--match", "--judge",
                               "--inputs",      "--book",  "--no-book", "--resume",  "--tune",   NULL },
    .operands_min = 1,
    .operands_max = 2,
    .run = review,
};
