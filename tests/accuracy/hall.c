// SPDX-License-Identifier: MIT
#include "tests/accuracy/hall.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/accuracy/live_pipeline.h"

enum {
    LINE_MAX_BYTES = 1 << 15, // of what is longer nothing is asked
    BEHIND = 4                // messages of one ruling: a score that comes later is another's
};

struct viewer {
    int fd;
    bool whole;       // he was given it
    long id, shot_id; // of the last message; of the one that told a shot, 0: none that waits for its score
    int shot;
    size_t size;
    char line[LINE_MAX_BYTES];
};

struct order {
    int viewers, port;
};

struct process {
    int orders, said, epoll;
    int count, ready, wanted; // ready: given the whole; wanted: to be told when so many are, -1: it was
    int lost;
    double bytes;
    struct viewer *viewer;
};

int hall_raise_files(int needed, struct fail *why)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < (rlim_t)needed) {
        files.rlim_cur = files.rlim_max < (rlim_t)needed ? files.rlim_max : (rlim_t)needed;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    return files.rlim_cur >= (rlim_t)needed
               ? 0
               : rs_fail(why, RS_EINPUT, "%d open files are needed, the system allows %lu: raise it with ulimit -Hn",
                         needed, (unsigned long)files.rlim_cur);
}

static void report(const struct process *p, enum hall_said what, int n, double value)
{
    struct hall_report r = { what, n, value };
    if (write(p->said, &r, sizeof r) != (ssize_t)sizeof r)
        exit(1); // nobody listens any more
}

static void read_line(struct process *p, struct viewer *v, const char *line)
{
    double from = 0;
    int shot;
    if (sscanf(line, "id: %ld", &v->id) == 1)
        return;
    if (strncmp(line, "event: state", strlen("event: state")) == 0 && !v->whole) {
        v->whole = true;
        p->ready++;
    } else if (sscanf(line, "data: {\"shot\":{\"event\":\"shot\",\"shot\":%d", &shot) == 1) {
        v->shot = shot;
        v->shot_id = v->id;
    } else if (v->shot_id > 0 && strncmp(line, "data: {\"standing\":", strlen("data: {\"standing\":")) == 0) {
        from = now_s();
        if (v->id <= v->shot_id + BEHIND)
            report(p, HALL_SHOT, v->shot, from);
        v->shot_id = 0;
    }
}

static void leave(struct process *p, struct viewer *v)
{
    if (v->fd < 0)
        return;
    close(v->fd);
    v->fd = -1;
    p->count--;
    p->ready -= v->whole;
}

// Lines of the answer are taken as they come: those between its chunks are none that mean anything.
static void hear(struct process *p, struct viewer *v)
{
    ssize_t n = recv(v->fd, v->line + v->size, sizeof v->line - v->size, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        leave(p, v);
        p->lost++;
        return;
    }
    p->bytes += (double)n;
    v->size += (size_t)n;
    char *from = v->line, *end;
    while ((end = memchr(from, '\n', v->size - (size_t)(from - v->line)))) {
        *end = '\0';
        read_line(p, v, from);
        from = end + 1;
    }
    v->size -= (size_t)(from - v->line);
    memmove(v->line, from, v->size);
    if (v->size == sizeof v->line)
        v->size = 0;
}

static void arrive(struct process *p, struct viewer *v, int port)
{
    static const char ask[] = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *v = (struct viewer){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    struct epoll_event wanted = { .events = EPOLLIN, .data.ptr = v };
    if (v->fd < 0 || connect(v->fd, (struct sockaddr *)&to, sizeof to) != 0 ||
        send(v->fd, ask, strlen(ask), MSG_NOSIGNAL) != (ssize_t)strlen(ask) ||
        epoll_ctl(p->epoll, EPOLL_CTL_ADD, v->fd, &wanted) != 0) {
        fprintf(stderr, "a viewer cannot look: %s\n", strerror(errno));
        exit(1);
    }
    p->count++;
}

static void take_order(struct process *p)
{
    struct order o;
    if (read(p->orders, &o, sizeof o) != (ssize_t)sizeof o)
        exit(0);
    report(p, HALL_LOST, p->lost, 0);
    report(p, HALL_BYTES, 0, p->bytes);
    report(p, HALL_BUSY, 0, busy_ms() / 1e3);
    p->lost = 0;
    p->bytes = 0;
    for (int i = 0; o.viewers == 0 && i < p->wanted; i++)
        leave(p, &p->viewer[i]);
    for (int i = 0; i < o.viewers; i++)
        arrive(p, &p->viewer[i], o.port);
    p->wanted = o.viewers;
}

static void be_viewers(struct process *p)
{
    enum { EVENTS = 64 };
    struct epoll_event orders = { .events = EPOLLIN }, event[EVENTS];
    bool told = true;
    if (p->epoll < 0 || !p->viewer || epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->orders, &orders) != 0)
        exit(1);
    for (;;) {
        int n = epoll_wait(p->epoll, event, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            struct viewer *v = event[i].data.ptr;
            if (!v) {
                take_order(p);
                told = false;
            } else if (v->fd >= 0) {
                hear(p, v);
            }
        }
        if (!told && p->ready == p->wanted) {
            report(p, HALL_READY, p->ready, 0);
            told = true;
        }
    }
}

int hall_begin(struct hall *out, int viewers_most, struct fail *why)
{
    int orders[2], said[2];
    if (pipe(orders) != 0 || pipe(said) != 0)
        return rs_fail(why, RS_ELIB, "no pipe: %s", strerror(errno));
    pid_t process = fork();
    if (process == 0) {
        close(orders[1]);
        close(said[0]);
        be_viewers(&(struct process){ .orders = orders[0],
                                      .said = said[1],
                                      .epoll = epoll_create1(EPOLL_CLOEXEC),
                                      .viewer = calloc((size_t)viewers_most, sizeof(struct viewer)) });
    }
    close(orders[0]);
    close(said[1]);
    fcntl(said[0], F_SETFL, O_NONBLOCK);
    *out = (struct hall){ process, orders[1], said[0] };
    return process > 0 ? 0 : rs_fail(why, RS_ELIB, "no process for the viewers: %s", strerror(errno));
}

void hall_end(struct hall *h)
{
    if (!h || h->process <= 0)
        return;
    close(h->orders); // for which it ends
    close(h->said);
    waitpid(h->process, NULL, 0);
}

void hall_order(const struct hall *h, int viewers, int port)
{
    struct order o = { viewers, port };
    if (write(h->orders, &o, sizeof o) != (ssize_t)sizeof o)
        abort();
}

bool hall_next(struct hall_report *out, const struct hall *h)
{
    return read(h->said, out, sizeof *out) == (ssize_t)sizeof *out;
}
