// SPDX-License-Identifier: MIT
// Why a piece is not where it was: who was shot, what struck it, and what a hand did.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/vision/track/still.h"
#include "vision/track/departures.h"

// Nobody found a marble lying before or after. What ran along the ring's line or beyond it and only dimmed the ground
// is an arm's shadow; a painted one ran, and so did one that dims the carpet inside.
static void an_arms_shadow_is_no_shot(void **state)
{
    (void)state;
    static const double white[] = { 119, 126, 170 }, dimmed[] = { 104, 112, 151 }, red[] = { 60, 60, 180 };
    static const struct {
        const double *bgr;
        double from_radii, step_radii;
        bool shot;
    } rows[] = { { dimmed, 1, 0, false },  { red, 1, 0, true },         { dimmed, 1, 0.1, true },
                 { dimmed, 0.8, 0, true }, { dimmed, 1.6, 0.1, false }, { red, 1.6, 0.1, true } };
    for (size_t k = 0; k < countof(rows); k++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        s.pose.board = *board_builtin("ring-7ft");
        s.moment.t_s = 12;
        for (int i = 0; i < RUN_STEPS; i++) {
            double r_in = s.pose.board.circle_in[0] * (rows[k].from_radii - i * rows[k].step_radii);
            ran_over(&r, i, (struct pt_in){ r_in * sin(0.1 * i), r_in * cos(0.1 * i) }, rows[k].bgr, white);
        }
        events_reconstruct(&r, &s.moment);
        if ((r.ready.count > 0) != rows[k].shot)
            fail_msg("row %zu: %d observations", k, r.ready.count);
        assert_true(!rows[k].shot || only(&r, OBS_MOVE)->move.by == MOVED_BY_SHOT);
        end(&r, &s);
    }
}

// At 12 s, when no picture says what stayed: places are asked on the board.
static void begin_in_another_view(struct reconstruction *r, struct still *s)
{
    begin(r, s);
    s->moment.new_view = true;
    s->moment.t_s = 12;
}

static int seen_anew(const struct reconstruction *r)
{
    int seen = 0;
    for (int i = 0; i < r->ready.count; i++)
        seen += r->ready.item[i].observation.kind == OBS_SEEN;
    return seen;
}

static struct detection marble_at(const struct still *s, double x, double y, bool taw)
{
    struct detection p = red_at(s, x, y);
    p.kind = PIECE_MARBLE;
    p.taw = taw;
    memcpy(p.lab, taw ? (double[3]){ 40, 20, -50 } : (double[3]){ 50, 60, 30 }, sizeof p.lab);
    snprintf(p.colour, sizeof p.colour, "%s", taw ? "blue" : "red");
    return p;
}

// Followed since before, and missed at that time with a hand beside it.
static struct track *missed_by_hand(struct reconstruction *r, const struct still *s, struct detection piece, double t_s)
{
    struct track *k = &r->track[r->count++];
    *k = missed_at(s, piece.at.x, piece.at.y);
    k->piece = piece;
    k->absent_since_s = t_s;
    k->there_until_s = t_s - 0.03;
    k->hand_near = true;
    r->last_id = k->id;
    return k;
}

// The hand that shoots hides the taw until it has struck: a taw that then runs to where no hand is was shot, whatever
// of it was seen before; another target that comes to lie there was not. Nor was what was measured but once, where the
// fingers were.
static void a_taw_that_arrives_was_shot(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 };
    static const struct {
        bool target, taw; // arrives
        int looks, shots; // of another than the first
    } rows[] = { { true, false, 1, 0 }, { true, true, 1, 1 }, { false, true, 1, 1 }, { false, true, 2, 0 } };
    for (size_t k = 0; k < countof(rows); k++) {
        static struct reconstruction r;
        struct still s;
        begin_in_another_view(&r, &s);
        struct track *first = missed_by_hand(&r, &s, marble_at(&s, -4, 5, false), 10.9);
        first->came_by_hand = true;
        first->looks = rows[k].looks;
        if (rows[k].target)
            s.seen.piece[s.seen.count++] = marble_at(&s, 0, -8, false);
        s.seen.piece[s.seen.count++] = marble_at(&s, 8, -1, rows[k].taw);
        for (int i = 0; i < RUN_STEPS; i++)
            ran_over(&r, i, (struct pt_in){ -4 + 3.0 * i, 5 - 1.5 * i }, blue, wood);
        events_reconstruct(&r, &s.moment);
        int shots = 0;
        for (int i = 0; i < r.ready.count; i++) {
            const struct observation *o = &r.ready.item[i].observation;
            shots += o->kind == OBS_MOVE && o->move.by == MOVED_BY_SHOT && o->id != 1;
        }
        assert_int_equal(shots, rows[k].shots);
        end(&r, &s);
    }
}

