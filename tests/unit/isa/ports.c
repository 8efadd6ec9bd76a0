/* Ports: programs whose host feeds them, against the same programs with their values as an array
 * literal. */
#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "lib/hash.h"
#include "tests/unit/fed.h"

enum { PARTS_MAX = 2, FEEDS_MAX = 8 };

static struct lib_source test_source(const char *text)
{
    return (struct lib_source){"test", text, strlen(text)};
}

static uint64_t draw(uint64_t *seed, uint64_t below)
{
    return (*seed = lib_hash_mix(*seed + 1)) % below;
}

/* A program over `xs`. Each %s of its text is "port out " or nothing. */
struct ported {
    const char *type, *literal; /* of xs, and its values as an array */
    const char *text;
    uint32_t parts, feeds;
    isa_value values[FEEDS_MAX][PARTS_MAX];
};

#define HALF UINT64_C(0x3fe0000000000000) /* 0.5 */
#define THREE_HALVES UINT64_C(0x3ff8000000000000)

static const struct ported programs[] = {
    {"[int]",
     "[5, 6, 7]",
     "hs = [if i == 0 then x else hs[i - 1] + x | x <- xs at i]\n"
     "%sys = [2 * hs[i] | _ <- xs at i]\nresult = ys[1]\n",
     1,
     3,
     {{5}, {6}, {7}}},
    {"[real]",
     "[0.5, 1.5]",
     "f(w) = sum([w * w * x * x | x <- xs])\nresult = grad(f, 1.5)\n",
     1,
     2,
     {{HALF}, {THREE_HALVES}}},
    {"[real]",
     "[0.5, 1.5]",
     "f(w, a) = sum([w * x + a[i] | x <- xs at i])\n"
     "result = (grad(f, 1.5, [2.0, 3.0]), f(0.5, xs))\n",
     1,
     2,
     {{HALF}, {THREE_HALVES}}},
    {"[int]",
     "[2, 0, 1]",
     "result = loop k = 0, s = 0 while k < 3 do k + 1, s + sum([k * x + s | x <- xs])\n",
     1,
     3,
     {{2}, {0}, {1}}},
    {"[int]",
     "[2, 0, 1]",
     "result = f(xs, 2)\nf(a, n) = if n == 0 then [x | x <- a] else f([x + n | x <- a], "
     "n - 1)\n",
     1,
     3,
     {{2}, {0}, {1}}},
    {"[int]",
     "[2, 0, 1]",
     "result = f(2)\nf(n) = if n == 0 then [7 * x | x <- xs] else f(n - 1)\n",
     1,
     3,
     {{2}, {0}, {1}}},
    {"[int]",
     "[3, 0, 7]",
     "%sys = [if x > 2 then ys[i + 1] + 1 else x | x <- xs2 at i]\nxs2 = [3, 1]\n"
     "result = [if i < 2 then zs[i + 1] + x else x | x <- xs at i]\n"
     "zs = [2 * x | x <- xs]\n",
     1,
     3,
     {{3}, {0}, {7}}},
    {"[(int, bool)]",
     "[(4, true), (5, false), (6, true)]",
     "kept = [let (x, k) = p in if k then x else 0 | p <- xs]\n%sparts = xs\n"
     "result = (sum(kept), let (x, k) = xs[1] in (k, x))\n",
     2,
     3,
     {{4, 1}, {5, 0}, {6, 1}}},
    {"[int]", "[3, 1, 4]", "result = sum(xs)\n", 1, 3, {{3}, {1}, {4}}},
    {"[int]", "[]", "result = sum(xs)\n", 1, 0, {{0}}},
    {"[int]", "[3, 1, 4]", "result = [x * x | x <- xs]\n", 1, 3, {{3}, {1}, {4}}},
    {"[int]", "[]", "result = [x * x | x <- xs]\n", 1, 0, {{0}}},
    {"[int]",
     "[3, 1, 4]",
     "result = [10 * x + i | x <- xs at i]\n",
     1,
     3,
     {{3}, {1}, {4}}},
    {"[int]",
     "[5, 6, 7, 8]",
     "result = sums\nsums = [if i == 0 then x else sums[i - 1] + x | x <- xs at i]\n",
     1,
     4,
     {{5}, {6}, {7}, {8}}},
    {"[int]",
     "[5, 6, 7, 8]",
     "result = let s = [if i == 0 then x else s[i - 1] + x | x <- xs at i] in (s, "
     "length(s))\n",
     1,
     4,
     {{5}, {6}, {7}, {8}}},
    {"[int]",
     "[5, 6, 7, 8]",
     "result = [x | x <- [2 * x | x <- xs]]\n",
     1,
     4,
     {{5}, {6}, {7}, {8}}},
    {"[int]", "[2, 0, 1]", "result = xs[xs[0]] + xs[xs[1]]\n", 1, 3, {{2}, {0}, {1}}},
    {"[int]",
     "[2, 0, 1]",
     "result = f(1)\nf(k) = sum([k * x + length(xs) | x <- xs])\n",
     1,
     3,
     {{2}, {0}, {1}}},
    {"[int]",
     "[2, 0, 1]",
     "result = [[x * i + y | y <- xs at i] | x <- xs]\n",
     1,
     3,
     {{2}, {0}, {1}}},
    {"[(int, real)]",
     "[(1, 0.5), (2, 1.5)]",
     "result = [let (k, r) = p in real(k) * r | p <- xs]\n",
     2,
     2,
     {{1, HALF}, {2, THREE_HALVES}}},
    {"[(int, real)]",
     "[(1, 0.5), (2, 1.5)]",
     "%spairs = [let (k, r) = p in (r, k + 1) | p <- xs]\nresult = (length(xs), "
     "pairs[1])\n",
     2,
     2,
     {{1, HALF}, {2, THREE_HALVES}}},
    {"[bool]",
     "[true, false]",
     "%sys = [not x | x <- xs]\nresult = 1\n",
     1,
     2,
     {{1}, {0}}},
    {"[int]",
     "[1, 2, 3]",
     "%sys = [i * i | i <- 0 .. 3]\nresult = xs\n",
     1,
     3,
     {{1}, {2}, {3}}},
    {"[int]",
     "[1, 2, 3]",
     "%sys = xs\n%szs = ys\nresult = loop s = 0, i = 0 while i < 3 do s + xs[i], i + 1\n",
     1,
     3,
     {{1}, {2}, {3}}},
    {"[int]", "[1, 2, 3]", "result = 4\n", 1, 3, {{1}, {2}, {3}}},
    {"[int]",
     "[1, 2, 3]",
     "%sxs2 = [if x == 2 then sum([y | y <- xs]) else x | x <- xs]\nresult = 4\n",
     1,
     3,
     {{1}, {2}, {3}}},
};

