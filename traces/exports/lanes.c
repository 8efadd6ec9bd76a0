#include "traces/exports/exports_internal.h"

uint32_t export_lane_take(struct export_lanes *lanes)
{
    if (lanes->free.count == 0)
        return lanes->count++;
    uint32_t *items = lanes->free.items;
    const uint32_t least = items[0], last = items[--lanes->free.count];
    const size_t count = lanes->free.count;
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && items[child + 1] < items[child])
            child++;
        if (items[child] >= last)
            break;
        items[at] = items[child];
        at = child;
    }
    if (count > 0)
        items[at] = last;
    return least;
}

void export_lane_give(struct export_lanes *lanes, uint32_t lane)
{
    (void)LIB_VEC_PUSH(&lanes->free);
    uint32_t *items = lanes->free.items;
    size_t at = lanes->free.count - 1;
    for (; at > 0 && items[(at - 1) / 2] > lane; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = lane;
}

void export_lanes_free(struct export_lanes *lanes)
{
    LIB_VEC_FREE(&lanes->free);
}
