// SPDX-License-Identifier: MIT
#include "referee/commands/camera_recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibration/board_file.h"
#include "calibration/foreign.h"
#include "calibration/json_file.h"
#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/announce/shell_word.h"
#include "referee/commands/device.h"
#include "referee/match_setup.h"

#define MATCH_KEPT "match.json"

enum { NAMES_MOST = 1000, KEPT_BYTES_MAX = 1 << 20, AGAIN_BYTES_MAX = 16000 }; // nearly a line of foreign_tell

// What is kept beside the pictures, to judge them by.
static const char *const kept_beside[] = { "board.json", MATCH_KEPT, "lens.json", "hint.json" };

// *made: `folder` when it was not there before.
static int make_folder(const char **made, const char *folder, struct fail *why)
{
    struct stat st;
    bool there = !folder || stat(folder, &st) == 0;
    int rc = setup_folder(folder, why);
    *made = rc == 0 && !there ? folder : NULL;
    return rc;
}

int camera_recording_name(struct camera_recording *c, struct options *o, const char *stem, struct fail *why)
{
    *c = (struct camera_recording){ .clips = { .live = true, .quiet = o->quiet } };
    int rc = make_folder(&c->made_for_clips, o->clips, why);
    if (rc == 0 && o->clips)
        rc = setup_output(c->clips.stem, stem, o->clips, "", why);
    if (rc == 0)
        rc = make_folder(&c->made_for_record, o->record, why);
    if (rc < 0 || !o->record)
        return rc;
    // Two that begin in one second, or a clock that was set back.
    int made = -1;
    for (int n = 1; made < 0 && n < NAMES_MOST; n++) {
        char number[16] = "";
        if (n > 1)
            snprintf(number, sizeof number, "-%d", n);
        if (snprintf(c->folder, sizeof c->folder, "%s/%s%s", o->record, stem, number) >= (int)sizeof c->folder) {
            c->folder[0] = '\0';
            return rs_fail(why, RS_EINPUT, "--record %.80s...: the name is too long", o->record);
        }
        made = mkdir(c->folder, 0777);
        if (made < 0 && errno != EEXIST)
            break;
    }
    if (made < 0) {
        rc = rs_fail(why, RS_EIO, "cannot make the folder %.300s: %s", c->folder, strerror(errno));
        c->folder[0] = '\0';
        return rc;
    }
    if (!o->out)
        o->out = c->folder;
    return 0;
}

static int copy_beside(const struct camera_recording *c, const char *name, const char *from, struct fail *why)
{
    char to[SETUP_PATH_MAX + 32];
    uint8_t *bytes = NULL;
    size_t size;
    snprintf(to, sizeof to, "%s/%s", c->folder, name);
    int rc = whole_file_read(&bytes, &size, from, KEPT_BYTES_MAX, why);
    if (rc == 0)
        rc = whole_file_write(to, bytes, size, why);
    free(bytes);
    return rc;
}

// What was found and judged by.
static int put_setup(const struct camera_recording *c, const struct options *o, const struct setup *s,
                     const struct source_info *camera, struct fail *why)
{
    char path[SETUP_PATH_MAX + 32], from[SAVED_PATH_MAX];
    snprintf(path, sizeof path, "%s/board.json", c->folder);
    int rc = board_file_write(path, &s->board, why);
    snprintf(path, sizeof path, "%s/" MATCH_KEPT, c->folder);
    json_t *match = match_setup_to_json(&s->match);
    if (rc == 0)
        rc = match ? json_file_write(path, match, why) : rs_fail(why, RS_ENOMEM, "no memory for %s", path);
    json_decref(match);
    if (rc == 0 && s->lens_is_saved)
        rc = saved_path(from, camera, SAVED_LENS, why);
    if (rc == 0 && s->has_lens)
        rc = copy_beside(c, "lens.json", s->lens_is_saved ? from : o->lens, why);
    snprintf(path, sizeof path, "%s/hint.json", c->folder);
    if (rc == 0 && o->hint)
        return board_hint_file_write(path, o->hint, why);
    if (rc == 0 && s->hint_is_saved)
        rc = saved_path(from, camera, SAVED_HINT, why);
    return rc == 0 && s->hint_is_saved ? copy_beside(c, "hint.json", from, why) : rc;
}

