// SPDX-License-Identifier: MIT
#include "referee/announce/voice.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct voice {
    pid_t child;
    int to; // its standard input; never waits: a voice that falls behind leaves words out
};

static int spawn(struct voice *v, int from, struct fail *why)
{
    char *const words[] = { (char[]){ "espeak-ng" }, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, plain;
    // The child must not inherit that this program holds back or ignores signals: it is ended by one.
    sigemptyset(&none);
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &plain);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, from, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0); // sound drivers talk a lot
    int rc = posix_spawnp(&v->child, words[0], &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return rc == 0 ? 0 : rs_fail(why, RS_EIO, "no voice: espeak-ng: %s", strerror(rc));
}

int voice_create(struct voice **out, struct fail *why)
{
    int ends[2];
    if (pipe(ends) < 0)
        return rs_fail(why, RS_EIO, "no voice: %s", strerror(errno));
    struct voice *v = calloc(1, sizeof *v);
    int rc = v ? 0 : rs_fail(why, RS_ENOMEM, "no memory for a voice");
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    if (rc == 0)
        rc = spawn(v, ends[0], why);
    close(ends[0]);
    if (rc < 0) {
        close(ends[1]);
        free(v);
        return rc;
    }
    v->to = ends[1];
    *out = v;
    return 0;
}

void voice_free(struct voice *v)
{
    if (!v)
        return;
    close(v->to);
    kill(v->child, SIGTERM);
    waitpid(v->child, NULL, 0);
    free(v);
}

// What stands in brackets is for the eye and left out.
static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    const struct voice *v = self;
    (void)m, (void)why;
    for (int i = 0; i < r->calls.count; i++) {
        const struct call *c = &r->calls.call[i];
        if (!ruling_holds(r, c))
            continue;
        char line[CALL_TEXT_MAX + 4];
        size_t used = 0;
        int depth = 0;
        for (const char *text = c->text; *text && used < CALL_TEXT_MAX - 1; text++) {
            depth += *text == '(';
            if (depth == 0)
                line[used++] = *text;
            depth -= *text == ')' && depth > 0;
        }
        line[used++] = '.';
        line[used++] = '\n';
        if (write(v->to, line, used) < 0)
            return 0;
    }
    return 0;
}

struct announcer voice_announcer(struct voice *v)
{
    return (struct announcer){ say, v };
}
