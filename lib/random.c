#include "lib/random.h"

#include "lib/hash.h"

#include <Random123/philox.h>

void lib_random_words(uint64_t key, uint64_t a, uint64_t b, uint64_t words[2])
{
    const philox2x64_key_t of_key = {{key}};
    const philox2x64_ctr_t counter = {{a, b}}, made = philox2x64(counter, of_key);
    words[0] = made.v[0];
    words[1] = made.v[1];
}

uint64_t lib_random_draw(uint64_t seed, enum lib_random_component component, uint64_t a,
                         uint64_t b)
{
    uint64_t words[2];
    lib_random_words(seed ^ lib_hash_mix((uint64_t)component), a, b, words);
    return words[0];
}

void lib_random_shuffle(uint64_t seed, enum lib_random_component component, uint64_t a,
                        uint64_t *order, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        order[i] = i;
    for (uint64_t i = count; i-- > 1;) {
        const uint64_t with = lib_random_draw(seed, component, a, i) % (i + 1);
        const uint64_t kept = order[i];
        order[i] = order[with];
        order[with] = kept;
    }
}
