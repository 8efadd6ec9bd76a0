/* hiaton ops: the table of opcodes. */
#include "sim/commands/commands.h"

#include <string.h>

#include "isa/op.h"
#include "lib/json.h"
#include "sim/cli/reference_table.h"

static const struct lib_field own_options[] = {
    SIM_FLAG("scdoc", offsetof(struct sim_table_choice, scdoc),
             "Print a piece of a manual page for scdoc"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .help = "List the opcodes: operands and outputs, function unit, effect, meaning."
            "\vAn opcode with .TYPE exists for int, real and bool: switch.int, ... Any "
            "operand but a control or a trigger may be an immediate, at most one of an "
            "instruction.",
    .most = 0,
    .options = own_options,
};

static const char *const effect_names[] = {
    [ISA_EFFECT_PURE] = "pure",     [ISA_EFFECT_CONTROL] = "control",
    [ISA_EFFECT_TAG] = "tag",       [ISA_EFFECT_MEMORY] = "memory",
    [ISA_EFFECT_RESULT] = "result", [ISA_EFFECT_FUNCTION] = "function",
};

/* What else an instruction names. */
static const char *const attribute_names[ISA_ATTR_COUNT][2] = {
    [ISA_ATTR_NONE] = {NULL, NULL},
    [ISA_ATTR_SITE] = {"site", NULL},
    [ISA_ATTR_SITE_PARAM] = {"site", "param"},
    [ISA_ATTR_SITE_PART] = {"site", "part"},
    [ISA_ATTR_SITE_HELD] = {"site", "part"},
    [ISA_ATTR_CELL] = {"cell", NULL},
    [ISA_ATTR_PARAM] = {"param", NULL},
    [ISA_ATTR_PART] = {"part", NULL},
    [ISA_ATTR_KERNEL] = {"kernel", NULL},
    [ISA_ATTR_CONSTANT] = {"constant", NULL},
    [ISA_ATTR_ARRAY] = {"array", NULL},
};

/* What a letter of isa/ops.def stands for. */
static const char *letter_text(char letter)
{
    switch (letter) {
    case 'i':
        return "int";
    case 'r':
        return "real";
    case 'b':
        return "bool";
    case 't':
        return "TYPE";
    case 'v':
        return "immediate";
    case 'c':
        return "control";
    case '?':
        return "trigger";
    default:
        return "any";
    }
}

static void write_name(enum isa_op op, struct lib_text *out)
{
    lib_text_puts(out, isa_op_table[op].text);
    if (isa_op_is_typed(op))
        lib_text_puts(out, ".TYPE");
}

/* "(TYPE, bool) -> TYPE | TYPE, site". */
static void write_signature(enum isa_op op, struct lib_text *out)
{
    const struct isa_op_info *info = &isa_op_table[op];
    lib_text_puts(out, "(");
    for (const char *p = info->in; *p; p++)
        lib_text_printf(out, "%s%s", p > info->in ? ", " : "", letter_text(*p));
    lib_text_puts(out, ")");
    if (*info->out != '-') {
        lib_text_puts(out, " -> ");
        for (const char *p = info->out; *p; p++)
            lib_text_printf(out, "%s%s", p > info->out ? " | " : "", letter_text(*p));
    }
    for (int i = 0; i < 2 && attribute_names[info->attributes][i]; i++)
        lib_text_printf(out, "%s%s", i ? ", " : "; ",
                        attribute_names[info->attributes][i]);
}

static void write_text(enum sim_table_form form, struct lib_text *out)
{
    struct lib_text name = {0}, signature = {0};
    enum isa_effect last = ISA_EFFECT_FUNCTION;
    for (int i = 0; i < ISA_OP_COUNT; i++) {
        const struct isa_op_info *info = &isa_op_table[i];
        lib_text_clear(&name);
        lib_text_clear(&signature);
        write_name((enum isa_op)i, &name);
        write_signature((enum isa_op)i, &signature);
        if (form == SIM_TABLE_SCDOC) {
            struct lib_text detail = {0};
            lib_text_printf(&detail, " %s; unit %s, effect %s", signature.bytes,
                            isa_unit_name(info->unit), effect_names[info->effect]);
            sim_scdoc_entry(out, name.bytes, detail.bytes, info->help);
            lib_text_free(&detail);
            continue;
        }
        if (i > 0 && info->effect != last)
            lib_text_puts(out, "\n");
        last = info->effect;
        lib_text_printf(out, "%-12s %-38s %-8s %-9s %s\n", name.bytes, signature.bytes,
                        isa_unit_name(info->unit), effect_names[info->effect],
                        info->help);
    }
    lib_text_free(&name);
    lib_text_free(&signature);
}

static void write_letters(struct lib_json *json, const char *key, const char *letters)
{
    lib_json_open_line(json, key, '[');
    for (const char *p = letters; *p && *p != '-'; p++)
        lib_json_string(json, NULL, letter_text(*p));
    lib_json_close(json);
}

static void write_json(struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_open(&json, "opcodes", '[');
    for (int i = 0; i < ISA_OP_COUNT; i++) {
        const struct isa_op_info *info = &isa_op_table[i];
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "opcode", info->text);
        lib_json_bool(&json, "typed", isa_op_is_typed((enum isa_op)i));
        write_letters(&json, "operands", info->in);
        write_letters(&json, "outputs", info->out);
        lib_json_open_line(&json, "names", '[');
        for (int a = 0; a < 2 && attribute_names[info->attributes][a]; a++)
            lib_json_string(&json, NULL, attribute_names[info->attributes][a]);
        lib_json_close(&json);
        lib_json_string(&json, "unit", isa_unit_name(info->unit));
        lib_json_string(&json, "effect", effect_names[info->effect]);
        lib_json_string(&json, "help", info->help);
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_close(&json);
}

int sim_ops(int argc, char **argv)
{
    struct sim_table_choice choice = {0};
    struct sim_options options = {0};
    struct lib_text text = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    enum sim_table_form form = sim_table_form(&options, &choice);
    if (form == SIM_TABLE_JSON)
        write_json(&text);
    else
        write_text(form, &text);
    enum sim_status status = sim_put(&options.voice, NULL, &text);
    lib_text_free(&text);
    sim_options_free(&options);
    return status;
}
