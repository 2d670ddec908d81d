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
        fprintf(to, "%s  ", time);
        switch (r->camera->camera.what) {
        case CAMERA_MOVED:
            fprintf(to, "camera moved by %.2f in: followed\n", shift_in);
            break;
        case CAMERA_LOCKED:
            if (shift_in > 0)
                fprintf(to, "camera moved by %.2f in: ", shift_in);
            fprintf(to, "the board is found again\n");
            break;
        case CAMERA_LOST:
            fprintf(to, "camera lost: no calls until the board is found again\n");
            break;
        case CAMERA_DAMAGED:
            fprintf(to, "pictures were lost or damaged");
            if (r->camera->camera.lost_s > 0) // older logs have none
                fprintf(to, ", %.2f s", r->camera->camera.lost_s);
            fprintf(to, ": %s\n",
                    observation_hides(r->camera) ? "what happened meanwhile is not called"
                                                 : "calls that span this are not firm");
            break;
        case CAMERA_CUT:
            fprintf(to, "cut to another view: no calls until the board is found again\n");
            break;
        }
    }
    for (int i = 0; i < r->calls.count;) {
        const struct call *c = &r->calls.call[i];
        call_time_words(time, sizeof time, c->t_s);
        i = console_sentence(sentence, sizeof sentence, &r->calls, i);
        bool follows = c->change != CALL_MADE && c->shot != r->amended_shot; // later calls change with it: counted
        bool confirmed = r->amended_by == INPUT_CONFIRM;                     // the same words, now firm
        if (follows || (confirmed && c->change == CALL_WITHDRAWN))
            continue;
        fprintf(to, "%s  %s%s\n", time,
                c->change == CALL_MADE        ? ""
                : c->change == CALL_WITHDRAWN ? "no longer: "
                : confirmed                   ? "stands: "
                                              : "instead: ",
                sentence);
    }
    if (r->changes > 0 && r->amended_by != INPUT_CONFIRM)
        fprintf(to, "          %d calls changed by it\n", r->changes);
    return fflush(to) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

struct announcer console_announcer(FILE *to)
{
    return (struct announcer){ say, to };
}
