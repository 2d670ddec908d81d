// SPDX-License-Identifier: MIT
// `ringside watch`: referees what a camera sees, now.
//
// For people at a table who look at the game and not at the terminal: it annoys them when it ends for a reason that is
// not theirs, when a line comes again and again, when a key does nothing, when a word is about pixels and not about
// what they can do.
//
// Frames pass through three threads: capture.h takes them, live_tracking.h looks at them, this one judges what became
// known, writes log and record, announces, and answers keys. Voice, pages, clips and replay have their own.
#include "referee/commands/watch.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "calibration/foreign.h"
#include "calibration/interrupt.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/announce/summary.h"
#include "referee/commands/book.h"
#include "referee/commands/camera_recording.h"
#include "referee/commands/command_setup.h"
#include "referee/commands/demo_film.h"
#include "referee/commands/device.h"
#include "referee/commands/judge_keys.h"
#include "referee/commands/outputs.h"
#include "referee/commands/pages.h"
#include "referee/commands/playback.h"
#include "referee/commands/setup_page.h"
#include "referee/commands/speaking.h"
#include "referee/commands/verbs.h"
#include "referee/commands/view_words.h"
#include "referee/commands/watch_words.h"

// Of log and record each, while they cannot be written: some hundred thousand observations, days of play.
enum { HELD_BYTES_MAX = 64 << 20 };

// Between two tries to write what is held; how long a refusal has to last before it is told, and how far two of them
// are apart: somebody is at the camera meanwhile.
static const double WRITE_EVERY_S = 1, HELP_LASTS_S = 2.5, HELP_APART_S = 8;

struct watch {
    struct setup setup;
    struct keys keys;
    struct source *source;
    struct capture *capture;
    struct live_tracking *live;
    struct speaking speaking;
    struct playback playback;
    struct pages *pages; // these two outlive it, where it begins anew
    struct setup_page *setup_page;
    struct record *record;
    struct kept_footage film; // where one plays the camera
    struct camera_recording recording;
    struct options options; // as a resumed match has them
    struct demo_files demo;
    struct demo_pace pace;
    enum demo_stands pace_told;
    char log_path[SETUP_PATH_MAX];
    bool picture_held;
    bool answers_seen; // the calls go to the terminal where the keys are typed
    struct status_line line;
    struct tracked_frame now; // without its events
    struct summary summary;
    double begun_s, tried_s; // the clock: when the camera began, when what is held was last tried to write
    struct camera_losses losses;
    struct told help, unwritten; // what was told of it
    struct drops drops;          // of pictures
    double hindered_s;           // the clock since when something hinders calls; 0: nothing does
    char answer[CALL_TEXT_MAX];  // what was last called
    long answers;                // how often something was
    int inputs_shown;            // with what they changed on the pages
};

