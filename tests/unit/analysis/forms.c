/* The profile on `ideal`, and the traffic on a crossbar, of programs for which both follow from the
 * graph: when each instruction fires, and which tokens go between activations or elements.
 *
 * The FFT has only work and span (theory.c): which of its elements are read too early differs from
 * level to level, so no closed form of its widths is shorter than the run. */
#include "isa/tag_path.h"
#include "lib/file.h"
#include "tests/unit/analysis/found.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- profiles ------------------------------------------------------------------------- */

static uint64_t fire(struct widths *w, uint64_t times, uint64_t depth)
{
    ck_assert_uint_lt(depth, sizeof w->at / sizeof *w->at);
    w->at[depth] += times;
    w->count = later(w->count, depth + 1);
    return depth;
}

/* So many, one in each depth from `first` on. */
static void fire_each(struct widths *w, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        fire(w, 1, first + i);
}

/* A sum of n squares. */
static const char reduction[] = "input n = 8\n"
                                "result = sum([i * i | i <- 0 .. n - 1])\n";

/* STORE of an element: the loop goes round once in 5. */
static uint64_t square_at(uint64_t i)
{
    return 7 + 5 * i;
}

/* The call for the elements from `low` to before `high`, whose MERGEs of the bounds fire then:
 * returns when its MERGEIF does. */
static uint64_t sum_between(struct widths *w, uint64_t low, uint64_t high,
                            uint64_t of_low, uint64_t of_high)
{
    const uint64_t sub = later(of_low, of_high) + 1, middle = low + (high - low) / 2;
    fire_each(w, sub, 2); /* - and == */
    fire(w, 4, sub + 2);  /* SWITCHes */
    if (high - low == 1) {
        fire_each(w, sub + 3, 2); /* INDEX and FETCH, which waits for the element */
        return fire(w, 1, later(sub + 4, square_at(low)) + 1);
    }
    fire(w, 5, sub + 3); /* /, and CALLs that need no middle */
    fire(w, 2, sub + 4); /* +, a JOIN, */
    fire(w, 2, sub + 5); /* two CALLs of the middle, */
    fire(w, 2, sub + 6); /* JOINs behind them, */
    fire(w, 1, sub + 7); /* and the last */
    fire(w, 4, sub + 4); /* MERGEs of the callees */
    fire(w, 2, sub + 6);
    const uint64_t left = sum_between(w, low, middle, sub + 4, sub + 6);
    const uint64_t right = sum_between(w, middle, high, sub + 6, sub + 4);
    const uint64_t from_left = fire(w, 1, later(left, sub + 6) + 1);
    const uint64_t from_right = fire(w, 1, later(right, sub + 7) + 1);
    return fire(w, 1, fire(w, 1, later(from_left, from_right) + 1) + 1);
}

START_TEST(the_profile_of_a_reduction)
{
    for (uint64_t n = 8; n <= 256; n *= 2) {
        struct widths w = {0};
        fire_each(&w, 0, 4); /* const, -, extent, ALLOC */
        fire(&w, 1, 0);      /* ENTER */
        fire_each(&w, 3, 2); /* HOLDs */
        fire_each(&w, 4, 2); /* length, == */
        fire(&w, 4, 6);      /* SWITCHes */
        fire(&w, 3, 7);      /* CALLs */
        fire_each(&w, 8, 2); /* JOINs */
        fire(&w, 3, 8);      /* MERGEs of the callee */
        for (uint64_t i = 0; i <= n; i++) {
            fire(&w, 1,
                 i ? 3 + 5 * i : 1); /* MERGE; the first test waits for its constant */
            fire_each(&w, 4 + 5 * i, 2); /* <, SWITCH */
            if (i == n)
                break;
            fire(&w, 3, 6 + 5 * i);    /* *, INDEX, + */
            fire(&w, 2, square_at(i)); /* STORE, NEXT */
        }
        const uint64_t sum = sum_between(&w, 0, n, 8, 8);
        fire_each(&w, later(sum, 9) + 1, 3); /* RETURN, MERGEIF, output */
        check_widths(reduction, n, &w);
    }
}
END_TEST

/* A table in which each element needs two others. */
static const char wavefront[] =
    "input n = 8\n"
    "result = t[n][n]\n"
    "t = [row(i) | i <- 0 .. n]\n"
    "row(i) = [if i == 0 or j == 0 then 1\n"
    "          else t[i - 1][j] + t[i][j - 1] | j <- 0 .. n]\n";

enum { MOST = 32 };

/* When rows and elements are stored. */
struct stored {
    uint64_t row[MOST], element[MOST][MOST];
};

