// SPDX-License-Identifier: MIT
// Tournament Crokinole: what a call holds beside its words, and what a whole match of chance keeps to. Its situations
// stand in samples/situations/crokinole.txt.
#include <math.h>
#include <string.h>

#include "referee/announce/json.h"
#include "tests/cmocka.h"
#include "tests/referee/games/by_chance.h"

static void begin(struct play *p, const char *format)
{
    struct match_setup setup = match_setup_usual(&crokinole_game);
    struct board b = *board_builtin("crokinole-nca");
    setup.seats = SIDES;
    setup.first = 0;
    setup.format = *game_format(&crokinole_game, format);
    strcpy(setup.seat[0].colour, "black");
    strcpy(setup.seat[1].colour, "red");
    b.line_width_in = 0.1;
    play_begin(p, &crokinole_game, &b, &setup);
    p->sigma_in = 0.005;
}

static void shoot(struct play *p, int id, const char *colour, double x_in)
{
    put_and_move(p, id, colour);
    play_rest(p, id, (struct pt_in){ x_in, 0 }, ON_SURFACE);
    play_still(p);
}

static void a_call_says_zone_margin_and_rule(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", 3.195);
    const struct call *c = play_call(&p, "zone");
    assert_non_null(c);
    assert_string_equal(c->text, "black  15  (0.13 in inside the line)");
    assert_string_equal(c->rule, "N1");
    assert_string_equal(c->side, "black");
    assert_true(c->firm && c->measured && fabs(c->zone.verdict.margin_in - 0.13) < 1e-9);
    play_end(&p);
}

// Doubt that it is a disc at all makes a call close; one in a hundred is none.
static void a_disc_that_leaves_is_firmly_ditched_where_it_surely_is_one(void **state)
{
    (void)state;
    static const double certainty[] = { 0.85, 0.95, 0.99 };
    static struct play p;
    for (size_t i = 0; i < sizeof certainty / sizeof *certainty; i++) {
        begin(&p, "");
        struct observation o = { .kind = OBS_SEEN, .id = 1 };
        o.seen.kind = PIECE_DISC;
        o.seen.certainty = certainty[i];
        o.seen.radius_in = board_builtin("crokinole-nca")->piece_radius_in;
        strcpy(o.seen.colour, "black");
        play_feed(&p, o);
        play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
        play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
        play_gone(&p, 1, IN_DITCH);
        play_still(&p);
        const struct call *c = play_call(&p, "ditched");
        assert_non_null(c);
        assert_int_equal(c->firm, certainty[i] >= 0.9);
        play_end(&p);
    }
}

static int number_of(const json_t *standing, int side, const char *key)
{
    const json_t *o = json_array_get(json_object_get(standing, "sides"), (size_t)side);
    return (int)json_integer_value(json_object_get(o, key));
}

// What a total and a round say in words stands beside them as numbers.
static void the_numbers_of_a_call_stand_in_the_standing(void **state)
{
    (void)state;
    static struct play p;
    json_t *standing;
    begin(&p, "");
    put_and_move(&p, 1, "black");
    play_rest(&p, 1, (struct pt_in){ 0, 0 }, IN_HOLE);
    play_still(&p);
    play_gone(&p, 1, BY_HAND);
    shoot(&p, 2, "red", 3);
    assert_non_null(strstr(play_call(&p, "total")->text, "on the board black 20, red 15"));
    standing = standing_json(&p.referee.match);
    assert_int_equal(number_of(standing, 0, "kept") + number_of(standing, 0, "on_board"), 20);
    assert_int_equal(number_of(standing, 1, "kept") + number_of(standing, 1, "on_board"), 15);
    assert_int_equal(number_of(standing, 0, "twenties"), 1);
    json_decref(standing);
    play_say(&p, "round-over", "");
    assert_non_null(strstr(play_call(&p, "round")->text, "round 1 over: black 20, red 15; score black 2, red 0"));
    standing = standing_json(&p.referee.match);
    for (int i = 0; i < SIDES; i++) {
        assert_int_equal(number_of(standing, i, "last_round"), i == 0 ? 20 : 15);
        assert_int_equal(number_of(standing, i, "points"), i == 0 ? 2 : 0);
        assert_int_equal(number_of(standing, i, "kept") + number_of(standing, i, "on_board"), 0);
    }
    json_decref(standing);
    play_end(&p);
}

static struct points counted(struct play *p, const char *colour)
{
    return play_now(p)->side[standing_of_colour(play_now(p), colour)].counted;
}

