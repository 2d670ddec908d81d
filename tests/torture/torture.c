// SPDX-License-Identifier: MIT
// torture: the program with one call of the system, of the library for memory or for threads failing, at each call in
// turn or at a sample of them: torture PROGRAM LIBRARY N [USE|all [FAULT [n]]].
//
// What must come out of each: the same as ever, byte for byte; or one line that says what failed and exit status 3; and
// in the folder nothing but whole files, a log that is judged again, a record that is sound. N is how many points of
// each kind are tried where one run is quick (fewer where it is slow); 0: all of them. The last three words repeat one.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "calibration/units.h"
#include "tests/torture/fault.h"
#include "tests/torture/folder.h"
#include "tests/torture/inputs.h"
#include "tests/torture/run.h"

enum { POINTS_MAX = 8000000, WORKERS_MAX = 8, MEMORY_ALONE = 40 };
static const double HANGS_S = 120; // also on a machine with much else to do

// What is done, and to which files. One that takes longer is tried at `cost` times fewer points; MEMORY_ALONE: as
// another one, but by way of other code.
static const struct use {
    const char *name, *words, *files;
    int cost;
} uses[] = {
    { "look", "look --game crokinole a.jpg", "a.jpg", 5 },
    { "look-json", "look --game crokinole --json a.jpg", "a.jpg", 10 },
    { "look-aslant", "look --game crokinole table_02.jpg", "table_02.jpg", MEMORY_ALONE },
    { "look-marbles", "look --game american-marbles marbles_01.jpg", "marbles_01.jpg", MEMORY_ALONE },
    { "review", "review --quiet --game crokinole --players Anna,Bo --video --debug-video f.mov", "f.mov", 12 },
    { "watch", "watch --quiet --game crokinole --players Anna,Bo --camera f.mov", "f.mov", 15 },
    { "judge", "judge f.ringside.jsonl", "f.ringside.jsonl", 1 },
    { "judge-json", "judge --json f.ringside.jsonl", "f.ringside.jsonl", 1 },
    { "judge-explain", "judge --explain f.ringside.jsonl", "f.ringside.jsonl", 2 },
    { "bundle", "bundle --quiet --game crokinole f.mov", "f.mov", 20 },
    { "bundle-picture", "bundle --quiet --game crokinole a.jpg", "a.jpg", 15 },
    { "bundle-check", "bundle --check f.ringside-bundle.tar", "f.ringside-bundle.tar", 15 },
    { "board", "calibrate board --game crokinole a.jpg", "a.jpg", 12 },
    { "check", "calibrate check --game crokinole b.png", "b.png", 15 },
    { "target", "calibrate target --size a4", "", 2 },
    { "list", "record list --book book.db", "book.db", 2 },
    { "show", "record show --book book.db", "book.db", 2 },
    { "export", "record export --book book.db", "book.db", 2 },
    { "export-log", "record export --format log --book book.db", "book.db", 3 },
    { "correct", "record correct --book book.db 1 shot=1 undo", "book.db", 2 },
    { "record-check", "record check --book book.db", "book.db", 2 },
};

enum special { BY_CALL, FILE_SIZE, SMALL_DISK, FULL_STDOUT, CLOSED_STDOUT };
static const struct way {
    const char *name;
    enum special special;
    int kind, error, onward; // as fault.h
    int share;               // of the points that N grants
} ways[] = {
    { "memory", BY_CALL, CALL_MEMORY, ENOMEM, 0, 3 },
    { "own-memory", BY_CALL, CALL_OWN_MEMORY, ENOMEM, 0, 0 }, // each place of ours once, always
    { "memory-onward", BY_CALL, CALL_MEMORY, ENOMEM, 1, 1 },
    { "thread", BY_CALL, CALL_THREAD, EAGAIN, 0, 1 },
    { "open", BY_CALL, CALL_OPEN, EMFILE, 0, 1 },
    { "read", BY_CALL, CALL_READ, EIO, 0, 1 },
    { "write", BY_CALL, CALL_WRITE, ENOSPC, 0, 1 },
    { "write-onward", BY_CALL, CALL_WRITE, ENOSPC, 1, 1 },
    { "sync", BY_CALL, CALL_SYNC, EIO, 0, 1 },
    { "close", BY_CALL, CALL_CLOSE, EIO, 0, 1 },
    { "rename", BY_CALL, CALL_RENAME, EIO, 0, 1 },
    { "unlink", BY_CALL, CALL_UNLINK, EIO, 0, 1 },
    { "mkdir", BY_CALL, CALL_MKDIR, ENOSPC, 0, 1 },
    { "interrupted", BY_CALL, CALL_TRANSFER, EINTR, 0, 1 },
    { "all-interrupted", BY_CALL, CALL_TRANSFER, EINTR, 2, 1 },
    { "kill", BY_CALL, CALL_CHANGE, 0, 0, 1 },
    { "file-size", FILE_SIZE, 0, 0, 0, 1 },
    { "small-disk", SMALL_DISK, 0, 0, 0, 1 },
    { "full-stdout", FULL_STDOUT, 0, 0, 0, 1 },
    { "closed-stdout", CLOSED_STDOUT, 0, 0, 0, 1 },
};

