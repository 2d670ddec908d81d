// SPDX-License-Identifier: MIT
// cmocka.h: cmocka, with what its own header needs before it.
#ifndef RINGSIDE_TESTS_CMOCKA_H
#define RINGSIDE_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
