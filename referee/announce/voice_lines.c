// SPDX-License-Identifier: MIT
#include "referee/announce/voice_lines.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/text.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/announce/web_pages.h"

enum { LINES_MAX = 256, KEY_MAX = 32, FILE_BYTES_MAX = 1 << 18, WHOLE_NUMBER_MAX = 999 };

struct voice_lines {
    int count;
    struct voice_text {
        char key[KEY_MAX], text[VOICE_LINE_MAX];
    } line[LINES_MAX];
};

// Which slots the lines of a kind may use: what is known when they are said. The first that fits.
static const struct {
    const char *prefix, *slots; // each slot between blanks
} kinds[] = {
    { "number.tens", " tens ones " },
    { "number.hundreds", " hundreds rest " },
    { "zone.either", " one two " },
    { "zone.ditch", "" },
    { "zone.", " side piece points where " },
    { "hole.", " side piece points where " },
    { "ditch.", " side piece points where " },
    { "out.", " count " },
    { "score.", " leader most least points round " },
    { "round.", " leader most least points round " },
    { "game.", " leader most least points round " },
    { "next", " next " },
    { "owed.", " count piece " },
    { "back.", " count piece " },
    { "call.", " side other next round piece " },
    { "", "" },
};

static const char *slots_of(const char *key)
{
    size_t i = 0;
    while (strncmp(key, kinds[i].prefix, strlen(kinds[i].prefix)) != 0)
        i++;
    return kinds[i].slots;
}

static const struct voice_text *find(const struct voice_lines *lines, const char *key)
{
    for (int i = 0; lines && i < lines->count; i++)
        if (strcmp(lines->line[i].key, key) == 0)
            return &lines->line[i];
    return NULL;
}

// A brace that opens without a slot of this kind of line.
static const char *wrong_slot(const char *key, const char *text)
{
    const char *slots = slots_of(key);
    for (const char *at = text; (at = strpbrk(at, "{}")); at++) {
        size_t length = strcspn(at + 1, "{}");
        char word[KEY_MAX + 2];
        if (*at == '}' || at[1 + length] != '}' || length >= KEY_MAX)
            return at;
        snprintf(word, sizeof word, " %.*s ", (int)length, at + 1);
        if (!strstr(slots, word))
            return at;
        at += length + 1;
    }
    return NULL;
}

// `text` is one line without its end; it is cut up. `known` is what keys there are, NULL: any.
static int add_line(struct voice_lines *lines, char *text, const struct voice_lines *known, struct fail *why)
{
    char *key = text + strspn(text, " \t"), *sign = strchr(key, '=');
    if (key[0] == '\0' || key[0] == '#')
        return 0;
    if (!sign)
        return rs_fail(why, RS_EINPUT, "%.60s: write KEY = TEXT", key);
    char *value = sign + 1 + strspn(sign + 1, " \t"), *end = value + strlen(value);
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    while (sign > key && (sign[-1] == ' ' || sign[-1] == '\t'))
        sign--;
    *sign = '\0';
    if (strlen(key) >= KEY_MAX || (known && strncmp(key, "colour.", 7) != 0 && !find(known, key)))
        return rs_fail(why, RS_EINPUT, "%.60s: there is no line of that name", key);
    if (find(lines, key))
        return rs_fail(why, RS_EINPUT, "%s: it comes a second time", key);
    if (value[0] == '\0')
        return rs_fail(why, RS_EINPUT, "%s: a text is missing; - is for a line that is not spoken", key);
    if (strlen(value) >= VOICE_LINE_MAX)
        return rs_fail(why, RS_EINPUT, "%s: the text is longer than %d bytes", key, VOICE_LINE_MAX - 1);
    const char *wrong = wrong_slot(key, value);
    if (wrong)
        return rs_fail(why, RS_EINPUT, "%s: %.20s: that slot is none of this line; there are:%s", key, wrong,
                       slots_of(key)[0] ? slots_of(key) : " none");
    if (lines->count == LINES_MAX)
        return rs_fail(why, RS_EINPUT, "there is room for %d lines only", LINES_MAX);
    struct voice_text *line = &lines->line[lines->count++];
    snprintf(line->key, sizeof line->key, "%s", key);
    snprintf(line->text, sizeof line->text, "%s", strcmp(value, "-") == 0 ? "" : value);
    return 0;
}

static int check_whole(const struct voice_lines *lines, const struct voice_lines *known, struct fail *why)
{
    char missing[200] = "";
    int count = 0;
    for (int i = 0; i < known->count; i++) {
        if (find(lines, known->line[i].key) || strncmp(known->line[i].key, "colour.", 7) == 0)
            continue;
        if (count++ < 5)
            text_add(missing, sizeof missing, "%s %s", missing[0] ? "," : "", known->line[i].key);
    }
    if (count == 0)
        return 0;
    return rs_fail(why, RS_EINPUT, "%d line%s missing:%s%s", count, count == 1 ? " is" : "s are", missing,
                   count > 5 ? " ..." : "");
}

