#include "analysis/diff/shifts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/key_map.h"
#include "analysis/diff/order.h"

enum {
    MAX_WAITING = 1 << 20, /* about 100 MB */
    MAX_PARTS = 1 << 12,
    MARK_EVERY = 1 << 14,
};

struct waiting {
    uint64_t cycle, index;
    uint64_t rest; /* hash of the other values that are compared */
    uint32_t number, pe;
    uint32_t next; /* 1 + next in the list of unused items */
};

struct matching {
    const struct analysis_node_mapping *alike;
    struct analysis_shifts *shifts;
    struct analysis_walk walks[2];
    struct lib_key_map keys[2]; /* maps a key to an index into `waiting` */
    /* Maps the key of a call with several CALLs to the number of these that fired. */
    struct lib_key_map calls[2];
    LIB_VEC(struct waiting) waiting;
    uint32_t unused; /* 1 + first of the list of unused items */
    size_t count, most;
    uint64_t mark_every;
    struct analysis_orders *orders; /* NULL after the first part */
    unsigned part;
    bool twins; /* whether firings had equal keys */
};

/* Returns the shift farther from 0; of two equally far ones the positive one. */
static int64_t farther(int64_t a, int64_t b)
{
    return llabs(a) > llabs(b) || (llabs(a) == llabs(b) && a > b) ? a : b;
}

void analysis_shift_add(struct analysis_shift *to, const struct analysis_shift *s)
{
    const bool shifted = s->later + s->earlier > 0;
    if (shifted && (to->later + to->earlier == 0 || s->first < to->first))
        to->first = s->first;
    to->greatest = farther(to->greatest, s->greatest);
    to->fired[0] += s->fired[0];
    to->fired[1] += s->fired[1];
    to->matched += s->matched;
    to->later += s->later;
    to->earlier += s->earlier;
    to->moved += s->moved;
    to->sum += s->sum;
}

/* --- what agrees -------------------------------------------------------------------------- */

static void grow_bits(struct analysis_shifts_run *run, uint64_t index)
{
    const uint64_t words = index / 64;
    if (index % 64 == 0 && (words & (words - 1)) == 0) {
        const size_t size = words ? 2 * words : 1, old = words;
        run->agrees = lib_mem_resize(run->agrees, size * sizeof *run->agrees);
        memset(run->agrees + old, 0, (size - old) * sizeof *run->agrees);
    }
}

static void agree(struct analysis_shifts_run *run, uint64_t index)
{
    run->agrees[index / 64] |= UINT64_C(1) << index % 64;
}

uint64_t analysis_next_difference(const struct analysis_shifts_run *run, uint64_t index)
{
    while (index < run->fired && analysis_agrees(run, index))
        index += index % 64 == 0 && !~run->agrees[index / 64] ? 64 : 1;
    return index < run->fired ? index : UINT64_MAX;
}

uint64_t analysis_last_difference(const struct analysis_shifts_run *run, uint64_t index)
{
    while (index-- > 0)
        if (!analysis_agrees(run, index))
            return index;
    return UINT64_MAX;
}

size_t analysis_mark_before(const struct analysis_shifts_run *run, uint64_t index)
{
    size_t low = 0, high = run->marks.count;
    while (high - low > 1) {
        const size_t half = low + (high - low) / 2;
        if (run->marks.items[half].index <= index)
            low = half;
        else
            high = half;
    }
    return low;
}

/* Adds a mark before firing `index` if that is the first in its cycle, and far enough from the last
 * mark. */
static void mark(struct analysis_shifts_run *run, uint64_t every, uint64_t cycle,
                 uint64_t index, bool is_first_of_cycle)
{
    if (index == 0)
        *LIB_VEC_PUSH(&run->marks) = (struct analysis_mark){0, 0};
    else if (is_first_of_cycle &&
             index >= run->marks.items[run->marks.count - 1].index + every)
        *LIB_VEC_PUSH(&run->marks) = (struct analysis_mark){cycle, index};
}

/* --- a pair ----------------------------------------------------------------------------- */

static uint32_t keep_waiting(struct matching *m)
{
    m->count++;
    if (m->unused) {
        const uint32_t place = m->unused - 1;
        m->unused = m->waiting.items[place].next;
        return place;
    }
    LIB_VEC_PUSH(&m->waiting);
    return (uint32_t)m->waiting.count - 1;
}

