/* Checks the options of a command line before argp parses them, so that messages about wrong ones
 * look like all others, and can suggest the option that was meant. */
#ifndef SIM_CLI_SCAN_H
#define SIM_CLI_SCAN_H

#include "lib/text.h"

#include <argp.h>

/* Whether argp will accept all options in `argv`. If not, adds a message about the first bad one to
 * `why`. `has_inputs`: the command also takes arguments NAME=VALUE. */
bool sim_scan(const struct argp_option *options, bool has_inputs, int argc, char **argv,
              struct lib_text *why);

#endif
