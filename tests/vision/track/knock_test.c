// SPDX-License-Identifier: MIT
// A camera that is knocked, that drifts or breathes while a game runs: painted boards through true cameras, the real
// board finder and refit, and a piece finder that measures without error, so that every error is one of the pose.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/calibration/view.h"
#include "tests/sanitized.h"
#include "tests/vision/board/painted.h"
#include "vision/colour.h"
#include "vision/quality.h"
#include "vision/track/pose_tracking.h"
#include "vision/track/tracker.h"

enum { WIDTH = 560, HEIGHT = 460, DISCS = 5, SHOT_DISC = 0, NOTICED_WITHIN = 10 };
static const double TILT_RAD = 0.35, KNOCK_S = 0.7, SHOT_S = 2.3, SHOT_TAKES_S = 0.5, END_S = 3.4;
static const double PLACE_IN = 0.03; // a place is right when it is no farther off
static const double NOISE = 2;       // codes, at most

static const struct paint PAINT = { { 60, 70, 80 }, { 150, 190, 215 }, { 40, 40, 45 }, 0, 0 };
static const struct pt_in SHOT_TO = { -4.5, 1.5 };

static const struct disc {
    const char *colour;
    double bgr[3];
    struct pt_in at;
} discs[DISCS] = {
    { "black", { 50, 45, 40 }, { 1, -11 } },    { "red", { 40, 40, 200 }, { 6, 2.5 } },
    { "red", { 40, 40, 200 }, { -3, 8 } },      { "black", { 50, 45, 40 }, { -7.5, -1 } },
    { "black", { 50, 45, 40 }, { 2.2, -5.9 } },
};

// What happens to the camera: it comes from KNOCK_S on and takes so long; what breathes goes back as it came.
struct knock {
    const char *name;
    double right_in, turn_deg, zoom, takes_s;
    bool breathes, hand; // hand: it lies over a disc while the camera is knocked
    bool ring;           // instead of a board of circles, which shows its turn, a bare ring
};

enum { HIDDEN_DISC = 4 };
static const double HAND_WIDTH_IN = 3.2, HAND_FROM_S = 0.35, HAND_TO_S = 1.3, HAND_MOVES_S = 0.2;

// What is on at this moment; the finders of an eye are given nothing else to know it by.
static struct {
    const struct knock *knock;
    struct board board;
    struct camera camera;
    struct pt_in place[DISCS];
    double hand_y;       // of its tip; it comes from below
    struct frame *empty; // the board without discs, as `painted_by` sees it
    struct camera painted_by;
    uint32_t seed;
} stage;

static struct camera first_view(void)
{
    return view_of_board(WIDTH, HEIGHT, 560, -0.03, TILT_RAD, 0.2, 43);
}

static struct camera view_at(const struct knock *k, double t_s)
{
    struct camera c = first_view();
    double part = t_s < KNOCK_S ? 0 : k->takes_s > 0 ? fmin(1, (t_s - KNOCK_S) / k->takes_s) : 1;
    if (k->breathes)
        part = part < 0.5 ? 2 * part : 2 - 2 * part;
    c.pose.t_in[0] += part * k->right_in;
    c.lens.f_px *= 1 + part * k->zoom;
    camera_turn(&c, part * k->turn_deg * PI / 180);
    return c;
}

// How far the hand is in, 0 .. 1, at that moment.
static double hand_in(const struct knock *k, double t_s)
{
    double in = (t_s - HAND_FROM_S) / HAND_MOVES_S, out = (HAND_TO_S - t_s) / HAND_MOVES_S;
    return k->hand ? fmin(fmax(fmin(in, out), 0), 1) : 0;
}

static void set_stage(const struct knock *k, double t_s)
{
    double part = fmin(fmax((t_s - SHOT_S) / SHOT_TAKES_S, 0), 1);
    part *= 2 - part; // it slows to a stand
    stage.camera = view_at(k, t_s);
    stage.hand_y = -20 + 15.5 * hand_in(k, t_s);
    for (int i = 0; i < DISCS; i++)
        stage.place[i] = discs[i].at;
    stage.place[SHOT_DISC].x += part * (SHOT_TO.x - discs[SHOT_DISC].at.x);
    stage.place[SHOT_DISC].y += part * (SHOT_TO.y - discs[SHOT_DISC].at.y);
}

static void paint_hand(struct frame *f)
{
    static const uint8_t skin[3] = { 120, 150, 225 };
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            struct pt_in at;
            if (camera_locate(&at, &stage.camera, (struct pt_px){ u, v }, 0) && at.y < stage.hand_y &&
                fabs(at.x - discs[HIDDEN_DISC].at.x) < HAND_WIDTH_IN / 2)
                memcpy(&f->bgr[3 * (v * WIDTH + u)], skin, sizeof skin);
        }
}

