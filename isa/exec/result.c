#include "isa/exec/result.h"

/* A part of the result that is being walked: the shape of all parts, or of the fields of data; or
 * the elements of arrays in a pair of brackets of it. The walk keeps frames on a stack of its own,
 * as data may be deep. */
struct frame {
    const char *at;     /* next character of the shape */
    const char *begin;  /* of elements: the shape of one */
    uint32_t part;      /* next part */
    uint32_t structure; /* data whose fields are the parts, or ISA_STRUCTURE_NONE */
    uint32_t first, end, index,
        length; /* of elements: their parts, the current one, how many */
};

enum { UNSEEN, ON_PATH, SEEN };

struct walk {
    const struct isa_exec *exec;
    struct lib_text *out;
    LIB_VEC(struct frame) frames;
    uint32_t part; /* part of the result in which the walk is */
    /* For each structure, if nothing is written: UNSEEN; ON_PATH, data that contains the current
     * value; SEEN, data that was walked and is not walked again. */
    uint8_t *seen;
    struct isa_result_fault fault;
};

static bool is_whole(const struct walk *w)
{
    return w->fault.what == ISA_RESULT_WHOLE;
}

static struct frame *top_frame(struct walk *w)
{
    return &w->frames.items[w->frames.count - 1];
}

static const struct isa_constructor *constructor_of(const struct walk *w,
                                                    uint32_t structure)
{
    const struct isa_structures *s = &w->exec->structures;
    return &s->constructors[s->all.items[structure].constructor];
}

static enum isa_type type_of(const struct walk *w, uint32_t structure, uint32_t part)
{
    return structure == ISA_STRUCTURE_NONE
               ? w->exec->code->graph->functions[0].results[part]
               : constructor_of(w, structure)->fields[part].type;
}

