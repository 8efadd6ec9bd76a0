/* Builds data: constructors, fields, numbers of constructors. Data that is not boxed is the values
 * of its fields, one after the other, as a tuple is of its parts. */
#include "programs/graph/builder.h"
#include "programs/types/datatype.h"
#include "programs/types/type.h"

/* Adds the types and names of the values of a field. */
static uint32_t flatten_field(struct programs_builder *b, struct programs_type *data,
                              const struct programs_field *field,
                              struct isa_field *fields)
{
    struct programs_type *type = programs_type_of_field(data, field);
    const uint32_t width = (uint32_t)programs_type_width(type);
    enum isa_type *types = LIB_ARENA_ARRAY(b->arena, enum isa_type, width);
    programs_type_flatten(type, types);
    for (uint32_t k = 0; k < width; k++) {
        const char *name = field->name;
        if (name && width > 1)
            name = lib_arena_printf(b->arena, "%s.%u", name, k);
        fields[k] = (struct isa_field){.name = name, .type = types[k]};
    }
    return width;
}

static uint32_t width_of_field(struct programs_type *data,
                               const struct programs_field *field)
{
    return (uint32_t)programs_type_width(programs_type_of_field(data, field));
}

/* Returns the index in the graph of a constructor of boxed data of type `data`. */
static uint32_t constructor_of(struct programs_builder *b, struct programs_type *data,
                               const struct programs_constructor *c)
{
    struct isa_constructor made = {.name = c->name, .number = c->number};
    struct lib_text shape = {0};
    LIB_TEXT_OWN type = {0};
    uint32_t width = 0;
    for (uint32_t i = 0; i < c->field_count; i++)
        width += width_of_field(data, &c->fields[i]);
    made.fields = LIB_ARENA_ARRAY(b->arena, struct isa_field, width);
    for (uint32_t i = 0; i < c->field_count; i++) {
        lib_text_puts(&shape, i ? ", " : "(");
        programs_type_shape(programs_type_of_field(data, &c->fields[i]), &shape);
        made.field_count += flatten_field(b, data, &c->fields[i],
                                          &made.fields[made.field_count]);
    }
    lib_text_puts(&shape, c->field_count ? ")" : "");
    programs_type_write(data, &type);
    made.type = lib_text_get(&type);
    made.shape = lib_arena_keep(b->arena, &shape);
    return form_constructor(&b->forms, &made);
}

struct form_ids programs_build_construct(struct programs_builder *b,
                                         const struct programs_expr *e)
{
    const struct programs_constructor *c = e->construct->constructor;
    struct form_ids fields = programs_build_operands(b, e);
    if (!c->datatype->is_boxed)
        return fields;
    return programs_build_value(
        b, form_construct(b->at, constructor_of(b, programs_type_find(e->type), c),
                          fields.items));
}

/* Returns part `part` of a tuple. */
static struct form_ids part_of(struct programs_type *tuple, struct form_ids all,
                               uint32_t part)
{
    for (uint32_t i = 0; i < part; i++)
        all.items += programs_type_width(tuple->parts[i]);
    all.count = (uint32_t)programs_type_width(tuple->parts[part]);
    return all;
}

struct form_ids programs_build_field(struct programs_builder *b,
                                     const struct programs_expr *e)
{
    const struct programs_field *field = e->selection->field;
    struct programs_type *data = programs_type_find(e->operands[0]->type);
    struct form_ids all = programs_build_expr(b, e->operands[0]);
    if (!field)
        return part_of(data, all, e->selection->part);
    const struct programs_constructor *c = field->constructor;
    const uint32_t width = width_of_field(data, field);
    uint32_t first = 0;
    for (uint32_t i = 0; i < field->index; i++)
        first += width_of_field(data, &c->fields[i]);
    if (!c->datatype->is_boxed)
        return (struct form_ids){all.items + first, width, width};
    const uint32_t constructor = constructor_of(b, data, c);
    struct form_ids values = programs_build_values(b, width);
    for (uint32_t k = 0; k < width; k++)
        values.items[k] = form_field(b->at, constructor, first + k, all.items[0]);
    return values;
}

struct form_ids programs_build_number(struct programs_builder *b,
                                      const struct programs_expr *e)
{
    return programs_build_value(
        b, form_constructor_number(b->at, programs_build_one(b, e->operands[0])));
}
