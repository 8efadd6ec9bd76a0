#include "traces/exports/columns.h"
#include "traces/token_value.h"

#include <inttypes.h>

static bool csv_start(struct traces_exporter *x)
{
    struct export_columns *columns = x->own;
    export_columns_make(columns);
    lib_text_puts(&x->text, "seq,cycle,event");
    for (size_t i = 0; i < columns->count; i++)
        lib_text_printf(&x->text, ",%s", columns->items[i].name);
    lib_text_puts(&x->text, ",serial,function,opcode,line,column");
    lib_text_puts(&x->text, x->request->has_values ? ",value\n" : "\n");
    return true;
}

static void put_word(struct lib_text *text, const char *word)
{
    lib_text_puts(text, "\"");
    for (; *word; word++)
        lib_text_printf(text, *word == '"' ? "\"\"" : "%c", *word);
    lib_text_puts(text, "\"");
}

static void put_node(struct traces_exporter *x, uint32_t number)
{
    const struct isa_graph *graph = x->request->graph;
    const struct isa_node *node = &graph->nodes[number];
    put_word(&x->text, graph->functions[node->function].name);
    lib_text_puts(&x->text, ",");
    isa_node_write_opcode(node, &x->text);
    if (node->pos.line)
        lib_text_printf(&x->text, ",%u,%u", node->pos.line, node->pos.column);
    else
        lib_text_puts(&x->text, ",,");
}

static void csv_take(struct traces_exporter *x, const struct traces_event *e)
{
    const struct export_columns *columns = x->own;
    struct export_cell cells[EXPORT_MAX_COLUMNS];
    const struct traces_live_tag *tag = export_tag_of(x, e);
    const uint32_t node = export_node_of(e);
    export_columns_get(columns, x, e, cells);
    lib_text_printf(&x->text, "%" PRIu64 ",%" PRIu64 ",%s", x->events, e->cycle,
                    traces_event_table[e->kind].text);
    for (size_t i = 0; i < columns->count; i++) {
        lib_text_puts(&x->text, ",");
        if (cells[i].is_there && cells[i].text)
            put_word(&x->text, cells[i].text);
        else if (cells[i].is_fed)
            traces_event_write_value(x->request->graph, e, &x->text);
        else if (cells[i].is_there)
            lib_text_printf(&x->text, "%" PRIu64, cells[i].number);
    }
    lib_text_puts(&x->text, ",");
    if (tag)
        lib_text_printf(&x->text, "%" PRIu64,
                        traces_live_tags_more(&x->scene.tags, tag)->serial);
    lib_text_puts(&x->text, ",");
    if (node != TRACES_NONE) {
        put_node(x, node);
    } else {
        if (tag)
            put_word(&x->text,
                     x->request->graph
                         ->functions[traces_live_tags_function(&x->scene.tags, tag)]
                         .name);
        lib_text_puts(&x->text, ",,,");
    }
    if (x->request->has_values) {
        lib_text_puts(&x->text, ",");
        traces_token_value_write(x->request->graph, e, &x->text);
    }
    lib_text_puts(&x->text, "\n");
}

const struct export_writer export_csv = {
    .format = {"csv", false, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct export_columns),
    .start = csv_start,
    .take = csv_take,
};
