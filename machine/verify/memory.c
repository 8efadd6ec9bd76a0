/* Arrays and cells: references, written values, and reads that wait. */
#include "machine/verify/verify_counts.h"

/* --- references ----------------------------------------------------------------------------- */

static const struct isa_structure *find_structure(struct machine_audit *f,
                                                  isa_value reference)
{
    const struct isa_structures *s = &f->m->tokens.exec.structures;
    const uint32_t number = isa_reference_structure(reference);
    if (!machine_must(f, number < s->all.count && s->all.items[number].is_alive,
                      "a reference is to an array that is alive"))
        return NULL;
    f->references[number]++;
    return &s->all.items[number];
}

/* Returns the type of element `k` of a structure. */
static enum isa_type element_type(const struct machine_audit *f,
                                  const struct isa_structure *structure, uint32_t k)
{
    const struct isa_graph *graph = f->m->code->graph;
    return structure->is_data ? graph->constructors[structure->constructor].fields[k].type
                              : graph->nodes[structure->instr].type;
}

static bool audit_data(struct machine_audit *f, const struct isa_structure *structure,
                       isa_value value)
{
    const struct isa_graph *graph = f->m->code->graph;
    const uint32_t constructor = isa_reference_element(value);
    if (!machine_must(f, structure->is_data && constructor < graph->constructor_count,
                      "data is of a constructor"))
        return false;
    const bool is_fieldless = isa_reference_structure(value) == ISA_STRUCTURE_FIELDLESS;
    return machine_must(f,
                        is_fieldless ? graph->constructors[constructor].field_count == 0
                                     : structure->constructor == constructor,
                        "a reference to data has its constructor");
}

bool machine_audit_value(struct machine_audit *f, enum isa_type type, isa_value value)
{
    if (!isa_type_is_reference(type))
        return true;
    const struct isa_structure *structure = find_structure(f, value);
    if (!structure)
        return false;
    if (type == ISA_DATA)
        return audit_data(f, structure, value);
    if (!machine_must(f, !structure->is_data, "a reference to an array is to one"))
        return false;
    if (type == ISA_TENSOR || structure->is_tensor)
        return machine_must(f, type == ISA_TENSOR && structure->is_tensor,
                            "a reference to a tensor is to one");
    const bool is_address = isa_type_is_address(type);
    const enum isa_type element = is_address ? (enum isa_type)(type & ~ISA_TYPE_ADDRESS)
                                             : isa_type_element(type);
    const uint32_t at = isa_reference_element(value);
    return machine_must(f, element_type(f, structure, 0) == element,
                        "a reference is to an array of its type") &&
           machine_must(f, is_address ? at < structure->length : at == 0,
                        "an address is that of an element");
}

/* Sets the type of an operand. Returns false if it has no value: control, or a trigger. */
static bool operand_type(const struct machine_audit *f, uint32_t number, bool port,
                         enum isa_type *type)
{
    const struct isa_graph *graph = f->m->code->graph;
    const struct isa_node *n = &graph->nodes[isa_code_node(f->m->code, number)];
    const struct isa_instr *instr = &f->m->code->instrs[number];
    if (n->op == ISA_OP_APPLY)
        *type = isa_node_operand_type(graph, n, instr->index);
    else if (isa_op_is_fed(n->op) && port == n->operand_count)
        *type = n->type;
    else if (isa_node_operand_is_control(n, port) || isa_node_operand_is_trigger(n, port))
        return false;
    else
        *type = isa_node_operand_type(graph, n, port);
    return true;
}

bool machine_audit_operand(struct machine_audit *f, uint32_t instr, bool port,
                           isa_value value)
{
    const uint8_t refers = f->m->code->instrs[instr].refers;
    const bool is_reference = refers & (port ? ISA_REFERS_SECOND : ISA_REFERS_FIRST);
    enum isa_type type;
    if (!operand_type(f, instr, port, &type))
        return !is_reference || find_structure(f, value);
    return machine_must(f, is_reference == isa_type_is_reference(type),
                        "an operand comes from an arc") &&
           machine_audit_value(f, type, value);
}

/* --- structures ------------------------------------------------------------------------------- */

static bool check_data(struct machine_audit *f, const struct isa_structure *s)
{
    const struct isa_constructor *c = &f->m->code->graph->constructors[s->constructor];
    return machine_must(
               f, s->length == c->field_count && s->holds_references == c->has_references,
               "data has the fields of its constructor") &&
           machine_must(f, machine_maker_of(s) < f->m->pe_count || f->m->executor,
                        "data is at a PE");
}

