#include "machine/tokens/set.h"

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
