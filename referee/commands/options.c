// SPDX-License-Identifier: MIT
#include "referee/commands/options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "calibration/units.h"
#include "referee/announce/speech.h"

#define SECONDS_MAX 1e8 // no recording takes three years

// What a flag's value is read into.
enum flag_kind {
    FLAG_GIVEN,   // a bool; there is no value
    FLAG_TEXT,    // a const char *
    FLAG_CHOICE,  // a const char *: one of the words of `value`, the first where none is given
    FLAG_SECONDS, // a double
    FLAG_RATE,    // a double
    FLAG_WORDS,   // a double
    FLAG_SIZE,    // a struct wished_size
    FLAG_SIDE,    // the next of the sides
    FLAG_CONTROL, // the next of the controls
};

static const struct flag {
    const char *name;
    enum flag_kind kind;
    size_t offset;      // of its field in struct options
    double least, most; // seconds, pixels
    const char *value;  // form or unit, for people; NULL: takes none
    const char *help;   // NULL: for experiments, not shown
} flags_known[] = {
    { "--board", FLAG_TEXT, offsetof(struct options, board), 0, 0, "NAME|FILE",
      "a built-in board (ringside games lists them) or a board file" },
    { "--book", FLAG_TEXT, offsetof(struct options, book), 0, 0, "FILE",
      "the record of matches (usually record.db in the user's data folder)" },
    { "--camera", FLAG_TEXT, offsetof(struct options, camera), 0, 0, "DEVICE|ADDRESS",
      "a camera's node, name or plug (usually the first), http:// or rtsp://, footage, or demo: a sample game" },
    { "--check", FLAG_GIVEN, offsetof(struct options, check), 0, 0, NULL,
      "judge a bundle again and say whether it comes out the same" },
    { "--clips", FLAG_TEXT, offsetof(struct options, clips), 0, 0, "DIR",
      "clips of close calls: NAME.mp4 with everything drawn on it; of a camera NAME.mkv too, as it came" },
    { "--clips", FLAG_TEXT, offsetof(struct options, clips), 0, 0, "FOLDER",
      "where watch or review wrote clips of close calls: the page plays them" },
    { "--control", FLAG_CONTROL, offsetof(struct options, control), 0, 0, "NAME=VALUE",
      "a camera's control, as ringside cameras DEVICE shows them; may be given often" },
    { "--coverage", FLAG_GIVEN, offsetof(struct options, coverage), 0, 0, NULL,
      "where each rule is written, who decides it, which situations show it" },
    { "--csv", FLAG_GIVEN, offsetof(struct options, csv), 0, 0, NULL, "every call, for spreadsheets" },
    { "--debug-video", FLAG_GIVEN, offsetof(struct options, debug_video), 0, 0, NULL,
      "write a video of how the reading came about" },
    { "--explain", FLAG_GIVEN, offsetof(struct options, explain), 0, 0, NULL,
      "why each call was made, and what would have made it another" },
    { "--for", FLAG_SECONDS, offsetof(struct options, for_s), 0.1, SECONDS_MAX, "SECONDS",
      "end by itself after so long (usually when asked to)" },
    { "--from", FLAG_SECONDS, offsetof(struct options, from_s), 0, SECONDS_MAX, "SECONDS",
      "where the part of the recording begins (usually at its beginning)" },
    { "--format", FLAG_TEXT, offsetof(struct options, format), 0, 0, "NAME",
      "how the game is played; ringside rules GAME lists the formats" },
    { "--format", FLAG_TEXT, offsetof(struct options, format), 0, 0, "json|csv|text|html|cmn|log",
      "JSON, a call a line, a score sheet, a page, Crokinole Match Notation, the observations" },
    { "--game", FLAG_TEXT, offsetof(struct options, game), 0, 0, "GAME", "what is played; ringside games lists them" },
    { "--hint", FLAG_TEXT, offsetof(struct options, hint), 0, 0, "WHERE",
      "where the board lies: box:X,Y,W,H around it, or line:U,V;U,V;... on its outermost line (pixels)" },
    { "--html", FLAG_GIVEN, offsetof(struct options, html), 0, 0, NULL, "a page, as it is without a word" },
    { "--inputs", FLAG_TEXT, offsetof(struct options, inputs), 0, 0, "FILE",
      "what people said while it was filmed, as lines of a log or a log itself: each is heard at its time" },
    { "--json", FLAG_GIVEN, offsetof(struct options, json), 0, 0, NULL, "JSON for machines on standard output" },
    { "--judge", FLAG_GIVEN, offsetof(struct options, judge), 0, 0, NULL, "a judge gives permission for each shot" },
    { "--lens", FLAG_TEXT, offsetof(struct options, lens), 0, 0, "FILE", "the camera's lens as calibrated" },
    { "--listen", FLAG_TEXT, offsetof(struct options, listen), 0, 0, "ADDRESS[:PORT]",
      "who may open the pages: 0.0.0.0 for all who reach this machine (usually itself alone)" },
    { "--match", FLAG_TEXT, offsetof(struct options, match), 0, 0, "FILE",
      "sides, players, format and who begins, as JSON (README.md)" },
    { "--no-book", FLAG_GIVEN, offsetof(struct options, no_book), 0, 0, NULL, "keep no record of the match" },
    { "--no-voice", FLAG_GIVEN, offsetof(struct options, no_voice), 0, 0, NULL, "do not speak the calls" },
    { "--no-web", FLAG_GIVEN, offsetof(struct options, no_web), 0, 0, NULL, "no scoreboard on a page" },
    { "--open", FLAG_GIVEN, offsetof(struct options, open), 0, 0, NULL,
      "the judge's page in this desktop's browser, where there is one" },
    { "--out", FLAG_TEXT, offsetof(struct options, out), 0, 0, "DIR",
      "where files are written, made when missing (usually beside the input)" },
    { "--out", FLAG_TEXT, offsetof(struct options, out), 0, 0, "FILE",
      "the file that is written (usually beside the input; for a camera where watch finds it)" },
    { "--out", FLAG_TEXT, offsetof(struct options, out), 0, 0, "PICTURE",
      "take a test picture and write it there, as .png or .jpg" },
    { "--overlay-css", FLAG_TEXT, offsetof(struct options, overlay_css), 0, 0, "FILE",
      "how the page for streams is to look, laid over its own style" },
    { "--players", FLAG_TEXT, offsetof(struct options, players), 0, 0, "NAME,NAME",
      "who plays; the first one shoots first" },
    { "--qr", FLAG_GIVEN, offsetof(struct options, qr), 0, 0, NULL,
      "the set-up page's address as a QR code too, for a telephone" },
    { "--quiet", FLAG_GIVEN, offsetof(struct options, quiet), 0, 0, NULL,
      "neither voice nor progress, only the calls" },
    { "--rate", FLAG_RATE, offsetof(struct options, rate), 1, 1000, "N",
      "pictures a second wished from the camera (usually its best for the board)" },
    { "--record", FLAG_TEXT, offsetof(struct options, record), 0, 0, "DIR",
      "keep what the camera sends in a new folder there, for ringside review" },
    { "--report", FLAG_TEXT, offsetof(struct options, report), 0, 0, "FILE.html",
      "the match as a page, when the film is over, with what --clips made (ringside report)" },
    { "--resume", FLAG_GIVEN, offsetof(struct options, resume), 0, 0, NULL,
      "go on with a match of the record: the last one, or the one that is named" },
    { "--side", FLAG_SIDE, offsetof(struct options, side), 0, 0, "COLOUR=NAME",
      "what a side is called; may be given twice" },
    { "--size", FLAG_SIZE, offsetof(struct options, size), 16, 16384, "WxH",
      "pixels wished from the camera (usually its best)" },
    { "--size", FLAG_TEXT, offsetof(struct options, paper), 0, 0, "letter|a4", "the paper to print on" },
    { "--to", FLAG_SECONDS, offsetof(struct options, to_s), 0, SECONDS_MAX, "SECONDS",
      "where the part of the recording ends (usually at its end)" },
    { "--tune", FLAG_TEXT, offsetof(struct options, tune), 0, 0, "FILE", NULL },
    { "--voice", FLAG_CHOICE, offsetof(struct options, voice), 0, 0, "[calls|full|off]",
      "how calls are spoken: what is called, or also where the pieces lie and who is next, or not at all" },
    { "--voice-lines", FLAG_TEXT, offsetof(struct options, voice_lines), 0, 0, "en|de|FILE",
      "the language that is spoken (usually en), or a file with its sentences" },
    { "--voice-name", FLAG_TEXT, offsetof(struct options, voice_name), 0, 0, "NAME",
      "who speaks, as espeak-ng --voices lists them (usually whom the language names)" },
    { "--voice-out", FLAG_TEXT, offsetof(struct options, voice_out), 0, 0, "FILE.wav",
      "speak into a file as long as the film, instead of to the sound card" },
    { "--voice-rate", FLAG_WORDS, offsetof(struct options, voice_rate), SPEECH_RATE_LEAST, SPEECH_RATE_MOST, "N",
      "words a minute that are spoken (usually 165)" },
    { "--video", FLAG_GIVEN, offsetof(struct options, video), 0, 0, NULL, "write the annotated video too" },
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

// One of the words between the brackets, "[calls|full|off]".
static bool is_choice(const struct flag *f, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = f->value + 1; *at; at += strcspn(at, "|]") + 1)
        if (length > 0 && strcspn(at, "|]") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

static int read_value(struct options *o, const struct flag *f, const char *value, struct fail *why)
{
    void *field = (char *)o + f->offset;
    const char *sign = strchr(value ? value : "", '=');
    size_t colour = sign ? (size_t)(sign - value) : 0, name = sign ? strlen(sign + 1) : 0;
    char *end;
    double s;
    int used = 0;
    struct wished_size size = { 0, 0 };
    switch (f->kind) {
    case FLAG_GIVEN:
        *(bool *)field = true;
        return 0;
    case FLAG_TEXT:
        *(const char **)field = value;
        return 0;
    case FLAG_CHOICE:
        if (value && !is_choice(f, value))
            return rs_fail(why, RS_EINPUT, "%s %s: write it as %s", f->name, value, f->value);
        *(const char **)field = value ? value : "";
        return 0;
    case FLAG_SECONDS:
    case FLAG_RATE:
    case FLAG_WORDS:
        s = strtod(value, &end);
        if (end == value || *end || !(s >= f->least && s <= f->most))
            return rs_fail(why, RS_EINPUT, "%s %s: write it %s, from %g to %g", f->name, value,
                           f->kind == FLAG_SECONDS ? "in seconds"
                           : f->kind == FLAG_RATE  ? "as pictures a second"
                                                   : "as words a minute",
                           f->least, f->most);
        *(double *)field = s;
        return 0;
    case FLAG_CONTROL:
        if (o->controls == CONTROLS_MAX)
            return rs_fail(why, RS_EINPUT, "%s %s: there is room for %d only", f->name, value, CONTROLS_MAX);
        o->control[o->controls++] = value;
        return 0;
    case FLAG_SIZE:
        if (sscanf(value, "%5dx%5d%n", &size.width, &size.height, &used) != 2 || value[used] != '\0' ||
            size.width < f->least || size.height < f->least || size.width > f->most || size.height > f->most)
            return rs_fail(why, RS_EINPUT, "%s %s: write it as 1920x1080, each side from %g to %g", f->name, value,
                           f->least, f->most);
        *(struct wished_size *)field = size;
        return 0;
    case FLAG_SIDE:
        break;
    }
    if (!foreign_is_plain(value))
        return rs_fail(why, RS_EINPUT, "--side %s: it holds a control character", value);
    if (colour == 0 || name == 0 || colour >= OBS_WORD_MAX || name >= OBS_WORD_MAX)
        return rs_fail(why, RS_EINPUT, "--side %s: write it as black=Anna, each of at most %d letters", value,
                       OBS_WORD_MAX - 1);
    if (o->sides == SIDES)
        return rs_fail(why, RS_EINPUT, "--side %s: there are only %d sides", value, SIDES);
    memcpy(o->side[o->sides].colour, value, colour);
    memcpy(o->side[o->sides++].name, sign + 1, name);
    return 0;
}

int options_parse(struct options *out, const char *const *flags, int argc, char **argv, struct fail *why)
{
    *out = (struct options){ .operand = argv, .to_s = INFINITY };
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i], *sign = strchr(text, '='), *known[countof(flags_known) + 1] = { NULL };
        size_t length = sign ? (size_t)(sign - text) : strlen(text), n = 0;
        const struct flag *f = NULL;
        if (only_operands || text[0] != '-' || text[1] == '\0') {
            argv[out->operands++] = argv[i];
            continue;
        }
        if (strcmp(text, "--") == 0) {
            only_operands = true;
            continue;
        }
        for (const char *const *name = flags; *name && !f && n < countof(flags_known); name++) {
            const struct flag *listed = flag_listed(*name);
            if (strlen(listed->name) == length && strncmp(listed->name, text, length) == 0)
                f = listed;
            else if (listed->help)
                known[n++] = listed->name;
        }
        if (!f) {
            char word[32], help[200];
            snprintf(word, sizeof word, "%.*s", (int)length, text);
            suggest(help, sizeof help, word, known);
            return rs_fail(why, RS_EINPUT, "unknown flag %s%s", word, help);
        }
        if (!f->value && sign)
            return rs_fail(why, RS_EINPUT, "%s takes no value", f->name);
        const char *value = sign ? sign + 1 : NULL;
        bool choice = f->kind == FLAG_CHOICE, needs = f->value && !choice;
        if (f->value && !sign && i + 1 < argc && (needs || is_choice(f, argv[i + 1])))
            value = argv[++i];
        if (needs && (!value || value[0] == '\0'))
            return rs_fail(why, RS_EINPUT, "%s needs a value: %s %s", f->name, f->name, f->value);
        int rc = read_value(out, f, value, why);
        if (rc < 0)
            return rc;
    }
    return 0;
}

