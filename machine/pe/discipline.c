#include "machine/pe/discipline.h"

#include "machine/settings.h"

static const struct machine_discipline disciplines[] = {
    [MACHINE_FIFO] = {false, NULL},
    [MACHINE_LIFO] = {true, NULL},
};

const struct machine_discipline *
machine_discipline_of(const struct machine_settings *settings)
{
    return &disciplines[settings->queue_discipline];
}
