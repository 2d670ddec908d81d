// SPDX-License-Identifier: MIT
// filmed.h: a board as a camera sees it, and a second of footage in which nothing happens.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_FILMED_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_FILMED_H

#include "referee/announce/movie.h"
#include "tests/calibration/view.h"
#include "tests/cmocka.h"
#include "tests/vision/board/painted.h"
#include "tests/vision/scratch.h"

enum { FILM_WIDTH = 640, FILM_HEIGHT = 480, FILM_FRAMES = 15, FILM_RATE = 15 };

// A Crokinole board from so far away, its lines so thick.
static inline struct frame *board_seen(double far_in, double line_width_in)
{
    const struct paint paint = { { 60, 70, 60 }, { 150, 190, 215 }, { 40, 40, 45 }, 1, 0 };
    const struct camera c = view_of_board(FILM_WIDTH, FILM_HEIGHT, 620, 0, 0.35, 0, far_in);
    struct board b = *board_builtin("crokinole-nca");
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    b.line_width_in = line_width_in;
    assert_int_equal(frame_create(&f, FILM_WIDTH, FILM_HEIGHT, &why), 0);
    paint_board(f, &c, &b, &paint);
    return f;
}

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

static inline void film_nothing(const struct scratch *s, const char *name)
{
    struct fail why = { .text = "" };
    struct frame *f = NULL;
    assert_int_equal(frame_create(&f, FILM_WIDTH, FILM_HEIGHT, &why), 0);
    film(s, name, f);
    frame_free(f);
}

#endif
