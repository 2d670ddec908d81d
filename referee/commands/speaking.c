// SPDX-License-Identifier: MIT
#include "referee/commands/speaking.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "referee/announce/speech.h"

// How long the last words may take when a watch has ended.
static const double LAST_WORDS_S = 8;

int speaking_open(struct speaking *s, const struct options *o, bool usual, struct fail *note, struct fail *why)
{
    bool off = o->no_voice || (o->voice && strcmp(o->voice, "off") == 0), told = o->voice || o->voice_out;
    bool how = o->voice_lines || o->voice_name || o->voice_rate > 0;
    *note = (struct fail){ .code = 0 };
    if (off && o->voice_out)
        return rs_fail(why, RS_EINPUT, "--voice-out %.200s: nothing is spoken with %s", o->voice_out,
                       o->no_voice ? "--no-voice" : "--voice off");
    const char *dot = o->voice_out ? strrchr(o->voice_out, '.') : NULL;
    if (o->voice_out && (!dot || strcasecmp(dot, ".wav") != 0)) // players go by the ending
        return rs_fail(why, RS_EINPUT, "--voice-out %.200s: what is written is a WAV file: end its name with .wav",
                       o->voice_out);
    if (!usual && (told || how) && !off && !o->voice_out)
        return rs_fail(why, RS_EINPUT, "a recording is spoken over into a file: name it with --voice-out FILE.wav");
    if (!usual && !told)
        return 0;
    int rc = voice_lines_read(&s->lines, o->voice_lines ? o->voice_lines : "en", why);
    if (rc < 0)
        return rc;
    s->words = (struct voice_words){ .lines = s->lines, .full = o->voice && strcmp(o->voice, "full") == 0 };
    if (off || (o->quiet && !told))
        return 0;
    const struct voice_wish wish = {
        .name = o->voice_name ? o->voice_name : voice_line(s->lines, "voice"),
        .words_per_minute = o->voice_rate > 0 ? (int)o->voice_rate : SPEECH_RATE_USUAL,
        .wav = o->voice_out,
    };
    rc = voice_create(&s->voice, &wish, why);
    if (rc != RS_ELIB || o->voice_out)
        return rc;
    rs_fail(note, 0, "%.300s: the calls are not spoken", why->text);
    return 0;
}

static int say(void *self, const struct match *m, const struct ruling *r, struct fail *why)
{
    struct speaking *s = self;
    struct utterance u = { .t_s = 0 };
    char text[UTTERANCE_MAX];
    if (!s->lines || !voice_words_of(&u, &s->words, m, r))
        return 0;
    if (s->voice)
        voice_say(s->voice, &u);
    snprintf(text, sizeof text, "%s%s%s", u.what, u.what[0] && u.stands[0] ? " " : "", u.stands);
    return s->live ? live_say(s->live, text, voice_line(s->lines, "language"), why) : 0;
}

struct announcer speaking_announcer(struct speaking *s)
{
    return (struct announcer){ say, s };
}

static int take(void *self, struct frame *f, const struct playback *p, struct fail *why)
{
    const struct speaking *s = self;
    (void)p, (void)why;
    voice_advance(s->voice, f->t_s);
    return 0;
}

struct frame_consumer speaking_consumer(struct speaking *s)
{
    return (struct frame_consumer){ take, s };
}

int speaking_finish(struct speaking *s, bool whole, struct fail *why)
{
    int rc = 0;
    if (s->voice && whole)
        rc = voice_finish(s->voice, LAST_WORDS_S, why);
    else
        voice_free(s->voice);
    voice_lines_free(s->lines);
    *s = (struct speaking){ 0 };
    return rc;
}
