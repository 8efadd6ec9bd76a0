/* The checker: each of its rules is broken once, in a program that is otherwise right. */
#include "tests/unit/isa_texts.h"

/* --- rules that a text can break ---------------------------------------------------- */

static const struct {
    const char *base, *from, *to; /* the first `from` of the base becomes `to` */
    const char *message;          /* the first one */
} cases[] = {
    /* naming */
    {factorial_static, "result ()", "result (int)",
     "function 0 result: the top level has no parameters"},
    {factorial_static, "site 1 fact -> fact",
     "site 1 fact -> fact\nsite 2 fact -> result",
     "site 2: function 0, the top level, cannot be called"},
    {factorial_static, "site 0", "function 2 f () -> (int)\nsite 0",
     "function 2 f: a function has at least one parameter"},
    {factorial_static, "site 0", "function 2 f (int) -> ()\nsite 0",
     "function 2 f: a function has at least one result"},
    {factorial_static, "site 0", "function 2 f (int) -> (int)\nsite 0",
     "function 2 f: no site calls it"},

    /* ports */
    {ports_image, "port 2 in zs", "port 2 in xs", "port 2: a second port of the name xs"},
    {ports_image, "port 2 in zs", "port 2 out zs",
     "port 1 ys: the results of function 0 that belong to it are not arrays of its "
     "elements"},
    {ports_image, "(int, [real], [bool])", "([bool])",
     "port 1 ys: function 0 has no results for it"},
    {ports_image, "port.bool array 2", "port.int array 2",
     "%2 port.int: array 2 is bool"},
    {ports_image, "port.bool array 2", "port.bool array 3",
     "%2 port.bool: unknown array 3: there are 3"},
    {ports_image, "open.real array 1", "open.real array 9",
     "%5 open.real: unknown array 9: there are 3"},
    {ports_image, "%9   output", "%10 port.int array 0 -> -\n  %9   output",
     "%10 port.int: a second PORT of array 0"},
    /* nodes */
    {factorial_functions, "  %6   sub.int _, 1 ", "  %6   merge.int _ ",
     "%6 merge.int: not an opcode of stage functions"},
    {factorial_static, "  %7   sub.int _, 1 ",
     "  %p param.int param 0 -> -\n %7 neg.int _",
     "%p param.int: not an opcode of stage static"},
    {factorial_functions, "%3   param.int param 0", "%3   param.int param 1",
     "%3 param.int: unknown parameter 1: there are 1"},
    {factorial_functions, "param.int param 0 ", "param.real param 0 ",
     "%3 param.real: parameter 0 is int"},
    {factorial_functions, "result.int _, part 0", "output.int _, part 0",
     "%10 output.int: stands in function 0 only"},
    {factorial_functions, "output.int _, part 0", "result.int _, part 0",
     "%2 result.int: the results of function 0 are its outputs"},
    {factorial_functions, "  %7   apply _, site 1", "  %7   apply _, site 0",
     "%7 apply: stands in function 1 fact, but site 0 calls from function 0 result"},
    {divmod_static, "write.int _, cell limit", "write.real _, cell limit",
     "%2 write.real: cell 0 is int"},
    {divmod_static, "return.int _, _, site 0, part 1", "return.real _, _, site 0, part 1",
     "%8 return.real: result 1 is int"},
    {divmod_static, "call.int 5, site 0, param 1", "call.int 5, site 0, param 2",
     "%5 call.int: unknown parameter 2: there are 2"},
    {divmod_static, "const.int $n ", "const.int $scale ",
     "%0 const.int: operand 0 takes int, but input 1 is real"},
    {divmod_static, "const.int $n ", "const.int _ ",
     "%0 const.int: operand 0: must be an immediate"},
    {divmod_static, "  %20  read.int _, cell", "  %20  read.int cell",
     "%20 read.int: operand 0: a trigger can be absent in function 0 only"},
    {factorial_static, "return.int _, _, site 1", "return.int _, true, site 1",
     "%9 return.int: operand 1: a control operand cannot be an immediate"},
    {factorial_static, "return.int _, _, site 1", "return.int 5, _, site 1",
     "%9 return.int: operand 0: must be a token"},
    {divmod_static, "  %20  read.int _, cell", "  %20  read.int true, cell",
     "%20 read.int: operand 0: a trigger cannot be an immediate"},
    {factorial_static, "mergeif.int _", "mergeif.int 5",
     "%11 mergeif.int: operand 0: must be a token"},
    {factorial_static, "eq.int _, 1", "eq.int 2, 1",
     "%5 eq.int: 2 immediates; at most one is possible"},
    {factorial_static, "call.int _, site 1", "call.int 4, site 1",
     "%8 call.int: no operand is a token, so it would never fire in a call"},
    {factorial_functions, "apply _, site 1", "apply 4, site 1",
     "%7 apply: operand 0: must be a token: at top level only, an argument is an "
     "immediate"},
    {factorial_functions, "param.int param 0     -> ", "neg.int _ -> %3.0, ",
     "function 1 fact: no param takes its parameter 0"},
    {factorial_functions, "stage functions", "stage image",
     "%0 apply: not an opcode of stage image"},
    {factorial_static, "stage static", "stage expanding",
     "%0 call.int: not an opcode of stage expanding"},

    /* loops */
    {sum_static, "function 0 result () -> (int)", "loop 0 result () -> (int)",
     "function 0 result: the top level is not a loop"},
    {sum_static, "site 0 result", "site 0 result -> result.loop\nsite 1 result",
     "function 1 result.loop: a loop has one site only"},
    {sum_static, "site 0", "loop 2 f (int) -> ()\nsite 0",
     "function 2 f: no site enters it"},
    {sum_static, "site 0 result -> result.loop  @1:10+4",
     "loop 2 f () -> ()\nsite result -> result.loop\nsite result -> f",
     "function 2 f: a loop has at least one variable"},
    {sum_static, "  %7   next.int _,", "  %7   next.int 5,",
     "%7 next.int: operand 0: must be a token"},
    {sum_static, "  %12  output.int _",
     "  %x   exit.int 3, site 0, part 0 -> -\n  %12  output.int _",
     "%x exit.int: stands in function 0 result, but site 0 enters function 1 "
     "result.loop"},
    {sum_static, "  %6   add.int _, 1 ", "  %6   enter.int _, site 0, param 0 ",
     "%6 enter.int: stands in function 1 result.loop, but site 0 calls from function 0 "
     "result"},
    {sum_functions, "  %6   add.int _, 1  ", "  %6   result.int _, part 0 #",
     "%6 result.int: is not in a loop"},

    /* arcs */
    {sum_static, "-> %12.0", "-> %12.0, %6.0",
     "%11 exit.int: its output has a tag of function 0 result, but %6 add.int fires in "
     "function 1 result.loop"},
    {sum_static, "-> %3.0            @1:22", "-> %12.0            @1:22",
     "%2 enter.int: its output has a tag of function 1 result.loop, but %12 output.int "
     "fires in function 0 result"},
    {sum_static, "  %11  exit.int _, site 0, part 0",
     "  %11  not.bool _ -> -\n  %y exit.int _, site 0, part 1",
     "%y exit.int: unknown result 1: there are 1"},
    {factorial_static, "-> %6.1", "-> %7.0",
     "%5 eq.int: sends bool, but operand 0 of %7 sub.int takes int"},
    {factorial_static, "-> %4.0 | %9.1", "-> %9.1 | %9.1",
     "%8 call.int: sends int, but operand 1 of %9 return.int takes control"},
    {factorial_static, "-> %4.0 | %9.1", "-> %4.0 | %9.0",
     "%8 call.int: sends control, but operand 0 of %9 return.int takes int"},
    {factorial_static, "-> %4.0 | %1.1", "-> %4.0, %2.0 | %1.1",
     "%0 call.int: its output has a tag of function 1 fact, but %2 add.int fires in "
     "function 0 result"},
    {factorial_static, "-> %10.1", "-> %10.1, %2.0",
     "%9 return.int: its output has a tag of function 1 fact, but %2 add.int fires in "
     "function 0 result"},
    {factorial_static, "  %10  mul.int _, _ ", "  %10  mul.int _, 3 ",
     "%10 mul.int: operand 1 is not a token, but 1 arcs reach it"},
    {factorial_static, "-> %8.0\n", "-> -\n",
     "%8 call.int: operand 0 is reached by 0 arcs, not by 1"},
    {factorial_static, "-> %8.0\n", "-> %8.0, %8.0\n",
     "%8 call.int: operand 0 is reached by 2 arcs, not by 1"},
    {factorial_static, "-> %11.0 | %7.0", "-> - | %7.0",
     "%11 mergeif.int: operand 0 is reached by 1 arcs, not by 2"},
    {factorial_static, "stage static", "stage image",
     "%11 mergeif.int: an arc to operand 0 of %1 return.int: in stage image the "
     "destination is 'return 0'"},

    /* results */
    {factorial_functions, "  %10  result.int _, part 0",
     "  %10  result.int _, part 0\n  %11  result.int _, part 0",
     "%11 result.int: operand 0 is reached by 0 arcs, not by 1"},
    {factorial_functions, "-> %10.0              @2:11+2\n",
     "-> %10.0, %11.0\n%11 result.int _, part 0\n",
     "%10 result.int: makes result 0, which %11 result.int makes"},
    {factorial_functions, "  %4   eq.int", "  %p param.int param 0 -> -\n  %4   eq.int",
     "%p param.int: makes parameter 0, which %3 param.int makes"},
    {divmod_static, "  %2   write.int _, cell limit", "  %2 output.int _, part 0",
     "%13 output.int: makes result 0, which %2 output.int makes"},
    {divmod_static, "cell 0 limit int", "cell 0 limit int\ncell 1 more int",
     "cell 1 more: nothing writes it"},
    {divmod_static, "(int, real, bool)", "(int, real, bool, int)",
     "function 0 result: nothing makes its result 3"},
    {factorial_static, "-> %10.1\n", "-> %10.1, %1.0\n",
     "%1 return.int: operand 0 is reached by 2 arcs, not by 1"},
    {factorial_static, "-> %1.0, %9.0", "-> %1.0",
     "%9 return.int: operand 0 is reached by 0 arcs, not by 1"},

    /* calls */
    {factorial_functions, "site 1 fact -> fact  @2:37+4",
     "site 1 fact -> fact\nsite 2 fact -> fact",
     "site 2, a call of fact: 0 nodes apply, not 1"},
    {factorial_static, "  %10  mul",
     "  %c call.int _, site 1, param 0 -> - | -\n %10 mul",
     "%c call.int: operand 0 is reached by 0 arcs, not by 1"},
    {sum_static, "in result\n", "in result\n  %c call.int 0, site 0, param 0 -> - | -\n",
     "site 0, a call of result.loop: 1 nodes call, not 0: it is a loop"},
    {factorial_static, "in result\n",
     "in result\n  %e enter.int 0, site 0, param 0 -> -\n",
     "%e enter.int: site 0 calls a function, not a loop"},
    {sum_static, "  %6   add.int _, 1                  -> %7.0",
     "  %6   add.int _, 1                  -> %7.0, %1.0",
     "%1 merge.int: is reached by 3 arcs, not by 2: it is that of a loop's variable"},
    {sum_static, "param 0   -> %1.0 ", "param 0   -> %1.0, %n.0\n  %n neg.int _ -> - ",
     "%7 next.int: must reach one merge, and nothing else"},
    {sum_static, "  %10  next.int _, site 0, param 1   -> %3.0",
     "  %m   merge.int _ -> -\n  %10  next.int _, site 0, param 1   -> %m.0",
     "%10 next.int: reaches another merge than %2 enter.int, the enter of its variable"},
    {sum_static, "next.int _, site 0, param 0 ", "neg.int _",
     "loop 1 result.loop: variable 0 has no next"},
    {sum_static, "next.int _, site 0, param 0 ", "next.int _, site 0, param 1 ",
     "%10 next.int: %7 next.int is the next of variable 1 too"},
    /* constants of loops */
    {held_static, "function 0 result () -> (int) ",
     "function 0 result () -> (int) held (int)",
     "expected the end of the line, found `held`"},
    {held_static, "held (int, int)", "held (int, int, bool)",
     "loop 1 result.loop: constant 2 has no hold"},
    {held_static, "held (int, int)", "held (int)",
     "%3 hold.int: unknown constant 1: there are 1"},
    {held_static, "held (int, int)", "held (int, real)",
     "%11 sub.int: operand 0 takes int, but constant 1 is real"},
    {held_static, "hold.int 7, site 0, part 1", "hold.real 7, site 0, part 1",
     "%3 hold.real: constant 1 is int"},
    {held_static, "hold.int 7, site 0, part 1", "hold.int 7, site 0, part 0",
     "%3 hold.int: %2 hold.int is the hold of constant 0 too"},
    {held_static, "hold.int 7, site 0, part 1", "hold.int 7, site 0, param 1",
     "hold.int names no param"},
    {held_static, "held 1, _", "held 2, _",
     "%11 sub.int: operand 0: function 1 result.loop holds no constant 2: there are 2"},
    {held_static, "held 1, _", "held 1, 1",
     "%11 sub.int: 2 immediates; at most one is possible"},
    {held_static, "  %11  sub.int held 1, _  ",
     "  %s store.int _, held 1\n  %11  sub.int held 1, _  ",
     "%s store.int: operand 1: cannot be a constant of the loop"},
    {held_static, "exit.int _", "exit.int held 0",
     "%13 exit.int: operand 0: must be a token"},
    {held_static, "output.int _", "output.int held 0",
     "%14 output.int: operand 0: function 0 result holds no constant 0: there are 0"},
    {held_static, "in result.loop\n", "in result.loop\n  %h hold.int _, site 0, part 0\n",
     "%h hold.int: stands in function 1 result.loop, but site 0 calls from function 0 "
     "result"},
};

