// SPDX-License-Identifier: MIT
#include "referee/announce/web_guard.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

#include "calibration/clock.h"

enum {
    WRONG_AT_ONCE = 5, // wrong secrets that are answered at once: a slip of the hand
    WRONG_EVERY_S = 2  // then one in so many seconds
};

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

int web_guard_init(struct web_guard *g, struct fail *why)
{
    unsigned char chance[WEB_SECRET_LETTERS / 2];
    *g = (struct web_guard){ .wrong_until_s = 0 };
    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        return rs_fail(why, RS_ELIB, "there is no chance to make a secret of: %s", strerror(errno));
    for (size_t i = 0; i < sizeof chance; i++)
        snprintf(g->secret + 2 * i, 3, "%02x", chance[i]);
    return 0;
}

bool web_guard_is_for_us(struct MHD_Connection *c)
{
    char name[256], own[256] = "";
    unsigned char address[16];
    const char *host = header(c, "Host"), *end = host ? strrchr(host, ':') : NULL;
    if (!host || strlen(host) >= sizeof name)
        return false;
    if (end && strchr(end, ']'))
        end = NULL;
    snprintf(name, sizeof name, "%.*s", (int)(end ? end - host : (ptrdiff_t)strlen(host)), host);
    size_t length = strlen(name);
    if (length > 2 && name[0] == '[' && name[length - 1] == ']') {
        name[length - 1] = '\0';
        return inet_pton(AF_INET6, name + 1, address) == 1;
    }
    if (gethostname(own, sizeof own - 1) != 0)
        own[0] = '\0';
    size_t mine = strlen(own);
    return inet_pton(AF_INET, name, address) == 1 || strcasecmp(name, "localhost") == 0 ||
           (mine > 0 && strncasecmp(name, own, mine) == 0 &&
            (name[mine] == '\0' || strcasecmp(name + mine, ".local") == 0));
}

bool web_guard_is_from_us(struct MHD_Connection *c)
{
    const char *origin = header(c, "Origin"), *host = header(c, "Host");
    return !origin || (host && strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, host) == 0);
}

// In the same time however many letters are right.
static bool same_secret(const char *given, const char *secret)
{
    unsigned different = strlen(given) != WEB_SECRET_LETTERS;
    for (size_t i = 0, n = strlen(given); i < WEB_SECRET_LETTERS; i++)
        different |= (unsigned)((i < n ? given[i] : 0) ^ secret[i]);
    return different == 0;
}

unsigned web_guard_check(struct web_guard *g, struct MHD_Connection *c)
{
    static const char scheme[] = "Bearer ";
    const char *given = header(c, "Authorization");
    double now = clock_s();
    if (given && strncmp(given, scheme, sizeof scheme - 1) == 0 && same_secret(given + sizeof scheme - 1, g->secret))
        return 0;
    if (g->wrong_until_s > now + WRONG_AT_ONCE * WRONG_EVERY_S)
        return MHD_HTTP_TOO_MANY_REQUESTS;
    g->wrong_until_s = (g->wrong_until_s > now ? g->wrong_until_s : now) + WRONG_EVERY_S;
    return MHD_HTTP_UNAUTHORIZED;
}
