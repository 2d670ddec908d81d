// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // versionsort
#include "vision/source/source.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration/text.h"
#include "vision/source/recorder.h"
#include "vision/source/unpack.h"

struct recording {
    struct source base;
    char folder[ATOMIC_FILE_PATH_MAX];
    struct dirent **segment; // their names, in the order of time
    int count, at;
    struct segment_reader *reader; // of segment[at]; NULL: it has to be opened
    struct unpacker *unpacker;
    long next_number; // of the picture that comes, if none is missing
    double last_s;    // time of the last one that was given out
    bool unseen;      // something was lost since then
    long given;
    struct fail damage; // of the first segment that could not be read
};

static int is_segment(const struct dirent *entry)
{
    char again[32];
    int number = 0;
    if (sscanf(entry->d_name, "segment-%9d.mkv", &number) != 1 || number < 1)
        return 0;
    snprintf(again, sizeof again, SEGMENT_NAME, number);
    return strcmp(again, entry->d_name) == 0;
}

// What is in a folder by the names' numbers, to be freed by free_names; how many, or RS_E... `which`: NULL for all.
static int list_names(struct dirent ***out, const char *folder, int (*which)(const struct dirent *), struct fail *why)
{
    *out = NULL;
    int count = scandir(folder, out, which, versionsort);
    return count >= 0 ? count : rs_fail(why, errno == ENOMEM ? RS_ENOMEM : RS_EIO, "%s: %s", folder, strerror(errno));
}

static void free_names(struct dirent **name, int count)
{
    for (int i = 0; i < count; i++)
        free(name[i]);
    free(name);
}

int recording_find(char out[ATOMIC_FILE_PATH_MAX], const char *path, struct fail *why)
{
    char below[ATOMIC_FILE_PATH_MAX], names[300] = "";
    struct dirent **entry;
    int found = 0, length = (int)strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (snprintf(out, ATOMIC_FILE_PATH_MAX, "%.*s", length, path) >= ATOMIC_FILE_PATH_MAX)
        return rs_fail(why, RS_EINPUT, "%.80s...: the name is too long", path);
    int segments = list_names(&entry, out, is_segment, why);
    free_names(entry, segments);
    if (segments != 0)
        return segments < 0 ? segments : 0;
    int entries = list_names(&entry, out, NULL, why), rc = entries;
    for (int i = 0; i < entries; i++) {
        struct fail cause;
        struct dirent **inside = NULL;
        struct stat st;
        bool fits = snprintf(below, sizeof below, "%.*s/%s", length, path, entry[i]->d_name) < (int)sizeof below;
        segments = entry[i]->d_name[0] != '.' && fits && stat(below, &st) == 0 && S_ISDIR(st.st_mode)
                       ? list_names(&inside, below, is_segment, &cause)
                       : 0;
        if (segments == RS_ENOMEM) // a folder that may not be looked into is another matter
            rc = rs_fail(why, segments, "%s", cause.text);
        if (segments > 0) {
            text_add(names, sizeof names, " %s", entry[i]->d_name);
            if (found++ == 0)
                snprintf(out, ATOMIC_FILE_PATH_MAX, "%s", below);
        }
        free_names(inside, segments);
    }
    free_names(entry, entries);
    if (rc < 0)
        return rc;
    if (found == 0)
        return rs_fail(why, RS_EINPUT,
                       "%.300s: a folder in which nothing was recorded: watch --record makes segment-00001.mkv and so "
                       "on; other recordings are named one by one",
                       path);
    return found == 1 ? 0
                      : rs_fail(why, RS_EINPUT, "%.*s: %d recordings are in it; name one of them:%.250s", length, path,
                                found, names);
}

// The next segment that can be read: 1, 0: none, RS_E... What is damaged is missing, which shows in the numbers.
static int open_next(struct recording *r, struct fail *why)
{
    char path[ATOMIC_FILE_PATH_MAX + sizeof((struct dirent *)0)->d_name];
    int rc = RS_EINPUT;
    segment_reader_free(r->reader);
    r->reader = NULL;
    for (; rc == RS_EINPUT && r->at < r->count; r->at++) {
        struct fail cause;
        snprintf(path, sizeof path, "%s/%s", r->folder, r->segment[r->at]->d_name);
        rc = segment_open(&r->reader, path, &cause);
        if (rc < 0 && rc != RS_EINPUT)
            return rs_fail(why, rc, "%s", cause.text);
        if (rc < 0 && !r->damage.text[0])
            r->damage = cause;
    }
    return rc == 0;
}

