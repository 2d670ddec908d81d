// SPDX-License-Identifier: MIT
// log_fuzz.h: one hostile log: read, folded by every game, announced as JSON.
#ifndef RINGSIDE_TESTS_FUZZ_LOG_FUZZ_H
#define RINGSIDE_TESTS_FUZZ_LOG_FUZZ_H

#include <stddef.h>
#include <stdint.h>

// Named by libFuzzer, which calls it again and again; aborts when something that must hold does not. Always 0.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
