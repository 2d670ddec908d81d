// SPDX-License-Identifier: MIT
// `ringside record list|show|correct|export|check`: the matches that were kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/foreign.h"
#include "referee/announce/console.h"
#include "referee/announce/json.h"
#include "referee/commands/book.h"
#include "referee/commands/said_inputs.h"
#include "referee/commands/verbs.h"
#include "referee/record.h"
#include "referee/record_export.h"
#include "referee/rules/input.h"

static int print_kept(void *self, const struct kept_match *m, struct fail *why)
{
    (void)self, (void)why;
    printf("%5ld  %.10s %.5s  %-16s %-14s %4ld shot%s  %s%s\n", m->match, m->begun, m->begun + 11, m->game, m->format,
           m->shots, m->shots == 1 ? " " : "s", m->score, m->ended[0] ? "" : "  (not ended)");
    return 0;
}

static int list(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    int rc = book_open(&r, o, RECORD_READ, why);
    if (rc == 0)
        rc = record_each(r, print_kept, NULL, why);
    record_close(r);
    return rc;
}

const struct verb record_list_verb = {
    .name = "record list",
    .operands = "",
    .says = "which matches were kept, times in UTC",
    .flags = (const char *const[]){ "--book", NULL },
    .run = list,
};

static int show(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    struct kept_match m;
    int rc = book_open_match(&r, &m, o, why);
    if (rc == 0) {
        print_kept(NULL, &m, why);
        printf("       from %s, by ringside %s, %ld observation%s\n\n", m.source, m.software, m.observations,
               m.observations == 1 ? "" : "s");
        rc = record_print_calls(stdout, r, m.match, why);
    }
    record_close(r);
    return rc;
}

const struct verb record_show_verb = {
    .name = "record show",
    .operands = "[MATCH]",
    .says = "every call of a match as it was made, and every correction",
    .more = "Each line has the shot, the time, the rule, the words and the piece, by which a correction names them. "
            "Without a\n"
            "number the last match.\n",
    .flags = (const char *const[]){ "--book", NULL },
    .operands_max = 1,
    .run = show,
};

// "shot=3": true when the word is one of these, with its value.
static bool named(const char **value, const char *text, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != '=')
        return false;
    *value = text + length + 1;
    return true;
}

// `word`, whole, here and below: "shot=3".
static int said_twice(const char *word, struct fail *why)
{
    return rs_fail(why, RS_EINPUT, "%.80s: %.*s= is said twice", word, (int)strcspn(word, "="), word);
}

static int count_of(int *out, const char *word, struct fail *why)
{
    if (*out > 0)
        return said_twice(word, why);
    const char *text = strchr(word, '=') + 1;
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > LOG_NUMBER_MAX)
        return rs_fail(why, RS_EINPUT, "%.80s: a number from 1 on is needed there", word);
    *out = (int)n;
    return 0;
}

// "4" or "4,2", and no 0x4 or nan, which scanf reads too.
static bool values_of(double out[2], const char *text)
{
    int first = 0, both = 0;
    if (text[strspn(text, "0123456789.,+-")] != '\0')
        return false;
    int found = sscanf(text, "%lf%n,%lf%n", &out[0], &first, &out[1], &both);
    return found > 0 && text[found == 2 ? both : first] == '\0';
}

// What a judge says, as it is typed: [shot=N] [piece=N] [input=N] [side=S] [value=N[,N]] WORD [TEXT]. *out has no time
// yet. RS_EINPUT, with the nearest as a suggestion, for a word that no game knows, no number, no word at all.
static int read_said(struct observation *out, int words, char **word, struct fail *why)
{
    struct observation o = { .kind = OBS_INPUT, .input.by = "judge" };
    const char *value;
    size_t used = 0;
    int rc = 0, i = 0;
    for (; i < words && rc == 0; i++) {
        if (named(&value, word[i], "shot"))
            rc = count_of(&o.input.shot, word[i], why);
        else if (named(&value, word[i], "piece"))
            rc = count_of(&o.input.piece, word[i], why);
        else if (named(&value, word[i], "input"))
            rc = count_of(&o.input.input, word[i], why);
        else if (named(&value, word[i], "side") && strlen(value) >= sizeof o.input.side)
            rc = rs_fail(why, RS_EINPUT, "%.80s: a side has less than %d bytes", word[i], OBS_WORD_MAX);
        else if (named(&value, word[i], "side") && o.input.side[0])
            rc = said_twice(word[i], why);
        else if (named(&value, word[i], "side"))
            snprintf(o.input.side, sizeof o.input.side, "%s", value);
        else if (named(&value, word[i], "value") && o.input.has_value)
            rc = said_twice(word[i], why);
        else if (named(&value, word[i], "value")) {
            o.input.has_value = true;
            if (!values_of(o.input.value, value))
                rc = rs_fail(why, RS_EINPUT, "%.80s: write it as value=4 or value=4,2", word[i]);
        } else if (o.input.what == INPUT_NONE)
            input_set(&o, word[i]);
        else if (used < sizeof o.input.text)
            used += (size_t)snprintf(o.input.text + used, sizeof o.input.text - used, "%s%s", used ? " " : "", word[i]);
    }
    if (rc == 0 && used >= sizeof o.input.text)
        rc = rs_fail(why, RS_EINPUT, "what was said is longer than %d bytes", OBS_TEXT_MAX - 1);
    if (rc == 0 && o.input.what == INPUT_NONE)
        rc = rs_fail(why, RS_EINPUT, "what is to be corrected? ringside help record correct says how");
    if (rc == 0)
        rc = said_word_check(&o, why);
    *out = o;
    return rc;
}

