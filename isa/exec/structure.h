/* Structures: the arrays of a run, whose elements are written once and whose readers wait
 * (I-structures: Arvind, Nikhil, Pingali 1989).
 *
 * A value of an array type is a reference: it names its structure. A value of an address type
 * names one element as well. A structure counts the references to it: one for each token, in
 * transit or waiting, and one for each deferred read, cell, part of the result and element of
 * another structure that holds it. When the count reaches 0 the structure is freed, with the
 * references that its own elements hold; that recursion is at most ISA_MAX_RANK deep. Its number
 * is used again. So no number may reach a digest, which takes `hash` instead.
 *
 * A tensor (isa/tensor) is a structure too. It has no elements: it is complete when it is made, and
 * never changes. */
#ifndef ISA_EXEC_STRUCTURE_H
#define ISA_EXEC_STRUCTURE_H

#include "isa/exec/watcher.h"
#include "isa/tensor/tensor.h"
#include "isa/value.h"
#include "lib/hash.h"
#include "lib/memory.h"

#include <assert.h>

/* A write-once place: a cell, or an element of an array. All zero: not written, no read waits. */
struct isa_element {
    isa_value value; /* value; before it is written the list of reads that wait */
    uint64_t info;   /* depth of the write << ISA_ELEMENT_DEPTH_SHIFT | flags */
};

enum { ISA_ELEMENT_WRITTEN = 1, ISA_ELEMENT_DEPTH_SHIFT = 8 };

static inline bool isa_element_is_written(const struct isa_element *e)
{
    return e->info & ISA_ELEMENT_WRITTEN;
}

static inline uint64_t isa_element_depth(const struct isa_element *e)
{
    return e->info >> ISA_ELEMENT_DEPTH_SHIFT;
}

/* Index that ends lists of deferred reads. */
#define ISA_DEFERRED_END UINT32_MAX

/* Return the first and last deferred read of an element that is not written, ISA_DEFERRED_END if
 * none waits. */

static inline uint32_t isa_element_first(const struct isa_element *e)
{
    return (uint32_t)e->value - 1;
}

static inline uint32_t isa_element_last(const struct isa_element *e)
{
    return (uint32_t)(e->value >> 32) - 1;
}

static inline void isa_element_set_waiting(struct isa_element *e, uint32_t first,
                                           uint32_t last)
{
    e->value = (uint64_t)(last + 1) << 32 | (first + 1);
}

struct isa_structure {
    union {
        struct isa_element *elements; /* owned */
        struct isa_tensor *tensor;    /* owned, if is_tensor */
    };
    uint64_t references;
    uint64_t hash; /* hash of the instruction and tag that made it, for digests */
    uint32_t length;
    uint32_t instr;     /* instruction that made it */
    uint32_t pe_number; /* PE of the activation that made it */
    union {
        uint32_t next; /* freed: next free number */
        /* Number of elements that an INDEX finds at once: `length`, or fewer in an open array
         * whose port counts what is asked for (isa/exec/port.h). */
        uint32_t reach;
    };
    bool is_alive;
    bool holds_references; /* its elements are arrays or tensors */
    bool is_tensor;
    bool is_open; /* grows with a port (isa/exec/port.h) */
};

static_assert(sizeof(void *) != 8 || sizeof(struct isa_structure) == 48,
              "what structures take is measured");

#define ISA_STRUCTURE_NONE UINT32_MAX

struct isa_ports; /* isa/exec/port.h */

struct isa_structures {
    LIB_VEC(struct isa_structure) all;
    uint32_t free;  /* first free number, the last one freed; or ISA_STRUCTURE_NONE */
    bool has_risen; /* a structure was made or has grown since a machine cleared this */
    uint64_t count; /* number of structures alive */
    uint64_t elements; /* elements of the arrays alive */
    uint64_t bytes;    /* memory of structures, elements and tensors */
    uint64_t limit_bytes;
    struct isa_tensor_memory tensors;
    struct isa_ports *ports; /* borrowed; NULL if the graph has no ports */
    /* functions to call when arrays are made or freed; borrowed, or NULL */
    const struct isa_watcher *watcher;

