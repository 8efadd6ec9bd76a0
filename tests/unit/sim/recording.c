/* Whose checkpoints are taken: those of this model and of this format, and of no other. */
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
    const struct sim_recorded_by by = recording.by;
    recording.by.model = "9999";
    check_refused(&recording, "its checkpoints are of model 9999, and this is");
    recording.by = by;
    recording.by.format = "9998";
    check_refused(&recording, "its checkpoints are of format 9998, and this is");
    recording.by = by;
    recording.by.cpu = recording.by.version = "another";
    ck_assert_ptr_null(refusal(&recording));
    sim_recording_close(&recording);
    unlink(source);
    unlink(path);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("recording");
    tcase_add_test(tcase, checkpoints_of_another_model_or_format_are_refused);
    return test_main("recording", tcase);
}