static struct isa_graph *compile(const struct ported *p, bool is_port,
                                 enum isa_stage stage)
{
    const char *out = is_port ? "port out " : "";
    struct lib_text text = {0};
    lib_text_printf(&text, is_port ? "port in xs : %s\n" : "xs = %s\n",
                    is_port ? p->type : p->literal);
    for (const char *at = p->text; *at; at++)
        if (at[0] == '%' && at[1] == 's') {
            lib_text_puts(&text, out);
            at++;
        } else {
            lib_text_add(&text, at, 1);
        }
    struct isa_graph *graph = test_compile(text.bytes, stage);
    lib_text_free(&text);
    return graph;
}

static void feed(struct isa_interp *interp, const struct ported *p, uint32_t at)
{
    struct isa_port_value values[PARTS_MAX] = {{0}};
    for (uint32_t k = 0; k < p->parts; k++)
        values[k].value = p->values[at][k];
    ck_assert_int_eq(isa_interp_feed(interp, 0, values), ISA_FEED_DONE);
}

/* Everything is fed before the start, or when the program waits for it, or at random. */
enum { BEFORE, WHEN_WAITING, AT_RANDOM, SCHEDULES };

static void run_fed(struct isa_interp *interp, const struct ported *p, int schedule,
                    uint64_t seed)
{
    uint32_t fed = 0;
    bool closed = false;
    for (;;) {
        const bool all = schedule == BEFORE;
        const bool some = all || (schedule == AT_RANDOM && draw(&seed, 2));
        if (some || (!interp->stack.count && interp->end == ISA_END_WAITING)) {
            do {
                if (fed < p->feeds) {
                    feed(interp, p, fed++);
                } else if (!closed) {
                    ck_assert(isa_interp_close(interp, 0));
                    closed = true;
                }
            } while (all && !closed);
        }
        if (!isa_interp_advance(interp, 1 + draw(&seed, 20)) &&
            interp->end != ISA_END_WAITING)
            return;
        ck_assert(interp->stack.count || !closed);
    }
}

