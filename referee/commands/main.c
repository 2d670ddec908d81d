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
#include "referee/commands/version.h"

static const struct verb *const verbs[] = {
    &bundle_verb, &calibrate_verb, &games_verb, &judge_verb, &look_verb, &review_verb, &rules_verb, &watch_verb, NULL,
};

enum { WORDS_MAX = 32 }; // verbs in one table

static enum ending ending_of(int rc)
{
    if (rc == RS_EINPUT)
        return ENDED_BAD_INPUT;
    if (rc < 0)
        return ENDED_SYSTEM;
    return (enum ending)rc;
}

// What picks it among those of its table: "lens" of "calibrate lens".
static const char *word_of(const struct verb *v)
{
    const char *blank = strrchr(v->name, ' ');
    return blank ? blank + 1 : v->name;
}

static const struct verb *verb_named(const struct verb *const *table, const char *word)
{
    for (; *table; table++)
        if (strcmp(word_of(*table), word) == 0)
            return *table;
    return NULL;
}

static int unknown_verb(const struct verb *const *table, const char *word, struct fail *why)
{
    const char *known[WORDS_MAX + 2] = { NULL };
    char nearest[200];
    int n = 0;
    for (; n < WORDS_MAX && table[n]; n++)
        known[n] = word_of(table[n]);
    if (table == verbs)
        known[n] = "help";
    suggest(nearest, sizeof nearest, word, known);
    const char *blank = strrchr(table[0]->name, ' ');
    return rs_fail(why, RS_EINPUT, "unknown command %.*s%.40s%s", blank ? (int)(blank + 1 - table[0]->name) : 0,
                   table[0]->name, word, nearest);
}

static void print_table(FILE *to, const struct verb *const *table)
{
    for (; *table; table++)
        fprintf(to, "  %-9s %-18s %s\n", word_of(*table), (*table)->operands, (*table)->says);
}

static void print_help(FILE *to)
{
    fprintf(to, "ringside: the camera referee for table and floor games\n\nusage: ringside COMMAND [FLAGS] ...\n\n");
    print_table(to, verbs);
    fprintf(to, "  %-9s %-18s %s\n", "help", "COMMAND", "the flags of a command");
    fprintf(to, "\nexit status: 0 done, 1 no board found or not well enough, 2 bad input, 3 the system failed,\n"
                "             4 bundle --check: judged otherwise\n");
}

static int print_verb_help(const struct verb *v)
{
    if (v->second) {
        printf("usage: ringside %s %s [FLAGS] ...\n%s\n\n", v->name, v->operands, v->says);
        print_table(stdout, v->second);
        return 0;
    }
    printf("usage: ringside %s%s%s%s\n%s\n", v->name, v->flags[0] ? " [FLAGS]" : "", v->operands[0] ? " " : "",
           v->operands, v->says);
    if (v->more[0])
        printf("\n%s", v->more);
    if (v->flags[0])
        printf("\nflags:\n");
    options_print(stdout, v->flags);
    return 0;
}

// `words` up to NULL: none, a command, or a command and its second word.
static int help(char **words, struct fail *why)
{
    const struct verb *const *table = verbs;
    const struct verb *v = NULL;
    for (; table && *words; words++) {
        v = verb_named(table, *words);
        if (!v)
            return unknown_verb(table, *words, why);
        table = v->second;
    }
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

static int dispatch(const struct verb *const *table, int argc, char **argv, struct fail *why)
{
    const struct verb *v = verb_named(table, argv[0]);
    if (!v)
        return unknown_verb(table, argv[0], why);
    if (!v->second)
        return run_verb(v, argc - 1, argv + 1, why);
    if (argc < 2)
        return rs_fail(why, RS_EINPUT, "%s needs %s; ringside help %s says more", v->name, v->operands, v->name);
    return strcmp(argv[1], "--help") == 0 ? print_verb_help(v) : dispatch(v->second, argc - 1, argv + 1, why);
}

static int run(int argc, char **argv, struct fail *why)
{
    if (argc < 2)
        return rs_fail(why, RS_EINPUT, "what shall be done? ringside --help lists the commands");
    if (strcmp(argv[1], "--version") == 0)
        return printf("ringside %s\n", version_words) < 0 ? RS_EIO : 0;
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argv + 2, why);
    return dispatch(verbs, argc - 1, argv + 1, why);
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
