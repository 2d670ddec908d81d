// SPDX-License-Identifier: MIT
// line.h: on which side of a line a piece lies, by how much, and how sure that is; and in which zone.
//
// A line rule is data, because games differ: American Marbles judges the centre against the inside edge of the ring
// line (exactly on it a target is out and a taw is in), Crokinole judges the outer edge of the piece against the line,
// and touching any part of the line's width counts as the lower area. Pure arithmetic.
#ifndef RINGSIDE_REFEREE_RULES_LINE_H
#define RINGSIDE_REFEREE_RULES_LINE_H

#include <stdbool.h>

#include "calibration/board.h"
#include "calibration/observation.h"
#include "calibration/units.h"

// As sure as FIRM_SIGMAS make a line call: of a marble that may be target or taw.
#define FIRM_CERTAINTY (1 - 1.0 / 740)
// A disc less likely than this to be one at all is doubtful, and what is called of it is close.
#define SURE_CERTAINTY 0.9

enum side_of_line { LINE_IN, LINE_OUT };

// Which point of a piece counts: of its edges the one far from the board's centre or near to it.
enum judged_by { BY_CENTRE, BY_OUTER_EDGE, BY_INNER_EDGE };

struct line_rule {
    double radius_in; // where the decision falls, from the board's centre
    enum judged_by by;
    enum side_of_line tie;           // what a piece exactly on it is
    const double *line_deviation_in; // LINE_DEVIATION_TERMS numbers, borrowed from the board; NULL for a true circle
};

struct verdict {
    enum side_of_line side;
    double margin_in;  // distance to the line, positive inside, negative outside
    double sigma_in;   // 1 sigma of that distance
    bool clear;        // |margin| > FIRM_SIGMAS sigma
    bool firm;         // clear, and it is certain what the piece is: whose line it is, and that it is one
    const char *doubt; // what is asked where it is clear and not firm: "target or taw?", "a disc?"; static, or NULL
};

enum zone_area {
    ZONE_NONE,   // of no piece
    ZONE_IN,     // within the ring
    ZONE_OUT,    // beyond it
    ZONE_DITCH,  // of a board with circles: not on the playing surface, or touching its outermost line
    ZONE_CIRCLE, // within a circle; named by its points
    ZONE_HOLE,   // named by its points
};

enum { ZONE_WORD_MAX = 8 };

// The area a piece counts in.
struct zone {
    enum zone_area area;
    int points;             // 0 to 999; 0 for ditch, in and out
    struct verdict verdict; // against the nearest boundary that could change the area
};

// A piece where it lies, as far as a line rule asks.
struct resting_piece {
    struct pt_in at;
    struct cov_in2 cov;
    double radius_in;       // outer radius of the piece
    double radius_sigma_in; // marbles: 1 sigma of it; 0: not told
    enum piece_place plane;
    bool taw;
    double certainty; // observation.h
    bool ruled;       // a judge said in which area it lies, until it moves again
    enum zone_area ruled_area;
    int ruled_points;
};

// 1 sigma of the distance from the board's centre, inches.
double line_sigma(struct pt_in at, struct cov_in2 cov);

struct verdict line_judge(const struct line_rule *line, const struct resting_piece *piece);

// The line of the ring for a target or a taw; the i-th circle of a crokinole board for a disc or ring.
struct line_rule line_of_ring(const struct board *b, bool taw);
struct line_rule line_of_circle(const struct board *b, int i);

// The line by which a piece is judged: of several the nearest to it, off the surface the outermost.
struct line_rule line_deciding(const struct board *b, const struct resting_piece *piece);

// Whether the piece is surely a target, or surely the taw.
bool line_role_is_sure(const struct resting_piece *piece);

// Does any part of the piece reach the i-th circle's line or what is inside it? LINE_IN when it does.
struct verdict line_touch(const struct board *b, int i, const struct resting_piece *piece);

struct zone zone_of(const struct board *b, const struct resting_piece *piece);

// A judge said that the piece lies in that area.
void zone_rule(struct resting_piece *piece, const struct zone *zone);

// The area that it would be in if it lay just beyond the line by which it is judged. False when that is no other, or,
// with *out untouched, no line decides: a judge did, or it is not on the surface.
bool zone_beyond(struct zone *out, const struct board *b, const struct resting_piece *piece);

// What a piece counts: as it reads, and as it may, where its line is too close or it may be no piece at all.
struct points {
    int reads, least, most;
};
struct points zone_points(const struct board *b, const struct resting_piece *piece);
struct points points_exactly(int reads);
struct points points_perhaps(int reads, bool doubtful); // those, or none
void points_add(struct points *sum, struct points more);

// "35"; where it may be another number both readings: "35 (30 to 35)".
enum { POINTS_WORDS_MAX = 48 };
void points_words(char out[POINTS_WORDS_MAX], struct points points);

// It lies where pieces count: in the ring, or where there are points.
bool zone_in_play(const struct zone *z);

// The area of that word on this board; false for a word that names none.
bool zone_named(struct zone *out, const struct board *b, const char *word);

// "20", "15", "10", "5", "ditch" (rings "10", "5", "3", "2", "ditch"); "in", "out"; empty for ZONE_NONE.
void zone_word(char out[ZONE_WORD_MAX], const struct zone *z);

#endif
