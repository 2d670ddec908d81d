// SPDX-License-Identifier: MIT
#include "referee/commands/pages.h"

#include <fcntl.h>
#include <qrencode.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "calibration/json_memory.h"
#include "calibration/whole_file.h"
#include "referee/announce/json.h"
#include "referee/commands/book.h"
#include "referee/commands/judge_offers.h"
#include "referee/commands/said_inputs.h"
#include "vision/encoded.h"

enum {
    USUAL_PORT = 7447, // of no well-known service; another one when somebody has it
    HALL = 500         // viewers that are to have room
};

static const double PIECES_EVERY_S = 0.1; // smooth enough to the eye, a third of a camera's frames
static const double BEAT_EVERY_S = 10;    // routers forget a connection that is silent for a minute
static const double MATCHES_EVERY_S = 2;  // the record is not opened as often as anybody asks

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

static int add_kept(void *self, const struct kept_match *m, struct fail *why)
{
    const char *ended = m->ended[0] ? m->ended : NULL;
    json_t *o = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s?, s:s, s:s, s:i, s:i, s:i, s:s}", "match", (int)m->match, "id",
                          m->id, "game", m->game, "format", m->format, "begun", m->begun, "ended", ended, "source",
                          m->source, "kept_by", m->software, "observations", (int)m->observations, "shots",
                          (int)m->shots, "inputs", (int)m->inputs, "score", m->score);
    return json_array_append_new(self, o) == 0 ? 0 : rs_fail(why, RS_ENOMEM, "no memory for the matches");
}

// In the server's thread, which opens the record for itself.
static char *matches(void *self)
{
    struct pages *p = self;
    struct record *r = NULL;
    struct fail why = { .text = "" };
    double now_s = clock_s();
    if (p->matches && now_s - p->matches_s < MATCHES_EVERY_S)
        return strdup(p->matches);
    json_t *list = json_array();
    int rc = book_open(&r, &p->options, RECORD_READ, &why);
    if (rc == 0)
        rc = record_each(r, add_kept, list, &why);
    record_close(r);
    json_t *o = json_pack("{s:i, s:o}", "ringside", JSON_VERSION, "matches", list);
    if (rc < 0 && o)
        json_object_set_new(o, "why", json_string(why.text));
    char *text = json_text(o);
    bool told = json_memory_check("the matches", &why) == 0;
    free(p->matches);
    p->matches = told ? text : NULL;
    p->matches_s = now_s;
    if (!told)
        free(text);
    return p->matches ? strdup(p->matches) : NULL;
}

// What a streamer's page is to look like; a browser that is sent it refuses whatever leads to another host.
static int read_css(char **out, const char *path, struct fail *why)
{
    enum { CSS_MAX = 1 << 16 };
    size_t size = 0;
    struct fail cause;
    uint8_t *bytes = NULL;
    int rc = whole_file_read(&bytes, &size, path, CSS_MAX, &cause);
    bool text = rc == 0 && !memchr(bytes, '\0', size);
    *out = text ? strndup((const char *)bytes, size) : NULL;
    free(bytes);
    return rc < 0  ? rs_fail(why, rc, "--overlay-css: %.400s", cause.text)
           : !text ? rs_fail(why, RS_EINPUT, "--overlay-css %.200s: it is no text", path)
           : !*out ? rs_fail(why, RS_ENOMEM, "no memory for %.200s", path)
                   : 0;
}

int pages_check(const struct options *o, struct fail *why)
{
    const char *of_pages = o->listen        ? "--listen"
                           : o->overlay_css ? "--overlay-css"
                           : o->qr          ? "--qr"
                           : o->open        ? "--open"
                                            : NULL;
    return o->no_web && of_pages ? rs_fail(why, RS_EINPUT, "with --no-web there are no pages: leave %s out", of_pages)
                                 : 0;
}

