// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/fail.h"
#include "calibration/foreign.h"
#include "calibration/units.h"

static const struct {
    const char *what, *text, *plain;
} rows[] = {
    { "letters", "Anna", "Anna" },
    { "letters of other alphabets", "J\xc3\xbcrg \xe6\x9d\xb1 \xf0\x9f\x8e\xaf",
      "J\xc3\xbcrg \xe6\x9d\xb1 \xf0\x9f\x8e\xaf" },
    { "the first character behind the controls", "\xc2\xa0", "\xc2\xa0" },
    { "an escape that colours", "\x1b[31mred", "?[31mred" },
    { "an escape that sets the title", "\x1b]0;x\x07", "?]0;x?" },
    { "a forged line", "a\r\nb", "a??b" },
    { "delete", "\x7f", "?" },
    { "C1 as UTF-8",
      "\xc2\x9b"
      "31m",
      "??31m" },
    { "C1 as a byte",
      "\x9b"
      "31m",
      "?31m" },
    { "right to left",
      "\xe2\x80\xae"
      "gnp",
      "???gnp" },
    { "the end of a line that is no newline", "a\xe2\x80\xa8z", "a???z" },
    { "an isolate", "\xe2\x81\xa6x", "???x" },
    { "cut off", "a\xe6\x9d", "a??" },
    { "a slash in two bytes", "\xc0\xaf", "??" },
    { "a surrogate", "\xed\xa0\x80", "???" },
    { "beyond the last", "\xf4\x90\x80\x80", "????" },
    { "no first byte of any", "\xf8\x90\x80\x80", "????" },
    { "one of six bytes", "\xfc\x80\x80\x80", "????" },
    { "no first byte", "\x80\xff", "??" },
};

static void what_is_plain_stays_and_the_rest_does_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        char text[40];
        snprintf(text, sizeof text, "%s", rows[i].text);
        if (foreign_is_plain(text) != (strcmp(rows[i].text, rows[i].plain) == 0))
            fail_msg("%s: judged wrongly", rows[i].what);
        foreign_make_plain(text);
        if (strcmp(text, rows[i].plain) != 0 || !foreign_is_plain(text))
            fail_msg("%s: became \"%s\"", rows[i].what, text);
    }
}

static void every_reason_is_one_plain_line(void **state)
{
    (void)state;
    struct fail why;
    rs_fail(&why, RS_EINPUT, "board \"%s\" is none", "\x1b[2J\nringside: all is well");
    assert_string_equal(why.text, "board \"?[2J?ringside: all is well\" is none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_plain_stays_and_the_rest_does_not),
        cmocka_unit_test(every_reason_is_one_plain_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
