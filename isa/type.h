/* Types of values: what a token's 64 bits mean.
 *
 * A type is a number below ISA_TYPE_LIMIT that combines a leaf, the number of brackets around it
 * (the rank of an array), and a flag: the address of an element instead of the value itself.
 *
 *   int  real  bool     a plain value
 *   tensor              a reference to a structure that is complete when it is made (isa/tensor);
 *                       each value has its own element kind, rank and shape
 *   data                a reference to a structure of a constructor, with the constructor's index
 *                       in its low bits (struct isa_constructor)
 *   [int]  [[real]]     an array: a reference to a structure (isa/exec/structure.h)
 *   &int  &[int]        the address of an element of such a type, in a structure
 *
 * An array of tuples is a tuple of arrays, so that no type says "tuple". */
#ifndef ISA_TYPE_H
#define ISA_TYPE_H

#include <stdbool.h>
#include <stdint.h>

enum isa_type {
    ISA_INT,                     /* 64-bit two's complement */
    ISA_REAL,                    /* IEEE double; a NaN is always ISA_NAN */
    ISA_BOOL,                    /* 0 (false) or 1 (true) */
    ISA_TYPE_COUNT,              /* number of types whose values are not references */
    ISA_TENSOR = ISA_TYPE_COUNT, /* reference to a structure in memory that is a tensor */
    ISA_DATA, /* reference to the structure of a constructor, and the constructor */
    ISA_LEAF_COUNT,

    ISA_TYPE_LEAF_MASK = 0x07,
    ISA_TYPE_ADDRESS = 0x08,
    ISA_TYPE_RANK_SHIFT = 4,
    ISA_TYPE_LIMIT = 0x100,
};

enum { ISA_MAX_RANK = 15 };

static inline enum isa_type isa_type_leaf(enum isa_type type)
{
    return (enum isa_type)(type & ISA_TYPE_LEAF_MASK);
}

/* Returns the rank of an array type (int: 0, [int]: 1), or for an address the rank of the
 * element. */
static inline unsigned isa_type_rank(enum isa_type type)
{
    return (unsigned)type >> ISA_TYPE_RANK_SHIFT;
}

static inline bool isa_type_is_address(enum isa_type type)
{
    return type & ISA_TYPE_ADDRESS;
}

/* Whether values of a type are references to structures in memory, which count their references. */
static inline bool isa_type_is_reference(enum isa_type type)
{
    return (unsigned)type >= ISA_TENSOR; /* arrays and addresses are greater */
}

static inline bool isa_type_can_be_element(enum isa_type type)
{
    return !isa_type_is_address(type) && isa_type_rank(type) < ISA_MAX_RANK;
}

/* Whether an integer read from a file is a valid type. */
static inline bool isa_type_is_good(uint64_t type)
{
    return type < ISA_TYPE_LIMIT && (type & ISA_TYPE_LEAF_MASK) < ISA_LEAF_COUNT &&
           (!(type & ISA_TYPE_ADDRESS) || type >> ISA_TYPE_RANK_SHIFT < ISA_MAX_RANK);
}

/* Return the type of arrays whose elements have type `element`, and the type of an array's
 * elements. isa_type_can_be_element(element) must hold. */
static inline enum isa_type isa_type_array_of(enum isa_type element)
{
    return (enum isa_type)(element + (1 << ISA_TYPE_RANK_SHIFT));
}

static inline enum isa_type isa_type_element(enum isa_type array)
{
    return (enum isa_type)(array - (1 << ISA_TYPE_RANK_SHIFT));
}

/* Returns the type of the address of an element. isa_type_can_be_element(element) must hold. */
static inline enum isa_type isa_type_address_of(enum isa_type element)
{
    return (enum isa_type)(element | ISA_TYPE_ADDRESS);
}

/* Returns the name of a type: "int", "[real]", "&[bool]". The string is static. */
const char *isa_type_name(enum isa_type type);
bool isa_type_find(const char *name, enum isa_type *type);

#endif
