// SPDX-License-Identifier: MIT
// spawned.h: the program as a person runs it: its words, its exit status. $RINGSIDE names it.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_SPAWNED_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_SPAWNED_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "tests/cmocka.h"

extern char **environ;

enum {
    SPAWNED_ARGS_MAX = 16,
    SPAWNED_TEXT_MAX = 64 * 1024,
    SPAWNED_PATIENCE_S = 400, // under every sanitizer on a busy machine none takes a quarter of it
    SPAWNED_TELLING_S = 60,   // to tell it
};

struct spawned {
    int status;                 // exit status; 128 + signal when it was killed
    char out[SPAWNED_TEXT_MAX]; // what it wrote, cut off beyond that
    char err[SPAWNED_TEXT_MAX];
};

static inline void spawned_read(char text[SPAWNED_TEXT_MAX], const char *path)
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, SPAWNED_TEXT_MAX - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
}

// What each thread of it does, as the kernel says: the call that it waits in (proc(5), syscall), if any.
static inline void spawned_tell_threads(pid_t child)
{
    static const char *const FILES[] = { "comm", "wchan", "syscall" };
    char path[320], text[512];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)child);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        for (size_t i = 0; e->d_name[0] != '.' && i < sizeof FILES / sizeof *FILES; i++) {
            snprintf(path, sizeof path, "/proc/%ld/task/%s/%s", (long)child, e->d_name, FILES[i]);
            FILE *f = fopen(path, "r");
            if (f && fgets(text, sizeof text, f))
                fprintf(stderr, "thread %s: %s: %s%s", e->d_name, FILES[i], text, strchr(text, '\n') ? "" : "\n");
            if (f)
                fclose(f);
        }
    }
    if (d)
        closedir(d);
}

// A program that never ends is ended, and fails the test with where it stood: a sanitized one tells at that signal what
// was called.
static inline int spawned_wait(pid_t child)
{
    const struct timespec pause = { .tv_nsec = 5000000 };
    static const int ENDED_BY[] = { SIGSEGV, SIGKILL };
    double until_s = clock_s() + SPAWNED_PATIENCE_S; // by a clock that nobody sets
    int status = 0, asked = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        if (clock_s() >= until_s && asked < 2) {
            fprintf(stderr, "process %ld has not ended in time\n", (long)child);
            spawned_tell_threads(child);
            kill(child, ENDED_BY[asked++]);
            until_s += SPAWNED_TELLING_S;
        }
        nanosleep(&pause, NULL);
    }
    assert_int_equal(ended, child);
    return status;
}

// Arguments after the program's name, up to NULL. `out_path` NULL: standard output is kept in r->out.
static inline void spawned_run(struct spawned *r, const char *const *args, const char *out_path)
{
    char *argv[SPAWNED_ARGS_MAX] = { NULL };
    char kept[] = "/tmp/ringside-out-XXXXXX", said[] = "/tmp/ringside-err-XXXXXX";
    const char *program = getenv("RINGSIDE");
    posix_spawn_file_actions_t files;
    pid_t child;
    int n = 1;
    argv[0] = strdup(program ? program : "./ringside");
    for (; *args && n < SPAWNED_ARGS_MAX - 1; args++)
        argv[n++] = strdup(*args);
    close(mkstemp(kept));
    close(mkstemp(said));
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, out_path ? out_path : kept, O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, said, O_WRONLY, 0);
    assert_int_equal(posix_spawn(&child, argv[0], &files, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&files);
    int status = spawned_wait(child);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    spawned_read(r->out, kept);
    spawned_read(r->err, said);
    unlink(kept);
    unlink(said);
    for (int i = 0; i < n; i++)
        free(argv[i]);
}

// As above, and fails the test where it ends otherwise: RUN(&r, 0, "judge", path).
static inline void spawned_end(struct spawned *r, int status, const char *const *args)
{
    spawned_run(r, args, NULL);
    if (r->status != status)
        fail_msg("%s: exit %d, said \"%s\", printed \"%s\"", args[0], r->status, r->err, r->out);
}

#define RUN(r, status, ...) spawned_end(r, status, (const char *const[]){ __VA_ARGS__, NULL })

static inline int spawned_lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

#endif
