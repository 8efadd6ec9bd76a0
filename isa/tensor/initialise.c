#include "isa/tensor/initialise.h"

#include "isa/tensor/elementary.h"
#include "lib/random.h"

#include <string.h>

const struct isa_initialiser_info isa_initialisers[ISA_INITIALISER_COUNT] = {
#define INITIALISER(NAME, text, arity, arguments, condition, formula, help)              \
    [ISA_INITIALISER_##NAME] = {text, help, arguments, #condition, arity},
#include "isa/tensor/initialisers.def"
#undef INITIALISER
};

enum isa_initialiser isa_initialiser_find(const char *text)
{
    for (enum isa_initialiser i = 0; i < ISA_INITIALISER_COUNT; i++)
        if (strcmp(isa_initialisers[i].text, text) == 0)
            return i;
    return ISA_INITIALISER_NONE;
}

static bool holds(enum isa_initialiser initialiser, double p, double q)
{
    (void)p;
    (void)q;
    switch (initialiser) {
#define INITIALISER(NAME, text, arity, arguments, condition, formula, help)              \
    case ISA_INITIALISER_##NAME:                                                         \
        return condition;
#include "isa/tensor/initialisers.def"
#undef INITIALISER
    case ISA_INITIALISER_COUNT:
        break;
    }
    return false;
}

bool isa_initialiser_takes(enum isa_initialiser initialiser, const double *arguments,
                           struct lib_text *why)
{
    const struct isa_initialiser_info *info = &isa_initialisers[initialiser];
    double pq[ISA_INITIALISER_ARGUMENTS] = {0};
    for (unsigned i = 0; i < info->arity; i++) {
        pq[i] = arguments[i];
        if (__builtin_isfinite(pq[i]))
            continue;
        lib_text_printf(why, "`%s(%s)` takes finite numbers; found ", info->text,
                        info->arguments);
        lib_text_real(why, pq[i]);
        return false;
    }
    if (holds(initialiser, pq[0], pq[1]))
        return true;
    lib_text_printf(why, "`%s(%s)` has no such value: ", info->text, info->arguments);
    for (unsigned i = 0; i < info->arity; i++) {
        lib_text_puts(why, i == 0 ? "found " : ", ");
        lib_text_real(why, pq[i]);
    }
    lib_text_puts(why,
                  info->arity == 1 ? "; expected 0.0 or more" : "; expected low <= high");
    return false;
}

struct random {
    uint64_t seed, stream;
};

/* Returns a real in [0, 1). */
static double draw(const struct random *random, uint64_t i)
{
    return lib_random_real(
        lib_random_draw(random->seed, LIB_RANDOM_PARAMETER, random->stream, i));
}

/* Two neighbours are one point. */
static double gauss(const struct random *random, uint64_t i)
{
    return isa_real_gauss(draw(random, i & ~UINT64_C(1)), draw(random, i | 1), i & 1);
}

void isa_tensor_initialise(struct isa_tensor *tensor, enum isa_initialiser initialiser,
                           const double *arguments, uint64_t seed, uint64_t stream)
{
    const struct random here = {seed, stream}, *random = &here;
    const unsigned arity = isa_initialisers[initialiser].arity;
    const double p = arity > 0 ? arguments[0] : 0, q = arity > 1 ? arguments[1] : 0;
    switch (initialiser) {
#define INITIALISER(NAME, text, arity, arguments, condition, formula, help)              \
    case ISA_INITIALISER_##NAME:                                                         \
        for (uint64_t i = 0; i < tensor->count; i++)                                     \
            isa_tensor_set(tensor, i, formula);                                          \
        break;
#include "isa/tensor/initialisers.def"
#undef INITIALISER
    case ISA_INITIALISER_COUNT:
        break;
    }
    (void)random;
}
