#include "tests/random/draw_platform.h"

#include "lib/hash.h"
#include "machine/simgrid/library.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

bool draw_has_platforms(void)
{
    struct lib_text why = {0};
    const bool has = machine_simgrid_open(&why) != NULL;
    if (has)
        machine_simgrid_close(false);
    lib_text_free(&why);
    return has;
}

void draw_ready_platform(enum machine_ready_kind kind, uint32_t nodes,
                         const char *bandwidth, const char *latency,
                         struct draw_platform *platform)
{
    const struct machine_ready ready = {kind, nodes, bandwidth, latency};
    *platform = (struct draw_platform){0};
    machine_ready_write(&ready, &platform->text);
    platform->file = (struct lib_setting_file){
        "p.xml", "", {"p.xml", lib_text_get(&platform->text), platform->text.length}};
}

static uint64_t below(uint64_t *state, uint64_t most)
{
    *state = lib_hash_mix(*state + 1);
    return *state % most;
}

void draw_platform(uint64_t seed, uint32_t nodes, struct machine_settings *s,
                   struct draw_platform *platform)
{
    static const char *const bandwidths[] = {"1Gbps", "10GBps", "12.5GBps"};
    static const char *const latencies[] = {"10ns", "100ns", "2us"};
    uint64_t state = seed;
    machine_settings_default(s);
    s->cluster_nodes = 2 + below(&state, 11);
    if (nodes)
        s->cluster_nodes = nodes;
    s->cluster_pes = 1 + below(&state, 4);
    draw_ready_platform((enum machine_ready_kind)below(&state, MACHINE_READY_GRIFFON),
                        (uint32_t)s->cluster_nodes, bandwidths[below(&state, 3)],
                        latencies[below(&state, 3)], platform);
    s->pe_count = s->cluster_nodes * s->cluster_pes;
    s->network_topology = MACHINE_NETWORK_SIMGRID;
    s->network_platform = &platform->file;
    s->network_model = below(&state, 3) == 0 ? MACHINE_MODEL_NATIVE
                                             : MACHINE_MODEL_SIMGRID;
    s->cluster_latency = below(&state, 4);
    s->cluster_bandwidth = below(&state, 2) ? 16 << below(&state, 5) : 0;
    s->nic_messages = below(&state, 2) ? 1 + below(&state, 8) : 0;
    s->message_header = below(&state, 2) * 40;
    s->message_window = below(&state, 2) ? below(&state, 300) : 0;
    s->cluster_clock = below(&state, 2) ? 1000000000 : 300000007;
    s->deadness = below(&state, 2) ? MACHINE_PROPAGATE : MACHINE_SUPPRESS;
    s->pe_units = below(&state, 3);
    s->fault_delay = below(&state, 3) ? 0 : 200000;
    s->fault_delay_cycles = below(&state, 2) * 5000;
    s->fault_reorder = below(&state, 3) ? 0 : 300000;
    if (below(&state, 2))
        s->cluster_termination = MACHINE_TERMINATION_COUNTED;
    s->copy_placement = below(&state, MACHINE_COPY_COORDINATED + 1);
    s->coordinator_node = below(&state, s->cluster_nodes);
    s->coordinator_latency = 1 + below(&state, 100);
    s->coordinator_choice = below(&state, 2);
    s->copy_node_bytes = below(&state, 2) * 64;
}

bool draw_apart(void (*run)(void *context, void *found), void *context, void *found,
                size_t size)
{
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    int status = 1;
    if (shared == MAP_FAILED)
        return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        run(context, shared);
        _exit(0);
    }
    const bool ended = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    if (ended)
        memcpy(found, shared, size);
    munmap(shared, size);
    return ended;
}
