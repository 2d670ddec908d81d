// SPDX-License-Identifier: MIT
// Matches by chance, plausible ones and what becomes of them when things are left out, said twice or taken back: the
// bytes choose the game, what is agreed, who shoots what where, and what people say. Each observation goes through the
// log.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/adjudication.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "referee/rules/input.h"
#include "referee/score_sheet.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/match_checks.h"

enum { TARGETS = 13, STEPS_MAX = 80, IDS_MAX = 400 };

static struct play {
    struct fuzz_choices c;
    const struct game *game;
    const struct board *board;
    struct log_header header;
    struct adjudication referee;
    struct score_sheet sheet;
    double t_s;
    int ids;
} play;

static uint32_t any(uint32_t below)
{
    return fuzz_below(&play.c, below);
}

static int follow(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    (void)self, (void)r;
    return score_sheet_follow(&play.sheet, m, why);
}

// What the log would not take nobody has seen.
static void take(struct observation o)
{
    struct fail why;
    o.t_s = play.t_s;
    play.t_s += any(16) == 1 ? any(100) : 0.1;
    fuzz_refused(adjudication_take(&play.referee, &o, &why), &why);
    match_check(&play.referee.match);
}

// Whatever a tracker may give out.
static double any_length_in(void)
{
    double length_in = fuzz_number(&play.c);
    return isfinite(length_in) ? fmod(length_in, 1000) : 0;
}

static struct pt_in anywhere(void)
{
    double most_in = play.board->circle_in[0] + 3, line_in = play.board->circle_in[any((uint32_t)play.board->circles)];
    switch (any(4)) {
    case 0: { // at a line, to this side of it or that
        double angle_rad = any(256) / 40.0, r_in = line_in + ((int)any(256) - 128) / 1000.0;
        struct pt_in at = { r_in * cos(angle_rad), r_in * sin(angle_rad) };
        return at;
    }
    case 1:
        return (struct pt_in){ any_length_in(), any_length_in() };
    default:
        return (struct pt_in){ most_in * ((int)any(256) - 128) / 128, most_in * ((int)any(256) - 128) / 128 };
    }
}

static void rest(int id)
{
    struct observation o = { .kind = OBS_REST, .id = id, .rest = { anywhere(), { 1e-4, 0, 1e-4 }, ON_SURFACE, 0 } };
    if (any(8) == 1)
        o.rest.cov = (struct cov_in2){ any(256) / 100.0, 0, any(256) / 1000.0 };
    if (any(6) == 1)
        o.rest.plane = (enum piece_place)any(4);
    take(o);
}

static int any_id(void)
{
    return 1 + (int)any((uint32_t)(play.ids > 0 ? play.ids : 1));
}

static int put_down(const char *colour, bool taw)
{
    if (play.ids == IDS_MAX)
        return any_id();
    struct observation o = { .kind = OBS_SEEN, .id = ++play.ids };
    o.seen.kind = any(32) == 1 ? (enum piece_kind)any(3) : play.board->piece;
    o.seen.taw = any(16) == 1 ? !taw : taw;
    o.seen.certainty = any(8) == 1 ? 0.5 + any(51) / 100.0 : 1;
    o.seen.radius_in = taw ? 0.33 : play.board->piece_radius_in;
    snprintf(o.seen.colour, sizeof o.seen.colour, "%s", colour);
    take(o);
    rest(o.id);
    return o.id;
}

static const char *any_colour(void)
{
    static const char *const colours[] = { "black", "red", "green", "yellow", "natural" };
    return colours[any(any(8) == 1 ? countof(colours) : 2)];
}

static void shoot(int id)
{
    take((struct observation){ .kind = OBS_MOVE, .id = id, .move = { any(16) == 1, anywhere() } });
    for (uint32_t k = any(5); k > 0; k--) {
        int other = any_id();
        if (any(2))
            take((struct observation){
                .kind = OBS_CONTACT, .id = id, .contact = { (enum touched)any(4), other, any(3) * 0.01, anywhere() } });
        take((struct observation){ .kind = OBS_MOVE, .id = other, .move = { any(8) == 1, anywhere() } });
        if (any(6) == 1)
            take((struct observation){ .kind = OBS_GONE, .id = other, .gone = { (enum piece_place)any(UNSEEN + 1) } });
        else if (any(8))
            rest(other);
    }
    if (any(8))
        rest(id);
    if (any(12))
        take((struct observation){ .kind = OBS_STILL, .still = { any(3) * 0.1, any(3) * 0.01 } });
}

static void say(void)
{
    static const char *const texts[] = { "",       "15", "ditch", "out",      "20",    "in",  "N5",
                                         "no-hit", "A1", "taw",   "hunching", "black", "red", "zone" };
    static const char *const sides[] = { "", "Home", "Away", "black", "red", "nobody" };
    struct observation o = { .kind = OBS_INPUT };
    enum input_kind what = (enum input_kind)(1 + any(INPUT_KINDS - 1));
    const char *word = input_kind_word(what);
    input_set(&o, word ? word : "what?");
    snprintf(o.input.by, sizeof o.input.by, "%s", any(2) ? "judge" : "player");
    snprintf(o.input.text, sizeof o.input.text, "%s", texts[any(countof(texts))]);
    snprintf(o.input.side, sizeof o.input.side, "%s", sides[any(countof(sides))]);
    o.input.shot = any(2) ? (int)any(40) : 0;
    o.input.piece = any(2) ? any_id() : 0;
    o.input.input = any(3) == 1 ? (int)any(12) : 0;
    o.input.has_value = any(3) == 1;
    if (o.input.has_value) {
        o.input.value[0] = any(4) ? any(16) : floor(any_length_in());
        o.input.value[1] = any(4) ? any(16) : floor(any_length_in());
    }
    take(o);
}

