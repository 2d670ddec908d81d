// SPDX-License-Identifier: MIT
// The tracker's table of transitions: as the header shows it, what cannot happen is refused, and games in which a
// camera is knocked, blinded and turned take the others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/vision/track/stage.h"

enum { REFUSED = TRACKER_STATES, S = TRACKER_SEARCHING, R, V, M, L };

// As in tracker_states.h.
static const int table[TRACKER_STATES][TRACKER_INPUTS] = {
    { R, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, S },
    { REFUSED, REFUSED, REFUSED, REFUSED, R, R, L, M, S },
    { REFUSED, S, V, V, R, V, L, M, S },
    { REFUSED, S, M, V, R, M, L, M, S },
    { REFUSED, S, M, V, R, M, L, L, S },
};

static void the_table_is_that_of_the_header(void **state)
{
    (void)state;
    for (int from = 0; from < TRACKER_STATES; from++)
        for (int on = 0; on < TRACKER_INPUTS; on++) {
            enum tracker_state now = (enum tracker_state)from;
            bool taken = tracker_next(&now, (enum tracker_input)on);
            if (taken != (table[from][on] != REFUSED) || (int)now != (taken ? table[from][on] : from))
                fail_msg("state %d on %d leads to %d", from, on, (int)now);
        }
}

// What the camera does in a game: from each moment on.
enum sight {
    CLEAR,
    SHIFTED,
    SHIFTED_MORE,
    GONE,
    ELSEWHERE,
    FAINT
}; // FAINT: a search finds it, a hundredth off, a refit does not
struct sight_from {
    double from_s;
    enum sight sight;
};

static const struct sight_from *sight; // of the game that is played, sorted by time

static enum sight sight_at(double t_s)
{
    int i = 0;
    while (sight[i + 1].from_s <= t_s)
        i++;
    return sight[i].sight;
}

static int searches; // of all games that were played

static int find_board(struct board_pose *out, struct frame *f, const struct board *wanted, const struct lens *lens,
                      const struct tuning *tuning, struct fail *why)
{
    enum sight now = sight_at(f->t_s);
    searches++;
    stage_find_board(out, f, wanted, lens, tuning, why);
    out->line_sigma_in = 0.01;
    if (now == FAINT)
        out->camera.lens.centre.u += 0.3;
    out->found &= now != GONE;
    if (now == ELSEWHERE)
        out->camera.lens.centre.u += 20;
    return 0;
}

// The picture stands still, only what is seen of the board's place changes: no frame has to be painted for it.
static int refit(struct refit *out, struct board_pose *board, const struct frame *f, const struct tuning *tuning,
                 struct fail *why)
{
    (void)tuning, (void)why;
    enum sight now = sight_at(f->t_s);
    *out = (struct refit){ .seen = now != GONE && now != ELSEWHERE && now != FAINT && !stage_away(f->t_s) };
    if (out->seen)
        board->camera.lens.centre.u =
            stage_board(f->t_s).camera.lens.centre.u + 2 * (now == SHIFTED) + 4 * (now == SHIFTED_MORE);
    return 0;
}

static int find_pieces(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                       const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    struct pieces_known all = *known;
    all.changed = NULL; // where the board is said to be elsewhere, nothing lies where it did
    return stage_find_pieces(out, f, pose, &all, tuning, why);
}

static void play(long taken[TRACKER_STATES][TRACKER_INPUTS], const struct script *script, const struct sight_from *seen,
                 double until_s, const struct tuning *tuning)
{
    struct tracker_stages stages = { find_board, refit, find_pieces, stage_suffices };
    struct event_list news = { 0 };
    struct tracker_inside inside;
    struct tracker *e;
    struct fail why = { .text = "" };
    uint32_t seed = 3;
    on_stage = script;
    sight = seen;
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &stages, tuning, NULL), 0);
    for (int i = 0; i / 30.0 < until_s; i++) {
        struct frame *f = stage_frame(i / 30.0, &seed);
        assert_non_null(f);
        if (tracker_feed(&news, e, f, &why) < 0)
            fail_msg("%.3f s: %s", i / 30.0, why.text);
        frame_free(f);
    }
    tracker_inside(&inside, e);
    for (int from = 0; from < TRACKER_STATES; from++)
        for (int on = 0; on < TRACKER_INPUTS; on++)
            taken[from][on] += inside.taken[from][on];
    tracker_free(e);
    event_list_free(&news);
}

