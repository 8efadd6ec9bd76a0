/* Random programs, and programs in files, through everything that can run them:
 * tests/random/compare.h says what is compared. A program that fails is made small and
 * shown, and can be kept for tests/data/regressions/. */
#include "lib/file.h"
#include "tests/random/compare.h"
#include "tests/random/draw.h"
#include "tests/random/draw_platform.h"
#include "tests/random/generate.h"
#include "tests/random/shrink.h"

#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    JOBS_MAX = 64,
    SECONDS_MAX = 20, /* for one program, made small or not */
    SHRINK_TESTS = 4000,
};

struct options {
    uint64_t number, first;
    unsigned size, jobs, features, platforms;
    enum evaluate_mistake mistake;
    const char *keep;
    bool verbose, coverage, optimises;
};

/* What a process has found; in memory that it shares with its parent. */
struct progress {
    uint64_t seed;     /* of the program in hand */
    uint64_t programs; /* done */
    uint64_t failed;   /* of them, as programs do: overflow, division, conversion */
    uint64_t calls;
    uint64_t fired[ISA_OP_COUNT];
    bool stopped; /* something is wrong with the program in hand */
};

static void *shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    return memory;
}

/* --- one program ---------------------------------------------------------------------- */

/* What compare found, in a process of its own, so that a crash is a finding as well. */
static enum compare_verdict compare_apart(const struct compare_case *c)
{
    enum compare_verdict *verdict = shared(sizeof *verdict), found;
    *verdict = COMPARE_CRASH;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct compare_report report;
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        alarm(SECONDS_MAX);
        compare(c, &report);
        *verdict = report.verdict;
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("fork");
        exit(2);
    }
    found = *verdict;
    munmap(verdict, sizeof *verdict);
    return found;
}

struct failure {
    struct compare_case c;
    enum compare_verdict verdict;
};

static bool fails_alike(const char *text, void *context)
{
    const struct failure *f = context;
    struct compare_case c = f->c;
    c.text = text;
    return compare_apart(&c) == f->verdict;
}

static void print_lines(const char *text)
{
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        printf("    %.*s", (int)(end - line), line);
    }
}

/* Adds the program as it is kept: what was found first, as a comment. */
static void write_kept(const struct failure *f, const struct compare_report *report,
                       struct lib_text *out)
{
    struct lib_text settings = {0};
    lib_text_printf(out, "-- Once: %s.\n-- seed: %" PRIu64 "\n",
                    compare_verdict_text(f->verdict), f->c.seed);
    if (report->on_machine)
        draw_write_all(&report->settings, &report->compile, &settings);
    else if (f->c.settings)
        draw_write_all(f->c.settings, &f->c.compile, &settings);
    if (settings.length)
        lib_text_printf(out, "-- settings: %s\n", lib_text_get(&settings));
    lib_text_free(&settings);
    lib_text_puts(out, f->c.text);
}

static void keep_program(const struct options *o, const struct failure *f,
                         const struct compare_report *report)
{
    struct lib_text text = {0};
    struct lib_diags diags = {0};
    write_kept(f, report, &text);
    if (!lib_file_write(o->keep, lib_text_get(&text), text.length, &diags))
        fprintf(stderr, "property: %s\n", diags.items[0].text);
    lib_diags_free(&diags);
    lib_text_free(&text);
}

/* Makes a failing program small, shows it, and keeps it if it is to be kept. */
static void print_failure(const struct options *o, const char *name, struct failure f)
{
    struct lib_text small = {0};
    struct compare_report report = {0};
    printf("%s: %s; seed %" PRIu64 "\n", name, compare_verdict_text(f.verdict), f.c.seed);
    if (o->verbose)
        print_lines(f.c.text);
    lib_text_puts(&small, f.c.text);
    if (f.verdict != COMPARE_INVALID && f.verdict != COMPARE_UNBOUNDED)
        shrink(&small, SHRINK_TESTS, fails_alike, &f);
    f.c.text = lib_text_get(&small);
    if (f.verdict != COMPARE_CRASH)
        compare(&f.c, &report);
    printf("made small:\n");
    print_lines(f.c.text);
    printf("%s\n", lib_text_get(&report.why));
    if (o->keep)
        keep_program(o, &f, &report);
    lib_text_free(&report.why);
    lib_text_free(&small);
}

/* --- random programs ------------------------------------------------------------------ */

