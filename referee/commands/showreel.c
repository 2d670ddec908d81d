// SPDX-License-Identifier: MIT
#include "referee/commands/showreel.h"

#include "referee/announce/console.h"
#include "referee/rules/position.h"

// How long a call stays in the picture: long enough to read two lines.
static const double CALL_SHOWN_S = 5;

int showreel_open(struct showreel *r, const char *path, const struct source_info *info, struct fail *why)
{
    *r = (struct showreel){ .movie = NULL };
    return movie_create(&r->movie, path, info->width, info->height, info->frames_per_s, why);
}

static int hear(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    struct showreel *r = self;
    char words[OVERLAY_LINE_MAX];
    (void)m, (void)why;
    if (ruling->calls.count > 0)
        r->calls.count = 0;
    for (int i = 0; i < ruling->calls.count;) {
        r->called_s = ruling->calls.call[i].t_s;
        i = console_sentence(words, sizeof words, &ruling->calls, i);
        overlay_say(&r->calls, "%s", words);
    }
    return 0;
}

struct announcer showreel_announcer(struct showreel *r)
{
    return (struct announcer){ hear, r };
}

// The score of the sides and, where places have points, what lies on the board now.
static void fill_panel(struct overlay_lines *panel, const struct stream *s)
{
    const struct match *m = &s->hearing.match;
    struct position p;
    position_of(&p, &m->table, &m->board);
    *panel = (struct overlay_lines){ 0 };
    overlay_say(panel, "%s", s->setup->game->name);
    for (int i = 0; i < m->now.sides; i++)
        overlay_say(panel, "%s%s %d", i == m->now.to_shoot ? "> " : "",
                    options_side_name(s->options, m->now.side[i].colour), m->now.side[i].score);
    for (int i = 0; i < p.sides && p.counts; i++)
        overlay_say(panel, "%s %d on the board", options_side_name(s->options, p.side[i].colour), p.side[i].points);
}

static int draw(struct showreel *r, struct frame *f, const struct stream *s, struct fail *why)
{
    struct tracker_view view;
    struct overlay drawn = { .pose = tracker_board(s->eye), .view = &view, .table = &s->hearing.match.table };
    tracker_view(s->eye, &view);
    if (f->t_s - r->called_s > CALL_SHOWN_S)
        r->calls.count = 0;
    drawn.board = &s->hearing.match.board;
    drawn.calls = r->calls;
    fill_panel(&drawn.panel, s);
    return overlay_draw(f, &drawn, why);
}

int showreel_add(struct showreel *r, struct frame *f, const struct stream *s, struct fail *why)
{
    int rc = s->begun ? draw(r, f, s, why) : 0;
    return rc < 0 ? rc : movie_add(r->movie, f, why);
}

int showreel_finish(struct showreel *r, struct fail *why)
{
    struct movie *m = r->movie;
    r->movie = NULL;
    return m ? movie_finish(m, why) : 0;
}
