#include "isa/exec/structure.h"

#include "isa/exec/port.h"
#include "isa/tensor/join.h"

#include <string.h>

void isa_structures_init(struct isa_structures *s, uint64_t limit_bytes)
{
    *s = (struct isa_structures){.free = ISA_STRUCTURE_NONE,
                                 .unreferenced = ISA_STRUCTURE_NONE,
                                 .limit_bytes = limit_bytes,
                                 .tensors.limit = limit_bytes};
}

enum { OPEN_ROOM_LEAST = 8 };

uint32_t isa_structure_room(const struct isa_structure *structure, uint32_t length)
{
    uint64_t room = OPEN_ROOM_LEAST;
    while (structure->is_open && room < length)
        room *= 2;
    return structure->is_open && room < UINT32_MAX ? (uint32_t)room : length;
}

/* Returns the number of elements for which memory is allocated, with that of accumulators. */
static size_t room_of(const struct isa_structure *structure)
{
    return (size_t)isa_structure_room(structure, structure->length) +
           isa_structure_extra(structure);
}

static uint32_t take_number(struct isa_structures *s)
{
    const uint32_t number = s->free;
    if (number == ISA_STRUCTURE_NONE) {
        (void)LIB_VEC_PUSH(&s->all);
        return (uint32_t)s->all.count - 1;
    }
    s->free = s->all.items[number].next;
    return number;
}

/* Returns the word, behind the elements of an array that accumulates, with the number of elements
 * that are not written. After another word follow the accumulators. */
static uint64_t *count_unwritten(const struct isa_structure *structure)
{
    return &structure->elements[structure->length].value;
}

static uint64_t *accumulator_at(const struct isa_structure *structure, uint32_t element)
{
    return &structure
                ->elements[structure->length + 1 +
                           (size_t)element *
                               isa_fold_places((enum isa_fold)structure->fold)]
                .value;
}

void isa_structures_contribute(const struct isa_structures *s, isa_value address,
                               isa_value value)
{
    const struct isa_structure *structure = isa_structures_get(s, address);
    isa_accumulator_add(accumulator_at(structure, isa_reference_element(address)),
                        (enum isa_fold)structure->fold, value);
}

/* Frees the accumulators of an array that does not need them any more. */
static void free_accumulators(struct isa_structures *s, struct isa_structure *structure)
{
    s->bytes -= isa_structure_extra(structure) * sizeof *structure->elements;
    structure->fold = ISA_FOLD_NONE;
    structure->elements = lib_mem_resize(
        structure->elements, (size_t)structure->length * sizeof *structure->elements);
}

bool isa_structures_total(struct isa_structures *s, isa_value address, isa_value *total)
{
    struct isa_structure *structure = isa_structures_get(s, address);
    if (!isa_accumulator_total(accumulator_at(structure, isa_reference_element(address)),
                               (enum isa_fold)structure->fold, total))
        return false;
    if (--*count_unwritten(structure) == 0)
        free_accumulators(s, structure);
    return true;
}

uint32_t isa_structures_make(struct isa_structures *s, uint64_t length,
                             const struct isa_structure *made)
{
    const uint64_t used = s->bytes + sizeof *made;
    const uint8_t fold = length ? made->fold : ISA_FOLD_NONE;
    const struct isa_structure sized = {.length = (uint32_t)length, .fold = fold};
    if (length > UINT32_MAX || s->count == ISA_STRUCTURE_NONE - 1 ||
        used > s->limit_bytes ||
        length + isa_structure_extra(&sized) >
            (s->limit_bytes - used) / sizeof(struct isa_element))
        return ISA_STRUCTURE_NONE;
    const uint32_t number = take_number(s);
    struct isa_structure *structure = &s->all.items[number];
    *structure = *made;
    structure->length = (uint32_t)length;
    structure->fold = fold;
    if (!made->is_data)
        structure->reach = made->is_open && isa_ports_count(s->ports) ? 0
                                                                      : (uint32_t)length;
    structure->references = 1;
    structure->is_alive = true;
    structure->elements = lib_mem_new_scattered(room_of(structure) *
                                                sizeof *structure->elements);
    if (fold)
        *count_unwritten(structure) = length;
    s->count++;
    s->has_risen = true;
    s->elements += length;
    s->bytes = used +
               (length + isa_structure_extra(structure)) * sizeof *structure->elements;
    if (s->array_made && !made->is_data)
        s->array_made(s->context, made->owner, 0, length);
    for (uint32_t k = 0; s->array_made && made->is_data && k < length; k++)
        s->array_made(s->context, made->owner, 0, 1);
    if (s->watcher)
        s->watcher->array_made(s->watcher->context, number, (uint32_t)length);
    return number;
}

