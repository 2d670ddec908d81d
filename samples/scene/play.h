// SPDX-License-Identifier: MIT
// play.h: a game acted out: discs or marbles that are placed, flicked, hit each other, fall and are taken away.
//
// Pieces slide with one deceleration, hit each other and the pegs elastically but for a loss; small time steps. In a
// match what the rules want is done by hands: what touches the outer line comes off, twenties are lifted, a taw that
// stays in goes on from there, and when a game is over the board is made ready for the next one.
#ifndef RINGSIDE_SAMPLES_SCENE_PLAY_H
#define RINGSIDE_SAMPLES_SCENE_PLAY_H

#include <jansson.h>

#include "samples/scene/recipes.h"

enum { SIDE_BY_TURN = -1 }; // of a shot: who knocked a target out shoots again, else it is the other's turn
enum { PLAY_SHOTS = 16, PLAY_KNOCKS = 4, PLAY_CUTS = 4, PLAY_PIECES = 32, PLAY_CONTACTS = 16 };

struct shot_script {
    int side;         // 0, 1 or SIDE_BY_TURN
    double from_rad;  // where on the outer line the piece is placed
    struct pt_in aim; // it is flicked towards this point
    double speed_in_s;
};

// The camera is knocked: from that moment on it stands elsewhere.
struct knock_script {
    double at_s;
    double right_in, turn_deg; // of the board in the camera's frame; about the board's axis
    double zoom;               // change of the focal length, 0.01: 1 %
};

// The footage is cut to a player's face, and back.
struct cut_script {
    double at_s, back_s;
};

// What a shot of a match is, beside the way of its piece.
enum shot_meaning {
    SHOT_PLAYED,
    SHOT_SLIPPED,   // the taw slipped: it is taken up and shot again
    SHOT_ENDS_GAME, // the board is cleared, or the targets are put on their X again
};

struct match_script {
    double frames_per_s;
    bool in_a_hand;     // the camera is
    const char *target; // colour of the targets of marbles; the sides' are the taws'
    enum shot_meaning meaning[PLAY_SHOTS];
};

struct clip_script {
    const char *name;
    struct recipe stage;
    int targets; // marbles: how many lie there from the beginning
    int shots;
    struct shot_script shot[PLAY_SHOTS];
    int knocks;
    struct knock_script knock[PLAY_KNOCKS]; // in order of time
    int cuts;
    struct cut_script cut[PLAY_CUTS];
    double score_s;                   // from then on a score table lies over a corner of the picture; 0: never
    const struct match_script *match; // NULL: only shots, of no match
};

extern const struct clip_script clips[];
extern const int clips_count;

struct actor {
    struct solid look;
    char id[16];
    int side;
    bool there, moving, gone_low; // gone_low: fell into the hole or the ditch
    double vx, vy;
};

// What the film sees at one moment.
struct stage_moment {
    double t_s;
    bool hand;
    struct pt_in tip; // of the forefinger
    double hand_rad;  // side from which the arm comes
};

// Where the i-th target lies on the X.
struct pt_in play_spot(int i);

struct play;

// The caller frees it with play_free. `stage` has the board and camera.
struct play *play_create(const struct clip_script *script, const struct scene *stage);
void play_free(struct play *p);

// Runs to the time t_s; false when the play is over.
bool play_run(struct play *p, double t_s, struct stage_moment *out);
int play_actors(const struct play *p, const struct actor **out);

// One frame's line of the truth, and the shots so far. New references.
json_t *play_frame_truth(const struct play *p, const struct stage_moment *m);
json_t *play_shots_truth(const struct play *p);

#endif
