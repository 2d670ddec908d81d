// SPDX-License-Identifier: MIT
// track_tuning.h: the numbers by which tracking decides.
//
// Where nothing else is said a number was chosen on our samples and clips (samples/, and the accuracy table of the README)
// and holds for footage of 15 to 60 frames a second; tests/vision/track/ shows what breaks beyond.
#ifndef RINGSIDE_VISION_TRACK_TRACK_TUNING_H
#define RINGSIDE_VISION_TRACK_TRACK_TUNING_H

#include "vision/tuning_field.h"

struct track_tuning {
    // The picture: change detection
    // reduced pixels: how wide a piece is in the reduced picture. More: sharper patches, slower frames; less:
    // noise no longer averages away and touching pieces melt. Enough to see one, no more.
    double piece_across_px;
    // inches beyond the playing surface that still belong to the board: ditch and rail. More: what stands
    // around the board counts as change; less: ditched pieces are missed.
    double beyond_surface_in;
    // ring radii around a marble ring that are looked at: knocked-out marbles roll that far. More: feet keep
    // the picture from being still.
    double floor_seen_radii;
    // 8-bit steps: less is no change however quiet the picture; compression alone changes a plain surface by
    // less. More: faint pieces are missed when they move; less: nothing is ever still.
    double change_least;
    // times the noise: a change. Five sigma when the noise is Gaussian. More and less as above, in noisy
    // pictures.
    double change_noises;
    // a frame: so fast the noise may be believed to rise, so that some frames in which everything moves are
    // not taken for noise.
    double noise_rise;
    // 8-bit steps that the noise is taken to have before the first two frames are compared.
    double noise_start;
    // seconds at the start in which nothing is known of the noise,
    double noise_starts_s;
    // so that it may rise so much a frame.
    double noise_starts_rise;
    // thresholds: what differs from a reference carried over to a new view by less is the same; its edges are
    // blurred by being carried.
    double carried_changes;
    // reduced pixels: smaller patches are noise, whatever the size of a piece.
    double patch_least_px;
    // areas of a piece: smaller patches are noise, or too little to say anything about.
    double patch_least_pieces;
    // of a piece's radius: a patch that holds a larger disc is a hand; a piece with its shadow is thinner.
    // More: fingers become pieces; less: two touching pieces become a hand.
    double thick_radii;
    // reduced pixels that rounding to whole ones adds to a patch.
    double thick_px;
    // areas of a piece: on a floor, what comes in from outside and is larger is a hand (a marble may roll
    // out).
    double reaching_pieces;
    // areas of a piece: larger patches are no running piece; two pieces, smeared by a fast shot, are as
    // large.
    double running_most_pieces;
    // of a patch's pixels change from frame to frame when it runs; less, and it stays.
    double running_share;

    // Still moments
    // seconds without any change after which everything lies still: longer than a rebound's turning point.
    // More: calls come later; less: a slow piece is measured while it rolls.
    double rest_s;
    // the same of the field alone, while hands move beside it.
    double field_rest_s;
    // seconds without moving: such a hand rests beside the game. Less: a hand that aims is taken for none.
    double resting_hand_s;
    // of the picture that changes at once: the camera was knocked or the footage cut; no hand is so large and
    // so quick.
    double upset_share;
    // seconds between two knocks: what swings upsets the picture again and again.
    double upsets_apart_s;
    // seconds without change before the board is looked at: whatever knocked the camera has let go of it.
    double glance_after_s;
    // seconds between two looks at the board at rest; a lens breathes in a second. Less costs time.
    double glance_every_s;
    // seconds between two looks at the empty board at rest: what is slower than that is light, not a piece.
    double learn_every_s;

