// SPDX-License-Identifier: MIT
// call.h: what the referee says: which rule, about which piece, by how much, firm or close.
//
// Plain values. The words are made here, once, so that a terminal, a record and a repeated judgement say the same.
#ifndef RINGSIDE_REFEREE_RULES_CALL_H
#define RINGSIDE_REFEREE_RULES_CALL_H

#include <stdarg.h>
#include <stdbool.h>

#include "calibration/observation.h"
#include "referee/rules/line.h"
#include "referee/rules/shot.h"

enum { CALL_TEXT_MAX = 240, CALLS_MAX = 128, RULE_NUMBER_MAX = 8 };

// A call as it was made; or, after a correction, one that does not stand any more, and one that stands instead.
enum call_change { CALL_MADE, CALL_WITHDRAWN, CALL_INSTEAD };

struct call {
    double t_s;                 // when the deciding thing came to rest or was said
    int shot;                   // number of the shot; 0 before the first
    char rule[RULE_NUMBER_MAX]; // "M38"; the rule books' numbers
    char what[OBS_WORD_MAX];    // one word for machines: "zone", "ditched", "out", "turn-over" ...
    char side[OBS_WORD_MAX];    // colour of the side it is about; empty when about none
    int piece;                  // id; 0 when about no piece
    struct zone zone;           // of that piece; ZONE_NONE when none
    bool measured;              // margin and sigma of its verdict say something
    bool firm;                  // false: close, put before the judge
    bool undecided;   // not firm for close calls of other shots, so that this one's confirmation does not make it so
    bool same_breath; // belongs to the sentence of the call before it
    enum call_change change;
    int input;                // number of the input that changed it; 0 for CALL_MADE
    char text[CALL_TEXT_MAX]; // "black  15  (0.13 in inside the line)"
};

struct call_list {
    int count;
    int lost; // calls beyond CALLS_MAX
    struct call call[CALLS_MAX + 1];
};

// Appends a firm call with these words. The result may be completed by the caller (side, piece, margin); it is never
// NULL. Calls beyond CALLS_MAX are counted and lost: end with call_tell_lost.
struct call *call_add(struct call_list *list, const char *rule, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
struct call *call_add_list(struct call_list *list, const char *rule, const char *what, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

// No call more will come: those that were lost are told by a last one, which is put before the judge.
void call_tell_lost(struct call_list *list, const char *rule);

// The call is about this piece: its id, its zone, and by how much. Of a piece that left there is no measure.
void call_measure(struct call *c, const struct outcome *o);

// Whether two calls say the same, about the same piece.
bool call_says_same(const struct call *a, const struct call *b);

// And by the same rule.
bool call_same(const struct call *a, const struct call *b);

// "0.13 in inside the line", "0.05 in over the line", "too close: judge decides, 0.01 in over it, give or take 0.02".
void call_margin_words(char *out, size_t size, const struct verdict *v, const char *inside, const char *outside);

// Minutes, seconds and tenths: "00:12.4".
void call_time_words(char *out, size_t size, double t_s);

#endif
