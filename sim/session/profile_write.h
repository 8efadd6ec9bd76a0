/* The parallelism profile of a run, as the user sees it. */
#ifndef SIM_SESSION_PROFILE_WRITE_H
#define SIM_SESSION_PROFILE_WRITE_H

#include "lib/json.h"
#include "traces/profile.h"

/* Adds the key `profile`. */
void sim_profile_write_json(const struct traces_profile *profile, struct lib_json *json);

/* Adds two tables of about 40 rows each, with bars. */
void sim_profile_write_table(const struct traces_profile *profile, struct lib_text *out);

#endif
