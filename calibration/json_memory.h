// SPDX-License-Identifier: MIT
// json_memory.h: whether jansson went short of memory.
//
// It does not say so: a list then lacks a value, an object a field, and a long number or text that is read is cut
// short. So it takes its memory through here, where a refusal is kept until it is asked for. That is kept for each
// thread; jansson offers no other place for it.
#ifndef RINGSIDE_CALIBRATION_JSON_MEMORY_H
#define RINGSIDE_CALIBRATION_JSON_MEMORY_H

#include <stddef.h>

#include <jansson.h>

#include "calibration/fail.h"

// Once, before anything is done with jansson; without it nothing is known.
void json_memory_watch(void);

// As json_dumps; the caller frees it with free(). NULL also when there was no memory for it.
char *json_memory_text(const json_t *o, size_t how);

// RS_ENOMEM, "no memory for WHAT", when jansson was refused memory in this thread since this was asked last: what was
// read or made meanwhile is not to be trusted, however it looks. Else 0.
int json_memory_check(const char *what, struct fail *why);

#endif
