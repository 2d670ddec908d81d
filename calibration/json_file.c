// SPDX-License-Identifier: MIT
#include "calibration/json_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole text, ended by a zero; NULL with the reason in *why. The caller frees it.
static char *read_text(size_t *length, const char *path, struct fail *why)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        rs_fail(why, RS_EIO, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = malloc(JSON_FILE_MAX + 1);
    if (!text)
        abort();
    *length = fread(text, 1, JSON_FILE_MAX + 1, file);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (!failed && *length <= JSON_FILE_MAX)
        return text;
    free(text);
    if (failed)
        rs_fail(why, RS_EIO, "cannot read %s: %s", path, strerror(failed));
    else
        rs_fail(why, RS_EINPUT, "%s is larger than %d bytes", path, JSON_FILE_MAX);
    return NULL;
}

int json_file_read(json_t **out, const char *path, struct fail *why)
{
    struct fail cause = { .code = 0 };
    size_t length = 0;
    char *text = read_text(&length, path, &cause);
    if (!text)
        return rs_fail(why, cause.code, "%s", cause.text);
    json_error_t error;
    json_t *o = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
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
    char beside[4096];
    if ((size_t)snprintf(beside, sizeof beside, "%s.new", path) >= sizeof beside)
        return rs_fail(why, RS_EIO, "cannot write: the path is too long");
    FILE *file = fopen(beside, "w");
    if (!file)
        return rs_fail(why, RS_EIO, "cannot write %s: %s", beside, strerror(errno));
    bool ok = json_dumpf(o, file, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0 && fputc('\n', file) != EOF;
    ok = fclose(file) == 0 && ok && rename(beside, path) == 0;
    if (!ok) {
        int failed = errno;
        remove(beside);
        return rs_fail(why, RS_EIO, "cannot write %s: %s", path, strerror(failed));
    }
    return 0;
}