void isa_structures_grow(struct isa_structures *s, uint32_t number)
{
    struct isa_structure *structure = &s->all.items[number];
    const uint32_t length = structure->length,
                   room = isa_structure_room(structure, length),
                   more = isa_structure_room(structure, length + 1);
    assert(structure->is_open && length < UINT32_MAX);
    if (more != room)
        structure->elements = lib_mem_resize(structure->elements,
                                             (size_t)more * sizeof *structure->elements);
    structure->elements[length] = (struct isa_element){0};
    structure->reach = isa_ports_count(s->ports) ? structure->reach : length + 1;
    structure->length++;
    s->has_risen = true;
    s->elements++;
    s->bytes += sizeof *structure->elements;
    if (s->array_made)
        s->array_made(s->context, structure->owner, length, structure->length);
    if (s->watcher && s->watcher->array_grown)
        s->watcher->array_grown(s->watcher->context, number, structure->length);
}

uint32_t isa_structures_make_tensor(struct isa_structures *s, struct isa_tensor *tensor,
                                    const struct isa_structure *made)
{
    const uint64_t used = s->bytes + sizeof *made;
    if (s->count == ISA_STRUCTURE_NONE - 1 || used > s->limit_bytes ||
        tensor->bytes > s->limit_bytes - used)
        return ISA_STRUCTURE_NONE;
    const uint32_t number = take_number(s);
    struct isa_structure *structure = &s->all.items[number];
    *structure = *made;
    structure->tensor = tensor;
    structure->references = 1;
    structure->is_alive = true;
    structure->is_tensor = true;
    s->count++;
    s->has_risen = true;
    s->bytes = used + tensor->bytes;
    if (s->tensor_made)
        s->tensor_made(s->context, number);
    if (s->watcher)
        s->watcher->array_made(s->watcher->context, number, 0);
    return number;
}

static void release_tensor(struct isa_structures *s, uint32_t number)
{
    struct isa_structure *gone = &s->all.items[number];
    if (s->tensor_gone)
        s->tensor_gone(s->context, number, gone->tensor->bytes);
    s->bytes -= sizeof *gone + gone->tensor->bytes;
    isa_tensor_free(&s->tensors, gone->tensor);
    *gone = (struct isa_structure){.next = s->free};
    s->free = number;
    s->count--;
    if (s->watcher)
        s->watcher->array_gone(s->watcher->context, number, 0);
}

static void release_elements(struct isa_structures *s, uint32_t number)
{
    const struct isa_structure gone = s->all.items[number];
    for (uint32_t i = 0; gone.holds_references && i < gone.length; i++)
        if (isa_element_is_written(&gone.elements[i]) &&
            isa_structures_refers(s, &gone, i))
            isa_structures_drop(s, gone.elements[i].value);
    lib_mem_free(gone.elements);
    if (gone.is_open)
        isa_ports_forget(s->ports, isa_structure_port(s->ports, &gone), number);
    s->all.items[number] = (struct isa_structure){.next = s->free};
    s->free = number;
    s->count--;
    s->elements -= gone.length;
    s->bytes -= sizeof gone +
                (gone.length + isa_structure_extra(&gone)) * sizeof *gone.elements;
    if (s->array_gone && !gone.is_data)
        s->array_gone(s->context, gone.owner, gone.length);
    for (uint32_t k = 0; s->array_gone && gone.is_data && k < gone.length; k++)
        s->array_gone(s->context, gone.owner, 1);
    if (s->watcher)
        s->watcher->array_gone(s->watcher->context, number, gone.length);
}

