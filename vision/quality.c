// SPDX-License-Identifier: MIT
#include "vision/quality.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "calibration/observation.h"
#include "calibration/pose_fit.h"
#include "vision/pieces/noise_floor.h"

// What the pieces of one kind need, measured on reduced pictures of the samples: discs 10 px wide are found nine times
// in ten, at 8 px half of the time; marbles 5 px wide three times in four, at 4 px never.
struct piece_needs {
    double fit_sigma_px;      // median of the fits' own over the pictures that accuracy was measured on, of any size
    double least_px, sure_px; // wide: to be detected at all, to be surely found
    double good_px;           // twice the least: more is not worth a word
    double least_blurs, sure_blurs; // the same in sigmas of the blur, measured on samples blurred step by step
    double most_tilt_rad; // off the vertical: 3/8 in discs hide an inch behind them, errors were not measured beyond
    double least_seen;    // of the lines: with less, one side of the board hangs in the air
};
static const struct piece_needs disc_needs = { 0.09, 8, 10, 16, 8, 12, 70 * PI / 180, 0.4 };
// A marble no wider than a point's blur at half its height (2.355 sigma) is a spot of light.
static const struct piece_needs marble_needs = { 0.13, 4.5, 6, 9, 2.355, 3, 70 * PI / 180, 0.4 };
// From the side of a table discs show their side where their face is hardly seen: measured on stills of tournament
// recordings, 51 to 79 degrees off and 3.5 to 9 pixels deep.
static const struct piece_needs oblique_needs = { 0.45, 3.5, 10, 16, 3, 12, 83 * PI / 180, 0.15 };

static const double MOST_CLOSE_A = 0.05, MOST_CLOSE_B = 0.2, MOST_CLOSE_C = 1.0 / 3;

// Median luma of the wood: where a disc that is a quarter lighter differs by 5 codes in each channel. The finder asks
// for as much: 4.2 times noise of 2 codes, in three channels.
static const double SURE_LUMA = 40;

// What is worth a word, though it can be called.

static const double GOOD_TILT_RAD = 58 * PI / 180; // a circle is half as high as wide
static const double WORTH_OUTSIDE = 0.03, WORTH_HIDDEN = 0.2;
static const double SHARP_BLUR_PX = 2;                                    // lens and JPEG give 1 to 1.5
static const double WORTH_CLIPPED = 0.1, WORTH_DARK = 0.6, DIM_LUMA = 50; // dark wood in a lit room has 60 and more
static const double MOST_CLIPPED = 0.8; // hardly any wood is left on which a light piece would show
static const double WORTH_IN_BLOCKS = 0.8,
                    WORTH_BLOCK_STEP = 2; // a clean board has little grain: that alone is no loss

static const struct piece_needs *needs_of(const struct board_pose *pose)
{
    return pose->board.piece == PIECE_MARBLE                                                   ? &marble_needs
           : pose->board.piece == PIECE_DISC && camera_tilt_rad(&pose->camera) > GOOD_TILT_RAD ? &oblique_needs
                                                                                               : &disc_needs;
}

// What the pieces themselves leave open, beside where the board lies.
static double piece_sigma_in(const struct board_pose *pose, struct pt_in at)
{
    static const double usual_blur_px = 1; // of the pictures that the fits' sigma was measured on
    bool marble = pose->board.piece == PIECE_MARBLE;
    double floor_in = marble ? MARBLE_FLOOR_SIGMA_IN : DISC_FLOOR_SIGMA_IN;
    double floor_px = marble ? MARBLE_FLOOR_SIGMA_PX : DISC_FLOOR_SIGMA_PX;
    double J[2][2], r = hypot(at.x, at.y), across_px_per_in = 0;
    if (camera_jacobian(J, &pose->camera, surface_at(at))) {
        double det = fabs(J[0][0] * J[1][1] - J[0][1] * J[1][0]);
        double along = hypot(J[0][1] * at.x - J[0][0] * at.y, J[1][1] * at.x - J[1][0] * at.y) / r;
        across_px_per_in = along > 0 ? det / along : 0;
    }
    // An edge under twice the blur shows its place by half as much in each pixel, to twice as many.
    double blurred = sqrt(fmax(1, pose->clarity.blur_px / usual_blur_px)),
           fit_px = blurred * needs_of(pose)->fit_sigma_px;
    return hypot(floor_in, hypot(floor_px, sqrt(floor_fit_times(&pose->clarity, pose->board.piece)) * fit_px) /
                               fmax(across_px_per_in, 1e-6));
}