#define RED                                                                                                            \
    "red",                                                                                                             \
    {                                                                                                                  \
        40, 40, 200                                                                                                    \
    }
#define BLACK                                                                                                          \
    "black",                                                                                                           \
    {                                                                                                                  \
        50, 45, 40                                                                                                     \
    }

// Three discs; a fourth is shot at 1 s and lies still again at 1.4 s.
static const struct script a_shot = {
    .noise = 2,
    .actors = 4,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } },
               { BLACK, 2, { { 0, -5, 2 }, { 1e9, -5, 2 } } },
               { RED, 2, { { 0, 1, -8 }, { 1e9, 1, -8 } } },
               { BLACK, 4, { { 0, 8, 0 }, { 1, 8, 0 }, { 1.4, 4, 9 }, { 1e9, 4, 9 } } } },
};

// Another is shot so soon after the first lies still that nothing was measured between them.
static const struct script two_shots = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 4, { { 0, 3, 3 }, { 1.53, 3, 3 }, { 1.62, 6, 6 }, { 1e9, 6, 6 } } },
               { BLACK, 4, { { 0, -8, 0 }, { 1, -8, 0 }, { 1.4, -4, -9 }, { 1e9, -4, -9 } } } },
};

// A hand comes over the field while all else lies still, rests there for 2.7 s and goes.
static const struct script a_resting_hand = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } }, { BLACK, 2, { { 0, 0, -8 }, { 1e9, 0, -8 } } } },
    .hand_keys = 5,
    .hand = { { 0.5, 0, -20 }, { 0.7, 0, -7 }, { 3.4, 0, -7 }, { 3.6, 0, -20 }, { 3.61, 0, -20 } },
};

// It goes after 0.3 s, and a disc runs as soon as it has.
static const struct script a_hand_and_a_shot = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 4, { { 0, 3, 3 }, { 1.26, 3, 3 }, { 1.34, 6, 6 }, { 1e9, 6, 6 } } },
               { BLACK, 2, { { 0, 0, -8 }, { 1e9, 0, -8 } } } },
    .hand_keys = 5,
    .hand = { { 0.5, 0, -20 }, { 0.7, 0, -7 }, { 1.0, 0, -7 }, { 1.1, 0, -20 }, { 1.11, 0, -20 } },
};

// While a disc is shot a hand moves to and fro beside the field.
static const struct script a_hand_beside = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } },
               { BLACK, 4, { { 0, 8, 0 }, { 1, 8, 0 }, { 1.4, 4, 9 }, { 1e9, 4, 9 } } } },
    .hand_keys = 5,
    .hand = { { 0.8, -3, -13 }, { 1.6, 3, -13 }, { 2.4, -3, -13 }, { 3.2, 3, -13 }, { 3.21, 3, -13 } },
};

// As if the view had turned by a tenth about the middle: all four discs lie elsewhere from one frame to the next.
static const struct script all_turned = {
    .noise = 2,
    .actors = 4,
    .actor = { { RED, 4, { { 0, 5, 0 }, { 1, 5, 0 }, { 1, 4.95, 0.7 }, { 1e9, 4.95, 0.7 } } },
               { BLACK, 4, { { 0, 0, 8 }, { 1, 0, 8 }, { 1, -1.12, 7.92 }, { 1e9, -1.12, 7.92 } } },
               { RED, 4, { { 0, -9, 0 }, { 1, -9, 0 }, { 1, -8.91, -1.26 }, { 1e9, -8.91, -1.26 } } },
               { BLACK, 4, { { 0, 0, -7 }, { 1, 0, -7 }, { 1, 0.98, -6.93 }, { 1e9, 0.98, -6.93 } } } },
};

// The footage is cut to a face: before the board was found, before its pieces were measured, while all lies still,
// while a disc runs.
static const struct script a_face_first = { .noise = 2, .back_s = 0.5 };
static const struct script a_face_at_once = { .noise = 2, .away_s = 0.1, .back_s = 0.6 };
static const struct script a_face_at_rest = { .noise = 2, .away_s = 0.8, .back_s = 1.5 };

static const struct script a_face_in_a_shot = {
    .noise = 2,
    .actors = 1,
    .actor = { { BLACK, 4, { { 0, 8, 0 }, { 1, 8, 0 }, { 1.4, 4, 9 }, { 1e9, 4, 9 } } } },
    .away_s = 1.2,
    .back_s = 1.8,
};

