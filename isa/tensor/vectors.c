/* Functions of many elements, by the widest vectors that the processor has. */
#include "isa/tensor/vectors.h"

#include "isa/tensor/elementary.h"
#include "isa/tensor/elementary_tables.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* --- 16 bytes: every processor -------------------------------------------------------- */

typedef double real_2 __attribute__((vector_size(16)));
typedef uint64_t bits_2 __attribute__((vector_size(16)));
typedef float real32_4 __attribute__((vector_size(16)));
typedef uint32_t bits32_4 __attribute__((vector_size(16)));
struct pair_2 {
    real_2 high, low;
};

#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define REAL real_2
#define BITS bits_2
#define PAIR struct pair_2
#define LANES 2
#define TYPE double
#define NAME(name) name##_2
#define LOOK_UP(table, i) ((real_2){(table)[2 * (i)[0]], (table)[2 * (i)[1]]})
#include "isa/tensor/elementary_vector.h"
#include "isa/tensor/arithmetic_vector.h"
#undef TYPE
#undef REAL
#undef BITS
#undef LANES
#undef NAME
#define TYPE float
#define REAL real32_4
#define BITS bits32_4
#define LANES 4
#define NAME(name) name##32_2
#include "isa/tensor/arithmetic_vector.h"
#undef TARGET
#undef TYPE
#undef INLINE
#undef REAL
#undef BITS
#undef PAIR
#undef LANES
#undef NAME
#undef LOOK_UP

#if defined(__x86_64__)

/* --- 32 bytes: AVX2 ----------------------------------------------------------------------- */

typedef double real_4 __attribute__((vector_size(32)));
typedef uint64_t bits_4 __attribute__((vector_size(32)));
typedef float real32_8 __attribute__((vector_size(32)));
typedef uint32_t bits32_8 __attribute__((vector_size(32)));
struct pair_4 {
    real_4 high, low;
};

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE static inline __attribute__((always_inline, target("avx2,fma")))
#define REAL real_4
#define BITS bits_4
#define PAIR struct pair_4
#define LANES 4
#define TYPE double
#define NAME(name) name##_4
#define FUSED(a, b, c) ((real_4)_mm256_fmsub_pd(a, b, c))
#define LOOK_UP(table, i) ((real_4)_mm256_i64gather_pd(table, (__m256i)((i) + (i)), 8))
#include "isa/tensor/elementary_vector.h"
#include "isa/tensor/arithmetic_vector.h"
#undef TYPE
#undef REAL
#undef BITS
#undef LANES
#undef NAME
#define TYPE float
#define REAL real32_8
#define BITS bits32_8
#define LANES 8
#define NAME(name) name##32_4
#include "isa/tensor/arithmetic_vector.h"
#undef TARGET
#undef TYPE
#undef INLINE
#undef REAL
#undef BITS
#undef PAIR
#undef LANES
#undef NAME
#undef FUSED
#undef LOOK_UP

/* --- 64 bytes: AVX-512 -------------------------------------------------------------------- */

typedef double real_8 __attribute__((vector_size(64)));
typedef uint64_t bits_8 __attribute__((vector_size(64)));
typedef float real32_16 __attribute__((vector_size(64)));
typedef uint32_t bits32_16 __attribute__((vector_size(64)));
struct pair_8 {
    real_8 high, low;
};

#define TARGET __attribute__((target("avx512f")))
#define INLINE static inline __attribute__((always_inline, target("avx512f")))
#define REAL real_8
#define BITS bits_8
#define PAIR struct pair_8
#define LANES 8
#define TYPE double
#define NAME(name) name##_8
#define FUSED(a, b, c) ((real_8)_mm512_fmsub_pd(a, b, c))
#define LOOK_UP(table, i) ((real_8)_mm512_i64gather_pd((__m512i)((i) + (i)), table, 8))
#include "isa/tensor/elementary_vector.h"
#include "isa/tensor/arithmetic_vector.h"
#undef TYPE
#undef REAL
#undef BITS
#undef LANES
#undef NAME
#define TYPE float
#define REAL real32_16
#define BITS bits32_16
#define LANES 16
#define NAME(name) name##32_8
#include "isa/tensor/arithmetic_vector.h"
#undef TARGET
#undef TYPE
#undef INLINE
#undef REAL
#undef BITS
#undef PAIR
#undef LANES
#undef NAME
#undef FUSED
#undef LOOK_UP

#endif

/* --- the choice ---------------------------------------------------------------------------- */

#define FUNCTIONS(name, width)                                                           \
    {                                                                                    \
        name, exp_all_##width, tanh_all_##width, sigmoid_all_##width, add_##width,       \
            sub_##width, mul_##width, add32_##width, sub32_##width, mul32_##width,       \
            have_nan_##width, have_nan32_##width                                         \
    }

static const struct isa_vector_functions kinds[] = {
    FUNCTIONS("16 bytes", 2),
#if defined(__x86_64__)
    FUNCTIONS("AVX2", 4),
    FUNCTIONS("AVX-512", 8),
#endif
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Whether the processor has a kind. Every one has the first. */
static bool has_kind(unsigned kind)
{
#if defined(__x86_64__)
    return kind == 0   ? true
           : kind == 1 ? __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                       : __builtin_cpu_supports("avx512f");
#else
    return kind == 0;
#endif
}

const struct isa_vector_functions *isa_vector_functions(unsigned number)
{
    for (unsigned i = 0; i < KINDS; i++)
        if (has_kind(i) && number-- == 0)
            return &kinds[i];
    return NULL;
}

const struct isa_vector_functions *isa_widest_vectors(void)
{
    unsigned kind = KINDS - 1;
    while (!has_kind(kind))
        kind--;
    return &kinds[kind];
}

void isa_reals_exp(const double *from, double *to, uint64_t count)
{
    isa_widest_vectors()->exp(from, to, count);
}

void isa_reals_tanh(const double *from, double *to, uint64_t count)
{
    isa_widest_vectors()->tanh(from, to, count);
}

void isa_reals_sigmoid(const double *from, double *to, uint64_t count)
{
    isa_widest_vectors()->sigmoid(from, to, count);
}

void isa_reals32_apply(isa_reals_function *function, const float *from, float *to,
                       uint64_t count)
{
    enum { SOME = 64 };
    double reals[SOME];
    for (uint64_t i = 0; i < count; i += SOME) {
        const uint64_t some = count - i < SOME ? count - i : SOME;
        for (uint64_t j = 0; j < some; j++)
            reals[j] = from[i + j];
        function(reals, reals, some);
        for (uint64_t j = 0; j < some; j++)
            to[i + j] = (float)reals[j];
    }
}
