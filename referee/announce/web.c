// SPDX-License-Identifier: MIT
#include "referee/announce/web.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "calibration/clock.h"
#include "calibration/json_memory.h"
#include "calibration/units.h"
#include "referee/announce/json.h"
#include "referee/announce/web_close.h"
#include "referee/announce/web_guests.h"
#include "referee/announce/web_pages.h"
#include "referee/announce/web_stream.h"
#include "referee/log.h"
#include "referee/log_line.h"
#include "vision/source/jpeg.h"

enum {
    BODY_MAX = WEB_SET_UP_MAX - 1, // bytes of what a judge says, or of a set-up
    SILENT_S = 30,                 // whoever takes nothing for so long is gone
    PLACES_EACH = 100,        // for one other machine: several people behind one, and more than a browser ever takes
    TURNED_AWAY_AT_ONCE = 16, // connections that the server takes only to say no
    CONNECTION_BYTES = 16384, // that the server keeps for each
    JUDGES_WAITING = 32       // who said something that is not answered yet
};
static const double PICTURE_EVERY_S = 0.2; // enough to see a hand, and a tenth of what a camera sends
static const double UNSEEN_EVERY_S = 0.5;  // while nobody looks: for whoever comes when the camera sends nothing more

// A request while it is under way.
struct request {
    char body[BODY_MAX + 1];
    size_t size;
    bool too_large;
    struct MHD_Connection *connection;
    enum { NOT_ASKED, WAITS, TAKEN, DONE, REFUSED } state; // of what is wanted with it
    bool looks;                                            // a viewer's, which has no end
    bool set_up;                                           // of the set-up: `body` as it came, or empty; otherwise
    struct observation said;
    char *given;     // when done: what it is answered with, freed; NULL: that it is
    struct fail why; // when refused
};

struct web {
    struct live *live;
    struct replay *replay; // borrowed; NULL: no close calls are kept
    struct web_streams *streams;
    struct MHD_Daemon *server;
    struct web_guard guard;   // of the server's thread, as who is connected
    struct web_guests guests; // but for its number of places
    char address[WEB_ADDRESS_MAX];
    char *css; // of the overlay's viewers
    char *(*matches)(void *self);
    void *matches_self;
    struct jpeg *jpeg; // of the thread that shows
    double shown_s;
    pthread_mutex_t lock; // guards what follows
    struct request *waiting[JUDGES_WAITING];
    int count; // of them
    long refused, dropped, turned_away;
    bool ends;
};

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

// Queues the answer, which is released, with what keeps a page from doing harm to whoever opens it.
static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, struct MHD_Response *r, bool framed)
{
    if (!r)
        return MHD_NO;
    MHD_add_response_header(r, "Content-Security-Policy",
                            framed ? "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                                     "connect-src 'self'; base-uri 'none'; form-action 'none'"
                                   : "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                                     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(r, "Cache-Control", "no-store");
    enum MHD_Result queued = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return queued;
}

// Takes over `text`.
static enum MHD_Result answer_json(struct MHD_Connection *c, unsigned status, char *text)
{
    static char none[] = "{\"error\": \"no memory\"}";
    struct MHD_Response *r = text ? MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE)
                                  : MHD_create_response_from_buffer(strlen(none), none, MHD_RESPMEM_PERSISTENT);
    if (!r)
        free(text);
    else
        MHD_add_response_header(r, "Content-Type", "application/json");
    return answer(c, text ? status : MHD_HTTP_SERVICE_UNAVAILABLE, r, false);
}

static enum MHD_Result answer_error(struct MHD_Connection *c, unsigned status, const char *words)
{
    return answer_json(c, status, json_text(json_pack("{s:s}", "error", words)));
}

static enum MHD_Result refuse(struct web *w, struct MHD_Connection *c, unsigned status, const char *words)
{
    pthread_mutex_lock(&w->lock);
    w->refused++;
    pthread_mutex_unlock(&w->lock);
    return answer_error(c, status, words);
}

// As a line of a log that lacks what is the same for all of them.
static int read_said(struct observation *out, const char *body, struct fail *why)
{
    json_t *line = NULL;
    int rc = log_object_read(&line, body, why);
    if (rc < 0)
        return rc;
    rc = log_line_check_said(line, why);
    int failed = json_object_set_new(line, "kind", json_string("input"));
    failed |= json_object_set_new(line, "by", json_string("judge"));
    failed |= json_object_set_new(line, "t_s", json_real(0));
    if (!json_object_get(line, "text"))
        failed |= json_object_set_new(line, "text", json_string(""));
    if (rc == 0)
        rc = failed ? rs_fail(why, RS_ENOMEM, "no memory") : log_line_read(out, line, why);
    json_decref(line);
    int lost = json_memory_check("what a judge said", why);
    return rc < 0 ? rc : lost;
}