/* t[i][j] of an element inside: `at` is when the condition is known. */
static uint64_t fire_inside(struct widths *w, const struct stored *s, uint64_t i,
                            uint64_t j, uint64_t at)
{
    fire(w, 4, at + 2); /* READs, and - of both */
    fire(w, 2, at + 3); /* INDEX of t, and */
    fire(w, 2, at + 4); /* FETCH, of both rows */
    const uint64_t above = fire(w, 1, later(at + 4, s->row[i - 1]) + 1);
    const uint64_t beside = fire(w, 1, later(at + 4, s->row[i]) + 1);
    fire(w, 1, above + 1);
    fire(w, 1, beside + 1);
    return fire(w, 1,
                later(later(above + 1, s->element[i - 1][j]),
                      later(beside + 1, s->element[i][j - 1])) +
                    1);
}

/* An iteration of a row: `test` is when its < fires. */
static void fire_element(struct widths *w, struct stored *s, uint64_t i, uint64_t j,
                         uint64_t test)
{
    const uint64_t known = test + (i ? 5 : 4);
    const bool is_inside = i && j;
    fire(w, 3, test + 2);         /* == of the row, +, INDEX of its own element */
    fire(w, 3, test + 3);         /* NEXT, and SWITCHes by the row */
    fire(w, i ? 1 : 0, test + 4); /* == of the column */
    fire(w, 1, known);            /* MERGEIF of the `or` */
    fire(w, 4, known + 1);        /* SWITCHes by it */
    const uint64_t value = is_inside ? fire_inside(w, s, i, j, known) : known + 1;
    fire(w, 1, value + 1);
    s->element[i][j] = fire(w, 1, value + 2); /* STORE */
}

static void fire_row(struct widths *w, struct stored *s, uint64_t n, uint64_t i,
                     uint64_t merge)
{
    fire(w, 1, merge);
    fire(w, 3, merge + 1);             /* constants, and the HOLD of i */
    fire(w, 2, merge + 2);             /* extent, ENTER */
    fire(w, 2, merge + 3);             /* ALLOC, HOLD */
    fire(w, 2, merge + 4);             /* HOLD; RETURN in the caller */
    s->row[i] = fire(w, 1, merge + 5); /* STORE */
    for (uint64_t j = 0; j <= n + 1; j++) {
        const uint64_t test = merge + 4 + 5 * j;
        fire_each(w, test - 1, 2); /* MERGE, < */
        fire(w, 2, test + 1);      /* SWITCHes */
        if (j <= n)
            fire_element(w, s, i, j, test);
    }
}

START_TEST(the_profile_of_a_wavefront)
{
    for (uint64_t n = 1; n < 25; n += n < 4 ? 1 : 7) {
        struct widths w = {0};
        struct stored *s = lib_mem_new(sizeof *s);
        fire(&w, 3, 0);      /* READ, const, ENTER */
        fire(&w, 1, 1);      /* extent */
        fire(&w, 2, 2);      /* ALLOC, HOLD */
        fire(&w, 2, 3);      /* HOLD, WRITE */
        fire_each(&w, 4, 2); /* INDEX, FETCH of a row */
        for (uint64_t i = 0; i <= n + 1; i++) {
            fire(&w, 1,
                 i ? 2 + 5 * i : 1); /* MERGE; the first test waits for its constant */
            fire_each(&w, 3 + 5 * i, 2); /* <, SWITCH */
            if (i > n)
                break;
            fire(&w, 3, 5 + 5 * i); /* CALL, INDEX, + */
            fire(&w, 1, 6 + 5 * i); /* NEXT */
            fire_row(&w, s, n, i, 6 + 5 * i);
        }
        const uint64_t index = fire(&w, 1, later(5, s->row[n]) + 1);
        const uint64_t read = fire(&w, 1, index + 1);
        fire(&w, 1, later(read, s->element[n][n]) + 1); /* output */
        check_widths(wavefront, n, &w);
        lib_mem_free(s);
    }
}
END_TEST

/* --- traffic -------------------------------------------------------------------------- */

enum { PES = 8 };

struct traffic {
    uint64_t tokens[PES][PES];
};

/* The PE of an activation, by the hash of its tag. */
static uint32_t pe_of(uint64_t path)
{
    return (uint32_t)((path >> 32) * PES >> 32);
}

static void add_traffic(struct traffic *t, uint32_t from, uint32_t to, uint64_t tokens)
{
    if (from != to)
        t->tokens[from][to] += tokens;
}

/* A request to the PE of an element, and its answer; elements lie from the PE of their ALLOC on. */
static void store(struct traffic *t, uint32_t from, uint32_t alloc, uint64_t element)
{
    add_traffic(t, from, (uint32_t)((alloc + element) % PES), 1);
}

static void fetch(struct traffic *t, uint32_t from, uint32_t alloc, uint64_t element)
{
    store(t, from, alloc, element);
    add_traffic(t, (uint32_t)((alloc + element) % PES), from, 1);
}