static void look_at_line(struct view_quality *q, const struct board_pose *pose, int circle)
{
    struct view_line_quality *l = &q->line[q->lines++];
    double J[2][2], right = 0, radius_in = pose->board.circle_in[circle];
    l->radius_in = radius_in;
    if (camera_jacobian(J, &pose->camera, (struct pt3_in){ 0, 0, 0 })) {
        right = atan2(-J[1][0], J[1][1]); // the direction on the board that leaves v as it is, to the picture's right
        right += J[0][0] * cos(right) + J[0][1] * sin(right) > 0 ? 0 : PI;
    }
    for (int i = 0; i < QUALITY_PLACES; i++) {
        double angle = right + 2 * PI * i / QUALITY_PLACES, x = cos(angle), y = sin(angle);
        struct pt_in at = { radius_in * x, radius_in * y };
        double scale = camera_scale_px_per_in(&pose->camera, surface_at(at));
        double fit_in = pose_fit_line_sigma_in(&pose->fit, circle, angle);
        l->sigma_in[i] = hypot(fit_in, piece_sigma_in(pose, at));
        q->fit_sigma_in = hypot(q->fit_sigma_in, fit_in);
        q->px_per_in_least = fmin(q->px_per_in_least, scale);
        q->px_per_in_most = fmax(q->px_per_in_most, scale);
    }
}

// Each block is of one colour: what was in it was rounded away.
static bool no_grain_left(const struct board_pose *pose)
{
    return pose->clarity.in_blocks >= 1;
}

void quality_of(struct view_quality *out, const struct board_pose *pose)
{
    const struct board *b = &pose->board;
    double squares = 0, share = 0, centre = camera_middle_px_per_in(&pose->camera);
    *out = (struct view_quality){ .px_per_in_least = centre, .px_per_in_most = centre };
    look_at_line(out, pose, 0);
    if (b->circles > 1)
        look_at_line(out, pose, b->circles - 1);
    for (int i = 0; i < out->lines; i++)
        for (int k = 0; k < QUALITY_PLACES; k++)
            share += fmin(FIRM_SIGMAS * out->line[i].sigma_in[k] / (2 * b->piece_radius_in), 1);
    for (int k = 0; k < QUALITY_PLACES; k++)
        squares += out->line[0].sigma_in[k] * out->line[0].sigma_in[k];
    out->sigma_in = sqrt(squares / QUALITY_PLACES);
    out->fit_sigma_in /= sqrt(out->lines * QUALITY_PLACES);
    out->close_share = share / (out->lines * QUALITY_PLACES);
    // A disc is seen as narrow as its circle is foreshortened; a ball is not foreshortened.
    double J[2][2];
    if (camera_jacobian(J, &pose->camera, (struct pt3_in){ 0, 0, 0 })) {
        double all = J[0][0] * J[0][0] + J[0][1] * J[0][1] + J[1][0] * J[1][0] + J[1][1] * J[1][1];
        double det = fabs(J[0][0] * J[1][1] - J[0][1] * J[1][0]);
        double most = sqrt((all + sqrt(fmax(all * all - 4 * det * det, 0))) / 2);
        if (most > 0)
            out->piece_px = 2 * b->piece_radius_in * (b->piece == PIECE_MARBLE ? most : det / most);
    }
    out->tilt_rad = camera_tilt_rad(&pose->camera);
    const struct piece_needs *needs = needs_of(pose);
    double sure_px = fmax(needs->sure_px, pose->clarity.blur_px * needs->sure_blurs);
    bool disc = b->piece != PIECE_MARBLE;
    bool dark = disc && pose->clarity.brightness > 0 && pose->clarity.brightness < SURE_LUMA;
    // So flat a view that a piece hides the foot of another that stands its own radius behind it.
    bool hidden = disc && b->piece_height_in * tan(out->tilt_rad) > b->piece_radius_in;
    bool unsure = !(out->piece_px >= sure_px) || dark || no_grain_left(pose) || hidden || pose->clarity.colourless;
    out->grade = out->close_share > QUALITY_MOST_CLOSE       ? 'F'
                 : out->close_share > MOST_CLOSE_C || unsure ? 'D'
                 : out->close_share > MOST_CLOSE_B           ? 'C'
                 : out->close_share > MOST_CLOSE_A           ? 'B'
                                                             : 'A';
}