// The answer waits until the referee has taken it up: the connection sleeps meanwhile.
static enum MHD_Result ask_referee(struct web *w, struct request *q, bool set_up)
{
    struct MHD_Connection *c = q->connection;
    struct fail why = { .text = "" };
    pthread_mutex_lock(&w->lock);
    bool done = q->state == DONE, refused = q->state == REFUSED;
    char *given = q->given;
    q->given = NULL;
    pthread_mutex_unlock(&w->lock);
    if (done)
        return answer_json(c, MHD_HTTP_OK, given ? given : strdup("{\"done\": true}"));
    if (refused)
        return answer_error(c, MHD_HTTP_UNPROCESSABLE_CONTENT, q->why.text);
    if (q->too_large)
        return refuse(w, c, MHD_HTTP_CONTENT_TOO_LARGE, "what is said is too long");
    if (!set_up && read_said(&q->said, q->body, &why) < 0)
        return answer_error(c, MHD_HTTP_BAD_REQUEST, why.text);
    pthread_mutex_lock(&w->lock);
    bool room = !w->ends && w->count < JUDGES_WAITING;
    if (room) {
        q->state = WAITS;
        q->set_up = set_up;
        w->waiting[w->count++] = q;
        MHD_suspend_connection(c);
    }
    pthread_mutex_unlock(&w->lock);
    return room ? MHD_YES : answer_error(c, MHD_HTTP_SERVICE_UNAVAILABLE, "the referee does not answer; say it again");
}

bool web_said(struct web *w, struct observation *out)
{
    pthread_mutex_lock(&w->lock);
    bool there = w->count > 0 && !w->waiting[0]->set_up;
    if (there) {
        w->waiting[0]->state = TAKEN;
        *out = w->waiting[0]->said;
    }
    pthread_mutex_unlock(&w->lock);
    return there;
}

bool web_set_up(char out[WEB_SET_UP_MAX], struct web *w)
{
    pthread_mutex_lock(&w->lock);
    bool there = w->count > 0 && w->waiting[0]->set_up;
    if (there) {
        w->waiting[0]->state = TAKEN;
        memcpy(out, w->waiting[0]->body, WEB_SET_UP_MAX);
    }
    pthread_mutex_unlock(&w->lock);
    return there;
}

// Takes over `given`. With the lock held.
static void release_oldest(struct web *w, const struct fail *why, char *given)
{
    struct request *q = w->waiting[0];
    memmove(&w->waiting[0], &w->waiting[1], (size_t)(--w->count) * sizeof w->waiting[0]);
    q->state = why ? REFUSED : DONE;
    q->given = given;
    if (why)
        q->why = *why;
    MHD_resume_connection(q->connection);
}

static void release_taken(struct web *w, const struct fail *why, char *given)
{
    pthread_mutex_lock(&w->lock);
    bool there = w->count > 0 && w->waiting[0]->state == TAKEN; // otherwise whoever asked has gone
    if (there)
        release_oldest(w, why, given);
    pthread_mutex_unlock(&w->lock);
    if (!there)
        free(given);
}

void web_answer(struct web *w, const struct fail *why)
{
    release_taken(w, why, NULL);
}

void web_give(struct web *w, char *json)
{
    static const struct fail none = { .text = "no memory" };
    release_taken(w, json ? NULL : &none, json);
}

// By what the client says of it, otherwise of "*" (RFC 9110, 12.5.3); who says nothing may not know it. A weight of
// nothing is a no.
static bool takes_gzip(const char *accepted)
{
    bool takes = false;
    for (const char *item = accepted; item && *item; item += strcspn(item, ",")) {
        item += strspn(item, " \t,");
        size_t letters = strcspn(item, " \t;,");
        const char *weight = item + letters + strspn(item + letters, " \t;");
        bool weighed = strncasecmp(weight, "q=", 2) == 0;
        bool yes = !weighed || isdigit((unsigned char)weight[2 + strspn(weight + 2, "0.")]);
        if (letters == 4 && strncasecmp(item, "gzip", letters) == 0)
            return yes;
        takes |= letters == 1 && *item == '*' && yes;
    }
    return takes;
}