static uint64_t iteration(uint64_t parent, uint32_t loop, uint64_t i)
{
    return isa_tag_iteration_path(isa_tag_path(parent, loop), i);
}

/* A variable goes into iteration 0, and from each to the next: `count` that do something, and one
 * more. */
static void go_round(struct traffic *t, uint64_t parent, uint32_t loop, uint64_t count)
{
    add_traffic(t, pe_of(parent), pe_of(iteration(parent, loop, 0)), 1);
    for (uint64_t i = 0; i < count; i++)
        add_traffic(t, pe_of(iteration(parent, loop, i)),
                    pe_of(iteration(parent, loop, i + 1)), 1);
}

/* Arguments, and a control token with each; and results. */
static uint64_t call(struct traffic *t, uint64_t caller, uint32_t site,
                     uint64_t arguments, uint64_t results)
{
    const uint64_t callee = isa_tag_path(caller, site);
    add_traffic(t, pe_of(caller), pe_of(callee), 2 * arguments);
    add_traffic(t, pe_of(callee), pe_of(caller), results);
    return callee;
}

static void check_traffic(const char *text, uint64_t n, const struct traffic *t)
{
    const char *what = text;
    struct test_program p;
    struct machine_settings settings;
    uint64_t found_tokens[PES][PES] = {0}, network = 0;
    test_set_preset(&settings, "default", "suppress");
    settings.pe_count = PES;
    struct found of = run_on(text, n, &settings, &p), *found = &of;
    const struct lib_table *matrix = TABLE(traffic, "matrix");
    for (size_t r = 0; r < lib_table_rows(matrix); r++)
        found_tokens[cell(matrix, r, "from")][cell(matrix, r, "to")] = cell(matrix, r,
                                                                            "tokens");
    for (size_t from = 0; from < PES; from++)
        for (size_t to = 0; to < PES; to++) {
            if (from == to)
                continue;
            ck_assert_msg(found_tokens[from][to] == t->tokens[from][to],
                          "%s with %ju: from %zu to %zu are %ju, not %ju", text,
                          (uintmax_t)n, from, to, (uintmax_t)found_tokens[from][to],
                          (uintmax_t)t->tokens[from][to]);
            network += t->tokens[from][to];
        }
    SAME(WHOLE(traffic, "network_tokens"), network);
    SAME(WHOLE(links, "passed"), 2 * network);
    ck_assert_uint_gt(network, 0);
    release(&of);
    test_program_free(&p);
}

/* `loop` makes an array of n elements. */
static void map(struct traffic *t, uint32_t loop, uint64_t n)
{
    go_round(t, ISA_ROOT_PATH, loop, n);
    for (uint64_t i = 0; i < n; i++)
        store(t, pe_of(iteration(ISA_ROOT_PATH, loop, i)), pe_of(ISA_ROOT_PATH), i);
}

START_TEST(the_traffic_of_a_map)
{
    static const char text[] = "input n = 8\n"
                               "result = t[n - 1]\n"
                               "t = [i * i + 1 | i <- 0 .. n - 1]\n";
    for (uint64_t n = 1; n < 200; n = 2 * n + 1) {
        struct traffic t = {0};
        map(&t, 0, n);
        fetch(&t, pe_of(ISA_ROOT_PATH), pe_of(ISA_ROOT_PATH), n - 1);
        check_traffic(text, n, &t);
    }
}
END_TEST

/* Calls of which the two in each are sites 0 and 1. */
static void sum_up(struct traffic *t, uint64_t caller, uint32_t site, uint64_t low,
                   uint64_t high)
{
    const uint64_t path = call(t, caller, site, 3, 1), middle = low + (high - low) / 2;
    if (high - low == 1) {
        fetch(t, pe_of(path), pe_of(ISA_ROOT_PATH), low);
        return;
    }
    sum_up(t, path, 0, low, middle);
    sum_up(t, path, 1, middle, high);
}

START_TEST(the_traffic_of_a_reduction)
{
    for (uint64_t n = 1; n < 200; n = 2 * n + 1) {
        struct traffic t = {0};
        map(&t, 2, n);
        sum_up(&t, ISA_ROOT_PATH, 3, 0, n);
        check_traffic(reduction, n, &t);
    }
}
END_TEST

static uint64_t row_path(uint64_t i)
{
    return isa_tag_path(iteration(ISA_ROOT_PATH, 0, i), 1);
}

static void send_element(struct traffic *t, uint64_t i, uint64_t j)
{
    const uint32_t pe = pe_of(iteration(row_path(i), 2, j));
    const uint32_t row = pe_of(row_path(i)), root = pe_of(ISA_ROOT_PATH);
    store(t, pe, row, j);
    if (i == 0 || j == 0)
        return;
    fetch(t, pe, root, i - 1);
    fetch(t, pe, pe_of(row_path(i - 1)), j);
    fetch(t, pe, root, i);
    fetch(t, pe, row, j - 1);
}