    /* Called, if not NULL, when a tensor is about to be freed, and when an array was freed. */
    void (*tensor_gone)(void *context, uint32_t number, uint64_t bytes);
    void (*array_gone)(void *context, uint32_t pe_number, uint64_t length);
    void *gone_context;
};

void isa_structures_init(struct isa_structures *s, uint64_t limit_bytes);
void isa_structures_free(struct isa_structures *s);

/* Frees all structures, and hands the memory of the table and of spare tensors to `start`, a
 * copy of `s` from before any structure was made. The caller then replaces `s` by `start`. */
void isa_structures_reset(struct isa_structures *s, struct isa_structures *start);

/* Makes an array of `length` elements with one reference, which is the caller's, and returns its
 * number. `made` gives hash, instr, pe_number, holds_references, and for an open array is_open
 * and next. Returns ISA_STRUCTURE_NONE at the limit. */
uint32_t isa_structures_make(struct isa_structures *s, uint64_t length,
                             const struct isa_structure *made);

/* Returns the number of elements for which memory is allocated if a structure has `length`. */
uint32_t isa_structure_room(const struct isa_structure *structure, uint32_t length);

/* Adds an element, not written, to an open array. The caller has checked the limit. */
void isa_structures_grow(struct isa_structures *s, uint32_t number);

/* Makes the structure of a tensor that was allocated from s->tensors, with one reference, and
 * returns its number. The structure owns the tensor. `made` has instr and pe_number. Returns
 * ISA_STRUCTURE_NONE at the limit; then the tensor remains the caller's. */
uint32_t isa_structures_make_tensor(struct isa_structures *s, struct isa_tensor *tensor,
                                    const struct isa_structure *made);

/* Returns the reference to an element; `element` is 0 in a reference to an array. */
static inline isa_value isa_reference(uint32_t structure, uint32_t element)
{
    return (uint64_t)structure << 32 | element;
}

static inline uint32_t isa_reference_structure(isa_value reference)
{
    return (uint32_t)(reference >> 32);
}

static inline uint32_t isa_reference_element(isa_value reference)
{
    return (uint32_t)reference;
}

static inline struct isa_structure *isa_structures_get(const struct isa_structures *s,
                                                       isa_value reference)
{
    const uint32_t number = isa_reference_structure(reference);
    assert(number < s->all.count && s->all.items[number].is_alive);
    return &s->all.items[number];
}

static inline struct isa_element *isa_structures_element(const struct isa_structures *s,
                                                         isa_value address)
{
    struct isa_structure *structure = isa_structures_get(s, address);
    assert(isa_reference_element(address) < structure->length);
    return &structure->elements[isa_reference_element(address)];
}

/* Returns 64 bits for a reference in digests, the same on every machine. */
static inline __attribute__((always_inline)) uint64_t
isa_structures_word(const struct isa_structures *s, isa_value reference)
{
    const struct isa_structure *structure = isa_structures_get(s, reference);
    if (__builtin_expect(structure->is_tensor, 0))
        return structure->tensor->word;
    return lib_hash_mix(structure->hash + isa_reference_element(reference));
}

static inline void isa_structures_hold(struct isa_structures *s, isa_value reference,
                                       uint32_t count)
{
    isa_structures_get(s, reference)->references += count;
}

void isa_structures_release(struct isa_structures *s, uint32_t number);

/* Adds `change` references, modulo 2^64. Frees the structure if none are left. */
static inline void isa_structures_change(struct isa_structures *s, isa_value reference,
                                         uint64_t change)
{
    struct isa_structure *structure = isa_structures_get(s, reference);
    structure->references += change;
    if (__builtin_expect(structure->references == 0, 0))
        isa_structures_release(s, isa_reference_structure(reference));
}

/* Drops a reference. Frees the structure if it was the last one. */
static inline void isa_structures_drop(struct isa_structures *s, isa_value reference)
{
    isa_structures_change(s, reference, UINT64_MAX);
}

#endif
