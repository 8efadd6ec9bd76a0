/* Series over time and parallelism profiles: by themselves, against a plain account of
 * the same run, and the identities of doc/metrics.md on machines. */
#include "lib/hash.h"
#include "tests/unit/support.h"

/* --- series ----------------------------------------------------------------------------- */

/* A made-up run: at some cycles something happens, in between nothing. */
enum { RUN_MAX = 6000 };

struct made_up {
    uint64_t cycles; /* until the end */
    struct traces_sample
        after[RUN_MAX];    /* after[t]: at the time t; sums since the start */
    bool happens[RUN_MAX]; /* something, in that cycle */
};

/* Cycles at which something happens are up to `gap` apart. */
static void make_up(struct made_up *run, uint64_t seed, uint64_t cycles, uint64_t gap)
{
    struct traces_sample now = {.tags = 1};
    uint64_t next = 0;
    run->cycles = cycles;
    run->after[0] = now;
    for (uint64_t c = 0; c < cycles; c++) {
        uint64_t draw = lib_hash_mix(seed << 32 | c);
        run->happens[c] = c == next;
        if (c == next) {
            next += 1 + draw % gap;
            now.firings += draw >> 8 & 15;
            now.dead_firings += draw >> 16 & 3;
            now.busy = now.firings + now.dead_firings;
            now.live_tokens = draw >> 24 & 255;
            now.waiting = draw >> 32 & 63;
            now.tags = 1 + (draw >> 40 & 31);
        }
        now.cycle = c + 1;
        run->after[c + 1] = now;
    }
}

/* As a machine does it: a cycle that is skipped is never told of. */
static void play(const struct made_up *run, struct traces_series *series,
                 uint64_t interval)
{
    traces_series_start(series, interval);
    for (uint64_t c = 0; c < run->cycles; c++)
        if (run->happens[c] && c >= series->next) {
            struct traces_sample now = run->after[c];
            traces_series_take(series, &now);
        }
    traces_series_end(series, &run->after[run->cycles]);
}

static void check_row(const struct made_up *run, const struct traces_sample *row,
                      uint64_t from, uint64_t to)
{
    const struct traces_sample *a = &run->after[from], *b = &run->after[to];
    ck_assert_uint_eq(row->cycle, to);
    ck_assert_uint_eq(row->firings, b->firings - a->firings);
    ck_assert_uint_eq(row->dead_firings, b->dead_firings - a->dead_firings);
    ck_assert_uint_eq(row->busy, b->busy - a->busy);
    ck_assert_uint_eq(row->live_tokens, b->live_tokens);
    ck_assert_uint_eq(row->waiting, b->waiting);
    ck_assert_uint_eq(row->tags, b->tags);
}

static void check_rows(const struct made_up *run, const struct traces_series *series)
{
    uint64_t time = 0;
    for (size_t i = 0; i < series->rows.count; i++) {
        uint64_t to = time + series->interval;
        if (to > run->cycles)
            to = run->cycles;
        struct traces_sample row = traces_series_row(series, i);
        check_row(run, &row, time, to);
        time = to;
    }
    ck_assert_uint_eq(time, run->cycles);
}

static struct made_up run; /* too large for a stack */

START_TEST(rows_are_what_happened_in_between)
{
    static const uint64_t apart[] = {1, 2, 3, 7, 64, 999, 6000, 1u << 31};
    static const uint64_t gaps[] = {1, 2, 10, 700};
    for (uint64_t seed = 0; seed < (test_is_quick() ? 10 : 40); seed++) {
        make_up(&run, seed, 1 + lib_hash_mix(seed) % (RUN_MAX - 1), gaps[seed % 4]);
        for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
            struct traces_series series;
            play(&run, &series, apart[i]);
            ck_assert_uint_eq(series.interval, apart[i]);
            check_rows(&run, &series);
            traces_series_free(&series);
        }
    }
}
END_TEST

