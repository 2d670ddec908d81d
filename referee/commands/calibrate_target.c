// SPDX-License-Identifier: MIT
// `ringside calibrate target`: the printable chessboard that `calibrate lens` reads best.
#include <unistd.h>

#include "referee/commands/target_pdf.h"
#include "referee/commands/verbs.h"

static int print_target(const struct options *o, struct fail *why)
{
    const struct target_paper *paper = NULL;
    if (!o->paper)
        return rs_fail(why, RS_EINPUT, "for which paper? give --size letter or --size a4");
    int rc = target_paper_named(&paper, o->paper, why);
    if (rc < 0)
        return rc;
    if (isatty(STDOUT_FILENO))
        return rs_fail(why, RS_EINPUT,
                       "a PDF is nothing for a terminal: ringside calibrate target --size %s > target.pdf",
                       paper->name);
    return target_pdf_write(stdout, paper, why);
}

const struct verb calibrate_target_verb = {
    .name = "calibrate target",
    .operands = "",
    .says = "a printable chessboard for calibrate lens",
    .more = "Writes a PDF of one page to standard output: ringside calibrate target --size a4 > target.pdf. Print it "
            "at 100 %,\n"
            "check the scale with the ruler on it, and glue it onto something flat.\n",
    .flags = (const char *const[]){ "--size letter|a4", NULL },
    .run = print_target,
};
