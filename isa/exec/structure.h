/* Structures: the arrays of a run, whose elements are written once and whose readers wait
 * (I-structures: Arvind, Nikhil, Pingali 1989); data, whose elements are the fields of a
 * constructor; and tensors, which have no elements here: they are complete when made, and never
 * change.
 *
 * A value of an array type is a reference to a structure; a value of an address type names one
 * element as well. A structure counts the references to it: one for each token, in transit or
 * waiting, and one for each deferred read, cell, result and element of another structure that holds
 * it. At 0 references the structure is freed, with the references that its elements hold. Data
 * whose last reference is dropped meanwhile is freed after it, so that this recursion is at most
 * twice ISA_MAX_RANK deep, however deep the data is. The number of a structure is its index in the
 * table of structures; numbers are used again, so digests take `hash` instead.
 *
 * A value of type ISA_DATA has the index of its constructor where an address has that of an
 * element. All data of constructors without fields is structure 0, which is never freed and counts
 * neither as a structure nor as memory. Only programs with constructors have it.
 *
 * An array that accumulates has an accumulator for each element (isa/exec/accumulator.h), which is
 * memory of the array until all its elements are written.
 */
#ifndef ISA_EXEC_STRUCTURE_H
#define ISA_EXEC_STRUCTURE_H

#include "isa/exec/accumulator.h"
#include "isa/exec/watcher.h"
#include "isa/graph.h"
#include "isa/tensor/tensor.h"
#include "isa/value.h"
#include "lib/hash.h"
#include "lib/state_table.h"

#include <assert.h>

/* A write-once memory location: a cell, or an element of an array. If all bits are 0, it is
 * unwritten and no read waits for it. */
struct isa_element {
    isa_value value; /* value; before the write, the list of reads that wait */
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

/* Index that ends a list of deferred reads. */
#define ISA_DEFERRED_END UINT32_MAX

/* Return the first and the last read that waits for an unwritten element; ISA_DEFERRED_END if none
 * does. */

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
        struct isa_tensor *tensor;    /* if is_tensor; owned */
    };
    uint64_t references;
    uint64_t hash; /* hash of the making instruction and its tag, for digests */
    uint32_t length;
    uint32_t instr; /* instruction that made the structure */
    uint32_t owner; /* that of the activation that made the structure */
    union {
        uint32_t next; /* of a freed structure: index of the next freed one */
        /* Number of elements of a live array that INDEX can address without a look at a port.
         * Equal to `length`, except in an open array whose port records which elements are asked
         * for (isa/exec/port.h). */
        uint32_t reach;
        uint32_t constructor; /* if is_data: index of the constructor in the graph */
    };
    bool is_alive;
    bool holds_references; /* elements are references; of data, some are */
    bool is_tensor;
    bool is_data;
    bool is_open; /* the array grows as the host feeds a port (isa/exec/port.h) */
    /* enum isa_fold of an array that has unwritten elements with accumulators, which are behind its
     * elements (isa_structure_accumulators); else ISA_FOLD_NONE */
    uint8_t fold;
};

static_assert(sizeof(void *) != 8 || sizeof(struct isa_structure) == 48,
              "what structures take is measured");

#define ISA_STRUCTURE_NONE UINT32_MAX

/* Structure of all data without fields, and its number of references at the start. */
#define ISA_STRUCTURE_FIELDLESS 0
#define ISA_STRUCTURE_FOREVER (UINT64_C(1) << 62)

struct isa_ports;

/* The members of the next struct (lib/state_table.h). */
#define ISA_STRUCTURES_FIELDS(F)                                                         \
    F(CALL, forget_for_reading(pack, s))                                                 \
    F(EACH, isa_structure, all)                                                          \
    /* index in `all` of the structure last freed, or ISA_STRUCTURE_NONE */              \
    F(INITIAL, uint32_t, free, ISA_STRUCTURE_NONE)                                       \
    /* Set when a structure is made or grows. A machine clears it after updating its */  \
    /* peaks. */                                                                         \
    F(SCRATCH, bool, has_risen)                                                          \
    F(KEPT, bool, has_tensors)    /* some of the structures can be tensors */            \
    F(KEPT, bool, has_folds)      /* some of the structures can accumulate */            \
    F(NUMBER, uint64_t, count)    /* number of live structures */                        \
    F(NUMBER, uint64_t, elements) /* elements of all live arrays */                      \
    F(NUMBER, uint64_t, bytes) /* memory of all structures, with elements and tensors */ \
    F(KEPT, uint64_t, limit_bytes)                                                       \
    /* what is in use follows from `all`; spare memory is kept between runs */           \
    F(OTHER, struct isa_tensor_memory tensors, , s->tensors.used = s->tensors.peak = 0,  \
      isa_tensor_memory_free(&s->tensors))                                               \
    F(KEPT, struct isa_ports *, ports) /* borrowed; NULL if the graph has no ports */    \
    /* of the graph; NULL if it has none */                                              \
    F(KEPT, const struct isa_constructor *, constructors)                                \
    /* First of the data that is to be freed while other data is freed, or */            \
    /* ISA_STRUCTURE_NONE; `references` of each is the next one. */                      \
    F(FRESH, uint32_t, unreferenced, ISA_STRUCTURE_NONE)                                 \
    F(SCRATCH, bool, is_releasing) /* data is being freed */                             \
    /* functions to call when arrays are made or freed; borrowed, or NULL */             \
    F(SCRATCH, const struct isa_watcher *, watcher)                                      \
    /* Callbacks, or NULL. tensor_made: structure `number` has a new tensor. */          \
    /* tensor_gone: the tensor of structure `number` is about to be freed. */            \
    /* array_made: the elements [first, end) of an array were made. array_gone: an */    \
    /* array of `length` elements was freed. The fields of data count as arrays */       \
    /* of one element, as all of them are where the data is. */                          \
    F(OTHER, void (*tensor_made)(void *context, uint32_t number), , , )                  \
    F(OTHER, void (*tensor_gone)(void *context, uint32_t number, uint64_t bytes), , , )  \
    F(OTHER,                                                                             \
      void (*array_made)(void *context, uint32_t owner, uint64_t first, uint64_t end), , \
      , )                                                                                \
    F(OTHER, void (*array_gone)(void *context, uint32_t owner, uint64_t length), , , )   \
    F(KEPT, void *, context)
