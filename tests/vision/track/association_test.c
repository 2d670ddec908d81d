// SPDX-License-Identifier: MIT
// Which of the pieces seen now is which of those that lay there before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/vision/track/still.h"
#include "vision/board/background.h"
#include "vision/track/arrivals.h"
#include "vision/track/association.h"
#include "vision/track/events.h"

static const struct script pale_disc = {
    .actors = 1, .actor = { { "red", { 150, 160, 190 }, 2, { { 10, -4, 5 }, { 1e9, -4, 5 } } } }
};

// It lies there, measured to 0.01 in; a third of its face may look otherwise since.
static struct track nudged_at(const struct still *s, double x, double y, bool looks_otherwise)
{
    struct track k = { .id = 1, .piece = red_at(s, x, y), .absent_since_s = INFINITY };
    k.piece.cov = (struct cov_in2){ 1e-4, 0, 1e-4 };
    track_take_template(&k, &s->changes, s->changes.now);
    for (int i = 0; i < k.face.count && looks_otherwise; i += 3)
        k.face.bgr[i][0] ^= 0x80;
    return k;
}

static void see_one(struct still *s, double x, double y)
{
    struct detection *p = &s->seen.piece[s->seen.count++];
    *p = red_at(s, x, y);
    p->cov = (struct cov_in2){ 1e-4, 0, 1e-4 };
}

static void take_down(struct still *s)
{
    motions_finish(&s->motions);
    change_detector_finish(&s->changes);
    change_patches_finish(&s->patches);
}

