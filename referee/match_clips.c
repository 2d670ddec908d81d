// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "referee/match_clips.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/base64.h>

#include "calibration/grow.h"
#include "calibration/whole_file.h"
#include "referee/announce/clip_maker.h"

enum { ID_LETTERS = 8 }; // of a random id: two matches in four thousand million share them

void match_clips_name(char out[MATCH_CLIPS_NAME_MAX], const struct kept_match *m)
{
    snprintf(out, MATCH_CLIPS_NAME_MAX, "-match-%.*s", ID_LETTERS, m->id);
}

// "%20" for a space: what RFC 3986 reserves, or does not know, stands for nothing else in a path.
static void escape(char *out, size_t size, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    size_t used = 0;
    for (; *path && used + 4 <= size; path++)
        used += (size_t)snprintf(out + used, size - used, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    out[used] = '\0';
}

// From the one folder to the other, each whole and without links: "../close/"; empty where they are the same.
static void way(char out[PATH_MAX], const char *from, const char *to)
{
    size_t same = 0, used = 0;
    for (size_t i = 0; from[i] == to[i] || !from[i] || !to[i]; i++) {
        bool from_ends = !from[i] || from[i] == '/', to_ends = !to[i] || to[i] == '/';
        if (from_ends && to_ends)
            same = i;
        if (!from[i] || !to[i])
            break;
    }
    out[0] = '\0';
    for (const char *at = from + same; *at && used + 4 < PATH_MAX; at++)
        if (*at == '/' && at[1])
            used += (size_t)snprintf(out + used, PATH_MAX - used, "../");
    const char *rest = to[same] == '/' ? to + same + 1 : to + same;
    if (*rest)
        snprintf(out + used, PATH_MAX - used, "%s/", rest);
}

// "20261123-190000Z-match-1a2b3c4d-shot-007-2.mp4" is of shot 7; 0: of another match, or no clip.
static int shot_of(const char *name, const char *of)
{
    char *end;
    const char *at = strstr(name, of), *shot = at ? at + strlen(of) : NULL;
    if (!shot || strncmp(shot, "-shot-", strlen("-shot-")) != 0)
        return 0;
    long n = strtol(shot + strlen("-shot-"), &end, 10);
    if (*end == '-')
        strtol(end + 1, &end, 10);
    return strcmp(end, CLIP_ENDING) == 0 && n > 0 && n < INT_MAX ? (int)n : 0;
}

static double bytes_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

// NAME.jpg for NAME.mp4.
static void picture_path(char *out, size_t size, const char *path)
{
    snprintf(out, size, "%.*s" CLIP_PICTURE_ENDING, (int)(strlen(path) - strlen(CLIP_ENDING)), path);
}

static int add(struct match_clips *list, const char *folder, const char *before, const char *name, int shot,
               struct fail *why)
{
    char path[PATH_MAX + NAME_MAX + 2], picture[sizeof path], url[3 * sizeof path];
    if (!grow_list(&list->clip, &list->room, list->count + 1, sizeof *list->clip))
        return rs_fail(why, RS_ENOMEM, "no memory for the clips of a match");
    struct match_clip *c = &list->clip[list->count++];
    snprintf(path, sizeof path, "%s%s", before, name);
    escape(url, sizeof url, path);
    *c = (struct match_clip){ .shot = shot, .url = strdup(url) };
    picture_path(picture, sizeof picture, path);
    escape(url, sizeof url, picture);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    picture_path(picture, sizeof picture, path);
    bool pictured = access(picture, R_OK) == 0;
    c->path = strdup(path);
    c->picture = pictured ? strdup(url) : NULL;
    list->bytes += bytes_of(path) + bytes_of(picture);
    return c->url && c->path && (c->picture || !pictured)
               ? 0
               : rs_fail(why, RS_ENOMEM, "no memory for the clips of a match");
}

int match_clips_find(struct match_clips *out, const struct kept_match *m, const char *folder, const char *page,
                     struct fail *why)
{
    char of[MATCH_CLIPS_NAME_MAX], before[PATH_MAX] = "", *copy = strdup(page);
    struct dirent **names = NULL;
    char *from = copy ? realpath(dirname(copy), NULL) : NULL, *to = realpath(folder, NULL);
    int rc = 0, count = copy && from && to ? scandir(to, &names, NULL, alphasort) : -1;
    *out = (struct match_clips){ 0 };
    if (count < 0)
        rc = rs_fail(why, errno == ENOMEM ? RS_ENOMEM : RS_EIO, "no clips: %.200s, for a page at %.200s: %s", folder,
                     page, strerror(errno));
    else
        way(before, from, to);
    match_clips_name(of, m);
    for (int i = 0; i < count; i++) {
        int shot = rc == 0 ? shot_of(names[i]->d_name, of) : 0;
        if (shot > 0 && out->count == MATCH_CLIPS_MAX)
            rc = rs_fail(why, RS_EINPUT, "%.200s holds more than %d clips of match %ld", folder, MATCH_CLIPS_MAX,
                         m->match);
        else if (shot > 0)
            rc = add(out, to, before, names[i]->d_name, shot, why);
        free(names[i]);
    }
    free(names);
    free(from);
    free(to);
    free(copy);
    return rc;
}

static char *letters_of(const char *before, const uint8_t *bytes, size_t size)
{
    size_t used = strlen(before), letters = AV_BASE64_SIZE(size);
    char *out = malloc(used + letters);
    if (!out)
        return NULL;
    memcpy(out, before, used);
    av_base64_encode(out + used, (int)letters, bytes, (int)size);
    return out;
}

// In place of the way to it.
static int embed(char **url, const char *path, const char *type, struct fail *why)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    int rc = whole_file_read(&bytes, &size, path, MATCH_CLIPS_EMBED_BYTES, why);
    char *held = rc == 0 ? letters_of(type, bytes, size) : NULL;
    free(bytes);
    if (rc < 0 || !held)
        return rc < 0 ? rc : rs_fail(why, RS_ENOMEM, "no memory for %.200s", path);
    free(*url);
    *url = held;
    return 0;
}

int match_clips_embed(struct match_clips *c, struct fail *why)
{
    char picture[PATH_MAX + NAME_MAX + 2];
    int rc = 0;
    if (c->bytes > MATCH_CLIPS_EMBED_BYTES)
        return 0;
    for (int i = 0; i < c->count && rc == 0; i++) {
        picture_path(picture, sizeof picture, c->clip[i].path);
        rc = embed(&c->clip[i].url, c->clip[i].path, "data:video/mp4;base64,", why);
        if (rc == 0 && c->clip[i].picture)
            rc = embed(&c->clip[i].picture, picture, "data:image/jpeg;base64,", why);
    }
    c->embedded = true;
    return rc;
}

void match_clips_finish(struct match_clips *c)
{
    for (int i = 0; i < c->count; i++) {
        free(c->clip[i].url);
        free(c->clip[i].picture);
        free(c->clip[i].path);
    }
    free(c->clip);
    *c = (struct match_clips){ 0 };
}
