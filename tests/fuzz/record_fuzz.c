// SPDX-License-Identifier: MIT
// A record from a stranger: an honest one in which the bytes change bytes, or in which they run SQL; then all that
// people do with a record. The first byte says which.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "referee/record.h"
#include "referee/record_export.h"
#include "referee/rules/input.h"
#include "tests/fuzz/fuzz.h"

enum { STATEMENT_STEPS_MAX = 20000 };

static struct fuzz_honest {
    uint8_t *bytes;
    size_t size;
} honest;

static void take(struct adjudication *a, double *t_s, struct observation o)
{
    struct fail why;
    o.t_s = *t_s += 0.25;
    fuzz_must(adjudication_take(a, &o, &why) == 0 && adjudication_commit(a, &why) == 0, "a match can be kept");
}

static void play_honestly(struct record *r)
{
    static struct adjudication a; // large
    const struct game *game = games_find("crokinole");
    struct log_header h = { .source = "honest", .board = *board_builtin(game->board) };
    struct fail why;
    double t_s = 0;
    snprintf(h.game, sizeof h.game, "%s", game->name);
    h.setup = match_setup_usual(game);
    fuzz_must(adjudication_begin(&a, game, &h, &why) == 0 && record_begin(r, &h, "fuzz", &why) == 0, "a match begins");
    a.keeper = record_keeper(r);
    fuzz_must(log_writer_create(&a.log, NULL, &h, &why) == 0, "and is logged");
    fuzz_must(adjudication_add(&a, record_announcer(r), &why) == 0, "and is kept");
    for (int id = 1; id <= 3; id++) {
        struct observation o = { .kind = OBS_SEEN, .id = id, .seen = { .kind = PIECE_DISC, .certainty = 1 } };
        snprintf(o.seen.colour, sizeof o.seen.colour, "%s", id % 2 ? "black" : "red");
        o.seen.radius_in = 0.625;
        take(&a, &t_s, o);
        take(&a, &t_s, (struct observation){ .kind = OBS_MOVE, .id = id, .move = { MOVED_BY_SHOT, { 11, 0 } } });
        take(&a, &t_s,
             (struct observation){
                 .kind = OBS_REST, .id = id, .rest = { { 2.0 * id, 1 }, { 1e-4, 0, 1e-4 }, ON_SURFACE, 0 } });
        take(&a, &t_s, (struct observation){ .kind = OBS_STILL, .still = { 0.1, 1e-3 } });
    }
    struct observation said = { .kind = OBS_INPUT, .input.by = "judge", .input.shot = 2 };
    input_set(&said, "foul");
    take(&a, &t_s, said);
    fuzz_must(record_end(r, &why) == 0, "and ends");
    adjudication_end(&a);
}

static void free_honest(void)
{
    free(honest.bytes);
}

// Kept as one file, without a write-ahead log beside it.
void fuzz_honest_record(const char *path)
{
    struct fail why;
    struct record *r = NULL;
    if (honest.bytes) {
        fuzz_must(whole_file_write(path, honest.bytes, honest.size, &why) == 0, "there is room for a record");
        return;
    }
    fuzz_must(record_open(&r, path, RECORD_WRITE, &why) == 0, "a record can be made");
    play_honestly(r);
    fuzz_must(record_run(r, "PRAGMA journal_mode = DELETE", NULL, &why) == 0, "and closed");
    record_close(r);
    fuzz_must(whole_file_read(&honest.bytes, &honest.size, path, (size_t)1 << 24, &why) == 0, "and read");
    atexit(free_honest);
}