static enum MHD_Result give_page(struct web *w, struct MHD_Connection *c, const char *url)
{
    static const struct {
        const char *url, *page;
        bool framed;
    } names[] = { { "/", "board.html", false },
                  { "/judge", "judge.html", false },
                  { "/setup", "setup.html", false },
                  { "/overlay", "overlay.html", true } };
    static const struct {
        const char *ending, *type;
    } types[] = { { ".html", "text/html; charset=utf-8" },
                  { ".css", "text/css; charset=utf-8" },
                  { ".js", "text/javascript; charset=utf-8" },
                  { ".svg", "image/svg+xml" } };
    const char *name = url + 1;
    bool framed = false;
    for (size_t i = 0; i < countof(names); i++)
        if (strcmp(url, names[i].url) == 0) {
            name = names[i].page;
            framed = names[i].framed;
        }
    const struct web_page own = { "own.css", (const unsigned char *)w->css, strlen(w->css) };
    bool is_own = strcmp(name, own.name) == 0, packed = !is_own && takes_gzip(header(c, "Accept-Encoding"));
    for (const struct web_page *p = is_own ? &own : packed ? web_pages_packed : web_pages; p->name; p++) {
        if (strcmp(p->name, name) != 0)
            continue;
        struct MHD_Response *r = MHD_create_response_from_buffer(p->size, (void *)p->bytes, MHD_RESPMEM_PERSISTENT);
        const char *ending = strrchr(name, '.');
        for (size_t i = 0; i < countof(types) && r && ending; i++)
            if (strcmp(ending, types[i].ending) == 0)
                MHD_add_response_header(r, "Content-Type", types[i].type);
        if (r)
            MHD_add_response_header(r, "Vary", "Accept-Encoding");
        if (r && packed)
            MHD_add_response_header(r, "Content-Encoding", "gzip");
        return answer(c, MHD_HTTP_OK, r, framed);
    }
    return refuse(w, c, MHD_HTTP_NOT_FOUND, "there is no such page");
}

static int64_t last_event(struct MHD_Connection *c)
{
    const char *text = header(c, "Last-Event-ID");
    char *end;
    errno = 0;
    long long n = text ? strtoll(text, &end, 10) : -1;
    return text && errno == 0 && *end == '\0' && n >= 0 ? n : -1;
}

// The shot itself is shown to judges alone: it has people in it.
static enum MHD_Result give_close(struct web *w, struct MHD_Connection *c, const struct close_request *q)
{
    unsigned status = q->number >= 0 ? web_guard_check(&w->guard, c) : 0;
    if (status != 0)
        return refuse(w, c, status, "the secret is missing or wrong; it stands on the terminal");
    struct MHD_Response *r = web_close_answer(w->replay, q);
    return r ? answer(c, MHD_HTTP_OK, r, false) : answer_error(c, MHD_HTTP_NOT_FOUND, "no such call is kept");
}

