// SPDX-License-Identifier: MIT
// What happened on the stage is told: each script at full, half and variable rate and with frames dropped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/vision/track/watched.h"

static const double LATE_S = 0.11; // half rate and a dropped frame: the start is seen so late at most
static void a_shot_is_told_with_its_shooter(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        print_message("  %s\n", rate_name[rate]);
        struct told t = watch(&a_shot, (enum rate)rate, 3);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
        assert_int_equal(count_moves(&t, MOVED_BY_HAND), 0);
        const struct event *first = nth(&t, OBS_MOVE, 0), *second = nth(&t, OBS_MOVE, 1);
        assert_string_equal(first->piece.colour, "black");
        assert_near(first->observation.t_s, 1.1 + LATE_S / 2, LATE_S / 2 + 0.01);
        assert_string_equal(second->piece.colour, "red");
        assert_near(second->observation.t_s, 1.3 + LATE_S / 2, LATE_S / 2 + 0.01);
        assert_float_equal(last_rest(&t, first->observation.id)->piece.at.y, 2.5, 0.05);
        assert_float_equal(last_rest(&t, second->observation.id)->piece.at.y, 9, 0.05);
        assert_int_equal(count(&t, OBS_GONE), 0);
        assert_int_equal(t.item[t.count - 1].observation.kind, OBS_STILL);
    }
}

// A camera in dim light leaves out what shows the shot on its way: what strikes the red disc is known by the hand that
// was beside it, or by lying where no hand has put it.
static void a_shot_that_few_frames_show_is_told_with_its_shooter(void **state)
{
    (void)state;
    static const double gap_s[][2] = { { 1.11, 1.36 }, { 1.05, 1.32 }, { 1.15, 1.36 } };
    for (size_t i = 0; i < 2 * countof(gap_s); i++) {
        struct script s = a_shot;
        s.gap_from_s = gap_s[i / 2][0];
        s.gap_to_s = gap_s[i / 2][1];
        if (i % 2 == 1)
            s.actor[0].key[0].t_s = 0; // it lies there before the hand comes
        print_message("  no frame from %g s to %g s, %s\n", s.gap_from_s, s.gap_to_s, i % 2 ? "known" : "put down");
        struct told t = watch(&s, FULL, 3);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
        assert_int_equal(count_moves(&t, MOVED_BY_HAND), 0);
        assert_string_equal(nth(&t, OBS_MOVE, 0)->piece.colour, "black");
        assert_string_equal(nth(&t, OBS_MOVE, 1)->piece.colour, "red");
        assert_int_equal(nth(&t, OBS_CONTACT, 0)->observation.contact.other, nth(&t, OBS_MOVE, 1)->observation.id);
        assert_int_equal(count(&t, OBS_GONE), 0);
    }
}

// The frame in which the board is found shows a hand. Where that was looks changed once it has gone, but is no hand
// that may hide something: what is shot afterwards is told when it lies still.
static void a_hand_that_was_there_from_the_start_goes(void **state)
{
    (void)state;
    struct script s = {
        .noise = 2,
        .actors = 1,
        .actor = { { RED, 4, { { 0, 5, -11 }, { 1.2, 5, -11 }, { 1.8, 4, 6 }, { 1e9, 4, 6 } }, .slows = true } },
        .hand_keys = 4,
        .hand = { { 0, -2, 2 }, { 0.4, -2, 2 }, { 0.6, -2, -20 }, { 0.61, -2, -20 } }
    };
    for (int rate = 0; rate < RATES; rate++) {
        print_message("  %s\n", rate_name[rate]);
        struct told t = watch(&s, (enum rate)rate, 2.4);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
        assert_int_equal(t.item[t.count - 1].observation.kind, OBS_STILL);
        assert_true(t.told_s[t.count - 1] < 2.3);
        const struct observation *hand = &nth(&t, OBS_HAND, count(&t, OBS_HAND) - 1)->observation;
        assert_false(hand->hand.over);
        assert_true(hand->t_s < 1.1);
    }
}

// A webcam in bad light: noise of 30 steps up and down.
static void a_shot_is_told_in_noise(void **state)
{
    (void)state;
    struct script noisy = a_shot;
    noisy.noise = 30;
    struct told t = watch(&noisy, FULL, 3);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
    assert_string_equal(nth(&t, OBS_MOVE, 0)->piece.colour, "black");
    assert_float_equal(nth(&t, OBS_MOVE, 0)->observation.t_s, 1.1, LATE_S);
    assert_int_equal(count(&t, OBS_GONE), 0);
}

