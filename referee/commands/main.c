// SPDX-License-Identifier: MIT
// ringside: `ringside VERB ...`. Looks the verb up, reads its flags, runs it and turns the outcome into an exit status.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibration/units.h"
#include "referee/commands/suggest.h"
#include "referee/commands/verbs.h"

#ifndef RINGSIDE_VERSION
#define RINGSIDE_VERSION "0.1"
#endif

static const struct verb *const verbs[] = {
    &games_verb, &judge_verb, &look_verb, &review_verb, &rules_verb, &watch_verb,
};

static enum ending ending_of(int rc)
{
    if (rc == RS_EINPUT)
        return ENDED_BAD_INPUT;
    if (rc < 0)
        return ENDED_SYSTEM;
    return rc == ENDED_WITHOUT_BOARD ? ENDED_WITHOUT_BOARD : ENDED_WELL;
}

static const struct verb *verb_named(const char *name)
{
    for (size_t i = 0; i < countof(verbs); i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

static int unknown_verb(const char *name, struct fail *why)
{
    const char *known[countof(verbs) + 2] = { "help" };
    char help[200];
    for (size_t i = 0; i < countof(verbs); i++)
        known[i + 1] = verbs[i]->name;
    suggest(help, sizeof help, name, known);
    return rs_fail(why, RS_EINPUT, "unknown command %.40s%s", name, help);
}

static void print_help(FILE *to)
{
    fprintf(to, "ringside: the camera referee for table and floor games\n\nusage: ringside COMMAND [FLAGS] ...\n\n");
    for (size_t i = 0; i < countof(verbs); i++)
        fprintf(to, "  %-8s %-18s %s\n", verbs[i]->name, verbs[i]->operands, verbs[i]->says);
    fprintf(to, "  %-8s %-18s %s\n", "help", "COMMAND", "the flags of a command");
    fprintf(to, "\nexit status: 0 done, 1 no board found, 2 bad input, 3 the system failed\n");
}

static int print_verb_help(const struct verb *v)
{
    printf("usage: ringside %s%s%s%s\n%s\n", v->name, v->flags[0] ? " [FLAGS]" : "", v->operands[0] ? " " : "",
           v->operands, v->says);
    if (v->more[0])
        printf("\n%s", v->more);
    if (v->flags[0])
        printf("\nflags:\n");
    options_print(stdout, v->flags);
    return 0;
}

static int help(const char *name, struct fail *why)
{
    const struct verb *v = name ? verb_named(name) : NULL;
    if (name && !v)
        return unknown_verb(name, why);
    if (v)
        return print_verb_help(v);
    print_help(stdout);
    return 0;
}

static int run_verb(const struct verb *v, int argc, char **argv, struct fail *why)
{
    struct options o;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return print_verb_help(v);
    int rc = options_parse(&o, v->flags, argc, argv, why);
    if (rc < 0)
        return rc;
    if (o.operands < v->operands_min)
        return rs_fail(why, RS_EINPUT, "%s needs %s; ringside help %s says more", v->name, v->operands, v->name);
    if (o.operands > v->operands_max)
        return rs_fail(why, RS_EINPUT, "%s: %.200s is one too many; ringside help %s says more", v->name,
                       o.operand[v->operands_max], v->name);
    return v->run(&o, why);
}

static int run(int argc, char **argv, struct fail *why)
{
    if (argc < 2)
        return rs_fail(why, RS_EINPUT, "what shall be done? ringside --help lists the commands");
    if (strcmp(argv[1], "--version") == 0)
        return printf("ringside %s\n", RINGSIDE_VERSION) < 0 ? RS_EIO : 0;
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc > 2 ? argv[2] : NULL, why);
    const struct verb *v = verb_named(argv[1]);
    return v ? run_verb(v, argc - 2, argv + 2, why) : unknown_verb(argv[1], why);
}

// A file opened while standard output is closed would take its number, and calls would be printed into it. A number
// opened for reading only keeps the place and refuses what is written.
static void keep_standard_places(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd)
            return;
}

int main(int argc, char **argv)
{
    struct fail why = { .text = "" };
    keep_standard_places();
    signal(SIGPIPE, SIG_IGN); // a reader who went away is a failed write, which is told
    int rc = run(argc, argv, &why);
    bool lost = ferror(stdout) != 0;
    errno = 0;
    lost |= fflush(stdout) != 0;
    if (lost && rc >= 0)
        rc = rs_fail(&why, RS_EIO, "cannot write to standard output%s%s", errno ? ": " : "",
                     errno ? strerror(errno) : "");
    if (rc != 0 && why.text[0])
        fprintf(stderr, "ringside: %s\n", why.text);
    return ending_of(rc);
}