static char *result_of(const struct isa_exec *exec)
{
    struct lib_text text = {0};
    isa_exec_write_result(exec, &text);
    return text.bytes;
}

/* What a host takes from the ports out is what they are. */
static void take_all(const struct isa_exec *exec)
{
    const struct isa_graph *graph = exec->code->graph;
    for (uint32_t i = 0; i < graph->port_count; i++) {
        if (graph->ports[i].is_input)
            continue;
        const uint32_t part = isa_graph_result_parts(graph) + graph->ports[i].first;
        const uint64_t length =
            isa_structures_get(&exec->structures, exec->results[part])->length;
        ck_assert_uint_eq(isa_port_written(exec, i, 0), length);
        isa_value values[PARTS_MAX];
        for (uint64_t k = 0; k < length; k++)
            ck_assert(isa_port_get(exec, i, k, values));
        ck_assert(!isa_port_get(exec, i, length, values));
        ck_assert(isa_port_has_ended(exec, i, length));
        ck_assert(length == 0 || !isa_port_has_ended(exec, i, length - 1));
    }
}

START_TEST(fed_programs_equal_those_with_an_array)
{
    const struct ported *p = &programs[_i];
    struct isa_graph *plain = compile(p, false, ISA_STAGE_IMAGE);
    const struct test_outcome expected = test_interp(plain, NULL, false);
    ck_assert_int_eq(expected.end, ISA_END_COMPLETED);
    for (int stage = ISA_STAGE_IMAGE; stage <= ISA_STAGE_EXPANDING; stage++) {
        struct isa_graph *graph = compile(p, true, (enum isa_stage)stage);
        uint64_t digest = 0, firings = 0;
        for (int propagate = 0; propagate < 2; propagate++)
            for (int how = 0; how < 2 * SCHEDULES; how++)
                for (uint64_t seed = 0; seed < (how / 2 == AT_RANDOM ? 20 : 1); seed++) {
                    const bool measures = how % 2;
                    struct isa_code *code = isa_code_make(graph, NULL, propagate);
                    struct isa_interp interp;
                    isa_interp_start(&interp, code, &fed_limits, measures);
                    for (int again = 0; again < 2; again++) {
                        run_fed(&interp, p, how / 2, seed);
                        ck_assert_int_eq(interp.end, ISA_END_COMPLETED);
                        char *result = result_of(&interp.exec);
                        ck_assert_str_eq(result, expected.result);
                        free(result);
                        take_all(&interp.exec);
                        ck_assert_uint_le(interp.exec.structures.ports->feeds, p->feeds);
                        isa_exec_check_quiet(&interp.exec);
                        if (measures && !propagate) {
                            ck_assert(!digest ||
                                      digest == interp.exec.counts.value_digest);
                            ck_assert(!firings || firings == interp.exec.counts.firings);
                            digest = interp.exec.counts.value_digest;
                            firings = interp.exec.counts.firings;
                        }
                        isa_interp_reset(&interp, code);
                    }
                    isa_interp_free(&interp);
                    isa_code_free(code);
                }
        isa_graph_free(graph);
    }
    isa_graph_free(plain);
}
END_TEST

/* --- waiting, and what fails ------------------------------------------------------------------ */

