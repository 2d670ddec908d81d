// SPDX-License-Identifier: MIT
// A log from a stranger, judged by every game.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/whole_file.h"
#include "referee/adjudication.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/match_checks.h"

// The words that come of it are for a terminal or a machine: lines without commands to either.
static void judge(const char *path, const struct game *game)
{
    struct fail why;
    struct log_reader *log = NULL;
    static struct adjudication a; // large
    static struct match stands;
    struct observation o;
    char *told = NULL;
    size_t length = 0;
    int rc = log_reader_open(&log, path, &why);
    if (fuzz_refused(rc, &why))
        return;
    FILE *to = open_memstream(&told, &length);
    fuzz_must(to != NULL, "the machine has room for words");
    rc = adjudication_begin(&a, game, log_reader_header(log), &why);
    bool begun = rc == 0;
    if (begun) {
        a.from = log;
        fuzz_must(adjudication_add(&a, json_announcer(to), &why) == 0, "there is room for an announcer");
        fuzz_must(adjudication_add(&a, console_announcer(to), &why) == 0, "there is room for two");
    }
    while (rc == 0 && (rc = log_read(log, &o, &why)) > 0) {
        rc = adjudication_take(&a, &o, &why);
        match_check(&a.match);
    }
    bool whole = begun && !fuzz_refused(rc, &why);
    fclose(to);
    fuzz_must_be_plain(told, length);
    free(told);
    log_reader_free(log);
    log = NULL;
    if (whole) {
        fuzz_must(log_reader_open(&log, path, &why) == 0, "what was read is read again");
        fuzz_must(adjudicate_as_it_stands(&stands, log, game, json_announcer(fuzz_nowhere()), &why) == 0,
                  "what was judged is judged again");
        match_check_same(&a.match, &stands);
        log_reader_free(log);
    }
    adjudication_end(&a);
}

// Writes what can be read of a log into another one; whether all of it could be.
static bool copy(const char *to, const char *from)
{
    struct fail why;
    struct log_reader *log = NULL;
    struct log_writer *out = NULL;
    struct observation o;
    int rc = log_reader_open(&log, from, &why);
    if (fuzz_refused(rc, &why))
        return false;
    fuzz_must(log_writer_create(&out, to, log_reader_header(log), &why) == 0, "a header that was read can be written");
    while ((rc = log_read(log, &o, &why)) > 0)
        fuzz_must(log_write(out, &o, &why) == 0, "an observation that was read can be written");
    log_writer_free(out);
    log_reader_free(log);
    fuzz_refused(rc, &why);
    return true;
}

// What was read and written is read and written as the same bytes.
static void copy_twice(const char *path)
{
    char paths[2][FUZZ_PATH_MAX];
    uint8_t *bytes[2] = { NULL, NULL };
    size_t sizes[2];
    struct fail why;
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/copy%d.jsonl", fuzz_folder(), i);
    if (copy(paths[0], path)) {
        fuzz_must(copy(paths[1], paths[0]), "a log that was written can be read");
        for (int i = 0; i < 2; i++)
            fuzz_must(whole_file_read(&bytes[i], &sizes[i], paths[i], (size_t)1 << 26, &why) == 0, "and compared");
        fuzz_must(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0, "and is the same");
    }
    for (int i = 0; i < 2; i++) {
        free(bytes[i]);
        unlink(paths[i]);
    }
    fuzz_must(fuzz_folder_count("") == 0, "nothing is left behind");
}

static void judge_twice(const char *path)
{
    struct fail why;
    struct log_reader *log = NULL;
    if (log_reader_open(&log, path, &why) < 0)
        return;
    const struct game *game = games_find(log_reader_header(log)->game);
    for (int i = 0; game && games_at(i); i++)
        if (games_at(i) != game && (games_at(i)->formats[0].pieces_each > 0) == (game->formats[0].pieces_each > 0)) {
            fuzz_refused(adjudicate_both(log, game, games_at(i), json_announcer(fuzz_nowhere()), &why), &why);
            break;
        }
    log_reader_free(log);
}

void fuzz_log(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    int file = fuzz_open(path, data, size);
    for (int i = 0; games_at(i); i++)
        judge(path, games_at(i));
    copy_twice(path);
    judge_twice(path);
    fuzz_close(file);
}
