// SPDX-License-Identifier: MIT
#include "tests/torture/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "calibration/units.h"
#include "referee/announce/movie.h"
#include "tests/torture/folder.h"
#include "vision/frame_file.h"
#include "vision/opencv_c/opencv_c.h"
#include "vision/source/source.h"

enum { WIDTH = 384, HEIGHT = 216, EVERY = 4, PATH_BYTES = 600 };
static const double UNTIL_S = 2.3; // a disc has been shot and lies still

static int shrink(struct frame **out, const struct frame *f, struct fail *why)
{
    int rc = frame_create(out, WIDTH, HEIGHT, why);
    if (rc == 0)
        rc = cv_resize_area_u8((*out)->bgr, WIDTH, HEIGHT, f->bgr, f->width, f->height, 3, why);
    if (rc == 0)
        (*out)->t_s = f->t_s;
    return rc;
}

// The beginning of a sample, smaller, as footage and its first picture in two kinds of file.
static int film(const char *folder, const char *clip, struct fail *why)
{
    char movie[PATH_BYTES], jpeg[PATH_BYTES], png[PATH_BYTES];
    const char *const pictures[] = { jpeg, png };
    snprintf(movie, sizeof movie, "%s/f.mov", folder);
    snprintf(jpeg, sizeof jpeg, "%s/a.jpg", folder);
    snprintf(png, sizeof png, "%s/b.png", folder);
    struct source *in = NULL;
    struct movie *m = NULL;
    struct frame *f = NULL;
    int rc = footage_open(&in, clip, why);
    if (rc == 0)
        rc = movie_create(&m, movie, WIDTH, HEIGHT, source_info(in)->frames_per_s / EVERY, why);
    while (rc == 0 && (rc = source_next(&f, in, why)) == 1) {
        struct frame *small = NULL;
        bool wanted = f->number % EVERY == 0 && f->t_s < UNTIL_S;
        rc = wanted ? shrink(&small, f, why) : 0;
        for (size_t i = 0; rc == 0 && f->number == 0 && i < countof(pictures); i++)
            rc = frame_write(small, pictures[i], why);
        if (rc == 0 && wanted)
            rc = movie_add(m, small, why);
        frame_free(small);
        frame_free(f);
    }
    if (rc == 0)
        rc = movie_finish(m, why);
    else
        movie_drop(m);
    source_close(in);
    return rc;
}

bool inputs_make(const char *folder, const char *program)
{
    static const char *const verbs[] = {
        "review --quiet --game crokinole --players Anna,Bo --book book.db f.mov",
        "bundle --quiet --game crokinole f.mov",
    };
    static const char *const samples[] = { "table_02.jpg", "marbles_01.jpg" };
    char words[3 * PATH_BYTES];
    struct fail why = { .text = "" };
    if (film(folder, "samples/clips/crokinole_a.mp4", &why) < 0) {
        fprintf(stderr, "torture: %s\n", why.text);
        return false;
    }
    for (size_t i = 0; i < countof(samples); i++)
        if (!folder_copy(folder, "samples/pictures", samples[i]))
            return false;
    for (size_t i = 0; i < countof(verbs); i++) {
        snprintf(words, sizeof words, "cd '%s' && '%s' %s > made.txt 2>&1 && rm made.txt", folder, program, verbs[i]);
        if (system(words) != 0) {
            fprintf(stderr, "torture: ringside %s: %s\n", verbs[i], folder);
            return false;
        }
    }
    return true;
}
