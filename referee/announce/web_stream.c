// SPDX-License-Identifier: MIT
#include "referee/announce/web_stream.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/units.h"

enum { BLOCK_BYTES = 8192 }; // of an answer, at once
#define BOUNDARY "--picture\r\n"

struct viewer {
    struct web_streams *of;
    struct MHD_Connection *connection;
    bool camera;          // looks at the camera, not at the match
    bool has_picture;     // has been sent one
    int64_t after;        // the last message, or picture, that he has
    long beats;           // signs of life so far
    char *head;           // what is being sent: a text in front, freed,
    const char *tail;     // one behind, static,
    struct encoded *jpeg; // and the picture between them, held; NULL: none
    char *body;           // or a text (freed)
    size_t sent;          // bytes of all that
    bool waits;           // suspended until there is something new
    struct viewer *next;
};

struct web_streams {
    struct live *live;
    pthread_mutex_t lock; // guards what follows, and the viewers
    struct viewer *first;
    struct encoded *jpeg; // the newest picture
    long pictures, beats;
    long viewers, most, behind, cameras;
    bool ends;
};

int web_streams_create(struct web_streams **out, struct live *live, struct fail *why)
{
    struct web_streams *s = calloc(1, sizeof *s);
    if (!s)
        return rs_fail(why, RS_ENOMEM, "no memory for the pages");
    s->live = live;
    pthread_mutex_init(&s->lock, NULL);
    *out = s;
    return 0;
}

// With the lock held.
static void resume(struct web_streams *s, bool cameras)
{
    for (struct viewer *v = s->first; v; v = v->next)
        if (v->waits && v->camera == cameras) {
            v->waits = false;
            MHD_resume_connection(v->connection);
        }
}

void web_streams_end(struct web_streams *s)
{
    pthread_mutex_lock(&s->lock);
    s->ends = true;
    resume(s, false);
    resume(s, true);
    pthread_mutex_unlock(&s->lock);
}