// When a movement of the camera was seen, and another shot came before the pieces could be measured.
static const struct script a_face_after_a_knock = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 4, { { 0, 3, 3 }, { 1.53, 3, 3 }, { 1.62, 6, 6 }, { 1e9, 6, 6 } } },
               { BLACK, 4, { { 0, -8, 0 }, { 1, -8, 0 }, { 1.4, -4, -9 }, { 1e9, -4, -9 } } } },
    .away_s = 1.55,
    .back_s = 2.2,
};

static void games_take_the_transitions(void **state)
{
    (void)state;
    static const struct {
        const struct script *script;
        struct sight_from sight[6];
    } games[] = {
        { &a_shot, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &a_shot, { { 0, GONE }, { 0.4, CLEAR }, { 1e9, CLEAR } } },
        { &a_shot, { { 0, CLEAR }, { 0.6, SHIFTED }, { 1e9, CLEAR } } },
        { &a_shot, { { 0, CLEAR }, { 0.7, GONE }, { 2.5, CLEAR }, { 1e9, CLEAR } } },
        { &a_shot, { { 0, CLEAR }, { 1.2, GONE }, { 2.5, CLEAR }, { 1e9, CLEAR } } },
        { &a_shot, { { 0, CLEAR }, { 0.7, ELSEWHERE }, { 1e9, CLEAR } } },
        { &two_shots, { { 0, CLEAR }, { 1.2, SHIFTED }, { 1.5, SHIFTED_MORE }, { 1e9, CLEAR } } },
        { &two_shots, { { 0, CLEAR }, { 1.2, SHIFTED }, { 1.5, GONE }, { 2.5, CLEAR }, { 1e9, CLEAR } } },
        { &a_resting_hand, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &a_resting_hand, { { 0, CLEAR }, { 2.6, GONE }, { 3.3, CLEAR }, { 1e9, CLEAR } } },
        { &a_hand_and_a_shot, { { 0, CLEAR }, { 0.85, GONE }, { 1.3, CLEAR }, { 1e9, CLEAR } } },
        { &a_hand_and_a_shot,
          { { 0, CLEAR }, { 0.85, GONE }, { 1.03, SHIFTED }, { 1.28, GONE }, { 1.6, CLEAR }, { 1e9, CLEAR } } },
        { &a_hand_beside, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &all_turned, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &all_turned, { { 0, CLEAR }, { 1, SHIFTED }, { 1e9, CLEAR } } },
        { &a_face_first, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &a_face_at_once, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &a_face_at_rest, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &a_face_in_a_shot, { { 0, CLEAR }, { 1e9, CLEAR } } },
        { &a_face_after_a_knock, { { 0, CLEAR }, { 1.2, SHIFTED }, { 1.5, SHIFTED_MORE }, { 1e9, CLEAR } } },
        { &all_turned, { { 0, CLEAR }, { 0.95, GONE }, { 2.5, CLEAR }, { 1e9, CLEAR } } },
    };
    long taken[TRACKER_STATES][TRACKER_INPUTS] = { { 0 } };
    struct tuning tuning = tuning_defaults;
    tuning.track.anchor_most_sigma_px = 0; // the picture, which stands still, is not asked whether the camera moved
    for (size_t i = 0; i < countof(games); i++)
        play(taken, games[i].script, games[i].sight, 4.5, &tuning);
    int missed = 0; // what is locked turns only where a resting hand hides most of the pieces: too rare to play
    for (int from = 0; from < TRACKER_STATES; from++)
        for (int on = 0; on < TRACKER_INPUTS; on++)
            if (table[from][on] != REFUSED && taken[from][on] == 0 && !(from == L && on == TRACKER_VIEW_TURNED)) {
                print_message("  not taken: state %d on %d\n", from, on);
                missed++;
            }
    assert_int_equal(missed, 0);
}

