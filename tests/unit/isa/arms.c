/* The warnings of arms that can never meet: each is given where it is due, and none for any program
 * of the source tree. */
#include "tests/unit/isa_texts.h"

#include <ftw.h>
#include <string.h>

#include "programs/partition/partition.h"
#include "lib/text.h"
#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "tests/unit/support.h"

#define TOP                                                                              \
    "hiaton assembly 1\nstage image\ninput n int = 3\ninput yes bool = true\n"           \
    "function top () -> (int)\nin top\n"

#define CALLED(nodes)                                                                    \
    "hiaton assembly 1\nstage functions\nfunction top () -> (int)\n"                     \
    "function f (int) -> (int)\nsite top -> f\n"                                         \
    "in top\n %call apply 3, site 0 -> %out.0\n %out output.int _, part 0\n"             \
    "in f\n %x param.int param 0 -> %c.0, %s.0\n %c lt.int _, 2 -> %s.1\n" nodes

#define LOOP(switches)                                                                   \
    "hiaton assembly 1\nstage image\ninput n int = 5\nfunction top () -> (int)\n"        \
    "loop f (int, int) -> (int)\nsite top -> f\n"                                        \
    "in top\n %e enter.int $n, site 0, param 0 -> %i.0\n"                                \
    " %g enter.int 1, site 0, param 1 -> %p.0\n %o output.int _, part 0\n"               \
    "in f\n %i merge.int _ -> %t.0, %s.0\n %p merge.int _ -> %u.0\n"                     \
    " %t gt.int _, 1 -> %s.1, %u.1\n" switches                                           \
    " %d sub.int _, 1 -> %n.0\n %n next.int _, site 0, param 0 -> %i.0\n"                \
    " %q next.int _, site 0, param 1 -> %p.0\n %x exit.int _, site 0, part 0 -> %o.0\n"

static const struct {
    const char *text, *warnings; /* one a line; without what is in front of the label */
} cases[] = {
    /* What is right. */
    {factorial_functions, ""},
    {factorial_static, ""},
    {sum_static, ""},
    {CALLED(" %s switch.int _, _ -> %m.0 | %e.0\n %e add.int _, 1 -> %m.0\n"
            " %m mergeif.int _ -> %r.0\n %r result.int _, part 0\n"),
     ""},
    /* Operands from both arms. */
    {CALLED(" %s switch.int _, _ -> %a.0 | %a.1\n %a add.int _, _ -> %r.0\n"
            " %r result.int _, part 0\n"),
     "%a add.int: operands 0 and 1 never come under one tag: one comes only where %c "
     "lt.int "
     "is true, the other only where it is false\n"},
    /* A result that one arm starves. */
    {CALLED(" %s switch.int _, _ -> %r.0 | -\n %r result.int _, part 0\n"),
     "%r result.int: result 0 of f comes only where %c lt.int is true: else calls wait "
     "for "
     "it in vain\n"},
    {CALLED(" %s switch.int _, _ -> - | %d.0\n %d div.int _, 2 -> %r.0\n"
            " %r result.int _, part 0\n"),
     "%r result.int: result 0 of f comes only where %c lt.int is false: else calls wait "
     "for "
     "it in vain\n"},
    /* A value that passed no switch. */
    {CALLED(" %s switch.int _, _ -> %m.0 | -\n %e neg.int _ -> %m.0\n"
            " %m mergeif.int _ -> %r.0\n %r result.int _, part 0\n %x2 neg.int 5 -> -\n"),
     NULL}, /* illegal: no operand is a token */
    {TOP " %c const.bool $yes -> %s.1\n %v const.int $n -> %s.0, %m.0\n"
         " %s switch.int _, _ -> %m.0 | -\n %m mergeif.int _ -> %o.0\n"
         " %o output.int _, part 0\n",
     "%m mergeif.int: both of its arcs can bring a token under one tag: no condition "
     "sends "
     "the one from %v const.int, the other from %s switch.int to different arms\n"},
    /* Conditions are told apart, and found equal, by what they are. */
    {TOP " %v const.int $n -> %s.0, %t.0, %c.0, %d.0\n %c lt.int _, 2 -> %s.1\n"
         " %d lt.int _, 2 -> %t.1\n %s switch.int _, _ -> %m.0 | -\n"
         " %t switch.int _, _ -> - | %m.0\n %m mergeif.int _ -> %o.0\n"
         " %o output.int _, part 0\n",
     ""},
    {TOP " %v const.int $n -> %s.0, %t.0, %c.0, %d.0\n %c lt.int _, 2 -> %s.1\n"
         " %d lt.int _, 3 -> %t.1\n %s switch.int _, _ -> %m.0 | -\n"
         " %t switch.int _, _ -> - | %m.0\n %m mergeif.int _ -> %o.0\n"
         " %o output.int _, part 0\n",
     "%m mergeif.int: both of its arcs can bring a token under one tag: no condition "
     "sends "
     "the one from %s switch.int, the other from %t switch.int to different arms\n"},
    /* Inputs and literals decide. */
    {TOP " %v const.int $n -> %s.0\n %s switch.int _, $yes -> %a.0 | %a.1\n"
         " %a add.int _, _ -> %o.0\n %o output.int _, part 0\n",
     "%a add.int: operands 0 and 1 never come under one tag: one comes only where input "
     "yes "
     "is true, the other only where it is false\n"},
    {TOP " %v const.int $n -> %s.0\n %s switch.int _, $yes -> %o.0 | -\n"
         " %o output.int _, part 0\n",
     "%o output.int: result 0 of top comes only where input yes is true: else the "
     "program "
     "waits for it in vain\n"},
    {TOP " %v const.int $n -> %s.0\n %s switch.int _, true -> %o.0 | -\n"
         " %o output.int _, part 0\n",
     ""},
    {TOP " %v const.int $n -> %s.0\n %s switch.int _, false -> %o.0 | -\n"
         " %o output.int _, part 0\n",
     "%o output.int: result 0 of top never comes\n"},
    /* An arm within an arm, one of which is missing. */
    {CALLED(" %s switch.int _, _ -> %d.0, %t.0 | %m.0\n %d lt.int _, 1 -> %t.1\n"
            " %t switch.int _, _ -> %m.0 | -\n %m mergeif.int _ -> %r.0\n"
            " %r result.int _, part 0\n"),
     "%m mergeif.int: an arm can bring no token: the one from %t switch.int comes only "
     "where "
     "%d lt.int is true too\n"},
    /* Variables of a loop that come on different arms, named both. */
    {LOOP(" %s switch.int _, _ -> %d.0 | -\n %u switch.int _, _ -> %x.0 | %q.0\n"),
     "%q next.int: variable 1 comes only where %t gt.int is false, but variable 0 (%n "
     "next.int, line 18) only where it is true: the next iteration never has both\n"},
    {LOOP(" %s switch.int _, _ -> - | %d.0\n %u switch.int _, _ -> %q.0 | %x.0\n"),
     "%q next.int: variable 1 comes only where %t gt.int is true, but variable 0 (%n "
     "next.int, line 18) only where it is false: the next iteration never has both\n"},
};

