// SPDX-License-Identifier: MIT
#include "referee/announce/console.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// Close calls, and the names of the two sides.
static const char *const CLOSE_COLOUR = "\033[1;33m", *const PLAIN = "\033[0m";
static const char *const side_colours[SIDES] = { "\033[36m", "\033[35m" };

// It is a terminal that shows colours, and whoever sits there has not set NO_COLOR.
static bool takes_colour(FILE *to)
{
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(fileno(to)) && !(none && none[0]) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

// Which side's name stands there as a word of its own, and how long it is; -1: none.
static int side_named(size_t *length, const struct match *m, const char *text, const char *at)
{
    bool begins = at == text || !isalnum((unsigned char)at[-1]);
    for (int i = 0; begins && i < m->now.sides && i < SIDES; i++) {
        const char *name = standing_name(&m->now, i);
        *length = strlen(name);
        if (*length > 0 && strncmp(at, name, *length) == 0 && !isalnum((unsigned char)at[*length]))
            return i;
    }
    return -1;
}

static void print_coloured(FILE *to, const struct match *m, const char *text, bool close)
{
    fputs(close ? CLOSE_COLOUR : "", to);
    for (const char *at = text; *at;) {
        size_t length = 0;
        int side = side_named(&length, m, text, at);
        if (side < 0)
            fputc(*at++, to);
        else
            fprintf(to, "%s%.*s%s%s", side_colours[side], (int)length, at, PLAIN, close ? CLOSE_COLOUR : "");
        at += side < 0 ? 0 : length;
    }
    fputs(close ? PLAIN : "", to);
}

static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    FILE *to = self;
    char time[16], sentence[SENTENCE_MAX];
    bool colour = m && takes_colour(to);
    if (r->camera && !r->camera_again) {
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
        case CAMERA_COVERED:
            fprintf(to, "nothing is seen, as if the lens were covered: no calls until the board is found again\n");
            break;
        case CAMERA_CUT:
            fprintf(to, "cut to another view: no calls until the board is found again\n");
            break;
        }
    }
    for (int i = 0; i < r->calls.count;) {
        const struct call *c = &r->calls.call[i];
        call_time_words(time, sizeof time, c->t_s);
        int first = i;
        bool close = false;
        i = console_sentence(sentence, sizeof sentence, &r->calls, i);
        while (first < i)
            close |= !r->calls.call[first++].firm;
        bool follows = c->change != CALL_MADE && c->shot != r->amended_shot; // later calls change with it: counted
        bool confirmed = r->amended_by == INPUT_CONFIRM;                     // the same, now by the judge's word
        if (follows || (confirmed && c->change == CALL_WITHDRAWN))
            continue;
        fprintf(to, "%s  %s", time,
                c->change == CALL_MADE        ? ""
                : c->change == CALL_WITHDRAWN ? "no longer: "
                : confirmed                   ? "stands: "
                                              : "instead: ");
        if (colour)
            print_coloured(to, m, sentence, close && !confirmed && c->change != CALL_WITHDRAWN);
        else
            fputs(sentence, to);
        fputc('\n', to);
    }
    if (r->changes > 0 && r->amended_by != INPUT_CONFIRM)
        fprintf(to, "          %d call%s changed by it\n", r->changes, r->changes == 1 ? "" : "s");
    return fflush(to) == 0 ? 0 : rs_fail(why, RS_EIO, "cannot write the calls: %s", strerror(errno));
}

struct announcer console_announcer(FILE *to)
{
    return (struct announcer){ say, to };
}