void web_streams_free(struct web_streams *s)
{
    if (!s)
        return;
    encoded_release(s->jpeg);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void web_streams_wake(struct web_streams *s)
{
    pthread_mutex_lock(&s->lock);
    resume(s, false);
    pthread_mutex_unlock(&s->lock);
}

void web_streams_beat(struct web_streams *s)
{
    pthread_mutex_lock(&s->lock);
    s->beats++;
    resume(s, false);
    if (s->jpeg) { // once more, as the first to each: a camera may send no more
        s->pictures++;
        resume(s, true);
    }
    pthread_mutex_unlock(&s->lock);
}

void web_streams_picture(struct web_streams *s, struct encoded *jpeg)
{
    pthread_mutex_lock(&s->lock);
    encoded_release(s->jpeg);
    s->jpeg = encoded_hold(jpeg);
    s->pictures++;
    resume(s, true);
    pthread_mutex_unlock(&s->lock);
}

bool web_streams_looked_at(struct web_streams *s)
{
    pthread_mutex_lock(&s->lock);
    bool out = s->cameras > 0;
    pthread_mutex_unlock(&s->lock);
    return out;
}

void web_streams_count(struct web_streams *s, long *viewers, long *most, long *behind)
{
    pthread_mutex_lock(&s->lock);
    *viewers = s->viewers;
    *most = s->most;
    *behind = s->behind;
    pthread_mutex_unlock(&s->lock);
}

static void sent(struct viewer *v)
{
    free(v->head);
    free(v->body);
    encoded_release(v->jpeg);
    v->head = v->body = NULL;
    v->jpeg = NULL;
    v->tail = NULL;
    v->sent = 0;
}

static char *formatted(const char *format, int64_t n, size_t size)
{
    enum { ROOM = 160 };
    char *out = malloc(ROOM);
    if (out)
        snprintf(out, ROOM, format, (long long)n, size);
    return out;
}

// The next thing that he is to be sent; false when there is nothing, or no memory for it now. With the lock held.
static bool take_next(struct viewer *v)
{
    struct web_streams *s = v->of;
    bool whole = false;
    int64_t before = v->after;
    if (v->camera) {
        if (s->pictures == v->after || !s->jpeg)
            return false;
        v->head = formatted("Content-Type: image/jpeg\r\nX-Number: %lld\r\nContent-Length: %zu\r\n\r\n", s->pictures,
                            s->jpeg->size);
        v->jpeg = encoded_hold(s->jpeg);
        v->tail = "\r\n" BOUNDARY; // at once: the next may be long in coming
        // Some browsers show a picture when the next one's head has come: the first goes twice, so nobody waits.
        v->after = v->has_picture ? s->pictures : s->pictures - 1;
        v->has_picture = true;
        return v->head != NULL;
    }
    v->body = live_next(s->live, &v->after, &whole);
    if (v->body) {
        v->head = formatted(whole ? "id: %lld\nevent: state\ndata: " : "id: %lld\ndata: ", v->after, 0);
        v->tail = "\n\n";
        s->behind += whole && before >= 0;
        return v->head != NULL;
    }
    if (v->beats == s->beats)
        return false;
    v->beats = s->beats;
    v->head = formatted(": %lld\n\n", s->beats, 0);
    return v->head != NULL;
}

static size_t copy_part(char *to, size_t room, const char *part, size_t size, size_t *skip)
{
    size_t from = *skip < size ? *skip : size, n = size - from < room ? size - from : room;
    *skip -= from;
    if (n > 0)
        memcpy(to, part + from, n);
    return n;
}

// With the lock held. What fits of what he is being sent; how much that was.
static size_t copy_some(struct viewer *v, char *to, size_t room)
{
    const struct {
        const char *bytes;
        size_t size;
    } part[] = { { v->head, strlen(v->head) },
                 { v->jpeg ? (const char *)v->jpeg->bytes : NULL, v->jpeg ? v->jpeg->size : 0 },
                 { v->body, v->body ? strlen(v->body) : 0 },
                 { v->tail, v->tail ? strlen(v->tail) : 0 } };
    size_t skip = v->sent, n = 0, all = 0;
    for (size_t i = 0; i < countof(part); i++) {
        n += copy_part(to + n, room - n, part[i].bytes, part[i].size, &skip);
        all += part[i].size;
    }
    v->sent += n;
    if (v->sent == all)
        sent(v);
    return n;
}

// Called by the server when there is room to send. All that there is goes out together: a ruling is some messages, and
// each that is sent alone has a hall of viewers wait as long as for all of them.
static ssize_t give(void *self, uint64_t at, char *to, size_t room)
{
    struct viewer *v = self;
    size_t n = 0;
    (void)at;
    pthread_mutex_lock(&v->of->lock);
    bool ends = v->of->ends;
    while (!ends && n < room && (v->head || take_next(v)))
        n += copy_some(v, to + n, room - n);
    if (!ends && n < room && !v->head)
        sent(v); // what could not be begun
    if (!ends && n == 0) {
        v->waits = true;
        MHD_suspend_connection(v->connection);
    }
    pthread_mutex_unlock(&v->of->lock);
    return ends ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)n;
}

static void leave(void *self)
{
    struct viewer *v = self;
    struct web_streams *s = v->of;
    pthread_mutex_lock(&s->lock);
    for (struct viewer **at = &s->first; *at; at = &(*at)->next)
        if (*at == v) {
            *at = v->next;
            break;
        }
    s->viewers--;
    s->cameras -= v->camera;
    pthread_mutex_unlock(&s->lock);
    sent(v);
    free(v);
}

struct MHD_Response *web_stream_begin(struct web_streams *s, struct MHD_Connection *c, bool camera, int64_t after)
{
    struct viewer *v = malloc(sizeof *v);
    char *head = camera ? strdup(BOUNDARY) : NULL;
    if (!v || (camera && !head)) {
        free(head);
        free(v);
        return NULL;
    }
    *v = (struct viewer){ .of = s, .connection = c, .camera = camera, .after = after, .head = head };
    pthread_mutex_lock(&s->lock);
    v->beats = s->beats;
    v->next = s->first;
    s->first = v;
    s->cameras += camera;
    if (++s->viewers > s->most)
        s->most = s->viewers;
    pthread_mutex_unlock(&s->lock);
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, give, v, leave);
    if (!r)
        leave(v);
    else
        MHD_add_response_header(r, "Content-Type",
                                camera ? "multipart/x-mixed-replace; boundary=picture" : "text/event-stream");
    return r;
}