/* Adds what a text is warned of. Returns false if it is illegal. */
static bool warnings_of(const char *text, struct lib_text *out)
{
    const struct lib_source source = {"test.asm", text, strlen(text)};
    struct lib_diags diags = {0};
    struct isa_graph *graph = isa_asm_read(&source, &diags);
    for (size_t i = 0; i < diags.count; i++) {
        ck_assert(diags.items[i].warning || !graph);
        ck_assert_uint_gt(diags.items[i].pos.line, 0);
        lib_text_printf(out, "%s\n", diags.items[i].text);
    }
    const bool is_legal = graph != NULL;
    isa_graph_free(graph);
    lib_diags_free(&diags);
    return is_legal;
}

START_TEST(each_is_warned_of)
{
    struct lib_text found = {0};
    const bool is_legal = warnings_of(cases[_i].text, &found);
    ck_assert_msg(is_legal == (cases[_i].warnings != NULL), "%s", lib_text_get(&found));
    if (cases[_i].warnings)
        ck_assert_str_eq(lib_text_get(&found), cases[_i].warnings);
    lib_text_free(&found);
}
END_TEST

/* Ten are told, of however many. */
START_TEST(a_few_are_told)
{
    struct lib_text text = {0}, found = {0};
    lib_text_puts(&text, TOP " %v const.int $n -> %s.0\n %w const.int 0 -> %o.0\n"
                             " %o output.int _, part 0\n %s switch.int _, $yes -> ");
    for (unsigned i = 0; i < 50; i++)
        lib_text_printf(&text, "%s%%a%u.0", i ? ", " : "", i);
    for (unsigned i = 0; i < 50; i++)
        lib_text_printf(&text, "%s%%a%u.1", i ? ", " : " | ", i);
    for (unsigned i = 0; i < 50; i++)
        lib_text_printf(&text, "\n %%a%u add.int _, _ -> -", i);
    ck_assert(warnings_of(text.bytes, &found));
    unsigned lines = 0;
    for (const char *p = found.bytes; *p; p++)
        lines += *p == '\n';
    ck_assert_uint_eq(lines, 10);
    lib_text_free(&text);
    lib_text_free(&found);
}
END_TEST

