// SPDX-License-Identifier: MIT
#include "referee/commands/options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/foreign.h"
#include "calibration/text.h"
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

#define AT(member) offsetof(struct options, member)

static const struct flag {
    const char *name;
    enum flag_kind kind;
    size_t offset;      // of its field in struct options
    const char *value;  // form or unit, for people; NULL: takes none
    const char *help;   // NULL: for experiments, not shown
    double least, most; // seconds, pixels
} flags_known[] = {
    { "--board", FLAG_TEXT, AT(board), "NAME|FILE",
      .help = "a built-in board (ringside games lists them) or a board file" },
    { "--book", FLAG_TEXT, AT(book), "FILE",
      .help = "the record of matches (usually record.db in the user's data folder)" },
    { "--camera", FLAG_TEXT, AT(camera), "DEVICE|ADDRESS",
      .help = "a camera's node, name or plug (usually the first), http:// or rtsp://, or footage" },
    { "--camera", FLAG_TEXT, AT(camera), "WHAT",
      .help =
          "a camera's node, name or plug (usually the first), http:// or rtsp://, footage, or demo: a sample game" },
    { "--check", FLAG_GIVEN, AT(check), .help = "judge a bundle again and say whether it comes out the same" },
    { "--clips", FLAG_TEXT, AT(clips), "DIR",
      .help = "clips of close calls: NAME.mp4 with everything drawn on it; of a camera NAME.mkv too, as it came" },
    { "--clips", FLAG_TEXT, AT(clips), "FOLDER",
      .help = "where watch or review wrote clips of close calls: the page plays them" },
    { "--control", FLAG_CONTROL, AT(control), "NAME=VALUE",
      .help = "a camera's control, as ringside cameras DEVICE shows them; may be given often" },
    { "--coverage", FLAG_GIVEN, AT(coverage),
      .help = "where each rule is written, who decides it, which situations show it" },
    { "--csv", FLAG_GIVEN, AT(csv), .help = "every call, for spreadsheets" },
    { "--debug-video", FLAG_GIVEN, AT(debug_video), .help = "write a video of how the reading came about" },
    { "--explain", FLAG_GIVEN, AT(explain), .help = "why each call was made, and what would have made it another" },
    { "--for", FLAG_SECONDS, AT(for_s), "SECONDS", .help = "end by itself after so long (usually when asked to)",
      .least = 0.1, .most = SECONDS_MAX },
    { "--from", FLAG_SECONDS, AT(from_s), "SECONDS",
      .help = "where the part of the recording begins (usually at its beginning)", .most = SECONDS_MAX },
    { "--format", FLAG_TEXT, AT(format), "NAME",
      .help = "how the game is played; ringside rules GAME lists the formats" },
    { "--format", FLAG_TEXT, AT(format), "json|csv|text|html|cmn|log",
      .help = "JSON, a call a line, a score sheet, a page, Crokinole Match Notation, the observations" },
    { "--game", FLAG_TEXT, AT(game), "GAME", .help = "what is played; ringside games lists them" },
    { "--hint", FLAG_TEXT, AT(hint), "WHERE",
      .help = "where the board lies: box:X,Y,W,H around it, or line:U,V;U,V;... on its outermost line (pixels)" },
    { "--html", FLAG_GIVEN, AT(html), .help = "a page, as it is without a word" },
    { "--inputs", FLAG_TEXT, AT(inputs), "FILE",
      .help = "what people said while it was filmed, as lines of a log or a log itself: each is heard at its time" },
    { "--json", FLAG_GIVEN, AT(json), .help = "JSON for machines on standard output" },
    { "--judge", FLAG_GIVEN, AT(judge), .help = "a judge gives permission for each shot" },
    { "--lens", FLAG_TEXT, AT(lens), "FILE", .help = "the camera's lens as calibrated" },
    { "--listen", FLAG_TEXT, AT(listen), "ADDRESS[:PORT]",
      .help = "who may open the pages: 0.0.0.0 for all who reach this machine (usually itself alone)" },
    { "--match", FLAG_TEXT, AT(match), "FILE", .help = "sides, players, format and who begins, as JSON (README.md)" },
    { "--no-book", FLAG_GIVEN, AT(no_book), .help = "keep no record of the match" },
    { "--no-voice", FLAG_GIVEN, AT(no_voice), .help = "do not speak the calls" },
    { "--no-web", FLAG_GIVEN, AT(no_web), .help = "no scoreboard on a page" },
    { "--open", FLAG_GIVEN, AT(open), .help = "the judge's page in this desktop's browser, where there is one" },
    { "--out", FLAG_TEXT, AT(out), "DIR",
      .help = "where files are written, made when missing (usually beside the input)" },
    { "--out", FLAG_TEXT, AT(out), "FOLDER",
      .help = "where the log is written, made when missing (usually where it is called)" },
    { "--out", FLAG_TEXT, AT(out), "FILE", .help = "the file that is written (usually beside the input)" },
    { "--out", FLAG_TEXT, AT(out), "FILE.json",
      .help = "the file that is written (usually beside the input; for a camera where watch finds it)" },
    { "--out", FLAG_TEXT, AT(out), "PAGE",
      .help = "the file that is written (usually match-MATCH.html here, or .csv)" },
    { "--out", FLAG_TEXT, AT(out), "PICTURE", .help = "take a test picture and write it there, as .png or .jpg" },
    { "--overlay-css", FLAG_TEXT, AT(overlay_css), "FILE",
      .help = "how the page for streams is to look, laid over its own style" },
    { "--players", FLAG_TEXT, AT(players), "NAME,NAME", .help = "who plays; the first one shoots first" },
    { "--qr", FLAG_GIVEN, AT(qr), .help = "the set-up page's address as a QR code too, for a telephone" },
    { "--quiet", FLAG_GIVEN, AT(quiet), .help = "neither voice nor progress, only the calls" },
    { "--rate", FLAG_RATE, AT(rate), "N",
      .help = "pictures a second wished from the camera (usually its best for the board)", .least = 1, .most = 1000 },
    { "--record", FLAG_TEXT, AT(record), "DIR",
      .help = "keep what the camera sends in a new folder there, for ringside review" },
    { "--report", FLAG_TEXT, AT(report), "FILE.html",
      .help = "the match as a page, when the film is over, with what --clips made (ringside report)" },
    { "--resume", FLAG_GIVEN, AT(resume),
      .help = "go on with a match of the record: the last one, or the one that is named" },
    { "--side", FLAG_SIDE, AT(side), "COLOUR=NAME", .help = "what a side is called; may be given twice" },
    { "--size", FLAG_SIZE, AT(size), "WxH", .help = "pixels wished from the camera (usually its best)", .least = 16,
      .most = 16384 },
    { "--size", FLAG_TEXT, AT(paper), "letter|a4", .help = "the paper to print on" },
    { "--to", FLAG_SECONDS, AT(to_s), "SECONDS", .help = "where the part of the recording ends (usually at its end)",
      .most = SECONDS_MAX },
    { "--tune", FLAG_TEXT, AT(tune), .value = "FILE" },
    { "--voice", FLAG_CHOICE, AT(voice), "[calls|full|off]",
      .help = "how calls are spoken: what is called, or also where the pieces lie and who is next, or not at all" },
    { "--voice-lines", FLAG_TEXT, AT(voice_lines), "en|de|FILE",
      .help = "the language that is spoken (usually en), or a file with its sentences" },
    { "--voice-name", FLAG_TEXT, AT(voice_name), "NAME",
      .help = "who speaks, as espeak-ng --voices lists them (usually whom the language names)" },
    { "--voice-out", FLAG_TEXT, AT(voice_out), "FILE.wav",
      .help = "speak into a file as long as the film, instead of to the sound card" },
    { "--voice-rate", FLAG_WORDS, AT(voice_rate), "N", .help = "words a minute that are spoken (usually 165)",
      .least = SPEECH_RATE_LEAST, .most = SPEECH_RATE_MOST },
    { "--video", FLAG_GIVEN, AT(video), .help = "write the annotated video too" },
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
    // People count in decimals: strtod also reads 0x10, 1e1 and what stands behind a blank.
    bool decimal = value && value[strspn(value, "0123456789.")] == '\0',
         sides = value && value[strspn(value, "0123456789x")] == '\0';
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
        if (!decimal || end == value || *end || !(s >= f->least && s <= f->most))
            return rs_fail(why, RS_EINPUT, "%s %s: write it %s, from %.9g to %.9g", f->name, value,
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
        if (!sides || sscanf(value, "%5dx%5d%n", &size.width, &size.height, &used) != 2 || value[used] != '\0' ||
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
        return rs_fail(why, RS_EINPUT,
                       "--side %s: write it as black=Anna, each of at most %d bytes "
                       "(a to z take one, other letters more)",
                       value, OBS_WORD_MAX - 1);
    if (o->sides == SIDES)
        return rs_fail(why, RS_EINPUT, "--side %s: there are only %d sides", value, SIDES);
    memcpy(o->side[o->sides].colour, value, colour);
    memcpy(o->side[o->sides++].name, sign + 1, name);
    return 0;
}

// The command's flag that the text is, alone or with "=VALUE"; NULL.
static const struct flag *flag_written(const char *const *flags, const char *text)
{
    size_t length = strcspn(text, "=");
    for (const char *const *name = flags; *name; name++) {
        const struct flag *listed = flag_listed(*name);
        if (strlen(listed->name) == length && strncmp(listed->name, text, length) == 0)
            return listed;
    }
    return NULL;
}

int options_parse(struct options *out, const char *const *flags, int argc, char **argv, struct fail *why)
{
    *out = (struct options){ .operand = argv, .to_s = INFINITY };
    bool only_operands = false, given[countof(flags_known)] = { false };
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i], *sign = strchr(text, '='), *known[countof(flags_known) + 1] = { NULL };
        size_t length = sign ? (size_t)(sign - text) : strlen(text), n = 0;
        if (only_operands || text[0] != '-' || text[1] == '\0') {
            argv[out->operands++] = argv[i];
            continue;
        }
        if (strcmp(text, "--") == 0) {
            only_operands = true;
            continue;
        }
        const struct flag *f = flag_written(flags, text);
        for (const char *const *name = flags; *name && !f && n < countof(flags_known); name++)
            if (flag_listed(*name)->help)
                known[n++] = flag_listed(*name)->name;
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
        bool behind = i + 1 < argc && !flag_written(flags, argv[i + 1]); // a file of a flag's name is --out=--json
        if (f->value && !sign && behind && (needs || is_choice(f, argv[i + 1])))
            value = argv[++i];
        if (choice && !value && i + 1 < argc && argv[i + 1][0] != '-')
            out->unchosen = (struct unchosen){ f->name, argv[i + 1], f->value };
        if (needs && (!value || value[0] == '\0'))
            return rs_fail(why, RS_EINPUT, "%s needs a value: %s %s", f->name, f->name, f->value);
        bool adds = f->kind == FLAG_GIVEN || f->kind == FLAG_SIDE || f->kind == FLAG_CONTROL;
        if (given[f - flags_known] && !adds)
            return rs_fail(why, RS_EINPUT, "%s is given twice, and may have one value: %s %s", f->name, f->name,
                           f->value);
        given[f - flags_known] = true;
        int rc = read_value(out, f, value, why);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int options_refuse_unchosen(const struct options *o, struct fail *why)
{
    const struct unchosen *u = &o->unchosen;
    if (!u->word || access(u->word, F_OK) == 0)
        return 0;
    return rs_fail(why, RS_EINPUT, "%s: %.200s is none of %s", u->flag, u->word, u->choices);
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
    snprintf(out, size, "; known:");
    for (const char *const *k = known; *k; k++)
        text_add(out, size, " %s", *k);
}