static void paint_disc(struct frame *f, int i)
{
    struct pt_px middle;
    double r = stage.board.piece_radius_in;
    assert_true(camera_project(&middle, &stage.camera, (struct pt3_in){ stage.place[i].x, stage.place[i].y, 0 }));
    int reach = (int)(2 * r * camera_scale_px_per_in(&stage.camera, (struct pt3_in){ 0, 0, 0 }));
    for (int v = (int)middle.v - reach; v <= (int)middle.v + reach; v++)
        for (int u = (int)middle.u - reach; u <= (int)middle.u + reach; u++) {
            struct pt_in at;
            if (u < 0 || v < 0 || u >= WIDTH || v >= HEIGHT ||
                !camera_locate(&at, &stage.camera, (struct pt_px){ u, v }, 0) ||
                hypot(at.x - stage.place[i].x, at.y - stage.place[i].y) > r)
                continue;
            for (int c = 0; c < 3; c++)
                f->bgr[3 * (v * WIDTH + u) + c] = (uint8_t)discs[i].bgr[c];
        }
}

// The stage as it is now, with fresh noise. The caller frees it.
static struct frame *picture(double t_s)
{
    struct frame *f;
    if (memcmp(&stage.painted_by, &stage.camera, sizeof stage.camera) != 0)
        paint_board(stage.empty, &stage.camera, &stage.board, &PAINT);
    stage.painted_by = stage.camera;
    assert_int_equal(frame_copy(&f, stage.empty, NULL), 0);
    f->t_s = t_s;
    for (int i = 0; i < DISCS; i++)
        paint_disc(f, i);
    if (stage.hand_y > -15)
        paint_hand(f);
    for (size_t i = 0; i < 3 * (size_t)WIDTH * HEIGHT; i++) {
        stage.seed = stage.seed * 1664525u + 1013904223u;
        double code = f->bgr[i] + ((double)(stage.seed >> 24) / 127.5 - 1) * NOISE;
        f->bgr[i] = (uint8_t)fmin(fmax(code + 0.5, 0), 255);
    }
    return f;
}

// Where a place of the stage is, by a found camera.
static struct pt_in found_place(const struct camera *found, const struct camera *truth, struct pt_in at)
{
    struct pt_px seen;
    struct pt_in out = { NAN, NAN };
    if (camera_project(&seen, truth, (struct pt3_in){ at.x, at.y, 0 }))
        camera_locate(&out, found, seen, 0);
    return out;
}

static int find_pieces(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                       const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    (void)tuning;
    (void)known, (void)why;
    set_stage(stage.knock, f->t_s); // the frame before this one may be asked too
    out->count = 0;
    for (int i = 0; i < DISCS; i++) {
        if (i == HIDDEN_DISC && stage.hand_y > discs[i].at.y - stage.board.piece_radius_in)
            continue;
        struct detection p = { .kind = PIECE_DISC,
                               .radius_in = stage.board.piece_radius_in,
                               .certainty = 1,
                               .support = 1,
                               .at = found_place(&pose->camera, &stage.camera, stage.place[i]) };
        snprintf(p.colour, sizeof p.colour, "%s", discs[i].colour);
        colour_bgr_to_lab(p.lab, discs[i].bgr);
        camera_project(&p.px, &pose->camera, (struct pt3_in){ p.at.x, p.at.y, pose->board.piece_height_in });
        out->piece[out->count++] = p;
    }
    return 0;
}

// What was told, and when.
struct told {
    int seen, gone, shots, other_moves, moved, lost, locked;
    double noticed_s;                 // when the first word of the camera after the first lock came
    double shift_in;                  // the largest that was told of one movement
    int shot_id;                      // of the piece that was shot
    struct pt_in first[DISCS + 1];    // first rest of each id
    struct pt_in last[DISCS + 1];     // and the last
    struct camera found, found_first; // by the eye, at the end and at the beginning
    double rms_px;                    // of the last still moment
};