void options_print(FILE *to, const char *const *flags)
{
    for (const char *const *name = flags; *name; name++) {
        const struct flag *f = flag_listed(*name);
        char shown[48];
        snprintf(shown, sizeof shown, "%s%s%s", f->name, f->value ? " " : "", f->value ? f->value : "");
        if (f->help)
            fprintf(to, "  %-20s %s\n", shown, f->help);
    }
}

// More slips of the finger than these make another word.
enum { SLIPS_MAX = 3 };

// Levenshtein's distance: letters to put in, take out or change.
static int edit_distance(const char *a, const char *b)
{
    int row[SUGGEST_WORD_MAX + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > SUGGEST_WORD_MAX || lb > SUGGEST_WORD_MAX)
        return SLIPS_MAX + 1;
    for (size_t j = 0; j <= lb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int before = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int changed = before + (a[i - 1] != b[j - 1]), moved = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            before = row[j];
            row[j] = moved < changed ? moved : changed;
        }
    }
    return row[lb];
}

void suggest(char *out, size_t size, const char *word, const char *const *known)
{
    const char *nearest = NULL;
    int fewest = SLIPS_MAX + 1;
    for (const char *const *k = known; *k; k++) {
        int n = strncmp(*k, word, strlen(word)) == 0 && word[0] ? 0 : edit_distance(word, *k);
        if (n < fewest && n < (int)strlen(*k)) {
            fewest = n;
            nearest = *k;
        }
    }
    if (nearest) {
        snprintf(out, size, "; did you mean %s?", nearest);
        return;
    }
    size_t used = (size_t)snprintf(out, size, "; known:");
    for (const char *const *k = known; *k && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, " %s", *k);
}
