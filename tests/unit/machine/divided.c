/* Programs that are divided among machines: what they compute, and what goes from machine to
 * machine, which is known of chains and trees. */
#include "isa/check/check.h"
#include "isa/fire/interp.h"
#include "isa/format/image.h"
#include "isa/parts.h"
#include "programs/partition/partition.h"
#include "machine/checkpoint.h"
#include "machine/machine.h"
#include "tests/unit/examples.h"

/* --- a run ------------------------------------------------------------------------------- */

static struct isa_graph *divide_as(const struct isa_graph *image, bool schedules,
                                   enum programs_partition_by by, uint32_t machines,
                                   uint64_t seed, const char *map)
{
    struct lib_diags diags = {0};
    const struct lib_source source = {"map.yaml", map ? map : "", map ? strlen(map) : 0};
    const struct programs_partition_choice choice = {.by = by,
                                                     .machines = machines,
                                                     .seed = seed,
                                                     .map = &source,
                                                     .schedules = schedules};
    struct isa_graph *graph = programs_partition(image, &choice, &diags);
    ck_assert_msg(graph != NULL, "%s", diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
    return graph;
}

static struct isa_graph *divide(const struct isa_graph *image,
                                enum programs_partition_by by, uint32_t machines,
                                uint64_t seed, const char *map)
{
    return divide_as(image, false, by, machines, seed, map);
}

static struct traces_stats stats_of(const struct isa_graph *graph,
                                    const isa_value *inputs, const char *assignments)
{
    struct traces_stats stats;
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, assignments);
    struct isa_code *code = isa_code_make(graph, inputs, s.deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, &s, 3);
    while (machine_advance(m, 1000003))
        ;
    ck_assert_msg(machine_end(m) == ISA_END_COMPLETED, "%s", assignments);
    machine_measure(m, &stats);
    machine_free(m);
    isa_code_free(code);
    return stats;
}

/* --- examples ----------------------------------------------------------------------------- */

static void check_same(const struct traces_stats *divided,
                       const struct traces_stats *whole)
{
    ck_assert_uint_eq(divided->value_digest, whole->value_digest);
    ck_assert_uint_eq(divided->firings, whole->firings);
    ck_assert_uint_eq(divided->dead_firings, whole->dead_firings);
    ck_assert_uint_eq(divided->span, whole->span);
    ck_assert_uint_eq(divided->calls, whole->calls);
    ck_assert_uint_eq(divided->loop_iterations, whole->loop_iterations);
    ck_assert_uint_eq(divided->sends, divided->receives);
    ck_assert_uint_eq(divided->dead_sends, divided->dead_receives);
    ck_assert_uint_eq(divided->tokens, whole->tokens + divided->sends +
                                           divided->receives + divided->dead_sends +
                                           divided->dead_receives + divided->tag_tokens);
    ck_assert_uint_eq(divided->tag_sends, divided->tag_receives);
}

/* Releases that are messages are so many tokens more in the network, and the run ends when the
 * last one has come. */
static void check_told(const struct isa_graph *graph, const isa_value *inputs,
                       const char *machine, const struct traces_stats *divided,
                       const struct traces_stats *whole)
{
    char text[160];
    snprintf(text, sizeof text, "%s partition.releases=messages", machine);
    struct traces_stats told = stats_of(graph, inputs, text);
    check_same(&told, whole);
    ck_assert_uint_eq(told.network_tokens, divided->network_tokens + told.releases);
    ck_assert_uint_eq(told.local_tokens, divided->local_tokens);
    ck_assert_uint_ge(told.cycles, told.result_cycle);
    traces_stats_free(&told);
}

static void check_divided(const struct test_row *row, struct test_program *p)
{
    static const char *const machines[] = {
        "pe.count=6 network.topology=ideal",
        "pe.count=6 deadness=propagate network.topology=mesh",
        "pe.count=6 cluster.nodes=3 cluster.pes_per_node=2 network.topology=ring"};
    if (row->calls > 3000)
        return;
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct isa_graph *graph = divide(
            p->graph, seed ? PROGRAMS_PARTITION_RANDOM : PROGRAMS_PARTITION_FUNCTION, 3,
            seed, NULL);
        struct traces_stats divided = stats_of(graph, p->inputs, machines[seed]);
        struct traces_stats whole = stats_of(p->graph, p->inputs, machines[seed]);
        check_same(&divided, &whole);
        check_told(graph, p->inputs, machines[seed], &divided, &whole);
        ck_assert_uint_eq(whole.sends + whole.releases, 0);
        traces_stats_free(&divided);
        traces_stats_free(&whole);
        isa_graph_free(graph);
    }
}

