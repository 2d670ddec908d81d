// SPDX-License-Identifier: MIT
// annotation.h: what is drawn on the pictures of a match, and for how long: everything overlay.h knows, the calls for a
// while after they were made, a close one enlarged.
//
// A moment is all of it at one time, without the picture: taken while the match goes on, it is drawn then or later on
// whatever picture was taken at that time. Plain values.
#ifndef RINGSIDE_REFEREE_ANNOUNCE_ANNOTATION_H
#define RINGSIDE_REFEREE_ANNOUNCE_ANNOTATION_H

#include "referee/announce/overlay.h"
#include "referee/rules/match.h"

enum { ANNOTATION_CLOSE_MAX = 4 }; // of one shot, to be enlarged; further ones stand among the calls

// What was said. All zero: nothing.
struct annotation {
    struct overlay_lines calls;
    double called_s;                                // when the last call was made
    int asked;                                      // so many calls were close,
    double asked_s;                                 // the last one made then,
    struct known_piece close[ANNOTATION_CLOSE_MAX]; // about these pieces
};

// A shot's first call takes the place of what was said before.
void annotation_hear(struct annotation *a, const struct match *m, const struct ruling *ruling);

// What was said so long before t_s, the match's clock, that it need not be shown any more is forgotten.
void annotation_forget(struct annotation *a, double t_s);

struct match_moment {
    double t_s; // of the picture, by its own clock
    struct board_pose pose;
    struct tracker_view view; // under the table's ids
    struct piece_table table;
    struct board board; // by which the zones are judged
    struct score_table score;
    struct overlay_lines calls;
};

// What the tracker has of a picture.
struct moment_seen {
    double t_s;
    const struct board_pose *pose;
    const struct tracker_view *view;
    int first_id; // of a match that goes on: behind which its pieces have the tracker's ids
};

// The pieces are those of the match: without what a judge took off, with what he put on.
void match_moment_of(struct match_moment *out, const struct annotation *a, const struct match *m,
                     const struct moment_seen *seen);

// Whether the same would be drawn, whatever the time.
bool match_moment_same(const struct match_moment *a, const struct match_moment *b);

// `inset` NULL: without. RS_E... as overlay_draw.
int match_moment_draw(struct frame *f, const struct match_moment *m, const struct frame *inset, struct fail *why);

// The piece enlarged from a picture of that moment, on which nothing is drawn; the caller frees *out, which stays NULL
// where no board was found. RS_E... as close_view_make.
int match_moment_enlarge(struct frame **out, const struct match_moment *m, const struct frame *f,
                         const struct known_piece *piece, struct fail *why);

#endif
