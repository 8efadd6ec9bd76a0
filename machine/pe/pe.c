#include "machine/pe/pe.h"

#include "machine/nodes.h"
#include "machine/pe/backpressure.h"
#include "machine/state.h"
#include "machine/verify.h"

/* --- sets --------------------------------------------------------------------------------- */

static uint32_t words_for(uint32_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

struct machine_set machine_set_new_flat(uint32_t size)
{
    const uint32_t count = words_for(size);
    return (struct machine_set){.words = lib_mem_new(count * sizeof(uint64_t)),
                                .word_count = count};
}

struct machine_set machine_set_new(uint32_t size)
{
    const uint32_t count = words_for(size);
    if (count <= MACHINE_SET_FLAT)
        return machine_set_new_flat(size);
    uint64_t *words = lib_mem_new((count + 1 + words_for(count)) * sizeof *words);
    return (struct machine_set){words, words + count + 1, count};
}

void machine_set_clear(const struct machine_set *set)
{
    if (set->words)
        memset(set->words, 0, set->word_count * sizeof *set->words);
    if (set->tops)
        memset(set->tops - 1, 0, (1 + words_for(set->word_count)) * sizeof *set->tops);
}

void machine_set_pack(struct lib_pack *pack, struct machine_set *set)
{
    lib_pack_bytes(pack, set->words, set->word_count * sizeof *set->words);
    for (uint32_t i = 0; set->tops && lib_pack_reads(pack) && i < set->word_count; i++)
        if (set->words[i])
            machine_set_add(set, i * 64 + (uint32_t)__builtin_ctzll(set->words[i]));
}

/* Returns the first of `count` words of `tops` from `top` on that is not 0, or `count`. */
static inline uint32_t seek_top(uint64_t *tops, uint32_t top, uint32_t count)
{
    if (count > 64) {
        while (top < count && tops[top] == 0)
            top++;
        return top;
    }
    while (top < count && tops[-1] >> top) {
        top += (uint32_t)__builtin_ctzll(tops[-1] >> top);
        if (tops[top])
            return top;
        tops[-1] &= ~(UINT64_C(1) << top);
    }
    return count;
}

uint32_t machine_set_seek(struct machine_set set, uint32_t word)
{
    const uint32_t top_count = words_for(set.word_count);
    uint32_t top = word / 64;
    uint64_t bits = word < set.word_count ? set.tops[top] >> word % 64 << word % 64 : 0;
    for (;;) {
        for (; bits; bits &= bits - 1) {
            const uint32_t at = top * 64 + (uint32_t)__builtin_ctzll(bits);
            if (set.words[at])
                return at;
            set.tops[top] &= ~(bits & -bits);
        }
        top = seek_top(set.tops, top + 1, top_count);
        if (top >= top_count)
            return set.word_count;
        bits = set.tops[top];
    }
}

uint32_t machine_set_seek_down(const struct machine_set *set, uint32_t word)
{
    while (word > 0) {
        const uint32_t top = (word - 1) / 64, bit = (word - 1) % 64;
        const uint64_t bits = set->tops[top] & (UINT64_MAX >> (63 - bit));
        if (bits == 0) {
            word = top * 64;
            continue;
        }
        word = top * 64 + 64 - (uint32_t)__builtin_clzll(bits);
        if (set->words[word - 1])
            return word;
        set->tops[top] &= ~(UINT64_C(1) << (word - 1) % 64);
    }
    return 0;
}

uint32_t machine_set_only_deep(const struct machine_set *set)
{
    const uint32_t at = machine_set_seek(*set, 0);
    if (at == set->word_count)
        return MACHINE_SET_EMPTY;
    const uint64_t word = set->words[at];
    if ((word & (word - 1)) || machine_set_seek(*set, at + 1) != set->word_count)
        return MACHINE_SET_SEVERAL;
    return at * 64 + (uint32_t)__builtin_ctzll(word);
}

/* --- the part ----------------------------------------------------------------------------- */

static bool make(struct machine *m)
{
    m->tokens.with_input = machine_set_new(m->pe_count);
    m->tokens.input_rings = machine_rings_new(m->pe_count);
    for (uint32_t i = 0; i < m->pe_count; i++)
        machine_queue_init_in(&m->tokens.pes[i].input, m->tokens.input_rings, i);
    return true;
}

/* The queues, the wheel and the set are emptied with all tokens of the run (machine_clear). */
static void reset(struct machine *m, void *state)
{
    (void)m, (void)state;
}

/* Returns the next cycle in which tokens are formed for PEs or leave them. The wheel of a network
 * with links has the same size. */
static uint64_t next(struct machine *m)
{
    const struct machine_wheel *other = m->network.has_links ? &m->network.departing
                                                             : &m->tokens.formed;
    assert(other->mask == m->tokens.formed.mask);
    return machine_wheels_next(&m->tokens.formed, other, m->run.cycle, m->run.soonest);
}

static struct machine_wait waits(const struct machine *m)
{
    if (machine_set_is_empty(&m->tokens.with_input))
        return MACHINE_WAITS_FOR(NOTHING, NULL);
    return MACHINE_WAITS_FOR(ROOM, machine_backpressure_setting(m));
}

static void show(const struct machine *m, struct machine_audit *f)
{
    for (uint64_t i = 0; i <= m->tokens.formed.mask; i++)
        machine_audit_formed(f, &m->tokens.formed.slots[i]);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct machine_queue *q = &m->tokens.pes[pe].input;
        for (uint32_t i = q->head; i != q->tail; i++) {
            const struct isa_token *t = &q->tokens[i & q->mask];
            if (!machine_audit_token(f, t) || !machine_audit_at_its_place(f, t) ||
                !machine_must(f, machine_token_pe(t) == pe, "a token is at its place"))
                return;
        }
    }
}

static void pack_pes(struct lib_pack *pack, struct machine *m, void *state)
{
    (void)state;
    for (uint32_t i = 0; i < m->pe_count; i++) {
        struct machine_pe *p = &m->tokens.pes[i];
        machine_queue_pack(pack, &m->tokens.exec, &p->input);
        uint64_t held = m->has_queues ? machine_pe_held(p) : 0;
        LIB_PACK(pack, held);
        p->came = held - p->stats.local_tokens;
    }
    machine_wheel_pack(pack, &m->tokens.exec, &m->tokens.formed);
    machine_set_pack(pack, &m->tokens.with_input);
}

static void check(const struct machine *m, struct machine_audit *f)
{
    machine_audit_set(f, &m->tokens.with_input, m->pe_count);
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const uint32_t queued = machine_queue_count(&m->tokens.pes[pe].input);
        const bool is_listed = machine_set_has(&m->tokens.with_input, pe);
        machine_must(
            f, is_listed == (queued > 0) || (!is_listed && machine_nodes_hides(m, pe)),
            "a PE is listed if it has tokens");
        machine_must(f,
                     !m->has_queues || machine_pe_held(&m->tokens.pes[pe]) ==
                                           queued + machine_audit_held(f, pe),
                     "tokens in input queues and on their way there are counted");
    }
}

const struct machine_part machine_pe_part = {
    .make = make,
    .reset = reset,
    .next = next,
    .waits = waits,
    .pack = pack_pes,
    .show = show,
    .check = check,
    .is_plain = true,
};
