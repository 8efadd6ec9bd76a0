#include "machine/placement/functions.h"

#include <string.h>

/* An entry FUNCTION:CLASS; its texts are not terminated. */
struct entry {
    const char *function, *class;
    int function_length, class_length;
};

/* Takes the entry at *at, and sets *at to the next one, or NULL. Returns false if it is none. */
static bool take_entry(const char **at, struct entry *entry)
{
    const char *c = *at;
    entry->function = c;
    entry->function_length = (int)strcspn(c, ":,");
    c += entry->function_length;
    if (*c != ':')
        return false;
    entry->class = ++c;
    entry->class_length = (int)strcspn(c, ":,");
    c += entry->class_length;
    *at = *c ? c + 1 : NULL;
    return entry->function_length > 0 && entry->class_length > 0 && *c != ':';
}

/* Returns the first entry of the setting, or NULL. */
static const char *first_of(const char *text)
{
    return strcmp(text, "none") != 0 ? text : NULL;
}

bool machine_functions_are_placed(const char *text, const struct isa_graph *graph)
{
    return first_of(text) || (graph && isa_graph_has_classes(graph));
}

static bool is_text(const char *text, int length, const char *whole)
{
    return strncmp(text, whole, (size_t)length) == 0 && !whole[length];
}

static const struct traces_pe_class *find_class(const struct traces_machine *about,
                                                const char *name, int length)
{
    for (uint32_t i = 0; i < about->class_count; i++)
        if (is_text(name, length, about->classes[i].name))
            return &about->classes[i];
    return NULL;
}

/* Returns the class that the program gives a function, if the machine has it; or NULL. */
static const struct traces_pe_class *class_of(const struct traces_machine *about,
                                              const struct isa_function *function)
{
    const char *on = function->on;
    return on ? find_class(about, on, (int)strlen(on)) : NULL;
}

/* Returns "" for loops, which the compiler named. */
static const char *name_of(size_t f, const void *graph)
{
    const struct isa_function *of = &((const struct isa_graph *)graph)->functions[f];
    return of->is_loop ? "" : of->name;
}

/* --- whether it fits ---------------------------------------------------------------------- */

/* Adds a diagnostic. False, for the caller to return. */
#define refuse(diags, ...)                                                               \
    (lib_diag_plain(diags, LIB_DIAG_USAGE, "placement.functions: " __VA_ARGS__), false)

static bool names_function(const struct isa_graph *graph, const struct entry *entry,
                           struct lib_diags *diags)
{
    LIB_TEXT_OWN name = {0};
    for (uint32_t f = 0; f < graph->function_count; f++)
        if (is_text(entry->function, entry->function_length, name_of(f, graph)))
            return true;
    lib_text_add(&name, entry->function, (size_t)entry->function_length);
    const char *nearest = lib_text_nearest(lib_text_get(&name), graph->function_count,
                                           name_of, graph);
    return refuse(diags, "the program has no function `%s`%s%s%s", lib_text_get(&name),
                  nearest ? "; did you mean `" : "", nearest ? nearest : "",
                  nearest ? "`?" : "");
}

/* Whether an entry before `entry` has the same function. */
static bool is_repeated(const char *text, const struct entry *entry)
{
    struct entry before;
    for (const char *at = text; take_entry(&at, &before);) {
        if (before.function == entry->function)
            return false;
        if (before.function_length == entry->function_length &&
            strncmp(before.function, entry->function, (size_t)entry->function_length) ==
                0)
            return true;
    }
    return false;
}

/* Appends the classes that the machine has. */
static void write_classes(const struct traces_machine *about, struct lib_text *out)
{
    lib_text_puts(out, about->class_count ? "; it has " : "; it has no classes");
    for (uint32_t i = 0; i < about->class_count; i++)
        lib_text_printf(out, "%s`%s`", i ? ", " : "", about->classes[i].name);
}

static bool has_class(const struct traces_machine *about, const struct entry *entry,
                      struct lib_diags *diags)
{
    LIB_TEXT_OWN classes = {0};
    if (find_class(about, entry->class, entry->class_length))
        return true;
    write_classes(about, &classes);
    return refuse(diags, "the machine has no class `%.*s`%s", entry->class_length,
                  entry->class, lib_text_get(&classes));
}

/* Whether the setting places a function. */
static bool is_placed(const char *text, const struct isa_graph *graph, uint32_t f)
{
    struct entry entry;
    for (const char *at = first_of(text); at && take_entry(&at, &entry);)
        if (is_text(entry.function, entry.function_length, name_of(f, graph)))
            return true;
    return false;
}

/* Checks that the machine has the classes that the program names, where no setting takes
 * precedence. */
static bool program_fits(const char *text, const struct traces_machine *about,
                         const struct isa_graph *graph, struct lib_diags *diags)
{
    for (uint32_t f = 0; f < graph->function_count; f++) {
        const struct isa_function *function = &graph->functions[f];
        LIB_TEXT_OWN classes = {0};
        if (!function->on || class_of(about, function) || is_placed(text, graph, f))
            continue;
        write_classes(about, &classes);
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, function->pos,
                       "%s%s%s on class `%s`, which the machine does not have%s",
                       f ? "function `" : "the top level, with all constants, is",
                       f ? function->name : "", f ? "` is" : "", function->on,
                       lib_text_get(&classes));
        return false;
    }
    return true;
}

bool machine_functions_fit(const char *text, const struct traces_machine *about,
                           const struct isa_graph *graph, struct lib_diags *diags)
{
    struct entry entry;
    for (const char *at = first_of(text); at;) {
        if (!take_entry(&at, &entry))
            return refuse(diags,
                          "expected functions and their classes, as in "
                          "`fact:fast,fib:slow`, found `%s`",
                          text);
        if (!has_class(about, &entry, diags))
            return false;
        if (is_repeated(text, &entry))
            return refuse(diags, "`%.*s` has two classes", entry.function_length,
                          entry.function);
        if (graph && !names_function(graph, &entry, diags))
            return false;
    }
    return !graph || about->has_workers || program_fits(text, about, graph, diags);
}

/* --- where functions are ------------------------------------------------------------------ */

void machine_functions_find(const char *text, const struct traces_machine *about,
                            const struct isa_graph *graph,
                            const struct traces_pe_class **classes)
{
    struct entry entry;
    for (uint32_t f = 0; f < graph->function_count; f++)
        classes[f] = class_of(about, &graph->functions[f]);
    for (const char *at = first_of(text); at && take_entry(&at, &entry);)
        for (uint32_t f = 0; f < graph->function_count; f++)
            if (is_text(entry.function, entry.function_length, name_of(f, graph)))
                classes[f] = find_class(about, entry.class, entry.class_length);
    for (bool is_new = true; is_new;) { /* loops in loops */
        is_new = false;
        for (uint32_t i = 0; i < graph->site_count; i++) {
            const struct isa_site *site = &graph->sites[i];
            const bool is_loop = graph->functions[site->callee].is_loop;
            if (!is_loop || classes[site->callee] == classes[site->caller])
                continue;
            classes[site->callee] = classes[site->caller];
            is_new = true;
        }
    }
}