START_TEST(an_interval_is_chosen)
{
    static const uint64_t lengths[] = {1,    2,    499,  500,  999,  1000, 1001,
                                       1999, 2000, 2001, 3999, 4000, 4001, 5999};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint64_t gap = 1; gap < 4000; gap = 9 * gap + 1) {
            struct traces_series chosen, given;
            make_up(&run, i, lengths[i], gap);
            play(&run, &chosen, 0);
            check_rows(&run, &chosen);
            ck_assert_uint_le(chosen.rows.count, TRACES_SERIES_MAX);
            if (lengths[i] >= TRACES_SERIES_MAX / 2)
                ck_assert_uint_ge(chosen.rows.count, TRACES_SERIES_MAX / 2);
            else
                ck_assert_uint_eq(chosen.interval, 1);
            play(&run, &given, chosen.interval);
            ck_assert_uint_eq(given.rows.count, chosen.rows.count);
            ck_assert_mem_eq(given.rows.items, chosen.rows.items,
                             given.rows.count * sizeof *given.rows.items);
            traces_series_free(&chosen);
            traces_series_free(&given);
        }
}
END_TEST

START_TEST(nothing_may_happen_for_very_long)
{
    struct traces_series series;
    struct traces_sample now = {.cycle = UINT64_C(1) << 40, .firings = 5, .tags = 2};
    traces_series_start(&series, 0);
    traces_series_take(&series, &now);
    now.cycle += 12345;
    now.firings = 6;
    traces_series_end(&series, &now);
    ck_assert_uint_le(series.rows.count, TRACES_SERIES_MAX);
    ck_assert_uint_ge(series.rows.count, TRACES_SERIES_MAX / 2);
    ck_assert_uint_eq(traces_series_row(&series, 0).firings, 5);
    ck_assert_uint_eq(traces_series_row(&series, 1).firings, 0);
    ck_assert_uint_eq(traces_series_row(&series, 1).tags, 2);
    ck_assert_uint_eq(traces_series_row(&series, series.rows.count - 1).firings, 1);
    traces_series_free(&series);

    traces_series_start(&series, UINT64_MAX - 5);
    now.cycle = UINT64_MAX - 1;
    traces_series_take(&series, &now);
    ck_assert_uint_eq(series.next, UINT64_MAX); /* the one after that is beyond time */
    traces_series_end(&series, &now);
    ck_assert_uint_eq(series.rows.count, 2);
    traces_series_free(&series);
}
END_TEST

/* A run of many cycles, in some of which, up to `apart`, something happens; with this
 * interval. */
static void play_long(struct traces_series *series, uint64_t interval, uint64_t cycles,
                      uint64_t apart)
{
    struct traces_sample now = {.tags = 1};
    traces_series_start(series, interval);
    while (now.cycle < cycles) {
        const uint64_t draw = lib_hash_mix(now.cycle);
        if (now.cycle >= series->next)
            traces_series_take(series, &now);
        now.firings += draw % 100;
        now.busy = now.firings;
        now.waiting = draw >> 32;
        now.cycle += 1 + (draw >> 16) % apart;
    }
    traces_series_end(series, &now);
}

/* Beyond the bound rows are those that an interval of a power of two as long gives. */
START_TEST(too_many_rows_are_merged)
{
    for (uint64_t given = 1; given < 1000; given = 10 * given - 3)
        for (unsigned shift = 0; shift < (test_is_quick() ? 2 : 4); shift++) {
            struct traces_series thinned, wide;
            const uint64_t cycles = (given * TRACES_SERIES_BOUND / 2 * 3) << shift;
            play_long(&thinned, given, cycles, 100 * given);
            ck_assert(traces_series_is_thinned(&thinned));
            ck_assert_uint_eq(thinned.interval, given << (shift + 1));
            ck_assert_uint_le(thinned.rows.count, TRACES_SERIES_BOUND);
            ck_assert_uint_ge(thinned.rows.count, TRACES_SERIES_BOUND / 2);
            play_long(&wide, thinned.interval, cycles, 100 * given);
            ck_assert(!traces_series_is_thinned(&wide));
            ck_assert_uint_eq(wide.rows.count, thinned.rows.count);
            ck_assert_mem_eq(wide.rows.items, thinned.rows.items,
                             wide.rows.count * sizeof *wide.rows.items);
            traces_series_free(&thinned);
            traces_series_free(&wide);
        }
}
END_TEST

