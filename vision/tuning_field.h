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
    const char *stage; // "board", "oblique", "disc" and so on: the key of its object in a file
    const struct tuning_field *field;
    size_t count;
};

// A stage's numbers stand in a .def file, a row TUNING(field, default, least, most) each; these make of a row the member of
// the stage's struct, its default, and its row in the stage's table.
#define TUNING_MEMBER(name, value, least, most) double name;
#define TUNING_DEFAULT(name, value, least, most) .name = value,
#define TUNING_ROW(type, name, value, least, most) TUNING_FIELD(type, name, least, most),

#define TUNING_FIELD(type, name, least, most)                                                                          \
    {                                                                                                                  \
#name, offsetof(type, name), least, most                                                                       \
    }

#endif