START_TEST(each_rule_is_enforced)
{
    char *text = test_replace(cases[_i].base, cases[_i].from, cases[_i].to);
    struct lib_source source = test_source(text, strlen(text));
    struct lib_diags diags = {0};
    ck_assert(isa_asm_read(&source, &diags) == NULL);
    ck_assert_uint_ge(diags.count, 1);
    ck_assert_str_eq(diags.items[0].text, cases[_i].message);
    lib_diags_free(&diags);
    lib_mem_free(text);
}
END_TEST

START_TEST(a_text_is_told_where)
{
    char *text = test_replace(factorial_static, "  %5   eq.int _, 1 ",
                              "  %compare eq.int 2, 1 ");
    char *again = test_replace(text, "%5.0", "%compare.0");
    struct lib_source source = test_source(again, strlen(again));
    struct lib_diags diags = {0};
    ck_assert(isa_asm_read(&source, &diags) == NULL);
    ck_assert_uint_eq(diags.items[0].pos.line, 16);
    ck_assert_uint_eq(diags.items[0].pos.column, 3);
    ck_assert_uint_eq(diags.items[0].pos.span, 8);
    ck_assert_str_eq(diags.items[0].text,
                     "%compare eq.int: 2 immediates; at most one is possible");
    lib_diags_free(&diags);
    lib_mem_free(text);
    lib_mem_free(again);
}
END_TEST