// Fingers that lift a disc from the hole are measured as a disc beside it, once; they go with the hand, and the bare hole
// that they leave has their shadow's colour. A disc that ran, or that is seen nowhere while the hole is not bare, was shot.
static void what_came_and_went_with_a_hand_was_no_shot(void **state)
{
    (void)state;
    static const double purple[] = { 131, 73, 117 }, brown[] = { 63, 78, 98 };
    static const struct {
        int seen_in;
        bool bare;
        int shots;
    } rows[] = { { 1, true, 0 }, { 1, false, 1 }, { RUN_STEPS, true, 1 } };
    for (size_t n = 0; n < countof(rows); n++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        struct background *empty = NULL;
        if (rows[n].bare) {
            assert_int_equal(background_create(&empty, &s.pose, &tuning_defaults, NULL), 0);
            for (int i = 0; i < 3; i++)
                take_look(empty, &s, i);
        }
        s.moment.empty = empty;
        struct track *k = &r.track[r.count++];
        *k = missed_at(&s, 1, -3.6);
        colour_bgr_to_lab(k->piece.lab, brown);
        k->came_by_hand = k->hand_before = true;
        k->looks = 1;
        for (int i = 0; i < rows[n].seen_in; i++) {
            struct motion m = { .t_s = 1 + i / 30.0, .at = { 0.07 + 2 * i, -0.16 }, .pieces = 1.5 };
            memcpy(m.bgr, brown, sizeof m.bgr);
            memcpy(m.reference, purple, sizeof m.reference);
            assert_int_equal(motions_add(&r.motions, &m, NULL), 0);
        }
        events_reconstruct(&r, &s.moment);
        int shots = 0;
        for (int i = 0; i < r.ready.count; i++)
            shots +=
                r.ready.item[i].observation.kind == OBS_MOVE && r.ready.item[i].observation.move.by == MOVED_BY_SHOT;
        assert_int_equal(shots, rows[n].shots);
        background_free(empty);
        end(&r, &s);
    }
}

// What was touched by less than its width did not shoot, though it comes first in the list; and what nothing else
// explains is no shot.
static void what_was_only_touched_is_not_the_shooter(void **state)
{
    (void)state;
    for (int shot = 0; shot < 2; shot++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        struct track *touched = &r.track[r.count++], *other = &r.track[r.count];
        *touched = missed_at(&s, 3, 2);
        for (int i = 0; i < touched->face.count; i++)
            touched->face.bgr[i][0] ^= i % 3 ? 0x80 : 0; // two thirds look as they did
        touched->absent_since_s = INFINITY;
        s.seen.piece[s.seen.count++] = red_at(&s, 3.3, 2);
        if (shot) {
            *other = missed_at(&s, -6, 2);
            other->id = r.last_id = 2;
            other->absent_since_s = 0.8;
            other->there_until_s = 0.77;
            r.count++;
        }
        for (int i = shot ? 0 : RUN_STEPS - 1; i < RUN_STEPS; i++) { // up to beside it
            struct motion m = { .t_s = 0.8 + i / 30.0, .at = { -4 + 1.4 * i, 2 }, .pieces = 1 };
            assert_int_equal(motions_add(&r.motions, &m, NULL), 0);
        }
        events_reconstruct(&r, &s.moment);
        const struct observation *first = NULL;
        int moved = 0;
        for (int i = 0; i < r.ready.count; i++) {
            const struct observation *o = &r.ready.item[i].observation;
            moved += o->kind == OBS_MOVE;
            first = o->kind == OBS_MOVE && !first ? o : first;
        }
        assert_int_equal(moved, shot ? 2 : 0);
        assert_true(!shot || first->id == 2);
        assert_true(distance_in(r.track[0].piece.at, (struct pt_in){ shot ? 3.3 : 3, 2 }) < 1e-9);
        end(&r, &s);
    }
}

