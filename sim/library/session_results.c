/* Results of a session: how its run ended, its values, its statistics. */
#include "isa/exec/result.h"
#include "sim/library/library_internal.h"

#include <string.h>

/* --- the ending -------------------------------------------------------------------------- */

static_assert((int)HIATON_END_NOT_YET == (int)ISA_END_INTERRUPTED, "one list of endings");

void sim_library_describe(struct hiaton_session *s)
{
    if (s->has_ending)
        return;
    sim_library_enter(s); /* emits the last event */
    sim_simulation_leave(s->simulation, &s->ending);
    sim_library_leave(s);
    s->has_ending = true;
}

static const char *text_of(const struct lib_text *text)
{
    return text->length ? text->bytes : NULL;
}

/* Returns the node that trapped, as numbered in the graph or text of the program. */
static uint32_t node_of_trap(const struct hiaton_session *s)
{
    if (!s->has_ended || s->ending.end != ISA_END_TRAPPED)
        return HIATON_NO_NODE;
    const struct isa_exec *exec = sim_simulation_exec(s->simulation);
    const uint32_t node = isa_code_node(exec->code, exec->trap_instr);
    const struct isa_written *written = exec->code->graph->nodes[node].written;
    return written ? written->number : HIATON_NO_NODE;
}

enum hiaton_status hiaton_session_ending(struct hiaton_session *s,
                                         struct hiaton_ending *ending)
{
    struct hiaton_ending own = {.end = HIATON_END_NOT_YET};
    if (!s || !sim_library_has_size(ending))
        return HIATON_MISUSE;
    if (s->has_ended) {
        sim_library_describe(s);
        const struct sim_ending *e = &s->ending;
        const bool is_complete = e->end == ISA_END_COMPLETED;
        own.end = (enum hiaton_end)e->end;
        own.result = is_complete ? lib_text_get(&e->result) : NULL;
        own.reason = is_complete ? NULL : lib_text_get(&e->reason);
        own.waiting = text_of(&e->waiting);
        own.limit = e->limit;
        own.math = text_of(&e->math);
        own.line = e->place.line;
        own.column = e->place.line ? e->place.column : 0;
    }
    own.node = node_of_trap(s);
    own.name = s->has_ended ? sim_end_name(s->ending.end) : "running";
    SIM_GIVE(ending, own);
    return HIATON_OK;
}

/* --- the result -------------------------------------------------------------------------- */

/* A walk over the elements of a part. The first array or tensor at each depth sets its extent. */
struct walk {
    const struct isa_structures *structures;
    struct hiaton_value *value;
    enum isa_type leaf;
    unsigned brackets;
    unsigned known;
    bool is_uneven; /* whether arrays at one depth differ in length */
    uint8_t *at;    /* where the next element goes; NULL: only the shape is wanted */
};

static size_t size_of_type(enum hiaton_type type)
{
    return type == HIATON_BOOL || type == HIATON_DATA ? 1 : type == HIATON_REAL32 ? 4 : 8;
}

static void see_extent(struct walk *w, unsigned depth, uint64_t extent)
{
    if (depth == w->known && w->known < HIATON_MAX_RANK)
        w->value->extents[w->known++] = extent;
    else if (w->value->extents[depth] != extent)
        w->is_uneven = true;
}

enum hiaton_type sim_library_type(enum isa_type type)
{
    static const enum hiaton_type types[] = {HIATON_INT, HIATON_REAL, HIATON_BOOL,
                                             HIATON_TENSOR, HIATON_DATA};
    return types[isa_type_leaf(type)];
}

enum hiaton_type sim_library_type_of_element(enum isa_element_kind element)
{
    switch (element) {
    case ISA_ELEMENT_REAL:
        return HIATON_REAL;
    case ISA_ELEMENT_REAL32:
        return HIATON_REAL32;
    case ISA_ELEMENT_INT:
        return HIATON_INT;
    default:
        return HIATON_BOOL;
    }
}

static void visit_tensor(struct walk *w, unsigned depth, const struct isa_tensor *tensor)
{
    const enum hiaton_type type = sim_library_type_of_element(tensor->shape.element);
    const bool is_first = w->value->type == HIATON_TENSOR;
    if (is_first)
        w->value->type = type;
    w->is_uneven |= w->value->type != type ||
                    (!is_first && w->value->rank != depth + tensor->shape.rank);
    w->value->rank = depth + tensor->shape.rank;
    for (unsigned i = 0; i < tensor->shape.rank && !w->is_uneven; i++)
        see_extent(w, depth + i, (uint64_t)tensor->shape.extents[i]);
    if (w->at && tensor->bytes) {
        memcpy(w->at, tensor->data, tensor->bytes);
        w->at += tensor->bytes;
    }
}

