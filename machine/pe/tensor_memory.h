/* Where tensors are, and their bytes in the network (setting tensor.transport; doc/model.md, "Where
 * tensors are").
 *
 * By value, a token of a tensor carries all its bytes. By reference, the bytes stay in the memory
 * of the PE that made the tensor, shared by the PEs of a node. If a kernel (instruction on tensors)
 * needs a tensor that is in another memory, the kernel is parked: it waits outside the queues, and
 * requests the tensor from there. The copy that comes back stays until the tensor is freed.
 *
 * Requests and copies are tokens of that kernel with a mark: their value is the tensor, their
 * operand number that of the tensor. They are issued but never reach the instruction. The token of
 * a parked kernel is marked, too; its other operand waits in a slot, marked ISA_SLOT_SENT. */
#ifndef MACHINE_PE_TENSOR_MEMORY_H
#define MACHINE_PE_TENSOR_MEMORY_H

#include "machine/state.h"

/* Whether tensors are sent by reference, and kernels fetch them from other memories. */
static inline bool machine_tensors_are_fetched(const struct machine *m)
{
    return m->code->has_tensors && m->about.by_reference && m->pe_count > m->memory_pes;
}

/* Returns how many messages (requests, copies) were issued so far. */
uint64_t machine_tensor_messages(const struct machine *m);

/* --- bytes of tokens -------------------------------------------------------------------------- */

uint64_t machine_tensor_bytes_of(const struct machine *m, const struct isa_token *t,
                                 bool is_request);

/* Returns the bytes of tensors that a token carries. `is_request`: it is an array access on its way
 * to the element, with both operands, or an APPLY on its way to or from the coordinator, with its
 * arguments. */
static inline uint64_t machine_carried_bytes(const struct machine *m,
                                             const struct isa_token *t, bool is_request)
{
    if (__builtin_expect(!m->code->has_tensors, 1))
        return 0;
    return machine_tensor_bytes_of(m, t, is_request);
}

/* Counts the bytes of a value in `count` tokens sent to other PEs. `dest` is the first
 * destination. */
void machine_tensor_sent(struct machine *m, uint32_t dest, isa_value value,
                         uint32_t count);

/* --- kernels ---------------------------------------------------------------------------------- */

/* Sets both operands of the instruction of a token that is issued. Returns false if the instruction
 * does not fire live. */
bool machine_tensor_operands(const struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr, isa_value *a, isa_value *b);

/* Writes the tensors that the kernel of an issued token reads to `tensors`, in the order of
 * operands, and returns how many there are. */
unsigned machine_tensor_read(const struct machine *m, const struct isa_token *t,
                             const struct isa_instr *instr, isa_value *tensors);

/* Returns the slot where a token meets its partner operand; NULL if its instruction has one
 * operand. */
struct isa_slot *machine_tensor_partner(const struct machine *m,
                                        const struct isa_token *t,
                                        const struct isa_instr *instr);

/* Returns the tensor that is operand `port` with this value, or NULL if the operand is not a
 * tensor. */
const struct isa_tensor *machine_tensor_at(const struct machine *m,
                                           const struct isa_instr *instr, bool port,
                                           isa_value value);

/* Whether a token collides: its partner's slot belongs to a kernel that already has both operands,
 * and waits for a tensor or a tensor unit. */
bool machine_tensor_collides(const struct isa_token *t, const struct isa_slot *partner);

/* Makes a token that collides (machine_tensor_collides) trap. Returns MACHINE_GATE_TRAPS. */
static inline enum machine_verdict machine_tensor_trap(struct machine_passage *p)
{
    p->trap = ISA_TRAP_COLLISION;
    p->how = TRACES_OUTCOME_FAILS;
    return MACHINE_GATE_TRAPS;
}

/* Adds a message (request, copy or release) to the messages of this cycle, which are served after
 * all other issues (`finish` in machine/pe/tensor_memory.c). */
void machine_tensor_select(struct machine *m, const struct isa_token *t);

/* Sends the release messages of the current issue, after its other tokens (doc/model.md, "Who frees
 * an activation"). */
void machine_releases_send(struct machine *m);

/* Returns the PE that made the tensor for which `t` is a request. */
uint32_t machine_tensor_home(const struct machine *m, const struct isa_token *t);

#endif
