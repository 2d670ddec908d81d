// SPDX-License-Identifier: MIT
// Who is given a place among those who look at the pages.
#include <arpa/inet.h>
#include <string.h>

#include "calibration/units.h"
#include "referee/announce/web_guests.h"
#include "tests/cmocka.h"

static const struct sockaddr *address(const char *text)
{
    static union {
        struct sockaddr any;
        struct sockaddr_in in4;
        struct sockaddr_in6 in6;
    } out;
    memset(&out, 0, sizeof out);
    bool is6 = strchr(text, ':');
    out.any.sa_family = is6 ? AF_INET6 : AF_INET;
    assert_int_equal(inet_pton(out.any.sa_family, text, is6 ? (void *)&out.in6.sin6_addr : (void *)&out.in4.sin_addr),
                     1);
    return &out.any;
}

// How many of a hundred are let in.
static int let_in(struct web_guests *g, const char *from)
{
    int n = 0;
    while (n < 100 && web_guests_have_room(g, address(from))) {
        web_guests_come(g, address(from));
        n++;
    }
    return n;
}

static void one_address_has_its_share_and_this_machine_all(void **state)
{
    (void)state;
    static struct web_guests g = { .places = 50, .places_each = 3 };
    static const struct {
        const char *from;
        int let_in;
    } rows[] = {
        { "192.0.2.1", 3 },
        { "192.0.2.2", 3 },
        { "::ffff:192.0.2.1", 0 }, // the first one again
        { "2001:db8::1", 3 },
        { "2001:db8::2", 3 },
        { "128.0.0.1", 3 },
        { "::ffff:127.9.9.9", 35 }, // what is left of all places
        { "::1", 0 },
        { "192.0.2.3", 0 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        int n = let_in(&g, rows[i].from);
        if (n != rows[i].let_in)
            fail_msg("%s: %d were let in, not %d", rows[i].from, n, rows[i].let_in);
    }
}

static void who_goes_makes_room(void **state)
{
    (void)state;
    static struct web_guests g = { .places = 8, .places_each = 3 };
    assert_int_equal(let_in(&g, "192.0.2.1"), 3);
    assert_int_equal(let_in(&g, "192.0.2.2"), 3);
    for (int i = 0; i < 3; i++)
        web_guests_go(&g, address("192.0.2.1"));
    web_guests_go(&g, address("192.0.2.9")); // who never came
    assert_int_equal(g.count, 3);
    assert_int_equal(g.addresses, 1);
    assert_int_equal(let_in(&g, "192.0.2.2"), 0);
    web_guests_go(&g, address("192.0.2.2"));
    assert_int_equal(let_in(&g, "192.0.2.2"), 1);
    assert_int_equal(let_in(&g, "127.0.0.1"), 5);
}

// The table holds as many addresses as there are places.
static void each_may_come_from_an_address_of_his_own(void **state)
{
    (void)state;
    static struct web_guests g = { .places = WEB_PLACES_MAX, .places_each = 3 };
    struct sockaddr_in from = { .sin_family = AF_INET };
    for (uint32_t i = 0; i < WEB_PLACES_MAX; i++) {
        from.sin_addr.s_addr = htonl(0x0a000000 + i);
        assert_true(web_guests_have_room(&g, (const struct sockaddr *)&from));
        web_guests_come(&g, (const struct sockaddr *)&from);
    }
    assert_false(web_guests_have_room(&g, address("192.0.2.1")));
    for (uint32_t i = 0; i < WEB_PLACES_MAX; i++) {
        from.sin_addr.s_addr = htonl(0x0a000000 + i);
        web_guests_go(&g, (const struct sockaddr *)&from);
    }
    assert_int_equal(g.count, 0);
    assert_int_equal(g.addresses, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_address_has_its_share_and_this_machine_all),
        cmocka_unit_test(who_goes_makes_room),
        cmocka_unit_test(each_may_come_from_an_address_of_his_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
