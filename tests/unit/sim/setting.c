/* Settings that are no numbers: lists, texts and files; what they are read from, written as, and
 * compared by, what is refused, and who keeps the bytes of a file. */
#include "machine/machine.h"
#include "sim/loading/setting.h"
#include "tests/unit/support.h"

#include <sys/stat.h>
#include <unistd.h>

/* --- a table with a text ------------------------------------------------------------ */

/* Settings with one more row than machine/settings.def, as who adds a text would have it. */
struct more {
    struct machine_settings settings;
    const char *label;
};

static const struct lib_setting label = {
    .key = "test.label",
    .kind = LIB_SETTING_TEXT,
    .offset = offsetof(struct more, label),
    .word = "plain",
    .most = 12,
    .help = "",
};

static const char *written(const void *settings, const struct lib_setting *setting)
{
    static struct lib_text text;
    lib_text_clear(&text);
    lib_setting_write(settings, setting, &text);
    return lib_text_get(&text);
}

/* The reason why a value is refused. */
static const char *refused(const struct lib_setting *setting, const char *value)
{
    static struct lib_text why;
    struct more more = {.label = label.word};
    machine_settings_default(&more.settings);
    lib_text_clear(&why);
    ck_assert_msg(!lib_setting_set(&more.settings, setting, value, &why), "%s takes `%s`",
                  setting->key, value);
    ck_assert(lib_setting_is_standard(&more.settings, setting));
    return lib_text_get(&why);
}

START_TEST(test_texts)
{
    static const char *const good[] = {"a", "it's \"so\"", "\xc3\xa9\xe2\x82\xac",
                                       "x: {[#&*", "123456789012"};
    static const char *const bad[] = {"",     "two\nlines", "tab\there", "1234567890123",
                                      "\x7f", "\xff",       "\xc0\x80"};
    struct more a = {.label = label.word};
    struct lib_text why = {0};
    ck_assert(lib_setting_is_standard(&a.settings, &label));
    ck_assert_str_eq(written(&a.settings, &label), "plain");
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct more b = {.label = label.word};
        char copy[16];
        snprintf(copy, sizeof copy, "%s", good[i]);
        ck_assert(lib_setting_set(&a.settings, &label, good[i], &why));
        ck_assert_str_eq(written(&a.settings, &label), good[i]);
        ck_assert(!lib_setting_is_equal(&a.settings, &b.settings, &label));
        ck_assert(lib_setting_set(&b.settings, &label, copy, &why));
        ck_assert(lib_setting_is_equal(&a.settings, &b.settings, &label));
        ck_assert(!lib_setting_is_standard(&a.settings, &label));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert(strstr(refused(&label, bad[i]),
                         "test.label: expected 1 to 12 bytes of UTF-8 in one line"));
    lib_text_free(&why);
}
END_TEST

/* --- lists -------------------------------------------------------------------------- */

START_TEST(test_lists)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "4x",
                                      "x4",
                                      "4xx4",
                                      "0x4",
                                      "-1",
                                      "65537",
                                      "4X4",
                                      "4,4",
                                      "4 x 4",
                                      "[4]",
                                      "Derived",
                                      "1e3",
                                      "4x4x",
                                      "4x4.0",
                                      "4x+4",
                                      "1x1x1x1x1x1x1x1x1",
                                      "99999999999999999999999999"};
    const struct lib_setting *dims = machine_setting_find("network.dims");
    struct machine_settings a, b;
    machine_settings_default(&a);
    machine_settings_default(&b);
    ck_assert_uint_eq(a.network_dims.count, 0);
    ck_assert(lib_setting_is_standard(&a, dims));
    ck_assert_str_eq(written(&a, dims), "derived");
    test_set(&a, "network.dims", "4x4x65536");
    ck_assert_uint_eq(a.network_dims.count, 3);
    ck_assert_uint_eq(a.network_dims.items[2], 65536);
    ck_assert_uint_eq(a.network_dims.items[3], 0);
    ck_assert_str_eq(written(&a, dims), "4x4x65536");
    ck_assert(!lib_setting_is_standard(&a, dims));
    ck_assert(!lib_setting_is_equal(&a, &b, dims));
    test_set(&b, "network.dims", "1x2x3x4x5x6x7x8");
    test_set(&b, "network.dims", "04x4x65536");
    ck_assert(lib_setting_is_equal(&a, &b, dims));
    test_set(&b, "network.dims", "16");
    ck_assert_uint_eq(b.network_dims.count, 1);
    test_set(&b, "network.dims", "derived");
    ck_assert(lib_setting_is_standard(&b, dims));
    ck_assert_mem_eq(&b.network_dims, &(struct lib_setting_list){0},
                     sizeof b.network_dims);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert(strstr(refused(dims, bad[i]),
                         "network.dims: expected 1 to 8 numbers of routers from 1 to "
                         "65536 with `x` between them, or `derived`, found `"));
}
END_TEST