static void the_first_contact_is_with_the_piece_struck(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        print_message("  %s\n", rate_name[rate]);
        struct told t = watch(&a_shot, (enum rate)rate, 3);
        const struct event *c = nth(&t, OBS_CONTACT, 0);
        assert_int_equal(c->observation.contact.what, TOUCHED_PIECE);
        assert_int_equal(c->observation.id, nth(&t, OBS_MOVE, 0)->observation.id);
        assert_int_equal(c->observation.contact.other, nth(&t, OBS_MOVE, 1)->observation.id);
        assert_float_equal(c->observation.t_s, 1.3, 1.0 / 30);
    }
}

static double uniform(uint32_t *seed, double from, double to)
{
    *seed = *seed * 1664525 + 1013904223;
    return from + (to - from) * (*seed >> 8) / 16777216.0;
}

// A shot from the outer line at a disc of the same colour, fully or beside its middle; both run on for 0.12 s and slow
// to a stand in as much. False when one would leave the board. *touch_s is when they touch.
static bool collision(struct script *out, double *touch_s, uint32_t *seed)
{
    const double reach = 1.25, runs_s = 0.12;
    double angle = uniform(seed, 0, 2 * PI), speed = uniform(seed, 50, 110), off = uniform(seed, -1.1, 1.1);
    struct pt_in from = { 12 * cos(angle), 12 * sin(angle) }, lies = { uniform(seed, -5, 5), uniform(seed, -5, 5) };
    double d = hypot(lies.x - from.x, lies.y - from.y), way = atan2(lies.y - from.y, lies.x - from.x) + asin(off / d);
    double along = sqrt(d * d - off * off) - sqrt(reach * reach - off * off);
    struct pt_in at = { from.x + along * cos(way), from.y + along * sin(way) };
    double x = (lies.x - at.x) / reach, y = (lies.y - at.y) / reach;
    double give = 0.93 * speed * (x * cos(way) + y * sin(way)); // equal masses that keep 0.86 of what they close with
    struct pt_in ends = { at.x + runs_s * (speed * cos(way) - give * x),
                          at.y + runs_s * (speed * sin(way) - give * y) };
    struct pt_in pushed = { lies.x + runs_s * give * x, lies.y + runs_s * give * y };
    struct pt_in stands = { ends.x + (ends.x - at.x) / 2, ends.y + (ends.y - at.y) / 2 };
    struct pt_in stopped = { pushed.x + (pushed.x - lies.x) / 2, pushed.y + (pushed.y - lies.y) / 2 };
    double start_s = uniform(seed, 1, 1.03);
    *touch_s = start_s + along / speed;
    double slows_s = *touch_s + runs_s, still_s = slows_s + runs_s;
    *out = (struct script){ .noise = 2,
                            .actors = 2,
                            .actor = { { RED,
                                         6,
                                         { { 0, from.x, from.y },
                                           { start_s, from.x, from.y },
                                           { *touch_s, at.x, at.y },
                                           { slows_s, ends.x, ends.y },
                                           { still_s, stands.x, stands.y },
                                           { 1e9, stands.x, stands.y } },
                                         .slows = true },
                                       { RED,
                                         5,
                                         { { 0, lies.x, lies.y },
                                           { *touch_s, lies.x, lies.y },
                                           { slows_s, pushed.x, pushed.y },
                                           { still_s, stopped.x, stopped.y },
                                           { 1e9, stopped.x, stopped.y } },
                                         .slows = true } } };
    return hypot(stands.x, stands.y) < 11.5 && hypot(stopped.x, stopped.y) < 11.5;
}

static void touches_are_told_between_two_frames(void **state)
{
    (void)state;
    static const double within_s[RATES] = { 0.3 / 30, 0.3 / 15, 1.0 / 30, 1.0 / 30 };
    uint32_t seed = 3;
    for (int i = 0; i < 12; i++) {
        struct script s;
        double touch_s;
        if (!collision(&s, &touch_s, &seed))
            continue;
        struct told t = watch(&s, (enum rate)(i % RATES), 2.2);
        const struct event *c = nth(&t, OBS_CONTACT, 0);
        assert_int_equal(c->observation.contact.what, TOUCHED_PIECE);
        assert_int_equal(c->observation.id, nth(&t, OBS_MOVE, 0)->observation.id);
        assert_float_equal(c->observation.t_s, touch_s, within_s[i % RATES]);
    }
}