static void note(struct told *t, const struct observation *o, double now_s)
{
    assert_true(o->id <= DISCS); // nothing new came to the board
    if (o->kind == OBS_CAMERA) {
        if (t->locked > 0)
            t->noticed_s = fmin(t->noticed_s, now_s);
        t->moved += o->camera.what == CAMERA_MOVED;
        t->lost += o->camera.what == CAMERA_LOST;
        t->locked += o->camera.what == CAMERA_LOCKED;
        t->shift_in = fmax(t->shift_in, o->camera.shift_in);
    }
    if (o->kind == OBS_REST && t->first[o->id].x == 0)
        t->first[o->id] = o->rest.at;
    if (o->kind == OBS_REST)
        t->last[o->id] = o->rest.at;
    if (o->kind == OBS_STILL)
        t->rms_px = o->still.rms_px;
    t->seen += o->kind == OBS_SEEN;
    t->gone += o->kind == OBS_GONE;
    bool shot = o->kind == OBS_MOVE && o->move.by == MOVED_BY_SHOT;
    t->shots += shot;
    t->other_moves += o->kind == OBS_MOVE && !shot;
    t->shot_id = shot ? o->id : t->shot_id;
}

static struct board board_of(const struct knock *k)
{
    struct board b = *board_builtin(k->ring ? "ring-7ft" : "crokinole-nca");
    b.line_width_in = 0.1;
    if (!k->ring)
        return b;
    b.circle_in[0] = 12;
    b.line_width_in = 0.3;
    b.piece = PIECE_DISC;
    b.piece_radius_in = 0.625;
    b.piece_height_in = 0.375;
    return b;
}

static struct told watch(const struct knock *k, double rate)
{
    struct tracker_stages finders = { board_find, board_refit, find_pieces, quality_suffices };
    struct event_list news = { 0 };
    struct told t = { .noticed_s = INFINITY };
    struct tracker *e;
    stage.board = board_of(k);
    stage.knock = k;
    stage.seed = 5;
    assert_int_equal(frame_create(&stage.empty, WIDTH, HEIGHT, NULL), 0);
    assert_int_equal(tracker_create(&e, &stage.board, NULL, &finders, &tuning_defaults, NULL), 0);
    for (int i = 0; i / rate < END_S; i++) {
        set_stage(k, i / rate);
        struct frame *f = picture(i / rate);
        assert_int_equal(tracker_feed(&news, e, f, NULL), 0);
        for (int n = 0; n < news.count; n++)
            note(&t, &news.item[n].observation, i / rate);
        if (i == 0)
            t.found_first = tracker_board(e)->camera;
        frame_free(f);
    }
    assert_int_equal(tracker_finish(&news, e, NULL), 0);
    for (int n = 0; n < news.count; n++)
        note(&t, &news.item[n].observation, END_S);
    t.found = tracker_board(e)->camera;
    stage.painted_by = (struct camera){ .lens.width = 0 };
    frame_free(stage.empty);
    tracker_free(e);
    event_list_free(&news);
    return t;
}

// The game went on as if nothing had happened: five discs, one shot, and every place where it is.
static void check_game(const struct told *t, const struct knock *k)
{
    struct camera truth = first_view(), now = view_at(k, END_S);
    struct pt_in to = found_place(&t->found_first, &truth, SHOT_TO);
    if (t->seen != DISCS || t->gone != 0 || t->shots != 1 || t->other_moves != 0)
        fail_msg("%s: %d seen, %d gone, %d shots, %d other moves", k->name, t->seen, t->gone, t->shots, t->other_moves);
    struct pt_in was = found_place(&t->found_first, &truth, discs[SHOT_DISC].at);
    struct pt_in from = t->first[t->shot_id], rest = t->last[t->shot_id];
    assert_true(hypot(from.x - was.x, from.y - was.y) < PLACE_IN);
    if (!(hypot(rest.x - to.x, rest.y - to.y) < PLACE_IN))
        fail_msg("%s: the disc rests %.3f in off", k->name, hypot(rest.x - to.x, rest.y - to.y));
    for (int i = 0; i < DISCS; i++) {
        struct pt_in before = found_place(&t->found_first, &truth, discs[i].at),
                     after = found_place(&t->found, &now, discs[i].at);
        if (!(hypot(before.x - after.x, before.y - after.y) < PLACE_IN))
            fail_msg("%s: a place is %.3f in off", k->name, hypot(before.x - after.x, before.y - after.y));
    }
    assert_true(t->rms_px > 0 && t->rms_px < 0.5);
}

