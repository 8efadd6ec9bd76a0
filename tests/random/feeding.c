/* A random host: what it feeds to a machine, and the second simulator's words for that. */
#include "tests/random/feeding.h"

#include "isa/exec/exec.h"
#include "isa/exec/port.h"
#include "machine/ports.h"
#include "tests/random/draw.h"

#include <string.h>

enum { GAP_MAX = 80 };

/* The port of the program that a port of the graph is; NULL: there is none such. A program that is
 * made small may have lost it. */
static const struct ports_in *find_port(const struct ports_program *program,
                                        const struct isa_port *port)
{
    for (unsigned i = 0; i < program->in_count && port->is_input; i++) {
        const struct ports_in *in = &program->in[i];
        bool same = strcmp(in->name, port->name) == 0 &&
                    in->part_count == port->part_count;
        for (unsigned k = 0; k < in->part_count && same; k++)
            same = in->types[k] == port->parts[k].type;
        if (same)
            return in;
    }
    return NULL;
}

static struct isa_tensor *make_tensor(struct feeding *f, const struct ports_value *v)
{
    const struct isa_shape shape = {
        .element = ISA_ELEMENT_REAL, .rank = 1, .extents = {(int64_t)v->count}};
    struct isa_tensor *t = isa_tensor_new(&f->tensors, &shape);
    memcpy(t->reals, v->reals, v->count * sizeof *v->reals);
    isa_tensor_seal(t, true);
    return t;
}

/* Gives an element, or the end, to the machine in a cycle. */
static void give_feed(struct feeding *f, struct machine *m, uint32_t port,
                      const struct ports_in *in, unsigned element, uint64_t cycle,
                      bool waits)
{
    struct machine_fed *fed = &f->fed[f->host.count * PORTS_PARTS_MAX];
    struct oracle_fed *parts = &f->parts[f->host.count * PORTS_PARTS_MAX];
    f->feeds[f->host.count++] = (struct oracle_feed){.port = port,
                                                     .closes = element == in->length,
                                                     .cycle = waits ? ORACLE_WHEN_WAITING
                                                                    : cycle,
                                                     .parts = parts};
    *LIB_VEC_PUSH(&f->all.all) = (struct machine_feed){
        .cycle = cycle, .port = port, .parts = element == in->length ? NULL : fed};
    if (element == in->length) {
        machine_close(m, port, cycle);
        return;
    }
    for (unsigned k = 0; k < in->part_count; k++) {
        const struct ports_value *v = &in->values[element][k];
        fed[k] = (struct machine_fed){.value = v->value};
        parts[k] = (struct oracle_fed){.word = v->value};
        if (in->types[k] != ISA_TENSOR)
            continue;
        parts[k].tensor = make_tensor(f, v);
        fed[k] = (struct machine_fed){
            .is_tensor = true, .shape = parts[k].tensor->shape, .data = v->reals};
    }
    machine_feed(m, port, fed, cycle);
}

/* To the end, or until it waits; now and then in steps. Returns whether it waits. */
static bool advance(struct machine *m, struct draw *draw)
{
    const uint64_t step = draw_below(draw, 4) ? UINT64_MAX / 2 : 1 + draw_below(draw, 9);
    for (;;) {
        const uint64_t now = machine_next(m);
        const bool goes_on = machine_advance_to(
            m, now < UINT64_MAX / 4 ? now + step : UINT64_MAX / 2, UINT64_MAX / 2);
        if (!goes_on || machine_waits(m))
            return goes_on;
    }
}

bool feeding_run(struct feeding *f, struct machine *m, const struct isa_graph *graph,
                 const struct ports_program *program, uint64_t seed, bool is_timed)
{
    struct draw draw = {.seed = seed};
    const uint64_t drawn = draw_below(&draw, 3), forgets = draw_below(&draw, 8);
    const uint64_t style = is_timed ? 0 : drawn;
    const struct ports_in *in[PORTS_MAX + PORTS_OUT_MAX] = {0};
    unsigned next[PORTS_MAX + PORTS_OUT_MAX] = {0}, open = 0;
    uint64_t cycle = 0;
    uint32_t last = 0;
    *f = (struct feeding){.host = {f->feeds, 0}};
    for (uint32_t p = 0; p < graph->port_count; p++) {
        in[p] = find_port(program, &graph->ports[p]);
        open += in[p] != NULL;
    }
    while (open > 0) {
        const uint32_t p = (uint32_t)draw_below(&draw, graph->port_count);
        if (!in[p])
            continue;
        const bool waits = style == 1 || (style == 2 && draw_below(&draw, 2));
        if (waits && !advance(m, &draw))
            return false;
        const uint64_t before = cycle;
        if (waits)
            cycle = machine_next(m);
        else if (draw_below(&draw, 3))
            cycle += draw_below(&draw, GAP_MAX);
        cycle += !waits && cycle == before && p < last;
        last = p;
        const unsigned element = next[p]++;
        const bool closes = element == in[p]->length;
        if (!closes || forgets)
            give_feed(f, m, p, in[p], element, cycle, waits);
        if (closes) {
            in[p] = NULL;
            open--;
        }
    }
    return advance(m, &draw);
}

void feeding_free(struct feeding *f)
{
    for (size_t i = 0; i < f->host.count * PORTS_PARTS_MAX; i++)
        isa_tensor_free(&f->tensors, (struct isa_tensor *)(uintptr_t)f->parts[i].tensor);
    isa_tensor_memory_free(&f->tensors);
    LIB_VEC_FREE(&f->all.all);
}

static void write_part(const struct isa_exec *x, const struct isa_port_part *part,
                       isa_value value, struct lib_text *out)
{
    if (part->type == ISA_TENSOR)
        isa_tensor_write(out, isa_structures_get(&x->structures, value)->tensor);
    else
        isa_value_write(out, part->type, value);
}

void feeding_write_taken(const struct machine *m, const struct isa_graph *graph,
                         struct lib_text *out)
{
    const struct isa_exec *x = machine_exec(m);
    for (uint32_t p = 0; p < graph->port_count; p++) {
        const struct isa_port *port = &graph->ports[p];
        isa_value values[PORTS_PARTS_MAX];
        for (uint64_t i = 0; !port->is_input && isa_port_get(x, p, i, values); i++) {
            for (uint32_t k = 0; k < port->part_count; k++) {
                lib_text_puts(out, k ? ", " : "");
                write_part(x, &port->parts[k], values[k], out);
            }
            lib_text_puts(out, "; ");
        }
        lib_text_puts(out, port->is_input ? "" : "| ");
    }
}
