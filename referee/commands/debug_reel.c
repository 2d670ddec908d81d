// SPDX-License-Identifier: MIT
#include "referee/commands/debug_reel.h"

#include "referee/announce/workings.h"

int debug_reel_open(struct debug_reel *r, const char *path, const struct source_info *info, struct fail *why)
{
    r->told.count = 0;
    notes_clear(&r->notes);
    return movie_create(&r->movie, path, info->width, info->height, info->frames_per_s, why);
}

static void hear(struct debug_reel *r, const struct happenings *news)
{
    char words[OVERLAY_LINE_MAX];
    for (int i = 0; i < news->count; i++) {
        workings_words(words, &news->item[i]);
        overlay_say(&r->told, "%s", words);
    }
}

int debug_reel_add(struct debug_reel *r, const struct frame *f, const struct stream *s, struct fail *why)
{
    struct tracker_inside inside;
    struct frame *drawn = NULL;
    const struct board_pose *pose = tracker_board(s->eye);
    tracker_inside(s->eye, &inside);
    hear(r, &s->news);
    int rc = frame_copy(&drawn, f, why);
    if (rc == 0)
        rc = workings_draw(drawn, &(struct workings){ pose->found ? pose : NULL, &inside, &r->notes, &r->told }, why);
    if (rc == 0)
        rc = movie_add(r->movie, drawn, why);
    frame_free(drawn);
    return rc;
}

int debug_reel_finish(struct debug_reel *r, struct fail *why)
{
    struct movie *m = r->movie;
    r->movie = NULL;
    return m ? movie_finish(m, why) : 0;
}
