#include "machine/tokens/wheel.h"

/* A wheel for long latencies has thousands of lists, mostly empty. So lists start small, and after
 * a run a large wheel keeps no list that has grown. */
enum { FIRST_ROOM = 4, SECOND_ROOM = 16, KEPT_TOKENS = 4096 };

void machine_wheel_init(struct machine_wheel *wheel, uint64_t longest)
{
    uint64_t size = 2;
    while (size <= longest)
        size *= 2;
    wheel->slots = lib_mem_new(size * sizeof *wheel->slots);
    wheel->mask = size - 1;
}

void machine_wheel_free(struct machine_wheel *wheel)
{
    for (uint64_t i = 0; wheel->slots && i <= wheel->mask; i++)
        lib_mem_free(wheel->slots[i].tokens);
    lib_mem_free(wheel->slots);
}

void machine_wheel_clear(struct machine_wheel *wheel)
{
    size_t room = 0;
    for (uint64_t i = 0; wheel->slots && i <= wheel->mask; i++) {
        wheel->slots[i].count = 0;
        room += wheel->slots[i].capacity;
    }
    for (uint64_t i = 0; room > KEPT_TOKENS && i <= wheel->mask; i++) {
        struct machine_wheel_slot *slot = &wheel->slots[i];
        if (slot->capacity <= FIRST_ROOM)
            continue;
        lib_mem_free(slot->tokens);
        *slot = (struct machine_wheel_slot){0};
    }
}

void machine_wheel_grow(struct machine_wheel_slot *slot, uint32_t count)
{
    size_t capacity = !slot->capacity                ? FIRST_ROOM
                      : slot->capacity == FIRST_ROOM ? SECOND_ROOM
                                                     : 2 * slot->capacity;
    while (capacity < slot->count + count)
        capacity *= 2;
    size_t bytes = slot->capacity * sizeof *slot->tokens;
    slot->tokens = lib_mem_extend(slot->tokens, &bytes, capacity * sizeof *slot->tokens);
    slot->capacity = bytes / sizeof *slot->tokens;
}

void machine_wheel_slot_pack(struct lib_pack *pack, const struct isa_exec *exec,
                             struct machine_wheel_slot *slot)
{
    const uint64_t count = lib_pack_count(pack, slot->count, sizeof *slot->tokens);
    if (lib_pack_reads(pack) && count)
        machine_wheel_put(slot, (uint32_t)count);
    isa_exec_pack_tokens(pack, exec, slot->tokens, count);
}

void machine_wheel_pack(struct lib_pack *pack, const struct isa_exec *exec,
                        struct machine_wheel *wheel)
{
    uint64_t mask = wheel->mask;
    LIB_PACK(pack, mask);
    if (!lib_pack_expect(pack, mask == wheel->mask))
        return;
    for (uint64_t i = 0; wheel->slots && i <= mask; i++)
        machine_wheel_slot_pack(pack, exec, &wheel->slots[i]);
}