// Until a judge has said which of both readings it is, the points say both; from then on they say what he said.
static void a_call_that_is_confirmed_leaves_no_two_readings(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", 3.322);
    struct points points = counted(&p, "black");
    assert_true(points.reads == 15 && points.least == 10 && points.most == 15);
    assert_true(!play_call(&p, "zone")->firm);
    play_say(&p, "confirm", "");
    points = counted(&p, "black");
    assert_true(points.reads == 15 && points.least == 15 && points.most == 15);
    for (int i = 0; i < p.change.count; i++)
        if (p.change.call[i].change != CALL_WITHDRAWN)
            assert_null(strstr(p.change.call[i].text, "too close"));
    assert_true(p.change.count > 0);
    play_end(&p);
}

// Also where it was the disc itself that was in doubt.
static void a_doubtful_disc_that_is_confirmed_is_one(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    struct observation o = { .kind = OBS_SEEN, .id = 1 };
    o.seen.kind = PIECE_DISC;
    o.seen.certainty = 0.8;
    o.seen.radius_in = board_builtin("crokinole-nca")->piece_radius_in;
    strcpy(o.seen.colour, "black");
    play_feed(&p, o);
    play_rest(&p, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&p, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_rest(&p, 1, (struct pt_in){ 2, 0 }, ON_SURFACE);
    play_still(&p);
    assert_true(!play_call(&p, "zone")->firm && counted(&p, "black").least == 0);
    play_say(&p, "confirm", "");
    struct points points = counted(&p, "black");
    assert_true(points.reads == 15 && points.least == 15 && points.most == 15);
    play_end(&p);
}

static void points_say_both_readings_of_a_disc_at_the_outer_line(void **state)
{
    (void)state;
    static struct play p;
    static const double in_by[] = { 0.003, -0.003, -0.2 };
    static const struct points expected[] = { { 5, 0, 5 }, { 0, 0, 5 }, { 0, 0, 0 } };
    for (size_t i = 0; i < sizeof in_by / sizeof *in_by; i++) {
        begin(&p, "");
        const struct board *b = board_builtin("crokinole-nca");
        shoot(&p, 1, "red", 2);
        shoot(&p, 2, "black", b->circle_in[0] - 0.05 - b->piece_radius_in - in_by[i]);
        play_say(&p, "hit", "");
        struct points points = counted(&p, "black");
        if (points.reads != expected[i].reads || points.least != expected[i].least || points.most != expected[i].most)
            fail_msg("%.3f in: %d, %d to %d", in_by[i], points.reads, points.least, points.most);
        play_end(&p);
    }
}

// One that lies on the outer line is to be taken off for that as well: it is not off yet.
static void a_disc_at_the_edge_is_not_off_already(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", board_builtin("crokinole-nca")->circle_in[0]);
    assert_non_null(strstr(play_call(&p, "open-board")->text, "black's shot disc comes off"));
    play_end(&p);
}

// A shot on an open board that may have reached the line counts, or comes off.
static void points_say_both_readings_of_a_close_shot_on_an_open_board(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", 4.678);
    assert_non_null(play_call(&p, "open-board"));
    assert_true(!play_call(&p, "open-board")->firm);
    struct points points = counted(&p, "black");
    assert_true(points.reads == 0 && points.least == 0 && points.most == 10);
    play_say(&p, "confirm", "");
    points = counted(&p, "black");
    assert_true(points.reads == 0 && points.most == 0);
    play_end(&p);
    begin(&p, "");
    shoot(&p, 1, "black", 6);
    assert_true(play_call(&p, "open-board")->firm && counted(&p, "black").most == 0);
    play_end(&p);
}

// It stands as it was called; by the other reading it comes off, until the judge has said which it is, or the round is
// over.
static void points_say_that_a_shot_which_stands_may_come_off(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", 4.670);
    assert_non_null(play_call(&p, "reaches-15"));
    struct points points = counted(&p, "black");
    assert_true(points.reads == 10 && points.least == 0 && points.most == 10);
    play_say(&p, "confirm", "");
    points = counted(&p, "black");
    assert_true(points.reads == 10 && points.least == 10);
    play_end(&p);

    begin(&p, "");
    shoot(&p, 1, "red", 2);
    put_and_move(&p, 2, "black");
    play_feed(&p, (struct observation){ .kind = OBS_CONTACT, .id = 2, .contact = { .what = TOUCHED_UNSEEN } });
    play_rest(&p, 2, (struct pt_in){ 0, 7 }, ON_SURFACE);
    play_still(&p);
    assert_non_null(play_call(&p, "ask-hit"));
    points = counted(&p, "black");
    assert_true(points.reads == 10 && points.least == 0);
    assert_true(counted(&p, "red").least == 15);
    play_say(&p, "hit", "");
    assert_true(counted(&p, "black").least == 10);
    play_end(&p);
}

// A disc in the hole whose shot may have been no valid one: 20, or nothing.
static void a_twenty_of_a_shot_that_stands_may_come_off(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        int reads, least;
    } rows[] = { { "", 20, 0 }, { "hit", 20, 20 }, { "missed", 0, 0 }, { "confirm", 20, 20 } };
    static struct play p;
    for (size_t i = 0; i < countof(rows); i++) {
        begin(&p, "");
        shoot(&p, 1, "red", 2);
        put_and_move(&p, 2, "black");
        play_feed(&p, (struct observation){ .kind = OBS_CONTACT, .id = 2, .contact = { .what = TOUCHED_UNSEEN } });
        play_rest(&p, 2, (struct pt_in){ 0, 0 }, IN_HOLE);
        play_still(&p);
        assert_non_null(play_call(&p, "ask-hit"));
        if (rows[i].said[0])
            play_say(&p, rows[i].said, "");
        const struct player_side *black = &play_now(&p)->side[0];
        assert_int_equal(black->kept.reads, rows[i].reads);
        assert_int_equal(black->kept.least, rows[i].least);
        assert_int_equal(black->kept.most, rows[i].reads);
        assert_int_equal(black->twenties - black->twenties_doubt.less, rows[i].least / 20);
        play_end(&p);
    }
}