// 1 with the next picture, whichever segment it is in.
static int read_picture(struct encoded **out, struct picture_mark *mark, struct recording *r, struct fail *why)
{
    int rc = 1;
    while (rc > 0) {
        rc = r->reader ? segment_read(out, mark, r->reader, why) : 0;
        if (rc != 0)
            return rc;
        rc = open_next(r, why);
    }
    return rc;
}

static int recording_next(struct frame **out, struct source *s, struct fail *why)
{
    struct recording *r = (struct recording *)s;
    struct source_info *info = &s->info;
    struct picture_mark mark;
    for (;;) {
        struct encoded *e = NULL;
        struct frame *made = NULL;
        struct fail damage;
        int rc = read_picture(&e, &mark, r, why);
        if (rc <= 0)
            return rc;
        // Numbers and times that fall were not written by us.
        bool sound = mark.number >= r->next_number && mark.t_s >= r->last_s;
        rc = sound ? unpack(&made, r->unpacker, e, &damage) : RS_EINPUT;
        encoded_release(e);
        if (rc == RS_ENOMEM || rc == RS_ELIB)
            return rs_fail(why, rc, "%s: %s", info->name, damage.text);
        if (made && info->width > 0 && (made->width != info->width || made->height != info->height)) {
            frame_free(made);
            made = NULL;
        }
        if (sound) {
            r->unseen |= mark.number > r->next_number;
            info->dropped += mark.number - r->next_number;
            r->next_number = mark.number + 1;
        }
        if (!made) {
            info->dropped++;
            r->unseen = true;
            continue;
        }
        made->t_s = mark.t_s;
        made->lost_s = fmax(mark.lost_s, r->unseen ? mark.t_s - r->last_s : 0);
        made->number = r->given++;
        info->lost_s += made->lost_s;
        r->last_s = mark.t_s;
        r->unseen = false;
        *out = made;
        return SOURCE_FRAME;
    }
}

static void recording_close(struct source *s)
{
    struct recording *r = (struct recording *)s;
    segment_reader_free(r->reader);
    unpacker_free(r->unpacker);
    free_names(r->segment, r->count);
}

static const struct source_kind recording_kind = { .next = recording_next, .close = recording_close };

// How long it lasts is written at the end of its last segment, if that was finished. RS_ENOMEM; what is damaged is met
// again when it is read.
static int take_end(double *end_s, struct recording *r, struct fail *why)
{
    struct picture_mark mark = { .t_s = 0 };
    struct encoded *e = NULL;
    *end_s = 0;
    if (r->count == 0) // they were there a moment ago, when they were looked for
        return 0;
    r->at = r->count - 1;
    int rc = open_next(r, why);
    if (rc == 1)
        rc = segment_read(&e, &mark, r->reader, why);
    if (rc == 1)
        *end_s = mark.t_s + segment_duration_s(r->reader);
    encoded_release(e);
    segment_reader_free(r->reader);
    r->reader = NULL;
    r->damage.text[0] = '\0';
    r->at = 0;
    return rc == RS_ENOMEM ? rc : 0;
}

int recording_open(struct source **out, const char *path, struct fail *why)
{
    struct recording *r = calloc(1, sizeof *r);
    if (!r)
        return rs_fail(why, RS_ENOMEM, "%s: no memory", path);
    r->base.kind = &recording_kind;
    int rc = recording_find(r->folder, path, why);
    if (rc == 0)
        rc = r->count = list_names(&r->segment, r->folder, is_segment, why);
    if (rc >= 0)
        rc = unpacker_create(&r->unpacker, why);
    if (rc == 0) {
        source_set_name(&r->base, r->folder);
        rc = take_end(&r->base.info.duration_s, r, why);
    }
    if (rc == 0 && (rc = recording_next(&r->base.first, &r->base, why)) == 0)
        rc = r->damage.text[0]
                 ? rs_fail(why, RS_EINPUT, "%s", r->damage.text)
                 : rs_fail(why, RS_EINPUT, "%s: no picture in it that ringside recorded can be read", path);
    return source_opened(out, &r->base, rc);
}
