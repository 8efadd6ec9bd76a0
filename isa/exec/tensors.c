#include "isa/exec/tensors_internal.h"

#include "isa/tensor/join.h"

enum isa_tensors_fired isa_tensors_trap(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        const char *why)
{
    lib_text_clear(&exec->trap_note);
    lib_text_puts(&exec->trap_note, why);
    isa_exec_trap(exec, ISA_TRAP_TENSOR, (uint32_t)(instr - exec->code->instrs), tag);
    return ISA_TENSORS_TRAPPED;
}

enum isa_tensors_fired isa_tensors_keep(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        struct isa_tensor *tensor, isa_value *value)
{
    if (tensor) {
        const struct isa_structure made = {
            .instr = (uint32_t)(instr - exec->code->instrs),
            .owner = isa_activations_owner(&exec->tags,
                                           isa_activations_get(&exec->tags, tag)),
        };
        const uint32_t number = isa_structures_make_tensor(&exec->structures, tensor,
                                                           &made);
        *value = isa_reference(number, 0);
        if (number != ISA_STRUCTURE_NONE)
            return ISA_TENSORS_MADE;
        isa_tensor_free(&exec->structures.tensors, tensor);
    }
    exec->out_of_memory = true;
    return ISA_TENSORS_TRAPPED;
}

static struct isa_tensor *make_number(struct isa_tensor_memory *memory, int64_t number,
                                      bool with_word)
{
    struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {1}};
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (tensor) {
        tensor->reals[0] = (double)number;
        isa_tensor_seal(tensor, with_word);
    }
    return tensor;
}

/* Makes a tensor of rank 0 from an int or a bool. Returns NULL if there is no memory. */
static struct isa_tensor *make_scalar(struct isa_tensor_memory *memory,
                                      enum isa_element_kind element, isa_value value,
                                      bool with_word)
{
    const struct isa_shape shape = isa_shape_scalar(element);
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (!tensor)
        return NULL;
    if (element == ISA_ELEMENT_INT)
        tensor->ints[0] = isa_value_int(value);
    else
        tensor->bools[0] = value != 0;
    isa_tensor_seal(tensor, with_word);
    return tensor;
}

/* Makes a tensor of rank 1 with the extents of another one. */
static struct isa_tensor *make_shape(struct isa_tensor_memory *memory,
                                     const struct isa_shape *of, bool with_word)
{
    const struct isa_shape shape = {ISA_ELEMENT_INT, 1, {of->rank}};
    struct isa_tensor *tensor = isa_tensor_new(memory, &shape);
    if (!tensor)
        return NULL;
    for (unsigned i = 0; i < of->rank; i++)
        tensor->ints[i] = of->extents[i];
    isa_tensor_seal(tensor, with_word);
    return tensor;
}

static struct isa_tensor *load(struct isa_exec *exec, const struct isa_instr *instr,
                               bool with_word)
{
    const struct isa_tensor *constant = exec->code->constants[instr->index];
    struct isa_tensor *tensor = isa_tensor_new(&exec->structures.tensors,
                                               &constant->shape);
    if (tensor) {
        if (constant->bytes)
            memcpy(tensor->data, constant->data, constant->bytes);
        isa_tensor_seal(tensor, with_word);
    }
    return tensor;
}

static enum isa_tensors_fired fire_joined(struct isa_exec *exec,
                                          const struct isa_instr *instr, isa_tag tag,
                                          const struct isa_tensor *a,
                                          const struct isa_tensor *b, bool with_word,
                                          isa_value *value)
{
    struct isa_shape shape;
    struct lib_text why = {0};
    enum isa_tensors_fired fired;
    if (isa_tensors_find_joined((enum isa_op)instr->op, a, b, &shape, &why)) {
        struct isa_tensor_memory *memory = &exec->structures.tensors;
        struct isa_tensor *made = instr->op == ISA_OP_PAIR ? isa_pair_new(memory, a, b)
                                                           : isa_vector_new(memory, a, b);
        if (made)
            isa_tensor_seal(made, with_word);
        fired = isa_tensors_keep(exec, instr, tag, made, value);
    } else {
        fired = isa_tensors_trap(exec, instr, tag, lib_text_get(&why));
    }
    lib_text_free(&why);
    return fired;
}

