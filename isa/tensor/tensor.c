#include "isa/tensor/tensor.h"

#include "isa/tensor/join.h"
#include "isa/tensor/vectors.h"

#include "lib/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "words hash little-endian elements");

/* Start of what a word hashes; directly before the elements, so that one call hashes both. */
struct prefix {
    uint64_t element, rank;
    int64_t extents[ISA_RANK_MAX];
};

enum { ALIGNMENT = 64 };

_Static_assert(sizeof(struct prefix) <= ALIGNMENT, "the prefix fits before the elements");

/* A block of memory: this structure, alignment, prefix, elements. */
struct isa_tensor_spare {
    struct isa_tensor tensor;
    struct isa_tensor_spare *next;
    uint64_t capacity; /* bytes for elements */
};

/* Smaller blocks are left to the C library. SPARE_MAX bounds what is kept. */
enum { SPARE_LEAST = 32 * 1024 };
#define SPARE_MAX (UINT64_C(256) << 20)

static struct isa_tensor_spare *block_of(struct isa_tensor *tensor)
{
    return (struct isa_tensor_spare *)(void *)tensor;
}

void isa_tensor_memory_free(struct isa_tensor_memory *memory)
{
    for (struct isa_tensor_spare *block = memory->spare, *next; block; block = next) {
        next = block->next;
        lib_mem_free(block);
    }
    memory->spare = NULL;
    memory->spare_bytes = 0;
}

bool isa_tensor_fits(const struct isa_tensor_memory *memory,
                     const struct isa_shape *shape)
{
    const uint64_t bytes = isa_shape_bytes(shape);
    const uint64_t most = memory->limit ? memory->limit : (uint64_t)PTRDIFF_MAX / 2;
    return bytes <= most && memory->used <= most - bytes;
}

/* Removes a spare block of a capacity from the list. Returns NULL if there is none. */
static struct isa_tensor_spare *take_spare(struct isa_tensor_memory *memory,
                                           uint64_t bytes)
{
    for (struct isa_tensor_spare **link = &memory->spare; *link; link = &(*link)->next)
        if ((*link)->capacity == bytes) {
            struct isa_tensor_spare *block = *link;
            *link = block->next;
            memory->spare_bytes -= bytes;
            return block;
        }
    return NULL;
}

struct isa_tensor *isa_tensor_new(struct isa_tensor_memory *memory,
                                  const struct isa_shape *shape)
{
    if (!isa_tensor_fits(memory, shape))
        return NULL;
    const uint64_t bytes = isa_shape_bytes(shape);
    struct isa_tensor_spare *block = bytes >= SPARE_LEAST ? take_spare(memory, bytes)
                                                          : NULL;
    if (!block) {
        block = lib_mem_resize(NULL, sizeof *block + 2 * ALIGNMENT + bytes);
        block->capacity = bytes;
    }
    struct isa_tensor *tensor = &block->tensor;
    const uintptr_t behind = (uintptr_t)(block + 1) + sizeof(struct prefix);
    const uintptr_t gap = (ALIGNMENT - behind % ALIGNMENT) % ALIGNMENT;
    *tensor = (struct isa_tensor){
        .shape = *shape,
        .count = isa_shape_count(shape),
        .bytes = bytes,
        .data = (char *)(block + 1) + sizeof(struct prefix) + gap,
    };
    memory->used += bytes;
    if (memory->used > memory->peak)
        memory->peak = memory->used;
    return tensor;
}

void isa_tensor_free(struct isa_tensor_memory *memory, struct isa_tensor *tensor)
{
    if (!tensor)
        return;
    struct isa_tensor_spare *block = block_of(tensor);
    assert(memory->used >= tensor->bytes);
    memory->used -= tensor->bytes;
    if (block->capacity < SPARE_LEAST ||
        block->capacity > SPARE_MAX - memory->spare_bytes) {
        lib_mem_free(block);
        return;
    }
    block->next = memory->spare;
    memory->spare = block;
    memory->spare_bytes += block->capacity;
}

struct isa_tensor *isa_tensor_scalar(struct isa_tensor_memory *memory,
                                     enum isa_element_kind element, double value,
                                     bool with_word)
{
    const struct isa_shape shape = isa_shape_scalar(element);
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (tensor) {
        isa_tensor_set(tensor, 0, value);
        isa_tensor_seal(tensor, with_word);
    }
    return tensor;
}

