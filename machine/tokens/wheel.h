/* Timing wheel: tokens that will arrive in later cycles. It is a ring of lists, one (slot) per
 * cycle, as long as the longest delay of the machine. Tokens of a cycle keep the order in which
 * they were added. */
#ifndef MACHINE_TOKENS_WHEEL_H
#define MACHINE_TOKENS_WHEEL_H

#include "isa/exec/exec.h"

/* Value of a cycle that means: never. */
#define MACHINE_NEVER UINT64_MAX

struct machine_wheel_slot {
    struct isa_token *tokens;
    size_t count, capacity;
};

struct machine_wheel {
    struct machine_wheel_slot *slots;
    uint64_t mask; /* number of slots, a power of two, minus 1 */
};

/* Starts a timing wheel for delays of 1 to `longest` cycles. */
void machine_wheel_init(struct machine_wheel *wheel, uint64_t longest);
void machine_wheel_free(struct machine_wheel *wheel);
void machine_wheel_clear(struct machine_wheel *wheel); /* removes all tokens */

/* Packs a timing wheel for a checkpoint, or reads one, which must be empty and of the same size. */
void machine_wheel_pack(struct lib_pack *pack, const struct isa_exec *exec,
                        struct machine_wheel *wheel);
void machine_wheel_slot_pack(struct lib_pack *pack, const struct isa_exec *exec,
                             struct machine_wheel_slot *slot);

/* Makes room in a slot for `count` more tokens. */
__attribute__((cold)) void machine_wheel_grow(struct machine_wheel_slot *slot,
                                              uint32_t count);

static inline struct machine_wheel_slot *machine_wheel_at(struct machine_wheel *wheel,
                                                          uint64_t cycle)
{
    return &wheel->slots[cycle & wheel->mask];
}

/* Adds room for `count` tokens to a slot, and returns it for the caller to fill in. */
static inline struct isa_token *machine_wheel_put(struct machine_wheel_slot *slot,
                                                  uint32_t count)
{
    if (__builtin_expect(slot->count + count > slot->capacity, 0))
        machine_wheel_grow(slot, count);
    struct isa_token *first = &slot->tokens[slot->count];
    slot->count += count;
    return first;
}

/* Returns the first cycle after `now` and before `until` in which one of two wheels of the same
 * size has tokens; or MACHINE_NEVER. */
static inline uint64_t machine_wheels_next(const struct machine_wheel *a,
                                           const struct machine_wheel *b, uint64_t now,
                                           uint64_t until)
{
    const struct machine_wheel_slot *const of_a = a->slots, *const of_b = b->slots;
    const uint64_t mask = a->mask, behind = until - now <= mask ? until : now + mask + 1;
    for (uint64_t cycle = now + 1; cycle != behind; cycle++)
        if (of_a[cycle & mask].count | of_b[cycle & mask].count)
            return cycle;
    return MACHINE_NEVER;
}

#endif