// It meets no other disc, but at the ring of pegs something turns it aside.
static const struct script a_peg_in_the_way = {
    .noise = 2,
    .actors = 1,
    .actor = { { RED, 5, { { 0, 1.5, -11 }, { 1, 1.5, -11 }, { 1.2, 1.5, -4.4 }, { 1.5, 5, -7 }, { 1e9, 5, -7 } } } },
};

static void a_peg_that_turns_it_aside_is_touched(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        print_message("  %s\n", rate_name[rate]);
        struct told t = watch(&a_peg_in_the_way, (enum rate)rate, 2.5);
        assert_int_equal(count(&t, OBS_CONTACT), 1);
        const struct event *c = nth(&t, OBS_CONTACT, 0);
        assert_int_equal(c->observation.contact.what, TOUCHED_PEG);
        assert_float_equal(c->observation.t_s, 1.2, 0.5 / 30);
        assert_float_equal(hypot(c->observation.contact.at.x - 1.5, c->observation.contact.at.y + 4.4), 0, 0.5);
    }
}

// The same way where there is no peg: that is friction, or a draught.
static void a_bend_elsewhere_is_no_peg(void **state)
{
    (void)state;
    struct script s = a_peg_in_the_way;
    for (int i = 0; i < s.actor[0].keys; i++)
        s.actor[0].key[i].x += 7;
    struct told t = watch(&s, FULL, 2.5);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
    assert_int_equal(count(&t, OBS_CONTACT), 0);
}

// A disc that nobody could measure before it was shot: it lies under the hand.
static const struct script a_hidden_start = {
    .noise = 2,
    .actors = 1,
    .actor = { { BLACK, 4, { { 1.0, 0, -11 }, { 1.01, 0, -11 }, { 1.4, 0, 4 }, { 1e9, 0, 4 } }, .slows = true } },
    .hand_keys = 4,
    .hand = { { 0.5, 0, -20 }, { 1.0, 0, -10 }, { 1.2, 0, -20 }, { 1.21, 0, -20 } },
};

static void a_disc_first_seen_running_is_the_shooter(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        print_message("  %s\n", rate_name[rate]);
        struct told t = watch(&a_hidden_start, (enum rate)rate, 2.5);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
        assert_string_equal(nth(&t, OBS_MOVE, 0)->piece.colour, "black");
        assert_float_equal(nth(&t, OBS_MOVE, 0)->observation.t_s, 1.05, 0.2);
        assert_int_equal(count(&t, OBS_SEEN), 1);
        assert_float_equal(last_rest(&t, 1)->piece.at.y, 4, 0.05);
    }
}

// It was in nobody's hand: the footage begins still, and then it runs in from where nothing was seen.
static const struct script an_early_run = {
    .noise = 2,
    .actors = 1,
    .actor = { { BLACK, 4, { { 0.22, -9, -7 }, { 0.23, -9, -7 }, { 0.6, 4, 3 }, { 1e9, 4, 3 } }, .slows = true } },
};

static void what_runs_soon_after_the_beginning_began_when_it_was_seen(void **state)
{
    (void)state;
    struct told t = watch(&an_early_run, FULL, 2);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
    assert_float_equal(nth(&t, OBS_SEEN, 0)->observation.t_s, 0.25, 0.06);
    assert_float_equal(nth(&t, OBS_MOVE, 0)->observation.t_s, 0.25, 0.06);
}

// The same, pale, and what it strikes runs straight on: followed by its motion alone, the run is that of the other.
static const struct script a_pale_hidden_start = {
    .noise = 2,
    .actors = 2,
    .actor = { { "yellow",
                 { 85, 172, 200 },
                 5,
                 { { 1.0, 0, -11 }, { 1.01, 0, -11 }, { 1.4, 0, 1.75 }, { 1.8, 5, 3.5 }, { 1e9, 5, 3.5 } } },
               { "red", { 100, 125, 200 }, 4, { { 0, 0, 3 }, { 1.4, 0, 3 }, { 1.7, 0, 10 }, { 1e9, 0, 10 } } } },
    .hand_keys = 4,
    .hand = { { 0.5, 0, -20 }, { 1.0, 0, -10 }, { 1.2, 0, -20 }, { 1.21, 0, -20 } },
};

