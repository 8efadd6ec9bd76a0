/* Settings that change nothing on their own: which other setting lets them have an effect. */
#ifndef MACHINE_NEEDS_H
#define MACHINE_NEEDS_H

#include "machine/settings.h"

/* What a setting needs: "match.store=hash", or "--strategy=expanding". `expands`: programs run by
 * the strategy expanding, too. Returns NULL if it may have an effect. */
const char *machine_setting_needs(const struct machine_settings *settings,
                                  const struct machine_setting *setting, bool expands);

/* Adds what a setting that is needed is now: "match.store=frames" for "match.store=hash". */
void machine_setting_write_now(const struct machine_settings *settings,
                               const char *needed, struct lib_text *out);

#endif