// A disc is put down beside another and shot against it, and both are missed in the same frame: what the hand had put
// there struck the other.
static void of_two_that_went_at_once_the_hands_own_was_shot(void **state)
{
    (void)state;
    static struct reconstruction r;
    struct still s;
    for (int own = 0; own < 2; own++) {
        begin(&r, &s);
        struct association a = { .track = r.track, .tracks = 2, .fate = { FATE_LEFT, FATE_LEFT } };
        for (int k = 0; k < 2; k++) {
            r.track[k] = missed_at(&s, 8 + 1.5 * k, 3);
            r.track[k].hand_near = r.track[k].hand_before = true;
            r.track[k].came_by_hand = k == own;
            a.departure[k] = (struct departure){ MOVED_BY_SHOT, 1 };
        }
        r.count = 2;
        assert_int_equal(departures_first_shot(&a, -1), own);
        end(&r, &s);
    }
}

// Nothing was still between the hand that took it up and the shot: what arrives is the taw that lay elsewhere, and no
// other one. One that the hand put down where nothing ran to was not shot.
static void what_is_taken_up_and_shot_keeps_its_number(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 };
    for (int shot = 0; shot < 2; shot++) {
        static struct reconstruction r;
        struct still s;
        begin_in_another_view(&r, &s);
        missed_by_hand(&r, &s, marble_at(&s, -9, 2, true), 10.4)->hand_came = true;
        for (int i = 0; i < s.changes.width * s.changes.height; i++)
            s.patches.hand_s[i] = 10.9; // over the whole board, before anything ran
        s.seen.piece[s.seen.count++] = shot ? marble_at(&s, 8, -1, true) : marble_at(&s, 0, -8, true);
        for (int i = 0; i < RUN_STEPS; i++)
            ran_over(&r, i, (struct pt_in){ -4 + 3.0 * i, 5 - 1.5 * i }, blue, wood);
        events_reconstruct(&r, &s.moment);
        const struct observation *move[2] = { NULL, NULL };
        int ids = 0;
        for (int i = 0; i < r.ready.count; i++) {
            const struct observation *o = &r.ready.item[i].observation;
            ids += o->id != 1;
            if (o->kind == OBS_MOVE && o->id == 1)
                move[o->move.by == MOVED_BY_SHOT] = o;
        }
        assert_true((ids == 0) == shot);
        assert_non_null(move[0]);
        assert_true(fabs(move[0]->t_s - 10.4) < 1e-6 && move[0]->move.from.x == -9);
        assert_true((move[1] != NULL) == shot);
        assert_true(!shot || (fabs(move[1]->t_s - 11) < 1e-6 && move[1]->move.from.x == -4));
        end(&r, &s);
    }
}

// Before anything ran, fingers jumped to and fro: the shot that drove a disc off began when its own disc ran.
static void fingers_that_jump_are_not_what_ran(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 };
    static struct reconstruction r;
    struct still s;
    begin(&r, &s);
    s.moment.t_s = 12;
    s.moment.new_view = true;
    r.track[r.count++] = missed_at(&s, 8, -1);
    r.track[0].absent_since_s = 11.15;
    r.last_id = 1;
    s.seen.piece[s.seen.count++] = red_at(&s, 9, -7);
    for (int i = 0; i < RUN_STEPS; i++)
        ran_over(&r, i - 20, (struct pt_in){ -9 + 2 * (i % 2), 9 + i % 3 }, blue, wood);
    for (int i = 0; i < RUN_STEPS; i++)
        ran_over(&r, i, (struct pt_in){ -4 + 2.5 * i, 5 - 1.25 * i }, blue, wood);
    events_reconstruct(&r, &s.moment);
    double began_s = INFINITY;
    for (int i = 0; i < r.ready.count; i++)
        if (r.ready.item[i].observation.kind == OBS_MOVE)
            began_s = fmin(began_s, r.ready.item[i].observation.t_s);
    assert_true(fabs(began_s - 11) < 1e-6);
    end(&r, &s);
}