static enum MHD_Result route(struct web *w, struct request *q, const char *url, const char *method)
{
    struct MHD_Connection *c = q->connection;
    if (!web_guard_is_for_us(c))
        return refuse(w, c, MHD_HTTP_MISDIRECTED_REQUEST, "this is asked under a name that is not ours");
    bool set_up = strcmp(url, "/api/setup") == 0, looks = set_up && strcmp(method, "GET") == 0;
    if (set_up || strcmp(url, "/api/input") == 0) {
        if (!looks && strcmp(method, "POST") != 0)
            return refuse(w, c, MHD_HTTP_METHOD_NOT_ALLOWED, "say it with POST");
        if (!web_guard_is_from_us(c))
            return refuse(w, c, MHD_HTTP_FORBIDDEN, "this comes from a page that is not ours");
        unsigned status = q->state == NOT_ASKED ? web_guard_check(&w->guard, c) : 0;
        if (status == MHD_HTTP_TOO_MANY_REQUESTS)
            return refuse(w, c, status, "too many wrong secrets; wait a moment");
        if (status != 0)
            return refuse(w, c, status, "the secret is missing or wrong; it stands on the terminal");
        if (set_up && q->state == NOT_ASKED && looks != (q->size == 0))
            return answer_error(c, MHD_HTTP_BAD_REQUEST, "a set-up is asked for with GET and said with POST");
        return ask_referee(w, q, set_up);
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return refuse(w, c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET");
    struct close_request close;
    if (web_close_asked(&close, url))
        return give_close(w, c, &close);
    if (strcmp(url, "/api/state") == 0)
        return answer_json(c, MHD_HTTP_OK, live_state(w->live));
    if (strcmp(url, "/api/calls") == 0)
        return answer_json(c, MHD_HTTP_OK, live_calls(w->live));
    if (strcmp(url, "/api/close") == 0)
        return answer_json(c, MHD_HTTP_OK, replay_list(w->replay));
    if (strcmp(url, "/api/matches") == 0 && w->matches)
        return answer_json(c, MHD_HTTP_OK, w->matches(w->matches_self));
    bool camera = strcmp(url, "/camera") == 0;
    q->looks = camera || strcmp(url, "/api/events") == 0;
    if (q->looks)
        return answer(c, MHD_HTTP_OK, web_stream_begin(w->streams, c, camera, camera ? 0 : last_event(c)), false);
    return give_page(w, c, url);
}

// Called for a request's head, for each part of its body and at its end; again when a sleeping one is woken.
static enum MHD_Result take_request(void *self, struct MHD_Connection *c, const char *url, const char *method,
                                    const char *version, const char *body, size_t *size, void **kept)
{
    struct web *w = self;
    struct request *q = *kept;
    (void)version;
    if (!q) {
        *kept = q = calloc(1, sizeof *q);
        if (q)
            q->connection = c;
        return q ? MHD_YES : MHD_NO;
    }
    if (*size > 0) {
        size_t room = BODY_MAX - q->size, n = *size < room ? *size : room;
        q->too_large |= *size > room;
        memcpy(q->body + q->size, body, n);
        q->size += n;
        *size = 0;
        return MHD_YES;
    }
    return route(w, q, url, method);
}

// Also one that sleeps, when its server stops.
static void forget_request(void *self, struct MHD_Connection *c, void **kept, enum MHD_RequestTerminationCode how)
{
    struct web *w = self;
    struct request *q = *kept;
    (void)c;
    if (!q)
        return;
    pthread_mutex_lock(&w->lock);
    w->dropped += q->looks && how == MHD_REQUEST_TERMINATED_TIMEOUT_REACHED;
    for (int i = 0; i < w->count; i++)
        if (w->waiting[i] == q)
            memmove(&w->waiting[i], &w->waiting[i + 1], (size_t)(--w->count - i) * sizeof w->waiting[0]);
    pthread_mutex_unlock(&w->lock);
    free(q->given);
    free(q);
    *kept = NULL;
}

static enum MHD_Result let_in(void *self, const struct sockaddr *from, socklen_t size)
{
    struct web *w = self;
    (void)size;
    if (web_guests_have_room(&w->guests, from))
        return MHD_YES;
    pthread_mutex_lock(&w->lock);
    w->turned_away++;
    pthread_mutex_unlock(&w->lock);
    return MHD_NO;
}

static void come_or_go(void *self, struct MHD_Connection *c, void **kept, enum MHD_ConnectionNotificationCode what)
{
    struct web *w = self;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    (void)kept;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        web_guests_come(&w->guests, info->client_addr);
    else
        web_guests_go(&w->guests, info->client_addr);
}

// As many as there are files for, with some left that the referee needs itself: log, record, clips.
static int count_places(void)
{
    enum { OWN_FILES = 64 };
    struct rlimit files;
    rlim_t wanted = WEB_PLACES_MAX + TURNED_AWAY_AT_ONCE + OWN_FILES;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return WEB_PLACES_MAX;
    if (files.rlim_cur < wanted && files.rlim_cur < files.rlim_max) {
        rlim_t before = files.rlim_cur;
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &files) != 0)
            files.rlim_cur = before;
    }
    return files.rlim_cur >= wanted         ? WEB_PLACES_MAX
           : files.rlim_cur > 2 * OWN_FILES ? (int)files.rlim_cur - TURNED_AWAY_AT_ONCE - OWN_FILES
                                            : OWN_FILES / 2;
}

static void wake_viewers(void *self)
{
    struct web *w = self;
    web_streams_wake(w->streams);
}

// What other machines reach this one by, of several the one that it would itself send from; untouched where it is in no
// network. Nothing is sent: a datagram's socket is only told where it would go, to an address that is for documents.
static void own_address(char out[INET6_ADDRSTRLEN])
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) }, from;
    socklen_t size = sizeof from;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0 &&
        getsockname(fd, (struct sockaddr *)&from, &size) == 0)
        inet_ntop(AF_INET, &from.sin_addr, out, INET6_ADDRSTRLEN);
    if (fd >= 0)
        close(fd);
}

