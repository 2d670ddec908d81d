// SPDX-License-Identifier: MIT
// served.h: a camera in a network, of our own: HTTP on the loopback, one connection after another, each as the test
// says. Include after cmocka.h.
#ifndef RINGSIDE_TESTS_VISION_SOURCE_SERVED_H
#define RINGSIDE_TESTS_VISION_SOURCE_SERVED_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SERVED_MOST = 8 };

struct server {
    int listener, port;
    void (*serve[SERVED_MOST])(struct server *s, int fd); // the connections in turn; up to NULL
    char asked[2000];                                     // what the last one said
    atomic_int served;
    sem_t go_on; // posted by the test, waited for by what serves
    pthread_t thread;
    void *context;
};

static inline void served_put(int fd, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        at += n;
        size -= (size_t)n;
    }
}

static inline void served_words(int fd, const char *words)
{
    served_put(fd, words, strlen(words));
}

static inline void served_begin(int fd)
{
    served_words(fd, "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n");
}

static inline void served_part(int fd, const void *bytes, size_t size)
{
    char head[100];
    snprintf(head, sizeof head, "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %zu\r\n\r\n", size);
    served_words(fd, head);
    served_put(fd, bytes, size);
    served_words(fd, "\r\n");
}

static inline void *served_run(void *arg)
{
    struct server *s = arg;
    for (int i = 0; i < SERVED_MOST && s->serve[i]; i++) {
        int fd = accept(s->listener, NULL, NULL);
        if (fd < 0)
            break;
        ssize_t n = 0, got = 1;
        while (got > 0 && n < (ssize_t)sizeof s->asked - 1 && (n < 4 || memcmp(s->asked + n - 4, "\r\n\r\n", 4) != 0)) {
            got = recv(fd, s->asked + n, 1, 0);
            n += got > 0 ? got : 0;
        }
        s->asked[n] = '\0';
        s->serve[i](s, fd);
        close(fd);
        atomic_fetch_add(&s->served, 1);
    }
    return NULL;
}

static inline void server_start(struct server *s)
{
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t length = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(s->listener >= 0);
    assert_int_equal(bind(s->listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(s->listener, 8), 0);
    assert_int_equal(getsockname(s->listener, (struct sockaddr *)&at, &length), 0);
    s->port = ntohs(at.sin_port);
    sem_init(&s->go_on, 0, 0);
    assert_int_equal(pthread_create(&s->thread, NULL, served_run, s), 0);
}

static inline void server_stop(struct server *s)
{
    for (int i = 0; i < SERVED_MOST; i++)
        sem_post(&s->go_on);
    shutdown(s->listener, SHUT_RDWR);
    pthread_join(s->thread, NULL);
    close(s->listener);
    sem_destroy(&s->go_on);
}

#endif