enum isa_tensors_fired isa_tensors_out_of_range(struct isa_exec *exec,
                                                const struct isa_instr *instr,
                                                isa_tag tag,
                                                const struct isa_tensor *tensor,
                                                const char *what, int64_t number)
{
    struct lib_text why = {0};
    lib_text_printf(&why, "%s %lld of a tensor of ", what, (long long)number);
    isa_shape_write(&why, &tensor->shape);
    const enum isa_tensors_fired fired = isa_tensors_trap(exec, instr, tag,
                                                          lib_text_get(&why));
    lib_text_free(&why);
    return fired;
}

static enum isa_tensors_fired fire_item(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        const struct isa_tensor *tensor, int64_t number,
                                        isa_value *value)
{
    const enum isa_element_kind element = tensor->shape.element;
    if (number < 0 || (uint64_t)number >= tensor->count || element == ISA_ELEMENT_PAIR)
        return isa_tensors_out_of_range(exec, instr, tag, tensor, "element", number);
    if ((instr->op == ISA_OP_ITEM_I && element != ISA_ELEMENT_INT) ||
        (instr->op == ISA_OP_ITEM_B && element != ISA_ELEMENT_BOOL))
        return isa_tensors_out_of_range(exec, instr, tag, tensor,
                                        instr->op == ISA_OP_ITEM_I ? "int" : "bool",
                                        number);
    *value = instr->op == ISA_OP_ITEM_I ? isa_value_of_int(tensor->ints[number])
             : instr->op == ISA_OP_ITEM_B
                 ? (isa_value)tensor->bools[number]
                 : isa_value_of_real(isa_tensor_get(tensor, (uint64_t)number));
    return ISA_TENSORS_MADE;
}

enum isa_tensors_fired isa_tensors_fire(struct isa_exec *exec,
                                        const struct isa_instr *instr, isa_tag tag,
                                        isa_value a, isa_value b, bool with_word,
                                        isa_value *value)
{
    struct isa_tensor_memory *memory = &exec->structures.tensors;
    const int64_t number = isa_value_int(b);
    exec->tensor.firings++;
    switch (instr->op) {
    case ISA_OP_SCALAR:
    case ISA_OP_SCALAR_F:
        return isa_tensors_keep(exec, instr, tag,
                                isa_tensor_scalar(memory,
                                                  instr->op == ISA_OP_SCALAR
                                                      ? ISA_ELEMENT_REAL
                                                      : ISA_ELEMENT_REAL32,
                                                  isa_value_real(a), with_word),
                                value);
    case ISA_OP_VECTOR:
    case ISA_OP_PAIR:
        return fire_joined(exec, instr, tag, isa_tensors_get(exec, a),
                           isa_tensors_get(exec, b), with_word, value);
    case ISA_OP_NUMBER:
        return isa_tensors_keep(exec, instr, tag,
                                make_number(memory, isa_value_int(a), with_word), value);
    case ISA_OP_LOAD:
        return isa_tensors_keep(exec, instr, tag, load(exec, instr, with_word), value);
    case ISA_OP_SCALAR_I:
        return isa_tensors_keep(
            exec, instr, tag, make_scalar(memory, ISA_ELEMENT_INT, a, with_word), value);
    case ISA_OP_SCALAR_B:
        return isa_tensors_keep(
            exec, instr, tag, make_scalar(memory, ISA_ELEMENT_BOOL, a, with_word), value);
    case ISA_OP_ITEM:
    case ISA_OP_ITEM_I:
    case ISA_OP_ITEM_B:
        return fire_item(exec, instr, tag, isa_tensors_get(exec, a), number, value);
    case ISA_OP_SHAPE:
        if (isa_tensors_get(exec, a)->shape.element == ISA_ELEMENT_PAIR)
            return isa_tensors_trap(exec, instr, tag, "`shape` of a pair");
        return isa_tensors_keep(
            exec, instr, tag,
            make_shape(memory, &isa_tensors_get(exec, a)->shape, with_word), value);
    case ISA_OP_DIM: {
        const struct isa_tensor *tensor = isa_tensors_get(exec, a);
        if (number < 0 || number >= tensor->shape.rank ||
            tensor->shape.element == ISA_ELEMENT_PAIR)
            return isa_tensors_out_of_range(exec, instr, tag, tensor, "axis", number);
        *value = isa_value_of_int(tensor->shape.extents[number]);
        return ISA_TENSORS_MADE;
    }
    default:
        return isa_tensors_apply(exec, instr, tag, a, b, with_word, value);
    }
}