START_TEST(examples_compute_the_same)
{
    test_each_example(check_divided);
}
END_TEST

/* Scheduled RECVs do the same as others, also between machines, except for messages about existing
 * tags; and no machine reports that an activation is over. */
static void check_scheduled(const struct test_row *row, struct test_program *p)
{
    static const char *const machines[] = {
        "pe.count=6 deadness=propagate network.topology=ideal",
        "pe.count=6 deadness=propagate network.topology=mesh"};
    if (row->calls > 1000)
        return;
    for (uint64_t seed = 0; seed < 2; seed++) {
        const enum programs_partition_by by = seed ? PROGRAMS_PARTITION_RANDOM
                                                   : PROGRAMS_PARTITION_FUNCTION;
        struct isa_graph *match = divide(p->graph, by, 3, seed, NULL);
        struct isa_graph *graph = divide_as(p->graph, true, by, 3, seed, NULL);
        struct traces_stats divided = stats_of(graph, p->inputs, machines[seed]);
        struct traces_stats by_match = stats_of(match, p->inputs, machines[seed]);
        struct traces_stats whole = stats_of(p->graph, p->inputs, machines[seed]);
        check_same(&divided, &whole);
        ck_assert_uint_eq(divided.sends, by_match.sends);
        ck_assert_uint_eq(divided.dead_sends, by_match.dead_sends);
        ck_assert_uint_eq(divided.releases, 0);
        ck_assert_uint_eq(by_match.tag_tokens, 0);
        traces_stats_free(&divided);
        traces_stats_free(&by_match);
        traces_stats_free(&whole);
        isa_graph_free(match);
        isa_graph_free(graph);
    }
}

START_TEST(scheduled_receives_change_no_value)
{
    test_each_example(check_scheduled);
}
END_TEST

/* --- graphs ------------------------------------------------------------------------------- */

/* Divided and joined again a graph is what it was, but for the order in its lists; its image
 * reads back. */
static void check_joined(const struct test_row *row, struct test_program *p)
{
    struct lib_diags diags = {0};
    struct isa_graph *graph = divide_as(p->graph, row->calls % 2,
                                        PROGRAMS_PARTITION_RANDOM, 4, 1, NULL);
    struct isa_graph *joined = isa_parts_join(graph);
    ck_assert(isa_check(joined, NULL, &diags));
    ck_assert_uint_eq(joined->node_count, p->graph->node_count);
    isa_graph_lower(joined);
    for (uint32_t i = 0; i < joined->node_count; i++) {
        const struct isa_node *a = &joined->nodes[i], *b = &p->graph->nodes[i];
        ck_assert_uint_eq(a->op, b->op);
        for (uint32_t o = 0; o < a->output_count; o++)
            ck_assert_uint_eq(a->outputs[o].count, b->outputs[o].count);
    }
    struct lib_text image = {0}, again = {0};
    isa_image_write(graph, &image);
    const struct lib_source source = {"image", image.bytes, image.length};
    struct isa_graph *read = isa_image_read(&source, &diags);
    ck_assert_msg(read != NULL, "%s", diags.count ? diags.items[0].text : "");
    isa_image_write(read, &again);
    ck_assert_uint_eq(again.length, image.length);
    ck_assert_mem_eq(again.bytes, image.bytes, image.length);
    lib_text_free(&image);
    lib_text_free(&again);
    isa_graph_free(read);
    isa_graph_free(joined);
    isa_graph_free(graph);
    lib_diags_free(&diags);
}

enum { PARTS = 4 };

