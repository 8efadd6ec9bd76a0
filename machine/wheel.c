#include "machine/wheel.h"

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
    for (uint64_t i = 0; i <= wheel->mask; i++)
        lib_mem_free(wheel->slots[i].tokens);
    lib_mem_free(wheel->slots);
}

uint64_t machine_wheel_next(struct machine_wheel *wheel, uint64_t now)
{
    for (uint64_t d = 1; d <= wheel->mask; d++)
        if (machine_wheel_at(wheel, now + d)->count)
            return d;
    return 0;
}
