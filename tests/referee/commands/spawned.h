// SPDX-License-Identifier: MIT
// spawned.h: the program as a person runs it: its words, its exit status. $RINGSIDE names it. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_REFEREE_COMMANDS_SPAWNED_H
#define RINGSIDE_TESTS_REFEREE_COMMANDS_SPAWNED_H

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SPAWNED_ARGS_MAX = 16, SPAWNED_TEXT_MAX = 64 * 1024 };

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

// Arguments after the program's name, up to NULL. `out_path` NULL: standard output is kept in r->out.
static inline void spawned_run(struct spawned *r, const char *const *args, const char *out_path)
{
    char *argv[SPAWNED_ARGS_MAX] = { NULL };
    char kept[] = "/tmp/ringside-out-XXXXXX", said[] = "/tmp/ringside-err-XXXXXX";
    const char *program = getenv("RINGSIDE");
    posix_spawn_file_actions_t files;
    pid_t child;
    int n = 1, status = 0;
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
    assert_int_equal(waitpid(child, &status, 0), child);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    spawned_read(r->out, kept);
    spawned_read(r->err, said);
    unlink(kept);
    unlink(said);
    for (int i = 0; i < n; i++)
        free(argv[i]);
}

static inline int spawned_lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

#endif
