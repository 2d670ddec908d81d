// SPDX-License-Identifier: MIT
#include "referee/commands/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/commands/suggest.h"

enum { SIZE_MAX_PX = 16384 };

struct flag {
    const char *name;
    const char *value; // what it takes, for the help; NULL: nothing
    const char *help;
    int (*take)(struct options *o, const char *value, struct fail *why);
};

static int take_game(struct options *o, const char *value, struct fail *why)
{
    (void)why;
    o->game = value;
    return 0;
}

static int take_board(struct options *o, const char *value, struct fail *why)
{
    (void)why;
    o->board = value;
    return 0;
}

static int take_lens(struct options *o, const char *value, struct fail *why)
{
    (void)why;
    o->lens = value;
    return 0;
}

static int take_out(struct options *o, const char *value, struct fail *why)
{
    (void)why;
    o->out = value;
    return 0;
}

static int take_camera(struct options *o, const char *value, struct fail *why)
{
    (void)why;
    o->camera = value;
    return 0;
}

static int take_json(struct options *o, const char *value, struct fail *why)
{
    (void)value, (void)why;
    o->json = true;
    return 0;
}

static int take_video(struct options *o, const char *value, struct fail *why)
{
    (void)value, (void)why;
    o->video = true;
    return 0;
}

static int take_debug_video(struct options *o, const char *value, struct fail *why)
{
    (void)value, (void)why;
    o->debug_video = true;
    return 0;
}

static int take_quiet(struct options *o, const char *value, struct fail *why)
{
    (void)value, (void)why;
    o->quiet = o->no_voice = true;
    return 0;
}

static int take_no_voice(struct options *o, const char *value, struct fail *why)
{
    (void)value, (void)why;
    o->no_voice = true;
    return 0;
}

static int take_size(struct options *o, const char *value, struct fail *why)
{
    int width = 0, height = 0, used = 0;
    bool read = sscanf(value, "%5dx%5d%n", &width, &height, &used) == 2 && value[used] == '\0';
    if (!read || width < 16 || height < 16 || width > SIZE_MAX_PX || height > SIZE_MAX_PX)
        return rs_fail(why, RS_EINPUT, "--size %s: write it as 1920x1080, each side from 16 to %d", value, SIZE_MAX_PX);
    o->width = width;
    o->height = height;
    return 0;
}

static int take_paper(struct options *o, const char *value, struct fail *why)
{
    (void)why;
    o->paper = value;
    return 0;
}

static int take_check(struct options *o, const char *value, struct fail *why)
{
    (void)value, (void)why;
    o->check = true;
    return 0;
}

static int read_seconds(double *out, const char *flag, const char *value, struct fail *why)
{
    char *end;
    double s = strtod(value, &end);
    if (end == value || *end || !isfinite(s) || s < 0)
        return rs_fail(why, RS_EINPUT, "%s %s: write it in seconds, 0 or more", flag, value);
    *out = s;
    return 0;
}

static int take_from(struct options *o, const char *value, struct fail *why)
{
    return read_seconds(&o->from_s, "--from", value, why);
}

static int take_to(struct options *o, const char *value, struct fail *why)
{
    return read_seconds(&o->to_s, "--to", value, why);
}

static int take_side(struct options *o, const char *value, struct fail *why)
{
    const char *sign = strchr(value, '=');
    size_t colour = sign ? (size_t)(sign - value) : 0, name = sign ? strlen(sign + 1) : 0;
    if (colour == 0 || name == 0 || colour >= OBS_WORD_MAX || name >= OBS_WORD_MAX)
        return rs_fail(why, RS_EINPUT, "--side %s: write it as black=Anna, each of at most %d letters", value,
                       OBS_WORD_MAX - 1);
    if (o->sides == SIDE_NAMES_MAX)
        return rs_fail(why, RS_EINPUT, "--side %s: there are only %d sides", value, SIDE_NAMES_MAX);
    struct side_name *s = &o->side[o->sides++];
    memcpy(s->colour, value, colour);
    memcpy(s->name, sign + 1, name);
    return 0;
}

