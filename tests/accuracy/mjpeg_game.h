// SPDX-License-Identifier: MIT
// mjpeg_game.h: what a webcam over a board sends, for the bench: 24 discs that rest, one of them shot to another place,
// rest, and back again, each picture with noise of its own, as JPEGs of 4:2:2.
//
// The board is rendered once; the disc that runs is copied along its way.
#ifndef RINGSIDE_TESTS_MJPEG_GAME_H
#define RINGSIDE_TESTS_MJPEG_GAME_H

#include "calibration/units.h"
#include "vision/encoded.h"
#include "vision/frame.h"

// What lies in the folder is taken; else it is made there, once.
struct game_pictures {
    struct frame *with, *without; // the disc that is going to run
    struct pt_px from, to;        // its middle, at rest
    double reach_px;              // from there to where nothing of it is seen
};

// The caller ends with game_pictures_finish, also after a failure. RS_EIO, RS_ELIB, RS_ENOMEM.
int game_pictures_make(struct game_pictures *out, const char *folder, struct fail *why);
void game_pictures_finish(struct game_pictures *p);

enum game_phase { GAME_RESTS, GAME_RUNS, GAME_RESTS_THERE, GAME_RUNS_BACK, GAME_PHASES };

struct mjpeg_game {
    int width, height;
    double frames_per_s;
    struct encoded **picture[GAME_PHASES]; // those of a rest are shown again and again
    int pictures[GAME_PHASES];
};

// The caller ends with mjpeg_game_finish, also after a failure. RS_ELIB, RS_ENOMEM.
int mjpeg_game_make(struct mjpeg_game *out, const struct game_pictures *from, int width, int height,
                    double frames_per_s, struct fail *why);
void mjpeg_game_finish(struct mjpeg_game *g);

// The `number`th picture that the camera sends, in memory of its own. Held by the caller. RS_ENOMEM.
int mjpeg_game_send(struct encoded **out, enum game_phase *phase, const struct mjpeg_game *g, long number,
                    struct fail *why);

#endif
