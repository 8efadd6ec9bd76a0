/* The command line from inside: the JSON writer, YAML files of settings, and that what
 * the program prints under --json is JSON. */
#include "lib/hash.h"
#include "lib/json.h"
#include "lib/yaml.h"
#include "sim/loading/setup.h"
#include "tests/unit/support.h"

#include <sys/wait.h>
#include <unistd.h>

/* --- a reader of JSON that only says yes or no -------------------------------------- */

static const char *skip_value(const char *p);

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20)
            return NULL;
        if (*p != '\\')
            continue;
        p++;
        if (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4)
            return NULL;
        if (!*p || !strchr("\"\\/bfnrtu", *p))
            return NULL;
    }
    return p + 1;
}

static const char *skip_digits(const char *p)
{
    size_t digits = strspn(p, "0123456789");
    return digits ? p + digits : NULL;
}

static const char *skip_number(const char *p)
{
    p += *p == '-';
    if (*p == '0' && p[1] >= '0' && p[1] <= '9')
        return NULL;
    p = skip_digits(p);
    if (p && *p == '.')
        p = skip_digits(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        p = skip_digits(p + (*p == '+' || *p == '-'));
    }
    return p;
}

/* The items of an object or array, after its bracket. */
static const char *skip_items(const char *p, char close)
{
    p = skip_blanks(p);
    if (*p == close)
        return p + 1;
    for (;; p++) {
        p = skip_blanks(p);
        if (close == '}') {
            p = skip_string(p);
            if (!p || *(p = skip_blanks(p)) != ':')
                return NULL;
            p++;
        }
        p = skip_value(p);
        if (!p)
            return NULL;
        p = skip_blanks(p);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return NULL;
    }
}

static const char *skip_value(const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    p = skip_blanks(p);
    if (*p == '{')
        return skip_items(p + 1, '}');
    if (*p == '[')
        return skip_items(p + 1, ']');
    if (*p == '"')
        return skip_string(p);
    for (int i = 0; i < 3; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    return skip_number(p);
}

/* Whether a text is one JSON value, and a newline. */
static bool is_json(const char *text)
{
    const char *end = skip_value(text);
    return end && strcmp(end, "\n") == 0;
}

START_TEST(test_the_reader)
{
    ck_assert(is_json("{\"a\": [1, -2.5e+07, true, null, \"\\u00e9\\n\"], \"b\": {}}\n"));
    ck_assert(is_json("0\n"));
    const char *const wrong[] = {
        "",           "\n",    "{}",   "{}\n\n",  "{a: 1}\n",  "[1,]\n", "[1 2]\n",
        "{\"a\"}\n",  "01\n",  "1.\n", "nan\n",   "\"\\x\"\n", "\"a\n",  "[1}\n",
        "{\"a\":}\n", "inf\n", "[\n",  "{} {}\n", "1e\n",      "-\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(!is_json(wrong[i]), "%s", wrong[i]);
}
END_TEST

/* --- the writer --------------------------------------------------------------------- */

START_TEST(test_the_writer)
{
    struct lib_text text = {0};
    struct lib_json json = {.out = &text};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "text", "a \"b\"\n\xff");
    lib_json_uint(&json, "greatest", UINT64_MAX);
    lib_json_int(&json, "least", INT64_MIN);
    lib_json_real(&json, "real", 0.1);
    lib_json_real(&json, "large", 1e300);
    lib_json_real(&json, "nan", NAN);
    lib_json_real(&json, "inf", -INFINITY);
    lib_json_bool(&json, "bool", true);
    lib_json_hex(&json, "hex", 0xabc);
    lib_json_open(&json, "empty", '{');
    lib_json_close(&json);
    lib_json_open(&json, "rows", '[');
    for (int i = 0; i < 2; i++) {
        lib_json_open_line(&json, NULL, '{');
        lib_json_int(&json, "i", i);
        lib_json_null(&json, "x");
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_close(&json);
    ck_assert_str_eq(text.bytes, "{\n"
                                 "  \"text\": \"a \\\"b\\\"\\n\xef\xbf\xbd\",\n"
                                 "  \"greatest\": 18446744073709551615,\n"
                                 "  \"least\": -9223372036854775808,\n"
                                 "  \"real\": 0.1,\n"
                                 "  \"large\": 1e+300,\n"
                                 "  \"nan\": null,\n"
                                 "  \"inf\": null,\n"
                                 "  \"bool\": true,\n"
                                 "  \"hex\": \"0000000000000abc\",\n"
                                 "  \"empty\": {},\n"
                                 "  \"rows\": [\n"
                                 "    {\"i\": 0, \"x\": null},\n"
                                 "    {\"i\": 1, \"x\": null}\n"
                                 "  ]\n"
                                 "}\n");
    ck_assert(is_json(text.bytes));
    lib_text_free(&text);
}
END_TEST

/* --- what the program prints -------------------------------------------------------- */

/* Runs hiaton by the shell and returns what it printed; `arguments` may redirect. */
static char *output_of(const char *arguments, int expected)
{
    struct lib_text command = {0}, text = {0};
    lib_text_printf(&command, "\"$HIATON\" %s 2>/dev/null", arguments);
    FILE *pipe = popen(command.bytes, "r");
    ck_assert(pipe != NULL);
    char chunk[4096];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, pipe)) > 0)
        lib_text_add(&text, chunk, got);
    int status = pclose(pipe);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == expected,
                  "hiaton %s: status %d, expected %d", arguments, WEXITSTATUS(status),
                  expected);
    lib_text_free(&command);
    return text.bytes;
}

