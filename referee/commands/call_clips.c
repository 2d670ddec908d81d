// SPDX-License-Identifier: MIT
#include "referee/commands/call_clips.h"

#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/foreign.h"
#include "referee/announce/replay.h"
#include "referee/commands/videos.h"
#include "referee/match_clips.h"

enum { NAMES_MOST = 1000 };

int call_clips_begin(struct call_clips *c, struct fail *why)
{
    char folder[SETUP_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", c->stem);
    atomic_file_clear(dirname(folder));
    if (!c->quiet)
        tell_without_font();
    return clip_maker_create(&c->maker, movie_create, why);
}

static int hear(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct call_clips *c = self;
    bool close = false;
    (void)why;
    annotation_hear(&c->said, m, r);
    for (int i = 0; i < r->calls.count; i++)
        close |= !r->calls.call[i].firm && r->calls.call[i].change == CALL_MADE;
    if (!close || !r->shot_ended || !c->maker || c->asked == CALL_CLIPS_AT_ONCE)
        return 0;
    struct clip_wish *w = &c->wish[c->asked];
    *w = (struct clip_wish){ .from_s = m->shot.start_s - c->playback->resumed_s - REPLAY_BEFORE_S,
                             .closes = c->said.asked,
                             .patient = !c->live };
    memcpy(w->close, c->said.close, sizeof w->close);
    c->shot[c->asked++] = m->shot.number;
    return 0;
}

struct announcer call_clips_announcer(struct call_clips *c)
{
    return (struct announcer){ hear, c };
}

static bool taken(const char *path, const char *ending)
{
    char whole[ATOMIC_FILE_PATH_MAX + 8];
    struct stat st;
    snprintf(whole, sizeof whole, "%s%s", path, ending);
    return lstat(whole, &st) == 0;
}

// False when there is no such name.
static bool name_clip(char path[ATOMIC_FILE_PATH_MAX], const struct call_clips *c, int shot)
{
    struct record *kept_in = c->playback->record;
    struct kept_match kept;
    struct fail mute; // a match that cannot be found now has clips all the same
    char of[MATCH_CLIPS_NAME_MAX] = "";
    if (kept_in && record_find(&kept, kept_in, kept_in->match, &mute) == 0)
        match_clips_name(of, &kept);
    for (int n = 1; n < NAMES_MOST; n++) {
        char number[16] = "";
        if (n > 1)
            snprintf(number, sizeof number, "-%d", n);
        int length = snprintf(path, ATOMIC_FILE_PATH_MAX, "%s%s-shot-%03d%s", c->stem, of, shot, number);
        if (length + (int)sizeof ".mkv" > ATOMIC_FILE_PATH_MAX)
            return false;
        if (!c->live || (!taken(path, CLIP_ENDING) && !taken(path, ".mkv") && !taken(path, CLIP_PICTURE_ENDING)))
            return true;
    }
    return false;
}

// Of a live camera it is told, and the game goes on.
static void note_failure(struct call_clips *c, const struct fail *cause)
{
    if (c->live)
        foreign_tell(stderr, "ringside: note: %s", cause->text);
    else if (c->failed.code == 0)
        c->failed = *cause;
}

static void make_clip(struct call_clips *c, struct clip_wish *w, int shot, double t_s)
{
    char recorded[ATOMIC_FILE_PATH_MAX + 8];
    struct fail cause;
    if (!name_clip(w->path, c, shot))
        return;
    w->to_s = t_s;
    snprintf(recorded, sizeof recorded, "%s.mkv", w->path);
    int rc = c->recorder ? recorder_clip(c->recorder, recorded, w->from_s, INFINITY, &cause) : 0;
    if (rc < 0)
        foreign_tell(stderr, "ringside: note: shot %d: %s", shot, cause.text);
    bool kept = c->recorder && rc == 0;
    rc = clip_maker_ask(c->maker, w, &cause);
    if (rc < 0)
        note_failure(c, &cause);
    if (!c->quiet && (kept || rc == 0))
        foreign_tell(stderr, "ringside: a close call: clip %s%s%s", w->path, rc == 0 ? CLIP_ENDING : ".mkv",
                     rc == 0 && kept ? " (.mkv: as the camera sent it)" : "");
}

void call_clips_settle(struct call_clips *c, const struct board_pose *pose, const struct tracker_view *view, double t_s)
{
    if (!c->maker || !c->playback->begun)
        return;
    annotation_forget(&c->said, t_s + c->playback->resumed_s);
    match_moment_of(&c->now, &c->said, &c->playback->adjudication.match,
                    &(struct moment_seen){ t_s, pose, view, c->playback->resumed_id });
    clip_maker_know(c->maker, &c->now);
    for (int i = 0; i < c->asked; i++)
        make_clip(c, &c->wish[i], c->shot[i], t_s);
    c->asked = 0;
}

static int take(void *self, struct frame *f, const struct playback *p, struct fail *why)
{
    struct call_clips *c = self;
    struct tracker_view view;
    int rc = f->encoded ? 0 : frame_decode(f, why);
    if (rc < 0)
        return rc;
    rc = clip_maker_show(c->maker, f, why);
    if (rc < 0)
        return rc;
    tracker_view(&view, p->tracker);
    call_clips_settle(c, tracker_board(p->tracker), &view, f->t_s);
    return 0;
}

struct frame_consumer call_clips_consumer(struct call_clips *c)
{
    return (struct frame_consumer){ take, c };
}

int call_clips_end(struct call_clips *c, struct fail *why)
{
    struct fail words;
    if (!c->maker)
        return 0;
    int waits = clip_maker_waits(c->maker);
    if (waits > 0 && !c->quiet)
        foreign_tell(stderr, "ringside: %d clip%s still being made", waits, waits > 1 ? "s are" : " is");
    int missed = clip_maker_finish(c->maker);
    while (clip_maker_news(c->maker, &words))
        note_failure(c, &words);
    if (missed > 0)
        foreign_tell(stderr, "ringside: note: %d clip%s not made for browsers", missed, missed > 1 ? "s were" : " was");
    clip_maker_free(c->maker);
    c->maker = NULL;
    if (c->failed.code < 0)
        *why = c->failed;
    return c->failed.code;
}
