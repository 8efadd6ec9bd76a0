/* The state of an execution as bytes, for checkpoints (lib/pack.h). What is code, and what follows
 * from it, is not part of it. */
#ifndef ISA_EXEC_PACK_H
#define ISA_EXEC_PACK_H

#include "isa/exec/exec.h"
#include "lib/pack.h"

/* Of one that waits for its next token: no effect is half done. To be read, it has just been made
 * by isa_exec_init, from the same code and with the same limit. What was read is sound enough to be
 * walked through and freed; that it is the state of a run is for checksums to say. */
void isa_exec_pack(struct lib_pack *pack, struct isa_exec *exec);

/* Whether a tag that was read names an activation that is alive: every token must. */
bool isa_exec_has_tag(const struct isa_exec *exec, isa_tag tag);

/* Packs tokens; those that are read go to instructions of the code, under such tags. */
void isa_exec_pack_tokens(struct lib_pack *pack, const struct isa_exec *exec,
                          struct isa_token *tokens, size_t count);

#endif
