// SPDX-License-Identifier: MIT
#include "vision/source/camera_controls.h"

#include <ctype.h>
#include <errno.h>
#include <linux/videodev2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/grow.h"
#include "calibration/text.h"
#include "calibration/units.h"

// Who decides for itself, by which value it is overruled, and how it is switched off.
static const struct automatic {
    uint32_t id;
    int32_t off;
    uint32_t value;
    const char *words;
} automatics[] = {
    { V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL, V4L2_CID_EXPOSURE_ABSOLUTE, "exposure" },
    { V4L2_CID_AUTOGAIN, 0, V4L2_CID_GAIN, "gain" },
    { V4L2_CID_AUTO_WHITE_BALANCE, 0, V4L2_CID_WHITE_BALANCE_TEMPERATURE, "white balance" },
    { V4L2_CID_FOCUS_AUTO, 0, V4L2_CID_FOCUS_ABSOLUTE, "focus" },
};

// What a shutter does to a game.
static const struct shutter {
    double unit_s;       // of exposure_time_absolute, says V4L2
    double disc_in_s;    // a disc that was shot well: 3 m/s
    double most_blur_in; // a Crokinole disc's width: beyond it nothing is left of its shape. Leaves room for 10 ms,
                         // which lamps in Europe ask for
    double pulse_s[2];   // lamps on mains of 50 and 60 Hz shine twice a period
} shutter = { 1e-4, 3 / 0.0254, 1.25, { 0.01, 1 / 120.0 } };

static struct camera_control *with_id(const struct camera_controls *c, uint32_t id)
{
    for (int i = 0; i < c->count; i++)
        if (c->control[i].id == id)
            return &c->control[i];
    return NULL;
}

static bool is_menu(const struct camera_control *k)
{
    return k->type == V4L2_CTRL_TYPE_MENU || k->type == V4L2_CTRL_TYPE_INTEGER_MENU;
}

// As v4l2-ctl writes "Exposure Time, Absolute": exposure_time_absolute.
static void name_control(char out[33], const char words[32])
{
    size_t n = 0;
    for (size_t i = 0; i < 32 && words[i]; i++) {
        unsigned char letter = (unsigned char)words[i];
        if (letter < 0x80 && isalnum(letter))
            out[n++] = (char)tolower(letter);
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    }
    while (n > 0 && out[n - 1] == '_')
        n--;
    out[n] = '\0';
}

static bool in_int32(int64_t x)
{
    return x >= INT32_MIN && x <= INT32_MAX;
}

int camera_controls_read(struct camera_controls *c, struct camera_handle camera, struct fail *why)
{
    enum { CONTROLS_MAX = 512 }; // a driver that goes on after that never ends
    struct v4l2_query_ext_ctrl row = { .id = V4L2_CTRL_FLAG_NEXT_CTRL };
    c->count = 0;
    for (int i = 0; i < CONTROLS_MAX && camera_ioctl(camera, VIDIOC_QUERY_EXT_CTRL, &row) == 0;
         i++, row.id |= V4L2_CTRL_FLAG_NEXT_CTRL) {
        bool number = row.type == V4L2_CTRL_TYPE_INTEGER || row.type == V4L2_CTRL_TYPE_BOOLEAN ||
                      row.type == V4L2_CTRL_TYPE_MENU || row.type == V4L2_CTRL_TYPE_INTEGER_MENU;
        if (!number || row.nr_of_dims > 0 || row.flags & V4L2_CTRL_FLAG_DISABLED || !in_int32(row.minimum) ||
            !in_int32(row.maximum) || row.minimum > row.maximum || !in_int32(row.default_value))
            continue;
        if (!grow_list(&c->control, &c->room, c->count + 1, sizeof *c->control))
            return rs_fail(why, RS_ENOMEM, "no memory for a camera's controls");
        struct camera_control k = { .id = row.id,
                                    .type = row.type,
                                    .flags = row.flags,
                                    .least = (int32_t)row.minimum,
                                    .most = (int32_t)row.maximum,
                                    .step = row.step > 0 && row.step < INT32_MAX ? (int32_t)row.step : 1,
                                    .preset = (int32_t)row.default_value };
        struct v4l2_control now = { .id = row.id };
        name_control(k.name, row.name);
        k.value = camera_ioctl(camera, VIDIOC_G_CTRL, &now) == 0 ? now.value : k.preset;
        c->control[c->count++] = k;
    }
    return 0;
}

void camera_controls_finish(struct camera_controls *c)
{
    free(c->control);
    free(c->change);
    *c = (struct camera_controls){ .count = 0 };
}

static int put(struct camera_handle camera, uint32_t id, int32_t value)
{
    struct v4l2_control set = { .id = id, .value = value };
    return camera_ioctl(camera, VIDIOC_S_CTRL, &set);
}

