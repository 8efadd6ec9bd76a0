/* A map of machines, in YAML:
 *
 *     default: 0
 *     functions: {fact: 1}       # and its loops
 *     lines: {7: 0}
 *     nodes: {12: 1}             # of the image
 *
 * Later keys have precedence: a node is on the machine of `nodes`, else of its line, and so on. A
 * group is on the machine of its first node, or where `nodes` puts any of its nodes. */
#include "programs/partition/partition_internal.h"
#include "lib/fields.h"
#include "lib/memory.h"

#include <stdlib.h>
#include <string.h>

enum level { DEFAULT, FUNCTION, LINE, NODE };

struct reading {
    const struct isa_graph *image;
    const uint32_t *group_of;
    uint32_t machines;
    uint32_t *machine_of; /* for each group, at its first node: machine */
    uint8_t *level;       /* for each group: how specific the entry was that placed it */
    uint32_t *said_of;    /* for each group: node that the entry named */
    uint32_t *home;       /* for each function: function whose text contains it */
};

/* Places the group of a node, unless a more specific entry has. Returns false if an entry for
 * another node of the group has named another machine. */
static bool place(struct reading *p, uint32_t node, enum level level, uint32_t machine)
{
    const uint32_t group = p->group_of[node];
    if (level == NODE && p->level[group] == NODE && p->machine_of[group] != machine)
        return false;
    if (level < p->level[group] || (level < NODE && node != group))
        return true;
    p->machine_of[group] = machine;
    p->level[group] = (uint8_t)level;
    p->said_of[group] = node;
    return true;
}

static bool read_machine(struct lib_fields *r, size_t i, const struct reading *p,
                         uint32_t *machine)
{
    uint64_t number;
    if (!lib_fields_whole(r, i, 0, p->machines - 1, &number))
        return false;
    *machine = (uint32_t)number;
    return true;
}

static void read_default(struct lib_fields *r, size_t i, void *into)
{
    struct reading *p = into;
    uint32_t machine;
    if (read_machine(r, i, p, &machine))
        for (uint32_t n = 0; n < p->image->node_count; n++)
            place(p, n, DEFAULT, machine);
}

/* Returns the key of an entry in a mapping, without the key of the mapping. */
static const char *last_key(struct lib_fields *r, size_t i, size_t mapping)
{
    return lib_fields_entry(r, i)->key + strlen(lib_fields_entry(r, mapping)->key) + 1;
}

/* Reads a number below a bound, as a key. */
static bool read_number(struct lib_fields *r, size_t i, const char *text, uint64_t least,
                        uint64_t most, const char *what, uint32_t *number)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && value >= least && value <= most) {
        *number = (uint32_t)value;
        return true;
    }
    lib_fields_wrong_key(r, i, "expected the number of a %s, %lu to %lu, found `%s`",
                         what, (unsigned long)least, (unsigned long)most, text);
    return false;
}

static const char *function_name(size_t i, const void *context)
{
    const struct isa_graph *image = context;
    return image->functions[i].is_loop ? "" : image->functions[i].name;
}

static void place_function(struct lib_fields *r, size_t i, struct reading *p,
                           const char *name, uint32_t machine)
{
    bool found = false;
    for (uint32_t n = 0; n < p->image->node_count; n++) {
        const struct isa_function *f =
            &p->image->functions[p->home[p->image->nodes[n].function]];
        if (strcmp(f->name, name) != 0)
            continue;
        found = true;
        place(p, n, FUNCTION, machine);
    }
    if (!found)
        lib_fields_wrong_key(
            r, i, "unknown function `%s`%s", name,
            lib_fields_hint(r, lib_text_nearest(name, p->image->function_count,
                                                function_name, p->image)));
}

static void place_line(struct lib_fields *r, size_t i, struct reading *p, uint32_t line,
                       uint32_t machine)
{
    bool found = false;
    for (uint32_t n = 0; n < p->image->node_count; n++)
        if (p->image->nodes[n].pos.line == line) {
            found = true;
            place(p, n, LINE, machine);
        }
    if (!found)
        lib_fields_wrong_key(r, i, "no instruction is of line %u", line);
}