/* --- clusters ----------------------------------------------------------------------- */

/* The count of PEs follows from that of nodes, in any order, as long as nobody gives it. */
START_TEST(test_nodes)
{
    struct machine_settings s;
    struct lib_diags diags = {0};
    machine_settings_default(&s);
    const uint64_t usual = s.pe_count;
    test_set(&s, "cluster.pes_per_node", "3");
    ck_assert_uint_eq(s.pe_count, usual);
    test_set(&s, "cluster.nodes", "5");
    ck_assert_uint_eq(s.pe_count, 15);
    test_set(&s, "cluster.pes_per_node", "4");
    ck_assert_uint_eq(s.pe_count, 20);
    ck_assert(machine_settings_fit(&s, &diags));
    test_set(&s, "pe.count", "16");
    test_set(&s, "cluster.nodes", "4");
    ck_assert(machine_settings_fit(&s, &diags)); /* it is the product */
    test_set(&s, "cluster.nodes", "8");
    ck_assert_uint_eq(s.pe_count, 16);
    ck_assert(!machine_settings_fit(&s, &diags));
    ck_assert_ptr_nonnull(strstr(diags.items[0].text, "has 32 PEs; found 16"));
    lib_diags_free(&diags);
}
END_TEST

/* --- files -------------------------------------------------------------------------- */

static const char *folder; /* of the test, with a slash */
static struct lib_arena *memory;
static struct sim_setting_files files;

