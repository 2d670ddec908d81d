// SPDX-License-Identifier: MIT
#include "referee/announce/web_close.h"

#include <stdio.h>
#include <string.h>

#include "vision/encoded.h"

static void release(void *held)
{
    encoded_release(held);
}

// Numbers of at most six digits, as they are written in these addresses.
static bool read_number(int *out, const char **text)
{
    const char *p = *text;
    for (*out = 0; *p >= '0' && *p <= '9' && p - *text < 6; p++)
        *out = 10 * *out + (*p - '0');
    bool read = p > *text;
    *text = p;
    return read;
}

static bool read_word(const char *word, const char **text)
{
    size_t n = strlen(word);
    bool is = strncmp(*text, word, n) == 0;
    *text += is ? n : 0;
    return is;
}

bool web_close_asked(struct close_request *out, const char *url)
{
    *out = (struct close_request){ .moment = read_word("/api/close/", &url) };
    bool named = (out->moment || read_word("/close/", &url)) && read_number(&out->shot, &url) && read_word("-", &url) &&
                 read_number(&out->piece, &url);
    if (named && out->moment)
        named = read_word("/", &url) && read_number(&out->number, &url);
    else if (named)
        named = read_word(".jpg", &url);
    return named && *url == '\0';
}

struct MHD_Response *web_close_answer(struct replay *replay, const struct close_request *q)
{
    struct encoded *e = !replay     ? NULL
                        : q->moment ? replay_moment(replay, q->shot, q->piece, q->number)
                                    : replay_picture(replay, q->shot, q->piece);
    if (!e)
        return NULL;
    struct MHD_Response *r = MHD_create_response_from_buffer_with_free_callback_cls(e->size, e->bytes, release, e);
    if (!r)
        encoded_release(e);
    else
        MHD_add_response_header(r, "Content-Type", "image/jpeg");
    return r;
}
