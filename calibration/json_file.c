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

int json_file_read(json_t **out, const char *path, struct fail *why)
{
    uint8_t *text;
    size_t length;
    json_error_t error;
    int rc = whole_file_read(&text, &length, path, JSON_FILE_MAX, why);
    if (rc < 0)
        return rc;
    json_t *o = json_loadb((const char *)text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if ((rc = json_memory_check(path, why)) < 0) {
        json_decref(o);
        return rc;
    }
    if (!o)
        return rs_fail(why, RS_EINPUT, "%s line %d: not JSON: %s", path, error.line, error.text);
    if (!json_is_object(o)) {
        json_decref(o);
        return rs_fail(why, RS_EINPUT, "%s: not a JSON object", path);
    }
    *out = o;
    return 0;
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
    int whole = is_within(value, f) ? (int)number : 0, rc = 0;
    if (!value)
        return f->optional ? 0 : rs_fail(why, RS_EINPUT, "\"%s\" is missing", f->name);
    switch (f->kind) {
    case JSON_LENGTH:
        if (!is_within(value, f))
            return rs_fail(why, RS_EINPUT, "\"%s\" must be a number from %g to %g", f->name, f->low, f->high);
        memcpy(to, &number, sizeof number);
        break;
    case JSON_LENGTHS:
        if (json_array_size(value) != f->count)
            return rs_fail(why, RS_EINPUT, "\"%s\" must be a list of %zu numbers", f->name, f->count);
        for (size_t i = 0; i < f->count; i++) {
            if (!is_within(json_array_get(value, i), f))
                return rs_fail(why, RS_EINPUT, "\"%s\": each must be a number from %g to %g", f->name, f->low, f->high);
            number = json_number_value(json_array_get(value, i));
            memcpy(to + i * sizeof number, &number, sizeof number);
        }
        break;
    case JSON_COUNT:
        if (!is_within(value, f) || whole != number)
            return rs_fail(why, RS_EINPUT, "\"%s\" must be a whole number from %g to %g", f->name, f->low, f->high);
        memcpy(to, &whole, sizeof whole);
        break;
    case JSON_YES_NO:
        if (!json_is_boolean(value))
            return rs_fail(why, RS_EINPUT, "\"%s\" must be true or false", f->name);
        memcpy(to, &yes, sizeof yes);
        break;
    case JSON_WORD:
        rc = read_word(&whole, json_string_value(value), f, why);
        if (rc == 0)
            memcpy(to, &whole, sizeof whole);
        break;
    case JSON_TEXT:
        if (!json_is_string(value) || json_string_length(value) >= f->count)
            return rs_fail(why, RS_EINPUT, "\"%s\" must be a text of less than %zu bytes", f->name, f->count);
        if (!foreign_is_plain(json_string_value(value)))
            return rs_fail(why, RS_EINPUT, "\"%s\" holds a control character, which no text here has", f->name);
        snprintf(to, f->count, "%s", json_string_value(value));
        break;
    }
    return rc;
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
