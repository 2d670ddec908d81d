// SPDX-License-Identifier: MIT
// target_pdf.h: the calibration target as a PDF of one page, with a ruler to check the print's scale.
#ifndef RINGSIDE_REFEREE_COMMANDS_TARGET_PDF_H
#define RINGSIDE_REFEREE_COMMANDS_TARGET_PDF_H

#include <stdio.h>

#include "calibration/target.h"

// Writes the whole document. RS_EIO.
int target_pdf_write(FILE *to, const struct target_paper *paper, struct fail *why);

#endif
