// SPDX-License-Identifier: MIT
#include "tests/accuracy/damage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/accuracy/reading.h"
#include "tests/accuracy/score.h"
#include "vision/source/remux.h"
#include "vision/source/source.h"

enum { FRAMES_MAX = 4096, EVENTS_MAX = 512, KEY_MAX = 512, PATH_MAX_HERE = 600 };
static const double SAME_TIME_S = 0.002, SAME_REST_IN = 0.5;

// The frames of a recording as the program reads them.
struct film {
    int count;
    double t_s[FRAMES_MAX];
    uint64_t pixels[FRAMES_MAX]; // a hash; 0 for what is not to be believed
};

// What the program says of a recording.
struct said {
    int rc;
    char *text, *beware; // of standard output and of standard error, by us
    int count;
    json_t *event[EVENTS_MAX];
};

// A clip that is damaged: its own reading, and what is known of it.
struct clip {
    const char *ringside;
    const struct score_game *game;
    json_t *truth;
    char path[PATH_MAX_HERE], folder[64];
    struct film film;
    struct said said;
};

static uint64_t hash(const uint8_t *data, size_t size)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        h = (h ^ word) * 1099511628211u;
    }
    return h | 1;
}

static int film_read(struct film *out, const char *path, struct fail *why)
{
    struct source *s;
    struct frame *f;
    out->count = 0;
    int rc = footage_open(&s, path, why);
    if (rc < 0)
        return rc;
    while ((rc = source_next(&f, s, why)) > 0) {
        if (out->count < FRAMES_MAX) {
            out->t_s[out->count] = f->t_s;
            out->pixels[out->count++] = f->doubtful ? 0 : hash(f->bgr, 3 * (size_t)f->width * (size_t)f->height);
        }
        frame_free(f);
    }
    source_close(s);
    return rc;
}

static bool same_film(const struct film *a, const struct film *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->pixels[i] == b->pixels[i] && fabs(a->t_s[i] - b->t_s[i]) < SAME_TIME_S;
    return same;
}

// A time of the copy in the clip: by the picture that the copy shows then or last before, of all that look the same the
// one that fits the times best; from there on time goes on.
static double time_in_clip(const struct film *copy, const struct film *clip, double t_s)
{
    double at_s = 0, copy_s = 0;
    for (int i = 0; i < copy->count && copy->t_s[i] < t_s + SAME_TIME_S; i++) {
        double expected_s = at_s + copy->t_s[i] - copy_s;
        int best = -1;
        for (int k = 0; k < clip->count && copy->pixels[i]; k++)
            if (clip->pixels[k] == copy->pixels[i] &&
                (best < 0 || fabs(clip->t_s[k] - expected_s) < fabs(clip->t_s[best] - expected_s)))
                best = k;
        if (best < 0)
            continue;
        at_s = clip->t_s[best];
        copy_s = copy->t_s[i];
    }
    return at_s + t_s - copy_s;
}

// The shot that had begun last by then; -1 before the first.
static int shot_at(const json_t *truth, double t_s)
{
    const json_t *shots = json_object_get(truth, "shots");
    int n = (int)json_array_size(shots), k = 0;
    while (k < n && score_number(json_array_get(shots, (size_t)k), "start_s") <= t_s)
        k++;
    return k - 1;
}

static char *read_all(const char *path)
{
    char command[PATH_MAX_HERE + 16];
    snprintf(command, sizeof command, "cat '%s'", path);
    return score_output(command);
}

static void said_finish(struct said *s)
{
    for (int i = 0; i < s->count; i++)
        json_decref(s->event[i]);
    free(s->text);
    free(s->beware);
    *s = (struct said){ .rc = 0 };
}

// The events among the lines; the text stays whole.
static void find_events(struct said *s)
{
    for (char *line = s->text, *end; line && (end = strchr(line, '\n')) && s->count < EVENTS_MAX; line = end + 1) {
        json_t *o = json_loadb(line, (size_t)(end - line), 0, NULL);
        if (o)
            s->event[s->count++] = o;
    }
}

static void run_review(struct said *out, const struct clip *c, const char *path)
{
    char command[4 * PATH_MAX_HERE], file[PATH_MAX_HERE];
    *out = (struct said){ .rc = 0 };
    snprintf(command, sizeof command,
             "'%s' review --json --no-book --quiet --out '%s' --game %s --board %s '%s' > '%s/said' 2> '%s/beware'",
             c->ringside, c->folder, c->game->game, c->game->board, path, c->folder, c->folder);
    int status = system(command);
    out->rc = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    snprintf(file, sizeof file, "%s/said", c->folder);
    out->text = read_all(file);
    snprintf(file, sizeof file, "%s/beware", c->folder);
    out->beware = read_all(file);
    find_events(out);
}

static bool is_event(const json_t *o, const char *kind)
{
    return strcmp(score_word(o, "event"), kind) == 0;
}

static bool is_firm(const json_t *o)
{
    return strcmp(score_word(o, "verdict"), "firm") == 0;
}

