// SPDX-License-Identifier: MIT
#include "referee/commands/playback.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/foreign.h"
#include "referee/commands/verbs.h"
#include "referee/commands/view_words.h"
#include "referee/record_read.h"
#include "vision/quality.h"

// The progress line makes way for a call.
static int clear_line(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    (void)m, (void)ruling, (void)why;
    progress_clear(self);
    return 0;
}

void playback_init(struct playback *p, const struct options *o, const struct setup *s, const char *source,
                   char *log_path)
{
    *p = (struct playback){ .options = o, .setup = s, .source = source, .log_path = log_path };
    playback_announce(p, (struct announcer){ clear_line, &p->progress });
}

void playback_announce(struct playback *p, struct announcer a)
{
    if (p->announcers < PLAYBACK_ANNOUNCERS_MAX)
        p->announcer[p->announcers] = a;
    p->announcers++;
}

void playback_add(struct playback *p, struct frame_consumer c)
{
    if (p->consumers < PLAYBACK_CONSUMERS_MAX)
        p->consumer[p->consumers] = c;
    p->consumers++;
}

// Two that begin in one second, or a clock that was set back, mean the same name: the later one gets a number.
static int begin_log(struct playback *p, const struct log_header *h, struct fail *why)
{
    enum { MOST_LOGS = 1000 };
    int rc = log_writer_create(&p->adjudication.log, p->log_path, h, why);
    size_t stem = p->log_path && p->numbers_log ? strlen(p->log_path) - strlen(PLAYBACK_LOG_ENDING) : 0;
    struct stat st;
    for (int n = 2; rc < 0 && stem > 0 && n < MOST_LOGS && lstat(p->log_path, &st) == 0; n++) {
        snprintf(p->log_path + stem, SETUP_PATH_MAX - stem, "-%d%s", n, PLAYBACK_LOG_ENDING);
        rc = log_writer_create(&p->adjudication.log, p->log_path, h, why);
    }
    return rc;
}

// Whether it is the same board through the same camera, to the last digit. RS_ENOMEM.
static int compare_views(bool *same, const struct log_header *now, const struct log_header *kept, struct fail *why)
{
    struct log_header h = *now;
    h.setup = kept->setup;
    h.source_bytes = kept->source_bytes; // a film may have grown since
    json_t *a = log_header_json(&h), *b = log_header_json(kept);
    int rc = a && b ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the head of a log");
    *same = rc == 0 && json_equal(a, b);
    json_decref(a);
    json_decref(b);
    return rc;
}

static int hold_against(const struct log_header *now, const struct log_header *kept, long match, struct fail *why)
{
    bool same;
    int rc = compare_views(&same, now, kept, why);
    if (rc < 0 || same)
        return rc;
    return rs_fail(why, RS_EINPUT,
                   "the board is not seen as it is kept of match %ld: other footage, other flags or another ringside; "
                   "review it as a new match, without --resume",
                   match);
}

// The observations that are kept are folded without a word; the log has them all.
static int resume(struct playback *p, const struct log_header *now, struct fail *why)
{
    struct adjudication *a = &p->adjudication;
    struct log_reader *kept = NULL;
    const struct game *game;
    struct observation o;
    long folded = p->replays ? p->replay_from : LONG_MAX;
    int rc = p->replays ? record_replay(p->record, p->resume, p->replay_from, why)
                        : record_resume(p->record, p->resume, now, version_words, why);
    if (rc == 0)
        rc = record_log(&kept, &game, p->record, p->resume, why);
    if (rc == 0)
        rc = adjudication_begin(a, game, log_reader_header(kept), why);
    if (rc == 0)
        rc = begin_log(p, log_reader_header(kept), why);
    for (; rc == 0 && folded > 0 && (rc = log_read(kept, &o, why)) > 0; folded--)
        rc = adjudication_take(a, &o, why);
    bool from_start = p->replays && p->replay_from == 0;
    if (rc == 0 && from_start)
        rc = hold_against(now, log_reader_header(kept), p->resume, why);
    log_reader_free(kept);
    a->keeper = record_keeper(p->record);
    if (rc == 0)
        rc = adjudication_add(a, record_announcer(p->record), why);
    // What the camera saw before the match was left says nothing of what lies on the board now: it is like a cut.
    const struct piece_table *t = &a->match.table;
    o = (struct observation){ .kind = OBS_CAMERA, .t_s = a->last_s, .camera.what = CAMERA_CUT };
    if (rc == 0 && !from_start)
        rc = adjudication_take(a, &o, why);
    for (int i = t->count - 1; i >= 0 && rc == 0; i--) {
        o = (struct observation){ .kind = OBS_GONE, .id = t->piece[i].id, .t_s = a->last_s, .gone.where = IN_CUT };
        if (!t->piece[i].put_on) // which lies there by the judge's word
            rc = adjudication_take(a, &o, why);
    }
    p->resumed_s = a->last_s;
    p->resumed_id = a->last_id;
    return rc;
}