// Sets, and remembers what there was: as the control was read.
static int change(struct camera_controls *c, struct camera_handle camera, struct camera_control *k, int32_t value)
{
    int at = 0;
    while (at < c->changes && c->change[at].id != k->id)
        at++;
    if (!grow_list(&c->change, &c->changes_room, at + 1, sizeof *c->change))
        return -1; // what could not be put back is not set; errno says why
    if (put(camera, k->id, value) != 0)
        return -1;
    if (at == c->changes)
        c->change[c->changes++] = (struct camera_change){ .id = k->id, .before = k->value };
    c->change[at].wanted = value;
    k->value = value;
    return 0;
}

// The automatic off and the value as it is given; false when the camera has no such automatic, it is off, or it
// refuses, and when somebody has asked for it by name.
static bool overrule(struct camera_controls *c, struct camera_handle camera, const struct automatic *a)
{
    struct camera_control *k = with_id(c, a->id), *value = with_id(c, a->value);
    bool exposure = a->id == V4L2_CID_EXPOSURE_AUTO;
    for (int i = 0; i < c->changes; i++)
        if (c->change[i].id == a->id)
            return false;
    if (!k || k->value == a->off || (exposure && k->value == V4L2_EXPOSURE_SHUTTER_PRIORITY))
        return false;
    // Some cameras know no manual exposure, but one where the shutter is.
    if (change(c, camera, k, a->off) != 0 && !(exposure && change(c, camera, k, V4L2_EXPOSURE_SHUTTER_PRIORITY) == 0))
        return false;
    if (value)
        change(c, camera, value, value->value);
    return true;
}

void camera_controls_lock(struct camera_controls *c, struct camera_handle camera, char *said, size_t size)
{
    const char *locked[countof(automatics)];
    size_t count = 0;
    for (size_t i = 0; i < countof(automatics); i++)
        if (overrule(c, camera, &automatics[i]))
            locked[count++] = automatics[i].words;
    said[0] = '\0';
    for (size_t i = 0; i < count; i++)
        text_add(said, size, "%s%s", i > 0 && i + 1 == count ? " and " : text_comma(said), locked[i]);
}

void camera_controls_keep_rate(struct camera_controls *c, struct camera_handle camera)
{
    struct camera_control *k = with_id(c, V4L2_CID_EXPOSURE_AUTO_PRIORITY);
    if (k && k->value != 0)
        change(c, camera, k, 0);
}

void camera_controls_set_again(const struct camera_controls *c, struct camera_handle camera)
{
    for (int i = 0; i < c->changes; i++)
        put(camera, c->change[i].id, c->change[i].wanted);
}

void camera_controls_put_back(struct camera_controls *c, struct camera_handle camera)
{
    for (int i = c->changes - 1; i >= 0; i--)
        put(camera, c->change[i].id, c->change[i].before);
    c->changes = 0;
}

// A word of one begins as a word of the other: exposure is near auto_exposure, brightnes near brightness.
static bool is_near(const char *name, const char *wanted)
{
    enum { ALIKE = 4 };
    for (const char *a = name; a; a = strchr(a, '_') ? strchr(a, '_') + 1 : NULL)
        for (const char *b = wanted; b; b = strchr(b, '_') ? strchr(b, '_') + 1 : NULL)
            if (strncmp(a, b, ALIKE) == 0)
                return true;
    return false;
}

static int no_such_control(const struct camera_controls *c, const char *name, struct fail *why)
{
    char near[300] = "", all[300] = "";
    for (int i = 0; i < c->count; i++) {
        const char *other = c->control[i].name;
        if (is_near(other, name))
            text_add(near, sizeof near, "%s%s", text_comma(near), other);
        text_add(all, sizeof all, "%s%s", text_comma(all), other);
    }
    return rs_fail(why, RS_EINPUT, "--control %.40s: the camera has no such control%s%s", name,
                   near[0]  ? "; called alike: "
                   : all[0] ? "; it has: "
                            : ", nor any other",
                   near[0] ? near : all);
}

