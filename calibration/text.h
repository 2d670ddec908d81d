// SPDX-License-Identifier: MIT
// text.h: words put one behind the other into a text of a fixed size, which begins as "". What has no room is cut.
#ifndef RINGSIDE_CALIBRATION_TEXT_H
#define RINGSIDE_CALIBRATION_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Behind what is there already.
__attribute__((format(printf, 3, 4))) static inline void text_add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

// What parts an item of a list from those that are there already: nothing where there are none.
static inline const char *text_comma(const char *text)
{
    return text[0] ? ", " : "";
}

#endif