static int listen_at(struct web *w, const struct web_wish *wish, struct fail *why)
{
    const char *name = wish->address ? wish->address : "127.0.0.1";
    struct sockaddr_in in4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)wish->port) };
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)wish->port) };
    bool is4 = inet_pton(AF_INET, name, &in4.sin_addr) == 1,
         is6 = !is4 && inet_pton(AF_INET6, name, &in6.sin6_addr) == 1;
    if (!is4 && !is6)
        return rs_fail(why, RS_EINPUT, "%.80s: not an address; 0.0.0.0 is for all who reach this machine", name);
    w->guests.places = count_places();
    w->guests.places_each = wish->places_each > 0 ? wish->places_each : PLACES_EACH;
    w->server =
        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (is6 ? MHD_USE_IPv6 : 0), 0, let_in,
                         w, take_request, w, MHD_OPTION_SOCK_ADDR, is4 ? (void *)&in4 : (void *)&in6,
                         MHD_OPTION_NOTIFY_COMPLETED, forget_request, w, MHD_OPTION_NOTIFY_CONNECTION, come_or_go, w,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)(w->guests.places + TURNED_AWAY_AT_ONCE),
                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(wish->silent_s > 0 ? wish->silent_s : SILENT_S),
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
    if (!w->server)
        return rs_fail(why, RS_EIO, "cannot listen at %.80s port %d: %s; another program may have it", name, wish->port,
                       strerror(errno));
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(w->server, MHD_DAEMON_INFO_BIND_PORT);
    char reached[INET6_ADDRSTRLEN] = "";
    if (strcmp(name, "0.0.0.0") == 0 || strcmp(name, "::") == 0)
        own_address(reached);
    bool by4 = reached[0] || is4;
    snprintf(w->address, sizeof w->address, by4 ? "http://%s:%d" : "http://[%s]:%d", reached[0] ? reached : name,
             info ? (int)info->port : wish->port);
    return 0;
}

int web_start(struct web **out, struct live *live, const struct web_wish *wish, struct fail *why)
{
    struct web *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    w->live = live;
    w->matches = wish->matches;
    w->matches_self = wish->matches_self;
    w->css = strdup(wish->css ? wish->css : "");
    w->replay = wish->replay;
    pthread_mutex_init(&w->lock, NULL);
    int rc = w->css ? jpeg_create(&w->jpeg, why) : rs_fail(why, RS_ENOMEM, "no memory for the pages");
    if (rc == 0)
        rc = web_streams_create(&w->streams, live, why);
    if (rc == 0)
        rc = web_guard_init(&w->guard, why);
    if (rc == 0)
        rc = listen_at(w, wish, why);
    if (rc < 0) {
        web_stop(w);
        return rc;
    }
    live_on_change(live, wake_viewers, w);
    *out = w;
    return 0;
}

void web_stop(struct web *w)
{
    static const struct fail over = { .text = "the match is over" };
    if (!w)
        return;
    live_on_change(w->live, NULL, NULL);
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    while (w->count > 0)
        release_oldest(w, &over, NULL);
    pthread_mutex_unlock(&w->lock);
    if (w->streams)
        web_streams_end(w->streams);
    if (w->server)
        MHD_stop_daemon(w->server);
    web_streams_free(w->streams);
    jpeg_free(w->jpeg);
    free(w->css);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void web_address(const struct web *w, char out[WEB_ADDRESS_MAX])
{
    snprintf(out, WEB_ADDRESS_MAX, "%s", w->address);
}

const char *web_secret(const struct web *w)
{
    return w->guard.secret;
}

int web_show(struct web *w, const struct frame *f, struct fail *why)
{
    double now = clock_s();
    if (now - w->shown_s < (web_streams_looked_at(w->streams) ? PICTURE_EVERY_S : UNSEEN_EVERY_S))
        return 0;
    w->shown_s = now;
    if (f->encoded && f->encoded->encoding == ENCODED_JPEG) {
        web_streams_picture(w->streams, f->encoded);
        return 0;
    }
    struct encoded *e;
    int rc = jpeg_encode_held(&e, w->jpeg, f, REPLAY_PAGE_QUALITY, why);
    if (rc < 0)
        return rc;
    web_streams_picture(w->streams, e);
    encoded_release(e);
    return 0;
}

void web_tick(struct web *w)
{
    web_streams_beat(w->streams);
}

void web_count(struct web *w, struct web_counts *out)
{
    web_streams_count(w->streams, &out->viewers, &out->most_viewers, &out->behind);
    pthread_mutex_lock(&w->lock);
    out->refused = w->refused;
    out->dropped = w->dropped;
    out->turned_away = w->turned_away;
    out->places = w->guests.places;
    pthread_mutex_unlock(&w->lock);
}
