// SPDX-License-Identifier: MIT
// options.h: what a person wrote behind a command, checked against the table of all flags.
#ifndef RINGSIDE_REFEREE_COMMANDS_OPTIONS_H
#define RINGSIDE_REFEREE_COMMANDS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "calibration/fail.h"
#include "calibration/observation.h"
#include "referee/rules/format.h"

enum { CONTROLS_MAX = 16 };

// Pixels wished from a camera; 0: its best.
struct wished_size {
    int width, height;
};

// A word behind a flag that takes one of its choices or none, and has none: it may be meant for it. NULL: no such.
struct unchosen {
    const char *flag, *word, *choices;
};

// Texts are borrowed from argv; NULL where a flag was not given.
struct options {
    const char *game, *board, *lens, *out, *camera, *paper, *tune, *hint, *players, *format, *match, *book, *inputs,
        *record, *clips, *listen, *overlay_css, *voice, *voice_lines, *voice_name, *voice_out, *report;
    struct wished_size size;
    double from_s, to_s; // the part of a recording; 0 and INFINITY: all of it
    double for_s;        // how long a camera is watched; 0: until somebody ends it
    bool json, video, debug_video, quiet, no_voice, check, judge, no_book, resume, explain, coverage, no_web, csv, html,
        qr, open;
    int sides;
    struct seat side[SIDES]; // colour and name
    double rate;             // pictures a second wished from a camera; 0: its best
    double voice_rate;       // words a minute; 0: as usual
    int controls;
    const char *control[CONTROLS_MAX]; // "NAME=VALUE" for a camera, as given
    struct unchosen unchosen;
    int operands;
    char **operand;
};

// Flags may stand anywhere before "--"; `--flag value` and `--flag=value` are the same. `flags` names those that the
// command takes, up to NULL; one of several flags of the same name is named with its value, as the help shows it:
// "--out FILE". RS_EINPUT, with the nearest flag as a suggestion, for one it does not take, a bad value or a second
// one. argv is put in another order: the operands come to stand together.
int options_parse(struct options *out, const char *const *flags, int argc, char **argv, struct fail *why);

// Where there is an operand too many: RS_EINPUT when o->unchosen is no file either, and was meant for its flag; 0.
int options_refuse_unchosen(const struct options *o, struct fail *why);

// The flags with their help, one a line; those for experiments are left out.
void options_print(FILE *to, const char *const *flags);

enum { SUGGEST_WORD_MAX = 31 }; // letters; longer words are not compared

// "; did you mean NEAREST?" when one of `known`, which ends with NULL, is near enough, otherwise the list of all.
void suggest(char *out, size_t size, const char *word, const char *const *known);

#endif
