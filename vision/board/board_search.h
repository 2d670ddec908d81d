// SPDX-License-Identifier: MIT
// board_search.h: what all searches for a board in one picture share: what they look at, what they have found so far,
// and how a pose becomes a board, by its lines and then its landmarks.
#ifndef RINGSIDE_VISION_BOARD_BOARD_SEARCH_H
#define RINGSIDE_VISION_BOARD_BOARD_SEARCH_H

#include "calibration/board_hint.h"
#include "vision/board/circle_pattern.h"
#include "vision/board/distractor.h"
#include "vision/board/edges.h"
#include "vision/board/landmarks.h"
#include "vision/board/oblique.h"

struct board_search {
    // What is searched for.
    const struct board_tuning *t;
    const struct oblique_tuning *oblique;
    const struct board *board;
    struct lens lens;
    bool known_lens;
    const struct board_hint *hint; // NULL: the board may lie anywhere
    // Where.
    struct frame *f;
    struct frame *part; // the part of the picture that is searched: `f` itself without a hint
    struct pt_px part_begins;
    struct edge_list edges[EDGE_KINDS]; // of that part, in the whole picture's pixels
    bool blank;                         // there are none: that part is even
    struct oblique_maps maps;           // of that part
    struct frame *small;                // a reduced copy, for views of circles and landmarks
    double reduction;
    // What was found.
    struct board_pose best;
    struct board_pose doubtful;   // seen from the side without its pegs: taken where no better one is found
    struct fail refused;          // why the newest candidate was refused,
    struct fail last;             // and why the most promising one was
    bool close_call;              // `last` speaks of circles that were found
    bool full;                    // edges voted for full circles, though not a board's
    struct distractor distractor; // several circles where a single ring is wanted
};

// Detects the edges of the part that is searched, in the place of those before. RS_ENOMEM, RS_ELIB.
int search_edges(struct board_search *s, enum edge_choice choice, struct fail *why);

// No further candidate is expected to be better than s->best.
bool search_decided(const struct board_search *s);

// The larger the better: how much of its lines is seen, and how well they fit. 0 for none.
double search_score(const struct board_pose *p);

// FROM_THE_SIDE its pegs and lines have spoken for a board already, so that a smaller share of its lines is enough.
enum board_seen { FROM_ABOVE, FROM_THE_SIDE };

// Fits the pose to the lines in the picture, from camera `c` and the circles of the pattern. Returns 1 with the pose in
// *out; 0 with the reason in s->refused when the lines do not support one; else an error.
int search_refine(struct board_pose *out, struct board_search *s, const struct camera *c, enum board_seen from,
                  const struct pattern *pattern, struct fail *why);

// The turn of a refined board, and its landmarks: circles that fit may still be a clock's. RS_E... as board_orient.
int search_look_closer(struct landmarks *out, const struct board_search *s, struct board_pose *found, struct fail *why);

#endif
