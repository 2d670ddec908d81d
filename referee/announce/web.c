// SPDX-License-Identifier: MIT
#include "referee/announce/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "calibration/clock.h"
#include "calibration/json_memory.h"
#include "calibration/units.h"
#include "referee/announce/web_close.h"
#include "referee/announce/web_pages.h"
#include "referee/announce/web_stream.h"
#include "referee/log.h"
#include "referee/log_line.h"
#include "vision/source/jpeg.h"

enum {
    BODY_MAX = 4096,          // bytes of what a judge says
    CONNECTIONS = 1000,       // at once: a hall of viewers, with some to spare
    SILENT_S = 30,            // whoever takes nothing for so long is gone
    CONNECTION_BYTES = 16384, // that the server keeps for each
    JUDGES_WAITING = 32,      // who said something that is not answered yet
    WRONG_AT_ONCE = 5,        // wrong secrets that are answered at once: a slip of the hand
    WRONG_EVERY_S = 2,        // then one in so many seconds
    PICTURE_QUALITY = 80      // of a camera's picture that did not come as a JPEG
};
static const double PICTURE_EVERY_S = 0.2; // enough to see a hand, and a tenth of what a camera sends

// A request while it is under way.
struct request {
    char body[BODY_MAX + 1];
    size_t size;
    bool too_large;
    struct MHD_Connection *connection;
    enum { NOT_ASKED, WAITS, TAKEN, DONE, REFUSED } state; // of what is said with it
    struct observation said;
    struct fail why; // when refused
};

struct web {
    struct live *live;
    struct replay *replay; // borrowed; NULL: no close calls are kept
    struct web_streams *streams;
    struct MHD_Daemon *server;
    char secret[WEB_SECRET_LETTERS + 1];
    char address[WEB_ADDRESS_MAX];
    struct jpeg *jpeg; // of the thread that shows
    double shown_s;
    pthread_mutex_t lock; // guards what follows
    struct request *waiting[JUDGES_WAITING];
    int count; // of them
    long refused;
    double wrong_until_s; // each wrong secret moves it on
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
    json_t *o = json_pack("{s:s}", "error", words);
    char *text = o ? json_memory_text(o, JSON_COMPACT) : NULL;
    json_decref(o);
    return answer_json(c, status, text);
}

static enum MHD_Result refuse(struct web *w, struct MHD_Connection *c, unsigned status, const char *words)
{
    pthread_mutex_lock(&w->lock);
    w->refused++;
    pthread_mutex_unlock(&w->lock);
    return answer_error(c, status, words);
}

// A page of another site could ask in its reader's name, under a name of its own that leads here: a request is only taken
// that is made to an address, to localhost, or to this machine's own name.
static bool is_for_us(struct MHD_Connection *c)
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

// What changes something is asked from one of our own pages, or by no page at all.
static bool is_from_us(struct MHD_Connection *c)
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

// 0, or the status by which a request without the right secret is refused. Who guesses waits; the judge is not kept out by it.
static unsigned check_secret(struct web *w, struct MHD_Connection *c)
{
    static const char scheme[] = "Bearer ";
    const char *given = header(c, "Authorization");
    double now = clock_s();
    if (given && strncmp(given, scheme, sizeof scheme - 1) == 0 && same_secret(given + sizeof scheme - 1, w->secret))
        return 0;
    pthread_mutex_lock(&w->lock);
    bool waits = w->wrong_until_s > now + WRONG_AT_ONCE * WRONG_EVERY_S;
    if (!waits)
        w->wrong_until_s = (w->wrong_until_s > now ? w->wrong_until_s : now) + WRONG_EVERY_S;
    pthread_mutex_unlock(&w->lock);
    return waits ? MHD_HTTP_TOO_MANY_REQUESTS : MHD_HTTP_UNAUTHORIZED;
}

// As a line of a log that lacks what is the same for all of them.
static int read_said(struct observation *out, const char *body, struct fail *why)
{
    json_t *line = NULL;
    int rc = log_object_read(&line, body, why);
    if (rc < 0)
        return rc;
    int failed = json_object_set_new(line, "kind", json_string("input"));
    failed |= json_object_set_new(line, "by", json_string("judge"));
    failed |= json_object_set_new(line, "t_s", json_real(0));
    if (!json_object_get(line, "text"))
        failed |= json_object_set_new(line, "text", json_string(""));
    rc = failed ? rs_fail(why, RS_ENOMEM, "no memory") : log_line_read(out, line, why);
    json_decref(line);
    int lost = json_memory_check("what a judge said", why);
    return rc < 0 ? rc : lost;
}

