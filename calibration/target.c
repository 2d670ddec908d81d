// SPDX-License-Identifier: MIT
#include "calibration/target.h"

#include <string.h>

#include "calibration/units.h"

static const struct target_paper papers[] = { { "letter", 8.5, 11 }, { "a4", 210 / 25.4, 297 / 25.4 } };

int target_paper_named(const struct target_paper **out, const char *name, struct fail *why)
{
    for (size_t i = 0; i < countof(papers); i++)
        if (strcmp(papers[i].name, name) == 0) {
            *out = &papers[i];
            return 0;
        }
    return rs_fail(why, RS_EINPUT, "--size %.40s: the target is made for %s and %s", name, papers[0].name,
                   papers[1].name);
}
