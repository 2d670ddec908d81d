// SPDX-License-Identifier: MIT
// script.h: the words of a situation of play: where they stand, the numbers and places among them, and what is
// complained of.
#ifndef RINGSIDE_TESTS_REFEREE_SCRIPT_H
#define RINGSIDE_TESTS_REFEREE_SCRIPT_H

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "tests/cmocka.h"
#include "tests/referee/play.h"
#include "tests/referee/shown.h"

enum { LINE_MAX_BYTES = 400, WORDS_MAX = 40, HEARD_MAX = 512, PIECES_MAX = 1000 };

struct heard {
    int count;
    char word[HEARD_MAX][OBS_WORD_MAX + 4];
    char text[HEARD_MAX][CALL_TEXT_MAX];
};

static struct script {
    const char *path;
    int line;
    char situation[LINE_MAX_BYTES], name[NAME_MAX];
    const struct game *game;
    struct match_setup setup;
    double sigma_in;
    bool begun; // the match of this situation
    struct play play;
    struct heard heard;
    bool lies[PIECES_MAX]; // seen and not taken away
    struct pt_in at[PIECES_MAX];
    int words;
    char *word[WORDS_MAX];
    char *rest[WORDS_MAX]; // of the line, from that word on
} script;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void complain(const char *format, ...)
{
    char words[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    fail_msg("%s:%d: %s: %s", script.path, script.line, script.situation, words);
    abort(); // fail_msg does not come back
}

static const char *word(int i)
{
    if (i >= script.words)
        complain("a word is missing behind \"%s\"", script.word[script.words - 1]);
    return script.word[i];
}

static int number(int i)
{
    char *end;
    long n = strtol(word(i), &end, 10);
    if (*end || end == script.word[i])
        complain("\"%s\" is no number", word(i));
    return (int)n;
}

static int piece(int i)
{
    int id = number(i);
    if (id < 1 || id >= PIECES_MAX)
        complain("pieces are 1 to 999");
    return id;
}

static struct pt_in place(const char *words, enum piece_place *plane)
{
    double a, b;
    *plane = ON_SURFACE;
    if (strcmp(words, "hole") == 0) {
        *plane = IN_HOLE;
        return (struct pt_in){ 0, 0 };
    }
    if (strcmp(words, "ditch") == 0) {
        *plane = IN_DITCH;
        return (struct pt_in){ 13.6, 0 };
    }
    if (strcmp(words, "off") == 0) {
        *plane = OFF_BOARD;
        return (struct pt_in){ 0, 0 };
    }
    if (sscanf(words, "%lf@%lf", &a, &b) == 2) {
        double x_in = a * cos(b * 3.14159265358979323846 / 180), y_in = a * sin(b * 3.14159265358979323846 / 180);
        return (struct pt_in){ x_in, y_in };
    }
    if (sscanf(words, "%lf,%lf", &a, &b) != 2)
        complain("\"%s\" is no place", words);
    return (struct pt_in){ a, b };
}

// "radius=0.3" among the words from `i` on; `usual` when there is none.
static double option(const char *name, int i, double usual)
{
    size_t length = strlen(name);
    for (; i < script.words; i++)
        if (strncmp(script.word[i], name, length) == 0 && script.word[i][length] == '=')
            return strtod(script.word[i] + length + 1, NULL);
    return usual;
}

#endif