static void place_node(struct lib_fields *r, size_t i, struct reading *p, uint32_t node,
                       uint32_t machine)
{
    const uint32_t other = p->said_of[p->group_of[node]];
    if (!place(p, node, NODE, machine))
        lib_fields_wrong(r, i,
                         "node %u is on one machine with node %u, which is on machine "
                         "%u: both are of one site, cell or loop",
                         node, other, p->machine_of[p->group_of[node]]);
}

static bool is_mapping(struct lib_fields *r, size_t i, const char *what)
{
    if (lib_fields_entry(r, i)->kind == LIB_YAML_MAPPING)
        return true;
    lib_fields_expected(r, i, what);
    return false;
}

static void read_functions(struct lib_fields *r, size_t i, void *into)
{
    struct reading *p = into;
    uint32_t machine;
    if (!is_mapping(r, i, "functions and their machines, such as {f: 1}"))
        return;
    for (size_t k = i; (k = lib_fields_inside(r, i, k)) != SIZE_MAX;)
        if (read_machine(r, k, p, &machine))
            place_function(r, k, p, last_key(r, k, i), machine);
}

static void read_lines(struct lib_fields *r, size_t i, void *into)
{
    struct reading *p = into;
    uint32_t machine, line;
    if (!is_mapping(r, i, "lines and their machines, such as {7: 1}"))
        return;
    for (size_t k = i; (k = lib_fields_inside(r, i, k)) != SIZE_MAX;)
        if (read_number(r, k, last_key(r, k, i), 1, UINT32_MAX, "line", &line) &&
            read_machine(r, k, p, &machine))
            place_line(r, k, p, line, machine);
}

static void read_nodes(struct lib_fields *r, size_t i, void *into)
{
    struct reading *p = into;
    uint32_t machine, node;
    if (!is_mapping(r, i, "nodes of the image and their machines, such as {12: 1}"))
        return;
    for (size_t k = i; (k = lib_fields_inside(r, i, k)) != SIZE_MAX;)
        if (p->image->node_count > 0 &&
            read_number(r, k, last_key(r, k, i), 0, p->image->node_count - 1, "node",
                        &node) &&
            read_machine(r, k, p, &machine))
            place_node(r, k, p, node, machine);
}

static const struct lib_field fields[] = {
    LIB_FIELD("default", READ, "MACHINE", "of what nothing else is said of",
              .read = read_default),
    LIB_FIELD("functions", READ, "{NAME: MACHINE ...}",
              "the machines of functions, with their loops", .read = read_functions,
              .is_open = true),
    LIB_FIELD("lines", READ, "{LINE: MACHINE ...}", "the machines of lines of the source",
              .read = read_lines, .is_open = true),
    LIB_FIELD("nodes", READ, "{NODE: MACHINE ...}",
              "the machines of instructions of the image", .read = read_nodes,
              .is_open = true),
};

bool programs_partition_read_map(const struct isa_graph *image, const uint32_t *group_of,
                                 const struct lib_source *map, uint32_t machines,
                                 uint32_t *machine_of, struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    const size_t count = (size_t)image->node_count + 1;
    struct lib_yaml yaml = {0};
    struct lib_arena *arena = lib_arena_new();
    struct lib_fields r = {.arena = arena, .source = map, .yaml = &yaml, .diags = diags};
    struct reading p = {
        .image = image,
        .group_of = group_of,
        .machines = machines,
        .machine_of = machine_of,
        .level = lib_mem_new(count * sizeof *p.level),
        .said_of = lib_mem_new(count * sizeof *p.said_of),
        .home = programs_partition_homes(image),
    };
    memset(p.said_of, 0xff, count * sizeof *p.said_of);
    if (lib_yaml_read(&yaml, arena, map, diags))
        lib_fields_mapping(&r, LIB_WHOLE, "a map of machines", fields,
                           sizeof fields / sizeof fields[0], &p);
    lib_yaml_free(&yaml);
    lib_arena_free(arena);
    LIB_MEM_FREE(p.level, p.said_of, p.home);
    return diags->errors == errors;
}