START_TEST(the_traffic_of_a_wavefront)
{
    const uint32_t root = pe_of(ISA_ROOT_PATH);
    for (uint64_t n = 1; n < 20; n += 3) {
        struct traffic t = {0};
        go_round(&t, ISA_ROOT_PATH, 0, n + 1);
        for (uint64_t i = 0; i <= n; i++) {
            const uint64_t path = iteration(ISA_ROOT_PATH, 0, i);
            call(&t, path, 1, 1, 1);
            store(&t, pe_of(path), root, i);
            go_round(&t, row_path(i), 2, n + 1);
            for (uint64_t j = 0; j <= n; j++)
                send_element(&t, i, j);
        }
        fetch(&t, root, root, n);
        fetch(&t, root, pe_of(row_path(n)), n);
        check_traffic(wavefront, n, &t);
    }
}
END_TEST

/* Complex numbers are two arrays. */
static void fetch_complex(struct traffic *t, uint32_t from, uint32_t alloc,
                          uint64_t element)
{
    fetch(t, from, alloc, element);
    fetch(t, from, alloc, element);
}

static void store_complex(struct traffic *t, uint32_t from, uint32_t alloc,
                          uint64_t element)
{
    store(t, from, alloc, element);
    store(t, from, alloc, element);
}

/* The even points of `count`, or the odd ones, go into arrays of the call. */
static void pick(struct traffic *t, uint64_t path, uint32_t loop, uint32_t points,
                 uint64_t count, uint64_t odd)
{
    go_round(t, path, loop, count / 2);
    for (uint64_t i = 0; i < count / 2; i++) {
        const uint32_t pe = pe_of(iteration(path, loop, i));
        fetch_complex(t, pe, points, 2 * i + odd);
        store_complex(t, pe, pe_of(path), i);
    }
}

/* Both halves of what is combined in a call read the same elements; returns where it is. */
static uint32_t combine(struct traffic *t, uint64_t path, uint32_t even, uint32_t odd,
                        uint64_t count)
{
    enum { LOOP = 7, TURNED = 8, PLUS = 9, AGAIN = 2, TIMES = 12 };
    go_round(t, path, LOOP, count);
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t at = iteration(path, LOOP, k);
        const uint32_t second = 2 * k < count ? 0 : AGAIN;
        fetch_complex(t, pe_of(at), even, k % (count / 2));
        fetch_complex(t, pe_of(at), odd, k % (count / 2));
        call(t, call(t, at, TURNED + second, 4, 2), TIMES, 4, 2);
        call(t, at, PLUS + second, 4, 2);
        store_complex(t, pe_of(at), pe_of(path), k);
    }
    return pe_of(path);
}

/* The call that transforms points whose arrays are from a PE on; returns where those of its
 * result are. */
static uint32_t transform(struct traffic *t, uint64_t caller, uint32_t site,
                          uint32_t points, uint64_t count)
{
    const uint64_t path = call(t, caller, site, 2, 2);
    if (count == 1)
        return points;
    pick(t, path, 2, points, count, 0);
    pick(t, path, 4, points, count, 1);
    const uint32_t even = transform(t, path, 3, pe_of(path), count / 2);
    const uint32_t odd = transform(t, path, 5, pe_of(path), count / 2);
    return combine(t, call(t, path, 6, 5, 2), even, odd, count);
}

START_TEST(the_traffic_of_a_transform)
{
    char path[512];
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    const uint32_t root = pe_of(ISA_ROOT_PATH);
    snprintf(path, sizeof path, "%s/programs/examples/fft.df", test_source_directory());
    const struct lib_source *fft = lib_file_read(arena, path, &diags);
    ck_assert_ptr_nonnull(fft);
    for (uint64_t n = 1; n <= 64; n *= 2) {
        struct traffic t = {0};
        go_round(&t, ISA_ROOT_PATH, 0, n);
        for (uint64_t i = 0; i < n; i++)
            store_complex(&t, pe_of(iteration(ISA_ROOT_PATH, 0, i)), root, i);
        transform(&t, ISA_ROOT_PATH, 1, root, n);
        check_traffic(fft->bytes, n, &t);
    }
    lib_arena_free(arena);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("forms");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, the_profile_of_a_reduction);
    tcase_add_test(tcase, the_profile_of_a_wavefront);
    tcase_add_test(tcase, the_traffic_of_a_map);
    tcase_add_test(tcase, the_traffic_of_a_reduction);
    tcase_add_test(tcase, the_traffic_of_a_wavefront);
    tcase_add_test(tcase, the_traffic_of_a_transform);
    return test_main("forms", tcase);
}
