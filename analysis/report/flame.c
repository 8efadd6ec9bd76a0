#include "analysis/report/flame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, ROW = 18, LETTER = 7, COLOURS = 6 };

struct flame {
    struct lib_text *out;
    const struct traces_call_tree *tree;
    double scale;    /* width of a firing */
    double *nexts;   /* per tree node: position of its next child */
    uint32_t depth;  /* deepest level that is drawn */
    bool only_depth; /* only finds `depth`; draws nothing */
};

static double width_of(const struct flame *f, uint32_t place)
{
    return f->scale * (double)f->tree->places.items[place].all_firings;
}

static void put_name(struct lib_text *out, const char *name, double width)
{
    const size_t length = strlen(name), room = (size_t)(width / LETTER);
    size_t cut = room < length ? room : length;
    while (cut < length && cut && ((unsigned char)name[cut] & 0xc0) == 0x80)
        cut--; /* not within a UTF-8 character */
    lib_text_html(out, name, cut);
}

static void put_frame(const struct flame *f, uint32_t place, double left, double width)
{
    const struct traces_call_place *p = &f->tree->places.items[place];
    const char *name = traces_call_place_name(f->tree, place);
    const double all = (double)f->tree->places.items[0].all_firings;
    const uint32_t y = (f->depth - p->depth) * ROW;
    lib_text_printf(f->out,
                    "<g class=\"f c%u\" data-x=\"%.2f\" data-w=\"%.2f\" "
                    "data-n=\"",
                    p->function % COLOURS, left, width);
    lib_html_text(f->out, name);
    lib_text_puts(f->out, "\"><title>");
    lib_html_text(f->out, name);
    lib_text_printf(
        f->out,
        ": %" PRIu64 " firings, %.1f %%, %" PRIu64 " its own; %" PRIu64
        " %s</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\"/>",
        p->all_firings, all > 0 ? 100 * (double)p->all_firings / all : 0, p->firings,
        p->calls, f->tree->graph->functions[p->function].is_loop ? "iterations" : "calls",
        left, y, width, ROW - 1);
    /* Outside the frame, whose title is this name: a screen reader has read it already. */
    lib_text_printf(f->out, "</g><text aria-hidden=\"true\" x=\"%.2f\" y=\"%u\">",
                    left + 3, y + ROW - 5);
    if (width >= 3 * LETTER)
        put_name(f->out, name, width - 6);
    lib_text_puts(f->out, "</text>\n");
}

static void visit(void *context, const uint32_t *path, size_t count)
{
    struct flame *f = context;
    const uint32_t place = path[count - 1];
    const double width = width_of(f, place);
    double left = 0;
    if (count > 1) {
        left = f->nexts[path[count - 2]];
        f->nexts[path[count - 2]] += width;
    }
    f->nexts[place] = left;
    if (width < WIDTH / 1000.0)
        return;
    if (f->only_depth)
        f->depth = count - 1 > f->depth ? (uint32_t)(count - 1) : f->depth;
    else
        put_frame(f, place, left, width);
}

void analysis_flame_draw(struct lib_text *out, const struct traces_call_tree *tree)
{
    const size_t count = tree->places.count;
    const double all = (double)tree->places.items[0].all_firings;
    struct flame f = {.out = out,
                      .tree = tree,
                      .scale = all > 0 ? WIDTH / all : 0,
                      .nexts = lib_mem_new(count * sizeof *f.nexts),
                      .only_depth = true};
    traces_call_tree_walk(tree, visit, &f);
    f.only_depth = false;
    lib_text_printf(
        out,
        "<svg id=\"flame\" class=\"flame\" viewBox=\"0 0 %d %u\" role=\"img\" "
        "aria-labelledby=\"flame-title flame-about\">"
        "<title id=\"flame-title\">Flame graph of calls</title>"
        "<desc id=\"flame-about\">A frame is a function, above the one that "
        "called it; it is as wide as what fired in it and in all that it "
        "called. The table below has the same in words.</desc>\n",
        WIDTH, (f.depth + 1) * ROW);
    traces_call_tree_walk(tree, visit, &f);
    lib_text_puts(out, "</svg>\n");
    lib_mem_free(f.nexts);
}

static int compare(const void *a, const void *b, void *context)
{
    const struct traces_call_tree *tree = context;
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct traces_call_place *x = &tree->places.items[i],
                                   *y = &tree->places.items[k];
    if (x->firings != y->firings)
        return x->firings < y->firings ? 1 : -1;
    return i < k ? -1 : i > k;
}

/* Writes "result > fib > fib", shortened in the middle if long. */
static void put_path(struct lib_text *out, const struct traces_call_tree *tree,
                     uint32_t place)
{
    enum { HEAD = 3, TAIL = 4 };
    uint32_t path[TRACES_CALL_DEPTH];
    const uint32_t depth = tree->places.items[place].depth;
    for (uint32_t i = depth + 1; i-- > 0; place = tree->places.items[place].parent)
        path[i] = place;
    for (uint32_t i = 0; i <= depth; i++) {
        const bool is_left_out = i >= HEAD && i + TAIL <= depth;
        if (is_left_out && i > HEAD)
            continue;
        lib_text_puts(out, i ? " \xe2\x80\xba " : "");
        if (is_left_out)
            lib_text_printf(out, "\xe2\x80\xa6 %u more", depth - TAIL - HEAD + 1);
        else
            lib_html_text(out, traces_call_place_name(tree, path[i]));
    }
}

static void put_row(struct lib_text *out, const struct traces_call_tree *tree,
                    uint32_t place)
{
    const struct traces_call_place *p = &tree->places.items[place];
    lib_text_puts(out, "<tr><td>");
    put_path(out, tree, place);
    lib_text_printf(out,
                    "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                    "</td><td class=\"n\">%" PRIu64 "</td></tr>\n",
                    p->calls, p->firings, p->all_firings);
}

void analysis_flame_table(struct lib_text *out, const struct traces_call_tree *tree,
                          size_t most)
{
    const size_t count = tree->places.count, shown = count < most ? count : most;
    uint32_t *order = lib_mem_new(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare, (void *)(uintptr_t)tree);
    lib_html_wide(out, NULL, "Paths of calls");
    lib_text_puts(out, "<table id=\"call-paths\">\n<caption>"
                       "Paths of calls, those with most firings of their own first");
    if (shown < count)
        lib_text_printf(out, " (%zu of %zu)", shown, count);
    lib_text_puts(out, "</caption>\n<thead><tr><th scope=\"col\">path</th>"
                       "<th scope=\"col\" class=\"n\">calls or iterations</th>"
                       "<th scope=\"col\" class=\"n\">firings of its own</th>"
                       "<th scope=\"col\" class=\"n\">with all that it called</th>"
                       "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < shown; i++)
        put_row(out, tree, order[i]);
    lib_text_puts(out, "</tbody>\n</table></div>\n");
    if (tree->is_cut)
        lib_text_printf(out,
                        "<p>The tree has bounds: calls more than %d deep, or beyond %d "
                        "paths, are counted where they were called.</p>\n",
                        TRACES_CALL_DEPTH, TRACES_CALL_PLACES);
    lib_mem_free(order);
}