// The answer waits until the referee has taken it up: the connection sleeps meanwhile.
static enum MHD_Result take_input(struct web *w, struct request *q)
{
    struct MHD_Connection *c = q->connection;
    struct fail why = { .text = "" };
    pthread_mutex_lock(&w->lock);
    bool done = q->state == DONE, refused = q->state == REFUSED;
    pthread_mutex_unlock(&w->lock);
    if (done)
        return answer_json(c, MHD_HTTP_OK, strdup("{\"done\": true}"));
    if (refused)
        return answer_error(c, MHD_HTTP_UNPROCESSABLE_CONTENT, q->why.text);
    if (q->too_large)
        return refuse(w, c, MHD_HTTP_CONTENT_TOO_LARGE, "what is said is too long");
    if (read_said(&q->said, q->body, &why) < 0)
        return answer_error(c, MHD_HTTP_BAD_REQUEST, why.text);
    pthread_mutex_lock(&w->lock);
    bool room = !w->ends && w->count < JUDGES_WAITING;
    if (room) {
        q->state = WAITS;
        w->waiting[w->count++] = q;
        MHD_suspend_connection(c);
    }
    pthread_mutex_unlock(&w->lock);
    return room ? MHD_YES : answer_error(c, MHD_HTTP_SERVICE_UNAVAILABLE, "the referee does not answer; say it again");
}

bool web_said(struct web *w, struct observation *out)
{
    pthread_mutex_lock(&w->lock);
    bool there = w->count > 0;
    if (there) {
        w->waiting[0]->state = TAKEN;
        *out = w->waiting[0]->said;
    }
    pthread_mutex_unlock(&w->lock);
    return there;
}

// With the lock held.
static void release_oldest(struct web *w, const struct fail *why)
{
    struct request *q = w->waiting[0];
    memmove(&w->waiting[0], &w->waiting[1], (size_t)(--w->count) * sizeof w->waiting[0]);
    q->state = why ? REFUSED : DONE;
    if (why)
        q->why = *why;
    MHD_resume_connection(q->connection);
}

void web_answer(struct web *w, const struct fail *why)
{
    pthread_mutex_lock(&w->lock);
    if (w->count > 0 && w->waiting[0]->state == TAKEN)
        release_oldest(w, why);
    pthread_mutex_unlock(&w->lock);
}

