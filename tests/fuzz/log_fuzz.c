// SPDX-License-Identifier: MIT
// A log from a stranger, judged by every game.
#include <stdlib.h>
#include <string.h>

#include "referee/adjudication.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "referee/log_line.h"
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

// What was read, written and read again is the same.
static void copy(const char *path)
{
    struct fail why;
    struct log_reader *log = NULL, *again = NULL;
    struct log_writer *out = NULL;
    struct observation o, p;
    if (log_reader_open(&log, path, &why) < 0)
        return;
    fuzz_must(log_writer_create(&out, NULL, log_reader_header(log), &why) == 0,
              "a header that was read can be written");
    int rc, lines = 0;
    for (; (rc = log_read(log, &o, &why)) > 0; lines++)
        fuzz_must(log_write(out, &o, &why) == 0, "an observation that was read can be written");
    fuzz_refused(rc, &why);
    log_reader_free(log);
    fuzz_must(log_reader_open(&log, path, &why) == 0, "a log that was read can be read again");
    fuzz_must(log_writer_read(&again, out, &why) == 0, "a log that was written can be read");
    char *a = log_line_text(log_header_json(log_reader_header(log)));
    char *b = log_line_text(log_header_json(log_reader_header(again)));
    fuzz_must(a && b && strcmp(a, b) == 0, "a header is the same when it was written");
    free(a);
    free(b);
    for (; lines > 0; lines--) {
        fuzz_must(log_read(log, &o, &why) == 1 && log_read(again, &p, &why) == 1, "no line is lost");
        a = log_line_text(log_line_json(&o));
        b = log_line_text(log_line_json(&p));
        fuzz_must(a && b && strcmp(a, b) == 0, "an observation is the same when it was written");
        free(a);
        free(b);
    }
    fuzz_must(log_read(again, &p, &why) == 0, "no line is added");
    log_reader_free(log);
    log_reader_free(again);
    log_writer_free(out);
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
    copy(path);
    judge_twice(path);
    fuzz_close(file);
}
