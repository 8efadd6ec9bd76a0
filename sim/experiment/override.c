#include "sim/experiment/override.h"

#include <string.h>

#include "sim/experiment/params.h"
#include "sim/values/lists.h"

static const struct lib_pos nowhere;

/* --- parameters of all programs ----------------------------------------------------------- */

static void remove_own(struct sim_experiment *x, const char *name)
{
    size_t kept = 0;
    for (size_t n = 0; n < x->entries.count; n++) {
        struct sim_entry *e = &x->entries.items[n];
        const size_t from = e->own, to = from + e->own_count;
        e->own = kept;
        for (size_t i = from; i < to; i++) {
            if (strcmp(x->own.items[i].name, name) == 0)
                LIB_VEC_FREE(&x->own.items[i].values.list);
            else
                x->own.items[kept++] = x->own.items[i];
        }
        e->own_count = kept - e->own;
    }
    x->own.count = kept;
}

static bool is_in_step(const struct sim_experiment *x, const struct sim_param *param)
{
    size_t count = 0;
    for (size_t i = 0; i < x->params.count; i++)
        count += x->params.items[i].axis == param->axis;
    return count > 1;
}

/* Replaces the values of a parameter. In a zip, one value is used for all positions. */
static void replace(struct sim_experiment *x, struct sim_param *param,
                    struct sim_values values, const char *option, struct lib_diags *diags)
{
    const size_t count = values.list.count;
    const bool is_one = is_in_step(x, param);
    if (is_one && count > 1)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "%s: `%s` varies in step with others (zip): expected one value, "
                       "found %zu",
                       option, param->name, count);
    for (size_t i = 0; is_one && i < param->values.list.count; i++)
        param->values.list.items[i] = values.list.items[0];
    if (is_one) {
        LIB_VEC_FREE(&values.list);
        return;
    }
    LIB_VEC_FREE(&param->values.list);
    param->values = values;
    x->axes.items[param->axis].length = count;
}

static void put(struct sim_experiment *x, struct sim_param param, const char *option,
                struct lib_diags *diags)
{
    struct sim_param *there = sim_params_find(&x->params, 0, x->params.count, param.name);
    remove_own(x, param.name);
    if (there) {
        replace(x, there, param.values, option, diags);
        return;
    }
    LIB_VEC_PUSH(&x->axes)->length = param.values.list.count;
    param.axis = x->axes.count - 1;
    *LIB_VEC_PUSH(&x->params) = param;
}

/* --- settings ----------------------------------------------------------------------------- */

static void set(struct sim_experiment *x, const char *text, struct lib_diags *diags)
{
    const char *value;
    struct sim_param param = {.kind = SIM_PARAM_SETTING};
    LIB_TEXT_OWN why = {0};
    param.setting = sim_setup_find(x->arena, text, &value, diags);
    if (!param.setting)
        return;
    param.name = param.setting->key;
    const bool is_path = param.setting->kind == LIB_SETTING_FILE;
    bool good = sim_lists_read_values(
        &param.values, x->arena, value,
        lib_arena_printf(x->arena, "--set: `%s`", param.name), !is_path, diags);
    for (size_t i = 0; good && i < param.values.list.count; i++)
        good = sim_params_understand_setting(x, param.setting, "",
                                             &param.values.list.items[i], &why);
    if (why.length)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "--set: %s", why.bytes);
    if (good)
        put(x, param, "--set", diags);
    else
        LIB_VEC_FREE(&param.values.list);
}

/* --- inputs ------------------------------------------------------------------------------- */

static bool has_input(const struct sim_experiment *x, size_t program, const char *name)
{
    return isa_graph_find_input(x->programs.items[program].program.graph, name) !=
           UINT32_MAX;
}

static size_t count_having(const struct sim_experiment *x, const char *name)
{
    size_t count = 0;
    for (size_t p = 0; p < x->programs.count; p++)
        count += has_input(x, p, name);
    return count;
}

static struct sim_values copy_of(const struct sim_values *values)
{
    struct sim_values copy = {0};
    for (size_t i = 0; i < values->list.count; i++)
        *LIB_VEC_PUSH(&copy.list) = values->list.items[i];
    return copy;
}