/* The images of its machines are the program; two of one machine, or all but one, are none. */
static void check_parts(const struct test_row *row, struct test_program *p)
{
    (void)row;
    struct lib_diags diags = {0};
    struct isa_graph *graph = divide_as(p->graph, true, PROGRAMS_PARTITION_RANDOM, PARTS,
                                        2, NULL);
    struct lib_text images[PARTS] = {{0}}, whole = {0}, again = {0};
    struct lib_source sources[PARTS];
    const struct lib_source *all[PARTS];
    for (uint32_t m = 0; m < PARTS; m++) {
        isa_image_write_part(graph, m, &images[m]);
        sources[m] = (struct lib_source){"part", images[m].bytes, images[m].length};
        all[m] = &sources[m];
    }
    struct isa_graph *read = isa_image_read_parts(all, PARTS, &diags);
    ck_assert_msg(read != NULL, "%s", diags.count ? diags.items[0].text : "");
    isa_image_write(graph, &whole);
    isa_image_write(read, &again);
    ck_assert_uint_eq(again.length, whole.length);
    ck_assert_mem_eq(again.bytes, whole.bytes, whole.length);
    isa_graph_free(read);
    ck_assert(isa_image_read_parts(all, PARTS - 1, &diags) == NULL);
    ck_assert(isa_image_read(all[0], &diags) == NULL);
    all[1] = all[0];
    ck_assert(isa_image_read_parts(all, PARTS, &diags) == NULL);
    ck_assert_uint_eq(diags.errors, 3);
    for (uint32_t m = 0; m < PARTS; m++)
        lib_text_free(&images[m]);
    lib_text_free(&whole);
    lib_text_free(&again);
    lib_diags_free(&diags);
    isa_graph_free(graph);
}

START_TEST(images_of_machines_are_the_program)
{
    test_each_example(check_parts);
}
END_TEST

START_TEST(graphs_are_joined_again)
{
    test_each_example(check_joined);
}
END_TEST

/* --- what goes from machine to machine ------------------------------------------------ */

/* A program with a function `f` on machine 1, and all else on machine 0. */
struct known {
    const char *text;
    const char *map;
    bool propagate;
    uint64_t n; /* of which the numbers are a function */
    uint64_t sends, dead_sends, releases;
};

/* The counts follow from the rules in doc/model.md, "Machines":
 * - a chain of n calls of f, all on machine 1: its argument and its result cross once. Machine 1
 *   has a share of the first activation, [0], whose home is machine 0, and gives it back once. The
 *   homes of all others are machine 1 itself.
 * - `g` on machine 1 is called once in each of n calls of `f`: argument and result cross for each.
 *   Machine 1 has a share of each activation of g, with home 0, and gives each back.
 * - a tree: f calls itself twice until 0, so that 2^n - 1 calls multiply on machine 1.
 * - under `propagate` hiatons of the branch that is not taken cross, too: in a chain of n calls
 *   the last one has a dead argument for g, whose CALL notifies its RETURN on machine 0: nothing
 *   crosses. A node in place of g passes the hiaton on: one more, back and forth.
 * - a loop of n iterations whose body is on machine 1: each iteration sends one value there and
 *   back, and machine 1 gives back each of those it had a share of. Under `propagate` the last one
 *   sends a hiaton there and back. */
static const struct known known[] = {
    {"result = f(5)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n", "functions: {f: 1}",
     false, 5, 2, 0, 1},
    {"result = f(9)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n", "functions: {f: 1}",
     false, 9, 2, 0, 1},
    {"result = f(9)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n", "functions: {f: 1}",
     true, 9, 2, 0, 1},
    {"result = f(4)\nf(n) = if n == 0 then 0 else g(f(n - 1))\ng(x) = x * x\n",
     "functions: {g: 1}", false, 4, 2 * 4, 0, 4},
    {"result = f(7)\nf(n) = if n == 0 then 0 else g(f(n - 1))\ng(x) = x * x\n",
     "functions: {g: 1}", true, 7, 2 * 7, 0, 7},
    {"result = f(4)\nf(n) = if n == 0 then 1 else\n f(n - 1)\n * 3\n", "lines: {4: 1}",
     false, 4, 2 * 4, 0, 4},
    {"result = f(4)\nf(n) = if n == 0 then 1 else\n f(n - 1)\n * 3\n", "lines: {4: 1}",
     true, 4, 2 * 4, 2, 4 + 1},
    {"result = f(3)\nf(n) = if n == 0 then 1 else\n f(n - 1)\n * f(n - 1)\n",
     "lines: {4: 0}", false, 3, 0, 0, 0},
    {"result = f(3)\nf(n) = if n == 0 then 1 else (f(n - 1) + f(n - 1))\n * 3\n",
     "lines: {3: 1}", false, 3, 2 * 7, 0, 7},
    {"result = f(3)\nf(n) = if n == 0 then 1 else (f(n - 1) + f(n - 1))\n * 3\n",
     "lines: {3: 1}", true, 3, 2 * 7, 2 * 8, 7 + 8},
    {"result = loop x = 1\n while x < 100\n do x * 3\n return x\n", "lines: {3: 1}",
     false, 5, 2 * 5, 0, 5},
    {"result = loop x = 1\n while x < 100\n do x * 3\n return x\n", "lines: {3: 1}", true,
     5, 2 * 5, 2, 5 + 1},
};