static void what_arrived_is_what_ran(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        struct told t = watch(&a_pale_hidden_start, (enum rate)rate, 3);
        assert_string_equal(nth(&t, OBS_MOVE, 0)->piece.colour, "yellow");
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
        assert_int_equal(count(&t, OBS_SEEN) + count(&t, OBS_GONE), 2);
        assert_float_equal(last_rest(&t, nth(&t, OBS_MOVE, 0)->observation.id)->piece.at.x, 5, 0.05);
    }
}

// A disc that nobody measured drives another off and stays where it struck it: it is not that other one, come to rest
// there.
static const struct script a_hidden_start_drives_off = {
    .noise = 2,
    .actors = 2,
    .actor = { { BLACK,
                 5,
                 { { 1.0, 0, -11 }, { 1.01, 0, -11 }, { 1.4, 0, 1.75 }, { 1.6, 0.9, 1.9 }, { 1e9, 0.9, 1.9 } } },
               { RED, 4, { { 0, 0, 3 }, { 1.4, 0, 3 }, { 1.75, 1, 13.6 }, { 1.8, 1, 13.7 } } } },
    .hand_keys = 4,
    .hand = { { 0.5, 0, -20 }, { 1.0, 0, -10 }, { 1.2, 0, -20 }, { 1.21, 0, -20 } },
};

static void what_drove_a_disc_off_is_not_taken_for_it(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        struct told t = watch(&a_hidden_start_drives_off, (enum rate)rate, 2.5);
        assert_int_equal(count(&t, OBS_GONE), 1);
        assert_string_equal(nth(&t, OBS_GONE, 0)->piece.colour, "red");
        assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, IN_DITCH);
    }
}

// A disc that nobody measured, neither before nor after, while red ones are known: blurred paint is no name for another
// side.
static void whose_a_disc_is_that_only_ran_is_known_by_known_paints(void **state)
{
    (void)state;
    static const struct actor lies = { RED, 2, { { 0, -5, 6 }, { 1e9, -5, 6 } }, .slows = false };
    static const struct actor runs_off[] = {
        { BLACK, 4, { { 1.0, 0, -11 }, { 1.01, 0, -11 }, { 1.5, 5, 13.8 }, { 1.55, 5.3, 15 } }, .slows = false },
        { RED, 4, { { 1.0, 0, -11 }, { 1.01, 0, -11 }, { 1.5, 5, 13.8 }, { 1.55, 5.3, 15 } }, .slows = false },
    };
    for (int red = 0; red <= 1; red++) {
        struct script s = a_hidden_start;
        s.actors = 2;
        s.actor[0] = runs_off[red];
        s.actor[1] = lies;
        struct told t = watch(&s, FULL, 2.5);
        assert_int_equal(count(&t, OBS_GONE), 1);
        assert_string_equal(nth(&t, OBS_GONE, 0)->piece.colour, red ? "red" : COLOUR_UNKNOWN);
    }
}

// A hand puts a disc down and leaves; nobody shoots.
static const struct script a_disc_is_placed = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } }, { BLACK, 2, { { 0.8, 0, -8 }, { 1e9, 0, -8 } } } },
    .hand_keys = 4,
    .hand = { { 0.4, 0, -20 }, { 0.8, 0, -8 }, { 1.2, 0, -20 }, { 1.21, 0, -20 } },
};

static void placing_is_no_shot(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        struct told t = watch(&a_disc_is_placed, (enum rate)rate, 2.5);
        assert_int_equal(count(&t, OBS_MOVE), 0);
        assert_int_equal(count(&t, OBS_SEEN), 2);
        assert_string_equal(nth(&t, OBS_SEEN, 1)->piece.colour, "black");
        assert_int_equal(count(&t, OBS_GONE), 0);
        assert_int_equal(count(&t, OBS_HAND), 2);
    }
}

