/* Random programs with ports, and what their hosts feed. A seed gives the same everywhere.
 *
 * Input ports of ints, reals, tensors and tuples are read by comprehensions, some of which read
 * earlier elements of their own array or of another port, and by indices, lengths, sums, loops and
 * recursion. About one program in ten needs an element that is never fed.
 *
 * Each program has a second text without ports: literals of the fed values for input ports, and
 * more parts of the result for output ports. */
#ifndef TESTS_RANDOM_GENERATE_PORTS_H
#define TESTS_RANDOM_GENERATE_PORTS_H

#include "isa/value.h"
#include "lib/text.h"

enum {
    PORTS_MAX = 4,
    PORTS_PARTS_MAX = 2,
    PORTS_LENGTH_MAX = 9,
    PORTS_ELEMENTS_MAX = 3, /* max elements of a tensor */
    PORTS_OUT_MAX = 3,
};

/* A component of an element that the host feeds: a scalar, or a tensor of rank 1. */
struct ports_value {
    isa_value value;
    unsigned count; /* number of elements of a tensor */
    double reals[PORTS_ELEMENTS_MAX];
};

struct ports_in {
    char name[8];
    unsigned part_count;
    /* Types of the parts of an element; ISA_TENSOR: a tensor of reals. */
    enum isa_type types[PORTS_PARTS_MAX];
    unsigned length;
    struct ports_value values[PORTS_LENGTH_MAX][PORTS_PARTS_MAX];
};

struct ports_out {
    char name[8];
    unsigned part_count;
    enum isa_type types[PORTS_PARTS_MAX];
};

struct ports_program {
    struct lib_text text, literal;
    unsigned in_count, out_count;
    struct ports_in in[PORTS_MAX];
    struct ports_out out[PORTS_OUT_MAX];
    bool has_tensors;
};

/* Makes the program of a seed. The caller frees both texts. */
void generate_ports(uint64_t seed, struct ports_program *program);

#endif