static void check_knock(const struct knock *k, double rate)
{
    struct told t = watch(k, rate);
    struct camera before = first_view(), after = view_at(k, END_S);
    double size_in = board_shift_in(&stage.board, &before, &after);
    int frames = (int)lround((t.noticed_s - ceil((KNOCK_S + k->takes_s) * rate - 1e-9) / rate) * rate) + 1;
    print_message("  %-22s %2.0f a second: %.2f in, told %.2f, %d moved, %d lost, in still frame %d\n", k->name, rate,
                  size_in, t.shift_in, t.moved, t.lost, frames);
    assert_true(isfinite(t.noticed_s));
    assert_true(frames >= 1 && frames <= NOTICED_WITHIN);
    assert_int_equal(t.moved + t.lost, 1);
    assert_int_equal(t.locked, 1 + t.lost);
    assert_true(fabs(t.shift_in - size_in) < 0.2 * size_in + 0.01);
    check_game(&t, k);
}

static void knocks_are_noticed_and_change_nothing(void **state)
{
    (void)state;
    static const struct knock knocks[] = {
        { "shift 0.1 in", 0.1, 0, 0, 0, false, false, false },
        { "shift 0.4 in", 0.4, 0, 0, 0, false, false, false },
        { "shift 3 in", 3, 0, 0, 0, false, false, false },
        { "turn 0.5 degrees", 0, 0.5, 0, 0, false, false, false },
        { "turn 4 degrees", 0, 4, 0, 0, false, false, false },
        { "turn -20 degrees", 0, -20, 0, 0, false, false, false },
        { "zoom 1 %", 0, 0, 0.01, 0, false, false, false },
        { "zoom 10 %", 0, 0, 0.1, 0, false, false, false },
        { "swings by 0.4 in", 0.4, 0, 0, 0.2, false, false, false },
        { "all of them", -1, 3, -0.05, 0, false, false, false },
    };
    for (size_t i = 0; i < countof(knocks); i += SANITIZED ? 3 : 1)
        check_knock(&knocks[i], 30);
}

static void at_other_rates_too(void **state)
{
    (void)state;
    static const struct knock small = { "shift 0.2 in", 0.2, 0, 0, 0, false, false, false };
    static const struct knock large = { "turn and shift", 1, 6, 0, 0, false, false, false };
    static const double rates[] = { 25, 60 };
    for (size_t i = 0; i < (SANITIZED ? 1 : countof(rates)); i++) {
        check_knock(&small, rates[i]);
        check_knock(&large, rates[i]);
    }
}

// Autofocus, a tripod that sinks: followed, and the game goes on.
static void slow_movements_are_followed(void **state)
{
    (void)state;
    static const struct knock slow[] = {
        { "breathing of 1 %", 0, 0, 0.01, 2, true, false, false },
        { "sinks by 0.15 in", 0.15, 0, 0, 1.5, false, false, false },
    };
    for (size_t i = 0; i < countof(slow); i++) {
        struct told t = watch(&slow[i], 15);
        print_message("  %-22s %d moved, %d lost\n", slow[i].name, t.moved, t.lost);
        assert_true(t.moved <= 3);
        assert_int_equal(t.lost, 0);
        assert_int_equal(t.locked, 1);
        check_game(&t, &slow[i]);
    }
}

// Whose sleeve it was: what lies under the hand is not taken for gone, and the hand that leaves not for a shot.
static void a_knock_under_a_hand_takes_nothing_away(void **state)
{
    (void)state;
    static const struct knock knocks[] = {
        { "shift 0.3 in, a hand", 0.3, 0, 0, 0, false, true, false },
        { "shift 2 in, a hand", 2, 5, 0, 0, false, true, false },
    };
    for (size_t i = 0; i < countof(knocks); i++)
        check_knock(&knocks[i], 30);
}

// All its pieces move at once and in one way: that was the camera. A ring lies still when only the camera is turned.
static void a_bare_ring_that_turns_is_no_shot(void **state)
{
    (void)state;
    static const struct knock knocks[] = {
        { "ring turns 6 degrees", 0, 6, 0, 0, false, false, true },
        { "ring shifts 0.8 in", 0.8, 0, 0, 0, false, false, true },
    };
    for (size_t i = 0; i < countof(knocks); i++)
        check_knock(&knocks[i], 30);
}

static void nothing_is_told_of_a_camera_at_rest(void **state)
{
    (void)state;
    static const struct knock none = { "nothing", 0, 0, 0, 0, false, false, false };
    struct told t = watch(&none, 30);
    assert_int_equal(t.moved + t.lost, 0);
    check_game(&t, &none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knocks_are_noticed_and_change_nothing),
        cmocka_unit_test(at_other_rates_too),
        cmocka_unit_test(slow_movements_are_followed),
        cmocka_unit_test(a_knock_under_a_hand_takes_nothing_away),
        cmocka_unit_test(a_bare_ring_that_turns_is_no_shot),
        cmocka_unit_test(nothing_is_told_of_a_camera_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