// What a call says. Where a piece lies, its zone says, by whatever words; of others the words without the measures:
// what stands in brackets, and numbers that are no whole ones.
static void key_of(char out[KEY_MAX], const json_t *call)
{
    const char *zone = score_word(call, "zone"), *t = *zone ? "" : score_word(call, "text");
    int n = snprintf(out, KEY_MAX / 2, "%s|%s|%s|%s|", score_word(call, "rule"), score_word(call, "what"),
                     score_word(call, "side"), zone),
        depth = 0;
    while (*t && n < KEY_MAX - 1) {
        size_t digits = strspn(t, "0123456789"), number = strspn(t, "0123456789.");
        if (digits > 0 && number > digits + 1) {
            t += number;
            continue;
        }
        depth += *t == '(';
        if (depth == 0 && (*t != ' ' || out[n - 1] != ' '))
            out[n++] = *t;
        depth -= *t == ')';
        t++;
    }
    out[n] = '\0';
}

static bool clip_says(const struct clip *c, const json_t *call, int shot)
{
    char key[KEY_MAX], other[KEY_MAX];
    key_of(key, call);
    for (int i = 0; i < c->said.count; i++) {
        const json_t *o = c->said.event[i];
        if (!is_event(o, "call") || shot_at(c->truth, score_number(o, "t_s")) != shot)
            continue;
        key_of(other, o);
        if (strcmp(key, other) == 0)
            return true;
    }
    return false;
}

// Pieces told firmly to lie where the truth has none of that zone.
static int firm_false_pieces(const struct clip *c, json_t *event, int shot)
{
    struct placed read[SCORE_PIECES], real[SCORE_PIECES];
    int mate[SCORE_PIECES], wrong = 0;
    json_t *truth = shot < 0 ? NULL : json_array_get(json_object_get(c->truth, "shots"), (size_t)shot);
    int n = score_places(read, json_object_get(event, "at_rest")),
        m = score_places(real, json_object_get(truth, "at_rest"));
    score_pair_up(mate, read, n, real, m, score_best_turn(read, n, real, m), SAME_REST_IN);
    for (int i = 0; i < n; i++) {
        bool right = !is_firm(read[i].of) || strcmp(score_word(read[i].of, "zone"), "ditch") == 0;
        for (int k = 0; k < m && !right; k++)
            right = mate[k] == i && strcmp(score_word(read[i].of, "zone"), score_word(real[k].of, "zone")) == 0;
        wrong += !right;
    }
    return wrong;
}

static int count_wrong(const struct clip *c, const struct said *s, const struct film *film, const char *what)
{
    int wrong = 0;
    for (int i = 0; i < s->count; i++) {
        json_t *o = s->event[i];
        bool call = is_event(o, "call"), shot = is_event(o, "shot");
        if ((!call || !is_firm(o)) && !shot)
            continue;
        double t_s = score_number(o, call ? "t_s" : "rest_s"), in_clip_s = time_in_clip(film, &c->film, t_s);
        int k = shot_at(c->truth, in_clip_s);
        int bad = call ? !clip_says(c, o, k) : firm_false_pieces(c, o, k);
        if (bad)
            printf("  FIRM AND WRONG  %s: at %.2f s (%.2f s of the clip) %s\n", what, t_s, in_clip_s,
                   call ? score_word(o, "text") : "where pieces lie");
        wrong += bad;
    }
    return wrong;
}

// Of the clip's calls, how many the copy has as well, firm or close.
static void count_kept(struct damage_tally *t, const struct clip *c, const struct said *s)
{
    bool used[EVENTS_MAX] = { false };
    for (int i = 0; i < c->said.count; i++) {
        char key[KEY_MAX], other[KEY_MAX];
        int found = -1;
        if (!is_event(c->said.event[i], "call"))
            continue;
        key_of(key, c->said.event[i]);
        for (int k = 0; k < s->count && found < 0; k++) {
            if (used[k] || !is_event(s->event[k], "call"))
                continue;
            key_of(other, s->event[k]);
            found = strcmp(key, other) == 0 ? k : -1;
        }
        if (found >= 0)
            used[found] = true;
        t->withheld += found < 0;
        t->firm += found >= 0 && is_firm(s->event[found]);
        t->close += found >= 0 && !is_firm(s->event[found]);
    }
}

static bool is_told(const struct clip *c, const struct said *s, const char *name)
{
    char path[PATH_MAX_HERE];
    if (s->rc != 0)
        return s->beware && strncmp(s->beware, "ringside: ", 10) == 0;
    snprintf(path, sizeof path, "%s/%s.ringside.jsonl", c->folder, name);
    char *log = read_all(path);
    bool told = log && strstr(log, "\"damaged\"") && s->beware && strstr(s->beware, "beware") && s->text &&
                strstr(s->text, "\"event\":\"losses\"");
    free(log);
    return told;
}

// `judge` reads the log to the very calls that were made.
static bool is_rejudged(const struct clip *c, const struct said *s, const char *name)
{
    char command[3 * PATH_MAX_HERE];
    snprintf(command, sizeof command, "'%s' judge --json '%s/%s.ringside.jsonl' 2>&1", c->ringside, c->folder, name);
    char *again = s->rc == 0 ? score_output(command) : NULL;
    size_t n = again ? strlen(again) : 0;
    bool same = s->rc != 0 || (again && strncmp(again, s->text, n) == 0 &&
                               (s->text[n] == '\0' || strncmp(s->text + n, "{\"event\":\"losses\"", 17) == 0));
    free(again);
    return same;
}