/* Frees data, and then all data that only it held. */
static void release_data(struct isa_structures *s, uint32_t number)
{
    s->all.items[number].references = s->unreferenced;
    s->unreferenced = number;
    if (s->is_releasing)
        return;
    s->is_releasing = true;
    while (s->unreferenced != ISA_STRUCTURE_NONE) {
        const uint32_t next = s->unreferenced;
        s->unreferenced = (uint32_t)s->all.items[next].references;
        release_elements(s, next);
    }
    s->is_releasing = false;
}

void isa_structures_release(struct isa_structures *s, uint32_t number)
{
    if (s->all.items[number].is_tensor)
        release_tensor(s, number);
    else if (s->all.items[number].is_data)
        release_data(s, number);
    else
        release_elements(s, number);
}

/* --- the state ------------------------------------------------------------------------------ */

/* Packs a tensor. When reading, checks the shape before anything is allocated. */
static void pack_tensor(struct lib_pack *pack, struct isa_tensor_memory *memory,
                        struct isa_structure *s)
{
    struct isa_shape shape = {0};
    uint64_t word = 0;
    struct isa_shape parts[2] = {{0}};
    if (!lib_pack_reads(pack)) {
        memcpy(parts, s->tensor->parts, sizeof parts);
        shape = s->tensor->shape;
        word = s->tensor->word;
    }
    LIB_PACK(pack, shape.element, shape.rank, shape.extents, word);
    for (int i = 0; shape.element == ISA_ELEMENT_PAIR && i < 2; i++)
        LIB_PACK(pack, parts[i].element, parts[i].rank, parts[i].extents);
    if (lib_pack_reads(pack)) {
        const bool good = shape.element <= ISA_ELEMENT_PAIR &&
                          shape.rank <= ISA_RANK_MAX && isa_shape_is_known(&shape) &&
                          isa_shape_is_legal(&shape) &&
                          isa_shape_bytes(&shape) <= pack->length;
        s->tensor = lib_pack_expect(pack, good) ? isa_tensor_new(memory, &shape) : NULL;
        s->is_tensor = lib_pack_expect(pack, s->tensor != NULL);
        s->is_alive = s->is_tensor;
    }
    if (s->is_tensor && lib_pack_reads(pack))
        memcpy(s->tensor->parts, parts, sizeof parts);
    if (s->is_tensor && s->tensor->bytes)
        lib_pack_bytes(pack, s->tensor->data, s->tensor->bytes);
    if (s->is_tensor)
        lib_pack_expect(pack, s->tensor->shape.element == ISA_ELEMENT_PAIR
                                  ? isa_pair_is_sound(s->tensor)
                                  : isa_tensor_is_sound(s->tensor));
    if (s->is_tensor && lib_pack_reads(pack))
        s->tensor->word = word;
}

/* Packs the elements of an array, with its accumulators. An open array gets its spare memory again.
 */
static void pack_elements(struct lib_pack *pack, struct isa_structure *s)
{
    s->length = (uint32_t)lib_pack_count(pack, s->length, sizeof *s->elements);
    uint64_t bytes = (s->length + isa_structure_extra(s)) * sizeof *s->elements;
    if (lib_pack_reads(pack) && !lib_pack_expect(pack, bytes <= pack->length)) {
        bytes = s->length = 0;
        s->fold = ISA_FOLD_NONE;
    }
    if (lib_pack_reads(pack) && s->is_alive)
        s->elements = lib_mem_new(room_of(s) * sizeof *s->elements);
    if (s->is_alive)
        lib_pack_bytes(pack, s->elements, bytes);
}

static void isa_structure_fields_pack(struct lib_pack *pack, struct isa_structures *all,
                                      struct isa_structure *s)
{
    LIB_PACK(pack, s->references, s->hash, s->instr, s->owner);
    uint32_t next = s->is_alive ? 0 : s->next;
    LIB_PACK(pack, next);
    lib_pack_bool(pack, &s->is_alive);
    lib_pack_bool(pack, &s->holds_references);
    if (all->has_tensors) {
        lib_pack_bool(pack, &s->is_tensor);
        if (s->is_alive && s->is_tensor) {
            pack_tensor(pack, &all->tensors, s);
            return;
        }
    }
    if (all->ports)
        lib_pack_bool(pack, &s->is_open);
    if (all->has_folds)
        LIB_PACK(pack, s->fold);
    if (!lib_pack_expect(pack, s->fold < ISA_FOLDS && (!s->fold || !s->is_open)))
        s->fold = ISA_FOLD_NONE;
    pack_elements(pack, s);
    if (lib_pack_reads(pack)) /* what an INDEX can reach of an open one is found again */
        s->reach = !s->is_alive                                ? next
                   : s->is_open && isa_ports_count(all->ports) ? 0
                                                               : s->length;
}