// `path` is told in front of what is wrong.
static int read_lines(struct voice_lines **out, const char *path, const void *bytes, size_t size,
                      const struct voice_lines *known, struct fail *why)
{
    struct voice_lines *lines = calloc(1, sizeof *lines);
    char *text = malloc(size + 1);
    struct fail cause = { .text = "" };
    int rc = lines && text ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the words of the voice"), number = 0;
    for (size_t at = 0; rc == 0 && at < size;) {
        const char *from = (const char *)bytes + at, *end = memchr(from, '\n', size - at);
        size_t length = end ? (size_t)(end - from) : size - at;
        at += length + 1;
        number++;
        length -= length > 0 && from[length - 1] == '\r';
        memcpy(text, from, length);
        text[length] = '\0';
        for (char *c = text; *c; c++)
            *c = *c == '\t' ? ' ' : *c;
        rc = strlen(text) == length && foreign_is_plain(text)
                 ? add_line(lines, text, known, &cause)
                 : rs_fail(&cause, RS_EINPUT, "it is not plain UTF-8 text");
        if (rc < 0)
            rs_fail(why, rc, "%.200s:%d: %s", path, number, cause.text);
    }
    if (rc == 0 && known && check_whole(lines, known, &cause) < 0)
        rc = rs_fail(why, RS_EINPUT, "%.200s: %s", path, cause.text);
    free(text);
    if (rc < 0)
        voice_lines_free(lines);
    else
        *out = lines;
    return rc;
}

static int read_built_in(struct voice_lines **out, const char *name, const struct voice_lines *known, struct fail *why)
{
    char file[KEY_MAX];
    snprintf(file, sizeof file, "%.8s.lines", name);
    for (const struct web_page *p = voice_line_files; p->name; p++)
        if (strcmp(p->name, file) == 0)
            return read_lines(out, name, p->bytes, p->size, known, why);
    return rs_fail(why, RS_EINTERNAL, "the words of %s are not in the program", name);
}

int voice_lines_read(struct voice_lines **out, const char *name, struct fail *why)
{
    struct voice_lines *english = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    int rc = read_built_in(&english, "en", NULL, why);
    if (rc == 0 && strcmp(name, "en") == 0) {
        *out = english;
        return 0;
    }
    if (rc == 0 && strcmp(name, "de") == 0) {
        rc = read_built_in(out, name, english, why);
    } else if (rc == 0) {
        rc = whole_file_read(&bytes, &size, name, FILE_BYTES_MAX, why);
        rc = rc < 0 ? rc : read_lines(out, name, bytes, size, english, why);
    }
    free(bytes);
    voice_lines_free(english);
    return rc;
}

void voice_lines_free(struct voice_lines *lines)
{
    free(lines);
}

const char *voice_line(const struct voice_lines *lines, const char *key)
{
    const struct voice_text *line = find(lines, key);
    return line ? line->text : "";
}

void voice_fill(char *out, size_t size, const char *text, const struct voice_slot *slots, size_t count)
{
    size_t used = 0;
    out[0] = '\0';
    while (*text && used + 1 < size) {
        size_t plain = strcspn(text, "{"), name = strcspn(text + plain, "}");
        used += (size_t)snprintf(out + used, size - used, "%.*s", (int)plain, text);
        text += plain;
        for (size_t i = 0; i < count && *text && used < size; i++)
            if (strlen(slots[i].name) == name - 1 && strncmp(slots[i].name, text + 1, name - 1) == 0)
                used += (size_t)snprintf(out + used, size - used, "%s", slots[i].text);
        text += *text ? name + 1 : 0;
    }
}

void voice_number(char *out, size_t size, const struct voice_lines *lines, int number)
{
    char key[KEY_MAX], one[VOICE_LINE_MAX], ten[VOICE_LINE_MAX];
    snprintf(key, sizeof key, "number.%d", number);
    const struct voice_text *word = find(lines, key);
    if (word || number < 0 || number > WHOLE_NUMBER_MAX) {
        snprintf(out, size, "%s", word ? word->text : key + strlen("number."));
        return;
    }
    bool tens = number < 100;
    int first = tens ? number % 10 : number / 100, second = tens ? number - number % 10 : number % 100;
    const char *joined = first == 1 ? "number.joined-one" : key;
    snprintf(key, sizeof key, "number.%d", first);
    snprintf(one, sizeof one, "%s", voice_line(lines, joined));
    if (tens) {
        snprintf(key, sizeof key, "number.%d", second);
        snprintf(ten, sizeof ten, "%s", voice_line(lines, key));
    } else {
        voice_number(ten, sizeof ten, lines, second);
    }
    const struct voice_slot slots[] = { { tens ? "ones" : "hundreds", one }, { tens ? "tens" : "rest", ten } };
    voice_fill(out, size,
               voice_line(lines, tens          ? "number.tens"
                                 : second == 0 ? "number.hundreds"
                                               : "number.hundreds-and"),
               slots, countof(slots));
}

void voice_name(char *out, size_t size, const struct voice_lines *lines, const char *name)
{
    size_t used = 0;
    bool spelled = false; // the digits that come
    out[0] = '\0';
    while (*name && used + 1 < size) {
        const unsigned char c = (unsigned char)*name;
        if (isdigit(c)) {
            char words[VOICE_LINE_MAX];
            size_t digits = strspn(name, "0123456789"), take = spelled || digits > 3 ? 1 : digits;
            int number = 0;
            for (size_t i = 0; i < take; i++)
                number = 10 * number + (name[i] - '0');
            voice_number(words, sizeof words, lines, number);
            name += take;
            spelled = take < digits; // long ones digit by digit
            used += (size_t)snprintf(out + used, size - used, "%s%s%s", used && out[used - 1] != ' ' ? " " : "", words,
                                     *name ? " " : "");
            continue;
        }
        bool letter = isalpha(c) || c >= 0x80 || ((c == '-' || c == '\'') && used > 0);
        if (letter || (used > 0 && out[used - 1] != ' '))
            out[used++] = letter ? (char)c : ' ';
        out[used] = '\0';
        name++;
    }
    used = used < size ? used : size - 1;
    while (used > 0 && strchr(" -'", out[used - 1]))
        out[--used] = '\0';
}