static void compare_seed(const struct options *o, uint64_t seed, struct progress *p)
{
    struct lib_text text = {0};
    struct compare_report report;
    p->seed = seed;
    generate(seed, o->size, o->features, &text);
    compare(&(struct compare_case){.text = lib_text_get(&text),
                                   .seed = seed,
                                   .mistake = o->mistake,
                                   .optimises = o->optimises,
                                   .platforms = o->platforms},
            &report);
    p->stopped = report.verdict != COMPARE_SAME;
    p->programs++;
    p->failed += report.failed;
    p->calls += report.calls;
    for (int op = 0; op < ISA_OP_COUNT; op++)
        p->fired[op] += report.fired[op];
    lib_text_free(&report.why);
    lib_text_free(&text);
}

/* Every `jobs`th seed, until something is wrong. */
static _Noreturn void work(const struct options *o, unsigned job, struct progress *p)
{
    for (uint64_t i = job; i < o->number && !p->stopped; i += o->jobs) {
        alarm(SECONDS_MAX);
        compare_seed(o, o->first + i, p);
    }
    _exit(p->stopped ? 1 : 0);
}

/* Runs the jobs, and adds up what they found. Returns how many came to a program that is
 * wrong; `seed` is then the least such. */
static unsigned run_jobs(const struct options *o, struct progress *sum, uint64_t *seed)
{
    struct progress *progress = shared(o->jobs * sizeof *progress);
    pid_t children[JOBS_MAX];
    unsigned wrong = 0;
    fflush(NULL);
    for (unsigned job = 0; job < o->jobs; job++)
        if ((children[job] = fork()) == 0)
            work(o, job, &progress[job]);
    for (unsigned job = 0; job < o->jobs; job++) {
        const struct progress *p = &progress[job];
        int status = 1;
        if (children[job] < 0 || waitpid(children[job], &status, 0) < 0)
            perror("fork");
        if (status != 0 && (wrong++ == 0 || p->seed < *seed))
            *seed = p->seed;
        sum->programs += p->programs;
        sum->failed += p->failed;
        sum->calls += p->calls;
        for (int op = 0; op < ISA_OP_COUNT; op++)
            sum->fired[op] += p->fired[op];
    }
    munmap(progress, o->jobs * sizeof *progress);
    return wrong;
}

static void tell_seed(const struct options *o, uint64_t seed)
{
    struct lib_text text = {0};
    struct compare_report report;
    generate(seed, o->size, o->features, &text);
    struct failure f = {{.text = lib_text_get(&text),
                         .seed = seed,
                         .mistake = o->mistake,
                         .optimises = o->optimises,
                         .platforms = o->platforms},
                        COMPARE_SAME};
    f.verdict = compare_apart(&f.c);
    if (f.verdict != COMPARE_CRASH) {
        compare(&f.c, &report);
        printf("%s\n", lib_text_get(&report.why));
        lib_text_free(&report.why);
    }
    if (f.verdict == COMPARE_SAME)
        printf("seed %" PRIu64 ": failed once, and not again\n", seed);
    else
        print_failure(o, "random program", f);
    lib_text_free(&text);
}

/* Tensors have random programs of their own (tests/unit/programs/tensors_random.c). */
static bool is_of_tensors(const struct isa_op_info *info)
{
    return strchr(info->in, 'T') || strchr(info->out, 'T');
}

/* Programs with ports are tested by tests/random/ports.c, and what is given by tests/oracle and
 * tests/shell/given.sh. */
static bool is_fed(enum isa_op op)
{
    return op == ISA_OP_PORT || op == ISA_OP_OPEN || op == ISA_OP_MORE ||
           op == ISA_OP_GIVEN;
}

/* Whether the programs were what they are meant to be: every opcode that is ever executed
 * fires, and a sane share of them fails. */
static bool check_coverage(const struct progress *sum)
{
    bool good = true;
    for (int op = 0; op < ISA_OP_COUNT; op++)
        if (sum->fired[op] == 0 && !is_of_tensors(&isa_op_table[op]) &&
            !isa_op_divides((enum isa_op)op) && !is_fed((enum isa_op)op)) {
            printf("no program fires %s\n", isa_op_table[op].name);
            good = false;
        }
    if (sum->failed * 20 < sum->programs || sum->failed * 4 > sum->programs) {
        printf("%" PRIu64 " of %" PRIu64 " programs fail: not 5%% to 25%%\n", sum->failed,
               sum->programs);
        good = false;
    }
    if (sum->calls < 2 * sum->programs) {
        printf("only %" PRIu64 " calls\n", sum->calls);
        good = false;
    }
    return good;
}

