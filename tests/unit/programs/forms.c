/* Forms between the syntax tree and the graph: the checker, which runs after each pass, finds
 * faults that passes plant, and says where; a form's text reads back as a form with the same graph;
 * chains of calls and conditionals take time in proportion to them. */
#include "isa/format/asm.h"
#include "programs/types/data.h"
#include "programs/compile.h"
#include "programs/form/check.h"
#include "programs/form/text.h"
#include "programs/gradient/calls.h"
#include "programs/graph/build.h"
#include "programs/types/shapes.h"
#include "tests/random/generate.h"
#include "tests/random/generate_ports.h"
#include "tests/random/generate_tensors.h"
#include "tests/random/gradient_random.h"
#include "tests/random/gradient_tensors.h"
#include "tests/random/param_random.h"
#include "tests/unit/front_end.h"

static const char program[] = "f(x, y) = let a = [x + y, g(x)]\n"
                              "              ; b = [a[0] * i | i <- 0 .. 3]\n"
                              "          in if x > y then sum(b) else\n"
                              "             (loop s = y while s < 9 do s + x)\n"
                              "g(x) = x * 2\n"
                              "result = f(1, 2)\n";

/* Returns the first entry of a kind, in a block or in blocks within it. */
static struct form_entry *find(struct form_block *block, enum form_entry_kind kind)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct form_entry *e = block->items[i], *inner = NULL;
        if (e->kind == kind)
            return e;
        for (int side = 0; e->blocks && side < 2 && !inner; side++)
            inner = find(&e->blocks[side], kind);
        if (inner)
            return inner;
    }
    return NULL;
}

static void remove_entry(struct form_block *block, uint32_t at)
{
    for (uint32_t i = at; i + 1 < block->count; i++)
        block->items[i] = block->items[i + 1];
    block->count--;
}

/* --- faults --------------------------------------------------------------------------------- */

static void plant_order(struct form *form)
{
    struct form_entry *made = form->top.items[1];
    form->top.items[1] = form->top.items[2];
    form->top.items[2] = made;
}

static void plant_invisible(struct form *form)
{
    struct form_entry *branch = find(&form->top, FORM_BRANCH);
    const struct form_entry *sum = find(&branch->blocks[0], FORM_SUM);
    form->results.items[0] = sum->results.items[0];
}

static void plant_twice(struct form *form)
{
    form_add_to_block(&form->top, form->top.items[0]);
}

static void plant_same_value(struct form *form)
{
    find(&form->top, FORM_APPLY)->results.items[0] =
        find(&form->top, FORM_COMPUTE)->results.items[0];
}

static void plant_type(struct form *form)
{
    find(&form->top, FORM_COMPUTE)->op = ISA_OP_ADD_R;
}

static void plant_operands(struct form *form)
{
    find(&form->top, FORM_COMPUTE)->operands.count = 1;
}

static void plant_opcode(struct form *form)
{
    find(&form->top, FORM_COMPUTE)->op = ISA_OP_SWITCH;
}

static void plant_routine(struct form *form)
{
    find(&form->top, FORM_APPLY)->routine = 1000;
}

static void plant_arguments(struct form *form)
{
    struct form_entry *call = find(&form->top, FORM_APPLY);
    form_add_operand(form_at(&form->top, call->pos), call, 0);
}

static void plant_condition(struct form *form)
{
    find(&form->top, FORM_BRANCH)->branch->condition = 0;
}

static void plant_missing_store(struct form *form)
{
    remove_entry(&find(&form->top, FORM_TABULATE)->blocks[0], 2);
}

static void plant_missing_element(struct form *form)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < form->top.count; i++)
        if (form->top.items[i]->kind == FORM_STORE)
            last = i;
    remove_entry(&form->top, last);
}

static void plant_store_order(struct form *form)
{
    find(&form->top, FORM_STORE)->index = 1;
}

static void plant_next(struct form *form)
{
    struct form_block *body = &find(&form->top, FORM_LOOP)->blocks[1];
    remove_entry(body, body->count - 1);
}

static void plant_exit(struct form *form)
{
    struct form_block *side = &find(&form->top, FORM_BRANCH)->blocks[1];
    struct form_entry *exit = find(side, FORM_EXIT),
                      *close = side->items[side->count - 1];
    for (uint32_t i = 0; i < side->count; i++)
        if (side->items[i] == exit)
            side->items[i] = close;
    side->items[side->count - 1] = exit;
}

static void plant_early(struct form *form)
{
    struct form_entry *loop = find(&form->top, FORM_LOOP);
    loop->early = find(&form->top, FORM_ARRAY);
}

static void plant_source(struct form *form)
{
    form->name = NULL;
}