static enum MHD_Result give_page(struct web *w, struct MHD_Connection *c, const char *url)
{
    static const struct {
        const char *url, *page;
        bool framed;
    } names[] = { { "/", "board.html", false },
                  { "/judge", "judge.html", false },
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
    for (const struct web_page *p = web_pages; p->name; p++) {
        if (strcmp(p->name, name) != 0)
            continue;
        struct MHD_Response *r = MHD_create_response_from_buffer(p->size, (void *)p->bytes, MHD_RESPMEM_PERSISTENT);
        const char *ending = strrchr(name, '.');
        for (size_t i = 0; i < countof(types) && r && ending; i++)
            if (strcmp(ending, types[i].ending) == 0)
                MHD_add_response_header(r, "Content-Type", types[i].type);
        return answer(c, MHD_HTTP_OK, r, framed);
    }
    return refuse(w, c, MHD_HTTP_NOT_FOUND, "there is no such page");
}

static long last_event(struct MHD_Connection *c)
{
    const char *text = header(c, "Last-Event-ID");
    char *end;
    errno = 0;
    long n = text ? strtol(text, &end, 10) : -1;
    return text && errno == 0 && *end == '\0' && n >= 0 ? n : -1;
}

// The shot itself is shown to judges alone: it has people in it.
static enum MHD_Result give_close(struct web *w, struct MHD_Connection *c, const struct close_request *q)
{
    unsigned status = q->moment ? check_secret(w, c) : 0;
    if (status != 0)
        return refuse(w, c, status, "the secret is missing or wrong; it stands on the terminal");
    struct MHD_Response *r = web_close_answer(w->replay, q);
    return r ? answer(c, MHD_HTTP_OK, r, false) : answer_error(c, MHD_HTTP_NOT_FOUND, "no such call is kept");
}

static enum MHD_Result route(struct web *w, struct request *q, const char *url, const char *method)
{
    struct MHD_Connection *c = q->connection;
    if (!is_for_us(c))
        return refuse(w, c, MHD_HTTP_MISDIRECTED_REQUEST, "this is asked under a name that is not ours");
    if (strcmp(url, "/api/input") == 0) {
        if (strcmp(method, "POST") != 0)
            return refuse(w, c, MHD_HTTP_METHOD_NOT_ALLOWED, "say it with POST");
        if (!is_from_us(c))
            return refuse(w, c, MHD_HTTP_FORBIDDEN, "this comes from a page that is not ours");
        unsigned status = q->state == NOT_ASKED ? check_secret(w, c) : 0;
        if (status == MHD_HTTP_TOO_MANY_REQUESTS)
            return refuse(w, c, status, "too many wrong secrets; wait a moment");
        if (status != 0)
            return refuse(w, c, status, "the secret is missing or wrong; it stands on the terminal");
        return take_input(w, q);
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
    if (strcmp(url, "/api/events") == 0)
        return answer(c, MHD_HTTP_OK, web_stream_events(w->streams, c, last_event(c)), false);
    if (strcmp(url, "/camera") == 0)
        return answer(c, MHD_HTTP_OK, web_stream_camera(w->streams, c), false);
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
    (void)c, (void)how;
    if (!q)
        return;
    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < w->count; i++)
        if (w->waiting[i] == q)
            memmove(&w->waiting[i], &w->waiting[i + 1], (size_t)(--w->count - i) * sizeof w->waiting[0]);
    pthread_mutex_unlock(&w->lock);
    free(q);
    *kept = NULL;
}

static void wake_viewers(void *self)
{
    struct web *w = self;
    web_streams_wake(w->streams);
}

static int make_secret(char out[WEB_SECRET_LETTERS + 1], struct fail *why)
{
    unsigned char chance[WEB_SECRET_LETTERS / 2];
    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        return rs_fail(why, RS_ELIB, "there is no chance to make a secret of: %s", strerror(errno));
    for (size_t i = 0; i < sizeof chance; i++)
        snprintf(out + 2 * i, 3, "%02x", chance[i]);
    return 0;
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
    w->server = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (is6 ? MHD_USE_IPv6 : 0), 0,
                                 NULL, NULL, take_request, w, MHD_OPTION_SOCK_ADDR, is4 ? (void *)&in4 : (void *)&in6,
                                 MHD_OPTION_NOTIFY_COMPLETED, forget_request, w, MHD_OPTION_CONNECTION_LIMIT,
                                 (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_S,
                                 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
    if (!w->server)
        return rs_fail(why, RS_EIO, "cannot listen at %.80s port %d: %s; another program may have it", name, wish->port,
                       strerror(errno));
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(w->server, MHD_DAEMON_INFO_BIND_PORT);
    snprintf(w->address, sizeof w->address, is6 ? "http://[%s]:%d" : "http://%s:%d", name,
             info ? (int)info->port : wish->port);
    return 0;
}

int web_start(struct web **out, struct live *live, const struct web_wish *wish, struct fail *why)
{
    struct web *w = calloc(1, sizeof *w);
    if (!w)
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    w->live = live;
    w->replay = wish->replay;
    pthread_mutex_init(&w->lock, NULL);
    int rc = jpeg_create(&w->jpeg, why);
    if (rc == 0)
        rc = web_streams_create(&w->streams, live, why);
    if (rc == 0)
        rc = make_secret(w->secret, why);
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
        release_oldest(w, &over);
    pthread_mutex_unlock(&w->lock);
    if (w->streams)
        web_streams_end(w->streams);
    if (w->server)
        MHD_stop_daemon(w->server);
    web_streams_free(w->streams);
    jpeg_free(w->jpeg);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void web_address(const struct web *w, char out[WEB_ADDRESS_MAX])
{
    snprintf(out, WEB_ADDRESS_MAX, "%s", w->address);
}

const char *web_secret(const struct web *w)
{
    return w->secret;
}

int web_show(struct web *w, const struct frame *f, struct fail *why)
{
    double now = clock_s();
    if (now - w->shown_s < PICTURE_EVERY_S || !web_streams_looked_at(w->streams))
        return 0;
    w->shown_s = now;
    if (f->encoded && f->encoded->encoding == ENCODED_JPEG) {
        web_streams_picture(w->streams, f->encoded);
        return 0;
    }
    uint8_t *bytes;
    size_t size;
    struct encoded *e;
    int rc = jpeg_encode(w->jpeg, &bytes, &size, f, PICTURE_QUALITY, why);
    if (rc < 0)
        return rc;
    rc = encoded_create(&e, size, why);
    if (rc == 0) {
        memcpy(e->bytes, bytes, size);
        web_streams_picture(w->streams, e);
        encoded_release(e);
    }
    jpeg_bytes_free(bytes);
    return rc;
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
    pthread_mutex_unlock(&w->lock);
}
