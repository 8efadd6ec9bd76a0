/* Recordings: whose checkpoints are taken, those of this model and of this format and of no other;
 * and the descriptions of runs in their heads. */
#include "sim/replay/recorder.h"
#include "tests/unit/support.h"

#include <unistd.h>

static const char program[] = "input n = 8\nresult = fib(n)\n"
                              "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n";

/* Records a run in the folder that make check gives. */
static void record(const char *source, const char *path)
{
    const struct sim_session_request request = {.program = source,
                                                .strategy = ISA_STAGE_COUNT};
    const struct sim_recorder_config how = {.path = path, .checkpoint = 20};
    struct lib_diags diags = {0};
    struct sim_session session;
    struct sim_ending ending;
    ck_assert(sim_session_open(&session, &request, &diags));
    const struct sim_simulation_config config = sim_session_config(&session);
    struct sim_simulation *simulation = sim_simulation_open(&config, &diags);
    struct sim_recorder *recorder = sim_recorder_new(&how, &session, simulation, &diags);
    ck_assert(sim_recorder_advance(recorder) == SIM_ADVANCED_TO_END);
    sim_simulation_close(simulation, &ending);
    const struct sim_record made = sim_session_record(&session, &ending);
    ck_assert(sim_recorder_finish(recorder, &made, &diags) && diags.count == 0);
    sim_ending_free(&ending);
    sim_session_close(&session);
}

/* NULL: it is taken. */
static char *refusal(struct sim_recording *recording)
{
    struct lib_diags diags = {0};
    const struct sim_simulation_config config = sim_session_config(&recording->session);
    struct sim_simulation *simulation = sim_simulation_open(&config, &diags);
    const size_t at = sim_recording_checkpoint(recording, 50);
    ck_assert(at != SIZE_MAX);
    const bool taken = sim_recording_restore(recording, at, simulation, &diags);
    char *why = taken ? NULL : strdup(diags.items[0].text);
    ck_assert(taken == (diags.count == 0));
    sim_simulation_close(simulation, NULL);
    lib_diags_free(&diags);
    return why;
}

static void check_refused(struct sim_recording *recording, const char *what)
{
    char *why = refusal(recording);
    ck_assert_msg(why && strstr(why, what), "%s", why ? why : "it is taken");
    free(why);
}

START_TEST(checkpoints_of_another_model_or_format_are_refused)
{
    char source[] = "/tmp/recording.XXXXXX", path[64];
    const int fd = mkstemp(source);
    ck_assert(fd >= 0 && write(fd, program, sizeof program - 1) == sizeof program - 1);
    close(fd);
    snprintf(path, sizeof path, "%s.rec", source);
    record(source, path);
    struct lib_diags diags = {0};
    struct sim_recording recording;
    ck_assert(sim_recording_open(&recording, path, &diags) && diags.count == 0);
    ck_assert_ptr_null(refusal(&recording));
    const struct sim_described_host by = recording.run.by;
    recording.run.by.model = "9999";
    check_refused(&recording, "its checkpoints are of model 9999, and this is");
    recording.run.by = by;
    recording.run.by.format = "9998";
    check_refused(&recording, "its checkpoints are of format 9998, and this is");
    recording.run.by = by;
    recording.run.by.cpu = recording.run.by.version = "another";
    ck_assert_ptr_null(refusal(&recording));
    sim_recording_close(&recording);
    unlink(source);
    unlink(path);
}
END_TEST

/* All fields of a description. */
static struct sim_description all_fields(void)
{
    static const char *settings[] = {"pe.count=4", "queue.discipline=lifo"};
    static const char *inputs[] = {"n=8"};
    return (struct sim_description){
        .by = {"1.0", "3", "12", "cpu \"x\"", "sse4.2", "glibc"},
        .machine = "m.yaml",
        .seed = UINT64_MAX,
        .series = true,
        .window = "10..20",
        .energy_name = "table",
        .energy = "unit: pJ\n",
        .settings = {settings, 2},
        .inputs = {inputs, 1},
        .has_events = true,
        .events = {.level = TRACES_LEVEL_FIRINGS,
                   .filter = {.pe = "1"},
                   .from = 5,
                   .to = UINT64_MAX},
    };
}

/* The bytes of heads are those of recordings that were written before. */
START_TEST(a_description_is_read_as_it_was_written)
{
    static const char expected[] = "{\n"
                                   "  \"by\": {\n"
                                   "    \"version\": \"1.0\",\n"
                                   "    \"model\": \"3\",\n"
                                   "    \"checkpoints\": \"12\",\n"
                                   "    \"cpu\": \"cpu \\\"x\\\"\",\n"
                                   "    \"features\": \"sse4.2\",\n"
                                   "    \"library\": \"glibc\"\n"
                                   "  },\n"
                                   "  \"machine\": \"m.yaml\",\n"
                                   "  \"preset\": false,\n"
                                   "  \"seed\": 18446744073709551615,\n"
                                   "  \"series\": true,\n"
                                   "  \"profile\": false,\n"
                                   "  \"window\": \"10..20\",\n"
                                   "  \"energy_name\": \"table\",\n"
                                   "  \"energy\": \"unit: pJ\\n\",\n"
                                   "  \"settings\": {\n"
                                   "    \"pe.count\": \"4\",\n"
                                   "    \"queue.discipline\": \"lifo\"\n"
                                   "  },\n"
                                   "  \"inputs\": {\n"
                                   "    \"n\": \"8\"\n"
                                   "  },\n"
                                   "  \"events\": {\n"
                                   "    \"level\": \"firings\",\n"
                                   "    \"pe\": \"1\",\n"
                                   "    \"from\": 5\n"
                                   "  }\n"
                                   "}\n";
    struct lib_arena *arena = lib_arena_new();
    const struct sim_description written = all_fields();
    struct sim_description read = {0};
    struct lib_text bytes = {0}, again = {0};
    struct lib_diags diags = {0};
    sim_description_write(&written, &bytes);
    ck_assert_str_eq(lib_text_get(&bytes), expected);
    const struct lib_source source = {"head", bytes.bytes, bytes.length};
    const bool good = sim_description_read(&read, arena, &source, &diags);
    ck_assert_msg(good, "%s", diags.count ? diags.items[0].text : "");
    ck_assert_uint_eq(read.events.to, UINT64_MAX);
    ck_assert_str_eq(read.settings.items[0], "pe.count=4");
    sim_description_write(&read, &again);
    ck_assert_str_eq(lib_text_get(&again), expected);
    lib_text_free(&bytes);
    lib_text_free(&again);
    lib_arena_free(arena);
}
END_TEST

/* What ran, and where, is said by each head. */
START_TEST(a_description_without_a_machine_is_refused)
{
    static const char *const heads[] = {
        "{\"seed\": 1}",
        "{\"machine\": \"default\", \"by\": {\"version\": \"1\", \"model\": \"3\"}}",
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct lib_arena *arena = lib_arena_new();
        struct sim_description read = {0};
        struct lib_diags diags = {0};
        const struct lib_source source = {"head", heads[i], strlen(heads[i])};
        ck_assert(!sim_description_read(&read, arena, &source, &diags));
        ck_assert_str_eq(diags.items[0].text, "it does not say what ran, or where");
        lib_diags_free(&diags);
        lib_arena_free(arena);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("recording");
    tcase_add_test(tcase, checkpoints_of_another_model_or_format_are_refused);
    tcase_add_test(tcase, a_description_is_read_as_it_was_written);
    tcase_add_test(tcase, a_description_without_a_machine_is_refused);
    return test_main("recording", tcase);
}
