/* Values of tokens in events (traces/token_value.h). */
#ifndef MACHINE_TOKEN_VALUES_H
#define MACHINE_TOKEN_VALUES_H

struct machine;

/* Makes a machine that emits events add the values of sent tokens to them, from now on. */
void machine_emit_token_values(struct machine *machine);

#endif
