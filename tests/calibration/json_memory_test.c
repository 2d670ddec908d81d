// SPDX-License-Identifier: MIT
// Whatever jansson was refused is told, however much it asked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibration/json_memory.h"
#include "calibration/units.h"
#include "tests/refused_memory.h"

static void every_refusal_is_told_once(void **state)
{
    (void)state;
    static const size_t length[] = { 4, 1000, 70000, 1 << 20 };
    static char text[(1 << 20) + 1];
    json_memory_watch();
    for (size_t i = 0; i < countof(length); i++) {
        struct fail why = { .text = "" };
        memset(text, 'a', length[i]);
        text[length[i]] = '\0';
        before_refusal = 0; // the copy of the text
        json_t *o = json_string(text);
        before_refusal = -1;
        if (json_memory_check("a text", &why) != RS_ENOMEM || !strstr(why.text, "a text"))
            fail_msg("refused %zu bytes, and that is told as \"%s\"", length[i], why.text);
        assert_int_equal(json_memory_check("a text", &why), 0);
        json_decref(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_refusal_is_told_once) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
