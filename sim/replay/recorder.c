#include "sim/replay/recorder.h"

#include <assert.h>

#include "machine/machine.h"

struct sim_recorder {
    struct sim_simulation *simulation;
    struct traces_chunks_writer *file; /* NULL: no file */
    struct traces_digests digests;
    uint64_t *of_parts;                   /* present digests */
    uint64_t checkpoint, next_checkpoint; /* UINT64_MAX: no further checkpoint */
    struct lib_text bytes;
    struct sim_recorded_feeds fed; /* feeds since the last chunk FEED */
    uint64_t feeds;                /* feeds and closes before `fed` */
};

static void free_recorder(struct sim_recorder *r)
{
    traces_digests_free(&r->digests);
    lib_text_free(&r->bytes);
    sim_recorded_feeds_free(&r->fed);
    LIB_MEM_FREE(r->of_parts, r);
}

static void add_text(struct sim_recorder *r, uint32_t type)
{
    traces_chunks_add(r->file, type, 0, 0, lib_text_get(&r->bytes), r->bytes.length);
    lib_text_clear(&r->bytes);
}

static void write_what_runs(struct sim_recorder *r, const struct sim_session *session)
{
    const struct sim_simulation_config *config = sim_simulation_config(r->simulation);
    sim_recording_write_run(r->file, session, config->series, config->profile, NULL);
}

struct sim_recorder *sim_recorder_new(const struct sim_recorder_config *config,
                                      const struct sim_session *session,
                                      struct sim_simulation *simulation,
                                      struct lib_diags *diags)
{
    struct sim_recorder *r = lib_mem_new(sizeof *r);
    const uint32_t parts = sim_simulation_digest_count(simulation);
    r->simulation = simulation;
    const bool can_be_saved = machine_can_be_saved(
        sim_simulation_config(simulation)->settings);
    const bool has_file = config->path || config->stream;
    r->checkpoint = has_file && can_be_saved ? config->checkpoint : 0;
    r->next_checkpoint = r->checkpoint ? r->checkpoint : UINT64_MAX;
    r->of_parts = lib_mem_new(parts * sizeof *r->of_parts);
    traces_digests_start(&r->digests, parts, config->interval);
    if (!has_file)
        return r;
    r->file = config->stream
                  ? traces_chunks_create_on(config->stream, "the recording",
                                            &sim_recording_kind)
                  : traces_chunks_create(config->path, &sim_recording_kind, diags);
    if (!r->file) {
        free_recorder(r);
        return NULL;
    }
    write_what_runs(r, session);
    r->feeds = session->feeds ? session->feeds->all.count : 0;
    return r;
}

/* --- feeds ---------------------------------------------------------------------------------- */

void sim_recorder_feed(struct sim_recorder *r, const struct machine_feed *feed)
{
    if (r->file)
        sim_recorded_feeds_add(&r->fed, sim_simulation_config(r->simulation)->graph,
                               feed);
}

/* Writes pending feeds, so that they are kept even if the process is killed. */
static void write_fed(struct sim_recorder *r)
{
    const uint64_t count = r->fed.count;
    if (count == 0)
        return;
    sim_recorded_feeds_write(&r->fed, r->file,
                             sim_recorded_mark_of(r->simulation, r->feeds));
    r->feeds += count;
}

/* --- advancing ------------------------------------------------------------------------------ */

static uint32_t function_count(const struct sim_recorder *r)
{
    return sim_simulation_config(r->simulation)->graph->function_count;
}

static void take_digests(struct sim_recorder *r, uint64_t cycle)
{
    sim_simulation_digests(r->simulation, r->of_parts);
    traces_digests_take(&r->digests, cycle, r->of_parts, function_count(r));
}

static void take_checkpoint(struct sim_recorder *r, uint64_t cycle)
{
    sim_simulation_save(r->simulation, &r->bytes);
    traces_chunks_add(r->file, SIM_RECORDING_CHECKPOINT, cycle, cycle,
                      lib_text_get(&r->bytes), r->bytes.length);
    lib_text_clear(&r->bytes);
    r->next_checkpoint = cycle - cycle % r->checkpoint;
    if (__builtin_add_overflow(r->next_checkpoint, r->checkpoint, &r->next_checkpoint))
        r->next_checkpoint = UINT64_MAX;
}

