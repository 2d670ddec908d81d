// SPDX-License-Identifier: MIT
#include "referee/commands/verbs.h"

#define RELEASE "0.1"

#ifdef RINGSIDE_COMMIT
const char version_words[] = RELEASE " (" RINGSIDE_COMMIT ")";
#else
const char version_words[] = RELEASE;
#endif