static const struct plant {
    void (*plant)(struct form *form);
    const char *fault;
} plants[] = {
    {plant_order, "entry 2 (store): value 3 is used before it is made"},
    {plant_invisible, "is not visible here"},
    {plant_twice, "a second entry with this id"},
    {plant_same_value, "is made twice"},
    {plant_type, "has type int; expected real"},
    {plant_operands, "`add.int` of 1 operands"},
    {plant_opcode, "`switch` of 2 operands"},
    {plant_routine, "(apply): routine 1000 does not exist"},
    {plant_arguments, "a call of `g` with 2 operands and 1 results; expected 1 and 1"},
    {plant_condition, "(branch): value 0 has type int; expected bool"},
    {plant_missing_store, "(tabulate): its block stores no element"},
    {plant_missing_element, "entry 0 (array): 1 of 2 elements are set"},
    {plant_store_order, "(store): element 1 comes when element 0 is expected"},
    {plant_next, "(loop): 0 of 1 variables have a next value"},
    {plant_exit, "(exit): it follows the end of its loop"},
    {plant_early, "(loop): it continues entry 0 (array)"},
    {plant_source, "entries of this kind are in forms of the source only"},
};

static const struct plant *planted;

static struct form *plant(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    if (form->name && form->name[0] == 'f')
        planted->plant(form);
    return form;
}

START_TEST(faults_are_found)
{
    const struct programs_pass passes[] = {{"plant", false, plant, 0},
                                           {NULL, false, NULL, 0}};
    const struct programs_settings settings = programs_settings_of(NULL,
                                                                   ISA_STAGE_FUNCTIONS);
    const struct programs_options options = {.settings = &settings};
    planted = &plants[_i];
    struct program p = load_good(program, TYPED);
    ck_assert(programs_shapes(p.ast, &p.diags));
    struct isa_graph *graph = programs_build(p.ast, &options, passes, &p.diags);
    ck_assert_msg(!graph, "%s", planted->fault);
    ck_assert_uint_eq(p.diags.count, 1);
    ck_assert_msg(strstr(p.diags.items[0].text, "pass plant, form of `") &&
                      strstr(p.diags.items[0].text, planted->fault),
                  "%s, not %s", p.diags.items[0].text, planted->fault);
    unload(&p);
}
END_TEST

/* --- texts ---------------------------------------------------------------------------------- */

/* A text does not have the calls of `grad`, for diagnostics. */
static void set_sources(struct form *copy, const struct form *form)
{
    struct form_walk walk = form_walk_of(&form->top), other = form_walk_of(&copy->top);
    for (const struct form_entry *e; (e = form_walk_next(&walk));)
        for (uint32_t k = 0; k < form_run_length(e); k++) {
            const struct form_entry *same = form_walk_next(&other);
            ck_assert(same->kind == e->kind && same->id == e->id + k);
            if (e->kind == FORM_DERIVE)
                ((struct form_derive *)same->derive)->source = e->derive->source;
        }
    ck_assert(form_walk_next(&other) == NULL);
}

/* Returns the form that the text of a form reads back as. */
static struct form *reread(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct lib_text text = {0};
    struct lib_diags diags = {0};
    form_write(form, &text);
    const struct lib_source source = {"form", lib_text_get(&text), text.length};
    struct form *copy = form_read_text(form->program, form->arena, &source, &diags);
    ck_assert_msg(copy != NULL, "line %u of\n%s", diags.items[0].pos.line,
                  lib_text_get(&text));
    set_sources(copy, form);
    for (uint32_t i = 0; i < form->tensor_count; i++)
        isa_tensor_free(&form->program->graph->tensors,
                        form->tensors[i].tensor); /* the copy has its own */
    lib_text_free(&text);
    lib_diags_free(&diags);
    return copy;
}

static void add_functions(const char *text, const struct programs_pass *passes,
                          struct lib_text *out)
{
    const struct programs_settings settings = programs_settings_of(NULL,
                                                                   ISA_STAGE_FUNCTIONS);
    const struct programs_options options = {.settings = &settings};
    struct program p = load_good(text, PARSED);
    ck_assert_msg(programs_data_read(p.ast, NULL, NULL, NULL, &p.diags) &&
                      programs_resolve(p.ast, &p.diags) &&
                      programs_infer(p.ast, &p.diags) && programs_shapes(p.ast, &p.diags),
                  "%s", text);
    struct isa_graph *graph = programs_build(p.ast, &options, passes, &p.diags);
    ck_assert_msg(graph != NULL, "%s\n%s", text, p.diags.items[0].text);
    isa_asm_write(graph, out);
    isa_graph_free(graph);
    programs_data_free(p.ast);
    unload(&p);
}

static void check_text(const char *text)
{
    static const struct programs_pass passes[] = {{"reread", false, reread, 0},
                                                  {"calls", true, form_loops_to_calls, 0},
                                                  {NULL, false, NULL, 0}};
    struct lib_text wanted = {0}, found = {0};
    add_functions(text, programs_passes, &wanted);
    add_functions(text, passes, &found);
    ck_assert_msg(strcmp(lib_text_get(&wanted), lib_text_get(&found)) == 0, "%s", text);
    lib_text_free(&wanted);
    lib_text_free(&found);
}

