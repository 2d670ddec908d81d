// SPDX-License-Identifier: MIT
// asked.h: a server of pages, and what it answers to whom.
#ifndef RINGSIDE_TESTS_REFEREE_ANNOUNCE_ASKED_H
#define RINGSIDE_TESTS_REFEREE_ANNOUNCE_ASKED_H

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/announce/web.h"
#include "tests/cmocka.h"

enum { PATIENCE_MS = 20000, ANSWER_MAX = 1 << 18 };

static struct live *live;
static struct web *web;
static int port;

static int begin(void **state)
{
    struct fail why;
    char address[WEB_ADDRESS_MAX];
    (void)state;
    assert_int_equal(live_create(&live, &why), 0);
    if (web_start(&web, live, &(struct web_wish){ .port = 0 }, &why) != 0)
        fail_msg("%s", why.text);
    web_address(web, address);
    port = atoi(strrchr(address, ':') + 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    web_stop(web);
    live_free(live);
    return 0;
}

static int dial(void)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void send_text(int fd, const char *text)
{
    for (size_t at = 0, size = strlen(text); at < size;) {
        ssize_t n = send(fd, text + at, size - at, MSG_NOSIGNAL);
        if (n <= 0) // refused before it had read all
            return;
        at += (size_t)n;
    }
}

static char heard[ANSWER_MAX];

// What comes until `word` stands in it, or the other side ends; of very much, what came last.
static inline const char *hear(int fd, const char *word)
{
    size_t size = 0;
    heard[0] = '\0';
    while (!strstr(heard, word)) {
        if (size > sizeof heard / 2) {
            size_t kept = sizeof heard / 4;
            memmove(heard, heard + size - kept, kept + 1);
            size = kept;
        }
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        if (poll(&ready, 1, PATIENCE_MS) <= 0)
            fail_msg("nothing more comes, and no '%s' behind '%.200s'", word, heard);
        ssize_t n = read(fd, heard + size, sizeof heard - 1 - size);
        if (n <= 0)
            break;
        heard[size += (size_t)n] = '\0';
    }
    return heard;
}

static inline int status_of(const char *request)
{
    int fd = dial(), status = 0;
    send_text(fd, request);
    assert_int_equal(sscanf(hear(fd, "\r\n\r\n"), "HTTP/1.1 %d", &status), 1);
    close(fd);
    return status;
}

static inline int say(const char *secret, const char *more, const char *body)
{
    char request[16384];
    snprintf(
        request, sizeof request,
        "POST /api/input HTTP/1.1\r\nHost: localhost\r\n%sAuthorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
        more, secret, strlen(body), body);
    return status_of(request);
}

// Who looks at the match, and has its message `after` or none (-1).
static inline int look(long long after)
{
    char request[160];
    int fd = dial();
    snprintf(request, sizeof request, "GET /api/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: %lld\r\n\r\n",
             after);
    send_text(fd, request);
    return fd;
}

// News for who looks.
static inline void give_words(int n)
{
    char words[32];
    struct fail why;
    snprintf(words, sizeof words, "word %d.", n);
    assert_int_equal(live_words(live, words, &why), 0);
}

#endif
