// SPDX-License-Identifier: MIT
// `ringside cameras`: which cameras there are, what they can do, and what watch would take.
#include "referee/commands/cameras.h"

#include <linux/videodev2.h>
#include <stdlib.h>

#include "calibration/foreign.h"
#include "referee/announce/json.h"
#include "referee/commands/device.h"
#include "referee/commands/verbs.h"
#include "vision/frame_file.h"
#include "vision/source/camera_controls.h"
#include "vision/source/camera_mode.h"
#include "vision/source/camera_node.h"
#include "vision/source/source.h"

// One camera, read whole.
struct camera_sheet {
    struct camera_node node;
    struct camera_modes modes; // the best first
    struct camera_controls controls;
    struct fail refused; // why it has neither; empty: it was read
};

static int read_sheet(struct camera_sheet *out, const struct camera_system *sys, const char *path,
                      const struct camera_wish *wish)
{
    *out = (struct camera_sheet){ .refused = { .text = "" } };
    int fd = camera_node_open(&out->node, sys, path);
    if (fd < 0) {
        camera_node_refuse(&out->node, &out->refused);
        return fd;
    }
    int rc = camera_modes_read(&out->modes, (struct camera_handle){ sys, fd }, out->node.type, wish, &out->refused);
    if (rc == 0)
        rc = camera_controls_read(&out->controls, (struct camera_handle){ sys, fd }, &out->refused);
    if (rc == 0)
        return fd;
    sys->close(sys->self, fd);
    return -1;
}

// `fd`: as read_sheet gave it.
static void finish_sheet(struct camera_sheet *c, const struct camera_system *sys, int fd)
{
    if (fd >= 0)
        sys->close(sys->self, fd);
    camera_modes_finish(&c->modes);
    camera_controls_finish(&c->controls);
}

static bool same_size(const struct camera_mode *a, const struct camera_mode *b)
{
    return a->fourcc == b->fourcc && a->width == b->width && a->height == b->height;
}

// A line a format and size with all its rates, the best first and marked. What libv4l would convert is left out where
// the camera itself sends that size in another format.
static void print_modes(FILE *to, const struct camera_modes *modes, const struct camera_wish *wish)
{
    char words[200], taken[80];
    for (int i = 0; i < modes->count; i++) {
        const struct camera_mode *m = &modes->mode[i];
        bool printed = false;
        for (int k = 0; k < i; k++)
            printed |= same_size(&modes->mode[k], m);
        for (int k = 0; k < modes->count && m->converted; k++)
            printed |=
                !modes->mode[k].converted && modes->mode[k].width == m->width && modes->mode[k].height == m->height;
        if (printed)
            continue;
        camera_format_words(words, sizeof words, m);
        fprintf(to, "  %c %5d x %-5d %-6s", i == 0 ? '*' : ' ', m->width, m->height, words);
        const char *joint = " at ";
        for (int k = i; k < modes->count; k++)
            if (same_size(&modes->mode[k], m) && modes->mode[k].frames_per_s > 0) {
                fprintf(to, "%s%.4g", joint, modes->mode[k].frames_per_s);
                joint = ", ";
            }
        fprintf(to, "\n");
    }
    camera_mode_words(taken, sizeof taken, &modes->mode[0]);
    camera_mode_reason(words, sizeof words, &modes->mode[0], wish);
    fprintf(to, "  * watch takes %s\n    (%s)\n", taken, words);
}

static void print_controls(FILE *to, const struct camera_controls *controls, struct camera_handle camera)
{
    char value[60], range[300], advice[500];
    for (int i = 0; i < controls->count; i++) {
        const struct camera_control *k = &controls->control[i];
        camera_control_words(value, sizeof value, k, camera);
        camera_control_range(range, sizeof range, k, camera);
        fprintf(to, "    %-32s %-16s %s%s\n", k->name, value, range,
                k->flags & V4L2_CTRL_FLAG_READ_ONLY  ? "; can only be read"
                : k->flags & V4L2_CTRL_FLAG_INACTIVE ? "; an automatic decides"
                                                     : "");
    }
    camera_controls_advise(controls, advice, sizeof advice);
    if (advice[0])
        fprintf(to, "    now %s\n", advice);
}

static json_t *sheet_json(const struct camera_sheet *c, const struct camera_wish *wish)
{
    char words[200];
    json_t *o = json_pack("{s:s, s:s, s:s}", "name", c->node.card, "plug", c->node.bus, "device", c->node.path);
    if (c->refused.text[0]) {
        json_object_set_new(o, "why", json_string(c->refused.text));
        return o;
    }
    json_t *modes = json_array(), *controls = json_array();
    for (int i = 0; i < c->modes.count; i++) {
        const struct camera_mode *m = &c->modes.mode[i];
        camera_format_words(words, sizeof words, m);
        json_array_append_new(modes, json_pack("{s:s, s:i, s:i, s:f}", "format", words, "width", m->width, "height",
                                               m->height, "rate", m->frames_per_s));
    }
    for (int i = 0; i < c->controls.count; i++) {
        const struct camera_control *k = &c->controls.control[i];
        json_array_append_new(controls,
                              json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "name", k->name, "value", k->value, "least",
                                        k->least, "most", k->most, "step", k->step, "default", k->preset));
    }
    camera_mode_reason(words, sizeof words, &c->modes.mode[0], wish);
    json_object_set_new(o, "taken", json_incref(json_array_get(modes, 0)));
    json_object_set_new(o, "reason", json_string(words));
    json_object_set_new(o, "modes", modes);
    json_object_set_new(o, "controls", controls);
    return o;
}