START_TEST(elements_are_taken_while_it_runs)
{
    struct fed f;
    isa_value value;
    fed_start(&f,
              "port in xs : [int]\nport out ys = [if i == 0 then x else ys[i - 1] + x | "
              "x <- xs at i]\n"
              "result = length(ys)\n");
    const struct isa_exec *x = &f.interp.exec;
    ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
    ck_assert(isa_port_is_waiting(x, 0) && isa_port_is_waiting(x, 1));
    ck_assert_uint_eq(x->structures.ports->waiting, 2); /* MORE, and LENGTH */
    for (int64_t i = 0; i < 100; i++) {
        ck_assert(!isa_port_get(x, 1, (uint64_t)i, &value));
        ck_assert_int_eq(fed_int(&f, 0, i), ISA_FEED_DONE);
        ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
        ck_assert(isa_port_get(x, 1, (uint64_t)i, &value));
        ck_assert_int_eq(isa_value_int(value), i * (i + 1) / 2);
        ck_assert(!isa_port_has_ended(x, 1, (uint64_t)i + 1));
    }
    ck_assert(isa_interp_close(&f.interp, 0));
    ck_assert(isa_interp_close(&f.interp, 0)); /* nothing happens */
    ck_assert_int_eq(fed_int(&f, 0, 1), ISA_FEED_CLOSED);
    ck_assert_int_eq(fed_go_on(&f), ISA_END_COMPLETED);
    ck_assert(isa_port_has_ended(x, 1, 100));
    fed_end(&f);
}
END_TEST

START_TEST(a_completed_run_ignores_open_ports)
{
    struct fed f;
    fed_start(&f, "port in xs : [int]\nport out ys = [xs[1]]\nresult = xs[0]\n");
    ck_assert_int_eq(fed_int(&f, 0, 7), ISA_FEED_DONE);
    ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
    ck_assert(isa_port_is_waiting(&f.interp.exec, 0) &&
              !isa_port_is_waiting(&f.interp.exec, 1));
    ck_assert_int_eq(fed_int(&f, 0, 8), ISA_FEED_DONE);
    ck_assert_int_eq(fed_go_on(&f), ISA_END_COMPLETED);
    ck_assert(!isa_port_is_waiting(&f.interp.exec, 0));
    isa_exec_check_quiet(&f.interp.exec);
    fed_end(&f);
}
END_TEST

static const struct {
    const char *text;
    int feeds;
    const char *why;
} failures[] = {
    {"port in xs : [int]\nresult = xs[2]\n", 2,
     "index out of range (2, of 2 elements) in result, tag []"},
    /* the earliest waiter, not the one with the least index */
    {"port in xs : [int]\nresult = xs[xs[0]] + f(xs[0])\nf(i) = if i > 3 then xs[i + 1] "
     "else 0\n",
     1, NULL},
    {"port in xs : [int]\nresult = xs[0 - 1]\n", 0,
     "index out of range (-1, of 0 elements) in result, tag []"},
};

START_TEST(an_index_beyond_the_end_traps_at_the_close)
{
    struct fed f;
    struct lib_text why = {0};
    struct lib_pos pos;
    fed_start(&f, failures[_i].text);
    for (int i = 0; i < failures[_i].feeds; i++)
        ck_assert_int_eq(fed_int(&f, 0, 9), ISA_FEED_DONE);
    if (fed_go_on(&f) == ISA_END_WAITING)
        ck_assert(!isa_interp_close(&f.interp, 0));
    ck_assert_int_eq(f.interp.end, ISA_END_TRAPPED);
    isa_exec_write_trap(&f.interp.exec, &why, &pos);
    ck_assert_msg(!failures[_i].why || strcmp(why.bytes, failures[_i].why) == 0, "%s",
                  why.bytes);
    lib_text_free(&why);
    fed_end(&f);
}
END_TEST

START_TEST(more_of_a_negative_number_traps)
{
    struct fed f;
    struct lib_text why = {0};
    struct lib_pos pos;
    fed_read(&f, "hiaton assembly 1\nstage image\nfunction 0 result () -> (bool)\n"
                 "port in xs (int)\nin result\n  %p port.int array 0 -> %m.0\n"
                 "  %m more.int _, -1 -> %o.0\n  %o output.bool _, part 0\n");
    ck_assert_int_eq(fed_go_on(&f), ISA_END_TRAPPED);
    isa_exec_write_trap(&f.interp.exec, &why, &pos);
    ck_assert_str_eq(
        why.bytes, "index out of range (-1, of 0 elements): %m more.int of assembly line "
                   "7 in result, tag []");
    lib_text_free(&why);
    fed_end(&f);
}
END_TEST