/* Returns the value of a part at the current elements, where all arrays are written. */
static isa_value present(const struct walk *w, uint32_t part)
{
    const struct isa_structures *s = &w->exec->structures;
    size_t base = w->frames.count - 1;
    while (w->frames.items[base].begin)
        base--;
    const uint32_t structure = w->frames.items[base].structure;
    isa_value value = structure == ISA_STRUCTURE_NONE
                          ? w->exec->results[part]
                          : s->all.items[structure].elements[part].value;
    for (size_t i = base + 1; i < w->frames.count; i++)
        value = isa_structures_get(s, value)->elements[w->frames.items[i].index].value;
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

/* Whether element `i` of a structure is written. Sets the fault if not. */
static bool check_written(struct walk *w, uint32_t structure, uint32_t i)
{
    if (isa_element_is_written(&w->exec->structures.all.items[structure].elements[i]))
        return true;
    w->fault = (struct isa_result_fault){ISA_RESULT_UNWRITTEN, w->part,
                                         isa_reference(structure, i)};
    return false;
}

/* Whether the parts [first, end) of the innermost frame are written. Sets the fault if not. In
 * brackets this is known (is_element_written). */
static bool are_written(struct walk *w, uint32_t first, uint32_t end)
{
    const struct frame f = *top_frame(w);
    for (uint32_t part = first; part < end; part++) {
        if (f.structure == ISA_STRUCTURE_NONE)
            w->part = part;
        else if (!f.begin && !check_written(w, f.structure, part))
            return false;
    }
    return true;
}

/* Whether the current element of the innermost brackets is written in all their arrays. */
static bool is_element_written(struct walk *w)
{
    const struct frame f = *top_frame(w);
    w->frames.count--;
    bool good = true;
    for (uint32_t part = f.first; part < f.end && good; part++) {
        if (f.structure == ISA_STRUCTURE_NONE)
            w->part = part;
        good = check_written(w, isa_reference_structure(present(w, part)), f.index);
    }
    w->frames.count++;
    return good;
}

/* Returns the length of the parts. Sets the fault if they differ. */
static uint32_t find_length(struct walk *w, uint32_t first, uint32_t end)
{
    const struct isa_structures *s = &w->exec->structures;
    const bool is_top = top_frame(w)->structure == ISA_STRUCTURE_NONE;
    const uint32_t length = isa_structures_get(s, present(w, first))->length;
    for (uint32_t part = first; part < end; part++)
        if (isa_structures_get(s, present(w, part))->length != length)
            w->fault = (struct isa_result_fault){ISA_RESULT_UNEVEN,
                                                 is_top ? part : w->part, 0};
    return length;
}

/* Returns the bracket that closes the one before `p`. Adds to *parts the number of parts in
 * between. */
static const char *find_end(const char *p, uint32_t *parts)
{
    for (unsigned open = 0; open || *p != ']'; p++) {
        p += isa_shape_name(p);
        open += (*p == '[') - (*p == ']');
        *parts += *p == '_';
    }
    return p;
}

/* Begins the elements of arrays, at a bracket, and leaves the frame around them behind it. */
static void begin_elements(struct walk *w)
{
    struct frame *f = top_frame(w);
    struct frame inner = {.begin = f->at + 1,
                          .at = f->at + 1,
                          .part = f->part,
                          .first = f->part,
                          .end = f->part,
                          .structure = f->structure};
    f->at = find_end(inner.begin, &inner.end) + 1;
    f->part = inner.end;
    if (!are_written(w, inner.first, inner.end))
        return;
    inner.length = find_length(w, inner.first, inner.end);
    put_text(w, "[", 1);
    if (inner.length == 0) {
        put_text(w, "]", 1);
        return;
    }
    *LIB_VEC_PUSH(&w->frames) = inner;
    is_element_written(w);
}

/* Ends an element, at the bracket that closes the innermost ones. */
static void end_element(struct walk *w)
{
    struct frame *f = top_frame(w);
    if (++f->index == f->length) {
        put_text(w, "]", 1);
        w->frames.count--;
        return;
    }
    f->at = f->begin;
    f->part = f->first;
    put_text(w, ", ", 2);
    is_element_written(w);
}

static void begin_data(struct walk *w, isa_value data)
{
    const struct isa_constructor *c = isa_structures_constructor(&w->exec->structures,
                                                                 data);
    const uint32_t structure = isa_reference_structure(data);
    put_text(w, c->name, strlen(c->name));
    if (c->field_count == 0)
        return;
    if (w->seen && w->seen[structure] == ON_PATH)
        w->fault = (struct isa_result_fault){ISA_RESULT_CIRCULAR, w->part, 0};
    if (w->seen && w->seen[structure] != UNSEEN)
        return;
    if (w->seen)
        w->seen[structure] = ON_PATH;
    *LIB_VEC_PUSH(&w->frames) = (struct frame){.at = c->shape, .structure = structure};
}

static void walk_value(struct walk *w)
{
    struct frame *f = top_frame(w);
    const uint32_t part = f->part++;
    f->at++;
    if (!are_written(w, part, part + 1))
        return;
    const enum isa_type leaf = isa_type_leaf(type_of(w, f->structure, part));
    const isa_value value = present(w, part);
    if (leaf == ISA_DATA)
        begin_data(w, value);
    else if (w->out)
        isa_result_write_value(w->exec, leaf, value, w->out);
}

static void walk_step(struct walk *w)
{
    struct frame *f = top_frame(w);
    const size_t name = isa_shape_name(f->at);
    put_text(w, f->at, name);
    f->at += name;
    switch (*f->at) {
    case '\0':
        if (w->seen && f->structure != ISA_STRUCTURE_NONE)
            w->seen[f->structure] = SEEN;
        w->frames.count--;
        break;
    case '[':
        begin_elements(w);
        break;
    case ']':
        end_element(w);
        break;
    case '_':
        walk_value(w);
        break;
    default:
        put_text(w, f->at++, 1);
    }
}

/* Walks the parts from `part` on, as many as `shape` has. */
static struct isa_result_fault walk_parts(const struct isa_exec *exec, const char *shape,
                                          uint32_t part, struct lib_text *out)
{
    struct walk w = {.exec = exec, .out = out};
    if (!out && exec->structures.constructors)
        w.seen = lib_mem_new(exec->structures.all.count);
    *LIB_VEC_PUSH(&w.frames) = (struct frame){
        .at = shape, .part = part, .structure = ISA_STRUCTURE_NONE};
    while (w.frames.count && is_whole(&w))
        walk_step(&w);
    LIB_VEC_FREE(&w.frames);
    lib_mem_free(w.seen);
    return w.fault;
}

struct isa_result_fault isa_result_walk(const struct isa_exec *exec, struct lib_text *out)
{
    return walk_parts(exec, exec->code->graph->shape, 0, out);
}

void isa_result_write_part(const struct isa_exec *exec, uint32_t part,
                           struct lib_text *out)
{
    LIB_TEXT_OWN shape = {0};
    isa_graph_flat_shape(&exec->code->graph->functions[0].results[part], 1, &shape);
    walk_parts(exec, lib_text_get(&shape), part, out);
}