int pages_plug(struct pages *p, const struct options *o, struct playback *to, struct fail *why)
{
    char address[WEB_ADDRESS_MAX];
    struct web_wish wish = { .port = USUAL_PORT, .matches = to->record ? matches : NULL, .matches_self = p };
    if (o->no_web)
        return 0;
    if (p->web) {
        live_restart(p->live);
        replay_restart(p->replay);
        playback_announce(to, live_announcer(p->live));
        playback_announce(to, replay_announcer(p->replay));
        return live_offers(p->live, judge_offers_json(to->setup->game), why);
    }
    p->options = *o;
    int rc = o->listen ? read_listen(&wish, address, o->listen, why) : 0;
    if (rc == 0 && o->overlay_css)
        rc = read_css(&p->css, o->overlay_css, why);
    wish.css = p->css;
    if (rc == 0)
        rc = live_create(&p->live, why);
    if (rc == 0 && !to->waits)
        rc = live_offers(p->live, judge_offers_json(to->setup->game), why);
    if (rc == 0)
        rc = replay_create(&p->replay, why);
    wish.replay = p->replay;
    bool starts = rc == 0;
    if (starts)
        rc = web_start(&p->web, p->live, &wish, why);
    if (starts && rc == RS_EIO && !o->listen) { // somebody has the usual port
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
    free(p->css);
    free(p->matches);
    *p = (struct pages){ 0 };
}

// Two rows of modules in one of letters. Dark on light wherever it is shown: readers want it so.
static int print_qr(FILE *to, const char *text, struct fail *why)
{
    bool colours = isatty(fileno(to));
    enum { QUIET = 4 }; // modules of margin, ISO/IEC 18004
    static const char *const halves[] = { "\u2588", "\u2580", "\u2584",
                                          " " }; // neither dark, the lower, the upper, both
    QRcode *qr = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (!qr)
        return rs_fail(why, RS_ELIB, "the address is too long for a QR code");
    int n = qr->width;
    for (int y = -QUIET; y < n + QUIET; y += 2) {
        fputs(colours ? "\033[97;40m" : "", to);
        for (int x = -QUIET; x < n + QUIET; x++) {
            bool dark[2] = { false, false };
            for (int k = 0; k < 2; k++)
                dark[k] = x >= 0 && x < n && y + k >= 0 && y + k < n && (qr->data[(y + k) * n + x] & 1);
            fputs(halves[2 * dark[0] + dark[1]], to);
        }
        fputs(colours ? "\033[0m\n" : "\n", to);
    }
    QRcode_free(qr);
    return 0;
}

// Nobody waits until it ends, Ctrl-C is not meant for it, the address is told all the same. Its process; 0: none.
static pid_t open_page(char *address)
{
    extern char **environ;
    char browser[] = "xdg-open", *argv[] = { browser, address, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return 0;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (posix_spawnp(&child, browser, &files, &attributes, argv, environ) != 0)
        child = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return child;
}

int pages_tell(struct pages *p, struct fail *why)
{
    enum { ROOM = WEB_ADDRESS_MAX + WEB_SECRET_LETTERS + 16 };
    char address[WEB_ADDRESS_MAX], judge[ROOM], set_up[ROOM];
    if (!p->web)
        return 0;
    web_address(p->web, address);
    snprintf(judge, sizeof judge, "%s/judge#%s", address, web_secret(p->web));
    snprintf(set_up, sizeof set_up, "%s/setup#%s", address, web_secret(p->web));
    fprintf(stderr, "ringside: scoreboard: %s  (streams: %s/overlay)\nringside: judge: %s\nringside: set-up: %s\n",
            address, address, judge, set_up);
    if (p->options.open)
        p->browser = open_page(judge);
    struct web_counts counts;
    web_count(p->web, &counts);
    if (counts.places < HALL)
        fprintf(stderr,
                "ringside: note: there is room for %d viewers, for this system allows few open files (ulimit -n)\n",
                counts.places);
    return p->options.qr ? print_qr(stderr, set_up, why) : 0;
}

static void show(void *self, const struct frame *f, bool as_it_came)
{
    struct pages *p = self;
    struct fail mute; // a picture that cannot be shown is no reason to end a game
    bool is_jpeg = p->web && f->encoded && f->encoded->encoding == ENCODED_JPEG;
    if (p->web && is_jpeg == as_it_came)
        web_show(p->web, f, &mute);
}

static void show_taken(void *self, const struct frame *f)
{
    struct pages *p = self;
    if (p->also.take)
        p->also.take(p->also.self, f);
    show(p, f, true);
}

static void show_tracked(void *self, const struct frame *f)
{
    struct pages *p = self;
    show(p, f, false);
    if (p->replay)
        replay_show(p->replay, f);
}

struct frame_tap pages_capture_tap(struct pages *p, struct frame_tap also)
{
    p->also = also;
    return p->web ? (struct frame_tap){ show_taken, p } : also;
}

struct frame_tap pages_tap(struct pages *p)
{
    return (struct frame_tap){ show_tracked, p };
}

int pages_take(struct pages *p, const struct tracked_frame *t, const struct match *m, int first_id, struct fail *why)
{
    double now_s = clock_s();
    if (p->replay)
        replay_settle(p->replay, &t->pose);
    if (!p->web || (now_s - p->pieces_s < PIECES_EVERY_S && !t->last))
        return 0;
    p->pieces_s = now_s;
    live_hold(p->live);
    int rc = live_board(p->live, &t->pose, why);
    rc = rc < 0 ? rc : live_pieces(p->live, &t->view, m, first_id, why);
    rc = rc < 0 ? rc : live_standing(p->live, m, why);
    live_release(p->live);
    return rc;
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
    // One that has ended stays in the list of processes until it is waited for.
    if (p->browser > 0 && waitpid(p->browser, NULL, WNOHANG) != 0)
        p->browser = 0;
    if (p->web && now_s - p->beat_s > BEAT_EVERY_S) {
        p->beat_s = now_s;
        web_tick(p->web);
    }
    while (rc == 0 && p->web && web_said(p->web, &said)) {
        bool right = to->begun && said_word_check(&said, &cause) == 0 &&
                     adjudication_check_word(&to->adjudication, &said, &cause) == 0;
        if (!to->begun)
            rs_fail(&cause, RS_EINPUT, "no %s yet: there is nothing to judge",
                    to->waits ? "game is chosen" : "board is found");
        if (right)
            rc = playback_input(to, &said, why);
        char number[48] = "";
        enum input_kind what = said.input.what;
        bool takes_back = what == INPUT_UNDO || what == INPUT_REDO || what == INPUT_RETRACT;
        if (right && rc == 0 && !takes_back) // by which it can be taken back, alone
            snprintf(number, sizeof number, "{\"done\": true, \"input\": %d}", to->adjudication.match.inputs);
        if (number[0])
            web_give(p->web, strdup(number));
        else
            web_answer(p->web, right && rc == 0 ? NULL : rc < 0 ? why : &cause);
    }
    return rc;
}
