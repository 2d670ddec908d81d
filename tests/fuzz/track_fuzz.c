// SPDX-License-Identifier: MIT
// Footage that was decoded as hostile hands would have it, watched and refereed: times that leap or stand still,
// pictures lost and damaged, cuts, flashes, boards that come and go, and finders that see whatever the bytes say.
//
// Pictures are painted small; what the tracker sees with is given it as its own tests do (tracker_create), so that
// the search for a board, which takes a second, is left out. Whatever it reports goes through the log to the rules.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/adjudication.h"
#include "referee/announce/json.h"
#include "referee/games/games.h"
#include "referee/match_setup.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/match_checks.h"
#include "vision/colour.h"
#include "vision/track/pose_tracking.h"
#include "vision/track/tracker.h"

enum { WIDTH = 72, HEIGHT = 64, FRAMES_MAX = 80, DISCS_MAX = 8 };

static const double PX_PER_IN = 2.4, CAMERA_UP_IN = 60;

static struct stage {
    struct fuzz_choices c;
    const struct board *board;
    bool away;      // no board is seen
    double shift_u; // the camera has been knocked so far
    int discs;
    struct disc {
        struct pt_in at;
        int paint;
    } disc[DISCS_MAX];
    bool hand;
    struct pt_in hand_at;
    int light; // added to every pixel
} stage;

static const struct paint {
    const char *name;
    uint8_t bgr[3];
} paints[] = { { "black", { 30, 30, 30 } }, { "red", { 40, 40, 200 } }, { "green", { 60, 160, 60 } } };

static uint32_t any(uint32_t below)
{
    return fuzz_below(&stage.c, below);
}

static struct board_pose pose_now(void)
{
    struct board_pose pose = {
        .found = true, .board = *stage.board, .nominal = true, .coverage = 1, .turn_seen = true
    };
    pose.camera.lens = (struct lens){ .width = WIDTH, .height = HEIGHT, .f_px = PX_PER_IN * CAMERA_UP_IN };
    pose.camera.lens.centre = (struct pt_px){ WIDTH / 2.0 + stage.shift_u, HEIGHT / 2.0 };
    pose.camera.pose = (struct pose){ { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }, { 0, 0, CAMERA_UP_IN } };
    return pose;
}

static int find_board(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                      const struct tuning *tuning, struct fail *why)
{
    (void)f, (void)wanted, (void)lens, (void)tuning;
    *out = pose_now();
    out->found = !stage.away;
    if (any(8) == 1) // what changes is looked for in a smaller picture then
        out->camera.lens.f_px *= 1 + any(8);
    rs_fail(why, 0, "%s", stage.away ? "no board" : "");
    return any(64) == 1 ? rs_fail(why, RS_ELIB, "the library has failed") : 0;
}

static int refit(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning,
                 struct fail *why)
{
    (void)f, (void)tuning, (void)why;
    *out = (struct refit){ .seen = !stage.away && any(16) != 1 };
    if (out->seen)
        *board = pose_now();
    return 0;
}

// Mostly what lies there; some is overlooked, some is made up.
static int find_pieces(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                       const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    (void)f, (void)known, (void)tuning;
    out->count = 0;
    int made_up = any(32) == 1 ? (int)any(MAX_PIECES) : 0;
    for (int i = 0; i < stage.discs + made_up && out->count < MAX_PIECES; i++) {
        struct disc d = i < stage.discs ? stage.disc[i]
                                        : (struct disc){ { any(256) / 9.0 - 14, any(256) / 9.0 - 14 }, (int)any(3) };
        struct detection p = {
            .kind = stage.board->piece, .at = d.at, .cov = { 1e-4, 0, 1e-4 }, .certainty = 1, .support = 1
        };
        if (any(32) == 1)
            continue;
        if (any(16) == 1)
            p.plane = (enum piece_place)any(3);
        p.certainty = any(16) == 1 ? 0.5 + any(51) / 100.0 : 1;
        p.radius_in = stage.board->piece_radius_in;
        p.taw = stage.board->kind == BOARD_RING && d.paint != 2;
        const double bgr[3] = { paints[d.paint].bgr[0], paints[d.paint].bgr[1], paints[d.paint].bgr[2] };
        colour_bgr_to_lab(p.lab, bgr);
        snprintf(p.colour, sizeof p.colour, "%s", paints[any(32) == 1 ? any(3) : (uint32_t)d.paint].name);
        if (camera_project(&p.px, &pose->camera, (struct pt3_in){ d.at.x, d.at.y, stage.board->piece_height_in }))
            out->piece[out->count++] = p;
    }
    return any(64) == 1 ? rs_fail(why, RS_ELIB, "the library has failed") : 0;
}

static bool within(struct pt_in a, struct pt_in b, double radius_in)
{
    double x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y < radius_in * radius_in;
}

static const uint8_t *bgr_at(struct pt_in at)
{
    static const uint8_t wood[3] = { 130, 180, 215 }, ditch[3] = { 40, 50, 60 }, skin[3] = { 120, 150, 225 };
    if (stage.hand && fabs(at.x - stage.hand_at.x) < 1.6 && at.y < stage.hand_at.y)
        return skin;
    for (int i = 0; i < stage.discs; i++)
        if (within(at, stage.disc[i].at, stage.board->piece_radius_in))
            return paints[stage.disc[i].paint].bgr;
    return within(at, (struct pt_in){ 0, 0 }, 13) ? wood : ditch;
}

