#include "sim/sweep/search.h"

#include <string.h>

#include "isa/partition/partition.h"
#include "lib/memory.h"

enum {
    BATCH = 16,
    RANDOM = 4,   /* partitions at the beginning that are drawn */
    METIS = 3,    /* those by METIS, with and without a profile */
    PATIENCE = 3, /* batches that find nothing, until one change more is made at once, */
    CHANGES = 8,  /* up to so many */
};

/* --- the beginning ------------------------------------------------------------------------------------ */

static uint32_t *new_machines(const struct sim_search *s)
{
    return lib_mem_new(((size_t)s->request.image->node_count + 1) * sizeof(uint32_t));
}

static bool begin_with(struct sim_search *s, const char *name, uint64_t number,
                       struct isa_partition_choice choice, struct lib_diags *diags)
{
    uint32_t *machine_of = new_machines(s);
    choice.machines = s->request.machines;
    choice.seed = number;
    *LIB_VEC_PUSH(&s->starts) = (struct sim_search_candidate){
        .name = name, .number = number, .machine_of = machine_of};
    return isa_partition_choose(s->request.image, &choice, machine_of, diags);
}

bool sim_search_open(struct sim_search *s, const struct sim_search_request *request,
                     struct lib_diags *diags)
{
    const struct machine_file *map = request->settings->partition_file,
                              *profile = request->settings->partition_profile;
    *s = (struct sim_search){.request = *request};
    s->moves = isa_partition_moves_new(request->image, request->machines);
    bool good = true;
    if (map)
        good = begin_with(
            s, "partition.file", 0,
            (struct isa_partition_choice){.by = ISA_PARTITION_FILE, .map = &map->source},
            diags);
    good &= begin_with(s, "one machine", 0,
                       (struct isa_partition_choice){.by = ISA_PARTITION_NONE}, diags) &&
            begin_with(s, "function", 0,
                       (struct isa_partition_choice){.by = ISA_PARTITION_FUNCTION},
                       diags);
    for (uint64_t i = 0; good && i < METIS && isa_partition_has_metis(); i++) {
        struct isa_partition_choice choice = {.by = ISA_PARTITION_METIS};
        good = begin_with(s, "metis", i, choice, diags);
        choice.weights = profile ? &profile->source : NULL;
        if (good && profile)
            good = begin_with(s, "metis with a profile", i, choice, diags);
    }
    for (uint64_t i = 0; good && i < RANDOM; i++)
        good = begin_with(s, "random", i,
                          (struct isa_partition_choice){.by = ISA_PARTITION_RANDOM},
                          diags);
    return good;
}

void sim_search_close(struct sim_search *s)
{
    for (size_t i = 0; i < s->starts.count; i++)
        lib_mem_free(s->starts.items[i].machine_of);
    for (size_t i = 0; i < s->batch.count; i++)
        lib_mem_free(s->batch.items[i].machine_of);
    LIB_VEC_FREE(&s->starts);
    LIB_VEC_FREE(&s->batch);
    lib_mem_free(s->best.machine_of);
    isa_partition_moves_free(s->moves);
    lib_text_free(&s->reason);
}

/* --- in a worker ---------------------------------------------------------------------------------------- */

/* A run that takes as long as the best one so far need not go on. */
static void set_limit(const struct sim_search *s, struct machine_settings *settings)
{
    const bool is_time = strcmp(s->request.least->key, "cycles") == 0;
    if (is_time && s->best.is_known &&
        (settings->limit_cycles == 0 || settings->limit_cycles > s->best.value))
        settings->limit_cycles = s->best.value;
}

static void make(struct sim_outcome *outcome, size_t run, const void *context)
{
    const struct sim_search *s = context;
    const struct sim_search_request *r = &s->request;
    static const bool keeps[TRACES_DETAIL_COUNT] = {false};
    struct machine_settings settings = *r->settings;
    struct isa_graph *graph = isa_partition_split(
        r->image, s->batch.items[run].machine_of, r->machines);
    const struct sim_simulation_config config = {.graph = graph,
                                                 .inputs = r->inputs,
                                                 .settings = &settings,
                                                 .seed = r->run_seed,
                                                 .engine = SIM_ENGINE_MACHINE};
    struct sim_ending ending;
    struct lib_diags diags = {0};
    *outcome = (struct sim_outcome){0};
    set_limit(s, &settings);
    if (sim_simulate(&config, &ending, &diags)) {
        sim_outcome_take(outcome, &ending, r->title, NULL, keeps);
        sim_ending_free(&ending);
    } else {
        outcome->crashed = true;
        lib_text_puts(&outcome->reason, diags.items[0].text);
    }
    lib_diags_free(&diags);
    isa_graph_free(graph);
}

/* --- batches -------------------------------------------------------------------------------------------- */

struct running {
    struct sim_search *search;
    const struct sim_runs_watch *watch;
    bool goes_on;
};

