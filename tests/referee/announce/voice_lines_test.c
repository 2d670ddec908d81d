// SPDX-License-Identifier: MIT
// The words of a language: numbers, names, and files that are none.
#include <string.h>

#include "calibration/units.h"
#include "calibration/whole_file.h"
#include "referee/announce/voice_lines.h"
#include "tests/cmocka.h"
#include "tests/vision/scratch.h"

static const char english[] = "referee/announce/lines/en.lines";

static struct voice_lines *lines_of(const char *name)
{
    struct voice_lines *lines = NULL;
    struct fail why = { .text = "" };
    if (voice_lines_read(&lines, name, &why) < 0)
        fail_msg("%s", why.text);
    return lines;
}

static void numbers_are_words(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *english, *german;
    } rows[] = {
        { 0, "zero", "null" },
        { 1, "one", "eins" },
        { 7, "seven", "sieben" },
        { 12, "twelve", "zwölf" },
        { 15, "fifteen", "fünfzehn" },
        { 16, "sixteen", "sechzehn" },
        { 17, "seventeen", "siebzehn" },
        { 20, "twenty", "zwanzig" },
        { 21, "twenty-one", "einundzwanzig" },
        { 30, "thirty", "dreißig" },
        { 36, "thirty-six", "sechsunddreißig" },
        { 70, "seventy", "siebzig" },
        { 99, "ninety-nine", "neunundneunzig" },
        { 100, "one hundred", "einhundert" },
        { 101, "one hundred and one", "einhunderteins" },
        { 110, "one hundred and ten", "einhundertzehn" },
        { 121, "one hundred and twenty-one", "einhunderteinundzwanzig" },
        { 199, "one hundred and ninety-nine", "einhundertneunundneunzig" },
        { 200, "two hundred", "zweihundert" },
        { 999, "nine hundred and ninety-nine", "neunhundertneunundneunzig" },
        { 1000, "1000", "1000" },
        { -1, "-1", "-1" },
    };
    struct voice_lines *en = lines_of("en"), *de = lines_of("de");
    char words[VOICE_LINE_MAX];
    for (size_t i = 0; i < countof(rows); i++) {
        voice_number(words, sizeof words, en, rows[i].number);
        assert_string_equal(words, rows[i].english);
        voice_number(words, sizeof words, de, rows[i].number);
        assert_string_equal(words, rows[i].german);
    }
    voice_lines_free(en);
    voice_lines_free(de);
}

static void every_number_has_words_of_its_own(void **state)
{
    (void)state;
    enum { MOST = 200 };
    static char words[MOST + 1][VOICE_LINE_MAX];
    for (int language = 0; language < 2; language++) {
        struct voice_lines *lines = lines_of(language == 0 ? "en" : "de");
        for (int n = 0; n <= MOST; n++) {
            voice_number(words[n], sizeof words[n], lines, n);
            if (words[n][0] == '\0' || strpbrk(words[n], "0123456789{}"))
                fail_msg("%d is %s", n, words[n]);
            for (int k = 0; k < n; k++)
                assert_string_not_equal(words[n], words[k]);
        }
        voice_lines_free(lines);
    }
}

static void names_are_spoken_without_what_is_no_letter(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "Home", "Home" },
        { "Player 2", "Player two" },
        { "Team21b", "Team twenty-one b" },
        { "J. R. O'Neill-Smith", "J R O'Neill-Smith" },
        { "rm -rf `x` $y", "rm -rf x y" },
        { "[[h@'loU]] <b>", "h 'loU b" },
        { "Zoë Müller", "Zoë Müller" },
        { "李小龍", "李小龍" },
        { "***", "" },
        { "  - ' ", "" },
        { "", "" },
        { "2024", "two zero two four" },
    };
    struct voice_lines *lines = lines_of("en");
    char name[VOICE_LINE_MAX], cut[8];
    for (size_t i = 0; i < countof(rows); i++) {
        voice_name(name, sizeof name, lines, rows[i][0]);
        assert_string_equal(name, rows[i][1]);
        voice_name(cut, sizeof cut, lines, rows[i][0]);
        assert_true(strlen(cut) < sizeof cut);
    }
    voice_lines_free(lines);
}

// The English file with `from` once replaced by `to`, as somebody's own.
static const char *edited(const struct scratch *s, const char *from, const char *to)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct fail why = { .text = "" };
    const char *path = scratch_path(s, "own.lines");
    assert_int_equal(whole_file_read(&bytes, &size, english, 1 << 20, &why), 0);
    char *text = calloc(1, size + strlen(to) + 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    char *at = strstr(text, from);
    assert_non_null(at);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
    scratch_write(path, text, strlen(text));
    free(text);
    free(bytes);
    return path;
}

