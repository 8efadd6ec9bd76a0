/* The tree of calls (traces/call_tree.h), for tools that draw flame graphs:
 *
 * collapsed   a line for each path of functions, "result;fib;fib 465", with its firings
 *             (flamegraph.pl, inferno, speedscope)
 * speedscope  the format of speedscope.app (https://www.speedscope.app/file-format-schema.json):
 *             a sampled profile, where each path is one sample, weighted by its firings */
#include "traces/exports/exports_internal.h"

#include <inttypes.h>

#include "lib/json.h"
#include "traces/call_tree.h"

static bool stacks_start(struct traces_exporter *x)
{
    traces_call_tree_start(x->own, x->request->graph);
    return true;
}

static void stacks_take(struct traces_exporter *x, const struct traces_event *event)
{
    traces_call_tree_note(x->own, event);
}

/* Updates the activations without counting firings that are not written. */
static void leave_out(struct traces_exporter *x, const struct traces_event *event)
{
    if (!export_is_firing(event))
        traces_call_tree_note(x->own, event);
}

static void stacks_release(struct traces_exporter *x)
{
    traces_call_tree_free(x->own);
}

/* Writes a name of an image without the characters that separate frames and lines. */
static void put_frame(const char *name, struct lib_text *text)
{
    for (; *name; name++)
        lib_text_printf(text, "%c",
                        *name == ';' || (unsigned char)*name < ' ' ? '_' : *name);
}

static void put_stack(void *context, const uint32_t *path, size_t count)
{
    struct traces_exporter *x = context;
    const struct traces_call_tree *tree = x->own;
    const struct traces_call_place *last = &tree->places.items[path[count - 1]];
    if (!last->firings)
        return;
    for (size_t i = 0; i < count; i++) {
        lib_text_puts(&x->text, i ? ";" : "");
        put_frame(traces_call_place_name(tree, path[i]), &x->text);
    }
    lib_text_printf(&x->text, " %" PRIu64 "\n", last->firings);
}

static bool finish_collapsed(struct traces_exporter *x)
{
    traces_call_tree_sum(x->own);
    traces_call_tree_walk(x->own, put_stack, x);
    return true;
}

struct profile {
    const struct traces_call_tree *tree;
    struct lib_json json;
};

static void put_sample(void *context, const uint32_t *path, size_t count)
{
    struct profile *p = context;
    if (!p->tree->places.items[path[count - 1]].firings)
        return;
    lib_json_open_line(&p->json, NULL, '[');
    for (size_t i = 0; i < count; i++)
        lib_json_uint(&p->json, NULL, p->tree->places.items[path[i]].function);
    lib_json_close(&p->json);
}

static void put_weight(void *context, const uint32_t *path, size_t count)
{
    struct profile *p = context;
    const uint64_t firings = p->tree->places.items[path[count - 1]].firings;
    if (firings)
        lib_json_uint(&p->json, NULL, firings);
}

static void put_frames(const struct isa_graph *graph, struct lib_json *json)
{
    lib_json_open(json, "shared", '{');
    lib_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct isa_function *f = &graph->functions[i];
        lib_json_open_line(json, NULL, '{');
        lib_json_string(json, "name", f->name);
        if (f->pos.line)
            lib_json_uint(json, "line", f->pos.line);
        lib_json_close(json);
    }
    lib_json_close(json);
    lib_json_close(json);
}

static bool finish_speedscope(struct traces_exporter *x)
{
    struct profile p = {.tree = x->own, .json = {.out = &x->text}};
    struct lib_json *json = &p.json;
    traces_call_tree_sum(x->own);
    lib_json_open(json, NULL, '{');
    lib_json_string(json, "$schema",
                    "https://www.speedscope.app/file-format-schema.json");
    lib_json_string(json, "exporter", "hiaton");
    put_frames(x->request->graph, json);
    lib_json_open(json, "profiles", '[');
    lib_json_open(json, NULL, '{');
    lib_json_string(json, "type", "sampled");
    lib_json_string(json, "name", "firings, by the functions that were called");
    lib_json_string(json, "unit", "none");
    uint64_t all = p.tree->places.items[0].all_firings;
    lib_json_uint(json, "startValue", 0);
    lib_json_uint(json, "endValue", all);
    lib_json_open(json, "samples", '[');
    traces_call_tree_walk(p.tree, put_sample, &p);
    lib_json_close(json);
    lib_json_open_line(json, "weights", '[');
    traces_call_tree_walk(p.tree, put_weight, &p);
    lib_json_close(json);
    lib_json_close(json);
    lib_json_close(json);
    lib_json_close(json);
    return true;
}

const struct export_writer export_collapsed = {
    .format = {"collapsed", false, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct traces_call_tree),
    .start = stacks_start,
    .take = stacks_take,
    .leave_out = leave_out,
    .finish = finish_collapsed,
    .free = stacks_release,
};

const struct export_writer export_speedscope = {
    .format = {"speedscope", false, NULL},
    .writes = EXPORT_TEXT,
    .own_size = sizeof(struct traces_call_tree),
    .start = stacks_start,
    .take = stacks_take,
    .leave_out = leave_out,
    .finish = finish_speedscope,
    .free = stacks_release,
};
