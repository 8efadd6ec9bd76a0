/* Which files are the same, what may be written, and who has a lock. */
#include "lib/guard.h"
#include "lib/atomic_file.h"
#include "lib/file.h"
#include "tests/unit/main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/hiaton-guard-XXXXXX";

static void enter(void)
{
    struct lib_diags diags = {0};
    ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    ck_assert(lib_file_write("input", "text", 4, &diags));
    ck_assert(symlink("input", "symbolic") == 0 && link("input", "hard") == 0 &&
              mkdir("sub", 0777) == 0);
    lib_guard_start();
}

static void leave(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert(chdir("/") == 0 && system(command) == 0);
}

static void refuse_write(const char *path, const char *message)
{
    struct lib_diags diags = {0};
    ck_assert(!lib_file_write(path, "new", 3, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert_str_eq(diags.items[0].text, message);
    lib_diags_free(&diags);
}

static void read_input(const char *path, bool is_good)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    ck_assert((lib_file_read_as(arena, path, "the program", &diags) != NULL) == is_good);
    lib_diags_free(&diags);
    lib_arena_free(arena);
}

START_TEST(an_input_is_not_written)
{
    struct lib_diags diags = {0};
    struct lib_atomic_file file;
    read_input("sub/../input", true);
    refuse_write("input", "input would overwrite the program");
    refuse_write("./symbolic", "./symbolic would overwrite the program");
    refuse_write("hard", "hard would overwrite the program");
    ck_assert(!lib_atomic_file_open(&file, "hard", &diags));
    lib_atomic_file_abandon(&file);
    ck_assert(!lib_atomic_file_name(&file, "symbolic", false, &diags));
    lib_atomic_file_abandon(&file);
    ck_assert_uint_eq(diags.errors, 2);
    ck_assert(lib_file_write("other", "new", 3, &diags));
    lib_diags_free(&diags);
    read_input("input", true);
}
END_TEST

START_TEST(a_file_aside_is_not_an_input)
{
    struct lib_diags diags = {0};
    struct lib_atomic_file file;
    ck_assert(lib_file_write("x.part", "text", 4, &diags));
    lib_guard_read("x.part", "the program", &diags);
    /* written above, so it is an output */
    ck_assert(lib_atomic_file_open(&file, "x", &diags));
    lib_atomic_file_abandon(&file);
    ck_assert(rename("input", "y.part") == 0);
    read_input("y.part", true);
    ck_assert(!lib_atomic_file_open(&file, "y", &diags));
    lib_atomic_file_abandon(&file);
    ck_assert(access("y.part", F_OK) == 0);
    lib_diags_free(&diags);
}
END_TEST

START_TEST(a_declared_output_is_not_read)
{
    struct lib_text why = {0};
    struct lib_diags diags = {0};
    ck_assert(lib_guard_declare("--csv", "hard", &why));
    ck_assert(lib_guard_declare("--csv", "input", &why));
    ck_assert(!lib_guard_declare("--json", "symbolic", &why));
    ck_assert_str_eq(why.bytes, "--csv and --json name the same file");
    ck_assert(!lib_guard_read("input", "the program", &diags));
    ck_assert_str_eq(diags.items[0].text, "--csv hard would overwrite the program");
    lib_text_clear(&why);
    ck_assert(lib_guard_declare("--stats", "new", &why));
    ck_assert(!lib_guard_declare("--series", "sub/../new", &why));
    ck_assert(lib_guard_declare("--series", "sub/new", &why));
    ck_assert(lib_guard_declare("--a", "/dev/null", &why));
    ck_assert(lib_guard_declare("--b", "/dev/null", &why));
    ck_assert(lib_guard_declare("--a", "-", &why));
    ck_assert(lib_guard_declare("--b", "-", &why));
    lib_diags_free(&diags);
    lib_text_free(&why);
}
END_TEST

START_TEST(what_was_written_may_be_read)
{
    struct lib_diags diags = {0};
    struct lib_text why = {0};
    ck_assert(lib_guard_declare("-o", "new", &why));
    ck_assert(lib_file_write("new", "text", 4, &diags));
    read_input("new", true);
    ck_assert(lib_file_write("new", "more", 4, &diags));
    lib_text_free(&why);
}
END_TEST

START_TEST(a_database_is_read_and_written)
{
    struct lib_diags diags = {0};
    struct lib_text why = {0};
    ck_assert(lib_guard_declare("-o", "input", &why));
    ck_assert(lib_guard_read_database("input", &diags));
    ck_assert(lib_guard_write_database("input", &diags));
    ck_assert(lib_guard_declare("--csv", "other", &why));
    ck_assert(!lib_guard_write_database("other", &diags));
    ck_assert_str_eq(diags.items[0].text, "--csv other would overwrite the database");
    lib_diags_free(&diags);
    lib_text_free(&why);
}
END_TEST

/* Whether another process is refused a lock of `place`, or of PATH.part of a file `place`. */
static bool is_refused(const char *place, bool is_file)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct lib_diags diags = {0};
        struct lib_atomic_file file;
        const bool good = is_file ? lib_atomic_file_open(&file, place, &diags)
                                  : lib_guard_lock(place, &diags);
        _exit(!good);
    }
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) != 0;
}