static struct observation of_black(const char *word, double value)
{
    struct observation o = play_input(word, "");
    snprintf(o.input.side, sizeof o.input.side, "black");
    o.input.has_value = true;
    o.input.value[0] = value;
    return o;
}

// 10 or 15 against 10: a round won or even. What hangs on it is not firm, until a judge has said which it is.
static void a_round_that_hangs_on_a_close_call_is_not_firm(void **state)
{
    (void)state;
    static const double at_line_in = 3.32;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", at_line_in);
    assert_false(play_call(&p, "zone")->firm);
    assert_int_equal(counted(&p, "black").least, 10);
    assert_int_equal(counted(&p, "black").most, 15);
    shoot(&p, 2, "red", 6);
    play_say(&p, "hit", "");
    play_say(&p, "round-over", "");
    const struct player_side *black = &play_now(&p)->side[0], *red = &play_now(&p)->side[1];
    assert_false(play_call(&p, "round")->firm);
    assert_non_null(strstr(play_call(&p, "round")->text, "(10 to 15), red 10; score black 2 (1 to 2), red 0 (0 to 1)"));
    assert_int_equal(black->score - black->score_doubt.less, 1);
    assert_int_equal(red->score + red->score_doubt.more, 1);
    struct observation said = play_input("confirm", "");
    said.input.shot = 1;
    play_feed(&p, said);
    assert_int_equal(black->score_doubt.less, 0);
    assert_int_equal(red->score_doubt.more, 0);
    assert_true(play_call_in(&p.change, "round")->change == CALL_WITHDRAWN);
    play_end(&p);
}

// The last round's close call may change who won the game, or that it is a draw.
static void a_game_that_hangs_on_a_close_call_is_not_firm(void **state)
{
    (void)state;
    static const struct {
        double black, red; // score before the last round
        bool firm;
        const char *text;
    } rows[] = {
        { 3, 3, false, "game to black: black 5 (4 to 5), red 3 (3 to 4)" },
        { 2, 4, false, "game drawn: black 4 (3 to 4), red 4 (4 to 5)" },
        { 4, 2, true, "game to black: black 6 (5 to 6), red 2 (2 to 3)" },
    };
    static struct play p;
    for (size_t i = 0; i < countof(rows); i++) {
        begin(&p, "");
        struct observation red = of_black("correct", rows[i].red);
        strcpy(red.input.side, "red");
        play_feed(&p, of_black("correct", rows[i].black));
        play_feed(&p, red);
        play_feed(&p, of_black("round", 4));
        shoot(&p, 1, "black", 3.32);
        shoot(&p, 2, "red", 6);
        play_say(&p, "hit", "");
        play_say(&p, "round-over", "");
        const struct call *game = play_call(&p, "game");
        assert_non_null(game);
        assert_string_equal(game->text, rows[i].text);
        assert_int_equal(game->firm, rows[i].firm);
        play_feed(&p, of_black("correct", rows[i].black + 2)); // the judge knows it: what he says is exact
        assert_int_equal(play_now(&p)->side[0].score_doubt.less, 0);
        play_end(&p);
    }
}