static void a_file_of_somebodys_own_is_spoken(void **state)
{
    const struct scratch *s = *state;
    struct voice_lines *lines = lines_of(edited(s, "zone.shot = {points}.", "zone.shot =\t{points} points!  \r"));
    assert_string_equal(voice_line(lines, "zone.shot"), "{points} points!");
    assert_string_equal(voice_line(lines, "call.off"), ""); // "-"
    voice_lines_free(lines);
    voice_lines_free(lines_of(edited(s, "colour.cyan = cyan\n", "colour.mauve = mauve\n"))); // colours are no duty
}

static void a_file_that_is_none_is_told(void **state)
{
    static const struct {
        const char *from, *to, *words;
    } rows[] = {
        { "call.no-hit = No hit: it comes off.\n", "", "1 line is missing: call.no-hit" },
        { "voice = en\n", "vioce = en\n", ":6: vioce: there is no line of that name" },
        { "call.foul = Foul by {side}.", "call.foul = Foul by {who}.",
          "call.foul: {who}.: that slot is none of this line" },
        { "close = Too close", "close = {points} too close", "there are: none" },
        { "close = Too close", "close = too { close", "slot is none" },
        { "next = {next} to shoot.", "next = next} to shoot.", "slot is none" },
        { "next = {next}", "next {next}", "write KEY = TEXT" },
        { "language = en", "language = en\nlanguage = en", "language: it comes a second time" },
        { "next = {next} to shoot.", "next = ", "next: a text is missing" },
        { "next = {next} to shoot.", "next = \xff", "not plain UTF-8" },
        { "next = {next} to shoot.", "next = \x1b[31m", "not plain UTF-8" },
    };
    const struct scratch *s = *state;
    struct voice_lines *lines = NULL;
    struct fail why = { .text = "" };
    char longest[2 * VOICE_LINE_MAX] = "close = ";
    for (size_t i = 0; i < countof(rows); i++) {
        assert_int_equal(voice_lines_read(&lines, edited(s, rows[i].from, rows[i].to), &why), RS_EINPUT);
        if (!strstr(why.text, rows[i].words) || !strstr(why.text, "own.lines"))
            fail_msg("%s: %s", rows[i].words, why.text);
    }
    memset(longest + strlen(longest), 'x', sizeof longest - strlen(longest) - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(voice_lines_read(&lines, edited(s, "close = Too close, judge.", longest), &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "longer than"));
    assert_int_equal(voice_lines_read(&lines, scratch_path(s, "nowhere.lines"), &why), RS_EIO);
    assert_non_null(strstr(why.text, "nowhere.lines"));
    scratch_write(scratch_path(s, "few.lines"), "language = en\n", 14);
    assert_int_equal(voice_lines_read(&lines, scratch_path(s, "few.lines"), &why), RS_EINPUT);
    assert_non_null(strstr(why.text, "lines are missing: voice, number.0, number.1, number.2, number.3 ..."));
}

// Damage anywhere is refused or read, never more than that.
static void a_damaged_file_does_no_harm(void **state)
{
    const struct scratch *s = *state;
    const char *path = scratch_path(s, "damaged.lines");
    struct fail why = { .text = "" };
    uint8_t *bytes = NULL;
    size_t size = 0;
    unsigned chance = 1;
    assert_int_equal(whole_file_read(&bytes, &size, english, 1 << 20, &why), 0);
    for (int i = 0; i < 100; i++) {
        struct voice_lines *lines = NULL;
        chance = chance * 1103515245u + 12345u;
        size_t at = (chance >> 8) % size;
        uint8_t was = bytes[at];
        bytes[at] = (uint8_t)(chance >> 16);
        scratch_write(path, bytes, i % 5 == 0 ? at + 1 : size);
        if (voice_lines_read(&lines, path, &why) == 0)
            voice_lines_free(lines);
        bytes[at] = was;
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_words),
        cmocka_unit_test(every_number_has_words_of_its_own),
        cmocka_unit_test(names_are_spoken_without_what_is_no_letter),
        cmocka_unit_test(a_file_of_somebodys_own_is_spoken),
        cmocka_unit_test(a_file_that_is_none_is_told),
        cmocka_unit_test(a_damaged_file_does_no_harm),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
