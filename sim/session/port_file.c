#include "sim/session/port_file.h"

#include <stdlib.h>
#include <string.h>

#include "isa/exec/result.h"
#include "lib/cursor.h"
#include "lib/invisible.h"
#include "lib/order.h"
#include "lib/world.h"

/* --- reading a line ---------------------------------------------------------------------- */

struct reader {
    struct lib_cursor c;
    struct lib_arena *arena;
    const struct isa_port *port;
};

/* Returns the next word; it ends at a blank or one of ",()[]:". */
static struct lib_slice find_word(struct reader *r)
{
    lib_cursor_at_end(&r->c);
    struct lib_cursor ahead = r->c;
    return lib_cursor_until(&ahead, " \t\r\n,()[]:#");
}

static bool take_scalar(struct reader *r, enum isa_type type, isa_value *value)
{
    static const char *const expected[] = {
        [ISA_INT] = "an int", [ISA_REAL] = "a real", [ISA_BOOL] = "true or false"};
    const struct lib_slice word = find_word(r);
    if (word.length == 0)
        return lib_cursor_expected(&r->c, expected[type]);
    const char *text = lib_arena_copy(r->arena, word.bytes, word.length);
    bool good = isa_value_read(text, type, value);
    if (!good && type == ISA_REAL && isa_value_read(text, ISA_INT, value)) {
        /* An integer is accepted for a real, as for inputs. */
        *value = isa_value_of_real((double)isa_value_int(*value));
        good = true;
    }
    if (good)
        lib_cursor_move(&r->c, word.bytes + word.length);
    return good || lib_cursor_found(&r->c, word, expected[type]);
}

struct elements {
    LIB_VEC(isa_value) all;
    bool is_known[ISA_RANK_MAX]; /* extents that are known */
};

static enum isa_type scalar_of(enum isa_element_kind element)
{
    return element == ISA_ELEMENT_INT    ? ISA_INT
           : element == ISA_ELEMENT_BOOL ? ISA_BOOL
                                         : ISA_REAL;
}

static bool take_axis(struct reader *r, const struct isa_port_part *of, unsigned axis,
                      struct isa_shape *shape, struct elements *found)
{
    if (axis == of->rank) {
        isa_value value;
        if (!take_scalar(r, scalar_of(of->element), &value))
            return false;
        *LIB_VEC_PUSH(&found->all) = value;
        return true;
    }
    int64_t extent = 0;
    if (!lib_cursor_expect(&r->c, "["))
        return false;
    if (!lib_cursor_accept(&r->c, "]")) {
        do {
            if (!take_axis(r, of, axis + 1, shape, found))
                return false;
            extent++;
        } while (lib_cursor_accept(&r->c, ","));
        if (!lib_cursor_accept(&r->c, "]"))
            return lib_cursor_expected(&r->c, "`,` or `]`");
    }
    if (found->is_known[axis] && shape->extents[axis] != extent)
        return lib_cursor_expected(&r->c, "rows of one length");
    found->is_known[axis] = true;
    shape->extents[axis] = extent;
    return true;
}

static void *copy_elements(struct lib_arena *arena, enum isa_element_kind element,
                           const isa_value *values, size_t count)
{
    const size_t size = isa_element_size(element);
    char *data = (char *)LIB_ARENA_ARRAY(arena, uint64_t, count * size / 8 + 1);
    for (size_t i = 0; i < count; i++) {
        const float single = (float)isa_value_real(values[i]);
        const uint8_t truth = values[i] != 0;
        memcpy(data + i * size,
               element == ISA_ELEMENT_REAL32 ? (const void *)&single
               : element == ISA_ELEMENT_BOOL ? (const void *)&truth
                                             : (const void *)&values[i],
               size);
    }
    return data;
}

static bool take_part(struct reader *r, const struct isa_port_part *of,
                      struct machine_fed *part)
{
    struct elements found = {0};
    if (of->type != ISA_TENSOR)
        return take_scalar(r, of->type, &part->value);
    part->is_tensor = true;
    part->shape = (struct isa_shape){.element = (uint8_t)of->element,
                                     .rank = (uint8_t)of->rank};
    const bool good = take_axis(r, of, 0, &part->shape, &found);
    if (good)
        part->data = copy_elements(r->arena, of->element, found.all.items,
                                   found.all.count);
    LIB_VEC_FREE(&found.all);
    return good;
}

static bool take_element(struct reader *r, struct sim_port_line *line)
{
    const struct isa_port *port = r->port;
    const bool is_tuple = port->part_count > 1;
    line->what = SIM_PORT_LINE_VALUE;
    line->parts = LIB_ARENA_ARRAY(r->arena, struct machine_fed, port->part_count);
    if (is_tuple && !lib_cursor_expect(&r->c, "("))
        return false;
    for (uint32_t i = 0; i < port->part_count; i++)
        if ((i && !lib_cursor_expect(&r->c, ",")) ||
            !take_part(r, &port->parts[i], &line->parts[i]))
            return false;
    return !is_tuple || lib_cursor_expect(&r->c, ")");
}