static void show_fired(const struct progress *sum)
{
    for (int op = 0; op < ISA_OP_COUNT; op++)
        printf("%12" PRIu64 " %s\n", sum->fired[op], isa_op_table[op].name);
}

static bool compare_random(const struct options *o)
{
    struct progress sum = {0};
    struct timespec begin, end;
    uint64_t seed = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    bool good = run_jobs(o, &sum, &seed) == 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) +
                     (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
    printf("%" PRIu64 " programs from seed %" PRIu64 " in %.1f s: %" PRIu64
           " completed, %" PRIu64 " failed, %" PRIu64 " calls\n",
           sum.programs, o->first, seconds, sum.programs - sum.failed, sum.failed,
           sum.calls);
    if (o->verbose)
        show_fired(&sum);
    if (!good)
        tell_seed(o, seed);
    else if (o->coverage)
        good = check_coverage(&sum);
    return good;
}

/* --- programs in files ---------------------------------------------------------------- */

/* Takes over "KEY=VALUE ..." after `-- settings:`. false: there is none in the text. */
static bool read_settings(const char *text, struct sim_settings *settings)
{
    static const char mark[] = "-- settings: ";
    const char *line = strstr(text, mark);
    char words[1024];
    if (!line)
        return false;
    sim_settings_default(settings);
    line += strlen(mark);
    snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
    for (char *save, *word = strtok_r(words, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        struct lib_text why = {0};
        char *value = strchr(word, '=');
        const struct lib_setting *row = NULL;
        if (value) {
            *value++ = '\0';
            row = sim_setting_find(word);
        }
        if (!row || !lib_setting_set(settings, row, value, &why)) {
            fprintf(stderr, "property: %s: not a setting\n", word);
            exit(2);
        }
        lib_text_free(&why);
    }
    return true;
}

/* A program under the settings of several seeds, and its own. */
static bool compare_file(const struct options *o, const char *path)
{
    static const char mark[] = "-- seed: ";
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    struct sim_settings settings;
    bool good = true;
    if (!source) {
        fprintf(stderr, "property: %s: %s\n", path, diags.items[0].text);
        exit(2);
    }
    bool own = read_settings(source->bytes, &settings);
    const char *seed = strstr(source->bytes, mark);
    uint64_t first = seed ? strtoull(seed + strlen(mark), NULL, 10) : o->first;
    for (uint64_t i = 0; i < 8 && good; i++) {
        struct failure f = {{.text = source->bytes,
                             .seed = first + i,
                             .mistake = o->mistake,
                             .settings = own ? &settings.machine : NULL,
                             .optimises = o->optimises,
                             .platforms = o->platforms},
                            COMPARE_SAME};
        if (own)
            f.c.compile = settings.compile;
        f.verdict = compare_apart(&f.c);
        good = f.verdict == COMPARE_SAME;
        if (!good)
            print_failure(o, path, f);
    }
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return good;
}

/* --- options -------------------------------------------------------------------------- */

static const char usage[] =
    "usage: property [OPTION]... [FILE]...\n"
    "Compares everything that can run a program, on random programs or on FILEs.\n"
    "  --number N      so many random programs (1000)\n"
    "  --seed N        the seed of the first (1)\n"
    "  --size N        up to about N operations each (40)\n"
    "  --jobs N        processes (1)\n"
    "  --no-loops      random programs without loops\n"
    "  --no-arrays     random programs without arrays\n"
    "  --no-data       random programs without types of data\n"
    "  --platforms N   one seed in N is run on a platform of SimGrid too (20; 0: none)\n"
    "  --optimise      the compiler makes random passes of its optimiser\n"
    "  --coverage      every opcode must fire, and a sane share of programs fail\n"
    "  --keep FILE     write a program that fails to FILE, made small\n"
    "  --mistake NAME  the evaluator makes a mistake, so that something is found:\n"
    "                 ";

static _Noreturn void stop(const char *message, const char *what)
{
    fprintf(stderr, "property: %s%s\n", message, what);
    exit(2);
}

static void help(void)
{
    printf("%s", usage);
#define MISTAKE(NAME, text, wrong) printf(" %s", text);
    EVALUATE_MISTAKES(MISTAKE)
#undef MISTAKE
    printf("\n  --show N        print the program of seed N, and nothing else\n"
           "  --verbose       show more\n"
           "exit status: 0 all agree; 1 something is wrong; 2 bad usage\n");
}

static uint64_t number(const char *text)
{
    int64_t value;
    if (!lib_text_to_int(text, &value) || value < 0)
        stop("not a number: ", text);
    return (uint64_t)value;
}

static enum evaluate_mistake mistake(const char *text)
{
    static const char *const texts[] = {
#define MISTAKE(NAME, name, wrong) name,
        EVALUATE_MISTAKES(MISTAKE)
#undef MISTAKE
    };
    for (int i = 0; i < EVALUATE_MISTAKE_COUNT; i++)
        if (strcmp(text, texts[i]) == 0)
            return (enum evaluate_mistake)i;
    stop("no such mistake: ", text);
}

static _Noreturn void show_program(const struct options *o, uint64_t seed)
{
    struct lib_text text = {0};
    generate(seed, o->size, o->features, &text);
    fputs(lib_text_get(&text), stdout);
    lib_text_free(&text);
    exit(0);
}

enum {
    NUMBER = 1,
    SEED,
    SIZE,
    JOBS,
    NO_LOOPS,
    NO_ARRAYS,
    NO_DATA,
    PLATFORMS,
    OPTIMISE,
    COVERAGE,
    KEEP,
    MISTAKE_,
    SHOW,
    VERBOSE,
    HELP
};

static const struct option long_options[] = {
    {"number", required_argument, NULL, NUMBER},
    {"seed", required_argument, NULL, SEED},
    {"size", required_argument, NULL, SIZE},
    {"jobs", required_argument, NULL, JOBS},
    {"no-loops", no_argument, NULL, NO_LOOPS},
    {"no-arrays", no_argument, NULL, NO_ARRAYS},
    {"no-data", no_argument, NULL, NO_DATA},
    {"platforms", required_argument, NULL, PLATFORMS},
    {"optimise", no_argument, NULL, OPTIMISE},
    {"coverage", no_argument, NULL, COVERAGE},
    {"keep", required_argument, NULL, KEEP},
    {"mistake", required_argument, NULL, MISTAKE_},
    {"show", required_argument, NULL, SHOW},
    {"verbose", no_argument, NULL, VERBOSE},
    {"help", no_argument, NULL, HELP},
    {0},
};

static void set_option(struct options *o, int option)
{
    switch (option) {
    case NUMBER:
        o->number = number(optarg);
        break;
    case SEED:
        o->first = number(optarg);
        break;
    case SIZE:
        o->size = (unsigned)number(optarg);
        break;
    case JOBS:
        o->jobs = (unsigned)number(optarg);
        break;
    case NO_LOOPS:
        o->features &= ~(unsigned)GENERATE_LOOPS;
        break;
    case NO_ARRAYS:
        o->features &= ~(unsigned)GENERATE_ARRAYS;
        break;
    case NO_DATA:
        o->features &= ~(unsigned)GENERATE_DATA;
        break;
    case PLATFORMS:
        o->platforms = (unsigned)number(optarg);
        break;
    case OPTIMISE:
        o->optimises = true;
        break;
    case COVERAGE:
        o->coverage = true;
        break;
    case KEEP:
        o->keep = optarg;
        break;
    case MISTAKE_:
        o->mistake = mistake(optarg);
        break;
    case SHOW:
        show_program(o, number(optarg));
    case VERBOSE:
        o->verbose = true;
        break;
    case HELP:
        help();
        exit(0);
    default:
        exit(2);
    }
}

int main(int argc, char **argv)
{
    struct options o = {.number = 1000,
                        .first = 1,
                        .size = 40,
                        .jobs = 1,
                        .platforms = 20,
                        .features = GENERATE_LOOPS | GENERATE_ARRAYS | GENERATE_DATA};
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) >= 0;)
        set_option(&o, option);
    if (o.size == 0 || o.jobs == 0 || o.jobs > JOBS_MAX)
        stop("--size and --jobs", ": out of range");
    if (o.platforms && !draw_has_platforms()) {
        printf("SKIPPED: platforms, as this hiaton was built without SimGrid (Debian "
               "package libsimgrid-dev)\n");
        o.platforms = 0;
    }
    bool good = true;
    for (int i = optind; i < argc; i++)
        good &= compare_file(&o, argv[i]);
    if (optind == argc)
        good = compare_random(&o);
    else if (good)
        printf("%d files: all agree\n", argc - optind);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
