/* When the host has no more memory, a command ends with one line on standard error and status 5, or
 * does without; it never crashes, and its output is whole or absent. Every allocation of a command
 * fails once, alone and with all later ones, also inside the C library and libfyaml. */
#include "lib/file.h"
#include "sim/commands/commands.h"
#include "sim/messages/messages.h"
#include "tests/unit/main.h"

#include <argp.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- allocations that fail ---------------------------------------------------------- */

/* Shared with the child that runs a command; it counts there. */
static struct faults {
    bool forever; /* all from the n-th on fail, not it alone */
    uint64_t n;   /* from 1; 0: none fails */
    uint64_t seen;
} * faults;

static bool counting; /* in this process */

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#endif

#ifndef SANITIZED

/* A program's own malloc takes the place of the C library's for all libraries. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

static bool fails(void)
{
    if (!counting)
        return false;
    faults->seen++;
    bool now = faults->forever ? faults->n && faults->seen >= faults->n
                               : faults->seen == faults->n;
    if (now)
        errno = ENOMEM;
    return now;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(align, bytes);
}

int posix_memalign(void **block, size_t align, size_t bytes)
{
    *block = aligned_alloc(align, bytes);
    return *block ? 0 : ENOMEM;
}

/* The one exception: here libfyaml (0.7.12) crashes where it gets no memory. lib_yaml_read
 * makes sure before that there is some; failures made up here cannot know of that. */
int fy_parser_set_string(struct fy_parser *parser, const char *text, size_t length)
{
    int (*set)(struct fy_parser *, const char *, size_t) = NULL;
    *(void **)&set = dlsym(RTLD_NEXT, "fy_parser_set_string");
    bool before = counting;
    counting = false;
    int result = set(parser, text, length);
    counting = before;
    return result;
}

#endif

/* Not where a sanitizer or valgrind has a malloc of its own. */
static bool can_fail(void)
{
    *faults = (struct faults){.n = 1};
    counting = true;
    void *(*volatile allocate)(size_t) = malloc; /* which compilers know too well */
    void *block = allocate(1);
    bool failed = block == NULL;
    counting = false;
    free(block);
    return failed;
}

/* --- commands ----------------------------------------------------------------------- */

static const struct command {
    int (*run)(int argc, char **argv);
    const char *words; /* in one line; what is written goes to files in new/ */
    int status;        /* where nothing fails */
} commands[] = {
    {sim_run, "run fact.df n=4 --stats new/stats.json", 0},
    {sim_run, "run --json -m mine.yaml -s pe.count=3 -s deadness=propagate fact.df", 0},
    {sim_run, "run fact.df n=9 --series new/series.csv --profile", 0},
    {sim_run, "run fib.df --json --profile --series new/s.csv -s stats.interval=1", 0},
    {sim_run, "run fact.df n=9 -s limits.tokens=20 --series new/series.csv", 4},
    {sim_run, "run fib.df -m finite.yaml --json", 0},
    {sim_run, "run fact.df n=9 -m finite.yaml -s tag.scheme=pool -s tag.pool=2", 4},
    {sim_run, "run fact.df n=9 -m finite.yaml -s match.store=frames -s pe.count=1", 4},
    {sim_interp, "interp fact.df n=4 --json --stats new/stats.json", 0},
    {sim_interp, "interp fact.df n=30", 3},
    {sim_run, "run deadlock.s", 3},
    {sim_run, "run fact.df n=9 -s limits.tokens=20 --stats new/stats.json", 4},
    {sim_run, "run wrong.df -s pe.cuont=2 -m wrong.yaml", 2},
    {sim_run, "run fact.df m=4 n=x", 2},
    {sim_graph, "graph fact.df --stage functions -o new/graph.s", 0},
    {sim_graph, "graph fact.df --format dot", 0},
    {sim_graph, "graph fact.df --format json --stage image", 0},
    {sim_compile, "compile fact.df -o new/fact.img", 0},
    {sim_run, "run fib.df --json", 0},
    {sim_graph, "graph --stage=parse fact.df", 0},
    {sim_asm, "asm deadlock.s -o new/deadlock.img", 0},
    {sim_disasm, "disasm fact.img", 0},
    {sim_machines, "machines", 0},
    {sim_machines, "machines mine.yaml", 0},
    {sim_machines, "machines ideal --json", 0},
    {sim_settings, "settings", 0},
    {sim_settings, "settings --statistics --json", 0},
    {sim_ops, "ops", 0},
    {sim_ops, "ops --nonsense", 2},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0], WORD_COUNT = 12 };