struct isa_structures {
    ISA_STRUCTURES_FIELDS(LIB_STATE_MEMBER)
};

void isa_structures_init(struct isa_structures *s, uint64_t limit_bytes);
void isa_structures_free(struct isa_structures *s);

/* Frees all structures, but keeps the memory of the table and of spare tensors. Then makes the
 * structure of data without fields, if there are `constructors`; else that is NULL. */
void isa_structures_reset(struct isa_structures *s,
                          const struct isa_constructor *constructors);

/* Packs or reads the structures, with their elements and tensors. */
void isa_structures_pack(struct lib_pack *pack, struct isa_structures *s,
                         const struct isa_graph *graph);

/* Makes an array with one reference, which the caller owns, and returns its index in `all`. `made`
 * supplies hash, instr, owner, holds_references, and for an open array is_open and next, for data
 * is_data and constructor, for an array that accumulates `fold`.
 * Returns ISA_STRUCTURE_NONE at the memory limit. */
uint32_t isa_structures_make(struct isa_structures *s, uint64_t length,
                             const struct isa_structure *made);

/* Returns the number of elements for which memory is allocated if the array has `length`
 * elements. */
uint32_t isa_structure_room(const struct isa_structure *structure, uint32_t length);

/* Appends an unwritten element to the open array with index `number` in `all`. The caller has
 * checked the memory limit. */
void isa_structures_grow(struct isa_structures *s, uint32_t number);

/* Makes a structure that owns `tensor`, which was allocated from s->tensors, with one reference,
 * and returns its index in `all`. `made` supplies instr and owner. At the memory limit returns
 * ISA_STRUCTURE_NONE; then the caller still owns the tensor. */
uint32_t isa_structures_make_tensor(struct isa_structures *s, struct isa_tensor *tensor,
                                    const struct isa_structure *made);

/* Returns how many elements take the memory of the accumulators of an array, and of the number of
 * elements that are not written. */
static inline uint64_t isa_structure_extra(const struct isa_structure *structure)
{
    return structure->fold == ISA_FOLD_NONE
               ? 0
               : 1 + (uint64_t)structure->length *
                         isa_fold_places((enum isa_fold)structure->fold);
}

/* Adds a contribution to an unwritten element of an array that accumulates. */
void isa_structures_contribute(const struct isa_structures *s, isa_value address,
                               isa_value value);

/* Sets *total to the total of such an element, which the caller writes. Frees the accumulators if
 * all elements have got theirs. Returns false if the total overflows. */
bool isa_structures_total(struct isa_structures *s, isa_value address, isa_value *total);

/* Returns the reference to an array element. For the array itself, `element` is 0. */
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

/* Whether a structure is that of data without fields. */
static inline bool isa_structures_is_fieldless(const struct isa_structures *s,
                                               uint32_t number)
{
    return number == ISA_STRUCTURE_FIELDLESS && s->constructors != NULL;
}

/* Whether the values of element `k` of a structure are references. */
static inline bool isa_structures_refers(const struct isa_structures *s,
                                         const struct isa_structure *structure,
                                         uint32_t k)
{
    return structure->is_data
               ? isa_type_is_reference(
                     s->constructors[structure->constructor].fields[k].type)
               : structure->holds_references;
}

/* Returns the constructor of data. */
static inline const struct isa_constructor *
isa_structures_constructor(const struct isa_structures *s, isa_value data)
{
    return &s->constructors[isa_reference_element(data)];
}

/* Returns field `k` of data of a constructor that has it. */
static inline struct isa_element *isa_structures_field(const struct isa_structures *s,
                                                       isa_value data, uint32_t k)
{
    struct isa_structure *structure = isa_structures_get(s, data);
    assert(structure->is_data && k < structure->length);
    return &structure->elements[k];
}

/* Returns 64 bits that stand for a reference in digests, the same on every machine. */
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

/* Adds `change` to the number of references to a structure, modulo 2^64: UINT64_MAX subtracts 1.
 * Frees the structure at 0. */
static inline void isa_structures_change(struct isa_structures *s, isa_value reference,
                                         uint64_t change)
{
    struct isa_structure *structure = isa_structures_get(s, reference);
    structure->references += change;
    if (__builtin_expect(structure->references == 0, 0))
        isa_structures_release(s, isa_reference_structure(reference));
}

static inline void isa_structures_drop(struct isa_structures *s, isa_value reference)
{
    isa_structures_change(s, reference, UINT64_MAX);
}

#endif
