// SPDX-License-Identifier: MIT
#include "referee/commands/videos.h"

#include "calibration/foreign.h"
#include "referee/announce/close_view.h"
#include "referee/announce/console.h"
#include "referee/announce/debug_overlay.h"
#include "vision/typeface.h"

// How long a call stays in the picture: long enough to read two lines.
static const double CALL_SHOWN_S = 5;

static void forget_close(struct annotated_video *v)
{
    frame_free(v->inset);
    v->inset = NULL;
    v->asked = false;
}

void tell_without_font(void)
{
    struct typeface *t;
    struct fail cause;
    if (typeface_open(&t, &cause) == RS_EINPUT)
        foreign_tell(stderr, "ringside: note: %s; words in pictures are drawn in plain strokes", cause.text);
    typeface_close(t);
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
    char words[OVERLAY_LINE_MAX];
    (void)why;
    if (ruling->calls.count > 0)
        v->calls.count = 0;
    if (ruling->shot_ended)
        forget_close(v);
    for (int i = 0; i < ruling->calls.count;) {
        const struct call *c = &ruling->calls.call[i];
        i = console_sentence(words, sizeof words, &ruling->calls, i);
        if (!ruling_holds(ruling, c))
            continue;
        v->called_s = c->t_s;
        const struct known_piece *p = c->firm || !c->measured ? NULL : piece_table_find(&m->table, c->piece);
        if (p && !v->asked) {
            v->asked = true;
            v->asked_s = c->t_s;
            v->close = *p;
        }
        overlay_say(&v->calls, "%s", words);
    }
    return 0;
}

struct announcer annotated_video_announcer(struct annotated_video *v)
{
    return (struct announcer){ keep_calls, v };
}

// The close call of which nothing is drawn yet, enlarged from the frame in which it is known.
static int enlarge_close(struct annotated_video *v, const struct frame *f, const struct overlay *drawn,
                         struct fail *why)
{
    const struct close_view view = { .frame = f, .pose = drawn->pose, .board = drawn->board, .piece = &v->close };
    if (!v->asked || v->inset || !drawn->pose->found)
        return 0;
    return close_view_make(&v->inset, &view, why);
}

static int annotate(void *self, struct frame *f, const struct playback *from, struct fail *why)
{
    struct annotated_video *v = self;
    const struct match *m = &from->adjudication.match;
    struct tracker_view view;
    struct score_table score;
    int rc = frame_decode(f, why);
    if (rc < 0 || !from->begun)
        return rc < 0 ? rc : movie_add(v->movie, f, why);
    if (f->t_s + from->resumed_s - v->called_s > CALL_SHOWN_S)
        v->calls.count = 0;
    if (f->t_s + from->resumed_s - v->asked_s > CALL_SHOWN_S)
        forget_close(v);
    tracker_view(from->eye, &view);
    struct overlay drawn = { .pose = tracker_board(from->eye),
                             .view = &view,
                             .table = &m->table,
                             .board = &m->board,
                             .score = &score,
                             .calls = v->calls };
    score_table_of(&score, m);
    rc = enlarge_close(v, f, &drawn, why);
    drawn.inset = v->inset;
    if (rc == 0)
        rc = overlay_draw(f, &drawn, why);
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
    const struct board_pose *pose = tracker_board(from->eye);
    tracker_inside(from->eye, &inside);
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