static const struct {
    const char *name, *text;
} files[] = {
    {"fact.df", "input n = 3\n"
                "result = (fact(n), real(n) / 2.0)\n"
                "fact(n) = if n == 1 then n else n * fact(n - 1)\n"},
    {"fib.df", "result = fib(14)\n"
               "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"},
    {"wrong.df", "result = f(1) + unknown\nf(n) = n +\n"},
    {"deadlock.s", "hiaton assembly 1\nstage image\nsource \"deadlock.df\"\n"
                   "function 0 result () -> (int)\nin result\n"
                   "%0 const.int 5 -> %1.0\n%1 add.int _, _ -> %2.0  @7:3+2\n"
                   "%2 add.int _, 1 -> %1.1, %3.0\n%3 output.int _, part 0\n"},
    {"mine.yaml", "# mine: both ways of writing keys.\nbase: ideal\npe: {count: 4}\n"
                  "pe.units: 2\nunit:\n  alu.latency: 2\n  mul: {latency: \"5\"}\n"},
    {"finite.yaml", "# finite: queues, a table and tag units that are soon full.\n"
                    "queue.capacity: 500\nnetwork.capacity: 8\nmatch.store: hash\n"
                    "match.capacity: 4\nmatch.ways: 2\ntag.scheme: interned\n"},
    {"wrong.yaml", "pe: {count: 4\nb: [}\n"},
};

static void write_files(void)
{
    struct lib_diags diags = {0};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        ck_assert(
            lib_file_write(files[i].name, files[i].text, strlen(files[i].text), &diags));
}

static void open_as(int fd, const char *path, int flags)
{
    int opened = open(path, flags, 0666);
    if (opened < 0 || dup2(opened, fd) < 0)
        _exit(98);
}

static void stop_counting(void)
{
    counting = false;
}

/* In a child: runs the command with the n-th allocation failing. */
static void run_command(const struct command *command)
{
    char line[128], name[32], *words[WORD_COUNT];
    int count = 0;
    snprintf(line, sizeof line, "%s", command->words);
    for (char *save, *word = strtok_r(line, " ", &save); word;
         word = strtok_r(NULL, " ", &save))
        words[count++] = word;
    words[count] = NULL;
    snprintf(name, sizeof name, "hiaton %s", words[0]);
    words[0] = name;
    open_as(STDIN_FILENO, "/dev/null", O_RDONLY);
    open_as(STDOUT_FILENO, "out", O_WRONLY | O_CREAT | O_TRUNC);
    open_as(STDERR_FILENO, "err", O_WRONLY | O_CREAT | O_TRUNC);
    alarm(60);
    atexit(stop_counting); /* the last one: gcov comes after it */
    counting = true;
    sim_guard_output();
    argp_err_exit_status = SIM_USAGE;
    exit(command->run(count, words));
}

/* What a command left behind. */
struct outcome {
    int status; /* as wait has it */
    const struct lib_source *out, *err, *file;
    char name[256]; /* of the file in new/, "" if there is none */
    int file_count;
};

static const struct lib_source *read_file(struct lib_arena *arena, const char *path)
{
    struct lib_diags diags = {0};
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert_msg(source != NULL, "cannot read %s", path);
    return source;
}

/* Reads the files in new/, and removes them. */
static void take_new_files(struct outcome *o, struct lib_arena *arena)
{
    DIR *folder = opendir("new");
    if (!folder)
        return; /* only while the test prepares itself */
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        o->file_count++;
        snprintf(o->name, sizeof o->name, "%s", entry->d_name);
        const char *path = lib_arena_printf(arena, "new/%s", entry->d_name);
        o->file = read_file(arena, path);
        unlink(path);
    }
    closedir(folder);
}

static struct outcome attempt(const struct command *command, uint64_t n, bool forever,
                              struct lib_arena *arena)
{
    struct outcome o = {0};
    *faults = (struct faults){.n = n, .forever = forever};
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_command(command);
    ck_assert_int_eq(waitpid(child, &o.status, 0), child);
    o.out = read_file(arena, "out");
    o.err = read_file(arena, "err");
    take_new_files(&o, arena);
    return o;
}

/* --- checks ------------------------------------------------------------------------- */