/* --- rules that only a graph can break ---------------------------------------------- */

/* Checks that the graph is refused, first of all for this reason. */
static void refuse(struct isa_graph *graph, const char *message)
{
    struct lib_diags diags = {0};
    ck_assert(!isa_check(graph, NULL, &diags));
    ck_assert_uint_ge(diags.count, 1);
    ck_assert_str_eq(diags.items[0].text, message);
    lib_diags_free(&diags);
    isa_graph_free(graph);
}

START_TEST(what_is_out_of_range)
{
    struct isa_graph *g = isa_graph_new(ISA_STAGE_STATIC, "");
    refuse(g, "function 0 is missing");

    g = test_read(factorial_static);
    g->nodes[7].op = ISA_OP_COUNT;
    refuse(g, "%7: unknown opcode");

    g = test_read(factorial_static);
    g->nodes[7].op = ISA_OP_NEG_I;
    refuse(g, "%7 neg.int: another number of operands than the opcode has");

    g = test_read(factorial_static);
    g->nodes[11].type = ISA_LEAF_COUNT;
    refuse(g, "%11: unknown type");

    g = test_read(factorial_static);
    g->nodes[7].function = 2;
    refuse(g, "%7 sub.int: unknown function");

    g = test_read(factorial_static);
    g->nodes[8].site = 2;
    refuse(g, "%8 call.int: unknown site");

    g = test_read(factorial_static);
    g->sites[1].callee = 2;
    refuse(g, "site 1: invalid function or position");

    g = test_read(factorial_static);
    g->functions[1].params[0] = (enum isa_type)7;
    refuse(g, "function 1: invalid type or position");

    g = test_read(factorial_static);
    isa_graph_connect(g, 7, 0, (struct isa_dest){12, 0});
    refuse(g, "%7 sub.int: an arc leads to node 12; there are 12");

    g = test_read(factorial_static);
    isa_graph_connect(g, 7, 0, (struct isa_dest){11, 1});
    refuse(g, "%7 sub.int: an arc leads to operand 1 of %11 mergeif.int, which has 1");

    g = test_read(factorial_static);
    isa_graph_connect(g, 11, 0, (struct isa_dest){ISA_TO_RETURN, 0});
    refuse(g, "%11 mergeif.int: 'return' is a destination in stage image only");
}
END_TEST

