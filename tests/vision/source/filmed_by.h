// SPDX-License-Identifier: MIT
// filmed_by.h: a camera before a recorder, for tests. Include after cmocka.h and scratch.h.
#ifndef RINGSIDE_TESTS_VISION_SOURCE_FILMED_BY_H
#define RINGSIDE_TESTS_VISION_SOURCE_FILMED_BY_H

#include "tests/vision/source/sent.h"
#include "vision/source/recorder.h"

// Times that no millisecond names.
static inline double time_of(int number)
{
    return number / 30.0 + number * 1e-7;
}

static inline int empty(const struct scratch *s)
{
    int rc = 0;
    char path[400];
    DIR *d = opendir(s->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", s->folder, e->d_name);
        rc |= e->d_name[0] != '.' && unlink(path) < 0 && rmdir(path) < 0;
    }
    closedir(d);
    return rc;
}

static inline int64_t much_room(const char *folder)
{
    (void)folder;
    return 1000000000000;
}

static const struct recorder_disk wide = { write, much_room };

static inline struct recorder_limits quick(void)
{
    struct recorder_limits l = recorder_limits_usual;
    l.segment_s = 0.5;
    return l;
}

static inline struct recorder *begin(const char *folder, const struct recorder_limits *limits,
                                     const struct recorder_disk *disk)
{
    struct recorder *r = NULL;
    struct fail why = { .text = "" };
    const struct recorder_wish wish = { .folder = folder, .clips = !folder, .limits = limits, .disk = disk };
    assert_int_equal(recorder_create(&r, &wish, &why), 0);
    return r;
}

static inline void give(struct recorder *r, struct encoded *e, int number, double lost_s)
{
    const struct frame f = { .width = SENT_WIDTH,
                             .height = SENT_HEIGHT,
                             .t_s = time_of(number),
                             .lost_s = lost_s,
                             .number = number,
                             .encoded = e };
    recorder_take(r, &f);
    encoded_release(e);
}

static inline struct recorded_sum end(struct recorder *r)
{
    struct recorded_sum sum;
    struct fail told;
    recorder_finish(&sum, r);
    while (recorder_news(r, &told))
        print_message("%s\n", told.text);
    recorder_free(r);
    return sum;
}

#endif
