/* A look at the options of a command line before argp sees them, so that what is wrong
 * with one is told as everything else is, with the option that may have been meant. */
#ifndef SIM_CLI_SCAN_H
#define SIM_CLI_SCAN_H

#include "lib/text.h"

#include <argp.h>

/* Whether argp will take every option in `argv`, of those that it is given. If not, adds what is
 * wrong with the first bad one. `has_inputs`: the command takes NAME=VALUE, which is no option. */
bool sim_scan(const struct argp_option *options, bool has_inputs, int argc, char **argv,
              struct lib_text *why);

#endif