static bool take_cycle(struct reader *r, struct sim_port_line *line)
{
    const struct lib_slice word = find_word(r);
    struct lib_cursor behind = r->c;
    lib_cursor_move(&behind, word.bytes + word.length);
    if (word.length == 0 || !lib_cursor_accept(&behind, ":"))
        return true;
    line->has_cycle = true;
    return lib_cursor_number(&r->c, "a cycle", 0, MACHINE_LAST_CYCLE, &line->cycle) &&
           lib_cursor_expect(&r->c, ":");
}

bool sim_port_line_read(const struct isa_graph *graph, uint32_t port,
                        const struct lib_source *source, const char *at, uint32_t number,
                        struct lib_arena *arena, struct sim_port_line *line,
                        struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    const char *const end = source->bytes + source->length;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *line = (struct sim_port_line){0};
    struct reader r = {.arena = arena, .port = &graph->ports[port]};
    lib_cursor_start(&r.c, source, diags);
    r.c.at = at;
    r.c.line = number == 1 ? source->bytes : at; /* columns count a byte-order mark */
    r.c.end = newline ? newline : end;
    r.c.pos.line = number;
    r.c.prefix = lib_arena_printf(arena, "port `%s`: ", r.port->name);
    if (lib_cursor_at_end(&r.c))
        return true;
    if (!take_cycle(&r, line))
        return false;
    if (lib_slice_is(find_word(&r), "end")) {
        line->what = SIM_PORT_LINE_END;
        lib_cursor_accept(&r.c, "end");
    } else if (!take_element(&r, line)) {
        return false;
    }
    return lib_cursor_expect_end(&r.c);
}

/* --- reading a file ---------------------------------------------------------------------- */

static bool report_line(const struct lib_source *source, uint32_t number,
                        const char *name, const char *text, struct lib_diags *diags)
{
    lib_diag_error(diags, LIB_DIAG_MEANING, source, (struct lib_pos){number, 1, 1},
                   "port `%s`: %s", name, text);
    return false;
}

bool sim_port_file_read(struct sim_feeds *feeds, const struct isa_graph *graph,
                        uint32_t port, const struct lib_source *source,
                        struct lib_diags *diags)
{
    const char *name = graph->ports[port].name;
    uint64_t cycle = 0;
    uint32_t number = 1;
    bool has_ended = false;
    const char *const end = source->bytes + source->length;
    const char *at = lib_source_start(source);
    if (!lib_source_is_text(source, diags))
        return false;
    for (; at < end; number++) {
        struct sim_port_line line;
        if (!sim_port_line_read(graph, port, source, at, number, feeds->arena, &line,
                                diags))
            return false;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
        if (line.what == SIM_PORT_LINE_NOTHING)
            continue;
        if (has_ended)
            return report_line(source, number, name, "expected no line behind its end",
                               diags);
        if (line.has_cycle && line.cycle < cycle)
            return report_line(
                source, number, name,
                "expected a cycle that is not before that of the line before", diags);
        cycle = line.has_cycle ? line.cycle : cycle;
        has_ended = line.what == SIM_PORT_LINE_END;
        *LIB_VEC_PUSH(&feeds->all) = (struct machine_feed){
            .cycle = cycle, .port = port, .parts = line.parts};
    }
    if (!has_ended)
        *LIB_VEC_PUSH(&feeds->all) = (struct machine_feed){.cycle = cycle, .port = port};
    return true;
}

struct placed {
    struct machine_feed feed;
    size_t place;
};

static int compare_feeds(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return LIB_ORDER(a->feed.cycle, b->feed.cycle)
           ?: LIB_ORDER(a->feed.port, b->feed.port) ?: LIB_ORDER(a->place, b->place);
}

void sim_feeds_sort(struct sim_feeds *feeds)
{
    const size_t count = feeds->all.count;
    struct placed *all = lib_mem_new((count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = (struct placed){feeds->all.items[i], i};
    qsort(all, count, sizeof *all, compare_feeds);
    for (size_t i = 0; i < count; i++)
        feeds->all.items[i] = all[i].feed;
    lib_mem_free(all);
}

/* --- writing ----------------------------------------------------------------------------- */

void sim_port_element_write(const struct isa_exec *exec, const struct isa_port *port,
                            const isa_value *values, struct lib_text *out)
{
    const bool is_tuple = port->part_count > 1;
    lib_text_puts(out, is_tuple ? "(" : "");
    for (uint32_t i = 0; i < port->part_count; i++) {
        lib_text_puts(out, i ? ", " : "");
        isa_result_write_value(exec, port->parts[i].type, values[i], out);
    }
    lib_text_puts(out, is_tuple ? ")" : "");
}
