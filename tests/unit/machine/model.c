/* Numbers that doc/model.md defines, computed here again by what it says and by nothing else. Where
 * this fails, code and page have parted: change the page as well, or neither. */
#include "isa/exec/code.h"
#include "isa/exec/structure.h"
#include "tests/unit/rig.h"

/* --- the arithmetic of digests, and of random placement ------------------------------- */

static const uint64_t root = UINT64_C(0x68696174f6e0001d);

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void multiply(uint64_t a, uint64_t b, uint64_t *hi, uint64_t *lo)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    *hi = (uint64_t)(product >> 64);
    *lo = (uint64_t)product;
}

static uint64_t path_of_site(uint64_t parent, uint64_t site)
{
    return mix(parent + UINT64_C(0x9e3779b97f4a7c15) * (site + 1));
}

static uint64_t path_of_iteration(uint64_t parent, uint64_t site, uint64_t n)
{
    return mix(path_of_site(parent, site) ^ UINT64_C(0xc2b2ae3d27d4eb4f) * (n + 1));
}

static uint64_t hash(uint64_t n, uint64_t path, uint64_t word)
{
    const uint64_t key = mix(UINT64_C(0xd1b54a32d192ed03) * (n + 1));
    uint64_t hi, lo;
    multiply(path ^ key, word ^ UINT64_C(0xa0761d6478bd642f), &hi, &lo);
    return hi ^ lo;
}

/* Philox 2x64-10: the first word (Salmon, Moraes, Dror, Shaw, SC 2011, section 3.3). */
static uint64_t philox(uint64_t key, uint64_t first, uint64_t second)
{
    for (int round = 0; round < 10; round++) {
        uint64_t hi, lo;
        multiply(first, UINT64_C(0xd2b74407b1ce6e93), &hi, &lo);
        first = hi ^ key ^ second;
        second = lo;
        key += UINT64_C(0x9e3779b97f4a7c15);
    }
    return first;
}

static uint64_t scale(uint64_t h, uint64_t count)
{
    return (h >> 32) * count >> 32;
}

/* --- runs ----------------------------------------------------------------------------- */

static struct test_outcome run_on(const struct isa_graph *graph, const char *assignments,
                                  bool ideal, uint64_t seed)
{
    struct machine_settings settings;
    if (ideal)
        test_settings_ideal(&settings);
    else
        machine_settings_default(&settings);
    test_set_all(&settings, assignments);
    return test_run(graph, NULL, &settings, seed);
}

/* A live firing, as written down by hand. */
struct firing {
    uint32_t n;
    uint64_t path, value, cycle, pe;
};

static void check_digests(const struct traces_stats *s, const struct firing *firings,
                          size_t count)
{
    uint64_t value = 0, timing = 0;
    for (size_t i = 0; i < count; i++) {
        const struct firing *f = &firings[i];
        value += hash(f->n, f->path, f->value);
        timing += hash(f->n, f->path, f->cycle << 16 | f->pe);
    }
    ck_assert_uint_eq(s->firings, count);
    ck_assert_uint_eq(s->value_digest, value);
    ck_assert_uint_eq(s->timing_digest, timing);
}