enum outcome { NOT_TRIED, SAME, TOLD, KILLED, EXCUSED, SKIPPED, BAD, OUTCOMES };

struct point {
    int use, way;
    long n;
    enum outcome outcome;
    int excuse; // of one that is excused
};

// Of all processes that work.
static struct shared {
    atomic_int next;
    struct reference {
        bool made;
        char words[400]; // why not
        struct run run;
        struct folder folder;
        struct fault counted;
    } reference[countof(uses)];
    long points;
    struct point point[];
} * shared;

static char root[64];                   // of all that is made here
static char program[400], library[400]; // absolute
static const char *only_use, *only_way; // NULL: each
static long only_n = -1;

// What is a library's own and cannot be mended from here, told by what stands on the way to the call and what is said
// then.
static const struct excuse {
    const char *call, *by, *said, *reason;
} excuses[] = {
    { "memory ", "libx264", "x264 [error]: malloc", "x264 says so in a line of its own, before ours" },
    { "memory ", "", "OpenCV gave up",
      "OpenCV ends the program where it has no memory to give up in order; what is left the next run clears" },
    { "read ", "libsqlite3", "is damaged",
      "SQLite takes what the disk cannot read for damage (SQLITE_IOERR_CORRUPTFS)" },
    { "read ", "libsqlite3", "fault was found", "and finds it when it checks a record" },
};

static bool prepare(struct run_plan *p, char folder[FOLDER_PATH_MAX], const struct use *u, const struct way *w, long n)
{
    char inputs[FOLDER_PATH_MAX], names[200], temporary[FOLDER_PATH_MAX + 8];
    snprintf(folder, FOLDER_PATH_MAX, "%s/run.%d", root, (int)getpid());
    snprintf(inputs, sizeof inputs, "%s/inputs", root);
    snprintf(names, sizeof names, "%s", u->files);
    folder_remove(folder);
    if (mkdir(folder, 0755) != 0)
        return false;
    if (w && w->special == SMALL_DISK) {
        char size[64];
        snprintf(size, sizeof size, "size=%ld", n);
        if (mount("torture", folder, "tmpfs", 0, size) != 0)
            return false;
    }
    snprintf(temporary, sizeof temporary, "%s/tmp", folder);
    mkdir(temporary, 0755);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
        if (!folder_copy(folder, inputs, name))
            return false;
    *p = (struct run_plan){ .program = program, .words = u->words, .folder = folder, .limit_s = HANGS_S };
    return true;
}