/* Conditionals in conditionals, deeper than what is kept of them: in time, and without a
 * warning. */
START_TEST(deep_ones_are_checked_fast)
{
    struct lib_text text = {0}, found = {0};
    enum { DEPTH = 20000 };
    lib_text_puts(&text, TOP " %m0 const.int $n -> %c0.0, %s0.0\n");
    for (unsigned i = 0; i < DEPTH; i++)
        lib_text_printf(&text,
                        " %%c%u lt.int _, %u -> %%s%u.1\n"
                        " %%s%u switch.int _, _ -> %%e%u.0 | %%c%u.0, %%s%u.0\n"
                        " %%e%u mergeif.int _ -> %%%s%u.0\n",
                        i, i, i, i, i, i + 1, i + 1, i, i ? "e" : "o", i ? i - 1 : 0);
    lib_text_printf(&text,
                    " %%c%u neg.int _ -> -\n %%s%u neg.int _ -> %%e%u.0\n"
                    " %%o0 output.int _, part 0\n",
                    DEPTH, DEPTH, DEPTH - 1);
    ck_assert_msg(warnings_of(text.bytes, &found), "%s", lib_text_get(&found));
    ck_assert_str_eq(lib_text_get(&found), "");
    lib_text_free(&text);
    lib_text_free(&found);
}
END_TEST

/* --- the programs of the source tree ------------------------------------------------- */

static unsigned graphs, files, skipped_files;

static void expect_none(const char *path, const struct isa_graph *graph)
{
    struct lib_diags diags = {0};
    isa_check_arms(graph, NULL, NULL, &diags);
    ck_assert_msg(diags.count == 0, "%s, stage %s: %s", path,
                  isa_stage_name(graph->stage), diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
    graphs++;
}

/* Compiles a file with settings, to a stage; a file that is wrong, or needs what is not here, is
 * passed over. */
static bool check_file(const char *path, const struct sim_settings *settings,
                       enum isa_stage stage)
{
    struct lib_diags diags = {0};
    struct sim_program program;
    const bool is_good = sim_program_open(&program, path, &diags) &&
                         sim_program_bring(&program, settings, stage, &diags);
    if (is_good)
        expect_none(path, program.graph);
    sim_program_free(&program);
    lib_diags_free(&diags);
    return is_good;
}

static void set(struct sim_settings *settings, const char *key, const char *value)
{
    struct lib_text why = {0};
    ck_assert(lib_setting_set(settings, sim_setting_find(key), value, &why));
    lib_text_free(&why);
}

static int see_file(const char *path, const struct stat *info, int type)
{
    static const enum isa_stage stages[] = {ISA_STAGE_FUNCTIONS, ISA_STAGE_STATIC,
                                            ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    const char *ending = strrchr(path, '.');
    if (type != FTW_F || !ending || strcmp(ending, ".df") != 0 || info->st_size > 200000)
        return 0;
    struct sim_settings plain, other, divided;
    sim_settings_default(&plain);
    other = divided = plain;
    set(&other, "loop.constants", "copies");
    set(&other, "grad.mode", "paired");
    set(&divided, "partition.by", "random");
    set(&divided, "partition.machines", "3");
    if (!check_file(path, &plain, ISA_STAGE_FUNCTIONS)) {
        skipped_files++;
        return 0;
    }
    files++;
    for (unsigned i = 1; i < sizeof stages / sizeof *stages; i++)
        check_file(path, &plain, stages[i]);
    check_file(path, &other, ISA_STAGE_IMAGE);
    check_file(path, &divided, ISA_STAGE_PARTITIONED);
    return 0;
}

START_TEST(programs_are_not_warned_of)
{
    static const char *const folders[] = {"programs", "doc", "tests/data"};
    char path[512];
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", test_source_directory(), folders[i]);
        ck_assert_int_eq(ftw(path, see_file, 16), 0);
    }
    printf("%u graphs of %u files; %u files do not compile\n", graphs, files,
           skipped_files);
    ck_assert_uint_ge(files, 60);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("arms");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, each_is_warned_of, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tcase, a_few_are_told);
    tcase_add_test(tcase, deep_ones_are_checked_fast);
    tcase_add_test(tcase, programs_are_not_warned_of);
    return test_main("isa arms", tcase);
}
