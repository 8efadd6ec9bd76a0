/* Machines and settings in titles and messages. */
#ifndef SIM_LOADING_SETUP_WORDS_H
#define SIM_LOADING_SETUP_WORDS_H

#include "sim/loading/setup.h"

/* Adds the value of a setting. A file is shown without its folder, which is private. */
void sim_setting_write_shown(const struct sim_settings *settings,
                             const struct lib_setting *setting, struct lib_text *out);

/* Adds the name of a machine and the first few settings that differ from its preset, "default,
 * pe.count=4". Files are shown without folder. */
void sim_setup_write_name(const struct sim_setup *setup, struct lib_text *out);

/* Adds "; did you mean `x`?" for the unknown setting `wrong`. Suggests the most similar setting or,
 * for the last part of a name such as `latency`, those that end with it. */
void sim_setup_hint(const char *wrong, struct lib_text *hint);

/* If the invalid `value` of a setting is a list or range, "1,2" or "1..8", adds to the message
 * `why` that `hiaton sweep run` takes several values, unless it has a hint already. */
void sim_setup_hint_several(const struct lib_setting *setting, const char *value,
                            struct lib_text *why);

#endif
