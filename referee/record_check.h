// SPDX-License-Identifier: MIT
// record_check.h: is a record sound, and is every match judged as it was?
#ifndef RINGSIDE_REFEREE_RECORD_CHECK_H
#define RINGSIDE_REFEREE_RECORD_CHECK_H

#include <stdio.h>

#include "referee/record_read.h"

// The file, what belongs together in it, and whether every match comes out as it was kept when its observations are judged
// again. Each fault is a line into `to`, and counted.
int record_check(int *faults, FILE *to, struct record *r, struct fail *why);

#endif
