// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "tests/torture/run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/torture/fault.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void become(const struct run_plan *p, int out, int err)
{
    static char words[1024], temporary[1024];
    char *argv[RUN_WORDS_MAX] = { (char *)(uintptr_t)p->program };
    int n = 1;
    snprintf(words, sizeof words, "%s", p->words);
    snprintf(temporary, sizeof temporary, "%s/tmp", p->folder);
    for (char *w = strtok(words, " "); w && n < RUN_WORDS_MAX - 1; w = strtok(NULL, " "))
        argv[n++] = w;
    setpgid(0, 0);
    if (chdir(p->folder) != 0)
        _exit(126);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(p->standard_output == STDOUT_FULL ? open("/dev/full", O_WRONLY) : out, 1);
    if (p->standard_output == STDOUT_CLOSED)
        close(1);
    dup2(err, 2);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    setenv("HOME", p->folder, 1);
    setenv("TMPDIR", temporary, 1);
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CONFIG_HOME");
    if (p->library) {
        setenv("LD_PRELOAD", p->library, 1);
        setenv(FAULT_FILE, p->fault_file, 1);
        // Of a sanitized program. Its search for leaks makes calls of the system that must not be caught.
        setenv("ASAN_OPTIONS", p->finds_leaks ? "verify_asan_link_order=0" : "verify_asan_link_order=0:detect_leaks=0",
               1);
    }
    if (p->file_bytes > 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ (rlim_t)p->file_bytes, (rlim_t)p->file_bytes });
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    execv(p->program, argv);
    _exit(126);
}

void run_program(struct run *out, const struct run_plan *p)
{
    int said[2], told[2], status = 0;
    char *into[2] = { out->out, out->err }, rest[4096] = "";
    size_t room[2] = { RUN_OUT_MAX - 1, RUN_ERR_MAX - 1 };
    double began = now_s();
    out->status = RUN_HUNG;
    if (pipe(said) != 0 || pipe(told) != 0)
        return;
    pid_t child = fork();
    if (child == 0)
        become(p, said[1], told[1]);
    close(said[1]);
    close(told[1]);
    struct pollfd from[2] = { { .fd = said[0], .events = POLLIN }, { .fd = told[0], .events = POLLIN } };
    while (from[0].fd >= 0 || from[1].fd >= 0) {
        double left_s = p->limit_s - (now_s() - began);
        if (left_s <= 0 || poll(from, 2, (int)(1000 * left_s) + 1) == 0)
            break;
        for (int i = 0; i < 2; i++) {
            if (from[i].fd < 0 || !from[i].revents)
                continue;
            ssize_t n = read(from[i].fd, room[i] ? into[i] : rest, room[i] ? room[i] : sizeof rest);
            if (n <= 0)
                from[i].fd = -1;
            else if (room[i]) {
                into[i] += n;
                room[i] -= (size_t)n;
            }
        }
    }
    bool ended = from[0].fd < 0 && from[1].fd < 0;
    if (!ended)
        kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    close(said[0]);
    close(told[0]);
    *into[0] = *into[1] = '\0';
    out->out_size = (size_t)(into[0] - out->out);
    out->took_s = now_s() - began;
    if (ended)
        out->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