static void empty_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -f '%s'/*", folder);
    free(score_output(command));
}

static int score_copy(struct damage_tally *t, const struct clip *c, enum damage kind, uint32_t seed, bool every,
                      struct fail *why)
{
    char path[PATH_MAX_HERE], words[DAMAGE_WORDS_MAX] = "", what[2 * DAMAGE_WORDS_MAX];
    struct fail unread;
    struct said said;
    snprintf(path, sizeof path, "%s/copy", c->folder);
    int rc = damaged_copy(words, path, kind, c->path, seed, why);
    struct film *film = rc == 0 ? calloc(1, sizeof *film) : NULL;
    if (!film)
        return rc < 0 ? rc : rs_fail(why, RS_ENOMEM, "no memory for a copy");
    snprintf(what, sizeof what, "seed %u %s (%s) %s", seed, damage_name(kind), strrchr(path, '.') + 1, words);
    bool opened = film_read(film, path, &unread) == 0, harmless = opened && same_film(film, &c->film);
    run_review(&said, c, path);
    bool told = is_told(c, &said, "copy"), rejudged = is_rejudged(c, &said, "copy");
    int wrong = count_wrong(c, &said, film, what);
    t->copies++;
    t->harmless += harmless;
    t->refused += !harmless && said.rc != 0 && told;
    t->told += !harmless && said.rc == 0 && told;
    t->untold += !harmless && !told;
    t->wrong += wrong;
    t->rejudged_otherwise += !rejudged;
    count_kept(t, c, &said);
    if (!harmless && !told)
        printf("  UNTOLD  %s: exit %d, %s", what, said.rc, said.beware && *said.beware ? said.beware : "not a word\n");
    if (!rejudged)
        printf("  JUDGED OTHERWISE  %s\n", what);
    if (every)
        printf("  %s: exit %d %s %s", what, said.rc,
               harmless ? "harmless"
               : told   ? "told"
                        : "untold",
               said.beware && *said.beware ? said.beware : "\n");
    fflush(stdout);
    said_finish(&said);
    free(film);
    empty_folder(c->folder);
    return 0;
}

// The beginning of the clip, in a folder of its own: it is to outlast the copies.
static int take_part(struct clip *c, double last_s, struct fail *why)
{
    struct remux part = { .from_s = 0, .to_s = last_s };
    char folder[PATH_MAX_HERE];
    snprintf(folder, sizeof folder, "%s-part", c->folder);
    int rc = mkdir(folder, 0700) == 0 ? 0 : rs_fail(why, RS_EIO, "%s cannot be made", folder);
    if (rc == 0)
        rc = remux_make(&part, folder, c->path, why);
    if (rc == 0)
        snprintf(c->path, sizeof c->path, "%s-part/%s", c->folder, part.name);
    return rc;
}

// What was made for this clip.
static void clear(const struct clip *c)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s' '%s-part'", c->folder, c->folder);
    free(score_output(command));
}

int damage_score(struct damage_tally out[DAMAGES], const char *ringside, const char *truth_path, double last_s,
                 int copies, uint32_t seed, bool every, struct fail *why)
{
    const char *slash = strrchr(truth_path, '/');
    struct clip *c = calloc(1, sizeof *c);
    if (!c)
        return rs_fail(why, RS_ENOMEM, "no memory for a clip");
    c->ringside = ringside;
    c->truth = score_truth(truth_path, why);
    int rc = c->truth ? 0 : RS_EINPUT;
    snprintf(c->folder, sizeof c->folder, "/tmp/ringside-damage-XXXXXX");
    if (rc == 0 && !mkdtemp(c->folder))
        rc = rs_fail(why, RS_EIO, "no scratch folder can be made");
    if (rc == 0) {
        snprintf(c->path, sizeof c->path, "%.*s%s", slash ? (int)(slash - truth_path + 1) : 0, truth_path,
                 score_word(c->truth, "clip"));
        c->game = score_game(score_word(c->truth, "kind"));
    }
    if (rc == 0 && isfinite(last_s))
        rc = take_part(c, last_s, why);
    if (rc == 0) {
        rc = c->game ? film_read(&c->film, c->path, why) : rs_fail(why, RS_EINPUT, "%s: an unknown kind", truth_path);
    }
    if (rc == 0)
        run_review(&c->said, c, c->path);
    for (int i = 0; i < copies + copies / DAMAGE_FLIPPED && rc == 0; i++) {
        enum damage kind = i < copies ? (enum damage)(i % DAMAGE_FLIPPED) : DAMAGE_FLIPPED;
        rc = score_copy(&out[kind], c, kind, seed + (uint32_t)i, every, why);
    }
    said_finish(&c->said);
    if (c->truth)
        clear(c);
    json_decref(c->truth);
    free(c);
    return rc;
}