// Lines that are too faint to be seen in every frame lose no board while its picture stands still.
static void a_board_is_not_lost_while_its_picture_stands_still(void **state)
{
    (void)state;
    static const struct sight_from seen[][4] = { { { 0, CLEAR }, { 0.7, GONE }, { 2.5, CLEAR }, { 1e9, CLEAR } },
                                                 { { 0, CLEAR }, { 0.7, FAINT }, { 3.5, CLEAR }, { 1e9, CLEAR } } };
    struct tuning deaf = tuning_defaults;
    deaf.track.anchor_most_sigma_px = 0;
    for (size_t i = 0; i < countof(seen); i++)
        for (int k = 0; k < 2; k++) {
            long taken[TRACKER_STATES][TRACKER_INPUTS] = { { 0 } }, lost = 0;
            searches = 0;
            play(taken, &a_shot, seen[i], 4.5, k == 0 ? &tuning_defaults : &deaf);
            for (int from = 0; from < TRACKER_STATES; from++)
                lost += taken[from][TRACKER_BOARD_LOST] + taken[from][TRACKER_BOARD_DOUBTED];
            print_message("%zu, %d: lost %ld times, %d searches\n", i, k, lost, searches);
            assert_true(k == 0 ? lost == 0 && taken[M][TRACKER_MEASURED] > 0 : lost > 0);
            assert_true(searches <= 5); // one a second of those in which the lines are not seen
        }
}

static int measured, measured_elsewhere; // looks, and those in which the board was not where it is taken to be

static int find_pieces_on_the_board(struct detection_list *out, struct frame *f, const struct board_pose *pose,
                                    const struct pieces_known *known, const struct tuning *tuning, struct fail *why)
{
    measured++;
    measured_elsewhere += fabs(pose->camera.lens.centre.u - stage_board(f->t_s).camera.lens.centre.u) > 1;
    return find_pieces(out, f, pose, known, tuning, why);
}

// The camera is knocked soon after a search for lines that are too faint to be followed, with a hand over the board.
static void nothing_is_measured_where_the_board_was(void **state)
{
    (void)state;
    static const struct sight_from seen[] = { { 0, CLEAR }, { 0.6, FAINT }, { 1e9, CLEAR } };
    static const struct script knocked = {
        .noise = 2,
        .actors = 3,
        .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } },
                   { BLACK, 2, { { 0, 0, -8 }, { 1e9, 0, -8 } } },
                   { BLACK, 4, { { 0, 8, 0 }, { 1, 8, 0 }, { 1.4, 4, 9 }, { 1e9, 4, 9 } } } },
        .hand_keys = 4,
        .hand = { { 1.5, 0, -20 }, { 1.7, 0, -7 }, { 3.5, 0, -7 }, { 3.7, 0, -20 } },
        .cut_s = 2.2,
    };
    struct tracker_stages stages = { find_board, refit, find_pieces_on_the_board, stage_suffices };
    struct event_list news = { 0 };
    struct tracker *e;
    uint32_t seed = 3;
    on_stage = &knocked;
    sight = seen;
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &stages, &tuning_defaults, NULL), 0);
    for (int i = 0; i / 30.0 < 4.5; i++) {
        struct frame *f = stage_frame(i / 30.0, &seed);
        assert_int_equal(tracker_feed(&news, e, f, NULL), 0);
        frame_free(f);
    }
    tracker_free(e);
    event_list_free(&news);
    assert_true(measured > 2 && measured_elsewhere == 0);
}

static int find_until_a_signal(struct board_pose *out, struct frame *f, const struct board *wanted,
                               const struct lens *lens, const struct tuning *tuning, struct fail *why)
{
    return sight_at(f->t_s) == GONE ? rs_fail(why, RS_EENDED, "ended by SIGTERM")
                                    : find_board(out, f, wanted, lens, tuning, why);
}

// The camera is knocked while a disc runs and a hand moves beside the field. Where the board is nobody knows when a
// signal ends the search for it, and nothing is told of pieces by where it was.
static void nothing_is_measured_when_a_signal_ends_a_search(void **state)
{
    (void)state;
    static const struct sight_from knocked[] = { { 0, CLEAR }, { 1.2, GONE }, { 1e9, CLEAR } };
    struct tracker_stages stages = { find_until_a_signal, refit, find_pieces, stage_suffices };
    struct event_list news = { 0 };
    struct tracker *e;
    struct fail why = { .text = "" };
    uint32_t seed = 3;
    int rc = 0;
    on_stage = &a_hand_beside;
    sight = knocked;
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &stages, &tuning_defaults, NULL), 0);
    for (int i = 0; i / 30.0 < 4.5 && rc == 0; i++) {
        struct frame *f = stage_frame(i / 30.0, &seed);
        assert_non_null(f);
        rc = tracker_feed(&news, e, f, &why);
        frame_free(f);
    }
    assert_int_equal(rc, RS_EENDED);
    assert_int_equal(tracker_finish(&news, e, &why), 0);
    for (int i = 0; i < news.count; i++)
        assert_int_equal(news.item[i].observation.kind, OBS_HAND);
    tracker_free(e);
    event_list_free(&news);
}