START_TEST(what_is_never_written_is_a_deadlock)
{
    struct fed f;
    struct lib_text why = {0};
    fed_start(&f,
              "port in xs : [int]\nport out ys = [if x > 0 then x else ys[i] | x <- xs "
              "at i]\nresult = 1\n");
    fed_int(&f, 0, 1);
    fed_int(&f, 0, 0);
    ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
    ck_assert_uint_eq(isa_port_written(&f.interp.exec, 1, 0), 1);
    isa_interp_close(&f.interp, 0);
    ck_assert_int_eq(fed_go_on(&f), ISA_END_DEADLOCKED);
    isa_exec_write_waiting(&f.interp.exec, &why, 10);
    ck_assert_msg(
        strstr(why.bytes,
               "part 0 of port `ys`: element 1 of the array made at 2:15 is not written"),
        "%s", why.bytes);
    lib_text_free(&why);
    fed_end(&f);
}
END_TEST

START_TEST(waiting_is_told)
{
    struct fed f;
    struct lib_text why = {0};
    fed_start(&f, "port in xs : [int]\nresult = xs[4] + length(xs)\n");
    ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
    isa_exec_write_waiting(&f.interp.exec, &why, 10);
    ck_assert_msg(strstr(why.bytes, "element 4 of port `xs` has not come"), "%s",
                  why.bytes);
    ck_assert_msg(strstr(why.bytes, "port `xs` is not closed"), "%s", why.bytes);
    lib_text_free(&why);
    fed_end(&f);
}
END_TEST

/* --- memory --------------------------------------------------------------------------- */

START_TEST(a_feed_without_room_changes_nothing)
{
    struct fed f;
    fed_start(&f, "port in xs : [int]\nresult = sum(xs)\n");
    struct isa_structures *s = &f.interp.exec.structures;
    ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
    ck_assert_uint_eq(s->bytes, sizeof(struct isa_structure));
    s->limit_bytes = s->bytes + sizeof(struct isa_element);
    ck_assert_int_eq(fed_int(&f, 0, 5), ISA_FEED_DONE);
    ck_assert_int_eq(fed_int(&f, 0, 6), ISA_FEED_NO_ROOM);
    ck_assert_uint_eq(s->ports->feeds, 1);
    s->limit_bytes = UINT64_MAX;
    ck_assert_int_eq(fed_int(&f, 0, 7), ISA_FEED_DONE);
    ck_assert(isa_interp_close(&f.interp, 0));
    ck_assert_int_eq(fed_go_on(&f), ISA_END_COMPLETED);
    ck_assert_int_eq(isa_value_int(f.interp.exec.results[0]), 12);
    fed_end(&f);
}
END_TEST

START_TEST(tensors_are_fed)
{
    struct fed f;
    fed_start(&f,
              "port in xs : [(tensor(real, 1), int)]\nport out ys = [let (t, i) = x in "
              "(t * t, i) | x <- xs]\n"
              "result = reduce_sum(let (t, _) = ys[1] in t)\n");
    struct isa_structures *s = &f.interp.exec.structures;
    for (int64_t i = 0; i < 3; i++) {
        const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {2}};
        struct isa_tensor *tensor = isa_tensor_new(&s->tensors, &shape);
        tensor->reals[0] = (double)i;
        tensor->reals[1] = 3;
        isa_tensor_seal(tensor, true);
        const struct isa_port_value values[] = {{.tensor = tensor},
                                                {.value = isa_value_of_int(i)}};
        ck_assert_int_eq(isa_interp_feed(&f.interp, 0, values), ISA_FEED_DONE);
        if (i)
            fed_go_on(&f);
    }
    ck_assert(isa_interp_close(&f.interp, 0));
    ck_assert_int_eq(fed_go_on(&f), ISA_END_COMPLETED);
    char *result = result_of(&f.interp.exec);
    ck_assert_str_eq(result, "10.0");
    free(result);
    isa_exec_check_quiet(&f.interp.exec);
    fed_end(&f);
}
END_TEST