static void take_end(struct sim_recorder *r)
{
    struct traces_stats stats;
    sim_simulation_measure(r->simulation, &stats);
    sim_simulation_digests(r->simulation, r->of_parts);
    traces_digests_end(&r->digests, stats.cycles, r->of_parts, function_count(r));
    traces_stats_free(&stats);
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct awaited {
    const struct sim_until *until;
    bool has_happened;
};

static bool check_awaited(const struct sim_simulation *simulation, void *context)
{
    struct awaited *a = context;
    a->has_happened = a->until->event(simulation, a->until->context);
    return a->has_happened;
}

static uint64_t tokens_of(const struct sim_recorder *r)
{
    return sim_simulation_exec(r->simulation)->counts.tokens;
}

/* Like sim_simulation_advance; takes digests and checkpoints on the way. */
static enum sim_advanced advance_recorder(void *recorder, const struct sim_until *until)
{
    struct sim_recorder *r = recorder;
    struct awaited awaited = {until, false};
    const uint64_t goal = until && until->cycle ? until->cycle : UINT64_MAX;
    const uint64_t lapse = until ? until->lapse : 0;
    uint64_t tokens = UINT64_MAX; /* count of delivered tokens at which to stop */
    if (until && until->tokens &&
        __builtin_add_overflow(tokens_of(r), until->tokens, &tokens))
        tokens = UINT64_MAX;
    write_fed(r);
    for (;;) {
        const uint64_t stop = least_of(goal,
                                       least_of(r->digests.next, r->next_checkpoint));
        const struct sim_until piece = {
            .tokens = tokens == UINT64_MAX ? 0 : tokens - tokens_of(r),
            .cycle = stop,
            .lapse = least_of(lapse, stop),
            .event = until && until->event ? check_awaited : NULL,
            .context = &awaited,
        };
        const enum sim_advanced advanced = sim_simulation_advance(r->simulation, &piece);
        if (advanced == SIM_ADVANCED_TO_END)
            take_end(r);
        if (advanced != SIM_ADVANCED_SO_FAR)
            return advanced;
        const uint64_t cycle = sim_simulation_cycle(r->simulation);
        if (r->digests.next <= cycle)
            take_digests(r, cycle);
        if (r->next_checkpoint <= cycle)
            take_checkpoint(r, cycle);
        if (cycle >= goal || awaited.has_happened || tokens_of(r) >= tokens)
            return SIM_ADVANCED_SO_FAR;
    }
}

enum sim_advanced sim_recorder_advance(struct sim_recorder *r)
{
    return sim_window_advance(r->simulation, advance_recorder, r);
}

enum sim_advanced sim_recorder_advance_until(struct sim_recorder *r,
                                             const struct sim_until *until)
{
    return advance_recorder(r, until);
}

const struct traces_digests *sim_recorder_digests(const struct sim_recorder *r)
{
    return &r->digests;
}

/* --- the end -------------------------------------------------------------------------------- */

static void write_rest(struct sim_recorder *r, const struct sim_record *record)
{
    write_fed(r);
    struct lib_pack pack = lib_pack_writer(&r->bytes);
    traces_digests_pack(&pack, &r->digests);
    add_text(r, SIM_RECORDING_DIGESTS);
    sim_record_write_measured(record, &r->bytes);
    add_text(r, SIM_RECORDING_ENDING);
}

bool sim_recorder_finish(struct sim_recorder *r, const struct sim_record *record,
                         struct lib_diags *diags)
{
    bool written = true;
    if (r->file) {
        write_rest(r, record);
        written = traces_chunks_finish(r->file, diags);
    }
    free_recorder(r);
    return written;
}

void sim_recorder_leave(struct sim_recorder *r)
{
    if (r->file) {
        write_fed(r);
        traces_chunks_leave(r->file);
    }
    free_recorder(r);
}

void sim_recorder_abandon(struct sim_recorder *r)
{
    if (r->file)
        traces_chunks_abandon(r->file);
    free_recorder(r);
}
