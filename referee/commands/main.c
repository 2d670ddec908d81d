// SPDX-License-Identifier: MIT
// ringside: `ringside VERB ...`. Looks the verb up, reads its flags, runs it and turns the outcome into an exit status.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibration/interrupt.h"
#include "calibration/json_memory.h"
#include "referee/commands/terminal.h"
#include "referee/commands/verbs.h"
#include "vision/opencv_c/opencv_c.h"

// The verbs that the second word of calibrate picks.
static const struct verb calibrate_verb = {
    .name = "calibrate",
    .second = (const struct verb *const[]){ &calibrate_board_verb, &calibrate_check_verb, &calibrate_lens_verb,
                                            &calibrate_target_verb, NULL },
    .operands = "board|check|lens|target",
    .says = "measure a board or a lens, check a set-up",
};

static const struct verb record_verb = {
    .name = "record",
    .second = (const struct verb *const[]){ &record_check_verb, &record_correct_verb, &record_export_verb,
                                            &record_list_verb, &record_show_verb, NULL },
    .operands = "list|show|...",
    .says = "the matches that were kept",
};

static const struct verb *const verbs[] = {
    &bundle_verb, &calibrate_verb, &cameras_verb, &games_verb, &judge_verb, &look_verb,
    &record_verb, &report_verb,    &review_verb,  &rules_verb, &watch_verb, NULL,
};

enum { WORDS_MAX = 32 }; // verbs in one table

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

static void print_table(const struct verb *const *table)
{
    for (; *table; table++)
        printf("  %-9s %-18s %s\n", word_of(*table), (*table)->operands, (*table)->says);
}

static int print_verb_help(const struct verb *v)
{
    if (v->second) {
        printf("usage: ringside %s %s [FLAGS] ...\n%s\n\n", v->name, v->operands, v->says);
        print_table(v->second);
        return 0;
    }
    printf("usage: ringside %s%s%s%s\n%s\n", v->name, v->flags[0] ? " [FLAGS]" : "", v->operands[0] ? " " : "",
           v->operands, v->says);
    if (v->more)
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
    while (*words && strcmp(*words, "help") == 0) // is in its own list of commands
        words++;
    for (; table && *words; words++) {
        v = verb_named(table, *words);
        if (!v)
            return unknown_verb(table, *words, why);
        table = v->second;
    }
    if (v)
        return print_verb_help(v);
    printf("ringside: the camera referee for table and floor games\n\nusage: ringside COMMAND [FLAGS] ...\n\n");
    print_table(verbs);
    printf("  %-9s %-18s %s\n", "help", "COMMAND", "the flags of a command");
    printf("\nexit status: 0 done, 1 no board found or not well enough, 2 bad input, 3 the system failed,\n"
           "             4 bundle --check, record check: judged otherwise; rules --coverage: a hole,\n"
           "             128 and more ended by a signal: 130 Ctrl-C, 143 TERM, 129 HUP, 141 PIPE: nobody reads on\n");
    return 0;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int dispatch(const struct verb *const *table, int argc, char **argv, struct fail *why)
{
    const struct verb *v = verb_named(table, argv[0]);
    struct options o;
    if (!v)
        return unknown_verb(table, argv[0], why);
    if (v->second && argc < 2)
        return rs_fail(why, RS_EINPUT, "%s needs %s; ringside help %s says more", v->name, v->operands, v->name);
    if (v->second)
        return asks_for_help(argv[1]) ? print_verb_help(v) : dispatch(v->second, argc - 1, argv + 1, why);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (asks_for_help(argv[i]))
            return print_verb_help(v);
    int rc = options_parse(&o, v->flags, argc - 1, argv + 1, why);
    if (rc < 0)
        return rc;
    if (o.operands < v->operands_min)
        return rs_fail(why, RS_EINPUT, "%s needs %s; ringside help %s says more", v->name, v->operands, v->name);
    if (o.operands > v->operands_max)
        return rs_fail(why, RS_EINPUT, "%s: %.200s is one too many; ringside help %s says more", v->name,
                       o.operand[v->operands_max], v->name);
    for (int i = 0; i < o.operands; i++)
        if (o.operand[i][0] == '\0')
            return rs_fail(why, RS_EINPUT, "%s: a name is empty; it takes %s", v->name, v->operands);
    return v->run(&o, why);
}

// Each look at a board takes views as large as a picture and frees them. malloc would give them back to the kernel, and
// every page taken again is a fault.
static void keep_freed_memory(void)
{
    enum {
        MMAP_FROM_BYTES = 32 << 20,  // the most that mallopt allows: larger requests go to the kernel each
        KEPT_FREE_BYTES = 128 << 20, // at the end of a heap
    };
    mallopt(M_MMAP_THRESHOLD, MMAP_FROM_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE_BYTES);
}

int main(int argc, char **argv)
{
    struct fail why = { .text = "" };
    const char *word = argc < 2 ? "" : argv[1];
    int rc = 0;
    // A file opened while standard output is closed would take its number, and calls would be printed into it. A number
    // opened for reading only keeps the place and refuses what is written.
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd)
            break;
    keep_freed_memory();
    json_memory_watch();
    cv_end_with(ENDED_SYSTEM, 1);
    signal(SIGPIPE, SIG_IGN); // a reader who went away is a failed write: what is kept is finished first
    signal(SIGXFSZ, SIG_IGN); // so is a file that may not grow
    interrupt_listen();
    if (argc < 2)
        rc = rs_fail(&why, RS_EINPUT, "what shall be done? ringside --help lists the commands");
    else if (strcmp(word, "--version") == 0)
        printf("ringside %s\n", version_words);
    else if (strcmp(word, "help") == 0 || asks_for_help(word))
        rc = help(argv + 2, &why);
    else
        rc = dispatch(verbs, argc - 1, argv + 1, &why);
    if (rc >= 0 && json_memory_check("JSON", &why) < 0)
        rc = RS_ENOMEM;
    bool lost = ferror(stdout) != 0;
    errno = 0;
    lost |= fflush(stdout) != 0;
    if (lost && rc >= 0)
        rc = rs_fail(&why, RS_EIO, "cannot write to standard output%s%s", errno ? ": " : "",
                     errno ? strerror(errno) : "");
    bool unread = lost && rc == RS_EIO && output_is_unread(&why); // that is no failure
    if (rc != 0 && why.text[0] && !unread)
        fprintf(stderr, "ringside: %s\n", why.text);
    int status = unread            ? ENDED_BY_SIGNAL + SIGPIPE
                 : rc >= 0         ? rc
                 : rc == RS_EENDED ? ENDED_BY_SIGNAL + interrupt_signal()
                 : rc == RS_EINPUT ? ENDED_BAD_INPUT
                                   : ENDED_SYSTEM;
    cv_end_with(status, 0); // what there is to tell has been told
    return status;
}
