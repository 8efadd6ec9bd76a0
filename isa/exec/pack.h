/* State of an execution as bytes, for checkpoints (lib/pack.h). The code, and all that follows from
 * it, is not part of the bytes. */
#ifndef ISA_EXEC_PACK_H
#define ISA_EXEC_PACK_H

#include "isa/exec/exec.h"
#include "lib/pack.h"

/* Packs or reads an execution between two deliveries of tokens. To read, `exec` must come
 * straight from isa_exec_init with the same code and limit. Damaged bytes may pass, but what was
 * read can be walked and freed safely; only checksums detect all damage. */
void isa_exec_pack(struct lib_pack *pack, struct isa_exec *exec);

/* Whether a tag that was read names an activation that is alive, as the tag of each token must. */
bool isa_exec_has_tag(const struct isa_exec *exec, isa_tag tag);

/* Packs or reads tokens. Tokens that were read go to instructions of the code, under tags of
 * activations that are alive. */
void isa_exec_pack_tokens(struct lib_pack *pack, const struct isa_exec *exec,
                          struct isa_token *tokens, size_t count);

#endif
