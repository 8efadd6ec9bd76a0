#include "isa/exec/result.h"

struct walk {
    const struct isa_exec *exec;
    struct lib_text *out;
    unsigned rank;                /* open brackets */
    uint32_t index[ISA_MAX_RANK]; /* current element of each */
    struct isa_result_fault fault;
};

static bool is_whole(const struct walk *w)
{
    return w->fault.what == ISA_RESULT_WHOLE;
}

/* Returns the value of a part at the current indexes, where all arrays are written. */
static isa_value present(const struct walk *w, uint32_t part)
{
    isa_value value = w->exec->results[part];
    for (unsigned i = 0; i < w->rank; i++)
        value =
            isa_structures_get(&w->exec->structures, value)->elements[w->index[i]].value;
    return value;
}

static void put_text(struct walk *w, const char *text, size_t length)
{
    if (w->out)
        lib_text_add(w->out, text, length);
}

void isa_result_write_value(const struct isa_exec *exec, enum isa_type type,
                            isa_value value, struct lib_text *out)
{
    if (type == ISA_TENSOR)
        isa_tensor_write(out, isa_structures_get(&exec->structures, value)->tensor);
    else
        isa_value_write(out, type, value);
}

/* Walks the shape from `p` to the bracket that closes it, or its end, and returns where that is.
 * *part is the next part. */
static const char *walk_text(struct walk *w, const char *p, uint32_t *part);

/* Whether element `i` of all parts is written. Sets the fault if not. */
static bool is_written(struct walk *w, uint32_t first, uint32_t end, uint32_t i)
{
    for (uint32_t part = first; part < end; part++) {
        isa_value array = present(w, part);
        const struct isa_structure *s = isa_structures_get(&w->exec->structures, array);
        if (isa_element_is_written(&s->elements[i]))
            continue;
        w->fault = (struct isa_result_fault){ISA_RESULT_UNWRITTEN, part, array | i};
        return false;
    }
    return true;
}

/* Returns the length of the parts. Sets the fault if they differ. */
static uint32_t find_length(struct walk *w, uint32_t first, uint32_t end)
{
    const struct isa_structures *s = &w->exec->structures;
    const uint32_t length = isa_structures_get(s, present(w, first))->length;
    for (uint32_t part = first; part < end; part++)
        if (isa_structures_get(s, present(w, part))->length != length)
            w->fault = (struct isa_result_fault){ISA_RESULT_UNEVEN, part, 0};
    return length;
}

/* Returns the bracket that closes the one before `p`. Adds to *parts the number of parts in
 * between. */
static const char *find_end(const char *p, uint32_t *parts)
{
    for (unsigned open = 0; open || *p != ']'; p++) {
        open += (*p == '[') - (*p == ']');
        *parts += *p == '_';
    }
    return p;
}

static const char *walk_elements(struct walk *w, const char *p, uint32_t *part)
{
    const uint32_t first = *part;
    const char *closing = find_end(p, part);
    const uint32_t length = find_length(w, first, *part);
    put_text(w, "[", 1);
    for (uint32_t i = 0; i < length && is_whole(w); i++) {
        uint32_t inner = first;
        put_text(w, ", ", i ? 2 : 0);
        if (!is_written(w, first, *part, i))
            break;
        w->index[w->rank++] = i;
        walk_text(w, p, &inner);
        w->rank--;
    }
    put_text(w, "]", 1);
    return closing;
}

static const char *walk_text(struct walk *w, const char *p, uint32_t *part)
{
    const struct isa_function *top = &w->exec->code->graph->functions[0];
    for (; *p && *p != ']' && is_whole(w); p++) {
        if (*p == '[') {
            p = walk_elements(w, p + 1, part);
        } else if (*p == '_') {
            if (w->out)
                isa_result_write_value(w->exec, isa_type_leaf(top->results[*part]),
                                       present(w, *part), w->out);
            ++*part;
        } else {
            put_text(w, p, 1);
        }
    }
    return p;
}

struct isa_result_fault isa_result_walk(const struct isa_exec *exec, struct lib_text *out)
{
    struct walk w = {.exec = exec, .out = out};
    uint32_t part = 0;
    walk_text(&w, exec->code->graph->shape, &part);
    return w.fault;
}
