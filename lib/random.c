#include "lib/random.h"

#include "lib/hash.h"

#include <Random123/philox.h>

uint64_t lib_random_draw(uint64_t seed, enum lib_random_component component, uint64_t a,
                         uint64_t b)
{
    philox2x64_key_t key = {{seed ^ lib_hash_mix((uint64_t)component)}};
    philox2x64_ctr_t counter = {{a, b}};
    return philox2x64(counter, key).v[0];
}