START_TEST(what_is_no_value)
{
    struct isa_graph *g = test_read(divmod_static);
    g->nodes[19].operands[0].value = 2;
    refuse(g, "%19 switch.bool: the literal of operand 0 is no bool");

    g = test_read(divmod_static);
    g->inputs[1].value = ISA_NAN + 1;
    refuse(g, "input 1: its value is none of its type");

    g = test_read(divmod_static);
    g->inputs[1].name = "n";
    refuse(g, "input 1: a second input of the name n");

    g = test_read(divmod_static);
    isa_graph_set_input(g, 0, 0, 2);
    refuse(g, "%0 const.int: operand 0: unknown input 2");

    g = test_read(divmod_static);
    g->nodes[0].operands[0].kind = (enum isa_operand_kind)5;
    refuse(g, "%0 const.int: operand 0 has an invalid kind");

    g = test_read(held_static);
    g->functions[1].held[1] = (enum isa_type)7;
    refuse(g, "function 1: invalid type or position");

    g = test_read(held_static);
    isa_graph_set_constants(g, 0, g->functions[1].held, 1);
    refuse(g, "function 0 result: only a loop holds constants");
}
END_TEST

/* --- calls -------------------------------------------------------------------------- */

/* The graph of `divmod` with destination `from` of a list replaced. */
static struct isa_graph *redirect(uint32_t node, uint32_t output, struct isa_dest to)
{
    struct isa_graph *g = test_read(divmod_static);
    g->nodes[node].outputs[output].items[0] = to;
    return g;
}

