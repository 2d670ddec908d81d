// SPDX-License-Identifier: MIT
// version.h: which ringside this is.
#ifndef RINGSIDE_REFEREE_COMMANDS_VERSION_H
#define RINGSIDE_REFEREE_COMMANDS_VERSION_H

// "0.1 (717e182)": the release and the commit it was built from; "0.1" where that was not known.
extern const char version_words[];

#endif
