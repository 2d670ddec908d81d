// SPDX-License-Identifier: MIT
#include "calibration/fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "calibration/foreign.h"

int rs_fail(struct fail *why, int code, const char *format, ...)
{
    if (!why)
        return code;
    why->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    foreign_make_plain(why->text);
    return code;
}