static void take(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct sim_search *s = ((struct running *)context)->search;
    struct sim_search_candidate *c = &s->batch.items[run];
    s->done++;
    if (!outcome->crashed && outcome->end == ISA_END_COMPLETED) {
        c->is_known = true;
        c->value = traces_stat_integer(&outcome->stats, s->request.least);
    } else if (!outcome->crashed && outcome->end == ISA_END_LIMIT && s->best.is_known) {
        c->is_over = true;
    } else {
        s->failed++;
        if (s->reason.length == 0)
            lib_text_puts(&s->reason, lib_text_get(&outcome->reason));
    }
}

static bool goes_on(void *context)
{
    struct running *r = context;
    r->goes_on = r->watch->look(r->search->done, r->search->failed,
                                r->search->request.runs, r->watch->context);
    return r->goes_on;
}

/* Whether the first one is a better candidate: of equals none is. */
static bool is_better(const struct sim_search_candidate *a,
                      const struct sim_search_candidate *b)
{
    return a->is_known && (!b->is_known || a->value < b->value);
}

/* Runs all of the batch, and keeps the best of it if it is better than what there was. */
static bool run_batch(struct sim_search *s, unsigned jobs, struct running *r,
                      struct lib_diags *diags)
{
    const struct sim_work work = {make, s};
    const struct sim_work_taker taker = {take, goes_on, r};
    const size_t nodes = s->request.image->node_count;
    struct sim_search_candidate *first = &s->batch.items[0];
    if (!sim_workers_make_all(&work, s->batch.count, jobs, &taker, diags))
        return false;
    for (size_t i = 1; i < s->batch.count; i++)
        if (is_better(&s->batch.items[i], first))
            first = &s->batch.items[i];
    s->idle++;
    if (!is_better(first, &s->best))
        return true;
    s->idle = 0;
    s->best.is_known = true;
    s->best.value = first->value;
    if (!s->best.machine_of)
        s->best.machine_of = new_machines(s);
    memcpy(s->best.machine_of, first->machine_of, nodes * sizeof *s->best.machine_of);
    if (first->name)
        s->from = (size_t)(first - s->batch.items);
    else
        s->better++;
    return true;
}

static void forget_batch(struct sim_search *s)
{
    for (size_t i = 0; i < s->batch.count; i++)
        lib_mem_free(s->batch.items[i].machine_of);
    s->batch.count = 0;
}

static size_t runs_left(const struct sim_search *s)
{
    return s->request.runs > s->done ? s->request.runs - s->done : 0;
}

/* The starts are run, and stay, with what came out. */
static bool run_starts(struct sim_search *s, unsigned jobs, struct running *r,
                       struct lib_diags *diags)
{
    const size_t count = s->starts.count < runs_left(s) ? s->starts.count : runs_left(s);
    const size_t bytes = s->request.image->node_count * sizeof(uint32_t);
    for (size_t i = 0; i < count; i++) {
        struct sim_search_candidate c = s->starts.items[i];
        c.machine_of = new_machines(s);
        memcpy(c.machine_of, s->starts.items[i].machine_of, bytes);
        *LIB_VEC_PUSH(&s->batch) = c;
    }
    const bool good = run_batch(s, jobs, r, diags);
    for (size_t i = 0; i < count; i++) {
        s->starts.items[i].is_known = s->batch.items[i].is_known;
        s->starts.items[i].value = s->batch.items[i].value;
    }
    forget_batch(s);
    s->idle = 0;
    return good;
}

/* Changes of the best one; those that would change nothing are left out. */
static void make_batch(struct sim_search *s, size_t batch)
{
    const size_t bytes = s->request.image->node_count * sizeof(uint32_t);
    size_t changes = 1 + s->idle / PATIENCE;
    if (changes > CHANGES)
        changes = CHANGES;
    for (uint64_t i = 0; i < 4 * BATCH && s->batch.count < BATCH; i++) {
        uint32_t *machine_of = new_machines(s);
        memcpy(machine_of, s->best.machine_of, bytes);
        isa_partition_move(s->moves, machine_of, s->request.seed, batch * 4 * BATCH + i,
                           (uint32_t)changes);
        if (memcmp(machine_of, s->best.machine_of, bytes) == 0 ||
            s->batch.count == runs_left(s))
            lib_mem_free(machine_of);
        else
            *LIB_VEC_PUSH(&s->batch) = (struct sim_search_candidate){
                .machine_of = machine_of};
    }
}

bool sim_search_run(struct sim_search *s, unsigned jobs,
                    const struct sim_runs_watch *watch, struct lib_diags *diags)
{
    struct running r = {.search = s, .watch = watch, .goes_on = true};
    bool good = run_starts(s, jobs, &r, diags);
    if (!s->best.is_known)
        return good;
    for (size_t batch = 0; good && r.goes_on && runs_left(s) > 0; batch++) {
        make_batch(s, batch);
        if (s->batch.count == 0)
            break; /* there is nothing to change */
        good = run_batch(s, jobs, &r, diags);
        forget_batch(s);
    }
    return good;
}

void sim_search_write(const struct sim_search *s, struct lib_text *out)
{
    isa_partition_write_map(s->request.image, s->best.machine_of, s->request.machines,
                            out);
}
