// SPDX-License-Identifier: MIT
// call.h: what the referee says: which rule, about which piece, by how much, firm or close.
//
// Plain values. The words are made here, once, so that a terminal, a record and a repeated judgement say the same.
#ifndef RINGSIDE_REFEREE_RULES_CALL_H
#define RINGSIDE_REFEREE_RULES_CALL_H

#include <stdbool.h>

#include "calibration/observation.h"
#include "referee/rules/line.h"

enum { CALL_TEXT_MAX = 240, CALLS_MAX = 128, RULE_NUMBER_MAX = 8 };

struct call {
    double t_s;                 // when the deciding thing came to rest or was said
    int shot;                   // number of the shot; 0 before the first
    char rule[RULE_NUMBER_MAX]; // "M38"; the rule books' numbers
    char what[OBS_WORD_MAX];    // one word for machines: "zone", "ditched", "out", "turn-over" ...
    char side[OBS_WORD_MAX];    // colour of the side it is about; empty when about none
    int piece;                  // id; 0 when about no piece
    char zone[ZONE_NAME_MAX];   // of that piece; empty when none
    bool measured;              // margin_in and sigma_in say something
    double margin_in, sigma_in;
    bool firm;                // false: close, put before the judge
    bool same_breath;         // belongs to the sentence of the call before it
    char text[CALL_TEXT_MAX]; // "black  15  (0.13 in inside the line)"
};

struct call_list {
    int count;
    struct call call[CALLS_MAX];
};

// Appends a firm call with these words; more than CALLS_MAX are not kept. The result may be completed by the caller
// (side, piece, margin); it is never NULL.
struct call *call_add(struct call_list *list, const char *rule, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Enters zone and measure of a piece into the call. `measured` is false for a piece that left.
void call_measure(struct call *c, const struct zone *z, bool measured);

// "0.13 in inside the line", "0.05 in over the line", "too close to be firm: 0.01 in, sigma 0.02".
void call_margin_words(char *out, size_t size, const struct verdict *v, const char *inside, const char *outside);

// Minutes, seconds and tenths: "00:12.4".
void call_time_words(char *out, size_t size, double t_s);

#endif