START_TEST(calls_are_whole)
{
    /* The controls of the two sites are swapped: each JOIN has one of the other site. */
    struct isa_graph *g = redirect(4, 1, (struct isa_dest){26, 0});
    g->nodes[24].outputs[1].items[0] = (struct isa_dest){6, 0};
    refuse(g, "%24 call.int: its control token reaches the return of site 0, to which it "
              "does not belong");

    /* A JOIN feeds itself, and the CALL that it should wait for feeds nothing. */
    g = redirect(6, 0, (struct isa_dest){6, 0});
    g->nodes[4].outputs[1].items[0] = (struct isa_dest){7, 1};
    refuse(g, "%6 join: its control token reaches the return of site 0 twice");

    /* The first RETURN waits for both CALLs, the last for one of them. */
    g = test_read(divmod_static);
    g->nodes[6].outputs[0].count = 1;
    isa_graph_connect(g, 4, 1, (struct isa_dest){8, 1});
    refuse(g,
           "site 0: the control tokens of 1 of its 2 nodes call do not reach the return "
           "of its last result");

    /* The other way round it is a call of a paired function. */
    g = test_read(divmod_static);
    g->nodes[6].outputs[0].items[0] = (struct isa_dest){8, 1};
    g->nodes[6].outputs[0].count = 1;
    isa_graph_connect(g, 4, 1, (struct isa_dest){7, 1});
    struct lib_diags diags = {0};
    ck_assert(isa_check(g, NULL, &diags));
    isa_graph_free(g);

    /* Both operands of a JOIN come from one CALL. */
    g = redirect(5, 1, (struct isa_dest){6, 0});
    g->nodes[5].outputs[1].count = 0;
    isa_graph_connect(g, 4, 1, (struct isa_dest){6, 1});
    refuse(g, "%4 call.int: its control token reaches the return of site 0 twice");

    /* Two CALLs for one parameter, none for the other. */
    g = test_read(divmod_static);
    g->nodes[5].index = 0;
    refuse(g, "%5 call.int: %4 call.int is the call for parameter 0 of site 0 too");

    g = test_read(divmod_static);
    g->nodes[8].index = 0;
    refuse(g, "%8 return.int: takes result 0 of function 1 divmod from %31 mergeif.int, "
              "but %7 return.int takes it from %30 mergeif.int");
}
END_TEST

START_TEST(numbers_of_nodes_are_right)
{
    struct isa_graph *g = test_read(divmod_static);
    uint32_t join = isa_graph_add_node(g, ISA_OP_JOIN, ISA_INT, 0, 0, 0,
                                       (struct lib_pos){0});
    isa_graph_connect(g, 4, 1, (struct isa_dest){join, 0});
    isa_graph_connect(g, 5, 1, (struct isa_dest){join, 1});
    refuse(g, "site 0, a call of divmod: 2 nodes join, not 1");

    g = test_read(divmod_static);
    uint32_t call = isa_graph_add_node(g, ISA_OP_CALL, ISA_INT, 0, 0, 1,
                                       (struct lib_pos){0});
    isa_graph_set_literal(g, call, 0, 1);
    refuse(g, "site 0, a call of divmod: 3 nodes call, not 2");

    g = test_read(divmod_static);
    isa_graph_add_site(g, 0, 1, (struct lib_pos){0});
    refuse(g, "site 2, a call of divmod: 0 nodes call, not 2");
}
END_TEST

