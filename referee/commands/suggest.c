// SPDX-License-Identifier: MIT
#include "referee/commands/suggest.h"

#include <stdio.h>
#include <string.h>

// More slips of the finger than these make another word.
enum { SLIPS_MAX = 3 };

static int least(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// Levenshtein's distance: letters to put in, take out or change.
static int slips(const char *a, const char *b)
{
    int row[SUGGEST_WORD_MAX + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > SUGGEST_WORD_MAX || lb > SUGGEST_WORD_MAX)
        return SLIPS_MAX + 1;
    for (size_t j = 0; j <= lb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int before = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int changed = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, changed);
        }
    }
    return row[lb];
}

void suggest(char *out, size_t size, const char *word, const char *const *known)
{
    const char *nearest = NULL;
    int fewest = SLIPS_MAX + 1;
    for (const char *const *k = known; *k; k++) {
        int n = strncmp(*k, word, strlen(word)) == 0 && word[0] ? 0 : slips(word, *k);
        if (n < fewest && n < (int)strlen(*k)) {
            fewest = n;
            nearest = *k;
        }
    }
    if (nearest) {
        snprintf(out, size, "; did you mean %s?", nearest);
        return;
    }
    size_t used = (size_t)snprintf(out, size, "; known:");
    for (const char *const *k = known; *k && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, " %s", *k);
}
