// SPDX-License-Identifier: MIT
#include "referee/commands/videos.h"

#include "referee/announce/console.h"
#include "referee/announce/debug_overlay.h"

// How long a call stays in the picture: long enough to read two lines.
static const double CALL_SHOWN_S = 5;

int annotated_video_open(struct annotated_video *v, const char *path, const struct source_info *info, struct fail *why)
{
    *v = (struct annotated_video){ .movie = NULL };
    return movie_create(&v->movie, path, info->width, info->height, info->frames_per_s, why);
}

static int keep_calls(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct annotated_video *v = self;
    char words[OVERLAY_LINE_MAX];
    (void)m, (void)why;
    if (ruling->calls.count > 0)
        v->calls.count = 0;
    for (int i = 0; i < ruling->calls.count;) {
        const struct call *c = &ruling->calls.call[i];
        i = console_sentence(words, sizeof words, &ruling->calls, i);
        if (!ruling_holds(ruling, c))
            continue;
        v->called_s = c->t_s;
        overlay_say(&v->calls, "%s", words);
    }
    return 0;
}

struct announcer annotated_video_announcer(struct annotated_video *v)
{
    return (struct announcer){ keep_calls, v };
}

// The panel: the score of the sides and, where places have points, what lies on the board now.
static int annotate(void *self, struct frame *f, const struct playback *from, struct fail *why)
{
    struct annotated_video *v = self;
    const struct match *m = &from->adjudication.match;
    struct tracker_view view;
    int rc = frame_decode(f, why);
    if (rc < 0 || !from->begun)
        return rc < 0 ? rc : movie_add(v->movie, f, why);
    if (f->t_s + from->resumed_s - v->called_s > CALL_SHOWN_S)
        v->calls.count = 0;
    tracker_view(from->eye, &view);
    struct overlay drawn = {
        .pose = tracker_board(from->eye), .view = &view, .table = &m->table, .board = &m->board, .calls = v->calls
    };
    overlay_say(&drawn.panel, "%s", from->setup->game->name);
    for (int i = 0; i < m->now.sides; i++)
        overlay_say(&drawn.panel, "%s%s %d", i == m->now.to_shoot ? "> " : "", standing_name(&m->now, i),
                    m->now.side[i].score);
    for (int i = 0; i < m->now.sides && m->board.kind == BOARD_CIRCLES; i++)
        overlay_say(&drawn.panel, m->now.side[i].kept > 0 ? "%s %d on the board, %d kept" : "%s %d on the board",
                    standing_name(&m->now, i), standing_on_board(&m->now, &m->table, &m->board, i),
                    m->now.side[i].kept);
    if (m->now.owed > 0)
        overlay_say(&drawn.panel, "%d must come off or go back", m->now.owed);
    rc = overlay_draw(f, &drawn, why);
    return rc < 0 ? rc : movie_add(v->movie, f, why);
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
