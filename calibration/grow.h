// SPDX-License-Identifier: MIT
// grow.h: room for lists that nobody can say the length of beforehand.
#ifndef RINGSIDE_CALIBRATION_GROW_H
#define RINGSIDE_CALIBRATION_GROW_H

#include <stdbool.h>
#include <stddef.h>

// `list` is the address of the pointer to the items, `size` what one takes, 1 at least. Sees to room for `needed` of
// them: where *room is less, twice as much at least, as far as an int goes. False when there is no memory: the list
// is as it was, and still the caller's.
bool grow_list(void *list, int *room, int needed, size_t size);

#endif
