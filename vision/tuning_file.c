// SPDX-License-Identifier: MIT
#include "vision/tuning_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "calibration/json_file.h"

void tuning_set_defaults(struct tuning_set *out)
{
    out->board = *tuning_defaults.board;
    out->disc = *tuning_defaults.disc;
    out->marble = *tuning_defaults.marble;
    out->appearance = *tuning_defaults.appearance;
    out->track = *tuning_defaults.track;
    out->oblique = *tuning_defaults.oblique;
    out->evidence = *tuning_defaults.evidence;
    out->all = (struct tuning){ .board = &out->board,
                                .disc = &out->disc,
                                .marble = &out->marble,
                                .appearance = &out->appearance,
                                .oblique = &out->oblique,
                                .evidence = &out->evidence,
                                .track = &out->track };
}

void tuning_stages(struct tuning_stage out[TUNING_STAGES], struct tuning_set *set)
{
    out[0] = (struct tuning_stage){ &board_tuning_fields, (double *)&set->board, sizeof set->board };
    out[1] = (struct tuning_stage){ &disc_tuning_fields, (double *)&set->disc, sizeof set->disc };
    out[2] = (struct tuning_stage){ &marble_tuning_fields, (double *)&set->marble, sizeof set->marble };
    out[3] = (struct tuning_stage){ &appearance_tuning_fields, (double *)&set->appearance, sizeof set->appearance };
    out[4] = (struct tuning_stage){ &oblique_tuning_fields, (double *)&set->oblique, sizeof set->oblique };
    out[5] = (struct tuning_stage){ &evidence_tuning_fields, (double *)&set->evidence, sizeof set->evidence };
    out[6] = (struct tuning_stage){ &track_tuning_fields, (double *)&set->track, sizeof set->track };
}

static int read_stage(const struct tuning_stage *s, const char *path, json_t *o, struct fail *why)
{
    const char *stage = s->fields->stage, *name;
    struct fail cause;
    if (!json_is_object(o))
        return rs_fail(why, RS_EINPUT, "%s: \"%s\" must be an object of fields and numbers", path, stage);
    json_t *value;
    json_object_foreach(o, name, value)
    {
        const struct tuning_field *f = s->fields->field; // the one that begins most like it
        size_t longest = 0;
        for (size_t i = 0; i < s->fields->count; i++) {
            const char *known = s->fields->field[i].name;
            size_t same = 0;
            while (name[same] && known[same] == name[same])
                same++;
            if (same > longest || name[same] == known[same]) {
                longest = name[same] == known[same] ? SIZE_MAX : same;
                f = &s->fields->field[i];
            }
        }
        if (strcmp(f->name, name) != 0)
            return rs_fail(why, RS_EINPUT, "%s: \"%s\" has no field \"%s\"; did you mean \"%s\"?", path, stage, name,
                           f->name);
        const struct json_field number = { f->name, JSON_LENGTH, f->offset, .low = f->least, .high = f->most };
        int rc = json_field_read(s->numbers, o, &number, &cause);
        if (rc < 0)
            return rs_fail(why, rc, "%s: \"%s\": %s", path, stage, cause.text);
    }
    return 0;
}

int tuning_read(struct tuning_set *out, const char *path, struct fail *why)
{
    struct tuning_stage stages[TUNING_STAGES];
    const char *name;
    json_t *o = NULL, *value;
    tuning_set_defaults(out);
    tuning_stages(stages, out);
    int rc = json_file_read(&o, path, why);
    if (rc < 0)
        return rc;
    json_object_foreach(o, name, value)
    {
        int i = 0;
        while (i < TUNING_STAGES && strcmp(name, stages[i].fields->stage) != 0)
            i++;
        if (i < TUNING_STAGES) {
            rc = read_stage(&stages[i], path, value, why);
        } else {
            char known[256] = "";
            for (int k = 0, n = 0; k < TUNING_STAGES; k++)
                n += snprintf(known + n, sizeof known - (size_t)n, "%s\"%s\"",
                              k == 0                  ? ""
                              : k < TUNING_STAGES - 1 ? ", "
                                                      : " and ",
                              stages[k].fields->stage);
            rc = rs_fail(why, RS_EINPUT, "%s: no stage is called \"%s\"; there are %s", path, name, known);
        }
        if (rc < 0)
            break;
    }
    json_decref(o);
    if (rc < 0)
        tuning_set_defaults(out);
    return rc;
}