static const char *path_of(const char *name)
{
    return lib_arena_printf(memory, "%s%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* NULL, or why not. */
static const char *set(struct sim_settings *settings, const char *text)
{
    static struct lib_text why;
    const struct lib_setting *file = sim_setting_find("network.file");
    lib_text_clear(&why);
    bool good = sim_setting_set(settings, file, text, folder, &files, &why);
    ck_assert_int_eq(good, why.length == 0);
    return good ? NULL : lib_text_get(&why);
}

static void make_folder(void)
{
    char made[] = "/tmp/hiaton_setting_XXXXXX";
    ck_assert(mkdtemp(made) != NULL);
    memory = lib_arena_new();
    files = (struct sim_setting_files){.arena = memory};
    folder = lib_arena_printf(memory, "%s/", made);
}

static void remove_folder(void)
{
    static const char *const names[] = {"a.net", "b.net", "c@d \"e\".net", "long"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    ck_assert_int_eq(rmdir(folder), 0);
    sim_setting_files_free(&files);
    lib_arena_free(memory);
}

START_TEST(test_files)
{
    const struct lib_setting *file = sim_setting_find("network.file");
    struct sim_settings a, b;
    make_folder();
    sim_settings_default(&a);
    sim_settings_default(&b);
    write_file("a.net", "node 0\n");
    write_file("b.net", "node 0\n");
    write_file("c@d \"e\".net", "");
    ck_assert_str_eq(written(&a, file), "none");
    ck_assert(set(&a, "a.net") == NULL && set(&b, path_of("b.net")) == NULL);
    ck_assert_str_eq(a.machine.network_file->name, "a.net");
    ck_assert_str_eq(a.machine.network_file->source.name, path_of("a.net"));
    ck_assert_str_eq(a.machine.network_file->source.bytes, "node 0\n");
    ck_assert_uint_eq(a.machine.network_file->source.length, 7);
    ck_assert(lib_setting_is_equal(&a, &b, file)); /* the same bytes */
    struct lib_text identity = {0}, other = {0};
    lib_setting_identify(&a, file, &identity);
    lib_setting_identify(&b, file, &other);
    ck_assert_str_eq(identity.bytes, other.bytes);
    ck_assert_str_eq(identity.bytes, a.machine.network_file->digest);
    lib_text_free(&identity);
    lib_text_free(&other);

    ck_assert(set(&b, "c@d \"e\".net") == NULL); /* empty, and no digest in its name */
    ck_assert_uint_eq(b.machine.network_file->source.length, 0);
    ck_assert_str_eq(b.machine.network_file->digest, "99aa06d3014798d86001c324468d497f");
    ck_assert(!lib_setting_is_equal(&a, &b, file));
    ck_assert(set(&b, "none") == NULL && b.machine.network_file == NULL);
    remove_folder();
}
END_TEST

START_TEST(test_wrong_files)
{
    struct sim_settings s;
    make_folder();
    sim_settings_default(&s);
    write_file("a.net", "");
    write_file("long", "");
    ck_assert_int_eq(truncate(path_of("long"), SIM_SETTING_FILE_MAX + 1), 0);
    ck_assert(strstr(set(&s, "c.net"), "did you mean `"));
    ck_assert(strstr(set(&s, "."), "network.file: cannot read "));
    ck_assert(strstr(set(&s, "long"), "is too long: expected at most 16777216 bytes"));
    ck_assert(strstr(set(&s, "-"), "standard input cannot be read again"));
    ck_assert(strstr(set(&s, ""), "expected the path of a file, or `none`, found ``"));
    ck_assert(strstr(set(&s, "two\nlines"), "expected the path of a file"));
    ck_assert(strstr(set(&s, "a.net@00000000000000000000000000000000"),
                     "with the digest 00000000000000000000000000000000, found one with"));
    ck_assert(s.machine.network_file == NULL);
    ck_assert_int_eq(truncate(path_of("long"), SIM_SETTING_FILE_MAX), 0);
    ck_assert(strstr(set(&s, "long"), "expected a text, found byte 0x00"));
    write_file("b.net", "");
    ck_assert_int_eq(chmod(path_of("b.net"), 0), 0);
    const bool is_root = geteuid() == 0; /* who may read everything */
    ck_assert(!is_root || seteuid(65534) == 0);
    ck_assert(strstr(set(&s, "b.net"), "Permission denied"));
    ck_assert(!is_root || seteuid(0) == 0);
    remove_folder();
}
END_TEST

/* NAME@DIGEST is read where the file is gone, or another one, if its bytes are kept. */
START_TEST(test_kept_files)
{
    const struct lib_setting *file = sim_setting_find("network.file");
    struct sim_settings a, b;
    make_folder();
    sim_settings_default(&a);
    sim_settings_default(&b);
    write_file("a.net", "node 0\n");
    ck_assert(set(&a, "a.net") == NULL);
    const char *text = lib_arena_printf(memory, "%s", written(&a, file));
    ck_assert(set(&b, text) == NULL); /* there it is, as it was */
    LIB_VEC_FREE(&files.read);
    write_file("a.net", "node 1\n");
    ck_assert(strstr(set(&b, text), "with the digest"));
    LIB_VEC_FREE(&files.read);
    sim_setting_files_keep(&files, "node 0\n", 7);
    ck_assert(set(&b, text) == NULL);
    ck_assert(lib_setting_is_equal(&a, &b, file));
    ck_assert_str_eq(b.machine.network_file->name, "a.net");
    ck_assert_str_eq(b.machine.network_file->source.bytes, "node 0\n");
    ck_assert(set(&b, "a.net") == NULL); /* a path means the file that is there */
    ck_assert_str_eq(b.machine.network_file->source.bytes, "node 1\n");
    remove_folder();
}
END_TEST

/* A file is read once, and what became of it since then is told. */
START_TEST(test_changed_files)
{
    struct sim_settings s;
    struct lib_diags diags = {0};
    make_folder();
    sim_settings_default(&s);
    write_file("a.net", "node 0\n");
    write_file("b.net", "node 0\n");
    ck_assert(set(&s, "a.net") == NULL && set(&s, "b.net") == NULL);
    sim_setting_files_check(&files, &diags);
    ck_assert_uint_eq(diags.count, 0);
    write_file("a.net", "node 1\n");
    unlink(path_of("b.net"));
    ck_assert(set(&s, "a.net") == NULL);
    ck_assert_str_eq(s.machine.network_file->source.bytes, "node 0\n");
    sim_setting_files_check(&files, &diags);
    ck_assert_uint_eq(diags.count, 2);
    ck_assert_uint_eq(diags.errors, 0);
    ck_assert(strstr(diags.items[0].text, "a.net has changed since it was read"));
    ck_assert(strstr(diags.items[1].text, "b.net has gone since it was read"));
    lib_diags_free(&diags);
    remove_folder();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("setting");
    tcase_add_test(tcase, test_texts);
    tcase_add_test(tcase, test_lists);
    tcase_add_test(tcase, test_nodes);
    tcase_add_test(tcase, test_files);
    tcase_add_test(tcase, test_wrong_files);
    tcase_add_test(tcase, test_kept_files);
    tcase_add_test(tcase, test_changed_files);
    return test_main("setting", tcase);
}
