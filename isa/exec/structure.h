/* Structures: the arrays of a run, whose elements are written once and whose readers wait
 * (I-structures: Arvind, Nikhil, Pingali 1989).
 *
 * A value of an array type is a reference: it names its structure. A value of an address type
 * names one element as well. A structure counts its references. There is one per token, on its
 * way or waiting; and one per deferred read, per cell, per part of the result and per element of
 * another structure that holds it. When there are none left the structure is freed, with the
 * references that its own elements hold. As types are finite, that goes no deeper than
 * ISA_MAX_RANK. The storage is given back, and the structure's number is used again. So no
 * number may reach a digest, which takes `hash` instead.
 *
 * A tensor (isa/tensor) is a structure too. It has no elements: it is whole when it is made, and
 * never changes. */
#ifndef ISA_EXEC_STRUCTURE_H
#define ISA_EXEC_STRUCTURE_H

#include "isa/exec/watcher.h"
#include "isa/tensor/tensor.h"
#include "isa/value.h"
#include "lib/hash.h"
#include "lib/memory.h"

#include <assert.h>

/* What is written once: a cell, or an element. All zero, it is not written, and nothing
 * waits. */
struct isa_element {
    isa_value value; /* before it is written: the deferred reads, as below */
    uint64_t info;   /* depth of the write << ISA_ELEMENT_DEPTH_SHIFT | marks */
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

/* The first and last deferred read of an element that is not written; ISA_DEFERRED_END. */
#define ISA_DEFERRED_END UINT32_MAX

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
        struct isa_tensor *tensor;    /* the same, where is_tensor */
    };
    uint64_t references;
    uint64_t hash; /* of the tag and instruction that made it */
    uint32_t length;
    uint32_t instr;     /* the ALLOC or ROW that made it */
    uint32_t pe_number; /* for the machine: that of this ALLOC or ROW */
    union {
        uint32_t next; /* of a freed one: the next in the list of free numbers */
        /* Elements that an INDEX finds without more ado: `length`, or fewer if the structure is
         * open and its port counts what is asked for (isa/exec/port.h). */
        uint32_t reach;
    };
    bool is_alive;
    bool holds_references; /* its elements are arrays or tensors */
    bool is_tensor;
    bool is_open; /* it grows with a port (isa/exec/port.h) */
};

static_assert(sizeof(void *) != 8 || sizeof(struct isa_structure) == 48,
              "what structures take is measured");

#define ISA_STRUCTURE_NONE UINT32_MAX

struct isa_ports; /* isa/exec/port.h */

struct isa_structures {
    LIB_VEC(struct isa_structure) all;
    uint32_t free;     /* the number freed last; ISA_STRUCTURE_NONE */
    bool has_risen;    /* for the machine: some were made since it looked */
    uint64_t count;    /* structures alive, */
    uint64_t elements; /* and their elements, */
    uint64_t bytes;    /* and the memory of all that */
    uint64_t limit_bytes;
    struct isa_tensor_memory tensors;
    struct isa_ports
        *ports; /* of the execution, whose own it is; NULL: the graph has none */
    const struct isa_watcher *watcher; /* for the machine: borrowed, or NULL */

    /* NULL, or told of a tensor that is about to be freed: its number and bytes; of an array,
     * which is there no more, by what is known of it. */
    void (*tensor_gone)(void *context, uint32_t number, uint64_t bytes);
    void (*array_gone)(void *context, uint32_t pe_number, uint64_t length);
    void *gone_context;
};

void isa_structures_init(struct isa_structures *s, uint64_t limit_bytes);
void isa_structures_free(struct isa_structures *s);

/* Frees all structures, and hands the memory of the table and of spare tensors to `start`, a
 * copy of `s` from before any structure was made. The caller then replaces `s` by `start`. */
void isa_structures_reset(struct isa_structures *s, struct isa_structures *start);

/* Makes a structure with one reference, the caller's, and says its number. `made` has the
 * length, hash, instr, pe_number and holds_references. ISA_STRUCTURE_NONE: the limit is reached. */
uint32_t isa_structures_make(struct isa_structures *s, uint64_t length,
                             const struct isa_structure *made);

/* The elements for which an array of that length has room. */
uint32_t isa_structure_room(const struct isa_structure *structure, uint32_t length);

/* Gives an array that is open one more element, not written. The memory of that was checked. */
void isa_structures_grow(struct isa_structures *s, uint32_t number);

/* The same of a tensor, which comes from `tensors` and goes back there with its structure. `made`
 * has instr and pe_number. */
uint32_t isa_structures_make_tensor(struct isa_structures *s, struct isa_tensor *tensor,
                                    const struct isa_structure *made);

/* References: a structure, and the number of an element, which is 0 in that of an array. */
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

/* The word that digests take for a reference: the same on every machine. */
static inline __attribute__((always_inline)) uint64_t
isa_structures_word(const struct isa_structures *s, isa_value reference)
{
    const struct isa_structure *structure = isa_structures_get(s, reference);
    if (__builtin_expect(structure->is_tensor, 0))
        return structure->tensor->word;
    return lib_hash_mix(structure->hash + isa_reference_element(reference));
}

/* There are `count` references more. */
static inline void isa_structures_hold(struct isa_structures *s, isa_value reference,
                                       uint32_t count)
{
    isa_structures_get(s, reference)->references += count;
}

/* The last one is gone: a structure is freed. */
void isa_structures_release(struct isa_structures *s, uint32_t number);

/* There are `change` references more; less, modulo 2^64, may free it. */
static inline void isa_structures_change(struct isa_structures *s, isa_value reference,
                                         uint64_t change)
{
    struct isa_structure *structure = isa_structures_get(s, reference);
    structure->references += change;
    if (__builtin_expect(structure->references == 0, 0))
        isa_structures_release(s, isa_reference_structure(reference));
}

/* There is one less. */
static inline void isa_structures_drop(struct isa_structures *s, isa_value reference)
{
    isa_structures_change(s, reference, UINT64_MAX);
}

#endif