int camera_recording_begin(struct camera_recording *c, const struct options *o, const struct setup *s,
                           const struct source *source, const struct playback *p, struct fail *why)
{
    const char *folder = c->folder[0] ? c->folder : NULL;
    bool makes_clips = c->clips.stem[0] != '\0';
    const struct recorder_wish wish = { folder, makes_clips, &recorder_limits_usual, &recorder_disk_usual };
    if (!folder && !makes_clips)
        return 0;
    if (!device_is_camera(o) || !source_keeps_bytes(source))
        return rs_fail(why, RS_EINPUT,
                       "%s: its pictures are made from one another (H.264 and the like), and --record and --clips keep "
                       "single ones as they came: set the camera to MJPEG, or leave the flag out",
                       source_info(source)->name);
    c->clips.playback = p;
    int rc = folder ? put_setup(c, o, s, source_info(source), why) : 0;
    if (rc == 0)
        rc = recorder_create(&c->recorder, &wish, why);
    c->clips.recorder = c->recorder;
    if (rc == 0 && makes_clips)
        rc = call_clips_begin(&c->clips, why);
    if (rc < 0 || c->clips.quiet || !folder)
        return rc;
    int64_t left = recorder_disk_usual.free_bytes(folder);
    if (left >= 0)
        foreign_tell(stderr, "ringside: recording into %s, where %s are free", folder, bytes_words((double)left).text);
    else
        foreign_tell(stderr, "ringside: recording into %s", folder);
    return 0;
}

static void tap(void *self, const struct frame *f)
{
    struct camera_recording *c = self;
    struct fail mute; // a camera's pictures come with their bytes
    recorder_take(c->recorder, f);
    if (c->clips.maker)
        clip_maker_show(c->clips.maker, f, &mute);
}

struct frame_tap camera_recording_tap(struct camera_recording *c)
{
    return c->recorder ? (struct frame_tap){ tap, c } : (struct frame_tap){ NULL, NULL };
}

bool camera_recording_news(struct camera_recording *c, struct fail *said)
{
    bool any = false;
    while (!any && ((c->recorder && recorder_news(c->recorder, said)) ||
                    (c->clips.maker && clip_maker_news(c->clips.maker, said))))
        any = !c->clips.quiet || said->code < 0;
    return any;
}

// The command that makes the calls again; false when it is too long to be told.
static bool again_words(char out[AGAIN_BYTES_MAX], const struct camera_recording *c)
{
    const struct playback *p = c->clips.playback;
    char path[SETUP_PATH_MAX + 32], match[AGAIN_BYTES_MAX], folder[AGAIN_BYTES_MAX], log[AGAIN_BYTES_MAX] = "";
    bool said = p->begun && p->adjudication.match.inputs > 0 && p->log_path;
    snprintf(path, sizeof path, "%s/" MATCH_KEPT, c->folder);
    if (!shell_word(match, sizeof match, path) || !shell_word(folder, sizeof folder, c->folder) ||
        (said && !shell_word(log, sizeof log, p->log_path)))
        return false;
    return snprintf(out, AGAIN_BYTES_MAX, "ringside review --game %s --match %s%s%s %s", p->setup->game->name, match,
                    said ? " --inputs " : "", log, folder) < AGAIN_BYTES_MAX;
}

// Where no picture came there is nothing to judge again.
static void remove_unused(const struct camera_recording *c)
{
    char path[SETUP_PATH_MAX + 32];
    for (size_t i = 0; i < countof(kept_beside); i++) {
        snprintf(path, sizeof path, "%s/%s", c->folder, kept_beside[i]);
        unlink(path);
    }
    rmdir(c->folder); // one in which anything else was written stays
}

void camera_recording_end(struct camera_recording *c)
{
    struct recorded_sum sum = { .pictures = 0 };
    struct fail none; // what failed is told
    call_clips_end(&c->clips, &none);
    if (c->recorder)
        recorder_finish(&sum, c->recorder);
    struct fail words;
    while (camera_recording_news(c, &words))
        foreign_tell(stderr, "ringside: %s", words.text);
    if (sum.missed > 0)
        foreign_tell(stderr, "ringside: note: %ld picture%s not recorded", sum.missed,
                     sum.missed > 1 ? "s were" : " was");
    if (sum.pictures > 0 && !c->clips.quiet) {
        char again[AGAIN_BYTES_MAX];
        bool told = again_words(again, c);
        foreign_tell(stderr, "ringside: recorded %ld picture%s, %s; the calls again: %s%s", sum.pictures,
                     sum.pictures == 1 ? "" : "s", bytes_words((double)sum.bytes).text,
                     told ? again : "ringside review with what is in ", told ? "" : c->folder);
    }
    if (sum.pictures == 0 && sum.missed == 0 && c->folder[0]) // of pictures that were missed there may be a log
        remove_unused(c);
    if (c->made_for_record)
        rmdir(c->made_for_record);
    if (c->made_for_clips && !c->recorder) // of a watch there may be no clip, but the folder for them
        rmdir(c->made_for_clips);
    recorder_free(c->recorder);
    c->recorder = NULL;
}
