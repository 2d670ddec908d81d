// SPDX-License-Identifier: MIT
// clip_maker.h: the shot of a close call as a film that every browser plays (movie.h), with everything drawn on it
// (annotation.h); and behind it, standing, each close call enlarged for a while.
//
// It holds the last seconds as they came from the camera, and what was known meanwhile. A clip is made of both in a
// thread of its own, which has the processor only when nobody else wants it (nice 19) once somebody asked who cannot
// wait. Only clip_maker_finish waits for that thread, and who asks patiently. Bounded: 20 s, 256 MB and CLIP_MOMENTS
// moments are held, and as much again waits to be made; what would be more is not made, is counted and told. So is a
// clip that cannot be written, or encoded: when that begins, not each time.
//
// One thread shows pictures, one judges. Each clip gets its name when it is whole (atomic_file.h), and beside it
// NAME.jpg, its first close call enlarged, for whoever has not played it yet.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_CLIP_MAKER_H
#define RINGSIDE_REFEREE_ANNOUNCE_CLIP_MAKER_H

#include "calibration/atomic_file.h"
#include "referee/announce/annotation.h"
#include "referee/announce/movie.h"

enum { CLIP_MOMENTS = 640 }; // 20 s at 30 a second in which something moves all the time: 23 MB

#define CLIP_ENDING ".mp4"
#define CLIP_PICTURE_ENDING ".jpg"

// movie_create; tests have their own.
typedef int clip_begin(struct movie **out, const char *path, int width, int height, double frames_per_s,
                       struct fail *why);

struct clip_maker;

// Starts the thread. The caller ends with clip_maker_free. RS_ELIB when there can be no thread; RS_ENOMEM.
int clip_maker_create(struct clip_maker **out, clip_begin *begin, struct fail *why);
void clip_maker_free(struct clip_maker *c); // finishes it, too. NULL is allowed

// Of the thread that has pictures: the next one. What came as a camera sent it is only held, which never fails;
// anything else, which is decoded, is made a JPEG here: RS_ENOMEM, RS_ELIB, and clips are made without it.
int clip_maker_show(struct clip_maker *c, const struct frame *f, struct fail *why);

// Of the thread that judges: what is known of the picture of m->t_s, in order of time.
void clip_maker_know(struct clip_maker *c, const struct match_moment *m);

struct clip_wish {
    char path[ATOMIC_FILE_PATH_MAX]; // without its ending
    double from_s, to_s;             // by the pictures' clock, as far as they are still held
    int closes;
    struct known_piece close[ANNOTATION_CLOSE_MAX]; // about which the calls are
    bool patient; // who asks waits until there is room, so that nothing is missed, and on a busy machine not for ever
};

// The clip is made soon. RS_EINPUT when nothing of it is held or too much waits; RS_ENOMEM.
int clip_maker_ask(struct clip_maker *c, const struct clip_wish *wish, struct fail *why);

// The next thing that a person should know, each once: true and its words; their code is 0 where nothing failed.
bool clip_maker_news(struct clip_maker *c, struct fail *words);

int clip_maker_waits(struct clip_maker *c); // how many are still to be made

// Makes what waits and ends the thread. Nothing may be shown any more; the last news can still be asked for. How many
// clips were missed: too much waited, or they could not be made.
int clip_maker_finish(struct clip_maker *c);

#endif
