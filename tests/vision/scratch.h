// SPDX-License-Identifier: MIT
// scratch.h: a folder for one test and pictures to put into it. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_SCRATCH_H
#define RINGSIDE_TESTS_VISION_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vision/frame.h"

struct scratch {
    char folder[64];
};

static inline int scratch_create(void **state)
{
    struct scratch *s = malloc(sizeof *s);
    if (!s)
        return -1;
    strcpy(s->folder, "/tmp/ringside-test-XXXXXX");
    *state = s;
    return mkdtemp(s->folder) ? 0 : -1;
}

static inline int scratch_count(const struct scratch *s)
{
    int n = 0;
    DIR *d = opendir(s->folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.' || (e->d_name[1] && strcmp(e->d_name, "..") != 0);
    closedir(d);
    return n;
}

// The folder holds files only, whatever the test wrote.
static inline int scratch_remove(void **state)
{
    struct scratch *s = *state;
    char path[400];
    DIR *d = opendir(s->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", s->folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    int rc = rmdir(s->folder);
    free(s);
    return rc;
}

// A path in the folder, in one of four buffers that are used in turn.
static inline const char *scratch_path(const struct scratch *s, const char *name)
{
    static char path[4][200];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", s->folder, name);
    return path[turn];
}

static inline void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

// A picture whose every corner has its own colour, smooth between them, so that turns and swapped channels show.
static inline struct frame *scratch_frame(int width, int height)
{
    struct frame *f;
    struct fail why = { 0 };
    assert_int_equal(frame_create(&f, width, height, &why), 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = f->bgr + 3 * ((size_t)y * (size_t)width + (size_t)x);
            p[0] = (uint8_t)(20 + 200 * x / width);
            p[1] = (uint8_t)(20 + 200 * y / height);
            p[2] = (uint8_t)(220 - 100 * (x + y) / (width + height));
        }
    return f;
}

// Largest difference of two pictures in any channel, 255 when their sizes differ.
static inline int scratch_difference(const struct frame *a, const struct frame *b)
{
    int most = 0;
    if (a->width != b->width || a->height != b->height)
        return 255;
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height * 3; i++)
        most = abs(a->bgr[i] - b->bgr[i]) > most ? abs(a->bgr[i] - b->bgr[i]) : most;
    return most;
}

#endif
