// SPDX-License-Identifier: MIT
// hardship.h: what makes a picture hard to read, in steps from easy to hopeless.
#ifndef RINGSIDE_TESTS_ACCURACY_HARDSHIP_H
#define RINGSIDE_TESTS_ACCURACY_HARDSHIP_H

#include <stddef.h>

enum hardship_kind { HARD_BLUR, HARD_NOISE, HARD_JPEG, HARD_EXPOSURE, HARD_SIZE, HARD_TILT, HARD_HIDDEN, HARDSHIPS };

enum { HARDSHIP_STEPS = 7, HARDSHIP_PICTURES = 4, HARDSHIP_NAME_MAX = 80 };

struct hardship {
    const char *name;  // of the files
    const char *words; // what the steps count
    int steps;
    double step[HARDSHIP_STEPS];
};

extern const struct hardship hardships[HARDSHIPS];

// The recipes of samples/scene that go through them: two of Crokinole, two of marbles.
extern const char *const hardship_pictures[HARDSHIP_PICTURES];

// "blur_2_crokinole_01", without an ending.
void hardship_name(char out[HARDSHIP_NAME_MAX], enum hardship_kind kind, int step, int picture);

#endif
