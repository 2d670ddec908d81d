// SPDX-License-Identifier: MIT
#include "referee/commands/playback.h"

#include <string.h>

#include "referee/commands/verbs.h"
#include "referee/commands/view_words.h"

// The progress line makes way for a call.
static int clear_line(void *self, const struct match *m, const struct ruling *ruling, struct fail *why)
{
    (void)m, (void)ruling, (void)why;
    progress_clear(self);
    return 0;
}

void playback_init(struct playback *p, const struct options *o, const struct setup *s, const char *source,
                   const char *log_path)
{
    *p = (struct playback){ .options = o, .setup = s, .source = source, .log_path = log_path };
    playback_announce(p, (struct announcer){ clear_line, &p->progress });
}

void playback_announce(struct playback *p, struct announcer a)
{
    if (p->announcers < ADJUDICATION_ANNOUNCERS_MAX)
        p->announcer[p->announcers++] = a;
}

void playback_add(struct playback *p, struct frame_consumer c)
{
    if (p->consumers < PLAYBACK_CONSUMERS_MAX)
        p->consumer[p->consumers++] = c;
}

// The first board that suffices begins the log and the match.
static int judge_news(struct playback *p, struct fail *why)
{
    const struct options *o = p->options;
    const struct board_pose *pose = tracker_board(p->eye);
    int rc = 0;
    if (!p->begun) {
        p->refused.text[0] = '\0';
        if (!pose->found || !view_suffices(pose, &p->refused))
            return 0;
        struct log_header h = { .has_camera = true, .board = pose->board, .camera = pose->camera };
        snprintf(h.game, sizeof h.game, "%s", p->setup->game->name);
        snprintf(h.source, sizeof h.source, "%s", p->source);
        // Both sides named: their seats are known from the start.
        for (int i = 0; i < o->sides && o->sides == LOG_PLAYERS_MAX; i++)
            memcpy(h.player[h.players++], o->side[i].colour, sizeof h.player[0]);
        rc = p->log_path ? log_writer_create(&p->log, p->log_path, &h, why) : 0;
        if (rc < 0)
            return rc;
        adjudication_begin(&p->adjudication, p->setup->game, &h);
        p->adjudication.log = p->log;
        for (int i = 0; i < p->announcers && rc == 0; i++)
            rc = adjudication_add(&p->adjudication, p->announcer[i], why);
        p->begun = rc == 0;
    }
    for (int i = 0; i < p->news.count && rc == 0; i++)
        rc = adjudication_take(&p->adjudication, &p->news.item[i].observation, why);
    return rc;
}

int playback_input(struct playback *p, enum input_kind what, struct fail *why)
{
    struct observation o = { .kind = OBS_INPUT, .t_s = p->adjudication.last_s };
    if (!p->begun)
        return 0;
    snprintf(o.input.by, sizeof o.input.by, "judge");
    o.input.what = what;
    return adjudication_take(&p->adjudication, &o, why);
}

int playback_run(struct playback *p, struct fail *why)
{
    struct frame *f = NULL;
    char words[VIEW_WORDS_MAX];
    int rc = tracker_create(&p->eye, &p->setup->board, setup_lens(p->setup), p->setup->tuning, why);
    if (rc < 0)
        return rc;
    while ((rc = p->next ? p->next(p->from, &f, why) : source_next(p->from, &f, why)) > 0) {
        bool before = p->begun;
        f->notes = p->notes;
        rc = tracker_feed(p->eye, f, &p->news, why);
        if (rc >= 0)
            rc = judge_news(p, why);
        if (rc == 0 && p->begun && !before && p->tells_found) {
            const struct board_pose *pose = tracker_board(p->eye);
            view_words(words, pose, p->setup);
            progress_clear(&p->progress);
            fprintf(stderr, "ringside: %s%s%s\n", words, p->log_told ? "; log: " : "", p->log_told ? p->log_told : "");
            view_print_limits(stderr, "ringside: beware: ", pose);
        }
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
    rc = tracker_finish(p->eye, &p->news, why);
    if (rc < 0)
        return rc;
    struct fail unfound = *why;
    rc = judge_news(p, why);
    if (rc < 0 || p->begun)
        return rc;
    if (p->refused.text[0])
        *why = p->refused;
    else
        rs_fail(why, 0, "no board found: %.400s%s", unfound.text, setup_hint_words(p->setup));
    return ENDED_WITHOUT_BOARD;
}

void playback_finish(struct playback *p)
{
    log_writer_free(p->log);
    tracker_free(p->eye);
    event_list_free(&p->news);
    p->log = NULL;
    p->eye = NULL;
}