/* A child that takes a lock ends without releasing it, and so leaves a lock that is stale. */
START_TEST(one_process_has_a_lock)
{
    struct lib_diags diags = {0};
    ck_assert(!is_refused("sub", false));
    ck_assert(access("sub/.hiaton.lock", F_OK) == 0);
    ck_assert(lib_guard_lock("sub", &diags));
    ck_assert(lib_guard_lock("sub", &diags));
    ck_assert(lib_guard_lock("results.db", &diags));
    ck_assert(access("results.db.lock", F_OK) == 0);
    lib_guard_unlock("sub");
    lib_guard_unlock("results.db");
    ck_assert(access("sub/.hiaton.lock", F_OK) != 0);
    ck_assert(access("results.db.lock", F_OK) != 0);
    lib_diags_free(&diags);
}
END_TEST

/* Its path may be another one once it exists. */
START_TEST(a_new_file_is_unlocked)
{
    struct lib_diags diags = {0};
    ck_assert(lib_guard_lock("new.db", &diags));
    ck_assert(access("new.db.lock", F_OK) == 0);
    ck_assert(lib_file_write("new.db", "", 0, &diags));
    ck_assert(lib_guard_lock("new.db", &diags));
    lib_guard_unlock("new.db");
    ck_assert(access("new.db.lock", F_OK) != 0);
}
END_TEST

START_TEST(a_folder_aside_has_a_lock_beside_it)
{
    struct lib_diags diags = {0};
    ck_assert(lib_guard_lock_aside("sub", &diags));
    ck_assert(access("sub.lock", F_OK) == 0 && access("sub/.hiaton.lock", F_OK) != 0);
}
END_TEST

START_TEST(a_file_of_the_user_is_no_lock)
{
    struct lib_diags diags = {0};
    ck_assert(lib_file_write("results.db.lock", "mine", 4, &diags));
    ck_assert(lib_guard_lock("results.db", &diags));
    lib_guard_unlock("results.db");
    ck_assert(access("results.db.lock", F_OK) == 0);
}
END_TEST

/* The parent has the locks in another process than the one that asks. */
START_TEST(a_second_process_is_refused)
{
    struct lib_diags diags = {0};
    struct lib_atomic_file file;
    int ready[2], end[2], status;
    char byte = 0;
    ck_assert(pipe(ready) == 0 && pipe(end) == 0);
    const pid_t holder = fork();
    if (holder == 0) {
        struct lib_diags own = {0};
        struct lib_atomic_file first;
        byte = lib_guard_lock("results.db", &own) && lib_guard_lock("sub", &own) &&
               lib_atomic_file_open(&first, "recording", &own);
        _exit(write(ready[1], &byte, 1) != 1 || read(end[0], &byte, 1) != 1);
    }
    ck_assert(read(ready[0], &byte, 1) == 1 && byte);
    ck_assert(!lib_guard_lock("results.db", &diags) && !lib_guard_lock("sub", &diags));
    ck_assert(!lib_atomic_file_open(&file, "recording", &diags));
    lib_atomic_file_abandon(&file);
    ck_assert(access("recording.part", F_OK) == 0);
    ck_assert_uint_eq(diags.errors, 3);
    ck_assert(strstr(diags.items[0].text, "results.db: another command (process ") !=
              NULL);
    lib_diags_free(&diags);
    ck_assert(write(end[1], &byte, 1) == 1 && waitpid(holder, &status, 0) == holder);
    ck_assert(lib_guard_lock("results.db", &diags) && lib_guard_lock("sub", &diags));
    ck_assert(lib_atomic_file_open(&file, "recording", &diags) &&
              lib_atomic_file_finish(&file, &diags));
    ck_assert(!is_refused("recording", true));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("guard");
    tcase_add_checked_fixture(tcase, enter, leave);
    tcase_add_test(tcase, an_input_is_not_written);
    tcase_add_test(tcase, a_file_aside_is_not_an_input);
    tcase_add_test(tcase, a_declared_output_is_not_read);
    tcase_add_test(tcase, what_was_written_may_be_read);
    tcase_add_test(tcase, a_database_is_read_and_written);
    tcase_add_test(tcase, one_process_has_a_lock);
    tcase_add_test(tcase, a_new_file_is_unlocked);
    tcase_add_test(tcase, a_folder_aside_has_a_lock_beside_it);
    tcase_add_test(tcase, a_file_of_the_user_is_no_lock);
    tcase_add_test(tcase, a_second_process_is_refused);
    return test_main("guard", tcase);
}
