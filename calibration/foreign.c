// SPDX-License-Identifier: MIT
#include "calibration/foreign.h"

#include <stdarg.h>

enum { LINE_BYTES_MAX = 16384 }; // three names of files as long as they can be

int foreign_character(unsigned *out, const char *text)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 }; // of so many bytes: shorter forms are forged
    unsigned first = (unsigned char)text[0];
    int length = first < 0x80 ? 1 : first >= 0xf8 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    unsigned c = length == 1 ? first : first & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (text[i] & 0x3f);
    }
    if (length == 0 || c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *out = c;
    return length;
}

// How many bytes the plain character at `text` has; 0 when it is none.
static int plain_length(const char *text)
{
    unsigned c = 0;
    int length = foreign_character(&c, text);
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return control ? 0 : length;
}

bool foreign_is_plain(const char *text)
{
    int length = 1;
    for (; *text && length > 0; text += length)
        length = plain_length(text);
    return length > 0;
}

void foreign_make_plain(char *text)
{
    while (*text) {
        int length = plain_length(text);
        if (length == 0)
            *text = '?';
        text += length == 0 ? 1 : length;
    }
}

int foreign_tell(FILE *to, const char *format, ...)
{
    char line[LINE_BYTES_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    foreign_make_plain(line);
    return fprintf(to, "%s\n", line);
}
