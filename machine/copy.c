#include "machine/copy.h"

void machine_copy_init(struct machine_copy *copy, const struct machine_settings *settings,
                       const struct isa_code *code, uint32_t pe_count)
{
    *copy = (struct machine_copy){0};
    if (!code->expands)
        return;
    *copy = (struct machine_copy){
        .is_finite = settings->copy_workers || settings->copy_capacity,
        .latency = settings->copy_latency,
        .node_latency = settings->copy_node_latency,
        .workers = settings->copy_workers,
        .capacity = settings->copy_capacity,
        .nodes = lib_mem_new(pe_count * sizeof *copy->nodes),
        .waiting_at = lib_mem_new(pe_count * sizeof *copy->waiting_at),
        .blocked_at = lib_mem_new(pe_count * sizeof *copy->blocked_at),
    };
}

void machine_copy_free(struct machine_copy *copy)
{
    lib_mem_free(copy->nodes);
    lib_mem_free(copy->waiting_at);
    lib_mem_free(copy->blocked_at);
    for (size_t i = 0; i < copy->late.count; i++) {
        lib_mem_free(copy->late.items[i].home.tokens);
        lib_mem_free(copy->late.items[i].away.tokens);
    }
    LIB_VEC_FREE(&copy->busy);
    LIB_VEC_FREE(&copy->waiting);
    LIB_VEC_FREE(&copy->late);
}

/* --- workers ------------------------------------------------------------------------------ */

/* The heap of `busy`: no item is less than the one at half its place. */
static void sink_worker(struct machine_copy *copy, size_t i)
{
    uint64_t *items = copy->busy.items;
    for (size_t child; (child = 2 * i + 1) < copy->busy.count; i = child) {
        if (child + 1 < copy->busy.count && items[child + 1] < items[child])
            child++;
        if (items[i] <= items[child])
            return;
        const uint64_t item = items[i];
        items[i] = items[child];
        items[child] = item;
    }
}

bool machine_copy_has_worker(struct machine_copy *copy, uint64_t cycle)
{
    while (copy->busy.count && copy->busy.items[0] <= cycle) {
        copy->busy.items[0] = copy->busy.items[--copy->busy.count];
        sink_worker(copy, 0);
    }
    return copy->workers == 0 || copy->busy.count < copy->workers;
}

void machine_copy_occupy(struct machine_copy *copy, uint64_t until)
{
    if (copy->workers == 0)
        return;
    size_t i = copy->busy.count;
    *LIB_VEC_PUSH(&copy->busy) = until;
    uint64_t *items = copy->busy.items;
    for (; i > 0 && items[(i - 1) / 2] > until; i = (i - 1) / 2)
        items[i] = items[(i - 1) / 2];
    items[i] = until;
}

/* --- APPLYs that wait ----------------------------------------------------------------------- */

void machine_copy_wait(struct machine_copy *copy, const struct isa_token *apply,
                       uint32_t place)
{
    *LIB_VEC_PUSH(&copy->waiting) = (struct machine_waiting_copy){*apply, place};
    copy->waiting_at[place]++;
    copy->stalls++;
}

struct machine_waiting_copy machine_copy_take(struct machine_copy *copy, size_t i)
{
    struct machine_waiting_copy *item = &copy->waiting.items[i];
    const struct machine_waiting_copy taken = *item;
    copy->waiting.count--;
    memmove(item, item + 1, (copy->waiting.count - i) * sizeof *item);
    copy->waiting_at[taken.place]--;
    return taken;
}

/* --- what is sent late ---------------------------------------------------------------------- */

static bool is_before(const struct machine_late *a, const struct machine_late *b)
{
    return a->when != b->when ? a->when < b->when : a->number < b->number;
}

void machine_copy_keep(struct machine_copy *copy, struct machine_late *late)
{
    size_t i = copy->late.count;
    late->number = copy->late_number++;
    *LIB_VEC_PUSH(&copy->late) = *late;
    struct machine_late *items = copy->late.items;
    for (; i > 0 && is_before(late, &items[(i - 1) / 2]); i = (i - 1) / 2)
        items[i] = items[(i - 1) / 2];
    items[i] = *late;
}

bool machine_copy_take_late(struct machine_copy *copy, uint64_t now,
                            struct machine_late *late)
{
    struct machine_late *items = copy->late.items;
    if (copy->late.count == 0 || items[0].when > now)
        return false;
    *late = items[0];
    const struct machine_late last = items[--copy->late.count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < copy->late.count; i = child) {
        if (child + 1 < copy->late.count && is_before(&items[child + 1], &items[child]))
            child++;
        if (!is_before(&items[child], &last))
            break;
        items[i] = items[child];
    }
    items[i] = last;
    return true;
}