START_TEST(messages_are_those_of_the_rules)
{
    const struct known *k = &known[_i];
    struct isa_graph *image = test_compile(k->text, ISA_STAGE_IMAGE);
    struct isa_graph *graph = divide(image, PROGRAMS_PARTITION_FILE, 2, 0, k->map);
    static const char *const networks[] = {"ideal", "crossbar", "mesh"};
    for (int i = 0; i < 6; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "pe.count=4 network.topology=%s deadness=%s partition.releases=%s",
                 networks[i % 3], k->propagate ? "propagate" : "suppress",
                 i < 3 ? "free" : "messages");
        struct traces_stats s = stats_of(graph, NULL, text);
        ck_assert_msg(
            s.sends == k->sends && s.dead_sends == k->dead_sends &&
                s.releases == k->releases,
            "%s, %s: %llu sends, %llu dead, %llu releases; expected %llu, %llu, "
            "%llu",
            k->text, text, (unsigned long long)s.sends, (unsigned long long)s.dead_sends,
            (unsigned long long)s.releases, (unsigned long long)k->sends,
            (unsigned long long)k->dead_sends, (unsigned long long)k->releases);
        traces_stats_free(&s);
    }
    isa_graph_free(graph);
    isa_graph_free(image);
}
END_TEST

/* A program whose RECVs are scheduled, and so many messages by which tags are followed, so many
 * tags that are. */
struct followed {
    const char *text, *map;
    uint32_t machines;
    uint64_t sends, dead_sends, tag_sends, tags_followed;
};

/* The counts follow from the rules in doc/model.md, "Tag tracking". A machine follows a tag by the
 * decisions of the function under whose tag it is made: each comes from the machine that makes the
 * predicate, once for each activation.
 * - A chain of n calls of f, all on machine 1: the first call happens anyway, and machine 1 makes
 *   the other tags itself.
 * - g on machine 1, called once in each of n calls of f: machine 1 follows f, whose decision comes
 *   for each of its n + 1 calls, and the n calls of g.
 * - One instruction of a chain of n calls, and of the last one, on machine 1: the n + 1 decisions,
 *   and tags, of f.
 * - The same for a tree of n inner calls, with n + 1 leaves: 2 n + 1.
 * - A loop of n iterations: n + 1 decisions for each machine that takes part, and as many tags.
 * - A decision on which no call or iteration depends is not sent: both branches are on machine 1,
 *   and each iteration sends a hiaton there and back beside the value; the last one sends two. */
static const struct followed followed[] = {
    {"result = f(9)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n", "functions: {f: 1}", 2,
     2, 0, 0, 1},
    {"result = f(4)\nf(n) = if n == 0 then 0 else g(f(n - 1))\ng(x) = x * x\n",
     "functions: {g: 1}", 2, 2 * 4, 0, 4 + 1, 4 + 1 + 4},
    {"result = f(7)\nf(n) = if n == 0 then 0 else g(f(n - 1))\ng(x) = x * x\n",
     "functions: {g: 1}", 2, 2 * 7, 0, 7 + 1, 7 + 1 + 7},
    {"result = f(4)\nf(n) = if n == 0 then 1 else\n f(n - 1)\n * 3\n", "lines: {4: 1}", 2,
     2 * 4, 2, 4 + 1, 4 + 1},
    {"result = f(9)\nf(n) = if n == 0 then 1 else\n f(n - 1)\n * 3\n", "lines: {4: 1}", 2,
     2 * 9, 2, 9 + 1, 9 + 1},
    {"result = f(3)\nf(n) = if n == 0 then 1 else (f(n - 1) + f(n - 1))\n * 3\n",
     "lines: {3: 1}", 2, 2 * 7, 2 * 8, 2 * 7 + 1, 2 * 7 + 1},
    {"result = f(5)\nf(n) = if n == 0 then 1 else (f(n - 1) + f(n - 1))\n * 3\n",
     "lines: {3: 1}", 2, 2 * 31, 2 * 32, 2 * 31 + 1, 2 * 31 + 1},
    {"result = loop x = 1\n while x < 100\n do x * 3\n return x\n", "lines: {3: 1}", 2,
     2 * 5, 2, 5 + 1, 5 + 1},
    {"result = loop x = 1\n while x < 100\n do (x\n * 3\n * 1\n * 1)\n return x\n",
     "lines: {4: 1, 5: 2, 6: 3}", 4, 4 * 5, 4, 3 * (5 + 1), 3 * (5 + 1)},
    {"result = loop x = 1\n while x < 100\n do if x < 50\n then x * 3 else x * 3\n "
     "return x\n",
     "lines: {4: 1}", 2, 2 * 5, 2 * 5 + 4, 5 + 1, 5 + 1},
};