// Above the line that stands below everything.
static void tell(struct watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(struct watch *w, const char *format, ...)
{
    char text[2 * sizeof w->help.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    status_line_clear(&w->line);
    foreign_tell(stderr, "ringside: %s", text);
}

static int hear(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct watch *w = self;
    (void)m, (void)why;
    status_line_clear(&w->line);
    w->answers++;
    if (r->calls.count > 0)
        snprintf(w->answer, sizeof w->answer, "%s", r->calls.call[r->calls.count - 1].text);
    return 0;
}

static int take_key(struct watch *w, int key, struct fail *why)
{
    struct observation said;
    char named[WATCH_KEY_WORDS_MAX];
    const char *help = judge_keys_help(key, w->setup.game);
    if (key == '\n' || key == '\r')
        return 0;
    if (key == '?') {
        status_line_clear(&w->line);
        fprintf(stderr, "  q  end\n  ?  these keys\n");
        judge_keys_print(stderr, w->setup.game);
        fprintf(stderr,
                "     a piece that was missed is put on, one that is not there taken off: on the judge's page%s\n",
                w->pages->web ? "" : ", which --no-web leaves out");
    } else if (!help) {
        tell(w, "%s says nothing in this game; ? lists the keys", watch_key_words(named, key));
    } else if (!w->playback.begun) {
        tell(w, "%c: %s: no %s yet, there is nothing to judge", key, help,
             w->playback.waits ? "game is chosen" : "board is found");
    } else if (!judge_keys_input(&said, key, &w->playback.adjudication.match)) {
        tell(w, "%c: %s: %s", key, help, judge_keys_lacks(key, &w->playback.adjudication.match));
    } else {
        long before = w->answers;
        int rc = playback_input(&w->playback, &said, why);
        if (rc == 0 && w->answers == before)
            tell(w, "%c: %s: noted", key, help);
        else if (rc == 0 && !w->answers_seen)
            tell(w, "%c: %s", key, w->answer);
        return rc;
    }
    return 0;
}

static int take_frame(struct watch *w, struct tracked_frame *t, struct fail *why)
{
    struct playback *p = &w->playback;
    long before = w->summary.calls;
    bool begun = p->begun;
    int rc = playback_judge(p, &t->pose, &t->events, t->t_s, why);
    if (rc == 0 && p->begun && !begun) {
        status_line_clear(&w->line);
        if (!w->options.quiet)
            playback_tell_found(p, &t->pose);
        log_writer_hold(p->adjudication.log, HELD_BYTES_MAX);
        rc = w->record ? record_hold_rows(w->record, HELD_BYTES_MAX, why) : 0;
    }
    if (w->summary.calls > before && !t->last)
        latencies_add(&w->summary.latency, clock_s() - (capture_begun_s(w->capture) + t->t_s));
    call_clips_settle(&w->recording.clips, &t->pose, &t->view, t->t_s);
    voice_advance(w->speaking.voice, t->t_s);
    event_list_free(&t->events);
    w->now = *t;
    return rc == 0 && p->begun ? pages_take(w->pages, t, &p->adjudication.match, p->resumed_id, why) : rc;
}

static void tell_losses(struct watch *w)
{
    struct fail why = { .text = "" };
    char words[2 * sizeof why.text];
    capture_waits(w->capture, &why);
    if (camera_losses_say(words, sizeof words, &w->losses, why.text, clock_s()))
        tell(w, "%s", words);
}

// The sample game waits for people, and they are told so.
static void pace_demo(struct watch *w)
{
    enum demo_stands stands = atomic_load(&w->pace.stands);
    if (w->playback.begun && w->playback.adjudication.match.asked > 0)
        atomic_store(&w->pace.judge, JUDGE_IS_ASKED);
    else if (atomic_load(&w->pace.judge) == JUDGE_IS_ASKED)
        atomic_store(&w->pace.judge, JUDGE_HAS_DECIDED);
    bool says =
        stands == DEMO_IS_OVER || (stands == DEMO_WAITS_FOR_JUDGE && atomic_load(&w->pace.judge) == JUDGE_IS_ASKED);
    if (!says || stands == w->pace_told)
        return;
    w->pace_told = stands;
    if (w->options.quiet)
        return;
    if (stands == DEMO_WAITS_FOR_JUDGE)
        tell(w, "the sample game waits for the judge, who finds the close call on the judge's page%s",
             w->keys.raw ? "; here c lets it stand, v overrules it" : "");
    else
        tell(w, "the sample game is at its end; the pages stay%s", w->keys.raw ? " until q ends the watch" : "");
}

static void tell_drops(struct watch *w)
{
    struct drops *d = &w->drops;
    if (!drops_are_news(d, capture_dropped(w->capture), w->playback.begun, clock_s()))
        return;
    if (d->go_on)
        tell(w, "%s", drops_words(w->options.camera && stream_is_address(w->options.camera)));
    else
        tell(w, "all pictures are looked at again; %ld were dropped", d->count - d->before);
}

static const char *help_words(const struct watch *w)
{
    return w->playback.waits ? "no game is chosen yet: choose it on the set-up page"
                             : watch_help_words(&w->now, &w->playback.refused);
}

static void tell_help(struct watch *w)
{
    double now_s = clock_s();
    bool begun = w->playback.begun;
    const char *words = help_words(w);
    if (words[0] && w->hindered_s <= 0)
        w->hindered_s = now_s;
    // What is wrong with the picture has lasted when it is known.
    if (w->now.trouble_changes)
        return;
    double lasts_s = w->now.trouble != PICTURE_FINE || w->playback.waits ? 0 : HELP_LASTS_S;
    if (told_is_news(&w->help, words, now_s, lasts_s, lasts_s > 0 ? HELP_APART_S : 0)) {
        if (words[0])
            tell(w, "%s%s%s", begun ? "calls are held: " : "", words,
                 begun || w->now.trouble != PICTURE_FINE ? "" : setup_hint_words(&w->setup));
        else if (begun)
            tell(w, "the board is seen well again after %.0f s", now_s - w->hindered_s);
    }
    if (!words[0])
        w->hindered_s = 0;
}

// What cannot be written is no reason to end a game.
static void write_held(struct watch *w)
{
    struct unwritten *log = &w->summary.log_lacks, *record = &w->summary.record_lacks;
    struct log_writer *writer = w->playback.adjudication.log;
    double now_s = clock_s();
    w->tried_s = now_s;
    log->observations = writer ? log_writer_lacks(writer, &log->why) : 0;
    record->observations = w->record && w->record->held ? record_write_held(w->record, &record->why) : 0;
    const char *why = log->observations > 0 ? log->why.text : record->observations > 0 ? record->why.text : "";
    if (!told_is_news(&w->unwritten, why, now_s, 0, 0))
        return;
    if (why[0])
        tell(w, "%s; calls go on, and what is not written is kept in memory and written when that goes again", why);
    else
        tell(w, "log and record are written again, nothing is missing");
}

// What judges say, and who sets the watch up: that may end it, to begin anew.
static int listen_to_pages(struct watch *w, struct fail *why)
{
    struct source_info source;
    int rc = pages_listen(w->pages, &w->playback, why);
    if (rc < 0)
        return rc;
    capture_info(&source, w->capture);
    const struct setup_page_view view = { &w->options, &w->setup, &w->playback, &w->now, &source };
    rc = setup_page_listen(w->setup_page, w->pages->web, &view, why);
    if (rc > 0 && !w->summary.ended_by) {
        w->summary.ended_by = ENDED_TO_BEGIN_ANEW;
        live_tracking_end(w->live);
    }
    return rc < 0 ? rc : 0;
}

// What was said changes what lies where, also while no picture comes.
static int show_said(struct watch *w, struct fail *why)
{
    const struct match *m = &w->playback.adjudication.match;
    if (!w->playback.begun || m->inputs == w->inputs_shown)
        return 0;
    w->inputs_shown = m->inputs;
    w->pages->pieces_s = 0; // whenever they were told last
    return pages_take(w->pages, &w->now, m, w->playback.resumed_id, why);
}

// Until it ends. 0, RS_E...
static int go_on(struct watch *w, struct fail *why)
{
    struct tracked_frame t = { .last = false };
    char words[STATUS_LINE_MAX];
    int key, rc = LIVE_NOTHING;
    while (rc == LIVE_NOTHING || rc == LIVE_FRAME) {
        struct fail notice;
        while (source_notice(w->source, &notice) || voice_news(w->speaking.voice, &notice))
            tell(w, "note: %s", notice.text);
        while (camera_recording_news(&w->recording, &notice))
            tell(w, "%s", notice.text);
        rc = 0;
        while (rc == 0 && !w->summary.ended_by && (key = keys_next(&w->keys)) != KEY_NONE) {
            if (key == KEY_END || key == 'q')
                w->summary.ended_by = key == 'q' ? ENDED_BY_KEY : ENDED_BY_A_SIGNAL;
            else
                rc = take_key(w, key, why);
        }
        if (!w->summary.ended_by && w->options.for_s > 0 && clock_s() - w->begun_s >= w->options.for_s)
            w->summary.ended_by = ENDED_BY_TIME;
        if (w->summary.ended_by)
            live_tracking_end(w->live);
        if (rc == 0)
            rc = listen_to_pages(w, why);
        if (rc == 0)
            rc = show_said(w, why);
        if (rc == 0)
            rc = live_tracking_next(&t, w->live, KEYS_EVERY_S, why);
        if (w->playback.begun && !w->picture_held)
            source_hold_picture(w->source);
        w->picture_held = w->playback.begun;
        if (rc == LIVE_FRAME) {
            int judged = take_frame(w, &t, why);
            rc = judged < 0 ? judged : rc;
        }
        tell_losses(w);
        pace_demo(w);
        tell_drops(w);
        if (!w->summary.ended_by)
            tell_help(w);
        if (w->playback.begun && clock_s() - w->tried_s >= WRITE_EVERY_S)
            write_held(w);
        watch_standing_words(words, sizeof words, w->playback.begun ? &w->playback.adjudication.match : NULL, &w->now,
                             w->losses.told.text[0] ? w->losses.told.text : NULL);
        status_line_show(&w->line, words);
        if (rc >= 0 && pages_words(w->pages, w->losses.told.text[0] ? w->losses.told.text : w->help.text, why) < 0)
            rc = RS_ENOMEM;
    }
    status_line_clear(&w->line);
    if (!w->summary.ended_by)
        w->summary.ended_by = watch_ended_by(rc, why);
    return rc < 0 ? rc : 0;
}

// Everything is looked at: what is left to be said and written.
static int finish(struct watch *w, struct fail *why)
{
    struct playback *p = &w->playback;
    int rc = playback_end(p, why);
    if (p->begun)
        write_held(w);
    const char *help = help_words(w);
    bool told = help[0] && strcmp(w->help.text, help) == 0;
    if (rc == ENDED_WITHOUT_BOARD && p->waits)
        rs_fail(why, 0, "no game was chosen");
    else if (rc == ENDED_WITHOUT_BOARD && told)
        rs_fail(why, 0, "%s", help == p->refused.text ? "" : "no board was found");
    else if (rc == ENDED_WITHOUT_BOARD && help[0] && help != p->refused.text && help != w->now.unfound.text)
        rs_fail(why, 0, "no board found: %s%s", help, setup_hint_words(&w->setup));
    return rc;
}

// What it came to. It stays to be said, in *why, how it was ended where the exit status says so, and what is not kept.
static int sum_up(struct watch *w, int rc, struct fail *why)
{
    struct summary *s = &w->summary;
    const struct playback *p = &w->playback;
    const struct match *m = p->begun ? &p->adjudication.match : NULL;
    char kept[400] = "";
    s->watched_s = clock_s() - w->begun_s;
    s->log = p->log_path;
    s->record = w->record && p->begun ? w->record->path : NULL;
    s->book = w->options.book;
    s->match = w->record ? w->record->match : 0;
    s->waiting_dropped = capture_dropped(w->capture);
    s->waited_s = w->losses.lost_s + (w->losses.told.text[0] ? clock_s() - w->losses.since_s : 0);
    s->waits = w->losses.count;
    capture_info(&s->source, w->capture);
    live_tracking_counts(&s->live, w->live);
    voice_delays(&s->voice, w->speaking.voice);
    if (w->pages->web)
        web_count(w->pages->web, &s->pages);
    if (!w->options.quiet)
        summary_print(stderr, s, m);
    else if (s->waiting_dropped > 0)
        fprintf(stderr, "ringside: note: pictures that came too fast were dropped: %ld\n", s->waiting_dropped);
    if (w->options.quiet || !device_is_camera(&w->options))
        view_print_losses(stderr, &s->source);
    struct fail untold = { .text = "" };
    int told = w->options.json ? json_print(stdout, summary_json(s, m), rc < 0 ? &untold : why) : 0;
    if (rc >= 0 && told < 0)
        return told;
    if (rc >= 0 && s->log_lacks.observations + s->record_lacks.observations > 0)
        return rs_fail(why, RS_EIO, "not all is kept, of observations the log lacks %ld, the record %ld: %.300s",
                       s->log_lacks.observations, s->record_lacks.observations,
                       s->log_lacks.observations ? s->log_lacks.why.text : s->record_lacks.why.text);
    if (rc < 0 || !interrupt_signal() || interrupt_signal() == SIGINT) // Ctrl-C is one of the keys
        return rc;
    if (rc == ENDED_WITHOUT_BOARD)
        return rs_fail(why, RS_EENDED, "ended by %s: no %s by then", interrupt_name(),
                       p->waits ? "game was chosen" : "board was found");
    summary_record_words(kept, sizeof kept, s);
    rs_fail(why, RS_EENDED, "ended by %s after %.1f s: the log is whole up to there%s%s", interrupt_name(), p->played_s,
            kept[0] ? "; kept as " : "", kept);
    if (!w->options.quiet)
        why->text[0] = '\0'; // it has been told
    return RS_EENDED;
}

// By the date in UTC: local time comes twice in autumn.
static int name_log(struct watch *w, struct fail *why)
{
    struct outputs files = { 0 };
    char name[64] = "";
    struct tm date;
    time_t now = time(NULL);
    if (gmtime_r(&now, &date))
        strftime(name, sizeof name, "%Y%m%d-%H%M%SZ", &date);
    int rc = camera_recording_name(&w->recording, &w->options, name, why);
    if (rc == 0)
        rc = setup_folder(w->options.out, why);
    if (rc == 0)
        rc = setup_output(w->log_path, name, w->options.out, PLAYBACK_LOG_ENDING, why);
    if (rc == 0)
        rc = outputs_options(&files, &w->options, why);
    if (rc == 0)
        rc = outputs_writes(&files, w->log_path, "the watch", why);
    if (rc == 0 && w->options.voice_out)
        rc = outputs_writes(&files, w->options.voice_out, "the voice", why);
    outputs_finish(&files);
    return rc;
}

// All that is needed before the first frame is judged.
static int begin(struct watch *w, watch_open *open, bool demo, long resumed, struct fail *why)
{
    struct playback *p = &w->playback;
    struct options *o = &w->options;
    struct fail mute;
    bool logs = !demo || o->out;
    int rc = setup_read(&w->setup, o, why);
    if (rc == 0 && w->setup_page->has_match && !resumed)
        w->setup.match = w->setup_page->match;
    if (rc == 0 && logs)
        rc = name_log(w, why);
    keys_open(&w->keys);
    bool can_be_ended = w->keys.raw || o->for_s > 0; // by somebody who may be at the pages, or by the time
    if (rc == 0)
        rc = demo && can_be_ended ? demo_film_open(&w->source, o->camera, &w->pace, why) : open(&w->source, o, why);
    if (rc == 0)
        rc = setup_take_saved(&w->setup, o, source_info(w->source), true, why);
    if (rc < 0)
        return rc;
    w->line = status_line_begin(!o->quiet);
    w->answers_seen = !o->json && isatty(STDOUT_FILENO);
    playback_init(p, o, &w->setup, source_info(w->source)->name, logs ? w->log_path : NULL);
    p->record = w->record;
    p->source_bytes = w->film.bytes;
    p->resume = resumed;
    p->log_told = logs ? w->log_path : NULL;
    p->numbers_log = true;
    p->waits = w->setup_page->asks_game;
    playback_announce(p, (struct announcer){ hear, w });
    playback_announce(p, summary_announcer(&w->summary));
    playback_announce(p, o->json ? json_announcer(stdout) : console_announcer(stdout));
    rc = speaking_open(&w->speaking, o, true, &mute, why);
    if (rc < 0)
        return rc;
    if (mute.text[0] && !o->quiet)
        tell(w, "note: %s", mute.text);
    playback_announce(p, speaking_announcer(&w->speaking));
    if (!o->quiet && demo)
        tell(w, "this is a demo: a sample game of Crokinole plays as if a camera saw it now%s",
             o->out || !o->no_book ? "" : "; nothing is kept of it");
    if (!o->quiet)
        tell(w, "watching %s%s", source_info(w->source)->name, w->keys.raw ? ": q ends, ? lists the keys" : "");
    playback_announce(p, call_clips_announcer(&w->recording.clips));
    bool new_pages = !w->pages->web;
    rc = pages_plug(w->pages, o, p, why);
    w->speaking.live = w->pages->live;
    if (rc == 0 && !o->quiet && new_pages)
        rc = pages_tell(w->pages, why);
    if (rc == 0)
        rc = camera_recording_begin(&w->recording, o, &w->setup, w->source, p, why);
    if (rc == 0)
        rc = playback_open(p, why);
    if (rc == 0) {
        const struct frame_tap taken = pages_capture_tap(w->pages, camera_recording_tap(&w->recording));
        rc = capture_start(&w->capture, w->source, !device_is_camera(o), &taken, why);
    }
    w->begun_s = clock_s();
    return rc < 0 ? rc
                  : live_tracking_start(&w->live, p->tracker, w->capture, pages_tap(w->pages), &w->setup.tuning->track,
                                        why);
}

// Until somebody ends it, or sets it up otherwise: then *setup_page says so, and nothing is summed up yet.
static int watch_once(watch_open *open, const struct options *given, struct pages *pages, struct setup_page *setup_page,
                      struct fail *why)
{
    long resumed = 0;
    bool demo = device_is_demo(given) && !setup_page->camera[0];
    struct watch *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory to watch");
    w->options = *given;
    w->pages = pages;
    w->setup_page = setup_page;
    int rc = demo ? device_demo(&w->demo, &w->options, why) : 0;
    setup_page_apply(&w->options, setup_page);
    setup_page->again = false;
    if (rc == 0)
        rc = book_begin(&w->record, &resumed, &w->options, 0, !w->options.no_book, why);
    if (rc == 0 && w->record && !device_is_camera(&w->options))
        rc = book_take_film(&w->film, w->record, &w->options, demo, resumed, why);
    setup_page->asks_game = setup_page_asks_game(&w->options);
    if (setup_page->asks_game) { // until then the camera's picture is shown
        w->options.game = games_at(0)->name;
        w->options.record = NULL;
    }
    if (rc == 0)
        rc = begin(w, open, demo, resumed, why);
    setup_page->works |= rc == 0;
    if (rc == 0) {
        rc = go_on(w, why);
        rc = rc == 0 ? finish(w, why) : rc;
        long lacks = w->summary.log_lacks.observations + w->summary.record_lacks.observations;
        if (rc < 0 && setup_page->again)
            w->summary.ended_by = ENDED_BY_FAILURE;
        if (!setup_page->again || rc < 0)
            rc = sum_up(w, rc, why);
        else if (lacks > 0)
            tell(w, "%ld observation%s of the match so far could not be kept", lacks, lacks == 1 ? "" : "s");
    }
    struct fail unspoken;
    bool last_words =
        w->summary.ended_by == ENDED_BY_SOURCE || w->summary.ended_by == ENDED_BY_TIME || w->options.voice_out;
    if (speaking_finish(&w->speaking, last_words, &unspoken) < 0 && rc >= 0) {
        *why = unspoken;
        rc = unspoken.code;
    }
    live_tracking_stop(w->live);
    capture_stop(w->capture);
    camera_recording_end(&w->recording);
    playback_finish(&w->playback);
    keys_finish(&w->keys);
    source_close(w->source);
    record_close(w->record);
    free(w);
    return rc;
}

int watch_with(watch_open *open, const struct options *given, struct fail *why)
{
    struct pages pages = { .web = NULL };
    struct setup_page setup_page = { .again = true }, worked = { .works = false };
    struct options o = *given;
    double begun_s = clock_s();
    int rc = 0;
    while (setup_page.again) {
        struct setup_page tried = setup_page;
        setup_page.works = false;
        rc = watch_once(open, &o, &pages, &setup_page, why);
        if (rc < 0 && !setup_page.works && worked.works) {
            setup_page_go_back(&setup_page, &worked, given->game, why);
            worked.works = false;
        } else {
            worked = tried;
            worked.works = setup_page.works;
        }
        o.for_s = given->for_s > 0 ? fmax(given->for_s - (clock_s() - begun_s), KEYS_EVERY_S) : 0;
    }
    json_decref(setup_page.cameras);
    pages_close(&pages);
    return rc;
}

static int watch(const struct options *given, struct fail *why)
{
    int rc = pages_check(given, why);
    return rc < 0 ? rc : watch_with(device_open, given, why);
}

const struct verb watch_verb = {
    .name = "watch",
    .operands = "[MATCH]",
    .says = "referee what a camera sees, live",
    .more = "Writes DATE-TIME.ringside.jsonl (the log) as it goes, and keeps the match in the record. With --resume\n"
            "the last match of the record, or MATCH, goes on where it was left. --camera demo plays a sample game,\n"
            "of which nothing is kept but where --out or --book say so; on a terminal its close call waits for the\n"
            "judge, and the pages stay. Without --game the set-up page asks for it. Keys: q ends, ? lists what a\n"
            "judge can say.\n",
    .flags = (const char *const[]){ "--game",       "--camera WHAT", "--size",        "--rate",       "--control",
                                    "--board",      "--lens",        "--hint",        "--out FOLDER", "--json",
                                    "--quiet",      "--voice",       "--voice-lines", "--voice-name", "--voice-out",
                                    "--voice-rate", "--no-voice",    "--book",        "--no-book",    "--resume",
                                    "--side",       "--players",     "--format",      "--match",      "--judge",
                                    "--for",        "--record",      "--clips",       "--listen",     "--no-web",
                                    "--open",       "--qr",          "--overlay-css", "--tune",       NULL },
    .operands_max = 1,
    .run = watch,
};