static void drop(struct matching *m, uint32_t place)
{
    m->waiting.items[place].next = m->unused;
    m->unused = place + 1;
    m->count--;
}

static void pair(struct matching *m, const struct waiting *a, const struct waiting *b)
{
    struct analysis_shift *shift = &m->shifts->of[a->number];
    const int64_t by = (int64_t)(b->cycle - a->cycle);
    if (by && (shift->later + shift->earlier == 0 || a->cycle < shift->first))
        shift->first = a->cycle;
    shift->matched++;
    shift->later += by > 0;
    shift->earlier += by < 0;
    shift->moved += a->pe != b->pe;
    shift->sum += by;
    shift->greatest = farther(shift->greatest, by);
    if (by == 0 && a->pe == b->pe && a->rest == b->rest) {
        agree(&m->shifts->runs[0], a->index);
        agree(&m->shifts->runs[1], b->index);
    }
}

/* Returns the key under which another firing with the same key is kept. */
static uint64_t next_key(uint64_t key)
{
    return lib_hash_mix(key) | 1;
}

/* Removes the first firing of a key; the others of the key move up. */
static void move_up(struct matching *m, uint32_t side, uint64_t key)
{
    lib_key_map_remove(&m->keys[side], key);
    for (const uint64_t *next;
         m->twins && (next = lib_key_map_find(&m->keys[side], next_key(key)));
         key = next_key(key)) {
        lib_key_map_put(&m->keys[side], key, *next);
        lib_key_map_remove(&m->keys[side], next_key(key));
    }
}

/* Pairs a firing with the first partner of the same key, or keeps it. */
static void match(struct matching *m, uint32_t side, uint64_t key,
                  const struct waiting *fired)
{
    const uint64_t *partner = lib_key_map_find(&m->keys[!side], key);
    if (partner) {
        const uint32_t place = (uint32_t)*partner;
        const struct waiting other = m->waiting.items[place];
        pair(m, side ? &other : fired, side ? fired : &other);
        move_up(m, !side, key);
        drop(m, place);
    } else if (lib_key_map_find(&m->keys[side], key)) {
        m->twins = true;
        match(m, side, next_key(key), fired);
    } else {
        const uint32_t place = keep_waiting(m);
        m->waiting.items[place] = *fired;
        lib_key_map_put(&m->keys[side], key, place);
    }
}

/* --- firings ------------------------------------------------------------------------------ */

/* Whether a firing is matched. If several CALLs correspond to one APPLY, only the last to fire
 * is. */
static bool is_matched(struct matching *m, uint32_t side, uint64_t key,
                       const struct isa_node *node)
{
    if (!m->alike->strategies_differ || node->op != ISA_OP_CALL ||
        m->alike->calls[node->site] == 1)
        return true;
    const uint64_t *fired = lib_key_map_find(&m->calls[side], key);
    const uint64_t now = 1 + (fired ? *fired : 0);
    if (now < m->alike->calls[node->site]) {
        lib_key_map_put(&m->calls[side], key, now);
        return false;
    }
    lib_key_map_remove(&m->calls[side], key);
    return true;
}

static uint64_t rest_of(const struct traces_event *e)
{
    return lib_hash_mix(e->a + lib_hash_mix(e->b - e->cycle) + e->kind);
}

static void take_firing(struct matching *m, uint32_t side, const struct traces_event *e,
                        bool is_first_of_cycle)
{
    struct analysis_walk *walk = &m->walks[side];
    const uint64_t index = walk->fired;
    const uint32_t number = m->alike->numbers[side][e->instr];
    const uint64_t key = analysis_walk_key(walk, e);
    if (m->orders) { /* in the first part */
        grow_bits(&m->shifts->runs[side], index);
        mark(&m->shifts->runs[side], m->mark_every, e->cycle, index, is_first_of_cycle);
    }
    const bool is_taken = is_matched(m, side, key,
                                     &m->alike->graphs[side]->nodes[e->instr]);
    if (m->orders && is_taken && analysis_node_mapping_in_both(m->alike, number)) {
        const struct analysis_fired fired = {key, e->cycle, index, number, e->pe};
        analysis_orders_take(m->orders, side, &fired);
    }
    if (key % m->shifts->parts != m->part)
        return;
    m->shifts->of[number].fired[side]++;
    if (!is_taken || !analysis_node_mapping_in_both(m->alike, number))
        return;
    const struct waiting fired = {.cycle = e->cycle,
                                  .index = index,
                                  .rest = rest_of(e),
                                  .number = number,
                                  .pe = e->pe};
    match(m, side, key, &fired);
}

