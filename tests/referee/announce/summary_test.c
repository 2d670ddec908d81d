// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/announce/summary.h"
#include "tests/cmocka.h"
#include "tests/referee/play.h"
#include "tests/schema.h"

static void most_of_the_delays_are_below_their_share(void **state)
{
    (void)state;
    static struct latencies l;
    assert_true(latencies_share_s(&l, 0.5) == 0);
    for (int ms = 1; ms <= 100; ms++)
        latencies_add(&l, ms / 1e3);
    latencies_add(&l, 60); // counts as the longest that is told apart, and is the worst
    assert_true(fabs(latencies_share_s(&l, 0.5) - 0.051) < 1e-9);
    assert_true(fabs(latencies_share_s(&l, 0.99) - 0.1) < 1e-9);
    assert_true(latencies_share_s(&l, 1) == 10 && l.worst_s == 60);
    latencies_add(&l, -1); // a picture that came sooner than the soonest
    assert_int_equal(l.of_ms[0], 1);
}

static char *printed(const struct summary *s, const struct match *m)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    summary_print(to, s, m);
    fclose(to);
    return text;
}

static void what_it_came_to_is_told_to_people_and_machines(void **state)
{
    (void)state;
    static struct play p;
    static struct summary s;
    struct schema_fault fault = { "" };
    json_t *form = json_load_file("samples/schema/event.json", 0, NULL);
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    s = (struct summary){
        .ended_by = ENDED_BY_TIME, .watched_s = 61.5, .calls = 7, .close = 2, .withdrawn = 1, .shots = 1
    };
    s.live.frames = 1800;
    char *text = printed(&s, &p.referee.match);
    assert_string_equal(text, "ringside: ended by --for after 01:01.5\n"
                              "  score     nobody has shot yet\n"
                              "  calls     7 in 1 shot; 2 too close to be firm, 1 taken back or overruled\n"
                              "  pictures  1800 seen, none dropped\n"
                              "  kept      nothing\n");
    free(text);
    s.source = (struct source_info){ .dropped = 3, .doubtful = 1, .lost_s = 4 };
    s.waiting_dropped = 9;
    s.waited_s = 12;
    s.log = "a\033.jsonl";
    s.record = s.book = "r.db"; // without it the last match of the usual record would go on
    s.match = 4;
    s.record_lacks.observations = 1;
    rs_fail(&s.record_lacks.why, RS_EIO, "disk full");
    latencies_add(&s.latency, 0.02);
    latencies_add(&s.voice.first_sound, 0.03);
    s.pages = (struct web_counts){
        .places = 1000, .most_viewers = 12, .behind = 3, .dropped = 1, .refused = 1, .turned_away = 4
    };
    text = printed(&s, &p.referee.match);
    const char *const says[] = {
        "1800 seen, 12 dropped: 3 by the camera, 9 because this computer was too slow; 1 damaged\n",
        "gave nothing for 12.0 s; nothing is known of 4.0 s\n",
        "  delay     from a picture to its call: 20 ms as a rule, 20 ms for 99 of 100, 20 ms at worst\n",
        "  voice     from a call to its first sound: 30 ms as a rule, 30 ms for 99 of 100, 30 ms at worst\n",
        "  log       a?.jsonl\n",
        "  record    match 4; ringside watch --resume 4 --book r.db goes on with it\n",
        "  pages     12 looked at most at once; too slow: 3 skipped to what held then, 1 dropped; 1 request refused, "
        "4 "
        "without a place\n",
        "it LACKS the last 1 observation: disk full\n"
    };
    for (size_t i = 0; i < countof(says); i++)
        if (!strstr(text, says[i]))
            fail_msg("%s is not in: %s", says[i], text);
    free(text);
    s.voice.waited = 2;
    text = printed(&s, &p.referee.match);
    assert_non_null(strstr(text, " 30 ms at worst; 2 waited for the words before\n"));
    free(text);
    for (int begun = 0; begun < 2; begun++) {
        json_t *o = summary_json(&s, begun ? &p.referee.match : NULL), *pages = json_object_get(o, "pages");
        assert_int_equal(json_integer_value(json_object_get(pages, "dropped")), 1);
        assert_int_equal(json_integer_value(json_object_get(pages, "turned_away")), 4);
        if (!schema_keeps(&fault, form, form, o, "event"))
            fail_msg("%s", fault.words);
        json_decref(o);
    }
    json_decref(form);
    play_end(&p);
}

static void how_a_match_goes_on_can_be_typed_as_it_stands(void **state)
{
    static const struct {
        const char *record, *book, *words;
    } rows[] = {
        { "/home/anna/usual.db", NULL,
          "match 4; ringside watch --resume 4 goes on with it; the record is /home/anna/usual.db" },
        { "/x/a-b_c.db", "../x/a-b_c.db", "match 4; ringside watch --resume 4 --book ../x/a-b_c.db goes on with it" },
        { "/x/Our club.db", "Our club.db", "match 4; ringside watch --resume 4 --book 'Our club.db' goes on with it" },
        { "/x/a'b.db", "a'b.db", "match 4; ringside watch --resume 4 --book 'a'\\''b.db' goes on with it" },
        { "/x/'", "'", "match 4; ringside watch --resume 4 --book ''\\''' goes on with it" },
        { "/x/$HOME", "$HOME", "match 4; ringside watch --resume 4 --book '$HOME' goes on with it" },
        { NULL, NULL, "" },
    };
    char words[SUMMARY_RECORD_WORDS_MAX], path[4096];
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        struct summary s = { .record = rows[i].record, .book = rows[i].book, .match = 4 };
        summary_record_words(words, sizeof words, &s);
        assert_string_equal(words, rows[i].words);
    }
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    struct summary s = { .record = path, .book = path, .match = 4 };
    summary_record_words(words, sizeof words, &s);
    assert_non_null(strstr(words, "x goes on with it"));
    memset(path, '\'', sizeof path - 1); // each is four to the shell
    summary_record_words(words, 400, &s);
    assert_string_equal(words, "match 4; ringside watch --resume 4 with the same --book goes on with it");
    summary_record_words(words, sizeof words, &s);
    assert_string_equal(words, "match 4; ringside watch --resume 4 with the same --book goes on with it");
}

// Of two shots too close to be firm the judge lets one stand, and overrules the other.
static void what_a_judge_confirms_is_not_taken_back(void **state)
{
    (void)state;
    static struct play p;
    static struct summary s;
    struct fail why = { .text = "" };
    play_begin(&p, &crokinole_game, board_builtin("crokinole-nca"), NULL);
    s = (struct summary){ .ended_by = ENDED_BY_TIME };
    assert_int_equal(adjudication_add(&p.referee, summary_announcer(&s), &why), 0);
    p.sigma_in = 0.05;
    play_shot(&p, 1, "black", 3.365); // its edge on the line of the 15
    assert_int_equal(s.close, 1);
    play_say(&p, "confirm", "");
    assert_non_null(play_call_in(&p.change, "zone"));
    assert_int_equal(s.withdrawn, 0);
    play_shot(&p, 2, "red", -3.365);
    assert_true(s.close > 1);
    play_say(&p, "overrule", "zone");
    assert_true(s.withdrawn > 0);
    play_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_of_the_delays_are_below_their_share),
        cmocka_unit_test(what_a_judge_confirms_is_not_taken_back),
        cmocka_unit_test(how_a_match_goes_on_can_be_typed_as_it_stands),
        cmocka_unit_test(what_it_came_to_is_told_to_people_and_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