static int correct(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    struct kept_match m;
    struct observation said;
    int rc = read_said(&said, o->operands - 1, o->operand + 1, why);
    if (rc == 0)
        rc = book_open_match(&r, &m, o, why);
    if (rc == 0)
        rc = record_correct(r, m.match, &said, o->json ? json_announcer(stdout) : console_announcer(stdout), why);
    if (rc == 0)
        rc = record_find(&m, r, m.match, why);
    if (rc == 0 && !o->json)
        printf("match %ld: %s\n", m.match, m.score);
    record_close(r);
    return rc;
}

const struct verb record_correct_verb = {
    .name = "record correct",
    .operands = "MATCH [shot=N] [piece=N] [input=N] [side=S] [value=N] WORD [TEXT]",
    .says = "say something about a match that was kept; what changes by it is told and kept",
    .more =
        "For instance\n"
        "  ringside record correct 3 shot=7 piece=12 zone 15     disc 12 was a 15 after shot 7\n"
        "  ringside record correct 3 shot=7 overrule no-hit      that call is taken back, only that one\n"
        "  ringside record correct 3 shot=7 side=Anna value=5.2,-3 put-on 10    a disc of hers lay there, in inches\n"
        "  ringside record correct 3 shot=7 piece=12 take-off    disc 12 was not there\n"
        "  ringside record correct 3 shot=9 undo                 shot 9 does not count\n"
        "  ringside record correct 3 side=Anna twenty            a twenty more for Anna\n"
        "  ringside record correct 3 side=Anna value=4 correct   Anna has 4 points\n"
        "  ringside record correct 3 input=2 retract             the second input was not said (redo: it was)\n"
        "Nothing is erased: calls that do not stand any more are withdrawn, others made instead.\n",
    .flags = (const char *const[]){ "--book", "--json", NULL },
    .operands_min = 2,
    .operands_max = 64,
    .run = correct,
};

static int export_match(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    struct kept_match m;
    int rc = book_open_match(&r, &m, o, why);
    if (rc == 0)
        rc = record_export(stdout, r, &m, o->format ? o->format : "json", version_words, why);
    record_close(r);
    return rc;
}

const struct verb record_export_verb = {
    .name = "record export",
    .operands = "[MATCH]",
    .says = "write a match to standard output",
    .more = "json (usually): all of it as it stands, samples/schema/record.json describes it; csv: every call that was "
            "ever\n"
            "made; text: a score sheet to be signed; html: a page with every shot; cmn: Crokinole Match Notation; log: "
            "what judge and bundle read.\n",
    .flags = (const char *const[]){ "--book", "--format json|csv|text|html|cmn|log", NULL },
    .operands_max = 1,
    .run = export_match,
};

static int check(const struct options *o, struct fail *why)
{
    struct record *r = NULL;
    struct record_faults found = { 0 };
    int rc = book_open(&r, o, RECORD_READ, why);
    if (rc == 0)
        rc = record_check(&found, stdout, r, version_words, why);
    if (rc == 0 && found.faults + found.otherwise == 0)
        foreign_tell(stdout, "%s is sound, and every match is judged as it was", r->path);
    record_close(r);
    if (rc < 0 || found.faults + found.otherwise == 0)
        return rc;
    if (found.faults > 0)
        rs_fail(why, 0, "%d fault%s found", found.faults, found.faults > 1 ? "s were" : " was");
    else
        rs_fail(why, 0,
                "the file is sound, but this ringside, %s, judges or tells otherwise what another one kept, or "
                "it was changed since: only the one that kept it can tell which",
                version_words);
    return ENDED_OTHERWISE;
}

const struct verb record_check_verb = {
    .name = "record check",
    .operands = "",
    .says = "is the record sound, and is every match judged again as it was?",
    .flags = (const char *const[]){ "--book", NULL },
    .run = check,
};