bool quality_suffices(const struct board_pose *pose, struct fail *why)
{
    const char *piece = piece_words[pose->board.piece];
    const struct piece_needs *needs = needs_of(pose);
    struct view_quality q;
    struct fail reason = { .text = "" };
    quality_of(&q, pose);
    if (!(q.piece_px >= needs->least_px))
        rs_fail(&reason, 0,
                "a %s is only %.1f px wide, %.1f are needed: move the camera closer or take larger pictures", piece,
                q.piece_px, needs->least_px);
    else if (!(q.piece_px >= pose->clarity.blur_px * needs->least_blurs))
        rs_fail(&reason, 0,
                "the picture is blurred by %.1f px (1 sigma), too much for a %s %.0f px wide: focus the camera and "
                "wipe its lens",
                pose->clarity.blur_px, piece, q.piece_px);
    else if (q.tilt_rad > needs->most_tilt_rad)
        rs_fail(&reason, 0, "the camera looks %.1f degrees off the vertical, %.0f are the most: mount it higher",
                q.tilt_rad * 180 / PI, needs->most_tilt_rad * 180 / PI);
    else if (pose->coverage < needs->least_seen)
        rs_fail(&reason, 0, "only %.0f %% of the lines can be seen, %.0f are needed: clear the board or show all of it",
                100 * pose->coverage, 100 * needs->least_seen);
    else if (q.close_share > QUALITY_MOST_CLOSE)
        rs_fail(&reason, 0,
                "a line call would be good to %.3f in (1 sigma), too little for a %s of %.2f in: move the camera "
                "closer or calibrate its lens",
                q.sigma_in, piece, 2 * pose->board.piece_radius_in);
    else
        return true;
    rs_fail(why, 0, "%s found, but not well enough to call: %.380s", pose->board.name, reason.text);
    return false;
}

// How much of the picture's shorter side the board fills.
static double room_filled(const struct board_pose *pose)
{
    const struct lens *l = &pose->camera.lens;
    double scale = camera_middle_px_per_in(&pose->camera);
    int side = l->width < l->height ? l->width : l->height;
    return side > 0 ? 2 * pose->board.circle_in[0] * scale / side : 1;
}

struct advice {
    int count, most;
    char (*words)[QUALITY_WORDS_MAX];
};

