#include "machine/result.h"

struct search {
    const struct machine *m;
    bool *seen; /* for each array, since several elements may hold the same one */
    struct machine_written last;
};

static void take_later(struct search *s, struct machine_written w)
{
    if (w.number && (s->last.number == 0 || w.cycle > s->last.cycle ||
                     (w.cycle == s->last.cycle && w.number < s->last.number)))
        s->last = w;
}

/* The depth of recursion is at most the rank of a type. */
static void search_array(struct search *s, isa_value reference)
{
    const uint32_t number = isa_reference_structure(reference);
    const struct isa_structure *array = isa_structures_get(&s->m->tokens.exec.structures,
                                                           reference);
    if (array->is_tensor || s->seen[number])
        return;
    s->seen[number] = true;
    if (number < s->m->run.written.count)
        take_later(s, s->m->run.written.items[number]);
    for (uint32_t i = 0; array->holds_references && i < array->length; i++)
        if (isa_element_is_written(&array->elements[i]))
            search_array(s, array->elements[i].value);
}

struct machine_written machine_result_written(const struct machine *m)
{
    const struct isa_exec *x = &m->tokens.exec;
    const struct isa_function *top = &x->code->graph->functions[0];
    struct search s = {m, lib_mem_new(x->structures.all.count + 1), m->run.output};
    for (uint32_t part = 0; part < isa_graph_result_parts(x->code->graph); part++)
        if (x->has_result[part] && isa_type_is_reference(top->results[part]))
            search_array(&s, x->results[part]);
    lib_mem_free(s.seen);
    return s.last;
}
