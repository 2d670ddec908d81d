// SPDX-License-Identifier: MIT
// camera_controls.h: exposure, gain, white balance, focus and whatever else a camera lets one set.
//
// A control goes by v4l2-ctl's name for it (exposure_time_absolute). What is changed is remembered: as it was before,
// to be put back at the end, and as it is wanted, to be set again in a camera that was unplugged. One thread at a time.
#ifndef RINGSIDE_VISION_SOURCE_CAMERA_CONTROLS_H
#define RINGSIDE_VISION_SOURCE_CAMERA_CONTROLS_H

#include <stddef.h>
#include <stdint.h>

#include "calibration/fail.h"
#include "vision/source/camera_system.h"

struct camera_control {
    uint32_t id, type, flags; // V4L2's
    char name[33];
    int32_t least, most, step, preset;
    int32_t value; // as it is now; `preset` for one that cannot be read
};

struct camera_controls {
    struct camera_control *control;
    int count, room;
    struct camera_change {
        uint32_t id;
        int32_t before, wanted;
    } * change; // in the order in which they were made: an automatic is off before its value is set
    int changes, changes_room;
};

// All controls of an open camera that are numbers, with their values; what was changed is kept. Again: reads anew.
// RS_ENOMEM. To be finished in any case.
int camera_controls_read(struct camera_controls *c, struct camera_handle camera, struct fail *why);
void camera_controls_finish(struct camera_controls *c);

// "NAME=VALUE". An automatic that would have the last word over it is switched off first. RS_EINPUT: there is no such
// control, with those that are called alike, or the value is out of range; RS_EIO: the camera refuses.
int camera_controls_set(struct camera_controls *c, struct camera_handle camera, const char *setting, struct fail *why);

// Pictures come at the agreed rate though they be darker: exposure may not take its time. Where the camera knows that.
void camera_controls_keep_rate(struct camera_controls *c, struct camera_handle camera);

// Automatic exposure, gain, white balance and focus are switched off, each with the value that it has now. *said: which
// ("exposure and focus"), empty when there is none.
void camera_controls_lock(struct camera_controls *c, struct camera_handle camera, char *said, size_t size);

// After a new plugging in: everything that was changed as it is wanted. Before closing: as it was. A camera that
// refuses is let be.
void camera_controls_set_again(const struct camera_controls *c, struct camera_handle camera);
void camera_controls_put_back(struct camera_controls *c, struct camera_handle camera);

// What the controls as they were read do to a game: a shutter too slow for it; lamps that flicker. Words for a person,
// up to two sentences; empty when there is nothing to say.
void camera_controls_advise(const struct camera_controls *c, char *said, size_t size);

// "3 (Aperture Priority Mode)", "15.6 ms", "128": the value in words.
void camera_control_words(char *out, size_t size, const struct camera_control *control, struct camera_handle camera);
// "1 (Manual Mode), 3 (...)", "0 or 1", "3 to 2047", "0 to 255 in steps of 5": what may be set.
void camera_control_range(char *out, size_t size, const struct camera_control *control, struct camera_handle camera);

#endif