/* A run that stops within the cycle whose number is the time of its end. */
START_TEST(the_last_row_is_the_end)
{
    struct traces_series series;
    struct traces_sample now = {.cycle = 10, .firings = 3, .waiting = 1};
    traces_series_start(&series, 10);
    traces_series_take(&series, &now);
    now.firings = 4;
    now.waiting = 0;
    traces_series_end(&series, &now);
    ck_assert_uint_eq(series.rows.count, 1);
    ck_assert_uint_eq(traces_series_row(&series, 0).firings, 4);
    ck_assert_uint_eq(traces_series_row(&series, 0).waiting, 0);
    traces_series_free(&series);

    traces_series_start(&series, 0); /* at once */
    traces_series_end(&series, &(struct traces_sample){.tags = 1});
    ck_assert_uint_eq(series.rows.count, 1);
    ck_assert_uint_eq(traces_series_row(&series, 0).cycle, 0);
    traces_series_free(&series);
}
END_TEST

/* --- histograms ------------------------------------------------------------------------- */

/* All ranges of a histogram: next to each other, of equal width but the last, and their
 * sum. */
static uint64_t check_ranges(const struct traces_histogram *h, size_t most)
{
    size_t count = traces_histogram_ranges(h, most);
    uint64_t width = count ? traces_histogram_range(h, most, 0).width : 0;
    uint64_t place = 0, sum = 0;
    ck_assert_uint_le(count, most);
    for (size_t i = 0; i < count; i++) {
        struct traces_range range = traces_histogram_range(h, most, i);
        ck_assert_uint_eq(range.from, place);
        ck_assert(range.width == width || (i == count - 1 && range.width < width));
        place += range.width;
        sum += range.firings;
    }
    ck_assert_uint_eq(place, h->length);
    return sum;
}

START_TEST(bins_are_joined)
{
    static uint64_t plain[5 * TRACES_PROFILE_BINS];
    for (uint64_t seed = 1; seed <= (test_is_quick() ? 15 : 60); seed++) {
        struct traces_profile p;
        const uint64_t length = seed * TRACES_PROFILE_BINS / 12 - seed % 3;
        uint64_t greatest = 0;
        memset(plain, 0, sizeof plain);
        traces_profile_start(&p);
        for (uint64_t i = 0; i < 20000; i++) {
            /* At any place, early or late, and from the first to the last. */
            uint64_t at = lib_hash_mix(seed << 32 | i) % length;
            traces_profile_fired(&p, at, at + 1);
            plain[at]++;
            greatest = at > greatest ? at : greatest;
        }
        traces_profile_end(&p, length, greatest + 1);
        ck_assert_uint_eq(p.actual.length, length);
        ck_assert_uint_eq(p.ideal.length, greatest + 1);
        for (size_t i = 0; i < TRACES_PROFILE_BINS; i++) {
            uint64_t sum = 0;
            for (uint64_t k = i << p.actual.shift; k < (i + 1) << p.actual.shift; k++)
                sum += k < length ? plain[k] : 0;
            ck_assert_uint_eq(p.actual.bins[i], sum);
        }
        if (p.actual.shift > 0) /* not wider than must be */
            ck_assert_uint_ge((length - 1) >> p.actual.shift, TRACES_PROFILE_BINS / 2);
        for (size_t most = 1; most <= TRACES_PROFILE_BINS; most = 3 * most + 1) {
            ck_assert_uint_eq(check_ranges(&p.actual, most), 20000);
            ck_assert_uint_eq(check_ranges(&p.ideal, most), 20000);
        }
        ck_assert(traces_histogram_greatest(&p.actual, 40) >=
                  traces_histogram_mean(&p.actual));
        traces_profile_free(&p);
    }
}
END_TEST

START_TEST(profiles_at_the_ends)
{
    struct traces_profile p;
    traces_profile_start(&p); /* nothing fired */
    traces_profile_end(&p, 0, 0);
    ck_assert_uint_eq(traces_histogram_ranges(&p.actual, 40), 0);
    ck_assert(traces_histogram_mean(&p.actual) == 0);
    ck_assert(traces_histogram_greatest(&p.actual, 40) == 0);
    traces_profile_free(&p);

    traces_profile_start(&p); /* first one, then one after ages */
    traces_profile_fired(&p, 0, 1);
    traces_profile_fired(&p, UINT64_C(1) << 60, UINT64_C(1) << 39);
    traces_profile_end(&p, (UINT64_C(1) << 60) + 5, UINT64_C(1) << 39);
    ck_assert_uint_eq(p.actual.shift, 49);
    ck_assert_uint_eq(p.ideal.shift, 27);
    for (size_t most = 1; most <= TRACES_PROFILE_BINS; most *= 4) {
        ck_assert_uint_eq(check_ranges(&p.actual, most), 2);
        ck_assert_uint_eq(check_ranges(&p.ideal, most), 2);
    }
    traces_profile_free(&p);
}
END_TEST

