// SPDX-License-Identifier: MIT
// floor.h: a ring on a carpet with the printed target lying beside its line, for shown.h.
#ifndef RINGSIDE_TESTS_VISION_BOARD_FLOOR_H
#define RINGSIDE_TESTS_VISION_BOARD_FLOOR_H

#include "tests/vision/board/shown.h"

struct floor_with_target {
    bool has_target;
    struct pt_in at; // its middle
    double turn_rad;
};

static inline double floor_code(const void *what, struct pt_in at)
{
    static const struct chequers sheet = { 7, 9, 35, 215, 140, false };
    const struct floor_with_target *f = what;
    double x = at.x - f->at.x, y = at.y - f->at.y, c = cos(f->turn_rad), s = sin(f->turn_rad), r = hypot(at.x, at.y);
    const struct pt_in on_sheet = { c * x + s * y, c * y - s * x };
    if (f->has_target && fabs(on_sheet.x) < 4.25 && fabs(on_sheet.y) < 5.5)
        return chequers_code(&sheet, on_sheet);
    return r > 42 && r < 42.5 ? 60 : 140 + 12 * sin(3 * at.x) * sin(2.7 * at.y);
}

#endif