    // The footage: shot boundaries. Two stills of different tables have 0.52 of their blocks unmatched and more, two shots
    // of one table from above 0.54; one still turned by 10 degrees 0.33 at most, shifted by 8 % of its width, zoomed by
    // 10 %, smeared by 4 %, a third as bright or half as bright again 0.26.
    // 8-bit steps by which a pixel of the small picture changes with the view; compression changes it by less.
    double boundary_step;
    // times the noise, where that is more.
    double boundary_noises;
    // a frame, and 1 step: so fast the noise may be believed to rise, so that a cut is not taken for it.
    double boundary_noise_rise;
    // of the pixels that change with the view at least: less, and things moved in it.
    double boundary_changed_share;
    // of the blocks that are not found again: another view.
    double boundary_unmatched_share;
    // the same when its colours are others too,
    double boundary_recoloured_unmatched;
    // by so much of the picture: two boards filmed alike; a movement of the camera alone recolours 0.1.
    double boundary_recoloured_share;
    // seconds that a flash lasts at most: so late a cut is sure.
    double flash_longest_s;
    // of the pixels that change from frame to frame at most while a view stands still: people move in it.
    double view_still_share;
    // 8-bit steps: 1 sigma of a block that has texture to be known by.
    double block_texture_least;
    // times the noise, where that is more: noise has a texture of 0.7.
    double block_texture_noises;
    // of the long side of the picture: so far from where it was a block is looked for; no knocked camera swings farther
    // between two frames.
    double block_reach;
    // correlation from which two blocks show the same.
    double block_alike;

    // Tracks: does a piece still lie there?
    // of the radius: the part of a face whose pixels are remembered; the rim mixes with the board.
    double face_part;
    // radii from a piece's middle to where its neighbours begin: what changes nearer is reason to measure it
    // again.
    double beside_radii;
    // still moments in which the finder saw a piece, every time, before it is not measured again. Finders
    // seldom see what is not there twice and then no more.
    double hits_sure;
    // times that a board just found is measured again while it lies untouched; the finder misses a piece now and then.
    double looks_again;
    // still moments before a piece that the finder missed in most of them turns out to be none.
    double looks_before_doubt;
    // thresholds: a face whose mean differs by less is the same in a new view; shading differs from view to
    // view.
    double same_face_changes;
    // of a face looks as it did: less, and a part of it is gone or covered.
    double whole_share;
    // of a face looks as it did: less, and the piece has left its place. More: shadows take pieces away;
    // less: a piece replaced by one alike is not missed.
    double absent_share;
    // the same where nothing can have moved it: noise and compression change a small marble's face so far.
    double unmoved_share;
    // seconds in which the slowest shot clears half of a piece: between its first loss and its absence, or it
    // did not begin to move then.
    double slowest_leaves_s;
    // inches: a hand that takes a piece comes from so far between two frames.
    double hand_beside_in;

    // Trajectories: what ran where
    // CIE76 by which a motion's colour may be off the mixtures of a piece's and the board's: shading and
    // noise of a blurred piece.
    double off_mixture_lab;
    // of the way from the board's colour to the piece's: side, shadow and blur are in it. More: fast pieces
    // are lost; less: shadows are followed.
    double alike_share;
    // inches a second, 7.6 m/s: faster than anybody shoots.
    double fastest_in_s;
    // inches a second: as fast as most shoot; who shot faster is seen elsewhere a frame later.
    double fast_in_s;
    // seconds: 1 sigma of a frame's time; USB cameras stamp when the frame has come over the wire.
    double stamp_sigma_s;
    // seconds without a motion: it has stopped, or something else runs there.
    double lost_after_s;
    // seconds: a piece that is shot is clear of the hand by then.
    double leaves_within_s;
    // motions away from a hand: one alone may be a finger.
    double shot_steps_least;
    // diameters from motion to motion of a run that nothing else vouches for: less may be a shadow or a lamp.
    double step_least_diameters;
    // 8-bit steps between two motions of one run: motion mixes board in.
    double same_run_steps;
    // times as large one of them may be: a piece that comes out of a shadow.
    double same_run_size;
    // cosine by which friction and the picture's noise turn a straight way at most.
    double straight_cos;
    // radii from motion to motion of what left a known place: less may be a shadow or a lamp.
    double run_least_radii;
    // motions of a run that is believed by how it moves alone: two may be fingers, and noise.
    double run_least_motions;
    // of a step by which the next may be off where it should be: friction, and two motions' errors.
    double runs_on_share;
    // radii: 1 sigma of a patch's middle, a quarter of a reduced pixel, four of which are a piece.
    double motion_sigma_radii;
    // two motions so near to each other: it stands.
    double stands_sigmas;
    // radii from middle to middle within which one piece may have moved another: two radii, and two more for
    // their shadows.
    double touch_radii;
    // radii, three pieces' widths: what ran to a place from nearer may have been pushed or put there.
    double arrives_from_radii;
    // diameters that something nobody found lying must have run to be a piece.
    double piece_runs_diameters;
    // frames in which it must have been seen to run.
    double piece_steps_least;
    // seconds: a shot piece is clear of the hand so soon after it began to move.
    double after_break_s;

