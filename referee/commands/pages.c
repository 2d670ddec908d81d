// SPDX-License-Identifier: MIT
#include "referee/commands/pages.h"

#include <stdlib.h>
#include <string.h>

#include "calibration/clock.h"
#include "referee/commands/judge_keys.h"

enum { USUAL_PORT = 7447 }; // of no well-known service; another one when somebody has it

static const double PIECES_EVERY_S = 0.1; // smooth enough to the eye, a third of a camera's frames
static const double BEAT_EVERY_S = 10;    // routers forget a connection that is silent for a minute

// "0.0.0.0", "0.0.0.0:80", "[::]:80", "::".
static int read_listen(struct web_wish *out, char address[WEB_ADDRESS_MAX], const char *text, struct fail *why)
{
    const char *colon = strrchr(text, ':');
    bool bracket = text[0] == '[', only = colon && strchr(text, ':') != colon && !bracket; // an IPv6 address alone
    size_t length = colon && !only && colon[-(colon > text)] != ':' ? (size_t)(colon - text) : strlen(text);
    char *end = NULL;
    long port = text[length] ? strtol(text + length + 1, &end, 10) : USUAL_PORT;
    if (length >= WEB_ADDRESS_MAX || (end && (*end || end == text + length + 1)) || port < 0 || port > 65535)
        return rs_fail(why, RS_EINPUT, "--listen %.80s: write it as 0.0.0.0 or 0.0.0.0:8080 (port 0: any that is free)",
                       text);
    snprintf(address, WEB_ADDRESS_MAX, "%.*s", (int)length, text);
    if (bracket && length > 2 && address[length - 1] == ']') {
        memmove(address, address + 1, length - 2);
        address[length - 2] = '\0';
    }
    out->address = address;
    out->port = (int)port;
    return 0;
}

int pages_plug(struct pages *p, const struct options *o, struct playback *to, struct fail *why)
{
    char address[WEB_ADDRESS_MAX];
    struct web_wish wish = { .port = USUAL_PORT };
    if (o->no_web)
        return 0;
    int rc = o->listen ? read_listen(&wish, address, o->listen, why) : 0;
    if (rc == 0)
        rc = live_create(&p->live, why);
    if (rc == 0)
        rc = live_offers(p->live, judge_keys_json(to->setup->game), why);
    if (rc == 0)
        rc = replay_create(&p->replay, why);
    wish.replay = p->replay;
    if (rc == 0)
        rc = web_start(&p->web, p->live, &wish, why);
    if (rc == RS_EIO && !o->listen) {
        wish.port = 0;
        rc = web_start(&p->web, p->live, &wish, why);
    }
    if (rc < 0) {
        pages_close(p);
        return rc;
    }
    playback_announce(to, live_announcer(p->live));
    playback_announce(to, replay_announcer(p->replay));
    return 0;
}

void pages_close(struct pages *p)
{
    web_stop(p->web);
    replay_free(p->replay);
    live_free(p->live);
    *p = (struct pages){ 0 };
}

void pages_tell(const struct pages *p)
{
    char address[WEB_ADDRESS_MAX];
    if (!p->web)
        return;
    web_address(p->web, address);
    fprintf(stderr, "ringside: scoreboard: %s  (streams: %s/overlay)\nringside: judge: %s/judge#%s\n", address, address,
            address, web_secret(p->web));
}

static void show(void *self, const struct frame *f)
{
    struct pages *p = self;
    struct fail mute; // a picture that cannot be shown is no reason to end a game
    if (!p->web)
        return;
    web_show(p->web, f, &mute);
    replay_show(p->replay, f);
}

struct frame_tap pages_tap(struct pages *p)
{
    return (struct frame_tap){ show, p };
}

int pages_take(struct pages *p, const struct tracked_frame *t, struct fail *why)
{
    double now_s = clock_s();
    if (p->replay)
        replay_settle(p->replay, &t->pose);
    if (!p->web || (now_s - p->pieces_s < PIECES_EVERY_S && !t->last))
        return 0;
    p->pieces_s = now_s;
    int rc = live_board(p->live, &t->pose, why);
    return rc < 0 ? rc : live_pieces(p->live, &t->view, why);
}

int pages_words(struct pages *p, const char *words, struct fail *why)
{
    return p->web ? live_words(p->live, words, why) : 0;
}

int pages_listen(struct pages *p, struct playback *to, struct fail *why)
{
    struct observation said;
    struct fail cause = { .text = "" };
    double now_s = clock_s();
    int rc = 0;
    if (p->web && now_s - p->beat_s > BEAT_EVERY_S) {
        p->beat_s = now_s;
        web_tick(p->web);
    }
    while (rc == 0 && p->web && web_said(p->web, &said)) {
        bool right = to->begun && match_check_word(&to->adjudication.match, &said, &cause) == 0;
        if (!to->begun)
            rs_fail(&cause, RS_EINPUT, "no board is found yet: there is nothing to judge");
        if (right)
            rc = playback_input(to, &said, why);
        web_answer(p->web, right && rc == 0 ? NULL : rc < 0 ? why : &cause);
    }
    return rc;
}
