// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memfd_create
#include "tests/fuzz/log_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "referee/adjudication.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check(const struct match *m)
{
    must(m->now.sides >= 0 && m->now.sides <= SIDES);
    must(m->now.to_shoot >= -1 && m->now.to_shoot < SIDES && m->now.winner >= -1 && m->now.winner < SIDES);
    must(m->table.count >= 0 && m->table.count <= PIECE_TABLE_MAX && m->now.owed >= 0 && m->now.owed <= OWED_MAX);
    for (int i = 0; i < m->now.sides; i++)
        must(m->now.side[i].score >= 0 && m->now.side[i].played >= 0);
}

static void judge(const char *path, const struct game *game, FILE *told)
{
    struct fail why;
    struct log_reader *log = NULL;
    static struct adjudication a; // large
    struct observation o;
    if (log_reader_open(&log, path, &why) < 0)
        return;
    if (adjudication_begin(&a, game, log_reader_header(log), &why) == 0) {
        a.from = log;
        must(adjudication_add(&a, json_announcer(told), &why) == 0);
        while (log_read(log, &o, &why) > 0 && adjudication_take(&a, &o, &why) == 0)
            check(&a.match);
    }
    adjudication_end(&a);
    log_reader_free(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *told;
    char path[48];
    int file = memfd_create("log", MFD_CLOEXEC);
    if (!told)
        told = fopen("/dev/null", "w");
    must(told && file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int i = 0; games_at(i); i++)
        judge(path, games_at(i), told);
    close(file);
    return 0;
}
