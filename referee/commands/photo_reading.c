// SPDX-License-Identifier: MIT
#include "referee/commands/photo_reading.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "calibration/grow.h"
#include "referee/announce/json.h"
#include "referee/commands/verbs.h"
#include "vision/board/find.h"
#include "vision/pieces/pieces.h"
#include "vision/quality.h"
#include "vision/source/source.h"

static int add_path(struct photo_paths *paths, const char *folder, const char *name, struct fail *why)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    bool room = grow_list(&paths->path, &paths->room, paths->count + 1, sizeof *paths->path);
    char *path = room ? paths->path[paths->count] = malloc(size) : NULL;
    if (!path)
        return rs_fail(why, RS_ENOMEM, "no memory for the names of %d pictures", paths->count + 1);
    snprintf(path, size, "%s%s%s", folder, folder[0] ? "/" : "", name);
    paths->count++;
    return 0;
}

static int is_picture(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || e->d_name[0] == '.' || strstr(e->d_name, ".ringside."))
        return 0;
    return strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0 || strcasecmp(dot, ".png") == 0;
}

int photo_paths_find(struct photo_paths *out, char **operand, int operands, struct fail *why)
{
    int rc = 0;
    *out = (struct photo_paths){ 0 };
    for (int i = 0; i < operands && rc == 0; i++) {
        struct dirent **list = NULL;
        struct stat st;
        if (stat(operand[i], &st) < 0 || !S_ISDIR(st.st_mode)) {
            rc = add_path(out, "", operand[i], why);
            continue;
        }
        int n = scandir(operand[i], &list, is_picture, alphasort);
        if (n < 0)
            return rs_fail(why, RS_EIO, "cannot read the folder %.300s: %s", operand[i], strerror(errno));
        for (int k = 0; k < n; k++) {
            if (rc == 0)
                rc = add_path(out, operand[i], list[k]->d_name, why);
            free(list[k]);
        }
        free(list);
        if (n == 0)
            rc = rs_fail(why, RS_EINPUT, "no .jpg, .jpeg or .png in the folder %.300s", operand[i]);
    }
    return rc;
}

void photo_paths_finish(struct photo_paths *paths)
{
    for (int i = 0; i < paths->count; i++)
        free(paths->path[i]);
    free(paths->path);
    *paths = (struct photo_paths){ 0 };
}

int photo_load(struct frame **out, const char *path, struct fail *why)
{
    struct source *photo = NULL;
    int rc = photo_open(&photo, path, why);
    if (rc == 0)
        rc = source_next(out, photo, why);
    source_close(photo);
    return rc < 0 ? rc : 0;
}

int photo_read(struct photo_reading *out, struct frame *f, const struct setup *s, struct fail *why)
{
    struct observation o[PHOTO_OBSERVATIONS_MAX];
    struct ruling ruling;
    *out = (struct photo_reading){ .pose = { .found = false } };
    static struct amendments nobody_said; // nor will anybody
    int rc = board_find(&out->pose, f, &s->board, setup_lens(s), s->tuning, why);
    if (rc < 0)
        return rc;
    if (!out->pose.found)
        return ENDED_WITHOUT_BOARD;
    if (!quality_suffices(&out->pose, why)) {
        snprintf(out->refused, sizeof out->refused, "%s", why->text);
        return ENDED_WITHOUT_BOARD;
    }
    rc = pieces_find(&out->pieces, f, &out->pose, s->tuning, why);
    if (rc < 0)
        return rc;
    // The board by which zones are judged is the one in the picture, whose line width was measured.
    int n = detection_photo(o, &out->pieces);
    match_begin(&out->match, s->game, &out->pose.board, &s->match, &nobody_said);
    for (int i = 0; i < n; i++)
        match_fold(&ruling, &out->match, &o[i]);
    position_of(&out->position, &out->match.table, &out->pose.board);
    return 0;
}

bool photo_is_full(char words[PHOTO_FULL_WORDS_MAX], const struct photo_reading *r)
{
    words[0] = '\0';
    if (r->pieces.count < MAX_PIECES - 1) // the last place is for a disc in the hole
        return false;
    snprintf(words, PHOTO_FULL_WORDS_MAX, "%d pieces are listed, as many as there is room for: others may lie there",
             r->pieces.count);
    return true;
}

bool photo_lacks_colour(char words[PHOTO_WHOSE_WORDS_MAX], const struct photo_reading *r, const struct setup *s, int i)
{
    const struct seat *named = &s->match.seat[i], *now = &r->match.now.side[i].seat;
    bool lies = named->colour[0] == '\0' || r->match.table.count == 0; // of an empty board there is nothing to say
    for (int k = 0; k < r->match.table.count && !lies; k++)
        lies = strcmp(r->match.table.piece[k].colour, named->colour) == 0;
    words[0] = '\0';
    if (lies)
        return false;
    bool taken = strcmp(now->colour, named->colour) != 0;
    snprintf(words, PHOTO_WHOSE_WORDS_MAX, "nothing %s is seen", named->colour);
    if (taken && now->colour[0])
        snprintf(words, PHOTO_WHOSE_WORDS_MAX, "nothing %s is seen: %s is taken for %s's", named->colour, now->colour,
                 named->name[0] ? named->name : named->colour);
    return true;
}

json_t *photo_json(const char *name, const struct setup *s, const struct photo_reading *r)
{
    char full[PHOTO_FULL_WORDS_MAX], whose[PHOTO_WHOSE_WORDS_MAX];
    json_t *o = json_picture(name, s->game->name, &r->pose, &r->pieces, &r->position);
    if (o && r->refused[0])
        json_object_set_new(o, "refused", json_string(r->refused));
    if (o && photo_is_full(full, r))
        json_array_append_new(json_object_get(json_object_get(o, "board"), "limits"), json_string(full));
    for (int i = 0; o && r->pose.found && i < s->match.seats; i++)
        if (photo_lacks_colour(whose, r, s, i))
            json_array_append_new(json_object_get(json_object_get(o, "board"), "limits"), json_string(whose));
    return o;
}