static void shifts_take(struct matching *m, uint32_t side, const struct traces_event *e,
                        size_t count, uint64_t *cycle)
{
    struct analysis_shifts_run *run = &m->shifts->runs[side];
    for (; count; e++, count--) {
        if (analysis_is_firing(e)) {
            take_firing(m, side, e, e->cycle != *cycle);
            *cycle = e->cycle;
            run->has_dead |= e->kind == TRACES_EVENT_DEAD;
        } else if (e->kind == TRACES_EVENT_END) {
            run->is_ended = true;
            run->cycles = e->a;
            run->how = e->how;
        }
        analysis_walk_note(&m->walks[side], e);
    }
}

/* --- both runs ------------------------------------------------------------------------------ */

/* More parts than MAX_PARTS would not help. */
static bool fits(const struct matching *m)
{
    return m->count <= m->most || m->shifts->parts >= MAX_PARTS;
}

/* Reads both runs alternately, a block of firings at a time. Returns false if too many firings
 * wait. */
static bool read_both(struct matching *m, const struct analysis_source sources[2])
{
    struct analysis_pull *pulls[2];
    uint64_t cycles[2] = {UINT64_MAX, UINT64_MAX};
    bool is_over[2] = {false, false};
    for (uint32_t side = 0; side < 2; side++) {
        m->walks[side] = analysis_walk_start(m->alike, side, 0);
        pulls[side] = analysis_pull_start(&sources[side], TRACES_LEVEL_FIRINGS);
    }
    while (!(is_over[0] && is_over[1]) && fits(m)) {
        const uint32_t side = is_over[0] ||
                              (!is_over[1] && m->walks[1].fired < m->walks[0].fired);
        size_t count;
        const struct traces_event *events = analysis_pull_next(pulls[side], &count);
        is_over[side] = !events;
        shifts_take(m, side, events, count, &cycles[side]);
    }
    for (uint32_t side = 0; side < 2; side++) {
        m->shifts->runs[side].fired = m->walks[side].fired;
        m->shifts->is_whole &= analysis_pull_end(pulls[side]);
        analysis_walk_free(&m->walks[side]);
        lib_key_map_free(&m->keys[side]);
        lib_key_map_free(&m->calls[side]);
    }
    const bool all_fit = fits(m);
    LIB_VEC_FREE(&m->waiting);
    m->unused = 0;
    m->count = 0;
    return all_fit;
}

static void forget(struct analysis_shifts *s, uint32_t numbers)
{
    memset(s->of, 0, numbers * sizeof *s->of);
    for (uint32_t side = 0; side < 2; side++) {
        lib_mem_free(s->runs[side].agrees);
        LIB_VEC_FREE(&s->runs[side].marks);
        s->runs[side] = (struct analysis_shifts_run){0};
    }
}

static bool match_parts(struct matching *m, const struct analysis_source sources[2])
{
    struct analysis_orders orders = {0};
    bool all_fit = true;
    forget(m->shifts, m->alike->count);
    for (m->part = 0; all_fit && m->shifts->is_whole && m->part < m->shifts->parts;
         m->part++) {
        m->orders = m->part == 0 ? &orders : NULL;
        all_fit = read_both(m, sources);
    }
    analysis_orders_end(&orders);
    m->shifts->order = orders.found;
    analysis_orders_free(&orders);
    return all_fit;
}

struct analysis_shifts *analysis_shifts_find(const struct analysis_node_mapping *alike,
                                             const struct analysis_source sources[2],
                                             size_t most_waiting, uint64_t mark_every)
{
    struct analysis_shifts *s = lib_mem_new(sizeof *s);
    struct matching m = {.alike = alike,
                         .shifts = s,
                         .most = most_waiting ? most_waiting : MAX_WAITING,
                         .mark_every = mark_every ? mark_every : MARK_EVERY};
    *s = (struct analysis_shifts){.parts = 1, .is_whole = true};
    s->of = lib_mem_new((alike->count + 1) * sizeof *s->of);
    while (!match_parts(&m, sources))
        s->parts *= 2;
    return s;
}

void analysis_shifts_free(struct analysis_shifts *s)
{
    if (!s)
        return;
    forget(s, 0);
    LIB_MEM_FREE(s->of, s);
}
