#include "sim/commands/commands.h"

#include "isa/op.h"
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
    [ISA_ATTR_CONSTRUCTOR] = {"constructor", NULL},
    [ISA_ATTR_FIELD] = {"field", NULL},
};

/* Returns the meaning of a letter of isa/ops.def. */
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
    case 'D':
        return "data";
    case 'c':
        return "control";
    case '?':
        return "trigger";
    default:
        return "any";
    }
}

/* Writes "(TYPE, bool) -> TYPE | TYPE; site". */
static void write_signature(const struct isa_op_info *info, struct lib_text *out)
{
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

static struct lib_value list_of_letters(const char *letters, struct lib_findings *f)
{
    const struct lib_value list = lib_findings_open_value(f, LIB_VALUE_LIST);
    for (const char *p = letters; *p && *p != '-'; p++)
        lib_findings_word(f, NULL, letter_text(*p), NULL);
    lib_findings_close(f);
    return list;
}

static struct lib_value list_of_names(const char *const names[2], struct lib_findings *f)
{
    const struct lib_value list = lib_findings_open_value(f, LIB_VALUE_LIST);
    for (int i = 0; i < 2 && names[i]; i++)
        lib_findings_word(f, NULL, names[i], NULL);
    lib_findings_close(f);
    return list;
}

static void add_op(enum isa_op op, struct lib_table *t, struct lib_findings *f)
{
    const struct isa_op_info *info = &isa_op_table[op];
    const bool is_typed = isa_op_is_typed(op);
    struct lib_text signature = {0};
    lib_row(t, "group", lib_word(effect_names[info->effect]))->is_group = true;
    if (f->for_people) {
        write_signature(info, &signature);
        lib_row(t, "opcode",
                lib_word(is_typed ? lib_arena_printf(f->arena, "%s.TYPE", info->text)
                                  : info->text));
        lib_row(t, "signature", lib_word(lib_arena_keep(f->arena, &signature)));
    } else {
        lib_row(t, "opcode", lib_word(info->text));
        lib_row(t, "typed", lib_flag(is_typed));
        lib_row(t, "operands", list_of_letters(info->in, f));
        lib_row(t, "outputs", list_of_letters(info->out, f));
        lib_row(t, "names", list_of_names(attribute_names[info->attributes], f));
    }
    lib_row(t, "unit", lib_word(isa_unit_name(info->unit)))->label = "; unit ";
    lib_row(t, "effect", lib_word(effect_names[info->effect]))->label = ", effect ";
    lib_row(t, "help", lib_word(info->help));
}

static void add(const void *context, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "opcodes", "");
    (void)context;
    t->no_heads = t->shows_all = t->spells_rows = true;
    for (int i = 0; i < ISA_OP_COUNT; i++)
        add_op((enum isa_op)i, t, f);
}

int sim_ops(int argc, char **argv)
{
    struct sim_table_choice choice = {0};
    struct sim_options options = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    const enum sim_status status = sim_table_put(&options, &choice, add, NULL);
    sim_options_free(&options);
    return status;
}