int camera_controls_set(struct camera_controls *c, struct camera_handle camera, const char *setting, struct fail *why)
{
    const char *sign = strchr(setting, '=');
    char name[sizeof c->control->name], range[300], *end = NULL;
    long value = sign ? strtol(sign + 1, &end, 10) : 0;
    struct camera_control *k = NULL;
    if (!sign || end == sign + 1 || *end)
        return rs_fail(why, RS_EINPUT, "--control %.80s: write it as exposure_time_absolute=80", setting);
    snprintf(name, sizeof name, "%.*s", (int)(sign - setting), setting);
    for (int i = 0; i < c->count && !k; i++)
        if (strcmp(c->control[i].name, name) == 0)
            k = &c->control[i];
    if (!k)
        return no_such_control(c, name, why);
    camera_control_range(range, sizeof range, k, camera);
    if (k->flags & V4L2_CTRL_FLAG_READ_ONLY)
        return rs_fail(why, RS_EINPUT, "--control %s: the camera lets it be read only", setting);
    if (value < k->least || value > k->most)
        return rs_fail(why, RS_EINPUT, "--control %s: %s takes %s", setting, name, range);
    for (size_t i = 0; i < countof(automatics); i++)
        if (automatics[i].value == k->id)
            overrule(c, camera, &automatics[i]);
    if (change(c, camera, k, (int32_t)value) == 0)
        return 0;
    if (errno == EINVAL || errno == ERANGE)
        return rs_fail(why, RS_EINPUT, "--control %s: %s takes %s", setting, name, range);
    return rs_fail(why, RS_EIO, "--control %s: the camera refuses: %s", setting, strerror(errno));
}

void camera_controls_advise(const struct camera_controls *c, char *said, size_t size)
{
    const struct camera_control *exposure = with_id(c, V4L2_CID_EXPOSURE_ABSOLUTE),
                                *mains = with_id(c, V4L2_CID_POWER_LINE_FREQUENCY);
    said[0] = '\0';
    if (!exposure)
        return;
    double open_s = exposure->value * shutter.unit_s, blur_in = open_s * shutter.disc_in_s;
    bool even = false;
    for (size_t i = 0; i < countof(shutter.pulse_s); i++) {
        double pulses = round(open_s / shutter.pulse_s[i]);
        even |= pulses > 0 && fabs(open_s - pulses * shutter.pulse_s[i]) <= shutter.unit_s;
    }
    if (blur_in > shutter.most_blur_in)
        text_add(said, size,
                 "the shutter is open for %.1f ms, in which a disc of 3 m/s is blurred over %.1f in: more light, or "
                 "--control %s=%d",
                 1e3 * open_s, blur_in, exposure->name, (int)lround(shutter.pulse_s[0] / shutter.unit_s));
    if (!even && mains && mains->value == V4L2_CID_POWER_LINE_FREQUENCY_DISABLED)
        text_add(
            said, size,
            "%sthe shutter is open for %.1f ms, which is no whole number of the pulses of lamps, so that the picture "
            "flickers in their light: --control %s=%d where mains have 50 Hz (Europe), =%d where 60 Hz (America), and "
            "%s=1 or =2 for the automatic",
            said[0] ? "; " : "", 1e3 * open_s, exposure->name, (int)lround(shutter.pulse_s[0] / shutter.unit_s),
            (int)lround(shutter.pulse_s[1] / shutter.unit_s), mains->name);
}

static bool menu_item(char out[40], const struct camera_control *k, int32_t at, struct camera_handle camera)
{
    struct v4l2_querymenu row = { .id = k->id, .index = (uint32_t)at };
    if (camera_ioctl(camera, VIDIOC_QUERYMENU, &row) != 0)
        return false;
    if (k->type == V4L2_CTRL_TYPE_MENU)
        snprintf(out, 40, "%.32s", (const char *)row.name);
    else
        snprintf(out, 40, "%lld", (long long)row.value);
    foreign_make_plain(out);
    return true;
}

void camera_control_words(char *out, size_t size, const struct camera_control *k, struct camera_handle camera)
{
    char item[40];
    if (is_menu(k) && menu_item(item, k, k->value, camera))
        snprintf(out, size, "%d (%s)", k->value, item);
    else if (k->id == V4L2_CID_EXPOSURE_ABSOLUTE)
        snprintf(out, size, "%d (%.1f ms)", k->value, 1e3 * k->value * shutter.unit_s);
    else
        snprintf(out, size, "%d", k->value);
}

void camera_control_range(char *out, size_t size, const struct camera_control *k, struct camera_handle camera)
{
    enum { ITEMS_MAX = 64 };
    out[0] = '\0';
    for (int64_t i = k->least; is_menu(k) && i <= k->most && i < k->least + (int64_t)ITEMS_MAX; i++) {
        char item[40];
        if (menu_item(item, k, (int32_t)i, camera))
            text_add(out, size, "%s%d (%s)", text_comma(out), (int)i, item);
    }
    if (out[0])
        return;
    if (k->type == V4L2_CTRL_TYPE_BOOLEAN)
        snprintf(out, size, "0 or 1");
    else if (k->step > 1)
        snprintf(out, size, "%d to %d in steps of %d", k->least, k->most, k->step);
    else
        snprintf(out, size, "%d to %d", k->least, k->most);
}
