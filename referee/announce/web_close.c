// SPDX-License-Identifier: MIT
#include "referee/announce/web_close.h"

#include <stdio.h>
#include <stdlib.h>

#include "vision/encoded.h"

static void release(void *held)
{
    encoded_release(held);
}

bool web_close_asked(struct close_request *out, const char *url)
{
    enum { DIGITS = 6 };
    char shot[DIGITS + 1], piece[DIGITS + 1], number[DIGITS + 1] = "-1"; // %d would take blanks and signs
    int end = 0;
    bool moment = sscanf(url, "/api/close/%6[0-9]-%6[0-9]/%6[0-9]%n", shot, piece, number, &end) == 3;
    bool picture = !moment && sscanf(url, "/close/%6[0-9]-%6[0-9].jpg%n", shot, piece, &end) == 2;
    if (!(moment || picture) || end == 0 || url[end])
        return false;
    *out = (struct close_request){ atoi(shot), atoi(piece), atoi(number) };
    return true;
}

struct MHD_Response *web_close_answer(struct replay *replay, const struct close_request *q)
{
    struct encoded *e = replay ? replay_picture(replay, q->shot, q->piece, q->number) : NULL;
    if (!e)
        return NULL;
    struct MHD_Response *r = MHD_create_response_from_buffer_with_free_callback_cls(e->size, e->bytes, release, e);
    if (!r)
        encoded_release(e);
    else
        MHD_add_response_header(r, "Content-Type", "image/jpeg");
    return r;
}