START_TEST(machines_follow_tags_by_the_decisions_of_the_rules)
{
    const struct followed *k = &followed[_i];
    struct isa_graph *image = test_compile(k->text, ISA_STAGE_IMAGE);
    struct isa_graph *graph = divide_as(image, true, PROGRAMS_PARTITION_FILE, k->machines,
                                        0, k->map);
    static const char *const networks[] = {"ideal", "crossbar", "mesh"};
    for (int i = 0; i < 3; i++) {
        char text[128];
        snprintf(text, sizeof text, "pe.count=4 network.topology=%s deadness=propagate",
                 networks[i]);
        struct traces_stats s = stats_of(graph, NULL, text);
        ck_assert_msg(s.sends == k->sends && s.dead_sends == k->dead_sends &&
                          s.tag_sends == k->tag_sends &&
                          s.tags_followed == k->tags_followed && s.releases == 0,
                      "%s, %s: %llu sends, %llu dead, %llu of tags, %llu followed; "
                      "expected %llu, %llu, %llu, %llu",
                      k->text, text, (unsigned long long)s.sends,
                      (unsigned long long)s.dead_sends, (unsigned long long)s.tag_sends,
                      (unsigned long long)s.tags_followed, (unsigned long long)k->sends,
                      (unsigned long long)k->dead_sends, (unsigned long long)k->tag_sends,
                      (unsigned long long)k->tags_followed);
        traces_stats_free(&s);
    }
    isa_graph_free(graph);
    isa_graph_free(image);
}
END_TEST

/* Decisions that are immediates, for which no machine waits: of a literal and of an input, for a
 * loop and for a call. */
static const char *const immediate[] = {
    "f(d) = if if false then loop b = 0 while 0 > 0 do 0 return false else true then 1 "
    "else "
    "2\nresult = f(0.0)\n",
    "input deep = false\nresult = f(3) + f(4)\nf(n) = if deep then g(n) else n\n"
    "g(n) = if deep then loop i = n while i > 0 do i - 1 else n * n\n",
    "input deep = true\nresult = f(3) + f(4)\nf(n) = if deep then g(n) else n\n"
    "g(n) = if deep then loop i = n while i > 0 do i - 1 else n * n\n",
};

START_TEST(no_tag_is_made_again_where_an_immediate_decides)
{
    struct isa_graph *image = test_compile(immediate[_i], ISA_STAGE_IMAGE);
    struct traces_stats whole = stats_of(image, NULL, "deadness=propagate");
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct isa_graph *graph = divide_as(image, true, PROGRAMS_PARTITION_RANDOM,
                                            seed % 2 ? 64 : 3, seed, NULL);
        struct isa_code *code = isa_code_make(graph, NULL, true);
        const struct isa_interp_limits limits = {.memory = 1 << 24};
        struct isa_interp interp;
        isa_interp_run(&interp, code, &limits, true, NULL);
        ck_assert_int_eq(interp.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(interp.exec.tags.created, whole.calls);
        isa_interp_free(&interp);
        for (int network = 0; network < 2; network++) {
            struct traces_stats s = stats_of(graph, NULL,
                                             network ? "pe.count=64 deadness=propagate "
                                                       "network.topology=ring"
                                                     : "pe.count=64 deadness=propagate");
            check_same(&s, &whole);
            traces_stats_free(&s);
        }
        isa_code_free(code);
        isa_graph_free(graph);
    }
    traces_stats_free(&whole);
    isa_graph_free(image);
}
END_TEST