static void step(int number)
{
    bool ring = play.board->kind == BOARD_RING;
    switch (any(12)) {
    default: {
        int id = put_down(any(9) ? (number % 2 ? "red" : "black") : any_colour(), ring);
        shoot(any(12) ? id : any_id());
        if (ring && any(4))
            take((struct observation){ .kind = OBS_GONE, .id = id, .gone = { BY_HAND } });
        break;
    }
    case 1:
    case 2:
    case 3:
        say();
        break;
    case 4:
        take((struct observation){
            .kind = OBS_GONE, .id = any_id(), .gone = { any(4) ? BY_HAND : (enum piece_place)any(UNSEEN + 1) } });
        break;
    case 5: // the board is cleared
        for (int id = 1; id <= play.ids; id++)
            take((struct observation){ .kind = OBS_GONE, .id = id, .gone = { BY_HAND } });
        take((struct observation){ .kind = OBS_STILL });
        break;
    case 6:
        take((struct observation){ .kind = OBS_HAND, .hand = { any(2), any(7) } });
        break;
    case 7:
        take((struct observation){ .kind = OBS_CAMERA, .camera = { (enum camera_event)any(6), any(4) } });
        break;
    }
}

static void agree(void)
{
    static const char *const names[] = { "Home", "Away", "Anna", "" };
    static const char *const paints[] = { "black", "red", "", "red" };
    struct match_setup *m = &play.header.setup;
    *m = match_setup_usual(play.game);
    m->format = play.game->formats[any((uint32_t)play.game->format_count)];
    m->seats = (int)any(SIDES + 1);
    for (int i = 0; i < m->seats; i++) {
        snprintf(m->seat[i].name, OBS_WORD_MAX, "%s", names[any(8) ? (uint32_t)i : any(countof(names))]);
        snprintf(m->seat[i].colour, OBS_WORD_MAX, "%s", paints[any(8) ? (uint32_t)i : any(countof(paints))]);
    }
    m->first = any(2) ? (int)any((uint32_t)m->seats + 1) - 1 : -1;
    m->permit_needed = any(16) == 1;
    // What cannot be agreed is not: then it is as usual.
    struct fail why;
    struct match_setup read = match_setup_usual(play.game);
    json_t *told = match_setup_to_json(m);
    *m = told && match_setup_from_json(&read, told, play.game, &why) == 0 ? read : match_setup_usual(play.game);
    json_decref(told);
}

// Judged with all words known from the beginning, and as another game.
static void judge_again(void)
{
    static struct match stands; // large
    struct fail why;
    struct log_reader *log = NULL;
    fuzz_must(log_writer_read(&log, play.referee.log, &why) == 0, "what was taken can be read");
    fuzz_must(adjudicate_as_it_stands(&stands, log, play.game, json_announcer(fuzz_nowhere()), &why) == 0,
              "what was judged is judged again");
    match_check_same(&play.referee.match, &stands);
    log_reader_free(log);
    log = NULL;
    const struct game *other = games_at((int)any(8));
    fuzz_must(log_writer_read(&log, play.referee.log, &why) == 0, "what was taken can be read twice");
    if (other && board_builtin(other->board)->kind == play.board->kind)
        fuzz_refused(adjudicate_both(log, play.game, other, json_announcer(fuzz_nowhere()), &why), &why);
    log_reader_free(log);
}

// What was taken back and is taken back again was never said.
static void undo_and_redo(void)
{
    static struct match before; // large
    struct observation o = { .kind = OBS_INPUT, .input.by = "judge" };
    struct match *m = &play.referee.match;
    if (m->shot.number < 1 || m->inputs > 0)
        return; // where words were said before, the last one may be about others
    before = *m;
    input_set(&o, "undo");
    o.input.shot = 1 + (int)any((uint32_t)m->shot.number);
    take(o);
    o.input.shot = 0;
    input_set(&o, "redo");
    take(o);
    match_check_same(m, &before);
}

void fuzz_fold(const uint8_t *data, size_t size)
{
    struct fail why;
    int games = 0;
    char *told = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&told, &length);
    fuzz_must(to != NULL, "the machine has room for words");
    while (games_at(games))
        games++;
    play = (struct play){ .c = { data, data + size } };
    play.game = games_at((int)any((uint32_t)games));
    play.board = board_builtin(play.game->board);
    play.header = (struct log_header){ .board = *play.board, .source = "by chance" };
    snprintf(play.header.game, sizeof play.header.game, "%s", play.game->name);
    agree();
    int rc = adjudication_begin(&play.referee, play.game, &play.header, &why);
    if (!fuzz_refused(rc, &why)) {
        fuzz_must(log_writer_create(&play.referee.log, NULL, &play.header, &why) == 0, "there is room for a log");
        fuzz_must(adjudication_add(&play.referee, json_announcer(to), &why) == 0, "there is room for an announcer");
        fuzz_must(adjudication_add(&play.referee, (struct announcer){ follow, NULL }, &why) == 0, "and a sheet");
        for (int i = 0; i < TARGETS && play.board->kind == BOARD_RING; i++)
            put_down("green", false);
        take((struct observation){ .kind = OBS_STILL });
        for (int i = 0; i < STEPS_MAX && play.c.at < play.c.end; i++)
            step(i);
        judge_again();
        undo_and_redo();
        score_sheet_print(to, &play.sheet, &play.referee.match);
    }
    score_sheet_free(&play.sheet);
    adjudication_end(&play.referee);
    fclose(to);
    fuzz_must_be_plain(told, length);
    free(told);
}
