// SPDX-License-Identifier: MIT
// `ringside review FOOTAGE`: the calls of a recording, its log, and the recording again with everything drawn on it.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/atomic_file.h"
#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "calibration/json_file.h"
#include "calibration/units.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/announce/shell_word.h"
#include "referee/commands/book.h"
#include "referee/commands/call_clips.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/outputs.h"
#include "referee/commands/playback.h"
#include "referee/commands/report.h"
#include "referee/commands/said_inputs.h"
#include "referee/commands/speaking.h"
#include "referee/commands/verbs.h"
#include "referee/commands/videos.h"
#include "referee/commands/view_words.h"

struct review {
    struct setup setup;
    struct source *footage;
    struct playback playback;
    struct said_inputs said;
    struct speaking speaking;
    struct record *record; // NULL: none is kept
    struct kept_footage kept;
    bool cut_short;         // the match that goes on, in this footage
    struct options options; // as a resumed match has them
    struct annotated_video annotated;
    struct debug_video debug;
    struct call_clips clips;
    json_t *events;            // for NAME.calls.json
    bool files;                // log and calls are written
    bool has_grown;            // as it seems, since the log that is there
    struct log_header shorter; // of that
    struct atomic_file log;
    char recorded[ATOMIC_FILE_PATH_MAX]; // the folder of what was recorded; unused for a file
    char log_path[SETUP_PATH_MAX], calls_path[SETUP_PATH_MAX], video_path[SETUP_PATH_MAX], debug_path[SETUP_PATH_MAX];
};

// The match that goes on. Footage that it has already is played only where it was cut short: it would count twice.
static int find_resumed(struct kept_match *out, struct review *r, long match, struct fail *why)
{
    int rc = record_find_cut_short(out, r->record, match, &r->kept, why);
    r->cut_short = rc > 0;
    if (rc == 0)
        rc = record_find(out, r->record, match, why);
    return rc < 0 ? rc
           : r->cut_short
               ? 0
               : book_refuse_twice(r->record, match, &r->kept, "if it is other footage, give it another name", why);
}

// Whether that log is of this footage, or of the match that goes on and has this footage; that one is called after the
// first footage of the match. In a folder for several the size tells footage of one name apart; what is longer may have
// grown, which its beginning shows. A file beside the footage is its own.
static int is_own_log(const struct log_header *h, struct review *r, const struct kept_match *resumed, struct fail *why)
{
    bool known = r->options.out && h->source_bytes > 0, named_so = strcmp(h->source, r->kept.name) == 0;
    if (named_so && (!known || h->source_bytes == r->kept.bytes))
        return 1;
    struct kept_footage of = { .bytes = (long)h->source_bytes };
    snprintf(of.name, sizeof of.name, "%s", h->source);
    int rc = strcmp(h->source, resumed->source) != 0 ? 0
             : known                                 ? record_has_footage(r->record, resumed->match, &of, why)
                                                     : 1;
    if (rc == 0 && named_so && h->source_bytes < r->kept.bytes) {
        r->has_grown = true;
        r->shorter = *h;
    }
    return rc == 0 ? r->has_grown : rc;
}

// What comes of it stands beside the footage by its name without ending, or in a folder where other footage's may: one
// log is not written over another's.
static int refuse_anothers_log(struct review *r, const struct kept_match *resumed, struct fail *why)
{
    struct log_reader *there = NULL;
    struct fail none;
    int rc = log_reader_open(&there, r->log_path, &none);
    if (rc == RS_ENOMEM)
        *why = none;
    if (rc < 0)
        return rc == RS_ENOMEM ? rc : 0;
    const struct log_header *h = log_reader_header(there);
    rc = is_own_log(h, r, resumed, why);
    if (rc == 0)
        rc = rs_fail(why, RS_EINPUT, "%.200s is the log of %s%.100s and would be lost: name another place with --out",
                     r->log_path, strcmp(h->source, r->kept.name) == 0 ? "another " : "", h->source);
    log_reader_free(there);
    return rc < 0 ? rc : 0;
}

