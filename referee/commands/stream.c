// SPDX-License-Identifier: MIT
#include "referee/commands/stream.h"

#include <string.h>

#include "referee/commands/view_words.h"
#include "referee/commands/verbs.h"

int stream_open(struct stream *s, struct fail *why)
{
    return tracker_create(&s->eye, &s->setup->board, setup_lens(s->setup), s->setup->tuning, why);
}

void stream_add(struct stream *s, struct announcer a)
{
    if (s->announcers < ADJUDICATION_ANNOUNCERS_MAX)
        s->announcer[s->announcers++] = a;
}

void stream_finish(struct stream *s)
{
    log_writer_free(s->log);
    tracker_free(s->eye);
    event_list_free(&s->news);
    s->log = NULL;
    s->eye = NULL;
}

// Both sides named: then their seats are known before the first shot.
static void name_players(struct log_header *h, const struct options *o)
{
    for (int i = 0; i < o->sides && o->sides == LOG_PLAYERS_MAX; i++)
        memcpy(h->player[h->players++], o->side[i].colour, sizeof h->player[0]);
}

static int begin(struct stream *s, struct fail *why)
{
    const struct board_pose *pose = tracker_board(s->eye);
    struct log_header h = { .has_camera = true, .board = pose->board, .camera = pose->camera };
    snprintf(h.game, sizeof h.game, "%s", s->setup->game->name);
    snprintf(h.source, sizeof h.source, "%s", s->source);
    name_players(&h, s->options);
    int rc = s->log_path ? log_writer_create(&s->log, s->log_path, &h, why) : 0;
    if (rc < 0)
        return rc;
    adjudication_begin(&s->adjudication, s->setup->game, &h);
    s->adjudication.log = s->log;
    for (int i = 0; i < s->announcers; i++)
        adjudication_add(&s->adjudication, s->announcer[i]);
    s->begun = true;
    return 0;
}

static bool can_begin(struct stream *s)
{
    const struct board_pose *pose = tracker_board(s->eye);
    s->refused.text[0] = '\0';
    return pose->found && view_suffices(pose, &s->refused);
}

static int hear(struct stream *s, struct fail *why)
{
    int rc = 0;
    if (!s->begun && can_begin(s))
        rc = begin(s, why);
    for (int i = 0; s->begun && i < s->news.count && rc == 0; i++)
        rc = adjudication_take(&s->adjudication, &s->news.item[i].observation, why);
    return rc;
}

int stream_look(struct stream *s, struct frame *f, struct fail *why)
{
    int rc = tracker_feed(s->eye, f, &s->news, why);
    return rc < 0 ? rc : hear(s, why);
}

int stream_input(struct stream *s, enum input_kind what, const char *text, struct fail *why)
{
    struct observation o = { .kind = OBS_INPUT, .t_s = s->adjudication.last_s };
    if (!s->begun)
        return 0;
    snprintf(o.input.by, sizeof o.input.by, "judge");
    o.input.what = what;
    snprintf(o.input.text, sizeof o.input.text, "%s", text);
    return adjudication_take(&s->adjudication, &o, why);
}

int stream_end(struct stream *s, struct fail *why)
{
    int found = tracker_finish(s->eye, &s->news, why);
    if (found < 0)
        return found;
    struct fail unfound = *why;
    int rc = hear(s, why);
    if (rc < 0 || s->begun)
        return rc;
    if (s->refused.text[0])
        *why = s->refused;
    else
        rs_fail(why, 0, "no board found: %.400s", unfound.text);
    return ENDED_WITHOUT_BOARD;
}