static json_t *sheets_json(const struct camera_system *sys, const struct camera_node *node, int count,
                           const struct camera_wish *wish)
{
    json_t *all = json_array();
    for (int i = 0; i < count && all; i++) {
        struct camera_sheet c;
        int fd = read_sheet(&c, sys, node[i].path, wish);
        json_array_append_new(all, sheet_json(&c, wish));
        finish_sheet(&c, sys, fd);
    }
    return all;
}

json_t *cameras_json(const struct camera_system *sys, const struct camera_wish *wish)
{
    struct camera_node *node = malloc(CAMERA_NODES_MAX * sizeof *node);
    json_t *all = node ? sheets_json(sys, node, camera_nodes_list(node, sys), wish) : NULL;
    free(node);
    return all;
}

// After exposure and white balance have come to rest: the last picture of the first two seconds.
static int take_test_picture(const struct camera_system *sys, const struct camera_node *node,
                             const struct camera_wish *wish, const char *path, struct fail *why)
{
    static const double SETTLE_S = 2;
    struct source *s = NULL;
    struct frame *f = NULL, *last = NULL;
    int rc = webcam_open(&s, sys, node->path, wish, why);
    bool settled = false;
    while (rc >= 0 && !settled) {
        rc = source_next(&f, s, why);
        if (rc == SOURCE_WAITS && why->text[0])
            rc = why->code = RS_EIO;
        if (rc == SOURCE_ENDED)
            rc = rs_fail(why, RS_EIO, "%s: it ended before the picture could be taken", source_info(s)->name);
        if (rc != SOURCE_FRAME)
            continue;
        frame_free(last);
        last = f;
        settled = f->t_s >= SETTLE_S;
    }
    rc = rc < 0 ? rc : frame_write(last, path, why);
    if (rc == 0)
        foreign_tell(stderr, "ringside: %s: %s; wrote %s", source_info(s)->name, source_info(s)->mode, path);
    frame_free(last);
    source_close(s);
    return rc;
}

int cameras_tell(FILE *to, const struct camera_system *sys, const struct options *o, struct fail *why)
{
    const struct camera_wish wish = device_wish(o);
    bool one = o->operands > 0 || o->out;
    if (o->controls > 0 && !o->out) // they are put back when the camera is closed
        return rs_fail(why, RS_EINPUT, "--control is for a test picture: add --out PICTURE");
    if (o->operands > 0 && (stream_is_address(o->operand[0]) || device_holds_login(o->operand[0])))
        return rs_fail(why, RS_EINPUT, "an address has no modes here: `ringside watch --camera` takes what it sends");
    struct camera_node *node = malloc(CAMERA_NODES_MAX * sizeof *node);
    json_t *all = NULL;
    int count = 1;
    if (!node)
        return rs_fail(why, RS_ENOMEM, "no memory for a list of cameras");
    int rc = one ? camera_node_find(&node[0], sys, o->operands > 0 ? o->operand[0] : "", why) : 0;
    if (!one)
        count = camera_nodes_list(node, sys);
    if (rc == 0 && o->out)
        rc = take_test_picture(sys, &node[0], &wish, o->out, why);
    if (rc == 0 && o->json && !(all = sheets_json(sys, node, count, &wish)))
        rc = rs_fail(why, RS_ENOMEM, "no memory for a list of cameras");
    for (int i = 0; i < count && rc == 0 && !o->out && !o->json; i++) {
        struct camera_sheet c;
        int fd = read_sheet(&c, sys, node[i].path, &wish);
        if (fd < 0)
            foreign_tell(to, "%s", c.refused.text);
        else
            foreign_tell(to, "%s%s, %s, %s", i > 0 ? "\n" : "", c.node.card, c.node.bus, c.node.path);
        if (fd >= 0)
            print_modes(to, &c.modes, &wish);
        if (fd >= 0 && one)
            print_controls(to, &c.controls, (struct camera_handle){ sys, fd });
        finish_sheet(&c, sys, fd);
    }
    if (rc == 0 && count == 0)
        rc = rs_fail(
            why, RS_EIO,
            "no camera is there; plug one in (a USB webcam needs no driver); a virtual machine must be lent it");
    if (all) { // also of none
        struct fail untold;
        json_t *told = json_pack("{s:i, s:o}", "ringside", JSON_VERSION, "cameras", all);
        int printed = json_print(to, told, rc == 0 ? why : &untold);
        rc = rc == 0 ? printed : rc;
    }
    free(node);
    return rc;
}

static int cameras(const struct options *o, struct fail *why)
{
    return cameras_tell(stdout, &camera_system_own, o, why);
}

const struct verb cameras_verb = {
    .name = "cameras",
    .operands = "[DEVICE]",
    .says = "the cameras that there are, their modes and controls",
    .more =
        "DEVICE is a node (/dev/video0) or a part of a camera's name or plug that only it has: its controls are shown "
        "too,\n"
        "and with --out a test picture is taken. The mode with * is the one that watch takes for the board of "
        "--game.\n",
    .flags =
        (const char *const[]){ "--game", "--board", "--size", "--rate", "--control", "--json", "--out PICTURE", NULL },
    .operands_max = 1,
    .run = cameras,
};