START_TEST(images_return_each_result_once)
{
    struct isa_graph *g = test_read(divmod_static);
    isa_graph_lower(g);
    g->nodes[30].outputs[0].count = 0;
    refuse(g, "function 1 divmod: nothing makes its result 0");

    g = test_read(divmod_static);
    isa_graph_lower(g);
    isa_graph_connect(g, 23, 0, (struct isa_dest){ISA_TO_RETURN, 0});
    refuse(g, "%30 mergeif.int: makes result 0, which %23 sub.int makes");

    g = test_read(divmod_static);
    isa_graph_lower(g);
    isa_graph_connect(g, 23, 0, (struct isa_dest){ISA_TO_RETURN, 2});
    refuse(g, "%23 sub.int: return 2: function 1 divmod has no result 2");

    g = test_read(divmod_static);
    isa_graph_lower(g);
    isa_graph_connect(g, 12, 0, (struct isa_dest){ISA_TO_RETURN, 0});
    refuse(g, "%12 gt.int: return 0: function 0 result has no result 0");

    g = test_read(divmod_static);
    isa_graph_lower(g);
    isa_graph_connect(g, 18, 0, (struct isa_dest){ISA_TO_RETURN, 0});
    refuse(g, "%18 lt.int: return 0: sends bool, but the result is int");
}
END_TEST

/* A chain of calls with very many parameters: neither deep recursion nor square time. */
START_TEST(wide_calls_are_checked_fast)
{
    enum { PARAMS = 20000 };
    struct isa_graph *g = isa_graph_new(ISA_STAGE_STATIC, "");
    enum isa_type *types = lib_mem_new(PARAMS * sizeof *types);
    struct lib_pos nowhere = {0};
    isa_graph_add_function(g, "top", NULL, 0, types, 1, nowhere);
    isa_graph_add_function(g, "wide", types, PARAMS, types, 1, nowhere);
    isa_graph_add_site(g, 0, 1, nowhere);
    uint32_t merge = isa_graph_add_node(g, ISA_OP_MERGE, ISA_INT, 1, 0, 0, nowhere);
    uint32_t control = 0;
    for (uint32_t i = 0; i < PARAMS; i++) {
        uint32_t call = isa_graph_add_node(g, ISA_OP_CALL, ISA_INT, 0, 0, i, nowhere);
        isa_graph_set_literal(g, call, 0, i);
        if (i == 0) {
            isa_graph_connect(g, call, 0, (struct isa_dest){merge, 0});
            control = call;
            continue;
        }
        uint32_t join = isa_graph_add_node(g, ISA_OP_JOIN, ISA_INT, 0, 0, 0, nowhere);
        isa_graph_connect(g, control, i > 1 ? 0 : 1, (struct isa_dest){join, 0});
        isa_graph_connect(g, call, 1, (struct isa_dest){join, 1});
        control = join;
    }
    uint32_t back = isa_graph_add_node(g, ISA_OP_RETURN, ISA_INT, 0, 0, 0, nowhere);
    uint32_t out = isa_graph_add_node(g, ISA_OP_OUTPUT, ISA_INT, 0, 0, 0, nowhere);
    isa_graph_connect(g, control, 0, (struct isa_dest){back, 1});
    isa_graph_connect(g, merge, 0, (struct isa_dest){back, 0});
    isa_graph_connect(g, back, 0, (struct isa_dest){out, 0});
    struct lib_diags diags = {0};
    ck_assert_msg(isa_check(g, NULL, &diags), "%s",
                  diags.count ? diags.items[0].text : "");
    lib_mem_free(types);
    isa_graph_free(g);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("check");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, each_rule_is_enforced, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tcase, a_text_is_told_where);
    tcase_add_test(tcase, what_is_out_of_range);
    tcase_add_test(tcase, what_is_no_value);
    tcase_add_test(tcase, calls_are_whole);
    tcase_add_test(tcase, numbers_of_nodes_are_right);
    tcase_add_test(tcase, images_return_each_result_once);
    tcase_add_test(tcase, wide_calls_are_checked_fast);
    return test_main("isa check", tcase);
}