// What only grew begins as it did.
static int hold_against_shorter(const struct playback *p, const struct log_header *now, struct fail *why)
{
    struct log_header h = *now;
    memcpy(h.game, p->shorter->game, sizeof h.game); // which may be another one every time
    bool same;
    int rc = compare_views(&same, &h, p->shorter, why);
    if (rc < 0 || same)
        return rc;
    return rs_fail(why, RS_EINPUT,
                   "the log that is there is of a shorter %.200s, in which the board was seen otherwise (other "
                   "footage, or other flags), and would be lost: name another place with --out",
                   p->source);
}

// A new match, with its log and, where one is kept, in the record.
static int begin_match(struct playback *p, const struct log_header *h, struct fail *why)
{
    struct adjudication *a = &p->adjudication;
    int rc = adjudication_begin(a, p->setup->game, h, why);
    if (rc == 0)
        rc = begin_log(p, h, why);
    if (rc < 0 || !p->record)
        return rc;
    a->keeper = record_keeper(p->record);
    rc = record_begin(p->record, h, version_words, why);
    return rc == 0 ? adjudication_add(a, record_announcer(p->record), why) : rc;
}

static int begin_on(struct playback *p, const struct board_pose *pose, struct fail *why)
{
    struct log_header h = { .has_camera = true, .board = pose->board, .camera = pose->camera };
    snprintf(h.game, sizeof h.game, "%s", p->setup->game->name);
    snprintf(h.source, sizeof h.source, "%s", p->source);
    foreign_make_plain(h.source); // the name of a file may be anything
    h.source_bytes = p->source_bytes;
    h.setup = p->setup->match;
    int rc = p->shorter ? hold_against_shorter(p, &h, why) : 0;
    if (rc == 0)
        rc = p->resume ? resume(p, &h, why) : begin_match(p, &h, why);
    for (int i = 0; i < p->announcers && rc == 0; i++)
        rc = adjudication_add(&p->adjudication, p->announcer[i], why);
    p->begun = rc == 0;
    return rc;
}

// The first board that suffices begins the log and the match.
static int judge_news(struct playback *p, const struct board_pose *pose, const struct event_list *news,
                      struct fail *why)
{
    int rc = 0;
    if (!p->begun) {
        p->refused.text[0] = '\0';
        if (p->waits || !pose->found || !quality_suffices(pose, &p->refused))
            return 0;
        rc = begin_on(p, pose, why);
    }
    for (int i = 0; i < news->count && rc == 0; i++) {
        struct observation o = news->item[i].observation;
        o.t_s += p->resumed_s;
        o.id += observation_of_piece(o.kind) ? p->resumed_id : 0;
        if (o.kind == OBS_CONTACT && o.contact.what == TOUCHED_PIECE)
            o.contact.other += p->resumed_id;
        rc = adjudication_take(&p->adjudication, &o, why);
    }
    return rc == 0 ? adjudication_commit(&p->adjudication, why) : rc;
}