static struct fault *fault_begin(char path[FOLDER_PATH_MAX])
{
    snprintf(path, FOLDER_PATH_MAX, "%s/fault.%d", root, (int)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    void *p = fd >= 0 && ftruncate(fd, sizeof(struct fault)) == 0
                  ? mmap(NULL, sizeof(struct fault), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                  : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    return p == MAP_FAILED ? NULL : p;
}

// Whether the program, let alone, ends well with these words.
static bool ends_well(const struct run_plan *as, const char *words)
{
    static struct run r;
    struct run_plan p = { .program = as->program, .words = words, .folder = as->folder, .limit_s = as->limit_s };
    run_program(&r, &p);
    return r.status == 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

// A record whose making failed holds nothing; the next match makes it.
static bool is_begun(const char *folder, const char *name)
{
    char path[FOLDER_PATH_MAX];
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    bool none = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(db, "SELECT count(*) FROM sqlite_schema", -1, &s, NULL) == SQLITE_OK &&
                sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) == 0;
    sqlite3_finalize(s);
    sqlite3_close(db);
    return none;
}

// What is wrong with what lies in the folder; "" when nothing is.
static void judge_folder(char words[400], const struct run_plan *p, const struct reference *ref, bool same,
                         bool may_leave)
{
    struct folder now;
    char command[FOLDER_NAME_MAX + 40];
    words[0] = '\0';
    if (!folder_read(&now, p->folder)) {
        snprintf(words, 400, "the folder cannot be read");
        return;
    }
    for (int i = 0; i < now.count && !words[0]; i++) {
        const struct folder_file *f = &now.file[i], *was = folder_find(&ref->folder, f->alike);
        if (strstr(f->name, ".db")) {
            snprintf(command, sizeof command, "record check --book %s", f->name);
            if (ends_with(f->name, ".db") && !is_begun(p->folder, f->name) && !ends_well(p, command))
                snprintf(words, 400, "%s: not a sound record", f->name);
        } else if (f->is_folder ? was || may_leave || strncmp(f->name, "tmp", 3) != 0 : was && was->sum == f->sum) {
            continue;
        } else if (!same && was && ends_with(f->name, ".jsonl")) {
            snprintf(command, sizeof command, "judge %s", f->name);
            if (!ends_well(p, command))
                snprintf(words, 400, "%s: judge does not read it", f->name);
        } else if (was || !may_leave) {
            snprintf(words, 400, "%s %s", was ? "not as it should be:" : "left behind:", f->name);
        }
    }
    for (int i = 0; i < ref->folder.count && same && !words[0]; i++)
        if (!folder_find(&now, ref->folder.file[i].alike) && !strstr(ref->folder.file[i].name, ".db-"))
            snprintf(words, 400, "missing: %s", ref->folder.file[i].name);
}

// Lines that the program says otherwise not; *line is the last of them.
static int new_lines(char line[400], const char *err, const char *usual)
{
    int n = 0;
    line[0] = '\0';
    while (*err) {
        size_t length = strcspn(err, "\n");
        const char *found = memmem(usual, strlen(usual), err, length + (err[length] == '\n'));
        if (!found || length == 0) {
            snprintf(line, 400, "%.*s", (int)length, err);
            n++;
        }
        err += length + (err[length] == '\n');
    }
    return n;
}

static enum outcome judge(char words[400], const struct run *r, const struct run_plan *p, const struct reference *ref,
                          const struct way *w)
{
    char line[400];
    bool unseen = p->standard_output != STDOUT_READ; // what was printed
    bool same = r->status == ref->run.status &&
                (unseen ? ref->run.out_size == 0
                        : r->out_size == ref->run.out_size && memcmp(r->out, ref->run.out, r->out_size) == 0);
    bool killed = w->kind == CALL_CHANGE && r->status == 128 + 9;
    judge_folder(words, p, ref, same, killed || w->kind == CALL_UNLINK);
    int lines = new_lines(line, r->err, ref->run.err);
    if (words[0]) {
        size_t used = strlen(words);
        snprintf(words + used, 400 - used, " (exit %d: %.150s)", r->status, line);
        return BAD;
    }
    if (same || killed)
        return killed ? KILLED : SAME;
    if (r->status == RUN_HUNG)
        snprintf(words, 400, "hangs");
    else if (r->status >= 128)
        snprintf(words, 400, "killed by signal %d: %.300s", r->status - 128, line);
    else if (r->status == ref->run.status)
        snprintf(words, 400, "exit %d with other output: %.300s", r->status, line);
    else if (r->status != 3)
        snprintf(words, 400, "exit %d: %.300s", r->status, line);
    else if (lines != 1 || strncmp(line, "ringside: ", 10) != 0 || strlen(line) < 20)
        snprintf(words, 400, "%d lines are said: %.300s", lines, r->err);
    return words[0] ? BAD : TOLD;
}

static void try_point(int i)
{
    static struct run r;
    struct point *t = &shared->point[i];
    const struct way *w = &ways[t->way];
    const struct reference *ref = &shared->reference[t->use];
    struct run_plan p;
    char folder[FOLDER_PATH_MAX], fault_file[FOLDER_PATH_MAX], words[400];
    if (!prepare(&p, folder, &uses[t->use], w, t->n)) {
        t->outcome = w->special == SMALL_DISK ? SKIPPED : NOT_TRIED;
        umount2(folder, MNT_DETACH); // too small for what is to be read
        folder_remove(folder);
        return;
    }
    struct fault *f = fault_begin(fault_file);
    if (!f)
        return;
    f->kind = w->kind;
    f->error = w->error;
    f->onward = w->onward;
    f->n = t->n;
    p.library = w->special == BY_CALL ? library : NULL;
    p.fault_file = fault_file;
    p.finds_leaks = w->special == BY_CALL && w->kind <= CALL_THREAD;
    p.file_bytes = w->special == FILE_SIZE ? t->n : 0;
    p.standard_output = w->special == FULL_STDOUT     ? STDOUT_FULL
                        : w->special == CLOSED_STDOUT ? STDOUT_CLOSED
                                                      : STDOUT_READ;
    run_program(&r, &p);
    if (w->special == SMALL_DISK) // what looks at it now needs room
        mount(NULL, folder, NULL, MS_REMOUNT, "size=64m");
    t->outcome = judge(words, &r, &p, ref, w);
    if (t->outcome == BAD) {
        for (int e = 0; e < (int)countof(excuses) && t->outcome == BAD; e++)
            if (strstr(f->where, excuses[e].call) && strstr(f->where, excuses[e].by) &&
                strstr(words, excuses[e].said)) {
                t->outcome = EXCUSED;
                t->excuse = e;
            }
        if (t->outcome == BAD)
            fprintf(stderr, "%s %s %ld: %s\n    %s\n", uses[t->use].name, w->name, t->n, words, f->where);
    }
    munmap(f, sizeof *f);
    if (w->special == SMALL_DISK)
        umount2(folder, MNT_DETACH);
    folder_remove(folder);
}

// As it is without a fault, twice: by itself, and with every call counted, which must come to the same.
static void make_reference(int i)
{
    static struct run r;
    struct reference *ref = &shared->reference[i];
    struct run_plan p;
    char folder[FOLDER_PATH_MAX], fault_file[FOLDER_PATH_MAX];
    if ((only_use && strcmp(uses[i].name, only_use) != 0) || !prepare(&p, folder, &uses[i], NULL, 0))
        return;
    run_program(&ref->run, &p);
    folder_read(&ref->folder, folder);
    struct fault *f = fault_begin(fault_file);
    if (!f || !prepare(&p, folder, &uses[i], NULL, 0))
        return;
    f->kind = FAULT_KINDS;
    p.library = library;
    p.fault_file = fault_file;
    run_program(&r, &p);
    ref->counted = *f;
    ref->made = ref->run.status == 0 && judge(ref->words, &r, &p, ref, &ways[0]) == SAME;
    if (!ref->words[0] && !ref->made)
        snprintf(ref->words, sizeof ref->words, "exit %d when counted: %.300s", r.status, r.err);
    munmap(f, sizeof *f);
    folder_remove(folder);
}

static void in_parallel(void (*job)(int), long jobs)
{
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    atomic_store(&shared->next, 0);
    for (int w = 0; w < workers && w < WORKERS_MAX; w++)
        if (fork() == 0) {
            unshare(CLONE_NEWNS);
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
            for (int i; (i = atomic_fetch_add(&shared->next, 1)) < jobs;)
                job(i);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
}

static uint32_t seed = 20;
static long chosen(long below)
{
    seed = seed * 1664525u + 1013904223u;
    return (long)((seed >> 8) * (double)below / (1 << 24));
}

static void add_point(int use, int way, long n)
{
    if (shared->points < POINTS_MAX && (only_n < 0 || n == only_n))
        shared->point[shared->points++] = (struct point){ .use = use, .way = way, .n = n };
}

// Calls that came by different ways first, for they fail differently; then any.
static void add_calls(int use, int way, long wanted)
{
    struct fault *f = &shared->reference[use].counted;
    const int kind = ways[way].kind;
    long count = f->count[kind], firsts = f->firsts[kind], *first = f->first[kind];
    long order[FIRSTS_MAX];
    memcpy(order, first, sizeof order);
    if (ways[way].onward == 2)
        count = count > 0;
    if (wanted == 0 || count <= wanted) {
        for (long n = 0; n < count; n++)
            add_point(use, way, n);
        return;
    }
    for (long i = 0; i < wanted; i++) {
        long k = i < firsts ? i + chosen(firsts - i) : 0;
        add_point(use, way, i < firsts ? order[k] : chosen(count));
        order[k] = i < firsts ? order[i] : order[k];
    }
}

// Each place of ours that asks for memory, where no use before came by.
static void add_own(int use, int way)
{
    static long seen[FIRSTS_MAX];
    static int sites;
    const struct fault *f = &shared->reference[use].counted;
    for (int i = 0; i < f->firsts[CALL_OWN_MEMORY]; i++) {
        int k = 0;
        while (k < sites && seen[k] != f->site[i])
            k++;
        if (k < sites || sites == FIRSTS_MAX)
            continue;
        seen[sites++] = f->site[i];
        add_point(use, way, f->first[CALL_OWN_MEMORY][i]);
    }
}

static void add_points(int use, long n)
{
    for (int w = 0; w < (int)countof(ways); w++) {
        long wanted = n * ways[w].share / uses[use].cost;
        bool memory = ways[w].special == BY_CALL && ways[w].kind <= CALL_OWN_MEMORY;
        if ((only_way && strcmp(ways[w].name, only_way) != 0) || (!memory && uses[use].cost == MEMORY_ALONE))
            continue;
        if (ways[w].kind == CALL_OWN_MEMORY && n > 0)
            add_own(use, w);
        else if (ways[w].special == BY_CALL)
            add_calls(use, w, n == 0 ? 0 : wanted + 1);
        else if (ways[w].special == FILE_SIZE)
            for (long bytes = 1; bytes < 1 << 18; bytes *= n == 0 ? 2 : 256)
                add_point(use, w, bytes);
        else if (ways[w].special == SMALL_DISK)
            for (long bytes = 1 << 16; bytes < 1 << 20; bytes += 1 << (n == 0 ? 14 : 18))
                add_point(use, w, bytes);
        else
            add_point(use, w, 0);
    }
}

static int tell(void)
{
    int bad = 0, skipped = 0, excused[countof(excuses)] = { 0 };
    long at = 0;
    printf("%-14s %-16s %9s %6s  %5s %5s %5s %5s %5s %5s\n", "use", "fault", "calls", "tried", "same", "told", "killed",
           "excused", "skipped", "BAD");
    while (at < shared->points) {
        const struct point *p = &shared->point[at];
        int n[OUTCOMES] = { 0 };
        long from = at;
        for (; at < shared->points && shared->point[at].use == p->use && shared->point[at].way == p->way; at++)
            n[shared->point[at].outcome]++;
        long calls = ways[p->way].special == BY_CALL ? shared->reference[p->use].counted.count[ways[p->way].kind] : 0;
        printf("%-14s %-16s %9ld %6ld  %5d %5d %5d %5d %5d %5d\n", uses[p->use].name, ways[p->way].name, calls,
               at - from, n[SAME], n[TOLD], n[KILLED], n[EXCUSED], n[SKIPPED], n[BAD] + n[NOT_TRIED]);
        for (long i = from; i < at; i++)
            if (shared->point[i].outcome == EXCUSED)
                excused[shared->point[i].excuse]++;
        bad += n[BAD] + n[NOT_TRIED];
        skipped += n[SKIPPED];
    }
    if (skipped)
        printf("skipped %d times: a small disk cannot be mounted here, or does not hold what is to be read\n", skipped);
    for (int e = 0; e < (int)countof(excuses); e++)
        if (excused[e])
            printf("excused %d times: %s\n", excused[e], excuses[e].reason);
    printf("%ld points tried, %d not as they must be\n", shared->points, bad);
    return bad > 0;
}

int main(int argc, char **argv)
{
    size_t size = sizeof *shared + POINTS_MAX * sizeof(struct point);
    char inputs[FOLDER_PATH_MAX];
    if (argc < 4 || !realpath(argv[1], program) || !realpath(argv[2], library)) {
        fprintf(stderr, "torture PROGRAM LIBRARY N [USE|all [FAULT [n]]]\n");
        return 2;
    }
    only_use = argc > 4 && strcmp(argv[4], "all") != 0 ? argv[4] : NULL;
    only_way = argc > 5 ? argv[5] : NULL;
    only_n = argc > 6 ? strtol(argv[6], NULL, 10) : -1;
    const long share = only_n >= 0 ? 0 : strtol(argv[3], NULL, 10);
    shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    snprintf(root, sizeof root, "/tmp/ringside-torture-XXXXXX");
    snprintf(inputs, sizeof inputs, "%s/inputs", mkdtemp(root));
    if (shared == MAP_FAILED || mkdir(inputs, 0755) != 0 || !inputs_make(inputs, program))
        return 2;
    char built[sizeof program]; // a copy, so that it may be built anew meanwhile
    snprintf(built, sizeof built, "%s", program);
    snprintf(program, sizeof program, "%s/ringside", root);
    if (!folder_copy(root, dirname(built), "ringside") || chmod(program, 0755) != 0)
        return 2;
    in_parallel(make_reference, (long)countof(uses));
    int bad = 0;
    for (int i = 0; i < (int)countof(uses); i++) {
        if (only_use && strcmp(uses[i].name, only_use) != 0)
            continue;
        if (shared->reference[i].made)
            add_points(i, share);
        else
            bad += printf("%s: not the same twice: %s\n", uses[i].name, shared->reference[i].words);
    }
    fprintf(stderr, "%ld points\n", shared->points);
    in_parallel(try_point, shared->points);
    bad += tell();
    folder_remove(root);
    return bad > 0;
}