static void add_gradient(unsigned seed, struct lib_text *text)
{
    struct gradient_program p = {0};
    gradient_random(seed, &p);
    lib_text_puts(text, "result = grad(f0");
    for (unsigned i = 0; i < p.count; i++)
        lib_text_printf(text, ", %s", p.arguments[i]);
    lib_text_printf(text, ")\n%s", lib_text_get(&p.functions));
    lib_text_free(&p.functions);
}

START_TEST(texts_read_back)
{
    for (unsigned seed = 1; seed <= test_part(200, 20); seed++) {
        struct lib_text texts[5] = {0}, result = {0};
        struct ports_program ports = {0};
        generate(seed, 40, GENERATE_LOOPS | GENERATE_ARRAYS, &texts[0]);
        generate_tensors(seed, &texts[1], &result);
        add_gradient(seed, &texts[2]);
        gradient_tensors(seed, &texts[3]);
        lib_text_puts(&texts[3], "result = grad(f, x0, v0, 2)\n");
        param_random(seed, seed % 2, &texts[4]);
        generate_ports(seed, &ports);
        for (int i = 0; i < 5; i++) {
            check_text(lib_text_get(&texts[i]));
            lib_text_free(&texts[i]);
        }
        check_text(lib_text_get(&ports.text));
        lib_text_free(&ports.text);
        lib_text_free(&ports.literal);
        lib_text_free(&result);
    }
}
END_TEST

/* Damaged texts are refused with the line, or read as forms that the checker looks at. */
static struct form *damage(struct form *form, const struct programs_settings *settings)
{
    (void)settings;
    struct lib_text text = {0};
    form_write(form, &text);
    for (size_t at = 0; at < text.length; at++) {
        struct lib_arena *arena = lib_arena_new();
        struct lib_diags diags = {0};
        struct lib_text fault = {0};
        const char was = text.bytes[at];
        text.bytes[at] = (char)(was == '9' ? ' ' : was + 1);
        const struct lib_source source = {"form", lib_text_get(&text), text.length};
        struct form *copy = form_read_text(form->program, arena, &source, &diags);
        ck_assert(!copy == (diags.errors == 1));
        if (copy)
            form_check(copy, &fault);
        text.bytes[at] = was;
        lib_text_free(&fault);
        lib_diags_free(&diags);
        lib_arena_free(arena);
    }
    lib_text_free(&text);
    return form;
}

START_TEST(damaged_texts)
{
    static const struct programs_pass passes[] = {{"damage", false, damage, 0},
                                                  {NULL, false, NULL, 0}};
    struct lib_text found = {0};
    add_functions(program, passes, &found);
    lib_text_free(&found);
}
END_TEST

/* --- chains --------------------------------------------------------------------------------- */

static void compile(const struct lib_text *text)
{
    const struct programs_settings settings = programs_settings_of(NULL,
                                                                   ISA_STAGE_FUNCTIONS);
    const struct programs_options options = {.settings = &settings};
    const struct lib_source source = {"test.df", lib_text_get(text), text->length};
    struct lib_diags diags = {0};
    struct isa_graph *graph = programs_compile(&source, &options, ISA_STAGE_IMAGE,
                                               &diags);
    ck_assert_msg(graph != NULL, "%s", diags.count ? diags.items[0].text : "");
    isa_graph_free(graph);
    lib_diags_free(&diags);
}

/* The time for the gradient of a chain of calls grew with its cube: 10,000 took a minute and a
 * half. */
START_TEST(chain_of_calls)
{
    const unsigned count = test_part(10000, 10000);
    struct lib_text text = {0};
    for (unsigned i = 0; i < count; i++)
        lib_text_printf(&text, "f%u(x) = f%u(x * 1.5) + x\n", i, i + 1);
    lib_text_printf(&text, "f%u(x) = x * x\nresult = grad(f0, 5.0)\n", count);
    compile(&text);
    lib_text_free(&text);
}
END_TEST

/* The time and memory for the gradient of a chain of conditionals grew with its square: 10,000 took
 * half a minute and 4.6 GB; 100,000 overflowed the stack. */
START_TEST(chain_of_conditionals)
{
    const unsigned count = test_part(20000, 10000);
    struct lib_text text = {0};
    lib_text_puts(&text, "f(x) = ");
    for (unsigned i = 0; i < count; i++)
        lib_text_printf(&text, "if x < %u.0 then x * %u.0 else\n  ", i, i);
    lib_text_puts(&text, "x\nresult = grad(f, 5.0)\n");
    compile(&text);
    lib_text_free(&text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("forms");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, texts_read_back);
    tcase_add_test(tcase, damaged_texts);
    tcase_add_test(tcase, chain_of_calls);
    tcase_add_test(tcase, chain_of_conditionals);
    tcase_add_loop_test(tcase, faults_are_found, 0, sizeof plants / sizeof *plants);
    return test_main("forms", tcase);
}
