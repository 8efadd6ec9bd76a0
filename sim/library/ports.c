/* Ports of a session: feeding, closing and taking. */
#include "sim/library/library_internal.h"

#include <inttypes.h>
#include <string.h>

#include "sim/replay/recorder.h"

/* Types and ranks of the parts of a port, for hiaton_session_port. */
struct sim_library_port {
    enum hiaton_type *types;
    uint32_t *ranks;
};

static enum hiaton_type type_of(const struct isa_port_part *part)
{
    return part->type == ISA_TENSOR ? sim_library_type_of_element(part->element)
                                    : sim_library_type(part->type);
}

static void list_ports(struct hiaton_session *s)
{
    const struct isa_graph *graph = s->session.program.graph;
    s->ports = lib_mem_new((graph->port_count + 1) * sizeof *s->ports);
    for (uint32_t i = 0; i < graph->port_count; i++) {
        const struct isa_port *port = &graph->ports[i];
        s->ports[i].types = lib_mem_new((port->part_count + 1) *
                                        sizeof *s->ports[i].types);
        s->ports[i].ranks = lib_mem_new((port->part_count + 1) *
                                        sizeof *s->ports[i].ranks);
        for (uint32_t k = 0; k < port->part_count; k++) {
            s->ports[i].types[k] = type_of(&port->parts[k]);
            s->ports[i].ranks[k] = port->parts[k].rank;
        }
    }
}

void sim_library_ports_free(struct hiaton_session *s)
{
    for (uint32_t i = 0; s->ports && i < s->session.program.graph->port_count; i++)
        LIB_MEM_FREE(s->ports[i].types, s->ports[i].ranks);
    lib_mem_free(s->ports);
    s->ports = NULL;
}

/* Returns a port of a run that has begun. Returns NULL and sets `status` if there is none. */
static const struct isa_port *find_port(struct hiaton_session *s, size_t number,
                                        enum hiaton_status *status)
{
    *status = HIATON_MISUSE;
    if (!s)
        return NULL;
    const struct isa_graph *graph = s->session.program.graph;
    *status = HIATON_ABSENT;
    if (number >= graph->port_count)
        return NULL;
    *status = HIATON_REJECTED;
    return sim_library_begin(s) ? &graph->ports[number] : NULL;
}

/* --- what is known of a port ------------------------------------------------------------- */

/* Whether a run that has stopped waits for the host at this port. */
static bool is_waiting(const struct hiaton_session *s, uint32_t number)
{
    return s->is_waiting && !s->has_ended &&
           isa_port_is_waiting(sim_simulation_exec(s->simulation), number);
}

static void describe_input(const struct hiaton_session *s, uint32_t number,
                           struct hiaton_port *port)
{
    const struct machine_given given = sim_simulation_given(s->simulation, number);
    port->fed = given.elements;
    port->is_closed = given.is_closed;
    port->room = given.is_closed || s->has_ended
                     ? 0
                     : sim_simulation_room(s->simulation, number);
}

static void describe_output(const struct hiaton_session *s, uint32_t number,
                            struct hiaton_port *port)
{
    const struct isa_exec *exec = sim_simulation_exec(s->simulation);
    port->taken = exec->structures.ports->all[number].taken;
    port->fed = port->taken + isa_port_written(exec, number, port->taken);
    port->is_closed = s->has_ended || isa_port_has_ended(exec, number, port->fed);
}

enum hiaton_status hiaton_session_port(struct hiaton_session *s, size_t number,
                                       struct hiaton_port *port)
{
    enum hiaton_status status;
    if (!sim_library_has_size(port))
        return HIATON_MISUSE;
    const struct isa_port *found = find_port(s, number, &status);
    if (!found)
        return status;
    if (!s->ports)
        list_ports(s);
    struct hiaton_port own = {
        .name = found->name,
        .is_input = found->is_input,
        .part_count = found->part_count,
        .types = s->ports[number].types,
        .ranks = s->ports[number].ranks,
        .is_waiting = is_waiting(s, (uint32_t)number),
    };
    (found->is_input ? describe_input : describe_output)(s, (uint32_t)number, &own);
    SIM_GIVE(port, own);
    return HIATON_OK;
}

/* --- feeding ----------------------------------------------------------------------------- */

static const char *const type_names[] = {"int", "real", "bool", "real32", "tensor"};

