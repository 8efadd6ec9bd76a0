#include "programs/partition/weights.h"

#include "programs/partition/partition_internal.h"
#include "lib/memory.h"
#include "lib/yaml.h"

#include <stdlib.h>
#include <string.h>

struct weighing {
    const struct isa_graph *image;
    /* For each function: itself or the enclosing one; rows of functions include their loops. */
    uint32_t *home;
    uint64_t *weights;
};

/* Whether a row of the table counts firings of a node. */
static bool is_of(const struct weighing *w, uint32_t node, bool lines, const char *what)
{
    const struct isa_node *n = &w->image->nodes[node];
    return lines ? n->pos.line == strtoul(what, NULL, 10)
                 : strcmp(w->image->functions[w->home[n->function]].name, what) == 0;
}

static void add_row(struct weighing *w, bool lines, const char *what, uint64_t firings)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < w->image->node_count; i++)
        count += is_of(w, i, lines, what);
    for (uint32_t i = 0; i < w->image->node_count; i++)
        if (is_of(w, i, lines, what))
            w->weights[i] = firings > count ? firings / count : 1;
}

/* Reads the table, as YAML, which JSON is. Returns the number of rows. */
static size_t read_rows(struct weighing *w, const struct lib_yaml *yaml)
{
    size_t rows = 0;
    const char *what = NULL;
    for (size_t i = 0; i < yaml->count; i++) {
        const struct lib_yaml_entry *e = &yaml->items[i];
        const bool line = strcmp(e->key, "by_line.line") == 0;
        if (line || strcmp(e->key, "by_function.function") == 0)
            what = e->value;
        const bool of_line = strcmp(e->key, "by_line.firings") == 0;
        if (!of_line && strcmp(e->key, "by_function.firings") != 0)
            continue;
        if (what && e->value) {
            add_row(w, of_line, what, strtoull(e->value, NULL, 10));
            rows++;
        }
        what = NULL;
    }
    return rows;
}

uint64_t *programs_partition_weights(const struct isa_graph *image,
                                     const struct lib_source *source,
                                     struct lib_diags *diags)
{
    uint64_t *weights = lib_mem_new(((size_t)image->node_count + 1) * sizeof *weights);
    for (uint32_t i = 0; i < image->node_count; i++)
        weights[i] = 1;
    if (!source)
        return weights;
    struct lib_yaml yaml = {0};
    struct lib_arena *arena = lib_arena_new();
    size_t rows = 0;
    const bool good = lib_yaml_read(&yaml, arena, source, diags);
    if (good) {
        struct weighing w = {image, programs_partition_homes(image), weights};
        rows = read_rows(&w, &yaml);
        lib_mem_free(w.home);
    }
    if (good && rows == 0)
        lib_diag_error(diags, LIB_DIAG_MEANING, source, (struct lib_pos){1, 1, 1},
                       "found neither `by_line` nor `by_function`; expected what `hiaton "
                       "run --by=line --json` writes");
    lib_yaml_free(&yaml);
    lib_arena_free(arena);
    if (good && rows)
        return weights;
    lib_mem_free(weights);
    return NULL;
}
