/* State of an execution as bytes, for checkpoints (lib/pack.h). The code is not part of the
 * bytes. */
#ifndef ISA_EXEC_PACK_H
#define ISA_EXEC_PACK_H

#include "isa/exec/exec.h"
#include "lib/pack.h"

/* Packs or reads an execution between two deliveries of tokens. For reading, `exec` must come
 * straight from isa_exec_init with the same code and limit. Damaged bytes may pass unnoticed
 * without checksums, but what was read can be walked and freed safely. */
void isa_exec_pack(struct lib_pack *pack, struct isa_exec *exec);

/* Whether a tag that was read names a live activation, as the tag of every token must. */
bool isa_exec_has_tag(const struct isa_exec *exec, isa_tag tag);

/* Packs or reads tokens. Reading fails unless they name instructions of the code and live
 * activations. */
void isa_exec_pack_tokens(struct lib_pack *pack, const struct isa_exec *exec,
                          struct isa_token *tokens, size_t count);

#endif
