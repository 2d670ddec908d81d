// SPDX-License-Identifier: MIT
#include "referee/commands/looked.h"

#include "referee/announce/json.h"
#include "referee/commands/found.h"
#include "referee/commands/verbs.h"
#include "referee/observe.h"
#include "vision/board/find.h"
#include "vision/pieces/pieces.h"
#include "vision/source/source.h"

int looked_read(struct frame **out, const char *path, struct fail *why)
{
    struct source *photo = NULL;
    int rc = photo_open(&photo, path, why);
    if (rc == 0)
        rc = source_next(photo, out, why);
    source_close(photo);
    return rc < 0 ? rc : 0;
}

// The board by which zones are judged is the one in the picture, whose line width was measured.
static void judge(struct looked *l, const struct setup *s)
{
    struct observation o[OBSERVE_PHOTO_MAX];
    struct ruling ruling;
    int n = observe_photo(o, &l->pieces);
    match_begin(&l->match, s->game, &l->pose.board, 0, NULL);
    for (int i = 0; i < n; i++)
        match_fold(&ruling, &l->match, &o[i]);
    position_of(&l->position, &l->match.table, &l->pose.board);
}

int looked_at(struct looked *l, struct frame *f, const struct setup *s, struct fail *why)
{
    *l = (struct looked){ .pose = { .found = false } };
    int rc = board_find(&l->pose, f, &s->board, setup_lens(s), s->tuning, why);
    if (rc < 0)
        return rc;
    if (!l->pose.found)
        return ENDED_WITHOUT_BOARD;
    if (!found_suffices(&l->pose, why)) {
        snprintf(l->refused, sizeof l->refused, "%s", why->text);
        return ENDED_WITHOUT_BOARD;
    }
    rc = pieces_find(&l->pieces, f, &l->pose, s->tuning, why);
    if (rc == 0)
        judge(l, s);
    return rc;
}

json_t *looked_json(const char *name, const struct setup *s, const struct looked *l)
{
    json_t *o = json_picture(name, s->game->name, &l->pose, &l->pieces, &l->position);
    if (o && l->refused[0])
        json_object_set_new(o, "refused", json_string(l->refused));
    return o;
}
