// SPDX-License-Identifier: MIT
#include "referee/announce/shell_word.h"

#include <stdio.h>
#include <string.h>

bool shell_word(char *out, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    const char *here = *word == '-' ? "./" : ""; // or it would be taken for a flag
    if (*word && word[strspn(word, plain)] == '\0')
        return (size_t)snprintf(out, size, "%s%s", here, word) < size;
    size_t used = (size_t)snprintf(out, size, "'%s", here);
    for (const char *c = word; *c && used < size; c++) // between quotes a quote ends them, and begins new ones
        used += (size_t)(*c == '\'' ? snprintf(out + used, size - used, "'\\''")
                                    : snprintf(out + used, size - used, "%c", *c));
    used += used < size ? (size_t)snprintf(out + used, size - used, "'") : 0;
    return used < size;
}
