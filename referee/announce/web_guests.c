// SPDX-License-Identifier: MIT
#include "referee/announce/web_guests.h"

#include <string.h>

// Addresses of both kinds as those of the longer one: ::ffff:192.0.2.1 is 192.0.2.1.
static struct in6_addr address_of(const struct sockaddr *from)
{
    struct in6_addr out = { .s6_addr = { [10] = 0xff, [11] = 0xff } };
    if (from->sa_family == AF_INET6)
        return ((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
    memcpy(&out.s6_addr[12], &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
    return out;
}

static bool is_here(const struct in6_addr *a)
{
    return IN6_IS_ADDR_LOOPBACK(a) || (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr[12] == 127);
}

// Its place in the list; g->addresses when it has none.
static int find(const struct web_guests *g, const struct in6_addr *address)
{
    int i = 0;
    while (i < g->addresses && memcmp(&g->from[i].address, address, sizeof *address) != 0)
        i++;
    return i;
}

bool web_guests_have_room(const struct web_guests *g, const struct sockaddr *from)
{
    struct in6_addr address = address_of(from);
    int i = find(g, &address);
    return g->count < g->places && (is_here(&address) || i == g->addresses || g->from[i].count < g->places_each);
}

void web_guests_come(struct web_guests *g, const struct sockaddr *from)
{
    struct in6_addr address = address_of(from);
    int i = find(g, &address);
    if (i == g->addresses)
        g->from[g->addresses++] = (struct web_guest){ .address = address };
    g->from[i].count++;
    g->count++;
}

void web_guests_go(struct web_guests *g, const struct sockaddr *from)
{
    struct in6_addr address = address_of(from);
    int i = find(g, &address);
    if (i == g->addresses)
        return;
    g->count--;
    if (--g->from[i].count == 0)
        g->from[i] = g->from[--g->addresses];
}
