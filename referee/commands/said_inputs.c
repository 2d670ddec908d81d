// SPDX-License-Identifier: MIT
#include "referee/commands/said_inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/grow.h"
#include "calibration/whole_file.h"
#include "referee/log.h"
#include "referee/log_line.h"
#include "referee/rules/input.h"
#include "referee/rules/match.h"

int said_word_check(const struct observation *said, struct fail *why)
{
    const char *known[INPUT_KINDS + 1] = { NULL };
    char help[600];
    int rc = match_check_stands_alone(said, why);
    if (rc < 0 || said->input.what != INPUT_OTHER)
        return rc;
    for (int k = 0, n = 0; k < INPUT_KINDS; k++)
        if (input_kind_word((enum input_kind)k))
            known[n++] = input_kind_word((enum input_kind)k);
    suggest(help, sizeof help, said->input.other, known);
    return rs_fail(why, RS_EINPUT, "unknown word %.32s%.440s", said->input.other, help);
}

// Of what was heard once the time that it is dated with is that of what had been seen by then, and comes before it.
static double heard_s(const struct observation *said)
{
    return fmax(said->t_s, said->input.heard_s);
}

static int add(struct said_inputs *list, const struct observation *o, struct fail *why)
{
    if (!grow_list(&list->item, &list->room, list->count + 1, sizeof *list->item))
        return rs_fail(why, RS_ENOMEM, "no memory for %d inputs", list->count + 1);
    list->item[list->count++] = *o;
    return 0;
}

static int read_line(struct observation *out, const char *text, double after_s, struct fail *why)
{
    json_t *line;
    int rc = log_object_read(&line, text, why);
    if (rc < 0)
        return rc;
    rc = log_line_read(out, line, why);
    if (rc == 0 && out->kind == OBS_INPUT)
        rc = log_line_check_said(line, why);
    json_decref(line);
    if (rc == 0 && out->kind != OBS_INPUT)
        rc = rs_fail(why, RS_EINPUT, "\"kind\" must be input: what is seen comes from the film");
    if (rc == 0)
        rc = said_word_check(out, why);
    if (rc == 0 && !(heard_s(out) >= after_s))
        rc = rs_fail(why, RS_EINPUT, "\"t_s\": earlier than the line before");
    return rc;
}

// What was said while a log was written, maybe by a ringside that knows other words: it is judged as that log is.
static int read_log(struct said_inputs *out, const char *path, struct fail *why)
{
    struct log_reader *log;
    struct observation o;
    int rc = log_reader_open(&log, path, why);
    while (rc >= 0 && (rc = log_read(log, &o, why)) > 0)
        if (o.kind == OBS_INPUT)
            rc = add(out, &o, why);
    log_reader_free(log);
    return rc;
}

static bool is_log(const char *text)
{
    struct fail mute; // told again where the line is read as what it is
    json_t *line;
    bool is = log_object_read(&line, text, &mute) == 0 && json_object_get(line, "ringside");
    json_decref(line);
    return is;
}

int said_inputs_read(struct said_inputs *out, const char *path, struct fail *why)
{
    *out = (struct said_inputs){ .path = path };
    FILE *f;
    char text[LOG_LINE_MAX];
    bool log = false;
    double after_s = -INFINITY;
    struct observation o;
    struct fail cause;
    bool ended = true;
    int rc = whole_file_open(&f, path, why);
    for (long n = 1; rc == 0 && ended; n++) {
        int got = log_text_read(text, &ended, f, &cause);
        log = n == 1 && got > 0 && is_log(text);
        if (log)
            break;
        bool said = got > 0 && text[strspn(text, " \t\r")] != '\0';
        rc = got < 0 ? got : said ? read_line(&o, text, after_s, &cause) : 0;
        if (rc < 0)
            rs_fail(why, rc, "%s line %ld: %s", path, n, cause.text);
        else if (said && (rc = add(out, &o, why)) == 0)
            after_s = heard_s(&o);
    }
    if (f)
        fclose(f);
    out->of_log = log;
    if (log)
        rc = read_log(out, path, why);
    if (rc < 0)
        said_inputs_finish(out);
    return rc;
}

// What names nothing would be a correction that corrects nothing: whoever wrote it hears so. A log is judged as it was.
static int give_one(const struct said_inputs *list, const struct observation *said, struct fail *why)
{
    struct playback *p = list->playback;
    struct fail cause;
    char time[16];
    int rc = p->begun && !list->of_log ? adjudication_check_word(&p->adjudication, said, &cause) : 0;
    if (rc == 0)
        return playback_input(p, said, why);
    if (rc != RS_EINPUT) {
        *why = cause;
        return rc;
    }
    call_time_words(time, sizeof time, heard_s(said));
    progress_clear(&p->progress);
    foreign_tell(stderr, "ringside: %s: what was said at %s is left out: %s", list->path, time, cause.text);
    return 0;
}

static int give(struct said_inputs *list, double until_s, struct fail *why)
{
    int rc = 0;
    while (rc == 0 && list->next < list->count && heard_s(&list->item[list->next]) <= until_s)
        rc = give_one(list, &list->item[list->next++], why);
    return rc;
}

static int take(void *self, struct frame *f, const struct playback *p, struct fail *why)
{
    struct said_inputs *list = self;
    return p->begun ? give(list, f->t_s, why) : 0;
}

struct frame_consumer said_inputs_consumer(struct said_inputs *list, struct playback *to)
{
    list->playback = to;
    return (struct frame_consumer){ take, list };
}

int said_inputs_give_rest(struct said_inputs *list, double length_s, struct fail *why)
{
    char said[16], length[16];
    call_time_words(length, sizeof length, length_s);
    for (int i = list->next; i < list->count && list->playback->begun; i++) {
        if (heard_s(&list->item[i]) <= length_s)
            continue;
        call_time_words(said, sizeof said, heard_s(&list->item[i]));
        foreign_tell(stderr, "ringside: note: %s: what was said at %s is heard at the end: the film is %s long",
                     list->path, said, length);
    }
    return give(list, INFINITY, why);
}

void said_inputs_finish(struct said_inputs *list)
{
    free(list->item);
    *list = (struct said_inputs){ .count = 0 };
}