static void visit_element(struct walk *w, unsigned depth, isa_value value)
{
    if (depth < w->brackets) {
        const struct isa_structure *array = isa_structures_get(w->structures, value);
        see_extent(w, depth, array->length);
        for (uint32_t i = 0; i < array->length && !w->is_uneven; i++)
            visit_element(w, depth + 1, array->elements[i].value);
    } else if (w->leaf == ISA_TENSOR) {
        visit_tensor(w, depth, isa_structures_get(w->structures, value)->tensor);
    } else if (w->at) {
        const uint8_t truth = value != 0;
        const size_t size = size_of_type(w->value->type);
        memcpy(w->at, size == 1 ? (const void *)&truth : &value, size);
        w->at += size;
    }
}

static struct walk start_walk(const struct isa_exec *exec, enum isa_type type,
                              struct hiaton_value *value)
{
    value->type = sim_library_type(type);
    value->rank = isa_type_rank(type);
    return (struct walk){
        .structures = &exec->structures,
        .value = value,
        .leaf = isa_type_leaf(type),
        .brackets = isa_type_rank(type),
    };
}

static size_t bytes_of(const struct hiaton_value *value)
{
    size_t bytes = size_of_type(value->type);
    for (uint32_t i = 0; i < value->rank; i++)
        bytes *= value->extents[i];
    return bytes;
}

enum hiaton_status sim_library_copy_value(const struct isa_exec *exec, enum isa_type type,
                                          isa_value of, struct hiaton_value *value)
{
    struct hiaton_value own = {0}, wanted;
    SIM_TAKE(wanted, value);
    struct walk walk = start_walk(exec, type, &own);
    visit_element(&walk, 0, of);
    if (walk.is_uneven)
        return HIATON_REJECTED;
    own.data = wanted.data;
    own.bytes = bytes_of(&own);
    SIM_GIVE(value, own);
    if (!wanted.data || wanted.bytes < own.bytes)
        return HIATON_NO_ROOM;
    walk.at = wanted.data;
    visit_element(&walk, 0, of);
    return HIATON_OK;
}

/* Copies a part of the result that is data, or an array of data, as text. */
static enum hiaton_status copy_data(const struct isa_exec *exec, uint32_t part,
                                    struct hiaton_value *value)
{
    struct hiaton_value own = {.type = HIATON_DATA, .rank = 1}, wanted;
    LIB_TEXT_OWN text = {0};
    SIM_TAKE(wanted, value);
    isa_result_write_part(exec, part, &text);
    own.data = wanted.data;
    own.bytes = own.extents[0] = text.length;
    SIM_GIVE(value, own);
    if (!wanted.data || wanted.bytes < own.bytes)
        return HIATON_NO_ROOM;
    memcpy(wanted.data, text.bytes, text.length);
    return HIATON_OK;
}

enum hiaton_status hiaton_session_result(struct hiaton_session *s, size_t part,
                                         struct hiaton_value *value)
{
    if (!s || !sim_library_has_size(value))
        return HIATON_MISUSE;
    const struct isa_graph *graph = s->session.program.graph;
    if (!s->has_ended || sim_simulation_end(s->simulation) != ISA_END_COMPLETED ||
        part >= isa_graph_result_parts(graph))
        return HIATON_ABSENT;
    const struct isa_exec *exec = sim_simulation_exec(s->simulation);
    const enum isa_type type = graph->functions[0].results[part];
    if (isa_type_leaf(type) == ISA_DATA)
        return copy_data(exec, (uint32_t)part, value);
    const enum hiaton_status status = sim_library_copy_value(exec, type,
                                                             exec->results[part], value);
    if (status == HIATON_REJECTED)
        sim_library_complain(&s->reporter, LIB_DIAG_TYPE,
                             "part %zu of the result has arrays of several lengths",
                             part);
    return status;
}

/* --- items ------------------------------------------------------------------------------- */

/* Finds the type of an item in the instruction set. Returns false if no item has its type. */
static bool find_item_type(const struct hiaton_item *item, enum isa_type *type)
{
    if (item->rank > ISA_MAX_RANK)
        return false;
    for (*type = ISA_INT; sim_library_type(*type) != item->type; (*type)++)
        if (*type == ISA_DATA)
            return false;
    for (uint32_t i = 0; i < item->rank; i++)
        *type = isa_type_array_of(*type);
    return true;
}

/* Returns the structure of an item, or NULL if it is none of this run. */
static const struct isa_structure *find_structure(const struct isa_structures *s,
                                                  const struct hiaton_item *item)
{
    const uint32_t number = isa_reference_structure(item->word);
    if (number >= s->all.count || !s->all.items[number].is_alive)
        return NULL;
    const struct isa_structure *found = &s->all.items[number];
    const bool is_tensor = !item->rank && item->type == HIATON_TENSOR;
    const bool is_data = !item->rank && item->type == HIATON_DATA;
    const bool is_one = found->is_tensor == is_tensor && found->is_data == is_data &&
                        (!is_data ||
                         found->constructor == isa_reference_element(item->word));
    return is_one ? found : NULL;
}

static struct hiaton_item make_item(const struct isa_exec *exec, enum isa_type type,
                                    isa_value value, const char *field)
{
    const struct isa_structures *s = &exec->structures;
    struct hiaton_item item = {
        .type = sim_library_type(type),
        .rank = isa_type_rank(type),
        .field = field,
        .word = value,
    };
    if (item.rank) {
        item.count = isa_structures_get(s, value)->length;
    } else if (type == ISA_DATA) {
        const struct isa_constructor *c = isa_structures_constructor(s, value);
        item.constructor = c->name;
        item.count = c->field_count;
    }
    return item;
}