static void advise(struct advice *a, bool due, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void advise(struct advice *a, bool due, const char *format, ...)
{
    va_list args;
    if (!due || a->count == a->most)
        return;
    va_start(args, format);
    vsnprintf(a->words[a->count++], QUALITY_WORDS_MAX, format, args);
    va_end(args);
}

// Why pieces are missed or placed worse than usual. `outside`: of the lines, said already.
static void advise_on_view(struct advice *a, const struct view_quality *q, const struct board_pose *pose,
                           double outside)
{
    const struct clarity *c = &pose->clarity;
    const char *piece = piece_words[pose->board.piece];
    double unseen = 1 - pose->coverage - outside;
    bool blurred = c->blur_px > SHARP_BLUR_PX || q->piece_px < c->blur_px * needs_of(pose)->sure_blurs;
    advise(a, c->colourless, "no colour: sides cannot be told; take the picture in colour");
    advise(a, q->piece_px < needs_of(pose)->sure_px,
           "a %s is only %.0f px wide: move the camera closer or take larger pictures", piece, q->piece_px);
    advise(a, blurred && c->blur_px > 0,
           "the lines are blurred by %.1f px (1 sigma): focus the camera and wipe its lens", c->blur_px);
    advise(a, !blurred && unseen > WORTH_HIDDEN, "%.0f %% of the lines are not seen: clear the board, show all of it",
           100 * unseen);
    advise(a, no_grain_left(pose) || (c->in_blocks > WORTH_IN_BLOCKS && c->block_step > WORTH_BLOCK_STEP),
           "compression took %.0f %% of the finest detail: save or send pictures in a better quality",
           100 * c->in_blocks);
    advise(a, c->brightness > 0 && c->brightness < DIM_LUMA, "half of the board is darker than %.0f of 255: more light",
           c->brightness);
    advise(a, c->clipped > MOST_CLIPPED, "%.0f %% of the board is burnt out to white: less light or glare",
           100 * c->clipped);
    advise(a, q->tilt_rad > GOOD_TILT_RAD, "the board is seen %.0f degrees off the vertical: mount the camera higher",
           q->tilt_rad * 180 / PI);
}

int quality_limits(char out[QUALITY_LIMITS_MAX][QUALITY_WORDS_MAX], const struct view_quality *q,
                   const struct board_pose *pose)
{
    struct advice a = { 0, QUALITY_LIMITS_MAX, out };
    advise_on_view(&a, q, pose, 0);
    return a.count;
}

int quality_advise(char out[QUALITY_ADVICE_MAX][QUALITY_WORDS_MAX], const struct view_quality *q,
                   const struct board_pose *pose)
{
    static const double worth_room = 0.5;     // of the picture's shorter side: a board that fills less is far away
    static const double worth_fit = 0.7;      // of a call's sigma: half of its variance
    static const double worth_f_sigma = 0.02; // of the focal length
    struct advice a = { 0, QUALITY_ADVICE_MAX, out };
    advise(&a, pose->clarity.outside > WORTH_OUTSIDE,
           "%.0f %% of the lines lie outside the picture: move the camera back or turn it",
           100 * pose->clarity.outside);
    advise_on_view(&a, q, pose, pose->clarity.outside);
    advise(&a, q->piece_px < needs_of(pose)->good_px,
           "move the camera closer or take larger pictures: a %s is only %.0f px wide", piece_words[pose->board.piece],
           q->piece_px);
    advise(&a, room_filled(pose) < worth_room,
           "move the camera closer: the board fills only %.0f %% of the picture's height", 100 * room_filled(pose));
    advise(&a, pose->clarity.dark > WORTH_DARK, "more light: %.0f %% of the board is black", 100 * pose->clarity.dark);
    advise(&a, pose->clarity.clipped > WORTH_CLIPPED && pose->clarity.clipped <= MOST_CLIPPED,
           "less light or glare: %.0f %% of the board is burnt out to white", 100 * pose->clarity.clipped);
    // Inside a single ring every place hangs on the focal length; a board of circles shows it where it matters.
    bool f_matters = pose->board.circles == 1 || q->fit_sigma_in > worth_fit * q->sigma_in;
    advise(&a, f_matters && pose->f_sigma_px > worth_f_sigma * pose->camera.lens.f_px,
           "a lens file would help, the focal length is known to %.0f %% only: ringside calibrate lens",
           100 * pose->f_sigma_px / pose->camera.lens.f_px);
    return a.count;
}