    // Contacts
    // inches: 1 sigma of where a change point says that a peg stands; shadows shift a patch by so much.
    double peg_sigma_in;
    // inches a second, each second, by which a running piece slows: sliding friction, or a carpet's, is 0.1 to
    // 0.3 of g,
    double slows_in_s2;
    // give or take 1 sigma of so much.
    double slows_sigma_in_s2;
    // of the speed: nothing that stands still makes a piece faster, but points err by that,
    double gains_share;
    // and by so many inches a second.
    double gains_in_s;
    // of the closing speed that a peg gives back: pegs are of wood, brass or rubber,
    double rebound;
    // give or take 1 sigma of so much.
    double rebound_sigma;
    // chi2 that the pegs' circle and their rebound cost: 3 sigma; more, and it was no peg.
    double no_peg_chi2;
    // chi2 that two straight runs explain better than one: 5 sigma for three more unknowns. Less: contacts
    // are invented (3 % of straight shots now); more: grazes are missed.
    double change_sure_chi2;
    // chi2 of one more motion of the run after a contact: 3 sigma; more, and it was turned again.
    double goes_on_chi2;
    // seconds: a piece that begins to move so soon after or before a change point is what turned the shooter.
    double same_touch_s;
    // seconds: no exposure is known better.
    double touch_sigma_least_s;
    // radii by which shadows shift a patch's middle at most.
    double shadow_radii;

    // Association: which piece is which
    // inches: measuring a place twice in one view differs by less.
    double same_place_in;
    // inches: the new view and the old one measure a place so differently at most.
    double same_place_new_view_in;
    // of both measures, after a cut: the same piece in another view, where that is more.
    double same_place_sigmas;
    // radii: where the picture did not change, one piece hides another.
    double same_place_radii;
    // inches: two measures of one place in two views that differ by less are one; the first stays.
    double agreed_in;
    // of a face must have changed where a new piece is seen.
    double new_share;
    // CIE76: lamps, shadows and what a blurred piece runs over change its colour by less.
    double same_paint_lab;
    // certainty of both from which a taw is no target, whatever its colour.
    double taw_sure;
    // of a piece's radius: what only its changed pixels show at rest is thicker; noise and the rims of what
    // has moved are thin.
    double resting_thick_radii;
    // areas of a piece: and larger,
    double resting_least_pieces;
    // and smaller than so many, shadow included.
    double resting_most_pieces;
    // inches: 1 sigma of the place of such a piece.
    double patch_sigma_in;

    // The board: pose tracking
    // seconds between two searches for a board that was not found. Less costs time.
    double search_every_s;
    // the same when the view has come to a stand since.
    double search_still_s;
    // inches that the board's picture may move before it is reported and the pieces are measured anew.
    double shift_budget_in;
    // of the pose: a smaller movement is noise.
    double shift_sigmas;
    // inches between two looks: more, and a drift is still going on; it is reported when it ends.
    double steady_in;
    // inches between the board as it is found and as it is refitted in one frame: more, and the refit is not trusted.
    double refit_agrees_in;
    // of the pieces are not where they were: a bare ring has turned in the picture.
    double missed_share;
    // inches that the pieces have turned on average: less is measuring.
    double turned_least_in;
    // inches: nearer to the middle a piece says little of the turn.
    double turn_radius_least_in;
    // radians that a camera was turned by when it was knocked and not taken elsewhere.
    double turn_most_rad;
    // pieces, and half of all, that must agree on a free turn.
    double turn_pairs_least;
};

extern const struct track_tuning track_tuning_defaults;

// A row for every field.
extern const struct tuning_fields track_tuning_fields;

#endif
