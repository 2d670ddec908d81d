// SPDX-License-Identifier: MIT
#include "referee/announce/console.h"

#include <errno.h>
#include <string.h>

enum { SENTENCE_MAX = 8 * CALL_TEXT_MAX };

int console_sentence(char *out, size_t size, const struct call_list *calls, int i)
{
    size_t used = 0;
    int first = i;
    do {
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > first ? "; " : "", calls->call[i].text);
        i++;
    } while (i < calls->count && calls->call[i].same_breath && used < size);
    return i;
}

static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    FILE *to = self;
    char time[16], sentence[SENTENCE_MAX];
    (void)m;
    if (r->camera) {
        double shift_in = r->camera->camera.shift_in;
        call_time_words(time, sizeof time, r->camera->t_s);
        fprintf(to, "%s  camera ", time);
        if (r->camera->camera.what == CAMERA_MOVED)
            fprintf(to, "moved by %.2f in: followed\n", shift_in);
        else if (r->camera->camera.what == CAMERA_LOCKED)
            fprintf(to, "moved by %.2f in: the board is found again\n", shift_in);
        else
            fprintf(to, "lost: no calls until the board is found again\n");
    }
    for (int i = 0; i < r->calls.count;) {
        call_time_words(time, sizeof time, r->calls.call[i].t_s);
        i = console_sentence(sentence, sizeof sentence, &r->calls, i);
        fprintf(to, "%s  %s\n", time, sentence);
    }
    return fflush(to) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

struct announcer console_announcer(FILE *to)
{
    return (struct announcer){ say, to };
}
