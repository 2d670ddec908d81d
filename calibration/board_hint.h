// SPDX-License-Identifier: MIT
// board_hint.h: where a person says that the board lies in a picture: a box around it, or points on its outermost line.
//
// As a person writes it: box:X,Y,W,H (left, top, width and height in pixels), line:U,V;U,V;... (five points or more),
// or none: anywhere. As a file: {"ringside_hint": 1, "hint": "box:300,200,640,260"}.
#ifndef RINGSIDE_CALIBRATION_BOARD_HINT_H
#define RINGSIDE_CALIBRATION_BOARD_HINT_H

#include "calibration/ellipse.h"
#include "calibration/fail.h"
#include "calibration/units.h"

enum hint_kind { HINT_NONE, HINT_BOX, HINT_LINE };

// An ellipse has five numbers; more points than can be clicked with patience are a mistake.
enum { HINT_POINTS_LEAST = ELLIPSE_POINTS_LEAST, HINT_POINTS_MAX = 64 };
enum { HINT_BOX_LEAST_PX = 32, HINT_SIDE_MAX_PX = 16384 };

struct box_px {
    double left, top, width, height;
};

struct board_hint {
    enum hint_kind kind;
    struct box_px box;      // around the board: as given, or around `ellipse`
    struct ellipse ellipse; // HINT_LINE: through the points
    int points;             // of HINT_LINE
    struct pt_px point[HINT_POINTS_MAX];
};

// RS_EINPUT with what is right; *out only changes on success.
int board_hint_parse(struct board_hint *out, const char *text, struct fail *why);

// RS_EINPUT when the box, or a point, does not lie in a picture of this size.
int board_hint_check(const struct board_hint *hint, int width, int height, struct fail *why);

// RS_EIO when the file cannot be read; RS_EINPUT, with its name, as board_hint_parse.
int board_hint_file_read(struct board_hint *out, const char *path, struct fail *why);

// Replaces the file as a whole. `text` is one that board_hint_parse takes. RS_EIO, RS_ENOMEM.
int board_hint_file_write(const char *path, const char *text, struct fail *why);

#endif
