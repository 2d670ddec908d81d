// SPDX-License-Identifier: MIT
// sanitized.h: whether this is a sanitized build. All that is asserted is asserted in the plain one; under
// AddressSanitizer and UBSan, which look for faults of memory and of arithmetic and take twice as long, and under
// ThreadSanitizer a test goes each way through the code but not through all rows, rates and films that only differ in
// their numbers.
#ifndef RINGSIDE_TESTS_SANITIZED_H
#define RINGSIDE_TESTS_SANITIZED_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum sanitized { SANITIZED = 1 };
#else
enum sanitized { SANITIZED = 0 };
#endif

#endif
