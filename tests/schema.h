// SPDX-License-Identifier: MIT
// schema.h: does a JSON value keep to a JSON Schema? The part of draft 2020-12 that samples/schema is written in;
// another keyword there fails, so that nothing is passed over. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_SCHEMA_H
#define RINGSIDE_TESTS_SCHEMA_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

enum { SCHEMA_WORDS_MAX = 400 };

// Where it does not keep to it, and how; empty while it does.
struct schema_fault {
    char words[SCHEMA_WORDS_MAX];
};

static inline bool schema_fault(struct schema_fault *f, const char *at, const char *what, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    snprintf(f->words, sizeof f->words, "%.120s: %.80s: %.150s", at, what, text ? text : "?");
    free(text);
    return false;
}

static inline bool schema_is_type(const json_t *v, const char *type)
{
    return (strcmp(type, "object") == 0 && json_is_object(v)) || (strcmp(type, "array") == 0 && json_is_array(v)) ||
           (strcmp(type, "string") == 0 && json_is_string(v)) || (strcmp(type, "null") == 0 && json_is_null(v)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(v)) || (strcmp(type, "number") == 0 && json_is_number(v)) ||
           (strcmp(type, "integer") == 0 &&
            (json_is_integer(v) || (json_is_real(v) && fmod(json_real_value(v), 1) == 0)));
}

static bool schema_keeps(struct schema_fault *f, const json_t *root, const json_t *schema, const json_t *v,
                         const char *at);

static inline bool schema_members(struct schema_fault *f, const json_t *root, const json_t *rule, const json_t *v,
                                  const char *at)
{
    const char *key;
    json_t *member;
    char below[200];
    json_object_foreach((json_t *)rule, key, member)
    {
        const json_t *value = json_object_get(v, key);
        snprintf(below, sizeof below, "%.150s.%.40s", at, key);
        if (value && !schema_keeps(f, root, member, value, below))
            return false;
    }
    return true;
}

static inline bool schema_items(struct schema_fault *f, const json_t *root, const json_t *rule, const json_t *v,
                                const char *at)
{
    char below[200];
    for (size_t i = 0; i < json_array_size(v); i++) {
        snprintf(below, sizeof below, "%.150s[%zu]", at, i);
        if (!schema_keeps(f, root, rule, json_array_get(v, i), below))
            return false;
    }
    return true;
}

// How many of the rules it keeps to, or how many values of the list it is.
static inline int schema_count(struct schema_fault *f, const json_t *root, const json_t *list, const json_t *v,
                               const char *at, bool values)
{
    int n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        n += values ? json_equal(one, v) : schema_keeps(f, root, one, v, at);
    }
    return n;
}

// "#/$defs/NAME" of this schema, or of another file beside it: "event.json#/$defs/NAME".
static inline bool schema_refers(struct schema_fault *f, const json_t *root, const char *to, const json_t *v,
                                 const char *at)
{
    static const char within[] = "#/$defs/";
    const char *name = strstr(to, within);
    char path[200];
    snprintf(path, sizeof path, "samples/schema/%.*s", name ? (int)(name - to) : 0, to);
    json_t *other = name && name > to ? json_load_file(path, 0, NULL) : NULL;
    const json_t *its = other ? other : root;
    const json_t *named = name ? json_object_get(json_object_get(its, "$defs"), name + strlen(within)) : NULL;
    bool keeps = named ? schema_keeps(f, its, named, v, at) : schema_fault(f, at, "no such $ref", v);
    json_decref(other);
    return keeps;
}

static inline bool schema_keyword(struct schema_fault *f, const json_t *root, const char *key, const json_t *rule,
                                  const json_t *v, const char *at)
{
    const char *text = json_string_value(rule);
    if (strcmp(key, "$ref") == 0)
        return schema_refers(f, root, text, v, at);
    if (strcmp(key, "allOf") == 0)
        return schema_count(f, root, rule, v, at, false) == (int)json_array_size(rule);
    if (strcmp(key, "type") == 0) {
        bool is = text && schema_is_type(v, text);
        for (size_t i = 0; i < json_array_size(rule); i++)
            is |= schema_is_type(v, json_string_value(json_array_get(rule, i)));
        return is || schema_fault(f, at, "is of another type", v);
    }
    if (strcmp(key, "properties") == 0)
        return !json_is_object(v) || schema_members(f, root, rule, v, at);
    if (strcmp(key, "items") == 0)
        return !json_is_array(v) || schema_items(f, root, rule, v, at);
    if (strcmp(key, "required") == 0) {
        for (size_t i = 0; json_is_object(v) && i < json_array_size(rule); i++)
            if (!json_object_get(v, json_string_value(json_array_get(rule, i))))
                return schema_fault(f, at, json_string_value(json_array_get(rule, i)), v);
        return true;
    }
    if (strcmp(key, "const") == 0)
        return json_equal(rule, v) || schema_fault(f, at, "is not the one value", v);
    if (strcmp(key, "enum") == 0)
        return schema_count(f, root, rule, v, at, true) == 1 || schema_fault(f, at, "is none of the values", v);
    if (strcmp(key, "oneOf") == 0) {
        struct schema_fault last = { "" };
        return schema_count(&last, root, rule, v, at, false) == 1 || schema_fault(f, at, last.words, v);
    }
    if (strcmp(key, "minimum") == 0)
        return !json_is_number(v) || json_number_value(v) >= json_number_value(rule) ||
               schema_fault(f, at, "is less than it may be", v);
    if (strcmp(key, "minItems") == 0)
        return json_array_size(v) >= (size_t)json_integer_value(rule) || schema_fault(f, at, "has too few", v);
    if (strcmp(key, "maxItems") == 0)
        return json_array_size(v) <= (size_t)json_integer_value(rule) || schema_fault(f, at, "has too many", v);
    return key[0] == '$' || strcmp(key, "title") == 0 || strcmp(key, "description") == 0 ||
           schema_fault(f, at, "a keyword that is not known here", rule);
}

static bool schema_keeps(struct schema_fault *f, const json_t *root, const json_t *schema, const json_t *v,
                         const char *at)
{
    const char *key;
    json_t *rule;
    json_object_foreach((json_t *)schema, key, rule)
    {
        if (!schema_keyword(f, root, key, rule, v, at))
            return false;
    }
    return true;
}

// It must keep to that one of the file's $defs.
static inline void schema_assert_def(const char *path, const char *def, const json_t *v)
{
    struct schema_fault fault = { "" };
    json_error_t error;
    json_t *form = json_load_file(path, 0, &error);
    const json_t *its = json_object_get(json_object_get(form, "$defs"), def);
    if (!its)
        fail_msg("%s has no %s: %s", path, def, form ? "" : error.text);
    if (!schema_keeps(&fault, form, its, v, def))
        fail_msg("%s", fault.words);
    json_decref(form);
}

#endif