static void paint(struct frame *f)
{
    uint32_t noise = any(256) + 1;
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            const uint8_t *bgr =
                bgr_at((struct pt_in){ (u - WIDTH / 2.0 - stage.shift_u) / PX_PER_IN, (HEIGHT / 2.0 - v) / PX_PER_IN });
            noise = noise * 1664525u + 1013904223u;
            for (int k = 0; k < 3; k++) {
                int code = (stage.away ? (u / 9 * 31 + v / 7 * 57) % 200 : bgr[k]) + stage.light +
                           (int)(noise >> (24 + k)) % 3;
                f->bgr[3 * (v * WIDTH + u) + k] = (uint8_t)(code < 0 ? 0 : code > 255 ? 255 : code);
            }
        }
}

static struct pt_in anywhere(void)
{
    return (struct pt_in){ any(256) / 9.0 - 14, any(256) / 9.0 - 14 };
}

// What happens before the next frame: mostly nothing, or what moves goes on.
static void happen(void)
{
    switch (any(16)) {
    case 1:
        if (stage.discs < DISCS_MAX)
            stage.disc[stage.discs++] = (struct disc){ anywhere(), (int)any(3) };
        break;
    case 2:
        if (stage.discs > 0)
            stage.disc[any((uint32_t)stage.discs)].at = anywhere();
        break;
    case 3:
        if (stage.discs > 0)
            stage.disc[any((uint32_t)stage.discs)] = stage.disc[stage.discs - 1], stage.discs--;
        break;
    case 4:
        stage.hand = !stage.hand;
        stage.hand_at = anywhere();
        break;
    case 5:
        stage.shift_u = any(8) == 1 ? (int)any(64) - 32 : stage.shift_u + (int)any(5) - 2;
        break;
    case 6:
        stage.away = any(3) == 1;
        break;
    case 7:
        stage.light = any(3) == 1 ? (int)any(256) - 128 : 0;
        break;
    default:
        if (stage.discs > 0) // it runs
            stage.disc[stage.discs - 1].at.y += any(4) == 1 ? any(8) / 4.0 : 0;
        break;
    }
}

// As a source gives them: never falling, but whatever else.
static double later(double t_s)
{
    static const double leaps_s[] = { 0, 1e-9, 0.5, 3, 60, 1e4, 1e7, 1e-300 };
    return t_s + (any(16) == 1 ? leaps_s[any(countof(leaps_s))] : 1 / 30.0);
}

static int judge(struct adjudication *a, const struct event_list *news, struct fail *why)
{
    int rc = 0;
    for (int i = 0; i < news->count && rc == 0; i++) {
        rc = adjudication_take(a, &news->item[i].observation, why);
        match_check(&a->match);
    }
    if (rc == RS_EINPUT)
        fprintf(stderr, "%s\n", why->text);
    fuzz_must(rc != RS_EINPUT, "the log takes whatever the tracker reports");
    return rc;
}

static void watch(struct tracker *eye, struct adjudication *a, struct fail *why)
{
    struct event_list news = { 0 };
    struct tracker_view view;
    struct frame *f = NULL;
    double t_s = 0;
    int rc = 0;
    for (int i = 0; i < FRAMES_MAX && stage.c.at < stage.c.end && rc == 0; i++) {
        happen();
        fuzz_must(frame_create(&f, WIDTH, HEIGHT, why) == 0, "there is room for a frame");
        paint(f);
        f->number = i;
        f->t_s = t_s = i == 0 ? 0 : later(t_s);
        f->doubtful = any(16) == 1;
        f->lost_s = any(16) == 1 ? t_s / 2 : 0;
        rc = tracker_feed(&news, eye, f, why);
        fuzz_must(rc != RS_EINPUT, "a source's frames are taken");
        if (rc == 0)
            rc = judge(a, &news, why);
        tracker_view(&view, eye);
        fuzz_must(view.count >= 0 && view.count <= MAX_PIECES, "no more pieces are seen than there is room for");
        frame_free(f);
    }
    if (rc == 0 && (rc = tracker_finish(&news, eye, why)) >= 0)
        rc = judge(a, &news, why);
    fuzz_refused(rc, why);
    event_list_free(&news);
}

static bool suffices(const struct board_pose *pose, struct fail *why)
{
    bool seen = any(8) != 1;
    return seen || (rs_fail(why, 0, "%s found, but faint", pose->board.name), false);
}

void fuzz_track(const uint8_t *data, size_t size)
{
    static struct adjudication a; // large
    static const struct tracker_stages stages = { find_board, refit, find_pieces, suffices };
    static struct tuning tuning;
    struct tracker *eye = NULL;
    struct fail why;
    int games = 0;
    while (games_at(games))
        games++;
    stage = (struct stage){ .c = { data, data + size } };
    const struct game *game = games_at((int)any((uint32_t)games));
    struct log_header h = { .source = "hostile",
                            .board = *board_builtin(game->board),
                            .setup = match_setup_usual(game) };
    snprintf(h.game, sizeof h.game, "%s", game->name);
    stage.board = board_builtin(game->board);
    fuzz_must(adjudication_begin(&a, game, &h, &why) == 0 && log_writer_create(&a.log, NULL, &h, &why) == 0 &&
                  adjudication_add(&a, json_announcer(fuzz_nowhere()), &why) == 0,
              "a match begins");
    tuning = tuning_defaults;
    tuning.track.block_reach =
        0.01; // how far a block of the picture is looked for: most of the time would go into that
    fuzz_must(tracker_create(&eye, stage.board, NULL, &stages, &tuning, &why) == 0, "and is watched");
    watch(eye, &a, &why);
    tracker_free(eye);
    adjudication_end(&a);
}