static void what_is_seen_where_nothing_changed_has_stayed(void **state)
{
    (void)state;
    struct still s;
    set_up(&s);
    struct track track = missed_at(&s, 3, 2);
    struct association found;
    s.seen.piece[s.seen.count++] = red_at(&s, 3.02, 2);
    s.seen.piece[s.seen.count++] = red_at(&s, -4, 5); // nothing has changed there either: it is not new
    association_find(&found, &track, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_STAYED);
    assert_true(found.seen[0]);
    assert_int_equal(found.new_places, 0);
    s.seen.piece[0] = red_at(&s, 4.5, 2);
    association_find(&found, &track, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_LEFT);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// A light touch moves a disc by less than its width: most of its place looks as it did, and it lies elsewhere all the
// same. Nothing moves by itself, and measures differ by their errors; of what lies under a hand a part is hidden.
static void what_was_touched_lies_where_it_is_seen_now(void **state)
{
    (void)state;
    static const struct {
        double by_in, ran_past_in;
        bool looks_otherwise, hand, moved;
    } rows[] = {
        { 0.3, 1, true, false, true },   { 0.1, 1, true, false, true },   { 0.3, 6, true, false, false },
        { 0.02, 1, true, false, false }, { 0.3, 1, false, false, false }, { 0.3, 1, true, true, false },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct still s;
        struct association found;
        set_up(&s);
        struct track lies = nudged_at(&s, 3, 2, rows[i].looks_otherwise);
        see_one(&s, 3 + rows[i].by_in, 2);
        s.moment.hand = rows[i].hand;
        if (rows[i].hand)
            a_hand_beside(&s, &lies.piece, s.changes.t_s);
        struct motion ran = { .t_s = 1, .at = { 3 - rows[i].ran_past_in, 2 }, .pieces = 1 };
        assert_int_equal(motions_add(&s.motions, &ran, NULL), 0);
        association_find(&found, &lies, 1, &s.moment);
        if (found.fate[0] != (rows[i].moved ? FATE_MOVED : FATE_STAYED))
            fail_msg("row %zu: fate %d", i, found.fate[0]);
        assert_true(found.seen[0] && found.nudged[0] == rows[i].moved);
        assert_int_equal(found.new_places, rows[i].moved);
        assert_true(!rows[i].moved || (found.to[0] == 0 && found.taken[0]));
        association_forget_nudges(&found);
        assert_int_equal(found.fate[0], FATE_STAYED);
        take_down(&s);
    }
}

// Two lie beside each other, the finder misses one, and measures the other between them: that is one disc, not both.
static void what_is_seen_once_moved_one_of_two(void **state)
{
    (void)state;
    struct still s;
    struct association found;
    set_up(&s);
    const struct track two[] = { nudged_at(&s, 3, 2, true), nudged_at(&s, 4.25, 2, true) };
    see_one(&s, 3.4, 2);
    struct motion ran = { .t_s = 1, .at = { 2, 2 }, .pieces = 1 };
    assert_int_equal(motions_add(&s.motions, &ran, NULL), 0);
    association_find(&found, two, 2, &s.moment);
    assert_int_equal(found.fate[0], FATE_MOVED);
    assert_int_equal(found.fate[1], FATE_STAYED);
    assert_int_equal(found.new_places, 1);
    take_down(&s);
}

// Between the fingers that hold a piece another one may seem to lie, half within it.
static void two_pieces_do_not_share_room(void **state)
{
    (void)state;
    struct still s;
    struct association found;
    set_up(&s);
    memset(s.changes.mask, CHANGED, (size_t)s.changes.width * (size_t)s.changes.height);
    struct track lies = { .id = 1, .piece = red_at(&s, 3, 2), .absent_since_s = INFINITY };
    track_take_template(&lies, &s.changes, s.changes.now);
    s.seen.piece[s.seen.count++] = red_at(&s, 3.8, 2);
    association_find(&found, &lies, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_STAYED);
    assert_int_equal(found.new_places, 0);
    s.seen.piece[0] = red_at(&s, 4.2, 2); // as near as one that touches it may be measured
    association_find(&found, &lies, 1, &s.moment);
    assert_int_equal(found.new_places, 1);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// A disc that is put down is told while the hand is there, for it is shot the next moment. Fingers look like one now and
// then: what is in doubt waits for the hand to go, where nobody shoots from, or beside what the hand more surely holds.
static void fingers_beside_a_disc_are_no_second_one(void **state)
{
    (void)state;
    const double line = 12; // the stage's outermost
    static const struct {
        double in_in, certainty, beside_in; // of the line; of the one in question; how far from another
        bool hand, new_view, found;
        double others; // certainty
    } rows[] = {
        { 0, 0.85, 3, true, false, false, 0.86 }, // those are the fingers: the disc is told
        { 0, 0.6, 9, true, false, true, 1 },      { 0, 0.6, 1.5, true, false, false, 1 },
        { 0, 0.95, 1.5, true, false, true, 1 },   { 0, 0.6, 1.5, false, false, true, 1 },
        { 0, 0.6, 1.5, true, true, true, 1 },     { 4, 0.6, 9, true, false, false, 1 },
        { 4, 0.95, 9, true, false, true, 1 },     { 4, 0.6, 9, false, false, true, 1 },
        { 1, 0.6, 9, true, false, true, 1 },      { 2, 0.6, 9, true, false, false, 1 },
        { -1, 0.6, 9, true, false, true, 1 },     { -2, 0.6, 9, true, false, false, 1 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct still s;
        struct association found;
        set_up(&s);
        assert_true(s.pose.board.circle_in[0] == line);
        memset(s.changes.mask, CHANGED, (size_t)s.changes.width * (size_t)s.changes.height);
        s.moment.hand = rows[i].hand;
        s.moment.new_view = rows[i].new_view;
        see_one(&s, 0, rows[i].in_in - line);
        see_one(&s, 0, rows[i].in_in - line + rows[i].beside_in);
        s.seen.piece[0].certainty = rows[i].certainty;
        s.seen.piece[1].certainty = rows[i].others;
        if (rows[i].hand)
            a_hand_beside(&s, &s.seen.piece[0], s.changes.t_s);
        association_find(&found, NULL, 0, &s.moment);
        if (found.new_places != 1 + rows[i].found)
            fail_msg("row %zu: %d new", i, found.new_places);
        take_down(&s);
    }
}

// In doubt, and a hand is over the board: far from it; or beside it, and it is where one may have gone to that has left
// its place; or beside it, and what is surer lies there since long, or has no hand beside it.
static void what_no_fingers_explain_is_a_disc(void **state)
{
    (void)state;
    const double line = 12;
    enum { HAND_FAR, ONE_LEFT, SURER_IS_KNOWN, SURER_IS_APART, CASES };
    for (int i = 0; i < CASES; i++) {
        struct still s;
        struct association found;
        set_up(&s);
        memset(s.changes.mask, CHANGED, (size_t)s.changes.width * (size_t)s.changes.height);
        s.moment.hand = true;
        bool inside = i == HAND_FAR || i == ONE_LEFT;
        see_one(&s, 0, inside ? -6 : -line);
        s.seen.piece[0].certainty = 0.6;
        struct track lies = i == ONE_LEFT ? missed_at(&s, 6, 9) : nudged_at(&s, 0, 1.5 - line, false);
        if (i == SURER_IS_KNOWN)
            see_one(&s, 0, 1.5 - line);
        if (i == SURER_IS_APART)
            see_one(&s, 3.5, -line);
        struct detection beside = red_at(&s, i == HAND_FAR ? 10 : i == SURER_IS_APART ? -3.5 : 0, -line);
        a_hand_beside(&s, &beside, s.changes.t_s);
        association_find(&found, &lies, i == ONE_LEFT || i == SURER_IS_KNOWN, &s.moment);
        bool is_new = false;
        for (int k = 0; k < found.new_places; k++)
            is_new |= found.new_place[k].certainty < 1;
        if (!is_new)
            fail_msg("case %d: not told", i);
        take_down(&s);
    }
}

// Under a pendant a white marble is cream in the middle of the carpet and grey at its end, and so is the carpet.
static void the_same_paint_may_lie_in_less_light(void **state)
{
    (void)state;
    const struct track_tuning *t = &tuning_defaults.track;
    struct detection white = {
        .kind = PIECE_MARBLE, .certainty = 1, .lab = { 83, 0, 14 }, .ground_l = 77, .colour = "yellow"
    };
    struct detection dim = {
        .kind = PIECE_MARBLE, .certainty = 1, .lab = { 60, 0, 11 }, .ground_l = 55, .colour = "white"
    };
    assert_true(association_alike(&white, &dim, t));
    dim.ground_l = 77; // in the same light it is another paint
    assert_false(association_alike(&white, &dim, t));
    dim.ground_l = 0;
    assert_false(association_alike(&white, &dim, t));
}

// It was not found when it came to lie there, and since then no pixel has changed: that the board looked otherwise
// before it tells.
static void what_was_missed_when_it_came_is_found_later(void **state)
{
    (void)state;
    struct still s;
    struct association found;
    struct background *empty;
    set_up(&s);
    assert_int_equal(background_create(&empty, &s.pose, &tuning_defaults, NULL), 0);
    for (int i = 0; i < 3; i++)
        take_look(empty, &s, i);
    on_stage = &pale_disc;
    take_look(empty, &s, 10);
    s.moment.empty = empty;
    s.seen.piece[s.seen.count++] = red_at(&s, 3, 2); // where the board is bare
    s.seen.piece[s.seen.count++] = red_at(&s, -4, 5);
    association_find(&found, NULL, 0, &s.moment);
    assert_int_equal(found.new_places, 1);
    assert_true(distance_in(found.new_place[0].at, s.seen.piece[1].at) < 1e-9);
    background_free(empty);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// A pale piece on pale wood: its place looks as its template does, but also as the board does where nothing lies.
static void what_the_board_shows_bare_has_gone(void **state)
{
    (void)state;
    struct still s;
    struct association found;
    struct background *empty;
    set_up(&s);
    struct track track = { .id = 1, .piece = red_at(&s, 3, 2), .absent_since_s = INFINITY };
    track_take_template(&track, &s.changes, s.changes.now);
    assert_int_equal(background_create(&empty, &s.pose, &tuning_defaults, NULL), 0);
    for (int i = 0; i < 3; i++)
        take_look(empty, &s, i);
    s.moment.empty = empty;
    association_find(&found, &track, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_STAYED); // it looked like that when it lay there
    track.stood_out = true;
    association_find(&found, &track, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_LEFT);
    background_free(empty);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

static void a_place_is_bare_when_it_looks_as_it_does_empty(void **state)
{
    (void)state;
    struct still s;
    struct background *empty;
    set_up(&s);
    struct track lies = { .piece = red_at(&s, -4, 5), .stood_out = true };
    assert_int_equal(background_create(&empty, &s.pose, &tuning_defaults, NULL), 0);
    assert_false(track_bares(&lies, empty, &s.pose)); // nobody knows it empty yet
    assert_false(track_bares(&lies, NULL, &s.pose));
    for (int i = 0; i < 3; i++)
        take_look(empty, &s, i);
    assert_true(track_bares(&lies, empty, &s.pose));
    assert_false(detection_stands_out(&lies.piece, empty, &s.pose));
    lies.stood_out = false; // it looked as the board does when it lay there
    assert_false(track_bares(&lies, empty, &s.pose));
    lies.stood_out = true;
    on_stage = &pale_disc;
    take_look(empty, &s, 10);
    assert_false(track_bares(&lies, empty, &s.pose));
    assert_true(detection_stands_out(&lies.piece, empty, &s.pose));
    background_free(empty);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// A disc that is struck from beside the hole into it lies within its own width of where it lay; where the board is seen
// bare it does not.
static void a_disc_may_fall_into_the_hole_that_it_lay_beside(void **state)
{
    (void)state;
    struct still s;
    struct background *empty;
    set_up(&s);
    struct track track = missed_at(&s, 1, 0.5);
    struct association found = { .track = &track, .tracks = 1, .fate = { FATE_LEFT } };
    colour_bgr_to_lab(track.piece.lab, (double[]){ 40, 40, 200 });
    show_red_patch(&s, 0, 0);
    assert_int_equal(association_find_patch(&found, &track.piece, &s.moment), 0);
    assert_int_equal(found.new_place[0].plane, IN_HOLE);
    found.new_places = 0;
    show_red_patch(&s, 1.4, 0.9); // what it bares where it lay is no disc
    assert_true(association_find_patch(&found, &track.piece, &s.moment) < 0);
    show_red_patch(&s, 0, 0);
    found.fate[0] = FATE_STAYED; // another one lies there still
    assert_true(association_find_patch(&found, &track.piece, &s.moment) < 0);
    assert_int_equal(background_create(&empty, &s.pose, &tuning_defaults, NULL), 0);
    for (int i = 0; i < 3; i++)
        take_look(empty, &s, i);
    s.moment.empty = empty;
    found.fate[0] = FATE_LEFT;
    assert_true(association_find_patch(&found, &track.piece, &s.moment) < 0);
    background_free(empty);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// What rests is not smeared. So a wide patch with a little of its paint is not it, least of all beside one that is.
static void what_rests_is_not_smeared(void **state)
{
    (void)state;
    struct still s;
    set_up(&s);
    struct track track = missed_at(&s, 6, 6);
    struct association found = { .track = &track, .tracks = 1, .fate = { FATE_LEFT } };
    colour_bgr_to_lab(track.piece.lab, (double[]){ 40, 40, 200 });
    show_red_patch(&s, -4, 3);
    struct change_patch disc = *s.patches.item;
    show_red_patch(&s, 4, -5);
    struct change_patch faint = *s.patches.item;
    disc.pieces = 1;
    faint.pieces = 3.5;
    faint.area = (int)(3.5 * faint.area);
    for (int c = 0; c < 3; c++)
        faint.bgr[c] = faint.reference[c] + 0.2 * (faint.bgr[c] - faint.reference[c]);
    *s.patches.item = faint;
    assert_true(association_find_patch(&found, &track.piece, &s.moment) < 0);
    free(s.patches.item);
    s.patches.item = calloc(2, sizeof *s.patches.item);
    assert_non_null(s.patches.item);
    s.patches.count = 2;
    for (int first = 0; first < 2; first++) {
        found.new_places = 0;
        s.patches.item[first] = disc;
        s.patches.item[!first] = faint;
        assert_int_equal(association_find_patch(&found, &track.piece, &s.moment), 0);
        assert_true(distance_in(found.new_place[0].at, (struct pt_in){ -4, 3 }) < 0.3);
    }
    take_down(&s);
}

// Its picture and the bare board's are alike, it was measured once, and in the first picture in which it runs it is
// farther off than what touches: it is one disc all the same, and where nothing hides it, one more surely.
static void what_is_shot_after_one_look_is_one_disc(void **state)
{
    (void)state;
    static const struct script shot = {
        .actors = 1,
        .actor = { { "red", { 150, 160, 190 }, 4, { { 10, -4, 5 }, { 11, -4, 5 }, { 11.01, 8, -1 }, { 1e9, 8, -1 } } } }
    };
    enum { STEPS = 4 };
    static struct reconstruction r;
    struct still s;
    struct background *empty = begin_bare(&r, &s);
    on_stage = &shot;
    take_look(empty, &s, 10);
    s.seen.piece[s.seen.count++] = red_at(&s, -4, 5);
    s.seen.piece[0].certainty = 0.7;
    s.moment.t_s = 10;
    events_reconstruct(&r, &s.moment);
    take_look(empty, &s, 12);
    for (int i = 1; i <= STEPS; i++) {
        struct motion m = { .t_s = 11 + i / 30.0, .at = { -4 + 3.0 * i, 5 - 1.5 * i }, .pieces = 1 };
        assert_int_equal(motions_add(&r.motions, &m, NULL), 0);
    }
    s.seen.piece[0] = red_at(&s, 8, -1);
    s.seen.piece[0].certainty = 0.95;
    s.moment.t_s = 12;
    r.ready.count = 0;
    events_reconstruct(&r, &s.moment);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.ready.count, 2); // it moved and rests
    assert_int_equal(only(&r, OBS_MOVE)->move.by, MOVED_BY_SHOT);
    assert_true(fabs(only(&r, OBS_MOVE)->t_s - 11) < 1e-6);
    assert_int_equal(only(&r, OBS_REST)->id, 1);
    assert_true(only(&r, OBS_REST)->rest.certainty == 0.95);
    events_finish(&r);
    background_free(empty);
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// In another view its place still looks like it, and the finder measures it farther off than it does in the same one.
static void what_is_seen_where_a_piece_stays_is_no_second_one(void **state)
{
    (void)state;
    struct still s;
    set_up(&s);
    struct track track = { .id = 1, .piece = red_at(&s, 3, 2), .absent_since_s = INFINITY };
    struct association found;
    track_take_template(&track, &s.changes, s.changes.now);
    s.seen.piece[s.seen.count++] = red_at(&s, 3 + 3 * tuning_defaults.track.same_place_in, 2);
    s.seen.piece[s.seen.count++] = red_at(&s, -4, 5);
    s.moment.new_view = true;
    association_find(&found, &track, 1, &s.moment);
    assert_int_equal(found.fate[0], FATE_STAYED);
    assert_true(found.seen[0]);
    assert_int_equal(found.to[0], 0);
    assert_true(found.taken[0]);
    assert_false(found.taken[1]); // that one is new
    change_detector_finish(&s.changes);
    change_patches_finish(&s.patches);
}

// The match counts the pieces it hears of, and calls nothing firm when there are more than it can follow.
static void a_piece_too_many_is_told(void **state)
{
    (void)state;
    static struct still s;
    static struct reconstruction r;
    enum { MORE = 2 };
    set_up(&s);
    events_begin(&r, &tuning_defaults.track);
    for (int i = 0; i < MAX_PIECES + MORE; i++) {
        struct detection p = red_at(&s, -9 + 1.9 * (i % 10), -9 + 1.9 * (i / 10));
        if (i < MAX_PIECES) {
            r.track[r.count++] = (struct track){ .id = ++r.last_id, .piece = p, .absent_since_s = INFINITY };
            track_take_template(&r.track[i], &s.changes, s.changes.now);
        }
        if (i >= MORE)
            s.seen.piece[s.seen.count++] = p;
    }
    s.moment.new_view = true;
    s.moment.motions = &r.motions;
    events_reconstruct(&r, &s.moment);
    int told = 0;
    for (int i = 0; i < r.ready.count; i++)
        told += r.ready.item[i].observation.kind == OBS_SEEN;
    assert_int_equal(r.count, MAX_PIECES);
    assert_int_equal(told, MORE);
    end(&r, &s);
}

// It bounced back and aside, and lies nowhere on the way on which it was seen: only a hand could have brought another
// there.
static void what_no_hand_brought_is_what_ran(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 };
    static const struct {
        double hand_s;
        int places, is;
    } rows[] = { { -INFINITY, 1, 0 }, { 10.5, 1, 0 }, { 11.1, 1, NO_ONE }, { -INFINITY, 2, SEVERAL } };
    struct reconstruction r;
    struct still s;
    begin(&r, &s);
    for (int i = 0; i < RUN_STEPS; i++)
        ran_over(&r, i, (struct pt_in){ -4 + 3.0 * i, 5 - 1.5 * i }, blue, wood);
    for (size_t k = 0; k < countof(rows); k++) {
        struct association a = { .new_places = rows[k].places, .new_place = { red_at(&s, 0, -6), red_at(&s, 5, 7) } };
        for (int i = 0; i < s.changes.width * s.changes.height; i++)
            s.patches.hand_s[i] = rows[k].hand_s;
        assert_int_equal(arrival_of_run(&a, &s.moment, r.motions.item, r.motions.item), rows[k].is);
    }
    end(&r, &s);
}

// Another view measures it elsewhere by no more than both may be off: it did not move, though its place looks
// otherwise. What lies farther off did.
static void what_another_view_measures_elsewhere_has_stayed(void **state)
{
    (void)state;
    static const double shift_in[] = { 0.25, 1.5 };
    for (size_t far = 0; far < countof(shift_in); far++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        s.moment.new_view = true;
        r.track[r.count++] = missed_at(&s, 3, 2);
        r.track[0].absent_since_s = INFINITY;
        struct detection now = red_at(&s, 3 + shift_in[far], 2);
        now.cov = r.track[0].piece.cov = (struct cov_in2){ 0.03, 0, 0.03 };
        s.seen.piece[s.seen.count++] = now;
        events_reconstruct(&r, &s.moment);
        assert_true(only(&r, OBS_REST)->rest.at.x == now.at.x);
        assert_int_equal(r.ready.count, far ? 2 : 1); // it moved and rests
        end(&r, &s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_paint_may_lie_in_less_light),
        cmocka_unit_test(what_no_hand_brought_is_what_ran),
        cmocka_unit_test(what_another_view_measures_elsewhere_has_stayed),
        cmocka_unit_test(two_pieces_do_not_share_room),
        cmocka_unit_test(what_is_seen_where_nothing_changed_has_stayed),
        cmocka_unit_test(what_was_touched_lies_where_it_is_seen_now),
        cmocka_unit_test(what_is_seen_once_moved_one_of_two),
        cmocka_unit_test(fingers_beside_a_disc_are_no_second_one),
        cmocka_unit_test(what_no_fingers_explain_is_a_disc),
        cmocka_unit_test(what_was_missed_when_it_came_is_found_later),
        cmocka_unit_test(what_is_seen_where_a_piece_stays_is_no_second_one),
        cmocka_unit_test(what_the_board_shows_bare_has_gone),
        cmocka_unit_test(a_place_is_bare_when_it_looks_as_it_does_empty),
        cmocka_unit_test(a_disc_may_fall_into_the_hole_that_it_lay_beside),
        cmocka_unit_test(what_rests_is_not_smeared),
        cmocka_unit_test(what_is_shot_after_one_look_is_one_disc),
        cmocka_unit_test(a_piece_too_many_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
