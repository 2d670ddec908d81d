// SPDX-License-Identifier: MIT
// Pages as browsers want them: compressed, and plain for whoever takes no gzip.
#include <archive.h>
#include <archive_entry.h>

#include "calibration/units.h"
#include "referee/announce/web_pages.h"
#include "tests/cmocka.h"
#include "tests/referee/announce/asked.h"

// What /name is answered with, head and all, as the server sends it to who accepts what is said; its body is the
// caller's to look at.
static const char *fetch(const char **body, size_t *size, const char *name, const char *accepts)
{
    static char answer[ANSWER_MAX];
    char request[320];
    size_t heard_size = 0;
    int fd = dial();
    snprintf(request, sizeof request, "GET /%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n", name,
             accepts);
    send_text(fd, request);
    for (ssize_t n = 1; n > 0; heard_size += n > 0 ? (size_t)n : 0) {
        assert_true(poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, PATIENCE_MS) > 0);
        n = read(fd, answer + heard_size, sizeof answer - 1 - heard_size);
    }
    close(fd);
    answer[heard_size] = '\0';
    char *behind = strstr(answer, "\r\n\r\n");
    assert_non_null(behind);
    behind[2] = '\0';
    *body = behind + 4;
    *size = heard_size - (size_t)(*body - answer);
    return answer;
}

static bool gunzips_to(const struct web_page *page, const char *body, size_t size)
{
    static char whole[ANSWER_MAX];
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    assert_non_null(a);
    archive_read_support_filter_gzip(a);
    archive_read_support_format_raw(a);
    bool read =
        archive_read_open_memory(a, body, size) == ARCHIVE_OK && archive_read_next_header(a, &entry) == ARCHIVE_OK;
    la_ssize_t n = read ? archive_read_data(a, whole, sizeof whole) : -1;
    bool gzipped = archive_filter_code(a, 0) == ARCHIVE_FILTER_GZIP;
    archive_read_free(a);
    return gzipped && n == (la_ssize_t)page->size && memcmp(whole, page->bytes, page->size) == 0;
}

static void each_page_comes_compressed_to_who_takes_it_so(void **state)
{
    (void)state;
    size_t pages = 0, plain = 0, packed = 0;
    for (const struct web_page *p = web_pages; p->name; p++, pages++) {
        const char *body;
        size_t size;
        const char *head = fetch(&body, &size, p->name, "");
        if (size != p->size || memcmp(body, p->bytes, size) != 0 || strstr(head, "Content-Encoding"))
            fail_msg("%s, as it is: %zu of %zu bytes, '%s'", p->name, size, p->size, head);
        assert_non_null(strstr(head, "Vary: Accept-Encoding\r\n"));
        plain += size;
        head = fetch(&body, &size, p->name, "Accept-Encoding: gzip, deflate, br\r\n");
        if (!gunzips_to(p, body, size) || !strstr(head, "Content-Encoding: gzip\r\n"))
            fail_msg("%s, compressed: %zu bytes, '%s'", p->name, size, head);
        assert_non_null(strstr(head, "Vary: Accept-Encoding\r\n"));
        assert_non_null(strstr(head, "Cache-Control: no-store\r\n"));
        packed += size;
    }
    assert_true(pages > 0);
    if (2 * packed > plain)
        fail_msg("%zu pages of %zu bytes are still %zu", pages, plain, packed);
}

static void who_does_not_take_gzip_is_not_given_it(void **state)
{
    (void)state;
    static const struct {
        const char *accepts;
        bool gzip;
    } rows[] = { { "", false },
                 { "Accept-Encoding:\r\n", false },
                 { "Accept-Encoding: identity\r\n", false },
                 { "Accept-Encoding: br, deflate\r\n", false },
                 { "Accept-Encoding: gzip;q=0\r\n", false },
                 { "Accept-Encoding: deflate, gzip;q=0.000, *\r\n", false },
                 { "Accept-Encoding: *;q=0\r\n", false },
                 { "Accept-Encoding: *, gzip ; Q=0.0\r\n", false },
                 { "Accept-Encoding: gzipped, x\r\n", false },
                 { "Accept-Encoding: gzip\r\n", true },
                 { "Accept-Encoding: br;q=0, GZIP\r\n", true },
                 { "Accept-Encoding: identity;q=0.5,gzip;q=0.001\r\n", true },
                 { "Accept-Encoding: *;q=0, gzip;q=1\r\n", true },
                 { "Accept-Encoding: br, *\r\n", true },
                 { "Accept-Encoding: , gzip,\r\n", true } };
    for (size_t i = 0; i < countof(rows); i++) {
        const char *body;
        size_t size;
        bool gzip = strstr(fetch(&body, &size, "judge", rows[i].accepts), "Content-Encoding: gzip\r\n") != NULL;
        if (gzip != rows[i].gzip || (strncmp(body, "<!doctype html>", 15) == 0) == gzip)
            fail_msg("'%s': gzip %d", rows[i].accepts, gzip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_page_comes_compressed_to_who_takes_it_so, begin, end),
        cmocka_unit_test_setup_teardown(who_does_not_take_gzip_is_not_given_it, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