/* --- machines --------------------------------------------------------------------------- */

/* A run that was observed. */
struct observed {
    struct traces_stats stats;
    struct traces_series series;
    struct traces_profile profile;
};

static struct observed observe(const struct test_program *p,
                               const struct machine_settings *settings, uint64_t slice)
{
    struct observed o;
    struct isa_code *code = isa_code_make(p->graph, p->inputs,
                                          settings->deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, settings, 7);
    traces_series_start(&o.series, settings->stats_interval);
    traces_profile_start(&o.profile);
    machine_observe_start(m, &o.series, &o.profile);
    while (machine_advance(m, slice))
        ;
    machine_observe_end(m);
    machine_measure(m, &o.stats);
    ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
    machine_free(m);
    isa_code_free(code);
    return o;
}

static void observed_free(struct observed *o)
{
    traces_stats_free(&o->stats);
    traces_series_free(&o->series);
    traces_profile_free(&o->profile);
}

static void keep_greatest(uint64_t *greatest, uint64_t value)
{
    if (value > *greatest)
        *greatest = value;
}

static void check_series(const struct observed *o)
{
    const struct traces_stats *s = &o->stats;
    struct traces_sample sum = {0}, most = {0}, row = {0};
    uint64_t waiting = 0;
    for (size_t i = 0; i < o->series.rows.count; i++) {
        uint64_t before = row.cycle;
        row = traces_series_row(&o->series, i);
        if (i + 1 < o->series.rows.count)
            ck_assert_uint_eq(row.cycle, before + o->series.interval);
        ck_assert(row.cycle > before && row.cycle - before <= o->series.interval);
        sum.firings += row.firings;
        sum.dead_firings += row.dead_firings;
        sum.busy += row.busy;
        sum.link_busy += row.link_busy;
        sum.greatest_link_busy += row.greatest_link_busy;
        waiting += row.waiting;
        keep_greatest(&most.live_tokens, row.live_tokens);
        keep_greatest(&most.waiting, row.waiting);
        keep_greatest(&most.tags, row.tags);
    }
    ck_assert_uint_eq(row.cycle, s->cycles);
    ck_assert(row.live_tokens == 0 && row.waiting == 0 && row.tags == 1);
    ck_assert_uint_eq(sum.firings, s->firings);
    ck_assert_uint_eq(sum.dead_firings, s->dead_firings);
    ck_assert_uint_eq(sum.busy, s->busy_cycles);
    ck_assert_uint_eq(sum.link_busy, s->link_busy);
    uint64_t busiest = 0;
    for (size_t i = 0; i < s->link_count; i++)
        keep_greatest(&busiest, s->links[i].stats.busy);
    ck_assert_uint_eq(sum.greatest_link_busy, busiest);
    ck_assert_uint_le(most.live_tokens, s->peak_live_tokens);
    ck_assert_uint_le(most.waiting, s->peak_waiting);
    ck_assert_uint_le(most.tags, s->peak_tags);
    if (o->series.interval > 1)
        return;
    /* A row for every cycle misses nothing. */
    ck_assert_uint_eq(most.live_tokens, s->peak_live_tokens);
    ck_assert_uint_eq(most.waiting, s->peak_waiting);
    ck_assert_uint_eq(most.tags, s->peak_tags);
    ck_assert_uint_eq(waiting, s->waiting_cycles);
    for (size_t i = 0; o->profile.actual.shift == 0 && i < o->series.rows.count; i++)
        ck_assert_uint_eq(o->profile.actual.bins[i],
                          traces_series_row(&o->series, i).firings);
}

static void check_profile(const struct observed *o, const struct observed *ideal)
{
    const struct traces_histogram *first = &ideal->profile.ideal, *h = &o->profile.ideal;
    ck_assert_uint_eq(check_ranges(&o->profile.actual, 40), o->stats.firings);
    ck_assert_uint_eq(check_ranges(h, 40), o->stats.firings);
    ck_assert_uint_eq(o->profile.actual.length, o->stats.cycles);
    ck_assert_uint_eq(h->length, o->stats.span);
    ck_assert_uint_gt(h->bins[(h->length - 1) >> h->shift], 0);
    /* No machine changes the ideal one. */
    ck_assert_uint_eq(h->shift, first->shift);
    ck_assert_mem_eq(h->bins, first->bins, TRACES_PROFILE_BINS * sizeof *h->bins);
}

