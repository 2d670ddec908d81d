// SPDX-License-Identifier: MIT
// filmed.h: a second of footage in which nothing happens.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_FILMED_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_FILMED_H

#include "referee/announce/movie.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

enum { FILM_WIDTH = 640, FILM_HEIGHT = 480, FILM_FRAMES = 15, FILM_RATE = 15 };

static inline void film(const struct scratch *s, const char *name, struct frame *f)
{
    struct fail why = { .text = "" };
    struct movie *m = NULL;
    assert_int_equal(movie_create(&m, scratch_path(s, name), FILM_WIDTH, FILM_HEIGHT, FILM_RATE, &why), 0);
    for (int i = 0; i < FILM_FRAMES; i++) {
        f->t_s = i / (double)FILM_RATE;
        assert_int_equal(movie_add(m, f, &why), 0);
    }
    assert_int_equal(movie_finish(m, &why), 0);
}

#endif
