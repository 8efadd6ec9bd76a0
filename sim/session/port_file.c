#include "sim/session/port_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/exec/result.h"
#include "lib/world.h"

/* --- reading a line ---------------------------------------------------------------------- */

struct reader {
    const struct lib_source *source;
    const char *start, *at, *end; /* of the line */
    uint32_t number;
    struct lib_arena *arena;
    struct lib_diags *diags;
    const struct isa_port *port;
};

/* Adds an error at the position of the reader. Returns false. */
static bool report_expected(struct reader *r, const char *expected)
{
    const size_t left = (size_t)(r->end - r->at);
    const char *stop = memchr(r->at, ' ', left);
    const size_t span = stop ? (size_t)(stop - r->at) : left;
    const struct lib_pos pos = {r->number, (uint32_t)(r->at - r->start) + 1,
                                span ? (uint32_t)span : 1};
    if (span)
        lib_diag_error(r->diags, LIB_DIAG_SYNTAX, r->source, pos,
                       "port `%s`: expected %s, found `%.*s`", r->port->name, expected,
                       (int)(span < 40 ? span : 40), r->at);
    else
        lib_diag_error(r->diags, LIB_DIAG_SYNTAX, r->source, pos,
                       "port `%s`: expected %s, found the end of the line", r->port->name,
                       expected);
    return false;
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

/* Returns whether `what` comes next, and skips it. */
static bool take_char(struct reader *r, char what)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != what)
        return false;
    r->at++;
    return true;
}

/* Returns the length of the next word, which ends at a blank or at one of ",()[]:". */
static size_t word_length(struct reader *r)
{
    skip_blanks(r);
    size_t length = 0;
    while (r->at + length < r->end && !strchr(" \t\r,()[]:", r->at[length]))
        length++;
    return length;
}

static bool take_scalar(struct reader *r, enum isa_type type, isa_value *value)
{
    static const char *const expected[] = {
        [ISA_INT] = "an int", [ISA_REAL] = "a real", [ISA_BOOL] = "true or false"};
    const size_t length = word_length(r);
    const char *text = lib_arena_copy(r->arena, r->at, length);
    if (isa_value_read(text, type, value)) {
        r->at += length;
        return true;
    }
    if (type == ISA_REAL &&
        isa_value_read(text, ISA_INT, value)) { /* as an input takes it */
        *value = isa_value_of_real((double)isa_value_int(*value));
        r->at += length;
        return true;
    }
    return report_expected(r, expected[type]);
}

/* The elements of a tensor that are read. */
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
    if (!take_char(r, '['))
        return report_expected(r, "`[`");
    if (!take_char(r, ']')) {
        do {
            if (!take_axis(r, of, axis + 1, shape, found))
                return false;
            extent++;
        } while (take_char(r, ','));
        if (!take_char(r, ']'))
            return report_expected(r, "`,` or `]`");
    }
    if (found->is_known[axis] && shape->extents[axis] != extent)
        return report_expected(r, "rows of one length");
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
    if (is_tuple && !take_char(r, '('))
        return report_expected(r, "`(`");
    for (uint32_t i = 0; i < port->part_count; i++) {
        if (i && !take_char(r, ','))
            return report_expected(r, "`,`");
        if (!take_part(r, &port->parts[i], &line->parts[i]))
            return false;
    }
    if (is_tuple && !take_char(r, ')'))
        return report_expected(r, "`)`");
    return true;
}

/* Reads `CYCLE:` if the line begins so. */
static bool take_cycle(struct reader *r, struct sim_port_line *line)
{
    const char *start = r->at;
    const size_t length = word_length(r);
    const char *behind = r->at + length;
    while (behind < r->end && (*behind == ' ' || *behind == '\t'))
        behind++;
    if (length == 0 || behind == r->end || *behind != ':') {
        r->at = start;
        return true;
    }
    const char *text = lib_arena_copy(r->arena, r->at, length);
    char *stop;
    line->has_cycle = true;
    line->cycle = strtoull(text, &stop, 10);
    if (*stop || length > 19 || text[strspn(text, "0123456789")])
        return report_expected(r, "a cycle, which is a number from 0 on");
    r->at = behind + 1;
    return true;
}

bool sim_port_line_read(const struct isa_graph *graph, uint32_t port,
                        const struct lib_source *source, uint32_t number,
                        struct lib_arena *arena, struct sim_port_line *line,
                        struct lib_diags *diags)
{
    LIB_WORLD_OWN();
    size_t length;
    *line = (struct sim_port_line){0};
    struct reader r = {.source = source,
                       .number = number,
                       .arena = arena,
                       .diags = diags,
                       .port = &graph->ports[port]};
    r.start = r.at = lib_source_line(source, number, &length);
    const char *comment = memchr(r.start, '#', length);
    r.end = comment ? comment : r.start + length;
    skip_blanks(&r);
    if (r.at == r.end)
        return true;
    if (!take_cycle(&r, line))
        return false;
    if (word_length(&r) == 3 && memcmp(r.at, "end", 3) == 0) {
        line->what = SIM_PORT_LINE_END;
        r.at += 3;
    } else if (!take_element(&r, line)) {
        return false;
    }
    skip_blanks(&r);
    return r.at == r.end || report_expected(&r, "the end of the line");
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
    for (const char *at = source->bytes; at && *at; number++) {
        struct sim_port_line line;
        if (!sim_port_line_read(graph, port, source, number, feeds->arena, &line, diags))
            return false;
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
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
        *LIB_VEC_PUSH(&feeds->all) = (struct machine_feed){cycle, port, line.parts};
    }
    if (!has_ended)
        *LIB_VEC_PUSH(&feeds->all) = (struct machine_feed){.cycle = cycle, .port = port};
    return true;
}

/* A feed and its index in the list. */
struct placed {
    struct machine_feed feed;
    size_t place;
};

static int compare_feeds(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    if (a->feed.cycle != b->feed.cycle)
        return a->feed.cycle < b->feed.cycle ? -1 : 1;
    if (a->feed.port != b->feed.port)
        return a->feed.port < b->feed.port ? -1 : 1;
    return a->place < b->place ? -1 : 1;
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