/* The same rows and the same profile, however the run is divided; and the same run as
 * when nobody looks. */
static void check_again(const struct test_program *p,
                        const struct machine_settings *settings, const struct observed *o)
{
    struct observed again = observe(p, settings, 1);
    struct test_outcome alone = test_run(p->graph, p->inputs, settings, 7);
    ck_assert_uint_eq(again.series.rows.count, o->series.rows.count);
    ck_assert_mem_eq(again.series.rows.items, o->series.rows.items,
                     o->series.rows.count * sizeof *o->series.rows.items);
    ck_assert_mem_eq(again.profile.actual.bins, o->profile.actual.bins,
                     TRACES_PROFILE_BINS * sizeof(uint64_t));
    ck_assert_uint_eq(alone.stats.timing_digest, o->stats.timing_digest);
    ck_assert_uint_eq(alone.stats.cycles, o->stats.cycles);
    traces_stats_free(&alone.stats);
    observed_free(&again);
}

static const char *const variants[][2] = {
    {"queue.discipline", "lifo"}, {"network.latency", "1000"}, {"pe.count", "1"},
    {"deadness", "propagate"},    {"pe.units", "0"},           {"network.bandwidth", "7"},
};

static const char *const intervals[] = {"0", "1", "2", "97", "1000000"};

static void check_program(const struct test_program *p)
{
    struct machine_settings settings;
    test_settings_ideal(&settings);
    struct observed ideal = observe(p, &settings, 1000003);
    check_series(&ideal);
    check_profile(&ideal, &ideal);
    /* Where everything fires as soon as it can, the profiles are the same. */
    ck_assert_mem_eq(ideal.profile.actual.bins, ideal.profile.ideal.bins,
                     TRACES_PROFILE_BINS * sizeof(uint64_t));
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
            machine_settings_default(&settings);
            test_set(&settings, variants[v][0], variants[v][1]);
            test_set(&settings, "stats.interval", intervals[i]);
            struct observed o = observe(p, &settings, 1000003);
            check_series(&o);
            check_profile(&o, &ideal);
            if (i < 2)
                check_again(p, &settings, &o);
            observed_free(&o);
        }
    observed_free(&ideal);
}

START_TEST(the_identities_hold)
{
    static const char *const examples[][2] = {
        {"fib", "n=11"},      {"tak", "x=6 y=3 z=1"}, {"ack", "m=2 n=2"},
        {"hanoi", "discs=5"}, {"newton", ""},         {"parity", "n=300"},
        {"primes", "n=20"},   {"calendar", ""},       {"factorial", ""}};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct test_program p = test_example(examples[i][0]);
        test_set_inputs(&p, examples[i][1]);
        check_program(&p);
        test_program_free(&p);
    }
}
END_TEST

/* Some READs come before the WRITE, and others after it: which ones, depends on the
 * machine. */
START_TEST(the_depth_of_a_read_is_its_own)
{
    struct test_program p = {
        .graph = test_compile("c = slow(9)\n"
                              "slow(n) = if n == 0 then 1 else slow(n - 1) + 1\n"
                              "use(n) = if n == 0 then c else c + use(n - 1)\n"
                              "result = use(25)\n",
                              ISA_STAGE_IMAGE),
        .arena = lib_arena_new()};
    check_program(&p);
    test_program_free(&p);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("traces");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, rows_are_what_happened_in_between);
    tcase_add_test(tcase, an_interval_is_chosen);
    tcase_add_test(tcase, nothing_may_happen_for_very_long);
    tcase_add_test(tcase, too_many_rows_are_merged);
    tcase_add_test(tcase, the_last_row_is_the_end);
    tcase_add_test(tcase, bins_are_joined);
    tcase_add_test(tcase, profiles_at_the_ends);
    tcase_add_test(tcase, the_identities_hold);
    tcase_add_test(tcase, the_depth_of_a_read_is_its_own);
    return test_main("traces", tcase);
}
