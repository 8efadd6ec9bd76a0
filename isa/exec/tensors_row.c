/* ROW and GIVEN: arrays of the elements of a row of a tensor, or of a constant. */
#include "isa/exec/tensors_internal.h"

static enum isa_type type_of_row(const struct isa_exec *exec,
                                 const struct isa_instr *instr)
{
    return exec->code->graph->nodes[instr - exec->code->instrs].type;
}

/* Whether each element of a row converts to `type`: only bools to bool, a real to int if INT_R can
 * convert it. */
static bool has_values(const struct isa_row *row, enum isa_type type)
{
    const enum isa_element_kind element = row->tensor->shape.element;
    if (type == ISA_BOOL)
        return row->length == 0 || element == ISA_ELEMENT_BOOL;
    if (type == ISA_REAL || !isa_element_is_real(element))
        return true;
    for (uint64_t i = 0; i < row->length; i++) {
        const double x = isa_tensor_get(row->tensor, row->first + i);
        if (!(x >= -0x1p63 && x < 0x1p63))
            return false;
    }
    return true;
}

static isa_value read_element(const struct isa_tensor *tensor, uint64_t i,
                              enum isa_type type)
{
    return type == ISA_REAL  ? isa_value_of_real(isa_tensor_get(tensor, i))
           : type == ISA_INT ? isa_value_of_int(isa_tensor_get_int(tensor, i))
                             : (isa_value)(isa_tensor_get(tensor, i) != 0);
}

/* Finds row `b` of a tensor. Returns false if the tensor has no such row. */
static bool locate_row(const struct isa_exec *exec, isa_value a, isa_value b,
                       struct isa_row *row)
{
    const struct isa_tensor *tensor = isa_tensors_get(exec, a);
    const struct isa_shape *shape = &tensor->shape;
    uint64_t rows = 1;
    *row = (struct isa_row){.tensor = tensor};
    for (int axis = 0; axis + 1 < shape->rank; axis++)
        rows *= (uint64_t)shape->extents[axis];
    if (shape->rank == 0 || b >= rows || /* negative numbers are large unsigned ones */
        shape->element == ISA_ELEMENT_PAIR)
        return false;
    row->length = (uint64_t)shape->extents[shape->rank - 1];
    row->first = b * row->length;
    return true;
}

bool isa_tensors_find_row(const struct isa_exec *exec, const struct isa_instr *instr,
                          isa_value a, isa_value b, struct isa_row *row)
{
    const bool good = locate_row(exec, a, b, row) &&
                      has_values(row, type_of_row(exec, instr));
    if (!good)
        row->length = 0;
    return good;
}

static enum isa_tensors_fired trap_at_row(struct isa_exec *exec,
                                          const struct isa_instr *instr, isa_tag tag,
                                          isa_value a, isa_value b)
{
    struct isa_row row;
    if (!locate_row(exec, a, b, &row))
        return isa_tensors_out_of_range(exec, instr, tag, row.tensor, "row",
                                        isa_value_int(b));
    if (type_of_row(exec, instr) == ISA_BOOL)
        return isa_tensors_out_of_range(exec, instr, tag, row.tensor, "bools in row",
                                        isa_value_int(b));
    isa_exec_trap(exec, ISA_TRAP_CONVERSION, (uint32_t)(instr - exec->code->instrs), tag);
    return ISA_TENSORS_TRAPPED;
}

/* Makes an array of a row, and sets exec->array. */
static enum isa_tensors_fired make_array(struct isa_exec *exec, const struct isa_row *row,
                                         enum isa_type type, uint64_t depth,
                                         const struct isa_structure *made)
{
    exec->array = isa_structures_make(&exec->structures, row->length, made);
    if (exec->array == ISA_STRUCTURE_NONE) {
        exec->out_of_memory = true;
        return ISA_TENSORS_TRAPPED;
    }
    struct isa_element *elements = exec->structures.all.items[exec->array].elements;
    for (uint64_t i = 0; i < row->length; i++) {
        struct isa_element *e = &elements[i];
        e->value = read_element(row->tensor, row->first + i, type);
        e->info = depth << ISA_ELEMENT_DEPTH_SHIFT | ISA_ELEMENT_WRITTEN;
    }
    return ISA_TENSORS_MADE;
}

enum isa_tensors_fired isa_tensors_fire_row(struct isa_exec *exec,
                                            const struct isa_instr *instr, isa_tag tag,
                                            isa_value a, isa_value b, uint64_t depth,
                                            const struct isa_structure *made)
{
    const enum isa_type type = type_of_row(exec, instr);
    struct isa_row row;
    exec->tensor.firings++;
    if (!isa_tensors_find_row(exec, instr, a, b, &row))
        return trap_at_row(exec, instr, tag, a, b);
    return make_array(exec, &row, type, depth, made);
}

enum isa_tensors_fired isa_tensors_fire_given(struct isa_exec *exec,
                                              const struct isa_instr *instr,
                                              uint64_t depth,
                                              const struct isa_structure *made)
{
    const struct isa_tensor *tensor = exec->code->constants[instr->index];
    const struct isa_row row = {.tensor = tensor, .length = tensor->count};
    return make_array(exec, &row, type_of_row(exec, instr), depth, made);
}