static void isa_structure_fields_free(struct isa_structures *s,
                                      struct isa_structure *structure)
{
    if (structure->is_tensor)
        isa_tensor_free(&s->tensors, structure->tensor);
    else
        lib_mem_free(structure->elements);
}

/* Frees the structures that exist before something is read: the arrays of ports. */
static void forget_for_reading(struct lib_pack *pack, struct isa_structures *s)
{
    for (size_t i = 0; lib_pack_reads(pack) && i < s->all.count; i++)
        isa_structure_fields_free(s, &s->all.items[i]);
    if (lib_pack_reads(pack))
        s->all.count = 0;
}

LIB_STATE(struct isa_structures, isa_structures, ISA_STRUCTURES_FIELDS)

void isa_structures_free(struct isa_structures *s)
{
    isa_structures_fields_free(s, s);
}

/* Makes the structure of data without fields. */
static void make_fieldless(struct isa_structures *s)
{
    assert(s->all.count == ISA_STRUCTURE_FIELDLESS);
    *LIB_VEC_PUSH(&s->all) = (struct isa_structure){
        .references = ISA_STRUCTURE_FOREVER, .is_alive = true, .is_data = true};
}

void isa_structures_reset(struct isa_structures *s,
                          const struct isa_constructor *constructors)
{
    isa_structures_fields_clear(s, s);
    s->constructors = constructors;
    if (constructors)
        make_fieldless(s);
}

/* Sets the members of data that follow from the instructions that made it. Structure 0 is that of
 * data without fields. */
static void restore_data(struct lib_pack *pack, struct isa_structures *s,
                         const struct isa_graph *graph)
{
    struct isa_structure *const all = s->all.items;
    if (!graph->constructor_count)
        return;
    for (size_t i = 1; i < s->all.count; i++) {
        const bool is_made = all[i].is_alive && !all[i].is_tensor &&
                             all[i].instr < graph->node_count;
        const struct isa_node *n = &graph->nodes[is_made ? all[i].instr : 0];
        if (!is_made || n->op != ISA_OP_CONSTRUCT)
            continue;
        all[i].is_data = true;
        all[i].constructor = n->index;
        lib_pack_expect(pack, all[i].length == graph->constructors[n->index].field_count);
    }
    if (lib_pack_expect(pack, s->all.count && all[0].is_alive && !all[0].is_tensor &&
                                  all[0].length == 0 &&
                                  all[0].references > ISA_STRUCTURE_FOREVER / 2))
        all[0].is_data = true;
}

/* Checks that accumulators are those of the instructions that made arrays. */
static void check_folds(struct lib_pack *pack, const struct isa_structures *s,
                        const struct isa_graph *graph)
{
    for (size_t i = 0; i < s->all.count; i++) {
        const struct isa_structure *a = &s->all.items[i];
        if (!a->fold)
            continue;
        uint64_t unwritten = 0;
        for (uint32_t k = 0; a->is_alive && k < a->length; k++)
            unwritten += !isa_element_is_written(&a->elements[k]);
        lib_pack_expect(pack, a->is_alive && a->instr < graph->node_count &&
                                  a->fold == isa_fold_of(graph->nodes[a->instr].op,
                                                         graph->nodes[a->instr].type) &&
                                  unwritten == *count_unwritten(a) && unwritten > 0);
    }
}

void isa_structures_pack(struct lib_pack *pack, struct isa_structures *s,
                         const struct isa_graph *graph)
{
    isa_structures_fields_pack(pack, s, s);
    if (lib_pack_reads(pack) && s->has_folds)
        check_folds(pack, s, graph);
    if (lib_pack_reads(pack))
        restore_data(pack, s, graph);
}