int playback_input(struct playback *p, const struct observation *said, struct fail *why)
{
    struct observation o = *said;
    if (!p->begun)
        return 0;
    o.t_s = p->adjudication.last_s;
    o.input.heard_s = fmax(o.t_s, p->played_s + p->resumed_s);
    if ((o.input.what == INPUT_PAUSE || o.input.what == INPUT_RESUME) && !o.input.has_value) {
        o.input.has_value = true; // what was done before this frame may be told only later
        o.input.value[0] = o.input.heard_s;
    }
    int rc = adjudication_take(&p->adjudication, &o, why);
    return rc == 0 ? adjudication_commit(&p->adjudication, why) : rc;
}

int playback_open(struct playback *p, struct fail *why)
{
    if (p->announcers > PLAYBACK_ANNOUNCERS_MAX || p->consumers > PLAYBACK_CONSUMERS_MAX)
        return rs_fail(why, RS_EINTERNAL, "%d announcers and %d consumers of frames, where there is room for %d and %d",
                       p->announcers, p->consumers, PLAYBACK_ANNOUNCERS_MAX, PLAYBACK_CONSUMERS_MAX);
    return tracker_create(&p->tracker, &p->setup->board, setup_lens(p->setup), NULL, p->setup->tuning, why);
}

void playback_tell_found(struct playback *p, const struct board_pose *pose)
{
    char words[VIEW_WORDS_MAX];
    struct kept_match m;
    struct fail none; // of a record that was read just now
    view_words(words, pose, p->setup);
    progress_clear(&p->progress);
    if (p->resume && record_find(&m, p->record, p->resume, &none) == 0)
        foreign_tell(stderr, "ringside: match %ld goes on: %s", m.match, m.score);
    foreign_tell(stderr, "ringside: %s%s%s", words, p->log_told ? "; log: " : "", p->log_told ? p->log_told : "");
    view_print_limits(stderr, "ringside: beware: ", pose);
}

int playback_judge(struct playback *p, const struct board_pose *pose, const struct event_list *news, double t_s,
                   struct fail *why)
{
    bool before = p->begun;
    int rc = judge_news(p, pose, news, why);
    if (rc == 0 && p->begun && !before && p->tells_found)
        playback_tell_found(p, pose);
    p->played_s = t_s;
    return rc;
}

int playback_end(struct playback *p, struct fail *why)
{
    if (p->begun)
        return p->record ? record_end(p->record, why) : 0;
    struct tracker_inside inside;
    tracker_inside(&inside, p->tracker);
    if (p->refused.text[0])
        *why = p->refused;
    else
        rs_fail(why, 0, "no board found: %.400s%s",
                inside.unfound[0] ? view_unfound_words(inside.unfound) : "there was no frame",
                setup_hint_words(p->setup));
    return ENDED_WITHOUT_BOARD;
}

int playback_run(struct playback *p, struct source *from, struct fail *why)
{
    struct frame *f = NULL;
    int rc = playback_open(p, why);
    if (rc < 0)
        return rc;
    while ((rc = source_next(&f, from, why)) > 0) {
        f->notes = p->notes;
        rc = tracker_feed(&p->news, p->tracker, f, why);
        if (rc >= 0)
            rc = playback_judge(p, tracker_board(p->tracker), &p->news, f->t_s, why);
        for (int i = 0; i < p->consumers && rc == 0; i++)
            rc = p->consumer[i].take(p->consumer[i].self, f, p, why);
        progress_tell(&p->progress, f->t_s);
        frame_free(f);
        if (rc < 0)
            break;
    }
    progress_clear(&p->progress);
    if (rc < 0)
        return rc;
    if (source_info(from)->end_s > 0)
        rc = tracker_lose(p->tracker, source_info(from)->end_s, why);
    if (rc == 0)
        rc = tracker_finish(&p->news, p->tracker, why);
    if (rc >= 0)
        rc = judge_news(p, tracker_board(p->tracker), &p->news, why);
    return rc < 0 ? rc : playback_end(p, why);
}

void playback_finish(struct playback *p)
{
    adjudication_end(&p->adjudication);
    tracker_free(p->tracker);
    event_list_free(&p->news);
    p->tracker = NULL;
}
