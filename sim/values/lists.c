#include "sim/values/lists.h"

#include <string.h>

#include "lib/cursor.h"
#include "sim/loading/inputs.h"
#include "sim/values/range.h"

static const struct lib_pos nowhere;

struct work {
    struct lib_arena *arena;
    const struct isa_graph *graph;
    struct lib_diags *diags;
};

/* Reader of one argument. Messages begin with `what`. */
struct values {
    struct lib_arena *arena;
    struct lib_diags *diags;
    const char *what;
    bool ranges;
    struct sim_values *values;
};

static void report_wrong(const struct values *v, const char *why)
{
    lib_diag_error(v->diags, LIB_DIAG_USAGE, NULL, nowhere, "%s: %s", v->what, why);
}

static bool read_item(const struct values *v, const char *text)
{
    struct sim_range range;
    if (!v->ranges || !sim_range_read(&range, v->arena, text)) {
        *LIB_VEC_PUSH(&v->values->list) = (struct sim_value){.text = text};
        return true;
    }
    LIB_TEXT_OWN why = {0};
    bool good = sim_range_add(&range, v->arena, nowhere, v->values, &why);
    if (!good)
        report_wrong(v, lib_arena_printf(v->arena, "`%s`: %s", text, why.bytes));
    return good;
}

/* Returns the comma that ends a value, or the end: one in brackets is part of an array. */
static const char *find_comma(const char *text)
{
    unsigned depth = 0;
    for (; *text && (depth || *text != ','); text++) {
        depth += *text == '[' || *text == '(';
        depth -= depth && (*text == ']' || *text == ')');
    }
    return text;
}

bool sim_lists_read_values(struct sim_values *values, struct lib_arena *arena,
                           const char *text, const char *what, bool ranges,
                           struct lib_diags *diags)
{
    const struct values v = {arena, diags, what, ranges, values};
    struct lib_cursor c;
    lib_cursor_on(&c, text, NULL, NULL);
    do {
        const struct lib_slice item = lib_cursor_move(&c, find_comma(c.at));
        if (!item.length && (*text || values->list.count)) {
            report_wrong(&v, "a value is missing beside a comma");
            return false;
        }
        if (!read_item(&v, lib_arena_copy(arena, item.bytes, item.length)))
            return false;
    } while (lib_cursor_accept(&c, ","));
    return true;
}

/* Checks that the input can have each value. */
static bool check_list(const struct work *w, const struct sim_list *list)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_setting_files files = {.arena = w->arena};
    const struct sim_inputs_from from = {.files = &files, .folder = ""};
    struct sim_inputs inputs;
    bool good = true;
    for (size_t i = 0; good && i < list->values.list.count; i++) {
        const char *argument = lib_arena_printf(arena, "%s=%s", list->name,
                                                list->values.list.items[i].text);
        good = sim_inputs_read(&inputs, arena, w->graph, &argument, 1, &from, w->diags);
        lib_arena_clear(arena);
    }
    sim_setting_files_free(&files);
    lib_arena_free(arena);
    return good;
}

static bool is_given(const struct sim_lists *lists, const char *name)
{
    for (size_t i = 0; i + 1 < lists->list.count; i++)
        if (strcmp(lists->list.items[i].name, name) == 0)
            return true;
    return false;
}

static bool read_argument(const struct work *w, const char *argument,
                          struct sim_lists *lists)
{
    const char *equals = strchr(argument, '=');
    if (!equals || equals == argument) {
        lib_diag_error(w->diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "expected NAME=VALUES, found `%s`", argument);
        return false;
    }
    struct sim_list *list = LIB_VEC_PUSH(&lists->list);
    *list = (struct sim_list){
        .name = lib_arena_copy(w->arena, argument, (size_t)(equals - argument))};
    const char *what = lib_arena_printf(w->arena, "input `%s`", list->name);
    if (is_given(lists, list->name)) {
        lib_diag_error(w->diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "%s: given twice; several values are a list: 1,2,5", what);
        return false;
    }
    return sim_lists_read_values(&list->values, w->arena, equals + 1, what, true,
                                 w->diags) &&
           check_list(w, list);
}

bool sim_lists_read(struct sim_lists *lists, struct lib_arena *arena,
                    const struct isa_graph *graph, const char *const *arguments,
                    size_t count, struct lib_diags *diags)
{
    const struct work w = {arena, graph, diags};
    bool good = true;
    *lists = (struct sim_lists){0};
    for (size_t i = 0; i < count; i++)
        good &= read_argument(&w, arguments[i], lists);
    return good;
}

void sim_lists_free(struct sim_lists *lists)
{
    for (size_t i = 0; i < lists->list.count; i++)
        LIB_VEC_FREE(&lists->list.items[i].values.list);
    LIB_VEC_FREE(&lists->list);
}
