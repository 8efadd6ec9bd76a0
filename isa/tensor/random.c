/* Kernels of random numbers. Each element is a function of the key and of its place in row-major
 * order: the words that Philox makes of the key and a counter (lib/random.h). */
#include "isa/tensor/elementary.h"
#include "isa/tensor/kernel_internal.h"
#include "lib/random.h"

/* First words of the counters: which use of a key it is. */
enum { UNIFORM = 0, NORMAL = 1 };

static uint64_t key_of(const struct isa_tensor *key)
{
    return (uint64_t)key->ints[0];
}

static double uniform(uint64_t key, uint64_t i)
{
    uint64_t words[2];
    lib_random_words(key, UNIFORM, i, words);
    return lib_random_real(words[0]);
}

void isa_kernel_run_random_bits(const struct isa_kernel_call *call)
{
    uint64_t words[2];
    lib_random_words(key_of(call->b), (uint64_t)call->a->ints[0],
                     (uint64_t)call->a->ints[1], words);
    call->result->ints[0] = (int64_t)words[0];
    call->result->ints[1] = (int64_t)words[1];
}

void isa_kernel_run_random_uniform(const struct isa_kernel_call *call)
{
    const uint64_t key = key_of(call->a);
    for (uint64_t i = 0; i < call->result->count; i++)
        call->result->reals[i] = uniform(key, i);
}

/* The words of one counter make two neighbours. */
void isa_kernel_run_random_normal(const struct isa_kernel_call *call)
{
    const uint64_t key = key_of(call->a);
    uint64_t words[2] = {0};
    for (uint64_t i = 0; i < call->result->count; i++) {
        if (i % 2 == 0)
            lib_random_words(key, NORMAL, i / 2, words);
        call->result->reals[i] = isa_real_gauss(lib_random_real(words[0]),
                                                lib_random_real(words[1]), i % 2);
    }
}

void isa_kernel_run_dropout(const struct isa_kernel_call *call)
{
    const uint64_t key = key_of(call->c);
    const double rate = isa_tensor_get(call->b, 0);
    if (!(rate >= 0 && rate < 1)) {
        *call->fault = (struct isa_kernel_fault){ISA_FAULT_RATE, 0};
        return;
    }
    for (uint64_t i = 0; i < call->result->count; i++) {
        const bool is_kept = uniform(key, i) >= rate;
        if (call->result->shape.element == ISA_ELEMENT_REAL)
            call->result->reals[i] = is_kept ? call->a->reals[i] / (1 - rate) : 0;
        else
            call->result->reals32[i] = is_kept ? call->a->reals32[i] / (float)(1 - rate)
                                               : 0;
    }
}
