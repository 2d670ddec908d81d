// SPDX-License-Identifier: MIT
#include "vision/tuning_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "calibration/json_file.h"

static int read_stage(struct tuning *out, const struct tuning_stage *s, const char *path, json_t *o, struct fail *why)
{
    const char *name;
    struct fail cause;
    if (!json_is_object(o))
        return rs_fail(why, RS_EINPUT, "%s: \"%s\" must be an object of fields and numbers", path, s->name);
    json_t *value;
    json_object_foreach(o, name, value)
    {
        const struct tuning_field *f = s->field; // the one that begins most like it
        size_t longest = 0;
        for (size_t i = 0; i < s->count; i++) {
            const char *known = s->field[i].name;
            size_t same = 0;
            while (name[same] && known[same] == name[same])
                same++;
            if (same > longest || name[same] == known[same]) {
                longest = name[same] == known[same] ? SIZE_MAX : same;
                f = &s->field[i];
            }
        }
        if (strcmp(f->name, name) != 0)
            return rs_fail(why, RS_EINPUT, "%s: \"%s\" has no field \"%s\"; did you mean \"%s\"?", path, s->name, name,
                           f->name);
        const size_t offset = s->offset + (size_t)(f - s->field) * sizeof(double);
        const struct json_field number = { f->name, JSON_LENGTH, offset, .low = f->least, .high = f->most };
        int rc = json_field_read(out, o, &number, &cause);
        if (rc < 0)
            return rs_fail(why, rc, "%s: \"%s\": %s", path, s->name, cause.text);
    }
    return 0;
}

int tuning_read(struct tuning *out, const char *path, struct fail *why)
{
    const char *name;
    json_t *o = NULL, *value;
    *out = tuning_defaults;
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    json_object_foreach(o, name, value)
    {
        int i = 0;
        while (i < TUNING_STAGES && strcmp(name, tuning_stages[i].name) != 0)
            i++;
        if (i < TUNING_STAGES) {
            rc = read_stage(out, &tuning_stages[i], path, value, why);
        } else {
            char known[256] = "";
            for (int k = 0, n = 0; k < TUNING_STAGES; k++)
                n += snprintf(known + n, sizeof known - (size_t)n, "%s\"%s\"",
                              k == 0                  ? ""
                              : k < TUNING_STAGES - 1 ? ", "
                                                      : " and ",
                              tuning_stages[k].name);
            rc = rs_fail(why, RS_EINPUT, "%s: no stage is called \"%s\"; there are %s", path, name, known);
        }
        if (rc < 0)
            break;
    }
    json_decref(o);
    if (rc < 0)
        *out = tuning_defaults;
    return rc;
}
