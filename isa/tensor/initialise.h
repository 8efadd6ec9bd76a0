/* Initial values of tensors, by a seed: the table is isa/tensor/initialisers.def.
 *
 * An element is a function of the seed, the stream and its place, whatever else is drawn (lib/random.h):
 * in row-major order, whatever the shape. A real32 is the real, rounded once. The same bits everywhere. */
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

struct isa_initialiser_info {
    const char *text, *help;
    const char *arguments; /* "low, high" */
    const char *condition; /* of p and q */
    uint8_t arity;
};

extern const struct isa_initialiser_info isa_initialisers[ISA_INITIALISER_COUNT];

/* ISA_INITIALISER_NONE: there is none of that name. */
enum isa_initialiser isa_initialiser_find(const char *text);

/* Whether it may have these arguments, of which there are as many as its arity says. false: `why` says
 * why not. */
bool isa_initialiser_takes(enum isa_initialiser initialiser, const double *arguments,
                           struct lib_text *why);

/* Fills a new tensor. The arguments are such as it may have. Streams with other numbers draw other values:
 * there is one for each parameter of a program. The tensor is not sealed. */
void isa_tensor_initialise(struct isa_tensor *tensor, enum isa_initialiser initialiser,
                           const double *arguments, uint64_t seed, uint64_t stream);

#endif
