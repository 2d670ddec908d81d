// SPDX-License-Identifier: MIT
// log_line.h: one observation <-> one JSON object of the log (log.h), field by field.
#ifndef RINGSIDE_REFEREE_LOG_LINE_H
#define RINGSIDE_REFEREE_LOG_LINE_H

#include <stddef.h>

#include <jansson.h>

#include "calibration/camera.h"
#include "calibration/fail.h"
#include "calibration/observation.h"

// A new object the caller frees with json_decref; NULL when a number is not finite or a text is not UTF-8.
json_t *log_line_json(const struct observation *o);

// As it stands in a log, every bit of its numbers; frees `line`, for which NULL is fine. The caller frees it with free; NULL
// when there is no memory or was no line.
char *log_line_text(json_t *line);

// What an observation is and what happened to the camera, as logs and machines read it.
const char *log_kind_word(enum observation_kind kind);
const char *log_camera_word(enum camera_event what);

// RS_EINPUT naming the field that is missing, of the wrong type or out of range.
int log_line_read(struct observation *out, const json_t *line, struct fail *why);

// The camera of a log's header, for the record.
json_t *log_line_camera(const struct camera *c);
int log_line_read_camera(struct camera *out, const json_t *camera, struct fail *why);

#endif
