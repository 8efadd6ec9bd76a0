/* Random programs with ports, and what their hosts feed: each the same for its seed everywhere.
 *
 * Ports in of ints, reals, tensors and tuples; comprehensions over them, also such that read
 * earlier elements of their own array or elements of another port; elements by number, lengths,
 * sums, loops and recursion over ports; comprehensions over the length of a port; several ports
 * out, of numbers and tuples. About one in ten asks for an element that never comes.
 *
 * Each program has a second text: the same with the values as array literals in place of ports in,
 * and the ports out as further parts of the result. That is a program without ports. */
#ifndef TESTS_RANDOM_GENERATE_PORTS_H
#define TESTS_RANDOM_GENERATE_PORTS_H

#include "isa/value.h"
#include "lib/text.h"

enum {
    PORTS_MAX = 4,
    PORTS_PARTS_MAX = 2,
    PORTS_LENGTH_MAX = 9,
    PORTS_ELEMENTS_MAX = 3, /* of a tensor */
    PORTS_OUT_MAX = 3,
};

/* A part of an element that is fed: a value, or a tensor of rank 1. */
struct ports_value {
    isa_value value;
    unsigned count; /* of a tensor */
    double reals[PORTS_ELEMENTS_MAX];
};

struct ports_in {
    char name[8];
    unsigned part_count;
    enum isa_type types[PORTS_PARTS_MAX]; /* ISA_TENSOR: of reals */
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
