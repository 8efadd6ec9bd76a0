#include "sim/explain/whatif.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/cursor.h"
#include "sim/loading/setup_words.h"

static const char *unit_name(size_t i, const void *context)
{
    static const char *const names[] = {
#define UNIT(NAME, text, help) text,
        ISA_UNITS(UNIT)
#undef UNIT
    };
    (void)context;
    return names[i];
}

static const char *op_name(size_t i, const void *context)
{
    (void)context;
    return isa_op_table[i].name;
}

static const char *function_name(size_t i, const void *context)
{
    return ((const struct isa_graph *)context)->functions[i].name;
}

/* Finds a name in a table, ignoring case. Returns UINT32_MAX and sets `why` if it is unknown. */
static uint32_t find_name(const char *kind, const char *name, size_t count,
                          const char *(*name_at)(size_t i, const void *context),
                          const void *context, struct lib_text *why)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(name, name_at(i, context)) == 0)
            return (uint32_t)i;
    const char *near = lib_text_nearest(name, count, name_at, context);
    lib_text_printf(why, "unknown %s `%s`%s%s%s", kind, name,
                    near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    return UINT32_MAX;
}

/* Reads the part after the name: "=free", "=3", "*0.5" or "/2". */
static bool read_change(struct sim_whatif_change *c, struct lib_cursor *at)
{
    const struct lib_slice change = {at->at, (size_t)(at->end - at->at)};
    const char sign = at->at < at->end ? *at->at++ : '\0';
    char *end;
    c->factor = 1;
    c->is_free = lib_slice_is(change, "=free");
    if (c->is_free)
        return true;
    const double number = strtod(at->at, &end);
    if (end != at->at && *end == '\0' && number >= 0 && number <= 1e6) {
        c->cycles = (uint64_t)number;
        c->is_set = sign == '=' && number == (double)c->cycles;
        c->factor = sign == '*' ? number : sign == '/' ? 1 / number : 1;
        if (c->is_set || sign == '*' || (sign == '/' && number > 0))
            return true;
    }
    return lib_cursor_found(at, change,
                            "`=free`, `=CYCLES`, `*NUMBER` or `/NUMBER` behind the name");
}

static bool read_setting(struct lib_arena *arena, struct sim_whatif_change *c,
                         const char *key, const char *value,
                         const struct machine_settings *settings, struct lib_text *why)
{
    c->of = SIM_WHATIF_SETTING;
    sim_settings_default(&c->settings);
    c->settings.machine = *settings;
    c->setting = sim_setting_find_in(arena, key, why);
    if (!c->setting && why->length)
        return false;
    if (!c->setting) {
        lib_text_printf(why, "unknown setting `%s`", key);
        sim_setup_hint(key, why);
        return false;
    }
    return lib_setting_set(&c->settings, c->setting, value, why);
}

static bool read_which(struct sim_whatif_change *c, const char *kind, const char *which,
                       const struct isa_graph *g, struct lib_text *why)
{
    if (strcmp(kind, "line") == 0) {
        uint64_t line;
        c->of = SIM_WHATIF_LINE;
        if (lib_text_to_whole(which, &line))
            for (uint32_t n = 0; n < g->node_count; n++)
                if (g->nodes[n].pos.line == line) {
                    c->which = (uint32_t)line;
                    return true;
                }
        lib_text_printf(why, "no instruction is of line `%s`", which);
        return false;
    }
    if (strcmp(kind, "function") == 0) {
        c->of = SIM_WHATIF_FUNCTION;
        c->which = find_name("function", which, g->function_count, function_name, g, why);
    } else if (strcmp(kind, "opcode") == 0) {
        c->of = SIM_WHATIF_OPCODE;
        enum isa_type type;
        const enum isa_op op = isa_op_find(which, &type);
        c->which = op != ISA_OP_NONE
                       ? (uint32_t)op
                       : find_name("opcode", which, ISA_OP_COUNT, op_name, NULL, why);
    } else if (strcmp(kind, "unit") == 0) {
        c->of = SIM_WHATIF_UNIT;
        c->which = find_name("class of function unit", which, ISA_UNIT_COUNT, unit_name,
                             NULL, why);
    } else {
        lib_text_printf(why,
                        "expected a setting, line(N), function(NAME), opcode(NAME) or "
                        "unit(NAME), found `%s(%s)`",
                        kind, which);
        return false;
    }
    return c->which != UINT32_MAX;
}

static bool read_parts(struct lib_arena *arena, struct sim_whatif_change *c, char *text,
                       const struct machine_settings *settings, const struct isa_graph *g,
                       struct lib_text *why)
{
    char *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL;
    if (!close) {
        char *equals = strchr(text, '=');
        if (!equals) {
            lib_text_printf(
                why, "expected SETTING=VALUE or a change as `line(3)=free`, found `%s`",
                text);
            return false;
        }
        *equals = '\0';
        return read_setting(arena, c, text, equals + 1, settings, why);
    }
    struct lib_cursor at;
    lib_cursor_on(&at, c->text, NULL, why);
    at.at += close + 1 - text;
    *open = *close = '\0';
    if (!read_which(c, text, open + 1, g, why) || !read_change(c, &at))
        return false;
    if (c->of == SIM_WHATIF_UNIT && c->is_set) {
        LIB_TEXT_OWN key = {0}, value = {0};
        lib_text_printf(&key, "unit.%s.latency", unit_name(c->which, NULL));
        lib_text_printf(&value, "%ju", (uintmax_t)c->cycles);
        return read_setting(arena, c, lib_text_get(&key), lib_text_get(&value), settings,
                            why);
    }
    return true;
}

bool sim_whatif_read(struct lib_arena *arena, struct sim_whatif_change *c,
                     const char *text, const struct machine_settings *settings,
                     const struct isa_graph *g, struct lib_text *why)
{
    char *copy = lib_mem_new(strlen(text) + 1);
    *c = (struct sim_whatif_change){.text = text};
    memcpy(copy, text, strlen(text));
    const bool good = read_parts(arena, c, copy, settings, g, why);
    lib_mem_free(copy);
    return good;
}

bool sim_whatif_concerns(const struct sim_whatif_change *c, const struct isa_graph *g,
                         uint32_t node)
{
    const struct isa_node *n = &g->nodes[node];
    switch (c->of) {
    case SIM_WHATIF_LINE:
        return n->pos.line == c->which;
    case SIM_WHATIF_FUNCTION:
        return n->function == c->which;
    case SIM_WHATIF_OPCODE:
        return n->op == c->which;
    case SIM_WHATIF_UNIT:
        return isa_op_table[n->op].unit == c->which;
    default:
        return false;
    }
}
