#include "programs/form/text.h"

#include "programs/form/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- writing ----------------------------------------------------------------------------- */

static void write_name(struct lib_text *out, const char *name)
{
    lib_text_puts(out, "\"");
    for (; name && *name; name++)
        lib_text_printf(out, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
    lib_text_puts(out, name ? "\"" : "\"-");
}

static void write_pos(struct lib_text *out, struct lib_pos pos)
{
    lib_text_printf(out, " @%u:%u+%u", pos.line, pos.column, pos.span);
}

static void write_type(struct lib_text *out, enum isa_type type)
{
    lib_text_puts(out, isa_type_name(form_graph_type(type)));
    lib_text_puts(out, form_graph_type(type) == type ? "" : "'");
}

static void write_value(struct lib_text *out, const struct form *form, uint32_t value)
{
    const struct form_value *v = &form->values[value];
    switch (v->kind) {
    case FORM_LITERAL:
        write_type(out, v->type);
        if (v->type == ISA_REAL)
            lib_text_printf(out, ":%a", isa_value_real(v->literal));
        else
            lib_text_printf(out, ":%" PRId64, isa_value_int(v->literal));
        return;
    case FORM_INPUT:
    case FORM_PARAM:
        lib_text_printf(out, "%s:%u:", v->kind == FORM_INPUT ? "in" : "param", v->index);
        write_type(out, v->type);
        return;
    default:
        lib_text_printf(out, "%%%u", value);
    }
}

static void write_values(struct lib_text *out, const struct form *form,
                         const struct form_ids *values)
{
    lib_text_puts(out, " (");
    for (uint32_t i = 0; i < values->count; i++) {
        lib_text_puts(out, i ? " " : "");
        write_value(out, form, values->items[i]);
    }
    lib_text_puts(out, ")");
}

static void write_result(struct lib_text *out, const struct form *form, uint32_t value)
{
    lib_text_printf(out, " %%%u:", value);
    write_type(out, form->values[value].type);
}

static bool has_inner(const struct form_entry *e)
{
    return e->kind == FORM_LOOP || form_has_elements(e);
}

static void write_entry(struct lib_text *out, const struct form *form,
                        const struct form_entry *e)
{
    lib_text_printf(out, "#%u %s", e->id, form_kind_name(e->kind));
    if (e->kind == FORM_COMPUTE || e->kind == FORM_WRITE)
        lib_text_printf(out, " op=%s", isa_op_table[e->op].name);
    if (e->type) {
        lib_text_puts(out, " type=");
        write_type(out, e->type);
    }
    if (e->index)
        lib_text_printf(out, " index=%u", e->index);
    if (e->reads_itself)
        lib_text_puts(out, " self");
    if (e->scatters)
        lib_text_puts(out, " scatter");
    if (e->routine != FORM_NONE)
        lib_text_printf(out, " routine=%u", e->routine);
    if (e->kind == FORM_DECLARE)
        lib_text_printf(out, " bound=%u", e->inner);
    if (e->early)
        lib_text_printf(out, " early=#%u", e->early->id);
    if (e->kind == FORM_BRANCH) {
        lib_text_printf(out, " branch=%u inner=", e->branch->id);
        write_value(out, form, e->branch->condition);
    }
    if (e->kind == FORM_LOOP) {
        lib_text_puts(out, " inner=");
        write_value(out, form, e->inner);
    } else if (has_inner(e)) {
        lib_text_printf(out, " inner=%%%u", e->inner);
    }
    if (e->kind == FORM_DERIVE) {
        lib_text_printf(out, " rows=%d", e->derive->gives_rows);
        for (uint32_t i = 0; i < e->derive->wanted.count; i++)
            lib_text_printf(out, " wanted=%u", e->derive->wanted.items[i]);
    }
    const uint32_t names = !has_inner(e) || !e->names ? 0
                           : e->kind == FORM_LOOP     ? e->results.count
                                                      : 1;
    for (uint32_t i = 0; i < names; i++) {
        lib_text_puts(out, " name=");
        write_name(out, e->names[i].text);
        write_pos(out, e->names[i].pos);
    }
    write_values(out, form, &e->operands);
    for (uint32_t k = 0; k < e->results.count; k++)
        write_result(out, form, e->results.items[k]);
    write_pos(out, e->pos);
    lib_text_puts(out, e->blocks ? " {\n" : "\n");
}

static void write_block(struct lib_text *out, const struct form *form)
{
    struct frame {
        const struct form_block *block;
        uint32_t next;
        bool is_second;
    };
    LIB_VEC(struct frame) stack = {0};
    *LIB_VEC_PUSH(&stack) = (struct frame){&form->top, 0, false};
    while (stack.count) {
        struct frame *f = &stack.items[stack.count - 1];
        if (f->next < f->block->count) {
            const struct form_entry *e = f->block->items[f->next++];
            for (uint32_t k = 0; k < form_run_length(e); k++) {
                const struct form_entry one = form_store_of(e, k);
                write_entry(out, form, &one);
            }
            for (int side = 1; e->blocks && side >= 0; side--)
                *LIB_VEC_PUSH(&stack) = (struct frame){&e->blocks[side], 0, side};
            continue;
        }
        const bool is_second = f->is_second;
        if (--stack.count)
            lib_text_puts(out, is_second ? "}\n" : "} {\n");
    }
    LIB_VEC_FREE(&stack);
}

static void write_tensor(struct lib_text *out, const struct form_tensor *t)
{
    const struct isa_shape *shape = &t->tensor->shape;
    const bool is_int = shape->element == ISA_ELEMENT_INT;
    const uint64_t count = isa_shape_count(shape);
    lib_text_puts(out, "tensor ");
    write_name(out, t->name);
    lib_text_printf(out, " %s %u",
                    isa_element_name((enum isa_element_kind)shape->element), shape->rank);
    for (unsigned i = 0; i < shape->rank; i++)
        lib_text_printf(out, " %" PRId64, shape->extents[i]);
    lib_text_puts(out, " :");
    for (uint64_t i = 0; i < count; i++)
        if (is_int)
            lib_text_printf(out, " %" PRId64, t->tensor->ints[i]);
        else
            lib_text_printf(out, " %a", isa_tensor_get(t->tensor, i));
    lib_text_puts(out, "\n");
}

void form_write(const struct form *form, struct lib_text *out)
{
    const uint32_t params = form->params
                                ? form->program->routines[form->routine].param_count
                                : 0;
    lib_text_puts(out, "form ");
    write_name(out, form->name);
    lib_text_printf(out, form->routine == FORM_NONE ? "\n" : " routine %u\n",
                    form->routine);
    for (uint32_t i = 0; i < params; i++) {
        lib_text_puts(out, "param ");
        write_name(out, form->params[i].text);
        write_pos(out, form->params[i].pos);
        lib_text_puts(out, "\n");
    }
    for (uint32_t i = 0; i < form->tensor_count; i++)
        write_tensor(out, &form->tensors[i]);
    write_block(out, form);
    lib_text_puts(out, "end");
    write_values(out, form, &form->results);
    lib_text_puts(out, "\n");
}

/* --- reading ----------------------------------------------------------------------------- */

struct open_block {
    struct form_block *block;
    bool is_first; /* of two */
};

struct reader {
    struct form *form;
    const char *at;
    uint32_t line;
    bool failed;
    uint32_t param_count;
    LIB_VEC(uint32_t) values; /* for each %NUMBER: its id; FORM_NONE: not known yet */
    LIB_VEC(struct form_entry *) entries;
    LIB_VEC(struct form_branch *) branches;
    /* Blocks that are being read, and second blocks that are still to be read. */
    LIB_VEC(struct open_block) open;
};

static void skip(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take(struct reader *r, const char *text)
{
    skip(r);
    const size_t length = strlen(text);
    if (strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void need(struct reader *r, const char *text)
{
    r->failed |= !take(r, text);
}

static uint32_t number(struct reader *r)
{
    char *end;
    skip(r);
    const unsigned long n = strtoul(r->at, &end, 10);
    r->failed |= end == r->at || *r->at == '-' || n > UINT32_MAX;
    r->at = end;
    return r->failed ? 0 : (uint32_t)n;
}

static const char *name(struct reader *r)
{
    LIB_TEXT_OWN text = {0};
    need(r, "\"");
    while (*r->at && *r->at != '"' && *r->at != '\n') {
        r->at += *r->at == '\\' && r->at[1];
        lib_text_printf(&text, "%c", *r->at++);
    }
    need(r, "\"");
    return take(r, "-")
               ? NULL
               : lib_arena_copy(r->form->arena, lib_text_get(&text), text.length);
}

static struct lib_pos pos(struct reader *r)
{
    struct lib_pos p;
    need(r, "@");
    p.line = number(r);
    need(r, ":");
    p.column = number(r);
    need(r, "+");
    p.span = number(r);
    return p;
}

static enum isa_type type(struct reader *r)
{
    char text[64];
    size_t length = strcspn(r->at, " :')\n");
    enum isa_type found = ISA_INT;
    if (length >= sizeof text)
        length = 0;
    memcpy(text, r->at, length);
    text[length] = '\0';
    r->failed |= !isa_type_find(text, &found);
    r->at += length;
    return take(r, "'") ? (enum isa_type)(found - ISA_TENSOR + FORM_WHOLES) : found;
}

/* Returns the id of value %at, which an entry makes, maybe a later one. */
static uint32_t made_value(struct reader *r, uint32_t at)
{
    enum { MOST = 1 << 26 };
    r->failed |= at > MOST;
    if (r->failed)
        return 0;
    while (r->values.count <= at)
        *LIB_VEC_PUSH(&r->values) = FORM_NONE;
    uint32_t *id = &r->values.items[at];
    if (*id == FORM_NONE)
        *id = form_add_value(r->form, (struct form_value){.kind = FORM_MADE});
    return *id;
}

static uint32_t value(struct reader *r)
{
    struct form_value v = {.kind = FORM_LITERAL};
    char *end;
    if (take(r, "%"))
        return made_value(r, number(r));
    if (take(r, "param:")) {
        const uint32_t index = number(r);
        need(r, ":");
        r->failed |= index >= r->param_count || type(r) != form_type(r->form, index);
        return r->failed ? 0 : index; /* the first values are the params */
    }
    if (take(r, "in:")) {
        v.kind = FORM_INPUT;
        v.index = number(r);
        need(r, ":");
        v.type = type(r);
        return form_add_value(r->form, v);
    }
    v.type = type(r);
    need(r, ":");
    v.literal = v.type == ISA_REAL ? isa_value_of_real(strtod(r->at, &end))
                                   : isa_value_of_int(strtoll(r->at, &end, 10));
    r->failed |= end == r->at;
    r->at = end;
    return form_add_value(r->form, v);
}

static struct form_ids values(struct reader *r)
{
    struct form_ids ids = {0};
    need(r, "(");
    while (!r->failed && !take(r, ")"))
        form_push_id(r->form->arena, &ids, value(r));
    return ids;
}

static enum form_entry_kind kind(struct reader *r)
{
    skip(r);
    const size_t length = strcspn(r->at, " ");
    for (int k = 0; k < FORM_ENTRY_KINDS; k++)
        if (strlen(form_kind_name((enum form_entry_kind)k)) == length &&
            strncmp(r->at, form_kind_name((enum form_entry_kind)k), length) == 0) {
            r->at += length;
            return (enum form_entry_kind)k;
        }
    r->failed = true;
    return FORM_COMPUTE;
}

static enum isa_op opcode(struct reader *r)
{
    const size_t length = strcspn(r->at, " ");
    for (int op = 0; op < ISA_OP_COUNT; op++)
        if (strlen(isa_op_table[op].name) == length &&
            strncmp(r->at, isa_op_table[op].name, length) == 0) {
            r->at += length;
            return (enum isa_op)op;
        }
    r->failed = true;
    return ISA_OP_NONE;
}

static void read_branch(struct reader *r, struct form_entry *e)
{
    const uint32_t id = number(r);
    need(r, "inner=");
    const uint32_t condition = value(r);
    if (id > r->branches.count) {
        r->failed = true;
        return;
    }
    if (id == r->branches.count) {
        struct form_branch *branch = LIB_ARENA_NEW(r->form->arena, struct form_branch);
        *branch = (struct form_branch){condition, r->form->branch_count++};
        *LIB_VEC_PUSH(&r->branches) = branch;
    }
    e->branch = r->branches.items[id];
}

static void read_names(struct reader *r, struct form_entry *e)
{
    struct lib_arena *arena = r->form->arena;
    LIB_ARENA_LIST(struct form_name) names = {0};
    do {
        struct form_name *made = LIB_ARENA_PUSH(arena, &names);
        made->text = name(r);
        made->pos = pos(r);
    } while (!r->failed && take(r, "name="));
    e->names = names.items;
}

static void read_derive(struct reader *r, struct form_entry *e)
{
    struct form_derive *derive = LIB_ARENA_NEW(r->form->arena, struct form_derive);
    derive->gives_rows = number(r);
    while (!r->failed && take(r, "wanted="))
        form_push_id(r->form->arena, &derive->wanted, number(r));
    e->derive = derive;
}

static void read_early(struct reader *r, struct form_entry *e)
{
    const uint32_t id = number(r);
    r->failed |= id >= r->entries.count;
    e->early = r->failed ? NULL : r->entries.items[id];
}

static void read_entry(struct reader *r, struct form_block *block)
{
    const struct form_place p = form_at(block, (struct lib_pos){0});
    r->failed |= number(r) != r->entries.count;
    struct form_entry *e = form_add_entry(p, kind(r));
    *LIB_VEC_PUSH(&r->entries) = e;
    if (take(r, "op="))
        e->op = opcode(r);
    if (take(r, "type="))
        e->type = type(r);
    if (take(r, "index="))
        e->index = number(r);
    e->reads_itself = take(r, "self");
    e->scatters = take(r, "scatter");
    if (take(r, "routine="))
        e->routine = number(r);
    if (take(r, "bound="))
        e->inner = number(r);
    if (take(r, "early=#"))
        read_early(r, e);
    if (take(r, "branch="))
        read_branch(r, e);
    else if (take(r, "inner="))
        e->inner = value(r);
    if (take(r, "rows="))
        read_derive(r, e);
    if (take(r, "name="))
        read_names(r, e);
    e->operands = values(r);
    while (!r->failed && take(r, "%")) {
        const uint32_t id = made_value(r, number(r));
        need(r, ":");
        r->form->values[id].type = type(r);
        if (e->kind == FORM_COMPUTE)
            r->form->values[id].index = e->op;
        form_push_id(r->form->arena, &e->results, id);
    }
    if ((e->kind == FORM_TABULATE || e->kind == FORM_FOLLOW || e->kind == FORM_EVERY) &&
        !r->failed)
        r->form->values[e->inner < r->form->value_count ? e->inner : 0].type = ISA_INT;
    e->pos = pos(r);
    r->failed |= (e->kind == FORM_BRANCH && !e->branch) ||
                 (e->kind == FORM_DERIVE && !e->derive) ||
                 (e->kind == FORM_LOOP && e->results.count && !e->names);
    if (take(r, "{")) {
        form_add_blocks(p, e);
        *LIB_VEC_PUSH(&r->open) = (struct open_block){&e->blocks[1], false};
        *LIB_VEC_PUSH(&r->open) = (struct open_block){&e->blocks[0], true};
    }
}

static void read_tensor(struct reader *r)
{
    const char *text = name(r);
    struct isa_shape shape = {0};
    enum isa_element_kind element = ISA_ELEMENT_REAL;
    char word[16] = {0}, *end;
    uint64_t count = 1;
    skip(r);
    const size_t length = strcspn(r->at, " ");
    memcpy(word, r->at, length < sizeof word ? length : 0);
    r->failed |= !isa_element_find(word, &element);
    r->at += length;
    shape.element = (uint8_t)element;
    const uint32_t rank = number(r);
    r->failed |= rank > ISA_RANK_MAX || !text;
    for (uint32_t i = 0; i < rank && !r->failed; i++) {
        shape.extents[i] = number(r);
        count *= (uint64_t)shape.extents[i];
        r->failed |= count > UINT32_MAX;
    }
    need(r, ":");
    if (r->failed)
        return;
    shape.rank = (uint8_t)rank;
    struct isa_tensor *tensor = isa_tensor_new(&r->form->program->graph->tensors, &shape);
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        if (element == ISA_ELEMENT_INT)
            tensor->ints[i] = strtoll(r->at, &end, 10);
        else
            isa_tensor_set(tensor, i, strtod(r->at, &end));
        r->failed |= end == r->at;
        r->at = end;
    }
    isa_tensor_seal(tensor, true);
    form_add_tensor(r->form, text, tensor);
}

static void read_head(struct reader *r)
{
    struct form *form = r->form;
    need(r, "form");
    form->name = name(r);
    if (take(r, "routine")) {
        form->routine = number(r);
        r->failed |= form->routine >= form->program->routine_count;
    }
    need(r, "\n");
    const uint32_t count = r->failed || form->routine == FORM_NONE
                               ? 0
                               : form->program->routines[form->routine].param_count;
    struct form_name *params = LIB_ARENA_ARRAY(form->arena, struct form_name, count + 1);
    r->param_count = count;
    for (uint32_t i = 0; i < count; i++) {
        need(r, "param ");
        params[i].text = name(r);
        params[i].pos = pos(r);
        need(r, "\n");
        r->line += !r->failed;
        form_param(form, form->program->routines[form->routine].params[i], i);
    }
    form->params = form->routine == FORM_NONE ? NULL : params;
}

static void read_lines(struct reader *r)
{
    *LIB_VEC_PUSH(&r->open) = (struct open_block){&r->form->top, false};
    while (!r->failed && !take(r, "end")) {
        const struct open_block open = r->open.items[r->open.count - 1];
        if (take(r, "tensor ")) {
            read_tensor(r);
        } else if (take(r, "#")) {
            read_entry(r, open.block);
        } else {
            need(r, open.is_first ? "} {" : "}");
            r->failed |= r->open.count == 1;
            r->open.count--;
        }
        need(r, "\n");
        r->line += !r->failed;
    }
    if (!r->failed)
        r->form->results = values(r);
    need(r, "\n");
    r->failed |= r->open.count != 1 || *r->at;
}

struct form *form_read_text(struct form_program *program, struct lib_arena *arena,
                            const struct lib_source *source, struct lib_diags *diags)
{
    struct reader r = {
        .form = form_new(program, arena),
        .at = lib_arena_copy(arena, source->bytes, source->length),
        .line = 1,
    };
    read_head(&r);
    r.line += !r.failed;
    if (!r.failed)
        read_lines(&r);
    if (r.failed)
        lib_diag_error(diags, LIB_DIAG_SYNTAX, source, (struct lib_pos){r.line, 1, 1},
                       "expected a line of a form (programs/form/text.h)");
    LIB_VEC_FREE(&r.values);
    LIB_VEC_FREE(&r.entries);
    LIB_VEC_FREE(&r.branches);
    LIB_VEC_FREE(&r.open);
    return r.failed ? NULL : r.form;
}