/* Returns a session's completed run, or NULL. */
static const struct isa_exec *completed(const struct hiaton_session *s)
{
    return s->has_ended && sim_simulation_end(s->simulation) == ISA_END_COMPLETED
               ? sim_simulation_exec(s->simulation)
               : NULL;
}

enum hiaton_status hiaton_session_item(struct hiaton_session *s,
                                       const struct hiaton_item *of, uint64_t number,
                                       struct hiaton_item *item)
{
    if (!s || (of && !of->size) || !sim_library_has_size(item))
        return HIATON_MISUSE;
    const struct isa_exec *exec = completed(s);
    const struct isa_graph *graph = s->session.program.graph;
    if (!exec || (!of && number >= isa_graph_result_parts(graph)))
        return HIATON_ABSENT;
    struct hiaton_item own, from;
    if (!of) {
        own = make_item(exec, graph->functions[0].results[number], exec->results[number],
                        NULL);
        SIM_GIVE(item, own);
        return HIATON_OK;
    }
    enum isa_type type;
    SIM_TAKE(from, of);
    const bool is_data = !from.rank && from.type == HIATON_DATA;
    if (number >= from.count)
        return HIATON_ABSENT;
    const struct isa_structure *in = find_structure(&exec->structures, &from);
    if (!in || number >= in->length || !find_item_type(&from, &type))
        return HIATON_MISUSE;
    const struct isa_field *field =
        is_data
            ? &isa_structures_constructor(&exec->structures, from.word)->fields[number]
            : NULL;
    type = field ? field->type : isa_type_element(type);
    own = make_item(exec, type, in->elements[number].value, field ? field->name : NULL);
    SIM_GIVE(item, own);
    return HIATON_OK;
}

enum hiaton_status hiaton_session_copy(struct hiaton_session *s,
                                       const struct hiaton_item *item,
                                       struct hiaton_value *value)
{
    struct hiaton_item own;
    if (!s || !sim_library_has_size(item) || !sim_library_has_size(value) ||
        item->type == HIATON_DATA)
        return HIATON_MISUSE;
    const struct isa_exec *exec = completed(s);
    if (!exec)
        return HIATON_ABSENT;
    SIM_TAKE(own, item);
    enum isa_type type;
    if (!find_item_type(&own, &type) ||
        (isa_type_is_reference(type) && !find_structure(&exec->structures, &own)))
        return HIATON_MISUSE;
    const enum hiaton_status status = sim_library_copy_value(exec, type, own.word, value);
    if (status == HIATON_REJECTED)
        sim_library_complain(&s->reporter, LIB_DIAG_TYPE,
                             "an item has arrays of several lengths");
    return status;
}

/* --- statistics -------------------------------------------------------------------------- */

static void measure_session(struct hiaton_session *s)
{
    if (!s->has_stats)
        sim_simulation_measure(s->simulation, &s->stats);
    s->has_stats = true;
}

static const char *stat_key(size_t i, const void *context)
{
    (void)context;
    return traces_stat_table[i].key;
}

static const struct traces_stat *find_stat(const struct hiaton_session *s,
                                           const char *key)
{
    for (size_t i = 0; i < traces_stat_count; i++)
        if (strcmp(traces_stat_table[i].key, key) == 0)
            return &traces_stat_table[i];
    const char *nearest = lib_text_nearest(key, traces_stat_count, stat_key, NULL);
    sim_library_complain(&s->reporter, LIB_DIAG_USAGE, "unknown statistic `%s`%s%s%s",
                         key, nearest ? "; did you mean `" : "", nearest ? nearest : "",
                         nearest ? "`?" : "");
    return NULL;
}

enum hiaton_status hiaton_session_statistic(struct hiaton_session *s, const char *key,
                                            struct hiaton_number *number)
{
    static const enum hiaton_number_kind kinds[] = {HIATON_COUNT, HIATON_RATIO,
                                                    HIATON_DIGEST};
    if (!s || !key || !sim_library_has_size(number))
        return HIATON_MISUSE;
    const struct traces_stat *stat = find_stat(s, key);
    const bool is_timed = s->engine == SIM_ENGINE_MACHINE;
    if (!stat || !s->has_begun || (!is_timed && stat->by == TRACES_BY_RUN))
        return HIATON_ABSENT;
    measure_session(s);
    if (!traces_stat_is_known(&s->stats, stat))
        return HIATON_ABSENT;
    struct hiaton_number own = {.kind = kinds[stat->kind]};
    if (stat->kind == TRACES_STAT_RATIO)
        own.real = traces_stat_real(&s->stats, stat);
    else
        own.count = traces_stat_integer(&s->stats, stat);
    if (stat->kind == TRACES_STAT_COUNT)
        own.real = (double)own.count;
    SIM_GIVE(number, own);
    return HIATON_OK;
}
