// SPDX-License-Identifier: MIT
#include "calibration/json_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/json_memory.h"
#include "calibration/whole_file.h"

int json_text_read(json_t **out, const char *text, size_t length, int *line, struct fail *why)
{
    json_error_t error;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (line)
        *line = *out || error.line < 1 ? 1 : error.line;
    if (json_memory_check("a text in JSON", why) < 0) {
        json_decref(*out);
        *out = NULL;
        return RS_ENOMEM;
    }
    if (*out)
        return 0;
    bool beyond = json_error_code(&error) == json_error_numeric_overflow;
    return rs_fail(why, RS_EINPUT, "%s: %s", beyond ? "a number is beyond all that can be" : "not JSON", error.text);
}

int json_file_read(json_t **out, const char *path, struct fail *why)
{
    uint8_t *text;
    size_t length;
    struct fail cause;
    json_t *o;
    int line, rc = whole_file_read(&text, &length, path, JSON_FILE_MAX, why);
    if (rc < 0)
        return rc;
    rc = json_text_read(&o, (const char *)text, length, &line, &cause);
    free(text);
    if (rc < 0)
        return rs_fail(why, rc, "%s line %d: %s", path, line, cause.text);
    if (!json_is_object(o)) {
        json_decref(o);
        return rs_fail(why, RS_EINPUT, "%s: not a JSON object", path);
    }
    *out = o;
    return 0;
}

int json_version_check(const json_t *o, const char *name, int version, struct fail *why)
{
    const json_t *is = json_object_get(o, name);
    return json_is_integer(is) && json_integer_value(is) == version
               ? 0
               : rs_fail(why, RS_EINPUT, "\"%s\" must be %d", name, version);
}

int json_file_write(const char *path, const json_t *o, struct fail *why)
{
    char *text = json_memory_text(o, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    int rc = json_memory_check(path, why);
    if (rc == 0 && !text)
        rc = rs_fail(why, RS_ENOMEM, "no memory for %s", path);
    if (rc == 0) {
        size_t length = strlen(text);
        text[length] = '\n'; // in the place of the zero
        rc = whole_file_write(path, text, length + 1, why);
    }
    free(text);
    return rc;
}

static int read_word(int *out, const char *word, const struct json_field *f, struct fail *why)
{
    char known[128] = "";
    for (int i = 0; f->words[i]; i++) {
        if (word && strcmp(word, f->words[i]) == 0) {
            *out = i;
            return 0;
        }
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s\"%s\"",
                 i == 0            ? ""
                 : f->words[i + 1] ? ", "
                                   : " or ",
                 f->words[i]);
    }
    return rs_fail(why, RS_EINPUT, "\"%s\": \"%.40s\" is not known; it must be %s", f->name, word ? word : "", known);
}

enum { SHOWN_MAX = 48 }; // bytes of a value that is refused

