// SPDX-License-Identifier: MIT
// Names of files as a person types them: a shell takes each as one word, a command as the file's name.
#include <stdio.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/announce/shell_word.h"
#include "tests/cmocka.h"

static const struct {
    const char *what, *name, *word;
} rows[] = {
    { "a plain name stays", "games/2026-01_a.mp4", "games/2026-01_a.mp4" },
    { "a blank is quoted", "our games/a.mp4", "'our games/a.mp4'" },
    { "a quote ends the quotes, and begins new ones", "Anna's", "'Anna'\\''s'" },
    { "quotes alone", "''", "''\\'''\\'''" },
    { "what a shell would make something of", "$(x) `y` \\ \"*?~!&;|<>#", "'$(x) `y` \\ \"*?~!&;|<>#'" },
    { "a line break", "a\nb", "'a\nb'" },
    { "letters of any alphabet", "\xc3\x84nna", "'\xc3\x84nna'" },
    { "what begins as a flag does", "-7.mp4", "./-7.mp4" },
    { "a flag that there is", "--help", "./--help" },
    { "a flag with a blank", "-our games", "'./-our games'" },
    { "a '-' further on", "a/-b", "a/-b" },
    { "nothing", "", "''" },
};

static void names_are_written_as_they_are_typed(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        char word[100];
        if (!shell_word(word, sizeof word, rows[i].name) || strcmp(word, rows[i].word) != 0)
            fail_msg("%s: %s", rows[i].what, word);
    }
}

static void a_shell_takes_each_for_the_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        char word[100], command[200], got[100] = "", wanted[100];
        assert_true(shell_word(word, sizeof word, rows[i].name));
        snprintf(command, sizeof command, "printf '%%s|' %s", word);
        snprintf(wanted, sizeof wanted, "%s%s|", rows[i].name[0] == '-' ? "./" : "", rows[i].name);
        FILE *shell = popen(command, "r");
        assert_non_null(shell);
        size_t length = fread(got, 1, sizeof got - 1, shell);
        assert_int_equal(pclose(shell), 0);
        if (length != strlen(wanted) || strcmp(got, wanted) != 0)
            fail_msg("%s: %s is read as %s", rows[i].what, word, got);
    }
}

// Cut short it would name something else.
static void what_does_not_fit_is_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        char word[100];
        size_t needed = strlen(rows[i].word) + 1;
        assert_true(shell_word(word, needed, rows[i].name));
        for (size_t size = 1; size < needed; size++)
            if (shell_word(word, size, rows[i].name))
                fail_msg("%s in %zu bytes: %s", rows[i].what, size, word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_written_as_they_are_typed),
        cmocka_unit_test(a_shell_takes_each_for_the_name),
        cmocka_unit_test(what_does_not_fit_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
