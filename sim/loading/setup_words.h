/* Machines and settings in titles and messages. */
#ifndef SIM_LOADING_SETUP_WORDS_H
#define SIM_LOADING_SETUP_WORDS_H

#include "sim/loading/setup.h"

/* Adds the value of a setting; a file by its name alone, as its folder on the host is private. */
void sim_setting_write_shown(const struct machine_settings *settings,
                             const struct machine_setting *setting, struct lib_text *out);

/* Adds the name of the machine and what differs from its preset, "default, pe.count=4": the first
 * few settings, each file by its name alone. */
void sim_setup_write_name(const struct sim_setup *setup, struct lib_text *out);

/* Adds "; did you mean `x`?" for a setting that is unknown: the nearest one, or those that end with
 * it, as `network.latency` does with `latency`; else nothing. */
void sim_setup_hint(const char *wrong, struct lib_text *hint);

/* Adds to the message about a wrong value of a setting what to do with several values, "1,2" or
 * "1..8", unless the message has a hint. */
void sim_setup_hint_several(const struct machine_setting *setting, const char *value,
                            struct lib_text *why);

#endif