static int name_outputs(struct review *r, const struct kept_match *resumed, struct fail *why)
{
    const struct options *o = &r->options;
    const struct {
        char *path;
        const char *ending;
        bool written;
    } made[] = { { r->log_path, PLAYBACK_LOG_ENDING, r->files },
                 { r->calls_path, ".calls.json", r->files },
                 { r->video_path, ".ringside.mp4", o->video },
                 { r->debug_path, ".debug.ringside.mp4", o->debug_video } };
    struct outputs files = { 0 };
    int rc = setup_folder(o->out, why);
    if (rc == 0)
        rc = outputs_options(&files, o, why);
    if (rc == 0 && r->record)
        rc = outputs_reads(&files, r->record->path, why);
    for (size_t i = 0; i < countof(made) && rc == 0; i++) {
        rc = setup_output(made[i].path, o->operand[0], o->out, made[i].ending, why);
        if (rc == 0 && made[i].written)
            rc = outputs_writes(&files, made[i].path, o->operand[0], why);
    }
    if (rc == 0 && o->voice_out)
        rc = outputs_writes(&files, o->voice_out, "the voice", why);
    if (rc == 0 && o->report)
        rc = outputs_writes(&files, o->report, "the match", why);
    outputs_finish(&files);
    if (rc == 0 && r->files)
        rc = refuse_anothers_log(r, resumed, why);
    return rc == 0 && r->files ? atomic_file_plan(&r->log, r->log_path, why) : rc;
}

// What watch --record made of a camera: a folder, with board and lens beside.
static int open_recorded(struct review *r, struct fail *why)
{
    int rc = recording_find(r->recorded, r->options.operand[0], why);
    r->options.operand[0] = r->recorded;
    if (rc == 0)
        rc = setup_take_recorded(&r->setup, &r->options, r->recorded, why);
    return rc == 0 ? recording_open(&r->footage, r->recorded, why) : rc;
}

// A name is that of the footage: reviewed again as the same match, its clips are made anew.
static int open_clips(struct review *r, struct fail *why)
{
    const struct options *o = &r->options;
    int rc = setup_folder(o->clips, why);
    if (rc == 0)
        rc = setup_output(r->clips.stem, o->operand[0], o->clips, "", why);
    r->clips.quiet = o->quiet;
    r->clips.playback = &r->playback;
    return rc == 0 ? call_clips_begin(&r->clips, why) : rc;
}

// Those who hear of each call, and those who take each frame, in their order.
static void add_listeners(struct review *r)
{
    const struct options *o = &r->options;
    struct playback *p = &r->playback;
    playback_announce(p, o->json ? json_announcer(stdout) : console_announcer(stdout));
    playback_announce(p, json_collector(r->events));
    playback_add(p, speaking_consumer(&r->speaking));
    playback_announce(p, speaking_announcer(&r->speaking));
    playback_add(p, said_inputs_consumer(&r->said, p));
    if (o->clips) { // before those that draw on the frame
        playback_announce(p, call_clips_announcer(&r->clips));
        playback_add(p, call_clips_consumer(&r->clips));
    }
    if (o->debug_video) {
        p->notes = &r->debug.notes;
        playback_add(p, debug_video_consumer(&r->debug));
    }
    if (o->video) { // behind the debug video, for it draws on the frame itself
        playback_announce(p, annotated_video_announcer(&r->annotated));
        playback_add(p, annotated_video_consumer(&r->annotated));
    }
}

