/* Values of program inputs that are arrays or tensors (`input a = [1, 2]`).
 *
 * An array of tuples is a tuple of arrays, so that a value has one tensor for each part, at most
 * ISA_PARTS_MAX. The parts of an array have equal extents; an array of rank n is a tensor of rank
 * n, so that its rows have one length. Elements are ints, reals or bools; only a value that is
 * itself a tensor may have elements of type real32.
 *
 * Where inputs have an isa_value each, that of such an input refers to a struct isa_given, which
 * its maker owns: a graph owns the default values of its inputs. The address never reaches an
 * output. */
#ifndef ISA_GIVEN_H
#define ISA_GIVEN_H

#include "isa/tensor/tensor.h"
#include "isa/type.h"
#include "isa/value.h"
#include "lib/text.h"

struct isa_given {
    uint32_t part_count;
    const struct isa_tensor *const *parts;
    /* The file that holds the value: its name without folder, the digest and the bytes of its
     * content. NULL: the value was written as text, or is a default value. */
    const char *file, *digest;
    const struct lib_source *source;
};

static inline isa_value isa_value_of_given(const struct isa_given *given)
{
    return (isa_value)(uintptr_t)given;
}

static inline const struct isa_given *isa_value_given(isa_value value)
{
    return (const struct isa_given *)(uintptr_t)value;
}

/* Returns the type of the elements of a tensor, as an array has them; ISA_DATA for real32, which
 * no array has. */
enum isa_type isa_given_leaf(const struct isa_tensor *tensor);

/* Whether `given` can be a value of an input of type `type` with the parts of `like`: ranks and
 * kinds of elements agree. If `like` is NULL, whether the parts are those of one value. */
bool isa_given_fits(const struct isa_given *given, enum isa_type type,
                    const struct isa_given *like);

/* Appends the type of a value as sources write it: "[int]", "[(int, real)]", "tensor(real, 2)". */
void isa_given_write_type(struct lib_text *out, enum isa_type type,
                          const struct isa_given *given);

/* Appends a value as results are written: "[(1, 2.5), (3, 4.0)]". A tensor is written as its rows
 * are, in brackets. */
void isa_given_write(struct lib_text *out, const struct isa_given *given);

/* Appends the extents of a value: "3", "3 x 2". */
void isa_given_write_extents(struct lib_text *out, const struct isa_given *given);

/* Returns the number of scalars of all parts. */
uint64_t isa_given_count(const struct isa_given *given);

#endif