// Fingers were measured as a marble. What then ran from there and out of sight looked like anything but that: another
// was shot, and not they. One that lay there before any hand came is what ran, in whatever light.
static void fingers_are_not_what_ran_out_of_sight(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 };
    for (int fingers = 0; fingers < 2; fingers++) {
        static struct reconstruction r;
        struct still s;
        begin_in_another_view(&r, &s);
        struct track *first = missed_by_hand(&r, &s, marble_at(&s, -4, 5, false), 10.9);
        first->came_by_hand = fingers;
        first->looks = 1;
        for (int i = 0; i < RUN_STEPS; i++)
            ran_over(&r, i, (struct pt_in){ -4 + 4.0 * i, 5 - 2.0 * i }, blue, wood);
        events_reconstruct(&r, &s.moment);
        const struct observation *shot = NULL;
        for (int i = 0; i < r.ready.count; i++)
            if (r.ready.item[i].observation.kind == OBS_MOVE && r.ready.item[i].observation.move.by == MOVED_BY_SHOT)
                shot = &r.ready.item[i].observation;
        assert_non_null(shot);
        assert_true((shot->id != 1) == fingers);
        end(&r, &s);
    }
}

static void what_comes_beside_a_hand_may_be_a_part_of_it(void **state)
{
    (void)state;
    for (int hand = 0; hand < 2; hand++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        s.moment.new_view = true;
        s.moment.hand = hand;
        s.patches.count = 1;
        for (int i = 0; i < s.changes.width * s.changes.height; i++)
            s.patches.hand_s[i] = hand ? s.changes.t_s : -INFINITY;
        s.seen.piece[s.seen.count++] = marble_at(&s, -4, 5, false);
        events_reconstruct(&r, &s.moment);
        assert_int_equal(r.count, 1);
        assert_true(r.track[0].came_by_hand == hand);
        end(&r, &s);
    }
}

// What is first seen beside a hand waits until the hand has gone: but a disc, which is shot where it lies, and what
// surely is a taw; nor does what comes as another is missed, which it may be.
static void a_marble_first_seen_beside_a_hand_waits(void **state)
{
    (void)state;
    static const struct {
        bool hand, marble, taw, missed;
        int told;
    } rows[] = { { true, true, false, false, 0 },
                 { false, true, false, false, 1 },
                 { true, false, false, false, 1 },
                 { true, true, true, false, 1 },
                 { true, true, false, true, 1 } };
    for (size_t k = 0; k < countof(rows); k++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        if (rows[k].missed)
            missed_by_hand(&r, &s, marble_at(&s, 8, -1, true), 1);
        s.moment.hand = rows[k].hand;
        memset(s.changes.mask, CHANGED, (size_t)s.changes.width * (size_t)s.changes.height);
        s.seen.piece[s.seen.count++] = rows[k].marble ? marble_at(&s, -4, 5, rows[k].taw) : red_at(&s, -4, 5);
        a_hand_beside(&s, &s.seen.piece[0], rows[k].hand ? s.changes.t_s : -INFINITY);
        events_reconstruct(&r, &s.moment);
        if (seen_anew(&r) != rows[k].told)
            fail_msg("row %zu: %d told", k, seen_anew(&r));
        end(&r, &s);
    }
}

