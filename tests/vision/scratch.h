// SPDX-License-Identifier: MIT
// scratch.h: a folder for one test and pictures to put into it. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_SCRATCH_H
#define RINGSIDE_TESTS_VISION_SCRATCH_H

#include <dirent.h>
#include <fcntl.h>
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

// What an open folder holds, folders with what they hold; it is closed.
static inline void scratch_empty(int folder)
{
    DIR *d = fdopendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || unlinkat(folder, e->d_name, 0) == 0)
            continue;
        int inner = openat(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (inner >= 0)
            scratch_empty(inner);
        unlinkat(folder, e->d_name, AT_REMOVEDIR);
    }
    if (d)
        closedir(d);
}

// With whatever the test wrote.
static inline int scratch_remove(void **state)
{
    struct scratch *s = *state;
    int folder = open(s->folder, O_RDONLY | O_DIRECTORY);
    if (folder >= 0)
        scratch_empty(folder);
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
