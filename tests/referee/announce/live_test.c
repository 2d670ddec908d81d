// SPDX-License-Identifier: MIT
// What pages are told of the pieces: in which zone each lies, and which way those went that the last shot moved.
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "calibration/units.h"
#include "referee/announce/live.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"

static struct play play;
static struct live *live;

static int begin(void **state)
{
    (void)state;
    struct fail why;
    play_begin(&play, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    play.sigma_in = 0.01;
    assert_int_equal(live_create(&live, &why), 0);
    assert_int_equal(adjudication_add(&play.referee, live_announcer(live), &why), 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    live_free(live);
    play_end(&play);
    return 0;
}

// As the tracker sees what the match knows, but for what is said of one piece.
static void look(int id, struct pt_in at, bool moving)
{
    static struct tracker_view view;
    struct fail why;
    const struct piece_table *t = &play.referee.match.table;
    view = (struct tracker_view){ .count = 0 };
    for (int i = 0; i < t->count; i++) {
        const struct known_piece *p = &t->piece[i];
        int n = view.count++;
        view.id[n] = p->id;
        view.moving[n] = moving && p->id == id;
        view.piece[n] = (struct detection){ .kind = p->kind, .at = p->id == id ? at : p->lying.at, .radius_in = 0.625 };
        snprintf(view.piece[n].colour, sizeof view.piece[n].colour, "%s", p->colour);
    }
    assert_int_equal(live_pieces(live, &view, &play.referee.match, 0, &why), 0);
}

static void look_at_all(void)
{
    look(0, (struct pt_in){ 0, 0 }, false);
}

static json_t *part(const char *name)
{
    static json_t *whole;
    char *text = live_state(live);
    json_decref(whole);
    assert_non_null(whole = json_loads(text, 0, NULL));
    free(text);
    return json_object_get(whole, name);
}

// Of that piece in the list of a part; NULL when there is none.
static json_t *of_piece(const char *name, int id)
{
    size_t i;
    json_t *o;
    json_array_foreach(json_object_get(part(name), "list"), i, o)
    {
        if (json_integer_value(json_object_get(o, "id")) == id)
            return o;
    }
    return NULL;
}

static void assert_zone(int id, const char *zone, const char *verdict)
{
    const json_t *p = of_piece("pieces", id);
    const char *told = json_string_value(json_object_get(p, "zone"));
    const char *sure = json_string_value(json_object_get(p, "verdict"));
    if (!p || (zone ? !told || strcmp(told, zone) != 0 || strcmp(sure, verdict) != 0 : told || sure))
        fail_msg("piece %d lies in %s (%s)", id, told ? told : "none", sure ? sure : "");
}

static void assert_path(int id, const double (*at)[2], int points, bool left)
{
    const json_t *p = of_piece("paths", id), *told = json_object_get(p, "at");
    assert_int_equal(json_array_size(told), points);
    for (int i = 0; i < points; i++)
        for (int k = 0; k < 2; k++) {
            double in = json_real_value(json_array_get(json_array_get(told, (size_t)i), (size_t)k));
            if (fabs(in - at[i][k]) > 0.006) // told to a hundredth
                fail_msg("piece %d, point %d: %g, not %g", id, i, in, at[i][k]);
        }
    assert_true(json_is_boolean(json_object_get(p, "left")));
    assert_int_equal(json_is_true(json_object_get(p, "left")), left);
}

static void each_piece_is_told_with_the_zone_that_the_match_judges(void **state)
{
    (void)state;
    const struct board *b = &play.referee.match.board;
    play_shot(&play, 1, "black", 9);
    play_shot(&play, 2, "red", line_of_circle(b, 1).radius_in - b->piece_radius_in); // its edge is at the line
    look_at_all();
    assert_zone(1, "5", "firm");
    assert_zone(2, "5", "close");
    look(1, (struct pt_in){ 8.5, 0 }, true);
    assert_zone(1, NULL, NULL); // nobody knows while it moves
    look_at_all();
    assert_zone(1, "5", "firm");
}

static void assert_range(const json_t *side, const char *name, int least, int most)
{
    const json_t *range = json_object_get(side, name);
    assert_int_equal(json_integer_value(json_array_get(range, 0)), least);
    assert_int_equal(json_integer_value(json_array_get(range, 1)), most);
}

static void what_a_close_call_may_change_is_told_beside_what_counts(void **state)
{
    (void)state;
    const struct board *b = &play.referee.match.board;
    play_shot(&play, 1, "black", line_of_circle(b, 2).radius_in - b->piece_radius_in); // its edge is at the line
    const json_t *side = json_array_get(json_object_get(part("standing"), "sides"), 0);
    assert_int_equal(json_integer_value(json_object_get(side, "on_board")), 10);
    assert_range(side, "on_board_range", 10, 15);
    play_shot(&play, 2, "red", 6);
    play_say(&play, "hit", "");
    play_say(&play, "round-over", "");
    side = json_array_get(json_object_get(part("standing"), "sides"), 0);
    assert_int_equal(json_integer_value(json_object_get(side, "points")), 1);
    assert_range(side, "points_range", 1, 2);
    assert_range(side, "twenties_range", 0, 0);
}

static void what_a_judge_says_of_a_zone_is_what_is_shown(void **state)
{
    (void)state;
    play_shot(&play, 1, "black", 9);
    struct observation said = play_input("zone", "15");
    said.input.shot = 1;
    said.input.piece = 1;
    play_feed(&play, said);
    look_at_all();
    assert_zone(1, "15", "firm");
}

// A disc strikes another, which goes to the ditch, and a third that lay there is not touched.
static void a_shot_is_told_with_the_way_of_each_piece_that_it_moved(void **state)
{
    (void)state;
    play_shot(&play, 1, "black", 4);
    play_shot(&play, 2, "red", -9);
    play_seen(&play, 3, "red", false);
    play_rest(&play, 3, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&play, 3, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_feed(&play,
              (struct observation){ .kind = OBS_CONTACT, .id = 3, .contact = { TOUCHED_PIECE, 1, 0.01, { 4, 0.01 } } });
    play_move(&play, 1, MOVED_BY_SHOT, (struct pt_in){ 4, 0.01 });
    play_rest(&play, 3, (struct pt_in){ 5, 2 }, ON_SURFACE);
    play_gone(&play, 1, IN_DITCH);
    play_still(&play);
    look_at_all();
    assert_int_equal(json_array_size(json_object_get(part("paths"), "list")), 2);
    assert_int_equal(json_integer_value(json_object_get(part("paths"), "shot")), 3);
    assert_path(3, (const double[][2]){ { 12, 0 }, { 5.25, 0.01 }, { 5, 2 } }, 3, false);
    assert_path(1, (const double[][2]){ { 4, 0.01 } }, 1, true);
}

static void paths_are_told_until_something_lies_elsewhere(void **state)
{
    (void)state;
    play_shot(&play, 1, "black", 9);
    look_at_all();
    assert_non_null(of_piece("paths", 1));
    look(1, (struct pt_in){ 6, 0 }, true); // the next shot runs: what it is, nobody knows yet
    assert_non_null(of_piece("paths", 1));
    look(1, (struct pt_in){ 6, 0 }, false);
    assert_null(of_piece("paths", 1));

    play_shot(&play, 2, "red", 8);
    look_at_all();
    assert_non_null(of_piece("paths", 2));
    play_feed(&play, (struct observation){ .kind = OBS_CAMERA, .camera = { .what = CAMERA_MOVED } });
    assert_non_null(of_piece("paths", 2));
    play_feed(&play, (struct observation){ .kind = OBS_CAMERA, .camera = { .what = CAMERA_CUT } });
    assert_null(of_piece("paths", 2));
}

// What a page makes of the messages that came after *after, each by itself.
static int follow(json_t *pieces, long *after)
{
    bool whole;
    int moved = 0;
    for (char *text; (text = live_next(live, after, &whole)); free(text)) {
        json_t *message = json_loads(text, 0, NULL), *change = json_object_get(message, "moved"), *p;
        assert_non_null(message);
        size_t i;
        char id[16];
        if (json_object_get(message, "pieces"))
            json_object_clear(pieces);
        for (int k = 0; k < 2; k++)
            json_array_foreach(json_object_get(k ? change : json_object_get(message, "pieces"), "list"), i, p)
            {
                snprintf(id, sizeof id, "%d", (int)json_integer_value(json_object_get(p, "id")));
                json_object_set(pieces, id, p);
                moved += k;
            }
        json_array_foreach(json_object_get(change, "gone"), i, p)
        {
            snprintf(id, sizeof id, "%d", (int)json_integer_value(p));
            assert_int_equal(json_object_del(pieces, id), 0);
        }
        json_decref(message);
    }
    return moved;
}

static void assert_followed(const json_t *pieces)
{
    size_t i;
    json_t *p, *list = json_object_get(part("pieces"), "list");
    assert_int_equal(json_array_size(list), json_object_size(pieces));
    json_array_foreach(list, i, p)
    {
        char id[16];
        snprintf(id, sizeof id, "%d", (int)json_integer_value(json_object_get(p, "id")));
        assert_true(json_equal(json_object_get(pieces, id), p));
    }
}

// Who was there, and who comes back with the number of an older message, come to the same pieces.
static void of_the_pieces_only_those_are_told_that_changed(void **state)
{
    (void)state;
    json_t *pieces = json_object(), *back = json_object();
    long after = -1, older;
    for (int id = 1; id <= 8; id++)
        play_shot(&play, id, id % 2 ? "black" : "red", 10 - 0.1 * id);
    look_at_all();
    follow(pieces, &after);
    assert_followed(pieces);
    older = after;
    follow(back, &(long){ -1 });
    look(3, (struct pt_in){ 7, 1 }, true);
    assert_int_equal(follow(pieces, &after), 1);
    look(3, (struct pt_in){ 6.001, 1 }, true);
    assert_int_equal(follow(pieces, &after), 1);
    look(3, (struct pt_in){ 6, 1 }, true); // not to a hundredth of an inch
    assert_int_equal(follow(pieces, &after), 0);
    assert_followed(pieces);
    play_gone(&play, 5, BY_HAND);
    play_seen(&play, 9, "black", false);
    look(3, (struct pt_in){ 6, 1 }, false);
    assert_int_equal(follow(pieces, &after), 2);
    assert_followed(pieces);
    follow(back, &older);
    assert_true(json_equal(back, pieces));
    json_int_t match = json_integer_value(part("match"));
    look_at_all();
    assert_int_equal(json_integer_value(part("match")), match);
    live_restart(live);
    assert_true(json_integer_value(part("match")) > match);
    look_at_all();
    json_object_clear(pieces);
    follow(pieces, &after);
    assert_followed(pieces);
    json_decref(pieces);
    json_decref(back);
}

static void count_calls(void *self)
{
    ++*(int *)self;
}

// Calls, the shot, its paths and the score.
static void readers_are_called_once_for_a_ruling(void **state)
{
    (void)state;
    int called = 0;
    bool whole;
    long after = -1;
    look_at_all();
    free(live_next(live, &after, &whole));
    play_seen(&play, 1, "black", false);
    play_rest(&play, 1, (struct pt_in){ 12, 0 }, ON_SURFACE);
    play_move(&play, 1, MOVED_BY_SHOT, (struct pt_in){ 12, 0 });
    play_rest(&play, 1, (struct pt_in){ 9, 0 }, ON_SURFACE);
    live_on_change(live, count_calls, &called);
    play_still(&play);
    assert_int_equal(called, 1);
    int messages = 0;
    for (char *text; (text = live_next(live, &after, &whole)); messages++)
        free(text);
    assert_true(messages >= 4);
    live_on_change(live, NULL, NULL);
}

// Or else the calls would soon have left the list of the last ones.
static void of_losses_behind_each_other_the_first_is_told(void **state)
{
    (void)state;
    const struct observation loss = { .kind = OBS_CAMERA, .camera = { .what = CAMERA_DAMAGED, .lost_s = 0.1 } };
    char *before = live_calls(live);
    for (int i = 0; i < 3; i++)
        play_feed(&play, loss);
    char *after = live_calls(live);
    assert_null(strstr(before, "damaged"));
    const char *first = strstr(after, "damaged");
    assert_non_null(first);
    assert_null(strstr(first + 1, "damaged"));
    free(before);
    free(after);
}

// The judge's page says of the last shot what is said there of a piece.
static void an_earlier_shot_judged_again_is_not_the_last_one(void **state)
{
    (void)state;
    play_shot(&play, 1, "black", 9);
    play_gone(&play, 1, BY_HAND);
    play_still(&play);
    play_shot(&play, 2, "red", 8);
    struct observation said = play_input("zone", "15");
    said.input.shot = 1;
    said.input.piece = 1;
    play_feed(&play, said);
    assert_true(play.change.count > 0);
    assert_int_equal(json_integer_value(json_object_get(part("shot"), "shot")), 2);
    assert_int_equal(json_integer_value(json_object_get(part("paths"), "shot")), 2);
    said.input.shot = 2;
    said.input.piece = 2;
    play_feed(&play, said);
    const json_t *lies = json_array_get(json_object_get(part("shot"), "at_rest"), 0);
    assert_string_equal(json_string_value(json_object_get(lies, "zone")), "15");
}

// The tracker counts from 1 again when a match goes on.
static void pieces_of_a_match_that_goes_on_have_the_ids_that_it_knows(void **state)
{
    (void)state;
    static struct tracker_view view = { .count = 1, .id = { 3 } };
    struct fail why;
    play_shot(&play, 40, "black", 9);
    view.piece[0] = (struct detection){ .kind = PIECE_DISC, .at = { 9, 0.4 }, .radius_in = 0.625, .colour = "black" };
    assert_int_equal(live_pieces(live, &view, &play.referee.match, 37, &why), 0);
    assert_zone(40, "5", "firm");
    assert_non_null(of_piece("paths", 40));
}

// What was put on is told though no camera sees it, and what was taken off is not though one does; both until that is
// taken back.
static void what_lies_there_by_a_judges_word_is_told(void **state)
{
    (void)state;
    static struct tracker_view view = { .count = 1, .id = { 1 } };
    struct fail why;
    struct observation put = play_input("put-on", "10"), off = play_input("take-off", ""),
                       back = play_input("retract", "");
    play_shot(&play, 1, "black", 2);
    view.piece[0] = (struct detection){ .kind = PIECE_DISC, .at = { 2, 0 }, .radius_in = 0.625, .colour = "black" };
    snprintf(put.input.side, sizeof put.input.side, "black");
    put.input.has_value = true;
    put.input.value[1] = 6;
    off.input.piece = 1;
    play_feed(&play, put);
    play_feed(&play, off);
    assert_int_equal(live_pieces(live, &view, &play.referee.match, 0, &why), 0);
    int id = placed_id(1);
    assert_zone(id, "10", "firm");
    json_t *it = of_piece("pieces", id);
    assert_true(it && json_is_true(json_object_get(it, "put_on")));
    assert_true(json_number_value(json_object_get(it, "y_in")) == 6);
    assert_null(of_piece("pieces", 1));
    for (back.input.input = 1; back.input.input <= 2; back.input.input++)
        play_feed(&play, back);
    assert_int_equal(live_pieces(live, &view, &play.referee.match, 0, &why), 0);
    assert_null(of_piece("pieces", id));
    assert_zone(1, "15", "firm");
}

#define IN_A_MATCH(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_MATCH(each_piece_is_told_with_the_zone_that_the_match_judges),
        IN_A_MATCH(what_a_close_call_may_change_is_told_beside_what_counts),
        IN_A_MATCH(what_a_judge_says_of_a_zone_is_what_is_shown),
        IN_A_MATCH(a_shot_is_told_with_the_way_of_each_piece_that_it_moved),
        IN_A_MATCH(paths_are_told_until_something_lies_elsewhere),
        IN_A_MATCH(of_the_pieces_only_those_are_told_that_changed),
        IN_A_MATCH(readers_are_called_once_for_a_ruling),
        IN_A_MATCH(of_losses_behind_each_other_the_first_is_told),
        IN_A_MATCH(an_earlier_shot_judged_again_is_not_the_last_one),
        IN_A_MATCH(what_lies_there_by_a_judges_word_is_told),
        IN_A_MATCH(pieces_of_a_match_that_goes_on_have_the_ids_that_it_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
