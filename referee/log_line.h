// SPDX-License-Identifier: MIT
// log_line.h: one observation <-> one JSON object of the log (log.h), field by field.
#ifndef RINGSIDE_REFEREE_LOG_LINE_H
#define RINGSIDE_REFEREE_LOG_LINE_H

#include <jansson.h>

#include "calibration/camera.h"
#include "calibration/fail.h"
#include "calibration/observation.h"
#include "referee/rules/placed.h"

enum {
    LOG_ID_MAX = PUT_ON_IDS - 1, // pieces that are seen are 1 .. this
    LOG_NUMBER_MAX = 1000000,    // what people say is about shots, inputs and pieces, also those put on, of 1 .. this
};

// Brings what was measured into the ranges that a log has, before it is judged and written: a sigma, a residual or a
// place that is infinite or absurd becomes the largest there is, and a covariance one. What is no number at all stays:
// no line has it.
void log_line_clamp(struct observation *o);

// The caller frees *out with json_decref. RS_EINPUT with the reason when a number is not finite or log_line_read would
// refuse it: nothing is kept that cannot be read again.
int log_line_make(json_t **out, const struct observation *o, struct fail *why);

// As it stands in a log, every bit of its numbers; frees `line`, for which NULL is fine. The caller frees it with free;
// NULL when there is no memory or was no line.
char *log_line_text(json_t *line);

// What an observation is and what happened to the camera, as logs and machines read it.
const char *log_kind_word(enum observation_kind kind);
const char *log_camera_word(enum camera_event what);

// RS_EINPUT naming the field that is missing, of the wrong type or out of range, with what it is and may be.
int log_line_read(struct observation *out, const json_t *line, struct fail *why);

// What a person says anew, as a line: RS_EINPUT for a field that no input has, which would be lost. Logs are not
// asked: a later ringside may have written them, with fields of its own.
int log_line_check_said(const json_t *line, struct fail *why);

// The camera of a log's header, for the record.
json_t *log_line_camera(const struct camera *c);
int log_line_read_camera(struct camera *out, const json_t *camera, struct fail *why);

#endif