// What stands there, as far as it is short enough to be quoted.
static void show(char out[SHOWN_MAX], const json_t *value)
{
    char *text = json_memory_text(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
    int length = snprintf(out, SHOWN_MAX, "%s", text ? text : "?");
    if (length >= SHOWN_MAX) { // not within a letter
        size_t n = SHOWN_MAX - sizeof "...";
        while (n > 0 && ((unsigned char)out[n] & 0xc0) == 0x80)
            n--;
        memcpy(out + n, "...", sizeof "...");
    }
    free(text);
}

static int refuse(const json_t *value, const struct json_field *f, const char *each, struct fail *why)
{
    char shown[SHOWN_MAX];
    const char *unit = f->unit ? f->unit : "", *blank = f->unit ? " " : "";
    show(shown, value);
    switch (f->kind) {
    case JSON_LENGTH:
    case JSON_LENGTHS:
        return rs_fail(why, RS_EINPUT, "\"%s\" is %s; %s must be a number from %g to %g%s%s", f->name, shown, each,
                       f->low, f->high, blank, unit);
    case JSON_COUNT:
        return rs_fail(why, RS_EINPUT, "\"%s\" is %s; it must be a whole number from %.0f to %.0f", f->name, shown,
                       f->low, f->high);
    case JSON_YES_NO:
        return rs_fail(why, RS_EINPUT, "\"%s\" is %s; it must be true or false", f->name, shown);
    case JSON_WORD:
    case JSON_TEXT:
        break;
    }
    return rs_fail(why, RS_EINPUT, "\"%s\" is %s; it must be a text of less than %zu bytes", f->name, shown, f->count);
}

static bool is_within(const json_t *value, const struct json_field *f)
{
    double number = json_number_value(value);
    return json_is_number(value) && isfinite(number) && number >= f->low && number <= f->high;
}

int json_field_read(void *out, const json_t *o, const struct json_field *f, struct fail *why)
{
    const json_t *value = json_object_get(o, f->name);
    char *to = (char *)out + f->offset;
    double number = json_number_value(value);
    bool yes = json_is_true(value);
    int whole = is_within(value, f) && f->kind == JSON_COUNT ? (int)number : 0, rc = 0;
    if (!value)
        return f->optional ? 0 : rs_fail(why, RS_EINPUT, "\"%s\" is missing", f->name);
    switch (f->kind) {
    case JSON_LENGTH:
        if (!is_within(value, f))
            return refuse(value, f, "it", why);
        memcpy(to, &number, sizeof number);
        break;
    case JSON_LENGTHS:
        if (json_array_size(value) != f->count)
            return rs_fail(why, RS_EINPUT, "\"%s\" must be a list of %zu numbers", f->name, f->count);
        for (size_t i = 0; i < f->count; i++) {
            if (!is_within(json_array_get(value, i), f))
                return refuse(value, f, "each", why);
            number = json_number_value(json_array_get(value, i));
            memcpy(to + i * sizeof number, &number, sizeof number);
        }
        break;
    case JSON_COUNT:
        if (!is_within(value, f) || whole != number)
            return refuse(value, f, "it", why);
        memcpy(to, &whole, sizeof whole);
        break;
    case JSON_YES_NO:
        if (!json_is_boolean(value))
            return refuse(value, f, "it", why);
        memcpy(to, &yes, sizeof yes);
        break;
    case JSON_WORD:
        rc = read_word(&whole, json_string_value(value), f, why);
        if (rc == 0)
            memcpy(to, &whole, sizeof whole);
        break;
    case JSON_TEXT:
        if (!json_is_string(value) || json_string_length(value) >= f->count)
            return refuse(value, f, "it", why);
        if (!foreign_is_plain(json_string_value(value)))
            return rs_fail(why, RS_EINPUT, "\"%s\" holds a control character, which no text here has", f->name);
        snprintf(to, f->count, "%s", json_string_value(value));
        break;
    }
    return rc;
}

void json_field_clamp(void *in, const struct json_field *f)
{
    size_t numbers = f->kind == JSON_LENGTHS ? f->count : f->kind == JSON_LENGTH;
    char *at = (char *)in + f->offset;
    for (size_t i = 0; i < numbers; i++) {
        double number;
        memcpy(&number, at + i * sizeof number, sizeof number);
        if (number < f->low || number > f->high) {
            number = number < f->low ? f->low : f->high;
            memcpy(at + i * sizeof number, &number, sizeof number);
        }
    }
}

int json_fields_read(void *out, const json_t *o, const struct json_field *fields, size_t count, struct fail *why)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = json_field_read(out, o, &fields[i], why);
    return rc;
}

int json_field_write(json_t *o, const void *in, const struct json_field *f)
{
    const char *from = (const char *)in + f->offset;
    json_t *value = f->kind == JSON_LENGTHS ? json_array() : NULL;
    double number;
    int whole, failed = 0;
    switch (f->kind) {
    case JSON_LENGTH:
        memcpy(&number, from, sizeof number);
        value = json_real(number);
        break;
    case JSON_LENGTHS:
        for (size_t i = 0; i < f->count; i++) {
            memcpy(&number, from + i * sizeof number, sizeof number);
            failed |= json_array_append_new(value, json_real(number));
        }
        break;
    case JSON_YES_NO:
        value = json_boolean(*(const bool *)from);
        break;
    case JSON_COUNT:
    case JSON_WORD:
        memcpy(&whole, from, sizeof whole);
        value = f->kind == JSON_COUNT ? json_integer(whole) : json_string(f->words[whole]);
        break;
    case JSON_TEXT:
        value = json_string(from);
        break;
    }
    return json_object_set_new(o, f->name, value) < 0 || failed ? -1 : 0;
}

int json_fields_write(json_t *o, const void *in, const struct json_field *fields, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_field_write(o, in, &fields[i]);
    return failed ? -1 : 0;
}
