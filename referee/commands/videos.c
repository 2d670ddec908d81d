// SPDX-License-Identifier: MIT
#include "referee/commands/videos.h"

#include "calibration/foreign.h"
#include "referee/announce/debug_overlay.h"
#include "vision/typeface.h"

static void forget_close(struct annotated_video *v)
{
    frame_free(v->inset);
    v->inset = NULL;
}

void tell_without_font(void)
{
    struct typeface *t;
    struct fail cause;
    if (typeface_of_thread(&t, &cause) == RS_EINPUT)
        foreign_tell(stderr, "ringside: note: %s; words in pictures are drawn in plain strokes", cause.text);
}

int annotated_video_open(struct annotated_video *v, const char *path, const struct source_info *info, struct fail *why)
{
    tell_without_font();
    *v = (struct annotated_video){ .movie = NULL };
    return movie_create(&v->movie, path, info->width, info->height, info->frames_per_s, why);
}

static int keep_calls(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct annotated_video *v = self;
    (void)why;
    if (ruling->shot_ended)
        forget_close(v);
    annotation_hear(&v->said, m, ruling);
    return 0;
}

struct announcer annotated_video_announcer(struct annotated_video *v)
{
    return (struct announcer){ keep_calls, v };
}

static int annotate(void *self, struct frame *f, const struct playback *from, struct fail *why)
{
    struct annotated_video *v = self;
    struct tracker_view view;
    int rc = frame_decode(f, why);
    if (rc < 0 || !from->begun)
        return rc < 0 ? rc : movie_add(v->movie, f, why);
    annotation_forget(&v->said, f->t_s + from->resumed_s);
    tracker_view(&view, from->tracker);
    match_moment_of(&v->now, &v->said, &from->adjudication.match,
                    &(struct moment_seen){ f->t_s, tracker_board(from->tracker), &view, from->resumed_id });
    if (v->said.asked == 0)
        forget_close(v);
    else if (!v->inset) // enlarged from the frame in which it is known
        rc = match_moment_enlarge(&v->inset, &v->now, f, &v->said.close[0], why);
    if (rc == 0)
        rc = match_moment_draw(f, &v->now, v->inset, why);
    return rc < 0 ? rc : movie_add(v->movie, f, why);
}

int annotated_video_finish(struct annotated_video *v, struct fail *why)
{
    forget_close(v);
    return video_finish(&v->movie, why);
}

void annotated_video_drop(struct annotated_video *v)
{
    forget_close(v);
    movie_drop(v->movie);
    v->movie = NULL;
}

struct frame_consumer annotated_video_consumer(struct annotated_video *v)
{
    return (struct frame_consumer){ annotate, v };
}

int debug_video_open(struct debug_video *v, const char *path, const struct source_info *info, struct fail *why)
{
    v->reported.count = 0;
    notes_clear(&v->notes);
    return movie_create(&v->movie, path, info->width, info->height, info->frames_per_s, why);
}

static int draw_debug(void *self, struct frame *f, const struct playback *from, struct fail *why)
{
    struct debug_video *v = self;
    struct tracker_inside inside;
    struct frame *drawn = NULL;
    char words[OVERLAY_LINE_MAX];
    const struct board_pose *pose = tracker_board(from->tracker);
    tracker_inside(&inside, from->tracker);
    for (int i = 0; i < from->news.count; i++) {
        debug_overlay_words(words, &from->news.item[i]);
        overlay_say(&v->reported, "%s", words);
    }
    int rc = frame_copy(&drawn, f, why);
    if (rc == 0)
        rc = debug_overlay_draw(
            drawn, &(struct debug_overlay){ pose->found ? pose : NULL, &inside, &v->notes, &v->reported }, why);
    if (rc == 0)
        rc = movie_add(v->movie, drawn, why);
    frame_free(drawn);
    return rc;
}

struct frame_consumer debug_video_consumer(struct debug_video *v)
{
    return (struct frame_consumer){ draw_debug, v };
}

int video_finish(struct movie **m, struct fail *why)
{
    struct movie *whole = *m;
    *m = NULL;
    return whole ? movie_finish(whole, why) : 0;
}
