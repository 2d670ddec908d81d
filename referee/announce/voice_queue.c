// SPDX-License-Identifier: MIT
#include "referee/announce/voice_queue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of several that wait, so many are told: a speaker who falls behind does not read the whole game out.
enum { TOLD_BEHIND = 2 };

static void remove_first(struct voice_queue *q, int n)
{
    q->count -= n;
    memmove(q->waiting, q->waiting + n, (size_t)q->count * sizeof q->waiting[0]);
}

void voice_queue_add(struct voice_queue *q, const struct utterance *u)
{
    if (q->count == VOICE_QUEUE_MAX)
        remove_first(q, 1);
    q->waiting[q->count++] = *u;
}

double voice_queue_first_s(const struct voice_queue *q)
{
    return q->count > 0 ? q->waiting[0].t_s : INFINITY;
}

static bool holds(const struct voice_queue *q, int i, int n)
{
    const struct utterance *u = &q->waiting[i];
    for (int later = i + 1; later < n; later++)
        if (q->waiting[later].corrects && u->shot > 0 && q->waiting[later].shot == u->shot)
            return false;
    return true;
}

static void append(char out[UTTERANCE_MAX], const char *text)
{
    size_t used = strlen(out);
    if (text[0] && used + strlen(text) + 2 < UTTERANCE_MAX)
        snprintf(out + used, UTTERANCE_MAX - used, "%s%s", used ? " " : "", text);
}

bool voice_queue_take(char out[UTTERANCE_MAX], struct voice_queue *q, double now_s)
{
    int n = 0, behind = 0;
    const char *stands = "";
    bool told[VOICE_QUEUE_MAX] = { false };
    while (n < q->count && q->waiting[n].t_s <= now_s)
        n++;
    for (int i = n - 1; i >= 0; i--) {
        const struct utterance *u = &q->waiting[i];
        told[i] = holds(q, i, n) && (behind < TOLD_BEHIND || u->asks);
        behind += told[i] && u->what[0];
        stands = stands[0] ? stands : u->stands;
    }
    out[0] = '\0';
    for (int i = 0; i < n; i++)
        if (told[i])
            append(out, q->waiting[i].what);
    append(out, stands);
    remove_first(q, n);
    return out[0] != '\0';
}