static const struct script a_disc_is_taken = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } }, { BLACK, 2, { { 0, 0, -8 }, { 0.8, 0, -8 } } } },
    .hand_keys = 4,
    .hand = { { 0.4, 0, -20 }, { 0.8, 0, -7 }, { 1.2, 0, -20 }, { 1.21, 0, -20 } },
};

static void taking_is_no_shot(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        struct told t = watch(&a_disc_is_taken, (enum rate)rate, 2.5);
        assert_int_equal(count(&t, OBS_MOVE), 0);
        assert_int_equal(count(&t, OBS_GONE), 1);
        assert_string_equal(nth(&t, OBS_GONE, 0)->piece.colour, "black");
        assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, BY_HAND);
    }
}

// The player reaches in an eighth of a second after it stopped, before the stillness that is waited for, and takes it.
static const struct script a_disc_is_taken_at_once = {
    .noise = 2,
    .actors = 1,
    .actor = { { RED, 4, { { 0, 2, -8 }, { 1.15, 2, -8 }, { 1.4, 1, 3 }, { 1.9, 1, 3 } } } },
    .hand_keys = 4,
    .hand = { { 1.46, 0, -20 }, { 1.56, 0, -15 }, { 1.9, 1, 2.5 }, { 2.3, 0, -20 } },
};

static void a_hand_that_reaches_in_shows_where_everything_lies(void **state)
{
    (void)state;
    struct told t = watch(&a_disc_is_taken_at_once, FULL, 3);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
    const struct observation *rest = &nth(&t, OBS_REST, 1)->observation;
    assert_near(rest->t_s, 1.5, 0.08);
    assert_near(distance_in(rest->rest.at, (struct pt_in){ 1, 3 }), 0, 0.2);
    assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, BY_HAND);
}

// Only the tip of a quick hand is seen beside a ditched disc, between two frames the disc is gone.
static const struct script a_ditched_disc_is_taken = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } }, { BLACK, 2, { { 0, 0, -12.7 }, { 0.8, 0, -12.7 } } } },
    .hand_keys = 4,
    .hand = { { 0.7, 0, -18 }, { 0.8, 0, -15.2 }, { 0.9, 0, -18 }, { 0.91, 0, -18 } },
};

static void a_ditched_disc_that_vanishes_was_taken(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        struct told t = watch(&a_ditched_disc_is_taken, (enum rate)rate, 2.5);
        assert_int_equal(count(&t, OBS_MOVE), 0);
        assert_int_equal(count(&t, OBS_SEEN), 2);
        assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, BY_HAND);
    }
}

// Shot from the line, over the edge and out of sight of the finder.
static const struct script a_disc_is_ditched = {
    .noise = 2,
    .actors = 1,
    .actor = { { RED, 4, { { 0, 2, -8 }, { 1, 2, -8 }, { 1.5, 1, 13.6 }, { 1.55, 1, 13.7 } } } },
};

static void a_disc_that_runs_off_is_ditched(void **state)
{
    (void)state;
    struct told t = watch(&a_disc_is_ditched, FULL, 2.5);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
    assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, IN_DITCH);
}

// Off a peg it comes back over the place that it was shot from, and looks there for a moment as if it had never left.
static const struct script a_disc_comes_back = {
    .noise = 2,
    .actors = 1,
    .actor = { { BLACK,
                 5,
                 { { 0.7, 0, -11 }, { 1.1, 0, -11 }, { 1.2, 0, -4 }, { 1.7, 0, -13.7 }, { 1e9, 0, -13.7 } } } },
    .hand_keys = 5,
    .hand = { { 0.4, 0, -20 }, { 0.65, 0, -12 }, { 1.1, 0, -12 }, { 1.25, 0, -20 }, { 1.26, 0, -20 } },
};

static void what_comes_back_over_its_place_is_one_shot(void **state)
{
    (void)state;
    for (int rate = FULL; rate <= VARIABLE; rate++) {
        struct told t = watch(&a_disc_comes_back, (enum rate)rate, 3);
        if (count(&t, OBS_SEEN) != 1 || count_moves(&t, MOVED_BY_SHOT) != 1)
            fail_msg("%s: %d discs, %d shots", rate_name[rate], count(&t, OBS_SEEN), count_moves(&t, MOVED_BY_SHOT));
        assert_float_equal(nth(&t, OBS_MOVE, 0)->observation.t_s, 1.1, 0.1);
    }
}

