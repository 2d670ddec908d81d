// SPDX-License-Identifier: MIT
// The table of transitions, as the header shows it.
#include "vision/track/tracker_states.h"

bool tracker_next(enum tracker_state *state, enum tracker_input input)
{
    enum { REFUSED = TRACKER_STATES, S = TRACKER_SEARCHING, R, V, M, L };
    // clang-format off
    static const unsigned char next[TRACKER_STATES][TRACKER_INPUTS] = {
        //                        found    lost     doubted  moved    turned   changed  measured in part  cut
        [TRACKER_SEARCHING]   = { R,       REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, S },
        [TRACKER_REACQUIRING] = { REFUSED, REFUSED, REFUSED, REFUSED, R,       R,       L,       M,       S },
        [TRACKER_VERIFYING]   = { REFUSED, S,       V,       V,       R,       V,       L,       M,       S },
        [TRACKER_MOVING]      = { REFUSED, S,       M,       V,       R,       M,       L,       M,       S },
        [TRACKER_LOCKED]      = { REFUSED, S,       M,       V,       R,       M,       L,       L,       S },
    };
    // clang-format on
    if (next[*state][input] == REFUSED)
        return false;
    *state = (enum tracker_state)next[*state][input];
    return true;
}