/* The same bytes, but for what is said of the host. */
static bool same_text(const struct lib_source *a, const struct lib_source *b)
{
    if (!a || !b)
        return a == b;
    const char *host = strstr(a->bytes, "\n  \"host\": {");
    size_t length = host ? (size_t)(host - a->bytes) : a->length;
    return memcmp(a->bytes, b->bytes, length < b->length ? length : b->length) == 0 &&
           (host || a->length == b->length);
}

/* Whether a text is some of what is said where nothing fails, and a last line of why
 * there is no more. */
static bool is_cut(const struct lib_source *text, const struct lib_source *whole)
{
    const char *last = strstr(text->bytes, "hiaton: error: the host has no more memory");
    const char *newline = last ? strchr(last, '\n') : NULL;
    size_t before = last ? (size_t)(last - text->bytes) : 0;
    return newline && newline[1] == '\0' && before <= whole->length &&
           memcmp(text->bytes, whole->bytes, before) == 0;
}

/* What is wrong with how a command ended; NULL: nothing. `whole` is how it ends where
 * nothing fails. */
static const char *judge(const struct outcome *o, const struct outcome *whole)
{
    if (WIFSIGNALED(o->status))
        return "a signal";
    if (o->file_count > 1)
        return "more than one file";
    if (o->file && strcmp(o->name, whole->name) != 0)
        return "a file was left behind";
    if (o->file && !same_text(whole->file, o->file))
        return "a file is not whole";
    if (o->status == whole->status && same_text(whole->out, o->out) &&
        o->file_count == whole->file_count && same_text(whole->err, o->err))
        return NULL;
    if (WEXITSTATUS(o->status) != SIM_INTERNAL)
        return "the status";
    if (o->out->length > 0)
        return "something on standard output";
    if (o->file)
        return "a file was made";
    return is_cut(o->err, whole->err) ? NULL : "what is on standard error";
}

static void check_one(const struct command *command, uint64_t n, bool forever,
                      const struct outcome *whole)
{
    struct lib_arena *arena = lib_arena_new();
    struct outcome o = attempt(command, n, forever, arena);
    const char *wrong = judge(&o, whole);
    ck_assert_msg(!wrong, "hiaton %s: allocation %ju%s failed: %s; status %x, stderr: %s",
                  command->words, (uintmax_t)n, forever ? " and all after it" : "",
                  wrong ? wrong : "", (unsigned)o.status, o.err->bytes);
    lib_arena_free(arena);
}

/* Each of the first allocations fails, and a sample of the others. */
static void check_command(const struct command *command)
{
    struct lib_arena *arena = lib_arena_new();
    struct outcome whole = attempt(command, 0, false, arena);
    uint64_t count = faults->seen;
    ck_assert_msg(WIFEXITED(whole.status) && WEXITSTATUS(whole.status) == command->status,
                  "hiaton %s: status %x, expected %d: %s", command->words,
                  (unsigned)whole.status, command->status, whole.err->bytes);
    ck_assert_uint_ge(count, 3);
    const uint64_t all = getenv("HIATON_QUICK") ? 20 : 500;
    for (uint64_t n = 1; n <= count; n += n < all ? 1 : 1 + n / 16) {
        check_one(command, n, false, &whole);
        check_one(command, n, true, &whole);
    }
    lib_arena_free(arena);
}

/* In a new folder, with the files; its name is left in `folder`. */
static void enter_folder(char *folder)
{
    ck_assert(mkdtemp(folder) != NULL);
    ck_assert_int_eq(chdir(folder), 0);
    write_files();
    struct command make = {sim_compile, "compile fact.df -o fact.img", 0};
    struct lib_arena *arena = lib_arena_new();
    ck_assert_int_eq(attempt(&make, 0, false, arena).status, 0);
    ck_assert_int_eq(mkdir("new", 0777), 0);
    lib_arena_free(arena);
}

static void leave_folder(const char *folder)
{
    struct lib_text remove = {0};
    lib_text_printf(&remove, "rm -rf '%s'", folder);
    ck_assert(chdir("/") == 0 && system(remove.bytes) == 0);
    lib_text_free(&remove);
}

START_TEST(every_allocation_may_fail)
{
    char folder[] = "/tmp/unit_memory.XXXXXX";
    enter_folder(folder);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        check_command(&commands[i]);
    leave_folder(folder);
}
END_TEST

int main(void)
{
    faults = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (faults == MAP_FAILED)
        return 99;
    if (!can_fail()) {
        puts("skipped: a sanitizer or valgrind has a malloc of its own");
        return 77;
    }
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, every_allocation_may_fail);
    return test_main("memory", tcase);
}
