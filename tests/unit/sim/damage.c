/* Damage of recordings and files of events: a bit that is another one is always found; what was cut
 * off is refused, or read as far as it is whole, and never taken for whole. */
#include "lib/file.h"
#include "sim/replay/recorder.h"
#include "sim/replay/source.h"
#include "sim/replay/tracer.h"
#include "tests/random/draw.h"
#include "tests/unit/support.h"

#include <unistd.h>

enum { SEED = 20261122, FLIPS = 1000, FEW = 100 };

static const char program[] = "input n = 5\nresult = fib(n)\n"
                              "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n";

static char program_path[32], file[64];
static struct draw dice = {.seed = SEED};

/* --- the files ------------------------------------------------------------------------------- */

static void open_session(struct sim_session *session)
{
    const struct sim_session_request request = {.program = program_path,
                                                .strategy = ISA_STAGE_COUNT};
    struct lib_diags diags = {0};
    if (!file[0]) {
        strcpy(program_path, "/tmp/damage.XXXXXX");
        const int fd = mkstemp(program_path);
        ck_assert(fd >= 0 && write(fd, program, strlen(program)) > 0);
        close(fd);
        snprintf(file, sizeof file, "%s.file", program_path);
    }
    ck_assert(sim_session_open(session, &request, &diags));
}

static void record(void)
{
    const struct sim_recorder_config how = {.path = file, .checkpoint = 20};
    struct lib_diags diags = {0};
    struct sim_session session;
    struct sim_ending ending;
    open_session(&session);
    struct sim_simulation_config config = sim_session_config(&session);
    config.series = config.profile = true;
    struct sim_simulation *simulation = sim_simulation_open(&config, &diags);
    struct sim_recorder *recorder = sim_recorder_new(&how, &session, simulation, &diags);
    sim_recorder_advance(recorder);
    sim_simulation_close(simulation, &ending);
    const struct sim_record made = sim_session_record(&session, &ending);
    ck_assert(sim_recorder_finish(recorder, &made, &diags) && diags.count == 0);
    sim_ending_free(&ending);
    sim_session_close(&session);
}

static void trace(void)
{
    const struct sim_recorded_events all = {.level = TRACES_LEVEL_QUEUES,
                                            .to = UINT64_MAX};
    struct lib_diags diags = {0};
    struct sim_session session;
    open_session(&session);
    struct sim_simulation_config config = sim_session_config(&session);
    struct sim_tracer *tracer = sim_tracer_new(file, &all, &session, &diags);
    const struct traces_event_sink sink = sim_tracer_sink(tracer);
    config.sinks = &sink;
    config.sink_count = 1;
    struct sim_simulation *simulation = sim_simulation_open(&config, &diags);
    sim_simulation_advance(simulation, NULL);
    sim_simulation_close(simulation, NULL);
    ck_assert(sim_tracer_finish(tracer, &diags) && diags.count == 0);
    sim_session_close(&session);
}

/* --- what reads them ------------------------------------------------------------------------- */

/* What is read of one: whether it is whole, and its events up to END. */
struct seen {
    bool is_read, is_whole, is_warned;
    LIB_VEC(struct traces_event) events;
};

static void see(void *context, const struct traces_event *events, size_t count)
{
    struct seen *seen = context;
    for (size_t i = 0; i < count; i++)
        if (events[i].kind != TRACES_EVENT_END)
            *LIB_VEC_PUSH(&seen->events) = events[i];
}

/* Opens it, and reads it as a source of events. */
static struct seen read_source(void)
{
    struct seen seen = {0};
    struct lib_diags diags = {0};
    struct sim_source opened;
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, see, &seen};
    const struct sim_source_window all = {0, UINT64_MAX};
    seen.is_read = sim_source_open(&opened, file, &diags);
    seen.is_warned = diags.count > 0;
    seen.is_whole = seen.is_read && !traces_chunks_damage(opened.recording.chunks);
    ck_assert(seen.is_read == (diags.errors == 0));
    if (seen.is_read && opened.recording.run.has_events) {
        seen.is_read = sim_source_read(&opened, all, &sink, 1, NULL, &diags);
        ck_assert(seen.is_read == (diags.errors == 0));
    }
    sim_source_close(&opened);
    lib_diags_free(&diags);
    return seen;
}

/* Whether it was read so that nobody could tell that it is damaged. */
static bool is_believed(void)
{
    struct seen seen = read_source();
    LIB_VEC_FREE(&seen.events);
    return seen.is_read && seen.is_whole;
}

static struct lib_text file_bytes(void)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    const struct lib_source *bytes = lib_file_read(arena, file, &diags);
    lib_text_add(&text, bytes->bytes, bytes->length);
    lib_arena_free(arena);
    return text;
}

static void overwrite(const struct lib_text *text, size_t length)
{
    struct lib_diags diags = {0};
    ck_assert(lib_file_write(file, text->bytes, length, &diags));
}

/* --- damage ---------------------------------------------------------------------------------- */

static void flip_bits(void)
{
    struct lib_text text = file_bytes();
    ck_assert(is_believed());
    for (int i = 0; i < (test_is_quick() ? FEW : FLIPS); i++) {
        const uint64_t bit = draw_below(&dice, 8 * text.length);
        text.bytes[bit / 8] ^= (char)(1 << bit % 8);
        overwrite(&text, text.length);
        ck_assert_msg(!is_believed(), "bit %llu of byte %llu",
                      (unsigned long long)bit % 8, (unsigned long long)bit / 8);
        text.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    lib_text_free(&text);
}

/* What is left is a beginning of what there was. */
static void cut_off(void)
{
    struct lib_text text = file_bytes();
    struct seen whole = read_source();
    size_t read = 0;
    for (size_t length = 0; length < text.length; length += test_is_quick() ? 41 : 1) {
        overwrite(&text, length);
        struct seen seen = read_source();
        ck_assert_msg(!seen.is_read || (!seen.is_whole && seen.is_warned),
                      "the first %zu bytes", length);
        ck_assert_uint_le(seen.events.count, whole.events.count);
        if (seen.events.count)
            ck_assert_mem_eq(seen.events.items, whole.events.items,
                             seen.events.count * sizeof *seen.events.items);
        read += seen.is_read;
        LIB_VEC_FREE(&seen.events);
    }
    ck_assert_uint_gt(read, 0);
    lib_text_puts(&text, "x");
    overwrite(&text, text.length);
    ck_assert(!is_believed());
    LIB_VEC_FREE(&whole.events);
    lib_text_free(&text);
}

static void remove_files(void)
{
    unlink(program_path);
    unlink(file);
    file[0] = '\0';
}

START_TEST(a_flipped_bit_of_a_recording_is_found)
{
    record();
    flip_bits();
    remove_files();
}
END_TEST

START_TEST(a_flipped_bit_of_a_file_of_events_is_found)
{
    trace();
    flip_bits();
    remove_files();
}
END_TEST

START_TEST(a_recording_that_was_cut_off_is_not_whole)
{
    record();
    cut_off();
    remove_files();
}
END_TEST

START_TEST(a_file_of_events_that_was_cut_off_is_not_whole)
{
    trace();
    cut_off();
    remove_files();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("damage");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, a_flipped_bit_of_a_recording_is_found);
    tcase_add_test(tcase, a_flipped_bit_of_a_file_of_events_is_found);
    tcase_add_test(tcase, a_recording_that_was_cut_off_is_not_whole);
    tcase_add_test(tcase, a_file_of_events_that_was_cut_off_is_not_whole);
    return test_main("damage", tcase);
}
