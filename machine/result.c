#include "machine/result.h"

struct search {
    const struct machine *m;
    bool *seen; /* for each structure, since several elements may hold the same one */
    LIB_VEC(uint32_t) found; /* structures whose elements were not searched yet */
    struct machine_written last;
};

static void take_later(struct search *s, struct machine_written w)
{
    if (w.number && (s->last.number == 0 || w.cycle > s->last.cycle ||
                     (w.cycle == s->last.cycle && w.number < s->last.number)))
        s->last = w;
}

static void find_structure(struct search *s, isa_value reference)
{
    const struct isa_structures *all = &s->m->tokens.exec.structures;
    const uint32_t number = isa_reference_structure(reference);
    if (all->all.items[number].is_tensor || s->seen[number])
        return;
    s->seen[number] = true;
    *LIB_VEC_PUSH(&s->found) = number;
}

static void search_structures(struct search *s)
{
    const struct isa_structures *all = &s->m->tokens.exec.structures;
    while (s->found.count) {
        const uint32_t number = s->found.items[--s->found.count];
        const struct isa_structure *array = &all->all.items[number];
        if (number < s->m->run.written.count)
            take_later(s, s->m->run.written.items[number]);
        for (uint32_t i = 0; array->holds_references && i < array->length; i++)
            if (isa_element_is_written(&array->elements[i]) &&
                isa_structures_refers(all, array, i))
                find_structure(s, array->elements[i].value);
    }
}

struct machine_written machine_result_written(const struct machine *m)
{
    const struct isa_exec *x = &m->tokens.exec;
    const struct isa_function *top = &x->code->graph->functions[0];
    struct search s = {
        .m = m, .seen = lib_mem_new(x->structures.all.count + 1), .last = m->run.output};
    for (uint32_t part = 0; part < isa_graph_result_parts(x->code->graph); part++)
        if (x->has_result[part] && isa_type_is_reference(top->results[part]))
            find_structure(&s, x->results[part]);
    search_structures(&s);
    LIB_VEC_FREE(&s.found);
    lib_mem_free(s.seen);
    return s.last;
}
