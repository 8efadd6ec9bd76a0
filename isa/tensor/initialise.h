/* Initial values of tensors, drawn from a seed. isa/tensor/initialisers.def is the table.
 *
 * An element depends only on the seed, the stream and its place in row-major order (lib/random.h),
 * and not on the shape or on other draws. A real32 is the real, rounded once. All hosts compute the
 * same bits. */
#ifndef ISA_TENSOR_INITIALISE_H
#define ISA_TENSOR_INITIALISE_H

#include "isa/tensor/tensor.h"

enum isa_initialiser {
#define INITIALISER(NAME, ...) ISA_INITIALISER_##NAME,
#include "isa/tensor/initialisers.def"
#undef INITIALISER
    ISA_INITIALISER_COUNT,
    ISA_INITIALISER_NONE = ISA_INITIALISER_COUNT,
};

enum { ISA_INITIALISER_ARGUMENTS = 2 };

/* Texts and arguments of an initialiser (isa/tensor/initialisers.def). */
struct isa_initialiser_info {
    const char *text, *help;
    const char *arguments; /* names of the arguments, such as "low, high" */
    const char *condition; /* condition on the arguments p and q, as C */
    uint8_t arity;         /* number of arguments */
};

extern const struct isa_initialiser_info isa_initialisers[ISA_INITIALISER_COUNT];

/* Returns the initialiser with a name, or ISA_INITIALISER_NONE. */
enum isa_initialiser isa_initialiser_find(const char *text);

/* Checks the arguments of an initialiser, `arity` in number. Returns false and adds the reason to
 * `why` if they are invalid. */
bool isa_initialiser_takes(enum isa_initialiser initialiser, const double *arguments,
                           struct lib_text *why);

/* Sets all elements of a tensor that is not sealed. Different streams draw different values; each
 * parameter of a program has its own. isa_initialiser_takes must have accepted the arguments. */
void isa_tensor_initialise(struct isa_tensor *tensor, enum isa_initialiser initialiser,
                           const double *arguments, uint64_t seed, uint64_t stream);

#endif