static void complain(const struct hiaton_session *s, const struct isa_port *port,
                     const char *what)
{
    sim_library_complain(&s->reporter, LIB_DIAG_USAGE, "port `%s`: %s", port->name, what);
}

/* Sets the cycle of a feed or close. Returns false and reports an error if it is too early. */
static bool find_cycle(const struct hiaton_session *s, const struct isa_port *port,
                       const struct machine_given *given, uint64_t wanted,
                       uint64_t *cycle)
{
    const bool is_timed = s->engine == SIM_ENGINE_MACHINE;
    const uint64_t now = is_timed ? sim_simulation_now(s->simulation) : 0;
    *cycle = wanted == HIATON_NONE || !is_timed ? now : wanted;
    const char *wrong = !port->is_input    ? "it is a port out"
                        : given->is_closed ? "it is closed"
                        : *cycle < now     ? "the cycle is over"
                        : *cycle > now && *cycle > MACHINE_LAST_CYCLE
                            ? "the cycle is after 2^63 - 1, the last one"
                        : *cycle < given->last
                            ? "a feed of a later cycle was given before"
                            : NULL;
    if (wrong)
        complain(s, port, wrong);
    return !wrong;
}

static bool read_scalar(enum isa_type type, const struct hiaton_value *value,
                        struct machine_fed *part)
{
    int64_t i = 0;
    double r = 0;
    LIB_WORLD_OWN(); /* an int is rounded to a real */
    if (value->rank || !value->data)
        return false;
    if (value->type == HIATON_INT)
        memcpy(&i, value->data, sizeof i);
    else if (value->type == HIATON_REAL)
        memcpy(&r, value->data, sizeof r);
    else if (value->type == HIATON_BOOL)
        i = *(const uint8_t *)value->data != 0;
    if (type == ISA_REAL && (value->type == HIATON_INT || value->type == HIATON_REAL))
        part->value = isa_value_of_real(value->type == HIATON_INT ? (double)i : r);
    else if ((type == ISA_INT && value->type == HIATON_INT) ||
             (type == ISA_BOOL && value->type == HIATON_BOOL))
        part->value = isa_value_of_int(i);
    else
        return false;
    return true;
}

static bool read_tensor(const struct isa_port_part *of, const struct hiaton_value *value,
                        struct machine_fed *part)
{
    part->is_tensor = true;
    part->shape = (struct isa_shape){.element = (uint8_t)of->element,
                                     .rank = (uint8_t)of->rank};
    if (value->type != type_of(of) || value->rank != of->rank || of->rank > ISA_RANK_MAX)
        return false;
    for (uint32_t i = 0; i < of->rank; i++) {
        if (value->extents[i] > (uint64_t)ISA_EXTENT_MAX)
            return false;
        part->shape.extents[i] = (int64_t)value->extents[i];
    }
    part->data = value->data;
    return isa_shape_bytes(&part->shape) == 0 ||
           (isa_shape_bytes(&part->shape) != UINT64_MAX && value->data);
}

static void refuse(const struct hiaton_session *s, const struct isa_port *port,
                   size_t part, const struct hiaton_value *value)
{
    const struct isa_port_part *of = &port->parts[part];
    const bool is_known = (unsigned)value->type <= HIATON_TENSOR;
    sim_library_complain(&s->reporter, LIB_DIAG_TYPE,
                         "port `%s`, part %zu: expected %s%s of rank %" PRIu32
                         ", found a value of type %s and rank %" PRIu32,
                         port->name, part, of->type == ISA_TENSOR ? "a tensor of " : "",
                         type_names[type_of(of)], of->rank,
                         is_known ? type_names[value->type] : "?", value->rank);
}

