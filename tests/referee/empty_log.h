// SPDX-License-Identifier: MIT
// empty_log.h: a log in which nothing happens.
#ifndef RINGSIDE_TESTS_REFEREE_EMPTY_LOG_H
#define RINGSIDE_TESTS_REFEREE_EMPTY_LOG_H

#include <stdio.h>
#include <unistd.h>

#include "referee/games/games.h"
#include "referee/log.h"
#include "referee/match_setup.h"
#include "tests/cmocka.h"

static inline void empty_log(const char *path, const char *source)
{
    struct log_header h = { .game = "crokinole", .board = *board_builtin("crokinole-nca") };
    struct log_writer *w = NULL;
    struct fail why = { .text = "" };
    h.setup = match_setup_usual(games_find("crokinole"));
    snprintf(h.source, sizeof h.source, "%s", source);
    unlink(path);
    assert_int_equal(log_writer_create(&w, path, &h, &why), 0);
    log_writer_free(w);
}

#endif
