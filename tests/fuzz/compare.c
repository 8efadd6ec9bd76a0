/* Fuzz target: what `hiaton compare` reads of a command line: NAME=VALUES, one a line, behind
 * a line with the names of columns (an empty one: none given). What is accepted has rows, both
 * strategies agree in them, and they are written in all forms. */
#include "tests/fuzz/fuzz.h"

#include "sim/compare/comparison.h"

#include <string.h>

enum { MANY = 8, MAX_INPUTS = 31, SMALL = 12 };

static const char *program(void)
{
    static char path[128];
    if (*path)
        return path;
    const char *folder = fuzz_folder("compare");
    fuzz_put(folder, "sum.df",
             "input n = 5\ninput x = 0.5\ninput on = true\ninput i = 1\n"
             "result = if on then x * real(sum(n)) else real(i)\n"
             "sum(n) = if n < 1 then 0 else n + sum(n - 1)\n");
    strcat(strcpy(path, folder), "/sum.df");
    return path;
}

/* Whether the runs may be made here: their n is at most SMALL. */
static bool is_small(const struct sim_comparison *c)
{
    struct lib_arena *arena = lib_arena_new();
    bool small = c->row_count <= MANY;
    for (size_t r = 0; small && r < c->runs.list.count; r++) {
        struct sim_config config;
        sim_settle(&c->experiment, &c->runs.list.items[r], arena, &config);
        for (size_t i = 0; i < c->input_count; i++)
            if (strcmp(c->inputs[i]->name, "inputs.n") == 0)
                small &= sim_config_cell(&config, c->inputs[i], arena).integer <= SMALL;
    }
    lib_arena_free(arena);
    return small;
}

static void run(struct sim_comparison *c, const struct sim_shown *shown)
{
    enum sim_status status;
    struct lib_text text = {0};
    bool is_cut, good = true;
    for (size_t i = 0; i < c->runs.list.count; i++) {
        struct sim_outcome outcome;
        sim_outcome_make(&outcome, &c->experiment, &c->runs.list.items[i], NULL);
        good &= sim_comparison_take(c, i, &outcome);
        sim_outcome_free(&outcome);
    }
    good &= sim_comparison_check(c, &status, &text);
    if (status == SIM_INTERNAL || status == SIM_DIFFERS)
        fuzz_fail("the strategies do not agree");
    good &= sim_comparison_warn(c, &text);
    for (enum lib_form form = 0; form <= LIB_FORM_LATEX; form++)
        good &= sim_comparison_write(c, shown, form, &text, &is_cut);
    if (!good)
        fuzz_fail("the database failed");
    if (strlen(text.bytes) != text.length)
        fuzz_fail("a NUL in what is written");
    lib_text_free(&text);
}

static void compare(const struct sim_comparison_request *request, const char *columns)
{
    struct lib_diags diags = {0};
    struct sim_comparison c;
    struct sim_shown shown;
    bool good = sim_comparison_open(&c, request, &diags) &&
                sim_shown_read(&shown, &c, columns, &diags);
    fuzz_diags(&diags, !good);
    if (good && is_small(&c))
        run(&c, &shown);
    sim_comparison_close(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    char *rest = lib_arena_copy(arena, (const char *)data, size);
    const char *columns = fuzz_line(&rest);
    const char *inputs[MAX_INPUTS];
    struct sim_comparison_request request = {.program = program(), .inputs = inputs};
    for (const char *line; request.input_count < MAX_INPUTS;)
        if ((line = fuzz_line(&rest)))
            inputs[request.input_count++] = line;
        else
            break;
    for (int in_rows = 0; in_rows < 2; in_rows++) {
        request.in_rows = in_rows;
        request.placement = in_rows ? SIM_PLACEMENT_BOTH : SIM_PLACEMENT_GIVEN;
        compare(&request, *columns ? columns : NULL);
    }
    lib_arena_free(arena);
    return 0;
}