static int open_review(struct review *r, struct fail *why)
{
    struct options *o = &r->options;
    struct stat st;
    bool recorded = stat(o->operand[0], &st) == 0 && S_ISDIR(st.st_mode);
    long resumed = 0;
    struct kept_match m = { .match = 0 };
    r->files = !o->json || o->out; // with --json the lines are the result: files only where they were asked for
    r->events = json_array();
    if (o->report && o->no_book)
        return rs_fail(why, RS_EINPUT, "--report is written from the record: it does not go with --no-book");
    int rc = book_begin(&r->record, &resumed, o, 1, (r->files && !o->no_book) || o->report, why);
    if (rc == 0)
        rc = setup_read(&r->setup, o, why);
    if (rc == 0 && o->inputs)
        rc = said_inputs_read(&r->said, o->inputs, why);
    if (rc == 0)
        rc = recorded ? open_recorded(r, why) : footage_open(&r->footage, o->operand[0], why);
    if (rc == 0)
        rc = book_footage(&r->kept, o->operand[0], why);
    if (rc == 0 && r->record)
        r->record->footage = &r->kept;
    if (rc == 0 && resumed)
        rc = find_resumed(&m, r, resumed, why);
    if (rc == 0)
        rc = name_outputs(r, &m, why);
    struct fail mute;
    if (rc == 0)
        rc = speaking_open(&r->speaking, o, false, &mute, why);
    if (rc == 0 && o->video)
        rc = annotated_video_open(&r->annotated, r->video_path, source_info(r->footage), why);
    if (rc == 0 && o->clips)
        rc = open_clips(r, why);
    if (rc == 0 && o->report) // it may lie in the folder of clips
        rc = report_check(o->report, why);
    if (rc == 0 && o->debug_video)
        rc = debug_video_open(&r->debug, r->debug_path, source_info(r->footage), why);
    if (rc < 0)
        return rc;
    struct playback *p = &r->playback;
    const struct source_info *info = source_info(r->footage);
    playback_init(p, o, &r->setup, info->name, r->files ? r->log.part : NULL);
    p->source_bytes = r->kept.bytes;
    p->shorter = r->has_grown ? &r->shorter : NULL;
    p->record = r->record;
    p->resume = resumed;
    p->replays = r->cut_short;
    p->replay_from = m.before_last;
    if (p->replays && !o->quiet)
        fprintf(stderr, "ringside: %s was cut short: it is played again and held against what is kept\n", info->name);
    p->tells_found = !o->quiet;
    p->progress = progress_begin(info->duration_s, !o->quiet);
    add_listeners(r);
    return 0;
}

// The calls up to `until_s`; INFINITY: all of them.
static int write_calls(const struct review *r, double until_s, struct fail *why)
{
    json_t *calls =
        json_pack("{s:s, s:s, s:O, s:o}", "game", r->setup.game->name, "source", source_info(r->footage)->name,
                  "events", r->events, "losses", json_losses(source_info(r->footage)));
    if (calls && isfinite(until_s))
        json_object_set_new(calls, "interrupted_s", json_real(until_s));
    int rc = calls ? json_file_write(r->calls_path, calls, why)
                   : rs_fail(why, RS_EINPUT, "the footage's name is not UTF-8: no %s", r->calls_path);
    json_decref(calls);
    return rc;
}

// One line: how far it went, what is written, and how it goes on. The videos are not kept.
static int tell_ended(struct review *r, struct fail *why)
{
    const struct playback *p = &r->playback;
    char written[280] = "nothing is written", footage[120], on[200] = "review it again";
    if (p->begun && r->files) {
        int rc = write_calls(r, p->played_s, why);
        if (rc < 0)
            return rc;
        snprintf(written, sizeof written, "%.120s and %.120s are whole up to there", r->log_path, r->calls_path);
    }
    if (p->begun && r->record)
        snprintf(on, sizeof on, "ringside review --resume %s %ld, with the same flags, goes on",
                 shell_word(footage, sizeof footage, r->options.operand[0]) ? footage : "FOOTAGE", r->record->match);
    return rs_fail(why, RS_EENDED, "ended by %s at %.1f of %.1f s: %s; %s", interrupt_name(), p->played_s,
                   source_info(r->footage)->duration_s, written, on);
}

// What became known by the end of the footage has a clip too.
static int end_clips(struct review *r, struct fail *why)
{
    struct tracker_view view;
    if (r->clips.asked > 0) {
        tracker_view(&view, r->playback.tracker);
        call_clips_settle(&r->clips, tracker_board(r->playback.tracker), &view, r->playback.played_s);
    }
    return call_clips_end(&r->clips, why);
}

static int write_report(const struct review *r, struct fail *why)
{
    const struct options *o = &r->options;
    struct kept_match m;
    int rc = record_find(&m, r->record, r->record->match, why);
    return rc == 0 ? report_write(o->report, r->record, &m, o->clips, NULL, why) : rc;
}

// The footage to its end, with what people said, and the calls of it. ENDED_WITHOUT_BOARD as playback_run.
static int play(struct review *r, struct fail *why)
{
    int rc = playback_run(&r->playback, r->footage, why);
    if (rc == 0)
        rc = said_inputs_give_rest(&r->said, fmax(source_info(r->footage)->duration_s, r->playback.played_s), why);
    view_print_losses(stderr, source_info(r->footage));
    if (rc == RS_EENDED)
        return tell_ended(r, why);
    if (rc == 0 && r->options.json && source_lost_any(source_info(r->footage)))
        rc = json_print(stdout, json_losses(source_info(r->footage)), why);
    return rc == 0 && r->files ? write_calls(r, INFINITY, why) : rc;
}