START_TEST(test_the_output)
{
    static const struct {
        const char *arguments;
        int status;
    } runs[] = {
        {"run --json \"$SRCDIR\"/programs/examples/fib.df n=10", 0},
        {"run --json -m ideal \"$SRCDIR\"/programs/examples/fib.df n=10", 0},
        {"run --json --profile \"$SRCDIR\"/programs/examples/fib.df n=10", 0},
        {"run --json --profile -s limits.cycles=10 "
         "\"$SRCDIR\"/programs/examples/fib.df",
         4},
        {"run --json -s limits.cycles=10 \"$SRCDIR\"/programs/examples/fib.df", 4},
        {"interp --json \"$SRCDIR\"/programs/examples/newton.df", 0},
        {"interp --json -s limits.tokens=9 \"$SRCDIR\"/programs/examples/fib.df n=30", 4},
        {"graph --format json \"$SRCDIR\"/programs/examples/fib.df", 0},
        {"graph --format json --stage functions \"$SRCDIR\"/programs/examples/fib.df", 0},
        {"graph --format json --stage image \"$SRCDIR\"/programs/examples/fib.df", 0},
        {"machines --json", 0},
        {"machines --json ideal", 0},
        {"settings --json", 0},
        {"settings --json --statistics", 0},
        {"ops --json", 0},
    };
    if (!getenv("HIATON") || !getenv("SRCDIR"))
        return; /* run by hand */
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char *text = output_of(runs[i].arguments, runs[i].status);
        ck_assert_msg(text && is_json(text), "hiaton %s prints %s", runs[i].arguments,
                      text ? text : "nothing");
        lib_mem_free(text);
    }
}
END_TEST

/* --- YAML --------------------------------------------------------------------------- */

/* Reads bytes as a YAML file; the number of errors. */
static size_t read_yaml(const char *bytes, size_t length, struct lib_text *keys)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct lib_source source = {"test.yaml", lib_arena_copy(arena, bytes, length),
                                length};
    struct lib_yaml yaml;
    bool good = lib_yaml_read(&yaml, arena, &source, &diags);
    size_t errors = diags.errors;
    ck_assert(good == (errors == 0));
    for (size_t i = 0; keys && i < yaml.count; i++)
        lib_text_printf(keys, "%s=%s;", yaml.items[i].key,
                        yaml.items[i].value ? yaml.items[i].value
                                            : lib_yaml_text(&yaml.items[i]));
    struct lib_text text = {0};
    lib_diags_write(&diags, &text); /* positions are within the source */
    lib_text_free(&text);
    lib_diags_free(&diags);
    lib_yaml_free(&yaml);
    lib_arena_free(arena);
    return errors;
}