void isa_tensor_refusal(struct lib_text *why, const struct isa_tensor_memory *memory,
                        const struct isa_shape *shape)
{
    lib_text_puts(why, "a tensor of ");
    isa_shape_write(why, shape);
    lib_text_puts(why, " takes ");
    if (isa_shape_bytes(shape) == UINT64_MAX)
        lib_text_puts(why, "more bytes than 64 bits can count");
    else
        lib_text_printf(why, "%llu bytes", (unsigned long long)isa_shape_bytes(shape));
    if (memory->limit)
        lib_text_printf(why, "; %llu of %llu bytes for tensors are taken",
                        (unsigned long long)memory->used,
                        (unsigned long long)memory->limit);
}

/* Makes all NaNs of `count` elements the canonical one. */
#define CANONICAL(T, BITS, NAN_BITS)                                                     \
    static void canonical_##T(T *data, uint64_t count)                                   \
    {                                                                                    \
        const BITS bits = NAN_BITS;                                                      \
        for (uint64_t i = 0; i < count; i++)                                             \
            if (data[i] != data[i])                                                      \
                memcpy(&data[i], &bits, sizeof bits);                                    \
    }
CANONICAL(double, uint64_t, ISA_TENSOR_NAN)
CANONICAL(float, uint32_t, ISA_TENSOR_NAN32)

/* Adds the shapes of a pair's parts to its word. */
static void add_shapes(struct isa_tensor *pair)
{
    uint64_t words[1 + 2 * (2 + ISA_RANK_MAX)] = {pair->word}, *to = words + 1;
    for (int i = 0; i < 2; i++) {
        const struct isa_shape *part = &pair->parts[i];
        *to++ = part->element;
        *to++ = part->rank;
        for (unsigned axis = 0; axis < ISA_RANK_MAX; axis++)
            *to++ = axis < part->rank ? (uint64_t)part->extents[axis] : 0;
    }
    pair->word = XXH3_64bits(words, sizeof words);
}

void isa_tensor_seal(struct isa_tensor *tensor, bool with_word)
{
    const struct isa_vector_functions *vectors = isa_widest_vectors();
    if (tensor->shape.element == ISA_ELEMENT_REAL) {
        if (vectors->have_nan(tensor->reals, tensor->count))
            canonical_double(tensor->reals, tensor->count);
    } else if (tensor->shape.element == ISA_ELEMENT_REAL32) {
        if (vectors->have_nan32(tensor->reals32, tensor->count))
            canonical_float(tensor->reals32, tensor->count);
    }
    isa_tensor_seal_canonical(tensor, with_word);
}

void isa_tensor_seal_canonical(struct isa_tensor *tensor, bool with_word)
{
    if (!with_word)
        return;
    struct prefix prefix = {.element = tensor->shape.element, .rank = tensor->shape.rank};
    memcpy(prefix.extents, tensor->shape.extents,
           tensor->shape.rank * sizeof *prefix.extents);
    char *start = (char *)tensor->data - sizeof prefix;
    memcpy(start, &prefix, sizeof prefix);
    tensor->word = XXH3_64bits(start, sizeof prefix + tensor->bytes);
    if (tensor->shape.element == ISA_ELEMENT_PAIR)
        add_shapes(tensor);
}

bool isa_tensor_is_sound(const struct isa_tensor *tensor)
{
    for (uint64_t i = 0; tensor->shape.element == ISA_ELEMENT_BOOL && i < tensor->count;
         i++)
        if (tensor->bools[i] > 1)
            return false;
    return true;
}

void isa_tensor_write_element(struct lib_text *out, const struct isa_tensor *tensor,
                              uint64_t i)
{
    switch (tensor->shape.element) {
    case ISA_ELEMENT_INT:
        lib_text_printf(out, "%" PRId64, tensor->ints[i]);
        break;
    case ISA_ELEMENT_BOOL:
        lib_text_puts(out, tensor->bools[i] ? "true" : "false");
        break;
    default:
        lib_text_real(out, isa_tensor_get(tensor, i));
    }
}

static void write_axis(struct lib_text *out, const struct isa_tensor *tensor,
                       unsigned axis, uint64_t *at)
{
    if (axis == tensor->shape.rank) {
        isa_tensor_write_element(out, tensor, (*at)++);
        return;
    }
    lib_text_puts(out, "[");
    for (int64_t i = 0; i < tensor->shape.extents[axis]; i++) {
        if (i > 0)
            lib_text_puts(out, ", ");
        write_axis(out, tensor, axis + 1, at);
    }
    lib_text_puts(out, "]");
}

void isa_tensor_write(struct lib_text *out, const struct isa_tensor *tensor)
{
    uint64_t at = 0;
    if (tensor->shape.element != ISA_ELEMENT_PAIR) {
        write_axis(out, tensor, 0, &at);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct isa_tensor part = isa_pair_part(tensor, i);
        lib_text_puts(out, i ? ", " : "(");
        isa_tensor_write(out, &part);
    }
    lib_text_puts(out, ")");
}