// The arm lies over one while another of its paint is shot; then it is seen again, and struck. It is not the one that was
// shot, and moved when it was struck.
static const struct script an_arm_hides_what_is_struck_later = {
    .noise = 2,
    .actors = 2,
    .actor = { { BLACK,
                 5,
                 { { 0.7, -1.2, -11 }, { 1.1, -1.2, -11 }, { 1.35, -6, 0 }, { 1.75, 1.3, -9.4 }, { 1e9, 1.3, -9.4 } } },
               { BLACK, 4, { { 0, 2.4, -10 }, { 1.75, 2.4, -10 }, { 2.1, 6, -7 }, { 1e9, 6, -7 } } } },
    .hand_keys = 5,
    .hand = { { 0.4, 1.7, -20 }, { 0.65, 1.7, -8.5 }, { 1.3, 1.7, -8.5 }, { 1.45, 1.7, -20 }, { 1.46, 1.7, -20 } },
};

static void what_an_arm_hid_moved_when_it_was_struck(void **state)
{
    (void)state;
    for (int rate = FULL; rate <= HALF; rate++) {
        print_message("  %s\n", rate_name[rate]);
        struct told t = watch(&an_arm_hides_what_is_struck_later, (enum rate)rate, 3.2);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
        const struct observation *shot = &nth(&t, OBS_MOVE, 0)->observation,
                                 *struck = &nth(&t, OBS_MOVE, 1)->observation,
                                 *contact = &nth(&t, OBS_CONTACT, 0)->observation;
        assert_float_equal(shot->move.from.x, -1.2, 0.1);
        assert_float_equal(shot->t_s, 1.1, 0.1);
        assert_float_equal(struck->move.from.x, 2.4, 0.1);
        assert_float_equal(struck->t_s, 1.75, 0.1);
        assert_true(contact->id == shot->id && contact->contact.other == struck->id);
    }
}

// A hand is busy over it for more than a second before it shoots it over the edge.
static const struct script a_hidden_disc_is_ditched = {
    .noise = 2,
    .actors = 1,
    .actor = { { RED, 4, { { 0, 2, -8 }, { 1.85, 2, -8 }, { 2.35, 1, 13.6 }, { 2.4, 1, 13.7 } } } },
    .hand_keys = 6,
    .hand = { { 0.4, 2, -20 }, { 0.6, 2, -6 }, { 1.2, 2.6, -3 }, { 1.9, 2, -6 }, { 2.1, 2, -20 }, { 2.11, 2, -20 } },
};

static void what_a_hand_hid_was_shot_when_it_ran(void **state)
{
    (void)state;
    struct told t = watch(&a_hidden_disc_is_ditched, FULL, 3.5);
    assert_int_equal(count(&t, OBS_SEEN), 1); // and no other one
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 1);
    assert_float_equal(nth(&t, OBS_MOVE, 0)->observation.t_s, 1.85, 0.1);
    assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, IN_DITCH);
}

static const struct script a_cut = {
    .noise = 2,
    .actors = 2,
    .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } }, { BLACK, 2, { { 0, -4, 2 }, { 1.0, -4, 2 } } } },
    .cut_s = 1.0,
};

static void after_a_cut_the_board_is_found_again(void **state)
{
    (void)state;
    for (int rate = 0; rate < RATES; rate++) {
        struct told t = watch(&a_cut, (enum rate)rate, 2.5);
        assert_int_equal(count(&t, OBS_CAMERA), 3);
        assert_int_equal(nth(&t, OBS_CAMERA, 0)->observation.camera.what, CAMERA_LOCKED);
        assert_int_equal(nth(&t, OBS_CAMERA, 1)->observation.camera.what, CAMERA_LOST);
        assert_float_equal(nth(&t, OBS_CAMERA, 1)->observation.t_s, 1.05, 0.06);
        assert_int_equal(nth(&t, OBS_CAMERA, 2)->observation.camera.what, CAMERA_LOCKED);
        assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 0);
        assert_int_equal(count(&t, OBS_GONE), 1); // the black one is not there any more
        assert_string_equal(nth(&t, OBS_GONE, 0)->piece.colour, "black");
    }
}