static bool read_parts(const struct hiaton_session *s, const struct isa_port *port,
                       const struct hiaton_value *values, size_t count,
                       struct machine_fed *parts)
{
    if (count != port->part_count) {
        sim_library_complain(&s->reporter, LIB_DIAG_TYPE,
                             "port `%s`: expected an element of %" PRIu32
                             " parts, found %zu",
                             port->name, port->part_count, count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct hiaton_value own;
        const struct isa_port_part *of = &port->parts[i];
        SIM_TAKE(own, &values[i]);
        if (of->type == ISA_TENSOR ? read_tensor(of, &own, &parts[i])
                                   : read_scalar(of->type, &own, &parts[i]))
            continue;
        refuse(s, port, i, &own);
        return false;
    }
    return true;
}

static enum hiaton_status pass_feed(struct hiaton_session *s, uint32_t number,
                                    struct machine_fed *parts, uint64_t cycle)
{
    const struct machine_feed feed = {.cycle = cycle, .port = number, .parts = parts};
    if (s->recorder)
        sim_recorder_feed(s->recorder, &feed);
    s->is_waiting = false;
    return sim_simulation_feed(s->simulation, number, parts, cycle) ? HIATON_OK
                                                                    : HIATON_NO_ROOM;
}

/* Returns the port for a feed or close, and sets *cycle. Returns NULL and sets `status` on
 * errors. */
static const struct isa_port *open_port(struct hiaton_session *s, size_t number,
                                        uint64_t *cycle, enum hiaton_status *status)
{
    const struct isa_port *port = find_port(s, number, status);
    if (!port)
        return NULL;
    *status = HIATON_ENDED;
    if (s->has_ended)
        return NULL;
    *status = HIATON_MISUSE;
    struct machine_given given = {0};
    if (port->is_input)
        given = sim_simulation_given(s->simulation, (uint32_t)number);
    return find_cycle(s, port, &given, *cycle, cycle) ? port : NULL;
}

static bool have_sizes(const struct hiaton_value *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!sim_library_has_size(&parts[i]))
            return false;
    return parts || !count;
}

enum hiaton_status hiaton_session_feed(struct hiaton_session *s, size_t number,
                                       const struct hiaton_value *parts,
                                       size_t part_count, uint64_t cycle)
{
    enum hiaton_status status;
    if (!have_sizes(parts, part_count))
        return HIATON_MISUSE;
    const struct isa_port *port = open_port(s, number, &cycle, &status);
    if (!port)
        return status;
    struct machine_fed *own = lib_mem_new((port->part_count + 1) * sizeof *own);
    status = !read_parts(s, port, parts, part_count, own) ? HIATON_REJECTED
             : !sim_simulation_takes_feed(s->simulation, (uint32_t)number, own, cycle)
                 ? HIATON_NO_ROOM
                 : pass_feed(s, (uint32_t)number, own, cycle);
    lib_mem_free(own);
    return status;
}

enum hiaton_status hiaton_session_close(struct hiaton_session *s, size_t number,
                                        uint64_t cycle)
{
    enum hiaton_status status;
    const struct isa_port *port = open_port(s, number, &cycle, &status);
    return port ? pass_feed(s, (uint32_t)number, NULL, cycle) : status;
}

/* --- taking ------------------------------------------------------------------------------ */

/* Copies an element. Returns HIATON_NO_ROOM, with all sizes filled in, if a buffer is too small. */
static enum hiaton_status copy_element(const struct hiaton_session *s,
                                       const struct isa_port *port,
                                       const isa_value *values,
                                       struct hiaton_value *parts)
{
    const struct isa_exec *exec = sim_simulation_exec(s->simulation);
    enum hiaton_status status = HIATON_OK;
    for (uint32_t i = 0; i < port->part_count; i++) {
        const enum hiaton_status of_part = sim_library_copy_value(
            exec, port->parts[i].type, values[i], &parts[i]);
        if (of_part != HIATON_OK)
            status = of_part;
    }
    return status;
}

enum hiaton_status hiaton_session_take(struct hiaton_session *s, size_t number,
                                       struct hiaton_value *parts, size_t part_count)
{
    enum hiaton_status status;
    if (!have_sizes(parts, part_count))
        return HIATON_MISUSE;
    const struct isa_port *port = find_port(s, number, &status);
    if (!port)
        return status;
    if (port->is_input || part_count != port->part_count) {
        complain(s, port,
                 port->is_input ? "it is a port in"
                                : "its elements have another number of parts");
        return HIATON_MISUSE;
    }
    const struct isa_exec *exec = sim_simulation_exec(s->simulation);
    const uint64_t taken = exec->structures.ports->all[number].taken;
    isa_value *values = lib_mem_new((part_count + 1) * sizeof *values);
    if (sim_simulation_take(s->simulation, (uint32_t)number, values, false)) {
        status = copy_element(s, port, values, parts);
        if (status == HIATON_OK)
            sim_simulation_take(s->simulation, (uint32_t)number, values, true);
    } else {
        status = s->has_ended || isa_port_has_ended(exec, (uint32_t)number, taken)
                     ? HIATON_ENDED
                     : HIATON_WAITING;
    }
    lib_mem_free(values);
    return status;
}