START_TEST(test_yaml_entries)
{
    const char *file = "a: {b: 1, c: {d: 'x y'}}\n"
                       "a.b.e: \"2\"\n"
                       "f: [1, {g: 2}]\n"
                       "h:\n";
    struct lib_text keys = {0};
    ck_assert_uint_eq(read_yaml(file, strlen(file), &keys), 0);
    ck_assert_str_eq(keys.bytes, "a=a mapping;a.b=1;a.c=a mapping;a.c.d=x y;a.b.e=2;"
                                 "f=a sequence;f=1;f=a mapping;f.g=2;h=;");
    lib_text_free(&keys);
}
END_TEST

/* Files made of pieces of YAML, and of anything: read or refused, never worse. */
START_TEST(test_yaml_random)
{
    static const char *const pieces[] = {
        "pe",  ": ",  "\n",   "  ",    "{",    "}",    "[",   "]",  ", ",           "- ",
        "? ",  "&a ", "*a",   "'",     "\"",   "|\n",  ">",   "#",  "!!",           "%",
        "---", "\t",  "base", "ideal", "4",    "\\",   "é",   "\r", "<<",           "\0",
        "@",   "`",   "...",  ".",     "\xff", "unit", "a: ", ":",  "\xef\xbb\xbf",
    };
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    int rounds = test_is_quick() ? 300 : 3000;
    for (int round = 0; round < rounds; round++) {
        struct lib_text file = {0};
        uint64_t length = lib_hash_mix((uint64_t)round) % 40;
        for (uint64_t i = 0; i < length; i++) {
            const char *piece = pieces[lib_hash_mix((uint64_t)round << 8 | i) % PIECES];
            lib_text_add(&file, piece, *piece ? strlen(piece) : 1);
        }
        read_yaml(lib_text_get(&file), file.length, NULL);
        lib_text_free(&file);
    }
}
END_TEST

/* --- configurations ----------------------------------------------------------------- */

START_TEST(test_setup)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_setup setup;
    const char *sets[] = {"pe.count=4", "pe.count=8", "queue.discipline=lifo"};
    ck_assert(sim_setup_load(&setup, arena, "ideal", sets, 3, &diags));
    struct machine_settings ideal;
    test_settings_ideal(&ideal);
    ck_assert(setup.is_preset);
    ck_assert_str_eq(setup.machine, "ideal");
    ck_assert_mem_eq(&setup.preset.machine, &ideal, sizeof ideal);
    test_set(&ideal, "pe.count", "8");
    test_set(&ideal, "queue.discipline", "lifo");
    ck_assert_mem_eq(&setup.settings.machine, &ideal, sizeof ideal);

    ck_assert(sim_setup_load(&setup, arena, NULL, NULL, 0, &diags));
    machine_settings_default(&ideal);
    ck_assert_str_eq(setup.machine, "default");
    ck_assert_mem_eq(&setup.settings.machine, &ideal, sizeof ideal);
    ck_assert_uint_eq(diags.errors, 0);

    ck_assert(!sim_setup_load(&setup, arena, "idael", sets, 1, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("cli");
    tcase_add_test(tcase, test_the_reader);
    tcase_add_test(tcase, test_the_writer);
    tcase_add_test(tcase, test_the_output);
    tcase_add_test(tcase, test_yaml_entries);
    tcase_add_test(tcase, test_yaml_random);
    tcase_add_test(tcase, test_setup);
    return test_main("cli", tcase);
}
