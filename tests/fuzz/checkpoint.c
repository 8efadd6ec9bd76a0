/* Fuzz target: a checkpoint. The input says which run is saved, at which cycle, and how its state
 * is changed then (tests/fuzz/recorded.h). It is refused, or a run goes on from it that ends; one
 * that was not changed goes on as the run itself. */
#include "tests/fuzz/recorded.h"

enum { MAX_TOKENS = 20000, HOWS = 64, KEPT = 128 };

static struct sim_simulation *open_simulation(const struct sim_session *run,
                                              bool observes)
{
    struct lib_diags diags = {0};
    struct sim_simulation_config config = sim_session_config(run);
    config.series = config.profile = observes;
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    if (!s)
        fuzz_fail("cannot simulate: %s", diags.items[0].text);
    return s;
}

/* How it ends, and what it leaves behind, as text; NULL: it does not end soon. */
static char *run_on(const struct sim_session *run, struct sim_simulation *simulation)
{
    struct sim_ending ending;
    struct lib_text text = {0};
    const struct sim_until until = {.tokens = MAX_TOKENS};
    const bool ended = sim_simulation_advance(simulation, &until) == SIM_ADVANCED_TO_END;
    sim_simulation_close(simulation, &ending);
    if (ended) {
        const struct sim_record record = sim_session_record(run, &ending);
        sim_record_write_measured(&record, &text);
    }
    sim_ending_free(&ending);
    return text.bytes;
}

/* The state in which a run is saved; empty: it has ended before. It is made once. */
static const struct lib_text *kept(const struct sim_session *run, unsigned how)
{
    static struct state {
        const struct sim_session *run;
        struct lib_text bytes;
    } states[HOWS][KEPT];
    struct state *state = states[how];
    while (state->run && state->run != run)
        state++;
    if (state->run)
        return &state->bytes;
    const struct sim_until until = {.cycle = 1 + how / 2 * (uint64_t)5};
    struct sim_simulation *s = open_simulation(run, how & 1);
    state->run = run;
    if (sim_simulation_advance(s, &until) == SIM_ADVANCED_SO_FAR)
        sim_simulation_save(s, &state->bytes);
    sim_simulation_close(s, NULL);
    return &state->bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes input = {data, size};
    struct sim_session *run = fuzz_run("checkpoint", fuzz_byte(&input));
    const unsigned how = fuzz_byte(&input) % HOWS;
    const bool observes = how & 1, is_edited = input.left > 0;
    struct lib_text state = {0};
    const struct lib_text *saved = kept(run, how);
    char *whole = NULL;
    if (saved->length == 0)
        return 0; /* the run has ended before */
    lib_text_add(&state, saved->bytes, saved->length);
    if (!is_edited)
        whole = run_on(run, open_simulation(run, observes));
    while (input.left)
        fuzz_edit(&input, &state);
    struct sim_simulation *other = open_simulation(run, observes);
    char *again = NULL;
    if (sim_simulation_restore(other, lib_text_get(&state), state.length))
        again = run_on(run, other);
    else
        sim_simulation_close(other, NULL);
    if (whole && (!again || strcmp(whole, again) != 0))
        fuzz_fail("a checkpoint goes on otherwise:\n%s\n--- and\n%s", whole,
                  again ? again : "not at all");
    lib_mem_free(whole);
    lib_mem_free(again);
    lib_text_free(&state);
    return 0;
}