// Nothing outside of the file, and no end without an end.
static int allow(void *self, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)self, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_ATTACH || action == SQLITE_DETACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static int stop(void *self)
{
    (void)self;
    return 1;
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    fuzz_must(sqlite3_open(path, &db) == SQLITE_OK, "a database can be opened");
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL, NULL);
    sqlite3_set_authorizer(db, allow, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_progress_handler(db, STATEMENT_STEPS_MAX, stop, NULL);
    for (const char *rest = sql; rest && *rest;) {
        sqlite3_stmt *s = NULL;
        if (sqlite3_prepare_v2(db, rest, -1, &s, &rest) != SQLITE_OK || !s)
            break;
        for (int i = 0; i < 100 && sqlite3_step(s) == SQLITE_ROW; i++)
            continue;
        sqlite3_finalize(s);
    }
    sqlite3_close(db);
}

static int count(void *self, const struct kept_match *m, struct fail *why)
{
    (void)m, (void)why;
    ++*(int *)self;
    return 0;
}

static void tell(struct record *r, const struct kept_match *m)
{
    static const char *const formats[] = { "json", "csv", "text", "cmn", "log" };
    struct fail why;
    for (size_t i = 0; i <= countof(formats); i++) {
        char *told = NULL;
        size_t length = 0;
        FILE *to = open_memstream(&told, &length);
        fuzz_must(to != NULL, "the machine has room for words");
        fuzz_refused(i < countof(formats) ? record_export(to, r, m, formats[i], "fuzz", &why)
                                          : record_print_calls(to, r, m->match, &why),
                     &why);
        fclose(to);
        fuzz_must_be_plain(told, length);
        free(told);
    }
}

static void use(const char *path)
{
    struct record *r = NULL;
    struct kept_match m;
    struct fail why;
    struct record_faults found;
    int matches = 0;
    if (fuzz_refused(record_open(&r, path, RECORD_READ, &why), &why))
        return;
    fuzz_refused(record_each(r, count, &matches, &why), &why);
    if (!fuzz_refused(record_find(&m, r, 0, &why), &why))
        tell(r, &m);
    char *told = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&told, &length);
    fuzz_must(to != NULL, "the machine has room for words");
    fuzz_refused(record_check(&found, to, r, "fuzz", &why), &why);
    fclose(to);
    fuzz_must_be_plain(told, length);
    free(told);
    record_close(r);
    r = NULL;
    struct observation said = { .kind = OBS_INPUT, .input.by = "judge", .input.shot = 1 };
    input_set(&said, "undo");
    if (!fuzz_refused(record_open(&r, path, RECORD_WRITE, &why), &why))
        fuzz_refused(record_correct(r, 1, &said, json_announcer(fuzz_nowhere()), &why), &why);
    record_close(r);
}

void fuzz_record(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX], beside[FUZZ_PATH_MAX + 16];
    static const char *const endings[] = { "", "-wal", "-shm", "-journal", ".lock" };
    struct fail why;
    setenv("SQLITE_TMPDIR", fuzz_folder(), 1);
    snprintf(path, sizeof path, "%s/r.db", fuzz_folder());
    if (size == 0)
        return;
    fuzz_honest_record(path);
    if (data[0] % 2) {
        uint8_t *damaged = malloc(honest.size);
        fuzz_must(damaged != NULL, "the machine has room for a file");
        memcpy(damaged, honest.bytes, honest.size);
        struct fuzz_choices c = { data + 1, data + size };
        while (c.at < c.end) {
            uint32_t at = fuzz_below(&c, (uint32_t)honest.size);
            damaged[at] = (uint8_t)fuzz_below(&c, 256);
        }
        fuzz_must(whole_file_write(path, damaged, honest.size, &why) == 0, "there is room for a file");
        free(damaged);
    } else {
        char *sql = calloc(1, size);
        fuzz_must(sql != NULL, "the machine has room for words");
        memcpy(sql, data + 1, size - 1);
        run_sql(path, sql);
        free(sql);
    }
    use(path);
    for (size_t i = 0; i < countof(endings); i++) {
        snprintf(beside, sizeof beside, "%s%s", path, endings[i]);
        unlink(beside);
    }
    fuzz_must(fuzz_folder_count("") == 0, "nothing is left behind");
}