static bool check_structure(struct machine_audit *f, const struct isa_structure *s)
{
    const struct isa_graph *graph = f->m->code->graph;
    if (!s->is_alive)
        return machine_must(f, s->length == 0 && s->references == 0,
                            "an array that was freed has nothing");
    if (s->is_data)
        return check_data(f, s);
    if (s->is_tensor)
        return machine_must(f,
                            s->instr < graph->node_count && s->length == 0 &&
                                !s->holds_references,
                            "a tensor was made by an instruction") &&
               machine_must(f, machine_maker_of(s) < f->m->pe_count || f->m->executor,
                            "a tensor is at a PE");
    return machine_must(f,
                        s->instr < graph->node_count &&
                            isa_op_makes_array(graph->nodes[s->instr].op),
                        "an array was made by an ALLOC or a ROW") &&
           machine_must(
               f, s->holds_references == isa_type_is_reference(element_type(f, s, 0)),
               "an array holds references if its elements are") &&
           machine_must(f, machine_maker_of(s) < f->m->pe_count || f->m->executor,
                        "an array is at a PE");
}

static void check_free_numbers(struct machine_audit *f)
{
    const struct isa_structures *s = &f->m->tokens.exec.structures;
    size_t listed = 0;
    for (uint32_t i = s->free; i != ISA_STRUCTURE_NONE; i = s->all.items[i].next)
        if (!machine_must(f,
                          i < s->all.count && !s->all.items[i].is_alive &&
                              listed++ < s->all.count,
                          "a free number is that of no array"))
            return;
    machine_must(f, listed + s->count + (s->constructors != NULL) == s->all.count,
                 "every free number is listed, once");
}

void machine_audit_structures(struct machine_audit *f)
{
    const struct isa_structures *s = &f->m->tokens.exec.structures;
    uint64_t alive = 0, elements = 0, extra = 0;
    for (size_t i = s->constructors != NULL; i < s->all.count && !f->broken; i++) {
        check_structure(f, &s->all.items[i]);
        machine_must(f,
                     !s->all.items[i].is_alive || s->all.items[i].is_tensor ||
                         s->all.items[i].is_data ||
                         s->all.items[i].reach == s->all.items[i].length ||
                         (s->all.items[i].is_open &&
                          s->all.items[i].reach < s->all.items[i].length &&
                          isa_ports_count(s->ports)),
                     "an INDEX finds the elements of an array");
        machine_must(f,
                     i < f->m->run.written.count || !s->all.items[i].is_alive ||
                         s->all.items[i].is_tensor,
                     "of each array the last write is known");
        alive += s->all.items[i].is_alive;
        elements += s->all.items[i].length;
        extra += isa_structure_extra(&s->all.items[i]);
    }
    machine_must(f,
                 s->count == alive && s->elements == elements &&
                     s->bytes == alive * sizeof(struct isa_structure) +
                                     (elements + extra) * sizeof(struct isa_element) +
                                     s->tensors.used,
                 "structures are counted");
    check_free_numbers(f);
}

void machine_audit_references(struct machine_audit *f)
{
    const struct isa_structures *s = &f->m->tokens.exec.structures;
    for (size_t i = s->constructors != NULL; i < s->all.count && !f->broken; i++)
        machine_must(f,
                     s->all.items[i].references == f->references[i] &&
                         s->all.items[i].is_alive == (f->references[i] > 0),
                     "a structure counts its references, and lives while there are any");
}

/* --- what is written, and who waits ----------------------------------------------------------- */

/* A cell or element for which a read may wait. */
struct place {
    const struct isa_element *element;
    enum isa_type type;
    /* cell, or structure and element; `structure` is ISA_STRUCTURE_NONE for a cell */
    uint32_t cell, structure, index;
};

/* Whether an instruction reads a cell, element or field. */
static bool reads(const struct machine_audit *f, const struct isa_node *n,
                  const struct place *at)
{
    const struct isa_graph *graph = f->m->code->graph;
    if (at->structure == ISA_STRUCTURE_NONE)
        return n->op == ISA_OP_READ && n->index == at->cell;
    const struct isa_structure *s =
        &f->m->tokens.exec.structures.all.items[at->structure];
    if (!s->is_data)
        return n->op == ISA_OP_FETCH;
    return n->op == ISA_OP_FIELD &&
           n->index == graph->constructors[s->constructor].first + at->index;
}