/* So many messages for identifiers, by the rules in doc/model.md, "Who keeps identifiers": with
 * tag managers of PEs, with one, and with pools. */
struct named {
    const char *text, *map;
    uint64_t interned, shared, pool, scheduled;
};

static const struct named named[] = {
    {"result = f(9)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n", "functions: {f: 1}",
     3 * 9, 3 * 9, 3, 3 * (9 + 1)},
    {"result = f(9, 1)\nf(n, x) = if n == 0 then 0 else f(n - 1, x) + 1\n",
     "functions: {f: 1}", 3 * 9, 5 * 9, 3, 3 * (9 + 1)},
    {"result = f(4)\nf(n) = if n == 0 then 0 else g(f(n - 1))\ng(x) = x * x\n",
     "functions: {g: 1}", 0, 0, 3 * 4, 3 * (4 + 1 + 4)},
    {"result = 1 + f(3)\nf(n) = loop x = n\n while x < 100\n do x * 3\n return x\n",
     "functions: {f: 1}", 3 * (4 + 1), 3 * (4 + 1), 3, 3 * (4 + 1 + 1)},
};

START_TEST(identifiers_are_asked_for_by_the_rules)
{
    const struct named *k = &named[_i];
    const struct {
        const char *scheme;
        uint64_t expected;
        bool schedules;
    } ways[] = {{"interned", k->interned, false},
                {"interned tag.intern.units=machine", k->shared, false},
                {"pool tag.pool=100", k->pool, false},
                {"path", 0, false},
                {"pool tag.pool=0", 0, false},
                {"interned deadness=propagate", k->scheduled, true}};
    struct isa_graph *image = test_compile(k->text, ISA_STAGE_IMAGE);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct isa_graph *graph = divide_as(image, ways[i].schedules,
                                            PROGRAMS_PARTITION_FILE, 2, 0, k->map);
        char text[128];
        snprintf(text, sizeof text, "pe.count=4 tag.scheme=%s", ways[i].scheme);
        struct traces_stats s = stats_of(graph, NULL, text);
        ck_assert_msg(s.identifier_messages == ways[i].expected,
                      "%s, %s: %llu messages, expected %llu", k->text, text,
                      (unsigned long long)s.identifier_messages,
                      (unsigned long long)ways[i].expected);
        traces_stats_free(&s);
        isa_graph_free(graph);
    }
    isa_graph_free(image);
}
END_TEST

static enum isa_end end_of(const struct isa_graph *graph, uint64_t pes, uint64_t capacity)
{
    struct machine_settings s;
    machine_settings_default(&s);
    s.pe_count = pes;
    s.match_store = MACHINE_MATCH_FRAMES;
    s.match_capacity = capacity;
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine *m = machine_new(code, &s, 3);
    while (machine_advance(m, 1000003))
        ;
    const enum isa_end end = machine_end(m);
    machine_free(m);
    isa_code_free(code);
    return end;
}

/* Six calls of f are alive at once. Each has a slot for its SWITCH on machine 1, and one for its
 * RETURN at the home of its site: machine 0 for the first call, machine 1 for the others. */
START_TEST(a_frame_has_a_part_on_each_machine)
{
    struct isa_graph *image = test_compile(
        "result = f(5)\nf(n) = if n == 0 then 0 else f(n - 1) + 1\n", ISA_STAGE_IMAGE);
    struct isa_graph *graph = divide(image, PROGRAMS_PARTITION_FILE, 2, 0,
                                     "functions: {f: 1}");
    ck_assert_int_eq(end_of(image, 1, 12), ISA_END_COMPLETED);
    ck_assert_int_eq(end_of(image, 1, 11), ISA_END_STORE_FULL);
    ck_assert_int_eq(end_of(graph, 2, 11), ISA_END_COMPLETED);
    ck_assert_int_eq(end_of(graph, 2, 10), ISA_END_STORE_FULL);
    isa_graph_free(graph);
    isa_graph_free(image);
}
END_TEST

/* A loop whose iterations end on the other machine, which stores what nobody waits for: they are
 * alive until their home has been told, over a long way. */