static void put_own(struct sim_experiment *x, const struct sim_param *param)
{
    const struct sim_values *programs =
        &sim_params_find(&x->params, 0, x->params.count, "program")->values;
    const char *name = param->name + strlen("inputs.");
    sim_param_list own = {0};
    while (x->entries.count < programs->list.count)
        *LIB_VEC_PUSH(&x->entries) = (struct sim_entry){.length = 1};
    for (size_t n = 0; n < x->entries.count; n++) {
        struct sim_entry *e = &x->entries.items[n];
        const size_t first = own.count;
        struct sim_param more = *param;
        for (size_t i = 0; i < e->own_count; i++)
            *LIB_VEC_PUSH(&own) = x->own.items[e->own + i];
        if (has_input(x, programs->list.items[n].number, name)) {
            more.axis = own.count > first ? own.items[own.count - 1].axis + 1 : 0;
            more.values = copy_of(&param->values);
            *LIB_VEC_PUSH(&own) = more;
        }
        e->own = first;
        e->own_count = own.count - first;
    }
    LIB_VEC_FREE(&x->own);
    x->own = own;
}

static bool is_given(const struct sim_overrides *o, size_t input, size_t length)
{
    for (size_t i = 0; i < input; i++)
        if (strncmp(o->inputs[i], o->inputs[input], length + 1) == 0)
            return true;
    return false;
}

static const char *input_name(size_t i, const void *context)
{
    const struct traces_column *c =
        &((const struct traces_columns *)context)->list.items[i];
    return c->input ? c->input : "";
}

/* Returns "; did you mean `x`?" or "". */
static const char *hint(const struct sim_experiment *x, const char *wrong)
{
    const char *near = lib_text_nearest(wrong, x->columns.list.count, input_name,
                                        &x->columns);
    return near && *near ? lib_arena_printf(x->arena, "; did you mean `%s`?", near) : "";
}

static bool check_input(const struct sim_experiment *x, const struct sim_overrides *o,
                        size_t input, struct lib_diags *diags)
{
    const char *text = o->inputs[input], *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (length == 0)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--input: expected NAME=VALUES, found `%s`", text);
    else if (is_given(o, input, length))
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--input: `%.*s` is given twice; several values are a list: 1,2,5",
                       (int)length, text);
    else if (count_having(x, lib_arena_copy(x->arena, text, length)) == 0)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--input: no program has an input `%.*s`%s", (int)length, text,
                       hint(x, lib_arena_copy(x->arena, text, length)));
    else
        return true;
    return false;
}

/* Values are checked later, with those of the file. */
static void put_input(struct sim_experiment *x, const struct sim_overrides *o,
                      size_t input, struct lib_diags *diags)
{
    if (!check_input(x, o, input, diags))
        return;
    const char *text = o->inputs[input], *equals = strchr(text, '=');
    const char *name = lib_arena_copy(x->arena, text, (size_t)(equals - text));
    struct sim_param param = {.kind = SIM_PARAM_INPUT,
                              .name = lib_arena_printf(x->arena, "inputs.%s", name)};
    if (!sim_lists_read_values(&param.values, x->arena, equals + 1,
                               lib_arena_printf(x->arena, "--input: `%s`", name), true,
                               diags)) {
        LIB_VEC_FREE(&param.values.list);
    } else if (count_having(x, name) == x->programs.count) {
        put(x, param, "--input", diags);
    } else {
        remove_own(x, param.name);
        put_own(x, &param);
        LIB_VEC_FREE(&param.values.list);
    }
}

/* --- all ---------------------------------------------------------------------------------- */

/* Returns "--set pe.count=64 --input n=5". */
static const char *spell(const struct sim_overrides *o, struct lib_arena *arena)
{
    struct lib_text text = {0};
    for (size_t i = 0; i < o->set_count; i++)
        lib_text_printf(&text, "%s--set %s", text.length ? " " : "", o->sets[i]);
    for (size_t i = 0; i < o->input_count; i++)
        lib_text_printf(&text, "%s--input %s", text.length ? " " : "", o->inputs[i]);
    return lib_arena_keep(arena, &text);
}

void sim_overrides_apply(const struct sim_overrides *overrides,
                         struct sim_experiment *experiment, struct lib_diags *diags)
{
    for (size_t i = 0; i < overrides->set_count; i++)
        set(experiment, overrides->sets[i], diags);
    for (size_t i = 0; i < overrides->input_count; i++)
        put_input(experiment, overrides, i, diags);
    experiment->overridden = spell(overrides, experiment->arena);
}