/* A program in assembly lets go of the arrays. */
START_TEST(what_nobody_holds_is_dropped)
{
    static const char text[] =
        "hiaton assembly 1\nstage image\nfunction 0 result () -> (int)\nport in xs "
        "(tensor real 1, int)\n"
        "in result\n  %p port.int array 1 -> %l.0\n  %q port.tensor array 0 -> %i.0\n"
        "  %i index.tensor _, 1 -> %f.0\n  %f fetch.tensor _ -> -\n"
        "  %l length.int _ -> %o.0\n  %o output.int _, part 0\n";
    struct fed f;
    fed_read(&f, text);
    struct isa_structures *s = &f.interp.exec.structures;
    uint64_t most = 0;
    for (int64_t i = 0; i < 5; i++) {
        fed_go_on(&f);
        const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {100}};
        struct isa_tensor *tensor = isa_tensor_new(&s->tensors, &shape);
        memset(tensor->data, 0, tensor->bytes);
        isa_tensor_seal(tensor, true);
        const struct isa_port_value values[] = {{.tensor = tensor},
                                                {.value = isa_value_of_int(i)}};
        ck_assert_int_eq(isa_interp_feed(&f.interp, 0, values), ISA_FEED_DONE);
        most = s->tensors.used > most ? s->tensors.used : most;
    }
    ck_assert_uint_lt(
        most, (uint64_t)3 * 800 +
                  1000); /* two are in the array, from the third on none is kept */
    ck_assert(isa_interp_close(&f.interp, 0));
    ck_assert_int_eq(fed_go_on(&f), ISA_END_COMPLETED);
    ck_assert_int_eq(isa_value_int(f.interp.exec.results[0]), 5);
    ck_assert_uint_eq(s->count, 0);
    ck_assert_uint_eq(s->bytes, 0);
    fed_end(&f);
}
END_TEST

START_TEST(graphs_with_ports_read_back)
{
    for (int stage = 0; stage < ISA_STAGE_PARTITIONED; stage++) {
        struct isa_graph *graph = test_compile(
            "port in xs : [(int, tensor(real, 2))]\n"
            "port out ys = [let (i, t) = x in (t, i) | x <- xs]\nresult = (1, 2)\n",
            (enum isa_stage)stage);
        struct lib_text text = {0}, again = {0}, image = {0}, image_again = {0};
        struct lib_diags diags = {0};
        isa_asm_write(graph, &text);
        const struct lib_source source = test_source(text.bytes);
        struct isa_graph *back = isa_asm_read(&source, &diags);
        ck_assert_msg(back != NULL, "%s", text.bytes);
        isa_asm_write(back, &again);
        ck_assert_str_eq(text.bytes, again.bytes);
        ck_assert_str_eq(back->shape, "(_, _)");
        if (isa_stage_is_executable(graph->stage)) {
            isa_image_write(graph, &image);
            const struct lib_source bytes = {
                .name = "image", .bytes = image.bytes, .length = image.length};
            struct isa_graph *read = isa_image_read(&bytes, &diags);
            ck_assert_ptr_nonnull(read);
            isa_image_write(read, &image_again);
            ck_assert(image.length == image_again.length);
            ck_assert(memcmp(image.bytes, image_again.bytes, image.length) == 0);
            isa_graph_free(read);
        }
        isa_graph_free(back);
        isa_graph_free(graph);
        lib_text_free(&text);
        lib_text_free(&again);
        lib_text_free(&image);
        lib_text_free(&image_again);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ports");
    tcase_add_loop_test(tcase, fed_programs_equal_those_with_an_array, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(tcase, elements_are_taken_while_it_runs);
    tcase_add_test(tcase, a_completed_run_ignores_open_ports);
    tcase_add_loop_test(tcase, an_index_beyond_the_end_traps_at_the_close, 0,
                        sizeof failures / sizeof *failures);
    tcase_add_test(tcase, more_of_a_negative_number_traps);
    tcase_add_test(tcase, what_is_never_written_is_a_deadlock);
    tcase_add_test(tcase, waiting_is_told);
    tcase_add_test(tcase, a_feed_without_room_changes_nothing);
    tcase_add_test(tcase, tensors_are_fed);
    tcase_add_test(tcase, what_nobody_holds_is_dropped);
    tcase_add_test(tcase, graphs_with_ports_read_back);
    return test_main("ports", tcase);
}