START_TEST(an_activation_lives_until_its_home_is_told)
{
    struct isa_graph *image = test_compile("a = [\n i * i * i * i * i\n"
                                           " | i <- 0 .. 5]\nresult = sum(a)\n",
                                           ISA_STAGE_IMAGE);
    struct isa_graph *graph = divide(image, PROGRAMS_PARTITION_FILE, 2, 0,
                                     "lines: {2: 1}");
    static const char *const machine =
        "pe.count=2 network.topology=ideal network.latency=101";
    char text[160];
    snprintf(text, sizeof text, "%s partition.releases=messages", machine);
    struct traces_stats a = stats_of(graph, NULL, machine);
    struct traces_stats b = stats_of(graph, NULL, text);
    ck_assert_uint_eq(a.value_digest, b.value_digest);
    ck_assert_uint_gt(b.releases, 0);
    ck_assert_uint_gt(b.peak_tags, a.peak_tags);
    ck_assert_uint_eq(b.network_bits > a.network_bits, 1);
    traces_stats_free(&a);
    traces_stats_free(&b);
    isa_graph_free(graph);
    isa_graph_free(image);
}
END_TEST

/* --- checkpoints ---------------------------------------------------------------------------- */

/* A run that is packed in the middle and goes on ends as one that is not. */
START_TEST(a_run_goes_on_from_a_checkpoint)
{
    struct isa_graph *image = test_compile(
        "result = f(7)\nf(n) = if n < 2 then n else f(n - 1) + f(n - 2)\n",
        ISA_STAGE_IMAGE);
    const bool schedules = _i % 2;
    struct isa_graph *graph = divide_as(image, schedules, PROGRAMS_PARTITION_RANDOM, 2,
                                        _i, NULL);
    struct isa_code *code = isa_code_make(graph, NULL, true);
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, _i % 2 ? "pe.count=4 deadness=propagate partition.releases=messages"
                            : "pe.count=4 deadness=propagate");
    struct machine *whole = machine_new(code, &s, 3), *first = machine_new(code, &s, 3);
    struct machine *second = machine_new(code, &s, 3);
    while (machine_advance(whole, 1000003))
        ;
    machine_advance_to(first, 100, UINT64_MAX / 2);
    struct lib_text packed = {0};
    struct lib_pack writer = lib_pack_writer(&packed);
    machine_checkpoint_pack(&writer, first);
    struct lib_pack reader = lib_pack_reader(packed.bytes, packed.length);
    machine_checkpoint_pack(&reader, second);
    ck_assert(!writer.failed && !reader.failed);
    while (machine_advance(second, 1000003))
        ;
    struct traces_stats a, b;
    machine_measure(whole, &a);
    machine_measure(second, &b);
    ck_assert_uint_eq(a.timing_digest, b.timing_digest);
    ck_assert_uint_eq(a.releases, b.releases);
    ck_assert_uint_eq(a.sends, b.sends);
    ck_assert_uint_eq(a.dead_sends, b.dead_sends);
    ck_assert_uint_eq(a.tag_tokens, b.tag_tokens);
    ck_assert_uint_eq(a.early_receives, b.early_receives);
    ck_assert_uint_gt(schedules ? a.tags_followed : a.releases, 0);
    traces_stats_free(&a);
    traces_stats_free(&b);
    lib_text_free(&packed);
    machine_free(whole);
    machine_free(first);
    machine_free(second);
    isa_code_free(code);
    isa_graph_free(graph);
    isa_graph_free(image);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("divided");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, examples_compute_the_same);
    tcase_add_test(tcase, scheduled_receives_change_no_value);
    tcase_add_loop_test(tcase, machines_follow_tags_by_the_decisions_of_the_rules, 0,
                        sizeof followed / sizeof *followed);
    tcase_add_loop_test(tcase, no_tag_is_made_again_where_an_immediate_decides, 0,
                        (int)(sizeof immediate / sizeof *immediate));
    tcase_add_loop_test(tcase, identifiers_are_asked_for_by_the_rules, 0,
                        sizeof named / sizeof *named);
    tcase_add_test(tcase, a_frame_has_a_part_on_each_machine);
    tcase_add_test(tcase, graphs_are_joined_again);
    tcase_add_test(tcase, images_of_machines_are_the_program);
    tcase_add_loop_test(tcase, messages_are_those_of_the_rules, 0,
                        sizeof known / sizeof *known);
    tcase_add_test(tcase, an_activation_lives_until_its_home_is_told);
    tcase_add_loop_test(tcase, a_run_goes_on_from_a_checkpoint, 0, 4);
    return test_main("divided", tcase);
}
