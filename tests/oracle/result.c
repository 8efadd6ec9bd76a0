/* The result as text: doc/language.md, "Output"; doc/assembly.md, the shape. */
#include "tests/oracle/state.h"

#include <ctype.h>
#include <string.h>

/* The values of the parts, at some depth of their arrays: of the result, or fields of data. */
struct writer {
    const struct oracle *o;
    struct lib_text *out;
    struct value *parts;
    enum isa_type *types;
    bool uneven; /* arrays in one pair of brackets have different lengths */
};

static const char *write_shape(struct writer *w, const char *shape, uint32_t *part,
                               char end, bool silent);

/* Writes one element of all parts from `first` on. */
static const char *write_array(struct writer *w, const char *shape, uint32_t *part,
                               bool silent)
{
    const uint32_t first = *part;
    uint32_t past = first;
    const char *after = write_shape(w, shape, &past, ']', true);
    *part = past;
    if (silent)
        return after;
    const uint32_t count = past - first;
    struct value *arrays = lib_mem_new((count + 1) * sizeof *arrays);
    for (uint32_t p = 0; p < count; p++) {
        arrays[p] = w->parts[first + p];
        w->uneven |= arrays[p].array->length != arrays[0].array->length;
    }
    lib_text_puts(w->out, "[");
    for (uint64_t i = 0; i < arrays[0].array->length && !w->uneven; i++) {
        for (uint32_t p = 0; p < count; p++)
            w->parts[first + p] = arrays[p].array->elements[i].value;
        if (i > 0)
            lib_text_puts(w->out, ", ");
        past = first;
        write_shape(w, shape, &past, ']', false);
    }
    lib_text_puts(w->out, "]");
    for (uint32_t p = 0; p < count; p++)
        w->parts[first + p] = arrays[p];
    lib_mem_free(arrays);
    return after;
}

/* "Data": the name of the constructor, and the fields in its shape. */
static void write_data(struct writer *w, struct value data)
{
    const struct isa_constructor *c = &w->o->graph->constructors[data.index];
    const size_t room = (size_t)c->field_count + 1;
    struct writer of = {w->o, w->out, lib_mem_new(room * sizeof *of.parts),
                        lib_mem_new(room * sizeof *of.types), false};
    uint32_t part = 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        of.parts[i] = data.array->elements[i].value;
        of.types[i] = c->fields[i].type;
    }
    lib_text_puts(w->out, c->name);
    write_shape(&of, c->shape, &part, '\0', false);
    w->uneven |= of.uneven;
    LIB_MEM_FREE(of.parts, of.types);
}

/* Writes up to `end`; returns what follows it. */
static const char *write_shape(struct writer *w, const char *shape, uint32_t *part,
                               char end, bool silent)
{
    while (*shape != end) {
        const char c = *shape++;
        if (isalpha((unsigned char)c)) { /* a name, in which a _ is no part */
            const size_t rest = strcspn(shape, "(),[]");
            if (!silent)
                lib_text_add(w->out, shape - 1, 1 + rest);
            shape += rest;
        } else if (c == '[') {
            shape = write_array(w, shape, part, silent);
        } else if (c == '_') {
            if (!silent && isa_type_leaf(w->types[*part]) == ISA_DATA)
                write_data(w, w->parts[*part]);
            else if (!silent && w->parts[*part].array && w->parts[*part].array->tensor)
                isa_tensor_write(w->out, w->parts[*part].array->tensor);
            else if (!silent)
                isa_value_write(w->out, isa_type_leaf(w->types[*part]),
                                w->parts[*part].word);
            ++*part;
        } else if (!silent) {
            lib_text_add(w->out, &c, 1);
        }
    }
    return end ? shape + 1 : shape;
}

/* Returns false if the result cannot be written. */
bool oracle_write_result(const struct oracle *o, struct lib_text *out)
{
    const uint32_t count = o->graph->functions[0].result_count;
    struct writer w = {o, out, lib_mem_new((count + 1) * sizeof *w.parts),
                       o->graph->functions[0].results, false};
    uint32_t part = 0;
    for (uint32_t p = 0; p < count; p++)
        w.parts[p] = o->results[p].value;
    write_shape(&w, o->graph->shape, &part, '\0', false);
    lib_mem_free(w.parts);
    return !w.uneven;
}