static void a_speck_that_is_not_seen_again_was_no_piece(void **state)
{
    (void)state;
    struct script s = a_shot;
    s.speck_until_s = 0.3;
    struct told t = watch(&s, FULL, 3);
    assert_int_equal(count_moves(&t, MOVED_BY_SHOT), 2);
    assert_int_equal(count(&t, OBS_GONE), 1);
    assert_float_equal(nth(&t, OBS_GONE, 0)->piece.at.y, 6, 0.01);
    assert_int_equal(nth(&t, OBS_GONE, 0)->observation.gone.where, BY_HAND);
}

static void nothing_is_told_twice_of_a_quiet_board(void **state)
{
    (void)state;
    static const struct script quiet = { .noise = 2,
                                         .actors = 1,
                                         .actor = { { RED, 2, { { 0, 3, 3 }, { 1e9, 3, 3 } } } } };
    struct told t = watch(&quiet, FULL, 4);
    assert_int_equal(t.count, 4); // locked, seen, rest, still
    assert_true(t.item[3].observation.kind == OBS_STILL);
}

static void frames_out_of_order_or_of_another_size_are_refused(void **state)
{
    (void)state;
    struct tracker_stages finders = { stage_find_board, stage_refit, stage_find_pieces, stage_suffices };
    struct event_list news = { 0 };
    struct tracker *e;
    struct fail why = { 0 };
    uint32_t seed = 7;
    on_stage = &a_cut;
    assert_int_equal(tracker_create(&e, board_builtin("crokinole-nca"), NULL, &finders, &tuning_defaults, NULL), 0);
    struct frame *late = stage_frame(0.5, &seed), *early = stage_frame(0.2, &seed), *small;
    assert_int_equal(tracker_feed(&news, e, late, &why), 0);
    assert_int_equal(tracker_feed(&news, e, early, &why), RS_EINPUT);
    assert_int_equal(frame_create(&small, 64, 48, NULL), 0);
    small->t_s = 1;
    assert_int_equal(tracker_feed(&news, e, small, &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "64 x 48"));
    frame_free(small);
    frame_free(early);
    frame_free(late);
    tracker_free(e);
    event_list_free(&news);
}

static void after_the_first_look_only_changes_are_asked_for(void **state)
{
    (void)state;
    stage_parts_asked_for = 0;
    watch(&a_shot, FULL, 3);
    assert_true(stage_parts_asked_for > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shot_is_told_with_its_shooter),
        cmocka_unit_test(a_shot_that_few_frames_show_is_told_with_its_shooter),
        cmocka_unit_test(a_hand_that_was_there_from_the_start_goes),
        cmocka_unit_test(a_shot_is_told_in_noise),
        cmocka_unit_test(after_the_first_look_only_changes_are_asked_for),
        cmocka_unit_test(the_first_contact_is_with_the_piece_struck),
        cmocka_unit_test(touches_are_told_between_two_frames),
        cmocka_unit_test(a_peg_that_turns_it_aside_is_touched),
        cmocka_unit_test(a_bend_elsewhere_is_no_peg),
        cmocka_unit_test(a_disc_first_seen_running_is_the_shooter),
        cmocka_unit_test(what_runs_soon_after_the_beginning_began_when_it_was_seen),
        cmocka_unit_test(what_arrived_is_what_ran),
        cmocka_unit_test(what_drove_a_disc_off_is_not_taken_for_it),
        cmocka_unit_test(whose_a_disc_is_that_only_ran_is_known_by_known_paints),
        cmocka_unit_test(placing_is_no_shot),
        cmocka_unit_test(taking_is_no_shot),
        cmocka_unit_test(a_hand_that_reaches_in_shows_where_everything_lies),
        cmocka_unit_test(a_ditched_disc_that_vanishes_was_taken),
        cmocka_unit_test(a_disc_that_runs_off_is_ditched),
        cmocka_unit_test(what_comes_back_over_its_place_is_one_shot),
        cmocka_unit_test(what_an_arm_hid_moved_when_it_was_struck),
        cmocka_unit_test(what_a_hand_hid_was_shot_when_it_ran),
        cmocka_unit_test(after_a_cut_the_board_is_found_again),
        cmocka_unit_test(a_speck_that_is_not_seen_again_was_no_piece),
        cmocka_unit_test(nothing_is_told_twice_of_a_quiet_board),
        cmocka_unit_test(frames_out_of_order_or_of_another_size_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
