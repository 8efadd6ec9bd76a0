#include "sim/replay/recording.h"

#include <string.h>

/* --- writing --------------------------------------------------------------------------------- */

struct sim_recorded_mark sim_recorded_mark_of(const struct sim_simulation *simulation,
                                              uint64_t feeds)
{
    struct sim_recorded_mark mark = {.cycle = sim_simulation_cycle(simulation),
                                     .feeds = feeds};
    struct traces_stats stats;
    sim_simulation_measure(simulation, &stats);
    mark.tokens = stats.tokens;
    mark.value_digest = stats.value_digest;
    mark.timing_digest = stats.timing_digest;
    traces_stats_free(&stats);
    return mark;
}

void sim_recorded_feeds_add(struct sim_recorded_feeds *fed, const struct isa_graph *graph,
                            const struct machine_feed *feed)
{
    struct machine_feed own = *feed; /* packing takes no const */
    struct lib_pack pack = lib_pack_writer(&fed->bytes);
    machine_feed_pack(&pack, graph, &own, NULL);
    if (fed->count == 0 || feed->cycle < fed->from)
        fed->from = feed->cycle;
    if (fed->count == 0 || feed->cycle > fed->to)
        fed->to = feed->cycle;
    fed->count++;
}

void sim_recorded_feeds_write(struct sim_recorded_feeds *fed,
                              struct traces_chunks_writer *file,
                              struct sim_recorded_mark mark)
{
    struct lib_text bytes = {0};
    struct lib_pack pack = lib_pack_writer(&bytes);
    LIB_PACK(&pack, mark);
    LIB_PACK(&pack, fed->count);
    lib_text_add(&bytes, lib_text_get(&fed->bytes), fed->bytes.length);
    traces_chunks_add(file, SIM_RECORDING_FEED, fed->from, fed->to, lib_text_get(&bytes),
                      bytes.length);
    lib_text_free(&bytes);
    lib_text_clear(&fed->bytes);
    fed->count = 0;
}

void sim_recorded_feeds_free(struct sim_recorded_feeds *fed)
{
    lib_text_free(&fed->bytes);
}

/* The state is zero, as the run has not begun. */
void sim_recorded_feeds_write_known(struct traces_chunks_writer *file,
                                    const struct sim_session *session)
{
    const struct sim_feeds *feeds = session->feeds;
    const struct sim_recorded_mark start = {0};
    struct sim_recorded_feeds fed = {0};
    for (size_t i = 0; i < feeds->all.count; i++)
        sim_recorded_feeds_add(&fed, session->program.graph, &feeds->all.items[i]);
    sim_recorded_feeds_write(&fed, file, start);
    sim_recorded_feeds_free(&fed);
}

/* --- reading --------------------------------------------------------------------------------- */

static bool report_damage(const char *path, struct lib_diags *diags)
{
    lib_diag_plain(diags, LIB_DIAG_FILE, "%s: what its ports were fed is damaged", path);
    return false;
}

/* Reads the feeds of a chunk. Returns false if the program cannot have them. */
static bool read_feeds(struct sim_recording *r, const struct isa_graph *graph,
                       const struct lib_text *bytes)
{
    struct sim_feeds *feeds = &r->run.feeds;
    struct lib_pack pack = lib_pack_reader(bytes->bytes, bytes->length);
    struct sim_recorded_mark mark;
    uint64_t count = 0;
    LIB_PACK(&pack, mark);
    LIB_PACK(&pack, count);
    lib_pack_expect(&pack, mark.feeds == feeds->all.count);
    for (uint64_t i = 0; i < count && !pack.failed; i++) {
        struct machine_feed feed = {0};
        machine_feed_pack(&pack, graph, &feed, r->arena);
        if (lib_pack_expect(&pack, sim_feeds_fit(feeds, &feed)))
            *LIB_VEC_PUSH(&feeds->all) = feed;
    }
    *LIB_VEC_PUSH(&r->marks) = mark;
    return lib_pack_is_whole(&pack);
}

/* Also sets the feeds of the session. */
bool sim_recorded_feeds_read(struct sim_recording *r, const char *path,
                             struct lib_diags *diags)
{
    LIB_TEXT_OWN bytes = {0};
    bool good = true;
    for (size_t i = 0; good && i < traces_chunks_count(r->chunks); i++) {
        if (traces_chunks_get(r->chunks, i)->type != SIM_RECORDING_FEED)
            continue;
        good = traces_chunks_read(r->chunks, i, &bytes, diags) &&
               (read_feeds(r, r->session.program.graph, &bytes) ||
                report_damage(path, diags));
    }
    r->session.feeds = &r->run.feeds;
    return good;
}

/* Any program fits if there are no feeds. */
bool sim_recorded_feeds_fit(const struct sim_recording *r, const struct isa_graph *graph,
                            struct lib_diags *diags)
{
    const struct isa_graph *then = r->session.program.graph;
    if (r->run.feeds.all.count == 0 || !then)
        return true;
    bool same = graph->port_count == then->port_count;
    for (uint32_t i = 0; same && i < graph->port_count; i++) {
        const struct isa_port *a = &graph->ports[i], *b = &then->ports[i];
        same = a->is_input == b->is_input && a->part_count == b->part_count &&
               strcmp(a->name, b->name) == 0;
        for (uint32_t k = 0; same && a->is_input && k < a->part_count; k++)
            same = a->parts[k].type == b->parts[k].type &&
                   a->parts[k].element == b->parts[k].element &&
                   a->parts[k].rank == b->parts[k].rank;
    }
    if (!same)
        lib_diag_plain(
            diags, LIB_DIAG_USAGE,
            "the program has other ports than the recorded one, which were fed");
    return same;
}
