// SPDX-License-Identifier: MIT
#include "referee/commands/playback.h"

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
    *p = (struct playback){ .stream = { .options = o, .setup = s, .source = source, .log_path = log_path } };
    stream_add(&p->stream, (struct announcer){ clear_line, &p->progress });
}

void playback_add(struct playback *p, struct frame_consumer c)
{
    if (p->consumers < PLAYBACK_CONSUMERS_MAX)
        p->consumer[p->consumers++] = c;
}

int playback_run(struct playback *p, struct fail *why)
{
    struct frame *f = NULL;
    char words[VIEW_WORDS_MAX];
    int rc = stream_open(&p->stream, why);
    if (rc < 0)
        return rc;
    while ((rc = p->next ? p->next(p->from, &f, why) : source_next(p->from, &f, why)) > 0) {
        bool before = p->stream.begun;
        f->notes = p->notes;
        rc = stream_look(&p->stream, f, why);
        if (rc == 0 && p->stream.begun && !before && p->tells_found) {
            const struct board_pose *pose = tracker_board(p->stream.eye);
            view_words(words, pose, p->stream.setup);
            progress_clear(&p->progress);
            fprintf(stderr, "ringside: %s%s%s\n", words, p->log_told ? "; log: " : "", p->log_told ? p->log_told : "");
            view_print_limits(stderr, "ringside: beware: ", pose);
        }
        for (int i = 0; i < p->consumers && rc == 0; i++)
            rc = p->consumer[i].take(p->consumer[i].self, f, &p->stream, why);
        progress_tell(&p->progress, f->t_s);
        frame_free(f);
        if (rc < 0)
            break;
    }
    progress_clear(&p->progress);
    return rc < 0 ? rc : stream_end(&p->stream, why);
}

void playback_finish(struct playback *p)
{
    stream_finish(&p->stream);
}
