/* The host's world: whatever its locale, its rounding, its treatment of denormals and its traps
 * are, a run is the same run, and all of them are afterwards as they were. */
#include "lib/world.h"
#include "sim/loading/inputs.h"
#include "tests/unit/support.h"

#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <unistd.h>

/* Reals that are read, printed, rounded, denormal and infinite, in scalars and in a product. */
static const char program_text[] =
    "input x = 0.1\n"
    "result = (x / 3.0, exp(x), 1e-300 * x * 1e-10, 1.0 / (x - x),\n"
    "          f(t) / 3.0, 0.1 + 0.7)\n"
    "f(m) = matmul(m, m) * 1e-155 * 1e-155\n"
    "t = tensor([[0.1, 0.2], [1e-310, 7.7]])\n";

static char folder[32];

static void write_file(const char *name, const char *text)
{
    struct lib_diags diags = {0};
    ck_assert(lib_file_write(name, text, strlen(text), &diags));
}

/* --- the host -------------------------------------------------------------------------- */

/* Has the process print 1.5 as "1,5". false: no such locale can be made here. */
static bool use_commas(void)
{
    if (access("comma/LC_NUMERIC", R_OK) != 0) {
        write_file("comma.txt", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                                "grouping 3;3\nEND LC_NUMERIC\n");
        if (system("localedef -c -i comma.txt ./comma >/dev/null 2>&1") < 0)
            return false;
    }
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_NUMERIC, "comma") != NULL;
}

enum { FLUSH = 0x8040 }; /* FTZ and DAZ of MXCSR */

#if defined __x86_64__
static uint32_t control(void)
{
    return __builtin_ia32_stmxcsr();
}

static void flush_denormals(void)
{
    __builtin_ia32_ldmxcsr(control() | FLUSH);
}
#else
static uint32_t control(void)
{
    return (uint32_t)fetestexcept(FE_ALL_EXCEPT);
}

static void flush_denormals(void)
{
}
#endif

/* --- one run --------------------------------------------------------------------------- */

static void add_ending(const struct sim_ending *ending, struct lib_text *text)
{
    ck_assert_msg(ending->end == ISA_END_COMPLETED, "%s", lib_text_get(&ending->reason));
    lib_text_puts(text, lib_text_get(&ending->result));
    lib_text_printf(text, " %" PRIx64 " %" PRIx64 " %" PRIu64, ending->stats.value_digest,
                    ending->stats.timing_digest, ending->stats.cycles);
    uint64_t bits;
    memcpy(&bits, &ending->stats.parallelism, sizeof bits);
    lib_text_printf(text, " %" PRIx64 "\n", bits);
}

/* All that a run says: its result, its statistics with ratios and digests. */
static void run(enum sim_engine engine, int math, struct lib_text *text)
{
    struct lib_diags diags = {0};
    struct sim_program program;
    struct sim_inputs inputs;
    struct machine_settings settings;
    struct sim_ending ending;
    machine_settings_default(&settings);
    settings.tensor_math = math;
    ck_assert(sim_program_open(&program, "world.df", &diags));
    ck_assert(sim_program_finish(&program, NULL, ISA_STAGE_COUNT, &diags));
    ck_assert(sim_inputs_read(&inputs, program.arena, program.graph,
                              (const char *const[]){"x=0.1"}, 1, NULL, &diags));
    const struct sim_simulation_config config = {
        .graph = program.graph,
        .inputs = inputs.values,
        .settings = &settings,
        .seed = 1,
        .engine = engine,
    };
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    ck_assert(s != NULL);
    ck_assert_int_eq(sim_simulation_advance(s, NULL), SIM_ADVANCED_TO_END);
    sim_simulation_close(s, &ending);
    add_ending(&ending, text);
    sim_ending_free(&ending);
    sim_program_free(&program);
    lib_diags_free(&diags);
}

static void run_all(struct lib_text *text)
{
    for (unsigned e = 0; e < 2; e++)
        for (unsigned m = 0; m < 2; m++)
            run(e ? SIM_ENGINE_INTERPRETER : SIM_ENGINE_MACHINE,
                m ? MACHINE_TENSOR_BLAS : MACHINE_TENSOR_REFERENCE, text);
}

/* --- comparing ------------------------------------------------------------------------- */

static void set_up(void)
{
    snprintf(folder, sizeof folder, "/tmp/unit_world.XXXXXX");
    ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    write_file("world.df", program_text);
}

static void tear_down(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert(chdir("/") == 0 && system(command) == 0);
}

/* Rounding upwards, towards 0 and downwards; denormals flushed; traps for what is exact nowhere. */
START_TEST(floating_point_does_not_matter)
{
    static const int ways[] = {FE_UPWARD, FE_TOWARDZERO, FE_DOWNWARD, FE_TONEAREST};
    struct lib_text expected = {0}, found = {0};
    set_up();
    run_all(&expected);
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        lib_text_clear(&found);
        fesetround(ways[i]);
        flush_denormals();
        feclearexcept(FE_ALL_EXCEPT);
        if (i % 2)
            feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
        const uint32_t before = control();
        run_all(&found);
        ck_assert_uint_eq(control(), before);
        ck_assert_int_eq(fegetround(), ways[i]);
        ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
        fesetenv(FE_DFL_ENV);
        ck_assert_str_eq(found.bytes, expected.bytes);
    }
    lib_text_free(&expected);
    lib_text_free(&found);
    tear_down();
}
END_TEST

START_TEST(the_locale_does_not_matter)
{
    struct lib_text expected = {0}, found = {0};
    set_up();
    run_all(&expected);
    if (use_commas()) {
        char number[16];
        run_all(&found);
        snprintf(number, sizeof number, "%.1f", 1.5);
        ck_assert_str_eq(number, "1,5");
        ck_assert_str_eq(found.bytes, expected.bytes);
        ck_assert_ptr_eq(uselocale((locale_t)0), LC_GLOBAL_LOCALE);
        setlocale(LC_NUMERIC, "C");
        unsetenv("LOCPATH");
    } else {
        puts("skipped: localedef, which makes a locale with commas, is not installed");
    }
    lib_text_free(&expected);
    lib_text_free(&found);
    tear_down();
}
END_TEST

/* Pairs nest, and a locale of the thread's own comes back. */
START_TEST(pairs_nest)
{
    const locale_t own = newlocale(LC_ALL_MASK, "POSIX", (locale_t)0);
    const locale_t first = uselocale(own);
    fesetround(FE_DOWNWARD);
    const struct lib_world outer = lib_world_enter();
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
    {
        LIB_WORLD_OWN();
        ck_assert_int_eq(fegetround(), FE_TONEAREST);
    }
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
    lib_world_leave(&outer);
    ck_assert_int_eq(fegetround(), FE_DOWNWARD);
    ck_assert_ptr_eq(uselocale(first), own);
    freelocale(own);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("world");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, floating_point_does_not_matter);
    tcase_add_test(tcase, the_locale_does_not_matter);
    tcase_add_test(tcase, pairs_nest);
    return test_main("world", tcase);
}
