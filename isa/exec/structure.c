#include "isa/exec/structure.h"

#include "isa/exec/port.h"

#include <string.h>

void isa_structures_init(struct isa_structures *s, uint64_t limit_bytes)
{
    *s = (struct isa_structures){.free = ISA_STRUCTURE_NONE,
                                 .unreferenced = ISA_STRUCTURE_NONE,
                                 .limit_bytes = limit_bytes,
                                 .tensors.limit = limit_bytes};
}

void isa_structures_begin(struct isa_structures *s,
                          const struct isa_constructor *constructors)
{
    s->constructors = constructors;
    if (!constructors)
        return;
    assert(s->all.count == ISA_STRUCTURE_FIELDLESS);
    *LIB_VEC_PUSH(&s->all) = (struct isa_structure){
        .references = ISA_STRUCTURE_FOREVER, .is_alive = true, .is_data = true};
}

static void free_contents(struct isa_structures *s, struct isa_structure *structure)
{
    if (structure->is_tensor)
        isa_tensor_free(&s->tensors, structure->tensor);
    else
        lib_mem_free(structure->elements);
}

void isa_structures_free(struct isa_structures *s)
{
    for (size_t i = 0; i < s->all.count; i++)
        free_contents(s, &s->all.items[i]);
    LIB_VEC_FREE(&s->all);
    isa_tensor_memory_free(&s->tensors);
}

void isa_structures_reset(struct isa_structures *s, struct isa_structures *start)
{
    for (size_t i = 0; i < s->all.count; i++)
        free_contents(s, &s->all.items[i]);
    LIB_VEC_HAND_OVER(&start->all, &s->all);
    start->tensors.spare = s->tensors.spare;
    start->tensors.spare_bytes = s->tensors.spare_bytes;
}

enum { OPEN_ROOM_LEAST = 8 };

uint32_t isa_structure_room(const struct isa_structure *structure, uint32_t length)
{
    uint64_t room = OPEN_ROOM_LEAST;
    while (structure->is_open && room < length)
        room *= 2;
    return structure->is_open && room < UINT32_MAX ? (uint32_t)room : length;
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

uint32_t isa_structures_make(struct isa_structures *s, uint64_t length,
                             const struct isa_structure *made)
{
    const uint64_t used = s->bytes + sizeof *made;
    if (length > UINT32_MAX || s->count == ISA_STRUCTURE_NONE - 1 ||
        used > s->limit_bytes ||
        length > (s->limit_bytes - used) / sizeof(struct isa_element))
        return ISA_STRUCTURE_NONE;
    const uint32_t number = take_number(s);
    struct isa_structure *structure = &s->all.items[number];
    *structure = *made;
    structure->length = (uint32_t)length;
    if (!made->is_data)
        structure->reach = made->is_open && isa_ports_count(s->ports) ? 0
                                                                      : (uint32_t)length;
    structure->references = 1;
    structure->is_alive = true;
    structure->elements = lib_mem_new_scattered(
        (size_t)isa_structure_room(structure, structure->length) *
        sizeof *structure->elements);
    s->count++;
    s->has_risen = true;
    s->elements += length;
    s->bytes = used + length * sizeof *structure->elements;
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
    s->bytes -= sizeof gone + gone.length * sizeof *gone.elements;
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