// What was observed is named also when something failed behind it, where no log of an earlier review would be lost.
// `rc` is what came of the review so far; a failure is told before that of the log.
static int name_log(struct review *r, int rc, struct fail *why)
{
    struct fail lost;
    bool failed = rc < 0 && rc != RS_EENDED, named = !failed || access(r->log_path, F_OK) != 0;
    if (!r->playback.begun || !r->files || !named || atomic_file_finish(&r->log, &lost) == 0 || failed)
        return rc;
    *why = lost;
    return lost.code;
}

// What is made beside the log. What fails first is told; clips and voice end in any case.
static int end_outputs(struct review *r, int rc, struct fail *why)
{
    struct fail mute;
    if (rc == 0)
        rc = annotated_video_finish(&r->annotated, why);
    if (rc == 0)
        rc = video_finish(&r->debug.movie, why);
    int clips = end_clips(r, rc == 0 ? why : &mute);
    rc = rc == 0 ? clips : rc;
    int spoken = speaking_finish(&r->speaking, rc == 0, rc == 0 ? why : &mute);
    rc = rc == 0 ? spoken : rc;
    return rc == 0 && r->options.report ? write_report(r, why) : rc;
}

static void tell_written(const struct review *r)
{
    const struct options *o = &r->options;
    if (r->record)
        foreign_tell(stderr, "ringside: kept as match %ld of %s", r->record->match, r->record->path);
    if (r->files)
        foreign_tell(stderr, "ringside: wrote %s and %s", r->log_path, r->calls_path);
    if (o->video)
        foreign_tell(stderr, "ringside: wrote %s", r->video_path);
    if (o->voice_out)
        foreign_tell(stderr, "ringside: wrote %s", o->voice_out);
    if (o->report)
        foreign_tell(stderr, "ringside: wrote %s", o->report);
    if (o->debug_video)
        foreign_tell(stderr, "ringside: wrote %s", r->debug_path);
}

static void free_review(struct review *r)
{
    atomic_file_drop(&r->log);
    annotated_video_drop(&r->annotated);
    movie_drop(r->debug.movie);
    playback_finish(&r->playback);
    said_inputs_finish(&r->said);
    source_close(r->footage);
    record_close(r->record);
    json_decref(r->events);
    free(r);
}

static int review(const struct options *o, struct fail *why)
{
    struct review *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "no memory for a review");
    r->options = *o;
    int rc = open_review(r, why);
    if (rc == 0)
        rc = play(r, why);
    rc = end_outputs(r, name_log(r, rc, why), why);
    if (rc == 0 && !o->quiet)
        tell_written(r);
    if (rc == ENDED_WITHOUT_BOARD) {
        struct fail reason = *why;
        rs_fail(why, 0, "%.200s: %.300s", o->operand[0], reason.text);
    }
    free_review(r);
    return rc;
}

const struct verb review_verb = {
    .name = "review",
    .operands = "FOOTAGE [MATCH]",
    .says = "referee a recording (whatever FFmpeg reads)",
    .more =
        "A folder is one that watch --record made: the calls are those that watch made.\n"
        "Writes NAME.ringside.jsonl (the log) and NAME.calls.json beside the footage, with --video also\n"
        "NAME.ringside.mp4, with --debug-video NAME.debug.ringside.mp4, with --clips DIR clips of close calls in DIR;\n"
        "and keeps the match in the record; with --json log and calls only when --out is given, the record only "
        "with\nthat or --book.\n",
    .flags =
        (const char *const[]){ "--game",      "--board",       "--lens",   "--hint",    "--out",         "--json",
                               "--video",     "--debug-video", "--quiet",  "--side",    "--players",     "--format",
                               "--match",     "--judge",       "--inputs", "--voice",   "--voice-lines", "--voice-name",
                               "--voice-out", "--voice-rate",  "--book",   "--no-book", "--resume",      "--tune",
                               "--clips",     "--report",      NULL },
    .operands_min = 1,
    .operands_max = 2,
    .run = review,
};