// Measured a little small it is a taw all the same, for targets are not shot out of a hand; measured surely, it is what
// it is.
static void what_came_out_of_a_hand_is_a_taw_unless_it_surely_is_none(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 };
    static const struct {
        double certainty; // that it is a target
        bool taw;
    } rows[] = { { 0.67, true }, { 0.9, true }, { 0.999, false } };
    for (size_t k = 0; k < countof(rows); k++) {
        static struct reconstruction r;
        struct still s;
        begin_in_another_view(&r, &s);
        struct detection *p = &s.seen.piece[s.seen.count++];
        *p = marble_at(&s, 8, -1, true);
        p->taw = false;
        p->certainty = rows[k].certainty;
        for (int i = 0; i < RUN_STEPS; i++)
            ran_over(&r, i, (struct pt_in){ -4 + 3.0 * i, 5 - 1.5 * i }, blue, wood);
        events_reconstruct(&r, &s.moment);
        const struct observation *seen = only(&r, OBS_SEEN);
        assert_true(seen->seen.taw == rows[k].taw);
        assert_true(only(&r, OBS_MOVE)->move.by == MOVED_BY_SHOT);
        end(&r, &s);
    }
}

// The taw was shot from beside the hand. What ran before it, unlike it, and lies nowhere was an edge of that hand;
// where the taw lay with no hand beside it something struck it.
static void beside_a_taw_that_was_shot_a_hand_s_edge_runs(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, skin[] = { 120, 140, 190 };
    for (int hand = 0; hand < 2; hand++) {
        static struct reconstruction r;
        struct still s;
        begin_in_another_view(&r, &s);
        struct track *taw = missed_by_hand(&r, &s, marble_at(&s, 8, -1, true), 11.3);
        taw->hand_near = hand;
        taw->looks = 2;
        s.seen.piece[s.seen.count++] = marble_at(&s, 0, -8, true);
        for (int i = 0; i < RUN_STEPS; i++)
            ran_over(&r, i, (struct pt_in){ -10 + 3.0 * i, 10 - 1.0 * i }, skin, wood);
        events_reconstruct(&r, &s.moment);
        assert_int_equal(seen_anew(&r), !hand);
        end(&r, &s);
    }
}

// The taw stopped where the target had lain that it drove off, and is measured as a target there. A hand that has been
// beside it since may have put down another.
static void a_taw_that_stops_in_a_target_s_place_is_that_taw(void **state)
{
    (void)state;
    static const double wood[] = { 130, 180, 210 }, blue[] = { 180, 90, 60 }, red[] = { 60, 60, 180 };
    for (int hand = 0; hand < 2; hand++) {
        static struct reconstruction r;
        struct still s;
        begin_in_another_view(&r, &s);
        missed_by_hand(&r, &s, marble_at(&s, -4, 5, true), 10.98)->hand_near = false;
        struct track *target = missed_by_hand(&r, &s, marble_at(&s, 5, 3, false), 11.1);
        target->id = r.last_id = 2;
        target->hand_near = false;
        for (int i = 0; i < 3; i++)
            ran_over(&r, i, (struct pt_in){ -3 + 2.5 * i, 4.8 - 0.6 * i }, blue, wood);
        for (int i = 4; i < 8; i++)
            ran_over(&r, i, (struct pt_in){ 6 + 2.5 * (i - 4), 3 }, red, wood);
        struct detection *p = &s.seen.piece[s.seen.count++];
        *p = marble_at(&s, 5, 3, true);
        p->at.x = 5.2;
        p->taw = false;
        p->certainty = 0.9;
        a_hand_beside(&s, p, hand ? 11.2 : 11); // the one that shot reached so far
        events_reconstruct(&r, &s.moment);
        const struct observation *rest = only(&r, OBS_REST);
        assert_true((rest->id == 1) == !hand);
        end(&r, &s);
    }
}

// A disc of the board's colour that nobody missed lies elsewhere, and nothing was seen to run: it left at the latest
// now.
static void what_nobody_saw_leave_left_by_now(void **state)
{
    (void)state;
    static struct reconstruction r;
    struct still s;
    begin(&r, &s);
    struct track *k = &r.track[r.count++];
    *k = missed_at(&s, 3, 4);
    k->absent_since_s = INFINITY;
    struct association a = { .track = r.track,
                             .tracks = 1,
                             .fate = { FATE_MOVED },
                             .new_place = { red_at(&s, -4, 4) },
                             .new_places = 1,
                             .taken = { true } };
    departures_find(&r, &a, &s.moment);
    assert_int_equal(a.departure[0].by, MOVED_BY_SHOT);
    assert_true(a.departure[0].t_s <= s.moment.t_s);
    assert_true(k->absent_since_s <= s.moment.t_s && k->there_until_s <= s.moment.t_s);
    end(&r, &s);
}