/* The example of the page. */
START_TEST(the_example_has_its_digests)
{
    struct isa_graph *graph = test_compile("result = square(3)\nsquare(x) = x * x\n",
                                           ISA_STAGE_IMAGE);
    struct test_outcome o = run_on(graph, "pe.count=3", false, 0);
    const uint64_t call = path_of_site(root, 0);
    const uint64_t top_pe = scale(root, 3), call_pe = scale(call, 3);
    ck_assert_uint_eq(top_pe, 1);
    ck_assert_uint_eq(call_pe, 0);
    const struct firing firings[] = {{0, root, 3, 0, top_pe},
                                     {3, call, 3, 9, call_pe},
                                     {4, call, 9, 14, call_pe},
                                     {1, call, 9, 20, call_pe},
                                     {2, root, 9, 29, top_pe}};
    check_digests(&o.stats, firings, 5);
    ck_assert_uint_eq(o.stats.value_digest, UINT64_C(0x6b52146ce1a56bdd));
    ck_assert_uint_eq(o.stats.timing_digest, UINT64_C(0x18c64142315b8ab7));
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

/* One iteration that does nothing but end; a loop's labels, and HOLD and form HELD. */
static const char loop[] = "hiaton assembly 1\n"
                           "stage image\n"
                           "function 0 result () -> (int)\n"
                           "loop 1 l (int) -> (int) held (int)\n"
                           "site 0 result -> l\n"
                           "in result\n"
                           "  %0 const.int 0 -> %2.0\n"
                           "  %1 const.int 7 -> %3.0\n"
                           "  %2 enter.int _, site 0, param 0 -> %5.0\n"
                           "  %3 hold.int _, site 0, part 0\n"
                           "  %4 output.int _, part 0\n"
                           "in l\n"
                           "  %5 merge.int _ -> %6.0, %7.0\n"
                           "  %6 lt.int _, 1 -> %7.1\n"
                           "  %7 switch.int _, _ -> %8.0 | %10.0\n"
                           "  %8 add.int _, held 0 -> %9.0\n"
                           "  %9 next.int _, site 0, param 0 -> %5.0\n"
                           "  %10 exit.int _, site 0, part 0 -> %4.0\n";

START_TEST(an_iteration_has_its_digests)
{
    struct isa_graph *graph = test_read(loop);
    struct test_outcome o = run_on(graph, "", true, 0);
    const uint64_t first = path_of_iteration(root, 0, 0);
    const uint64_t second = path_of_iteration(root, 0, 1);
    const struct firing firings[] = {
        {0, root, 0, 0, 0},     {1, root, 7, 0, 0},   {2, root, 0, 1, 0},
        {3, root, 7, 1, 0},     {5, first, 0, 2, 0},  {6, first, 1, 3, 0},
        {7, first, 0, 4, 0},    {8, first, 7, 5, 0},  {9, first, 7, 6, 0},
        {5, second, 7, 7, 0},   {6, second, 0, 8, 0}, {7, second, 7, 9, 0},
        {10, second, 7, 10, 0}, {4, root, 7, 11, 0},
    };
    check_digests(&o.stats, firings, sizeof firings / sizeof *firings);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

START_TEST(the_seed_places_at_random)
{
    enum { PES = 5 };
    struct isa_graph *graph = test_compile("result = f(1)\nf(x) = x + 1\n",
                                           ISA_STAGE_IMAGE);
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct test_outcome o = run_on(graph, "placement.policy=random pe.count=5", false,
                                       seed);
        uint64_t firings[PES] = {0};
        const uint64_t key = seed ^ mix(1);
        firings[scale(philox(key, root, 0), PES)] += 2; /* CALL, OUTPUT */
        firings[scale(philox(key, path_of_site(root, 0), 0), PES)] += 3;
        for (int pe = 0; pe < PES; pe++)
            ck_assert_uint_eq(o.stats.pe[pe].firings, firings[pe]);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- the code ------------------------------------------------------------------------- */

/* 8 nodes, but 9 instructions: the second argument has one of its own. */
static const char nine[] = "hiaton assembly 1\n"
                           "stage expanding\n"
                           "function 0 result () -> (int)\n"
                           "function 1 f (int, int) -> (int)\n"
                           "site 0 result -> f\n"
                           "in result\n"
                           "  %0 const.int 1 -> %1.0, %1.1\n"
                           "  %1 apply _, _, site 0 -> %2.0\n"
                           "  %2 output.int _, part 0\n"
                           "in f\n"
                           "  %3 param.int param 0 -> %5.0\n"
                           "  %4 param.int param 1 -> %5.1\n"
                           "  %5 add.int _, _ -> %6.0\n"
                           "  %6 neg.int _ -> %7.0\n"
                           "  %7 result.int _, part 0\n";

START_TEST(an_apply_has_an_instruction_per_token)
{
    struct isa_graph *graph = test_read(nine);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    ck_assert_uint_eq(code->instr_count, 9);
    ck_assert_int_eq(code->instrs[8].op, ISA_OP_APPLY);
    ck_assert_int_eq(code->instrs[8].form, ISA_FORM_FIRST);
    isa_code_free(code);
    /* Two arguments with a label, a result without. */
    struct test_outcome o = run_on(graph, "pe.count=64 copy.placement=placed", true, 0);
    ck_assert_uint_eq(o.stats.graph_nodes, 8);
    ck_assert_uint_eq(o.stats.network_tokens, 3);
    ck_assert_uint_eq(o.stats.network_bits, 3 * (64 + 4 + 1) + 2);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

START_TEST(kinds_have_an_order)
{
    struct isa_graph *graph = test_read(loop);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_instr *i = code->instrs;
    ck_assert_int_eq(i[0].form, ISA_FORM_SECOND); /* its operand 0 is an immediate */
    ck_assert_int_eq(i[5].form, ISA_FORM_FIRST);
    ck_assert_int_eq(i[6].form, ISA_FORM_FIRST);
    ck_assert_int_eq(i[7].form, ISA_FORM_TWO);
    ck_assert_int_eq(i[8].form, ISA_FORM_HELD);
    ck_assert(i[8].kind < i[6].kind); /* HELD before all others, */
    ck_assert(i[6].kind < i[0].kind && i[0].kind < i[7].kind && i[7].kind < i[5].kind);
    isa_code_free(code);
    isa_graph_free(graph);
    ck_assert(ISA_FORM_FIRST < ISA_FORM_SECOND && ISA_FORM_SECOND < ISA_FORM_TWO);
    ck_assert_int_eq(ISA_OP_PARAM, ISA_OP_COUNT - 3);
    ck_assert_int_eq(ISA_OP_APPLY, ISA_OP_COUNT - 2);
    ck_assert_int_eq(ISA_OP_RESULT, ISA_OP_COUNT - 1);
}
END_TEST

START_TEST(the_state_has_its_bytes)
{
    ck_assert_uint_eq(sizeof(struct isa_activation), 32);
    ck_assert_uint_eq(sizeof(struct isa_slot), 16);
    ck_assert_uint_eq(sizeof(isa_tag), 4);
    ck_assert_uint_eq(sizeof(struct isa_token), 24);
    ck_assert_uint_eq(sizeof(struct isa_deferred), 24);
    ck_assert_uint_eq(sizeof(struct isa_structure), 48);
    ck_assert_uint_eq(sizeof(struct isa_element), 16);
    ck_assert_uint_eq(isa_frame_shape(3, 5).units * ISA_FRAME_UNIT, 32 + 3 * 16 + 32);
}
END_TEST

/* --- slots of frames ------------------------------------------------------------------ */

/* The slots of all frames that are there at one time, by the table of the page. */
static const struct slots {
    const char *program;
    enum isa_stage stage;
    bool propagate;
    uint64_t slots;
} slots[] = {
    /* JOIN, RETURN twice; + and * */
    {"result = f(1, 2)\nf(x, y) = (x + y, x * y)\n", ISA_STAGE_IMAGE, false, 1 + 2 + 2},
    /* its own and the two arguments; + and * */
    {"result = f(1, 2)\nf(x, y) = (x + y, x * y)\n", ISA_STAGE_EXPANDING, false, 3 + 2},
    {"result = f(1, 2)\nf(x, y) = (x + y, x * y)\n", ISA_STAGE_EXPANDING, true, 3 + 2},
    /* none of its own, where there is one parameter */
    {"result = f(1)\nf(x) = x * x + x\n", ISA_STAGE_EXPANDING, false, 2},
    /* and hiatons of the APPLY at top level */
    {"result = f(h(1), h(2))\nf(x, y) = (x + y, x * y)\nh(x) = x + 1\n",
     ISA_STAGE_EXPANDING, false, 3 + 2},
    {"result = f(h(1), h(2))\nf(x, y) = (x + y, x * y)\nh(x) = x + 1\n",
     ISA_STAGE_EXPANDING, true, 3 + 2 + 1},
    /* RETURN, SWITCH, and with hiatons MERGEIF */
    {"result = f(1)\nf(x) = if x < 1 then x + 1 else x + 2\n", ISA_STAGE_IMAGE, false, 2},
    {"result = f(1)\nf(x) = if x < 1 then x + 1 else x + 2\n", ISA_STAGE_IMAGE, true, 3},
    /* RETURN, the loop, its constant; the iteration, and two SWITCHes */
    {"result = f(1)\nf(k) = loop i = 0, s = 0 while i < 0 do i + 1, s + k return s\n",
     ISA_STAGE_IMAGE, false, 1 + 2 + 3},
};

/* A frame of the top level that has no room ends the run before anything has its turn. */
START_TEST(the_top_level_has_a_frame)
{
    struct isa_graph *graph = test_compile("result = f(1) + f(2) + f(3)\nf(x) = x + 1\n",
                                           ISA_STAGE_IMAGE);
    static const char *const settings[] = {
        "match.store=frames match.capacity=1",
        "match.store=frames match.capacity=1 tag.scheme=interned"};
    for (int i = 0; i < 2; i++) {
        struct test_outcome o = run_on(graph, settings[i], true, 0);
        ck_assert_int_eq(o.end, ISA_END_STORE_FULL);
        ck_assert_uint_eq(o.stats.firings, 0);
        ck_assert_uint_eq(o.stats.cycles, 0);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

START_TEST(frames_have_their_slots)
{
    const struct slots *row = &slots[_i];
    struct isa_graph *graph = test_compile(row->program, row->stage);
    for (int less = 0; less < 2; less++) {
        char settings[128];
        snprintf(settings, sizeof settings, "match.store=frames match.capacity=%d%s",
                 (int)row->slots - less, row->propagate ? " deadness=propagate" : "");
        struct test_outcome o = run_on(graph, settings, true, 0);
        ck_assert_msg(o.end == (less ? ISA_END_STORE_FULL : ISA_END_COMPLETED),
                      "%s%s: end %d", row->program, settings, (int)o.end);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- what is counted ------------------------------------------------------------------ */

/* A call that is not made: both CALLs and RETURN pass hiatons on; MERGEIF absorbs one. */
static const char no_call[] = "hiaton assembly 1\n"
                              "stage image\n"
                              "function 0 result () -> (int)\n"
                              "function 1 f (int, int) -> (int)\n"
                              "site 0 result -> f\n"
                              "in result\n"
                              "  %0 const.bool false -> %1.1, %2.1\n"
                              "  %1 switch.int 1, _ -> %3.0 | %7.0\n"
                              "  %2 switch.int 2, _ -> %4.0 | -\n"
                              "  %3 call.int _, site 0, param 0 -> %9.0 | %5.0\n"
                              "  %4 call.int _, site 0, param 1 -> %10.0 | %5.1\n"
                              "  %5 join _, _, site 0 -> %6.1\n"
                              "  %6 return.int _, _, site 0, part 0 -> %7.0\n"
                              "  %7 mergeif.int _ -> %8.0\n"
                              "  %8 output.int _, part 0\n"
                              "in f\n"
                              "  %9 merge.int _ -> %11.0\n"
                              "  %10 merge.int _ -> %11.1\n"
                              "  %11 add.int _, _ -> return 0\n";

START_TEST(dead_firings_are_those_of_the_table)
{
    struct isa_graph *graph = test_read(no_call);
    struct test_outcome o = run_on(graph, "deadness=propagate", true, 0);
    ck_assert_uint_eq(o.stats.dead_firings, 3);
    ck_assert_uint_eq(o.stats.dead_tokens, 4);
    ck_assert_uint_eq(o.stats.firings, 5);
    traces_stats_free(&o.stats);
    graph = (isa_graph_free(graph), test_read(loop));
    /* The hiatons of SWITCH: EXIT absorbs one, + and NEXT the other; + is a dead firing. */
    o = run_on(graph, "deadness=propagate", true, 0);
    ck_assert_uint_eq(o.stats.dead_firings, 1);
    ck_assert_uint_eq(o.stats.dead_tokens, 3);
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

/* Of two APPLYs there is room for the copy of one. That of one token has made nothing while it
 * waits; that of two has gathered. */
START_TEST(an_apply_that_waits_may_be_an_activation)
{
    static const struct {
        const char *program;
        const char *settings;
        uint64_t peak_tags;
    } rows[] = {
        {"result = f(1) + f(2)\nf(x) = x + 1\n", "copy.capacity=3", 1 + 1},
        {"result = f(1) + f(2)\nf(x) = x + 1\n", "", 1 + 2},
        {"result = f(g(1), g(2)) + f(g(3), g(4))\nf(x, y) = x + y\ng(x) = x + 1\n",
         "copy.capacity=12", 1 + 4},
        {"result = f(g(1), 2) + f(g(3), 4)\nf(x, y) = x + y\ng(x) = x + 1\n",
         "copy.capacity=4", 1 + 1},
        {"result = f(g(1), g(1)) + f(g(1), g(1))\nf(x, y) = x + y\ng(x) = x + 1\n",
         "copy.capacity=4", 1 + 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct isa_graph *graph = test_compile(rows[i].program, ISA_STAGE_EXPANDING);
        struct test_outcome o = run_on(graph, rows[i].settings, true, 0);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        ck_assert_msg(o.stats.peak_tags == rows[i].peak_tags, "%s: %ju tags",
                      rows[i].program, (uintmax_t)o.stats.peak_tags);
        traces_stats_free(&o.stats);
        isa_graph_free(graph);
    }
}
END_TEST

/* Two tokens are formed in one cycle: the argument of a call, whose copy takes as long as an
 * addition and a division together, and what the addition sends. One comes first. */
static const char copy_beside[] = "hiaton assembly 1\n"
                                  "stage expanding\n"
                                  "function 0 result () -> (int, int)\n"
                                  "function 1 f (int) -> (int)\n"
                                  "site 0 result -> f\n"
                                  "in result\n"
                                  "  %0 apply 5, site 0 -> %4.0\n"
                                  "  %1 const.int 8 -> %2.0\n"
                                  "  %2 div.int _, 2 -> %3.0\n"
                                  "  %3 add.int _, 3 -> %5.0\n"
                                  "  %4 output.int _, part 0\n"
                                  "  %5 output.int _, part 1\n"
                                  "in f\n"
                                  "  %6 param.int param 0 -> %7.0\n"
                                  "  %7 result.int _, part 0\n";

START_TEST(what_long_copies_send_comes_late)
{
    struct isa_graph *graph = test_read(copy_beside);
    const uint64_t call = path_of_site(root, 0);
    for (uint64_t late = 0; late < 2; late++) {
        const uint64_t t = 1 + 1024 + late; /* when both are formed */
        char settings[160];
        snprintf(settings, sizeof settings,
                 "pe.units=1 unit.div.latency=1000 copy.latency=%ju unit.alu.latency=%ju",
                 (uintmax_t)(1024 + late), (uintmax_t)(t - 1002));
        struct test_outcome o = run_on(graph, settings, true, 0);
        const struct firing firings[] = {
            {0, root, 0, 0, 0},     {1, root, 8, 1, 0},        {2, root, 4, 2, 0},
            {3, root, 7, 1002, 0},  {6, call, 5, t + late, 0}, {5, root, 7, t + !late, 0},
            {7, call, 5, t + 2, 0}, {4, root, 5, t + 3, 0},
        };
        check_digests(&o.stats, firings, sizeof firings / sizeof *firings);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- nodes of the executor ------------------------------------------------------------ */

#define CONDITIONAL(predicate)                                                           \
    "hiaton assembly 1\n"                                                                \
    "stage image\n"                                                                      \
    "function 0 result () -> (int)\n"                                                    \
    "in result\n"                                                                        \
    "  %0 const.bool " predicate " -> %2.1, %3.1\n"                                      \
    "  %1 const.int 3 -> %3.0\n"                                                         \
    "  %2 switch.int 7, _ -> %4.0 | %5.0\n"                                              \
    "  %3 switch.int _, _ -> %4.1 | -\n"                                                 \
    "  %4 add.int _, _ -> %6.0\n"                                                        \
    "  %5 mul.int _, 2 -> %6.0\n"                                                        \
    "  %6 mergeif.int _ -> %7.0\n"                                                       \
    "  %7 output.int _, part 0\n"

/* A call that decides. */
static const char decides[] = "hiaton assembly 1\n"
                              "stage expanding\n"
                              "function 0 result () -> (int)\n"
                              "function 1 f (int) -> (bool)\n"
                              "site 0 result -> f\n"
                              "in result\n"
                              "  %0 apply 1, site 0 -> %1.1\n"
                              "  %1 switch.int 7, _ -> %2.0 | %3.0\n"
                              "  %2 neg.int _ -> %4.0\n"
                              "  %3 abs.int _ -> %4.0\n"
                              "  %4 mergeif.int _ -> %5.0\n"
                              "  %5 output.int _, part 0\n"
                              "in f\n"
                              "  %6 param.int param 0 -> %7.0\n"
                              "  %7 gt.int _, 0 -> %8.0\n"
                              "  %8 result.bool _, part 0\n";

START_TEST(nodes_are_those_of_the_table)
{
    static const struct {
        const char *text;
        uint64_t live, dead;
    } rows[] = {
        /* The predicate: its CONST, 3, and 1 dead; CONST; the literal in its branch; the other
         * SWITCH; what the branch does; MERGEIF, output. Dead: the literal in the other branch, and
         * what that does, with its literal. */
        {CONDITIONAL("true"), 1 + 3 + 1 + 1 + 1 + 1 + 1 + 1, 1 + 1 + 2},
        {CONDITIONAL("false"), 1 + 3 + 1 + 1 + 1 + 2 + 1 + 1, 1 + 1 + 1},
        /* APPLY and its literal; PARAM; > and its literal; RESULT and the predicate; ... */
        {decides, 2 + 1 + 2 + 1 + 3 + 1 + 1 + 1 + 1, 1 + 1 + 1},
        /* MERGE twice: each two; CALL of a literal: two; RETURN */
        {"hiaton assembly 1\n"
         "stage image\n"
         "function 0 result () -> (int)\n"
         "function 1 f (int, int) -> (int)\n"
         "site 0 result -> f\n"
         "in result\n"
         "  %0 call.int 1, site 0, param 0 -> %5.0 | %2.0\n"
         "  %1 call.int 2, site 0, param 1 -> %6.0 | %2.1\n"
         "  %2 join _, _, site 0 -> %3.1\n"
         "  %3 return.int _, _, site 0, part 0 -> %4.0\n"
         "  %4 output.int _, part 0\n"
         "in f\n"
         "  %5 merge.int _ -> %7.0\n"
         "  %6 merge.int _ -> %7.1\n"
         "  %7 add.int _, _ -> return 0\n",
         2 + 2 + 0 + 1 + 1 + 2 + 2 + 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct isa_graph *graph = test_read(rows[i].text);
        struct test_outcome o = run_on(graph, "executor.workers=2 deadness=propagate",
                                       true, 0);
        ck_assert_int_eq(o.end, ISA_END_COMPLETED);
        ck_assert_msg(o.stats.live_nodes == rows[i].live &&
                          o.stats.dead_nodes == rows[i].dead,
                      "%zu: %ju live, %ju dead", i, (uintmax_t)o.stats.live_nodes,
                      (uintmax_t)o.stats.dead_nodes);
        traces_stats_free(&o.stats);
        isa_graph_free(graph);
    }
    /* The copy has PARAM, > with its literal, and RESULT. */
    struct isa_graph *graph = test_read(decides);
    struct test_outcome o = run_on(graph,
                                   "executor.workers=1 executor.live.latency=0 "
                                   "executor.lock.latency=0 copy.latency=10 "
                                   "copy.node.latency=100",
                                   true, 0);
    ck_assert_uint_eq(o.stats.cycles, 10 + 100 * (1 + 2 + 1));
    traces_stats_free(&o.stats);
    isa_graph_free(graph);
}
END_TEST

/* The example of the page on workers, by the rules for nodes and for the lock: a CALL and its
 * literal, for a frame that is looked for and made; MERGE, two nodes; the multiplication; RETURN,
 * which reads, looks and frees; OUTPUT. Worker 0 takes all that it makes ready itself, or from the
 * queue. */
START_TEST(workers_take_their_time)
{
    const uint64_t call = path_of_site(root, 0);
    const uint64_t merge = 2 * 500 + 1000 + 2 * 1000, mul = merge + 2 * 1000;
    const uint64_t back = mul + 1000, out = back + 3 * 500 + 1000;
    const struct firing with_frames[] = {{0, root, 3, 0, 0},
                                         {3, call, 3, merge, 0},
                                         {4, call, 9, mul, 0},
                                         {1, call, 9, back, 0},
                                         {2, root, 9, out, 0}};
    /* APPLY and its literal, and a copy of three nodes. */
    const uint64_t param = 2 * 1000 + 1 + 3 * 1;
    const struct firing with_copies[] = {{0, root, 0, 0, 0},
                                         {2, call, 3, param, 0},
                                         {3, call, 9, param + 1000, 0},
                                         {4, call, 9, param + 2000, 0},
                                         {1, root, 9, param + 3000, 0}};
    for (int copies = 0; copies < 2; copies++) {
        struct isa_graph *graph = test_compile("result = square(3)\nsquare(x) = x * x\n",
                                               copies ? ISA_STAGE_EXPANDING
                                                      : ISA_STAGE_IMAGE);
        struct test_outcome o = run_on(graph, "executor.workers=2", false, 0);
        check_digests(&o.stats, copies ? with_copies : with_frames, 5);
        ck_assert_uint_eq(o.stats.cycles, copies ? param + 4000 : out + 1000);
        ck_assert_uint_eq(o.stats.lock_uses, copies ? 1 : 5);
        traces_stats_free(&o.stats);
        isa_graph_free(graph);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("model");
    tcase_add_test(tcase, the_example_has_its_digests);
    tcase_add_test(tcase, an_iteration_has_its_digests);
    tcase_add_test(tcase, the_seed_places_at_random);
    tcase_add_test(tcase, an_apply_has_an_instruction_per_token);
    tcase_add_test(tcase, kinds_have_an_order);
    tcase_add_test(tcase, the_state_has_its_bytes);
    tcase_add_loop_test(tcase, frames_have_their_slots, 0, sizeof slots / sizeof *slots);
    tcase_add_test(tcase, the_top_level_has_a_frame);
    tcase_add_test(tcase, dead_firings_are_those_of_the_table);
    tcase_add_test(tcase, an_apply_that_waits_may_be_an_activation);
    tcase_add_test(tcase, what_long_copies_send_comes_late);
    tcase_add_test(tcase, nodes_are_those_of_the_table);
    tcase_add_test(tcase, workers_take_their_time);
    return test_main("model", tcase);
}
