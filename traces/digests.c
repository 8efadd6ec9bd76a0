#include "traces/digests.h"

#include "lib/hash.h"

#include <assert.h>
#include <string.h>

static size_t between(size_t least, size_t number, size_t most)
{
    return number < least ? least : number > most ? most : number;
}

/* Returns the maximum number of rows, which is even. */
static size_t most_rows(const struct traces_digests *d)
{
    const size_t row = 8 + 2 * (size_t)d->parts, fit = TRACES_DIGESTS_BYTES / row / 2 * 2;
    return d->given ? TRACES_DIGESTS_BOUND
                    : between(TRACES_DIGESTS_LEAST, fit, TRACES_DIGESTS_MAX);
}

void traces_digests_start(struct traces_digests *d, uint32_t parts, uint64_t interval)
{
    *d = (struct traces_digests){.parts = parts, .given = interval};
    d->interval = d->next = interval ? interval : 1;
}

void traces_digests_free(struct traces_digests *d)
{
    LIB_VEC_FREE(&d->totals, &d->marks);
}

/* Returns the upper bits of a hash. */
static uint16_t mark_of(uint64_t digest)
{
    return (uint16_t)(lib_hash_mix(digest) >> 48);
}

static void put_row(struct traces_digests *d, const uint64_t *of_parts,
                    uint32_t functions)
{
    uint64_t total = 0;
    for (uint32_t p = 0; p < d->parts; p++) {
        total += p < d->parts - functions ? of_parts[p] : 0;
        *LIB_VEC_PUSH(&d->marks) = mark_of(of_parts[p]);
    }
    *LIB_VEC_PUSH(&d->totals) = total;
}

/* Doubles the interval by dropping every second row, but not the last. */
static void merge_rows(struct traces_digests *d)
{
    const size_t row = d->parts * sizeof *d->marks.items;
    assert(d->totals.count % 2 == 0);
    for (size_t i = 0; i < d->totals.count / 2; i++) {
        d->totals.items[i] = d->totals.items[2 * i + 1];
        memmove(d->marks.items + i * d->parts, d->marks.items + (2 * i + 1) * d->parts,
                row);
    }
    d->totals.count /= 2;
    d->marks.count /= 2;
    d->interval *= 2;
}

void traces_digests_take(struct traces_digests *d, uint64_t now, const uint64_t *of_parts,
                         uint32_t functions)
{
    while (d->next <= now) {
        put_row(d, of_parts, functions);
        if (d->totals.count == most_rows(d))
            merge_rows(d);
        if (__builtin_add_overflow(d->next, d->interval, &d->next))
            d->next = UINT64_MAX;
        if (d->next == UINT64_MAX)
            return;
    }
}

void traces_digests_end(struct traces_digests *d, uint64_t now, const uint64_t *of_parts,
                        uint32_t functions)
{
    put_row(d, of_parts, functions);
    d->end = now;
    d->next = UINT64_MAX;
}

uint64_t traces_digests_time(const struct traces_digests *d, size_t i)
{
    assert(i < d->totals.count);
    return d->end && i + 1 == d->totals.count ? d->end : (i + 1) * d->interval;
}

size_t traces_digests_differ(const struct traces_digests *a,
                             const struct traces_digests *b)
{
    const size_t rows = a->totals.count < b->totals.count ? a->totals.count
                                                          : b->totals.count;
    assert(a->interval == b->interval && a->parts == b->parts);
    const size_t row = a->parts * sizeof *a->marks.items;
    for (size_t i = 0; i < rows; i++)
        if (a->totals.items[i] != b->totals.items[i] ||
            memcmp(a->marks.items + i * a->parts, b->marks.items + i * b->parts, row) !=
                0)
            return i;
    return rows;
}

void traces_digests_pack(struct lib_pack *pack, struct traces_digests *d)
{
    LIB_PACK(pack, d->interval, d->given, d->next, d->end, d->parts);
    LIB_PACK_VEC(pack, &d->totals, &d->marks);
    const bool fits = d->interval > 0 && d->marks.count == d->totals.count * d->parts;
    if (!lib_pack_expect(pack, fits))
        traces_digests_free(d);
}
