// SPDX-License-Identifier: MIT
// Three damaged copies of the beginning of a sample, as `make damage` makes them of three whole ones: nothing firm is
// wrong, all is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/accuracy/damage.h"

static void damaged_copies_give_no_firm_wrong_call(void **state)
{
    (void)state;
    enum { COPIES = 3, SEED = 8 };
    static const double LAST_S = 5.5; // two shots
    struct damage_tally kind[DAMAGES] = { { 0 } }, sum = { 0 };
    struct fail why;
    const char *path = getenv("RINGSIDE");
    if (damage_score(kind, path ? path : "./ringside", "samples/clips/crokinole_a.json", LAST_S, COPIES, SEED, true,
                     &why) < 0)
        fail_msg("%s", why.text);
    for (int k = 0; k < DAMAGES; k++) {
        sum.copies += kind[k].copies;
        sum.harmless += kind[k].harmless;
        sum.untold += kind[k].untold;
        sum.wrong += kind[k].wrong;
        sum.rejudged_otherwise += kind[k].rejudged_otherwise;
        sum.firm += kind[k].firm;
    }
    assert_int_equal(sum.copies, COPIES);
    assert_true(sum.harmless < COPIES);
    assert_int_equal(sum.untold, 0);
    assert_int_equal(sum.wrong, 0);
    assert_int_equal(sum.rejudged_otherwise, 0);
    assert_true(sum.firm > 0); // and what is not damaged is called
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_copies_give_no_firm_wrong_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