// A hand lifts an ivory disc, and goes: what its shadow had lain on gets lighter, here and then there. That is no disc
// that ran; smeared ivory is.
static void light_behind_a_hand_is_no_shot(void **state)
{
    (void)state;
    static const double MAPLE[3] = { 76, 6, 26 }, IVORY[3] = { 90, 4, 28 }, LIGHTER[3] = { 79, 6, 27 };
    for (int shot = 0; shot < 2; shot++) {
        static struct reconstruction r;
        struct still s;
        begin(&r, &s);
        struct track *k = missed_by_hand(&r, &s, red_at(&s, 6, 2), 1);
        memcpy(k->piece.lab, IVORY, sizeof IVORY);
        for (int i = 0; i < 2; i++) {
            struct motion m = { .t_s = 1.1 + i / 30.0, .at = { 3 - 4 * i, 6 }, .pieces = shot ? 1 : 7 };
            colour_lab_to_bgr(m.reference, MAPLE);
            colour_lab_to_bgr(m.bgr, shot ? IVORY : LIGHTER);
            assert_int_equal(motions_add(&r.motions, &m, NULL), 0);
        }
        struct association a = { .track = r.track, .tracks = 1, .fate = { FATE_LEFT } };
        departures_find(&r, &a, &s.moment);
        assert_int_equal(a.departure[0].by, shot ? MOVED_BY_SHOT : MOVED_BY_HAND);
        end(&r, &s);
    }
}

// A disc vanishes under a hand, and light moves over the hole: a little lighter than the board is no white disc in it,
// however wide it is. The disc's own paint there is.
static void light_over_the_hole_is_no_disc_in_it(void **state)
{
    (void)state;
    static const double MAPLE[3] = { 80, 4, 24 }, WHITE[3] = { 92, 0, 8 };
    for (int disc = 0; disc < 2; disc++) {
        struct still s;
        set_up(&s);
        struct track gone = missed_at(&s, 6, 2);
        memcpy(gone.piece.lab, WHITE, sizeof WHITE);
        struct motion over = { .t_s = 1.2, .pieces = 7 };
        const double lighter[3] = { MAPLE[0] + 4, MAPLE[1], MAPLE[2] - 3 };
        colour_lab_to_bgr(over.reference, MAPLE);
        colour_lab_to_bgr(over.bgr, disc ? WHITE : lighter);
        assert_int_equal(motions_add(&s.motions, &over, NULL), 0);
        assert_int_equal(association_left_for(&s.motions, &gone, 1, &s.pose.board), disc ? IN_HOLE : UNSEEN);
        motions_finish(&s.motions);
        change_detector_finish(&s.changes);
        change_patches_finish(&s.patches);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arms_shadow_is_no_shot),
        cmocka_unit_test(a_taw_that_arrives_was_shot),
        cmocka_unit_test(of_two_that_went_at_once_the_hands_own_was_shot),
        cmocka_unit_test(what_came_and_went_with_a_hand_was_no_shot),
        cmocka_unit_test(what_was_only_touched_is_not_the_shooter),
        cmocka_unit_test(what_is_taken_up_and_shot_keeps_its_number),
        cmocka_unit_test(fingers_that_jump_are_not_what_ran),
        cmocka_unit_test(fingers_are_not_what_ran_out_of_sight),
        cmocka_unit_test(what_comes_beside_a_hand_may_be_a_part_of_it),
        cmocka_unit_test(a_marble_first_seen_beside_a_hand_waits),
        cmocka_unit_test(what_came_out_of_a_hand_is_a_taw_unless_it_surely_is_none),
        cmocka_unit_test(beside_a_taw_that_was_shot_a_hand_s_edge_runs),
        cmocka_unit_test(a_taw_that_stops_in_a_target_s_place_is_that_taw),
        cmocka_unit_test(what_nobody_saw_leave_left_by_now),
        cmocka_unit_test(light_behind_a_hand_is_no_shot),
        cmocka_unit_test(light_over_the_hole_is_no_disc_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