static const struct flag flags_known[] = {
    { "--board", "NAME|FILE", "a built-in board (ringside games lists them) or a board file", take_board },
    { "--camera", "DEVICE", "the camera, or footage to try it with (usually /dev/video0)", take_camera },
    { "--check", NULL, "judge a bundle again and say whether it comes out the same", take_check },
    { "--debug-video", NULL, "write a video of how the reading came about", take_debug_video },
    { "--from", "SECONDS", "where the part of the recording begins (usually at its beginning)", take_from },
    { "--game", "GAME", "what is played; ringside games lists them", take_game },
    { "--json", NULL, "JSON for machines on standard output", take_json },
    { "--lens", "FILE", "the camera's lens as calibrated", take_lens },
    { "--no-voice", NULL, "do not speak the calls", take_no_voice },
    { "--out", "DIR", "where files are written, made when missing (usually beside the input)", take_out },
    { "--out", "FILE", "the file that is written (usually beside the input; for a camera where watch finds it)",
      take_out },
    { "--quiet", NULL, "neither voice nor progress, only the calls", take_quiet },
    { "--side", "COLOUR=NAME", "what a side is called; may be given twice", take_side },
    { "--size", "WxH", "pixels wished from the camera (usually its best)", take_size },
    { "--size", "letter|a4", "the paper to print on", take_paper },
    { "--to", "SECONDS", "where the part of the recording ends (usually at its end)", take_to },
    { "--video", NULL, "write the annotated video too", take_video },
};

// The flag that a command's list means by `name`: "--out", or "--out FILE" where there are two.
static const struct flag *flag_listed(const char *name)
{
    for (size_t i = 0; i < countof(flags_known); i++) {
        const struct flag *f = &flags_known[i];
        size_t length = strlen(f->name);
        bool same = strncmp(f->name, name, length) == 0;
        if (same && (name[length] == '\0' || (name[length] == ' ' && f->value && !strcmp(f->value, name + length + 1))))
            return f;
    }
    return NULL;
}

static const struct flag *allowed_flag(const char *const *flags, const char *text, size_t length)
{
    for (; *flags; flags++) {
        const struct flag *f = flag_listed(*flags);
        if (f && strlen(f->name) == length && strncmp(f->name, text, length) == 0)
            return f;
    }
    return NULL;
}

static int unknown(const char *const *flags, const char *text, size_t length, struct fail *why)
{
    const char *known[countof(flags_known) + 1] = { NULL };
    char word[32], help[200];
    for (size_t i = 0; i < countof(flags_known) && flags[i]; i++)
        known[i] = flag_listed(flags[i])->name;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    suggest(help, sizeof help, word, known);
    return rs_fail(why, RS_EINPUT, "unknown flag %s%s", word, help);
}

// Takes the flag at argv[*i] and its value; *i is then the last word that was used.
static int take(struct options *o, const char *const *flags, int argc, char **argv, int *i, struct fail *why)
{
    const char *text = argv[*i], *sign = strchr(text, '=');
    size_t length = sign ? (size_t)(sign - text) : strlen(text);
    const struct flag *f = allowed_flag(flags, text, length);
    if (!f)
        return unknown(flags, text, length, why);
    if (!f->value && sign)
        return rs_fail(why, RS_EINPUT, "%s takes no value", f->name);
    const char *value = sign ? sign + 1 : NULL;
    if (f->value && !sign && *i + 1 < argc)
        value = argv[++*i];
    if (f->value && (!value || value[0] == '\0'))
        return rs_fail(why, RS_EINPUT, "%s needs a value: %s %s", f->name, f->name, f->value);
    return f->take(o, value, why);
}

int options_parse(struct options *out, const char *const *flags, int argc, char **argv, struct fail *why)
{
    *out = (struct options){ .operand = argv, .to_s = INFINITY };
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        bool flag = argv[i][0] == '-' && argv[i][1] != '\0' && !only_operands;
        if (flag && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (flag) {
            int rc = take(out, flags, argc, argv, &i, why);
            if (rc < 0)
                return rc;
        } else {
            argv[out->operands++] = argv[i];
        }
    }
    return 0;
}

void options_print(FILE *to, const char *const *flags)
{
    for (const char *const *name = flags; *name; name++) {
        const struct flag *f = flag_listed(*name);
        char shown[48];
        snprintf(shown, sizeof shown, "%s%s%s", f->name, f->value ? " " : "", f->value ? f->value : "");
        fprintf(to, "  %-20s %s\n", shown, f->help);
    }
}

const char *options_side_name(const struct options *o, const char *colour)
{
    for (int i = 0; i < o->sides; i++)
        if (strcmp(o->side[i].colour, colour) == 0)
            return o->side[i].name;
    return colour;
}