// A board of which too little shows to call by is no board to play on: it is shown, and looked for until more of it is
// seen. What lies there is told then; and nothing is told in a view after a cut before that is seen so well.
static void a_board_that_is_hardly_seen_is_looked_for_again(void **state)
{
    (void)state;
    static const struct script starts_faint = {
        .actors = 1, .actor = { { "red", { 40, 40, 200 }, 2, { { 0, 4, 5 }, { 1e9, 4, 5 } } } }, .clear_s = 3
    };
    static const struct script gets_faint = {
        .actors = 1,
        .actor = { { "red", { 40, 40, 200 }, 2, { { 0, 4, 5 }, { 1e9, 4, 5 } } } },
        .cut_s = 3,
        .faint_s = 3,
        .clear_s = 6
    };
    for (int cut = 0; cut < 2; cut++) {
        struct tracker_stages stages = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
        struct event_list news = { 0 };
        struct tracker_inside inside;
        struct tracker *e;
        uint32_t seed = 3;
        double locked_s = 0;
        int seen = 0, faint = 0;
        on_stage = cut ? &gets_faint : &starts_faint;
        assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &stages, &tuning_defaults, NULL), 0);
        for (int i = 0; i / 30.0 < 10; i++) {
            struct frame *f = stage_frame(i / 30.0, &seed);
            assert_non_null(f);
            assert_int_equal(tracker_feed(&news, e, f, NULL), 0);
            for (int k = 0; k < news.count; k++) {
                const struct observation *o = &news.item[k].observation;
                seen += o->kind == OBS_SEEN;
                if (o->kind == OBS_CAMERA && o->camera.what == CAMERA_LOCKED)
                    locked_s = o->t_s;
            }
            tracker_inside(&inside, e);
            if (strstr(inside.unfound, "faint")) {
                faint++;
                assert_int_equal(inside.state, TRACKER_SEARCHING);
                assert_true(tracker_board(e)->found == !cut);
                assert_int_equal(seen, cut); // from before the cut
            }
            frame_free(f);
        }
        assert_true(faint > 30 && seen == 1);
        assert_int_equal(inside.state, TRACKER_LOCKED);
        assert_true(locked_s >= on_stage->clear_s && locked_s < on_stage->clear_s + 2.5);
        assert_true(tracker_board(e)->coverage == 1);
        tracker_free(e);
        event_list_free(&news);
    }
}

static int refit_without_memory(struct refit *out, struct board_pose *board, const struct frame *f,
                                const struct tuning *tuning, struct fail *why)
{
    (void)out, (void)board, (void)f, (void)tuning;
    return rs_fail(why, RS_ENOMEM, "no memory to follow the board");
}

static void no_memory_for_the_first_refit_is_told(void **state)
{
    (void)state;
    static const struct script quiet = { .noise = 2 };
    struct tracker_stages stages = { stage_find_board, refit_without_memory, stage_find_pieces, stage_suffices };
    struct event_list news = { 0 };
    struct fail why = { .text = "" };
    struct tracker *e;
    uint32_t seed = 7;
    on_stage = &quiet;
    struct frame *f = stage_frame(0, &seed);
    assert_non_null(f);
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &stages, &tuning_defaults, NULL), 0);
    assert_int_equal(tracker_feed(&news, e, f, &why), RS_ENOMEM);
    assert_non_null(strstr(why.text, "no memory"));
    frame_free(f);
    tracker_free(e);
    event_list_free(&news);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_that_of_the_header),
        cmocka_unit_test(games_take_the_transitions),
        cmocka_unit_test(a_board_is_not_lost_while_its_picture_stands_still),
        cmocka_unit_test(a_board_that_is_hardly_seen_is_looked_for_again),
        cmocka_unit_test(nothing_is_measured_where_the_board_was),
        cmocka_unit_test(no_memory_for_the_first_refit_is_told),
        cmocka_unit_test(nothing_is_measured_when_a_signal_ends_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
