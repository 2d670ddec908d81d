// SPDX-License-Identifier: MIT
// tuning_field.h: the table by which a stage's tuning can be read from a file.
#ifndef RINGSIDE_VISION_TUNING_FIELD_H
#define RINGSIDE_VISION_TUNING_FIELD_H

#include <stddef.h>

#include "calibration/units.h"

struct tuning_field {
    const char *name;
    size_t offset;      // of a double within the stage's struct
    double least, most; // what may be set; the default lies between
};

struct tuning_fields {
    const char *stage; // "board", "disc", "marble", "appearance", "track": the key of its object in a file
    const struct tuning_field *field;
    size_t count;
};

#define TUNING_FIELD(type, name, least, most)                                                                          \
    {                                                                                                                  \
#name, offsetof(type, name), least, most                                                                       \
    }

#endif
