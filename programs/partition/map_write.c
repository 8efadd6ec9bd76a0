/* Writes a map of machines (map.c): the machine of most nodes is the default; each group
 * elsewhere has an entry. */
#include "programs/partition/partition_internal.h"
#include "lib/memory.h"

void programs_partition_write_map(const struct isa_graph *image,
                                  const uint32_t *machine_of, uint32_t machines,
                                  struct lib_text *out)
{
    uint32_t *group_of = programs_partition_groups(image);
    uint32_t *count = lib_mem_new(((size_t)machines + 1) * sizeof *count);
    uint32_t most = 0;
    bool any = false;
    for (uint32_t i = 0; i < image->node_count; i++)
        count[machine_of[i]]++;
    for (uint32_t m = 1; m < machines; m++)
        if (count[m] > count[most])
            most = m;
    lib_text_printf(out, "default: %u\n", most);
    for (uint32_t i = 0; i < image->node_count; i++) {
        const struct isa_node *n = &image->nodes[i];
        if (group_of[i] != i || machine_of[i] == most)
            continue;
        if (!any)
            lib_text_puts(out, "nodes:\n");
        any = true;
        lib_text_printf(out, "  %u: %u  # %s of %s, %u:%u\n", i, machine_of[i],
                        isa_op_table[n->op].text, image->functions[n->function].name,
                        n->pos.line, n->pos.column);
    }
    LIB_MEM_FREE(group_of, count);
}