// However often it shot, none of its discs is left, and not less.
static void who_shot_too_many_has_none_left(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    play_feed(&p, of_black("played", 8));
    shoot(&p, 1, "black", 2);
    json_t *standing = standing_json(&p.referee.match);
    assert_int_equal(number_of(standing, 0, "played"), 9);
    assert_int_equal(number_of(standing, 0, "left"), 0);
    assert_int_equal(number_of(standing, 1, "left"), 8);
    json_decref(standing);
    play_end(&p);
}

// In a log anything may stand, and how the match stands is told all the same.
static void a_colour_that_there_is_no_room_for_is_nobodys(void **state)
{
    (void)state;
    static struct play p;
    begin(&p, "");
    shoot(&p, 1, "black", 2);
    struct observation o = play_input(
        "side", "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9");
    snprintf(o.input.side, sizeof o.input.side, "black");
    play_feed(&p, o);
    assert_non_null(play_call(&p, "noted"));
    assert_string_equal(play_now(&p)->side[0].seat.colour, "black");
    json_t *standing = standing_json(&p.referee.match);
    assert_non_null(standing);
    json_decref(standing);
    play_end(&p);
}

// What must hold after every shot, whatever was played.
static void must_be_possible(const struct play *p, int shot)
{
    const struct standing *s = &p->referee.match.now;
    const struct format *f = &s->format;
    int rounds = s->round - 1, brought = s->side[0].score + s->side[1].score;
    for (int i = 0; i < SIDES; i++) {
        const struct player_side *side = &s->side[i];
        if (side->score < 0 || side->kept.least < 0 || side->counted.reads < 0 ||
            side->kept.most > 20 * f->pieces_each || side->counted.reads > 15 * f->pieces_each ||
            side->played > 2 * f->pieces_each || side->kept.reads > 20 * side->twenties)
            fail_msg("%s: shot %d: side %d: score %d, kept %d, counted %d, played %d, twenties %d", f->name, shot, i,
                     side->score, side->kept.reads, side->counted.reads, side->played, side->twenties);
    }
    if (f->scoring == SCORE_ROUND_POINTS && (brought != f->round_points * rounds || rounds > f->rounds))
        fail_msg("%s: shot %d: %d points for %d rounds", f->name, shot, brought, rounds);
    if (s->over && s->winner >= 0 && s->side[s->winner].score < s->side[1 - s->winner].score)
        fail_msg("%s: shot %d: the side with less won", f->name, shot);
}

static void whatever_is_played_the_numbers_are_possible(void **state)
{
    (void)state;
    enum { SHOTS = 120 };
    static struct play p;
    for (int i = 0; i < crokinole_game.format_count; i++) {
        unsigned seed = 7u + (unsigned)i;
        begin(&p, crokinole_game.formats[i].name);
        for (int shot = 1; shot <= SHOTS; shot++) {
            shoot_by_chance(&p, shot, &seed);
            must_be_possible(&p, shot);
            if (shot % 40 == 0)
                must_fold_to_the_same(&p);
        }
        play_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_says_zone_margin_and_rule),
        cmocka_unit_test(a_disc_that_leaves_is_firmly_ditched_where_it_surely_is_one),
        cmocka_unit_test(the_numbers_of_a_call_stand_in_the_standing),
        cmocka_unit_test(a_call_that_is_confirmed_leaves_no_two_readings),
        cmocka_unit_test(a_doubtful_disc_that_is_confirmed_is_one),
        cmocka_unit_test(a_disc_at_the_edge_is_not_off_already),
        cmocka_unit_test(points_say_both_readings_of_a_disc_at_the_outer_line),
        cmocka_unit_test(points_say_both_readings_of_a_close_shot_on_an_open_board),
        cmocka_unit_test(points_say_that_a_shot_which_stands_may_come_off),
        cmocka_unit_test(a_twenty_of_a_shot_that_stands_may_come_off),
        cmocka_unit_test(a_round_that_hangs_on_a_close_call_is_not_firm),
        cmocka_unit_test(a_game_that_hangs_on_a_close_call_is_not_firm),
        cmocka_unit_test(who_shot_too_many_has_none_left),
        cmocka_unit_test(a_colour_that_there_is_no_room_for_is_nobodys),
        cmocka_unit_test(whatever_is_played_the_numbers_are_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
