#include "sim/once.h"

struct sim_once_at {
    size_t place;
    uint64_t source;
    const struct sim_once_at *before; /* of the same key, or NULL */
};

static const char *const names[] = {"identity", "program", "machine"};
enum { NAME_COUNT = sizeof names / sizeof *names };

void sim_once_want(struct sim_frame *frame)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        sim_frame_want(frame, sim_frame_column(frame, names[i]));
}

void sim_once_start(struct sim_once *once, const struct sim_frame *frame,
                    struct lib_arena *arena)
{
    *once = (struct sim_once){0};
    for (size_t i = 0; i < NAME_COUNT && sim_frame_column(frame, names[0]); i++)
        if (sim_frame_column(frame, names[i]))
            *LIB_VEC_PUSH(&once->columns) = sim_frame_column(frame, names[i]);
    sim_keys_start(&once->keys, arena, &once->columns);
}

void sim_once_free(struct sim_once *once)
{
    sim_keys_free(&once->keys);
    LIB_VEC_FREE(&once->columns);
    LIB_VEC_FREE(&once->list);
}

bool sim_once_take(struct sim_once *once, const struct sim_frame *frame, size_t run,
                   size_t place, uint64_t source)
{
    if (once->columns.count == 0)
        return true;
    size_t key = sim_keys_add(&once->keys, frame, run);
    if (key == once->list.count)
        *LIB_VEC_PUSH(&once->list) = NULL;
    for (const struct sim_once_at *at = once->list.items[key]; at; at = at->before)
        if (at->place == place && at->source == source)
            return false;
    struct sim_once_at *at = LIB_ARENA_NEW(once->keys.arena, struct sim_once_at);
    *at = (struct sim_once_at){place, source, once->list.items[key]};
    once->list.items[key] = at;
    return true;
}