static bool check_deferred(struct machine_audit *f, const struct isa_deferred *d,
                           const struct place *at)
{
    const struct isa_graph *graph = f->m->code->graph;
    if (!machine_must(f, d->instr < graph->node_count && d->structure == at->structure,
                      "a read waits for what it reads"))
        return false;
    const struct isa_node *n = &graph->nodes[d->instr];
    const struct isa_activation *a = machine_audit_activation(f, d->tag);
    return a && machine_must(f,
                             reads(f, n, at) && n->type == at->type &&
                                 machine_audit_fires(f, d->instr, a),
                             "a read waits for what it reads");
}

static void find_deferred(struct machine_audit *f, const struct place *at)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    const uint32_t first = isa_element_first(at->element);
    uint32_t last = ISA_DEFERRED_END;
    for (uint32_t d = first; d != ISA_DEFERRED_END; d = x->deferred.items[d].next) {
        if (!machine_must(f, d < x->deferred.count && !f->deferred_seen[d]++,
                          "a read waits once") ||
            !check_deferred(f, &x->deferred.items[d], at))
            return;
        f->held[x->deferred.items[d].tag]++;
        f->deferred++;
        if (at->structure != ISA_STRUCTURE_NONE)
            f->references[at->structure]++;
        last = d;
    }
    machine_must(f, first == ISA_DEFERRED_END || last == isa_element_last(at->element),
                 "the last read that waits is known");
}

static void find_element(struct machine_audit *f, const struct place *at)
{
    if (isa_element_is_written(at->element))
        machine_audit_value(f, at->type, at->element->value);
    else
        find_deferred(f, at);
}

static void find_result(struct machine_audit *f)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    const struct isa_function *top = &x->code->graph->functions[0];
    uint32_t missing = 0;
    for (uint32_t part = 0; part < top->result_count; part++) {
        missing += !x->has_result[part];
        if (x->has_result[part])
            machine_audit_value(f, top->results[part], x->results[part]);
    }
    machine_must(f, x->results_missing == missing, "missing results are counted");
}

static void find_free_deferred(struct machine_audit *f)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    for (uint32_t d = x->free_deferred; d != ISA_DEFERRED_END;
         d = x->deferred.items[d].next)
        if (!machine_must(f, d < x->deferred.count && !f->deferred_seen[d]++,
                          "a place for reads is free, or in use"))
            return;
}

/* Counts instructions that wait at ports, which keep their tags alive, and references to the
 * arrays of ports. */
static void find_waits(struct machine_audit *f)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    const struct isa_ports *ports = x->structures.ports;
    uint64_t waiting = 0;
    for (size_t i = 0; ports && i < ports->waits.count && !f->broken; i++) {
        const struct isa_port_wait *wait = &ports->waits.items[i];
        if (wait->tag == ISA_TAG_NONE)
            continue;
        const struct isa_activation *a = machine_audit_activation(f, wait->tag);
        const bool is_sound = a && wait->instr < x->code->instr_count &&
                              wait->structure < x->structures.all.count &&
                              machine_audit_fires(f, wait->instr, a);
        if (!machine_must(f, is_sound, "what waits at a port has fired"))
            return;
        f->held[wait->tag]++;
        waiting++;
    }
    if (!ports)
        return;
    isa_ports_count_references(x, f->references);
    machine_must(f, ports->waiting == waiting, "what waits at ports is counted");
}

void machine_audit_memory(struct machine_audit *f)
{
    const struct isa_exec *x = &f->m->tokens.exec;
    const struct isa_graph *graph = x->code->graph;
    for (uint32_t c = 0; c < graph->cell_count && !f->broken; c++)
        find_element(f, &(struct place){&x->cells[c], graph->cells[c].type, c,
                                        ISA_STRUCTURE_NONE, 0});
    for (uint32_t i = 0; i < x->structures.all.count && !f->broken; i++) {
        const struct isa_structure *s = &x->structures.all.items[i];
        for (uint32_t k = 0; k < s->length && !f->broken; k++)
            find_element(
                f, &(struct place){&s->elements[k], element_type(f, s, k), 0, i, k});
    }
    find_result(f);
    find_free_deferred(f);
    find_waits(f);
}
